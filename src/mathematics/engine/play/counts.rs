//! Finds the winner of a state from counts of moves, if they suffice. Input: a state. Output: its winner, or unknown.
//!
//! In each part the game counts by how many moves a player outlasts the other ([`Analysis::margin`]). If the other begins and
//! a part's margin is m, then the part is at least m for the player: he wins the part with m more moves for the other,
//! moving second. If he begins and the margin is m, he has a move to a position of at least m - 1. Values and the order are
//! compatible with sums (Siegel, *Combinatorial Game Theory*, II.1), so the lower bounds of all parts, and the largest integer
//! below the sum of values, add up to a lower bound of the state.
//!
//! The hypotheses, and where each is established. (1) What a margin promises holds with any number of free moves beside the
//! part: `machine::margin`, where a margin is a difference of two counts. (2) Normal play, and no rule that fails: checked
//! here. (3) Two players: `Play` searches no other games.

use super::memory::keep;
use super::{Play, Word, memory};
use crate::engine::context::Context;
use crate::game::{Analysis, Game, Limit, Player, Shortcut};
use crate::value::{CanonicalForm, Forms};
use smallvec::SmallVec;

/// The margins of a part: by player, if the other begins and if he begins.
type Margins = [[i32; 2]; 2];

/// The margins of all parts, by their numbers.
#[derive(Default)]
pub(super) struct Counts {
    known: Vec<Option<Margins>>,
    /// Whether the game cannot count.
    never: bool,
}

impl Counts {
    pub(super) fn bytes(&self) -> usize {
        self.known.capacity() * size_of::<Option<Margins>>()
    }

    /// Removes the margins of parts that are not marked.
    pub(super) fn keep(&mut self, marked: &[bool]) {
        keep(&mut self.known, marked);
    }
}

impl<G: Game> Play<G> {
    /// Whether `mover` wins at a state, if counts of moves decide it.
    pub(super) fn by_counts(
        &mut self,
        game: &G,
        state: &[Word],
        mover: Player,
        context: &Context<'_>,
    ) -> Result<Option<bool>, Limit> {
        if !self.may_count(game, context) {
            return Ok(None);
        }
        let mut margins: SmallVec<[Margins; 16]> = SmallVec::new();
        for part in &state[1..] {
            let Some(own) = self.margins(game, *part) else {
                return Ok(None);
            };
            margins.push(own);
        }
        let value = CanonicalForm(state[0]);
        for player in [mover, mover.opponent()] {
            let begins = player == mover;
            let outlasts = outlasts(context.forms, value, &margins, player, begins)?;
            if outlasts != context.plants(Shortcut::Counts) {
                self.statistics.counted += 1;
                return Ok(Some(begins));
            }
        }
        Ok(None)
    }

    /// By how much Left's margins at a part exceed Right's, if moves can be counted; for the order of options only.
    pub(super) fn surplus(&mut self, game: &G, part: Word, context: &Context<'_>) -> Option<i64> {
        if !self.may_count(game, context) {
            return None;
        }
        let sums = self
            .margins(game, part)?
            .map(|m| i64::from(m[0]) + i64::from(m[1]));
        Some(sums[0] - sums[1])
    }

    fn may_count(&self, game: &G, context: &Context<'_>) -> bool {
        !self.misere
            && !self.counts.never
            && context.shortcuts.has(Shortcut::Counts)
            && game.analysis().is_faultless()
    }

    fn margins(&mut self, game: &G, part: Word) -> Option<Margins> {
        let number = (part >> 1) as usize;
        if self.counts.known.len() <= number {
            self.counts.known.resize(self.components.len(), None);
        }
        let [left, right] = match self.counts.known[number] {
            Some(margins) => margins,
            None => {
                let part = self.components.part(part);
                let mut margins = [[0; 2]; 2];
                for (player, begins) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
                    let margin = game
                        .analysis()
                        .margin(part, Player(player as u8), begins == 1);
                    let Some(margin) = margin else {
                        self.counts.never = true;
                        return None;
                    };
                    margins[player][begins] = margin;
                }
                *self.counts.known[number].insert(margins)
            }
        };
        Some(match part & 1 {
            0 => [left, right],
            _ => [right, left],
        })
    }
}

// Whether the counts show that a player wins a sum of a value and parts with these margins.
fn outlasts(
    forms: &Forms,
    value: CanonicalForm,
    margins: &[Margins],
    player: Player,
    begins: bool,
) -> Result<bool, Limit> {
    let Some(mut least) = floor(forms, value, player)? else {
        return Ok(false);
    };
    let mut gain = 0;
    for margins in margins {
        let [second, first] = margins[player.index() & 1].map(i64::from);
        least = least.saturating_add(second);
        gain = gain.max(first.saturating_sub(second));
    }
    Ok(match begins {
        true => least.saturating_add(gain) > 0,
        false => least >= 0,
    })
}

// The largest integer known to be at most a value, for Left; for Right, at most its negative.
fn floor(forms: &Forms, value: CanonicalForm, player: Player) -> Result<Option<i64>, Limit> {
    let left = player == Player::LEFT;
    let stop = match left {
        true => forms.right_stop(value),
        false => -&forms.left_stop(value),
    };
    let Some((numerator, places)) = stop.to_small() else {
        return Ok(None);
    };
    let n = numerator.checked_shr(places).unwrap_or(numerator >> 63);
    let Some(negative) = n.checked_neg() else {
        return Ok(None);
    };
    // A value is at least its right stop, but for an infinitesimal.
    let reached = match left {
        true => forms.less_or_equal(forms.integer(n).map_err(memory)?, value),
        false => forms.less_or_equal(value, forms.integer(negative).map_err(memory)?),
    };
    Ok(Some(if reached.map_err(memory)? { n } else { n - 1 }))
}
