//! The sparse road: a rule and the values so far come in, the next values come out, in nearly linear time for the games
//! that have a sparse space (*Winning Ways*, ch. 4; A. Flammenkamp, Lange Perioden in Subtraktions-Spielen, 1997).
//!
//! Fix a mask of bits. Call a value *rare* if it has evenly many of these bits, else *common*. A nim-sum of two values
//! is common exactly if one of them is rare and the other common. So all common values that a heap can reach by breaking
//! into two are found by going through the heaps of rare value only, and there are few of those. Let c be the least
//! common value not reached. The nim-value is c unless a rare value below c is missed; each of those is looked for among
//! all ways to break until it is met. Nothing is assumed: whatever the mask, the value is the mex; a bad mask is slow.

use super::plain::{Seen, mark};
use super::{Take, TakingRule};
use crate::game::Limit;

/// From this many values on, a mask is chosen (again each time the length has doubled).
const FIRST_CHOICE: usize = 512;

/// The mask and the heaps of rare value under it.
#[derive(Clone, Debug, Default)]
pub struct Sparse {
    mask: u16,
    rare: Vec<u32>,
    /// How many values have been looked through for `rare`.
    known: usize,
    choose_at: usize,
    seen: Seen,
}

fn is_rare(value: u16, mask: u16) -> bool {
    (value & mask).count_ones().is_multiple_of(2)
}

impl Sparse {
    /// Appends values until there are `length`.
    pub(super) fn extend(
        &mut self,
        rule: &TakingRule,
        values: &mut Vec<u16>,
        length: usize,
    ) -> Result<(), Limit> {
        // Leaving three heaps, or never two, there is nothing to gain.
        let two = rule.takes().iter().any(|t| t.heaps == 2);
        let three = rule.takes().iter().any(|t| t.heaps == 3);
        if three || !two {
            return super::plain::extend(rule, values, length);
        }
        while values.len() < length {
            let n = values.len();
            if n < FIRST_CHOICE {
                let step = length.min(FIRST_CHOICE);
                super::plain::extend(rule, values, step)?;
                continue;
            }
            if n >= self.choose_at {
                self.choose(values);
            }
            self.note(values);
            let value = self.next(rule, values)?;
            values.push(value);
        }
        Ok(())
    }

    /// Chooses the mask with the fewest rare values, by hill climbing bit by bit over the counts of values met.
    fn choose(&mut self, values: &[u16]) {
        let top = values.iter().copied().max().unwrap_or(0);
        let mut counts = vec![0u32; usize::from(top) + 1];
        for v in &values[values.len() / 2..] {
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
            self.known = 0;
        }
    }

    /// Brings the list of heaps of rare value up to date.
    fn note(&mut self, values: &[u16]) {
        for (n, v) in values.iter().enumerate().skip(self.known) {
            if n > 0 && is_rare(*v, self.mask) {
                self.rare.push(u32::try_from(n).unwrap_or(u32::MAX));
            }
        }
        self.known = values.len();
    }

    fn next(&mut self, rule: &TakingRule, values: &[u16]) -> Result<u16, Limit> {
        let n = values.len();
        let Sparse {
            mask, rare, seen, ..
        } = self;
        seen.clear();
        let twos = || rule.takes().iter().filter(|t| t.heaps == 2);
        for take in rule.takes().iter().filter(|t| t.heaps < 2) {
            mark(*take, n, values, seen);
        }
        for take in twos() {
            let Some(rest) = n.checked_sub(take.taken as usize) else {
                continue;
            };
            let here = rare.partition_point(|a| (*a as usize) < rest);
            for a in &rare[..here] {
                let a = *a as usize;
                mark_two(*take, a, rest - a, values, seen);
            }
        }
        let candidate = (0..1u16 << 15)
            .find(|v| !is_rare(*v, *mask) && !seen.has(*v))
            .ok_or(Limit::Memory)?;
        // Each rare value below the candidate must be met, else the least that is not is the mex.
        let mut missing = (0..candidate)
            .filter(|v| is_rare(*v, *mask) && !seen.has(*v))
            .count();
        'search: for take in twos() {
            let Some(rest) = n.checked_sub(take.taken as usize) else {
                continue;
            };
            for a in 1..=rest / 2 {
                if missing == 0 {
                    break 'search;
                }
                let b = rest - a;
                if take.distinct && a == b {
                    continue;
                }
                let v = values[a] ^ values[b];
                if v < candidate && is_rare(v, *mask) && !seen.has(v) {
                    missing -= 1;
                    seen.mark(v);
                }
            }
        }
        if missing == 0 {
            return Ok(candidate);
        }
        Ok((0..candidate).find(|v| !seen.has(*v)).unwrap_or(candidate))
    }
}

fn mark_two(take: Take, a: usize, b: usize, values: &[u16], seen: &mut Seen) {
    if !take.distinct || a != b {
        seen.mark(values[a] ^ values[b]);
    }
}
