//! Learns a monoid that recognizes the words of parts that are P-positions beside j copies of a new part, by the method of
//! D. Angluin (*Learning regular sets from queries and counterexamples*, 1987; R. L. Rivest, R. E. Schapire 1993 for the
//! analysis of counterexamples).
//!
//! * *Membership queries* are answered by the `oracle`.
//! * *Experiments* are words c; at first there are none. The row of a word w consists of its element in the monoid for fewer
//!   copies and, for each experiment, of whether w + c is a P-position beside the copies. Words with different rows are
//!   different in every monoid that is fine enough.
//! * *Hypothesis.* Words are visited in a monomial order: by the number of moves that they last, then by parts. A word with
//!   a new row is the least in its class and stands for an element. A word with a known row gives the rule (word → least
//!   word), and its multiples are not visited (B. Buchberger, H. M. Möller 1982). Rules replace words by smaller ones, so
//!   every word has a normal form.
//! * *Counterexample*: parts that do not commute on the elements, or a sum that violates the two conditions (`check`). Among
//!   the steps that lead from a misjudged word to its normal form, there is one, v + l → v + r for a rule l → r, at which
//!   the true outcome changes. So v distinguishes l and r, and is the next experiment.
//!
//! Each experiment separates two words that had equal rows but are different in Q, the quotient sought. So there are fewer
//! than |Q| experiments, and the search ends if Q is finite.

use super::super::{Closed, Word, contains, sum, without};
use super::Unknown;
use super::check::{Conditions, Failure};
use super::monoid::{Monoid, products, weigh};
use super::oracle::{Oracle, Proven};
use crate::game::Limit;
use hashbrown::{HashMap, HashSet};
use rustc_hash::FxBuildHasher;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The learned monoid for j copies.
pub(super) struct Level {
    /// Has elements for all parts before the new one.
    pub monoid: Monoid,
    /// For each element its element in the monoid for fewer copies.
    pub base: Vec<u16>,
    /// The elements that are P-positions beside the copies.
    pub marks: Vec<bool>,
}

/// The element in the monoid for fewer copies, and the results of the experiments.
type Row = (u16, Vec<bool>);

/// The result of testing a hypothesis.
enum Tried {
    Holds(Conditions),
    Experiment(Word),
}

/// The state of the search.
pub(super) struct Search<'s, 'o, C: Closed + ?Sized> {
    oracle: &'s mut Oracle<'o, C>,
    /// Parts with options.
    parts: &'s [u32],
    most: usize,
    /// The number of parts in the last hypothesis.
    taken: usize,
    experiments: Vec<Word>,
    rows: HashMap<Word, Row, FxBuildHasher>,
}

/// The monoid that the experiments so far suggest.
struct Hypothesis {
    monoid: Monoid,
    rules: Vec<(Word, Word)>,
    of_row: HashMap<Row, u16, FxBuildHasher>,
    marks: Vec<bool>,
}

impl<'s, 'o, C: Closed + ?Sized> Search<'s, 'o, C> {
    /// A search that has not begun.
    pub(super) fn new(oracle: &'s mut Oracle<'o, C>, parts: &'s [u32]) -> Self {
        Search {
            oracle,
            parts,
            most: 0,
            taken: 0,
            experiments: Vec::new(),
            rows: HashMap::default(),
        }
    }

    /// Learns the level part by part: results proven for earlier parts speed up the search for later ones. The monoid has at
    /// most `most` elements, and the oracle solves at most `effort` sums. `None` if the latter do not suffice; the search
    /// goes on where it was if it is called again.
    pub(super) fn level(&mut self, most: usize, effort: usize) -> Result<Option<Level>, Unknown> {
        (self.most, self.oracle.most) = (most, effort);
        match self.learned() {
            Err(Unknown::Limit(Limit::Nodes)) if self.oracle.is_exhausted() => Ok(None),
            found => found.map(Some),
        }
    }

    /// Gives the search the outcomes of the words up to some weights.
    pub(super) fn know(&mut self, weighed: Vec<Proven>) {
        self.oracle.weighed = weighed;
    }

    /// The parts among which the search has come to a hypothesis.
    pub(super) fn reached(&self) -> &'s [u32] {
        &self.parts[..self.taken]
    }

    fn learned(&mut self) -> Result<Level, Unknown> {
        let mut taken = self.taken;
        loop {
            self.taken = taken;
            let mut h = self.hypothesis(taken)?;
            let mut conditions = match self.test(&mut h, taken)? {
                Tried::Experiment(c) => {
                    self.experiments.push(c);
                    continue;
                }
                Tried::Holds(conditions) => conditions,
            };
            self.oracle.proven = Proven {
                monoid: h.monoid.clone(),
                is_p: h.marks.iter().map(|p| Some(*p)).collect(),
            };
            while let Some(part) = self.parts.get(taken) {
                let row = self.row(&Word::from_slice(&[*part]))?.clone();
                let Some(x) = h.of_row.get(&row) else { break };
                let m = &mut h.monoid;
                let options = m.options_of(self.oracle.closed, *part);
                let taken_in = (*part, *x, &options);
                let (none, budget) = (&mut |_| Word::new(), self.oracle.budget);
                if conditions.clashes(*x, &options)
                    || conditions
                        .add(m, taken_in, none, &|w| w.len() as u64, budget)?
                        .is_err()
                {
                    break;
                }
                for m in [m, &mut self.oracle.proven.monoid] {
                    m.phi.resize(*part as usize, 0);
                    m.phi.push(*x);
                }
                taken += 1;
            }
            if taken == self.parts.len() {
                let mut base = vec![0; h.monoid.order()];
                for ((b, _), x) in &h.of_row {
                    base[usize::from(*x)] = *b;
                }
                return Ok(Level {
                    monoid: h.monoid,
                    base,
                    marks: h.marks,
                });
            }
            taken += 1;
        }
    }

    fn row(&mut self, word: &Word) -> Result<&Row, Limit> {
        let base = self.oracle.monoid.of(word).unwrap_or(0);
        let (_, row) = self
            .rows
            .entry(word.clone())
            .or_insert_with(|| (base, Vec::new()));
        while row.len() < self.experiments.len() {
            let all = sum(word, &self.experiments[row.len()]);
            row.push(self.oracle.is_p(&all)?);
        }
        Ok(&self.rows[word])
    }

    fn hypothesis(&mut self, taken: usize) -> Result<Hypothesis, Unknown> {
        let closed = self.oracle.closed;
        let mut waiting: BinaryHeap<Reverse<(u64, Word)>> = BinaryHeap::new();
        let mut met: HashSet<Word, FxBuildHasher> = HashSet::default();
        waiting.push(Reverse((0, Word::new())));
        for part in &self.parts[..taken] {
            let word = Word::from_slice(&[*part]);
            waiting.push(Reverse((weigh(closed, &word), word)));
        }
        let mut words: Vec<Word> = Vec::new();
        let mut of_row: HashMap<Row, u16, FxBuildHasher> = HashMap::default();
        let mut rules: Vec<(Word, Word)> = Vec::new();
        let mut generators: Vec<u32> = Vec::new();
        while let Some(Reverse((_, word))) = waiting.pop() {
            self.oracle.budget.charge()?;
            if rules.iter().any(|(l, _)| contains(&word, l)) {
                continue;
            }
            let row = self.row(&word)?.clone();
            if let Some(x) = of_row.get(&row) {
                rules.push((word, words[usize::from(*x)].clone()));
                continue;
            }
            if words.len() >= self.most {
                return Err(Unknown::Order(self.most));
            }
            of_row.insert(row, words.len() as u16);
            words.push(word.clone());
            let mut push = |w: Word| {
                if met.insert(w.clone()) {
                    waiting.push(Reverse((weigh(closed, &w), w)));
                }
            };
            if let [g] = word[..] {
                generators.push(g);
                for w in words.iter().filter(|w| !w.is_empty()) {
                    push(sum(w, &[g]));
                }
            }
            if !word.is_empty() {
                generators.iter().for_each(|g| push(sum(&word, &[*g])));
            }
        }
        generators.sort_unstable();
        let mut marks = Vec::with_capacity(words.len());
        for word in &words {
            marks.push(self.oracle.is_p(word)?);
        }
        // The outcomes of least words are a good guess for the others.
        if self.experiments.is_empty() {
            self.oracle.guess = vec![false; self.oracle.monoid.order()];
            for ((base, _), x) in &of_row {
                self.oracle.guess[usize::from(*base)] = marks[usize::from(*x)];
            }
        }
        Ok(Hypothesis {
            marks,
            monoid: Monoid {
                words,
                table: Vec::new(),
                phi: Vec::new(),
                generators,
            },
            rules,
            of_row,
        })
    }

    /// Computes the products and the elements of the parts, and looks for a counterexample.
    fn test(&mut self, h: &mut Hypothesis, taken: usize) -> Result<Tried, Unknown> {
        let normal = Normal::new(h);
        let n = h.monoid.order();
        let generators = h.monoid.generators.clone();
        let mut acts: Vec<Vec<u16>> = Vec::with_capacity(n);
        for word in &h.monoid.words {
            self.oracle.budget.charge()?;
            let by = |g: &u32| normal.form(sum(word, &[*g]), &mut |_, _, _| Ok(()));
            acts.push(generators.iter().map(by).collect::<Result<_, Limit>>()?);
        }
        if let Some((x, i, j)) = not_commuting(&acts) {
            return self.not_commuting(h, &normal, &acts, (x, i, j));
        }
        let m = &mut h.monoid;
        m.table = products(&acts);
        let closed = self.oracle.closed;
        let last = self.parts[..taken].last().map_or(0, |p| *p as usize + 1);
        m.phi = vec![0; last];
        for part in &self.parts[..taken] {
            let word = Word::from_slice(&[*part]);
            m.phi[*part as usize] = normal.form(word, &mut |_, _, _| Ok(()))?;
        }
        let mut answers = vec![false; n];
        for ((base, _), x) in &h.of_row {
            answers[usize::from(*x)] = self.oracle.settled[usize::from(*base)].is_some();
        }
        let mut conditions = Conditions::new(m, &h.marks, Some(&answers));
        for part in &self.parts[..taken] {
            let x = m.phi[*part as usize];
            let options = m.options_of(closed, *part);
            let mut option = |t: u16| {
                let mut found = Word::new();
                closed.options(*part, &mut |word| {
                    if m.of(word) == Some(t) {
                        found = Word::from_slice(word);
                    }
                });
                found
            };
            let weight = |w: &[u32]| weigh(closed, w);
            let taken = (*part, x, &options);
            if let Err(failure) =
                conditions.add(m, taken, &mut option, &weight, self.oracle.budget)?
            {
                return self.contradiction(h, &normal, failure);
            }
        }
        Ok(Tried::Holds(conditions))
    }

    /// Handles two generators i, j that do not commute at element x: the two orders lead to elements that an experiment
    /// distinguishes.
    fn not_commuting(
        &mut self,
        h: &Hypothesis,
        normal: &Normal,
        acts: &[Vec<u16>],
        (x, i, j): (usize, usize, usize),
    ) -> Result<Tried, Unknown> {
        let (by_i, by_j) = (acts[x][i], acts[x][j]);
        let (one, other) = (acts[usize::from(by_i)][j], acts[usize::from(by_j)][i]);
        let (word, g, k) = (
            &h.monoid.words[x],
            h.monoid.generators[i],
            h.monoid.generators[j],
        );
        let row = |y: u16| -> Row {
            let found = h.of_row.iter().find(|(_, z)| **z == y);
            found.map_or((0, Vec::new()), |(row, _)| row.clone())
        };
        let (one, other) = (row(one).1, row(other).1);
        // The two have the same element in the monoid for fewer copies, so an experiment distinguishes them.
        let c = one.iter().zip(&other).position(|(a, b)| a != b);
        let c = &self.experiments[c.unwrap_or(0)].clone();
        let steps = [
            (sum(word, &[g]), sum(c, &[k])),
            (sum(&h.monoid.words[usize::from(by_i)], &[k]), c.clone()),
            (sum(word, &[k]), sum(c, &[g])),
            (sum(&h.monoid.words[usize::from(by_j)], &[g]), c.clone()),
        ];
        self.first_change(normal, steps)
    }

    /// The experiment that follows from a contradiction between the marks of a sum and of its options.
    fn contradiction(
        &mut self,
        h: &Hypothesis,
        normal: &Normal,
        failure: Failure,
    ) -> Result<Tried, Unknown> {
        let Failure { word, option } = failure;
        let m = &h.monoid;
        let misjudged = match (self.oracle.is_p(&word)?, option) {
            // Either marked P like an option, or not marked like all options.
            (false, Some(_)) | (true, None) => word,
            (true, Some(option)) => option,
            // The sum is an N-position, so one of its options is an unmarked P-position.
            (false, None) => self.winning_option(&word)?.unwrap_or(word),
        };
        // The steps from the sum to the least word of its element, part by part and letter by letter.
        let mut steps = Vec::new();
        let mut x = 0;
        for (i, &part) in misjudged.iter().enumerate() {
            let after = Word::from_slice(&misjudged[i + 1..]);
            let before = &m.words[usize::from(x)];
            steps.push((Word::from_slice(&[part]), sum(before, &after)));
            let letters = m.words[usize::from(m.phi[part as usize])].clone();
            for (j, letter) in letters.iter().enumerate() {
                let rest = sum(&letters[j + 1..], &after);
                let word = sum(&m.words[usize::from(x)], &[*letter]);
                x = normal.form(word.clone(), &mut |_, _, _| Ok(()))?;
                steps.push((word, rest));
            }
        }
        self.first_change(normal, steps)
    }

    fn winning_option(&mut self, word: &Word) -> Result<Option<Word>, Limit> {
        for (i, &part) in word.iter().enumerate() {
            if i > 0 && word[i - 1] == part {
                continue;
            }
            let rest = without(word, &[part]).unwrap_or_default();
            for option in self.oracle.options(part).iter() {
                let option = sum(&rest, option);
                if self.oracle.is_p(&option)? {
                    return Ok(Some(option));
                }
            }
        }
        Ok(None)
    }

    /// Follows words to their normal forms, each with a word beside it, and returns the context in which the outcome
    /// changes.
    fn first_change(
        &mut self,
        normal: &Normal,
        steps: impl IntoIterator<Item = (Word, Word)>,
    ) -> Result<Tried, Unknown> {
        let mut found = None;
        for (word, beside) in steps {
            normal.form(word, &mut |rest, left, right| {
                if found.is_some() {
                    return Ok(());
                }
                let context = sum(rest, &beside);
                let a = self.oracle.is_p(&sum(&context, left))?;
                let b = self.oracle.is_p(&sum(&context, right))?;
                if a != b {
                    found = Some(context);
                }
                Ok(())
            })?;
            if let Some(context) = found {
                return Ok(Tried::Experiment(context));
            }
        }
        // The theorem excludes this case. An error is better than an endless loop.
        Err(Unknown::Limit(Limit::Nodes))
    }
}

/// An element x and two generators i, j that do not commute at x.
fn not_commuting(acts: &[Vec<u16>]) -> Option<(usize, usize, usize)> {
    for (x, by) in acts.iter().enumerate() {
        for i in 0..by.len() {
            for j in 0..i {
                if acts[usize::from(by[i])][j] != acts[usize::from(by[j])][i] {
                    return Some((x, i, j));
                }
            }
        }
    }
    None
}

/// A rewriting system, and the element of each normal form.
struct Normal {
    index: HashMap<Word, u16, FxBuildHasher>,
    /// Rules whose left side is a single part.
    single: HashMap<u32, Word, FxBuildHasher>,
    rules: Vec<(Word, Word)>,
}

impl Normal {
    fn new(h: &Hypothesis) -> Normal {
        let (single, rules): (Vec<_>, Vec<_>) =
            h.rules.iter().cloned().partition(|r| r.0.len() == 1);
        let words = h.monoid.words.iter().enumerate();
        Normal {
            index: words.map(|(i, w)| (w.clone(), i as u16)).collect(),
            single: single.into_iter().map(|(l, r)| (l[0], r)).collect(),
            rules,
        }
    }

    /// The element of a word by rewriting. `told` is called for each step with the rest of the word, the left and the right
    /// side of the rule.
    fn form(
        &self,
        mut word: Word,
        told: &mut dyn FnMut(&[u32], &[u32], &[u32]) -> Result<(), Limit>,
    ) -> Result<u16, Limit> {
        loop {
            if let Some(x) = self.index.get(&word) {
                return Ok(*x);
            }
            let single = word.iter().find_map(|p| Some((*p, self.single.get(p)?)));
            let step = match single {
                Some((part, right)) => {
                    without(&word, &[part]).map(|rest| (rest, Word::from_slice(&[part]), right))
                }
                None => self
                    .rules
                    .iter()
                    .find_map(|(l, r)| Some((without(&word, l)?, l.clone(), r))),
            };
            let Some((rest, left, right)) = step else {
                return Err(Limit::Nodes);
            };
            told(&rest, &left, right)?;
            word = sum(&rest, right);
        }
    }
}
