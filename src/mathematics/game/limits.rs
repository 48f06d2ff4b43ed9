//! Limits of a search, and the budget that is charged while it runs. A search that meets a limit ends with *unknown*, never
//! with a wrong answer. No clock is read here: a front end with a time limit sets the [`Cancel`] token when the time is up.

use crate::value::DEFAULT_MEMORY;
use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};

/// Which limit ended a search.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Limit {
    /// The number of expanded positions.
    Nodes,
    /// The bytes of values and tables.
    Memory,
    /// The search was cancelled from outside, for this reason.
    Cancelled(Reason),
}

/// Why a run was cancelled from outside. The first reason counts.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Reason {
    /// The answer is no longer wanted: a signal, or a cancelled request.
    Interrupted,
    /// The time limit was reached.
    Time,
    /// The process holds more memory than its limit.
    Memory,
}

impl Reason {
    const ALL: [Reason; 3] = [Reason::Interrupted, Reason::Time, Reason::Memory];

    /// The message for users.
    #[must_use]
    pub fn text(self) -> &'static str {
        match self {
            Reason::Interrupted => "the run was interrupted",
            Reason::Time => "the time was over; --time sets it",
            Reason::Memory => "the limit of memory was met; --memory sets it",
        }
    }
}

/// Limits of a search.
#[derive(Clone, Debug)]
pub struct Limits {
    /// The number of positions that may be expanded; `None` for no limit.
    pub nodes: Option<u64>,
    /// The bytes of the arena of values, the memo table and the caches together.
    pub memory: usize,
    /// The number of threads. The answer does not depend on it.
    pub threads: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            nodes: None,
            memory: DEFAULT_MEMORY,
            threads: 1,
        }
    }
}

/// A token that cancels every search that holds a clone of it. It also knows the memory limit of the run, to be checked
/// before anything large is built.
#[derive(Clone, Debug)]
pub struct Cancel {
    // Shared by the clones of one thread only, so that threads do not wait for each other's counts.
    here: Arc<Here>,
    memory: usize,
}

/// What one thread has of a token.
#[derive(Debug, Default)]
struct Here {
    token: Arc<Token>,
    // Whether what this thread does is no longer wanted.
    skips: AtomicBool,
}

#[derive(Debug, Default)]
struct Token {
    flag: Arc<AtomicBool>,
    // The index of the reason in [`Reason::ALL`], plus 1; 0 if not cancelled.
    reason: AtomicU8,
}

impl Default for Cancel {
    fn default() -> Cancel {
        Cancel::with_memory(usize::MAX)
    }
}

impl Cancel {
    /// A token that is not cancelled, without a memory limit.
    #[must_use]
    pub fn new() -> Cancel {
        Cancel::default()
    }

    /// A token for a run that may use this many bytes.
    #[must_use]
    pub fn with_memory(bytes: usize) -> Cancel {
        Cancel {
            here: Arc::default(),
            memory: bytes,
        }
    }

    /// The same token for another thread.
    #[must_use]
    pub fn beside(&self) -> Cancel {
        Cancel {
            here: Arc::new(Here {
                token: self.here.token.clone(),
                skips: AtomicBool::new(false),
            }),
            memory: self.memory,
        }
    }

    /// Asks the searches of one thread to end, or lets it search again.
    pub fn skip(&self, skips: bool) {
        self.here.skips.store(skips, Ordering::Release);
    }

    /// Whether a single object of this many bytes may be built.
    #[must_use]
    pub fn allows(&self, bytes: usize) -> bool {
        bytes <= self.memory
    }

    /// Asks all searches with this token to end as soon as they can: the answer is no longer wanted.
    pub fn cancel(&self) {
        self.cancel_for(Reason::Interrupted);
    }

    /// Asks all searches with this token to end as soon as they can, for this reason.
    pub fn cancel_for(&self, reason: Reason) {
        let place = reason as u8 + 1;
        let (first, then) = (Ordering::Release, Ordering::Relaxed);
        let _ = self
            .here
            .token
            .reason
            .compare_exchange(0, place, first, then);
        self.here.token.flag.store(true, Ordering::Release);
    }

    /// The reason for which the searches were cancelled, if they were.
    #[must_use]
    pub fn reason(&self) -> Option<Reason> {
        if !self.is_cancelled() {
            return None;
        }
        let place = usize::from(self.here.token.reason.load(Ordering::Acquire));
        let known = place.checked_sub(1).and_then(|at| Reason::ALL.get(at));
        Some(known.copied().unwrap_or(Reason::Interrupted))
    }

    /// The reason as a limit, if the searches were cancelled.
    #[must_use]
    pub fn limit(&self) -> Option<Limit> {
        self.reason().map(Limit::Cancelled)
    }

    /// The flag itself, for code that knows no searches, such as the arena of values.
    #[must_use]
    pub fn flag(&self) -> Arc<AtomicBool> {
        self.here.token.flag.clone()
    }

    /// Whether the token is cancelled.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        let Here { token, skips } = &*self.here;
        token.flag.load(Ordering::Relaxed) || skips.load(Ordering::Relaxed)
    }
}

/// After so many positions another thread adds them to the progress of the first.
const TOLD: u64 = 1 << 6;

/// Called from time to time while a search runs, where no other thread can watch it.
type Tick = Box<dyn Fn(&Pulse) + Send + Sync>;

/// The progress of searches, for an observer in another thread or a tick. No search reads it.
#[derive(Default)]
pub struct Pulse {
    positions: AtomicU64,
    // That of the first thread, which is told now and then.
    of: Option<Arc<Pulse>>,
    found: AtomicU64,
    bytes: AtomicUsize,
    tick: OnceLock<Tick>,
}

impl fmt::Debug for Pulse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pulse")
            .field("positions", &self.positions)
            .field("found", &self.found)
            .field("bytes", &self.bytes)
            .finish_non_exhaustive()
    }
}

impl Pulse {
    /// The number of positions expanded so far.
    #[must_use]
    pub fn positions(&self) -> u64 {
        self.positions.load(Ordering::Relaxed)
    }

    /// The progress of another thread, which adds to this one.
    #[must_use]
    pub fn beside(self: &Arc<Pulse>) -> Arc<Pulse> {
        Arc::new(Pulse {
            of: Some(self.clone()),
            ..Pulse::default()
        })
    }

    // Counts an expanded position.
    fn count(&self) {
        let before = self.positions.fetch_add(1, Ordering::Relaxed);
        if let Some(of) = &self.of
            && (before + 1).is_multiple_of(TOLD)
        {
            of.positions.fetch_add(TOLD, Ordering::Relaxed);
        }
    }

    /// The number of positions that were in the memo table already; updated with some delay.
    #[must_use]
    pub fn found(&self) -> u64 {
        self.found.load(Ordering::Relaxed)
    }

    /// The bytes of values and tables at the last update.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.bytes.load(Ordering::Relaxed)
    }

    /// Adds to the number of positions found, sets the bytes of values and tables, and calls the tick.
    pub fn note(&self, found: u64, bytes: usize) {
        if let Some(of) = &self.of {
            return of.note(found, bytes);
        }
        self.found.fetch_add(found, Ordering::Relaxed);
        self.bytes.store(bytes, Ordering::Relaxed);
        if let Some(tick) = self.tick.get() {
            tick(self);
        }
    }

    /// Calls `tick` at each [`note`](Pulse::note), in the thread that searches: it may read a clock and cancel. Only the
    /// first tick given is used.
    pub fn on_note(&self, tick: impl Fn(&Pulse) + Send + Sync + 'static) {
        let _ = self.tick.set(Box::new(tick));
    }
}

/// The running account of one search.
#[derive(Debug)]
pub struct Budget {
    nodes_left: AtomicU64,
    cancel: Cancel,
    pulse: Arc<Pulse>,
}

impl Budget {
    /// A fresh account under `limits`, which `cancel` can end.
    #[must_use]
    pub fn new(limits: &Limits, cancel: Cancel) -> Budget {
        Budget::observed(limits, cancel, Arc::default())
    }

    /// The same, with an observer.
    #[must_use]
    pub fn observed(limits: &Limits, cancel: Cancel, pulse: Arc<Pulse>) -> Budget {
        Budget {
            nodes_left: AtomicU64::new(limits.nodes.unwrap_or(u64::MAX)),
            cancel,
            pulse,
        }
    }

    /// The token that can end the search.
    #[must_use]
    pub fn cancel(&self) -> &Cancel {
        &self.cancel
    }

    /// The progress that observers see.
    #[must_use]
    pub fn pulse(&self) -> &Arc<Pulse> {
        &self.pulse
    }

    /// Lends at most `nodes` positions to a part of this search, with the same token. Returns the result of `work` and the
    /// number of positions it spent, which are charged here.
    pub fn lend<T>(&self, nodes: u64, work: impl FnOnce(&Budget) -> T) -> (T, u64) {
        // A part without a limit would not count.
        let before = nodes.min(self.left()).min(u64::MAX - 1);
        let part = Budget {
            nodes_left: AtomicU64::new(before),
            cancel: self.cancel.clone(),
            pulse: self.pulse.clone(),
        };
        let result = work(&part);
        let spent = before - part.left();
        self.spend(spent);
        (result, spent)
    }

    /// The number of positions that may still be expanded; `u64::MAX` if there is no limit.
    #[must_use]
    pub fn left(&self) -> u64 {
        self.nodes_left.load(Ordering::Relaxed)
    }

    /// Charges several expanded positions at once, even if fewer are left.
    pub fn spend(&self, nodes: u64) {
        let left = self.nodes_left.load(Ordering::Relaxed);
        if left != u64::MAX {
            self.nodes_left
                .store(left.saturating_sub(nodes), Ordering::Relaxed);
        }
    }

    /// Whether the search may go on, for work that expands no positions.
    ///
    /// # Errors
    /// The reason for which it was cancelled.
    pub fn check(&self) -> Result<(), Limit> {
        match self.cancel.limit() {
            Some(limit) => Err(limit),
            None => Ok(()),
        }
    }

    /// Charges one expanded position.
    ///
    /// # Errors
    /// The limit that is met.
    pub fn charge(&self) -> Result<(), Limit> {
        self.check()?;
        let left = self.nodes_left.load(Ordering::Relaxed);
        if left == 0 {
            return Err(Limit::Nodes);
        }
        if left != u64::MAX {
            self.nodes_left.store(left - 1, Ordering::Relaxed);
        }
        self.pulse.count();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lent_positions_count_with_and_without_a_limit() {
        for (nodes, lent) in [
            (None, u64::MAX),
            (None, 5),
            (Some(10), u64::MAX),
            (Some(10), 5),
        ] {
            let limits = Limits {
                nodes,
                ..Limits::default()
            };
            let budget = Budget::new(&limits, Cancel::new());
            let (done, spent) = budget.lend(lent, |part| (0..3).all(|_| part.charge().is_ok()));
            assert_eq!((done, spent), (true, 3), "{nodes:?} {lent}");
            assert_eq!(budget.left(), nodes.map_or(u64::MAX, |n| n - 3));
        }
        let budget = Budget::new(&Limits::default(), Cancel::new());
        let (done, spent) = budget.lend(2, |part| (0..3).all(|_| part.charge().is_ok()));
        assert_eq!((done, spent), (false, 2));
    }
}
