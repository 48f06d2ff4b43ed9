//! The positions that follow: in comes a position, out comes every position that moves of any players reach, the first one
//! included. Play does not go on from a position that is reached by a move that ends it.
//!
//! Compiled rules list packed states, each once, and turn only those into positions. The naive evaluator lists the rest: sums
//! of several terms, rules that are not compiled, and those whose packed states leave out what no later move asks for.

use super::fault::of_limit;
use super::solve::{Road, Solver};
use crate::base::Span;
use crate::engine::arena::ToMove;
use crate::game::{Player, Rules};
use crate::ir::{Position, Res};
use crate::machine::{Machine, Packed};
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;
use std::sync::Arc;

impl Solver {
    /// The positions that follow from `start`, in their order; `None` if they are more than `most`.
    ///
    /// # Errors
    /// A rule that fails; a limit.
    pub(super) fn followers(
        &self,
        start: &Arc<Position>,
        most: usize,
        span: Span,
    ) -> Res<Option<BTreeSet<Arc<Position>>>> {
        if self.has_ended(start)? {
            return Ok(Some(BTreeSet::from([start.clone()])));
        }
        if let Road::Fast(machine, first) = self.plain_road(start)?
            && machine.is_exact(&first)
        {
            return self.followers_in_words(&machine, first, most, span);
        }
        let mut all = BTreeSet::from([start.clone()]);
        let mut gone_on = all.clone();
        let mut open = vec![start.clone()];
        while let Some(p) = open.pop() {
            for player in (0..p.players()).map(Player) {
                for moved in self.moves(&p, ToMove::after_a_move(player))? {
                    let next = Arc::new(moved.position);
                    all.insert(next.clone());
                    if moved.end.is_none() && gone_on.insert(next.clone()) {
                        open.push(next);
                    }
                }
            }
            if all.len() > most {
                return Ok(None);
            }
        }
        Ok(Some(all))
    }

    fn followers_in_words(
        &self,
        machine: &Machine,
        first: Packed,
        most: usize,
        span: Span,
    ) -> Res<Option<BTreeSet<Arc<Position>>>> {
        let mut all = FxHashSet::from_iter([first.clone()]);
        let mut gone_on = all.clone();
        let mut open = vec![first];
        let mut steps = Vec::new();
        let budget = self.budget();
        while let Some(p) = open.pop() {
            for player in (0..machine.players()).map(Player) {
                machine.steps(&p, player, &mut steps)?;
                for step in steps.drain(..) {
                    if step.end.is_none() && gone_on.insert(step.to.clone()) {
                        open.push(step.to.clone());
                    }
                    all.insert(step.to);
                }
            }
            if all.len() > most {
                return Ok(None);
            }
            budget.check().map_err(|limit| of_limit(limit, span))?;
        }
        let mut shown = BTreeSet::new();
        for p in &all {
            budget.check().map_err(|limit| of_limit(limit, span))?;
            shown.insert(Arc::new(machine.show(p)));
        }
        Ok(Some(shown))
    }
}
