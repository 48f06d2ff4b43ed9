//! Lists what may be taken from heaps up to a bound, for rules on heaps that leave at most one heap. The numbers that a
//! move may choose are tried one by one, so conditions on them are arbitrary (primes, squares, numbers not divisible by 3).
//! With the numbers known, the remaining conditions are linear in the heap and solved, or depend on the heap alone and are
//! evaluated for each heap.

use super::image::Image;
use super::linear::{Constraint, Linear, Sign};
use super::{Among, Evaluator, Instance, Reason, follow};
use std::collections::{BTreeMap, BTreeSet};

/// The reason for refusal if a smaller bound may succeed.
pub const TOO_MUCH_WORK: &str = "to try each number is too much work";
/// If fewer steps than this are left after a failure, the reason was the limit of steps.
const SPENT: u64 = 1_000_000;

/// The maximal number of numbers tried, for all binders together.
const MOST_CHOICES: u64 = 20_000_000;
/// The maximal number of conditions on the heap alone.
const MOST_TESTS: usize = 64;
/// The maximal number of entries (amounts under conditions) in one list.
const MOST_AMOUNTS: usize = 4_000_000;

/// Amounts that may be taken under the same conditions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Group {
    /// The numbers of counters, increasing, at least 1.
    pub taken: Vec<u32>,
    /// The least and the greatest size of the heap left. 0 means that no heap is left, `u32::MAX` that there is no upper
    /// limit.
    pub left: (u32, u32),
    /// The heaps from which they may be taken, indexed by size from 0; `None` for all heaps.
    pub heaps: Option<Vec<bool>>,
}

/// What may be taken from the heaps up to a bound.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Listed {
    /// The groups, in a fixed order.
    pub groups: Vec<Group>,
    /// The bound: the list covers heaps up to this size.
    pub bound: u32,
}

/// Lists for each player what may be taken from heaps up to a bound, if a move leaves at most one heap. The work is bounded
/// by the evaluator's steps.
///
/// # Errors
/// The reason why the rule does not fit.
pub fn listed(ev: &Evaluator<'_>, instance: &Instance, bound: u32) -> Result<Vec<Listed>, Reason> {
    let mut listings = Vec::new();
    let followed = follow(
        ev,
        instance,
        Some(i64::from(bound)),
        Among::All,
        &mut listings,
    );
    if let Err(why) = followed {
        return match ev.steps_left() < SPENT {
            true => Err(TOO_MUCH_WORK.into()),
            false => Err(why),
        };
    }
    Ok(listings.into_iter().map(Listing::done).collect())
}

/// Maps the least and the greatest heap left, and the tests, to the amounts.
type Amounts = BTreeMap<(u32, u32, Vec<usize>), BTreeSet<u32>>;

/// A list under construction.
#[derive(Debug)]
pub(super) struct Listing {
    bound: i64,
    choices: u64,
    /// For each tested condition: its address, the wanted truth value, and for each heap whether it has that value.
    tests: Vec<(usize, bool, Vec<bool>)>,
    amounts: Amounts,
    entries: usize,
    /// The images of a form, by its address and the first number, each with the last number.
    images: Vec<((usize, i64), i64, Image)>,
}

impl Listing {
    pub(super) fn new(bound: i64) -> Listing {
        Listing {
            bound,
            choices: 0,
            tests: Vec::new(),
            amounts: Amounts::new(),
            entries: 0,
            images: Vec::new(),
        }
    }

    /// The images of a form, if known at least up to `far`.
    pub(super) fn image(&self, key: (usize, i64), far: i64) -> Option<&Image> {
        let found = self.images.iter().find(|(k, f, _)| *k == key && *f >= far);
        found.map(|(_, _, image)| image)
    }

    /// Stores the images of a form.
    pub(super) fn add_image(&mut self, key: (usize, i64), far: i64, image: Image) {
        self.images.retain(|(k, _, _)| *k != key);
        self.images.push((key, far, image));
    }

    pub(super) fn bound(&self) -> i64 {
        self.bound
    }

    /// Counts one more number tried.
    pub(super) fn count(&mut self) -> Result<(), Reason> {
        self.choices += 1;
        match self.choices > MOST_CHOICES {
            true => Err(TOO_MUCH_WORK.into()),
            false => Ok(()),
        }
    }

    /// The number of a condition on the heap alone, if it was tested before.
    pub(super) fn test(&self, place: usize, want: bool) -> Option<usize> {
        self.tests.iter().position(|t| (t.0, t.1) == (place, want))
    }

    pub(super) fn add_test(
        &mut self,
        place: usize,
        want: bool,
        holds: &[bool],
    ) -> Result<usize, Reason> {
        if self.tests.len() >= MOST_TESTS {
            return Err("there are too many conditions on the heap".into());
        }
        self.tests.push((place, want, holds.to_vec()));
        Ok(self.tests.len() - 1)
    }

    /// Adds one choice: the heaps left, under conditions on the heap.
    pub(super) fn add(
        &mut self,
        parts: &[Linear],
        constraints: &[Constraint],
        tests: &[usize],
    ) -> Result<(), Reason> {
        let parts: Vec<&Linear> = parts.iter().filter(|p| p.constant() != Some(0)).collect();
        let mut tests = tests.to_vec();
        tests.sort_unstable();
        tests.dedup();
        for (lo, hi) in self.intervals(constraints)? {
            match parts[..] {
                [] => {
                    for n in lo..=hi {
                        self.note(n, (0, 0), &tests)?;
                    }
                }
                [part] if part.n == 0 => {
                    let left = i64::try_from(part.c).unwrap_or(i64::MAX);
                    if left < 0 || left >= lo {
                        return Err("a move may leave its heap as it is, or larger".into());
                    }
                    for n in lo..=hi {
                        self.note(n - left, (left, left), &tests)?;
                    }
                }
                [part] if part.n == 1 => {
                    let taken = i64::try_from(-part.c).unwrap_or(i64::MAX);
                    if taken < 1 {
                        return Err("a move may leave its heap as it is, or larger".into());
                    }
                    if lo < taken {
                        return Err("a heap would become negative".into());
                    }
                    let most = if hi == self.bound {
                        i64::from(u32::MAX)
                    } else {
                        hi - taken
                    };
                    self.note(taken, (lo - taken, most), &tests)?;
                }
                [_] => return Err("what is left is a multiple of the heap".into()),
                _ => return Err("a move leaves more than one heap".into()),
            }
        }
        Ok(())
    }

    fn note(&mut self, taken: i64, left: (i64, i64), tests: &[usize]) -> Result<(), Reason> {
        let narrow = |n: i64| u32::try_from(n).unwrap_or(u32::MAX);
        let key = (narrow(left.0), narrow(left.1), tests.to_vec());
        self.entries += 1;
        if self.entries > MOST_AMOUNTS {
            return Err(TOO_MUCH_WORK.into());
        }
        self.amounts.entry(key).or_default().insert(narrow(taken));
        Ok(())
    }

    /// The heaps of 1 to the bound that satisfy all constraints, as intervals. The heap is the only unknown.
    fn intervals(&self, constraints: &[Constraint]) -> Result<Vec<(i64, i64)>, Reason> {
        let (mut lo, mut hi) = (1, i128::from(self.bound));
        let mut without = BTreeSet::new();
        for c in constraints {
            let Linear { n, c: constant, .. } = c.form;
            if n == 0 {
                if !c.holds(1, &[0; super::MAX_UNKNOWNS]) {
                    return Ok(Vec::new());
                }
                continue;
            }
            // The constraint says that n times the heap is at least, equal to, or different from -constant.
            let exact = (constant % n == 0).then(|| -constant / n);
            match c.sign {
                Sign::AtLeast if n > 0 => {
                    lo = lo.max((-constant).div_euclid(n) + i128::from(exact.is_none()))
                }
                Sign::AtLeast => hi = hi.min(constant.div_euclid(-n)),
                Sign::Zero => match exact {
                    Some(at) => (lo, hi) = (lo.max(at), hi.min(at)),
                    None => return Ok(Vec::new()),
                },
                Sign::NotZero => without.extend(exact),
            }
        }
        // Both lie between 1 and the bound, or there is none.
        let (Ok(mut lo), Ok(hi)) = (i64::try_from(lo), i64::try_from(hi)) else {
            return Ok(Vec::new());
        };
        let without = without.into_iter().filter_map(|at| i64::try_from(at).ok());
        let mut found = Vec::new();
        for at in without
            .filter(|at| (lo..=hi).contains(at))
            .collect::<Vec<_>>()
        {
            if lo < at {
                found.push((lo, at - 1));
            }
            lo = at + 1;
        }
        if lo <= hi {
            found.push((lo, hi));
        }
        Ok(found)
    }

    /// Merges amounts that were found separately for every possible heap left.
    fn join(&mut self) {
        let mut left: BTreeMap<u32, i64> = BTreeMap::new();
        let single = |key: &(u32, u32, Vec<usize>)| key.0 == key.1 && key.2.is_empty();
        for (_, taken) in self.amounts.iter().filter(|(key, _)| single(key)) {
            for t in taken {
                *left.entry(*t).or_default() += 1;
            }
        }
        // The heaps left range from 0 to what is left of the largest heap.
        let all = left
            .into_iter()
            .filter(|(t, count)| *count == self.bound - i64::from(*t) + 1);
        let all: BTreeSet<u32> = all.map(|(t, _)| t).collect();
        if all.is_empty() {
            return;
        }
        for (_, taken) in self.amounts.iter_mut().filter(|(key, _)| single(key)) {
            taken.retain(|t| !all.contains(t));
        }
        self.amounts.retain(|_, taken| !taken.is_empty());
        let any = (0, u32::MAX, Vec::new());
        self.amounts.entry(any).or_default().extend(all);
    }

    fn done(mut self) -> Listed {
        self.join();
        let tests = &self.tests;
        let heaps = |numbers: &[usize]| {
            let first = tests.get(*numbers.first()?)?;
            let both = |mut all: Vec<bool>, i: &usize| {
                all.iter_mut().zip(&tests[*i].2).for_each(|(a, b)| *a &= *b);
                all
            };
            Some(numbers.iter().fold(first.2.clone(), both))
        };
        let groups = self
            .amounts
            .iter()
            .map(|((from, to, numbers), taken)| Group {
                taken: taken.iter().copied().collect(),
                left: (*from, *to),
                heaps: heaps(numbers),
            });
        Listed {
            groups: groups.collect(),
            bound: u32::try_from(self.bound).unwrap_or(u32::MAX),
        }
    }
}
