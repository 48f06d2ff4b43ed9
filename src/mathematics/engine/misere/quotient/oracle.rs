//! The misère outcome of a sum of parts beside j copies of one part, by search.

use super::super::{Closed, Word, sum, without};
use super::monoid::Monoid;
use crate::game::{Budget, Limit};
use hashbrown::{HashMap, HashTable};
use rustc_hash::FxBuildHasher;
use std::hash::BuildHasher;
use std::rc::Rc;

/// A cache of the options of parts.
pub(super) type Options = HashMap<u32, Rc<[Word]>, FxBuildHasher>;

/// What is proven of the sums of some parts beside the copies.
pub(super) struct Proven {
    pub monoid: Monoid,
    /// For each element whether its words are P-positions, if that is known.
    pub is_p: Vec<Option<bool>>,
}

impl Proven {
    pub(super) fn nothing() -> Proven {
        Proven {
            monoid: Monoid::trivial(),
            is_p: vec![None],
        }
    }

    pub(super) fn bytes(&self) -> usize {
        self.monoid.table.capacity() * size_of::<u16>()
    }

    fn look(&self, word: &[u32]) -> Option<bool> {
        self.is_p[usize::from(self.monoid.of(word)?)]
    }
}

/// Says for words w whether w beside j copies of a part is a P-position. `monoid` and `settled` give the outcomes that are
/// known beforehand: not P where a move in one of the copies leaves a P-position, for example.
pub(super) struct Oracle<'o, C: Closed + ?Sized> {
    pub closed: &'o C,
    pub monoid: &'o Monoid,
    /// For each element of `monoid` whether its words are P-positions, if that is known.
    pub settled: &'o [Option<bool>],
    pub options: &'o mut Options,
    pub budget: &'o Budget,
    /// The words of the first parts.
    pub proven: Proven,
    /// The words up to a weight, each for a weight of its own.
    pub weighed: Vec<Proven>,
    /// A guess for each element whether its words are P-positions. Only the order of the search depends on it.
    pub guess: Vec<bool>,
    /// The search ends with [`Limit::Nodes`] when it has solved so many sums.
    pub most: usize,
    known: Solved,
    memory: usize,
}

/// Outcomes of sums. The words lie one after the other in one list, so that a table of millions of sums is dropped at once.
#[derive(Default)]
struct Solved {
    letters: Vec<u32>,
    /// Where a word begins and ends in the list, and whether it is a P-position.
    table: HashTable<(usize, usize, bool)>,
}

impl Solved {
    fn get(&self, word: &[u32]) -> Option<bool> {
        let hash = FxBuildHasher.hash_one(word);
        let same = |(from, to, _): &(usize, usize, bool)| self.letters[*from..*to] == *word;
        self.table.find(hash, same).map(|(.., is_p)| *is_p)
    }

    /// Adds a word that is not in the table.
    fn add(&mut self, word: &[u32], is_p: bool) {
        let from = self.letters.len();
        self.letters.extend_from_slice(word);
        let (hash, letters) = (FxBuildHasher.hash_one(word), &self.letters);
        let again =
            |(from, to, _): &(usize, usize, bool)| FxBuildHasher.hash_one(&letters[*from..*to]);
        let entry = (from, letters.len(), is_p);
        self.table.insert_unique(hash, entry, again);
    }

    fn bytes(&self) -> usize {
        let entry = size_of::<(usize, usize, bool)>() + 1;
        self.letters.capacity() * size_of::<u32>() + self.table.capacity() * entry
    }
}

/// A sum on the current line of play.
struct Frame {
    word: Word,
    /// Its options with unknown outcome; the last one is searched first.
    options: Vec<Word>,
}

impl<'o, C: Closed + ?Sized> Oracle<'o, C> {
    /// An oracle with an empty memo table. `memory` is the limit in bytes.
    pub(super) fn new(
        closed: &'o C,
        (monoid, settled): (&'o Monoid, &'o [Option<bool>]),
        options: &'o mut Options,
        budget: &'o Budget,
        memory: usize,
    ) -> Oracle<'o, C> {
        Oracle {
            closed,
            monoid,
            settled,
            options,
            budget,
            proven: Proven::nothing(),
            weighed: Vec::new(),
            guess: Vec::new(),
            most: usize::MAX,
            known: Solved::default(),
            memory,
        }
    }

    /// Whether as many sums were solved as are allowed.
    pub(super) fn is_exhausted(&self) -> bool {
        self.known.table.len() >= self.most
    }

    pub(super) fn options(&mut self, part: u32) -> Rc<[Word]> {
        if let Some(known) = self.options.get(&part) {
            return known.clone();
        }
        let mut all = Vec::new();
        self.closed
            .options(part, &mut |word| all.push(Word::from_slice(word)));
        all.sort_unstable();
        all.dedup();
        if self.options.len() > 4096 {
            self.options.clear();
        }
        let all: Rc<[Word]> = all.into();
        self.options.insert(part, all.clone());
        all
    }

    fn look(&self, word: &[u32]) -> Option<bool> {
        let x = self.monoid.of(word)?;
        if let Some(is_p) = self.settled[usize::from(x)] {
            return Some(is_p);
        }
        let weighed = || self.weighed.iter().find_map(|p| p.look(word));
        let known = || self.known.get(word);
        self.proven.look(word).or_else(known).or_else(weighed)
    }

    /// Whether a word beside the copies is a P-position.
    ///
    /// # Errors
    /// A limit.
    pub(super) fn is_p(&mut self, word: &[u32]) -> Result<bool, Limit> {
        if let Some(known) = self.look(word) {
            return Ok(known);
        }
        let mut line = Vec::new();
        self.open(Word::from_slice(word), &mut line);
        while let Some(frame) = line.last_mut() {
            let Some(option) = frame.options.pop() else {
                // All options are N-positions.
                let Some(frame) = line.pop() else { break };
                self.known.add(&frame.word, true);
                continue;
            };
            match self.look(&option) {
                Some(false) => {}
                Some(true) => {
                    let Some(frame) = line.pop() else { break };
                    self.known.add(&frame.word, false);
                }
                None => {
                    self.budget.charge()?;
                    if self.is_exhausted() {
                        return Err(Limit::Nodes);
                    }
                    if self.known.bytes() > self.memory {
                        return Err(Limit::Memory);
                    }
                    // The option is looked up again when it is solved.
                    frame.options.push(option.clone());
                    self.open(option, &mut line);
                }
            }
        }
        self.look(word).ok_or(Limit::Nodes)
    }

    /// Pushes a sum with its options of unknown outcome, or solves it at once if one option is a P-position or none is
    /// unknown.
    fn open(&mut self, word: Word, line: &mut Vec<Frame>) {
        let mut unknown: Vec<Word> = Vec::new();
        for (i, &part) in word.iter().enumerate().rev() {
            if word.get(i + 1) == Some(&part) {
                continue;
            }
            let rest = without(&word, &[part]).unwrap_or_default();
            for option in self.options(part).iter() {
                let option = sum(&rest, option);
                match self.look(&option) {
                    Some(true) => {
                        self.known.add(&word, false);
                        return;
                    }
                    Some(false) => {}
                    None => unknown.push(option),
                }
            }
        }
        if unknown.is_empty() {
            self.known.add(&word, true);
            return;
        }
        unknown.sort_unstable();
        unknown.sort_by_key(|w| {
            let x = self.monoid.of(w).map_or(0, usize::from);
            (self.guess.get(x) == Some(&true), std::cmp::Reverse(w.len()))
        });
        unknown.dedup();
        line.push(Frame {
            word,
            options: unknown,
        });
    }
}
