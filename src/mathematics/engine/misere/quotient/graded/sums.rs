//! Guesses the degrees of parts. Input: the outcomes of many sums, as an automaton. Output: a description that is infinite
//! and meets the conditions (`described`), or nothing.
//!
//! *Degrees.* Two sums are alike if the outcomes agree beside all known sums. Let g and h be parts. Suppose that g^a h^b,
//! beside some powers of g and h, is alike to these powers, but g^a alone is not. Then outcomes depend on a difference of
//! the numbers of g's and h's: d(g) : d(h) = b : -a. The degree of another part is found in the same way, beside the same
//! powers. It is 0 if beside this part g makes no difference.
//!
//! *Relations* between short sums that are alike and have equal degrees present the monoid R.

use super::super::super::{Closed, Word};
use super::super::monoid::Monoid;
use super::presented::{Exponents, divides};
use super::{Graded, powers};
use crate::game::{Budget, Limit};
use hashbrown::HashSet;
use num_integer::lcm;
use rustc_hash::FxBuildHasher;
use std::collections::VecDeque;

/// What no known sum leads to.
pub(super) const BEYOND: u32 = u32::MAX;
/// Two states are alike only if they lead to so many pairs of states with the same outcomes ..
const EVIDENCE: usize = 30;
/// .. and after so many pairs they are not compared any further.
const MOST_PAIRS: usize = 20_000;
/// The numbers of g and of h beside which parts are compared; the first that is known for two parts is taken.
const BESIDE: [u32; 4] = [6, 3, 2, 1];
/// The greatest number of copies of a part whose degree is sought, and of g with which they are compared.
const MOST_POWERS: u32 = 8;
/// The greatest a + b for powers g^a and h^b that are weighed against each other.
const MOST_WEIGHED: u32 = 6;
/// The greatest length of a word in a relation.
const LONGEST_WORD: usize = 6;
/// The number of words after which no longer ones are looked at.
const MOST_WORDS: usize = 1500;

/// How the copies of the new part count.
pub(super) enum Copies<'s> {
    /// The new part is the last letter.
    Counted,
    /// The states are beside as many copies as there are lists of marks: which elements of the monoid are P-positions
    /// beside 0, 1, .. copies. Sums with more copies are not described.
    Fixed {
        monoid: &'s Monoid,
        marks: &'s [Vec<bool>],
    },
}

/// The outcomes of many sums: words in letters, which are parts, lead from state 0 to other states.
pub(in super::super) struct Sums<'s> {
    pub(super) letters: Vec<u32>,
    /// For each state the states that the letters lead to, or [`BEYOND`].
    pub(super) acts: Vec<Vec<u32>>,
    pub(super) is_p: Vec<bool>,
    /// Each old part as a word in the letters; `None` if it is not described beside all copies.
    pub(super) of_part: Vec<Option<Word>>,
    pub(super) new: u32,
    pub(super) copies: Copies<'s>,
}

/// Integers for the letters, and the periods of their powers.
pub(super) struct Degrees {
    pub of: Vec<i64>,
    pub periods: Vec<u32>,
}

impl<'s> Sums<'s> {
    /// Sums of old parts beside 0 to J copies of a new part. The monoid recognizes the words beside each number of copies;
    /// the marks are its P-positions.
    pub(in super::super) fn beside_copies(m: &Monoid, marks: &[Vec<bool>], new: u32) -> Sums<'s> {
        let (n, numbers) = (m.order(), marks.len());
        let mut acts = Vec::with_capacity(n * numbers);
        for j in 0..numbers {
            for x in 0..n as u16 {
                let by = |l: &u32| (j * n) as u32 + u32::from(m.times(x, m.phi[*l as usize]));
                let mut row: Vec<u32> = m.generators.iter().map(by).collect();
                row.push(match j + 1 < numbers {
                    true => ((j + 1) * n) as u32 + u32::from(x),
                    false => BEYOND,
                });
                acts.push(row);
            }
        }
        let of = |p: u32| m.phi.get(p as usize).map_or(0, |x| usize::from(*x));
        let mut letters = m.generators.clone();
        letters.push(new);
        Sums {
            letters,
            acts,
            is_p: marks.concat(),
            of_part: (0..new).map(|p| Some(m.words[of(p)].clone())).collect(),
            new,
            copies: Copies::Counted,
        }
    }

    /// Proves that the quotient is infinite, if the outcomes suggest it.
    ///
    /// # Errors
    /// A limit.
    pub(in super::super) fn find<C: Closed + ?Sized>(
        &self,
        closed: &C,
        budget: &Budget,
    ) -> Result<Option<Graded>, Limit> {
        for of in self.degrees(budget)? {
            let relations = self.relations(&of, budget)?;
            for modulus in [1, 2] {
                let period = |l| self.period(l).unwrap_or(modulus);
                let d = Degrees {
                    periods: (0..of.len()).map(period).collect(),
                    of: of.clone(),
                };
                for limit in [1, 2, 3, 4, 6, 8] {
                    for graded in self.described(&d, &relations, limit, budget)? {
                        if graded.is_infinite() && graded.holds(closed, budget)? {
                            return Ok(Some(graded));
                        }
                    }
                }
            }
        }
        Ok(None)
    }

    /// The state that n copies of a letter lead to.
    fn power(&self, from: u32, letter: usize, n: u32) -> u32 {
        let step = |s: u32, _| match s {
            BEYOND => BEYOND,
            s => self.acts[s as usize][letter],
        };
        (0..n).fold(from, step)
    }

    /// The period of the powers of a letter; `None` if those from some on are beyond what is known.
    fn period(&self, letter: usize) -> Option<u32> {
        let all = self.acts.len() as u32;
        if self.power(0, letter, all) == BEYOND {
            return None;
        }
        let (_, period) = powers(|s: u32| self.acts[s as usize][letter]);
        Some(period as u32)
    }

    /// Whether two sums are alike.
    fn alike(&self, a: u32, b: u32, budget: &Budget) -> Result<bool, Limit> {
        if a == BEYOND || b == BEYOND {
            return Ok(false);
        }
        let mut met: HashSet<(u32, u32), FxBuildHasher> = HashSet::default();
        let mut waiting = VecDeque::from([(a, b)]);
        while let Some((x, y)) = waiting.pop_front() {
            budget.charge()?;
            if self.is_p[x as usize] != self.is_p[y as usize] {
                return Ok(false);
            }
            let next = self.acts[x as usize].iter().zip(&self.acts[y as usize]);
            for (x, y) in next.filter(|(x, y)| x != y && **x != BEYOND && **y != BEYOND) {
                if met.len() < MOST_PAIRS && met.insert((*x, *y)) {
                    waiting.push_back((*x, *y));
                }
            }
        }
        Ok(a == b || met.len() >= EVIDENCE)
    }

    /// Degrees of the letters, for each two letters that are weighed against each other.
    fn degrees(&self, budget: &Budget) -> Result<Vec<Vec<i64>>, Limit> {
        let mut all: Vec<Vec<i64>> = Vec::new();
        for beside in BESIDE {
            for h in 0..self.letters.len() {
                for g in 0..h {
                    let start = self.power(self.power(0, g, beside), h, beside);
                    let Some((a, b)) = self.weighed(start, (g, h), budget)? else {
                        continue;
                    };
                    let mut fractions = Vec::new();
                    for l in 0..self.letters.len() {
                        let of = match l {
                            l if l == g => Some((1, 1)),
                            l if l == h => Some((-i64::from(a), i64::from(b))),
                            l => self.compared(start, l, (g, a), budget)?,
                        };
                        fractions.extend(of);
                    }
                    if fractions.len() < self.letters.len() {
                        continue;
                    }
                    let scale = fractions.iter().fold(1, |s, (_, n)| lcm(s, *n));
                    let of: Vec<i64> = fractions.iter().map(|(e, n)| e * scale / n).collect();
                    if !all.contains(&of) {
                        all.push(of);
                    }
                }
            }
            if !all.is_empty() {
                break;
            }
        }
        Ok(all)
    }

    /// The least a and b for which a of the first letter and b of the second cancel each other, if a alone do not.
    fn weighed(
        &self,
        start: u32,
        (g, h): (usize, usize),
        budget: &Budget,
    ) -> Result<Option<(u32, u32)>, Limit> {
        for total in 2..=MOST_WEIGHED {
            for a in 1..total {
                let (once, twice) = (self.power(start, g, a), self.power(start, g, 2 * a));
                if self.alike(start, self.power(once, h, total - a), budget)? {
                    let alone = self.alike(start, once, budget)?
                        || self.alike(start, twice, budget)?
                        || self.alike(once, twice, budget)?;
                    return Ok((!alone).then_some((a, total - a)));
                }
            }
        }
        Ok(None)
    }

    /// The degree of a letter as a fraction of that of g: (e, n) if n copies of it are worth e of g.
    fn compared(
        &self,
        start: u32,
        letter: usize,
        (g, a): (usize, u32),
        budget: &Budget,
    ) -> Result<Option<(i64, i64)>, Limit> {
        let mut line = vec![start];
        for k in 1..=MOST_POWERS {
            let with = self.power(start, letter, k);
            if with == BEYOND {
                break;
            }
            for more in [a, 2 * a] {
                if self.alike(with, self.power(with, g, more), budget)? {
                    return Ok(Some((0, 1)));
                }
            }
            for (n, before) in (1..).zip(line.iter().rev()) {
                for e in 0..=MOST_POWERS {
                    if self.alike(with, self.power(*before, g, e), budget)? {
                        return Ok(Some((i64::from(e), n)));
                    }
                    if self.alike(self.power(with, g, e), *before, budget)? {
                        return Ok(Some((-i64::from(e), n)));
                    }
                }
            }
            line.push(with);
        }
        Ok(None)
    }

    /// Relations between short words that are alike and have equal degrees.
    fn relations(&self, of: &[i64], budget: &Budget) -> Result<Vec<(Exponents, Exponents)>, Limit> {
        let degree = |w: &[u32]| -> i64 { w.iter().zip(of).map(|(n, e)| i64::from(*n) * e).sum() };
        let mut kept: Vec<(Exponents, u32)> = vec![(vec![0; of.len()], 0)];
        let mut found: Vec<(Exponents, Exponents)> = Vec::new();
        let mut from = 0;
        for _ in 0..LONGEST_WORD {
            let to = kept.len();
            let mut longer: Vec<(Exponents, u32)> = Vec::new();
            for (word, state) in &kept[from..to] {
                for (l, next) in self.acts[*state as usize].iter().enumerate() {
                    let mut word = word.clone();
                    word[l] += 1;
                    longer.push((word, *next));
                }
            }
            longer.sort_unstable();
            longer.dedup();
            for (word, state) in longer {
                if state == BEYOND || found.iter().any(|(left, _)| divides(left, &word)) {
                    continue;
                }
                let mut same = None;
                for (shorter, other) in &kept {
                    if degree(shorter) == degree(&word) && self.alike(state, *other, budget)? {
                        same = Some(shorter.clone());
                        break;
                    }
                }
                match same {
                    Some(shorter) => found.push((word, shorter)),
                    None => kept.push((word, state)),
                }
            }
            from = to;
            if kept.len() > MOST_WORDS {
                break;
            }
        }
        Ok(found)
    }
}
