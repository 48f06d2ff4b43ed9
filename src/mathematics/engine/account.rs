//! Memory: tables ask before they grow; what they may take is the limit less what the arena of values holds.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use super::table::{Table, hash_of};
use crate::game::{Analysis, Game, Limit, Sign};
use crate::value::Forms;

/// A table of fewer bytes than this is never asked to shrink, so that a search can go on when memory is short.
const SMALL: usize = 1 << 16;

/// The bytes of all tables of one engine against its limit.
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

    /// Bytes that the tables hold.
    pub(crate) fn tables(&self) -> usize {
        self.tables.load(Ordering::Relaxed)
    }

    /// Whether a table of `held` bytes may take `more`.
    pub(crate) fn allows(&self, forms: &Forms, held: usize, more: usize) -> bool {
        held + more <= SMALL || self.tables() + forms.memory() + more <= self.limit
    }

    /// Whether the tables and the arena together are above the limit.
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

    /// Notes that a table went from `before` to `after` bytes.
    pub(crate) fn note(&self, before: usize, after: usize) {
        if after > before {
            self.tables.fetch_add(after - before, Ordering::Relaxed);
        } else {
            self.tables.fetch_sub(before - after, Ordering::Relaxed);
        }
    }
}

/// What is known by key, shared between the boards and the threads of one engine.
#[derive(Debug)]
pub(crate) struct Shared<K, V> {
    shards: Box<[Mutex<Table<K, V>>]>,
    // Some keys may be plain ones ([`crate::game::Analysis::plain_key`]).
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

    /// Notes that plain keys are taken, too.
    pub(crate) fn note_plain_keys(&self) {
        if !self.plain.load(Ordering::Relaxed) {
            self.plain.store(true, Ordering::Relaxed);
        }
    }

    /// What is known of a part by its key, which comes with how the part relates to it, or by its plain key, if some search has
    /// taken such; and how the part relates to the one that was found.
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

    /// Whether nothing is known.
    pub(crate) fn is_empty(&self) -> bool {
        let empty =
            |shard: &Mutex<Table<K, V>>| shard.lock().unwrap_or_else(|e| e.into_inner()).len() == 0;
        self.shards.iter().all(empty)
    }

    /// Whether a value can be remembered without forgetting another.
    pub(crate) fn has_room(&self, key: &K, heap: usize, account: &Account, forms: &Forms) -> bool {
        let table = self.shard(hash_of(key));
        let more = table.growth() + heap;
        more == 0 || account.allows(forms, table.bytes(), more)
    }

    /// Remembers a value; forgets the older half of a shard where memory is short, and says so.
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

    /// Forgets the older half of what is known and gives its memory back.
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

/// Exchanges the players where the sign says so.
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
