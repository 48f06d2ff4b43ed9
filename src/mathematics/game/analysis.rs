//! What a game knows of its positions beyond its rules: components, images, bounds, counts of moves. All of it is optional
//! and only makes a search faster; the answers are the same without it.

use super::{Conflicts, Game, Player, Sign};

/// What is known of the positions of a game.
///
/// # Laws
/// * [`split`](Analysis::split) and [`regions`](Analysis::regions) are sound: the position is isomorphic, as a game tree, to
///   the disjunctive sum of its parts.
/// * [`plain_key`](Analysis::plain_key) obeys the law of [`Game::key`].
/// * Every method is a pure function of its arguments.
pub trait Analysis<G: Game>: Sync {
    /// Appends the independent parts of `position` to `parts`; no parts if the position is obviously zero (no player can
    /// ever move). By default the only part is the position itself.
    #[inline]
    fn split(&self, position: &G::Position, parts: &mut Vec<G::Position>) {
        parts.push(position.clone());
    }

    /// Appends independent parts of `position` that may split further, but are found faster than by
    /// [`split`](Analysis::split). Returns false, and appends nothing, if there is no such method. `from` is a part, of
    /// either kind, of which the position is an option, if there is one.
    #[inline]
    fn regions(
        &self,
        _from: Option<&G::Position>,
        _position: &G::Position,
        _parts: &mut Vec<G::Position>,
    ) -> bool {
        false
    }

    /// A key that is computed faster but recognises fewer equal parts; a search uses it where full keys have found little.
    /// One part may have keys of both kinds, which differ. `None` if there is no such key.
    #[inline]
    fn plain_key(&self, _part: &G::Position) -> Option<(G::Key, Sign)> {
        None
    }

    /// A representative of the part: a position whose game tree is isomorphic to that of the part, or of its negative if
    /// the sign says so, and which many similar parts share. Only where it is found in much less time than a key; a search
    /// looks it up first.
    #[inline]
    fn image(&self, _part: &G::Position) -> Option<(G::Position, Sign)> {
        None
    }

    /// True only if the second player is known to win at this position without a search, so that its value is zero.
    #[inline]
    fn is_paired(&self, _position: &G::Position) -> bool {
        false
    }

    /// Whether a player wins who moves first at this position, if that is known without a search because the position or one
    /// of its options [is paired](Analysis::is_paired).
    #[inline]
    fn wins_by_pairing(&self, _position: &G::Position, _mover: Player) -> Option<bool> {
        None
    }

    /// True only if at this part, and at all positions that can follow, all players have the same options.
    #[inline]
    fn is_impartial(&self, _part: &G::Position) -> bool {
        false
    }

    /// True only if every line of play from every position of this game is known to end. Otherwise the engine cancels a
    /// game with its negative only after it has seen that game end.
    #[inline]
    fn ends(&self) -> bool {
        false
    }

    /// True only if no rule can fail at any position of this game, so that a search may skip positions. Otherwise a search
    /// for the winner uses no bounds, and does not cancel a game with its negative.
    #[inline]
    fn is_faultless(&self) -> bool {
        false
    }

    /// True only if every move of either player reduces the number of moves, counted over all parts, and
    /// [`mobility`](Analysis::mobility) counts all of them. Then a part with few moves has few followers.
    #[inline]
    fn dwindles(&self) -> bool {
        false
    }

    /// An estimate of the number of followers of a part. A search may try light parts first; no answer depends on it.
    #[inline]
    fn weight(&self, _part: &G::Position) -> u32 {
        0
    }

    /// The approximate number of moves that each of two players can make now at a part. A search may use it to order
    /// options; no answer depends on it. `None` if it costs as much as the options themselves.
    #[inline]
    fn mobility(&self, _part: &G::Position) -> Option<[u32; 2]> {
        None
    }

    /// How many moves each player can still make at a part if only the players of `within` move, given as bits: writes the
    /// numbers of player i to `left[i]`. Only if play removes moves and never creates any: what a player cannot do now he can
    /// never do, and no move is made twice. False, and nothing is written, if that is not known. If it is known for a part, it
    /// is known for all that can follow.
    #[inline]
    fn moves_left(&self, _part: &G::Position, _within: u64, _left: &mut [MovesLeft]) -> bool {
        false
    }

    /// A lower bound of how many more moves this player is sure to make from here on than the other one, if he begins
    /// (`begins`) or the other begins, whatever is played elsewhere between: with a margin of m he wins the position beside m
    /// free moves of the other if the other begins, and beside m - 1 if he begins (free moves of his own if this is negative).
    /// `None` if moves cannot be counted in this way.
    #[inline]
    fn margin(&self, _position: &G::Position, _player: Player, _begins: bool) -> Option<i32> {
        None
    }

    /// A lower bound for the opponent: some of the player's moves are forbidden for ever, so that the part splits, if
    /// possible into parts of at most this weight. Appends positions whose sum is the part without those moves. Returns
    /// false, and appends nothing, if no such moves are known.
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

    /// The moves of a position and their conflicts, if play consists of making moves that exclude each other: then the position
    /// is isomorphic, as a game tree, to the game of these conflicts. `None` if play is different, if a move belongs to both
    /// players, or if there are fewer than `least` moves.
    #[inline]
    fn conflicts(&self, _position: &G::Position, _least: u32) -> Option<Conflicts> {
        None
    }

    /// Runs a task in a game with smaller positions, the same game tree and the same keys, if there is one.
    ///
    /// # Errors
    /// The task itself, if there is no such game.
    #[inline]
    fn narrowed<T: Task<G>>(&self, _position: &G::Position, task: T) -> Result<T::Output, T> {
        Err(task)
    }
}

/// How many moves a player can still make at a part: see [`Analysis::moves_left`].
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct MovesLeft {
    /// He can make this many whatever the others do, however many moves they make between his.
    pub sure: u32,
    /// He never makes more than this many. It is 0 if and only if he cannot move now.
    pub most: u32,
}

/// The analysis of a game about which only the rules and the keys are known.
#[derive(Clone, Copy, Debug)]
pub struct Unanalysed;

impl<G: Game> Analysis<G> for Unanalysed {}

/// A question that can be answered in a game with other positions: see [`Analysis::narrowed`].
pub trait Task<G: Game> {
    /// The answer.
    type Output;

    /// Answers the question. `widen` converts positions back to those of `G`.
    fn run<H: Game<Key = G::Key, Fault = G::Fault>>(
        self,
        game: &H,
        position: &H::Position,
        widen: impl Fn(H::Position) -> G::Position,
    ) -> Self::Output;
}
