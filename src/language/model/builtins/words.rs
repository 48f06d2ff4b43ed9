//! Names that are not functions: constants, kinds of boards, sorts, and the words of the grammar.

use super::{Row, What, board, constant, keyword, row, sort, word};

/// Named values.
pub(super) const CONSTANTS: &[Row] = &[
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
        "hexagonal",
        "the six directions of a board of hexagons: all but northwest and southeast",
        "d in hexagonal, b = a + d",
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
    constant(
        "loony",
        "the value of an impartial position in whose sums whoever moves first wins (WW 12)",
        "value(G) == loony",
    ),
    constant(
        "on",
        "the value {pass|}: Left can pass for ever (WW 11)",
        "on + 17 == on",
    ),
    constant(
        "over",
        "the value {0|pass}, a positive infinitesimal greater than every power of up (WW 11)",
        "over > ^",
    ),
    constant(
        "under",
        "the value {pass|0}, the negative of over (WW 11)",
        "under == -over",
    ),
    constant("upon", "the value {pass|*} (WW 11)", "upon > ^"),
    constant(
        "dud",
        "the value {pass|pass}: every sum with it is drawn (WW 11)",
        "on + off == dud",
    ),
    constant(
        "tis",
        "the value whose onside is 1 and whose offside is 0 (WW 11)",
        "onside(tis) == 1",
    ),
    constant(
        "tisn",
        "the value whose onside is 0 and whose offside is -1 (WW 11)",
        "offside(tisn) == -1",
    ),
    constant(
        "pass",
        "among the options of a game in braces, the move to that game itself",
        "{0|pass} == over",
    ),
];

/// Ways to make a ruleset from another.
pub(super) const DERIVATIONS: &[Row] = &[
    row(
        "impartial",
        What::Derivation,
        "everyone may make anyone's moves",
        "ruleset Cram = impartial(Domineering)",
    )
    .written("impartial(S)"),
    row(
        "dicotic",
        What::Derivation,
        "play ends as soon as one of the two players cannot move",
        "ruleset Small = dicotic(Domineering)",
    )
    .written("dicotic(S)"),
    row(
        "misere",
        What::Derivation,
        "who cannot move wins: `play misere`",
        "ruleset Lasts = misere(Nim)",
    )
    .written("misere(S)"),
    row(
        "reversed",
        What::Derivation,
        "the players exchanged in every clause",
        "ruleset Turned = reversed(Domineering)",
    )
    .written("reversed(S)"),
];

/// Kinds of boards.
pub(super) const KINDS: &[Row] = &[
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
];

/// Sorts of parameters and state.
pub(super) const SORTS: &[Row] = &[
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
];

/// Reserved words, which cannot be used as names.
pub(super) const KEYWORDS: &[Row] = &[
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
    keyword(
        "if",
        "one of two, by a condition; in files of language 2",
        "if n mod 2 = 0 then n div 2 else 1",
    ),
    keyword(
        "else",
        "what it is where the condition of the `if` does not hold",
        "if n = 0 then 0 else 12 div n",
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
];

/// Words with a meaning in one place only.
pub(super) const WORDS: &[Row] = &[
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
        "add",
        "joins two vertices by a new edge or arc",
        "then add u -- v",
    ),
    word(
        "merge",
        "makes two vertices one: the second goes, and its edges go on from the first",
        "then merge u, v",
    ),
    word(
        "fixed",
        "begins the clause of what is given with the board and never changes",
        "fixed home(player, vertex): nat",
    ),
    word(
        "win",
        "begins a clause: play ends, and this player has won",
        "win p when row(p)",
    ),
    word(
        "lose",
        "begins a clause: play ends, and this player has lost",
        "lose p when no a in cells: p owns at(a)",
    ),
    word(
        "draw",
        "begins a clause: play ends, and nobody has won",
        "draw when no a in cells: at(a) = empty",
    ),
    word(
        "endless",
        "begins a clause: what play for ever comes to",
        "endless draw",
    ),
    word(
        "score",
        "begins a clause: points are counted where a player is stuck",
        "score taken(Left) - taken(Right)",
    ),
    word(
        "when",
        "the condition of an end or of an effect",
        "at(b) := p when at(b) = empty",
    ),
    word(
        "again",
        "leaves the turn with its player",
        "then remove e, again when k > 0",
    ),
    word(
        "entail",
        "the answer must be made in a heap that this move has left",
        "then n -> [n - 1], entail",
    ),
    word(
        "repeat",
        "a stage that may come again within one move",
        "repeat choose b in nbrs(a)",
    ),
    word("next", "what a stage hands to the next one", "next a = b"),
    word(
        "with",
        "what a ruleset has otherwise than another",
        "ruleset Mine = Domineering with",
    ),
    word(
        "as",
        "the name behind which the names of another file stand: `X.Nim`",
        "use \"nim.rules\" as X",
    ),
    word(
        "claims",
        "asks which claims of the other ruleset still hold",
        "ruleset Mine = Domineering with claims",
    ),
    word(
        "without",
        "leaves out a part of the other ruleset",
        "without move jump",
    ),
    word(
        "wrap",
        "closes a grid to rings: `rows`, `columns` or `both`",
        "grid(4, 5, wrap: both)",
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
