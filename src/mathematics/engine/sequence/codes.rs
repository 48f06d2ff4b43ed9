//! Encodes small nim-values as bytes, so that many can be compared at once.
//!
//! All common values (see `sparse`) have an odd number of the bits of the mask, so one bit of the mask follows from the
//! others. It is dropped, and the rest of a value below 512 is its *code*, a byte. The code of a nim-sum is the nim-sum of
//! the codes. The summands decide which of the two values with a code is meant: a rare and a common value have a common sum,
//! two common values have a rare sum. Heaps of rare value, and the empty heap, are marked by a byte of their own; sums with
//! such a heap are not found by means of codes.

use fearless_simd::{prelude::*, u8x64};

/// The number of codes compared at once.
const CHUNK: usize = 64;
/// The number of chunks searched together.
const TOGETHER: usize = 6;
/// The number of bytes after the last heap that stand for unknown values.
const PAD: usize = 64;

/// A byte for each value.
#[derive(Clone, Debug, Default)]
pub(super) struct Codes {
    mask: u16,
    /// The lowest bit of the mask, which codes leave out.
    dropped: u32,
    usable: bool,
    bytes: Vec<u8>,
}

impl Codes {
    /// The code of no heap.
    pub(super) const NEVER: u8 = u8::MAX;
    /// Marks a heap of rare value; no heap of common value has this code.
    pub(super) const RARE: u8 = u8::MAX - 1;

    /// Clears the table. `mask` must not be 0.
    pub(super) fn begin(&mut self, mask: u16) {
        self.bytes.clear();
        (self.mask, self.dropped) = (mask, mask.trailing_zeros());
        self.usable = self.dropped <= 8;
    }

    /// The code of a value below 512.
    #[inline]
    pub(super) fn squeeze(&self, value: u16) -> u8 {
        let below = (1u16 << (self.dropped & 15)) - 1;
        (((value & below) | ((value >> 1) & !below)) & 0xff) as u8
    }

    /// A code with a 0 in place of the dropped bit.
    fn stretch(&self, code: u8) -> u16 {
        let below = (1u16 << (self.dropped & 15)) - 1;
        let code = u16::from(code);
        (code & below) | ((code & !below) << 1)
    }

    /// The rare value of a code.
    pub(super) fn rare_value(&self, code: u8) -> u16 {
        let value = self.stretch(code);
        let odd = (value & self.mask).count_ones() % 2 == 1;
        value | (u16::from(odd) << (self.dropped & 15))
    }

    /// The common value of a code.
    pub(super) fn common(&self, code: u8) -> u16 {
        self.rare_value(code) ^ (1 << (self.dropped & 15))
    }

    /// Values below this have codes other than [`Codes::NEVER`] and [`Codes::RARE`]. At most 511.
    pub(super) fn most(&self) -> u16 {
        self.stretch(Codes::RARE)
    }

    /// The bytes of all heaps; `None` unless all values are below [`Codes::most`].
    pub(super) fn bytes(&self) -> Option<&[u8]> {
        self.usable.then_some(&self.bytes[..])
    }

    /// Behaves as if a value were too large.
    #[cfg(test)]
    pub(super) fn give_up(&mut self) {
        (self.usable, self.bytes) = (false, Vec::new());
    }

    /// The size of the table in bytes.
    pub(super) fn room(&self) -> usize {
        self.bytes.capacity()
    }

    /// Adds the bytes of new values.
    pub(super) fn note(&mut self, values: &[u16], is_rare: impl Fn(u16) -> bool) {
        self.bytes.truncate(self.bytes.len().saturating_sub(PAD));
        let news = values.get(self.bytes.len()..).unwrap_or(&[]);
        self.usable &= news.iter().all(|v| *v < self.most());
        if !self.usable {
            self.bytes = Vec::new();
            return;
        }
        if self.bytes.capacity() < values.len() + PAD {
            // Grow by a quarter at a time, like the values themselves.
            self.bytes
                .reserve_exact(PAD + news.len().max(self.bytes.len() / 4));
        }
        for v in news {
            let code = if is_rare(*v) {
                Codes::RARE
            } else {
                self.squeeze(*v)
            };
            self.bytes.push(code);
        }
        self.bytes.resize(self.bytes.len() + PAD, Codes::RARE);
    }

    /// Removes from `missing` the values that occur among the sums of two heaps of common value with `rest` counters
    /// together (of different sizes only, if `distinct`). All values in `missing` must be rare and below [`Codes::most`].
    /// `rest` is at least 128, and the codes of all heaps but the last 63 must be known.
    #[inline(always)]
    pub(super) fn look<S: Simd>(
        &self,
        simd: S,
        missing: &mut Vec<u16>,
        rest: usize,
        distinct: bool,
    ) {
        let mut wanted = [0u8; 256];
        let mut left = 0;
        for (code, v) in wanted.iter_mut().zip(missing.iter()) {
            *code = self.squeeze(*v);
            left += 1;
        }
        let last = rest / 2 / CHUNK;
        let half = last / 2;
        // Starts in the middle, since small heaps reach similar values, and takes several chunks at a time.
        for (from, to) in [(half, last + 1), (0, half)] {
            for chunk in (from..to).step_by(TOGETHER) {
                let mut sums = [u8x64::splat(simd, Codes::NEVER); TOGETHER];
                for (sums, chunk) in sums.iter_mut().zip(chunk..to) {
                    *sums = self.sums(simd, chunk, rest, distinct);
                }
                let mut kept = 0;
                for i in 0..left {
                    let code = wanted[i];
                    let each = u8x64::splat(simd, code);
                    let mut met = sums[0].simd_eq(each);
                    for sums in &sums[1..] {
                        met |= sums.simd_eq(each);
                    }
                    wanted[kept] = code;
                    kept += usize::from(!met.any_true());
                }
                left = kept;
                if left == 0 {
                    missing.clear();
                    return;
                }
            }
        }
        missing.clear();
        missing.extend(wanted[..left].iter().map(|code| self.rare_value(*code)));
    }

    /// The codes of the sums of the heaps of a chunk and the heaps beside them; [`Codes::NEVER`] where one of the two has
    /// rare or unknown value.
    #[inline(always)]
    fn sums<S: Simd>(&self, simd: S, chunk: usize, rest: usize, distinct: bool) -> u8x64<S> {
        let never = u8x64::splat(simd, Codes::NEVER);
        let rare = u8x64::splat(simd, Codes::RARE);
        let codes = |from: usize| self.bytes.get(from..)?.first_chunk::<CHUNK>();
        let beside = (rest + 1).checked_sub(CHUNK * (chunk + 1));
        let small = codes(CHUNK * chunk);
        let Some((low, (small, large))) =
            beside.and_then(|low| Some((low, small.zip(codes(low))?)))
        else {
            return never;
        };
        let back = u8x64::from_slice(simd, small).reverse();
        let run = u8x64::from_slice(simd, large);
        let one_rare = back.simd_eq(rare) | run.simd_eq(rare);
        let sums = one_rare.select(never, back ^ run);
        if distinct && rest.is_multiple_of(2) && rest / 2 / CHUNK == chunk {
            // Exclude two equal halves.
            let mut each = [0; CHUNK];
            sums.store_slice(&mut each);
            let equal = (rest / 2).checked_sub(low);
            if let Some(equal) = equal.and_then(|i| each.get_mut(i)) {
                *equal = Codes::NEVER;
            }
            return u8x64::from_slice(simd, &each);
        }
        sums
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fearless_simd::{Level, dispatch};

    /// Values are recovered from their codes, and codes add like values.
    #[test]
    fn codes_come_back() {
        for mask in [1u16, 2, 3, 6, 0b1010, 0b1_1000_0000, 0x100] {
            let mut codes = Codes::default();
            codes.begin(mask);
            let is_rare = |v: u16| (v & mask).count_ones().is_multiple_of(2);
            for v in 0..codes.most() {
                let code = codes.squeeze(v);
                assert!(code < Codes::RARE);
                let back = if is_rare(v) {
                    codes.rare_value(code)
                } else {
                    codes.common(code)
                };
                assert_eq!(back, v, "mask {mask:b}");
                let w = v.wrapping_mul(97) % codes.most();
                assert_eq!(codes.squeeze(v ^ w), code ^ codes.squeeze(w));
            }
        }
    }

    /// The search finds exactly the values that are sums.
    #[test]
    fn rare_values_are_found_as_one_by_one() {
        let mask = 0b110u16;
        let is_rare = |v: u16| (v & mask).count_ones().is_multiple_of(2);
        let mut seed = 1u32;
        let mut values: Vec<u16> = (0..1500)
            .map(|_| {
                seed = seed.wrapping_mul(1_103_515_245).wrapping_add(12_345);
                (seed >> 16) as u16 % 90
            })
            .collect();
        values[0] = 0;
        let mut codes = Codes::default();
        codes.begin(mask);
        codes.note(&values[..values.len() - 40], is_rare);
        for rest in [128, 191, 192, 255, 256, 257, 1000, 1460, 1498] {
            for distinct in [false, true] {
                let rares = (0..128).filter(|v| is_rare(*v));
                let mut missing: Vec<u16> = rares.collect();
                let met = |v: u16| {
                    (1..=rest / 2).any(|a| {
                        let (one, two) = (values[a], values[rest - a]);
                        let known = rest - a < values.len() - 40;
                        let common = known && !is_rare(one) && !is_rare(two);
                        common && one ^ two == v && (!distinct || 2 * a != rest)
                    })
                };
                let expected: Vec<u16> = missing.iter().copied().filter(|v| !met(*v)).collect();
                dispatch!(Level::new(), simd => codes.look(simd, &mut missing, rest, distinct));
                assert_eq!(missing, expected, "{rest} counters, distinct: {distinct}");
            }
        }
    }
}
