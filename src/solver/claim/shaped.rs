//! A term of a position comes in; where its rules have a shape for which there is a theory of its own, its nimber goes out
//! without a search. There are two: a rule on heaps whose sequence of nim-values is known ([`super::heaps`]), and a removal game
//! on an order ([`super::orders`]). Nothing else asks which of them a position is.

use super::fault;
use super::orders::{Removed, Tabled};
use super::solve::Solver;
use crate::base::Span;
use crate::engine::upsets::{NimberSet, Order, Solved};
use crate::game::{Limit, Shortcut};
use crate::ir::{Position, Res, Term};
use crate::machine::upsets::{Removal, by_instances, by_rules};
use std::sync::Arc;

/// The most points of an order for which a board is ground to see whether its moves are removals.
pub(super) const GROUND_POINTS: usize = 400;

/// The largest heap whose options are listed one by one, where their nim-values are known without.
const MOST_LISTED: i64 = 2000;

impl Solver {
    /// The nimber of a sum of heaps, where the shape of the rule is known ([`super::heaps`]).
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

    /// The order of a removal game ([`crate::machine::upsets`]).
    pub(super) fn removal(&self, term: &Term) -> Option<Arc<Removed>> {
        if let Some(known) = self.orders.asked(term) {
            return known;
        }
        let removed = self.derived_removal(term).map(Arc::new);
        // What was cut short is not known.
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
        let single = Position::single(term.setting.clone(), term.state.clone());
        let (machine, _) = self.compiled(&single).ok()?;
        let ground = machine.grounds().next().flatten()?;
        let order = by_instances(ground, &term.state)?;
        Some(Removed {
            order,
            setting: term.setting.clone(),
            machine: Some(machine),
        })
    }

    /// An order, solved by one of the ways that are made for it, with the table of its positions.
    pub(super) fn order_solved(&self, of: &Removal) -> Result<Option<Tabled>, Limit> {
        self.fast.upsets(&Order::new(of.points, of.pairs.clone()))
    }

    /// A removal game on an order, solved by one of the ways that are made for it.
    fn solved(&self, term: &Term, span: Span) -> Res<Option<Solved>> {
        let Some(removed) = self.removal(term) else {
            return Ok(None);
        };
        self.orders
            .solved(removed, |of| self.order_solved(of))
            .map_err(|limit| fault::of_limit(limit, span))
    }

    /// The nimber of a term by a road that is made for the shape of its rules.
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

    /// The nimbers of the options of a removal game on an order.
    ///
    /// # Errors
    /// A limit.
    pub fn gset(&self, position: &Position, span: Span) -> Res<Option<NimberSet>> {
        match position.as_single() {
            Some(term) => Ok(self.solved(term, span)?.map(|s| s.gset)),
            None => Ok(None),
        }
    }

    /// How many options each player has, where the rules say it without a look at each.
    #[must_use]
    pub fn option_count(&self, position: &Position) -> Option<usize> {
        Some(self.removal(position.as_single()?)?.order.points)
    }

    /// The options of a sum of heaps that has more counters than a list of its options is made for: how many there are, how
    /// many win, and the first `shown` of these.
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
        let large = term.state.heaps.iter().any(|h| {
            let size = h.first().and_then(crate::ir::Int::to_i64);
            size.is_none_or(|n| n > MOST_LISTED)
        });
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
