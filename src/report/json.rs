//! Answers come in; one JSON document for each run of the program comes out. Its shape is told by the schemas in `schemas/`,
//! against which the tests validate what every command prints.

use crate::base::visible::is_hidden;
use crate::claim::{Item, Status};
use crate::diagnostic::Plain;
use serde::Serialize;
use std::fmt::Write;

/// What a command prints with `--json`.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Document<T> {
    /// Which schema: `cgdsl/eval/1`.
    pub schema: &'static str,
    /// The version of the program.
    pub version: &'static str,
    /// What was asked for.
    #[serde(flatten)]
    pub content: T,
    /// Messages that belong to no item.
    pub diagnostics: Vec<Plain>,
    /// Counters of the run, with `--stats`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stats: Option<std::collections::BTreeMap<String, u64>>,
}

impl<T: Serialize> Document<T> {
    /// A document of that schema.
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
        // Only maps with keys that are no strings can fail, and there are none.
        let mut text = escaped(serde_json::to_string_pretty(self).unwrap_or_default());
        text.push('\n');
        text
    }
}

/// JSON may hold any character but controls; those that a terminal does not show are written as escapes, which mean the same.
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

/// What `eval --json` says: items with how they ended.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Items {
    /// The file, as it was named.
    pub file: String,
    /// Its items.
    pub items: Vec<Item>,
    /// How they ended.
    pub summary: Summary,
}

/// How the items of a run ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Summary {
    /// Answered, or holding.
    pub held: usize,
    /// Claims that are false, refutations that found nothing.
    pub failed: usize,
    /// Without an answer because a limit was met.
    pub unknown: usize,
    /// Broken.
    pub broken: usize,
    /// Slow ones that were not asked for.
    pub skipped: usize,
}

impl Summary {
    /// Counts items; `broken` more could not even be read.
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
