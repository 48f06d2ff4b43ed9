//! Values of the typed calculus: the results of expressions. Every value is finite, immutable, cheap to clone and totally
//! ordered, so that sets have a unique representation.
//!
//! A site is its label: a strip cell is an integer, a grid cell a pair, a vertex or an element its name. So sites of
//! computed boards and sites of the board at hand can be compared.

use super::board::Board;
use super::int::Int;
use super::position::Position;
use std::cmp::Ordering;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// The content of a site.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Piece {
    /// Nothing.
    Empty,
    /// A wall: a cell that was removed or never existed.
    Wall,
    /// The value of `at` outside the board, and at a removed vertex, edge or element.
    Off,
    /// A declared piece, by its index in the instance's list.
    Declared(u16),
}

pub use crate::model::typed::OutcomeName as Outcome;

/// A name, or a term: `a`, `mid(v)`. A set as the name of a site, `{1, 2}`, is a term with an empty name.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Label {
    /// The name.
    pub name: Arc<str>,
    /// The arguments; empty for a plain name.
    pub args: Vec<Val>,
}

/// An edge or an arc, with its ends.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Edge {
    /// Its number on its board.
    pub index: u32,
    /// The end where it starts (for an edge, the end written first).
    pub from: Val,
    /// The other end.
    pub to: Val,
}

/// Positions that are played together, but not as a disjunctive sum.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Compound {
    /// The kind of compound.
    pub how: crate::game::Compound,
    /// The positions, each a [`Val::Position`].
    pub parts: Vec<Val>,
}

/// A game of the host: the handle of its value, and that of its form if this is not the canonical one. Games of the same
/// value are equal.
#[derive(Clone, Copy, Debug)]
pub struct Handle {
    /// The value. Equal values have the same handle.
    pub value: u32,
    /// The form as written.
    pub form: Option<u32>,
}

/// A value. Positions are equal if their visible contents are ([`Position::is_same`]).
#[derive(Clone, Debug)]
pub enum Val {
    /// A truth value.
    Bool(bool),
    /// An integer; a strip cell; a vertex or element numbered by its constructor.
    Int(Int),
    /// A pair of integers that fit 32 bits: a grid cell. Made only by [`Val::tuple`], which chooses between this and
    /// [`Val::Tuple`].
    Cell(i32, i32),
    /// Any other tuple.
    Tuple(Arc<[Val]>),
    /// A named site.
    Label(Arc<Label>),
    /// An edge or arc.
    Edge(Arc<Edge>),
    /// The content of a site.
    Piece(Piece),
    /// A player, by index in the order of turns.
    Player(u8),
    /// A direction: rows down, columns to the right.
    Direction(i32, i32),
    /// A string or the digits of a code.
    Text(Arc<str>),
    /// A set: sorted, without duplicates. Made by [`Val::set`].
    Set(Arc<[Val]>),
    /// A list.
    List(Arc<[Val]>),
    /// A board.
    Board(Arc<Board>),
    /// A position, or a sum of positions.
    Position(Arc<Position>),
    /// An outcome.
    Outcome(Outcome),
    /// Positions that are played together.
    Compound(Arc<Compound>),
    /// A game of the host.
    Game(Handle),
    /// A report, by a handle of the host.
    Report(u32),
}

impl Val {
    /// A tuple; pairs of small integers become cells.
    #[must_use]
    pub fn tuple(parts: Vec<Val>) -> Val {
        if let [Val::Int(Int::Small(a)), Val::Int(Int::Small(b))] = parts[..]
            && let (Ok(a), Ok(b)) = (i32::try_from(a), i32::try_from(b))
        {
            return Val::Cell(a, b);
        }
        Val::Tuple(parts.into())
    }

    /// A set.
    #[must_use]
    pub fn set(mut elements: Vec<Val>) -> Val {
        elements.sort();
        elements.dedup();
        Val::Set(elements.into())
    }

    /// A list.
    #[must_use]
    pub fn list(elements: Vec<Val>) -> Val {
        Val::List(elements.into())
    }

    /// A plain name.
    #[must_use]
    pub fn name(name: &str) -> Val {
        Val::Label(Arc::new(Label {
            name: name.into(),
            args: Vec::new(),
        }))
    }

    /// A term. With an empty name it stands for the set of its arguments.
    #[must_use]
    pub fn term(name: Arc<str>, mut args: Vec<Val>) -> Val {
        if name.is_empty() {
            args.sort();
            args.dedup();
        }
        Val::Label(Arc::new(Label { name, args }))
    }

    /// A value as the label of a site. A set becomes a term with an empty name, since a set stands for several sites where
    /// sites are expected; other values stay.
    #[must_use]
    pub fn as_label(self) -> Val {
        match self {
            Val::Set(elements) => Val::term("".into(), elements.to_vec()),
            other => other,
        }
    }

    /// A small integer.
    #[must_use]
    pub fn int(n: i64) -> Val {
        Val::Int(Int::Small(n))
    }

    /// The components of a tuple.
    #[must_use]
    pub fn parts(&self) -> Option<Vec<Val>> {
        match self {
            Val::Cell(a, b) => Some(vec![Val::int(i64::from(*a)), Val::int(i64::from(*b))]),
            Val::Tuple(parts) => Some(parts.to_vec()),
            _ => None,
        }
    }

    /// The integer, if it is one.
    #[must_use]
    pub fn as_int(&self) -> Option<&Int> {
        match self {
            Val::Int(n) => Some(n),
            _ => None,
        }
    }

    /// The elements of a set or list.
    #[must_use]
    pub fn elements(&self) -> Option<&[Val]> {
        match self {
            Val::Set(e) | Val::List(e) => Some(e),
            _ => None,
        }
    }

    fn rank(&self) -> u8 {
        match self {
            Val::Bool(_) => 0,
            Val::Int(_) => 1,
            Val::Cell(..) | Val::Tuple(_) => 2,
            Val::Label(_) => 3,
            Val::Edge(_) => 4,
            Val::Piece(_) => 5,
            Val::Player(_) => 6,
            Val::Direction(..) => 7,
            Val::Text(_) => 8,
            Val::Set(_) => 9,
            Val::List(_) => 10,
            Val::Board(_) => 11,
            Val::Position(_) => 12,
            Val::Outcome(_) => 13,
            Val::Game(_) => 14,
            Val::Report(_) => 15,
            Val::Compound(_) => 16,
        }
    }
}

impl From<Int> for Val {
    fn from(n: Int) -> Val {
        Val::Int(n)
    }
}

impl From<bool> for Val {
    fn from(b: bool) -> Val {
        Val::Bool(b)
    }
}

impl PartialEq for Val {
    fn eq(&self, other: &Val) -> bool {
        match (self, other) {
            (Val::Bool(a), Val::Bool(b)) => a == b,
            (Val::Int(a), Val::Int(b)) => a == b,
            (Val::Cell(a, b), Val::Cell(c, d)) | (Val::Direction(a, b), Val::Direction(c, d)) => {
                (a, b) == (c, d)
            }
            (Val::Label(a), Val::Label(b)) => a == b,
            (Val::Edge(a), Val::Edge(b)) => a == b,
            (Val::Piece(a), Val::Piece(b)) => a == b,
            (Val::Player(a), Val::Player(b)) => a == b,
            (Val::Text(a), Val::Text(b)) => a == b,
            (Val::Tuple(a), Val::Tuple(b))
            | (Val::Set(a), Val::Set(b))
            | (Val::List(a), Val::List(b)) => a == b,
            (Val::Board(a), Val::Board(b)) => a == b,
            (Val::Position(a), Val::Position(b)) => a.is_same(b),
            (Val::Outcome(a), Val::Outcome(b)) => a == b,
            (Val::Compound(a), Val::Compound(b)) => a == b,
            (Val::Game(a), Val::Game(b)) => a.value == b.value,
            (Val::Report(a), Val::Report(b)) => a == b,
            _ => false,
        }
    }
}

impl Eq for Val {}

impl Hash for Val {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.rank().hash(state);
        match self {
            Val::Bool(a) => a.hash(state),
            Val::Int(a) => a.hash(state),
            Val::Cell(a, b) | Val::Direction(a, b) => (a, b).hash(state),
            Val::Label(a) => a.hash(state),
            Val::Edge(a) => a.hash(state),
            Val::Piece(a) => a.hash(state),
            Val::Player(a) => a.hash(state),
            Val::Text(a) => a.hash(state),
            Val::Tuple(a) | Val::Set(a) | Val::List(a) => a.hash(state),
            Val::Board(a) => a.hash(state),
            Val::Position(a) => a.seen().hash(state),
            Val::Outcome(a) => a.hash(state),
            Val::Compound(a) => a.hash(state),
            Val::Game(Handle { value, .. }) => value.hash(state),
            Val::Report(a) => a.hash(state),
        }
    }
}

impl Ord for Val {
    fn cmp(&self, other: &Val) -> Ordering {
        match (self, other) {
            (Val::Bool(a), Val::Bool(b)) => a.cmp(b),
            (Val::Int(a), Val::Int(b)) => a.cmp(b),
            (Val::Cell(a, b), Val::Cell(c, d)) => (a, b).cmp(&(c, d)),
            (Val::Tuple(a), Val::Tuple(b)) => a.cmp(b),
            // Compare a cell and another tuple by components.
            (Val::Cell(..) | Val::Tuple(_), Val::Cell(..) | Val::Tuple(_)) => {
                self.parts().cmp(&other.parts())
            }
            (Val::Label(a), Val::Label(b)) => a.cmp(b),
            (Val::Edge(a), Val::Edge(b)) => a.cmp(b),
            (Val::Piece(a), Val::Piece(b)) => a.cmp(b),
            (Val::Player(a), Val::Player(b)) => a.cmp(b),
            (Val::Direction(a, b), Val::Direction(c, d)) => (a, b).cmp(&(c, d)),
            (Val::Text(a), Val::Text(b)) => a.cmp(b),
            (Val::Set(a), Val::Set(b)) | (Val::List(a), Val::List(b)) => a.cmp(b),
            (Val::Board(a), Val::Board(b)) => a.cmp(b),
            (Val::Position(a), Val::Position(b)) => match Arc::ptr_eq(a, b) {
                true => Ordering::Equal,
                false => a.seen().cmp(b.seen()),
            },
            (Val::Outcome(a), Val::Outcome(b)) => a.cmp(b),
            (Val::Compound(a), Val::Compound(b)) => a.cmp(b),
            (Val::Game(a), Val::Game(b)) => a.value.cmp(&b.value),
            (Val::Report(a), Val::Report(b)) => a.cmp(b),
            _ => self.rank().cmp(&other.rank()),
        }
    }
}

impl PartialOrd for Val {
    fn partial_cmp(&self, other: &Val) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
