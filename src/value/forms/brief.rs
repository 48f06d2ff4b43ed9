//! Whether `g <= h`, where a few steps over small machine integers tell: most comparisons end here.
//!
//! The same search as in `order.rs`, for forms whose numbers are all in their handles, so that stops are compared as
//! integers (in 32nds). It remembers nothing, since for so few steps that costs more than it saves, and gives up where
//! they do not suffice.

use std::cmp::Ordering;

use smallvec::SmallVec;

use super::sides::{Sides, closed_sides};
use super::{CanonicalForm, Forms, infinitesimal_sign};

/// So many comparisons are searched before the search gives up; it recurses no deeper.
const STEPS: u32 = 16;

// A form as a base plus a number, with its stops: numbers in 32nds.
#[derive(Clone, Copy)]
struct Lay {
    base: CanonicalForm,
    number: i32,
    left: i32,
    right: i32,
    sides: Sides,
}

enum Settled {
    Yes,
    No,
    Open,
}

impl Lay {
    #[inline]
    fn plus(self, number: i32) -> Lay {
        Lay {
            number: self.number + number,
            left: self.left + number,
            right: self.right + number,
            ..self
        }
    }

    // What stops and closed forms say of `self <= other`: see `order.rs`.
    #[inline]
    fn at_most(&self, other: &Lay) -> Settled {
        if self.left < other.right
            || (self.left == other.right && self.sides.below() && other.sides.above())
        {
            return Settled::Yes;
        }
        if self.right > other.right
            || self.left > other.left
            || (self.right == other.right && self.sides.above() && !other.sides.above())
            || (self.left == other.left && other.sides.below() && !self.sides.below())
        {
            return Settled::No;
        }
        if self.base == other.base {
            // The stops did not refute, so the other number is not less.
            return Settled::Yes;
        }
        if !self.base.is_base() && !other.base.is_base() {
            // Equal numbers, and ups and nimbers on both sides.
            let ups = i64::from(self.base.ups() - other.base.ups());
            return match infinitesimal_sign(ups, self.base.nimber() ^ other.base.nimber()) {
                Some(Ordering::Less | Ordering::Equal) => Settled::Yes,
                _ => Settled::No,
            };
        }
        Settled::Open
    }
}

impl Forms {
    #[inline]
    fn lay(&self, g: CanonicalForm) -> Option<Lay> {
        if g.is_inline() {
            let number = g.thirtyseconds();
            let base = g.infinitesimal_part();
            let sides = if base == CanonicalForm::ZERO {
                Sides::BOTH
            } else {
                closed_sides(i64::from(g.ups()), g.nimber())
            };
            return Some(Lay {
                base,
                number,
                left: number,
                right: number,
                sides,
            });
        }
        let (base, number) = if g.is_base() {
            (g, 0)
        } else {
            let (base, number) = g.inline_shift()?;
            (base, number.thirtyseconds())
        };
        let node = self.node(base);
        node.left_stop.is_inline().then(|| Lay {
            base,
            number,
            left: node.left_stop.thirtyseconds() + number,
            right: number,
            sides: node.sides(),
        })
    }

    /// Whether `g <= h`, if that is quickly found.
    #[inline]
    pub(super) fn briefly_less_or_equal(&self, g: CanonicalForm, h: CanonicalForm) -> Option<bool> {
        let (g, h) = (self.lay(g)?, self.lay(h)?);
        match g.at_most(&h) {
            Settled::Yes => Some(true),
            Settled::No => Some(false),
            Settled::Open => self.search_briefly(&g, &h, &mut { STEPS }),
        }
    }

    fn search_briefly(&self, g: &Lay, h: &Lay, steps: &mut u32) -> Option<bool> {
        *steps = steps.checked_sub(1)?;
        // First what the stops say of all options, since one that refutes is enough.
        let mut open: SmallVec<[(bool, Lay); 6]> = SmallVec::new();
        // h <= g^L would refute, and h^R <= g.
        for left in [true, false] {
            let moved = if left { g } else { h };
            let mut refutes = |option: CanonicalForm| -> Option<bool> {
                let option = self.lay(option)?.plus(moved.number);
                let settled = if left {
                    h.at_most(&option)
                } else {
                    option.at_most(g)
                };
                match settled {
                    Settled::Yes => return Some(true),
                    Settled::No => {}
                    Settled::Open => open.push((left, option)),
                }
                Some(false)
            };
            if moved.base.is_base() {
                let (lefts, rights) = self.node(moved.base).options();
                for option in if left { lefts } else { rights } {
                    if refutes(*option)? {
                        return Some(false);
                    }
                }
            } else if moved.base != CanonicalForm::ZERO {
                // In a number nobody need move.
                let options = if left {
                    self.left_of(moved.base)
                } else {
                    self.right_of(moved.base)
                };
                let options = options.ok()?;
                for i in 0..options.len() {
                    if refutes(options.at(self, i).ok()?)? {
                        return Some(false);
                    }
                }
            }
        }
        for (left, option) in open {
            let refuted = if left {
                self.search_briefly(h, &option, steps)?
            } else {
                self.search_briefly(&option, g, steps)?
            };
            if refuted {
                return Some(false);
            }
        }
        Some(true)
    }
}
