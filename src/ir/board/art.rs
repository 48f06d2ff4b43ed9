//! Turns a drawn board, read by `model`, into a board of cells with marks.

use super::{Board, Mark, Place};
use crate::base::Span;
use crate::diagnostic::Code as Message;
use crate::fault::{Code, Fault, Res};
use crate::model::art::{self, Art};
use crate::model::typed::BoardKind;

/// The board of a drawing: a strip if `kind` is a strip and the drawing has at most one row, else a grid.
///
/// # Errors
/// Too many cells.
pub fn board(art: &Art, kind: BoardKind, span: Span) -> Res<Board> {
    let kind = match kind {
        BoardKind::Strip if art.rows <= 1 => BoardKind::Strip,
        _ => BoardKind::Grid,
    };
    let mut board = Board::cells(kind, art.rows, art.columns, span)?;
    board.marks.extend(art.glyphs.iter().map(|g| Mark {
        place: Place::Site(g.cell),
        glyph: g.name.clone(),
        count: None,
        span: g.span,
    }));
    Ok(board)
}

/// Reads a board from a text that stands at `span`.
///
/// # Errors
/// A ragged row, a tab, more than one row for a strip, too many cells.
pub fn parse(text: &str, kind: BoardKind, span: Span) -> Res<Board> {
    board(&read(text, kind, span)?, kind, span)
}

/// Reads a board from a text that is the value of the expression at `span`. All its places are this one.
///
/// # Errors
/// As [`parse`].
pub fn named(text: &str, kind: BoardKind, span: Span) -> Res<Board> {
    let art = read(text, kind, span).map_err(|mut fault| {
        fault.span = span;
        fault
    });
    let mut art = art?;
    art.glyphs.iter_mut().for_each(|g| g.span = span);
    board(&art, kind, span)
}

fn read(text: &str, kind: BoardKind, span: Span) -> Res<Art> {
    art::read(text, kind.is_row(), span).map_err(|e| {
        let code = match e.code {
            Message::E0310 => Code::RaggedRow,
            _ => Code::Board,
        };
        let fault = Fault::new(code, e.span, e.message);
        match e.help {
            Some(help) => fault.help(help),
            None => fault,
        }
    })
}
