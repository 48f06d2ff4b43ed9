//! cgdsl: a declarative language for the rulesets of combinatorial games, and the engine that evaluates them.
//!
//! Two legs meet at one trait, [`game::Game`]: the language leg turns text into positions with moves, the
//! mathematics leg ([`value`], [`game`], [`engine`]) turns positions with moves into values.
//! See `ARCHITECTURE.md` for the pipeline and the type on each of its arrows.

pub use cgdsl_mathematics::{engine, game, value, verify};

#[cfg(feature = "language")]
pub use cgdsl_language::{base, diagnostic, index, model, syntax};
#[cfg(feature = "language")]
pub use cgdsl_solver::{claim, ir, machine};

#[cfg(feature = "language")]
pub mod report;
#[cfg(feature = "language")]
pub mod session;

#[cfg(feature = "cli")]
pub mod cli;
#[cfg(feature = "cli")]
pub mod lsp;
