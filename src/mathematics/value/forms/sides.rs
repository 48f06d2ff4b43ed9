//! How a form lies to its own stops: whether it is at least its right stop, and at most its left stop.
//!
//! With the stops these two bits settle every comparison with a number: `G >= x` if `R(G) > x`, or if `R(G) = x` and G is at
//! least its right stop (Siegel II: in G - x, for G no number, nobody moves in the number). So they settle the
//! ties which stops alone leave open.

use super::{CanonicalForm, Forms, infinitesimal_sign};
use std::cmp::Ordering;

/// The two bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Sides(u8);

impl Sides {
    /// Of a number.
    pub(super) const BOTH: Sides = Sides(0b11);

    #[inline]
    pub(super) fn new(above: bool, below: bool) -> Sides {
        Sides(u8::from(above) | u8::from(below) << 1)
    }

    /// Whether the form is at least its right stop.
    #[inline]
    pub(super) fn above(self) -> bool {
        self.0 & 1 != 0
    }

    /// Whether the form is at most its left stop.
    #[inline]
    pub(super) fn below(self) -> bool {
        self.0 & 2 != 0
    }

    /// The two lowest bits.
    #[inline]
    pub(super) fn from_bits(bits: u32) -> Sides {
        Sides(bits as u8 & 0b11)
    }

    /// As [`from_bits`](Self::from_bits) takes it.
    pub(super) fn bits(self) -> u32 {
        u32::from(self.0)
    }
}

impl Forms {
    /// Those of a form; a translation has those of its base.
    #[inline]
    pub(super) fn sides(&self, g: CanonicalForm) -> Sides {
        if g.is_general() {
            self.node(self.base(g)).sides()
        } else {
            let (ups, nimber) = self.infinitesimal_part(g);
            closed_sides(ups, nimber)
        }
    }

    /// Those of `{left | right}`, which is not a number and has these stops.
    pub(super) fn sides_of(
        &self,
        left: &[CanonicalForm],
        right: &[CanonicalForm],
        left_stop: CanonicalForm,
        right_stop: CanonicalForm,
    ) -> Sides {
        // G is at least x = R(G) unless some right option is at most x; its left stop is then x.
        let above = !right
            .iter()
            .any(|g| self.left_stop_handle(*g) == right_stop && self.sides(*g).below());
        let below = !left
            .iter()
            .any(|g| self.right_stop_handle(*g) == left_stop && self.sides(*g).above());
        Sides::new(above, below)
    }
}

/// Those of a multiple of up plus a nimber.
#[inline]
pub(super) fn closed_sides(ups: i64, nimber: u32) -> Sides {
    match infinitesimal_sign(ups, nimber) {
        Some(Ordering::Equal) => Sides::BOTH,
        Some(Ordering::Greater) => Sides::new(true, false),
        Some(Ordering::Less) => Sides::new(false, true),
        None => Sides::new(false, false),
    }
}
