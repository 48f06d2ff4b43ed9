//! Tic-tac-toe, written by hand as `game::Rules`: the first player with `length` stones in a row wins, on boards of up to 32
//! cells; a full board is a draw. Cell (row, column) is the bit `row * columns + column`.
//!
//! The rotations and reflections of the board are symmetries.

use cgdsl::engine::arena::{Arena, Fate};
use cgdsl::game::{Budget, Cancel, End, Limits, Player, Rules, Step, options_by_steps};
use std::convert::Infallible;
use std::time::Instant;

/// The stones of Left and of Right.
pub type Stones = [u32; 2];

/// A board with its rows.
#[derive(Clone, Debug)]
pub struct TicTacToe {
    all: u32,
    /// The rows through each cell.
    through: Vec<Vec<u32>>,
    /// For each rotation or reflection except the identity, the image of each cell.
    turns: Vec<Vec<u32>>,
}

impl TicTacToe {
    /// A board on which `length` stones in a row win.
    pub fn new(rows: u32, columns: u32, length: u32) -> TicTacToe {
        assert!(rows * columns <= 32 && length > 0);
        let cell = |r: u32, c: u32| r * columns + c;
        let mut through = vec![Vec::new(); (rows * columns) as usize];
        for (r, c) in (0..rows).flat_map(|r| (0..columns).map(move |c| (r, c))) {
            for (down, right) in [(0, 1), (1, 0), (1, 1), (1, -1)] {
                let place = |i: u32| {
                    let r = r + i * down;
                    let c = c.checked_add_signed(i as i32 * right)?;
                    (r < rows && c < columns).then(|| cell(r, c))
                };
                let Some(places) = (0..length).map(place).collect::<Option<Vec<u32>>>() else {
                    continue;
                };
                let row = places.iter().fold(0, |set, at| set | 1 << at);
                places.iter().for_each(|at| through[*at as usize].push(row));
            }
        }
        let mut turns = Vec::new();
        for image in 1..if rows == columns { 8 } else { 4 } {
            let turn = |at: u32| {
                let (mut r, mut c) = (at / columns, at % columns);
                if image & 1 != 0 {
                    r = rows - 1 - r;
                }
                if image & 2 != 0 {
                    c = columns - 1 - c;
                }
                if image & 4 != 0 {
                    cell(c, r)
                } else {
                    cell(r, c)
                }
            };
            turns.push((0..rows * columns).map(turn).collect());
        }
        TicTacToe {
            all: u32::MAX >> (32 - rows * columns),
            through,
            turns,
        }
    }
}

impl Rules for TicTacToe {
    type Position = Stones;
    type Fault = Infallible;

    fn options(
        &self,
        position: &Stones,
        player: Player,
        options: &mut Vec<Stones>,
    ) -> Result<(), Infallible> {
        options_by_steps(self, position, player, options)
    }

    fn steps(
        &self,
        position: &Stones,
        player: Player,
        steps: &mut Vec<Step<Stones>>,
    ) -> Result<(), Infallible> {
        let free = self.all & !(position[0] | position[1]);
        let mut rest = free;
        while rest != 0 {
            let at = rest.trailing_zeros();
            rest &= rest - 1;
            let mut to = *position;
            to[player.index()] |= 1 << at;
            let own = to[player.index()];
            let won = self.through[at as usize]
                .iter()
                .any(|row| own & row == *row);
            let end = match won {
                true => Some(End::Won(1 << player.0)),
                false => (free.count_ones() == 1).then_some(End::Drawn),
            };
            steps.push(Step {
                to,
                again: false,
                end,
            });
        }
        Ok(())
    }

    /// The least number of stones that any row lacks.
    fn need(&self, position: &Stones, player: Player) -> Option<u32> {
        let own = position[player.index()];
        let other = position[player.opponent().index()];
        let rows = self
            .through
            .iter()
            .flatten()
            .filter(|row| **row & other == 0);
        let need = rows.map(|row| (row & !own).count_ones()).min();
        Some(need.unwrap_or(u32::from(u8::MAX)))
    }

    fn image(&self, position: &Stones, exchanged: bool) -> Option<Stones> {
        let images = self.turns.iter().map(|turn| {
            position.map(|mut stones| {
                let mut image = 0;
                while stones != 0 {
                    image |= 1 << turn[stones.trailing_zeros() as usize];
                    stones &= stones - 1;
                }
                image
            })
        });
        let least = images.min().map_or(*position, |image| image.min(*position));
        match exchanged {
            true => self.image(&[position[1], position[0]], false),
            false => Some(least),
        }
    }
}

/// The result of best play if Left begins, and how many nodes follow up to symmetry.
pub fn solved(board: &TicTacToe) -> (Option<Fate>, usize) {
    let mut arena = Arena::new(2 << 30);
    let budget = Budget::new(&Limits::default(), Cancel::new());
    let played = arena.played(board, &[0, 0], Player::LEFT, &budget);
    (played.ok().map(|p| p.fate), arena.nodes_listed())
}

pub fn main() -> Result<(), Box<dyn std::error::Error>> {
    for (rows, columns, length) in [(3, 3, 3), (3, 4, 3), (3, 5, 4)] {
        let begun = Instant::now();
        let (fate, nodes) = solved(&TicTacToe::new(rows, columns, length));
        println!(
            "{length} in a row on {rows} by {columns}: {fate:?}, {nodes} nodes, {:.2?}",
            begun.elapsed()
        );
    }
    Ok(())
}
