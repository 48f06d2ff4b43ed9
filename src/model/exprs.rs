//! Expressions of the integer side: integers, sites, sets, lists, boards, conditions. A formula of games among them is
//! handed to the value side (`games.rs`), by what its parts denote.

use super::checker::{Checker, element, expr, tuple, unify, unknown};
use super::error;
use super::guess::gamelike;
use super::scope::{Around, Env, Named};
use super::typed::{
    self, BoardEntry, BoardEntryKind, BoardKind, BoardLiteral, Expr, ExprKind, Fold, GameOp, Op,
    Quantifier, SiteKind, Slot, Sort,
};
use crate::base::{Ident, Span};
use crate::diagnostic::{Code, Diagnostic};
use crate::syntax::ast::{self, BinaryOp, StarNote, UnaryOp, UpCount};
use num_bigint::BigInt;

fn set(of: Sort) -> Sort {
    Sort::Set(Box::new(of))
}

/// The name that `v`, `vv`, `v3` are on the integer side.
pub(super) fn downs_as_name(c: &ast::Compact) -> Option<String> {
    let up = c.up.as_ref().filter(|u| u.down && c.number.is_none())?;
    match &up.count {
        UpCount::Arrows(n) => Some("v".repeat(usize::try_from(*n).ok()?.min(64))),
        UpCount::Times(n) => Some(format!("v{n}")),
        UpCount::Pow(_) | UpCount::PowTo(_) => None,
    }
}

/// `v[n]` on the integer side, if something is called `v`.
pub(super) fn entry_of_v(c: &ast::Compact, span: Span, env: &Env) -> Option<ast::Expr> {
    let up = c.up.as_ref().filter(|u| u.down && c.number.is_none())?;
    let UpCount::PowTo(n) = &up.count else {
        return None;
    };
    env.find("v")?;
    let node = |kind| ast::Expr {
        span,
        kind: Box::new(kind),
    };
    let entry = ast::Entry {
        span,
        first: ast::Node {
            expr: node(ast::ExprKind::Integer(n.clone())),
            tag: None,
        },
        links: Vec::new(),
        more: Vec::new(),
        binders: Vec::new(),
        condition: None,
    };
    let head = node(ast::ExprKind::Name(Ident::new("v", span)));
    Some(node(ast::ExprKind::Bracket(head, vec![entry])))
}

fn binary_expr(span: Span, sort: Sort, op: Op, a: Expr, b: Expr) -> Expr {
    expr(span, sort, ExprKind::Binary(op, a, b))
}

impl Checker<'_> {
    /// An expression; which side it is read on follows from what it is.
    pub(super) fn expr(&mut self, e: &ast::Expr, env: &mut Env) -> Expr {
        let found = if self.deeper(e.span) {
            self.expr_kind(e, env)
        } else {
            unknown(e.span)
        };
        self.depth -= 1;
        found
    }

    /// An expression of a sort that is known beforehand.
    pub(super) fn expect(&mut self, e: &ast::Expr, want: &Sort, env: &mut Env) -> Expr {
        let found = match want {
            Sort::Game => self.value(e, env),
            Sort::Position if gamelike(&self.guess(e, env)) => self.value(e, env),
            Sort::Label => self.label(e, env),
            Sort::Site(SiteKind::Vertex | SiteKind::Element | SiteKind::Edge)
                if env.around != Around::Rule || env.literal.is_some() =>
            {
                let found = self.label(e, env);
                return self.coerce(found, &Sort::Label, env);
            }
            Sort::Site(_) if env.around != Around::Rule || env.literal.is_some() => {
                self.label(e, env)
            }
            Sort::Set(of) | Sort::List(of) => match &*e.kind {
                ast::ExprKind::Set(parts) if matches!(want, Sort::Set(_)) => {
                    let parts = parts.iter().map(|p| self.expect(p, of, env)).collect();
                    expr(e.span, want.clone(), ExprKind::Elements(parts))
                }
                ast::ExprKind::List(parts) if matches!(want, Sort::List(_)) => {
                    let parts = parts.iter().map(|p| self.expect(p, of, env)).collect();
                    expr(e.span, want.clone(), ExprKind::Elements(parts))
                }
                _ => self.expr(e, env),
            },
            _ => self.expr(e, env),
        };
        self.coerce(found, want, env)
    }

    /// A condition.
    pub(super) fn condition(&mut self, e: &ast::Expr, env: &mut Env) -> Expr {
        self.expect(e, &Sort::Bool, env)
    }

    fn expr_kind(&mut self, e: &ast::Expr, env: &mut Env) -> Expr {
        use ast::ExprKind as K;
        let span = e.span;
        match &*e.kind {
            K::Name(name) => {
                if let Some(found) = self.lookup(name, env) {
                    return found;
                }
                if gamelike(&self.guess(e, env)) {
                    return self.value(e, env);
                }
                self.unknown_name(name, env, "name")
            }
            K::Integer(n) => expr(span, Sort::Int, ExprKind::Integer(n.clone())),
            K::Text(t) => expr(span, Sort::Text, ExprKind::Text(t.value.clone())),
            K::Compact(c) => self.compact(e, c, env),
            K::Paren(e) => {
                let inner = self.expr(e, env);
                Expr { span, ..inner }
            }
            K::Tuple(parts) => {
                let parts = parts.iter().map(|p| self.expr(p, env)).collect();
                self.tuple(span, parts)
            }
            K::List(parts) => self.elements(span, parts, false, env),
            K::Set(parts) => self.elements(span, parts, true, env),
            K::ListFor(e, binders, condition) => {
                self.comprehension(span, e, binders, condition.as_ref(), false, env)
            }
            K::SetFor(e, binders, condition) => {
                self.comprehension(span, e, binders, condition.as_ref(), true, env)
            }
            K::SetThat(binders, phi) => self.set_that(span, binders, phi, env),
            K::Braces(..) => self.value(e, env),
            K::Call(name, arguments) => self.call(name, arguments, span, env),
            K::Bracket(head, entries) => self.bracket(span, head, entries, env),
            K::Board(kind, entries) => self.bare_board(span, kind, entries, env),
            K::Encoded(format, text) => {
                let kind = if &*format.text == "digraph6" {
                    BoardKind::Digraph
                } else {
                    BoardKind::Graph
                };
                let entry = BoardEntry {
                    span,
                    binders: Vec::new(),
                    condition: None,
                    kind: BoardEntryKind::Encoded(format.text.clone(), text.value.clone()),
                    slots: env.size(),
                };
                let board = BoardLiteral {
                    span,
                    kind,
                    entries: vec![entry],
                };
                expr(span, Sort::Board, ExprKind::Board(board))
            }
            K::Colon(a, b) => {
                let left = self.guess(a, env);
                if left == Sort::Board {
                    let board = self.expect(a, &Sort::Board, env);
                    let piece = self.piece_by_name(b, env);
                    return binary_expr(span, Sort::Board, Op::Place, board, piece);
                }
                self.value(e, env)
            }
            K::Unary(UnaryOp::Not, e) => {
                let inner = self.condition(e, env);
                expr(span, Sort::Bool, ExprKind::Not(inner))
            }
            K::Unary(UnaryOp::PlusMinus, _) => self.value(e, env),
            K::Unary(UnaryOp::Negative, inner) => {
                if gamelike(&self.guess(inner, env)) {
                    return self.value(e, env);
                }
                let inner = self.expr(inner, env);
                match inner.sort {
                    Sort::Direction => {
                        let minus = expr(span, Sort::Int, ExprKind::Integer(BigInt::from(-1)));
                        binary_expr(span, Sort::Direction, Op::Multiply, minus, inner)
                    }
                    Sort::Position => expr(span, Sort::Position, ExprKind::Mirror(inner)),
                    Sort::Game => expr(
                        span,
                        Sort::Game,
                        ExprKind::Game(GameOp::Negate, vec![inner]),
                    ),
                    _ => {
                        let inner = self.coerce(inner, &Sort::Int, env);
                        match inner.sort {
                            Sort::Unknown => unknown(span),
                            _ => expr(span, Sort::Int, ExprKind::Negative(inner)),
                        }
                    }
                }
            }
            K::Binary(op, a, b) => self.binary(e, *op, a, b, env),
            K::Quantifier(q, binders, condition, body) => {
                let q = match q {
                    ast::Quantifier::All => Quantifier::All,
                    ast::Quantifier::Some => Quantifier::Some,
                    ast::Quantifier::No => Quantifier::No,
                };
                let depth = env.visible.len();
                let binders = self.inner_binders(binders, env);
                let condition = condition.as_ref().map(|c| self.condition(c, env));
                let body = self.condition(body, env);
                self.close(depth, env);
                expr(
                    span,
                    Sort::Bool,
                    ExprKind::Quantifier(q, binders, condition, body),
                )
            }
            K::Fold(name, e, binders, condition) => {
                self.fold_for(span, name, e, binders, condition.as_ref(), env)
            }
        }
    }

    /// Leaves the scope of binders.
    pub(super) fn close(&mut self, depth: usize, env: &mut Env) {
        self.unused(depth, env);
        env.visible.truncate(depth);
    }

    fn compact(&mut self, e: &ast::Expr, c: &ast::Compact, env: &mut Env) -> Expr {
        let span = e.span;
        if let Some(name) = downs_as_name(c)
            && env.find(&name).is_some()
        {
            let base = self.name(&Ident::new(&name, span), env);
            return match &c.star {
                None => base,
                Some(StarNote::Of(factor)) => {
                    let base = self.coerce(base, &Sort::Int, env);
                    let factor = self.expect(factor, &Sort::Int, env);
                    binary_expr(span, Sort::Int, Op::Multiply, base, factor)
                }
                Some(StarNote::Star) => self.value(e, env),
            };
        }
        if let Some(entry) = entry_of_v(c, span, env) {
            // `v[2]*3` where v is a list.
            let base = self.expect(&entry, &Sort::Int, env);
            return match &c.star {
                Some(StarNote::Of(factor)) => {
                    let factor = self.expect(factor, &Sort::Int, env);
                    binary_expr(span, Sort::Int, Op::Multiply, base, factor)
                }
                _ => self.value(e, env),
            };
        }
        if gamelike(&self.guess(e, env)) {
            return self.value_or_fraction(e, c, env);
        }
        let number = c
            .number
            .as_ref()
            .map(|(n, _)| n.clone())
            .unwrap_or_default();
        let mut found = expr(span, Sort::Int, ExprKind::Integer(number));
        if let Some(up) = &c.up
            && let UpCount::Times(n) = &up.count
        {
            let exponent = expr(span, Sort::Int, ExprKind::Integer(n.clone()));
            found = binary_expr(span, Sort::Int, Op::Power, found, exponent);
        }
        if let Some(StarNote::Of(factor)) = &c.star {
            let factor = self.expr(factor, env);
            if factor.sort == Sort::Direction {
                return binary_expr(span, Sort::Direction, Op::Multiply, found, factor);
            }
            let factor = self.coerce(factor, &Sort::Int, env);
            found = binary_expr(span, Sort::Int, Op::Multiply, found, factor);
        }
        found
    }

    fn elements(&mut self, span: Span, parts: &[ast::Expr], is_set: bool, env: &mut Env) -> Expr {
        let parts: Vec<Expr> = parts.iter().map(|p| self.expr(p, env)).collect();
        let mut of = Sort::Unknown;
        for part in &parts {
            match unify(&of, &part.sort) {
                Some(sort) => of = sort,
                None => {
                    let what = if is_set { "set" } else { "list" };
                    return self.hole(
                        Diagnostic::error(
                            Code::E0203,
                            format!("a {what} holds things of one kind"),
                        )
                        .at(part.span, format!("this is {}", error::a(&part.sort)))
                        .at(span, format!("and before it stands {}", error::a(&of))),
                    );
                }
            }
        }
        let parts = parts
            .into_iter()
            .map(|p| self.coerce(p, &of, env))
            .collect();
        let of = Box::new(of);
        let sort = if is_set {
            Sort::Set(of)
        } else {
            Sort::List(of)
        };
        expr(span, sort, ExprKind::Elements(parts))
    }

    fn comprehension(
        &mut self,
        span: Span,
        e: &ast::Expr,
        binders: &[ast::Binder],
        condition: Option<&ast::Expr>,
        is_set: bool,
        env: &mut Env,
    ) -> Expr {
        let depth = env.visible.len();
        let binders = self.inner_binders(binders, env);
        let condition = condition.map(|c| self.condition(c, env));
        let e = self.expr(e, env);
        // Repeating without naming is usual here: [0 for i in 1..n].
        env.visible.truncate(depth);
        let of = Box::new(e.sort.clone());
        let sort = if is_set {
            Sort::Set(of)
        } else {
            Sort::List(of)
        };
        expr(span, sort, ExprKind::For(e, binders, condition))
    }

    fn set_that(
        &mut self,
        span: Span,
        binders: &[ast::Binder],
        phi: &ast::Expr,
        env: &mut Env,
    ) -> Expr {
        let depth = env.visible.len();
        let binders = self.inner_binders(binders, env);
        let bound: Vec<u32> = env.visible[depth..].to_vec();
        let mut parts: Vec<Expr> = Vec::new();
        for slot in bound {
            let var = &mut env.slots[slot as usize];
            var.used = true;
            parts.push(expr(span, var.sort.clone(), ExprKind::Slot(Slot(slot))));
        }
        let phi = self.condition(phi, env);
        env.visible.truncate(depth);
        let e = if parts.len() == 1 {
            parts.remove(0)
        } else {
            tuple(span, parts)
        };
        expr(
            span,
            set(e.sort.clone()),
            ExprKind::For(e, binders, Some(phi)),
        )
    }

    fn fold_for(
        &mut self,
        span: Span,
        name: &Ident,
        e: &ast::Expr,
        binders: &[ast::Binder],
        condition: Option<&ast::Expr>,
        env: &mut Env,
    ) -> Expr {
        let list = self.comprehension(span, e, binders, condition, false, env);
        let fold = match &*name.text {
            "size" => Fold::Size,
            "min" => Fold::Min,
            "max" => Fold::Max,
            "sum" => Fold::Sum,
            "xor" => Fold::Xor,
            "mex" => Fold::Mex,
            _ => return self.unknown_name(name, env, "function"),
        };
        self.fold(span, fold, list, env)
    }

    /// A fold over a set or list; of integers but for `size`.
    pub(super) fn fold(&mut self, span: Span, fold: Fold, over: Expr, env: &mut Env) -> Expr {
        let over = match (&over.sort, fold) {
            (Sort::Set(_) | Sort::List(_) | Sort::Unknown, Fold::Size) => over,
            (Sort::Set(_), _) => self.coerce(over, &set(Sort::Int), env),
            (Sort::Unknown, _) => over,
            (Sort::List(_), _) => self.coerce(over, &Sort::List(Box::new(Sort::Int)), env),
            (found, _) => {
                let found = found.clone();
                return self.hole(
                    Diagnostic::error(
                        Code::E0203,
                        format!(
                            "{} stands where a set or a list is expected",
                            error::a(&found)
                        ),
                    )
                    .at(over.span, format!("this is {}", error::a(&found))),
                );
            }
        };
        expr(span, Sort::Int, ExprKind::Fold(fold, over))
    }

    fn binary(
        &mut self,
        e: &ast::Expr,
        op: BinaryOp,
        a: &ast::Expr,
        b: &ast::Expr,
        env: &mut Env,
    ) -> Expr {
        let span = e.span;
        match op {
            BinaryOp::Or | BinaryOp::And | BinaryOp::Comma => {
                let a = self.condition(a, env);
                let b = self.condition(b, env);
                let op = if op == BinaryOp::Or { Op::Or } else { Op::And };
                binary_expr(span, Sort::Bool, op, a, b)
            }
            BinaryOp::Is | BinaryOp::IsNot => self.same(span, op == BinaryOp::Is, a, b, env),
            BinaryOp::Equal => self.equal(span, a, b, env),
            BinaryOp::Less | BinaryOp::LessEqual | BinaryOp::Greater | BinaryOp::GreaterEqual => {
                self.order(span, op, a, b, env)
            }
            BinaryOp::In => self.is_in(span, a, b, env),
            BinaryOp::Owns => {
                let a = self.expect(a, &Sort::Player, env);
                let b = self.expect(b, &Sort::Piece, env);
                binary_expr(span, Sort::Bool, Op::Owns, a, b)
            }
            BinaryOp::Range => {
                let a = self.expect(a, &Sort::Int, env);
                let b = self.expect(b, &Sort::Int, env);
                binary_expr(span, set(Sort::Int), Op::Range, a, b)
            }
            BinaryOp::Mod | BinaryOp::Div => {
                let a = self.expect(a, &Sort::Int, env);
                let b = self.expect(b, &Sort::Int, env);
                let op = if op == BinaryOp::Mod {
                    Op::Mod
                } else {
                    Op::Div
                };
                binary_expr(span, Sort::Int, op, a, b)
            }
            BinaryOp::Power => {
                let a = self.expect(a, &Sort::Int, env);
                let b = self.expect(b, &Sort::Int, env);
                binary_expr(span, Sort::Int, Op::Power, a, b)
            }
            BinaryOp::Slash => self.slash(span, a, b, env),
            BinaryOp::Add | BinaryOp::Subtract | BinaryOp::Multiply | BinaryOp::PlusMinus => {
                if gamelike(&self.guess(a, env)) || gamelike(&self.guess(b, env)) {
                    return self.value(e, env);
                }
                self.arithmetic(span, op, a, b, env)
            }
        }
    }

    fn arithmetic(
        &mut self,
        span: Span,
        op: BinaryOp,
        a: &ast::Expr,
        b: &ast::Expr,
        env: &mut Env,
    ) -> Expr {
        let x = self.expr(a, env);
        let y = self.expr(b, env);
        self.arithmetic_of(span, op, x, y, env)
    }

    pub(super) fn arithmetic_of(
        &mut self,
        span: Span,
        op: BinaryOp,
        mut x: Expr,
        mut y: Expr,
        env: &mut Env,
    ) -> Expr {
        use Sort::{Board, Direction, Int, List, Set, Site, Tuple, Unknown};
        let add = op == BinaryOp::Add;
        let grid = self.rules(env).is_some_and(|r| r.board == BoardKind::Grid);
        if op != BinaryOp::Multiply {
            // A pair is a cell where a direction is added to it.
            let cell = Site(SiteKind::GridCell);
            if grid && matches!(x.sort, Tuple(_)) && y.sort == Direction {
                x = self.coerce(x, &cell, env);
            } else if grid && matches!(y.sort, Tuple(_)) && x.sort == Direction {
                y = self.coerce(y, &cell, env);
            }
        }
        let typed_op = match op {
            BinaryOp::Add => Op::Add,
            BinaryOp::Multiply => Op::Multiply,
            _ => Op::Subtract,
        };
        match (&x.sort, &y.sort, op) {
            (Unknown, Unknown, _) => unknown(span),
            (Int | Unknown, Board, BinaryOp::Multiply) => {
                binary_expr(span, Board, Op::Multiply, x, y)
            }
            (Direction, Direction, BinaryOp::Add | BinaryOp::Subtract) => {
                binary_expr(span, Direction, typed_op, x, y)
            }
            (Direction, Int | Unknown, BinaryOp::Multiply) => {
                binary_expr(span, Direction, Op::Multiply, y, x)
            }
            (Int | Unknown, Direction, BinaryOp::Multiply) => {
                binary_expr(span, Direction, Op::Multiply, x, y)
            }
            (
                Site(SiteKind::StripCell | SiteKind::GridCell),
                Direction,
                BinaryOp::Add | BinaryOp::Subtract,
            ) => {
                let sort = x.sort.clone();
                binary_expr(span, sort, typed_op, x, y)
            }
            (Direction, Site(SiteKind::StripCell | SiteKind::GridCell), BinaryOp::Add) => {
                let sort = y.sort.clone();
                binary_expr(span, sort, Op::Add, y, x)
            }
            (Site(SiteKind::StripCell), Int, BinaryOp::Add | BinaryOp::Subtract) => {
                let sort = x.sort.clone();
                binary_expr(span, sort, typed_op, x, y)
            }
            (Int, Site(SiteKind::StripCell), BinaryOp::Add) => {
                let sort = y.sort.clone();
                binary_expr(span, sort, Op::Add, y, x)
            }
            (Set(_), Set(_), BinaryOp::Add | BinaryOp::Subtract)
            | (List(_), List(_), BinaryOp::Add) => match unify(&x.sort, &y.sort) {
                Some(sort) => {
                    let x = self.coerce(x, &sort, env);
                    let y = self.coerce(y, &sort, env);
                    binary_expr(span, sort, typed_op, x, y)
                }
                None => {
                    let want = x.sort.clone();
                    self.coerce(y, &want, env)
                }
            },
            (Board, _, _) | (_, Board, _) if add => {
                let x = self.coerce(x, &Board, env);
                let y = self.coerce(y, &Board, env);
                binary_expr(span, Board, Op::Add, x, y)
            }
            (a, b, _) if gamelike(a) || gamelike(b) => self.game_arithmetic(span, op, x, y, env),
            (Unknown, sort @ (Set(_) | List(_)), _) | (sort @ (Set(_) | List(_)), Unknown, _) => {
                let sort = sort.clone();
                binary_expr(span, sort, typed_op, x, y)
            }
            (Unknown, _, _) | (_, Unknown, _) => unknown(span),
            (Site(SiteKind::GridCell), Int, _) | (Int, Site(SiteKind::GridCell), _) => self.hole(
                Diagnostic::error(Code::E0203, "a cell of a grid and an integer do not add")
                    .at(span, "")
                    .help("step by a direction: `a + 2*east`; or write the cell by row and column: `(i, j + 1)`"),
            ),
            _ => {
                let x = self.coerce(x, &Int, env);
                let y = self.coerce(y, &Int, env);
                binary_expr(span, Int, typed_op, x, y)
            }
        }
    }

    fn slash(&mut self, span: Span, a: &ast::Expr, b: &ast::Expr, env: &mut Env) -> Expr {
        let (ga, gb) = (self.guess(a, env), self.guess(b, env));
        if ga == Sort::Board || gb == Sort::Board {
            let a = self.expect(a, &Sort::Board, env);
            let b = self.expect(b, &Sort::Board, env);
            return binary_expr(span, Sort::Board, Op::Over, a, b);
        }
        self.fraction(span, a, b, env)
    }

    /// `=`, `!=`: the same data.
    fn same(&mut self, span: Span, is: bool, a: &ast::Expr, b: &ast::Expr, env: &mut Env) -> Expr {
        let (ga, gb) = (self.guess(a, env), self.guess(b, env));
        if gamelike(&ga) || gamelike(&gb) {
            let help = if is {
                "equal values: `G == H`; the same form: `identical(G, H)`"
            } else {
                "different values: `not G == H`; different forms: `not identical(G, H)`"
            };
            return self.hole(
                Diagnostic::error(
                    Code::E0206,
                    "`=` compares data, and games are compared with `==`",
                )
                .at(
                    if gamelike(&ga) { a.span } else { b.span },
                    "this is a game",
                )
                .at(span, "")
                .help(help),
            );
        }
        let labels = env.around != Around::Rule;
        let mut x;
        let mut y;
        if labels
            && env.hint.ruleset.is_none()
            && matches!(
                ga,
                Sort::Player | Sort::Piece | Sort::Set(_) | Sort::Unknown
            )
        {
            // The players and pieces of a position are known beside what is asked of it: `winner(G, first: A) = B`.
            let named = matches!(&*a.kind, ast::ExprKind::Name(_) | ast::ExprKind::Set(_));
            let (first, second) = if named { (b, a) } else { (a, b) };
            x = self.expr(first, env);
            let outer = env.hint;
            env.hint = self.hint_of(&x, env);
            y = if x.sort == Sort::Unknown && self.failed {
                // Whose players are meant is not known.
                unknown(second.span)
            } else if x.sort == Sort::Label {
                self.label(second, env)
            } else {
                self.expr(second, env)
            };
            env.hint = outer;
        } else if labels && ga == Sort::Label {
            x = self.expr(a, env);
            y = self.label(b, env);
        } else if labels && gb == Sort::Label {
            y = self.expr(b, env);
            x = self.label(a, env);
        } else {
            x = self.expr(a, env);
            y = self.expr(b, env);
        }
        let op = if is { Op::Is } else { Op::IsNot };
        // A player beside a piece: is it one of exactly his?
        if x.sort == Sort::Player && y.sort == Sort::Piece {
            std::mem::swap(&mut x, &mut y);
        }
        if x.sort == Sort::Piece && y.sort == Sort::Player {
            let found = expr(span, Sort::Bool, ExprKind::IsPieceOf(x, y));
            return if is {
                found
            } else {
                expr(span, Sort::Bool, ExprKind::Not(found))
            };
        }
        let Some(sort) = unify(&x.sort, &y.sort) else {
            let d = Diagnostic::error(
                Code::E0203,
                format!("{} is never {}", error::a(&x.sort), error::a(&y.sort)),
            )
            .at(x.span, format!("this is {}", error::a(&x.sort)))
            .at(y.span, format!("this is {}", error::a(&y.sort)));
            return self.hole(d);
        };
        if matches!(sort, Sort::Report) {
            return self.hole(
                Diagnostic::error(Code::E0203, "a report is shown, not compared").at(span, ""),
            );
        }
        let x = self.coerce(x, &sort, env);
        let y = self.coerce(y, &sort, env);
        binary_expr(span, Sort::Bool, op, x, y)
    }

    /// `==`: equal games.
    fn equal(&mut self, span: Span, a: &ast::Expr, b: &ast::Expr, env: &mut Env) -> Expr {
        for side in [a, b] {
            let sort = self.guess(side, env);
            if !matches!(
                sort,
                Sort::Game | Sort::Position | Sort::Int | Sort::Unknown
            ) {
                return self.hole(
                    Diagnostic::error(
                        Code::E0206,
                        "`==` compares games, and data are compared with `=`",
                    )
                    .at(side.span, format!("this is {}", error::a(&sort)))
                    .at(span, "")
                    .help("write `=`"),
                );
            }
        }
        let a = self.game(a, env);
        let b = self.game(b, env);
        expr(span, Sort::Bool, ExprKind::Game(GameOp::Equal, vec![a, b]))
    }

    fn order(
        &mut self,
        span: Span,
        op: BinaryOp,
        a: &ast::Expr,
        b: &ast::Expr,
        env: &mut Env,
    ) -> Expr {
        let (ga, gb) = (self.guess(a, env), self.guess(b, env));
        if gamelike(&ga) || gamelike(&gb) {
            let a = self.game(a, env);
            let b = self.game(b, env);
            let op = match op {
                BinaryOp::Less => GameOp::Less,
                BinaryOp::LessEqual => GameOp::LessEqual,
                BinaryOp::Greater => GameOp::Greater,
                _ => GameOp::GreaterEqual,
            };
            return expr(span, Sort::Bool, ExprKind::Game(op, vec![a, b]));
        }
        let x = self.expr(a, env);
        let y = self.expr(b, env);
        for side in [&x, &y] {
            if matches!(side.sort, Sort::Site(SiteKind::Element)) {
                return self.hole(
                    Diagnostic::error(
                        Code::E0203,
                        "in a rule, the order of the poset is asked by `up` and `down`",
                    )
                    .at(span, "elements are not compared by `<`")
                    .help(
                        "x above y: `x in up(y)`; x below y: `x in down(y)`; both contain y itself",
                    ),
                );
            }
            if let Sort::Site(SiteKind::GridCell) | Sort::Tuple(_) = side.sort {
                return self.hole(
                    Diagnostic::error(Code::E0203, "cells of a grid have no order")
                        .at(side.span, "this is a cell")
                        .help("name its row and column: `(i, j) in cells`, then compare these"),
                );
            }
        }
        let x = self.coerce(x, &Sort::Int, env);
        let y = self.coerce(y, &Sort::Int, env);
        let op = match op {
            BinaryOp::Less => Op::Less,
            BinaryOp::LessEqual => Op::LessEqual,
            BinaryOp::Greater => Op::Greater,
            _ => Op::GreaterEqual,
        };
        binary_expr(span, Sort::Bool, op, x, y)
    }

    fn is_in(&mut self, span: Span, a: &ast::Expr, b: &ast::Expr, env: &mut Env) -> Expr {
        let set = self.expr(b, env);
        let outer = env.hint;
        if env.ruleset().is_none() {
            env.hint = self.hint_of(&set, env);
        }
        let found = self.is_in_set(span, a, set, env);
        env.hint = outer;
        found
    }

    fn is_in_set(&mut self, span: Span, a: &ast::Expr, set: Expr, env: &mut Env) -> Expr {
        let Some(of) = element(&set.sort) else {
            let found = set.sort.clone();
            let mut d = Diagnostic::error(
                Code::E0203,
                format!(
                    "{} stands where a set or a list is expected",
                    error::a(&found)
                ),
            )
            .at(set.span, format!("this is {}", error::a(&found)));
            if found == Sort::Player {
                d = d.help("`p owns c` says that p is among the owners of c");
            }
            self.expr(a, env);
            return self.hole(d);
        };
        let a = if of == Sort::Unknown {
            self.expr(a, env)
        } else if of == Sort::Label || of == Sort::Game {
            self.expect(a, &of, env)
        } else {
            let a = self.expr(a, env);
            // A player among pieces; a cell among pairs: the element decides, unless the set can follow.
            match self.fit(a, &of, env) {
                Ok(a) => a,
                Err(a) => {
                    let want = match &set.sort {
                        Sort::List(_) => Sort::List(Box::new(a.sort.clone())),
                        _ => Sort::Set(Box::new(a.sort.clone())),
                    };
                    return match self.fit(set, &want, env) {
                        Ok(set) => binary_expr(span, Sort::Bool, Op::In, *a, set),
                        Err(_) => {
                            let a = self.coerce(*a, &of, env);
                            unknown(a.span)
                        }
                    };
                }
            }
        };
        binary_expr(span, Sort::Bool, Op::In, a, set)
    }

    /// `Ruleset[..]`, `l[i]`, `c[1]`.
    fn bracket(
        &mut self,
        span: Span,
        head: &ast::Expr,
        entries: &[ast::Entry],
        env: &mut Env,
    ) -> Expr {
        if let ast::ExprKind::Name(name) | ast::ExprKind::Call(name, _) = &*head.kind
            && env.find(&name.text).is_none()
        {
            match self.scope.names.get(&name.text).copied() {
                Some(Named::Broken) => return self.uses_broken(name),
                Some(Named::Ruleset(id)) => {
                    let arguments: &[ast::Argument] = match &*head.kind {
                        ast::ExprKind::Call(_, arguments) => arguments,
                        _ => &[],
                    };
                    return self.position(id, name, arguments, entries, span, env);
                }
                Some(Named::Definition(_)) => {}
                None => {
                    let known = self.lookup(name, env).is_some()
                        || super::builtins::find(&name.text).is_some()
                        || matches!(&*head.kind, ast::ExprKind::Call(..));
                    if !known {
                        if env.around != Around::Rule
                            && (env.literal.is_some() || entries.len() == 1)
                            && name.text.len() == 1
                        {
                            return self.label_of_bracket(span, name, entries, env);
                        }
                        let rulesets: Vec<String> = self
                            .scope
                            .model
                            .rulesets
                            .iter()
                            .map(|r| r.name.to_string())
                            .collect();
                        return self.hole(
                            Diagnostic::error(
                                Code::E0201,
                                format!("there is no ruleset `{}`", name.text),
                            )
                            .at(name.span, "unknown ruleset")
                            .help_if(crate::diagnostic::did_you_mean(
                                &name.text,
                                rulesets.iter().map(String::as_str),
                            )),
                        );
                    }
                }
            }
        }
        let list = self.expr(head, env);
        let of = match &list.sort {
            Sort::List(of) => (**of).clone(),
            Sort::Unknown => {
                // What is used in the index is used.
                if let Some(index) = self.single(entries) {
                    self.expect(index, &Sort::Int, env);
                }
                return unknown(span);
            }
            found => {
                let found = found.clone();
                return self.hole(
                    Diagnostic::error(
                        Code::E0203,
                        format!(
                            "{} stands where a list or a ruleset is expected",
                            error::a(&found)
                        ),
                    )
                    .at(list.span, format!("this is {}", error::a(&found))),
                );
            }
        };
        match self.single(entries) {
            Some(index) => {
                let index = self.expect(index, &Sort::Int, env);
                expr(span, of, ExprKind::Index(list, index))
            }
            None => self.hole(
                Diagnostic::error(Code::E0204, "a list is indexed by one integer, from 1")
                    .at(span, "")
                    .help("write `l[1]`"),
            ),
        }
    }

    /// The expression of brackets that hold just one.
    pub(super) fn single<'e>(&self, entries: &'e [ast::Entry]) -> Option<&'e ast::Expr> {
        match entries {
            [e] if e.links.is_empty()
                && e.more.is_empty()
                && e.binders.is_empty()
                && e.condition.is_none()
                && e.first.tag.is_none() =>
            {
                Some(&e.first.expr)
            }
            _ => None,
        }
    }

    fn label_of_bracket(
        &mut self,
        span: Span,
        name: &Ident,
        entries: &[ast::Entry],
        env: &mut Env,
    ) -> Expr {
        match self.single(entries) {
            Some(index) => {
                let index = self.label(index, env);
                expr(
                    span,
                    Sort::Label,
                    ExprKind::Label(name.text.clone(), vec![index]),
                )
            }
            None => self.unknown_name(name, env, "name"),
        }
    }

    /// A vertex or element by its label: in board literals and in what is asked of computed boards, free names are labels.
    pub(super) fn label(&mut self, e: &ast::Expr, env: &mut Env) -> Expr {
        use ast::ExprKind as K;
        let span = e.span;
        let free = |env: &Env, name: &Ident| env.find(&name.text).is_none();
        match &*e.kind {
            K::Name(name) if free(env, name) => expr(
                span,
                Sort::Label,
                ExprKind::Label(name.text.clone(), Vec::new()),
            ),
            K::Compact(c) if c.star.is_none() => match downs_as_name(c) {
                Some(name) if env.find(&name).is_none() => expr(
                    span,
                    Sort::Label,
                    ExprKind::Label(name.as_str().into(), Vec::new()),
                ),
                _ => self.expr(e, env),
            },
            K::Paren(inner) => {
                let inner = self.label(inner, env);
                Expr { span, ..inner }
            }
            K::Tuple(parts) => {
                let parts = parts.iter().map(|p| self.label(p, env)).collect();
                self.tuple(span, parts)
            }
            K::Set(parts) => {
                let parts = parts.iter().map(|p| self.label(p, env)).collect();
                expr(span, Sort::Label, ExprKind::Label("".into(), parts))
            }
            K::Call(name, arguments)
                if free(env, name)
                    && !matches!(
                        self.scope.names.get(&name.text),
                        Some(Named::Definition(_) | Named::Broken)
                    )
                    && !self.has_let(name, env) =>
            {
                let arguments = arguments
                    .iter()
                    .map(|a| self.label(&a.value, env))
                    .collect();
                expr(
                    span,
                    Sort::Label,
                    ExprKind::Label(name.text.clone(), arguments),
                )
            }
            K::Bracket(head, entries) => match &*head.kind {
                K::Name(name) if free(env, name) && !self.scope.names.contains_key(&name.text) => {
                    self.label_of_bracket(span, name, entries, env)
                }
                _ => self.expr(e, env),
            },
            _ => self.expr(e, env),
        }
    }

    /// Whether the ruleset at hand defines that function.
    fn has_let(&self, name: &Ident, env: &Env) -> bool {
        env.home.is_some_and(|h| {
            self.scope.insides[h.0 as usize]
                .lets
                .contains_key(&name.text)
        })
    }

    /// A piece after a colon: of the ruleset that is known, else by name.
    fn piece_by_name(&mut self, e: &ast::Expr, env: &mut Env) -> Expr {
        if let ast::ExprKind::Name(name) = &*e.kind
            && env.find(&name.text).is_none()
        {
            if let Some(found) = self.piece_or_player(name, env) {
                return self.coerce(found, &Sort::Piece, env);
            }
            if env.ruleset().is_none() {
                return expr(
                    e.span,
                    Sort::Piece,
                    ExprKind::Label(name.text.clone(), Vec::new()),
                );
            }
        }
        self.expect(e, &Sort::Piece, env)
    }

    /// Binders inside an expression.
    pub(super) fn inner_binders(
        &mut self,
        binders: &[ast::Binder],
        env: &mut Env,
    ) -> Vec<typed::Binder> {
        let from = env.visible.len();
        self.binders(binders, super::binders::List::Inner { from }, env)
    }
}
