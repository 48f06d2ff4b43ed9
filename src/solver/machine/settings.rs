//! How a machine is made ([`Settings`]), and how often it took its shortcuts ([`Counters`]).

use crate::game::{Shortcut, Shortcuts};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// How often the machine took its shortcuts. Several machines may count together.
#[derive(Debug, Default)]
pub struct Counters {
    pub(super) compiled: AtomicU64,
    pub(super) by_sets: AtomicU64,
    pub(super) symmetric: AtomicU64,
    pub(super) mixed: AtomicU64,
    pub(super) patterns: AtomicU64,
    pub(super) shapes: AtomicU64,
    pub(super) states: AtomicU64,
    pub(super) removals: AtomicU64,
    pub(super) rooted: AtomicU64,
    pub(super) graphs: AtomicU64,
    pub(super) copies: AtomicU64,
}

impl Counters {
    /// Names and numbers: boards whose writes copy or map bits, boards of games of removal and of cutting edges loose, boards whose
    /// instances are sets, boards compiled to instances, boards with symmetries, boards whose cells have different values
    /// and yet patterns; keys that are graphs of instances, patterns, shapes, or states on their own board.
    #[must_use]
    pub fn all(&self) -> [(&'static str, u64); 11] {
        [
            ("boards_by_copies", self.copies.load(Relaxed)),
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

/// How a machine is made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Settings {
    /// The shortcuts that may be taken.
    pub shortcuts: Shortcuts,
    /// Parts of at most so many live moves are written out, so that they are known on any board; larger ones seldom come
    /// again elsewhere and are known on their own.
    pub written_out: usize,
    /// The instances are printed and read back before they are played (for tests).
    pub reread: bool,
    /// Effects under conditions are one write wherever they can be (for tests).
    pub merging: bool,
    /// Conditions that run through sites or pieces are looked at in play wherever they can be (for tests).
    pub asking: bool,
    /// A mistake made on purpose, for the tests that must catch it.
    #[doc(hidden)]
    pub planted: Option<Planted>,
}

impl Settings {
    /// Whether a shortcut may be taken.
    #[must_use]
    pub fn has(self, shortcut: Shortcut) -> bool {
        self.shortcuts.has(shortcut)
    }

    /// The same with some shortcuts opened or closed ([`Shortcuts::with`]).
    #[must_use]
    pub fn with(self, changes: &[(Shortcut, bool)]) -> Settings {
        Settings {
            shortcuts: self.shortcuts.with(changes),
            ..self
        }
    }
}

impl From<Shortcuts> for Settings {
    fn from(shortcuts: Shortcuts) -> Settings {
        Settings {
            shortcuts,
            written_out: 24,
            reread: false,
            merging: false,
            asking: false,
            planted: None,
        }
    }
}

impl Default for Settings {
    fn default() -> Settings {
        Settings::from(Shortcuts::ALL)
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
    /// In a game of removal the first instance that disables another one leaves it enabled.
    RemovalForgets,
    /// Keys of games of removal do not say whose an instance is.
    RemovalOwnerless,
    /// What is cut loose from the root stays.
    RootedStands,
    /// No variable is linked to another one.
    RegionsApart,
    /// The last instance is in no set.
    IndexForgets,
    /// One write that depends on the state is left out.
    CopiesForget,
    /// Values of different cells that lie at one place in their lists are taken for the same.
    ValuesAlike,
    /// Every position is taken for impartial.
    ImpartialAlways,
    /// Play is taken to end.
    EndsAlways,
    /// An effect under a condition is done whether it holds or not, where both become one write.
    MergedAlways,
    /// A condition that is looked at in play is taken to hold, where it could have been decided.
    AskedNever,
    /// A symmetry of the moves is taken for one of the clauses that end play, too.
    EndsUnmapped,
}

impl Planted {
    /// Whether the mistake lies in what every shortcut is made of: the others are closed then.
    pub(super) fn is_in_masks(self) -> bool {
        use Planted::{
            HeapsAlwaysSplit, KeysWithoutValues, SubtractDoesNotObserve, SymmetryUnchecked,
        };
        matches!(
            self,
            HeapsAlwaysSplit | KeysWithoutValues | SubtractDoesNotObserve | SymmetryUnchecked
        )
    }
}
