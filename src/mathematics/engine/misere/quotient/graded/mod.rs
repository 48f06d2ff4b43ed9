//! Proves that a misère quotient is infinite. Input: the outcomes that the search for a quotient has learned: of sums with
//! 0, 1, .., J copies of a new part, or of sums in which a part occurs few times (`weighed`). Output: a description of all
//! outcomes from which it follows that the quotient is infinite, or nothing. `sums` and `described` guess it.
//!
//! *Description.* A finite commutative monoid R, for each part h an element r(h) of R and an integer d(h), the degree, and
//! for each element of R a set of integers. Beyond a bound the set is periodic in both directions. A word w with element r
//! and degree d, both the sums over its parts, is said to be a P-position if d lies in the set of r. So Q = R x Z, with
//! infinitely many elements, takes the place of the finite monoid in the theorem of `quotient`, whose proof never uses that
//! Q is finite.
//!
//! *Checking the conditions.* As in `check`, with U(w) given by total degrees: a pair (y, D) stands for sums with the
//! element y whose degree together with w is D. Then U(w + h) is the set of the (y, D) for which (r(h)y, D) ∈ U(w) and no
//! option h' of h has (r(w)r(h')y, D + d(h') - d(h)) in P. Beyond the bound and the greatest change |d(h') - d(h)|, these
//! sets are as periodic as P is, so there are finitely many. (N) says that no U(w) with w nonempty contains (1, d(w)). Each
//! state has its degree; a degree far away is known up to the period only, and one step may lead from it to any near degree
//! in its class.
//!
//! **Theorem.** Let the conditions hold, let d(g) > 0 > d(h), and let n be a multiple of the period of the sets for which
//! g^n and h^n are idempotent in R. Let c be a word, and D an integer in the class of d(c) modulo n gcd(d(g), d(h)). If the
//! set of c g^n h^n contains D but not the integers far above it in this class, or the other way round, then the misère
//! quotient is infinite.
//!
//! *Proof.* In this class the set is constant far above, so there is a greatest such D. All words c g^(an) h^(bn) with
//! a, b > 0 have the same element of R, and for infinitely many a there is a b for which the degree is D. For two of these,
//! a < a', the words g^(an) and g^(a'n) are distinguished by c h^(bn): the second sum has a greater degree in the class of
//! D. ∎
//!
//! *Sums left out.* One element of R may stand for sums that are not described, if each sum that contains such a sum is
//! left out, too, and no option of a described sum is. Then all this holds of the described sums. The induction needs no
//! options but theirs, and U(w) contains no y for which w + y is left out. The set of the sums left out is empty, so the
//! theorem distinguishes powers by described sums.
//!
//! R is a commutative monoid by its construction, as a quotient of one by congruences. All else that was learned is not
//! trusted: the conditions are checked for the description alone. `verify` also checks R.

mod described;
mod presented;
mod sums;
mod weighed;

pub(super) use sums::Sums;
pub(super) use weighed::{Beside, Weighed};

use super::super::Closed;
use super::monoid::Bits;
use crate::game::{Budget, Limit};
use hashbrown::{HashMap, HashSet};
use num_integer::{gcd, lcm};
use rustc_hash::FxBuildHasher;

/// The most pairs of an element and a degree in a set that is checked.
const MOST_PAIRS: usize = 1 << 16;
/// The most bytes of all sets of one check.
const MOST_BYTES: usize = 1 << 27;

/// A description of all outcomes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Graded {
    /// The products of R, row by row; element 0 is the identity.
    table: Vec<u16>,
    order: usize,
    /// The element and the degree of each part.
    phi: Vec<(u16, i64)>,
    /// The sets are listed for the degrees d with -bound <= d < bound.
    bound: i64,
    /// The period of all sets beyond the bound.
    period: i64,
    /// For each element the degrees -bound .. bound, then one period above and one below.
    sets: Vec<Vec<bool>>,
    /// The element of the sums that are not described.
    left_out: Option<u16>,
    /// g and h of the theorem.
    pair: (u32, u32),
}

/// A part with options: its element and degree, and those of its options.
type Part = (u16, i64, Vec<(u16, i64)>);

/// Where a degree is listed.
fn place(degree: i64, bound: i64, period: i64) -> usize {
    let at = match degree {
        _ if degree >= bound => 2 * bound + degree.rem_euclid(period),
        _ if degree < -bound => 2 * bound + period + degree.rem_euclid(period),
        _ => degree + bound,
    };
    at as usize
}

/// The index and the period of the powers of an element: x^index is the first power that comes again, after `period` more.
fn powers<T: Copy + Default + Eq + std::hash::Hash>(by: impl Fn(T) -> T) -> (i64, i64) {
    let mut at: HashMap<T, i64, FxBuildHasher> = HashMap::default();
    let (mut x, mut n) = (T::default(), 0);
    loop {
        if let Some(first) = at.insert(x, n) {
            return (first, n - first);
        }
        (x, n) = (by(x), n + 1);
    }
}

/// The degrees for which sets are computed: all near ones, and one period far above and one far below, in the order of
/// [`place`].
struct Totals {
    edge: i64,
    period: i64,
    all: Vec<i64>,
}

impl Totals {
    fn new(graded: &Graded, parts: &[Part]) -> Totals {
        let period = graded.period;
        let changes = |(_, d, options): &Part| {
            let change = options.iter().map(|(_, e)| (e - d).abs()).max();
            change.unwrap_or(0)
        };
        let change = parts.iter().map(changes).max().unwrap_or(0);
        let widest = parts.iter().map(|p| p.1.abs()).max().unwrap_or(0);
        let edge = graded.bound + change;
        // So far away that no change leads near.
        let far = period * (edge + change + widest);
        let mut all: Vec<i64> = (-edge..edge).collect();
        all.extend((0..period).map(|r| far + r));
        all.extend((0..period).map(|r| r - far - period));
        Totals { edge, period, all }
    }

    /// Where the degree may lie after `change` is added to that at `from`. What is far above stands for all degrees from
    /// the edge on, so the degree may lie below the edge afterwards.
    fn after(&self, from: usize, change: i64) -> Vec<usize> {
        let to = self.all[from] + change;
        let mut places = vec![place(to, self.edge, self.period)];
        if from >= 2 * self.edge as usize {
            let near = match to > 0 {
                true => self.edge + change..self.edge,
                false => -self.edge..change - self.edge,
            };
            let class = to.rem_euclid(self.period);
            let near = near.filter(|d| d.rem_euclid(self.period) == class);
            places.extend(near.map(|d| place(d, self.edge, self.period)));
        }
        places
    }
}

impl Graded {
    /// The order of R.
    #[must_use]
    pub fn order(&self) -> usize {
        self.order
    }

    /// The product of two elements of R.
    #[must_use]
    pub fn times(&self, x: u16, y: u16) -> u16 {
        self.table[usize::from(x) * self.order + usize::from(y)]
    }

    /// The element and the degree of each part.
    #[must_use]
    pub fn phi(&self) -> &[(u16, i64)] {
        &self.phi
    }

    /// Degrees d with -bound <= d < bound are listed, and the period of all sets beyond them.
    #[must_use]
    pub fn range(&self) -> (i64, i64) {
        (self.bound, self.period)
    }

    /// The element of the sums that are not described, if there are any.
    #[must_use]
    pub fn left_out(&self) -> Option<u16> {
        self.left_out
    }

    fn is_left_out(&self, element: u16) -> bool {
        self.left_out == Some(element)
    }

    /// Whether sums with this element and this degree are P-positions.
    #[must_use]
    pub fn is_p(&self, element: u16, degree: i64) -> bool {
        self.sets[usize::from(element)][place(degree, self.bound, self.period)]
    }

    /// The element and the degree of a sum.
    ///
    /// # Panics
    /// If a part is beyond those that the description is of.
    #[must_use]
    pub fn of(&self, word: &[u32]) -> (u16, i64) {
        word.iter().fold((0, 0), |(x, d), part| {
            let (y, e) = self.phi[*part as usize];
            (self.times(x, y), d + e)
        })
    }

    /// Parts g and h. Infinitely many powers of g are pairwise distinguished by sums with powers of h.
    #[must_use]
    pub fn pair(&self) -> (u32, u32) {
        self.pair
    }

    /// A multiple of the period for which the power of an element is idempotent.
    fn exponent(&self, x: u16) -> i64 {
        let (index, period) = powers(|y| self.times(y, x));
        let step = lcm(period, self.period);
        (index.max(1) + step - 1) / step * step
    }

    /// Whether the hypothesis of the theorem holds; `false` also if there are too many pairs of an element and a class.
    fn is_infinite(&self) -> bool {
        let ((g, above), (h, below)) = (
            self.phi[self.pair.0 as usize],
            self.phi[self.pair.1 as usize],
        );
        if above <= 0 || below >= 0 {
            return false;
        }
        let n = lcm(self.exponent(g), self.exponent(h));
        let step = n * gcd(above, below);
        if step * self.order as i64 > MOST_PAIRS as i64 {
            return false;
        }
        let power = |x: u16| (0..n).fold(0, |y, _| self.times(y, x));
        let deep = self.times(power(g), power(h));
        // All words c, by their elements and the classes of their degrees.
        let mut met: HashSet<(u16, i64), FxBuildHasher> = HashSet::default();
        let mut waiting = vec![(0, 0)];
        while let Some((x, class)) = waiting.pop() {
            if !met.insert((x, class)) {
                continue;
            }
            let set = self.times(x, deep);
            let far_above = class + step * (self.bound / step + 1);
            let mut degrees = (-self.bound - self.period..self.bound)
                .filter(|d| (d - class).rem_euclid(step) == 0);
            if degrees.any(|d| self.is_p(set, d) != self.is_p(set, far_above)) {
                return true;
            }
            let next = |(y, d): &(u16, i64)| (self.times(x, *y), (class + d).rem_euclid(step));
            waiting.extend(self.phi.iter().map(next));
        }
        false
    }

    /// The parts that have options, each element with each list of options once.
    fn parts<C: Closed + ?Sized>(&self, closed: &C) -> Vec<Part> {
        let mut all: Vec<Part> = Vec::new();
        for part in 0..self.phi.len() as u32 {
            if !closed.has_options(part) {
                continue;
            }
            let mut options = Vec::new();
            closed.options(part, &mut |word| options.push(self.of(word)));
            options.sort_unstable();
            options.dedup();
            let (x, d) = self.phi[part as usize];
            all.push((x, d, options));
        }
        all.sort_unstable();
        all.dedup();
        all
    }

    /// Whether the two conditions of the theorem of `quotient` hold; `false` also if the check takes too much memory.
    fn holds<C: Closed + ?Sized>(&self, closed: &C, budget: &Budget) -> Result<bool, Limit> {
        let mut dead = (0..self.phi.len() as u32).filter(|p| !closed.has_options(*p));
        if self.is_p(0, 0) || dead.any(|p| self.phi[p as usize] != (0, 0)) {
            return Ok(false);
        }
        let parts = self.parts(closed);
        let totals = Totals::new(self, &parts);
        if self.order * totals.all.len() > MOST_PAIRS || !self.is_closed(&parts) {
            return Ok(false);
        }
        Ok(
            self.never_both(&parts, &totals, budget)?
                && self.always_one(&parts, &totals, budget)?,
        )
    }

    /// Whether no option of a described sum is left out, nor any sum that contains one left out is described.
    fn is_closed(&self, parts: &[Part]) -> bool {
        let out = |x: u16, y: u16| self.is_left_out(self.times(x, y));
        (0..self.order as u16).all(|y| {
            let stays = |(x, _, options): &Part| {
                (!self.is_left_out(y) || out(y, *x))
                    && (out(y, *x) || !options.iter().any(|(t, _)| out(y, *t)))
            };
            parts.iter().all(stays)
        })
    }

    /// Condition (P): no sum in P has an option in P.
    fn never_both(&self, parts: &[Part], totals: &Totals, budget: &Budget) -> Result<bool, Limit> {
        for (x, d, options) in parts {
            for y in 0..self.order as u16 {
                budget.charge()?;
                for total in &totals.all {
                    let is_p = |(t, e): &(u16, i64)| self.is_p(self.times(y, *t), total - d + e);
                    if self.is_p(self.times(y, *x), *total) && options.iter().any(is_p) {
                        return Ok(false);
                    }
                }
            }
        }
        Ok(true)
    }

    /// Condition (N): each sum of parts with options has an option in P, or is in P.
    fn always_one(&self, parts: &[Part], totals: &Totals, budget: &Budget) -> Result<bool, Limit> {
        let (wide, elements) = (totals.all.len(), || 0..self.order as u16);
        let pairs = self.order * wide;
        let set = |has: &dyn Fn(u16, usize) -> bool| {
            let mut set = Bits::none(pairs);
            for y in elements() {
                for k in (0..wide).filter(|k| has(y, *k)) {
                    set.set(usize::from(y) * wide + k);
                }
            }
            set
        };
        // U of the empty sum; then for each element and degree the maximal sets.
        let start = set(&|y, k| !self.is_left_out(y) && !self.is_p(y, totals.all[k]));
        let mut states: Vec<(u16, usize, Bits)> = vec![(0, totals.edge as usize, start)];
        let mut kept: HashMap<(u16, usize), Vec<usize>, FxBuildHasher> = HashMap::default();
        // The pairs beside which a move in a part wins, by the element of the sum without it.
        let mut won: HashMap<(u16, usize), Bits, FxBuildHasher> = HashMap::default();
        let mut at = 0;
        while let Some((z, place)) = states.get(at).map(|s| (s.0, s.1)) {
            let dominated = || kept.get(&(z, place)).is_none_or(|k| !k.contains(&at));
            if at > 0 && dominated() {
                at += 1;
                continue;
            }
            if (states.len() + won.len()) * pairs / 8 > MOST_BYTES {
                return Ok(false);
            }
            for (number, (x, d, options)) in parts.iter().enumerate() {
                budget.charge()?;
                let won = won.entry((z, number)).or_insert_with(|| {
                    set(&|y, k| {
                        options.iter().any(|(t, e)| {
                            let element = self.times(self.times(z, *t), y);
                            self.is_p(element, totals.all[k] - d + e)
                        })
                    })
                });
                let open = &states[at].2;
                let mut next = Bits::none(pairs);
                for y in elements() {
                    let row = usize::from(self.times(*x, y));
                    next.join_row(usize::from(y) * wide, open, row * wide, wide);
                }
                next.remove(won);
                if next.is_empty() {
                    continue;
                }
                let element = self.times(z, *x);
                for place in totals.after(place, *d) {
                    if next.has(place) {
                        return Ok(false);
                    }
                    let same = kept.entry((element, place)).or_default();
                    if same.iter().any(|i| next.is_within(&states[*i].2)) {
                        continue;
                    }
                    same.retain(|i| !states[*i].2.is_within(&next));
                    same.push(states.len());
                    states.push((element, place, next.clone()));
                }
            }
            at += 1;
        }
        Ok(true)
    }
}
