//! The sparse method: computes the next values of a rule, in nearly linear time for the games that have a sparse space
//! (*Winning Ways*, ch. 4; A. Flammenkamp, Lange Perioden in Subtraktions-Spielen, 1997).
//!
//! Fix a mask of bits. A value is *rare* if it has an even number of these bits, otherwise *common*. The nim-sum of two
//! values is common if and only if one of them is rare and the other common. So the heaps of rare value, of which there are
//! few, suffice to find all common values that a heap can reach by breaking into two. Let c be the least common value not
//! reached. The nim-value is c unless a rare value below c is not reached either; each of these is searched for among all
//! ways to break until it is found. This assumes nothing about the mask: the result is always the mex, and a bad mask only
//! costs time.
//!
//! For speed, neighbouring heaps are processed together (see `lanes`, and `narrow` for values below about 500 and few heaps
//! of rare value), and the heaps beside them are ordered so that most values are reached early (see `partners`). The rest is
//! done heap by heap. If many heaps have rare values and all values are small, all ways to break are searched instead (see
//! `few`).

use super::codes::Codes;
use super::few::{self, Few};
use super::fresh::Fresh;
use super::lanes::{self, Lanes, WIDTH};
use super::narrow::{LANES, Narrow};
use super::partners::{Partner, Partners, Sample};
use super::plain::Seen;
use super::{Stop, Take, TakingRule};
use crate::game::Cancel;
use fearless_simd::{Level, dispatch, prelude::*};

/// The number of values from which on a mask is chosen; it is chosen again whenever the length has doubled.
const FIRST_CHOICE: usize = 256;

/// The number of ways to break that are tried between two checks of the missing rare values.
const STRIDE: usize = 32;
/// The number of ways to break that are compared at once with the missing values.
const SUMS: usize = 256;
/// `narrow` is used if at most one heap in this many has a rare value.
const FEW: usize = 3;
/// The most helpers that are tried among small heaps, and among the others.
const HELPERS: usize = 1024;

/// The mask and the heaps of rare value under it.
#[derive(Clone, Debug, Default)]
pub struct Sparse {
    mask: u16,
    /// The nonempty heaps of rare value, and their values.
    rare: Vec<u32>,
    worth: Vec<u16>,
    /// The number of values examined for `rare`.
    known: usize,
    /// The greatest of these values.
    top: u16,
    choose_at: usize,
    order_at: usize,
    seen: Seen,
    /// The common and the rare values below 2^15, in increasing order.
    common: Vec<u16>,
    uncommon: Vec<u16>,
    missing: Vec<u16>,
    lanes: Lanes,
    /// For rules that may leave three heaps.
    triples: super::triple::Triples,
    /// The heaps of rare value that are partners: the first `ordered` of `rare`.
    partners: Partners,
    ordered: usize,
    /// Some heaps of common value.
    helpers: Partners,
    sums: Vec<u16>,
    fresh: Fresh,
    /// For few different values.
    few: Few,
    /// For values that are all small.
    codes: Codes,
    narrow: Narrow,
    /// Whether `narrow` is in use.
    narrow_now: bool,
    /// Uses `narrow` however many heaps have rare values (for tests).
    always: bool,
}

/// Whether a value has an even number of bits of the mask.
pub(super) fn is_rare(value: u16, mask: u16) -> bool {
    (value & mask).count_ones().is_multiple_of(2)
}

/// The mask with the fewest rare values, and their number. All masks are tried if the values have at most 10 bits; beyond
/// that the mask is found by hill climbing, bit by bit, and need not be the best.
pub(super) fn best_mask(values: &[u16]) -> (u16, u64) {
    let top = values.iter().copied().max().unwrap_or(0);
    let mut counts = vec![0u32; usize::from(top) + 1];
    // All values count: the last ones may repeat and not be representative.
    for v in values {
        counts[usize::from(*v)] += 1;
    }
    let bits = u16::BITS - top.leading_zeros();
    let rare_under = |mask: u16| -> u64 {
        let all = (0u16..).zip(&counts);
        all.filter(|(v, _)| is_rare(*v, mask))
            .map(|(_, c)| u64::from(*c))
            .sum()
    };
    let mut best = (rare_under(1), 1u16);
    if bits <= 10 {
        for mask in 1..1u16 << bits {
            best = best.min((rare_under(mask), mask));
        }
    } else {
        let mut better = true;
        while better {
            better = false;
            for bit in 0..bits {
                let mask = best.1 ^ (1 << bit);
                let found = (rare_under(mask), mask);
                if mask != 0 && found.0 < best.0 {
                    best = found;
                    better = true;
                }
            }
        }
    }
    (best.1, best.0)
}

impl Sparse {
    /// The number of known heaps of rare value.
    pub(super) fn rare(&self) -> usize {
        self.rare.len()
    }

    /// The size of the tables in bytes.
    pub(super) fn bytes(&self) -> usize {
        self.rare.capacity() * 6
            + self.partners.list.capacity() * 8
            + self.triples.bytes()
            + self.codes.room()
            + self.few.room()
    }

    /// Appends values until there are `length`.
    pub(super) fn extend(
        &mut self,
        rule: &TakingRule,
        values: &mut Vec<u16>,
        length: usize,
        cancel: &Cancel,
    ) -> Result<(), Stop> {
        // Without moves that leave two heaps, there is nothing to gain.
        let two = rule.takes().iter().any(|t| t.heaps == 2);
        let three = rule.takes().iter().any(|t| t.heaps == 3);
        if three {
            return self.triples.extend(rule, values, length, cancel);
        }
        if !two {
            return super::plain::extend(rule, &mut self.seen, values, length, cancel);
        }
        while values.len() < length {
            let n = values.len();
            if n < FIRST_CHOICE {
                let step = length.min(FIRST_CHOICE);
                super::plain::extend(rule, &mut self.seen, values, step, cancel)?;
                continue;
            }
            if n >= self.choose_at {
                self.choose(values);
            }
            self.note(values);
            let most = usize::try_from(rule.most_taken()).unwrap_or(usize::MAX);
            if usize::from(self.top) < WIDTH && n > 4 * (LANES + most) {
                self.narrow_now = self.codes.bytes().is_some()
                    && (self.always || n / self.rare.len().max(1) >= FEW);
                if !self.narrow_now && self.top < few::WIDTH {
                    self.few.extend(rule, values, length.min(n + LANES));
                    continue;
                }
                self.admit(n - most);
                if n >= self.order_at {
                    self.order(rule, values);
                    self.order_at = 3 * n;
                }
                match self.narrow_now {
                    true => self.block(rule, values, length.min(n + LANES))?,
                    false => self.many(rule, values, length.min(n + lanes::LANES)),
                }
            } else {
                let value = self.next(rule, values)?;
                values.push(value);
            }
        }
        Ok(())
    }

    /// Chooses a mask for the values so far.
    fn choose(&mut self, values: &[u16]) {
        let (mask, _) = best_mask(values);
        self.choose_at = values.len() * 2;
        if mask != self.mask {
            self.mask = mask;
            self.rare.clear();
            self.worth.clear();
            self.known = 0;
            let mask = self.mask;
            (self.uncommon, self.common) = (0..1u16 << 15).partition(|v| is_rare(*v, mask));
            self.lanes.choose(|v| is_rare(v, mask));
            self.codes.begin(mask);
            (self.order_at, self.ordered) = (0, 0);
            self.partners = Partners::default();
            self.helpers = Partners::default();
        }
    }

    /// Adds new heaps of rare value to the list.
    fn note(&mut self, values: &[u16]) {
        for (n, v) in values.iter().enumerate().skip(self.known) {
            self.top = self.top.max(*v);
            if n > 0 && is_rare(*v, self.mask) {
                self.rare.push(u32::try_from(n).unwrap_or(u32::MAX));
                self.worth.push(*v);
            }
        }
        self.known = values.len();
        let mask = self.mask;
        self.codes.note(values, |v| is_rare(v, mask));
    }

    fn next(&mut self, rule: &TakingRule, values: &[u16]) -> Result<u16, Stop> {
        let n = values.len();
        self.seen.clear();
        let rest_of = |take: &Take| n.checked_sub(take.taken as usize);
        let twos = || rule.takes().iter().filter(|t| t.heaps == 2);
        for take in rule.takes().iter().filter(|t| t.heaps < 2) {
            super::plain::mark_few(*take, n, values, &mut self.seen);
        }
        for take in twos() {
            if let Some(rest) = rest_of(take) {
                self.mark_rare(*take, &values[..rest]);
            }
        }
        let seen = &mut self.seen;
        let candidate = *self
            .common
            .iter()
            .find(|v| !seen.has(**v))
            .ok_or(Stop::Value)?;
        // Each rare value below the candidate must be reached; otherwise the least that is not is the mex.
        let missing = &mut self.missing;
        missing.clear();
        let below = self.uncommon.iter().take_while(|v| **v < candidate);
        missing.extend(below.filter(|v| !seen.has(**v)));
        for take in twos() {
            let Some(rest) = rest_of(take) else {
                continue;
            };
            let halves = match take.distinct {
                true => rest.saturating_sub(1) / 2,
                false => rest / 2,
            };
            // A small and a large heap reach other values than two heaps of middle size, so both ends are searched in turn.
            let (mut low, mut high) = (1, halves + 1);
            let mut upwards = true;
            while low < high && !missing.is_empty() {
                let (from, to) = match upwards {
                    true => (low, high.min(low + STRIDE)),
                    false => (low.max(high.saturating_sub(STRIDE)), high),
                };
                let others = values[rest + 1 - to..rest + 1 - from].iter().rev();
                for (a, b) in values[from..to].iter().zip(others) {
                    seen.mark(a ^ b);
                }
                missing.retain(|v| !seen.has(*v));
                match upwards {
                    true => low = to,
                    false => high = from,
                }
                upwards = !upwards;
            }
        }
        Ok(self.least(candidate))
    }

    /// Makes partners of the heaps of rare value below `end`.
    fn admit(&mut self, end: usize) {
        let late = self.rare.iter().zip(&self.worth).skip(self.ordered);
        for (a, worth) in late.take_while(|(a, _)| (**a as usize) < end) {
            self.partners.admit(
                Partner {
                    heap: *a,
                    worth: *worth,
                    code: self.codes.squeeze(*worth),
                },
                self.narrow_now,
            );
            self.ordered += 1;
        }
    }

    /// Appends values until there are `length`, at most [`lanes::LANES`] more; stops early after a value that does not fit
    /// the block's width.
    fn many(&mut self, rule: &TakingRule, values: &mut Vec<u16>, length: usize) {
        let first = values.len();
        self.lanes.clear(self.top);
        let twos = || rule.takes().iter().filter(|t| t.heaps == 2);
        let rests: Vec<usize> = twos().map(|t| first - t.taken as usize).collect();
        for (take, rest) in twos().zip(&rests) {
            for a in 1..lanes::LANES {
                for lane in 0..lanes::LANES.min(first + a - rest) {
                    self.lanes.mark(lane, values[a] ^ values[rest + lane - a]);
                }
            }
            self.lanes
                .mark_front(&self.partners, values, *rest, take.distinct);
            self.lanes
                .mark_front(&self.helpers, values, *rest, take.distinct);
        }
        self.lanes.settle_common(&self.partners, values, &rests);
        self.lanes
            .settle_rare(&self.helpers, values, &rests, &self.common);
        for lane in 0..length - first {
            let value = self.finish(rule, values, lane, &rests);
            values.push(value);
            if !self.lanes.fits(value) {
                break;
            }
        }
    }

    /// The value of the next heap, in place `lane` of its block, after the block's common work, which omits the rare heaps
    /// that are not partners yet.
    fn finish(&mut self, rule: &TakingRule, values: &[u16], lane: usize, rests: &[usize]) -> u16 {
        self.left_out(rule, values, lane);
        for v in &self.sums {
            self.lanes.mark(lane, *v);
        }
        let mut candidate = self.lanes.candidate(lane, &self.common);
        if !self.lanes.is_sure(lane, candidate) {
            self.lanes.mark_rest(lane, &self.partners, values, rests);
            candidate = self.lanes.candidate(lane, &self.common);
        }
        let missing = &mut self.missing;
        self.lanes.missing(lane, candidate, &self.uncommon, missing);
        self.scan(rule, values);
        self.least(candidate)
    }

    /// The mex, if all common values below the candidate are reached, and all rare values below it except the missing ones.
    fn least(&self, candidate: u16) -> u16 {
        let missing = self.missing.first();
        missing.map_or(candidate, |least| candidate.min(*least))
    }

    /// Searches for the missing values among all ways to break the next heap.
    fn scan(&mut self, rule: &TakingRule, values: &[u16]) {
        let n = values.len();
        let missing = &mut self.missing;
        for take in rule.takes().iter().filter(|t| t.heaps == 2) {
            let rest = n - take.taken as usize;
            let halves = match take.distinct {
                true => rest.saturating_sub(1) / 2,
                false => rest / 2,
            };
            let (mut low, mut high) = (1, halves + 1);
            let mut upwards = true;
            while low < high && !missing.is_empty() {
                let (from, to) = match upwards {
                    true => (low, high.min(low + SUMS)),
                    false => (low.max(high.saturating_sub(SUMS)), high),
                };
                let others = values[rest + 1 - to..rest + 1 - from].iter().rev();
                let pairs = values[from..to].iter().zip(others);
                self.sums.clear();
                self.sums.extend(pairs.map(|(a, b)| a ^ b));
                let sums = &self.sums;
                missing.retain(|v| !sums.iter().fold(false, |met, sum| met | (sum == v)));
                match upwards {
                    true => low = to,
                    false => high = from,
                }
                upwards = !upwards;
            }
        }
    }

    /// Appends values until there are `length`, at most [`LANES`] more, if all values are small; stops early after a value
    /// that is not.
    fn block(
        &mut self,
        rule: &TakingRule,
        values: &mut Vec<u16>,
        length: usize,
    ) -> Result<(), Stop> {
        let first = values.len();
        let twos = rule.takes().iter().filter(|t| t.heaps == 2);
        let rests: Vec<usize> = twos.map(|t| first - t.taken as usize).collect();
        if let Some(bytes) = self.codes.bytes() {
            let top = self.codes.squeeze(self.top);
            self.narrow
                .prepare(&self.partners, &self.helpers, bytes, &rests, top);
        }
        self.fresh.begin(values);
        dispatch!(Level::new(), simd => {
            for lane in 0..length - first {
                let value = self.last(simd, rule, values, lane)?;
                values.push(value);
                self.fresh.put(lane, value);
                if value >= self.codes.most() {
                    break;
                }
            }
            Ok(())
        })
    }

    /// The value of the next heap, in place `lane` of its block, after the block's common work.
    #[inline(always)]
    fn last<S: Simd>(
        &mut self,
        simd: S,
        rule: &TakingRule,
        values: &[u16],
        lane: usize,
    ) -> Result<u16, Stop> {
        let n = values.len();
        self.others(rule, values);
        let mut candidate = None;
        for code in self.narrow.open(lane) {
            let v = self.codes.common(code);
            if !self.sums.contains(&v) && !self.fresh.meets(simd, rule, lane, v) {
                candidate = Some(v);
                break;
            }
        }
        let candidate = match candidate {
            Some(candidate) => candidate,
            None => self.beyond(rule, values, lane)?,
        };
        self.missing.clear();
        for code in self.narrow.unmet(lane) {
            let v = self.codes.rare_value(code);
            if v >= candidate {
                break;
            }
            if !self.sums.contains(&v) && !self.fresh.meets(simd, rule, lane, v) {
                self.missing.push(v);
            }
        }
        for take in rule.takes() {
            if self.missing.is_empty() {
                break;
            }
            if take.heaps < 2 {
                continue;
            }
            let rest = n - take.taken as usize;
            let missing = &mut self.missing;
            self.codes.look(simd, missing, rest, take.distinct);
            if missing.is_empty() {
                break;
            }
            // Sums of two heaps of rare value.
            self.sums.clear();
            for a in &self.rare {
                let a = *a as usize;
                if 2 * a + usize::from(take.distinct) > rest {
                    break;
                }
                self.sums.push(values[a] ^ values[rest - a]);
            }
            let sums = &self.sums;
            missing.retain(|v| !sums.iter().fold(false, |met, sum| met | (sum == v)));
        }
        Ok(self.least(candidate))
    }

    /// The least common value that the next heap does not reach, if it reaches all those that the block's common work
    /// searched for.
    #[inline(never)]
    fn beyond(&mut self, rule: &TakingRule, values: &[u16], lane: usize) -> Result<u16, Stop> {
        // Marks one by one what the partners behind the front reach.
        self.left_out(rule, values, lane);
        let seen = &mut self.seen;
        seen.clear();
        for v in &self.sums {
            seen.mark(*v);
        }
        for take in rule.takes().iter().filter(|t| t.heaps == 2) {
            let rest = values.len() - take.taken as usize;
            for Partner { heap: a, worth, .. } in self.partners.behind() {
                seen.mark(worth ^ values[rest - *a as usize]);
            }
        }
        let unmet = self.narrow.unmet_common(lane);
        let mut unmet = unmet.map(|code| self.codes.common(code));
        let found = unmet.find(|v| !seen.has(*v));
        drop(unmet);
        if let Some(value) = found {
            return Ok(value);
        }
        // The value is larger than all before.
        self.note(values);
        self.next(rule, values)
    }

    /// Lists the values that the next heap reaches by leaving one heap, or a rare heap that is not a partner yet.
    #[inline]
    fn others(&mut self, rule: &TakingRule, values: &[u16]) {
        let n = values.len();
        self.sums.clear();
        for take in rule.takes() {
            let rest = n - take.taken as usize;
            match take.heaps {
                // Nothing: the heap is larger than the amount taken.
                0 => {}
                1 => self.sums.push(values[rest]),
                _ => {
                    let late = self.rare[self.ordered..].iter().map(|a| *a as usize);
                    let late = late.filter(|a| *a < rest);
                    self.sums.extend(late.map(|a| values[a] ^ values[rest - a]));
                }
            }
        }
    }

    /// Lists the values that the next heap, in place `lane` of its block, reaches beyond the block's common work: the
    /// [others](Sparse::others), and those by a heap of the same block and a small one.
    fn left_out(&mut self, rule: &TakingRule, values: &[u16], lane: usize) {
        self.others(rule, values);
        let n = values.len();
        let first = n - lane;
        for take in rule.takes().iter().filter(|t| t.heaps == 2) {
            let rest = n - take.taken as usize;
            if first < rest {
                let small = values[1..=rest - first].iter();
                let pairs = small.zip(values[first..rest].iter().rev());
                self.sums.extend(pairs.map(|(a, b)| a ^ b));
            }
        }
    }

    /// Orders the partners and chooses helpers, by what the last heaps reach.
    fn order(&mut self, rule: &TakingRule, values: &[u16]) {
        let n = values.len();
        let most = usize::try_from(rule.most_taken()).unwrap_or(usize::MAX);
        let sample = Sample::new(rule, values, |v| is_rare(v, self.mask));
        let narrow = self.narrow_now;
        self.partners.order(&sample, true, narrow);
        // No helper is half of a later heap: each is smaller than the heap beside it.
        let half = (n - most) / 2 - LANES;
        let near = (n / 4).clamp(LANES, HELPERS).min(half);
        let step = ((half - near) / HELPERS).max(1);
        let all = (1..near).chain((near..half).step_by(step));
        let common = all.filter(|a| !is_rare(values[*a], self.mask));
        let numbered = common.filter_map(|a| {
            Some(Partner {
                heap: u32::try_from(a).ok()?,
                worth: values[a],
                code: self.codes.squeeze(values[a]),
            })
        });
        self.helpers = Partners::of(numbered.collect());
        self.helpers.order(&sample, false, narrow);
        self.helpers.drop_poor();
    }

    /// Marks the values reached by breaking `values.len()` into two heaps, one of them of rare value.
    fn mark_rare(&mut self, take: Take, values: &[u16]) {
        let rest = values.len();
        let here = self.rare.partition_point(|a| (*a as usize) < rest);
        let rare = self.rare[..here].iter().zip(&self.worth);
        if !take.distinct {
            for (a, worth) in rare {
                self.seen.mark(worth ^ values[rest - *a as usize]);
            }
            return;
        }
        for (a, worth) in rare {
            let b = rest - *a as usize;
            if b != *a as usize {
                self.seen.mark(worth ^ values[b]);
            }
        }
    }
}

#[cfg(test)]
mod tests;
