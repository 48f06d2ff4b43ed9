//! One-line summaries of an item: its name, and its answer.

use super::rows::{alone, one_line};
use super::why::listed;
use crate::claim::{Answer, Binding, Item, Status};

/// The name of an item: `Race(2, 1)`, `claim "all of them"`.
#[must_use]
pub fn name(item: &Item) -> String {
    match &item.answer {
        Answer::Card(c) => one_line(&c.expression),
        Answer::Value(v) => one_line(&v.expression),
        Answer::Verdict(v) => {
            let what = format!("{:?}", v.asked).to_lowercase();
            match &v.name {
                Some(name) => format!("{what} \"{name}\""),
                None => format!("{what} {}", one_line(&v.text)),
            }
        }
        Answer::Table(t) => format!("table {}", one_line(&t.expression)),
        Answer::Search(s) => format!("search {}", one_line(&s.text)),
        Answer::None { text } => {
            let text = one_line(text);
            text.strip_prefix("eval ")
                .map_or(text.clone(), str::to_owned)
        }
    }
}

/// The answer in brief: a value, who wins, whether it holds.
#[must_use]
pub fn brief(item: &Item) -> String {
    let word = match item.status {
        Status::Held => "held",
        Status::Failed => "FAILED",
        Status::Unknown => "unknown",
        Status::Broken => "broken",
        Status::Skipped => "skipped",
    };
    if item.status == Status::Broken
        && let Some(why) = item.diagnostics.first()
    {
        return format!("{word}: {}", why.message);
    }
    match &item.answer {
        Answer::Card(c) => {
            if let Some(value) = &c.value {
                return value.clone();
            }
            if !c.coalitions.is_empty() {
                let all: Vec<String> = c
                    .coalitions
                    .iter()
                    .map(|c| {
                        let winner = match &alone(&c.minimal)[..] {
                            [] if c.drawn => "a draw".to_owned(),
                            [] => "nobody alone".to_owned(),
                            all => listed(all, "and"),
                        };
                        format!("{} when {} starts", winner, c.first)
                    })
                    .collect();
                return all.join(", ");
            }
            c.outcome.clone().unwrap_or_else(|| word.to_owned())
        }
        Answer::Value(v) => one_line(&v.value),
        Answer::Verdict(v) => {
            let mut text = word.to_owned();
            let Some(found) = v.counterexample.as_ref() else {
                return text;
            };
            let all = |bindings: &[Binding], sign: &str| {
                let all = bindings
                    .iter()
                    .map(|b| format!("{} {sign} {}", one_line(&b.name), one_line(&b.value)));
                all.collect::<Vec<_>>().join(", ")
            };
            if !found.bindings.is_empty() {
                text.push_str(&format!(" at {}", all(&found.bindings, "=")));
            }
            if let Some(failed) = &found.failed {
                text.push_str(&format!(", not {}", one_line(failed)));
            }
            if !found.found.is_empty() {
                text.push_str(&format!(": {}", all(&found.found, "is")));
            }
            text
        }
        Answer::Table(t) => {
            let all = t.rows.iter().map(|r| r.value.as_deref().unwrap_or("?"));
            let cut = (!t.complete).then_some("..");
            all.chain(cut).collect::<Vec<_>>().join(" ")
        }
        Answer::Search(s) => format!("{} found", s.found.len()),
        Answer::None { .. } => match item.diagnostics.first() {
            Some(why) => format!("{word}: {}", why.message),
            None => word.to_owned(),
        },
    }
}
