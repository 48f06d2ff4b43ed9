//! A block of neighbouring heaps whose values are all small, worked on together: a fixed heap beside the other part of each
//! is a run of neighbouring values. Partners, the heaps that are put beside, come in; the least common value that each heap
//! does not reach comes out, and the rare values below it that were not met.
//!
//! What is reached beside the front of the partners is noted for all values at once (see `planes`). What is not met then is
//! looked for among what the others reach: some values of each heap at a time, the sums of all heaps of the block compared
//! at once. Behind the first part of the partners the values that were met make room.

use super::codes::Codes;
use super::partners::Partners;
pub(super) use super::planes::LANES;
use super::planes::{self, Planes, Row};
use fearless_simd::{Level, dispatch, prelude::*};

/// So many values of each heap are looked for beside the first part of the partners behind the front.
const SLOTS: usize = 12;
/// So many of those that are left, beside the others.
const OPEN: usize = 6;
/// So many rare values of each heap are looked for beside the helpers behind the front.
const RARE: usize = 4;

/// What is reached from each heap of a block.
#[derive(Clone, Debug)]
pub(super) struct Narrow {
    common: Planes,
    rare: Planes,
    /// Of the least codes of common values, those that were not met, in increasing order; all others below them were met.
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
    /// Finds what the heaps of a block reach beside the partners and helpers, as far as it is needed. All codes so far are at
    /// most `top`; `rests` are the counters that the first heap leaves for two heaps.
    pub(super) fn prepare(
        &mut self,
        partners: &Partners,
        helpers: &Partners,
        bytes: &[u8],
        rests: &[usize],
        top: u8,
    ) {
        // There is room for the next ones.
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

    /// The codes of the least common values that are not reached beside the partners, in increasing order; there may be more.
    pub(super) fn open(&self, lane: usize) -> impl Iterator<Item = u8> {
        let codes = self.open.iter().map(move |row| row[lane]);
        codes.filter(|code| *code != Codes::NEVER)
    }

    /// The codes of common values that were not met, in increasing order, below those that are not noted; behind the first
    /// ones not all partners were looked at.
    pub(super) fn unmet_common(&self, lane: usize) -> impl Iterator<Item = u8> {
        self.common.unmet(lane)
    }

    /// The codes of rare values that were not met, in increasing order, below those that are not noted.
    pub(super) fn unmet(&self, lane: usize) -> impl Iterator<Item = u8> {
        self.rare.unmet(lane)
    }
}
