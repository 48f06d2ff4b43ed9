//! What `search --keep` has written, on any bytes.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    cgdsl::cli::kept_reads(bytes);
});
