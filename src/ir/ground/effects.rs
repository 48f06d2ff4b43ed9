//! Turns the effects of a stage into the plan of an instance: its writes, its removals, and the faults raised when it is
//! played. Open conditions of effects are decided, each way on a path of its own.

use super::Resort;
use super::ask::is_sites;
use super::members::is_site_set;
use super::run::{Frame, Run, World, internal};
use super::symbol::{Held, Path, Stop, Sym, Try};
use super::vars::GroundVar;
use crate::base::Span;
use crate::board::Place as On;
use crate::eval::ops;
use crate::fault::{Code, Fault};
use crate::int::Int;
use crate::model::typed::{
    Builtin, Effect, EffectKind, Expr, ExprKind, Lines, SiteKind, SitesFrom, Sort, Stage, StateId,
    Target,
};
use crate::naive::{joined_already, one_vertex};
use crate::val::{Piece, Val};
use std::collections::{BTreeMap, BTreeSet};

/// Facts about all effects of one `then`.
#[derive(Clone, Copy)]
pub(super) struct Then {
    /// The only effect is a `keep`, and the move ends with it. Only then may it stay open which sites are cut off: a later
    /// stage must read the remaining board, so it could silently lose or gain choices.
    cuts_last: bool,
    /// Some effect may write a piece. Then a wall can be written, so for each cell it must be known whether it is removed.
    puts: bool,
}

impl Then {
    pub(super) fn new(stage: &Stage, rest: &[Stage]) -> Then {
        let is_keep = |e: &Effect| matches!(e.kind, EffectKind::Keep(_));
        Then {
            cuts_last: rest.is_empty() && matches!(&stage.effects[..], [e] if is_keep(e)),
            puts: stage.effects.iter().any(puts),
        }
    }
}

fn puts(effect: &Effect) -> bool {
    match &effect.kind {
        EffectKind::Set(target, _)
        | EffectKind::Add(target, _)
        | EffectKind::Subtract(target, _) => matches!(target, Target::At(_)),
        EffectKind::Each(_, _, inner) => puts(inner),
        _ => false,
    }
}

/// The writes to one variable.
#[derive(Default)]
struct Writes {
    set: Vec<Sym>,
    add: Vec<Int>,
    subtract: Vec<Int>,
    span: Span,
}

/// All actions of one `then`, before they are performed.
#[derive(Default)]
pub(super) struct Plan {
    writes: BTreeMap<u32, Writes>,
    removed: BTreeSet<On>,
    joined: BTreeMap<u32, Span>,
    /// Lines that go on from another vertex, which `merge` has made one with theirs.
    moved: BTreeSet<u32>,
    keep: Option<u32>,
    /// Variables whose write merges a conditional effect with no change.
    merged: BTreeSet<u32>,
    /// A fault that counts only if the choice is a legal move.
    fault: Option<Box<Fault>>,
}

impl Plan {
    fn later(&mut self, code: Code, span: Span, message: impl Into<String>) {
        if self.fault.is_none() {
            self.fault = Some(Fault::new(code, span, message));
        }
    }
}

impl Run<'_> {
    pub(super) fn plan(
        &self,
        effect: &Effect,
        then: Then,
        frame: &mut Frame,
        path: &mut Path,
        plan: &mut Plan,
    ) -> Try<()> {
        let span = effect.span;
        match &effect.kind {
            EffectKind::Set(target, e) => {
                let value = self.eval(e, frame, path)?;
                if let Some(var) = self.target(target, span, frame, path, plan)?
                    && let Some(value) = self.fit(var, value, e.span, path, plan)?
                {
                    let writes = plan.writes.entry(var).or_default();
                    writes.set.push(value);
                    writes.span = span;
                }
            }
            EffectKind::Add(target, e) => {
                let n = self.know_int(e, frame, path)?;
                if let Some(var) = self.target(target, span, frame, path, plan)? {
                    let writes = plan.writes.entry(var).or_default();
                    writes.add.push(n);
                    writes.span = span;
                }
            }
            EffectKind::Subtract(target, e) => {
                let n = self.know_int(e, frame, path)?;
                if let Some(var) = self.target(target, span, frame, path, plan)? {
                    let writes = plan.writes.entry(var).or_default();
                    writes.subtract.push(n);
                    writes.span = span;
                }
            }
            EffectKind::Remove(list) => {
                for e in list {
                    self.remove(e, then, frame, path, plan)?;
                }
            }
            EffectKind::Keep(e) => self.keep(e, then, frame, path, plan)?,
            EffectKind::Join(u, v) => {
                let ends = [
                    self.know_expr(u, frame, path)?,
                    self.know_expr(v, frame, path)?,
                ];
                match self.line(&ends, span, path)? {
                    Ok(e) => _ = plan.joined.entry(e).or_insert(span),
                    Err(fault) => _ = plan.fault.get_or_insert(fault),
                }
            }
            EffectKind::Merge(u, v) => {
                let ends = [
                    self.know_expr(u, frame, path)?,
                    self.know_expr(v, frame, path)?,
                ];
                match self.two_vertices(&ends, span, path)? {
                    Ok(ends) => self.merge(ends, path, plan)?,
                    Err(fault) => _ = plan.fault.get_or_insert(fault),
                }
            }
            EffectKind::Replace { .. } => {
                return Err(Stop::Cannot("heaps are not variables".into()));
            }
            EffectKind::Each(binders, phi, inner) => {
                self.each_choice(
                    binders,
                    frame,
                    path,
                    &mut Vec::new(),
                    &mut |run, frame, path, needs| {
                        for need in needs {
                            if !run.decide(need, path)? {
                                return Ok(false);
                            }
                        }
                        if let Some(phi) = phi {
                            if run.world.fallbacks.merging != Resort::Never
                                && run.merged(phi, inner, frame, path, plan)?
                            {
                                return Ok(false);
                            }
                            if !run.decide_expr(phi, frame, path)? {
                                return Ok(false);
                            }
                        }
                        run.plan(inner, then, frame, path, plan)?;
                        Ok(false)
                    },
                )?;
            }
        }
        Ok(())
    }

    /// Plans `effect` under the condition `phi` without a decision, if both depend only on the variable written: together
    /// they are one function of its value, which leaves it unchanged if the condition fails. Returns false if they are not
    /// of this form.
    fn merged(
        &self,
        phi: &Expr,
        effect: &Effect,
        frame: &mut Frame,
        path: &mut Path,
        plan: &mut Plan,
    ) -> Try<bool> {
        let EffectKind::Set(target, e) = &effect.kind else {
            return Ok(false);
        };
        let mut trial = Plan::default();
        let known = self.softly(|| {
            let holds = self.eval(phi, frame, path)?;
            let var = self.target(target, effect.span, frame, path, &mut trial)?;
            let value = self.eval(e, frame, path)?;
            let value = match var {
                Some(var) => self.fit(var, value, e.span, path, &mut trial)?,
                None => None,
            };
            Ok((holds, var, value))
        });
        let Some((Sym::If(asked, holds), Some(var), Some(value))) = known else {
            return Ok(false);
        };
        let before = self.world.read(var, path);
        let own = |s: &Sym| s.var().is_none_or(|of| of == var);
        if asked != var || !own(&value) || !own(&before) || trial.fault.is_some() {
            return Ok(false);
        }
        let wrongly = self.world.fallbacks.merging == Resort::Wrongly;
        let written = self.world.function(var, path, |i| {
            let done = wrongly || holds >> i & 1 == 1;
            let after = if done { &value } else { &before };
            after.at(i).into_owned()
        });
        let writes = plan.writes.entry(var).or_default();
        writes.set.push(written);
        writes.span = effect.span;
        plan.merged.insert(var);
        Ok(true)
    }

    /// The variable that is written; off the board `None`, and a fault for later.
    fn target(
        &self,
        target: &Target,
        span: Span,
        frame: &mut Frame,
        path: &mut Path,
        plan: &mut Plan,
    ) -> Try<Option<u32>> {
        let setting = self.world.setting;
        let vars = self.world.vars;
        let var = match target {
            Target::At(site) => {
                let v = self.know_expr(site, frame, path)?;
                let var = match &v {
                    Val::Edge(_) => setting.board.find_edge(&v).and_then(|e| vars.edge(e)),
                    _ => setting.board.find(&v).and_then(|s| vars.site(s)),
                };
                let pieces = var.filter(|var| {
                    matches!(
                        vars.list.get(*var as usize),
                        Some(GroundVar::Site(_) | GroundVar::Edge(_))
                    )
                });
                if pieces.is_none() {
                    plan.later(
                        Code::OffBoard,
                        span,
                        format!(
                            "a write off the board: there is no {}",
                            crate::draw::label(&v)
                        ),
                    );
                }
                pieces
            }
            Target::State(f, args) => {
                let args = self.know_all(args, frame, path)?;
                let var = setting.state_var(*f, &args).and_then(|v| vars.state(v));
                if var.is_none() {
                    plan.later(Code::OffBoard, span, "a write off the board");
                }
                var
            }
        };
        let Some(var) = var else { return Ok(None) };
        for place in self.places_of(var) {
            // A wall is a value of its cell and can be written; other removed places cannot.
            let there = match place {
                On::Site(_) if setting.board.has_cells() => continue,
                On::Site(s) => vec![self.has_site(s, path)],
                On::Edge(e) => self.has_edge(e, path),
            };
            for need in there {
                if !self.decide(&need, path)? {
                    plan.later(
                        Code::OffBoard,
                        span,
                        "a write to a site that was removed before",
                    );
                    return Ok(None);
                }
            }
        }
        Ok(Some(var))
    }

    fn places_of(&self, var: u32) -> Vec<On> {
        match self.world.vars.list.get(var as usize) {
            Some(GroundVar::Site(s) | GroundVar::Present(s)) => vec![On::Site(*s)],
            Some(GroundVar::Edge(e) | GroundVar::EdgePresent(e)) => vec![On::Edge(*e)],
            Some(GroundVar::State(v)) => self.world.setting.places(*v),
            None => Vec::new(),
        }
    }

    fn decl(&self, var: u32) -> Option<&crate::model::typed::StateVar> {
        let setting = self.world.setting;
        match self.world.vars.list.get(var as usize) {
            Some(GroundVar::State(v)) => match setting.var(*v) {
                Some(crate::Var::State(StateId(f), _)) => {
                    setting.instance.rules.state.get(f as usize)
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// Converts a value to the sort of the variable.
    fn fit(
        &self,
        var: u32,
        value: Sym,
        span: Span,
        path: &mut Path,
        plan: &mut Plan,
    ) -> Try<Option<Sym>> {
        let board = &self.world.setting.board;
        let bad = |v: &Val| -> bool {
            match self.decl(var) {
                None => *v == Val::Piece(Piece::Off),
                Some(decl) => match (&decl.sort, v) {
                    (Sort::Int, Val::Int(n)) => decl.natural && n.is_negative(),
                    (Sort::Site(SiteKind::Edge), v) => board.find_edge(v).is_none(),
                    (Sort::Site(SiteKind::Heap), _) => false,
                    (Sort::Site(_) | Sort::Label, v) => board.find(v).is_none(),
                    _ => false,
                },
            }
        };
        let is_bad = self.lift(value.clone(), path, |v| Ok(Val::Bool(bad(v))))?;
        if self.decide(&is_bad, path)? {
            plan.later(Code::OffBoard, span, "this value cannot be stored there");
            return Ok(None);
        }
        let sites = matches!(
            self.decl(var).map(|d| &d.sort),
            Some(
                Sort::Site(
                    SiteKind::StripCell | SiteKind::GridCell | SiteKind::Vertex | SiteKind::Element
                ) | Sort::Label
            )
        );
        if sites {
            // Sites are stored by their label.
            return self
                .lift(value, path, |v| {
                    Ok(match board.find(v) {
                        Some(s) => board.label(s),
                        None => v.clone(),
                    })
                })
                .map(Some);
        }
        Ok(Some(value))
    }

    fn place(&self, v: &Val) -> Option<On> {
        let board = &self.world.setting.board;
        match v {
            Val::Edge(_) => board.find_edge(v).map(On::Edge),
            _ => board.find(v).map(On::Site),
        }
    }

    fn remove(
        &self,
        e: &Expr,
        then: Then,
        frame: &mut Frame,
        path: &mut Path,
        plan: &mut Plan,
    ) -> Try<()> {
        let cells = self.world.setting.board.has_cells();
        // Removing a removed site again has no effect. So if a site is missing from a set only when it is removed, all
        // possible members can be removed without a decision.
        if !(cells && then.puts)
            && let ExprKind::Builtin(b, args) = &*e.kind
            && is_site_set(*b)
            && !matches!(
                b,
                Builtin::SitesFrom(
                    SitesFrom::Ray | SitesFrom::Slide | SitesFrom::Reach | SitesFrom::Component
                )
            )
            && !args
                .first()
                .is_some_and(|a| matches!(a.sort, Sort::Board | Sort::Position))
            && !self.world.vars.state_on_places
            && (self.world.vars.fixed_edges || !self.world.setting.board.kind.has_edges())
        {
            let members = self.members(e, frame, path)?;
            // The set is empty if its argument is removed itself, unless that is a cell, which keeps its place.
            if let Some(first) = args.first().filter(|_| !cells) {
                let v = self.know_expr(first, frame, path)?;
                if let Some(s) = self.world.setting.board.find(&v) {
                    let own = self.has_site(s, path);
                    if !self.decide(&own, path)? {
                        return Ok(());
                    }
                }
            }
            for m in members {
                let v = self.know(m.value, path)?;
                plan.removed.extend(self.place(&v));
            }
            return Ok(());
        }
        if !(cells && then.puts)
            && let Some(sites) = self.missing_where_gone(e, frame, path)
        {
            plan.removed.extend(sites.into_iter().map(On::Site));
            return Ok(());
        }
        let set = matches!(e.sort, Sort::Set(_) | Sort::List(_));
        let v = if set {
            self.known_members(e, frame, path)?
        } else {
            self.know_expr(e, frame, path)?
        };
        let items = v.elements().unwrap_or(std::slice::from_ref(&v));
        for item in items {
            match self.place(item) {
                Some(p) => {
                    plan.removed.insert(p);
                }
                None => plan.later(
                    Code::OffBoard,
                    e.span,
                    format!(
                        "a write off the board: there is no {}",
                        crate::draw::label(item)
                    ),
                ),
            }
        }
        Ok(())
    }

    /// The possible members of a set of sites, if each is missing from it only where it is gone, and it takes no decision to
    /// see this. Then all of them can be removed, since removing a removed site again has no effect.
    fn missing_where_gone(&self, e: &Expr, frame: &mut Frame, path: &mut Path) -> Option<Vec<u32>> {
        let World {
            setting,
            vars,
            fallbacks,
            ..
        } = self.world;
        let edges = !vars.fixed_edges && setting.board.kind.has_edges();
        if fallbacks.sets == Resort::Never || !is_sites(&e.sort) || vars.state_on_places || edges {
            return None;
        }
        let wrongly = fallbacks.merging == Resort::Wrongly;
        let members = self.softly(|| self.each_member(e, frame, path))?;
        let members = members.into_iter().map(|(v, here)| {
            let On::Site(site) = self.place(&v)? else {
                return None;
            };
            let there = self.has_site(site, path);
            let missing = self.both(there, self.world.negated(here, path), path)?;
            (wrongly || missing.is(false)).then_some(site)
        });
        members.collect()
    }

    fn keep(
        &self,
        e: &Expr,
        then: Then,
        frame: &mut Frame,
        path: &mut Path,
        plan: &mut Plan,
    ) -> Try<()> {
        let setting = self.world.setting;
        let board = &setting.board;
        // Reachability is computed in play: the instance stores the starting site.
        if let ExprKind::Builtin(Builtin::SitesFrom(SitesFrom::Reach | SitesFrom::Component), args) =
            &*e.kind
            && let [site] = &args[..]
            && !matches!(site.sort, Sort::Board | Sort::Position)
            && board.kind.lines() == Lines::Edges
            && then.cuts_last
            && board.spare == 0
            && !self.world.vars.state_on_places
            && !self.world.vars.fixed_edges
        {
            let v = self.know_expr(site, frame, path)?;
            if let Some(s) = board.find(&v) {
                plan.keep = Some(s);
                return Ok(());
            }
        }
        let kept = self.known_members(e, frame, path)?;
        let kept = kept.elements().unwrap_or(&[]);
        let edges = match &e.sort {
            Sort::Set(s) | Sort::List(s) => **s == Sort::Site(SiteKind::Edge),
            _ => false,
        };
        if self.world.vars.state_on_places {
            return Err(Stop::Cannot("`keep` beside counts on sites".into()));
        }
        let stay: BTreeSet<On> = kept.iter().filter_map(|v| self.place(v)).collect();
        if edges || kept.iter().any(|v| matches!(v, Val::Edge(_))) {
            let all = (0u32..).take(board.lines.len()).map(On::Edge);
            plan.removed.extend(all.filter(|p| !stay.contains(p)));
        } else {
            for s in (0u32..).take(board.sites()) {
                if stay.contains(&On::Site(s)) {
                    continue;
                }
                if board.has_cells() && then.puts {
                    let there = self.has_site(s, path);
                    if !self.decide(&there, path)? {
                        continue;
                    }
                }
                plan.removed.insert(On::Site(s));
            }
        }
        Ok(())
    }

    /// Two vertices that are there and are not one, or the fault.
    fn two_vertices(
        &self,
        ends: &[Val; 2],
        span: Span,
        path: &mut Path,
    ) -> Try<Result<[u32; 2], Box<Fault>>> {
        let board = &self.world.setting.board;
        let shown = crate::draw::label;
        let mut sites = [0; 2];
        for (site, v) in sites.iter_mut().zip(ends) {
            let found = board.find(v);
            let there = match found {
                Some(s) => {
                    let there = self.has_site(s, path);
                    self.decide(&there, path)?
                }
                None => false,
            };
            match found {
                Some(s) if there => *site = s,
                _ => {
                    let message = format!("there is no {} to be joined", shown(v));
                    return Ok(Err(Fault::new(Code::OffBoard, span, message)));
                }
            }
        }
        Ok(match sites[0] == sites[1] {
            true => Err(one_vertex(&shown(&ends[0]), span)),
            false => Ok(sites),
        })
    }

    /// The line that joins two vertices that no line joins now, or the fault.
    fn line(&self, ends: &[Val; 2], span: Span, path: &mut Path) -> Try<Result<u32, Box<Fault>>> {
        let [u, v] = match self.two_vertices(ends, span, path)? {
            Ok(ends) => ends,
            Err(fault) => return Ok(Err(fault)),
        };
        let shown = crate::draw::label;
        let line = self.absent_line(u, v, path)?;
        Ok(line.ok_or_else(|| joined_already(&shown(&ends[0]), &shown(&ends[1]), span)))
    }

    /// Whether an edge is there.
    fn edge_is_there(&self, e: u32, path: &mut Path) -> Try<bool> {
        for need in self.has_edge(e, path) {
            if !self.decide(&need, path)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// A line between two vertices; `None` if one is there already.
    fn absent_line(&self, u: u32, v: u32, path: &mut Path) -> Try<Option<u32>> {
        let mut absent = None;
        for e in self.world.setting.board.between(u, v) {
            if self.edge_is_there(e, path)? {
                return Ok(None);
            }
            absent = absent.or(Some(e));
        }
        Ok(absent)
    }

    /// Takes the second vertex away and lets its lines go on from the first.
    fn merge(&self, [u, v]: [u32; 2], path: &mut Path, plan: &mut Plan) -> Try<()> {
        let board = &self.world.setting.board;
        plan.removed.insert(On::Site(v));
        let leaving = board.leaving(v).iter().map(|(e, w)| (*e, *w, [u, *w]));
        let entering = board.entering(v).iter().map(|(e, w)| (*e, *w, [*w, u]));
        for (e, w, [from, to]) in leaving.chain(entering) {
            if w != u && w != v && self.edge_is_there(e, path)? {
                plan.moved.extend(self.absent_line(from, to, path)?);
            }
        }
        Ok(())
    }

    /// Performs the plan; false if the choice is not a legal move.
    pub(super) fn apply(&self, plan: Plan, path: &mut Path) -> Try<bool> {
        let World { setting, vars, .. } = self.world;
        let arithmetic = |span: Span| move |f| Stop::from(ops::arithmetic(f, span));
        let total = |list: &[Int], span: Span| -> Try<Int> {
            let mut sum = Int::ZERO;
            for n in list {
                sum = sum.add(n).map_err(arithmetic(span))?;
            }
            Ok(sum)
        };
        let natural = |var: u32| self.decl(var).is_some_and(|d| d.natural);
        // As in a Petri net, a transition needs its tokens: a natural from which too much is subtracted makes the move
        // illegal.
        for (var, w) in &plan.writes {
            if natural(*var) && !w.subtract.is_empty() {
                let taken = total(&w.subtract, w.span)?;
                let held = self.world.read(*var, path);
                let enough = self.lift(held, path, |v| match v {
                    Val::Int(n) => Ok(Val::Bool(*n >= taken)),
                    _ => Err(internal(w.span, "not an integer")),
                })?;
                if !self.decide(&enough, path)? {
                    return Ok(false);
                }
            }
        }
        if let Some(fault) = plan.fault {
            return Err(fault.into());
        }
        let mut removed = plan.removed.clone();
        if setting.board.kind.has_edges() && !vars.fixed_edges {
            for place in &plan.removed {
                if let On::Site(s) = place {
                    removed.extend(setting.board.incident(*s).map(|(e, _)| On::Edge(e)));
                }
            }
        }
        let mut after: Vec<(u32, Held)> = Vec::new();
        for (var, w) in &plan.writes {
            let alone = w.set.len() == 1 && w.add.is_empty() && w.subtract.is_empty();
            let stays = !self.places_of(*var).iter().any(|p| removed.contains(p));
            if plan.merged.contains(var) && !(alone && stays) {
                return Err(Stop::Cannot(
                    "two effects on one site, one of them under a condition".into(),
                ));
            }
            if self.places_of(*var).iter().any(|p| removed.contains(p)) {
                return Err(Fault::new(
                    Code::RemovedAndWritten,
                    w.span,
                    "a site is removed and written in one `then`",
                )
                .into());
            }
            after.push((*var, self.written(*var, w, natural(*var), path, &total)?));
        }
        for (var, held) in after {
            path.write(var, held);
        }
        for place in &removed {
            let var = match place {
                On::Site(s) => vars.site(*s),
                On::Edge(e) => vars.edge(*e),
            };
            let Some(var) = var else { continue };
            let gone = match vars.list.get(var as usize) {
                Some(GroundVar::Site(_)) if setting.board.has_cells() => Val::Piece(Piece::Wall),
                Some(GroundVar::Site(_) | GroundVar::Edge(_)) => Val::Piece(Piece::Off),
                _ => Val::Bool(false),
            };
            path.write(var, Held::Set(Sym::Is(gone)));
        }
        if vars.state_on_places && !removed.is_empty() {
            for (i, var) in vars.list.iter().enumerate() {
                if let GroundVar::State(v) = var
                    && setting.places(*v).iter().any(|p| removed.contains(p))
                    && let Some(value) = setting.default(*v)
                {
                    let var = u32::try_from(i).unwrap_or(u32::MAX);
                    path.write(var, Held::Set(Sym::Is(value)));
                }
            }
        }
        let loses_an_end = |e: u32| {
            let (u, v) = setting.board.lines[e as usize];
            [u, v].iter().any(|s| removed.contains(&On::Site(*s)))
        };
        for (e, span) in &plan.joined {
            if loses_an_end(*e) {
                return Err(Fault::new(
                    Code::RemovedAndWritten,
                    *span,
                    "a site is removed and joined in one `then`",
                )
                .into());
            }
        }
        // A line goes with the vertex that it would lead to.
        let moved = plan.moved.iter().filter(|e| !loses_an_end(**e));
        for e in plan.joined.keys().chain(moved) {
            let Some(var) = vars.edge(*e) else { continue };
            let there = match vars.list.get(var as usize) {
                Some(GroundVar::Edge(_)) => Val::Piece(Piece::Empty),
                _ => Val::Bool(true),
            };
            path.write(var, Held::Set(Sym::Is(there)));
        }
        path.keep = plan.keep;
        Ok(true)
    }

    fn written(
        &self,
        var: u32,
        w: &Writes,
        natural: bool,
        path: &mut Path,
        total: &dyn Fn(&[Int], Span) -> Try<Int>,
    ) -> Try<Held> {
        if let Some((first, rest)) = w.set.split_first() {
            let two = |message: &str| Stop::from(Fault::new(Code::TwoWrites, w.span, message));
            if !w.add.is_empty() || !w.subtract.is_empty() {
                return Err(two("a variable is both set and changed in one `then`"));
            }
            for other in rest {
                let same = self.same(first.clone(), other.clone(), w.span, path)?;
                if !self.decide(&same, path)? {
                    return Err(two("two values for one variable"));
                }
            }
            return Ok(Held::Set(self.world.simple(first.clone(), path)));
        }
        let gained = total(&w.add, w.span)?;
        let lost = total(&w.subtract, w.span)?;
        let banked = self.world.banked.contains_key(&var);
        if banked || w.subtract.is_empty() && !gained.is_negative() {
            let gained = match banked {
                true => gained
                    .sub(&lost)
                    .map_err(|f| Stop::from(ops::arithmetic(f, w.span)))?,
                false => gained.clone(),
            };
            let before = match path.holds(var) {
                None => Some(0),
                Some(Held::Plus(k)) => Some(*k),
                Some(Held::Set(_)) => None,
            };
            if let (Some(before), Some(gained)) = (before, gained.to_i64()) {
                return Ok(Held::Plus(before.saturating_add(gained)));
            }
        }
        let held = self.world.read(var, path);
        let sum = self.lift(held, path, |v| match v {
            Val::Int(n) => Ok(Val::Int(
                n.add(&gained)
                    .and_then(|n| n.sub(&lost))
                    .map_err(|f| Stop::from(ops::arithmetic(f, w.span)))?,
            )),
            _ => Err(internal(w.span, "not an integer")),
        })?;
        if natural {
            let below = self.lift(sum.clone(), path, |v| {
                Ok(Val::Bool(matches!(v, Val::Int(n) if n.is_negative())))
            })?;
            if self.decide(&below, path)? {
                return Err(Fault::new(
                    Code::NegativeNat,
                    w.span,
                    "a natural number cannot become negative",
                )
                .into());
            }
        }
        Ok(Held::Set(self.world.simple(sum, path)))
    }
}
