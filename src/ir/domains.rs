//! Domains for ranging: subsets, lists, graphs, trees and posets up to isomorphism, samples.
//!
//! Graphs, trees and posets on n points are found from those on n - 1 points by adding a point in every way and keeping one
//! of each isomorphism class. Classes are separated by an invariant (refined degrees) and then by a search for an
//! isomorphism; this suffices for small n. Counts: OEIS A000088, A000055, A000112.

use super::bijections::bijections;
use super::board::{Board, Builder};
use super::eval::MAX_ELEMENTS;
use super::fault::{Code, Fault, Res};
use super::int::Int;
use super::val::Val;
use crate::base::Span;
use crate::model::typed::{BoardKind, Catalogue};
use rustc_hash::FxHashMap;
use std::ops::ControlFlow;
use std::sync::Arc;

/// Charges a number of steps to the budget; fails if it is used up.
pub type Charge<'c> = &'c dyn Fn(u64) -> Res<()>;

fn too_many(span: Span, what: &str) -> Box<Fault> {
    Fault::new(
        Code::TooMuch,
        span,
        format!("{what}: too many to write out"),
    )
    .help("range over fewer, or take a sample: sample(n, seed, D)")
}

/// All subsets, in binary order.
///
/// # Errors
/// Too many.
pub fn subsets(items: &[Val], span: Span, charge: Charge<'_>) -> Res<Vec<Val>> {
    let n = items.len();
    if n >= 20 {
        return Err(too_many(span, &format!("2^{n} subsets")));
    }
    charge((n as u64 + 1) << n)?;
    Ok((0u32..1 << n)
        .map(|mask| {
            let chosen = items.iter().enumerate().filter(|(i, _)| mask >> i & 1 == 1);
            Val::set(chosen.map(|(_, x)| x.clone()).collect())
        })
        .collect())
}

/// Iterates over the sets that contain one element of each row; the first row changes fastest.
pub struct OneOfEach {
    rows: Vec<Vec<Val>>,
    at: Option<Vec<usize>>,
}

impl OneOfEach {
    /// Takes a list of sets or lists.
    #[must_use]
    pub fn new(rows: &[Val]) -> OneOfEach {
        let rows: Vec<Vec<Val>> = rows
            .iter()
            .map(
                |row| match Val::set(row.elements().unwrap_or(&[]).to_vec()) {
                    Val::Set(items) => items.to_vec(),
                    _ => Vec::new(),
                },
            )
            .collect();
        let at = rows
            .iter()
            .all(|row| !row.is_empty())
            .then(|| vec![0; rows.len()]);
        OneOfEach { rows, at }
    }
}

impl Iterator for OneOfEach {
    type Item = Val;

    fn next(&mut self) -> Option<Val> {
        let at = self.at.as_mut()?;
        let chosen = self
            .rows
            .iter()
            .zip(at.iter())
            .map(|(row, i)| row[*i].clone());
        let chosen = Val::set(chosen.collect());
        let turn = at.iter_mut().zip(&self.rows).position(|(i, row)| {
            *i += 1;
            if *i == row.len() {
                *i = 0;
            }
            *i != 0
        });
        if turn.is_none() {
            self.at = None;
        }
        Some(chosen)
    }
}

/// All lists of a length, in lexicographic order.
///
/// # Errors
/// Too many; a negative length.
pub fn lists(items: &[Val], length: &Int, span: Span, charge: Charge<'_>) -> Res<Vec<Val>> {
    let Some(length) = length.to_usize() else {
        return Err(Fault::new(
            Code::Argument,
            span,
            format!("lists of length {length}"),
        ));
    };
    let small = u32::try_from(length).ok();
    let count = small.and_then(|l| items.len().checked_pow(l));
    let total = count.and_then(|c| c.checked_mul(length.max(1)));
    let Some(count) = count.filter(|_| total.is_some_and(|t| t <= MAX_ELEMENTS)) else {
        return Err(too_many(span, &format!("{}^{length} lists", items.len())));
    };
    charge((count * length.max(1)) as u64)?;
    let mut all = Vec::with_capacity(count);
    let mut at = vec![0usize; length];
    for _ in 0..count {
        all.push(Val::list(at.iter().map(|i| items[*i].clone()).collect()));
        for place in at.iter_mut().rev() {
            *place += 1;
            if *place < items.len() {
                break;
            }
            *place = 0;
        }
    }
    Ok(all)
}

/// A small relation: row i has bit j set if i is joined to (or below) j.
type Relation = Vec<u32>;

/// Graphs, trees or posets on n points, one of each isomorphism class.
///
/// # Errors
/// n too large.
pub fn boards(which: Catalogue, n: &Int, span: Span, charge: Charge<'_>) -> Res<Vec<Val>> {
    let (limit, what) = match which {
        Catalogue::Graphs => (8, "graphs"),
        Catalogue::Trees => (16, "trees"),
        Catalogue::Posets => (7, "posets"),
    };
    let size = n.to_usize().filter(|n| *n <= limit);
    let Some(size) = size else {
        if n.is_negative() {
            return Ok(Vec::new());
        }
        return Err(Fault::new(
            Code::TooMuch,
            span,
            format!("{what}({n}): they are listed up to {limit} points"),
        )
        .help(format!("sample(100, 1, {what}({n})) takes some at random")));
    };
    // There is one graph and one poset on no points, but no tree.
    let mut all: Vec<Relation> = if which == Catalogue::Trees {
        vec![vec![0]]
    } else {
        vec![Vec::new()]
    };
    let start = all[0].len();
    if size < start {
        return Ok(Vec::new());
    }
    for k in start..size {
        let mut classes = Classes::default();
        for base in &all {
            for new in extensions(which, base, k) {
                charge(k as u64 + 1)?;
                classes.add(new);
            }
        }
        all = classes.found;
    }
    all.iter()
        .map(|r| Ok(Val::Board(Arc::new(relation_board(which, r, span)?))))
        .collect()
}

/// All ways to add one point to a relation on k points.
fn extensions(which: Catalogue, base: &Relation, k: usize) -> Vec<Relation> {
    let mut all = Vec::new();
    let masks: Vec<u32> = match which {
        Catalogue::Trees => (0..k).map(|i| 1 << i).collect(),
        Catalogue::Graphs => (0u32..1 << k).collect(),
        // The elements below a new maximal element form a down-set.
        Catalogue::Posets => (0u32..1 << k)
            .filter(|mask| (0..k).all(|i| mask >> i & 1 == 1 || base[i] & mask == 0))
            .collect(),
    };
    for mask in masks {
        let mut new = base.clone();
        for (i, row) in new.iter_mut().enumerate() {
            if mask >> i & 1 == 1 {
                *row |= 1 << k;
            }
        }
        new.push(match which {
            Catalogue::Graphs | Catalogue::Trees => mask,
            Catalogue::Posets => 0,
        });
        all.push(new);
    }
    all
}

/// The classes of digraphs that can be listed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Digraphs {
    /// All without loops and without parallel arcs; two vertices may be joined by an arc each way.
    All,
    /// Those without cycles.
    Acyclic,
}

/// Digraphs on n vertices, one of each isomorphism class. Counts: OEIS A000273, A003087.
///
/// # Errors
/// n too large.
pub fn digraphs(which: Digraphs, n: usize, span: Span, charge: Charge<'_>) -> Res<Vec<Arc<Board>>> {
    let limit = match which {
        Digraphs::All => 5,
        Digraphs::Acyclic => 6,
    };
    if n > limit {
        return Err(Fault::new(
            Code::TooMuch,
            span,
            format!("digraphs on {n} vertices: they are listed up to {limit}"),
        )
        .help("boards that another program made can be read as digraph6"));
    }
    let mut all: Vec<Relation> = vec![Vec::new()];
    for k in 0..n {
        let mut classes = Classes::default();
        for base in &all {
            // The new vertex may have arcs from any others. In an acyclic digraph some vertex is a sink, so let the new one
            // be a sink.
            let out = match which {
                Digraphs::All => 1u32 << k,
                Digraphs::Acyclic => 1,
            };
            for into in 0u32..1 << k {
                for out in 0..out {
                    charge(k as u64 + 1)?;
                    let mut new = base.clone();
                    for (i, row) in new.iter_mut().enumerate() {
                        *row |= (into >> i & 1) << k;
                    }
                    new.push(out);
                    classes.add(new);
                }
            }
        }
        all = classes.found;
    }
    let number = |i: usize| u32::try_from(i).unwrap_or(0);
    all.iter()
        .map(|r| {
            let mut b = Builder::new(BoardKind::Digraph, span);
            for i in 1..=n {
                b.site(Val::Int(Int::from(i)))?;
            }
            for (i, row) in r.iter().enumerate() {
                for j in (0..n).filter(|j| row >> j & 1 == 1) {
                    b.line(number(i), number(j))?;
                }
            }
            Ok(Arc::new(b.finish()))
        })
        .collect()
}

#[derive(Default)]
struct Classes {
    found: Vec<Relation>,
    by: FxHashMap<Vec<u64>, Vec<usize>>,
}

impl Classes {
    fn add(&mut self, r: Relation) {
        let colours = colours(&r);
        let mut key = colours.clone();
        key.sort_unstable();
        let bucket = self.by.entry(key).or_default();
        for i in bucket.iter() {
            let other = &self.found[*i];
            if isomorphic(&r, &colours, other, &self::colours(other)) {
                return;
            }
        }
        bucket.push(self.found.len());
        self.found.push(r);
    }
}

/// Isomorphism-invariant colours of the points: degrees, refined by those of the neighbours.
fn colours(r: &Relation) -> Vec<u64> {
    let n = r.len();
    let mix = |h: u64, x: u64| (h ^ x).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(23);
    let mut c = vec![1u64; n];
    for _ in 0..3 {
        c = (0..n)
            .map(|i| {
                let mut out: Vec<u64> = (0..n)
                    .filter(|j| r[i] >> j & 1 == 1)
                    .map(|j| c[j])
                    .collect();
                let mut into: Vec<u64> = (0..n)
                    .filter(|j| r[*j] >> i & 1 == 1)
                    .map(|j| c[j])
                    .collect();
                out.sort_unstable();
                into.sort_unstable();
                let h = out.into_iter().fold(c[i], mix);
                into.into_iter().fold(mix(h, 77), mix)
            })
            .collect();
    }
    c
}

/// Whether there is an isomorphism. Searches up to n! maps (n is at most 16), pruned by colours.
fn isomorphic(a: &Relation, ca: &[u64], b: &Relation, cb: &[u64]) -> bool {
    let mut is = false;
    let fits = |map: &[usize], j: usize| {
        let i = map.len();
        ca[i] == cb[j]
            && (a[i] >> i & 1) == (b[j] >> j & 1)
            && map.iter().enumerate().all(|(k, m)| {
                (a[i] >> k & 1) == (b[j] >> m & 1) && (a[k] >> i & 1) == (b[*m] >> j & 1)
            })
    };
    bijections(a.len(), fits, |_| {
        is = true;
        ControlFlow::Break(())
    });
    is
}

fn relation_board(which: Catalogue, r: &Relation, span: Span) -> Res<Board> {
    let graph = matches!(which, Catalogue::Graphs | Catalogue::Trees);
    let mut b = Builder::new(which.kind(), span);
    for i in 1..=r.len() {
        b.site(Val::Int(Int::from(i)))?;
    }
    let number = |i: usize| u32::try_from(i).unwrap_or(0);
    for i in 0..r.len() {
        for j in (0..r.len()).filter(|j| r[i] >> j & 1 == 1) {
            let covered = graph || (0..r.len()).any(|k| r[i] >> k & 1 == 1 && r[k] >> j & 1 == 1);
            if (graph && i < j) || (!graph && !covered) {
                b.line(number(i), number(j))?;
            }
        }
    }
    Ok(b.finish())
}

/// A deterministic random number generator (Steele, Lea and Flood 2014: SplitMix64).
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// Starts from a seed.
    #[must_use]
    pub fn new(seed: &Int) -> Random {
        let mut state = 0x1234_5678_9ABC_DEF1u64;
        for digit in seed.to_big().to_signed_bytes_le() {
            state = state.rotate_left(7) ^ u64::from(digit);
            state = state.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        }
        Random(state)
    }

    /// 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A uniform number below n (0 if n is 0).
    pub fn below(&mut self, n: usize) -> usize {
        let wide = u128::from(self.bits()) * (n as u128);
        usize::try_from(wide >> 64).unwrap_or(0)
    }
}

/// n distinct random elements of a list; if it has at most n, all of them in random order.
///
/// # Errors
/// Out of steps.
pub fn sample_items(items: &[Val], n: usize, random: &mut Random, charge: Charge<'_>) -> Res<Val> {
    charge(items.len() as u64)?;
    let mut rest: Vec<usize> = (0..items.len()).collect();
    let mut chosen = Vec::new();
    for i in 0..n.min(rest.len()) {
        let j = i + random.below(rest.len() - i);
        rest.swap(i, j);
        chosen.push(items[rest[i]].clone());
    }
    Ok(Val::list(chosen))
}

/// n random subsets, with repetition.
///
/// # Errors
/// Out of steps.
pub fn sample_subsets(
    items: &[Val],
    n: usize,
    random: &mut Random,
    charge: Charge<'_>,
) -> Res<Val> {
    let mut all = Vec::new();
    for _ in 0..n {
        charge(items.len() as u64 + 1)?;
        let chosen = items.iter().filter(|_| random.bits() >> 63 == 1);
        all.push(Val::set(chosen.cloned().collect()));
    }
    Ok(Val::list(all))
}

/// n random lists of a length.
///
/// # Errors
/// Out of steps, a negative length.
pub fn sample_lists(
    items: &[Val],
    length: &Int,
    n: usize,
    random: &mut Random,
    span: Span,
    charge: Charge<'_>,
) -> Res<Val> {
    let Some(length) = length.to_usize().filter(|l| *l <= MAX_ELEMENTS) else {
        return Err(Fault::new(
            Code::Argument,
            span,
            format!("lists of length {length}"),
        ));
    };
    let mut all = Vec::new();
    let possible = length == 0 || !items.is_empty();
    for _ in 0..if possible { n } else { 0 } {
        charge(length as u64 + 1)?;
        let list = (0..length).map(|_| items[random.below(items.len())].clone());
        all.push(Val::list(list.collect()));
    }
    Ok(Val::list(all))
}

/// n random graphs (each edge with probability 1/2), trees (uniform labelled, by Prüfer codes) or posets (the closure of a
/// random acyclic relation) on `size` points.
///
/// # Errors
/// Out of steps, too many points.
pub fn sample_boards(
    which: Catalogue,
    size: &Int,
    n: usize,
    random: &mut Random,
    span: Span,
    charge: Charge<'_>,
) -> Res<Val> {
    let Some(size) = size.to_usize().filter(|s| *s <= 2000) else {
        return Err(too_many(span, &format!("boards of {size} points")));
    };
    let number = |i: usize| u32::try_from(i).unwrap_or(0);
    let mut all = Vec::new();
    for _ in 0..n {
        charge((size * size) as u64 + 1)?;
        let graph = matches!(which, Catalogue::Graphs | Catalogue::Trees);
        let mut b = Builder::new(which.kind(), span);
        for i in 1..=size {
            b.site(Val::Int(Int::from(i)))?;
        }
        if which == Catalogue::Trees {
            for (u, v) in random_tree(size, random) {
                b.line(number(u), number(v))?;
            }
        } else {
            // Fewer relations in larger posets: otherwise nearly all pairs become comparable.
            let odds = if graph { 2 } else { size.max(2) };
            for i in 0..size {
                for j in i + 1..size {
                    if random.below(odds) == 0 {
                        b.line(number(i), number(j))?;
                    }
                }
            }
        }
        all.push(Val::Board(Arc::new(b.finish())));
    }
    Ok(Val::list(all))
}

/// The edges of a uniform random labelled tree, from its Prüfer code.
fn random_tree(n: usize, random: &mut Random) -> Vec<(usize, usize)> {
    if n < 2 {
        return Vec::new();
    }
    let code: Vec<usize> = (0..n - 2).map(|_| random.below(n)).collect();
    let mut degree = vec![1usize; n];
    for c in &code {
        degree[*c] += 1;
    }
    let mut leaves: std::collections::BTreeSet<usize> =
        (0..n).filter(|i| degree[*i] == 1).collect();
    let mut edges = Vec::with_capacity(n - 1);
    for c in code {
        if let Some(leaf) = leaves.pop_first() {
            edges.push((leaf, c));
            degree[c] -= 1;
            if degree[c] == 1 {
                leaves.insert(c);
            }
        }
    }
    if let (Some(u), Some(v)) = (leaves.pop_first(), leaves.pop_first()) {
        edges.push((u, v));
    }
    edges
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(which: Catalogue, n: i64) -> usize {
        boards(which, &Int::from(n), Span::default(), &|_| Ok(()))
            .unwrap()
            .len()
    }

    #[test]
    fn classes_are_as_many_as_known() {
        // OEIS A000088, A000055, A000112.
        let graphs = [1, 1, 2, 4, 11, 34, 156];
        let trees = [0, 1, 1, 1, 2, 3, 6, 11, 23];
        let posets = [1, 1, 2, 5, 16, 63, 318];
        for (which, counts) in [
            (Catalogue::Graphs, &graphs[..]),
            (Catalogue::Trees, &trees),
            (Catalogue::Posets, &posets),
        ] {
            for (n, want) in (0i64..).zip(counts) {
                assert_eq!(count(which, n), *want, "{which:?}({n})");
            }
        }
    }

    #[test]
    fn digraphs_are_as_many_as_known() {
        // OEIS A000273, A003087.
        let count = |which, n| {
            digraphs(which, n, Span::default(), &|_| Ok(()))
                .unwrap()
                .len()
        };
        for (n, want) in [1, 1, 3, 16, 218].into_iter().enumerate() {
            assert_eq!(count(Digraphs::All, n), want, "{n}");
        }
        for (n, want) in [1, 1, 2, 6, 31, 302].into_iter().enumerate() {
            assert_eq!(count(Digraphs::Acyclic, n), want, "{n}");
        }
    }

    #[test]
    fn a_limit_instead_of_a_hang() {
        let many: Vec<Val> = (0..60).map(Val::int).collect();
        let charge = |_| Ok(());
        let fault = subsets(&many, Span::default(), &charge).unwrap_err();
        assert!(fault.code.is_limit());
        let fault = lists(&many, &Int::from(1000i64), Span::default(), &charge).unwrap_err();
        assert!(fault.code.is_limit());
        assert!(
            boards(
                Catalogue::Graphs,
                &Int::from(40i64),
                Span::default(),
                &charge
            )
            .is_err()
        );
    }

    #[test]
    fn samples_depend_on_the_seed_alone() {
        let items: Vec<Val> = (0..50).map(Val::int).collect();
        let take = |seed: i64| {
            let mut r = Random::new(&Int::from(seed));
            sample_items(&items, 5, &mut r, &|_| Ok(())).unwrap()
        };
        assert_eq!(take(1), take(1));
        assert_ne!(take(1), take(2));
    }
}
