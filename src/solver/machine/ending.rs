//! Proves that play ends: values are weighted so that every ground instance lowers the sum of the weights of all variables.
//! The answer is the reason as a sentence. `None` means that no proof was found, not that play can go on for ever.
//!
//! A few simple weightings are tried first. Then weights for the values of each variable are searched for, starting from
//! zero: if an instance does not lower the sum, the values it writes become lighter and the values it overwrites heavier,
//! until all instances lower the sum (the perceptron, F. Rosenblatt, *Psychological Review* 65, 1958; if such weights exist,
//! finitely many corrections find them, A. Novikoff, 1962; this search stops at a limit). Every result is checked instance by
//! instance. Nothing is searched for where one instance takes back what another one does: then no weights exist.

use crate::ir::ground::condition::Phase;
use crate::ir::ground::{Ground, GroundInstance, NEVER, Write, bits};
use crate::ir::val::{Piece, Val};
use rustc_hash::FxHashSet;

/// The most steps (instances times rounds) of the search for weights.
const MOST: usize = 1 << 15;

/// Why play ends, as a sentence.
pub(super) fn why_it_ends(ground: &Ground) -> Option<String> {
    // The checks below do not see conditional writes.
    let some = |p: &Phase| matches!(p, Phase::When(_));
    if ground.instances.iter().any(|m| m.phases.iter().any(some)) {
        return None;
    }
    let weightings: [(&str, fn(&Val) -> i64); 5] = [
        (
            "every move removes something, and nothing comes back",
            |v| {
                i64::from(!matches!(
                    v,
                    Val::Piece(Piece::Off | Piece::Wall) | Val::Bool(false)
                ))
            },
        ),
        (
            "every move fills an empty site or takes one away",
            |v| match v {
                Val::Piece(Piece::Empty) => 2,
                Val::Piece(Piece::Declared(_)) => 1,
                Val::Bool(true) => 1,
                _ => 0,
            },
        ),
        ("every move takes a piece off", |v| match v {
            Val::Piece(Piece::Declared(_)) | Val::Bool(true) => 1,
            Val::Piece(Piece::Empty) => 0,
            _ => 0,
        }),
        ("every move lowers the sum of the counts", |v| match v {
            Val::Int(n) => n.to_i64().unwrap_or(0),
            _ => 0,
        }),
        (
            "every move lowers the sum of the counts or takes something away",
            |v| match v {
                Val::Int(n) => n.to_i64().unwrap_or(0),
                Val::Piece(Piece::Declared(_)) | Val::Bool(true) => 1,
                _ => 0,
            },
        ),
    ];
    for (why, weight) in weightings {
        let weights: Vec<Vec<i64>> = ground
            .values
            .iter()
            .map(|values| values.iter().map(weight).collect())
            .collect();
        if all_lower(ground, &weights) {
            return Some(why.to_owned());
        }
    }
    weighted(ground).then(|| "every move lowers a weighted sum of what lies where".to_owned())
}

// A variable, and the numbers of the value written and of the value overwritten.
type Change = (usize, usize, usize);

fn all_lower(ground: &Ground, weights: &[Vec<i64>]) -> bool {
    let mut changes = Vec::new();
    let able = |m: &&GroundInstance| m.fault.is_none();
    ground
        .instances
        .iter()
        .filter(able)
        .all(|m| worst(ground, m, weights, &mut changes) < 0)
}

// Searches for weights that every instance lowers. The weight of a count is a multiple of the count; other weights are free.
fn weighted(ground: &Ground) -> bool {
    // Instances that remove what is cut off are not analysed here.
    if ground.instances.is_empty() || ground.instances.iter().any(|m| m.keep.is_some()) {
        return false;
    }
    if is_taken_back(ground) {
        return false;
    }
    let count = |v: &Val| match v {
        Val::Int(n) => n.to_i64().filter(|n| n.unsigned_abs() < 1 << 16),
        _ => None,
    };
    let counts: Vec<Option<Vec<i64>>> = ground
        .values
        .iter()
        .map(|values| values.iter().map(count).collect())
        .collect();
    let mut each = vec![0i64; counts.len()];
    let mut weights: Vec<Vec<i64>> = ground
        .values
        .iter()
        .map(|values| vec![0; values.len()])
        .collect();
    let mut changes = Vec::new();
    for _ in 0..MOST / ground.instances.len() {
        let mut all = true;
        for m in ground.instances.iter().filter(|m| m.fault.is_none()) {
            if worst(ground, m, &weights, &mut changes) < 0 {
                continue;
            }
            if changes.iter().all(|(_, new, old)| new == old) {
                // The instance may change nothing at all.
                return false;
            }
            all = false;
            for (var, new, old) in &changes {
                match &counts[*var] {
                    Some(counts) => {
                        each[*var] -= counts[*new] - counts[*old];
                        for (weight, n) in weights[*var].iter_mut().zip(counts) {
                            *weight = each[*var].saturating_mul(*n);
                        }
                    }
                    None => {
                        weights[*var][*new] -= 1;
                        weights[*var][*old] += 1;
                    }
                }
            }
        }
        if all {
            return all_lower(ground, &weights);
        }
    }
    false
}

/// Whether one instance takes back all that another one does, so that both cannot lower a sum.
fn is_taken_back(ground: &Ground) -> bool {
    let mut seen: FxHashSet<Vec<(u32, usize, usize)>> = FxHashSet::default();
    for m in ground.instances.iter().filter(|m| m.fault.is_none()) {
        // What is overwritten must be known.
        let change = |(var, write): &(u32, Write)| {
            let Write::Value(new) = write else {
                return None;
            };
            let (_, guard) = m.guard.iter().find(|(v, _)| v == var)?;
            let old = guard.trailing_zeros() as usize;
            (guard.count_ones() == 1).then(|| (*var, old, usize::from(*new)))
        };
        let changes: Option<Vec<_>> = m.update.iter().map(change).collect();
        let Some(changes) = changes else { continue };
        let back = changes.iter().map(|(var, old, new)| (*var, *new, *old));
        if seen.contains(&back.collect::<Vec<_>>()) {
            return true;
        }
        seen.insert(changes);
    }
    false
}

/// The most by which an instance can raise the sum of the weights, over all positions, and the changes that attain it.
fn worst(
    ground: &Ground,
    m: &GroundInstance,
    weights: &[Vec<i64>],
    changes: &mut Vec<Change>,
) -> i64 {
    changes.clear();
    let mut sum = 0i64;
    for (var, write) in &m.update {
        let var = *var as usize;
        let of = |n: usize| weights[var].get(n).copied().unwrap_or(0);
        let guard_of = |var: usize| {
            let guard = m.guard.iter().find(|(v, _)| *v as usize == var);
            guard.map_or(u64::MAX, |g| g.1)
        };
        let left =
            |var: usize| bits(guard_of(var)).take_while(move |i| *i < ground.values[var].len());
        let to = |t: &[u8], i: usize| t.get(i).filter(|n| **n != NEVER).map(|n| usize::from(*n));
        let lightest = || left(var).min_by_key(|i| of(*i));
        let change = match write {
            Write::Value(n) => lightest().map(|old| (usize::from(*n), old)),
            Write::Table(y, t) if *y as usize != var => {
                let new = left(*y as usize).filter_map(|i| to(t, i));
                new.max_by_key(|n| of(*n)).zip(lightest())
            }
            Write::Table(_, t) | Write::Plus(t) => {
                let pairs = left(var).filter_map(|i| to(t, i).map(|n| (n, i)));
                pairs.max_by_key(|(new, old)| of(*new).saturating_sub(of(*old)))
            }
        };
        if let Some((new, old)) = change {
            sum = sum.saturating_add(of(new).saturating_sub(of(old)));
            changes.push((var, new, old));
        }
    }
    sum
}
