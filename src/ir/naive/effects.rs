//! The effects of one `then`: all read the state before it and apply together.
//!
//! First every effect is evaluated and collected in a plan. Then the plan is checked, in this order: a choice that takes
//! more than there is is not a legal move; a write off the board, `:=` together with `+=`, two values for one site,
//! removing and writing one site are faults. Then the state changes.

use super::Run;
use crate::base::Span;
use crate::board::{Heap, Place};
use crate::draw;
use crate::eval::{Frame, Scope, boards_heap as heap, fit_state, outside};
use crate::fault::{Code, Fault, Res};
use crate::instance::Setting;
use crate::int::Int;
use crate::model::typed::{
    Again, Effect, EffectKind, Expr, ExprKind, Op, SiteKind, Sort, Stage, StateId, Target,
};
use crate::position::State;
use crate::val::{Piece, Val};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;

/// The writes to one variable.
#[derive(Default)]
struct Writes {
    set: Vec<(Val, Span)>,
    add: Vec<(Int, Span)>,
    subtract: Vec<(Int, Span)>,
}

/// All actions of one `then`, before they are performed.
#[derive(Default)]
struct Plan {
    writes: BTreeMap<usize, Writes>,
    removed: BTreeMap<Place, Span>,
    joined: BTreeMap<u32, Span>,
    /// Lines that go on from another vertex, which `merge` has made one with theirs.
    moved: BTreeSet<u32>,
    replaced: BTreeMap<usize, (Vec<Heap>, Span)>,
    /// A fault that counts only if the choice is a legal move.
    fault: Option<Box<Fault>>,
}

impl Plan {
    fn later(&mut self, fault: Box<Fault>) {
        self.fault.get_or_insert(fault);
    }
}

impl Run<'_> {
    /// The state after the effects of a stage under the choice in the frame; `None` if the choice is not a legal move.
    pub(super) fn effects(
        &self,
        stage: &Stage,
        state: &State,
        frame: &mut Frame,
    ) -> Res<Option<State>> {
        if stage.effects.is_empty() {
            // What changes nothing is no answer.
            let mut next = state.clone();
            next.entailed = matches!(self.rule.again, Again::Entail).then(Vec::new);
            return Ok(state.entailed.is_none().then_some(next));
        }
        let mut plan = Plan::default();
        for effect in &stage.effects {
            self.plan(effect, state, frame, &mut plan)?;
        }
        self.apply(plan, state)
    }

    fn plan(&self, effect: &Effect, state: &State, frame: &mut Frame, plan: &mut Plan) -> Res<()> {
        let scope = Scope::at(self.setting, state);
        let ev = self.ev;
        match &effect.kind {
            EffectKind::Set(target, e) => {
                let value = ev.eval(e, frame, scope)?;
                if let Some((var, decl)) = self.target(target, effect.span, frame, scope, plan)? {
                    let value = match decl {
                        Some(f) => match self.setting.instance.rules.state.get(f.0 as usize) {
                            Some(decl) => match fit_state(self.setting, decl, value, e.span) {
                                Ok(v) => v,
                                Err(fault) => {
                                    plan.later(self.with_condition(fault, e));
                                    return Ok(());
                                }
                            },
                            None => value,
                        },
                        None => match value {
                            Val::Piece(Piece::Off) => {
                                plan.later(Fault::new(
                                    Code::OffBoard,
                                    e.span,
                                    "off cannot be put on a site",
                                ));
                                return Ok(());
                            }
                            v => v,
                        },
                    };
                    let writes = plan.writes.entry(var).or_default();
                    writes.set.push((value, effect.span));
                }
            }
            EffectKind::Add(target, e) => {
                let n = ev.integer(e, frame, scope)?;
                if let Some((var, _)) = self.target(target, effect.span, frame, scope, plan)? {
                    let writes = plan.writes.entry(var).or_default();
                    writes.add.push((n, effect.span));
                }
            }
            EffectKind::Subtract(target, e) => {
                let n = ev.integer(e, frame, scope)?;
                if let Some((var, _)) = self.target(target, effect.span, frame, scope, plan)? {
                    let writes = plan.writes.entry(var).or_default();
                    writes.subtract.push((n, effect.span));
                }
            }
            EffectKind::Remove(list) => {
                for e in list {
                    let v = ev.eval(e, frame, scope)?;
                    match v.elements() {
                        Some(items) => {
                            for item in items {
                                self.remove(item, e.span, plan);
                            }
                        }
                        None => self.remove(&v, e.span, plan),
                    }
                }
            }
            EffectKind::Keep(e) => self.keep(e, state, frame, plan)?,
            EffectKind::Join(u, v) => {
                let ends = [ev.eval(u, frame, scope)?, ev.eval(v, frame, scope)?];
                match self.line(&ends, effect.span, scope) {
                    Ok(e) => _ = plan.joined.entry(e).or_insert(effect.span),
                    Err(fault) => plan.later(fault),
                }
            }
            EffectKind::Merge(u, v) => {
                let ends = [ev.eval(u, frame, scope)?, ev.eval(v, frame, scope)?];
                match self.two_vertices(&ends, effect.span, scope) {
                    Ok(ends) => self.merge(ends, effect.span, scope, plan),
                    Err(fault) => plan.later(fault),
                }
            }
            EffectKind::Replace { heap, heaps } => {
                self.replace(*heap, heaps, effect.span, frame, scope, plan)?;
            }
            EffectKind::Each(binders, phi, inner) => {
                let phi = phi.as_slice();
                let _ = ev.deeper(effect.span, || {
                    ev.choices(binders, phi, frame, scope, &mut |frame| {
                        self.plan(inner, state, frame, plan)?;
                        Ok(ControlFlow::Continue(()))
                    })
                })?;
            }
        }
        Ok(())
    }

    /// The variable written, with its state function if it has one. Off the board `None`, and a fault for later.
    fn target(
        &self,
        target: &Target,
        span: Span,
        frame: &mut Frame,
        scope: Scope<'_>,
        plan: &mut Plan,
    ) -> Res<Option<(usize, Option<StateId>)>> {
        let setting = self.setting;
        match target {
            Target::At(site) => {
                let v = self.ev.eval(site, frame, scope)?;
                let (var, place) = match &v {
                    Val::Edge(_) => {
                        let e = setting.board.find_edge(&v);
                        (
                            e.and_then(|e| setting.layout.edge_at(e)),
                            e.map(Place::Edge),
                        )
                    }
                    _ => {
                        let s = setting.board.find(&v);
                        (s.and_then(|s| setting.layout.at(s)), s.map(Place::Site))
                    }
                };
                let gone = place.is_some_and(|p| self.gone(p, scope));
                match var {
                    Some(var) if !gone => Ok(Some((var, None))),
                    _ => {
                        plan.later(self.off_board(&v, span, gone));
                        Ok(None)
                    }
                }
            }
            Target::State(f, args) => {
                let args = self.ev.eval_all(args, frame, scope)?;
                match setting.state_var(*f, &args) {
                    Some(var) => {
                        let places = setting.places(var);
                        if let Some(p) = places.iter().find(|p| self.gone(**p, scope)) {
                            let v = place_value(setting, *p);
                            plan.later(self.off_board(&v, span, true));
                            return Ok(None);
                        }
                        Ok(Some((var, Some(*f))))
                    }
                    None => {
                        plan.later(outside(setting, *f, &args, span));
                        Ok(None)
                    }
                }
            }
        }
    }

    /// Whether a vertex, edge or element was removed before this stage. A wall is a value of its cell and can be written.
    fn gone(&self, place: Place, scope: Scope<'_>) -> bool {
        let Some((setting, state)) = scope.here else {
            return false;
        };
        match place {
            Place::Site(s) if setting.layout.present(s).is_some() => !state.has_site(setting, s),
            Place::Site(_) => false,
            Place::Edge(e) => !state.has_edge(setting, e),
        }
    }

    fn off_board(&self, v: &Val, span: Span, removed: bool) -> Box<Fault> {
        let what = draw::value(v, Some(&self.setting.instance));
        if removed {
            return Fault::new(
                Code::OffBoard,
                span,
                format!("a write to {what}, which was removed before"),
            );
        }
        Fault::new(
            Code::OffBoard,
            span,
            format!("a write off the board: there is no {what}"),
        )
        .help("a binder `b = a + d` stays on the board, and so does a condition at(b) != off")
    }

    /// Two vertices that are there and are not one.
    fn two_vertices(&self, ends: &[Val; 2], span: Span, scope: Scope<'_>) -> Res<[u32; 2]> {
        let board = &self.setting.board;
        let mut sites = [0; 2];
        for (site, v) in sites.iter_mut().zip(ends) {
            *site = board
                .find(v)
                .ok_or_else(|| self.off_board(v, span, false))?;
            if self.gone(Place::Site(*site), scope) {
                return Err(self.off_board(v, span, true));
            }
        }
        if sites[0] == sites[1] {
            return Err(one_vertex(
                &draw::value(&ends[0], Some(&self.setting.instance)),
                span,
            ));
        }
        Ok(sites)
    }

    /// The line that joins two vertices that no line joins now.
    fn line(&self, ends: &[Val; 2], span: Span, scope: Scope<'_>) -> Res<u32> {
        let [u, v] = self.two_vertices(ends, span, scope)?;
        self.absent_line(u, v, scope).ok_or_else(|| {
            let shown = |v: &Val| draw::value(v, Some(&self.setting.instance));
            joined_already(&shown(&ends[0]), &shown(&ends[1]), span)
        })
    }

    /// A line between two vertices; `None` if one is there already.
    fn absent_line(&self, u: u32, v: u32, scope: Scope<'_>) -> Option<u32> {
        let gone = |e: &u32| self.gone(Place::Edge(*e), scope);
        let mut lines = self.setting.board.between(u, v);
        let first = lines.next().filter(gone)?;
        lines.all(|e| gone(&e)).then_some(first)
    }

    /// Takes the second vertex away and lets its lines go on from the first.
    fn merge(&self, [u, v]: [u32; 2], span: Span, scope: Scope<'_>, plan: &mut Plan) {
        let board = &self.setting.board;
        plan.removed.entry(Place::Site(v)).or_insert(span);
        let leaving = board.leaving(v).iter().map(|(e, w)| (*e, *w, [u, *w]));
        let entering = board.entering(v).iter().map(|(e, w)| (*e, *w, [*w, u]));
        for (e, w, [from, to]) in leaving.chain(entering) {
            if w != u && w != v && !self.gone(Place::Edge(e), scope) {
                plan.moved.extend(self.absent_line(from, to, scope));
            }
        }
    }

    fn remove(&self, v: &Val, span: Span, plan: &mut Plan) {
        let board = &self.setting.board;
        let place = match v {
            Val::Edge(_) => board.find_edge(v).map(Place::Edge),
            _ => board.find(v).map(Place::Site),
        };
        match place {
            Some(p) => {
                plan.removed.entry(p).or_insert(span);
            }
            None => {
                let fault = self.off_board(v, span, false);
                plan.later(fault);
            }
        }
    }

    fn keep(&self, e: &Expr, state: &State, frame: &mut Frame, plan: &mut Plan) -> Res<()> {
        let setting = self.setting;
        let scope = Scope::at(setting, state);
        let kept = self.ev.eval(e, frame, scope)?;
        let kept = kept.elements().unwrap_or(&[]);
        let count = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        let edges = match &e.sort {
            Sort::Set(s) | Sort::List(s) => **s == Sort::Site(SiteKind::Edge),
            _ => false,
        };
        if edges || kept.iter().any(|v| matches!(v, Val::Edge(_))) {
            let stay: BTreeSet<u32> = kept
                .iter()
                .filter_map(|v| setting.board.find_edge(v))
                .collect();
            for edge in (0..count(setting.board.lines.len())).filter(|e| !stay.contains(e)) {
                if state.has_edge(setting, edge) {
                    plan.removed.entry(Place::Edge(edge)).or_insert(e.span);
                }
            }
            return Ok(());
        }
        let stay: BTreeSet<u32> = kept.iter().filter_map(|v| setting.board.find(v)).collect();
        for site in (0..count(setting.board.sites())).filter(|s| !stay.contains(s)) {
            if state.has_site(setting, site) {
                plan.removed.entry(Place::Site(site)).or_insert(e.span);
            }
        }
        Ok(())
    }

    fn replace(
        &self,
        number: u32,
        heaps: &Expr,
        span: Span,
        frame: &mut Frame,
        scope: Scope<'_>,
        plan: &mut Plan,
    ) -> Res<()> {
        let Some(arity) = self.setting.board.kind.heap_of() else {
            return Err(Fault::new(Code::NoBoard, span, "there are no heaps here"));
        };
        let chosen = frame.heaps.iter().find(|(n, _)| *n == number);
        let Some((_, at)) = chosen.copied() else {
            return Err(Fault::new(Code::NoBoard, span, "no heap was chosen"));
        };
        let v = self.ev.eval(heaps, frame, scope)?;
        let items = match v.elements() {
            Some(items) => items.to_vec(),
            None => vec![v],
        };
        let mut new: Vec<Heap> = Vec::new();
        let written = match &*heaps.kind {
            ExprKind::Elements(parts) if parts.len() == items.len() => &parts[..],
            _ => &[],
        };
        for (i, item) in items.iter().enumerate() {
            match heap(item, arity, heaps.span) {
                Ok(h) => new.push(h),
                Err(fault) => {
                    plan.later(match written.get(i) {
                        Some(e) => self.with_condition(fault, e),
                        None => fault,
                    });
                    return Ok(());
                }
            }
        }
        new.sort();
        match plan.replaced.get(&at) {
            Some((other, first)) if *other != new => {
                let fault = Fault::new(
                    Code::TwoWrites,
                    span,
                    "one heap is replaced in two different ways",
                )
                .label(*first, "the other way");
                plan.later(fault);
            }
            _ => {
                plan.replaced.insert(at, (new, span));
            }
        }
        Ok(())
    }

    /// Adds the condition that keeps a difference from going below 0: `k <= n` for `n - k`.
    fn with_condition(&self, fault: Box<Fault>, e: &Expr) -> Box<Fault> {
        let name = |e: &Expr| match &*e.kind {
            ExprKind::Slot(slot) => {
                let name = self.rule.slot_names.get(slot.0 as usize);
                name.map(ToString::to_string)
            }
            ExprKind::State(id, arguments) if arguments.is_empty() => {
                let state = self.setting.instance.rules.state.get(id.0 as usize);
                state.map(|s| s.name.to_string())
            }
            ExprKind::Integer(n) => Some(n.to_string()),
            _ => None,
        };
        let ExprKind::Binary(Op::Subtract, a, b) = &*e.kind else {
            return fault;
        };
        match (fault.code, name(a), name(b)) {
            (Code::NegativeNat, Some(a), Some(b)) => {
                fault.help(format!("say when this is a move: `where {b} <= {a}`"))
            }
            _ => fault,
        }
    }

    /// Whether a move at a state may be made by a choice that replaces these heaps: after a move with `entail`, one of them
    /// must be a heap that this move has left.
    fn answers<'h>(state: &State, mut replaced: impl Iterator<Item = &'h usize>) -> bool {
        state.entailed.is_none() || replaced.any(|heap| state.is_entailed(*heap))
    }

    /// Checks the plan and performs it.
    fn apply(&self, plan: Plan, state: &State) -> Res<Option<State>> {
        if !Self::answers(state, plan.replaced.keys()) {
            return Ok(None);
        }
        let setting = self.setting;
        // As in a Petri net, a transition needs its tokens: a natural from which too much is subtracted makes the move
        // illegal.
        for (var, w) in &plan.writes {
            if self.is_natural(*var) && !w.subtract.is_empty() {
                let taken = total(&w.subtract)?;
                if taken > held(state, *var) {
                    return Ok(None);
                }
            }
        }
        if let Some(fault) = plan.fault {
            return Err(fault);
        }
        let removed = self.with_edges(&plan.removed, state);
        let mut next = state.clone();
        for (var, w) in &plan.writes {
            let value = self.written(*var, w, state)?;
            for place in setting.places(*var) {
                if let Some(span) = removed.get(&place) {
                    let at = w.set.first().map(|s| s.1);
                    let at = at.or_else(|| w.add.first().or(w.subtract.first()).map(|s| s.1));
                    return Err(Fault::new(
                        Code::RemovedAndWritten,
                        at.unwrap_or(*span),
                        format!(
                            "{} is written and {} is removed in one `then`",
                            draw::var(setting, *var),
                            draw::value(&place_value(setting, place), Some(&setting.instance))
                        ),
                    )
                    .label(*span, "removed here"));
                }
            }
            next.vars[*var] = value;
        }
        if !removed.is_empty() {
            self.take_away(&removed, &mut next);
        }
        let removed_end = |e: u32| {
            let (u, v) = setting.board.lines[e as usize];
            [u, v]
                .into_iter()
                .find(|s| plan.removed.contains_key(&Place::Site(*s)))
        };
        for (e, span) in &plan.joined {
            if let Some(end) = removed_end(*e) {
                let label = setting.board.label(end);
                return Err(Fault::new(
                    Code::RemovedAndWritten,
                    *span,
                    format!(
                        "{} is removed and joined in one `then`",
                        draw::value(&label, Some(&setting.instance))
                    ),
                ));
            }
        }
        // A line goes with the vertex that it would lead to.
        let moved = plan.moved.iter().filter(|e| removed_end(**e).is_none());
        for e in plan.joined.keys().chain(moved) {
            let there = setting
                .layout
                .edge_present(*e)
                .map(|v| (v, Val::Bool(true)));
            let on_it = setting.layout.edge_at(*e);
            let on_it = on_it.map(|v| (v, Val::Piece(Piece::Empty)));
            for (var, value) in there.into_iter().chain(on_it) {
                next.vars[var] = value;
            }
        }
        let mut left = Vec::new();
        if !plan.replaced.is_empty() {
            let mut heaps = Vec::new();
            for (i, h) in state.heaps.iter().enumerate() {
                match plan.replaced.get(&i) {
                    Some((new, _)) => {
                        left.extend(heaps.len()..heaps.len() + new.len());
                        heaps.extend(new.iter().cloned());
                    }
                    None => heaps.push(h.clone()),
                }
            }
            next.heaps = heaps;
        }
        // Rules with `entail` have moves of one stage.
        next.entailed = matches!(self.rule.again, Again::Entail).then_some(left);
        next.settle();
        Ok(Some(next))
    }

    fn is_natural(&self, var: usize) -> bool {
        match self.setting.layout.describe(var) {
            Some((crate::instance::VarKind::State(f), _)) => {
                let decl = self.setting.instance.rules.state.get(f.0 as usize);
                decl.is_some_and(|d| d.natural)
            }
            _ => false,
        }
    }

    /// The new value of a variable.
    fn written(&self, var: usize, w: &Writes, state: &State) -> Res<Val> {
        let name = || draw::var(self.setting, var);
        let shown = |v: &Val| draw::value(v, Some(&self.setting.instance));
        if let Some(((first, at), rest)) = w.set.split_first() {
            let change = w.add.first().or(w.subtract.first());
            if let Some((_, other)) = change {
                return Err(Fault::new(
                    Code::TwoWrites,
                    *other,
                    format!("{} is both set and changed in one `then`", name()),
                )
                .label(*at, "set here"));
            }
            if let Some((second, other)) = rest.iter().find(|(v, _)| v != first) {
                return Err(Fault::new(
                    Code::TwoWrites,
                    *other,
                    format!(
                        "two values for {}: {} and {}",
                        name(),
                        shown(first),
                        shown(second)
                    ),
                )
                .label(*at, "the other value"));
            }
            return Ok(first.clone());
        }
        let gained = total(&w.add)?;
        let lost = total(&w.subtract)?;
        let span = w.add.first().or(w.subtract.first()).map(|s| s.1);
        let span = span.unwrap_or_default();
        let sum = held(state, var).add(&gained).and_then(|n| n.sub(&lost));
        let sum = sum.map_err(|f| crate::eval::ops::arithmetic(f, span))?;
        if self.is_natural(var) && sum.is_negative() {
            return Err(Fault::new(
                Code::NegativeNat,
                span,
                format!("{} is a natural number, it cannot become {sum}", name()),
            ));
        }
        Ok(Val::Int(sum))
    }

    /// The removed places, including the edges at removed sites.
    fn with_edges(&self, removed: &BTreeMap<Place, Span>, state: &State) -> BTreeMap<Place, Span> {
        let mut all = removed.clone();
        let board = &self.setting.board;
        if board.kind.has_edges() {
            for (place, span) in removed {
                if let Place::Site(s) = place {
                    for (e, _) in board.incident(*s) {
                        if state.has_edge(self.setting, e) {
                            all.entry(Place::Edge(e)).or_insert(*span);
                        }
                    }
                }
            }
        }
        all
    }

    /// Removes sites and edges, with the pieces and counts on them.
    fn take_away(&self, removed: &BTreeMap<Place, Span>, next: &mut State) {
        let setting = self.setting;
        for place in removed.keys() {
            let (at, there) = match place {
                Place::Site(s) => (setting.layout.at(*s), setting.layout.present(*s)),
                Place::Edge(e) => (setting.layout.edge_at(*e), setting.layout.edge_present(*e)),
            };
            if let Some(v) = there {
                next.vars[v] = Val::Bool(false);
            }
            if let Some(v) = at {
                let off = if there.is_some() {
                    Piece::Off
                } else {
                    Piece::Wall
                };
                next.vars[v] = Val::Piece(off);
            }
        }
        for (i, declared) in setting.instance.rules.state.iter().enumerate() {
            if declared.fixed {
                continue;
            }
            let f = StateId(u32::try_from(i).unwrap_or(u32::MAX));
            for var in setting.layout.state_range(f) {
                let on_removed = setting.places(var).iter().any(|p| removed.contains_key(p));
                if on_removed && let Some(v) = setting.default(var) {
                    next.vars[var] = v;
                }
            }
        }
    }
}

/// The fault of an edge between vertices that are joined.
pub(crate) fn joined_already(u: &str, v: &str, span: Span) -> Box<Fault> {
    Fault::new(
        Code::TwoWrites,
        span,
        format!("{u} and {v} are joined already"),
    )
    .help(
        "say when an edge is added: `where v not in nbrs(u)`, on a digraph `where v not in out(u)`",
    )
}

/// The fault of one vertex where there must be two.
pub(crate) fn one_vertex(u: &str, span: Span) -> Box<Fault> {
    Fault::new(
        Code::TwoWrites,
        span,
        format!("{u} cannot be joined to itself"),
    )
    .help("say that these are two vertices: `where u != v`")
}

fn held(state: &State, var: usize) -> Int {
    match state.vars.get(var) {
        Some(Val::Int(n)) => n.clone(),
        _ => Int::ZERO,
    }
}

fn total(list: &[(Int, Span)]) -> Res<Int> {
    let mut sum = Int::ZERO;
    for (n, span) in list {
        sum = sum
            .add(n)
            .map_err(|f| crate::eval::ops::arithmetic(f, *span))?;
    }
    Ok(sum)
}

fn place_value(setting: &Setting, place: Place) -> Val {
    match place {
        Place::Site(s) => setting.board.label(s),
        Place::Edge(e) => setting.board.edge(e).unwrap_or(Val::Bool(false)),
    }
}
