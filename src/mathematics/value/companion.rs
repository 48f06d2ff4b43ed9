//! The companion of a game: the one automorphism, besides the identity, of the lattice of games born by day n.
//!
//! For n >= 1 the distributive lattice of games born by day n has exactly one automorphism other than the identity. The
//! automorphism for a later day extends that for an earlier one, so together they are a function of all short games
//! (Siegel, *Combinatorial Game Theory*, chapter III; CGSuite's `Companion` is the same function). On options:
//!
//! ```text
//! companion(0) = *
//! companion(G) = {0, companion(G^L) | companion(G^R)}      if G > 0
//! companion(G) = {companion(G^L) | 0, companion(G^R)}      if G < 0
//! companion(G) = {companion(G^L) | companion(G^R)}         if G is confused with 0
//! ```

use std::cmp::Ordering;

use super::forms::{CanonicalForm, Forms, OutOfMemory};
use super::number_up_star::NumberUpStar;

impl Forms {
    /// The companion of the game. It exists for every short game, and the companion of the companion is the game itself.
    ///
    /// It exchanges 0 and `*`, and `n·↑` with `n·↑*`; nonzero numbers and the nimbers from `*2` on are their own companions.
    pub fn companion(&self, g: CanonicalForm) -> Result<CanonicalForm, OutOfMemory> {
        let zero = CanonicalForm::ZERO;
        self.fold(
            g,
            |f| {
                let Some(value) = self.as_number_up_star(f) else {
                    return Ok(None);
                };
                // Multiples of up plus a nimber, in closed form: *0 and *1 are exchanged, the rest is unchanged.
                if !value.number.is_zero() || value.nimber > 1 {
                    return Ok(Some(f));
                }
                self.number_up_star(&NumberUpStar {
                    nimber: value.nimber ^ 1,
                    ..value
                })
                .map(Some)
            },
            |f, left, right| {
                let (mut left, mut right) = (left.to_vec(), right.to_vec());
                match self.compare(f, zero)? {
                    Some(Ordering::Greater) => left.push(zero),
                    Some(Ordering::Less) => right.push(zero),
                    _ => {}
                }
                self.from_options(&left, &right)
            },
        )
    }
}
