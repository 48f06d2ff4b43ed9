//! The values of heaps. Input: the name of a ruleset on heaps; output: the sequence of the values of single heaps, up to a
//! size.

use super::questions::whole;
use super::{Loaded, Session};
use crate::base::Span;
use crate::claim::heaps::Shape;
use crate::claim::{Answerer, HeapQuotient, Solver, heaps};
use crate::diagnostic::{Code, Diagnostic};
use crate::engine::loopy::Smith;
use crate::engine::sequence::Sequence;
use crate::game::{Cancel, Convention};
use crate::ir::{Code as FaultCode, Fault, Position, Res, Val};
use crate::model::typed::{Form, Query};
use crate::value::CanonicalForm;
use std::sync::Arc;

/// A ruleset on heaps, ready to be evaluated.
#[derive(Debug)]
pub struct HeapGame {
    /// The name as the user wrote it.
    pub name: String,
    /// The shape of its rule, or why it has none.
    pub shape: Result<Shape, String>,
    /// Whether all moves are everyone's.
    pub impartial: bool,
    /// If moves restrict their answers, the rule in words, or why it is not one that takes and breaks.
    pub entailing: Option<Result<String, String>>,
    /// Whether the rules have the clause `play misere`.
    pub misere: bool,
    one: Query,
}

/// The misère quotient of a ruleset on heaps.
#[derive(Debug)]
pub struct MisereHeaps {
    /// The rule in words, with its code, if it is a taking-and-breaking rule, or why it is none.
    pub shape: Result<(String, Option<String>), String>,
    /// The quotient.
    pub quotient: HeapQuotient,
}

impl Session<'_> {
    /// Reads `Ruleset` or `Ruleset(arguments)` on heaps, to evaluate heaps up to size `last`.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn heap_game(
        &mut self,
        loaded: &mut Loaded,
        ruleset: &str,
        last: u64,
        cancel: &Cancel,
    ) -> Result<HeapGame, Vec<Diagnostic>> {
        let name = ruleset.split('(').next().unwrap_or_default().trim();
        let board = loaded
            .model
            .rulesets
            .iter()
            .find(|r| &*r.name == name && !r.hidden);
        if let Some(board) = board.map(|r| r.board)
            && board.heap_of() != Some(1)
        {
            let (message, help) = match (board.form(), board.heap_of()) {
                (_, Some(k)) => {
                    let variables = ["m", "n", "k", "l"];
                    let shown: Vec<&str> = variables.iter().copied().take(usize::from(k)).collect();
                    let ranges: Vec<String> =
                        shown.iter().map(|v| format!("{v} in 0..9")).collect();
                    (
                        format!("the heaps of `{ruleset}` are tuples of {k} numbers, no sequence"),
                        format!(
                            "ask for a table: cgdsl table FILE 'for {}: nimber({ruleset}[({})])'",
                            ranges.join(", "),
                            shown.join(", ")
                        ),
                    )
                }
                (Form::Scalars, _) => (
                    format!("`{ruleset}` is not played on heaps"),
                    format!("ask for a table: cgdsl table FILE 'for m in 0..9, n in 0..9: nimber({name}[..])'"),
                ),
                _ => (
                    format!("`{ruleset}` is not played on heaps"),
                    "`seq` asks for the values of the heaps 0, 1, 2, ..; `table` shows other families of positions".to_owned(),
                ),
            };
            return Err(vec![Diagnostic::error(Code::E0552, message).help(help)]);
        }
        let one = self.expression(loaded, &format!("{ruleset}[1]"))?;
        let position = self.value_of(loaded, &one).map_err(|d| vec![d])?;
        let Some(term) = position.as_single() else {
            let message = format!("`{ruleset}` is not one ruleset on heaps");
            return Err(vec![Diagnostic::error(Code::E0552, message)]);
        };
        let state = &term.setting.instance.rules.state;
        if !state.is_empty() {
            // Its value in `R[n]` would be a default that nobody has asked for.
            let names: Vec<String> = state.iter().map(|s| format!("`{}`", s.name)).collect();
            let fields: Vec<String> = state.iter().map(|s| format!("{}: ..", s.name)).collect();
            let message = format!(
                "the rule of `{ruleset}` keeps a state beside the heaps: {}",
                names.join(", ")
            );
            let help = format!(
                "ask for a table, and give the state there: cgdsl table FILE 'for n in 0..9: value({ruleset}[n, {}])'",
                fields.join(", ")
            );
            return Err(vec![Diagnostic::error(Code::E0552, message).help(help)]);
        }
        Ok(HeapGame {
            name: ruleset.to_owned(),
            shape: heaps::shape_up_to(&loaded.model, &term.setting.instance, last, cancel),
            impartial: term.setting.instance.is_impartial(),
            entailing: term.setting.instance.rules.entails().then(|| {
                let rule = heaps::entailing(&loaded.model, &term.setting.instance);
                rule.map(|rule| heaps::entailing_in_words(&rule))
            }),
            misere: term.setting.instance.convention == Convention::Misere,
            one,
        })
    }

    /// Computes the values of heaps 0 to `last`, one by one with the engine. Passes each to `each`, with the canonical form of
    /// a short game; `each` stops the computation by returning false.
    ///
    /// # Errors
    /// What went wrong, and whether that is only a limit.
    pub fn heap_values(
        &mut self,
        loaded: &Loaded,
        game: &HeapGame,
        last: u64,
        mut each: impl FnMut(u64, &str, Option<CanonicalForm>) -> bool,
    ) -> Result<(), (Diagnostic, bool)> {
        let style = self.settings.style;
        let marked = self.settings.marked;
        self.heap_by_heap(loaded, game, last, |solver, size, heap, span| {
            let answerer = Answerer::new(solver, style).marked(marked);
            let value = answerer.value(&Val::Position(heap.clone()), span)?;
            let text = whole(&answerer, answerer.show(&value))?;
            Ok(each(size, &text, answerer.canonical(&value, span).ok()))
        })
    }

    /// Computes the nim-values of heaps 0 to `last` of an impartial rule, one by one with the engine, and passes each to
    /// `each`.
    ///
    /// # Errors
    /// What went wrong, and whether that is only a limit.
    pub fn heap_nimbers(
        &mut self,
        loaded: &Loaded,
        game: &HeapGame,
        last: u64,
        mut each: impl FnMut(u64, u32),
    ) -> Result<(), (Diagnostic, bool)> {
        let style = self.settings.style;
        self.heap_by_heap(loaded, game, last, |solver, size, heap, span| {
            // The value of an impartial game is a nimber where play ends (Sprague 1935, Grundy 1939).
            let nimber = Answerer::new(solver, style).nimber_of(heap, span)?;
            match &nimber {
                Some(Smith::Nimber(n)) => each(size, *n),
                Some(infinite) => {
                    let text = infinite.text(style);
                    let why = format!("the nimber {text} of this heap is infinite");
                    return Err(Fault::new(FaultCode::NoTheory, span, why));
                }
                None => {}
            }
            Ok(nimber.is_some())
        })
    }

    /// The misère quotient of heaps 0 to `last` of an impartial rule, or of all heaps where a period is proven. Rules of normal
    /// play are treated as if they had the clause `play misere`. `progress` gets the number of heaps added.
    ///
    /// # Errors
    /// What went wrong. A limit is no error: the heaps before remain.
    pub fn misere_heaps(
        &mut self,
        loaded: &Loaded,
        game: &HeapGame,
        last: u64,
        progress: &mut dyn FnMut(u64),
    ) -> Result<MisereHeaps, Diagnostic> {
        let fail = |f: Box<Fault>| crate::claim::diagnose(&f);
        let one = self.value_of(loaded, &game.one)?;
        let solver = self.solver(loaded);
        let span = game.one.span;
        let rule = match one.as_single() {
            Some(term) => heaps::taking_in_misere_play(&loaded.model, &term.setting.instance),
            None => Err(String::new()),
        };
        let found = match rule {
            Ok(rule) => MisereHeaps {
                shape: Ok((heaps::in_words(&rule), rule.code())),
                quotient: solver.quotient_of_rule(rule, last, progress),
            },
            Err(why) => {
                let heap = |size| heap_of(&one, size, span);
                let found = solver.quotient_of_heaps(last, &heap, span, progress);
                MisereHeaps {
                    shape: Err(why),
                    quotient: found.map_err(fail)?,
                }
            }
        };
        self.keep_statistics(&solver);
        Ok(found)
    }

    fn heap_by_heap(
        &mut self,
        loaded: &Loaded,
        game: &HeapGame,
        last: u64,
        mut each: impl FnMut(&Solver, u64, &Arc<Position>, Span) -> Result<bool, Box<Fault>>,
    ) -> Result<(), (Diagnostic, bool)> {
        let cancel = self.settings.cancel.clone();
        let fail = |f: Box<Fault>| {
            let f = crate::claim::with_reason(f, &cancel);
            (crate::claim::diagnose(&f), f.code.is_limit())
        };
        let one = self.value_of(loaded, &game.one).map_err(|d| (d, false))?;
        let solver = self.solver(loaded);
        let span = game.one.span;
        let mut try_heap = |size: u64| {
            let heap = Arc::new(heap_of(&one, size, span)?);
            each(&solver, size, &heap, span)
        };
        let mut sizes = 0..=last;
        let failed = sizes.find_map(|size| match try_heap(size) {
            Ok(true) => None,
            Ok(false) => Some(Ok(())),
            Err(fault) => Some(Err((size, fault))),
        });
        self.keep_statistics(&solver);
        let Some(Err((size, mut fault))) = failed else {
            return Ok(());
        };
        // The message is about this heap, and the query of the caller about another one.
        if fault.span == span {
            let text = format!("{}[{size}]", game.name);
            let id = self.sources.add("<command line>", &text);
            fault.span = Span::new(id, 0, text.len());
        }
        if fault.code == FaultCode::NoTheory {
            fault.help = Some(format!(
                "a table shows values of every kind: cgdsl table FILE 'for n in 0..{last}: value({}[n])'",
                game.name
            ));
        }
        Err(fail(fault))
    }
}

/// The heap of this size under the rules of `one`.
fn heap_of(one: &Position, size: u64, span: Span) -> Res<Position> {
    let mut terms = one.terms().to_vec();
    for t in &mut terms {
        t.state.heaps = vec![vec![i64::try_from(size).unwrap_or(i64::MAX).into()]];
        t.state.entailed = None;
        t.state.settle();
    }
    Position::sum(terms, span)
}

/// The rule of a sequence, in words.
#[must_use]
pub fn describe(sequence: &Sequence) -> String {
    heaps::in_words(sequence.rule())
}
