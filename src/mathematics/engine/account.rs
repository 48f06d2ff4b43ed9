//! Memory accounting. A table asks [`Account`] before it grows; all tables together may take the limit minus what the
//! arena of values holds.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use super::table::{Table, hash_of};
use crate::game::{Analysis, Game, Limit, Sign};
use crate::value::Forms;

/// A table smaller than this many bytes may always grow, so that a search can go on when memory is short.
const SMALL: usize = 1 << 16;

/// The bytes of all tables of one engine, and their limit.
#[derive(Debug)]
pub(crate) struct Account {
    limit: usize,
    tables: AtomicUsize,
}

impl Account {
    pub(crate) fn new(limit: usize) -> Account {
        Account {
            limit,
            tables: AtomicUsize::new(0),
        }
    }

    /// The limit in bytes.
    pub(crate) fn limit(&self) -> usize {
        self.limit
    }

    /// Bytes held by the tables.
    pub(crate) fn tables(&self) -> usize {
        self.tables.load(Ordering::Relaxed)
    }

    /// Whether a table that holds `held` bytes may take `more`.
    pub(crate) fn allows(&self, forms: &Forms, held: usize, more: usize) -> bool {
        held + more <= SMALL || self.tables() + forms.memory() + more <= self.limit
    }

    /// Whether the tables and the arena together exceed the limit.
    pub(crate) fn is_over(&self, forms: &Forms) -> bool {
        self.tables() + forms.memory() > self.limit
    }

    /// Whether less than an eighth of the limit is free.
    pub(crate) fn is_crowded(&self, forms: &Forms) -> bool {
        self.tables() + forms.memory() > self.limit - self.limit / 8
    }

    /// Whether three quarters of the limit are free.
    pub(crate) fn is_roomy(&self, forms: &Forms) -> bool {
        self.tables() + forms.memory() <= self.limit / 4
    }

    /// Notes that the size of a table changed from `before` to `after` bytes.
    pub(crate) fn note(&self, before: usize, after: usize) {
        if after > before {
            self.tables.fetch_add(after - before, Ordering::Relaxed);
        } else {
            self.tables.fetch_sub(before - after, Ordering::Relaxed);
        }
    }
}

/// A memo table by key, shared between the boards and the threads of one engine.
#[derive(Debug)]
pub(crate) struct Shared<K, V> {
    shards: Box<[Mutex<Table<K, V>>]>,
    // Whether some keys may be plain ([`crate::game::Analysis::plain_key`]).
    plain: AtomicBool,
}

impl<K: Eq + std::hash::Hash, V: Copy> Shared<K, V> {
    pub(crate) fn new(shards: usize) -> Shared<K, V> {
        Shared {
            shards: (0..shards.next_power_of_two())
                .map(|_| Mutex::new(Table::default()))
                .collect(),
            plain: AtomicBool::new(false),
        }
    }

    /// Notes that plain keys are stored, too.
    pub(crate) fn note_plain_keys(&self) {
        if !self.plain.load(Ordering::Relaxed) {
            self.plain.store(true, Ordering::Relaxed);
        }
    }

    /// Looks up a part by its key (`sign` says how the part relates to it) and, if plain keys are stored, by its plain
    /// key. Returns the value of the entry and how the part relates to it.
    pub(crate) fn find<G: Game<Key = K>>(
        &self,
        game: &G,
        part: &G::Position,
        key: &K,
        sign: Sign,
    ) -> Option<(V, Sign)> {
        if let Some(value) = self.get(key) {
            return Some((value, sign));
        }
        if !self.plain.load(Ordering::Relaxed) {
            return None;
        }
        let (plain, sign) = game.analysis().plain_key(part)?;
        Some((self.get(&plain)?, sign))
    }

    fn shard(&self, hash: u64) -> std::sync::MutexGuard<'_, Table<K, V>> {
        let shard = (hash >> 48) as usize & (self.shards.len() - 1);
        self.shards[shard].lock().unwrap_or_else(|e| e.into_inner())
    }

    pub(crate) fn get(&self, key: &K) -> Option<V> {
        let hash = hash_of(key);
        let table = self.shard(hash);
        table.find(hash, key).map(|entry| table.value(entry))
    }

    /// Whether the table is empty.
    pub(crate) fn is_empty(&self) -> bool {
        let empty =
            |shard: &Mutex<Table<K, V>>| shard.lock().unwrap_or_else(|e| e.into_inner()).len() == 0;
        self.shards.iter().all(empty)
    }

    /// Whether a value can be stored without evicting others.
    pub(crate) fn has_room(&self, key: &K, heap: usize, account: &Account, forms: &Forms) -> bool {
        let table = self.shard(hash_of(key));
        let more = table.growth() + heap;
        more == 0 || account.allows(forms, table.bytes(), more)
    }

    /// Stores a value. If memory is short, first evicts the older half of a shard; returns whether it did.
    pub(crate) fn put(
        &self,
        key: K,
        value: V,
        heap: impl Fn(&K) -> usize,
        account: &Account,
        forms: &Forms,
    ) -> bool {
        let hash = hash_of(&key);
        let mut table = self.shard(hash);
        if table.find(hash, &key).is_some() {
            return false;
        }
        let before = table.bytes();
        let held = heap(&key);
        let more = table.growth() + held;
        let evict = table.is_full() || (more > 0 && !account.allows(forms, before, more));
        if evict {
            table.forget_older_half(&heap);
        }
        table.insert(hash, key, value, held);
        account.note(before, table.bytes());
        evict
    }

    /// Removes all entries and releases the memory.
    pub(crate) fn clear(&self, account: &Account) {
        for shard in &self.shards {
            let mut table = shard.lock().unwrap_or_else(|e| e.into_inner());
            account.note(table.bytes(), 0);
            table.clear();
        }
    }

    /// Evicts the older half of every shard and releases its memory.
    pub(crate) fn halve(&self, heap: impl Fn(&K) -> usize, account: &Account) {
        for shard in &self.shards {
            let mut table = shard.lock().unwrap_or_else(|e| e.into_inner());
            let before = table.bytes();
            table.forget_older_half(&heap);
            table.shrink();
            account.note(before, table.bytes());
        }
    }
}

/// Negates a value if the sign is minus.
pub(crate) fn signed<V>(
    sign: Sign,
    value: V,
    negate: impl FnOnce(V) -> Result<V, Limit>,
) -> Result<V, Limit> {
    match sign {
        Sign::Plus => Ok(value),
        Sign::Minus => negate(value),
    }
}
