//! The text of an item comes in; the pairs of `cgdsl.pest` go out. `GRAMMAR.md` explains the language to readers of games;
//! trees with meaning are made of the pairs in `syntax::parser`, the only user of this package.
//!
//! A package of its own, because the derived parser takes long to compile and changes seldom.
#![allow(missing_docs, reason = "the rules are documented in cgdsl.pest")]

pub use pest;

/// The parser that is derived from the grammar.
#[derive(pest_derive::Parser)]
#[grammar = "cgdsl.pest"]
pub struct Grammar;

/// The text of the grammar.
pub const TEXT: &str = include_str!("cgdsl.pest");
