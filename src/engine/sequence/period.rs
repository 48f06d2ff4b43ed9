//! Values of a rule come in, a proven period comes out, or nothing.
//!
//! Theorem (R. K. Guy and C. A. B. Smith, The G-values of various games, Proc. Cambridge Philos. Soc. 52 (1956); *Winning
//! Ways*, ch. 4; Siegel, *Combinatorial Game Theory*, IV.2.7), in its form for rules that take at least one and at most k
//! counters and leave at most b heaps: if G(n + p) = G(n) for all n with n0 <= n < b n0 + (b - 1) p + k, then it holds for
//! all n >= n0.
//! *Proof.* Let n >= b n0 + (b - 1) p + k. A move from n + p that leaves at most b heaps leaves at least
//! b n0 + b p = b (n0 + p) counters, so one heap has n0 + p or more, and taking p from it gives, by induction, a move from n
//! of the same nim-value; and likewise from n (which leaves at least b n0 + (b - 1) p counters, so one heap has n0 or more) to
//! n + p. So both have the same mex. For b = 1 this is the repetition of a state of a finite subtraction game.
//! The heap that p is taken from must stay non-empty: it does if n0 >= 1. With n0 = 0 the proof holds where an empty heap
//! counts as a heap, that is where each number of counters may leave any number of heaps up to some j >= 1 (as in
//! subtraction games and Kayles); for other rules a period from 0 is checked as one from 1.
//! The proof needs the sizes to be free: rules that ask for different sizes are not of this kind, and none is claimed.

use super::TakingRule;

/// A proven period of a sequence of nim-values.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Period {
    /// The least p with G(n + p) = G(n) from some n on.
    pub period: u64,
    /// The least n0 with G(n + p) = G(n) for all n >= n0: one more than the last exceptional heap.
    pub preperiod: u64,
    /// The equation was checked for n0 <= n < checked, which is at least what the theorem asks for.
    pub checked: u64,
    /// So this many values were needed: G(0) to G(needed - 1).
    pub needed: u64,
    /// Most heaps left by a move.
    pub heaps: u64,
    /// Most counters taken by a move.
    pub taken: u64,
}

impl Period {
    /// The bound up to which the theorem asks for the equation.
    #[must_use]
    pub fn bound(preperiod: u64, period: u64, heaps: u64, taken: u64) -> Option<u64> {
        heaps
            .checked_mul(preperiod)?
            .checked_add((heaps - 1).checked_mul(period)?)?
            .checked_add(taken)
    }
}

/// The least period that the values prove, if the theorem applies to the rule and they reach far enough.
#[must_use]
pub fn find_period(rule: &TakingRule, values: &[u16]) -> Option<Period> {
    if !rule.is_code() {
        return None;
    }
    let (heaps, taken) = (rule.most_heaps(), rule.most_taken());
    let length = values.len() as u64;
    let runs = agreement(values);
    for (p, run) in runs.iter().enumerate().skip(1) {
        let period = p as u64;
        // The last `run` values of those that have a partner p further on agree with it.
        let preperiod = length - period - *run as u64;
        let from = if rule.counts_empty_heaps() {
            preperiod
        } else {
            preperiod.max(1)
        };
        let Some(checked) = Period::bound(from, period, heaps, taken) else {
            continue;
        };
        let needed = checked + period;
        if needed <= length {
            return Some(Period {
                period,
                preperiod,
                checked,
                needed,
                heaps,
                taken,
            });
        }
    }
    None
}

/// For each shift p, for how many n, from the last that has a partner downwards without a gap, G(n) = G(n + p): the
/// Z-function of the reversed sequence.
fn agreement(values: &[u16]) -> Vec<usize> {
    let n = values.len();
    let at = |i: usize| values[n - 1 - i];
    let mut z = vec![0; n];
    let (mut left, mut right) = (0, 0);
    for i in 1..n {
        let mut k = if i < right {
            z[i - left].min(right - i)
        } else {
            0
        };
        while i + k < n && at(k) == at(i + k) {
            k += 1;
        }
        z[i] = k;
        if i + k > right {
            (left, right) = (i, i + k);
        }
    }
    z
}
