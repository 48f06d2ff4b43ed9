//! Poset games, with and without colours; a state says which points are left. Posets are read from relations, from `/` and
//! `+`, and from constructors.

use super::brute::{Case, Claim};
use super::graphs::owns;
use super::literal::{Literal, call, split};
use std::collections::HashMap;

/// `above[x]` are the points >= x. Colours as for graphs: 1 Left's, 2 Right's, 3 both players'.
#[derive(Clone, Default, Debug)]
pub struct Poset {
    above: Vec<Vec<usize>>,
    colour: Vec<i32>,
}

impl Poset {
    pub fn from_order(n: usize, le: impl Fn(usize, usize) -> bool) -> Poset {
        Poset {
            above: (0..n)
                .map(|x| (0..n).filter(|&y| le(x, y)).collect())
                .collect(),
            colour: vec![3; n],
        }
    }

    pub fn chain(n: usize) -> Poset {
        Poset::from_order(n, |x, y| x <= y)
    }

    pub fn antichain(n: usize) -> Poset {
        Poset::from_order(n, |x, y| x == y)
    }

    /// Side by side, or with `series` with `self` on top.
    pub fn join(&self, other: &Poset, series: bool) -> Poset {
        let n = self.above.len();
        let mut all = self.clone();
        for list in &other.above {
            let top = if series { (0..n).collect() } else { vec![] };
            all.above
                .push(list.iter().map(|y| y + n).chain(top).collect());
        }
        all.colour.extend(&other.colour);
        all
    }

    pub fn game(&self) -> Case {
        let poset = self.clone();
        Case::new(vec![1; self.above.len()], move |s, left| {
            (0..s.len())
                .filter(|&x| s[x] == 1 && owns(left, poset.colour[x]))
                .map(|x| {
                    let mut after = s.clone();
                    poset.above[x].iter().for_each(|&y| after[y] = 0);
                    after
                })
                .collect()
        })
    }

    /// The poset of a literal.
    pub fn of(l: &Literal) -> Option<Poset> {
        let first = l.entries.first()?;
        let relations = l.entries.len() > 1 || first.contains('<') || !first.contains('(');
        Some(if relations {
            Poset::relations(&l.entries)
        } else {
            Poset::read(first)
        })
    }

    /// The state with all points.
    pub fn all(&self) -> Vec<i32> {
        vec![1; self.above.len()]
    }

    /// The options: each removes a point and all points above it.
    pub fn without(&self, s: &[i32]) -> Vec<Vec<i32>> {
        (0..s.len())
            .filter(|&x| s[x] == 1)
            .map(|x| {
                let mut after = s.to_vec();
                self.above[x].iter().for_each(|&y| after[y] = 0);
                after
            })
            .collect()
    }

    fn read(text: &str) -> Poset {
        let text = text.trim();
        let sums = split(text, "+");
        if sums.len() > 1 {
            return sums.iter().fold(Poset::default(), |all, part| {
                all.join(&Poset::read(part), false)
            });
        }
        let series = split(text, "/");
        if series.len() > 1 {
            return series.iter().fold(Poset::default(), |all, part| {
                all.join(&Poset::read(part), true)
            });
        }
        if let Some((board, piece)) = text.rsplit_once("):") {
            let mut poset = Poset::read(&format!("{board})"));
            let colour = HashMap::from([("b", 1), ("w", 2), ("g", 3)])[piece.trim()];
            poset.colour = vec![colour; poset.colour.len()];
            return poset;
        }
        if let Some(inner) = text.strip_prefix('(').and_then(|t| t.strip_suffix(')')) {
            return Poset::read(inner);
        }
        let (name, arguments) = call(text).expect("a constructor");
        let size = |i: usize| arguments[i].parse::<usize>().expect("a size");
        match name.as_str() {
            "chain" => Poset::chain(size(0)),
            "antichain" => Poset::antichain(size(0)),
            "chomp" => {
                let n = size(1);
                let (row, column) = (move |x: usize| (x + 1) / n, move |x: usize| (x + 1) % n);
                Poset::from_order(size(0) * n - 1, |x, y| {
                    row(x) <= row(y) && column(x) <= column(y)
                })
            }
            "divisors" => {
                let divisors: Vec<usize> = (2..=size(0))
                    .filter(|d| size(0).is_multiple_of(*d))
                    .collect();
                Poset::from_order(divisors.len(), |x, y| {
                    divisors[y].is_multiple_of(divisors[x])
                })
            }
            "forest" => {
                let mut parents = Vec::new();
                arguments
                    .iter()
                    .for_each(|tree| tree_parents(tree, None, &mut parents));
                Poset::from_order(parents.len(), |x, y| {
                    let mut at = Some(x);
                    while at.is_some_and(|v| v != y) {
                        at = at.and_then(|v| parents[v]);
                    }
                    at == Some(y)
                })
            }
            // The names in the paper's files.
            "Wedge" => Poset::chain(1).join(&Poset::antichain(size(0)), true),
            "Diamond" => Poset::chain(1)
                .join(&Poset::antichain(size(0)), true)
                .join(&Poset::chain(1), true),
            _ => panic!("constructor {name}"),
        }
    }

    /// For example `a:b < c:w, d < c`. The relation is closed transitively.
    fn relations(entries: &[String]) -> Poset {
        let (mut names, mut colour, mut pairs): (Vec<String>, Vec<i32>, Vec<(usize, usize)>) =
            Default::default();
        for entry in entries {
            let mut below = None;
            for word in split(entry, "<") {
                let (name, piece) = word.split_once(':').unwrap_or((&word, ""));
                let place = names.iter().position(|n| n == name).unwrap_or(names.len());
                if place == names.len() {
                    names.push(name.to_string());
                    colour.push(3);
                }
                match piece {
                    "b" => colour[place] = 1,
                    "w" => colour[place] = 2,
                    _ => {}
                }
                pairs.extend(below.map(|b| (b, place)));
                below = Some(place);
            }
        }
        let n = names.len();
        let mut le = vec![vec![false; n]; n];
        (0..n).for_each(|x| le[x][x] = true);
        pairs.iter().for_each(|&(x, y)| le[x][y] = true);
        for k in 0..n {
            for i in 0..n {
                for j in 0..n {
                    le[i][j] |= le[i][k] && le[k][j];
                }
            }
        }
        Poset {
            colour,
            ..Poset::from_order(n, |x, y| le[x][y])
        }
    }
}

/// For example `r(a, b(c))`, with the root first; `parents[x]` lies above x.
fn tree_parents(text: &str, parent: Option<usize>, parents: &mut Vec<Option<usize>>) {
    let (_, children) = call(text).unwrap_or_default();
    let place = parents.len();
    parents.push(parent);
    children
        .iter()
        .for_each(|child| tree_parents(child, Some(place), parents));
}

pub fn case(l: &Literal) -> Option<Case> {
    let computed = l.entries.iter().any(|e| e.contains('{'));
    if computed || !["PosetGame", "BlackWhite", "ColouredPoset"].contains(&l.name.as_str()) {
        return None;
    }
    Some(Poset::of(l)?.game())
}

/// Claims for which the files refer to this program, by their names there.
pub const CLAIMS: &[Claim] = &[
    ("Exercise 2.23: what is g of the wedge?", || {
        (1..=12).all(|n| g(&[&one(), &Poset::antichain(n)]) == 2)
    }),
    ("Exercise 2.23: what is g of the diamond?", || {
        (1..=12).all(|n| g(&[&one(), &Poset::antichain(n), &one()]) == 3)
    }),
    ("Exercise 2.24, m odd", || two_layers([1, 3, 5], |_| 2)),
    ("Exercise 2.24, m even", || two_layers([2, 4, 6], |n| n % 2)),
    ("Section 3.2.1 corrected, width 1", || {
        (1..=8).all(|n| positions(&Poset::chain(n).game()) == n + 1)
    }),
    ("Section 3.2.1 corrected, two chains", || {
        let pairs = |m: usize| (1..=5).map(move |n| (m, n));
        (1..=5).flat_map(pairs).all(|(m, n)| {
            positions(&Poset::chain(m).join(&Poset::chain(n), false).game()) == (m + 1) * (n + 1)
        })
    }),
];

fn one() -> Poset {
    Poset::chain(1)
}

/// The nimber of a stack of posets, the first on top.
fn g(stack: &[&Poset]) -> u64 {
    let poset = stack
        .iter()
        .fold(Poset::default(), |all, p| all.join(p, true));
    poset.game().nimber().expect("impartial")
}

fn two_layers(upper: [usize; 3], expected: fn(u64) -> u64) -> bool {
    upper.iter().all(|&m| {
        (1..=6).all(|n| g(&[&Poset::antichain(m), &Poset::antichain(n)]) == expected(n as u64))
    })
}

fn positions(case: &Case) -> usize {
    let mut seen = vec![case.start.clone()];
    let mut next = 0;
    while next < seen.len() {
        for s in (case.moves)(&seen[next].clone(), true) {
            if !seen.contains(&s) {
                seen.push(s);
            }
        }
        next += 1;
    }
    seen.len()
}
