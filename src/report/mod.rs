//! Prints plain data (cards, verdicts, tables, diagnostics) as text for terminals and as JSON. Nothing here asks an engine:
//! only what is in the data is printed.

mod brief;
pub mod changed;
pub mod differences;
pub mod draw;
mod hasse;
pub mod idempotents;
mod json;
pub mod lattice;
pub mod map;
pub mod paper;
pub mod reference;
mod rows;
pub mod sheet;
pub mod table;
mod text;
mod why;
pub mod wrap;

pub use brief::{brief, name};
pub use hasse::{hasse_dot, hasse_scene};
pub use json::{Document, Items, Summary};
pub use text::{Look, born, derived, item, loopy_value, moves, summary, value};
pub use why::{hints, sentence, why, why_short};
