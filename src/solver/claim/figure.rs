//! Converts a position to the data of a drawing ([`Figure`]): cells, heaps, or vertices with lines between them, and the
//! pieces on each with their owners. The layout is done by `report`.

use crate::game::Player;
use crate::ir::board::Place;
use crate::ir::draw;
use crate::ir::{Int, Piece, Position, Setting, State, Term, Val, Var};
use crate::model::typed::{Form, Lines, Owners, Sort, StateId};
use rustc_hash::FxHashSet;
use serde::Serialize;

/// The most cells, heaps or lines of one drawing.
pub const MOST: usize = 4000;
/// The most vertices of a drawing; layout takes quadratic time.
pub const MOST_NODES: usize = 600;
/// The most different elements of labels that are sets, for these to give coordinates.
const MOST_ELEMENTS: usize = 6;
/// The most terms of a sum in one drawing.
pub const MOST_TERMS: usize = 60;

/// The owner of a piece.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Owner {
    /// One player, by place in the order of turns.
    Player(u8),
    /// Several players.
    Shared,
    /// No player.
    Nobody,
}

/// A piece, or pieces of one kind.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Mark {
    /// The piece's name.
    pub glyph: String,
    /// Its owner.
    pub owner: Owner,
    /// The number of pieces, where pieces are counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub count: Option<String>,
}

/// The contents of a cell, a vertex or a line.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Spot {
    /// Pieces.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub marks: Vec<Mark>,
    /// Values of state functions at this place: `3`, or `f=3` where several functions have values on the board.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// Names of scalars whose value is this place: `token`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tokens: Vec<String>,
}

/// Cells that one move removed from the board.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Taken {
    /// The player who moved.
    pub owner: Owner,
    /// The numbers of the cells.
    pub cells: Vec<usize>,
}

/// A cell of a grid or strip.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Cell {
    /// Whether the cell is missing.
    pub wall: bool,
    /// The contents.
    #[serde(flatten)]
    pub spot: Spot,
}

/// A vertex of a graph or an element of a poset.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Node {
    /// Its name.
    pub label: String,
    /// Row and column from 0, if the board was made from a grid.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cell: Option<(u32, u32)>,
    /// The coordinates in its name: those of a pair or a tuple of integers. If all names are sets, 1 for each element of the
    /// set and 0 for all others.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub coordinates: Vec<i64>,
    /// The contents.
    #[serde(flatten)]
    pub spot: Spot,
}

/// An edge, an arc, or a covering relation (from below to above).
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Line {
    /// Index of a node.
    pub from: usize,
    /// Index of a node.
    pub to: usize,
    /// The contents.
    #[serde(flatten)]
    pub spot: Spot,
}

/// The kind of a graph.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum GraphKind {
    /// Edges.
    Graph,
    /// Arcs.
    Digraph,
    /// Covering relations.
    Poset,
}

/// The board of a drawing.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(tag = "board", rename_all = "kebab-case")]
pub enum BoardFigure {
    /// Cells, row by row.
    Cells {
        /// Number of rows.
        rows: u32,
        /// Number of columns.
        columns: u32,
        /// Whether it is a strip, whose cells are named by one number.
        strip: bool,
        /// All cells, row by row.
        cells: Vec<Cell>,
        /// The cells removed by each move, as far as the moves are known.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        taken: Vec<Taken>,
    },
    /// Heaps, each by its components.
    Heaps {
        /// The components of each heap.
        heaps: Vec<Vec<String>>,
        /// The heaps in one of which the last move must be answered.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        entailed: Vec<usize>,
    },
    /// Vertices and lines.
    Graph {
        /// The kind of the graph.
        graph: GraphKind,
        /// The root.
        #[serde(skip_serializing_if = "Option::is_none")]
        root: Option<usize>,
        /// The vertices that are left.
        nodes: Vec<Node>,
        /// The lines that are left.
        lines: Vec<Line>,
    },
    /// No board: all state is in the captions.
    Nothing,
}

/// One term of a sum.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct TermFigure {
    /// The ruleset with its arguments.
    pub ruleset: String,
    /// Whether the players exchange their roles. (Owners are given after the exchange.)
    pub negated: bool,
    /// Number of copies.
    pub copies: String,
    /// The board.
    #[serde(flatten)]
    pub board: BoardFigure,
    /// What the board does not show: state, as `turns: 3`, and lines that close to rings.
    pub captions: Vec<String>,
}

/// The data of a drawing of a position.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Figure {
    /// The position as a literal.
    pub text: String,
    /// The players' names in the order of turns.
    pub players: Vec<String>,
    /// The terms of the sum.
    pub terms: Vec<TermFigure>,
    /// Whether the terms are the sides of a value instead, onside and offside.
    #[serde(skip)]
    pub sides: bool,
}

/// The data of a drawing of a position.
///
/// # Errors
/// A message that says what there is too much of.
pub fn figure(position: &Position) -> Result<Figure, String> {
    if position.terms().len() > MOST_TERMS {
        return Err(format!("a picture shows at most {MOST_TERMS} terms"));
    }
    let terms = position.terms().iter().map(term);
    Ok(Figure {
        text: draw::short(position),
        players: (0..position.players())
            .map(|p| position.player_name(Player(p)).to_string())
            .collect(),
        terms: terms.collect::<Result<_, _>>()?,
        sides: false,
    })
}

impl Figure {
    /// The sign between two terms.
    #[must_use]
    pub fn sign(&self) -> char {
        match self.sides {
            true => '&',
            false => '+',
        }
    }

    /// Adds who removed which cells, from the figure of the position before the last move and the player who made it. Does
    /// nothing for sums, whose terms may change places.
    pub fn follow(&mut self, before: &Figure, mover: Player) {
        let ([now], [then]) = (&mut self.terms[..], &before.terms[..]) else {
            return;
        };
        let (
            BoardFigure::Cells {
                columns,
                cells,
                taken,
                ..
            },
            BoardFigure::Cells {
                columns: known_columns,
                cells: known_cells,
                taken: known,
                ..
            },
        ) = (&mut now.board, &then.board)
        else {
            return;
        };
        if (*columns, cells.len()) != (*known_columns, known_cells.len()) {
            return;
        }
        let still = |t: &&Taken| t.cells.iter().all(|c| cells[*c].wall);
        *taken = known.iter().filter(still).cloned().collect();
        let gone: Vec<usize> = (0..cells.len())
            .filter(|c| cells[*c].wall && !known_cells[*c].wall)
            .collect();
        if !gone.is_empty() {
            taken.push(Taken {
                owner: Owner::Player(mover.0),
                cells: gone,
            });
        }
    }

    /// Keeps only the removed cells on which two ways to reach the position agree.
    pub fn agree(&mut self, other: &Figure) {
        for (own, other) in self.terms.iter_mut().zip(&other.terms) {
            if let (BoardFigure::Cells { taken, .. }, BoardFigure::Cells { taken: told, .. }) =
                (&mut own.board, &other.board)
            {
                taken.retain(|t| told.contains(t));
            }
        }
    }
}

fn term(t: &Term) -> Result<TermFigure, String> {
    let part = Part {
        setting: &t.setting,
        state: &t.state,
        negated: t.negated,
    };
    Ok(TermFigure {
        ruleset: draw::ruleset(&t.setting.instance),
        negated: t.negated,
        copies: t.count.to_string(),
        board: part.board()?,
        captions: part.captions(),
    })
}

struct Part<'p> {
    setting: &'p Setting,
    state: &'p State,
    negated: bool,
}

fn most(n: usize, limit: usize, what: &str) -> Result<(), String> {
    if n > limit {
        return Err(format!(
            "a picture shows at most {limit} {what}, here are {n}"
        ));
    }
    Ok(())
}

impl Part<'_> {
    fn board(&self) -> Result<BoardFigure, String> {
        let board = &self.setting.board;
        match board.kind.form() {
            Form::Scalars => Ok(BoardFigure::Nothing),
            Form::Heaps => {
                most(self.state.heaps.len(), MOST, "heaps")?;
                let heap = |h: &Vec<Int>| h.iter().map(ToString::to_string).collect();
                Ok(BoardFigure::Heaps {
                    heaps: self.state.heaps.iter().map(heap).collect(),
                    entailed: self.state.entailed.clone().unwrap_or_default(),
                })
            }
            Form::Cells => {
                most(board.sites(), MOST, "cells")?;
                let (rows, columns) = board.shape.unwrap_or((0, 0));
                let mut cells: Vec<Cell> = (0u32..)
                    .take(board.sites())
                    .map(|s| Cell {
                        wall: !self.state.has_site(self.setting, s),
                        spot: self.piece(Place::Site(s)),
                    })
                    .collect();
                self.functions(&mut |place, put| {
                    if let Place::Site(s) = place
                        && let Some(cell) = cells.get_mut(s as usize)
                    {
                        put(&mut cell.spot);
                    }
                });
                Ok(BoardFigure::Cells {
                    rows,
                    columns,
                    strip: board.kind.is_row(),
                    cells,
                    taken: Vec::new(),
                })
            }
            Form::Chains => self.graph(),
        }
    }

    fn graph(&self) -> Result<BoardFigure, String> {
        let board = &self.setting.board;
        most(board.sites(), 1 << 16, "vertices")?;
        let here: Vec<u32> = (0u32..)
            .take(board.sites())
            .filter(|s| self.state.has_site(self.setting, *s))
            .collect();
        most(here.len(), MOST_NODES, "vertices")?;
        let mut number = vec![None; board.sites()];
        for (i, s) in here.iter().enumerate() {
            number[*s as usize] = Some(i);
        }
        let mut nodes: Vec<Node> = here
            .iter()
            .map(|s| Node {
                label: draw::label(&board.label(*s)),
                cell: self.grid_cell(*s),
                coordinates: integers(&board.label(*s)),
                spot: self.piece(Place::Site(*s)),
            })
            .collect();
        let labels: Vec<Val> = here.iter().map(|s| board.label(*s)).collect();
        for (node, corner) in nodes.iter_mut().zip(corners(&labels)) {
            node.coordinates = corner;
        }
        let mut lines = Vec::new();
        let mut edge_number = rustc_hash::FxHashMap::default();
        if board.kind.is_order() {
            let present = |s: u32| number[s as usize].is_some();
            for (u, v) in board.covers(&present) {
                if let (Some(from), Some(to)) = (number[u as usize], number[v as usize]) {
                    lines.push(Line {
                        from,
                        to,
                        ..Line::default()
                    });
                }
            }
        } else {
            for (e, (u, v)) in (0u32..).zip(&board.lines) {
                if self.state.has_edge(self.setting, e)
                    && let (Some(from), Some(to)) = (number[*u as usize], number[*v as usize])
                {
                    edge_number.insert(e, lines.len());
                    let spot = self.piece(Place::Edge(e));
                    lines.push(Line { from, to, spot });
                }
            }
        }
        let graph = match board.kind.lines() {
            Lines::Order => GraphKind::Poset,
            Lines::Arcs => GraphKind::Digraph,
            Lines::Edges | Lines::None => GraphKind::Graph,
        };
        most(lines.len(), MOST, "lines")?;
        self.functions(&mut |place, put| match place {
            Place::Site(s) => {
                if let Some(Some(i)) = number.get(s as usize) {
                    put(&mut nodes[*i].spot);
                }
            }
            Place::Edge(e) => {
                if let Some(i) = edge_number.get(&e) {
                    put(&mut lines[*i].spot);
                }
            }
        });
        Ok(BoardFigure::Graph {
            graph,
            root: board.root.and_then(|r| number[r as usize]),
            nodes,
            lines,
        })
    }

    /// Row and column of a vertex, if the graph was made from a grid.
    fn grid_cell(&self, site: u32) -> Option<(u32, u32)> {
        let (rows, _) = self.setting.board.shape?;
        let cell = |n: i64| u32::try_from(n - 1).ok();
        match self.setting.board.label(site) {
            Val::Cell(i, j) => Some((cell(i.into())?, cell(j.into())?)),
            Val::Int(n) if rows == 1 => Some((0, cell(n.to_i64()?)?)),
            _ => None,
        }
    }

    fn owner(&self, piece: u16) -> Owner {
        let owners = self.setting.instance.pieces.get(usize::from(piece));
        match owners.map(|p| &p.owners) {
            Some(Owners::Anyone) => Owner::Shared,
            Some(Owners::These(list)) => match list[..] {
                [] => Owner::Nobody,
                [p] if self.negated => Owner::Player(Player(p).opponent().0),
                [p] => Owner::Player(p),
                _ => Owner::Shared,
            },
            None => Owner::Nobody,
        }
    }

    fn mark(&self, piece: u16, count: Option<String>) -> Mark {
        Mark {
            glyph: self
                .setting
                .instance
                .piece_name(Piece::Declared(piece))
                .to_string(),
            owner: self.owner(piece),
            count,
        }
    }

    fn piece(&self, place: Place) -> Spot {
        let mut spot = Spot::default();
        if let Piece::Declared(k) = self.state.at(self.setting, place) {
            spot.marks.push(self.mark(k, None));
        }
        spot
    }

    /// Calls `at` with the declared state functions that the board can show, for each value that is not the default. A
    /// value has the name of its function if without it the value could belong to another function or be a piece.
    fn functions(&self, at: &mut dyn FnMut(Place, &dyn Fn(&mut Spot))) {
        let setting = self.setting;
        let pieces = setting.instance.pieces.iter();
        let pieces: FxHashSet<&str> = pieces.map(|p| &*p.name).collect();
        // The functions of a site, and those of a site and a piece.
        let with = |n: usize| {
            let all = setting.instance.rules.state.iter();
            all.filter(|d| d.arguments.len() == n && on_board(&d.arguments, &d.sort))
                .count()
        };
        let (of_sites, of_pieces) = (with(1), with(2));
        for (i, decl) in setting.instance.rules.state.iter().enumerate() {
            if !on_board(&decl.arguments, &decl.sort) {
                continue;
            }
            let f = StateId(u32::try_from(i).unwrap_or(u32::MAX));
            for var in setting.layout.state_range(f) {
                let Some(value) = &self.state.read(setting, var) else {
                    continue;
                };
                let Some(Var::State(_, arguments)) = setting.var(var) else {
                    continue;
                };
                let place = |v: &Val| match v {
                    Val::Edge(_) => setting.board.find_edge(v).map(Place::Edge),
                    _ => setting.board.find(v).map(Place::Site),
                };
                if arguments.is_empty() {
                    if let Some(place) = place(value) {
                        at(place, &|spot| spot.tokens.push(decl.name.to_string()));
                    }
                    continue;
                }
                if setting.default(var).as_ref() == Some(value) {
                    continue;
                }
                let piece = arguments.iter().find_map(|v| match v {
                    Val::Piece(Piece::Declared(k)) => Some(*k),
                    _ => None,
                });
                let site = arguments.iter().find(|v| !matches!(v, Val::Piece(_)));
                let Some(place) = site.and_then(place) else {
                    continue;
                };
                let text = draw::value(value, Some(&setting.instance));
                let note = match piece {
                    Some(k) if of_pieces == 1 => {
                        let mark = self.mark(k, Some(text));
                        at(place, &|spot| spot.marks.push(mark.clone()));
                        continue;
                    }
                    Some(k) => {
                        let piece = setting.instance.piece_name(Piece::Declared(k));
                        format!("{}({piece})={text}", decl.name)
                    }
                    None if of_sites > 1 || pieces.contains(&*text) => {
                        format!("{}={text}", decl.name)
                    }
                    None => text,
                };
                at(place, &|spot| spot.notes.push(note.clone()));
            }
        }
    }

    fn captions(&self) -> Vec<String> {
        let setting = self.setting;
        let mut all = Vec::new();
        let closed = match setting.board.wrap.word() {
            Some("both") => Some("rows and columns"),
            closed => closed,
        };
        all.extend(closed.map(|lines| format!("{lines} wrap around")));
        for (i, decl) in setting.instance.rules.state.iter().enumerate() {
            if on_board(&decl.arguments, &decl.sort) {
                continue;
            }
            let f = StateId(u32::try_from(i).unwrap_or(u32::MAX));
            for var in setting.layout.state_range(f) {
                let (Some(value), Some(Var::State(_, arguments))) =
                    (&self.state.read(setting, var), setting.var(var))
                else {
                    continue;
                };
                let shown = |v: &Val| draw::value(v, Some(&setting.instance));
                if arguments.is_empty() {
                    all.push(format!("{}: {}", decl.name, shown(value)));
                } else if setting.default(var).as_ref() != Some(value) {
                    let arguments: Vec<String> = arguments.iter().map(shown).collect();
                    all.push(format!(
                        "{}({}): {}",
                        decl.name,
                        arguments.join(", "),
                        shown(value)
                    ));
                }
                if all.len() > MOST {
                    all.push("..".to_owned());
                    return all;
                }
            }
        }
        all
    }
}

/// The integers of a pair or a tuple; empty if it has other parts.
fn integers(label: &Val) -> Vec<i64> {
    match label {
        Val::Cell(i, j) => vec![i64::from(*i), i64::from(*j)],
        Val::Tuple(parts) => {
            let all: Option<Vec<i64>> = parts
                .iter()
                .map(|v| match v {
                    Val::Int(n) => n.to_i64(),
                    _ => None,
                })
                .collect();
            all.unwrap_or_default()
        }
        _ => Vec::new(),
    }
}

/// Sets as corners of a cube, if all labels are sets of few elements.
fn corners(labels: &[Val]) -> Vec<Vec<i64>> {
    let elements = |label: &Val| -> Option<Vec<Val>> {
        match label {
            Val::Label(l) if l.name.is_empty() => Some(l.args.to_vec()),
            _ => None,
        }
    };
    let sets: Option<Vec<Vec<Val>>> = labels.iter().map(elements).collect();
    let sets = sets.unwrap_or_default();
    let mut all: Vec<&Val> = Vec::new();
    for v in sets.iter().flatten() {
        if !all.contains(&v) {
            all.push(v);
        }
        if all.len() > MOST_ELEMENTS {
            return Vec::new();
        }
    }
    all.sort();
    let corner = |set: &Vec<Val>| {
        let own = all.iter().map(|v| i64::from(set.contains(v)));
        own.collect()
    };
    sets.iter().map(corner).collect()
}

/// Whether a state function is shown on the board: a scalar that is a site, a function of a site, or one of a site and a
/// piece.
fn on_board(arguments: &[Sort], value: &Sort) -> bool {
    let site = |s: &Sort| matches!(s, Sort::Site(_));
    match arguments {
        [] => site(value),
        [a] => site(a),
        [a, b] => (site(a) && *b == Sort::Piece) || (*a == Sort::Piece && site(b)),
        _ => false,
    }
}
