//! The algebra of loopy games: values of graphs of moves, as canonical stoppers and pairs of sides.
//!
//! A loopy game is a finite graph of moves in which play may never end; infinite play is drawn. G⁺ is the game G in which
//! Left wins infinite play, G⁻ the one in which Right does. A *stopper* has no infinite play in which the players
//! alternate. G ≤ H exactly if G⁺ ≤ H⁺ and G⁻ ≤ H⁻. Where G⁺ = S⁺ and G⁻ = T⁻ for stoppers S and T, the value of G is
//! written S & T; S is its onside and T its offside (Siegel, *Combinatorial Game Theory*, chapter VI; *Winning Ways*,
//! chapter 11; Siegel, *Coping with Cycles*).
//!
//! [`Loops`] is the arena, and a [`Side`] is a handle into it. Handles of stoppers are equal exactly if the games are: a
//! stopper has one canonical form (Siegel VI.2), which is interned by strongly connected classes. A stopper without cycles
//! is a canonical form of [`Forms`]. A [`Loopy`] is a value: its two sides. A side that equals no stopper, for example one
//! of Bach's carousel, is kept as its graph: it has an order and outcomes like any other, but no canonical form.
//!
//! ```
//! # use cgdsl_mathematics as cgdsl;
//! use cgdsl::value::Forms;
//! use cgdsl::value::loopy::{Loops, notation};
//! use cgdsl::value::notation::Style;
//! let (forms, mut loops) = (Forms::new(), Loops::new(1 << 24));
//! let sum = notation::read(&forms, &mut loops, "over - over").unwrap();
//! assert_eq!(notation::print(&forms, &mut loops, sum, Style::Ascii).unwrap(), "over & under");
//! ```
//!
//! `sides.rs` finds the sides; `pairs.rs` compares games.

mod graph;
mod intern;
mod named;
pub mod notation;
mod pairs;
mod sides;
mod solve;
mod sum;

use super::{CanonicalForm, Forms, OutOfMemory};
use graph::To;
use rustc_hash::FxHashMap;
use std::fmt;

pub use named::Name;
pub use solve::{Edge, Moves};

/// One side of a value: a handle into [`Loops`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Side(u32);

/// The value of a loopy game: its onside and its offside.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Loopy {
    /// The value where Left wins infinite play.
    pub onside: Side,
    /// The value where Right wins infinite play.
    pub offside: Side,
}

impl Loopy {
    /// The value of a stopper, whose sides are the same.
    #[must_use]
    pub fn of(side: Side) -> Loopy {
        Loopy {
            onside: side,
            offside: side,
        }
    }

    /// The side, if both sides are the same.
    #[must_use]
    pub fn as_one(self) -> Option<Side> {
        (self.onside == self.offside).then_some(self.onside)
    }
}

/// Who wins infinite play.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Mode {
    /// Left: the onside.
    On,
    /// Right: the offside.
    Off,
}

/// Why an answer is unknown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Halt {
    /// The memory is used up, or the computation was cancelled from outside.
    Memory,
    /// A graph is too large to be compared or added.
    Size,
}

impl From<OutOfMemory> for Halt {
    fn from(_: OutOfMemory) -> Halt {
        Halt::Memory
    }
}

impl fmt::Display for Halt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Halt::Memory => "the memory for loopy values is spent",
            Halt::Size => "the graph of moves is too large to be compared",
        })
    }
}

impl std::error::Error for Halt {}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Short(CanonicalForm),
    /// A vertex of a class of a canonical stopper.
    Stopper,
    /// A vertex of a graph whose side equals no stopper.
    Graph,
}

struct Node {
    kind: Kind,
    // Whether the options are listed. Those of a short game are listed on first use.
    listed: bool,
    left: Box<[u32]>,
    right: Box<[u32]>,
}

/// The two questions about a pair: whether Left survives if Right moves first, and if Left does.
const RIGHT_FIRST: u8 = 1;
const LEFT_FIRST: u8 = 2;

/// The arena of loopy values.
pub struct Loops {
    nodes: Vec<Node>,
    shorts: FxHashMap<CanonicalForm, u32>,
    // Classes of canonical stoppers by their encoding, each with the node of its first vertex.
    classes: FxHashMap<Box<[u32]>, u32>,
    // For two stoppers: bits 0 and 1 say which of the two answers are known, bits 2 and 3 are the answers.
    order: FxHashMap<(u32, u32), u8>,
    sums: FxHashMap<(u32, u32), Loopy>,
    negatives: FxHashMap<u32, u32>,
    solved: FxHashMap<Box<[u32]>, Box<[Loopy]>>,
    used: usize,
    limit: usize,
    checked: u64,
}

impl fmt::Debug for Loops {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Loops")
            .field("nodes", &self.nodes.len())
            .field("bytes", &self.used)
            .finish_non_exhaustive()
    }
}

impl Loops {
    /// An empty arena that may use `limit` bytes.
    #[must_use]
    pub fn new(limit: usize) -> Loops {
        Loops {
            nodes: Vec::new(),
            shorts: FxHashMap::default(),
            classes: FxHashMap::default(),
            order: FxHashMap::default(),
            sums: FxHashMap::default(),
            negatives: FxHashMap::default(),
            solved: FxHashMap::default(),
            used: 0,
            limit,
            checked: 0,
        }
    }

    /// The approximate number of bytes that the arena holds.
    #[must_use]
    pub fn memory(&self) -> usize {
        self.used
    }

    /// The number of certificates of sides that were checked.
    #[must_use]
    pub fn certificates(&self) -> u64 {
        self.checked
    }

    fn charge(&mut self, bytes: usize) -> Result<(), Halt> {
        self.used = self.used.saturating_add(bytes);
        if self.used > self.limit || self.nodes.len() >= 1 << 30 {
            return Err(Halt::Memory);
        }
        Ok(())
    }

    fn push(&mut self, kind: Kind, left: Box<[u32]>, right: Box<[u32]>) -> Result<u32, Halt> {
        self.charge(size_of::<Node>() + 4 * (left.len() + right.len()) + 48)?;
        let id = self.nodes.len() as u32;
        let listed = !matches!(kind, Kind::Short(_));
        self.nodes.push(Node {
            kind,
            listed,
            left,
            right,
        });
        Ok(id)
    }

    /// The side that is the given short game.
    ///
    /// # Errors
    /// The memory is used up.
    pub fn short(&mut self, g: CanonicalForm) -> Result<Side, Halt> {
        if let Some(id) = self.shorts.get(&g) {
            return Ok(Side(*id));
        }
        let id = self.push(Kind::Short(g), Box::default(), Box::default())?;
        self.shorts.insert(g, id);
        Ok(Side(id))
    }

    /// The short game, if the side is one.
    #[must_use]
    pub fn as_short(&self, side: Side) -> Option<CanonicalForm> {
        match self.nodes[side.0 as usize].kind {
            Kind::Short(g) => Some(g),
            _ => None,
        }
    }

    /// The short game that the value equals, if there is one.
    #[must_use]
    pub fn as_short_value(&self, value: Loopy) -> Option<CanonicalForm> {
        value.as_one().and_then(|s| self.as_short(s))
    }

    /// Whether the side equals a stopper.
    #[must_use]
    pub fn is_found(&self, side: Side) -> bool {
        self.nodes[side.0 as usize].kind != Kind::Graph
    }

    /// Whether the value is that of a stopper.
    #[must_use]
    pub fn is_stopper(&self, value: Loopy) -> bool {
        value.as_one().is_some_and(|s| self.is_found(s))
    }

    /// The options of Left and of Right: in canonical form, or for a side that equals no stopper, the moves of its graph.
    ///
    /// # Errors
    /// The memory is used up.
    pub fn options(&mut self, forms: &Forms, side: Side) -> Result<[Vec<Side>; 2], Halt> {
        self.list(forms, side.0)?;
        let node = &self.nodes[side.0 as usize];
        let all = |list: &[u32]| list.iter().map(|id| Side(*id)).collect();
        Ok([all(&node.left), all(&node.right)])
    }

    // Lists the options of a short game, so that it can be used like any other node.
    fn list(&mut self, forms: &Forms, id: u32) -> Result<(), Halt> {
        let node = &self.nodes[id as usize];
        let Kind::Short(g) = node.kind else {
            return Ok(());
        };
        if node.listed {
            return Ok(());
        }
        let mut sides = [forms.left_options(g)?, forms.right_options(g)?].map(|all| {
            all.into_iter()
                .map(|h| self.short(h).map(|s| s.0))
                .collect::<Result<Vec<_>, Halt>>()
        });
        let mut take = |i: usize| std::mem::replace(&mut sides[i], Ok(Vec::new()));
        let (left, right) = (take(0)?, take(1)?);
        self.charge(4 * (left.len() + right.len()))?;
        let node = &mut self.nodes[id as usize];
        node.left = left.into();
        node.right = right.into();
        node.listed = true;
        Ok(())
    }

    // The node and its followers, without short games; the node itself comes first.
    fn followers(&self, id: u32) -> Vec<u32> {
        let mut seen = rustc_hash::FxHashSet::default();
        let mut all = Vec::new();
        let mut open = vec![id];
        while let Some(id) = open.pop() {
            let node = &self.nodes[id as usize];
            if matches!(node.kind, Kind::Short(_)) || !seen.insert(id) {
                continue;
            }
            all.push(id);
            open.extend(node.left.iter().chain(&node.right).rev());
        }
        all
    }

    /// The number of different games among the side and its followers, not counting short games.
    #[must_use]
    pub fn size(&self, side: Side) -> usize {
        self.followers(side.0).len()
    }

    /// Whether G ≤ H.
    ///
    /// # Errors
    /// Memory or size limits.
    pub fn less_or_equal(&mut self, forms: &Forms, g: Loopy, h: Loopy) -> Result<bool, Halt> {
        Ok(self.side_le(forms, g.onside, h.onside, Mode::On)?
            && self.side_le(forms, g.offside, h.offside, Mode::Off)?)
    }

    /// Whether G = H, also for games without canonical form.
    ///
    /// # Errors
    /// Memory or size limits.
    pub fn equal(&mut self, forms: &Forms, g: Loopy, h: Loopy) -> Result<bool, Halt> {
        if g == h {
            return Ok(true);
        }
        let found = |s: Side| self.is_found(s);
        if [g.onside, g.offside, h.onside, h.offside]
            .into_iter()
            .all(found)
        {
            return Ok(false);
        }
        Ok(self.less_or_equal(forms, g, h)? && self.less_or_equal(forms, h, g)?)
    }

    fn side_le(&mut self, forms: &Forms, a: Side, b: Side, mode: Mode) -> Result<bool, Halt> {
        let graph = graph::Graph::default();
        let mut pairs = pairs::Pairs::new(forms, self, &graph, mode);
        pairs.le(To::node(a.0), To::node(b.0))
    }

    /// Whether Left wins if Left begins, and if Right begins; `None` where nobody wins.
    ///
    /// # Errors
    /// Memory or size limits.
    pub fn outcome(&mut self, forms: &Forms, g: Loopy) -> Result<[Option<bool>; 2], Halt> {
        let zero = self.short(CanonicalForm::ZERO)?;
        let graph = graph::Graph::default();
        let mut answers = [[false; 2]; 2];
        for (mode, side, i) in [(Mode::On, g.onside, 0), (Mode::Off, g.offside, 1)] {
            let mut pairs = pairs::Pairs::new(forms, self, &graph, mode);
            answers[i] = [
                pairs.ask(To::node(zero.0), To::node(side.0), LEFT_FIRST)?,
                pairs.ask(To::node(zero.0), To::node(side.0), RIGHT_FIRST)?,
            ];
        }
        // Left wins if she survives even where infinite play is lost for her. Right wins if she does not survive even where
        // it is won.
        let [on, off] = answers;
        Ok([0, 1].map(|i| match (on[i], off[i]) {
            (_, true) => Some(true),
            (false, _) => Some(false),
            _ => None,
        }))
    }
}
