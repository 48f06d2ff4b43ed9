//! The misère quotient of all heaps of a rule.
//!
//! **Theorem** (Plambeck and Siegel 2008, for octal codes: b = 2). Let each move take at most k counters of a heap and leave
//! at most b heaps. Let n0 >= 1 and p > 0, let Q be the misère quotient of the heaps below b n0 + b p + k, and let Φ(n +
//! p) = Φ(n) for n0 <= n < b n0 + (b - 1) p + k. Then Q is the misère quotient of all heaps together, and Φ(n + p) = Φ(n)
//! for all n >= n0.
//!
//! *Proof.* By induction on n >= b n0 + (b - 1) p + k. Let Φ have period p from n0 up to heap n + p - 1 (with products taken
//! in Q). We show T(n + p) = T(n). Suppose that a move leaves heaps a, b, .. of n + p. Together they have at least n + p -
//! k >= b n0 + b p counters. There are at most b heaps, so one has n0 + p or more; with p counters less it gives a sum with
//! the same product, and a move on n may leave this sum. Conversely, a move on n leaves at least n - k >= b n0 + (b - 1)
//! p >= b n0 counters, so one heap has n0 or more; with p counters more it gives a sum with the same product. (Heaps of zero
//! counters are not heaps. A heap of n0 + p less p has n0 counters and would vanish if n0 = 0, which is why n0 >= 1 is
//! required.) So heap n + p with the element Φ(n) has the pair (Φ, T) of heap n. The two conditions of `quotient` hold for
//! this pair together with all others, and they depend on pairs only. So Q, with Φ extended by the period, is proven for all
//! heaps.
//!
//! *Different heaps.* The theorem does not cover rules that leave heaps of different sizes only (Grundy's game), since p
//! counters less may make a heap equal to another. For these no period is claimed.

use super::super::Closed;
use super::super::heaps::Heaps;
use super::{Learner, Limits, Quotient, Unknown};
use crate::engine::sequence::TakingRule;
use crate::game::Budget;

/// The theorem for people, in ASCII.
pub const PERIOD_THEOREM: &str = "Plambeck and Siegel 2008, for b = 2; the same proof holds for any b: if each move takes at \
most k counters and leaves at most b heaps, and phi(n + p) = phi(n) for n0 <= n < b n0 + (b - 1) p + k with n0 > 0, then the \
quotient of these heaps is that of all heaps, and phi(n + p) = phi(n) for all n >= n0";

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

/// The quotient of the heaps of a rule, as far as it is known.
#[derive(Debug)]
pub struct Periodic {
    /// The heaps that were added.
    pub heaps: Heaps,
    /// Their quotient.
    pub learner: Learner,
    /// The period, where it holds for all heaps.
    pub period: Option<Period>,
    /// The limit that stopped the search, if any.
    pub stopped: Option<Unknown>,
}

impl Periodic {
    /// The quotient of the heaps that were added; of all heaps if the period is known.
    #[must_use]
    pub fn quotient(&self) -> &Quotient {
        self.learner.quotient()
    }

    /// The element of a heap of any size, if it is known.
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

/// Adds heaps until the period is known and heaps 0 to `least` are added. Without a period it stops after heap `most`, or at
/// a limit.
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
    // The heaps after the last check.
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

/// The least period that the theorem extends to all heaps, with its least n0. `phi` are the elements of the heaps 0, 1, ..
/// in one quotient. `None` for rules that leave different heaps.
#[must_use]
pub fn find_period(rule: &TakingRule, phi: &[u16]) -> Option<Period> {
    if !rule.is_code() {
        return None;
    }
    let (k, b) = (rule.most_taken(), rule.most_heaps());
    let n = phi.len() as u64;
    for p in 1..=n / 2 {
        // The last index at which the equation fails.
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
