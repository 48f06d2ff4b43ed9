//! The typed calculus, level 1 of the intermediate representation: `model` produces it from [`crate::syntax::ast`], and
//! all later stages read it. Every name is resolved (a variable is a slot of its frame, a function an index), every sort
//! is checked, every implicit reading is explicit: the two sides of a formula are distinguished, and a player used as a
//! piece has a node of its own. An unresolved name cannot reach the IR.
//!
//! Semantics (language.md, section 3): `options_P(s)` is the union over the moves of P of the positions reached by their
//! stages; `act ::= for x in S. a | assume p. a | do u ; a | done`.

use crate::base::Span;
use num_bigint::BigInt;
use std::sync::Arc;

/// A set of files checked together: all their definitions, and the queries in the order of the text.
#[derive(Clone, Debug, Default)]
pub struct Model {
    /// All rulesets; [`RulesetId`] indexes them.
    pub rulesets: Vec<Arc<Ruleset>>,
    /// All functions and positions, one entry for each tuple of argument sorts with which they are used; [`FunctionId`]
    /// indexes them.
    pub functions: Vec<Arc<Function>>,
    /// Queries of the main file.
    pub queries: Vec<Query>,
    /// Questions to the reader of the main file.
    pub asks: Vec<Ask>,
}

/// Index into [`Model::rulesets`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct RulesetId(pub u32);

/// Index into [`Model::functions`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct FunctionId(pub u32);

/// A variable: its index in the frame of its move, function or query.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Slot(pub u32);

/// Index into [`Ruleset::state`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct StateId(pub u32);

/// Index into [`Ruleset::pieces`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct PieceId(pub u16);

/// The kinds of sites.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum SiteKind {
    /// A cell of a strip: an integer 1..n.
    StripCell,
    /// A cell of a grid: (row, column) from (1, 1) at the top left.
    GridCell,
    /// A vertex of a graph or digraph.
    Vertex,
    /// An edge of a graph, or an arc of a digraph.
    Edge,
    /// An element of a poset.
    Element,
    /// A heap.
    Heap,
}

/// What an expression denotes.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Sort {
    /// Unknown: an error was reported, or it is a parameter of a function that is never called. Compatible with every
    /// sort.
    Unknown,
    /// true or false.
    Bool,
    /// An unbounded integer (both `nat` and `int`; `nat` is checked where a value is stored).
    Int,
    /// A string.
    Text,
    /// The digits of a code such as `"0.77"`.
    Digits,
    /// A player.
    Player,
    /// A piece, or empty, wall, off.
    Piece,
    /// A direction.
    Direction,
    /// A site.
    Site(SiteKind),
    /// A site of a board that is only known during evaluation (computed boards, board literals): compared by its label.
    /// The edges of `edges(G)` have this sort, too; such an edge knows its ends, so `ends(e)` needs no board.
    Label,
    /// A tuple.
    Tuple(Vec<Sort>),
    /// A finite set.
    Set(Box<Sort>),
    /// A finite list.
    List(Box<Sort>),
    /// A board.
    Board,
    /// A position, or a sum of positions.
    Position,
    /// A game: a value, or a form as written.
    Game,
    /// An outcome.
    Outcome,
    /// Positions that are played together in a compound other than the disjunctive sum.
    Compound,
    /// The genus of a position in misère play. A string is read as one where it is compared with one.
    Genus,
    /// A misère form. A string is read as one where it is compared with one.
    MisereForm,
    /// An element of a misère quotient.
    QuotientElement,
    /// The results of `moves`, `options`, `thermograph`, `coalitions`, ..: displayed, not computed with.
    Report,
}

/// A ruleset. The frames of its moves and lets begin with its parameters (slots `0..parameters.len()`).
#[derive(Clone, Debug)]
pub struct Ruleset {
    /// Its name.
    pub name: Arc<str>,
    /// Where the name stands.
    pub span: Span,
    /// Its documentation.
    pub doc: Vec<Arc<str>>,
    /// Its parameters in order.
    pub parameters: Vec<Parameter>,
    /// The kind of board.
    pub board: BoardKind,
    /// Names of the components of a heap of tuples.
    pub heap_fields: Vec<Arc<str>>,
    /// Whether a digraph must have no cycle.
    pub acyclic: bool,
    /// The root of a rooted graph.
    pub root: Option<Arc<str>>,
    /// The players.
    pub players: Players,
    /// The pieces; those of `pieces 1..n` are known only with the parameters, see `pieces_range`.
    pub pieces: Vec<Piece>,
    /// `pieces 1..n`: the upper end; player i owns the piece i.
    pub pieces_range: Option<Expr>,
    /// Whether there are pieces on vertices or cells (`at(v)`).
    pub pieces_on_sites: bool,
    /// Whether there are pieces on edges (`at(e)`).
    pub pieces_on_edges: bool,
    /// Declared state functions and scalars.
    pub state: Vec<StateVar>,
    /// How play ends.
    pub convention: Play,
    /// The clauses that end play, in order.
    pub ends: Vec<EndClause>,
    /// The winner of an infinite play.
    pub endless: Endless,
    /// The score when the player to move has no move, if points are counted.
    pub score: Option<Score>,
    /// The moves in order.
    pub moves: Vec<Move>,
    /// For a ruleset made by `impartial(S)` and similar: everything above is copied from S except the parameters (its
    /// own) and the moves (empty here: read those of `derived.of` under `derived.arguments`).
    pub derived: Option<Derived>,
    /// The ruleset from which it inherits, in words: `Domineering with ..`.
    pub inherits: Option<Arc<str>>,
    /// No item defines it: it was made for another ruleset, or occurs in an expression as `misere(R)`.
    pub hidden: bool,
    /// Errors were reported in it. It is kept so that the indices of the others stay valid, but must never be played; no
    /// unbroken part of the model refers to it.
    pub broken: bool,
}

impl Ruleset {
    /// Whether a move may join two vertices that no edge joined before.
    #[must_use]
    pub fn adds_edges(&self) -> bool {
        fn joins(effect: &Effect) -> bool {
            match &effect.kind {
                EffectKind::Join(..) | EffectKind::Merge(..) => true,
                EffectKind::Each(_, _, inner) => joins(inner),
                _ => false,
            }
        }
        let stages = self.moves.iter().flat_map(|m| &m.stages);
        stages.flat_map(|s| &s.effects).any(joins)
    }

    /// Whether the winner depends on more than having a move: a clause ends play, points are counted, a move keeps the
    /// turn, or a player without a move does not lose. Such rules have no values as short games.
    #[must_use]
    pub fn decides_otherwise(&self) -> bool {
        self.decides_by_more() || matches!(self.convention, Play::Misere)
    }

    /// Whether the winner depends on more than who moves last: as [`Ruleset::decides_otherwise`], but `play misere` is
    /// allowed.
    #[must_use]
    pub fn decides_by_more(&self) -> bool {
        !self.ends.is_empty()
            || self.score.is_some()
            || matches!(self.convention, Play::StuckDraws)
            || self.moves.iter().any(|m| !matches!(m.again, Again::Never))
    }

    /// Whether the player who cannot move loses, and moves do nothing but pass the turn or restrict their answer.
    #[must_use]
    pub fn decides_by_answers(&self) -> bool {
        let passes = |m: &Move| matches!(m.again, Again::Never | Again::Entail);
        self.ends.is_empty()
            && self.score.is_none()
            && matches!(self.convention, Play::Normal)
            && self.moves.iter().all(passes)
    }

    /// Whether a move restricts its answer (`entail`).
    #[must_use]
    pub fn entails(&self) -> bool {
        self.moves.iter().any(|m| matches!(m.again, Again::Entail))
    }
}

/// A clause that ends play: `win p when ..`, `lose p when ..`, `draw when ..`. It is evaluated in each position after a
/// move.
#[derive(Clone, Debug)]
pub struct EndClause {
    /// Its place.
    pub span: Span,
    /// What the end means for `player`.
    pub kind: EndKind,
    /// The player concerned; `By::Anyone` in `draw when`.
    pub player: By,
    /// Whether the conditions use the player bound by `By::Each`. If not, the player is the one who has just moved.
    pub uses_player: bool,
    /// The slot of the player who has just moved, if a condition names `mover`.
    pub mover: Option<Slot>,
    /// Size of its frame.
    pub slots: u32,
    /// Names of the slots, for messages.
    pub slot_names: Vec<Arc<str>>,
    /// All must hold.
    pub conditions: Vec<Expr>,
}

/// `score E`: the score when the player to move has no move, Left's points minus Right's.
#[derive(Clone, Debug)]
pub struct Score {
    /// Its place.
    pub span: Span,
    /// The slot of the player without a move, if the score names `stuck`.
    pub stuck: Option<Slot>,
    /// Size of its frame.
    pub slots: u32,
    /// Names of the slots, for messages.
    pub slot_names: Vec<Arc<str>>,
    /// The score, an integer.
    pub points: Expr,
}

/// The winner of an infinite play.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Endless {
    /// Nobody: a draw.
    #[default]
    Draw,
    /// This player.
    Win(u8),
}

/// Who moves after a move, and where.
#[derive(Clone, Debug, Default)]
pub enum Again {
    /// Never: the turn passes.
    #[default]
    Never,
    /// `again`
    Always,
    /// `again when phi`, evaluated after the move.
    When(Box<Expr>),
    /// Never; but `entail`: the answer must be made in a heap that this move has left.
    Entail,
}

/// A parameter of a ruleset or function.
#[derive(Clone, Debug)]
pub struct Parameter {
    /// Its name.
    pub name: Arc<str>,
    /// Its sort.
    pub sort: Sort,
    /// Declared as `nat`: not negative.
    pub natural: bool,
}

/// The maximal number of players: engines keep sets of players in words of 64 bits.
pub const MAX_PLAYERS: usize = 64;

/// The players.
#[derive(Clone, Debug)]
pub enum Players {
    /// By name, in the order of turns.
    Named(Vec<Arc<str>>),
    /// `players 1..n`: the upper end, an expression over the parameters.
    Range(Expr),
}

/// A declared piece.
#[derive(Clone, Debug)]
pub struct Piece {
    /// Its name and glyph.
    pub name: Arc<str>,
    /// Its owners.
    pub owners: Owners,
    /// Declared `on edges`.
    pub on_edges: bool,
}

/// Who owns a piece.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Owners {
    /// These players (indices in the order of turns); nobody if empty.
    These(Vec<u8>),
    /// Every player.
    Anyone,
}

/// A state function (or scalar, with no arguments).
#[derive(Clone, Debug)]
pub struct StateVar {
    /// Its name.
    pub name: Arc<str>,
    /// Sorts of its arguments: pieces, players, sites, directions.
    pub arguments: Vec<Sort>,
    /// Sort of its values.
    pub sort: Sort,
    /// Declared as `nat`: a move that would make it negative is not a move (`-=`) or an error (`:=`).
    pub natural: bool,
    /// Declared by `fixed`: given with the board, and written by no move.
    pub fixed: bool,
}

/// How play ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Play {
    /// Two players, normal play.
    Normal,
    /// `play last-wins`
    LastWins,
    /// `play elimination`
    Elimination,
    /// `play misere`: a player who cannot move wins.
    Misere,
    /// `play stuck-draws`: play is a draw if the player to move cannot move.
    StuckDraws,
}

/// `ruleset R = impartial(S)`: the moves of another ruleset, interpreted differently.
#[derive(Clone, Debug)]
pub struct Derived {
    /// Which interpretation.
    pub how: Derivation,
    /// The ruleset S.
    pub of: RulesetId,
    /// Its arguments (over R's parameters).
    pub arguments: Vec<Expr>,
}

/// Ways to derive a ruleset from another.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Derivation {
    /// Everyone may make anyone's moves.
    Impartial,
    /// Nobody may move unless both players can.
    Dicotic,
    /// Everyone may make anyone's moves, if both players have one.
    ImpartialDicotic,
    /// No reinterpretation: only arguments are given.
    Arguments,
}

/// A move.
#[derive(Clone, Debug)]
pub struct Move {
    /// Its place.
    pub span: Span,
    /// Its label.
    pub label: Option<Arc<str>>,
    /// The player who may make it.
    pub by: By,
    /// Size of its frame.
    pub slots: u32,
    /// Names of the slots, for messages.
    pub slot_names: Vec<Arc<str>>,
    /// Its stages, at least one.
    pub stages: Vec<Stage>,
    /// Whether its player moves again.
    pub again: Again,
    /// The stage that is performed once or more, if there is one.
    pub repeat: Option<Repeat>,
}

/// A stage that is performed once or more: each round sees the result of the last.
#[derive(Clone, Debug)]
pub struct Repeat {
    /// The index of the stage: the last, or the last but one if the last has only conditions.
    pub stage: usize,
    /// Variables of earlier stages with their values in the next round.
    pub next: Vec<(Slot, Expr)>,
}

/// The player who may make a move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum By {
    /// `by p`: every player; the slot holds the player.
    Each(Slot),
    /// `by Left`
    One(u8),
    /// `by anyone`
    Anyone,
}

/// One stage.
#[derive(Clone, Debug)]
pub struct Stage {
    /// Its place.
    pub span: Span,
    /// In order; later binders may use earlier ones.
    pub binders: Vec<Binder>,
    /// All must hold.
    pub conditions: Vec<Expr>,
    /// Performed simultaneously.
    pub effects: Vec<Effect>,
}

/// A binder. Sets are evaluated in the position at the start of the stage.
#[derive(Clone, Debug)]
pub struct Binder {
    /// Its place.
    pub span: Span,
    /// Its range, and the slots that it fills.
    pub kind: BinderKind,
}

/// One place of a binder's pattern.
#[derive(Clone, Debug)]
pub enum Place {
    /// A new variable.
    New(Slot),
    /// A bound name that occurs again: the values must be equal.
    Same(Slot),
}

/// The forms of binders.
#[derive(Clone, Debug)]
pub enum BinderKind {
    /// Each element of a set or list. Two or more places: the elements are tuples.
    In(Vec<Place>, Expr),
    /// The single value of an expression. If `cell` is true, the value is a cell; unless it is on the board and not
    /// removed, there is no choice.
    Is {
        /// The variable.
        place: Place,
        /// Its value.
        value: Expr,
        /// Whether the value is a cell that must be present.
        cell: bool,
    },
    /// Each present site of the board: cell, vertex, element.
    Sites(Place, SiteKind),
    /// Each heap, as heap number `heap` of the stage: different heap binders of a stage take different heaps. The places
    /// receive the heap's components (sizes).
    Heap {
        /// Its number among the heap binders of the stage.
        heap: u32,
        /// Its components.
        places: Vec<Place>,
    },
    /// `edge e`: each present edge or arc.
    Edges(Place),
    /// `piece c`: each declared piece.
    Pieces(Place),
    /// `u -> v`: each arc.
    Arcs(Place, Place),
    /// `u -- v`: each edge in both directions (a loop once).
    Lines(Place, Place),
}

/// An effect.
#[derive(Clone, Debug)]
pub struct Effect {
    /// Its place.
    pub span: Span,
    /// Which form.
    pub kind: EffectKind,
}

/// What can be assigned.
#[derive(Clone, Debug)]
pub enum Target {
    /// `at(site)`
    At(Expr),
    /// A state function at its arguments, or a scalar.
    State(StateId, Vec<Expr>),
}

/// The forms of effects.
#[derive(Clone, Debug)]
pub enum EffectKind {
    /// `:=`
    Set(Target, Expr),
    /// `+=`
    Add(Target, Expr),
    /// `-=`
    Subtract(Target, Expr),
    /// `remove`: sites, or sets of sites.
    Remove(Vec<Expr>),
    /// `add u -- v`, `add u -> v`: an edge, or an arc, between two vertices that are there and are not joined so.
    Join(Expr, Expr),
    /// `merge u, v`: v goes, and its edges go on from u, unless there is one already.
    Merge(Expr, Expr),
    /// `keep`: removes every site (vertex, cell, element) that is not in the set.
    Keep(Expr),
    /// `n -> [a, b]`: heap number `heap` of this stage becomes these heaps (a list of integers or of tuples).
    Replace {
        /// Which heap binder of the stage.
        heap: u32,
        /// The list of heaps that take its place.
        heaps: Expr,
    },
    /// `each x in S where phi: effect`; `effect when phi` is one without binders.
    Each(Vec<Binder>, Option<Expr>, Box<Effect>),
}

/// A function, a named position or a constant; its frame begins with its parameters. For a function defined inside a
/// ruleset (`in_ruleset`), the ruleset's parameters come first, and it may read the state.
#[derive(Clone, Debug)]
pub struct Function {
    /// Its name.
    pub name: Arc<str>,
    /// Where the name stands.
    pub span: Span,
    /// Its documentation.
    pub doc: Vec<Arc<str>>,
    /// The ruleset to which it belongs.
    pub in_ruleset: Option<RulesetId>,
    /// Its parameters (without the ruleset's).
    pub parameters: Vec<Parameter>,
    /// Size of its frame.
    pub slots: u32,
    /// Its definition.
    pub body: FunctionBody,
    /// Sort of its values.
    pub sort: Sort,
}

/// The two forms of definitions.
#[derive(Clone, Debug)]
pub enum FunctionBody {
    /// An expression.
    Expr(Expr),
    /// A table: constants (one for each parameter) and the value there. Covers all arguments.
    Table(Vec<(Vec<Expr>, Expr)>),
}

/// A typed expression.
#[derive(Clone, Debug)]
pub struct Expr {
    /// Its place.
    pub span: Span,
    /// What it denotes.
    pub sort: Sort,
    /// Which form.
    pub kind: Box<ExprKind>,
}

/// The forms of typed expressions.
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// An integer.
    Integer(BigInt),
    /// `true`, `false`
    Bool(bool),
    /// A string.
    Text(Arc<str>),
    /// A player by place in the order of turns.
    Player(u8),
    /// A declared piece.
    Piece(PieceId),
    /// `empty`
    Empty,
    /// `wall`
    Wall,
    /// `off`
    Off,
    /// `L-position` and so on (sort [`Sort::Outcome`]).
    Outcome(OutcomeName),
    /// `queer`: the result of `winner` if no player wins alone (sort [`Sort::Player`]; equal to no player).
    Queer,
    /// `draw`: the result of `winner` if each player can prevent the others from winning (sort [`Sort::Player`]; equal to
    /// no player).
    Draw,
    /// An integer where a player is expected, in a ruleset with `players 1..n`: the player with that number, from 1; out
    /// of range it is a fault.
    PlayerNumber(Expr),
    /// An integer where a piece is expected, in a ruleset with `pieces 1..n`: the piece with that number, from 1; out of
    /// range it is a fault.
    PieceNumber(Expr),
    /// Coordinates where a cell is expected: one integer on a strip, row and column on a grid (or one expression of sort
    /// pair). May be off the board.
    Cell(Vec<Expr>),
    /// A cell where coordinates are expected: the integer of a strip cell (sort Int), the pair of a grid cell.
    Coordinates(Expr),
    /// A direction: rows down and columns to the right. On a strip only the columns count.
    Direction(i8, i8),
    /// The label of a vertex or an element, written as a name or as an uninterpreted term: `a`, `mid(v)`; a term without
    /// a name is a set: `{1, 2}`.
    Label(Arc<str>, Vec<Expr>),
    /// The root of the rooted board.
    Root,
    /// A variable.
    Slot(Slot),
    /// A function of the file or of the ruleset. In a ruleset, the ruleset's parameters are passed on implicitly.
    Call(FunctionId, Vec<Expr>),
    /// `at(site)`; a cell off the board gives `off`.
    At(Expr),
    /// A state function at its arguments, or a scalar.
    State(StateId, Vec<Expr>),
    /// The unique piece owned by exactly this player; an error if there is none or more than one.
    PieceOf(Expr),
    /// `at(s) = p`: the piece (first) is exactly the player's (second).
    IsPieceOf(Expr, Expr),
    /// A built-in function.
    Builtin(Builtin, Vec<Expr>),
    /// `-E`, `not E` on the integer side.
    Negative(Expr),
    /// See `Negative`.
    Not(Expr),
    /// Integers, sets, lists, boards, comparisons of data, connectives.
    Binary(Op, Expr, Expr),
    /// `all`, `some`, `no`.
    Quantifier(Quantifier, Vec<Binder>, Option<Expr>, Expr),
    /// `if phi then a else b`: only the chosen branch is evaluated.
    If(Expr, Expr, Expr),
    /// `[E for .. where ..]`, `{E for .. where ..}` by the expression's sort; also `{x in S: phi}` with E = x.
    For(Expr, Vec<Binder>, Option<Expr>),
    /// `size min max sum xor mex` of a set or list; for a comprehension (whose repetitions count) the argument is a list.
    Fold(Fold, Expr),
    /// `[a, b]`, `{a, b}` by the expression's sort.
    Elements(Vec<Expr>),
    /// `(a, b)`
    Tuple(Vec<Expr>),
    /// `l[i]`, from 1; `t(x)` for a function, which is represented by the set of its pairs.
    Index(Expr, Expr),
    /// A board written out.
    Board(BoardLiteral),
    /// `Ruleset(arguments)[board]`.
    Position(Box<PositionLiteral>),
    /// `G + H` of positions; `-G`; `n * G`.
    Sum(Expr, Expr),
    /// See `Sum`.
    Mirror(Expr),
    /// See `Sum`: integer first.
    Multiple(Expr, Expr),
    /// Needs an engine or the algebra of games: evaluated by the host.
    Game(GameOp, Vec<Expr>),
}

/// The nine outcomes, as constants. The first four are those of games without draws.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum OutcomeName {
    /// `L-position`: Left wins, whoever starts.
    L,
    /// `R-position`: Right wins, whoever starts.
    R,
    /// `N-position`: the next player wins.
    N,
    /// `P-position`: the previous player wins.
    P,
    /// `D-position`: nobody can force a win.
    D,
    /// `LD-position`: Left wins if she starts; else nobody can force a win.
    LD,
    /// `DR-position`: Right wins if he starts; else nobody can force a win.
    DR,
    /// `DL-position`: Left wins if Right starts; else nobody can force a win.
    DL,
    /// `RD-position`: Right wins if Left starts; else nobody can force a win.
    RD,
}

/// Infix operators of the integer side and of data.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Op {
    /// Connective (also between conditions separated by commas); the right operand is not evaluated if the left decides.
    And,
    /// Connective.
    Or,
    /// The same data.
    Is,
    /// Different data.
    IsNot,
    /// Order of integers.
    Less,
    /// Order of integers.
    LessEqual,
    /// Order of integers.
    Greater,
    /// Order of integers.
    GreaterEqual,
    /// Element of a set or list.
    In,
    /// Player owns piece.
    Owns,
    /// The set of integers a..b, both ends included.
    Range,
    /// Integers; directions; a cell and a direction; a strip cell and an integer; lists (concatenation); sets (union);
    /// boards side by side.
    Add,
    /// Integers; directions; a strip cell and an integer; a cell against a direction; sets (difference).
    Subtract,
    /// Integers; integer and direction; integer and board (copies side by side).
    Multiply,
    /// Integers, towards minus infinity; division by zero is a fault.
    Div,
    /// Likewise: the sign of the result is the divisor's.
    Mod,
    /// Integers; a negative exponent is a fault.
    Power,
    /// Boards: P over Q.
    Over,
    /// Board and piece: the piece on every free site. If the ruleset is unknown, the piece is a label of sort Piece.
    Place,
}

/// Quantifiers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Quantifier {
    /// For all.
    All,
    /// There is one.
    Some,
    /// There is none.
    No,
}

/// A loopy value with a name (*Winning Ways*, chapter 11).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub enum LoopyName {
    On,
    Off,
    Over,
    Under,
    Upon,
    Dud,
    Tis,
    Tisn,
}

impl LoopyName {
    /// The loopy value with this name.
    #[must_use]
    pub fn from_text(text: &str) -> Option<LoopyName> {
        Some(match text {
            "on" => LoopyName::On,
            "off" => LoopyName::Off,
            "over" => LoopyName::Over,
            "under" => LoopyName::Under,
            "upon" => LoopyName::Upon,
            "dud" => LoopyName::Dud,
            "tis" => LoopyName::Tis,
            "tisn" => LoopyName::Tisn,
            _ => return None,
        })
    }
}

/// Operations that need a host with an engine. Arguments of sort Position are positions, those of sort Game are games.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum GameOp {
    /// A literal of number, ups and star: the argument is the computed star, if any. See [`GameLiteral`].
    Literal(GameLiteral),
    /// `loony`
    Loony,
    /// A loopy value by name.
    Loopy(LoopyName),
    /// `oo{K}`, the infinite nimber of the set K: the arguments. Its sort is that of `nimber(G)`.
    Infinite,
    /// `pass` among the options of a game in braces: a move to the game itself.
    Pass,
    /// A game from an integer.
    OfInteger,
    /// A genus from a string.
    GenusOfText,
    /// A misère form from a string.
    MisereFormOfText,
    /// The number a/b of two integers; a fault ("not dyadic") if its denominator is not a power of two.
    Fraction,
    /// A position's canonical form (also inserted where a position is used as a game).
    Value,
    /// `{L | R}`: the number gives how many arguments are left options; the others are right options.
    Braces(u32),
    /// Braces with labels: the moves of Left and of Right at each vertex; the first vertex is the value.
    Knot(Vec<[Vec<KnotMove>; 2]>),
    /// Sum of games.
    Add,
    /// Difference of games.
    Subtract,
    /// Negative of a game.
    Negate,
    /// Integer times game.
    Times,
    /// `+-G`
    PlusMinus,
    /// `G : H`
    OrdinalSum,
    /// `G == H`
    Equal,
    /// `G <= H`
    LessEqual,
    /// `G < H`
    Less,
    /// `G >= H`
    GreaterEqual,
    /// `G > H`
    Greater,
    /// A built-in function. Named arguments come in the order of its parameters: `wins` has position, coalition, first.
    Function(GameFunction),
}

/// A move in braces with labels.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum KnotMove {
    /// To the vertex with this index.
    In(u32),
    /// To the game given by the argument with this index.
    Out(u32),
}

/// The constant part of a game literal; a computed star (`*k`, `*(k+1)`) is the first argument.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct GameLiteral {
    /// Numerator and binary exponent of the denominator: `3/4` is (3, 2).
    pub number: Option<(BigInt, u32)>,
    /// How many ups (negative: downs).
    pub ups: BigInt,
    /// `^<n>` (or `v<n>` if negative).
    pub pow: Option<BigInt>,
    /// `^[n]` (or `v[n]` if negative).
    pub pow_to: Option<BigInt>,
    /// `*n` with a literal n.
    pub star: Option<BigInt>,
    /// Whether the star is computed: argument 0.
    pub star_computed: bool,
}

/// A position literal.
#[derive(Clone, Debug)]
pub struct PositionLiteral {
    /// Its ruleset.
    pub ruleset: RulesetId,
    /// Its arguments.
    pub arguments: Vec<Expr>,
    /// The board.
    pub board: BoardLiteral,
    /// Initial state: fields in order.
    pub fields: Vec<Field>,
}

/// An initial value: `token: c[1]`, `size: [3, 1, 4]` (in board order), `f(v): 3`, `at(v): x`.
#[derive(Clone, Debug)]
pub struct Field {
    /// Its place.
    pub span: Span,
    /// The target.
    pub target: FieldTarget,
    /// The value; vertices are given by label.
    pub value: Expr,
}

/// What a field sets.
#[derive(Clone, Debug)]
pub enum FieldTarget {
    /// `at(v)`
    At(Expr),
    /// `f(v)`, a scalar (no arguments).
    State(StateId, Vec<Expr>),
    /// `f: [..]`: all values in board order.
    Whole(StateId),
}

/// A board as written.
#[derive(Clone, Debug)]
pub struct BoardLiteral {
    /// Its place.
    pub span: Span,
    /// The kind required by its ruleset (or by the word before its brace); a grid may be used for a graph.
    pub kind: BoardKind,
    /// Its entries; empty for scalars.
    pub entries: Vec<BoardEntry>,
}

/// One entry of a board literal.
#[derive(Clone, Debug)]
pub struct BoardEntry {
    /// Its place.
    pub span: Span,
    /// `for ..`; for an entry with `where` but no `for`, binders over the elements.
    pub binders: Vec<Binder>,
    /// `where ..`
    pub condition: Option<Expr>,
    /// What it adds.
    pub kind: BoardEntryKind,
    /// First slot not in use outside the entry (its binders' slots follow).
    pub slots: u32,
}

/// What an entry adds to a board.
#[derive(Clone, Debug)]
pub enum BoardEntryKind {
    /// Text art; its glyphs are pieces of the ruleset, if the ruleset is known.
    Art(super::art::Art),
    /// graph6, sparse6, digraph6.
    Encoded(Arc<str>, Arc<str>),
    /// Heaps.
    Heap {
        /// An integer, a tuple, a list or a set of them.
        sizes: Expr,
        /// Whether the answer to the last move must be made in them.
        entailed: bool,
    },
    /// A computed board (constructor, function, parameter) that is glued in: parts share only the root.
    Board(Expr),
    /// A chain of nodes; a single node is a lone vertex or element.
    Chain(BoardNode, Vec<(BoardLink, BoardNode)>),
}

/// A vertex or element with its pieces.
#[derive(Clone, Debug)]
pub struct BoardNode {
    /// Its label.
    pub label: Expr,
    /// Pieces on it with their counts (`1` if no count is written).
    pub pieces: Vec<(Option<Expr>, PieceRef, Span)>,
}

/// A piece in a label: resolved if its ruleset is known, else by name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PieceRef {
    /// A declared piece.
    Id(PieceId),
    /// By name (a board without a ruleset, or numbered pieces).
    Name(Arc<str>),
}

/// A link of a chain.
#[derive(Clone, Debug)]
pub enum BoardLink {
    /// `->`
    Arc,
    /// `--`
    Line,
    /// `-b-`
    Labelled(PieceRef),
    /// `-(E)-`: a piece or its number.
    Computed(Expr),
    /// `<`
    Below,
    /// `>`
    Above,
}

/// A query.
#[derive(Clone, Debug)]
pub struct Query {
    /// Its place.
    pub span: Span,
    /// Which.
    pub kind: QueryKind,
    /// Marked `slow`.
    pub slow: bool,
    /// The claim's name.
    pub name: Option<Arc<str>>,
    /// Size of its frame.
    pub slots: u32,
    /// Names of the slots, for messages.
    pub slot_names: Vec<Arc<str>>,
    /// After `for`.
    pub binders: Vec<Binder>,
    /// After `where`.
    pub condition: Option<Expr>,
    /// What is asked.
    pub body: Vec<Expr>,
    /// Its source: `from "Lemma 3"`, `from program "p"` (then the flag is true).
    pub source: Option<(bool, Arc<str>)>,
    /// The ruleset that it is about, if the same text is a query about several.
    pub of: Option<Of>,
}

/// The ruleset that a query is about.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Of {
    /// The ruleset.
    pub ruleset: Arc<str>,
    /// The ruleset from which it inherits the claim.
    pub parent: Option<Arc<str>>,
}

/// A question to the reader.
#[derive(Clone, Debug)]
pub struct Ask {
    /// Its place.
    pub span: Span,
    /// The question.
    pub question: Arc<str>,
    /// Its answer.
    pub answer: AskAnswer,
    /// Hints, one after the other.
    pub hints: Vec<Arc<str>>,
    /// Its source: `from "Lemma 3"`, `from program "p"` (then the flag is true).
    pub source: Option<(bool, Arc<str>)>,
}

/// How the answer of a question is given.
#[derive(Clone, Debug)]
pub enum AskAnswer {
    /// `expect E`, as an `eval` query.
    Expect(Box<Query>),
    /// `seal ".."`
    Seal(Box<super::Seal>),
}

pub use super::builtins::{
    AllSites, Builtin, Catalogue, Constructor, Drawn, Fold, GameFunction, SitesFrom,
};
pub use super::kinds::{BoardKind, Form, Lines};
/// The kinds of queries.
pub use crate::syntax::ast::{EndKind, QueryKind};
