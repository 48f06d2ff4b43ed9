//! Visits each name in a tree, bindings and uses, so that it can be changed. Skips words of the language that are not
//! names (kinds of boards, ways for play to end), sorts, and labels of moves.

use super::ast::{
    AskAnswer, Binder, BinderKind, ClauseKind, Compact, Effect, EffectKind, Entry, Expr, ExprKind,
    ItemKind, Let, Link, Node, Parameter, Pattern, Query, StarNote, Tag,
};
use crate::base::Ident;

/// What a constant of the language is that can stand in an entry of a table, `f(Left, north) = 1`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum InTable {
    /// One of the usual two players, which a ruleset may replace by others.
    Player,
    /// A content of a site that is no piece of the rules.
    Piece,
    /// A direction.
    Direction,
    /// True or false.
    Truth,
}

/// The constants of the language that can stand in an entry of a table.
#[must_use]
pub fn entry_of_table(name: &str) -> Option<InTable> {
    Some(match name {
        "Left" | "Right" => InTable::Player,
        "empty" | "wall" | "off" => InTable::Piece,
        "true" | "false" => InTable::Truth,
        "north" | "south" | "east" | "west" | "northeast" | "northwest" | "southeast"
        | "southwest" => InTable::Direction,
        _ => return None,
    })
}

/// A visitor that changes a tree.
pub trait Change {
    /// A name, where it is bound or used.
    fn name(&mut self, _: &mut Ident) {}

    /// An expression, before its parts; if the result is true, its parts are skipped.
    fn expr(&mut self, _: &mut Expr) -> bool {
        false
    }
}

/// Changes names only.
pub struct Names<F>(pub F);

impl<F: FnMut(&mut Ident)> Change for Names<F> {
    fn name(&mut self, name: &mut Ident) {
        (self.0)(name);
    }
}

/// The names of an item, including its own.
pub fn of_item(item: &mut ItemKind, f: &mut dyn Change) {
    match item {
        ItemKind::Use(_) => {}
        ItemKind::Ruleset(r) => {
            f.name(&mut r.name);
            parameters(&mut r.parameters, f);
            if let Some(parent) = &mut r.parent {
                of_expr(&mut parent.of, f);
            }
            r.clauses.iter_mut().for_each(|c| of_clause(&mut c.kind, f));
        }
        ItemKind::Derived(d) => {
            f.name(&mut d.name);
            parameters(&mut d.parameters, f);
            of_expr(&mut d.body, f);
        }
        ItemKind::Let(l) | ItemKind::Position(l) => of_let(l, f),
        ItemKind::Query(q) => of_query(q, f),
        ItemKind::Ask(a) => {
            if let AskAnswer::Expect(e) = &mut a.answer {
                of_expr(e, f);
            }
        }
    }
}

/// The names of a clause.
pub fn of_clause(clause: &mut ClauseKind, f: &mut dyn Change) {
    match clause {
        ClauseKind::Board(b) => {
            b.tuple.iter_mut().for_each(|n| f.name(n));
            b.root.iter_mut().for_each(|n| f.name(n));
        }
        ClauseKind::Players(players) => exprs(players, f),
        ClauseKind::Pieces(p) => {
            for piece in &mut p.pieces {
                f.name(&mut piece.name);
                piece.owners.iter_mut().for_each(|n| f.name(n));
            }
            exprs(&mut p.range, f);
        }
        ClauseKind::State(all) => all.iter_mut().for_each(|s| f.name(&mut s.name)),
        ClauseKind::Let(all) => all.iter_mut().for_each(|l| of_let(l, f)),
        ClauseKind::End(end) => {
            end.player.iter_mut().for_each(|n| f.name(n));
            exprs(&mut end.conditions, f);
        }
        ClauseKind::Endless(player) => player.iter_mut().for_each(|n| f.name(n)),
        ClauseKind::Score(e) => of_expr(e, f),
        ClauseKind::Move(m) => {
            f.name(&mut m.by);
            for stage in &mut m.stages {
                binders(&mut stage.binders, f);
                exprs(&mut stage.conditions, f);
                stage.effects.iter_mut().for_each(|e| effect(e, f));
                for (name, value) in &mut stage.next {
                    f.name(name);
                    of_expr(value, f);
                }
            }
        }
        ClauseKind::Play(_) | ClauseKind::Without(_) => {}
    }
}

/// The names of a definition.
pub fn of_let(l: &mut Let, f: &mut dyn Change) {
    f.name(&mut l.name);
    parameters(&mut l.parameters, f);
    of_expr(&mut l.body, f);
}

/// The names of a query.
pub fn of_query(q: &mut Query, f: &mut dyn Change) {
    binders(&mut q.binders, f);
    exprs(&mut q.condition, f);
    exprs(&mut q.body, f);
}

fn parameters(all: &mut [Parameter], f: &mut dyn Change) {
    all.iter_mut().for_each(|p| f.name(&mut p.name));
}

fn exprs<'e>(all: impl IntoIterator<Item = &'e mut Expr>, f: &mut dyn Change) {
    all.into_iter().for_each(|e| of_expr(e, f));
}

/// The names of an expression. Its depth is bounded by the parser.
pub fn of_expr(e: &mut Expr, f: &mut dyn Change) {
    use ExprKind as K;
    if f.expr(e) {
        return;
    }
    match &mut *e.kind {
        K::Name(name) => f.name(name),
        K::Integer(_) | K::Text(_) | K::Encoded(..) => {}
        K::Compact(Compact { word, star, .. }) => {
            if let Some(word) = word {
                f.name(word);
            }
            if let Some(StarNote::Of(e)) = star {
                of_expr(e, f);
            }
        }
        K::Paren(inner) | K::Unary(_, inner) => of_expr(inner, f),
        K::Tuple(all) | K::List(all) | K::Set(all) => exprs(all, f),
        K::ListFor(body, all, condition)
        | K::SetFor(body, all, condition)
        | K::Fold(_, body, all, condition)
        | K::Quantifier(_, all, condition, body) => {
            binders(all, f);
            exprs(condition, f);
            of_expr(body, f);
        }
        K::SetThat(all, body) => {
            binders(all, f);
            of_expr(body, f);
        }
        K::If(condition, then, other) => {
            of_expr(condition, f);
            of_expr(then, f);
            of_expr(other, f);
        }
        K::Knot(label, left, right) => {
            f.name(label);
            exprs(left, f);
            exprs(right, f);
        }
        K::Braces(left, right) => {
            exprs(left, f);
            exprs(right, f);
        }
        K::Call(name, arguments) => {
            f.name(name);
            exprs(arguments.iter_mut().map(|a| &mut a.value), f);
        }
        K::Bracket(head, entries) => {
            of_expr(head, f);
            entries.iter_mut().for_each(|e| entry(e, f));
        }
        K::Board(_, entries) => entries.iter_mut().for_each(|e| entry(e, f)),
        K::Colon(a, b) | K::Binary(_, a, b) => {
            of_expr(a, f);
            of_expr(b, f);
        }
    }
}

fn pattern(p: &mut Pattern, f: &mut dyn Change) {
    match p {
        Pattern::Name(name) => f.name(name),
        Pattern::Tuple(names, _) => names.iter_mut().for_each(|n| f.name(n)),
    }
}

fn binders(all: &mut [Binder], f: &mut dyn Change) {
    for binder in all {
        match &mut binder.kind {
            BinderKind::In(p, over) | BinderKind::Is(p, over) => {
                of_expr(over, f);
                pattern(p, f);
            }
            BinderKind::Site(name) | BinderKind::Edge(name) | BinderKind::Piece(name) => {
                f.name(name)
            }
            BinderKind::Heap(names) => names.iter_mut().for_each(|n| f.name(n)),
            BinderKind::Function {
                name,
                argument,
                over,
                values,
            } => {
                of_expr(over, f);
                f.name(argument);
                of_expr(values, f);
                f.name(name);
            }
            BinderKind::Arc(u, v) | BinderKind::Line(u, v) => {
                f.name(u);
                f.name(v);
            }
        }
    }
}

fn effect(e: &mut Effect, f: &mut dyn Change) {
    match &mut e.kind {
        EffectKind::Assign(target, _, value) => {
            of_expr(target, f);
            of_expr(value, f);
        }
        EffectKind::Remove(what) => exprs(what, f),
        EffectKind::Keep(what) => of_expr(what, f),
        EffectKind::Join(u, _, v) | EffectKind::Merge(u, v) => {
            of_expr(u, f);
            of_expr(v, f);
        }
        EffectKind::Replace(p, heaps) => {
            pattern(p, f);
            of_expr(heaps, f);
        }
        EffectKind::Each(all, condition, inner) => {
            binders(all, f);
            exprs(condition.as_deref_mut(), f);
            effect(inner, f);
        }
        EffectKind::When(inner, phi) => {
            effect(inner, f);
            of_expr(phi, f);
        }
        EffectKind::Again(when) => exprs(when.as_deref_mut(), f),
        EffectKind::Entail => {}
    }
}

fn entry(e: &mut Entry, f: &mut dyn Change) {
    binders(&mut e.binders, f);
    exprs(&mut e.condition, f);
    node(&mut e.first, f);
    for (link, n) in &mut e.links {
        if let Link::Labelled(label, ..) = link {
            of_expr(label, f);
        }
        node(n, f);
    }
    e.more.iter_mut().for_each(|n| node(n, f));
}

fn node(n: &mut Node, f: &mut dyn Change) {
    of_expr(&mut n.expr, f);
    match &mut n.tag {
        Some(Tag::Pieces(pieces)) => {
            for (count, piece) in pieces {
                exprs(count, f);
                f.name(piece);
            }
        }
        Some(Tag::Value(e)) => of_expr(e, f),
        Some(Tag::Entailed) => {}
        None => {}
    }
}
