//! A block of neighbouring heaps beside partners, a byte for each heap: the codes of the values (see `codes`) come in, and
//! the codes of the sums that each heap of the block reaches go out, a bit for each.
//!
//! A *plane* is a byte for each heap of the block, and its bits stand for eight neighbouring codes: so one step notes what
//! all heaps of the block reach beside a partner, as far as it is among these eight. Two planes are a group. The bit is
//! looked up for the lower half of the code, and is kept in the group that the upper half names.

use super::codes::Codes;
use super::partners::Partner;
use fearless_simd::{prelude::*, u8x64};

/// Heaps that are treated together.
pub(super) const LANES: usize = 64;
/// Codes of a group.
const GROUP: usize = 16;
/// The most groups: all codes.
const GROUPS: usize = 256 / GROUP;
/// So many groups are kept in registers.
const PASS: usize = 10;

/// A byte for each heap of a block.
pub(super) type Row = [u8; LANES];
/// Planes of lower and of higher codes.
type Group = [Row; 2];
/// The bits of the codes that a heap reaches.
type Met = [u64; 4];

/// What the heaps of a block reach.
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
/// Which upper half of a code names the group.
const NAMED: [Row; GROUPS] = {
    let mut named = [[0; LANES]; GROUPS];
    let mut i = 0;
    while i < LANES {
        named[i % 16][i] = u8::MAX;
        i += 1;
    }
    named
};

/// How many groups hold the codes up to this one.
pub(super) fn groups(code: u8) -> usize {
    usize::from(code) / GROUP + 1
}

/// The codes of `LANES` heaps.
#[inline(always)]
fn window(bytes: &[u8], from: usize) -> Option<&Row> {
    bytes.get(from..)?.first_chunk()
}

impl Planes {
    /// Nothing is reached yet; codes of so many groups will be noted.
    pub(super) fn clear(&mut self, groups: usize) {
        self.groups = groups.min(GROUPS);
        self.rows[..self.groups].fill([[0; LANES]; 2]);
    }

    /// Puts partners beside all heaps of the block. `rests` are the counters that its first heap leaves for two heaps.
    #[inline(always)]
    pub(super) fn mark<S: Simd>(
        &mut self,
        simd: S,
        partners: &[Partner],
        bytes: &[u8],
        rests: &[usize],
    ) {
        let rows = self.rows[..self.groups].chunks_mut(PASS);
        for (rows, named) in rows.zip(NAMED.chunks(PASS)) {
            match rows.len() {
                1 => mark::<S, 1>(simd, partners, bytes, rests, named, rows),
                2 => mark::<S, 2>(simd, partners, bytes, rests, named, rows),
                3 => mark::<S, 3>(simd, partners, bytes, rests, named, rows),
                4 => mark::<S, 4>(simd, partners, bytes, rests, named, rows),
                5 => mark::<S, 5>(simd, partners, bytes, rests, named, rows),
                6 => mark::<S, 6>(simd, partners, bytes, rests, named, rows),
                7 => mark::<S, 7>(simd, partners, bytes, rests, named, rows),
                8 => mark::<S, 8>(simd, partners, bytes, rests, named, rows),
                9 => mark::<S, 9>(simd, partners, bytes, rests, named, rows),
                _ => mark::<S, PASS>(simd, partners, bytes, rests, named, rows),
            }
        }
    }

    /// The least codes of each heap that are not noted, in increasing order; [`Codes::NEVER`] where there are no more.
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

    /// Looks for codes, some of each heap, among what more partners reach, and notes those that are met; gives the first of
    /// the others.
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
        // A byte is 0 once its target is met.
        let mut far = [never; N];
        for rest in rests {
            for Partner { heap: a, code, .. } in partners {
                let Some(window) = window(bytes, rest - *a as usize) else {
                    continue;
                };
                let window = u8x64::from_slice(simd, window);
                let sum = window ^ u8x64::splat(simd, *code);
                // Beside a heap of rare value, nothing is met.
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
            // That there is none is in no group.
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

    /// All is marked: gathers what each heap reaches, for [`Planes::unmet`].
    #[inline(always)]
    pub(super) fn gather<S: Simd>(&mut self, simd: S) {
        // The groups behind the last are not looked at.
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

    /// The codes below the groups' end that a heap did not reach, in increasing order.
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
            // Beside a heap of rare value, nothing is noted.
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
