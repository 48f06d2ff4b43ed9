//! Several threads at one position: one of them answers, and the others help by filling the shared memo table.
//!
//! The thread that answers searches the options in their order; the helpers search the same options from other places. What
//! one thread stores by key, the others need not find again. The answer does not depend on the helpers. A value is the same
//! handle whichever thread finds it. A part without a value (a line of play that repeats, a rule that fails) is never in
//! the memo table, so the first such part in order stops the search, with or without helpers.

use super::Engine;
use super::statistics::Statistics;
use super::stopped::Stopped;
use crate::game::{Budget, Cancel, Limit, Limits, Shortcut};

/// Positions expanded before helpers start: shorter searches are not worth a thread.
const ALONE: u64 = 2_000;

/// Cancels the helpers when dropped, whatever happens.
struct Ends(Cancel);

impl Drop for Ends {
    fn drop(&mut self) {
        self.0.cancel();
    }
}

/// Runs `alone` within the budget, after a while with helpers. `help` receives a budget and the order of its options.
pub(super) fn run<K, T, P, F>(
    engine: &Engine<K>,
    budget: &Budget,
    mut alone: impl FnMut(&Budget) -> Result<T, Stopped<P, F>>,
    help: impl Fn(&Budget, usize) -> Statistics + Sync,
) -> Result<T, Stopped<P, F>>
where
    Engine<K>: Sync,
{
    let helpers = engine.limits.threads.saturating_sub(1);
    // Without the shared memo table nobody can help. A limit of positions holds for all threads together, and what is found
    // within it must not depend on them.
    if helpers == 0 || engine.limits.nodes.is_some() || !engine.shortcuts.has(Shortcut::Keys) {
        return alone(budget);
    }
    let has_more = budget.left() >= ALONE;
    let (result, _) = budget.lend(ALONE, &mut alone);
    if !has_more || !matches!(result, Err(Stopped::Limit(Limit::Nodes))) {
        return result;
    }
    let done = Cancel::new();
    std::thread::scope(|scope| {
        let _ends = Ends(done.clone());
        for order in 1..=helpers {
            let done = done.clone();
            let help = &help;
            scope.spawn(move || {
                let budget = Budget::new(&Limits::default(), done).with_pulse(&engine.pulse);
                let statistics = help(&budget, order);
                let mut all = engine.statistics.lock().unwrap_or_else(|e| e.into_inner());
                all.absorb(&statistics);
            });
        }
        alone(budget)
    })
}
