//! Fits families of moves `n -> [a linear form, ..]` under linear constraints by plain ways that allow the same moves for
//! every n. The argument is in the parent module.

use super::linear::{Constraint, Linear};
use super::{Amounts, Reason, Reductions, Way};
use std::collections::{BTreeMap, BTreeSet};

/// The largest absolute value of a constant in a constraint.
const MAX_CONSTANT: i64 = 1000;

/// The heaps left by one choice, as linear forms under constraints.
#[derive(Clone, Debug)]
pub(super) struct Family {
    pub(super) parts: Vec<Linear>,
    pub(super) unknowns: usize,
    pub(super) constraints: Vec<Constraint>,
}

/// The partitions of `rest` into exactly `heaps` non-empty heaps (0 to 3), each in increasing order; with `distinct`, into
/// heaps of different sizes.
fn divisions(rest: i64, heaps: u8, distinct: bool) -> BTreeSet<Vec<i64>> {
    let mut found = BTreeSet::new();
    match heaps {
        0 => {
            if rest == 0 {
                found.insert(Vec::new());
            }
        }
        1 => {
            if rest > 0 {
                found.insert(vec![rest]);
            }
        }
        2 => {
            for a in 1..=rest / 2 {
                if !distinct || 2 * a != rest {
                    found.insert(vec![a, rest - a]);
                }
            }
        }
        _ => {
            for a in 1..=rest / 3 {
                for b in a..=(rest - a) / 2 {
                    let c = rest - a - b;
                    if !distinct || (a != b && b != c) {
                        found.insert(vec![a, b, c]);
                    }
                }
            }
        }
    }
    found
}

/// The largest absolute value of a constant in the families.
fn constant(families: &[Family]) -> Result<i64, Reason> {
    let forms = families
        .iter()
        .flat_map(|f| f.parts.iter().chain(f.constraints.iter().map(|c| &c.form)));
    let mut constant = 0;
    for f in forms {
        let slopes = f.x.iter().chain([&f.n]);
        if f.c.abs() > MAX_CONSTANT || slopes.into_iter().any(|s| s.abs() > 2) {
            return Err("a constant of the rule is too large".into());
        }
        constant = constant.max(f.c.abs());
    }
    let unknowns = families.iter().map(|f| f.unknowns).max().unwrap_or(0);
    if unknowns == 2 && constant > 40 || unknowns == 1 && constant > 300 {
        return Err("a constant of the rule is too large".into());
    }
    Ok(constant)
}

/// Enumerates the choices for heaps of 1 to `bound`. Calls `each` with the heap and the heaps left, in increasing order.
fn choices(
    families: &[Family],
    constant: i64,
    bound: i64,
    mut each: impl FnMut(i64, Vec<i64>) -> Result<(), Reason>,
) -> Result<(), Reason> {
    for f in families {
        for n in 1..=bound {
            let range = |i: usize| {
                if f.unknowns > i {
                    -constant..=n + constant
                } else {
                    0..=0
                }
            };
            for x in range(0) {
                for y in range(1) {
                    let x = [x, y];
                    if !f.constraints.iter().all(|c| c.holds(n, &x)) {
                        continue;
                    }
                    let mut parts: Vec<i64> = f.parts.iter().map(|p| p.at(n, &x)).collect();
                    if parts.iter().any(|p| *p < 0) {
                        return Err("a heap would become negative".into());
                    }
                    parts.retain(|p| *p > 0);
                    parts.sort_unstable();
                    each(n, parts)?;
                }
            }
        }
    }
    Ok(())
}

/// The amounts that may be taken, if a move leaves at most one heap. As for [`fit`], the argument is that agreement for all
/// n up to a bound beyond every constant implies agreement for all n.
pub(super) fn fit_amounts(families: &[Family]) -> Result<Reductions, Reason> {
    let constant = constant(families)?;
    let bound = 4 * constant + 12;
    // Pairs (taken, left).
    let mut allowed: BTreeSet<(i64, i64)> = BTreeSet::new();
    choices(families, constant, bound, |n, parts| {
        let left =
            match parts[..] {
                [] => 0,
                [left] => left,
                _ => return Err(
                    "a move leaves more than one heap, and there is no bound to what may be taken"
                        .into(),
                ),
            };
        if left >= n {
            return Err("a move may leave its heap as it is, or larger".into());
        }
        allowed.insert((n - left, left));
        Ok(())
    })?;
    let late = 2 * constant + 5;
    let amounts = |may: &dyn Fn(i64) -> bool, last: i64| -> Result<Amounts, Reason> {
        let all_but = may(last);
        let listed = (1..=last).filter(|s| may(*s) != all_but);
        let listed: Vec<u32> = listed.filter_map(|s| u32::try_from(s).ok()).collect();
        match listed.last() {
            Some(s) if i64::from(*s) >= late => {
                Err("what may be taken never becomes the same for all large heaps".into())
            }
            _ => Ok(Amounts { listed, all_but }),
        }
    };
    for s in 1..bound {
        let first = allowed.contains(&(s, 1));
        if (2..=bound - s).any(|left| allowed.contains(&(s, left)) != first) {
            return Err("what may be taken depends on the heap".into());
        }
    }
    Ok(Reductions {
        partly: amounts(&|s| allowed.contains(&(s, 1)), bound - 1)?,
        wholly: amounts(&|s| allowed.contains(&(s, 0)), bound)?,
    })
}

/// The plain ways that allow exactly what the families allow.
pub(super) fn fit(families: &[Family]) -> Result<Vec<Way>, Reason> {
    let constant = constant(families)?;
    let bound = 4 * constant + 12;
    // Maps the number taken, then n, to the allowed partitions.
    let mut allowed: BTreeMap<i64, BTreeMap<i64, BTreeSet<Vec<i64>>>> = BTreeMap::new();
    choices(families, constant, bound, |n, parts| {
        let taken = n - parts.iter().sum::<i64>();
        if taken < 0 || taken > 2 * constant + 4 {
            return Err("there is no bound to what may be taken".into());
        }
        if parts.len() > 3 {
            return Err("a move leaves more than three heaps".into());
        }
        let by_n = allowed.entry(taken).or_default();
        by_n.entry(n).or_default().insert(parts);
        Ok(())
    })?;
    let mut ways = Vec::new();
    let none = BTreeSet::new();
    for (taken, by_n) in &allowed {
        for heaps in 0..=3u8 {
            let here = |n: i64| -> BTreeSet<Vec<i64>> {
                let all = by_n.get(&n).unwrap_or(&none).iter();
                all.filter(|p| p.len() == usize::from(heaps))
                    .cloned()
                    .collect()
            };
            let reach = (*taken).max(1)..=bound;
            if reach.clone().all(|n| here(n).is_empty()) {
                continue;
            }
            let fits = |distinct: bool| {
                reach
                    .clone()
                    .all(|n| here(n) == divisions(n - taken, heaps, distinct))
            };
            let distinct = if fits(false) {
                false
            } else if fits(true) {
                true
            } else {
                return Err("what may be left depends on more than how many heaps it is".into());
            };
            if *taken == 0 && heaps < 2 {
                return Err("a move may leave its heap as it is".into());
            }
            ways.push(Way {
                taken: u32::try_from(*taken).unwrap_or(u32::MAX),
                heaps,
                distinct,
            });
        }
    }
    ways.sort_unstable();
    Ok(ways)
}
