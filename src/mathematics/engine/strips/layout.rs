//! Cuts a game of conflicts into strips. Input: the conflicts of a position, and a player. Output: the strips of its rows.
//!
//! A *row* is a set of moves connected by conflicts among those of the opponent (on a grid of Domineering the horizontal
//! moves of one row, if the player is vertical), or among those of the player that no move of the opponent excludes. The
//! other moves of the player touch one row or several. Rows are put in an order in which these are near each other. A
//! *strip* is an interval of rows with the moves of the player that touch no other row. If the board is cut into intervals,
//! and the player gives up the moves that touch two of them, no conflict is left between two strips, so the rest is their sum.

use super::set::Set;
use super::walls::{Shape, Walls};
use crate::engine::account::Account;
use crate::engine::context::Context;
use crate::game::{Conflicts, Limit, Player};

/// The most rows of a strip.
pub(super) const LONGEST: usize = 4;

/// The most rows that a strip may need to hold most of the moves that touch several.
const USUAL: usize = 3;

/// How many moves of a row may be made, one after the other, the lowest first. Longer rows have so many sets of moves that their
/// walls cost more than they save: with 6, the outcome of Domineering 4x13 was not found in 60 s and took 1.7 GB, where the
/// search by components takes 32 s; with 5, that of 4x11 takes 0.7 s by strips and 0.8 s by components.
const WIDEST: usize = 5;

/// The least mean number of moves of the opponent in a row.
const MEAN: usize = 3;

/// The most moves of a strip of one row, two rows and so on. The walls of its followers are computed, too. For strips of four rows, 24
/// moves in the place of 20 take nearly twice the memory for Domineering 8x8, and the same time.
const HEAVIEST: [u32; LONGEST] = [u64::BITS, 32, 32, 20];

/// The most moves of a part of the board that is not cut.
const SMALL: u32 = 16;

/// A strip: where its moves are in a set, and its shape.
#[derive(Debug)]
struct Strip {
    word: usize,
    shift: u32,
    low: u64,
    high: u64,
    shape: usize,
}

impl Strip {
    // The moves of the strip that are in a set, as bits of its shape.
    #[inline]
    fn cut<const W: usize>(&self, set: &Set<W>) -> u64 {
        let low = (set.0[self.word] & self.low) >> self.shift;
        match self.high {
            0 => low,
            // The shift is not 0, since the strip would fit into one word.
            high => low | (set.0[self.word + 1] & high) << (64 - self.shift),
        }
    }
}

/// The strips for one player.
#[derive(Debug)]
pub(super) struct Layout<const W: usize> {
    /// For each move of the conflicts, its bit in the sets of this layout.
    pub(super) bits: Vec<usize>,
    /// The whole board.
    pub(super) board: Shape<W>,
    /// For each bit, the first and the last of the rows at which those strips of usual length begin that the move can change.
    pub(super) changed: Vec<[usize; 2]>,
    /// For each row, the strips of one row, two rows and so on that begin there.
    strips: Vec<Vec<Strip>>,
    shapes: Vec<Shape<1>>,
    /// How many rows a strip needs to hold most of the moves that touch several.
    pub(super) usual: usize,
    /// Whether some walls could not be kept.
    pub(super) full: bool,
}

impl<const W: usize> Layout<W> {
    /// `None` if the rows are not such that strips of a few could say much.
    pub(super) fn new(conflicts: &Conflicts, player: Player, always: bool) -> Option<Layout<W>> {
        let moves = conflicts.owners.len();
        let rows = rows(conflicts, player);
        let count = rows.iter().flatten().max()? + 1;
        let others = conflicts.owners.iter().filter(|p| **p != player).count();
        if !always && others < MEAN * count {
            return None;
        }
        let spans = spans(conflicts, &rows, count);
        let own = (0..moves).filter(|i| rows[*i].is_none());
        let mut lengths: Vec<usize> = own.map(|i| 1 + spans[i][1] - spans[i][0]).collect();
        lengths.sort_unstable();
        let usual = lengths
            .get(lengths.len() * 3 / 4)
            .map_or(2, |l| (*l).max(2));
        if !always && usual > USUAL {
            return None;
        }
        let usual = usual.min(USUAL);
        let mut order: Vec<usize> = (0..moves).collect();
        order.sort_by_key(|i| (spans[*i], *i));
        let mut bits = vec![0; moves];
        order.iter().enumerate().for_each(|(bit, i)| bits[*i] = bit);
        let removes = order.iter().map(|i| {
            let all = conflicts.with[*i].iter().map(|j| bits[*j as usize]);
            all.chain([bits[*i]]).collect::<Set<W>>()
        });
        let changed = order.iter().map(|i| {
            let gone = conflicts.with[*i].iter().map(|j| *j as usize);
            let spans = gone.chain([*i]).map(|j| spans[j]);
            let held = spans.filter(|[first, last]| last - first < usual);
            let rows = held.map(|[first, last]| [(last + 1).saturating_sub(usual), first]);
            let all = rows.reduce(|[a, b], [c, d]| [a.min(c), b.max(d)]);
            all.unwrap_or([0, 0])
        });
        let own = (0..moves).filter(|i| conflicts.owners[*i] == player);
        let mut layout = Layout {
            board: Shape::new(own.map(|i| bits[i]).collect(), removes.collect()),
            changed: changed.collect(),
            bits,
            strips: Vec::new(),
            shapes: Vec::new(),
            usual,
            full: false,
        };
        for first in 0..count {
            let mut strips = Vec::new();
            for last in first..count.min(first + LONGEST) {
                let within = |i: &&usize| first <= spans[**i][0] && spans[**i][1] <= last;
                let inside: Vec<usize> = order.iter().filter(within).copied().collect();
                let Some(strip) = layout.strip(&inside, conflicts, player) else {
                    break;
                };
                strips.push(strip);
                if !always && last == first && layout.together(&inside) > WIDEST {
                    return None;
                }
            }
            if strips.is_empty() {
                return None;
            }
            layout.strips.push(strips);
        }
        Some(layout)
    }

    /// The number of rows.
    pub(super) fn rows(&self) -> usize {
        self.strips.len()
    }

    /// How many strips begin at a row: of one row, two rows and so on.
    #[inline]
    pub(super) fn strips(&self, row: usize) -> usize {
        self.strips[row].len()
    }

    /// The moves, out of a set, of the strip of a row and so many more.
    #[inline]
    pub(super) fn moves(&self, row: usize, more: usize, set: &Set<W>) -> u64 {
        self.strips[row][more].cut(set)
    }

    /// The walls of such moves; [`Walls::UNKNOWN`] if they are too many or there is no memory.
    ///
    /// # Errors
    /// A limit other than memory.
    #[inline]
    pub(super) fn walls(
        &mut self,
        row: usize,
        more: usize,
        moves: u64,
        context: &Context<'_>,
    ) -> Result<Walls, Limit> {
        if moves == 0 {
            return Ok(Walls::ZERO);
        }
        if moves.count_ones() > HEAVIEST[more] {
            return Ok(Walls::UNKNOWN);
        }
        let shape = &mut self.shapes[self.strips[row][more].shape];
        let walls = shape.walls(&Set([moves]), context);
        Ok(self.if_kept(walls)?.unwrap_or(Walls::UNKNOWN))
    }

    /// The walls of a part of the board, if it is so small that those of all its followers can be computed.
    ///
    /// # Errors
    /// A limit other than memory.
    pub(super) fn small(
        &mut self,
        part: &Set<W>,
        context: &Context<'_>,
    ) -> Result<Option<Walls>, Limit> {
        if part.count() > SMALL {
            return Ok(None);
        }
        let walls = self.board.walls(part, context);
        self.if_kept(walls)
    }

    // The walls, unless there was no memory for them.
    #[inline]
    fn if_kept(&mut self, walls: Result<Walls, Limit>) -> Result<Option<Walls>, Limit> {
        match walls {
            Err(Limit::Memory) => {
                self.full = true;
                Ok(None)
            }
            walls => walls.map(Some),
        }
    }

    /// Forgets all walls.
    pub(super) fn clear(&mut self, account: &Account) {
        self.shapes.iter_mut().for_each(|s| s.clear(account));
        self.board.clear(account);
        self.full = false;
    }

    // How many of these moves can be made, one after the other, the lowest first.
    fn together(&self, inside: &[usize]) -> usize {
        let mut rest: Set<W> = inside.iter().map(|i| self.bits[*i]).collect();
        let mut count = 0;
        while let Some(bit) = rest.pop() {
            rest = rest.without(&self.board.removes[bit]);
            count += 1;
        }
        count
    }

    // The strip with these moves; `None` if it has none or they are too far apart.
    fn strip(&mut self, inside: &[usize], conflicts: &Conflicts, player: Player) -> Option<Strip> {
        let all = || inside.iter().map(|i| self.bits[*i]);
        let (start, end) = (all().min()?, all().max()?);
        if end - start >= 64 {
            return None;
        }
        let mask: Set<W> = all().collect();
        let (word, shift) = (start / 64, (start % 64) as u32);
        let mut strip = Strip {
            word,
            shift,
            low: mask.0[word],
            high: mask.0.get(word + 1).copied().unwrap_or(0),
            shape: 0,
        };
        let (mut own, mut removes) = (0, vec![Set::EMPTY; end - start + 1]);
        for i in inside {
            let bit = self.bits[*i];
            own |= u64::from(conflicts.owners[*i] == player) << (bit - start);
            removes[bit - start] = Set([strip.cut(&self.board.removes[bit])]);
        }
        let own = Set([own]);
        let known = self.shapes.iter().position(|s| s.is(&own, &removes));
        strip.shape = known.unwrap_or(self.shapes.len());
        if known.is_none() {
            self.shapes.push(Shape::new(own, removes));
        }
        Some(strip)
    }
}

// For each move the number of its row, counted in the order of the rows; `None` for a move of the player that only touches
// rows.
fn rows(conflicts: &Conflicts, player: Player) -> Vec<Option<usize>> {
    let moves = conflicts.owners.len();
    let other = |i: usize| conflicts.owners[i] != player;
    let apart = |i: usize| !conflicts.with[i].iter().any(|j| other(*j as usize));
    let makes_row: Vec<bool> = (0..moves).map(|i| other(i) || apart(i)).collect();
    let mut rows: Vec<Option<usize>> = vec![None; moves];
    let mut count = 0;
    for start in 0..moves {
        if !makes_row[start] || rows[start].is_some() {
            continue;
        }
        rows[start] = Some(count);
        let mut todo = vec![start];
        while let Some(i) = todo.pop() {
            for j in conflicts.with[i].iter().map(|j| *j as usize) {
                if makes_row[j] && rows[j].is_none() {
                    rows[j] = Some(count);
                    todo.push(j);
                }
            }
        }
        count += 1;
    }
    let place = in_order(&touched(conflicts, &rows), count);
    rows.iter().map(|row| row.map(|r| place[r])).collect()
}

// The rows that each move is in or touches.
fn touched(conflicts: &Conflicts, rows: &[Option<usize>]) -> Vec<Vec<usize>> {
    let of = |i: usize| match rows[i] {
        Some(row) => vec![row],
        None => {
            let near = conflicts.with[i].iter().filter_map(|j| rows[*j as usize]);
            let mut near: Vec<usize> = near.collect();
            near.sort_unstable();
            near.dedup();
            near
        }
    };
    (0..rows.len()).map(of).collect()
}

// For each row its place in an order in which rows touched by one move are near each other: breadth first, from a row that
// is itself the last of a walk breadth first.
fn in_order(touched: &[Vec<usize>], count: usize) -> Vec<usize> {
    let mut near: Vec<Vec<usize>> = vec![Vec::new(); count];
    for rows in touched {
        for row in rows {
            near[*row].extend(rows.iter().filter(|r| *r != row));
        }
    }
    let walk = |start: usize, seen: &mut Vec<bool>| {
        seen[start] = true;
        let mut walk = vec![start];
        let mut next = 0;
        while let Some(row) = walk.get(next).copied() {
            next += 1;
            for r in &near[row] {
                if !std::mem::replace(&mut seen[*r], true) {
                    walk.push(*r);
                }
            }
        }
        walk
    };
    let mut seen = vec![false; count];
    let mut order = Vec::new();
    for row in 0..count {
        if !seen[row] {
            let end = walk(row, &mut seen.clone()).pop().unwrap_or(row);
            order.extend(walk(end, &mut seen));
        }
    }
    let mut place = vec![0; count];
    order
        .iter()
        .enumerate()
        .for_each(|(k, row)| place[*row] = k);
    place
}

// The first and the last row that each move belongs to. Two moves in conflict never belong to intervals apart.
fn spans(conflicts: &Conflicts, rows: &[Option<usize>], count: usize) -> Vec<[usize; 2]> {
    let touched = touched(conflicts, rows);
    let ends = |rows: &Vec<usize>| {
        let ends = rows.iter().min().zip(rows.iter().max());
        ends.map_or([0, count - 1], |(first, last)| [*first, *last])
    };
    let mut spans: Vec<[usize; 2]> = touched.iter().map(ends).collect();
    loop {
        let mut changed = false;
        for i in 0..spans.len() {
            for j in conflicts.with[i].iter().map(|j| *j as usize) {
                let ([a, b], [c, d]) = (spans[i], spans[j]);
                if b < c || d < a {
                    spans[i] = [a.min(c), b.max(d)];
                    changed = true;
                }
            }
        }
        if !changed {
            return spans;
        }
    }
}
