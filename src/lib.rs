//! cgdsl: a declarative language for the rulesets of combinatorial games, and the engine that evaluates them.
//!
//! The language half turns text into positions with moves; the mathematics half ([`value`], [`game`], [`engine`]) turns
//! positions with moves into values. They share one trait, [`game::Game`]. `ARCHITECTURE.md` shows the pipeline and the
//! type on each arrow.

pub use cgdsl_mathematics::{engine, game, value, verify};

#[cfg(feature = "language")]
pub use cgdsl_ir as ir;
#[cfg(feature = "language")]
pub use cgdsl_language::{base, diagnostic, index, model, syntax};
#[cfg(feature = "language")]
pub use cgdsl_solver::{claim, machine};

#[cfg(feature = "language")]
pub mod report;
#[cfg(feature = "language")]
pub mod session;

#[cfg(feature = "cli")]
pub mod cli;
#[cfg(feature = "cli")]
pub mod lsp;
