//! The options of a canonical form: a slice of the arena, or computed for a number plus ups plus a nimber.
//!
//! Canonical options of the closed forms (*Winning Ways*, chapters 2 and 3; Siegel II): an integer n > 0 is `{n-1|}`, a
//! dyadic `{x - 2^-k | x + 2^-k}`. A nimber has all smaller nimbers on both sides. For k >= 1, `k·↑ + *m = {0 | (k-1)·↑ +
//! *(m xor 1)}`, except `↑* = {0,*|0}`. Adding a number translates the options.

use super::handle::POINT;
use super::{CanonicalForm, Forms, Number, NumberUpStar, OutOfMemory};

/// The options of one side.
#[derive(Clone, Copy)]
pub(crate) enum Options<'a> {
    /// Stored with the form.
    Stored(&'a [CanonicalForm]),
    /// Those stored with the base, each to be translated by the number.
    Shifted(&'a [CanonicalForm], CanonicalForm),
    /// Up to two options.
    Few([CanonicalForm; 2], u8),
    /// The number plus each nimber smaller than the given size.
    Nimbers(CanonicalForm, u32),
}

impl Options<'_> {
    pub(crate) fn len(&self) -> usize {
        match self {
            Options::Stored(list) | Options::Shifted(list, _) => list.len(),
            Options::Few(_, n) => usize::from(*n),
            Options::Nimbers(_, m) => *m as usize,
        }
    }

    pub(crate) fn at(&self, forms: &Forms, i: usize) -> Result<CanonicalForm, OutOfMemory> {
        match self {
            Options::Stored(list) => Ok(list[i]),
            Options::Shifted(list, number) => forms.translate(list[i], *number),
            Options::Few(list, _) => Ok(list[i]),
            Options::Nimbers(number, _) if number.is_inline() && i <= 127 => {
                Ok(CanonicalForm(number.0 | i as u32))
            }
            Options::Nimbers(number, _) => forms.translated(*number, 0, i as u32),
        }
    }
}

const NONE: Options<'static> = Options::Few([CanonicalForm::ZERO; 2], 0);

fn one(g: CanonicalForm) -> Options<'static> {
    Options::Few([g, CanonicalForm::ZERO], 1)
}

impl Forms {
    // The game number + ups·↑ + *nimber, for a number given by its handle.
    pub(super) fn translated(
        &self,
        number: CanonicalForm,
        ups: i64,
        nimber: u32,
    ) -> Result<CanonicalForm, OutOfMemory> {
        if number.is_inline()
            && ups.unsigned_abs() <= 127
            && let Some(g) = CanonicalForm::pack(number.thirtyseconds(), ups as i32, nimber)
        {
            return Ok(g);
        }
        self.number_up_star(&NumberUpStar {
            number: self.as_number(number).unwrap_or_default(),
            ups,
            nimber,
        })
    }

    fn general_options(&self, g: CanonicalForm, left: bool) -> Options<'_> {
        let (base, number) = if g.is_base() {
            (g, CanonicalForm::ZERO)
        } else {
            let shift = self.shift(g);
            (shift.base, shift.number)
        };
        let (lefts, rights) = self.node(base).options();
        let side = if left { lefts } else { rights };
        if number == CanonicalForm::ZERO {
            Options::Stored(side)
        } else {
            Options::Shifted(side, number)
        }
    }

    pub(crate) fn left_of(&self, g: CanonicalForm) -> Result<Options<'_>, OutOfMemory> {
        if g.is_general() {
            return Ok(self.general_options(g, true));
        }
        let number = self.number_part(g);
        match self.infinitesimal_part(g) {
            (0, 0) => self.number_option(g, 1),
            (0, m) => Ok(Options::Nimbers(number, m)),
            (1, 1) => Ok(Options::Few([number, self.translated(number, 0, 1)?], 2)),
            (k, _) if k > 0 => Ok(one(number)),
            (k, m) => Ok(one(self.translated(number, k + 1, m ^ 1)?)),
        }
    }

    pub(crate) fn right_of(&self, g: CanonicalForm) -> Result<Options<'_>, OutOfMemory> {
        if g.is_general() {
            return Ok(self.general_options(g, false));
        }
        let number = self.number_part(g);
        match self.infinitesimal_part(g) {
            (0, 0) => self.number_option(g, -1),
            (0, m) => Ok(Options::Nimbers(number, m)),
            (-1, 1) => Ok(Options::Few([number, self.translated(number, 0, 1)?], 2)),
            (k, _) if k < 0 => Ok(one(number)),
            (k, m) => Ok(one(self.translated(number, k - 1, m ^ 1)?)),
        }
    }

    // The option of a number, left for side 1 and right for side -1.
    fn number_option(&self, g: CanonicalForm, side: i32) -> Result<Options<'_>, OutOfMemory> {
        if g.is_inline() {
            let x = g.thirtyseconds();
            let step = if x & ((1 << POINT) - 1) == 0 {
                if x.signum() != side {
                    return Ok(NONE);
                }
                1 << POINT
            } else {
                x & x.wrapping_neg()
            };
            return Ok(match CanonicalForm::pack(x - side * step, 0, 0) {
                Some(option) => one(option),
                None => one(self.number(&Number::dyadic(i64::from(x - side * step), POINT))?),
            });
        }
        let x = &self.wide(g).value.number;
        let option = if side > 0 {
            x.left_option()
        } else {
            x.right_option()
        };
        Ok(match option {
            None => NONE,
            Some(y) => one(self.number(&y)?),
        })
    }
}
