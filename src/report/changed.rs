//! Compares two answers to one question, the earlier and the later, and describes each change in a line.

use super::brief::brief;
use super::text::{Look, item as item_text};
use crate::claim::{Answer, Item, Status, Table};
use std::collections::BTreeMap;

/// The most cells of a table whose changes are listed.
const MOST_CELLS: usize = 20;

/// The answer to a question, kept for comparison with a later one.
#[derive(Clone, PartialEq, Debug)]
pub struct Said {
    /// The answer in a few words.
    pub brief: String,
    /// Everything that is shown, including instances and messages.
    whole: String,
    table: Option<Table>,
    /// Whether it is an answer, as opposed to a message or a limit.
    pub good: bool,
}

impl Said {
    /// The answer of an item.
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

    /// Whether everything shown is unchanged.
    #[must_use]
    pub fn same(&self, later: &Said) -> bool {
        self.whole == later.whole
    }

    /// The changes, in lines; empty if they can only be described by the whole answer.
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

/// The cells that changed, each labelled with the values of its binders.
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
