//! A block of neighbouring heaps whose values are all small, worked on together: a fixed heap beside the other part of each
//! is a run of neighbouring values. Partners, the heaps that are put beside, come in; the least common value that each heap
//! does not reach comes out, and the rare values below it that were not met.
//!
//! The front of the partners is marked: one byte for each sum. What is not marked then is looked for among what the others
//! reach: some values of each heap at a time, the sums of all heaps of the block compared at once (see `codes`), in
//! registers as wide as the processor has them. Behind each part of the partners the values that were met make room.

use super::codes::Codes;
use super::lanes;
use super::partners::{Partner, Partners};
use fearless_simd::{Level, dispatch, prelude::*, u8x32, u8x64};

/// Heaps that are treated together.
pub(super) const LANES: usize = 32;
/// No value is as large as this.
const WIDTH: usize = 512;
/// So many values of each heap are looked for beside the first quarter of the partners behind the front.
const SLOTS: usize = 16;
/// So many of those that are left, beside the second quarter.
const SECOND: usize = 8;
/// So many of those that are left, beside the others.
const THIRD: usize = 4;
/// So many are kept at last.
const OPEN: usize = 2;

/// A row of marks for each heap; any sum of two bytes past the beginning of the last is inside.
const SEEN: usize = WIDTH * (LANES - 1) + (1 << 16);
const WORDS: usize = WIDTH / 64;

/// The code of a value for each heap, [`Codes::NEVER`] where there is none.
type Row = [u8; LANES];
/// A bit for each heap of a block.
type Bits = u32;

/// What is reached from each heap of a block.
#[derive(Clone, Debug)]
pub(super) struct Narrow {
    /// A byte for each value, 1 if it is reached.
    seen: Box<[u8; SEEN]>,
    /// The same as bits, when the front was marked.
    words: Box<[[u64; WORDS]; LANES]>,
    /// All values are below this, a power of two from 64 on.
    width: usize,
    /// The common values.
    common: [u64; WORDS],
    /// The least common values that were not met, in increasing order; all below them were.
    open: [Row; OPEN],
    count: [u8; LANES],
}

impl Default for Narrow {
    fn default() -> Narrow {
        Narrow {
            seen: Box::new([0; SEEN]),
            words: Box::new([[0; WORDS]; LANES]),
            width: 64,
            common: [0; WORDS],
            open: [[Codes::NEVER; LANES]; OPEN],
            count: [0; LANES],
        }
    }
}

/// A bit for each byte that is not 0, of the first bytes of each row.
#[inline(always)]
fn pack<S: Simd>(simd: S, seen: &[u8; SEEN], words: &mut [[u64; WORDS]; LANES], width: usize) {
    let zero = u8x64::splat(simd, 0);
    for (words, seen) in words.iter_mut().zip(seen.chunks_exact(WIDTH)) {
        for (word, bytes) in words.iter_mut().zip(seen[..width].chunks_exact(64)) {
            *word = !u8x64::from_slice(simd, bytes).simd_eq(zero).to_bitmask();
        }
    }
}

/// The numbers of the bits that are 1.
#[inline]
fn ones(mut bits: Bits) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let at = bits.trailing_zeros() as usize;
        bits &= bits.checked_sub(1)?;
        Some(at)
    })
}

impl Narrow {
    /// Which values are common.
    pub(super) fn choose(&mut self, is_rare: impl Fn(u16) -> bool) {
        self.common = lanes::common(is_rare);
    }

    /// Nothing is reached yet, and all values so far are at most `top`, below 512. There is room for
    /// larger ones, below the width.
    pub(super) fn clear(&mut self, top: u16) {
        self.width = lanes::width(top, WIDTH);
        for seen in self.seen.chunks_exact_mut(WIDTH).take(LANES) {
            seen[..self.width].fill(0);
        }
    }

    /// Whether a value fits the width; if one does not, the block ends with its heap.
    pub(super) fn fits(&self, value: u16) -> bool {
        usize::from(value) < self.width
    }

    #[inline]
    pub(super) fn mark(&mut self, lane: usize, value: u16) {
        self.seen[WIDTH * lane + usize::from(value)] = 1;
    }

    /// Marks the sums of two runs of as many values, the second backwards.
    #[inline]
    pub(super) fn mark_pairs(&mut self, lane: usize, low: &[u16], high: &[u16]) {
        for (a, b) in low.iter().zip(high.iter().rev()) {
            self.mark(lane, a ^ b);
        }
    }

    fn has(&self, lane: usize, value: u16) -> bool {
        usize::from(value) < self.width && self.seen[WIDTH * lane + usize::from(value)] != 0
    }

    /// Puts the front of the partners beside all heaps; `rest` is what the first of them leaves for two heaps.
    pub(super) fn mark_front(
        &mut self,
        partners: &Partners,
        values: &[u16],
        rest: usize,
        distinct: bool,
    ) {
        for Partner { heap: a, worth, .. } in partners.front() {
            let (a, worth) = (*a as usize, *worth);
            let others = values
                .get(rest - a..)
                .and_then(|o| o.first_chunk::<LANES>());
            let Some(others) = others else {
                continue;
            };
            let equal = (2 * a).wrapping_sub(rest);
            if distinct && equal < LANES {
                // One of these heaps would be broken into equal halves.
                for (j, other) in others.iter().enumerate().filter(|(j, _)| *j != equal) {
                    self.mark(j, worth ^ other);
                }
                continue;
            }
            for (j, other) in others.iter().enumerate() {
                self.mark(j, worth ^ other);
            }
        }
    }

    /// The front is marked: what is not marked now is looked for.
    pub(super) fn pack(&mut self) {
        let Narrow {
            seen, words, width, ..
        } = self;
        dispatch!(Level::new(), simd => pack(simd, seen, words, *width));
    }

    /// The codes of common values that were not marked, from `from` on, in increasing order; where to go on.
    #[inline]
    fn fill(&self, codes: &Codes, lane: usize, targets: &mut [Row; SLOTS], from: u16) -> u16 {
        let words = &self.words[lane];
        let most = self.width.min(usize::from(codes.most()));
        let mut slot = 0;
        let mut keep = u64::MAX << (from % 64);
        let both = words.iter().zip(&self.common).take(self.width / 64);
        for (i, (seen, common)) in both.enumerate().skip(usize::from(from) / 64) {
            let mut word = !seen & common & keep;
            keep = u64::MAX;
            while word != 0 {
                let v = 64 * i + word.trailing_zeros() as usize;
                if v >= most {
                    return WIDTH as u16;
                }
                targets[slot][lane] = codes.squeeze(v as u16);
                slot += 1;
                if slot == SLOTS {
                    return v as u16 + 1;
                }
                word &= word - 1;
            }
        }
        WIDTH as u16
    }

    /// Looks for the least common values that are not marked among what the partners behind the front reach, until for
    /// each heap one is found that is not reached, if there is one.
    pub(super) fn settle(
        &mut self,
        partners: &Partners,
        codes: &Codes,
        bytes: &[u8],
        rests: &[usize],
    ) {
        self.open = [[Codes::NEVER; LANES]; OPEN];
        self.count = [0; LANES];
        let mut from = [0u16; LANES];
        let mut need = Bits::MAX;
        while need != 0 {
            let mut targets = [[Codes::NEVER; LANES]; SLOTS];
            for lane in ones(need) {
                from[lane] = self.fill(codes, lane, &mut targets, from[lane]);
            }
            let behind = partners.behind();
            let (some, last) = behind.split_at(behind.len() / 2);
            let (first, then) = some.split_at(some.len() / 2);
            let left: [Row; SECOND] = sieve(first, codes, bytes, rests, &targets, &mut from);
            let left: [Row; THIRD] = sieve(then, codes, bytes, rests, &left, &mut from);
            let left: [Row; OPEN] = sieve(last, codes, bytes, rests, &left, &mut from);
            for lane in ones(need) {
                for row in left {
                    if row[lane] != Codes::NEVER {
                        self.open[usize::from(self.count[lane])][lane] = row[lane];
                        self.count[lane] += 1;
                    }
                }
                if self.count[lane] > 0 || usize::from(from[lane]) >= WIDTH {
                    need &= !(1 << lane);
                }
            }
        }
    }

    /// The least common value that is not reached, if it is among those that were left open.
    pub(super) fn candidate(&self, codes: &Codes, lane: usize) -> Option<u16> {
        let open = self.open.iter().take(usize::from(self.count[lane]));
        let mut found = open.map(|row| codes.common(row[lane]));
        found.find(|v| !self.has(lane, *v))
    }

    /// Marks all that the partners behind the front reach from one heap, and gives the least common value that is not
    /// reached.
    pub(super) fn mark_rest(
        &mut self,
        lane: usize,
        partners: &Partners,
        values: &[u16],
        rests: &[usize],
        common: &[u16],
    ) -> u16 {
        for rest in rests {
            for Partner { heap: a, worth, .. } in partners.behind() {
                let v = worth ^ values[rest + lane - *a as usize];
                // An equal half beside itself is worth 0, which is rare.
                if v != 0 {
                    self.mark(lane, v);
                }
            }
        }
        let found = common.iter().find(|v| !self.has(lane, **v));
        found.copied().unwrap_or(u16::MAX)
    }

    /// The rare values below the candidate that are not marked.
    pub(super) fn missing(
        &self,
        lane: usize,
        candidate: u16,
        rare: &[u16],
        missing: &mut Vec<u16>,
    ) {
        missing.clear();
        let words = &self.words[lane];
        let both = words.iter().zip(&self.common).take(self.width / 64);
        for (i, (seen, common)) in both.enumerate() {
            let mut word = !seen & !common;
            while word != 0 {
                let v = (64 * i) as u16 + word.trailing_zeros() as u16;
                if v >= candidate {
                    return;
                }
                // It may have been marked since.
                if !self.has(lane, v) {
                    missing.push(v);
                }
                word &= word - 1;
            }
        }
        let first = rare.partition_point(|v| usize::from(*v) < self.width);
        missing.extend(rare[first..].iter().take_while(|v| **v < candidate));
    }
}

/// Looks for values among what some partners reach, and gives the first of those that are not met; where there are more,
/// they are gone on from later.
#[inline]
fn sieve<const N: usize, const M: usize>(
    partners: &[Partner],
    codes: &Codes,
    bytes: &[u8],
    rests: &[usize],
    targets: &[Row; N],
    from: &mut [u16; LANES],
) -> [Row; M] {
    let open = dispatch!(Level::new(), simd => sift(simd, partners, bytes, rests, targets));
    let mut left = [[Codes::NEVER; LANES]; M];
    let mut count = [0u8; LANES];
    let mut room = Bits::MAX;
    for (row, open) in targets.iter().zip(open) {
        for lane in ones(open) {
            if room >> lane & 1 == 0 {
                continue;
            }
            let c = usize::from(count[lane]);
            if c == M {
                // No room: this and all that is larger comes later.
                from[lane] = codes.common(row[lane]);
                room &= !(1 << lane);
                continue;
            }
            left[c][lane] = row[lane];
            count[lane] += 1;
        }
    }
    left
}

/// Puts partners beside all heaps of a block and says for which heaps each target is not met.
#[inline(always)]
fn sift<S: Simd, const N: usize>(
    simd: S,
    partners: &[Partner],
    bytes: &[u8],
    rests: &[usize],
    targets: &[Row; N],
) -> [Bits; N] {
    let never = u8x32::splat(simd, Codes::NEVER);
    let rare = u8x32::splat(simd, Codes::RARE);
    let wanted: [u8x32<S>; N] = std::array::from_fn(|i| u8x32::from_slice(simd, &targets[i]));
    // A byte is 0 once its target is met.
    let mut far = [never; N];
    for rest in rests {
        for Partner { heap: a, code, .. } in partners {
            let window = bytes.get(rest - *a as usize..);
            let Some(window) = window.and_then(|w| w.first_chunk::<LANES>()) else {
                continue;
            };
            let window = u8x32::from_slice(simd, window);
            let sum = window ^ u8x32::splat(simd, *code);
            // Beside a heap of rare value, nothing is met.
            let sum = window.simd_eq(rare).select(never, sum);
            for (far, wanted) in far.iter_mut().zip(&wanted) {
                *far = far.min(sum ^ *wanted);
            }
        }
    }
    let zero = u8x32::splat(simd, 0);
    std::array::from_fn(|i| {
        let gone = far[i].simd_eq(zero) | wanted[i].simd_eq(never);
        !(gone.to_bitmask() as Bits)
    })
}
