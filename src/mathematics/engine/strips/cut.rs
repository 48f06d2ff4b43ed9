//! Cuts a position into strips in the best way, for one player, and then its options, of which most strips are the same.
//! Input: a layout and a set of moves. Output: the walls of the best cut at each temperature.
//!
//! The best cut is found from the first row to the last ([`Front`]). A move changes only the strips that begin in a few rows.
//! For an option, the front is computed for these rows, from what it was before them; every cut ends a strip behind the last
//! of them or a row or two later, and from there on it is a cut of rows that did not change, of which the best is known.

use super::layout::{LONGEST, Layout};
use super::set::Set;
use super::walls::Walls;
use crate::engine::context::Context;
use crate::game::Limit;

/// The best cut of the rows before some row, and, if its last strip reaches one or more rows further, of those, too.
type Front = [Walls; LONGEST + 1];

const NOTHING: Front = {
    let mut front = [Walls::UNKNOWN; LONGEST + 1];
    front[0] = Walls::ZERO;
    front
};

#[derive(Clone, Debug)]
struct Row {
    /// The moves of the strips that begin here, and their walls.
    moves: [u64; LONGEST],
    walls: [Walls; LONGEST],
    /// The best cut of the rows before.
    before: Front,
    /// The best cut of this row and those behind it.
    after: Walls,
}

/// The strips of a position and their best cut.
#[derive(Debug)]
pub(super) struct Cut {
    /// The most rows of a strip.
    most: usize,
    rows: Vec<Row>,
}

impl Cut {
    /// For strips of at most so many rows, [`LONGEST`] or fewer.
    pub(super) fn new(most: usize) -> Cut {
        Cut {
            most,
            rows: Vec::new(),
        }
    }

    /// Cuts a position.
    ///
    /// # Errors
    /// A limit other than memory: without the walls of a strip, others are used.
    pub(super) fn cut<const W: usize>(
        &mut self,
        layout: &mut Layout<W>,
        set: &Set<W>,
        context: &Context<'_>,
    ) -> Result<Walls, Limit> {
        self.rows.clear();
        let mut front = NOTHING;
        for row in 0..layout.rows() {
            let mut at = Row {
                moves: [0; LONGEST],
                walls: [Walls::UNKNOWN; LONGEST],
                before: front,
                after: Walls::UNKNOWN,
            };
            for more in 0..layout.strips(row).min(self.most) {
                at.moves[more] = layout.moves(row, more, set);
                at.walls[more] = layout.walls(row, more, at.moves[more], context)?;
            }
            advance(&mut front, &at.walls[..self.most]);
            self.rows.push(at);
        }
        Ok(front[0])
    }

    /// Finds the best cuts of the last rows of the position that was cut, for [`Cut::option`].
    pub(super) fn backwards(&mut self) {
        for row in (0..self.rows.len()).rev() {
            let mut best = Walls::UNKNOWN;
            for more in 0..self.most.min(self.rows.len() - row) {
                best = best.or(&self.rows[row].walls[more].plus(&self.after(row + more + 1)));
            }
            self.rows[row].after = best;
        }
    }

    /// The walls of the best cut of the position after a move, given by its bit in the layout.
    ///
    /// # Errors
    /// As for [`Cut::cut`].
    #[inline]
    pub(super) fn option<const W: usize>(
        &self,
        layout: &mut Layout<W>,
        option: &Set<W>,
        bit: usize,
        context: &Context<'_>,
    ) -> Result<Walls, Limit> {
        let [first, last] = layout.changed[bit];
        let mut front = self.rows[first].before;
        for row in first..=last {
            let old = &self.rows[row];
            let mut walls = old.walls;
            let strips = layout.strips(row).min(self.most);
            for (more, walls) in walls.iter_mut().take(strips).enumerate() {
                let moves = layout.moves(row, more, option);
                if moves != old.moves[more] {
                    *walls = layout.walls(row, more, moves, context)?;
                }
            }
            advance(&mut front, &walls[..self.most]);
        }
        let mut best = Walls::UNKNOWN;
        for (more, walls) in front.iter().take(self.most).enumerate() {
            best = best.or(&walls.plus(&self.after(last + 1 + more)));
        }
        Ok(best)
    }

    fn after(&self, row: usize) -> Walls {
        match self.rows.get(row) {
            Some(row) => row.after,
            None if row == self.rows.len() => Walls::ZERO,
            None => Walls::UNKNOWN,
        }
    }
}

// Goes on to the next row, given the walls of the strips that begin at this one.
#[inline]
fn advance(front: &mut Front, walls: &[Walls]) {
    let here = front[0];
    for (more, walls) in walls.iter().enumerate() {
        front[more + 1] = front[more + 1].or(&here.plus(walls));
    }
    front.rotate_left(1);
    front[LONGEST] = Walls::UNKNOWN;
}
