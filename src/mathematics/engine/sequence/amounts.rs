//! Rules that leave at most one heap and may have no bound on the amounts taken (Nim, "any number but 2", "1 or 2, or the
//! whole heap"). Output: their nim-values, with a proven period and saltus: G(n + p) = G(n) + s.
//!
//! *Proof of the period.* Let K >= 1 be at least every number that the rule lists, and n > K. The moves from n reach two
//! kinds of values. The first are the set U of values of the heaps that every later heap reaches as well (all heaps below
//! n - K if all but some numbers may be taken, otherwise none; and the empty heap, if all large heaps may be taken as a
//! whole). The second are the values of some of the last K heaps; which of them, is the same for all such n. So G(n) and all
//! later values are determined by the *state* at n: the last K values, and U. Let L be the least number missing from U. The
//! mex is at least L and commutes with translation, so the state may be described relative to L: if adding s to the state at
//! n (L, the members of U above L, the last K values) gives the state at n + p, then G(m + p) = G(m) + s for all m >= n - K,
//! by induction. That every such rule reaches this case is due to A. Siegel, Finite excluded subtraction sets and infinite
//! geography (thesis, Dalhousie 2005).

use super::Stop;
use crate::game::Cancel;
use crate::verify::{self, SHIFT_THEOREM, ShiftWitness};
use std::collections::BTreeSet;

/// A set of numbers of counters.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Amounts {
    /// The listed numbers, increasing, each at least 1.
    pub listed: Vec<u32>,
    /// If set, the members are all numbers except those listed.
    pub all_but: bool,
}

impl Amounts {
    /// Whether `taken` is a member.
    #[must_use]
    pub fn has(&self, taken: usize) -> bool {
        let listed = u32::try_from(taken).is_ok_and(|s| self.listed.binary_search(&s).is_ok());
        listed != self.all_but
    }

    fn last(&self) -> usize {
        self.listed.last().map_or(0, |s| *s as usize)
    }
}

/// A rule for one heap: what may be taken if a heap is left, and which heaps may be taken as a whole.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct AmountRule {
    /// The amounts that may be taken from a larger heap.
    pub partly: Amounts,
    /// The heaps that may be taken as a whole, by size.
    pub wholly: Amounts,
}

/// A proven period up to a saltus.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Shift {
    /// The least p for which some s has G(n + p) = G(n) + s from some n on.
    pub period: u64,
    /// s
    pub saltus: u64,
    /// The least n from which on this holds.
    pub preperiod: u64,
    /// The state at this heap recurs p heaps later, up to adding s.
    pub state_at: u64,
}

/// The known part of a sequence.
#[derive(Clone, Debug)]
pub struct AmountSequence {
    rule: AmountRule,
    values: Vec<u32>,
    shift: Option<Shift>,
    /// U as a set, the least number missing from it, and its members above that number.
    used: Vec<bool>,
    least: u32,
    above: BTreeSet<u32>,
    /// The nonempty heaps below this are in `used`.
    passed: usize,
    /// A state that was kept for comparison (R. P. Brent, An improved Monte Carlo factorization algorithm, BIT 1980), and
    /// the heap at which the next one is kept.
    kept: Option<(usize, State)>,
    keep_at: usize,
    memory: usize,
    stamps: Vec<u32>,
}

/// The state at a heap, relative to the least number missing from U.
#[derive(Clone, PartialEq, Eq, Debug)]
struct State {
    least: u32,
    recent: Vec<i64>,
    above: Vec<u32>,
}

impl State {
    fn same_but_for_shift(&self, other: &State) -> bool {
        self.recent == other.recent && self.above == other.above
    }
}

impl AmountSequence {
    /// The sequence of a rule, without any computed values.
    #[must_use]
    pub fn new(rule: AmountRule) -> AmountSequence {
        AmountSequence {
            keep_at: rule.partly.last().max(rule.wholly.last()) + 1,
            rule,
            values: Vec::new(),
            shift: None,
            used: Vec::new(),
            least: 0,
            above: BTreeSet::new(),
            passed: 1,
            kept: None,
            memory: usize::MAX,
            stamps: Vec::new(),
        }
    }

    /// K: the greatest number that the rule lists, at least 1.
    fn reach(&self) -> usize {
        self.rule.partly.last().max(self.rule.wholly.last()).max(1)
    }

    /// Computes until G(0..=last) are known, by value or by a proven period. `progress` is called with the number of known
    /// values.
    ///
    /// # Errors
    /// Why it stopped early. The values computed so far remain.
    pub fn extend(
        &mut self,
        last: u64,
        cancel: &Cancel,
        progress: &mut dyn FnMut(u64),
    ) -> Result<(), Stop> {
        let want = usize::try_from(last.saturating_add(1)).unwrap_or(usize::MAX);
        while self.shift.is_none() && self.values.len() < want {
            let n = self.values.len();
            if n.is_multiple_of(1024) {
                if let Some(reason) = cancel.reason() {
                    return Err(Stop::Cancelled(reason));
                }
                // Four bytes for each value, and about twice as many for auxiliary tables.
                if n.saturating_mul(12) > self.memory {
                    return Err(Stop::Memory);
                }
                progress(n as u64);
            }
            self.next(n)?;
            self.meet();
        }
        Ok(())
    }

    fn next(&mut self, n: usize) -> Result<(), Stop> {
        let reach = self.reach();
        // Heaps that are no longer among the last K.
        while self.rule.partly.all_but && self.passed + reach < n {
            self.enter(self.values[self.passed]);
            self.passed += 1;
        }
        if n > reach && self.rule.wholly.all_but && !self.is_used(0) {
            self.enter(0);
        }
        let stamp = u32::try_from(n + 1).map_err(|_| Stop::Value)?;
        let mut mark = |v: u32| {
            let v = v as usize;
            if v >= self.stamps.len() {
                self.stamps.resize(v + 1, 0);
            }
            self.stamps[v] = stamp;
        };
        if n > 0 && n <= reach && self.rule.wholly.has(n) {
            mark(0);
        }
        for taken in (1..n).take_while(|s| *s <= reach) {
            if self.rule.partly.has(taken) {
                mark(self.values[n - taken]);
            }
        }
        let reached =
            |v: &u32| self.above.contains(v) || self.stamps.get(*v as usize) == Some(&stamp);
        let value = (self.least..).find(|v| !reached(v)).ok_or(Stop::Value)?;
        self.values.push(value);
        Ok(())
    }

    fn is_used(&self, value: u32) -> bool {
        self.used.get(value as usize) == Some(&true)
    }

    /// Adds a value to U.
    fn enter(&mut self, value: u32) {
        let at = value as usize;
        if at >= self.used.len() {
            self.used.resize(at + 1, false);
        }
        self.used[at] = true;
        if value > self.least {
            self.above.insert(value);
        }
        while self.is_used(self.least) {
            self.above.remove(&self.least);
            self.least += 1;
        }
        self.above.remove(&self.least);
    }

    /// The state at the next heap.
    fn state(&mut self) -> State {
        let n = self.values.len();
        let reach = self.reach();
        while self.rule.partly.all_but && self.passed + reach < n {
            self.enter(self.values[self.passed]);
            self.passed += 1;
        }
        if self.rule.wholly.all_but && !self.is_used(0) {
            self.enter(0);
        }
        let least = self.least;
        let recent = &self.values[n - reach..];
        State {
            least,
            recent: recent
                .iter()
                .map(|v| i64::from(*v) - i64::from(least))
                .collect(),
            above: self.above.iter().map(|v| v - least).collect(),
        }
    }

    /// Compares the state at the next heap with the kept state.
    fn meet(&mut self) {
        let n = self.values.len();
        let reach = self.reach();
        if n <= reach {
            return;
        }
        // A cheap test first, since most states differ.
        let near = self.kept.as_ref().is_none_or(|(at, state)| {
            let v = &self.values;
            let by = |k: usize| i64::from(v[k - 1]) - i64::from(v[k - reach]);
            by(n) == by(*at) && state.above.len() == self.above.len()
                || self.rule.partly.all_but && self.passed + reach < n
        });
        if near || n == self.keep_at {
            let state = self.state();
            if let Some((at, kept)) = &self.kept
                && kept.same_but_for_shift(&state)
            {
                let (at, saltus) = (*at, state.least - kept.least);
                self.prove(at, n - at, saltus);
                return;
            }
            if n >= self.keep_at {
                self.kept = Some((n, state));
                self.keep_at = 2 * n;
            }
        }
    }

    fn prove(&mut self, at: usize, period: usize, saltus: u32) {
        let repeats = |n: &usize| {
            let later = self.values.get(n + period);
            later.is_some_and(|v| Some(*v) == self.values[*n].checked_add(saltus))
        };
        // The period holds from `at - K` on.
        let late = at - self.reach();
        let early = (0..late).rev().take_while(repeats).count();
        self.shift = Some(Shift {
            period: period as u64,
            saltus: u64::from(saltus),
            preperiod: (late - early) as u64,
            state_at: at as u64,
        });
    }

    /// Sets the limit in bytes for the values and auxiliary tables. The default is no limit.
    pub fn limit_memory(&mut self, bytes: usize) {
        self.memory = bytes;
    }

    /// The rule.
    #[must_use]
    pub fn rule(&self) -> &AmountRule {
        &self.rule
    }

    /// The computed values, from G(0).
    #[must_use]
    pub fn values(&self) -> &[u32] {
        &self.values
    }

    /// The proven period, if the computed values give one.
    #[must_use]
    pub fn shift(&self) -> Option<&Shift> {
        self.shift.as_ref()
    }

    /// G(n), if it is computed or follows from the proven period; `None` if it is unknown or 2^64 or more.
    #[must_use]
    pub fn value(&self, n: u64) -> Option<u64> {
        let direct = |n: u64| {
            self.values
                .get(usize::try_from(n).ok()?)
                .map(|v| u64::from(*v))
        };
        direct(n).or_else(|| {
            let shift = self.shift.as_ref()?;
            let past = n.checked_sub(shift.preperiod)?;
            let value = direct(shift.preperiod + past % shift.period)?;
            value.checked_add((past / shift.period).checked_mul(shift.saltus)?)
        })
    }

    /// The witness of the period; `None` if none was proven.
    #[must_use]
    pub fn witness(&self, name: &str) -> Option<ShiftWitness> {
        let shift = self.shift.as_ref()?;
        let needed = usize::try_from(shift.state_at + shift.period).ok()?;
        let amounts = |a: &Amounts| verify::Amounts {
            listed: a.listed.clone(),
            all_but: a.all_but,
        };
        let mut witness = ShiftWitness {
            cgdsl_shift_witness: verify::VERSION,
            name: name.to_owned(),
            partly: amounts(&self.rule.partly),
            wholly: amounts(&self.rule.wholly),
            theorem: SHIFT_THEOREM.to_owned(),
            period: shift.period,
            saltus: shift.saltus,
            preperiod: shift.preperiod,
            state_at: shift.state_at,
            values: self.values.get(..needed)?.to_vec(),
            hash: String::new(),
        };
        witness.hash = witness.right_hash();
        Some(witness)
    }
}

/// The values by the definition, in quadratic time, as a reference for the faster method. Stops early if cancelled.
#[must_use]
pub fn plainly(rule: &AmountRule, length: usize, cancel: &Cancel) -> Vec<u32> {
    let mut values: Vec<u32> = Vec::new();
    let mut seen = vec![0u32; length + 2];
    for n in 0..length {
        if cancel.is_cancelled() {
            break;
        }
        let stamp = u32::try_from(n + 1).unwrap_or(u32::MAX);
        for left in 0..n {
            let taken = n - left;
            let may = if left == 0 {
                &rule.wholly
            } else {
                &rule.partly
            };
            if may.has(taken) {
                seen[values[left] as usize] = stamp;
            }
        }
        let mex = seen.iter().take_while(|s| **s == stamp).count();
        values.push(u32::try_from(mex).unwrap_or(u32::MAX));
    }
    values
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shift_of(rule: &AmountRule, to: u64) -> AmountSequence {
        let mut s = AmountSequence::new(rule.clone());
        s.extend(to, &Cancel::new(), &mut |_| {}).expect("no limit");
        s
    }

    fn all_but(listed: &[u32]) -> Amounts {
        Amounts {
            listed: listed.to_vec(),
            all_but: true,
        }
    }

    #[test]
    fn nim_has_period_and_saltus_one() {
        let nim = AmountRule {
            partly: all_but(&[]),
            wholly: all_but(&[]),
        };
        let s = shift_of(&nim, 1000);
        let shift = s.shift().expect("proven");
        assert_eq!((shift.period, shift.saltus, shift.preperiod), (1, 1, 0));
        assert_eq!(s.value(1 << 40), Some(1 << 40));
    }

    /// Random rules: compares the values, also far beyond the point where the period was proven, with the definition. Checks
    /// by exhaustion that period and preperiod are least.
    #[test]
    fn random_rules_agree_with_the_definition() {
        let mut roll = super::super::dice(11);
        let mut proven = 0;
        for round in 0..300 {
            let mut amounts = |all_but: bool| {
                let listed: BTreeSet<u32> = (0..roll(4)).map(|_| 1 + roll(7) as u32).collect();
                Amounts {
                    listed: listed.into_iter().collect(),
                    all_but,
                }
            };
            let partly = amounts(round % 4 != 0);
            let wholly = if round % 3 == 0 {
                amounts(round % 2 == 0)
            } else {
                partly.clone()
            };
            let rule = AmountRule { partly, wholly };
            let want = plainly(&rule, 700, &Cancel::new());
            let s = shift_of(&rule, 699);
            for (n, v) in (0u64..).zip(&want) {
                assert_eq!(s.value(n), Some(u64::from(*v)), "{rule:?} {n}");
            }
            let Some(shift) = s.shift() else { continue };
            proven += 1;
            let holds =
                |p: usize, t: u32, from: usize| (from..700 - p).all(|n| want[n + p] == want[n] + t);
            let (p, n0) = (shift.period as usize, shift.preperiod as usize);
            if n0 + 3 * p > 700 {
                continue;
            }
            assert!(
                n0 == 0 || !holds(p, shift.saltus as u32, n0 - 1),
                "{rule:?} {shift:?}"
            );
            for q in 1..p {
                let t = want[n0 + q].checked_sub(want[n0]);
                assert!(t.is_none_or(|t| !holds(q, t, n0)), "{rule:?} {shift:?} {q}");
            }
            let w = s.witness("random").expect("a period");
            assert_eq!(
                crate::verify::check_shift(&w, &mut |_| true),
                Ok(()),
                "{rule:?}"
            );
        }
        assert!(proven > 250, "{proven}");
    }
}
