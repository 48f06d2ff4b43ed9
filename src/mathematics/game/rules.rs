//! Rules: what can be done at a position, and who has won at the end. `engine::arena` decides who wins by nothing else.
//!
//! A position says all that the rules look at but the player to move, and nothing of the history: so a position that comes
//! again is the same.

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
/// * Every method is a pure function of its arguments.
/// * [`options`](Rules::options) and [`steps`](Rules::steps) lead to the same positions.
pub trait Rules: Sync {
    /// A position, or an independent part of one.
    type Position: Clone + Eq + Hash + Send + Sync + Debug;
    /// What can go wrong when a rule is applied (a write off the board); `Infallible` for rules written by hand.
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

    /// Appends the options of `player` at `position` to `options`. Repetitions are allowed: options form a set.
    ///
    /// # Errors
    /// The fault of the rule that goes wrong at this position.
    fn options(
        &self,
        position: &Self::Position,
        player: Player,
        options: &mut Vec<Self::Position>,
    ) -> Result<(), Self::Fault>;

    /// How play has ended before anybody has moved.
    ///
    /// # Errors
    /// The fault of the clause that goes wrong.
    fn ended(&self, _position: &Self::Position) -> Result<Option<End>, Self::Fault> {
        Ok(None)
    }

    /// Appends the moves of `player` at a position at which play has not ended, with what follows each. Repetitions are
    /// allowed. By default the turn passes after each option, and no option ends play: rules with clauses write this, and
    /// leave the options to [`options_by_steps`].
    ///
    /// # Errors
    /// The fault of the rule that goes wrong.
    fn steps(
        &self,
        position: &Self::Position,
        player: Player,
        steps: &mut Vec<Step<Self::Position>>,
    ) -> Result<(), Self::Fault> {
        let mut options = Vec::new();
        self.options(position, player, &mut options)?;
        steps.extend(options.into_iter().map(|to| Step {
            to,
            again: false,
            end: None,
        }));
        Ok(())
    }

    /// Whether a player who moves at a position has a move that ends play in a way that is `good`.
    ///
    /// # Errors
    /// The fault of the rule that goes wrong.
    fn can_end(
        &self,
        position: &Self::Position,
        player: Player,
        good: &dyn Fn(End) -> bool,
    ) -> Result<bool, Self::Fault> {
        let mut steps = Vec::new();
        self.steps(position, player, &mut steps)?;
        Ok(steps.iter().any(|s| s.end.is_some_and(good)))
    }

    /// About how many moves a player needs at a position to end play in his favour if nobody disturbs him: a search looks first where it
    /// is little. No answer depends on it. Nothing where nobody knows.
    fn need(&self, _position: &Self::Position, _player: Player) -> Option<u32> {
        None
    }

    /// The position that stands for all images of one under symmetries of the rules: each is a permutation of the positions that maps
    /// moves onto moves and ends onto ends, with the same players, or, where they are `exchanged`, the other of two. Nothing where no such
    /// symmetry but the identity is known.
    fn image(&self, _position: &Self::Position, _exchanged: bool) -> Option<Self::Position> {
        None
    }

    /// Bytes that a position holds on the heap, beyond its own size, for the memory limit.
    fn position_bytes(&self, _position: &Self::Position) -> usize {
        0
    }
}

/// The most points that a position, or a move, may count for.
pub const MOST_POINTS: i64 = 1 << 40;

/// Rules under which points are counted. Play ends where the player to move is stuck, and nothing else ends it.
pub trait Scored: Rules {
    /// What play comes to where `stuck`, who is to move, cannot: Left's points minus Right's, at most
    /// [`MOST_POINTS`] in either direction.
    ///
    /// # Errors
    /// The fault of the rule that goes wrong.
    fn score(&self, position: &Self::Position, stuck: Player) -> Result<i64, Self::Fault>;

    /// A position without the points that are banked in it, and these: whatever is played, it comes to as much less from there. Moves
    /// from either position correspond to each other, and so do the positions that they lead to.
    ///
    /// # Errors
    /// More points than can be counted.
    fn bank(&self, position: Self::Position) -> Result<(Self::Position, i64), Self::Fault> {
        Ok((position, 0))
    }
}

/// The options of rules that are written by their steps.
///
/// # Errors
/// The fault of the rule that goes wrong.
pub fn options_by_steps<R: Rules>(
    rules: &R,
    position: &R::Position,
    player: Player,
    options: &mut Vec<R::Position>,
) -> Result<(), R::Fault> {
    let mut steps = Vec::new();
    rules.steps(position, player, &mut steps)?;
    options.extend(steps.into_iter().map(|step| step.to));
    Ok(())
}
