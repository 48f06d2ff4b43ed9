//! Rules: the moves at a position, and who has won at the end. `engine::arena` decides who wins by nothing else.
//!
//! A position contains everything that the rules depend on except the player to move, and nothing of the history. So a
//! position that occurs again is the same position.

use std::fmt::Debug;
use std::hash::Hash;

use super::{Convention, Player};

/// How a clause of the rules has ended play in a position.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum End {
    /// These players have won: bit i for player i.
    Won(u64),
    /// Nobody has won.
    Drawn,
}

/// One move: the position reached, and what follows.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Step<P> {
    /// The position reached.
    pub to: P,
    /// The same player moves next.
    pub again: bool,
    /// Play has ended there; then `again` is ignored.
    pub end: Option<End>,
}

/// The rules of a game of perfect information for two or more players, who move in turn.
///
/// # Laws
/// * Every method is a pure function of its arguments.
/// * [`options`](Rules::options) and [`steps`](Rules::steps) lead to the same positions.
pub trait Rules: Sync {
    /// A position, or an independent part of one.
    type Position: Clone + Eq + Hash + Send + Sync + Debug;
    /// The error when a rule fails (a write off the board); `Infallible` for rules that cannot fail.
    type Fault: Clone + Send + Sync + Debug;

    /// The number of players, from 2 to 64.
    fn players(&self) -> u8 {
        2
    }

    /// What happens when the player to move cannot.
    fn convention(&self) -> Convention {
        Convention::Normal
    }

    /// Who wins infinite play; `None` if it is drawn. For two players.
    fn endless(&self) -> Option<Player> {
        None
    }

    /// Appends the options of `player` at `position` to `options`. Repetitions are allowed: options form a set.
    ///
    /// # Errors
    /// The fault of the rule that fails at this position.
    fn options(
        &self,
        position: &Self::Position,
        player: Player,
        options: &mut Vec<Self::Position>,
    ) -> Result<(), Self::Fault>;

    /// How play has ended before the first move, if it has.
    ///
    /// # Errors
    /// The fault of the clause that fails.
    fn ended(&self, _position: &Self::Position) -> Result<Option<End>, Self::Fault> {
        Ok(None)
    }

    /// Appends the moves of `player` at a position where play has not ended, with what follows each. Repetitions are
    /// allowed. By default the turn passes after each option, and no option ends play. Rules with clauses implement this
    /// method, and implement `options` by [`options_by_steps`].
    ///
    /// # Errors
    /// The fault of the rule that fails.
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

    /// Whether the player to move at a position must answer the last move: in a sum, a first move in another part is not
    /// legal.
    fn is_forced(&self, _position: &Self::Position) -> bool {
        false
    }

    /// Appends independent positions whose sum this one is. By default it is not taken apart.
    fn apart(&self, position: &Self::Position, parts: &mut Vec<Self::Position>) {
        parts.push(position.clone());
    }

    /// Takes apart a position at which the last move must be answered. For each independent part in which it may be answered,
    /// appends to `answered` the part as one that must be answered and as one in which the player is free; appends the other
    /// parts to `rest`. By default the position is not taken apart and is itself appended to `rest`.
    fn answers_apart(
        &self,
        position: &Self::Position,
        _answered: &mut Vec<[Self::Position; 2]>,
        rest: &mut Vec<Self::Position>,
    ) {
        rest.push(position.clone());
    }

    /// Whether a player to move at a position has a move that ends play in a way for which `good` holds.
    ///
    /// # Errors
    /// The fault of the rule that fails.
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

    /// The approximate number of moves that a player needs at a position to end play in his favour if nobody hinders him. A
    /// search first tries positions where it is small; no answer depends on it. `None` if it is not known.
    fn need(&self, _position: &Self::Position, _player: Player) -> Option<u32> {
        None
    }

    /// A representative of the images of a position under symmetries of the rules. A symmetry is a permutation of the
    /// positions that maps moves to moves and ends to ends, with the same players or, if `exchanged`, with two players
    /// exchanged. `None` if no symmetry other than the identity is known.
    fn image(&self, _position: &Self::Position, _exchanged: bool) -> Option<Self::Position> {
        None
    }

    /// The bytes that a position holds on the heap, beyond its own size. They count against the memory limit.
    fn position_bytes(&self, _position: &Self::Position) -> usize {
        0
    }
}

/// The greatest number of points of a position or a move, in absolute value.
pub const MOST_POINTS: i64 = 1 << 40;

/// Rules under which points are counted. Play ends when the player to move cannot, and in no other way.
pub trait Scored: Rules {
    /// The result when the player `stuck` is to move and cannot: Left's points minus Right's, at most [`MOST_POINTS`] in
    /// absolute value.
    ///
    /// # Errors
    /// The fault of the rule that fails.
    fn score(&self, position: &Self::Position, stuck: Player) -> Result<i64, Self::Fault>;

    /// The position without its banked points, and these points. The results of all lines of play from the position
    /// returned are less by exactly these points. The moves from both positions correspond to each other, and so do the
    /// positions reached.
    ///
    /// # Errors
    /// More points than can be counted.
    fn bank(&self, position: Self::Position) -> Result<(Self::Position, i64), Self::Fault> {
        Ok((position, 0))
    }
}

/// The options of rules that are given by their steps.
///
/// # Errors
/// The fault of the rule that fails.
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
