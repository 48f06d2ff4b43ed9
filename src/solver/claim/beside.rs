//! Solvers for other threads. Each thread has a solver of its own; all of them use one arena of values, one memo table by key,
//! and the same machines and counters. What a solver finds about loops, misère play and winners is its own, within the limit of
//! memory for each.

use super::court::Arenas;
use super::solve::{Many, Solver};
use crate::engine::{Helpers, Waiting};

impl Solver {
    /// Makes a solver on another thread, over the same engines: what one of them finds by key, the others know.
    pub fn beside(&self) -> impl FnOnce() -> Solver + Send + use<> {
        let (cancel, pulse) = (self.cancel.beside(), self.pulse.beside());
        let engines = (
            self.fast.on_thread(&cancel, &pulse),
            self.naive.on_thread(&cancel, &pulse),
        );
        let (model, counters) = (self.model.clone(), self.counters.clone());
        let shelf = self.shelf.clone();
        let degraded = self.many.degraded.clone();
        let (narrowed, forced) = (self.arenas.narrowed.clone(), self.arenas.forced.clone());
        let (limits, shortcuts) = (self.limits.clone(), self.shortcuts);
        move || Solver {
            shelf,
            counters,
            arenas: Arenas::beside(narrowed, forced),
            many: Many {
                degraded,
                ..Many::default()
            },
            ..Solver::over(model, engines, &limits, &cancel, shortcuts, &pulse)
        }
    }

    /// See [`crate::engine::Engine::helpers`].
    #[must_use]
    pub fn helpers(&self) -> Option<Helpers> {
        self.fast.helpers()
    }

    /// See [`crate::engine::Engine::may_share`].
    pub(super) fn may_share(&self) -> bool {
        self.fast.may_share()
    }

    /// See [`crate::engine::Engine::waits`].
    pub(super) fn waits(&self) -> Waiting {
        self.fast.waits()
    }
}
