//! Heaps, piles and counted stacks; each move follows the definition of its game.

use super::brute::{Case, Claim, State};
use super::literal::Literal;

/// The nonempty heaps in order.
fn sorted(mut heaps: State) -> State {
    heaps.retain(|&n| n > 0);
    heaps.sort_unstable();
    heaps
}

/// Replaces one heap n by each list in `parts(n)`.
fn one_heap(s: &State, parts: impl Fn(i32) -> Vec<State>) -> Vec<State> {
    let mut next = Vec::new();
    for (i, &n) in s.iter().enumerate() {
        for left in parts(n) {
            next.push(sorted([&s[..i], &s[i + 1..], &left].concat()));
        }
    }
    next.retain(|t| t != s);
    next
}

/// A game with a memory, `[heaps .., memory]`: `parts` gives the new heaps and the new memory.
fn remembering(s: &State, parts: impl Fn(i32, i32) -> Vec<(State, i32)>) -> Vec<State> {
    let (memory, heaps) = s.split_last().expect("a memory");
    let mut next = Vec::new();
    for (i, &n) in heaps.iter().enumerate() {
        for (left, then) in parts(n, *memory) {
            let mut after = sorted([&heaps[..i], &heaps[i + 1..], &left].concat());
            after.push(then);
            next.push(after);
        }
    }
    next
}

fn slow(s: &State, exact: bool) -> Vec<State> {
    let mut next = Vec::new();
    for i in 0..s.len() {
        for j in 0..i {
            let mut after = s.clone();
            after[i] -= 1;
            after[j] -= 1;
            next.push(sorted(after));
        }
        if !exact {
            let mut after = s.clone();
            after[i] -= 1;
            next.push(sorted(after));
        }
    }
    next
}

/// Takes any amounts, not all 0, from the given stacks.
fn amounts(s: &State, stacks: &[usize]) -> Vec<State> {
    let mut found = vec![s.clone()];
    for &i in stacks {
        found = found
            .iter()
            .flat_map(|t| {
                (0..=t[i]).map(move |n| {
                    let mut after = t.clone();
                    after[i] = n;
                    after
                })
            })
            .collect();
    }
    found.retain(|t| t != s);
    found
}

fn circular(s: &State, k: usize) -> Vec<State> {
    (0..s.len())
        .flat_map(|i| {
            let stacks: Vec<usize> = (i..i + k).map(|j| j % s.len()).collect();
            amounts(s, &stacks)
        })
        .collect()
}

/// Moves from (x, y) in a quarter plane, by the amounts taken from each coordinate.
fn plane(s: &State, taken: impl Fn(i32, i32) -> Vec<(i32, i32)>) -> Vec<State> {
    let (x, y) = (s[0], s[1]);
    taken(x, y)
        .into_iter()
        .map(|(a, b)| [&[x - a, y - b], &s[2..]].concat())
        .filter(|t| t.iter().all(|&n| n >= 0))
        .collect()
}

fn rook(x: i32, y: i32) -> Vec<(i32, i32)> {
    let along = (1..=x).map(|k| (k, 0));
    along.chain((1..=y).map(|k| (0, k))).collect()
}

fn queen(x: i32, y: i32) -> Vec<(i32, i32)> {
    let mut moves = rook(x, y);
    moves.extend((1..=x.min(y)).map(|k| (k, k)));
    moves
}

/// Takes `k` from one heap and puts `j` on the other.
fn returning(x: i32, y: i32, allowed: impl Fn(i32, i32) -> bool) -> Vec<(i32, i32)> {
    let mut moves = Vec::new();
    for k in 1..=x.max(y) {
        for j in (1..k).filter(|&j| allowed(k, j)) {
            moves.extend([(k, -j), (-j, k)]);
        }
    }
    moves
}

fn divided(n: i32) -> Vec<State> {
    (0..=n).map(|a| vec![a, n - a]).collect()
}

pub fn case(l: &Literal) -> Option<Case> {
    let heaps = || sorted(l.heaps());
    let field = |name: &str| -> Option<i32> { l.field(name)?.parse().ok() };
    let list = |name: &str| -> Option<State> {
        let text = l.field(name)?;
        let inner = text.trim().strip_prefix('[')?.strip_suffix(']')?;
        inner.split(',').map(|n| n.trim().parse().ok()).collect()
    };
    let pair = || Some(vec![field("m")?, field("n")?]);
    let parameter = |i: usize| -> Option<i32> { l.parameters.get(i)?.parse().ok() };
    let memory = |name: &str| -> Option<State> {
        let mut start = sorted(l.heaps());
        start.push(field(name)?);
        Some(start)
    };
    Some(match l.name.as_str() {
        "SlowNim" => Case::new(heaps(), |s, _| slow(s, false)),
        "ExactSlowNim" => Case::new(heaps(), |s, _| slow(s, true)),
        "CircularNim" => {
            let k = usize::try_from(parameter(0)?).ok()?;
            Case::new(list("stack")?, move |s, _| circular(s, k))
        }
        "Mark" => Case::new(heaps(), |s, _| {
            one_heap(s, |n| vec![vec![n - 1], vec![n / 2]])
        }),
        "CouplesAreForever" => Case::new(heaps(), |s, _| {
            one_heap(s, |n| {
                let mut parts = if n > 2 { divided(n) } else { vec![] };
                parts.retain(|p| p.iter().all(|&a| a > 0));
                parts
            })
        }),
        "Rims" => Case::new(heaps(), |s, _| {
            one_heap(s, |n| (1..=n).flat_map(|k| divided(n - k)).collect())
        }),
        "Rails" => Case::new(heaps(), |s, _| {
            one_heap(s, |n| {
                let most = n.min(2);
                (1..=most).flat_map(|k| divided(n - k)).collect()
            })
        }),
        "SubtractASquare" => Case::new(heaps(), |s, _| {
            one_heap(s, |n| {
                (1..)
                    .map(|r| r * r)
                    .take_while(|q| *q <= n)
                    .map(|q| vec![n - q])
                    .collect()
            })
        }),
        "Antonim" => Case::new(heaps(), |s, _| {
            let mut next = one_heap(s, |n| (0..n).map(|k| vec![k]).collect());
            next.retain(|t| t.windows(2).all(|w| w[0] != w[1]));
            next
        }),
        "OddOrEvenNim" => Case::new(memory("parity")?, |s, _| {
            remembering(s, |n, parity| {
                let fits = |k: &i32| parity == 2 || k % 2 == parity;
                let taken = (1..=n).filter(fits);
                taken
                    .flat_map(|k| [(vec![n - k], 0), (vec![n - k], 1)])
                    .collect()
            })
        }),
        "Nimania" => Case::new(memory("k")?, |s, _| {
            remembering(s, |n, k| vec![((0..=k).map(|_| n - 1).collect(), k + 1)])
        }),
        "Splittles" => {
            let (ours, theirs) = (l.set(0), l.set(1));
            Case::new(heaps(), move |s, left| {
                one_heap(s, |n| {
                    let set = if left { &ours } else { &theirs };
                    let taken = set.iter().filter(|k| **k <= n);
                    taken.flat_map(|k| divided(n - k)).collect()
                })
            })
        }
        "RyuoNim" => Case::new(pair()?, |s, _| {
            plane(s, |x, y| [rook(x, y), vec![(1, 1)]].concat())
        }),
        "CyclicNimhoff" => {
            let h = parameter(0)?;
            Case::new(pair()?, move |s, _| {
                plane(s, |x, y| {
                    let both = (1..h).flat_map(|i| (1..h - i).map(move |j| (i, j)));
                    [rook(x, y), both.collect()].concat()
                })
            })
        }
        "WythoffT" => {
            let t = parameter(0)?;
            Case::new(pair()?, move |s, _| {
                plane(s, |x, y| {
                    let both = (1..=x).flat_map(|i| (1..=y).map(move |j| (i, j)));
                    let near = both.filter(|(i, j)| (i - j).abs() < t);
                    [rook(x, y), near.collect()].concat()
                })
            })
        }
        "MaharajaNim" => Case::new(pair()?, |s, _| {
            plane(s, |x, y| [queen(x, y), vec![(1, 2), (2, 1)]].concat())
        }),
        "YamaNim" => Case::new(pair()?, |s, _| {
            plane(s, |x, y| returning(x, y, |_, j| j == 1))
        }),
        "TriangularNim" => Case::new(pair()?, |s, _| {
            plane(s, |x, y| returning(x, y, |_, _| true))
        }),
        "TriangularWythoff" => Case::new(pair()?, |s, _| {
            plane(s, |x, y| {
                let both = (1..=x.min(y)).map(|k| (k, k));
                [returning(x, y, |_, _| true), both.collect()].concat()
            })
        }),
        "WythoffWithPass" => {
            let mut start = pair()?;
            start.push(field("pass")?);
            Case::new(start, |s, _| {
                let mut next = plane(s, queen);
                if s[2] > 0 && s[0] + s[1] > 0 {
                    next.push(vec![s[0], s[1], s[2] - 1]);
                }
                next
            })
        }
        "NimThenWythoff" => {
            let mut start = pair()?;
            start.push(field("button")?);
            Case::new(start, |s, _| {
                if s[2] == 0 {
                    return plane(s, queen);
                }
                let mut next = plane(s, rook);
                next.push(vec![s[0], s[1], 0]);
                next
            })
        }
        "Rule60" => {
            let start = vec![field("matches")?, field("tokens")?, field("last")?];
            Case::new(start, |s, _| {
                let mut next = Vec::new();
                for i in 1..=s[0] {
                    for j in 0..=s[1].min(s[2]) {
                        if i < s[0] || j == s[1] {
                            next.push(vec![s[0] - i, s[1] - j, i]);
                        }
                    }
                }
                next
            })
        }
        "RobinHood" => {
            let text = l.field("wealth")?;
            let wealth: State = super::literal::numbers(&text);
            Case::new([&[field("n")?], &wealth[..]].concat(), |s, left| {
                let (me, other) = if left { (1, 2) } else { (2, 1) };
                (1..=s[0].min(s[me]))
                    .map(|k| {
                        let mut after = s.clone();
                        after[0] -= k;
                        after[other] = (after[other] - k).max(0);
                        after
                    })
                    .collect()
            })
        }
        "King" => Case::new(pair()?, |s, _| {
            plane(s, |_, _| vec![(1, 0), (0, 1), (1, 1)])
        }),
        "BuildingNim" => {
            let n = l.rows()[0].len();
            let mut start = list("heap").unwrap_or(vec![0; n]);
            start.push(field("left")?);
            Case::new(start, move |s, _| {
                let mut next = Vec::new();
                for i in 0..n {
                    if s[n] > 0 {
                        let mut after = s.clone();
                        after[i] += 1;
                        after[n] -= 1;
                        next.push(after);
                    } else {
                        next.extend(amounts(s, &[i]));
                    }
                }
                next
            })
        }
        "IMark" => {
            let (less, over) = (l.set(0), l.set(1));
            Case::new(heaps(), move |s, _| {
                one_heap(s, |n| {
                    let taken = less.iter().filter(|k| **k <= n).map(|k| n - k);
                    let parts = over.iter().filter(|d| n % **d == 0).map(|d| n / d);
                    taken.chain(parts).map(|m| vec![m]).collect()
                })
            })
        }
        "ImitationNim" => {
            let mut start = pair()?;
            start.push(field("x")?);
            Case::new(start, |s, _| {
                let mut next = Vec::new();
                for i in 0..2 {
                    let (mine, other) = (s[i], s[1 - i]);
                    for k in (1..=mine).filter(|k| mine <= other || *k != s[2]) {
                        let mut after = s.clone();
                        after[i] -= k;
                        after[2] = if mine <= other { k } else { 0 };
                        next.push(after);
                    }
                }
                next
            })
        }
        "AtMost" => {
            let c = parameter(0)?;
            Case::new(memory("limit")?, move |s, _| {
                remembering(s, |n, limit| {
                    let taken = 1..=n.min(limit);
                    taken.map(|k| (vec![n - k], c * k)).collect()
                })
            })
        }
        "Maliquot" => Case::new(heaps(), |s, _| {
            one_heap(s, |n| {
                let proper = (1..n).filter(|d| n % d == 0);
                proper.map(|d| vec![d]).collect()
            })
        }),
        "PartizanEuclid" => Case::new(vec![field("p")?, field("q")?], |s, left| {
            let (q, t) = (s[1], s[0] % s[1]);
            match (t, left) {
                (0, _) => vec![],
                (_, true) => vec![vec![q, t]],
                _ => vec![vec![q, q - t]],
            }
        }),
        "MEuclid" => Case::new(pair()?, |s, _| {
            let (x, y) = (s[0].max(s[1]), s[0].min(s[1]));
            if x % y == 0 {
                return vec![];
            }
            (1..=x / y).map(|k| vec![x - k * y, y]).collect()
        }),
        "ThirtyOne" => {
            let mut start = list("cards")?;
            start.push(field("left")?);
            Case::new(start, |s, _| {
                let mut next = Vec::new();
                let n = s.len() - 1;
                for i in (0..n).filter(|&i| s[i] > 0 && s[n] > i as i32) {
                    let mut after = s.clone();
                    after[i] -= 1;
                    after[n] -= i as i32 + 1;
                    next.push(after);
                }
                next
            })
        }
        _ => return None,
    })
}

/// Claims by their names in the files.
pub const CLAIMS: &[Claim] = &[];
