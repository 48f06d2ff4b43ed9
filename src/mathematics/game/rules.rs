//! Rules under which who wins depends on more than who can move: ends by winning or by a draw, further turns, play without end.
//!
//! [`Game`](super::Game) is for the theories of values, which know none of this; [`Rules`] is what `engine::arena` plays. A position
//! says all that the rules look at but the player to move, and nothing of the history: so a position that comes again is the same.

use std::fmt::Debug;
use std::hash::Hash;

use super::{Convention, Player};

/// How play has ended in a position by a clause of the rules.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum End {
    /// These players have won: bit i for player i.
    Won(u64),
    /// Nobody has won.
    Drawn,
}

/// One move: where it leads and what follows.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Step<P> {
    /// The position reached.
    pub to: P,
    /// The same player moves next.
    pub again: bool,
    /// Play has ended there; `again` counts for nothing then.
    pub end: Option<End>,
}

/// The rules of a game for two or more players, who know everything and move in turn.
///
/// # Laws
/// Every method is a pure function of its arguments.
pub trait Rules: Sync {
    /// A position.
    type Position: Clone + Eq + Hash + Send + Sync + Debug;
    /// What can go wrong when a rule is applied; `Infallible` for rules written by hand.
    type Fault: Clone + Send + Sync + Debug;

    /// How many players there are, from 2 to 64.
    fn players(&self) -> u8 {
        2
    }

    /// What it means that the player to move cannot.
    fn convention(&self) -> Convention {
        Convention::Normal
    }

    /// Who wins a play without end; nobody where it is drawn. For two players.
    fn endless(&self) -> Option<Player> {
        None
    }

    /// How play has ended before anybody has moved.
    ///
    /// # Errors
    /// The fault of the clause that goes wrong.
    fn ended(&self, position: &Self::Position) -> Result<Option<End>, Self::Fault>;

    /// Appends the moves of `player` at a position at which play has not ended. Repetitions are allowed.
    ///
    /// # Errors
    /// The fault of the rule that goes wrong.
    fn steps(
        &self,
        position: &Self::Position,
        player: Player,
        steps: &mut Vec<Step<Self::Position>>,
    ) -> Result<(), Self::Fault>;

    /// Bytes that a position holds on the heap, beyond its own size, for the memory limit.
    fn position_bytes(&self, _position: &Self::Position) -> usize {
        0
    }
}
