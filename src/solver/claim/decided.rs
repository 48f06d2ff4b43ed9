//! Who wins, for rules that [`crate::engine::arena`] plays: clauses that end play, extra turns, misère play and stalemate,
//! infinite play. The answers are fates, and moves with their fates.
//!
//! Rules that have values of short games go to [`super::solve`] first, and come here if a position is repeated.

use super::court::Court;
use super::fault;
use super::knotted;
use super::solve::{Road, Solver};
use super::theory::{Question, Theory};
use crate::base::Span;
use crate::engine::Coalition;
use crate::engine::Stopped;
use crate::engine::arena::{Arena, Fate, Played, ToMove};
use crate::game::{Budget, Convention, End, Limit, Player, Rules, Shortcut, Step};
use crate::ir::naive::{self, Moved};
use crate::ir::{Code as FaultCode, Evaluator, Fault, NoHost, Outcome, Position, Res};
use crate::machine::{Bared, Machine, Packed};
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;

/// The most nodes searched for the number of moves that a win takes.
const MOST_COUNTED: u64 = 1 << 18;

/// A move with its result.
#[derive(Clone, Debug)]
pub struct DecidedMove {
    /// The move.
    pub moved: Moved,
    /// The result of best play after it.
    pub played: Played,
    /// The score after it, where points are counted.
    pub score: Option<i64>,
    /// Whether no other move is better for its player: he wins soonest, or draws, or loses latest.
    pub best: bool,
}

/// The outcome, from the results if Left begins and if Right begins.
#[must_use]
pub fn outcome_of([left, right]: [Fate; 2]) -> Outcome {
    use Fate::{Drawn, Won};
    const L: Player = Player::LEFT;
    match (left, right) {
        (Won(a), Won(b)) => match (a == L, b == L) {
            (true, true) => Outcome::L,
            (true, false) => Outcome::N,
            (false, true) => Outcome::P,
            (false, false) => Outcome::R,
        },
        (Won(L), Drawn) => Outcome::LD,
        (Won(_), Drawn) => Outcome::RD,
        (Drawn, Won(L)) => Outcome::DL,
        (Drawn, Won(_)) => Outcome::DR,
        (Drawn, Drawn) => Outcome::D,
    }
}

/// The result of an outcome if `first` begins.
#[must_use]
pub fn fate_of(outcome: Outcome, first: Player) -> Fate {
    let won = |left: bool| Fate::Won(if left { Player::LEFT } else { Player::RIGHT });
    let left_begins = first == Player::LEFT;
    match (outcome, left_begins) {
        (Outcome::L, _) => won(true),
        (Outcome::R, _) => won(false),
        (Outcome::N, begins) => won(begins),
        (Outcome::P, begins) => won(!begins),
        (Outcome::LD, true) | (Outcome::DL, false) => won(true),
        (Outcome::RD, true) | (Outcome::DR, false) => won(false),
        (Outcome::LD, false)
        | (Outcome::DL, true)
        | (Outcome::RD, false)
        | (Outcome::DR, true)
        | (Outcome::D, _) => Fate::Drawn,
    }
}

/// Evaluates a question to an arena, counts forced replies, and keeps the arena.
macro_rules! ask_arena {
    ($solver:expr, $span:expr, $arena:ident, $question:expr, $show:expr, $court:expr) => {{
        let (_, before) = $arena.counts();
        let found = $question;
        let forced = &$solver.arenas.forced;
        forced.fetch_add($arena.counts().1 - before, Relaxed);
        let found =
            found.map_err(|s: Stopped<_, _>| fault::of_stop(s, $span, &$solver.model, $show));
        *$solver.arenas.kept.borrow_mut() = Some($court);
        found
    }};
}

/// Evaluates a question with the arena for the road that a position takes.
macro_rules! ask {
    ($solver:expr, $position:expr, $span:expr, |$arena:ident, $rules:ident, $start:ident, $budget:ident| $question:expr) => {{
        agree($position, $span)?;
        let $budget = &$solver.budget();
        macro_rules! in_words {
            ($of:ident, $bare:ident, $known:ident, $packed:ident) => {{
                let mut $arena = $known;
                let ($rules, $start) = (&$bare, $bare.position(&$packed));
                ask_arena!(
                    $solver,
                    $span,
                    $arena,
                    $question,
                    |p| $bare.show(p),
                    Court::$of($bare, $arena)
                )
            }};
        }
        match $solver.road_to_decide($position, $span)? {
            Road::Fast(machine, packed) => match $solver.court(&machine, &packed) {
                Court::One(bare, arena) => in_words!(One, bare, arena, packed),
                Court::Two(bare, arena) => in_words!(Two, bare, arena, packed),
                Court::Four(bare, arena) => in_words!(Four, bare, arena, packed),
                Court::Machine(_, arena) => {
                    let mut $arena = arena;
                    let ($rules, $start) = (&*machine, packed);
                    ask_arena!(
                        $solver,
                        $span,
                        $arena,
                        $question,
                        |p| machine.show(p),
                        Court::Machine(machine, $arena)
                    )
                }
                // `court` never returns the arena of the naive evaluator.
                Court::Text(_) => Err(fault::of_limit(Limit::Nodes, $span)),
            },
            Road::Naive(game, $start, _) => {
                let mut $arena = match $solver.arenas.kept.borrow_mut().take() {
                    Some(Court::Text(arena)) => arena,
                    _ => $solver.arena(),
                };
                let $rules = &game;
                ask_arena!(
                    $solver,
                    $span,
                    $arena,
                    $question,
                    |p| Position::clone(p),
                    Court::Text($arena)
                )
            }
        }
    }};
}

/// Rules under which a player who cannot move wins.
struct Misere<'r, R>(&'r R);

impl<R: Rules> Rules for Misere<'_, R> {
    type Position = R::Position;
    type Fault = R::Fault;

    fn convention(&self) -> Convention {
        Convention::Misere
    }

    fn endless(&self) -> Option<Player> {
        self.0.endless()
    }

    fn options(
        &self,
        position: &R::Position,
        player: Player,
        options: &mut Vec<R::Position>,
    ) -> Result<(), R::Fault> {
        self.0.options(position, player, options)
    }

    fn ended(&self, position: &R::Position) -> Result<Option<End>, R::Fault> {
        self.0.ended(position)
    }

    fn steps(
        &self,
        position: &R::Position,
        player: Player,
        steps: &mut Vec<Step<R::Position>>,
    ) -> Result<(), R::Fault> {
        self.0.steps(position, player, steps)
    }

    fn position_bytes(&self, position: &R::Position) -> usize {
        self.0.position_bytes(position)
    }
}

/// The results of misère play of a position, by who begins.
fn misere_fates<R: Rules>(
    rules: &R,
    start: &R::Position,
    memory: usize,
    budget: &Budget,
) -> Result<[Fate; 2], Stopped<R::Position, R::Fault>> {
    let rules = Misere(rules);
    let mut arena = Arena::new(memory);
    let left = arena.fate(&rules, start, Player::LEFT, budget)?;
    Ok([left, arena.fate(&rules, start, Player::RIGHT, budget)?])
}

/// Whether the terms of a sum disagree on infinite play and have values: then the sum of the values says who wins.
fn only_by_value(position: &Position) -> bool {
    !position.agrees_on_endless() && position.has_values()
}

/// Checks that all terms of a sum agree on infinite play.
fn agree(position: &Position, span: Span) -> Res<()> {
    if position.agrees_on_endless() {
        return Ok(());
    }
    let mut clauses = position
        .terms()
        .iter()
        .map(|t| t.setting.instance.rules.endless);
    let first = clauses.next();
    let help = match clauses.all(|clause| Some(clause) == first) {
        true => {
            "the negative of a position exchanges the players in its clause `endless`, too; under `endless draw` both agree"
        }
        false => "give both rulesets the same clause `endless`",
    };
    Err(Fault::new(
        FaultCode::Players,
        span,
        "the parts of this sum say different things of play without end",
    )
    .help(help))
}

impl Solver {
    /// Whether only the arena can decide a position, since its rules give no values of short games.
    #[must_use]
    pub fn is_decided(&self, position: &Position) -> bool {
        !position.has_values()
    }

    fn arena<R: Rules>(&self) -> Arena<R> {
        let mistake = self.fast.plants(Shortcut::Threats);
        Arena::new(self.limits.memory)
            .with_shortcuts(self.shortcuts)
            .planting(mistake.then_some(Shortcut::Threats))
    }

    /// The arena that was kept for these rules, or a new one.
    fn court(&self, machine: &Arc<Machine>, position: &Packed) -> Court {
        let kept = self.arenas.kept.borrow_mut().take();
        let court = match kept {
            Some(court) if court.is_of(machine, position) => court,
            _ => match machine.bare(position) {
                Some(Bared::One(bare)) => Court::One(bare, self.arena()),
                Some(Bared::Two(bare)) => Court::Two(bare, self.arena()),
                Some(Bared::Four(bare)) => Court::Four(bare, self.arena()),
                None => Court::Machine(machine.clone(), self.arena()),
            },
        };
        if !matches!(court, Court::Machine(..)) {
            self.arenas.narrowed.fetch_add(1, Relaxed);
        }
        court
    }

    /// A clause may end play that would grow without it, so only rules without end clauses are refused for growing.
    pub(super) fn road_to_decide(&self, position: &Position, span: Span) -> Res<Road> {
        let ends = |t: &crate::ir::Term| !t.setting.instance.rules.ends.is_empty();
        match position.terms().iter().any(ends) {
            true => self.plain_road(position),
            false => self.road(position, span),
        }
    }

    /// Whether a coalition can force a win, by the arena. The players `within` are still in.
    pub(super) fn coalition_forces(
        &self,
        position: &Position,
        coalition: &[Player],
        first: ToMove,
        within: u64,
        span: Span,
    ) -> Res<bool> {
        if Theory::of(position) == Theory::Scores {
            return self.coalition_scores(position, coalition, first.player, span);
        }
        if let [one] = coalition
            && only_by_value(position)
        {
            return Ok(self.fate(position, first, span)? == Fate::Won(*one));
        }
        // The arena refuses positions of more than 64 players.
        let members = Coalition::from_iter(coalition.iter().copied()).low();
        ask!(self, position, span, |arena, rules, start, budget| {
            arena.forces_among(rules, &start, first, within, members, budget)
        })
    }

    /// The result of best play by two players if `first` begins. Of parts that disagree on infinite play it is that of the
    /// sum of their values.
    ///
    /// # Errors
    /// A limit; a rule that fails on a line of play that decides; a sum of rules that disagree on infinite play.
    pub fn fate(&self, position: &Position, first: impl Into<ToMove>, span: Span) -> Res<Fate> {
        self.fate_of(position, first.into(), span)
    }

    fn fate_of(&self, position: &Position, first: ToMove, span: Span) -> Res<Fate> {
        if Theory::of(position) == Theory::Scores {
            return self.who_has_more(position, first.player, span);
        }
        if let Some(fate) = self.fate_by_answers(position, first.player, span)? {
            return Ok(fate);
        }
        if only_by_value(position) {
            let value = self.loopy(position, span)?;
            let [left, right] = knotted::fates(self, value, span)?;
            return Ok(if first.player == Player::LEFT {
                left
            } else {
                right
            });
        }
        ask!(self, position, span, |arena, rules, start, budget| {
            arena.fate(rules, &start, first, budget)
        })
    }

    /// The same, with the number of moves.
    ///
    /// # Errors
    /// As for [`Solver::fate`].
    pub fn played(&self, position: &Position, first: impl Into<ToMove>, span: Span) -> Res<Played> {
        self.played_from(position, first.into(), span)
    }

    fn played_from(&self, position: &Position, first: ToMove, span: Span) -> Res<Played> {
        Theory::answering(Question::Remoteness, position, span)?;
        ask!(self, position, span, |arena, rules, start, budget| {
            arena.played(rules, &start, first, budget)
        })
    }

    /// The same, if at most [`MOST_COUNTED`] nodes are searched; `None` if there are more.
    fn played_if_few(&self, position: &Position, first: ToMove, span: Span) -> Res<Option<Played>> {
        let mut few = true;
        let found = ask!(self, position, span, |arena, rules, start, budget| {
            let all = budget.left();
            let (found, spent) = budget.lend(MOST_COUNTED, |budget| {
                arena.played(rules, &start, first, budget)
            });
            few = spent < MOST_COUNTED || all <= MOST_COUNTED;
            found
        });
        match found {
            Err(fault) if fault.code.is_limit() && !few => Ok(None),
            found => found.map(Some),
        }
    }

    /// The outcome by the arena.
    pub(super) fn decided_outcome(&self, position: &Position, span: Span) -> Res<Outcome> {
        let left = self.fate(position, Player::LEFT, span)?;
        let right = self.fate(position, Player::RIGHT, span)?;
        Ok(outcome_of([left, right]))
    }

    /// The misère outcome of rules with another convention, by the arena.
    pub(super) fn misere_decided(&self, position: &Position, span: Span) -> Res<Outcome> {
        agree(position, span)?;
        let budget = self.budget();
        let memory = self.limits.memory;
        let found = match self.road_to_decide(position, span)? {
            Road::Fast(machine, start) => misere_fates(&*machine, &start, memory, &budget)
                .map_err(|s| fault::of_stop(s, span, &self.model, |p| machine.show(p))),
            Road::Naive(game, start, _) => misere_fates(&game, &start, memory, &budget)
                .map_err(|s| fault::of_stop(s, span, &self.model, |p| Position::clone(p))),
        };
        found.map(outcome_of)
    }

    /// The moves of a player, with their results. The best moves are those that win soonest, else those that draw, else those
    /// that lose latest.
    ///
    /// # Errors
    /// As for [`Solver::fate`].
    pub fn decided_moves(
        &self,
        position: &Position,
        to_move: impl Into<ToMove>,
        span: Span,
    ) -> Res<Vec<DecidedMove>> {
        self.decided_moves_of(position, to_move.into(), span)
    }

    fn decided_moves_of(
        &self,
        position: &Position,
        to_move: ToMove,
        span: Span,
    ) -> Res<Vec<DecidedMove>> {
        let player = to_move.player;
        if Theory::answering(Question::BestMoves, position, span)? == Theory::Scores {
            return self.scored_moves(position, player, span);
        }
        // If few positions follow, the numbers of moves are found, too. Whether they are few depends on the position, not on
        // the search: if a limit of the user ends the count, there is no answer.
        let counted = match self.played_if_few(position, to_move, span) {
            Ok(found) => found.is_some(),
            Err(fault) if fault.code.is_limit() => return Err(fault),
            Err(_) => false,
        };
        let mut found = Vec::new();
        for moved in self.moves(position, to_move)? {
            let played = match moved.end {
                Some(End::Won(who)) => Played {
                    fate: Fate::Won(if who & 1 == 1 {
                        Player::LEFT
                    } else {
                        Player::RIGHT
                    }),
                    moves: Some(1),
                },
                Some(End::Drawn) => Played {
                    fate: Fate::Drawn,
                    moves: Some(1),
                },
                None => {
                    let next = ToMove::after_a_move(match moved.again {
                        true => player,
                        false => player.opponent(),
                    });
                    match counted {
                        true => {
                            let after = self.played(&moved.position, next, span)?;
                            Played {
                                moves: after.moves.map(|n| n.saturating_add(1)),
                                ..after
                            }
                        }
                        false => Played {
                            fate: self.fate(&moved.position, next, span)?,
                            moves: None,
                        },
                    }
                }
            };
            found.push(DecidedMove {
                moved,
                played,
                score: None,
                best: false,
            });
        }
        let rank = |p: &Played| {
            let moves = i64::from(p.moves.unwrap_or(u32::MAX));
            match p.fate {
                Fate::Won(who) if who == player => (2, -moves),
                Fate::Drawn => (1, 0),
                Fate::Won(_) => (0, moves),
            }
        };
        let top = found.iter().map(|m| rank(&m.played)).max();
        for m in &mut found {
            m.best = Some(rank(&m.played)) == top;
        }
        Ok(found)
    }

    /// Whether a clause of the rules has ended play at a position, whoever moved last.
    ///
    /// # Errors
    /// A clause that fails.
    pub fn has_ended(&self, position: &Position) -> Res<bool> {
        let ev = Evaluator::new(&self.model, &NoHost).with_cancel(self.cancel.clone());
        match naive::ended(&ev, position, None) {
            Ok(end) => Ok(end.is_some()),
            // Play has ended, whatever the result is.
            Err(fault) if fault.code == FaultCode::NobodyMoved => Ok(true),
            Err(fault) => Err(fault),
        }
    }
}
