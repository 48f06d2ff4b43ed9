//! Values of positions of games in which play may be infinite, found class by class.
//!
//! Vertices are components by key. Strongly connected classes close in the order of Tarjan's algorithm, options first. Each
//! is solved when it closes, from the values of the moves that leave it; after that only its values are kept. The theory
//! that solves it is a parameter: values of partizan games ([`Values`], by `value::loopy`) or loopy nimbers ([`Nimbers`]).
//!
//! A move that splits a position leads to the sum of the values of its components, unless one of them is in a class that is
//! still open: then the vertex is all components together, which is exact, too. A component and its negative are two
//! vertices, but when the value of one is known, so is that of the other. There is no recursion: the line of play is a
//! stack.

mod nimbers;

pub use nimbers::{Nimbers, Smith};

use super::stopped::{Stopped, StoppedIn};
use crate::game::{Analysis, Budget, Game, Limit, Player, Sign, Task};
use crate::value::loopy::{Edge, Halt, Loops, Loopy};
use crate::value::{CanonicalForm, Forms};
use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;
use smallvec::SmallVec;
use std::hash::{BuildHasher, Hash};

/// The target of a move in a graph to be solved.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Target<V> {
    /// The vertex with this index.
    In(usize),
    /// A vertex outside of the graph, with this value.
    Out(V),
}

/// A theory of values: zero, negative, sum, and how to solve a graph of moves.
pub trait Theory {
    /// A value.
    type Value: Clone;

    /// The value of a position without moves.
    ///
    /// # Errors
    /// No memory.
    fn zero(&mut self) -> Result<Self::Value, Limit>;

    /// The negative of a value.
    ///
    /// # Errors
    /// A limit.
    fn negate(&mut self, value: &Self::Value) -> Result<Self::Value, Limit>;

    /// The sum of two values.
    ///
    /// # Errors
    /// A limit.
    fn add(&mut self, a: &Self::Value, b: &Self::Value) -> Result<Self::Value, Limit>;

    /// The values of all vertices of a graph of Left's and Right's moves, in the order of `vertices`.
    ///
    /// # Errors
    /// A limit.
    fn solve(
        &mut self,
        vertices: Vec<[Vec<Target<Self::Value>>; 2]>,
        budget: &Budget,
    ) -> Result<Vec<Self::Value>, Limit>;
}

/// Values of partizan games: [`Loopy`].
#[derive(Debug)]
pub struct Values<'a> {
    /// The arena of short games.
    pub forms: &'a Forms,
    /// The arena of loopy values.
    pub loops: &'a mut Loops,
}

fn limit(halt: Halt) -> Limit {
    match halt {
        Halt::Memory => Limit::Memory,
        Halt::Size => Limit::Nodes,
    }
}

impl Theory for Values<'_> {
    type Value = Loopy;

    fn zero(&mut self) -> Result<Loopy, Limit> {
        let zero = self.loops.short(CanonicalForm::ZERO);
        zero.map(Loopy::of).map_err(limit)
    }

    fn negate(&mut self, value: &Loopy) -> Result<Loopy, Limit> {
        self.loops.negate(self.forms, *value).map_err(limit)
    }

    fn add(&mut self, a: &Loopy, b: &Loopy) -> Result<Loopy, Limit> {
        self.loops.add(self.forms, *a, *b).map_err(limit)
    }

    fn solve(
        &mut self,
        vertices: Vec<[Vec<Target<Loopy>>; 2]>,
        _budget: &Budget,
    ) -> Result<Vec<Loopy>, Limit> {
        let edge = |t: Target<Loopy>| match t {
            Target::In(v) => Edge::In(v),
            Target::Out(value) => Edge::Out(value),
        };
        let side = |list: Vec<Target<Loopy>>| list.into_iter().map(edge).collect();
        let graph: Vec<_> = vertices.into_iter().map(|m| m.map(side)).collect();
        self.loops.solve(self.forms, &graph).map_err(limit)
    }
}

/// The value of a vertex, and whether an infinite line of play starts there.
#[derive(Clone, Debug)]
struct Worth<V> {
    value: V,
    endless: bool,
}

/// A component by its key, or several together.
type Vertex<K> = SmallVec<[(K, Sign); 1]>;

/// The size of the searches that have ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Extent {
    /// Vertices that were expanded.
    pub vertices: u64,
    /// Those in classes with a cycle.
    pub cyclic: u64,
    /// The number of vertices of the largest such class.
    pub largest: u64,
    /// Components of the positions in queries.
    pub parts: u64,
    /// Those of them from which an infinite line of play starts.
    pub endless: u64,
}

/// A memo table by key of the positions of some games; it is kept between queries.
#[derive(Debug)]
pub struct Known<K, V> {
    values: HashMap<Vertex<K>, Worth<V>, FxBuildHasher>,
    bytes: usize,
    memory: usize,
    /// The size of all searches so far.
    pub extent: Extent,
}

impl<K: Clone + Eq + Hash, V: Clone> Known<K, V> {
    /// An empty table that may take `memory` bytes.
    #[must_use]
    pub fn new(memory: usize) -> Known<K, V> {
        Known {
            values: HashMap::with_hasher(FxBuildHasher),
            bytes: 0,
            memory,
            extent: Extent::default(),
        }
    }

    /// The value of a position.
    ///
    /// # Errors
    /// A limit; a rule that fails.
    pub fn value<G: Game<Key = K>, T: Theory<Value = V>>(
        &mut self,
        game: &G,
        position: &G::Position,
        theory: &mut T,
        budget: &Budget,
    ) -> Result<V, StoppedIn<G>> {
        let question = Question {
            known: self,
            theory,
            budget,
        };
        match game.analysis().narrowed(position, question) {
            Ok(found) => found,
            Err(question) => question.ask(game, position),
        }
    }
}

/// A query that can also be answered in a game with smaller positions.
struct Question<'q, K, V, T> {
    known: &'q mut Known<K, V>,
    theory: &'q mut T,
    budget: &'q Budget,
}

impl<K: Clone + Eq + Hash, V: Clone, T: Theory<Value = V>> Question<'_, K, V, T> {
    fn ask<G: Game<Key = K>>(self, game: &G, position: &G::Position) -> Result<V, StoppedIn<G>> {
        let mut parts = Vec::new();
        game.analysis().split(position, &mut parts);
        let mut sum = self.theory.zero()?;
        for part in parts {
            let mut walk = Walk {
                game,
                known: &mut *self.known,
                theory: &mut *self.theory,
                budget: self.budget,
                open: HashMap::with_hasher(FxBuildHasher),
                vertices: Vec::new(),
                stack: Vec::new(),
                charged: 0,
            };
            let found = walk.run(&part);
            // A search that was given up leaves open vertices behind, which are not stored.
            let charged = walk.charged;
            self.known.bytes = self.known.bytes.saturating_sub(charged);
            let Worth { value, endless } = found?;
            sum = self.theory.add(&sum, &value)?;
            let extent = &mut self.known.extent;
            extent.parts += 1;
            extent.endless += u64::from(endless);
        }
        Ok(sum)
    }
}

impl<G: Game, V: Clone, T: Theory<Value = V>> Task<G> for Question<'_, G::Key, V, T> {
    type Output = Result<V, StoppedIn<G>>;

    fn run<H: Game<Key = G::Key, Fault = G::Fault>>(
        self,
        game: &H,
        position: &H::Position,
        widen: impl Fn(H::Position) -> G::Position,
    ) -> Self::Output {
        self.ask(game, position)
            .map_err(|stopped| stopped.map(widen))
    }
}

/// The target of a move while its class is open.
#[derive(Clone)]
enum Seen<V> {
    Open(usize),
    Value(Worth<V>),
}

/// A vertex of an open class.
struct OpenVertex<K, V> {
    vertex: Vertex<K>,
    low: usize,
    moves: [Vec<Seen<V>>; 2],
    /// The bytes charged for it: those of a stored vertex, and those of the moves while it is open.
    stored: usize,
    open: usize,
}

/// A vertex on the line of play, with its moves not visited yet: for each, the player's index and the components that it
/// leaves.
struct Frame<P> {
    at: usize,
    left: Vec<(usize, Vec<P>)>,
}

/// One search: Tarjan's algorithm.
struct Walk<'w, G: Game, T: Theory> {
    game: &'w G,
    known: &'w mut Known<G::Key, T::Value>,
    theory: &'w mut T,
    budget: &'w Budget,
    // The index of each open vertex among all open ones.
    open: HashMap<Vertex<G::Key>, usize, FxBuildHasher>,
    vertices: Vec<OpenVertex<G::Key, T::Value>>,
    stack: Vec<Frame<G::Position>>,
    /// The bytes charged for vertices whose values are not stored yet.
    charged: usize,
}

impl<G: Game, T: Theory> Walk<'_, G, T> {
    fn vertex(&self, parts: &[G::Position]) -> Vertex<G::Key> {
        let mut all: Vertex<G::Key> = parts.iter().map(|p| self.game.key(p)).collect();
        if all.len() > 1 {
            // Keys have no order but that of their hashes.
            all.sort_by_cached_key(|(key, sign)| {
                FxBuildHasher.hash_one((key, *sign == Sign::Plus))
            });
        }
        all
    }

    /// The value of a vertex or its place among the open ones; of a single component, also by its negative.
    fn find(&mut self, vertex: &Vertex<G::Key>) -> Result<Option<Seen<T::Value>>, Limit> {
        if let Some(at) = self.open.get(vertex) {
            return Ok(Some(Seen::Open(*at)));
        }
        if let Some(value) = self.known.values.get(vertex) {
            return Ok(Some(Seen::Value(value.clone())));
        }
        let [(key, sign)] = &vertex[..] else {
            return Ok(None);
        };
        let other = Sign::of_exchanged(*sign == Sign::Plus);
        let negative: Vertex<G::Key> = SmallVec::from_iter([(key.clone(), other)]);
        match self.known.values.get(&negative) {
            Some(worth) => Ok(Some(Seen::Value(Worth {
                value: self.theory.negate(&worth.value)?,
                endless: worth.endless,
            }))),
            None => Ok(None),
        }
    }

    fn run(&mut self, start: &G::Position) -> Result<Worth<T::Value>, StoppedIn<G>> {
        let first = self.vertex(std::slice::from_ref(start));
        if let Some(Seen::Value(value)) = self.find(&first)? {
            return Ok(value);
        }
        self.enter(first.clone(), vec![start.clone()])?;
        while let Some(frame) = self.stack.last_mut() {
            let Some((side, parts)) = frame.left.pop() else {
                self.leave()?;
                continue;
            };
            let at = frame.at;
            match self.reach(&parts)? {
                Reached::Seen(seen) => {
                    if let Seen::Open(to) = seen {
                        self.lower(at, to);
                    }
                    self.vertices[at].moves[side].push(seen);
                }
                Reached::New(vertex, positions) => {
                    if let Some(frame) = self.stack.last_mut() {
                        frame.left.push((side, parts));
                    }
                    self.enter(vertex, positions)?;
                }
            }
        }
        match self.find(&first)? {
            Some(Seen::Value(value)) => Ok(value),
            _ => Err(Stopped::Limit(Limit::Nodes)),
        }
    }

    fn lower(&mut self, at: usize, to: usize) {
        let low = self.vertices[to].low.min(to);
        let vertex = &mut self.vertices[at];
        vertex.low = vertex.low.min(low);
    }

    /// The target of a move that leaves these components: a visited vertex or value, or a vertex that must be entered
    /// first.
    fn reach(
        &mut self,
        parts: &[G::Position],
    ) -> Result<Reached<G::Key, G::Position, T::Value>, StoppedIn<G>> {
        let mut sum = self.theory.zero()?;
        let mut endless = false;
        let mut open = None;
        for part in parts {
            let vertex = self.vertex(std::slice::from_ref(part));
            match self.find(&vertex)? {
                None => return Ok(Reached::New(vertex, vec![part.clone()])),
                Some(Seen::Open(at)) => open = Some(at),
                Some(Seen::Value(worth)) if open.is_none() => {
                    sum = self.theory.add(&sum, &worth.value)?;
                    endless |= worth.endless;
                }
                Some(Seen::Value(_)) => {}
            }
        }
        match (open, parts) {
            (None, _) => Ok(Reached::Seen(Seen::Value(Worth {
                value: sum,
                endless,
            }))),
            (Some(at), [_]) => Ok(Reached::Seen(Seen::Open(at))),
            // With an open component, the target is the vertex of all components together.
            (Some(_), _) => {
                let vertex = self.vertex(parts);
                match self.find(&vertex)? {
                    Some(seen) => Ok(Reached::Seen(seen)),
                    None => Ok(Reached::New(vertex, parts.to_vec())),
                }
            }
        }
    }

    /// Lists the moves of a vertex: a move in one component leaves the others.
    fn enter(
        &mut self,
        vertex: Vertex<G::Key>,
        positions: Vec<G::Position>,
    ) -> Result<(), StoppedIn<G>> {
        self.budget.charge()?;
        let at = self.vertices.len();
        let mut left = Vec::new();
        let mut options = Vec::new();
        for side in 0..2 {
            for (i, part) in positions.iter().enumerate() {
                let player = if side == 0 {
                    Player::LEFT
                } else {
                    Player::RIGHT
                };
                options.clear();
                let listed = self.game.options(part, player, &mut options);
                listed.map_err(|fault| Stopped::Fault {
                    position: part.clone(),
                    fault,
                })?;
                for option in &options {
                    let mut parts = Vec::new();
                    self.game.analysis().split(option, &mut parts);
                    let others = positions.iter().enumerate().filter(|(j, _)| *j != i);
                    parts.extend(others.map(|(_, p)| p.clone()));
                    left.push((side, parts));
                }
            }
        }
        let keys = |v: &Vertex<G::Key>| -> usize {
            v.iter()
                .map(|(k, _)| self.game.key_bytes(k) + size_of::<(G::Key, Sign)>())
                .sum()
        };
        let (stored, open) = (2 * keys(&vertex) + 96, 64 * left.len());
        self.known.bytes += stored + open;
        self.charged += stored + open;
        if at.is_multiple_of(1 << 10) {
            self.budget.pulse().note(0, self.known.bytes);
        }
        if self.known.bytes > self.known.memory {
            return Err(Stopped::Limit(Limit::Memory));
        }
        self.open.insert(vertex.clone(), at);
        self.vertices.push(OpenVertex {
            vertex,
            low: at,
            moves: [Vec::new(), Vec::new()],
            stored,
            open,
        });
        self.stack.push(Frame { at, left });
        Ok(())
    }

    /// Leaves a vertex all of whose moves are visited; closes its class if no earlier vertex can be reached.
    fn leave(&mut self) -> Result<(), StoppedIn<G>> {
        let Some(frame) = self.stack.pop() else {
            return Ok(());
        };
        let (at, low) = (frame.at, self.vertices[frame.at].low);
        if let Some(before) = self.stack.last() {
            let before = before.at;
            if low < at {
                let vertex = &mut self.vertices[before];
                vertex.low = vertex.low.min(low);
            }
        }
        if low < at {
            return Ok(());
        }
        let class: Vec<OpenVertex<G::Key, T::Value>> = self.vertices.drain(at..).collect();
        let mut names = Vec::with_capacity(class.len());
        let mut graph = Vec::with_capacity(class.len());
        let (mut stored, mut open) = (0, 0);
        let mut endless = false;
        for vertex in class {
            self.open.remove(&vertex.vertex);
            names.push(vertex.vertex);
            stored += vertex.stored;
            open += vertex.open;
            let mut inner = |seen: Seen<T::Value>| match seen {
                Seen::Open(v) => Target::In(v - at),
                Seen::Value(worth) => {
                    endless |= worth.endless;
                    Target::Out(worth.value)
                }
            };
            graph.push(
                vertex
                    .moves
                    .map(|side| side.into_iter().map(&mut inner).collect::<Vec<_>>()),
            );
        }
        let extent = &mut self.known.extent;
        extent.vertices += names.len() as u64;
        let again = graph
            .iter()
            .flatten()
            .flatten()
            .any(|t| matches!(t, Target::In(_)));
        if again {
            extent.cyclic += names.len() as u64;
            extent.largest = extent.largest.max(names.len() as u64);
        }
        // All vertices of a class with a cycle lie on cycles.
        let endless = endless || again;
        let values = self.theory.solve(graph, self.budget)?;
        for (name, value) in names.into_iter().zip(values) {
            self.known.values.insert(name, Worth { value, endless });
        }
        self.known.bytes = self.known.bytes.saturating_sub(open);
        self.charged = self.charged.saturating_sub(stored + open);
        Ok(())
    }
}

/// The target of a move.
enum Reached<K, P, V> {
    Seen(Seen<V>),
    /// A new vertex, with its components.
    New(Vertex<K>, Vec<P>),
}
