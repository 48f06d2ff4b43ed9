//! Clobber on bitboards, written by hand against `game::Game`.
//!
//! A player moves a stone onto an adjacent stone of the opponent, which is removed (Albert, Grossman, Nowakowski, Wolfe, *An
//! introduction to Clobber*, Integers 5(2), 2005). An empty cell stays empty, so the board falls apart into groups of
//! connected stones; a group of one colour is zero. Every position is all-small.

use std::convert::Infallible;

use cgdsl::engine::Engine;
use cgdsl::game::{Analysis, Game, Limits, Player, Rules, Sign};
use cgdsl::value::notation::{Style, print};

#[path = "common/plane.rs"]
mod plane;
use plane::{Key, Plane, region};

/// A board of at most 64 cells.
pub struct Clobber {
    plane: Plane,
}

/// The stones of Left and of Right: bit `row * columns + column`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Stones {
    /// Left's stones.
    pub left: u64,
    /// Right's stones.
    pub right: u64,
}

impl Clobber {
    /// The board of `rows` by `columns` cells, 64 at most.
    pub fn new(rows: u32, columns: u32) -> Clobber {
        Clobber {
            plane: Plane::new(rows, columns),
        }
    }

    /// The starting position: Left's and Right's stones alternate, with Left's in the corner.
    pub fn alternating(&self) -> Stones {
        let mut stones = Stones { left: 0, right: 0 };
        let Plane { rows, columns, .. } = self.plane;
        for cell in 0..rows * columns {
            if (cell / columns + cell % columns).is_multiple_of(2) {
                stones.left |= 1 << cell;
            } else {
                stones.right |= 1 << cell;
            }
        }
        stones
    }
}

impl Rules for Clobber {
    type Position = Stones;
    type Fault = Infallible;

    fn options(
        &self,
        stones: &Stones,
        player: Player,
        options: &mut Vec<Stones>,
    ) -> Result<(), Infallible> {
        let (own, other) = if player == Player::LEFT {
            (stones.left, stones.right)
        } else {
            (stones.right, stones.left)
        };
        let mut movers = own & self.plane.beside(other);
        while movers != 0 {
            let from = movers & movers.wrapping_neg();
            movers &= movers - 1;
            let mut targets = self.plane.beside(from) & other;
            while targets != 0 {
                let to = targets & targets.wrapping_neg();
                targets &= targets - 1;
                let (own, other) = (own & !from | to, other & !to);
                options.push(if player == Player::LEFT {
                    Stones {
                        left: own,
                        right: other,
                    }
                } else {
                    Stones {
                        left: other,
                        right: own,
                    }
                });
            }
        }
        Ok(())
    }
}

impl Game for Clobber {
    type Key = Key<2>;

    fn key(&self, part: &Stones) -> (Self::Key, Sign) {
        self.plane
            .least(part.left | part.right, [part.left, part.right])
    }

    fn analysis(&self) -> &impl Analysis<Self> {
        self
    }
}

impl Analysis<Clobber> for Clobber {
    fn split(&self, stones: &Stones, parts: &mut Vec<Stones>) {
        let mut rest = stones.left | stones.right;
        while rest != 0 {
            let group = region(rest, |group| self.plane.beside(group) & rest);
            rest &= !group;
            let part = Stones {
                left: stones.left & group,
                right: stones.right & group,
            };
            if part.left != 0 && part.right != 0 {
                parts.push(part);
            }
        }
    }

    fn mobility(&self, stones: &Stones) -> Option<[u32; 2]> {
        // Each player has a move for every adjacent pair of opposing stones.
        let sides = |a: u64, b: u64| {
            let [_, east, south, _] = self.plane.shifted(a);
            (south & b).count_ones() + (east & b).count_ones()
        };
        let (left, right) = (stones.left, stones.right);
        Some([sides(left, right) + sides(right, left); 2])
    }

    fn ends(&self) -> bool {
        true
    }

    fn is_faultless(&self) -> bool {
        true
    }
}

/// Prints who wins on some boards, or on the board whose rows and columns are given.
#[allow(dead_code)]
pub fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut sizes = vec![(1, 4), (2, 3), (3, 3), (3, 4), (3, 5)];
    let arguments: Vec<u32> = std::env::args().skip(1).flat_map(|a| a.parse()).collect();
    if let [rows, columns] = arguments[..] {
        sizes = vec![(rows, columns)];
    }
    let engine = Engine::new(Limits::default());
    for (rows, columns) in sizes {
        let board = Clobber::new(rows, columns);
        let value = engine.value(&board, &board.alternating())?;
        let forms = engine.forms();
        println!("{rows} x {columns}: {}", print(forms, value, Style::Ascii));
    }
    Ok(())
}
