//! The reader of values on any text.
#![no_main]

#[path = "../../tests/properties/meaning.rs"]
#[allow(dead_code)]
mod properties;

libfuzzer_sys::fuzz_target!(|text: &str| {
    // A sum with *2221 has millions of options to compare: right, but slow.
    if text.split(|c: char| !c.is_ascii_digit()).all(|n| n.len() <= 2) {
        properties::value_reads(text);
    }
});
