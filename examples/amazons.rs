//! Amazons on bitboards, written by hand against `game::Game`.
//!
//! A queen moves as in chess, then shoots an arrow in the same way, which burns the cell it hits (W. Zamkauskas, 1988). Burnt
//! cells cut the board into regions, and a region without queens is out of play.

use std::convert::Infallible;

use cgdsl::engine::Engine;
use cgdsl::game::{Analysis, Game, Limits, Player, Rules, Sign};
use cgdsl::value::notation::{Style, print};

#[path = "common/plane.rs"]
mod plane;
use plane::{Board, Key, Plane, region};

/// A board of at most 64 cells.
pub struct Amazons {
    plane: Plane,
    /// For each cell and direction, the cells in that direction, nearest first.
    rays: Vec<[Vec<u8>; 8]>,
}

impl Amazons {
    /// The board of `rows` by `columns` cells.
    pub fn new(rows: u32, columns: u32) -> Amazons {
        let (h, w) = (rows as i32, columns as i32);
        let ray = |cell: i32, (dr, dc): (i32, i32)| {
            let (mut r, mut c) = (cell / w + dr, cell % w + dc);
            let mut cells = Vec::new();
            while (0..h).contains(&r) && (0..w).contains(&c) {
                cells.push((r * w + c) as u8);
                (r, c) = (r + dr, c + dc);
            }
            cells
        };
        let directions = [
            (-1, -1),
            (-1, 0),
            (-1, 1),
            (0, -1),
            (0, 1),
            (1, -1),
            (1, 0),
            (1, 1),
        ];
        Amazons {
            plane: Plane::new(rows, columns),
            rays: (0..h * w)
                .map(|cell| directions.map(|d| ray(cell, d)))
                .collect(),
        }
    }

    /// Reads a picture of `x` (Left), `o` (Right) and `.`, with rows separated by `|`.
    pub fn position(&self, picture: &str) -> Board {
        self.plane.board(picture)
    }

    fn each_slide(&self, from: u32, empty: u64, mut with: impl FnMut(u32)) {
        for ray in &self.rays[from as usize] {
            for cell in ray {
                if empty >> cell & 1 == 0 {
                    break;
                }
                with(u32::from(*cell));
            }
        }
    }
}

impl Rules for Amazons {
    type Position = Board;
    type Fault = Infallible;

    fn options(
        &self,
        board: &Board,
        player: Player,
        options: &mut Vec<Board>,
    ) -> Result<(), Infallible> {
        let left = player == Player::LEFT;
        let mut queens = if left { board.left } else { board.right };
        while queens != 0 {
            let from = queens.trailing_zeros();
            queens &= queens - 1;
            self.each_slide(from, board.empty, |to| {
                let moved = 1u64 << from | 1 << to;
                let empty = board.empty ^ moved;
                let mut next = Board { empty, ..*board };
                if left {
                    next.left ^= moved;
                } else {
                    next.right ^= moved;
                }
                self.each_slide(to, empty, |arrow| {
                    options.push(Board {
                        empty: empty & !(1 << arrow),
                        ..next
                    });
                });
            });
        }
        Ok(())
    }
}

impl Game for Amazons {
    type Key = Key<3>;

    fn key(&self, part: &Board) -> (Key<3>, Sign) {
        self.plane.board_key(part)
    }

    fn analysis(&self) -> &impl Analysis<Self> {
        self
    }
}

impl Analysis<Amazons> for Amazons {
    fn split(&self, board: &Board, parts: &mut Vec<Board>) {
        let queens = board.left | board.right;
        let open = queens | board.empty;
        let mut rest = queens;
        while rest != 0 {
            // Nothing passes through a queen while she stands, but she may move away.
            let part = region(rest, |part| self.plane.around(part) & open);
            rest &= !part;
            if part & board.empty != 0 {
                parts.push(board.within(part));
            }
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
    for (rows, columns, picture) in [(1, 4, "x..o"), (2, 3, "x..|..o"), (3, 3, "x..|...|..o")] {
        let board = Amazons::new(rows, columns);
        let value = engine.value(&board, &board.position(picture))?;
        println!("{picture}: {}", print(engine.forms(), value, Style::Ascii));
    }
    Ok(())
}
