//! The search over any [`Game`]: positions come in; values, nimbers, outcomes, best moves and coalitions go out.
//!
//! An [`Engine`] owns what outlives a board: the arena of values, what is known by key, limits and counters. A
//! [`Search`] is the engine at work on one game: it owns what is known of that board, and the stacks. The roads and
//! their theorems are told in the files: `sums` (values and nimbers), `guess` (values by proof), `proof` (nimbers by proof),
//! `play` (outcomes, misère play), `coalitions` (many players).
//!
//! ```
//! use cgdsl::engine::Engine;
//! use cgdsl::game::{Game, Limits, Player, Sign};
//! use cgdsl::value::CanonicalForm;
//!
//! /// Left takes one stone from a row, or Right takes one: whoever wants to.
//! struct Row;
//! impl Game for Row {
//!     type Position = u32;
//!     type Key = u32;
//!     type Fault = std::convert::Infallible;
//!     fn options(&self, n: &u32, _: Player, options: &mut Vec<u32>) -> Result<(), Self::Fault> {
//!         options.extend(n.checked_sub(1));
//!         Ok(())
//!     }
//!     fn key(&self, n: &u32) -> (u32, Sign) {
//!         (*n, Sign::Plus)
//!     }
//! }
//!
//! let engine = Engine::new(Limits::default());
//! assert_eq!(engine.value(&Row, &7), Ok(CanonicalForm::STAR));
//! ```

mod account;
mod archive;
mod boards;
mod coalitions;
mod components;
mod context;
mod guess;
mod narrowed;
mod nim_words;
mod parallel;
mod play;
mod proof;
mod proof_numbers;
mod refining;
mod roads;
pub mod sequence;
mod stopped;
mod sums;
mod table;
pub mod upsets;

use std::fmt::Debug;
use std::hash::Hash;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex};

use crate::game::{Budget, Cancel, Game, Limit, Limits, Player, Pulse};
use crate::value::{CanonicalForm, Forms, Outcome};
use account::{Account, Shared};
use archive::Library;
pub use archive::{Archive, Shelf};
use coalitions::Pass;
pub use coalitions::{Answer, Coalition, CoalitionFunction};
use context::Context;
use narrowed::{NimberIn, OutcomeIn, ValueIn};
use play::Play;
use proof::Proof;
pub use roads::{Roads, Statistics};
pub use stopped::{Refused, Stopped, StoppedIn};
use sums::{Nimbers, Sums, Values};

/// What outlives a board: the arena of values, what is known by key, limits and counters.
///
/// It is shared by reference; games with one type of keys share what is known.
pub struct Engine<K> {
    forms: Arc<Forms>,
    account: Arc<Account>,
    limits: Limits,
    cancel: Cancel,
    pulse: Arc<Pulse>,
    roads: Roads,
    values: Shared<K, CanonicalForm>,
    nimbers: Shared<K, u32>,
    library: Option<Arc<Library>>,
    guess_after: u64,
    guesses: guess::Credit,
    statistics: Mutex<Statistics>,
}

impl<K> Debug for Engine<K> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Engine")
            .field("forms", &self.forms)
            .field("limits", &self.limits)
            .field("roads", &self.roads)
            .finish_non_exhaustive()
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
            limits,
            cancel: Cancel::new(),
            pulse: Arc::default(),
            roads: Roads::all(),
            values: Shared::new(shards),
            nimbers: Shared::new(shards),
            library: None,
            guess_after: guess::FIRST,
            guesses: guess::Credit::default(),
            statistics: Mutex::new(Statistics::default()),
        }
    }

    /// An engine for games with another type of keys, with the same arena, memory limit, roads and cancellation: the
    /// values of both can be compared and added.
    #[must_use]
    pub fn beside<L: Clone + Eq + Hash + Send + Sync + Debug>(&self) -> Engine<L> {
        let mut engine = Engine::over(
            Arc::clone(&self.forms),
            Arc::clone(&self.account),
            self.limits.clone(),
        );
        engine.cancel = self.cancel.clone();
        engine.pulse = self.pulse.clone();
        engine.roads = self.roads;
        engine.guess_after = self.guess_after;
        engine
    }

    /// The engine with other roads open.
    #[must_use]
    pub fn with_roads(mut self, roads: Roads) -> Engine<K> {
        self.roads = roads;
        if !roads.lays {
            self.forms.close_lays();
        }
        if !roads.incentives {
            self.forms.close_incentives();
        }
        self
    }

    /// The engine under a token that ends its searches.
    #[must_use]
    pub fn with_cancel(mut self, cancel: Cancel) -> Engine<K> {
        self.forms.end_when(cancel.flag());
        self.cancel = cancel;
        self
    }

    /// The engine, telling whoever watches how far its searches have come.
    #[must_use]
    pub fn with_pulse(mut self, pulse: &Arc<Pulse>) -> Engine<K> {
        self.pulse = pulse.clone();
        self
    }

    /// The engine with values kept between runs: what it needs is looked for there, what it finds is put there.
    #[must_use]
    pub fn with_archive(mut self, archive: Arc<dyn Archive>) -> Engine<K> {
        self.library = Some(Arc::new(Library::new(archive)));
        self
    }

    /// The engine, guessing values ([`Roads::guess`]) as soon as so many positions were expanded for one.
    #[must_use]
    pub fn guessing_after(mut self, positions: u64) -> Engine<K> {
        self.guess_after = positions.max(1);
        self
    }

    /// The arena in which all values of this engine lie.
    #[must_use]
    pub fn forms(&self) -> &Forms {
        &self.forms
    }

    /// The limits of each search.
    #[must_use]
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// The roads that are open.
    #[must_use]
    pub fn roads(&self) -> Roads {
        self.roads
    }

    /// What all finished searches of this engine have done.
    #[must_use]
    pub fn statistics(&self) -> Statistics {
        let mut statistics = *self.statistics.lock().unwrap_or_else(|e| e.into_inner());
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

    /// The g-set of a removal game on an order ([`upsets`]), if one of the open roads leads to it, and where it has prime
    /// parts the table of its positions; `None` leaves it to the general search.
    ///
    /// # Errors
    /// The limit that was met.
    pub fn upsets(
        &self,
        order: &upsets::Order,
    ) -> Result<Option<(upsets::Solved, Option<upsets::Table>)>, Limit> {
        let open = upsets::Open {
            series_parallel: self.roads.series_parallel,
            antichains: self.roads.antichains,
        };
        let held = self.account.tables() + self.forms.memory();
        let budget = Budget::new(&self.limits, self.cancel.clone()).with_pulse(&self.pulse);
        let free = self.limits.memory.saturating_sub(held);
        let solved = upsets::solve(order, open, free, &budget)?;
        if let Some((solved, _)) = &solved {
            let mut all = self.statistics.lock().unwrap_or_else(|e| e.into_inner());
            all.joined += solved.joined as u64;
            all.ranked += solved.ranked.iter().map(|(_, n)| *n as u64).sum::<u64>();
        }
        Ok(solved)
    }

    // What one question may take.
    fn budget(&self) -> Budget {
        Budget::new(&self.limits, self.cancel.clone()).with_pulse(&self.pulse)
    }

    /// The engine at work on one game.
    #[must_use]
    pub fn search<'e, G: Game<Key = K>>(&'e self, game: &'e G) -> Search<'e, G> {
        Search {
            engine: self,
            game,
            values: Sums::new(Values(&self.forms)),
            nimbers: Sums::new(Nimbers::default()),
            proof: None,
            play: None,
            misere: None,
            pass: None,
        }
    }

    /// The engine at work again on a game of many players, with what an earlier search of the same game has kept.
    #[must_use]
    pub fn resume<'e, G: Game<Key = K>>(&'e self, game: &'e G, mut kept: Kept<G>) -> Search<'e, G> {
        let mut search = self.search(game);
        // Memory of another engine is not in the account of this one.
        if Arc::ptr_eq(&self.account, &kept.account) {
            search.pass = kept.pass.take();
        }
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

/// An option with its value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ValuedMove<P> {
    /// The position moved to.
    pub position: P,
    /// Its value.
    pub value: CanonicalForm,
    /// Whether no other option is strictly better for the player who moves. Several may be best.
    pub best: bool,
}

/// An engine at work on one game; it remembers what it has found on this board.
pub struct Search<'e, G: Game> {
    engine: &'e Engine<G::Key>,
    game: &'e G,
    values: Sums<G, Values<'e>>,
    nimbers: Sums<G, Nimbers>,
    proof: Option<Proof<G>>,
    play: Option<Play<G>>,
    misere: Option<Play<G>>,
    pass: Option<Pass<G>>,
}

/// What a search has remembered of a game of many players, kept for the next question about the same game: see
/// [`Search::keep`] and [`Engine::resume`]. Its memory counts against the engine's limit until it is dropped.
pub struct Kept<G: Game> {
    pass: Option<Pass<G>>,
    account: Arc<Account>,
}

impl<G: Game> Debug for Kept<G> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Kept").finish_non_exhaustive()
    }
}

impl<G: Game> Drop for Kept<G> {
    fn drop(&mut self) {
        if let Some(pass) = &mut self.pass {
            pass.clear(&self.account);
        }
    }
}

impl<G: Game> Debug for Search<'_, G> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Search").finish_non_exhaustive()
    }
}

impl<G: Game> Drop for Search<'_, G> {
    fn drop(&mut self) {
        self.values.clear(&self.engine.account);
        self.nimbers.clear(&self.engine.account);
        if let Some(proof) = &mut self.proof {
            proof.clear(&self.engine.account);
        }
        for play in self.play.iter_mut().chain(&mut self.misere) {
            play.clear(&self.engine.account);
        }
        if let Some(pass) = &mut self.pass {
            pass.clear(&self.engine.account);
        }
    }
}

impl<'e, G: Game> Search<'e, G> {
    /// The engine that works.
    #[must_use]
    pub fn engine(&self) -> &'e Engine<G::Key> {
        self.engine
    }

    /// The game that is searched.
    #[must_use]
    pub fn game(&self) -> &'e G {
        self.game
    }

    /// Ends the search; what it has remembered of coalitions outlives it.
    #[must_use]
    pub fn keep(mut self) -> Kept<G> {
        Kept {
            pass: self.pass.take(),
            account: Arc::clone(&self.engine.account),
        }
    }

    fn budget(&self) -> Budget {
        self.engine.budget()
    }

    // Whether positions may be searched in a game with smaller ones: only what is known by key outlives such a search.
    fn may_narrow(&self) -> bool {
        let roads = self.engine.roads;
        roads.narrow && roads.memo && roads.keys
    }

    // With two players all conventions are normal play: who cannot move in turn has lost.
    fn two_players(&self) -> Result<(), StoppedIn<G>> {
        if self.game.players() == 2 {
            Ok(())
        } else {
            Err(Stopped::Refused(Refused::NotTwoPlayers))
        }
    }

    // Counters go to the engine when a question has been answered or given up.
    fn report(&mut self) {
        let mut all = self
            .engine
            .statistics
            .lock()
            .unwrap_or_else(|e| e.into_inner());
        all.absorb(&std::mem::take(&mut self.values.statistics));
        all.absorb(&std::mem::take(&mut self.nimbers.statistics));
        if let Some(proof) = &mut self.proof {
            all.absorb(&proof.take_statistics());
        }
        for play in self.play.iter_mut().chain(&mut self.misere) {
            all.absorb(&play.take_statistics());
        }
        if let Some(pass) = &mut self.pass {
            all.absorb(&pass.take_statistics());
        }
    }

    /// The canonical form of a position, in the engine's arena.
    ///
    /// # Errors
    /// A limit, a line of play that repeats, a rule that goes wrong, or a game of more than two players.
    pub fn value(&mut self, position: &G::Position) -> Result<CanonicalForm, StoppedIn<G>> {
        self.two_players()?;
        let budget = self.budget();
        let value = self.value_within(position, &budget);
        self.report();
        value
    }

    fn value_within(
        &mut self,
        position: &G::Position,
        budget: &Budget,
    ) -> Result<CanonicalForm, StoppedIn<G>> {
        let (engine, game) = (self.engine, self.game);
        if self.may_narrow() {
            let errand = ValueIn { engine, budget };
            if let Ok((value, statistics)) = game.narrowed(position, errand) {
                self.values.statistics.absorb(&statistics);
                return value;
            }
        }
        values_over(
            engine,
            game,
            position,
            budget,
            &mut self.values,
            &mut self.nimbers,
        )
    }

    /// The nimber of a position, or nothing if its value is not a nimber. Where the game says that all parts are
    /// impartial, no canonical form is built.
    ///
    /// # Errors
    /// As for [`value`](Search::value).
    pub fn nimber(&mut self, position: &G::Position) -> Result<Option<u32>, StoppedIn<G>> {
        self.two_players()?;
        let budget = self.budget();
        let nimber = if self.engine.roads.impartial && self.is_impartial(position) {
            self.nimber_within(position, &budget).map(Some)
        } else {
            self.value_within(position, &budget)
                .map(|value| self.engine.forms.as_nimber(value))
        };
        self.report();
        nimber
    }

    fn nimber_within(
        &mut self,
        position: &G::Position,
        budget: &Budget,
    ) -> Result<u32, StoppedIn<G>> {
        let (engine, game) = (self.engine, self.game);
        if self.may_narrow() {
            let errand = NimberIn { engine, budget };
            if let Ok((nimber, statistics)) = game.narrowed(position, errand) {
                self.nimbers.statistics.absorb(&statistics);
                return nimber;
            }
        }
        nimber_over(
            engine,
            game,
            position,
            budget,
            &mut self.nimbers,
            &mut self.proof,
        )
    }

    /// Whether the game says that all parts of a position are impartial.
    #[must_use]
    pub fn is_impartial(&self, position: &G::Position) -> bool {
        let mut parts = Vec::new();
        self.game.split(position, &mut parts);
        parts.iter().all(|part| self.game.is_impartial(part))
    }

    /// The options of a player, each once, in the order in which the rules give them.
    ///
    /// # Errors
    /// A rule that goes wrong.
    pub fn options(
        &self,
        position: &G::Position,
        player: Player,
    ) -> Result<Vec<G::Position>, StoppedIn<G>> {
        let mut options = Vec::new();
        self.game
            .options(position, player, &mut options)
            .map_err(|fault| Stopped::Fault {
                position: position.clone(),
                fault,
            })?;
        let mut seen = rustc_hash::FxHashSet::default();
        options.retain(|option| seen.insert(option.clone()));
        Ok(options)
    }

    /// Who wins under normal play, when Left begins and when Right begins.
    ///
    /// # Errors
    /// As for [`value`](Search::value); a line of play that repeats stops the search only where it is met.
    pub fn outcome(&mut self, position: &G::Position) -> Result<Outcome, StoppedIn<G>> {
        self.two_players()?;
        if let Some(outcome) = self.outcome_narrowed(position, false) {
            return outcome;
        }
        let left = self.wins_first(position, Player::LEFT)?;
        let right = self.wins_first(position, Player::RIGHT)?;
        Ok(Outcome::from_first(left, right))
    }

    // The outcome, found in a game with smaller positions if there is one.
    fn outcome_narrowed(
        &mut self,
        position: &G::Position,
        misere: bool,
    ) -> Option<Result<Outcome, StoppedIn<G>>> {
        if !self.may_narrow() {
            return None;
        }
        let engine = self.engine;
        let errand = OutcomeIn { engine, misere };
        let (outcome, statistics) = self.game.narrowed(position, errand).ok()?;
        self.values.statistics.absorb(&statistics);
        self.report();
        Some(outcome)
    }

    /// Whether the player wins who moves first at a position, under normal play.
    ///
    /// # Errors
    /// As for [`outcome`](Search::outcome).
    pub fn wins_first(
        &mut self,
        position: &G::Position,
        mover: Player,
    ) -> Result<bool, StoppedIn<G>> {
        self.two_players()?;
        let budget = self.budget();
        let result = self.wins_within(position, mover, false, &budget);
        self.report();
        result
    }

    /// The outcome under misère play, where a player who cannot move wins.
    ///
    /// # Errors
    /// As for [`outcome`](Search::outcome).
    pub fn misere_outcome(&mut self, position: &G::Position) -> Result<Outcome, StoppedIn<G>> {
        self.two_players()?;
        if let Some(outcome) = self.outcome_narrowed(position, true) {
            return outcome;
        }
        let budget = self.budget();
        let left = self.wins_within(position, Player::LEFT, true, &budget);
        let right = left
            .is_ok()
            .then(|| self.wins_within(position, Player::RIGHT, true, &budget));
        self.report();
        let right = right.transpose()?.unwrap_or_default();
        Ok(Outcome::from_first(left?, right))
    }

    fn wins_within(
        &mut self,
        position: &G::Position,
        mover: Player,
        misere: bool,
        budget: &Budget,
    ) -> Result<bool, StoppedIn<G>> {
        let Search {
            engine,
            game,
            values,
            nimbers,
            play,
            misere: misere_play,
            pass: _,
            proof: _,
        } = self;
        let play = if misere { misere_play } else { play };
        let play = play.get_or_insert_with(|| Play::new(*game, misere));
        wins_over(
            engine, *game, position, mover, budget, play, values, nimbers,
        )
    }

    /// The options of a player after which the opponent, moving first, loses: the winning moves under normal play.
    ///
    /// # Errors
    /// As for [`outcome`](Search::outcome).
    pub fn winning_moves(
        &mut self,
        position: &G::Position,
        player: Player,
    ) -> Result<Vec<G::Position>, StoppedIn<G>> {
        self.two_players()?;
        let budget = self.budget();
        let mut winning = Vec::new();
        let mut stopped = None;
        for option in self.options(position, player)? {
            match self.wins_within(&option, player.opponent(), false, &budget) {
                Ok(true) => {}
                Ok(false) => winning.push(option),
                Err(why) => {
                    stopped = Some(why);
                    break;
                }
            }
        }
        self.report();
        stopped.map_or(Ok(winning), Err)
    }

    /// The options of a player with their values; best are those that no other option dominates.
    ///
    /// # Errors
    /// As for [`value`](Search::value).
    pub fn valued_moves(
        &mut self,
        position: &G::Position,
        player: Player,
    ) -> Result<Vec<ValuedMove<G::Position>>, StoppedIn<G>> {
        self.two_players()?;
        let budget = self.budget();
        let mut moves = Vec::new();
        for option in self.options(position, player)? {
            let value = self.value_within(&option, &budget);
            moves.push(ValuedMove {
                position: option,
                value: value.inspect_err(|_| self.report())?,
                best: true,
            });
        }
        self.report();
        let better = if player == Player::LEFT {
            std::cmp::Ordering::Greater
        } else {
            std::cmp::Ordering::Less
        };
        for i in 0..moves.len() {
            for j in 0..moves.len() {
                let order = self.engine.forms.compare(moves[j].value, moves[i].value);
                if order.map_err(|_| Stopped::Limit(Limit::Memory))? == Some(better) {
                    moves[i].best = false;
                    break;
                }
            }
        }
        Ok(moves)
    }
}

/// The value of a position, with helpers where there are threads.
fn values_over<G: Game>(
    engine: &Engine<G::Key>,
    game: &G,
    position: &G::Position,
    budget: &Budget,
    values: &mut Sums<G, Values<'_>>,
    nimbers: &mut Sums<G, Nimbers>,
) -> Result<CanonicalForm, StoppedIn<G>> {
    guess::learn(engine, game, position, budget, values, nimbers)?;
    let alone = |budget: &Budget| {
        let context = context(engine, budget);
        value_of(engine, game, values, nimbers, position, &context)
    };
    parallel::run(engine, budget, alone, |budget, order| {
        let context = Context {
            order,
            ..context(engine, budget)
        };
        let mut values = Sums::new(Values(&engine.forms));
        let mut nimbers = Sums::new(Nimbers::default());
        let _ = value_of(engine, game, &mut values, &mut nimbers, position, &context);
        values.clear(&engine.account);
        nimbers.clear(&engine.account);
        values.statistics.absorb(&nimbers.statistics);
        values.statistics
    })
}

/// The nimber of an impartial position: by proof where that is known to pay. Elsewhere the two roads take turns, each going on
/// where it stopped, with about as much time for the one as for the other: so none costs more than a few times what the
/// better one does. The plain road has helpers where there are threads.
fn nimber_over<G: Game>(
    engine: &Engine<G::Key>,
    game: &G,
    position: &G::Position,
    budget: &Budget,
    nimbers: &mut Sums<G, Nimbers>,
    proof: &mut Option<Proof<G>>,
) -> Result<u32, StoppedIn<G>> {
    let roads = engine.roads;
    if roads.proof && roads.memo && game.ends() && game.is_faultless() {
        let context = context(engine, budget);
        let proof = proof.get_or_insert_with(|| Proof::new(game));
        loop {
            match proof.nimber(game, position, &context, &engine.nimbers) {
                Ok(Some(nimber)) => return Ok(nimber),
                Ok(None) => {}
                Err(Stopped::Limit(Limit::Memory)) => break,
                Err(other) => return Err(other),
            }
            let Some(expanded) = proof.turn() else {
                break;
            };
            let turn = budget.part(expanded.saturating_mul(PLAIN));
            let before = turn.left();
            let found = plain_nimber(engine, game, position, &turn, nimbers);
            budget.spend(before - turn.left());
            match found {
                Err(Stopped::Limit(Limit::Nodes)) if budget.left() > 0 => {}
                Err(Stopped::Limit(Limit::Memory)) => break,
                other => return other,
            }
        }
        // The plain road forgets where memory is short.
        proof.clear(&engine.account);
    }
    plain_nimber(engine, game, position, budget, nimbers)
}

/// So many positions are expanded by the plain road in the time that the proof takes for one, about: two on strips of sliding
/// stones, five in Chomp.
const PLAIN: u64 = 3;

fn plain_nimber<G: Game>(
    engine: &Engine<G::Key>,
    game: &G,
    position: &G::Position,
    budget: &Budget,
    nimbers: &mut Sums<G, Nimbers>,
) -> Result<u32, StoppedIn<G>> {
    let alone = |budget: &Budget| {
        let context = context(engine, budget);
        nimbers.run(game, position, &context, &engine.nimbers, None)
    };
    parallel::run(engine, budget, alone, |budget, order| {
        let context = Context {
            order,
            ..context(engine, budget)
        };
        let mut nimbers = Sums::new(Nimbers::default());
        let _ = nimbers.run(game, position, &context, &engine.nimbers, None);
        nimbers.clear(&engine.account);
        nimbers.statistics
    })
}

/// Whether a player wins who moves first at a position.
#[allow(clippy::too_many_arguments)]
fn wins_over<G: Game>(
    engine: &Engine<G::Key>,
    game: &G,
    position: &G::Position,
    mover: Player,
    budget: &Budget,
    play: &mut Play<G>,
    values: &mut Sums<G, Values<'_>>,
    nimbers: &mut Sums<G, Nimbers>,
) -> Result<bool, StoppedIn<G>> {
    let context = context(engine, budget);
    let mut ask = |part: &G::Position, budget: &Budget| {
        let context = Context { budget, ..context };
        value_of(engine, game, values, nimbers, part, &context)
    };
    let none = CanonicalForm::ZERO;
    let found = play.wins(game, position, none, mover, &context, &mut ask);
    // By keys a line of play goes through images of its positions: it is looked for again, to be told as it is played.
    if matches!(found, Err(Stopped::Cycle { .. })) && context.roads.keys {
        let mut plain = Play::new(game, play.misere);
        let roads = Roads {
            keys: false,
            bounds: false,
            ..context.roads
        };
        let as_played = Context { roads, ..context };
        let told = plain.wins(game, position, none, mover, &as_played, &mut ask);
        plain.clear(context.account);
        if matches!(told, Err(Stopped::Cycle { .. })) {
            return told;
        }
    }
    found
}

fn value_of<G: Game>(
    engine: &Engine<G::Key>,
    game: &G,
    values: &mut Sums<G, Values<'_>>,
    nimbers: &mut Sums<G, Nimbers>,
    position: &G::Position,
    context: &Context<'_>,
) -> Result<CanonicalForm, StoppedIn<G>> {
    let mut impartial = |part: &G::Position| {
        let n = nimbers.run(game, part, context, &engine.nimbers, None)?;
        engine
            .forms
            .nimber(n)
            .map_err(|_| Stopped::Limit(Limit::Memory))
    };
    let road: sums::Impartial<'_, G, CanonicalForm> = if engine.roads.impartial {
        Some(&mut impartial)
    } else {
        None
    };
    values.run(game, position, context, &engine.values, road)
}

fn context<'a, K>(engine: &'a Engine<K>, budget: &'a Budget) -> Context<'a> {
    Context {
        roads: engine.roads,
        forms: &engine.forms,
        account: &engine.account,
        budget,
        library: engine.library.as_deref(),
        order: 0,
    }
}
