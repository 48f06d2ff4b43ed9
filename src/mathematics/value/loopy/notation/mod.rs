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
//! | `a{0\|\|\|\|0\|\|\|a\|*\|\|*}` | a game with the label a, which is valid within the text, and moves back to it |
//!
//! Everything else is written as for short games: sums, braces, bars of different lengths. [`read`] reads what [`print()`]
//! writes.

mod print;
mod read;

pub use print::{label, print, print_name};
pub use read::{is_loopy, read};

/// Whether the text is a label of a vertex: a letter, then perhaps digits. `v` is not a label, since it means down.
fn is_label(text: &str) -> bool {
    let mut chars = text.chars();
    let letter = chars
        .next()
        .is_some_and(|c| c.is_ascii_lowercase() && c != 'v');
    letter && chars.all(|c| c.is_ascii_digit()) && text.len() <= 4
}
