//! Where the two legs of cgdsl meet: models become machines, and queries are answered by running the engine on them. The
//! engine is generic; all that a search of a ruleset needs is instantiated here, so that this package alone has to be
//! compiled for speed.
//!
//! The package `cgdsl` exports these modules under the same names; use that.

pub mod claim;
pub mod ir;
pub mod machine;

use cgdsl_language::{base, diagnostic, model};
use cgdsl_mathematics::{engine, game, value, verify};
