//! Code for integers against the plain evaluator, where rules could be ground but are not: the same options, and the same values.

use crate::load::{load, positions, try_load};
use crate::machine_support::same_options_of;
use crate::random_rules;
use cgdsl::game::Shortcut;
use cgdsl::machine::{Machine, Settings};

#[test]
fn code_for_integers_is_the_rules() {
    let settings = Settings::default().with(&[(Shortcut::Ground, false)]);
    let (mut compared, mut read, mut compiled) = (0, 0, 0);
    let mut refused = Vec::new();
    for seed in 0..300 {
        let sample = random_rules::integers(seed);
        let text = sample.file();
        let model = match try_load(&text) {
            Ok(model) => model,
            Err(why) => {
                refused.push(format!("{seed}: {why:?}"));
                continue;
            }
        };
        for start in positions(&model) {
            read += 1;
            let counters = std::sync::Arc::default();
            let machine = Machine::with_settings(&model, &start, settings).expect("few terms");
            let _ = machine.counting_in(&counters);
            let all = counters.all();
            compiled += all
                .iter()
                .filter(|(name, n)| *name == "rules_in_integers" && *n > 0)
                .count();
            match same_options_of(&model, &start, 25, settings) {
                Ok(n) => compared += n,
                Err(why) => panic!("seed {seed}: {why}\n{text}"),
            }
        }
    }
    assert!(
        refused.len() < 20,
        "{}: {:#?}",
        refused.len(),
        &refused[..10]
    );
    println!("{compared} positions from {read}, {compiled} compiled");
    assert!(
        compared > 5 * read && 10 * compiled > 9 * read,
        "{compared} {read} {compiled}"
    );
}

/// Values beyond the fields of a packed state, and faults, come from the plain evaluator.
#[test]
fn what_code_cannot_say_the_plain_evaluator_does() {
    let model = load(
        "ruleset R\n  state a, b, c, d, e: int\n  move by Left: where a < 40000 then a += 20000, b := 7 div (2 - a div 30000)\n\
         eval R[a: 0, b: 0, c: 0, d: 0, e: -1]\neval R[a: 30000, b: 0, c: 0, d: 0, e: 5]\neval R[a: 65000, b: 0, c: 0, d: 0, e: 5]\n",
    );
    let settings = Settings::default().with(&[(Shortcut::Ground, false)]);
    for start in positions(&model) {
        same_options_of(&model, &start, 25, settings).expect("the same");
    }
}
