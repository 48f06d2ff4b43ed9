//! The checker on any text.
#![no_main]

#[path = "../../tests/properties/meaning.rs"]
#[allow(dead_code)]
mod properties;

libfuzzer_sys::fuzz_target!(|text: &str| {
    properties::checks(text);
});
