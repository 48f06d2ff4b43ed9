//! Removal games of many players: for a state, how many moves each player is sure to make and how many he can make at most.
//!
//! Hypotheses: an instance that is not enabled is never enabled again, and which instances an instance disables, itself among
//! them, does not depend on the position ([`disabled`]). A player is sure of the instances of his own that no enabled instance
//! of another player disables, as many as do not disable each other. He can make at most one move in each clique of instances
//! that disable each other ([`cliques`]); where disabling is not mutual, at most one move for each instance.

use super::index::each;
use super::margin::{apart, cliques};
use super::pack::{Mask, Program, and, holds, is_zero, or, without};
use super::removal::{disabled, has};
use crate::game::MovesLeft;
use crate::ir::ground::Ground;

/// The number of words of a set of instances, and the most instances.
const WORDS: usize = 4;
const MOST: usize = 64 * WORDS;

type Set = [u64; WORDS];

/// Which instances each disables, and who has which.
#[derive(Clone, Debug)]
pub(super) struct Lasting {
    disables: Vec<Set>,
    own: Vec<Set>,
    mutual: bool,
}

impl Lasting {
    /// Of instances with these masks; `None` if a hypothesis fails.
    pub(super) fn new<const N: usize>(ground: &Ground, masks: &[Mask<N>]) -> Option<Lasting> {
        let count = ground.instances.len();
        if !(1..=MOST).contains(&count) || masks.len() != count {
            return None;
        }
        let rows = disabled(ground, WORDS)?;
        let (disables, _) = rows.as_chunks::<WORDS>();
        let mut own = vec![[0; WORDS]; ground.setting.instance.players.len()];
        for (i, instance) in ground.instances.iter().enumerate() {
            for (p, own) in own.iter_mut().enumerate() {
                own[i / 64] |= (instance.players >> p & 1) << (i % 64);
            }
        }
        let mutual =
            (0..count).all(|i| (0..count).all(|j| has(&disables[i], j) == has(&disables[j], i)));
        Some(Lasting {
            disables: disables.to_vec(),
            own,
            mutual,
        })
    }

    /// The moves left to each player at a state where only those of `within` move, given as bits.
    pub(super) fn moves_left<const N: usize>(
        &self,
        masks: &[Mask<N>],
        state: &[u64; N],
        within: u64,
        left: &mut [MovesLeft],
    ) {
        let mut enabled = [0; WORDS];
        for (i, mask) in masks.iter().enumerate() {
            enabled[i / 64] |= u64::from(holds(state, &mask.guard)) << (i % 64);
        }
        let removed = |i: usize| &self.disables[i];
        let own = |p: usize| match within >> p & 1 {
            1 => and(&enabled, &self.own[p]),
            _ => [0; WORDS],
        };
        for (p, left) in left.iter_mut().enumerate() {
            let set = own(p);
            if is_zero(&set) {
                *left = MovesLeft::default();
                continue;
            }
            let mut danger = [0; WORDS];
            for q in (0..self.own.len()).filter(|q| *q != p) {
                each(&own(q), |i| or(&mut danger, removed(i)));
            }
            let most = match self.mutual {
                true => cliques(&set, removed),
                false => set.iter().map(|w| w.count_ones() as i32).sum(),
            };
            *left = MovesLeft {
                sure: apart(&without(&set, &danger), removed).0.unsigned_abs(),
                most: most.unsigned_abs(),
            };
        }
    }
}

impl<const N: usize> Program<N> {
    /// The moves left to each player at a state; false if they cannot be counted. See `Analysis::moves_left`.
    pub(super) fn moves_left(&self, state: &[u64; N], within: u64, left: &mut [MovesLeft]) -> bool {
        match (&self.rooted, &self.lasting) {
            (Some(rooted), _) => rooted.moves_left(state, within, left),
            (None, Some(lasting)) => lasting.moves_left(&self.masks, state, within, left),
            (None, None) => return false,
        }
        true
    }
}
