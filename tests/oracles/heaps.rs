//! Games on heaps and on a few numbers, each from its definition. A state lists what is left.

use super::brute::{Case, State};
use super::literal::{Literal, numbers};

fn replace(state: &State, i: usize, with: &[i32]) -> State {
    let mut next = state.clone();
    next.remove(i);
    next.extend(with.iter().filter(|&&n| n > 0));
    next.sort_unstable();
    next
}

/// Games on separate heaps: `parts(n, left)` lists what a heap of n may become.
fn one_heap(start: State, parts: impl Fn(i32, bool) -> Vec<Vec<i32>> + 'static) -> Case {
    Case::new(start, move |state, left| {
        let mut next = Vec::new();
        for i in 0..state.len() {
            next.extend(parts(state[i], left).iter().map(|p| replace(state, i, p)));
        }
        next
    })
}

/// All ways to write `total` as an ordered sum of `parts` positive numbers.
fn parts_of(total: i32, parts: u32) -> Vec<Vec<i32>> {
    match parts {
        0 => {
            if total == 0 {
                vec![vec![]]
            } else {
                vec![]
            }
        }
        _ => (1..=total)
            .flat_map(|a| {
                parts_of(total - a, parts - 1)
                    .into_iter()
                    .map(move |p| [vec![a], p].concat())
            })
            .collect(),
    }
}

fn code(text: &str) -> Vec<u32> {
    text.trim_matches('"')
        .split('.')
        .nth(1)
        .expect("a code")
        .chars()
        .map(|c| c.to_digit(16).expect("a digit"))
        .collect()
}

/// A code: k counters may be taken and b heaps left if bit b of digit k is set.
fn take_and_break(text: &str, start: State) -> Case {
    let digits = code(text);
    one_heap(start, move |n, _| {
        let mut options = Vec::new();
        for k in 1..=n {
            let digit = digits.get(k as usize - 1).copied().unwrap_or(0);
            (0..4)
                .filter(|b| digit >> b & 1 == 1)
                .for_each(|b| options.extend(parts_of(n - k, b)));
        }
        options
    })
}

pub fn case(l: &Literal) -> Option<Case> {
    let heaps = l.heaps();
    Some(match l.name.as_str() {
        "Nim" => one_heap(heaps, |n, _| (0..n).map(|m| vec![m]).collect()),
        "Subtraction" => {
            let set = l.set(0);
            one_heap(heaps, move |n, _| {
                set.iter()
                    .filter(|&&s| s <= n)
                    .map(|s| vec![n - s])
                    .collect()
            })
        }
        "PartizanSubtraction" => {
            let sets = [l.set(0), l.set(1)];
            one_heap(heaps, move |n, left| {
                sets[usize::from(!left)]
                    .iter()
                    .filter(|&&s| s <= n)
                    .map(|s| vec![n - s])
                    .collect()
            })
        }
        "Octal" | "Hexadecimal" => take_and_break(&l.parameters[0], heaps),
        "Kayles" => one_heap(heaps, |n, _| {
            let rows = |k: i32| (0..=n - k).map(move |a| vec![a, n - k - a]);
            rows(1).chain(rows(2)).collect()
        }),
        "PartizanKayles" => one_heap(heaps, |n, left| {
            let k = if left { 1 } else { 2 };
            (0..=n - k).map(|a| vec![a, n - k - a]).collect()
        }),
        "Grundy" => one_heap(heaps, |n, _| {
            (1..n)
                .filter(|a| 2 * a != n)
                .map(|a| vec![a, n - a])
                .collect()
        }),
        "MooreNim" => Case::new(heaps, |state, _| {
            let mut next = Vec::new();
            for i in 0..state.len() {
                for a in 0..state[i] {
                    let mut one = state.clone();
                    one[i] = a;
                    for j in i + 1..state.len() {
                        for b in 0..state[j] {
                            let mut two = one.clone();
                            two[j] = b;
                            next.push(two);
                        }
                    }
                    next.push(one);
                }
            }
            next
        }),
        // The limit comes first, then the heaps.
        "FibonacciNim" => {
            let limit: i32 = l.field("limit")?.parse().ok()?;
            Case::new([vec![limit], heaps].concat(), |state, _| {
                let mut next = Vec::new();
                for i in 1..state.len() {
                    for k in 1..=state[i].min(state[0]) {
                        let mut after = state.clone();
                        after[i] -= k;
                        after[0] = 2 * k;
                        next.push(after);
                    }
                }
                next
            })
        }
        // The cakes one after another, each as rows, columns.
        "Cutcake" | "MaundyCake" => {
            let equal = l.name == "MaundyCake";
            let start: State = l.entries.iter().flat_map(|e| numbers(e)).collect();
            Case::new(start, move |state, left| {
                let mut next = Vec::new();
                for i in (0..state.len()).step_by(2) {
                    let (m, n) = (state[i], state[i + 1]);
                    let side = if left { n } else { m };
                    for a in 1..side {
                        let pieces = match equal {
                            true if side % a == 0 => vec![a; (side / a) as usize],
                            true => continue,
                            false => vec![a, side - a],
                        };
                        let mut after = [&state[..i], &state[i + 2..]].concat();
                        pieces
                            .iter()
                            .for_each(|&x| after.extend(if left { [m, x] } else { [x, n] }));
                        next.push(after);
                    }
                }
                next
            })
        }
        "Wythoff" | "Euclid" | "Grossman" => {
            let start = vec![l.field("m")?.parse().ok()?, l.field("n")?.parse().ok()?];
            let name = l.name.clone();
            Case::new(start, move |s, _| {
                let (m, n) = (s[0], s[1]);
                let mut next: Vec<State> = Vec::new();
                match name.as_str() {
                    "Wythoff" => {
                        next.extend((0..m).map(|a| vec![a, n]));
                        next.extend((0..n).map(|b| vec![m, b]));
                        next.extend((1..=m.min(n)).map(|k| vec![m - k, n - k]));
                    }
                    _ if m > 0 && n > 0 => {
                        let least = i32::from(name == "Grossman");
                        next.extend(
                            (1..=m)
                                .map(|k| vec![m - k * n, n])
                                .filter(|s| s[0] >= least),
                        );
                        next.extend(
                            (1..=n)
                                .map(|k| vec![m, n - k * m])
                                .filter(|s| s[1] >= least),
                        );
                    }
                    _ => {}
                }
                next
            })
        }
        _ => return None,
    })
}
