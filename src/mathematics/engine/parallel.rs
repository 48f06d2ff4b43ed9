//! The threads of an engine, and several of them at one position: one of these answers, and the others help by filling a
//! shared table. For values and plain nimbers it is the memo table; for proofs of nimbers see `proof::verdicts`, for searches
//! by strips `strips::verdicts`.
//!
//! The thread that answers searches the options in their order; the helpers search the same options from other places. What
//! one thread stores by key, the others need not find again. The answer does not depend on the helpers. A value is the same
//! handle whichever thread finds it. A part without a value (a line of play that repeats, a rule that fails) is never in
//! the memo table, so the first such part in order stops the search, with or without helpers.

use super::Engine;
use super::statistics::Statistics;
use super::stopped::Stopped;
use crate::game::{Budget, Cancel, Limit, Limits, Shortcut};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Positions expanded before helpers start: shorter searches are not worth a thread.
pub(super) const ALONE: u64 = 2_000;

/// The number of threads that nobody uses, out of those that a run may have.
#[derive(Debug)]
pub(super) struct Idle(AtomicUsize);

impl Idle {
    pub(super) fn new(limits: &Limits) -> Idle {
        Idle(AtomicUsize::new(limits.threads.saturating_sub(1)))
    }

    /// Takes all of them.
    pub(super) fn take(self: &Arc<Idle>) -> Helpers {
        Helpers {
            count: self.0.swap(0, Ordering::Relaxed),
            idle: self.clone(),
        }
    }
}

/// Threads that may be started, and are given back when this is dropped.
#[derive(Debug)]
pub struct Helpers {
    count: usize,
    idle: Arc<Idle>,
}

impl Helpers {
    /// The number of threads.
    #[must_use]
    pub fn count(&self) -> usize {
        self.count
    }

    /// The same threads, to be given back one by one.
    #[must_use]
    pub fn each(mut self) -> Vec<Helpers> {
        let count = std::mem::take(&mut self.count);
        let one = || Helpers {
            count: 1,
            idle: self.idle.clone(),
        };
        (0..count).map(|_| one()).collect()
    }
}

impl Drop for Helpers {
    fn drop(&mut self) {
        self.idle.0.fetch_add(self.count, Ordering::Relaxed);
    }
}

/// The thread that made this: others may use it in its place until this is dropped.
#[derive(Debug)]
pub struct Waiting(Arc<Idle>);

impl Waiting {
    pub(super) fn new(idle: &Arc<Idle>) -> Waiting {
        idle.0.fetch_add(1, Ordering::Relaxed);
        Waiting(idle.clone())
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        // Those who used the thread have given it back.
        let less = |idle: usize| idle.checked_sub(1);
        let _ = self
            .0
            .0
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, less);
    }
}

/// Where a helper begins in a list of options, so that helpers begin at different places. `order`: its number from 1; 0 for
/// the thread that answers, which begins with the first.
pub(super) fn begins_at(order: usize, count: usize) -> usize {
    order * count / (order + 1)
}

/// Ends the helpers with these tokens when dropped, whatever happens.
struct Ends(Vec<Cancel>);

impl Drop for Ends {
    fn drop(&mut self) {
        self.0.iter().for_each(|token| token.skip(true));
    }
}

/// Runs `work`, and meanwhile `help` in a thread for each of `with`, of which there are no more than `helpers`; ends these
/// after `work`. `help` receives one of `with`, a budget, and its number from 1.
pub(super) fn beside<H: Send, T>(
    helpers: Helpers,
    budget: &Budget,
    with: &mut [H],
    help: impl Fn(&mut H, &Budget, usize) + Sync,
    work: impl FnOnce() -> T,
) -> T {
    std::thread::scope(|scope| {
        let mut ends = Ends(Vec::new());
        for ((order, one), thread) in (1..).zip(with).zip(helpers.each()) {
            let token = budget.cancel().beside();
            ends.0.push(token.clone());
            let pulse = budget.pulse().beside();
            let help = &help;
            scope.spawn(move || {
                let budget = Budget::observed(&Limits::default(), token, pulse);
                help(one, &budget, order);
                drop(thread);
            });
        }
        work()
    })
}

/// Runs `alone` within the budget, with helpers after so many positions (`first`). `help` receives a budget and the order of its
/// options.
pub(super) fn run<K, T, P, F>(
    engine: &Engine<K>,
    budget: &Budget,
    first: u64,
    mut alone: impl FnMut(&Budget) -> Result<T, Stopped<P, F>>,
    help: impl Fn(&Budget, usize) -> Statistics + Sync,
) -> Result<T, Stopped<P, F>>
where
    Engine<K>: Sync,
{
    // Without the shared memo table nobody can help.
    if !engine.may_share() || !engine.shortcuts.has(Shortcut::Keys) {
        return alone(budget);
    }
    let mut turn = first;
    let helpers = loop {
        let has_more = budget.left() >= turn;
        let (result, _) = budget.lend(turn, &mut alone);
        if !has_more || !matches!(result, Err(Stopped::Limit(Limit::Nodes))) {
            return result;
        }
        let helpers = engine.idle.take();
        if helpers.count > 0 {
            break helpers;
        }
        turn = turn.saturating_mul(2);
    };
    let mut counts = vec![Statistics::default(); helpers.count];
    let each = |counts: &mut Statistics, budget: &Budget, order| *counts = help(budget, order);
    let result = beside(helpers, budget, &mut counts, each, || alone(budget));
    counts.iter().for_each(|c| engine.counts.own().absorb(c));
    result
}
