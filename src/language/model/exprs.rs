//! Checks expressions of the integer side: integers, sites, sets, lists, boards, conditions. A formula of games is passed
//! to the value side (`games.rs`), depending on the sorts of its operands.

use super::checker::{Checker, expr, set, tuple, unify, unknown};
use super::error;
use super::guess::gamelike;
use super::operators::binary_expr;
use super::scope::{Around, Env};
use super::typed::{
    self, BoardEntry, BoardEntryKind, BoardKind, BoardLiteral, Expr, ExprKind, Fold, GameOp, Op,
    Quantifier, SiteKind, Slot, Sort,
};
use crate::base::{Ident, Span};
use crate::diagnostic::{Code, Diagnostic};
use crate::syntax::ast::{self, StarNote, UnaryOp, UpCount};
use num_bigint::BigInt;

/// The name denoted by `v`, `vv`, `v3` on the integer side.
pub(super) fn downs_as_name(c: &ast::Compact) -> Option<String> {
    let up = c.up.as_ref().filter(|u| u.down && c.number.is_none())?;
    match &up.count {
        UpCount::Arrows(n) => Some("v".repeat(usize::try_from(*n).ok()?.min(64))),
        UpCount::Times(n) => Some(format!("v{n}")),
        UpCount::Pow(_) | UpCount::PowTo(_) | UpCount::PowOn | UpCount::PowToOn => None,
    }
}

/// `v[n]` on the integer side, if `v` is defined.
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

impl Checker<'_> {
    /// An expression; its form and the sorts of its parts decide on which side it is read.
    pub(super) fn expr(&mut self, e: &ast::Expr, env: &mut Env) -> Expr {
        let found = if self.deeper(e.span) {
            self.expr_kind(e, env)
        } else {
            unknown(e.span)
        };
        self.depth -= 1;
        found
    }

    /// An expression with a known expected sort.
    pub(super) fn expect(&mut self, e: &ast::Expr, want: &Sort, env: &mut Env) -> Expr {
        if let ast::ExprKind::If(phi, a, b) = &*e.kind
            && *want != Sort::Unknown
        {
            let phi = self.condition(phi, env);
            let a = self.expect(a, want, env);
            let b = self.expect(b, want, env);
            return expr(e.span, want.clone(), ExprKind::If(phi, a, b));
        }
        let found = match want {
            Sort::Game => self.value(e, env),
            Sort::Position if gamelike(&self.guess_value(e, env)) => self.value(e, env),
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
            K::Braces(..) | K::Knot(..) => self.value(e, env),
            K::Call(name, arguments) => self.call(name, arguments, span, env),
            K::Bracket(head, entries) => {
                let inside = env.home.is_some() || env.literal.is_some();
                match (!inside)
                    .then(|| self.down_to(head, entries, env))
                    .flatten()
                {
                    Some(_) => self.value(e, env),
                    None => self.bracket(span, head, entries, env),
                }
            }
            K::Board(kind, entries) if &*kind.text == "oo" && env.home.is_none() => {
                self.infinite(span, entries, env)
            }
            K::Board(kind, entries) => self.bare_board(span, kind, entries, env),
            K::Encoded(format, text) => {
                let kind = BoardKind::encoded(&format.text);
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
                if gamelike(&self.guess_value(inner, env)) {
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
            K::If(phi, a, b) => {
                if gamelike(&self.guess(e, env)) {
                    return self.value(e, env);
                }
                let phi = self.condition(phi, env);
                let [mut a, mut b] = [a, b].map(|e| self.expr(e, env));
                self.off_beside_games([&mut a, &mut b], env);
                match unify(&a.sort, &b.sort) {
                    Some(sort) => {
                        let a = self.coerce(a, &sort, env);
                        let b = self.coerce(b, &sort, env);
                        expr(span, sort, ExprKind::If(phi, a, b))
                    }
                    None => self.hole(
                        Diagnostic::error(Code::E0203, "the two sides of an `if` are of one kind")
                            .at(b.span, format!("this is {}", error::a(&b.sort)))
                            .at(a.span, format!("and this is {}", error::a(&a.sort))),
                    ),
                }
            }
            K::Fold(name, e, binders, condition) => {
                self.fold_for(span, name, e, binders, condition.as_ref(), env)
            }
        }
    }

    /// Leaves the scope of binders.
    pub(super) fn close(&mut self, depth: usize, env: &mut Env) {
        // After an error in the item, a variable may be used in a part that was not read.
        if !self.failed {
            self.unused(depth, env);
        }
        env.leave(depth);
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
        let mut parts: Vec<Expr> = parts.iter().map(|p| self.expr(p, env)).collect();
        self.off_beside_games(&mut parts, env);
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

    /// `oo{K}`, an infinite nimber.
    fn infinite(&mut self, span: Span, entries: &[ast::Entry], env: &mut Env) -> Expr {
        let mut set = Vec::new();
        for entry in entries {
            match self.single(std::slice::from_ref(entry)) {
                Some(n) => set.push(self.expect(n, &Sort::Int, env)),
                None => {
                    return self.hole(
                        Diagnostic::error(Code::E0203, "`oo{K}` lists the elements of K")
                            .at(entry.span, "this is not an integer")
                            .help("write them with commas between them: `oo{0, 1}`, `oo{}`"),
                    );
                }
            }
        }
        let op = ExprKind::Game(GameOp::Infinite, set);
        expr(span, Sort::Int, op)
    }

    /// Beside games and integers, `off` is the loopy value.
    fn off_beside_games<'e>(
        &mut self,
        parts: impl IntoIterator<Item = &'e mut Expr>,
        env: &mut Env,
    ) {
        let (off, others): (Vec<_>, Vec<_>) = parts.into_iter().partition(|e| self.means_off(e));
        let value = |e: &&mut Expr| matches!(e.sort, Sort::Game | Sort::Position | Sort::Int);
        if env.home.is_none() && env.literal.is_none() && others.iter().any(value) {
            for e in off {
                *e = self.coerce(e.clone(), &Sort::Game, env);
            }
        }
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
        // Comprehensions often do not use their variable: [0 for i in 1..n].
        env.leave(depth);
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
        env.leave(depth);
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

    /// A fold over a set or list; of integers, except for `size`.
    pub(super) fn fold(&mut self, span: Span, fold: Fold, over: Expr, env: &mut Env) -> Expr {
        let over = match (&over.sort, fold) {
            (Sort::Set(_) | Sort::List(_) | Sort::Unknown, Fold::Size) => over,
            (Sort::Set(_), _) => self.coerce(over, &set(Sort::Int), env),
            (Sort::Unknown, _) => over,
            (Sort::List(_), _) => self.coerce(over, &Sort::List(Box::new(Sort::Int)), env),
            (found, _) => {
                let d = error::stands_where(found, over.span, "a set or a list");
                return self.hole(d);
            }
        };
        expr(span, Sort::Int, ExprKind::Fold(fold, over))
    }

    /// The expression in brackets that contain only one.
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
