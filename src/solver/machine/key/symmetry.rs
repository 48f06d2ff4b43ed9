//! Symmetries of the instances and of the clauses that end play: permutations of the bits of a program's states that map the
//! set of instances, and the ways to end play, onto themselves.
//!
//! A symmetry sends variables to variables and values to values, perhaps with the two players exchanged. Candidates come from
//! colour refinement (B. Weisfeiler and A. Leman, 1968) of the variables by the instances that name them, and
//! individualization of one variable after another where colours leave a choice. Every candidate is checked, instance by
//! instance, before it is used. So the bounds on the search and collisions of hashed colours can lose a symmetry, but cannot
//! invent one. States that are images of each other under a symmetry have isomorphic game trees, negatives of each other if
//! the players are exchanged, whether or not all symmetries were found.

use super::pattern::permutations;
use crate::game::End;
use crate::ir::ground::condition::{Condition, Map, Phase};
use crate::ir::ground::{Ground, GroundVar, NEVER, Write, is_gone};
use crate::ir::val::Val;
use crate::machine::ends::near;
use crate::machine::pack::Layout;
use crate::machine::settings::Planted;
use crate::model::typed::Lines;
use rustc_hash::{FxHashMap, FxHasher};
use std::hash::{Hash, Hasher};
use std::rc::Rc;

/// The most symmetries for each permutation of values and players.
const MOST_EACH: usize = 16;
/// The most symmetries of a program.
const MOST: usize = 48;
/// The most atoms and writes that the search visits.
const FUEL: usize = 400_000;
/// The most values of all variables together: sets of them are words.
const MAX_VALUES: usize = 64;

/// A symmetry that was checked.
#[derive(Clone, Debug)]
pub(in crate::machine) struct Symmetry {
    /// The image of each bit of a state, by word * 64 + bit.
    pub bits: Vec<u16>,
    /// Whether the players are exchanged.
    pub exchanged: bool,
    /// The image of each field, and whether values are permuted.
    pub fields: Vec<u16>,
    pub values: bool,
    /// The image of each instance.
    pub instances: Vec<u32>,
}

/// A symmetry as tables.
#[derive(Clone, Debug)]
pub(in crate::machine) struct Turn<const N: usize> {
    // For each four bits of a state and each value of these, their image.
    table: Box<[[u64; N]]>,
    pub exchanged: bool,
    /// For the explanation: the image of each field, and whether values are permuted.
    pub fields: Vec<u16>,
    pub values: bool,
}

impl<const N: usize> Turn<N> {
    pub fn new(symmetry: &Symmetry) -> Turn<N> {
        let mut table = vec![[0u64; N]; 16 * 16 * N].into_boxed_slice();
        for (row, to) in table.iter_mut().enumerate() {
            let (nibble, value) = (row / 16, row % 16);
            for k in (0..4).filter(|k| value >> k & 1 == 1) {
                let from = 4 * nibble + k;
                let bit = symmetry.bits.get(from).map_or(from, |b| usize::from(*b));
                to[bit / 64] |= 1 << (bit % 64);
            }
        }
        Turn {
            table,
            exchanged: symmetry.exchanged,
            fields: symmetry.fields.clone(),
            values: symmetry.values,
        }
    }

    /// The image of a state.
    pub fn of(&self, state: &[u64; N]) -> [u64; N] {
        let mut out = [0u64; N];
        for (w, word) in state.iter().enumerate() {
            let mut rest = *word;
            let mut row = 256 * w;
            while rest != 0 {
                let image = &self.table[row + (rest & 15) as usize];
                for i in 0..N {
                    out[i] |= image[i];
                }
                rest >>= 4;
                row += 16;
            }
        }
        out
    }
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
enum Does {
    Value(u8),
    // The field read, and pairs of value read and value written, sorted.
    Table(u16, Vec<(u8, u8)>),
    Plus(Vec<(u8, u8)>),
}

/// The kind of an item.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Kind {
    /// An instance: whether its rule can fail, and whether its player moves again.
    Move { fault: bool, again: bool },
    /// A way to end play, with the number of its run of consecutive ways with the same end.
    End(u32, End),
    /// An edge of the board.
    Edge,
}

/// An instance, a way to end play, or an edge. Fields are given by number, values by their number among all values.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Item {
    players: u64,
    kind: Kind,
    /// Pairs of fields, the smaller one first, sorted.
    joined: Vec<(u16, u16)>,
    guard: Vec<(u16, u64)>,
    writes: Vec<(u16, Does)>,
    acts: Vec<Act>,
}

/// A phase of an instance, or a further condition of a way to end play. Conditions are given by their index in a list.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
enum Act {
    Test(u32),
    Write(Vec<(u16, Does)>),
    // Field, value and condition, sorted.
    When(Vec<(u16, u8, u32)>),
}

/// A permutation of values and players.
struct Exchange {
    values: Vec<u8>,
    players: bool,
}

impl Exchange {
    fn value(&self, n: u8) -> u8 {
        self.values.get(usize::from(n)).copied().unwrap_or(n)
    }

    fn set(&self, set: u64) -> u64 {
        let mut out = 0;
        let mut rest = set;
        while rest != 0 {
            out |= 1 << self.value(rest.trailing_zeros() as u8);
            rest &= rest - 1;
        }
        out
    }

    fn pairs(&self, pairs: &[(u8, u8)]) -> Vec<(u8, u8)> {
        let mut out: Vec<(u8, u8)> = pairs
            .iter()
            .map(|(a, b)| (self.value(*a), self.value(*b)))
            .collect();
        out.sort_unstable();
        out
    }

    fn players(&self, players: u64) -> u64 {
        if self.players {
            (players & 1) << 1 | players >> 1 & 1
        } else {
            players
        }
    }

    fn kind(&self, kind: Kind) -> Kind {
        match kind {
            Kind::End(run, End::Won(who)) => Kind::End(run, End::Won(self.players(who))),
            kind => kind,
        }
    }

    fn does(&self, does: &Does, field: &impl Fn(u16) -> u16) -> Does {
        match does {
            Does::Value(n) => Does::Value(self.value(*n)),
            Does::Table(g, t) => Does::Table(field(*g), self.pairs(t)),
            Does::Plus(t) => Does::Plus(self.pairs(t)),
        }
    }

    /// The image of a condition, with its fields renamed. Sites are given by their fields.
    fn condition(&self, c: &Condition, field: impl Fn(u16) -> u16) -> Option<Condition> {
        let to = |f: u32| Some(u32::from(field(u16::try_from(f).ok()?)));
        c.mapped(&Map {
            value: &|f, set| Some((to(f)?, self.set(set))),
            site: &to,
        })
    }

    /// The image of an item, with its fields renamed; `images` gives the image of each condition.
    fn item(&self, item: &Item, field: impl Fn(u16) -> u16, images: &[u32]) -> Item {
        let image = |c: u32| images.get(c as usize).copied().unwrap_or(c);
        let acts = item.acts.iter().map(|act| match act {
            Act::Test(c) => Act::Test(image(*c)),
            Act::Write(list) => {
                let mut list: Vec<(u16, Does)> = list
                    .iter()
                    .map(|(f, does)| (field(*f), self.does(does, &field)))
                    .collect();
                by_field(&mut list);
                Act::Write(list)
            }
            Act::When(list) => {
                let mut list: Vec<(u16, u8, u32)> = list
                    .iter()
                    .map(|(f, n, c)| (field(*f), self.value(*n), image(*c)))
                    .collect();
                list.sort_unstable();
                Act::When(list)
            }
        });
        let acts = acts.collect();
        let mut guard: Vec<(u16, u64)> = item
            .guard
            .iter()
            .map(|(f, s)| (field(*f), self.set(*s)))
            .collect();
        let mut writes: Vec<(u16, Does)> = item
            .writes
            .iter()
            .map(|(f, does)| (field(*f), self.does(does, &field)))
            .collect();
        guard.sort_unstable();
        by_field(&mut writes);
        let mut joined: Vec<(u16, u16)> = item
            .joined
            .iter()
            .map(|(f, g)| (field(*f), field(*g)))
            .map(|(f, g)| (f.min(g), f.max(g)))
            .collect();
        joined.sort_unstable();
        Item {
            players: self.players(item.players),
            kind: self.kind(item.kind),
            joined,
            guard,
            writes,
            acts,
        }
    }
}

fn hashed<T: Hash>(value: T) -> u64 {
    let mut h = FxHasher::default();
    value.hash(&mut h);
    // Sums of hashes must not cancel.
    let x = h.finish();
    (x ^ x >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9) ^ x >> 32
}

struct Search<'a> {
    /// The values of each field, as a set.
    values: Vec<u64>,
    items: Vec<Item>,
    by_item: FxHashMap<&'a Item, Vec<u32>>,
    // The conditions of items, with sites given by their fields.
    conditions: Vec<Condition>,
    fuel: usize,
}

impl Search<'_> {
    // One round: hashes each item with the colours of its fields, and sums the hashes at each field.
    fn round(&self, items: &[Item], colours: &mut [u64], fuel: &mut usize) {
        let mut sums = vec![0u64; colours.len()];
        for item in items {
            let mut sum = hashed((item.players, item.kind));
            let mut roles: Vec<(u16, u64)> =
                Vec::with_capacity(item.guard.len() + item.writes.len());
            for (f, set) in &item.guard {
                roles.push((*f, hashed((1u8, colours[usize::from(*f)], set))));
            }
            for (f, does) in &item.writes {
                let to = colours[usize::from(*f)];
                let role = match does {
                    Does::Value(n) => hashed((2u8, to, n)),
                    Does::Plus(t) => hashed((3u8, to, t)),
                    Does::Table(g, t) => {
                        let from = colours[usize::from(*g)];
                        roles.push((*g, hashed((4u8, from, to, t, f == g))));
                        hashed((5u8, to, from, t, f == g))
                    }
                };
                roles.push((*f, role));
            }
            for (f, g) in &item.joined {
                let [a, b] = [f, g].map(|f| colours[usize::from(*f)]);
                roles.push((*f, hashed((7u8, a, b))));
                roles.push((*g, hashed((7u8, b, a))));
            }
            for (_, role) in &roles {
                sum = sum.wrapping_add(*role);
            }
            for (f, role) in &roles {
                let sum = hashed((sum, role));
                sums[usize::from(*f)] = sums[usize::from(*f)].wrapping_add(sum);
            }
            *fuel = fuel.saturating_sub(roles.len() + 1);
        }
        for (c, s) in colours.iter_mut().zip(&sums) {
            *c = hashed((*c, *s));
        }
    }

    fn refine(&self, items: &[Item], colours: &mut [u64], fuel: &mut usize) {
        let mut count = distinct(colours);
        // Both sides take the same number of rounds, or their colours differ anyway.
        while count < colours.len() && *fuel > 0 {
            self.round(items, colours, fuel);
            let now = distinct(colours);
            if now == count {
                return;
            }
            count = now;
        }
        if *fuel > 0 {
            self.round(items, colours, fuel);
        }
    }

    // The maps of fields that send the items `from` (with values and players already permuted) to the items.
    fn maps(&mut self, from: &[Item], values: &[u64]) -> Vec<Vec<u16>> {
        let mut found = Vec::new();
        let mut fuel = self.fuel;
        let start = |values: &[u64]| {
            values
                .iter()
                .map(|v| hashed((0u8, v)))
                .collect::<Vec<u64>>()
        };
        // The side `from` is refined once; it is compared with all branches of the other side.
        let mut first = start(values);
        self.refine(from, &mut first, &mut fuel);
        let mut open = vec![(Rc::new(first), start(&self.values))];
        while let Some((a, mut b)) = open.pop() {
            if fuel == 0 || found.len() >= MOST_EACH {
                break;
            }
            self.refine(&self.items, &mut b, &mut fuel);
            let order = |colours: &[u64]| {
                let mut order: Vec<u16> = (0..colours.len() as u16).collect();
                order.sort_by_key(|f| (colours[usize::from(*f)], *f));
                order
            };
            let (left, right) = (order(&a), order(&b));
            if left
                .iter()
                .zip(&right)
                .any(|(f, g)| a[usize::from(*f)] != b[usize::from(*g)])
            {
                continue;
            }
            // The first colour that leaves a choice.
            let colour = |i: usize| left.get(i).map(|f| a[usize::from(*f)]);
            let choice = (0..left.len()).find(|i| colour(*i) == colour(i + 1));
            let Some(first) = choice else {
                let mut map = vec![0u16; a.len()];
                for (f, g) in left.iter().zip(&right) {
                    map[usize::from(*f)] = *g;
                }
                found.push(map);
                continue;
            };
            let class = (first..left.len()).take_while(|i| colour(*i) == colour(first));
            let mark = hashed((6u8, colour(first)));
            let one = usize::from(left[first]);
            let class: Vec<usize> = class.collect();
            let mut one_side = a.to_vec();
            one_side[one] = mark;
            self.refine(from, &mut one_side, &mut fuel);
            let one_side = Rc::new(one_side);
            for i in class.into_iter().rev() {
                let mut b = b.clone();
                b[usize::from(right[i])] = mark;
                open.push((one_side.clone(), b));
            }
        }
        self.fuel = fuel;
        found
    }

    // The image of each item, if the map sends the set of items onto itself.
    fn instances(&self, exchange: &Exchange, map: &[u16]) -> Option<Vec<u32>> {
        let mut out = vec![0u32; self.items.len()];
        let images: Option<Vec<u32>> = self
            .conditions
            .iter()
            .map(|c| {
                let image = exchange.condition(c, |f| map[usize::from(f)])?;
                let at = self.conditions.iter().position(|d| *d == image)?;
                u32::try_from(at).ok()
            })
            .collect();
        let images = images?;
        for (item, places) in &self.by_item {
            let image = exchange.item(item, |f| map[usize::from(f)], &images);
            let to = self.by_item.get(&image)?;
            if to.len() != places.len() {
                return None;
            }
            for (i, j) in places.iter().zip(to) {
                out[*i as usize] = *j;
            }
        }
        // Different items have different images, since fields and values are permuted.
        Some(out)
    }
}

/// Sorts writes by field.
fn by_field(writes: &mut [(u16, Does)]) {
    writes.sort_by_key(|w| w.0);
}

fn distinct(colours: &[u64]) -> usize {
    let mut sorted = colours.to_vec();
    sorted.sort_unstable();
    sorted.dedup();
    sorted.len()
}

/// The symmetries of a program, the identity first; only the identity if there are no others, or too many values.
pub(in crate::machine) fn symmetries(
    ground: &Ground,
    layout: &Layout,
    words: usize,
    planted: Option<Planted>,
) -> Vec<Symmetry> {
    let identity = Symmetry {
        bits: (0..64 * words)
            .map(|b| u16::try_from(b).unwrap_or(u16::MAX))
            .collect(),
        exchanged: false,
        fields: (0..layout.fields.len())
            .map(|f| u16::try_from(f).unwrap_or(u16::MAX))
            .collect(),
        values: false,
        instances: (0u32..).take(ground.instances.len()).collect(),
    };
    let mut found = vec![identity];
    let unchecked = planted == Some(Planted::EndsUnmapped);
    if let Some(more) = others(ground, layout, &found[0], unchecked) {
        found.extend(more);
    }
    found
}

fn others(
    ground: &Ground,
    layout: &Layout,
    identity: &Symmetry,
    unchecked: bool,
) -> Option<Vec<Symmetry>> {
    let fields = &layout.fields;
    if fields.len() < 2 || ground.instances.iter().any(|m| m.keep.is_some()) {
        return None;
    }
    let cells = ground.setting.board.has_cells();
    if ground.asks_groups() && ground.values.iter().flatten().any(|v| is_gone(v, cells)) {
        // A removed site is in no group, so a symmetry must not exchange it with a piece.
        return None;
    }
    // All values, and for each field the numbers of its values in this list.
    let mut all: Vec<&Val> = Vec::new();
    let mut numbers: Vec<Vec<u8>> = Vec::new();
    for f in fields {
        let mut own = Vec::new();
        for v in &ground.values[f.var as usize] {
            let at = all.iter().position(|w| *w == v).unwrap_or_else(|| {
                all.push(v);
                all.len() - 1
            });
            own.push(u8::try_from(at).ok()?);
        }
        numbers.push(own);
    }
    if all.len() > MAX_VALUES {
        return None;
    }
    let set = |f: usize, set: u64| {
        let own = numbers[f].iter().enumerate();
        own.filter(|(i, _)| set >> i & 1 == 1)
            .fold(0u64, |s, (_, n)| s | 1 << n)
    };
    let pairs = |from: usize, to: usize, table: &[u8]| -> Option<Vec<(u8, u8)>> {
        let mut out = Vec::new();
        for (i, n) in table.iter().enumerate().filter(|(_, n)| **n != NEVER) {
            out.push((*numbers[from].get(i)?, *numbers[to].get(usize::from(*n))?));
        }
        out.sort_unstable();
        Some(out)
    };
    let field = |var: u32| layout.of_var[var as usize];
    // A condition in terms of fields and numbers of all values; equal conditions are stored once.
    let mut conditions: Vec<Condition> = Vec::new();
    let mut condition = |c: &Condition| -> Option<u32> {
        let of_site = |s: u32| {
            let var = ground.vars.site(s)?;
            let of_piece = matches!(ground.vars.list.get(var as usize), Some(GroundVar::Site(_)));
            u32::try_from(field(var).filter(|_| of_piece)?).ok()
        };
        let named = c.mapped(&Map {
            value: &|var, s| {
                let f = field(var)?;
                Some((u32::try_from(f).ok()?, set(f, s)))
            },
            site: &of_site,
        })?;
        let at = conditions.iter().position(|d| *d == named);
        let at = at.unwrap_or_else(|| {
            conditions.push(named);
            conditions.len() - 1
        });
        u32::try_from(at).ok()
    };
    let mut items = Vec::new();
    for m in &ground.instances {
        let mut item = Item {
            players: m.players,
            kind: Kind::Move {
                fault: m.fault.is_some(),
                again: m.again,
            },
            joined: Vec::new(),
            guard: Vec::new(),
            writes: Vec::new(),
            acts: Vec::new(),
        };
        for (var, s) in &m.guard {
            let f = field(*var)?;
            item.guard.push((u16::try_from(f).ok()?, set(f, *s)));
        }
        let does = |writes: &[(u32, Write)]| -> Option<Vec<(u16, Does)>> {
            let mut all = Vec::new();
            for (var, write) in writes {
                let Some(f) = field(*var) else { continue };
                let does = match write {
                    Write::Value(n) => Does::Value(*numbers[f].get(usize::from(*n))?),
                    Write::Table(y, t) => {
                        let g = field(*y)?;
                        Does::Table(u16::try_from(g).ok()?, pairs(g, f, t)?)
                    }
                    Write::Plus(t) => Does::Plus(pairs(f, f, t)?),
                };
                all.push((u16::try_from(f).ok()?, does));
            }
            by_field(&mut all);
            Some(all)
        };
        item.writes = does(&m.update)?;
        for phase in &m.phases {
            item.acts.push(match phase {
                Phase::Test(c) => Act::Test(condition(c)?),
                Phase::Write(list) => Act::Write(does(list)?),
                Phase::When(list) => {
                    let mut all = Vec::new();
                    for (c, var, n) in list {
                        let f = field(*var)?;
                        let n = *numbers[f].get(usize::from(*n))?;
                        all.push((u16::try_from(f).ok()?, n, condition(c)?));
                    }
                    all.sort_unstable();
                    Act::When(all)
                }
            });
        }
        item.guard.sort_unstable();
        by_field(&mut item.writes);
        items.push(item);
    }
    let moves = items.len();
    if !unchecked {
        items.extend(ends(ground, layout, &set, &mut condition)?);
    }
    let size: usize = items
        .iter()
        .map(|i: &Item| i.guard.len() + i.writes.len() + 2 * i.joined.len() + 1)
        .sum();
    if size > FUEL / 16 {
        return None;
    }
    let listed = items.clone();
    let mut by_item: FxHashMap<&Item, Vec<u32>> = FxHashMap::default();
    for (i, item) in (0u32..).zip(&listed) {
        by_item.entry(item).or_default().push(i);
    }
    let mut search = Search {
        values: (0..fields.len()).map(|f| set(f, u64::MAX)).collect(),
        items,
        by_item,
        conditions,
        fuel: FUEL,
    };
    // Only pieces are permuted, not counts or truth values.
    let pieces: Vec<usize> = (0..all.len())
        .filter(|i| matches!(all[*i], Val::Piece(_)))
        .collect();
    let exchanges = permutations(pieces.len());
    let two = ground.setting.instance.players.len() == 2;
    let mut found = Vec::new();
    for permutation in exchanges {
        for players in [false, true] {
            if players && !two || search.fuel == 0 || found.len() >= MOST {
                continue;
            }
            let mut values: Vec<u8> = (0u8..).take(all.len()).collect();
            for (i, j) in permutation.iter().enumerate() {
                values[pieces[i]] = u8::try_from(pieces[usize::from(*j)]).ok()?;
            }
            let exchange = Exchange { values, players };
            // Colours do not depend on conditions.
            let from: Vec<Item> = search
                .items
                .iter()
                .map(|i| exchange.item(i, |f| f, &[]))
                .collect();
            let values: Vec<u64> = search.values.iter().map(|s| exchange.set(*s)).collect();
            for map in search.maps(&from, &values) {
                let Some(mut instances) = search.instances(&exchange, &map) else {
                    continue;
                };
                instances.truncate(moves);
                let Some(bits) = bits(layout, &numbers, &exchange, &map, &set, identity) else {
                    continue;
                };
                // A symmetry with the same images as an earlier one adds nothing, even if it exchanges the players.
                let new = bits != identity.bits && found.iter().all(|s: &Symmetry| s.bits != bits);
                if new && found.len() < MOST {
                    found.push(Symmetry {
                        bits,
                        exchanged: players,
                        fields: map,
                        values: exchange
                            .values
                            .iter()
                            .enumerate()
                            .any(|(i, v)| i != usize::from(*v)),
                        instances,
                    });
                }
            }
        }
    }
    Some(found)
}

// The ways to end play as items; if some ask what is joined, also the edges of the board.
fn ends(
    ground: &Ground,
    layout: &Layout,
    set: &impl Fn(usize, u64) -> u64,
    condition: &mut impl FnMut(&Condition) -> Option<u32>,
) -> Option<Vec<Item>> {
    let field = |var: u32| u16::try_from(layout.of_var[var as usize]?).ok();
    let site = |site: u32| {
        let var = ground.vars.site(site)?;
        let of_piece = matches!(ground.vars.list.get(var as usize), Some(GroundVar::Site(_)));
        of_piece.then(|| field(var)).flatten()
    };
    let pair = |(a, b): (u32, u32)| {
        let (f, g) = (site(a)?, site(b)?);
        Some((f.min(g), f.max(g)))
    };
    let mut items = Vec::new();
    for (last, ways) in ground.ends.iter().enumerate() {
        let mut run = 0;
        for (i, way) in ways.iter().enumerate() {
            run += u32::from(i > 0 && ways[i - 1].end != way.end);
            let guard = way.guard.iter();
            let guard =
                guard.map(|(var, s)| Some((field(*var)?, set(usize::from(field(*var)?), *s))));
            let joined = way.joined.iter().map(|p| pair(*p));
            let mut item = Item {
                players: 1 << (last & 63),
                kind: Kind::End(run, way.end),
                joined: joined.collect::<Option<_>>()?,
                guard: guard.collect::<Option<_>>()?,
                writes: Vec::new(),
                acts: Vec::new(),
            };
            if let Some(c) = &way.asked {
                item.acts.push(Act::Test(condition(c)?));
            }
            item.joined.sort_unstable();
            item.guard.sort_unstable();
            items.push(item);
        }
    }
    if items.iter().all(|i| i.joined.is_empty()) && !ground.asks_groups() {
        return Some(items);
    }
    let board = &ground.setting.board;
    if ground.asks_groups() && board.kind.lines() == Lines::Arcs {
        // The direction of arcs is not represented.
        return None;
    }
    for a in (0u32..).take(board.sites()) {
        for b in near(board, a) {
            items.push(Item {
                players: 0,
                kind: Kind::Edge,
                joined: vec![pair((a, b))?],
                guard: Vec::new(),
                writes: Vec::new(),
                acts: Vec::new(),
            });
        }
    }
    Some(items)
}

// The image of each bit, if values go to values bit by bit.
fn bits(
    layout: &Layout,
    numbers: &[Vec<u8>],
    exchange: &Exchange,
    map: &[u16],
    set: &impl Fn(usize, u64) -> u64,
    identity: &Symmetry,
) -> Option<Vec<u16>> {
    let mut out = identity.bits.clone();
    for (f, g) in map.iter().enumerate() {
        let g = usize::from(*g);
        let (from, to) = (&layout.fields[f], &layout.fields[g]);
        let width = from.mask.count_ones();
        if width != to.mask.count_ones() || numbers[f].len() != numbers[g].len() {
            return None;
        }
        let (asked, answered) = (&layout.atoms[f], &layout.atoms[g]);
        let value = |i: usize| {
            let n = exchange.value(numbers[f][i]);
            numbers[g].iter().position(|m| *m == n)
        };
        let mut own = vec![u32::MAX; width as usize];
        for (k, atom) in asked.iter().enumerate() {
            let image = exchange.set(set(f, *atom));
            own[k] = answered.iter().position(|a| set(g, *a) == image)? as u32;
        }
        for (i, pattern) in from.patterns.iter().enumerate() {
            let extra = |pattern: u64, atoms: usize| pattern.checked_shr(atoms as u32).unwrap_or(0);
            let (a, b) = (
                extra(*pattern, asked.len()),
                extra(to.patterns[value(i)?], answered.len()),
            );
            if a.count_ones() > 1 || a.count_ones() != b.count_ones() {
                return None;
            }
            if a != 0 {
                own[asked.len() + a.trailing_zeros() as usize] =
                    answered.len() as u32 + b.trailing_zeros();
            }
        }
        for (i, pattern) in from.patterns.iter().enumerate() {
            let image = (0..width)
                .filter(|k| pattern >> k & 1 == 1)
                .try_fold(0u64, |s, k| {
                    let to = own[k as usize];
                    (to != u32::MAX).then(|| s | 1 << to)
                })?;
            if image != to.patterns[value(i)?] {
                return None;
            }
        }
        for (k, to_bit) in (0u32..).zip(own) {
            // A bit that no value sets is always 0.
            let to_bit = if to_bit == u32::MAX { k } else { to_bit };
            let place = from.word * 64 + (from.shift + k) as usize;
            out[place] = u16::try_from(to.word * 64 + (to.shift + to_bit) as usize).ok()?;
        }
    }
    Some(out)
}
