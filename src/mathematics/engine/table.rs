//! The hot tables of the engine: from keys to dense entry numbers.
//!
//! Entries are in one dense vector in the order of insertion. An open-addressed index of 64-bit slots points into it; each
//! slot has half of the hash and an entry number. Keys are compared in full. When memory is short, the *older half* of the
//! entries is evicted: a search runs in post-order, so recent entries are the likeliest to be met again.

use std::hash::{BuildHasher, Hash};

use rustc_hash::FxBuildHasher;

const EMPTY: u64 = 0;

/// The hash of all tables of the engine: on every machine, all of its 64 bits are usable.
#[inline]
pub(crate) fn hash_of<T: Hash + ?Sized>(key: &T) -> u64 {
    widened(FxBuildHasher.hash_one(key), usize::BITS)
}

// The hasher works in machine words: if these have 32 bits, so has the hash, and the high half would be zero.
#[inline]
fn widened(hash: u64, word: u32) -> u64 {
    if word < 64 {
        hash.wrapping_mul(0x9e37_79b9_7f4a_7c15)
    } else {
        hash
    }
}

/// An open-addressed index from hashes to entry numbers below 2^32 - 1.
#[derive(Debug, Default)]
struct Index {
    // Low half: entry number + 1; high half: the low half of the hash.
    slots: Vec<u64>,
    len: usize,
}

impl Index {
    fn bits(&self) -> u32 {
        self.slots.len().trailing_zeros()
    }

    fn slot(&self, tag: u32) -> usize {
        // Fibonacci hashing of the stored half, so that the index can grow without the keys.
        let mixed = u64::from(tag).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (mixed >> (64 - self.bits())) as usize
    }

    fn find(&self, hash: u64, mut equal: impl FnMut(u32) -> bool) -> Option<u32> {
        if self.slots.is_empty() {
            return None;
        }
        let tag = hash as u32;
        let mut slot = self.slot(tag);
        loop {
            let found = self.slots[slot];
            if found == EMPTY {
                return None;
            }
            if (found >> 32) as u32 == tag {
                let entry = found as u32 - 1;
                if equal(entry) {
                    return Some(entry);
                }
            }
            slot = (slot + 1) & (self.slots.len() - 1);
        }
    }

    // Prefetches the first slots of some hashes: the reads do not depend on each other.
    fn touch(&self, hashes: &[u64]) {
        if !self.slots.is_empty() {
            let all = hashes
                .iter()
                .fold(0, |all, hash| all ^ self.slots[self.slot(*hash as u32)]);
            std::hint::black_box(all);
        }
    }

    // The bytes that the next insertion takes beyond those held now.
    fn growth(&self) -> usize {
        if self.is_full() {
            (self.slots.len().max(8)) * size_of::<u64>()
        } else {
            0
        }
    }

    fn is_full(&self) -> bool {
        4 * (self.len + 1) > 3 * self.slots.len()
    }

    fn insert(&mut self, tag: u32, entry: u32) {
        if self.is_full() {
            let size = (2 * self.slots.len()).max(16);
            let old = std::mem::replace(&mut self.slots, vec![EMPTY; size]);
            for found in old.into_iter().filter(|f| *f != EMPTY) {
                self.place(found);
            }
        }
        self.place((u64::from(tag) << 32) | u64::from(entry + 1));
        self.len += 1;
    }

    fn place(&mut self, entry: u64) {
        let mut slot = self.slot((entry >> 32) as u32);
        while self.slots[slot] != EMPTY {
            slot = (slot + 1) & (self.slots.len() - 1);
        }
        self.slots[slot] = entry;
    }

    // Keeps the entries to which `renumber` gives a new number.
    fn rebuild(&mut self, mut renumber: impl FnMut(u32) -> Option<u32>) {
        let size = self.slots.len();
        let old = std::mem::replace(&mut self.slots, vec![EMPTY; size]);
        self.len = 0;
        for found in old.into_iter().filter(|f| *f != EMPTY) {
            if let Some(entry) = renumber(found as u32 - 1) {
                self.place((found & !0xffff_ffff) | u64::from(entry + 1));
                self.len += 1;
            }
        }
    }

    fn shrink(&mut self) {
        let size = (2 * self.len).next_power_of_two().max(16);
        if size < self.slots.len() {
            let old = std::mem::replace(&mut self.slots, vec![EMPTY; size]);
            for found in old.into_iter().filter(|f| *f != EMPTY) {
                self.place(found);
            }
        }
    }

    fn bytes(&self) -> usize {
        self.slots.len() * size_of::<u64>()
    }
}

/// A table from keys to values, with dense entry numbers.
#[derive(Debug)]
pub(crate) struct Table<K, V> {
    index: Index,
    entries: Vec<(K, V)>,
    // Bytes that the keys hold on the heap.
    heap: usize,
}

impl<K, V> Default for Table<K, V> {
    fn default() -> Table<K, V> {
        Table {
            index: Index::default(),
            entries: Vec::new(),
            heap: 0,
        }
    }
}

impl<K: Eq + Hash, V: Copy> Table<K, V> {
    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }

    pub(crate) fn find(&self, hash: u64, key: &K) -> Option<u32> {
        self.index
            .find(hash, |entry| self.entries[entry as usize].0 == *key)
    }

    /// Prefetches the index slots of some hashes.
    pub(crate) fn touch(&self, hashes: &[u64]) {
        self.index.touch(hashes);
    }

    /// Appends a key that must be absent; `heap` is the number of bytes that the key holds beyond its own size.
    pub(crate) fn insert(&mut self, hash: u64, key: K, value: V, heap: usize) -> u32 {
        let entry = self.entries.len() as u32;
        self.entries.push((key, value));
        self.heap += heap;
        self.index.insert(hash as u32, entry);
        entry
    }

    pub(crate) fn key(&self, entry: u32) -> &K {
        &self.entries[entry as usize].0
    }

    pub(crate) fn value(&self, entry: u32) -> V {
        self.entries[entry as usize].1
    }

    pub(crate) fn set(&mut self, entry: u32, value: V) {
        self.entries[entry as usize].1 = value;
    }

    /// Bytes held now.
    pub(crate) fn bytes(&self) -> usize {
        self.index.bytes() + self.entries.capacity() * size_of::<(K, V)>() + self.heap
    }

    /// Bytes that the next insertion takes beyond those held now, without the key's heap.
    pub(crate) fn growth(&self) -> usize {
        let dense = if self.entries.len() == self.entries.capacity() {
            self.entries.capacity().max(4) * size_of::<(K, V)>()
        } else {
            0
        };
        dense + self.index.growth()
    }

    /// Whether the entry numbers are used up.
    pub(crate) fn is_full(&self) -> bool {
        self.entries.len() >= u32::MAX as usize - 2
    }

    /// Evicts the older half of the entries. `heap` measures a key.
    pub(crate) fn forget_older_half(&mut self, heap: impl Fn(&K) -> usize) {
        let half = self.entries.len() / 2;
        self.retain(heap, |i, _| i >= half, |_, _, _| {});
    }

    /// Keeps the entries that `keep` selects by number and value, in their order; calls `moved` with the old and the new
    /// number and the value of each.
    pub(crate) fn retain(
        &mut self,
        heap: impl Fn(&K) -> usize,
        keep: impl Fn(usize, &V) -> bool,
        mut moved: impl FnMut(u32, u32, &V),
    ) {
        let mut renumbered = vec![0u32; self.entries.len()];
        let mut next = 0;
        for (i, (_, value)) in self.entries.iter().enumerate() {
            if keep(i, value) {
                moved(i as u32, next, value);
                next += 1;
                renumbered[i] = next;
            }
        }
        let mut i = 0;
        self.entries.retain(|_| {
            i += 1;
            renumbered[i - 1] != 0
        });
        self.index
            .rebuild(|entry| renumbered[entry as usize].checked_sub(1));
        self.heap = self.entries.iter().map(|(key, _)| heap(key)).sum();
    }

    /// Releases the memory of evicted entries.
    pub(crate) fn shrink(&mut self) {
        self.entries.shrink_to_fit();
        self.index.shrink();
    }

    /// Removes all entries and releases the memory.
    pub(crate) fn clear(&mut self) {
        *self = Table::default();
    }
}

/// A table whose keys are slices of words, stored in one vector.
#[derive(Debug)]
pub(crate) struct SliceTable<V> {
    index: Index,
    // Where each key begins; it ends where the next one begins.
    starts: Vec<u64>,
    values: Vec<V>,
    words: Vec<u32>,
}

impl<V> Default for SliceTable<V> {
    fn default() -> SliceTable<V> {
        SliceTable {
            index: Index::default(),
            starts: Vec::new(),
            values: Vec::new(),
            words: Vec::new(),
        }
    }
}

impl<V: Copy> SliceTable<V> {
    pub(crate) fn len(&self) -> usize {
        self.values.len()
    }

    pub(crate) fn key(&self, entry: u32) -> &[u32] {
        let start = self.starts[entry as usize] as usize;
        let end = self
            .starts
            .get(entry as usize + 1)
            .map_or(self.words.len(), |end| *end as usize);
        &self.words[start..end]
    }

    pub(crate) fn find(&self, hash: u64, key: &[u32]) -> Option<u32> {
        self.index.find(hash, |entry| self.key(entry) == key)
    }

    pub(crate) fn insert(&mut self, hash: u64, key: &[u32], value: V) -> u32 {
        let entry = self.values.len() as u32;
        self.starts.push(self.words.len() as u64);
        self.words.extend_from_slice(key);
        self.values.push(value);
        self.index.insert(hash as u32, entry);
        entry
    }

    pub(crate) fn value(&self, entry: u32) -> V {
        self.values[entry as usize]
    }

    pub(crate) fn set(&mut self, entry: u32, value: V) {
        self.values[entry as usize] = value;
    }

    pub(crate) fn bytes(&self) -> usize {
        self.index.bytes()
            + self.starts.capacity() * size_of::<u64>()
            + self.values.capacity() * size_of::<V>()
            + self.words.capacity() * size_of::<u32>()
    }

    /// Bytes that inserting a key of `len` words takes beyond those held now.
    pub(crate) fn growth(&self, len: usize) -> usize {
        let mut growth = self.index.growth();
        if self.values.len() == self.values.capacity() {
            growth += self.values.capacity().max(8) * (size_of::<V>() + size_of::<u64>());
        }
        if self.words.len() + len > self.words.capacity() {
            growth += self.words.capacity().max(len) * size_of::<u32>();
        }
        growth
    }

    pub(crate) fn is_full(&self) -> bool {
        self.values.len() >= u32::MAX as usize - 2
    }

    /// Evicts the older half of the entries, except those whose value `keep` selects; calls `moved` with the old and the
    /// new number of each selected entry, in order.
    pub(crate) fn forget_older_half(
        &mut self,
        keep: impl Fn(&V) -> bool,
        mut moved: impl FnMut(u32, u32),
    ) {
        let half = self.values.len() / 2;
        self.retain(
            |i, value| i >= half || keep(value),
            |old, new, value| {
                if keep(value) {
                    moved(old, new);
                }
            },
        );
    }

    /// Keeps the entries that `wanted` selects by number and value; calls `moved` with the old and the new number and the
    /// value of each of these, in order.
    pub(crate) fn retain(
        &mut self,
        wanted: impl Fn(usize, &V) -> bool,
        mut moved: impl FnMut(u32, u32, &V),
    ) {
        let mut renumbered = vec![0u32; self.values.len()];
        let mut next = 0;
        let mut word = 0;
        for (i, number) in renumbered.iter_mut().enumerate() {
            if !wanted(i, &self.values[i]) {
                continue;
            }
            let start = self.starts[i] as usize;
            let len = self.key(i as u32).len();
            self.words.copy_within(start..start + len, word);
            // Entry i + 1 still finds its beginning: only beginnings up to i have been overwritten.
            self.values[next] = self.values[i];
            self.starts[next] = word as u64;
            word += len;
            moved(i as u32, next as u32, &self.values[next]);
            next += 1;
            *number = next as u32;
        }
        self.words.truncate(word);
        self.values.truncate(next);
        self.starts.truncate(next);
        self.index
            .rebuild(|entry| renumbered[entry as usize].checked_sub(1));
    }

    /// Changes the keys in place. Keys that differed must still differ.
    pub(crate) fn rewrite(&mut self, mut change: impl FnMut(&mut [u32])) {
        self.index = Index::default();
        for i in 0..self.values.len() {
            let start = self.starts[i] as usize;
            let end = self
                .starts
                .get(i + 1)
                .map_or(self.words.len(), |end| *end as usize);
            let key = &mut self.words[start..end];
            change(key);
            self.index.insert(hash_of(&key[..]) as u32, i as u32);
        }
    }

    /// Releases the memory of evicted entries.
    pub(crate) fn shrink(&mut self) {
        self.starts.shrink_to_fit();
        self.values.shrink_to_fit();
        self.words.shrink_to_fit();
        self.index.shrink();
    }

    /// Removes all entries and releases the memory.
    pub(crate) fn clear(&mut self) {
        *self = SliceTable::default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_put_in_is_found_and_the_younger_half_survives() {
        let mut table = Table::default();
        for i in 0..10_000u64 {
            assert_eq!(table.find(hash_of(&i), &i), None);
            let value = if i == 17 { u64::MAX } else { i * i };
            assert_eq!(table.insert(hash_of(&i), i, value, 0), i as u32);
        }
        let mut moved = Vec::new();
        let keep = |i, v: &u64| i >= 5_000 || *v == u64::MAX;
        table.retain(|_| 0, keep, |old, new, _| moved.push((old, new)));
        assert_eq!(moved[..2], [(17, 0), (5_000, 1)]);
        assert_eq!(table.len(), 5_001);
        for i in 0..10_000u64 {
            let found = table.find(hash_of(&i), &i).map(|e| table.value(e));
            let expected = if i == 17 {
                Some(u64::MAX)
            } else {
                (i >= 5_000).then_some(i * i)
            };
            assert_eq!(found, expected);
        }
    }

    #[test]
    fn slices_keep_their_words_when_the_older_half_goes() {
        let mut table = SliceTable::default();
        let key = |i: u32| (0..i % 7).map(|j| i + j).chain([i]).collect::<Vec<u32>>();
        for i in 0..5_000 {
            table.insert(hash_of(&key(i)[..]), &key(i), i);
        }
        table.forget_older_half(|v| *v % 1_000 == 3, |_, _| {});
        for i in 0..5_000 {
            let k = key(i);
            let found = table.find(hash_of(&k[..]), &k).map(|e| table.value(e));
            assert_eq!(found, (i >= 2_500 || i % 1_000 == 3).then_some(i));
        }
    }
}
