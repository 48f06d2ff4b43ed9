//! The four outcome classes of a game under normal play (Siegel, *Combinatorial Game Theory*, chapter II).

use std::fmt;

/// Who wins a game with best play by both.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord, serde::Serialize)]
pub enum Outcome {
    /// An L-position: Left wins, whoever moves first. The value is greater than zero.
    #[serde(rename = "L")]
    Left,
    /// An R-position: Right wins, whoever moves first. The value is less than zero.
    #[serde(rename = "R")]
    Right,
    /// An N-position: the next player, who moves first, wins. The value is confused with zero.
    #[serde(rename = "N")]
    Next,
    /// A P-position: the previous player, who moves second, wins. The value is zero.
    #[serde(rename = "P")]
    Previous,
}

impl Outcome {
    /// The outcome, given whether Left and whether Right wins when moving first.
    pub fn from_first(left_wins_first: bool, right_wins_first: bool) -> Outcome {
        match (left_wins_first, right_wins_first) {
            (true, true) => Outcome::Next,
            (true, false) => Outcome::Left,
            (false, true) => Outcome::Right,
            (false, false) => Outcome::Previous,
        }
    }

    /// Whether Left wins moving first.
    pub fn left_wins_first(self) -> bool {
        matches!(self, Outcome::Left | Outcome::Next)
    }

    /// Whether Right wins moving first.
    pub fn right_wins_first(self) -> bool {
        matches!(self, Outcome::Right | Outcome::Next)
    }

    /// The outcome with the players exchanged.
    pub fn negate(self) -> Outcome {
        match self {
            Outcome::Left => Outcome::Right,
            Outcome::Right => Outcome::Left,
            same => same,
        }
    }

    /// The letter `L`, `R`, `N` or `P`.
    pub fn letter(self) -> char {
        match self {
            Outcome::Left => 'L',
            Outcome::Right => 'R',
            Outcome::Next => 'N',
            Outcome::Previous => 'P',
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.letter())
    }
}
