//! Witnesses, kept sequences, saved games and stores of values on any bytes.
#![no_main]

#[path = "../../tests/properties/readers.rs"]
mod properties;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    properties::bytes_read(bytes);
});
