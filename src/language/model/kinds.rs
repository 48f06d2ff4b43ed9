//! The kinds of boards. Each kind has one descriptor, which says what it is made of and how it is written; other modules ask
//! for a property ([`BoardKind::form`], [`BoardKind::lines`], ..) and not for a kind. A new kind is a variant, a
//! descriptor, and the places that ARCHITECTURE.md lists.

use super::builtins::{Catalogue, Constructor};
use super::typed::SiteKind;

/// The kinds of boards.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum BoardKind {
    /// A multiset of heaps, each a tuple of that many naturals (1: plain heaps).
    Heaps(u8),
    /// Cells 1..n.
    Strip,
    /// Cells (row, column).
    Grid,
    /// An undirected multigraph.
    Graph,
    /// A directed graph.
    Digraph,
    /// A partial order.
    Poset,
    /// No board: scalars only.
    Scalars,
}

/// What a board is made of, and so how its literal is written, how it is drawn and how all boards of a size are listed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Form {
    /// Heaps: a list of sizes. They belong to the position; there are no sites.
    Heaps,
    /// Cells in rows: art, or a constructor. Cells are never taken away; walls are.
    Cells,
    /// Named sites with lines between some of them: chains such as `a -- b -- c`. Sites can be taken away.
    Chains,
    /// Nothing but state.
    Scalars,
}

/// What the lines between the sites of a board are.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Lines {
    /// There are none; cells have neighbours by their places.
    None,
    /// `--`: edges, which have no first end.
    Edges,
    /// `->`: arcs.
    Arcs,
    /// `<`: each line says what lies above what; no line can be taken away by itself.
    Order,
}

impl Lines {
    /// The sign between two sites.
    #[must_use]
    pub fn sign(self) -> &'static str {
        match self {
            Lines::None => "",
            Lines::Edges => "--",
            Lines::Arcs => "->",
            Lines::Order => "<",
        }
    }

    /// The sign between two sites with a piece on the line.
    #[must_use]
    pub fn sign_with(self, piece: &str) -> String {
        match self {
            Lines::None | Lines::Order => self.sign().to_owned(),
            Lines::Edges => format!("-{piece}-"),
            Lines::Arcs => format!("-{piece}->"),
        }
    }
}

/// What there is to say of a kind of board.
#[derive(Clone, Copy, Debug)]
pub struct Descriptor {
    /// The word after `board`.
    pub name: &'static str,
    /// With its article.
    pub called: &'static str,
    /// What it is made of.
    pub form: Form,
    /// Its sites.
    pub site: Option<SiteKind>,
    /// The set of all its sites: `cells`.
    pub sites: &'static str,
    /// One of its sites, as a word.
    pub one: &'static str,
    /// Its lines.
    pub lines: Lines,
    /// A short literal.
    pub example: &'static str,
    /// How literals are written.
    pub written: &'static str,
    /// Its constructors, in a sentence.
    pub constructors: &'static str,
}

const HEAPS: Descriptor = Descriptor {
    name: "heaps",
    called: "heaps",
    form: Form::Heaps,
    site: None,
    sites: "heaps",
    one: "heap",
    lines: Lines::None,
    example: "[3, 5]",
    written: "heaps are written `[3, 5, 6]`",
    constructors: "",
};

const TUPLES: Descriptor = Descriptor {
    called: "heaps of tuples",
    example: "[(4, 2)]",
    written: "heaps of tuples are written `[(4, 2), (1, 3)]`",
    ..HEAPS
};

const STRIP: Descriptor = Descriptor {
    name: "strip",
    called: "a strip",
    form: Form::Cells,
    site: Some(SiteKind::StripCell),
    sites: "cells",
    one: "cell",
    lines: Lines::None,
    example: "[strip(5)]",
    written: "a strip is written as art, `\"xo.x\"`, or `strip(20)`",
    constructors: "strips are `strip(n)` and art: `\"xo..\"`",
};

const GRID: Descriptor = Descriptor {
    name: "grid",
    called: "a grid",
    site: Some(SiteKind::GridCell),
    example: "[grid(3, 3)]",
    written: "a grid is written as art, `\"xo.|..x\"`, or `grid(3, 4)`",
    constructors: "grids are `grid(m, n)` and art: `\"xo|..\"`",
    ..STRIP
};

const GRAPH: Descriptor = Descriptor {
    name: "graph",
    called: "a graph",
    form: Form::Chains,
    site: Some(SiteKind::Vertex),
    sites: "vertices",
    one: "vertex",
    lines: Lines::Edges,
    example: "[path(3)]",
    written: "a graph is written `a -- b -- c, b -- d`, or `path(5)`",
    constructors: "graphs are `path(n)`, `cycle(n)`, `complete(n)`, `star(n)`, `grid(m, n)`, `a -- b`",
};

const DIGRAPH: Descriptor = Descriptor {
    name: "digraph",
    called: "a digraph",
    lines: Lines::Arcs,
    written: "a digraph is written `a -> b, a -> c`, or `out_star(3)`",
    constructors: "digraphs are `path(n)`, `cycle(n)`, `in_star(n)`, `out_star(n)`, `transitive_tournament(n)`, `a -> b`",
    ..GRAPH
};

const POSET: Descriptor = Descriptor {
    name: "poset",
    called: "a poset",
    form: Form::Chains,
    site: Some(SiteKind::Element),
    sites: "points",
    one: "point",
    lines: Lines::Order,
    example: "[chain(3)]",
    written: "a poset is written `a < c, b < c`, or `chain(3)`",
    constructors: "posets are `chain(n)`, `antichain(n)`, `chomp(m, n)`, `divisors(n)`, `forest(..)`, `a < b`",
};

const SCALARS: Descriptor = Descriptor {
    name: "no board",
    called: "no board",
    form: Form::Scalars,
    site: None,
    sites: "",
    one: "",
    lines: Lines::None,
    example: "[m: 3]",
    written: "give the state: `m: 3`",
    constructors: "",
};

impl BoardKind {
    /// The kinds that have a word, plain heaps among them.
    pub const NAMED: [BoardKind; 6] = [
        BoardKind::Heaps(1),
        BoardKind::Strip,
        BoardKind::Grid,
        BoardKind::Graph,
        BoardKind::Digraph,
        BoardKind::Poset,
    ];

    /// What there is to say of it.
    #[must_use]
    #[inline]
    pub fn descriptor(self) -> &'static Descriptor {
        match self {
            BoardKind::Heaps(1) => &HEAPS,
            BoardKind::Heaps(_) => &TUPLES,
            BoardKind::Strip => &STRIP,
            BoardKind::Grid => &GRID,
            BoardKind::Graph => &GRAPH,
            BoardKind::Digraph => &DIGRAPH,
            BoardKind::Poset => &POSET,
            BoardKind::Scalars => &SCALARS,
        }
    }

    /// The kind that the word names, with heaps of so many numbers.
    #[must_use]
    pub fn named(word: &str, heap_of: usize) -> Option<BoardKind> {
        let kind = Self::NAMED
            .into_iter()
            .find(|k| k.descriptor().name == word)?;
        Some(match kind {
            BoardKind::Heaps(_) => {
                BoardKind::Heaps(u8::try_from(heap_of.max(1)).unwrap_or(u8::MAX))
            }
            kind => kind,
        })
    }

    /// A number for it in orders and keys; heaps of tuples have that of heaps.
    #[must_use]
    pub fn code(self) -> u8 {
        match self {
            BoardKind::Scalars => 0,
            BoardKind::Strip => 1,
            BoardKind::Grid => 2,
            BoardKind::Graph => 3,
            BoardKind::Digraph => 4,
            BoardKind::Poset => 5,
            BoardKind::Heaps(_) => 6,
        }
    }

    /// What it is made of.
    #[must_use]
    #[inline]
    pub fn form(self) -> Form {
        self.descriptor().form
    }

    /// Its sites.
    #[must_use]
    #[inline]
    pub fn site(self) -> Option<SiteKind> {
        self.descriptor().site
    }

    /// What its lines are.
    #[must_use]
    #[inline]
    pub fn lines(self) -> Lines {
        self.descriptor().lines
    }

    /// How many numbers a heap is, if it has heaps.
    #[must_use]
    #[inline]
    pub fn heap_of(self) -> Option<u8> {
        match self {
            BoardKind::Heaps(k) => Some(k),
            _ => None,
        }
    }

    /// Whether it has heaps.
    #[must_use]
    #[inline]
    pub fn has_heaps(self) -> bool {
        self.form() == Form::Heaps
    }

    /// Whether it has cells.
    #[must_use]
    #[inline]
    pub fn has_cells(self) -> bool {
        self.form() == Form::Cells
    }

    /// Whether its cells are in one row, and numbered.
    #[must_use]
    #[inline]
    pub fn is_row(self) -> bool {
        self.site() == Some(SiteKind::StripCell)
    }

    /// Whether its cells are pairs of a row and a column.
    #[must_use]
    #[inline]
    pub fn has_rows(self) -> bool {
        self.site() == Some(SiteKind::GridCell)
    }

    /// Whether it has edges or arcs, which can be taken away and bear pieces.
    #[must_use]
    #[inline]
    pub fn has_edges(self) -> bool {
        matches!(self.lines(), Lines::Edges | Lines::Arcs)
    }

    /// Whether its edges have a direction.
    #[must_use]
    #[inline]
    pub fn has_arcs(self) -> bool {
        self.lines() == Lines::Arcs
    }

    /// Whether its elements are ordered.
    #[must_use]
    #[inline]
    pub fn is_order(self) -> bool {
        self.lines() == Lines::Order
    }

    /// Whether a board of this kind may be given where `wanted` is asked for: cells are vertices of a graph, and a row of
    /// them is a grid.
    #[must_use]
    pub fn fits(self, wanted: BoardKind) -> bool {
        self == wanted
            || self.has_cells() && wanted.lines() == Lines::Edges
            || self.is_row() && wanted.has_rows()
    }

    /// The kind of a board in one of McKay's formats.
    #[must_use]
    pub fn encoded(format: &str) -> BoardKind {
        match format {
            "digraph6" => BoardKind::Digraph,
            _ => BoardKind::Graph,
        }
    }
}

impl Constructor {
    /// The kinds that its boards may have; the first where nothing else is asked for.
    #[must_use]
    pub fn kinds(self) -> &'static [BoardKind] {
        use Constructor as C;
        match self {
            C::Grid => &[BoardKind::Grid],
            C::Strip => &[BoardKind::Strip],
            C::Path | C::Cycle | C::Complete | C::Star | C::Tree => {
                &[BoardKind::Graph, BoardKind::Digraph]
            }
            C::Stalk => &[BoardKind::Graph],
            C::InStar | C::OutStar | C::TransitiveTournament => &[BoardKind::Digraph],
            C::Chain | C::Antichain | C::Chomp | C::Divisors | C::Forest => &[BoardKind::Poset],
        }
    }
}

impl Catalogue {
    /// The kind of its boards.
    #[must_use]
    pub fn kind(self) -> BoardKind {
        match self {
            Catalogue::Graphs | Catalogue::Trees => BoardKind::Graph,
            Catalogue::Posets => BoardKind::Poset,
        }
    }
}
