//! The settings of a machine ([`Settings`]), and how often it took its shortcuts ([`Counters`]).

use crate::game::{Shortcut, Shortcuts};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// How often machines took their shortcuts. Several machines may share counters.
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
    pub(super) bits: AtomicU64,
    pub(super) copies: AtomicU64,
    pub(super) integers: AtomicU64,
}

impl Counters {
    /// The counters by name. Boards: with patterns computed by word operations, with writes that copy or map bits, of removal games, of games of cutting off edges, with
    /// sets of instances, compiled, with cells of different values and yet patterns, with symmetries. Keys: graphs of instances, patterns, shapes, states
    /// on their board. Rules that are code for integers.
    #[must_use]
    pub fn all(&self) -> [(&'static str, u64); 13] {
        [
            ("boards_by_bits", self.bits.load(Relaxed)),
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
            ("rules_in_integers", self.integers.load(Relaxed)),
        ]
    }
}

/// The settings of a machine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Settings {
    /// The shortcuts that may be taken.
    pub shortcuts: Shortcuts,
    /// Parts with at most this many live moves get a shape as their key, which other boards share. Larger parts seldom occur
    /// on other boards; their key is the state.
    pub written_out: usize,
    /// The most steps of compiling, for positions that may have few followers (see [`super::Machine::is_hasty`]); `None` for as
    /// many as are worth it.
    pub steps: Option<u64>,
    /// Prints the instances and reads them back before play (for tests).
    pub reread: bool,
    /// Makes conditional effects one write wherever possible (for tests).
    pub merging: bool,
    /// Keeps conditions that run through sites or pieces as conditions wherever possible (for tests).
    pub asking: bool,
    /// Gives each variable a bit for each value that it does not have, instead of one for each set that is asked for (for tests).
    pub apart: bool,
    /// Lists the links of removal games, as if there were too many instances for sets, and numbers the instances of all parts by a
    /// walk (for tests).
    pub listed: bool,
    /// A planted mistake, for the tests that must catch it.
    #[doc(hidden)]
    pub planted: Option<Planted>,
}

impl Settings {
    /// Whether a shortcut may be taken.
    #[must_use]
    pub fn has(self, shortcut: Shortcut) -> bool {
        self.shortcuts.has(shortcut)
    }

    /// The settings with some shortcuts switched on or off ([`Shortcuts::with`]).
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
            steps: None,
            reread: false,
            merging: false,
            asking: false,
            apart: false,
            listed: false,
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
    /// A `-=` does not observe its count.
    SubtractDoesNotObserve,
    /// Heaps are split whatever the rules refer to.
    HeapsAlwaysSplit,
    /// Keys omit the values of the variables.
    KeysWithoutValues,
    /// A part and its mirror image count as negatives of each other, whether or not the instances say so.
    SymmetryUnchecked,
    /// In a removal game, the first instance that disables another one leaves it enabled.
    RemovalForgets,
    /// Keys of removal games omit the players of an instance.
    RemovalOwnerless,
    /// In lists of links, the last link of each instance is missing.
    LinksForget,
    /// Edges cut off from the root stay.
    RootedStands,
    /// No variable is linked to another.
    RegionsApart,
    /// The last instance is in no set.
    IndexForgets,
    /// One write that depends on the state is omitted.
    CopiesForget,
    /// Keys computed by word operations leave a cell out.
    BitsForget,
    /// Values of different cells that lie at one place in their lists are taken for the same.
    ValuesAlike,
    /// Every position is taken for impartial.
    ImpartialAlways,
    /// Play always counts as ending.
    EndsAlways,
    /// A conditional effect that becomes one write is made whether or not the condition holds.
    MergedAlways,
    /// A condition that is evaluated in play, but could have been decided, always holds.
    AskedNever,
    /// A symmetry of the moves counts as one of the clauses that end play, too.
    EndsUnmapped,
    /// A symmetry maps the effects of the moves, but not the states in which they can be made.
    GuardsUnmapped,
    /// A symmetry maps the moves, but not the conditions that are evaluated in play.
    ConditionsUnmapped,
    /// A move may be answered by its image even where it disables that.
    PairedInTheWay,
    /// Where variables have a bit for each value that they do not have, the last value has none.
    LastValueHolds,
    /// In code for integers, all stages of a move read the state before the move.
    StagesStale,
    /// A condition is dropped if it asks for the value that the effect writes, whether or not another path has the same effect.
    ReasonsForgotten,
}

impl Planted {
    /// Whether the mistake is in the masks, from which the other shortcuts are built; these are then switched off.
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
