//! The codes of the sums (see `codes`) that each heap of a block of neighbouring heaps reaches by its partners, one bit for
//! each code.
//!
//! A *plane* has a byte for each heap of the block. The bits of the byte stand for eight neighbouring codes, so one step
//! marks the sums of all heaps of the block with a partner, as far as they are among these eight codes. Two planes form a
//! group. The lower half of a code selects the bit, the upper half selects the group.

use super::codes::Codes;
use super::partners::Partner;
use fearless_simd::{prelude::*, u8x64};

/// The number of heaps processed together.
pub(super) const LANES: usize = 64;
/// The number of codes in a group.
const GROUP: usize = 16;
/// The greatest number of groups, which holds all codes.
const GROUPS: usize = 256 / GROUP;
/// The number of groups kept in registers.
const PASS: usize = 10;
/// The number of groups behind these.
const REST: usize = GROUPS - PASS;

/// A byte for each heap of a block.
pub(super) type Row = [u8; LANES];
/// The planes of the lower and of the higher eight codes.
type Group = [Row; 2];
/// The codes that a heap reaches, as bits.
type Met = [u64; 4];

/// The codes that the heaps of a block reach.
#[derive(Clone, Debug)]
pub(super) struct Planes {
    rows: Box<[Group; GROUPS]>,
    met: Box<[Met; LANES]>,
    groups: usize,
}

impl Default for Planes {
    fn default() -> Planes {
        Planes {
            rows: Box::new([[[0; LANES]; 2]; GROUPS]),
            met: Box::new([[0; 4]; LANES]),
            groups: 0,
        }
    }
}

/// The bit of a code within its plane, by the lower half of the code.
const BITS: [Row; 2] = {
    let mut bits = [[0; LANES]; 2];
    let mut i = 0;
    while i < LANES {
        bits[i % 16 / 8][i] = 1 << (i % 8);
        i += 1;
    }
    bits
};
/// For each group a mask, by the upper half of the code.
const NAMED: [Row; GROUPS] = {
    let mut named = [[0; LANES]; GROUPS];
    let mut i = 0;
    while i < LANES {
        named[i % 16][i] = u8::MAX;
        i += 1;
    }
    named
};

/// The number of groups that hold the codes up to this one.
pub(super) fn groups(code: u8) -> usize {
    usize::from(code) / GROUP + 1
}

/// The codes of `LANES` heaps.
#[inline(always)]
fn window(bytes: &[u8], from: usize) -> Option<&Row> {
    bytes.get(from..)?.first_chunk()
}

impl Planes {
    /// Clears all marks; codes in the first `groups` groups will be marked.
    pub(super) fn clear(&mut self, groups: usize) {
        self.groups = groups.min(GROUPS);
        self.rows[..self.groups].fill([[0; LANES]; 2]);
    }

    /// Marks the sums with partners for all heaps of the block. `rests` are the numbers of counters that its first heap
    /// leaves for two heaps. Not inlined: the callers share the copies for each number of groups.
    #[inline(never)]
    pub(super) fn mark<S: Simd>(
        &mut self,
        simd: S,
        partners: &[Partner],
        bytes: &[u8],
        rests: &[usize],
    ) {
        simd.vectorize(
            #[inline(always)]
            || self.mark_here(simd, partners, bytes, rests),
        );
    }

    #[inline(always)]
    fn mark_here<S: Simd>(&mut self, simd: S, partners: &[Partner], bytes: &[u8], rests: &[usize]) {
        for start in (0..self.groups).step_by(PASS) {
            let (rows, named) = (&mut self.rows[start..], &NAMED[start..]);
            // Marking one group too many, which nobody reads, halves the number of copies.
            match self.groups - start {
                _ if is_old(simd) && start > 0 => {
                    mark::<S, REST>(simd, partners, bytes, rests, named, rows);
                }
                _ if is_old(simd) => mark::<S, PASS>(simd, partners, bytes, rests, named, rows),
                1 => mark::<S, 1>(simd, partners, bytes, rests, named, rows),
                2 => mark::<S, 2>(simd, partners, bytes, rests, named, rows),
                3 | 4 => mark::<S, 4>(simd, partners, bytes, rests, named, rows),
                5 | 6 => mark::<S, 6>(simd, partners, bytes, rests, named, rows),
                7 | 8 => mark::<S, 8>(simd, partners, bytes, rests, named, rows),
                _ => mark::<S, PASS>(simd, partners, bytes, rests, named, rows),
            }
        }
    }

    /// The least codes of each heap that are not marked, in increasing order, followed by [`Codes::NEVER`].
    #[inline(always)]
    pub(super) fn least<S: Simd, const N: usize>(&self, simd: S) -> [Row; N] {
        let zero = u8x64::splat(simd, 0);
        let one = u8x64::splat(simd, 1);
        let mut free = [[zero; 2]; GROUPS];
        for (free, rows) in free.iter_mut().zip(&self.rows[..self.groups]) {
            for (free, row) in free.iter_mut().zip(rows) {
                *free = !u8x64::from_slice(simd, row);
            }
        }
        let mut all = [[Codes::NEVER; LANES]; N];
        for each in &mut all {
            let mut code = u8x64::splat(simd, Codes::NEVER);
            let mut open = u8x64::splat(simd, u8::MAX);
            for (i, free) in free[..self.groups]
                .as_flattened_mut()
                .iter_mut()
                .enumerate()
            {
                let bit = *free & (zero - *free) & open;
                *free ^= bit;
                let none = bit.simd_eq(zero);
                let found = (bit - one).count_ones() + u8x64::splat(simd, 8 * i as u8);
                code = none.select(code, found);
                open = none.select(open, zero);
            }
            code.store_slice(each);
        }
        all
    }

    /// Searches for some codes of each heap among the sums with more partners, and marks those that are found. Returns the
    /// first of the others.
    #[inline(always)]
    pub(super) fn settle<S: Simd, const N: usize, const M: usize>(
        &mut self,
        simd: S,
        partners: &[Partner],
        bytes: &[u8],
        rests: &[usize],
        targets: &[Row; N],
    ) -> [Row; M] {
        let never = u8x64::splat(simd, Codes::NEVER);
        let rare = u8x64::splat(simd, Codes::RARE);
        let wanted: [u8x64<S>; N] = std::array::from_fn(|i| u8x64::from_slice(simd, &targets[i]));
        // A byte is 0 once its target is found.
        let mut far = [never; N];
        for rest in rests {
            for Partner { heap: a, code, .. } in partners {
                let Some(window) = window(bytes, rest - *a as usize) else {
                    continue;
                };
                let window = u8x64::from_slice(simd, window);
                let sum = window ^ u8x64::splat(simd, *code);
                // Sums with a heap of rare value do not count.
                let sum = window.simd_eq(rare).select(never, sum);
                for (far, wanted) in far.iter_mut().zip(&wanted) {
                    *far = far.min(sum ^ *wanted);
                }
            }
        }
        let zero = u8x64::splat(simd, 0);
        let lower = u8x64::splat(simd, 15);
        let even = u8x64::from_slice(simd, &BITS[0]);
        let odd = u8x64::from_slice(simd, &BITS[1]);
        let mut left = [never; M];
        for (wanted, far) in wanted.iter().zip(&far) {
            let met = far.simd_eq(zero);
            let mut other = met.select(never, *wanted);
            for left in &mut left {
                let empty = left.simd_eq(never);
                let here = empty.select(other, *left);
                other = empty.select(never, other);
                *left = here;
            }
            // [`Codes::NEVER`] lies in none of these groups.
            let lows = *wanted & lower;
            let one = met.select(even.swizzle_dyn_within_blocks(lows), zero);
            let two = met.select(odd.swizzle_dyn_within_blocks(lows), zero);
            let group = *wanted >> 4;
            for (rows, named) in self.rows[..self.groups].iter_mut().zip(&NAMED) {
                let here = u8x64::from_slice(simd, named).swizzle_dyn_within_blocks(group);
                let [low, high] = rows;
                (u8x64::from_slice(simd, low) | (one & here)).store_slice(low);
                (u8x64::from_slice(simd, high) | (two & here)).store_slice(high);
            }
        }
        let mut rows = [[Codes::NEVER; LANES]; M];
        for (row, left) in rows.iter_mut().zip(&left) {
            left.store_slice(row);
        }
        rows
    }

    /// Collects the marks of each heap for [`Planes::unmet`], after all marking. Not inlined, like `mark`.
    #[inline(never)]
    pub(super) fn gather<S: Simd>(&mut self, simd: S) {
        simd.vectorize(
            #[inline(always)]
            || self.gather_here(simd),
        );
    }

    #[inline(always)]
    fn gather_here<S: Simd>(&mut self, simd: S) {
        // Groups behind the last one are skipped.
        let eights = self.rows.as_flattened().chunks_exact(8);
        for (i, eight) in eights.enumerate().take(self.groups.div_ceil(4)) {
            let mut rows: [u8x64<S>; 8] =
                std::array::from_fn(|i| u8x64::from_slice(simd, &eight[i]));
            for _ in 0..3 {
                let pairs: [_; 4] = std::array::from_fn(|i| rows[i].interleave(rows[i + 4]));
                rows = std::array::from_fn(|i| {
                    if i % 2 == 0 {
                        pairs[i / 2].0
                    } else {
                        pairs[i / 2].1
                    }
                });
            }
            for (row, met) in rows.iter().zip(self.met.chunks_exact_mut(8)) {
                let row = row.to_array();
                for (met, bytes) in met.iter_mut().zip(row.as_chunks().0) {
                    met[i] = u64::from_le_bytes(*bytes);
                }
            }
        }
    }

    /// The codes below the end of the groups that a heap does not reach, in increasing order.
    pub(super) fn unmet(&self, lane: usize) -> impl Iterator<Item = u8> {
        let all = GROUP * self.groups;
        let met = &self.met[lane];
        let mut i = 0;
        let mut word = !met[0];
        std::iter::from_fn(move || {
            while word == 0 {
                i += 1;
                word = !*met.get(i)?;
            }
            let code = 64 * i + word.trailing_zeros() as usize;
            word &= word - 1;
            (code < all).then_some(code as u8)
        })
    }
}

/// Whether this is the code for processors that have no vectors but those of SSE2, where each step is many instructions. It has
/// two copies of the loop only.
#[inline(always)]
fn is_old<S: Simd>(simd: S) -> bool {
    match simd.level() {
        #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
        fearless_simd::Level::Sse2(_) => true,
        _ => false,
    }
}

#[inline(always)]
fn mark<S: Simd, const N: usize>(
    simd: S,
    partners: &[Partner],
    bytes: &[u8],
    rests: &[usize],
    named: &[Row],
    rows: &mut [Group],
) {
    let (Some(rows), Some(named)) = (rows.first_chunk_mut::<N>(), named.first_chunk::<N>()) else {
        return;
    };
    let even = u8x64::from_slice(simd, &BITS[0]);
    let odd = u8x64::from_slice(simd, &BITS[1]);
    let named: [u8x64<S>; N] = std::array::from_fn(|g| u8x64::from_slice(simd, &named[g]));
    let rare = u8x64::splat(simd, Codes::RARE);
    let lower = u8x64::splat(simd, 15);
    let zero = u8x64::splat(simd, 0);
    let mut low: [u8x64<S>; N] = std::array::from_fn(|g| u8x64::from_slice(simd, &rows[g][0]));
    let mut high: [u8x64<S>; N] = std::array::from_fn(|g| u8x64::from_slice(simd, &rows[g][1]));
    for rest in rests {
        for Partner { heap: a, code, .. } in partners {
            let Some(window) = window(bytes, rest - *a as usize) else {
                continue;
            };
            let window = u8x64::from_slice(simd, window);
            let sum = window ^ u8x64::splat(simd, *code);
            // Sums with a heap of rare value are not marked.
            let counts = window.simd_ne(rare);
            let lows = sum & lower;
            let one = counts.select(even.swizzle_dyn_within_blocks(lows), zero);
            let two = counts.select(odd.swizzle_dyn_within_blocks(lows), zero);
            let group = sum >> 4;
            for g in 0..N {
                let here = named[g].swizzle_dyn_within_blocks(group);
                low[g] |= one & here;
                high[g] |= two & here;
            }
        }
    }
    for g in 0..N {
        low[g].store_slice(&mut rows[g][0]);
        high[g].store_slice(&mut rows[g][1]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fearless_simd::{Level, dispatch};

    /// Marks by the vectors of this machine, and by those that all machines have, are what the definition says.
    #[test]
    fn marks_are_sums() {
        let mut state = 1u64;
        let mut random = move |below: u64| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            (state >> 33) % below
        };
        for groups in 1..=GROUPS {
            let bytes: Vec<u8> = (0..400)
                .map(|_| match random(20) {
                    0 => Codes::RARE,
                    _ => random(120) as u8,
                })
                .collect();
            let partners: Vec<Partner> = (0..5)
                .map(|_| Partner {
                    heap: random(90) as u32,
                    worth: 0,
                    code: random(250) as u8,
                })
                .collect();
            let rests = [200, 231, 336];
            let mut wanted = vec![[[0u8; LANES]; 2]; groups];
            for (rest, partner) in rests
                .iter()
                .flat_map(|r| partners.iter().map(move |p| (r, p)))
            {
                for lane in 0..LANES {
                    let other = bytes[rest - partner.heap as usize + lane];
                    let sum = usize::from(other ^ partner.code);
                    if other != Codes::RARE && sum / GROUP < groups {
                        wanted[sum / GROUP][sum % GROUP / 8][lane] |= 1 << (sum % 8);
                    }
                }
            }
            for level in [Level::new(), Level::baseline()] {
                let mut planes = Planes::default();
                planes.clear(groups);
                dispatch!(level, simd => planes.mark(simd, &partners, &bytes, &rests));
                assert_eq!(planes.rows[..groups], wanted[..], "{groups} {level:?}");
            }
        }
    }
}
