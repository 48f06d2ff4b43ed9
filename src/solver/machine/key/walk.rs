//! Keys of parts of removal games that are too large for rows of bits ([`super::graph`]). Input: the instances of a part, of
//! which each disables the same ones that disable it. Output: a key, which lists the links of each instance.
//!
//! The instances are numbered by a walk in breadth, which visits neighbours in the order of their colours (colour refinement, as
//! in `graph`, a few rounds of it) and begins at an instance of the rarest colour. If few have this colour, the walk that comes
//! first is used. So paths, cycles and most trees are recognised, in time linear in the number of links. Players are not
//! exchanged. The key holds the whole graph, so an order that is not canonical can cost a hit in the memo table but never gives
//! a wrong value.

use super::graph::{MOST_WRITTEN, mix};
use super::{Key, removal_key};
use crate::game::Sign;
use crate::ir::ground::Ground;
use crate::machine::index::each;
use crate::machine::pack::and;
use crate::machine::removal::{Removal, disabled, has};
use crate::machine::settings::{Planted, Settings};

/// The most instances of a game whose links are listed: their rows of bits take two megabytes while they are compiled.
const MOST_LISTED: usize = 4096;

/// The rounds of refinement.
const ROUNDS: usize = 3;

/// If at most this many instances have the rarest colour, a walk from each is tried, otherwise one from the first.
const WALKS: usize = 4;

/// In the first word of a key: it lists links. The bits below are the number of instances and whether removal is mutual.
const LISTS: u64 = 3 << 16;

/// Whether there are such keys. On WebAssembly there are not: the page has no room for the code.
pub(super) const IS_USED: bool = !cfg!(target_family = "wasm");

/// The links of the instances of a removal game that is too large for sets of instances.
#[derive(Clone, Debug)]
pub(in crate::machine) struct Links {
    players: Vec<u8>,
    linked: Vec<Vec<u32>>,
}

impl Links {
    /// `None` if the instances are no removal game, removal is not mutual, or they are too many.
    pub(in crate::machine) fn new(ground: &Ground, settings: &Settings) -> Option<Links> {
        let count = ground.instances.len();
        let two = ground.setting.instance.players.len() == 2;
        if count > MOST_LISTED || !two || !IS_USED {
            return None;
        }
        let words = count.div_ceil(64);
        let rows = disabled(ground, words)?;
        let mut linked: Vec<Vec<u32>> = (0..count)
            .map(|i| {
                let row = &rows[i * words..][..words];
                let others = (0..count).filter(|j| *j != i && has(row, *j));
                others.map(|j| j as u32).collect()
            })
            .collect();
        let is_mutual = |i: usize| {
            let i = i as u32;
            let mut all = linked[i as usize].iter();
            all.all(|j| linked[*j as usize].binary_search(&i).is_ok())
        };
        if !(0..count).all(is_mutual) {
            return None;
        }
        if settings.planted == Some(Planted::LinksForget) {
            linked.iter_mut().for_each(|linked| {
                linked.pop();
            });
        }
        let players = ground.instances.iter().map(|m| (m.players & 3) as u8);
        Some(Links {
            players: players.collect(),
            linked,
        })
    }

    /// The key of a part with these instances, in ascending order.
    pub(in crate::machine) fn key(&self, live: &[u32], settings: &Settings) -> (Key, Sign) {
        let place = |j: &u32| live.binary_search(j).ok();
        let part = Part {
            players: live.iter().map(|i| self.players[*i as usize]).collect(),
            near: live
                .iter()
                .map(|i| self.linked[*i as usize].iter().filter_map(place).collect())
                .collect(),
        };
        if live.len() > MOST_WRITTEN || settings.listed {
            return (part.key(), Sign::Plus);
        }
        // The key that such a part has in a smaller game.
        let removal = Removal::of_part(&part.players, &part.near);
        let key = match removal.words {
            1 => removal.key(&removal.all::<1>(), settings),
            _ => removal.key(&removal.all::<2>(), settings),
        };
        key.unwrap_or_else(|| (part.key(), Sign::Plus))
    }
}

/// A part: for each instance its players and, in ascending order, its links.
pub(in crate::machine) struct Part {
    pub players: Vec<u8>,
    pub near: Vec<Vec<usize>>,
}

impl Part {
    /// A set of instances of a removal game.
    pub(super) fn new<const W: usize>(removal: &Removal, set: &[u64; W]) -> Part {
        let mut live = Vec::new();
        each(set, |i| live.push(i));
        let near = |i: &usize| {
            let linked: &[u64; W] = removal.row(&removal.linked, *i);
            let mut near = Vec::new();
            each(&and(linked, set), |j| near.extend(live.binary_search(&j)));
            near
        };
        Part {
            players: live.iter().map(|i| removal.players[*i]).collect(),
            near: live.iter().map(near).collect(),
        }
    }

    /// Its key.
    pub(in crate::machine) fn key(&self) -> Key {
        let colours = self.colours();
        let walks = self.starts(&colours).into_iter();
        let texts = walks.map(|start| self.written(&self.walk(start, &colours)));
        let mut words = vec![self.players.len() as u64 | LISTS];
        words.extend(texts.min().unwrap_or_default());
        removal_key(&mut words)
    }

    fn colours(&self) -> Vec<u64> {
        let own = self.players.iter().zip(&self.near);
        let mut colours: Vec<u64> = own
            .map(|(p, near)| mix(u64::from(*p) << 32 | near.len() as u64))
            .collect();
        for _ in 0..ROUNDS {
            let next = self.near.iter().enumerate().map(|(i, near)| {
                let all = near
                    .iter()
                    .fold(0u64, |all, j| all.wrapping_add(colours[*j]));
                mix(colours[i].wrapping_mul(5).wrapping_add(all))
            });
            colours = next.collect();
        }
        colours
    }

    // The instances of the rarest colour, or one of them if they are many.
    fn starts(&self, colours: &[u64]) -> Vec<usize> {
        let mut order: Vec<usize> = (0..colours.len()).collect();
        order.sort_by_key(|i| colours[*i]);
        let classes = order.chunk_by(|i, j| colours[*i] == colours[*j]);
        let rarest = classes.min_by_key(|class| class.len()).unwrap_or_default();
        match rarest.len() {
            0..=WALKS => rarest.to_vec(),
            _ => rarest[..1].to_vec(),
        }
    }

    // The instances in the order of a walk from one of them, and then from those that it does not reach.
    fn walk(&self, start: usize, colours: &[u64]) -> Vec<usize> {
        let count = self.players.len();
        let mut met = vec![false; count];
        let mut order = Vec::with_capacity(count);
        for start in std::iter::once(start).chain(0..count) {
            if std::mem::replace(&mut met[start], true) {
                continue;
            }
            let mut next = order.len();
            order.push(start);
            while let Some(i) = order.get(next).copied() {
                next += 1;
                let from = order.len();
                let near = self.near[i].iter().copied();
                order.extend(near.filter(|j| !std::mem::replace(&mut met[*j], true)));
                order[from..].sort_by_key(|j| colours[*j]);
            }
        }
        order
    }

    // For each instance in an order, its players, how many links it has to earlier ones, and their places; each in 16 bits.
    fn written(&self, order: &[usize]) -> Vec<u64> {
        let mut place = vec![0u16; order.len()];
        let places = (0u16..).zip(order);
        places.for_each(|(at, i)| place[*i] = at);
        let mut text: Vec<u16> = Vec::new();
        for i in order {
            let earlier = |j: &usize| (place[*j] < place[*i]).then_some(place[*j]);
            let at = text.len();
            text.push(0);
            text.extend(self.near[*i].iter().filter_map(earlier));
            text[at] = ((text.len() - at - 1) as u16) << 2 | u16::from(self.players[*i]);
            text[at + 1..].sort_unstable();
        }
        let word = |four: &[u16]| {
            four.iter()
                .rev()
                .fold(0, |word, x| word << 16 | u64::from(*x))
        };
        text.chunks(4).map(word).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::super::next;
    use super::*;

    fn random(state: &mut u64, n: usize) -> usize {
        (next(state) >> 20) as usize % n
    }

    fn part(players: &[u8], edges: &[(usize, usize)]) -> Part {
        let mut near = vec![Vec::new(); players.len()];
        for (i, j) in edges {
            near[*i].push(*j);
            near[*j].push(*i);
        }
        near.iter_mut().for_each(|near| near.sort_unstable());
        Part {
            players: players.to_vec(),
            near,
        }
    }

    // The same part with other numbers.
    fn shuffled(whole: &Part, state: &mut u64) -> Part {
        let count = whole.players.len();
        let mut to: Vec<usize> = (0..count).collect();
        (1..count).for_each(|i| to.swap(i, random(state, i + 1)));
        let mut players = vec![0; count];
        let mut edges = Vec::new();
        for i in 0..count {
            players[to[i]] = whole.players[i];
            let later = whole.near[i].iter().filter(|j| **j > i);
            edges.extend(later.map(|j| (to[i], to[*j])));
        }
        part(&players, &edges)
    }

    // Whether some bijection maps one part to the other.
    fn are_alike(a: &Part, b: &Part, to: &mut Vec<usize>) -> bool {
        let i = to.len();
        if i == a.players.len() {
            return true;
        }
        for j in (0..a.players.len())
            .filter(|j| !to.contains(j))
            .collect::<Vec<_>>()
        {
            let linked = |k: usize| a.near[i].contains(&k) == b.near[j].contains(&to[k]);
            if a.players[i] == b.players[j] && (0..i).all(linked) {
                to.push(j);
                if are_alike(a, b, to) {
                    return true;
                }
                to.pop();
            }
        }
        false
    }

    #[test]
    fn parts_with_one_key_are_alike() {
        let mut state = 3;
        let mut met: std::collections::HashMap<Key, Part> = std::collections::HashMap::new();
        let mut again = 0;
        for _ in 0..4_000 {
            let count = 1 + random(&mut state, 6);
            let players: Vec<u8> = (0..count)
                .map(|_| 1 + random(&mut state, 3) as u8)
                .collect();
            let mut edges = Vec::new();
            for i in 0..count {
                edges.extend(
                    (0..i)
                        .filter(|_| random(&mut state, 3) == 0)
                        .map(|j| (i, j)),
                );
            }
            let new = part(&players, &edges);
            if let Some(old) = met.get(&new.key()) {
                assert!(
                    are_alike(old, &new, &mut Vec::new()),
                    "{players:?} {edges:?}"
                );
                again += 1;
            }
            met.insert(new.key(), new);
        }
        assert!(again > 1_000, "{again}");
    }

    // Paths, cycles, ladders and caterpillars have one key however their vertices are numbered, and each has another.
    #[test]
    fn long_parts_are_recognised() {
        let mut state = 5;
        let mut keys = std::collections::HashSet::new();
        let mut graphs = 0;
        for count in (132..400).step_by(30) {
            let path: Vec<(usize, usize)> = (1..count).map(|i| (i - 1, i)).collect();
            let cycle = [&path[..], &[(0, count - 1)]].concat();
            let rungs = (2..count).map(|i| (i - 2, i));
            let ladder: Vec<_> = rungs
                .chain((1..count).step_by(2).map(|i| (i - 1, i)))
                .collect();
            let legs = (0..count / 3).map(|i| (3 * i, 3 * i + 1));
            let body = (1..count / 3).map(|i| (3 * i - 3, 3 * i));
            let feet = (0..count / 3).map(|i| (3 * i, 3 * i + 2));
            let caterpillar: Vec<_> = legs.chain(body).chain(feet).collect();
            for edges in [path, cycle, ladder, caterpillar] {
                let graph = part(&vec![3; count], &edges);
                for _ in 0..4 {
                    assert_eq!(shuffled(&graph, &mut state).key(), graph.key(), "{edges:?}");
                }
                keys.insert(graph.key());
                graphs += 1;
            }
        }
        assert_eq!(keys.len(), graphs);
    }
}
