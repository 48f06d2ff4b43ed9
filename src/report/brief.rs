//! An item comes in; what it is called and what was answered come out, each in a line.

use crate::claim::{Answer, Item, Status};

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// What an item is called: `Race(2, 1)`, `claim "all of them"`.
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
        Answer::None { text } => one_line(text),
    }
}

/// What was answered: a value, who wins, whether it holds.
#[must_use]
pub fn brief(item: &Item) -> String {
    let word = match item.status {
        Status::Held => "held",
        Status::Failed => "FAILED",
        Status::Unknown => "unknown",
        Status::Broken => "broken",
        Status::Skipped => "skipped",
    };
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
                        let winner = c.winner.as_deref().unwrap_or("nobody alone");
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
            if let Some(found) = &v.counterexample
                && item.status == Status::Failed
                && !found.bindings.is_empty()
            {
                let all: Vec<String> = found
                    .bindings
                    .iter()
                    .map(|b| format!("{} = {}", b.name, b.value))
                    .collect();
                text.push_str(&format!(" at {}", all.join(", ")));
            }
            text
        }
        Answer::Table(t) => {
            let all: Vec<&str> = t
                .rows
                .iter()
                .map(|r| r.value.as_deref().unwrap_or("?"))
                .collect();
            all.join(" ")
        }
        Answer::Search(s) => format!("{} found", s.found.len()),
        Answer::None { .. } => word.to_owned(),
    }
}
