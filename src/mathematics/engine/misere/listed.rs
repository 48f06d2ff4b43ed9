//! A closed set of parts as an explicit list: parts with their options, from a game whose positions split, or written down.

use super::{Closed, Word, sum};
use hashbrown::HashTable;
use rustc_hash::FxBuildHasher;
use std::hash::BuildHasher;

/// A closed set of parts as a list.
#[derive(Clone, Debug, Default)]
pub struct Listed {
    options: Vec<Vec<Word>>,
    birthdays: Vec<u64>,
    /// The parts by their options, if they were added by [`Listed::number`].
    by_options: HashTable<u32>,
}

fn hash(options: &[Word]) -> u64 {
    FxBuildHasher.hash_one(options)
}

/// The error of [`Listed::push`]: an option names a part that is not in the list.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Parting;

impl Listed {
    /// Adds a part with these options, each a sum of earlier parts in any order. Returns the number of the part.
    ///
    /// # Errors
    /// An option contains a part that is not in the list.
    pub fn push(&mut self, options: &[Vec<u32>]) -> Result<u32, Parting> {
        let words = self.words(options)?;
        self.add(words)
    }

    /// The number of the part with these options, which is added if there is none. So positions from which play goes on
    /// alike are one part, whatever board or ruleset they belong to.
    ///
    /// # Errors
    /// An option contains a part that is not in the list.
    pub fn number(&mut self, options: &[Vec<u32>]) -> Result<u32, Parting> {
        let words = self.words(options)?;
        let hashed = hash(&words);
        let same = |p: &u32| self.options[*p as usize] == words;
        if let Some(known) = self.by_options.find(hashed, same) {
            return Ok(*known);
        }
        let part = self.add(words)?;
        let Listed {
            options,
            by_options,
            ..
        } = self;
        by_options.insert_unique(hashed, part, |p| hash(&options[*p as usize]));
        Ok(part)
    }

    /// Options as sorted words of parts with options.
    fn words(&self, options: &[Vec<u32>]) -> Result<Vec<Word>, Parting> {
        let mut words = Vec::with_capacity(options.len());
        for option in options {
            if option.iter().any(|p| *p as usize >= self.options.len()) {
                return Err(Parting);
            }
            let live = option.iter().filter(|p| self.birthday(**p) > 0);
            let mut word: Word = live.copied().collect();
            word.sort_unstable();
            words.push(word);
        }
        words.sort_unstable();
        words.dedup();
        Ok(words)
    }

    fn add(&mut self, words: Vec<Word>) -> Result<u32, Parting> {
        let part = u32::try_from(self.options.len()).map_err(|_| Parting)?;
        let lasts = words
            .iter()
            .map(|w| w.iter().map(|p| self.birthday(*p)).sum::<u64>());
        let birthday = lasts.max().map_or(0, |b| b.saturating_add(1));
        self.birthdays.push(birthday);
        self.options.push(words);
        Ok(part)
    }

    /// The options of a part.
    #[must_use]
    pub fn of(&self, part: u32) -> &[Word] {
        self.options.get(part as usize).map_or(&[], Vec::as_slice)
    }

    /// All options of a sum, without duplicates.
    #[must_use]
    pub fn of_sum(&self, word: &[u32]) -> Vec<Word> {
        let mut all = Vec::new();
        for (i, &part) in word.iter().enumerate() {
            if i > 0 && word[i - 1] == part {
                continue;
            }
            let mut rest = Word::from_slice(word);
            rest.remove(i);
            all.extend(self.of(part).iter().map(|option| sum(&rest, option)));
        }
        all.sort_unstable();
        all.dedup();
        all
    }

    /// The size of the lists in bytes; words of more than six parts count as if they had six.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.options.len() * (size_of::<Vec<Word>>() + 16)
            + self.options.iter().map(Vec::len).sum::<usize>() * size_of::<Word>()
    }
}

impl Closed for Listed {
    fn len(&self) -> usize {
        self.options.len()
    }

    fn options(&self, part: u32, each: &mut dyn FnMut(&[u32])) {
        for option in self.of(part) {
            each(option);
        }
    }

    fn has_options(&self, part: u32) -> bool {
        !self.of(part).is_empty()
    }

    fn birthday(&self, part: u32) -> u64 {
        self.birthdays.get(part as usize).copied().unwrap_or(0)
    }
}
