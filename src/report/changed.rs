//! Two answers to one question come in, the earlier and the later; what changed comes out, a line for each change.

use super::brief::brief;
use super::text::{Look, item as item_text};
use crate::claim::{Answer, Item, Status, Table};
use std::collections::BTreeMap;

/// The most cells of a table whose changes are told one by one.
const MOST_CELLS: usize = 20;

/// What was said to a question, kept to be compared with what is said later.
#[derive(Clone, PartialEq, Debug)]
pub struct Said {
    /// In a few words.
    pub brief: String,
    /// All that is shown, found values and messages included.
    whole: String,
    table: Option<Table>,
    /// Whether it is an answer: not a message, not a limit that was met.
    pub good: bool,
}

impl Said {
    /// What an item says.
    #[must_use]
    pub fn of(item: &Item) -> Said {
        let mut whole = item_text(item, Look::default());
        for d in &item.diagnostics {
            whole.push_str(&d.message);
        }
        Said {
            brief: brief(item),
            whole,
            table: match &item.answer {
                Answer::Table(t) => Some(t.clone()),
                _ => None,
            },
            good: !matches!(item.status, Status::Broken | Status::Unknown),
        }
    }

    /// Whether nothing changed that is shown.
    #[must_use]
    pub fn same(&self, later: &Said) -> bool {
        self.whole == later.whole
    }

    /// What changed, in lines; empty where only the whole answer tells.
    #[must_use]
    pub fn changes(&self, called: &str, later: &Said) -> Vec<String> {
        if let (Some(old), Some(new)) = (&self.table, &later.table)
            && old.names == new.names
            && later.good
        {
            return cells(called, old, new);
        }
        if self.brief == later.brief {
            return Vec::new();
        }
        vec![format!("{called}: was {}, now {}", self.brief, later.brief)]
    }
}

/// The cells that changed, each by what the names stand for.
fn cells(called: &str, old: &Table, new: &Table) -> Vec<String> {
    let value = |v: &Option<String>| v.clone().unwrap_or_else(|| "?".to_owned());
    let place = |keys: &[String]| {
        let all = new.names.iter().zip(keys);
        let all = all.map(|(name, key)| format!("{name} = {key}"));
        all.collect::<Vec<_>>().join(", ")
    };
    let mut before: BTreeMap<&[String], &Option<String>> =
        old.rows.iter().map(|r| (&r.keys[..], &r.value)).collect();
    let mut lines = Vec::new();
    for row in &new.rows {
        match before.remove(&row.keys[..]) {
            Some(was) if *was == row.value => {}
            Some(was) => lines.push(format!(
                "  {}: was {}, now {}",
                place(&row.keys),
                value(was),
                value(&row.value)
            )),
            None => lines.push(format!(
                "  {}: new, {}",
                place(&row.keys),
                value(&row.value)
            )),
        }
    }
    for row in old.rows.iter().filter(|r| before.contains_key(&r.keys[..])) {
        lines.push(format!("  {}: gone", place(&row.keys)));
    }
    if lines.is_empty() {
        return lines;
    }
    let count = lines.len();
    if count > MOST_CELLS {
        lines.truncate(MOST_CELLS);
        lines.push(format!("  and {} more", count - MOST_CELLS));
    }
    let cells = if count == 1 { "cell" } else { "cells" };
    lines.insert(0, format!("{called}: {count} {cells} changed"));
    lines
}
