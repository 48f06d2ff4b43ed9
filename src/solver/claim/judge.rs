//! Answers one query. Claims are three-valued: a false instance, fully evaluated, refutes; an instance at which a limit is
//! reached is *unknown*; a rule that fails makes the item broken. A claim that holds for all instances is not called proved:
//! the answer gives the number of instances.

use super::answer::{
    Answer, Asked, Binding, Evaluated, Instance, Item, Picture, Source, Status, Verdict,
};
use super::card;
use super::dealt::{Look, names_players};
use super::explain::Explainer;
use super::fault::{diagnose, of_limit, with_reason};
use super::host::Answerer;
use crate::base::{Sources, Span};
use crate::diagnostic::{Code, Diagnostic, plain};
use crate::game::{Cancel, Pulse};
use crate::ir::{Calls, Code as FaultCode, Evaluator, Fault, Frame, Res, Scope, Val};
use crate::model::typed::{
    Binder, BinderKind, Expr, ExprKind, Model, Op, Place, Query, QueryKind, Slot, Sort,
};
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// The progress of a run, for observers.
#[derive(Debug, Default)]
pub struct Progress {
    /// Items in this run.
    pub items: AtomicU64,
    /// Items that are done.
    pub done: AtomicU64,
    /// Instances of the current item that are done.
    pub instances: AtomicU64,
    /// The progress of the searches.
    pub pulse: Arc<Pulse>,
}

/// Answers queries, one at a time.
pub struct Judge<'j> {
    /// The checked files.
    pub model: &'j Arc<Model>,
    /// The host that evaluates games.
    pub answerer: Answerer<'j>,
    /// The source texts.
    pub sources: &'j Sources,
    /// Stops the evaluation.
    pub cancel: Cancel,
    /// The progress, for observers.
    pub progress: &'j Progress,
    /// Whether to evaluate queries marked `slow`, too.
    pub slow: bool,
    /// The results of functions so far.
    pub calls: Calls,
}

/// The truth of a formula at one instance.
enum Truth {
    True,
    False,
    Unknown(String),
}

/// The truth of conditions that must all hold, at one instance.
pub(super) enum All<'q> {
    True,
    /// The first false condition.
    False(&'q Expr),
    /// No condition was false, and a limit left one undecided.
    Unknown(String),
}

impl Judge<'_> {
    /// Answers a query, with one item for each expression of an `eval` and one for any other query.
    #[must_use]
    pub fn query(&self, query: &Query) -> Vec<Item> {
        self.progress.instances.store(0, Ordering::Relaxed);
        if query.slow && !self.slow {
            let answer = match asked(query.kind) {
                Some(asked) => Answer::Verdict(self.verdict(query, asked)),
                None => Answer::None {
                    text: self.text(query.span),
                },
            };
            return vec![self.item(query.span, Status::Skipped, answer, Vec::new())];
        }
        let items = match query.kind {
            QueryKind::Eval => query.body.iter().map(|e| self.eval(query, e)).collect(),
            QueryKind::Assert | QueryKind::Claim | QueryKind::Refute => vec![self.judge(query)],
            QueryKind::Table => vec![self.table(query)],
            QueryKind::Search { first } => vec![self.search(query, first)],
        };
        self.answerer.forget();
        items
    }

    pub(super) fn text(&self, span: Span) -> String {
        self.sources.slice(span).to_owned()
    }

    pub(super) fn item(
        &self,
        span: Span,
        status: Status,
        answer: Answer,
        diagnostics: Vec<Diagnostic>,
    ) -> Item {
        let (mut status, mut diagnostics) = (status, diagnostics);
        let truncated = self.answerer.solver().take_truncated();
        if let Some(limit) = truncated
            && status == Status::Held
            && matches!(answer, Answer::Value(_) | Answer::Card(_))
        {
            status = Status::Unknown;
            diagnostics.push(diagnose(&of_limit(limit, span)));
        }
        if self.answerer.solver().take_degraded() {
            diagnostics.push(
                Diagnostic::remark(
                    Code::E0712,
                    "the memory was too little for all coalitions at once; Algorithm 1 answered, for one coalition at a time",
                )
                .at(span, "")
                .help("the answer is the same; --memory sets the limit"),
            );
        }
        let source = self.sources.get(span.file);
        let line = source.map_or(1, |s| {
            let before = s.text.get(..span.start as usize).unwrap_or("");
            before.bytes().filter(|b| *b == b'\n').count() + 1
        });
        Item {
            file: source.map_or_else(String::new, |s| s.name.to_string()),
            line,
            status,
            answer,
            diagnostics: diagnostics.iter().map(|d| plain(d, self.sources)).collect(),
            messages: diagnostics,
        }
    }

    pub(super) fn broken(&self, span: Span, fault: &Fault, answer: Option<Answer>) -> Item {
        let status = if fault.code.is_limit() {
            Status::Unknown
        } else {
            Status::Broken
        };
        let answer = answer.unwrap_or_else(|| Answer::None {
            text: self.text(span),
        });
        let fault = with_reason(Box::new(fault.clone()), &self.cancel);
        self.item(span, status, answer, vec![diagnose(&fault)])
    }

    pub(super) fn evaluator(&self) -> Evaluator<'_> {
        let cancel = self.answerer.solver().cancel.clone();
        let ev = Evaluator::new(self.model, &self.answerer).with_cancel(cancel);
        ev.remembering(&self.calls)
    }

    /// `eval E`
    fn eval(&self, query: &Query, e: &Expr) -> Item {
        let mut frame = Frame::default();
        let text = self.text(e.span);
        // Only the current one of several expressions.
        let unanswered = |text: &str| {
            Some(Answer::None {
                text: format!("eval {text}"),
            })
        };
        let value = match self.evaluator().eval(e, &mut frame, Scope::default()) {
            Ok(v) => v,
            Err(fault) => return self.broken(query.span, &fault, unanswered(&text)),
        };
        if let Val::Position(p) = &value {
            return match card::card(&self.answerer, self.model, &text, p, e.span) {
                Ok(card) => {
                    let status = if card.limit.is_some() {
                        Status::Unknown
                    } else {
                        Status::Held
                    };
                    self.item(query.span, status, Answer::Card(Box::new(card)), Vec::new())
                }
                Err(fault) => self.broken(query.span, &fault, unanswered(&text)),
            };
        }
        let answer = Answer::Value(Evaluated {
            expression: text,
            value: self.answerer.show(&value).trim_end().to_owned(),
            pictures: pictures_of(&value),
        });
        self.item(query.span, Status::Held, answer, Vec::new())
    }

    fn verdict(&self, query: &Query, asked: Asked) -> Verdict {
        Verdict {
            asked,
            name: query.name.as_ref().map(ToString::to_string),
            text: match (query.body.first(), query.body.last()) {
                (Some(first), Some(last)) => self.text(first.span.to(last.span)),
                _ => String::new(),
            },
            of: query.of.as_ref().map(|of| of.ruleset.to_string()),
            inherited_from: query
                .of
                .as_ref()
                .and_then(|of| of.parent.as_ref())
                .map(ToString::to_string),
            range: self.range(query),
            instances: 0,
            unknown: 0,
            counterexample: None,
            limit: None,
            source: source_of(query),
        }
    }

    /// `k = 2..6, G in graphs(4) where ..`
    fn range(&self, query: &Query) -> String {
        let mut parts: Vec<String> = query.binders.iter().map(|b| self.binder(b)).collect();
        if let Some(phi) = &query.condition {
            let last = parts.pop().unwrap_or_default();
            parts.push(format!("{last} where {}", self.text(phi.span)));
        }
        parts.join(", ")
    }

    fn binder(&self, binder: &Binder) -> String {
        let text = self.text(binder.span);
        if let BinderKind::In(places, set) = &binder.kind
            && places.len() == 1
            && let ExprKind::Binary(Op::Range, ..) = &*set.kind
            && let Some((name, _)) = text.split_once(" in ")
        {
            return format!("{} = {}", name.trim(), self.text(set.span));
        }
        text
    }

    /// The truth of a formula at an instance. A limit makes it unknown; other faults are returned.
    fn truth(&self, phi: &Expr, frame: &mut Frame) -> Res<Truth> {
        match self.evaluator().truth(phi, frame, Scope::default()) {
            Ok(true) => Ok(Truth::True),
            Ok(false) => Ok(Truth::False),
            Err(fault) if fault.code.is_limit() => {
                let fault = with_reason(fault, &self.cancel);
                Ok(Truth::Unknown(fault.message))
            }
            Err(fault) => Err(fault),
        }
    }

    /// Whether all conditions hold at an instance. A false condition decides, even if another one is unknown.
    pub(super) fn all<'q>(&self, conditions: &'q [Expr], frame: &mut Frame) -> Res<All<'q>> {
        let mut unknown = None;
        for phi in conditions {
            match self.truth(phi, frame) {
                Ok(Truth::True) => {}
                Ok(Truth::False) => return Ok(All::False(phi)),
                Ok(Truth::Unknown(why)) => unknown = unknown.or(Some(why)),
                // It may rely on an earlier condition that was not decided: `size(S) > 0, min(S) = 1`.
                Err(_) if unknown.is_some() => {}
                Err(fault) => return Err(fault),
            }
            if unknown.is_some() && self.cancel.is_cancelled() {
                break;
            }
        }
        Ok(unknown.map_or(All::True, All::Unknown))
    }

    /// Calls `each` with every instance of a query. A run that is ended between two instances ends with its limit, since the
    /// remaining instances are unknown.
    pub(super) fn instances(
        &self,
        query: &Query,
        each: &mut dyn FnMut(&mut Frame) -> Res<ControlFlow<()>>,
    ) -> Res<()> {
        let ev = self.evaluator();
        let conditions = query.condition.as_slice();
        let mut frame = Frame::default();
        let mut began = false;
        let _ended_early = ev.choices(
            &query.binders,
            conditions,
            &mut frame,
            Scope::default(),
            &mut |frame| {
                if let Some(limit) = self.cancel.limit().filter(|_| began) {
                    return Err(of_limit(limit, query.span));
                }
                began = true;
                self.progress.instances.fetch_add(1, Ordering::Relaxed);
                each(frame)
            },
        )?;
        Ok(())
    }

    /// The values of the names of a query.
    pub(super) fn bindings(&self, query: &Query, frame: &Frame) -> Vec<Binding> {
        named(&query.binders)
            .into_iter()
            .filter_map(|slot| {
                let name = query.slot_names.get(slot.0 as usize)?;
                Some(Binding {
                    name: name.to_string(),
                    value: self.answerer.show(frame.get(slot)?),
                })
            })
            .collect()
    }

    /// `assert`, `claim`, `refute`
    fn judge(&self, query: &Query) -> Item {
        let asked = asked(query.kind).unwrap_or(Asked::Assert);
        let mut verdict = self.verdict(query, asked);
        let mut cut = None;
        let ran = self.holds(query, &mut verdict);
        if let Err(fault) = ran {
            if let Some(of) = &query.of
                && of.parent.is_some()
                && fault.code == FaultCode::NoTheory
            {
                let why = format!("not asked of {}: {}", of.ruleset, fault.message);
                let why = Diagnostic::remark(Code::E0411, why);
                let answer = Answer::Verdict(verdict);
                return self.item(query.span, Status::Skipped, answer, vec![why]);
            }
            if !fault.code.is_limit() {
                return self.broken(query.span, &fault, Some(Answer::Verdict(verdict)));
            }
            // A limit was reached while enumerating instances; the remaining ones are unknown.
            verdict.limit = Some(fault.message.clone());
            cut = Some(fault);
        }
        let known_false = verdict.counterexample.is_some();
        let incomplete = cut.is_some() || verdict.unknown > 0;
        if verdict.instances == 0 && cut.is_none() {
            let d = self.no_instance(query);
            return self.item(
                query.span,
                Status::Broken,
                Answer::Verdict(verdict),
                vec![d],
            );
        }
        let status = match (asked, known_false, incomplete) {
            (Asked::Refute, true, _) => Status::Held,
            (Asked::Refute, false, false) => Status::Failed,
            (Asked::Assert | Asked::Claim, true, _) => Status::Failed,
            (Asked::Assert | Asked::Claim, false, false) => Status::Held,
            (_, false, true) => Status::Unknown,
        };
        if known_false {
            verdict.limit = None;
        }
        self.item(query.span, status, Answer::Verdict(verdict), Vec::new())
    }

    /// Looks at the instances of a claim until it is false at one of them, and notes them in the verdict.
    fn holds(&self, query: &Query, verdict: &mut Verdict) -> Res<()> {
        let mut skipped = 0;
        let look = |judge: &Judge<'_>, frame: &mut Frame, at| {
            let (kept, end) = match judge.all(&query.body, frame) {
                Ok(All::True) => (None, None),
                Ok(All::Unknown(why)) => (Some(Some(why)), None),
                Ok(All::False(_)) | Err(_) => (Some(None), Some(at + 1)),
            };
            Look { kept, end }
        };
        if let Some(dealt) = self.dealt(query, u64::MAX, &look) {
            let ending = dealt.found.iter().find(|(_, why)| why.is_none());
            let known = match ending {
                // Players are named after the positions that were met before, so all are looked at again.
                Some(_) if names_players(self.model, query) => 0,
                Some((at, _)) => *at,
                None => u64::MAX,
            };
            let ends = ending.is_some();
            for (_, why) in dealt.found.into_iter().take_while(|(at, _)| *at < known) {
                verdict.unknown += 1;
                verdict.limit = why;
            }
            if !ends {
                verdict.instances = dealt.looked;
                return dealt.ran;
            }
            skipped = known;
        }
        let explainer = Explainer::new(self, query);
        self.instances(query, &mut |frame| {
            verdict.instances += 1;
            if verdict.instances <= skipped {
                return Ok(ControlFlow::Continue(()));
            }
            match self.all(&query.body, frame) {
                Ok(All::True) => Ok(ControlFlow::Continue(())),
                Ok(All::False(phi)) => {
                    let part = explainer.false_part(phi, frame);
                    let whole = query.body.len() == 1 && part.span == phi.span;
                    verdict.counterexample = Some(Instance {
                        bindings: self.bindings(query, frame),
                        failed: (!whole).then(|| self.text(part.span)),
                        found: explainer.found(part, frame),
                        pictures: explainer.pictures(phi, frame),
                    });
                    Ok(ControlFlow::Break(()))
                }
                Ok(All::Unknown(why)) => {
                    verdict.unknown += 1;
                    verdict.limit = Some(why);
                    Ok(ControlFlow::Continue(()))
                }
                Err(mut fault) => {
                    // Name the instance that failed.
                    let mut bindings: Vec<(Arc<str>, String)> = self
                        .bindings(query, frame)
                        .into_iter()
                        .map(|b| (b.name.into(), b.value))
                        .collect();
                    bindings.append(&mut fault.bindings);
                    fault.bindings = bindings;
                    Err(fault)
                }
            }
        })
    }

    pub(super) fn no_instance(&self, query: &Query) -> Diagnostic {
        let place = query.binders.first().map_or(query.span, |b| b.span);
        let what = if query.condition.is_some() {
            "nothing fulfils the condition"
        } else {
            "nothing to range over"
        };
        Diagnostic::error(
            Code::E0551,
            "there is no instance at all, so the claim says nothing",
        )
        .at(place, what)
        .help("ranges include both ends, and 1..0 is empty")
    }
}

pub(super) fn source_of(query: &Query) -> Option<Source> {
    query.source.as_ref().map(|(program, text)| Source {
        program: *program,
        text: text.to_string(),
    })
}

fn asked(kind: QueryKind) -> Option<Asked> {
    match kind {
        QueryKind::Assert => Some(Asked::Assert),
        QueryKind::Claim => Some(Asked::Claim),
        QueryKind::Refute => Some(Asked::Refute),
        _ => None,
    }
}

/// The variables that binders introduce, in order.
pub(super) fn named(binders: &[Binder]) -> Vec<Slot> {
    let mut slots = Vec::new();
    let mut place = |p: &Place| {
        if let Place::New(slot) = p {
            slots.push(*slot);
        }
    };
    for binder in binders {
        match &binder.kind {
            BinderKind::In(places, _) | BinderKind::Heap { places, .. } => {
                places.iter().for_each(&mut place)
            }
            BinderKind::Is { place: p, .. }
            | BinderKind::Sites(p, _)
            | BinderKind::Edges(p)
            | BinderKind::Pieces(p) => place(p),
            BinderKind::Arcs(u, v) | BinderKind::Lines(u, v) => {
                place(u);
                place(v);
            }
        }
    }
    slots
}

/// The positions in a set or list, drawn; at most 100.
fn pictures_of(v: &Val) -> Vec<Picture> {
    match v {
        Val::Set(items) | Val::List(items) => items
            .iter()
            .filter_map(|v| match v {
                Val::Position(p) => Some(card::picture(p)),
                _ => None,
            })
            .take(100)
            .collect(),
        _ => Vec::new(),
    }
}

/// Whether the sort is that of positions.
pub(super) fn is_position(e: &Expr) -> bool {
    e.sort == Sort::Position
}
