//! Symmetries of the instances and of the clauses that end play: maps of a program's states, given bit by bit, that map the
//! moves, and the ways to end play, onto themselves.
//!
//! A symmetry sends variables to variables and values to values, perhaps with the two players exchanged. Candidates come from
//! colours of the variables ([`super::colours`]) and individualization of one variable after another where colours leave a
//! choice. Every candidate is checked before it is
//! used: it maps each instance and end to one that does the same or, for whole states ([`Of`]), what moves and ends do, and the
//! states in which they can be made, as unions of guards ([`cubes`]), onto themselves.
//! So the bounds on the search and collisions of hashed colours can lose a symmetry, but cannot invent one. States that are
//! images of each other under a symmetry have isomorphic game trees, negatives of each other if the players are exchanged,
//! whether or not all symmetries were found.

use super::colours::{Coloured, hashed, sorted};
use super::cubes::{self, Cube};
use super::items::{Act, Does, Exchange, Item, Kind, by_field};
use super::pattern::permutations;
use crate::ir::ground::condition::{Condition, Map, Phase};
use crate::ir::ground::{Ground, GroundVar, NEVER, Write, is_gone};
use crate::ir::val::Val;
use crate::machine::ends::near;
use crate::machine::images::rows;
use crate::machine::pack::Layout;
use crate::machine::settings::Planted;
use crate::model::typed::Lines;
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// The most symmetries for each permutation of values and players.
const MOST_EACH: usize = 16;
/// The most symmetries of a program.
const MOST: usize = 48;
/// The most atoms and writes that the search visits.
const FUEL: usize = 1_000_000;
/// The most that it visits in one round.
const SIZE: usize = 25_000;
/// The most values of all variables together: sets of them are words.
const MAX_VALUES: usize = 64;

/// A symmetry that was checked.
#[derive(Clone, Debug)]
pub(in crate::machine) struct Symmetry {
    /// For each bit of a state, by word * 64 + bit, the words of its image: the image of a state is the union of the images of
    /// the bits that are set.
    pub bits: Vec<u64>,
    /// Whether the players are exchanged.
    pub exchanged: bool,
    /// The image of each field, and whether values are permuted.
    pub fields: Vec<u16>,
    pub values: bool,
    /// The image of each instance; empty for whole states.
    pub instances: Vec<u32>,
}

impl Symmetry {
    /// What [`Images`] are made from.
    ///
    /// [`Images`]: crate::machine::images::Images
    pub fn image(&self) -> (&[u64], bool) {
        (&self.bits, self.exchanged)
    }
}

struct Search<'a> {
    /// The values of each field, as a set.
    values: Vec<u64>,
    coloured: &'a Coloured,
    by_item: FxHashMap<&'a Item, Vec<u32>>,
    // The conditions of items, with sites given by their fields.
    conditions: Vec<Condition>,
    fuel: usize,
}

impl Search<'_> {
    // The maps of fields that send `from` (with values and players already permuted) to what is coloured.
    fn maps(&mut self, from: &Coloured, values: &[u64]) -> Vec<Vec<u16>> {
        let mut found = Vec::new();
        let mut fuel = self.fuel;
        let start = |values: &[u64]| {
            values
                .iter()
                .map(|v| hashed((0u8, v)))
                .collect::<Vec<u64>>()
        };
        // One round tells most exchanges that have no maps.
        let mut first = start(values);
        let mut own = start(&self.values);
        from.round(&mut first, &mut fuel);
        self.coloured.round(&mut own, &mut fuel);
        if sorted(&first) != sorted(&own) {
            self.fuel = fuel;
            return found;
        }
        // The side `from` is refined once; it is compared with all branches of the other side.
        from.refine(&mut first, &mut fuel);
        let mut open = vec![(Rc::new(first), own)];
        while let Some((a, mut b)) = open.pop() {
            if fuel == 0 || found.len() >= MOST_EACH {
                break;
            }
            self.coloured.refine(&mut b, &mut fuel);
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
            from.refine(&mut one_side, &mut fuel);
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
    fn images(&self, exchange: &Exchange, map: &[u16]) -> Option<Vec<u32>> {
        let mut out = vec![0u32; self.coloured.items.len()];
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

/// One item for all that differ in their guards only.
fn united(listed: &[Item], values: &[u64]) -> Vec<Item> {
    let mut guards: FxHashMap<Item, Vec<Cube>> = FxHashMap::default();
    for item in listed {
        let mut bare = item.clone();
        let own = std::mem::take(&mut bare.guards);
        guards.entry(bare).or_default().extend(own);
    }
    let all = guards.into_iter().map(|(bare, guards)| Item {
        guards: cubes::maximal(guards, values),
        ..bare
    });
    all.collect()
}

/// What symmetries are for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::machine) enum Of {
    /// Whole states. What a move does in some states may be split into instances in another way than at its image.
    Whole,
    /// Also states from which bits were removed that no live instance reads. So each instance has an instance as its image, and
    /// each bit a bit.
    Parts,
}

/// The symmetries of a program, the identity first; only the identity if there are no others, or too many values.
pub(in crate::machine) fn symmetries(
    ground: &Ground,
    layout: &Layout,
    words: usize,
    of: Of,
    planted: Option<Planted>,
) -> Vec<Symmetry> {
    let identity = Symmetry {
        bits: rows(0..64 * words, words),
        exchanged: false,
        fields: (0..layout.fields.len())
            .map(|f| u16::try_from(f).unwrap_or(u16::MAX))
            .collect(),
        values: false,
        instances: (0u32..).take(ground.instances.len()).collect(),
    };
    let mut found = vec![identity];
    if let Some(more) = others(ground, layout, words, &found[0], of, planted) {
        found.extend(more);
    }
    found
}

fn others(
    ground: &Ground,
    layout: &Layout,
    words: usize,
    identity: &Symmetry,
    of: Of,
    planted: Option<Planted>,
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
            // Over all values. A symmetry maps the values of a field onto those of its image, so the rest does not matter.
            table: &|var, entries| {
                let f = field(var)?;
                let mut table = vec![0; all.len()];
                for (n, entry) in numbers[f].iter().zip(entries) {
                    table[usize::from(*n)] = *entry;
                }
                Some((u32::try_from(f).ok()?, table))
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
            guards: Vec::new(),
            writes: Vec::new(),
            acts: Vec::new(),
        };
        let guard = m.guard.iter().map(|(var, s)| {
            let f = field(*var)?;
            Some((u16::try_from(f).ok()?, set(f, *s)))
        });
        let mut guard: Cube = guard.collect::<Option<_>>()?;
        guard.sort_unstable();
        item.guards.push(guard);
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
        by_field(&mut item.writes);
        items.push(item);
    }
    let moves = items.len();
    if planted != Some(Planted::EndsUnmapped) {
        items.extend(ends(ground, layout, &set, &mut condition)?);
    }
    if planted == Some(Planted::ConditionsUnmapped) {
        items.iter_mut().for_each(|item| item.acts.clear());
        conditions.clear();
    }
    let mut coloured = Coloured::new(items, &conditions);
    if coloured.size() > SIZE {
        return None;
    }
    let values: Vec<u64> = (0..fields.len()).map(|f| set(f, u64::MAX)).collect();
    if of == Of::Whole {
        coloured.items = united(&coloured.items, &values);
        if planted == Some(Planted::GuardsUnmapped) {
            let all = coloured.items.iter_mut();
            all.for_each(|item| item.guards.clear());
        }
    }
    let mut by_item: FxHashMap<&Item, Vec<u32>> = FxHashMap::default();
    for (i, item) in (0u32..).zip(&coloured.items) {
        by_item.entry(item).or_default().push(i);
    }
    let mut search = Search {
        values,
        coloured: &coloured,
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
    let still = Exchange {
        values: (0u8..).take(all.len()).collect(),
        players: false,
    };
    let still = bits(
        of,
        words,
        layout,
        &numbers,
        &still,
        &identity.fields,
        identity,
    )?;
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
            let from = coloured.exchanged(&exchange);
            let values: Vec<u64> = search.values.iter().map(|s| exchange.set(*s)).collect();
            for map in search.maps(&from, &values) {
                let Some(mut instances) = search.images(&exchange, &map) else {
                    continue;
                };
                match of {
                    Of::Parts => instances.truncate(moves),
                    Of::Whole => instances.clear(),
                }
                let Some(bits) = bits(of, words, layout, &numbers, &exchange, &map, identity)
                else {
                    continue;
                };
                // A symmetry with the same images as an earlier one adds nothing, even if it exchanges the players.
                let new = bits != still && found.iter().all(|s: &Symmetry| s.bits != bits);
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
            let mut guard: Cube = guard.collect::<Option<_>>()?;
            guard.sort_unstable();
            let joined = way.joined.iter().map(|p| pair(*p));
            let mut item = Item {
                players: 1 << (last & 63),
                kind: Kind::End(run, way.end),
                joined: joined.collect::<Option<_>>()?,
                guards: vec![guard],
                writes: Vec::new(),
                acts: Vec::new(),
            };
            if let Some(c) = &way.asked {
                item.acts.push(Act::Test(condition(c)?));
            }
            item.joined.sort_unstable();
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
                guards: vec![Cube::new()],
                writes: Vec::new(),
                acts: Vec::new(),
            });
        }
    }
    Some(items)
}

/// The image of each bit, as [`Symmetry::bits`].
fn bits(
    of: Of,
    words: usize,
    layout: &Layout,
    numbers: &[Vec<u8>],
    exchange: &Exchange,
    map: &[u16],
    identity: &Symmetry,
) -> Option<Vec<u64>> {
    let mut out = identity.bits.clone();
    for (f, g) in map.iter().enumerate() {
        let g = usize::from(*g);
        let (from, to) = (&layout.fields[f], &layout.fields[g]);
        if numbers[f].len() != numbers[g].len() {
            return None;
        }
        let value = |n: &u8| numbers[g].iter().position(|m| *m == exchange.value(*n));
        let images = numbers[f].iter().map(|n| Some(to.patterns[value(n)?]));
        let images: Vec<u64> = images.collect::<Option<_>>()?;
        let all = || from.patterns.iter().zip(&images);
        let mut used = 0u64;
        let mut own = Vec::new();
        for bit in 0..from.mask.count_ones() {
            own.push(match of {
                // A bit that is set in the image whenever this one is set here, and only then.
                Of::Parts => {
                    let other = (0..to.mask.count_ones()).find(|other| {
                        used >> other & 1 == 0 && all().all(|(a, b)| a >> bit & 1 == b >> other & 1)
                    })?;
                    used |= 1 << other;
                    1 << other
                }
                // All bits that are set in the image whenever this one is set here.
                Of::Whole => {
                    let set = all().filter(|(pattern, _)| *pattern >> bit & 1 == 1);
                    let both = set.map(|(_, image)| *image).reduce(|a, b| a & b);
                    both.unwrap_or(0)
                }
            });
        }
        for (pattern, image) in all() {
            let set = (0u32..).zip(&own).filter(|(k, _)| pattern >> k & 1 == 1);
            if set.fold(0, |union, (_, image)| union | image) != *image {
                return None;
            }
        }
        for (k, image) in (0u32..).zip(own) {
            let bit = from.word * 64 + (from.shift + k) as usize;
            let row = &mut out[bit * words..][..words];
            row.fill(0);
            row[to.word] = image << to.shift;
        }
    }
    Some(out)
}
