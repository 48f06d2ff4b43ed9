//! Games of n players. Input: a position. Output: who wins alone, and which coalitions win.
//!
//! The value of such a position is, for each player to move, the monotone self-dual Boolean function that says which
//! coalitions can force that one of their members wins, whatever all others do together. There are three methods: a search for
//! one coalition at a time, guided by proof numbers (`duel`); one memoized pass for all coalitions at once (`pass`); and
//! Cincotti's Algorithm 1, which takes polynomial space and one coalition at a time (`algorithm1`). The first answers where
//! play is known to end and no rule to fail, unless everybody has the same moves. If memory is too short for the other two,
//! Algorithm 1 answers, and the answer says so.
//!
//! The last two search lines of play one by one, and stop where one repeats or a rule fails. For two players the question is then
//! who can force a win. So unless play is known to end and no rule to fail, the winner of two is found by an outcome
//! search.

mod algorithm1;
mod duel;
mod functions;
mod pass;
mod set;

pub use functions::CoalitionFunction;
pub use set::Coalition;

use super::Search;
use super::account::Account;
use super::context::Context;
use super::statistics::Statistics;
use super::stopped::{Refused, Stopped, StoppedIn};
use crate::game::{Analysis, Budget, Game, Limit, Player, Shortcut};
use duel::Duel;
use pass::Pass;

/// What the two methods that keep what they find have stored about one board.
pub(crate) struct Tables<G: Game> {
    duel: Option<Duel<G>>,
    pass: Option<Pass<G>>,
}

impl<G: Game> Default for Tables<G> {
    fn default() -> Tables<G> {
        Tables {
            duel: None,
            pass: None,
        }
    }
}

impl<G: Game> Tables<G> {
    /// Releases all memory.
    pub(crate) fn clear(&mut self, account: &Account) {
        if let Some(duel) = &mut self.duel {
            duel.clear(account);
        }
        if let Some(pass) = &mut self.pass {
            pass.clear(account);
        }
    }

    /// Adds the counters since this was last called.
    pub(crate) fn give_statistics(&mut self, all: &mut Statistics) {
        if let Some(duel) = &mut self.duel {
            all.absorb(&duel.take_statistics());
        }
        if let Some(pass) = &mut self.pass {
            all.absorb(&pass.take_statistics());
        }
    }
}

/// An answer, and by which method it was found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Answer<T> {
    /// The answer.
    pub answer: T,
    /// Whether memory was too short for the pass over all coalitions, so that Algorithm 1 found the answer.
    pub degraded: bool,
}

impl<T> Answer<T> {
    fn plain(answer: T) -> Answer<T> {
        Answer {
            answer,
            degraded: false,
        }
    }

    fn degraded(answer: T) -> Answer<T> {
        Answer {
            answer,
            degraded: true,
        }
    }
}

/// With more players, all coalitions are found by one pass; by duels, nearly half of them would be asked about one by one.
const MOST_BY_DUELS: u8 = 5;

/// With more players, Algorithm 1 does not compute coalition functions, since it would have to run 2^(n-1) times.
const MOST_BY_ALGORITHM_1: u8 = functions::TABLE_PLAYERS;

impl<G: Game> Search<'_, G> {
    fn player(&self, player: Player) -> Result<(), StoppedIn<G>> {
        if player.0 < self.game.players() {
            Ok(())
        } else {
            Err(Stopped::Refused(Refused::NoSuchPlayer))
        }
    }

    // The winner of two where play may repeat or a rule fail: found as an outcome is, with the same guarantees. `None`
    // otherwise.
    fn winner_of_two(
        &mut self,
        position: &G::Position,
        first: Player,
    ) -> Result<Option<Player>, StoppedIn<G>> {
        let plain = self.game.analysis().ends() && self.game.analysis().is_faultless();
        if self.game.players() != 2 || plain {
            return Ok(None);
        }
        let wins = self.wins_first(position, first)?;
        Ok(Some(if wins { first } else { first.opponent() }))
    }

    // Whether a coalition wins by a search for it alone; `None` if that does not apply or memory is too short. On WebAssembly
    // the pass answers, for this search would take 10 kB of what the page weighs.
    fn by_duel(
        &mut self,
        position: &G::Position,
        first: Player,
        within: Coalition,
        coalition: Coalition,
        budget: &Budget,
    ) -> Result<Option<bool>, StoppedIn<G>> {
        let context = Context::new(self.engine, budget);
        let game = self.game;
        let analysis = game.analysis();
        if cfg!(target_family = "wasm")
            || game.players() == 2
            || !context.shortcuts.has(Shortcut::Duel)
            || !analysis.ends()
            || !analysis.is_faultless()
            || analysis.is_impartial(position)
        {
            return Ok(None);
        }
        let duel = self.coalitions.duel.get_or_insert_with(|| Duel::new(game));
        match duel.wins(game, position, first, within, coalition, &context) {
            Ok(wins) => Ok(Some(wins)),
            Err(Stopped::Limit(Limit::Memory)) => {
                duel.clear(&self.engine.account);
                Ok(None)
            }
            Err(other) => Err(other),
        }
    }

    // The player who wins alone, if any. `wins` says which coalitions win, or gives up: then the outer `None`.
    fn winner_one_by_one(
        &mut self,
        mut wins: impl FnMut(&mut Self, Coalition) -> Result<Option<bool>, StoppedIn<G>>,
    ) -> Result<Option<Option<Player>>, StoppedIn<G>> {
        for player in (0..self.game.players()).map(Player) {
            match wins(self, Coalition::from_iter([player]))? {
                None => return Ok(None),
                Some(true) => return Ok(Some(Some(player))),
                Some(false) => {}
            }
        }
        Ok(Some(None))
    }

    // The function of the winning coalitions, by a search for each of a few players; `None` as for `by_duel`.
    fn coalitions_by_duels(
        &mut self,
        position: &G::Position,
        first: Player,
        budget: &Budget,
    ) -> Result<Option<CoalitionFunction>, StoppedIn<G>> {
        let n = self.game.players();
        if n > MOST_BY_DUELS {
            return Ok(None);
        }
        self.coalitions_one_by_one(|search, coalition| {
            let all = Coalition::all(n);
            search.by_duel(position, first, all, coalition, budget)
        })
    }

    // The function of the winning coalitions of at most `TABLE_PLAYERS` players. `wins` says which win, or gives up.
    fn coalitions_one_by_one(
        &mut self,
        mut wins: impl FnMut(&mut Self, Coalition) -> Result<Option<bool>, StoppedIn<G>>,
    ) -> Result<Option<CoalitionFunction>, StoppedIn<G>> {
        let n = self.game.players();
        let mut table = vec![0u32; (1usize << n).div_ceil(32)];
        // Of a coalition and its complement exactly one wins, and nobody never does.
        for c in 0..1u64 << (n - 1) {
            let wins = match c {
                0 => false,
                _ => match wins(self, Coalition::from_low(c))? {
                    Some(wins) => wins,
                    None => return Ok(None),
                },
            };
            let winner = if wins { c } else { ((1 << n) - 1) & !c };
            table[(winner / 32) as usize] |= 1 << (winner % 32);
        }
        Ok(Some(CoalitionFunction::from_table(n, table)))
    }

    // Applies `take` to the function of a position; `None` if memory is too short.
    fn by_pass<T>(
        &mut self,
        position: &G::Position,
        first: Player,
        within: Coalition,
        budget: &Budget,
        take: impl FnOnce(&Pass<G>, functions::Function) -> T,
    ) -> Result<Option<T>, StoppedIn<G>> {
        let context = Context::new(self.engine, budget);
        let game = self.game;
        let pass = self.coalitions.pass.get_or_insert_with(|| Pass::new(game));
        loop {
            let fresh = pass.is_empty();
            match pass.function(game, position, first, within, &context) {
                Ok(function) => return Ok(Some(take(pass, function))),
                Err(Stopped::Limit(Limit::Memory)) => {
                    pass.clear(&self.engine.account);
                    if fresh {
                        return Ok(None);
                    }
                    // The tables of earlier queries may have been too large: try again without them.
                }
                Err(other) => return Err(other),
            }
        }
    }

    fn by_algorithm_1(
        &mut self,
        position: &G::Position,
        coalition: &Coalition,
        first: Player,
        budget: &Budget,
    ) -> Result<bool, StoppedIn<G>> {
        let context = Context::new(self.engine, budget);
        let mut calls = 0;
        let result = algorithm1::first_coalition_wins(
            self.game, position, coalition, first, &context, &mut calls,
        );
        self.engine.counts.own().calls += calls;
        result
    }

    /// Whether a coalition can force that one of its members wins when `first` moves first.
    ///
    /// With two players under normal play the last mover wins, so the answer for a single player gives the outcome.
    ///
    /// # Errors
    /// A limit, a line of play that repeats, a rule that fails, or a player who does not take part.
    pub fn wins(
        &mut self,
        position: &G::Position,
        coalition: &Coalition,
        first: Player,
    ) -> Result<Answer<bool>, StoppedIn<G>> {
        self.player(first)?;
        let budget = self.budget();
        let result = self.wins_one(position, coalition, first, &budget);
        self.report();
        result
    }

    fn wins_one(
        &mut self,
        position: &G::Position,
        coalition: &Coalition,
        first: Player,
        budget: &Budget,
    ) -> Result<Answer<bool>, StoppedIn<G>> {
        if let Some(winner) = self.winner_of_two(position, first)? {
            return Ok(Answer::plain(coalition.contains(winner)));
        }
        let all = Coalition::all(self.game.players());
        let found = match self.by_duel(position, first, all, *coalition, budget)? {
            Some(wins) => Some(wins),
            None => self.by_pass(position, first, all, budget, |pass, f| {
                pass.functions.wins(f, coalition)
            })?,
        };
        match found {
            Some(answer) => Ok(Answer::plain(answer)),
            None => Ok(Answer::degraded(
                self.by_algorithm_1(position, coalition, first, budget)?,
            )),
        }
    }

    /// Whether a coalition wins, by Algorithm 1: without a memo table, however long it takes.
    ///
    /// # Errors
    /// As for [`wins`](Search::wins).
    pub fn wins_without_memory(
        &mut self,
        position: &G::Position,
        coalition: &Coalition,
        first: Player,
    ) -> Result<bool, StoppedIn<G>> {
        self.player(first)?;
        let budget = self.budget();
        self.by_algorithm_1(position, coalition, first, &budget)
    }

    /// The player who wins alone against all others together when `first` moves first; `None` if the position is queer
    /// (Propp, *Three-player impartial games*, 2000).
    ///
    /// # Errors
    /// As for [`wins`](Search::wins).
    pub fn winner(
        &mut self,
        position: &G::Position,
        first: Player,
    ) -> Result<Answer<Option<Player>>, StoppedIn<G>> {
        self.player(first)?;
        let budget = self.budget();
        let result = self.winner_within(position, first, &budget);
        self.report();
        result
    }

    /// The player who wins alone in the middle of a game: `first` moves first, and under elimination only the players of
    /// `within`, `first` among them, are still in.
    ///
    /// # Errors
    /// As for [`wins`](Search::wins); [`Limit::Memory`] if memory is too short for a pass over all coalitions.
    pub fn winner_among(
        &mut self,
        position: &G::Position,
        first: Player,
        within: &Coalition,
    ) -> Result<Answer<Option<Player>>, StoppedIn<G>> {
        let all = Coalition::all(self.game.players());
        self.player(first)?;
        if *within == all {
            return self.winner(position, first);
        }
        if !within.contains(first) {
            return Err(Stopped::Refused(Refused::NoSuchPlayer));
        }
        let budget = self.budget();
        let found = self.winner_by_tables(position, first, within.intersection(&all), &budget);
        self.report();
        match found? {
            Some(answer) => Ok(Answer::plain(answer)),
            None => Err(Limit::Memory.into()),
        }
    }

    // The player who wins alone, by one of the methods that keep what they find; the outer `None` if memory is too short.
    fn winner_by_tables(
        &mut self,
        position: &G::Position,
        first: Player,
        within: Coalition,
        budget: &Budget,
    ) -> Result<Option<Option<Player>>, StoppedIn<G>> {
        let found = self.winner_one_by_one(|search, alone| {
            search.by_duel(position, first, within, alone, budget)
        })?;
        if found.is_some() {
            return Ok(found);
        }
        let mut players = (0..self.game.players()).map(Player);
        self.by_pass(position, first, within, budget, |pass, f| {
            players.find(|p| pass.functions.wins(f, &Coalition::from_iter([*p])))
        })
    }

    fn winner_within(
        &mut self,
        position: &G::Position,
        first: Player,
        budget: &Budget,
    ) -> Result<Answer<Option<Player>>, StoppedIn<G>> {
        if let Some(winner) = self.winner_of_two(position, first)? {
            return Ok(Answer::plain(Some(winner)));
        }
        let all = Coalition::all(self.game.players());
        if let Some(answer) = self.winner_by_tables(position, first, all, budget)? {
            return Ok(Answer::plain(answer));
        }
        let found = self.winner_one_by_one(|search, alone| {
            let wins = search.by_algorithm_1(position, &alone, first, budget)?;
            Ok(Some(wins))
        })?;
        Ok(Answer::degraded(found.ok_or(Limit::Memory)?))
    }

    /// The function of the winning coalitions when `first` moves first.
    ///
    /// # Errors
    /// As for [`wins`](Search::wins).
    pub fn coalitions(
        &mut self,
        position: &G::Position,
        first: Player,
    ) -> Result<Answer<CoalitionFunction>, StoppedIn<G>> {
        self.player(first)?;
        let budget = self.budget();
        let result = self.coalitions_within(position, first, &budget);
        self.report();
        result
    }

    fn coalitions_within(
        &mut self,
        position: &G::Position,
        first: Player,
        budget: &Budget,
    ) -> Result<Answer<CoalitionFunction>, StoppedIn<G>> {
        if let Some(winner) = self.winner_of_two(position, first)? {
            // The coalitions, as sets of bits, that contain the winner.
            let table = (0..4u32).filter(|c| c >> winner.0 & 1 == 1);
            let table = table.fold(0, |table, c| table | 1 << c);
            return Ok(Answer::plain(CoalitionFunction::from_table(2, vec![table])));
        }
        let all = Coalition::all(self.game.players());
        let found = match self.coalitions_by_duels(position, first, budget)? {
            Some(found) => Some(found),
            None => self.by_pass(position, first, all, budget, |pass, f| {
                pass.functions.export(f)
            })?,
        };
        if let Some(answer) = found {
            return Ok(Answer::plain(answer));
        }
        let n = self.game.players();
        if n > MOST_BY_ALGORITHM_1 {
            return Err(Limit::Memory.into());
        }
        let found = self.coalitions_one_by_one(|search, coalition| {
            let wins = search.by_algorithm_1(position, &coalition, first, budget)?;
            Ok(Some(wins))
        })?;
        let answer = found.ok_or(Limit::Memory)?;
        Ok(Answer::degraded(answer))
    }

    /// The options of `mover` after which a coalition wins. For a member of the coalition these are the winning moves; for
    /// any other player they are the mistakes.
    ///
    /// # Errors
    /// As for [`wins`](Search::wins).
    pub fn coalition_moves(
        &mut self,
        position: &G::Position,
        coalition: &Coalition,
        mover: Player,
    ) -> Result<Answer<Vec<G::Position>>, StoppedIn<G>> {
        self.player(mover)?;
        let next = Coalition::all(self.game.players())
            .after(mover)
            .unwrap_or(mover);
        let budget = self.budget();
        let mut all = Answer {
            answer: Vec::new(),
            degraded: false,
        };
        let mut stopped = None;
        for option in self.options(position, mover)? {
            match self.wins_one(&option, coalition, next, &budget) {
                Ok(found) => {
                    all.degraded |= found.degraded;
                    if found.answer {
                        all.answer.push(option);
                    }
                }
                Err(why) => {
                    stopped = Some(why);
                    break;
                }
            }
        }
        self.report();
        stopped.map_or(Ok(all), Err)
    }
}
