//! Misère quotients: a closed set of parts comes in; the monoid Q, its P-positions and the element Φ(h) of each part go out, so that a sum
//! of parts is a P-position of misère play exactly where the product of their elements lies in P.
//!
//! *Definition* (Plambeck 2005; T. E. Plambeck, A. N. Siegel, *Misère quotients for impartial games*, J. Combin. Theory A 115, 2008). Two
//! sums G, H of parts of a closed set are indistinguishable where G + X and H + X have the same outcome for all sums X of its parts.
//! The classes are a commutative monoid, the misère quotient.
//!
//! **Theorem** (the two conditions; cf. the generalized mex rule there). Let Q be a finite commutative monoid that the Φ(h) generate, P a subset without
//! the identity, and for a part h let T(h) be the products that its options come to. Suppose, h ranging over the parts with options,
//!
//! * (P) xΦ(h) ∈ P implies xt ∉ P, for all x in Q and t in T(h);
//! * (N) each sum w of at least one part with Φ(w) ∉ P has an option w' with Φ(w') ∈ P.
//!
//! Then Φ(w) ∈ P exactly where w is a P-position: by induction on the moves that w lasts, for (P) says that an option of w = u + h, u with
//! Φ(u) = x, lies outside P. The sum of no parts is won by who moves, and the identity is not in P. If moreover any two elements of Q are told
//! apart by a third (xz ∈ P and yz ∉ P, or the other way round), then Q is the misère quotient.
//!
//! *Checking (N)* (`check`). What matters of a sum w is x = Φ(w) and U(w), the elements y for which w must still find an answer elsewhere: xy ∉ P
//! and w'y ∉ P for every option w' of w. (N) says that 1 is in no U(w). Since U(w + h) = {y : Φ(h)y ∈ U(w), xty ∉ P for t in T(h)}, the states (x, U) are
//! followed part by part, and of those with one x only the greatest sets are kept.
//!
//! *Finding Q* (`learn`) is not trusted: only what meets the conditions is said.

mod check;
mod learn;
mod level;
mod monoid;
mod oracle;
mod periodic;
pub mod witness;

pub use learn::{Learner, Limits, Unknown};
pub use periodic::{Period, Periodic, all_heaps};

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

    /// Whether sums with this element are P-positions.
    #[must_use]
    pub fn is_p(&self, element: u16) -> bool {
        self.in_p.get(usize::from(element)) == Some(&true)
    }

    /// The product of two elements.
    #[must_use]
    pub fn times(&self, x: u16, y: u16) -> u16 {
        self.monoid.times(x, y)
    }

    /// How many parts it speaks of.
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

    /// The element of a sum; nothing where a part is not known.
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

    /// Parts whose elements generate all.
    #[must_use]
    pub fn generators(&self) -> &[u32] {
        &self.monoid.generators
    }

    /// The least word of an element.
    #[must_use]
    pub fn word(&self, element: u16) -> &[u32] {
        &self.monoid.words[usize::from(element)]
    }

    /// The idempotents: elements whose square they are.
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

    /// A word in the letters of the generators: `ab^2`, and `1` for no parts.
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

    /// Relations that present the monoid: each says that a word that is minimal among those that are not least in their class equals
    /// the least one.
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
