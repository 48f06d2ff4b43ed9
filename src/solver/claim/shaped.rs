//! Nimbers of terms whose rules have a shape with a theory of its own, without a search. There are two shapes: a rule on
//! heaps with a known sequence of nim-values ([`super::heaps`]), and a removal game on an order ([`super::orders`]). No other
//! code tests for them.

use super::fault;
use super::orders::{Removed, Tabled};
use super::solve::Solver;
use crate::base::Span;
use crate::engine::upsets::{NimberSet, Order, Solved};
use crate::game::{Limit, Shortcut};
use crate::ir::{Position, Res, Term};
use crate::machine::upsets::{Removal, by_instances, by_rules};
use std::sync::Arc;

/// The most variables of a board that is ground to test whether its moves are removals.
pub(super) const GROUND_POINTS: usize = 400;

/// The largest heap whose options are listed, if their nim-values are known without listing them.
const MOST_LISTED: i64 = 2000;

/// The largest heap whose options are listed at all.
const MOST_TRIED: i64 = 1 << 20;

/// Whether some heap of a position is larger than this.
fn has_larger_heap(position: &Position, than: i64) -> bool {
    let mut heaps = position.terms().iter().flat_map(|t| &t.state.heaps);
    heaps.any(|h| {
        let size = h.first().and_then(crate::ir::Int::to_i64);
        size.is_none_or(|n| n > than)
    })
}

impl Solver {
    /// The nimber of a sum of heaps, if the shape of the rule is known ([`super::heaps`]).
    fn heaps_nimber(&self, term: &Term, span: Span) -> Res<Option<u32>> {
        if !self.shortcuts.has(Shortcut::Sequences) || term.state.heaps.is_empty() {
            return Ok(None);
        }
        let instance = &term.setting.instance;
        let wrong = u32::from(self.fast.plants(Shortcut::Sequences));
        self.heaps
            .nimber(&self.model, instance, &term.state, &self.cancel)
            .map(|found| found.map(|n| n + wrong))
            .map_err(|limit| fault::of_limit(limit, span))
    }

    /// The order of a removal game ([`crate::machine::upsets`]); `None` for other games.
    pub(super) fn removal(&self, term: &Term) -> Option<Arc<Removed>> {
        if self.orders.is_refused(&term.setting) {
            return None;
        }
        if let Some(known) = self.orders.asked(term) {
            return known;
        }
        let removed = self.derived_removal(term).map(Arc::new);
        // A cancelled derivation says nothing.
        if !self.cancel.is_cancelled() {
            self.orders.keep(term, removed.clone());
        }
        removed
    }

    fn derived_removal(&self, term: &Term) -> Option<Removed> {
        let shortcuts = self.shortcuts;
        if !(shortcuts.has(Shortcut::Product) || shortcuts.has(Shortcut::Antichains))
            || !term.state.heaps.is_empty()
        {
            return None;
        }
        if let Some(order) = by_rules(&term.setting, &term.state) {
            return Some(Removed {
                order,
                setting: term.setting.clone(),
                machine: None,
            });
        }
        if !self.shortcuts.has(Shortcut::Ground) || term.setting.layout.len() > GROUND_POINTS {
            return None;
        }
        let single = term.single();
        let (machine, _) = self.compiled(&single).ok()?;
        let ground = machine.grounds().next()?.1?;
        if ground.instances.iter().any(|m| m.players & 3 != 3) {
            // So it is for all states that this machine serves, such as the next ones of a search. Others are searched.
            self.orders.refuse(&term.setting);
            return None;
        }
        let order = by_instances(ground, &term.state)?;
        Some(Removed {
            order,
            setting: term.setting.clone(),
            machine: Some(machine),
        })
    }

    /// Solves an order by one of its special methods; returns the table of its positions, too.
    pub(super) fn order_solved(&self, of: &Removal) -> Result<Option<Tabled>, Limit> {
        self.fast.upsets(&Order::new(of.points, of.pairs.clone()))
    }

    /// Solves a removal game on an order by one of the special methods.
    fn solved(&self, term: &Term, span: Span) -> Res<Option<Solved>> {
        let Some(removed) = self.removal(term) else {
            return Ok(None);
        };
        self.orders
            .solved(removed, |of| self.order_solved(of))
            .map_err(|limit| fault::of_limit(limit, span))
    }

    /// The nimber of a term by the method for the shape of its rules; `None` if they have none.
    pub(super) fn shaped_nimber(&self, term: &Term, span: Span) -> Res<Option<u32>> {
        if let Some(n) = self.heaps_nimber(term, span)? {
            return Ok(Some(n));
        }
        let Some(removed) = self.removal(term) else {
            return Ok(None);
        };
        self.orders
            .nimber(removed, |of| self.order_solved(of))
            .map_err(|limit| fault::of_limit(limit, span))
    }

    /// The nimbers of the options of a removal game on an order; `None` for other games.
    ///
    /// # Errors
    /// A limit.
    pub fn gset(&self, position: &Position, span: Span) -> Res<Option<NimberSet>> {
        match position.as_single() {
            Some(term) => Ok(self.solved(term, span)?.map(|s| s.gset)),
            None => Ok(None),
        }
    }

    /// The number of options of each player, if the rules give it without listing them.
    #[must_use]
    pub fn option_count(&self, position: &Position) -> Option<usize> {
        Some(self.removal(position.as_single()?)?.order.points)
    }

    /// Whether a position has more options than a list may hold, since a heap is too large.
    #[must_use]
    pub fn has_too_many_options(&self, position: &Position) -> bool {
        has_larger_heap(position, MOST_TRIED)
    }

    /// The options of a sum with a heap that is too large for a list of its options: their number, the number that win, and
    /// the first `shown` of these. `None` for other positions.
    ///
    /// # Errors
    /// A limit.
    pub fn heaps_options(
        &self,
        position: &Position,
        shown: usize,
        span: Span,
    ) -> Res<Option<(u64, u64, Vec<Position>)>> {
        let Some(term) = position.as_single() else {
            return Ok(None);
        };
        let large = has_larger_heap(position, MOST_LISTED);
        if !large || !self.shortcuts.has(Shortcut::Sequences) {
            return Ok(None);
        }
        let instance = &term.setting.instance;
        let options = self
            .heaps
            .options(&self.model, instance, &term.state, shown, &self.cancel)
            .map_err(|limit| fault::of_limit(limit, span))?;
        let Some(options) = options else {
            return Ok(None);
        };
        let first = options.first.into_iter().map(|heaps| {
            let mut state = term.state.clone();
            let sizes = heaps.into_iter();
            state.heaps = sizes
                .map(|n| vec![i64::try_from(n).unwrap_or(i64::MAX).into()])
                .collect();
            state.settle();
            Position::single(term.setting.clone(), state)
        });
        Ok(Some((options.count, options.winning, first.collect())))
    }
}
