//! Checks binary operators: arithmetic, `=` for data and `==` for games, orders, membership. The sorts of the operands
//! determine the meaning of an operator.

use super::advice;
use super::checker::{Checker, element, expr, set, unify, unknown};
use super::compared;
use super::error;
use super::guess::gamelike;
use super::scope::{Around, Env};
use super::typed::{Expr, ExprKind, GameOp, Op, SiteKind, Sort};
use crate::base::Span;
use crate::diagnostic::{Code, Diagnostic, Suggestion};
use crate::syntax::ast::{self, BinaryOp};

impl Checker<'_> {
    pub(super) fn binary(
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
            BinaryOp::Sides => self.value(e, env),
            BinaryOp::Is | BinaryOp::IsNot => self.same(span, op == BinaryOp::Is, a, b, env),
            BinaryOp::Equal => self.equal(span, a, b, env),
            BinaryOp::Less | BinaryOp::LessEqual | BinaryOp::Greater | BinaryOp::GreaterEqual => {
                self.order(span, op, a, b, env)
            }
            BinaryOp::In => self.is_in(span, a, b, env),
            BinaryOp::Owns => {
                self.asks_owners = true;
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
            BinaryOp::Arc => self.hole(
                Diagnostic::error(Code::E0303, "an arc stands here, where only a field names one by its ends")
                    .at(span, "")
                    .help("`w(u -> v): 2` in a position; in the rules, an edge is chosen: `choose edge e where tail(e) = u, head(e) = v`"),
            ),
            BinaryOp::Slash => self.slash(span, a, b, env),
            BinaryOp::Add | BinaryOp::Subtract | BinaryOp::Multiply | BinaryOp::PlusMinus => {
                if [a, b].map(|e| gamelike(&self.guess_value(e, env))) != [false; 2] {
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
        use Sort::{Board, Direction, Int, List, Set, Site, Text, Tuple, Unknown};
        let add = op == BinaryOp::Add;
        let grid = self.rules(env).is_some_and(|r| r.board.has_rows());
        if op != BinaryOp::Multiply {
            // A pair to which a direction is added is a cell.
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
            (Site(SiteKind::GridCell), Tuple(_), BinaryOp::Add | BinaryOp::Subtract)
                if advice::step(&y).is_some() =>
            {
                let step = advice::step(&y).unwrap_or_default();
                let sign = if add { "+" } else { "-" };
                let several = step.contains('+') && !add;
                let text = if several { format!("({step})") } else { step };
                self.hole(
                    Diagnostic::error(Code::E0203, "a cell and a pair do not add: a step is a direction")
                        .at(y.span, "this is a pair")
                        .suggest(Suggestion::replace(
                            y.span,
                            &text,
                            format!("rows count down and columns to the right: `{sign} {text}`"),
                        )),
                )
            }
            (Site(SiteKind::GridCell), Int, _) | (Int, Site(SiteKind::GridCell), _) => self.hole(
                Diagnostic::error(Code::E0203, "a cell of a grid and an integer do not add")
                    .at(span, "")
                    .help("step by a direction: `a + 2*east`; or write the cell by row and column: `(i, j + 1)`"),
            ),
            (Text, _, _) | (_, Text, _) if add => self.hole(
                Diagnostic::error(Code::E0203, "strings are not joined by `+`")
                    .at(span, "here")
                    .help("lists are: a stalk of the pieces g and b is `stalk([g] + [b])`"),
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
        // `{c: at(c) = x}`: set notation of mathematical papers.
        if let ast::ExprKind::Colon(name, _) = &*a.kind
            && let ast::ExprKind::Name(binder) = &*name.kind
        {
            let write = format!(
                "say where `{0}` is looked for: `{0} in cells: ..`",
                binder.text
            );
            return self.hole(
                Diagnostic::error(
                    Code::E0206,
                    "a set of what satisfies a condition needs an `in`",
                )
                .at(name.span, "without `in`, `:` is the ordinal sum of games")
                .note("`cells`, `vertices`, `elements` or another set stands there")
                .suggest(Suggestion::after(name.span, " in cells", write)),
            );
        }
        if let Some(d) = advice::unquoted([(a, &ga), (b, &gb)]) {
            return self.hole(d.at(span, ""));
        }
        if gamelike(&ga) || gamelike(&gb) {
            let fix = if is {
                Suggestion::between(a.span, b.span, "=", "==", "compare values with `==`").safe()
            } else {
                Suggestion::between(a.span, b.span, "!=", "==", "different values: `not G == H`")
                    .and_before(a.span, "not ")
            };
            let forms = if is {
                "the same form: `identical(G, H)`"
            } else {
                "different forms: `not identical(G, H)`"
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
                .note(forms)
                .suggest(compared::both_games(fix, [(a, &ga), (b, &gb)])),
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
            // The players and pieces of a position may be named in what it is compared with: `winner(G, first: A) = B`.
            let named = matches!(&*a.kind, ast::ExprKind::Name(_) | ast::ExprKind::Set(_));
            let (first, second) = if named { (b, a) } else { (a, b) };
            x = self.expr(first, env);
            let outer = env.hint;
            env.hint = self.hint_of(&x, env);
            y = if x.sort == Sort::Unknown && self.failed {
                // The players are unknown.
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
        // A player compared with a piece: is the piece owned by exactly this player?
        if x.sort == Sort::Player && y.sort == Sort::Piece {
            std::mem::swap(&mut x, &mut y);
        }
        if x.sort == Sort::Piece && y.sort == Sort::Player {
            if is && env.around == Around::Rule && matches!(*x.kind, ExprKind::At(_)) {
                self.exact.push(advice::exact(span, a, b, &x));
            }
            let found = expr(span, Sort::Bool, ExprKind::IsPieceOf(x, y));
            return if is {
                found
            } else {
                expr(span, Sort::Bool, ExprKind::Not(found))
            };
        }
        let Some(sort) = unify(&x.sort, &y.sort) else {
            let boxed = [&x, &y].into_iter().find_map(|e| self.unboxed(e, env));
            if let Some(d) = boxed {
                return self.hole(d);
            }
            let d = Diagnostic::error(
                Code::E0203,
                format!("{} is never {}", error::a(&x.sort), error::a(&y.sort)),
            )
            .at(x.span, format!("this is {}", error::a(&x.sort)))
            .at(y.span, format!("this is {}", error::a(&y.sort)));
            let sides = [(b, &x.sort), (a, &y.sort)];
            let meant = |(e, other)| {
                compared::in_quotes(e, other).or_else(|| compared::integer_of_star(e, other))
            };
            let d = d.suggest_if(sides.into_iter().find_map(meant));
            // The piece on the site is meant.
            let piece = |s: &Sort| matches!(s, Sort::Piece | Sort::Player);
            let d = match (&x.sort, &y.sort) {
                (Sort::Site(_), other) | (other, Sort::Site(_)) if piece(other) => {
                    let first = matches!(x.sort, Sort::Site(_));
                    let site = if first { x.span } else { y.span };
                    d.suggest(
                        Suggestion::before(
                            site,
                            "at(",
                            "the piece on a site is `at(..)`: `at(v) = empty`",
                        )
                        .and_after(site, ")"),
                    )
                }
                (Sort::QuotientElement, _) | (_, Sort::QuotientElement) => {
                    d.help("compare two elements: `phi(G, within: Q) = phi(H, within: Q)`")
                }
                _ => d,
            };
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
        let (ga, gb) = (self.guess_value(a, env), self.guess_value(b, env));
        if let Some(d) = compared::no_game([(a, &ga), (b, &gb)], span) {
            return self.hole(d);
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
        let (ga, gb) = (self.guess_value(a, env), self.guess_value(b, env));
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
            let mut d = error::stands_where(&set.sort, set.span, "a set or a list");
            d = d.suggest_if(advice::as_set(&set));
            if set.sort == Sort::Player {
                d = d.suggest(Suggestion::between(
                    a.span,
                    set.span,
                    "in",
                    "owns",
                    "`p owns c` says that p is among the owners of c",
                ));
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
            // A player among pieces; a cell among pairs: convert the element if possible, else the set.
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
}

pub(super) fn binary_expr(span: Span, sort: Sort, op: Op, a: Expr, b: Expr) -> Expr {
    expr(span, sort, ExprKind::Binary(op, a, b))
}
