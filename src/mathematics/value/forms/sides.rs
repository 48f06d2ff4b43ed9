//! Two flags of a form: whether it is at least its right stop, and whether it is at most its left stop.
//!
//! Together with the stops these flags settle every comparison with a number: `G >= x` if `R(G) > x`, or if `R(G) = x` and
//! G is at least its right stop (Siegel II: in G - x, if G is not a number, no player needs to move in the number). So they
//! settle the ties that stops alone leave open.

use super::{CanonicalForm, Forms, infinitesimal_sign};
use std::cmp::Ordering;

/// The two flags.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Sides(u8);

impl Sides {
    /// The flags of a number.
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

    /// From the two lowest bits.
    #[inline]
    pub(super) fn from_bits(bits: u32) -> Sides {
        Sides(bits as u8 & 0b11)
    }

    /// As the bits that [`from_bits`](Self::from_bits) takes.
    pub(super) fn bits(self) -> u32 {
        u32::from(self.0)
    }
}

impl Forms {
    /// The flags of a form; a translation has those of its base.
    #[inline]
    pub(super) fn sides(&self, g: CanonicalForm) -> Sides {
        if g.is_general() {
            self.node(self.base(g)).sides()
        } else {
            let (ups, nimber) = self.infinitesimal_part(g);
            closed_sides(ups, nimber)
        }
    }

    /// The flags of `{left | right}`, which must not be a number and must have these stops.
    pub(super) fn sides_of(
        &self,
        left: &[CanonicalForm],
        right: &[CanonicalForm],
        left_stop: CanonicalForm,
        right_stop: CanonicalForm,
    ) -> Sides {
        // G is at least x = R(G) unless some right option is at most x; the left stop of that option is then x.
        let above = !right
            .iter()
            .any(|g| self.left_stop_handle(*g) == right_stop && self.sides(*g).below());
        let below = !left
            .iter()
            .any(|g| self.right_stop_handle(*g) == left_stop && self.sides(*g).above());
        Sides::new(above, below)
    }
}

/// The flags of a multiple of up plus a nimber.
#[inline]
pub(super) fn closed_sides(ups: i64, nimber: u32) -> Sides {
    match infinitesimal_sign(ups, nimber) {
        Some(Ordering::Equal) => Sides::BOTH,
        Some(Ordering::Greater) => Sides::new(true, false),
        Some(Ordering::Less) => Sides::new(false, true),
        None => Sides::new(false, false),
    }
}
