//! Reads literals: strings with their escapes, integers, and numbers with ups and star.

use super::{Build, Builder, Rule, node};
use crate::base::Span;
use crate::diagnostic::{Code, Diagnostic};
use crate::syntax::ast::{Compact, Expr, ExprKind, StarNote, Text, UpCount, Ups};
use cgdsl_grammar::pest::iterators::Pair;
use num_bigint::BigInt;

/// The contents of a string in quotes: `\"` and `\\` resolved, line ends as `\n`. In art only line ends are changed.
pub(super) fn text_value(slice: &str, span: Span) -> Text {
    let art = slice.len() >= 6 && slice.starts_with("\"\"\"");
    let cut = if art { 3 } else { 1 };
    let inner = slice
        .get(cut..slice.len().saturating_sub(cut))
        .unwrap_or("");
    let mut value = String::with_capacity(inner.len());
    let mut chars = inner.chars().peekable();
    while let Some(c) = chars.next() {
        match (c, chars.peek()) {
            ('\\', Some('"' | '\\')) if !art => value.extend(chars.next()),
            ('\r', Some('\n')) => {}
            _ => value.push(c),
        }
    }
    Text {
        value: value.into(),
        span,
    }
}

impl Builder<'_> {
    pub(super) fn text(&self, pair: &Pair<'_, Rule>) -> Text {
        text_value(pair.as_str().trim_end(), self.span(pair))
    }

    pub(super) fn integer(&self, pair: &Pair<'_, Rule>) -> Build<BigInt> {
        match pair.as_str().trim_end().parse() {
            Ok(n) => Ok(n),
            Err(_) => self.unexpected(pair),
        }
    }

    /// Number, ups and star written without blanks.
    pub(super) fn compact(&mut self, pair: Pair<'_, Rule>) -> Build<(Expr, usize)> {
        let span = self.span(&pair);
        let mut depth = 1;
        let mut out = Compact {
            number: None,
            word: None,
            up: None,
            star: None,
        };
        for part in pair.into_inner() {
            match part.as_rule() {
                Rule::number => {
                    let mut parts = part.into_inner();
                    let mut next = || parts.next().map(|p| self.integer(&p)).transpose();
                    let top = next()?.unwrap_or_default();
                    let bottom = next()?.unwrap_or_else(|| 1.into());
                    out.number = Some((top, bottom));
                }
                Rule::loopy_word => out.word = Some(self.ident(&part)),
                Rule::lone_star => out.star = Some(StarNote::Star),
                Rule::dotted => {
                    let mut inner = part.into_inner();
                    let (Some(times), Some(sign)) = (inner.next(), inner.next()) else {
                        continue;
                    };
                    let times = self.integer(&times)? * arrows(sign.as_str());
                    out.up = Some(Ups {
                        down: is_down(sign.as_str()),
                        count: UpCount::Times(times),
                    });
                }
                Rule::ups | Rule::free_ups | Rule::down | Rule::down_to => {
                    out.up = Some(self.ups(part)?)
                }
                Rule::star | Rule::free_star => {
                    let (star, d) = self.star(part)?;
                    depth = depth.max(d + 1);
                    out.star = Some(star);
                }
                _ => return self.unexpected(&part),
            }
        }
        Ok((node(span, ExprKind::Compact(out)), depth))
    }

    fn ups(&mut self, pair: Pair<'_, Rule>) -> Build<Ups> {
        let slice = pair.as_str();
        // `ups` holds one of the forms below; `down` may occur by itself.
        let form = match pair.as_rule() {
            Rule::ups | Rule::free_ups => pair.clone().into_inner().next(),
            _ => Some(pair.clone()),
        };
        let Some(form) = form else {
            return self.unexpected(&pair);
        };
        let rule = form.as_rule();
        let number = form
            .clone()
            .into_inner()
            .find(|p| p.as_rule() == Rule::integer);
        let number = number.map(|n| self.integer(&n)).transpose()?;
        let on = form
            .clone()
            .into_inner()
            .any(|p| p.as_rule() == Rule::order_on);
        let count = match (rule, number) {
            (Rule::up_pow, None) if on => UpCount::PowOn,
            (Rule::up_to | Rule::down_to, None) => UpCount::PowToOn,
            (Rule::up_pow, Some(n)) => UpCount::Pow(n),
            (Rule::up_pow, None) => UpCount::Pow(superscript(form.as_str())),
            (Rule::up_to | Rule::down_to, Some(n)) => UpCount::PowTo(n),
            (Rule::up_times | Rule::up_times_free, Some(n)) => UpCount::Times(n),
            (Rule::down | Rule::down_sign, Some(n)) if arrows(slice) == 1 => UpCount::Times(n),
            (Rule::down | Rule::down_sign, Some(_)) => {
                return Err(Box::new(
                    Diagnostic::error(Code::E0113, "several arrows with a number after them")
                        .at(self.span(&pair), "")
                        .help("write `v3` for three downs, or `vvv`"),
                ));
            }
            _ => UpCount::Arrows(arrows(slice)),
        };
        Ok(Ups {
            down: is_down(slice),
            count,
        })
    }

    fn star(&mut self, pair: Pair<'_, Rule>) -> Build<(StarNote, usize)> {
        for part in pair.into_inner() {
            let span = self.span(&part);
            match part.as_rule() {
                Rule::star_sign => {}
                Rule::integer => {
                    let n = self.integer(&part)?;
                    return Ok((StarNote::Of(node(span, ExprKind::Integer(n))), 1));
                }
                Rule::star_of => {
                    let Some(of) = part.into_inner().next() else {
                        continue;
                    };
                    let (expr, depth) = match of.as_rule() {
                        Rule::star_call => self.named(of)?,
                        Rule::paren => self.paren(of)?,
                        _ => (node(span, ExprKind::Name(self.ident(&of))), 1),
                    };
                    return Ok((StarNote::Of(expr), depth));
                }
                _ => return self.unexpected(&part),
            }
        }
        Ok((StarNote::Star, 0))
    }
}

fn is_down(slice: &str) -> bool {
    slice.starts_with(['v', '↓', '⇓', '⤋'])
}

/// The number of arrows in a run of signs: `⇑` counts two, `⤊` three.
fn arrows(slice: &str) -> u32 {
    let count = slice.chars().map(|c| match c {
        '^' | '↑' | 'v' | '↓' => 1u32,
        '⇑' | '⇓' => 2,
        '⤊' | '⤋' => 3,
        _ => 0,
    });
    count.fold(0, u32::saturating_add)
}

fn superscript(slice: &str) -> BigInt {
    const DIGITS: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    let digits: String = slice
        .chars()
        .filter_map(|c| DIGITS.iter().position(|d| *d == c))
        .map(|d| char::from(b'0' + u8::try_from(d).unwrap_or(0)))
        .collect();
    digits.parse().unwrap_or_default()
}
