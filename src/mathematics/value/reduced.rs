//! The reduced canonical form: the simplest game that differs from G by an infinitesimal.
//!
//! Grossman and Siegel, *Reductions of partizan games* (Games of No Chance 3, 2009); Siegel, *Combinatorial Game Theory*,
//! chapter II. Write `G >=_Inf H` if `G - H` is at least some infinitesimal, that is, if its right stop is at least 0. A
//! number plus an infinitesimal reduces to the number. In any other game whose options are reduced, Inf-dominated options
//! may be removed and Inf-reversible ones bypassed. Once none is left, the form is unique.

use super::forms::{CanonicalForm, Forms, OutOfMemory};
use super::number::Number;

impl Forms {
    /// Whether `g <= h` up to infinitesimals: the right stop of `h - g` is at least zero.
    pub fn less_or_equal_inf(
        &self,
        g: CanonicalForm,
        h: CanonicalForm,
    ) -> Result<bool, OutOfMemory> {
        // L(g) <= R(h) implies it, and L(g) > L(h) or R(g) > R(h) refutes it, as for the order itself.
        let (gl, gr) = (self.left_stop(g), self.right_stop(g));
        let (hl, hr) = (self.left_stop(h), self.right_stop(h));
        if gl <= hr {
            return Ok(true);
        }
        if gl > hl || gr > hr {
            return Ok(false);
        }
        Ok(self.right_stop(self.subtract(h, g)?) >= Number::ZERO)
    }

    /// The reduced canonical form. It exists for every short game.
    pub fn reduced_canonical_form(&self, g: CanonicalForm) -> Result<CanonicalForm, OutOfMemory> {
        self.fold(
            g,
            |f| {
                Ok(if self.is_numberish(f) {
                    Some(self.left_stop_handle(f))
                } else {
                    None
                })
            },
            |_, left, right| self.reduce(left.to_vec(), right.to_vec()),
        )
    }

    fn reduce(
        &self,
        mut left: Vec<CanonicalForm>,
        mut right: Vec<CanonicalForm>,
    ) -> Result<CanonicalForm, OutOfMemory> {
        // Each round removes an option or replaces one by games of lower birthday.
        loop {
            let g = self.from_options(&left, &right)?;
            if self.is_numberish(g) {
                return Ok(self.left_stop_handle(g));
            }
            (left, right) = self.options_of(g)?;
            // Replace an option that is a number plus an infinitesimal by the number.
            for option in left.iter_mut().chain(right.iter_mut()) {
                if self.is_numberish(*option) {
                    *option = self.left_stop_handle(*option);
                }
            }
            let before = (left.clone(), right.clone());
            self.drop_inf_dominated(&mut left, true)?;
            self.drop_inf_dominated(&mut right, false)?;
            self.bypass_inf_reversible(&mut left, g, true)?;
            self.bypass_inf_reversible(&mut right, g, false)?;
            if before == (left.clone(), right.clone()) {
                let reduced = self.from_options(&left, &right)?;
                if reduced == g {
                    return Ok(g);
                }
            }
        }
    }

    fn drop_inf_dominated(
        &self,
        options: &mut Vec<CanonicalForm>,
        left: bool,
    ) -> Result<(), OutOfMemory> {
        let mut i = 0;
        'next: while i < options.len() {
            for j in (0..options.len()).filter(|j| *j != i) {
                let (worse, better) = if left {
                    (options[i], options[j])
                } else {
                    (options[j], options[i])
                };
                if self.less_or_equal_inf(worse, better)? {
                    options.remove(i);
                    continue 'next;
                }
            }
            i += 1;
        }
        Ok(())
    }

    // Replaces the first Inf-reversible option, if there is one.
    fn bypass_inf_reversible(
        &self,
        options: &mut Vec<CanonicalForm>,
        g: CanonicalForm,
        left: bool,
    ) -> Result<(), OutOfMemory> {
        for i in 0..options.len() {
            let (lefts, rights) = self.options_of(options[i])?;
            let replies = if left { rights } else { lefts };
            for reply in replies {
                let reverses = if left {
                    self.less_or_equal_inf(reply, g)?
                } else {
                    self.less_or_equal_inf(g, reply)?
                };
                if reverses && !self.is_number(options[i]) {
                    let (lefts, rights) = self.options_of(reply)?;
                    options.remove(i);
                    options.extend(if left { lefts } else { rights });
                    return Ok(());
                }
            }
        }
        Ok(())
    }
}
