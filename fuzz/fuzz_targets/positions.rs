//! Positions of every shipped ruleset on any text.
#![no_main]

#[path = "../../tests/properties/positions.rs"]
mod properties;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    properties::position_reads(bytes);
});
