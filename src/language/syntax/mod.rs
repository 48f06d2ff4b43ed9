//! Text to the syntax tree [`ast::File`] and [`crate::diagnostic::Diagnostic`]s, and back to text. Parsing never fails:
//! broken items are reported and left out, the others are read.
//!
//! `lexer` (logos) cuts the text into tokens and items, `parser` (pest) reads each item, `ast` is the tree, `printer`
//! writes it back, and `names` renames inside a tree.

pub mod ast;
pub mod format;
pub mod lexer;
pub mod names;
mod parser;
pub mod printer;

pub(crate) use parser::conditions_with_sides;
pub use parser::{
    MAX_BRACKETS, MAX_DEPTH, parse_conditions, parse_entries, parse_expression, parse_file,
    parse_file_while, parse_typed,
};

#[cfg(test)]
mod tests;
