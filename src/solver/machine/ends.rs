//! Clauses that end play, as masks over the words of a position: finds how play has ended at a state, given who has just
//! moved.
//!
//! Each way to satisfy a clause is a mask ([`crate::ir::ground::GroundEnd`]); the first satisfied way in the order of the
//! text decides. Some ways ask which sites are joined through equal pieces; their groups are found by a flood fill over the
//! edges of the board.
//!
//! **After a move.** A way *stands* if it is among the ways of every player who may have moved last. If play has not ended at
//! a position, none of its standing ways holds there, whoever moved last. So after an instance it suffices to check, of the
//! standing ways, those that the instance can have made true: it writes one of their variables with a value that meets the
//! guard, or, if they ask what is joined, it writes a site. If the instance writes only one site, everything newly joined is
//! joined through it.

use super::asked::{Asked, Eye, Maker, Node};
use super::goals::Goals;
use super::pack::{Field, Layout, Mask, holds, meets};
use crate::game::{End, Player};
use crate::ir::board::Board;
use crate::ir::ground::{Ground, GroundVar, is_gone};
use crate::ir::val::Val;
use smallvec::SmallVec;

/// The most entries of the lists by instance, over all players.
const MOST: usize = 4 << 20;

/// A set of sites.
type Sites = SmallVec<[u64; 2]>;

pub(super) fn has(set: &[u64], site: u16) -> bool {
    set.get(usize::from(site) / 64)
        .is_some_and(|w| w >> (site % 64) & 1 == 1)
}

/// A site that must be joined to some site of a set.
#[derive(Clone, PartialEq, Debug)]
struct Joined {
    site: u16,
    to: Sites,
}

/// Ways to end play that differ at most in one site of a pair.
#[derive(Clone, Debug)]
struct Way<const N: usize> {
    guard: [u64; N],
    joined: Box<[Joined]>,
    /// A further condition.
    asked: Option<Node<N>>,
    end: End,
    /// Whether the way stands: see the module.
    stands: bool,
}

/// A site, with the encoding of the piece on it.
#[derive(Clone, Debug)]
pub(super) struct Site {
    /// Its field; `None` if its value never changes.
    pub(super) field: Option<Field>,
    /// For each pattern of the field, the number of the piece; numbers agree between sites. One number for a site without a
    /// field.
    pieces: Box<[u16]>,
    pub(super) near: Box<[u16]>,
}

/// The ways that an instance can make true, for one player who makes the move.
#[derive(Clone, Default, Debug)]
struct After {
    /// The ways to check, each with whether it can only be newly true by a connection through the site that is written.
    ways: Box<[(u32, bool)]>,
    /// The site that the instance writes, if it writes only one.
    site: Option<u16>,
}

/// All ways to end play, by who has just moved.
#[derive(Clone, Debug)]
pub(super) struct Ends<const N: usize> {
    by_last: Vec<Vec<Way<N>>>,
    /// The ways in which each player can win.
    goals: Option<Goals<N>>,
    /// The sites, if some way asks for groups.
    sites: Vec<Site>,
    /// The sets of the further conditions.
    asked: Asked<N>,
    /// By player and instance; empty if the lists would be too long.
    after: Vec<Vec<After>>,
}

impl<const N: usize> Ends<N> {
    pub(super) fn new(ground: &Ground, layout: &Layout, masks: &[Mask<N>]) -> Ends<N> {
        let narrow = |s: u32| u16::try_from(s).unwrap_or(u16::MAX);
        let words = ground.setting.board.sites().div_ceil(64);
        let mut maker = Maker::new(ground, layout);
        let mut way = |end: &crate::ir::ground::GroundEnd, stands: bool| {
            let mut guard = [0; N];
            for (var, set) in &end.guard {
                // Each variable of a guard has a field.
                if let Some(f) = layout.of_var[*var as usize] {
                    let field = &layout.fields[f];
                    guard[field.word] |= layout.bits_of(f, *set) << field.shift;
                }
            }
            let joined = end.joined.iter().map(|(a, b)| {
                let mut to = Sites::from_elem(0, words);
                to[*b as usize / 64] |= 1 << (b % 64);
                Joined {
                    site: narrow(*a),
                    to,
                }
            });
            Way {
                guard,
                joined: joined.collect(),
                asked: end.asked.as_ref().map(|c| maker.node(c)),
                end: end.end,
                stands,
            }
        };
        let mut by_last: Vec<Vec<Way<N>>> = Vec::new();
        for own in &ground.ends {
            let mut ways: Vec<Way<N>> = Vec::new();
            for end in own {
                let same = |e: &crate::ir::ground::GroundEnd| {
                    e.guard == end.guard && e.joined == end.joined && e.asked == end.asked
                };
                let few = own.len() <= 1 << 11;
                let stands = few && ground.ends.iter().all(|others| others.iter().any(same));
                let one = way(end, stands);
                if !ways.last_mut().is_some_and(|last| last.merge(&one)) {
                    ways.push(one);
                }
            }
            by_last.push(ways);
        }
        let mut all = by_last.iter().flatten();
        let asked = all.any(|w: &Way<N>| !w.joined.is_empty());
        let mut ends = Ends {
            sites: if asked {
                sites(ground, layout)
            } else {
                Vec::new()
            },
            goals: None,
            by_last,
            asked: maker.done(),
            after: Vec::new(),
        };
        ends.goals = ends.all_goals(ground, layout);
        ends.after = ends.by_instance(masks).unwrap_or_default();
        ends
    }

    fn all_goals(&self, ground: &Ground, layout: &Layout) -> Option<Goals<N>> {
        if self.by_last.len() != 2 || self.sites.len() > 64 {
            return None;
        }
        let mut said = Vec::new();
        for (player, ways) in self.by_last.iter().enumerate() {
            let own = ways.iter().filter(|w| w.end == End::Won(1 << player));
            let own = own.filter(|w| w.asked.is_none());
            let own = own.map(|w| {
                let joined = w
                    .joined
                    .iter()
                    .map(|j| (j.site, j.to.first().copied().unwrap_or(0)));
                (w.guard, joined.collect())
            });
            said.push(own.collect());
        }
        Goals::new(ground, &layout.fields, &self.sites, said)
    }

    /// An estimate of the moves a player needs to end play in his favour.
    pub(super) fn need(&self, state: &[u64; N], player: Player) -> Option<u32> {
        self.goals.as_ref()?.need(state, player.index())
    }

    /// Whether no clause ends play.
    pub(super) fn is_empty(&self) -> bool {
        self.by_last.iter().all(Vec::is_empty)
    }

    fn by_instance(&self, masks: &[Mask<N>]) -> Option<Vec<Vec<After>>> {
        let mut total = 0usize;
        let mut all = Vec::new();
        for (player, ways) in self.by_last.iter().enumerate() {
            let mut own = Vec::with_capacity(masks.len());
            for mask in masks {
                if mask.players >> player & 1 == 0 {
                    own.push(After::default());
                    continue;
                }
                let fixed = mask.looks.is_empty()
                    && mask.acts.is_empty()
                    && mask.copied.is_empty()
                    && mask.mapped.is_empty()
                    && !mask.keep;
                let met = |way: &Way<N>| {
                    let missed = |i: usize| way.guard[i] & mask.written[i] & !mask.set[i] != 0;
                    !(fixed && (0..N).any(missed))
                        && (way.asked.is_some()
                            || mask.keep
                            || !way.joined.is_empty()
                            || meets(&way.guard, &mask.written))
                };
                let mut written = (0u16..).zip(&self.sites).filter(|(_, s)| {
                    let at = |f: &Field| mask.written[f.word] & f.mask != 0;
                    s.field.as_ref().is_some_and(at)
                });
                let site = match (written.next(), written.next()) {
                    (Some((site, _)), None) if !mask.keep && mask.acts.is_empty() => Some(site),
                    _ => None,
                };
                let through = |w: &Way<N>| {
                    site.is_some()
                        && w.stands
                        && w.joined.len() == 1
                        && !meets(&w.guard, &mask.written)
                };
                let list: Box<[(u32, bool)]> = (0u32..)
                    .zip(ways)
                    .filter(|(_, w)| !w.stands || met(w))
                    .map(|(i, w)| (i, through(w)))
                    .collect();
                total += list.len();
                if total > MOST {
                    return None;
                }
                own.push(After { ways: list, site });
            }
            all.push(own);
        }
        Some(all)
    }

    /// How play has ended at a state to which `last` has just moved.
    pub(super) fn ended(&self, state: &[u64; N], last: Player) -> Option<End> {
        let ways = self.by_last.get(last.index())?;
        let mut groups = Groups::new(&self.sites);
        let mut eye = None;
        ways.iter()
            .find(|way| {
                holds(state, &way.guard)
                    && groups.hold(state, &way.joined)
                    && self.also(&mut eye, state, way)
            })
            .map(|way| way.end)
    }

    /// The same after an instance was played at a position where play had not ended.
    pub(super) fn ended_after(
        &self,
        state: &[u64; N],
        last: Player,
        instance: usize,
    ) -> Option<End> {
        let Some(after) = self.after.get(last.index()).and_then(|a| a.get(instance)) else {
            return self.ended(state, last);
        };
        let ways = self.by_last.get(last.index())?;
        let mut groups = Groups::new(&self.sites);
        let mut through = None;
        let mut eye = None;
        after
            .ways
            .iter()
            .map(|(i, joins)| (&ways[*i as usize], *joins))
            .find(|(way, joins)| {
                if !holds(state, &way.guard) {
                    return false;
                }
                if let (true, [one], Some(site)) = (*joins, &way.joined[..], after.site) {
                    let group = *through.get_or_insert_with(|| groups.of(state, site));
                    if !has(&groups.found[group], one.site) {
                        return false;
                    }
                }
                groups.hold(state, &way.joined) && self.also(&mut eye, state, way)
            })
            .map(|(way, _)| way.end)
    }

    /// Whether the further condition of a way holds.
    fn also<'a>(&'a self, eye: &mut Option<Eye<'a, N>>, state: &'a [u64; N], way: &Way<N>) -> bool {
        way.asked.as_ref().is_none_or(|node| {
            eye.get_or_insert_with(|| Eye::new(&self.asked, state))
                .holds(node)
        })
    }
}

impl<const N: usize> Way<N> {
    /// Adds a way that differs in one end of its only pair. Returns false if they differ in more.
    fn merge(&mut self, other: &Way<N>) -> bool {
        let ([one], [more]) = (&mut self.joined[..], &other.joined[..]) else {
            return false;
        };
        let asks = self.asked.is_some() || other.asked.is_some();
        if asks || self.guard != other.guard || self.end != other.end || self.stands != other.stands
        {
            return false;
        }
        let alone = |j: &Joined| {
            let mut members =
                (0..u16::try_from(64 * j.to.len()).unwrap_or(u16::MAX)).filter(|s| has(&j.to, *s));
            match (members.next(), members.next()) {
                (Some(s), None) => Some(s),
                _ => None,
            }
        };
        if one.site != more.site {
            // The pair has no order: either site may come first.
            let (first, second) = (alone(one), alone(more));
            let turn = |j: &mut Joined, to: u16| {
                let site = std::mem::replace(&mut j.site, to);
                j.to.iter_mut().for_each(|w| *w = 0);
                j.to[usize::from(site) / 64] |= 1 << (site % 64);
            };
            let mut more = more.clone();
            match (first, second) {
                (_, Some(b)) if b == one.site => turn(&mut more, b),
                (Some(a), _) if a == more.site => turn(one, a),
                (Some(a), Some(b)) if a == b => {
                    turn(one, a);
                    turn(&mut more, b);
                }
                _ => return false,
            }
            one.to.iter_mut().zip(&more.to).for_each(|(a, b)| *a |= b);
            return true;
        }
        one.to.iter_mut().zip(&more.to).for_each(|(a, b)| *a |= b);
        true
    }
}

/// The groups of a state that were found so far.
pub(super) struct Groups<'s> {
    sites: &'s [Site],
    pub(super) found: SmallVec<[Sites; 4]>,
}

impl<'s> Groups<'s> {
    pub(super) fn new(sites: &'s [Site]) -> Groups<'s> {
        Groups {
            sites,
            found: SmallVec::new(),
        }
    }

    /// The index in `found` of the group of a site.
    pub(super) fn of<const N: usize>(&mut self, state: &[u64; N], site: u16) -> usize {
        if let Some(known) = self.found.iter().position(|g| has(g, site)) {
            return known;
        }
        let mut group = Sites::from_elem(0, self.sites.len().div_ceil(64));
        let piece = self.sites[usize::from(site)].piece(state);
        let mut open: SmallVec<[u16; 32]> = SmallVec::new();
        group[usize::from(site) / 64] |= 1 << (site % 64);
        open.push(site);
        while let Some(at) = open.pop() {
            for to in &self.sites[usize::from(at)].near {
                if !has(&group, *to) && self.sites[usize::from(*to)].piece(state) == piece {
                    group[usize::from(*to) / 64] |= 1 << (to % 64);
                    open.push(*to);
                }
            }
        }
        self.found.push(group);
        self.found.len() - 1
    }

    fn hold<const N: usize>(&mut self, state: &[u64; N], joined: &[Joined]) -> bool {
        joined.iter().all(|j| {
            let group = self.of(state, j.site);
            let group = &self.found[group];
            group.iter().zip(&j.to).any(|(a, b)| a & b != 0)
        })
    }
}

impl Site {
    /// Whether the site was not removed.
    pub(super) fn is_there<const N: usize>(&self, state: &[u64; N]) -> bool {
        self.piece(state) != GONE
    }

    #[inline]
    fn piece<const N: usize>(&self, state: &[u64; N]) -> u16 {
        let number = match &self.field {
            Some(field) => field.decode(state[field.word]).unwrap_or(0),
            None => 0,
        };
        self.pieces.get(number).copied().unwrap_or(u16::MAX)
    }
}

/// The neighbours of a site: along edges, or on cells in the four directions.
pub(super) fn near(board: &Board, site: u32) -> Vec<u32> {
    if board.has_cells() {
        return [(-1, 0), (0, 1), (1, 0), (0, -1)]
            .into_iter()
            .filter_map(|(dr, dc)| board.step(site, dr, dc))
            .collect();
    }
    board
        .incident(site)
        .map(|(_, t)| t)
        .filter(|t| *t != site)
        .collect()
}

/// The piece number of a removed site.
const GONE: u16 = u16::MAX - 1;

pub(super) fn sites(ground: &Ground, layout: &Layout) -> Vec<Site> {
    let board = &ground.setting.board;
    let mut numbers: Vec<Val> = Vec::new();
    let cells = board.has_cells();
    let mut number = |v: &Val| -> u16 {
        if is_gone(v, cells) {
            return GONE;
        }
        let at = numbers.iter().position(|n| n == v).unwrap_or_else(|| {
            numbers.push(v.clone());
            numbers.len() - 1
        });
        u16::try_from(at).unwrap_or(GONE).min(GONE - 1)
    };
    let count = u32::try_from(board.sites()).unwrap_or(u32::MAX);
    (0..count)
        .map(|site| {
            let var = ground.vars.site(site);
            let values = var.map_or(&[][..], |v| &ground.values[v as usize][..]);
            let field = var.and_then(|v| layout.of_var[v as usize]);
            let is_piece = var.is_some_and(|v| {
                matches!(ground.vars.list.get(v as usize), Some(GroundVar::Site(_)))
            });
            Site {
                field: field.map(|f| layout.fields[f].clone()),
                pieces: match is_piece {
                    true => values.iter().map(&mut number).collect(),
                    false => Box::default(),
                },
                near: near(board, site)
                    .into_iter()
                    .map(|t| u16::try_from(t).unwrap_or(u16::MAX))
                    .collect(),
            }
        })
        .collect()
}
