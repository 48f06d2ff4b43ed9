//! Checks every road on random rulesets. Every question is asked about every position of a text in every way, and compared
//! with the plain evaluator and the definitions; the result is the first answer that differs.
#![allow(dead_code)]

pub mod affine;
pub mod ask;
pub mod brute;
pub mod constructs;
pub mod coverage;
pub mod fates;
pub mod further;
pub mod judge;
pub mod misere_order;
pub mod mistakes;
pub mod shrink;
pub mod ways;

use judge::{Effort, Judge};

/// Judges the ruleset that the bytes encode.
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
        twice: false,
    };
    if let Err(difference) = Judge::new(effort).text(&text, &sample.marks) {
        panic!("{difference}\n{text}");
    }
}
