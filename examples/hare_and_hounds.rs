//! Hare and Hounds, written by hand as `game::Rules`: three hounds (Left), which never go back, against a hare (Right), which
//! wins if it is never caught. The eleven points are in three rows of five without corners; points whose row and column have
//! an odd sum also have diagonal lines.
//!
//! The reflection that exchanges the first and the last row is a symmetry.

use cgdsl::engine::arena::{Arena, Fate};
use cgdsl::game::{Budget, Cancel, Limits, Player, Rules};
use std::convert::Infallible;
use std::time::Instant;

/// The hounds, as bits of points, and the point of the hare.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Field {
    /// The hounds.
    pub hounds: u16,
    /// The hare.
    pub hare: u8,
}

/// The board: cell (row, column) is the bit `row * 5 + column`.
#[derive(Clone, Debug)]
pub struct HareAndHounds {
    /// For each point, its neighbours, and those that do not lie behind.
    beside: [u16; 15],
    ahead: [u16; 15],
}

/// The points: the rectangle without its corners.
const POINTS: u16 = 0b01110 | 0b11111 << 5 | 0b01110 << 10;

impl HareAndHounds {
    pub fn new() -> HareAndHounds {
        let (mut beside, mut ahead) = ([0; 15], [0; 15]);
        for at in (0u8..15).filter(|at| POINTS >> at & 1 == 1) {
            let (r, c) = (at / 5, at % 5);
            for to in (0u8..15).filter(|to| POINTS >> to & 1 == 1 && *to != at) {
                let (s, d) = (to / 5, to % 5);
                let near = r.abs_diff(s) <= 1 && c.abs_diff(d) <= 1;
                if near && (r == s || c == d || (r + c) % 2 == 1) {
                    beside[usize::from(at)] |= 1 << to;
                    if d >= c {
                        ahead[usize::from(at)] |= 1 << to;
                    }
                }
            }
        }
        HareAndHounds { beside, ahead }
    }

    /// The hounds are on the three points to the west, the hare at the other end.
    pub fn start(&self) -> Field {
        Field {
            hounds: 1 << 1 | 1 << 5 | 1 << 11,
            hare: 9,
        }
    }
}

impl Default for HareAndHounds {
    fn default() -> HareAndHounds {
        HareAndHounds::new()
    }
}

impl Rules for HareAndHounds {
    type Position = Field;
    type Fault = Infallible;

    fn endless(&self) -> Option<Player> {
        Some(Player::RIGHT)
    }

    fn options(
        &self,
        field: &Field,
        player: Player,
        options: &mut Vec<Field>,
    ) -> Result<(), Infallible> {
        let free = !(field.hounds | 1 << field.hare);
        if player == Player::RIGHT {
            let mut rest = self.beside[usize::from(field.hare)] & free;
            while rest != 0 {
                let hare = rest.trailing_zeros() as u8;
                rest &= rest - 1;
                options.push(Field { hare, ..*field });
            }
            return Ok(());
        }
        let mut hounds = field.hounds;
        while hounds != 0 {
            let from = hounds.trailing_zeros();
            hounds &= hounds - 1;
            let mut rest = self.ahead[from as usize] & free;
            while rest != 0 {
                let to = rest & rest.wrapping_neg();
                rest ^= to;
                options.push(Field {
                    hounds: field.hounds & !(1 << from) | to,
                    ..*field
                });
            }
        }
        Ok(())
    }

    fn image(&self, field: &Field, exchanged: bool) -> Option<Field> {
        let hounds = field.hounds;
        let turned = Field {
            hounds: hounds & 0b11111 << 5 | hounds >> 10 | (hounds & 0b11111) << 10,
            hare: 10 - field.hare / 5 * 5 + field.hare % 5,
        };
        (!exchanged).then(|| turned.min(*field))
    }
}

/// Who wins if `first` begins, and how many nodes follow up to symmetry.
pub fn solved(first: Player) -> (Option<Fate>, usize) {
    let (board, mut arena) = (HareAndHounds::new(), Arena::new(1 << 30));
    let budget = Budget::new(&Limits::default(), Cancel::new());
    let played = arena.played(&board, &board.start(), first, &budget);
    (played.ok().map(|p| p.fate), arena.nodes_listed())
}

pub fn main() -> Result<(), Box<dyn std::error::Error>> {
    for (name, first) in [("hounds", Player::LEFT), ("hare", Player::RIGHT)] {
        let begun = Instant::now();
        let (fate, nodes) = solved(first);
        println!(
            "the {name} begin: {fate:?}, {nodes} nodes, {:.2?}",
            begun.elapsed()
        );
    }
    Ok(())
}
