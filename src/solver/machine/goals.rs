//! Estimates how many moves a player needs to end play in his favour. A search takes the number as its first guess; no answer
//! depends on it.
//!
//! A way to win that asks for values of variables needs one move for each value that is missing. It is closed if one of them
//! can never occur again. A way that asks whether sites are joined through a player's piece needs as many moves as the
//! cheapest path has sites that are missing but may still get the piece: in Hex, the stones missing in the shortest chain.

use super::ends::Site;
use super::pack::{Field, is_zero, meets};
use crate::ir::ground::Ground;
use smallvec::SmallVec;

/// The most ways to win that are considered for one player.
const MOST: usize = 512;
/// The upper limit of an estimate; also the estimate if every way is closed.
pub(super) const FAR: u32 = 99;

/// Sites in one word.
type Word = u64;

/// A way to win by values.
#[derive(Clone, Debug)]
struct Line<const N: usize> {
    wanted: [u64; N],
    /// Values from which a wanted value can no longer be reached.
    closed: [u64; N],
}

/// Ways to win by joining sites through one piece.
#[derive(Clone, Debug)]
struct Chain {
    from: Word,
    to: Word,
    /// For each site and value number: 0 if it is the piece, 1 if it may become the piece, 2 otherwise.
    cost: Vec<SmallVec<[u8; 4]>>,
}

/// The ways to win of one player.
#[derive(Clone, Debug, Default)]
struct Wanted<const N: usize> {
    lines: Vec<Line<N>>,
    chains: Vec<Chain>,
}

/// The ways to win of each player.
#[derive(Clone, Debug)]
pub(super) struct Goals<const N: usize> {
    wanted: Vec<Wanted<N>>,
    near: Vec<Word>,
    fields: Vec<Option<Field>>,
}

/// A way to win as the clauses give it: a guard, and pairs of a site and the set of which it must be joined to some site.
pub(super) type Said<const N: usize> = ([u64; N], SmallVec<[(u16, Word); 2]>);

impl<const N: usize> Goals<N> {
    /// The goals for the ways to win of each player; `None` if a player has none or too many.
    pub(super) fn new(
        ground: &Ground,
        fields: &[Field],
        sites: &[Site],
        said: Vec<Vec<Said<N>>>,
    ) -> Option<Goals<N>> {
        if said.iter().any(|own| own.is_empty() || own.len() > MOST) {
            return None;
        }
        let joins = said.iter().flatten().any(|(_, joined)| !joined.is_empty());
        if joins && sites.len() > Word::BITS as usize {
            return None;
        }
        let mut wanted = Vec::new();
        for own in said {
            let mut all = Wanted::default();
            for (guard, joined) in own {
                match &joined[..] {
                    [] => all.lines.push(line(fields, guard)),
                    [(site, to)] => chain(ground, sites, &guard, *site, *to, &mut all.chains)?,
                    _ => return None,
                }
            }
            wanted.push(all);
        }
        Some(Goals {
            wanted,
            near: sites
                .iter()
                .map(|s| s.near.iter().fold(0, |all, t| all | 1 << (t % 64)))
                .collect(),
            fields: sites.iter().map(|s| s.field.clone()).collect(),
        })
    }

    /// An estimate of the moves a player needs; `None` for an unknown player.
    pub(super) fn need(&self, state: &[u64; N], player: usize) -> Option<u32> {
        let wanted = self.wanted.get(player)?;
        let missing = |line: &Line<N>| -> u32 {
            (0..N)
                .map(|i| (line.wanted[i] & !state[i]).count_ones())
                .sum()
        };
        let open = wanted.lines.iter().filter(|l| !meets(&l.closed, state));
        let lines = open.map(missing).min().unwrap_or(FAR);
        let chains = wanted.chains.iter().map(|c| self.length(c, state)).min();
        Some(lines.min(chains.unwrap_or(FAR)))
    }

    /// The number of sites that the cheapest path of a chain still needs.
    fn length(&self, chain: &Chain, state: &[u64; N]) -> u32 {
        let (mut own, mut free): (Word, Word) = (0, 0);
        for (site, (field, cost)) in self.fields.iter().zip(&chain.cost).enumerate() {
            let value = field.as_ref().and_then(|f| f.decode(state[f.word]));
            match cost.get(value.unwrap_or(0)) {
                Some(0) => own |= 1 << site,
                Some(1) => free |= 1 << site,
                _ => {}
            }
        }
        let beside = |set: Word| -> Word {
            let (mut rest, mut all) = (set, 0);
            while rest != 0 {
                all |= self.near[rest.trailing_zeros() as usize];
                rest &= rest - 1;
            }
            all
        };
        let mut reached = chain.from & own;
        let mut new = reached;
        let mut steps = 0;
        loop {
            while new != 0 {
                new = beside(new) & own & !reached;
                reached |= new;
            }
            if reached & chain.to != 0 {
                return steps;
            }
            new = (beside(reached) | chain.from) & free & !reached;
            if new == 0 {
                return FAR;
            }
            reached |= new;
            steps += 1;
        }
    }
}

fn line<const N: usize>(fields: &[Field], wanted: [u64; N]) -> Line<N> {
    let mut closed = [0u64; N];
    for f in fields {
        let asked = (wanted[f.word] & f.mask) >> f.shift;
        if asked == 0 {
            continue;
        }
        let meets = |i: usize| f.patterns[i] & asked == asked;
        let (mut lost, mut live) = (0u64, 0u64);
        for (i, pattern) in f.patterns.iter().enumerate() {
            let may = (0..f.patterns.len()).any(|j| f.reach[i] >> j & 1 == 1 && meets(j));
            match may {
                true => live |= pattern,
                false => lost |= pattern,
            }
        }
        closed[f.word] |= (lost & !live) << f.shift;
    }
    Line { wanted, closed }
}

/// Adds a chain, merged with one of the same end and piece if there is one; `None` if the piece cannot be told from the
/// guard.
fn chain<const N: usize>(
    ground: &Ground,
    sites: &[Site],
    guard: &[u64; N],
    site: u16,
    to: Word,
    chains: &mut Vec<Chain>,
) -> Option<()> {
    // The guard names the piece of one of the two ends.
    let ends = (0u16..)
        .take(sites.len())
        .filter(|s| *s == site || to >> s & 1 == 1);
    let piece = ends.into_iter().find_map(|s| {
        let f = sites[usize::from(s)].field.as_ref()?;
        let asked = (guard[f.word] & f.mask) >> f.shift;
        let mut met = (0..f.patterns.len()).filter(|i| f.patterns[*i] & asked == asked);
        match (asked, met.next(), met.next()) {
            (1.., Some(i), None) => ground.values[f.var as usize].get(i).cloned(),
            _ => None,
        }
    })?;
    let cost = (0u32..).zip(sites).map(|(at, s)| -> SmallVec<[u8; 4]> {
        let Some(f) = &s.field else {
            // Its value never changes.
            let held = ground
                .vars
                .site(at)
                .and_then(|v| ground.values[v as usize].first());
            return SmallVec::from_elem(if held == Some(&piece) { 0 } else { 2 }, 1);
        };
        let own = ground.values[f.var as usize]
            .iter()
            .position(|v| *v == piece);
        let of = |i: usize| match own {
            Some(own) if own == i => 0,
            Some(own) if f.reach[i] >> own & 1 == 1 => 1,
            _ => 2,
        };
        (0..f.patterns.len()).map(of).collect()
    });
    let cost: Vec<SmallVec<[u8; 4]>> = cost.collect();
    match chains.iter_mut().find(|c| c.to == to && c.cost == cost) {
        Some(known) => known.from |= 1 << site,
        None => chains.push(Chain {
            from: 1 << site,
            to,
            cost,
        }),
    }
    (!is_zero(guard)).then_some(())
}
