//! Misère quotients. Input: a closed set of parts. Output: the monoid Q, its P-positions and the element Φ(h) of each part.
//! A sum of parts is a P-position of misère play if and only if the product of the elements of its parts lies in P.
//!
//! *Definition* (Plambeck 2005; T. E. Plambeck, A. N. Siegel, *Misère quotients for impartial games*, J. Combin. Theory A
//! 115, 2008). Two sums G, H of parts of a closed set are indistinguishable if G + X and H + X have the same outcome for
//! all sums X of its parts. The classes form a commutative monoid, the misère quotient.
//!
//! **Theorem** (the two conditions; cf. the generalized mex rule there). Let Q be a finite commutative monoid that the Φ(h)
//! generate, P a subset without the identity, and for a part h let T(h) be the set of the products of its options. Suppose,
//! for all parts h with options,
//!
//! * (P) xΦ(h) ∈ P implies xt ∉ P, for all x in Q and t in T(h);
//! * (N) each sum w of at least one such part with Φ(w) ∉ P has an option w' with Φ(w') ∈ P.
//!
//! Then Φ(w) ∈ P exactly where w is a P-position. The proof is by induction on the number of moves that w can last: by (P),
//! an option of w = u + h with Φ(w) ∈ P, Φ(u) = x, lies outside P; by (N), any other w has an option in P. The empty sum is
//! an N-position, and the identity is not in P. If moreover any two elements of Q are distinguished by a third (xz ∈ P and
//! yz ∉ P, or the other way round), then Q is the misère quotient.
//!
//! *Checking (N)* (`check`). The state of a sum w consists of x = Φ(w) and of U(w), the set of the elements y for which w +
//! y still lacks a winning move: xy ∉ P and w'y ∉ P for every option w' of w. (N) says that 1 lies in no U(w) with w
//! nonempty. Since U(w + h) = {y : Φ(h)y ∈ U(w), xty ∉ P for t in T(h)}, the states (x, U) are computed part by part. For
//! each x only the maximal sets U are kept.
//!
//! The search for Q (`learn`) is not trusted: only a result that meets the conditions is returned. Where the search goes on
//! for ever, it may find a description of all outcomes that proves the quotient infinite (`graded`).

mod check;
mod graded;
mod learn;
mod level;
mod monoid;
mod oracle;
mod periodic;
pub mod witness;

pub use graded::Graded;
pub use learn::{Learner, Limits, Unknown};
pub use periodic::{PERIOD_THEOREM, Period, Periodic, all_heaps};

use super::Word;
use hashbrown::HashSet;
use monoid::Monoid;
use rustc_hash::FxBuildHasher;

/// A finite commutative monoid with marked elements, and an element for each part. Element 0 is the identity.
#[derive(Clone, Debug)]
pub struct Quotient {
    monoid: Monoid,
    in_p: Vec<bool>,
}

impl Quotient {
    /// The quotient of no parts: 1, an N-position.
    fn trivial() -> Quotient {
        Quotient {
            monoid: Monoid::trivial(),
            in_p: vec![false],
        }
    }

    /// |Q|.
    #[must_use]
    pub fn order(&self) -> usize {
        self.monoid.words.len()
    }

    /// |P|.
    #[must_use]
    pub fn p_order(&self) -> usize {
        self.in_p.iter().filter(|p| **p).count()
    }

    /// Whether sums with this element are P-positions; false for a number that is not an element.
    #[must_use]
    pub fn is_p(&self, element: u16) -> bool {
        self.in_p.get(usize::from(element)) == Some(&true)
    }

    /// The product of two elements.
    #[must_use]
    pub fn times(&self, x: u16, y: u16) -> u16 {
        self.monoid.times(x, y)
    }

    /// The number of parts that have an element.
    #[must_use]
    pub fn parts(&self) -> usize {
        self.monoid.phi.len()
    }

    /// The element of a part.
    #[must_use]
    pub fn phi(&self, part: u32) -> Option<u16> {
        self.monoid.phi.get(part as usize).copied()
    }

    /// The elements of all parts.
    #[must_use]
    pub fn all_phi(&self) -> &[u16] {
        &self.monoid.phi
    }

    /// The element of a sum; `None` if a part has no element.
    #[must_use]
    pub fn of(&self, word: &[u32]) -> Option<u16> {
        self.monoid.of(word)
    }

    /// A power of an element.
    #[must_use]
    pub fn power(&self, x: u16, exponent: u64) -> u16 {
        let (mut result, mut square, mut left) = (0, x, exponent);
        while left > 0 {
            if left & 1 == 1 {
                result = self.times(result, square);
            }
            square = self.times(square, square);
            left >>= 1;
        }
        result
    }

    /// Parts whose elements generate the monoid.
    #[must_use]
    pub fn generators(&self) -> &[u32] {
        &self.monoid.generators
    }

    /// The least word of an element: least in the number of moves that it lasts, then by parts.
    #[must_use]
    pub fn word(&self, element: u16) -> &[u32] {
        &self.monoid.words[usize::from(element)]
    }

    /// The idempotents: elements that are equal to their square.
    #[must_use]
    pub fn idempotents(&self) -> Vec<u16> {
        let all = 0..self.order() as u16;
        all.filter(|x| self.times(*x, *x) == *x).collect()
    }

    /// The letter of a generator: a, b, .., z, then a1, b1, ..
    #[must_use]
    pub fn letter(place: usize) -> String {
        let letter = char::from(b'a' + (place % 26) as u8);
        match place / 26 {
            0 => letter.to_string(),
            n => format!("{letter}{n}"),
        }
    }

    /// A word in the letters of the generators: `ab^2`, or `1` for the empty word.
    #[must_use]
    pub fn in_letters(&self, word: &[u32]) -> String {
        let mut text = String::new();
        for (place, generator) in self.monoid.generators.iter().enumerate() {
            let times = word.iter().filter(|p| *p == generator).count();
            match times {
                0 => {}
                1 => text += &Quotient::letter(place),
                n => text += &format!("{}^{n}", Quotient::letter(place)),
            }
        }
        if text.is_empty() {
            "1".to_owned()
        } else {
            text
        }
    }

    /// An element in the letters of the generators.
    #[must_use]
    pub fn name(&self, element: u16) -> String {
        self.in_letters(self.word(element))
    }

    /// Relations that present the monoid. The left side of each is a minimal word among those that are not least in their
    /// class; the right side is the least word of the class.
    #[must_use]
    pub fn relations(&self) -> Vec<(Word, Word)> {
        let mut all: Vec<(Word, Word)> = Vec::new();
        let known: HashSet<&[u32], FxBuildHasher> =
            self.monoid.words.iter().map(|w| &w[..]).collect();
        let mut corners: Vec<Word> = Vec::new();
        for word in &self.monoid.words {
            for g in &self.monoid.generators {
                let next = super::sum(word, &[*g]);
                if !known.contains(&next[..]) {
                    corners.push(next);
                }
            }
        }
        corners.sort_by(|a, b| (a.len(), a).cmp(&(b.len(), b)));
        corners.dedup();
        for corner in corners {
            let minimal = all
                .iter()
                .all(|(left, _)| super::without(&corner, left).is_none());
            if minimal && let Some(x) = self.of(&corner) {
                let least = self.monoid.words[usize::from(x)].clone();
                all.push((corner, least));
            }
        }
        all
    }

    /// The presentation: `<a, b | a^2 = 1, b^3 = b>`.
    #[must_use]
    pub fn presentation(&self) -> String {
        let letters: Vec<String> = (0..self.monoid.generators.len())
            .map(Quotient::letter)
            .collect();
        let relations: Vec<String> = self
            .relations()
            .iter()
            .map(|(a, b)| format!("{} = {}", self.in_letters(a), self.in_letters(b)))
            .collect();
        format!("<{} | {}>", letters.join(", "), relations.join(", "))
    }
}
