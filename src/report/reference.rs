//! Prints entries of the reference, as text for a terminal and as the page `docs/reference.md`.

use super::text::{Look, item};
use crate::session::reference::{Entry, Section};
use std::fmt::Write;

/// The command that evaluates an entry's example, and its output.
fn ran(entry: &Entry) -> Option<(String, String)> {
    let run = entry.run.as_ref()?;
    let answer = item(run.item.as_ref()?, Look::default());
    let command = format!("cgdsl eval {} -e '{}'", run.file, run.expression);
    Some((command, answer.trim_end().to_owned()))
}

/// An entry for a terminal.
#[must_use]
pub fn entry(entry: &Entry, look: Look) -> String {
    let mut out = format!("{}  ({})\n", look.head(entry.signature), entry.what);
    let _ = writeln!(out, "  {}.", entry.doc);
    if !entry.theory.is_empty() {
        let _ = writeln!(out, "  {}", entry.theory);
    }
    if !entry.fails.is_empty() {
        let _ = writeln!(out, "  where: {}", entry.fails);
    }
    if !entry.example.is_empty() {
        let _ = writeln!(out, "  in a file: {}", entry.example);
    }
    if let Some((command, answer)) = ran(entry) {
        let _ = writeln!(out, "\n  $ {command}");
        for line in answer.lines() {
            let _ = writeln!(out, "  {line}");
        }
    }
    out
}

/// Text in Markdown tables, with characters escaped that Markdown would interpret.
fn words(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '*' | '_' | '|' | '[' | ']' => {
                out.push('\\');
                out.push(c);
            }
            c => out.push(c),
        }
    }
    out
}

/// Code in Markdown tables.
fn code(text: &str) -> String {
    format!("`{}`", text.replace('|', "\\|"))
}

/// The page of the whole reference.
#[must_use]
pub fn page(sections: &[Section]) -> String {
    let mut out = String::from(
        "# Reference\n\n\
         <!-- Written by `UPDATE_DOCS=1 cargo test --test language pages` from the table of built-ins; changes here are lost. -->\n\n\
         Everything that a file can use without defining it. `cgdsl explain NAME` prints one entry. The tests run the examples.\n\
         [The language](grammar.md) defines the grammar; [the algebra of values](values.md) has more examples.\n\n\
         Books: **WW** is *Winning Ways* (2nd edition), **LIP** *Lessons in Play*, **CGT** Siegel, *Combinatorial Game Theory* (2013), **ONAG** *On Numbers and Games*.\n",
    );
    for (title, entries) in sections {
        let _ = writeln!(out, "\n## {title}");
        if entries.iter().all(|e| e.run.is_none()) {
            out.push_str("\n| | | |\n|---|---|---|\n");
            for e in entries {
                let _ = writeln!(
                    out,
                    "| {} | {} | {} |",
                    code(e.signature),
                    words(e.doc),
                    code(e.example)
                );
            }
            continue;
        }
        for e in entries {
            let _ = writeln!(out, "\n### {}\n", words(e.name));
            let folded = e.signature.starts_with("of a set");
            let signature = match folded {
                true => format!("`{}` {}", e.name, e.signature),
                false => format!("`{}`", e.signature),
            };
            let _ = writeln!(out, "{signature}: {}.", words(e.doc));
            if !e.theory.is_empty() {
                let _ = writeln!(out, "\n{}", words(e.theory));
            }
            if !e.fails.is_empty() {
                let _ = writeln!(out, "\nWhere: {}.", words(e.fails));
            }
            let _ = writeln!(out, "\nIn a file: `{}`", e.example);
            if let Some((command, answer)) = ran(e) {
                let _ = writeln!(out, "\n```console\n$ {command}\n{answer}\n```");
            }
        }
    }
    out
}
