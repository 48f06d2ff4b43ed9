//! The typed calculus, level 1 of the intermediate representation: what `model` makes of [`crate::syntax::ast`] and what
//! everything below reads. Every name is resolved (a variable is a slot of its frame, a function an index), every sort is
//! checked, every implicit reading is explicit: the two sides of a formula are told apart, a player that stands for a
//! piece is a node of its own. An unresolved name cannot reach the IR.
//!
//! Semantics (language.md, section 3): `options_P(s)` is the union over the moves of P of the positions reached by their
//! stages; `act ::= for x in S. a | assume p. a | do u ; a | done`.

use crate::base::Span;
use num_bigint::BigInt;
use std::sync::Arc;

/// A set of files checked together: everything that can be named, and the queries in the order of the text.
#[derive(Clone, Debug, Default)]
pub struct Model {
    /// All rulesets; [`RulesetId`] indexes them.
    pub rulesets: Vec<Arc<Ruleset>>,
    /// All functions and positions, one entry for each tuple of argument sorts they are used with; [`FunctionId`].
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

/// A variable: its place in the frame of the move, function or query that it belongs to.
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
    /// Not known: an error was reported, or the parameter of a function that is never called. Fits everything.
    Unknown,
    /// true or false.
    Bool,
    /// An integer without bounds (`nat` and `int` both; `nat` is checked where a value is stored).
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
    /// A site of a board that is only known when it runs (computed boards, board literals): compared by its label. An
    /// edge of `edges(G)` is one too: it knows its ends, so `ends(e)` needs no board.
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
    /// Positions that are played together in another way than as a sum.
    Compound,
    /// What `moves`, `options`, `thermograph`, `coalitions`, .. answer: shown, not computed with.
    Report,
}

/// A ruleset. Frames of its moves and lets begin with its parameters (slots `0..parameters.len()`).
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
    /// The pieces; for `pieces 1..n` they are known only when the parameters are, see `pieces_range`.
    pub pieces: Vec<Piece>,
    /// `pieces 1..n`: the upper end; player i owns the piece i.
    pub pieces_range: Option<Expr>,
    /// Whether there are pieces on vertices or cells (`at(v)`), and whether there are pieces on edges (`at(e)`).
    pub pieces_on_sites: bool,
    /// See `pieces_on_sites`.
    pub pieces_on_edges: bool,
    /// Declared state functions and scalars.
    pub state: Vec<StateVar>,
    /// How play ends.
    pub convention: Play,
    /// The clauses that end play, in order.
    pub ends: Vec<EndClause>,
    /// Who wins a play without end.
    pub endless: Endless,
    /// What play comes to where the player to move is stuck, where points are counted.
    pub score: Option<Score>,
    /// The moves in order.
    pub moves: Vec<Move>,
    /// For a ruleset made by `impartial(S)` and its like: everything above is copied from S but for the parameters (its
    /// own) and the moves (none here: read those of `derived.of` under `derived.arguments`).
    pub derived: Option<Derived>,
    /// What it inherits, in words: `Domineering with ..`.
    pub inherits: Option<Arc<str>>,
    /// No item defines it: it was made for another one, or stands in an expression as `misere(R)`.
    pub hidden: bool,
    /// Errors were reported in it: kept so that the numbers of the others stand, never to be played. Nothing in the
    /// model that is not broken refers to it.
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

    /// Whether who wins depends on more than who can move: a clause ends play, or a move leaves the turn with its player, or being
    /// stuck does not lose. Values of short games do not speak of such rules.
    #[must_use]
    pub fn decides_otherwise(&self) -> bool {
        !self.ends.is_empty()
            || self.score.is_some()
            || matches!(self.convention, Play::Misere | Play::StuckDraws)
            || self.moves.iter().any(|m| !matches!(m.again, Again::Never))
    }
}

/// A clause that ends play: `win p when ..`, `lose p when ..`, `draw when ..`. It is looked at in each position reached.
#[derive(Clone, Debug)]
pub struct EndClause {
    /// Its place.
    pub span: Span,
    /// What the end means for `player`.
    pub kind: EndKind,
    /// Whom it speaks of; `By::Anyone` in `draw when`.
    pub player: By,
    /// Whether the conditions use the player that `By::Each` stands for. Where they do not, he is the one who has just moved.
    pub uses_player: bool,
    /// Holds the player who has just moved, where a condition names `mover`.
    pub mover: Option<Slot>,
    /// Size of its frame.
    pub slots: u32,
    /// Names of the slots, for messages.
    pub slot_names: Vec<Arc<str>>,
    /// All must hold.
    pub conditions: Vec<Expr>,
}

/// `score E`: what play comes to, Left's points minus Right's, where the player to move is stuck.
#[derive(Clone, Debug)]
pub struct Score {
    /// Its place.
    pub span: Span,
    /// Holds the player who is stuck, where the score names `stuck`.
    pub stuck: Option<Slot>,
    /// Size of its frame.
    pub slots: u32,
    /// Names of the slots, for messages.
    pub slot_names: Vec<Arc<str>>,
    /// The score, an integer.
    pub points: Expr,
}

/// Who wins a play without end.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Endless {
    /// Nobody: it is drawn.
    #[default]
    Draw,
    /// This player.
    Win(u8),
}

/// Whether the player of a move moves again.
#[derive(Clone, Debug, Default)]
pub enum Again {
    /// Never: the turn passes.
    #[default]
    Never,
    /// `again`
    Always,
    /// `again when phi`, read after the move.
    When(Box<Expr>),
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

/// Who plays.
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
    /// `play misere`: who cannot move wins.
    Misere,
    /// `play stuck-draws`: where the player to move cannot, play is drawn.
    StuckDraws,
}

/// `ruleset R = impartial(S)`: the moves of another ruleset under another reading.
#[derive(Clone, Debug)]
pub struct Derived {
    /// Which reading.
    pub how: Derivation,
    /// Of which ruleset.
    pub of: RulesetId,
    /// With which arguments (over R's parameters).
    pub arguments: Vec<Expr>,
}

/// Ways to derive a ruleset from another.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Derivation {
    /// Everyone may make anyone's moves.
    Impartial,
    /// Nothing else is read otherwise: arguments are given.
    Arguments,
}

/// A move.
#[derive(Clone, Debug)]
pub struct Move {
    /// Its place.
    pub span: Span,
    /// Its label.
    pub label: Option<Arc<str>>,
    /// Whose it is.
    pub by: By,
    /// Size of its frame.
    pub slots: u32,
    /// Names of the slots, for messages.
    pub slot_names: Vec<Arc<str>>,
    /// Its stages, at least one.
    pub stages: Vec<Stage>,
    /// Whether its player moves again.
    pub again: Again,
    /// The stage that is done once or more, if one is.
    pub repeat: Option<Repeat>,
}

/// A stage that is done once or more: each round sees what the last one made.
#[derive(Clone, Debug)]
pub struct Repeat {
    /// Which stage; the last, or the last but one before a stage of conditions alone.
    pub stage: usize,
    /// Names of earlier stages with the values that they have in the next round.
    pub next: Vec<(Slot, Expr)>,
}

/// Whose move it is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum By {
    /// `by p`: every player's; the slot holds the player.
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
    /// In order; later ones may use earlier ones.
    pub binders: Vec<Binder>,
    /// All must hold.
    pub conditions: Vec<Expr>,
    /// Simultaneous.
    pub effects: Vec<Effect>,
}

/// A binder. Sets read the position at the start of the stage.
#[derive(Clone, Debug)]
pub struct Binder {
    /// Its place.
    pub span: Span,
    /// What it ranges over, with the slots that it fills.
    pub kind: BinderKind,
}

/// One place of a binder's pattern.
#[derive(Clone, Debug)]
pub enum Place {
    /// A new variable.
    New(Slot),
    /// A bound name that comes again: must be equal.
    Same(Slot),
}

/// The forms of binders.
#[derive(Clone, Debug)]
pub enum BinderKind {
    /// Each element of a set or list. Two or more places: the elements are tuples.
    In(Vec<Place>, Expr),
    /// The one value of an expression. If `cell` is true the value is a cell and must be on the board and not removed,
    /// else there is no choice.
    Is {
        /// The variable.
        place: Place,
        /// Its value.
        value: Expr,
        /// Whether the value is a cell that must be real.
        cell: bool,
    },
    /// Each site of the board that is present: cell, vertex, element.
    Sites(Place, SiteKind),
    /// Each heap, as heap number `heap` of the stage: different heap binders of a stage take different heaps. The places
    /// are the heap's components (sizes).
    Heap {
        /// Its number among the heap binders of the stage.
        heap: u32,
        /// Its components.
        places: Vec<Place>,
    },
    /// `edge e`: each edge or arc that is present.
    Edges(Place),
    /// `piece c`: each declared piece.
    Pieces(Place),
    /// `u -> v`: each arc.
    Arcs(Place, Place),
    /// `u -- v`: each edge both ways round (a loop once).
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
    /// `remove`: a site, or a set of sites, each.
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

/// A function, a named position or a constant; its frame begins with its parameters. A function defined inside a ruleset
/// has the ruleset's parameters first and may read the state if `in_ruleset` is given.
#[derive(Clone, Debug)]
pub struct Function {
    /// Its name.
    pub name: Arc<str>,
    /// Where the name stands.
    pub span: Span,
    /// Its documentation.
    pub doc: Vec<Arc<str>>,
    /// The ruleset that it belongs to.
    pub in_ruleset: Option<RulesetId>,
    /// Its parameters (without the ruleset's).
    pub parameters: Vec<Parameter>,
    /// Size of its frame.
    pub slots: u32,
    /// What it says.
    pub body: FunctionBody,
    /// Sort of its values.
    pub sort: Sort,
}

/// The two forms of definitions.
#[derive(Clone, Debug)]
pub enum FunctionBody {
    /// An expression.
    Expr(Expr),
    /// A table: constants (one for each parameter) and the value there. Total.
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
    /// `queer`: what `winner` answers when no player wins alone (sort [`Sort::Player`]; equal to no player).
    Queer,
    /// `draw`: what `winner` answers when each player can force that no other wins (sort [`Sort::Player`]; equal to no player).
    Draw,
    /// An integer where a player is expected, in a ruleset with `players 1..n`: the player of that number, from 1; a
    /// fault beyond.
    PlayerNumber(Expr),
    /// An integer where a piece is expected, in a ruleset with `pieces 1..n`: the piece of that number, from 1; a fault
    /// beyond.
    PieceNumber(Expr),
    /// Coordinates where a cell is expected: one integer on a strip, row and column on a grid (or one expression that
    /// is a pair). May be off the board.
    Cell(Vec<Expr>),
    /// A cell where coordinates are expected: the integer of a strip cell (sort Int), the pair of a grid cell.
    Coordinates(Expr),
    /// A direction: how many rows down, how many columns to the right. On a strip the columns count.
    Direction(i8, i8),
    /// The label of a vertex or an element, written as a name or as an uninterpreted term: `a`, `mid(v)`; the term without
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
    /// The one piece that is exactly this player's; an error where there is none or more than one.
    PieceOf(Expr),
    /// `at(s) = p`: the piece (first) is exactly the player's (second).
    IsPieceOf(Expr, Expr),
    /// A built-in function.
    Builtin(Builtin, Vec<Expr>),
    /// `-E`, `not E` on the integer side.
    Negative(Expr),
    /// See `Negative`.
    Not(Expr),
    /// Integer side, sets, lists, boards, data comparisons, connectives.
    Binary(Op, Expr, Expr),
    /// `all`, `some`, `no`.
    Quantifier(Quantifier, Vec<Binder>, Option<Expr>, Expr),
    /// `if phi then a else b`: only the side that is taken is evaluated.
    If(Expr, Expr, Expr),
    /// `[E for .. where ..]`, `{E for .. where ..}` by the expression's sort; also `{x in S: phi}` with E = x.
    For(Expr, Vec<Binder>, Option<Expr>),
    /// `size min max sum xor mex` over a set or list; over a comprehension (with repetitions) the argument is a list.
    Fold(Fold, Expr),
    /// `[a, b]`, `{a, b}` by the expression's sort.
    Elements(Vec<Expr>),
    /// `(a, b)`
    Tuple(Vec<Expr>),
    /// `l[i]`, from 1; `t(x)` of a function, which is the set of its pairs.
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
    /// What needs an engine or the algebra of games: evaluated by the host.
    Game(GameOp, Vec<Expr>),
}

/// The nine outcomes, as constants: the first four of games that somebody wins.
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
    /// Connective (conditions separated by commas are this too); the right side is not evaluated if the left decides.
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
    /// Integers; directions; a cell and a direction; a strip cell and an integer; lists (concatenation); sets (union); boards side by side.
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
    /// Board and piece: the piece on every free site. A piece of a ruleset that is not known is a label of sort Piece.
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
    /// The name that is written so.
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

/// What only a host with an engine can answer. Arguments of sort Position are positions, of sort Game games.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum GameOp {
    /// A number, ups, a star, as written: arguments are those of the computed parts. See [`GameLiteral`].
    Literal(GameLiteral),
    /// `loony`
    Loony,
    /// A loopy value by name.
    Loopy(LoopyName),
    /// `pass` among the options of a game in braces: a move to the game itself.
    Pass,
    /// A game from an integer.
    OfInteger,
    /// The number a/b of two integers; a fault ("not dyadic") if it has no power of two below.
    Fraction,
    /// A position's canonical form (also inserted where a position stands for a game).
    Value,
    /// `{L | R}`: that many of the arguments are left options.
    Braces(u32),
    /// Braces with labels: the moves of Left and of Right at each vertex, of which the first is meant.
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
    /// A function of the table of built-in functions. Named arguments come in the order of its parameters: `wins` has
    /// position, coalition, first.
    Function(GameFunction),
}

/// A move in braces with labels.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum KnotMove {
    /// To the vertex with this place.
    In(u32),
    /// To the game that is the argument with this place.
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
    /// `*n` where n is written out.
    pub star: Option<BigInt>,
    /// The star is computed: argument 0.
    pub star_computed: bool,
}

/// A position literal.
#[derive(Clone, Debug)]
pub struct PositionLiteral {
    /// Of which ruleset.
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
    /// What is set.
    pub target: FieldTarget,
    /// To what; vertices are given by label.
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
    /// The kind that its ruleset (or the word before its brace) asks for; a grid may stand for a graph.
    pub kind: BoardKind,
    /// Its entries; none for scalars.
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
    /// First slot beyond those in use outside the entry (its binders' slots follow).
    pub slots: u32,
}

/// What an entry adds to a board.
#[derive(Clone, Debug)]
pub enum BoardEntryKind {
    /// Text art; its glyphs are pieces of the ruleset, if that is known.
    Art(super::art::Art),
    /// graph6, sparse6, digraph6.
    Encoded(Arc<str>, Arc<str>),
    /// Heaps: an integer, a tuple, a list or a set of them.
    Heap(Expr),
    /// A computed board (constructor, function, parameter), glued in: parts share the root only.
    Board(Expr),
    /// A chain of nodes; a single node is a lone vertex or element.
    Chain(BoardNode, Vec<(BoardLink, BoardNode)>),
}

/// A vertex or element with what lies on it.
#[derive(Clone, Debug)]
pub struct BoardNode {
    /// Its label.
    pub label: Expr,
    /// Pieces on it with their counts (`1` for one written without).
    pub pieces: Vec<(Option<Expr>, PieceRef, Span)>,
}

/// A piece named in a label: resolved if its ruleset is known, else by name.
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
    /// `-(E)-`: a piece or the number of one.
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
    /// Its source: `from "Lemma 3"`, `from program "p"`.
    pub source: Option<(bool, Arc<str>)>,
    /// Of which ruleset it is asked, where its text is asked of several.
    pub of: Option<Of>,
}

/// Of which ruleset a query is asked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Of {
    /// The ruleset.
    pub ruleset: Arc<str>,
    /// The one that it inherits the claim from.
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
    /// Its source: `from "Lemma 3"`, `from program "p"`.
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
