//! Builds descriptions of all outcomes from degrees and relations. Input: the known sums (`sums`). Output: descriptions, for
//! [`Graded::holds`] to check.
//!
//! *The monoid R* is presented by the relations and by a^n = a^(n + p) for each part a with a degree, where n is a limit
//! that is tried and p the period of the powers of a. If the number of copies of the new part is fixed, R counts them, each
//! element comes with the element beside fewer copies, and sums with more copies are left out. So are sums with all copies
//! and a part that is described beside fewer copies only.
//!
//! *The sets* are read from all known sums with an element and a degree; two that contradict each other refuse the guess.

use super::super::monoid::{products, reached, refined};
use super::presented::{Exponents, presented};
use super::sums::{BEYOND, Copies, Degrees, Sums};
use super::{Graded, place};
use crate::game::{Budget, Limit};
use hashbrown::{HashMap, HashSet};
use num_integer::lcm;
use rustc_hash::FxBuildHasher;

/// The most degrees that are listed on each side.
const MOST_DEGREES: i64 = 64;
/// Sums with degrees up to this are looked at.
const WIDEST: i64 = 3 * MOST_DEGREES;
/// The greatest order of R before equivalent elements are merged.
const MOST_ELEMENTS: usize = 1 << 12;
/// The most triples of an element, a degree and a state that are visited.
const MOST_TRIPLES: usize = 1 << 21;

/// For each element the outcome at each degree from -WIDEST on, if it is known.
type Known = Vec<Vec<Option<bool>>>;

/// The elements beside all copies.
struct Elements<'e> {
    /// Each as an element of what is presented, and the element beside fewer copies.
    pairs: &'e [(usize, u16)],
    /// Where the letters lead.
    by: &'e [Vec<usize>],
    sets: Vec<Vec<bool>>,
}

/// An element of R before equivalent ones are merged.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Place {
    /// One of [`Elements`], beside a number of copies.
    Described(usize, usize),
    /// An element of the monoid beside fewer copies, and the number of copies.
    BesideFewer(u16, usize),
    LeftOut,
}

/// What a part is made of.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Letter {
    /// One of the letters of the sums.
    Described(usize),
    /// A part that is described beside fewer copies only.
    Undescribed(u32),
    /// The new part, where its copies are fixed.
    New,
}

impl Sums<'_> {
    /// Descriptions in which the powers of parts with degrees are equal from `limit` on, in classes modulo their periods.
    pub(super) fn described(
        &self,
        d: &Degrees,
        relations: &[(Exponents, Exponents)],
        limit: u32,
        budget: &Budget,
    ) -> Result<Vec<Graded>, Limit> {
        let letters = self.letters.len();
        let mut relations = relations.to_vec();
        for l in (0..letters).filter(|l| d.of[*l] != 0) {
            let power = |n: u32| (0..letters).map(|k| if k == l { n } else { 0 }).collect();
            relations.push((power(limit + d.periods[l]), power(limit)));
        }
        let Some(by) = presented(letters, &relations, MOST_ELEMENTS, budget)? else {
            return Ok(Vec::new());
        };
        // Beside a fixed number of copies, elements come with the element beside fewer.
        let pair = |(r, x): &(usize, u16), l: usize| (by[*r][l], self.times(*x, self.letters[l]));
        let Some((pairs, by)) = reached((0, 0), letters, &pair, MOST_ELEMENTS, budget)? else {
            return Ok(Vec::new());
        };
        let Some(known) = self.known(&d.of, &by, budget)? else {
            return Ok(Vec::new());
        };
        let with_degree = d.of.iter().zip(&d.periods).filter(|(e, _)| **e != 0);
        let period = with_degree.fold(1, |all, (e, p)| lcm(all, e.abs() * i64::from(*p)));
        let mut bounds: Vec<i64> = Vec::new();
        for seen in [2, 1] {
            for least in 1..=MOST_DEGREES.min(WIDEST - period) {
                budget.check()?;
                if repeats(&known, (least, period), seen) {
                    bounds.extend([least, least + period, 2 * (least + period)]);
                    break;
                }
            }
        }
        bounds.retain(|b| b + period <= WIDEST);
        bounds.dedup();
        let mut found = Vec::new();
        for bound in bounds {
            let r = Elements {
                pairs: &pairs,
                by: &by,
                sets: read(&known, (bound, period)),
            };
            found.extend(self.graded(d, &r, (bound, period), budget)?);
        }
        Ok(found)
    }

    /// What is known of each element of R; `None` if two sums contradict each other.
    fn known(
        &self,
        of: &[i64],
        by: &[Vec<usize>],
        budget: &Budget,
    ) -> Result<Option<Known>, Limit> {
        let mut known = vec![vec![None; 2 * WIDEST as usize]; by.len()];
        let mut met: HashSet<(usize, i64, u32), FxBuildHasher> = HashSet::default();
        let mut waiting = vec![(0, 0, 0)];
        met.insert((0, 0, 0));
        while let Some((r, degree, state)) = waiting.pop() {
            budget.charge()?;
            let is_p = self.is_p[state as usize];
            let entry = &mut known[r][(degree + WIDEST) as usize];
            if *entry.get_or_insert(is_p) != is_p || met.len() > MOST_TRIPLES {
                return Ok(None);
            }
            for (l, e) in of.iter().enumerate() {
                let next = (by[r][l], degree + e, self.acts[state as usize][l]);
                let near = (-WIDEST..WIDEST).contains(&next.1);
                if near && next.2 != BEYOND && met.insert(next) {
                    waiting.push(next);
                }
            }
        }
        Ok(Some(known))
    }

    /// The number of copies that is fixed; 0 if they are counted.
    fn fixed(&self) -> usize {
        match &self.copies {
            Copies::Counted => 0,
            Copies::Fixed { marks, .. } => marks.len(),
        }
    }

    /// The element beside fewer copies after one part more; 0 if the copies are counted.
    fn times(&self, x: u16, part: u32) -> u16 {
        match &self.copies {
            Copies::Counted => 0,
            Copies::Fixed { monoid, .. } => monoid.times(x, monoid.phi[part as usize]),
        }
    }

    /// The description, after elements are merged that have the same sets beside all words. `None` if there are too many.
    fn graded(
        &self,
        d: &Degrees,
        r: &Elements<'_>,
        (bound, period): (i64, i64),
        budget: &Budget,
    ) -> Result<Option<Graded>, Limit> {
        let parts = self.parts();
        let mut words = parts.clone();
        words.sort_unstable();
        words.dedup();
        // The letters act on all elements, but only sums of parts are described.
        let act =
            |from: &Place, w: usize| words[w].iter().fold(*from, |at, l| self.after(at, *l, r));
        let first = Place::Described(0, 0);
        let Some((met, acts)) = reached(first, words.len(), &act, MOST_ELEMENTS, budget)? else {
            return Ok(None);
        };
        let sets: Vec<Option<Vec<bool>>> = met.iter().map(|at| self.set(*at, r)).collect();
        let mut numbers: HashMap<&Option<Vec<bool>>, u32, FxBuildHasher> = HashMap::default();
        let mut by_set = Vec::with_capacity(sets.len());
        for set in &sets {
            let next = numbers.len() as u32;
            by_set.push(*numbers.entry(set).or_insert(next));
        }
        let (class, classes) = refined(by_set, words.len(), &|x, by| acts[x][by], budget)?;
        let mut member = vec![0; classes];
        for (x, c) in class.iter().enumerate().rev() {
            member[*c as usize] = x;
        }
        let to = |x: &usize| acts[*x].iter().map(|to| class[*to] as u16).collect();
        let actions: Vec<Vec<u16>> = member.iter().map(to).collect();
        let of = |word: &Vec<Letter>| {
            let element = words.binary_search(word).map_or(0, |w| actions[0][w]);
            let degree = |l: &Letter| match l {
                Letter::Described(l) => d.of[*l],
                Letter::Undescribed(_) | Letter::New => 0,
            };
            (element, word.iter().map(degree).sum())
        };
        let with = |sign: i64| d.of.iter().position(|e| e.signum() == sign);
        let (Some(g), Some(h)) = (with(1), with(-1)) else {
            return Ok(None);
        };
        let left_out = member.iter().position(|x| sets[*x].is_none());
        let nothing = vec![false; 2 * (bound + period) as usize];
        let set = |x: &usize| sets[*x].clone().unwrap_or_else(|| nothing.clone());
        Ok(Some(Graded {
            table: products(&actions),
            order: member.len(),
            phi: parts.iter().map(of).collect(),
            bound,
            period,
            left_out: left_out.map(|x| x as u16),
            sets: member.iter().map(set).collect(),
            pair: (self.letters[g], self.letters[h]),
        }))
    }

    /// Each part as a word in letters.
    fn parts(&self) -> Vec<Vec<Letter>> {
        let place = |p: &u32| self.letters.iter().position(|l| l == p);
        let described = |word: &[u32]| {
            let places = word.iter().filter_map(place);
            places.map(Letter::Described).collect()
        };
        let beside_fewer = |part: usize| match &self.copies {
            Copies::Counted => Vec::new(),
            Copies::Fixed { monoid, .. } => {
                let word = &monoid.words[usize::from(monoid.phi[part])];
                word.iter().map(|p| Letter::Undescribed(*p)).collect()
            }
        };
        let old = self.of_part.iter().enumerate().map(|(p, word)| match word {
            Some(word) => described(word),
            None => beside_fewer(p),
        });
        let new = match self.copies {
            Copies::Counted => described(&[self.new]),
            Copies::Fixed { .. } => vec![Letter::New],
        };
        old.chain([new]).collect()
    }

    fn after(&self, from: Place, letter: Letter, r: &Elements<'_>) -> Place {
        let fewer = |x, j| match j < self.fixed() {
            true => Place::BesideFewer(x, j),
            false => Place::LeftOut,
        };
        match (from, letter) {
            (Place::LeftOut, _) => Place::LeftOut,
            (Place::Described(x, j), Letter::Described(l)) => Place::Described(r.by[x][l], j),
            (Place::Described(x, j), Letter::Undescribed(p)) => {
                fewer(self.times(r.pairs[x].1, p), j)
            }
            (Place::Described(x, j), Letter::New) if j < self.fixed() => Place::Described(x, j + 1),
            (Place::Described(..), Letter::New) => Place::LeftOut,
            (Place::BesideFewer(x, j), Letter::Described(l)) => {
                fewer(self.times(x, self.letters[l]), j)
            }
            (Place::BesideFewer(x, j), Letter::Undescribed(p)) => fewer(self.times(x, p), j),
            (Place::BesideFewer(x, j), Letter::New) => fewer(x, j + 1),
        }
    }

    /// The set of an element; `None` if its sums are left out.
    fn set(&self, at: Place, r: &Elements<'_>) -> Option<Vec<bool>> {
        let (x, j) = match at {
            Place::Described(x, j) => (r.pairs[x].1, j),
            Place::BesideFewer(x, j) => (x, j),
            Place::LeftOut => return None,
        };
        let constant = |is_p: bool| vec![is_p; r.sets[0].len()];
        match (&self.copies, at) {
            (Copies::Fixed { marks, .. }, _) if j < marks.len() => {
                Some(constant(marks[j][usize::from(x)]))
            }
            (_, Place::Described(x, _)) => Some(r.sets[x].clone()),
            _ => None,
        }
    }
}

/// The sets of the elements, continued beyond a bound. Degrees that no known sum has are not in the sets.
fn read(known: &Known, (bound, period): (i64, i64)) -> Vec<Vec<bool>> {
    let set = |row: &Vec<Option<bool>>| {
        let mut set = vec![false; 2 * (bound + period) as usize];
        for (degree, is_p) in (-WIDEST..).zip(row) {
            set[place(degree, bound, period)] |= *is_p == Some(true);
        }
        set
    };
    known.iter().map(set).collect()
}

/// Whether what is known repeats beyond a bound on both sides, with P-positions seen there at least so many times in their
/// class. Sums with an element that few parts lead to have few degrees, and nothing repeats.
fn repeats(known: &Known, (bound, period): (i64, i64), seen: u32) -> bool {
    known.iter().all(|row| {
        let mut far = vec![(None, 0); 2 * period as usize];
        for (d, is_p) in (-WIDEST..).zip(row) {
            if (-bound..bound).contains(&d) || is_p.is_none() {
                continue;
            }
            let side = if d < 0 { period } else { 0 };
            let (before, times) = &mut far[(d.rem_euclid(period) + side) as usize];
            if before.is_some() && *before != *is_p {
                return false;
            }
            (*before, *times) = (*is_p, *times + 1);
        }
        let often = |(is_p, times): &(Option<bool>, u32)| *is_p != Some(true) || *times >= seen;
        far.iter().all(often)
    })
}
