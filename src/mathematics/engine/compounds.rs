//! Compounds of games other than the sum. From the rules of the components, [`Together`] makes the rules of the compound.
//! For impartial components whose play ends, [`by_parts`] finds the winner from facts about each component alone.
//!
//! * *conjunctive*: a move in every component; over when one of them is over. The player to move wins iff the least
//!   remoteness is odd, under misère play iff it is even (C. A. B. Smith, *Graphs and composite games*, 1966; *Winning
//!   Ways*, chapter 9; ONAG, chapter 14).
//! * *continued*: a move in every component that is not over. The same with the greatest suspense.
//! * *selective*: a move in at least one component. The previous player wins iff he wins in each component. Under misère
//!   play the same holds unless exactly one component is not over, which then decides; if all are over, the player to move
//!   wins.
//! * *shortened*: a move in one component; over when one of them is over.
//! * *sequential*: a move in the first component that is not over (W. Stromquist and D. Ullman, *Sequential compounds of
//!   combinatorial games*, 1993).
//!
//! The first three theorems are about impartial components. In all other cases, `engine::arena` decides who wins, by the
//! rules [`Together`] on tuples. There, a component is over *for a player* if he cannot move in it: this stops him in a
//! conjunctive or a shortened compound, and lets him pass in a continued or a selective one. A component of a sequential
//! compound is over when neither player can move in it.

use super::lengths::Length;
use crate::game::{Compound, Convention, Player, Rules};

/// Facts about an impartial component.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Part {
    /// Under normal play.
    pub normal: Length,
    /// Under the convention of the query.
    pub asked: Length,
}

/// Whether the player to move wins, from the components alone; `None` if no theorem decides. The components must be
/// impartial, and their play must end.
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

/// The most options that are listed for a position of a compound.
pub const MOST_OPTIONS: usize = 1 << 18;

/// What can fail in a compound.
#[derive(Clone, Debug)]
pub enum Wrong<F> {
    /// A rule of a component.
    Part(F),
    /// More than [`MOST_OPTIONS`] options.
    TooMany,
}

/// The rules of a compound. Its positions are tuples. Components must have no clauses that end play or keep the turn.
#[derive(Debug)]
pub struct Together<'r, R> {
    /// How the components are combined.
    pub compound: Compound,
    /// The rules of each component.
    pub parts: Vec<&'r R>,
    /// What happens when the player to move has no move.
    pub convention: Convention,
    /// Who wins an infinite play.
    pub endless: Option<Player>,
}

/// A position of a compound: one position for each component.
type Tuple<P> = Box<[P]>;

impl<R: Rules> Together<'_, R> {
    /// The options of a player in one component.
    fn of(&self, at: usize, part: &R::Position, player: Player) -> Options<R> {
        let mut options = Vec::new();
        if let Some(rules) = self.parts.get(at) {
            rules
                .options(part, player, &mut options)
                .map_err(Wrong::Part)?;
        }
        Ok(options)
    }

    /// Appends the Cartesian product of `choices`.
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
