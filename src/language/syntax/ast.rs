//! The syntax tree of a file. Names are text, nothing is resolved, and the integer side and the value side are not yet
//! distinguished. The parser builds the tree, the printer writes it back, `model` resolves it. Every node carries its
//! place.

use crate::base::{FileId, Ident, Span};
use num_bigint::BigInt;
use std::sync::Arc;

/// A whole file: its items in order, without broken items, which have been reported.
#[derive(Clone, Debug)]
pub struct File {
    /// Which source.
    pub id: FileId,
    /// `language 1`, if the file opens with it.
    pub language: Option<(u32, Span)>,
    /// The items that could be read.
    pub items: Vec<Item>,
    /// Names of items that could not be read although their keyword and name were recognised, so that uses of them are
    /// not reported again.
    pub broken: Vec<Ident>,
    /// How many items could not be read.
    pub broken_count: usize,
    /// The readable parts of rulesets that could not be read, for name lookup. The checker ignores them.
    pub partial: Vec<Item>,
    /// Text that could not be read: items, and clauses of the rulesets above.
    pub unread: Vec<Span>,
    /// Whether a file that it uses was unavailable; set by the reader of files.
    pub unread_uses: bool,
    /// The prefix of its names in the main file: `X.` if the main file uses it `as X`. Set by the reader of files.
    pub prefix: Arc<str>,
    /// The same text was read before under another prefix, so its messages would be duplicates.
    pub again: bool,
}

impl File {
    /// If the last item is a ruleset without moves, the unreadable text after it probably holds its other clauses: drops
    /// the ruleset and marks its name as broken, so that uses of it are not reported.
    pub(super) fn leave_unfinished(&mut self) {
        let moves = |r: &Ruleset| {
            r.clauses
                .iter()
                .any(|c| matches!(c.kind, ClauseKind::Move(_)))
        };
        if let Some(Item {
            kind: ItemKind::Ruleset(r),
            ..
        }) = self.items.last()
            && !moves(r)
        {
            self.broken.push(r.name.clone());
            self.items.pop();
        }
    }
}

/// One item: it starts with a keyword in column 1 and ends where the next one starts.
#[derive(Clone, Debug)]
pub struct Item {
    /// From the keyword to the last token.
    pub span: Span,
    /// The lines of `///` above it, without the slashes.
    pub doc: Vec<Arc<str>>,
    /// What it is.
    pub kind: ItemKind,
}

/// The kinds of items.
#[derive(Clone, Debug)]
pub enum ItemKind {
    /// `use "other.rules"`, `use "other.rules" as X`
    Use(Use),
    /// `ruleset Name(parameters)` and its clauses.
    Ruleset(Ruleset),
    /// `ruleset R(parameters) = impartial(S)`
    Derived(Derived),
    /// `let f(x, y) = E` in column 1.
    Let(Let),
    /// `position T(j, k) = E`
    Position(Let),
    /// `eval`, `assert`, `claim`, `refute`, `table`, `search`.
    Query(Query),
    /// `ask ".." expect E hint ".."`
    Ask(Ask),
}

/// A `use` item.
#[derive(Clone, Debug)]
pub struct Use {
    /// Which one.
    pub target: Text,
    /// The prefix of its names: X in `X.Nim`.
    pub name: Option<Ident>,
}

/// A string in quotes, or art in `"""`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Text {
    /// The contents, escapes resolved (there are only `\"` and `\\`), newlines as `\n`.
    pub value: Arc<str>,
    /// With its quotes.
    pub span: Span,
}

/// A formal parameter, with an optional sort.
#[derive(Clone, Debug)]
pub struct Parameter {
    /// Its name.
    pub name: Ident,
    /// `: set of nat`, if given.
    pub sort: Option<SortName>,
}

/// A sort as written: `nat`, `int`, `string`, `digits`, `piece`, `player`, `vertex`, `board`, `position`, `set of S`,
/// `list of S`.
#[derive(Clone, Debug)]
pub enum SortName {
    /// A plain name.
    Name(Ident),
    /// `set of S`
    Set(Box<SortName>, Span),
    /// `list of S`
    List(Box<SortName>, Span),
}

/// A ruleset with its clauses in order.
#[derive(Clone, Debug)]
pub struct Ruleset {
    /// Its name.
    pub name: Ident,
    /// Its parameters.
    pub parameters: Vec<Parameter>,
    /// The ruleset from which it inherits, after `=`.
    pub parent: Option<Parent>,
    /// The clauses; in a ruleset that inherits, the changes.
    pub clauses: Vec<Clause>,
}

/// `= Parent(arguments) with`: everything of another ruleset, except as the following clauses change it.
#[derive(Clone, Debug)]
pub struct Parent {
    /// The other ruleset.
    pub of: Expr,
    /// `with claims`: its claims are also made about this ruleset.
    pub claims: Option<Span>,
}

/// `ruleset R(parameters) = E`, where E is a call like `impartial(S)`.
#[derive(Clone, Debug)]
pub struct Derived {
    /// Its name.
    pub name: Ident,
    /// Its parameters.
    pub parameters: Vec<Parameter>,
    /// What it is derived from.
    pub body: Expr,
}

/// A clause of a ruleset.
#[derive(Clone, Debug)]
pub struct Clause {
    /// From its keyword to its last token.
    pub span: Span,
    /// The lines of `///` above it.
    pub doc: Vec<Arc<str>>,
    /// What it says.
    pub kind: ClauseKind,
}

/// The kinds of clauses.
#[derive(Clone, Debug)]
pub enum ClauseKind {
    /// `board heaps (m, n)`, `board digraph acyclic`, `board graph rooted at g`, ..
    Board(BoardClause),
    /// `players A, B, C` or `players 1..n`
    Players(Vec<Expr>),
    /// `pieces x = Left, g = Left or Right, w = anyone on edges`, `pieces 1..n`
    Pieces(PiecesClause),
    /// `state f(sort, ..): S, m, n: nat`, `fixed f(sort, ..): S`
    State(Vec<StateDecl>),
    /// `let ..` inside a ruleset.
    Let(Vec<Let>),
    /// `play last-wins`
    Play(Ident),
    /// `win p when ..`, `lose p when ..`, `draw when ..`
    End(EndClause),
    /// `endless draw`, `endless win A`: the winner of an infinite play, or `None` for a draw.
    Endless(Option<Ident>),
    /// `score E`: the score of a finished play, when the player to move has no move.
    Score(Expr),
    /// `move ..`
    Move(Move),
    /// `without move jump, win`: clauses that are not inherited.
    Without(Vec<LeftOut>),
}

impl ClauseKind {
    /// The word that opens the clause.
    #[must_use]
    pub fn word(&self) -> &'static str {
        match self {
            ClauseKind::Board(_) => "board",
            ClauseKind::Players(_) => "players",
            ClauseKind::Pieces(_) => "pieces",
            ClauseKind::State(all) if all.iter().any(|s| s.fixed) => "fixed",
            ClauseKind::State(_) => "state",
            ClauseKind::Let(_) => "let",
            ClauseKind::Play(_) => "play",
            ClauseKind::End(end) => end.kind.word(),
            ClauseKind::Endless(_) => "endless",
            ClauseKind::Score(_) => "score",
            ClauseKind::Move(_) => "move",
            ClauseKind::Without(_) => "without",
        }
    }
}

/// A part of a parent that is left out: `move jump`, `move 2`, `let along`, `win`.
#[derive(Clone, Debug)]
pub struct LeftOut {
    /// All of it.
    pub span: Span,
    /// The word of the clause.
    pub word: Ident,
    /// The name, or the number of a move.
    pub name: Option<Ident>,
}

/// A clause that ends play in the position after a move.
#[derive(Clone, Debug)]
pub struct EndClause {
    /// What the end means.
    pub kind: EndKind,
    /// `win p`, `lose Left`; none in `draw when`.
    pub player: Option<Ident>,
    /// After `when`: conditions, separated by commas (all must hold).
    pub conditions: Vec<Expr>,
}

/// What an end of play means for the named player.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum EndKind {
    /// `win`
    Win,
    /// `lose`
    Lose,
    /// `draw`
    Draw,
}

impl EndKind {
    /// The word that opens the clause.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            EndKind::Win => "win",
            EndKind::Lose => "lose",
            EndKind::Draw => "draw",
        }
    }
}

/// The board clause.
#[derive(Clone, Debug)]
pub struct BoardClause {
    /// `heaps`, `strip`, `grid`, `graph`, `digraph`, `poset`.
    pub kind: Ident,
    /// `(m, n)` or `[(m, n)]` after `heaps`: the names of the components of a heap.
    pub tuple: Vec<Ident>,
    /// `acyclic` after `digraph`.
    pub acyclic: Option<Span>,
    /// `rooted at g`.
    pub root: Option<Ident>,
}

/// The pieces clause.
#[derive(Clone, Debug)]
pub struct PiecesClause {
    /// The pieces in order.
    pub pieces: Vec<PieceDecl>,
    /// `pieces 1..n`: one piece for each player.
    pub range: Option<Expr>,
    /// `on edges`.
    pub on_edges: Option<Span>,
}

/// One piece and its owners.
#[derive(Clone, Debug)]
pub struct PieceDecl {
    /// Its name, which is its glyph.
    pub name: Ident,
    /// `Left or Right`; `anyone`; empty if no owner is given.
    pub owners: Vec<Ident>,
}

/// One declaration of a state variable or function.
#[derive(Clone, Debug)]
pub struct StateDecl {
    /// Its name.
    pub name: Ident,
    /// Sorts of its arguments; empty for a scalar.
    pub arguments: Vec<SortName>,
    /// The sort of its values (`m, n: nat` gives both the same).
    pub sort: SortName,
    /// Declared by `fixed`: no move changes it.
    pub fixed: bool,
}

/// A definition: `let f(x, y) = E`, `let along(Left) = south`, `position T(j, k) = E`.
#[derive(Clone, Debug)]
pub struct Let {
    /// From the name to the end of the body.
    pub span: Span,
    /// What is defined.
    pub name: Ident,
    /// Parameters, or the constants of one table entry (`Left`).
    pub parameters: Vec<Parameter>,
    /// The body.
    pub body: Expr,
}

/// A move: label, player, stages.
#[derive(Clone, Debug)]
pub struct Move {
    /// `move back by p`
    pub label: Option<Ident>,
    /// `by p`, `by Left`, `by anyone`.
    pub by: Ident,
    /// Its stages in order.
    pub stages: Vec<Stage>,
}

/// One stage `choose .. where .. then ..`; any part may be absent, but not all.
#[derive(Clone, Debug)]
pub struct Stage {
    /// The whole stage.
    pub span: Span,
    /// After `choose`.
    pub binders: Vec<Binder>,
    /// After `where`: conditions, separated by commas (all must hold).
    pub conditions: Vec<Expr>,
    /// After `then`.
    pub effects: Vec<Effect>,
    /// Opened by `repeat`: performed once or more.
    pub repeat: bool,
    /// `next a = E`: the values of outer names in the next round.
    pub next: Vec<(Ident, Expr)>,
}

/// A binder: what a `choose`, a `for` or a quantifier ranges over.
#[derive(Clone, Debug)]
pub struct Binder {
    /// The whole binder.
    pub span: Span,
    /// Which form.
    pub kind: BinderKind,
}

impl Binder {
    /// The names that it binds, or matches if they are already bound.
    pub fn names(&self) -> impl Iterator<Item = &Ident> {
        let (some, more): (&[Ident], Option<&Ident>) = match &self.kind {
            BinderKind::In(Pattern::Tuple(names, _), _)
            | BinderKind::Is(Pattern::Tuple(names, _), _)
            | BinderKind::Heap(names) => (names, None),
            BinderKind::In(Pattern::Name(name), _)
            | BinderKind::Is(Pattern::Name(name), _)
            | BinderKind::Site(name)
            | BinderKind::Edge(name)
            | BinderKind::Function { name, .. }
            | BinderKind::Piece(name) => (std::slice::from_ref(name), None),
            BinderKind::Arc(u, v) | BinderKind::Line(u, v) => (std::slice::from_ref(u), Some(v)),
        };
        some.iter().chain(more)
    }
}

/// The forms of binders.
#[derive(Clone, Debug)]
pub enum BinderKind {
    /// `x in S`, `(i, j) in S` (a tuple pattern). In `n, s in S` the name n is a [`BinderKind::Site`] by itself.
    In(Pattern, Expr),
    /// `x = E`
    Is(Pattern, Expr),
    /// `x` alone: each site of the board.
    Site(Ident),
    /// `(m, n)`: each heap, where heaps are tuples.
    Heap(Vec<Ident>),
    /// `edge e`
    Edge(Ident),
    /// `piece c`
    Piece(Ident),
    /// `u -> v`; the parser splits `u -> v -> w` into `u -> v, v -> w`.
    Arc(Ident, Ident),
    /// `u -- v`
    Line(Ident, Ident),
    /// `t(x in S) in E`: each function on S whose value at x lies in E.
    Function {
        /// The function.
        name: Ident,
        /// The name by which E refers to an element of S.
        argument: Ident,
        /// S.
        over: Expr,
        /// E.
        values: Expr,
    },
}

/// What a binder names.
#[derive(Clone, Debug)]
pub enum Pattern {
    /// One name.
    Name(Ident),
    /// A tuple of names.
    Tuple(Vec<Ident>, Span),
}

/// An effect after `then`.
#[derive(Clone, Debug)]
pub struct Effect {
    /// The whole effect.
    pub span: Span,
    /// Which form.
    pub kind: EffectKind,
}

/// The forms of effects.
#[derive(Clone, Debug)]
pub enum EffectKind {
    /// `at(b) := p`, `f(v) += 1`, `m -= k`
    Assign(Expr, AssignOp, Expr),
    /// `remove a, b`: sites and sets of sites.
    Remove(Vec<Expr>),
    /// `keep S`
    Keep(Expr),
    /// `add u -- v`, `add u -> v`: a new edge, or, where the flag says so, a new arc.
    Join(Expr, bool, Expr),
    /// `merge u, v`: the second vertex becomes one with the first.
    Merge(Expr, Expr),
    /// `n -> [a, b]`; the left side is a name or a tuple of names.
    Replace(Pattern, Expr),
    /// `each x in S where phi: effect`
    Each(Vec<Binder>, Option<Box<Expr>>, Box<Effect>),
    /// `effect when phi`: performed if the condition holds before the effects.
    When(Box<Effect>, Box<Expr>),
    /// `again`, `again when phi`: the same player moves next.
    Again(Option<Box<Expr>>),
    /// `entail`: the answer must be made in a heap that this move has left.
    Entail,
}

/// The assignment signs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AssignOp {
    /// `:=`
    Set,
    /// `+=`
    Add,
    /// `-=`
    Subtract,
}

/// A query item.
#[derive(Clone, Debug)]
pub struct Query {
    /// Which keyword.
    pub kind: QueryKind,
    /// `slow` before it.
    pub slow: bool,
    /// The name in quotes of a claim or a refutation.
    pub name: Option<Text>,
    /// After `for`.
    pub binders: Vec<Binder>,
    /// After `where` (before the colon). Several conditions are joined by [`BinaryOp::Comma`], here and wherever one
    /// expression represents a list of conditions.
    pub condition: Option<Expr>,
    /// The expression. For `search`, the condition; several for `eval E, F`.
    pub body: Vec<Expr>,
    /// `from ".."`, `from program ".."`.
    pub source: Option<SourceNote>,
}

/// The query keywords.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum QueryKind {
    /// `eval E`
    Eval,
    /// `assert phi`
    Assert,
    /// `claim "name" for ..: phi`
    Claim,
    /// `refute "name" for ..: phi`
    Refute,
    /// `table for ..: E`
    Table,
    /// `search [first] for .. where phi`
    Search {
        /// Stop at the first.
        first: bool,
    },
}

/// A question to the reader: `ask "What is Nim[3, 5] worth?" expect value(Nim[3, 5]) hint "Add without carrying."`
#[derive(Clone, Debug)]
pub struct Ask {
    /// The question.
    pub question: Text,
    /// Its answer.
    pub answer: AskAnswer,
    /// Hints, one after the other.
    pub hints: Vec<Text>,
    /// `from ".."`
    pub source: Option<SourceNote>,
}

/// How the answer of a question is given.
#[derive(Clone, Debug)]
pub enum AskAnswer {
    /// `expect E`: the value of E.
    Expect(Expr),
    /// `seal ".."`: a hash of the answer.
    Seal(Text),
}

/// Where an expected value comes from.
#[derive(Clone, Debug)]
pub struct SourceNote {
    /// `from program ".."`: an independent computation kept in the tests.
    pub program: bool,
    /// The citation or the program's name.
    pub text: Text,
}

/// An expression of any kind. A parsed expression is at most [`crate::syntax::MAX_DEPTH`] deep, subexpressions included,
/// so recursion over it is safe.
#[derive(Clone, Debug)]
pub struct Expr {
    /// Its place.
    pub span: Span,
    /// Which form.
    pub kind: Box<ExprKind>,
}

impl Expr {
    /// The labels of games in these braces and, recursively, in braces that are options of them, in the order of the
    /// text.
    #[must_use]
    pub fn labels(&self) -> Vec<&Ident> {
        let mut found = Vec::new();
        let mut open = vec![self];
        while let Some(e) = open.pop() {
            let (left, right) = match &*e.kind {
                ExprKind::Braces(left, right) => (left, right),
                ExprKind::Knot(label, left, right) => {
                    found.push(label);
                    (left, right)
                }
                _ => continue,
            };
            open.extend(left.iter().chain(right).rev());
        }
        found
    }
}

/// The forms of expressions. The value side and the integer side share one tree; they differ in how they read
/// [`ExprKind::Compact`].
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// A name: variable, piece, player, function without arguments, vertex, keyword constant (`empty`, `wall`, `off`,
    /// `north`, `true`, `P-position`, ..).
    Name(Ident),
    /// A non-negative integer.
    Integer(BigInt),
    /// `"xox"`: art, digits, a string.
    Text(Text),
    /// A number, ups and star written without blanks between them: `1*2`, `1/2^3*2`, `^^*`, `*`, `v3`, `2^3`.
    Compact(Compact),
    /// `(E)`. Kept in the tree, since parentheses switch to the integer side.
    Paren(Expr),
    /// `(E, F)`: a tuple.
    Tuple(Vec<Expr>),
    /// `[E, F]`: a list or a multiset of heaps.
    List(Vec<Expr>),
    /// `[E for x in S where phi]`
    ListFor(Expr, Vec<Binder>, Option<Expr>),
    /// `{E, F}`: a set.
    Set(Vec<Expr>),
    /// `{E for x in S where phi}`
    SetFor(Expr, Vec<Binder>, Option<Expr>),
    /// `{x in S: phi}`
    SetThat(Vec<Binder>, Expr),
    /// `{L | R}`, `{L || M | R}`: a game. Longer bars bind more loosely; the parser nests them.
    Braces(Vec<Expr>, Vec<Expr>),
    /// `a{0|a}`: a game that is referred to as `a` within the outermost braces around it.
    Knot(Ident, Vec<Expr>, Vec<Expr>),
    /// `f(E, first: F)`: a function, a state function, a constructor, a ruleset with parameters.
    Call(Ident, Vec<Argument>),
    /// `Ruleset[..]`, `Ruleset(parameters)[..]`; `c[1]` where c is a list or a prefix of vertex names.
    Bracket(Expr, Vec<Entry>),
    /// `graph { .. }`, `poset { ..; .. }`: a board without a ruleset.
    Board(Ident, Vec<Entry>),
    /// `graph6 "DQc"`, `sparse6 ".."`, `digraph6 ".."`
    Encoded(Ident, Text),
    /// `G : H` (ordinal sum), `B:x` (a piece on every free site).
    Colon(Expr, Expr),
    /// A prefix sign.
    Unary(UnaryOp, Expr),
    /// An infix sign.
    Binary(BinaryOp, Expr, Expr),
    /// `all x in S: phi`, `some ..`, `no ..`
    Quantifier(Quantifier, Vec<Binder>, Option<Expr>, Expr),
    /// `if phi then a else b`
    If(Expr, Expr, Expr),
    /// `sum(E for x in S where phi)`, and `size min max xor mex` likewise.
    Fold(Ident, Expr, Vec<Binder>, Option<Expr>),
}

/// An argument of a call, with an optional name.
#[derive(Clone, Debug)]
pub struct Argument {
    /// `first:` in `winner(G, first: A)`.
    pub name: Option<Ident>,
    /// Its value.
    pub value: Expr,
}

/// Number, ups and star without blanks between them. At least one of `word`, `up` and `star` is present. On the value
/// side `1*2` is 1 + *2 and `2^3` is 2 + triple up; on the integer side they are a product and a power (`v*2` is a
/// product, too: there `v` is a name). A prefix `-` before a [`Compact`] with a number is the sign of the number on the
/// value side: `-1^` is -1 + up, although in the tree the `-` is on top.
#[derive(Clone, Debug)]
pub struct Compact {
    /// `1/2` in `1/2^3*2`: numerator and denominator (1 where none is written).
    pub number: Option<(BigInt, BigInt)>,
    /// The loopy value of `1over`, `upon*`; then there are no ups.
    pub word: Option<Ident>,
    /// The ups.
    pub up: Option<Ups>,
    /// `*`, `*2`, `*k`, `*(k+1)`.
    pub star: Option<StarNote>,
}

/// Ups as written.
#[derive(Clone, Debug)]
pub struct Ups {
    /// `v` instead of `^`.
    pub down: bool,
    /// How many.
    pub count: UpCount,
}

/// What follows the arrow.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum UpCount {
    /// `^^^`: that many arrows.
    Arrows(u32),
    /// `^3`
    Times(BigInt),
    /// `^<2>`: up-second.
    Pow(BigInt),
    /// `^[2]`: up to the second.
    PowTo(BigInt),
    /// `^<on>`
    PowOn,
    /// `^[on]`
    PowToOn,
}

/// A star as written.
#[derive(Clone, Debug)]
pub enum StarNote {
    /// `*`
    Star,
    /// `*2`, `*k`, `*(k+1)`
    Of(Expr),
}

/// Prefix signs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum UnaryOp {
    /// `-`
    Negative,
    /// `not`
    Not,
    /// `+-`, `±`
    PlusMinus,
}

/// Infix signs.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum BinaryOp {
    /// `or`
    Or,
    /// `and`
    And,
    /// `,` between conditions.
    Comma,
    /// `=`: the same data.
    Is,
    /// `!=`: different data.
    IsNot,
    /// `==`: equal games.
    Equal,
    /// `<`
    Less,
    /// `<=`
    LessEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterEqual,
    /// `x in S`
    In,
    /// `p owns c`
    Owns,
    /// `S & T`: the loopy value with these sides.
    Sides,
    /// `a..b`
    Range,
    /// `+`
    Add,
    /// `-`
    Subtract,
    /// `+-` between two games: `a +- b`, read on the integer side as plus a negative.
    PlusMinus,
    /// `*`
    Multiply,
    /// `/`: P over Q; a fraction.
    Slash,
    /// `mod`
    Mod,
    /// `div`
    Div,
    /// `^`
    Power,
    /// `u -> v`, as an argument only.
    Arc,
}

/// Quantifiers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Quantifier {
    /// `all`
    All,
    /// `some`
    Some,
    /// `no`
    No,
}

/// An entry of a board literal; entries are separated by commas in `Ruleset[..]` and by semicolons in `poset { ..; .. }`.
#[derive(Clone, Debug)]
pub struct Entry {
    /// Its place.
    pub span: Span,
    /// `a:x -- b -- c`: the first node. An entry with one node and no link is a value: a heap, a string of art, a
    /// computed board, a lone vertex, a field `m: 3`.
    pub first: Node,
    /// The rest of the chain.
    pub links: Vec<(Link, Node)>,
    /// More heads before `for`: `low(e), high(e) for e in edges(G)`.
    pub more: Vec<Node>,
    /// After `for`.
    pub binders: Vec<Binder>,
    /// After `where`.
    pub condition: Option<Expr>,
}

/// A node of a chain: an expression and an optional tag after its colon.
#[derive(Clone, Debug)]
pub struct Node {
    /// A vertex, heap, field name, board.
    pub expr: Expr,
    /// `a:2b+1g`, `m: 3`.
    pub tag: Option<Tag>,
}

/// The tag after a node's colon.
#[derive(Clone, Debug)]
pub enum Tag {
    /// `2b+1g`, `x`, `(j)r`: counts (1 where none is written) and pieces. A single name is always read as this.
    Pieces(Vec<(Option<Expr>, Ident)>),
    /// Anything else: the value of a field.
    Value(Expr),
    /// `2!`: a heap in which the answer to the last move must be made.
    Entailed,
}

/// The link between two nodes of a chain.
#[derive(Clone, Debug)]
pub enum Link {
    /// `->`
    Arc(Span),
    /// `--`
    Line(Span),
    /// `-b-`, `-2-`, `-(E)-`: an edge with a piece on it; if the flag is true, an arc, `-b->`.
    Labelled(Expr, Span, bool),
    /// `<`
    Below(Span),
    /// `>`
    Above(Span),
}
