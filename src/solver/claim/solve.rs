//! Evaluates positions with the engines. A position is a sum of terms, each a ruleset on a board. Each term is compiled once
//! for its board and searched by the engine, and the values are added (Siegel, *Combinatorial Game Theory*, II.1).

use super::affine::Worths;
use super::algebra::memory;
use super::court::Arenas;
use super::fault::{self, of_a_line};
use super::growth;
use super::heaps::Heaps;
use super::loopy::Knots;
use super::machines::{Machines, Shelf};
use super::misere::Misere;
use super::orders::Orders;
use super::scores::Counted;
use super::theory::{Question, Theory};
use crate::base::Span;
use crate::engine::arena::ToMove;
use crate::engine::{Archive, Engine, Kept, Statistics, Stopped};
use crate::game::{Analysis, Budget, Cancel, Limit, Limits, Player, Pulse, Shortcut, Shortcuts};
use crate::ir::ground;
use crate::ir::naive::{self, Moved, NaiveGame, Uncompiled};
use crate::ir::{Evaluator, Fault, NoHost, Position, Res, Term, draw};
use crate::machine::{self, Machine, Packed, same_definitions};
use crate::model::typed::Model;
use crate::value::{CanonicalForm, Forms, Outcome};
use rustc_hash::FxHashSet;
use std::cell::{Cell, RefCell};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// The most positions that are listed for a line of a card.
const CARD_NODES: u64 = 1 << 12;

/// A position in the form that an engine searches: compiled, or for the naive evaluator.
pub(super) enum Road {
    Fast(Arc<Machine>, Packed),
    Naive(NaiveGame, Arc<Position>, Uncompiled),
}

/// The results on coalitions that a solver keeps.
#[derive(Debug, Default)]
pub(super) struct Many {
    /// The memo table of the board that was queried last.
    pub(super) kept: RefCell<Option<(Arc<Machine>, Kept<Machine>)>>,
    /// Whether an answer was found by Algorithm 1 because memory was too small, by the solver of any thread.
    pub(super) degraded: Arc<AtomicBool>,
}

/// Evaluates positions, with the engines and everything they have found.
#[derive(Debug)]
pub struct Solver {
    pub(super) model: Arc<Model>,
    pub(super) fast: Engine<machine::Key>,
    pub(super) naive: Engine<Arc<Position>>,
    pub(super) machines: Machines,
    /// Those compiled with all shortcuts, where some are off.
    pub(super) machines_in_full: Machines,
    /// Where there are several threads.
    pub(super) shelf: Option<Arc<Shelf>>,
    pub(super) counters: Arc<machine::Counters>,
    pub(super) heaps: Heaps,
    pub(super) orders: Orders,
    pub(super) shortcuts: Shortcuts,
    pub(super) cancel: Cancel,
    pub(super) many: Many,
    /// Whether a value was printed with an ellipsis because the run was ended.
    pub(super) truncated: Cell<bool>,
    pub(super) arenas: Arenas,
    pub(super) worths: Worths,
    pub(super) misere: Misere,
    pub(super) counted: Counted,
    pub(super) knots: Knots,
    pub(super) tried: growth::Tried,
    pub(super) limits: Limits,
    pub(super) pulse: Arc<Pulse>,
}

/// The arena of values stops without a reason; if the search was cancelled, that is the reason.
fn ended<P, F>(stopped: Stopped<P, F>, cancel: &Cancel) -> Stopped<P, F> {
    match (stopped, cancel.limit()) {
        (Stopped::Limit(_), Some(limit)) => Stopped::Limit(limit),
        (other, _) => other,
    }
}

/// Whether all players are known to have the same options at every follower.
pub(super) fn share_moves(machine: &Machine, start: &Packed) -> bool {
    let mut parts = Vec::new();
    machine.split(start, &mut parts);
    parts.iter().all(|p| machine.is_impartial(p))
}

/// Runs a search on the road that a position takes.
macro_rules! ask {
    ($solver:expr, $position:expr, $span:expr, |$search:ident, $start:ident| $question:expr) => {
        match $solver.road($position, $span)? {
            Road::Fast(machine, $start) => {
                let mut $search = $solver.fast.search(&*machine);
                $question.map_err(|s| {
                    let s = ended(s, &$solver.cancel);
                    fault::of_stop(s, $span, &$solver.model, |p| machine.show(p))
                })
            }
            Road::Naive(game, $start, _) => {
                let mut $search = $solver.naive.search(&game);
                $question.map_err(|s| {
                    let s = ended(s, &$solver.cancel);
                    fault::of_stop(s, $span, &$solver.model, |p| Position::clone(p))
                })
            }
        }
    };
}

impl Solver {
    /// A solver for positions of these files. With an archive, values of compiled positions are stored there.
    #[must_use]
    pub fn new(
        model: Arc<Model>,
        limits: &Limits,
        cancel: &Cancel,
        shortcuts: Shortcuts,
        archive: Option<Arc<dyn Archive>>,
        pulse: &Arc<Pulse>,
    ) -> Solver {
        // What this thread does may be skipped without ending the run.
        let cancel = &cancel.beside();
        let mut fast = Engine::new(limits.clone())
            .with_shortcuts(shortcuts)
            .with_cancel(cancel.clone())
            .with_pulse(pulse);
        if let Some(archive) = archive {
            fast = fast.with_archive(archive);
        }
        let naive = fast.beside();
        Solver::over(model, (fast, naive), limits, cancel, shortcuts, pulse)
    }

    pub(super) fn over(
        model: Arc<Model>,
        (fast, naive): (Engine<machine::Key>, Engine<Arc<Position>>),
        limits: &Limits,
        cancel: &Cancel,
        shortcuts: Shortcuts,
        pulse: &Arc<Pulse>,
    ) -> Solver {
        Solver {
            model,
            naive,
            fast,
            machines: Machines::default(),
            machines_in_full: Machines::default(),
            shelf: (limits.threads > 1).then(Arc::default),
            counters: Arc::default(),
            heaps: Heaps::default(),
            orders: Orders::default(),
            shortcuts,
            cancel: cancel.clone(),
            many: Many::default(),
            truncated: Cell::default(),
            arenas: Arenas::default(),
            worths: Worths::default(),
            misere: Misere::new(limits.memory),
            counted: Counted::default(),
            knots: Knots::new(limits.memory),
            tried: growth::Tried::default(),
            limits: limits.clone(),
            pulse: pulse.clone(),
        }
    }

    /// The solver with a planted mistake in a shortcut, for the tests that must catch it.
    #[doc(hidden)]
    #[must_use]
    pub fn planting(mut self, mistake: Option<Shortcut>) -> Solver {
        self.fast = self.fast.planting(mistake);
        self
    }

    /// The solver, with everything it has found, for a model with the same definitions and perhaps more functions.
    #[must_use]
    pub fn with_model(mut self, model: Arc<Model>) -> Solver {
        same_definitions(&self.model, &model);
        self.model = model;
        self
    }

    /// The arena of all values.
    #[must_use]
    pub fn forms(&self) -> &Forms {
        self.fast.forms()
    }

    /// An account of the work for one question, under the limits of the run.
    pub(super) fn budget(&self) -> Budget {
        self.budget_of(&self.limits)
    }

    /// An account of work for a card: small, and the same whatever was asked before.
    pub(super) fn budget_for_a_card(&self) -> Budget {
        let nodes = self.limits.nodes.map_or(CARD_NODES, |n| n.min(CARD_NODES));
        self.budget_of(&Limits {
            nodes: Some(nodes),
            ..self.limits.clone()
        })
    }

    /// An account under other limits.
    pub(super) fn budget_of(&self, limits: &Limits) -> Budget {
        Budget::observed(limits, self.cancel.clone(), self.pulse.clone())
    }

    /// The limit because of which, since the last call, a value was printed with an ellipsis.
    #[must_use]
    pub fn take_truncated(&self) -> Option<Limit> {
        self.truncated.take().then(|| self.cancel.limit()).flatten()
    }

    /// The token with which the searches of this thread can be ended ([`Cancel::skip`]).
    #[must_use]
    pub fn token(&self) -> &Cancel {
        &self.cancel
    }

    /// The counters of the machines' shortcuts.
    #[must_use]
    pub fn counters(&self) -> &Arc<machine::Counters> {
        &self.counters
    }

    /// The statistics of the engines.
    #[must_use]
    pub fn statistics(&self) -> Statistics {
        let mut all = match self.shortcuts.has(Shortcut::Compile) {
            true => self.fast.statistics(),
            false => self.naive.statistics(),
        };
        self.arenas.count(&mut all);
        all
    }

    pub(super) fn road(&self, position: &Position, span: Span) -> Res<Road> {
        growth::refuse(&self.tried, &self.model, position, &self.cancel, span)?;
        self.plain_road(position)
    }

    pub(super) fn plain_road(&self, position: &Position) -> Res<Road> {
        if !self.shortcuts.has(Shortcut::Compile)
            && let Some(uncompiled) = Uncompiled::permitted()
        {
            let position = Arc::new(position.clone());
            let game = NaiveGame::new(self.model.clone(), &position);
            let game = game.with_cancel(self.cancel.clone());
            return Ok(Road::Naive(game, position, uncompiled));
        }
        let (machine, start) = self.compiled(position)?;
        Ok(Road::Fast(machine, start))
    }

    /// The canonical form.
    ///
    /// # Errors
    /// A limit, a rule that fails, play that need not end, more than two players.
    pub fn value(&self, position: &Position, span: Span) -> Res<CanonicalForm> {
        if Theory::answering(Question::Value, position, span)? == Theory::Affine {
            let nimber = self.affine_nimber(position, span)?;
            return self.forms().nimber(nimber).map_err(memory(span));
        }
        let forms = self.forms();
        if let Some(term) = position.as_single() {
            return self.term_value(term, position, span);
        }
        let mut sum = CanonicalForm::ZERO;
        for term in position.terms() {
            let single = term.single();
            let mut value = self.term_value(term, &single, span)?;
            if term.negated {
                value = forms.negate(value).map_err(memory(span))?;
            }
            let value = forms
                .multiple_big(&term.count.to_big(), value)
                .map_err(memory(span))?;
            sum = forms.add(sum, value).map_err(memory(span))?;
        }
        Ok(sum)
    }

    /// The value of a term, which is given as a position, too.
    fn term_value(&self, term: &Term, single: &Position, span: Span) -> Res<CanonicalForm> {
        if let Some(n) = self.shaped_nimber(term, span)? {
            return self.forms().nimber(n).map_err(memory(span));
        }
        ask!(self, single, span, |search, start| search.value(&start))
    }

    /// The n of `*n`, if the value is a nimber.
    ///
    /// # Errors
    /// As for [`Solver::value`].
    pub fn nimber(&self, position: &Position, span: Span) -> Res<Option<u32>> {
        if Theory::answering(Question::Nimber, position, span)? == Theory::Affine {
            return self.affine_nimber(position, span).map(Some);
        }
        if let Some(term) = position.as_single() {
            if let Some(n) = self.shaped_nimber(term, span)? {
                return Ok(Some(n));
            }
            return ask!(self, position, span, |search, start| search.nimber(&start));
        }
        let value = self.value(position, span)?;
        Ok(self.forms().as_nimber(value))
    }

    /// Who wins, by who begins.
    ///
    /// # Errors
    /// A limit; a rule that fails where that matters; more than two players.
    pub fn outcome(&self, position: &Position, span: Span) -> Res<crate::ir::Outcome> {
        match Theory::answering(Question::Outcome, position, span)? {
            Theory::Short => match self.short_outcome(position, span) {
                Err(fault) if of_a_line(&fault) => self.decided_outcome(position, span),
                found => found.map(super::algebra::outcome),
            },
            Theory::Misere => self.misere_outcome(position, span),
            Theory::Affine | Theory::Scores | Theory::Coalitions | Theory::Winners => {
                self.decided_outcome(position, span)
            }
        }
    }

    /// The outcome where play ends, one of four.
    fn short_outcome(&self, position: &Position, span: Span) -> Res<Outcome> {
        if let Some(term) = position.as_single()
            && let Some(n) = self.shaped_nimber(term, span)?
        {
            return Ok(if n == 0 {
                Outcome::Previous
            } else {
                Outcome::Next
            });
        }
        if let Some(outcome) = self.outcome_though_it_grows(position, false, span)? {
            return Ok(outcome);
        }
        ask!(self, position, span, |search, start| search.outcome(&start))
    }

    /// The winner if `first` begins, as by [`Solver::short_outcome`].
    pub(super) fn short_winner(
        &self,
        position: &Position,
        first: Player,
        span: Span,
    ) -> Res<Player> {
        if let Some(winner) = self.winner_though_it_grows(position, first, span)? {
            return Ok(winner);
        }
        let wins = match position.as_single() {
            Some(term) => self.shaped_nimber(term, span)?.map(|n| n != 0),
            None => None,
        };
        let wins = match wins {
            Some(wins) => wins,
            None => self.wins_once(position, first, false, span)?,
        };
        Ok(if wins { first } else { first.opponent() })
    }

    /// Who wins if the last mover loses.
    ///
    /// # Errors
    /// As for [`Solver::value`].
    pub fn misere_outcome(&self, position: &Position, span: Span) -> Res<crate::ir::Outcome> {
        let theory = Theory::answering(Question::MisereOutcome, position, span)?;
        let plain = theory == Theory::Misere;
        if !plain && let Some(outcome) = self.outcome_though_it_grows(position, true, span)? {
            return Ok(super::algebra::outcome(outcome));
        }
        if let Some(outcome) = self.heaps_in_misere_play(position, span)? {
            return Ok(super::algebra::outcome(outcome));
        }
        let found = ask!(self, position, span, |search, start| search
            .misere_outcome(&start));
        match found {
            Err(fault) if plain && of_a_line(&fault) => self.decided_outcome(position, span),
            Err(fault) if of_a_line(&fault) => self.misere_decided(position, span),
            found => found.map(super::algebra::outcome),
        }
    }

    /// The winner if `first` begins, by rules that are misère.
    pub(super) fn misere_winner(
        &self,
        position: &Position,
        first: Player,
        span: Span,
    ) -> Res<Player> {
        let wins = match self.heaps_in_misere_play(position, span)? {
            Some(outcome) => outcome == Outcome::Next,
            None => self.wins_once(position, first, true, span)?,
        };
        Ok(if wins { first } else { first.opponent() })
    }

    fn wins_once(&self, position: &Position, first: Player, misere: bool, span: Span) -> Res<bool> {
        ask!(self, position, span, |search, start| search
            .wins_once(&start, first, misere))
    }

    /// For two players and a position from which play grows, whether the player who begins wins; a breadth-first search finds
    /// who can force a win. `None` if play does not grow.
    ///
    /// # Errors
    /// `Grows`, with the line of play, if neither is found to force a win; a limit.
    pub(super) fn wins_though_it_grows(
        &self,
        position: &Position,
        first: Player,
        misere: bool,
        span: Span,
    ) -> Res<Option<bool>> {
        let Err(grows) = growth::refuse(&self.tried, &self.model, position, &self.cancel, span)
        else {
            return Ok(None);
        };
        if position.players() != 2 {
            return Err(grows);
        }
        let forced = match self.plain_road(position)? {
            Road::Fast(machine, start) => {
                let found = self.fast.search(&*machine).forces(&start, first, misere);
                found.map_err(|s| fault::of_stop(s, span, &self.model, |p| machine.show(p)))
            }
            Road::Naive(game, start, _) => {
                let found = self.naive.search(&game).forces(&start, first, misere);
                found.map_err(|s| fault::of_stop(s, span, &self.model, |p| Position::clone(p)))
            }
        };
        forced?.map_or(Err(grows), |wins| Ok(Some(wins)))
    }

    /// The same as an outcome.
    ///
    /// # Errors
    /// As for [`Solver::wins_though_it_grows`].
    pub(super) fn outcome_though_it_grows(
        &self,
        position: &Position,
        misere: bool,
        span: Span,
    ) -> Res<Option<Outcome>> {
        let wins = |first| self.wins_though_it_grows(position, first, misere, span);
        let Some(left) = wins(Player::LEFT)? else {
            return Ok(None);
        };
        Ok(wins(Player::RIGHT)?.map(|right| Outcome::from_first(left, right)))
    }

    /// The same as the winner.
    ///
    /// # Errors
    /// As for [`Solver::wins_though_it_grows`].
    pub(super) fn winner_though_it_grows(
        &self,
        position: &Position,
        first: Player,
        span: Span,
    ) -> Res<Option<Player>> {
        let wins = self.wins_though_it_grows(position, first, false, span)?;
        Ok(wins.map(|wins| if wins { first } else { first.opponent() }))
    }

    /// The independent parts of a position, each as a position (see [`Machine::show`]).
    ///
    /// # Errors
    /// A sum of too many copies.
    pub fn parts(&self, position: &Position) -> Res<Vec<Arc<Position>>> {
        let machine = self.compiled_alone(position)?;
        let mut parts = Vec::new();
        machine.split(&machine.initial(), &mut parts);
        Ok(parts.iter().map(|p| Arc::new(machine.show(p))).collect())
    }

    /// Whether both players are known to have the same options at every follower.
    #[must_use]
    pub fn is_impartial(&self, position: &Position) -> bool {
        let found = self.compiled(position);
        found.is_ok_and(|(machine, start)| share_moves(&machine, &start))
    }

    /// The ground instances of each board of the terms, as text.
    ///
    /// # Errors
    /// A sum of too many copies.
    pub fn instances(&self, position: &Position) -> Res<String> {
        let machine = self.compiled_alone(position)?;
        let mut text = String::new();
        for (term, ground) in machine.grounds() {
            let name = draw::ruleset(&term.setting.instance);
            match ground {
                Some(ground) => {
                    text.push_str(&ground::show(ground));
                    text.push('\n');
                }
                None => text.push_str(&format!(
                    "// {name} is not compiled: it has no list of moves\n"
                )),
            }
        }
        Ok(text)
    }

    /// The options of a player, each with the first choice that leads to it. Positions that look the same are one option:
    /// it does not matter which edge of a double edge is taken.
    ///
    /// # Errors
    /// A rule that fails; a limit.
    pub fn moves(&self, position: &Position, to_move: impl Into<ToMove>) -> Res<Vec<Moved>> {
        self.moves_of(position, to_move.into())
    }

    fn moves_of(&self, position: &Position, ToMove { player, reached }: ToMove) -> Res<Vec<Moved>> {
        if !reached && self.has_ended(position)? {
            return Ok(Vec::new());
        }
        let ev = Evaluator::new(&self.model, &NoHost).with_cancel(self.cancel.clone());
        let mut all = naive::moves(&ev, position, player)?;
        let mut seen = FxHashSet::default();
        let first: Vec<bool> = all
            .iter()
            .map(|m| seen.insert((m.position.seen(), m.again)))
            .collect();
        let mut first = first.into_iter();
        all.retain(|_| first.next() == Some(true));
        Ok(all)
    }

    /// The best options of a player: see [`Solver::valued_moves`]. Those of an impartial position are found without the nimbers
    /// of the others: the ones that win, or all of them if none does.
    ///
    /// # Errors
    /// As for [`Solver::value`].
    pub fn best_moves(&self, position: &Position, player: Player, span: Span) -> Res<Vec<Moved>> {
        if !self.has_nimber(position) {
            let all = self.valued_moves(position, player, span)?.into_iter();
            let best = all.filter(|(_, _, best)| *best);
            return Ok(best.map(|(moved, _, _)| moved).collect());
        }
        let moves = self.moves(position, player)?;
        if self.short_outcome(position, span)? == Outcome::Previous {
            return Ok(moves);
        }
        let mut winning = Vec::new();
        for moved in moves {
            if self.short_outcome(&moved.position, span)? == Outcome::Previous {
                winning.push(moved);
            }
        }
        Ok(winning)
    }

    // Whether a position is known to have a nimber: it is impartial, play ends, and no rule fails.
    fn has_nimber(&self, position: &Position) -> bool {
        let found = self.compiled(position);
        found.is_ok_and(|(machine, start)| {
            share_moves(&machine, &start) && machine.ends() && machine.is_faultless()
        })
    }

    /// The options of a player with their values, and whether each is among the best: not dominated by another. Nimbers never
    /// dominate each other; if all values and that of the position are nimbers, the best options are those that win (the
    /// zeros), if there are any.
    ///
    /// # Errors
    /// As for [`Solver::value`].
    pub fn valued_moves(
        &self,
        position: &Position,
        player: Player,
        span: Span,
    ) -> Res<Vec<(Moved, CanonicalForm, bool)>> {
        let moves = self.moves(position, player)?;
        let (values, failed) = self.values_of_moves(position, player, &moves, span);
        match failed {
            Some(fault) => Err(fault),
            None => self.ranked(position, player, moves.into_iter().zip(values), span),
        }
    }

    /// The values of the options of a player, in order, up to the first that cannot be found, and why it cannot.
    pub(super) fn values_of_moves(
        &self,
        position: &Position,
        player: Player,
        moves: &[Moved],
        span: Span,
    ) -> (Vec<CanonicalForm>, Option<Box<Fault>>) {
        let mut values = Vec::new();
        // The nimber of a position may be proved without finding those of its options.
        let prepared = || -> Res<()> {
            if let Some(term) = position.as_single()
                && self.is_impartial(position)
                && self.shaped_nimber(term, span)?.is_none()
            {
                ask!(self, position, span, |search, start| search
                    .value_options(&start, player))?;
            }
            Ok(())
        };
        if let Err(fault) = prepared() {
            return (values, Some(fault));
        }
        for moved in moves {
            match self.value(&moved.position, span) {
                Ok(value) => values.push(value),
                Err(fault) => return (values, Some(fault)),
            }
        }
        (values, None)
    }

    /// Options of a player with their values, and whether each is among the best, see [`Solver::valued_moves`].
    pub(super) fn ranked(
        &self,
        position: &Position,
        player: Player,
        moves: impl Iterator<Item = (Moved, CanonicalForm)>,
        span: Span,
    ) -> Res<Vec<(Moved, CanonicalForm, bool)>> {
        let mut found: Vec<_> = moves.map(|(moved, value)| (moved, value, true)).collect();
        let forms = self.forms();
        let better = if player == Player::LEFT {
            std::cmp::Ordering::Greater
        } else {
            std::cmp::Ordering::Less
        };
        let mut values: Vec<CanonicalForm> = found.iter().map(|f| f.1).collect();
        forms.sort_structurally(&mut values);
        values.dedup();
        let mut dominated = Vec::new();
        for v in &values {
            for w in &values {
                if forms.compare(*w, *v).map_err(memory(span))? == Some(better) {
                    dominated.push(*v);
                    break;
                }
            }
        }
        if values.contains(&CanonicalForm::ZERO)
            && values.iter().all(|v| forms.as_nimber(*v).is_some())
            && forms.as_nimber(self.value(position, span)?).is_some()
        {
            dominated = values;
            dominated.retain(|v| *v != CanonicalForm::ZERO);
        }
        for f in &mut found {
            f.2 = !dominated.contains(&f.1);
        }
        Ok(found)
    }
}
