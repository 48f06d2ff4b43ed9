//! Fits families of moves `n -> [a linear form, ..]` under linear constraints by plain ways that allow the same moves for
//! every n.
//!
//! Theorem. Let finitely many planes be given in the space of n and of the heaps left, among them n = 0 and "a heap is 0".
//! Let D be a set of integer points with n > 0 and heaps of at least 0 and at most n, whose membership depends only on the
//! signs of a point at the planes. If D is not empty, it has a point with n <= V + d R. Here d is the dimension of the space,
//! V is the largest n of a vertex (a point in which d of the planes meet), and R is the largest change of n along a primitive
//! integer vector of a line in which d - 1 of the planes meet.
//!
//! *Proof.* A point of D lies in the relative interior of a cell. The closure of the cell contains no line, since the heaps
//! are bounded by n, and n by 0. So the point is v + t1 r1 + .. + tk rk, with v in the convex hull of the vertices, k <= d,
//! primitive integer vectors ri of extreme rays, and ti > 0. Subtract integer multiples of the ri until each ti is at most 1.
//! A plane that was zero at the point is zero at v and along all ri, so it stays zero. A plane that was positive is
//! non-negative at v and along all ri, and positive at v or along some ri, so it stays positive, since all ti do. The result
//! is an integer point of the same cell, so it lies in D. ∎
//!
//! Here D is the set of divisions that the families allow and the ways do not, or the other way round. Each family is written
//! in terms of the heaps it leaves ([`Family::by_parts`]), so membership is a matter of signs and nothing is projected. If
//! the families and the ways agree up to the bound, they agree for all n.

use super::linear::{Constraint, Linear, MAX_UNKNOWNS, Sign};
use super::{Amounts, MAX_FAMILIES, Reason, Reductions, Way};
use std::collections::{BTreeMap, BTreeSet};

/// The largest constant in a form.
const MAX_CONSTANT: i128 = 1000;
/// The largest slope in a form, once a family is written in terms of its parts.
const MAX_SLOPE: i128 = 4;
/// The most planes, by the dimension of the space: the work grows with that power of their number.
const MAX_PLANES: [usize; 3] = [1_000_000, 5_000, 150];
/// The most choices that are tried.
const MAX_TRIED: i64 = 100_000_000;
/// The most choices that are found.
const MAX_FOUND: usize = 4_000_000;

/// The heaps left by one choice, as linear forms under constraints.
#[derive(Clone, Debug)]
pub(super) struct Family {
    pub(super) parts: Vec<Linear>,
    pub(super) unknowns: usize,
    pub(super) constraints: Vec<Constraint>,
}

impl Family {
    /// The same family with one unknown for each of its free parts: unknown i is the part `free[i]`.
    fn by_parts(&self) -> Result<Shaped, Reason> {
        let mut family = self.clone();
        while let Some((i, x)) = family.equation() {
            family.substitute(|form| form.with(i, &x));
            // The later unknowns move up.
            for k in i..MAX_UNKNOWNS - 1 {
                family.substitute(|form| form.exchanged(k, k + 1));
            }
            family.unknowns -= 1;
        }
        let free = family.free_parts()?;
        let inverse = family.in_terms_of(&free);
        family.substitute(|form| form.at_forms(&inverse));
        let forms = family
            .parts
            .iter()
            .chain(family.constraints.iter().map(|c| &c.form));
        for f in forms {
            if f.c.abs() > MAX_CONSTANT || f.slopes().any(|s| s.abs() > MAX_SLOPE) {
                return Err("a constant of the rule is too large".into());
            }
        }
        Ok(Shaped { family, free })
    }

    fn substitute(&mut self, change: impl Fn(&Linear) -> Linear) {
        self.parts.iter_mut().for_each(|p| *p = change(p));
        let forms = self.constraints.iter_mut().map(|c| &mut c.form);
        forms.for_each(|f| *f = change(f));
    }

    /// An unknown that an equation among the constraints determines, and what it is.
    fn equation(&self) -> Option<(usize, Linear)> {
        let equations = self.constraints.iter().filter(|c| c.sign == Sign::Zero);
        equations
            .flat_map(|c| (0..self.unknowns).map(move |i| (i, &c.form)))
            .find_map(|(i, form)| match form.x[i] {
                1 => Some((i, form.with(i, &Linear::of(0)).times(-1))),
                -1 => Some((i, form.with(i, &Linear::of(0)))),
                _ => None,
            })
    }

    /// Parts that determine the unknowns as integers.
    fn free_parts(&self) -> Result<Vec<usize>, Reason> {
        let x = |i: usize| self.parts[i].x;
        let all = 0..self.parts.len();
        let found = match self.unknowns {
            0 => Some(Vec::new()),
            1 => all.clone().find(|i| x(*i)[0].abs() == 1).map(|i| vec![i]),
            _ => all.clone().find_map(|i| {
                let one = |j: &usize| (x(i)[0] * x(*j)[1] - x(i)[1] * x(*j)[0]).abs() == 1;
                all.clone().find(one).map(|j| vec![i, j])
            }),
        };
        found.ok_or_else(|| "a number that is chosen does not show in what is left".into())
    }

    /// The unknowns as forms in these parts, which are the unknowns of the result.
    fn in_terms_of(&self, free: &[usize]) -> [Linear; MAX_UNKNOWNS] {
        // Part i is the new unknown i: new[i] = own[i] . x + rest[i].
        let rest = |i: usize| {
            let mut y = Linear::of(0);
            y.x[i] = 1;
            let mut own = self.parts[free[i]].clone();
            own.x = [0; MAX_UNKNOWNS];
            y.minus(&own)
        };
        let own = |i: usize| self.parts[free[i]].x;
        match free.len() {
            0 => [Linear::of(0), Linear::of(0)],
            1 => [rest(0).times(own(0)[0]), Linear::of(0)],
            _ => {
                let ([a, b], [c, d]) = (own(0), own(1));
                let sign = a * d - b * c;
                let (p, q) = (rest(0), rest(1));
                [
                    p.times(d).minus(&q.times(b)).times(sign),
                    q.times(a).minus(&p.times(c)).times(sign),
                ]
            }
        }
    }
}

/// A family in terms of the heaps it leaves.
#[derive(Clone, Debug)]
struct Shaped {
    family: Family,
    /// The parts that are the unknowns.
    free: Vec<usize>,
}

impl Shaped {
    /// How many counters are taken, if that is the same for all choices.
    fn taken(&self) -> Option<i128> {
        let sum = self.family.parts.iter();
        let sum = sum.fold(Linear::of(0), |all, p| all.plus(p));
        let mut taken = Linear::n().minus(&sum);
        // The heap may be known.
        let equations = self
            .family
            .constraints
            .iter()
            .filter(|c| c.sign == Sign::Zero);
        let mut known = equations.filter(|c| c.form.x == [0; MAX_UNKNOWNS] && c.form.n.abs() == 1);
        if let Some(c) = known.next() {
            taken.c -= taken.n * c.form.c * c.form.n;
            taken.n = 0;
        }
        taken.constant()
    }

    /// The family for each of its heaps on its own, if its constraints bound them.
    fn by_heaps(&self) -> Option<Vec<Shaped>> {
        let alone = |c: &&Constraint| c.form.x == [0; MAX_UNKNOWNS];
        let constraints = || self.family.constraints.iter().filter(alone);
        let least = constraints().filter(|c| c.sign == Sign::AtLeast && c.form.n < 0);
        let most = least.map(|c| c.form.c.div_euclid(-c.form.n)).min()?;
        let most = i64::try_from(most)
            .ok()
            .filter(|n| i128::from(*n) <= MAX_CONSTANT)?;
        let heaps = (1..=most).filter(|n| constraints().all(|c| c.holds(*n, &[0; MAX_UNKNOWNS])));
        let one = |n: i64| {
            let mut one = self.clone();
            one.family.constraints.push(Constraint {
                form: Linear::n().minus(&Linear::of(n)),
                sign: Sign::Zero,
            });
            one
        };
        Some(heaps.map(one).collect())
    }

    /// Planes at which what the family says of a division may change. `heap[i]` is what part i is, as a form in the heaps of
    /// the division; the unknowns of the forms that are returned are those heaps.
    fn planes(&self, heap: &[Linear]) -> Vec<Linear> {
        let unknowns = [0, 1].map(|i| self.free.get(i).map_or(Linear::of(0), |j| heap[*j].clone()));
        let constraints = self.family.constraints.iter();
        let constraints = constraints.map(|c| c.form.at_forms(&unknowns));
        let parts = self.family.parts.iter().zip(heap);
        let parts = parts.map(|(own, heap)| own.at_forms(&unknowns).minus(heap));
        constraints.chain(parts).collect()
    }
}

/// Planes in the space of n and `dimension - 1` heaps.
struct Planes {
    dimension: usize,
    /// Coefficients of n and the heaps, then the constant; without a common factor, the first that is not 0 is positive.
    all: BTreeSet<[i128; 4]>,
}

impl Planes {
    fn new(dimension: usize) -> Planes {
        let mut planes = Planes {
            dimension,
            all: BTreeSet::new(),
        };
        planes.add(&Linear::n());
        planes
    }

    fn add(&mut self, form: &Linear) {
        let mut plane = [form.n, form.x[0], form.x[1], form.c];
        let Some(first) = plane[..3].iter().find(|a| **a != 0) else {
            return;
        };
        let factor = plane.iter().fold(0, |g, a| num_integer::gcd(g, *a)) * first.signum();
        plane.iter_mut().for_each(|a| *a /= factor);
        self.all.insert(plane);
    }

    /// The bound of the theorem.
    fn bound(&self) -> Result<i64, Reason> {
        if self.all.len() > MAX_PLANES[self.dimension - 1] {
            return Err("the rule has too many conditions".into());
        }
        let all: Vec<[i128; 4]> = self.all.iter().copied().collect();
        let (mut vertex, mut ray) = (0i128, 1i128);
        match self.dimension {
            1 => {
                for a in &all {
                    vertex = vertex.max(-a[3] / a[0].max(1));
                }
            }
            2 => {
                for (i, a) in all.iter().enumerate() {
                    ray = ray.max(a[1].abs());
                    for b in &all[..i] {
                        let across = a[0] * b[1] - a[1] * b[0];
                        if across != 0 {
                            vertex = vertex.max((a[1] * b[3] - a[3] * b[1]) / across);
                        }
                    }
                }
            }
            _ => {
                for (i, a) in all.iter().enumerate() {
                    for (j, b) in all[..i].iter().enumerate() {
                        // The cross product of both: the direction of the line in which they meet.
                        let minor = |k: usize, l: usize| a[k] * b[l] - a[l] * b[k];
                        let line = [minor(1, 2), minor(2, 0), minor(0, 1)];
                        ray = ray.max(line[0].abs());
                        for c in &all[..j] {
                            let across = line[0] * c[0] + line[1] * c[1] + line[2] * c[2];
                            if across != 0 {
                                // Cramer's rule for n.
                                let n = a[3] * (b[1] * c[2] - b[2] * c[1])
                                    - b[3] * (a[1] * c[2] - a[2] * c[1])
                                    + c[3] * (a[1] * b[2] - a[2] * b[1]);
                                vertex = vertex.max(-n / across);
                            }
                        }
                    }
                }
            }
        }
        // One more, since quotients are rounded towards 0.
        i64::try_from(vertex + 1 + self.dimension as i128 * ray).map_err(|_| TOO_LARGE.into())
    }
}

const TOO_LARGE: &str = "a constant of the rule is too large";

/// The heaps of a division of `n - taken` into this many, as forms in n and all of them but the last.
fn heaps_of_division(heaps: usize, taken: i128) -> Vec<Linear> {
    let mut last = Linear::n().minus(&Linear::of(taken));
    let mut all = Vec::new();
    for i in 0..heaps.saturating_sub(1) {
        let mut heap = Linear::of(0);
        heap.x[i] = 1;
        last = last.minus(&heap);
        all.push(heap);
    }
    if heaps > 0 {
        all.push(last);
    }
    all
}

/// Calls `each` with each way to let every one of the heaps be a part of its own, the other parts being empty.
fn assignments(parts: usize, heaps: &[Linear], each: &mut impl FnMut(&[Linear])) {
    fn place(rest: &[Linear], parts: &mut [Option<Linear>], each: &mut impl FnMut(&[Linear])) {
        let Some((heap, rest)) = rest.split_first() else {
            let all: Vec<Linear> = parts
                .iter()
                .map(|p| p.clone().unwrap_or(Linear::of(0)))
                .collect();
            return each(&all);
        };
        for i in 0..parts.len() {
            if parts[i].is_none() {
                parts[i] = Some(heap.clone());
                place(rest, parts, each);
                parts[i] = None;
            }
        }
    }
    place(heaps, &mut vec![None; parts], each);
}

/// The partitions of `rest` into exactly `heaps` non-empty heaps (0 to 3), each in increasing order; with `distinct`, into
/// heaps of different sizes.
fn divisions(rest: i64, heaps: u8, distinct: bool) -> BTreeSet<Vec<i64>> {
    let mut found = BTreeSet::new();
    match heaps {
        0 => {
            if rest == 0 {
                found.insert(Vec::new());
            }
        }
        1 => {
            if rest > 0 {
                found.insert(vec![rest]);
            }
        }
        2 => {
            for a in 1..=rest / 2 {
                if !distinct || 2 * a != rest {
                    found.insert(vec![a, rest - a]);
                }
            }
        }
        _ => {
            for a in 1..=rest / 3 {
                for b in a..=(rest - a) / 2 {
                    let c = rest - a - b;
                    if !distinct || (a != b && b != c) {
                        found.insert(vec![a, b, c]);
                    }
                }
            }
        }
    }
    found
}

/// The families in terms of the heaps they leave.
fn shaped(families: &[Family]) -> Result<Vec<Shaped>, Reason> {
    families.iter().map(Family::by_parts).collect()
}

/// The same, each with a fixed number of counters that are taken where that can be had.
fn by_taken(families: &[Family]) -> Result<Vec<Shaped>, Reason> {
    let mut all = Vec::new();
    for family in shaped(families)? {
        match family.taken() {
            Some(_) => all.push(family),
            None => all.extend(family.by_heaps().unwrap_or_else(|| vec![family])),
        }
        if all.len() > MAX_FAMILIES {
            return Err(TOO_LARGE.into());
        }
    }
    Ok(all)
}

/// Enumerates the choices for heaps of 1 to `bound`. Calls `each` with the heap and the heaps left, in increasing order.
///
/// # Errors
/// A heap that would become negative, too many choices, and what `each` returns.
fn choices(
    all: &[Shaped],
    bound: i64,
    mut each: impl FnMut(i64, Vec<i64>) -> Result<(), Reason>,
) -> Result<(), Reason> {
    let (mut tried, mut found) = (0i64, 0);
    for Shaped { family: f, free } in all {
        let forms = f.constraints.iter().map(|c| c.form.c.abs());
        let slack = i64::try_from(forms.max().unwrap_or(0)).unwrap_or(0) + 1;
        for n in 1..=bound {
            // The unknowns are heaps of 0 to n. Beyond that, only whether there is a choice matters: it leaves a negative heap.
            let range = |i: usize| match (i < free.len(), free.len()) {
                (false, _) => 0..=0,
                (true, 1) => -slack - 4 * n..=5 * n + slack,
                (true, _) => -slack..=n + slack,
            };
            let size = |i: usize| range(i).end() - range(i).start() + 1;
            tried = tried.saturating_add(size(0).saturating_mul(size(1)));
            if tried > MAX_TRIED {
                return Err(TOO_LARGE.into());
            }
            for x in range(0) {
                for y in range(1) {
                    let x = [x, y];
                    if !f.constraints.iter().all(|c| c.holds(n, &x)) {
                        continue;
                    }
                    let parts = f.parts.iter().map(|p| i64::try_from(p.at(n, &x)));
                    let parts: Result<Vec<i64>, _> = parts.collect();
                    let mut parts = parts.map_err(|_| Reason::from(TOO_LARGE))?;
                    if parts.iter().any(|p| *p < 0) {
                        return Err("a heap would become negative".into());
                    }
                    parts.retain(|p| *p > 0);
                    parts.sort_unstable();
                    found += 1;
                    if found > MAX_FOUND {
                        return Err(TOO_LARGE.into());
                    }
                    each(n, parts)?;
                }
            }
        }
    }
    Ok(())
}

/// The amounts that may be taken, if a move leaves at most one heap.
pub(super) fn fit_amounts(families: &[Family]) -> Result<Reductions, Reason> {
    let all = shaped(families)?;
    if all.iter().any(|s| s.free.len() > 1) {
        return Err(
            "a move leaves more than one heap, and there is no bound to what may be taken".into(),
        );
    }
    let constants = all.iter().flat_map(|s| {
        let constraints = s.family.constraints.iter().map(|c| &c.form);
        s.family.parts.iter().chain(constraints).map(|f| f.c.abs())
    });
    // From here on an amount is like all later ones.
    let late =
        2 * i64::try_from(constants.max().unwrap_or(0)).map_err(|_| Reason::from(TOO_LARGE))? + 5;
    // The space of n and of the heap left, p; where none is left, p = 0.
    let mut planes = Planes::new(2);
    let mut p = Linear::of(0);
    p.x[0] = 1;
    planes.add(&p);
    for s in &all {
        for left in 0..=1 {
            let heap = [p.clone()];
            assignments(s.family.parts.len(), &heap[..left], &mut |heaps| {
                s.planes(heaps).iter().for_each(|plane| planes.add(plane));
            });
        }
    }
    // What is found is a matter of the amount n - p, too.
    for s in 0..=i128::from(late) {
        planes.add(&Linear::n().minus(&p).minus(&Linear::of(s)));
    }
    let bound = planes.bound()?;
    // (taken, left)
    let mut allowed: BTreeSet<(i64, i64)> = BTreeSet::new();
    choices(&all, bound, |n, parts| {
        let left =
            match parts[..] {
                [] => 0,
                [left] => left,
                _ => return Err(
                    "a move leaves more than one heap, and there is no bound to what may be taken"
                        .into(),
                ),
            };
        if left >= n {
            return Err("a move may leave its heap as it is, or larger".into());
        }
        allowed.insert((n - left, left));
        Ok(())
    })?;
    let amounts = |may: &dyn Fn(i64) -> bool, last: i64| -> Result<Amounts, Reason> {
        let all_but = may(last);
        let listed = (1..=last).filter(|s| may(*s) != all_but);
        let listed: Vec<u32> = listed.filter_map(|s| u32::try_from(s).ok()).collect();
        match listed.last() {
            Some(s) if i64::from(*s) >= late => {
                Err("what may be taken never becomes the same for all large heaps".into())
            }
            _ => Ok(Amounts { listed, all_but }),
        }
    };
    for s in 1..bound {
        let first = allowed.contains(&(s, 1));
        if (2..=bound - s).any(|left| allowed.contains(&(s, left)) != first) {
            return Err("what may be taken depends on the heap".into());
        }
    }
    Ok(Reductions {
        partly: amounts(&|s| allowed.contains(&(s, 1)), bound - 1)?,
        wholly: amounts(&|s| allowed.contains(&(s, 0)), bound)?,
    })
}

/// The bound of the theorem for divisions: the largest one for any amount taken and any number of heaps left.
fn bound_of_divisions(all: &[Shaped]) -> Result<i64, Reason> {
    let mut by_taken: BTreeMap<i128, Vec<&Shaped>> = BTreeMap::new();
    for s in all {
        if s.family.parts.len() > 3 {
            return Err("a move leaves more than three heaps".into());
        }
        let Some(taken) = s.taken() else {
            return Err("there is no bound to what may be taken".into());
        };
        by_taken.entry(taken).or_default().push(s);
    }
    let mut bound = 8;
    for (taken, group) in &by_taken {
        for heaps in 0..=3 {
            let of_division = heaps_of_division(heaps, *taken);
            let mut planes = Planes::new(heaps.max(1));
            planes.add(&Linear::n().minus(&Linear::of(*taken)));
            for (i, a) in of_division.iter().enumerate() {
                planes.add(a);
                of_division[..i]
                    .iter()
                    .for_each(|b| planes.add(&a.minus(b)));
            }
            for s in group {
                let parts = s.family.parts.len();
                if heaps <= parts {
                    assignments(parts, &of_division, &mut |heaps| {
                        s.planes(heaps).iter().for_each(|plane| planes.add(plane));
                    });
                }
            }
            bound = bound.max(planes.bound()?);
        }
    }
    Ok(bound)
}

/// The ways that allow just what the families allow.
pub(super) fn fit(families: &[Family]) -> Result<Vec<Way>, Reason> {
    let all = by_taken(families)?;
    let bound = bound_of_divisions(&all)?;
    // taken -> n -> the divisions that are allowed.
    let mut allowed: BTreeMap<i64, BTreeMap<i64, BTreeSet<Vec<i64>>>> = BTreeMap::new();
    choices(&all, bound, |n, parts| {
        let taken = n - parts.iter().sum::<i64>();
        if taken < 0 {
            return Err("a move may leave more than its heap".into());
        }
        let by_n = allowed.entry(taken).or_default();
        by_n.entry(n).or_default().insert(parts);
        Ok(())
    })?;
    let mut ways = Vec::new();
    let none = BTreeSet::new();
    for (taken, by_n) in &allowed {
        for heaps in 0..=3u8 {
            let here = |n: i64| -> BTreeSet<Vec<i64>> {
                let all = by_n.get(&n).unwrap_or(&none).iter();
                all.filter(|p| p.len() == usize::from(heaps))
                    .cloned()
                    .collect()
            };
            let reach = (*taken).max(1)..=bound;
            if reach.clone().all(|n| here(n).is_empty()) {
                continue;
            }
            let fits = |distinct: bool| {
                reach
                    .clone()
                    .all(|n| here(n) == divisions(n - taken, heaps, distinct))
            };
            let distinct = if fits(false) {
                false
            } else if fits(true) {
                true
            } else {
                return Err("what may be left depends on more than how many heaps it is".into());
            };
            if *taken == 0 && heaps < 2 {
                return Err("a move may leave its heap as it is".into());
            }
            ways.push(Way {
                taken: u32::try_from(*taken).unwrap_or(u32::MAX),
                heaps,
                distinct,
            });
        }
    }
    ways.sort_unstable();
    Ok(ways)
}
