//! A figure comes in; a picture made of characters comes out. The characters are those of ASCII but for names; with colours
//! the owner of what lies there is painted, and his piece's name still tells him.

use super::board::mark_text;
use super::canvas::{Glyph, Row, row};
use super::graph_text;
use super::scene::ansi;
use crate::session::figure::{BoardFigure, Cell, Figure, Spot, TermFigure};

/// A heap that is drawn counter by counter has at most so many.
const PILE: u64 = 12;

/// The figure in characters, line by line.
#[must_use]
pub fn text(figure: &Figure) -> Vec<String> {
    painted(figure, false)
}

/// The figure in characters, line by line, in the colours of a terminal if that is wished.
#[must_use]
pub fn painted(figure: &Figure, color: bool) -> Vec<String> {
    let rows = rows(figure, true).unwrap_or_default();
    rows.iter().map(|r| written(r, color)).collect()
}

/// The figure in characters, if it is a picture of at most that many lines and columns: nothing where a graph would only be
/// listed.
#[must_use]
pub fn pictured(figure: &Figure, lines: usize, columns: usize, color: bool) -> Option<Vec<String>> {
    let rows = rows(figure, false)?;
    let fits = rows.len() <= lines && rows.iter().all(|r| r.len() <= columns);
    fits.then(|| rows.iter().map(|r| written(r, color)).collect())
}

/// Nothing where a graph is too tangled for characters and lists are not wanted.
fn rows(figure: &Figure, lists: bool) -> Option<Vec<Row>> {
    let mut out = Vec::new();
    if figure.terms.is_empty() {
        out.push(row("0"));
    }
    for (i, term) in figure.terms.iter().enumerate() {
        if i > 0 {
            out.push(row(if term.negated { "-" } else { "+" }));
        } else if term.negated {
            out.push(row("-"));
        }
        if term.copies != "1" {
            out.push(row(&format!("{} *", term.copies)));
        }
        out.extend(of_term(term, lists)?);
    }
    Some(out)
}

/// A row as text, blanks at its end left out.
fn written(row: &[Glyph], color: bool) -> String {
    let end = row.iter().rposition(|g| g.c != ' ').map_or(0, |i| i + 1);
    let mut out = String::new();
    let mut paint = None;
    for glyph in &row[..end] {
        let wanted = glyph.owner.filter(|_| color && glyph.c != ' ').map(ansi);
        if wanted != paint {
            if paint.is_some() {
                out.push_str("\x1b[0m");
            }
            if let Some(code) = wanted {
                out.push_str(&format!("\x1b[1;38;5;{code}m"));
            }
            paint = wanted;
        }
        out.push(glyph.c);
    }
    if paint.is_some() {
        out.push_str("\x1b[0m");
    }
    out
}

fn of_term(term: &TermFigure, lists: bool) -> Option<Vec<Row>> {
    let mut lines = match &term.board {
        BoardFigure::Cells { columns, cells, .. } => grid(*columns, cells),
        BoardFigure::Heaps { heaps } => piles(heaps).iter().map(|l| row(l)).collect(),
        BoardFigure::Graph {
            graph,
            root,
            nodes,
            lines,
        } => match graph_text::drawn(*graph, *root, nodes, lines) {
            Some(rows) => rows,
            None if lists => graph_text::listed(*graph, nodes, lines),
            None => return None,
        },
        BoardFigure::Nothing => Vec::new(),
    };
    lines.extend(term.captions.iter().map(|c| row(c)));
    if lines.is_empty() {
        lines.push(row("nothing"));
    }
    Some(lines)
}

fn width(text: &str) -> usize {
    text.chars().count()
}

/// What there is at a spot: pieces by their names, values, tokens in brackets.
pub(super) fn words(spot: &Spot) -> Row {
    let mut text = Row::new();
    for (i, mark) in spot.marks.iter().enumerate() {
        if i > 0 {
            text.extend(row("+"));
        }
        let glyphs = row(&mark_text(mark));
        text.extend(glyphs.into_iter().map(|g| Glyph {
            owner: Some(mark.owner),
            ..g
        }));
    }
    let tokens = spot.tokens.iter().map(|t| format!("({t})"));
    for note in spot.notes.iter().cloned().chain(tokens) {
        if !text.is_empty() {
            text.extend(row(" "));
        }
        text.extend(row(&note));
    }
    text
}

fn grid(columns: u32, cells: &[Cell]) -> Vec<Row> {
    let shown: Vec<Row> = cells
        .iter()
        .map(|c| match words(&c.spot) {
            _ if c.wall => row("#"),
            w if w.is_empty() => row("."),
            w => w,
        })
        .collect();
    let widest = shown.iter().map(Vec::len).max().unwrap_or(1);
    shown
        .chunks((columns as usize).max(1))
        .map(|cells| {
            let mut line = Row::new();
            for (i, cell) in cells.iter().enumerate() {
                line.resize(i * (widest + 1), Glyph::BLANK);
                line.extend(cell.iter().copied());
            }
            line
        })
        .collect()
}

/// Heaps as piles of `o`, the sizes below a line.
fn piles(heaps: &[Vec<String>]) -> Vec<String> {
    if heaps.is_empty() {
        return Vec::new();
    }
    let small = |n: &String| n.parse::<u64>().ok().filter(|n| *n <= PILE);
    let highest = heaps
        .iter()
        .flatten()
        .map(|n| small(n).unwrap_or(3))
        .max()
        .unwrap_or(0);
    let labels: Vec<String> = heaps
        .iter()
        .map(|h| match &h[..] {
            [n] => n.clone(),
            all => format!("({})", all.join(", ")),
        })
        .collect();
    let columns: Vec<usize> = heaps
        .iter()
        .zip(&labels)
        .map(|(h, l)| width(l).max(2 * h.len() - 1))
        .collect();
    let centred = |text: &str, w: usize| {
        let left = (w - width(text).min(w)) / 2;
        format!("{:left$}{text}{:2$}", "", "", w - left - width(text).min(w))
    };
    let mut lines = Vec::new();
    for level in (0..highest).rev() {
        let row: Vec<String> = heaps
            .iter()
            .zip(&columns)
            .map(|(h, w)| {
                let part: Vec<&str> = h
                    .iter()
                    .map(|n| match small(n) {
                        Some(k) if level < k => "o",
                        Some(_) => " ",
                        // Too many to be drawn one by one.
                        None if level < 3 => [":", "o", ":"][level as usize % 3],
                        None => " ",
                    })
                    .collect();
                centred(&part.join(" "), *w)
            })
            .collect();
        lines.push(row.join("  "));
    }
    let total: usize = columns.iter().sum::<usize>() + 2 * (columns.len() - 1);
    lines.push("-".repeat(total));
    let row: Vec<String> = labels
        .iter()
        .zip(&columns)
        .map(|(l, w)| centred(l, *w))
        .collect();
    lines.push(row.join("  "));
    lines
}
