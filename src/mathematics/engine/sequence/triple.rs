//! Rules that may leave three heaps: computes the next values in quadratic instead of cubic time. For each m a bit set
//! contains the nim-sums of all pairs of heaps with m counters. Three heaps are the smallest one and such a pair. For each
//! value of the smallest heap, the sets of its pairs are joined before they are translated by this value.

use super::plain::{Seen, mark};
use super::{Stop, TakingRule};
use crate::engine::nim_words::turned_word;
use crate::game::Cancel;

/// The sets are used if there are at least this many times more values than words in a set.
const LARGE: usize = 16;
/// The greatest number of words in all sets.
const MOST_WORDS: usize = 1 << 25;

/// Bit sets of the nim-sums of pairs.
#[derive(Clone, Debug, Default)]
pub(super) struct Triples {
    /// The number of words of each set, a power of two: all values are below 64 times this.
    words: usize,
    /// The sets for 0, 1, 2, .. counters.
    pairs: Vec<u64>,
    /// For each value of the smallest heap, the nim-sums of the other two; in `met`, all nim-sums.
    beside: Vec<u64>,
    met: Vec<u64>,
    seen: Seen,
    /// The greatest of the first values, and their number.
    top: (u16, usize),
}

/// Joins `{x xor g}`, for the members x of a set, to `into`; g must be below 64 times the number of words.
fn turned(set: &[u64], g: usize, into: &mut [u64]) {
    for (i, w) in set.iter().enumerate().filter(|(_, w)| **w != 0) {
        into[i ^ (g >> 6)] |= turned_word(*w, g);
    }
}

impl Triples {
    /// The size of the sets in bytes.
    pub(super) fn bytes(&self) -> usize {
        8 * (self.pairs.capacity() + self.beside.capacity() + self.met.capacity())
    }

    /// Computes the sets of all m below the number of values; false if the values are so large that the sets do not pay.
    fn note(&mut self, values: &[u16]) -> bool {
        for v in &values[self.top.1..] {
            self.top.0 = self.top.0.max(*v);
        }
        self.top.1 = values.len();
        // A nim-sum has no binary digit beyond the highest of its summands.
        let words = (usize::from(self.top.0) / 64 + 1).next_power_of_two();
        if words * LARGE > values.len() || words * values.len() > MOST_WORDS {
            self.words = 0;
            self.pairs = Vec::new();
            self.beside = Vec::new();
            return false;
        }
        if words != self.words {
            self.words = words;
            self.pairs.clear();
        }
        let mut known = self.pairs.len() / self.words;
        while known < values.len() {
            let from = self.pairs.len();
            self.pairs.resize(from + self.words, 0);
            let set = &mut self.pairs[from..];
            for b in 1..=known / 2 {
                let sum = usize::from(values[b] ^ values[known - b]);
                set[sum / 64] |= 1 << (sum % 64);
            }
            known += 1;
        }
        true
    }

    /// Appends values until there are `length`.
    pub(super) fn extend(
        &mut self,
        rule: &TakingRule,
        values: &mut Vec<u16>,
        length: usize,
        cancel: &Cancel,
    ) -> Result<(), Stop> {
        while values.len() < length {
            if let Some(reason) = cancel.reason() {
                return Err(Stop::Cancelled(reason));
            }
            let n = values.len();
            if !self.note(values) {
                super::plain::extend(rule, &mut self.seen, values, n + 1, cancel)?;
                continue;
            }
            let words = self.words;
            self.met.clear();
            self.met.resize(words, 0);
            self.seen.clear();
            for take in rule.takes() {
                let free = take.heaps >= 2 && !take.distinct;
                let Some(rest) = n.checked_sub(take.taken as usize).filter(|_| free) else {
                    mark(*take, n, values, &mut self.seen, cancel)?;
                    continue;
                };
                // The set for all counters of the heap does not exist yet.
                if take.heaps == 2 {
                    match self.pairs.get(rest * words..(rest + 1) * words) {
                        Some(set) => self.met.iter_mut().zip(set).for_each(|(a, b)| *a |= b),
                        None => mark(*take, n, values, &mut self.seen, cancel)?,
                    }
                    continue;
                }
                self.beside.clear();
                self.beside.resize(64 * words * words, 0);
                let smallest = values.iter().enumerate().take(rest / 3 + 1).skip(1);
                for (a, worth) in smallest {
                    let m = rest - a;
                    let to = usize::from(*worth) * words;
                    let set = &self.pairs[m * words..(m + 1) * words];
                    let into = &mut self.beside[to..to + words];
                    into.iter_mut().zip(set).for_each(|(a, b)| *a |= b);
                }
                for (g, set) in self.beside.chunks_exact(words).enumerate() {
                    turned(set, g, &mut self.met);
                }
            }
            let has = |v: u16| {
                let v = usize::from(v);
                self.met.get(v / 64).is_some_and(|w| w >> (v % 64) & 1 == 1)
            };
            let mex = (0..1 << 15).find(|v| !has(*v) && !self.seen.has(*v));
            values.push(mex.ok_or(Stop::Value)?);
        }
        Ok(())
    }
}
