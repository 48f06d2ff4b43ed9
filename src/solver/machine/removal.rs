//! Removal games: ground instances such that an instance that is not enabled is never enabled again, and which instances an
//! instance disables does not depend on the position. They become a game on sets of instances.
//!
//! A position is the set of the enabled instances. An instance disables a fixed set that contains itself; the option is the
//! position without this set, one operation for each word. Two instances are linked if one of them disables the other. The
//! components of a position under links are independent, since a move in one removes nothing from another (language.md,
//! section 7.2, where every live instance is enabled). Domineering, Cram, Snort, Col, Kayles on graphs and all games of
//! removing sets are removal games.
//!
//! The value of a part depends only on its instances, their players and who disables whom. This directed graph is its key
//! (`key::graph`), with the players exchanged if that comes first. If the instances cover cells of a plane and each bit of a
//! state is one cell, the key is the pattern of the cells instead ([`super::key`]). Where there are too many instances for sets
//! of four words, play uses packed states, and parts have keys of the same kind (`key::walk`).

use super::images::{Images, rows};
use super::index::each;
use super::key::new_board;
use super::pack::{Field, Mask, and, holds, meets, or};
use super::pairing::Pairings;
use super::settings::Planted;
use super::tied::Between;
use crate::game::{Conflicts, Player};
use crate::ir::ground::{Ground, GroundInstance, NEVER, Write};
use smallvec::SmallVec;

/// The most instances of a removal game. On WebAssembly there are no sets of four words, which would be a copy of the engine
/// in the page.
pub(super) const MOST: usize = if cfg!(target_family = "wasm") {
    128
} else {
    256
};

/// The instances that each instance disables.
#[derive(Clone, Debug)]
pub(super) struct Removal {
    /// Number of words of a set of instances: 1, 2 or 4.
    pub words: usize,
    /// For each instance, a row: the instances that it disables, itself included.
    pub removes: Vec<u64>,
    /// For each instance, a row: the instances that disable it, itself included.
    pub removed_by: Vec<u64>,
    /// For each instance, a row: the other instances that it disables or that disable it.
    pub linked: Vec<u64>,
    /// The players of each instance: bit 0 for Left, bit 1 for Right.
    pub players: Vec<u8>,
    /// The instances of each player.
    pub own: [Vec<u64>; 2],
    /// The instances that both players have.
    pub shared: Vec<u64>,
    /// Whether an instance that disables another is always disabled by it.
    pub mutual: bool,
    /// Whether a part is determined by the cells that its instances cover.
    pub by_cells: bool,
    /// The images of parts, if parts are not determined by cells and the board has symmetries.
    pub images: Option<Images>,
    /// The symmetries by which moves may be answered.
    pub pairings: Pairings,
    /// A board number for keys of sets of these instances; no key of a state has it.
    pub board: u64,
}

pub(super) fn has(row: &[u64], i: usize) -> bool {
    row[i / 64] >> (i % 64) & 1 == 1
}

fn put(row: &mut [u64], i: usize) {
    row[i / 64] |= 1 << (i % 64);
}

// The words of a set of so many instances.
fn words_for(count: usize) -> usize {
    match count.div_ceil(64) {
        0 | 1 => 1,
        2 => 2,
        _ => 4,
    }
}

// The instances of each player.
fn own_sets(players: &[u8], words: usize) -> [Vec<u64>; 2] {
    [0, 1].map(|p| {
        let mut set = vec![0u64; words];
        let its = (0..players.len()).filter(|i| players[*i] >> p & 1 == 1);
        its.for_each(|i| put(&mut set, i));
        set
    })
}

fn and_rows([a, b]: &[Vec<u64>; 2]) -> Vec<u64> {
    a.iter().zip(b).map(|(a, b)| a & b).collect()
}

/// The values, as a set of numbers, that a write may leave if the variable had the value `x`.
fn results(ground: &Ground, m: usize, var: u32, write: &Write, x: usize) -> u64 {
    let one = |n: u8| {
        if n == NEVER {
            0
        } else {
            1u64.checked_shl(u32::from(n)).unwrap_or(0)
        }
    };
    match write {
        Write::Value(n) => one(*n),
        Write::Plus(t) => t.get(x).map_or(0, |n| one(*n)),
        Write::Table(y, t) if *y == var => t.get(x).map_or(0, |n| one(*n)),
        Write::Table(y, t) => {
            let guard = ground.instances[m].guard.iter().find(|(v, _)| v == y);
            let left = guard.map_or(u64::MAX, |(_, set)| *set);
            let values = t.iter().enumerate();
            values
                .filter(|(i, _)| left >> i & 1 == 1)
                .fold(0, |all, (_, n)| all | one(*n))
        }
    }
}

/// For each instance, a row of `words` words: the instances that it disables, itself included. `None` if one may enable another,
/// or disables another only at some positions, or does not disable itself.
pub(super) fn disabled(ground: &Ground, words: usize) -> Option<Vec<u64>> {
    let count = ground.instances.len();
    let plain = |m: &GroundInstance| m.fault.is_none() && m.keep.is_none() && !m.guard.is_empty();
    if !ground.instances.iter().all(plain) {
        return None;
    }
    let vars = ground.vars.list.len();
    let mut asked: Vec<Vec<(usize, u64)>> = vec![Vec::new(); vars];
    for (j, m) in ground.instances.iter().enumerate() {
        for (var, set) in &m.guard {
            asked[*var as usize].push((j, *set));
        }
    }
    let mut removes = vec![0u64; words * count];
    let mut unclear = vec![0u64; words * count];
    for (i, m) in ground.instances.iter().enumerate() {
        for (var, write) in &m.update {
            let values = ground.values[*var as usize].len().min(64);
            let own = m.guard.iter().find(|(v, _)| v == var);
            let before = own.map_or(u64::MAX, |(_, set)| *set);
            let all: SmallVec<[(u64, u64); 8]> = (0..values)
                .filter(|x| before >> x & 1 == 1)
                .map(|x| (1u64 << x, results(ground, i, *var, write, x)))
                .collect();
            for (j, set) in &asked[*var as usize] {
                let (mut stays, mut goes) = (false, false);
                for (x, after) in &all {
                    if x & set == 0 {
                        if after & set != 0 {
                            // An instance that is not enabled might be enabled later.
                            return None;
                        }
                    } else {
                        stays |= after & set != 0;
                        goes |= after & !set != 0;
                    }
                }
                match (stays, goes) {
                    (false, true) => put(&mut removes[i * words..][..words], *j),
                    (true, true) => put(&mut unclear[i * words..][..words], *j),
                    _ => {}
                }
            }
        }
    }
    for i in 0..count {
        let row = i * words..(i + 1) * words;
        let (gone, maybe) = (&removes[row.clone()], &unclear[row]);
        let clear = maybe.iter().zip(gone).all(|(m, g)| m & !g == 0);
        if !clear || !has(gone, i) {
            return None;
        }
    }
    Some(removes)
}

impl Removal {
    /// The removal game of some instances; `None` if they are not one.
    pub(super) fn new<const N: usize>(
        ground: &Ground,
        fields: &[Field],
        masks: &[Mask<N>],
        has_pattern: bool,
    ) -> Option<Removal> {
        let count = ground.instances.len();
        let players = &ground.setting.instance.players;
        if count == 0 || count > MOST || players.len() != 2 || masks.len() != count {
            return None;
        }
        if !ground.instances.iter().all(|m| m.players & 3 != 0) {
            return None;
        }
        let words = words_for(count);
        let removes = disabled(ground, words)?;
        let row = |table: &[u64], i: usize| -> SmallVec<[u64; 4]> {
            table[i * words..][..words].iter().copied().collect()
        };
        let mut linked = vec![0u64; words * count];
        let mut removed_by = vec![0u64; words * count];
        let mut mutual = true;
        for i in 0..count {
            let gone = row(&removes, i);
            put(&mut removed_by[i * words..][..words], i);
            for j in (0..count).filter(|j| *j != i && has(&gone, *j)) {
                put(&mut removed_by[j * words..][..words], i);
                put(&mut linked[i * words..][..words], j);
                put(&mut linked[j * words..][..words], i);
                mutual &= has(&removes[j * words..][..words], i);
            }
        }
        let whose: Vec<u8> = ground
            .instances
            .iter()
            .map(|m| (m.players & 3) as u8)
            .collect();
        let own = own_sets(&whose, words);
        // The covered cells determine a part if each cell is one bit, and instances that ask for the same cell are linked:
        // then the part consists of the instances that fit into its cells.
        let by_cells = has_pattern
            && fields.iter().all(|f| f.mask.count_ones() == 1)
            && (0..count).all(|i| {
                (0..count).all(|j| {
                    i == j
                        || !meets(&masks[i].guard, &masks[j].guard)
                        || has(&linked[i * words..][..words], j)
                })
            });
        Some(Removal {
            words,
            removes,
            removed_by,
            linked,
            players: whose,
            shared: and_rows(&own),
            own,
            mutual,
            by_cells,
            images: None,
            pairings: Pairings::default(),
            board: new_board(),
        })
    }

    /// The game with a planted mistake, if the mistake is one about removal games.
    pub(super) fn planted(mut self, mistake: Option<Planted>) -> Removal {
        match mistake {
            Some(Planted::RemovalForgets) => {
                let words = self.words;
                let mut rows = self.removes.chunks_mut(words).enumerate();
                let other = |(i, row): (usize, &mut [u64])| -> bool {
                    let set = (0..64 * words).find(|j| *j != i && has(row, *j));
                    set.is_some_and(|j| {
                        row[j / 64] &= !(1 << (j % 64));
                        true
                    })
                };
                rows.any(other);
            }
            Some(Planted::RemovalOwnerless) => self.players.fill(1),
            _ => {}
        }
        self
    }

    /// Adds the symmetries of its instances. Each gives the image of every instance, and whether players are exchanged; each
    /// is checked.
    pub(super) fn with_images<'a>(
        mut self,
        symmetries: impl Iterator<Item = (&'a [u32], bool)>,
    ) -> Removal {
        if !self.by_cells {
            let good = symmetries.filter(|(map, exchanged)| self.is_symmetry(map, *exchanged));
            let good = good.take(Images::fit(self.words));
            let good: Vec<(Vec<u64>, bool)> = good
                .map(|(map, exchanged)| {
                    let map = map.iter().map(|to| *to as usize);
                    (rows(map, self.words), exchanged)
                })
                .collect();
            self.images = Images::new(self.words, &good).into_iter().next();
        }
        self
    }

    /// Whether a map of the instances is a bijection that keeps their players (or exchanges them) and keeps what they
    /// disable.
    pub(super) fn is_symmetry(&self, map: &[u32], exchanged: bool) -> bool {
        let count = self.players.len();
        let mut met = vec![false; count];
        let onto = map.len() == count
            && map.iter().all(|to| {
                met.get_mut(*to as usize)
                    .is_some_and(|met| !std::mem::replace(met, true))
            });
        onto && (0..count).all(|i| {
            let to = map[i] as usize;
            let p = self.players[i];
            let p = if exchanged { (p & 1) << 1 | p >> 1 } else { p };
            let (row, image) = (
                &self.removes[i * self.words..][..self.words],
                &self.removes[to * self.words..][..self.words],
            );
            let size = |row: &[u64]| row.iter().map(|w| w.count_ones()).sum::<u32>();
            let mapped = (0..count)
                .filter(|j| has(row, *j))
                .all(|j| has(image, map[j] as usize));
            mapped && p == self.players[to] && size(row) == size(image)
        })
    }

    /// The game of conflicts among the instances of a set, if removal is mutual and each has one player; with the symmetries
    /// of order two.
    pub(super) fn conflicts<const W: usize>(&self, set: &[u64; W]) -> Option<Conflicts> {
        if !self.mutual || meets(set, self.row(&self.shared, 0)) {
            return None;
        }
        let mut numbers = vec![0; self.players.len()];
        let mut moves = Vec::new();
        each(set, |i| {
            numbers[i] = moves.len() as u32;
            moves.push(i);
        });
        let owner = |i: &usize| Player(self.players[*i] >> 1);
        let with = |i: &usize| {
            let mut with = Vec::new();
            each(&and(self.row(&self.linked, *i), set), |j| {
                with.push(numbers[j])
            });
            with
        };
        let owners: Vec<Player> = moves.iter().map(owner).collect();
        let maps = self.pairings.maps().filter_map(|map| {
            let image = |i: &usize| has(set, map[*i] as usize).then(|| numbers[map[*i] as usize]);
            moves.iter().map(image).collect::<Option<Vec<u32>>>()
        });
        let mut symmetries: Vec<Vec<u32>> = maps.collect();
        let keeps_owners = |map: &[u32], kept: bool| {
            let mut pairs = owners.iter().zip(map);
            pairs.all(|(owner, to)| (owners[*to as usize] == *owner) == kept)
        };
        let exchanges = symmetries.iter().any(|map| keeps_owners(map, false));
        symmetries.retain(|map| keeps_owners(map, true));
        Some(Conflicts {
            symmetries,
            exchanges,
            with: moves.iter().map(with).collect(),
            owners,
        })
    }

    /// The instances that are enabled at a state.
    pub(super) fn enabled<const N: usize, const W: usize>(
        &self,
        masks: &[Mask<N>],
        state: &[u64; N],
    ) -> [u64; W] {
        let mut out = [0; W];
        for (i, m) in masks.iter().enumerate() {
            if holds(state, &m.guard) {
                put(&mut out, i);
            }
        }
        out
    }

    /// A state at which the instances of a set are enabled, provided that they can be enabled together.
    pub(super) fn cover<const N: usize, const W: usize>(
        masks: &[Mask<N>],
        set: &[u64; W],
    ) -> [u64; N] {
        let mut out = [0; N];
        each(set, |i| or(&mut out, &masks[i].guard));
        out
    }

    #[inline]
    pub(super) fn row<'a, const W: usize>(&self, table: &'a [u64], i: usize) -> &'a [u64; W] {
        // Each row has `words` words, and W is that number.
        table[i * W..].first_chunk().unwrap_or(const { &[0u64; W] })
    }

    /// The game of these instances, each with its players and those with which it is in conflict; 256 at most.
    pub(super) fn of_part(players: &[u8], near: &[Vec<usize>]) -> Removal {
        let words = words_for(players.len());
        let rows = |own: bool| {
            let mut rows = vec![0u64; words * players.len()];
            for (i, row) in rows.chunks_mut(words).enumerate() {
                near[i].iter().for_each(|j| put(row, *j));
                if own {
                    put(row, i);
                }
            }
            rows
        };
        let own = own_sets(players, words);
        let removes = rows(true);
        Removal {
            words,
            linked: rows(false),
            removed_by: removes.clone(),
            removes,
            players: players.to_vec(),
            shared: and_rows(&own),
            own,
            mutual: true,
            by_cells: false,
            images: None,
            pairings: Pairings::default(),
            board: new_board(),
        }
    }

    /// The set of all instances.
    pub(super) fn all<const W: usize>(&self) -> [u64; W] {
        let mut all = [0; W];
        (0..self.players.len()).for_each(|i| put(&mut all, i));
        all
    }

    /// The set that an instance disables, itself included.
    #[inline]
    pub(super) fn removed<const W: usize>(&self, i: usize) -> &[u64; W] {
        self.row(&self.removes, i)
    }

    /// The instances of a player.
    #[inline]
    pub(super) fn own_in<const W: usize>(&self, player: usize) -> &[u64; W] {
        self.own[player & 1]
            .first_chunk()
            .unwrap_or(const { &[0u64; W] })
    }

    /// Calls `found` with the set after each instance of a player.
    #[inline]
    pub(super) fn options<const W: usize>(
        &self,
        set: &[u64; W],
        player: usize,
        mut found: impl FnMut([u64; W]),
    ) {
        let mut own = *set;
        for (o, p) in own.iter_mut().zip(&self.own[player & 1]) {
            *o &= p;
        }
        each(&own, |i| {
            let gone: &[u64; W] = self.row(&self.removes, i);
            let mut next = *set;
            for (n, g) in next.iter_mut().zip(gone) {
                *n &= !g;
            }
            found(next);
        });
    }

    /// Calls `part` with each component of a set.
    #[inline]
    pub(super) fn split<const W: usize>(&self, set: &[u64; W], part: &mut dyn FnMut([u64; W])) {
        let mut rest = *set;
        while let Some(w) = rest.iter().position(|w| *w != 0) {
            let mut frontier = [0; W];
            frontier[w] = rest[w] & rest[w].wrapping_neg();
            let mut own = frontier;
            loop {
                let mut near = [0; W];
                each(&frontier, |i| {
                    or(&mut near, self.row::<W>(&self.linked, i));
                });
                let mut any = false;
                for w in 0..W {
                    frontier[w] = near[w] & rest[w] & !own[w];
                    own[w] |= frontier[w];
                    any |= frontier[w] != 0;
                }
                if !any || own == rest {
                    break;
                }
            }
            for w in 0..W {
                rest[w] &= !own[w];
            }
            part(own);
        }
    }

    /// Whether both players have each instance of a set.
    #[inline]
    pub(super) fn all_share<const W: usize>(&self, set: &[u64; W]) -> bool {
        (0..W).all(|w| set[w] & !(self.own[0][w] & self.own[1][w]) == 0)
    }

    /// The number of instances of a set that each player has.
    pub(super) fn mobility<const W: usize>(&self, set: &[u64; W]) -> [u32; 2] {
        [0, 1].map(|p| (0..W).map(|w| (set[w] & self.own[p][w]).count_ones()).sum())
    }

    /// Appends the parts of a set from which some instances of one player only have been deleted, with at most `most`
    /// instances each if possible; false if the set does not fall apart. The method is that for positions in general
    /// ([`super::tied`]): linked instances of the other player form clusters, which are joined by instances of the player
    /// linked to several, within the limit.
    pub(super) fn tied<const W: usize>(
        &self,
        set: &[u64; W],
        player: usize,
        most: u32,
        piece: &mut dyn FnMut([u64; W]),
    ) -> bool {
        let (mut others, mut own) = ([0; W], SmallVec::<[usize; 128]>::new());
        each(set, |i| {
            if self.players[i] == 1 << player {
                own.push(i);
            } else {
                put(&mut others, i);
            }
        });
        let mut clusters: SmallVec<[[u64; W]; 32]> = SmallVec::new();
        self.split(&others, &mut |cluster| clusters.push(cluster));
        if clusters.len() < 2 {
            return false;
        }
        // The number of instances of the player that are linked to two clusters.
        let mut between = Between::default();
        for i in &own {
            let linked = self.row::<W>(&self.linked, *i);
            let mut met = (0..clusters.len()).filter(|c| meets(&clusters[*c], linked));
            let Some(first) = met.next() else { continue };
            met.for_each(|second| between.count(first, second));
        }
        between.join(&mut clusters, most, &|cluster| {
            cluster.iter().map(|w| w.count_ones()).sum()
        });
        let mut kept = others;
        for i in &own {
            let linked = self.row::<W>(&self.linked, *i);
            if clusters.iter().filter(|c| meets(c, linked)).count() < 2 {
                put(&mut kept, *i);
            }
        }
        if kept == *set {
            return false;
        }
        self.split(&kept, piece);
        true
    }
}
