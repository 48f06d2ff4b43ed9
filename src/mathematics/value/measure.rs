//! Measures and predicates of canonical forms: birthday, followers, stop count, confusion interval, kinds.

use num_bigint::BigInt;

use super::forms::{CanonicalForm, Forms, OutOfMemory};
use super::number::Number;
use super::number_up_star::NumberUpStar;

/// The numbers confused with a game: all between its stops, perhaps with the stops themselves.
#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize)]
pub struct ConfusionInterval {
    /// The right stop.
    pub low: Number,
    /// The left stop.
    pub high: Number,
    /// Whether the right stop is confused with the game.
    pub low_included: bool,
    /// Whether the left stop is confused with the game.
    pub high_included: bool,
}

impl ConfusionInterval {
    /// Whether no number is confused with the game.
    pub fn is_empty(&self) -> bool {
        self.low == self.high && !(self.low_included && self.high_included)
    }
}

// The birthday of a number plus ups plus a nimber: the depth of its canonical form (`forms/options.rs`).
fn closed_birthday(value: &NumberUpStar) -> BigInt {
    let ups = value.ups.unsigned_abs();
    let nimber = match (ups, value.nimber) {
        (0, m) => m,
        (_, 0 | 1) => 1,
        (k, m) => m ^ (k & 1) as u32,
    };
    value.number.birthday() + ups + nimber
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Parity {
    Even,
    Odd,
}

impl Forms {
    /// The birthday: the depth of the canonical form, the least depth of any form equal to the game (Siegel II).
    pub fn birthday(&self, g: CanonicalForm) -> Result<BigInt, OutOfMemory> {
        self.fold(
            g,
            |f| Ok(self.as_number_up_star(f).map(|v| closed_birthday(&v))),
            |_, left, right| {
                let deepest = left.iter().chain(right).max().cloned().unwrap_or_default();
                Ok(deepest + 1)
            },
        )
    }

    /// The number of distinct games among the followers of the canonical form, the game itself included.
    pub fn number_of_followers(&self, g: CanonicalForm) -> Result<usize, OutOfMemory> {
        self.number_of_followers_up_to(g, usize::MAX)
    }

    /// The same, but an error as soon as there are more than `most`: the integer n has n + 1 followers.
    pub fn number_of_followers_up_to(
        &self,
        g: CanonicalForm,
        most: usize,
    ) -> Result<usize, OutOfMemory> {
        self.all_followers(g, most).map(|f| f.len())
    }

    /// The stop count: the number of lines of play, with either player moving at each turn, to the first number reached. It
    /// is 1 for a number, else the sum over the canonical options. (The books have no standard definition; this one is
    /// ours.)
    pub fn stop_count(&self, g: CanonicalForm) -> Result<BigInt, OutOfMemory> {
        self.fold(
            g,
            |f| Ok(self.is_number(f).then(|| BigInt::from(1))),
            |_, left, right| Ok(left.iter().chain(right).sum()),
        )
    }

    /// The numbers confused with the game (*Winning Ways*, chapter 2). The ends are the stops; a comparison decides whether
    /// an end belongs to the interval. Empty for a number, and for games like up.
    pub fn confusion_interval(&self, g: CanonicalForm) -> Result<ConfusionInterval, OutOfMemory> {
        let (low, high) = (self.right_stop(g), self.left_stop(g));
        let confused = |x: &Number| -> Result<bool, OutOfMemory> {
            Ok(self.compare(g, self.number(x)?)?.is_none())
        };
        Ok(ConfusionInterval {
            low_included: confused(&low)?,
            high_included: confused(&high)?,
            low,
            high,
        })
    }

    /// Whether the game is an integer.
    pub fn is_integer(&self, g: CanonicalForm) -> bool {
        self.as_number(g).is_some_and(|x| x.is_integer())
    }

    /// Whether the game is a nimber; zero is one.
    pub fn is_nimber(&self, g: CanonicalForm) -> bool {
        self.as_nimber(g).is_some()
    }

    /// Whether the game lies between all negative and all positive numbers: both stops are zero (Siegel II).
    pub fn is_infinitesimal(&self, g: CanonicalForm) -> bool {
        self.left_stop_handle(g) == CanonicalForm::ZERO
            && self.right_stop_handle(g) == CanonicalForm::ZERO
    }

    /// Whether the game is a number plus an infinitesimal: its stops are equal.
    pub fn is_numberish(&self, g: CanonicalForm) -> bool {
        self.left_stop_handle(g) == self.right_stop_handle(g)
    }

    /// Whether every line of play to a number has an even number of moves: the game is a number, or every option of its
    /// canonical form is odd-tempered. The notion is from Grossman and Siegel (*Reductions of partizan games*, 2009); the
    /// definition is worded as in CGSuite's manual of canonical games.
    pub fn is_even_tempered(&self, g: CanonicalForm) -> Result<bool, OutOfMemory> {
        Ok(self.parity(g)? == Some(Parity::Even))
    }

    /// Whether every line of play to a number has an odd number of moves: the game is not a number, and every option of its
    /// canonical form is even-tempered.
    pub fn is_odd_tempered(&self, g: CanonicalForm) -> Result<bool, OutOfMemory> {
        Ok(self.parity(g)? == Some(Parity::Odd))
    }

    // `None` for a game that is neither.
    fn parity(&self, g: CanonicalForm) -> Result<Option<Parity>, OutOfMemory> {
        self.fold(
            g,
            |f| Ok(self.is_number(f).then_some(Some(Parity::Even))),
            |_, left, right| {
                let all = |parity| left.iter().chain(right).all(|p| *p == Some(parity));
                Ok(if all(Parity::Odd) {
                    Some(Parity::Even)
                } else if all(Parity::Even) {
                    Some(Parity::Odd)
                } else {
                    None
                })
            },
        )
    }

    /// Whether the game is hot: its left stop is greater than its right stop.
    pub fn is_hot(&self, g: CanonicalForm) -> bool {
        !self.is_numberish(g)
    }
}
