//! The language leg of cgdsl: turns source text into a checked model or diagnostics. Nothing here is evaluated.
//!
//! The package `cgdsl` exports these modules under the same names; use that.

pub mod base;
pub mod diagnostic;
pub mod index;
pub mod model;
pub mod syntax;
