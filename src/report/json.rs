//! Writes answers as JSON, one document for each run of the program. The schemas in `schemas/` define its shape; the tests
//! validate the output of every command against them.

use crate::base::visible::is_hidden;
use crate::claim::{Item, Status};
use crate::diagnostic::Plain;
use serde::Serialize;
use std::fmt::Write;

/// The output of a command with `--json`.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Document<T> {
    /// The schema: `cgdsl/eval/1`.
    pub schema: &'static str,
    /// The version of the program.
    pub version: &'static str,
    /// The answer to the command.
    #[serde(flatten)]
    pub content: T,
    /// Messages that belong to no item.
    pub diagnostics: Vec<Plain>,
    /// Counters of the run, with `--stats`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stats: Option<std::collections::BTreeMap<String, u64>>,
}

impl<T: Serialize> Document<T> {
    /// A document with the given schema.
    pub fn new(schema: &'static str, content: T, diagnostics: Vec<Plain>) -> Document<T> {
        Document {
            schema,
            version: env!("CARGO_PKG_VERSION"),
            content,
            diagnostics,
            stats: None,
        }
    }

    /// As JSON, indented, with a newline at the end.
    #[must_use]
    pub fn to_text(&self) -> String {
        // Serialization fails only for maps whose keys are not strings, and there are none.
        let mut text = escaped(serde_json::to_string_pretty(self).unwrap_or_default());
        text.push('\n');
        text
    }
}

/// Writes characters that a terminal does not show as escapes, which JSON treats as equivalent.
fn escaped(json: String) -> String {
    if !json.contains(is_hidden) {
        return json;
    }
    let mut out = String::with_capacity(json.len() + 16);
    for c in json.chars() {
        if is_hidden(c) {
            for unit in c.encode_utf16(&mut [0; 2]) {
                let _ = write!(out, "\\u{unit:04x}");
            }
        } else {
            out.push(c);
        }
    }
    out
}

/// The content of `eval --json`: the items and a summary.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Items {
    /// The file name, as given.
    pub file: String,
    /// Its items.
    pub items: Vec<Item>,
    /// The numbers of items by status.
    pub summary: Summary,
}

/// The numbers of items of a run by status.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Summary {
    /// Answered, or holding.
    pub held: usize,
    /// False claims, and refutations that found no counterexample.
    pub failed: usize,
    /// Without an answer, because a limit was met.
    pub unknown: usize,
    /// Broken items.
    pub broken: usize,
    /// Items that were not asked: slow ones, which were not requested, and inherited ones that mean nothing under other rules,
    /// each of which has a message.
    pub skipped: usize,
}

impl Summary {
    /// Counts items by status; `broken` further items could not be read.
    #[must_use]
    pub fn of(items: &[Item], broken: usize) -> Summary {
        let count = |s: Status| items.iter().filter(|i| i.status == s).count();
        Summary {
            held: count(Status::Held),
            failed: count(Status::Failed),
            unknown: count(Status::Unknown),
            broken: count(Status::Broken) + broken,
            skipped: count(Status::Skipped),
        }
    }

    /// 2 if any item is broken, else 1 if one fails, else 3 if one is unknown, else 0.
    #[must_use]
    pub fn exit_code(&self) -> u8 {
        match self {
            s if s.broken > 0 => 2,
            s if s.failed > 0 => 1,
            s if s.unknown > 0 => 3,
            _ => 0,
        }
    }
}
