//! Draws one board as a block, with the lines of text that go below it.

use super::layout::Point;
use super::scene::{Anchor, Block, Form, Ink, Item, Of, form};
use super::{graph, heaps, plain};
use crate::session::figure::{BoardFigure, Cell, Mark, Spot, Taken, TermFigure};

/// The side of a cell.
const CELL: f64 = 40.0;

/// The block of a term, and its captions. With `sides`, the cells of a grid are labelled along its sides.
pub fn block(term: &TermFigure, sides: bool) -> (Block, Vec<String>) {
    let mut block = Block::default();
    match &term.board {
        BoardFigure::Cells {
            rows,
            columns,
            strip,
            cells,
            taken,
        } => {
            // Removed cells are not walls.
            let mut cells = cells.clone();
            for c in taken.iter().flat_map(|t| &t.cells) {
                if let Some(cell) = cells.get_mut(*c) {
                    cell.wall = false;
                }
            }
            let cells = &cells;
            grid(&mut block, (*rows, *columns), *strip, cells, sides);
            for t in taken {
                piece_of(&mut block, t, *columns, cells);
            }
        }
        BoardFigure::Heaps { heaps, entailed } => heaps::heaps(&mut block, heaps, entailed),
        BoardFigure::Graph {
            graph: kind,
            root,
            nodes,
            lines,
        } => graph::graph(&mut block, *kind, *root, nodes, lines),
        BoardFigure::Nothing => {
            block.size = (8.0, 8.0);
        }
    }
    if block.items.is_empty() && !matches!(term.board, BoardFigure::Nothing) {
        block.text((20.0, 16.0), "nothing", 12.0, Ink::Faint, Anchor::Middle);
        block.size = (60.0, 30.0);
    }
    (block, term.captions.clone())
}

/// The text of a mark: its name, preceded by the count.
pub fn mark_text(mark: &Mark) -> String {
    match &mark.count {
        Some(n) => format!("{n}{}", mark.glyph),
        None => mark.glyph.clone(),
    }
}

/// Draws pieces, notes and tokens around a point, within a radius.
pub fn spot(block: &mut Block, at: Point, radius: f64, spot: &Spot) {
    for _ in &spot.tokens {
        block.items.push(Item::Piece {
            form: Form::Disc,
            at,
            radius: radius + 4.0,
            fill: Ink::None,
            border: Ink::Line,
        });
    }
    let count = spot.marks.len();
    for (i, mark) in spot.marks.iter().enumerate() {
        // Several pieces stand in a row.
        let (r, x) = if count == 1 {
            (radius, at.0)
        } else {
            let r = (radius * 1.6 / count as f64).clamp(5.0, radius);
            (r, at.0 + (i as f64 - (count as f64 - 1.0) / 2.0) * 2.1 * r)
        };
        block.items.push(Item::Piece {
            form: form(mark.owner),
            at: (x, at.1),
            radius: r,
            fill: Ink::Owner(mark.owner),
            border: Ink::Line,
        });
        let text = mark_text(mark);
        let size = (1.9 * r / (text.chars().count().max(1) as f64 * 0.62)).min(r * 1.15);
        // The centre of a triangle is lower.
        let y = if form(mark.owner) == Form::Polygon(3) {
            at.1 + r * 0.15
        } else {
            at.1
        };
        block.text((x, y), text, size, Ink::On(mark.owner), Anchor::Middle);
    }
}

/// The space above and to the left of a grid.
const MARGIN: f64 = 18.0;

/// The upper left corner of a cell.
fn corner(row: u32, column: u32) -> Point {
    (
        MARGIN + f64::from(column) * CELL,
        MARGIN + f64::from(row) * CELL,
    )
}

/// Draws the cells taken in one move in the mover's colour, with the mover's shape on each cell; adjacent cells are joined (a
/// domino, for example).
fn piece_of(block: &mut Block, taken: &Taken, columns: u32, cells: &[Cell]) {
    const INSET: f64 = 5.0;
    let columns = (columns as usize).max(1);
    let at = |c: usize| {
        let part = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        corner(part(c / columns), part(c % columns))
    };
    let mut field = |from: usize, to: usize, border: Ink| {
        let (a, b) = (at(from), at(to));
        block.items.push(Item::Rectangle {
            at: (a.0 + INSET, a.1 + INSET),
            size: (
                b.0 - a.0 + CELL - 2.0 * INSET,
                b.1 - a.1 + CELL - 2.0 * INSET,
            ),
            fill: Ink::Owner(taken.owner),
            border,
        });
    };
    let here = |c: usize| taken.cells.contains(&c);
    let own = taken.cells.iter().copied().filter(|c| *c < cells.len());
    for c in own.clone() {
        field(c, c, Ink::Line);
    }
    // Adjacent cells are joined.
    for c in own.clone() {
        if c % columns + 1 < columns && here(c + 1) {
            field(c, c + 1, Ink::None);
        }
        if here(c + columns) {
            field(c, c + columns, Ink::None);
        }
    }
    for c in own {
        let (x, y) = at(c);
        block.items.push(Item::Piece {
            form: form(taken.owner),
            at: (x + CELL / 2.0, y + CELL / 2.0),
            radius: 7.0,
            fill: Ink::Paper,
            border: Ink::Line,
        });
    }
}

/// The size of a text, at most `size`, at which it fits into a cell.
fn fitting(text: &str, size: f64) -> f64 {
    size.min(CELL / (text.chars().count().max(1) as f64 * 0.62))
}

/// Writes the values on a cell with the given corner: in its middle, or below its piece. Values with names stand one
/// below the other.
fn notes(block: &mut Block, (x, y): Point, spot: &Spot) {
    let middle = x + CELL / 2.0;
    if !spot.marks.is_empty() && !spot.notes.is_empty() {
        let text = spot.notes.join(" ");
        let size = fitting(&text, 10.0);
        block.text(
            (middle, y + CELL - 6.0),
            text,
            size,
            Ink::Line,
            Anchor::Middle,
        );
        return;
    }
    let step = CELL / (spot.notes.len() as f64 + 1.0);
    for (i, text) in spot.notes.iter().enumerate() {
        let size = fitting(text, 15.0).min(step);
        let at = (middle, y + step * (i as f64 + 1.0));
        block.text(at, text, size, Ink::Line, Anchor::Middle);
    }
}

fn grid(block: &mut Block, (rows, columns): (u32, u32), strip: bool, cells: &[Cell], sides: bool) {
    let mut tokens = cells.iter().flat_map(|c| &c.spot.tokens);
    let first = tokens.next();
    let several = tokens.any(|t| Some(t) != first);
    for r in 0..rows {
        for c in 0..columns {
            let Some(cell) = cells.get((r * columns + c) as usize) else {
                continue;
            };
            let (x, y) = corner(r, c);
            block.items.push(Item::Rectangle {
                at: (x, y),
                size: (CELL, CELL),
                fill: if cell.wall { Ink::Wall } else { Ink::Paper },
                border: Ink::Line,
            });
            let middle = (x + CELL / 2.0, y + CELL / 2.0);
            block.target(Of::Cell((r * columns + c) as usize), middle, (CELL, CELL));
            if cell.wall {
                // Hatched, to distinguish it from a dark piece.
                for (a, b) in [
                    ((0.0, 0.5), (0.5, 0.0)),
                    ((0.0, 1.0), (1.0, 0.0)),
                    ((0.5, 1.0), (1.0, 0.5)),
                ] {
                    let to = |p: Point| (x + p.0 * CELL, y + p.1 * CELL);
                    block.items.push(plain(to(a), to(b), Ink::Paper, 1.0));
                }
            }
            spot(block, middle, CELL * 0.34, &cell.spot);
            notes(block, (x, y), &cell.spot);
            if several && !cell.spot.tokens.is_empty() {
                // One token is a ring; several have their names, too.
                let text = cell.spot.tokens.join(" ");
                let size = fitting(&text, 10.0);
                block.text((middle.0, y + 6.0), text, size, Ink::Line, Anchor::Middle);
            }
        }
    }
    let end = corner(rows, columns);
    block.size = (end.0 + 4.0, end.1 + 4.0);
    if !sides {
        return;
    }
    let size = 10.0;
    for c in 0..columns {
        let at = (corner(0, c).0 + CELL / 2.0, MARGIN - 9.0);
        block.text(at, (c + 1).to_string(), size, Ink::Faint, Anchor::Middle);
    }
    if !strip {
        for r in 0..rows {
            let at = (MARGIN - 5.0, corner(r, 0).1 + CELL / 2.0);
            block.text(at, (r + 1).to_string(), size, Ink::Faint, Anchor::End);
        }
    }
}
