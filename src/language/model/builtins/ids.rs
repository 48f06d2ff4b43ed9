//! The identifiers of the built-in functions. Evaluation matches on them without a wildcard arm, so that a function
//! without an implementation does not compile. The meaning of each is documented once, in its row of the table.

/// An enum whose variants are documented by the table, with a list of all variants.
macro_rules! ids {
    ($(#[$about:meta])* $name:ident { $($id:ident),* $(,)? }) => {
        $(#[$about])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        #[allow(missing_docs)]
        pub enum $name { $($id),* }

        impl $name {
            /// All variants.
            pub const ALL: &'static [$name] = &[$($name::$id),*];
        }
    };
}

/// Functions that need no engine.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub enum Builtin {
    Abs,
    Isqrt,
    Bit,
    Gcd,
    /// Also `d(k)` of a parameter of sort `digits`.
    Digit,
    Opponent,
    Players,
    Pieces,
    Heaps,
    /// All sites of a board, or all of its lines.
    AllSites(AllSites),
    /// A set of sites found from one site.
    SitesFrom(SitesFrom),
    /// Properties of a board of cells as drawn, including walls.
    Drawn(Drawn),
    Ends,
    Tail,
    Head,
    Subsets,
    Lists,
    /// All boards of a size up to isomorphism.
    Catalogue(Catalogue),
    Born,
    Sample,
    /// A board by name.
    Construct(Constructor),
    /// The board of a position.
    BoardOf,
    /// `at(G, v)`, `pebbles(G, g, v)`: a state function of a position. The first argument is the position, the second the
    /// function's name. It has no row, since its name is the state function's.
    StateOf,
    /// The range of `t(x in S) in E`, from `[[(x, v) for v in E] for x in S]`: all sets that take one pair from each row.
    /// It has no row, since only the binder uses it.
    Functions,
    /// The code with these digits: `[0, 7, 7]` is `"0.77"`. It has no row, since it only stands for a list in the place of a
    /// code.
    CodeOf,
}

ids! {
    /// Sets of all sites of a kind, or of all lines.
    AllSites { Vertices, Edges, Arcs, Cells, Points }
}

ids! {
    /// Properties of a board as drawn: the numbers of rows and columns, the cells of a row or column, the number of
    /// sites. `Sites` is `size(board)` and shares the row of `size`.
    Drawn { Rows, Columns, Row, Column, Sites }
}

ids! {
    /// Sets of sites found from one site. `ReachWithin` is `reach(v, within: S)` and shares the row of `reach`.
    SitesFrom { Nbrs, Out, Into, Up, Down, Reach, ReachWithin, Group, Component, Ray, Slide }
}

ids! {
    /// Lists with one board of each isomorphism class.
    Catalogue { Graphs, Trees, Posets }
}

ids! {
    /// Boards with a name.
    Constructor {
        Grid, Strip, Path, Cycle, Complete, Star, InStar, OutStar, TransitiveTournament, Stalk, Tree, Chain, Antichain,
        Chomp, Divisors, Forest,
    }
}

ids! {
    /// Folds over sets and lists of integers (`Size`: of anything).
    Fold { Size, Min, Max, Sum, Xor, Mex }
}

ids! {
    /// Functions evaluated by an engine or by the algebra of games.
    GameFunction {
        Value, Outcome, MisereOutcome, Remoteness, Score, Suspense, Conjunctive, Continued, Selective, Shortened,
        Sequential, Nimber, Gset, Birthday, Mean, Temperature, Thermograph, LeftStop,
        RightStop, Identical, Confused, Moves, Options, Positions, Best, Winner, Wins, Coalitions, Tiny, Miny, Canonical,
        LeftOptions, RightOptions, LeftIncentives, RightIncentives, Incentives, AtomicWeight, Reduced, Uptimal, Followers,
        StopCount, RemoteStar, ConfusionInterval, OrdinalSum, ConwayProduct, Norton, Heat, Cool, Chill, Freeze, Overheat,
        Companion, Pow, PowTo, NimSum, NimProduct, NimQuotient, NimPower, IsNumber, IsInteger, IsNimber, IsInfinitesimal,
        IsAllSmall, IsEvenTempered, IsOddTempered, IsNumberish, IsUptimal, Onside, Offside, Sides, Degree, IsStopper,
        Genus, IsTame, MisereNimber, MisereForm, MisereQuotient, Phi, Indistinguishable, MisereLe,
    }
}

impl Builtin {
    /// All functions that have a row.
    pub fn all() -> impl Iterator<Item = Builtin> {
        use Builtin as B;
        let plain = [
            B::Abs,
            B::Isqrt,
            B::Bit,
            B::Gcd,
            B::Digit,
            B::Opponent,
            B::Players,
            B::Pieces,
            B::Heaps,
            B::Ends,
            B::Tail,
            B::Head,
            B::Subsets,
            B::Lists,
            B::Born,
            B::Sample,
            B::BoardOf,
        ];
        let from = SitesFrom::ALL
            .iter()
            .filter(|f| **f != SitesFrom::ReachWithin);
        plain
            .into_iter()
            .chain(AllSites::ALL.iter().map(|f| B::AllSites(*f)))
            .chain(from.map(|f| B::SitesFrom(*f)))
            .chain(
                Drawn::ALL
                    .iter()
                    .filter(|f| **f != Drawn::Sites)
                    .map(|f| B::Drawn(*f)),
            )
            .chain(Catalogue::ALL.iter().map(|f| B::Catalogue(*f)))
            .chain(Constructor::ALL.iter().map(|f| B::Construct(*f)))
    }
}
