//! Checks of witnesses of periods, of misère quotients, finite or infinite, and of the sides of loopy values. A witness is
//! read from JSON, and holds or is refused with a reason. Everything is recomputed from the plain definition (for nim-values:
//! the mex of the nim-sums of all ways to move). No code of `engine/` is used, so that a mistake there cannot confirm itself.
//!
//! The theorem that a witness of a period rests on is [`THEOREM`]; the check verifies its hypotheses, value by value.

mod infinite;
mod partizan;
mod quotient;
mod shift;
mod sides;

pub use infinite::{INFINITE_THEOREM, InfiniteWitness, check_infinite};
pub use partizan::{PARTIZAN_THEOREM, PartizanWitness, check_partizan};
pub use quotient::{
    MOST_PARTS, Parts, QUOTIENT_THEOREM, QuotientPeriod, QuotientWitness, check_quotient,
};
use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};
pub use shift::{Amounts, SHIFT_THEOREM, ShiftWitness, check_shift};
pub use sides::{SIDES_THEOREM, SidesWitness, Vertices, check_sides};
use std::ops::BitXor;

/// The theorem for periods of nim-values, with its source.
pub const THEOREM: &str = "Guy and Smith 1956: if each move takes at most k counters and leaves at most b heaps, and \
G(n + p) = G(n) for n0 <= n < b m + (b - 1) p + k, then it holds for all n >= n0; here m = n0, but m = 1 if n0 = 0, \
unless an empty heap may count as a heap";

/// The text that earlier witnesses have in its place; the checks are the same.
const THEOREM_BEFORE: &str = "Guy and Smith 1956: if each move takes at most k counters and leaves at most b heaps, and \
G(n + p) = G(n) for n0 <= n < b n0 + (b - 1) p + k, then it holds for all n >= n0";

/// The version of the format of witnesses.
pub const VERSION: u32 = 1;

/// The greatest number of values of a witness: what quadratic time can check in a day.
pub const MAX_VALUES: usize = 16_000_000;

/// The number of values that each thread checks between two calls of `progress`.
const BLOCK: usize = 512;

/// One way to move: take this many counters and leave the rest in exactly this many nonempty heaps.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Way {
    /// The counters taken; at least one if fewer than two heaps are left.
    pub taken: u32,
    /// The number of heaps left.
    pub heaps: u8,
}

/// A claim that a sequence of nim-values is periodic, with all values that the theorem needs.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Witness {
    /// The version, [`VERSION`].
    pub cgdsl_period_witness: u32,
    /// The name of the rule, for people.
    pub name: String,
    /// The rule: its ways, sorted.
    pub rule: Vec<Way>,
    /// The theorem, [`THEOREM`].
    pub theorem: String,
    /// The period p.
    pub period: u64,
    /// The preperiod n0: one more than the last exceptional heap.
    pub preperiod: u64,
    /// The number b of the theorem: the most heaps left by a move.
    pub heaps: u64,
    /// The number k of the theorem: the most counters taken by a move.
    pub taken: u64,
    /// The equation is checked for n0 <= n < `checked`.
    pub checked: u64,
    /// G(0), G(1), .. up to G(checked + p - 1).
    pub values: Vec<u16>,
    /// FNV-1a (64 bits) of everything above, in hexadecimal. It detects accidental changes; deliberate ones fail in the
    /// computation.
    pub hash: String,
}

impl Witness {
    /// The hash that the witness should carry.
    #[must_use]
    pub fn right_hash(&self) -> String {
        let mut hash = Hash::default();
        let mut eat = |bytes: &[u8]| hash.eat(bytes);
        eat(&self.cgdsl_period_witness.to_le_bytes());
        eat(self.name.as_bytes());
        eat(self.theorem.as_bytes());
        for w in &self.rule {
            eat(&w.taken.to_le_bytes());
            eat(&[w.heaps]);
        }
        for n in [
            self.period,
            self.preperiod,
            self.heaps,
            self.taken,
            self.checked,
        ] {
            eat(&n.to_le_bytes());
        }
        for v in &self.values {
            eat(&v.to_le_bytes());
        }
        hash.to_string()
    }
}

/// FNV-1a, 64 bits.
struct Hash(u64);

impl Default for Hash {
    fn default() -> Hash {
        Hash(0xcbf2_9ce4_8422_2325)
    }
}

impl Hash {
    fn eat(&mut self, bytes: &[u8]) {
        for b in bytes {
            self.0 = (self.0 ^ u64::from(*b)).wrapping_mul(0x0100_0000_01b3);
        }
    }
}

/// The hash of the JSON text of a witness whose own hash is empty. In the text each number has one spelling.
fn hash_of_text(witness: &impl Serialize) -> String {
    let mut hash = Hash::default();
    let text = serde_json::to_string(witness).unwrap_or_default();
    hash.eat(text.as_bytes());
    hash.to_string()
}

impl std::fmt::Display for Hash {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

/// A witness of any kind.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Claimed {
    /// G(n + p) = G(n), for rules of taking and breaking.
    Period(Witness),
    /// G(n + p) = G(n) + s, for rules that leave at most one heap.
    Shift(ShiftWitness),
    /// G(n + p) = G(n), for partizan rules that leave at most one heap.
    Partizan(PartizanWitness),
    /// A misère quotient.
    Quotient(QuotientWitness),
    /// That a misère quotient is infinite.
    Infinite(InfiniteWitness),
    /// The sides of a loopy value.
    Sides(SidesWitness),
}

/// Why a witness was not found to hold.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Refusal {
    /// It is refused.
    Wrong(String),
    /// The check was ended before it was done.
    Ended,
}

impl std::fmt::Display for Refusal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Refusal::Wrong(why) => why,
            Refusal::Ended => "the check was ended before it was done",
        })
    }
}

impl std::error::Error for Refusal {}

fn refuse<T>(why: impl Into<String>) -> Result<T, Refusal> {
    Err(Refusal::Wrong(why.into()))
}

/// What is checked of every witness before any computation: the version and the theorem are known here, and the hash fits.
fn is_genuine(
    version: u32,
    (hash, right_hash): (&str, String),
    (theorem, known): (&str, &[&str]),
) -> Result<(), Refusal> {
    if version != VERSION {
        return refuse(format!("version {version} is not known here"));
    }
    if hash != right_hash {
        return refuse("the hash does not fit: something was changed");
    }
    if !known.contains(&theorem) {
        return refuse("it names a theorem that is not known here");
    }
    Ok(())
}

/// Reads a witness of any kind.
///
/// # Errors
/// What is wrong with the text.
pub fn read(text: &str) -> Result<Claimed, Refusal> {
    let wrong = |e: serde_json::Error| Refusal::Wrong(format!("this is no witness: {e}"));
    // The first field names the kind. The witness itself is read from the text, so that a field that stands twice is refused.
    #[derive(Default, Deserialize)]
    #[serde(default)]
    struct Kind {
        cgdsl_shift_witness: Option<IgnoredAny>,
        cgdsl_partizan_witness: Option<IgnoredAny>,
        cgdsl_quotient_witness: Option<IgnoredAny>,
        cgdsl_infinite_quotient_witness: Option<IgnoredAny>,
        cgdsl_sides_witness: Option<IgnoredAny>,
    }
    let kind: Kind = serde_json::from_str(text).map_err(wrong)?;
    let read = if kind.cgdsl_shift_witness.is_some() {
        serde_json::from_str(text).map(Claimed::Shift)
    } else if kind.cgdsl_partizan_witness.is_some() {
        serde_json::from_str(text).map(Claimed::Partizan)
    } else if kind.cgdsl_quotient_witness.is_some() {
        serde_json::from_str(text).map(Claimed::Quotient)
    } else if kind.cgdsl_infinite_quotient_witness.is_some() {
        serde_json::from_str(text).map(Claimed::Infinite)
    } else if kind.cgdsl_sides_witness.is_some() {
        serde_json::from_str(text).map(Claimed::Sides)
    } else {
        serde_json::from_str(text).map(Claimed::Period)
    };
    read.map_err(wrong)
}

/// Checks a witness with this many threads. `progress` gets the number of values checked so far, and ends the check by
/// returning false.
///
/// # Errors
/// The first thing that is wrong.
pub fn check(
    witness: &Witness,
    threads: usize,
    progress: &mut dyn FnMut(u64) -> bool,
) -> Result<(), Refusal> {
    let w = witness;
    is_genuine(
        w.cgdsl_period_witness,
        (&w.hash, w.right_hash()),
        (&w.theorem, &[THEOREM, THEOREM_BEFORE]),
    )?;
    hypotheses(w)?;
    // The cheap part first: without the equation there is no need to recompute the values.
    equation(w)?;
    match w
        .values
        .iter()
        .map(|v| u8::try_from(*v))
        .collect::<Result<Vec<u8>, _>>()
    {
        Ok(bytes) => values(&w.rule, &bytes, threads, progress),
        Err(_) => values(&w.rule, &w.values, threads, progress),
    }
}

/// Checks that the numbers of the theorem fit the rule.
fn hypotheses(w: &Witness) -> Result<(), Refusal> {
    // A move that takes nothing must break its heap, or play need not end.
    let ends = |way: &Way| way.heaps <= 3 && (way.taken > 0 || way.heaps >= 2);
    if !w.rule.is_sorted() || !w.rule.iter().all(ends) {
        return refuse("the rule is not of the kind that the theorem is about");
    }
    let taken = w.rule.iter().map(|way| u64::from(way.taken)).max();
    let heaps = w.rule.iter().map(|way| u64::from(way.heaps)).max();
    if taken.unwrap_or(0) != w.taken || heaps.unwrap_or(1).max(1) != w.heaps {
        return refuse("b or k is not that of the rule");
    }
    if w.period == 0 {
        return refuse("a period is at least 1");
    }
    // With n0 = 0 the proof needs that the rule treats an empty heap like any other heap.
    let may = |taken, heaps| w.rule.contains(&Way { taken, heaps });
    let empties = w.rule.iter().all(|way| {
        may(way.taken, 0) && may(way.taken, 1) && (way.heaps < 2 || may(way.taken, way.heaps - 1))
    });
    let from = if empties {
        w.preperiod
    } else {
        w.preperiod.max(1)
    };
    let bound = w
        .heaps
        .checked_mul(from)
        .and_then(|n| n.checked_add((w.heaps - 1).checked_mul(w.period)?))
        .and_then(|n| n.checked_add(w.taken));
    if bound != Some(w.checked) {
        return refuse("the bound is not that of the theorem");
    }
    if w.values.len() > MAX_VALUES {
        return refuse(format!("more than {MAX_VALUES} values"));
    }
    if w.checked.checked_add(w.period) != Some(w.values.len() as u64) {
        return refuse("there are not as many values as the bound asks for");
    }
    Ok(())
}

/// A nim-value of either width. Narrow ones are compared twice as many at a time.
trait Nim: Copy + Eq + Sync + BitXor<Output = Self> + Into<u16> {}
impl Nim for u8 {}
impl Nim for u16 {}

/// Checks that each value is the mex of the values of its options: it is not among them, and every smaller one is. Since
/// all values are given, each is checked independently, on any thread.
fn values<T: Nim>(
    rule: &[Way],
    g: &[T],
    threads: usize,
    progress: &mut dyn FnMut(u64) -> bool,
) -> Result<(), Refusal> {
    let mirror: Vec<T> = g.iter().rev().copied().collect();
    let heaps = Heaps {
        rule,
        g,
        mirror: &mirror,
    };
    let threads = threads.clamp(1, 1024);
    // Three heaps take quadratic time for a single value.
    let block = if rule.iter().any(|w| w.heaps > 2) {
        8
    } else {
        BLOCK
    };
    let mut done = 0;
    while done < g.len() {
        let end = g.len().min(done + block * threads);
        let wrong = std::thread::scope(|scope| {
            let parts: Vec<_> = (0..threads)
                .map(|t| {
                    let heaps = &heaps;
                    // Interleave the heaps, since large ones take longer than small ones.
                    scope
                        .spawn(move || (done + t..end).step_by(threads).find(|n| !heaps.is_mex(*n)))
                })
                .collect();
            // A thread that panicked has checked nothing: count its first value as wrong.
            let found = parts.into_iter().map(|p| p.join().unwrap_or(Some(done)));
            found.flatten().min()
        });
        if let Some(n) = wrong {
            let claimed: u16 = g[n].into();
            return refuse(format!("G({n}) is not {claimed}"));
        }
        done = end;
        if !progress(done as u64) {
            return Err(Refusal::Ended);
        }
    }
    Ok(())
}

/// A rule with the claimed values, forwards and backwards: G(m) is `mirror[last - m]`.
struct Heaps<'w, T> {
    rule: &'w [Way],
    g: &'w [T],
    mirror: &'w [T],
}

impl<T: Nim> Heaps<'_, T> {
    /// The values G(a) for a = 1 .. rest/2, and those of the other heap of each pair, G(rest - a).
    fn pairs(&self, rest: usize) -> (&[T], &[T]) {
        let halves = rest / 2;
        let first = self.g.len() - rest;
        (&self.g[1..=halves], &self.mirror[first..first + halves])
    }

    fn is_mex(&self, n: usize) -> bool {
        let claimed = self.g[n];
        let rest_of = |way: &Way| n.checked_sub(way.taken as usize);
        let mut missing: Vec<u16> = (0..claimed.into()).collect();
        let mut met = Met::default();
        // Options with no heap, one heap or three heaps.
        for way in self.rule {
            let Some(rest) = rest_of(way) else { continue };
            match way.heaps {
                0 if rest == 0 => met.note(0),
                1 if rest > 0 => met.note(self.g[rest].into()),
                3 => {
                    for a in 1..=rest / 3 {
                        for b in a..=(rest - a) / 2 {
                            met.note((self.g[a] ^ self.g[b] ^ self.g[rest - a - b]).into());
                        }
                    }
                }
                _ => {}
            }
        }
        let twos = || self.rule.iter().filter(|w| w.heaps == 2);
        let rests = || twos().filter_map(rest_of).filter(|rest| *rest >= 2);
        // The claimed value itself: compare every pair with it.
        if met.has(claimed.into()) {
            return false;
        }
        for rest in rests() {
            let (left, right) = self.pairs(rest);
            for (left, right) in left.chunks(4096).zip(right.chunks(4096)) {
                let pairs = left.iter().zip(right);
                if pairs.fold(false, |hit, (a, b)| hit | (*a ^ *b == claimed)) {
                    return false;
                }
            }
        }
        // The smaller values: until none is missing.
        missing.retain(|v| !met.has(*v));
        for rest in rests() {
            let (left, right) = self.pairs(rest);
            for (left, right) in left.chunks(128).zip(right.chunks(128)) {
                if missing.is_empty() {
                    return true;
                }
                for (a, b) in left.iter().zip(right) {
                    met.note((*a ^ *b).into());
                }
                missing.retain(|v| !met.has(*v));
            }
        }
        missing.is_empty()
    }
}

/// A set of nim-values.
struct Met(Vec<bool>);

impl Default for Met {
    fn default() -> Met {
        Met(vec![false; 1 << 10])
    }
}

impl Met {
    fn note(&mut self, value: u16) {
        let at = usize::from(value);
        if at >= self.0.len() {
            self.0.resize(1 << 16, false);
        }
        self.0[at] = true;
    }

    fn has(&self, value: u16) -> bool {
        self.0.get(usize::from(value)) == Some(&true)
    }
}

/// Checks the equation of the theorem, and that the preperiod and the period are the least.
fn equation(w: &Witness) -> Result<(), Refusal> {
    // All of these are at most the number of values, which was checked.
    let size = |n: u64| usize::try_from(n).unwrap_or(usize::MAX);
    let (g, p, n0) = (&w.values, size(w.period), size(w.preperiod));
    let holds = |p: usize, n0: usize| (n0..g.len() - p).find(|n| g[*n] != g[n + p]);
    if n0 > g.len() - p {
        return refuse("the preperiod is beyond the values");
    }
    if let Some(n) = holds(p, n0) {
        return refuse(format!("G({n}) and G({}) differ", n + p));
    }
    if n0 > 0 && g[n0 - 1] == g[n0 - 1 + p] {
        return refuse("the preperiod is not the least");
    }
    if let Some(q) = (1..p)
        .filter(|q| p % q == 0)
        .find(|q| holds(*q, n0).is_none())
    {
        return refuse(format!("{q} is a period already"));
    }
    Ok(())
}
