//! Stores a value in the table of its board, in the table by keys and in the store of earlier runs. Where memory is short,
//! the older half of a table is forgotten.

use super::{Algebra, Asked, Frame, State, Sums};
use crate::engine::account::Shared;
use crate::engine::context::Context;
use crate::game::{Game, Limit};

impl<G: Game, A: Algebra> Sums<G, A> {
    pub(super) fn share(
        &mut self,
        game: &G,
        key: G::Key,
        value: A::Value,
        context: &Context<'_>,
        shared: &Shared<G::Key, A::Value>,
    ) {
        if let Some(library) = context.library
            && library.key(game, &key, &mut self.portable)
        {
            self.algebra
                .keep(library, &self.portable, value, context.account);
        }
        self.put(game, key, value, context, shared);
    }

    pub(super) fn put(
        &mut self,
        game: &G,
        key: G::Key,
        value: A::Value,
        context: &Context<'_>,
        shared: &Shared<G::Key, A::Value>,
    ) {
        let heap = |key: &G::Key| game.key_bytes(key);
        // The table of this board is shrunk first, since its values can be found again by key.
        if !shared.has_room(&key, heap(&key), context.account, context.forms)
            && self.known.len() > 1 << 10
        {
            self.shrink(game, context, |i, len| i >= len / 2);
        }
        if shared.put(key, value, heap, context.account, context.forms) {
            self.statistics.evictions += 1;
        }
    }

    pub(super) fn remember(
        &mut self,
        game: &G,
        hash: u64,
        part: G::Position,
        state: State<A::Value>,
        context: &Context<'_>,
    ) -> u32 {
        if let Some(entry) = self.known.find(hash, &part) {
            // The entry is from an abandoned search.
            self.known.set(entry, state);
            return entry;
        }
        let heap = game.position_bytes(&part);
        let before = self.known.bytes();
        let more = self.known.growth() + heap;
        if self.known.is_full()
            || (more > 0 && !context.account.allows(context.forms, before, more))
        {
            self.evict(game);
        }
        let entry = self.known.insert(hash, part, state, heap);
        let after = self.known.bytes();
        if after != before {
            context.account.note(before, after);
        }
        entry
    }

    // Forgets the older half of the table of this board, except the parts being expanded.
    fn evict(&mut self, game: &G) {
        self.statistics.evictions += 1;
        let half = self.known.len() / 2;
        self.forget(game, |i| i >= half);
    }

    // Forgets the entries that `keep` rejects, by their number and the number of all entries, and frees the memory.
    fn shrink(&mut self, game: &G, context: &Context<'_>, keep: impl Fn(usize, usize) -> bool) {
        self.statistics.evictions += 1;
        let (before, len) = (self.known.bytes(), self.known.len());
        self.forget(game, |i| keep(i, len));
        self.known.shrink();
        context.account.note(before, self.known.bytes());
    }

    fn forget(&mut self, game: &G, keep: impl Fn(usize) -> bool) {
        let mut moved = Vec::new();
        self.known.retain(
            |part| game.position_bytes(part),
            |i, state| *state == State::Open || (keep(i) && *state != State::Abandoned),
            |old, new, state| {
                if *state == State::Open {
                    moved.push((old, new));
                }
            },
        );
        for entry in self.frames.iter_mut().filter_map(|f| f.entry.as_mut()) {
            if let Ok(i) = moved.binary_search_by_key(entry, |(old, _)| *old) {
                *entry = moved[i].1;
            }
        }
    }

    // Reports the number of hits and the memory to the observer.
    pub(super) fn tell(&mut self, context: &Context<'_>) {
        let s = &self.statistics;
        let found = s.memo_hits + s.board_hits + s.key_hits;
        let bytes = context.account.tables() + context.forms.memory();
        let more = found.checked_sub(self.reported).unwrap_or(found);
        context.budget.pulse().note(more, bytes);
        self.reported = found;
    }

    // Accounts for the stacks, and shrinks the tables if the arena has outgrown its share.
    pub(super) fn look(
        &mut self,
        game: &G,
        context: &Context<'_>,
        shared: &Shared<G::Key, A::Value>,
    ) -> Result<(), Limit> {
        let stacks = self.frames.capacity() * size_of::<Frame<G>>()
            + (self.options.capacity() + self.parts.capacity() + self.split.capacity())
                * size_of::<G::Position>()
            + self.values.capacity() * size_of::<A::Value>()
            + self.asked.capacity() * size_of::<Asked>()
            + self
                .options
                .iter()
                .chain(&self.split)
                .map(|p| game.position_bytes(p))
                .sum::<usize>();
        context.account.note(self.stacks, stacks);
        self.stacks = stacks;
        if !context.account.is_over(context.forms) {
            return Ok(());
        }
        // Entries are forgotten until an eighth of the memory is free; with less, it would be full again at once. Those of this
        // board come first, since their values can be found again by key.
        self.boards.clear(context.account);
        self.shrink(game, context, |i, len| i >= len / 2);
        if context.account.is_crowded(context.forms) {
            self.shrink(game, context, |_, _| false);
        }
        if context.account.is_crowded(context.forms) {
            self.statistics.evictions += 1;
            shared.halve(|key| game.key_bytes(key), context.account);
        }
        // If the arena leaves next to no memory for the tables, the search would repeat the same work over and over.
        if context.account.is_crowded(context.forms) {
            return Err(Limit::Memory);
        }
        Ok(())
    }
}
