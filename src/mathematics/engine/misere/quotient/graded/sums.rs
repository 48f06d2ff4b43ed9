//! Guesses a description of all outcomes. Input: the outcomes of many sums, as an automaton. Output: a description that is
//! infinite and meets the conditions, or nothing.
//!
//! *Degrees.* Two sums are alike if the outcomes agree beside all known sums. Let g and h be parts. If g^a h^b beside some
//! powers of g and h is alike to these powers, but g^a alone is not, then the numbers of g's and h's are weighed against
//! each other, and outcomes depend on a difference: d(g) : d(h) = b : -a. The degree of another part is found in the same
//! way, beside these powers. It is 0 if beside this part g makes no difference.
//!
//! *The monoid R* is presented by short relations between sums that are alike and have equal degrees, and by a^n = a^(n + p)
//! for each part a with a degree, where n is a limit that is tried and p the period of the powers of a. If the number of
//! copies of the new part is fixed, then R counts them, an element comes with that beside fewer copies, and sums with more
//! copies are left out.
//!
//! *The sets* are read from all known sums with an element and a degree; two that contradict each other refuse the guess.

use super::super::super::{Closed, Word};
use super::super::monoid::{Monoid, products, refined};
use super::presented::{Exponents, presented};
use super::{Graded, place, powers};
use crate::game::{Budget, Limit};
use hashbrown::{HashMap, HashSet};
use num_integer::lcm;
use rustc_hash::FxBuildHasher;
use std::collections::VecDeque;

/// What no known sum leads to.
pub(super) const BEYOND: u32 = u32::MAX;
/// The most degrees that are listed on each side.
const MOST_DEGREES: i64 = 64;
/// Sums with degrees up to this are looked at.
const WIDEST: i64 = 3 * MOST_DEGREES;
/// The greatest order of R before equivalent elements are merged.
const MOST_ELEMENTS: usize = 1 << 12;
/// The most triples of an element, a degree and a state that are visited.
const MOST_TRIPLES: usize = 1 << 21;
/// Two states are alike if the outcomes agree beside at least so many sums; beside the greater number they are not
/// compared any further.
const EVIDENCE: (usize, usize) = (30, 20_000);
/// The numbers of g and of h beside which parts are compared; the first that is known for two parts is taken.
const BESIDE: [u32; 4] = [6, 3, 2, 1];
/// The greatest number of copies of a part whose degree is sought, and of g with which they are compared.
const MOST_POWERS: u32 = 8;
/// The greatest a + b for powers g^a and h^b that are weighed against each other.
const MOST_WEIGHED: u32 = 6;
/// The greatest length of a word in a relation, and the number of words after which no longer ones are looked at.
const MOST_WORDS: (usize, usize) = (6, 1500);

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
struct Degrees {
    of: Vec<i64>,
    periods: Vec<u32>,
}

/// For each element the outcome at each degree from -WIDEST on, if it is known.
type Known = Vec<Vec<Option<bool>>>;

/// Letters that act on the elements of R, before equivalent ones are merged. Element 0 is the identity.
struct Acting<'a> {
    letters: usize,
    act: &'a dyn Fn(usize, usize) -> usize,
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
                if met.len() < EVIDENCE.1 && met.insert((*x, *y)) {
                    waiting.push_back((*x, *y));
                }
            }
        }
        Ok(a == b || met.len() >= EVIDENCE.0)
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
        for _ in 0..MOST_WORDS.0 {
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
                let is_multiple =
                    |(l, _): &(Exponents, _)| l.iter().zip(&word).all(|(a, b)| a <= b);
                if state == BEYOND || found.iter().any(is_multiple) {
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
            if kept.len() > MOST_WORDS.1 {
                break;
            }
        }
        Ok(found)
    }

    /// Descriptions in which the powers of parts with degrees are equal from `limit` on, in classes modulo their periods.
    fn described(
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
        let fewer = |x: u16, l: usize| match self.copies {
            Copies::Counted => 0,
            Copies::Fixed { monoid, .. } => monoid.times(x, monoid.phi[self.letters[l] as usize]),
        };
        let kinds = by.len();
        let pair = |at: usize, l: usize| {
            let (r, x) = (at % kinds, (at / kinds) as u16);
            usize::from(fewer(x, l)) * kinds + by[r][l]
        };
        let acting = Acting {
            letters,
            act: &pair,
        };
        let Some((pairs, by)) = acting.reached() else {
            return Ok(Vec::new());
        };
        let of_fewer: Vec<u16> = pairs.iter().map(|at| (at / kinds) as u16).collect();
        let Some(known) = self.known(&d.of, &by, budget)? else {
            return Ok(Vec::new());
        };
        let with_degree = d.of.iter().zip(&d.periods).filter(|(e, _)| **e != 0);
        let period = with_degree.fold(1, |all, (e, p)| lcm(all, e.abs() * i64::from(*p)));
        let mut bounds: Vec<i64> = Vec::new();
        for seen in [2, 1] {
            let mut all = 1..=MOST_DEGREES.min(WIDEST - period);
            if let Some(least) = all.find(|b| repeats(&known, (*b, period), seen)) {
                bounds.extend([least, least + period, 2 * (least + period)]);
            }
        }
        bounds.retain(|b| b + period <= WIDEST);
        bounds.dedup();
        let mut found = Vec::new();
        for bound in bounds {
            let by = (&by[..], &of_fewer[..]);
            found.extend(self.graded(d, by, (&known, bound, period), budget)?);
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

    /// The description with sets that repeat beyond a bound. Degrees that no known sum has are not in the sets. `None` if
    /// there are too many elements.
    fn graded(
        &self,
        d: &Degrees,
        (by, of_fewer): (&[Vec<usize>], &[u16]),
        (known, bound, period): (&Known, i64, i64),
        budget: &Budget,
    ) -> Result<Option<Graded>, Limit> {
        let size = 2 * (bound + period) as usize;
        let read = |row: &Vec<Option<bool>>| {
            let mut set = vec![false; size];
            for (degree, is_p) in (-WIDEST..).zip(row) {
                set[place(degree, bound, period)] |= *is_p == Some(true);
            }
            set
        };
        let read: Vec<Vec<bool>> = known.iter().map(read).collect();
        let letter = |p: &u32| self.letters.iter().position(|l| l == p);
        let in_letters = |word: &[u32]| word.iter().filter_map(letter).collect::<Vec<usize>>();
        // Each part as a word in what acts.
        let mut words: Vec<Vec<usize>> = Vec::new();
        match &self.copies {
            Copies::Counted => {
                let act = |r: usize, l: usize| by[r][l];
                let acting = Acting {
                    letters: self.letters.len(),
                    act: &act,
                };
                words.extend(
                    self.of_part
                        .iter()
                        .map(|w| in_letters(w.as_deref().unwrap_or(&[]))),
                );
                words.push(in_letters(&[self.new]));
                let set = |r: usize| (false, read[r].clone());
                self.merged(d, &acting, &set, &words, (bound, period), budget)
            }
            Copies::Fixed { monoid, marks } => {
                // First elements of R with a number of copies, then elements of the monoid with fewer copies, which no
                // element of R goes with. Letters come first, then parts that lead to no element of R, then the new part.
                let (kinds, n, copies) = (by.len(), monoid.order(), marks.len());
                let without = kinds * (copies + 1);
                let out = without + n * copies;
                let code = |x: u16, j: usize| match j < copies {
                    true => without + j * n + usize::from(x),
                    false => out,
                };
                let parts = self.letters.len()..self.letters.len() + monoid.generators.len();
                let part = |l: usize| match l < parts.start {
                    true => self.letters[l],
                    false => monoid.generators[l - parts.start],
                };
                let act = |at: usize, l: usize| {
                    let (r, x, j) = match at < without {
                        true => (Some(at % kinds), of_fewer[at % kinds], at / kinds),
                        false => (None, ((at - without) % n) as u16, (at - without) / n),
                    };
                    match (l < parts.end, r) {
                        _ if at == out => out,
                        (false, Some(r)) if j < copies => (j + 1) * kinds + r,
                        (false, _) => code(x, if r.is_some() { copies } else { j + 1 }),
                        (true, Some(r)) if l < parts.start => j * kinds + by[r][l],
                        (true, _) => code(monoid.times(x, monoid.phi[part(l) as usize]), j),
                    }
                };
                let acting = Acting {
                    letters: parts.end + 1,
                    act: &act,
                };
                for (p, word) in self.of_part.iter().enumerate() {
                    words.push(match word {
                        Some(word) => in_letters(word),
                        None => {
                            let word = &monoid.words[usize::from(monoid.phi[p])];
                            let place = |p| monoid.generators.iter().position(|g| g == p);
                            let places = word.iter().filter_map(place);
                            places.map(|i| parts.start + i).collect()
                        }
                    });
                }
                words.push(vec![parts.end]);
                let set = |at: usize| {
                    let (x, j) = match at < without {
                        true => (of_fewer[at % kinds], at / kinds),
                        false => (((at - without) % n) as u16, (at - without) / n),
                    };
                    match marks.get(j) {
                        _ if at == out => (true, vec![false; size]),
                        Some(marks) => (false, vec![marks[usize::from(x)]; size]),
                        None => (false, read[at % kinds].clone()),
                    }
                };
                self.merged(d, &acting, &set, &words, (bound, period), budget)
            }
        }
    }

    /// The description after elements are merged that have the same sets beside all words. `set` says of an element
    /// whether it is left out, and its set.
    fn merged(
        &self,
        d: &Degrees,
        acting: &Acting<'_>,
        set: &dyn Fn(usize) -> (bool, Vec<bool>),
        words: &[Vec<usize>],
        (bound, period): (i64, i64),
        budget: &Budget,
    ) -> Result<Option<Graded>, Limit> {
        // Only elements that sums of parts have.
        let mut distinct = words.to_vec();
        distinct.sort_unstable();
        distinct.dedup();
        let by_part =
            |at: usize, w: usize| distinct[w].iter().fold(at, |at, l| (acting.act)(at, *l));
        let parts = Acting {
            letters: distinct.len(),
            act: &by_part,
        };
        let Some((met, acts)) = parts.reached() else {
            return Ok(None);
        };
        let sets: Vec<(bool, Vec<bool>)> = met.iter().map(|r| set(*r)).collect();
        let mut numbers: HashMap<&(bool, Vec<bool>), u32, FxBuildHasher> = HashMap::default();
        let mut by_set = Vec::with_capacity(sets.len());
        for set in &sets {
            let next = numbers.len() as u32;
            by_set.push(*numbers.entry(set).or_insert(next));
        }
        let (class, classes) = refined(by_set, parts.letters, &|r, by| acts[r][by], budget)?;
        let mut member = vec![0; classes];
        for (r, c) in class.iter().enumerate().rev() {
            member[*c as usize] = r;
        }
        let to = |r: &usize| acts[*r].iter().map(|to| class[*to] as u16).collect();
        let actions: Vec<Vec<u16>> = member.iter().map(to).collect();
        let of = |word: &Vec<usize>| {
            let element = distinct.binary_search(word).map_or(0, |w| actions[0][w]);
            let degrees = word.iter().filter_map(|l| d.of.get(*l));
            (element, degrees.sum())
        };
        let with = |sign: i64| d.of.iter().position(|e| e.signum() == sign);
        let (Some(g), Some(h)) = (with(1), with(-1)) else {
            return Ok(None);
        };
        let left_out = member.iter().position(|r| sets[*r].0);
        Ok(Some(Graded {
            table: products(&actions),
            order: member.len(),
            phi: words.iter().map(of).collect(),
            bound,
            period,
            left_out: left_out.map(|x| x as u16),
            sets: member.iter().map(|r| sets[*r].1.clone()).collect(),
            pair: (self.letters[g], self.letters[h]),
        }))
    }
}

impl Acting<'_> {
    /// The elements that the letters lead to from the identity, in the order in which they are met, and for each the
    /// places of those that the letters lead to; `None` if there are too many.
    fn reached(&self) -> Option<(Vec<usize>, Vec<Vec<usize>>)> {
        let mut met = vec![0];
        let mut places: HashMap<usize, usize, FxBuildHasher> = HashMap::default();
        places.insert(0, 0);
        let mut acts: Vec<Vec<usize>> = Vec::new();
        while let Some(&from) = met.get(acts.len()) {
            let place = |by| {
                let to = (self.act)(from, by);
                *places.entry(to).or_insert_with(|| {
                    met.push(to);
                    met.len() - 1
                })
            };
            acts.push((0..self.letters).map(place).collect());
            if met.len() > MOST_ELEMENTS {
                return None;
            }
        }
        Some((met, acts))
    }
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
