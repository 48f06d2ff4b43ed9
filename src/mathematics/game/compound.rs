//! Compounds of games other than the disjunctive sum.

/// How parts are played together.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Compound {
    /// A move in every part, until one is over.
    Conjunctive,
    /// A move in every part that is not over.
    Continued,
    /// A move in some parts, at least one.
    Selective,
    /// A move in one part, until one is over.
    Shortened,
    /// A move in the first part that is not over.
    Sequential,
}

impl Compound {
    /// The name in a rules file.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Compound::Conjunctive => "conjunctive",
            Compound::Continued => "continued",
            Compound::Selective => "selective",
            Compound::Shortened => "shortened",
            Compound::Sequential => "sequential",
        }
    }
}
