//! Values of positions from which play can go on for ever, by [`crate::engine::loopy`], and loopy nimbers of such impartial
//! positions.

use super::fault;
use super::host::{Answerer, refuse};
use super::solve::{Road, Solver, share_moves};
use crate::base::Span;
use crate::engine::Stopped;
use crate::engine::loopy::{Known, Nimbers, Smith, Values};
use crate::game::Limit;
use crate::ir::{Code as FaultCode, Fault, Position, Res, Term, Val};
use crate::machine::{self, Machine};
use crate::model::typed::{Endless, KnotMove, LoopyName};
use crate::value::loopy::{Edge, Halt, Loops, Loopy, Moves, Name, Side, notation};
use crate::value::notation::{ReadError, Style};
use std::cell::RefCell;
use std::sync::Arc;

/// The loopy values found, and the positions that have them.
#[derive(Debug)]
pub(super) struct Knots {
    pub(super) loops: RefCell<Loops>,
    fast: RefCell<Known<machine::Key, Loopy>>,
    naive: RefCell<Known<Arc<Position>, Loopy>>,
    fast_nimbers: RefCell<Known<machine::Key, Smith>>,
    naive_nimbers: RefCell<Known<Arc<Position>, Smith>>,
}

impl Knots {
    /// Only three of the tables ever grow, since a solver is on one road: compiled or naive.
    pub(super) fn new(memory: usize) -> Knots {
        Knots {
            loops: RefCell::new(Loops::new(memory / 4)),
            fast: RefCell::new(Known::new(memory / 4)),
            naive: RefCell::new(Known::new(memory / 4)),
            fast_nimbers: RefCell::new(Known::new(memory / 4)),
            naive_nimbers: RefCell::new(Known::new(memory / 4)),
        }
    }
}

/// Converts a limit of the arena of loopy values to a fault.
pub(super) fn halted(solver: &Solver, span: Span) -> impl Fn(Halt) -> Box<Fault> + '_ {
    move |halt| {
        let limit = match (solver.cancel.reason(), halt) {
            (Some(reason), _) => Limit::Cancelled(reason),
            (None, Halt::Memory) => Limit::Memory,
            (None, Halt::Size) => {
                return Fault::new(FaultCode::TooMuch, span, halt.to_string());
            }
        };
        fault::of_limit(limit, span)
    }
}

/// The refusal to give a canonical form, as a short game, of a loopy value.
pub(super) fn no_form(span: Span) -> Box<Fault> {
    let why = "its value is loopy, and this is defined for short games only";
    Fault::new(FaultCode::NoTheory, span, why).help(
        "of loopy values there are sums, the order, `outcome(G)`, `onside(G)`, `offside(G)`, `is_stopper(G)` and `degree(G)`; thermographs of loopy games are not built",
    )
}

/// The name of a word of the language.
pub(super) const fn name(word: LoopyName) -> Name {
    match word {
        LoopyName::On => Name::On,
        LoopyName::Off => Name::Off,
        LoopyName::Over => Name::Over,
        LoopyName::Under => Name::Under,
        LoopyName::Upon => Name::Upon,
        LoopyName::Dud => Name::Dud,
        LoopyName::Tis => Name::Tis,
        LoopyName::Tisn => Name::Tisn,
    }
}

impl Solver {
    /// The value of a position, loopy or short. If the rules say who wins infinite play, it is the side in which that player
    /// wins it.
    ///
    /// # Errors
    /// A limit; a rule that fails.
    pub fn loopy(&self, position: &Position, span: Span) -> Res<Loopy> {
        let halt = halted(self, span);
        let forms = self.forms();
        let mut sum = self.loopy_of_short(crate::value::CanonicalForm::ZERO, span)?;
        for term in position.terms() {
            let mut value = self.loopy_term(term, span)?;
            let mut loops = self.knots.loops.borrow_mut();
            if term.negated {
                value = loops.negate(forms, value).map_err(&halt)?;
            }
            let copies = term.count.to_big();
            value = loops.multiple(forms, &copies, value).map_err(&halt)?;
            sum = loops.add(forms, sum, value).map_err(&halt)?;
        }
        Ok(sum)
    }

    pub(super) fn loopy_of_short(&self, g: crate::value::CanonicalForm, span: Span) -> Res<Loopy> {
        let side = self.knots.loops.borrow_mut().short(g);
        side.map(Loopy::of).map_err(halted(self, span))
    }

    fn loopy_term(&self, term: &Term, span: Span) -> Res<Loopy> {
        let single = term.single();
        match self.value(&single, span) {
            Ok(g) => return self.loopy_of_short(g, span),
            Err(fault) if fault::comes_again(&fault) => {}
            Err(fault) => return Err(fault),
        }
        let value = self.walked(&single, span)?;
        Ok(match term.setting.instance.rules.endless {
            Endless::Win(0) => Loopy::of(value.onside),
            Endless::Win(_) => Loopy::of(value.offside),
            _ => value,
        })
    }

    fn walked(&self, single: &Position, span: Span) -> Res<Loopy> {
        let budget = &self.budget();
        let forms = self.forms();
        let loops = &mut *self.knots.loops.borrow_mut();
        let mut theory = Values { forms, loops };
        match self.road(single, span)? {
            Road::Fast(machine, start) => {
                let mut known = self.knots.fast.borrow_mut();
                let found = known.value(&*machine, &start, &mut theory, budget);
                found.map_err(|s| {
                    let s = self.why_ended(s);
                    fault::of_stop(s, span, &self.model, |p| machine.show(p))
                })
            }
            Road::Naive(game, start, _) => {
                let mut known = self.knots.naive.borrow_mut();
                let found = known.value(&game, &start, &mut theory, budget);
                found.map_err(|s| {
                    let s = self.why_ended(s);
                    fault::of_stop(s, span, &self.model, |p| Position::clone(p))
                })
            }
        }
    }

    fn why_ended<P, F>(&self, stopped: Stopped<P, F>) -> Stopped<P, F> {
        match (stopped, self.cancel.reason()) {
            (Stopped::Limit(_), Some(reason)) => Stopped::Limit(Limit::Cancelled(reason)),
            (other, _) => other,
        }
    }

    /// The value, and a sentence on the positions examined for it: how many can be repeated, and the size of the largest
    /// class of these.
    ///
    /// # Errors
    /// As for [`Solver::loopy`].
    pub(super) fn loopy_with_extent(
        &self,
        position: &Position,
        span: Span,
    ) -> Res<(Loopy, String)> {
        let forget = |knots: &Knots| {
            let memory = self.limits.memory / 4;
            *knots.fast.borrow_mut() = Known::new(memory);
            *knots.naive.borrow_mut() = Known::new(memory);
        };
        forget(&self.knots);
        let value = self.loopy(position, span)?;
        let (a, b) = (
            self.knots.fast.borrow().extent,
            self.knots.naive.borrow().extent,
        );
        let (all, cyclic) = (a.vertices + b.vertices, a.cyclic + b.cyclic);
        let largest = a.largest.max(b.largest);
        let (parts, endless) = (a.parts + b.parts, a.endless + b.endless);
        let within = match parts {
            0 | 1 => String::new(),
            _ => format!(" in {endless} of {parts} parts"),
        };
        let text = match (all, cyclic) {
            (1, _) => format!("may be endless{within}: the position comes again"),
            (_, 1) => {
                format!("may be endless{within}: {all} positions looked at, 1 of which comes again")
            }
            _ => format!(
                "may be endless{within}: {all} positions looked at, {cyclic} of which come again, classes up to {largest}"
            ),
        };
        Ok((value, text))
    }

    /// Whether both players are known to have the same options at every follower, whatever shortcuts are on.
    fn shares_moves(&self, position: &Position) -> bool {
        let mut terms = position.terms().iter();
        terms.all(|t| {
            let single = t.single();
            let found = self.compiled_in_full(&single);
            let share = |(machine, start): (Arc<Machine>, _)| share_moves(&machine, &start);
            t.setting.instance.is_impartial() || found.is_ok_and(share)
        })
    }

    /// The loopy nimber of a sum of impartial positions; `None` if the players may have different moves, or the rules say who
    /// wins infinite play.
    ///
    /// # Errors
    /// A limit; a rule that fails.
    pub fn smith(&self, position: &Position, span: Span) -> Res<Option<Smith>> {
        let mut all = position.terms().iter();
        let draws = all.all(|t| !matches!(t.setting.instance.rules.endless, Endless::Win(_)));
        if !draws || !position.has_values() || !self.shares_moves(position) {
            return Ok(None);
        }
        let budget = &self.budget();
        let mut sum = Smith::Nimber(0);
        for term in position.terms() {
            let copies = term.count.to_big();
            if copies == 0.into() {
                continue;
            }
            let single = term.single();
            let mut theory = Nimbers;
            let value = match self.road(&single, span)? {
                Road::Fast(machine, start) => {
                    let mut known = self.knots.fast_nimbers.borrow_mut();
                    let found = known.value(&*machine, &start, &mut theory, budget);
                    found.map_err(|s| fault::of_stop(s, span, &self.model, |p| machine.show(p)))
                }
                Road::Naive(game, start, _) => {
                    let mut known = self.knots.naive_nimbers.borrow_mut();
                    let found = known.value(&game, &start, &mut theory, budget);
                    found.map_err(|s| fault::of_stop(s, span, &self.model, |p| Position::clone(p)))
                }
            }?;
            sum = sum.plus(&value.times(&copies));
        }
        Ok(Some(sum))
    }
}

impl Answerer<'_> {
    /// A value as text that parses back. For a side that equals no stopper, the text says so.
    #[must_use]
    pub fn print_loopy(&self, value: Loopy) -> String {
        self.printed_loopy(value, self.style())
    }

    /// A value as a text that only this value has.
    pub(super) fn loopy_text(&self, value: Loopy, span: Span) -> Res<String> {
        let mut loops = self.solver().knots.loops.borrow_mut();
        let found = [value.onside, value.offside].map(|side| loops.is_found(side));
        let text = notation::print(self.forms(), &mut loops, value, Style::Ascii);
        match text.map_err(halted(self.solver(), span))? {
            text if found == [true; 2] && !text.contains('…') => Ok(text),
            _ => Err(Fault::new(
                FaultCode::NoTheory,
                span,
                "its value is loopy and has no text: a side equals no stopper, or is too large to be written",
            )),
        }
    }

    /// Reads a value, loopy or short, in the notation of loopy games.
    ///
    /// # Errors
    /// The text is not a value, or a limit was reached.
    pub fn read_loopy(&self, text: &str) -> Result<Loopy, ReadError> {
        let mut loops = self.solver().knots.loops.borrow_mut();
        notation::read(self.forms(), &mut loops, text)
    }

    /// The short game that equals a value, if there is one.
    #[must_use]
    pub fn as_short(&self, value: Loopy) -> Option<crate::value::CanonicalForm> {
        self.solver().knots.loops.borrow().as_short_value(value)
    }

    /// The nimber of a position, perhaps infinite; `None` if its value is no nimber.
    ///
    /// # Errors
    /// See [`Solver::nimber`].
    pub fn nimber_of(&self, position: &Arc<Position>, span: Span) -> Res<Option<Smith>> {
        let found = match self.solver().nimber(position, span) {
            Err(fault) if fault::comes_again(&fault) => {
                if let Some(smith) = self.solver().smith(position, span)? {
                    return Ok(Some(smith));
                }
                // The value may be a nimber although the players have different moves.
                let value = self.loopy(&Val::Position(position.clone()), span)?;
                let short = self.as_short(value);
                short.and_then(|g| self.forms().as_nimber(g))
            }
            found => found?,
        };
        Ok(found.map(Smith::Nimber))
    }

    /// The name of a stopper, if it has one.
    pub(super) fn loopy_name(&self, side: Side) -> Option<String> {
        let loops = self.solver().knots.loops.borrow();
        let name = notation::print_name(self.forms(), &loops, side, self.style());
        name.map(|name| self.mark(name))
    }

    pub(super) fn printed_loopy(&self, value: Loopy, style: Style) -> String {
        let mut loops = self.solver().knots.loops.borrow_mut();
        let text = notation::print(self.forms(), &mut loops, value, style);
        if text.is_err() && self.forms().is_ended() {
            self.solver().truncated.set(true);
        }
        self.mark(text.unwrap_or_else(|halt| halt.to_string()))
    }

    /// A value as a handle. A short game gets the handle of its canonical form.
    ///
    /// # Errors
    /// A limit.
    pub(super) fn name_loopy(&self, value: Loopy, span: Span) -> Res<Val> {
        match self.as_short(value) {
            Some(g) => Ok(self.name(g)),
            None => self.name_knot(value, span),
        }
    }

    /// The value of a game in braces that has loopy options or a move to itself (`None`).
    pub(super) fn loopy_braces(&self, sides: [Vec<Option<Loopy>>; 2], span: Span) -> Res<Val> {
        let edge = |o: Option<Loopy>| o.map_or(Edge::In(0), Edge::Out);
        self.solved(
            &[sides.map(|side| side.into_iter().map(edge).collect())],
            span,
        )
    }

    /// The value of a game in braces with labels: that of the first vertex.
    pub(super) fn labelled_braces(
        &self,
        vertices: &[[Vec<KnotMove>; 2]],
        games: &[Val],
        span: Span,
    ) -> Res<Val> {
        let games = games.iter().map(|g| self.loopy(g, span));
        let games = games.collect::<Res<Vec<_>>>()?;
        let edge = |m: &KnotMove| match *m {
            KnotMove::In(v) => Edge::In(v as usize),
            KnotMove::Out(i) => Edge::Out(games[i as usize]),
        };
        let side = |list: &Vec<KnotMove>| list.iter().map(edge).collect();
        let graph: Vec<_> = vertices
            .iter()
            .map(|[left, right]| [side(left), side(right)])
            .collect();
        self.solved(&graph, span)
    }

    /// The value of the first vertex of a graph.
    fn solved(&self, graph: &[Moves], span: Span) -> Res<Val> {
        let mut loops = self.solver().knots.loops.borrow_mut();
        let found = loops.solve(self.forms(), graph);
        drop(loops);
        let found = found.map_err(halted(self.solver(), span))?;
        match found.first() {
            Some(value) => self.name_loopy(*value, span),
            None => Err(refuse(span, "there is no game in these braces")),
        }
    }

    /// A side as a game.
    pub(super) fn found_side(&self, side: Side, span: Span) -> Res<Val> {
        if self.solver().knots.loops.borrow().is_found(side) {
            return self.name_loopy(Loopy::of(side), span);
        }
        Err(Fault::new(
            FaultCode::NoTheory,
            span,
            "no stopper is equal to this side: there is no canonical form",
        )
        .help("its outcome and its order are known: `outcome(G)`, `G <= H`"))
    }
}
