//! Sets of sites that depend on the position, represented by all possible members with their conditions; and binders, which
//! range over such sets.

mod sites;

use super::run::{Frame, Member, Run, internal};
use super::symbol::{Path, Stop, Sym, Try};
use crate::base::Span;
use crate::eval::binders::places;
use crate::eval::ops;
use crate::int::Int;
use crate::model::typed::{Binder, BinderKind, Builtin, Expr, ExprKind, Op, Place, SiteKind, Sort};
use crate::val::{Piece, Val};
use rustc_hash::FxHashSet;
pub(super) use sites::is_site_set;

/// The maximal size of a set whose subsets are enumerated.
const MAX_SUBSETS: usize = 12;

/// The maximal number of functions in one choice; it equals the maximal number of instances of a board.
const MAX_FUNCTIONS: usize = 100_000;

/// Values for the places of a binder, and the conditions under which they are a choice.
pub(super) type Candidate = (Vec<Sym>, Vec<Sym>);

/// The callback for a choice and its conditions; true ends the enumeration.
pub(super) type Each<'e, 'w> =
    &'e mut dyn FnMut(&Run<'w>, &mut Frame, &mut Path, &[Sym]) -> Try<bool>;

impl<'w> Run<'w> {
    /// Enumerates the choices of some binders; returns whether `each` ended the enumeration.
    pub(super) fn each_choice(
        &self,
        binders: &[Binder],
        frame: &mut Frame,
        path: &mut Path,
        needs: &mut Vec<Sym>,
        each: Each<'_, 'w>,
    ) -> Try<bool> {
        let Some((first, rest)) = binders.split_first() else {
            return each(self, frame, path, needs);
        };
        let places = places(first);
        let Some(candidates) =
            self.reached(needs, path, |run, path| run.each_once(first, frame, path))?
        else {
            return Ok(false);
        };
        for (values, own) in candidates {
            self.world.charge(1)?;
            let before = needs.len();
            needs.extend(own);
            let mut filled = Vec::new();
            for (place, value) in places.iter().zip(values) {
                match place {
                    Place::New(slot) => {
                        frame.set(*slot, Some(value));
                        filled.push(*slot);
                    }
                    Place::Same(slot) => {
                        let bound = frame.get(*slot).cloned();
                        let bound = bound.ok_or_else(|| internal(first.span, "unbound"))?;
                        needs.push(self.same(bound, value, first.span, path)?);
                    }
                }
            }
            let never = needs[before..]
                .iter()
                .any(|n| self.world.simple(n.clone(), path).is(false));
            let ended = if never {
                Ok(false)
            } else {
                self.each_choice(rest, frame, path, needs, each)
            };
            for slot in filled {
                frame.set(slot, None);
            }
            needs.truncate(before);
            if ended? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The result of `find` for a choice with these conditions. If `find` raises a fault, the conditions are decided: where
    /// they fail there is no choice and thus no fault, and the result is `None`.
    fn reached<T>(
        &self,
        needs: &[Sym],
        path: &mut Path,
        find: impl FnOnce(&Run<'w>, &mut Path) -> Try<T>,
    ) -> Try<Option<T>> {
        match find(self, path) {
            Err(Stop::Fault(fault)) => {
                for need in needs {
                    if !self.decide(need, path)? {
                        return Ok(None);
                    }
                }
                Err(Stop::Fault(fault))
            }
            found => found.map(Some),
        }
    }

    /// The candidates of a binder, with each element of a set only once even if it can be in the set in two ways.
    pub(super) fn each_once(
        &self,
        binder: &Binder,
        frame: &mut Frame,
        path: &mut Path,
    ) -> Try<Vec<Candidate>> {
        let BinderKind::In(_, set) = &binder.kind else {
            return self.candidates(binder, frame, path);
        };
        let found = self.candidates(binder, frame, path)?;
        let is_range = matches!(&*set.kind, ExprKind::Binary(Op::Range, ..));
        if is_range || !matches!(set.sort, Sort::Set(_)) {
            return Ok(found);
        }
        let mut seen = FxHashSet::default();
        let apart = |(values, _): &Candidate| {
            values.iter().all(|v| matches!(v, Sym::Is(_))) && seen.insert(values.clone())
        };
        if found.iter().all(apart) {
            return Ok(found);
        }
        let mut once: Vec<Candidate> = Vec::new();
        'found: for (values, needs) in found {
            for need in needs {
                if !self.decide(&need, path)? {
                    continue 'found;
                }
            }
            let values: Try<Vec<Sym>> = values
                .into_iter()
                .map(|v| Ok(Sym::Is(self.know(v, path)?)))
                .collect();
            let one = (values?, Vec::new());
            if !once.contains(&one) {
                once.push(one);
            }
        }
        Ok(once)
    }

    pub(super) fn same(&self, a: Sym, b: Sym, span: Span, path: &mut Path) -> Try<Sym> {
        self.lift2(a, b, path, |a, b| Ok(ops::binary(Op::Is, a, b, span)?))
    }

    /// The candidates of one binder.
    pub(super) fn candidates(
        &self,
        binder: &Binder,
        frame: &mut Frame,
        path: &mut Path,
    ) -> Try<Vec<Candidate>> {
        let setting = self.world.setting;
        let board = &setting.board;
        let one = |v: Val, needs: Vec<Sym>| (vec![Sym::Is(v)], needs);
        Ok(match &binder.kind {
            BinderKind::In(places, set) => {
                let mut found = Vec::new();
                for m in self.members(set, frame, path)? {
                    if places.len() == 1 {
                        found.push((vec![m.value], m.needs));
                    } else if let Some(parts) = self.know(m.value, path)?.parts()
                        && parts.len() == places.len()
                    {
                        found.push((parts.into_iter().map(Sym::Is).collect(), m.needs));
                    }
                }
                found
            }
            BinderKind::Is { value, cell, .. } => {
                let v = self.eval(value, frame, path)?;
                if !*cell {
                    return Ok(vec![(vec![v], Vec::new())]);
                }
                let v = self.know(v, path)?;
                let needs = match &v {
                    Val::Edge(_) => match board.find_edge(&v) {
                        Some(e) => self.has_edge(e, path),
                        None => return Ok(Vec::new()),
                    },
                    _ => match board.find(&v) {
                        Some(s) => vec![self.has_site(s, path)],
                        None => return Ok(Vec::new()),
                    },
                };
                vec![one(v, needs)]
            }
            BinderKind::Sites(_, SiteKind::Edge) | BinderKind::Edges(_) => {
                let all = self.edges(path);
                all.into_iter().map(|(_, v, needs)| one(v, needs)).collect()
            }
            BinderKind::Sites(_, SiteKind::Heap) | BinderKind::Heap { .. } => {
                return Err(Stop::Cannot("heaps are not variables".into()));
            }
            BinderKind::Sites(..) => {
                let all = self.sites(path);
                all.into_iter().map(|m| (vec![m.value], m.needs)).collect()
            }
            BinderKind::Pieces(_) => (0u16..)
                .take(setting.instance.pieces.len())
                .map(|c| one(Val::Piece(Piece::Declared(c)), Vec::new()))
                .collect(),
            BinderKind::Arcs(..) | BinderKind::Lines(..) => {
                if !board.kind.has_edges() {
                    return Err(internal(binder.span, "a board without edges"));
                }
                let both = matches!(binder.kind, BinderKind::Lines(..));
                let mut found = Vec::new();
                for (e, _, needs) in self.edges(path) {
                    let (u, v) = board.lines[e as usize];
                    let ends =
                        |a: u32, b: u32| vec![Sym::Is(board.label(a)), Sym::Is(board.label(b))];
                    found.push((ends(u, v), needs.clone()));
                    if both && u != v {
                        found.push((ends(v, u), needs));
                    }
                }
                found
            }
        })
    }

    fn sites(&self, path: &Path) -> Vec<Member> {
        let board = &self.world.setting.board;
        let mut found = Vec::with_capacity(board.sites());
        for s in (0u32..).take(board.sites()) {
            let here = self.has_site(s, path);
            if !here.is(false) {
                found.push(Member {
                    value: Sym::Is(board.label(s)),
                    needs: only(here),
                });
            }
        }
        found
    }

    fn edges(&self, path: &Path) -> Vec<(u32, Val, Vec<Sym>)> {
        let board = &self.world.setting.board;
        if !board.kind.has_edges() {
            return Vec::new();
        }
        let mut found = Vec::new();
        for e in (0u32..).take(board.lines.len()) {
            let needs = needed(self.has_edge(e, path));
            if let Some(v) = board.edge(e)
                && !needs.iter().any(|n| n.is(false))
            {
                found.push((e, v, needs));
            }
        }
        found
    }

    /// The members of a set or list.
    pub(super) fn members(&self, e: &Expr, frame: &mut Frame, path: &mut Path) -> Try<Vec<Member>> {
        match &*e.kind {
            ExprKind::Slot(s) if let Some(set) = frame.open(*s) => {
                let member = |(v, here): &(Val, Sym)| Member {
                    value: Sym::Is(v.clone()),
                    needs: only(self.world.simple(here.clone(), path)),
                };
                let members = set.iter().map(member);
                Ok(members
                    .filter(|m| !m.needs.iter().any(|n| n.is(false)))
                    .collect())
            }
            ExprKind::Binary(Op::Range, from, to) => {
                let from = self.know_int(from, frame, path)?;
                let to = self.eval(to, frame, path)?;
                let span = e.span;
                let top = match &to {
                    Sym::Is(Val::Int(n)) => n.clone(),
                    Sym::Of(var, table) => {
                        let left = self.world.left(path, *var);
                        let values = super::symbol::bits(left).filter_map(|i| table[i].as_int());
                        values.max().cloned().unwrap_or_default()
                    }
                    _ => return Err(internal(span, "not an integer")),
                };
                let mut found = Vec::new();
                let mut n = from;
                while n <= top {
                    self.world.charge(1)?;
                    let v = Val::Int(n.clone());
                    let need = self.at_most(&v, to.clone(), span, path)?;
                    found.push(Member {
                        value: Sym::Is(v),
                        needs: only(need),
                    });
                    n = n.add(&Int::ONE).map_err(|f| ops::arithmetic(f, span))?;
                }
                Ok(found)
            }
            ExprKind::Binary(Op::Add, a, b) => {
                let mut all = self.members(a, frame, path)?;
                all.extend(self.members(b, frame, path)?);
                Ok(all)
            }
            ExprKind::Binary(Op::Subtract, a, b) => {
                let without = self.known_members(b, frame, path)?;
                let without = without.elements().unwrap_or(&[]).to_vec();
                let mut all = Vec::new();
                for m in self.members(a, frame, path)? {
                    let v = self.know(m.value, path)?;
                    if !without.contains(&v) {
                        all.push(Member {
                            value: Sym::Is(v),
                            needs: m.needs,
                        });
                    }
                }
                Ok(all)
            }
            ExprKind::Elements(items) => items
                .iter()
                .map(|e| {
                    Ok(Member {
                        value: self.eval(e, frame, path)?,
                        needs: Vec::new(),
                    })
                })
                .collect(),
            ExprKind::For(body, binders, phi) => {
                let mut found = Vec::new();
                self.each_choice(
                    binders,
                    frame,
                    path,
                    &mut Vec::new(),
                    &mut |run, frame, path, needs| {
                        let mut needs = needed(needs.iter().cloned());
                        if let Some(phi) = phi {
                            match run.eval_softly(phi, frame, path) {
                                Some(s) => needs.push(s),
                                None => {
                                    for need in needs.drain(..) {
                                        if !run.decide(&need, path)? {
                                            return Ok(false);
                                        }
                                    }
                                    if !run.decide_expr(phi, frame, path)? {
                                        return Ok(false);
                                    }
                                }
                            }
                        }
                        let needs = needed(needs);
                        if needs
                            .iter()
                            .any(|n| run.world.simple(n.clone(), path).is(false))
                        {
                            return Ok(false);
                        }
                        let value =
                            run.reached(&needs, path, |run, path| run.eval(body, frame, path))?;
                        found.extend(value.map(|value| Member { value, needs }));
                        Ok(false)
                    },
                )?;
                Ok(found)
            }
            ExprKind::If(phi, a, b) => match self.decide_expr(phi, frame, path)? {
                true => self.members(a, frame, path),
                false => self.members(b, frame, path),
            },
            ExprKind::Builtin(Builtin::Functions, args) if args.len() == 1 => {
                self.functions(&args[0], frame, path)
            }
            ExprKind::Builtin(Builtin::Subsets, args) if args.len() == 1 => {
                let all = self.members(&args[0], frame, path)?;
                if all.len() > MAX_SUBSETS {
                    return Err(Stop::Cannot("too many subsets".into()));
                }
                let mut values = Vec::new();
                for m in &all {
                    values.push(self.know(m.value.clone(), path)?);
                }
                let mut found = Vec::new();
                for chosen in 0u32..1 << all.len() {
                    self.world.charge(1)?;
                    let of = |i: &usize| chosen >> i & 1 == 1;
                    let inside: Vec<usize> = (0..all.len()).filter(of).collect();
                    found.push(Member {
                        value: Sym::Is(Val::set(
                            inside.iter().map(|i| values[*i].clone()).collect(),
                        )),
                        needs: inside.iter().flat_map(|i| all[*i].needs.clone()).collect(),
                    });
                }
                Ok(found)
            }
            ExprKind::Builtin(b @ (Builtin::Heaps | Builtin::AllSites(_)), args) => {
                self.all_sites(*b, args, frame, path)
            }
            ExprKind::Builtin(Builtin::SitesFrom(from), args) => {
                self.sites_from(*from, args, e.span, frame, path)
            }
            ExprKind::Builtin(
                Builtin::Players | Builtin::Pieces | Builtin::Ends | Builtin::Drawn(_),
                _,
            )
            | ExprKind::Slot(_)
            | ExprKind::Call(..)
            | ExprKind::Index(..)
            | ExprKind::State(..) => {
                let v = self.know_expr(e, frame, path)?;
                let Some(items) = v.elements() else {
                    return Err(internal(e.span, "not a set or list"));
                };
                Ok(items.iter().cloned().map(fixed).collect())
            }
            _ => Err(Stop::Cannot("a set of a form that is not grounded".into())),
        }
    }

    /// All functions, given as `[[(x, v) for v in E] for x in S]`. The members of S are decided. If a value is possible at
    /// x only under some condition, a function with that value has this condition.
    fn functions(&self, rows: &Expr, frame: &mut Frame, path: &mut Path) -> Try<Vec<Member>> {
        let ExprKind::For(row, over, None) = &*rows.kind else {
            return Err(internal(rows.span, "not a row for each element"));
        };
        let mut found = vec![(Vec::new(), Vec::new())];
        self.each_choice(
            over,
            frame,
            path,
            &mut Vec::new(),
            &mut |run, frame, path, needs| {
                for need in needs {
                    if !run.decide(need, path)? {
                        return Ok(false);
                    }
                }
                let mut longer = Vec::new();
                for m in run.members(row, frame, path)? {
                    let pair = run.know(m.value, path)?;
                    for (pairs, needs) in &found {
                        run.world.charge(1)?;
                        if longer.len() >= MAX_FUNCTIONS {
                            return Err(Stop::Cannot("too many functions".into()));
                        }
                        let mut pairs: Vec<Val> = Vec::clone(pairs);
                        pairs.push(pair.clone());
                        let needs: &Vec<Sym> = needs;
                        longer.push((pairs, [&needs[..], &m.needs].concat()));
                    }
                }
                found = longer;
                Ok(false)
            },
        )?;
        let member = |(pairs, needs): (Vec<Val>, Vec<Sym>)| Member {
            value: Sym::Is(Val::set(pairs)),
            needs: needed(needs),
        };
        Ok(found.into_iter().map(member).collect())
    }

    fn at_most(&self, v: &Val, to: Sym, span: Span, path: &mut Path) -> Try<Sym> {
        self.lift2(Sym::Is(v.clone()), to, path, |v, t| {
            Ok(ops::binary(Op::LessEqual, v, t, span)?)
        })
    }
}

/// An unconditional member.
fn fixed(value: Val) -> Member {
    Member {
        value: Sym::Is(value),
        needs: Vec::new(),
    }
}

/// Drops conditions that always hold, and duplicates.
fn needed(needs: impl IntoIterator<Item = Sym>) -> Vec<Sym> {
    let mut kept: Vec<Sym> = Vec::new();
    for n in needs {
        if !n.is(true) && !kept.contains(&n) {
            kept.push(n);
        }
    }
    kept
}

/// One condition, if it does not always hold.
fn only(need: Sym) -> Vec<Sym> {
    match need.is(true) {
        true => Vec::new(),
        false => vec![need],
    }
}
