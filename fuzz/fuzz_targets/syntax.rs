//! Lexer, parser, printer and diagnostics on any text.
#![no_main]

#[path = "../../tests/properties/syntax.rs"]
#[allow(dead_code)]
mod properties;

libfuzzer_sys::fuzz_target!(|text: &str| {
    properties::tokens_cover(text);
    properties::file_reads(text);
    properties::pieces_read(text);
});
