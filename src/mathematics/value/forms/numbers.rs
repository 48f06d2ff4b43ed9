//! Numbers, ups and nimbers as handles, and what a handle tells without reading any options.

use super::handle::POINT;
use super::{CanonicalForm, Forms, OutOfMemory, Shift, Wide};
use crate::value::number::Number;
use crate::value::number_up_star::NumberUpStar;
use num_bigint::BigInt;
use std::cmp::Ordering;

pub(super) fn scramble(x: u64) -> u64 {
    let x = (x ^ (x >> 32)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let x = (x ^ (x >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x ^ (x >> 32)
}

impl Forms {
    /// The number as a game.
    pub fn number(&self, x: &Number) -> Result<CanonicalForm, OutOfMemory> {
        if let Some((n, e)) = x.to_small()
            && e <= POINT
            && n.unsigned_abs() < 1 << 15
            && let Some(g) =
                CanonicalForm::pack((n << (POINT - e)).clamp(-40_000, 40_000) as i32, 0, 0)
        {
            return Ok(g);
        }
        self.intern_wide(NumberUpStar::from_number(x.clone()))
    }

    /// The integer as a game.
    pub fn integer(&self, n: i64) -> Result<CanonicalForm, OutOfMemory> {
        self.number(&Number::from(n))
    }

    /// The nimber `*n`.
    pub fn nimber(&self, n: u32) -> Result<CanonicalForm, OutOfMemory> {
        match CanonicalForm::pack(0, 0, n.min(1 << 20)) {
            Some(g) => Ok(g),
            None => self.intern_wide(NumberUpStar {
                number: Number::ZERO,
                ups: 0,
                nimber: n,
            }),
        }
    }

    /// The game `number + ups·↑ + *nimber`.
    pub fn number_up_star(&self, value: &NumberUpStar) -> Result<CanonicalForm, OutOfMemory> {
        let x = self.number(&value.number)?;
        if x.is_inline()
            && let Ok(ups) = i32::try_from(value.ups)
            && let Some(g) = CanonicalForm::pack(x.thirtyseconds(), ups, value.nimber)
        {
            return Ok(g);
        }
        self.intern_wide(value.clone())
    }

    // Only for values that do not fit in a handle.
    fn intern_wide(&self, value: NumberUpStar) -> Result<CanonicalForm, OutOfMemory> {
        if !value.number.is_bounded() {
            return Err(OutOfMemory);
        }
        let number = if value.is_number() {
            None
        } else {
            Some(self.number(&value.number)?)
        };
        let mut unique = self.unique_wide.lock().unwrap_or_else(|e| e.into_inner());
        if let Some(index) = unique.get(&value) {
            return Ok(CanonicalForm::from_wide(*index));
        }
        let bits = value.number.numerator().bits() as usize / 4;
        let bytes = 2 * (size_of::<Wide>() + bits) + 16;
        self.charge(bytes)?;
        let entry = Wide {
            value: value.clone(),
            number,
        };
        let index = match self.wides.push(entry, || OutOfMemory, |b| self.charge(b)) {
            Ok(index) => index,
            Err(e) => {
                self.refund(bytes);
                return Err(e);
            }
        };
        unique.insert(value, index);
        Ok(CanonicalForm::from_wide(index))
    }

    /// The parts, if the game is a number plus ups plus a nimber.
    pub fn as_number_up_star(&self, g: CanonicalForm) -> Option<NumberUpStar> {
        if g.is_inline() {
            Some(NumberUpStar {
                number: Number::dyadic(i64::from(g.thirtyseconds()), POINT),
                ups: i64::from(g.ups()),
                nimber: g.nimber(),
            })
        } else if g.is_wide() {
            Some(self.wide(g).value.clone())
        } else {
            None
        }
    }

    /// The number, if the game is one.
    pub fn as_number(&self, g: CanonicalForm) -> Option<Number> {
        if g.is_inline() {
            (g == g.number_part()).then(|| Number::dyadic(i64::from(g.thirtyseconds()), POINT))
        } else if g.is_wide() {
            let value = &self.wide(g).value;
            value.is_number().then(|| value.number.clone())
        } else {
            None
        }
    }

    /// The integer, if the game is one.
    pub fn as_integer(&self, g: CanonicalForm) -> Option<BigInt> {
        let x = self.as_number(g)?;
        x.is_integer().then(|| x.numerator())
    }

    /// The n of `*n`, if the game is a nimber; zero is `*0`.
    pub fn as_nimber(&self, g: CanonicalForm) -> Option<u32> {
        if g.is_inline() {
            (g.0 == g.nimber()).then(|| g.nimber())
        } else if g.is_wide() {
            let value = &self.wide(g).value;
            (value.ups == 0 && value.number.is_zero()).then_some(value.nimber)
        } else {
            None
        }
    }

    /// Whether the game is a number.
    pub fn is_number(&self, g: CanonicalForm) -> bool {
        if g.is_inline() {
            g == g.number_part()
        } else {
            g.is_wide() && self.wide(g).number.is_none()
        }
    }

    // The ups and the nimber of a number plus ups plus a nimber.
    pub(super) fn infinitesimal_part(&self, g: CanonicalForm) -> (i64, u32) {
        if g.is_inline() {
            (i64::from(g.ups()), g.nimber())
        } else {
            let value = &self.wide(g).value;
            (value.ups, value.nimber)
        }
    }

    // The number part of a number plus ups plus a nimber.
    pub(super) fn number_part(&self, g: CanonicalForm) -> CanonicalForm {
        if g.is_inline() {
            g.number_part()
        } else {
            self.wide(g).number.unwrap_or(g)
        }
    }

    // The base of a general form, of which it is a translation.
    #[inline]
    pub(super) fn base(&self, g: CanonicalForm) -> CanonicalForm {
        if g.is_base() { g } else { self.shift(g).base }
    }

    /// A general form as a base plus a number; `None` for closed forms.
    pub(crate) fn base_and_number(&self, g: CanonicalForm) -> Option<(CanonicalForm, Number)> {
        g.is_general().then(|| (self.base(g), self.right_stop(g)))
    }

    /// The form as a base plus a number. The base of a number plus ups plus a nimber is the ups plus the nimber.
    #[inline]
    pub(crate) fn split(
        &self,
        g: CanonicalForm,
    ) -> Result<(CanonicalForm, CanonicalForm), OutOfMemory> {
        if g.is_inline() {
            return Ok((g.infinitesimal_part(), g.number_part()));
        }
        if g.is_general() {
            if g.is_base() {
                return Ok((g, CanonicalForm::ZERO));
            }
            let Shift { base, number } = self.shift(g);
            return Ok((base, number));
        }
        let (ups, nimber) = self.infinitesimal_part(g);
        Ok((
            self.translated(CanonicalForm::ZERO, ups, nimber)?,
            self.number_part(g),
        ))
    }

    // The order of two handles that are numbers.
    #[inline]
    pub(super) fn compare_numbers(&self, x: CanonicalForm, y: CanonicalForm) -> Ordering {
        if x == y {
            Ordering::Equal
        } else if x.is_inline() && y.is_inline() {
            x.thirtyseconds().cmp(&y.thirtyseconds())
        } else {
            let number = |g: CanonicalForm| self.as_number(g).unwrap_or_default();
            number(x).cmp(&number(y))
        }
    }
}
