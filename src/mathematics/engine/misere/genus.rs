//! Genera. Input: a sum of parts of impartial games. Output: its genus, and whether it is tame.
//!
//! *Definition* (J. H. Conway, *On Numbers and Games*, ch. 12; E. R. Berlekamp, J. H. Conway, R. K. Guy, *Winning Ways*, ch.
//! 13). The genus of G is g^γ0γ1γ2.., where g is its nim-value in normal play and γk is the misère nimber of G + k·*2: the n
//! for which the sum of this and *n is a P-position of misère play. So γ0 = 1 if G has no options. Otherwise γk is the least
//! number that is not γk of an option and, for k > 0, neither γ(k-1) nor γ(k-1) xor 1, to which the options of a *2 lead.
//!
//! *The tail.* From some k on, the γk of every option alternate by xor 2 (induction). From there on γk is a function of
//! γ(k-1) and of the parity of k, so the first repetition proves the rest of the sequence. The sequence alternates by xor 2
//! as well; the code checks this for each genus.
//!
//! *Tame.* A sum is tame if its genus is that of a sum of Nim heaps, its tame options alone give the same genus, and each
//! other option has a reverting move: one to a tame position of that genus. Sums of tame games are played like the sums of
//! Nim heaps with these genera: a move to a wild option is answered by the reverting move (*Winning Ways*, ch. 13). A sum that
//! is not tame is wild; a wild sum may have a tame genus.

use super::{Closed, Word, sum, without};
use crate::game::{Budget, Limit};
use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;
use std::fmt;
use std::str::FromStr;

/// A genus.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Genus {
    /// The nim-value in normal play.
    plus: u64,
    /// γ0, γ1, .., as few as possible but at least two; after them the last two alternate.
    minus: Vec<u64>,
}

impl Genus {
    /// The genus with these superscripts, of which the last two alternate.
    fn new(plus: u64, mut minus: Vec<u64>) -> Genus {
        while let [.., a, b, c] = minus[..]
            && a == c
            && b == c ^ 2
        {
            minus.pop();
        }
        Genus { plus, minus }
    }

    /// The nim-value in normal play.
    #[must_use]
    pub fn nimber(&self) -> u64 {
        self.plus
    }

    /// The misère nimber of G + k·*2.
    #[must_use]
    pub fn misere_nimber(&self, k: usize) -> u64 {
        let last = self.minus.len() - 1;
        match k <= last {
            true => self.minus[k],
            false => self.minus[last - (k - last) % 2],
        }
    }

    /// The stored γ0, γ1, ..; after them the last two alternate.
    #[must_use]
    pub fn superscripts(&self) -> &[u64] {
        &self.minus
    }

    /// Whether it is the genus of a sum of Nim heaps: 0^1, 1^0 and n^n.
    #[must_use]
    pub fn is_of_nim(&self) -> bool {
        match (self.plus, &self.minus[..]) {
            (0, [1, 2, 0]) | (1, [0, 3, 1]) => true,
            (n, [m, k]) => n == *m && *k == n ^ 2,
            _ => false,
        }
    }

    /// The genus with this number of superscripts.
    #[must_use]
    pub fn long(&self, digits: usize) -> String {
        let all: Vec<u64> = (0..digits).map(|k| self.misere_nimber(k)).collect();
        written(self.plus, &all)
    }
}

/// Digits without separators; if one number exceeds 9, all with commas and in parentheses. So without parentheses each digit
/// is a misère nimber: the genus of \*13 is `13^(13)`, and `13^13` is another one.
fn written(plus: u64, minus: &[u64]) -> String {
    let all: Vec<String> = minus.iter().map(u64::to_string).collect();
    match minus.iter().all(|m| *m < 10) {
        true => format!("{plus}^{}", all.concat()),
        false => format!("{plus}^({})", all.join(",")),
    }
}

/// A genus as it is written, with as many superscripts as one likes: `4^146` and `4^14646` are one genus, and so are `0^1` and
/// `0^120`. Only a genus of a sum of Nim heaps has a single superscript.
impl FromStr for Genus {
    type Err = ();

    fn from_str(text: &str) -> Result<Genus, ()> {
        let number = |text: &str| match text.bytes().all(|b| b.is_ascii_digit()) {
            true => text.parse::<u64>().map_err(drop),
            false => Err(()),
        };
        let (plus, minus) = text.split_once('^').ok_or(())?;
        let plus = number(plus)?;
        let inner = minus.strip_prefix('(').and_then(|m| m.strip_suffix(')'));
        let numbers: Vec<&str> = match inner {
            Some(inner) => inner.split(',').map(str::trim).collect(),
            None => minus.split("").filter(|m| !m.is_empty()).collect(),
        };
        let minus: Vec<u64> = numbers.into_iter().map(number).collect::<Result<_, _>>()?;
        match (plus, &minus[..]) {
            (0, [1]) => Ok(Genus::new(0, vec![1, 2, 0])),
            (1, [0]) => Ok(Genus::new(1, vec![0, 3, 1])),
            (n, [m]) if n == *m => Ok(Genus::new(n, vec![n, n ^ 2])),
            (_, [.., m, k]) if *k == m ^ 2 => Ok(Genus::new(plus, minus)),
            _ => Err(()),
        }
    }
}

/// The usual notation: only γ0 for the genera of sums of Nim heaps, otherwise all superscripts up to the first two that then
/// alternate.
impl fmt::Display for Genus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&match self.is_of_nim() {
            true => written(self.plus, &self.minus[..1]),
            false => written(self.plus, &self.minus),
        })
    }
}

/// A solved sum.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Known {
    genus: u32,
    tame: bool,
}

/// A memo table of the genera of sums of parts of one closed set.
#[derive(Debug, Default)]
pub struct Genera {
    all: Vec<Genus>,
    ids: HashMap<Genus, u32, FxBuildHasher>,
    /// The genus for each set of genera of options, in increasing order.
    by_options: HashMap<Box<[u32]>, u32, FxBuildHasher>,
    sums: HashMap<Word, Known, FxBuildHasher>,
    held: usize,
    memory: usize,
}

impl Genera {
    /// A table without entries. `memory` is the limit in bytes.
    #[must_use]
    pub fn new(memory: usize) -> Genera {
        Genera {
            memory,
            ..Genera::default()
        }
    }

    /// The genus of a sum, and whether it is tame.
    ///
    /// # Errors
    /// A limit.
    pub fn genus<C: Closed + ?Sized>(
        &mut self,
        closed: &C,
        word: &[u32],
        budget: &Budget,
    ) -> Result<(&Genus, bool), Limit> {
        let known = self.find(closed, word, budget)?;
        Ok((&self.all[known.genus as usize], known.tame))
    }

    fn find<C: Closed + ?Sized>(
        &mut self,
        closed: &C,
        word: &[u32],
        budget: &Budget,
    ) -> Result<Known, Limit> {
        let word: Word = word
            .iter()
            .copied()
            .filter(|p| closed.has_options(*p))
            .collect();
        if let Some(known) = self.sums.get(&word) {
            return Ok(*known);
        }
        // A stack of sums with their options; not all of these are known yet.
        let mut line: Vec<(Word, Vec<Word>)> = Vec::new();
        line.push((word.clone(), options(closed, &word)));
        let mut at = 0;
        loop {
            let Some((_, all)) = line.last() else {
                return self.sums.get(&word).copied().ok_or(Limit::Nodes);
            };
            let next = all.iter().skip(at).position(|o| !self.sums.contains_key(o));
            if let Some(next) = next {
                budget.charge()?;
                if self.held > self.memory {
                    return Err(Limit::Memory);
                }
                let word = all[at + next].clone();
                let below = options(closed, &word);
                line.push((word, below));
                at = 0;
                continue;
            }
            let Some((word, all)) = line.pop() else { break };
            let known = self.of_options(closed, &all, budget)?;
            self.held +=
                size_of::<(Word, Known)>() * 2 + if word.spilled() { word.len() * 4 } else { 0 };
            // The frame below continues after the option that is now known; the options before it are known.
            at = line
                .last()
                .and_then(|(_, all)| all.binary_search(&word).ok())
                .unwrap_or(0);
            self.sums.insert(word, known);
        }
        Err(Limit::Nodes)
    }

    /// The genus and tameness of a sum, from its options, all of which are known.
    fn of_options<C: Closed + ?Sized>(
        &mut self,
        closed: &C,
        options_of_it: &[Word],
        budget: &Budget,
    ) -> Result<Known, Limit> {
        let known: Vec<Known> = options_of_it.iter().map(|o| self.sums[o]).collect();
        let genus = self.mex(known.iter().map(|k| k.genus).collect(), budget)?;
        if !self.all[genus as usize].is_of_nim() {
            return Ok(Known { genus, tame: false });
        }
        if known.iter().all(|k| k.tame) {
            return Ok(Known { genus, tame: true });
        }
        let of_tame = known.iter().filter(|k| k.tame).map(|k| k.genus).collect();
        let reverts = |option: &Word| {
            let mut below = options(closed, option).into_iter();
            below.any(|o| self.sums.get(&o) == Some(&Known { genus, tame: true }))
        };
        let wild = options_of_it.iter().zip(&known).filter(|(_, k)| !k.tame);
        let all_revert = wild.map(|(o, _)| o).all(reverts);
        Ok(Known {
            genus,
            tame: all_revert && self.mex(of_tame, budget)? == genus,
        })
    }

    /// The genus of a sum whose options have these genera.
    fn mex(&mut self, mut options: Vec<u32>, budget: &Budget) -> Result<u32, Limit> {
        options.sort_unstable();
        options.dedup();
        if let Some(known) = self.by_options.get(&options[..]) {
            return Ok(*known);
        }
        let all: Vec<&Genus> = options.iter().map(|o| &self.all[*o as usize]).collect();
        let plus = least_missing(all.iter().map(|g| g.plus));
        let tail = all.iter().map(|g| g.minus.len() - 2).max().unwrap_or(0);
        let mut minus: Vec<u64> = Vec::new();
        // Stops at two indices of the same parity with equal γ, both in the tail.
        let repeats = loop {
            let k = minus.len();
            if all.is_empty() && k == 0 {
                minus.push(1);
                continue;
            }
            let below = all.iter().map(|g| g.misere_nimber(k));
            let before = minus.last().copied();
            let by_two = before.into_iter().flat_map(|m| [m, m ^ 1]);
            minus.push(least_missing(below.chain(by_two)));
            let same = |i: &usize| *i >= tail && (k - i).is_multiple_of(2) && minus[*i] == minus[k];
            if let Some(i) = (tail..k).find(same) {
                break i;
            }
            budget.charge()?;
        };
        let alternates = (repeats..minus.len() - 1).all(|k| minus[k + 1] == minus[k] ^ 2);
        if !alternates || minus.len() - 1 - repeats != 2 {
            // The theorem on the tail excludes this case. If it occurs, the genus remains unknown.
            return Err(Limit::Nodes);
        }
        let genus = Genus::new(plus, minus);
        let id = match self.ids.get(&genus) {
            Some(id) => *id,
            None => {
                let id = self.all.len() as u32;
                self.held += size_of::<Genus>() * 3 + genus.minus.len() * 16;
                self.all.push(genus.clone());
                self.ids.insert(genus, id);
                id
            }
        };
        self.held += options.len() * 4 + 48;
        self.by_options.insert(options.into(), id);
        Ok(id)
    }
}

/// The options of a sum, in increasing order and without duplicates.
pub(super) fn options<C: Closed + ?Sized>(closed: &C, word: &[u32]) -> Vec<Word> {
    let mut all = Vec::new();
    for (i, &part) in word.iter().enumerate() {
        if i > 0 && word[i - 1] == part {
            continue;
        }
        let rest = without(word, &[part]).unwrap_or_default();
        closed.options(part, &mut |option| all.push(sum(&rest, option)));
    }
    all.sort_unstable();
    all.dedup();
    all
}

fn least_missing(all: impl Iterator<Item = u64>) -> u64 {
    let mut seen: Vec<u64> = all.collect();
    seen.sort_unstable();
    let mut least = 0;
    for n in seen {
        least += u64::from(n == least);
    }
    least
}
