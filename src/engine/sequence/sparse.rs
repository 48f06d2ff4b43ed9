//! The sparse road: a rule and the values so far come in, the next values come out, in nearly linear time for the games
//! that have a sparse space (*Winning Ways*, ch. 4; A. Flammenkamp, Lange Perioden in Subtraktions-Spielen, 1997).
//!
//! Fix a mask of bits. Call a value *rare* if it has evenly many of these bits, else *common*. A nim-sum of two values
//! is common exactly if one of them is rare and the other common. So all common values that a heap can reach by breaking
//! into two are found by going through the heaps of rare value only, and there are few of those. Let c be the least
//! common value not reached. The nim-value is c unless a rare value below c is missed; each of those is looked for among
//! all ways to break until it is met. Nothing is assumed: whatever the mask, the value is the mex; a bad mask is slow.

//! So that the processor is kept busy, `BLOCK` heaps are treated together: a fixed heap beside the other part of each is
//! a run of neighbouring values. What this leaves is done heap by heap.

use super::plain::Seen;
use super::{Stop, Take, TakingRule};

/// From this many values on, a mask is chosen (again each time the length has doubled).
const FIRST_CHOICE: usize = 256;

/// Heaps that are treated together.
const BLOCK: usize = 16;
/// They are treated together as long as all values are below this.
const WIDTH: usize = 1024;
/// The least and the most heaps from either end that are put beside all heaps of a block in search of rare values.
const REACH: (usize, usize) = (64, 2048);

/// So many ways to break are tried before the missing rare values are looked at again.
const STRIDE: usize = 32;

/// The mask and the heaps of rare value under it.
#[derive(Clone, Debug, Default)]
pub struct Sparse {
    mask: u16,
    /// The heaps of rare value, the empty heap left out, and what they are worth.
    rare: Vec<u32>,
    worth: Vec<u16>,
    /// How many values have been looked through for `rare`.
    known: usize,
    /// The greatest value among those.
    top: u16,
    choose_at: usize,
    seen: Seen,
    /// The common and the rare values in increasing order, as far as they were needed.
    common: Vec<u16>,
    uncommon: Vec<u16>,
    missing: Vec<u16>,
    block: Block,
}

/// What is reached from each heap of a block.
#[derive(Clone, Debug)]
struct Block {
    seen: Box<[[u8; WIDTH]; BLOCK]>,
    /// How many heaps from either end are put beside all heaps of the block.
    reach: usize,
    /// How many heaps were looked at one by one since `reach` was last chosen, for how many values.
    extra: usize,
    values: usize,
}

impl Default for Block {
    fn default() -> Block {
        Block {
            seen: Box::new([[0; WIDTH]; BLOCK]),
            reach: 4 * REACH.0,
            extra: 0,
            values: 0,
        }
    }
}

impl Block {
    /// A heap of value `worth` beside each of those that `others` are worth.
    #[inline]
    fn beside(&mut self, worth: u16, others: &[u16; BLOCK]) {
        for (seen, other) in self.seen.iter_mut().zip(others) {
            seen[usize::from(worth ^ other) % WIDTH] = 1;
        }
    }

    /// Chooses the reach anew: looking one by one is about three times as dear.
    fn adapt(&mut self) {
        if self.values < 4096 {
            return;
        }
        let extra = self.extra / self.values;
        if extra > self.reach {
            self.reach = (self.reach * 2).min(REACH.1);
        } else if extra < self.reach / 16 {
            self.reach = (self.reach / 2).max(REACH.0);
        }
        (self.extra, self.values) = (0, 0);
    }
}

fn is_rare(value: u16, mask: u16) -> bool {
    (value & mask).count_ones().is_multiple_of(2)
}

impl Sparse {
    /// How many heaps of rare value are known.
    pub(super) fn rare(&self) -> usize {
        self.rare.len()
    }

    /// Bytes of the lists of rare heaps.
    pub(super) fn bytes(&self) -> usize {
        self.rare.capacity() * 6
    }

    /// Appends values until there are `length`.
    pub(super) fn extend(
        &mut self,
        rule: &TakingRule,
        values: &mut Vec<u16>,
        length: usize,
    ) -> Result<(), Stop> {
        // Leaving three heaps, or never two, there is nothing to gain.
        let two = rule.takes().iter().any(|t| t.heaps == 2);
        let three = rule.takes().iter().any(|t| t.heaps == 3);
        if three || !two {
            return super::plain::extend(rule, &mut self.seen, values, length);
        }
        while values.len() < length {
            let n = values.len();
            if n < FIRST_CHOICE {
                let step = length.min(FIRST_CHOICE);
                super::plain::extend(rule, &mut self.seen, values, step)?;
                continue;
            }
            if n >= self.choose_at {
                self.choose(values);
            }
            self.note(values);
            let most = usize::try_from(rule.most_taken()).unwrap_or(usize::MAX);
            if usize::from(self.top) < WIDTH && n > 4 * (BLOCK + most) {
                self.many(rule, values, length.min(n + BLOCK));
            } else {
                let value = self.next(rule, values)?;
                values.push(value);
            }
        }
        Ok(())
    }

    /// Chooses the mask with the fewest rare values, by hill climbing bit by bit over the counts of values met.
    fn choose(&mut self, values: &[u16]) {
        let top = values.iter().copied().max().unwrap_or(0);
        let mut counts = vec![0u32; usize::from(top) + 1];
        // All of them: late values may repeat and tell little of the rest.
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
        self.choose_at = values.len() * 2;
        if best.1 != self.mask {
            self.mask = best.1;
            self.rare.clear();
            self.worth.clear();
            self.known = 0;
            let mask = self.mask;
            (self.uncommon, self.common) = (0..1u16 << 15).partition(|v| is_rare(*v, mask));
        }
    }

    /// Brings the list of heaps of rare value up to date.
    fn note(&mut self, values: &[u16]) {
        for (n, v) in values.iter().enumerate().skip(self.known) {
            self.top = self.top.max(*v);
            if n > 0 && is_rare(*v, self.mask) {
                self.rare.push(u32::try_from(n).unwrap_or(u32::MAX));
                self.worth.push(*v);
            }
        }
        self.known = values.len();
    }

    fn next(&mut self, rule: &TakingRule, values: &[u16]) -> Result<u16, Stop> {
        let n = values.len();
        self.seen.clear();
        let rest_of = |take: &Take| n.checked_sub(take.taken as usize);
        let twos = || rule.takes().iter().filter(|t| t.heaps == 2);
        for take in rule.takes().iter().filter(|t| t.heaps < 2) {
            super::plain::mark(*take, n, values, &mut self.seen);
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
        // Each rare value below the candidate must be met, else the least that is not is the mex.
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
            // Small heaps beside large ones reach other values than two of middle size do: from both ends in turn.
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
        Ok(missing
            .first()
            .map_or(candidate, |least| candidate.min(*least)))
    }

    /// Appends values until there are `length`, at most [`BLOCK`] more; fewer if one does not fit the block's width.
    fn many(&mut self, rule: &TakingRule, values: &mut Vec<u16>, length: usize) {
        let first = values.len();
        self.block.adapt();
        for seen in self.block.seen.iter_mut() {
            seen.fill(0);
        }
        // The heaps of rare value that leave something of every heap of the block, the smallest left out.
        let most = usize::try_from(rule.most_taken()).unwrap_or(usize::MAX);
        let small = self.rare.partition_point(|a| (*a as usize) < BLOCK);
        let large = self
            .rare
            .partition_point(|a| (*a as usize) + most < first)
            .max(small);
        for take in rule.takes().iter().filter(|t| t.heaps == 2) {
            let rest = first - take.taken as usize;
            let window = |a: usize| values[rest - a..].first_chunk::<BLOCK>();
            for (a, worth) in self.rare[small..large]
                .iter()
                .zip(&self.worth[small..large])
            {
                let a = *a as usize;
                let Some(others) = window(a) else { continue };
                let equal = (2 * a).wrapping_sub(rest);
                if take.distinct && equal < BLOCK {
                    // One of these heaps would be broken into equal halves.
                    for (j, other) in others.iter().enumerate().filter(|(j, _)| *j != equal) {
                        self.block.seen[j][usize::from(worth ^ other) % WIDTH] = 1;
                    }
                } else {
                    self.block.beside(*worth, others);
                }
            }
            let (low, high, half) = ends(rest, self.block.reach);
            for a in (BLOCK..low).chain(high..half) {
                if let Some(others) = window(a) {
                    self.block.beside(values[a], others);
                }
            }
        }
        for j in 0..length - first {
            let value = self.finish(rule, values, j, large);
            values.push(value);
            self.block.values += 1;
            if usize::from(value) >= WIDTH {
                break;
            }
        }
    }

    /// The value of the next heap, the one in place `j` of its block, whose share of the common work is done; the rare
    /// heaps from `large` on were left out of that.
    fn finish(&mut self, rule: &TakingRule, values: &[u16], j: usize, large: usize) -> u16 {
        let n = values.len();
        let seen = &mut self.block.seen[j];
        let mut mark = |v: u16| seen[usize::from(v) % WIDTH] = 1;
        for take in rule.takes() {
            let rest = n - take.taken as usize;
            match take.heaps {
                // The heap is larger than what is taken.
                0 => continue,
                1 => {
                    mark(values[rest]);
                    continue;
                }
                _ => {}
            }
            let mut pair = |a: usize| {
                let b = rest - a;
                if !take.distinct || a != b {
                    mark(values[a] ^ values[b]);
                }
            };
            (1..BLOCK).for_each(&mut pair);
            let (_, _, half) = ends(rest - j, self.block.reach);
            (half..=rest / 2).for_each(&mut pair);
            let late = self.rare[large..].iter().map(|a| *a as usize);
            late.filter(|a| *a < rest).for_each(&mut pair);
            // Those of this very block.
            (n - j..rest).for_each(&mut pair);
        }
        let has = |seen: &[u8; WIDTH], v: u16| seen.get(usize::from(v)) == Some(&1);
        let common = self.common.iter().find(|v| !has(seen, **v));
        let candidate = common.copied().unwrap_or(u16::MAX);
        let missing = &mut self.missing;
        missing.clear();
        let below = self.uncommon.iter().take_while(|v| **v < candidate);
        missing.extend(below.filter(|v| !has(seen, **v)));
        for take in rule.takes().iter().filter(|t| t.heaps == 2) {
            let rest = n - take.taken as usize;
            let (mut low, mut high, _) = ends(rest - j, self.block.reach);
            let mut upwards = true;
            while low < high && !missing.is_empty() {
                let (from, to) = match upwards {
                    true => (low, high.min(low + STRIDE)),
                    false => (low.max(high.saturating_sub(STRIDE)), high),
                };
                let others = values[rest + 1 - to..rest + 1 - from].iter().rev();
                for (a, b) in values[from..to].iter().zip(others) {
                    seen[usize::from(a ^ b) % WIDTH] = 1;
                }
                self.block.extra += to - from;
                missing.retain(|v| !has(seen, *v));
                match upwards {
                    true => low = to,
                    false => high = from,
                }
                upwards = !upwards;
            }
        }
        missing
            .first()
            .map_or(candidate, |least| candidate.min(*least))
    }

    /// Marks what can be reached by breaking `values.len()` into two heaps, one of them of rare value.
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

/// The heaps that are put beside all heaps of a block, `rest` being what its first leaves: from [`BLOCK`] below the first
/// of these, and from the second below the third. Whatever is below the third is smaller than its partner.
fn ends(rest: usize, reach: usize) -> (usize, usize, usize) {
    let half = rest.div_ceil(2);
    let low = reach.clamp(BLOCK, half.max(BLOCK));
    (low, half.saturating_sub(reach).max(low), half)
}
