//! Snort and Col on a rectangle, written by hand against `game::Game`.
//!
//! Players colour cells with their own colours. In Snort adjacent cells may not have different colours; in Col they may not
//! have the same (*Winning Ways*, chapters 2 and 5). A position is given by the cells that each player may still colour.
//! Cells none of whose moves affect each other belong to different components.

use std::convert::Infallible;

use cgdsl::engine::Engine;
use cgdsl::game::{Analysis, Game, Limits, Player, Rules, Sign};
use cgdsl::value::notation::{Style, print};

#[path = "common/plane.rs"]
mod plane;
use plane::{Key, Plane, region};

/// A rectangle to be coloured.
pub struct Colouring {
    plane: Plane,
    /// Whether coloured neighbours must have the same colour (Snort); otherwise different ones (Col).
    snort: bool,
}

/// The cells that each player may still colour.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Open {
    /// The cells open to Left.
    pub left: u64,
    /// The cells open to Right.
    pub right: u64,
}

impl Colouring {
    /// Snort on a rectangle.
    pub fn snort(rows: u32, columns: u32) -> Colouring {
        let plane = Plane::new(rows, columns);
        Colouring { plane, snort: true }
    }

    /// Col on a rectangle.
    pub fn col(rows: u32, columns: u32) -> Colouring {
        let plane = Plane::new(rows, columns);
        Colouring {
            plane,
            snort: false,
        }
    }

    /// The position with no cell coloured.
    pub fn start(&self) -> Open {
        Open {
            left: self.plane.all,
            right: self.plane.all,
        }
    }
}

impl Rules for Colouring {
    type Position = Open;
    type Fault = Infallible;

    fn options(
        &self,
        open: &Open,
        player: Player,
        options: &mut Vec<Open>,
    ) -> Result<(), Infallible> {
        let left = player == Player::LEFT;
        let mut rest = if left { open.left } else { open.right };
        while rest != 0 {
            let cell = rest & rest.wrapping_neg();
            rest &= rest - 1;
            let closed = self.plane.beside(cell);
            // One player may no longer colour the neighbours.
            let (mut l, mut r) = (open.left & !cell, open.right & !cell);
            if left == self.snort {
                r &= !closed;
            } else {
                l &= !closed;
            }
            options.push(Open { left: l, right: r });
        }
        Ok(())
    }
}

impl Game for Colouring {
    type Key = Key<2>;

    fn key(&self, part: &Open) -> (Key<2>, Sign) {
        self.plane
            .least(part.left | part.right, [part.left, part.right])
    }

    fn analysis(&self) -> &impl Analysis<Self> {
        self
    }
}

impl Analysis<Colouring> for Colouring {
    fn split(&self, open: &Open, parts: &mut Vec<Open>) {
        let (left, right) = (open.left, open.right);
        let mut rest = left | right;
        while rest != 0 {
            let part = region(rest, |part| {
                let (l, r) = (
                    self.plane.beside(part & left),
                    self.plane.beside(part & right),
                );
                if self.snort {
                    l & right | r & left
                } else {
                    l & left | r & right
                }
            });
            rest &= !part;
            parts.push(Open {
                left: left & part,
                right: right & part,
            });
        }
    }

    fn ends(&self) -> bool {
        true
    }

    fn is_faultless(&self) -> bool {
        true
    }
}

/// Prints the values of small boards.
#[allow(dead_code)]
pub fn main() -> Result<(), Box<dyn std::error::Error>> {
    for (name, make) in [
        ("Snort", Colouring::snort as fn(u32, u32) -> Colouring),
        ("Col", Colouring::col),
    ] {
        // The two games have the same keys, so each needs its own engine.
        let engine = Engine::new(Limits::default());
        for (rows, columns) in [(1, 4), (2, 3), (3, 3), (3, 4)] {
            let board = make(rows, columns);
            let value = engine.value(&board, &board.start())?;
            let text = print(engine.forms(), value, Style::Ascii);
            println!("{name} {rows} x {columns}: {text}");
        }
    }
    Ok(())
}
