//! Finds the winner by strips and by components, in turns. Input: a position whose moves exclude each other, and a player to
//! move. Output: whether this player wins.
//!
//! On one large board strips decide soonest; a sum of many boards is soon decided by the values of its components, which
//! strips do not know. So the two searches alternate ([`scheduler::STRIPS`]), each going on with what it has found, and the
//! turns grow longer. No answer depends on who finds it. Threads that nobody uses search by strips meanwhile.

use super::Play;
use crate::engine::account::Account;
use crate::engine::context::Context;
use crate::engine::parallel::{self, Helpers, Idle};
use crate::engine::scheduler;
use crate::engine::statistics::Statistics;
use crate::engine::stopped::{Stopped, StoppedIn};
use crate::engine::strips;
use crate::game::{Analysis, Budget, Game, Limit, Player, Shortcut};
use crate::value::CanonicalForm;
use std::ops::Range;

/// The length of the first turn that has helpers, where there are any: shorter searches are not worth a thread.
const ALONE: u64 = 1 << 12;

/// The search of another thread, and what it counts.
type Helper = (Box<dyn strips::Search>, Statistics);

impl<G: Game> Play<G> {
    /// Whether a search by strips applies to a position; it is prepared. On WebAssembly it does not: the page has no room for
    /// its code.
    pub(super) fn has_strips(
        &mut self,
        game: &G,
        position: &G::Position,
        context: &Context<'_>,
    ) -> bool {
        if cfg!(target_family = "wasm") || self.misere || !context.shortcuts.has(Shortcut::Strips) {
            return false;
        }
        if self.strips.as_ref().is_some_and(|(p, _)| p == position) {
            return true;
        }
        let always = context.strips_always;
        let conflicts = game.analysis().conflicts(position, strips::least(always));
        let Some(search) = conflicts.and_then(|c| strips::search(&c, always)) else {
            return false;
        };
        self.clear_strips(context.account);
        self.strips = Some((position.clone(), vec![search]));
        true
    }

    pub(super) fn clear_strips(&mut self, account: &Account) {
        if let Some((_, mut searches)) = self.strips.take() {
            searches.iter_mut().for_each(|search| search.clear(account));
        }
    }

    /// Whether `mover` wins a position at which `has_strips` holds.
    pub(super) fn in_turns(
        &mut self,
        game: &G,
        position: &G::Position,
        mover: Player,
        context: &Context<'_>,
        ask: super::Ask<'_, G>,
    ) -> Result<bool, StoppedIn<G>> {
        let short = scheduler::STRIPS..ALONE;
        if let Some(wins) = self.turns(game, position, mover, short, context, &mut *ask)? {
            return Ok(wins);
        }
        let helpers = context.idle.map(Idle::take);
        let count = helpers.as_ref().map_or(0, Helpers::count);
        let mut others = self.others(game, position, count, context);
        let mut go_on = || {
            let found = self.turns(game, position, mover, ALONE..u64::MAX, context, ask)?;
            found.ok_or(Stopped::Limit(Limit::Nodes))
        };
        let Some(helpers) = helpers else {
            return go_on();
        };
        let help = |(search, counts): &mut Helper, budget: &Budget, order| {
            let context = Context {
                budget,
                order,
                ..*context
            };
            let _ = search.wins(mover, &context, counts);
        };
        let found = parallel::beside(helpers, context.budget, &mut others, help, go_on);
        for (mut search, counts) in others {
            self.statistics.absorb(&counts);
            match &mut self.strips {
                Some((_, searches)) => searches.push(search),
                None => search.clear(context.account),
            }
        }
        found
    }

    // Searches for other threads: those that took part before, and new ones.
    fn others(
        &mut self,
        game: &G,
        position: &G::Position,
        count: usize,
        context: &Context<'_>,
    ) -> Vec<Helper> {
        let Some((_, searches)) = &mut self.strips else {
            return Vec::new();
        };
        let always = context.strips_always;
        let kept = searches.len().saturating_sub(count).max(1);
        let mut others = searches.split_off(kept);
        if others.len() < count
            && let Some(conflicts) = game.analysis().conflicts(position, strips::least(always))
        {
            let more = others.len()..count;
            others.extend(more.filter_map(|_| searches[0].beside(&conflicts, always)));
        }
        let fresh = |search| (search, Statistics::default());
        others.into_iter().map(fresh).collect()
    }

    // Alternates, with turns of these lengths; `None` if they do not decide.
    #[allow(clippy::too_many_arguments)]
    fn turns(
        &mut self,
        game: &G,
        position: &G::Position,
        mover: Player,
        lengths: Range<u64>,
        context: &Context<'_>,
        ask: super::Ask<'_, G>,
    ) -> Result<Option<bool>, StoppedIn<G>> {
        let mut turn = lengths.start;
        while turn < lengths.end {
            let (found, _) = context.budget.lend(turn, |budget| {
                let context = Context { budget, ..*context };
                self.by_strips(mover, &context)
            });
            match found {
                Err(Limit::Nodes) if context.budget.left() > 0 => {}
                other => return Ok(Some(other?)),
            }
            let rest = self.rest;
            let states = (turn / scheduler::PARTS).min(rest.unwrap_or(u64::MAX));
            self.rest = Some(states);
            let found = self.begin(
                game,
                position,
                CanonicalForm::ZERO,
                mover,
                context,
                &mut *ask,
            );
            self.close_all();
            let spent = states - self.rest.unwrap_or(0);
            self.rest = rest.map(|rest| rest - spent);
            match found {
                Err(Stopped::Limit(Limit::Nodes))
                    if context.budget.left() > 0 && self.rest != Some(0) => {}
                Err(Stopped::Limit(Limit::Memory)) => {
                    let strips = self.strips.take();
                    self.clear(context.account);
                    self.strips = strips;
                    return Ok(Some(self.by_strips(mover, context)?));
                }
                other => return other.map(Some),
            }
            turn = turn.saturating_mul(2);
        }
        Ok(None)
    }

    fn by_strips(&mut self, mover: Player, context: &Context<'_>) -> Result<bool, Limit> {
        let search = self.strips.as_mut().and_then(|(_, all)| all.first_mut());
        let search = search.ok_or(Limit::Nodes)?;
        search.wins(mover, context, &mut self.statistics)
    }
}
