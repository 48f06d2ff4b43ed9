//! Rules that leave at most one heap and whose amounts are listed up to a bound (primes, squares, numbers not divisible
//! by 3). Output: the nim-values of the heaps up to the bound.
//!
//! For each nim-value v a bit set contains the heaps that have an option of value v. Once the value of a heap is known, the
//! bit set of the amounts is shifted by the heap's size and joined to the set of its value: 64 heaps in one step. If the
//! sets would take too much memory (as many values as heaps), or if each amount has conditions of its own, the options of
//! each heap are examined one by one. No theorem is applied: the values beyond the bound remain unknown.

use super::Stop;
use crate::game::Cancel;

/// The most groups that are processed as bit sets.
const MOST_GROUPS: usize = 16;

/// Amounts that may be taken under the same conditions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Group {
    /// The amounts, increasing, at least 1.
    pub taken: Vec<u32>,
    /// The least and the greatest size of the heap left; 0 means no heap, `u32::MAX` no upper limit.
    pub left: (u32, u32),
    /// Whether a move may start from a heap, by its size from 0 on; `None` if it may from all.
    pub heaps: Option<Vec<bool>>,
}

impl Group {
    /// Whether moves may start from this heap.
    #[must_use]
    pub fn moves_in(&self, heap: usize) -> bool {
        let heaps = self.heaps.as_ref();
        heaps.is_none_or(|h| h.get(heap) == Some(&true))
    }

    /// Whether this heap may be left.
    #[must_use]
    pub fn leaves(&self, heap: usize) -> bool {
        let (from, to) = (self.left.0 as usize, self.left.1 as usize);
        from <= heap && heap <= to
    }
}

/// A rule for the heaps up to a bound.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ListedRule {
    /// The groups of amounts that may be taken.
    pub groups: Vec<Group>,
    /// The greatest heap of which the rule is known.
    pub bound: u32,
}

impl ListedRule {
    /// The amounts that may be taken from some heap, increasing; at most the first `most` of them.
    #[must_use]
    pub fn amounts(&self, most: usize) -> Vec<u32> {
        let firsts = self.groups.iter().flat_map(|g| g.taken.iter().take(most));
        let mut all: Vec<u32> = firsts.copied().collect();
        all.sort_unstable();
        all.dedup();
        all.truncate(most);
        all
    }

    /// Whether the amounts do not depend on the heap.
    #[must_use]
    pub fn same_for_all_heaps(&self) -> bool {
        let any = |g: &Group| g.heaps.is_none() && g.left == (0, u32::MAX);
        self.groups.iter().all(any)
    }
}

/// The known part of the sequence of such a rule.
#[derive(Clone, Debug)]
pub struct ListedSequence {
    rule: ListedRule,
    values: Vec<u32>,
    /// For each nim-value the heaps that have an option of this value.
    reach: Vec<Vec<u64>>,
    groups: Vec<Bits>,
    one_by_one: bool,
    memory: usize,
    stamps: Vec<u32>,
}

/// A group as bit sets.
#[derive(Clone, Debug)]
struct Bits {
    taken: Vec<u64>,
    heaps: Option<Vec<u64>>,
}

fn bits(members: impl Iterator<Item = usize>, words: usize) -> Vec<u64> {
    let mut set = vec![0; words];
    for m in members {
        if let Some(word) = set.get_mut(m / 64) {
            *word |= 1 << (m % 64);
        }
    }
    set
}

impl ListedSequence {
    /// The sequence of a rule, without any computed values. With `plain`, the options of each heap are examined one by one.
    #[must_use]
    pub fn new(rule: ListedRule, plain: bool) -> ListedSequence {
        let words = rule.bound as usize / 64 + 1;
        let one_by_one = plain || rule.groups.len() > MOST_GROUPS;
        let sets = |g: &Group| Bits {
            taken: bits(g.taken.iter().map(|t| *t as usize), words),
            heaps: g.heaps.as_ref().map(|h| {
                let may = h.iter().enumerate().filter(|h| *h.1);
                bits(may.map(|(n, _)| n), words)
            }),
        };
        let groups = match one_by_one {
            true => Vec::new(),
            false => rule.groups.iter().map(sets).collect(),
        };
        ListedSequence {
            rule,
            values: Vec::new(),
            reach: Vec::new(),
            groups,
            one_by_one,
            memory: usize::MAX,
            stamps: Vec::new(),
        }
    }

    /// Sets the limit in bytes for the bit sets. The default is no limit.
    pub fn limit_memory(&mut self, bytes: usize) {
        self.memory = bytes;
    }

    /// Computes G(0) to G(last), or to the rule's bound if that is less. `progress` is called with the number of known
    /// values.
    ///
    /// # Errors
    /// Why it stopped early. The values computed so far remain.
    pub fn extend(
        &mut self,
        last: u64,
        cancel: &Cancel,
        progress: &mut dyn FnMut(u64),
    ) -> Result<(), Stop> {
        let last = last.min(u64::from(self.rule.bound));
        while self.values.len() as u64 <= last {
            let n = self.values.len();
            if n.is_multiple_of(256) {
                if let Some(reason) = cancel.reason() {
                    return Err(Stop::Cancelled(reason));
                }
                progress(n as u64);
            }
            let value = match self.one_by_one {
                true => self.look(n),
                false => {
                    let free = |set: &Vec<u64>| set[n / 64] >> (n % 64) & 1 == 0;
                    self.reach.iter().position(free).unwrap_or(self.reach.len())
                }
            };
            self.values
                .push(u32::try_from(value).map_err(|_| Stop::Value)?);
            if !self.one_by_one {
                self.spread(n, value);
            }
        }
        Ok(())
    }

    /// The mex of the options of a heap.
    fn look(&mut self, n: usize) -> usize {
        let stamp = u32::try_from(n + 1).unwrap_or(u32::MAX);
        for g in self.rule.groups.iter().filter(|g| g.moves_in(n)) {
            // Only one heap may be left. There may be very many such groups.
            if g.left.0 == g.left.1 {
                let taken = n.checked_sub(g.left.0 as usize);
                let taken = taken.and_then(|t| u32::try_from(t).ok());
                if taken.is_some_and(|t| g.taken.binary_search(&t).is_ok()) {
                    let value = self.values[g.left.0 as usize] as usize;
                    if value >= self.stamps.len() {
                        self.stamps.resize(value + 1, 0);
                    }
                    self.stamps[value] = stamp;
                }
                continue;
            }
            for taken in g.taken.iter().map(|t| *t as usize).take_while(|t| *t <= n) {
                let left = n - taken;
                if g.leaves(left) {
                    let value = self.values[left] as usize;
                    if value >= self.stamps.len() {
                        self.stamps.resize(value + 1, 0);
                    }
                    self.stamps[value] = stamp;
                }
            }
        }
        let unmet = self.stamps.iter().position(|s| *s != stamp);
        unmet.unwrap_or(self.stamps.len())
    }

    /// Adds the value of heap `n` to all heaps that have `n` as an option.
    fn spread(&mut self, n: usize, value: usize) {
        let words = self.rule.bound as usize / 64 + 1;
        if value == self.reach.len() {
            if (self.reach.len() + 1).saturating_mul(8 * words) > self.memory / 2 {
                self.one_by_one = true;
                self.reach = Vec::new();
                return;
            }
            self.reach.push(vec![0; words]);
        }
        let Some(reach) = self.reach.get_mut(value) else {
            return;
        };
        for (g, sets) in self.rule.groups.iter().zip(&self.groups) {
            if !g.leaves(n) {
                continue;
            }
            if g.taken.len() < words / 4 {
                for heap in g.taken.iter().map(|t| n + *t as usize) {
                    if heap > self.rule.bound as usize {
                        break;
                    }
                    if g.moves_in(heap) {
                        reach[heap / 64] |= 1 << (heap % 64);
                    }
                }
                continue;
            }
            let (skip, by) = (n / 64, n % 64);
            let mut low = 0;
            for (i, word) in sets.taken[..words - skip].iter().enumerate() {
                let mut shifted = word << by | low;
                low = if by == 0 { 0 } else { word >> (64 - by) };
                if let Some(heaps) = &sets.heaps {
                    shifted &= heaps[skip + i];
                }
                reach[skip + i] |= shifted;
            }
        }
    }

    /// The rule.
    #[must_use]
    pub fn rule(&self) -> &ListedRule {
        &self.rule
    }

    /// The computed values, from G(0).
    #[must_use]
    pub fn values(&self) -> &[u32] {
        &self.values
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(rule: &ListedRule, plain: bool, memory: usize) -> Vec<u32> {
        let mut s = ListedSequence::new(rule.clone(), plain);
        s.limit_memory(memory);
        let done = s.extend(u64::from(rule.bound), &Cancel::new(), &mut |_| {});
        assert_eq!(done, Ok(()));
        s.values().to_vec()
    }

    /// Random rules: by bit sets, by bit sets until memory runs out, one by one, and by the definition.
    #[test]
    fn all_roads_are_the_definition() {
        let mut roll = super::super::dice(5);
        for _ in 0..120 {
            let bound = 100 + roll(300) as u32;
            let dense = 1 + roll(20);
            let group = |roll: &mut dyn FnMut(u64) -> u64| Group {
                taken: (1..=bound).filter(|_| roll(dense) == 0).collect(),
                left: match roll(3) {
                    0 => (0, u32::MAX),
                    1 => (roll(20) as u32, u32::MAX),
                    _ => (roll(5) as u32, roll(200) as u32),
                },
                heaps: (roll(3) == 0).then(|| (0..=bound).map(|_| roll(2) == 0).collect()),
            };
            let rule = ListedRule {
                groups: (0..=roll(3)).map(|_| group(&mut roll)).collect(),
                bound,
            };
            let mut want: Vec<u32> = Vec::new();
            for n in 0..=bound as usize {
                let reached = |v: &u32| {
                    rule.groups.iter().any(|g| {
                        g.heaps.as_ref().is_none_or(|h| h[n])
                            && g.taken.iter().any(|t| {
                                let left = n.checked_sub(*t as usize);
                                left.is_some_and(|m| {
                                    g.left.0 as usize <= m
                                        && m <= g.left.1 as usize
                                        && want[m] == *v
                                })
                            })
                    })
                };
                want.push((0..).find(|v| !reached(v)).expect("a mex"));
            }
            assert_eq!(values(&rule, false, usize::MAX), want, "{rule:?}");
            assert_eq!(values(&rule, false, 500), want, "{rule:?}");
            assert_eq!(values(&rule, true, usize::MAX), want, "{rule:?}");
        }
    }
}
