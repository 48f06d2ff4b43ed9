//! Games played together in other ways than as a sum: the rules of the parts come in; the rules of the compound go out, or, of
//! impartial parts whose play ends, who wins, from what is known of each part by itself.
//!
//! * *conjunctive*: a move in every part; over when one of them is over. The player to move wins iff the least remoteness is odd,
//!   under misère play iff it is even (C. A. B. Smith, *Graphs and composite games*, 1966; *Winning Ways*, chapter 9; ONAG, chapter 14).
//! * *continued*: a move in every part that is not over. The same of the greatest suspense.
//! * *selective*: a move in some parts, at least one. The previous player wins iff he wins in each part; under misère play the same
//!   unless exactly one part is not over, which decides then; who finds all parts over wins.
//! * *shortened*: a move in one part; over when one of them is over.
//! * *sequential*: a move in the first part that is not over (W. Stromquist and D. Ullman, *Sequential compounds of combinatorial
//!   games*, 1993).
//!
//! The first three theorems are of impartial parts. Of others, and of the last two compounds, `engine::arena` decides who wins by the
//! rules [`Together`] of tuples. There, a part is over *for a player* if he cannot move in it: that stops him in a conjunctive or a
//! shortened compound and lets him pass in a continued or a selective one; a part of a sequential compound is over when neither player
//! can move in it.

use super::lengths::Length;
use crate::game::{Compound, Convention, Player, Rules};

/// What must be known of an impartial part.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Part {
    /// Under normal play.
    pub normal: Length,
    /// Under the convention that is asked about.
    pub asked: Length,
}

/// Whether the player to move wins, from the parts alone; nothing where no theorem says so. The parts are impartial, and their
/// play ends.
#[must_use]
pub fn by_parts(compound: Compound, parts: &[Part], misere: bool) -> Option<bool> {
    let odd = |n: u32| n % 2 == 1;
    match compound {
        Compound::Conjunctive => {
            let least = parts.iter().map(|p| p.asked.remoteness).min()?;
            Some(odd(least) != misere)
        }
        Compound::Continued => {
            let greatest = parts.iter().map(|p| p.asked.suspense).max()?;
            Some(odd(greatest) != misere)
        }
        Compound::Selective => {
            let mut live = parts.iter().filter(|p| p.normal.remoteness > 0);
            if misere {
                match (live.next(), live.next()) {
                    (None, _) => return Some(true),
                    (Some(one), None) => return one.asked.wins,
                    _ => {}
                }
            }
            let mut wins = parts.iter().map(|p| p.normal.wins);
            wins.try_fold(false, |any, wins| Some(any | wins?))
        }
        Compound::Shortened | Compound::Sequential => None,
    }
}

/// The most options of one position of a compound that are listed.
pub const MOST_OPTIONS: usize = 1 << 18;

/// What goes wrong in a compound.
#[derive(Clone, Debug)]
pub enum Wrong<F> {
    /// A rule of a part.
    Part(F),
    /// More than [`MOST_OPTIONS`] options.
    TooMany,
}

/// The rules of a compound: its positions are tuples. Parts have no clauses that end play or keep the turn.
#[derive(Debug)]
pub struct Together<'r, R> {
    /// How the parts are played.
    pub compound: Compound,
    /// The rules of each part.
    pub parts: Vec<&'r R>,
    /// What it means that the player to move cannot.
    pub convention: Convention,
    /// Who wins a play without end.
    pub endless: Option<Player>,
}

/// A position of a compound with some of its parts exchanged.
type Tuple<P> = Box<[P]>;

impl<R: Rules> Together<'_, R> {
    /// The options of a player in one part.
    fn of(&self, at: usize, part: &R::Position, player: Player) -> Options<R> {
        let mut options = Vec::new();
        if let Some(rules) = self.parts.get(at) {
            rules
                .options(part, player, &mut options)
                .map_err(Wrong::Part)?;
        }
        Ok(options)
    }

    /// All tuples with one of the choices for each part.
    fn product(
        choices: &[Vec<R::Position>],
        all: &mut Vec<Tuple<R::Position>>,
    ) -> Result<(), Wrong<R::Fault>> {
        let mut count = 1usize;
        for choice in choices {
            count = count.checked_mul(choice.len()).ok_or(Wrong::TooMany)?;
        }
        if count > MOST_OPTIONS {
            return Err(Wrong::TooMany);
        }
        for number in 0..count {
            let mut rest = number;
            let tuple = choices.iter().map(|choice| {
                let one = choice[rest % choice.len()].clone();
                rest /= choice.len();
                one
            });
            all.push(tuple.collect());
        }
        Ok(())
    }
}

type Options<R> = Result<Vec<<R as Rules>::Position>, Wrong<<R as Rules>::Fault>>;

impl<R: Rules> Rules for Together<'_, R> {
    type Position = Tuple<R::Position>;
    type Fault = Wrong<R::Fault>;

    fn convention(&self) -> Convention {
        self.convention
    }

    fn endless(&self) -> Option<Player> {
        self.endless
    }

    fn options(
        &self,
        position: &Tuple<R::Position>,
        player: Player,
        all: &mut Vec<Tuple<R::Position>>,
    ) -> Result<(), Wrong<R::Fault>> {
        let with = |at: usize, option: R::Position| {
            let mut tuple = position.clone();
            tuple[at] = option;
            tuple
        };
        if self.compound == Compound::Sequential {
            for (at, part) in position.iter().enumerate() {
                let own = self.of(at, part, player)?;
                if own.is_empty() && self.of(at, part, player.opponent())?.is_empty() {
                    continue;
                }
                all.extend(own.into_iter().map(|option| with(at, option)));
                return Ok(());
            }
            return Ok(());
        }
        let mut choices = Vec::with_capacity(position.len());
        for (at, part) in position.iter().enumerate() {
            choices.push(self.of(at, part, player)?);
        }
        let over = choices.iter().filter(|c| c.is_empty()).count();
        let stopped = match self.compound {
            Compound::Conjunctive | Compound::Shortened => over > 0,
            _ => over == choices.len(),
        };
        if stopped {
            return Ok(());
        }
        if self.compound == Compound::Shortened {
            for (at, choice) in choices.into_iter().enumerate() {
                all.extend(choice.into_iter().map(|option| with(at, option)));
            }
            return Ok(());
        }
        for (part, choice) in position.iter().zip(&mut choices) {
            // Last, so that the tuple in which nothing moves is the last one.
            if choice.is_empty() || self.compound == Compound::Selective {
                choice.push(part.clone());
            }
        }
        Self::product(&choices, all)?;
        if self.compound == Compound::Selective {
            all.pop();
        }
        Ok(())
    }

    fn position_bytes(&self, position: &Tuple<R::Position>) -> usize {
        let parts = self.parts.iter().zip(position.iter());
        let inside: usize = parts.map(|(r, p)| r.position_bytes(p)).sum();
        inside + size_of_val(&**position)
    }
}
