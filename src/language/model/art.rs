//! Text art: parses the text of a drawn board into rows and the glyphs on its cells. `|` or a newline ends a row; blanks
//! inside a row are ignored. `.` is an empty cell, `#` a wall, any other character the piece of that name.

use super::checker::Checker;
use super::error;
use super::typed::Ruleset;
use crate::base::Span;
use crate::diagnostic::{Code, Diagnostic};
use std::sync::Arc;

/// A board as drawn.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Art {
    /// The number of rows.
    pub rows: u32,
    /// The number of cells in each row.
    pub columns: u32,
    /// The glyphs on its cells, row by row, without empty cells.
    pub glyphs: Vec<Glyph>,
}

/// The glyph on a cell of a drawing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Glyph {
    /// Its cell, counted row by row from 0.
    pub cell: u32,
    /// The name of a piece, or `#`.
    pub name: Arc<str>,
    /// Where it stands.
    pub span: Span,
}

/// A drawing that is not a board.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NoBoard {
    /// `E0310`: the rows are ambiguous or have different lengths; `E0312`: too many rows.
    pub code: Code,
    /// Where.
    pub span: Span,
    /// What is wrong.
    pub message: String,
    /// What to do.
    pub help: Option<&'static str>,
}

/// Reads a drawing at `span`; `one_row` if it must be a strip.
///
/// # Errors
/// A ragged row, a tab, more than one row for a strip.
pub fn read(text: &str, one_row: bool, span: Span) -> Result<Art, NoBoard> {
    // Where the text begins inside the span: after one or three quotes, if nothing is escaped.
    let width = (span.end - span.start) as usize;
    let offset = match width.checked_sub(text.len()) {
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
    for (at, c) in text.char_indices() {
        match c {
            '|' | '\n' => rows.push((at + 1, Vec::new())),
            '\t' => {
                return Err(NoBoard {
                    code: Code::E0310,
                    span: place(at, at + 1),
                    message: "a tab in a drawing: nobody can see how wide it is".to_owned(),
                    help: Some("use blanks"),
                });
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
            return Err(NoBoard {
                code: Code::E0310,
                span: place(start, end.max(start)),
                message: format!(
                    "row {} has {}, row 1 has {columns}",
                    i + 1,
                    error::count(row.len(), "cell")
                ),
                help: Some(
                    "every row of a grid has the same number of cells; # is a cell that is not there",
                ),
            });
        }
    }
    if one_row && rows.len() > 1 {
        return Err(NoBoard {
            code: Code::E0312,
            span,
            message: format!("a strip has one row, here are {}", rows.len()),
            help: None,
        });
    }
    let number = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
    let mut glyphs = Vec::new();
    let mut names: Vec<(char, Arc<str>)> = Vec::new();
    let mut buffer = [0u8; 4];
    for (i, (_, row)) in rows.iter().enumerate() {
        for (j, (at, c)) in row.iter().enumerate().filter(|(_, (_, c))| *c != '.') {
            let name = match names.iter().find(|(g, _)| g == c) {
                Some((_, name)) => name.clone(),
                None => {
                    let name: Arc<str> = (&*c.encode_utf8(&mut buffer)).into();
                    names.push((*c, name.clone()));
                    name
                }
            };
            glyphs.push(Glyph {
                cell: number(i * columns + j),
                name,
                span: place(*at, at + c.len_utf8()),
            });
        }
    }
    Ok(Art {
        rows: number(rows.len()),
        columns: number(columns),
        glyphs,
    })
}

impl Checker<'_> {
    /// A drawn board; reports invalid drawings, and glyphs that are not pieces of the ruleset, if it is known.
    pub(super) fn art(
        &mut self,
        text: &str,
        one_row: bool,
        rules: Option<&Arc<Ruleset>>,
        span: Span,
    ) -> Option<Art> {
        match read(text, one_row, span) {
            Ok(art) => {
                if let Some(rules) = rules {
                    self.glyphs_are_pieces(&art, rules);
                }
                Some(art)
            }
            Err(e) => {
                let help = e.help.map(str::to_owned);
                let d = Diagnostic::error(e.code, e.message).at(e.span, "");
                self.report(d.help_if(help));
                None
            }
        }
    }

    /// Reports each glyph that is not a piece, once.
    fn glyphs_are_pieces(&mut self, art: &Art, rules: &Ruleset) {
        let mut unknown: Vec<&Glyph> = Vec::new();
        for glyph in &art.glyphs {
            let known = match &rules.pieces_range {
                // The number of pieces depends on the parameters.
                Some(_) => glyph.name.chars().all(|c| c.is_ascii_digit()),
                None => rules.pieces.iter().any(|p| p.name == glyph.name),
            };
            let seen = || unknown.iter().any(|g| g.name == glyph.name);
            if &*glyph.name != "#" && !known && !seen() {
                unknown.push(glyph);
            }
        }
        let names: Vec<&str> = rules.pieces.iter().map(|p| &*p.name).collect();
        for glyph in unknown {
            let message = format!("{} is not a piece of {}", glyph.name, rules.name);
            let d = Diagnostic::error(Code::E0311, message).at(glyph.span, "");
            self.report(if rules.pieces_range.is_some() {
                d.help("its pieces are the numbers of its players; `.` is an empty cell, `#` a wall")
            } else if names.is_empty() {
                d.help("it has no pieces: `.` is an empty cell, `#` a wall, and an empty board is `grid(3, 4)`")
            } else {
                d.help(format!(
                    "its pieces are {}; `.` is an empty cell, `#` a wall",
                    names.join(", ")
                ))
            });
        }
    }
}
