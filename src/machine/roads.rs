//! Which of the machine's fast roads are open: each can be closed, and the answers must not change.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// How often the machine's roads were taken. Several machines may count together.
#[derive(Debug, Default)]
pub struct Counters {
    pub(super) compiled: AtomicU64,
    pub(super) by_sets: AtomicU64,
    pub(super) symmetric: AtomicU64,
    pub(super) mixed: AtomicU64,
    pub(super) patterns: AtomicU64,
    pub(super) shapes: AtomicU64,
    pub(super) states: AtomicU64,
    pub(super) open: AtomicU64,
    pub(super) removals: AtomicU64,
    pub(super) rooted: AtomicU64,
    pub(super) graphs: AtomicU64,
    pub(super) bits: AtomicU64,
    pub(super) copies: AtomicU64,
}

impl Counters {
    /// Names and numbers: boards whose patterns are made by word operations, boards whose writes copy or map bits, boards whose parts are known by their open moves, boards of games of removal and of cutting edges loose, boards whose
    /// instances are sets, boards compiled to instances, boards with symmetries, boards whose cells have different values
    /// and yet patterns; keys that are graphs of instances, patterns, shapes, or states on their own board.
    #[must_use]
    pub fn all(&self) -> [(&'static str, u64); 13] {
        [
            ("boards_by_bits", self.bits.load(Relaxed)),
            ("boards_by_copies", self.copies.load(Relaxed)),
            ("boards_by_open_moves", self.open.load(Relaxed)),
            ("boards_of_removal", self.removals.load(Relaxed)),
            ("boards_of_rooted_graphs", self.rooted.load(Relaxed)),
            ("boards_by_sets", self.by_sets.load(Relaxed)),
            ("boards_compiled", self.compiled.load(Relaxed)),
            ("boards_of_mixed_values", self.mixed.load(Relaxed)),
            ("boards_with_symmetry", self.symmetric.load(Relaxed)),
            ("keys_by_graph", self.graphs.load(Relaxed)),
            ("keys_by_pattern", self.patterns.load(Relaxed)),
            ("keys_by_shape", self.shapes.load(Relaxed)),
            ("keys_by_state", self.states.load(Relaxed)),
        ]
    }
}

/// Which roads are open.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Roads {
    /// Rules are grounded to instances; else the naive evaluator plays.
    pub ground: bool,
    /// Positions are split into independent components.
    pub split: bool,
    /// Enabled and live instances are found by sets; else each instance is looked at.
    pub index: bool,
    /// Where values that never change again still matter to moves, parts are known by the moves that they leave open.
    pub open: bool,
    /// Where no instance is enabled again and each disables a fixed set, positions are sets of instances in a search for
    /// values.
    pub removal: bool,
    /// Where each move takes an edge and what is not joined to the root falls, positions are sets of edges.
    pub rooted: bool,
    /// Parts are known by their shape, wherever they lie; else by the board and the state.
    pub shapes: bool,
    /// Parts of at most so many live moves are written out, so that they are known on any board; larger ones seldom come
    /// again elsewhere and are known on their own.
    pub written_out: usize,
    /// Parts of games of removal whose instances disable each other in the same way share a key, whatever the board; else
    /// such a part is known on its own board.
    pub isomorphism: bool,
    /// Cells with different sets of values have one numbering of values, so that parts of such boards have patterns too.
    pub values: bool,
    /// Patterns of small boards are made by a few word operations; else cell by cell.
    pub bits: bool,
    /// Writes that depend on the state copy runs of bits, or go by tables of bits; else value by value.
    pub copies: bool,
    /// Images under the symmetries of the instances share a key, mirror images with exchanged players too.
    pub symmetry: bool,
    /// Positions in which all players have the same options are recognised.
    pub impartial: bool,
    /// The instances are printed and read back before they are played (for tests).
    pub reread: bool,
    /// A mistake made on purpose, for the tests that must catch it.
    #[doc(hidden)]
    pub planted: Option<Planted>,
}

impl Roads {
    /// All roads.
    #[must_use]
    pub fn all() -> Roads {
        Roads {
            ground: true,
            split: true,
            index: true,
            open: true,
            removal: true,
            rooted: true,
            shapes: true,
            written_out: 24,
            isomorphism: true,
            values: true,
            bits: true,
            copies: true,
            symmetry: true,
            impartial: true,
            reread: false,
            planted: None,
        }
    }

    /// None of them: level 1 as it stands.
    #[must_use]
    pub fn none() -> Roads {
        Roads {
            ground: false,
            split: false,
            index: false,
            open: false,
            removal: false,
            rooted: false,
            shapes: false,
            written_out: 0,
            isomorphism: false,
            values: false,
            bits: false,
            copies: false,
            symmetry: false,
            impartial: false,
            reread: false,
            planted: None,
        }
    }
}

impl Default for Roads {
    fn default() -> Roads {
        Roads::all()
    }
}

/// Unsound variants of the analyses: each must be caught by a test.
#[doc(hidden)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Planted {
    /// A `-=` is taken not to observe its count.
    SubtractDoesNotObserve,
    /// Heaps are split whatever the rules name.
    HeapsAlwaysSplit,
    /// Keys leave the values of the variables out.
    KeysWithoutValues,
    /// A part and its mirror image are taken for negatives of each other, whether the instances say so or not.
    SymmetryUnchecked,
}
