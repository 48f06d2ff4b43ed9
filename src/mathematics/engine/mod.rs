//! The search over any [`Game`]. Input: positions. Output: values, nimbers, outcomes, best moves and coalitions.
//!
//! An [`Engine`] owns what outlives a board: the arena of values, the memo tables by key, limits and counters. A [`Search`]
//! is an engine at work on one game: it owns the memo tables of that board, and the stacks. The methods and their theorems
//! are described in the files: `questions` (which method a query takes), `sums` (values and nimbers), `guess` (values by
//! proof), `proof` (nimbers by proof), `play` (outcomes, misère play), `coalitions` (many players).
//!
//! ```
//! # use cgdsl_mathematics as cgdsl;
//! use cgdsl::engine::Engine;
//! use cgdsl::game::{Game, Limits, Player, Rules, Sign};
//! use cgdsl::value::CanonicalForm;
//!
//! /// Left takes one stone from a row, or Right takes one: whoever wants to.
//! struct Row;
//! impl Rules for Row {
//!     type Position = u32;
//!     type Fault = std::convert::Infallible;
//!     fn options(&self, n: &u32, _: Player, options: &mut Vec<u32>) -> Result<(), Self::Fault> {
//!         options.extend(n.checked_sub(1));
//!         Ok(())
//!     }
//! }
//! impl Game for Row {
//!     type Key = u32;
//!     fn key(&self, n: &u32) -> (u32, Sign) {
//!         (*n, Sign::Plus)
//!     }
//! }
//!
//! let engine = Engine::new(Limits::default());
//! assert_eq!(engine.value(&Row, &7), Ok(CanonicalForm::STAR));
//! ```

mod account;
pub mod affine;
mod archive;
pub mod arena;
mod boards;
mod coalitions;
mod components;
pub mod compounds;
mod context;
pub mod dense;
mod guess;
pub mod lengths;
pub mod loopy;
pub mod misere;
mod narrowed;
mod nim_words;
mod parallel;
mod play;
mod proof;
mod proof_numbers;
mod questions;
#[cfg(test)]
mod random;
mod scheduler;
pub mod scores;
mod search;
pub mod sequence;
mod statistics;
mod stopped;
mod strips;
mod sums;
mod table;
pub mod upsets;

use std::fmt::Debug;
use std::hash::Hash;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex};

use crate::game::{Budget, Cancel, Game, Limit, Limits, Pulse, Shortcut, Shortcuts};
use crate::value::{CanonicalForm, Forms, Outcome};
use account::{Account, Shared};
use archive::Library;
pub use archive::{
    Archive, FormOf, Renumber, Shelf, read_nimber, read_value, renumbered_form, renumbered_value,
};
pub use coalitions::{Answer, Coalition, CoalitionFunction};
use parallel::Idle;
pub use parallel::{Helpers, Waiting};
use scheduler::Fund;
pub use search::{Kept, Search, ValuedMove};
use statistics::Counts;
pub use statistics::Statistics;
pub use stopped::{Refused, Stopped, StoppedIn};

/// What outlives a board: the arena of values, the memo tables by key, limits and counters.
///
/// An engine is shared by reference; games with one type of keys share its tables.
pub struct Engine<K> {
    forms: Arc<Forms>,
    account: Arc<Account>,
    limits: Limits,
    cancel: Cancel,
    pulse: Arc<Pulse>,
    idle: Arc<Idle>,
    shortcuts: Shortcuts,
    /// A deliberate mistake, for tests.
    planted: Option<Shortcut>,
    values: Arc<Shared<K, CanonicalForm>>,
    nimbers: Arc<Shared<K, u32>>,
    library: Option<Arc<Library>>,
    guess_after: u64,
    value_after: u64,
    whole_first: bool,
    small_pieces: bool,
    strips_always: bool,
    guesses: Arc<Mutex<Fund>>,
    counts: Arc<Counts>,
}

impl<K> Debug for Engine<K> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Engine")
            .field("forms", &self.forms)
            .field("limits", &self.limits)
            .field("shortcuts", &self.shortcuts)
            .finish_non_exhaustive()
    }
}

impl<K> Engine<K> {
    /// Whether work may be shared between threads. Not on WebAssembly, which has one: the page has no room for the code.
    #[must_use]
    pub fn may_share(&self) -> bool {
        let threads = !cfg!(target_family = "wasm") && self.limits.threads > 1;
        threads && self.limits.nodes.is_none()
    }
}

impl<K: Clone + Eq + Hash + Send + Sync + Debug> Engine<K> {
    /// An engine with an arena of its own.
    #[must_use]
    pub fn new(limits: Limits) -> Engine<K> {
        let forms = Arc::new(Forms::with_limit(limits.memory));
        let account = Arc::new(Account::new(limits.memory));
        Engine::over(forms, account, limits)
    }

    fn over(forms: Arc<Forms>, account: Arc<Account>, limits: Limits) -> Engine<K> {
        let shards = if limits.threads > 1 { 64 } else { 1 };
        Engine {
            forms,
            account,
            idle: Arc::new(Idle::new(&limits)),
            limits,
            cancel: Cancel::new(),
            pulse: Arc::default(),
            shortcuts: Shortcuts::ALL,
            planted: None,
            values: Arc::new(Shared::new(shards)),
            nimbers: Arc::new(Shared::new(shards)),
            library: None,
            guess_after: scheduler::FIRST_GUESS,
            value_after: scheduler::BY_VALUE[0],
            whole_first: false,
            small_pieces: false,
            strips_always: false,
            guesses: Arc::new(Mutex::new(Fund::new(&scheduler::GUESSES))),
            counts: Arc::default(),
        }
    }

    /// An engine for games with another type of keys. It has the same arena, memory limit, shortcuts and cancellation, so
    /// the values of both can be compared and added.
    #[must_use]
    pub fn beside<L: Clone + Eq + Hash + Send + Sync + Debug>(&self) -> Engine<L> {
        let mut engine = Engine::over(
            Arc::clone(&self.forms),
            Arc::clone(&self.account),
            self.limits.clone(),
        );
        engine.cancel = self.cancel.clone();
        engine.pulse = self.pulse.clone();
        engine.idle = self.idle.clone();
        engine.shortcuts = self.shortcuts;
        engine.planted = self.planted;
        engine.guess_after = self.guess_after;
        engine.value_after = self.value_after;
        engine.whole_first = self.whole_first;
        engine.small_pieces = self.small_pieces;
        engine.strips_always = self.strips_always;
        engine
    }

    /// The same engine for another thread, which has this token and progress; with the same tables.
    #[must_use]
    pub fn on_thread(&self, cancel: &Cancel, pulse: &Arc<Pulse>) -> Engine<K> {
        let mut engine = self.beside();
        engine.values = self.values.clone();
        engine.nimbers = self.nimbers.clone();
        engine.library = self.library.clone();
        engine.guesses = self.guesses.clone();
        engine.cancel = cancel.clone();
        engine.pulse = pulse.clone();
        engine.counts = Counts::beside(&self.counts);
        engine
    }

    /// The engine with a deliberate mistake in a shortcut, for the tests that must catch it: the shortcut forgets, loses or
    /// negates its result, or takes it for zero.
    #[doc(hidden)]
    #[must_use]
    pub fn planting(mut self, mistake: Option<Shortcut>) -> Engine<K> {
        self.planted = mistake;
        match mistake {
            Some(Shortcut::Digests) if self.shortcuts.has(Shortcut::Digests) => {
                self.forms.mistake_lays()
            }
            Some(Shortcut::Incentives) if self.shortcuts.has(Shortcut::Incentives) => {
                self.forms.mistake_incentives()
            }
            _ => {}
        }
        self
    }

    /// Whether this shortcut makes a deliberate mistake.
    #[doc(hidden)]
    #[must_use]
    pub fn plants(&self, shortcut: Shortcut) -> bool {
        self.planted == Some(shortcut)
    }

    /// The engine with other shortcuts.
    #[must_use]
    pub fn with_shortcuts(mut self, shortcuts: Shortcuts) -> Engine<K> {
        self.shortcuts = shortcuts;
        if !shortcuts.has(Shortcut::Digests) {
            self.forms.close_lays();
        }
        if !shortcuts.has(Shortcut::Incentives) {
            self.forms.close_incentives();
        }
        self
    }

    /// The engine with a token that ends its searches.
    #[must_use]
    pub fn with_cancel(mut self, cancel: Cancel) -> Engine<K> {
        self.forms.end_when(cancel.flag());
        self.cancel = cancel;
        self
    }

    /// The engine, reporting progress to `pulse`.
    #[must_use]
    pub fn with_pulse(mut self, pulse: &Arc<Pulse>) -> Engine<K> {
        self.pulse = pulse.clone();
        self
    }

    /// The engine with values kept between runs: it looks values up in `archive` and stores there what it finds.
    #[must_use]
    pub fn with_archive(mut self, archive: Arc<dyn Archive>) -> Engine<K> {
        self.library = Some(Arc::new(Library::new(archive)));
        self
    }

    /// The engine, guessing values ([`Shortcut::Guess`]) as soon as it has expanded `positions` positions for one value.
    #[must_use]
    pub fn guessing_after(mut self, positions: u64) -> Engine<K> {
        self.guess_after = positions.max(1);
        self
    }

    /// The engine, sampling values in a search for the winner ([`Shortcut::ByValue`]) as soon as it has searched `states`
    /// states.
    #[must_use]
    pub fn valuing_after(mut self, states: u64) -> Engine<K> {
        self.value_after = states.max(1);
        self
    }

    /// The engine, searching for winners in whole positions from the start, where it may, as if memory had become too short
    /// for components: the games of tests are small.
    #[doc(hidden)]
    #[must_use]
    pub fn whole_first(mut self) -> Engine<K> {
        self.whole_first = true;
        self
    }

    /// The engine, making bounds from pieces with few moves, as if boards were much larger: the games of tests are small.
    #[doc(hidden)]
    #[must_use]
    pub fn in_small_pieces(mut self) -> Engine<K> {
        self.small_pieces = true;
        self
    }

    /// The engine, searching by strips wherever moves exclude each other, few as they are and whatever their rows: the games of
    /// tests are small.
    #[doc(hidden)]
    #[must_use]
    pub fn in_strips_always(mut self) -> Engine<K> {
        self.strips_always = true;
        self
    }

    /// The arena of all values of this engine.
    #[must_use]
    pub fn forms(&self) -> &Forms {
        &self.forms
    }

    /// The limits of each search.
    #[must_use]
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// The shortcuts in use.
    #[must_use]
    pub fn shortcuts(&self) -> Shortcuts {
        self.shortcuts
    }

    /// The counters of all finished searches of this engine.
    #[must_use]
    pub fn statistics(&self) -> Statistics {
        let mut statistics = *self.counts.own();
        statistics.bytes = self.account.tables() + self.forms.memory();
        statistics.forms = self.forms.len();
        statistics.lays = self.forms.lays_kept();
        statistics.incentives = self.forms.incentives_kept();
        if let Some(library) = &self.library {
            statistics.archive_found = library.found.load(Ordering::Relaxed);
            statistics.archive_kept = library.kept.load(Ordering::Relaxed);
        }
        statistics
    }

    /// The g-set of a removal game on an order ([`upsets`]), with a table of its positions if the order has prime parts.
    /// `None` if no enabled shortcut applies; the general search is left then.
    ///
    /// # Errors
    /// The limit that was met.
    pub fn upsets(
        &self,
        order: &upsets::Order,
    ) -> Result<Option<(upsets::Solved, Option<upsets::Table>)>, Limit> {
        let open = upsets::Open {
            series_parallel: self.shortcuts.has(Shortcut::Product),
            antichains: self.shortcuts.has(Shortcut::Antichains),
        };
        let held = self.account.tables() + self.forms.memory();
        let budget = Budget::observed(&self.limits, self.cancel.clone(), self.pulse.clone());
        let free = self.limits.memory.saturating_sub(held);
        let mut solved = upsets::solve(order, open, free, &budget)?;
        if let Some((solved, _)) = &mut solved {
            let product = self.plants(Shortcut::Product) && solved.joined > 0;
            let ranked = self.plants(Shortcut::Antichains) && !solved.ranked.is_empty();
            if product || ranked {
                (solved.gset, solved.nimber) = (upsets::NimberSet::default(), 0);
            }
            let mut all = self.counts.own();
            all.joined += solved.joined as u64;
            all.ranked += solved.ranked.iter().map(|(_, n)| *n as u64).sum::<u64>();
        }
        Ok(solved)
    }

    /// The threads that nobody uses, for work beside the searches of this engine. `None` if there are none, or the number of
    /// positions is limited: what is found within it must not depend on threads.
    #[must_use]
    pub fn helpers(&self) -> Option<Helpers> {
        let helpers = self.may_share().then(|| self.idle.take());
        helpers.filter(|helpers| helpers.count() > 0)
    }

    /// Lets others use this thread, which waits, until the result is dropped.
    #[must_use]
    pub fn waits(&self) -> Waiting {
        Waiting::new(&self.idle)
    }

    // The budget of one query.
    fn budget(&self) -> Budget {
        Budget::observed(&self.limits, self.cancel.clone(), self.pulse.clone())
    }

    /// The engine at work on one game.
    #[must_use]
    pub fn search<'e, G: Game<Key = K>>(&'e self, game: &'e G) -> Search<'e, G> {
        Search::new(self, game)
    }

    /// A search in a game of many players that continues with the memo tables of an earlier search of the same game.
    #[must_use]
    pub fn resume<'e, G: Game<Key = K>>(&'e self, game: &'e G, mut kept: Kept<G>) -> Search<'e, G> {
        let mut search = self.search(game);
        search.take_up(&mut kept);
        search
    }

    /// The canonical form of a position: see [`Search::value`].
    ///
    /// # Errors
    /// Why there is no answer.
    pub fn value<G: Game<Key = K>>(
        &self,
        game: &G,
        position: &G::Position,
    ) -> Result<CanonicalForm, StoppedIn<G>> {
        self.search(game).value(position)
    }

    /// Who wins a position: see [`Search::outcome`].
    ///
    /// # Errors
    /// Why there is no answer.
    pub fn outcome<G: Game<Key = K>>(
        &self,
        game: &G,
        position: &G::Position,
    ) -> Result<Outcome, StoppedIn<G>> {
        self.search(game).outcome(position)
    }

    /// The nimber of a position, if its value is one: see [`Search::nimber`].
    ///
    /// # Errors
    /// Why there is no answer.
    pub fn nimber<G: Game<Key = K>>(
        &self,
        game: &G,
        position: &G::Position,
    ) -> Result<Option<u32>, StoppedIn<G>> {
        self.search(game).nimber(position)
    }
}
