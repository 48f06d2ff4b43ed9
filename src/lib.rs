//! cgdsl: a declarative language for the rulesets of combinatorial games, and the engine that evaluates them.
//!
//! Two legs meet at one trait, [`game::Game`]: the language leg turns text into positions with moves, the
//! mathematics leg ([`value`], [`game`], [`engine`]) turns positions with moves into values.
//! See `ARCHITECTURE.md` for the pipeline and the type on each of its arrows.

pub mod engine;
pub mod game;
pub mod value;
pub mod verify;

#[cfg(feature = "language")]
pub mod base;
#[cfg(feature = "language")]
pub mod claim;
#[cfg(feature = "language")]
pub mod diagnostic;
#[cfg(feature = "language")]
pub mod ir;
#[cfg(feature = "language")]
pub mod machine;
#[cfg(feature = "language")]
pub mod model;
#[cfg(feature = "language")]
pub mod report;
#[cfg(feature = "language")]
pub mod session;
#[cfg(feature = "language")]
pub mod syntax;

#[cfg(feature = "cli")]
pub mod cli;
