//! Checks one entry of a board: art, a heap, a chain of nodes with pieces on nodes and links, or a computed board. The
//! error for an entry that does not fit the kind of board shows the notation of that kind.

use super::checker::{Checker, expr};
use super::error;
use super::exprs::downs_as_name;
use super::scope::{Env, Named};
use super::typed::{
    BoardEntryKind, BoardKind, BoardLink, BoardNode, Expr, ExprKind, Form, Lines, Op, PieceId,
    PieceRef, Ruleset, Sort,
};
use crate::base::{Ident, Span};
use crate::diagnostic::{Code, Diagnostic, Suggestion};
use crate::syntax::ast::{self, Entry, ExprKind as K, Link, Node, Tag};
use crate::syntax::printer::print_expr;
use std::sync::Arc;

impl Checker<'_> {
    /// One head of an entry with the links after it.
    pub(super) fn head(
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
        match (kind.form(), kind.heap_of()) {
            (Form::Heaps, Some(k)) if lone => {
                let entailed = match &node.tag {
                    None => false,
                    Some(Tag::Entailed) => true,
                    Some(_) => {
                        self.not_here(node.expr.span, kind, "a heap bears no piece");
                        return None;
                    }
                };
                self.heap_entry(&node.expr, entailed, kind, k, env)
            }
            (Form::Chains, _) => {
                if lone && matches!(&*node.expr.kind, K::Text(_)) {
                    self.not_here(node.expr.span, kind, "art belongs to grids and strips");
                    return None;
                }
                let first = self.node(node, rules, env)?;
                let mut rest = Vec::with_capacity(links.len());
                for (link, node) in links {
                    let link = self.link(link, kind, rules, env);
                    let node = self.node(node, rules, env);
                    if let (Some(link), Some(node)) = (link, node) {
                        rest.push((link, node));
                    }
                }
                Some(BoardEntryKind::Chain(first, rest))
            }
            (Form::Scalars, _) => {
                let rules_name = rules.map_or("it".to_string(), |r| r.name.to_string());
                let state: Vec<String> = rules
                    .map(|r| r.state.iter().map(|s| format!("{}: ..", s.name)).collect())
                    .unwrap_or_default();
                self.report(
                    Diagnostic::error(
                        Code::E0302,
                        format!("{rules_name} has no board, only its state"),
                    )
                    .at(e.span, "this is not a field")
                    .help(format!("write `{rules_name}[{}]`", state.join(", "))),
                );
                None
            }
            (Form::Cells | Form::Heaps, _) => {
                let what = if lone {
                    "this is not a board"
                } else {
                    "chains belong to graphs and posets"
                };
                self.not_here(e.span, kind, what);
                None
            }
        }
    }

    fn not_here(&mut self, span: Span, kind: BoardKind, what: &str) {
        self.report(
            Diagnostic::error(
                Code::E0302,
                format!("this does not fit {}", error::board(kind)),
            )
            .at(span, what)
            .help(kind.descriptor().written),
        );
    }

    /// An entry that is a whole board: art, an encoded graph, or computed. `None` if it is not; `Some(None)` if it is,
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
            K::Text(text) if draws(kind) => {
                if node.tag.is_some() {
                    self.not_here(
                        span,
                        kind,
                        "a piece is put on a board by name: `grid(3, 3):x`",
                    );
                    return Some(None);
                }
                let one_row = kind.is_row();
                Some(
                    self.art(&text.value, one_row, rules, span)
                        .map(BoardEntryKind::Art),
                )
            }
            K::Encoded(format, text) => {
                if kind != BoardKind::encoded(&format.text) {
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
                        match self.scope.named(name) {
                            Some(Named::Definition(_)) => self.guess(&node.expr, env),
                            _ => Sort::Unknown,
                        }
                    }
                    _ => self.guess(&node.expr, env),
                };
                env.literal = outer;
                match sort {
                    Sort::Board => {}
                    // A text with a name is a drawing that is read at evaluation.
                    Sort::Text if draws(kind) && node.tag.is_none() => {
                        let outer = env.literal.take();
                        let text = self.expect(&node.expr, &Sort::Text, env);
                        env.literal = outer;
                        return Some(Some(BoardEntryKind::Board(text)));
                    }
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
                            .suggest(
                                Suggestion::before(
                                    node.expr.span,
                                    "board(",
                                    "its board is `board(G)`",
                                )
                                .and_after(node.expr.span, ")"),
                            ),
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
            Tag::Entailed => {
                self.report(behind_a_heap(span));
                return Some(board);
            }
        };
        let kind = ExprKind::Binary(Op::Place, board, piece);
        Some(expr(span, Sort::Board, kind))
    }

    /// `3`, `(4, 2)`, `n + 1`, a list of heaps.
    fn heap_entry(
        &mut self,
        e: &ast::Expr,
        entailed: bool,
        kind: BoardKind,
        k: u8,
        env: &mut Env,
    ) -> Option<BoardEntryKind> {
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
                    self.not_here(span, kind, "a heap is not negative");
                    return None;
                }
                Some(BoardEntryKind::Heap {
                    sizes: found,
                    entailed,
                })
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
                    .help(kind.descriptor().written),
                );
                None
            }
        }
    }

    /// A node of a chain with its pieces.
    fn node(
        &mut self,
        node: &Node,
        rules: Option<&Arc<Ruleset>>,
        env: &mut Env,
    ) -> Option<BoardNode> {
        if let Some(d) = self.joined_by_minus(&node.expr, rules, env) {
            self.report(d);
            return None;
        }
        let label = self.label(&node.expr, env);
        if !names_a_site(&label.sort) {
            self.report(
                Diagnostic::error(
                    Code::E0302,
                    format!("{} is not a vertex or element", error::a(&label.sort)),
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
            Some(Tag::Entailed) => {
                self.report(behind_a_heap(label.span));
                return None;
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

    /// `a - b - c` for the chain `a -- b -- c`, or for `a -b- c` where b is a piece on edges: a difference of names that mean
    /// nothing.
    fn joined_by_minus(
        &self,
        e: &ast::Expr,
        rules: Option<&Arc<Ruleset>>,
        env: &Env,
    ) -> Option<Diagnostic> {
        let lines = env.literal?.lines();
        let (mut names, mut signs, mut rest) = (Vec::new(), Vec::new(), e);
        while let K::Binary(ast::BinaryOp::Subtract, a, b) = &*rest.kind {
            names.push(b);
            signs.push((a.span, b.span));
            rest = a;
        }
        names.push(rest);
        let named = |e: &&&ast::Expr| match &*e.kind {
            K::Name(name) => env.find(&name.text).is_none() && self.scope.named(name).is_none(),
            K::Compact(c) => downs_as_name(c).is_some_and(|v| env.find(&v).is_none()),
            _ => false,
        };
        let site = |e: &&ast::Expr| named(&e) || matches!(&*e.kind, K::Integer(_));
        if signs.is_empty() || !names.iter().all(site) || !names.iter().any(|e| named(&e)) {
            return None;
        }
        let sign = lines.sign();
        let shown: Vec<String> = names.iter().rev().map(|e| print_expr(e)).collect();
        let on_edges = |p: &&super::typed::Piece| p.on_edges;
        let mut pieces = rules.iter().flat_map(|r| &r.pieces).filter(on_edges);
        let is_piece = |name: &String| pieces.clone().any(|p| *p.name == **name);
        // Every second one is a piece, and the last is a site.
        let labelled = shown.len() % 2 == 1 && shown.iter().skip(1).step_by(2).all(is_piece);
        let words = match labelled {
            true => [" -".to_owned(), format!("{} ", &sign[1..])],
            false => [format!(" {sign} "), format!(" {sign} ")],
        };
        let mut written = String::new();
        let mut between = words.iter().cycle();
        for (i, name) in shown.iter().enumerate() {
            if i > 0 {
                written.extend(between.next().map(String::as_str));
            }
            written.push_str(name);
        }
        let message = match labelled {
            true => format!("an edge with a piece on it is written `{written}`"),
            false => format!("sites are joined by `{sign}`: `{written}`"),
        };
        let mut gaps = signs.into_iter().rev().zip(words.iter().cycle());
        let ((a, b), text) = gaps.next()?;
        let mut fix = Suggestion::between(a, b, "-", text, message);
        for ((a, b), text) in gaps {
            fix = fix.and_between(a, b, "-", text);
        }
        let d = Diagnostic::error(Code::E0302, "sites are not subtracted");
        // Of an arc or an order, the direction may be the other one; a name may be a piece or a site.
        let one_reading = lines == Lines::Edges && (labelled || pieces.next().is_none());
        Some(d.at(e.span, "").suggest(fix.safe_if(one_reading)))
    }

    /// The piece with this name in a label.
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
            Link::Arc(span) => (*span, kind.has_arcs(), "`->` is an arc of a digraph"),
            Link::Line(span) => (
                *span,
                kind.lines() == Lines::Edges,
                "`--` is an edge of a graph",
            ),
            Link::Labelled(_, span, true) => (
                *span,
                kind.has_arcs(),
                "`-b->` is an arc of a digraph with a piece on it",
            ),
            Link::Labelled(_, span, false) => (
                *span,
                kind.lines() == Lines::Edges,
                "`-b-` is an edge of a graph with a piece on it",
            ),
            Link::Below(span) | Link::Above(span) => {
                (*span, kind.is_order(), "`<` is the order of a poset")
            }
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

/// Whether a board of the kind may be drawn in characters.
fn draws(kind: BoardKind) -> bool {
    kind.has_cells() || kind.lines() == Lines::Edges
}

/// Whether a value of this sort can be the label of a vertex or element.
fn names_a_site(sort: &Sort) -> bool {
    match sort {
        Sort::Label | Sort::Int | Sort::Text | Sort::Tuple(_) | Sort::Site(_) | Sort::Unknown => {
            true
        }
        Sort::Set(of) => names_a_site(of),
        _ => false,
    }
}

/// Whether the ruleset has a state function that counts pieces on sites.
fn counts(rules: &Ruleset) -> bool {
    rules.state.iter().any(|s| {
        s.sort == Sort::Int
            && s.arguments.len() == 2
            && s.arguments.contains(&Sort::Piece)
            && s.arguments.iter().any(|a| matches!(a, Sort::Site(_)))
    })
}

/// The refusal of `!` elsewhere.
fn behind_a_heap(span: Span) -> Diagnostic {
    Diagnostic::error(Code::E0302, "`!` stands behind a heap")
        .at(span, "this is none")
        .help("`TopEntails[5, 2!]`: the answer to the last move must be made in the heap 2")
}
