//! The misère quotient of the heaps of an impartial rule. Input: a taking-and-breaking rule, or heaps one after the other.
//! Output: the quotient of as many heaps as were reached, the element of each heap, the period where it is proven for all
//! heaps, or the proof that the quotient of more heaps is infinite, and the certificate (T. E. Plambeck, A. N. Siegel,
//! *Misère quotients for impartial games*, 2008; [`crate::engine::misere::quotient`]).

use super::misere::why_unknown;
use super::solve::Solver;
use crate::base::Span;
use crate::engine::misere::quotient::{
    Graded, Learner, Limits, Period, Periodic, Quotient, Unknown, all_heaps, witness,
};
use crate::engine::misere::{Closed, Listed, Word};
use crate::engine::sequence::TakingRule;
use crate::ir::{Position, Res};
use crate::verify::{InfiniteWitness, MOST_PARTS, QuotientWitness};
use serde::Serialize;

/// The misère quotient of the first heaps of a rule, or of all its heaps.
#[derive(Debug)]
pub struct HeapQuotient {
    of: Of,
    /// Why the quotient of more heaps was not found, in words, if more were wanted.
    stopped: Option<String>,
    infinite: Option<Infinite>,
}

/// The proof that the quotient with one heap more is infinite.
#[derive(Debug)]
struct Infinite {
    graded: Graded,
    /// The heaps that the pair of the proof are, if these parts are heaps.
    pair: (Option<u64>, Option<u64>),
}

impl Infinite {
    /// The proof that was found, if one was; `heap` says which heap a part is.
    fn of(learner: &Learner, heap: impl Fn(u32) -> Option<u64>) -> Option<Infinite> {
        let graded = learner.infinite()?.clone();
        let (g, h) = graded.pair();
        let pair = (heap(g), heap(h));
        Some(Infinite { graded, pair })
    }
}

/// A certificate for `cgdsl verify`.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub enum Certificate {
    /// Of a quotient.
    Quotient(QuotientWitness),
    /// That the quotient is infinite.
    Infinite(InfiniteWitness),
}

#[derive(Debug)]
enum Of {
    /// A taking-and-breaking rule: part n is heap n.
    Rule(Box<TakingRule>, Box<Periodic>),
    /// Heaps as sums of listed parts.
    Parts {
        listed: Listed,
        heaps: Vec<Word>,
        learner: Box<Learner>,
    },
}

impl HeapQuotient {
    fn learner(&self) -> &Learner {
        match &self.of {
            Of::Rule(_, all) => &all.learner,
            Of::Parts { learner, .. } => learner,
        }
    }

    /// The quotient of all sums of the heaps that were added; of all heaps if a period is known.
    #[must_use]
    pub fn quotient(&self) -> &Quotient {
        self.learner().quotient()
    }

    /// The period of the elements that is proven for all heaps.
    #[must_use]
    pub fn period(&self) -> Option<Period> {
        match &self.of {
            Of::Rule(_, all) => all.period,
            Of::Parts { .. } => None,
        }
    }

    /// The number of heaps that were added: 0, 1, and so on.
    #[must_use]
    pub fn heaps(&self) -> u64 {
        match &self.of {
            Of::Rule(_, all) => all.quotient().parts() as u64,
            Of::Parts { heaps, .. } => heaps.len() as u64,
        }
    }

    /// The element of a heap; with a period, of a heap of any size.
    #[must_use]
    pub fn phi(&self, heap: u64) -> Option<u16> {
        match &self.of {
            Of::Rule(_, all) => all.phi(heap),
            Of::Parts { heaps, .. } => {
                let word = heaps.get(usize::try_from(heap).ok()?)?;
                self.quotient().of(word)
            }
        }
    }

    /// For each generator of the quotient the smallest heap that is this part; `None` if it occurs in larger positions only
    /// as one of several parts.
    #[must_use]
    pub fn generators(&self) -> Vec<Option<u64>> {
        let all = self.quotient().generators().iter();
        match &self.of {
            Of::Rule(..) => all.map(|g| Some(u64::from(*g))).collect(),
            Of::Parts { heaps, .. } => {
                let heap = |g: &u32| heaps.iter().position(|w| w[..] == [*g]);
                all.map(|g| heap(g).map(|n| n as u64)).collect()
            }
        }
    }

    /// Why the quotient of more heaps was not found, in words.
    #[must_use]
    pub fn why_unknown(&self) -> Option<&str> {
        self.stopped.as_deref()
    }

    /// Where the quotient with one heap more is infinite: a heap and another, such that infinitely many sums of the first
    /// are told apart by sums with the second. `None` for what is no heap alone.
    #[must_use]
    pub fn infinite(&self) -> Option<(Option<u64>, Option<u64>)> {
        self.infinite.as_ref().map(|i| i.pair)
    }

    /// The certificate, of the quotient or of the proof that it is infinite; `None` for rules that ask for different heaps
    /// in some moves and not in others.
    #[must_use]
    pub fn certificate(&self, name: &str) -> Option<Certificate> {
        let graded = self.infinite.as_ref().map(|i| &i.graded);
        Some(match (&self.of, graded) {
            (Of::Rule(rule, all), None) => {
                Certificate::Quotient(witness::of_heaps(name, rule, &all.learner, all.period)?)
            }
            (Of::Rule(rule, _), Some(g)) => {
                Certificate::Infinite(witness::infinite_of_heaps(name, rule, g)?)
            }
            (
                Of::Parts {
                    listed, learner, ..
                },
                None,
            ) => Certificate::Quotient(witness::of_listed(name, listed, learner)),
            (Of::Parts { listed, .. }, Some(g)) => {
                Certificate::Infinite(witness::infinite_of_listed(name, listed, g))
            }
        })
    }
}

/// An idempotent of a misère quotient: an element that is equal to its square. e <= f means ef = e, so that the identity is
/// the greatest. Every element has one idempotent among its powers; the elements with the same idempotent are its
/// *archimedean component*, and the components partition the quotient (A. H. Clifford and G. B. Preston, *The Algebraic Theory
/// of Semigroups*, section 4.3).
#[derive(Debug)]
pub struct Idempotent {
    /// Its name.
    pub name: String,
    /// The number of elements of its component.
    pub elements: usize,
    /// The number of elements of P among them.
    pub p: usize,
    /// The places of the idempotents directly above it.
    pub below: Vec<usize>,
    /// The length of the longest chain down to it from the identity.
    pub depth: usize,
}

/// The most idempotents that are put in order.
const MOST_IDEMPOTENTS: usize = 40;

/// The idempotents of a quotient, the identity first.
///
/// # Errors
/// Their number, if there are more than 40.
pub fn idempotents(q: &Quotient) -> Result<Vec<Idempotent>, usize> {
    let all = q.idempotents();
    if all.len() > MOST_IDEMPOTENTS {
        return Err(all.len());
    }
    let under = |e: usize, f: usize| e != f && q.times(all[e], all[f]) == all[e];
    let places = 0..all.len();
    let mut found: Vec<Idempotent> = places
        .clone()
        .map(|e| {
            let above: Vec<usize> = places.clone().filter(|f| under(e, *f)).collect();
            let direct = |f: &&usize| !above.iter().any(|g| under(*g, **f));
            Idempotent {
                name: q.name(all[e]),
                elements: 0,
                p: 0,
                below: above.iter().filter(direct).copied().collect(),
                depth: 0,
            }
        })
        .collect();
    for x in 0..q.order() as u16 {
        let mut power = x;
        while q.times(power, power) != power {
            power = q.times(power, x);
        }
        if let Ok(e) = all.binary_search(&power) {
            found[e].elements += 1;
            found[e].p += usize::from(q.is_p(x));
        }
    }
    // A chain has at most as many members as there are idempotents.
    for _ in places.clone() {
        for e in places.clone() {
            let above = found[e].below.iter().map(|f| found[*f].depth + 1);
            found[e].depth = above.max().unwrap_or(0);
        }
    }
    Ok(found)
}

/// The reason to stop where every heap that a certificate may list was added, and more are wanted.
fn too_many(last: u64) -> Option<String> {
    (last >= MOST_PARTS as u64).then(|| format!("at most {MOST_PARTS} heaps are added"))
}

/// The last heap to be added.
fn last_of(last: u64) -> u32 {
    u32::try_from(last.min(MOST_PARTS as u64 - 1)).unwrap_or(u32::MAX)
}

impl Solver {
    fn quotient_limits(&self) -> Limits {
        Limits {
            memory: self.limits.memory,
            ..Limits::default()
        }
    }

    /// The misère quotient of a taking-and-breaking rule: of all heaps if their period is proven from heaps 0 to `last`,
    /// else of these heaps, or of as many as a certificate may list. `progress` gets the number of heaps added.
    #[must_use]
    pub fn quotient_of_rule(
        &self,
        rule: TakingRule,
        last: u64,
        progress: &mut dyn FnMut(u64),
    ) -> HeapQuotient {
        let all = all_heaps(
            &rule,
            0,
            last_of(last),
            self.quotient_limits(),
            &self.budget(),
            &mut |q| progress(q.parts() as u64),
        );
        let infinite = Infinite::of(&all.learner, |part| Some(u64::from(part)));
        HeapQuotient {
            infinite,
            stopped: match (all.stopped, all.period) {
                // A period says all there is to say, even if it was found at the last moment; so does a proof that there are
                // infinitely many elements.
                (_, Some(_)) | (Some(Unknown::Infinite), _) => None,
                (Some(why), None) => Some(why_unknown(why)),
                (None, None) => too_many(last),
            },
            of: Of::Rule(Box::new(rule), Box::new(all)),
        }
    }

    /// The misère quotient of heaps 0 to `last` of any impartial rule. `heap` makes the heap of a size.
    ///
    /// # Errors
    /// The players have different moves somewhere; a rule that fails. A limit is no error: the heaps before remain.
    pub fn quotient_of_heaps(
        &self,
        last: u64,
        heap: &dyn Fn(u64) -> Res<Position>,
        span: Span,
        progress: &mut dyn FnMut(u64),
    ) -> Res<HeapQuotient> {
        let budget = self.budget();
        let mut learner = Learner::new(self.quotient_limits());
        let mut heaps = Vec::new();
        let mut stopped = too_many(last);
        let mut infinite = None;
        for n in 0..=u64::from(last_of(last)) {
            let word = match self.misere_word(&heap(n)?, span) {
                Ok(word) => word,
                Err(fault) if fault.code.is_limit() => {
                    stopped = Some(fault.message.clone());
                    break;
                }
                Err(fault) => return Err(fault),
            };
            let listed = self.misere.listed();
            // A heap may bring other parts with it; if one of them fails, the quotient before this heap is wanted.
            let several = listed.len() > learner.quotient().parts() + 1;
            let before = several.then(|| learner.clone());
            if let Err(why) = learner.take_all(&*listed, &budget) {
                infinite = Infinite::of(&learner, |part| {
                    let mut with_this = heaps.iter().chain([&word]);
                    let heap = with_this.position(|w: &Word| w[..] == [part]);
                    heap.map(|n| n as u64)
                });
                stopped = match why {
                    Unknown::Infinite => None,
                    why => Some(why_unknown(why)),
                };
                learner = before.unwrap_or(learner);
                break;
            }
            heaps.push(word);
            progress(heaps.len() as u64);
        }
        let listed = self.misere.listed().clone();
        Ok(HeapQuotient {
            stopped,
            infinite,
            of: Of::Parts {
                listed,
                heaps,
                learner: Box::new(learner),
            },
        })
    }
}
