//! The formatter on any text.
#![no_main]

#[path = "../../tests/properties/syntax.rs"]
#[allow(dead_code)]
mod properties;

libfuzzer_sys::fuzz_target!(|text: &str| properties::layout_keeps(text));
