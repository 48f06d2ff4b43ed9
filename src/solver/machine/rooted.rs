//! Games of cutting off edges: each instance removes one edge of a graph, after which only edges joined to the root stay.
//! They become a game on sets of edges.
//!
//! Hackenbush is one (*Winning Ways*, chapters 1, 2 and 7), for any number of players. Hypotheses: every variable in play is
//! an edge, each instance asks for one edge and removes it, and every edge is joined to the root at the start. Then a
//! position is the set of the edges that are left, one bit of the state each. A player who may remove an edge may do so as
//! long as it is there. So the key of a part is its graph with the root and the owners of each edge. Vertices are numbered in
//! the order in which the edges name them, and the players are exchanged if that comes first. Positions split at the root
//! (language.md, section 7.2: edges that are left are linked if they share another vertex).
//!
//! The slow way is that of other rules: live instances ([`super::split`]) and shapes ([`super::key`]).

use super::game::ones;
use super::index::each;
use super::keep::{Keep, joined_to};
use super::key::{Key, rooted_key};
use super::pack::{Field, Mask, and, is_zero, or, without};
use crate::game::{MovesLeft, Sign};
use smallvec::SmallVec;

/// The most players; then the most edges, and the most vertices, of a board.
const MOST_PLAYERS: usize = 8;
const MOST: usize = 250;

/// The edges of a board, by the bit of the state that is set while the edge is there.
#[derive(Clone, Debug)]
pub(super) struct Rooted<const N: usize> {
    edges: Vec<Edge<N>>,
    at_root: [u64; N],
    /// The edges that each player may remove.
    own: Vec<[u64; N]>,
    /// The edges that some player may remove, and those that every player may remove.
    owned: [u64; N],
    shared: [u64; N],
}

#[derive(Clone, Debug)]
struct Edge<const N: usize> {
    /// Its vertices; the root is 0.
    ends: [u8; 2],
    /// The players who may remove it, as bits.
    owners: u8,
    /// The edges that share an end with it, and those that share an end other than the root.
    touching: [u64; N],
    joined: [u64; N],
}

impl<const N: usize> Rooted<N> {
    /// The game of some instances; `None` if a hypothesis fails. `always` are the bits that never change.
    pub(super) fn new(
        keep: &Keep<N>,
        fields: &[Field],
        masks: &[Mask<N>],
        always: &[u64; N],
        players: usize,
    ) -> Option<Rooted<N>> {
        let count = keep.edges.len();
        let plain = keep.joined
            && count > 0
            && count <= MOST
            && count == fields.len()
            && players <= MOST_PLAYERS
            && is_zero(always)
            && is_zero(&keep.gone)
            && keep.edges.iter().all(|e| e.bit == e.field);
        if !plain {
            return None;
        }
        let none = Edge {
            ends: [0; 2],
            owners: 0,
            touching: [0; N],
            joined: [0; N],
        };
        let mut rooted = Rooted {
            edges: vec![none; 64 * N],
            at_root: keep.at_root,
            own: vec![[0; N]; players],
            owned: [0; N],
            shared: [0; N],
        };
        let bit_of = |set: &[u64; N]| {
            let mut found = None;
            each(set, |bit| found = Some(bit));
            found
        };
        let mut names = vec![keep.root];
        for e in &keep.edges {
            let edge = rooted.edges.get_mut(bit_of(&e.bit)?)?;
            for (place, end) in edge.ends.iter_mut().zip([e.ends.0, e.ends.1]) {
                let at = names.iter().position(|n| *n == end).unwrap_or_else(|| {
                    names.push(end);
                    names.len() - 1
                });
                *place = u8::try_from(at).ok().filter(|at| usize::from(*at) < MOST)?;
            }
            (edge.touching, edge.joined) = (e.touching, e.joined);
        }
        for m in masks {
            let bits: u32 = m.guard.iter().map(|w| w.count_ones()).sum();
            let plain = m.keep
                && m.fault.is_none()
                && bits == 1
                && m.clear == m.guard
                && is_zero(&m.set)
                && m.looks.is_empty()
                && m.copied.is_empty()
                && m.mapped.is_empty();
            if !plain {
                return None;
            }
            rooted.edges.get_mut(bit_of(&m.guard)?)?.owners |= u8::try_from(m.players).ok()?;
        }
        for e in &keep.edges {
            let owners = rooted.edges[bit_of(&e.bit)?].owners;
            for (p, own) in rooted.own.iter_mut().enumerate() {
                if owners >> p & 1 == 1 {
                    or(own, &e.bit);
                }
            }
            if owners != 0 {
                or(&mut rooted.owned, &e.bit);
            }
            if usize::try_from(owners.count_ones()).ok()? == players {
                or(&mut rooted.shared, &e.bit);
            }
        }
        Some(rooted)
    }

    /// A planted mistake: every edge counts as joined to the root.
    pub(super) fn all_standing(mut self) -> Rooted<N> {
        or(&mut self.at_root, &self.owned);
        self
    }

    /// The edges of a set that stay: those joined to the root.
    #[inline]
    fn standing(&self, there: &[u64; N]) -> [u64; N] {
        joined_to(there, &self.at_root, |bit| &self.edges[bit].touching)
    }

    /// Calls `found` with the set of edges after each move of a player.
    #[inline]
    pub(super) fn options(&self, state: &[u64; N], player: usize, mut found: impl FnMut([u64; N])) {
        if let Some(own) = self.own.get(player) {
            each(&and(state, own), |bit| {
                let mut next = *state;
                next[bit / 64] &= !(1 << (bit % 64));
                found(self.standing(&next));
            });
        }
    }

    /// Calls `part` with each component of a set of edges, except those without an edge that some player may remove.
    #[inline]
    pub(super) fn split(&self, state: &[u64; N], part: &mut dyn FnMut([u64; N])) {
        let mut rest = *state;
        while let Some(w) = rest.iter().position(|w| *w != 0) {
            let mut frontier = [0; N];
            frontier[w] = rest[w] & rest[w].wrapping_neg();
            let mut own = frontier;
            while own != rest && !is_zero(&frontier) {
                let mut near = [0; N];
                each(&frontier, |bit| or(&mut near, &self.edges[bit].joined));
                for w in 0..N {
                    frontier[w] = near[w] & rest[w] & !own[w];
                    own[w] |= frontier[w];
                }
            }
            for w in 0..N {
                rest[w] &= !own[w];
            }
            if !is_zero(&and(&own, &self.owned)) {
                part(own);
            }
        }
    }

    /// Whether every player may remove each edge that some player may remove.
    pub(super) fn all_share(&self, state: &[u64; N]) -> bool {
        (0..N).all(|w| state[w] & self.owned[w] & !self.shared[w] == 0)
    }

    /// The number of edges that each of the first two players may remove.
    pub(super) fn mobility(&self, state: &[u64; N]) -> [u32; 2] {
        [0, 1].map(|p| {
            let own = self.own.get(p).unwrap_or(&self.owned);
            (0..N).map(|w| (state[w] & own[w]).count_ones()).sum()
        })
    }

    /// The moves left to each player where only those of `within` move, given as bits. He is sure of the edges that only he may
    /// remove and that are joined to the root by edges that nobody else may remove: he takes the farthest first.
    pub(super) fn moves_left(&self, state: &[u64; N], within: u64, left: &mut [MovesLeft]) {
        let is_in = |p: usize| within >> p & 1 == 1;
        for (p, (left, own)) in left.iter_mut().zip(&self.own).enumerate() {
            let own = if is_in(p) { and(state, own) } else { [0; N] };
            if is_zero(&own) {
                *left = MovesLeft::default();
                continue;
            }
            let mut kept = *state;
            for (q, other) in self.own.iter().enumerate() {
                if q != p && is_in(q) {
                    kept = without(&kept, other);
                }
            }
            *left = MovesLeft {
                sure: ones(&and(&self.standing(&kept), &own)),
                most: ones(&own),
            };
        }
    }

    /// The key of a part.
    pub(super) fn key(&self, part: &[u64; N], symmetry: bool) -> (Key, Sign) {
        let mut names = [u8::MAX; 256];
        names[0] = 0;
        let mut next = 1u8;
        let players = self.own.len();
        let mut exchanged = false;
        if symmetry && players == 2 {
            let [left, right] = self.mobility(part);
            exchanged = left < right;
            if left == right {
                let mut first = 0;
                each(part, |bit| {
                    if first == 0 && matches!(self.edges[bit].owners, 1 | 2) {
                        first = self.edges[bit].owners;
                    }
                });
                exchanged = first == 2;
            }
        }
        // The first word holds the number of edges; three bytes for each edge follow.
        let mut words: SmallVec<[u64; 16]> = SmallVec::new();
        words.push(0);
        let (mut count, mut at) = (0u64, 64);
        let mut put = |byte: u8| {
            if at == 64 {
                words.push(0);
                at = 0;
            }
            if let Some(last) = words.last_mut() {
                *last |= u64::from(byte) << at;
            }
            at += 8;
        };
        each(part, |bit| {
            let edge = &self.edges[bit];
            let [a, b] = edge.ends.map(|v| {
                let name = &mut names[usize::from(v)];
                if *name == u8::MAX {
                    *name = next;
                    next += 1;
                }
                *name
            });
            put(a.min(b));
            put(a.max(b));
            let o = edge.owners;
            put(if exchanged { (o & 1) << 1 | o >> 1 } else { o });
            count += 1;
        });
        words[0] = count | (players as u64) << 16;
        let sign = Sign::of_exchanged(exchanged);
        (rooted_key(&mut words), sign)
    }
}
