//! Named games: tiny and miny, the powers of up, switches.

use super::forms::{CanonicalForm, Forms, OutOfMemory};

impl Forms {
    /// Tiny-G, `{0 || 0 | -G}` (*Winning Ways*, chapter 5; Siegel II). For G > 0 it is a positive infinitesimal.
    pub fn tiny(&self, g: CanonicalForm) -> Result<CanonicalForm, OutOfMemory> {
        let zero = [CanonicalForm::ZERO];
        let threat = self.from_options(&zero, &[self.negate(g)?])?;
        self.from_options(&zero, &[threat])
    }

    /// Miny-G, `{G | 0 || 0}`, the negative of tiny-G.
    pub fn miny(&self, g: CanonicalForm) -> Result<CanonicalForm, OutOfMemory> {
        let zero = [CanonicalForm::ZERO];
        let threat = self.from_options(&[g], &zero)?;
        self.from_options(&[threat], &zero)
    }

    /// The switch `±G = {G | -G}`.
    pub fn switch(&self, g: CanonicalForm) -> Result<CanonicalForm, OutOfMemory> {
        self.from_options(&[g], &[self.negate(g)?])
    }

    /// Up to the n-th, `↑^[n] = {↑^[n-1] | *}` with `↑^[1] = ↑`: the sum of the first n powers of up
    /// (*Winning Ways*, chapter 8; Siegel II). Zero for n = 0.
    pub fn up_to(&self, n: u32) -> Result<CanonicalForm, OutOfMemory> {
        let mut g = CanonicalForm::ZERO;
        for _ in 0..n {
            g = self.from_options(&[g], &[CanonicalForm::STAR])?;
        }
        Ok(g)
    }

    /// Up-n-th, `↑^n = {0 | ↓^[n-1] *}`, which is `↑^[n] - ↑^[n-1]`; zero for n = 0.
    pub fn up_power_of(&self, n: u32) -> Result<CanonicalForm, OutOfMemory> {
        if n == 0 {
            return Ok(CanonicalForm::ZERO);
        }
        let down = self.negate(self.up_to(n - 1)?)?;
        self.from_options(
            &[CanonicalForm::ZERO],
            &[self.add(down, CanonicalForm::STAR)?],
        )
    }

    pub(crate) fn up_power(&self, n: u32, to: bool) -> Result<CanonicalForm, OutOfMemory> {
        if to {
            self.up_to(n)
        } else {
            self.up_power_of(n)
        }
    }
}
