//! The compiled machine against the plain evaluator, on rulesets whose choices the bytes spell out.
#![no_main]

#[path = "../../tests/common/random_rules/mod.rs"]
mod random_rules;
#[path = "../../tests/common/soak/mod.rs"]
mod soak_support;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| soak_support::of_bytes(bytes));
