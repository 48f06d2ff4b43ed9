//! Functions that need no engine and no board: integers and codes, players, sets, and the domains of queries.

use super::parameters::*;
use super::{Answer, Builtin, Catalogue as C, Fold, IN_RULES, Row, fold, plain};

/// Integers and codes.
pub(super) const ARITHMETIC: &[Row] = &[
    plain("abs", Builtin::Abs, &[N], Answer::Int)
        .written("abs(n)")
        .says("the absolute value of an integer")
        .example("abs(a - b)")
        .run("nim", "abs(3 - 5)"),
    plain("isqrt", Builtin::Isqrt, &[N], Answer::Int)
        .written("isqrt(n)")
        .says("the integer part of the square root")
        .theory("The greatest k with k^2 <= n.")
        .fails("n is a natural number")
        .example("isqrt(n)")
        .run("nim", "isqrt(30)"),
    plain("bit", Builtin::Bit, &[N, K], Answer::Int)
        .written("bit(n, k)")
        .says("the k-th binary digit of n, 0 or 1, from k = 0")
        .fails("neither n nor k is negative")
        .example("bit(d, k) = 1")
        .run("nim", "bit(6, 1)"),
    plain("gcd", Builtin::Gcd, &[M, N], Answer::Int)
        .written("gcd(m, n)")
        .says("the greatest common divisor; gcd(0, n) = |n|")
        .example("gcd(n, k) = 1")
        .run("nim", "gcd(12, 18)"),
    plain("digit", Builtin::Digit, &[CODE, K], Answer::Int)
        .written("digit(code, k)")
        .says("the k-th digit after the point of a code, 0 beyond its end")
        .theory("A code such as 0.77 is a list of digits, the first one before the point (WW 4).")
        .example("digit(\"0.77\", 1)")
        .run("octal", "digit(\"0.77\", 1)"),
    fold("size", Fold::Size)
        .says("how many elements")
        .fails("the set must be finite")
        .example("size(nbrs(v)) <= 2")
        .run("nim", "size(subsets({1, 2, 3}))"),
    fold("min", Fold::Min)
        .says("the least")
        .fails("of nothing there is no least")
        .example("min(a, b)")
        .run("nim", "min(3, 5)"),
    fold("max", Fold::Max)
        .says("the greatest")
        .fails("of nothing there is no greatest")
        .example("max(0, 3*a - 5)")
        .run("nim", "max(k * (4 - k) for k in 0..4)"),
    fold("sum", Fold::Sum)
        .says("the sum; 0 of nothing")
        .example("sum(k for k in 1..n)")
        .run("nim", "sum(k for k in 1..10)"),
    fold("xor", Fold::Xor)
        .says("the nim-sum of naturals: binary addition without carries")
        .theory("Nim-heaps add so: *m + *n = *(m xor n) (Bouton 1901; WW 3).")
        .fails("of naturals alone")
        .example("xor(a, b, c) = 0")
        .run("nim", "xor(3, 5)"),
    fold("mex", Fold::Mex)
        .says("the least natural that is not among them")
        .theory("The minimal excludant: an impartial position is worth the mex of the nimbers of its options (Sprague 1935, Grundy 1939).")
        .example("mex({0, 1, 3})")
        .run("nim", "mex({0, 1, 3})"),
];

/// Players and pieces.
pub(super) const PLAYERS: &[Row] = &[
    plain("opponent", Builtin::Opponent, &[PLAYER], Answer::Player)
        .two_players()
        .written("opponent(p)")
        .says("the other player; two players only")
        .fails("with three players or more nobody is the one opponent")
        .example("at(b) = opponent(p)")
        .run("snort", "opponent(Left)"),
    plain(
        "players",
        Builtin::Players,
        &[MAYBE_POSITION],
        Answer::Players,
    )
    .written("players")
    .says("all players")
    .fails(IN_RULES)
    .example("all p in players: p owns at(v)")
    .run("n-player/clobber", "winner(Clobber3[\"xoz\"], first: A)"),
    plain("pieces", Builtin::Pieces, &[MAYBE_POSITION], Answer::Pieces)
        .written("pieces")
        .says("all declared pieces")
        .fails(IN_RULES)
        .example("c in pieces")
        .run("col", "value(Col[path(3)])"),
];

/// Sets for binders to range over.
pub(super) const DOMAINS: &[Row] = &[
    plain("subsets", Builtin::Subsets, &[ITEMS], Answer::Subsets)
        .written("subsets(S)")
        .says("all subsets of a set")
        .fails("the set must be finite")
        .example("T in subsets({1, 2, 3})")
        .run("nim", "size(subsets({1, 2, 3}))"),
    plain("lists", Builtin::Lists, &[ITEMS, N], Answer::Lists)
        .written("lists(S, n)")
        .says("all lists of length n with entries from S")
        .fails("n is at least 0")
        .example("l in lists({0, 1}, 3)")
        .run("nim", "size(lists({0, 1}, 3))"),
    plain("graphs", Builtin::Catalogue(C::Graphs), &[N], Answer::Boards)
        .written("graphs(n)")
        .says("all graphs on n vertices up to isomorphism")
        .theory("One of each isomorphism class: 1, 1, 2, 4, 11, 34, .. (OEIS A000088).")
        .example("claim \"c\" for G in graphs(4): nimber(NodeKayles[G]) <= 4")
        .run("node-kayles", "size(graphs(4))"),
    plain("trees", Builtin::Catalogue(C::Trees), &[N], Answer::Boards)
        .written("trees(n)")
        .says("all trees on n vertices up to isomorphism")
        .theory("One of each isomorphism class: 1, 1, 1, 1, 2, 3, 6, .. (OEIS A000055).")
        .example("G in trees(5)")
        .run("node-kayles", "size(trees(6))"),
    plain("posets", Builtin::Catalogue(C::Posets), &[N], Answer::Boards)
        .written("posets(n)")
        .says("all partial orders on n elements up to isomorphism")
        .theory("One of each isomorphism class: 1, 1, 2, 5, 16, 63, .. (OEIS A000112).")
        .example("P in posets(4)")
        .run("poset-game", "size(posets(4))"),
    plain("born", Builtin::Born, &[N], Answer::Games)
        .written("born(d)")
        .says("all games born by day d")
        .theory("1, 4, 22 and 1474 games for the days 0 to 3; they are a distributive lattice (CGT III.1).")
        .fails("day 4 is out of reach: at least 10^28 games (Suetsugu 2022)")
        .example("claim \"c\" for G in born(2): G - G == 0")
        .run("nim", "size(born(2))"),
    plain("sample", Builtin::Sample, &[N, SEED, ITEMS], Answer::Alike)
        .written("sample(n, seed, D)")
        .says("n elements of the domain D, drawn by a seed")
        .theory("The same seed draws the same elements, on any machine.")
        .example("G in sample(100, 1, born(3))")
        .run("nim", "sample(2, 1, born(2))"),
];
