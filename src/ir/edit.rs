//! Changes a position by hand: puts a piece down, removes or adds a cell, a vertex or an edge, resizes a heap. The input is
//! a position and an [`Edit`], the output the literal of the changed position. Whether the literal is valid is decided when
//! it is read.
//!
//! Sites, lines and heaps are numbered as in `claim::figure`: present sites in board order; present lines, for a poset its
//! covering relations; heaps in increasing order.

use super::board::Place;
use super::draw::{self, entries_of, fields_kept, joined_with, tag, vertex};
use super::eval::{Counter, counter};
use super::instance::{Setting, Var};
use super::int::Int;
use super::position::{Position, State};
use super::val::{Piece, Val};
use crate::model::typed::{Form, Lines};
use serde::Deserialize;
use std::collections::BTreeSet;

/// The maximal number of rows and of columns of a board resized by hand.
const WIDEST: u32 = 40;
/// The maximal number of pieces of one kind that can be put on one site by hand.
const MOST: i64 = 1_000_000;

/// A site or a line of the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Spot {
    /// A cell, a vertex or an element.
    Site(usize),
    /// An edge, an arc or a covering relation.
    Line(usize),
}

/// A change.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(tag = "edit", rename_all = "lowercase")]
pub enum Edit {
    /// Puts a piece down; `empty` removes pieces. If the ruleset counts pieces, adds one.
    Put {
        /// Where.
        spot: Spot,
        /// The piece's name.
        piece: String,
    },
    /// Removes a site or a line.
    Remove {
        /// Which.
        spot: Spot,
    },
    /// Adds a line between two sites.
    Join {
        /// A site: the tail of an arc, the lower element of a relation.
        from: usize,
        /// The other site.
        to: usize,
        /// The piece on the line.
        #[serde(default)]
        piece: Option<String>,
    },
    /// Adds a site, or a heap of one counter.
    Add,
    /// Gives a component of a heap another size.
    Heap {
        /// Which heap.
        heap: usize,
        /// Which component of it.
        #[serde(default)]
        component: usize,
        /// Its size.
        size: u32,
    },
    /// Gives a grid or strip new dimensions; new cells are empty.
    Resize {
        /// How many rows.
        rows: u32,
        /// How many columns.
        columns: u32,
    },
}

/// The literal of the position after a change to one term.
///
/// # Errors
/// The reason why the change is impossible, in words.
pub fn edited(position: &Position, term: usize, edit: &Edit) -> Result<String, String> {
    let Some(t) = position.terms().get(term) else {
        return Err("there is no such term".into());
    };
    let changed = Board {
        setting: &t.setting,
        state: t.state.clone(),
    }
    .after(edit)?;
    Ok(joined_with(position, |k, t| match k == term {
        true => changed.clone(),
        false => draw::literal_of(&t.setting, &t.state),
    }))
}

struct Board<'s> {
    setting: &'s Setting,
    state: State,
}

impl Board<'_> {
    fn after(mut self, edit: &Edit) -> Result<String, String> {
        let kind = self.setting.board.kind;
        match edit {
            Edit::Put { spot, piece } => self.put(*spot, piece)?,
            Edit::Remove {
                spot: Spot::Line(n),
            } if kind.is_order() => return self.unrelated(*n),
            Edit::Remove { spot } => self.remove(*spot)?,
            Edit::Join { from, to, piece } => {
                let (u, v) = (self.site(*from)?, self.site(*to)?);
                return self.joined(u, v, piece.as_deref());
            }
            Edit::Add => match (kind.form(), kind.heap_of()) {
                (Form::Heaps, k) => {
                    let k = usize::from(k.unwrap_or(1)).max(1);
                    self.state
                        .heaps
                        .push(std::iter::repeat_n(Int::ONE, k).collect());
                    self.state.settle();
                }
                (Form::Chains, _) => {
                    let name = self.fresh();
                    return Ok(self.with(vec![name]));
                }
                (Form::Cells | Form::Scalars, _) => {
                    return Err("nothing can be added to this board".into());
                }
            },
            Edit::Heap {
                heap,
                component,
                size,
            } => {
                let place = self.state.heaps.get_mut(*heap);
                let place = place.and_then(|h| h.get_mut(*component));
                *place.ok_or("there is no such heap")? = Int::from(*size);
                self.state.settle();
            }
            Edit::Resize { rows, columns } => return self.resized(*rows, *columns),
        }
        Ok(draw::literal_of(self.setting, &self.state))
    }

    /// The present sites; for boards of cells, all cells.
    fn sites(&self) -> Vec<u32> {
        let all = (0u32..).take(self.setting.board.sites());
        match self.setting.board.has_cells() {
            true => all.collect(),
            false => all
                .filter(|s| self.state.has_site(self.setting, *s))
                .collect(),
        }
    }

    fn site(&self, number: usize) -> Result<u32, String> {
        let found = self.sites().get(number).copied();
        found.ok_or_else(|| "there is no such place".into())
    }

    fn line(&self, number: usize) -> Result<u32, String> {
        let all = (0u32..).take(self.setting.board.lines.len());
        let mut here = all.filter(|e| self.state.has_edge(self.setting, *e));
        here.nth(number)
            .ok_or_else(|| "there is no such line".into())
    }

    fn place(&self, spot: Spot) -> Result<Place, String> {
        Ok(match spot {
            Spot::Site(n) => Place::Site(self.site(n)?),
            Spot::Line(n) => Place::Edge(self.line(n)?),
        })
    }

    fn put(&mut self, spot: Spot, name: &str) -> Result<(), String> {
        let setting = self.setting;
        let place = self.place(spot)?;
        let cells = setting.board.has_cells();
        let piece = match name {
            "empty" => Piece::Empty,
            "wall" if cells => Piece::Wall,
            name => {
                let found = setting.instance.piece(name);
                Piece::Declared(found.ok_or_else(|| format!("there is no piece `{name}`"))?)
            }
        };
        if let Piece::Declared(k) = piece
            && let Some(info) = setting.instance.pieces.get(usize::from(k))
            && info.on_edges != matches!(place, Place::Edge(_))
        {
            let on = if info.on_edges { "edges" } else { "sites" };
            return Err(format!("{name} lies on {on}"));
        }
        if let (Place::Site(s), Some(f)) = (place, counter(&setting.instance)) {
            return self.count(f, s, piece);
        }
        let var = match place {
            Place::Site(s) => setting.layout.at(s),
            Place::Edge(e) => setting.layout.edge_at(e),
        };
        match var.and_then(|v| self.state.vars.get_mut(v)) {
            Some(var) => *var = Val::Piece(piece),
            None if piece == Piece::Empty => {}
            None => return Err("no rule looks at what lies there".into()),
        }
        Ok(())
    }

    /// Adds one piece of a kind to a site, or (`empty`) removes all pieces.
    fn count(&mut self, f: Counter, site: u32, piece: Piece) -> Result<(), String> {
        for k in (0u32..).take(self.setting.instance.pieces.len()) {
            let Some(var) = f.var(self.setting, k, site) else {
                continue;
            };
            let Some(Val::Int(n)) = self.state.vars.get_mut(var) else {
                continue;
            };
            match piece {
                Piece::Empty => *n = Int::ZERO,
                Piece::Declared(p) if u32::from(p) == k => {
                    let more = n.add(&Int::ONE).ok().filter(|n| *n <= Int::from(MOST));
                    *n = more.ok_or("that are too many")?;
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn set(&mut self, var: Option<usize>, value: Val) {
        if let Some(place) = var.and_then(|v| self.state.vars.get_mut(v)) {
            *place = value;
        }
    }

    fn remove(&mut self, spot: Spot) -> Result<(), String> {
        let setting = self.setting;
        if setting.board.has_cells() {
            return self.put(spot, "wall");
        }
        let place = self.place(spot)?;
        match place {
            Place::Edge(e) => self.set(setting.layout.edge_present(e), Val::Bool(false)),
            Place::Site(s) => {
                if setting.board.root == Some(s) {
                    return Err("the ground stays".into());
                }
                for e in (0u32..).take(setting.board.lines.len()) {
                    let (u, v) = setting.board.lines[e as usize];
                    if u == s || v == s {
                        self.set(setting.layout.edge_present(e), Val::Bool(false));
                    }
                }
                self.set(setting.layout.present(s), Val::Bool(false));
                // Reset the state functions of the removed site.
                for var in 0..self.state.vars.len() {
                    if matches!(setting.var(var), Some(Var::State(..)))
                        && setting.places(var).contains(&place)
                        && let Some(nothing) = setting.default(var)
                    {
                        self.set(Some(var), nothing);
                    }
                }
            }
        }
        Ok(())
    }

    /// The literal with additional entries, written in words rather than as art.
    fn with(&self, more: Vec<String>) -> String {
        let (mut entries, fields) = entries_of(self.setting, &self.state);
        entries.extend(more);
        entries.extend(fields);
        format!(
            "{}[{}]",
            draw::ruleset(&self.setting.instance),
            entries.join(", ")
        )
    }

    fn joined(&self, u: u32, v: u32, piece: Option<&str>) -> Result<String, String> {
        let board = &self.setting.board;
        let lines = board.kind.lines();
        let link = match (lines, piece) {
            (Lines::Edges | Lines::Arcs, None) => lines.sign().to_owned(),
            (Lines::Edges | Lines::Arcs, Some(p)) => lines.sign_with(p),
            (Lines::Order, _) if u == v => return Err("nothing is less than itself".into()),
            (Lines::Order, _) if board.above(v).contains(&u) => {
                return Err("it is above already, and cannot be below too".into());
            }
            (Lines::Order, _) => lines.sign().to_owned(),
            (Lines::None, _) => return Err("this board has no lines".into()),
        };
        let link = format!(" {link} ");
        if let Some(p) = piece
            && self.setting.instance.piece(p).is_none()
        {
            return Err(format!("there is no piece `{p}`"));
        }
        let (a, b) = (vertex(&board.label(u)), vertex(&board.label(v)));
        Ok(self.with(vec![format!("{a}{link}{b}")]))
    }

    /// A poset without one of its covering relations. All other relations are kept, also those that it implies.
    fn unrelated(&self, number: usize) -> Result<String, String> {
        let board = &self.setting.board;
        let present = |s: u32| self.state.has_site(self.setting, s);
        let covers = board.covers(&present);
        let Some(gone) = covers.get(number) else {
            return Err("there is no such line".into());
        };
        let name = |s: u32| vertex(&board.label(s));
        let (_, fields) = entries_of(self.setting, &self.state);
        let sites = self.sites().into_iter();
        let mut entries: Vec<String> = sites
            .map(|s| format!("{}{}", name(s), tag(self.setting, &self.state, s)))
            .collect();
        for s in self.sites() {
            for above in board.above(s) {
                if present(above) && above != s && (s, above) != *gone {
                    entries.push(format!("{} < {}", name(s), name(above)));
                }
            }
        }
        entries.extend(fields);
        Ok(format!(
            "{}[{}]",
            draw::ruleset(&self.setting.instance),
            entries.join(", ")
        ))
    }

    /// A name that no site has: `c[n]` if all sites are numbered.
    fn fresh(&self) -> String {
        let board = &self.setting.board;
        let taken: BTreeSet<String> = (0u32..)
            .take(board.sites())
            .map(|s| vertex(&board.label(s)))
            .collect();
        let numbered = board.sites() > 0
            && (0u32..)
                .take(board.sites())
                .all(|s| matches!(board.label(s), Val::Int(_)));
        if numbered {
            let mut all = (1..=i64::MAX).map(|n| vertex(&Val::int(n)));
            return all.find(|n| !taken.contains(n)).unwrap_or_default();
        }
        // Names of pieces and of state functions are taken, too.
        let instance = &self.setting.instance;
        let means = |name: &str| {
            instance.piece(name).is_some() || instance.rules.state.iter().any(|s| &*s.name == name)
        };
        let letters = ('a'..='z').filter(|c| *c != 'v').map(String::from);
        let mut all = letters.chain((1u64..).map(|n| format!("a{n}")));
        all.find(|n| !taken.contains(n) && !means(n))
            .unwrap_or_default()
    }

    fn resized(&self, rows: u32, columns: u32) -> Result<String, String> {
        let board = &self.setting.board;
        let (Some((m, n)), true) = (board.shape, board.has_cells()) else {
            return Err("this board has no sides".into());
        };
        if board.wrap.any() {
            return Err("a board whose lines close to rings keeps its sides".into());
        }
        let strip = board.kind.is_row();
        if rows == 0 || columns == 0 || rows > WIDEST || columns > WIDEST || (strip && rows != 1) {
            return Err(format!("a side has 1 to {WIDEST} cells"));
        }
        let mut art = Vec::new();
        let mut bare = true;
        for i in 0..rows {
            let mut row = String::new();
            for j in 0..columns {
                let piece = match i < m && j < n {
                    true => self.state.at(self.setting, Place::Site(i * n + j)),
                    false => Piece::Empty,
                };
                bare &= piece == Piece::Empty;
                match piece {
                    Piece::Empty => row.push('.'),
                    Piece::Wall | Piece::Off => row.push('#'),
                    p => {
                        let name = self.setting.instance.piece_name(p);
                        if name.chars().count() != 1 {
                            return Err(format!("`{name}` cannot be drawn in one sign"));
                        }
                        row.push_str(&name);
                    }
                }
            }
            art.push(row);
        }
        let kept = |s: u32| s / n < rows && s % n < columns;
        let fields = fields_kept(self.setting, &self.state, &kept);
        let mut entries = vec![match (bare, strip) {
            (true, true) => format!("strip({columns})"),
            (true, false) => format!("grid({rows}, {columns})"),
            _ => format!("\"{}\"", art.join("|")),
        }];
        entries.extend(fields);
        Ok(format!(
            "{}[{}]",
            draw::ruleset(&self.setting.instance),
            entries.join(", ")
        ))
    }
}
