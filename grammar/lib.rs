//! Parses the text of an item into the pairs of `cgdsl.pest`. `GRAMMAR.md` explains the language to readers of games;
//! `syntax::parser`, the only user of this package, turns the pairs into syntax trees.
//!
//! This is a separate package because the derived parser takes long to compile and seldom changes.
#![allow(missing_docs, reason = "the rules are documented in cgdsl.pest")]

pub use pest;

/// The parser derived from the grammar.
#[derive(pest_derive::Parser)]
#[grammar = "cgdsl.pest"]
pub struct Grammar;

/// The text of the grammar.
pub const TEXT: &str = include_str!("cgdsl.pest");
