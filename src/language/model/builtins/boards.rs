//! Functions of boards: their sites, and the boards that have a name.

use super::parameters::*;
use super::{
    AllSites as A, Answer, Builtin, Constructor as M, Drawn as D, IN_RULES, NOT_NEGATIVE, Row,
    SitesFrom as S, plain,
};

/// Sets of sites.
pub(super) const SITES: &[Row] = &[
    plain("vertices", Builtin::AllSites(A::Vertices), &[OF], Answer::Sites)
        .written("vertices, vertices(G)")
        .says("the vertices that are there")
        .example("v in vertices")
        .run("snort", "vertices(path(4))"),
    plain("edges", Builtin::AllSites(A::Edges), &[OF], Answer::Sites)
        .written("edges, edges(G)")
        .says("the edges that are there")
        .example("e in edges(G)")
        .run("snort", "edges(path(3))"),
    plain("arcs", Builtin::AllSites(A::Arcs), &[OF], Answer::Sites)
        .written("arcs, arcs(G)")
        .says("the arcs that are there")
        .example("size(arcs)")
        .run("geography", "size(arcs(out_star(2)))"),
    plain("cells", Builtin::AllSites(A::Cells), &[OF], Answer::Sites)
        .written("cells, cells(G)")
        .says("the cells of a grid or strip")
        .example("a in cells")
        .run("domineering", "size(cells(grid(3, 4)))"),
    plain("rows", Builtin::Drawn(D::Rows), &[OF], Answer::Int)
        .written("rows, rows(G)")
        .says("the number of rows of the board as it was drawn, walls included")
        .fails("of a grid or strip")
        .example("i in 1..rows")
        .run("domineering", "rows(grid(3, 4))"),
    plain("columns", Builtin::Drawn(D::Columns), &[OF], Answer::Int)
        .written("columns, columns(G)")
        .says("the number of columns of the board as it was drawn, walls included")
        .fails("of a grid or strip")
        .example("j in 1..columns")
        .run("domineering", "columns(grid(3, 4))"),
    plain("row", Builtin::Drawn(D::Row), &[OF, I], Answer::Sites)
        .written("row(i), row(G, i)")
        .says("the cells of a row of the board as it was drawn, walls included")
        .fails("of a grid or strip")
        .example("all a in row(1): at(a) = x")
        .run("domineering", "row(grid(3, 4), 2)"),
    plain("column", Builtin::Drawn(D::Column), &[OF, J], Answer::Sites)
        .written("column(j), column(G, j)")
        .says("the cells of a column of the board as it was drawn, walls included")
        .fails("of a grid or strip")
        .example("all a in column(1): at(a) = x")
        .run("domineering", "column(grid(3, 4), 2)"),
    plain("points", Builtin::AllSites(A::Points), &[OF], Answer::Sites)
        .written("points, points(P)")
        .says("the elements of a poset that are there")
        .example("x in points")
        .run("poset-game", "points(chain(3))"),
    plain("heaps", Builtin::Heaps, &[MAYBE_POSITION], Answer::Sizes)
        .written("heaps, heaps(G)")
        .says("the sizes of the heaps that are there, as a list in increasing order")
        .fails("of a position of heaps of one number each")
        .example("no m in heaps: m > n")
        .run("nim", "heaps(Nim[3, 1])"),
    plain("nbrs", Builtin::SitesFrom(S::Nbrs), &[OF, SITE], Answer::Sites)
        .written("nbrs(v), nbrs(G, v)")
        .says("the neighbours of a vertex, or of a cell (orthogonally); v is not among them")
        .example("no w in nbrs(v): at(w) = o")
        .run("snort", "nbrs(star(3), 0)"),
    plain("out", Builtin::SitesFrom(S::Out), &[OF, SITE], Answer::Sites)
        .written("out(v), out(G, v)")
        .says("where arcs from v lead")
        .example("v in out(token)")
        .run("geography", "out(out_star(3), 0)"),
    plain("into", Builtin::SitesFrom(S::Into), &[OF, SITE], Answer::Sites)
        .written("into(v), into(G, v)")
        .says("from where arcs lead to v")
        .example("u in into(v)")
        .run("geography", "into(in_star(3), 0)"),
    plain("ends", Builtin::Ends, &[OF, EDGE], Answer::Sites)
        .written("ends(e)")
        .says("the two ends of an edge")
        .fails(IN_RULES)
        .example("v in ends(e)")
        .run("arc-kayles", "nimber(ArcKayles[path(5)])"),
    plain("tail", Builtin::Tail, &[OF, EDGE], Answer::Site)
        .written("tail(a)")
        .says("the vertex that an arc leaves")
        .fails("of an arc of a digraph")
        .example("u = tail(a)")
        .run("geography", "[tail(a) for a in arcs(path(3))]"),
    plain("head", Builtin::Head, &[OF, EDGE], Answer::Site)
        .written("head(a)")
        .says("the vertex that an arc enters")
        .fails("of an arc of a digraph")
        .example("v = head(a)")
        .run("geography", "[head(a) for a in arcs(path(3))]"),
    plain("up", Builtin::SitesFrom(S::Up), &[OF, SITE], Answer::Sites)
        .written("up(x), up(P, x)")
        .says("the elements at or above x")
        .theory("The principal filter of x.")
        .example("remove up(x)")
        .run("poset-game", "up(chain(4), 3)"),
    plain("down", Builtin::SitesFrom(S::Down), &[OF, SITE], Answer::Sites)
        .written("down(x), down(P, x)")
        .says("the elements at or below x")
        .theory("The principal ideal of x.")
        .example("remove down(x)")
        .run("poset-game", "down(chain(4), 3)"),
    plain("reach", Builtin::SitesFrom(S::Reach), &[OF, SITE, WITHIN], Answer::Sites)
        .written("reach(v), reach(G, v), reach(v, within: S)")
        .says("what can be reached from v, v included; along the arcs of a digraph; through sites of S only")
        .example("keep reach(ground)")
        .run("geography", "reach(out_star(3), 0)"),
    plain("group", Builtin::SitesFrom(S::Group), &[OF, SITE], Answer::Sites)
        .written("group(v)")
        .says("the sites joined to v through sites that hold the same piece as v, v included; of an empty site its empty region")
        .theory("The largest connected set of sites that holds v and on which the same lies as on v; arcs count both ways, cells are joined at their sides. Of a wall, and of what was removed, it is empty.")
        .fails(IN_RULES)
        .example("some w in group(v): home(p, w) = 2")
        .run("hex", "outcome(Rhombus(2))"),
    plain("component", Builtin::SitesFrom(S::Component), &[OF, SITE], Answer::Sites)
        .written("component(v), component(G, v)")
        .says("what is joined to v by edges, or by arcs whichever way they point; v included")
        .theory("The weakly connected component of v; in a graph the same as reach(v).")
        .example("keep component(tail(a))")
        .run("geography", "component(out_star(3), 1)"),
    plain("ray", Builtin::SitesFrom(S::Ray), &[OF, SITE, DIRECTIONS], Answer::Sites)
        .written("ray(a, D)")
        .says("the cells from a in direction D on to the edge or a wall, without a")
        .fails(IN_RULES)
        .example("b in ray(a, south)")
        .run("konane", "value(Konane[\"xo.\"])"),
    plain("slide", Builtin::SitesFrom(S::Slide), &[OF, SITE, DIRECTIONS], Answer::Sites)
        .written("slide(a, D)")
        .says("the cells from a in direction D while they are empty, without a")
        .fails(IN_RULES)
        .example("b in slide(a, compass)")
        .run("amazons", "value(Amazons[\"x.\"])"),
    plain("board", Builtin::BoardOf, &[POSITION], Answer::Board)
        .written("board(G)")
        .says("the board of a position")
        .fails("a sum has no one board")
        .example("vertices(board(G))")
        .run("domineering", "board(Domineering[grid(2, 2)])"),
];

/// Boards by name.
pub(super) const CONSTRUCTORS: &[Row] = &[
    plain("grid", Builtin::Construct(M::Grid), &[M, N, WRAP], Answer::Board)
        .written("grid(m, n), grid(m, n, wrap: both), grid(\"xo|..\", wrap: rows)")
        .says("m rows of n cells; with `wrap: rows` each row closes to a ring, with `columns` each column, with `both` both")
        .fails("m and n are naturals")
        .example("Domineering[grid(3, 4)]")
        .run("domineering", "value(Domineering[grid(2, 3)])"),
    plain("strip", Builtin::Construct(M::Strip), &[N], Answer::Board)
        .written("strip(n)")
        .says("n cells in a row")
        .fails(NOT_NEGATIVE)
        .example("Pebbles[strip(20)]")
        .run("pebbles", "nimber(Pebbles[strip(20)])"),
    plain("path", Builtin::Construct(M::Path), &[N], Answer::Board)
        .written("path(n)")
        .says("a path on n vertices, 1 to n")
        .fails(NOT_NEGATIVE)
        .example("Col[path(5)]")
        .run("col", "value(Col[path(5)])"),
    plain("cycle", Builtin::Construct(M::Cycle), &[N], Answer::Board)
        .written("cycle(n)")
        .says("a cycle on n vertices")
        .fails(NOT_NEGATIVE)
        .example("Geography[cycle(5), token: c[1]]")
        .run("geography", "outcome(Geography[cycle(5), token: c[1]])"),
    plain(
        "complete",
        Builtin::Construct(M::Complete),
        &[N],
        Answer::Board,
    )
    .written("complete(n)")
    .says("n vertices, each joined to each")
    .fails(NOT_NEGATIVE)
    .example("Snort[complete(4)]")
    .run("snort", "value(Snort[complete(3)])"),
    plain("star", Builtin::Construct(M::Star), &[N], Answer::Board)
        .written("star(n)")
        .says("a centre 0 with n leaves")
        .fails(NOT_NEGATIVE)
        .example("Col[star(3)]")
        .run("col", "value(Col[star(3)])"),
    plain(
        "in_star",
        Builtin::Construct(M::InStar),
        &[N],
        Answer::Board,
    )
    .written("in_star(n)")
    .says("n vertices with arcs to the centre 0")
    .fails(NOT_NEGATIVE)
    .example("Geography[in_star(3), token: 1]")
    .run("geography", "outcome(Geography[in_star(3), token: 1])"),
    plain(
        "out_star",
        Builtin::Construct(M::OutStar),
        &[N],
        Answer::Board,
    )
    .written("out_star(n)")
    .says("a centre 0 with arcs to n vertices")
    .fails(NOT_NEGATIVE)
    .example("Geography[out_star(3), token: 0]")
    .run("geography", "outcome(Geography[out_star(3), token: 0])"),
    plain(
        "transitive_tournament",
        Builtin::Construct(M::TransitiveTournament),
        &[N],
        Answer::Board,
    )
    .written("transitive_tournament(n)")
    .says("n vertices with an arc from each to each later one")
    .fails(NOT_NEGATIVE)
    .example("Geography[transitive_tournament(3), token: 1]")
    .run(
        "geography",
        "outcome(Geography[transitive_tournament(3), token: 1])",
    ),
    plain(
        "stalk",
        Builtin::Construct(M::Stalk),
        &[PIECES],
        Answer::Board,
    )
    .written("stalk(pieces)")
    .says("a path upwards from the root whose edges bear the pieces of a string or list")
    .theory("A stalk of Hackenbush is a number: signs expand it (Berlekamp's rule, WW 3).")
    .fails("the board is rooted")
    .example("Hackenbush[stalk(\"brb\")]")
    .run("hackenbush", "value(Hackenbush[stalk(\"brb\")])"),
    plain("tree", Builtin::Construct(M::Tree), &[TERMS], Answer::Board)
        .written("tree(r(a, b))")
        .says("a tree written as a term: a node, then its children")
        .example("Col[tree(r(a, b(c)))]")
        .run("col", "value(Col[tree(r(a, b(c)))])"),
    plain("chain", Builtin::Construct(M::Chain), &[N], Answer::Board)
        .written("chain(n)")
        .says("n elements one above the other")
        .theory("Its poset game is a heap of Nim of n.")
        .fails(NOT_NEGATIVE)
        .example("PosetGame[chain(3)]")
        .run("poset-game", "nimber(PosetGame[chain(3)])"),
    plain(
        "antichain",
        Builtin::Construct(M::Antichain),
        &[N],
        Answer::Board,
    )
    .written("antichain(n)")
    .says("n elements side by side")
    .theory("Its poset game is n moves: n mod 2.")
    .fails(NOT_NEGATIVE)
    .example("PosetGame[antichain(3)]")
    .run("poset-game", "nimber(PosetGame[antichain(3)])"),
    plain(
        "chomp",
        Builtin::Construct(M::Chomp),
        &[M, N],
        Answer::Board,
    )
    .written("chomp(m, n)")
    .says("the bar of Chomp without its poisoned corner")
    .theory("The first player wins unless nothing is left (Gale 1974, by strategy stealing).")
    .fails("m and n are naturals")
    .example("PosetGame[chomp(3, 4)]")
    .run("poset-game", "nimber(PosetGame[chomp(3, 4)])"),
    plain(
        "divisors",
        Builtin::Construct(M::Divisors),
        &[N],
        Answer::Board,
    )
    .written("divisors(n)")
    .says("the divisors of n but 1, by divisibility")
    .theory("Schuh's game (1952).")
    .fails("n is at least 1")
    .example("PosetGame[divisors(72)]")
    .run("poset-game", "nimber(PosetGame[divisors(72)])"),
    plain(
        "forest",
        Builtin::Construct(M::Forest),
        &[TERMS],
        Answer::Board,
    )
    .written("forest(r(a, b), s)")
    .says("rooted trees as a poset")
    .theory("Hackendot (Úlehla 1980).")
    .example("PosetGame[forest(r(a, b))]")
    .run("poset-game", "nimber(PosetGame[forest(r(a, b))])"),
];
