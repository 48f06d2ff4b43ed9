//! Writes blocks as comma-separated values (RFC 4180, except that lines end with a newline). The heading above a block is its
//! first field.

use super::{Block, lines, plain};
use std::fmt::Write;

/// A field, quoted if necessary.
pub fn field(text: &str) -> String {
    match text.contains([',', '"', '\n', '\r']) {
        true => format!("\"{}\"", text.replace('"', "\"\"")),
        false => text.to_owned(),
    }
}

fn row(out: &mut String, cells: impl Iterator<Item = String>) {
    let cells: Vec<String> = cells.map(|c| field(&c)).collect();
    let _ = writeln!(out, "{}", cells.join(","));
}

/// Several lines as one field.
fn cell(text: &str) -> String {
    plain(&lines(text).join("; "))
}

/// Writes the blocks.
pub fn write(blocks: &[Block]) -> String {
    let mut out = String::new();
    let mut head = String::new();
    // Consecutive cards share one header.
    let mut facts = false;
    for block in blocks {
        match block {
            Block::Head(text) => head = plain(text),
            Block::Title(text) => {
                facts = false;
                row(&mut out, std::iter::once(cell(text)));
            }
            Block::Picture(_) => {}
            Block::Text(text) => {
                facts = false;
                row(&mut out, [head.clone(), cell(text)].into_iter());
            }
            Block::List(items) => {
                facts = false;
                for item in items {
                    row(&mut out, [head.clone(), cell(item)].into_iter());
                }
            }
            Block::Facts(rows) => {
                if !facts {
                    out.push_str("item,about,text\n");
                }
                facts = true;
                for (key, text) in rows {
                    row(&mut out, [head.clone(), cell(key), cell(text)].into_iter());
                }
            }
            Block::Table {
                head: names, rows, ..
            } => {
                facts = false;
                row(&mut out, names.iter().map(|c| cell(c)));
                for cells in rows {
                    row(&mut out, cells.iter().map(|c| cell(c)));
                }
            }
        }
    }
    out
}
