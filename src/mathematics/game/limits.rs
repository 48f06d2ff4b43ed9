//! What a search may spend: limits come in, a budget that is charged as the search goes comes out. A limit that is met
//! ends the search with *unknown*, never with a wrong answer. No clock is read here: a front end that wants a time limit
//! sets the [`Cancel`] token when the time is over.

use crate::value::DEFAULT_MEMORY;
use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};

/// Which limit ended a search.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Limit {
    /// The number of positions that may be expanded.
    Nodes,
    /// The bytes that values and tables may take.
    Memory,
    /// The search was ended from outside, and why.
    Cancelled(Reason),
}

/// Why a run was ended from outside. The first reason counts.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Reason {
    /// Somebody does not want the answer any more: a signal, or whoever asked.
    Interrupted,
    /// Its time was over.
    Time,
    /// The process holds more memory than it may.
    Memory,
}

impl Reason {
    const ALL: [Reason; 3] = [Reason::Interrupted, Reason::Time, Reason::Memory];

    /// What is said of it.
    #[must_use]
    pub fn text(self) -> &'static str {
        match self {
            Reason::Interrupted => "the run was interrupted",
            Reason::Time => "the time was over; --time sets it",
            Reason::Memory => "the limit of memory was met; --memory sets it",
        }
    }
}

/// Limits of a search; `None` means no limit.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Positions that may be expanded.
    pub nodes: Option<u64>,
    /// Bytes for the arena of values, the memo and the caches together.
    pub memory: usize,
    /// Threads that may work; the answer does not depend on it.
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

/// A token that cancels every search that holds a clone of it, and knows how much memory the run may take: whoever is about to
/// build something large asks it first.
#[derive(Clone, Debug)]
pub struct Cancel {
    flag: Arc<AtomicBool>,
    // The place of the reason in [`Reason::ALL`], and 1; 0 while nobody has cancelled.
    reason: Arc<AtomicU8>,
    memory: usize,
}

impl Default for Cancel {
    fn default() -> Cancel {
        Cancel::with_memory(usize::MAX)
    }
}

impl Cancel {
    /// A token that nobody has cancelled yet, without a limit of memory.
    #[must_use]
    pub fn new() -> Cancel {
        Cancel::default()
    }

    /// A token for a run that may take so many bytes.
    #[must_use]
    pub fn with_memory(bytes: usize) -> Cancel {
        Cancel {
            flag: Arc::default(),
            reason: Arc::default(),
            memory: bytes,
        }
    }

    /// Whether one thing of so many bytes may be built.
    #[must_use]
    pub fn allows(&self, bytes: usize) -> bool {
        bytes <= self.memory
    }

    /// Asks all searches with this token to end as soon as they can, since the answer is not wanted any more.
    pub fn cancel(&self) {
        self.cancel_for(Reason::Interrupted);
    }

    /// Asks all searches with this token to end as soon as they can.
    pub fn cancel_for(&self, reason: Reason) {
        let place = reason as u8 + 1;
        let (first, then) = (Ordering::Release, Ordering::Relaxed);
        let _ = self.reason.compare_exchange(0, place, first, then);
        self.flag.store(true, Ordering::Release);
    }

    /// Why the searches were asked to end, if they were.
    #[must_use]
    pub fn reason(&self) -> Option<Reason> {
        if !self.is_cancelled() {
            return None;
        }
        let place = usize::from(self.reason.load(Ordering::Acquire));
        let known = place.checked_sub(1).and_then(|at| Reason::ALL.get(at));
        Some(known.copied().unwrap_or(Reason::Interrupted))
    }

    /// The limit that ends the searches, if they were asked to end.
    #[must_use]
    pub fn limit(&self) -> Option<Limit> {
        self.reason().map(Limit::Cancelled)
    }

    /// The flag itself, for what does not know searches, such as the arena of values.
    #[must_use]
    pub fn flag(&self) -> Arc<AtomicBool> {
        self.flag.clone()
    }

    /// Whether someone has cancelled.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.flag.load(Ordering::Relaxed)
    }
}

/// What is called now and then while a search runs, where no other thread can watch it.
type Tick = Box<dyn Fn(&Pulse) + Send + Sync>;

/// How far searches have come, for whoever watches from another thread, or by a tick. No search looks at it.
#[derive(Default)]
pub struct Pulse {
    positions: AtomicU64,
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
    /// Positions expanded so far.
    #[must_use]
    pub fn positions(&self) -> u64 {
        self.positions.load(Ordering::Relaxed)
    }

    /// Positions that were known when they were met; a little behind.
    #[must_use]
    pub fn found(&self) -> u64 {
        self.found.load(Ordering::Relaxed)
    }

    /// Bytes that values and tables held when this was last noted.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.bytes.load(Ordering::Relaxed)
    }

    /// Notes that so many more were known when they were met, and what values and tables hold.
    pub fn note(&self, found: u64, bytes: usize) {
        self.found.fetch_add(found, Ordering::Relaxed);
        self.bytes.store(bytes, Ordering::Relaxed);
        if let Some(tick) = self.tick.get() {
            tick(self);
        }
    }

    /// Calls `tick` each time that something is noted, in the thread that searches: it may look at a clock and cancel. Only the
    /// first one that is given is called.
    pub fn on_note(&self, tick: impl Fn(&Pulse) + Send + Sync + 'static) {
        // A second one is dropped, as documented.
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
        Budget {
            nodes_left: AtomicU64::new(limits.nodes.unwrap_or(u64::MAX)),
            cancel,
            pulse: Arc::default(),
        }
    }

    /// The account, watched.
    #[must_use]
    pub fn with_pulse(mut self, pulse: &Arc<Pulse>) -> Budget {
        self.pulse = pulse.clone();
        self
    }

    /// What is told to whoever watches.
    #[must_use]
    pub fn pulse(&self) -> &Arc<Pulse> {
        &self.pulse
    }

    /// Lends at most `nodes` positions to a part of this search, ended by the same token: what `work` comes to, and how many
    /// positions it spent, which are charged here.
    pub fn lend<T>(&self, nodes: u64, work: impl FnOnce(&Budget) -> T) -> (T, u64) {
        let before = nodes.min(self.left());
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

    /// Positions that may still be expanded; `u64::MAX` where there is no limit.
    #[must_use]
    pub fn left(&self) -> u64 {
        self.nodes_left.load(Ordering::Relaxed)
    }

    /// Charges many expanded positions at once, without asking whether there are so many left.
    pub fn spend(&self, nodes: u64) {
        let left = self.nodes_left.load(Ordering::Relaxed);
        if left != u64::MAX {
            self.nodes_left
                .store(left.saturating_sub(nodes), Ordering::Relaxed);
        }
    }

    /// Charges one expanded position.
    ///
    /// # Errors
    /// The limit that has been met.
    pub fn charge(&self) -> Result<(), Limit> {
        if let Some(limit) = self.cancel.limit() {
            return Err(limit);
        }
        let left = self.nodes_left.load(Ordering::Relaxed);
        if left == 0 {
            return Err(Limit::Nodes);
        }
        if left != u64::MAX {
            self.nodes_left.store(left - 1, Ordering::Relaxed);
        }
        self.pulse.positions.fetch_add(1, Ordering::Relaxed);
        Ok(())
    }
}
