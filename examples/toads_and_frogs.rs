//! Toads and Frogs on bitboards, written by hand against `game::Game`.
//!
//! Toads go east, frogs west, by one step or by a jump over one of the others (*Winning Ways*, chapter 1). The possible
//! contents of each cell are bounded from above by allowing every move that might happen; cells that no move links belong to
//! different components.

use std::convert::Infallible;

use cgdsl::engine::Engine;
use cgdsl::game::{Analysis, Game, Limits, Player, Rules, Sign};
use cgdsl::value::notation::{Style, print};

#[path = "common/plane.rs"]
mod plane;
use plane::sets;

/// Strips of at most 64 cells.
pub struct ToadsAndFrogs;

/// A strip; its first cell is the lowest bit. Cells in no set are out of play.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Strip {
    /// Left's toads.
    pub toads: u64,
    /// Right's frogs.
    pub frogs: u64,
    /// Empty cells.
    pub empty: u64,
}

impl Strip {
    /// Reads a strip of `t`, `.` and `f`.
    pub fn new(picture: &str) -> Strip {
        let [toads, frogs, empty] = sets(picture, ['t', 'f', '.']);
        Strip {
            toads,
            frogs,
            empty,
        }
    }

    fn map(self, f: impl Fn(u64) -> u64) -> Strip {
        Strip {
            toads: f(self.toads),
            frogs: f(self.frogs),
            empty: f(self.empty),
        }
    }

    /// The negative: the strip seen from the other end, with the players exchanged.
    fn negative(self) -> Strip {
        Strip {
            toads: self.frogs.reverse_bits(),
            frogs: self.toads.reverse_bits(),
            empty: self.empty.reverse_bits(),
        }
    }

    fn settled(self) -> Strip {
        let first = (self.toads | self.frogs | self.empty).trailing_zeros();
        self.map(|set| set >> (first & 63))
    }
}

impl Rules for ToadsAndFrogs {
    type Position = Strip;
    type Fault = Infallible;

    fn options(
        &self,
        strip: &Strip,
        player: Player,
        options: &mut Vec<Strip>,
    ) -> Result<(), Infallible> {
        let Strip {
            toads,
            frogs,
            empty,
        } = *strip;
        if player == Player::LEFT {
            let steps = toads & empty >> 1;
            let jumps = toads & frogs >> 1 & empty >> 2;
            for (mut movers, by) in [(steps, 1), (jumps, 2)] {
                while movers != 0 {
                    let from = movers & movers.wrapping_neg();
                    movers &= movers - 1;
                    options.push(Strip {
                        toads: toads ^ (from | from << by),
                        empty: empty ^ (from | from << by),
                        frogs,
                    });
                }
            }
        } else {
            let steps = frogs & empty << 1;
            let jumps = frogs & toads << 1 & empty << 2;
            for (mut movers, by) in [(steps, 1), (jumps, 2)] {
                while movers != 0 {
                    let from = movers & movers.wrapping_neg();
                    movers &= movers - 1;
                    options.push(Strip {
                        frogs: frogs ^ (from | from >> by),
                        empty: empty ^ (from | from >> by),
                        toads,
                    });
                }
            }
        }
        Ok(())
    }
}

impl Game for ToadsAndFrogs {
    type Key = Strip;

    fn key(&self, part: &Strip) -> (Strip, Sign) {
        let (plus, minus) = (part.settled(), part.negative().settled());
        if minus < plus {
            (minus, Sign::Minus)
        } else {
            (plus, Sign::Plus)
        }
    }

    fn analysis(&self) -> &impl Analysis<Self> {
        self
    }
}

impl Analysis<ToadsAndFrogs> for ToadsAndFrogs {
    fn split(&self, strip: &Strip, parts: &mut Vec<Strip>) {
        let (mut t, mut f, mut e) = (strip.toads, strip.frogs, strip.empty);
        let (steps, jumps) = loop {
            let before = (t, f, e);
            // Where a toad may start a step or a jump, and where a frog may land.
            let (a, b) = (t & e >> 1, t & f >> 1 & e >> 2);
            let (c, d) = (e & f >> 1, e & t >> 1 & f >> 2);
            t |= a << 1 | b << 2;
            f |= c | d;
            e |= a | b | c << 1 | d << 2;
            if before == (t, f, e) {
                break (a | c, b | d);
            }
        };
        let written = steps | steps << 1 | jumps | jumps << 2;
        // A piece that is jumped over and never moves links nothing.
        let by_one = steps | jumps & written >> 1 | (jumps << 1) & written;
        let mut rest = written;
        while rest != 0 {
            let mut part = rest & rest.wrapping_neg();
            loop {
                let more = part
                    | (part & by_one) << 1
                    | (part >> 1 & by_one)
                    | (part & jumps) << 2
                    | (part >> 2 & jumps);
                if more == part {
                    break;
                }
                part = more;
            }
            rest &= !part;
            let seen = part | (part & jumps) << 1;
            parts.push(strip.map(|set| set & seen));
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
    let engine = Engine::new(Limits::default());
    for picture in ["t.f", "t..f", "tt..ff", "tt.f.f", "ttt.fff"] {
        let value = engine.value(&ToadsAndFrogs, &Strip::new(picture))?;
        println!("{picture}: {}", print(engine.forms(), value, Style::Ascii));
    }
    Ok(())
}
