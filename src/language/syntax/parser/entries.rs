//! Turns the chains of a board's bracket, flat lists of operands and signs, into entries. The meaning of `-` and `:`
//! depends on the blanks around them:
//!
//! - `u -b- v` is an edge with the label b, `u -b-> v` an arc, `n-k-a` a difference: a label touches both its dashes, and
//!   a blank follows the second;
//! - `B:x` without blanks is a piece on B, and binds tighter than any sign; `m: k + 1` with a blank is a field and its
//!   value.

use super::expr::{Flat, Infix, Prefix};
use super::{Build, Builder, Cut, Rule, node};
use crate::base::{Ident, Span};
use crate::diagnostic::{Code, Diagnostic, Suggestion};
use crate::syntax::ast::{BinaryOp, Binder, Entry, Expr, ExprKind, Link, Node, Tag, UnaryOp};
use cgdsl_grammar::pest::iterators::Pair;

/// Whether there is a blank, a comment or the end of the text at a place.
pub(super) fn blank_at(text: &str, at: usize) -> bool {
    text.get(at..).is_none_or(|rest| {
        rest.is_empty()
            || rest.starts_with([' ', '\t', '\r', '\n', '\u{a0}'])
            || rest.starts_with("//")
    })
}

/// A chain: nodes and the links between them.
struct Chain {
    span: Span,
    first: Node,
    links: Vec<(Link, Node)>,
}

impl Builder<'_> {
    pub(super) fn entries(&mut self, pair: Pair<'_, Rule>) -> Build<Vec<Entry>> {
        let outside = std::mem::replace(&mut self.in_entry, true);
        let mut out = Vec::new();
        for part in pair.into_inner() {
            match part.as_rule() {
                Rule::cut => match self.take_cut(&part) {
                    Some(Cut::Entries(entries)) => out = entries,
                    _ => return self.unexpected(&part),
                },
                Rule::entry_group => self.entry_group(part, &mut out)?,
                _ => {}
            }
        }
        self.in_entry = outside;
        Ok(out)
    }

    fn entry_group(&mut self, pair: Pair<'_, Rule>, out: &mut Vec<Entry>) -> Build<()> {
        let mut chains = Vec::new();
        let mut binders: Vec<Binder> = Vec::new();
        let mut condition: Option<Expr> = None;
        let whole = self.span(&pair);
        for part in pair.into_inner() {
            match part.as_rule() {
                Rule::chain => chains.push(self.chain(part)?),
                Rule::entry_for => {
                    self.in_entry = false;
                    for inner in part.into_inner().filter(|p| p.as_rule() == Rule::binders) {
                        binders = self.binders(inner)?;
                    }
                    self.in_entry = true;
                }
                Rule::entry_where => {
                    self.in_entry = false;
                    for inner in part
                        .into_inner()
                        .filter(|p| p.as_rule() == Rule::conditions)
                    {
                        condition = Some(self.joined(inner)?);
                    }
                    self.in_entry = true;
                }
                _ => {}
            }
        }
        let computed = !binders.is_empty() || condition.is_some();
        if computed && chains.len() > 1 && chains.iter().all(|c| c.links.is_empty()) {
            // `low(e), high(e) for e in ..`: one entry with several heads.
            let mut heads = chains.into_iter();
            if let Some(first) = heads.next() {
                out.push(Entry {
                    span: whole,
                    first: first.first,
                    links: Vec::new(),
                    more: heads.map(|c| c.first).collect(),
                    binders,
                    condition,
                });
            }
            return Ok(());
        }
        let single = chains.len() == 1;
        for chain in chains {
            out.push(Entry {
                span: if computed && single {
                    whole
                } else {
                    chain.span
                },
                first: chain.first,
                links: chain.links,
                more: Vec::new(),
                binders: binders.clone(),
                condition: condition.clone(),
            });
        }
        Ok(())
    }

    fn chain(&mut self, pair: Pair<'_, Rule>) -> Build<Chain> {
        let span = self.span(&pair);
        let mark = pair
            .clone()
            .into_inner()
            .find(|p| p.as_rule() == Rule::entailed)
            .map(|p| self.span(&p));
        let flat = self.flat(pair)?;
        let mut nodes: Vec<Vec<Flat>> = vec![Vec::new()];
        let mut links = Vec::new();
        let mut rest = flat.into_iter().peekable();
        let mut last_end = 0;
        while let Some(element) = rest.next() {
            let here = element.span();
            let link = match &element {
                Flat::Infix(Infix::Arc, span) => Some(Link::Arc(*span)),
                Flat::Infix(Infix::Line, span) => Some(Link::Line(*span)),
                Flat::Infix(Infix::Binary(BinaryOp::Less), span) => Some(Link::Below(*span)),
                Flat::Infix(Infix::Binary(BinaryOp::Greater), span) => Some(Link::Above(*span)),
                Flat::Infix(Infix::Binary(BinaryOp::Subtract), open)
                    if last_end < open.start
                        && rest
                            .peek()
                            .is_some_and(|next| next.span().start == open.end) =>
                {
                    match rest.next() {
                        Some(Flat::Operand(label, depth)) => {
                            let closes = matches!(
                                rest.peek(),
                                Some(Flat::Infix(Infix::Binary(BinaryOp::Subtract) | Infix::Arc, close))
                                    if close.start == label.span.end && blank_at(self.source.text, close.end as usize)
                            );
                            match closes.then(|| rest.next()).flatten() {
                                Some(close) => {
                                    self.seen = self.seen.max(depth);
                                    let arc = matches!(close, Flat::Infix(Infix::Arc, _));
                                    Some(Link::Labelled(label, open.to(close.span()), arc))
                                }
                                None => {
                                    last_end = label.span.end;
                                    if let Some(node) = nodes.last_mut() {
                                        node.push(element);
                                        node.push(Flat::Operand(label, depth));
                                    }
                                    continue;
                                }
                            }
                        }
                        Some(other) => {
                            last_end = other.span().end;
                            if let Some(node) = nodes.last_mut() {
                                node.push(element);
                                node.push(other);
                            }
                            continue;
                        }
                        None => None,
                    }
                }
                _ => None,
            };
            last_end = here.end;
            match link {
                Some(link) => {
                    links.push(link);
                    nodes.push(Vec::new());
                }
                None => {
                    if let Some(node) = nodes.last_mut() {
                        node.push(element);
                    }
                }
            }
        }
        let mut built = Vec::with_capacity(nodes.len());
        for flat in nodes {
            built.push(self.node(flat, span)?);
        }
        if let (Some(mark), Some(node)) = (mark, built.last_mut())
            && node.tag.replace(Tag::Entailed).is_some()
        {
            return Err(bad(mark, "`!` stands behind a heap"));
        }
        let mut built = built.into_iter();
        let Some(first) = built.next() else {
            return Err(bad(span, "an entry is missing"));
        };
        Ok(Chain {
            span,
            first,
            links: links.into_iter().zip(built).collect(),
        })
    }

    /// A node of a chain: an expression, optionally with pieces or a value after its colon.
    fn node(&mut self, mut flat: Vec<Flat>, chain: Span) -> Build<Node> {
        let mut from = 0;
        while let Some(colon) =
            (from..flat.len()).find(|i| matches!(flat[*i], Flat::Infix(Infix::Tag, _)))
        {
            let glued = glued(&flat, colon) && glued(&flat, colon + 1);
            let (pieces, end) = pieces(&flat, colon + 1);
            let ends_here = end == flat.len();
            let accepted =
                !pieces.is_empty() && (ends_here || glued && goes_on_after_pieces(&flat, end));
            if accepted && ends_here && colon == 1 {
                let tag = Tag::Pieces(self.take_pieces(&mut flat, colon + 1, &pieces)?);
                flat.truncate(1);
                let (expr, depth) = self.tree(flat)?;
                self.seen = self.seen.max(depth + 1);
                return Ok(Node {
                    expr,
                    tag: Some(tag),
                });
            }
            if accepted && glued {
                // `B:x` within a larger board: precedence climbing gives the colon its tight binding.
                if pieces.len() > 1 || pieces.iter().any(|p| p.0.is_some()) {
                    return Err(bad(
                        flat[colon].span().to(flat[end - 1].span()),
                        "counts stand on a single vertex only, not on a part of a board",
                    ));
                }
                from = end;
                continue;
            }
            // A field and its value.
            let value = flat.split_off(colon + 1);
            flat.pop();
            if flat.is_empty() || value.is_empty() {
                return Err(bad(chain, "something is missing beside the `:`"));
            }
            let (expr, depth) = self.tree(beside_none(flat)?)?;
            let (value, d) = self.tree(beside_none(value)?)?;
            self.seen = self.seen.max(depth + 1).max(d + 1);
            return Ok(Node {
                expr,
                tag: Some(Tag::Value(value)),
            });
        }
        if flat.is_empty() {
            return Err(bad(chain, "a node is missing beside a link"));
        }
        let (expr, depth) = self.tree(beside_none(flat)?)?;
        self.seen = self.seen.max(depth + 1);
        Ok(Node { expr, tag: None })
    }

    /// Takes the pieces that [`pieces`] found out of the list.
    fn take_pieces(
        &mut self,
        flat: &mut [Flat],
        from: usize,
        found: &[(Option<usize>, usize)],
    ) -> Build<Vec<(Option<Expr>, Ident)>> {
        let mut out = Vec::with_capacity(found.len());
        for (count, piece) in found {
            let count = count.and_then(|i| match flat.get_mut(i) {
                Some(Flat::Operand(expr, depth)) => {
                    self.seen = self.seen.max(*depth);
                    let empty = node(expr.span, ExprKind::List(Vec::new()));
                    Some(std::mem::replace(expr, empty))
                }
                _ => None,
            });
            match flat.get(*piece) {
                Some(Flat::Operand(expr, _)) => match &*expr.kind {
                    ExprKind::Name(name) => out.push((count, name.clone())),
                    _ => return Err(bad(expr.span, "this is not a piece")),
                },
                _ => return Err(bad(flat[from].span(), "this is not a piece")),
            }
        }
        Ok(out)
    }
}

/// Whether two neighbours touch.
fn glued(flat: &[Flat], second: usize) -> bool {
    match (
        second.checked_sub(1).and_then(|i| flat.get(i)),
        flat.get(second),
    ) {
        (Some(a), Some(b)) => a.span().end == b.span().start,
        _ => false,
    }
}

/// Reads `2b+1g` at `from`: for each piece the indices of its count and its name, and the index after the last. Without a
/// count, a further piece must not be separated by blanks: `a:x+y` is two pieces, `A:x + B` a sum of boards.
fn pieces(flat: &[Flat], from: usize) -> (Vec<(Option<usize>, usize)>, usize) {
    let is_name = |i: usize| matches!(flat.get(i), Some(Flat::Operand(e, _)) if matches!(&*e.kind, ExprKind::Name(_)));
    let is_count = |i: usize| matches!(flat.get(i), Some(Flat::Operand(e, _)) if matches!(&*e.kind, ExprKind::Integer(_) | ExprKind::Paren(_)));
    let mut out = Vec::new();
    let mut at = from;
    loop {
        let start = at;
        let item = if is_count(at)
            && matches!(flat.get(at + 1), Some(Flat::Infix(Infix::Beside, _)))
            && is_name(at + 2)
        {
            at += 3;
            (Some(start), start + 2)
        } else if is_name(at) && (out.is_empty() || glued(flat, at) && glued(flat, at - 1)) {
            at += 1;
            (None, start)
        } else {
            let end = if out.is_empty() { start } else { start - 1 };
            return (out, end);
        };
        out.push(item);
        if !matches!(
            flat.get(at),
            Some(Flat::Infix(Infix::Binary(BinaryOp::Add), _))
        ) {
            return (out, at);
        }
        at += 1;
    }
}

/// Whether the part after the pieces belongs to the board around them: `A:x / B`, `A:x + B`, but not `m:k+1`.
fn goes_on_after_pieces(flat: &[Flat], end: usize) -> bool {
    match flat.get(end) {
        Some(Flat::Infix(Infix::Binary(BinaryOp::Slash), _)) => true,
        Some(Flat::Infix(Infix::Binary(_), _)) => !glued(flat, end),
        _ => false,
    }
}

/// Rejects two adjacent operands that are not a count and a piece.
fn beside_none(flat: Vec<Flat>) -> Build<Vec<Flat>> {
    for (i, element) in flat.iter().enumerate() {
        if let Flat::Infix(Infix::Beside, _) = element {
            let (before, after) = (
                &flat[i.saturating_sub(1)],
                flat.get(i + 1).unwrap_or(element),
            );
            let count = matches!(before, Flat::Operand(e, _) if matches!(&*e.kind, ExprKind::Integer(_) | ExprKind::Paren(_)));
            let d = Diagnostic::error(
                Code::E0119,
                "two things side by side with nothing between them",
            )
            .at(after.span(), "this cannot follow")
            .at(before.span(), "what stands before it");
            let by = match (before, after) {
                (Flat::Operand(m, _), Flat::Operand(n, _)) => match (&*m.kind, &*n.kind) {
                    (ExprKind::Integer(rows), ExprKind::Name(name)) => name
                        .text
                        .strip_prefix('x')
                        .and_then(|n| n.parse::<u32>().ok())
                        .map(|columns| (rows.clone(), columns)),
                    _ => None,
                },
                _ => None,
            };
            return Err(Box::new(if let Some((rows, columns)) = by {
                let text = format!("grid({rows}, {columns})");
                let message = format!("a board of {rows} rows and {columns} columns is `{text}`");
                let place = before.span().to(after.span());
                d.suggest(Suggestion::replace(place, text, message).safe())
            } else if count {
                d.help(
                    "a product is written 3*k; a count before a piece stands after a colon: a:2b",
                )
            } else {
                d.help("entries are separated by `,`; an edge is `a -- b`, an arc `a -> b`, an edge with a piece `a -b- c`")
            }));
        }
        if let Flat::Prefix(Prefix::Sign(UnaryOp::Not), span) = element {
            return Err(bad(*span, "no condition can stand here"));
        }
    }
    Ok(flat)
}

fn bad(span: Span, message: &str) -> Box<Diagnostic> {
    Box::new(Diagnostic::error(Code::E0119, message).at(span, ""))
}
