//! Makes room where memory is short. Input: a search between two states. Output: the same search without the older half of
//! its states, and without the components that only those consist of.
//!
//! What is forgotten is found again if it is needed, so no answer depends on it. A forgotten component that is met again
//! gets another number.

use super::{Play, Word};
use crate::engine::context::Context;
use crate::game::{Game, Limit};

/// The most halvings at once.
const HALVINGS: u32 = 8;

/// Removes the entries of a list by part that are not marked.
pub(super) fn keep<T>(list: &mut Vec<T>, marked: &[bool]) {
    let mut marks = marked.iter();
    list.retain(|_| marks.next() == Some(&true));
    list.shrink_to_fit();
}

impl<G: Game> Play<G> {
    /// Forgets until an eighth of the memory is free; an error if that cannot be reached. Only while no options are being
    /// generated.
    pub(super) fn make_room(&mut self, game: &G, context: &Context<'_>) -> Result<(), Limit> {
        self.led = None;
        for _ in 0..HALVINGS {
            self.statistics.evictions += 1;
            self.evict();
            self.forget_components(game, context);
            if !context.account.is_crowded(context.forms) {
                return Ok(());
            }
        }
        Err(Limit::Memory)
    }

    // Forgets the components that no state in the table, on the stack or about to be entered has.
    fn forget_components(&mut self, game: &G, context: &Context<'_>) {
        let mut marked = vec![false; self.components.len()];
        let mut mark = |state: &[Word]| {
            let parts = state.iter().skip(1);
            parts.for_each(|part| marked[(part >> 1) as usize] = true);
        };
        mark(&self.state);
        (0..self.table.len()).for_each(|entry| mark(self.table.key(entry as u32)));
        each_option(&mut self.words, |option| mark(option));
        let numbers = self
            .components
            .forget_others(game, &marked, context.account);
        let renumber = |state: &mut [Word]| {
            for part in state.iter_mut().skip(1) {
                *part = numbers[(*part >> 1) as usize] << 1 | *part & 1;
            }
        };
        renumber(&mut self.state);
        self.table.rewrite(renumber);
        each_option(&mut self.words, renumber);
        keep(&mut self.worth, &marked);
        keep(&mut self.mobility, &marked);
        self.bounds.keep(&marked);
        self.counts.keep(&marked);
        self.table.shrink();
        let held = self.bytes();
        context.account.note(self.noted, held);
        self.noted = held;
    }
}

// Calls `with` for each option in a list of lengths and words.
fn each_option(words: &mut [Word], mut with: impl FnMut(&mut [Word])) {
    let mut rest = words;
    while let Some((len, after)) = rest.split_first_mut() {
        let (option, next) = after.split_at_mut(*len as usize);
        with(option);
        rest = next;
    }
}
