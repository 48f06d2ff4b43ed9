//! Fills a board. Input: a ruleset on a board; output: its positions, one of each orbit under the board's symmetries. A
//! filling puts a piece or none on each site, a piece on each edge that takes one, counts with a given sum, and a site or an
//! edge for each token. As after a move that removes a cell, state is 0, false or empty on walls.

use super::symmetry::Permutation;
use crate::ir::board::Place;
use crate::ir::layout::{Domain, VarKind};
use crate::ir::{Int, Piece, Position, Setting, State, Val};
use crate::model::typed::{Lines, SiteKind, Sort, StateId};
use std::sync::Arc;

/// What a variable may hold.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Slot {
    /// A constant.
    Fixed(Val),
    /// One of these.
    Any(Vec<Val>),
    /// The number of a site.
    Site(u32),
    /// The number of an edge.
    Edge(u32),
    /// A count.
    Count,
}

/// A symmetry of the board.
struct Image {
    /// The source variable of each variable's image.
    from: Vec<u32>,
    /// The images of sites and edges.
    sites: Permutation,
    edges: Permutation,
}

/// The ways to fill one board.
pub(super) struct Fillings {
    setting: Arc<Setting>,
    slots: Vec<Slot>,
    /// For state on a cell that may be a wall: the variable of the cell, and the choice that makes it a wall. Empty if no
    /// cell with state may be a wall.
    cells: Vec<Option<(usize, u32)>>,
    /// The symmetries except the identity.
    images: Vec<Image>,
    /// The variables that are counts, and those with other choices.
    counts: Vec<usize>,
    free: Vec<usize>,
}

impl Fillings {
    /// The ways to fill a board.
    ///
    /// # Errors
    /// A state variable whose sort cannot be enumerated, in words.
    pub(super) fn new(
        setting: Arc<Setting>,
        symmetries: &[Permutation],
        walls: bool,
        sites_matter: bool,
    ) -> Result<Fillings, String> {
        let instance = &setting.instance;
        let board = &setting.board;
        let declared = |on_edges: bool| {
            (0u16..)
                .zip(&instance.pieces)
                .filter(move |(_, p)| p.on_edges == on_edges)
                .map(|(k, _)| Val::Piece(Piece::Declared(k)))
        };
        let cells = board.kind.has_cells();
        let wall_at: Vec<u32> = board
            .marks
            .iter()
            .filter(|m| &*m.glyph == "#")
            .filter_map(|m| match m.place {
                Place::Site(s) => Some(s),
                Place::Edge(_) => None,
            })
            .collect();
        let mut slots: Vec<Slot> = Vec::with_capacity(setting.layout.len());
        let mut on_cells = vec![None; setting.layout.len()];
        for (var, on_cell) in on_cells.iter_mut().enumerate() {
            let Some((kind, _)) = setting.layout.describe(var) else {
                return Err("a variable without a meaning".into());
            };
            slots.push(match kind {
                VarKind::At(s) if wall_at.contains(&s) => Slot::Fixed(Val::Piece(Piece::Wall)),
                // Pieces that are only counted occupy no site.
                VarKind::At(_) if !cells && !sites_matter => Slot::Fixed(Val::Piece(Piece::Empty)),
                VarKind::At(_) => {
                    let mut all = vec![Val::Piece(Piece::Empty)];
                    all.extend(declared(false));
                    if cells && walls {
                        all.push(Val::Piece(Piece::Wall));
                    }
                    Slot::Any(all)
                }
                VarKind::EdgeAt(e) if e as usize >= setting.board.given() => {
                    Slot::Fixed(Val::Piece(Piece::Off))
                }
                VarKind::EdgeAt(_) => Slot::Any(declared(true).collect()),
                VarKind::Present(_) => Slot::Fixed(Val::Bool(true)),
                VarKind::EdgePresent(e) => {
                    Slot::Fixed(Val::Bool((e as usize) < setting.board.given()))
                }
                VarKind::State(f) => {
                    let decl = &instance.rules.state[f.0 as usize];
                    let places = setting.places(var);
                    let gone = |place: &Place| match *place {
                        Place::Site(s) => !decl.fixed && wall_at.contains(&s),
                        Place::Edge(e) => e as usize >= board.given(),
                    };
                    let default = setting.default(var);
                    if let ([Place::Site(s)], false, Some(_)) = (&places[..], decl.fixed, &default)
                        && let Some(at) = setting.layout.at(*s)
                        && let Some(Slot::Any(all)) = slots.get(at)
                        && all.last() == Some(&Val::Piece(Piece::Wall))
                    {
                        let wall = u32::try_from(all.len() - 1).unwrap_or(u32::MAX);
                        *on_cell = Some((at, wall));
                    }
                    match (&decl.sort, default) {
                        (_, Some(default)) if places.iter().any(gone) => Slot::Fixed(default),
                        (sort, _) => match sort {
                            Sort::Int => Slot::Count,
                            Sort::Bool => Slot::Any(vec![Val::Bool(false), Val::Bool(true)]),
                            Sort::Piece => {
                                let mut all = vec![Val::Piece(Piece::Empty)];
                                all.extend(declared(false));
                                Slot::Any(all)
                            }
                            Sort::Site(SiteKind::Edge) => {
                                Slot::Edge(u32::try_from(board.given()).unwrap_or(u32::MAX))
                            }
                            Sort::Site(_) => {
                                Slot::Site(u32::try_from(board.sites()).unwrap_or(u32::MAX))
                            }
                            _ => {
                                return Err(format!(
                                    "the state {} is of a sort that a search does not run through",
                                    decl.name
                                ));
                            }
                        },
                    }
                }
            });
        }
        let of = |test: fn(&Slot) -> bool| -> Vec<usize> {
            (0..slots.len()).filter(|v| test(&slots[*v])).collect()
        };
        let counts = of(|s| *s == Slot::Count);
        let free = of(|s| matches!(s, Slot::Any(_) | Slot::Site(_) | Slot::Edge(_)));
        let images = symmetries.iter().skip(1).filter_map(|sites| {
            let image = moved(&setting, sites)?;
            let mut pairs = slots.iter().zip(&image.from);
            pairs
                .all(|(slot, from)| *slot == slots[*from as usize])
                .then_some(image)
        });
        let images = images.collect();
        if on_cells.iter().all(Option::is_none) {
            on_cells.clear();
        }
        Ok(Fillings {
            setting,
            slots,
            cells: on_cells,
            images,
            counts,
            free,
        })
    }

    fn cell_of(&self, var: usize) -> Option<(usize, u32)> {
        self.cells.get(var).copied().flatten()
    }

    /// Whether the board has counts.
    pub(super) fn has_counts(&self) -> bool {
        !self.counts.is_empty()
    }

    /// The number of fillings up to symmetry whose counts have a sum of at most `bound`. `None` if it overflows.
    pub(super) fn number(&self, bound: u32) -> Option<u128> {
        let all = self.by_sum(bound)?;
        all.iter().try_fold(0u128, |all, n| all.checked_add(*n))
    }

    /// The number of fillings up to symmetry with sum 0, 1, .., `bound`. By Burnside's lemma, the number of orbits is the
    /// mean over all symmetries of the number of fillings that they fix; symmetries preserve the sum.
    pub(super) fn by_sum(&self, bound: u32) -> Option<Vec<u128>> {
        let still = |n: usize| (0u32..).take(n).collect();
        let board = &self.setting.board;
        let identity = Image {
            from: still(self.slots.len()),
            sites: still(board.sites()),
            edges: still(board.lines.len()),
        };
        let mut all = vec![0u128; bound as usize + 1];
        for image in std::iter::once(&identity).chain(&self.images) {
            for (all, n) in all.iter_mut().zip(self.fixed(image, bound)?) {
                *all = all.checked_add(n)?;
            }
        }
        let symmetries = self.images.len() as u128 + 1;
        Some(all.into_iter().map(|n| n / symmetries).collect())
    }

    /// The number of fillings of each sum that a symmetry fixes; without counts, only the sum 0 occurs.
    fn fixed(&self, image: &Image, bound: u32) -> Option<Vec<u128>> {
        let mut seen = vec![false; self.slots.len()];
        let most = if self.counts.is_empty() {
            0
        } else {
            bound as usize
        };
        let mut ways = vec![0u128; most + 1];
        ways[0] = 1;
        for first in 0..self.slots.len() {
            // State on cells is filled with them.
            if self.cell_of(first).is_none() {
                self.fill(first, image, &mut seen, &mut ways)?;
            }
        }
        Some(ways)
    }

    /// Multiplies the number of ways for each sum by those to fill one cycle of a symmetry, and the state on its cells.
    fn fill(
        &self,
        first: usize,
        image: &Image,
        seen: &mut [bool],
        ways: &mut [u128],
    ) -> Option<()> {
        let mut length = 0;
        let mut at = first;
        while !std::mem::replace(&mut seen[at], true) {
            length += 1;
            at = image.from[at] as usize;
        }
        if length == 0 {
            return Some(());
        }
        // The variables of a cycle share one value; if they hold sites, each holds the image of its predecessor's.
        let kept = |n: u32, map: &[u32]| {
            let image = |s: u32| (0..length).fold(s, |s, _| map[s as usize]);
            (0..n).filter(|s| image(*s) == *s).count() as u128
        };
        let mut choices = match &self.slots[first] {
            Slot::Fixed(_) => 1,
            Slot::Any(all) => all.len() as u128,
            Slot::Site(n) => kept(*n, &image.sites),
            Slot::Edge(n) => kept(*n, &image.edges),
            Slot::Count => {
                for sum in length..ways.len() {
                    ways[sum] = ways[sum].checked_add(ways[sum - length])?;
                }
                1
            }
        };
        let of_cycle = |cell: usize| {
            let turned = |k| (0..k).fold(first, |at, _| image.from[at] as usize);
            (0..length).any(|k| turned(k) == cell)
        };
        let on_cycle = |v: &usize| self.cell_of(*v).is_some_and(|(cell, _)| of_cycle(cell));
        let state: Vec<usize> = (0..self.cells.len()).filter(on_cycle).collect();
        let mut walls = Vec::new();
        if !state.is_empty() {
            // One of the choices is a wall, with nothing on it.
            choices -= 1;
            walls = ways.to_vec();
            for v in state {
                self.fill(v, image, seen, ways)?;
            }
        }
        for (sum, n) in ways.iter_mut().enumerate() {
            let wall = walls.get(sum).copied().unwrap_or(0);
            *n = n.checked_mul(choices)?.checked_add(wall)?;
        }
        Some(())
    }

    /// Calls `each` with one filling of each orbit whose counts have the given sum, until it returns false. Returns whether
    /// it never did.
    pub(super) fn each(&self, sum: u32, each: &mut dyn FnMut(Position) -> bool) -> bool {
        if self.counts.is_empty() && sum > 0 {
            return true;
        }
        let mut filling = vec![0u32; self.slots.len()];
        let choices = |v: usize| match &self.slots[v] {
            Slot::Any(all) => u32::try_from(all.len()).unwrap_or(u32::MAX),
            Slot::Site(n) | Slot::Edge(n) => *n,
            Slot::Fixed(_) | Slot::Count => 1,
        };
        if self.free.iter().any(|v| choices(*v) == 0) {
            return true;
        }
        if let Some(last) = self.counts.last() {
            filling[*last] = sum;
        }
        loop {
            loop {
                if self.has_bare_walls(&filling)
                    && self.is_first(&filling)
                    && !each(self.position(&filling))
                {
                    return false;
                }
                // The next filling of the variables that are not counts; the last varies fastest.
                let Some(v) = self.free.iter().rev().find(|v| {
                    let full = filling[**v] + 1 == choices(**v);
                    if full {
                        filling[**v] = 0;
                    }
                    !full
                }) else {
                    break;
                };
                filling[*v] += 1;
            }
            // The next counts with the same sum.
            let Some(j) = (0..self.counts.len())
                .rev()
                .find(|j| filling[self.counts[*j]] > 0)
            else {
                return true;
            };
            if j == 0 {
                return true;
            }
            let held = std::mem::take(&mut filling[self.counts[j]]);
            filling[self.counts[j - 1]] += 1;
            if let Some(last) = self.counts.last() {
                filling[*last] = held - 1;
            }
        }
    }

    /// Whether the state on walls is 0, false or empty, which is the first choice.
    fn has_bare_walls(&self, filling: &[u32]) -> bool {
        let mut all = self.cells.iter().zip(filling);
        all.all(|(cell, k)| cell.is_none_or(|(cell, wall)| *k == 0 || filling[cell] != wall))
    }

    /// Whether a filling is lexicographically least among its images.
    fn is_first(&self, filling: &[u32]) -> bool {
        self.images.iter().all(|image| {
            for (v, own) in filling.iter().enumerate() {
                let taken = filling[image.from[v] as usize];
                let image = match self.slots[v] {
                    Slot::Site(_) => image.sites[taken as usize],
                    Slot::Edge(_) => image.edges[taken as usize],
                    _ => taken,
                };
                if image != *own {
                    return image > *own;
                }
            }
            true
        })
    }

    fn position(&self, filling: &[u32]) -> Position {
        let vars = self.slots.iter().zip(filling).map(|(slot, k)| match slot {
            Slot::Fixed(v) => v.clone(),
            Slot::Any(all) => all[*k as usize].clone(),
            Slot::Site(_) => self.setting.board.label(*k),
            // Only given edges are chosen.
            Slot::Edge(_) => self.setting.board.edge(*k).unwrap_or(Val::Bool(false)),
            Slot::Count => Val::Int(Int::from(*k)),
        });
        let mut state = State {
            heaps: self.setting.board.heaps.clone(),
            vars: vars.collect(),
            entailed: self.setting.board.entailed_at_start(),
        };
        state.settle();
        Position::single(self.setting.clone(), state)
    }
}

/// A permutation of the sites as a symmetry. `None` if a variable has no image.
fn moved(setting: &Setting, site: &[u32]) -> Option<Image> {
    let layout = &setting.layout;
    let board = &setting.board;
    // Parallel edges keep their order.
    let lines = &board.lines;
    let directed = board.kind.lines() != Lines::Edges;
    let ends = |u: u32, v: u32| if directed || u <= v { (u, v) } else { (v, u) };
    let mut at: std::collections::BTreeMap<(u32, u32), Vec<u32>> = Default::default();
    for (e, (u, v)) in (0u32..).zip(lines) {
        at.entry(ends(*u, *v)).or_default().push(e);
    }
    let mut taken: std::collections::BTreeMap<(u32, u32), usize> = Default::default();
    let mut edge = Vec::with_capacity(lines.len());
    for (u, v) in lines {
        let to = ends(*site.get(*u as usize)?, *site.get(*v as usize)?);
        let k = taken.entry(to).or_default();
        // A poset keeps only generating pairs. Their images need not be generating pairs; they hold no pieces, so this does
        // no harm.
        let image = at.get(&to).and_then(|all| all.get(*k)).copied();
        *k += 1;
        edge.push(image);
    }
    let mut from = vec![0u32; layout.len()];
    for v in 0..layout.len() {
        let (kind, arguments) = layout.describe(v)?;
        let to = match kind {
            VarKind::At(s) => layout.at(*site.get(s as usize)?)?,
            VarKind::Present(s) => layout.present(*site.get(s as usize)?)?,
            VarKind::EdgeAt(e) => layout.edge_at((*edge.get(e as usize)?)?)?,
            VarKind::EdgePresent(e) => match edge.get(e as usize).copied().flatten() {
                Some(e) => layout.edge_present(e)?,
                None => v,
            },
            VarKind::State(f) => {
                let image: Option<Vec<u32>> = arguments
                    .iter()
                    .map(|(d, k)| match d {
                        Domain::Sites => site.get(*k as usize).copied(),
                        Domain::Edges => edge.get(*k as usize).copied().flatten(),
                        Domain::Directions => None,
                        _ => Some(*k),
                    })
                    .collect();
                layout.state(StateId(f.0), &image?)?
            }
        };
        from[to] = u32::try_from(v).ok()?;
    }
    let edges = (0u32..).zip(edge).map(|(e, image)| image.unwrap_or(e));
    Some(Image {
        from,
        sites: site.to_vec(),
        edges: edges.collect(),
    })
}
