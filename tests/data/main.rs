//! Tests that are data: marked files with the messages they must give (`ui:`), the queries of every shipped ruleset
//! (`rulesets:`), and the commands that the documents show (`readme:`).
//!
//! `cargo test --test data -- ui:` runs one kind; more of a name chooses further.

mod readme;
mod rulesets;
mod ui;
mod ui_support;

use libtest_mimic::{Arguments, Trial};

/// A kind of test: how its names begin, and what makes its tests.
type Kind = (&'static str, fn() -> Vec<Trial>);

const KINDS: &[Kind] = &[
    ("ui:", ui::trials),
    ("readme:", readme::trials),
    ("rulesets:", rulesets::trials),
];

fn main() {
    let arguments = Arguments::from_args();
    let filter = arguments.filter.as_deref().unwrap_or_default();
    let named = KINDS.iter().find(|(start, _)| filter.starts_with(start));
    let trials = KINDS
        .iter()
        .filter(|(start, _)| named.is_none_or(|(only, _)| only == start))
        .flat_map(|(_, trials)| trials())
        .collect();
    let conclusion = libtest_mimic::run(&arguments, trials);
    // A filtered run says nothing about the shares of all queries.
    let whole = !arguments.list && filter.is_empty() && arguments.skip.is_empty();
    if whole && let Err(short) = rulesets::shares_are_kept() {
        eprintln!("{short}");
        std::process::exit(101);
    }
    conclusion.exit();
}
