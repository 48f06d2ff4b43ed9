//! The results on winners that a solver keeps: the rules that were played last, on their board, with the arena of their
//! positions.

use crate::engine::Statistics;
use crate::engine::arena::Arena;
use crate::ir::naive::NaiveGame;
use crate::machine::{Bare, Machine, Packed};
use std::cell::RefCell;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// The rules on one board, with an arena.
pub(super) enum Court {
    One(Bare<1>, Arena<Bare<1>>),
    Two(Bare<2>, Arena<Bare<2>>),
    Four(Bare<4>, Arena<Bare<4>>),
    Machine(Arc<Machine>, Arena<Machine>),
    Text(Arena<NaiveGame>),
}

impl Court {
    /// Whether these are the rules of a position of a machine.
    pub fn is_of(&self, machine: &Arc<Machine>, position: &Packed) -> bool {
        match self {
            Court::One(bare, _) => bare.is_of(machine, position),
            Court::Two(bare, _) => bare.is_of(machine, position),
            Court::Four(bare, _) => bare.is_of(machine, position),
            Court::Machine(known, _) => Arc::ptr_eq(known, machine),
            Court::Text(_) => false,
        }
    }
}

/// The arena of the board that was queried last.
#[derive(Default)]
pub(super) struct Arenas {
    pub kept: RefCell<Option<Court>>,
    /// The number of queries in bare words, and the number of forced replies, of the solvers of all threads.
    pub narrowed: Arc<AtomicU64>,
    pub forced: Arc<AtomicU64>,
}

impl Arenas {
    /// For the solver of another thread: with the same counts.
    pub fn beside(narrowed: Arc<AtomicU64>, forced: Arc<AtomicU64>) -> Arenas {
        Arenas {
            kept: RefCell::default(),
            narrowed,
            forced,
        }
    }

    /// Adds the counts to the statistics.
    pub fn count(&self, statistics: &mut Statistics) {
        statistics.narrowed += self.narrowed.load(Relaxed);
        statistics.forced += self.forced.load(Relaxed);
    }
}

impl std::fmt::Debug for Arenas {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Arenas")
    }
}
