//! Adds parts to a state under construction. Parts whose values are known, or cheap and small, are added up by value. The
//! others remain parts, and pairs of a part and its negative cancel.

use super::{Ask, Play, memory};
use crate::engine::components::Word;
use crate::engine::context::Context;
use crate::engine::stopped::{Stopped, StoppedIn};
use crate::game::{Analysis, Game, Limit, Shortcut};
use crate::value::{CanonicalForm, Forms};

/// The value of a part, if it is known; otherwise how often the part was met.
#[derive(Clone, Copy)]
pub(super) enum Worth {
    Known(CanonicalForm),
    Visits(u32),
    // The value cannot be found: play in the part need not end, or a rule fails.
    Never,
}

/// A part's value is requested once the part has been met this often, and again whenever the number of visits has doubled.
/// Each request may expand as many positions as there were visits, if the fund affords it. So values never take more than a
/// fraction of the work of the search itself, and are found where parts recur often.
pub(super) const FIRST: u32 = 4;

/// A part whose value has more options than this, for both players together, remains a part: sums of such values grow large,
/// and comparing them takes longer than searching. Found by trial on linear Clobber and Domineering; no answer depends on
/// it.
pub(super) const MOST_OPTIONS: usize = 6;

// Whether a value is small enough to be added to others.
fn is_small(forms: &Forms, value: CanonicalForm) -> Result<bool, Limit> {
    Ok(value.is_inline() || has_few_options(forms, &[value], MOST_OPTIONS)?)
}

// Whether values have at most `most` options, counting both players and all values.
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
    // Adds parts to a state under construction.
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

    // The value of a part (players not exchanged), if it is known or cheap.
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
        // Nimbers are cheap, so they are requested at once.
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
                // Either the loan was too small, or the budget of the whole search is spent.
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

    // Sorts the parts of a state and cancels pairs of a part and its negative.
    pub(super) fn tidy(&mut self, game: &G, state: &mut Vec<Word>, context: &Context<'_>) {
        state[1..].sort_unstable();
        let sound = !self.misere && game.analysis().ends() && game.analysis().is_faultless();
        if !sound || !context.shortcuts.has(Shortcut::Sums) {
            return;
        }
        let mut kept = 1;
        for i in 1..state.len() {
            let part = state[i];
            // The word of a part directly precedes that of its negative.
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
