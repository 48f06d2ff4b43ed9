//! Learns the outcomes of sums beside copies of a new part, first of those in which a part h occurs at most J times, for J
//! = 0, 1, 2, and so on. Input: the quotient beside fewer copies, and the old parts to look at. Output: a proof that the
//! quotient is infinite, or the outcomes of the sums looked at, with which the search goes on.
//!
//! *Weights.* The weight of a part is at least that of each of its options, and at least the number of times that h occurs
//! in the word of its element. So no move raises the weight of a sum, and the sums up to a weight are closed under options.
//! The monoid of level J is that of level J - 1 and, for sums of weight J, the monoid given; heavier sums lead to one more
//! element, about which nothing is said. `level` refines it until it recognizes the P-positions.

use super::super::super::{Closed, Word};
use super::super::Unknown;
use super::super::level::{Level, Search};
use super::super::monoid::Monoid;
use super::super::oracle::{Options, Oracle, Proven};
use super::Graded;
use super::sums::{BEYOND, Copies, Sums};
use crate::game::{Budget, Limit};
use std::cmp::Ordering::{Equal, Greater, Less};

/// The most elements of a monoid for sums up to a weight, with little effort and with much.
const FEW_ELEMENTS: usize = 512;
const MOST_ELEMENTS: usize = 4096;
/// The positions that the sums beside a part may take, for each sum that the search has solved.
const FACTOR: u64 = 1;
/// The least weight up to which the sums may suggest a description.
const LEAST_WEIGHT: usize = 4;

/// Sums beside copies of a new part.
pub(in super::super) struct Beside<'b, C: Closed + ?Sized> {
    pub closed: &'b C,
    /// Recognizes the words beside fewer copies.
    pub monoid: &'b Monoid,
    /// For each smaller number of copies, which elements are P-positions.
    pub marks: &'b [Vec<bool>],
    /// Which elements are P-positions beside all copies, if that is known.
    pub settled: &'b [Option<bool>],
    pub new: u32,
    /// The first old parts with options.
    pub parts: &'b [u32],
    /// Bytes for the memo table of outcomes of sums, and as many for what is found.
    pub memory: usize,
}

/// What the sums up to some weights show.
pub(in super::super) enum Weighed {
    Infinite(Graded),
    /// Their outcomes, for as many parts h as there is memory for.
    Known(Vec<Proven>),
}

/// The weight of an element and its element in the monoid beside fewer copies; `None` if it stands for heavier sums.
type Origin = Option<(usize, u16)>;

/// What is known of sums up to a weight.
struct Known {
    proven: Proven,
    of: Vec<Origin>,
}

impl Known {
    fn nothing() -> Known {
        Known {
            proven: Proven::nothing(),
            of: vec![None],
        }
    }
}

impl<C: Closed + ?Sized> Beside<'_, C> {
    /// Looks at sums up to growing weights. For each part h, the effort in positions is at most [`FACTOR`] times the one
    /// given.
    ///
    /// # Errors
    /// A limit of the run.
    pub(in super::super) fn find(
        &self,
        effort: usize,
        budget: &Budget,
    ) -> Result<Weighed, Unknown> {
        let mut options = Options::default();
        let (mut all, mut room) = (Vec::new(), self.memory);
        // The parts that came last first.
        let generators = self.monoid.generators.iter().rev();
        for h in generators.filter(|g| self.parts.contains(g)) {
            budget.charge()?;
            let nodes = FACTOR * effort as u64;
            let mut known = Known::nothing();
            let look = |part: &Budget| self.by_weight(*h, effort, &mut known, &mut options, part);
            match budget.lend(nodes, look) {
                (Ok(Some(graded)), _) => return Ok(Weighed::Infinite(graded)),
                (Ok(None) | Err(Unknown::Limit(Limit::Nodes)), _) => {}
                (Err(why), _) => return Err(why),
            }
            room = room.saturating_sub(known.proven.bytes());
            if room > 0 {
                all.push(known.proven);
            }
        }
        Ok(Weighed::Known(all))
    }

    /// The same for one part h. What is found on the way is left in `known`.
    fn by_weight(
        &self,
        h: u32,
        effort: usize,
        known: &mut Known,
        options: &mut Options,
        budget: &Budget,
    ) -> Result<Option<Graded>, Unknown> {
        let weights = self.weights(h);
        known.proven.monoid.phi = vec![0; weights.len()];
        for weight in 0.. {
            let heavier = self.heavier(known, (weight, &weights), effort, options, budget)?;
            let Some(heavier) = heavier else { break };
            *known = heavier;
            if weight >= LEAST_WEIGHT
                && let Some(graded) = self.sums(known).find(self.closed, budget)?
            {
                return Ok(Some(graded));
            }
        }
        Ok(None)
    }

    /// The weights of all parts up to the last one that is looked at.
    fn weights(&self, h: u32) -> Vec<usize> {
        let mut all: Vec<usize> = Vec::new();
        for part in 0..=self.parts.last().copied().unwrap_or(0) {
            let word = &self.monoid.words[usize::from(self.monoid.phi[part as usize])];
            let mut weight = word.iter().filter(|l| **l == h).count();
            self.closed.options(part, &mut |word| {
                weight = weight.max(word.iter().map(|l| all[*l as usize]).sum());
            });
            all.push(weight);
        }
        all
    }

    /// What is known of sums up to a weight, from what is known up to one less; `None` if that takes too much.
    fn heavier(
        &self,
        last: &Known,
        (weight, weights): (usize, &[usize]),
        effort: usize,
        options: &mut Options,
        budget: &Budget,
    ) -> Result<Option<Known>, Unknown> {
        // First the elements for lighter sums, then those for this weight, then that for heavier sums.
        let lighter: Vec<usize> = (0..last.of.len())
            .filter(|x| last.of[*x].is_some())
            .collect();
        let mut place = vec![0; last.of.len()];
        lighter.iter().enumerate().for_each(|(i, x)| place[*x] = i);
        let mut of: Vec<Origin> = lighter.iter().map(|x| last.of[*x]).collect();
        of.extend((0..self.monoid.order() as u16).map(|x| Some((weight, x))));
        of.push(None);
        let was = &last.proven.monoid;
        let (wide, heavy) = (of.len(), of.len() - 1);
        let most = (effort / 32).clamp(FEW_ELEMENTS, MOST_ELEMENTS);
        if wide > most {
            return Ok(None);
        }
        let mut table = vec![heavy as u16; wide * wide];
        for (a, x) in of.iter().enumerate() {
            budget.check()?;
            for (b, y) in of.iter().enumerate() {
                let (Some((i, x)), Some((k, y))) = (x, y) else {
                    continue;
                };
                let product = match (i + k).cmp(&weight) {
                    Less => place[usize::from(was.times(lighter[a] as u16, lighter[b] as u16))],
                    Equal => lighter.len() + usize::from(self.monoid.times(*x, *y)),
                    Greater => continue,
                };
                table[a * wide + b] = product as u16;
            }
        }
        let element = |(part, w): (usize, &usize)| {
            let x = match w.cmp(&weight) {
                Less => place[usize::from(was.phi[part])],
                Equal => lighter.len() + usize::from(self.monoid.phi[part]),
                Greater => heavy,
            };
            x as u16
        };
        let base = Monoid {
            words: vec![Word::new(); wide],
            table,
            phi: weights.iter().enumerate().map(element).collect(),
            generators: Vec::new(),
        };
        let mut settled: Vec<Option<bool>> = lighter.iter().map(|x| last.proven.is_p[*x]).collect();
        settled.extend_from_slice(self.settled);
        settled.push(Some(false));
        let tables = (&base, &settled[..]);
        let mut oracle = Oracle::new(self.closed, tables, options, budget, self.memory);
        let level = Search::new(&mut oracle, self.parts).level(most, effort);
        let Level {
            monoid,
            base,
            marks,
        } = match level {
            Ok(Some(level)) => level,
            Ok(None) | Err(Unknown::Order(_)) => return Ok(None),
            Err(why) => return Err(why),
        };
        let of: Vec<Origin> = base.iter().map(|x| of[usize::from(*x)]).collect();
        let known = |(of, is_p): (&Origin, &bool)| of.map(|_| *is_p);
        let is_p = of.iter().zip(&marks).map(known).collect();
        let proven = Proven { monoid, is_p };
        Ok(Some(Known { proven, of }))
    }

    /// The known sums beside all copies.
    fn sums<'s>(&'s self, known: &Known) -> Sums<'s> {
        let m = &known.proven.monoid;
        let heavy = |x: u16| known.of[usize::from(x)].is_none();
        let row = |x: u16| {
            let to = |l: &u32| match m.times(x, m.phi[*l as usize]) {
                y if heavy(x) || heavy(y) => BEYOND,
                y => u32::from(y),
            };
            m.generators.iter().map(to).collect()
        };
        // A part that is too heavy is described beside fewer copies only.
        let word = |part: u32| {
            let x = *m.phi.get(part as usize)?;
            (!heavy(x)).then(|| m.words[usize::from(x)].clone())
        };
        Sums {
            letters: m.generators.clone(),
            acts: (0..m.order() as u16).map(row).collect(),
            is_p: known.proven.is_p.iter().map(|p| *p == Some(true)).collect(),
            of_part: (0..self.new).map(word).collect(),
            new: self.new,
            copies: Copies::Fixed {
                monoid: self.monoid,
                marks: self.marks,
            },
        }
    }
}
