//! Processes a block of neighbouring heaps whose values are all small: when a fixed heap is taken out of each, the other
//! heaps are a run of neighbouring values. Input: partners, the fixed heaps. Output: for each heap the least common value
//! that it does not reach, and the rare values below it that were not found.
//!
//! The sums with the front partners are marked for all values at once (see `planes`). Unmarked values are searched for among
//! the sums with the other partners: some values of each heap at a time, for all heaps of the block at once. After the first
//! quarter of these partners, only values that are not found yet are searched for.

use super::codes::Codes;
use super::partners::Partners;
pub(super) use super::planes::LANES;
use super::planes::{self, Planes, Row};
use fearless_simd::{Level, dispatch, prelude::*};

/// The number of values searched for beside the first quarter of the partners behind the front, for each heap.
const SLOTS: usize = 12;
/// The number of the remaining values searched for beside the other partners.
const OPEN: usize = 6;
/// The number of rare values searched for beside the helpers behind the front, for each heap.
const RARE: usize = 4;

/// The values that each heap of a block reaches.
#[derive(Clone, Debug)]
pub(super) struct Narrow {
    common: Planes,
    rare: Planes,
    /// The least codes of common values that were not found, in increasing order; all smaller codes were found.
    open: [Row; OPEN],
}

impl Default for Narrow {
    fn default() -> Narrow {
        Narrow {
            common: Planes::default(),
            rare: Planes::default(),
            open: [[Codes::NEVER; LANES]; OPEN],
        }
    }
}

impl Narrow {
    /// Finds the values that the heaps of a block reach by the partners and helpers, as far as they are needed. All codes so
    /// far must be at most `top`. `rests` are the numbers of counters that the block's first heap leaves for two heaps.
    pub(super) fn prepare(
        &mut self,
        partners: &Partners,
        helpers: &Partners,
        bytes: &[u8],
        rests: &[usize],
        top: u8,
    ) {
        // Leaves room for larger values.
        let groups = planes::groups(top.saturating_add(2));
        self.common.clear(groups);
        self.rare.clear(groups);
        dispatch!(Level::new(), simd => self.work(simd, partners, helpers, bytes, rests));
    }

    #[inline(always)]
    fn work<S: Simd>(
        &mut self,
        simd: S,
        partners: &Partners,
        helpers: &Partners,
        bytes: &[u8],
        rests: &[usize],
    ) {
        let behind = partners.behind();
        let (first, last) = behind.split_at(behind.len() / 4);
        self.common.mark(simd, partners.front(), bytes, rests);
        let targets: [Row; SLOTS] = self.common.least(simd);
        let left: [Row; OPEN] = self.common.settle(simd, first, bytes, rests, &targets);
        self.open = self.common.settle(simd, last, bytes, rests, &left);
        self.common.gather(simd);
        self.rare.mark(simd, helpers.front(), bytes, rests);
        let targets: [Row; RARE] = self.rare.least(simd);
        let _: [Row; 0] = self
            .rare
            .settle(simd, helpers.behind(), bytes, rests, &targets);
        self.rare.gather(simd);
    }

    /// The codes of the least common values that are not reached by the partners, in increasing order; there may be more.
    pub(super) fn open(&self, lane: usize) -> impl Iterator<Item = u8> {
        let codes = self.open.iter().map(move |row| row[lane]);
        codes.filter(|code| *code != Codes::NEVER)
    }

    /// The codes of common values without a mark, in increasing order, as far as codes have marks. Beyond the first few, not
    /// all partners were searched.
    pub(super) fn unmet_common(&self, lane: usize) -> impl Iterator<Item = u8> {
        self.common.unmet(lane)
    }

    /// The codes of rare values without a mark, in increasing order, as far as codes have marks.
    pub(super) fn unmet(&self, lane: usize) -> impl Iterator<Item = u8> {
        self.rare.unmet(lane)
    }
}
