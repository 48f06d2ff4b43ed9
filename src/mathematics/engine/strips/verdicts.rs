//! What several searches of one game have decided. Input and output: positions, as sets of moves, with the player to move,
//! and whether he wins.
//!
//! Who wins a position is a fact of the game, whichever search found it, so a verdict of one search may end a branch of
//! another. Each search keeps a table of its own too, which it reads for every option; this one is read for the positions that
//! it is about to open.

use super::set::Set;
use crate::engine::account::Account;
use crate::engine::boards::Boards;
use crate::engine::context::Context;
use crate::engine::table::hash_of;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The number of tables, each under a lock of its own. A thread asks once in some 10 microseconds and holds a lock for a tenth of
/// one, so 64 threads seldom wait for each other.
const SHARDS: usize = 16;

/// A table of one shard; by the player to move.
type Shard<const W: usize> = [Boards<Set<W>, bool>; 2];

/// The verdicts, for all threads.
pub(super) struct Verdicts<const W: usize>(Vec<Mutex<Shard<W>>>);

impl<const W: usize> Verdicts<W> {
    pub(super) fn new() -> Verdicts<W> {
        Verdicts((0..SHARDS).map(|_| Mutex::default()).collect())
    }

    fn shard(&self, hash: u64) -> MutexGuard<'_, Shard<W>> {
        // The slot in a table depends on other bits.
        let shard = &self.0[(hash >> 20) as usize % SHARDS];
        shard.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether the player to move wins, if a search has found it.
    pub(super) fn get(&self, key: &Set<W>, mover: usize) -> Option<bool> {
        let hash = hash_of(key);
        self.shard(hash)[mover].get(hash, key)
    }

    /// Tells the other searches whether the player to move wins.
    pub(super) fn put(&self, key: Set<W>, mover: usize, wins: bool, context: &Context<'_>) {
        let hash = hash_of(&key);
        let room = (context.account, context.forms);
        self.shard(hash)[mover].put(hash, key, wins, |_| 0, hash_of, room);
    }

    /// Frees all memory.
    pub(super) fn clear(&self, account: &Account) {
        for shard in &self.0 {
            let mut shard = shard.lock().unwrap_or_else(PoisonError::into_inner);
            shard.iter_mut().for_each(|table| table.clear(account));
        }
    }
}
