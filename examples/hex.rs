//! Hex, written by hand as `game::Rules`: who wins on boards of up to eight by eight. Left connects the first row to the
//! last, Right the first column to the last; cell (row, column) is the bit `row * n + column`.
//!
//! A rotation by 180 degrees is a symmetry for both players; the reflection in the long diagonal exchanges them.

use cgdsl::engine::arena::{Arena, Fate};
use cgdsl::game::{Budget, Cancel, End, Limits, Player, Rules, Step, options_by_steps};
use std::convert::Infallible;
use std::time::Instant;

/// The stones of Left and of Right.
pub type Stones = [u64; 2];

/// An n by n board.
#[derive(Clone, Debug)]
pub struct Hex {
    n: u32,
    all: u64,
    /// The first and the last column, and the first and the last row.
    columns: [u64; 2],
    rows: [u64; 2],
}

impl Hex {
    /// The board; n is from 1 to 8.
    pub fn new(n: u32) -> Hex {
        let column = (0..n).fold(0, |all, i| all | 1u64 << (i * n));
        let row = (1u64 << n) - 1;
        Hex {
            n,
            all: if n == 8 { u64::MAX } else { (1 << (n * n)) - 1 },
            columns: [column, column << (n - 1)],
            rows: [row, row << (n * (n - 1))],
        }
    }

    /// The cells adjacent to a set: up, down, along the row, and diagonally in one direction.
    fn beside(&self, set: u64) -> u64 {
        let west = (set & !self.columns[0]) >> 1;
        let east = (set & !self.columns[1]) << 1;
        let (north, south) = (set >> self.n, set << self.n);
        // (i + 1, j) is adjacent to (i, j + 1).
        (west | east | north | south | west << self.n | east >> self.n) & self.all
    }

    /// Whether the group of `cell` connects a player's two sides.
    fn joins(&self, own: u64, cell: u64, player: Player) -> bool {
        let mut group = cell;
        loop {
            let more = group | self.beside(group) & own;
            if more == group {
                break;
            }
            group = more;
        }
        let sides = [&self.rows, &self.columns][player.index()];
        sides.iter().all(|side| group & side != 0)
    }

    fn turned(&self, set: u64) -> u64 {
        match self.all {
            0 => 0,
            all => set.reverse_bits() >> all.leading_zeros(),
        }
    }

    fn reflected(&self, set: u64) -> u64 {
        let (mut rest, mut out) = (set, 0);
        while rest != 0 {
            let cell = rest.trailing_zeros();
            rest &= rest - 1;
            out |= 1 << (cell % self.n * self.n + cell / self.n);
        }
        out
    }
}

impl Rules for Hex {
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

    fn ended(&self, position: &Stones) -> Result<Option<End>, Infallible> {
        let won = [Player::LEFT, Player::RIGHT].into_iter().find(|p| {
            let own = position[p.index()];
            let side = [self.rows[0], self.columns[0]][p.index()];
            (0..64).any(|c| own & side & 1 << c != 0 && self.joins(own, 1 << c, *p))
        });
        Ok(won.map(|p| End::Won(1 << p.0)))
    }

    fn steps(
        &self,
        position: &Stones,
        player: Player,
        steps: &mut Vec<Step<Stones>>,
    ) -> Result<(), Infallible> {
        let mut free = self.all & !(position[0] | position[1]);
        while free != 0 {
            let cell = free & free.wrapping_neg();
            free ^= cell;
            let mut to = *position;
            to[player.index()] |= cell;
            let won = self.joins(to[player.index()], cell, player);
            steps.push(Step {
                to,
                again: false,
                end: won.then_some(End::Won(1 << player.0)),
            });
        }
        Ok(())
    }

    /// The number of stones missing from a shortest chain between the player's sides.
    fn need(&self, position: &Stones, player: Player) -> Option<u32> {
        let own = position[player.index()];
        let free = self.all & !(position[0] | position[1]);
        let [first, last] = [&self.rows, &self.columns][player.index()];
        let (mut reached, mut stones) = (first & own, 0);
        loop {
            loop {
                let more = reached | self.beside(reached) & own;
                if more == reached {
                    break;
                }
                reached = more;
            }
            if reached & last != 0 {
                return Some(stones);
            }
            let more = reached | (self.beside(reached) | first) & free;
            if more == reached {
                return Some(u32::from(u8::MAX));
            }
            (reached, stones) = (more, stones + 1);
        }
    }

    fn can_end(
        &self,
        position: &Stones,
        player: Player,
        good: &dyn Fn(End) -> bool,
    ) -> Result<bool, Infallible> {
        let own = position[player.index()];
        let mut free = self.all & !(position[0] | position[1]);
        let mut won = false;
        while free != 0 && !won {
            let cell = free & free.wrapping_neg();
            free ^= cell;
            won = self.joins(own | cell, cell, player);
        }
        Ok(won && good(End::Won(1 << player.0)))
    }

    fn image(&self, position: &Stones, exchanged: bool) -> Option<Stones> {
        let [left, right] = *position;
        let same = match exchanged {
            true => [self.reflected(right), self.reflected(left)],
            false => *position,
        };
        Some(same.min(same.map(|s| self.turned(s))))
    }
}

/// Who wins if Left begins, and how many nodes were examined.
pub fn winner(n: u32) -> (Option<Fate>, u64) {
    let (rules, mut arena) = (Hex::new(n), Arena::new(2 << 30));
    let budget = Budget::new(&Limits::default(), Cancel::new());
    let fate = arena.fate(&rules, &[0, 0], Player::LEFT, &budget);
    (fate.ok(), arena.counts().0)
}

pub fn main() -> Result<(), Box<dyn std::error::Error>> {
    let last = std::env::args().nth(2).map_or(Ok(4), |n| n.parse())?;
    for n in 2..=u32::min(last, 8) {
        let begun = Instant::now();
        let (fate, nodes) = winner(n);
        println!(
            "{n} by {n}: {fate:?}, {nodes} nodes, {:.2?}",
            begun.elapsed()
        );
    }
    Ok(())
}
