//! The check of every road on random rulesets: a text with positions comes in, every question is asked of every position in
//! every way, and the first answer that differs from the plain evaluator and the definitions goes out.
#![allow(dead_code)]

pub mod affine;
pub mod ask;
pub mod brute;
pub mod constructs;
pub mod coverage;
pub mod fates;
pub mod further;
pub mod judge;
pub mod mistakes;
pub mod shrink;
pub mod ways;

use judge::{Effort, Judge};

/// Judges the ruleset whose choices the bytes spell out.
///
/// # Panics
/// An answer differs.
pub fn of_bytes(bytes: &[u8]) {
    let Some(sample) = crate::random_rules::of_bytes(bytes) else {
        return;
    };
    let text = sample.file();
    let effort = Effort {
        graph: 60,
        open: 6,
        closed: 1,
        ways: 2,
        nodes: 1_000,
        time: None,
    };
    if let Err(difference) = Judge::new(effort).text(&text, &sample.marks) {
        panic!("{difference}\n{text}");
    }
}
