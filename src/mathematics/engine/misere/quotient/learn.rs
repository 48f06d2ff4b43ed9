//! Finds a misère quotient, part by part.
//!
//! The P-positions are a set of words in commuting letters, and Q is its syntactic monoid. Let Q be known for the parts so
//! far, and let h be the next part. If an element x of Q meets the two conditions as Φ(h), then Φ(h) = x. Otherwise, for j
//! = 0, 1, 2, .., let F(j) be the set of words of old parts that are P-positions beside j copies of h. A word lies in F(j)
//! if no move in a copy leads to F(j - 1) and no move in an old part leads to F(j). A monoid M(j) that recognizes F(0), ..,
//! F(j), with marks for each, is found from M(j - 1) by `level`. Once F(j) = F(i) for some i < j, F(j + m) = F(i + m) for
//! all m, since each set determines the next. So M(j) with the numbers 0, .., j - 1, where j stands for i, recognizes the
//! P-positions of all sums. Q is this monoid after merging indistinguishable elements (Myhill and Nerode). Finally the two
//! conditions are checked for Q itself.
//!
//! If Q is finite, F(0), F(1), .. repeat and each M(j) is a homomorphic image of a submonoid of Q, so the search ends.
//! Whether Q is finite is not known beforehand, so there are limits. Now and then `graded` tries to prove from the F(j) so
//! far, or from a part of the next one, that Q is infinite. The outcomes that it learns on the way speed up the search.

use super::super::{Closed, Word, sum};
use super::Quotient;
use super::check::Conditions;
use super::graded::{Beside, Graded, Sums, Weighed};
use super::level::{Level, Search};
use super::monoid::{Bits, Monoid, products, refined, weigh};
use super::oracle::{Options, Oracle};
use crate::game::{Budget, Limit};
use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The limits of a search for a quotient.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// The greatest order of a quotient; [`Learner::new`] lowers it to 1310.
    pub order: usize,
    /// Bytes for the memo table of outcomes of sums.
    pub memory: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            order: 2000,
            memory: 1 << 28,
        }
    }
}

/// Why no more parts were added. The quotient of the parts before remains.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unknown {
    /// A limit of the run.
    Limit(Limit),
    /// The quotient has more elements than this limit.
    Order(usize),
    /// The search needs more states, elements times copies of the next part, than this limit.
    States(usize),
    /// The quotient is infinite: [`Learner::infinite`] is the proof.
    Infinite,
}

impl From<Limit> for Unknown {
    fn from(limit: Limit) -> Unknown {
        Unknown::Limit(limit)
    }
}

/// The number of states (elements times copies of the new part) is at most this many times the greatest order.
const TRIAL: usize = 50;

/// The numbers of copies of the new part at which the quotient may be found to be infinite.
const LOOKED_AT: [usize; 7] = [10, 14, 20, 28, 40, 56, 80];

/// The number of sums after whose solution a search beside some number of copies is interrupted for the first time, to look
/// whether the quotient is infinite; then it goes on with four times as many.
const FIRST_EFFORT: usize = 1 << 14;

/// The quotient of the parts added so far.
#[derive(Clone)]
pub struct Learner {
    quotient: Quotient,
    conditions: Conditions,
    /// For each set of products of options, the element of the part that had it.
    seen: HashMap<Bits, u16, FxBuildHasher>,
    options: Options,
    limits: Limits,
    /// The parts at which the quotient changed.
    grown: Vec<u32>,
    infinite: Option<Graded>,
}

impl std::fmt::Debug for Learner {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Learner")
            .field("order", &self.quotient.order())
            .field("parts", &self.quotient.parts())
            .finish_non_exhaustive()
    }
}

impl Learner {
    /// A learner without parts.
    #[must_use]
    pub fn new(limits: Limits) -> Learner {
        let quotient = Quotient::trivial();
        Learner {
            conditions: Conditions::of(&quotient),
            quotient,
            seen: HashMap::default(),
            options: Options::default(),
            limits: Limits {
                order: limits.order.min(usize::from(u16::MAX) / TRIAL),
                ..limits
            },
            grown: Vec::new(),
            infinite: None,
        }
    }

    /// The quotient of the parts so far, proven.
    #[must_use]
    pub fn quotient(&self) -> &Quotient {
        &self.quotient
    }

    /// The parts at which the quotient changed.
    #[must_use]
    pub fn grown(&self) -> &[u32] {
        &self.grown
    }

    /// The outcomes of all sums of the parts so far and the next one, if these show that the quotient is infinite. It is
    /// infinite for all further parts, too.
    #[must_use]
    pub fn infinite(&self) -> Option<&Graded> {
        self.infinite.as_ref()
    }

    /// For each element the maximal sets of the check of (N), which a certificate lists.
    #[must_use]
    pub fn greatest(&self) -> Vec<(u16, Vec<u16>)> {
        self.conditions.greatest()
    }

    /// Adds all parts of a closed set.
    ///
    /// # Errors
    /// Why the remaining parts could not be added.
    pub fn take_all<C: Closed + ?Sized>(
        &mut self,
        closed: &C,
        budget: &Budget,
    ) -> Result<(), Unknown> {
        while self.quotient.parts() < closed.len() {
            self.take(closed, budget)?;
        }
        Ok(())
    }

    /// Adds the next part.
    ///
    /// # Errors
    /// Why the part could not be added; nothing has changed then.
    pub fn take<C: Closed + ?Sized>(&mut self, closed: &C, budget: &Budget) -> Result<(), Unknown> {
        let part = self.quotient.parts() as u32;
        budget.charge()?;
        if self.infinite.is_some() {
            return Err(Unknown::Infinite);
        }
        if !closed.has_options(part) {
            self.quotient.monoid.phi.push(0);
            return Ok(());
        }
        let q = &self.quotient.monoid;
        let options = q.options_of(closed, part);
        // The conditions depend on the pair (Φ, T) only.
        if let Some(x) = self.seen.get(&options) {
            self.quotient.monoid.phi.push(*x);
            return Ok(());
        }
        for x in 0..q.order() as u16 {
            if self.conditions.clashes(x, &options) {
                continue;
            }
            let mut conditions = self.conditions.clone();
            let weight = |w: &[u32]| w.len() as u64;
            let none = &mut |_| Word::new();
            if conditions
                .add(q, (part, x, &options), none, &weight, budget)?
                .is_ok()
            {
                self.conditions = conditions;
                self.seen.insert(options, x);
                self.quotient.monoid.phi.push(x);
                return Ok(());
            }
        }
        self.learn(closed, part, budget)?;
        self.grown.push(part);
        Ok(())
    }

    /// Finds a new quotient for the parts so far and the next one.
    fn learn<C: Closed + ?Sized>(
        &mut self,
        closed: &C,
        part: u32,
        budget: &Budget,
    ) -> Result<(), Unknown> {
        let parts: Vec<u32> = (0..part).filter(|p| closed.has_options(*p)).collect();
        let most = self.limits.order * TRIAL;
        let mut monoid = self.quotient.monoid.clone();
        let mut marks: Vec<Vec<bool>> = vec![self.quotient.in_p.clone()];
        let back = loop {
            let of_options = monoid.options_of(closed, part).list();
            let last = &marks[marks.len() - 1];
            let settled: Vec<Option<bool>> = (0..monoid.order() as u16)
                .map(|x| {
                    let by = |t: &u16| last[usize::from(monoid.times(x, *t))];
                    of_options.iter().any(by).then_some(false)
                })
                .collect();
            let mut oracle = Oracle::new(
                closed,
                (&monoid, &settled),
                &mut self.options,
                budget,
                self.limits.memory,
            );
            let room = most / (marks.len() + 1);
            let room = room.min(self.limits.order);
            let mut search = Search::new(&mut oracle, &parts);
            let mut effort = FIRST_EFFORT;
            let level = loop {
                let found = search.level(room, effort).map_err(|why| match why {
                    Unknown::Order(n) if n < self.limits.order => Unknown::States(most),
                    why => why,
                })?;
                if let Some(level) = found {
                    break level;
                }
                let beside = Beside {
                    closed,
                    monoid: &monoid,
                    marks: &marks,
                    settled: &settled,
                    new: part,
                    parts: search.reached(),
                    memory: self.limits.memory,
                };
                match beside.find(effort, budget)? {
                    Weighed::Infinite(graded) => {
                        self.infinite = Some(graded);
                        return Err(Unknown::Infinite);
                    }
                    Weighed::Known(weighed) => search.know(weighed),
                }
                effort = effort.saturating_mul(4);
            };
            let Level {
                monoid: finer,
                base,
                marks: new,
            } = level;
            for marks in &mut marks {
                *marks = base.iter().map(|x| marks[usize::from(*x)]).collect();
            }
            monoid = finer;
            if let Some(i) = marks.iter().position(|m| *m == new) {
                break i;
            }
            marks.push(new);
            if LOOKED_AT.contains(&(marks.len() - 1)) {
                let sums = Sums::beside_copies(&monoid, &marks, part);
                self.infinite = sums.find(closed, budget)?;
                if self.infinite.is_some() {
                    return Err(Unknown::Infinite);
                }
            }
        };
        self.reduce(closed, part, (monoid, marks, back), budget)
    }

    /// Builds the quotient from a monoid for the old parts. Its marks say which sums are P-positions beside 0, 1, ..,
    /// `marks.len()` - 1 copies of the new part; one copy more stands for `back` copies.
    fn reduce<C: Closed + ?Sized>(
        &mut self,
        closed: &C,
        part: u32,
        (monoid, marks, back): (Monoid, Vec<Vec<bool>>, usize),
        budget: &Budget,
    ) -> Result<(), Unknown> {
        let (n, copies) = (monoid.order(), marks.len());
        let state = |x: usize, j: usize| j * n + x;
        // The action of each part, one old part for each element; the new part comes last.
        let mut actors: Vec<(u32, u16)> = Vec::new();
        for p in 0..part {
            let x = monoid.phi.get(p as usize).copied().unwrap_or(0);
            if closed.has_options(p) && actors.iter().all(|(_, y)| *y != x) {
                actors.push((p, x));
            }
        }
        let act = |s: usize, by: usize| -> usize {
            let (x, j) = (s % n, s / n);
            match actors.get(by) {
                Some((_, y)) => state(usize::from(monoid.times(x as u16, *y)), j),
                None if j + 1 == copies => state(x, back),
                None => state(x, j + 1),
            }
        };
        let first = (0..n * copies).map(|s| u32::from(marks[s / n][s % n]));
        let (class, classes) = refined(first.collect(), actors.len() + 1, &act, budget)?;
        if classes > self.limits.order {
            return Err(Unknown::Order(self.limits.order));
        }
        let mut member = vec![0; classes];
        for (s, c) in class.iter().enumerate().rev() {
            member[*c as usize] = s;
        }
        let act = |c: u32, by: usize| class[act(member[c as usize], by)];
        let of_actor = |by: usize| actors.get(by).map_or(part, |a| a.0);
        // The least word of each class.
        let mut words: Vec<Word> = Vec::new();
        let mut element = vec![None; classes];
        let mut order = Vec::new();
        let mut waiting: BinaryHeap<Reverse<(u64, Word, u32)>> = BinaryHeap::new();
        waiting.push(Reverse((0, Word::new(), class[state(0, 0)])));
        while let Some(Reverse((_, word, c))) = waiting.pop() {
            if element[c as usize].is_some() {
                continue;
            }
            element[c as usize] = Some(words.len() as u16);
            order.push(c);
            for by in 0..=actors.len() {
                budget.charge()?;
                let to = act(c, by);
                if element[to as usize].is_none() {
                    let next = sum(&word, &[of_actor(by)]);
                    waiting.push(Reverse((weigh(closed, &next), next, to)));
                }
            }
            words.push(word);
        }
        let mut generators: Vec<u32> = words
            .iter()
            .filter(|w| w.len() == 1)
            .map(|w| w[0])
            .collect();
        generators.sort_unstable();
        let to = |c: &u32| {
            let by = |by| element[act(*c, by) as usize].unwrap_or(0);
            (0..=actors.len()).map(by).collect()
        };
        let actions: Vec<Vec<u16>> = order.iter().map(to).collect();
        let in_p = order
            .iter()
            .map(|c| {
                let s = member[*c as usize];
                marks[s / monoid.order()][s % monoid.order()]
            })
            .collect();
        let one = order[0];
        let phi = (0..=part)
            .map(|p| {
                if !closed.has_options(p) {
                    return 0;
                }
                let x = monoid.phi.get(p as usize).copied().unwrap_or(0);
                let by = match p == part {
                    true => None,
                    false => actors.iter().position(|(_, y)| *y == x),
                };
                let c = act(one, by.unwrap_or(actors.len()));
                element[c as usize].unwrap_or(0)
            })
            .collect();
        let quotient = Quotient {
            monoid: Monoid {
                words,
                table: products(&actions),
                phi,
                generators,
            },
            in_p,
        };
        self.prove(closed, quotient, budget)
    }

    /// Checks the two conditions for a quotient of all its parts, and stores it.
    fn prove<C: Closed + ?Sized>(
        &mut self,
        closed: &C,
        quotient: Quotient,
        budget: &Budget,
    ) -> Result<(), Unknown> {
        let q = &quotient.monoid;
        let mut conditions = Conditions::of(&quotient);
        let mut seen: HashMap<Bits, u16, FxBuildHasher> = HashMap::default();
        for part in 0..q.phi.len() as u32 {
            if !closed.has_options(part) {
                continue;
            }
            let x = q.phi[part as usize];
            let options = q.options_of(closed, part);
            let weight = |w: &[u32]| w.len() as u64;
            let none = &mut |_| Word::new();
            if conditions
                .add(q, (part, x, &options), none, &weight, budget)?
                .is_err()
            {
                // The theorem excludes this case. If it occurs, the quotient remains unknown.
                return Err(Unknown::Limit(Limit::Nodes));
            }
            seen.entry(options).or_insert(x);
        }
        (self.quotient, self.conditions, self.seen) = (quotient, conditions, seen);
        Ok(())
    }
}
