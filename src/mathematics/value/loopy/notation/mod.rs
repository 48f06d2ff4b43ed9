//! Loopy values as text.
//!
//! | text | value |
//! |---|---|
//! | `on off over under upon dud tis tisn` | the values of [`Name`](super::Name) |
//! | `1over`, `-upon*` | 1 + over, − upon + * |
//! | `^[on]`, `v[on]` | upon and its negative |
//! | `^<on>` | `{0\|v[on]*}` |
//! | `x & y` | the value whose onside is that of x and whose offside is that of y |
//! | `{0\|pass}` | a game with a move to itself |
//! | `a{0\|\|\|\|0\|\|\|a\|*\|\|*}` | a game that is called a within the text, and moves to it |
//!
//! All else is written as short games are, in sums, in braces and between bars of different lengths. What [`print()`] writes, [`read`] reads.

mod print;
mod read;

pub use print::{label, print, print_name};
pub use read::{is_loopy, read};

/// A letter that can name a vertex; `v` is down.
fn is_label(text: &str) -> bool {
    let mut chars = text.chars();
    let letter = chars
        .next()
        .is_some_and(|c| c.is_ascii_lowercase() && c != 'v');
    letter && chars.all(|c| c.is_ascii_digit()) && text.len() <= 4
}
