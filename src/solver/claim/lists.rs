//! Answers the queries that list something for each instance: tables and searches. Input: a query. Output: an item.

use super::answer::{Answer, Instance, Item, Row, Search, Status, Table};
use super::dealt::Look;
use super::explain::Explainer;
use super::fault::of_limit;
use super::judge::{All, Judge, named, source_of};
use crate::ir::{Code as FaultCode, Fault, Frame, Res, Scope};
use crate::model::typed::{Expr, Query};
use std::collections::BinaryHeap;
use std::ops::ControlFlow;
use std::sync::Mutex;

/// The most matches that a search lists.
const MOST_FOUND: usize = 10_000;
/// The most rows of a table.
const MOST_ROWS: usize = 100_000;

impl Judge<'_> {
    /// `table for ..: E`
    pub(super) fn table(&self, query: &Query) -> Item {
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
        // One more, to see whether there are too many.
        let ran = match self.dealt_texts(query, most + 1, &look) {
            Some(dealt) => {
                // A run that is ended may leave gaps.
                let found = (0..most)
                    .zip(dealt.found)
                    .map_while(|(n, (at, row))| (n == at).then_some(row));
                found.for_each(&mut add);
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
    pub(super) fn search(&self, query: &Query, first: bool) -> Item {
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
        let mut take = |found: Res<Option<Instance>>| {
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
        let mut looked = 0;
        let ran = match self.dealt_texts(query, u64::MAX, &look) {
            Some(dealt) => {
                let mut ran = dealt.ran;
                looked = dealt.looked;
                for (at, found) in dealt.found {
                    match take(found) {
                        Ok(ControlFlow::Continue(())) => {}
                        ended => {
                            (looked, ran) = (at + 1, ended.map(|_| ()));
                            break;
                        }
                    }
                }
                ran
            }
            None => self.instances(query, &mut |frame| {
                looked += 1;
                let found = self.match_at(query, frame);
                found.map_or(Ok(ControlFlow::Continue(())), &mut take)
            }),
        };
        search.instances = looked;
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
