//! Products: of two numbers, and the Norton product of a game by a positive unit. Also incentives, on which it rests.

use super::forms::{CanonicalForm, Forms, OutOfMemory};
use super::reason::{Maybe, Reason};

impl Forms {
    /// The Conway product of two numbers (*On Numbers and Games*, chapter 1). For other games the product depends on the
    /// form and not on the value alone, so it does not exist here.
    pub fn multiply(&self, g: CanonicalForm, h: CanonicalForm) -> Maybe<CanonicalForm> {
        match (self.as_number(g), self.as_number(h)) {
            (Some(x), Some(y)) => Ok(Ok(self.number(&(&x * &y))?)),
            _ => Ok(Err(Reason::NotANumber)),
        }
    }

    /// The Norton product `G·U` by a unit U > 0 (*Winning Ways*, chapter 8; Siegel II).
    ///
    /// `n·U` is the n-fold sum for an integer n; else `G·U = {G^L·U + U + I | G^R·U - U - I}` where I runs over all
    /// incentives of U, `U^L - U` and `U - U^R`. It is additive and keeps the order: `(G + H)·U = G·U + H·U`, and
    /// `G·U >= 0` exactly when `G >= 0`. It does not exist for a U that is not positive.
    pub fn norton_product(&self, g: CanonicalForm, unit: CanonicalForm) -> Maybe<CanonicalForm> {
        if unit == CanonicalForm::ZERO || !self.less_or_equal(CanonicalForm::ZERO, unit)? {
            return Ok(Err(Reason::NotPositive));
        }
        let mut steps = Vec::new();
        for incentive in self.incentives(unit)? {
            steps.push(self.add(unit, incentive)?);
        }
        let product = self.fold(
            g,
            |f| match self.as_integer(f) {
                Some(n) => self.multiple_big(&n, unit).map(Some),
                None => Ok(None),
            },
            |_, left, right| {
                let (mut lefts, mut rights) = (Vec::new(), Vec::new());
                for step in &steps {
                    for l in left {
                        lefts.push(self.add(*l, *step)?);
                    }
                    for r in right {
                        rights.push(self.subtract(*r, *step)?);
                    }
                }
                self.from_options(&lefts, &rights)
            },
        )?;
        Ok(Ok(product))
    }

    // Removes repetitions and games that are at most another one.
    fn greatest(&self, games: Vec<CanonicalForm>) -> Result<Vec<CanonicalForm>, OutOfMemory> {
        let mut kept: Vec<CanonicalForm> = Vec::new();
        'next: for g in games {
            for h in &kept {
                if self.less_or_equal(g, *h)? {
                    continue 'next;
                }
            }
            let mut rest = Vec::with_capacity(kept.len() + 1);
            for h in kept {
                if !self.less_or_equal(h, g)? {
                    rest.push(h);
                }
            }
            rest.push(g);
            kept = rest;
        }
        self.sort_structurally(&mut kept);
        Ok(kept)
    }

    /// The undominated left incentives `G^L - G` over the canonical options: what Left gains by moving (*Winning Ways*,
    /// chapter 5).
    pub fn left_incentives(&self, g: CanonicalForm) -> Result<Vec<CanonicalForm>, OutOfMemory> {
        let (left, _) = self.options_of(g)?;
        let gains = left
            .iter()
            .map(|l| self.subtract(*l, g))
            .collect::<Result<_, _>>()?;
        self.greatest(gains)
    }

    /// The undominated right incentives `G - G^R`.
    pub fn right_incentives(&self, g: CanonicalForm) -> Result<Vec<CanonicalForm>, OutOfMemory> {
        let (_, right) = self.options_of(g)?;
        let gains = right
            .iter()
            .map(|r| self.subtract(g, *r))
            .collect::<Result<_, _>>()?;
        self.greatest(gains)
    }

    /// The undominated incentives of both players.
    pub fn incentives(&self, g: CanonicalForm) -> Result<Vec<CanonicalForm>, OutOfMemory> {
        let mut both = self.left_incentives(g)?;
        both.extend(self.right_incentives(g)?);
        self.greatest(both)
    }
}
