//! The quotient of all heaps of a rule at once.
//!
//! **Theorem** (Plambeck and Siegel 2008, for octal codes: b = 2). Let each move take at most k counters of a heap and leave at most b heaps. Let Q be
//! the misère quotient of the heaps below b n0 + b p + k, let p > 0, and Φ(n + p) = Φ(n) for n0 <= n < b n0 + (b - 1) p + k. Then Q is the misère quotient of all heaps
//! together, and Φ(n + p) = Φ(n) for all n >= n0.
//!
//! *Proof.* By induction on n >= b n0 + (b - 1) p + k: let Φ have the period from n0 up to heap n + p - 1 (with products taken in Q). We show T(n + p) = T(n). Let a move
//! leave heaps a, b, .. of n + p; together they have at least n + p - k >= b n0 + b p counters. So one of at most b heaps has n0 + p or more, and p less of
//! it leaves a sum of the same product that a move may leave of n. The other way round, what a move leaves of n has at least n - k >= b n0 + (b - 1) p >= b n0
//! counters, so a heap of n0 or more, and p more of it leaves the same product. (Heaps of zero counters are no heaps: a heap of n0 + p less p has n0
//! counters, and where n0 = 0 it may vanish, so n0 >= 1 is asked for.) So heap n + p with the element Φ(n) has the pair (Φ, T) of heap n, for which the two
//! conditions of `quotient` were checked with all others; and they speak of pairs only. So Q, Φ extended by the period, is proven for all heaps.
//!
//! *Different heaps.* A rule that leaves heaps of different sizes only (Grundy's game) is not of this shape, for p less of a heap may make it equal to
//! another: nothing is said of all its heaps.

use super::super::Closed;
use super::super::heaps::Heaps;
use super::{Learner, Limits, Quotient, Unknown};
use crate::engine::sequence::TakingRule;
use crate::game::Budget;

/// Φ(n + p) = Φ(n) for all n >= n0.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Period {
    /// p
    pub period: u64,
    /// n0
    pub preperiod: u64,
    /// The equation was checked for n0 <= n < this.
    pub checked: u64,
}

/// What is known of the heaps of a rule.
#[derive(Debug)]
pub struct Periodic {
    /// The heaps that were taken in.
    pub heaps: Heaps,
    /// Their quotient.
    pub learner: Learner,
    /// The period, where it holds for all heaps.
    pub period: Option<Period>,
    /// Why there are no more heaps, where a limit was met.
    pub stopped: Option<Unknown>,
}

impl Periodic {
    /// The quotient of the heaps that were taken in; of all heaps, where a period is known.
    #[must_use]
    pub fn quotient(&self) -> &Quotient {
        self.learner.quotient()
    }

    /// The element of a heap of any size, where it is known.
    #[must_use]
    pub fn phi(&self, n: u64) -> Option<u16> {
        let known = self.quotient().parts() as u64;
        let n = match self.period {
            Some(p) if n >= known => p.preperiod + (n - p.preperiod) % p.period,
            _ => n,
        };
        self.quotient().phi(u32::try_from(n).ok()?)
    }
}

/// Takes in heaps until the quotient of all is known, or at least heaps 0 to `least`, or, if no period is found, up to `most`.
#[must_use]
pub fn all_heaps(
    rule: &TakingRule,
    least: u32,
    most: u32,
    limits: Limits,
    budget: &Budget,
    progress: &mut dyn FnMut(&Quotient),
) -> Periodic {
    let mut heaps = Heaps::new(rule.clone(), 0);
    let mut learner = Learner::new(limits);
    let mut stopped = None;
    let mut period = None;
    let mut look_at = 16;
    for n in 0..=most {
        heaps.grow(n);
        if let Err(why) = learner.take(&heaps, budget) {
            stopped = Some(why);
            break;
        }
        progress(learner.quotient());
        if heaps.len() >= look_at || n == most {
            period = find_period(rule, learner.quotient().all_phi());
            look_at = look_at + look_at / 8 + 1;
        }
        if period.is_some() && n >= least {
            break;
        }
    }
    // What fell short of the last look.
    if period.is_none() {
        period = find_period(rule, learner.quotient().all_phi());
    }
    Periodic {
        heaps,
        learner,
        period,
        stopped,
    }
}

/// The least period that is long enough to hold for all heaps, of elements of heaps that are in one quotient; first the least n0.
#[must_use]
pub fn find_period(rule: &TakingRule, phi: &[u16]) -> Option<Period> {
    if !rule.is_code() {
        return None;
    }
    let (k, b) = (rule.most_taken(), rule.most_heaps());
    let n = phi.len() as u64;
    for p in 1..=n / 2 {
        // The last place where the equation fails.
        let shift = p as usize;
        let fails = (0..phi.len() - shift)
            .rev()
            .find(|i| phi[*i] != phi[i + shift]);
        let n0 = fails.map_or(1, |i| i as u64 + 1).max(1);
        let checked = b * n0 + (b - 1) * p + k;
        if checked + p <= n {
            return Some(Period {
                period: p,
                preperiod: n0,
                checked,
            });
        }
    }
    None
}
