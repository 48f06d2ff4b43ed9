//! An engine at work on one game: answers queries about its positions.
//!
//! What is found about a board is kept from query to query; `questions` chooses the methods.

use std::fmt::Debug;
use std::sync::Arc;

use super::Engine;
use super::account::Account;
use super::coalitions::Tables;
use super::context::Context;
use super::narrowed::{NimberIn, OptionsIn, ValueIn, WinsIn};
use super::play::Play;
use super::proof::{Proof, Wanted};
use super::questions::{nimber_over, values_over, wins_over};
use super::stopped::{Refused, Stopped, StoppedIn};
use super::sums::{Nimbers, Sums, Values};
use crate::game::{Analysis, Budget, Game, Limit, Player, Shortcut};
use crate::value::{CanonicalForm, Outcome};

/// Both players, who may move first.
const BOTH: [Player; 2] = [Player::LEFT, Player::RIGHT];

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

/// An engine at work on one game, with the memo tables of its board.
pub struct Search<'e, G: Game> {
    pub(super) engine: &'e Engine<G::Key>,
    pub(super) game: &'e G,
    values: Sums<G, Values<'e>>,
    nimbers: Sums<G, Nimbers>,
    proof: Option<Proof<G>>,
    play: Option<Play<G>>,
    misere: Option<Play<G>>,
    pub(super) coalitions: Tables<G>,
}

/// The memo tables of a search in a game of many players, kept for the next query about the same game: see [`Search::keep`]
/// and [`Engine::resume`]. Its memory counts against the engine's limit until it is dropped.
pub struct Kept<G: Game> {
    coalitions: Tables<G>,
    account: Arc<Account>,
}

impl<G: Game> Debug for Kept<G> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Kept").finish_non_exhaustive()
    }
}

impl<G: Game> Drop for Kept<G> {
    fn drop(&mut self) {
        self.coalitions.clear(&self.account);
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
        self.coalitions.clear(&self.engine.account);
    }
}

impl<'e, G: Game> Search<'e, G> {
    pub(super) fn new(engine: &'e Engine<G::Key>, game: &'e G) -> Search<'e, G> {
        Search {
            engine,
            game,
            values: Sums::new(Values(&engine.forms)),
            nimbers: Sums::new(Nimbers::default()),
            proof: None,
            play: None,
            misere: None,
            coalitions: Tables::default(),
        }
    }

    // Tables of another engine are not in the account of this one, so they are not taken.
    pub(super) fn take_up(&mut self, kept: &mut Kept<G>) {
        if Arc::ptr_eq(&self.engine.account, &kept.account) {
            self.coalitions = std::mem::take(&mut kept.coalitions);
        }
    }

    /// The engine of this search.
    #[must_use]
    pub fn engine(&self) -> &'e Engine<G::Key> {
        self.engine
    }

    /// The game of this search.
    #[must_use]
    pub fn game(&self) -> &'e G {
        self.game
    }

    /// Ends the search, but keeps what it has stored about coalitions.
    #[must_use]
    pub fn keep(mut self) -> Kept<G> {
        Kept {
            coalitions: std::mem::take(&mut self.coalitions),
            account: Arc::clone(&self.engine.account),
        }
    }

    pub(super) fn budget(&self) -> Budget {
        self.engine.budget()
    }

    // Whether positions may be searched in a game with smaller ones: only facts stored by key outlive such a search.
    fn may_narrow(&self) -> bool {
        let shortcuts = self.engine.shortcuts;
        shortcuts.has(Shortcut::Narrow)
    }

    // With two players, last-wins and elimination are normal play. The convention is not read here: answers are for normal
    // play, except where a method says misère.
    fn two_players(&self) -> Result<(), StoppedIn<G>> {
        if self.game.players() == 2 {
            Ok(())
        } else {
            Err(Stopped::Refused(Refused::NotTwoPlayers))
        }
    }

    // Adds the counters to the engine's when a query has been answered or given up.
    pub(super) fn report(&mut self) {
        let mut all = self.engine.counts.own();
        all.absorb(&std::mem::take(&mut self.values.statistics));
        all.absorb(&std::mem::take(&mut self.nimbers.statistics));
        if let Some(proof) = &mut self.proof {
            all.absorb(&proof.take_statistics());
        }
        for play in self.play.iter_mut().chain(&mut self.misere) {
            all.absorb(&play.take_statistics());
        }
        self.coalitions.give_statistics(&mut all);
    }

    /// The canonical form of a position, in the engine's arena.
    ///
    /// # Errors
    /// A limit, a line of play that repeats, a rule that fails, or a game that has not two players.
    pub fn value(&mut self, position: &G::Position) -> Result<CanonicalForm, StoppedIn<G>> {
        self.two_players()?;
        if self.is_paired(position) {
            self.report();
            return Ok(CanonicalForm::ZERO);
        }
        let budget = self.budget();
        let value = if self.takes_nimbers(position) {
            self.values.statistics.impartial += 1;
            self.nimber_within(position, Wanted::Nimber, &budget)
                .and_then(|nimber| {
                    let wrong = self.engine.plants(Shortcut::Impartial);
                    let value = self.engine.forms.nimber(nimber + u32::from(wrong));
                    value.map_err(|_| Stopped::Limit(Limit::Memory))
                })
        } else {
            self.value_within(position, &budget)
        };
        self.report();
        value
    }

    /// Finds the values of the options of a player in one search, and stores them by key, so that later queries find them.
    /// The value of the position may be known without them. Does nothing without [`Shortcut::Keys`].
    ///
    /// # Errors
    /// As for [`value`](Search::value).
    pub fn value_options(
        &mut self,
        position: &G::Position,
        player: Player,
    ) -> Result<(), StoppedIn<G>> {
        self.two_players()?;
        let engine = self.engine;
        if !engine.shortcuts.has(Shortcut::Keys) {
            return Ok(());
        }
        if self.may_narrow()
            && let Ok((found, statistics)) = self
                .game
                .analysis()
                .narrowed(position, OptionsIn { engine, player })
        {
            self.values.statistics.absorb(&statistics);
            self.report();
            return found;
        }
        let options = self.options(position, player)?;
        let found = options.iter().try_for_each(|option| {
            let budget = self.budget();
            self.value_within(option, &budget).map(|_| ())
        });
        self.report();
        found
    }

    fn value_within(
        &mut self,
        position: &G::Position,
        budget: &Budget,
    ) -> Result<CanonicalForm, StoppedIn<G>> {
        let (engine, game) = (self.engine, self.game);
        if self.may_narrow() {
            let task = ValueIn { engine, budget };
            if let Ok((value, statistics)) = game.analysis().narrowed(position, task) {
                self.values.statistics.absorb(&statistics);
                if engine.plants(Shortcut::Narrow) {
                    let negative = value.map(|v| engine.forms.negate(v));
                    return negative?.map_err(|_| Stopped::Limit(Limit::Memory));
                }
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

    /// The nimber of a position; `None` if its value is not a nimber. If the game knows that all components are impartial,
    /// no canonical form is built.
    ///
    /// # Errors
    /// As for [`value`](Search::value).
    pub fn nimber(&mut self, position: &G::Position) -> Result<Option<u32>, StoppedIn<G>> {
        self.two_players()?;
        if self.is_paired(position) {
            self.report();
            return Ok(Some(0));
        }
        let budget = self.budget();
        let nimber = if self.takes_nimbers(position) {
            self.nimber_within(position, Wanted::Nimber, &budget)
                .map(Some)
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
        wanted: Wanted,
        budget: &Budget,
    ) -> Result<u32, StoppedIn<G>> {
        let (engine, game) = (self.engine, self.game);
        if self.may_narrow() {
            let task = NimberIn {
                engine,
                wanted,
                budget,
            };
            if let Ok((nimber, statistics)) = game.analysis().narrowed(position, task) {
                self.nimbers.statistics.absorb(&statistics);
                return nimber;
            }
        }
        nimber_over(
            engine,
            game,
            position,
            wanted,
            budget,
            &mut self.nimbers,
            &mut self.proof,
        )
    }

    // Whether the value of a position is known to be zero by a pairing of its moves.
    fn is_paired(&mut self, position: &G::Position) -> bool {
        let paired = self.engine.shortcuts.has(Shortcut::Pairing)
            && self.game.analysis().is_paired(position);
        self.values.statistics.paired += u64::from(paired);
        paired
    }

    // Whether a player wins who moves first at a position, if a pairing of the moves there or at one of the options says so.
    fn wins_by_pairing(&mut self, position: &G::Position, mover: Player) -> Option<bool> {
        if !self.engine.shortcuts.has(Shortcut::Pairing) {
            return None;
        }
        let wins = self.game.analysis().wins_by_pairing(position, mover);
        self.values.statistics.paired += u64::from(wins.is_some());
        wins
    }

    // Whether the value of a position is known to be a nimber.
    fn takes_nimbers(&self, position: &G::Position) -> bool {
        self.engine.shortcuts.has(Shortcut::Impartial) && self.is_impartial(position)
    }

    // Whether the first player wins an impartial position, by a proof that its nimber is 0 or not, which is faster than the
    // outcome search. If play need not end, the winner may be known though there is no nimber, so this does not apply.
    fn wins_by_nimber(&mut self, position: &G::Position) -> Option<Result<bool, StoppedIn<G>>> {
        if !(self.game.analysis().ends()
            && self.game.analysis().is_faultless()
            && self.takes_nimbers(position))
        {
            return None;
        }
        let budget = self.budget();
        self.values.statistics.impartial += 1;
        let nimber = self.nimber_within(position, Wanted::WhetherZero, &budget);
        self.report();
        Some(nimber.map(|n| n != 0))
    }

    /// Whether the game knows that all components of a position are impartial.
    #[must_use]
    pub fn is_impartial(&self, position: &G::Position) -> bool {
        let mut parts = Vec::new();
        self.game.analysis().split(position, &mut parts);
        parts
            .iter()
            .all(|part| self.game.analysis().is_impartial(part))
    }

    /// The options of a player without repetitions, in the order of the rules.
    ///
    /// # Errors
    /// A rule that fails.
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

    /// The outcome under normal play.
    ///
    /// # Errors
    /// As for [`value`](Search::value); but a line of play that repeats or fails is an error only if neither player can
    /// force a win without it.
    pub fn outcome(&mut self, position: &G::Position) -> Result<Outcome, StoppedIn<G>> {
        self.two_players()?;
        if let Some(left) = self.wins_by_pairing(position, Player::LEFT)
            && let Some(right) = self.wins_by_pairing(position, Player::RIGHT)
        {
            self.report();
            return Ok(Outcome::from_first(left, right));
        }
        if let Some(wins) = self.wins_by_nimber(position) {
            return wins.map(|wins| Outcome::from_first(wins, wins));
        }
        if let Some(wins) = self.wins_narrowed(position, false, &BOTH) {
            return wins.map(|[left, right]| Outcome::from_first(left, right));
        }
        let left = self.wins_by_play(position, Player::LEFT)?;
        let right = self.wins_by_play(position, Player::RIGHT)?;
        Ok(Outcome::from_first(left, right))
    }

    // By player, whether each of `movers` wins if he moves first, found in a game with smaller positions if there is one.
    fn wins_narrowed(
        &mut self,
        position: &G::Position,
        misere: bool,
        movers: &[Player],
    ) -> Option<Result<[bool; 2], StoppedIn<G>>> {
        if !self.may_narrow() {
            return None;
        }
        let engine = self.engine;
        let task = WinsIn {
            engine,
            misere,
            movers,
        };
        let (wins, statistics) = self.game.analysis().narrowed(position, task).ok()?;
        self.values.statistics.absorb(&statistics);
        self.report();
        Some(wins)
    }

    /// Whether the player who moves first at a position wins, under normal play. A search that is given up goes on where it
    /// stopped when it is asked again.
    ///
    /// # Errors
    /// As for [`outcome`](Search::outcome).
    pub fn wins_first(
        &mut self,
        position: &G::Position,
        mover: Player,
    ) -> Result<bool, StoppedIn<G>> {
        self.two_players()?;
        if let Some(wins) = self.wins_by_pairing(position, mover) {
            self.report();
            return Ok(wins);
        }
        match self.wins_by_nimber(position) {
            Some(wins) => wins,
            None => self.wins_by_play(position, mover),
        }
    }

    /// Whether the player who moves first at a position wins, under normal or misère play. As for an outcome, positions may be
    /// searched in a game with smaller ones, and a search that is given up starts anew when it is asked again.
    ///
    /// # Errors
    /// As for [`outcome`](Search::outcome).
    pub fn wins_once(
        &mut self,
        position: &G::Position,
        mover: Player,
        misere: bool,
    ) -> Result<bool, StoppedIn<G>> {
        self.two_players()?;
        if !misere {
            if let Some(wins) = self.wins_by_pairing(position, mover) {
                self.report();
                return Ok(wins);
            }
            if let Some(wins) = self.wins_by_nimber(position) {
                return wins;
            }
        }
        if let Some(wins) = self.wins_narrowed(position, misere, &[mover]) {
            return wins.map(|wins| wins[mover.index() & 1]);
        }
        let budget = self.budget();
        let wins = self.wins_within(position, mover, misere, &budget);
        self.report();
        wins
    }

    /// Whether a player who moves first can force a win (`true`), or the other player can (`false`); `None` if neither is
    /// shown within some ten thousand positions. Positions are searched breadth first, so there can be an answer though
    /// play need not end.
    ///
    /// # Errors
    /// A limit, or a game that has not two players.
    pub fn forces(
        &mut self,
        position: &G::Position,
        mover: Player,
        misere: bool,
    ) -> Result<Option<bool>, StoppedIn<G>> {
        self.two_players()?;
        let budget = self.budget();
        let context = Context::new(self.engine, &budget);
        let game = self.game;
        let play = if misere {
            &mut self.misere
        } else {
            &mut self.play
        };
        let play = play.get_or_insert_with(|| Play::new(game, misere));
        let found = play.forced(game, position, mover, &context);
        self.report();
        found
    }

    fn wins_by_play(
        &mut self,
        position: &G::Position,
        mover: Player,
    ) -> Result<bool, StoppedIn<G>> {
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
        if let Some(wins) = self.wins_narrowed(position, true, &BOTH) {
            return wins.map(|[left, right]| Outcome::from_first(left, right));
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
            coalitions: _,
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

    /// The options of a player with their values; the best are those that no other option strictly dominates.
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
