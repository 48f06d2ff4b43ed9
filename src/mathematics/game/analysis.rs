//! What a game knows of its positions beyond its rules: how they fall apart, what is alike, who cannot lose. All of it is
//! optional and only makes a search faster: without it the answers are the same.

use super::{Game, Player, Sign};

/// What is known of the positions of a game.
///
/// # Laws
/// * [`split`](Analysis::split) and [`regions`](Analysis::regions) are sound: the position is isomorphic, as a game tree, to
///   the disjunctive sum of its parts.
/// * [`plain_key`](Analysis::plain_key) obeys the law of [`Game::key`].
/// * Every method is a pure function of its arguments.
pub trait Analysis<G: Game>: Sync {
    /// Appends the independent parts of `position` to `parts`; none where the position is plainly zero (nobody can ever
    /// move). By default the position is its own only part.
    #[inline]
    fn split(&self, position: &G::Position, parts: &mut Vec<G::Position>) {
        parts.push(position.clone());
    }

    /// Appends independent parts of `position` that may fall apart further, found faster than by
    /// [`split`](Analysis::split); false, and nothing is appended, where that cannot be had. `from` is a part, of either
    /// kind, that the position is an option of, if it is.
    #[inline]
    fn regions(
        &self,
        _from: Option<&G::Position>,
        _position: &G::Position,
        _parts: &mut Vec<G::Position>,
    ) -> bool {
        false
    }

    /// A key that takes less time to make and finds fewer parts that are alike: a search takes it where keys have found
    /// little. Keys of both kinds may be made of one part; they differ then. `None` where there is no such key.
    #[inline]
    fn plain_key(&self, _part: &G::Position) -> Option<(G::Key, Sign)> {
        None
    }

    /// A position whose game tree is isomorphic to that of a part, its negative's where the sign says so, and the same for
    /// many parts that are alike, where it is found in much less time than a key: a search looks there before it makes one.
    #[inline]
    fn image(&self, _part: &G::Position) -> Option<(G::Position, Sign)> {
        None
    }

    /// True only if, at this part and at all that can follow it, all players have the same options.
    #[inline]
    fn is_impartial(&self, _part: &G::Position) -> bool {
        false
    }

    /// True only if it is known that every line of play ends, from every position of this game. Where it is not known
    /// the engine does not use that a game plus its negative is zero before it has seen the game end.
    #[inline]
    fn ends(&self) -> bool {
        false
    }

    /// True only if no rule can go wrong at any position of this game, so that a search may leave some of them out. Where it
    /// is not known a search for a winner bounds nothing, and a game plus its negative is not zero to it.
    #[inline]
    fn is_faultless(&self) -> bool {
        false
    }

    /// True only if a move leaves fewer moves than there were, in all parts together, whoever makes it, and
    /// [`mobility`](Analysis::mobility) counts them all: then little lies below a part with few moves.
    #[inline]
    fn dwindles(&self) -> bool {
        false
    }

    /// How much is likely to lie below a part: a search may look at light parts first. No answer depends on it.
    #[inline]
    fn weight(&self, _part: &G::Position) -> u32 {
        0
    }

    /// How many moves each of two players can make now at a part, about: a search may look at some options first. No
    /// answer depends on it; `None` where it costs as much as the options themselves.
    #[inline]
    fn mobility(&self, _part: &G::Position) -> Option<[u32; 2]> {
        None
    }

    /// How many more moves one of two players is sure to make from here on than the other can, where he begins or the other
    /// does: a lower bound. More than 0, or not below 0 where the other begins, only if he wins. `None` where moves cannot
    /// be counted so.
    #[inline]
    fn margin(&self, _position: &G::Position, _player: Player, _begins: bool) -> Option<i32> {
        None
    }

    /// A lower bound for the opponent: appends positions whose sum is the part with some of the player's moves forbidden for
    /// ever, so that it falls apart, if possible into parts of at most this weight. False, and nothing is appended, where no
    /// such moves are known.
    #[inline]
    fn tied(
        &self,
        _part: &G::Position,
        _player: Player,
        _weight: u32,
        _parts: &mut Vec<G::Position>,
    ) -> bool {
        false
    }

    /// Runs a task at a position in a game with smaller positions, where there is one: the same game tree with the same
    /// keys. Gives the task back where there is none.
    ///
    /// # Errors
    /// The task.
    #[inline]
    fn narrowed<T: Task<G>>(&self, _position: &G::Position, task: T) -> Result<T::Output, T> {
        Err(task)
    }
}

/// The analysis of a game of which only the rules and the keys are known.
#[derive(Clone, Copy, Debug)]
pub struct Unanalysed;

impl<G: Game> Analysis<G> for Unanalysed {}

/// A question to be asked of a game with other positions: see [`Analysis::narrowed`].
pub trait Task<G: Game> {
    /// The answer.
    type Output;

    /// Asks it. `widen` gives positions back as `G` writes them.
    fn run<H: Game<Key = G::Key, Fault = G::Fault>>(
        self,
        game: &H,
        position: &H::Position,
        widen: impl Fn(H::Position) -> G::Position,
    ) -> Self::Output;
}
