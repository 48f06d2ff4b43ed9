//! The seam between the two legs: the language leg makes something that implements [`Game`], the engine searches any
//! [`Game`]. Nothing here knows boards, files or grammars; nothing here computes a value.
//!
//! A game is a set of positions; each player has, at each position, a finite *set* of options (Siegel, *Combinatorial
//! Game Theory*, I.1). Three traits say what is known of it:
//!
//! * [`Rules`]: what can be done, and who has won. That is enough to decide who wins.
//! * [`Game`]: what identifies a position, so that parts found once are known again. That is enough for values.
//! * [`Analysis`]: everything that makes a search faster.
//!
//! The theories of values assume that every line of play ends; the engine notices when one does not (a position that is met
//! again below itself) and refuses to answer.

mod analysis;
mod compound;
mod limits;
mod rules;
mod shortcuts;

pub use analysis::{Analysis, Task, Unanalysed};
pub use compound::Compound;
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

    /// The other of two players. Only meaningful in two-player games.
    #[must_use]
    pub fn opponent(self) -> Player {
        Player(1 - (self.0 & 1))
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
    /// Two players; who cannot move in turn loses.
    #[default]
    Normal,
    /// n players; play ends when the player to move cannot; whoever moved last has won
    /// (before any move: the one who sits before the first).
    LastWins,
    /// n players (Cincotti 2009); one who cannot move in turn is out for good, the others go on in the same order;
    /// the one who remains has won.
    Elimination,
    /// Two players; who cannot move in turn wins.
    Misere,
    /// Two players; where the player to move cannot, play is drawn.
    StuckDraws,
    /// Two players; where the player to move cannot, points are counted: see [`Scored`].
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
    /// Minus where the players' roles are exchanged.
    #[must_use]
    pub fn of_exchanged(exchanged: bool) -> Sign {
        if exchanged { Sign::Minus } else { Sign::Plus }
    }
}

/// A combinatorial game whose positions can be told apart: what the theories of values ask for.
///
/// # Laws
/// * `key` is sound: parts with equal keys (of whatever board, or even of another `Game` with the same `Key` type that
///   shares an engine) have isomorphic game trees, after exchange of the players where the sign is [`Sign::Minus`].
/// * Every method is a pure function of its arguments.
pub trait Game: Rules + Sized {
    /// What identifies a part's game tree; compared in full, never by hash alone.
    type Key: Clone + Eq + Hash + Send + Sync + Debug;

    /// The key of a part and how the part relates to it.
    fn key(&self, part: &Self::Position) -> (Self::Key, Sign);

    /// What is known of the positions beyond rules and keys. Write `self` where the game implements [`Analysis`] of itself.
    #[inline]
    fn analysis(&self) -> &impl Analysis<Self> {
        &Unanalysed
    }

    /// Bytes that a key holds on the heap, beyond its own size, for the memory limit.
    fn key_bytes(&self, _key: &Self::Key) -> usize {
        0
    }

    /// Appends what a key says to `bytes`, in a way that does not depend on the process or the machine, and gives a number
    /// for the rules that it speaks of (see [`rules_text`](Game::rules_text)); `None` if the key means nothing outside of
    /// this process. Keys with equal bytes, of rules with equal texts, have isomorphic game trees.
    fn portable(&self, _key: &Self::Key, _bytes: &mut Vec<u8>) -> Option<u32> {
        None
    }

    /// The text of the rules with this number, equal in every process for rules that mean the same to a key.
    fn rules_text(&self, _number: u32) -> Vec<u8> {
        Vec::new()
    }
}
