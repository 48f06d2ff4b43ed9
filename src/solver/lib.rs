//! Connects the two legs of cgdsl: models become machines, and the engine answers queries about them. The engine is generic
//! and is instantiated here for all searches of rulesets, so only this package must be compiled for speed.
//!
//! Users import these modules from the package `cgdsl`, which exports them under the same names.

pub mod claim;
pub mod machine;

use cgdsl_ir as ir;
use cgdsl_language::{base, diagnostic, model};
use cgdsl_mathematics::{engine, game, value, verify};
