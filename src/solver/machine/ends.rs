//! Clauses that end play, as masks over the words of a position: a state and who has just moved come in, how play has ended goes out.
//!
//! Each way in which a clause holds is a mask ([`crate::ir::ground::GroundEnd`]); the first in the order of the text that is met tells. Where
//! some of them ask which sites are joined through equal pieces, the groups of the state are found once, by a flood fill over the board's
//! edges, when the first mask that asks is met.

use super::pack::{Field, Layout, holds};
use crate::game::{End, Player};
use crate::ir::ground::{Ground, GroundVar};
use crate::ir::val::Val;

/// One way in which play ends.
#[derive(Clone, Debug)]
struct Way<const N: usize> {
    guard: [u64; N],
    joined: Box<[(u16, u16)]>,
    end: End,
}

/// A site, with what is written of the piece on it.
#[derive(Clone, Debug)]
struct Site {
    /// Its field; none where it always holds the same.
    field: Option<Field>,
    /// For each pattern of the field, a number of the piece: the same on all sites. Of a site without a field, one number.
    pieces: Box<[u16]>,
    near: Box<[u16]>,
}

/// All ways in which play ends, by who has just moved.
#[derive(Clone, Debug)]
pub(super) struct Ends<const N: usize> {
    by_last: Vec<Vec<Way<N>>>,
    /// The sites, where groups are asked for.
    sites: Vec<Site>,
}

impl<const N: usize> Ends<N> {
    pub(super) fn new(ground: &Ground, layout: &Layout) -> Ends<N> {
        let way = |end: &crate::ir::ground::GroundEnd| {
            let mut guard = [0; N];
            for (var, set) in &end.guard {
                // Each variable of a guard has a field with a bit for that set.
                if let Some(f) = layout.of_var[*var as usize]
                    && let Some(bit) = layout.atoms[f].iter().position(|s| s == set)
                {
                    let field = &layout.fields[f];
                    guard[field.word] |= 1 << (field.shift + bit as u32);
                }
            }
            let narrow = |s: u32| u16::try_from(s).unwrap_or(u16::MAX);
            Way {
                guard,
                joined: end
                    .joined
                    .iter()
                    .map(|(a, b)| (narrow(*a), narrow(*b)))
                    .collect(),
                end: end.end,
            }
        };
        let by_last: Vec<Vec<Way<N>>> = ground
            .ends
            .iter()
            .map(|all| all.iter().map(way).collect())
            .collect();
        let asked = by_last
            .iter()
            .flatten()
            .any(|w: &Way<N>| !w.joined.is_empty());
        Ends {
            sites: if asked {
                sites(ground, layout)
            } else {
                Vec::new()
            },
            by_last,
        }
    }

    /// How play has ended at a state that a player has just moved to.
    pub(super) fn ended(&self, state: &[u64; N], last: Player) -> Option<End> {
        let ways = self.by_last.get(last.index())?;
        let mut groups: Option<Vec<u16>> = None;
        ways.iter()
            .find(|way| {
                holds(state, &way.guard)
                    && (way.joined.is_empty() || {
                        let of = groups.get_or_insert_with(|| self.groups(state));
                        way.joined
                            .iter()
                            .all(|(a, b)| of[usize::from(*a)] == of[usize::from(*b)])
                    })
            })
            .map(|way| way.end)
    }

    /// For each site, the number of its group.
    fn groups(&self, state: &[u64; N]) -> Vec<u16> {
        const NONE: u16 = u16::MAX;
        let pieces: Vec<u16> = self.sites.iter().map(|s| s.piece(state)).collect();
        let mut group = vec![NONE; self.sites.len()];
        let mut open: Vec<u16> = Vec::new();
        for start in 0..self.sites.len() {
            if group[start] != NONE {
                continue;
            }
            let number = start as u16;
            group[start] = number;
            open.push(number);
            while let Some(site) = open.pop() {
                for to in &self.sites[usize::from(site)].near {
                    let t = usize::from(*to);
                    if group[t] == NONE && pieces[t] == pieces[start] {
                        group[t] = number;
                        open.push(*to);
                    }
                }
            }
        }
        group
    }
}

impl Site {
    fn piece<const N: usize>(&self, state: &[u64; N]) -> u16 {
        let number = match &self.field {
            Some(field) => field.decode(state[field.word]).unwrap_or(0),
            None => 0,
        };
        self.pieces.get(number).copied().unwrap_or(u16::MAX)
    }
}

fn sites(ground: &Ground, layout: &Layout) -> Vec<Site> {
    let board = &ground.setting.board;
    let mut numbers: Vec<Val> = Vec::new();
    let mut number = |v: &Val| -> u16 {
        let at = numbers.iter().position(|n| n == v).unwrap_or_else(|| {
            numbers.push(v.clone());
            numbers.len() - 1
        });
        u16::try_from(at).unwrap_or(u16::MAX)
    };
    let count = u32::try_from(board.sites()).unwrap_or(u32::MAX);
    (0..count)
        .map(|site| {
            let var = ground.vars.site(site);
            let values = var.map_or(&[][..], |v| &ground.values[v as usize][..]);
            let field = var.and_then(|v| layout.of_var[v as usize]);
            let near: Vec<u32> = if board.has_cells() {
                [(-1, 0), (0, 1), (1, 0), (0, -1)]
                    .into_iter()
                    .filter_map(|(dr, dc)| board.step(site, dr, dc))
                    .collect()
            } else {
                board
                    .incident(site)
                    .map(|(_, t)| t)
                    .filter(|t| *t != site)
                    .collect()
            };
            let is_piece = var.is_some_and(|v| {
                matches!(ground.vars.list.get(v as usize), Some(GroundVar::Site(_)))
            });
            Site {
                field: field.map(|f| layout.fields[f].clone()),
                pieces: match is_piece {
                    true => values.iter().map(&mut number).collect(),
                    false => Box::default(),
                },
                near: near
                    .into_iter()
                    .map(|t| u16::try_from(t).unwrap_or(u16::MAX))
                    .collect(),
            }
        })
        .collect()
}
