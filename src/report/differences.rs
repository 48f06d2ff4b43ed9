//! Prints the differences between two rulesets, as text for a terminal and as Markdown. Besides the colour, a sign marks what
//! is gone (-), new (+) and changed (~).

use super::text::{Look, Paint};
use crate::session::compare::{Ruleset, Why};
use serde::Serialize;
use std::fmt::Write;

/// The most positions shown.
const MOST: usize = 20;

/// A query whose answer differs.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Query {
    /// The query.
    pub asked: String,
    /// The old answer.
    pub was: String,
    /// The new answer.
    pub now: String,
    /// For a table, the cells that differ.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub cells: Vec<String>,
}

/// All differences.
#[derive(Clone, Copy, Debug)]
pub struct Differences<'d> {
    /// The old file or ruleset.
    pub old: &'d str,
    /// The new file or ruleset.
    pub new: &'d str,
    /// The size of the largest boards.
    pub up_to: &'d str,
    /// The rulesets that differ.
    pub rulesets: &'d [Ruleset],
    /// The queries whose answers differ.
    pub queries: &'d [Query],
    /// The number of queries compared.
    pub queries_compared: usize,
    /// How many of them have no answer on one side at least, because a limit was met.
    pub queries_unknown: usize,
}

/// The head of the clauses that stand in another order.
const ORDER: &str = "in this order:";

/// The sign, the word and the colour of an option.
fn sign(why: &Why) -> (char, String, Paint) {
    match (&why.was, why.new) {
        (Some(was), _) => ('~', format!("was {was}"), Paint::Doubt),
        (None, true) => ('+', "new".into(), Paint::Good),
        (None, false) => ('-', "gone".into(), Paint::Bad),
    }
}

/// The names of two rulesets.
fn title(r: &Ruleset) -> String {
    match (&r.old, &r.new) {
        (Some(a), Some(b)) if a == b => a.clone(),
        (Some(a), Some(b)) => format!("{a} and {b}"),
        (Some(a), None) => format!("{a} is gone"),
        (None, Some(b)) => format!("{b} is new"),
        (None, None) => String::new(),
    }
}

fn positions(r: &Ruleset, up_to: &str) -> Option<String> {
    let asked = r.asked?;
    let plural = if r.compared == 1 { "" } else { "s" };
    let compared = format!(
        "{} position{plural} on boards up to {up_to}, by {asked}",
        r.compared
    );
    Some(match r.positions.len() {
        0 => format!("{compared}: none changes"),
        1 => format!("{compared}: 1 changes"),
        n => format!("{compared}: {n} change"),
    })
}

/// Why positions were not compared, or not all of them.
fn note(r: &Ruleset) -> Option<String> {
    let note = r.note.as_ref()?;
    Some(match r.asked {
        None => format!("positions are not compared: {note}"),
        Some(_) => note.clone(),
    })
}

fn queries(d: &Differences<'_>) -> Option<String> {
    (d.queries_compared > 0).then(|| {
        let plural = if d.queries_compared == 1 {
            "query"
        } else {
            "queries"
        };
        let changed = match d.queries.len() {
            0 => "no answer changes".to_owned(),
            n => format!("{n} changed"),
        };
        let unknown = match d.queries_unknown {
            0 => String::new(),
            n => format!(", {n} unknown within the limits"),
        };
        format!(
            "{} {plural} of the files: {changed}{unknown}",
            d.queries_compared
        )
    })
}

/// The differences as text.
#[must_use]
pub fn text(d: &Differences<'_>, look: Look) -> String {
    let mut out = String::new();
    for r in d.rulesets {
        let _ = writeln!(out, "{}", look.head(&title(r)));
        if r.same_rules() && r.old.is_some() && r.new.is_some() {
            out.push_str("  the same rules\n");
        }
        for clause in &r.gone {
            let _ = writeln!(out, "{}", look.paint(Paint::Bad, &format!("  - {clause}")));
        }
        for clause in &r.added {
            let _ = writeln!(out, "{}", look.paint(Paint::Good, &format!("  + {clause}")));
        }
        for (i, clause) in r.order.iter().enumerate() {
            let head = if i == 0 { ORDER } else { "" };
            let line = format!("  ~ {head:width$}  {clause}", width = ORDER.len());
            let _ = writeln!(out, "{}", look.paint(Paint::Doubt, &line));
        }
        if let Some(line) = positions(r, d.up_to) {
            let _ = writeln!(out, "\n  {line}");
        }
        if let Some(note) = note(r) {
            let _ = writeln!(out, "  {note}");
        }
        let shown = &r.positions[..r.positions.len().min(MOST)];
        let width = shown
            .iter()
            .map(|p| p.board.chars().count())
            .max()
            .unwrap_or(0)
            .min(200);
        for p in shown {
            let line = format!("  ~ {:width$}  was {}, now {}", p.board, p.was, p.now);
            let _ = writeln!(out, "{}", look.paint(Paint::Doubt, &line));
        }
        if r.positions.len() > MOST {
            let _ = writeln!(out, "    and {} more", r.positions.len() - MOST);
        }
        if let (Some(first), false) = (r.positions.first(), r.why.is_empty()) {
            let _ = writeln!(out, "\n  why {} changes:", first.board);
            for why in &r.why {
                let (sign, word, tone) = sign(why);
                let value = why
                    .value
                    .as_ref()
                    .map_or_else(String::new, |v| format!("  {v}"));
                let line = format!("  {sign} {} to {}{value}  ({word})", why.player, why.option);
                let _ = writeln!(out, "{}", look.paint(tone, &line));
            }
        }
        out.push('\n');
    }
    if let Some(line) = queries(d) {
        let _ = writeln!(out, "{line}");
        for q in d.queries {
            let line = format!("  ~ {}: was {}, now {}", q.asked, q.was, q.now);
            let line = match q.cells.is_empty() {
                true => line,
                false => format!("  ~ {}", q.asked),
            };
            let _ = writeln!(out, "{}", look.paint(Paint::Doubt, &line));
            for cell in &q.cells {
                let _ = writeln!(out, "      {cell}");
            }
        }
    }
    format!("{}\n", out.trim_end())
}

/// The differences as Markdown.
#[must_use]
pub fn markdown(d: &Differences<'_>) -> String {
    let code = |text: &str| format!("`{}`", text.replace('|', "\\|"));
    let mut out = format!("# {} and {}\n", code(d.old), code(d.new));
    for r in d.rulesets {
        let _ = writeln!(out, "\n## {}\n", title(r));
        if !r.same_rules() {
            out.push_str("```diff\n");
            r.gone
                .iter()
                .for_each(|c| out.push_str(&format!("- {c}\n")));
            r.added
                .iter()
                .for_each(|c| out.push_str(&format!("+ {c}\n")));
            if !r.order.is_empty() {
                let _ = writeln!(out, "! {ORDER}");
            }
            r.order
                .iter()
                .for_each(|c| out.push_str(&format!("!   {c}\n")));
            out.push_str("```\n");
        } else if r.old.is_some() && r.new.is_some() {
            out.push_str("The same rules.\n");
        }
        if let Some(line) = positions(r, d.up_to) {
            let _ = writeln!(out, "\n{line}.");
        }
        if let Some(note) = note(r) {
            let _ = writeln!(out, "\n{note}.");
        }
        if !r.positions.is_empty() {
            out.push_str("\n| board | was | now |\n|---|---|---|\n");
            for p in r.positions.iter().take(MOST) {
                let _ = writeln!(
                    out,
                    "| {} | {} | {} |",
                    code(&p.board),
                    code(&p.was),
                    code(&p.now)
                );
            }
            if r.positions.len() > MOST {
                let _ = writeln!(out, "\nand {} more.", r.positions.len() - MOST);
            }
        }
        if let (Some(first), false) = (r.positions.first(), r.why.is_empty()) {
            let _ = writeln!(out, "\nWhy {} changes:\n", code(&first.board));
            for why in &r.why {
                let (_, word, _) = sign(why);
                let value = why
                    .value
                    .as_ref()
                    .map_or_else(String::new, |v| format!(", {}", code(v)));
                let _ = writeln!(
                    out,
                    "- {word}: {} to {}{value}",
                    why.player,
                    code(&why.option)
                );
            }
        }
    }
    if let Some(line) = queries(d) {
        let _ = writeln!(out, "\n{line}.\n");
        for q in d.queries {
            let _ = writeln!(
                out,
                "- {}: was {}, now {}",
                code(&q.asked),
                code(&q.was),
                code(&q.now)
            );
            q.cells
                .iter()
                .for_each(|c| out.push_str(&format!("  - {c}\n")));
        }
    }
    out
}
