//! Pairings of moves. Input: a removal game with its symmetries. Output: whether the second player wins at a set of instances
//! because each move can be answered by its image.
//!
//! **Theorem.** Let p be a symmetry of a removal game with p(p(i)) = i for all instances i, and S a set of enabled instances
//! with p(S) = S. Suppose that for each i in S the instance i does not disable p(i), and that p(i) is a move of the opponent of
//! each player who has i. Then the value of S is 0.
//!
//! Proof. The second player answers i by p(i), which is still enabled and a move of his. As p is a symmetry, p(i) disables the
//! images of what i disables. So p maps what is then left onto itself, and the other two conditions hold for every subset of
//! S. The second player always has an answer, and play ends since every move removes itself. ∎
//!
//! This is the strategy of Tweedledum and Tweedledee (*Winning Ways*, chapter 1). Cram on a board with an even number of rows and
//! columns is 0 by half a turn, Col on a graph by an automorphism of order two without fixed vertices.

use super::removal::{Removal, has};

/// The symmetries of order two of a removal game, each as the image of every instance.
#[derive(Clone, Debug, Default)]
pub(super) struct Pairings {
    maps: Vec<Box<[u32]>>,
    /// A planted mistake: a move may be answered by its image even where it disables that.
    in_the_way: bool,
}

impl Pairings {
    /// The symmetries.
    pub(super) fn maps(&self) -> impl Iterator<Item = &[u32]> {
        self.maps.iter().map(|map| &**map)
    }
}

impl Removal {
    /// Adds the pairings among symmetries; each gives the image of every instance, and whether players are exchanged. Each is
    /// checked.
    pub(super) fn with_pairings<'a>(
        mut self,
        symmetries: impl Iterator<Item = (&'a [u32], bool)>,
        in_the_way: bool,
    ) -> Removal {
        let is_pairing = |map: &[u32]| {
            let mut pairs = (0..).zip(map);
            pairs.all(|(i, to)| map.get(*to as usize) == Some(&i))
        };
        let maps = symmetries
            .filter(|(map, exchanged)| is_pairing(map) && self.is_symmetry(map, *exchanged))
            .map(|(map, _)| map.into())
            .collect();
        self.pairings = Pairings { maps, in_the_way };
        self
    }

    /// Whether the theorem applies to a set with one of the pairings.
    pub(super) fn is_paired(&self, set: &[u64; 4]) -> bool {
        let swapped = |players: u8| (players & 1) << 1 | players >> 1 & 1;
        let answers = |i: usize, to: usize| {
            has(set, to)
                && swapped(self.players[i]) & !self.players[to] == 0
                && (self.pairings.in_the_way || !has(self.disabled(i), to))
        };
        self.pairings.maps.iter().any(|map| {
            let mut all = (0..).zip(map).filter(|(i, _)| has(set, *i));
            all.all(|(i, to)| answers(i, *to as usize))
        })
    }

    /// Whether a player wins who moves first at a set, if the theorem applies to it or to one of his options.
    pub(super) fn wins_by_pairing(&self, set: &[u64; 4], player: usize) -> Option<bool> {
        if self.pairings.maps.is_empty() {
            return None;
        }
        if self.is_paired(set) {
            return Some(false);
        }
        let is_move = |i: &usize| has(set, *i) && self.players[*i] >> player & 1 == 1;
        let to_zero = (0..self.players.len()).filter(is_move).any(|i| {
            let mut next = *set;
            for (n, gone) in next.iter_mut().zip(self.disabled(i)) {
                *n &= !gone;
            }
            self.is_paired(&next)
        });
        to_zero.then_some(true)
    }

    /// The instances that an instance disables.
    fn disabled(&self, i: usize) -> &[u64] {
        &self.removes[i * self.words..][..self.words]
    }
}
