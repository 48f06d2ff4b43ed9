//! Blocking Pebbles by Ruleset 1 of the paper: a state is (blue, red, green) for each vertex. Also the corrected statements
//! of the paper's claims, checked over the ranges that the files use.

use super::algebra::{Games, Id};
use super::brute::{Case, Claim, State};
use super::literal::{Graph, Literal};

fn options(arcs: &[(usize, usize)], s: &State, left: bool, own_toll: bool) -> Vec<State> {
    let (own, other) = if left { (0, 1) } else { (1, 0) };
    let mut next = Vec::new();
    for &(u, v) in arcs {
        // Against the arc, without a toll: i own and j green pebbles move from v to its in-neighbour u.
        for i in 0..=s[3 * v + own] {
            for j in 0..=s[3 * v + 2] {
                if i + j >= 1 && (i == 0 || s[3 * u + other] == 0) {
                    let mut t = s.clone();
                    t[3 * v + own] -= i;
                    t[3 * u + own] += i;
                    t[3 * v + 2] -= j;
                    t[3 * u + 2] += j;
                    next.push(t);
                }
            }
        }
        // Along the arc: two pebbles leave u, and the first of them arrives at v.
        for placed in [own, 2] {
            for lost in [own, 2] {
                let mut t = s.clone();
                t[3 * u + placed] -= 1;
                t[3 * u + lost] -= 1;
                t[3 * v + placed] += 1;
                let blocked = placed == own && s[3 * v + other] > 0;
                let forced = own_toll && placed == 2 && lost == own;
                if t[3 * u + placed] >= 0 && t[3 * u + lost] >= 0 && !blocked && !forced {
                    next.push(t);
                }
            }
        }
    }
    next
}

fn game(arcs: Vec<(usize, usize)>, start: State, own_toll: bool) -> Case {
    Case::new(start, move |s, left| options(&arcs, s, left, own_toll))
}

fn start(g: &Graph) -> State {
    let count = |v: usize, piece: char| g.pieces[v].get(&piece).copied().unwrap_or(0);
    (0..g.names.len())
        .flat_map(|v| ['b', 'r', 'g'].map(|piece| count(v, piece)))
        .collect()
}

pub fn case(l: &Literal) -> Option<Case> {
    let own_toll = l.name == "OwnToll";
    (own_toll || l.name == "BlockingPebbles").then(|| {
        let g = l.graph();
        game(
            g.edges.iter().map(|&(u, v, _)| (u, v)).collect(),
            start(&g),
            own_toll,
        )
    })
}

/// The families of the files: out-star and transitive triple, given by (blue, red) on each vertex.
pub fn named(l: &Literal) -> Option<Case> {
    let counts: Option<State> = l.parameters.iter().map(|p| p.parse().ok()).collect();
    let counts = counts.filter(|c| c.len() == 6)?;
    let state = counts.chunks(2).flat_map(|c| [c[0], c[1], 0]).collect();
    match l.name.as_str() {
        "Star" => Some(game(vec![(0, 1), (0, 2)], state, false)),
        "Triple" => Some(game(vec![(0, 1), (1, 2), (0, 2)], state, false)),
        _ => None,
    }
}

fn star(games: &mut Games, n: [i32; 6]) -> Id {
    let state = n.chunks(2).flat_map(|c| [c[0], c[1], 0]).collect();
    game(vec![(0, 1), (0, 2)], state, false).value(games)
}

fn switch(games: &mut Games, left: i32, right: i32) -> Id {
    let (l, r) = (games.integer(left.into()), games.integer(right.into()));
    games.game(&[l], &[r])
}

fn green(arcs: &[(usize, usize)], counts: &[i32]) -> u64 {
    let state = counts.iter().flat_map(|&n| [0, 0, n]).collect();
    game(arcs.to_vec(), state, false)
        .nimber()
        .expect("impartial")
}

/// Whether `check` holds for all lists with entries in the given ranges.
fn each<const N: usize>(
    ranges: [std::ops::RangeInclusive<i32>; N],
    mut check: impl FnMut([i32; N]) -> bool,
) -> bool {
    let mut list = ranges.clone().map(|r| *r.start());
    loop {
        if !check(list) {
            return false;
        }
        let Some(i) = (0..N).rev().find(|&i| list[i] < *ranges[i].end()) else {
            return true;
        };
        list[i] += 1;
        (i + 1..N).for_each(|j| list[j] = *ranges[j].start());
    }
}

/// Claims for which the files refer to this program, by their names there.
pub const CLAIMS: &[Claim] = &[
    (
        "Section 2: with the own pebble forced no value changes",
        || {
            let games = &mut Games::default();
            each([0..=2, 0..=2, 0..=2, 0..=1, 0..=1], |[i, j, k, l, m]| {
                let state = vec![i, j, k, l, 0, m];
                let free = game(vec![(0, 1)], state.clone(), false).value(games);
                free == game(vec![(0, 1)], state, true).value(games)
            })
        },
    ),
    ("Lemma 3.2 (1) corrected, at most two red", || {
        let games = &mut Games::default();
        each([1..=8, 1..=2, 1..=3], |[i, j, k]| {
            star(games, [i, j, k, 0, 0, 0]) == games.integer((i / 2).into())
        })
    }),
    ("Lemma 3.2 (1) corrected, one blue", || {
        let games = &mut Games::default();
        each([1..=8, 1..=3], |[j, k]| {
            star(games, [1, j, k, 0, 0, 0]) == games.integer((-((j - 1) / 2)).into())
        })
    }),
    ("Lemma 3.2 (1) corrected", || {
        let games = &mut Games::default();
        each([2..=8, 3..=8, 1..=3], |[i, j, k]| {
            star(games, [i, j, k, 0, 0, 0])
                == switch(games, i / 2 - 1, (i - 1) / 2 - (j - 1) / 2 + 1)
        })
    }),
    (
        "Lemma 3.2 (1) corrected, the printed configuration is its negative",
        || {
            let games = &mut Games::default();
            each([1..=5, 1..=5, 1..=3], |[i, j, k]| {
                let other = star(games, [j, i, k, 0, 0, 0]);
                star(games, [i, j, 0, k, 0, 0]) == games.neg(other)
            })
        },
    ),
    ("Lemma 3.2 (2) corrected", || {
        let games = &mut Games::default();
        each([1..=6, 1..=6, 1..=3, 1..=3], |[i, j, k, l]| {
            star(games, [i, j, k, 0, 0, l]) == games.integer(((i - 1) / 2 - (j - 1) / 2).into())
        })
    }),
    ("Lemma 3.2 (6) corrected", || {
        let games = &mut Games::default();
        each([1..=6, 1..=6], |[i, j]| {
            star(games, [0, 0, i, j, 0, 0])
                == switch(games, (3 * i - 5).max(0), -(3 * j - 5).max(0))
        })
    }),
    (
        "Proposition 3.9 restricted, a tree with two sources",
        || {
            let arcs = [(0, 1), (1, 2), (3, 1), (2, 4)];
            each([0..=2, 0..=2, 0..=2], |[i, j, k]| {
                green(&arcs, &[0, i, j, 0, k]) == (i ^ k) as u64
            })
        },
    ),
    ("Proposition 3.9 restricted, its D(T)", || {
        each([0..=2, 0..=2], |[i, k]| {
            green(&[(0, 1), (0, 2)], &[0, i, k]) == (i ^ k) as u64
        })
    }),
    ("Theorem 3.11 corrected: a heap of n - 1", || {
        (1..=6).all(|n| {
            let arcs: Vec<(usize, usize)> =
                (0..n).flat_map(|v| (0..v).map(move |u| (u, v))).collect();
            let mut counts = vec![0; n];
            counts[n - 1] = 1;
            green(&arcs, &counts) == n as u64 - 1
        })
    }),
];
