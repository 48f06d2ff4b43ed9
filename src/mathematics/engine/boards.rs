//! A cache of values of whole positions, looked up before a position is split into components.
//!
//! Many moves lead to one position, and looking it up is cheaper than splitting it. The table is lossy and direct-mapped:
//! on a collision the older entry is overwritten, so its size is bounded while the memo table of components grows.
//! Positions are compared in full, so a hit is never wrong.

use super::account::Account;
use crate::value::Forms;

const FIRST_BITS: u32 = 8;
const LAST_BITS: u32 = 18;
const MOST_BITS: u32 = 24;

/// The cache of one board.
#[derive(Debug)]
pub(crate) struct Boards<P, V> {
    slots: Vec<Option<(P, V)>>,
    bits: u32,
    // Entries stored since the table last grew.
    stored: usize,
    // Bytes that the positions hold on the heap.
    heap: usize,
    // Bytes as last noted in the account.
    noted: usize,
    last_bits: u32,
}

impl<P, V> Default for Boards<P, V> {
    fn default() -> Boards<P, V> {
        Boards {
            slots: Vec::new(),
            bits: 0,
            stored: 0,
            heap: 0,
            noted: 0,
            last_bits: LAST_BITS,
        }
    }
}

impl<P: Eq, V: Copy> Boards<P, V> {
    /// A table with a higher size limit.
    pub(crate) fn large() -> Boards<P, V> {
        Boards {
            last_bits: MOST_BITS,
            ..Boards::default()
        }
    }

    fn slot(&self, hash: u64) -> usize {
        (hash.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - self.bits)) as usize
    }

    pub(crate) fn get(&self, hash: u64, position: &P) -> Option<V> {
        if self.slots.is_empty() {
            return None;
        }
        match &self.slots[self.slot(hash)] {
            Some((p, value)) if p == position => Some(*value),
            _ => None,
        }
    }

    /// Loads the slots of some hashes into the processor's cache.
    pub(crate) fn touch(&self, hashes: &[u64]) {
        if !self.slots.is_empty() {
            let full = hashes
                .iter()
                .filter(|hash| self.slots[self.slot(**hash)].is_some());
            std::hint::black_box(full.count());
        }
    }

    pub(crate) fn put(
        &mut self,
        hash: u64,
        position: P,
        value: V,
        heap: impl Fn(&P) -> usize,
        hash_of: impl Fn(&P) -> u64,
        (account, forms): (&Account, &Forms),
    ) {
        if self.stored >= self.slots.len()
            && self.bits < self.last_bits
            && !self.grow(hash_of, account, forms)
        {
            return;
        }
        if self.slots.is_empty() {
            return;
        }
        self.stored += 1;
        let more = heap(&position);
        let slot = self.slot(hash);
        let old = self.slots[slot].replace((position, value));
        if let Some((p, _)) = &old {
            self.heap = self.heap.saturating_sub(heap(p));
        }
        self.heap += more;
        if self.stored.is_multiple_of(1 << FIRST_BITS) {
            self.note(account);
        }
    }

    // Grows to four times the size, if there is room. The table may take an eighth of the memory limit.
    fn grow(&mut self, hash_of: impl Fn(&P) -> u64, account: &Account, forms: &Forms) -> bool {
        let bits = if self.slots.is_empty() {
            FIRST_BITS
        } else {
            self.bits + 2
        };
        let bytes = size_of::<Option<(P, V)>>() << bits;
        if 8 * bytes > account.limit() || !account.allows(forms, self.bytes(), bytes) {
            // Tries again after as many more entries.
            self.stored = 0;
            return !self.slots.is_empty();
        }
        let mut slots = Vec::new();
        slots.resize_with(1 << bits, || None);
        let old = std::mem::replace(&mut self.slots, slots);
        self.bits = bits;
        self.stored = 0;
        for (p, v) in old.into_iter().flatten() {
            let slot = self.slot(hash_of(&p));
            self.slots[slot] = Some((p, v));
        }
        self.note(account);
        true
    }

    pub(crate) fn bytes(&self) -> usize {
        self.slots.capacity() * size_of::<Option<(P, V)>>() + self.heap
    }

    fn note(&mut self, account: &Account) {
        let bytes = self.bytes();
        account.note(self.noted, bytes);
        self.noted = bytes;
    }

    /// Removes all entries and releases the memory.
    pub(crate) fn clear(&mut self, account: &Account) {
        account.note(self.noted, 0);
        *self = Boards {
            last_bits: self.last_bits,
            ..Boards::default()
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::table::hash_of;

    #[test]
    fn what_is_found_is_right_and_the_size_is_bounded() {
        let account = Account::new(1 << 30);
        let forms = Forms::new();
        let mut boards = Boards::default();
        let mut hits = 0;
        for round in 0..2 {
            for i in 0..100_000u64 {
                let hash = hash_of(&i);
                match boards.get(hash, &i) {
                    Some(v) => {
                        assert_eq!(v, i * i);
                        hits += 1;
                    }
                    None => boards.put(hash, i, i * i, |_| 0, hash_of, (&account, &forms)),
                }
            }
            assert!(round == 0 || hits > 50_000, "{hits}");
        }
        assert!(boards.bytes() <= size_of::<Option<(u64, u64)>>() << LAST_BITS);
        assert_eq!(account.tables(), boards.bytes());
        boards.clear(&account);
        assert_eq!(account.tables(), 0);
    }
}
