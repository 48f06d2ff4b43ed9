//! Konane on bitboards, written by hand against `game::Game`.
//!
//! A stone jumps over adjacent stones of the opponent into empty cells, any number of times in one line; the stones jumped
//! over are removed (M. D. Ernst, *Playing Konane mathematically*, UMAP Journal 16, 1995). The possible contents of each cell
//! are bounded from above by allowing every jump that might happen; cells that no jump links belong to different components.

use std::convert::Infallible;

use cgdsl::engine::Engine;
use cgdsl::game::{Analysis, Game, Limits, Player, Rules, Sign};
use cgdsl::value::notation::{Style, print};

#[path = "common/plane.rs"]
mod plane;
use plane::{Board, Key, Plane, region};

/// A board of at most 64 cells.
pub struct Konane {
    plane: Plane,
}

impl Konane {
    /// The board of `rows` by `columns` cells.
    pub fn new(rows: u32, columns: u32) -> Konane {
        Konane {
            plane: Plane::new(rows, columns),
        }
    }

    /// Reads a picture of `x` (Left), `o` (Right) and `.`, with rows separated by `|`.
    pub fn position(&self, picture: &str) -> Board {
        self.plane.board(picture)
    }

    fn step(&self, cells: u64, direction: usize) -> u64 {
        self.plane.shifted(cells)[direction]
    }
}

impl Rules for Konane {
    type Position = Board;
    type Fault = Infallible;

    fn options(
        &self,
        board: &Board,
        player: Player,
        options: &mut Vec<Board>,
    ) -> Result<(), Infallible> {
        let (own, other) = if player == Player::LEFT {
            (board.left, board.right)
        } else {
            (board.right, board.left)
        };
        for direction in 0..4 {
            let back = (direction + 2) % 4;
            let over = self.step(board.empty, back) & other;
            let mut movers = self.step(over, back) & own;
            while movers != 0 {
                let from = movers & movers.wrapping_neg();
                movers &= movers - 1;
                let (mut at, mut taken) = (from, 0);
                loop {
                    let over = self.step(at, direction) & other;
                    let to = self.step(over, direction) & board.empty;
                    if to == 0 {
                        break;
                    }
                    taken |= over;
                    at = to;
                    let (own, other) = (own & !from | to, other & !taken);
                    let (left, right) = if player == Player::LEFT {
                        (own, other)
                    } else {
                        (other, own)
                    };
                    options.push(Board {
                        left,
                        right,
                        empty: (board.empty | from | taken) & !to,
                    });
                }
            }
        }
        Ok(())
    }
}

impl Game for Konane {
    type Key = Key<3>;

    fn key(&self, part: &Board) -> (Key<3>, Sign) {
        self.plane.board_key(part)
    }

    fn analysis(&self) -> &impl Analysis<Self> {
        self
    }
}

impl Analysis<Konane> for Konane {
    fn split(&self, board: &Board, parts: &mut Vec<Board>) {
        let (mut left, mut right, mut empty) = (board.left, board.right, board.empty);
        // Cells that a possible jump links to the cell to their east or south.
        let mut joined = [0u64; 2];
        loop {
            let before = (left, right, empty);
            for direction in 0..4 {
                let back = (direction + 2) % 4;
                for mine in [true, false] {
                    let (own, other) = if mine { (left, right) } else { (right, left) };
                    let over = self.step(empty, back) & other;
                    let from = self.step(over, back) & own;
                    if from == 0 {
                        continue;
                    }
                    let over = self.step(from, direction);
                    let to = self.step(over, direction);
                    empty |= from | over;
                    if mine {
                        left |= to;
                    } else {
                        right |= to;
                    }
                    joined[usize::from(direction % 2 == 0)] |= match direction {
                        0 | 3 => over | to,
                        _ => from | over,
                    };
                }
            }
            if before == (left, right, empty) {
                break;
            }
        }
        let [east, south] = joined;
        let ends = self.plane.shifted(east)[1] | self.plane.shifted(south)[2];
        let mut rest = east | south | ends;
        while rest != 0 {
            let part = region(rest, |part| {
                self.plane.shifted(part & east)[1]
                    | self.plane.shifted(part & south)[2]
                    | (self.plane.shifted(part)[3] & east)
                    | (self.plane.shifted(part)[0] & south)
            });
            rest &= !part;
            parts.push(board.within(part));
        }
    }

    fn ends(&self) -> bool {
        true
    }

    fn is_faultless(&self) -> bool {
        true
    }
}

/// Prints the values of some positions.
#[allow(dead_code)]
pub fn main() -> Result<(), Box<dyn std::error::Error>> {
    let engine = Engine::new(Limits::default());
    for (rows, columns, picture) in [
        (1, 3, "xo."),
        (1, 5, "xo.o."),
        (3, 4, "x.ox|o.xo|xoxo"),
        (3, 4, "xoxo|oxox|x.xo"),
    ] {
        let board = Konane::new(rows, columns);
        let value = engine.value(&board, &board.position(picture))?;
        println!("{picture}: {}", print(engine.forms(), value, Style::Ascii));
    }
    Ok(())
}
