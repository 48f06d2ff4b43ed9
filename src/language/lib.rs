//! The front of the language leg of cgdsl: text comes in, a checked model or messages go out. Nothing here is evaluated.
//!
//! The package `cgdsl` exports these modules under the same names; use that.

pub mod base;
pub mod diagnostic;
pub mod index;
pub mod model;
pub mod syntax;
