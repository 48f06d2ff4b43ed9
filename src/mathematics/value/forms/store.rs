//! Append-only tables that are read without a lock, and a hash table to find an equal entry.
//!
//! Entries never move and are freed only with the arena, so readers hold plain references.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

const FIRST_BITS: u32 = 8;
const BUCKETS: usize = 23;

/// A list that grows in buckets of doubling size; entries are set once and then shared.
pub(crate) struct Segments<T> {
    buckets: [OnceLock<Box<[OnceLock<T>]>>; BUCKETS],
    len: AtomicU32,
}

fn place(index: u32) -> (usize, usize) {
    let shifted = index + (1 << FIRST_BITS);
    let bits = 31 - shifted.leading_zeros();
    (
        (bits - FIRST_BITS) as usize,
        (shifted - (1 << bits)) as usize,
    )
}

impl<T> Segments<T> {
    pub(crate) fn new() -> Segments<T> {
        Segments {
            buckets: [const { OnceLock::new() }; BUCKETS],
            len: AtomicU32::new(0),
        }
    }

    pub(crate) fn len(&self) -> u32 {
        self.len.load(Ordering::Relaxed)
    }

    /// The entry of an index that [`push`](Self::push) returned.
    pub(crate) fn get(&self, index: u32) -> &T {
        let (bucket, offset) = place(index);
        self.buckets[bucket]
            .get()
            .and_then(|b| b[offset].get())
            .expect("a handle is used only with the arena that made it")
    }

    /// Appends an entry. `charge(bytes)` is called before a new bucket is allocated, and may refuse.
    pub(crate) fn push<E>(
        &self,
        entry: T,
        full: impl FnOnce() -> E,
        charge: impl FnOnce(usize) -> Result<(), E>,
    ) -> Result<u32, E> {
        let index = self.len.fetch_add(1, Ordering::Relaxed);
        let undo = |e| {
            // Another thread may have taken the next index meanwhile; then this index stays unused.
            let _ =
                self.len
                    .compare_exchange(index + 1, index, Ordering::Relaxed, Ordering::Relaxed);
            Err(e)
        };
        let (bucket, offset) = place(index);
        if index >= super::handle::MAX_INDEX || bucket >= BUCKETS {
            return undo(full());
        }
        if self.buckets[bucket].get().is_none() {
            let size = 1usize << (FIRST_BITS as usize + bucket);
            if let Err(e) = charge(size * size_of::<OnceLock<T>>()) {
                return undo(e);
            }
            self.buckets[bucket].get_or_init(|| (0..size).map(|_| OnceLock::new()).collect());
        }
        let slots = self.buckets[bucket].get().expect("allocated above");
        let _ = slots[offset].set(entry);
        Ok(index)
    }
}

/// An open-addressed table of indices by hash; the caller compares entries in full.
pub(crate) struct HashIndex {
    // The high half of the hash, then the index plus one; 0 for an empty slot.
    slots: Vec<u64>,
    used: usize,
}

impl HashIndex {
    pub(crate) fn new() -> HashIndex {
        HashIndex {
            slots: Vec::new(),
            used: 0,
        }
    }

    pub(crate) fn find(&self, hash: u64, mut equal: impl FnMut(u32) -> bool) -> Option<u32> {
        if self.slots.is_empty() {
            return None;
        }
        let mask = self.slots.len() - 1;
        let mut at = (hash >> 32) as usize & mask;
        loop {
            let slot = self.slots[at];
            if slot == 0 {
                return None;
            }
            if slot >> 32 == hash >> 32 {
                let index = slot as u32 - 1;
                if equal(index) {
                    return Some(index);
                }
            }
            at = (at + 1) & mask;
        }
    }

    /// The bytes that the next insertion will add.
    pub(crate) fn growth(&self) -> usize {
        if (self.used + 1) * 4 > self.slots.len() * 3 {
            (self.slots.len().max(8)) * 8
        } else {
            0
        }
    }

    pub(crate) fn insert(&mut self, hash: u64, index: u32) {
        if (self.used + 1) * 4 > self.slots.len() * 3 {
            let size = (self.slots.len() * 2).max(16);
            let old = std::mem::replace(&mut self.slots, vec![0; size]);
            for slot in old.into_iter().filter(|s| *s != 0) {
                self.put(slot);
            }
        }
        self.put((hash >> 32 << 32) | u64::from(index + 1));
        self.used += 1;
    }

    fn put(&mut self, slot: u64) {
        let mask = self.slots.len() - 1;
        let mut at = (slot >> 32) as usize & mask;
        while self.slots[at] != 0 {
            at = (at + 1) & mask;
        }
        self.slots[at] = slot;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_dense() {
        let mut expected = (0, 0);
        for index in 0..5000 {
            assert_eq!(place(index), expected);
            expected.1 += 1;
            if expected.1 == 1 << (FIRST_BITS as usize + expected.0) {
                expected = (expected.0 + 1, 0);
            }
        }
    }

    #[test]
    fn refusal_leaves_no_hole() {
        let list: Segments<u32> = Segments::new();
        assert_eq!(list.push(7, || (), |_| Err(())), Err(()));
        assert_eq!(list.push(8, || (), |_| Ok(())), Ok(0));
        assert_eq!(*list.get(0), 8);
    }
}
