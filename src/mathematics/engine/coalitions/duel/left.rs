//! The moves that are left to each player, where play only removes moves
//! ([`Analysis::moves_left`](crate::game::Analysis::moves_left)) and who cannot move is out. Input: the parts of a state. Output:
//! free moves, and how long each player is sure to stay in and can stay in at most.
//!
//! 1. A player who is sure of `s` more moves, whatever the others do, is not out before his turn number `s`, counted from 0.
//!    One who can make at most `m` more moves is out at his turn number `m` or before. In each round everybody who is in has
//!    one turn, in the same order. So if some player of one side is sure to stay in longer than each player of the other side
//!    can, his side wins. Both numbers add up over components: in each turn the player makes a sure move in any of them, and
//!    what the others do takes no other sure move from him.
//! 2. A component in which only one player can ever move, and in which he is sure of all moves, is worth so many free moves,
//!    whatever it looks like. For more free moves of a player never hurt his side: he uses those that are left over to pass
//!    where he would be out, and since play creates no moves, he has no others then.

use super::Duel;
use crate::engine::coalitions::Coalition;
use crate::engine::components::Word;
use crate::game::{Analysis, Game, MovesLeft, Player};
use smallvec::{SmallVec, smallvec};

/// A number for each player.
pub(super) type Each = SmallVec<[u32; 8]>;

/// A multiset of components with a player to move.
#[derive(Clone)]
pub(super) struct State {
    pub mover: Player,
    /// The players who are in.
    pub within: Coalition,
    /// The free moves of each player.
    pub free: Each,
    /// For each player, how many moves he is sure of in the parts, and how many he can make at most.
    pub sure: Each,
    pub most: Each,
    pub parts: SmallVec<[Word; 16]>,
}

impl State {
    /// A state of `n` players without free moves, in which nothing is counted yet.
    pub(super) fn new(n: u8, mover: Player, within: Coalition, parts: &[Word]) -> State {
        let none: Each = smallvec![0; usize::from(n)];
        State {
            mover,
            within,
            free: none.clone(),
            sure: none.clone(),
            most: none,
            parts: parts.into(),
        }
    }

    pub(super) fn forget_counts(&mut self) {
        self.sure.fill(0);
        self.most.fill(0);
    }
}

impl<G: Game> Duel<G> {
    /// The moves left to each player in a part, if they can be counted.
    pub(super) fn left(
        &self,
        game: &G,
        part: Word,
        within: Coalition,
    ) -> Option<SmallVec<[MovesLeft; 8]>> {
        let mut left = smallvec![MovesLeft::default(); usize::from(self.n)];
        let part = self.components.part(part);
        let known = game.analysis().moves_left(part, within.low(), &mut left);
        known.then_some(left)
    }

    /// Counts the moves left in the parts from a place on. Parts that are only free moves, or nothing, are taken out.
    pub(super) fn count(&self, game: &G, state: &mut State, from: usize) {
        if !self.counts {
            return;
        }
        let mut kept = from;
        for i in from..state.parts.len() {
            let part = state.parts[i];
            let left = self.left(game, part, state.within).unwrap_or_default();
            let mut movers = left.iter().enumerate().filter(|(_, l)| l.most > 0);
            match (movers.next(), movers.next()) {
                (None, _) => {}
                (Some((p, l)), None) if l.sure == l.most => state.free[p] += l.most,
                _ => {
                    for (p, l) in left.iter().enumerate() {
                        state.sure[p] += l.sure;
                        state.most[p] += l.most;
                    }
                    state.parts[kept] = part;
                    kept += 1;
                }
            }
        }
        state.parts.truncate(kept);
    }

    /// Takes out a part that has been counted.
    pub(super) fn take_out(&self, game: &G, state: &mut State, place: usize) {
        let part = state.parts.remove(place);
        if self.counts {
            let left = self.left(game, part, state.within).unwrap_or_default();
            for (p, l) in left.iter().enumerate() {
                state.sure[p] -= l.sure;
                state.most[p] -= l.most;
            }
        }
    }

    /// The longest stay of a player of each side, the coalition first: the number of his turns, and his place among those who
    /// are in, from the mover on.
    pub(super) fn stays(&self, state: &State, moves: &Each) -> [Option<(u32, u8)>; 2] {
        let mut longest = [None; 2];
        let mut within = state.within.low();
        while within != 0 {
            let player = Player(within.trailing_zeros() as u8);
            within &= within - 1;
            let turns = state.free[player.index()] + moves[player.index()];
            let place = (player.0 + self.n - state.mover.0) % self.n;
            let stay = &mut longest[usize::from(!self.is_member(player))];
            *stay = (*stay).max(Some((turns, place)));
        }
        longest
    }
}
