//! Lossy direct-mapped caches of comparisons and sums. A collision loses an entry but never gives a wrong answer.
//!
//! Keys are pairs of handles. A key is mixed by a bijection of 64 (for comparisons 78 or 62) bits; some bits of the result
//! choose the slot and the rest are stored, so a hit is exact. Threads share both caches without locks. The caches grow by
//! levels, and a level is allocated with its first entry.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, AtomicU64, AtomicUsize, Ordering, fence};

// A bijection of 64 bits: xor-shifts and products with odd numbers.
fn mix(key: u64) -> u64 {
    let key = (key ^ (key >> 32)).wrapping_mul(0xd6e8_feb8_6659_fd93);
    let key = (key ^ (key >> 32)).wrapping_mul(0xd6e8_feb8_6659_fd93);
    key ^ (key >> 32)
}

fn pair(a: u32, b: u32) -> u64 {
    (u64::from(a) << 32) | u64::from(b)
}

/// The number of bits of the slot index at each level. The key of a comparison has 78 bits, and a slot stores 62 of them.
/// Where there are fewer than 2^16 slots (at first, or under a small memory limit), only keys that fit in 62 bits are
/// stored.
const LEVELS: [u32; 4] = [10, 16, 17, 18];
const SHORT_LEVELS: [u32; 4] = [8, 10, 12, 14];
const LEAST_LONG: u32 = ORDER_BITS - SHORT_BITS;
const SUM_LEVELS: [u32; 7] = [6, 8, 10, 13, 16, 18, 20];

struct Growth {
    level: AtomicUsize,
    stored: AtomicUsize,
    top: usize,
}

impl Growth {
    fn new(levels: &[u32], slot: usize, bytes: usize) -> Growth {
        let top = levels
            .iter()
            .rposition(|bits| slot << bits <= bytes)
            .unwrap_or(0);
        Growth {
            level: AtomicUsize::new(0),
            stored: AtomicUsize::new(0),
            top,
        }
    }

    // Counts an entry. Moves to the next level when as many entries were stored as there are slots.
    fn count(&self, level: usize, bits: u32) {
        let stored = self.stored.fetch_add(1, Ordering::Relaxed);
        if stored >> bits > 0 && level < self.top {
            self.stored.store(0, Ordering::Relaxed);
            self.level.store(level + 1, Ordering::Relaxed);
        }
    }
}

const ORDER_BITS: u32 = 78;
const SHORT_BITS: u32 = 62;
/// The bits of a base in a short key. The highest bit distinguishes indices from values.
const SHORT_CODE: u32 = 23;

/// The key of a comparison `g <= h + x`: two bases of 31 bits, of which the highest distinguishes indices from values, and
/// a number of 16 bits.
#[derive(Clone, Copy)]
pub(crate) struct OrderKey {
    g: u32,
    h: u32,
    x: u32,
}

impl OrderKey {
    pub(crate) fn new(g: u32, h: u32, x: u32) -> OrderKey {
        OrderKey { g, h, x }
    }

    fn mixed(self) -> u128 {
        const MASK: u128 = (1 << ORDER_BITS) - 1;
        let key = (u128::from(self.g) << 31) | u128::from(self.h) | (u128::from(self.x) << 62);
        // A bijection of 78 bits: products with odd numbers and xor-shifts.
        let key = key.wrapping_mul(0x9e37_79b9_7f4a_7c15_f39d) & MASK;
        let key = (key ^ (key >> 39)).wrapping_mul(0xd6e8_feb8_6659_fd93) & MASK;
        key ^ (key >> 39)
    }

    // The same in 62 bits, if both bases are short.
    fn short(self) -> Option<u64> {
        const MASK: u64 = (1 << SHORT_BITS) - 1;
        let code = |g: u32| {
            let (index, value) = (g >> 30, g & !(1 << 30));
            (value >> (SHORT_CODE - 1) == 0).then(|| u64::from(value | index << (SHORT_CODE - 1)))
        };
        let key = code(self.g)? | code(self.h)? << SHORT_CODE | u64::from(self.x) << 46;
        let key = key.wrapping_mul(0xd6e8_feb8_6659_fd93) & MASK;
        let key = (key ^ (key >> 31)).wrapping_mul(0xd6e8_feb8_6659_fd93) & MASK;
        Some(key ^ (key >> 31))
    }
}

/// The known answers to `g <= h + x`, in slots of eight bytes.
pub(crate) struct OrderCache {
    growth: Growth,
    levels: [u32; 4],
    slots: [OnceLock<Box<[AtomicU64]>>; 4],
}

impl OrderCache {
    pub(crate) fn new(bytes: usize) -> OrderCache {
        let levels = if 8 << LEAST_LONG <= bytes {
            LEVELS
        } else {
            SHORT_LEVELS
        };
        OrderCache {
            growth: Growth::new(&levels, 8, bytes),
            levels,
            slots: [const { OnceLock::new() }; 4],
        }
    }

    // The level, the number of its index bits, the slot of a key, and its tag.
    fn place(&self, key: OrderKey) -> Option<(usize, u32, &AtomicU64, u64)> {
        let level = self.growth.level.load(Ordering::Relaxed);
        let bits = self.levels[level];
        // The top bits are the slot index. The rest of the key is stored above two bits: occupied, and the answer.
        let (slot, rest) = if bits >= LEAST_LONG {
            let key = key.mixed();
            let rest = key & ((1 << (ORDER_BITS - bits)) - 1);
            ((key >> (ORDER_BITS - bits)) as usize, rest as u64)
        } else {
            let key = key.short()?;
            let rest = key & ((1 << (SHORT_BITS - bits)) - 1);
            ((key >> (SHORT_BITS - bits)) as usize, rest)
        };
        let slots = self.slots[level]
            .get_or_init(|| (0..1usize << bits).map(|_| AtomicU64::new(0)).collect());
        Some((level, bits, &slots[slot], rest << 2 | 2))
    }

    pub(crate) fn get(&self, key: OrderKey) -> Option<bool> {
        let (_, _, slot, tag) = self.place(key)?;
        let found = slot.load(Ordering::Relaxed);
        (found & !1 == tag).then_some(found & 1 == 1)
    }

    pub(crate) fn put(&self, key: OrderKey, answer: bool) {
        if let Some((level, bits, slot, tag)) = self.place(key) {
            slot.store(tag | u64::from(answer), Ordering::Relaxed);
            self.growth.count(level, bits);
        }
    }

    pub(crate) fn bytes(&self) -> usize {
        self.slots
            .iter()
            .flat_map(OnceLock::get)
            .map(|s| s.len() * 8)
            .sum()
    }
}

/// Sums of pairs, in slots of sixteen bytes. Each slot is guarded by a sequence number: a reader that meets a writer
/// misses.
pub(crate) struct SumCache {
    growth: Growth,
    slots: [OnceLock<Box<[SumSlot]>>; 7],
}

struct SumSlot {
    key: AtomicU64,
    sequence: AtomicU32,
    sum: AtomicU32,
}

impl SumCache {
    pub(crate) fn new(bytes: usize) -> SumCache {
        SumCache {
            growth: Growth::new(&SUM_LEVELS, 16, bytes),
            slots: [const { OnceLock::new() }; 7],
        }
    }

    fn slots(&self, level: usize) -> &[SumSlot] {
        self.slots[level].get_or_init(|| {
            (0..1usize << SUM_LEVELS[level])
                .map(|_| SumSlot {
                    key: AtomicU64::new(0),
                    sequence: AtomicU32::new(0),
                    sum: AtomicU32::new(0),
                })
                .collect()
        })
    }

    /// The sum of `g` and `h`, in this order, if it is stored. The pair (0, 0) must not be looked up.
    pub(crate) fn get(&self, g: u32, h: u32) -> Option<u32> {
        let key = mix(pair(g, h));
        let level = self.growth.level.load(Ordering::Relaxed);
        if let Some(sum) = Self::look(self.slots(level), SUM_LEVELS[level], key) {
            return Some(sum);
        }
        // Just after a level change most entries are still one level below.
        let below = level.checked_sub(1)?;
        let sum = Self::look(self.slots[below].get()?, SUM_LEVELS[below], key)?;
        self.store(level, key, sum);
        Some(sum)
    }

    fn look(slots: &[SumSlot], bits: u32, key: u64) -> Option<u32> {
        let slot = &slots[(key >> (64 - bits)) as usize];
        let before = slot.sequence.load(Ordering::Acquire);
        let found = slot.key.load(Ordering::Relaxed);
        let sum = slot.sum.load(Ordering::Relaxed);
        fence(Ordering::Acquire);
        let after = slot.sequence.load(Ordering::Relaxed);
        (before == after && before & 1 == 0 && found == key).then_some(sum)
    }

    fn store(&self, level: usize, key: u64, sum: u32) {
        let bits = SUM_LEVELS[level];
        let slot = &self.slots(level)[(key >> (64 - bits)) as usize];
        let before = slot.sequence.load(Ordering::Relaxed);
        if before & 1 == 1
            || slot
                .sequence
                .compare_exchange(
                    before,
                    before.wrapping_add(1),
                    Ordering::Acquire,
                    Ordering::Relaxed,
                )
                .is_err()
        {
            return;
        }
        fence(Ordering::Release);
        slot.key.store(key, Ordering::Relaxed);
        slot.sum.store(sum, Ordering::Relaxed);
        slot.sequence
            .store(before.wrapping_add(2), Ordering::Release);
        self.growth.count(level, bits);
    }

    pub(crate) fn put(&self, g: u32, h: u32, sum: u32) {
        let level = self.growth.level.load(Ordering::Relaxed);
        self.store(level, mix(pair(g, h)), sum);
    }

    pub(crate) fn bytes(&self) -> usize {
        self.slots
            .iter()
            .flat_map(OnceLock::get)
            .map(|s| s.len() * 16)
            .sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hit_is_exact() {
        // Once with room for all entries, once with little.
        for (bytes, least) in [(1 << 23, 5_000), (1 << 17, 1_000)] {
            let order = OrderCache::new(bytes);
            let sums = SumCache::new(8 * bytes);
            for i in 1..20_000u32 {
                order.put(OrderKey::new(i, i * 7, i & 0xFFFF), i % 3 == 0);
                sums.put(i, i * 7, i ^ 5);
            }
            let (mut hits, mut sum_hits) = (0, 0);
            for i in 1..20_000u32 {
                let index = 1 << 30;
                if let Some(answer) = order.get(OrderKey::new(i, i * 7, i & 0xFFFF)) {
                    assert_eq!(answer, i % 3 == 0);
                    hits += 1;
                }
                for other in [
                    OrderKey::new(i * 7, i + 30_000_000, 3),
                    OrderKey::new(i, i * 7, (i + 1) & 0xFFFF),
                    OrderKey::new(i | index, i * 7, i & 0xFFFF),
                    OrderKey::new(i, (i * 7) | index, i & 0xFFFF),
                    OrderKey::new(i, (i * 7) | (1 << 22), i & 0xFFFF),
                ] {
                    assert_eq!(order.get(other), None);
                }
                if let Some(sum) = sums.get(i, i * 7) {
                    assert_eq!(sum, i ^ 5);
                    sum_hits += 1;
                }
            }
            assert!(hits > least && sum_hits > 5_000);
            assert!(order.bytes() <= 2 * bytes && sums.bytes() <= 16 * bytes);
        }
    }

    #[test]
    fn caches_are_as_small_as_their_share() {
        for bytes in [1_000usize, 10_000, 100_000, 400_000] {
            let order = OrderCache::new(bytes);
            let sums = SumCache::new(bytes);
            for i in 1..200_000u32 {
                order.put(OrderKey::new(i, 3, 0), true);
                sums.put(i, 3, 4);
            }
            assert!(order.bytes() <= 2 * bytes.max(2_048), "{bytes}");
            assert!(sums.bytes() <= 2 * bytes.max(1_024), "{bytes}");
        }
    }
}
