//! Checks expressions of the value side: `*` is star, `^` up, `v` down, numbers are games, and a formula of integers
//! needs parentheses.

use super::checker::{Checker, expr, is_downs, unknown};
use super::error;
use super::exprs::downs_as_name;
use super::guess::gamelike;
use super::scope::Env;
use super::typed::{Expr, ExprKind, GameFunction, GameLiteral, GameOp, KnotMove, LoopyName, Sort};
use crate::base::Span;
use crate::diagnostic::{Code, Diagnostic, Suggestion};
use crate::syntax::ast::{self, BinaryOp, ExprKind as K, StarNote, UnaryOp, UpCount};
use num_bigint::BigInt;
use num_traits::{One, Signed, Zero};
use std::collections::HashMap;

fn op(span: Span, op: GameOp, arguments: Vec<Expr>) -> Expr {
    expr(span, Sort::Game, ExprKind::Game(op, arguments))
}

fn literal(span: Span, literal: GameLiteral, computed: Option<Expr>) -> Expr {
    op(
        span,
        GameOp::Literal(literal),
        computed.into_iter().collect(),
    )
}

/// The binary exponent of a denominator, if it is a power of two.
fn exponent(denominator: &BigInt) -> Option<u32> {
    let k = denominator.trailing_zeros()?;
    let k = u32::try_from(k).ok()?;
    (denominator.is_positive() && (denominator >> k).is_one()).then_some(k)
}

impl Checker<'_> {
    /// An expression of the value side as a game: positions and integers are converted to their values.
    pub(super) fn game(&mut self, e: &ast::Expr, env: &mut Env) -> Expr {
        let found = self.value(e, env);
        self.coerce(found, &Sort::Game, env)
    }

    /// An option of a game in braces: a game, or `pass`.
    fn option(&mut self, e: &ast::Expr, env: &mut Env) -> Expr {
        match &*e.kind {
            K::Name(name) if &*name.text == "pass" && self.lookup(name, env).is_none() => {
                op(e.span, GameOp::Pass, Vec::new())
            }
            _ => self.game(e, env),
        }
    }

    /// An expression of the value side: a game, or an unevaluated position.
    pub(super) fn value(&mut self, e: &ast::Expr, env: &mut Env) -> Expr {
        let found = if self.deeper(e.span) {
            self.value_kind(e, env)
        } else {
            unknown(e.span)
        };
        self.depth -= 1;
        found
    }

    fn value_kind(&mut self, e: &ast::Expr, env: &mut Env) -> Expr {
        let span = e.span;
        match &*e.kind {
            K::Integer(n) => {
                let number = GameLiteral {
                    number: Some((n.clone(), 0)),
                    ..GameLiteral::default()
                };
                literal(span, number, None)
            }
            K::Name(name) => {
                if let Some(found) = self.lookup(name, env) {
                    return self.on_value_side(found, env);
                }
                match downs(&name.text) {
                    Some(n) => literal(
                        span,
                        GameLiteral {
                            ups: -n,
                            ..GameLiteral::default()
                        },
                        None,
                    ),
                    None => self.unknown_name(name, env, "name"),
                }
            }
            K::Compact(c) => self.compact_game(span, c, false, env),
            K::Bracket(head, entries) => match self.down_to(head, entries, env) {
                Some(down) => self.compact_game(span, &down, false, env),
                None => {
                    let found = self.expr(e, env);
                    self.on_value_side(found, env)
                }
            },
            K::Paren(inner) => {
                let found = if gamelike(&self.guess(inner, env)) {
                    match &*inner.kind {
                        // In parentheses, numerator and denominator of a fraction are integers: (1/2^k).
                        K::Binary(BinaryOp::Slash, a, b) => self.fraction(span, a, b, env),
                        K::Compact(c) => self.value_or_fraction(inner, c, env),
                        _ => self.value(inner, env),
                    }
                } else {
                    let inner = self.expr(inner, env);
                    self.on_value_side(inner, env)
                };
                Expr { span, ..found }
            }
            K::Knot(..) => self.knot(e, env),
            K::Braces(..) if !e.labels().is_empty() => self.knot(e, env),
            K::Braces(left, right) => {
                let lefts = u32::try_from(left.len()).unwrap_or(u32::MAX);
                let options = left
                    .iter()
                    .chain(right)
                    .map(|o| self.option(o, env))
                    .collect();
                op(span, GameOp::Braces(lefts), options)
            }
            K::Colon(a, b) => {
                let a = self.game(a, env);
                let b = self.game(b, env);
                op(span, GameOp::OrdinalSum, vec![a, b])
            }
            K::If(phi, a, b) => {
                let phi = self.condition(phi, env);
                let a = self.value(a, env);
                let a = self.on_value_side(a, env);
                let b = self.value(b, env);
                let b = self.on_value_side(b, env);
                if a.sort == Sort::Unknown || b.sort == Sort::Unknown {
                    return unknown(span);
                }
                let sort = match a.sort == b.sort {
                    true => a.sort.clone(),
                    false => Sort::Game,
                };
                let a = self.coerce(a, &sort, env);
                let b = self.coerce(b, &sort, env);
                expr(span, sort, ExprKind::If(phi, a, b))
            }
            K::Unary(UnaryOp::Negative, inner) => self.negative(span, inner, env),
            K::Unary(UnaryOp::PlusMinus, inner) => self.plus_minus(span, inner, env),
            K::Binary(BinaryOp::Multiply, a, b) => self.multiply(span, a, b, env),
            K::Binary(BinaryOp::Sides, a, b) => {
                if self.guess(a, env) == Sort::Bool || self.guess(b, env) == Sort::Bool {
                    return self.hole(crate::syntax::conditions_with_sides(a.span, b.span));
                }
                let a = self.game(a, env);
                let b = self.game(b, env);
                op(span, GameOp::Function(GameFunction::Sides), vec![a, b])
            }
            K::Binary(BinaryOp::Slash, a, b) => self.fraction_of_values(span, a, b, env),
            K::Binary(BinaryOp::Power, a, b) => {
                let _ = self.guess(b, env);
                self.hole(
                    Diagnostic::error(
                        Code::E0207,
                        "on the value side `^` is up, and takes no exponent",
                    )
                    .at(span, "")
                    .at(a.span, "a power stands in parentheses")
                    .suggest(
                        Suggestion::before(span, "(", "write the power in parentheses: `(2^k)`")
                            .and_after(span, ")"),
                    ),
                )
            }
            K::Binary(o @ (BinaryOp::Add | BinaryOp::Subtract | BinaryOp::PlusMinus), a, b) => {
                if *o == BinaryOp::Subtract
                    && let K::Compact(c) = &*a.kind
                    && matches!(c.star, Some(StarNote::Star))
                    && b.span.start == a.span.end + 1
                    && matches!(&*b.kind, K::Integer(_))
                {
                    return self.hole(
                        Diagnostic::error(Code::E0207, "a star has no negative: `*-3` means nothing")
                            .at(span, "")
                            .help("nimbers are `*`, `*2`, `*3`, each its own negative; a difference is written with blanks: `* - 3`"),
                    );
                }
                let a = self.value(a, env);
                let b = self.value(b, env);
                self.game_arithmetic(span, *o, a, b, env)
            }
            K::Set(_) | K::SetFor(..) => {
                let found = self.expr(e, env);
                let d = Diagnostic::error(Code::E0203, "a set stands where a game is expected")
                    .at(found.span, "there is no bar in these braces")
                    .help(
                        "a game has a bar between the options of Left and Right: `{1,2|3}`, `{|}`",
                    );
                self.hole(d)
            }
            _ => {
                let found = self.expr(e, env);
                self.on_value_side(found, env)
            }
        }
    }

    /// `v[2]` and `v[on]`, if `v` is not defined.
    pub(super) fn down_to(
        &mut self,
        head: &ast::Expr,
        entries: &[ast::Entry],
        env: &mut Env,
    ) -> Option<ast::Compact> {
        let count = match &*self.single(entries)?.kind {
            K::Integer(n) => UpCount::PowTo(n.clone()),
            K::Name(name) if &*name.text == "on" => UpCount::PowToOn,
            _ => return None,
        };
        let undefined = matches!(&*head.kind, K::Name(name)
            if &*name.text == "v" && self.lookup(name, env).is_none());
        undefined.then_some(ast::Compact {
            number: None,
            word: None,
            up: Some(ast::Ups { down: true, count }),
            star: None,
        })
    }

    /// Converts an expression read on the integer side to a game or position.
    fn on_value_side(&mut self, found: Expr, env: &mut Env) -> Expr {
        match found.sort {
            Sort::Game | Sort::Position | Sort::Unknown => found,
            _ => self.coerce(found, &Sort::Game, env),
        }
    }

    /// Sums and differences on the value side: of positions a position, else a game.
    pub(super) fn game_arithmetic(
        &mut self,
        span: Span,
        o: BinaryOp,
        a: Expr,
        b: Expr,
        env: &mut Env,
    ) -> Expr {
        if a.sort == Sort::Unknown || b.sort == Sort::Unknown {
            return unknown(span);
        }
        if o == BinaryOp::Multiply {
            return self.times(span, a, b, env);
        }
        if a.sort == Sort::Position && b.sort == Sort::Position && o != BinaryOp::PlusMinus {
            let b = match o {
                BinaryOp::Subtract => expr(b.span, Sort::Position, ExprKind::Mirror(b)),
                _ => b,
            };
            return expr(span, Sort::Position, ExprKind::Sum(a, b));
        }
        let a = self.coerce(a, &Sort::Game, env);
        let b = self.coerce(b, &Sort::Game, env);
        match o {
            BinaryOp::Subtract => op(span, GameOp::Subtract, vec![a, b]),
            BinaryOp::PlusMinus => {
                let b = op(b.span, GameOp::PlusMinus, vec![b]);
                op(span, GameOp::Add, vec![a, b])
            }
            _ => op(span, GameOp::Add, vec![a, b]),
        }
    }

    /// Integer times game or position.
    fn times(&mut self, span: Span, a: Expr, b: Expr, env: &mut Env) -> Expr {
        let (n, g) = if gamelike(&a.sort) && !gamelike(&b.sort) {
            (b, a)
        } else {
            (a, b)
        };
        let n = self.coerce(n, &Sort::Int, env);
        if g.sort == Sort::Position {
            return expr(span, Sort::Position, ExprKind::Multiple(n, g));
        }
        let g = self.coerce(g, &Sort::Game, env);
        op(span, GameOp::Times, vec![n, g])
    }

    fn multiply(&mut self, span: Span, a: &ast::Expr, b: &ast::Expr, env: &mut Env) -> Expr {
        let (ga, gb) = (self.guess_value(a, env), self.guess_value(b, env));
        match (gamelike(&ga), gamelike(&gb)) {
            (false, false) if a.span.end + 1 == b.span.start && !matches!(&*b.kind, K::Integer(_)) => {
                let (n, text) = (self.text_of(a), self.text_of(b));
                self.two_ways(span, &n, &text, false)
            }
            (false, false) => self.hole(
                Diagnostic::error(Code::E0207, "on the value side `*` is star, not a product")
                    .at(span, "two integers are multiplied here")
                    .help("a product of integers stands in parentheses: `(1 * 2)`; one plus star two is `1*2` without blanks, or `1 + *2`"),
            ),
            (true, true) => {
                let a = self.value(a, env);
                self.value(b, env);
                self.hole(
                    Diagnostic::error(Code::E0207, "two games are not multiplied by `*`")
                        .at(span, "")
                        .at(a.span, "a multiple is an integer times a game: `3 * G`")
                        .help("products of games have names: `conway_product(G, H)`, `norton(G, U)`"),
                )
            }
            (false, true) => {
                let n = self.expect(a, &Sort::Int, env);
                let g = self.value(b, env);
                self.times(span, n, g, env)
            }
            (true, false) => {
                let g = self.value(a, env);
                let n = self.expect(b, &Sort::Int, env);
                self.times(span, n, g, env)
            }
        }
    }

    fn negative(&mut self, span: Span, inner: &ast::Expr, env: &mut Env) -> Expr {
        match &*inner.kind {
            K::Integer(n) => {
                let number = GameLiteral {
                    number: Some((-n, 0)),
                    ..GameLiteral::default()
                };
                literal(span, number, None)
            }
            // The leading sign is the sign of the number: -1^ is -1 + up.
            K::Compact(c) => self.compact_game(span, c, true, env),
            _ => {
                let found = self.value(inner, env);
                match found.sort {
                    Sort::Position => expr(span, Sort::Position, ExprKind::Mirror(found)),
                    _ => {
                        let found = self.coerce(found, &Sort::Game, env);
                        op(span, GameOp::Negate, vec![found])
                    }
                }
            }
        }
    }

    /// `+-G`, `+-{a, b}`.
    fn plus_minus(&mut self, span: Span, inner: &ast::Expr, env: &mut Env) -> Expr {
        if let K::Set(options) = &*inner.kind {
            let options: Vec<Expr> = options.iter().map(|o| self.game(o, env)).collect();
            let lefts = u32::try_from(options.len()).unwrap_or(u32::MAX);
            let negatives: Vec<Expr> = options
                .iter()
                .map(|o| op(o.span, GameOp::Negate, vec![o.clone()]))
                .collect();
            let all = options.into_iter().chain(negatives).collect();
            return op(span, GameOp::Braces(lefts), all);
        }
        let found = self.game(inner, env);
        op(span, GameOp::PlusMinus, vec![found])
    }

    /// A number, ups and star as written.
    fn compact_game(
        &mut self,
        span: Span,
        c: &ast::Compact,
        negative: bool,
        env: &mut Env,
    ) -> Expr {
        // A variable named v is not a down.
        if let Some(name) = downs_as_name(c)
            && let Some(found) = env
                .find(&name)
                .map(|_| crate::base::Ident::new(&name, span))
                .and_then(|name| self.lookup(&name, env))
        {
            let found = self.on_value_side(found, env);
            let found = match &c.star {
                None => found,
                Some(star) => {
                    let star = self.star(span, GameLiteral::default(), Some(star), env);
                    self.game_arithmetic(span, BinaryOp::Add, found, star, env)
                }
            };
            return if negative && found.sort == Sort::Position {
                expr(span, Sort::Position, ExprKind::Mirror(found))
            } else if negative {
                let found = self.coerce(found, &Sort::Game, env);
                op(span, GameOp::Negate, vec![found])
            } else {
                found
            };
        }
        if let Some(word) = &c.word {
            return self.beside_word(span, c, word, negative, env);
        }
        let mut note = GameLiteral::default();
        if let Some((numerator, denominator)) = &c.number {
            let Some(k) = exponent(denominator) else {
                return self.not_dyadic(span, &denominator.to_string());
            };
            let numerator = if negative {
                -numerator
            } else {
                numerator.clone()
            };
            note.number = Some((numerator, k));
        }
        if let Some(up) = &c.up {
            // Without a number, the sign applies to the ups.
            let down = up.down != (negative && c.number.is_none());
            let sign = |n: BigInt| if down { -n } else { n };
            match &up.count {
                UpCount::PowOn | UpCount::PowToOn => {
                    let to = up.count == UpCount::PowToOn;
                    let rest = self.star(span, note, c.star.as_ref(), env);
                    return up_on(span, rest, to, down);
                }
                UpCount::Arrows(n) => note.ups = sign(BigInt::from(*n)),
                UpCount::Times(n) => note.ups = sign(n.clone()),
                UpCount::Pow(n) | UpCount::PowTo(n) if !n.is_positive() => {
                    return self.hole(
                        Diagnostic::error(Code::E0207, "orders of up count from 1")
                            .at(span, "")
                            .help("`^<2>` is up-second, `^[2]` is up plus up-second"),
                    );
                }
                UpCount::Pow(n) => note.pow = Some(sign(n.clone())),
                UpCount::PowTo(n) => note.pow_to = Some(sign(n.clone())),
            }
        }
        self.star(span, note, c.star.as_ref(), env)
    }

    /// `1over*`: the sum of the number, the value of the word, and the star.
    fn beside_word(
        &mut self,
        span: Span,
        c: &ast::Compact,
        word: &crate::base::Ident,
        negative: bool,
        env: &mut Env,
    ) -> Expr {
        let found = match self.lookup(word, env) {
            Some(found) => self.on_value_side(found, env),
            None => return self.unknown_name(word, env, "name"),
        };
        if found.sort == Sort::Unknown {
            return found;
        }
        if !matches!(&*found.kind, ExprKind::Game(GameOp::Loopy(_), _)) {
            let name = &word.text;
            let d = Diagnostic::error(
                Code::E0207,
                format!("`{name}` is defined here, and does not mean the loopy value"),
            )
            .at(word.span, "defined elsewhere")
            .help(format!(
                "write `1 + {name}`, `{name} + *`, `2 * {name}` for what is defined"
            ));
            return self.hole(d);
        }
        let numbered = c.number.is_some();
        let rest = ast::Compact {
            word: None,
            ..c.clone()
        };
        let found = match negative && !numbered {
            true => op(span, GameOp::Negate, vec![found]),
            false => found,
        };
        if !numbered && c.star.is_none() {
            return found;
        }
        let rest = self.compact_game(span, &rest, negative && numbered, env);
        op(span, GameOp::Add, vec![rest, found])
    }

    /// Braces with labels: nested braces are vertices of one graph, and each label names one of them.
    fn knot(&mut self, e: &ast::Expr, env: &mut Env) -> Expr {
        let mut labels: HashMap<&str, u32> = HashMap::new();
        // All braces, outer ones before inner ones.
        let mut braces = vec![e];
        let mut at = 0;
        while let Some(&e) = braces.get(at) {
            let (label, left, right) = match &*e.kind {
                K::Knot(label, left, right) => (Some(label), left, right),
                K::Braces(left, right) => (None, left, right),
                _ => return unknown(e.span),
            };
            if let Some(label) = label
                && labels.insert(&label.text, at as u32).is_some()
            {
                let d =
                    Diagnostic::error(Code::E0207, format!("`{}` labels two games", label.text));
                return self.hole(
                    d.at(label.span, "the second")
                        .help("labels differ: a, b, .., a1, b1"),
                );
            }
            let within = |o: &&ast::Expr| matches!(&*o.kind, K::Braces(..) | K::Knot(..));
            braces.extend(left.iter().chain(right).filter(within));
            at += 1;
        }
        // The loop below meets the braces in the order in which they were listed.
        let mut inner = 1..;
        let mut vertices = Vec::with_capacity(braces.len());
        let mut arguments = Vec::new();
        for (v, e) in (0..).zip(&braces) {
            let (K::Braces(left, right) | K::Knot(_, left, right)) = &*e.kind else {
                continue;
            };
            let mut moves = [Vec::new(), Vec::new()];
            for (to, options) in moves.iter_mut().zip([left, right]) {
                for option in options {
                    let vertex = match &*option.kind {
                        K::Name(name) => labels.get(&*name.text).copied(),
                        K::Braces(..) | K::Knot(..) => inner.next(),
                        _ => None,
                    };
                    if let Some(w) = vertex {
                        to.push(KnotMove::In(w));
                        continue;
                    }
                    let found = self.option(option, env);
                    to.push(match &*found.kind {
                        ExprKind::Game(GameOp::Pass, _) => KnotMove::In(v),
                        _ => {
                            arguments.push(found);
                            KnotMove::Out(arguments.len() as u32 - 1)
                        }
                    });
                }
            }
            vertices.push(moves);
        }
        op(e.span, GameOp::Knot(vertices), arguments)
    }

    /// Adds the star to a literal.
    fn star(
        &mut self,
        span: Span,
        mut note: GameLiteral,
        star: Option<&StarNote>,
        env: &mut Env,
    ) -> Expr {
        let number = note.number.clone();
        match star {
            None => literal(span, note, None),
            Some(StarNote::Star) => {
                note.star = Some(BigInt::one());
                literal(span, note, None)
            }
            Some(StarNote::Of(e)) => {
                let inner = match &*e.kind {
                    K::Paren(inner) => inner,
                    _ => e,
                };
                if let K::Integer(n) = &*e.kind {
                    note.star = Some(n.clone());
                    return literal(span, note, None);
                }
                if let Some((n, k)) = number
                    && note.ups.is_zero()
                    && note.pow.is_none()
                    && note.pow_to.is_none()
                {
                    // Is 3*k a product or 3 + *k?
                    let game = gamelike(&self.guess(inner, env));
                    let text = self.text_of(e);
                    let n = if k.is_zero() {
                        n.to_string()
                    } else {
                        format!("{n}/{}", BigInt::one() << k)
                    };
                    return self.two_ways(span, &n, &text, game);
                }
                let computed = self.expect(inner, &Sort::Int, env);
                note.star_computed = true;
                literal(span, note, Some(computed))
            }
        }
    }

    /// The error for `3*k`, which could be a product or 3 + *k.
    fn two_ways(&mut self, span: Span, n: &str, text: &str, game: bool) -> Expr {
        let d = Diagnostic::error(
            Code::E0207,
            format!("`{n}*{text}` can be read in two ways on the value side"),
        )
        .at(span, "product, or number and star?");
        self.hole(if game {
            let message = format!("the multiple of a game has blanks: `{n} * {text}`");
            d.suggest(Suggestion::replace(span, format!("{n} * {text}"), message))
        } else {
            let product = Suggestion::before(span, "(", format!("the product: `({n}*{text})`"));
            d.suggest(product.and_after(span, ")"))
                .help(format!("number and star: `{n} + *{text}`"))
        })
    }

    /// The text of a short expression, for messages.
    fn text_of(&self, e: &ast::Expr) -> String {
        match &*e.kind {
            K::Name(name) => name.text.to_string(),
            K::Integer(n) => n.to_string(),
            K::Paren(inner) => match &*inner.kind {
                K::Name(name) => format!("({})", name.text),
                _ => "(..)".into(),
            },
            K::Call(name, _) => format!("{}(..)", name.text),
            _ => "(..)".into(),
        }
    }

    fn not_dyadic(&mut self, span: Span, denominator: &str) -> Expr {
        self.hole(
            Diagnostic::error(Code::E0208, format!("a number with {denominator} below is not dyadic"))
                .at(span, "")
                .note("values of short games have powers of two as denominators: 1/2, 3/4, 5/8")
                .help("for a position over a position, both sides must be boards; for integers there are `div` and `mod`"),
        )
    }

    /// `a/b` on the value side: literal numbers, or computed integers in parentheses.
    fn fraction_of_values(
        &mut self,
        span: Span,
        a: &ast::Expr,
        b: &ast::Expr,
        env: &mut Env,
    ) -> Expr {
        if let (K::Integer(n), K::Integer(d)) = (&*a.kind, &*b.kind) {
            return match exponent(d) {
                Some(k) => {
                    let number = GameLiteral {
                        number: Some((n.clone(), k)),
                        ..GameLiteral::default()
                    };
                    literal(span, number, None)
                }
                None => self.not_dyadic(span, &d.to_string()),
            };
        }
        if let K::Unary(UnaryOp::Negative, inner) = &*a.kind {
            // The sign of the numerator is the sign of the fraction.
            let found = self.fraction_of_values(span, inner, b, env);
            return match found.sort {
                Sort::Unknown => found,
                _ => op(span, GameOp::Negate, vec![found]),
            };
        }
        // ±1/2 is ±(1/2).
        if let K::Unary(UnaryOp::PlusMinus, inner) = &*a.kind {
            let found = self.fraction_of_values(span, inner, b, env);
            return match found.sort {
                Sort::Unknown => found,
                _ => op(span, GameOp::PlusMinus, vec![found]),
            };
        }
        if let K::Binary(BinaryOp::Power, ..) = &*b.kind {
            return self.hole(
                Diagnostic::error(
                    Code::E0207,
                    "on the value side `^` is up, and takes no exponent",
                )
                .at(b.span, "this power needs parentheses")
                .suggest(
                    Suggestion::before(b.span, "(", "write `1/(2^k)` or `(1/2^k)`")
                        .and_after(b.span, ")"),
                ),
            );
        }
        self.fraction(span, a, b, env)
    }

    /// `a/b` of integers.
    pub(super) fn fraction(
        &mut self,
        span: Span,
        a: &ast::Expr,
        b: &ast::Expr,
        env: &mut Env,
    ) -> Expr {
        if let (K::Integer(_), K::Integer(_)) = (&*a.kind, &*b.kind) {
            return self.fraction_of_values(span, a, b, env);
        }
        for side in [a, b] {
            let sort = self.guess(side, env);
            if !matches!(
                sort,
                Sort::Int | Sort::Unknown | Sort::Label | Sort::Site(_)
            ) {
                let found = self.expr(side, env);
                if found.sort == Sort::Unknown {
                    return found;
                }
                let d = Diagnostic::error(
                    Code::E0203,
                    format!(
                        "`/` is a fraction of integers or a board over a board, and this is {}",
                        error::a(&found.sort)
                    ),
                )
                .at(side.span, format!("this is {}", error::a(&found.sort)))
                .at(span, "");
                return self.hole(d);
            }
        }
        let a = self.expect(a, &Sort::Int, env);
        let b = self.expect(b, &Sort::Int, env);
        op(span, GameOp::Fraction, vec![a, b])
    }

    /// A compact literal in parentheses: `(1/2^3)` is a fraction with a power; any other literal is a game, as elsewhere.
    pub(super) fn value_or_fraction(
        &mut self,
        e: &ast::Expr,
        c: &ast::Compact,
        env: &mut Env,
    ) -> Expr {
        if let (Some((n, d)), Some(up), None) = (&c.number, &c.up, &c.star)
            && let UpCount::Times(power) = &up.count
            && !up.down
            && !d.is_one()
        {
            let span = e.span;
            let Some(k) = exponent(d) else {
                return self.not_dyadic(span, &d.to_string());
            };
            let Some(k) = u32::try_from(power).ok().and_then(|p| k.checked_mul(p)) else {
                return self.not_dyadic(span, "a power beyond all bounds");
            };
            let number = GameLiteral {
                number: Some((n.clone(), k)),
                ..GameLiteral::default()
            };
            return literal(span, number, None);
        }
        self.value(e, env)
    }
}

/// `^[on]` = upon or `^<on>` = {0|v[on]*}, or their negatives, plus a number and a star.
fn up_on(span: Span, rest: Expr, to: bool, down: bool) -> Expr {
    let negate = |e: Expr| op(span, GameOp::Negate, vec![e]);
    let mut up = op(span, GameOp::Loopy(LoopyName::Upon), Vec::new());
    if !to {
        let star = GameLiteral {
            star: Some(BigInt::one()),
            ..GameLiteral::default()
        };
        let star = literal(span, star, None);
        let right = op(span, GameOp::Add, vec![negate(up), star]);
        let zero = literal(span, GameLiteral::default(), None);
        up = op(span, GameOp::Braces(1), vec![zero, right]);
    }
    op(
        span,
        GameOp::Add,
        vec![rest, if down { negate(up) } else { up }],
    )
}

/// The number of downs in `v`, `vv`, `v3`.
fn downs(text: &str) -> Option<BigInt> {
    if !is_downs(text) {
        return None;
    }
    match text.trim_start_matches('v') {
        "" => Some(BigInt::from(text.len())),
        digits => digits.parse().ok(),
    }
}
