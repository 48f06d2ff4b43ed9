//! The same for single heaps under a rule that takes and breaks, one size after the other. Input: the ways to move, of which
//! some must be answered in the heap that they leave. Output: for each size the value of the heap, and the set S of the theorem.
//!
//! A heap that must be answered has the moves of the heap, so its set S is that of the heap. The values of several heaps that
//! one move leaves are added, as these heaps are free.

use super::{Affine, Nimbers, Union};
use crate::engine::sequence::{Take, TakingRule};
use crate::game::{Budget, Limit};

/// A rule for one heap in which some moves restrict their answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EntailingRule {
    /// The ways after which the next player is free.
    free: TakingRule,
    /// The ways after which the answer must be made in the heap that is left; each leaves at most one.
    answered: TakingRule,
}

impl EntailingRule {
    /// The rule with these ways; `None` if one of those that must be answered leaves several heaps.
    #[must_use]
    pub fn new(free: TakingRule, answered: TakingRule) -> Option<EntailingRule> {
        (answered.most_heaps() <= 1).then_some(EntailingRule { free, answered })
    }

    /// The ways after which the next player is free, and those after which he is not.
    #[must_use]
    pub fn ways(&self) -> [&TakingRule; 2] {
        [&self.free, &self.answered]
    }
}

/// Stands for loony in the list of values.
const LOONY: u32 = u32::MAX;

/// The values of the heaps 0, 1, 2, ..
#[derive(Debug)]
pub struct EntailingSequence {
    rule: EntailingRule,
    values: Vec<u32>,
    sets: Vec<Nimbers>,
    /// Bytes of the sets.
    heap: usize,
    memory: usize,
}

impl EntailingSequence {
    /// The empty sequence, which may take `memory` bytes.
    #[must_use]
    pub fn new(rule: EntailingRule, memory: usize) -> EntailingSequence {
        EntailingSequence {
            rule,
            values: Vec::new(),
            sets: Vec::new(),
            heap: 0,
            memory,
        }
    }

    /// The rule.
    #[must_use]
    pub fn rule(&self) -> &EntailingRule {
        &self.rule
    }

    /// Computes the values up to that of the heap `last`.
    ///
    /// # Errors
    /// A limit; what was computed stays.
    pub fn extend(&mut self, last: usize, budget: &Budget) -> Result<(), Limit> {
        while self.values.len() <= last {
            budget.charge()?;
            let n = self.values.len();
            let set = self.wins(n, budget)?;
            self.heap += size_of_val(&*set.listed);
            let each = size_of::<u32>() + size_of::<Nimbers>();
            // A vector that grows holds the old array beside the new one.
            let bytes = self.heap + 3 * each * self.values.capacity().max(16);
            if bytes > self.memory {
                return Err(Limit::Memory);
            }
            if n.is_multiple_of(1 << 10) {
                budget.pulse().note(0, bytes);
            }
            self.values.push(match set.mex() {
                Affine::Nimber(n) => n,
                Affine::Loony => LOONY,
            });
            self.sets.push(set);
        }
        Ok(())
    }

    /// The value of a heap that was computed.
    #[must_use]
    pub fn value(&self, n: usize) -> Option<Affine> {
        self.values.get(n).map(|v| match *v {
            LOONY => Affine::Loony,
            v => Affine::Nimber(v),
        })
    }

    /// The nimbers beside which the player to move wins with a move in a heap that was computed.
    #[must_use]
    pub fn set(&self, n: usize) -> Option<&Nimbers> {
        self.sets.get(n)
    }

    /// The set S of the next heap, of size n.
    fn wins(&self, n: usize, budget: &Budget) -> Result<Nimbers, Limit> {
        let mut marks = Marks::default();
        for take in self.rule.free.takes() {
            if let Some(left) = n.checked_sub(take.taken as usize) {
                self.mark(take, left, &mut marks, budget)?;
            }
        }
        let mut union = Union {
            some: marks.all(),
            but: None,
        };
        for take in self.rule.answered.takes() {
            match (take.heaps, n.checked_sub(take.taken as usize)) {
                // In nothing there is no answer.
                (0, Some(0)) => union.answered(&Nimbers::none()),
                (1, Some(left)) if left > 0 => union.answered(&self.sets[left]),
                _ => {}
            }
        }
        Ok(union.wins())
    }

    /// Marks the values of what a way leaves of a heap. A loony value is no nimber.
    fn mark(
        &self,
        take: &Take,
        left: usize,
        some: &mut Marks,
        budget: &Budget,
    ) -> Result<(), Limit> {
        let values = &self.values[..];
        match take.heaps {
            0 if left == 0 => some.mark(0),
            1 if left > 0 && values[left] != LOONY => some.mark(values[left]),
            2 if left >= 2 => {
                let most = if take.distinct {
                    left.saturating_sub(1) / 2
                } else {
                    left / 2
                };
                let low = values[1..=most].iter();
                let high = values[left - most..left].iter().rev();
                for (a, b) in low.zip(high) {
                    if *a != LOONY && *b != LOONY {
                        some.mark(a ^ b);
                    }
                }
            }
            3 => {
                for a in (1..=left / 3).filter(|a| values[*a] != LOONY) {
                    budget.check()?;
                    for b in a..=(left - a) / 2 {
                        let c = left - a - b;
                        let fits = !take.distinct || (a != b && b != c);
                        if fits && values[b] != LOONY && values[c] != LOONY {
                            some.mark(values[a] ^ values[b] ^ values[c]);
                        }
                    }
                }
            }
            _ => {}
        }
        Ok(())
    }
}

/// A finite set of nimbers.
#[derive(Default)]
struct Marks {
    words: Vec<u64>,
}

impl Marks {
    fn mark(&mut self, n: u32) {
        let word = (n / 64) as usize;
        if self.words.len() <= word {
            self.words.resize(word + 1, 0);
        }
        self.words[word] |= 1 << (n % 64);
    }

    /// The members, in order.
    fn all(&self) -> Vec<u32> {
        let upto = u32::try_from(64 * self.words.len()).unwrap_or(u32::MAX);
        let is_marked = |n: &u32| self.words[(n / 64) as usize] >> (n % 64) & 1 == 1;
        (0..upto).filter(is_marked).collect()
    }
}
