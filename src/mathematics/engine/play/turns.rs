//! Finds the winner by strips and by components, in turns. Input: a position whose moves exclude each other, and a player to
//! move. Output: whether this player wins.
//!
//! On one large board strips decide soonest; a sum of many boards is soon decided by the values of its components, which
//! strips do not know. So the two searches alternate ([`scheduler::STRIPS`]), each going on with what it has found, and the
//! turns grow longer. No answer depends on who finds it.

use super::Play;
use crate::engine::context::Context;
use crate::engine::scheduler;
use crate::engine::stopped::{Stopped, StoppedIn};
use crate::engine::strips;
use crate::game::{Analysis, Game, Limit, Player, Shortcut};
use crate::value::CanonicalForm;

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
        if let Some((_, mut old)) = self.strips.replace((position.clone(), search)) {
            old.clear(context.account);
        }
        true
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
        let mut turn = scheduler::STRIPS;
        loop {
            let (found, _) = context.budget.lend(turn, |budget| {
                let context = Context { budget, ..*context };
                self.by_strips(mover, &context)
            });
            match found {
                Err(Limit::Nodes) if context.budget.left() > 0 => {}
                other => return Ok(other?),
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
                    return Ok(self.by_strips(mover, context)?);
                }
                other => return other,
            }
            turn = turn.saturating_mul(2);
        }
    }

    fn by_strips(&mut self, mover: Player, context: &Context<'_>) -> Result<bool, Limit> {
        match &mut self.strips {
            Some((_, search)) => search.wins(mover, context, &mut self.statistics),
            None => Err(Limit::Nodes),
        }
    }
}
