//! A board at a position: the static structure without what was removed, as the set functions (`nbrs`, `reach`, `ray`, ..)
//! see it. On a board without a position everything except walls is present.

use super::board::{Board, Place};
use super::instance::Setting;
use super::position::State;
use super::val::{Piece, Val};
use crate::model::typed::Lines;

/// A board, perhaps at a position.
pub struct View<'v> {
    /// The board.
    pub board: &'v Board,
    state: Option<(&'v Setting, &'v State)>,
    marked: Vec<Option<bool>>,
}

impl<'v> View<'v> {
    /// A board at a position.
    #[must_use]
    pub fn at_state(setting: &'v Setting, state: &'v State) -> View<'v> {
        View {
            board: &setting.board,
            state: Some((setting, state)),
            marked: Vec::new(),
        }
    }

    /// A board alone, with its pieces at the start.
    #[must_use]
    pub fn of_board(board: &'v Board) -> View<'v> {
        let mut marked = Vec::new();
        if board.has_cells() {
            // None: empty; Some(true): a wall; Some(false): a piece.
            marked.resize(board.sites(), None);
            for m in &board.marks {
                if let Place::Site(s) = m.place
                    && let Some(cell) = marked.get_mut(s as usize)
                {
                    *cell = Some(&*m.glyph == "#");
                }
            }
        }
        View {
            board,
            state: None,
            marked,
        }
    }

    /// Whether a site is present.
    #[must_use]
    pub fn has_site(&self, site: u32) -> bool {
        match self.state {
            Some((setting, state)) => state.has_site(setting, site),
            None => {
                (site as usize) < self.board.sites()
                    && self.marked.get(site as usize) != Some(&Some(true))
            }
        }
    }

    /// Whether an edge is present.
    #[must_use]
    pub fn has_edge(&self, edge: u32) -> bool {
        match self.state {
            Some((setting, state)) => state.has_edge(setting, edge),
            None => (edge as usize) < self.board.given(),
        }
    }

    /// Whether a cell is present and empty.
    fn is_empty(&self, site: u32) -> bool {
        match self.state {
            Some((setting, state)) => state.at(setting, Place::Site(site)) == Piece::Empty,
            None => self.marked.get(site as usize).is_none_or(Option::is_none),
        }
    }

    /// The present sites, in board order.
    pub fn sites(&self) -> impl Iterator<Item = u32> + '_ {
        (0u32..)
            .take(self.board.sites())
            .filter(|s| self.has_site(*s))
    }

    /// The present edges or arcs, in board order.
    pub fn edges(&self) -> impl Iterator<Item = u32> + '_ {
        let graph = self.board.kind.has_edges();
        let count = if graph { self.board.lines.len() } else { 0 };
        (0u32..).take(count).filter(|e| self.has_edge(*e))
    }

    /// The set of the sites' labels.
    #[must_use]
    pub fn labels(&self, sites: impl IntoIterator<Item = u32>) -> Val {
        Val::set(sites.into_iter().map(|s| self.board.label(s)).collect())
    }

    fn steps<'a>(
        &'a self,
        items: impl Iterator<Item = (u32, u32)> + 'a,
    ) -> impl Iterator<Item = u32> + 'a {
        items
            .filter(|(e, t)| self.has_edge(*e) && self.has_site(*t))
            .map(|(_, t)| t)
    }

    /// Out-neighbours; of a graph, neighbours.
    #[must_use]
    pub fn out(&self, site: u32) -> Vec<u32> {
        if self.board.kind.has_arcs() {
            self.steps(self.board.leaving(site).iter().copied())
                .collect()
        } else {
            self.nbrs(site)
        }
    }

    /// In-neighbours; of a graph, neighbours.
    #[must_use]
    pub fn entering(&self, site: u32) -> Vec<u32> {
        if self.board.kind.has_arcs() {
            self.steps(self.board.entering(site).iter().copied())
                .collect()
        } else {
            self.nbrs(site)
        }
    }

    /// Neighbours, ignoring the direction of arcs; of a cell, the orthogonal ones. Never the site itself.
    #[must_use]
    pub fn nbrs(&self, site: u32) -> Vec<u32> {
        if self.board.has_cells() {
            return [(-1, 0), (0, 1), (1, 0), (0, -1)]
                .into_iter()
                .filter_map(|(dr, dc)| self.board.step(site, dr, dc))
                .filter(|s| *s != site && self.has_site(*s))
                .collect();
        }
        self.steps(self.board.incident(site))
            .filter(|t| *t != site)
            .collect()
    }

    /// The sites reachable from a site, including itself: along arcs in digraphs, upwards in posets.
    #[must_use]
    pub fn reach(&self, site: u32) -> Vec<u32> {
        if !self.has_site(site) {
            return Vec::new();
        }
        match self.board.kind.lines() {
            Lines::Order => self.up(site),
            Lines::Arcs => self.board.closure(site, |s| self.out(s).into_iter()),
            _ => self.board.closure(site, |s| self.nbrs(s).into_iter()),
        }
    }

    /// The sites connected to a site, including itself, through sites with the same content. Ignores the direction of arcs;
    /// cells are adjacent orthogonally.
    #[must_use]
    pub fn group(&self, site: u32) -> Vec<u32> {
        let Some((setting, state)) = self.state else {
            return Vec::new();
        };
        if !self.has_site(site) {
            return Vec::new();
        }
        let at = |s: u32| state.at(setting, Place::Site(s));
        let own = at(site);
        self.board.closure(site, |s| {
            let near = self.nbrs(s).into_iter();
            near.filter(|t| at(*t) == own)
                .collect::<Vec<_>>()
                .into_iter()
        })
    }

    /// The sites reachable from a site, including itself, through sites of a set only; empty if the set does not contain
    /// the site.
    #[must_use]
    pub fn reach_within(&self, site: u32, within: &[u32]) -> Vec<u32> {
        if !self.has_site(site) || !within.contains(&site) {
            return Vec::new();
        }
        self.board.closure(site, |s| {
            let near = self.out(s).into_iter();
            near.filter(|t| within.contains(t))
                .collect::<Vec<_>>()
                .into_iter()
        })
    }

    /// The connected component of a site, ignoring the direction of arcs and relations.
    #[must_use]
    pub fn component(&self, site: u32) -> Vec<u32> {
        if !self.has_site(site) {
            return Vec::new();
        }
        let near = |s: u32| match self.board.kind.lines() {
            Lines::Order => [self.up(s), self.down(s)].concat(),
            _ => self.nbrs(s),
        };
        self.board.closure(site, |s| near(s).into_iter())
    }

    /// Elements at or above an element, in the induced order.
    #[must_use]
    pub fn up(&self, site: u32) -> Vec<u32> {
        if !self.has_site(site) {
            return Vec::new();
        }
        let mut up = self.board.above(site);
        up.retain(|s| self.has_site(*s));
        up
    }

    /// Elements at or below an element, in the induced order.
    #[must_use]
    pub fn down(&self, site: u32) -> Vec<u32> {
        if !self.has_site(site) {
            return Vec::new();
        }
        let mut down = self.board.below(site);
        down.retain(|s| self.has_site(*s));
        down
    }

    /// The cells in a direction from a cell up to the edge of the board or a wall (with `slide`, up to the last empty
    /// cell), without the cell itself.
    #[must_use]
    pub fn ray(&self, site: u32, dr: i32, dc: i32, slide: bool) -> Vec<u32> {
        let mut found = Vec::new();
        if (dr, dc) == (0, 0) {
            return found;
        }
        let mut at = site;
        while let Some(next) = self.board.step(at, dr, dc) {
            // On a ring the ray returns to its cell.
            if next == site || !self.has_site(next) || (slide && !self.is_empty(next)) {
                break;
            }
            found.push(next);
            at = next;
        }
        found
    }
}
