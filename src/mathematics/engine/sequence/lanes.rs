//! Processes a block of neighbouring heaps together: when a fixed heap is taken out of each, the other heaps are a run of
//! neighbouring values. Input: partners, the fixed heaps. Output: the nim-values that each heap of the block reaches.

use super::partners::{Partner, Partners};

/// The number of heaps processed together.
pub(super) const LANES: usize = 16;
/// Blocks are used as long as all values are below this, a power of two.
pub(super) const WIDTH: usize = 1024;
/// The number of values searched for at a time for each heap.
const SLOTS: usize = 4;
/// Not a nim-value.
const NONE: u16 = u16::MAX;

const WORDS: usize = WIDTH / 64;

type Row = [u16; LANES];

/// The values that each heap of a block reaches.
#[derive(Clone, Debug)]
pub(super) struct Lanes {
    /// One byte for each value: 1 if it is reached.
    seen: Box<[[u8; WIDTH]; LANES]>,
    /// The same as bits, for the words requested so far.
    words: Box<[[u64; WORDS]; LANES]>,
    packed: [usize; LANES],
    /// All values in the block are below this, a power of two and at least 64.
    width: usize,
    /// The common values below [`WIDTH`], as bits.
    common: [u64; WORDS],
    /// All common values below this are either marked or out of reach of the partners.
    sure: Row,
}

impl Default for Lanes {
    fn default() -> Lanes {
        Lanes {
            seen: Box::new([[0; WIDTH]; LANES]),
            words: Box::new([[0; WORDS]; LANES]),
            packed: [0; LANES],
            width: 64,
            common: [0; WORDS],
            sure: [0; LANES],
        }
    }
}

/// Bit i of the result is byte i, which must be 0 or 1.
fn pack(bytes: &[u8]) -> u64 {
    let eights = bytes.chunks_exact(8).enumerate();
    eights.fold(0, |word, (i, eight)| {
        let eight = eight.try_into().map_or(0, u64::from_le_bytes);
        word | (eight.wrapping_mul(0x0102_0408_1020_4080) >> 56) << (8 * i)
    })
}

/// The values of `LANES` neighbouring heaps, from heap `from` on.
fn window(values: &[u16], from: usize) -> Option<&[u16; LANES]> {
    values.get(from..)?.first_chunk()
}

/// The common values among the first `64 * WORDS` values, as bits.
pub(super) fn common<const WORDS: usize>(is_rare: impl Fn(u16) -> bool) -> [u64; WORDS] {
    let word = |i: usize| -> u64 {
        let values = (0u16..).skip(64 * i).take(64);
        values.fold(0, |word, v| word | u64::from(!is_rare(v)) << (v % 64))
    };
    std::array::from_fn(word)
}

/// The number of values that a block has marks for if all values so far are at most `top`: a power of two from 64 to `most`.
pub(super) fn width(top: u16, most: usize) -> usize {
    (2 * usize::from(top) + 2)
        .next_power_of_two()
        .clamp(64, most)
}

impl Lanes {
    /// Sets which values are common.
    pub(super) fn choose(&mut self, is_rare: impl Fn(u16) -> bool) {
        self.common = common(is_rare);
    }

    /// Starts a block. All values so far must be at most `top`; the width leaves room for larger ones.
    pub(super) fn clear(&mut self, top: u16) {
        self.width = width(top, WIDTH);
        for seen in self.seen.iter_mut() {
            seen[..self.width].fill(0);
        }
        self.packed = [0; LANES];
    }

    /// Whether a value fits the width. If a value does not, the block ends with its heap.
    pub(super) fn fits(&self, value: u16) -> bool {
        usize::from(value) < self.width
    }

    #[inline]
    pub(super) fn mark(&mut self, lane: usize, value: u16) {
        let v = usize::from(value) % WIDTH;
        self.seen[lane][v] = 1;
        if v / 64 < self.packed[lane] {
            self.words[lane][v / 64] |= 1 << (v % 64);
        }
    }

    /// Marks the sums of the front partners and the heaps beside them, for all heaps of the block. `rest` is what the
    /// block's first heap leaves for two heaps.
    pub(super) fn mark_front(
        &mut self,
        partners: &Partners,
        values: &[u16],
        rest: usize,
        distinct: bool,
    ) {
        for Partner { heap: a, worth, .. } in partners.front() {
            let a = *a as usize;
            let Some(others) = window(values, rest - a) else {
                continue;
            };
            let equal = (2 * a).wrapping_sub(rest);
            if distinct && equal < LANES {
                // One of the heaps would be broken into equal halves.
                for (j, other) in others.iter().enumerate().filter(|(j, _)| *j != equal) {
                    self.seen[j][usize::from(worth ^ other) % WIDTH] = 1;
                }
                continue;
            }
            let worth = usize::from(*worth);
            for (seen, other) in self.seen.iter_mut().zip(others) {
                seen[(usize::from(*other) ^ worth) % WIDTH] = 1;
            }
        }
    }

    /// The marks of 64 values, as bits.
    #[inline]
    fn word(&mut self, lane: usize, i: usize) -> u64 {
        while self.packed[lane] <= i {
            let at = self.packed[lane];
            self.words[lane][at] = pack(&self.seen[lane][64 * at..64 * at + 64]);
            self.packed[lane] += 1;
        }
        self.words[lane][i]
    }

    /// Calls `each` with the unmarked common or rare values from `from` on, below `to` and the width, in increasing order,
    /// until `each` returns false.
    #[inline]
    fn unmarked(
        &mut self,
        lane: usize,
        from: u16,
        to: u16,
        common: bool,
        mut each: impl FnMut(u16) -> bool,
    ) {
        let to = usize::from(to).min(self.width);
        let mut i = usize::from(from) / 64;
        let mut keep = u64::MAX << (from % 64);
        while 64 * i < to {
            let class = self.common[i] ^ if common { 0 } else { u64::MAX };
            let mut free = !self.word(lane, i) & class & keep;
            while free != 0 {
                let v = 64 * i + free.trailing_zeros() as usize;
                if v >= to || !each(u16::try_from(v).unwrap_or(NONE)) {
                    return;
                }
                free &= free - 1;
            }
            i += 1;
            keep = u64::MAX;
        }
    }

    /// Fills the slots of a lane with unmarked values. Returns the value at which the next search starts.
    #[inline]
    fn fill(
        &mut self,
        lane: usize,
        targets: &mut [Row; SLOTS],
        from: u16,
        to: u16,
        common: bool,
    ) -> u16 {
        let mut slots = targets.iter_mut();
        let mut next = slots.next();
        let mut came = from;
        self.unmarked(lane, from, to, common, |v| {
            let Some(slot) = next.take() else {
                return false;
            };
            slot[lane] = v;
            came = v + 1;
            next = slots.next();
            next.is_some()
        });
        came
    }

    /// The least common value that is not marked; if all are marked, the least one beyond the width.
    pub(super) fn candidate(&mut self, lane: usize, beyond: &[u16]) -> u16 {
        let mut found = None;
        self.unmarked(lane, 0, NONE, true, |v| {
            found = Some(v);
            false
        });
        found.unwrap_or_else(|| {
            let width = self.width;
            let first = beyond.partition_point(|v| usize::from(*v) < width);
            beyond.get(first).copied().unwrap_or(NONE)
        })
    }

    /// Whether the partners cannot reach the heap's candidate.
    pub(super) fn is_sure(&self, lane: usize, candidate: u16) -> bool {
        candidate < self.sure[lane]
    }

    /// Lists the rare values below the candidate that are not marked.
    pub(super) fn missing(
        &mut self,
        lane: usize,
        candidate: u16,
        beyond: &[u16],
        missing: &mut Vec<u16>,
    ) {
        missing.clear();
        self.unmarked(lane, 0, candidate, false, |v| {
            missing.push(v);
            true
        });
        let width = self.width;
        let first = beyond.partition_point(|v| usize::from(*v) < width);
        missing.extend(beyond[first..].iter().take_while(|v| **v < candidate));
    }

    /// Searches for the least unmarked common values among the sums with the partners behind the front, until each heap has
    /// one that is not reached.
    pub(super) fn settle_common(&mut self, partners: &Partners, values: &[u16], rests: &[usize]) {
        let rest_of = partners.behind();
        let mut from: Row = [0; LANES];
        self.sure = [0; LANES];
        while self.sure.contains(&0) {
            let mut targets = [[NONE; LANES]; SLOTS];
            for (lane, from) in from.iter_mut().enumerate() {
                if self.sure[lane] == 0 {
                    *from = self.fill(lane, &mut targets, *from, NONE, true);
                }
            }
            let mut hits = [[0; LANES]; SLOTS];
            for rest in rests {
                sift(values, *rest, rest_of, &targets, &mut hits);
            }
            for lane in 0..LANES {
                if self.sure[lane] != 0 {
                    continue;
                }
                for (slot, hit) in targets.iter().zip(&hits) {
                    if slot[lane] == NONE {
                        // All common values below the width are marked.
                        self.sure[lane] = NONE;
                    } else if hit[lane] == 0 {
                        self.sure[lane] = from[lane];
                    } else {
                        self.mark(lane, slot[lane]);
                    }
                }
            }
        }
    }

    /// Marks all values that one heap reaches by the partners behind the front.
    pub(super) fn mark_rest(
        &mut self,
        lane: usize,
        partners: &Partners,
        values: &[u16],
        rests: &[usize],
    ) {
        for rest in rests {
            for Partner { heap: a, worth, .. } in partners.behind() {
                let v = worth ^ values[rest + lane - *a as usize];
                // Two equal halves have the sum 0, which is rare; the partners are searched for common values only.
                if v != 0 {
                    self.mark(lane, v);
                }
            }
        }
        self.sure[lane] = NONE;
    }

    /// Searches for rare values below each heap's candidate among the sums with the partners behind the front.
    pub(super) fn settle_rare(
        &mut self,
        partners: &Partners,
        values: &[u16],
        rests: &[usize],
        beyond: &[u16],
    ) {
        let mut from: Row = [0; LANES];
        let candidates: Row = std::array::from_fn(|lane| self.candidate(lane, beyond));
        loop {
            let mut targets = [[NONE; LANES]; SLOTS];
            for (lane, (from, to)) in from.iter_mut().zip(candidates).enumerate() {
                *from = self.fill(lane, &mut targets, *from, to, false);
            }
            if targets[0] == [NONE; LANES] {
                break;
            }
            let mut hits = [[0; LANES]; SLOTS];
            'all: for chunk in partners.behind().chunks(64) {
                for rest in rests {
                    sift(values, *rest, chunk, &targets, &mut hits);
                    let left = targets
                        .as_flattened()
                        .iter()
                        .zip(hits.as_flattened())
                        .any(|(t, h)| *t != NONE && *h == 0);
                    if !left {
                        break 'all;
                    }
                }
            }
            for lane in 0..LANES {
                for (slot, hit) in targets.iter().zip(&hits) {
                    if hit[lane] != 0 && slot[lane] != NONE {
                        self.mark(lane, slot[lane]);
                    }
                }
            }
        }
    }
}

/// Records which of the targets are sums with partners, for all heaps of a block.
#[inline(never)]
fn sift(
    values: &[u16],
    rest: usize,
    partners: &[Partner],
    targets: &[Row; SLOTS],
    hits: &mut [Row; SLOTS],
) {
    let mut met = *hits;
    for Partner { heap: a, worth, .. } in partners {
        let Some(others) = window(values, rest - *a as usize) else {
            continue;
        };
        let sums = others.map(|other| other ^ worth);
        for (met, target) in met.iter_mut().zip(targets) {
            for (j, met) in met.iter_mut().enumerate() {
                *met |= if sums[j] == target[j] { u16::MAX } else { 0 };
            }
        }
    }
    *hits = met;
}
