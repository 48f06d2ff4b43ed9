//! Finds a proven period in the values of a rule, if there is one.
//!
//! **Theorem** (R. K. Guy and C. A. B. Smith, The G-values of various games, Proc. Cambridge Philos. Soc. 52
//! (1956); *Winning Ways*, ch. 4; Siegel, *Combinatorial Game Theory*, IV.2.7), in the form for rules whose moves take at
//! most k counters and leave at most b heaps, at least two if nothing is taken, and n0 >= 1: if G(n + p) = G(n) for all n
//! with n0 <= n < b n0 + (b - 1) p + k, then this holds for all n >= n0.
//!
//! *Proof.* Let n >= b n0 + (b - 1) p + k. A move from n + p leaves at most b heaps and at least b n0 + b p = b (n0 + p)
//! counters, so one heap has n0 + p or more. Removing p counters from it gives, by induction (all heaps left are smaller
//! than the original heap), a move from n of the same nim-value. Conversely, a move from n leaves at least b n0 + (b - 1) p
//! counters, so one heap has n0 or more; adding p counters to it gives a move from n + p of the same nim-value. So both have
//! the same mex. For b = 1 this is the repetition of a state of a finite subtraction game.
//!
//! The heap from which p counters are removed must stay nonempty, which n0 >= 1 ensures. For n0 = 0 the proof holds if an
//! empty heap counts as a heap, that is, if each number of counters may leave any number of heaps up to some j >= 1 (as in
//! subtraction games and Kayles). For other rules a period from 0 is checked as one from 1. The proof requires that the
//! sizes are free: no period is claimed for rules that require different sizes.

use super::TakingRule;

/// A proven period of a sequence of nim-values.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Period {
    /// The least p with G(n + p) = G(n) from some n on.
    pub period: u64,
    /// The least n0 with G(n + p) = G(n) for all n >= n0: one more than the last exceptional heap.
    pub preperiod: u64,
    /// The equation was checked for n0 <= n < checked, as the theorem requires.
    pub checked: u64,
    /// The number of values used: G(0) to G(needed - 1).
    pub needed: u64,
    /// The greatest number of heaps that a move leaves.
    pub heaps: u64,
    /// The greatest number of counters that a move takes.
    pub taken: u64,
}

impl Period {
    /// The bound below which the theorem requires the equation; `None` if it is 2^64 or more. `heaps` must be at least 1.
    #[must_use]
    pub fn bound(preperiod: u64, period: u64, heaps: u64, taken: u64) -> Option<u64> {
        heaps
            .checked_mul(preperiod)?
            .checked_add((heaps - 1).checked_mul(period)?)?
            .checked_add(taken)
    }
}

/// The least period that the values prove, if the theorem applies to the rule and there are enough values. No table is
/// built. The work is linear except for sequences that nearly repeat in many ways; there the search is given up.
#[must_use]
pub fn find_period(rule: &TakingRule, values: &[u16]) -> Option<Period> {
    if !rule.is_code() {
        return None;
    }
    let bounds = Bounds {
        heaps: rule.most_heaps(),
        taken: rule.most_taken(),
        empties: rule.counts_empty_heaps(),
    };
    find(bounds, values)
}

/// The least period of the values of a partizan rule that leaves at most one heap. `values` are numbers that are equal
/// exactly if the values are. The last k values determine the next one: the theorem's case b = 1.
#[must_use]
pub fn find_partizan_period(
    left: &TakingRule,
    right: &TakingRule,
    values: &[u16],
) -> Option<Period> {
    let rules = [left, right];
    if rules.iter().any(|r| r.most_heaps() > 1) {
        return None;
    }
    let bounds = Bounds {
        heaps: 1,
        taken: left.most_taken().max(right.most_taken()),
        empties: rules.iter().all(|r| r.counts_empty_heaps()),
    };
    find(bounds, values)
}

/// An observed period, up to adding a constant (saltus) in each period. It proves nothing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Regular {
    /// The least p with G(n + p) = G(n) + s for all n from some n0 on, as far as the values go.
    pub period: u64,
    /// s.
    pub saltus: u64,
    /// The least n0.
    pub from: u64,
}

/// Whether the values look periodic or arithmetic periodic, over at least their last half and at least three periods.
#[must_use]
pub fn looks_regular<V: Copy + Into<u64>>(values: &[V]) -> Option<Regular> {
    let mut work = WORK.saturating_mul(values.len()).min(MOST_WORK);
    let last: u64 = (*values.last()?).into();
    for p in 1..=values.len() / 4 {
        let before = values[values.len() - 1 - p].into();
        let Some(saltus) = last.checked_sub(before) else {
            continue;
        };
        // Skip before mapping: slices skip in constant time.
        let pairs = values.iter().rev().skip(p).zip(values.iter().rev());
        let run = pairs
            .take_while(|(a, b)| {
                let (a, b): (u64, u64) = ((**a).into(), (**b).into());
                a.checked_add(saltus) == Some(b)
            })
            .count();
        work = work.checked_sub(run + 1)?;
        if run >= values.len() / 2 && run >= 3 * p {
            return Some(Regular {
                period: p as u64,
                saltus,
                from: (values.len() - p - run) as u64,
            });
        }
    }
    None
}

/// The parameters of a rule in the theorem.
#[derive(Clone, Copy, Debug)]
struct Bounds {
    heaps: u64,
    taken: u64,
    /// Whether an empty heap counts as a heap.
    empties: bool,
}

fn find(bounds: Bounds, values: &[u16]) -> Option<Period> {
    let mut work = WORK.saturating_mul(values.len().max(1));
    // Periods q that failed, with the n at which the equation failed.
    let mut failed: Vec<(usize, usize)> = Vec::new();
    let window = values.len().min(WINDOW);
    // The theorem requires b n0 + b p + k values.
    let most = values.len() / usize::try_from(bounds.heaps).unwrap_or(1);
    for p in 1..=most.min(values.len().saturating_sub(1)) {
        // A multiple of a period that failed fails at the same n, unless n + p is out of range.
        let known = failed
            .iter()
            .find(|(q, at)| p % q == 0 && at + p < values.len());
        if known.is_some() {
            continue;
        }
        let pairs = values.iter().rev().skip(p).zip(values.iter().rev());
        let short = pairs
            .clone()
            .take(window)
            .take_while(|(a, b)| a == b)
            .count();
        let run = match short == window {
            true => pairs.take_while(|(a, b)| a == b).count(),
            false => short,
        };
        work = work.checked_sub(run + 1)?;
        if let Some(found) = proven(bounds, values.len() as u64, p as u64, run as u64) {
            return Some(found);
        }
        if run > p
            && failed.len() < REMEMBERED
            && let Some(at) = (values.len() - p - run).checked_sub(1)
        {
            failed.push((p, at));
        }
    }
    None
}

/// The number of comparisons for each value after which the search for a period is given up.
const WORK: usize = 64;
/// The number of comparisons after which the search for an unproven regularity is given up: a fraction of a second.
const MOST_WORK: usize = 1 << 27;
/// The number of comparisons after which a period counts as a candidate.
const WINDOW: usize = 64;
/// The most failed periods that are recorded.
const REMEMBERED: usize = 64;

/// The period p, if G(n) = G(n + p) for the last `run` of the possible n is enough for the theorem.
fn proven(bounds: Bounds, length: u64, period: u64, run: u64) -> Option<Period> {
    let Bounds {
        heaps,
        taken,
        empties,
    } = bounds;
    let preperiod = length.checked_sub(period)?.checked_sub(run)?;
    let from = match empties {
        true => preperiod,
        false => preperiod.max(1),
    };
    let checked = Period::bound(from, period, heaps, taken)?;
    let needed = checked.checked_add(period)?;
    (needed <= length).then_some(Period {
        period,
        preperiod,
        checked,
        needed,
        heaps,
        taken,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The same search by the definition: every period, every run.
    fn slowly(rule: &TakingRule, values: &[u16]) -> Option<Period> {
        let bounds = Bounds {
            heaps: rule.most_heaps(),
            taken: rule.most_taken(),
            empties: rule.counts_empty_heaps(),
        };
        (1..values.len()).find_map(|p| {
            let equal = |n: &usize| values[*n] == values[n + p];
            let run = (0..values.len() - p).rev().take_while(equal).count();
            proven(bounds, values.len() as u64, p as u64, run as u64)
        })
    }

    /// Kenyon's game 0.3F starts 0 1 2 0 1 2 and increases by 3 every 6 heaps (*Winning Ways*, ch. 4). The values here are
    /// written by this rule.
    #[test]
    fn what_is_regular_is_seen_and_nothing_else() {
        let values: Vec<u16> = (0..60u16).map(|n| n % 3 + n / 6 * 3).collect();
        let seen = Regular {
            period: 6,
            saltus: 3,
            from: 0,
        };
        assert_eq!(looks_regular(&values), Some(seen));
        let mut late = values.clone();
        late[7] = 0;
        assert_eq!(looks_regular(&late), Some(Regular { from: 8, ..seen }));
        late[40] = 0;
        assert_eq!(looks_regular(&late), None);
        let flat: Vec<u16> = (0..60).map(|n| n % 6).collect();
        assert_eq!(looks_regular(&flat), Some(Regular { saltus: 0, ..seen }));
        assert_eq!(looks_regular::<u16>(&[]), None);
    }

    /// Words that nearly repeat, cut at every length: the fast and the slow search agree.
    #[test]
    fn the_search_is_the_definition() {
        let mut roll = super::super::dice(7);
        let mut found = 0;
        for round in 0..300 {
            let code = ["0.77", "0.3", "0.137", "0.F", "0.24"][round % 5];
            let rule = TakingRule::of_code(code).expect("a code");
            let (p, noise) = (1 + roll(12) as usize, 1 + roll(40));
            let sides = 1 + roll(3);
            let word: Vec<u16> = (0..p).map(|_| roll(sides) as u16).collect();
            let mut values: Vec<u16> = (0..200).map(|n| word[n % p]).collect();
            for _ in 0..roll(4) {
                values[roll(noise * 5) as usize] = 3;
            }
            for length in 1..values.len() {
                let expected = slowly(&rule, &values[..length]);
                found += usize::from(expected.is_some());
                assert_eq!(
                    find_period(&rule, &values[..length]),
                    expected,
                    "{values:?}"
                );
            }
        }
        assert!(found > 10_000, "{found}");
    }
}
