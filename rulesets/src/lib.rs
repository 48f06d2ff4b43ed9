//! The ruleset files beside this package, as one table. They are a package of their own, so that a changed ruleset
//! rebuilds this and the front ends only.

/// The path of each file below `rulesets/`, with slashes, and its text; ordered by path.
pub static TABLE: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/shipped.rs"));
