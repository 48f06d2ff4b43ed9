//! All-small games: the remote star and the atomic weight.
//!
//! *Winning Ways*, chapter 8; Siegel, *Combinatorial Game Theory*, chapter II.

use num_bigint::BigInt;
use num_traits::Zero;
use rustc_hash::FxHashSet;

use super::forms::{CanonicalForm, Forms, OutOfMemory};
use super::number::Number;
use super::reason::{Maybe, Reason};

impl Forms {
    /// The size n >= 1 of the least remote star `*n` of the game: the least `*n` with n >= 1 that no follower of its
    /// canonical form equals. It exists for every short game. An all-small game compares with it as with all larger
    /// nimbers.
    pub fn remote_star(&self, g: CanonicalForm) -> Result<u32, OutOfMemory> {
        // A follower *m has all smaller nimbers as followers, so the least missing one comes after the greatest present.
        let mut least = 1;
        if let Some(m) = self.as_nimber(g) {
            return m.checked_add(1).ok_or(OutOfMemory);
        }
        // A follower k·↑ + *m has the nimber *m or *(m^1) as a follower, by the parity of k.
        for f in self.leaves(g)? {
            let value = match self.as_number_up_star(f) {
                Some(v) if v.number.is_zero() => v,
                _ => continue,
            };
            let nimber = if value.ups == 0 {
                value.nimber
            } else if value.nimber <= 1 {
                1
            } else {
                value.nimber ^ (value.ups & 1) as u32
            };
            least = least.max(nimber.checked_add(1).ok_or(OutOfMemory)?);
        }
        Ok(least)
    }

    // The values in closed form that are reached from g through general forms only, g included.
    fn leaves(&self, g: CanonicalForm) -> Result<FxHashSet<CanonicalForm>, OutOfMemory> {
        let mut leaves = FxHashSet::default();
        if !g.is_general() {
            leaves.insert(g);
        }
        for f in self.general_followers(g)? {
            let (left, right) = self.options_of(f)?;
            leaves.extend(left.into_iter().chain(right).filter(|o| !o.is_general()));
        }
        Ok(leaves)
    }

    /// Whether the game is all small (dicotic): in every follower both players can move or neither can. Equivalently, no
    /// follower of the canonical form is a nonzero number; then all followers are infinitesimal.
    pub fn is_all_small(&self, g: CanonicalForm) -> bool {
        let mut seen = FxHashSet::default();
        let mut stack = vec![g];
        while let Some(f) = stack.pop() {
            if !self.is_infinitesimal(f) {
                return false;
            }
            // An infinitesimal general form is its own base.
            if f.is_general() && seen.insert(f) {
                let (left, right) = self.base_options(f);
                stack.extend(left.iter().chain(right));
            }
        }
        true
    }

    /// The atomic weight of an all-small game, itself a game (*Winning Ways*, chapter 8; Siegel II).
    ///
    /// Let `W = {AW(G^L) - 2 | AW(G^R) + 2}`. If W is not an integer, it is the weight. Otherwise the weight is one of the
    /// integers n such that no `AW(G^L) - 2` is at least n and n is at least no `AW(G^R) + 2`: the greatest such n if G is
    /// greater than the remote star, the least if G is less, and 0 if they are confused. Weights add, `AW(↑) = 1`, nimbers
    /// have weight 0, and a game of weight at least 2 is positive (the two-ahead rule).
    ///
    /// It does not exist for a game that is not all small.
    pub fn atomic_weight(&self, g: CanonicalForm) -> Maybe<CanonicalForm> {
        if !self.is_all_small(g) {
            return Ok(Err(Reason::NotAllSmall));
        }
        let star = self.nimber(self.remote_star(g)?)?;
        let two = self.integer(2)?;
        let minus_two = self.integer(-2)?;
        self.fold(
            g,
            |f| match self.as_number_up_star(f) {
                Some(value) => self.integer(value.ups).map(Some),
                None => Ok(None),
            },
            |f, left, right| {
                let shifted = |side: &[CanonicalForm], by| {
                    side.iter()
                        .map(|w| self.add(*w, by))
                        .collect::<Result<Vec<_>, _>>()
                };
                let (left, right) = (shifted(left, minus_two)?, shifted(right, two)?);
                let weight = self.from_options(&left, &right)?;
                if self.as_integer(weight).is_none() {
                    return Ok(weight);
                }
                let above = self.less_or_equal(star, f)?;
                let below = self.less_or_equal(f, star)?;
                let integer = match (above, below) {
                    (true, false) => self.last_integer_below(&right)?,
                    (false, true) => {
                        let negated = left
                            .iter()
                            .map(|g| self.negate(*g))
                            .collect::<Result<Vec<_>, _>>()?;
                        self.last_integer_below(&negated)?.map(|n| -n)
                    }
                    _ => Some(BigInt::zero()),
                };
                match integer {
                    Some(n) => self.number(&Number::from(n)),
                    // Not reached: a nonzero all-small game has options on both sides, so there is a bound.
                    None => Ok(weight),
                }
            },
        )
        .map(Ok)
    }

    // The greatest integer that is at least none of the games; `None` if there are no games.
    fn last_integer_below(&self, games: &[CanonicalForm]) -> Result<Option<BigInt>, OutOfMemory> {
        let mut last: Option<BigInt> = None;
        for g in games {
            // n >= g needs n >= L(g). The least such integer may still be confused with g.
            let mut n = self.left_stop(*g).ceil();
            if self.less_or_equal(*g, self.number(&Number::from(n.clone()))?)? {
                n -= 1;
            }
            last = Some(match last {
                Some(m) if m < n => m,
                _ => n,
            });
        }
        Ok(last)
    }
}
