//! Boards: the static structure of a position (its sites and their labels, its lines) and the pieces at the start.
//!
//! A board is built by [`Builder`], by a constructor ([`constructors`]), from art ([`art`]), from an encoding ([`encoded`])
//! or by combining boards ([`combine`]); then it does not change. Sites are numbered from 0 in the order in which they were
//! written (in grids row by row). This order is called "board order".

pub mod art;
pub mod combine;
pub mod constructors;
pub mod encoded;
pub mod order;
#[cfg(test)]
mod tests;

use super::fault::{Code, Fault, Res};
use super::int::Int;
use super::val::{Edge, Val};
use crate::base::Span;
use crate::model::typed::{BoardKind, SiteKind};
use rustc_hash::FxHashMap;
use std::cmp::Ordering;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// The maximal number of sites of a board.
pub const MAX_SITES: usize = 1 << 22;
/// The maximal number of edges, arcs or relations of a board.
pub const MAX_LINES: usize = 1 << 24;

/// A heap: its components.
pub type Heap = Vec<Int>;

/// Where a piece lies.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Place {
    /// Site number.
    Site(u32),
    /// Edge number.
    Edge(u32),
}

/// A piece at the start, by name. The name is resolved when a ruleset takes the board.
#[derive(Clone, Debug)]
pub struct Mark {
    /// Where the piece lies.
    pub place: Place,
    /// The piece's name; `#` for a wall.
    pub glyph: Arc<str>,
    /// The number written with it, if any.
    pub count: Option<Int>,
    /// Where it was written.
    pub span: Span,
}

/// Adjacency in compressed rows: for each site, pairs of an edge number and the site at the other end.
#[derive(Clone, Debug, Default)]
struct Adjacency {
    start: Vec<u32>,
    entries: Vec<(u32, u32)>,
}

impl Adjacency {
    fn new(n: usize, items: impl Iterator<Item = (u32, u32, u32)> + Clone) -> Adjacency {
        let mut start = vec![0u32; n + 1];
        for (site, _, _) in items.clone() {
            start[site as usize + 1] += 1;
        }
        for i in 0..n {
            start[i + 1] += start[i];
        }
        let mut fill = start.clone();
        let mut entries = vec![(0, 0); start[n] as usize];
        for (site, edge, other) in items {
            let at = &mut fill[site as usize];
            entries[*at as usize] = (edge, other);
            *at += 1;
        }
        Adjacency { start, entries }
    }

    fn of(&self, site: u32) -> &[(u32, u32)] {
        let i = site as usize;
        match (self.start.get(i), self.start.get(i + 1)) {
            (Some(a), Some(b)) => &self.entries[*a as usize..*b as usize],
            _ => &[],
        }
    }
}

/// Which lines of a grid close to rings (cylinder, torus).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Wrap {
    /// The rows: the cell east of the last one is the first one.
    pub rows: bool,
    /// The columns: the cell south of the last one is the first one.
    pub columns: bool,
}

impl Wrap {
    /// Whether some line closes.
    #[must_use]
    pub fn any(self) -> bool {
        self.rows || self.columns
    }

    /// From the word after `wrap:`.
    #[must_use]
    pub fn of(word: &str) -> Option<Wrap> {
        let (rows, columns) = match word {
            "both" => (true, true),
            "rows" => (true, false),
            "columns" => (false, true),
            _ => return None,
        };
        Some(Wrap { rows, columns })
    }

    /// The word after `wrap:`; `None` if no line closes.
    #[must_use]
    pub fn word(self) -> Option<&'static str> {
        match (self.rows, self.columns) {
            (true, true) => Some("both"),
            (true, false) => Some("rows"),
            (false, true) => Some("columns"),
            (false, false) => None,
        }
    }
}

/// A board.
#[derive(Clone, Debug)]
pub struct Board {
    /// Its kind.
    pub kind: BoardKind,
    /// Rows and columns of a grid or strip, or of the grid that a graph was made from.
    pub shape: Option<(u32, u32)>,
    /// Which lines of a grid close to rings.
    pub wrap: Wrap,
    /// Labels by site number. Empty for grids and strips, whose labels are computed.
    labels: Vec<Val>,
    index: FxHashMap<Val, u32>,
    /// Edges (as written), arcs (from, to) or relations (below, above; acyclic) between sites.
    pub lines: Vec<(u32, u32)>,
    /// Heaps at the start, in the order written, without empty ones.
    pub heaps: Vec<Heap>,
    /// The numbers of the heaps in which the answer to the last move must be made; none if it may be made anywhere.
    pub entailed: Vec<usize>,
    /// The root, if there is one.
    pub root: Option<u32>,
    /// Pieces at the start.
    pub marks: Vec<Mark>,
    /// Messages to show with the board, for example about merged elements.
    pub notes: Vec<String>,
    /// So many lines at the end are not there at the start: moves may add them.
    pub spare: usize,
    from: Adjacency,
    to: Adjacency,
}

impl Board {
    /// The entailed heaps of the position before the first move.
    #[must_use]
    pub fn entailed_at_start(&self) -> Option<Vec<usize>> {
        (!self.entailed.is_empty()).then(|| self.entailed.clone())
    }

    /// Adds the heaps of another board.
    pub(crate) fn take_heaps(&mut self, other: &Board) {
        let from = self.heaps.len();
        self.heaps.extend(other.heaps.iter().cloned());
        self.entailed
            .extend(other.entailed.iter().map(|i| from + i));
    }

    /// How many sites it has.
    #[must_use]
    pub fn sites(&self) -> usize {
        match self.shape {
            Some((m, n)) if self.has_cells() => m as usize * n as usize,
            _ => self.labels.len(),
        }
    }

    /// The label of a site.
    #[must_use]
    pub fn label(&self, site: u32) -> Val {
        match (self.kind.site(), self.shape) {
            (Some(SiteKind::GridCell), Some((_, n))) => {
                let n = n.max(1);
                let cell = |k: u32| i32::try_from(k + 1).unwrap_or(i32::MAX);
                Val::Cell(cell(site / n), cell(site % n))
            }
            (Some(SiteKind::StripCell), _) => Val::int(i64::from(site) + 1),
            _ => self
                .labels
                .get(site as usize)
                .cloned()
                .unwrap_or(Val::Bool(false)),
        }
    }

    /// The site with that label.
    #[must_use]
    pub fn find(&self, label: &Val) -> Option<u32> {
        match (self.kind.site(), self.shape, label) {
            (Some(SiteKind::GridCell), Some((m, n)), Val::Cell(i, j)) => {
                let i = u32::try_from(*i).ok().filter(|i| (1..=m).contains(i))?;
                let j = u32::try_from(*j).ok().filter(|j| (1..=n).contains(j))?;
                Some((i - 1) * n + (j - 1))
            }
            (Some(SiteKind::StripCell), Some((_, n)), Val::Int(k)) => {
                let k = u32::try_from(k.to_i64()?).ok()?;
                (1..=n).contains(&k).then(|| k - 1)
            }
            (Some(SiteKind::StripCell), Some(_), Val::Cell(1, k)) => {
                self.find(&Val::int(i64::from(*k)))
            }
            (Some(SiteKind::GridCell | SiteKind::StripCell), ..) => None,
            (_, _, Val::Label(term)) => self.index.get(label).copied().or_else(|| {
                // `c[1]` names site 1 of a constructor's board.
                match &term.args[..] {
                    [n @ Val::Int(_)] => self.index.get(n).copied(),
                    _ => None,
                }
            }),
            (_, _, Val::Set(_)) => self.index.get(&label.clone().as_label()).copied(),
            _ => self.index.get(label).copied(),
        }
    }

    /// The value of an edge, by number.
    #[must_use]
    pub fn edge(&self, edge: u32) -> Option<Val> {
        let (u, v) = *self.lines.get(edge as usize)?;
        Some(Val::Edge(Arc::new(Edge {
            index: edge,
            from: self.label(u),
            to: self.label(v),
        })))
    }

    /// The number of an edge value, if it is an edge of this board.
    #[must_use]
    pub fn find_edge(&self, edge: &Val) -> Option<u32> {
        let Val::Edge(e) = edge else { return None };
        let (u, v) = *self.lines.get(e.index as usize)?;
        (self.label(u) == e.from && self.label(v) == e.to).then_some(e.index)
    }

    /// Edges that leave the site, each with its other end: arcs out of it, relations upwards, and in a graph the edges
    /// written with this site first.
    #[must_use]
    pub fn leaving(&self, site: u32) -> &[(u32, u32)] {
        self.from.of(site)
    }

    /// Edges that enter the site, each with its other end.
    #[must_use]
    pub fn entering(&self, site: u32) -> &[(u32, u32)] {
        self.to.of(site)
    }

    /// All edges at the site, each with its other end. A loop is listed once.
    pub fn incident(&self, site: u32) -> impl Iterator<Item = (u32, u32)> + '_ {
        let enter = self.to.of(site).iter().filter(move |(_, o)| *o != site);
        self.from.of(site).iter().chain(enter).copied()
    }

    /// The lines between two different sites, present or not; on a digraph, those from the first to the second.
    pub fn between(&self, u: u32, v: u32) -> impl Iterator<Item = u32> + '_ {
        let back = self.to.of(u).iter().filter(|_| !self.kind.has_arcs());
        let all = self.from.of(u).iter().chain(back);
        all.filter(move |(_, t)| *t == v && u != v).map(|(e, _)| *e)
    }

    /// Maps a cell of the plane to its representative on the board where lines close to rings; leaves it unchanged
    /// elsewhere.
    #[must_use]
    pub fn home(&self, cell: Val) -> Val {
        match (&cell, self.shape) {
            (Val::Cell(i, j), Some((m, n))) if self.wrap.any() && m > 0 && n > 0 => {
                let within = |k: i32, size: u32, ring: bool| match i32::try_from(size) {
                    Ok(size) if ring => k.saturating_sub(1).rem_euclid(size) + 1,
                    _ => k,
                };
                Val::Cell(
                    within(*i, m, self.wrap.columns),
                    within(*j, n, self.wrap.rows),
                )
            }
            _ => cell,
        }
    }

    /// The cell `dr` rows below and `dc` columns to the right of a cell, or `None` if it is off the board.
    #[must_use]
    pub fn step(&self, site: u32, dr: i32, dc: i32) -> Option<u32> {
        let (m, n) = self.shape?;
        let n64 = i64::from(n.max(1));
        let mut r = i64::from(site) / n64 + i64::from(dr);
        let mut c = i64::from(site) % n64 + i64::from(dc);
        if self.wrap.columns && m > 0 {
            r = r.rem_euclid(i64::from(m));
        }
        if self.wrap.rows {
            c = c.rem_euclid(n64);
        }
        if r < 0 || c < 0 || r >= i64::from(m) || c >= i64::from(n) {
            return None;
        }
        u32::try_from(r * n64 + c).ok()
    }

    /// Whether the board has cells.
    #[must_use]
    pub fn has_cells(&self) -> bool {
        self.kind.has_cells()
    }

    /// Turns a grid or strip into a graph: its vertices are the cells that are not walls, its edges join neighbours.
    ///
    /// # Errors
    /// Too many edges.
    pub fn to_graph(&self, span: Span) -> Res<Board> {
        let mut b = Builder::new(BoardKind::Graph, span);
        let mut wall = vec![false; self.sites()];
        for m in self.marks.iter().filter(|m| &*m.glyph == "#") {
            if let Place::Site(s) = m.place {
                wall[s as usize] = true;
            }
        }
        let sites = u32::try_from(self.sites()).unwrap_or(u32::MAX);
        let mut new = vec![None; self.sites()];
        for s in (0..sites).filter(|s| !wall[*s as usize]) {
            new[s as usize] = Some(b.site(self.label(s))?);
        }
        // On a ring of one or two cells a pair of neighbours occurs twice, or a cell neighbours itself: join each pair
        // once, and make no loops.
        let mut joined = rustc_hash::FxHashSet::default();
        for s in 0..sites {
            for (dr, dc) in [(0, 1), (1, 0)] {
                if let (Some(u), Some(t)) = (new[s as usize], self.step(s, dr, dc))
                    && let Some(v) = new[t as usize]
                    && (!self.wrap.any() || u != v && joined.insert((u.min(v), u.max(v))))
                {
                    b.line(u, v)?;
                }
            }
        }
        for m in &self.marks {
            if let Place::Site(s) = m.place
                && let Some(u) = new[s as usize]
            {
                b.marks.push(Mark {
                    place: Place::Site(u),
                    ..m.clone()
                });
            }
        }
        let mut board = b.finish();
        // Art cannot show rings.
        board.shape = self.shape.filter(|_| !self.wrap.any());
        Ok(board)
    }

    /// A board of cells without pieces.
    ///
    /// # Errors
    /// Too many cells.
    pub fn cells(kind: BoardKind, rows: u32, columns: u32, span: Span) -> Res<Board> {
        if u64::from(rows) * u64::from(columns) > MAX_SITES as u64 {
            return Err(too_many(span, "cells", MAX_SITES));
        }
        Ok(Board {
            shape: Some((rows, columns)),
            ..Board::empty(kind)
        })
    }

    /// The board with an absent line between any two vertices without a line; on a digraph, in each direction.
    ///
    /// # Errors
    /// Too many edges.
    pub fn with_spare(&self, span: Span) -> Res<Board> {
        let mut board = self.without_spare();
        let sites = u32::try_from(board.sites()).unwrap_or(u32::MAX);
        let arcs = board.kind.has_arcs();
        let known: rustc_hash::FxHashSet<(u32, u32)> = board
            .lines
            .iter()
            .map(|(u, v)| {
                if arcs {
                    (*u, *v)
                } else {
                    (*u.min(v), *u.max(v))
                }
            })
            .collect();
        let given = board.lines.len();
        for u in 0..sites {
            let from = if arcs { 0 } else { u + 1 };
            for v in (from..sites).filter(|v| *v != u && !known.contains(&(u, *v))) {
                if board.lines.len() >= MAX_LINES {
                    return Err(too_many(span, "edges that could be added", MAX_LINES));
                }
                board.lines.push((u, v));
            }
        }
        board.spare = board.lines.len() - given;
        // A drawing does not show edges that are added.
        board.shape = None;
        board.joined();
        Ok(board)
    }

    /// The board as it was written.
    #[must_use]
    pub fn without_spare(&self) -> Board {
        let mut board = self.clone();
        if board.spare > 0 {
            board.lines.truncate(board.lines.len() - board.spare);
            board.spare = 0;
            board.joined();
        }
        board
    }

    /// How many lines are there at the start: the first ones.
    #[must_use]
    pub fn given(&self) -> usize {
        self.lines.len().saturating_sub(self.spare)
    }

    /// Finds the lines at each site anew.
    fn joined(&mut self) {
        let n = self.sites();
        let lines = || (0u32..).zip(self.lines.iter().copied());
        let from = Adjacency::new(n, lines().map(|(e, (u, v))| (u, e, v)));
        let to = Adjacency::new(n, lines().map(|(e, (u, v))| (v, e, u)));
        (self.from, self.to) = (from, to);
    }

    /// An empty board.
    #[must_use]
    pub fn empty(kind: BoardKind) -> Board {
        Board {
            kind,
            shape: None,
            wrap: Wrap::default(),
            labels: Vec::new(),
            index: FxHashMap::default(),
            lines: Vec::new(),
            heaps: Vec::new(),
            entailed: Vec::new(),
            root: None,
            marks: Vec::new(),
            notes: Vec::new(),
            spare: 0,
            from: Adjacency::default(),
            to: Adjacency::default(),
        }
    }

    /// The name of a kind.
    #[must_use]
    pub fn kind_name(kind: BoardKind) -> &'static str {
        kind.descriptor().name
    }

    fn marks_of(&self) -> impl Iterator<Item = (Place, &str, Option<&Int>)> {
        let it = self.marks.iter();
        it.map(|m| (m.place, &*m.glyph, m.count.as_ref()))
    }
}

/// The rank of a kind in the order of boards. Heaps come after all other kinds.
fn kind_rank(kind: BoardKind) -> u16 {
    match kind.heap_of() {
        Some(k) => 16 + u16::from(k),
        None => u16::from(kind.code()),
    }
}

impl Ord for Board {
    fn cmp(&self, o: &Board) -> Ordering {
        if std::ptr::eq(self, o) {
            return Ordering::Equal;
        }
        self.cmp_empty(o)
            .then_with(|| self.marks_of().cmp(o.marks_of()))
    }
}

impl Board {
    /// Whether it differs from another at most in the pieces at the start.
    #[must_use]
    pub fn is_like(&self, other: &Board) -> bool {
        std::ptr::eq(self, other) || self.cmp_empty(other) == Ordering::Equal
    }

    // The order without the pieces at the start.
    fn cmp_empty(&self, o: &Board) -> Ordering {
        kind_rank(self.kind)
            .cmp(&kind_rank(o.kind))
            .then_with(|| self.shape.cmp(&o.shape))
            .then_with(|| self.wrap.cmp(&o.wrap))
            .then_with(|| self.labels.len().cmp(&o.labels.len()))
            .then_with(|| self.lines.len().cmp(&o.lines.len()))
            .then_with(|| self.labels.cmp(&o.labels))
            .then_with(|| self.lines.cmp(&o.lines))
            .then_with(|| self.spare.cmp(&o.spare))
            .then_with(|| self.heaps.cmp(&o.heaps))
            .then_with(|| self.entailed.cmp(&o.entailed))
            .then_with(|| self.root.cmp(&o.root))
    }
}

impl PartialOrd for Board {
    fn partial_cmp(&self, other: &Board) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Board {
    fn eq(&self, other: &Board) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Board {}

impl Hash for Board {
    fn hash<H: Hasher>(&self, state: &mut H) {
        kind_rank(self.kind).hash(state);
        self.shape.hash(state);
        self.wrap.hash(state);
        self.lines.hash(state);
        self.heaps.hash(state);
        self.labels.len().hash(state);
    }
}

fn too_many(span: Span, what: &str, limit: usize) -> Box<Fault> {
    Fault::new(
        Code::TooMuch,
        span,
        format!("a board may have at most {limit} {what}"),
    )
}

/// The maximal number of notes on a board.
const MOST_NOTES: usize = 4;

/// Builds graphs, digraphs and posets.
#[derive(Debug)]
pub struct Builder {
    kind: BoardKind,
    span: Span,
    labels: Vec<Val>,
    index: FxHashMap<Val, u32>,
    lines: Vec<(u32, u32)>,
    /// Pieces at the start.
    pub marks: Vec<Mark>,
    /// The root.
    pub root: Option<u32>,
    /// Messages to show with the board.
    pub notes: Vec<String>,
    fresh: i64,
    suffix: FxHashMap<Arc<str>, u32>,
}

impl Builder {
    /// A builder without sites.
    #[must_use]
    pub fn new(kind: BoardKind, span: Span) -> Builder {
        Builder {
            kind,
            span,
            labels: Vec::new(),
            index: FxHashMap::default(),
            lines: Vec::new(),
            marks: Vec::new(),
            root: None,
            notes: Vec::new(),
            fresh: 1,
            suffix: FxHashMap::default(),
        }
    }

    /// The labels so far, in board order.
    #[must_use]
    pub fn labels(&self) -> &[Val] {
        &self.labels
    }

    /// The edges so far.
    #[must_use]
    pub fn lines(&self) -> &[(u32, u32)] {
        &self.lines
    }

    /// The site with that label, if any.
    #[must_use]
    pub fn find(&self, label: &Val) -> Option<u32> {
        self.index.get(label).copied()
    }

    /// Adds a note, up to [`MOST_NOTES`].
    pub(super) fn note(&mut self, text: String) {
        if self.notes.len() < MOST_NOTES && !self.notes.contains(&text) {
            self.notes.push(text);
        }
    }

    /// The site with that label; makes it if necessary.
    ///
    /// # Errors
    /// Too many sites.
    pub fn site(&mut self, label: Val) -> Res<u32> {
        if let Some(&s) = self.index.get(&label) {
            return Ok(s);
        }
        if self.labels.len() >= MAX_SITES {
            return Err(too_many(self.span, "sites", MAX_SITES));
        }
        let s = u32::try_from(self.labels.len()).unwrap_or(u32::MAX);
        self.labels.push(label.clone());
        self.index.insert(label, s);
        Ok(s)
    }

    /// Adds a site. If the label is taken, uses the next free integer, or the name with a number appended.
    ///
    /// # Errors
    /// Too many sites.
    pub fn fresh_site(&mut self, label: Val) -> Res<u32> {
        if !self.index.contains_key(&label) {
            return self.site(label);
        }
        let label = match &label {
            Val::Label(l) if l.args.is_empty() => {
                let k = self.suffix.entry(l.name.clone()).or_insert(1);
                loop {
                    *k += 1;
                    let label = Val::name(&format!("{}_{k}", l.name));
                    if !self.index.contains_key(&label) {
                        break label;
                    }
                }
            }
            _ => loop {
                let label = Val::int(self.fresh);
                self.fresh += 1;
                if !self.index.contains_key(&label) {
                    break label;
                }
            },
        };
        self.site(label)
    }

    /// Joins two sites by an edge, by an arc from the first to the second, or by a relation with the first below the
    /// second.
    ///
    /// # Errors
    /// Too many edges.
    pub fn line(&mut self, u: u32, v: u32) -> Res<u32> {
        if self.lines.len() >= MAX_LINES {
            return Err(too_many(self.span, "edges", MAX_LINES));
        }
        let e = u32::try_from(self.lines.len()).unwrap_or(u32::MAX);
        self.lines.push((u, v));
        Ok(e)
    }

    /// Puts a piece at a place.
    pub fn mark(&mut self, place: Place, glyph: &str, count: Option<Int>, span: Span) {
        self.marks.push(Mark {
            place,
            glyph: glyph.into(),
            count,
            span,
        });
    }

    /// Adds a copy of a board, sharing only the root. Returns the new number of each of its sites.
    ///
    /// # Errors
    /// Too many sites or edges.
    pub fn glue(&mut self, board: &Board) -> Res<Vec<u32>> {
        let n = u32::try_from(board.sites()).unwrap_or(u32::MAX);
        let mut map = Vec::with_capacity(n as usize);
        let mut renamed = None;
        for s in 0..n {
            let new = match (board.root, self.root) {
                (Some(r), Some(root)) if r == s => root,
                (Some(r), None) if r == s => {
                    // A vertex that has the root's name is the root.
                    let root = self.site(board.label(s))?;
                    self.root = Some(root);
                    root
                }
                (None, Some(root)) if board.label(s) == self.labels[root as usize] => root,
                _ => self.fresh_site(board.label(s))?,
            };
            let (before, after) = (board.label(s), &self.labels[new as usize]);
            renamed = renamed.or((before != *after).then(|| (before, after.clone())));
            map.push(new);
        }
        let mut edges = Vec::with_capacity(board.lines.len());
        for (u, v) in &board.lines {
            edges.push(self.line(map[*u as usize], map[*v as usize])?);
        }
        for m in &board.marks {
            self.marks.push(Mark {
                place: match m.place {
                    Place::Site(s) => Place::Site(map[s as usize]),
                    Place::Edge(e) => Place::Edge(edges[e as usize]),
                },
                ..m.clone()
            });
        }
        board.notes.iter().for_each(|text| self.note(text.clone()));
        if let Some((before, after)) = renamed {
            let label = crate::draw::label;
            self.note(format!(
                "a part is a copy: its {} is {} here",
                label(&before),
                label(&after)
            ));
        }
        Ok(map)
    }

    /// Finishes the board. Elements of a poset that lie on a cycle are merged, with a note.
    #[must_use]
    pub fn finish(mut self) -> Board {
        if self.kind.is_order() {
            order::merge_cycles(&mut self);
        }
        let n = self.labels.len();
        let numbered = |i: usize| u32::try_from(i).unwrap_or(u32::MAX);
        let lines = self.lines;
        let out = lines.iter().enumerate();
        let from = Adjacency::new(n, out.clone().map(|(e, l)| (l.0, numbered(e), l.1)));
        let to = Adjacency::new(n, out.map(|(e, l)| (l.1, numbered(e), l.0)));
        Board {
            kind: self.kind,
            shape: None,
            wrap: Wrap::default(),
            labels: self.labels,
            index: self.index,
            lines,
            heaps: Vec::new(),
            entailed: Vec::new(),
            root: self.root,
            marks: self.marks,
            notes: self.notes,
            spare: 0,
            from,
            to,
        }
    }
}
