//! The numbering of the state variables of a ruleset on a board: one block for each kind of variable and for each state
//! function.

use super::board::Board;
use super::fault::{Code, Fault, Res};
use super::instance::{COMPASS, Instance, MAX_VARS};
use crate::model::typed::{SiteKind, Sort, StateId};

/// The domain of an argument of a state function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Domain {
    /// The declared pieces, in order.
    Pieces,
    /// The players, in the order of turns.
    Players,
    /// The sites, in board order.
    Sites,
    /// The edges, in board order.
    Edges,
    /// The eight directions of [`COMPASS`].
    Directions,
    /// `false` and `true`, in this order.
    Truth,
}

#[derive(Clone, Debug)]
struct Block {
    start: usize,
    domains: Vec<(Domain, usize)>,
}

/// The numbering of the state variables of one ruleset on one board.
#[derive(Clone, Debug)]
pub struct Layout {
    sites: usize,
    edges: usize,
    pieces: usize,
    players: usize,
    at: Option<usize>,
    edge_at: Option<usize>,
    present: Option<usize>,
    edge_present: Option<usize>,
    state: Vec<Block>,
    len: usize,
}

impl Layout {
    /// The numbering for an instance on a board.
    ///
    /// # Errors
    /// A state function with an argument of infinite range; more than [`MAX_VARS`] variables.
    pub fn new(instance: &Instance, board: &Board) -> Res<Layout> {
        let rules = &instance.rules;
        let (sites, edges) = (board.sites(), board.lines.len());
        let too_many = || {
            Fault::new(
                Code::TooMuch,
                rules.span,
                format!("more than {MAX_VARS} state variables on this board"),
            )
        };
        let mut len = 0usize;
        let mut block = |want: bool, size: usize| -> Option<usize> {
            want.then(|| {
                let start = len;
                len += size;
                start
            })
        };
        let graph = board.kind.has_edges();
        let poset = board.kind.is_order();
        let at = block(
            board.has_cells() || (rules.pieces_on_sites && (graph || poset)),
            sites,
        );
        let present = block(graph || poset, sites);
        let edge_at = block(graph && rules.pieces_on_edges, edges);
        let edge_present = block(graph, edges);
        let mut layout = Layout {
            sites,
            edges,
            pieces: instance.pieces.len(),
            players: instance.players.len(),
            at,
            edge_at,
            present,
            edge_present,
            state: Vec::new(),
            len,
        };
        for f in &rules.state {
            let mut domains = Vec::new();
            let mut size = 1usize;
            for sort in &f.arguments {
                let domain = match sort {
                    Sort::Piece => Domain::Pieces,
                    Sort::Player => Domain::Players,
                    Sort::Site(SiteKind::Edge) => Domain::Edges,
                    Sort::Site(_) | Sort::Label => Domain::Sites,
                    Sort::Direction => Domain::Directions,
                    Sort::Bool => Domain::Truth,
                    _ => {
                        return Err(Fault::new(
                            Code::Board,
                            rules.span,
                            format!("the arguments of {} have no finite range", f.name),
                        ));
                    }
                };
                let count = layout.size(domain);
                domains.push((domain, count));
                size = size.checked_mul(count).ok_or_else(too_many)?;
            }
            layout.state.push(Block {
                start: layout.len,
                domains,
            });
            layout.len = layout.len.checked_add(size).ok_or_else(too_many)?;
        }
        if layout.len > MAX_VARS {
            return Err(too_many());
        }
        Ok(layout)
    }

    fn size(&self, domain: Domain) -> usize {
        match domain {
            Domain::Pieces => self.pieces,
            Domain::Players => self.players,
            Domain::Sites => self.sites,
            Domain::Edges => self.edges,
            Domain::Directions => COMPASS.len(),
            Domain::Truth => 2,
        }
    }

    /// The number of variables.
    #[must_use]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are no variables.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The variable of the piece on a site, if there are pieces on sites.
    #[must_use]
    pub fn at(&self, site: u32) -> Option<usize> {
        self.at
            .filter(|_| (site as usize) < self.sites)
            .map(|s| s + site as usize)
    }

    /// The variable of the piece on an edge, if there are pieces on edges.
    #[must_use]
    pub fn edge_at(&self, edge: u32) -> Option<usize> {
        self.edge_at
            .filter(|_| (edge as usize) < self.edges)
            .map(|s| s + edge as usize)
    }

    /// The variable that says whether a vertex or element is present.
    #[must_use]
    pub fn present(&self, site: u32) -> Option<usize> {
        self.present
            .filter(|_| (site as usize) < self.sites)
            .map(|s| s + site as usize)
    }

    /// The variable that says whether an edge is present.
    #[must_use]
    pub fn edge_present(&self, edge: u32) -> Option<usize> {
        self.edge_present
            .filter(|_| (edge as usize) < self.edges)
            .map(|s| s + edge as usize)
    }

    /// The variables of a state function, in the order of its argument tuples (the last argument varies fastest).
    #[must_use]
    pub fn state_range(&self, f: StateId) -> std::ops::Range<usize> {
        let i = f.0 as usize;
        let start = self.state.get(i).map_or(self.len, |b| b.start);
        let end = self.state.get(i + 1).map_or(self.len, |b| b.start);
        start..end
    }

    /// The domains of a state function's arguments.
    pub fn domains(&self, f: StateId) -> impl Iterator<Item = Domain> + '_ {
        let block = self.state.get(f.0 as usize);
        block
            .into_iter()
            .flat_map(|b| b.domains.iter().map(|(d, _)| *d))
    }

    /// The variable of a state function at arguments given by their numbers in their domains.
    #[must_use]
    pub fn state(&self, f: StateId, arguments: &[u32]) -> Option<usize> {
        let block = self.state.get(f.0 as usize)?;
        if arguments.len() != block.domains.len() {
            return None;
        }
        let mut at = 0usize;
        for (a, (_, size)) in arguments.iter().zip(&block.domains) {
            if *a as usize >= *size {
                return None;
            }
            at = at * size + *a as usize;
        }
        Some(block.start + at)
    }

    /// The kind of a variable, and its arguments by number if it belongs to a state function.
    #[must_use]
    pub fn describe(&self, var: usize) -> Option<(VarKind, Vec<(Domain, u32)>)> {
        let within = |start: Option<usize>, size: usize| {
            let k = var.checked_sub(start?)?;
            (k < size).then_some(u32::try_from(k).unwrap_or(u32::MAX))
        };
        let fixed = [
            (self.at, self.sites, VarKind::At as fn(u32) -> VarKind),
            (self.present, self.sites, VarKind::Present),
            (self.edge_at, self.edges, VarKind::EdgeAt),
            (self.edge_present, self.edges, VarKind::EdgePresent),
        ];
        for (start, size, make) in fixed {
            if let Some(k) = within(start, size) {
                return Some((make(k), Vec::new()));
            }
        }
        let i = self.state.iter().rposition(|b| b.start <= var)?;
        if var >= self.state_range(StateId(u32::try_from(i).ok()?)).end {
            return None;
        }
        let block = &self.state[i];
        let mut k = var - block.start;
        let mut arguments = Vec::new();
        for (domain, size) in block.domains.iter().rev() {
            arguments.push((*domain, u32::try_from(k % size).unwrap_or(u32::MAX)));
            k /= size;
        }
        arguments.reverse();
        Some((VarKind::State(StateId(u32::try_from(i).ok()?)), arguments))
    }
}

/// The block of the layout that a variable belongs to, see [`Layout::describe`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum VarKind {
    /// `at` of a site.
    At(u32),
    /// `at` of an edge.
    EdgeAt(u32),
    /// Presence of a vertex or element.
    Present(u32),
    /// Presence of an edge.
    EdgePresent(u32),
    /// A state function.
    State(StateId),
}
