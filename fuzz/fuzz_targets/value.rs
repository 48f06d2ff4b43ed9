//! The reader of values on any text.
#![no_main]

#[path = "../../tests/properties/meaning.rs"]
#[allow(dead_code)]
mod properties;

libfuzzer_sys::fuzz_target!(|text: &str| {
    if properties::is_small(text) {
        properties::value_reads(text);
    }
});
