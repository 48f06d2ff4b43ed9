//! Clobber on bitboards, written by hand against `game::Game`.
//!
//! A player moves one of his stones onto a neighbouring stone of the opponent, which leaves the board (Albert, Grossman,
//! Nowakowski, Wolfe, *An introduction to Clobber*, Integers 5(2), 2005). An empty cell stays empty, so the board falls
//! into groups of connected stones; a group of one colour is zero. Every position is all-small.

use std::convert::Infallible;

use cgdsl::engine::Engine;
use cgdsl::game::{Game, Limits, Player, Sign};
use cgdsl::value::notation::{Style, print};

/// A board of at most 64 cells.
pub struct Clobber {
    rows: u32,
    columns: u32,
    first: u64,
    last: u64,
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
        assert!(rows > 0 && columns > 0 && rows * columns <= 64);
        let first = (0..rows).fold(0, |set, row| set | 1 << (row * columns));
        Clobber {
            rows,
            columns,
            first,
            last: first << (columns - 1),
        }
    }

    /// The position that the game starts from: Left's and Right's stones alternate, Left's in the corner.
    pub fn alternating(&self) -> Stones {
        let mut stones = Stones { left: 0, right: 0 };
        for cell in 0..self.rows * self.columns {
            if (cell / self.columns + cell % self.columns).is_multiple_of(2) {
                stones.left |= 1 << cell;
            } else {
                stones.right |= 1 << cell;
            }
        }
        stones
    }

    fn neighbours(&self, cells: u64) -> u64 {
        let vertical = if self.columns < 64 {
            cells << self.columns | cells >> self.columns
        } else {
            0
        };
        vertical | (cells & !self.last) << 1 | (cells & !self.first) >> 1
    }
}

impl Game for Clobber {
    type Position = Stones;
    /// Height, width and stones of the least image.
    type Key = (u8, u8, Stones);
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
        let mut movers = own & self.neighbours(other);
        while movers != 0 {
            let from = movers & movers.wrapping_neg();
            movers &= movers - 1;
            let mut targets = self.neighbours(from) & other;
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

    fn split(&self, stones: &Stones, parts: &mut Vec<Stones>) {
        let mut rest = stones.left | stones.right;
        while rest != 0 {
            let mut group = rest & rest.wrapping_neg();
            loop {
                let more = group | (self.neighbours(group) & rest);
                if more == group {
                    break;
                }
                group = more;
            }
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

    fn key(&self, part: &Stones) -> (Self::Key, Sign) {
        if part.left | part.right == 0 {
            return ((0, 0, *part), Sign::Plus);
        }
        let (mut top, mut west, mut bottom, mut east) = (u32::MAX, u32::MAX, 0, 0);
        let mut rest = part.left | part.right;
        while rest != 0 {
            let bit = rest.trailing_zeros();
            rest &= rest - 1;
            let (row, column) = (bit / self.columns, bit % self.columns);
            (top, bottom) = (top.min(row), bottom.max(row));
            (west, east) = (west.min(column), east.max(column));
        }
        let (h, w) = (bottom - top + 1, east - west + 1);
        let images = |cells: u64| {
            let mut images = [0u64; 8];
            let mut rest = cells;
            while rest != 0 {
                let bit = rest.trailing_zeros();
                rest &= rest - 1;
                let (r, c) = (bit / self.columns - top, bit % self.columns - west);
                let (s, d) = (h - 1 - r, w - 1 - c);
                for (i, (r, c)) in [(r, c), (r, d), (s, c), (s, d)].into_iter().enumerate() {
                    images[i] |= 1 << (r * w + c);
                    images[i + 4] |= 1 << (c * h + r);
                }
            }
            images
        };
        let (left, right) = (images(part.left), images(part.right));
        let mut least = ((u8::MAX, u8::MAX, *part), Sign::Plus);
        for i in 0..8 {
            let (h, w) = if i < 4 {
                (h as u8, w as u8)
            } else {
                (w as u8, h as u8)
            };
            // Exchanging the colours exchanges the players.
            for (left, right, sign) in [
                (left[i], right[i], Sign::Plus),
                (right[i], left[i], Sign::Minus),
            ] {
                let key = (h, w, Stones { left, right });
                if key < least.0 {
                    least = (key, sign);
                }
            }
        }
        least
    }

    fn mobility(&self, stones: &Stones) -> Option<[u32; 2]> {
        // Both move where a stone of each lies side by side.
        let south = |cells: u64| {
            if self.columns < 64 {
                cells << self.columns
            } else {
                0
            }
        };
        let east = |cells: u64| (cells & !self.last) << 1;
        let sides = |a: u64, b: u64| (south(a) & b).count_ones() + (east(a) & b).count_ones();
        let (left, right) = (stones.left, stones.right);
        Some([sides(left, right) + sides(right, left); 2])
    }

    fn ends(&self) -> bool {
        true
    }
}

/// Prints who wins some boards, or the board whose rows and columns are given.
#[allow(dead_code)]
fn main() -> Result<(), Box<dyn std::error::Error>> {
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
