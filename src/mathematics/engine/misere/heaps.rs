//! The heaps of a taking-and-breaking rule as a closed set of parts: part n is the heap of n counters.

use super::{Closed, Word};
use crate::engine::sequence::TakingRule;

/// The heaps 0 to `most` of a rule.
#[derive(Clone, Debug)]
pub struct Heaps {
    rule: TakingRule,
    birthdays: Vec<u64>,
}

impl Heaps {
    /// The heaps 0 to `most` of a rule.
    #[must_use]
    pub fn new(rule: TakingRule, most: u32) -> Heaps {
        let mut heaps = Heaps {
            rule,
            birthdays: Vec::new(),
        };
        heaps.grow(most);
        heaps
    }

    /// Adds the heaps up to `most`.
    pub fn grow(&mut self, most: u32) {
        while self.birthdays.len() <= most as usize {
            let n = self.birthdays.len() as u32;
            let mut longest = None;
            self.left_of(n, &mut |heaps| {
                let moves = heaps.iter().map(|h| self.birthdays[*h as usize]).sum();
                longest = longest.max(Some(moves));
            });
            self.birthdays.push(longest.map_or(0, |m: u64| m + 1));
        }
    }

    /// The rule.
    #[must_use]
    pub fn rule(&self) -> &TakingRule {
        &self.rule
    }

    /// Calls `each` with the heaps that each move on a heap of n leaves, in increasing order.
    fn left_of(&self, n: u32, each: &mut dyn FnMut(&[u32])) {
        for take in self.rule.takes() {
            let Some(left) = n.checked_sub(take.taken) else {
                continue;
            };
            match take.heaps {
                0 if left == 0 => each(&[]),
                1 if left > 0 => each(&[left]),
                2 => {
                    for a in 1..=left / 2 {
                        if !(take.distinct && a == left - a) {
                            each(&[a, left - a]);
                        }
                    }
                }
                3 => {
                    for a in 1..=left / 3 {
                        for b in a..=(left - a) / 2 {
                            let c = left - a - b;
                            if !(take.distinct && (a == b || b == c)) {
                                each(&[a, b, c]);
                            }
                        }
                    }
                }
                _ => {}
            }
        }
    }
}

impl Closed for Heaps {
    fn len(&self) -> usize {
        self.birthdays.len()
    }

    fn options(&self, part: u32, each: &mut dyn FnMut(&[u32])) {
        let mut word = Word::new();
        self.left_of(part, &mut |heaps| {
            word.clear();
            let live = |h: &&u32| self.birthdays[**h as usize] > 0;
            word.extend(heaps.iter().filter(live).copied());
            each(&word);
        });
    }

    fn has_options(&self, part: u32) -> bool {
        self.birthday(part) > 0
    }

    fn birthday(&self, part: u32) -> u64 {
        self.birthdays.get(part as usize).copied().unwrap_or(0)
    }
}
