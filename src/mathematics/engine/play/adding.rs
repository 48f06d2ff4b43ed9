//! Parts join a state that is being made: those whose values are known, or cheap and small, are added up by value; the others
//! stay parts, and pairs of a part and its negative go.

use super::{Ask, Play, memory};
use crate::engine::components::Word;
use crate::engine::context::Context;
use crate::engine::stopped::{Stopped, StoppedIn};
use crate::game::{Analysis, Game, Limit, Shortcut};
use crate::value::{CanonicalForm, Forms};

/// Whether the value of a part is known, or how often the part was met since it was last asked for.
#[derive(Clone, Copy)]
pub(super) enum Worth {
    Known(CanonicalForm),
    Visits(u32),
    // Its value cannot be had: play in it need not end, or a rule goes wrong.
    Never,
}

/// How often a part must have been met before its value is asked for. After that it is asked for whenever the number of
/// times has doubled, and as many positions may be expanded for it as it was met times, while there is something to spend: so
/// values never take more than a part of the work of the search itself, and are had where parts come again and again.
pub(super) const FIRST: u32 = 4;

/// A part whose value has more options than this, for both players together, stays a part: sums of such values grow large, and
/// to compare them takes longer than to search. Found by trial on linear Clobber and Domineering; no answer depends on it.
pub(super) const MOST_OPTIONS: usize = 6;

// Whether a value is small enough to be added to others.
fn is_small(forms: &Forms, value: CanonicalForm) -> Result<bool, Limit> {
    Ok(value.is_inline() || has_few_options(forms, &[value], MOST_OPTIONS)?)
}

// Whether values have so many options at most, for both players and together.
pub(super) fn has_few_options(
    forms: &Forms,
    values: &[CanonicalForm],
    most: usize,
) -> Result<bool, Limit> {
    let mut all = 0;
    for value in values {
        let (left, right) = forms.option_counts(*value).map_err(memory)?;
        all += left + right;
    }
    Ok(all <= most)
}

impl<G: Game> Play<G> {
    // Adds parts to a state that is being made.
    pub(super) fn add_parts(
        &mut self,
        game: &G,
        parts: &[Word],
        exchanged: bool,
        child: &mut Vec<Word>,
        context: &Context<'_>,
        ask: Ask<'_, G>,
    ) -> Result<(), StoppedIn<G>> {
        for part in parts {
            let part = part ^ Word::from(exchanged);
            if !self.misere
                && context.shortcuts.has(Shortcut::Sums)
                && let Some(value) = self.worth(game, part, context, ask)?
                && is_small(context.forms, value)?
            {
                self.fund.succeed();
                let value = if part & 1 == 1 {
                    context.forms.negate(value).map_err(memory)?
                } else {
                    value
                };
                let sum = CanonicalForm(child[0]);
                child[0] = context.forms.add(sum, value).map_err(memory)?.0;
            } else {
                child.push(part);
            }
        }
        Ok(())
    }

    // The value of a part, its players not exchanged, if it is known or cheap.
    pub(super) fn worth(
        &mut self,
        game: &G,
        part: Word,
        context: &Context<'_>,
        ask: Ask<'_, G>,
    ) -> Result<Option<CanonicalForm>, StoppedIn<G>> {
        let number = (part >> 1) as usize;
        if self.worth.len() <= number {
            self.worth.resize(self.components.len(), Worth::Visits(0));
        }
        let visits = match self.worth[number] {
            Worth::Known(value) => return Ok(Some(value)),
            Worth::Never => return Ok(None),
            Worth::Visits(visits) => visits.saturating_add(1),
        };
        let is_new = visits == 1;
        self.worth[number] = Worth::Visits(visits);
        let part = self.components.part(part);
        // Nimbers are cheap, and asked for at once.
        let impartial = is_new
            && context.shortcuts.has(Shortcut::Impartial)
            && game.analysis().is_impartial(part);
        let result = if impartial {
            ask(part, context.budget)
        } else if is_new && self.peeks {
            let (result, _) = context.budget.lend(0, |nothing| ask(part, nothing));
            if matches!(result, Err(Stopped::Limit(Limit::Nodes))) {
                return Ok(None);
            }
            result
        } else if visits < FIRST
            || !visits.is_power_of_two()
            || !self.fund.affords(u64::from(visits))
        {
            return Ok(None);
        } else {
            let (result, spent) = context
                .budget
                .lend(u64::from(visits), |budget| ask(part, budget));
            self.fund.spend(spent);
            if matches!(result, Err(Stopped::Limit(Limit::Nodes))) {
                // Either what the fund affords was not enough, or the whole search has no more to spend.
                context.budget.charge()?;
                return Ok(None);
            }
            result
        };
        match result {
            Ok(value) => {
                self.statistics.sums += 1;
                let nought = context.plants(Shortcut::Sums);
                let value = if nought { CanonicalForm::ZERO } else { value };
                self.worth[number] = Worth::Known(value);
                Ok(Some(value))
            }
            Err(Stopped::Limit(limit)) => Err(limit.into()),
            Err(_) => {
                self.worth[number] = Worth::Never;
                Ok(None)
            }
        }
    }

    // Sorts the parts of a state and takes pairs of a part and its negative away.
    pub(super) fn tidy(&mut self, game: &G, state: &mut Vec<Word>, context: &Context<'_>) {
        state[1..].sort_unstable();
        let sound = !self.misere && game.analysis().ends() && game.analysis().is_faultless();
        if !sound || !context.shortcuts.has(Shortcut::Sums) {
            return;
        }
        let mut kept = 1;
        for i in 1..state.len() {
            let part = state[i];
            // Words of a part come right before those of its negative.
            if kept > 1 && part & 1 == 1 && state[kept - 1] == part ^ 1 {
                kept -= 1;
                self.statistics.cancelled += 1;
            } else {
                state[kept] = part;
                kept += 1;
            }
        }
        state.truncate(kept);
    }
}
