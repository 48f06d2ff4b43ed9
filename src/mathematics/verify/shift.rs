//! Checks of witnesses of periods with a saltus, G(n + p) = G(n) + s, for rules that leave at most one heap. The values and
//! both states are recomputed from the plain definition.

use super::{Refusal, is_genuine, refuse};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// The theorem that this kind of witness rests on (its proof is short: mex commutes with translation).
pub const SHIFT_THEOREM: &str = "state repetition: what may be taken is the same for all heaps beyond K, so the last K \
values and the values of the heaps that all later heaps reach determine what follows; if from heap N to heap N + p they \
change by adding s (where the latter set is compared above its least missing number), then G(n + p) = G(n) + s for all \
n >= N - K";

/// The greatest number of values of such a witness.
const MOST_VALUES: usize = 200_000;

/// A set of numbers of counters.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Amounts {
    /// The numbers listed, increasing, from 1 on.
    pub listed: Vec<u32>,
    /// Whether the set is the complement of the list.
    pub all_but: bool,
}

impl Amounts {
    /// Whether each number up to `most` is in the set. The list must be increasing.
    fn table(&self, most: usize) -> Vec<bool> {
        let mut has = vec![self.all_but; most + 1];
        for s in &self.listed {
            if let Some(has) = has.get_mut(*s as usize) {
                *has = !self.all_but;
            }
        }
        has
    }

    fn last(&self) -> usize {
        self.listed.iter().max().map_or(0, |s| *s as usize)
    }
}

/// A claim that G(n + p) = G(n) + s for all n from some n on.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ShiftWitness {
    /// [`VERSION`](super::VERSION).
    pub cgdsl_shift_witness: u32,
    /// The name of the rule, for people.
    pub name: String,
    /// The amounts that may be taken from a larger heap.
    pub partly: Amounts,
    /// The heaps that may be taken as a whole.
    pub wholly: Amounts,
    /// [`SHIFT_THEOREM`].
    pub theorem: String,
    /// The period p.
    pub period: u64,
    /// The saltus s.
    pub saltus: u64,
    /// The least n from which on the equation holds.
    pub preperiod: u64,
    /// The heap N of the theorem.
    pub state_at: u64,
    /// G(0), G(1), .. up to G(N + p - 1).
    pub values: Vec<u32>,
    /// As in [`super::Witness`].
    pub hash: String,
}

impl ShiftWitness {
    /// The hash that the witness should carry.
    #[must_use]
    pub fn right_hash(&self) -> String {
        let mut hash = super::Hash::default();
        hash.eat(&self.cgdsl_shift_witness.to_le_bytes());
        hash.eat(self.name.as_bytes());
        hash.eat(self.theorem.as_bytes());
        for amounts in [&self.partly, &self.wholly] {
            hash.eat(&[u8::from(amounts.all_but)]);
            for s in &amounts.listed {
                hash.eat(&s.to_le_bytes());
            }
        }
        for n in [self.period, self.saltus, self.preperiod, self.state_at] {
            hash.eat(&n.to_le_bytes());
        }
        for v in &self.values {
            hash.eat(&v.to_le_bytes());
        }
        hash.to_string()
    }
}

/// Checks a witness. `progress` gets the number of values checked so far, and ends the check by returning false.
///
/// # Errors
/// The first thing that is wrong.
pub fn check_shift(w: &ShiftWitness, progress: &mut dyn FnMut(u64) -> bool) -> Result<(), Refusal> {
    is_genuine(
        w.cgdsl_shift_witness,
        (&w.hash, w.right_hash()),
        (&w.theorem, &[SHIFT_THEOREM]),
    )?;
    if w.values.len() > MOST_VALUES {
        return refuse(format!("more than {MOST_VALUES} values"));
    }
    for amounts in [&w.partly, &w.wholly] {
        if !amounts.listed.is_sorted_by(|a, b| a < b) || amounts.listed.first() == Some(&0) {
            return refuse("the rule's lists are not increasing numbers from 1 on");
        }
    }
    if w.period == 0 {
        return refuse("a period is at least 1");
    }
    let reach = w.partly.last().max(w.wholly.last()).max(1);
    if w.state_at.checked_add(w.period) != Some(w.values.len() as u64) {
        return refuse("there are not as many values as the states ask for");
    }
    // Both are at most the number of values.
    let size = |n: u64| usize::try_from(n).unwrap_or(usize::MAX);
    let (at, p) = (size(w.state_at), size(w.period));
    if at <= reach {
        return refuse("the state is told at a heap that is not beyond what the rule lists");
    }
    let Ok(saltus) = u32::try_from(w.saltus) else {
        return refuse("the saltus is larger than any value");
    };
    values(w, progress)?;
    let (before, after) = (state(w, at, reach), state(w, at + p, reach));
    if after.0.checked_sub(before.0) != Some(saltus) || before.1 != after.1 || before.2 != after.2 {
        return refuse(format!(
            "the state at heap {} is not that at heap {at} with {saltus} added",
            at + p
        ));
    }
    equation(w, at - reach, p, saltus)
}

/// Checks that the preperiod is the least and that no divisor of the period is a period.
fn equation(w: &ShiftWitness, proven: usize, p: usize, saltus: u32) -> Result<(), Refusal> {
    let g = &w.values;
    let holds = |n: usize| g[n].checked_add(saltus) == Some(g[n + p]);
    let n0 = usize::try_from(w.preperiod).unwrap_or(usize::MAX);
    if n0 > proven {
        return refuse("the preperiod is not the least");
    }
    if let Some(n) = (n0..proven).find(|n| !holds(*n)) {
        return refuse(format!("G({}) is not G({n}) + {saltus}", n + p));
    }
    if n0 > 0 && holds(n0 - 1) {
        return refuse("the preperiod is not the least");
    }
    // If q is a smaller period, p is a multiple of q, and the saltus is the same multiple of that of q.
    let smaller = (1..p).filter(|q| p.is_multiple_of(*q)).find(|q| {
        let times = u32::try_from(p / q).unwrap_or(u32::MAX);
        saltus.is_multiple_of(times)
            && (n0..g.len() - q).all(|n| g[n].checked_add(saltus / times) == Some(g[n + q]))
    });
    match smaller {
        Some(q) => refuse(format!("{q} is a period already")),
        None => Ok(()),
    }
}

/// The state at heap n: the least number that is not among the values of the heaps that all heaps from `n` on reach; those
/// of these values that are greater, and the last values, both relative to that number.
fn state(w: &ShiftWitness, n: usize, reach: usize) -> (u32, BTreeSet<u32>, Vec<i64>) {
    let mut used: BTreeSet<u32> = BTreeSet::new();
    if w.partly.all_but {
        used.extend(&w.values[1..n - reach]);
    }
    if w.wholly.all_but {
        used.insert(0);
    }
    let least = (0..).find(|v| !used.contains(v)).unwrap_or(u32::MAX);
    let above = used
        .iter()
        .filter(|v| **v > least)
        .map(|v| v - least)
        .collect();
    let recent = w.values[n - reach..n].iter();
    (
        least,
        above,
        recent.map(|v| i64::from(*v) - i64::from(least)).collect(),
    )
}

/// Checks that each value is the mex of the values of its options, by the definition.
fn values(w: &ShiftWitness, progress: &mut dyn FnMut(u64) -> bool) -> Result<(), Refusal> {
    let mut met = vec![usize::MAX; w.values.len() + 1];
    let most = w.values.len();
    let (partly, wholly) = (w.partly.table(most), w.wholly.table(most));
    for (n, claimed) in w.values.iter().enumerate() {
        for left in 0..n {
            let amounts = if left == 0 { &wholly } else { &partly };
            if amounts[n - left]
                && let Some(met) = met.get_mut(w.values[left] as usize)
            {
                *met = n;
            }
        }
        let mex = met.iter().take_while(|m| **m == n).count();
        if mex != *claimed as usize {
            return refuse(format!("G({n}) is not {claimed}"));
        }
        if n % 256 == 0 && !progress(n as u64) {
            return Err(Refusal::Ended);
        }
    }
    Ok(())
}
