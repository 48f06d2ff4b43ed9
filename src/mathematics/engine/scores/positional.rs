//! Scoring games without zugzwang as short games. Input: a scoring game of a table. Output: a short game with the same mean,
//! thermograph and stops; cooled by 1 it is the chilled game.
//!
//! J. Milnor's *Sums of positional games* (1953) asks that at each follower both players can move or neither can, that the
//! score at the end does not depend on who is stuck, and that Ls ≥ Rs: nobody would rather not move. He shows that such games
//! have mean values, and that their sums are such games; O. Hanner, *Mean play of sums of positional games* (1959), computes
//! the means. Go endings without ko are of this kind (E. Berlekamp, D. Wolfe, *Mathematical Go*, 1994).
//!
//! Replace the score at each end by the integer as a short game. **Lemma.** The stops of the short game are the scores.
//! *Proof*, by induction: this is the definition of stops unless the short game is a number x. Then G^L and x are confused or
//! G^L < x, and x and G^R likewise, so that the scores of the moves satisfy Ls ≤ x ≤ Rs. As Ls ≥ Rs, both are x. ∎ In the same
//! way c points more make the short game G + c: if it is a number x, then x is between the left and the right options and both
//! stops are x, so after the shift no number but x + c is.

use super::listed::{ScoringGame, ScoringGames, Side};
use crate::game::{Budget, Limit, Player};
use crate::value::{CanonicalForm, Forms, OutOfMemory};

/// Why there is no short game: a limit of the search, or the arena of values is full.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ended {
    /// A limit of the search.
    Limit(Limit),
    /// The arena is full, or the run was ended.
    Memory(OutOfMemory),
}

impl From<Limit> for Ended {
    fn from(limit: Limit) -> Ended {
        Ended::Limit(limit)
    }
}

impl From<OutOfMemory> for Ended {
    fn from(full: OutOfMemory) -> Ended {
        Ended::Memory(full)
    }
}

/// The short game with integers in place of the scores at the ends. [`ScoringGames::is_positional`] must hold.
///
/// # Errors
/// A limit.
pub fn short_game(
    games: &ScoringGames,
    forms: &Forms,
    game: ScoringGame,
    budget: &Budget,
) -> Result<CanonicalForm, Ended> {
    let followers = games.followers(game);
    let mut values: Vec<CanonicalForm> = Vec::with_capacity(followers.len());
    for node in &followers {
        budget.charge()?;
        let of = |player: Player| -> Result<Option<Vec<CanonicalForm>>, Ended> {
            let Side::Moves(all) = &games.node(*node).sides[player.index() & 1] else {
                return Ok(None);
            };
            let mut found = Vec::with_capacity(all.len());
            for o in all {
                let Ok(at) = followers.binary_search(&o.node) else {
                    continue;
                };
                found.push(forms.add(values[at], forms.integer(o.points)?)?);
            }
            Ok(Some(found))
        };
        let value = match (of(Player::LEFT)?, of(Player::RIGHT)?) {
            (Some(left), Some(right)) => forms.from_options(&left, &right)?,
            // The end; its node has the score 0.
            _ => CanonicalForm::ZERO,
        };
        values.push(value);
    }
    let value = values.last().copied().unwrap_or(CanonicalForm::ZERO);
    Ok(forms.add(value, forms.integer(game.points)?)?)
}
