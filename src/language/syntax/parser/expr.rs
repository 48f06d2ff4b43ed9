//! Turns a flat list of operands and signs into a tree by precedence. Loosest first: `or`, `and`, `not`, comparisons,
//! `&`, `:` (ordinal sum), `..`, `+ - +-`, `* / mod div`, prefix `- +-`, `^`. A quantifier extends as far to the right as
//! possible. Trees deeper than [`MAX_DEPTH`] are rejected.

use super::{Build, Builder, Cut, MAX_DEPTH, Rule, items, node};
use crate::base::{Ident, Span};
use crate::diagnostic::{Code, Diagnostic, Suggestion};
use crate::syntax::ast::{
    Argument, BinaryOp, Binder, Compact, Expr, ExprKind, Quantifier, Text, UnaryOp,
};
use crate::syntax::printer::print_expr;
use cgdsl_grammar::pest::iterators::Pair;

/// A prefix sign.
pub(super) enum Prefix {
    Sign(UnaryOp),
    Quantifier(Quantifier, Vec<Binder>, Option<Expr>, usize),
    /// `if a then b else`
    If(Expr, Expr, usize),
}

/// An infix sign.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Infix {
    Binary(BinaryOp),
    NotIn,
    Colon,
    /// The colon of `B:x` in a board's bracket.
    Tag,
    /// A count before its piece; only in tags.
    Beside,
    /// `->`, only between entries.
    Arc,
    /// `--`, only between entries.
    Line,
}

/// An element of the flat list.
pub(super) enum Flat {
    Prefix(Prefix, Span),
    Operand(Expr, usize),
    Infix(Infix, Span),
}

impl Flat {
    pub(super) fn span(&self) -> Span {
        match self {
            Flat::Prefix(_, span) | Flat::Infix(_, span) => *span,
            Flat::Operand(expr, _) => expr.span,
        }
    }
}

fn infix_of(rule: Rule) -> Option<Infix> {
    use BinaryOp as B;
    Some(Infix::Binary(match rule {
        Rule::kw_or => B::Or,
        Rule::kw_and => B::And,
        Rule::is => B::Is,
        Rule::is_not => B::IsNot,
        Rule::equal => B::Equal,
        Rule::less => B::Less,
        Rule::less_eq => B::LessEqual,
        Rule::greater => B::Greater,
        Rule::greater_eq => B::GreaterEqual,
        Rule::kw_in => B::In,
        Rule::kw_owns => B::Owns,
        Rule::sides => B::Sides,
        Rule::dots => B::Range,
        Rule::plus => B::Add,
        Rule::minus => B::Subtract,
        Rule::plus_minus => B::PlusMinus,
        Rule::times => B::Multiply,
        Rule::slash => B::Slash,
        Rule::kw_mod => B::Mod,
        Rule::kw_div => B::Div,
        Rule::power => B::Power,
        Rule::colon => return Some(Infix::Colon),
        Rule::not_in => return Some(Infix::NotIn),
        Rule::beside => return Some(Infix::Beside),
        Rule::arrow => return Some(Infix::Arc),
        Rule::line => return Some(Infix::Line),
        _ => return None,
    }))
}

const NOT: u8 = 5;
const COMPARE: u8 = 7;
const SIDES: u8 = 8;
const PREFIX: u8 = 17;

/// How tightly a sign binds to its left and to its right.
fn binding(infix: Infix) -> (u8, u8) {
    use BinaryOp as B;
    match infix {
        Infix::Binary(op) => match op {
            // An arc is read with the argument that it is.
            B::Comma | B::Arc => (0, 0),
            B::Or => (1, 2),
            B::And => (3, 4),
            B::Is
            | B::IsNot
            | B::Equal
            | B::Less
            | B::LessEqual
            | B::Greater
            | B::GreaterEqual
            | B::In
            | B::Owns => (COMPARE, COMPARE + 1),
            B::Sides => (SIDES, SIDES + 1),
            B::Range => (11, 12),
            B::Add | B::Subtract | B::PlusMinus => (13, 14),
            B::Multiply | B::Slash | B::Mod | B::Div => (15, 16),
            // Right associative: 2^3^2 is 2^(3^2), and 2^-1 is 2^(-1).
            B::Power => (20, 19),
        },
        Infix::NotIn => (COMPARE, COMPARE + 1),
        Infix::Colon => (9, 10),
        Infix::Tag => (30, 31),
        Infix::Beside | Infix::Arc | Infix::Line => (0, 0),
    }
}

impl Builder<'_> {
    /// Builds any of the rules for expressions.
    pub(super) fn expr(&mut self, pair: Pair<'_, Rule>) -> Build<Expr> {
        let (expr, depth) = self.deep(pair)?;
        self.seen = self.seen.max(depth);
        Ok(expr)
    }

    /// Runs a step; returns its result and the depth of the expressions that it built through [`Builder::expr`].
    fn scoped<T>(&mut self, step: impl FnOnce(&mut Self) -> Build<T>) -> Build<(T, usize)> {
        let outside = std::mem::replace(&mut self.seen, 0);
        let out = step(self);
        let inside = std::mem::replace(&mut self.seen, outside);
        Ok((out?, inside))
    }

    pub(super) fn deep(&mut self, pair: Pair<'_, Rule>) -> Build<(Expr, usize)> {
        let flat = self.flat(pair)?;
        self.tree(flat)
    }

    /// The flat list of an expression or a chain.
    pub(super) fn flat(&mut self, pair: Pair<'_, Rule>) -> Build<Vec<Flat>> {
        let mut out = Vec::new();
        for part in pair.into_inner() {
            let span = self.span(&part);
            let rule = part.as_rule();
            let after_operand = matches!(out.last(), Some(Flat::Operand(..)));
            match rule {
                Rule::operand => {
                    let (expr, depth) = self.operand(part)?;
                    match self.in_entry.then(|| count_and_piece(&expr)).flatten() {
                        Some([count, piece]) => {
                            let beside = count.span.to(count.span);
                            out.push(Flat::Operand(count, 1));
                            out.push(Flat::Infix(Infix::Beside, beside));
                            out.push(Flat::Operand(piece, 1));
                        }
                        None => out.push(Flat::Operand(expr, depth)),
                    }
                }
                Rule::quantifier => {
                    let (quantifier, depth) = self.scoped(|b| b.quantifier(part))?;
                    let (quantifier, binders, condition) = quantifier;
                    out.push(Flat::Prefix(
                        Prefix::Quantifier(quantifier, binders, condition, depth + 1),
                        span,
                    ));
                }
                Rule::conditional => {
                    let mut depth = 1;
                    let mut parts = Vec::new();
                    let outside = std::mem::replace(&mut self.in_entry, false);
                    for inner in part.into_inner().filter(|p| p.as_rule() == Rule::expr) {
                        let (expr, d) = self.deep(inner)?;
                        depth = depth.max(d);
                        parts.push(expr);
                    }
                    self.in_entry = outside;
                    let mut parts = parts.into_iter();
                    let (Some(condition), Some(then)) = (parts.next(), parts.next()) else {
                        return Err(Box::new(
                            Diagnostic::error(Code::E0101, "a value is missing").at(span, ""),
                        ));
                    };
                    out.push(Flat::Prefix(Prefix::If(condition, then, depth), span));
                }
                Rule::kw_not if !after_operand => {
                    out.push(Flat::Prefix(Prefix::Sign(UnaryOp::Not), span))
                }
                Rule::minus if !after_operand => {
                    out.push(Flat::Prefix(Prefix::Sign(UnaryOp::Negative), span))
                }
                Rule::plus_minus if !after_operand => {
                    out.push(Flat::Prefix(Prefix::Sign(UnaryOp::PlusMinus), span));
                }
                // Read by the entry.
                Rule::entailed => {}
                Rule::colon if self.in_entry => out.push(Flat::Infix(Infix::Tag, span)),
                _ => match infix_of(rule) {
                    Some(infix) => out.push(Flat::Infix(infix, span)),
                    None => return self.unexpected(&part),
                },
            }
        }
        Ok(out)
    }

    /// Applies precedence to a flat list.
    pub(super) fn tree(&mut self, flat: Vec<Flat>) -> Build<(Expr, usize)> {
        let mut climb = Climb {
            input: flat.into_iter().peekable(),
        };
        let out = climb.expr(0, 0)?;
        match climb.input.next() {
            None => Ok(out),
            Some(rest) => Err(Box::new(
                Diagnostic::error(Code::E0101, "this cannot follow here").at(rest.span(), ""),
            )),
        }
    }

    fn quantifier(
        &mut self,
        pair: Pair<'_, Rule>,
    ) -> Build<(Quantifier, Vec<Binder>, Option<Expr>)> {
        let mut quantifier = Quantifier::All;
        let mut binders = Vec::new();
        let mut condition = None;
        for part in pair.into_inner() {
            match part.as_rule() {
                Rule::kw_all => quantifier = Quantifier::All,
                Rule::kw_some => quantifier = Quantifier::Some,
                Rule::kw_no => quantifier = Quantifier::No,
                Rule::binders => binders = self.binders(part)?,
                Rule::plain_conditions => condition = Some(self.joined(part)?),
                _ => {}
            }
        }
        Ok((quantifier, binders, condition))
    }

    pub(super) fn operand(&mut self, pair: Pair<'_, Rule>) -> Build<(Expr, usize)> {
        let span = self.span(&pair);
        let ((expr, depth), inside) = self.scoped(|b| b.operand_here(pair))?;
        if inside + 2 > depth {
            return Ok((expr, deeper(inside + 1, span)?));
        }
        Ok((expr, depth))
    }

    fn operand_here(&mut self, pair: Pair<'_, Rule>) -> Build<(Expr, usize)> {
        let start = self.span(&pair);
        let mut out: Option<(Expr, usize)> = None;
        for part in pair.into_inner() {
            let span = self.span(&part);
            out = Some(match (part.as_rule(), out.take()) {
                (Rule::bracket, Some((expr, depth))) => {
                    let mut entries = Vec::new();
                    for inner in part.into_inner().filter(|p| p.as_rule() == Rule::entries) {
                        entries = self.entries(inner)?;
                    }
                    let whole = start.to(span);
                    (
                        node(whole, ExprKind::Bracket(expr, entries)),
                        deeper(depth.max(4), whole)?,
                    )
                }
                (Rule::tiny, _) => self.tiny(part)?,
                (Rule::compact, _) => self.compact(part)?,
                (Rule::integer, _) => (node(span, ExprKind::Integer(self.integer(&part)?)), 1),
                (Rule::string, _) => (node(span, ExprKind::Text(self.text(&part))), 1),
                (Rule::named, _) => self.named(part)?,
                (Rule::paren, _) => self.paren(part)?,
                (Rule::list, _) => self.list(part)?,
                (Rule::braces, _) => self.braces(part)?,
                _ => return self.unexpected(&part),
            });
        }
        out.ok_or_else(|| {
            Box::new(Diagnostic::error(Code::E0101, "a value is missing").at(start, ""))
        })
    }

    /// `⧾_2`, `+_2`, `⧿_2`: as `Tiny(2)`, `Miny(2)`.
    fn tiny(&mut self, pair: Pair<'_, Rule>) -> Build<(Expr, usize)> {
        let span = self.span(&pair);
        let mut name = Ident::new("Tiny", span);
        let mut argument = None;
        for part in pair.into_inner() {
            let here = self.span(&part);
            match part.as_rule() {
                Rule::tiny_sign => {
                    let miny = part.as_str().starts_with(['⧿', '-']);
                    name = Ident::new(if miny { "Miny" } else { "Tiny" }, here);
                }
                Rule::tiny_number => {
                    let number = |slice: &str| {
                        node(here, ExprKind::Integer(slice.parse().unwrap_or_default()))
                    };
                    argument = Some(match part.as_str().split_once('/') {
                        None => (number(part.as_str()), 1),
                        Some((top, bottom)) => (
                            node(
                                here,
                                ExprKind::Binary(BinaryOp::Slash, number(top), number(bottom)),
                            ),
                            2,
                        ),
                    });
                }
                Rule::paren => argument = Some(self.paren(part)?),
                Rule::braces => argument = Some(self.braces(part)?),
                _ => return self.unexpected(&part),
            }
        }
        let Some((value, depth)) = argument else {
            return Err(Box::new(
                Diagnostic::error(Code::E0101, "tiny of what?").at(span, ""),
            ));
        };
        let call = ExprKind::Call(name, vec![Argument { name: None, value }]);
        Ok((node(span, call), deeper(depth, span)?))
    }

    /// A name and the part attached to it: arguments, a board in braces, an encoded graph.
    pub(super) fn named(&mut self, pair: Pair<'_, Rule>) -> Build<(Expr, usize)> {
        let span = self.span(&pair);
        let mut name: Option<Ident> = None;
        for mut part in pair.into_inner() {
            if part.as_rule() == Rule::call_in_star {
                part = items::first(part, Rule::call)?;
            }
            match (part.as_rule(), name.take()) {
                (Rule::path | Rule::name, None) => name = Some(self.ident(&part)),
                (Rule::infinity, None) => name = Some(Ident::new("oo", self.span(&part))),
                (Rule::call, Some(name)) => return self.call(name, part, span),
                (Rule::knot, Some(name)) => {
                    let outside = std::mem::replace(&mut self.in_entry, false);
                    let mut found = None;
                    for inner in part.into_inner().filter(|p| p.as_rule() == Rule::game) {
                        found = Some(self.game(inner, span)?);
                    }
                    self.in_entry = outside;
                    return match found {
                        Some((ExprKind::Braces(left, right), depth)) => Ok((
                            node(span, ExprKind::Knot(name, left, right)),
                            deeper(depth, span)?,
                        )),
                        _ => Err(Box::new(
                            Diagnostic::error(Code::E0101, "a game with a label has a bar")
                                .at(span, ""),
                        )),
                    };
                }
                (Rule::board, Some(name)) => {
                    let mut entries = Vec::new();
                    for inner in part.into_inner().filter(|p| p.as_rule() == Rule::entries) {
                        entries = self.entries(inner)?;
                    }
                    return Ok((node(span, ExprKind::Board(name, entries)), 4));
                }
                (Rule::string, Some(name)) => {
                    let text: Text = self.text(&part);
                    return Ok((node(span, ExprKind::Encoded(name, text)), 1));
                }
                _ => return self.unexpected(&part),
            }
        }
        match name {
            Some(name) => Ok((node(name.span, ExprKind::Name(name)), 1)),
            None => Err(Box::new(
                Diagnostic::error(Code::E0101, "a name is missing").at(span, ""),
            )),
        }
    }

    fn call(&mut self, name: Ident, pair: Pair<'_, Rule>, span: Span) -> Build<(Expr, usize)> {
        let outside = std::mem::replace(&mut self.in_entry, false);
        let mut depth = 1;
        let mut arguments = Vec::new();
        let mut fold = None;
        for part in pair.into_inner() {
            match part.as_rule() {
                Rule::argument => {
                    let here = self.span(&part);
                    let mut label = None;
                    let mut values = Vec::new();
                    for inner in part.into_inner() {
                        match inner.as_rule() {
                            Rule::arg_name => {
                                label = inner.into_inner().next().map(|p| self.ident(&p));
                            }
                            Rule::arrow => depth = depth.max(2),
                            _ => {
                                let (value, d) = self.deep(inner)?;
                                depth = depth.max(d + values.len());
                                values.push(value);
                            }
                        }
                    }
                    let mut values = values.into_iter();
                    let value = match (values.next(), values.next()) {
                        (Some(tail), Some(head)) => {
                            node(here, ExprKind::Binary(BinaryOp::Arc, tail, head))
                        }
                        (Some(value), None) => value,
                        (None, _) => continue,
                    };
                    arguments.push(Argument { name: label, value });
                }
                Rule::comprehension => fold = Some(self.comprehension(part)?),
                _ => {}
            }
        }
        self.in_entry = outside;
        let depth = deeper(depth, span)?;
        let kind = match fold {
            None => ExprKind::Call(name, arguments),
            Some((binders, condition)) => {
                let mut only = arguments.into_iter();
                match (only.next(), only.next()) {
                    (Some(Argument { name: None, value }), None) => {
                        ExprKind::Fold(name, value, binders, condition)
                    }
                    _ => {
                        return Err(Box::new(
                            Diagnostic::error(
                                Code::E0101,
                                "one expression must stand before `for`",
                            )
                            .at(span, "several are here")
                            .help("write a list of tuples: [(a, b) for ..]"),
                        ));
                    }
                }
            }
        };
        Ok((node(span, kind), depth))
    }

    pub(super) fn comprehension(
        &mut self,
        pair: Pair<'_, Rule>,
    ) -> Build<(Vec<Binder>, Option<Expr>)> {
        let mut binders = Vec::new();
        let mut condition = None;
        for part in pair.into_inner() {
            match part.as_rule() {
                Rule::binders => binders = self.binders(part)?,
                Rule::conditions | Rule::plain_conditions => condition = Some(self.joined(part)?),
                _ => {}
            }
        }
        Ok((binders, condition))
    }

    /// Conditions joined by commas into one expression.
    pub(super) fn joined(&mut self, pair: Pair<'_, Rule>) -> Build<Expr> {
        let span = self.span(&pair);
        comma(self.conditions(pair)?, span)
    }

    /// `(E)` or a tuple.
    pub(super) fn paren(&mut self, pair: Pair<'_, Rule>) -> Build<(Expr, usize)> {
        let span = self.span(&pair);
        let mut depth = 1;
        let mut parts = Vec::new();
        for part in pair.into_inner().filter(|p| p.as_rule() == Rule::expr) {
            let (expr, d) = self.deep(part)?;
            depth = depth.max(d);
            parts.push(expr);
        }
        let depth = deeper(depth, span)?;
        let kind = match (parts.len(), parts.pop()) {
            (1, Some(only)) => ExprKind::Paren(only),
            (_, last) => {
                parts.extend(last);
                ExprKind::Tuple(parts)
            }
        };
        Ok((node(span, kind), depth))
    }

    fn list(&mut self, pair: Pair<'_, Rule>) -> Build<(Expr, usize)> {
        let outside = std::mem::replace(&mut self.in_entry, false);
        let span = self.span(&pair);
        let mut depth = 1;
        let mut parts = Vec::new();
        let mut fold = None;
        for part in pair.into_inner() {
            match part.as_rule() {
                Rule::cut => match self.take_cut(&part) {
                    Some(Cut::List(list)) => {
                        depth = 3;
                        parts = list;
                    }
                    _ => return self.unexpected(&part),
                },
                Rule::expr => {
                    let (expr, d) = self.deep(part)?;
                    depth = depth.max(d);
                    parts.push(expr);
                }
                Rule::comprehension => fold = Some(self.comprehension(part)?),
                _ => {}
            }
        }
        self.in_entry = outside;
        let depth = deeper(depth, span)?;
        let kind = match fold {
            None => ExprKind::List(parts),
            Some((binders, condition)) => {
                ExprKind::ListFor(only_one(parts, span)?, binders, condition)
            }
        };
        Ok((node(span, kind), depth))
    }

    /// Sets, comprehensions and games.
    fn braces(&mut self, pair: Pair<'_, Rule>) -> Build<(Expr, usize)> {
        let outside = std::mem::replace(&mut self.in_entry, false);
        let span = self.span(&pair);
        let mut depth = 1;
        let mut out = None;
        for part in pair.into_inner() {
            match part.as_rule() {
                Rule::set_that => {
                    let mut binders = Vec::new();
                    let mut phi = Vec::new();
                    for inner in part.into_inner() {
                        match inner.as_rule() {
                            Rule::binders => binders = self.binders(inner)?,
                            Rule::plain_conditions | Rule::conditions => {
                                phi.extend(self.conditions(inner)?)
                            }
                            _ => {}
                        }
                    }
                    let phi = comma(phi, span)?;
                    depth = 2;
                    out = Some(ExprKind::SetThat(binders, phi));
                }
                Rule::game => {
                    let (kind, d) = self.game(part, span)?;
                    depth = d;
                    out = Some(kind);
                }
                _ => {}
            }
        }
        self.in_entry = outside;
        let depth = deeper(depth, span)?;
        Ok((
            node(span, out.unwrap_or_else(|| ExprKind::Set(Vec::new()))),
            depth,
        ))
    }

    fn game(&mut self, pair: Pair<'_, Rule>, span: Span) -> Build<(ExprKind, usize)> {
        let mut depth = 1;
        let mut sides: Vec<Vec<Expr>> = Vec::new();
        let mut bars: Vec<(usize, Span)> = Vec::new();
        let mut fold = None;
        for part in pair.into_inner() {
            match part.as_rule() {
                Rule::side => {
                    let mut side = Vec::new();
                    for inner in part.into_inner().filter(|p| p.as_rule() == Rule::expr) {
                        let (expr, d) = self.deep(inner)?;
                        depth = depth.max(d);
                        side.push(expr);
                    }
                    sides.push(side);
                }
                Rule::bars => {
                    let width = part
                        .as_str()
                        .chars()
                        .map(|c| if c == '‖' { 2 } else { 1 })
                        .sum();
                    bars.push((width, self.span(&part)));
                }
                Rule::comprehension => fold = Some(self.comprehension(part)?),
                _ => {}
            }
        }
        if bars.is_empty() {
            let only = sides.pop().unwrap_or_default();
            let kind = match fold {
                None => ExprKind::Set(only),
                Some((binders, condition)) => {
                    ExprKind::SetFor(only_one(only, span)?, binders, condition)
                }
            };
            return Ok((kind, depth));
        }
        if fold.is_some() {
            return Err(Box::new(
                Diagnostic::error(
                    Code::E0114,
                    "a game's options cannot be ranged over by `for`",
                )
                .at(span, "this has bars and a `for`"),
            ));
        }
        let (left, right) = nest(sides, &bars)?;
        Ok((
            ExprKind::Braces(left, right),
            deeper(depth + bars.len().min(MAX_DEPTH), span)?,
        ))
    }
}

/// In a board `2on` is two pieces named `on`.
fn count_and_piece(e: &Expr) -> Option<[Expr; 2]> {
    let ExprKind::Compact(Compact {
        number: Some((count, below)),
        word: Some(word),
        star: None,
        ..
    }) = &*e.kind
    else {
        return None;
    };
    let place = Span {
        end: word.span.start,
        ..e.span
    };
    (*below == 1.into()).then(|| {
        [
            node(place, ExprKind::Integer(count.clone())),
            node(word.span, ExprKind::Name(word.clone())),
        ]
    })
}

/// Splits at the longest bar, and each side again: `{1||0|-2}` is `{1|{0|-2}}`.
fn nest(mut sides: Vec<Vec<Expr>>, bars: &[(usize, Span)]) -> Build<(Vec<Expr>, Vec<Expr>)> {
    if bars.len() > MAX_DEPTH {
        return Err(too_deep(bars[0].1));
    }
    let longest = bars.iter().map(|b| b.0).max().unwrap_or(0);
    let mut at = bars.iter().enumerate().filter(|(_, b)| b.0 == longest);
    let (Some((i, first)), second) = (at.next(), at.next()) else {
        return Ok((sides.pop().unwrap_or_default(), Vec::new()));
    };
    if let Some((_, second)) = second {
        return Err(Box::new(
            Diagnostic::error(Code::E0114, "two bars of the same length: which one parts Left from Right?")
                .at(second.1, "the second")
                .at(first.1, "the first")
                .help("make the outer bar longer, `{1||0|-2}`, or write the inner game in braces, `{1|{0|-2}}`"),
        ));
    }
    let after = sides.split_off((i + 1).min(sides.len()));
    Ok((side(sides, &bars[..i])?, side(after, &bars[i + 1..])?))
}

/// A side of a bar: options, or a game with shorter bars.
fn side(mut sides: Vec<Vec<Expr>>, bars: &[(usize, Span)]) -> Build<Vec<Expr>> {
    if bars.is_empty() {
        return Ok(sides.pop().unwrap_or_default());
    }
    let spans = sides.iter().flatten().map(|e| e.span);
    let span = spans.chain(bars.iter().map(|b| b.1)).reduce(Span::to);
    let (left, right) = nest(sides, bars)?;
    Ok(vec![node(
        span.unwrap_or_default(),
        ExprKind::Braces(left, right),
    )])
}

/// Conditions joined by commas into one expression.
fn comma(parts: Vec<Expr>, span: Span) -> Build<Expr> {
    let mut parts = parts.into_iter();
    let Some(mut out) = parts.next() else {
        return Err(Box::new(
            Diagnostic::error(Code::E0101, "a condition is missing").at(span, ""),
        ));
    };
    let mut depth = 1;
    for next in parts {
        depth = deeper(depth, span)?;
        let whole = out.span.to(next.span);
        out = node(whole, ExprKind::Binary(BinaryOp::Comma, out, next));
    }
    Ok(out)
}

fn only_one(parts: Vec<Expr>, span: Span) -> Build<Expr> {
    let mut parts = parts.into_iter();
    match (parts.next(), parts.next()) {
        (Some(one), None) => Ok(one),
        _ => Err(Box::new(
            Diagnostic::error(Code::E0101, "one expression must stand before `for`")
                .at(span, "here stand several, or none")
                .help("a tuple stands in parentheses: {(a, b) for ..}"),
        )),
    }
}

/// One level deeper, or an error at [`MAX_DEPTH`].
pub(super) fn deeper(depth: usize, span: Span) -> Build<usize> {
    if depth >= MAX_DEPTH {
        Err(too_deep(span))
    } else {
        Ok(depth + 1)
    }
}

fn too_deep(span: Span) -> Box<Diagnostic> {
    Box::new(
        Diagnostic::error(
            Code::E0107,
            format!("an expression more than {MAX_DEPTH} deep"),
        )
        .at(span, "a sum of n terms counts n")
        .help("give parts of it names with `let`, or use `sum(E for x in S)`"),
    )
}

/// Splits the second of two chained comparisons off: `1 <= k and k <= n`.
fn unchained(left: &Expr, second: Span) -> Option<Suggestion> {
    let ExprKind::Binary(_, first, middle) = &*left.kind else {
        return None;
    };
    let (a, b) = (print_expr(first), print_expr(middle));
    // Long expressions are better named.
    (b.len() <= 60).then(|| {
        Suggestion::before(
            second,
            format!("and {b} "),
            format!("compare twice: `{} and {b} ..`", joined(&a, left, &b)),
        )
        .safe()
    })
}

/// `a = 1 & b = 2`: `&` where `and` is meant.
fn joined_by_sides(left: &Expr) -> Option<Diagnostic> {
    let ExprKind::Binary(_, _, middle) = &*left.kind else {
        return None;
    };
    match &*middle.kind {
        ExprKind::Binary(BinaryOp::Sides, a, b) => Some(conditions_with_sides(a.span, b.span)),
        _ => None,
    }
}

/// The message for `&` between conditions.
pub(crate) fn conditions_with_sides(a: Span, b: Span) -> Diagnostic {
    let place = Span {
        start: a.end,
        end: b.start,
        ..a
    };
    Diagnostic::error(Code::E0106, "`&` does not join conditions")
        .at(place, "")
        .suggest(
            Suggestion::between(
                a,
                b,
                "&",
                "and",
                "conditions are joined by `and`, or by a comma; `S & T` is a loopy value",
            )
            .safe(),
        )
}

/// The first of two comparisons as written.
fn joined(a: &str, left: &Expr, b: &str) -> String {
    let sign = match &*left.kind {
        ExprKind::Binary(op, ..) => crate::syntax::printer::sign(*op),
        _ => "",
    };
    format!("{a} {sign} {b}")
}

/// Precedence climbing over a flat list.
struct Climb {
    input: std::iter::Peekable<std::vec::IntoIter<Flat>>,
}

impl Climb {
    /// Reads an expression of operators tighter than `least`. `level` counts the recursion.
    fn expr(&mut self, least: u8, level: usize) -> Build<(Expr, usize)> {
        if level >= MAX_DEPTH {
            let span = self.input.peek().map_or_else(Span::default, Flat::span);
            return Err(too_deep(span));
        }
        let (mut left, mut depth) = match self.input.next() {
            Some(Flat::Operand(expr, depth)) => (expr, depth),
            Some(Flat::Prefix(prefix, span)) => {
                let least = match &prefix {
                    Prefix::Sign(UnaryOp::Not) => NOT,
                    Prefix::Sign(_) => PREFIX,
                    Prefix::Quantifier(..) | Prefix::If(..) => 0,
                };
                let (inner, depth) = self.expr(least, level + 1)?;
                let whole = span.to(inner.span);
                match prefix {
                    Prefix::Sign(op) => (
                        node(whole, ExprKind::Unary(op, inner)),
                        deeper(depth, whole)?,
                    ),
                    Prefix::Quantifier(quantifier, binders, condition, d) => (
                        node(
                            whole,
                            ExprKind::Quantifier(quantifier, binders, condition, inner),
                        ),
                        deeper(depth.max(d), whole)?,
                    ),
                    Prefix::If(condition, then, d) => (
                        node(whole, ExprKind::If(condition, then, inner)),
                        deeper(depth.max(d), whole)?,
                    ),
                }
            }
            Some(Flat::Infix(_, span)) => {
                return Err(Box::new(
                    Diagnostic::error(Code::E0101, "a value is missing before this sign")
                        .at(span, ""),
                ));
            }
            None => {
                return Err(Box::new(Diagnostic::error(
                    Code::E0101,
                    "a value is missing",
                )));
            }
        };
        let mut compared: Option<Span> = None;
        while let Some(Flat::Infix(infix, span)) = self.input.peek() {
            let (infix, span) = (*infix, *span);
            let (left_power, right_power) = binding(infix);
            if left_power < least || left_power == 0 {
                break;
            }
            if left_power == COMPARE {
                if let Some(first) = compared {
                    if let Some(joined) = joined_by_sides(&left) {
                        return Err(Box::new(joined));
                    }
                    return Err(Box::new(
                        Diagnostic::error(Code::E0115, "comparisons do not chain")
                            .at(span, "the second comparison")
                            .at(first, "the first")
                            .suggest_if(unchained(&left, span))
                            .note("a number from a range is chosen by `k in 1..n`"),
                    ));
                }
                compared = Some(span);
            }
            self.input.next();
            let (right, d) = self.expr(right_power, level + 1)?;
            let whole = left.span.to(right.span);
            depth = deeper(depth.max(d), whole)?;
            let kind = match infix {
                Infix::Binary(op) => ExprKind::Binary(op, left, right),
                Infix::NotIn => {
                    depth = deeper(depth, whole)?;
                    ExprKind::Unary(
                        UnaryOp::Not,
                        node(whole, ExprKind::Binary(BinaryOp::In, left, right)),
                    )
                }
                _ => ExprKind::Colon(left, right),
            };
            left = node(whole, kind);
            if least > COMPARE {
                compared = None;
            }
        }
        Ok((left, depth))
    }
}
