//! The interface between the two legs: the language leg implements [`Game`], and the engine searches any [`Game`]. This
//! module knows no boards, files or grammars, and computes no values.
//!
//! A game is a set of positions; at each position each player has a finite *set* of options (Siegel, *Combinatorial Game
//! Theory*, I.1). Three traits describe it:
//!
//! * [`Rules`]: the moves, and who has won. That is enough to decide who wins.
//! * [`Game`]: a key for each position, so that known parts are recognised. That is enough for values.
//! * [`Analysis`]: everything that only makes a search faster.
//!
//! The theories of values assume that every line of play ends. The engine detects play that does not (a position met again
//! below itself) and then refuses to answer.

mod analysis;
mod compound;
mod conflicts;
mod limits;
mod rules;
mod shortcuts;

pub use analysis::{Analysis, MovesLeft, Task, Unanalysed};
pub use compound::Compound;
pub use conflicts::Conflicts;
pub use limits::{Budget, Cancel, Limit, Limits, Pulse, Reason};
pub use rules::{End, MOST_POINTS, Rules, Scored, Step, options_by_steps};
pub use shortcuts::{Entry, REGISTRY, Shortcut, Shortcuts};

use std::fmt::Debug;
use std::hash::Hash;

/// A player, by place in the order of turns, from 0. With two players, Left is 0 and Right is 1.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Player(pub u8);

impl Player {
    /// Left (blue, black, vertical), who plays for large values.
    pub const LEFT: Player = Player(0);
    /// Right (red, white, horizontal), who plays for small values.
    pub const RIGHT: Player = Player(1);

    /// The other of two players. Meaningful only in two-player games.
    #[must_use]
    pub fn opponent(self) -> Player {
        Player(1 - (self.0 & 1))
    }

    /// The player before this one in the cycle of `n` players.
    #[must_use]
    pub fn before(self, n: u8) -> Player {
        Player(self.0.checked_sub(1).unwrap_or(n.saturating_sub(1)))
    }

    /// The place in the order of turns, for indexing.
    #[must_use]
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// How play ends and who has won.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Convention {
    /// Two players; a player who cannot move in turn loses.
    #[default]
    Normal,
    /// n players; play ends when the player to move cannot; the player who moved last has won (before any move: the player
    /// who sits before the first).
    LastWins,
    /// n players (Cincotti 2009); a player who cannot move in turn is out for good, and the others go on in the same order;
    /// the last player remaining has won.
    Elimination,
    /// Two players; a player who cannot move in turn wins.
    Misere,
    /// Two players; play is drawn when the player to move cannot.
    StuckDraws,
    /// Two players; when the player to move cannot, points are counted: see [`Scored`].
    Scoring,
}

/// Whether a key stands for a position or for its negative.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Sign {
    /// The key's game is the position.
    #[default]
    Plus,
    /// The key's game is the negative of the position: the players' roles are exchanged.
    Minus,
}

impl Sign {
    /// `Minus` if the players' roles are exchanged.
    #[must_use]
    pub fn of_exchanged(exchanged: bool) -> Sign {
        if exchanged { Sign::Minus } else { Sign::Plus }
    }
}

/// A combinatorial game whose positions have keys: what the theories of values need.
///
/// # Laws
/// * `key` is sound: parts with equal keys (on any board, or even of another `Game` with the same `Key` type that shares an
///   engine) have isomorphic game trees, after exchange of the players if the sign is [`Sign::Minus`].
/// * Every method is a pure function of its arguments.
pub trait Game: Rules + Sized {
    /// Identifies a part's game tree. Keys are compared in full, never by hash alone.
    type Key: Clone + Eq + Hash + Send + Sync + Debug;

    /// The key of a part, and whether it stands for the part or its negative.
    fn key(&self, part: &Self::Position) -> (Self::Key, Sign);

    /// What is known of the positions beyond rules and keys. Return `self` if the game implements [`Analysis`] itself.
    #[inline]
    fn analysis(&self) -> &impl Analysis<Self> {
        &Unanalysed
    }

    /// The bytes that a key holds on the heap, beyond its own size. They count against the memory limit.
    fn key_bytes(&self, _key: &Self::Key) -> usize {
        0
    }

    /// Appends an encoding of the key to `bytes` that does not depend on the process or the machine, and returns the number
    /// of the rules that it refers to (see [`rules_text`](Game::rules_text)); `None` if the key has no meaning outside this
    /// process. Keys with equal bytes, of rules with equal texts, must have isomorphic game trees.
    fn portable(&self, _key: &Self::Key, _bytes: &mut Vec<u8>) -> Option<u32> {
        None
    }

    /// The text of the rules with this number. It is the same in every process for rules that mean the same for a key.
    fn rules_text(&self, _number: u32) -> Vec<u8> {
        Vec::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_player_before_is_the_one_that_turns_pass_from() {
        for n in [1, 2, 3, 64, 128, 129, 200, 255] {
            for p in 0..n {
                let next = (u16::from(p) + 1) % u16::from(n);
                assert_eq!(Player(next as u8).before(n), Player(p));
            }
        }
    }
}
