//! A ruleset with its arguments ([`Instance`]), on a board ([`Setting`]), with its state variables numbered ([`Layout`]).

use super::board::Board;
use super::fault::{Code, Fault, Res};
use super::int::Int;
use super::val::{Piece, Val};
use crate::base::Span;
use crate::game::Convention;
pub use crate::model::typed::MAX_PLAYERS;
use crate::model::typed::{By, Endless, Owners, Ruleset, RulesetId, Sort, StateId};
use std::cmp::Ordering;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// The maximal number of state variables.
pub const MAX_VARS: usize = 1 << 24;
/// The directions of the compass, clockwise from north: the domain of a direction argument of a state function.
pub const COMPASS: [(i32, i32); 8] = [
    (-1, 0),
    (-1, 1),
    (0, 1),
    (1, 1),
    (1, 0),
    (1, -1),
    (0, -1),
    (-1, -1),
];

/// A piece of an instance.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PieceInfo {
    /// Its name and glyph.
    pub name: Arc<str>,
    /// Who owns it.
    pub owners: Owners,
    /// Whether it lies on edges.
    pub on_edges: bool,
}

/// A ruleset whose arguments are known.
#[derive(Debug)]
pub struct Instance {
    /// The ruleset as named. For a derived ruleset this is the derived one.
    pub id: RulesetId,
    /// Its name.
    pub name: Arc<str>,
    /// Its arguments.
    pub arguments: Vec<Val>,
    /// The ruleset whose clauses apply. For a derived ruleset this is the one that it is derived from.
    pub rules: Arc<Ruleset>,
    /// The id of `rules`.
    pub rules_id: RulesetId,
    /// The arguments of `rules`: the first slots of the frames of its moves and lets.
    pub rules_arguments: Vec<Val>,
    /// Whether every player may make every move (`impartial(S)`).
    pub everyone: bool,
    /// Whether nobody may move unless both players have a move of their own (`dicotic(S)`).
    pub dicotic: bool,
    /// The players' names in the order of turns.
    pub players: Vec<Arc<str>>,
    /// The pieces.
    pub pieces: Vec<PieceInfo>,
    /// How play ends.
    pub convention: Convention,
}

impl Instance {
    /// Whether every move is available to every player by the text of the rules, so that all positions are impartial.
    #[must_use]
    pub fn is_impartial(&self) -> bool {
        self.everyone || self.rules.moves.iter().all(|m| m.by == By::Anyone)
    }

    /// Whether the theory of values of short games applies to these rules: see [`Ruleset::decides_otherwise`].
    #[must_use]
    pub fn has_values(&self) -> bool {
        !self.rules.decides_otherwise()
    }

    /// Whether the rules are those of short games of Left and Right: two players of these names, of whom one who cannot move
    /// loses, and endless play is a draw.
    #[must_use]
    pub fn is_plain(&self) -> bool {
        let named = |(own, name): (&Arc<str>, &str)| **own == *name;
        self.players.len() == 2
            && self.players.iter().zip(["Left", "Right"]).all(named)
            && self.has_values()
            && self.rules.endless == Endless::Draw
    }

    /// The piece of that name.
    #[must_use]
    pub fn piece(&self, name: &str) -> Option<u16> {
        let at = self.pieces.iter().position(|p| &*p.name == name)?;
        u16::try_from(at).ok()
    }

    /// The name of a piece in drawings and literals.
    #[must_use]
    pub fn piece_name(&self, piece: Piece) -> Arc<str> {
        match piece {
            Piece::Empty => "empty".into(),
            Piece::Wall => "wall".into(),
            Piece::Off => "off".into(),
            Piece::Declared(k) => self
                .pieces
                .get(usize::from(k))
                .map_or_else(|| "?".into(), |p| p.name.clone()),
        }
    }

    /// Whether the player is among the piece's owners. Nobody owns empty, wall and off.
    #[must_use]
    pub fn owns(&self, player: u8, piece: Piece) -> bool {
        match piece {
            Piece::Declared(k) => match self.pieces.get(usize::from(k)).map(|p| &p.owners) {
                Some(Owners::Anyone) => true,
                Some(Owners::These(list)) => list.contains(&player),
                None => false,
            },
            _ => false,
        }
    }

    /// Whether the player is the only owner of the piece.
    #[must_use]
    pub fn is_exactly(&self, player: u8, piece: Piece) -> bool {
        match piece {
            Piece::Declared(k) => match self.pieces.get(usize::from(k)).map(|p| &p.owners) {
                Some(Owners::Anyone) => self.players.len() == 1 && player == 0,
                Some(Owners::These(list)) => !list.is_empty() && list.iter().all(|q| *q == player),
                None => false,
            },
            _ => false,
        }
    }

    /// The one piece whose only owner is the player.
    ///
    /// # Errors
    /// There is no such piece, or more than one.
    pub fn piece_of(&self, player: u8, span: Span) -> Res<Piece> {
        let mut own = (0u16..)
            .take(self.pieces.len())
            .map(Piece::Declared)
            .filter(|p| self.is_exactly(player, *p));
        let name = self
            .players
            .get(usize::from(player))
            .map_or_else(|| "?".into(), |n| n.clone());
        match (own.next(), own.next()) {
            (Some(p), None) => Ok(p),
            (None, _) => Err(Fault::new(
                Code::NoSuchPiece,
                span,
                format!("no piece of {} is exactly {name}'s", self.name),
            )),
            (Some(p), Some(q)) => Err(Fault::new(
                Code::NoSuchPiece,
                span,
                format!(
                    "more than one piece is exactly {name}'s: {} and {}",
                    self.piece_name(p),
                    self.piece_name(q)
                ),
            )
            .help("name the piece, or use a table: `let own(Left) = .., own(Right) = ..`")),
        }
    }

    fn identity(&self) -> (RulesetId, &[Val]) {
        (self.id, &self.arguments)
    }
}

impl PartialEq for Instance {
    fn eq(&self, other: &Instance) -> bool {
        self.identity() == other.identity()
    }
}

impl Eq for Instance {}

impl PartialOrd for Instance {
    fn partial_cmp(&self, other: &Instance) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Instance {
    fn cmp(&self, other: &Instance) -> Ordering {
        self.identity().cmp(&other.identity())
    }
}

impl Hash for Instance {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.identity().hash(state);
    }
}

/// A state variable.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Var {
    /// The piece on a site: a [`Val::Piece`]. [`Piece::Off`] on a removed vertex or element, [`Piece::Wall`] on a cell that
    /// was removed or never existed.
    At(u32),
    /// The piece on an edge. [`Piece::Off`] on a removed edge.
    EdgeAt(u32),
    /// Whether a vertex or an element is present: a [`Val::Bool`]. Cells have no such variable.
    Present(u32),
    /// Whether an edge or arc is present: a [`Val::Bool`].
    EdgePresent(u32),
    /// A declared state function at its arguments, or a scalar.
    State(StateId, Vec<Val>),
}

pub use super::layout::{Domain, Layout, VarKind};

/// An instance on a board.
#[derive(Debug)]
pub struct Setting {
    /// The ruleset with its arguments.
    pub instance: Arc<Instance>,
    /// The board.
    pub board: Arc<Board>,
    /// The numbering of the variables.
    pub layout: Layout,
}

impl Setting {
    /// Whether the rules and the board are the same, but for the pieces at the start.
    #[must_use]
    pub fn is_like(&self, other: &Setting) -> bool {
        std::ptr::eq(self, other)
            || self.instance == other.instance && self.board.is_like(&other.board)
    }

    /// Numbers the variables of an instance on a board.
    ///
    /// # Errors
    /// See [`Layout::new`].
    pub fn new(instance: Arc<Instance>, board: Arc<Board>) -> Res<Setting> {
        let board = match instance.rules.adds_edges() && board.kind.has_edges() {
            true if board.spare == 0 => Arc::new(board.with_spare(instance.rules.span)?),
            false if board.spare > 0 => Arc::new(board.without_spare()),
            _ => board,
        };
        let layout = Layout::new(&instance, &board)?;
        Ok(Setting {
            instance,
            board,
            layout,
        })
    }

    /// The number of a value in a domain; `None` if the domain does not contain it.
    #[must_use]
    pub fn number(&self, domain: Domain, v: &Val) -> Option<u32> {
        match (domain, v) {
            (Domain::Pieces, Val::Piece(Piece::Declared(k))) => Some(u32::from(*k)),
            (Domain::Players, Val::Player(p)) => Some(u32::from(*p)),
            (Domain::Sites, v) => self.board.find(v),
            (Domain::Edges, v) => self.board.find_edge(v),
            (Domain::Directions, Val::Direction(r, c)) => {
                let at = COMPASS.iter().position(|d| *d == (*r, *c))?;
                u32::try_from(at).ok()
            }
            (Domain::Truth, Val::Bool(b)) => Some(u32::from(*b)),
            _ => None,
        }
    }

    /// The value with that number in a domain.
    #[must_use]
    pub fn value(&self, domain: Domain, k: u32) -> Val {
        match domain {
            Domain::Pieces => Val::Piece(Piece::Declared(u16::try_from(k).unwrap_or(u16::MAX))),
            Domain::Players => Val::Player(u8::try_from(k).unwrap_or(u8::MAX)),
            Domain::Sites => self.board.label(k),
            Domain::Edges => self.board.edge(k).unwrap_or(Val::Bool(false)),
            Domain::Directions => {
                let (r, c) = COMPASS[k as usize % COMPASS.len()];
                Val::Direction(r, c)
            }
            Domain::Truth => Val::Bool(k != 0),
        }
    }

    /// The variable of a state function at given arguments; `None` if one of them is outside its domain (off the board).
    #[must_use]
    pub fn state_var(&self, f: StateId, arguments: &[Val]) -> Option<usize> {
        let domains = self.layout.domains(f);
        let numbers: Option<Vec<u32>> = domains
            .zip(arguments)
            .map(|(d, v)| self.number(d, v))
            .collect();
        self.layout.state(f, &numbers?)
    }

    /// The meaning of a variable, with its arguments as values.
    #[must_use]
    pub fn var(&self, var: usize) -> Option<Var> {
        let (slot, arguments) = self.layout.describe(var)?;
        Some(match slot {
            VarKind::At(s) => Var::At(s),
            VarKind::EdgeAt(e) => Var::EdgeAt(e),
            VarKind::Present(s) => Var::Present(s),
            VarKind::EdgePresent(e) => Var::EdgePresent(e),
            VarKind::State(f) => {
                let arguments = arguments.into_iter();
                Var::State(f, arguments.map(|(d, k)| self.value(d, k)).collect())
            }
        })
    }

    /// Whether a variable is set with the board and never written by a move.
    #[must_use]
    pub fn is_fixed(&self, var: usize) -> bool {
        match self.layout.describe(var) {
            Some((VarKind::State(f), _)) => {
                let state = self.instance.rules.state.get(f.0 as usize);
                state.is_some_and(|s| s.fixed)
            }
            _ => false,
        }
    }

    /// The sites and edges that a variable belongs to. Removing one of them removes the variable.
    #[must_use]
    pub fn places(&self, var: usize) -> Vec<super::board::Place> {
        use super::board::Place;
        let Some((slot, arguments)) = self.layout.describe(var) else {
            return Vec::new();
        };
        match slot {
            VarKind::At(s) | VarKind::Present(s) => vec![Place::Site(s)],
            VarKind::EdgeAt(e) | VarKind::EdgePresent(e) => vec![Place::Edge(e)],
            VarKind::State(_) => arguments
                .into_iter()
                .filter_map(|(d, k)| match d {
                    Domain::Sites => Some(Place::Site(k)),
                    Domain::Edges => Some(Place::Edge(k)),
                    _ => None,
                })
                .collect(),
        }
    }

    /// The initial value of a variable without an explicit one: empty, 0, false, an empty set or list, present. `None` for
    /// sorts without such a value (a vertex, a player, a direction).
    #[must_use]
    pub fn default(&self, var: usize) -> Option<Val> {
        let (slot, _) = self.layout.describe(var)?;
        match slot {
            VarKind::EdgeAt(e) if e as usize >= self.board.given() => Some(Val::Piece(Piece::Off)),
            VarKind::At(_) | VarKind::EdgeAt(_) => Some(Val::Piece(Piece::Empty)),
            VarKind::Present(_) => Some(Val::Bool(true)),
            VarKind::EdgePresent(e) => Some(Val::Bool((e as usize) < self.board.given())),
            VarKind::State(f) => match self.instance.rules.state.get(f.0 as usize)?.sort {
                Sort::Int => Some(Val::Int(Int::ZERO)),
                Sort::Bool => Some(Val::Bool(false)),
                Sort::Piece => Some(Val::Piece(Piece::Empty)),
                Sort::Set(_) => Some(Val::Set(Arc::from([]))),
                Sort::List(_) => Some(Val::List(Arc::from([]))),
                _ => None,
            },
        }
    }
}

impl PartialEq for Setting {
    fn eq(&self, other: &Setting) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Setting {}

impl PartialOrd for Setting {
    fn partial_cmp(&self, other: &Setting) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Setting {
    fn cmp(&self, other: &Setting) -> Ordering {
        if std::ptr::eq(self, other) {
            return Ordering::Equal;
        }
        self.instance
            .cmp(&other.instance)
            .then_with(|| self.board.cmp(&other.board))
    }
}

impl Hash for Setting {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.instance.hash(state);
        self.board.hash(state);
    }
}
