//! The ruleset files beside this package, as one table. This is a separate package so that changing a ruleset rebuilds
//! only this package and the front ends.

/// The path of each file below `rulesets/`, with slashes, and its text; ordered by path.
pub static TABLE: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/shipped.rs"));
