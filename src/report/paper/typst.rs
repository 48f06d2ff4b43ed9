//! Writes blocks as Typst markup, to be included in a document.

use super::{Block, Part, Simple, lines, parts, simple};
use crate::report::draw::{scene, typst};
use std::fmt::Write;

/// A value, printed in Unicode, as mathematics. Arrows, stars and bars are written as they are; a fraction in a subscript
/// needs brackets, bars that Typst would join are written as one, and words are quoted.
fn value(text: &str) -> String {
    if let Some(Simple::Star(n)) = simple(text) {
        return format!("$∗{n}$");
    }
    let mut out = String::from("$");
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        match c {
            '·' => out.push_str(" dot "),
            '_' if rest.peek() != Some(&'(') => {
                out.push_str("_(");
                while let Some(d) = rest.next_if(|d| d.is_ascii_digit() || *d == '/') {
                    out.push(d);
                }
                out.push(')');
            }
            '|' => {
                let mut bars = 1;
                while rest.next_if_eq(&'|').is_some() {
                    bars += 1;
                }
                out.push_str(match bars {
                    1 => "|",
                    2 => "‖",
                    3 => "‖ |",
                    4 => "‖ ‖",
                    _ => "‖ ‖ |",
                });
            }
            '$' | '#' | '\\' | '&' => {
                out.push('\\');
                out.push(c);
            }
            // Typst would read a word of several letters as a variable.
            c if c.is_ascii_alphabetic() && rest.peek().is_some_and(char::is_ascii_alphabetic) => {
                let mut word = String::from(c);
                while let Some(d) = rest.next_if(char::is_ascii_alphabetic) {
                    word.push(d);
                }
                let letters = match crate::value::loopy::Name::from_text(&word) {
                    Some(_) => "bold",
                    None => "upright",
                };
                let _ = write!(out, " {letters}(\"{word}\") ");
            }
            c => out.push(c),
        }
    }
    out.push('$');
    out
}

/// Text, with special characters escaped with a backslash.
fn words(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for (i, c) in text.chars().enumerate() {
        // At the start of a line, these begin a list, a heading or a term.
        let first = i == 0 && matches!(c, '-' | '+' | '=' | '/');
        if first
            || matches!(
                c,
                '\\' | '#' | '*' | '_' | '`' | '$' | '<' | '>' | '@' | '[' | ']' | '~'
            )
        {
            out.push('\\');
        }
        out.push(c);
    }
    // Two slashes begin a comment; two or three hyphens become a dash.
    out.replace("//", "\\/\\/").replace("--", "-\\-")
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

/// A marked text in a line.
pub fn inline(text: &str) -> String {
    parts(text)
        .into_iter()
        .map(|part| match part {
            Part::Words(t) => words(t),
            Part::Value(t) => value(t),
            Part::Code(t) => format!("#raw({})", quoted(t)),
        })
        .collect()
}

fn cell(text: &str) -> String {
    let all: Vec<String> = lines(text).into_iter().map(inline).collect();
    format!("[{}]", all.join(" \\ "))
}

/// Writes the blocks.
pub fn write(blocks: &[Block]) -> String {
    let mut out = String::new();
    for (i, block) in blocks.iter().enumerate() {
        if i > 0 {
            out.push('\n');
        }
        match block {
            Block::Head(text) | Block::Title(text) | Block::Text(text) => {
                let _ = writeln!(out, "{}", inline(text));
            }
            Block::List(items) => {
                for item in items {
                    let _ = writeln!(out, "- {}", inline(item));
                }
            }
            Block::Picture(picture) => match &picture.figure {
                Some(figure) => {
                    let _ = writeln!(out, "#align(center)[\n{}]", typst(&scene(figure)));
                }
                None => {
                    let text = quoted(&picture.drawing.join("\n")).replace('\n', "\\n");
                    let _ = writeln!(out, "#raw(block: true, {text})");
                }
            },
            Block::Facts(rows) => {
                out.push_str("#table(\n  columns: (auto, 1fr),\n  align: left,\n  stroke: none,\n  table.hline(),\n");
                for (key, text) in rows {
                    let _ = writeln!(out, "  {}, {},", cell(key), cell(text));
                }
                out.push_str("  table.hline(),\n)\n");
            }
            Block::Table {
                head, rows, right, ..
            } => {
                let align = if *right { "right" } else { "left" };
                let _ = writeln!(
                    out,
                    "#table(\n  columns: {},\n  align: {align},\n  stroke: none,\n  table.hline(),",
                    head.len()
                );
                let cells =
                    |all: &[String]| all.iter().map(|c| cell(c)).collect::<Vec<_>>().join(", ");
                let _ = writeln!(out, "  table.header({}),\n  table.hline(),", cells(head));
                for row in rows {
                    let _ = writeln!(out, "  {},", cells(row));
                }
                out.push_str("  table.hline(),\n)\n");
            }
        }
    }
    out
}
