//! Answers one query. Claims are three-valued: a false instance, fully evaluated, refutes; an instance at which a limit is
//! reached is *unknown*; a rule that fails makes the item broken. A claim that holds for all instances is not called proved:
//! the answer gives the number of instances.

use super::answer::{
    Answer, Asked, Binding, Evaluated, Instance, Item, Picture, Row, Search, Source, Status, Table,
    Verdict,
};
use super::card;
use super::dealt::{Look, names_players};
use super::explain::Explainer;
use super::fault::{diagnose, of_limit, with_reason};
use super::host::Answerer;
use crate::base::{Sources, Span};
use crate::diagnostic::{Code, Diagnostic, plain};
use crate::game::{Cancel, Pulse};
use crate::ir::{Code as FaultCode, Evaluator, Fault, Frame, Res, Scope, Val};
use crate::model::typed::{
    Binder, BinderKind, Expr, ExprKind, Model, Op, Place, Query, QueryKind, Slot, Sort,
};
use std::collections::BinaryHeap;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

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

/// The most matches that a search lists.
const MOST_FOUND: usize = 10_000;
/// The most rows of a table.
const MOST_ROWS: usize = 100_000;

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
}

/// The truth of a formula at one instance.
enum Truth {
    True,
    False,
    Unknown(String),
}

/// The truth of conditions that must all hold, at one instance.
enum All<'q> {
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

    fn text(&self, span: Span) -> String {
        self.sources.slice(span).to_owned()
    }

    fn item(
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

    fn broken(&self, span: Span, fault: &Fault, answer: Option<Answer>) -> Item {
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

    fn evaluator(&self) -> Evaluator<'_> {
        Evaluator::new(self.model, &self.answerer).with_cancel(self.cancel.clone())
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
    fn all<'q>(&self, conditions: &'q [Expr], frame: &mut Frame) -> Res<All<'q>> {
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
    fn bindings(&self, query: &Query, frame: &Frame) -> Vec<Binding> {
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
            let ending = ending.map(|(at, _)| *at);
            match ending {
                // Players are named after the positions that were met before.
                Some(_) if names_players(self.model, query) => {}
                Some(at) => skipped = at,
                None => verdict.instances = dealt.looked,
            }
            for (at, why) in dealt.found {
                if ending.is_none_or(|_| at < skipped) {
                    verdict.unknown += 1;
                    verdict.limit = why;
                }
            }
            if ending.is_none() {
                return dealt.ran;
            }
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

    fn no_instance(&self, query: &Query) -> Diagnostic {
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

    /// `table for ..: E`
    fn table(&self, query: &Query) -> Item {
        let names: Vec<String> = named(&query.binders)
            .into_iter()
            .filter_map(|s| query.slot_names.get(s.0 as usize))
            .map(ToString::to_string)
            .collect();
        let mut table = Table {
            name: match (&query.name, &query.of) {
                (Some(name), Some(of)) => Some(format!("{name}, of {}", of.ruleset)),
                (None, Some(of)) => Some(of.ruleset.to_string()),
                (name, None) => name.as_ref().map(ToString::to_string),
            },
            source: source_of(query),
            expression: query
                .body
                .iter()
                .map(|e| self.text(e.span))
                .collect::<Vec<_>>()
                .join(", "),
            names,
            rows: Vec::new(),
            complete: true,
        };
        // The first error or, if there is none, the last limit.
        let mut stopped: Option<Box<Fault>> = None;
        let note = |stopped: &mut Option<Box<Fault>>, fault| {
            if stopped.as_ref().is_none_or(|f| f.code.is_limit()) {
                *stopped = Some(fault);
            }
        };
        let mut add = |(row, fault): (Row, Option<Box<Fault>>)| {
            table.rows.push(row);
            if let Some(fault) = fault {
                note(&mut stopped, fault);
            }
        };
        let too_many = || {
            let why = format!("a table has at most {MOST_ROWS} rows");
            Fault::new(FaultCode::TooMuch, query.span, why)
        };
        let look = |judge: &Judge<'_>, frame: &mut Frame, _| Look {
            kept: Some(judge.row(query, frame)),
            end: None,
        };
        let most = MOST_ROWS as u64;
        let may_deal = !names_players(self.model, query);
        // One more, to see whether there are too many.
        let dealt = may_deal
            .then(|| self.dealt(query, most + 1, &look))
            .flatten();
        let ran = match dealt {
            Some(dealt) => {
                let found = dealt.found.into_iter().take(MOST_ROWS);
                found.for_each(|(_, row)| add(row));
                match dealt.looked > most {
                    true => Err(too_many()),
                    false => dealt.ran,
                }
            }
            None => {
                let mut rows = 0;
                self.instances(query, &mut |frame| {
                    if rows >= MOST_ROWS {
                        return Err(too_many());
                    }
                    rows += 1;
                    add(self.row(query, frame));
                    Ok(ControlFlow::Continue(()))
                })
            }
        };
        if let Err(mut fault) = ran {
            table.complete = false;
            if fault.code.is_limit() {
                fault.message = format!("the rows that follow are unknown: {}", fault.message);
            }
            note(&mut stopped, fault);
        }
        if let Some(fault) = stopped {
            return self.broken(query.span, &fault, Some(Answer::Table(table)));
        }
        if table.rows.is_empty() {
            let d = self.no_instance(query);
            return self.item(query.span, Status::Broken, Answer::Table(table), vec![d]);
        }
        self.item(query.span, Status::Held, Answer::Table(table), Vec::new())
    }

    /// The row of a table for an instance, and why it has no value.
    fn row(&self, query: &Query, frame: &mut Frame) -> (Row, Option<Box<Fault>>) {
        let bindings = self.bindings(query, frame).into_iter();
        let keys = bindings.map(|b| b.value).collect();
        let shown = |e: &Expr| -> Res<String> {
            let v = self.evaluator().eval(e, frame, Scope::default())?;
            let text = self.answerer.show(&v);
            match self.answerer.solver().take_truncated() {
                Some(limit) => Err(of_limit(limit, query.span)),
                None => Ok(text.trim_end().replace('\n', "; ")),
            }
        };
        let values: Res<Vec<String>> = query.body.iter().map(shown).collect();
        let (value, fault) = match values {
            Ok(values) => (Some(values.join(", ")), None),
            Err(fault) => (None, Some(fault)),
        };
        (Row { keys, value }, fault)
    }

    /// An instance at which all conditions hold; `Ok(None)` if that is unknown, and `None` if one is false.
    fn match_at(&self, query: &Query, frame: &mut Frame) -> Option<Res<Option<Instance>>> {
        match self.all(&query.body, frame) {
            Ok(All::False(_)) => None,
            Ok(All::Unknown(_)) => Some(Ok(None)),
            Err(fault) => Some(Err(fault)),
            Ok(All::True) => {
                let explainer = Explainer::new(self, query);
                let mut pictures = Vec::new();
                for phi in &query.body {
                    pictures.extend(explainer.pictures(phi, frame));
                }
                Some(Ok(Some(Instance {
                    bindings: self.bindings(query, frame),
                    pictures,
                    ..Instance::default()
                })))
            }
        }
    }

    /// `search [first] for .. where phi`
    fn search(&self, query: &Query, first: bool) -> Item {
        let mut search = Search {
            text: match &query.of {
                Some(of) => format!("{}, of {}", self.text(query.span), of.ruleset),
                None => self.text(query.span),
            },
            instances: 0,
            unknown: 0,
            complete: true,
            found: Vec::new(),
        };
        let most = if first { 1 } else { MOST_FOUND };
        // The numbers of the first instances found, the last on top.
        let firsts = Mutex::new(BinaryHeap::new());
        let look = |judge: &Judge<'_>, frame: &mut Frame, at: u64| {
            let kept = judge.match_at(query, frame);
            let end = match &kept {
                None | Some(Ok(None)) => None,
                Some(Err(_)) => Some(at + 1),
                Some(Ok(Some(_))) => {
                    let mut firsts = firsts.lock().unwrap_or_else(|e| e.into_inner());
                    firsts.push(at);
                    if firsts.len() > most {
                        firsts.pop();
                    }
                    firsts
                        .peek()
                        .filter(|_| firsts.len() == most)
                        .map(|at| at + 1)
                }
            };
            Look { kept, end }
        };
        let mut take = |at: u64, found: Res<Option<Instance>>| {
            search.instances = at + 1;
            match found? {
                None => search.unknown += 1,
                Some(found) => {
                    search.found.push(found);
                    if search.found.len() >= most {
                        search.complete = false;
                        return Ok(ControlFlow::Break(()));
                    }
                }
            }
            Ok(ControlFlow::Continue(()))
        };
        // Players are named after the positions that were met before.
        let may_deal = !names_players(self.model, query);
        let dealt = may_deal
            .then(|| self.dealt(query, u64::MAX, &look))
            .flatten();
        let ran = match dealt {
            Some(dealt) => {
                let mut found = dealt.found.into_iter();
                match found.try_for_each(|(at, found)| match take(at, found) {
                    Ok(ControlFlow::Continue(())) => ControlFlow::Continue(()),
                    Ok(ControlFlow::Break(())) => ControlFlow::Break(Ok(())),
                    Err(fault) => ControlFlow::Break(Err(fault)),
                }) {
                    ControlFlow::Break(ran) => ran,
                    ControlFlow::Continue(()) => {
                        search.instances = dealt.looked;
                        dealt.ran
                    }
                }
            }
            None => {
                let mut looked = 0;
                let ran = self.instances(query, &mut |frame| {
                    looked += 1;
                    match self.match_at(query, frame) {
                        None => Ok(ControlFlow::Continue(())),
                        Some(found) => take(looked - 1, found),
                    }
                });
                search.instances = looked;
                ran
            }
        };
        match ran {
            Err(fault) => {
                search.complete = false;
                self.broken(query.span, &fault, Some(Answer::Search(search)))
            }
            Ok(()) => {
                let status = if search.unknown > 0 && (!first || search.found.is_empty()) {
                    Status::Unknown
                } else {
                    Status::Held
                };
                self.item(query.span, status, Answer::Search(search), Vec::new())
            }
        }
    }
}

fn source_of(query: &Query) -> Option<Source> {
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
