//! Guesses a description of all outcomes. Input: what the search for a quotient knows of sums with 0 to J copies of a new
//! part. Output: a description that is infinite and meets the conditions, or nothing.
//!
//! An infinite quotient often shows itself as follows. With each copy more of the new part h, the monoid that
//! recognizes the P-positions beside these copies has a fixed number of elements more, since more powers of one part g are
//! different. So outcomes depend on a difference, say between the number of g's and twice the number of h's. The rate tells
//! the degrees of g and h. The degree of another part is found beside many g's: if n copies of it are worth as much as a
//! copies of g, it is a/n times that of g.
//!
//! The monoid R is the one learned, with high powers of g merged; the number of copies of h counts, too, up to a limit. The
//! sets are read from all outcomes that are known; two that contradict each other refuse the guess.

use super::super::super::Closed;
use super::super::monoid::{Monoid, products, refined};
use super::{Graded, place, powers};
use crate::game::{Budget, Limit};
use hashbrown::HashMap;
use num_integer::lcm;
use rustc_hash::FxBuildHasher;

/// The most degrees that are listed on each side.
const MOST_DEGREES: i64 = 64;
/// The greatest order of R before equivalent elements are merged.
const MOST_ELEMENTS: usize = 1 << 12;
/// The most powers of a part that are compared.
const MOST_POWERS: usize = 24;

/// What the search has learned: of a part `new`, and of the parts before it.
pub(in super::super) struct Learned<'l> {
    /// Recognizes the words beside 0 to J copies.
    pub monoid: &'l Monoid,
    /// For each number of copies, which elements are P-positions.
    pub marks: &'l [Vec<bool>],
    /// For each number of copies, a monoid that is fine enough up to this number, as the element of each element of
    /// `monoid`.
    pub coarser: &'l [Vec<u16>],
    pub new: u32,
}

/// Degrees that might describe what was learned.
struct Degrees {
    /// The part g.
    part: u32,
    of_generators: Vec<i64>,
    /// Of the new part; negative.
    of_new: i64,
    /// A period of the sets, if the copies count only as far as their degree.
    period: i64,
}

/// Proves that the quotient is infinite, if what was learned suggests it.
///
/// # Errors
/// A limit.
pub(in super::super) fn find<C: Closed + ?Sized>(
    closed: &C,
    learned: &Learned<'_>,
    budget: &Budget,
) -> Result<Option<Graded>, Limit> {
    let Some(degrees) = learned.degrees() else {
        return Ok(None);
    };
    for limit in [2, 3, 4, 6, 8] {
        for modulus in [1, 2] {
            if 3 * limit + 2 * modulus > learned.copies() {
                return Ok(None);
            }
            let found = learned.describe(&degrees, (limit, modulus), budget)?;
            if let Some(graded) = found
                && graded.is_infinite()
                && graded.holds(closed, budget)?
            {
                return Ok(Some(graded));
            }
        }
    }
    Ok(None)
}

impl Learned<'_> {
    /// J.
    fn copies(&self) -> usize {
        self.marks.len() - 1
    }

    fn by(&self, part: u32) -> impl Fn(u16) -> u16 + '_ {
        let x = self.monoid.phi[part as usize];
        move |y| self.monoid.times(y, x)
    }

    /// The number of powers of a part that are different beside some number of copies.
    fn different(&self, part: u32, copies: usize) -> i64 {
        let (by, map) = (self.by(part), &self.coarser[copies]);
        let mut met = hashbrown::HashSet::<u16, FxBuildHasher>::default();
        let mut x = 0;
        while met.insert(map[usize::from(x)]) {
            x = by(x);
        }
        met.len() as i64
    }

    fn degrees(&self) -> Option<Degrees> {
        let (generators, last) = (&self.monoid.generators, self.copies());
        let of_powers = |g: &&u32| powers(self.by(**g)).0;
        let part = *generators.iter().max_by_key(of_powers)?;
        let (index, period) = powers(self.by(part));
        let counts: Vec<i64> = (0..=last).map(|j| self.different(part, j)).collect();
        // With each `step` copies more, `more` more powers are different.
        let (step, more) = (1..=4).find_map(|step| {
            let more = counts[last] - counts[last - step];
            let mut all = last / 2..=last - step;
            let steady = all.all(|j| counts[j + step] - counts[j] == more);
            (more > 0 && steady).then_some((step as i64, more))
        })?;
        let mut fractions = Vec::new();
        for l in generators {
            fractions.push(match *l == part {
                true => (1, 1),
                false => self.compared(*l, part, index / 2, period)?,
            });
        }
        let scale = fractions.iter().fold(1, |s, (_, n)| lcm(s, *n)) * step;
        if scale * more * period > MOST_DEGREES {
            return None;
        }
        Some(Degrees {
            part,
            of_generators: fractions.iter().map(|(a, n)| a * scale / n).collect(),
            of_new: -more * scale / step,
            period: lcm(period * scale, more * scale / step),
        })
    }

    /// The degree of a part as a fraction of that of g: (a, n) if n copies of it are worth a of g beside many of g.
    fn compared(&self, part: u32, g: u32, middle: i64, period: i64) -> Option<(i64, i64)> {
        let (by, by_g) = (self.by(part), self.by(g));
        let times = |n: i64, by: &dyn Fn(u16) -> u16, x: u16| (0..n).fold(x, |y, _| by(y));
        // What `part` makes of g^m for all m, k times.
        let mut rows: Vec<Vec<u16>> = vec![(0..2 * middle).map(|m| times(m, &by_g, 0)).collect()];
        while rows.len() < MOST_POWERS {
            let next: Vec<u16> = rows[rows.len() - 1].iter().map(|x| by(*x)).collect();
            let sought = next[middle as usize];
            for a in (0..middle - period).flat_map(|a| [a, -a]) {
                let same = |row: &Vec<u16>| row.get((middle + a) as usize) == Some(&sought);
                if let Some(k) = rows.iter().rposition(same) {
                    return Some((a, (rows.len() - k) as i64));
                }
            }
            rows.push(next);
        }
        None
    }

    fn degree(&self, d: &Degrees, word: &[u32]) -> i64 {
        let letter = |p: &u32| self.monoid.generators.iter().position(|g| g == p);
        let of = |p: &u32| letter(p).map_or(0, |i| d.of_generators[i]);
        word.iter().map(of).sum()
    }

    /// The class of each element if g^n and g^(n + p) are made equal, where n is `limit` and p the period of the powers of g.
    fn folded(&self, part: u32, limit: usize) -> Vec<u16> {
        let by = self.by(part);
        let period = powers(&by).1;
        let times = |x: u16, n: i64| (0..n).fold(x, |y, _| by(y));
        let n = self.monoid.order();
        let mut above: Vec<usize> = (0..n).collect();
        let root = |above: &Vec<usize>, mut x: usize| {
            while above[x] != x {
                x = above[x];
            }
            x
        };
        // A multiple of a pair (xg^n, xg^(n + p)) is such a pair, so their connected components are a congruence.
        for x in 0..n as u16 {
            let low = times(x, limit as i64);
            let (a, b) = (usize::from(low), usize::from(times(low, period)));
            let (a, b) = (root(&above, a), root(&above, b));
            above[a.max(b)] = a.min(b);
        }
        let mut numbers = HashMap::<usize, u16, FxBuildHasher>::default();
        let number = |x| {
            let next = numbers.len() as u16;
            *numbers.entry(root(&above, x)).or_insert(next)
        };
        (0..n).map(number).collect()
    }

    /// A description by the monoid with folded powers, in which numbers of copies from `limit` on count modulo `modulus`.
    fn describe(
        &self,
        d: &Degrees,
        (limit, modulus): (usize, usize),
        budget: &Budget,
    ) -> Result<Option<Graded>, Limit> {
        let m = self.monoid;
        let map = &self.folded(d.part, limit);
        let kinds = 1 + map.iter().max().map_or(0, |x| usize::from(*x));
        let copies = |j: usize| match j < limit {
            true => j,
            false => limit + (j - limit) % modulus,
        };
        let all = kinds * (limit + modulus);
        let period = lcm(d.period, -d.of_new * modulus as i64);
        let seen = -d.of_new * (self.copies() - limit) as i64 / 2;
        let bound = seen.min(MOST_DEGREES);
        if all > MOST_ELEMENTS || period > bound {
            return Ok(None);
        }
        let element = |y, j| copies(j) * kinds + y;
        let Some(sets) = self.sets(d, (map, all, &element), bound, period) else {
            return Ok(None);
        };
        // An element of the finer monoid for each of the coarser one.
        let mut finer = vec![0; kinds];
        for (y, x) in map.iter().enumerate().rev() {
            finer[usize::from(*x)] = y as u16;
        }
        let act = |r: usize, by: usize| -> usize {
            let (x, j) = (r % kinds, r / kinds);
            match m.generators.get(by) {
                Some(g) => j * kinds + usize::from(map[usize::from(self.by(*g)(finer[x]))]),
                None => copies(j + 1) * kinds + x,
            }
        };
        let letters = m.generators.len() + 1;
        let (met, acts) = reached(usize::from(map[0]), letters, &act);
        let sets: Vec<&Vec<bool>> = met.iter().map(|r| &sets[*r]).collect();
        let (member, actions) = merged(&acts, &sets, budget)?;
        let letter = |p: u32| m.generators.iter().position(|g| *g == p);
        let of = |word: &[u32]| {
            let by = |x: u16, p: &u32| actions[usize::from(x)][letter(*p).unwrap_or(letters - 1)];
            word.iter().fold(0, by)
        };
        let of_old = |p: u32| {
            let word = &m.words[usize::from(m.phi.get(p as usize).copied().unwrap_or(0))];
            (of(word), self.degree(d, word))
        };
        let mut phi: Vec<(u16, i64)> = (0..self.new).map(of_old).collect();
        phi.push((of(&[self.new]), d.of_new));
        Ok(Some(Graded {
            table: products(&actions),
            order: member.len(),
            phi,
            bound,
            period,
            sets: member.iter().map(|r| sets[*r].clone()).collect(),
            pair: (d.part, self.new),
        }))
    }

    /// The sets of the elements of R, as far as outcomes are known; `None` if two outcomes contradict each other. What is
    /// not known is not in the set.
    fn sets(
        &self,
        d: &Degrees,
        (map, all, element): (&[u16], usize, &dyn Fn(usize, usize) -> usize),
        bound: i64,
        period: i64,
    ) -> Option<Vec<Vec<bool>>> {
        let mut known: Vec<Vec<Option<bool>>> =
            vec![vec![None; 2 * (bound + period) as usize]; all];
        let (by, of_part) = (self.by(d.part), self.degree(d, &[d.part]));
        for (y, word) in self.monoid.words.iter().enumerate() {
            let of_word = self.degree(d, word);
            for (j, marks) in self.marks.iter().enumerate() {
                let (mut y, mut total) = (y as u16, of_word + j as i64 * d.of_new);
                // More powers of g may lead to the same element, so that an element may have any degree.
                while total < bound + period {
                    let x = element(usize::from(map[usize::from(y)]), j);
                    let is_p = marks[usize::from(y)];
                    let entry = &mut known[x][place(total, bound, period)];
                    if *entry.get_or_insert(is_p) != is_p {
                        return None;
                    }
                    (y, total) = (by(y), total + of_part);
                }
            }
        }
        let row = |row: Vec<Option<bool>>| row.into_iter().map(|k| k == Some(true)).collect();
        Some(known.into_iter().map(row).collect())
    }
}

/// The elements that the letters lead to from the first one, in the order in which they are met, and for each the places of
/// those that the letters lead to.
fn reached(
    first: usize,
    letters: usize,
    act: &dyn Fn(usize, usize) -> usize,
) -> (Vec<usize>, Vec<Vec<usize>>) {
    let mut met = vec![first];
    let mut places: HashMap<usize, usize, FxBuildHasher> = HashMap::default();
    places.insert(first, 0);
    let mut acts: Vec<Vec<usize>> = Vec::new();
    while let Some(&from) = met.get(acts.len()) {
        let place = |by| {
            let to = act(from, by);
            *places.entry(to).or_insert_with(|| {
                met.push(to);
                met.len() - 1
            })
        };
        acts.push((0..letters).map(place).collect());
    }
    (met, acts)
}

/// Merges elements that have the same sets beside all words. Returns for each class an element and the classes that the
/// letters lead to; the first class is that of the first element.
fn merged(
    acts: &[Vec<usize>],
    sets: &[&Vec<bool>],
    budget: &Budget,
) -> Result<(Vec<usize>, Vec<Vec<u16>>), Limit> {
    let mut numbers: HashMap<&Vec<bool>, u32, FxBuildHasher> = HashMap::default();
    let mut by_set = Vec::with_capacity(sets.len());
    for set in sets {
        let next = numbers.len() as u32;
        by_set.push(*numbers.entry(set).or_insert(next));
    }
    let letters = acts.first().map_or(0, Vec::len);
    let (class, classes) = refined(by_set, letters, &|r, by| acts[r][by], budget)?;
    let mut member = vec![0; classes];
    for (r, c) in class.iter().enumerate().rev() {
        member[*c as usize] = r;
    }
    let to = |r: &usize| acts[*r].iter().map(|to| class[*to] as u16).collect();
    let actions = member.iter().map(to).collect();
    Ok((member, actions))
}
