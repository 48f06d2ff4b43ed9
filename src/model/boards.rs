//! Positions and boards as written: `Ruleset(arguments)[entries]`, `graph { .. }`. The kind of board decides what an entry
//! may be: art, heaps, chains of vertices or elements, computed boards, fields of the state.

use super::binders::List;
use super::checker::{Checker, expr};
use super::error;
use super::guess::board_fits;
use super::lints;
use super::names::site_kind;
use super::scope::{Env, Hint, Named};
use super::typed::{
    Binder, BinderKind, BoardEntry, BoardEntryKind, BoardKind, BoardLink, BoardLiteral, BoardNode,
    Builtin, Expr, ExprKind, Field, FieldTarget, Op, PieceId, PieceRef, Place, PositionLiteral,
    Ruleset, RulesetId, SiteKind, Slot, Sort, StateId,
};
use crate::base::{Ident, Span};
use crate::diagnostic::{Code, Diagnostic, did_you_mean};
use crate::syntax::ast::{self, Argument, Entry, ExprKind as K, Link, Node, Tag};
use std::sync::Arc;

/// What an entry is.
enum Found {
    Entries(Vec<BoardEntry>),
    Field(Field),
    Nothing,
}

/// Whether boards of this kind are written by chains of nodes.
fn chained(kind: BoardKind) -> bool {
    matches!(
        kind,
        BoardKind::Graph | BoardKind::Digraph | BoardKind::Poset
    )
}

impl Checker<'_> {
    /// `Ruleset(arguments)[entries]`.
    pub(super) fn position(
        &mut self,
        id: RulesetId,
        name: &Ident,
        arguments: &[Argument],
        entries: &[Entry],
        span: Span,
        env: &mut Env,
    ) -> Expr {
        let rules = self.ruleset(id);
        if rules.broken {
            return self.uses_broken(name);
        }
        let arguments = self.ruleset_arguments(&rules, name, arguments, span, env);
        let literal = self.literal(id, arguments, entries, span, env);
        expr(span, Sort::Position, ExprKind::Position(Box::new(literal)))
    }

    /// The arguments of a ruleset.
    pub(super) fn ruleset_arguments(
        &mut self,
        rules: &Ruleset,
        name: &Ident,
        arguments: &[Argument],
        span: Span,
        env: &mut Env,
    ) -> Vec<Expr> {
        let mut given: Vec<Option<&ast::Expr>> = vec![None; rules.parameters.len()];
        let mut next = 0;
        for a in arguments {
            let place = match &a.name {
                Some(called) => rules.parameters.iter().position(|p| p.name == called.text),
                None => {
                    next += 1;
                    Some(next - 1)
                }
            };
            match place.and_then(|i| given.get_mut(i)) {
                Some(place) if place.is_none() => *place = Some(&a.value),
                _ => {
                    let known: Vec<&str> = rules.parameters.iter().map(|p| &*p.name).collect();
                    let what = match &a.name {
                        Some(called) if !known.contains(&&*called.text) => {
                            format!("{} has no parameter `{}`", rules.name, called.text)
                        }
                        Some(called) => format!("`{}` is given twice", called.text),
                        None => format!(
                            "{} takes {}, not {}",
                            rules.name,
                            error::count(known.len(), "argument"),
                            arguments.len()
                        ),
                    };
                    self.report(
                        Diagnostic::error(Code::E0204, what)
                            .at(a.value.span, "this one is too many")
                            .at(rules.span, "defined here"),
                    );
                }
            }
        }
        let mut found = Vec::new();
        for (p, e) in rules.parameters.iter().zip(given) {
            let Some(e) = e else {
                let names: Vec<&str> = rules.parameters.iter().map(|p| &*p.name).collect();
                self.report(
                    Diagnostic::error(
                        Code::E0204,
                        format!(
                            "{} needs its parameter `{}`, {}",
                            rules.name,
                            p.name,
                            error::a(&p.sort)
                        ),
                    )
                    .at(
                        if arguments.is_empty() {
                            name.span
                        } else {
                            span
                        },
                        "an argument is missing",
                    )
                    .help(format!(
                        "write `{}({})[..]`",
                        rules.name,
                        names.join(", ")
                    )),
                );
                found.push(self.missing(name.span));
                continue;
            };
            let e = self.expect(e, &p.sort, env);
            if p.natural
                && let ExprKind::Negative(_) = &*e.kind
            {
                self.report(
                    Diagnostic::error(
                        Code::E0203,
                        format!("`{}` of {} is not negative", p.name, rules.name),
                    )
                    .at(e.span, "a nat is expected"),
                );
            }
            found.push(e);
        }
        lints::zero_given(self, rules, &found);
        found
    }

    fn missing(&self, span: Span) -> Expr {
        super::checker::unknown(span)
    }

    /// The board and the fields of a position.
    pub(super) fn literal(
        &mut self,
        id: RulesetId,
        arguments: Vec<Expr>,
        entries: &[Entry],
        span: Span,
        env: &mut Env,
    ) -> PositionLiteral {
        let rules = self.ruleset(id);
        let outer = (env.hint, env.literal);
        env.hint = Hint {
            ruleset: Some(id),
            players: None,
        };
        env.literal = Some(rules.board);
        let mut fields = Vec::new();
        let mut found = Vec::new();
        self.entries(
            entries,
            rules.board,
            Some(&rules),
            &mut found,
            &mut fields,
            env,
        );
        (env.hint, env.literal) = outer;
        if rules.board != BoardKind::Scalars
            && !matches!(rules.board, BoardKind::Heaps(_))
            && found.is_empty()
            && entries.is_empty()
            && !chained(rules.board)
        {
            self.report(
                Diagnostic::error(
                    Code::E0302,
                    format!("the board of {} is missing", rules.name),
                )
                .at(span, format!("it is {}", error::board(rules.board)))
                .help(match rules.board {
                    BoardKind::Strip => format!("`{}[strip(5)]`", rules.name),
                    _ => format!("`{}[grid(3, 3)]`", rules.name),
                }),
            );
        }
        PositionLiteral {
            ruleset: id,
            arguments,
            board: BoardLiteral {
                span,
                kind: rules.board,
                entries: found,
            },
            fields,
        }
    }

    /// `graph { .. }`: a board without a ruleset.
    pub(super) fn bare_board(
        &mut self,
        span: Span,
        kind: &Ident,
        entries: &[Entry],
        env: &mut Env,
    ) -> Expr {
        let kind = match &*kind.text {
            "heaps" => BoardKind::Heaps(match entries.first().map(|e| &*e.first.expr.kind) {
                Some(K::Tuple(parts)) => u8::try_from(parts.len()).unwrap_or(u8::MAX),
                _ => 1,
            }),
            "strip" => BoardKind::Strip,
            "grid" => BoardKind::Grid,
            "graph" => BoardKind::Graph,
            "digraph" => BoardKind::Digraph,
            "poset" => BoardKind::Poset,
            other if super::builtins::find(other).is_some() => {
                return self.hole(
                    Diagnostic::error(
                        Code::E0301,
                        format!("`{other}` is a function, and no kind of board"),
                    )
                    .at(kind.span, "its argument stands in parentheses")
                    .help(format!("write `{other}({{..}})`")),
                );
            }
            other => {
                let kinds = super::builtins::names_of(super::builtins::What::BoardKind);
                return self.hole(
                    Diagnostic::error(Code::E0301, format!("`{other}` is no kind of board"))
                        .at(kind.span, "unknown kind")
                        .help_if(did_you_mean(other, kinds)),
                );
            }
        };
        let outer = env.literal.replace(kind);
        let mut fields = Vec::new();
        let mut found = Vec::new();
        self.entries(entries, kind, None, &mut found, &mut fields, env);
        env.literal = outer;
        let board = BoardLiteral {
            span,
            kind,
            entries: found,
        };
        expr(span, Sort::Board, ExprKind::Board(board))
    }

    fn entries(
        &mut self,
        entries: &[Entry],
        kind: BoardKind,
        rules: Option<&Arc<Ruleset>>,
        found: &mut Vec<BoardEntry>,
        fields: &mut Vec<Field>,
        env: &mut Env,
    ) {
        for e in entries {
            let depth = env.visible.len();
            let slots = env.size();
            match self.entry(e, entries, kind, rules, slots, env) {
                Found::Entries(more) => found.extend(more),
                Found::Field(field) => fields.push(field),
                Found::Nothing => {}
            }
            env.visible.truncate(depth);
        }
    }

    fn entry(
        &mut self,
        e: &Entry,
        all: &[Entry],
        kind: BoardKind,
        rules: Option<&Arc<Ruleset>>,
        slots: u32,
        env: &mut Env,
    ) -> Found {
        let mut binders = self.binders(&e.binders, List::For, env);
        if e.binders.is_empty() && e.condition.is_some() {
            binders = self.free_binders(e, all, kind, env);
        }
        if let Some(rules) = rules
            && e.links.is_empty()
            && e.more.is_empty()
            && let Some(target) = self.field_target(&e.first, rules, kind, env)
        {
            if !binders.is_empty() {
                self.report(
                    Diagnostic::error(Code::E0303, "a field stands for itself, without `for`")
                        .at(e.span, "")
                        .help("give a whole state function in board order: `f: [E for v in ..]`"),
                );
                return Found::Nothing;
            }
            return match target {
                Some(target) => self.field(e, target, rules, env),
                None => Found::Nothing,
            };
        }
        let condition = e.condition.as_ref().map(|c| {
            let outer = env.literal.take();
            let c = self.condition(c, env);
            env.literal = outer;
            c
        });
        let mut found = Vec::new();
        let heads = std::iter::once(&e.first).chain(&e.more);
        let count = 1 + e.more.len();
        for (i, node) in heads.enumerate() {
            let links: &[(Link, Node)] = if i + 1 == count { &e.links } else { &[] };
            if let Some(kind) = self.head(node, links, e, kind, rules, env) {
                found.push(BoardEntry {
                    span: e.span,
                    binders: binders.clone(),
                    condition: condition.clone(),
                    kind,
                    slots,
                });
            }
        }
        Found::Entries(found)
    }

    /// In an entry with `where` but no `for` free names range over the elements.
    fn free_binders(
        &mut self,
        e: &Entry,
        all: &[Entry],
        kind: BoardKind,
        env: &mut Env,
    ) -> Vec<Binder> {
        let Some(site) = site_kind(kind) else {
            return Vec::new();
        };
        let mut binders = Vec::new();
        let nodes = std::iter::once(&e.first)
            .chain(&e.more)
            .chain(e.links.iter().map(|(_, n)| n));
        for node in nodes {
            let span = node.expr.span;
            match &*node.expr.kind {
                K::Name(name) if env.find(&name.text).is_none() => {
                    let slot = self.declare(name, Sort::Label, Hint::default(), env, false);
                    env.slots[slot as usize].lint = false;
                    binders.push(Binder {
                        span,
                        kind: BinderKind::Sites(Place::New(Slot(slot)), site),
                    });
                }
                K::Tuple(parts)
                    if parts
                        .iter()
                        .all(|p| matches!(&*p.kind, K::Name(n) if env.find(&n.text).is_none())) =>
                {
                    let sorts = self.tuple_sorts(all, parts.len(), env);
                    let mut places = Vec::new();
                    for (part, sort) in parts.iter().zip(sorts) {
                        if let K::Name(name) = &*part.kind {
                            let place = match env.find(&name.text) {
                                Some(slot) => Place::Same(Slot(slot)),
                                None => {
                                    let slot =
                                        self.declare(name, sort, Hint::default(), env, false);
                                    env.slots[slot as usize].lint = false;
                                    Place::New(Slot(slot))
                                }
                            };
                            places.push(place);
                        }
                    }
                    let set = if kind == BoardKind::Poset {
                        Builtin::Points
                    } else {
                        Builtin::Vertices
                    };
                    let over = expr(
                        span,
                        Sort::Set(Box::new(Sort::Label)),
                        ExprKind::Builtin(set, Vec::new()),
                    );
                    binders.push(Binder {
                        span,
                        kind: BinderKind::In(places, over),
                    });
                }
                _ => {}
            }
        }
        binders
    }

    /// The sorts of the parts of elements that are tuples of that width, from the entries that list them.
    fn tuple_sorts(&mut self, all: &[Entry], width: usize, env: &Env) -> Vec<Sort> {
        for e in all {
            if e.binders.is_empty() {
                continue;
            }
            for node in std::iter::once(&e.first).chain(&e.more) {
                if let K::Tuple(parts) = &*node.expr.kind
                    && parts.len() == width
                {
                    return parts
                        .iter()
                        .map(|p| match &*p.kind {
                            // Bound by a range of integers there, as far as can be seen.
                            K::Name(n) => e
                                .binders
                                .iter()
                                .find_map(|b| match &b.kind {
                                    ast::BinderKind::In(ast::Pattern::Name(x), over)
                                        if x.text == n.text =>
                                    {
                                        super::checker::element(&self.guess(over, env))
                                    }
                                    _ => None,
                                })
                                .unwrap_or(Sort::Unknown),
                            _ => self.guess(p, env),
                        })
                        .collect();
                }
            }
        }
        vec![Sort::Unknown; width]
    }

    /// Whether an entry is a field, and of what; `Some(None)` if it is one but broken.
    #[allow(clippy::option_option)]
    fn field_target(
        &mut self,
        node: &Node,
        rules: &Ruleset,
        kind: BoardKind,
        env: &mut Env,
    ) -> Option<Option<FieldTarget>> {
        let tag = node.tag.as_ref()?;
        let state = |name: &str| rules.state.iter().position(|s| *s.name == *name);
        let id = |i: usize| StateId(u32::try_from(i).unwrap_or(u32::MAX));
        match &*node.expr.kind {
            K::Name(name) => {
                if let Some(i) = state(&name.text) {
                    let scalar = rules.state[i].arguments.is_empty();
                    return Some(Some(if scalar {
                        FieldTarget::State(id(i), Vec::new())
                    } else {
                        FieldTarget::Whole(id(i))
                    }));
                }
                // `a: 3` on a graph is no label, and nothing else has labels.
                let is_value = matches!(tag, Tag::Value(_)) && rules.pieces_range.is_none();
                if is_value || !chained(kind) {
                    if env.find(&name.text).is_some() || self.guess(&node.expr, env) == Sort::Board
                    {
                        return None;
                    }
                    let known: Vec<&str> = rules.state.iter().map(|s| &*s.name).collect();
                    let d = Diagnostic::error(
                        Code::E0303,
                        format!("{} has no state called `{}`", rules.name, name.text),
                    )
                    .at(name.span, "unknown field")
                    .help_if(did_you_mean(&name.text, known.iter().copied()));
                    self.report(if known.is_empty() {
                        d.help("pieces are put on a site by `at(v): x`, or `a:x` on a graph")
                    } else {
                        d.note(format!("its state is {}", error::list(&known, "and")))
                    });
                    return Some(None);
                }
                None
            }
            K::Call(name, arguments) => {
                let site = site_kind(rules.board).map(Sort::Site);
                if &*name.text == "at" && state("at").is_none() {
                    let Some(site) = site.filter(|_| arguments.len() == 1) else {
                        self.report(
                            Diagnostic::error(Code::E0303, "`at` takes one site")
                                .at(node.expr.span, "")
                                .help("`at(v): x` puts the piece x on v"),
                        );
                        return Some(None);
                    };
                    let site = self.site(&arguments[0].value, &site, env);
                    return Some(Some(FieldTarget::At(site)));
                }
                let i = state(&name.text)?;
                let sorts = rules.state[i].arguments.clone();
                if sorts.len() != arguments.len() {
                    self.wrong_count(
                        name,
                        arguments.len(),
                        &sorts.len().to_string(),
                        node.expr.span,
                    );
                    return Some(None);
                }
                let arguments = arguments
                    .iter()
                    .zip(&sorts)
                    .map(|(a, sort)| self.site(&a.value, sort, env))
                    .collect();
                Some(Some(FieldTarget::State(id(i), arguments)))
            }
            _ => None,
        }
    }

    /// A site in a field: a cell, or the label of a vertex or element.
    fn site(&mut self, e: &ast::Expr, sort: &Sort, env: &mut Env) -> Expr {
        match sort {
            Sort::Site(SiteKind::StripCell | SiteKind::GridCell) => {
                let found = self.label(e, env);
                if matches!(&*found.kind, ExprKind::Label(..)) {
                    return self.hole(
                        Diagnostic::error(Code::E0303, "a cell is written by its coordinates")
                            .at(found.span, "this is no cell")
                            .help("on a grid `(row, column)`, on a strip an integer"),
                    );
                }
                self.coerce(found, sort, env)
            }
            _ => self.expect(e, sort, env),
        }
    }

    fn field(&mut self, e: &Entry, target: FieldTarget, rules: &Ruleset, env: &mut Env) -> Found {
        let sort = match &target {
            FieldTarget::At(_) => Sort::Piece,
            FieldTarget::State(id, _) => rules.state[id.0 as usize].sort.clone(),
            FieldTarget::Whole(id) => Sort::List(Box::new(rules.state[id.0 as usize].sort.clone())),
        };
        let value = match &e.first.tag {
            Some(Tag::Value(value)) => value.clone(),
            // A single name is always read as a piece; here it is a value.
            Some(Tag::Pieces(pieces)) => match &pieces[..] {
                [(None, name)] => ast::Expr {
                    span: name.span,
                    kind: Box::new(K::Name(name.clone())),
                },
                _ => {
                    self.report(
                        Diagnostic::error(Code::E0303, "a field has one value")
                            .at(e.span, "")
                            .help("counts of pieces stand on vertices: `a:2b+1g`"),
                    );
                    return Found::Nothing;
                }
            },
            None => return Found::Nothing,
        };
        let value = match (&sort, &target) {
            (Sort::List(of), FieldTarget::Whole(_)) if matches!(**of, Sort::Site(_)) => {
                self.expect(&value, &Sort::List(Box::new(Sort::Label)), env)
            }
            (Sort::Site(_), _) => self.site(&value, &sort, env),
            (Sort::Piece, _) => match &*value.kind {
                K::Name(name) if env.find(&name.text).is_none() => {
                    match self.piece_named(name, rules, env) {
                        Some(found) => found,
                        None => return Found::Nothing,
                    }
                }
                _ => self.expect(&value, &sort, env),
            },
            _ => self.expect(&value, &sort, env),
        };
        Found::Field(Field {
            span: e.span,
            target,
            value,
        })
    }

    /// A piece in a field.
    fn piece_named(&mut self, name: &Ident, rules: &Ruleset, env: &mut Env) -> Option<Expr> {
        if let Some(found) = self.piece_or_player(name, env) {
            return Some(self.coerce(found, &Sort::Piece, env));
        }
        let kind = match &*name.text {
            "empty" => ExprKind::Empty,
            "wall" => ExprKind::Wall,
            _ => {
                self.no_such_piece(name, rules);
                return None;
            }
        };
        Some(expr(name.span, Sort::Piece, kind))
    }

    fn no_such_piece(&mut self, name: &Ident, rules: &Ruleset) {
        let known: Vec<&str> = rules.pieces.iter().map(|p| &*p.name).collect();
        let d = Diagnostic::error(
            Code::E0304,
            format!("{} has no piece `{}`", rules.name, name.text),
        )
        .at(name.span, "unknown piece")
        .help_if(did_you_mean(&name.text, known.iter().copied()));
        self.report(if rules.pieces_range.is_some() {
            d.note("its pieces are the numbers of its players: 1, 2, ..")
        } else if known.is_empty() {
            d.note("it has no pieces at all")
        } else {
            d.note(format!("its pieces are {}", error::list(&known, "and")))
        });
    }

    /// One head of an entry with the links behind it.
    fn head(
        &mut self,
        node: &Node,
        links: &[(Link, Node)],
        e: &Entry,
        kind: BoardKind,
        rules: Option<&Arc<Ruleset>>,
        env: &mut Env,
    ) -> Option<BoardEntryKind> {
        let lone = links.is_empty();
        if lone && let Some(board) = self.board_entry(node, kind, rules, env) {
            return board;
        }
        match kind {
            BoardKind::Heaps(k) if lone => {
                if node.tag.is_some() {
                    self.not_here(node.expr.span, kind, "a heap bears no piece");
                    return None;
                }
                self.heap_entry(&node.expr, k, env)
            }
            BoardKind::Graph | BoardKind::Digraph | BoardKind::Poset => {
                if lone && matches!(&*node.expr.kind, K::Text(_)) {
                    self.not_here(node.expr.span, kind, "art belongs to grids and strips");
                    return None;
                }
                let first = self.node(node, rules, env)?;
                let mut rest = Vec::new();
                for (link, node) in links {
                    let link = self.link(link, kind, rules, env);
                    let node = self.node(node, rules, env);
                    if let (Some(link), Some(node)) = (link, node) {
                        rest.push((link, node));
                    }
                }
                Some(BoardEntryKind::Chain(first, rest))
            }
            BoardKind::Scalars => {
                let rules_name = rules.map_or("it".to_string(), |r| r.name.to_string());
                let state: Vec<String> = rules
                    .map(|r| r.state.iter().map(|s| format!("{}: ..", s.name)).collect())
                    .unwrap_or_default();
                self.report(
                    Diagnostic::error(
                        Code::E0302,
                        format!("{rules_name} has no board, only its state"),
                    )
                    .at(e.span, "this is no field")
                    .help(format!("write `{rules_name}[{}]`", state.join(", "))),
                );
                None
            }
            _ => {
                let what = if lone {
                    "this is no board"
                } else {
                    "chains belong to graphs and posets"
                };
                self.not_here(e.span, kind, what);
                None
            }
        }
    }

    fn not_here(&mut self, span: Span, kind: BoardKind, what: &str) {
        let help = match kind {
            BoardKind::Heaps(1) => "heaps are written `[3, 5, 6]`",
            BoardKind::Heaps(_) => "heaps of tuples are written `[(4, 2), (1, 3)]`",
            BoardKind::Strip => "a strip is written as art, `\"xo.x\"`, or `strip(20)`",
            BoardKind::Grid => "a grid is written as art, `\"xo.|..x\"`, or `grid(3, 4)`",
            BoardKind::Graph => "a graph is written `a -- b -- c, b -- d`, or `path(5)`",
            BoardKind::Digraph => "a digraph is written `a -> b, a -> c`, or `out_star(3)`",
            BoardKind::Poset => "a poset is written `a < c, b < c`, or `chain(3)`",
            BoardKind::Scalars => "give the state: `m: 3`",
        };
        self.report(
            Diagnostic::error(
                Code::E0302,
                format!("this does not fit {}", error::board(kind)),
            )
            .at(span, what)
            .help(help),
        );
    }

    /// An entry that is a whole board: art, an encoded graph, something computed. `None`: it is not; `Some(None)`: it is,
    /// but broken.
    #[allow(clippy::option_option)]
    fn board_entry(
        &mut self,
        node: &Node,
        kind: BoardKind,
        rules: Option<&Arc<Ruleset>>,
        env: &mut Env,
    ) -> Option<Option<BoardEntryKind>> {
        let span = node.expr.span;
        match &*node.expr.kind {
            K::Text(text)
                if matches!(kind, BoardKind::Grid | BoardKind::Strip | BoardKind::Graph) =>
            {
                if node.tag.is_some() {
                    self.not_here(
                        span,
                        kind,
                        "a piece is put on a board by name: `grid(3, 3):x`",
                    );
                    return Some(None);
                }
                Some(Some(BoardEntryKind::Art(text.value.clone())))
            }
            K::Encoded(format, text) => {
                let fits = match &*format.text {
                    "digraph6" => kind == BoardKind::Digraph,
                    _ => kind == BoardKind::Graph,
                };
                if !fits {
                    self.not_here(span, kind, "this is the code of a graph or digraph");
                    return Some(None);
                }
                let code = BoardEntryKind::Encoded(format.text.clone(), text.value.clone());
                Some(Some(code))
            }
            _ => {
                let outer = env.literal.take();
                let sort = match &*node.expr.kind {
                    K::Name(name) if env.find(&name.text).is_none() => {
                        match self.scope.names.get(&name.text) {
                            Some(Named::Definition(_)) => self.guess(&node.expr, env),
                            _ => Sort::Unknown,
                        }
                    }
                    _ => self.guess(&node.expr, env),
                };
                env.literal = outer;
                match sort {
                    Sort::Board => {}
                    Sort::Position if rules.is_some() => {
                        let outer = env.literal.take();
                        let found = self.expr(&node.expr, env);
                        env.literal = outer;
                        self.report(
                            Diagnostic::error(
                                Code::E0302,
                                "a position stands where a board is expected",
                            )
                            .at(found.span, "this is a position already")
                            .help("its board is `board(G)`"),
                        );
                        return Some(None);
                    }
                    _ => return None,
                }
                let outer = env.literal.take();
                let board = self.expect(&node.expr, &Sort::Board, env);
                env.literal = outer;
                self.fits(&board, kind, rules);
                let board = match &node.tag {
                    None => board,
                    Some(tag) => self.placed(board, tag, rules, env)?,
                };
                Some(Some(BoardEntryKind::Board(board)))
            }
        }
    }

    /// `B:x` on a board.
    #[allow(clippy::option_option)]
    fn placed(
        &mut self,
        board: Expr,
        tag: &Tag,
        rules: Option<&Arc<Ruleset>>,
        env: &mut Env,
    ) -> Option<Expr> {
        let span = board.span;
        let piece = match tag {
            Tag::Pieces(pieces) => match &pieces[..] {
                [(None, name)] => match rules {
                    Some(rules) => match self.piece_named(name, rules, env) {
                        Some(piece) => piece,
                        None => return Some(board),
                    },
                    None => expr(
                        name.span,
                        Sort::Piece,
                        ExprKind::Label(name.text.clone(), Vec::new()),
                    ),
                },
                _ => {
                    self.report(
                        Diagnostic::error(Code::E0304, "one piece is put on every site of a board")
                            .at(span, "here are several, or a count")
                            .help("write `B:x`"),
                    );
                    return Some(board);
                }
            },
            Tag::Value(e) => self.expect(e, &Sort::Piece, env),
        };
        let kind = ExprKind::Binary(Op::Place, board, piece);
        Some(expr(span, Sort::Board, kind))
    }

    /// Reports a computed board of the wrong kind, where that can be told.
    fn fits(&mut self, board: &Expr, kind: BoardKind, rules: Option<&Arc<Ruleset>>) {
        let Some(found) = Self::kind_of(board) else {
            return;
        };
        if found.iter().any(|f| board_fits(*f, kind)) {
            return;
        }
        let played = rules.map_or("the board".to_string(), |r| {
            format!("{} is played on", r.name)
        });
        let mut d = Diagnostic::error(
            Code::E0301,
            format!(
                "{} stands where {} is expected",
                error::board(found[0]),
                error::board(kind)
            ),
        )
        .at(board.span, format!("this is {}", error::board(found[0])));
        if rules.is_some() {
            d = d.note(format!("{played} {}", error::board(kind)));
        }
        d = match kind {
            BoardKind::Poset => d.help("posets are `chain(n)`, `antichain(n)`, `chomp(m, n)`, `divisors(n)`, `forest(..)`, `a < b`"),
            BoardKind::Graph => d.help("graphs are `path(n)`, `cycle(n)`, `complete(n)`, `star(n)`, `grid(m, n)`, `a -- b`"),
            BoardKind::Digraph => d.help("digraphs are `path(n)`, `cycle(n)`, `in_star(n)`, `out_star(n)`, `transitive_tournament(n)`, `a -> b`"),
            BoardKind::Grid => d.help("grids are `grid(m, n)` and art: `\"xo|..\"`"),
            BoardKind::Strip => d.help("strips are `strip(n)` and art: `\"xo..\"`"),
            _ => d,
        };
        self.report(d);
    }

    /// The kinds that a computed board may have, where that can be told.
    fn kind_of(board: &Expr) -> Option<Vec<BoardKind>> {
        use Builtin as B;
        const JOINED: &[BoardKind] = &[BoardKind::Graph, BoardKind::Digraph];
        match &*board.kind {
            ExprKind::Board(b) => Some(vec![b.kind]),
            ExprKind::Builtin(b, _) => Some(match b {
                B::Grid => vec![BoardKind::Grid],
                B::Strip => vec![BoardKind::Strip],
                B::Path | B::Cycle | B::Complete | B::Star | B::Tree => JOINED.to_vec(),
                B::Stalk => vec![BoardKind::Graph],
                B::InStar | B::OutStar | B::TransitiveTournament => vec![BoardKind::Digraph],
                B::Chain | B::Antichain | B::Chomp | B::Divisors | B::Forest => {
                    vec![BoardKind::Poset]
                }
                _ => return None,
            }),
            ExprKind::Binary(Op::Over, ..) => Some(vec![BoardKind::Poset]),
            ExprKind::Binary(Op::Add, a, b) => Self::kind_of(a).or_else(|| Self::kind_of(b)),
            ExprKind::Binary(Op::Place, a, _) => Self::kind_of(a),
            _ => None,
        }
    }

    /// `3`, `(4, 2)`, `n + 1`, a list of heaps.
    fn heap_entry(&mut self, e: &ast::Expr, k: u8, env: &mut Env) -> Option<BoardEntryKind> {
        let outer = env.literal.take();
        let found = self.expr(e, env);
        env.literal = outer;
        let one = if k == 1 {
            Sort::Int
        } else {
            Sort::Tuple(vec![Sort::Int; usize::from(k)])
        };
        let want = match &found.sort {
            Sort::Unknown => return None,
            Sort::List(_) => Sort::List(Box::new(one.clone())),
            Sort::Set(_) => Sort::Set(Box::new(one.clone())),
            _ => one.clone(),
        };
        let sort = found.sort.clone();
        let span = found.span;
        match self.fit(found, &want, env) {
            Ok(found) => {
                if let ExprKind::Negative(_) = &*found.kind {
                    self.not_here(span, BoardKind::Heaps(k), "a heap is not negative");
                    return None;
                }
                Some(BoardEntryKind::Heap(found))
            }
            Err(_) => {
                let what = if k == 1 {
                    "an integer".to_string()
                } else {
                    format!("a tuple of {k}")
                };
                self.report(
                    Diagnostic::error(
                        Code::E0302,
                        format!("a heap here is {what}, not {}", error::a(&sort)),
                    )
                    .at(span, format!("this is {}", error::a(&sort)))
                    .help(if k == 1 {
                        "heaps are written `[3, 5, 6]`"
                    } else {
                        "heaps are written `[(4, 2), (1, 3)]`"
                    }),
                );
                None
            }
        }
    }

    /// A node of a chain with what lies on it.
    fn node(
        &mut self,
        node: &Node,
        rules: Option<&Arc<Ruleset>>,
        env: &mut Env,
    ) -> Option<BoardNode> {
        let label = self.label(&node.expr, env);
        if !names_a_site(&label.sort) {
            self.report(
                Diagnostic::error(
                    Code::E0302,
                    format!("{} is no vertex or element", error::a(&label.sort)),
                )
                .at(
                    label.span,
                    "labels are names, integers, tuples, sets and terms such as `mid(v)`",
                ),
            );
            return None;
        }
        let mut pieces = Vec::new();
        match &node.tag {
            None => {}
            Some(Tag::Pieces(written)) => {
                for (count, name) in written {
                    let count = count.as_ref().map(|c| {
                        let outer = env.literal.take();
                        let c = self.expect(c, &Sort::Int, env);
                        env.literal = outer;
                        c
                    });
                    if count.is_some()
                        && let Some(rules) = rules
                        && !counts(rules)
                    {
                        self.report(
                            Diagnostic::error(
                                Code::E0304,
                                format!("{} does not count pieces on a vertex", rules.name),
                            )
                            .at(name.span, "a count stands before this piece")
                            .help(
                                "counts need a state such as `state pebbles(piece, vertex): nat`",
                            ),
                        );
                    }
                    if let Some(piece) = self.piece_ref(name, rules) {
                        pieces.push((count, piece, name.span));
                    }
                }
            }
            Some(Tag::Value(e)) => match &*e.kind {
                K::Integer(n) if rules.is_none_or(|r| r.pieces_range.is_some()) => {
                    pieces.push((None, PieceRef::Name(n.to_string().as_str().into()), e.span));
                }
                _ => {
                    self.report(
                        Diagnostic::error(Code::E0304, "after the colon of a vertex stand pieces")
                            .at(e.span, "")
                            .help("`a:x`, or with counts `a:2b+1g`; a computed count in parentheses: `a:(j)r`"),
                    );
                    return None;
                }
            },
        }
        Some(BoardNode { label, pieces })
    }

    /// A piece by its name in a label.
    fn piece_ref(&mut self, name: &Ident, rules: Option<&Arc<Ruleset>>) -> Option<PieceRef> {
        let Some(rules) = rules else {
            return Some(PieceRef::Name(name.text.clone()));
        };
        if rules.pieces_range.is_some() && name.text.chars().all(|c| c.is_ascii_digit()) {
            return Some(PieceRef::Name(name.text.clone()));
        }
        match rules.pieces.iter().position(|p| p.name == name.text) {
            Some(i) => Some(PieceRef::Id(PieceId(u16::try_from(i).ok()?))),
            None => {
                self.no_such_piece(name, rules);
                None
            }
        }
    }

    fn link(
        &mut self,
        link: &Link,
        kind: BoardKind,
        rules: Option<&Arc<Ruleset>>,
        env: &mut Env,
    ) -> Option<BoardLink> {
        let (span, fits, right) = match link {
            Link::Arc(span) => (
                *span,
                kind == BoardKind::Digraph,
                "`->` is an arc of a digraph",
            ),
            Link::Line(span) => (
                *span,
                kind == BoardKind::Graph,
                "`--` is an edge of a graph",
            ),
            Link::Labelled(_, span, true) => (
                *span,
                kind == BoardKind::Digraph,
                "`-b->` is an arc of a digraph with a piece on it",
            ),
            Link::Labelled(_, span, false) => (
                *span,
                kind == BoardKind::Graph,
                "`-b-` is an edge of a graph with a piece on it",
            ),
            Link::Below(span) | Link::Above(span) => (
                *span,
                kind == BoardKind::Poset,
                "`<` is the order of a poset",
            ),
        };
        if !fits {
            self.not_here(span, kind, right);
            return None;
        }
        Some(match link {
            Link::Arc(_) => BoardLink::Arc,
            Link::Line(_) => BoardLink::Line,
            Link::Below(_) => BoardLink::Below,
            Link::Above(_) => BoardLink::Above,
            Link::Labelled(e, ..) => {
                if let Some(rules) = rules
                    && !rules.pieces_on_edges
                {
                    self.report(
                        Diagnostic::error(Code::E0304, format!("{} has no pieces on edges", rules.name))
                            .at(e.span, "a piece stands on this edge")
                            .help("a bare edge is `--`; pieces on edges are declared by `pieces b = Left on edges`"),
                    );
                    return None;
                }
                match &*e.kind {
                    K::Name(name) if env.find(&name.text).is_none() => {
                        BoardLink::Labelled(self.piece_ref(name, rules)?)
                    }
                    K::Integer(n) if rules.is_none_or(|r| r.pieces_range.is_some()) => {
                        BoardLink::Labelled(PieceRef::Name(n.to_string().as_str().into()))
                    }
                    _ => {
                        let outer = env.literal.take();
                        let piece = self.expr(e, env);
                        env.literal = outer;
                        let piece = match piece.sort {
                            // The number of a piece, or the piece.
                            Sort::Int if rules.is_none_or(|r| r.pieces_range.is_some()) => piece,
                            _ => self.coerce(piece, &Sort::Piece, env),
                        };
                        BoardLink::Computed(piece)
                    }
                }
            }
        })
    }
}

/// Whether a ruleset counts pieces on sites.
fn counts(rules: &Ruleset) -> bool {
    rules.state.iter().any(|s| {
        s.sort == Sort::Int
            && s.arguments.len() == 2
            && s.arguments.contains(&Sort::Piece)
            && s.arguments.iter().any(|a| matches!(a, Sort::Site(_)))
    })
}

/// Whether a value of that sort can be the label of a vertex or element.
fn names_a_site(sort: &Sort) -> bool {
    match sort {
        Sort::Label | Sort::Int | Sort::Text | Sort::Tuple(_) | Sort::Site(_) | Sort::Unknown => {
            true
        }
        Sort::Set(of) => names_a_site(of),
        _ => false,
    }
}
