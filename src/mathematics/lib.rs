//! The mathematics leg of cgdsl: values, games and the engine that searches any game. It knows no language.
//!
//! The package `cgdsl` exports these modules under the same names; use that.

pub mod engine;
pub mod game;
pub mod value;
pub mod verify;
