//! Sets that depend on the position: names for them, their sizes, and effects on all their members. The compiled rules against the
//! rules as written, from each position on, with the mistakes that this must find.

use crate::machine_support::{position, same_options, same_options_of};
use cgdsl::machine::{Machine, Planted, Settings};

/// The most followers that are compared from a position on.
const MOST: usize = 300;

/// A name for a set of which some member must be there, all of which are removed. The reasons for a move are alike.
const CUTTER: (&str, &str) = (
    "ruleset Cutter
  board grid
  move by anyone:
    choose r in 0..rows, c in 0..columns, under = {a in cells: some x in 0..1, y in 0..1: a = (r + x, c + y)}
    where  size(under) > 0
    then   remove under",
    "\"...|.#.|...\"",
);

/// A cell is taken only where its neighbour is gone, which is no reason but a condition.
const ALONE: (&str, &str) = (
    "ruleset Alone
  board strip
  pieces x = anyone
  move single by anyone: choose c in 0..columns, s = {a in cells: a in {c, c + 1}} where size(s) = 1 then remove s
  move double by anyone: choose a, b = a + 2*east where a + east in cells then remove a, b",
    "\"......\"",
);

/// Only some of the neighbours are removed: the others are there, too.
const PICKED: (&str, &str) = (
    "ruleset Picked
  board grid
  pieces x = Left, o = Right
  move take by p: choose a where at(a) = p then remove {b in nbrs(a): at(b) = opponent(p)} + {a}
  move turn by p: choose a where at(a) = opponent(p), size(nbrs(a)) = 2 then at(a) := p",
    "\"xo.|oxo|x#o\"",
);

/// The rest of the rules.
const RULES: [(&str, &str); 9] = [
    // A set that stands in the effect.
    (
        "ruleset Bar
  board grid
  move by anyone: choose (i, j) in cells then remove {(r, c) in cells: r >= i and c >= j}",
        "\"...|..#|...\"",
    ),
    // Sizes in all comparisons, on either side.
    (
        "ruleset Sizes
  board grid
  pieces x = Left, o = Right
  move one by p: choose a, s = {b in nbrs(a): at(b) = empty} where at(a) = empty, size(s) = 1 then at(a) := p
  move few by p: choose a, s = {b in nbrs(a): at(b) = p} where at(a) = empty, 1 < size(s), size(s) <= 2 then at(a) := p
  move any by p: choose a, s = {b in nbrs(a): at(b) = opponent(p)} where at(a) = empty, size(s) != 1, 3 >= size(s), not size(s) = 2 then at(a) := p",
        "\"...|.x.|o..\"",
    ),
    // A name keeps its members in later stages, whatever was written meanwhile.
    (
        "ruleset Later
  board strip
  pieces x = Left, o = Right
  move by p:
    choose a, s = {b in nbrs(a): at(b) = empty} where at(a) = p then at(a) := empty
    choose b in s where no c in nbrs(b): at(c) = opponent(p) then at(b) := opponent(p)",
        "\"x..ox.\"",
    ),
    // Members by a name, in quantifiers, and as a set that is compared.
    (
        "ruleset Named
  board grid
  pieces x = Left, o = Right
  move by p:
    choose a, s = {b in nbrs(a): at(b) = p}, t = {b in nbrs(a): at(b) != empty}
    where  at(a) = empty, s != {}, s = t or some b in t: b not in s and size(s) > 0
    then   at(a) := p",
        "\"x..|.o.|..x\"",
    ),
    // All members are written.
    (
        "ruleset Turned
  board strip
  pieces x = Left, o = Right
  move by p: choose a, s = {b in nbrs(a): at(b) = opponent(p)} where at(a) = empty, size(s) >= 1 then at(a) := p, each b in s: at(b) := p",
        "\".ox.o.\"",
    ),
    // Cells with state are not removed where they are gone, and a wall is put by the same effect.
    (
        "ruleset Stacks
  board strip
  pieces x = Left, o = Right
  state  w(cell): nat
  move by p: choose a, s = {b in nbrs(a): w(b) > 0} where at(a) = p, size(s) > 0 then remove s, w(a) += 1",
        "\"xo.x\", w: [0, 1, 0, 2]",
    ),
    // Vertices, with pieces.
    (
        "ruleset Vertices
  board graph
  pieces x = Left, o = Right
  move by p: choose v, s = {u in nbrs(v): at(u) = empty} where at(v) = p, size(s) > 0 then remove s, remove v",
        "1:x -- 2 -- 3:o -- 4, 2 -- 4, 1 -- 3",
    ),
    // Vertices without pieces, removed with all neighbours.
    (
        "ruleset Stars
  board graph
  move by anyone: choose v, s = {u in nbrs(v): size({w in nbrs(u): w != v}) < 3} where size(s) > 0 then remove v, remove s",
        "1 -- 2 -- 3 -- 4, 2 -- 4, 1 -- 5",
    ),
    // Numbers.
    (
        "ruleset Counted
  board strip
  pieces x = Left, o = Right
  move by p:
    choose a, ks = {k in 1..3: some b in {a + k * east}: at(b) = opponent(p)}, b in {a + k * east for k in ks}
    where  at(a) = p, size(ks) < 3
    then   at(b) := empty",
        "\"xo.oxo\"",
    ),
];

fn is_compiled((rules, start): (&str, &str)) -> bool {
    let (model, start) = position(rules, start);
    let machine = Machine::with_settings(&model, &start, Settings::default());
    machine.is_ok_and(|m| m.is_grounded())
}

#[test]
fn sets_are_what_the_rules_say() {
    for (rules, start) in RULES.into_iter().chain([CUTTER, ALONE, PICKED]) {
        let (model, first) = position(rules, start);
        for asking in [false, true] {
            let settings = Settings {
                asking,
                ..Settings::default()
            };
            let compared = same_options_of(&model, &first, MOST, settings);
            let compared = compared.unwrap_or_else(|why| panic!("{rules}\n{why}"));
            assert!(compared > 1, "{rules}: {compared}");
        }
        assert!(is_compiled((rules, start)), "{rules}");
    }
}

/// Chomp on 36 squares and a cutter of 3 by 3 have too many sets for a list of all of them.
#[test]
fn large_sets_are_compiled() {
    let chomp = RULES[0].0;
    assert!(is_compiled((chomp, "grid(6, 6)")));
    let cutter = CUTTER.0.replace("0..1", "0..2");
    assert!(is_compiled((&cutter, "grid(4, 5)")));
    let (model, start) = position(&cutter, "grid(4, 5)");
    let compared = same_options(&model, &start, 60);
    assert_eq!(compared.map(|n| n >= 60), Ok(true));
}

/// A removal whatever the members are, and a move whatever its reason is.
#[test]
fn planted_mistakes_are_found() {
    for (planted, (rules, start)) in [
        (Planted::MergedAlways, PICKED),
        (Planted::ReasonsForgotten, ALONE),
    ] {
        let (model, start) = position(rules, start);
        let settings = Settings {
            planted: Some(planted),
            ..Settings::default()
        };
        let compared = same_options_of(&model, &start, MOST, settings);
        assert!(compared.is_err(), "{planted:?}: {compared:?}");
    }
}
