//! The one table of everything that a file may name without defining it: functions, sets, constants, constructors,
//! board kinds, sorts, keywords. Messages, docs and completion read it; a new value function is one row of it.

use super::typed::{Builtin, Fold};

/// A row of the table.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// As written in a file.
    pub name: &'static str,
    /// What it is.
    pub what: What,
    /// How it is called: `reach(v), reach(G, v)`.
    pub signature: &'static str,
    /// One line, no full stop.
    pub doc: &'static str,
    /// A line of the language in which it stands.
    pub example: &'static str,
}

/// The kinds of rows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum What {
    /// A function or set that needs no engine.
    Function(Builtin),
    /// `size min max sum xor mex`
    Fold(Fold),
    /// A function that the host answers.
    Game(GameFunction),
    /// A constant: pieces, directions, outcomes, `true`.
    Constant,
    /// A way to derive a ruleset from another.
    Derivation,
    /// A kind of board, after `board` or before a brace.
    BoardKind,
    /// A sort of parameters and state.
    Sort,
    /// A reserved word: it names nothing else.
    Keyword,
    /// A word that has a meaning in one place only and may be a name elsewhere.
    Word,
}

/// A function that needs an engine or the algebra of games.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GameFunction {
    /// Its arguments in order; those with a name may be given by it and come after the others.
    pub arguments: &'static [Argument],
    /// What it answers.
    pub answer: Answer,
    /// Whether it has a meaning for two players only.
    pub two_players: bool,
}

/// An argument of a [`GameFunction`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Argument {
    /// Its name in messages and, for named ones, in files.
    pub name: &'static str,
    /// What it takes.
    pub takes: Takes,
    /// Given by name: `first: A`.
    pub named: bool,
    /// May be left out.
    pub optional: bool,
}

/// What an argument takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Takes {
    /// A game; of a position its value is taken.
    Game,
    /// A position as it is, or a game.
    Either,
    /// A position.
    Position,
    /// An integer.
    Int,
    /// A player.
    Player,
    /// A set of players.
    Coalition,
}

/// What a [`GameFunction`] answers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Answer {
    /// A game; numbers such as a temperature are games too.
    Game,
    /// An integer.
    Int,
    /// True or false.
    Bool,
    /// An outcome.
    Outcome,
    /// A player, or queer.
    Player,
    /// A set of integers.
    Ints,
    /// A set of positions.
    Positions,
    /// A set of games.
    Games,
    /// A set of sets of players.
    Coalitions,
    /// Something to be shown.
    Report,
}

const fn plain(name: &'static str, takes: Takes) -> Argument {
    Argument {
        name,
        takes,
        named: false,
        optional: false,
    }
}

const G: Argument = plain("G", Takes::Game);
const H: Argument = plain("H", Takes::Game);
const EITHER: Argument = plain("G", Takes::Either);
const POSITION: Argument = plain("G", Takes::Position);
const N: Argument = plain("n", Takes::Int);
const M: Argument = plain("m", Takes::Int);
const T: Argument = plain("t", Takes::Game);
const S: Argument = plain("s", Takes::Game);
const PLAYER: Argument = plain("p", Takes::Player);
const MAYBE_PLAYER: Argument = Argument {
    optional: true,
    ..PLAYER
};
const COALITION: Argument = Argument {
    name: "coalition",
    takes: Takes::Coalition,
    named: true,
    optional: false,
};
const FIRST: Argument = Argument {
    name: "first",
    takes: Takes::Player,
    named: true,
    optional: false,
};

const fn row(
    name: &'static str,
    what: What,
    signature: &'static str,
    doc: &'static str,
    example: &'static str,
) -> Row {
    Row {
        name,
        what,
        signature,
        doc,
        example,
    }
}

const fn f(
    name: &'static str,
    builtin: Builtin,
    signature: &'static str,
    doc: &'static str,
    example: &'static str,
) -> Row {
    row(name, What::Function(builtin), signature, doc, example)
}

/// A function for two players.
const fn g(
    name: &'static str,
    arguments: &'static [Argument],
    answer: Answer,
    signature: &'static str,
    doc: &'static str,
    example: &'static str,
) -> Row {
    let function = GameFunction {
        arguments,
        answer,
        two_players: true,
    };
    row(name, What::Game(function), signature, doc, example)
}

/// A function for any number of players.
const fn many(
    name: &'static str,
    arguments: &'static [Argument],
    answer: Answer,
    signature: &'static str,
    doc: &'static str,
    example: &'static str,
) -> Row {
    let function = GameFunction {
        arguments,
        answer,
        two_players: false,
    };
    row(name, What::Game(function), signature, doc, example)
}

const fn fold(name: &'static str, fold: Fold, doc: &'static str, example: &'static str) -> Row {
    row(
        name,
        What::Fold(fold),
        "of a set, a list, several arguments, or E for x in S",
        doc,
        example,
    )
}

const fn constant(name: &'static str, doc: &'static str, example: &'static str) -> Row {
    row(name, What::Constant, name, doc, example)
}

const fn board(name: &'static str, doc: &'static str, example: &'static str) -> Row {
    row(name, What::BoardKind, name, doc, example)
}

const fn sort(name: &'static str, doc: &'static str, example: &'static str) -> Row {
    row(name, What::Sort, name, doc, example)
}

const fn keyword(name: &'static str, doc: &'static str, example: &'static str) -> Row {
    row(name, What::Keyword, name, doc, example)
}

const fn word(name: &'static str, doc: &'static str, example: &'static str) -> Row {
    row(name, What::Word, name, doc, example)
}

/// The table.
pub const TABLE: &[Row] = &[
    // Arithmetic.
    f(
        "abs",
        Builtin::Abs,
        "abs(n)",
        "the absolute value of an integer",
        "abs(a - b)",
    ),
    f(
        "isqrt",
        Builtin::Isqrt,
        "isqrt(n)",
        "the integer part of the square root",
        "isqrt(n)",
    ),
    f(
        "bit",
        Builtin::Bit,
        "bit(n, k)",
        "the k-th binary digit of n, 0 or 1, from k = 0",
        "bit(d, k) = 1",
    ),
    f(
        "gcd",
        Builtin::Gcd,
        "gcd(m, n)",
        "the greatest common divisor; gcd(0, n) = |n|",
        "gcd(n, k) = 1",
    ),
    f(
        "digit",
        Builtin::Digit,
        "digit(code, k)",
        "the k-th digit after the point of a code, 0 beyond its end",
        "digit(\"0.77\", 1)",
    ),
    fold(
        "size",
        Fold::Size,
        "how many elements",
        "size(nbrs(v)) <= 2",
    ),
    fold("min", Fold::Min, "the least", "min(a, b)"),
    fold("max", Fold::Max, "the greatest", "max(0, 3*a - 5)"),
    fold(
        "sum",
        Fold::Sum,
        "the sum; 0 of nothing",
        "sum(k for k in 1..n)",
    ),
    fold(
        "xor",
        Fold::Xor,
        "the nim-sum of naturals: binary addition without carries",
        "xor(a, b, c) = 0",
    ),
    fold(
        "mex",
        Fold::Mex,
        "the least natural that is not among them",
        "mex({0, 1, 3})",
    ),
    // Players and pieces.
    f(
        "opponent",
        Builtin::Opponent,
        "opponent(p)",
        "the other player; two players only",
        "at(b) = opponent(p)",
    ),
    f(
        "players",
        Builtin::Players,
        "players",
        "all players",
        "all p in players: p owns at(v)",
    ),
    f(
        "pieces",
        Builtin::Pieces,
        "pieces",
        "all declared pieces",
        "c in pieces",
    ),
    // Sets of sites.
    f(
        "vertices",
        Builtin::Vertices,
        "vertices, vertices(G)",
        "the vertices that are there",
        "v in vertices",
    ),
    f(
        "edges",
        Builtin::Edges,
        "edges, edges(G)",
        "the edges that are there",
        "e in edges(G)",
    ),
    f(
        "arcs",
        Builtin::Arcs,
        "arcs, arcs(G)",
        "the arcs that are there",
        "size(arcs)",
    ),
    f(
        "cells",
        Builtin::Cells,
        "cells, cells(G)",
        "the cells of a grid or strip",
        "a in cells",
    ),
    f(
        "points",
        Builtin::Points,
        "points, points(P)",
        "the elements of a poset that are there",
        "x in points",
    ),
    f(
        "heaps",
        Builtin::Heaps,
        "heaps, heaps(G)",
        "the sizes of the heaps that are there, as a list in increasing order",
        "no m in heaps: m > n",
    ),
    f(
        "nbrs",
        Builtin::Nbrs,
        "nbrs(v), nbrs(G, v)",
        "the neighbours of a vertex, or of a cell (orthogonally); v is not among them",
        "no w in nbrs(v): at(w) = o",
    ),
    f(
        "out",
        Builtin::Out,
        "out(v), out(G, v)",
        "where arcs from v lead",
        "v in out(token)",
    ),
    f(
        "into",
        Builtin::Into,
        "into(v), into(G, v)",
        "from where arcs lead to v",
        "u in into(v)",
    ),
    f(
        "ends",
        Builtin::Ends,
        "ends(e)",
        "the two ends of an edge",
        "v in ends(e)",
    ),
    f(
        "tail",
        Builtin::Tail,
        "tail(a)",
        "the vertex that an arc leaves",
        "u = tail(a)",
    ),
    f(
        "head",
        Builtin::Head,
        "head(a)",
        "the vertex that an arc enters",
        "v = head(a)",
    ),
    f(
        "up",
        Builtin::Up,
        "up(x), up(P, x)",
        "the elements at or above x",
        "remove up(x)",
    ),
    f(
        "down",
        Builtin::Down,
        "down(x), down(P, x)",
        "the elements at or below x",
        "remove down(x)",
    ),
    f(
        "reach",
        Builtin::Reach,
        "reach(v), reach(G, v), reach(v, within: S)",
        "what can be reached from v, v included; along the arcs of a digraph; through sites of S only",
        "keep reach(ground)",
    ),
    f(
        "group",
        Builtin::Group,
        "group(v)",
        "the sites joined to v through sites that hold the same piece as v, v included; of an empty site its empty region",
        "some w in group(v): home(p, w) = 2",
    ),
    f(
        "component",
        Builtin::Component,
        "component(v), component(G, v)",
        "what is joined to v by edges, or by arcs whichever way they point; v included",
        "keep component(tail(a))",
    ),
    f(
        "ray",
        Builtin::Ray,
        "ray(a, D)",
        "the cells from a in direction D on to the edge or a wall, without a",
        "b in ray(a, south)",
    ),
    f(
        "slide",
        Builtin::Slide,
        "slide(a, D)",
        "the cells from a in direction D while they are empty, without a",
        "b in slide(a, compass)",
    ),
    f(
        "board",
        Builtin::BoardOf,
        "board(G)",
        "the board of a position",
        "vertices(board(G))",
    ),
    // Domains of queries.
    f(
        "subsets",
        Builtin::Subsets,
        "subsets(S)",
        "all subsets of a set",
        "T in subsets({1, 2, 3})",
    ),
    f(
        "lists",
        Builtin::Lists,
        "lists(S, n)",
        "all lists of length n with entries from S",
        "l in lists({0, 1}, 3)",
    ),
    f(
        "graphs",
        Builtin::Graphs,
        "graphs(n)",
        "all graphs on n vertices up to isomorphism",
        "claim \"c\" for G in graphs(4): nimber(NodeKayles[G]) <= 4",
    ),
    f(
        "trees",
        Builtin::Trees,
        "trees(n)",
        "all trees on n vertices up to isomorphism",
        "G in trees(5)",
    ),
    f(
        "posets",
        Builtin::Posets,
        "posets(n)",
        "all partial orders on n elements up to isomorphism",
        "P in posets(4)",
    ),
    f(
        "born",
        Builtin::Born,
        "born(d)",
        "all games born by day d",
        "claim \"c\" for G in born(2): G - G == 0",
    ),
    f(
        "sample",
        Builtin::Sample,
        "sample(n, seed, D)",
        "n elements of the domain D, drawn by a seed",
        "G in sample(100, 1, born(3))",
    ),
    // Boards.
    f(
        "grid",
        Builtin::Grid,
        "grid(m, n)",
        "m rows of n cells",
        "Domineering[grid(3, 4)]",
    ),
    f(
        "strip",
        Builtin::Strip,
        "strip(n)",
        "n cells in a row",
        "Pebbles[strip(20)]",
    ),
    f(
        "path",
        Builtin::Path,
        "path(n)",
        "a path on n vertices, 1 to n",
        "Col[path(5)]",
    ),
    f(
        "cycle",
        Builtin::Cycle,
        "cycle(n)",
        "a cycle on n vertices",
        "Geography[cycle(5), token: c[1]]",
    ),
    f(
        "complete",
        Builtin::Complete,
        "complete(n)",
        "n vertices, each joined to each",
        "Snort[complete(4)]",
    ),
    f(
        "star",
        Builtin::Star,
        "star(n)",
        "a centre 0 with n leaves",
        "Col[star(3)]",
    ),
    f(
        "in_star",
        Builtin::InStar,
        "in_star(n)",
        "n vertices with arcs to the centre 0",
        "Geography[in_star(3), token: 1]",
    ),
    f(
        "out_star",
        Builtin::OutStar,
        "out_star(n)",
        "a centre 0 with arcs to n vertices",
        "Geography[out_star(3), token: 0]",
    ),
    f(
        "transitive_tournament",
        Builtin::TransitiveTournament,
        "transitive_tournament(n)",
        "n vertices with an arc from each to each later one",
        "Geography[transitive_tournament(3), token: 1]",
    ),
    f(
        "stalk",
        Builtin::Stalk,
        "stalk(pieces)",
        "a path upwards from the root whose edges bear the pieces of a string or list",
        "Hackenbush[stalk(\"brb\")]",
    ),
    f(
        "tree",
        Builtin::Tree,
        "tree(r(a, b))",
        "a tree written as a term: a node, then its children",
        "Col[tree(r(a, b(c)))]",
    ),
    f(
        "chain",
        Builtin::Chain,
        "chain(n)",
        "n elements one above the other",
        "PosetGame[chain(3)]",
    ),
    f(
        "antichain",
        Builtin::Antichain,
        "antichain(n)",
        "n elements side by side",
        "PosetGame[antichain(3)]",
    ),
    f(
        "chomp",
        Builtin::Chomp,
        "chomp(m, n)",
        "the bar of Chomp without its poisoned corner",
        "PosetGame[chomp(3, 4)]",
    ),
    f(
        "divisors",
        Builtin::Divisors,
        "divisors(n)",
        "the divisors of n but 1, by divisibility",
        "PosetGame[divisors(72)]",
    ),
    f(
        "forest",
        Builtin::Forest,
        "forest(r(a, b), s)",
        "rooted trees as a poset",
        "PosetGame[forest(r(a, b))]",
    ),
    // Values.
    g(
        "value",
        &[G],
        Answer::Game,
        "value(G)",
        "the canonical form",
        "value(G) == 1/2",
    ),
    g(
        "outcome",
        &[EITHER],
        Answer::Outcome,
        "outcome(G)",
        "who can force a win, by who begins: one of nine outcomes where play can be drawn",
        "outcome(G) = N-position",
    ),
    g(
        "misere_outcome",
        &[POSITION],
        Answer::Outcome,
        "misere_outcome(G)",
        "who wins if who moves last loses",
        "misere_outcome(Nim[1, 1]) = N-position",
    ),
    g(
        "remoteness",
        &[POSITION, FIRST],
        Answer::Int,
        "remoteness(G, first: p)",
        "the number of moves to the end where the winner hurries and the loser holds out",
        "remoteness(G, first: Left) = 5",
    ),
    g(
        "nimber",
        &[EITHER],
        Answer::Int,
        "nimber(G)",
        "the n of an impartial position of value *n",
        "nimber(Nim[3, 5]) = 6",
    ),
    g(
        "gset",
        &[EITHER],
        Answer::Ints,
        "gset(G)",
        "the nimbers of the options of an impartial position",
        "gset(Nim[3]) = {0, 1, 2}",
    ),
    g(
        "birthday",
        &[G],
        Answer::Int,
        "birthday(G)",
        "the birthday of the value",
        "birthday({1|-1}) = 2",
    ),
    g(
        "mean",
        &[G],
        Answer::Game,
        "mean(G)",
        "the mean value: the mast of the thermograph",
        "mean({3|-1}) == 1",
    ),
    g(
        "temperature",
        &[G],
        Answer::Game,
        "temperature(G)",
        "the height at which the walls of the thermograph meet; -1/2^k of a number m/2^k",
        "temperature({3|-1}) == 2",
    ),
    g(
        "thermograph",
        &[G],
        Answer::Report,
        "thermograph(G)",
        "both walls with their corners",
        "eval thermograph({3||1|-1})",
    ),
    g(
        "left_stop",
        &[G],
        Answer::Game,
        "left_stop(G)",
        "the number reached if Left starts and both play well until it is one",
        "left_stop({3|-1}) == 3",
    ),
    g(
        "right_stop",
        &[G],
        Answer::Game,
        "right_stop(G)",
        "the number reached if Right starts and both play well until it is one",
        "right_stop({3|-1}) == -1",
    ),
    g(
        "identical",
        &[EITHER, plain("H", Takes::Either)],
        Answer::Bool,
        "identical(G, H)",
        "the same form, option by option",
        "identical({0|0}, *)",
    ),
    g(
        "confused",
        &[G, H],
        Answer::Bool,
        "confused(G, H)",
        "neither G <= H nor H <= G",
        "confused(*, 0)",
    ),
    // Positions.
    many(
        "moves",
        &[POSITION, MAYBE_PLAYER],
        Answer::Report,
        "moves(G), moves(G, p)",
        "every move with the position it leads to",
        "eval moves(Nim[3])",
    ),
    many(
        "options",
        &[POSITION, MAYBE_PLAYER],
        Answer::Positions,
        "options(G), options(G, p)",
        "the positions that one move reaches",
        "options(Nim[2]) = {Nim[0], Nim[1]}",
    ),
    many(
        "positions",
        &[POSITION],
        Answer::Positions,
        "positions(G)",
        "every position that moves of any players reach, G included",
        "size(positions(Nim[3])) = 4",
    ),
    g(
        "best",
        &[POSITION, PLAYER],
        Answer::Positions,
        "best(G, p)",
        "the options that are best for p",
        "eval best(Nim[3, 5], Left)",
    ),
    many(
        "winner",
        &[POSITION, FIRST],
        Answer::Player,
        "winner(G, first: p)",
        "the player who wins alone against all others, or queer",
        "winner(G, first: 1) = 2",
    ),
    many(
        "wins",
        &[POSITION, COALITION, FIRST],
        Answer::Bool,
        "wins(G, coalition: C, first: p)",
        "whether the coalition can force that one of them wins",
        "wins(G, coalition: {1, 3}, first: 2)",
    ),
    many(
        "coalitions",
        &[POSITION, FIRST],
        Answer::Coalitions,
        "coalitions(G, first: p)",
        "the least coalitions that win",
        "coalitions(G, first: 1)",
    ),
    // The algebra.
    g(
        "Tiny",
        &[G],
        Answer::Game,
        "Tiny(G)",
        "{0||0|-G}",
        "Tiny(2) > 0",
    ),
    g(
        "Miny",
        &[G],
        Answer::Game,
        "Miny(G)",
        "{G|0||0}",
        "Miny(2) < 0",
    ),
    g(
        "canonical",
        &[G],
        Answer::Game,
        "canonical(G)",
        "the canonical form",
        "canonical({0, 0|}) == 1",
    ),
    g(
        "left_options",
        &[G],
        Answer::Games,
        "left_options(G)",
        "Left's options of the canonical form",
        "left_options({1|-1}) = {1}",
    ),
    g(
        "right_options",
        &[G],
        Answer::Games,
        "right_options(G)",
        "Right's options of the canonical form",
        "size(right_options({1|-1})) = 1",
    ),
    g(
        "left_incentives",
        &[G],
        Answer::Games,
        "left_incentives(G)",
        "G^L - G for Left's options",
        "eval left_incentives(^)",
    ),
    g(
        "right_incentives",
        &[G],
        Answer::Games,
        "right_incentives(G)",
        "G - G^R for Right's options",
        "eval right_incentives(^)",
    ),
    g(
        "incentives",
        &[G],
        Answer::Games,
        "incentives(G)",
        "the incentives of both players",
        "eval incentives({3|-1})",
    ),
    g(
        "atomic_weight",
        &[G],
        Answer::Game,
        "atomic_weight(G)",
        "the atomic weight; of some games it does not exist",
        "atomic_weight(^) == 1",
    ),
    g(
        "reduced",
        &[G],
        Answer::Game,
        "reduced(G)",
        "the reduced canonical form: G up to infinitesimals",
        "reduced({1|-1} + ^) == {1|-1}",
    ),
    g(
        "uptimal",
        &[G],
        Answer::Report,
        "uptimal(G)",
        "the uptimal expansion; of some games it does not exist",
        "eval uptimal(^<2>)",
    ),
    g(
        "followers",
        &[G],
        Answer::Int,
        "followers(G)",
        "how many distinct followers the canonical form has, itself included",
        "followers(*) = 2",
    ),
    g(
        "stop_count",
        &[G],
        Answer::Int,
        "stop_count(G)",
        "how many stops its play has",
        "stop_count({1|-1}) = 2",
    ),
    g(
        "remote_star",
        &[G],
        Answer::Int,
        "remote_star(G)",
        "the least n such that *n is remote for G",
        "remote_star(*2)",
    ),
    g(
        "confusion_interval",
        &[G],
        Answer::Report,
        "confusion_interval(G)",
        "the numbers with which G is confused",
        "eval confusion_interval({3|-1})",
    ),
    g(
        "ordinal_sum",
        &[G, H],
        Answer::Game,
        "ordinal_sum(G, H), G : H",
        "a move in G annihilates H",
        "ordinal_sum(*, 1)",
    ),
    g(
        "conway_product",
        &[G, H],
        Answer::Game,
        "conway_product(G, H)",
        "Conway's product, of numbers and nimbers",
        "conway_product(1/2, 3) == 3/2",
    ),
    g(
        "norton",
        &[G, H],
        Answer::Game,
        "norton(G, U)",
        "the Norton product of G by U > 0",
        "norton(3, ^) == ^3",
    ),
    g(
        "heat",
        &[G, T],
        Answer::Game,
        "heat(G, t)",
        "G heated by t",
        "heat(*, 1) == {1|-1}",
    ),
    g(
        "cool",
        &[G, T],
        Answer::Game,
        "cool(G, t)",
        "G cooled by t",
        "cool({3|-3}, 1) == {2|-2}",
    ),
    g(
        "chill",
        &[G],
        Answer::Game,
        "chill(G)",
        "G cooled by 1",
        "chill({3|-1})",
    ),
    g(
        "freeze",
        &[G],
        Answer::Game,
        "freeze(G)",
        "G cooled by its temperature",
        "freeze({3|-1})",
    ),
    g(
        "overheat",
        &[G, S, T],
        Answer::Game,
        "overheat(G, s, t)",
        "G overheated from s to t",
        "overheat(1/2, 1, 1)",
    ),
    g(
        "companion",
        &[G],
        Answer::Game,
        "companion(G)",
        "its image under the one automorphism of the lattices of games born by day n: 0 and * change places",
        "companion(^) == ^*",
    ),
    g(
        "Pow",
        &[G, N],
        Answer::Game,
        "Pow(G, n)",
        "the same as pow(G, n), as CGSuite spells it",
        "Pow(^, 2) == ^<2>",
    ),
    g(
        "PowTo",
        &[G, N],
        Answer::Game,
        "PowTo(G, n)",
        "the same as pow_to(G, n), as CGSuite spells it",
        "PowTo(^, 2) == ^[2]",
    ),
    g(
        "pow",
        &[G, N],
        Answer::Game,
        "pow(G, n)",
        "up-second and its like: pow(^, 2) is ^<2>",
        "pow(^, 2) == ^<2>",
    ),
    g(
        "pow_to",
        &[G, N],
        Answer::Game,
        "pow_to(G, n)",
        "pow_to(^, 2) is ^[2]",
        "pow_to(^, 2) == ^[2]",
    ),
    g(
        "nim_sum",
        &[M, N],
        Answer::Int,
        "nim_sum(m, n)",
        "m xor n",
        "nim_sum(3, 5) = 6",
    ),
    g(
        "nim_product",
        &[M, N],
        Answer::Int,
        "nim_product(m, n)",
        "the product of nimbers",
        "nim_product(2, 2) = 3",
    ),
    g(
        "nim_quotient",
        &[M, N],
        Answer::Int,
        "nim_quotient(m, n)",
        "the quotient of nimbers, n not 0",
        "nim_quotient(1, 2) = 3",
    ),
    g(
        "nim_power",
        &[M, N],
        Answer::Int,
        "nim_power(m, n)",
        "a power of a nimber",
        "nim_power(2, 2) = 3",
    ),
    g(
        "is_number",
        &[G],
        Answer::Bool,
        "is_number(G)",
        "equal to a number",
        "is_number({0|1})",
    ),
    g(
        "is_integer",
        &[G],
        Answer::Bool,
        "is_integer(G)",
        "equal to an integer",
        "is_integer({0|})",
    ),
    g(
        "is_nimber",
        &[G],
        Answer::Bool,
        "is_nimber(G)",
        "equal to *n for some n",
        "is_nimber({0, *|0, *})",
    ),
    g(
        "is_infinitesimal",
        &[G],
        Answer::Bool,
        "is_infinitesimal(G)",
        "between all negative and all positive numbers",
        "is_infinitesimal(Tiny(1))",
    ),
    g(
        "is_all_small",
        &[G],
        Answer::Bool,
        "is_all_small(G)",
        "dicotic: in each follower of its canonical form both players can move, or neither",
        "is_all_small(^*)",
    ),
    g(
        "is_even_tempered",
        &[G],
        Answer::Bool,
        "is_even_tempered(G)",
        "each line of play of its canonical form to a number has an even number of moves",
        "is_even_tempered(1/2)",
    ),
    g(
        "is_odd_tempered",
        &[G],
        Answer::Bool,
        "is_odd_tempered(G)",
        "each line of play of its canonical form to a number has an odd number of moves",
        "is_odd_tempered(*)",
    ),
    g(
        "is_numberish",
        &[G],
        Answer::Bool,
        "is_numberish(G)",
        "infinitesimally close to a number",
        "is_numberish(1*)",
    ),
    g(
        "is_uptimal",
        &[G],
        Answer::Bool,
        "is_uptimal(G)",
        "a sum of ups of all orders and perhaps a star",
        "is_uptimal(^<2>*)",
    ),
    // Constants.
    constant("true", "holds", "assert true"),
    constant("false", "does not hold", "assert not false"),
    constant("empty", "no piece", "at(v) = empty"),
    constant("wall", "a cell that nothing enters", "at(c) := wall"),
    constant(
        "off",
        "what `at` reads outside the board",
        "at(a + south) = off",
    ),
    constant("north", "one row up", "a + north"),
    constant("south", "one row down", "a + south"),
    constant("east", "one column to the right", "a + east"),
    constant("west", "one column to the left", "a + west"),
    constant(
        "northeast",
        "one row up, one column to the right",
        "a + northeast",
    ),
    constant(
        "northwest",
        "one row up, one column to the left",
        "a + northwest",
    ),
    constant(
        "southeast",
        "one row down, one column to the right",
        "a + southeast",
    ),
    constant(
        "southwest",
        "one row down, one column to the left",
        "a + southwest",
    ),
    constant(
        "orthogonal",
        "the directions north, south, east, west",
        "b in ray(a, orthogonal)",
    ),
    constant("diagonal", "the four diagonal directions", "d in diagonal"),
    constant("compass", "the eight directions", "b in slide(a, compass)"),
    constant(
        "knight",
        "the eight jumps of a knight",
        "d in knight, b = a + d",
    ),
    constant(
        "L-position",
        "an outcome: Left wins, whoever starts",
        "outcome(G) = L-position",
    ),
    constant(
        "R-position",
        "an outcome: Right wins, whoever starts",
        "outcome(G) = R-position",
    ),
    constant(
        "N-position",
        "an outcome: the next player wins",
        "outcome(G) = N-position",
    ),
    constant(
        "P-position",
        "an outcome: the previous player wins",
        "outcome(G) = P-position",
    ),
    constant(
        "D-position",
        "an outcome: nobody can force a win, whoever starts",
        "outcome(G) = D-position",
    ),
    constant(
        "LD-position",
        "an outcome: Left wins if she starts; if Right starts, nobody can force a win",
        "outcome(G) = LD-position",
    ),
    constant(
        "DR-position",
        "an outcome: Right wins if he starts; if Left starts, nobody can force a win",
        "outcome(G) = DR-position",
    ),
    constant(
        "DL-position",
        "an outcome: Left wins if Right starts; if Left starts, nobody can force a win",
        "outcome(G) = DL-position",
    ),
    constant(
        "RD-position",
        "an outcome: Right wins if Left starts; if Right starts, nobody can force a win",
        "outcome(G) = RD-position",
    ),
    constant(
        "queer",
        "what winner answers when no player wins alone",
        "winner(G, first: 1) = queer",
    ),
    constant(
        "draw",
        "what winner answers when each player can force that no other wins",
        "winner(G, first: Left) = draw",
    ),
    // Derived rulesets.
    row(
        "impartial",
        What::Derivation,
        "impartial(S)",
        "everyone may make anyone's moves",
        "ruleset Cram = impartial(Domineering)",
    ),
    // Board kinds.
    board(
        "heaps",
        "a multiset of heaps; heaps (m, n) of tuples",
        "board heaps",
    ),
    board("strip", "cells 1 to n in a row", "board strip"),
    board(
        "grid",
        "cells (row, column) from (1, 1) at the top left",
        "board grid",
    ),
    board(
        "graph",
        "vertices and edges; rooted at g with a root",
        "board graph",
    ),
    board(
        "digraph",
        "vertices and arcs; acyclic if it must have no cycle",
        "board digraph acyclic",
    ),
    board("poset", "a partial order", "board poset"),
    // Sorts.
    sort(
        "nat",
        "an integer that is not negative",
        "state size(cell): nat",
    ),
    sort("int", "an integer", "let f(k: int) = k + 1"),
    sort("string", "a text in quotes", "let f(s: string) = stalk(s)"),
    sort(
        "digits",
        "the digits of a code such as \"0.77\"",
        "ruleset Octal(d: digits)",
    ),
    sort("bool", "true or false", "state moved: bool"),
    sort(
        "piece",
        "a piece, or empty, wall, off",
        "state pebbles(piece, vertex): nat",
    ),
    sort("player", "a player", "state turns(player): nat"),
    sort(
        "direction",
        "a direction of a grid or strip",
        "let f(d: direction) = d",
    ),
    sort(
        "vertex",
        "a vertex of a graph or digraph",
        "state token: vertex",
    ),
    sort("cell", "a cell of a grid or strip", "state size(cell): nat"),
    sort(
        "edge",
        "an edge of a graph or an arc of a digraph",
        "state weight(edge): nat",
    ),
    sort(
        "element",
        "an element of a poset",
        "state mark(element): bool",
    ),
    sort(
        "site",
        "what the board has: cell, vertex or element",
        "state mark(site): bool",
    ),
    sort("game", "a game", "let f(G: game) = G + G"),
    sort(
        "set of",
        "a finite set",
        "ruleset Subtraction(S: set of nat)",
    ),
    sort(
        "list of",
        "a finite list",
        "let f(l: list of int) = size(l)",
    ),
    // Keywords.
    keyword(
        "language",
        "the version of the language, at the head of a file",
        "language 1",
    ),
    keyword(
        "use",
        "takes over all that another file defines",
        "use \"nim.rules\"",
    ),
    keyword("ruleset", "begins a ruleset", "ruleset Nim"),
    keyword(
        "position",
        "begins the definition of a position or a family of them",
        "position T(k) = Nim[k, k]",
    ),
    keyword(
        "let",
        "names a constant, a function or a table",
        "let along(Left) = south, along(Right) = east",
    ),
    keyword(
        "eval",
        "shows a position or the value of an expression",
        "eval Nim[3, 5]",
    ),
    keyword("assert", "must hold", "assert nimber(Nim[3, 5]) = 6"),
    keyword(
        "claim",
        "must hold in each instance",
        "claim \"c\" for k in 1..9: nimber(Nim[k]) = k",
    ),
    keyword(
        "refute",
        "holds when an instance is false",
        "refute \"r\" for k in 1..9: nimber(Nim[k]) < 5",
    ),
    keyword(
        "table",
        "a table of values",
        "table for k in 1..9: nimber(Nim[k])",
    ),
    keyword(
        "search",
        "lists the instances that fulfil a condition",
        "search for k in 1..9 where nimber(Nim[k]) > 5",
    ),
    keyword(
        "slow",
        "marks a claim that is too dear for each run",
        "slow claim \"c\" for k in 1..99: k >= 1",
    ),
    keyword("choose", "what a move chooses", "choose n, k in 1..n"),
    keyword("where", "conditions", "where at(v) = empty"),
    keyword("then", "what a move does", "then remove up(x)"),
    keyword(
        "for",
        "ranges over instances or elements",
        "{2*k for k in 1..3}",
    ),
    keyword("in", "is an element of", "k in {1, 2}"),
    keyword("all", "holds for each", "all w in nbrs(v): at(w) = empty"),
    keyword(
        "some",
        "holds for one at least",
        "some w in nbrs(v): at(w) = empty",
    ),
    keyword("no", "holds for none", "no w in nbrs(v): at(w) = o"),
    keyword(
        "each",
        "repeats an effect",
        "each w in nbrs(v): at(w) := empty",
    ),
    keyword("remove", "takes sites off the board", "remove a, b"),
    keyword("keep", "removes all sites but these", "keep reach(ground)"),
    keyword("and", "both hold", "a = 1 and b = 2"),
    keyword("or", "one holds; several owners", "a = 1 or b = 2"),
    keyword("not", "does not hold", "not v in ends(e)"),
    keyword(
        "owns",
        "the player is among the piece's owners",
        "p owns at(e)",
    ),
    keyword("mod", "the remainder, with the divisor's sign", "n mod 4"),
    keyword(
        "div",
        "the quotient, towards minus infinity",
        "(a - 1) div 2",
    ),
    keyword(
        "from",
        "the source of a claim",
        "assert nimber(Nim[3]) = 3 from \"Bouton 1901\"",
    ),
    keyword(
        "ask",
        "a question to the reader, asked by `cgdsl quiz`",
        "ask \"What is it worth?\" expect value(Nim[3, 5])",
    ),
    keyword(
        "expect",
        "the answer of a question",
        "ask \"What is it worth?\" expect value(Nim[3, 5])",
    ),
    keyword(
        "seal",
        "the answer of a question as a hash, made by `cgdsl seal`",
        "ask \"How many?\" seal \"int argon2id m=19456 t=2 p=1 0011223344556677 0011223344556677\"",
    ),
    keyword("misere", "kept for misere play", ""),
    // Words of one place.
    word("move", "begins a move", "move by p:"),
    word("by", "who moves", "move by anyone:"),
    word("anyone", "every player", "pieces w = anyone"),
    word(
        "play",
        "how play ends, for three or more players",
        "play elimination",
    ),
    word("last-wins", "who moved last wins", "play last-wins"),
    word(
        "elimination",
        "one who cannot move in his turn is out; the one who remains wins",
        "play elimination",
    ),
    word(
        "state",
        "begins the clause of further state",
        "state token: vertex",
    ),
    word(
        "acyclic",
        "a digraph without cycles",
        "board digraph acyclic",
    ),
    word(
        "rooted",
        "a graph with a root",
        "board graph rooted at ground",
    ),
    word("at", "what lies on a site", "at(v) = empty"),
    word(
        "graph6",
        "a graph in McKay's format",
        "Snort[graph6 \"DQc\"]",
    ),
    word(
        "sparse6",
        "a graph in McKay's sparse format",
        "Snort[sparse6 \":DQc\"]",
    ),
    word(
        "digraph6",
        "a digraph in McKay's format",
        "Geography[digraph6 \"&B\", token: 1]",
    ),
];

/// The row of that name that can stand in an expression: function, fold, game function or constant.
#[must_use]
pub fn find(name: &str) -> Option<&'static Row> {
    TABLE.iter().find(|r| {
        r.name == name
            && matches!(
                r.what,
                What::Function(_) | What::Fold(_) | What::Game(_) | What::Constant
            )
    })
}

/// Whether the word is reserved.
#[must_use]
pub fn reserved(name: &str) -> bool {
    TABLE
        .iter()
        .any(|r| r.name == name && r.what == What::Keyword)
}

/// Names that can stand in an expression, for suggestions.
pub fn names() -> impl Iterator<Item = &'static str> {
    TABLE
        .iter()
        .filter(|r| {
            matches!(
                r.what,
                What::Function(_) | What::Fold(_) | What::Game(_) | What::Constant
            )
        })
        .map(|r| r.name)
        .chain(std::iter::once("at"))
}

/// Names of that kind of row, for suggestions.
pub fn names_of(what: What) -> impl Iterator<Item = &'static str> {
    TABLE.iter().filter(move |r| r.what == what).map(|r| r.name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_name_once_for_each_use() {
        for (i, a) in TABLE.iter().enumerate() {
            for b in &TABLE[..i] {
                let expr = |r: &Row| find(r.name).is_some_and(|f| std::ptr::eq(f, r));
                assert!(
                    a.name != b.name || !(expr(a) && expr(b)),
                    "{} twice",
                    a.name
                );
            }
            assert!(!a.doc.is_empty() && !a.doc.ends_with('.'), "{}", a.name);
            assert!(a.example.is_empty() || !a.signature.is_empty());
        }
    }
}
