//! Indexes names in expressions and in boards that are written out.

use super::{Board, Builder, DefId, Kind, Names};
use crate::base::{Ident, Span};
use crate::syntax::ast::{
    Argument, Binder, Compact, Entry, Expr, ExprKind, Link, Node, StarNote, Tag, UpCount,
};

impl Builder<'_> {
    /// An expression. Its depth is bounded by the parser.
    pub(super) fn expr(&mut self, e: &Expr) {
        use ExprKind as K;
        match &*e.kind {
            K::Name(name) => self.name(name),
            K::Integer(_) | K::Text(_) | K::Encoded(..) => {}
            K::Compact(c) => self.compact(c, e.span),
            K::Paren(inner) | K::Unary(_, inner) => self.expr(inner),
            K::Tuple(parts) | K::List(parts) | K::Set(parts) => {
                parts.iter().for_each(|p| self.expr(p));
            }
            K::ListFor(body, binders, condition)
            | K::SetFor(body, binders, condition)
            | K::Fold(_, body, binders, condition) => {
                self.comprehension(e.span, binders, condition.as_ref(), body);
            }
            K::SetThat(binders, body) => self.comprehension(e.span, binders, None, body),
            K::Quantifier(_, binders, condition, body) => {
                self.comprehension(e.span, binders, condition.as_ref(), body);
            }
            K::If(condition, then, other) => {
                self.expr(condition);
                self.expr(then);
                self.expr(other);
            }
            K::Braces(left, right) | K::Knot(_, left, right) => {
                let labels = e.labels();
                self.within(e.span, false, |b| {
                    labels.into_iter().for_each(|l| b.bind(l, Kind::Variable));
                    left.iter().chain(right).for_each(|p| b.expr(p));
                });
            }
            K::Call(name, arguments) => {
                self.mention(name);
                self.arguments(arguments);
            }
            K::Bracket(head, entries) => self.bracket(head, entries, e.span),
            K::Board(_, entries) => self.board(None, entries, e.span),
            K::Colon(a, b) | K::Binary(_, a, b) => {
                self.expr(a);
                self.expr(b);
            }
        }
    }

    /// A name. In a board that is written out, an unknown name is a site.
    fn name(&mut self, name: &Ident) {
        if self.mention(name).is_some() || super::walk::is_constant(&name.text) {
            return;
        }
        self.site(name);
    }

    fn site(&mut self, name: &Ident) {
        let Some(board) = self.boards.last() else {
            return;
        };
        if name.text.chars().all(|c| c.is_ascii_digit()) {
            return;
        }
        match board.names.get(&name.text).copied() {
            Some(id) => self.used(name.span, id),
            None => {
                let span = board.span;
                let id = self.define(name, Kind::Site, name.span, Some(span));
                if let Some(board) = self.boards.last_mut() {
                    board.names.insert(name.text.clone(), id);
                }
            }
        }
    }

    fn arguments(&mut self, arguments: &[Argument]) {
        for a in arguments {
            // The word after `wrap:` is a word of the language, not a site.
            if a.name.as_ref().is_none_or(|n| &*n.text != "wrap") {
                self.expr(&a.value);
            }
        }
    }

    fn comprehension(
        &mut self,
        span: Span,
        binders: &[Binder],
        condition: Option<&Expr>,
        body: &Expr,
    ) {
        self.within(span, false, |b| {
            b.binders(binders);
            condition.into_iter().for_each(|c| b.expr(c));
            b.expr(body);
        });
    }

    /// `v`, `vv`, `v3` are names if such a name is defined; then `v[2]` is an entry of it, and `v*2` a product.
    fn compact(&mut self, c: &Compact, span: Span) {
        if let Some(up) = c.up.as_ref().filter(|u| u.down && c.number.is_none()) {
            let name = match &up.count {
                UpCount::Arrows(n) => "v".repeat(usize::try_from(*n).unwrap_or(0).min(64)),
                UpCount::Times(n) => format!("v{n}"),
                UpCount::Pow(_) | UpCount::PowTo(_) | UpCount::PowOn | UpCount::PowToOn => {
                    "v".to_owned()
                }
            };
            let place = Span {
                end: span
                    .end
                    .min(span.start + u32::try_from(name.len()).unwrap_or(0)),
                ..span
            };
            // The arrow `↓` is not a name.
            if self.sources.slice(place) == name && self.local(&name).is_some() {
                self.mention(&Ident::new(&name, place));
            }
        }
        if let Some(word) = &c.word {
            self.mention(word);
        }
        if let Some(StarNote::Of(e)) = &c.star {
            self.expr(e);
        }
    }

    /// `Ruleset[..]`, `l[i]`, `c[1]`.
    fn bracket(&mut self, head: &Expr, entries: &[Entry], span: Span) {
        let (name, arguments): (Option<&Ident>, &[Argument]) = match &*head.kind {
            ExprKind::Name(name) => (Some(name), &[]),
            ExprKind::Call(name, arguments) => (Some(name), arguments),
            _ => (None, &[]),
        };
        let id = name.and_then(|n| self.lookup(&n.text));
        let ruleset = id.filter(|id| self.index.definitions[id.0 as usize].kind == Kind::Ruleset);
        match name {
            Some(name) if ruleset.is_some() => {
                self.mention(name);
                self.arguments(arguments);
                self.board(ruleset, entries, span);
            }
            // `c[1]` among sites: the name is part of the site.
            Some(name) if id.is_none() && !self.boards.is_empty() && arguments.is_empty() => {
                self.site(name);
                self.entries(entries);
            }
            _ => {
                self.expr(head);
                self.entries(entries);
            }
        }
    }

    /// A board that is written out, with or without a ruleset.
    fn board(&mut self, ruleset: Option<DefId>, entries: &[Entry], span: Span) {
        self.boards.push(Board {
            names: Names::new(),
            span,
            ruleset,
        });
        self.entries(entries);
        self.boards.pop();
    }

    fn entries(&mut self, entries: &[Entry]) {
        for entry in entries {
            self.within(entry.span, false, |b| {
                b.binders(&entry.binders);
                if entry.binders.is_empty() && entry.condition.is_some() {
                    // Free names of the entry range over the elements.
                    b.free_names(entry);
                }
                entry.condition.iter().for_each(|c| b.expr(c));
                b.node(&entry.first);
                for (link, node) in &entry.links {
                    if let Link::Labelled(e, _, _) = link {
                        b.expr(e);
                    }
                    b.node(node);
                }
                entry.more.iter().for_each(|n| b.node(n));
            });
        }
    }

    /// Names (alone or in tuples) among the nodes that nothing else defines are variables of the entry.
    fn free_names(&mut self, entry: &Entry) {
        let nodes = std::iter::once(&entry.first)
            .chain(entry.links.iter().map(|(_, n)| n))
            .chain(&entry.more);
        let mut free: Vec<&Ident> = Vec::new();
        for node in nodes {
            match &*node.expr.kind {
                ExprKind::Name(name) => free.push(name),
                ExprKind::Tuple(parts) => {
                    free.extend(parts.iter().filter_map(|p| match &*p.kind {
                        ExprKind::Name(name) => Some(name),
                        _ => None,
                    }))
                }
                _ => {}
            }
        }
        for name in free {
            if self.lookup(&name.text).is_none() {
                self.bind(name, Kind::Variable);
            }
        }
    }

    /// A node and the tag after its colon: a field, or a site with a piece.
    fn node(&mut self, node: &Node) {
        let ruleset = self.boards.last().and_then(|b| b.ruleset);
        let state = |b: &Self, name: &str| {
            let id = b.member_of(ruleset?, name)?;
            (b.index.definitions[id.0 as usize].kind == Kind::State).then_some(id)
        };
        let field = match &*node.expr.kind {
            ExprKind::Name(name) | ExprKind::Call(name, _) if matches!(&node.tag, Some(tag) if !matches!(tag, Tag::Entailed)) => {
                state(self, &name.text).map(|id| (name, id))
            }
            _ => None,
        };
        match field {
            Some((name, id)) => {
                self.used(name.span, id);
                if let ExprKind::Call(_, arguments) = &*node.expr.kind {
                    self.arguments(arguments);
                }
            }
            None => self.expr(&node.expr),
        }
        match &node.tag {
            Some(Tag::Pieces(pieces)) => {
                for (count, piece) in pieces {
                    count.iter().for_each(|c| self.expr(c));
                    self.name_in_tag(piece, field.is_some());
                }
            }
            Some(Tag::Value(e)) => self.expr(e),
            Some(Tag::Entailed) => {}
            None => {}
        }
    }

    /// A piece on a site, or the name that is the value of a field.
    fn name_in_tag(&mut self, name: &Ident, field: bool) {
        if field {
            self.name(name);
        } else {
            self.mention(name);
        }
    }
}
