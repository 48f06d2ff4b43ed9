//! The kinds of boards. Each kind has one descriptor for its structure and its notation; other modules query a property
//! ([`BoardKind::form`], [`BoardKind::lines`], ..) and do not match on a kind. To add a kind, add a variant, a
//! descriptor, and the code at the places that ARCHITECTURE.md lists.

use super::builtins::{Catalogue, Constructor};
use super::typed::SiteKind;

/// The kinds of boards.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum BoardKind {
    /// A multiset of heaps, each a tuple of this many naturals (1: plain heaps).
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

/// The structure of a board, which determines how its literal is written, how it is drawn and how all boards of a size
/// are listed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Form {
    /// Heaps: a list of sizes. They are part of the position; there are no sites.
    Heaps,
    /// Cells in rows: art, or a constructor. Moves cannot remove cells; walls are removed cells.
    Cells,
    /// Named sites, some joined by lines: chains like `a -- b -- c`. Sites can be removed.
    Chains,
    /// State only.
    Scalars,
}

/// The lines between the sites of a board.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Lines {
    /// None; the neighbours of a cell follow from its coordinates.
    None,
    /// `--`: undirected edges.
    Edges,
    /// `->`: arcs.
    Arcs,
    /// `<`: each line says which site is above which; no line can be removed by itself.
    Order,
}

impl Lines {
    /// The sign between two joined sites.
    #[must_use]
    pub fn sign(self) -> &'static str {
        match self {
            Lines::None => "",
            Lines::Edges => "--",
            Lines::Arcs => "->",
            Lines::Order => "<",
        }
    }

    /// The sign between two sites joined by a line with a piece on it.
    #[must_use]
    pub fn sign_with(self, piece: &str) -> String {
        match self {
            Lines::None | Lines::Order => self.sign().to_owned(),
            Lines::Edges => format!("-{piece}-"),
            Lines::Arcs => format!("-{piece}->"),
        }
    }
}

/// The properties of a kind of board.
#[derive(Clone, Copy, Debug)]
pub struct Descriptor {
    /// The word after `board`.
    pub name: &'static str,
    /// Its name with its article.
    pub called: &'static str,
    /// Its structure.
    pub form: Form,
    /// The kind of its sites.
    pub site: Option<SiteKind>,
    /// The name of the set of all its sites: `cells`.
    pub sites: &'static str,
    /// The word for one of its sites.
    pub one: &'static str,
    /// Its lines.
    pub lines: Lines,
    /// A short literal.
    pub example: &'static str,
    /// How literals are written.
    pub written: &'static str,
    /// Its constructors, as a sentence.
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
    /// The kinds that have a keyword, including plain heaps.
    pub const NAMED: [BoardKind; 6] = [
        BoardKind::Heaps(1),
        BoardKind::Strip,
        BoardKind::Grid,
        BoardKind::Graph,
        BoardKind::Digraph,
        BoardKind::Poset,
    ];

    /// Its properties.
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

    /// The kind with this keyword; heaps are tuples of `heap_of` numbers.
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

    /// A number for orders and keys; heaps of tuples have the same number as heaps.
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

    /// Its structure.
    #[must_use]
    #[inline]
    pub fn form(self) -> Form {
        self.descriptor().form
    }

    /// The kind of its sites.
    #[must_use]
    #[inline]
    pub fn site(self) -> Option<SiteKind> {
        self.descriptor().site
    }

    /// Its lines.
    #[must_use]
    #[inline]
    pub fn lines(self) -> Lines {
        self.descriptor().lines
    }

    /// The length of its heaps as tuples, if it has heaps.
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

    /// Whether it has edges or arcs, which can be removed and can have pieces.
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

    /// Whether a board of this kind may be used where `wanted` is required: cells are vertices of a graph, and a strip is
    /// a grid.
    #[must_use]
    pub fn fits(self, wanted: BoardKind) -> bool {
        self == wanted
            || self.has_cells() && wanted.lines() == Lines::Edges
            || self.is_row() && wanted.has_rows()
    }

    /// The kind of a board in one of McKay's formats: graph6, sparse6 or digraph6.
    #[must_use]
    pub fn encoded(format: &str) -> BoardKind {
        match format {
            "digraph6" => BoardKind::Digraph,
            _ => BoardKind::Graph,
        }
    }
}

impl Constructor {
    /// The kinds that its boards may have; the first is the default.
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
