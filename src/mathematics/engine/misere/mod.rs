//! The theory of misère play. Input: impartial games, as parts whose options are sums of earlier parts. Output: genus,
//! misère form and misère quotient. For partizan games: the order among dicots and among dead-ending games.
//!
//! In misère play the player who cannot move wins. Misère play has no values that add as those of normal play do. Beside
//! other parts, a part is described by its genus where few parts are wild, by its misère form in all of misère play, and by
//! an element of a monoid beside the parts of one closed set (J. H. Conway, *On Numbers and Games*, ch. 12; E. R. Berlekamp,
//! J. H. Conway, R. K. Guy, *Winning Ways*, ch. 13; T. E. Plambeck, A. N. Siegel, *Misère quotients for impartial games*,
//! 2008; A. N. Siegel, *Combinatorial Game Theory*, V).

pub mod dicots;
pub mod form;
pub mod game;
pub mod genus;
pub mod heaps;
mod listed;
pub mod quotient;

pub use listed::{Listed, Parting};
use smallvec::SmallVec;

/// A sum of parts: their numbers in increasing order, with multiplicity. Parts without options do not occur.
pub type Word = SmallVec<[u32; 14]>;

/// A set of parts that is closed under options: with each part, it contains all parts of its options. Parts are numbered
/// from 0; the parts of an option have smaller numbers than the part itself.
pub trait Closed {
    /// How many parts there are.
    fn len(&self) -> usize;

    /// Whether there are no parts.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Calls `each` with every option of a part, as a [`Word`]: sorted, of parts below `part` that have options. An option
    /// may be repeated.
    fn options(&self, part: u32, each: &mut dyn FnMut(&[u32]));

    /// Whether a part has an option.
    fn has_options(&self, part: u32) -> bool {
        let mut any = false;
        self.options(part, &mut |_| any = true);
        any
    }

    /// The greatest number of moves that play in a part can last.
    fn birthday(&self, part: u32) -> u64;
}

/// The sum of two words.
#[must_use]
pub fn sum(a: &[u32], b: &[u32]) -> Word {
    let mut all = Word::with_capacity(a.len() + b.len());
    let (mut i, mut j) = (0, 0);
    while i < a.len() || j < b.len() {
        if j == b.len() || (i < a.len() && a[i] <= b[j]) {
            all.push(a[i]);
            i += 1;
        } else {
            all.push(b[j]);
            j += 1;
        }
    }
    all
}

/// Whether all letters of `b` are contained in `a`, as often as in `b`.
#[must_use]
pub fn contains(a: &[u32], b: &[u32]) -> bool {
    let mut letters = a.iter();
    b.iter()
        .all(|wanted| letters.find(|part| *part >= wanted) == Some(wanted))
}

/// The multiset difference `a` - `b`; `None` if `b` is not contained in `a`.
#[must_use]
pub fn without(a: &[u32], b: &[u32]) -> Option<Word> {
    if !contains(a, b) {
        return None;
    }
    let mut rest = Word::new();
    let mut j = 0;
    for &part in a {
        if b.get(j) == Some(&part) {
            j += 1;
        } else {
            rest.push(part);
        }
    }
    Some(rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_multisets() {
        assert_eq!(&sum(&[1, 1, 4], &[0, 1, 5])[..], &[0, 1, 1, 1, 4, 5]);
        assert_eq!(
            without(&[0, 1, 1, 4], &[1, 4]).as_deref(),
            Some(&[0, 1][..])
        );
        assert_eq!(without(&[0, 1, 4], &[1, 1]), None);
        assert!(contains(&[0, 1, 1, 4], &[1, 1]) && !contains(&[0, 1, 1, 4], &[1, 1, 1]));
        assert_eq!(without(&[], &[]).as_deref(), Some(&[][..]));
    }
}
