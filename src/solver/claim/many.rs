//! Who wins with whom: the coalitions that can force a win, by the engine (Propp 2000; Cincotti 2009). The function of all
//! coalitions is found once for a position and a player to move. The memo table is kept while queries concern the same board.
//! Where a line of play repeats or a rule fails, and where rules end play by clauses, the arena is asked, one coalition after
//! the other.

use super::fault::{self, of_a_line};
use super::solve::{Road, Solver};
use super::theory::Theory;
use crate::base::Span;
use crate::engine::arena::ToMove;
use crate::engine::{Answer, Coalition, CoalitionFunction};
use crate::game::Player;
use crate::ir::{Code as FaultCode, Fault, Position, Res, Term};
use crate::model::typed::EndKind;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;

/// The most players for whom all coalitions are tried one by one.
const MOST_DECIDED: u8 = 12;

/// The minimal winning coalitions, as sets of players in their order.
pub type Minimal = Vec<Vec<Player>>;

/// Who wins alone, if anybody.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Winner {
    /// This player, against all the others together.
    Alone(Player),
    /// Each of these players, against all the others together: `lose` ends play with several winners.
    Several(Coalition),
    /// No player; each can force that no other wins.
    Drawn,
    /// No player, but some player cannot prevent a win of the others.
    Queer,
}

impl Winner {
    /// The player who wins alone, the first one if several do.
    #[must_use]
    pub fn player(self) -> Option<Player> {
        match self {
            Winner::Alone(player) => Some(player),
            Winner::Several(players) => players.iter().next(),
            Winner::Drawn | Winner::Queer => None,
        }
    }

    /// The player who wins alone, if exactly one does.
    #[must_use]
    pub fn only(self) -> Option<Player> {
        match self {
            Winner::Alone(player) => Some(player),
            _ => None,
        }
    }

    /// Whether a player wins alone.
    #[must_use]
    pub fn includes(self, player: Player) -> bool {
        match self {
            Winner::Alone(winner) => winner == player,
            Winner::Several(winners) => winners.contains(player),
            Winner::Drawn | Winner::Queer => false,
        }
    }
}

/// Runs a search on the road that a position takes, with the memo table that was kept.
macro_rules! ask {
    ($solver:expr, $position:expr, $span:expr, |$search:ident, $start:ident| $question:expr) => {
        match $solver.road($position, $span)? {
            Road::Fast(machine, $start) => {
                let kept = $solver.many.kept.borrow_mut().take();
                let mut $search = match kept {
                    Some((known, kept)) if Arc::ptr_eq(&known, &machine) => {
                        $solver.fast.resume(&*machine, kept)
                    }
                    _ => $solver.fast.search(&*machine),
                };
                let found = $question;
                let kept = $search.keep();
                let found = found
                    .map_err(|s| fault::of_stop(s, $span, &$solver.model, |p| machine.show(p)));
                *$solver.many.kept.borrow_mut() = Some((machine, kept));
                $solver.noted(found?)
            }
            Road::Naive(game, $start, _) => {
                let mut $search = $solver.naive.search(&game);
                let found = $question.map_err(|s| {
                    fault::of_stop(s, $span, &$solver.model, |p| Position::clone(p))
                })?;
                $solver.noted(found)
            }
        }
    };
}

impl Solver {
    fn noted<T>(&self, found: Answer<T>) -> T {
        if found.degraded {
            self.many.degraded.store(true, Relaxed);
        }
        found.answer
    }

    /// Whether, since the last call, an answer was found by Algorithm 1 because memory was too small.
    #[must_use]
    pub fn take_degraded(&self) -> bool {
        self.many.degraded.swap(false, Relaxed)
    }

    /// Discards what was found about coalitions. Call it between two queries.
    pub fn forget(&self) {
        self.many.kept.take();
    }

    /// The coalitions that can force a win of one of their members.
    ///
    /// # Errors
    /// A limit, a rule that fails, play that need not end.
    pub fn coalition_function(
        &self,
        position: &Position,
        first: Player,
        span: Span,
    ) -> Res<CoalitionFunction> {
        Ok(ask!(self, position, span, |search, start| search
            .coalitions(&start, first)))
    }

    /// The minimal coalitions that can force a win of one of their members.
    ///
    /// # Errors
    /// As for [`Solver::coalition_function`].
    pub fn coalitions(
        &self,
        position: &Position,
        first: impl Into<ToMove>,
        span: Span,
    ) -> Res<Minimal> {
        self.coalitions_of(position, first.into(), span)
    }

    fn coalitions_of(&self, position: &Position, to_move: ToMove, span: Span) -> Res<Minimal> {
        let first = to_move.player;
        if !position.has_values() {
            return self.decided_coalitions(position, to_move, span);
        }
        if let Some(winner) = self.winner_though_it_grows(position, first, span)? {
            return Ok(vec![vec![winner]]);
        }
        let found = self.coalition_function(position, first, span);
        if let Err(fault) = &found
            && of_a_line(fault)
        {
            return self.decided_coalitions(position, to_move, span);
        }
        let minimal = found?.minimal().ok_or_else(|| {
            Fault::new(
                FaultCode::TooMuch,
                span,
                "too many minimal coalitions to list",
            )
            .help(
                "ask for winner(G, first: p), or of one coalition: wins(G, coalition: C, first: p)",
            )
        })?;
        Ok(minimal.iter().map(|c| c.iter().collect()).collect())
    }

    /// Whether a coalition can force a win of one of its members.
    ///
    /// # Errors
    /// As for [`Solver::coalition_function`].
    pub fn wins(
        &self,
        position: &Position,
        coalition: &[Player],
        first: Player,
        span: Span,
    ) -> Res<bool> {
        let arena = || self.coalition_forces(position, coalition, first.into(), u64::MAX, span);
        if !position.has_values() {
            return arena();
        }
        let found = match self.winner_at_once(position, first, span) {
            Ok(Some(winner)) => Ok(coalition.contains(&winner)),
            Ok(None) => {
                let members = Coalition::from_iter(coalition.iter().copied());
                self.wins_shortly(position, &members, first, span)
            }
            Err(fault) => Err(fault),
        };
        match found {
            Err(fault) if of_a_line(&fault) => arena(),
            found => found,
        }
    }

    /// The winner where no coalitions need be searched: of two players, and where play grows.
    fn winner_at_once(
        &self,
        position: &Position,
        first: Player,
        span: Span,
    ) -> Res<Option<Player>> {
        match position.players() {
            2 => self.short_winner(position, first, span).map(Some),
            _ => self.winner_though_it_grows(position, first, span),
        }
    }

    fn wins_shortly(
        &self,
        position: &Position,
        coalition: &Coalition,
        first: Player,
        span: Span,
    ) -> Res<bool> {
        Ok(ask!(self, position, span, |search, start| search
            .wins(&start, coalition, first)))
    }

    fn winner_shortly(
        &self,
        position: &Position,
        first: Player,
        within: &Coalition,
        span: Span,
    ) -> Res<Option<Player>> {
        Ok(ask!(self, position, span, |search, start| search
            .winner_among(&start, first, within)))
    }

    /// The minimal coalitions that can force a win, by the arena, which tries each from the smallest on.
    fn decided_coalitions(&self, position: &Position, first: ToMove, span: Span) -> Res<Minimal> {
        let n = position.players();
        if n > MOST_DECIDED {
            return Err(Fault::new(
                FaultCode::TooMuch,
                span,
                format!(
                    "coalitions of more than {MOST_DECIDED} players are asked about one by one"
                ),
            )
            .help("wins(G, coalition: C, first: p)"));
        }
        let mut sets: Vec<u32> = (1..1u32 << n).collect();
        sets.sort_by_key(|s| (s.count_ones(), *s));
        let mut minimal: Vec<u32> = Vec::new();
        for set in sets {
            if minimal.iter().any(|m| m & set == *m) {
                continue;
            }
            let members: Vec<Player> = (0..n).filter(|p| set >> p & 1 == 1).map(Player).collect();
            if self.coalition_forces(position, &members, first, u64::MAX, span)? {
                minimal.push(set);
            }
        }
        let members = |set: &u32| (0..n).filter(|p| set >> p & 1 == 1).map(Player).collect();
        Ok(minimal.iter().map(members).collect())
    }

    /// Who wins alone against all others.
    ///
    /// # Errors
    /// As for [`Solver::coalition_function`].
    pub fn winner(&self, position: &Position, first: impl Into<ToMove>, span: Span) -> Res<Winner> {
        self.winner_among(position, first.into(), &[], span)
    }

    /// Who wins alone in the middle of a game; players marked in `out` no longer take part.
    ///
    /// # Errors
    /// As for [`Solver::coalition_function`].
    pub fn winner_among(
        &self,
        position: &Position,
        to_move: ToMove,
        out: &[bool],
        span: Span,
    ) -> Res<Winner> {
        let first = to_move.player;
        let n = position.players();
        let players = || (0..n).map(Player);
        let within: Coalition = players()
            .filter(|p| out.get(p.index()) != Some(&true))
            .collect();
        if position.has_values() {
            let found = match within.len() == usize::from(n) {
                true => self.winner_at_once(position, first, span),
                false => Ok(None),
            };
            let found = match found {
                Ok(None) => self.winner_shortly(position, first, &within, span),
                found => found,
            };
            match found {
                Err(fault) if of_a_line(&fault) => {}
                found => return Ok(found?.map_or(Winner::Queer, Winner::Alone)),
            }
        }
        if n == 2 && Theory::of(position) == Theory::Misere {
            match self.misere_winner(position, first, span) {
                Err(fault) if of_a_line(&fault) => {}
                found => return found.map(Winner::Alone),
            }
        }
        let within = within.low();
        let forces =
            |members: &[Player]| self.coalition_forces(position, members, to_move, within, span);
        let loses = |t: &Term| {
            let ends = &t.setting.instance.rules.ends;
            ends.iter().any(|e| e.kind == EndKind::Lose)
        };
        let shared = n > 2 && position.terms().iter().any(loses);
        let mut alone = Coalition::EMPTY;
        for p in players() {
            if forces(&[p])? {
                alone.insert(p);
                if !shared {
                    break;
                }
            }
        }
        match alone.len() {
            0 => {}
            1 => return Ok(alone.iter().next().map_or(Winner::Drawn, Winner::Alone)),
            _ => return Ok(Winner::Several(alone)),
        }
        if n == 2 {
            return Ok(Winner::Drawn);
        }
        for p in players() {
            let others: Vec<Player> = players().filter(|q| *q != p).collect();
            if forces(&others)? {
                return Ok(Winner::Queer);
            }
        }
        Ok(Winner::Drawn)
    }
}
