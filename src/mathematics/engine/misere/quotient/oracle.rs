//! The misère outcome of a sum of parts beside j copies of one part, by search.

use super::super::{Closed, Word, sum, without};
use super::monoid::Monoid;
use crate::game::{Budget, Limit};
use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;
use std::rc::Rc;

/// A cache of the options of parts.
pub(super) type Options = HashMap<u32, Rc<[Word]>, FxBuildHasher>;

/// Says for words w whether w beside j copies of a part is a P-position. `monoid` and `settled` give the outcomes that are
/// known beforehand: not P where a move in one of the copies leaves a P-position, for example.
pub(super) struct Oracle<'o, C: Closed + ?Sized> {
    pub closed: &'o C,
    pub monoid: &'o Monoid,
    /// For each element of `monoid` whether its words are P-positions, if that is known.
    pub settled: &'o [Option<bool>],
    pub options: &'o mut Options,
    pub budget: &'o Budget,
    /// A monoid and its marks, proven for the words of the first parts.
    pub proven: (Monoid, Vec<bool>),
    /// A guess for each element whether its words are P-positions. Only the order of the search depends on it.
    pub guess: Vec<bool>,
    /// The search ends with [`Limit::Nodes`] when it has solved so many sums.
    pub most: usize,
    known: HashMap<Word, bool, FxBuildHasher>,
    memory: usize,
    held: usize,
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
            proven: (Monoid::trivial(), Vec::new()),
            guess: Vec::new(),
            most: usize::MAX,
            known: HashMap::default(),
            memory,
            held: 0,
        }
    }

    /// Whether as many sums were solved as are allowed.
    pub(super) fn is_exhausted(&self) -> bool {
        self.known.len() >= self.most
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
        let (proven, marks) = &self.proven;
        if let Some(x) = proven.of(word)
            && let Some(is_p) = marks.get(usize::from(x))
        {
            return Some(*is_p);
        }
        self.known.get(word).copied()
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
                self.keep(frame.word, true);
                continue;
            };
            match self.look(&option) {
                Some(false) => {}
                Some(true) => {
                    let Some(frame) = line.pop() else { break };
                    self.keep(frame.word, false);
                }
                None => {
                    self.budget.charge()?;
                    if self.is_exhausted() {
                        return Err(Limit::Nodes);
                    }
                    if self.held > self.memory {
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

    fn keep(&mut self, word: Word, is_p: bool) {
        self.held += size_of::<(Word, bool)>() * 2
            + match word.spilled() {
                true => word.len() * 4,
                false => 0,
            };
        self.known.insert(word, is_p);
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
                        self.keep(word, false);
                        return;
                    }
                    Some(false) => {}
                    None => unknown.push(option),
                }
            }
        }
        if unknown.is_empty() {
            self.keep(word, true);
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
