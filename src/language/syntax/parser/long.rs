//! Prepares an item's text for pest: long plain brackets (edge lists of 100,000 edges, heaps) are read from the tokens
//! and cut out. The resulting trees are the same as pest would give; a test reads examples both ways.
//!
//! Plain elements are names, integers, strings, `c[1]`, tuples of these, links and labels between them, `a:x`. A bracket
//! with anything else in it is left to pest.

use super::value::text_value;
use super::{Cut, ItemSource, node};
use crate::base::{Ident, Span};
use crate::syntax::ast::{Entry, Expr, ExprKind, Link, Node, Tag};
use crate::syntax::lexer::{Token, TokenKind, is_label};
use std::borrow::Cow;

/// Brackets of fewer tokens are left to pest.
const LONG: usize = 64;

/// An item as passed to pest.
pub(super) struct Prepared<'a> {
    pub(super) text: Cow<'a, str>,
    pub(super) map: Vec<(usize, usize)>,
    pub(super) cuts: Vec<(usize, Option<Cut>)>,
}

/// The item with nothing cut out.
pub(super) fn whole<'a>(source: &ItemSource<'a>) -> Prepared<'a> {
    whole_with(source, &knots(source))
}

fn whole_with<'a>(source: &ItemSource<'a>, knots: &[u32]) -> Prepared<'a> {
    let range = source.range();
    Prepared {
        map: vec![(0, range.start)],
        text: marked(source, knots, range),
        cuts: Vec::new(),
    }
}

/// Where the braces of labelled games open: braces that directly follow a label and contain a bar, so that they are no
/// boards.
fn knots(source: &ItemSource<'_>) -> Vec<u32> {
    let mut found = Vec::new();
    // The open brackets: the place, whether a label precedes it, and whether it contains a bar.
    let mut open: Vec<(u32, bool, bool)> = Vec::new();
    let mut label_ends = None;
    for token in source.tokens {
        let slice = source.slice(*token);
        match token.kind {
            TokenKind::OpenBracket => {
                let labelled = slice == "{" && label_ends == Some(token.start);
                open.push((token.start, labelled, false));
            }
            TokenKind::CloseBracket => {
                if let Some((at, true, true)) = open.pop() {
                    found.push(at);
                }
            }
            TokenKind::Sign if slice.starts_with(['|', '‖']) => {
                if let Some(bracket) = open.last_mut() {
                    bracket.2 = true;
                }
            }
            _ => {}
        }
        label_ends = (token.kind == TokenKind::Name && is_label(slice)).then_some(token.end);
    }
    found.sort_unstable();
    found
}

/// A part of the text in which `if` and `else` (where they are keywords) and the braces of labelled games are replaced by
/// marks of the same length.
fn marked<'a>(
    source: &ItemSource<'a>,
    knots: &[u32],
    range: std::ops::Range<usize>,
) -> Cow<'a, str> {
    let mut out = String::new();
    let mut copied = range.start;
    let from = source
        .tokens
        .partition_point(|t| (t.start as usize) < range.start);
    for token in &source.tokens[from..] {
        if token.end as usize > range.end {
            break;
        }
        let mark = match source.slice(*token) {
            "if" if token.kind == TokenKind::Keyword => "\u{2}\u{2}",
            "else" if token.kind == TokenKind::Keyword => "\u{3}\u{3}\u{3}\u{3}",
            "{" if knots.binary_search(&token.start).is_ok() => "\u{4}",
            _ => continue,
        };
        out.push_str(&source.text[copied..token.start as usize]);
        out.push_str(mark);
        copied = token.end as usize;
    }
    if copied == range.start {
        return Cow::Borrowed(&source.text[range]);
    }
    out.push_str(&source.text[copied..range.end]);
    Cow::Owned(out)
}

/// The item with long plain brackets cut out.
pub(super) fn prepare<'a>(source: &ItemSource<'a>) -> Prepared<'a> {
    prepare_above(source, LONG)
}

/// The item with plain brackets of at least `long` tokens cut out.
pub(super) fn prepare_above<'a>(source: &ItemSource<'a>, long: usize) -> Prepared<'a> {
    let tokens: Vec<Token> = source.significant().collect();
    if tokens.len() < long {
        return whole(source);
    }
    let mut partner = vec![0; tokens.len()];
    let mut open = Vec::new();
    for (i, token) in tokens.iter().enumerate() {
        match token.kind {
            TokenKind::OpenBracket => open.push(i),
            TokenKind::CloseBracket => {
                if let Some(from) = open.pop() {
                    partner[from] = i;
                }
            }
            _ => {}
        }
    }
    let knots = knots(source);
    let mut out = whole_with(source, &knots);
    let range = source.range();
    let mut text = String::new();
    let mut copied = range.start;
    let mut i = 1;
    while i < tokens.len() {
        let close = partner[i];
        if close > i + long {
            let mut reader = Reader {
                source,
                tokens: &tokens[i + 1..close],
                at: 0,
            };
            let before = tokens[i - 1];
            let after_operand =
                before.kind == TokenKind::Name || matches!(source.slice(before), ")" | "]");
            let read = match source.slice(tokens[i]) {
                "[" if after_operand => reader.entries().map(Cut::Entries),
                "{" if before.kind == TokenKind::Name => reader.entries().map(Cut::Entries),
                "[" => reader.list().map(Cut::List),
                _ => None,
            };
            if let Some(cut) = read {
                let end = tokens[i].end as usize;
                text.push_str(&marked(source, &knots, copied..end));
                out.cuts.push((text.len(), Some(cut)));
                out.map.push((text.len(), end));
                text.push('\u{1}');
                copied = tokens[close].start as usize;
                out.map.push((text.len(), copied));
                i = close;
            }
        }
        i += 1;
    }
    if !out.cuts.is_empty() {
        text.push_str(&marked(source, &knots, copied..range.end));
        out.text = Cow::Owned(text);
    }
    out
}

struct Reader<'a, 'b> {
    source: &'b ItemSource<'a>,
    tokens: &'b [Token],
    at: usize,
}

impl<'a> Reader<'a, '_> {
    fn peek(&self) -> Option<Token> {
        self.tokens.get(self.at).copied()
    }

    fn slice_at(&self, at: usize) -> &'a str {
        self.tokens.get(at).map_or("", |t| self.source.slice(*t))
    }

    fn span(&self, from: usize) -> Span {
        self.source
            .span_of(self.tokens[from])
            .to(self.source.span_of(self.tokens[self.at - 1]))
    }

    fn ident(&self, token: Token) -> Ident {
        Ident::new(self.source.slice(token), self.source.span_of(token))
    }

    /// Whether a token touches the next one.
    fn glued(&self, at: usize) -> bool {
        match (self.tokens.get(at), self.tokens.get(at + 1)) {
            (Some(a), Some(b)) => a.end == b.start,
            _ => false,
        }
    }

    fn entries(&mut self) -> Option<Vec<Entry>> {
        let mut out = Vec::new();
        loop {
            out.push(self.entry()?);
            match self.slice_at(self.at) {
                "" => return Some(out),
                "," | ";" => self.at += 1,
                _ => return None,
            }
            if self.at == self.tokens.len() {
                return Some(out);
            }
        }
    }

    fn list(&mut self) -> Option<Vec<Expr>> {
        let mut out = Vec::new();
        loop {
            out.push(self.operand()?);
            match self.slice_at(self.at) {
                "" => return Some(out),
                "," => self.at += 1,
                _ => return None,
            }
        }
    }

    fn entry(&mut self) -> Option<Entry> {
        let from = self.at;
        let first = self.node()?;
        // Nearly all entries have at most one link, and there may be many entries.
        let mut links = Vec::with_capacity(1);
        while let Some(token) = self.peek() {
            let span = self.source.span_of(token);
            let link = match self.source.slice(token) {
                "->" | "→" | "⟶" => Link::Arc(span),
                "--" | "—" => Link::Line(span),
                "<" | "≺" => Link::Below(span),
                ">" | "≻" => Link::Above(span),
                "-" if self.glued(self.at)
                    && self.glued(self.at + 1)
                    && matches!(self.slice_at(self.at + 2), "-" | "->" | "→" | "⟶") =>
                {
                    let after = self.tokens[self.at + 2].end as usize;
                    if !super::entries::blank_at(self.source.text, after) {
                        return None;
                    }
                    let label = self.tokens[self.at + 1];
                    let kind = match label.kind {
                        TokenKind::Name => ExprKind::Name(self.ident(label)),
                        TokenKind::Integer => {
                            ExprKind::Integer(self.source.slice(label).parse().ok()?)
                        }
                        _ => return None,
                    };
                    self.at += 2;
                    Link::Labelled(
                        node(self.source.span_of(label), kind),
                        span.to(self.source.span_of(self.tokens[self.at])),
                        self.slice_at(self.at) != "-",
                    )
                }
                "," | ";" => break,
                _ => return None,
            };
            self.at += 1;
            links.push((link, self.node()?));
        }
        Some(Entry {
            span: self.span(from),
            first,
            links,
            more: Vec::new(),
            binders: Vec::new(),
            condition: None,
        })
    }

    fn node(&mut self) -> Option<Node> {
        let expr = self.operand()?;
        let mut tag = None;
        if self.slice_at(self.at) == ":" {
            let piece = *self.tokens.get(self.at + 1)?;
            if !self.glued(self.at - 1) || !self.glued(self.at) || piece.kind != TokenKind::Name {
                return None;
            }
            self.at += 2;
            if !matches!(
                self.slice_at(self.at),
                "" | "," | ";" | "->" | "→" | "⟶" | "--" | "—" | "<" | "≺" | ">" | "≻"
            ) {
                return None;
            }
            tag = Some(Tag::Pieces(vec![(None, self.ident(piece))]));
        }
        Some(Node { expr, tag })
    }

    fn operand(&mut self) -> Option<Expr> {
        let from = self.at;
        let token = self.peek()?;
        self.at += 1;
        let kind = match token.kind {
            TokenKind::Integer => ExprKind::Integer(self.source.slice(token).parse().ok()?),
            TokenKind::Text | TokenKind::Art => ExprKind::Text(text_value(
                self.source.slice(token),
                self.source.span_of(token),
            )),
            TokenKind::Name => {
                let name = self.ident(token);
                match self.slice_at(self.at) {
                    "[" if self.slice_at(self.at + 2) == "]" => {
                        let whole = node(self.source.span_of(token), ExprKind::Name(name));
                        let index = self.tokens[self.at + 1];
                        if index.kind != TokenKind::Integer {
                            return None;
                        }
                        let span = self.source.span_of(index);
                        let index = node(
                            span,
                            ExprKind::Integer(self.source.slice(index).parse().ok()?),
                        );
                        self.at += 3;
                        ExprKind::Bracket(whole, vec![plain_entry(index)])
                    }
                    _ => ExprKind::Name(name),
                }
            }
            TokenKind::OpenBracket if self.source.slice(token) == "(" => {
                let mut parts = vec![self.scalar()?];
                while self.slice_at(self.at) == "," {
                    self.at += 1;
                    parts.push(self.scalar()?);
                }
                if self.slice_at(self.at) != ")" || parts.len() < 2 {
                    return None;
                }
                self.at += 1;
                ExprKind::Tuple(parts)
            }
            _ => return None,
        };
        // The next token must end the operand: no other sign, no bracket, no second operand.
        let next = self.slice_at(self.at);
        let ends = matches!(
            next,
            "" | "," | ";" | "->" | "→" | "⟶" | "--" | "—" | "<" | "≺" | ">" | "≻" | ":" | "-"
        );
        if !ends {
            return None;
        }
        Some(node(self.span(from), kind))
    }

    fn scalar(&mut self) -> Option<Expr> {
        let token = self.peek()?;
        let kind = match token.kind {
            TokenKind::Integer => ExprKind::Integer(self.source.slice(token).parse().ok()?),
            TokenKind::Name => ExprKind::Name(self.ident(token)),
            _ => return None,
        };
        self.at += 1;
        matches!(self.slice_at(self.at), "," | ")").then(|| node(self.source.span_of(token), kind))
    }
}

/// An entry that is one expression.
pub(super) fn plain_entry(expr: Expr) -> Entry {
    Entry {
        span: expr.span,
        first: Node { expr, tag: None },
        links: Vec::new(),
        more: Vec::new(),
        binders: Vec::new(),
        condition: None,
    }
}
