//! Looks up the options of a position. Output: their values, if they are known, otherwise their parts. All options are
//! looked up together, then all parts, so that reads of slow memory overlap.

use super::{Algebra, State, Sums};

use crate::engine::context::Context;
use crate::engine::stopped::StoppedIn;
use crate::engine::table::hash_of;
use crate::game::{Analysis, Game, Limit, Shortcut};

/// The result of looking up an option when its frame was pushed.
#[derive(Clone, Copy)]
pub(super) enum Asked {
    /// The option was not looked up.
    Nothing,
    /// Its value is known.
    Value,
    /// It is a single part of unknown value.
    Whole,
    /// Its hash, and the range of its parts in `split`. The value of at least one part is unknown.
    Parts(u64, u32, u32),
}

impl<G: Game, A: Algebra> Sums<G, A> {
    // Makes room for the values of the options from `from` on. Looks up all of them together, then the parts of those not
    // found.
    pub(super) fn ask(
        &mut self,
        game: &G,
        part: &G::Position,
        from: usize,
        context: &Context<'_>,
    ) -> Result<(), StoppedIn<G>> {
        let zero = self.algebra.zero();
        self.values.resize(self.options.len(), zero);
        self.asked.resize(self.options.len(), Asked::Nothing);
        if !context.shortcuts.has(Shortcut::Boards) {
            return Ok(());
        }
        let mut hashes = std::mem::take(&mut self.hashes);
        hashes.extend(self.options[from..].iter().map(hash_of));
        self.known.touch(&hashes);
        self.boards.touch(&hashes);
        let first = self.split.len();
        for (slot, hash) in (from..).zip(&hashes) {
            let option = &self.options[slot];
            if let Some(entry) = self.known.find(*hash, option) {
                self.asked[slot] = Asked::Whole;
                if let State::Known(value) = self.known.value(entry) {
                    self.statistics.memo_hits += 1;
                    (self.asked[slot], self.values[slot]) = (Asked::Value, value);
                }
                continue;
            }
            if let Some(value) = self.boards.get(*hash, option) {
                self.statistics.board_hits += 1;
                let forgets = context.plants(Shortcut::Boards);
                let value = if forgets { zero } else { value };
                (self.asked[slot], self.values[slot]) = (Asked::Value, value);
                continue;
            }
            let start = self.split.len();
            if context.by_regions() && game.analysis().regions(Some(part), option, &mut self.split)
            {
                self.statistics.regions += 1;
                if context.plants(Shortcut::Regions) && self.split.len() > start + 1 {
                    self.split.pop();
                }
            } else {
                game.analysis().split(option, &mut self.split);
                if context.plants(Shortcut::Split) && self.split.len() > start + 1 {
                    self.split.pop();
                }
            }
            self.asked[slot] = if self.split.len() == start + 1 && self.split[start] == *option {
                self.split.truncate(start);
                Asked::Whole
            } else {
                let place = |n: usize| u32::try_from(n).map_err(|_| Limit::Memory);
                Asked::Parts(*hash, place(start)?, place(self.split.len())?)
            };
        }
        hashes.clear();
        hashes.extend(self.split[first..].iter().map(hash_of));
        self.known.touch(&hashes);
        for slot in from..self.options.len() {
            let Asked::Parts(hash, start, end) = self.asked[slot] else {
                continue;
            };
            let (start, end) = (start as usize, end as usize);
            let mut sum = Some(zero);
            for part in start..end {
                let known = self
                    .known
                    .find(hashes[part - first], &self.split[part])
                    .map(|entry| self.known.value(entry));
                sum = match (sum, known) {
                    (Some(sum), Some(State::Known(value))) => Some(self.algebra.add(sum, value)?),
                    _ => None,
                };
                if sum.is_none() {
                    break;
                }
            }
            if let Some(sum) = sum {
                self.statistics.memo_hits += (end - start) as u64;
                if end - start != 1 {
                    self.statistics.splits += 1;
                }
                (self.asked[slot], self.values[slot]) = (Asked::Value, sum);
                self.boards.put(
                    hash,
                    self.options[slot].clone(),
                    sum,
                    |p| game.position_bytes(p),
                    hash_of,
                    (context.account, context.forms),
                );
            }
        }
        hashes.clear();
        self.hashes = hashes;
        Ok(())
    }
}
