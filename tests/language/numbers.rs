//! Numbers in conditions that are evaluated in play: the compiled rules against the rules as written, from each position on.

use crate::machine_support::{position, same_options_of};
use cgdsl::machine::{Machine, Settings};

/// The most followers that are compared from a position on.
const MOST: usize = 400;

/// Conditions on a free cell `a` of a board with pieces x and o, where a player may move.
const CONDITIONS: [&str; 25] = [
    "size({c in cells: at(c) = p}) mod 2 = 0",
    "(size({c in cells: at(c) = x}) - size({c in cells: at(c) = o})) mod 3 != 2",
    "(size({c in cells: at(c) = x}) - 2) mod (0 - 3) = -1",
    "(size({c in cells: at(c) = x}) - size({c in cells: at(c) = o})) div 2 = -1 or size({c in cells: at(c) = p}) < 2",
    "(1 - size({c in cells: at(c) != empty})) div (0 - 2) < 2",
    "abs(size({c in nbrs(a): at(c) = x}) - size({c in cells: at(c) = o})) <= 1",
    "size({c in cells: at(c) = p}) * size({c in nbrs(a): at(c) = empty}) != 2",
    "-size({c in cells: at(c) = p}) * size({c in nbrs(a): at(c) = empty}) > -3",
    "(some b in nbrs(a): at(b) = x) = (some b in nbrs(a): at(b) = o)",
    "(no b in nbrs(a): at(b) = p) != (some b in cells: at(b) = opponent(p))",
    "size({c in cells: at(c) != empty}) in 1..3 or size({c in cells: at(c) = p}) = 0",
    "size({c in cells: at(c) != empty}) not in {1, size({c in nbrs(a): at(c) = p}) + 3}",
    "sum([r * (if at((r, c)) = p then 1 else 0) for (r, c) in cells]) mod 3 != 1",
    "sum([size(nbrs(b)) for b in cells where at(b) = opponent(p)]) < 4",
    "size([1 for b in nbrs(a), c in nbrs(b) where at(c) = p]) < 2",
    "max([if at((r, c)) = p then r * c else 0 for (r, c) in cells]) < 3",
    "min([if at((r, c)) = p then r - c else 1 for (r, c) in cells]) != -1",
    "max(size({c in cells: at(c) = x}), size({c in cells: at(c) = o}), 2) - min(size({c in cells: at(c) = x}), 1) < 2",
    "sum([if size({b in nbrs(c): at(b) = p}) > 1 then 1 else -1 for c in cells]) < 0",
    "sum([k for k in {if at(b) = x then 1 else 2 for b in cells}]) mod 2 = 1 or size({b in cells: at(b) = p}) mod 3 != 2",
    "sum([k for k in [if at(b) = x then 1 else 2 for b in cells]]) mod 2 = 1 or size({b in cells: at(b) = p}) mod 3 != 2",
    "size([1 for k in {size({c in nbrs(b): at(c) = p}) for b in cells}]) < 3",
    "sum({size({b in cells: at(b) = x}), size({b in cells: at(b) = o})}) != 1",
    "sum([1 for c in {d for b in nbrs(a), d in nbrs(b) where at(b) = x}]) mod 2 = 0",
    "size({c in cells: at(c) = (if size({b in cells: at(b) = x}) > 1 then empty else p)}) != 1",
];

fn ruleset(condition: &str) -> String {
    format!(
        "language 2\nruleset Counted
  board grid
  pieces x = Left, o = Right
  move by p: choose a where at(a) = empty, {condition} then at(a) := p
  move turn by p: choose a where at(a) = p, {condition} then at(a) := opponent(p)"
    )
}

#[test]
fn numbers_are_what_the_rules_say() {
    for condition in CONDITIONS {
        let rules = ruleset(condition);
        let mut all = 0;
        for start in ["grid(2, 3)", "\"x.|o.|..\"", "\"xx|.o|..\""] {
            let (model, first) = position(&rules, start);
            let settings = Settings {
                asking: true,
                ..Settings::default()
            };
            let compared = same_options_of(&model, &first, MOST, settings);
            all += compared.unwrap_or_else(|why| panic!("{condition}\n{why}"));
        }
        assert!(all > 20, "{condition}: {all}");
    }
}

/// Deciding cell by cell would take more cases than are listed.
#[test]
fn counts_on_large_boards_are_compiled() {
    for condition in &CONDITIONS[..18] {
        let (model, start) = position(&ruleset(condition), "grid(5, 5)");
        let machine = Machine::with_settings(&model, &start, Settings::default());
        let machine = machine.unwrap_or_else(|fault| panic!("{condition}: {fault}"));
        assert!(machine.is_grounded(), "{condition}");
    }
}

/// A product that may not fit is left to the rules.
#[test]
fn large_products_are_not_compiled() {
    let size = "size({c in cells: at(c) = p})";
    let condition = format!("1000000007 * {size} * {size} * 1000000007 mod 2 = 0");
    let (model, start) = position(&ruleset(&condition), "grid(2, 2)");
    let settings = Settings {
        asking: true,
        ..Settings::default()
    };
    assert!(same_options_of(&model, &start, MOST, settings).is_ok());
    let (model, start) = position(&ruleset(&condition), "grid(6, 6)");
    let machine = Machine::with_settings(&model, &start, Settings::default());
    assert!(!machine.is_ok_and(|m| m.is_grounded()));
}
