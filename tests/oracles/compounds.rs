//! Compounds of rows of Kayles: pairs of lists of rows, solved by the definitions.

use super::brute::Claim;
use std::collections::HashMap;

type Rows = Vec<i32>;
type Pair = [Rows; 2];

/// Knocks down one pin or two neighbouring ones.
fn moves(rows: &Rows) -> Vec<Rows> {
    let mut all = vec![];
    for (i, n) in rows.iter().enumerate() {
        for k in 1..=2.min(*n) {
            for a in 0..=n - k {
                let mut next = rows.clone();
                next.remove(i);
                next.extend([a, n - a - k].iter().filter(|m| **m > 0));
                next.sort_unstable();
                all.push(next);
            }
        }
    }
    all
}

fn start(n: i32) -> Rows {
    if n > 0 { vec![n] } else { vec![] }
}

fn continued([a, b]: &Pair) -> Vec<Pair> {
    let (own, other) = (moves(a), moves(b));
    if own.is_empty() {
        return other.into_iter().map(|y| [a.clone(), y]).collect();
    }
    if other.is_empty() {
        return own.into_iter().map(|x| [x, b.clone()]).collect();
    }
    let pairs = own
        .iter()
        .map(|x| other.iter().map(|y| [x.clone(), y.clone()]));
    pairs.flatten().collect()
}

fn shortened([a, b]: &Pair) -> Vec<Pair> {
    let (own, other) = (moves(a), moves(b));
    if own.is_empty() || other.is_empty() {
        return vec![];
    }
    let own = own.into_iter().map(|x| [x, b.clone()]);
    own.chain(other.into_iter().map(|y| [a.clone(), y]))
        .collect()
}

fn sequential([a, b]: &Pair) -> Vec<Pair> {
    match moves(a) {
        own if own.is_empty() => moves(b).into_iter().map(|y| [a.clone(), y]).collect(),
        own => own.into_iter().map(|x| [x, b.clone()]).collect(),
    }
}

/// Whether the player to move wins.
fn wins(
    pair: &Pair,
    options: fn(&Pair) -> Vec<Pair>,
    misere: bool,
    memo: &mut HashMap<Pair, bool>,
) -> bool {
    if let Some(known) = memo.get(pair) {
        return *known;
    }
    let all = options(pair);
    let found = match all.is_empty() {
        true => misere,
        false => all.iter().any(|to| !wins(to, options, misere, memo)),
    };
    memo.insert(pair.clone(), found);
    found
}

/// The pairs of rows of `least` to `most` pins at which the previous player wins.
fn lost(least: i32, most: i32, options: fn(&Pair) -> Vec<Pair>, misere: bool) -> Vec<(i32, i32)> {
    let mut memo = HashMap::new();
    let all = (least..=most).flat_map(|m| (least..=most).map(move |n| (m, n)));
    all.filter(|(m, n)| !wins(&[start(*m), start(*n)], options, misere, &mut memo))
        .collect()
}

/// Whether the player to move wins, and how many moves play lasts. The winner plays fast and the loser slowly; with `slow`
/// the other way round.
fn length(rows: &Rows, slow: bool) -> (bool, i32) {
    let after: Vec<(bool, i32)> = moves(rows).iter().map(|to| length(to, slow)).collect();
    let good: Vec<i32> = after.iter().filter(|a| !a.0).map(|a| a.1).collect();
    let bad = after.iter().map(|a| a.1);
    match (good.is_empty(), slow) {
        _ if after.is_empty() => (false, 0),
        (false, false) => (true, 1 + good.iter().min().expect("some")),
        (false, true) => (true, 1 + good.iter().max().expect("some")),
        (true, false) => (false, 1 + bad.max().expect("some")),
        (true, true) => (false, 1 + bad.min().expect("some")),
    }
}

/// Claims by their names in the files.
pub const CLAIMS: &[Claim] = &[
    ("the lengths of rows of Kayles", || {
        let of = |slow| {
            (0..=7)
                .map(|n| length(&start(n), slow).1)
                .collect::<Vec<_>>()
        };
        of(false) == [0, 1, 1, 3, 3, 5, 5, 5] && of(true) == [0, 1, 1, 3, 3, 3, 5, 5]
    }),
    (
        "pairs of rows of Kayles that the previous player wins, continued and misère",
        || {
            let mut found = lost(0, 5, continued, true);
            found.retain(|(m, n)| m <= n);
            found == [(0, 1), (0, 4), (1, 1), (1, 4), (2, 4), (3, 4), (4, 4)]
        },
    ),
    (
        "pairs of rows of Kayles that the previous player wins, shortened",
        || lost(1, 4, shortened, false) == [(3, 3), (4, 4)],
    ),
    (
        "pairs of rows of Kayles that the previous player wins, one after the other",
        || {
            let expected = [
                (1, 1),
                (1, 2),
                (1, 3),
                (1, 4),
                (4, 1),
                (4, 2),
                (4, 3),
                (4, 4),
            ];
            let found = lost(0, 4, sequential, false);
            found.first() == Some(&(0, 0)) && found[1..] == expected
        },
    ),
];
