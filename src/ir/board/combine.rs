//! Combines boards: side by side (`P + Q`, `n * P`), one above the other (`P / Q`), and with a piece on every free site
//! (`B:x`).

use super::{Board, Builder, MAX_LINES, Mark, Place};
use crate::base::Span;
use crate::fault::{Code, Fault, Res};

use std::sync::Arc;

/// `P + Q`: the boards side by side, sharing the root if both have one. Heaps are concatenated.
///
/// # Errors
/// Boards of different kinds; grids and strips; too many sites.
pub fn beside(p: &Board, q: &Board, span: Span) -> Res<Board> {
    same_kind(p, q, span)?;
    if p.kind.has_heaps() {
        let mut board = p.clone();
        board.take_heaps(q);
        return Ok(board);
    }
    let mut b = Builder::new(p.kind, span);
    b.glue(p)?;
    b.glue(q)?;
    Ok(b.finish())
}

/// `n * P`: n copies side by side that share the root.
///
/// # Errors
/// Grids and strips; too many sites.
pub fn copies(n: usize, board: &Board, span: Span) -> Res<Board> {
    same_kind(board, board, span)?;
    let size = board.sites() + board.heaps.len() + board.lines.len();
    if n.saturating_mul(size) > MAX_LINES {
        return Err(Fault::new(
            Code::TooMuch,
            span,
            format!("{n} copies of a board of {} sites", board.sites()),
        ));
    }
    if board.kind.has_heaps() {
        let mut all = Board::empty(board.kind);
        for _ in 0..if size == 0 { 0 } else { n } {
            all.take_heaps(board);
        }
        return Ok(all);
    }
    let mut b = Builder::new(board.kind, span);
    // Any number of copies of an empty board is empty.
    for _ in 0..if size == 0 { 0 } else { n } {
        b.glue(board)?;
    }
    Ok(b.finish())
}

/// `P / Q` of posets: everything of P above everything of Q.
///
/// # Errors
/// Boards that are no posets; too many relations.
pub fn over(p: &Board, q: &Board, span: Span) -> Res<Board> {
    same_kind(p, q, span)?;
    if !p.kind.is_order() {
        return Err(Fault::new(
            Code::Board,
            span,
            format!(
                "only posets are put above each other, these are {}",
                Board::kind_name(p.kind)
            ),
        ));
    }
    let mut b = Builder::new(p.kind, span);
    let low = b.glue(q)?;
    let high = b.glue(p)?;
    let (tops, _) = q.extremes();
    let (_, bottoms) = p.extremes();
    for t in &tops {
        for s in &bottoms {
            b.line(low[*t as usize], high[*s as usize])?;
        }
    }
    Ok(b.finish())
}

/// `B:x`: the piece on every site without one, except the root.
#[must_use]
pub fn place(board: &Board, glyph: &str, span: Span) -> Board {
    let mut taken = vec![false; board.sites()];
    for m in &board.marks {
        if let Place::Site(s) = m.place {
            taken[s as usize] = true;
        }
    }
    let glyph: Arc<str> = glyph.into();
    let mut board = board.clone();
    for (s, taken) in (0u32..).zip(taken) {
        if !taken && board.root != Some(s) {
            board.marks.push(Mark {
                place: Place::Site(s),
                glyph: glyph.clone(),
                count: None,
                span,
            });
        }
    }
    board
}

fn same_kind(p: &Board, q: &Board, span: Span) -> Res<()> {
    if p.has_cells() || q.has_cells() {
        return Err(
            Fault::new(Code::Board, span, "grids and strips are not put together")
                .help("a sum of positions is written G + H; a larger grid is written as art"),
        );
    }
    if p.kind == q.kind {
        return Ok(());
    }
    Err(Fault::new(
        Code::Board,
        span,
        format!(
            "boards of different kinds are not put together: {} and {}",
            Board::kind_name(p.kind),
            Board::kind_name(q.kind)
        ),
    ))
}
