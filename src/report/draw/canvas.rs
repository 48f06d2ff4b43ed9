//! A plane of characters. Writing a text or a line reports whether it overlaps something, so that the caller can reject
//! pictures in which one thing hides another.

use crate::session::figure::Owner;

/// A character with its owner.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Glyph {
    /// The character.
    pub c: char,
    /// The owner, if any.
    pub owner: Option<Owner>,
}

impl Glyph {
    /// A blank without owner.
    pub const BLANK: Glyph = Glyph {
        c: ' ',
        owner: None,
    };
}

/// A line of characters.
pub type Row = Vec<Glyph>;

/// A text without owner.
pub fn row(text: &str) -> Row {
    text.chars().map(|c| Glyph { c, owner: None }).collect()
}

/// A column and a row of the plane.
pub type Spot = (i64, i64);

/// What occupies a place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Owned {
    /// The text of this number.
    Text(usize),
    /// The line of this number.
    Line(usize),
}

/// The plane.
pub struct Canvas {
    rows: Vec<Vec<(Glyph, Option<Owned>)>>,
    /// The number of places where one line crosses another.
    pub crossed: usize,
}

impl Canvas {
    /// An empty plane.
    pub fn new(width: usize, height: usize) -> Canvas {
        Canvas {
            rows: vec![vec![(Glyph::BLANK, None); width]; height],
            crossed: 0,
        }
    }

    fn cell(&mut self, (x, y): Spot) -> Option<&mut (Glyph, Option<Owned>)> {
        let (x, y) = (usize::try_from(x).ok()?, usize::try_from(y).ok()?);
        self.rows.get_mut(y)?.get_mut(x)
    }

    /// Puts a character, whatever is there.
    pub fn put(&mut self, at: Spot, glyph: Glyph) {
        if let Some(cell) = self.cell(at) {
            cell.0 = glyph;
        }
    }

    /// Writes a text. Returns whether no other text is there or adjacent to it.
    pub fn write(&mut self, (x, y): Spot, text: &[Glyph], number: usize) -> bool {
        let mut free = true;
        let last = i64::try_from(text.len()).unwrap_or(i64::MAX);
        for k in -1..=last {
            let glyph = usize::try_from(k).ok().and_then(|k| text.get(k));
            let Some(cell) = self.cell((x + k, y)) else {
                continue;
            };
            free &= !matches!(cell.1, Some(Owned::Text(n)) if n != number);
            if let Some(glyph) = glyph {
                *cell = (*glyph, Some(Owned::Text(number)));
            }
        }
        free
    }

    /// Draws a line between two texts, without its end points. Returns whether it crosses no other text, and other lines hide
    /// at most half of it.
    pub fn line(&mut self, from: Spot, to: Spot, number: usize, ends: [usize; 2]) -> bool {
        let mut free = true;
        let (mut shown, mut hidden) = (0, 0);
        for (at, c) in steps(from, to) {
            let crossed = {
                let Some(cell) = self.cell(at) else { continue };
                match cell.1 {
                    Some(Owned::Text(n)) => {
                        free &= ends.contains(&n);
                        continue;
                    }
                    Some(Owned::Line(n)) if n != number => true,
                    _ => {
                        *cell = (Glyph { c, owner: None }, Some(Owned::Line(number)));
                        false
                    }
                }
            };
            match crossed {
                true => hidden += 1,
                false => shown += 1,
            }
        }
        self.crossed += hidden;
        free && hidden <= shown
    }

    /// The rows.
    pub fn rows(self) -> Vec<Row> {
        self.rows
            .into_iter()
            .map(|r| r.into_iter().map(|(g, _)| g).collect())
            .collect()
    }
}

/// The characters of a line without its end points: steep lines have one in each row, flat lines one in each column.
pub fn steps((x0, y0): Spot, (x1, y1): Spot) -> Vec<(Spot, char)> {
    let (dx, dy) = (x1 - x0, y1 - y0);
    let flat = dx.abs() > 3 * dy.abs();
    let steps = if flat { dx.abs() } else { dy.abs() };
    // Rounds to the nearest integer, halves away from zero.
    let part = |d: i64, k: i64| (2 * d * k + d.signum() * steps) / (2 * steps);
    let mut all = Vec::new();
    for k in 1..steps {
        let at = (x0 + part(dx, k), y0 + part(dy, k));
        let c = if dy == 0 {
            '-'
        } else if flat {
            // Next to a change of row, `'` joins the row above and `.` the row below.
            let (before, after) = (y0 + part(dy, k - 1), y0 + part(dy, k + 1));
            if before < at.1 || after < at.1 {
                '\''
            } else if after > at.1 || before > at.1 {
                '.'
            } else {
                '-'
            }
        } else if 2 * dx.abs() <= dy.abs() {
            '|'
        } else if (dx > 0) == (dy > 0) {
            '\\'
        } else {
            '/'
        };
        all.push((at, c));
    }
    all
}
