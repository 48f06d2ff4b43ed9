//! The symbolic evaluator. It works as `ir::eval`, but over all positions at once: a value is known, or a function of one
//! variable. Where more must be known, the run takes a decision, which the path records. Repeating the run until all
//! decisions have been taken in every way yields all paths ([`all_paths`]). Expressions are in `expr`.
//!
//! It shares with the naive evaluator the types of values and the arithmetic of known values, but not the interpretation of
//! rules, so that each is a check of the other.

use super::symbol::{Held, Path, Stop, Sym, Try, VarSet, all, bits};
use super::vars::{GroundVar, Vars};
use super::{Fallbacks, TOO_LONG, TOO_WIDE};
use crate::base::Span;
use crate::fault::{Code, Fault};
use crate::game::Cancel;
use crate::instance::Setting;
use crate::int::Int;
use crate::model::typed::{Model, Slot};
use crate::val::{Piece, Val};
use rustc_hash::FxHashMap;
use std::cell::{Cell, RefCell};
use std::rc::Rc;

/// A set whose members are not decided: what it may contain, each with the condition under which it does.
pub(super) type OpenSet = Rc<[(Val, Sym)]>;

/// The values of the variables of a move.
#[derive(Clone, Debug, Default)]
pub(super) struct Frame {
    values: Vec<Option<Sym>>,
    /// The names of open sets; they have no value.
    open: Vec<(Slot, OpenSet)>,
}

impl Frame {
    pub(super) fn new(values: impl IntoIterator<Item = Sym>) -> Frame {
        Frame {
            values: values.into_iter().map(Some).collect(),
            open: Vec::new(),
        }
    }

    pub(super) fn get(&self, slot: Slot) -> Option<&Sym> {
        self.values.get(slot.0 as usize).and_then(Option::as_ref)
    }

    /// The open set that a name stands for.
    pub(super) fn open(&self, slot: Slot) -> Option<&OpenSet> {
        let named = self.open.iter().find(|(s, _)| *s == slot);
        named.map(|(_, set)| set)
    }

    /// Whether some value is a function of a variable that was written since.
    pub(super) fn is_stale(&self, path: &Path) -> bool {
        let written = |var: u32| path.holds(var).is_some() || path.lost.contains(&var);
        let values = self.values.iter().flatten();
        let conditions = self.open.iter().flat_map(|(_, set)| set.iter());
        let mut read = values
            .chain(conditions.map(|(_, c)| c))
            .filter_map(Sym::var);
        read.any(written)
    }

    pub(super) fn set(&mut self, slot: Slot, value: Option<Sym>) {
        let i = slot.0 as usize;
        if self.values.len() <= i {
            self.values.resize(i + 1, None);
        }
        self.values[i] = value;
        self.open.retain(|(s, _)| *s != slot);
    }

    pub(super) fn set_open(&mut self, slot: Slot, set: OpenSet) {
        self.set(slot, None);
        self.open.push((slot, set));
    }
}

/// The data of the symbolic evaluator.
pub(super) struct World<'w> {
    pub(super) model: &'w Model,
    pub(super) setting: &'w Setting,
    pub(super) vars: &'w Vars,
    /// The values of each variable, sorted.
    pub(super) values: &'w [Rc<[Val]>],
    /// The remaining steps.
    pub(super) fuel: Cell<u64>,
    /// The variables whose values were read since this was last cleared.
    pub(super) looked: RefCell<VarSet>,
    /// Values that variables have when a condition is evaluated in play. If the move fails there, they may occur nowhere
    /// else.
    pub(super) seen: RefCell<Vec<(u32, Val)>>,
    /// Whether a variable was read whose value is known only in play.
    pub(super) lost: Cell<bool>,
    /// Whether to follow every way in which a condition can fail.
    pub(super) plain: bool,
    /// How to ground conditional effects and wide conditions.
    pub(super) fallbacks: Fallbacks,
    /// The maximal number of paths through one choice or condition, and of steps on all of them.
    pub(super) most: (usize, u64),
    /// The maximal number of raw instances.
    pub(super) most_raw: usize,
    /// Variables that are left out, with their factors in the score.
    pub(super) banked: &'w FxHashMap<u32, i64>,
    /// The token that cancels the run.
    pub(super) cancel: &'w Cancel,
}

/// One evaluation, with the decisions that it has taken.
pub(super) struct Run<'w> {
    pub(super) world: &'w World<'w>,
    trace: RefCell<Vec<(u32, u32)>>,
    next: Cell<usize>,
    /// If positive, no decision may be taken.
    pub(super) soft: Cell<u32>,
    depth: Cell<u32>,
}

/// Runs `run` once for each combination of decisions.
pub(super) fn all_paths<T>(
    world: &World<'_>,
    path: &Path,
    mut run: impl FnMut(&Run<'_>, &mut Path) -> Try<T>,
) -> Try<Vec<(Path, Result<T, Box<Fault>>)>> {
    let state = Run {
        world,
        trace: RefCell::new(Vec::new()),
        next: Cell::new(0),
        soft: Cell::new(0),
        depth: Cell::new(0),
    };
    let mut found = Vec::new();
    let fuel = world.fuel.get();
    loop {
        state.next.set(0);
        let mut p = path.clone();
        let result = run(&state, &mut p);
        if world.lost.replace(false) {
            return Err(Stop::Cannot(
                "a choice by what was written for a group".into(),
            ));
        }
        match result {
            Ok(v) => found.push((p, Ok(v))),
            Err(Stop::Fault(fault)) => found.push((p, Err(fault))),
            Err(Stop::Forked) => return Err(Stop::Cannot("a decision out of place".into())),
            Err(stop) => return Err(stop),
        }
        world.charge(1)?;
        let (paths, steps) = world.most;
        if found.len() >= paths || fuel - world.fuel.get() > steps {
            return Err(Stop::Cannot(TOO_WIDE.into()));
        }
        let mut trace = state.trace.borrow_mut();
        loop {
            match trace.last_mut() {
                None => return Ok(found),
                Some(last) => {
                    last.0 += 1;
                    if last.0 < last.1 {
                        break;
                    }
                    trace.pop();
                }
            }
        }
    }
}

/// A member of a set that depends on the position, with its conditions.
pub(super) struct Member {
    pub(super) value: Sym,
    pub(super) needs: Vec<Sym>,
}

pub(super) fn internal(span: Span, what: &str) -> Stop {
    Stop::Fault(Fault::new(
        Code::Internal,
        span,
        format!("{what}: the sorts were not checked"),
    ))
}

impl World<'_> {
    pub(super) fn charge(&self, n: u64) -> Try<()> {
        let left = self.fuel.get();
        if left < n {
            return Err(Stop::Cannot(TOO_LONG.into()));
        }
        self.fuel.set(left - n);
        if (left ^ (left - n)) >> 10 != 0 && self.cancel.is_cancelled() {
            return Err(Stop::Cannot("it was cancelled".into()));
        }
        Ok(())
    }

    /// The values that a variable can still have.
    pub(super) fn left(&self, path: &Path, var: u32) -> u64 {
        self.looked.borrow_mut().insert(var);
        path.values(var)
            .unwrap_or_else(|| all(self.values[var as usize].len()))
    }

    /// The current value of a variable.
    pub(super) fn read(&self, var: u32, path: &Path) -> Sym {
        self.looked.borrow_mut().insert(var);
        if path.lost.contains(&var) {
            self.lost.set(true);
        }
        let own = &self.values[var as usize];
        let sym = match path.holds(var) {
            None if matches!(own.first(), Some(Val::Bool(_))) => {
                return self.function(var, path, |i| own[i].clone());
            }
            None => Sym::Of(var, own.clone()),
            Some(Held::Set(s)) => s.clone(),
            Some(Held::Plus(k)) => {
                let more = own.iter().map(|v| match v {
                    Val::Int(n) => n.add(&Int::Small(*k)).map_or(v.clone(), Val::Int),
                    v => v.clone(),
                });
                Sym::Of(var, more.collect())
            }
        };
        self.simple(sym, path)
    }

    /// Simplifies a function that is constant on the remaining values of its variable.
    pub(super) fn simple(&self, s: Sym, path: &Path) -> Sym {
        match &s {
            Sym::Is(_) => {}
            Sym::If(var, set) => {
                let left = self.left(path, *var);
                if left != 0 && (left & set == 0 || left & !set == 0) {
                    return Sym::truth(left & set != 0);
                }
            }
            Sym::Of(var, table) => {
                let mut left = bits(self.left(path, *var)).filter_map(|i| table.get(i));
                if let Some(first) = left.next()
                    && left.all(|v| v == first)
                {
                    return Sym::Is(first.clone());
                }
            }
        }
        s
    }

    /// The function with these results at the values that a variable can still have; `None` if there is none for some value.
    ///
    /// # Errors
    /// The first result that says what cannot be ground.
    fn tabulated(
        &self,
        var: u32,
        path: &Path,
        result: impl Fn(usize) -> Try<Val>,
    ) -> Try<Option<Sym>> {
        let mut yes = 0u64;
        let mut table = Vec::new();
        let mut fine = true;
        for i in bits(self.left(path, var)) {
            match result(i) {
                Ok(Val::Bool(b)) => yes |= u64::from(b) << i,
                Ok(v) => {
                    table.resize(self.values[var as usize].len(), Val::Bool(false));
                    table[i] = v;
                }
                Err(Stop::Cannot(why)) => return Err(Stop::Cannot(why)),
                Err(_) => fine = false,
            }
        }
        let found = match table.is_empty() {
            true => Sym::If(var, yes),
            false => Sym::Of(var, table.into()),
        };
        Ok(fine.then(|| self.simple(found, path)))
    }

    /// The function of `var` with these results.
    pub(super) fn function(&self, var: u32, path: &Path, result: impl Fn(usize) -> Val) -> Sym {
        let found = self.tabulated(var, path, |i| Ok(result(i)));
        // No result is an error.
        found.ok().flatten().unwrap_or(Sym::truth(false))
    }

    /// A function applied to a value.
    fn mapped(&self, s: Sym, path: &Path, f: impl Fn(&Val) -> Val) -> Sym {
        match &s {
            Sym::Is(v) => Sym::Is(f(v)),
            Sym::If(var, _) | Sym::Of(var, _) => self.function(*var, path, |i| f(&s.at(i))),
        }
    }

    /// The negation of a condition.
    pub(super) fn negated(&self, s: Sym, path: &Path) -> Sym {
        match self.simple(s, path) {
            Sym::Is(v) => Sym::truth(v != Val::Bool(true)),
            Sym::If(var, set) => Sym::If(var, self.left(path, var) & !set),
            // No condition is a table.
            Sym::Of(..) => Sym::truth(true),
        }
    }
}

impl Run<'_> {
    pub(super) fn fork(&self, ways: usize) -> Try<usize> {
        if self.soft.get() > 0 {
            return Err(Stop::Forked);
        }
        let at = self.next.get();
        self.next.set(at + 1);
        let mut trace = self.trace.borrow_mut();
        if let Some((way, _)) = trace.get(at) {
            return Ok(*way as usize);
        }
        if trace.len() > 4096 {
            return Err(Stop::Cannot("one choice depends on too much".into()));
        }
        trace.push((0, u32::try_from(ways).unwrap_or(u32::MAX)));
        Ok(0)
    }

    /// Decides a condition.
    pub(super) fn decide(&self, s: &Sym, path: &mut Path) -> Try<bool> {
        match self.world.simple(s.clone(), path) {
            Sym::Is(Val::Bool(b)) => Ok(b),
            Sym::If(var, yes) => {
                let left = self.world.left(path, var);
                let way = self.fork(2)? == 0;
                path.restrict(var, if way { yes } else { left & !yes });
                Ok(way)
            }
            _ => Err(internal(Span::default(), "not a condition")),
        }
    }

    /// Decides a value.
    pub(super) fn know(&self, s: Sym, path: &mut Path) -> Try<Val> {
        match self.world.simple(s, path) {
            Sym::Is(v) => Ok(v),
            s @ Sym::If(..) => Ok(Val::Bool(self.decide(&s, path)?)),
            // As `fork` below would say, after the values have been compared.
            Sym::Of(..) if self.soft.get() > 0 => Err(Stop::Forked),
            Sym::Of(var, table) => {
                let left = self.world.left(path, var);
                // The values of a variable differ from each other; those of a function may not.
                let differ = Rc::ptr_eq(&table, &self.world.values[var as usize]);
                let mut parts: Vec<(usize, u64)> = Vec::new();
                for i in bits(left) {
                    let same = match differ {
                        true => None,
                        false => parts.iter_mut().find(|(j, _)| table[*j] == table[i]),
                    };
                    match same {
                        Some((_, set)) => *set |= 1 << i,
                        None => parts.push((i, 1 << i)),
                    }
                }
                if parts.is_empty() {
                    return Err(Stop::Cannot("a variable without values".into()));
                }
                let way = self.fork(parts.len())?;
                let (i, set) = parts[way.min(parts.len() - 1)];
                path.restrict(var, set);
                Ok(table[i].clone())
            }
        }
    }

    /// Applies a function to a value.
    pub(super) fn lift(&self, s: Sym, path: &mut Path, f: impl Fn(&Val) -> Try<Val>) -> Try<Sym> {
        let s = self.world.simple(s, path);
        if let Sym::Is(v) = &s {
            return f(v).map(Sym::Is);
        }
        if let Some(var) = s.var()
            && let Some(found) = self.world.tabulated(var, path, |i| f(&s.at(i)))?
        {
            return Ok(found);
        }
        // It fails for some of the values: decide which.
        let v = self.know(s, path)?;
        f(&v).map(Sym::Is)
    }

    /// Applies a function to two values. If they depend on two variables, one value is decided.
    pub(super) fn lift2(
        &self,
        a: Sym,
        b: Sym,
        path: &mut Path,
        f: impl Fn(&Val, &Val) -> Try<Val>,
    ) -> Try<Sym> {
        let (a, b) = (self.world.simple(a, path), self.world.simple(b, path));
        match (a, b) {
            (Sym::Is(a), b) => self.lift(b, path, |b| f(&a, b)),
            (a, Sym::Is(b)) => self.lift(a, path, |a| f(a, &b)),
            (a, b) => {
                if let Some(var) = a.var().filter(|var| b.var() == Some(*var)) {
                    let both = |i: usize| f(&a.at(i), &b.at(i));
                    if let Some(found) = self.world.tabulated(var, path, both)? {
                        return Ok(found);
                    }
                }
                let few = |s: &Sym| {
                    let left = |var| self.world.left(path, var).count_ones();
                    s.var().map_or(0, left)
                };
                if few(&a) <= few(&b) {
                    let a = self.know(a, path)?;
                    self.lift(b, path, |b| f(&a, b))
                } else {
                    let b = self.know(b, path)?;
                    self.lift(a, path, |a| f(a, &b))
                }
            }
        }
    }

    /// The conjunction of two conditions, if it needs no decision: they depend on at most one variable, or one is constant.
    pub(super) fn both(&self, a: Sym, b: Sym, path: &Path) -> Option<Sym> {
        let (a, b) = (self.world.simple(a, path), self.world.simple(b, path));
        match (a, b) {
            (a, b) if a.is(false) || b.is(false) => Some(Sym::truth(false)),
            (a, b) if a.is(true) => Some(b),
            (a, b) if b.is(true) => Some(a),
            (Sym::If(x, s), Sym::If(y, t)) if x == y => {
                Some(self.world.simple(Sym::If(x, s & t), path))
            }
            _ => None,
        }
    }

    /// Evaluates without decisions; `None` if this is impossible.
    pub(super) fn softly<T>(&self, f: impl FnOnce() -> Try<T>) -> Option<T> {
        self.soft.set(self.soft.get() + 1);
        let result = f();
        self.soft.set(self.soft.get() - 1);
        result.ok()
    }

    pub(super) fn deeper<T>(&self, f: impl FnOnce() -> Try<T>) -> Try<T> {
        let depth = self.depth.get();
        if depth > 800 {
            return Err(Stop::Cannot("too deep a nest of formulas".into()));
        }
        self.depth.set(depth + 1);
        let result = f();
        self.depth.set(depth);
        result
    }

    /// The piece at a site or an edge given by value.
    pub(super) fn at(&self, v: &Val, path: &Path) -> Try<Sym> {
        let World { setting, vars, .. } = self.world;
        let off = Sym::Is(Val::Piece(Piece::Off));
        let var = match v {
            Val::Edge(_) => match setting.board.find_edge(v) {
                None => return Ok(off),
                Some(e) => match vars.edge(e) {
                    Some(var) => var,
                    None => return Err(Stop::Cannot("pieces on edges are asked for".into())),
                },
            },
            _ => match setting.board.find(v) {
                None => return Ok(off),
                Some(s) => match vars.site(s) {
                    Some(var) => var,
                    None => return Ok(Sym::Is(Val::Piece(Piece::Empty))),
                },
            },
        };
        let s = self.world.read(var, path);
        match vars.list.get(var as usize) {
            Some(GroundVar::Present(_) | GroundVar::EdgePresent(_)) => {
                let piece = |v: &Val| match v {
                    Val::Bool(true) => Val::Piece(Piece::Empty),
                    _ => Val::Piece(Piece::Off),
                };
                Ok(self.world.mapped(s, path, piece))
            }
            _ => Ok(s),
        }
    }

    fn there(&self, var: u32, path: &Path) -> Sym {
        let cells = self.world.setting.board.has_cells();
        // The usual case: it is present for all values.
        if path.holds(var).is_none() {
            self.world.looked.borrow_mut().insert(var);
            let lies = |v: &Val| match v {
                Val::Piece(Piece::Wall) => !cells,
                Val::Piece(piece) => *piece != Piece::Off,
                _ => false,
            };
            if self.world.values[var as usize].iter().all(lies) {
                return Sym::truth(true);
            }
        }
        let there = |v: &Val| match v {
            Val::Piece(Piece::Wall) => Val::Bool(!cells),
            Val::Piece(Piece::Off) => Val::Bool(false),
            Val::Bool(b) => Val::Bool(*b),
            _ => Val::Bool(true),
        };
        self.world.mapped(self.world.read(var, path), path, there)
    }

    /// Whether a site is present.
    pub(super) fn has_site(&self, site: u32, path: &Path) -> Sym {
        match self.world.vars.site(site) {
            Some(var) => self.there(var, path),
            None => Sym::truth(true),
        }
    }

    /// The conditions under which an edge is present.
    pub(super) fn has_edge(&self, edge: u32, path: &Path) -> Vec<Sym> {
        if let Some(var) = self.world.vars.edge(edge) {
            return vec![self.there(var, path)];
        }
        let Some((u, v)) = self.world.setting.board.lines.get(edge as usize) else {
            return vec![Sym::truth(false)];
        };
        let mut needs = vec![self.has_site(*u, path)];
        if u != v {
            needs.push(self.has_site(*v, path));
        }
        needs
    }
}
