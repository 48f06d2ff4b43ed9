//! Games written from their definitions by people who knew only the language reference.

use super::brute::{Case, Claim, State};
use super::literal::Literal;

fn sorted(mut heaps: State) -> State {
    heaps.retain(|&n| n > 0);
    heaps.sort_unstable();
    heaps
}

fn lasker(s: &State) -> Vec<State> {
    let mut next = Vec::new();
    for i in 0..s.len() {
        let others = [&s[..i], &s[i + 1..]].concat();
        for a in 0..s[i] {
            next.push(sorted([&others[..], &[a]].concat()));
            next.push(sorted([&others[..], &[a, s[i] - a]].concat()));
        }
    }
    // Dividing a heap into 0 and itself is not a move.
    next.retain(|t| t != s);
    next
}

fn greedy(s: &State) -> Vec<State> {
    let Some(&most) = s.iter().max() else {
        return vec![];
    };
    let others = &s[..s.len() - 1];
    (0..most).map(|a| sorted([others, &[a]].concat())).collect()
}

fn delete(s: &State) -> Vec<State> {
    s.iter()
        .flat_map(|&kept| (0..kept).map(move |a| vec![a, kept - 1 - a]))
        .collect()
}

fn staircase(s: &State) -> Vec<State> {
    let mut next = Vec::new();
    for i in 0..s.len() {
        for k in 1..=s[i] {
            let mut after = s.clone();
            after[i] -= k;
            if i > 0 {
                after[i - 1] += k;
            }
            next.push(after);
        }
    }
    next
}

/// The squares of the coins, counted from 0.
fn welter(s: &State) -> Vec<State> {
    let mut next = Vec::new();
    for i in 0..s.len() {
        for to in (0..s[i]).filter(|to| !s.contains(to)) {
            let mut after = s.clone();
            after[i] = to;
            after.sort_unstable();
            next.push(after);
        }
    }
    next
}

fn knight(s: &State) -> Vec<State> {
    [(-2, -1), (-1, -2), (-2, 1), (1, -2)]
        .iter()
        .map(|(a, b)| vec![s[0] + a, s[1] + b])
        .filter(|t| t[0] >= 0 && t[1] >= 0)
        .collect()
}

pub fn case(l: &Literal) -> Option<Case> {
    let list = |name: &str| -> Option<State> {
        let text = l.field(name)?;
        let inner = text.trim().strip_prefix('[')?.strip_suffix(']')?;
        inner.split(',').map(|n| n.trim().parse().ok()).collect()
    };
    Some(match l.name.as_str() {
        "LaskerNim" => Case::new(sorted(l.heaps()), |s, _| lasker(s)),
        "GreedyNim" => Case::new(sorted(l.heaps()), |s, _| greedy(s)),
        "StaircaseNim" => Case::new(list("coins")?, |s, _| staircase(s)),
        "Welter" => {
            let row = l.rows()[0].clone();
            let coins = (0i32..).zip(&row).filter(|(_, c)| **c == 'o');
            Case::new(coins.map(|(i, _)| i).collect(), |s, _| welter(s))
        }
        "WhiteKnight" | "DeleteNim" => {
            let start = vec![l.field("m")?.parse().ok()?, l.field("n")?.parse().ok()?];
            let knights = l.name == "WhiteKnight";
            Case::new(
                start,
                move |s, _| if knights { knight(s) } else { delete(s) },
            )
        }
        "Grim" => {
            let g = l.graph();
            let edges: Vec<(usize, usize)> = g.edges.iter().map(|e| (e.0, e.1)).collect();
            Case::new(vec![1; g.names.len()], move |s, _| {
                let there = |v: usize| s[v] == 1;
                let joined = |v: usize| {
                    edges
                        .iter()
                        .any(|&(a, b)| there(a) && there(b) && (a == v || b == v))
                };
                (0..s.len())
                    .filter(|&v| there(v) && joined(v))
                    .map(|v| {
                        let mut after = s.clone();
                        after[v] = 0;
                        after
                    })
                    .collect()
            })
        }
        _ => return None,
    })
}

/// Claims by their names in the files.
pub const CLAIMS: &[Claim] = &[
    ("only the odd steps count, as heaps of Nim", || {
        let nimber = |coins: State| Case::new(coins, |s, _| staircase(s)).nimber();
        (0..27).all(|i| {
            let (a, b, c) = (i % 3, i / 3 % 3, i / 9);
            nimber(vec![a, b, c]) == u64::try_from(a ^ c).ok()
        })
    }),
    ("the complete graphs: every second one is lost", || {
        // On a complete graph with n vertices, the game is a heap from which one vertex is taken as long as at least two are
        // left.
        let one = |s: &State, _| {
            if s[0] >= 2 {
                vec![vec![s[0] - 1]]
            } else {
                vec![]
            }
        };
        (1..=6).all(|n| (Case::new(vec![n], one).nimber() == Some(0)) == (n % 2 == 1))
    }),
];
