//! Examines a position of a search. Input: a position. Output: what is said of it, if it satisfies the condition.

use super::{Facts, Said, Searched, facts};
use crate::base::Span;
use crate::claim::{Answerer, Solver};
use crate::game::{Cancel, Convention};
use crate::ir::{Evaluator, Frame, Position, Res, Scope, Val};
use crate::model::typed::Model;
use crate::session::questions::whole;
use crate::value::notation::Style;
use std::sync::Arc;

/// What positions are examined for.
#[derive(Clone, Copy)]
pub(super) struct Examined<'s> {
    pub model: &'s Arc<Model>,
    pub searched: &'s Searched,
    pub cancel: &'s Cancel,
    pub style: Style,
    pub marked: bool,
    /// Whether rows of a table are wanted.
    pub rows: bool,
}

/// Examines positions, with a solver.
pub(super) struct Examiner<'s> {
    examined: Examined<'s>,
    /// That of this thread.
    cancel: Cancel,
    answerer: Answerer<'s>,
    /// Whether the positions may have values.
    valued: bool,
}

impl<'s> Examiner<'s> {
    pub fn new(solver: &'s Solver, examined: Examined<'s>) -> Examiner<'s> {
        let instance = &examined.searched.ruleset;
        Examiner {
            answerer: Answerer::new(solver, examined.style).marked(examined.marked),
            valued: instance.players.len() == 2 && instance.convention == Convention::Normal,
            cancel: examined.cancel.beside(),
            examined,
        }
    }

    /// Compiles the board of a position.
    pub fn prepare(&self, position: &Position) {
        self.answerer.solver().prepare(position);
    }

    /// What is said of a position; `None` if it does not satisfy the condition.
    ///
    /// # Errors
    /// A limit, or why the question is undefined.
    pub fn examine(&self, position: &Arc<Position>) -> Res<Option<Said>> {
        let said = self.judge(position);
        let said = said.and_then(|said| whole(&self.answerer, said));
        self.answerer.forget();
        said
    }

    fn judge(&self, position: &Arc<Position>) -> Res<Option<Said>> {
        let (answerer, searched) = (&self.answerer, self.examined.searched);
        let ev = Evaluator::new(self.examined.model, answerer);
        let ev = ev.with_cancel(self.cancel.clone());
        let mut frame = Frame::default();
        frame.set(searched.slot, Val::Position(position.clone()));
        if let Some(query) = &searched.condition {
            // A condition that is false decides, in any order, even where another one is undefined or meets a limit. Where one
            // meets a limit, it could be false, so that is said first.
            let (mut limit, mut undefined) = (None, None);
            for phi in &query.body {
                match ev.truth(phi, &mut frame, Scope::default()) {
                    Ok(true) => {}
                    Ok(false) => return Ok(None),
                    Err(fault) if fault.code.is_limit() => limit = limit.or(Some(fault)),
                    Err(fault) => undefined = undefined.or(Some(fault)),
                }
            }
            if let Some(fault) = limit.or(undefined) {
                return Err(fault);
            }
        }
        if let Some(query) = &searched.group {
            let mut shown = Vec::new();
            for e in &query.body {
                let v = ev.eval(e, &mut frame, Scope::default())?;
                shown.push(answerer.show(&v).trim_end().replace('\n', "; "));
            }
            return Ok(Some(Said::Group(shown.join(", "))));
        }
        if !self.valued {
            return Ok(Some(Said::Nothing));
        }
        // Where the rules have no values, the outcome is reported.
        if answerer.solver().is_decided(position) {
            let outcome = answerer.solver().outcome(position, Span::default())?;
            return Ok(Some(Said::Group(answerer.show(&Val::Outcome(outcome)))));
        }
        let position = Val::Position(position.clone());
        let value = answerer.loopy(&position, Span::default())?;
        Ok(Some(Said::Value(match self.examined.rows {
            true => facts::facts(answerer, value)?,
            false => Facts {
                value: answerer.print_loopy(value),
                short: None,
            },
        })))
    }
}
