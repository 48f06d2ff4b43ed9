//! Fission on a rectangle, written by hand against `game::Game`.
//!
//! A stone between two empty cells in a line splits into these two: Left's moves go north and south, Right's west and east
//! (as in the program cgt-tools). Regions separated by closed cells are components; a quarter turn negates.

use std::convert::Infallible;

use cgdsl::engine::Engine;
use cgdsl::game::{Analysis, Game, Limits, Player, Rules, Sign};
use cgdsl::value::notation::{Style, print};

#[path = "common/plane.rs"]
mod plane;
use plane::{Plane, region, sets};

/// A rectangle of cells.
pub struct Fission {
    plane: Plane,
}

/// Stones and empty cells; all other cells are closed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Stones {
    /// The stones.
    pub stones: u64,
    /// The empty cells.
    pub empty: u64,
}

impl Fission {
    /// Fission on a rectangle of `rows` by `columns` cells.
    pub fn new(rows: u32, columns: u32) -> Fission {
        let plane = Plane::new(rows, columns);
        Fission { plane }
    }

    /// Reads a picture of `x` and `.`, with rows separated by `|`.
    pub fn position(&self, picture: &str) -> Stones {
        let [stones, empty] = sets(picture, ['x', '.']);
        Stones { stones, empty }
    }

    // The stones that each player can split.
    fn able(&self, part: &Stones) -> [u64; 2] {
        // A stone has an empty cell to its south if it is in the image of the empty cells shifted north, and so on.
        let [north, east, south, west] = self.plane.shifted(part.empty);
        [part.stones & north & south, part.stones & east & west]
    }
}

impl Rules for Fission {
    type Position = Stones;
    type Fault = Infallible;

    fn options(
        &self,
        part: &Stones,
        player: Player,
        options: &mut Vec<Stones>,
    ) -> Result<(), Infallible> {
        let [left, right] = self.able(part);
        let (mut able, step) = if player == Player::LEFT {
            (left, self.plane.columns)
        } else {
            (right, 1)
        };
        while able != 0 {
            let stone = able & able.wrapping_neg();
            able &= able - 1;
            let halves = stone << step | stone >> step;
            options.push(Stones {
                stones: part.stones & !stone | halves,
                empty: part.empty & !halves | stone,
            });
        }
        Ok(())
    }
}

impl Game for Fission {
    /// Height, width, stones and empty cells of the least image.
    type Key = (u8, u8, [u64; 2]);

    fn key(&self, part: &Stones) -> (Self::Key, Sign) {
        let within = part.stones | part.empty;
        self.plane.least_turned(within, [part.stones, part.empty])
    }

    fn analysis(&self) -> &impl Analysis<Self> {
        self
    }
}

impl Analysis<Fission> for Fission {
    fn split(&self, position: &Stones, parts: &mut Vec<Stones>) {
        let mut rest = position.stones | position.empty;
        while rest != 0 {
            let cells = region(rest, |part| self.plane.beside(part) & rest);
            rest &= !cells;
            let part = Stones {
                stones: position.stones & cells,
                empty: position.empty & cells,
            };
            // If nobody can split a stone now, nobody ever can.
            if self.able(&part) != [0, 0] {
                parts.push(part);
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

/// Prints the values of single stones in the middle.
#[allow(dead_code)]
pub fn main() -> Result<(), Box<dyn std::error::Error>> {
    let engine = Engine::new(Limits::default());
    for (rows, columns, picture) in [
        (3, 3, "...|.x.|..."),
        (4, 4, "....|.x..|....|...."),
        (3, 4, "....|.x..|...."),
    ] {
        let board = Fission::new(rows, columns);
        let value = engine.value(&board, &board.position(picture))?;
        let text = print(engine.forms(), value, Style::Ascii);
        println!("{picture}: {text}");
    }
    Ok(())
}
