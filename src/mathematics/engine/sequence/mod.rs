//! Sequences of nim-values of heaps: a rule for one heap comes in, the nim-values G(0), G(1), .. come out, and the period
//! with the theorem that proves it.
//!
//! A heap is worth the mex of what its options are worth, and a heap left in several heaps is worth their nim-sum
//! (Sprague 1935, Grundy 1939). Three roads: [`plain`] takes the definition word for word; [`sparse`] splits the values
//! into rare and common ones (*Winning Ways*, ch. 4, "sparse space"; Flammenkamp) and meets the same values in nearly
//! linear time; [`period`] stops the work for good where a theorem applies.

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

/// The greatest number of counters that one move may take, for rules of this shape.
pub const MAX_TAKEN: u32 = 4096;

/// One way to move: take so many counters from a heap and leave the rest in exactly so many heaps, none empty.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Take {
    /// Counters taken, at most [`MAX_TAKEN`].
    pub taken: u32,
    /// Heaps left, 0 to 3, none of them empty.
    pub heaps: u8,
    /// The heaps left have different sizes.
    pub distinct: bool,
}

/// A rule for one heap: taking-and-breaking with a finite list of ways (*Winning Ways*, ch. 4). Finite subtraction sets,
/// octal and hexadecimal codes and Grundy's game are of this shape.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct TakingRule {
    takes: Vec<Take>,
}

impl TakingRule {
    /// The rule with these ways; order and repetition do not matter. `None` if a way is out of range, or takes nothing
    /// and leaves fewer than two heaps (it would not end).
    #[must_use]
    pub fn new(mut takes: Vec<Take>) -> Option<TakingRule> {
        takes.sort_unstable();
        takes.dedup();
        // Where all ways are allowed, the ways with different sizes add nothing.
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

    /// The most counters that one move takes: Guy and Smith's k.
    #[must_use]
    pub fn most_taken(&self) -> u64 {
        self.takes
            .iter()
            .map(|t| u64::from(t.taken))
            .max()
            .unwrap_or(0)
    }

    /// The most heaps that one move leaves, at least 1: Guy and Smith's b.
    #[must_use]
    pub fn most_heaps(&self) -> u64 {
        self.takes
            .iter()
            .map(|t| u64::from(t.heaps))
            .max()
            .unwrap_or(1)
            .max(1)
    }

    /// An empty heap may count as a heap: each number of counters that may be taken may leave any number of heaps from 0
    /// up to some j >= 1.
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

    /// No way asks for different sizes: the rule is an octal, hexadecimal or subtraction rule.
    #[must_use]
    pub fn is_code(&self) -> bool {
        self.takes.iter().all(|t| !t.distinct)
    }

    /// The code of an octal or hexadecimal rule, as in `0.137` or `4.007`, digits beyond 9 as letters; `None` for rules
    /// that ask for different sizes.
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

    /// The rule of a code such as `0.137`, `4.007` or `0.F`; `None` if it is not one. The digit before the point says into
    /// how many heaps one may break a heap without taking anything; none stands for 0.
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

/// Pairs of heaps that may be looked at between two looks at the user.
const WORK: usize = 1 << 24;

/// How the values of a long sequence are found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Road {
    /// The definition word for word.
    Plain,
    /// Rare and common values, each value checked.
    Sparse,
}

/// Why a sequence goes no further for now. What was computed stays.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stop {
    /// It was ended from outside, and why.
    Cancelled(Reason),
    /// The values would take more bytes than are allowed.
    Memory,
    /// A nim-value of 2^15 or more: the tables do not hold it.
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

/// A sequence as far as it is known.
#[derive(Clone, Debug)]
pub struct Sequence {
    rule: TakingRule,
    values: Vec<u16>,
    period: Option<Period>,
    /// The length at which a period is looked for again.
    look_at: usize,
    /// The length at which one was looked for last.
    looked: usize,
    seeking: bool,
    /// Bytes that the values and what goes with them may take.
    memory: usize,
    sparse: sparse::Sparse,
    seen: plain::Seen,
}

impl Sequence {
    /// The sequence of a rule, nothing computed yet.
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

    /// The sequence of a rule with values that were computed before (a run that goes on). They are taken on trust.
    #[must_use]
    pub fn resume(rule: TakingRule, values: Vec<u16>) -> Sequence {
        Sequence {
            values,
            ..Sequence::new(rule)
        }
    }

    /// Computes until G(0..=last) are known, by value or by a proven period; `progress` is shown what is known from
    /// time to time, some times a second.
    ///
    /// # Errors
    /// Why it ended before. What was computed stays.
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
                    plain::extend(&self.rule, &mut self.seen, &mut self.values, goal)?;
                }
                Road::Sparse => self.sparse.extend(&self.rule, &mut self.values, goal)?,
            }
            progress(self);
            if self.seeking && self.values.len() >= self.look_at {
                self.look();
            }
        }
        // Not for each of a few values more.
        if self.values.len() >= self.looked + self.looked / 8 {
            self.look();
        }
        Ok(())
    }

    /// Looks for a period among all values that are known, if one is sought.
    pub fn look(&mut self) {
        if self.seeking && self.period.is_none() && self.looked < self.values.len() {
            self.period = find_period(&self.rule, &self.values);
            self.looked = self.values.len();
            self.look_at = self.look_at.max(self.looked + self.looked / 2);
        }
    }

    /// How many values are computed between two looks at the user: a fraction of a second's work at the worst.
    fn chunk(&self, road: Road) -> usize {
        let n = self.values.len().max(1);
        let three = self.rule.takes().iter().any(|t| t.heaps == 3);
        let cubic = three && (road == Road::Plain || !self.rule.is_code());
        let worst = if cubic { n.saturating_mul(n) } else { n };
        let least = if road == Road::Plain { 1 } else { 16 };
        (WORK / worst).clamp(least, 4096)
    }

    /// Room for `length` values, growing by a quarter at a time.
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

    /// The bytes that the values and what goes with them may take; without limit unless told.
    pub fn limit_memory(&mut self, bytes: usize) {
        self.memory = bytes;
    }

    /// Whether a period is looked for (it is, unless told otherwise); without one, every value is computed.
    pub fn seek_period(&mut self, seek: bool) {
        self.seeking = seek;
    }

    /// How many heaps of rare value the sparse road has met; 0 if it was not taken.
    #[must_use]
    pub fn rare(&self) -> usize {
        self.sparse.rare()
    }

    /// The rule.
    #[must_use]
    pub fn rule(&self) -> &TakingRule {
        &self.rule
    }

    /// The values that were computed, from G(0).
    #[must_use]
    pub fn values(&self) -> &[u16] {
        &self.values
    }

    /// The proven period, if there is one among what was computed.
    #[must_use]
    pub fn period(&self) -> Option<&Period> {
        self.period.as_ref()
    }

    /// G(n): computed, or by the proven period.
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

/// Small numbers for tests, always the same: each call gives one below its argument.
/// The fewest values of which it is said that some are rare.
const FEWEST_FOR_RARE: usize = 64;

/// Which of these values are rare: those with evenly many bits of the mask under which the fewest are (*Winning Ways*, ch. 4, "sparse
/// space"). Nothing where that is more than one in eight, or where there are few values.
#[must_use]
pub fn rare_values(values: &[u16]) -> Option<impl Fn(u16) -> bool + use<>> {
    let (mask, rare) = sparse::best_mask(values);
    let few = rare <= values.len() as u64 / 8;
    (few && values.len() >= FEWEST_FOR_RARE).then_some(move |v| sparse::is_rare(v, mask))
}

#[cfg(test)]
fn dice(mut seed: u64) -> impl FnMut(u64) -> u64 {
    move |sides| {
        seed = seed
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) % sides
    }
}
