//! What the threads of one search tell each other: who wins at positions that took a search. Input and output: a position,
//! who moves, whether he wins.

use std::sync::{Mutex, MutexGuard};

use super::set::Set;
use crate::engine::account::Account;
use crate::engine::boards::Boards;
use crate::engine::context::Context;
use crate::engine::table::hash_of;

/// The tables have one lock each.
const TABLES: usize = 64;

type Known<const W: usize> = Boards<(Set<W>, usize), bool>;

/// A table for all threads, which forgets.
pub(super) struct Shared<const W: usize> {
    tables: Vec<Mutex<Known<W>>>,
}

impl<const W: usize> Shared<W> {
    pub(super) fn new() -> Shared<W> {
        let tables = std::iter::repeat_with(Mutex::default);
        Shared {
            tables: tables.take(TABLES).collect(),
        }
    }

    // The place within a table is by the high bits of a product, which the low bits of the hash hardly change.
    fn table(&self, hash: u64) -> MutexGuard<'_, Known<W>> {
        let table = &self.tables[hash as usize % TABLES];
        table.lock().unwrap_or_else(|e| e.into_inner())
    }

    /// Whether the mover wins, if a thread has found it.
    pub(super) fn get(&self, key: &Set<W>, mover: usize) -> Option<bool> {
        let entry = (*key, mover);
        let hash = hash_of(&entry);
        self.table(hash).get(hash, &entry)
    }

    pub(super) fn put(&self, key: Set<W>, mover: usize, wins: bool, context: &Context<'_>) {
        let entry = (key, mover);
        let hash = hash_of(&entry);
        let room = (context.account, context.forms);
        let mut table = self.table(hash);
        table.put(hash, entry, wins, |_| 0, hash_of, room);
    }

    /// Frees all memory.
    pub(super) fn clear(&mut self, account: &Account) {
        for table in &mut self.tables {
            let table = table.get_mut().unwrap_or_else(|e| e.into_inner());
            table.clear(account);
        }
    }
}
