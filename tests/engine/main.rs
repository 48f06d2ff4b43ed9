//! Values, the search for them, and sequences of heap games: all that needs no language, also with `--no-default-features`.
//! Games written by hand are tested in `examples/games.rs`.

#[path = "../oracles/loopy.rs"]
#[allow(dead_code)]
mod loopy_program;
#[path = "../common/random.rs"]
mod random;
#[path = "../common/value_support.rs"]
mod value_support;

mod affine;
mod arena;
mod compounds;
mod dense;
mod engine_random;
mod loopy;
mod loopy_brute;
mod misere;
mod sequence;
mod value_core;
mod value_invariants;
mod value_laws;
mod value_notation;
mod value_operations;
