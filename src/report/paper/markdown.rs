//! Writes blocks as Markdown, with tables in the syntax of GitHub.

use super::{Block, Part, Simple, lines, parts, simple};
use std::fmt::Write;

/// Escapes special characters with a backslash.
fn words(text: &str, table: bool) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\\' | '`' | '*' | '_' | '[' | ']' => {
                out.push('\\');
                out.push(c);
            }
            '|' if table => out.push_str("\\|"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            c => out.push(c),
        }
    }
    out
}

/// A marked text in a line; in a table bars are escaped even in code.
pub fn inline(text: &str, table: bool) -> String {
    parts(text)
        .into_iter()
        .map(|part| match part {
            Part::Words(t) => words(t, table),
            Part::Value(t) => match simple(t) {
                Some(Simple::Star(n)) => format!("∗{n}"),
                _ => words(t, true),
            },
            Part::Code(t) => {
                let t = if table {
                    t.replace('|', "\\|")
                } else {
                    t.to_owned()
                };
                // The fence is longer than any run of backquotes in the text.
                let ticks = t.split(|c| c != '`').map(str::len).max().unwrap_or(0);
                let fence = "`".repeat(ticks + 1);
                let pad = if ticks > 0 { " " } else { "" };
                format!("{fence}{pad}{t}{pad}{fence}")
            }
        })
        .collect()
}

fn cell(text: &str) -> String {
    let all: Vec<String> = lines(text).into_iter().map(|l| inline(l, true)).collect();
    all.join("<br>")
}

fn row(out: &mut String, cells: &[String]) {
    let _ = writeln!(out, "| {} |", cells.join(" | "));
}

/// Writes the blocks.
pub fn write(blocks: &[Block]) -> String {
    let mut out = String::new();
    for (i, block) in blocks.iter().enumerate() {
        if i > 0 {
            out.push('\n');
        }
        match block {
            Block::Head(text) | Block::Title(text) => {
                let _ = writeln!(out, "### {}", inline(text, false));
            }
            Block::Text(text) => {
                let _ = writeln!(out, "{}", inline(text, false));
            }
            Block::List(items) => {
                for item in items {
                    let _ = writeln!(out, "- {}", inline(item, false));
                }
            }
            Block::Picture(picture) => {
                let drawing = crate::report::Look::default().drawing(picture).join("\n");
                let _ = writeln!(out, "```text\n{}\n```", drawing.replace("```", "'''"));
            }
            Block::Facts(rows) => {
                out.push_str("| | |\n|---|---|\n");
                for (key, text) in rows {
                    row(&mut out, &[cell(key), cell(text)]);
                }
            }
            Block::Table {
                head, rows, right, ..
            } => {
                let head: Vec<String> = head.iter().map(|c| cell(c)).collect();
                row(&mut out, &head);
                let rule = if *right { "---:|" } else { "---|" };
                let _ = writeln!(out, "|{}", rule.repeat(head.len()));
                for cells in rows {
                    let cells: Vec<String> = cells.iter().map(|c| cell(c)).collect();
                    row(&mut out, &cells);
                }
            }
        }
    }
    out
}
