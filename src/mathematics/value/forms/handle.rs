//! The 32-bit handle of a canonical form. Small sums `x + k·↑ + *m` are stored in the handle itself.
//!
//! The top bits say what the handle is:
//!
//! - `0`: the value itself, in the fields below;
//! - `10`: an index into the table of sums too wide for the fields;
//! - `111`: an index into the table of bases, the general forms with right stop 0;
//! - `110`: a base plus a nonzero number; with bit 28, a small integer and the index of the base, without it an index into
//!   the table of all other translations.
//!
//! Each value has exactly one handle, so equality of handles is equality of games.
//!
//! ```text
//! 30 ........ 15  14 ... 7  6 ... 0
//! 32 * number     ups       nimber      two's complement, symmetrical ranges
//! ```

use std::fmt;

/// A short game in canonical form, as a handle into the [`Forms`](super::Forms) that made it.
///
/// Handles of one arena are equal exactly when the games are equal. Handles of different arenas are unrelated. There is no
/// `Ord`, since games are partially ordered: see [`Forms::compare`](super::Forms::compare).
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct CanonicalForm(pub(crate) u32);

const NUMBER_SHIFT: u32 = 15;
const NUMBER_MASK: u32 = 0xFFFF << NUMBER_SHIFT;
const UPS_SHIFT: u32 = 7;
const NIMBER_MASK: u32 = 0x7F;
/// The fixed point of the number field: it counts 32nds.
pub(crate) const POINT: u32 = 5;
const KIND: u32 = 0b11 << 30;
const WIDE: u32 = 0b10 << 30;
const GENERAL: u32 = 0b11 << 30;
const BASE: u32 = 0b111 << 29;
const SHIFTED_INLINE: u32 = 1 << 28;
const SHORT_INDEX: u32 = 21;
const INTEGERS: i32 = 64;
// The bits of a handle that are zero for an integer.
const FRACTION: u32 = (1 << (NUMBER_SHIFT + POINT)) - 1;
/// One more than the greatest index of a translation in the table.
pub(crate) const MAX_SHIFT: u32 = SHIFTED_INLINE - 1;
/// Stands for the game that is being built; no index reaches it.
pub(crate) const PROVISIONAL: CanonicalForm = CanonicalForm(u32::MAX);
/// One more than the greatest index of a table.
pub(crate) const MAX_INDEX: u32 = (1 << 29) - 1;

impl CanonicalForm {
    /// The game `{|}`, zero.
    pub const ZERO: CanonicalForm = CanonicalForm(0);
    /// The game `{0|}`, one.
    pub const ONE: CanonicalForm = CanonicalForm(32 << NUMBER_SHIFT);
    /// The game `{0|0}`, star.
    pub const STAR: CanonicalForm = CanonicalForm(1);
    /// The game `{0|*}`, up.
    pub const UP: CanonicalForm = CanonicalForm(1 << UPS_SHIFT);
    /// The game `{*|0}`, down.
    pub const DOWN: CanonicalForm = CanonicalForm(0xFF << UPS_SHIFT);

    /// The handle with these fields, if all three parts fit.
    #[inline]
    pub(crate) fn pack(thirtyseconds: i32, ups: i32, nimber: u32) -> Option<CanonicalForm> {
        if thirtyseconds.unsigned_abs() > 32767 || ups.unsigned_abs() > 127 || nimber > 127 {
            return None;
        }
        Some(CanonicalForm(
            ((thirtyseconds as u32 & 0xFFFF) << NUMBER_SHIFT)
                | ((ups as u32 & 0xFF) << UPS_SHIFT)
                | nimber,
        ))
    }

    /// The sum of two numbers, if both are inline and the sum fits, too.
    #[inline]
    pub(crate) fn add_inline_numbers(x: CanonicalForm, y: CanonicalForm) -> Option<CanonicalForm> {
        let sum = x.thirtyseconds() + y.thirtyseconds();
        ((x.0 | y.0) >> 31 == 0 && sum.unsigned_abs() <= 32767)
            .then_some(CanonicalForm((sum as u32 & 0xFFFF) << NUMBER_SHIFT))
    }

    #[inline]
    pub(crate) fn is_inline(self) -> bool {
        self.0 >> 31 == 0
    }

    /// Whether the handle is a number plus ups plus a nimber.
    #[inline]
    pub(crate) fn is_number_up_star(self) -> bool {
        self.0 & KIND != GENERAL
    }

    #[inline]
    pub(crate) fn is_general(self) -> bool {
        self.0 & KIND == GENERAL
    }

    #[inline]
    pub(crate) fn is_wide(self) -> bool {
        self.0 & KIND == WIDE
    }

    pub(crate) fn from_wide(index: u32) -> CanonicalForm {
        CanonicalForm(WIDE | index)
    }

    #[inline]
    pub(crate) fn from_base(index: u32) -> CanonicalForm {
        CanonicalForm(BASE | index)
    }

    /// The translation with this index in the table, which must be less than [`MAX_SHIFT`].
    #[inline]
    pub(crate) fn from_shifted(index: u32) -> CanonicalForm {
        CanonicalForm(GENERAL | index)
    }

    /// A base plus a number without a table entry, if the number is a small integer and the index of the base is not large.
    #[inline]
    pub(crate) fn shifted_inline(
        base: CanonicalForm,
        number: CanonicalForm,
    ) -> Option<CanonicalForm> {
        let integer = number.thirtyseconds() >> POINT;
        (number.is_inline()
            && number.0 & FRACTION == 0
            && (-INTEGERS..INTEGERS).contains(&integer)
            && base.index() >> SHORT_INDEX == 0)
            .then(|| {
                let integer = (integer + INTEGERS) as u32;
                CanonicalForm(GENERAL | SHIFTED_INLINE | integer << SHORT_INDEX | base.index())
            })
    }

    /// The base and the number of a handle made by [`shifted_inline`](Self::shifted_inline).
    #[inline]
    pub(crate) fn inline_shift(self) -> Option<(CanonicalForm, CanonicalForm)> {
        (self.0 & (BASE | SHIFTED_INLINE) == GENERAL | SHIFTED_INLINE).then(|| {
            let integer = (self.0 >> SHORT_INDEX & 0x7F) as i32 - INTEGERS;
            let base = CanonicalForm(BASE | self.0 & ((1 << SHORT_INDEX) - 1));
            let number = (integer as u32 & 0x7FF) << (NUMBER_SHIFT + POINT);
            (base, CanonicalForm(number))
        })
    }

    /// Whether a general form is a base.
    #[inline]
    pub(crate) fn is_base(self) -> bool {
        self.0 & BASE == BASE
    }

    #[inline]
    pub(crate) fn index(self) -> u32 {
        self.0 & MAX_INDEX
    }

    /// The number field in 32nds; meaningful for inline handles only.
    #[inline]
    pub(crate) fn thirtyseconds(self) -> i32 {
        ((self.0 << 1) as i32) >> 16
    }

    /// The field of ups; meaningful for inline handles only.
    #[inline]
    pub(crate) fn ups(self) -> i32 {
        ((self.0 << 17) as i32) >> 24
    }

    /// The field of the nimber; meaningful for inline handles only.
    #[inline]
    pub(crate) fn nimber(self) -> u32 {
        self.0 & NIMBER_MASK
    }

    /// Ups and nimber without the number; meaningful for inline handles only.
    #[inline]
    pub(crate) fn infinitesimal_part(self) -> CanonicalForm {
        CanonicalForm(self.0 & !NUMBER_MASK)
    }

    /// The number alone; meaningful for inline handles only.
    #[inline]
    pub(crate) fn number_part(self) -> CanonicalForm {
        CanonicalForm(self.0 & NUMBER_MASK)
    }
}

impl fmt::Debug for CanonicalForm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_inline() {
            let number = super::Number::dyadic(i64::from(self.thirtyseconds()), POINT);
            write!(
                f,
                "CanonicalForm({number}, {}^, *{})",
                self.ups(),
                self.nimber()
            )
        } else {
            let table = match (self.is_wide(), self.is_base()) {
                (true, _) => "wide",
                (_, true) => "base",
                _ => "translated",
            };
            write!(f, "CanonicalForm({table} #{})", self.index())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_come_back() {
        for (x, k, m) in [
            (0, 0, 0),
            (32767, 127, 127),
            (-32767, -127, 0),
            (-1, 1, 5),
            (1, -1, 1),
        ] {
            let h = CanonicalForm::pack(x, k, m).unwrap();
            assert!(h.is_inline() && h.is_number_up_star());
            assert_eq!((h.thirtyseconds(), h.ups(), h.nimber()), (x, k, m));
        }
        for integer in [-64, -1, 1, 63] {
            let (base, number) = (
                CanonicalForm::from_base(1_234_567),
                CanonicalForm::pack(32 * integer, 0, 0).unwrap(),
            );
            let g = CanonicalForm::shifted_inline(base, number).unwrap();
            assert!(g.is_general() && !g.is_base());
            assert_eq!(g.inline_shift(), Some((base, number)));
            let far = CanonicalForm::from_base(1 << SHORT_INDEX);
            assert_eq!(CanonicalForm::shifted_inline(far, number), None);
        }
        for x in [64 * 32, -65 * 32, 16] {
            let number = CanonicalForm::pack(x, 0, 0).unwrap();
            let base = CanonicalForm::from_base(3);
            assert_eq!(CanonicalForm::shifted_inline(base, number), None);
        }
        assert_eq!(
            CanonicalForm::from_shifted(MAX_SHIFT - 1).inline_shift(),
            None
        );
        assert_eq!(CanonicalForm::from_base(5).inline_shift(), None);
        assert_eq!(CanonicalForm::pack(-32768, 0, 0), None);
        assert_eq!(CanonicalForm::pack(0, 128, 0), None);
        assert_eq!(CanonicalForm::pack(0, 0, 128), None);
        assert_eq!(CanonicalForm::pack(0, -1, 0), Some(CanonicalForm::DOWN));
    }
}
