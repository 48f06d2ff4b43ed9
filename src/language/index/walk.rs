//! Indexes items and clauses: first the names of the file level, then what each ruleset declares, then what is inside.

use super::tokens::Unread;
use super::{Builder, DefId, Kind};
use crate::base::{Ident, Span};
use crate::syntax::ast::{
    Argument, Ask, AskAnswer, Binder, BinderKind, Clause, ClauseKind, Effect, EffectKind,
    EndClause, ExprKind, File, Item, ItemKind, Let, Move, Parameter, Pattern, Query, Ruleset,
};
use crate::syntax::names::entry_of_table;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

impl Builder<'_> {
    pub(super) fn file(&mut self, file: &File) {
        let items: Vec<&Item> = file.items.iter().chain(&file.partial).collect();
        let mut bodies: Vec<(DefId, &Item)> = Vec::new();
        for item in &items {
            if let Some(id) = self.heading(item) {
                bodies.push((id, item));
            }
        }
        let unread = Unread::of(file);
        self.unread_headings(&unread);
        // A ruleset's inherited names come before its own declarations.
        for (id, item, parent) in self.parents_first(&bodies) {
            if let Some(of) = parent {
                self.index.members.entry(id).or_default().of = Some(of);
                self.index.heirs.push((item.span, id));
            }
            if let ItemKind::Ruleset(r) = &item.kind {
                self.declarations(id, r, item.span);
                self.unread_declarations(id, &unread, item.span);
            }
        }
        // Definitions come before queries, so that the rulesets that a query mentions are known.
        for (id, item) in &bodies {
            self.owner = Some(*id);
            self.spoken.clear();
            match &item.kind {
                ItemKind::Ruleset(r) => self.ruleset(*id, r, item.span),
                ItemKind::Derived(d) => {
                    self.within(item.span, true, |b| {
                        b.parameters(&d.parameters);
                        b.expr(&d.body);
                    });
                    // A derived ruleset has the pieces and the state of its parent.
                    let mut spoken = self.spoken.iter().copied();
                    let of = spoken.find(|s| self.index.members.contains_key(s));
                    self.index.members.entry(*id).or_default().of = of.filter(|of| of != id);
                }
                ItemKind::Let(l) | ItemKind::Position(l) => self.definition(l, item.span),
                _ => {}
            }
            self.speaks_of.insert(*id, self.spoken.clone());
            self.owner = None;
        }
        for item in &items {
            self.spoken.clear();
            match &item.kind {
                ItemKind::Query(q) => self.query(q, item.span),
                ItemKind::Ask(a) => self.ask(a),
                _ => {}
            }
        }
        self.unread_bodies(&unread);
    }

    /// Items with their numbers and the rulesets from which they inherit, each after this ruleset. In a cycle nothing is
    /// inherited.
    fn parents_first<'f>(
        &self,
        items: &[(DefId, &'f Item)],
    ) -> Vec<(DefId, &'f Item, Option<DefId>)> {
        let parents: Vec<Option<DefId>> =
            items.iter().map(|(_, item)| self.parent_of(item)).collect();
        let mut heirs: HashMap<DefId, Vec<usize>> = HashMap::new();
        let here: HashSet<DefId> = items.iter().map(|(id, _)| *id).collect();
        let mut ready = Vec::new();
        for (i, parent) in parents.iter().enumerate() {
            match parent.filter(|p| here.contains(p)) {
                Some(parent) => heirs.entry(parent).or_default().push(i),
                None => ready.push(i),
            }
        }
        let mut out = Vec::with_capacity(items.len());
        let mut is_out = vec![false; items.len()];
        while !ready.is_empty() {
            let mut next = Vec::new();
            for i in ready {
                is_out[i] = true;
                out.push((items[i].0, items[i].1, parents[i]));
                next.extend(heirs.remove(&items[i].0).into_iter().flatten());
            }
            next.sort_unstable();
            ready = next;
        }
        let circular = (0..items.len()).filter(|i| !is_out[*i]);
        out.extend(circular.map(|i| (items[i].0, items[i].1, None)));
        out
    }

    /// The ruleset from which an item is derived.
    fn parent_of(&self, item: &Item) -> Option<DefId> {
        let mut e = match &item.kind {
            ItemKind::Ruleset(r) => &r.parent.as_ref()?.of,
            ItemKind::Derived(d) => &d.body,
            _ => return None,
        };
        loop {
            let (name, arguments): (&Ident, &[Argument]) = match &*e.kind {
                ExprKind::Name(name) => (name, &[]),
                ExprKind::Call(name, arguments) => (name, arguments),
                _ => return None,
            };
            match (self.global_named(&name.text), arguments) {
                (Some(id), _) => return Some(id),
                // `misere(Nim)`
                (None, [one]) => e = &one.value,
                _ => return None,
            }
        }
    }

    /// Defines the name of an item. A further entry of a table adds a place to its definition.
    fn heading(&mut self, item: &Item) -> Option<DefId> {
        let (name, kind) = match &item.kind {
            ItemKind::Ruleset(r) => (&r.name, Kind::Ruleset),
            ItemKind::Derived(d) => (&d.name, Kind::Ruleset),
            ItemKind::Let(l) => (&l.name, Kind::Let),
            ItemKind::Position(l) => (&l.name, Kind::Position),
            _ => return None,
        };
        Some(self.global(name, kind, item.span, &item.doc))
    }

    pub(super) fn global(
        &mut self,
        name: &Ident,
        kind: Kind,
        whole: Span,
        doc: &[Arc<str>],
    ) -> DefId {
        if let Some(id) = self.global_named(&name.text) {
            let known = &self.index.definitions[id.0 as usize];
            if known.kind == Kind::Let && kind == Kind::Let && known.span.file == name.span.file {
                self.used(name.span, id);
                return id;
            }
        }
        let id = self.define(name, kind, whole, None);
        self.index.definitions[id.0 as usize].doc = doc.to_vec();
        let full = format!("{}{}", self.prefix, name.text);
        self.globals.insert(full.into(), id);
        id
    }

    /// Defines what a ruleset declares: parameters, pieces, players, state, definitions, root.
    fn declarations(&mut self, id: DefId, r: &Ruleset, whole: Span) {
        self.owner = Some(id);
        self.index.members.entry(id).or_default();
        for p in &r.parameters {
            self.member(id, &p.name, Kind::Parameter, p.name.span, whole);
        }
        for clause in &r.clauses {
            self.declared(id, clause, whole);
        }
        self.owner = None;
    }

    fn declared(&mut self, id: DefId, clause: &Clause, whole: Span) {
        let add = |b: &mut Self, name: &Ident, kind| {
            let d = b.member(id, name, kind, clause.span, whole);
            b.index.definitions[d.0 as usize].doc = clause.doc.clone();
        };
        match &clause.kind {
            ClauseKind::Board(board) => {
                for name in board.root.iter() {
                    add(self, name, Kind::Root);
                }
            }
            ClauseKind::Players(players) => {
                for e in players {
                    if let ExprKind::Name(name) = &*e.kind {
                        add(self, name, Kind::Player);
                    }
                }
            }
            ClauseKind::Pieces(p) => {
                for piece in &p.pieces {
                    add(self, &piece.name, Kind::Piece);
                }
            }
            ClauseKind::State(all) => {
                for s in all {
                    add(self, &s.name, Kind::State);
                }
            }
            ClauseKind::Let(all) => {
                for l in all {
                    add(self, &l.name, Kind::Let);
                }
            }
            ClauseKind::Move(m) => {
                if let Some(label) = &m.label {
                    if let Some(inherited) = self.index.labelled(id, &label.text)
                        && self.index.definitions[inherited.0 as usize].home != Some(id)
                    {
                        self.used(label.span, inherited);
                        return;
                    }
                    // Rules cannot refer to a label.
                    let d = self.define(label, Kind::Move, clause.span, Some(label.span));
                    self.index.definitions[d.0 as usize].doc = clause.doc.clone();
                    let members = self.index.members.entry(id).or_default();
                    members.labels.insert(label.text.clone(), d);
                }
            }
            ClauseKind::Without(all) => {
                for one in all {
                    let Some(name) = &one.name else { continue };
                    let known = match &*one.word.text {
                        "move" => self.index.labelled(id, &name.text),
                        _ => self.index.member(id, &name.text),
                    };
                    if let Some(known) = known {
                        self.used(name.span, known);
                    }
                }
            }
            ClauseKind::Play(_)
            | ClauseKind::End(_)
            | ClauseKind::Endless(_)
            | ClauseKind::Score(_) => {}
        }
    }

    /// Defines a name that a ruleset declares; a further entry of a table adds a place to its definition.
    pub(super) fn member(
        &mut self,
        of: DefId,
        name: &Ident,
        kind: Kind,
        whole: Span,
        scope: Span,
    ) -> DefId {
        if let Some(known) = self.index.member(of, &name.text)
            && let definition = &self.index.definitions[known.0 as usize]
            && definition.kind == kind
            && (kind == Kind::Let || definition.home != Some(of))
        {
            self.used(name.span, known);
            return known;
        }
        let id = self.define(name, kind, whole, Some(scope));
        let members = self.index.members.entry(of).or_default();
        members.names.insert(name.text.clone(), id);
        id
    }

    fn ruleset(&mut self, id: DefId, r: &Ruleset, whole: Span) {
        self.home = Some(id);
        if let Some(parent) = &r.parent {
            self.expr(&parent.of);
        }
        for clause in &r.clauses {
            match &clause.kind {
                ClauseKind::Board(b) => {
                    // The components are named for readers only; no rule refers to them.
                    self.within(whole, true, |b_| {
                        for name in &b.tuple {
                            b_.bind(name, Kind::Parameter);
                        }
                    });
                }
                ClauseKind::Players(players) => {
                    for e in players {
                        if !matches!(&*e.kind, ExprKind::Name(_)) {
                            self.expr(e);
                        }
                    }
                }
                ClauseKind::Pieces(p) => {
                    p.range.iter().for_each(|e| self.expr(e));
                    for owner in p.pieces.iter().flat_map(|p| &p.owners) {
                        self.mention(owner);
                    }
                }
                ClauseKind::Let(all) => all.iter().for_each(|l| self.definition(l, clause.span)),
                ClauseKind::Move(m) => self.moved(m, clause.span),
                ClauseKind::End(end) => self.ended(end, clause.span),
                ClauseKind::Score(e) => self.within(clause.span, true, |b| b.expr(e)),
                ClauseKind::Endless(player) => {
                    if let Some(name) = player {
                        self.mention(name);
                    }
                }
                ClauseKind::State(_) | ClauseKind::Play(_) | ClauseKind::Without(_) => {}
            }
        }
        self.home = None;
    }

    fn parameters(&mut self, all: &[Parameter]) {
        for p in all {
            self.bind(&p.name, Kind::Parameter);
        }
    }

    /// `f(x) = E`; in an entry of a table, constants stand for parameters.
    fn definition(&mut self, l: &Let, whole: Span) {
        let span = Span {
            file: whole.file,
            ..l.span
        };
        self.within(span, true, |b| {
            for p in &l.parameters {
                let constant = p.sort.is_none()
                    && b.lookup(&p.name.text).is_some_and(|id| {
                        let kind = b.index.definitions[id.0 as usize].kind;
                        matches!(kind, Kind::Piece | Kind::Player)
                    });
                if constant {
                    b.mention(&p.name);
                } else if !is_constant(&p.name.text) {
                    b.bind(&p.name, Kind::Parameter);
                }
            }
            b.expr(&l.body);
        });
    }

    /// A player, or a variable that stands for each player.
    fn player(&mut self, name: &Ident) {
        if &*name.text != "anyone" && self.mention(name).is_none() && !is_constant(&name.text) {
            self.bind(name, Kind::Variable);
        }
    }

    fn ended(&mut self, end: &EndClause, whole: Span) {
        self.within(whole, true, |b| {
            end.player.iter().for_each(|p| b.player(p));
            end.conditions.iter().for_each(|c| b.expr(c));
        });
    }

    fn moved(&mut self, m: &Move, whole: Span) {
        self.within(whole, true, |b| {
            b.player(&m.by);
            for stage in &m.stages {
                b.binders(&stage.binders);
                stage.conditions.iter().for_each(|c| b.expr(c));
                stage.effects.iter().for_each(|e| b.effect(e));
                for (name, value) in &stage.next {
                    b.mention(name);
                    b.expr(value);
                }
            }
        });
    }

    fn effect(&mut self, e: &Effect) {
        // `each` may be nested in `each`, to a bounded depth.
        match &e.kind {
            EffectKind::Assign(target, _, value) => {
                self.expr(target);
                self.expr(value);
            }
            EffectKind::Remove(what) => what.iter().for_each(|w| self.expr(w)),
            EffectKind::Keep(what) => self.expr(what),
            EffectKind::Join(u, _, v) | EffectKind::Merge(u, v) => {
                self.expr(u);
                self.expr(v);
            }
            EffectKind::Replace(pattern, heaps) => {
                match pattern {
                    Pattern::Name(name) => {
                        self.mention(name);
                    }
                    Pattern::Tuple(names, _) => names.iter().for_each(|n| {
                        self.mention(n);
                    }),
                }
                self.expr(heaps);
            }
            EffectKind::Each(binders, condition, inner) => self.within(e.span, false, |b| {
                b.binders(binders);
                condition.iter().for_each(|c| b.expr(c));
                b.effect(inner);
            }),
            EffectKind::When(inner, phi) => {
                self.effect(inner);
                self.expr(phi);
            }
            EffectKind::Again(when) => when.iter().for_each(|c| self.expr(c)),
            EffectKind::Entail => {}
        }
    }

    fn query(&mut self, q: &Query, whole: Span) {
        if let Some(name) = &q.name {
            let name = Ident::new(&name.value, name.span);
            self.define(&name, Kind::Claim, whole, Some(name.span));
        }
        self.within(whole, true, |b| {
            b.binders(&q.binders);
            q.condition.iter().for_each(|c| b.expr(c));
            q.body.iter().for_each(|e| b.expr(e));
        });
    }

    fn ask(&mut self, a: &Ask) {
        if let AskAnswer::Expect(e) = &a.answer {
            self.within(e.span, true, |b| b.expr(e));
        }
    }

    /// Binds the variables of binders in the innermost scope.
    pub(super) fn binders(&mut self, all: &[Binder]) {
        for binder in all {
            match &binder.kind {
                BinderKind::In(pattern, over) | BinderKind::Is(pattern, over) => {
                    self.expr(over);
                    self.pattern(pattern);
                }
                BinderKind::Site(name) | BinderKind::Edge(name) | BinderKind::Piece(name) => {
                    self.place(name, false);
                }
                BinderKind::Heap(names) => names.iter().for_each(|n| self.place(n, true)),
                BinderKind::Function {
                    name,
                    argument,
                    over,
                    values,
                } => {
                    self.expr(over);
                    self.within(argument.span.to(values.span), false, |b| {
                        b.place(argument, false);
                        b.expr(values);
                    });
                    self.place(name, false);
                }
                BinderKind::Arc(u, v) | BinderKind::Line(u, v) => {
                    self.place(u, true);
                    self.place(v, true);
                }
            }
        }
    }

    fn pattern(&mut self, pattern: &Pattern) {
        match pattern {
            Pattern::Name(name) => self.place(name, false),
            Pattern::Tuple(names, _) => names.iter().for_each(|n| self.place(n, true)),
        }
    }

    /// A name of a binder: new, or bound before and matched.
    pub(super) fn place(&mut self, name: &Ident, in_pattern: bool) {
        let known = match self.frames.last() {
            Some(frame) if frame.matching || in_pattern => self.local(&name.text),
            Some(frame) => frame.names.get(&name.text).copied(),
            None => None,
        };
        match known {
            Some(id) => self.used(name.span, id),
            None => self.bind(name, Kind::Variable),
        }
    }

    /// What a name means that a ruleset declares or inherits.
    pub(super) fn member_of(&self, id: DefId, name: &str) -> Option<DefId> {
        self.index.member(id, name)
    }
}

/// Words that name nothing in the file when they are an entry of a table or the player of a move.
pub(super) fn is_constant(name: &str) -> bool {
    name == "anyone" || entry_of_table(name).is_some() || name.chars().all(|c| c.is_ascii_digit())
}
