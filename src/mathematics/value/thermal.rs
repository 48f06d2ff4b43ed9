//! Cooling, freezing, chilling, heating and overheating of canonical forms.
//!
//! *Winning Ways*, chapter 6; Siegel, *Combinatorial Game Theory*, chapter II. All operations work on the canonical form,
//! since heating and overheating depend on the form.

use std::cmp::Ordering;

use super::forms::{CanonicalForm, Forms, OutOfMemory};
use super::number::Number;

impl Forms {
    // {left + t | right - t}
    fn taxed_options(
        &self,
        left: &[CanonicalForm],
        right: &[CanonicalForm],
        t: CanonicalForm,
    ) -> Result<CanonicalForm, OutOfMemory> {
        let left: Vec<_> = left
            .iter()
            .map(|g| self.add(*g, t))
            .collect::<Result<_, _>>()?;
        let right: Vec<_> = right
            .iter()
            .map(|g| self.subtract(*g, t))
            .collect::<Result<_, _>>()?;
        self.from_options(&left, &right)
    }

    /// G cooled by t: each move is taxed t, and above its temperature the game is its mean.
    ///
    /// `G_t = {G^L_t - t | G^R_t + t}` for t up to the temperature of G, and the mean above it (Siegel II). A number is
    /// unchanged by t >= 0; an integer is unchanged by any t. For t, s >= 0, cooling by t and then by s is cooling by t + s,
    /// and `(G + H)_t = G_t + H_t`. The latter fails for some t < 0, for example for t = -1 and G = H = 1/4.
    pub fn cool(&self, g: CanonicalForm, t: &Number) -> Result<CanonicalForm, OutOfMemory> {
        if t.is_zero() {
            return Ok(g);
        }
        let tax = self.number(&-t)?;
        let cold = t.signum() > 0;
        self.fold(
            g,
            |f| {
                if !f.is_general() && cold {
                    return self.number(&self.left_stop(f)).map(Some);
                }
                if let Some(x) = self.as_number(f)
                    && (x.is_integer() || x.temperature() < *t)
                {
                    return Ok(Some(f));
                }
                Ok(None)
            },
            |f, left, right| match self.temperature(f)?.cmp(t) {
                Ordering::Less => self.number(&self.mean(f)?),
                _ => self.taxed_options(left, right, tax),
            },
        )
    }

    /// G cooled by its temperature: its mean plus an infinitesimal. A number is unchanged.
    pub fn freeze(&self, g: CanonicalForm) -> Result<CanonicalForm, OutOfMemory> {
        if self.is_number(g) {
            return Ok(g);
        }
        let t = self.temperature(g)?;
        self.cool(g, &t)
    }

    /// G cooled by 1, as in the endgame of Go.
    pub fn chill(&self, g: CanonicalForm) -> Result<CanonicalForm, OutOfMemory> {
        self.cool(g, &Number::ONE)
    }

    /// G heated by t, `∫^t G`: a number is unchanged, any other game becomes `{∫^t G^L + t | ∫^t G^R - t}`, on the
    /// canonical form of G (*Winning Ways*, chapter 6). The amount t may be any game.
    pub fn heat(&self, g: CanonicalForm, t: CanonicalForm) -> Result<CanonicalForm, OutOfMemory> {
        self.fold(
            g,
            |f| Ok(self.is_number(f).then_some(f)),
            |_, left, right| self.taxed_options(left, right, t),
        )
    }

    /// G overheated from s to t, `∫_s^t G`: an integer n becomes `n·s`, any other game
    /// `{∫ G^L + t | ∫ G^R - t}`, on the canonical form of G (*Winning Ways*, chapter 6; Siegel II).
    pub fn overheat(
        &self,
        g: CanonicalForm,
        s: CanonicalForm,
        t: CanonicalForm,
    ) -> Result<CanonicalForm, OutOfMemory> {
        self.fold(
            g,
            |f| match self.as_integer(f) {
                Some(n) => self.multiple_big(&n, s).map(Some),
                None => Ok(None),
            },
            |_, left, right| self.taxed_options(left, right, t),
        )
    }
}
