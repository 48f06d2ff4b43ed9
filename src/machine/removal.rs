//! Games of removal: the instances of a ruleset on a board come in; where no instance is ever enabled again once it is not,
//! and which ones an instance disables does not depend on the position, a game on sets of instances goes out.
//!
//! A position is the set of the instances that are enabled. An instance disables a fixed set, itself among them: an option
//! is the set without these, by one operation for each word. Two instances are linked if one of them disables the other;
//! the components of a position under links are independent, since what is played in one takes nothing out of another
//! (language.md, section 7.2, where every live instance is enabled). Domineering, Cram, Snort, Col, Kayles on graphs and all
//! removal of sets are such games.
//!
//! What a part is worth depends on the instances, their players and who disables whom alone: a directed graph. Its key is
//! that graph with the instances in an order found by colour refinement (B. Weisfeiler and A. Leman, 1968) and
//! individualization, the players exchanged if that comes first. The key holds the whole graph, so an order that is not
//! canonical costs a part that is not found again and never a wrong value. Where the instances cover cells of a plane, each
//! bit of a state being one cell, a part is known by its cells, as everywhere ([`super::key`]).

use super::index::each;
use super::key::{Key, new_board, removal_key};
use super::pack::{Field, Mask, holds, meets, or};
use super::roads::Roads;
use super::tied::Between;
use crate::game::Sign;
use crate::ir::ground::{Ground, NEVER, Write};
use smallvec::SmallVec;

/// The most instances of a game of removal.
pub(super) const MOST: usize = 256;
/// The most instances of a part whose graph is written out.
const MOST_WRITTEN: usize = 128;
/// The most times that a tie between instances is broken with a new refinement.
const MOST_TIES: usize = 12;

/// Which instances each instance disables.
#[derive(Clone, Debug)]
pub(super) struct Removal {
    /// Words of a set of instances: 1, 2 or 4.
    pub words: usize,
    /// For each instance, a row: those that it disables, itself included.
    removes: Vec<u64>,
    /// For each instance, a row: the others that it disables or that disable it.
    linked: Vec<u64>,
    /// Whose each instance is: bit 0 for Left, bit 1 for Right.
    players: Vec<u8>,
    /// The instances of each player.
    own: [Vec<u64>; 2],
    /// Whoever disables another is disabled by it.
    pub mutual: bool,
    /// A part is known by the cells that its instances cover.
    pub by_cells: bool,
    /// A number for sets of these instances, where they are known on their own: no state has it.
    pub board: u64,
}

fn has(row: &[u64], i: usize) -> bool {
    row[i / 64] >> (i % 64) & 1 == 1
}

fn put(row: &mut [u64], i: usize) {
    row[i / 64] |= 1 << (i % 64);
}

/// The values, by number, that a write may leave where the variable had the value `x`.
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

impl Removal {
    /// The game of removal of some instances, if they are one.
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
        let plain = |m: &crate::ir::ground::GroundInstance| {
            m.fault.is_none() && m.keep.is_none() && !m.guard.is_empty() && m.players & 3 != 0
        };
        if !ground.instances.iter().all(plain) {
            return None;
        }
        let words = match count.div_ceil(64) {
            1 => 1,
            2 => 2,
            _ => 4,
        };
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
                                // What was not enabled might be again.
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
        let row = |table: &[u64], i: usize| -> SmallVec<[u64; 4]> {
            table[i * words..][..words].iter().copied().collect()
        };
        let mut linked = vec![0u64; words * count];
        let mut mutual = true;
        for i in 0..count {
            let (gone, maybe) = (row(&removes, i), row(&unclear, i));
            let clear = maybe.iter().zip(&gone).all(|(m, g)| m & !g == 0);
            if !clear || !has(&gone, i) {
                return None;
            }
            for j in (0..count).filter(|j| *j != i && has(&gone, *j)) {
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
        let own = [0, 1].map(|p| {
            let mut set = vec![0u64; words];
            let its = (0..count).filter(|i| whose[*i] >> p & 1 == 1);
            its.for_each(|i| put(&mut set, i));
            set
        });
        // A part is its cells if each cell is one bit, and instances that ask for one cell are linked: then those that fit
        // into the cells that a part covers are the part.
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
            linked,
            players: whose,
            own,
            mutual,
            by_cells,
            board: new_board(),
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

    /// Some state at which the instances of a set are enabled, if they can be at once.
    pub(super) fn cover<const N: usize, const W: usize>(
        masks: &[Mask<N>],
        set: &[u64; W],
    ) -> [u64; N] {
        let mut out = [0; N];
        each(set, |i| or(&mut out, &masks[i].guard));
        out
    }

    #[inline]
    fn row<'a, const W: usize>(&self, table: &'a [u64], i: usize) -> &'a [u64; W] {
        // Rows have `words` words each, and W is that number.
        table[i * W..].first_chunk().unwrap_or(const { &[0u64; W] })
    }

    /// The sets after the instances of a player.
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

    /// The components of a set.
    #[inline]
    pub(super) fn split<const W: usize>(&self, set: &[u64; W], mut part: impl FnMut([u64; W])) {
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

    /// The components of a set that a move leaves of one that is connected. Each has an instance that is linked to one that
    /// was taken: once these have been reached, all have.
    #[inline]
    pub(super) fn split_option<const W: usize>(
        &self,
        whole: &[u64; W],
        set: &[u64; W],
        mut part: impl FnMut([u64; W]),
    ) {
        let taken: [u64; W] = std::array::from_fn(|w| whole[w] & !set[w]);
        let mut near = [0; W];
        each(&taken, |i| or(&mut near, self.row::<W>(&self.linked, i)));
        let mut rest = *set;
        (0..W).for_each(|w| near[w] &= rest[w]);
        while let Some(w) = near.iter().position(|w| *w != 0) {
            let mut frontier = [0; W];
            frontier[w] = near[w] & near[w].wrapping_neg();
            let mut own = frontier;
            loop {
                if (0..W).all(|w| near[w] & !own[w] == 0) {
                    // The last one is all that is left.
                    part(rest);
                    return;
                }
                let mut next = [0; W];
                each(&frontier, |i| or(&mut next, self.row::<W>(&self.linked, i)));
                for w in 0..W {
                    frontier[w] = next[w] & rest[w] & !own[w];
                    own[w] |= frontier[w];
                }
                if frontier.iter().all(|w| *w == 0) {
                    break;
                }
            }
            for w in 0..W {
                rest[w] &= !own[w];
                near[w] &= !own[w];
            }
            part(own);
        }
    }

    /// Whether each instance of a set is both players'.
    #[inline]
    pub(super) fn all_share<const W: usize>(&self, set: &[u64; W]) -> bool {
        (0..W).all(|w| set[w] & !(self.own[0][w] & self.own[1][w]) == 0)
    }

    /// How many instances of a set are each player's.
    pub(super) fn mobility<const W: usize>(&self, set: &[u64; W]) -> [u32; 2] {
        [0, 1].map(|p| (0..W).map(|w| (set[w] & self.own[p][w]).count_ones()).sum())
    }

    /// Appends the parts of a set without some instances of one player only, of at most so many instances each where that can
    /// be had; false if it does not fall apart. As for positions in general ([`super::tied`]): instances of the other player
    /// that are linked are clusters, joined by those of the player that are linked to several, as long as they fit.
    pub(super) fn tied<const W: usize>(
        &self,
        set: &[u64; W],
        player: usize,
        most: u32,
        piece: impl FnMut([u64; W]),
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
        self.split(&others, |cluster| clusters.push(cluster));
        if clusters.len() < 2 {
            return false;
        }
        // How many instances of the player are linked to two clusters.
        let mut between = Between::default();
        for i in &own {
            let linked = self.row::<W>(&self.linked, *i);
            let mut met = (0..clusters.len()).filter(|c| meets(&clusters[*c], linked));
            let Some(first) = met.next() else { continue };
            met.for_each(|second| between.count(first, second));
        }
        between.join(&mut clusters, most, |cluster| {
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

    /// The graph of a set of instances as a key; `None` if it is too large to be written out, or that road is closed.
    pub(super) fn key<const W: usize>(&self, set: &[u64; W], roads: &Roads) -> Option<(Key, Sign)> {
        let count: u32 = set.iter().map(|w| w.count_ones()).sum();
        let n = count as usize;
        if n > MOST_WRITTEN || !roads.isomorphism {
            return None;
        }
        let graph = Graph::new(self, set, n);
        let [left, right] = self.mobility(set);
        let mut exchanged = false;
        let mut colours;
        if !roads.symmetry || self.all_share(set) {
            colours = graph.colours(false);
            graph.refine(&mut colours);
        } else if left != right {
            exchanged = left < right;
            colours = graph.colours(exchanged);
            graph.refine(&mut colours);
        } else {
            colours = graph.colours(false);
            let mut other = graph.colours(true);
            // As many rounds for both: what is compared does not depend on names.
            graph.round(&mut colours);
            graph.round(&mut other);
            graph.round(&mut colours);
            graph.round(&mut other);
            if sum(&other) < sum(&colours) {
                exchanged = true;
                colours = other;
            }
            graph.refine(&mut colours);
        }
        let order = graph.order(colours);
        let sign = if exchanged { Sign::Minus } else { Sign::Plus };
        Some((graph.written(&order, exchanged), sign))
    }
}

fn sum(colours: &[u64]) -> u64 {
    colours.iter().fold(0, |s, c| s.wrapping_add(*c))
}

type Colours = SmallVec<[u64; 64]>;

/// A number that says as much as a few others.
#[inline]
fn mix(x: u64) -> u64 {
    let x = (x ^ x >> 32).wrapping_mul(0xd6e8_feb8_6659_fd93);
    (x ^ x >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9)
}

/// Rounds until no class of colours falls apart any more, as far as a count by buckets tells: where two colours share one
/// there may be a round too few, and what is left over is a tie.
fn until_stable(colours: &mut Colours, mut round: impl FnMut(&mut Colours)) {
    let classes = |colours: &Colours| -> u32 {
        let mut seen = [0u64; 8];
        for c in colours {
            seen[(c >> 6 & 7) as usize] |= 1 << (c & 63);
        }
        seen.iter().map(|w| w.count_ones()).sum()
    };
    let mut most = classes(colours);
    while (most as usize) < colours.len() {
        round(colours);
        let now = classes(colours);
        if now <= most {
            return;
        }
        most = now;
    }
}

/// The graph of a part: its instances numbered from 0.
struct Graph {
    players: SmallVec<[u8; 64]>,
    /// Where the links of each end.
    ends: SmallVec<[u16; 64]>,
    /// To which instance, and how: 0 each disables the other, 1 it disables that one, 2 it is disabled by it.
    links: SmallVec<[(u8, u8); 512]>,
    mutual: bool,
}

impl Graph {
    fn new<const W: usize>(removal: &Removal, set: &[u64; W], n: usize) -> Graph {
        let mut number = [0u8; MOST];
        let mut next = 0;
        each(set, |i| {
            number[i] = next;
            next = next.saturating_add(1);
        });
        let mut graph = Graph {
            players: SmallVec::with_capacity(n),
            ends: SmallVec::with_capacity(n),
            links: SmallVec::new(),
            mutual: removal.mutual,
        };
        each(set, |i| {
            graph.players.push(removal.players[i]);
            let mut near: [u64; W] = *removal.row(&removal.linked, i);
            for w in 0..W {
                near[w] &= set[w];
            }
            each(&near, |j| {
                let how = if removal.mutual {
                    0
                } else {
                    let out = has(removal.row::<W>(&removal.removes, i), j);
                    let back = has(removal.row::<W>(&removal.removes, j), i);
                    match (out, back) {
                        (true, true) => 0,
                        (true, false) => 1,
                        _ => 2,
                    }
                };
                graph.links.push((number[j], how));
            });
            graph.ends.push(graph.links.len() as u16);
        });
        graph
    }

    fn of(&self, i: usize) -> &[(u8, u8)] {
        let start = if i == 0 { 0 } else { self.ends[i - 1] };
        &self.links[usize::from(start)..usize::from(self.ends[i])]
    }

    fn player(&self, i: usize, exchanged: bool) -> u8 {
        let p = self.players[i];
        if exchanged { (p & 1) << 1 | p >> 1 } else { p }
    }

    fn colours(&self, exchanged: bool) -> Colours {
        (0..self.players.len())
            .map(|i| {
                let p = u64::from(self.player(i, exchanged));
                mix(p << 16 | self.of(i).len() as u64 | 1 << 40)
            })
            .collect()
    }

    /// One round: the colour of each instance with those of its links.
    fn round(&self, colours: &mut Colours) {
        let mut start = 0;
        let mut next: Colours = SmallVec::with_capacity(colours.len());
        for (i, end) in self.ends.iter().enumerate() {
            let end = usize::from(*end);
            let mut all = 0u64;
            for (j, how) in &self.links[start..end] {
                let c = colours[usize::from(*j)];
                all = all.wrapping_add(c.rotate_left(21 * u32::from(*how)));
            }
            start = end;
            next.push(mix(colours[i].wrapping_mul(5).wrapping_add(all)));
        }
        *colours = next;
    }

    /// Rounds until no class falls apart any more.
    fn refine(&self, colours: &mut Colours) {
        until_stable(colours, |colours| self.round(colours));
    }

    /// The instances in the order of their colours, ties broken one after the other.
    fn order(&self, mut colours: Colours) -> SmallVec<[u8; 64]> {
        let mut ties = 0;
        loop {
            let mut order: SmallVec<[(u64, u8); 64]> =
                (0u8..).zip(&colours).map(|(i, c)| (*c, i)).collect();
            order.sort_unstable();
            let tie = order.windows(2).position(|w| w[0].0 == w[1].0);
            match tie {
                Some(at) if ties < MOST_TIES => {
                    ties += 1;
                    let i = usize::from(order[at].1);
                    colours[i] = mix(colours[i] ^ 0x5555);
                    self.refine(&mut colours);
                }
                _ => return order.iter().map(|(_, i)| *i).collect(),
            }
        }
    }

    /// The whole graph in an order: whose each instance is, and its links to those before it.
    fn written(&self, order: &[u8], exchanged: bool) -> Key {
        let n = order.len();
        let per = if self.mutual { 1 } else { 2 };
        let bits = 2 * n + per * (n * n.saturating_sub(1) / 2);
        let mut words: SmallVec<[u64; 24]> = SmallVec::from_elem(0, bits.div_ceil(64) + 1);
        words[0] = (n as u64) | u64::from(self.mutual) << 16;
        let mut place = [0u8; MOST];
        for (at, i) in (0u8..).zip(order) {
            place[usize::from(*i)] = at;
        }
        let mut set = |bit: usize| words[1 + bit / 64] |= 1 << (bit % 64);
        for (at, i) in order.iter().enumerate() {
            let i = usize::from(*i);
            let p = self.player(i, exchanged);
            (0..2)
                .filter(|b| p >> b & 1 == 1)
                .for_each(|b| set(2 * at + b));
            let row = 2 * n + per * (at * at.saturating_sub(1) / 2);
            for (j, how) in self.of(i) {
                let other = usize::from(place[usize::from(*j)]);
                if other >= at {
                    continue;
                }
                if self.mutual {
                    set(row + other);
                } else {
                    // Which of the two disables the other, or both.
                    if *how != 2 {
                        set(row + 2 * other);
                    }
                    if *how != 1 {
                        set(row + 2 * other + 1);
                    }
                }
            }
        }
        removal_key(&mut words)
    }
}
