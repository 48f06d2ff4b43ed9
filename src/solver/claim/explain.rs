//! Why a formula is false: given the formula and the values of its names, finds the values of its parts and the positions in
//! it, drawn.

use super::answer::{Binding, Picture};
use super::card;
use super::guaranteed::counts_points;
use super::judge::{Judge, is_position, named};
use crate::ir::{Evaluator, Frame, Scope, Val};
use crate::model::typed::{Expr, ExprKind, GameOp, Op, Quantifier, Query};
use std::ops::ControlFlow;

/// The most positions drawn for one instance.
const MOST_PICTURES: usize = 4;
/// The most parts shown for one instance.
const MOST_FOUND: usize = 8;

/// Explains the formulas of one query.
pub(super) struct Explainer<'e> {
    judge: &'e Judge<'e>,
    query: &'e Query,
}

impl<'e> Explainer<'e> {
    pub(super) fn new(judge: &'e Judge<'e>, query: &'e Query) -> Explainer<'e> {
        Explainer { judge, query }
    }

    fn evaluator(&self) -> Evaluator<'_> {
        Evaluator::new(self.judge.model, &self.judge.answerer)
            .with_cancel(self.judge.cancel.clone())
    }

    /// The values of the parts of a false formula.
    pub(super) fn found(&self, phi: &Expr, frame: &Frame) -> Vec<Binding> {
        let mut found = Vec::new();
        self.why(phi, &mut frame.clone(), &mut found);
        found.truncate(MOST_FOUND);
        found
    }

    /// The part that makes a false formula false: the first condition joined by `and` that does not hold.
    pub(super) fn false_part<'f>(&self, phi: &'f Expr, frame: &Frame) -> &'f Expr {
        let mut frame = frame.clone();
        let mut part = phi;
        while let ExprKind::Binary(Op::And, a, b) = &*part.kind {
            part = if self.truth(a, &mut frame) == Some(false) {
                a
            } else {
                b
            };
        }
        part
    }

    fn truth(&self, e: &Expr, frame: &mut Frame) -> Option<bool> {
        self.evaluator().truth(e, frame, Scope::default()).ok()
    }

    fn why(&self, phi: &Expr, frame: &mut Frame, found: &mut Vec<Binding>) {
        match &*phi.kind {
            ExprKind::Binary(Op::And, ..) => {
                let part = self.false_part(phi, frame);
                self.why(part, frame, found);
            }
            ExprKind::Binary(Op::Or, a, b) => {
                self.why(a, frame, found);
                self.why(b, frame, found);
            }
            ExprKind::Not(a) => self.why(a, frame, found),
            ExprKind::If(phi, a, b) => {
                if let Some(holds) = self.truth(phi, frame) {
                    self.why(if holds { a } else { b }, frame, found);
                }
            }
            ExprKind::Binary(
                Op::Is | Op::IsNot | Op::Less | Op::LessEqual | Op::Greater | Op::GreaterEqual,
                a,
                b,
            )
            | ExprKind::IsPieceOf(a, b) => {
                self.side(a, frame, found);
                self.side(b, frame, found);
            }
            ExprKind::Binary(Op::In | Op::Owns, a, b) => {
                self.side(a, frame, found);
                self.side(b, frame, found);
            }
            ExprKind::Game(
                GameOp::Equal
                | GameOp::LessEqual
                | GameOp::Less
                | GameOp::GreaterEqual
                | GameOp::Greater
                | GameOp::Function(_),
                arguments,
            ) => {
                for a in arguments {
                    self.side(a, frame, found);
                }
                if let [a, b] = &arguments[..] {
                    self.beside(a, b, frame, found);
                }
            }
            ExprKind::Quantifier(
                q @ (Quantifier::All | Quantifier::No),
                binders,
                condition,
                body,
            ) => {
                // The first choice that decides.
                let decides = *q == Quantifier::No;
                let _ = self.evaluator().choices(
                    binders,
                    condition.as_slice(),
                    frame,
                    Scope::default(),
                    &mut |frame| {
                        if self.truth(body, frame) != Some(decides) {
                            return Ok(ControlFlow::Continue(()));
                        }
                        for slot in named(binders) {
                            if let (Some(name), Some(v)) =
                                (self.query.slot_names.get(slot.0 as usize), frame.get(slot))
                            {
                                found.push(Binding {
                                    name: name.to_string(),
                                    value: self.judge.answerer.show(v),
                                });
                            }
                        }
                        self.why(body, frame, found);
                        Ok(ControlFlow::Break(()))
                    },
                );
            }
            _ => {}
        }
    }

    /// One side of a comparison, unless its text is its value.
    fn side(&self, e: &Expr, frame: &mut Frame, found: &mut Vec<Binding>) {
        let name = self.judge.sources.slice(e.span).trim().to_owned();
        let Ok(v) = self.evaluator().eval(e, frame, Scope::default()) else {
            return;
        };
        // Where games are compared, a position stands for its value.
        let value = match &v {
            Val::Position(p) => match self.judge.answerer.solver().value(p, e.span) {
                Ok(g) => self.judge.answerer.print(g),
                Err(_) => return,
            },
            v => self.judge.answerer.show(v),
        };
        let bare = |s: &str| s.trim_matches(['(', ')']).replace(' ', "");
        if bare(&name) != bare(&value) && !found.iter().any(|f| f.name == name) {
            found.push(Binding { name, value });
        }
    }

    /// Two positions that count points: what separates them.
    fn beside(&self, a: &Expr, b: &Expr, frame: &mut Frame, found: &mut Vec<Binding>) {
        let host = &self.judge.answerer;
        let names = [a, b].map(|e| self.judge.sources.slice(e.span).trim().to_owned());
        let mut value = |e: &Expr| {
            let one = std::slice::from_ref(e);
            let found = self.evaluator().eval_points(one, frame, Scope::default());
            found.ok()?.pop()
        };
        if let (Some(a), Some(c)) = (value(a), value(b))
            && (counts_points(&a) || counts_points(&c))
            && let Ok(all) = host
                .solver()
                .contexts(host, [&a, &c], [&names[0], &names[1]], b.span)
        {
            found.extend(all);
        }
    }

    /// The positions in a formula.
    pub(super) fn pictures(&self, phi: &Expr, frame: &Frame) -> Vec<Picture> {
        let mut found = Vec::new();
        self.collect(phi, &mut frame.clone(), &mut found);
        found
    }

    fn collect(&self, e: &Expr, frame: &mut Frame, found: &mut Vec<Picture>) {
        if found.len() >= MOST_PICTURES {
            return;
        }
        if is_position(e) {
            if let Ok(Val::Position(p)) = self.evaluator().eval(e, frame, Scope::default()) {
                let picture = card::picture(&p);
                if !found.contains(&picture) {
                    found.push(picture);
                }
            }
            return;
        }
        match &*e.kind {
            ExprKind::Game(_, all)
            | ExprKind::Call(_, all)
            | ExprKind::Builtin(_, all)
            | ExprKind::Elements(all)
            | ExprKind::Tuple(all) => {
                for part in all {
                    self.collect(part, frame, found);
                }
            }
            ExprKind::Binary(_, a, b) | ExprKind::Index(a, b) => {
                self.collect(a, frame, found);
                self.collect(b, frame, found);
            }
            ExprKind::Not(a) | ExprKind::Negative(a) | ExprKind::Fold(_, a) => {
                self.collect(a, frame, found)
            }
            ExprKind::If(phi, a, b) => {
                if let Some(holds) = self.truth(phi, frame) {
                    self.collect(if holds { a } else { b }, frame, found);
                }
            }
            _ => {}
        }
    }
}
