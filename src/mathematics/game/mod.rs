//! The seam between the two legs: the language leg makes something that implements [`Game`], the engine searches any
//! [`Game`]. Nothing here knows boards, files or grammars; nothing here computes a value.
//!
//! A game is a set of positions; each player has, at each position, a finite *set* of options (Siegel, *Combinatorial
//! Game Theory*, I.1). The engine assumes that every line of play ends; it notices when one does not (a position that
//! is met again below itself) and refuses to answer.

mod limits;
mod rules;
mod shortcuts;

pub use limits::{Budget, Cancel, Limit, Limits, Pulse};
pub use rules::{End, Rules, Step};
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

/// Something to do at a position of a game, whatever the type of its positions: see [`Game::narrowed`].
pub trait Errand<G: Game> {
    /// What comes of it.
    type Output;

    /// Does it. `widen` gives positions back as `G` writes them.
    fn run<H: Game<Key = G::Key, Fault = G::Fault>>(
        self,
        game: &H,
        position: &H::Position,
        widen: impl Fn(H::Position) -> G::Position,
    ) -> Self::Output;
}

/// A combinatorial game, as the engine sees it.
///
/// # Laws
/// * `split` is sound: the position is isomorphic, as a game tree, to the disjunctive sum of its parts.
/// * `key` is sound: parts with equal keys (of whatever board, or even of another `Game` with the same `Key` type that
///   shares an engine) have isomorphic game trees, after exchange of the players where the sign is [`Sign::Minus`].
/// * Every method is a pure function of its arguments.
pub trait Game: Sync {
    /// A position, or an independent part of one.
    type Position: Clone + Eq + Hash + Send + Sync + Debug;
    /// What identifies a part's game tree; compared in full, never by hash alone.
    type Key: Clone + Eq + Hash + Send + Sync + Debug;
    /// What can go wrong when a rule is applied (a write off the board); `Infallible` for games written by hand.
    type Fault: Clone + Send + Sync + Debug;

    /// How many players there are, 2 or more.
    fn players(&self) -> u8 {
        2
    }

    /// How play ends.
    fn convention(&self) -> Convention {
        Convention::Normal
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

    /// Appends the independent parts of `position` to `parts`; none where the position is plainly zero (nobody can ever
    /// move). By default the position is its own only part.
    fn split(&self, position: &Self::Position, parts: &mut Vec<Self::Position>) {
        parts.push(position.clone());
    }

    /// Does the same for an option of a part that does not fall apart, where to know the part makes that easier; false, and
    /// nothing is appended, where it does not.
    fn split_option(
        &self,
        _part: &Self::Position,
        _option: &Self::Position,
        _parts: &mut Vec<Self::Position>,
    ) -> bool {
        false
    }

    /// Appends independent parts of `position` that may fall apart further, found faster than by [`split`](Game::split);
    /// false, and nothing is appended, where that cannot be had. `from` is a part, of either kind, that the position is an
    /// option of, if it is.
    fn regions(
        &self,
        _from: Option<&Self::Position>,
        _position: &Self::Position,
        _parts: &mut Vec<Self::Position>,
    ) -> bool {
        false
    }

    /// The key of a part and how the part relates to it.
    fn key(&self, part: &Self::Position) -> (Self::Key, Sign);

    /// A key that takes less time to make and finds fewer parts that are alike: a search takes it where keys have found little.
    /// Keys of both kinds may be made of one part; they differ then. Nothing where there is none such.
    fn plain_key(&self, _part: &Self::Position) -> Option<(Self::Key, Sign)> {
        None
    }

    /// A position whose game tree is isomorphic to that of a part, its negative's where the sign says so, and the same for many
    /// parts that are alike, where it is found in much less time than a key: a search looks there before it makes one.
    fn image(&self, _part: &Self::Position) -> Option<(Self::Position, Sign)> {
        None
    }

    /// True only if, at this part and at all that can follow it, all players have the same options.
    fn is_impartial(&self, _part: &Self::Position) -> bool {
        false
    }

    /// True only if it is known that every line of play ends, from every position of this game. Where it is not known
    /// the engine does not use that a game plus its negative is zero before it has seen the game end.
    fn ends(&self) -> bool {
        false
    }

    /// True only if no rule can go wrong at any position of this game, so that a search may leave some of them out. Where it is not
    /// known a search for a winner bounds nothing, and a game plus its negative is not zero to it.
    fn is_faultless(&self) -> bool {
        false
    }

    /// True only if a move leaves fewer moves than there were, in all parts together, whoever makes it, and [`mobility`](Game::mobility)
    /// counts them all: then little lies below a part with few moves.
    fn dwindles(&self) -> bool {
        false
    }

    /// How much is likely to lie below a part: a search may look at light parts first. No answer depends on it.
    fn weight(&self, _part: &Self::Position) -> u32 {
        0
    }

    /// Does something at a position in a game with smaller positions, where there is one: the same game tree with the same
    /// keys. Gives the errand back where there is none.
    ///
    /// # Errors
    /// The errand.
    fn narrowed<E: Errand<Self>>(
        &self,
        _position: &Self::Position,
        errand: E,
    ) -> Result<E::Output, E>
    where
        Self: Sized,
    {
        Err(errand)
    }

    /// Bytes that a position holds on the heap, beyond its own size, for the memory limit.
    fn position_bytes(&self, _position: &Self::Position) -> usize {
        0
    }

    /// How many moves each of two players can make now at a part, about: a search may look at some options first. No
    /// answer depends on it; nothing where it costs as much as the options themselves.
    fn mobility(&self, _part: &Self::Position) -> Option<[u32; 2]> {
        None
    }

    /// How many more moves one of two players is sure to make from here on than the other can, where he begins or the other
    /// does: a lower bound. More than 0, or not below 0 where the other begins, only if he wins. Nothing where moves cannot
    /// be counted so.
    fn margin(&self, _position: &Self::Position, _player: Player, _begins: bool) -> Option<i32> {
        None
    }

    /// A game that is no better for one player: appends positions whose sum is the part with some of the player's moves
    /// forbidden for ever, so that it falls apart, if possible into parts of at most this weight. False, and nothing is
    /// appended, where no such moves are known.
    fn tied(
        &self,
        _part: &Self::Position,
        _player: Player,
        _weight: u32,
        _parts: &mut Vec<Self::Position>,
    ) -> bool {
        false
    }

    /// Appends what a key says to `bytes`, in a way that does not depend on the process or the machine, and gives a number
    /// for the rules that it speaks of (see [`rules`](Game::rules)); `None` if the key means nothing outside of this
    /// process. Keys with equal bytes, of rules with equal texts, have isomorphic game trees.
    fn portable(&self, _key: &Self::Key, _bytes: &mut Vec<u8>) -> Option<u32> {
        None
    }

    /// The text of the rules with this number, equal in every process for rules that mean the same to a key.
    fn rules(&self, _number: u32) -> Vec<u8> {
        Vec::new()
    }

    /// Bytes that a key holds on the heap, beyond its own size, for the memory limit.
    fn key_bytes(&self, _key: &Self::Key) -> usize {
        0
    }
}
