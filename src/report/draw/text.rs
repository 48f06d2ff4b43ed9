//! Draws a figure in characters. Everything except names is ASCII. With colours, pieces are also painted in the colour of
//! their owner, whom the name of the piece shows anyway.

use super::board::mark_text;
use super::canvas::{Glyph, Row, row};
use super::graph_text;
use super::heaps;
use super::scene::ansi;
use crate::base::visible::INK;
use crate::session::figure::{BoardFigure, Cell, Figure, Owner, Spot, Taken, TermFigure};
use std::fmt::Write;

/// The largest heap that is drawn counter by counter.
const PILE: usize = 12;

/// The figure in characters, line by line.
#[must_use]
pub fn text(figure: &Figure) -> Vec<String> {
    painted(figure, false)
}

/// The figure in characters, line by line, in terminal colours if `color` is set.
#[must_use]
pub fn painted(figure: &Figure, color: bool) -> Vec<String> {
    let how = How {
        lists: true,
        numbers: false,
    };
    let rows = rows(figure, how).unwrap_or_default();
    rows.iter().map(|r| written(r, color)).collect()
}

/// The figure in characters, with the rows and columns of cells numbered as in the names of moves.
#[must_use]
pub fn numbered(figure: &Figure, color: bool) -> Vec<String> {
    let how = How {
        lists: true,
        numbers: true,
    };
    let rows = rows(figure, how).unwrap_or_default();
    rows.iter().map(|r| written(r, color)).collect()
}

/// The figure in characters, if it is a picture within the given lines and columns. `None` if it is larger, or if a graph
/// could only be listed.
#[must_use]
pub fn pictured(figure: &Figure, lines: usize, columns: usize, color: bool) -> Option<Vec<String>> {
    let how = How {
        lists: false,
        numbers: false,
    };
    let rows = rows(figure, how)?;
    let fits = rows.len() <= lines && rows.iter().all(|r| r.len() <= columns);
    fits.then(|| rows.iter().map(|r| written(r, color)).collect())
}

/// Options for a picture.
#[derive(Clone, Copy)]
struct How {
    /// Whether a graph that is too tangled for characters is listed.
    lists: bool,
    /// Whether rows and columns are numbered.
    numbers: bool,
}

/// The rows of the picture; `None` if a graph is too tangled for characters and `lists` is off.
fn rows(figure: &Figure, how: How) -> Option<Vec<Row>> {
    let mut out = Vec::new();
    if figure.terms.is_empty() {
        out.push(row("0"));
    }
    for (i, term) in figure.terms.iter().enumerate() {
        if i > 0 {
            let sign = if term.negated { '-' } else { figure.sign() };
            out.push(row(&sign.to_string()));
        } else if term.negated {
            out.push(row("-"));
        }
        if term.copies != "1" {
            out.push(row(&format!("{} *", term.copies)));
        }
        out.extend(of_term(term, &figure.players, how)?);
    }
    Some(out)
}

/// A row as text, without trailing blanks.
fn written(row: &[Glyph], color: bool) -> String {
    let end = row.iter().rposition(|g| g.c != ' ').map_or(0, |i| i + 1);
    let mut out = String::new();
    let mut paint = None;
    for glyph in &row[..end] {
        let wanted = glyph.owner.filter(|_| color && glyph.c != ' ').map(ansi);
        if wanted != paint {
            if paint.is_some() {
                let _ = write!(out, "{INK}[0m");
            }
            if let Some(code) = wanted {
                let _ = write!(out, "{INK}[1;38;5;{code}m");
            }
            paint = wanted;
        }
        out.push(glyph.c);
    }
    if paint.is_some() {
        let _ = write!(out, "{INK}[0m");
    }
    out
}

fn of_term(term: &TermFigure, players: &[String], how: How) -> Option<Vec<Row>> {
    let mut lines = match &term.board {
        BoardFigure::Cells {
            columns,
            cells,
            taken,
            strip,
            ..
        } => {
            let numbers = how.numbers.then_some(*strip);
            grid(*columns, cells, (taken, players), numbers)
        }
        BoardFigure::Heaps { heaps, entailed } => {
            piles(heaps, entailed).iter().map(|l| row(l)).collect()
        }
        BoardFigure::Graph {
            graph,
            root,
            nodes,
            lines,
        } => match graph_text::drawn(*graph, *root, nodes, lines) {
            Some(rows) => rows,
            None if how.lists => graph_text::listed(*graph, nodes, lines),
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

/// The contents of a spot: names of pieces, values, tokens in brackets.
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

/// The letter for cells that a player took: the first letter of the player's name, unless another player or a piece on the
/// board has the same one.
fn initial(owner: Owner, players: &[String], cells: &[Cell]) -> Option<char> {
    let Owner::Player(p) = owner else { return None };
    let first = |name: &String| name.chars().next();
    let own = first(players.get(usize::from(p))?)?;
    let others = players.iter().enumerate();
    let shared = others
        .filter(|(i, _)| *i != usize::from(p))
        .any(|(_, name)| first(name) == Some(own));
    let mut marks = cells.iter().flat_map(|c| &c.spot.marks);
    (!shared && !marks.any(|m| m.glyph.starts_with(own))).then_some(own)
}

/// Cells in rows. With `numbers`, columns are numbered above and rows at the left; `Some(true)` means a strip.
fn grid(
    columns: u32,
    cells: &[Cell],
    (taken, players): (&[Taken], &[String]),
    numbers: Option<bool>,
) -> Vec<Row> {
    let columns = (columns as usize).max(1);
    let mut shown: Vec<Row> = cells
        .iter()
        .map(|c| match (c.wall, words(&c.spot)) {
            (true, w) => [row("#"), w].concat(),
            (false, w) if w.is_empty() => row("."),
            (false, w) => w,
        })
        .collect();
    // Cells taken in one move are joined along their row.
    let mut joined = vec![false; cells.len()];
    let mut told: Vec<(char, Owner)> = Vec::new();
    for t in taken {
        let Some(c) = initial(t.owner, players, cells) else {
            continue;
        };
        if !told.contains(&(c, t.owner)) {
            told.push((c, t.owner));
        }
        for cell in t.cells.iter().copied().filter(|c| *c < cells.len()) {
            let owner = Some(t.owner);
            shown[cell] = vec![Glyph { c, owner }];
            joined[cell] = (cell + 1) % columns != 0 && t.cells.contains(&(cell + 1));
        }
    }
    let mut widest = shown.iter().map(Vec::len).max().unwrap_or(1);
    let mut lines = Vec::new();
    // The width before the first cell.
    let mut margin = 0;
    if numbers == Some(false) {
        margin = (shown.len() / columns).to_string().len() + 2;
    }
    if numbers.is_some() && !shown.is_empty() {
        widest = widest.max(columns.to_string().len());
        let mut above = Row::new();
        for n in 0..columns {
            above.resize(margin + n * (widest + 1), Glyph::BLANK);
            above.extend(row(&(n + 1).to_string()));
        }
        lines.push(above);
    }
    for (r, cells) in shown.chunks(columns).enumerate() {
        let mut line = match margin {
            0 => Row::new(),
            margin => row(&format!("{:>1$}", r + 1, margin - 2)),
        };
        line.resize(margin, Glyph::BLANK);
        for (i, cell) in cells.iter().enumerate() {
            let gap = match i > 0 && joined[r * columns + i - 1] {
                true => Glyph {
                    c: '-',
                    ..line[line.len() - 1]
                },
                false => Glyph::BLANK,
            };
            line.resize(margin + i * (widest + 1), gap);
            line.extend(cell.iter().copied());
        }
        lines.push(line);
    }
    if !told.is_empty() {
        told.sort_by_key(|t| t.0);
        let all: Vec<String> = told
            .iter()
            .filter_map(|(c, owner)| match owner {
                Owner::Player(p) => {
                    Some(format!("{c}: taken by {}", players.get(usize::from(*p))?))
                }
                _ => None,
            })
            .collect();
        lines.push(row(&all.join(", ")));
    }
    lines
}

/// The size, if it is drawn whole.
fn whole(size: &str) -> Option<usize> {
    size.parse().ok().filter(|n| *n <= PILE)
}

/// How many things are drawn in a row for a size, and after how many of them there is a break. With a break there are as
/// many as in the longest whole row, so that the row is longer.
fn run(size: &str, longest: usize) -> (usize, Option<usize>) {
    match whole(size) {
        Some(n) => (n, None),
        None => (longest.max(4), Some(longest.max(4) / 2)),
    }
}

/// A heap from the ground up: a pile of `o` for each component; a heap of two components is a cake of rows and columns.
fn heap(heap: &[String], longest: usize) -> Vec<String> {
    if let [rows, columns] = heap {
        let ((high, down), (wide, across)) = (run(rows, longest), run(columns, longest));
        let squares = match across {
            Some(n) => format!("{}..{}", "[]".repeat(n), "[]".repeat(wide - n)),
            None => "[]".repeat(wide),
        };
        let mut lines = vec![squares; if wide == 0 { 0 } else { high }];
        if let (Some(n), true) = (down, wide > 0) {
            lines.insert(n, ":".to_owned());
        }
        return lines;
    }
    let piles: Vec<Vec<&str>> = heap
        .iter()
        .map(|n| {
            let (high, broken) = run(n, longest);
            let mut pile = vec!["o"; high];
            if let Some(n) = broken {
                pile.insert(n, ":");
            }
            pile
        })
        .collect();
    let highest = piles.iter().map(Vec::len).max().unwrap_or(0);
    let level = |k: usize| {
        let row: Vec<&str> = piles
            .iter()
            .map(|p| p.get(k).copied().unwrap_or(" "))
            .collect();
        row.join(" ")
    };
    (0..highest).map(level).collect()
}

/// Heaps as piles of `o`, with the sizes below a line.
fn piles(heaps: &[Vec<String>], entailed: &[usize]) -> Vec<String> {
    if heaps.is_empty() {
        return Vec::new();
    }
    let longest = heaps.iter().flatten().filter_map(|n| whole(n)).max();
    let longest = longest.unwrap_or(0);
    let drawn: Vec<Vec<String>> = heaps.iter().map(|h| heap(h, longest)).collect();
    let highest = drawn.iter().map(Vec::len).max().unwrap_or(0);
    let labels: Vec<String> = heaps
        .iter()
        .enumerate()
        .map(|(i, h)| heaps::label(h, entailed.contains(&i)))
        .collect();
    let columns: Vec<usize> = drawn
        .iter()
        .zip(&labels)
        .map(|(d, l)| d.iter().map(|t| width(t)).fold(width(l), usize::max))
        .collect();
    let centred = |text: &str, w: usize| {
        let room = w - width(text).min(w);
        let left = room / 2;
        format!("{}{text}{}", " ".repeat(left), " ".repeat(room - left))
    };
    let mut lines = Vec::new();
    for level in (0..highest).rev() {
        let row: Vec<String> = drawn
            .iter()
            .zip(&columns)
            .map(|(d, w)| centred(d.get(level).map_or("", String::as_str), *w))
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
