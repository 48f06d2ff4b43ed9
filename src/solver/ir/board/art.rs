//! Text art: rows of glyphs, ended by `|` or a newline; blanks inside a row are ignored. `.` is an empty cell, `#` a
//! wall, any other character the piece of that name.

use super::{Board, Mark, Place};
use crate::base::Span;
use crate::ir::fault::{Code, Fault, Res};
use crate::model::typed::BoardKind;
use std::sync::Arc;

/// A grid from art; a strip if it has one row and a strip is asked for.
///
/// # Errors
/// A ragged row, a tab, more than one row for a strip.
pub fn parse(art: &str, kind: BoardKind, span: Span) -> Res<Board> {
    // Where the text starts inside the span: after one or three quotes, if nothing is escaped.
    let width = (span.end - span.start) as usize;
    let offset = match width.checked_sub(art.len()) {
        Some(2) => Some(1),
        Some(6) => Some(3),
        _ => None,
    };
    let place = |from: usize, to: usize| match offset {
        Some(o) => Span::new(
            span.file,
            span.start as usize + o + from,
            span.start as usize + o + to,
        ),
        None => span,
    };
    let mut rows: Vec<(usize, Vec<(usize, char)>)> = vec![(0, Vec::new())];
    for (at, c) in art.char_indices() {
        match c {
            '|' | '\n' => rows.push((at + 1, Vec::new())),
            '\t' => {
                return Err(Fault::new(
                    Code::RaggedRow,
                    place(at, at + 1),
                    "a tab in a drawing: nobody can see how wide it is",
                )
                .help("use blanks"));
            }
            c if c.is_whitespace() => {}
            c => {
                if let Some(row) = rows.last_mut() {
                    row.1.push((at, c));
                }
            }
        }
    }
    while rows.len() > 1 && rows.last().is_some_and(|r| r.1.is_empty()) {
        rows.pop();
    }
    let lead = rows.iter().take_while(|r| r.1.is_empty()).count();
    rows.drain(..lead.min(rows.len()));
    let columns = rows.first().map_or(0, |r| r.1.len());
    for (i, (start, row)) in rows.iter().enumerate() {
        if row.len() != columns {
            let end = row.last().map_or(*start, |(at, c)| at + c.len_utf8());
            let start = row.first().map_or(*start, |(at, _)| *at);
            return Err(Fault::new(
                Code::RaggedRow,
                place(start, end.max(start)),
                format!("row {} has {} cells, row 1 has {columns}", i + 1, row.len()),
            )
            .help(
                "every row of a grid has the same number of cells; # is a cell that is not there",
            ));
        }
    }
    let number = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
    let kind = match kind {
        BoardKind::Strip if rows.len() <= 1 => BoardKind::Strip,
        BoardKind::Strip => {
            return Err(Fault::new(
                Code::Board,
                span,
                format!("a strip has one row, here are {}", rows.len()),
            ));
        }
        _ => BoardKind::Grid,
    };
    let mut board = Board::cells(kind, number(rows.len()), number(columns), span)?;
    let mut glyphs: Vec<(char, Arc<str>)> = Vec::new();
    let mut buffer = [0u8; 4];
    for (i, (_, row)) in rows.iter().enumerate() {
        for (j, (at, c)) in row.iter().enumerate().filter(|(_, (_, c))| *c != '.') {
            let glyph = match glyphs.iter().find(|(g, _)| g == c) {
                Some((_, name)) => name.clone(),
                None => {
                    let name: Arc<str> = (&*c.encode_utf8(&mut buffer)).into();
                    glyphs.push((*c, name.clone()));
                    name
                }
            };
            board.marks.push(Mark {
                place: Place::Site(number(i * columns + j)),
                glyph,
                count: None,
                span: place(*at, at + c.len_utf8()),
            });
        }
    }
    Ok(board)
}
