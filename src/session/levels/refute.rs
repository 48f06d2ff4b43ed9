//! Judges counterexamples. Input: a false sentence and an instance; output: whether the sentence is false there. The
//! sentence is restricted to that one instance, and the resulting claim is judged.

use super::super::quiz::reason;
use super::super::{Memory, Settings};
use super::judge::{FILE, Open, instance, judged};
use super::{Level, Verdict};
use crate::claim::{Answer, Status};
use crate::model::typed::{BinderKind, ExprKind, Op, Place, Query, QueryKind};

impl Level {
    /// Judges the claim about the one instance.
    pub(super) fn refuted(&self, typed: &str, settings: &Settings) -> Result<Verdict, Verdict> {
        let unread = |why: &str| Verdict::Unread(why.to_owned());
        let file = self.file();
        let world = Memory::default().with(FILE, file.clone());
        let mut open = Open::new(&world, settings);
        let query = open.loaded.queries.iter().rev();
        let query = query.clone().find(|q| q.kind == QueryKind::Refute).cloned();
        let query = query.ok_or_else(|| unread("The level refutes nothing."))?;
        let names = names(&query);
        let mut values: Vec<String> = Vec::new();
        for (i, part) in split(typed).into_iter().enumerate() {
            let (name, value) = match part.split_once('=') {
                Some((name, value)) if names.iter().any(|n| *n == name.trim()) => {
                    (Some(name.trim()), value.trim())
                }
                _ => (names.get(i).map(String::as_str), part.trim()),
            };
            let Some(name) = name else {
                return Err(Verdict::Unread(format!(
                    "Only {} can be chosen.",
                    names.join(", ")
                )));
            };
            // The text must be a single expression; otherwise it could change how the rest of the claim is parsed.
            let read = open.session.expression(&mut open.loaded, value);
            if let Err(all) = read {
                let why = match reason(&all) {
                    "" => String::new(),
                    why => format!(" ({why})"),
                };
                let wanted = wanted(&names);
                let said = format!("`{value}` cannot be read{why}. {wanted}");
                return Err(Verdict::Unread(said));
            }
            values.push(format!("{name} = ({value})"));
        }
        if values.len() != names.len() {
            return Err(Verdict::Unread(wanted(&names)));
        }
        let conditions = values.join(" and ");
        let head = match (&query.condition, query.binders.last()) {
            (Some(condition), _) => (condition.span.end as usize, format!(" and {conditions}")),
            (None, Some(binder)) => (binder.span.end as usize, format!(" where {conditions}")),
            (None, None) => return Err(unread("The level refutes nothing.")),
        };
        let start = query.span.start as usize;
        let one = file
            .get(start..)
            .and_then(|rest| rest.find("refute"))
            .map(|i| start + i)
            .and_then(|at| {
                let before = file.get(..at)?;
                let middle = file.get(at + "refute".len()..head.0)?;
                let after = file.get(head.0..)?;
                Some(format!("{before}claim{middle}{}{after}", head.1))
            })
            .ok_or_else(|| unread("The level refutes nothing."))?;
        let world = Memory::default().with(FILE, one);
        let mut open = Open::new(&world, settings);
        if let Some(verdict) = open.broken() {
            return Err(verdict);
        }
        let items = open.session.evaluate(&open.loaded, |_, _| {});
        let Some(item) = items.last() else {
            return Err(unread("The level refutes nothing."));
        };
        let at = values.join(", ").replace(['(', ')'], "");
        Ok(match (&item.answer, item.status) {
            (Answer::Verdict(v), Status::Failed) => {
                let shown = v.counterexample.as_ref().map(instance).unwrap_or_default();
                Verdict::Right(format!("The statement is false{shown}."))
            }
            (Answer::Verdict(v), Status::Held) if v.instances == 0 => {
                Verdict::Unread(format!("{at} is outside the range of the statement."))
            }
            (Answer::Verdict(_), Status::Held) => {
                let sides = open.sides(&typed_bindings(&values));
                Verdict::Wrong(format!("The statement is true at {at}{sides}."))
            }
            // The claim has no instance.
            (_, Status::Broken) => {
                Verdict::Unread(format!("{at} is outside the range of the statement."))
            }
            _ => judged(item),
        })
    }
}

/// `a = .., b = ..`
fn form(names: &[String]) -> String {
    let all = names.iter().map(|n| format!("{n} = .."));
    all.collect::<Vec<_>>().join(", ")
}

/// A prompt that says what to type.
fn wanted(names: &[String]) -> String {
    let what = match names {
        [_] => "you mean",
        _ => "you mean, in this order or by name",
    };
    format!("Say which {} {what}: `{}`.", names.join(", "), form(names))
}

impl Open<'_> {
    /// The form in which an instance is typed: `a = .., b = ..`.
    pub(super) fn form(&self) -> String {
        let queries = &self.loaded.queries;
        let query = queries.iter().rfind(|q| q.kind == QueryKind::Refute);
        query.map_or_else(String::new, |q| form(&names(q)))
    }
    /// Both sides of the comparison in the last query, with names bound: `: nimber(Nim[a]) is 2, a is 2`.
    fn sides(&mut self, bound: &str) -> String {
        let body = self.loaded.queries.last().map(|claim| &claim.body[..]);
        let Some([e]) = body else {
            return String::new();
        };
        let ExprKind::Binary(op, l, r) = &*e.kind else {
            return String::new();
        };
        if matches!(op, Op::And | Op::Or) {
            return String::new();
        }
        let sides: Vec<String> = [l.span, r.span]
            .into_iter()
            .map(|span| self.session.sources.slice(span).to_owned())
            .collect();
        let mut told = Vec::new();
        for side in sides {
            let Ok(query) = self
                .session
                .expression(&mut self.loaded, &format!("[({side}) for {bound}]"))
            else {
                continue;
            };
            self.loaded.queries = vec![query];
            let items = self.session.evaluate(&self.loaded, |_, _| {});
            if let Some(Answer::Value(v)) = items.last().map(|i| &i.answer) {
                let value = v.value.trim_start_matches('[').trim_end_matches(']');
                if value != side {
                    told.push(format!("{side} is {value}"));
                }
            }
        }
        match told.is_empty() {
            true => String::new(),
            false => format!(": {}", told.join(", ")),
        }
    }
}

/// Turns `a = (2)` and `b = (3)` into `a in {2}, b in {3}`.
fn typed_bindings(values: &[String]) -> String {
    let all: Vec<String> = values
        .iter()
        .filter_map(|v| v.split_once(" = "))
        .map(|(name, value)| format!("{name} in {{{value}}}"))
        .collect();
    all.join(", ")
}

/// The names that a query binds.
fn names(query: &Query) -> Vec<String> {
    let mut names = Vec::new();
    for binder in &query.binders {
        let places = match &binder.kind {
            BinderKind::In(places, _) => places.clone(),
            BinderKind::Is { place, .. } => vec![place.clone()],
            _ => Vec::new(),
        };
        for place in places {
            if let Place::New(slot) = place
                && let Some(name) = query.slot_names.get(slot.0 as usize)
            {
                names.push(name.to_string());
            }
        }
    }
    names
}

/// Splits at the commas outside brackets.
fn split(text: &str) -> Vec<&str> {
    let (mut depth, mut from, mut parts) = (0_usize, 0, Vec::new());
    for (i, c) in text.char_indices() {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                parts.push(&text[from..i]);
                from = i + 1;
            }
            _ => {}
        }
    }
    parts.push(&text[from..]);
    parts
}
