//! Push and Shove on bitboards, written by hand against `game::Game`.
//!
//! In Push, a piece moves one cell west and pushes the pieces in front of it up to the first gap; in Shove, it takes all
//! pieces to its west along. Both push pieces off the end (M. H. Albert, R. J. Nowakowski and D. Wolfe, *Lessons in Play*,
//! appendix D).

use std::convert::Infallible;

use cgdsl::engine::Engine;
use cgdsl::game::{Analysis, Game, Limits, Player, Rules, Sign};
use cgdsl::value::notation::{Style, print};

#[path = "common/plane.rs"]
mod plane;
use plane::sets;

/// Strips of at most 64 cells.
pub struct Strips {
    /// Whether all pieces to the west move along (Shove); otherwise only those before the first gap (Push).
    pub shove: bool,
}

/// A strip; its first cell is the lowest bit.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Strip {
    /// Left's pieces.
    pub left: u64,
    /// Right's pieces.
    pub right: u64,
}

impl Strip {
    /// Reads a strip of `l`, `.` and `r`.
    pub fn new(picture: &str) -> Strip {
        let [left, right] = sets(picture, ['l', 'r']);
        Strip { left, right }
    }
}

impl Rules for Strips {
    type Position = Strip;
    type Fault = Infallible;

    fn options(
        &self,
        strip: &Strip,
        player: Player,
        options: &mut Vec<Strip>,
    ) -> Result<(), Infallible> {
        let mut pieces = if player == Player::LEFT {
            strip.left
        } else {
            strip.right
        };
        while pieces != 0 {
            let piece = pieces & pieces.wrapping_neg();
            pieces &= pieces - 1;
            let up_to = piece | (piece - 1);
            // The cells that move west: those up to the piece; in Push, only from the nearest gap on.
            let gaps = up_to & !(strip.left | strip.right);
            let moved = if self.shove || gaps == 0 {
                up_to
            } else {
                let gap = 63 - gaps.leading_zeros();
                up_to & (u64::MAX << gap)
            };
            let shift = |set: u64| set & !moved | (set & moved) >> 1;
            options.push(Strip {
                left: shift(strip.left),
                right: shift(strip.right),
            });
        }
        Ok(())
    }
}

impl Game for Strips {
    type Key = Strip;

    fn key(&self, part: &Strip) -> (Strip, Sign) {
        let negative = Strip {
            left: part.right,
            right: part.left,
        };
        if negative < *part {
            (negative, Sign::Minus)
        } else {
            (*part, Sign::Plus)
        }
    }

    fn analysis(&self) -> &impl Analysis<Self> {
        self
    }
}

impl Analysis<Strips> for Strips {
    fn split(&self, strip: &Strip, parts: &mut Vec<Strip>) {
        if strip.left | strip.right != 0 {
            parts.push(*strip);
        }
    }

    fn ends(&self) -> bool {
        true
    }

    fn is_faultless(&self) -> bool {
        true
    }
}

/// Prints the values of some strips.
#[allow(dead_code)]
pub fn main() -> Result<(), Box<dyn std::error::Error>> {
    for (name, shove) in [("Push", false), ("Shove", true)] {
        let engine = Engine::new(Limits::default());
        for picture in ["..l", "lr", "l.r", "l.rl.r"] {
            let value = engine.value(&Strips { shove }, &Strip::new(picture))?;
            let text = print(engine.forms(), value, Style::Ascii);
            println!("{name} {picture}: {text}");
        }
    }
    Ok(())
}
