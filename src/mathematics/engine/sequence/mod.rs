//! Sequences of nim-values of heaps. Input: a rule for one heap. Output: the nim-values G(0), G(1), .., and the period with
//! the theorem that proves it.
//!
//! The value of a heap is the mex of the values of its options, and the value of an option that consists of several heaps is
//! their nim-sum (Sprague 1935, Grundy 1939). [`plain`] applies the definition. [`sparse`] splits the values into rare and
//! common ones (*Winning Ways*, ch. 4, "sparse space"; Flammenkamp) and finds the same values in nearly linear time.
//! [`period`] ends the computation where a theorem applies.

pub mod amounts;
mod codes;
mod few;
mod fresh;
pub mod identify;
mod lanes;
pub mod listed;
mod narrow;
mod partners;
pub mod period;
pub mod plain;
mod planes;
pub mod sparse;
pub mod store;
mod triple;
mod witness;

use crate::game::{Cancel, Limit, Reason};
pub use period::{Period, Regular, find_partizan_period, find_period, looks_regular};
use std::fmt;
pub use witness::{partizan_witness, witness};

/// The greatest number of counters that one move may take in a [`TakingRule`].
pub const MAX_TAKEN: u32 = 4096;

/// One way to move: take `taken` counters from a heap and leave the rest in exactly `heaps` nonempty heaps.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Take {
    /// Counters taken, at most [`MAX_TAKEN`].
    pub taken: u32,
    /// Heaps left, 0 to 3, none of them empty.
    pub heaps: u8,
    /// Whether the heaps left must have different sizes.
    pub distinct: bool,
}

/// A rule for one heap: taking-and-breaking with a finite list of ways (*Winning Ways*, ch. 4). Finite subtraction sets,
/// octal and hexadecimal codes and Grundy's game are of this shape.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct TakingRule {
    takes: Vec<Take>,
}

impl TakingRule {
    /// The rule with these ways; order and repetition do not matter. `None` if a way is out of range, or takes nothing and
    /// leaves fewer than two heaps (play would not end).
    #[must_use]
    pub fn new(mut takes: Vec<Take>) -> Option<TakingRule> {
        takes.sort_unstable();
        takes.dedup();
        // A way with different sizes is redundant if all sizes are allowed.
        let all = takes.clone();
        takes.retain(|t| {
            !t.distinct
                || !all.contains(&Take {
                    distinct: false,
                    ..*t
                })
        });
        let fine = takes
            .iter()
            .all(|t| t.taken <= MAX_TAKEN && t.heaps <= 3 && (t.taken > 0 || t.heaps >= 2));
        fine.then_some(TakingRule { takes })
    }

    /// The ways, in order.
    #[must_use]
    pub fn takes(&self) -> &[Take] {
        &self.takes
    }

    /// The greatest number of counters that one move takes: Guy and Smith's k.
    #[must_use]
    pub fn most_taken(&self) -> u64 {
        self.takes
            .iter()
            .map(|t| u64::from(t.taken))
            .max()
            .unwrap_or(0)
    }

    /// The greatest number of heaps that one move leaves, at least 1: Guy and Smith's b.
    #[must_use]
    pub fn most_heaps(&self) -> u64 {
        self.takes
            .iter()
            .map(|t| u64::from(t.heaps))
            .max()
            .unwrap_or(1)
            .max(1)
    }

    /// Whether an empty heap may count as a heap: each number of counters that may be taken may leave any number of heaps
    /// from 0 up to some j >= 1.
    #[must_use]
    pub fn counts_empty_heaps(&self) -> bool {
        let has = |taken: u32, heaps: u8| {
            self.takes
                .iter()
                .any(|t| t.taken == taken && t.heaps == heaps && !t.distinct)
        };
        self.takes.iter().all(|t| {
            has(t.taken, 0) && has(t.taken, 1) && (t.heaps < 2 || has(t.taken, t.heaps - 1))
        })
    }

    /// Whether no way requires different sizes: the rule is an octal, hexadecimal or subtraction rule.
    #[must_use]
    pub fn is_code(&self) -> bool {
        self.takes.iter().all(|t| !t.distinct)
    }

    /// The code of an octal or hexadecimal rule, as in `0.137` or `4.007`, with letters for digits beyond 9; `None` for
    /// rules that require different sizes.
    #[must_use]
    pub fn code(&self) -> Option<String> {
        if !self.is_code() {
            return None;
        }
        let digits = usize::try_from(self.most_taken()).ok()?;
        let mut code = vec![0u32; digits + 1];
        for t in &self.takes {
            code[t.taken as usize] |= 1 << t.heaps;
        }
        let mut digits = code.iter().filter_map(|d| char::from_digit(*d, 16));
        let before = digits.next()?;
        let after: String = digits.collect();
        let after = if after.is_empty() { "0" } else { &after };
        Some(format!("{before}.{after}").to_uppercase())
    }

    /// The rule of a code such as `0.137`, `4.007` or `0.F`; `None` if it is not a code. The digit before the point gives
    /// the numbers of heaps into which a heap may be broken without taking anything; a missing digit stands for 0.
    #[must_use]
    pub fn of_code(code: &str) -> Option<TakingRule> {
        let (before, after) = code.split_once('.')?;
        let before = match before.len() {
            0 => "0",
            1 => before,
            _ => return None,
        };
        let mut takes = Vec::new();
        for (taken, c) in (0u32..).zip(before.chars().chain(after.chars())) {
            let d = c.to_digit(16)?;
            takes.extend((0..4).filter(|j| d >> j & 1 == 1).map(|heaps| Take {
                taken,
                heaps,
                distinct: false,
            }));
        }
        TakingRule::new(takes)
    }

    /// The rule of a subtraction set; `None` if an element is 0 or too large.
    #[must_use]
    pub fn of_subtraction(set: &[u32]) -> Option<TakingRule> {
        let ways = set.iter().flat_map(|s| [(*s, 0), (*s, 1)]);
        TakingRule::new(
            ways.map(|(taken, heaps)| Take {
                taken,
                heaps,
                distinct: false,
            })
            .collect(),
        )
    }
}

/// The number of pairs of heaps examined between two checks for cancellation.
const WORK: usize = 1 << 24;

/// The method for computing the values of a long sequence.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Road {
    /// The definition.
    Plain,
    /// The split into rare and common values; every value is still verified to be the mex.
    Sparse,
}

/// Why a computation stopped. The values computed so far remain.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stop {
    /// It was cancelled, with the reason.
    Cancelled(Reason),
    /// The values would exceed the memory limit.
    Memory,
    /// A nim-value of 2^15 or more, which does not fit the tables.
    Value,
}

impl fmt::Display for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Stop::Cancelled(reason) => reason.text(),
            Stop::Memory => "the limit of memory was met; --memory sets it",
            Stop::Value => "a nim-value passes 32767, and the tables hold no more",
        })
    }
}

impl From<Stop> for Limit {
    fn from(stop: Stop) -> Limit {
        match stop {
            Stop::Cancelled(reason) => Limit::Cancelled(reason),
            Stop::Memory | Stop::Value => Limit::Memory,
        }
    }
}

/// The known part of a sequence.
#[derive(Clone, Debug)]
pub struct Sequence {
    rule: TakingRule,
    values: Vec<u16>,
    period: Option<Period>,
    /// The length at which the next search for a period takes place.
    look_at: usize,
    /// The length at the last search for a period.
    looked: usize,
    seeking: bool,
    /// The limit in bytes for the values and auxiliary tables.
    memory: usize,
    sparse: sparse::Sparse,
    seen: plain::Seen,
}

impl Sequence {
    /// The sequence of a rule, without any computed values.
    #[must_use]
    pub fn new(rule: TakingRule) -> Sequence {
        Sequence {
            rule,
            values: Vec::new(),
            period: None,
            look_at: 64,
            looked: 0,
            seeking: true,
            memory: usize::MAX,
            sparse: sparse::Sparse::default(),
            seen: plain::Seen::default(),
        }
    }

    /// The sequence of a rule with values that an earlier run computed. They are not checked.
    #[must_use]
    pub fn resume(rule: TakingRule, values: Vec<u16>) -> Sequence {
        Sequence {
            values,
            ..Sequence::new(rule)
        }
    }

    /// Computes until G(0..=last) are known, by value or by a proven period. `progress` is called several times a second.
    ///
    /// # Errors
    /// Why it stopped early. The values computed so far remain.
    pub fn extend(
        &mut self,
        last: u64,
        road: Road,
        cancel: &Cancel,
        progress: &mut dyn FnMut(&Sequence),
    ) -> Result<(), Stop> {
        let want = usize::try_from(last.saturating_add(1)).unwrap_or(usize::MAX);
        while self.period.is_none() && self.values.len() < want {
            if let Some(reason) = cancel.reason() {
                return Err(Stop::Cancelled(reason));
            }
            let have = self.values.len();
            let mut goal = want.min(have.saturating_add(self.chunk(road)));
            if self.seeking {
                goal = goal.min(self.look_at);
            }
            self.make_room(goal)?;
            match road {
                Road::Plain => {
                    plain::extend(&self.rule, &mut self.seen, &mut self.values, goal, cancel)?;
                }
                Road::Sparse => {
                    self.sparse
                        .extend(&self.rule, &mut self.values, goal, cancel)?;
                }
            }
            progress(self);
            if self.seeking && self.values.len() >= self.look_at {
                self.look();
            }
        }
        // No new search after only a few more values.
        if self.values.len() >= self.looked + self.looked / 8 {
            self.look();
        }
        Ok(())
    }

    /// Searches all known values for a period, unless one is known or none is sought.
    pub fn look(&mut self) {
        if self.seeking && self.period.is_none() && self.looked < self.values.len() {
            self.period = find_period(&self.rule, &self.values);
            self.looked = self.values.len();
            self.look_at = self.look_at.max(self.looked + self.looked / 2);
        }
    }

    /// The number of values computed between two checks for cancellation: at worst a fraction of a second's work. Rules that
    /// leave three heaps have checks of their own.
    fn chunk(&self, road: Road) -> usize {
        let n = self.values.len().max(1);
        let three = self.rule.takes().iter().any(|t| t.heaps == 3);
        let cubic = three && (road == Road::Plain || !self.rule.is_code());
        let worst = if cubic { n.saturating_mul(n) } else { n };
        let least = if road == Road::Plain { 1 } else { 16 };
        (WORK / worst).clamp(least, 4096)
    }

    /// Reserves room for `length` values, growing by at least a quarter.
    fn make_room(&mut self, length: usize) -> Result<(), Stop> {
        let beside = self.sparse.bytes();
        if length.saturating_mul(2).saturating_add(beside) > self.memory {
            return Err(Stop::Memory);
        }
        let have = self.values.len();
        if length > self.values.capacity() {
            let room = length.max(have + have / 4).min(self.memory / 2).max(length);
            if self.values.try_reserve_exact(room - have).is_err() {
                return Err(Stop::Memory);
            }
        }
        Ok(())
    }

    /// Sets the limit in bytes for the values and auxiliary tables. The default is no limit.
    pub fn limit_memory(&mut self, bytes: usize) {
        self.memory = bytes;
    }

    /// Sets whether a period is sought (the default). If not, every value is computed.
    pub fn seek_period(&mut self, seek: bool) {
        self.seeking = seek;
    }

    /// The number of heaps of rare value that the sparse method has found; 0 if it was not used.
    #[must_use]
    pub fn rare(&self) -> usize {
        self.sparse.rare()
    }

    /// The rule.
    #[must_use]
    pub fn rule(&self) -> &TakingRule {
        &self.rule
    }

    /// The computed values, from G(0).
    #[must_use]
    pub fn values(&self) -> &[u16] {
        &self.values
    }

    /// The proven period, if the computed values give one.
    #[must_use]
    pub fn period(&self) -> Option<&Period> {
        self.period.as_ref()
    }

    /// G(n), if it is computed or follows from the proven period.
    #[must_use]
    pub fn value(&self, n: u64) -> Option<u16> {
        let direct = |n: u64| self.values.get(usize::try_from(n).ok()?).copied();
        direct(n).or_else(|| {
            let p = self.period.as_ref()?;
            let past = n.checked_sub(p.preperiod)?;
            direct(p.preperiod + past % p.period)
        })
    }
}

/// [`rare_values`] returns `None` for fewer values than this.
const FEWEST_FOR_RARE: usize = 64;

/// Returns a test for rare values: those with an even number of bits of the mask under which the fewest values are rare
/// (*Winning Ways*, ch. 4, "sparse space"). `None` if more than one value in eight is rare, or if there are too few values.
#[must_use]
pub fn rare_values(values: &[u16]) -> Option<impl Fn(u16) -> bool + use<>> {
    let (mask, rare) = sparse::best_mask(values);
    let few = rare <= values.len() as u64 / 8;
    (few && values.len() >= FEWEST_FOR_RARE).then_some(move |v| sparse::is_rare(v, mask))
}

/// A deterministic source of small numbers for tests: each call returns a number below its argument.
#[cfg(test)]
fn dice(mut seed: u64) -> impl FnMut(u64) -> u64 {
    move |sides| {
        seed = seed
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) % sides
    }
}
