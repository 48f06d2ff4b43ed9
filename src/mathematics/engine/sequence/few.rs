//! The next nim-values of a rule with few different values, all small, and no sparse space. Each value is stored as a byte.
//! Most values that a heap reaches occur among the first ways to break it. The others are searched for one by one among all
//! ways; only the last value searched for, the mex, is absent. Ways are compared 64 at a time: a run of small heaps,
//! reversed, beside a run of large heaps.

use super::TakingRule;
use fearless_simd::{Level, dispatch, prelude::*, u8x64};

/// All values and their nim-sums must be below this.
pub(super) const WIDTH: u16 = 64;
/// The number of ways compared at once.
const CHUNK: usize = 64;
/// The number of heaps processed together.
const GROUP: usize = 8;
/// The number of chunks compared between two tests whether the value occurs.
const STRIDE: usize = 8;
/// The number of ways of each kind that are marked first.
const FIRST: usize = 48;

/// A byte for each value.
#[derive(Clone, Debug, Default)]
pub(super) struct Few {
    bytes: Vec<u8>,
}

impl Few {
    /// Adds the bytes of new values, all of which must be below [`WIDTH`].
    fn note(&mut self, values: &[u16]) {
        let news = values.get(self.bytes.len()..).unwrap_or(&[]);
        if self.bytes.capacity() < values.len() {
            // Grow by a quarter at a time, like the values themselves.
            self.bytes
                .reserve_exact(news.len().max(self.bytes.len() / 4));
        }
        self.bytes.extend(news.iter().map(|v| v.to_le_bytes()[0]));
    }

    /// The size of the table in bytes.
    pub(super) fn room(&self) -> usize {
        self.bytes.capacity()
    }

    /// Appends values until there are `length` or one is not below [`WIDTH`]. No move may leave more than two heaps, and
    /// each must leave at least four blocks of [`CHUNK`] counters.
    pub(super) fn extend(&mut self, rule: &TakingRule, values: &mut Vec<u16>, length: usize) {
        dispatch!(Level::new(), simd => {
            while values.len() < length {
                self.note(values);
                if length - values.len() < GROUP || self.group(simd, rule, values) < GROUP {
                    self.note(values);
                    let value = self.next(simd, rule);
                    values.push(value);
                    if value >= WIDTH {
                        break;
                    }
                }
            }
        });
    }

    /// The values that a heap reaches by its first ways, as bits. With `late`, only the ways that involve a heap from
    /// `known` on; otherwise only the other ones.
    #[inline(always)]
    fn first(
        &self,
        rule: &TakingRule,
        heap: usize,
        known: usize,
        late: bool,
        values: &[u16],
    ) -> u64 {
        let mut met = 0u64;
        for take in rule.takes() {
            let rest = heap - take.taken as usize;
            if take.heaps == 1 && (rest >= known) == late {
                // The heap is larger than the amount taken, so this heap is not empty.
                met |= 1 << (values[rest] % WIDTH);
            }
            if take.heaps == 2 {
                // The other heap is below `known` if and only if `a` is at least this.
                let from = (rest + 1).saturating_sub(known).max(1);
                let ways = if late { 1..from } else { from..FIRST + 1 };
                for a in ways {
                    met |= 1 << ((values[a] ^ values[rest - a]) % WIDTH);
                }
            }
        }
        met
    }

    /// Appends the values of up to [`GROUP`] heaps, as long as each equals its candidate, the mex of the first ways. Returns
    /// their number.
    #[inline(always)]
    fn group<S: Simd>(&self, simd: S, rule: &TakingRule, values: &mut Vec<u16>) -> usize {
        let n = values.len();
        let mut met = [0u64; GROUP];
        let mut wanted = [0u8; GROUP];
        for (j, (met, wanted)) in met.iter_mut().zip(&mut wanted).enumerate() {
            *met = self.first(rule, n + j, n, false, values);
            // 64 if all values are reached.
            *wanted = (!*met).trailing_zeros() as u8;
        }
        let mut far = [u8x64::splat(simd, u8::MAX); GROUP];
        for take in rule.takes() {
            if take.heaps < 2 {
                continue;
            }
            let rest = n - take.taken as usize;
            // The heaps below half of the first heap's rest; the last run overlaps the one before.
            let half = rest.div_ceil(2);
            let mut from = FIRST + 1;
            while from < half {
                let at = from.min(half - CHUNK);
                let small = self.bytes.get(at..at + CHUNK);
                // The heaps beside them, from the first to the last heap of the group.
                let low = rest + 1 - at - CHUNK;
                let large = self.bytes.get(low..low + CHUNK + GROUP - 1);
                let Some((small, large)) = small.zip(large) else {
                    return 0;
                };
                let back = u8x64::from_slice(simd, small).reverse();
                for j in 0..GROUP {
                    let sum = back ^ u8x64::from_slice(simd, &large[j..j + CHUNK]);
                    far[j] = far[j].min(sum ^ u8x64::splat(simd, wanted[j]));
                }
                from += CHUNK;
            }
        }
        let zero = u8x64::splat(simd, 0);
        for j in 0..GROUP {
            let mut met = met[j] | self.first(rule, n + j, n, true, values);
            for take in rule.takes() {
                if take.heaps == 2 {
                    // The heaps that the runs left out.
                    let rest = n + j - take.taken as usize;
                    let half = if take.distinct {
                        rest.div_ceil(2)
                    } else {
                        rest / 2 + 1
                    };
                    for a in (rest - j).div_ceil(2)..half {
                        met |= 1 << ((values[a] ^ values[rest - a]) % WIDTH);
                    }
                }
            }
            let value = wanted[j];
            if value >= 64 || met >> value & 1 == 1 || far[j].simd_eq(zero).any_true() {
                return j;
            }
            values.push(u16::from(value));
        }
        GROUP
    }

    /// The mex of the values that the next heap reaches.
    #[inline(always)]
    fn next<S: Simd>(&self, simd: S, rule: &TakingRule) -> u16 {
        let n = self.bytes.len();
        let mut met = 0u64;
        for take in rule.takes() {
            let rest = n - take.taken as usize;
            match take.heaps {
                // Nothing: the heap is larger than the amount taken.
                0 => {}
                1 => met |= 1 << self.bytes[rest],
                _ => {
                    // Excludes two equal halves.
                    let first = FIRST.min(rest.saturating_sub(1) / 2);
                    for a in 1..=first {
                        met |= 1 << ((self.bytes[a] ^ self.bytes[rest - a]) % 64);
                    }
                }
            }
        }
        while let Some(value) = u8::try_from((!met).trailing_zeros())
            .ok()
            .filter(|v| *v < 64)
        {
            let mut found = false;
            for take in rule.takes() {
                if take.heaps == 2 && !found {
                    let rest = n - take.taken as usize;
                    let half = if take.distinct {
                        rest.saturating_sub(1) / 2
                    } else {
                        rest / 2
                    };
                    found = self.meets(simd, value, rest, half);
                }
            }
            if !found {
                return u16::from(value);
            }
            met |= 1 << value;
        }
        WIDTH
    }

    /// Whether a heap of at most `half` counters and the rest of `rest` have this nim-sum.
    #[inline(always)]
    fn meets<S: Simd>(&self, simd: S, value: u8, rest: usize, half: usize) -> bool {
        let wanted = u8x64::splat(simd, value);
        let zero = u8x64::splat(simd, 0);
        // The heaps 1 to half, and beside them the heaps rest - 1 down to rest - half.
        let (Some(small), Some(large)) = (
            self.bytes.get(1..half + 1),
            self.bytes.get(rest - half..rest),
        ) else {
            return false;
        };
        let many = small.chunks_exact(CHUNK * STRIDE);
        let done = half - many.remainder().len();
        for (one, other) in many.zip(large.rchunks_exact(CHUNK * STRIDE)) {
            let mut far = u8x64::splat(simd, u8::MAX);
            let others = other.as_chunks::<CHUNK>().0.iter().rev();
            for (one, other) in one.as_chunks::<CHUNK>().0.iter().zip(others) {
                let back = u8x64::from_slice(simd, other).reverse();
                far = far.min(u8x64::from_slice(simd, one) ^ back ^ wanted);
            }
            if far.simd_eq(zero).any_true() {
                return true;
            }
        }
        // The remaining heaps; the last run overlaps the one before.
        let mut far = u8x64::splat(simd, u8::MAX);
        for from in (done..half).step_by(CHUNK) {
            let at = from.min(half.saturating_sub(CHUNK));
            let one = small.get(at..).and_then(|s| s.first_chunk::<CHUNK>());
            let other = large.get(..half - at).and_then(|s| s.last_chunk::<CHUNK>());
            let Some((one, other)) = one.zip(other) else {
                // There are fewer heaps than in a run.
                return small
                    .iter()
                    .zip(large.iter().rev())
                    .any(|(a, b)| a ^ b == value);
            };
            let back = u8x64::from_slice(simd, other).reverse();
            far = far.min(u8x64::from_slice(simd, one) ^ back ^ wanted);
        }
        far.simd_eq(zero).any_true()
    }
}
