//! Makes room where memory is short. What is forgotten is found again if it is needed, so no answer depends on it.

use super::{Duel, Span, Visit};
use crate::engine::context::Context;
use crate::engine::proof_numbers::Numbers;
use crate::game::{Game, Limit};

/// How often the table of known states may be halved for one answer. After that a search would mostly find again what it has
/// forgotten.
const HALVINGS: u32 = 16;

/// How often one answer lacked memory.
#[derive(Default)]
pub(super) struct Shortage {
    halvings: u32,
    /// The states that were known after the last time.
    known: usize,
}

impl<G: Game> Duel<G> {
    pub(super) fn bytes(&self) -> usize {
        self.table.bytes()
            + self.numbers.capacity() * size_of::<Numbers>()
            + self.spans.capacity() * size_of::<Span>()
            + self.options.capacity() * size_of::<u32>()
            + self.visits.capacity() * size_of::<Visit>()
    }

    pub(super) fn note(&mut self, context: &Context<'_>) {
        let held = self.bytes();
        context.account.note(self.noted, held);
        self.noted = held;
    }

    /// Forgets the options and numbers of all nodes and the states of which nothing is known. Then halves the table of known states
    /// until an eighth of the memory is free, and at least once if no more states are known than the last time. An error if that
    /// was done too often.
    pub(super) fn make_room(
        &mut self,
        game: &G,
        shortage: &mut Shortage,
        context: &Context<'_>,
    ) -> Result<(), Limit> {
        self.close_all();
        self.table.retain(|_, known| *known != 0, |_, _, _| {});
        let mut stuck = self.table.len() <= shortage.known;
        loop {
            self.statistics.evictions += 1;
            for list in [&mut self.options, &mut self.key] {
                list.shrink_to_fit();
            }
            self.numbers.shrink_to_fit();
            self.spans.shrink_to_fit();
            self.forget_components(game, context);
            self.table.shrink();
            self.note(context);
            if !stuck && !context.account.is_crowded(context.forms) {
                shortage.known = self.table.len();
                return Ok(());
            }
            stuck = false;
            shortage.halvings += 1;
            if shortage.halvings > HALVINGS {
                return Err(Limit::Memory);
            }
            self.table.forget_older_half(|_| false, |_, _| {});
        }
    }

    // Forgets the components that no state in the table has.
    fn forget_components(&mut self, game: &G, context: &Context<'_>) {
        let mut marked = vec![false; self.components.len()];
        for node in 0..self.table.len() {
            let key = self.table.key(node as u32);
            let [.., parts] = self.fields(key);
            for part in &key[parts..] {
                marked[(part >> 1) as usize] = true;
            }
        }
        let numbers = self
            .components
            .forget_others(game, &marked, context.account);
        let mut table = std::mem::take(&mut self.table);
        table.rewrite(|key| {
            let [.., parts] = self.fields(key);
            for part in &mut key[parts..] {
                *part = numbers[(*part >> 1) as usize] << 1 | *part & 1;
            }
        });
        self.table = table;
    }
}
