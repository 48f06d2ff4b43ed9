//! Removal games on orders: whatever the rules are called and however they are worded, the roads made for them (the
//! Grundy product, ranked antichains) and the general ones say the same as the naive evaluator.

use cgdsl::game::{Shortcut, Shortcuts};
use cgdsl::ir::domains::Random;
use cgdsl::session::{Answer, Memory, Session, Settings, Status};
use std::fmt::Write;

const RULES: &str = "
ruleset Up
  board poset
  move by anyone: choose x then remove up(x)
ruleset Down
  board poset
  move by anyone: choose x in points then remove x, down(x)
ruleset Reach
  board digraph acyclic
  move by Left:  choose v then remove reach(v)
  move by Right: choose v then remove reach(v)
ruleset Worded
  board  digraph acyclic
  pieces k = anyone
  move by anyone: choose v where at(v) = k then at(v) := empty, each w in reach(v): at(w) := empty
ruleset Partizan
  board  poset
  pieces b = Left, w = Right
  move by p: choose x where at(x) = p then remove up(x)
";

/// What expressions are worth with some shortcuts, and how many positions were put together or ranked.
fn evaluate(text: &str, expressions: &[String], shortcuts: Shortcuts) -> (Vec<String>, u64, u64) {
    let world = Memory::default().with("orders.rules", text);
    let mut session = Session::new(
        &world,
        Settings {
            shortcuts,
            ..Settings::default()
        },
    );
    let mut loaded = session.load("orders.rules");
    assert_eq!(loaded.broken, 0);
    for e in expressions {
        let query = session.expression(&mut loaded, e);
        loaded
            .queries
            .push(query.unwrap_or_else(|d| panic!("{e}: {d:?}")));
    }
    let items = session.evaluate(&loaded, |_, _| {});
    let shown = items
        .iter()
        .map(|i| match &i.answer {
            Answer::Value(v) if i.status == Status::Held => v.value.clone(),
            other => panic!("{other:?} {:?}", i.diagnostics),
        })
        .collect();
    let s = session.statistics();
    (shown, s.joined, s.ranked)
}

fn closed(series_parallel: bool, antichains: bool) -> Shortcuts {
    Shortcuts::ALL.with(&[
        (Shortcut::Product, series_parallel),
        (Shortcut::Antichains, antichains),
    ])
}

#[test]
fn all_shortcuts_agree_on_random_orders() {
    let mut random = Random::new(&20u32.into());
    let mut expressions = Vec::new();
    for round in 0..25 {
        let n = 2 + random.below(5);
        let mut pairs = Vec::new();
        for i in 1..=n {
            for j in i + 1..=n {
                if random.below(3) == 0 {
                    pairs.push((i, j));
                }
            }
        }
        let literal = |sign: &str, mark: &str| {
            let mut text = String::new();
            for i in 1..=n {
                let _ = write!(text, "{}v{i}{mark}", if i > 1 { ", " } else { "" });
            }
            for (i, j) in &pairs {
                let _ = write!(text, ", v{i} {sign} v{j}");
            }
            text
        };
        let function = ["nimber", "outcome", "value", "gset"][round % 4];
        for (ruleset, sign, mark) in [
            ("Up", "<", ""),
            ("Down", "<", ""),
            ("Reach", "->", ""),
            ("Worded", "->", ":k"),
        ] {
            expressions.push(format!("{function}({ruleset}[{}])", literal(sign, mark)));
        }
    }
    let (naive, ..) = evaluate(
        RULES,
        &expressions,
        Shortcuts::ALL.without(&[Shortcut::Compile]),
    );
    let (all, joined, ranked) = evaluate(RULES, &expressions, Shortcuts::ALL);
    assert_eq!(all, naive);
    assert!(joined > 50 && ranked > 100, "{joined} {ranked}");
    for (series_parallel, antichains) in [(true, false), (false, true), (false, false)] {
        let (found, joined, ranked) =
            evaluate(RULES, &expressions, closed(series_parallel, antichains));
        assert_eq!(found, naive, "{series_parallel} {antichains}");
        assert_eq!(joined > 0, series_parallel);
        assert_eq!(ranked > 0, antichains);
    }
}

#[test]
fn other_games_are_left_alone() {
    let expressions = [
        "value(Partizan[a:b < c:w, d:w < c])".to_owned(),
        // Sums, negatives and positions in the middle of play.
        "nimber(Up[chain(3)] + Up[chain(5)])".to_owned(),
        "{nimber(G) for G in options(Up[a < b, c < b, c < d])}".to_owned(),
        "value(-Up[chain(3)])".to_owned(),
    ];
    let (found, ..) = evaluate(RULES, &expressions, Shortcuts::ALL);
    assert_eq!(found, ["-1/2", "6", "{1, 2, 3}", "*3"]);
}

#[test]
fn a_hundred_thousand_points() {
    let expressions = [
        "nimber(Up[chain(100000)])".to_owned(),
        "outcome(Up[antichain(50001) + chain(49999)])".to_owned(),
        "nimber(Up[antichain(3) / chain(50000) / antichain(4)])".to_owned(),
    ];
    let (found, joined, _) = evaluate(RULES, &expressions, Shortcuts::ALL);
    assert_eq!(found[0], "100000");
    assert_eq!(found[1], "N-position");
    // The g-set of four points is {1}; a chain of k points above it fills up the naturals but one to {0, .., k}; of three
    // points above, all options are even: they add the next.
    assert_eq!(found[2], "50002");
    assert!(joined > 200_000);
}
