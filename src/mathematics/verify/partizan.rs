//! Checks of witnesses of periods of partizan rules that leave at most one heap. Which heaps are equal is computed from the
//! definition of the order of games alone (G <= H if no Left option of G is >= H and no Right option of H is <= G; Conway
//! 1976), not from canonical forms.

use super::{Hash, Refusal, Way, is_genuine, refuse};
use serde::{Deserialize, Serialize};

/// The theorem that this kind of witness rests on.
pub const PARTIZAN_THEOREM: &str = "state repetition: if each move takes at most k counters and leaves at most one heap, \
the last k values determine the next, so if G(n + p) = G(n) for n0 <= n < m + k, then it holds for all n >= n0; here \
m = n0, but m = 1 if n0 = 0, unless an empty heap may count as a heap";

/// The text that earlier witnesses have in its place; the checks are the same.
const PARTIZAN_THEOREM_BEFORE: &str = "state repetition: if each move takes at most k counters and leaves at most one \
heap, the last k values determine the next, so if G(n + p) = G(n) for n0 <= n < n0 + k, then it holds for all n >= n0";

/// The greatest number of heaps of such a witness; all pairs of them are compared.
const MOST_HEAPS: usize = 6000;

/// A claim that the values of heaps are periodic.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PartizanWitness {
    /// [`VERSION`](super::VERSION).
    pub cgdsl_partizan_witness: u32,
    /// The name of the rule, for people.
    pub name: String,
    /// Left's ways to move, sorted.
    pub left: Vec<Way>,
    /// Right's ways to move, sorted.
    pub right: Vec<Way>,
    /// [`PARTIZAN_THEOREM`].
    pub theorem: String,
    /// The period p.
    pub period: u64,
    /// The preperiod n0: one more than the last exceptional heap.
    pub preperiod: u64,
    /// The number k of the theorem: the most counters taken by a move.
    pub taken: u64,
    /// The equation is checked for n0 <= n < `checked`.
    pub checked: u64,
    /// For each heap below `checked` + p, the least heap of the same value.
    pub same_as: Vec<u32>,
    /// As in [`super::Witness`].
    pub hash: String,
}

impl PartizanWitness {
    /// The hash that the witness should carry.
    #[must_use]
    pub fn right_hash(&self) -> String {
        let mut hash = Hash::default();
        hash.eat(&self.cgdsl_partizan_witness.to_le_bytes());
        hash.eat(self.name.as_bytes());
        hash.eat(self.theorem.as_bytes());
        for ways in [&self.left, &self.right] {
            hash.eat(&(ways.len() as u64).to_le_bytes());
            for w in ways {
                hash.eat(&w.taken.to_le_bytes());
                hash.eat(&[w.heaps]);
            }
        }
        for n in [self.period, self.preperiod, self.taken, self.checked] {
            hash.eat(&n.to_le_bytes());
        }
        for n in &self.same_as {
            hash.eat(&n.to_le_bytes());
        }
        hash.to_string()
    }
}

/// Checks a witness. `progress` gets the number of heaps compared so far, and ends the check by returning false.
///
/// # Errors
/// The first thing that is wrong.
pub fn check_partizan(
    w: &PartizanWitness,
    progress: &mut dyn FnMut(u64) -> bool,
) -> Result<(), Refusal> {
    is_genuine(
        w.cgdsl_partizan_witness,
        (&w.hash, w.right_hash()),
        (&w.theorem, &[PARTIZAN_THEOREM, PARTIZAN_THEOREM_BEFORE]),
    )?;
    let ways = || w.left.iter().chain(&w.right);
    if !w.left.is_sorted() || !w.right.is_sorted() || ways().any(|w| w.heaps > 1 || w.taken == 0) {
        return refuse("the rule is not of the kind that the theorem is about");
    }
    if ways().map(|w| u64::from(w.taken)).max().unwrap_or(0) != w.taken {
        return refuse("k is not that of the rule");
    }
    if w.period == 0 {
        return refuse("a period is at least 1");
    }
    // With n0 = 0 the rule must treat the empty heap like any other heap.
    let empties = [&w.left, &w.right].iter().all(|ways| {
        let has = |taken, heaps| ways.contains(&Way { taken, heaps });
        ways.iter().all(|w| has(w.taken, 0) && has(w.taken, 1))
    });
    let from = if empties {
        w.preperiod
    } else {
        w.preperiod.max(1)
    };
    if from.checked_add(w.taken) != Some(w.checked) {
        return refuse("the bound is not that of the theorem");
    }
    if w.same_as.len() > MOST_HEAPS {
        return refuse(format!("more than {MOST_HEAPS} heaps"));
    }
    if w.checked.checked_add(w.period) != Some(w.same_as.len() as u64) {
        return refuse("there are not as many heaps as the bound asks for");
    }
    let size = |n: u64| usize::try_from(n).unwrap_or(usize::MAX);
    let (g, p, n0) = (&w.same_as, size(w.period), size(w.preperiod));
    let Some(differs) = equal(w, progress)? else {
        return equation(g, p, n0);
    };
    refuse(format!(
        "the least heap that is worth what heap {differs} is is not {}",
        g[differs]
    ))
}

fn equation(g: &[u32], p: usize, n0: usize) -> Result<(), Refusal> {
    let broken = |p: usize| (n0..g.len() - p).find(|n| g[*n] != g[n + p]);
    if n0 > g.len() - p {
        return refuse("the preperiod is beyond the heaps");
    }
    if let Some(n) = broken(p) {
        return refuse(format!("G({n}) and G({}) differ", n + p));
    }
    if n0 > 0 && g[n0 - 1] == g[n0 - 1 + p] {
        return refuse("the preperiod is not the least");
    }
    match (1..p)
        .filter(|q| p.is_multiple_of(*q))
        .find(|q| broken(*q).is_none())
    {
        Some(q) => refuse(format!("{q} is a period already")),
        None => Ok(()),
    }
}

/// The first heap whose least equal heap is not the one claimed.
fn equal(
    w: &PartizanWitness,
    progress: &mut dyn FnMut(u64) -> bool,
) -> Result<Option<usize>, Refusal> {
    let count = w.same_as.len();
    let options = |ways: &[Way], n: usize| -> Vec<usize> {
        let rest = ways.iter().filter_map(|w| {
            let rest = n.checked_sub(w.taken as usize)?;
            (rest.min(1) == usize::from(w.heaps)).then_some(rest)
        });
        rest.collect()
    };
    let left: Vec<Vec<usize>> = (0..count).map(|n| options(&w.left, n)).collect();
    let right: Vec<Vec<usize>> = (0..count).map(|n| options(&w.right, n)).collect();
    // Whether heap i <= heap j. Options are smaller heaps, so pairs with a smaller sum come first.
    let mut below = vec![false; count * count];
    for sum in 0..(2 * count).saturating_sub(1) {
        for i in sum.saturating_sub(count - 1)..=sum.min(count - 1) {
            let j = sum - i;
            below[i * count + j] = !left[i].iter().any(|l| below[j * count + l])
                && !right[j].iter().any(|r| below[r * count + i]);
        }
        if !progress((sum / 2) as u64) {
            return Err(Refusal::Ended);
        }
    }
    let same = |i: usize, j: usize| below[i * count + j] && below[j * count + i];
    Ok((0..count).find(|n| {
        let least = (0..*n).find(|m| same(*m, *n)).unwrap_or(*n);
        w.same_as[*n] as usize != least
    }))
}
