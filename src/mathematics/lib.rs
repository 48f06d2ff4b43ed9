//! The mathematics leg of cgdsl: values of games, and an engine that searches any game. It does not depend on the language.
//!
//! The package `cgdsl` exports these modules under the same names; import them from there.

pub mod engine;
pub mod game;
pub mod value;
pub mod verify;
