//! Translates conditions of the text into conditions evaluated in play ([`super::condition`]). The input is an expression
//! with the values of its bound names, the output a [`Condition`] on the current position.
//!
//! Nothing is decided here, so the result does not depend on what a path knows of the variables. Evaluation in the language
//! short-circuits; if a part that it may skip can raise a fault, the condition is refused, and the rules are interpreted.

use super::condition::{Condition, Number, Sites, compare};
use super::members::Candidate;
use super::run::{Frame, Run, internal};
use super::symbol::{Path, Stop, Sym, Try, bits};
use super::vars::GroundVar;
use crate::eval::binders::places;
use crate::model::parts::any_part;
use crate::model::typed::{
    Again, Binder, BinderKind, Builtin, Effect, EffectKind, Expr, ExprKind, Fold, FunctionBody,
    FunctionId, Model, Move, Op, Place, Quantifier, Ruleset, SitesFrom, Slot, Sort, Stage, Target,
};
use crate::val::{Piece, Val};

/// The largest absolute value of a number in a comparison.
const MOST: i64 = 1 << 32;

/// The callback for each choice.
type Then<'t> = &'t mut dyn FnMut(&Run<'_>, &mut Frame) -> Try<Condition>;

/// Whether an expression asks for connected sites (`group`, `reach` within a set).
pub(super) fn asks_groups(model: &Model, e: &Expr) -> bool {
    use Builtin::SitesFrom as From;
    any_part(model, [e], |part| {
        let joined = From(SitesFrom::Group);
        matches!(&*part.kind, ExprKind::Builtin(b, _) if *b == joined || *b == From(SitesFrom::ReachWithin))
    })
}

/// Whether an expression ranges over sites, pieces or numbers, or compares sets of sites. Deciding it takes a path for each way in which it can hold.
pub(super) fn is_wide(model: &Model, e: &Expr) -> bool {
    any_part(model, [e], |part| match &*part.kind {
        ExprKind::Quantifier(..) | ExprKind::Fold(..) | ExprKind::For(..) => true,
        ExprKind::Binary(Op::Is | Op::IsNot, a, b) => is_sites(&a.sort) || is_sites(&b.sort),
        _ => false,
    })
}

/// Whether some condition of a ruleset is wide, see [`is_wide`].
pub(super) fn has_wide_conditions(model: &Model, rules: &Ruleset) -> bool {
    let wide = |e: &Expr| is_wide(model, e);
    let stage = |s: &Stage| {
        s.conditions.iter().any(wide)
            || s.binders.iter().any(|b| binds_widely(model, b))
            || s.effects.iter().any(|e| effect_asks(model, e, true))
    };
    let again = |m: &Move| matches!(&m.again, Again::When(phi) if is_wide(model, phi));
    let mut moves = rules.moves.iter();
    moves.any(|m| again(m) || m.stages.iter().any(stage))
        || rules.ends.iter().any(|c| c.conditions.iter().any(wide))
}

/// Whether a binder ranges over a set of connected sites.
pub(super) fn binds_groups(model: &Model, binder: &Binder) -> bool {
    match &binder.kind {
        BinderKind::In(_, e) | BinderKind::Is { value: e, .. } => asks_groups(model, e),
        _ => false,
    }
}

/// Whether a binder ranges over a set of sites whose condition is wide: `x in {y in S: phi}`.
pub(super) fn binds_widely(model: &Model, binder: &Binder) -> bool {
    match &binder.kind {
        BinderKind::In(_, set) => match &*set.kind {
            ExprKind::For(_, _, Some(phi)) => is_sites(&set.sort) && is_wide(model, phi),
            _ => false,
        },
        _ => false,
    }
}

/// Whether an effect is of the form `each`.
pub(super) fn is_each(effect: &Effect) -> bool {
    matches!(effect.kind, EffectKind::Each(..))
}

/// Whether the binders or the condition of an effect ask for connected sites; with `asking`, also whether the condition is
/// wide.
pub(super) fn effect_asks(model: &Model, effect: &Effect, asking: bool) -> bool {
    let mut effect = effect;
    while let EffectKind::Each(binders, phi, inner) = &effect.kind {
        let asks = |e: &Expr| asks_groups(model, e) || (asking && is_wide(model, e));
        if binders.iter().any(|b| binds_groups(model, b)) || phi.as_ref().is_some_and(asks) {
            return true;
        }
        effect = inner;
    }
    false
}

fn cannot(what: &str) -> Stop {
    Stop::Cannot(format!("{what} beside groups"))
}

impl Run<'_> {
    /// The condition that an expression puts on a position.
    pub(super) fn ask(&self, e: &Expr, frame: &mut Frame) -> Try<Condition> {
        let asked = self.without_decisions(|| self.condition(e, frame));
        asked.map_err(|stop| match stop {
            Stop::Fault(fault) => {
                Stop::Cannot(format!("a condition can go wrong: {}", fault.message))
            }
            Stop::Forked => cannot("a form that is not followed"),
            stop => stop,
        })
    }

    /// The sites that a set may contain, each with the condition under which it does.
    pub(super) fn ask_members(&self, set: &Expr, frame: &mut Frame) -> Try<Vec<(Val, Condition)>> {
        let board = &self.world.setting.board;
        let sites = self.without_decisions(|| self.sites_of(set, frame));
        let sites = sites.map_err(|stop| match stop {
            Stop::Fault(fault) => Stop::Cannot(format!("a set can go wrong: {}", fault.message)),
            Stop::Forked => cannot("a form that is not followed"),
            stop => stop,
        })?;
        let all = (0u32..).take(board.sites()).map(|s| {
            let one = Sites::Where(vec![(s, Condition::Truth(true))]);
            (board.label(s), Condition::meet(one, sites.clone()))
        });
        Ok(all.filter(|(_, c)| *c != Condition::Truth(false)).collect())
    }

    /// The writes of effects (pieces on sites), each with its condition.
    pub(super) fn ask_effects(
        &self,
        effects: &[&Effect],
        frame: &mut Frame,
    ) -> Try<Vec<(Condition, u32, Val)>> {
        let mut found: Vec<(Condition, u32, Val)> = Vec::new();
        for effect in effects {
            let done = self.without_decisions(|| {
                self.effect(effect, frame, Condition::Truth(true), &mut found)
            });
            done.map_err(|stop| match stop {
                Stop::Fault(fault) => {
                    Stop::Cannot(format!("an effect can go wrong: {}", fault.message))
                }
                Stop::Forked => cannot("an effect that is not followed"),
                stop => stop,
            })?;
        }
        Ok(found)
    }

    fn effect(
        &self,
        effect: &Effect,
        frame: &mut Frame,
        so_far: Condition,
        found: &mut Vec<(Condition, u32, Val)>,
    ) -> Try<()> {
        self.world.charge(1)?;
        match &effect.kind {
            EffectKind::Each(binders, phi, inner) => {
                self.each_asked(binders, false, frame, so_far, &mut |run, frame, so_far| {
                    let phi = match phi {
                        Some(phi) => run.condition(phi, frame)?,
                        None => Condition::Truth(true),
                    };
                    match Condition::all([so_far, phi]) {
                        Condition::Truth(false) => Ok(()),
                        all => run.deeper(|| run.effect(inner, frame, all, found)),
                    }
                })
            }
            EffectKind::Set(Target::At(site), value) => {
                let (setting, vars) = (self.world.setting, self.world.vars);
                let cells = setting.board.has_cells();
                let (site, value) = (self.known(site, frame)?, self.known(value, frame)?);
                let var = setting.board.find(&site).and_then(|s| vars.site(s));
                let piece =
                    |v: &u32| matches!(vars.list.get(*v as usize), Some(GroundVar::Site(_)));
                let Some(var) = var.filter(piece) else {
                    return Err(cannot("a write off the board"));
                };
                let written = match &value {
                    Val::Piece(Piece::Off) => false,
                    Val::Piece(_) => true,
                    _ => false,
                };
                self.world.looked.borrow_mut().insert(var);
                let held = &self.world.values[var as usize];
                if !written || (!cells && held.iter().any(|v| is_gone(v, cells))) {
                    return Err(cannot("a write that can go wrong"));
                }
                let known = found.iter_mut().find(|(_, v, _)| *v == var);
                match known {
                    Some((c, _, v)) if *v == value => {
                        let before = std::mem::replace(c, Condition::Truth(false));
                        *c = Condition::any([before, so_far]);
                    }
                    Some(_) => return Err(cannot("two values for one site")),
                    None => found.push((so_far, var, value)),
                }
                Ok(())
            }
            _ => Err(cannot("an effect that is not followed")),
        }
    }

    /// Enumerates the choices of some binders, each with its condition. Unless `once`, an element that can be in a set in two
    /// ways may come twice.
    fn each_asked(
        &self,
        binders: &[Binder],
        once: bool,
        frame: &mut Frame,
        so_far: Condition,
        then: &mut dyn FnMut(&Run<'_>, &mut Frame, Condition) -> Try<()>,
    ) -> Try<()> {
        self.world.charge(1)?;
        let Some((first, rest)) = binders.split_first() else {
            return then(self, frame, so_far);
        };
        if let BinderKind::In(to, set) = &first.kind
            && let [Place::New(slot)] = &to[..]
            && is_sites(&set.sort)
            && self.asks(set)
        {
            for (value, own) in self.ask_members(set, frame)? {
                frame.set(*slot, Some(Sym::Is(value)));
                let all = Condition::all([so_far.clone(), own]);
                let done = self.each_asked(rest, once, frame, all, then);
                frame.set(*slot, None);
                done?;
            }
            return Ok(());
        }
        if binds_groups(self.world.model, first) {
            return Err(cannot("a name for what is asked"));
        }
        let found = match once {
            true => self.each_once(first, frame, &mut Path::default())?,
            false => self.candidates(first, frame, &mut Path::default())?,
        };
        for (own, filled) in self.filled(first, found, frame)? {
            for (slot, value) in &filled {
                frame.set(*slot, Some(value.clone()));
            }
            let done = match Condition::all([so_far.clone(), own]) {
                Condition::Truth(false) => Ok(()),
                all => self.each_asked(rest, once, frame, all, then),
            };
            for (slot, _) in filled {
                frame.set(slot, None);
            }
            done?;
        }
        Ok(())
    }

    /// The candidates of a binder that asks for no connected sites: the condition of each, and the values of its names.
    fn filled(
        &self,
        binder: &Binder,
        candidates: Vec<Candidate>,
        frame: &Frame,
    ) -> Try<Vec<(Condition, Vec<(Slot, Sym)>)>> {
        let mut found = Vec::new();
        for (values, needs) in candidates {
            let mut conditions = Vec::new();
            for need in &needs {
                conditions.push(self.of_sym(need)?);
            }
            let mut filled: Vec<(Slot, Sym)> = Vec::new();
            for (place, value) in places(binder).into_iter().zip(values) {
                match place {
                    Place::New(slot) => filled.push((*slot, value)),
                    Place::Same(slot) => {
                        let here = filled.iter().find(|(s, _)| s == slot);
                        let bound = here.map(|(_, v)| v).or_else(|| frame.get(*slot)).cloned();
                        let bound = bound.ok_or_else(|| internal(binder.span, "unbound"))?;
                        let same = self.same(bound, value, binder.span, &mut Path::default())?;
                        conditions.push(self.of_sym(&same)?);
                    }
                }
            }
            found.push((Condition::all(conditions), filled));
        }
        Ok(found)
    }

    fn without_decisions<T>(&self, f: impl FnOnce() -> Try<T>) -> Try<T> {
        self.soft.set(self.soft.get() + 1);
        let result = f();
        self.soft.set(self.soft.get() - 1);
        result
    }

    fn asks(&self, e: &Expr) -> bool {
        asks_groups(self.world.model, e)
    }

    /// The value of an expression, if it depends on at most one variable.
    fn plainly(&self, e: &Expr, frame: &mut Frame) -> Option<Sym> {
        match self.asks(e) {
            true => None,
            false => self.eval(e, frame, &mut Path::default()).ok(),
        }
    }

    fn known(&self, e: &Expr, frame: &mut Frame) -> Try<Val> {
        match self.eval(e, frame, &mut Path::default())? {
            Sym::Is(v) => Ok(v),
            _ => Err(cannot("a value that is not known")),
        }
    }

    fn of_sym(&self, s: &Sym) -> Try<Condition> {
        let s = self.world.simple(s.clone(), &Path::default());
        match s {
            Sym::Is(Val::Bool(b)) => Ok(Condition::Truth(b)),
            Sym::If(var, yes) => {
                let left = self.world.left(&Path::default(), var);
                Ok(Condition::Holds(var, yes & left))
            }
            _ => Err(cannot("what is not a condition")),
        }
    }

    fn condition(&self, e: &Expr, frame: &mut Frame) -> Try<Condition> {
        self.world.charge(1)?;
        if let Some(s) = self.plainly(e, frame) {
            return self.of_sym(&s);
        }
        self.deeper(|| self.condition_inner(e, frame))
    }

    fn condition_inner(&self, e: &Expr, frame: &mut Frame) -> Try<Condition> {
        match &*e.kind {
            ExprKind::Not(a) => Ok(self.condition(a, frame)?.negated()),
            ExprKind::Binary(op @ (Op::And | Op::Or), a, b) => {
                let until = Condition::Truth(*op == Op::Or);
                let first = self.condition(a, frame)?;
                if first == until {
                    return Ok(first);
                }
                let second = self.condition(b, frame)?;
                Ok(match op {
                    Op::And => Condition::all([first, second]),
                    _ => Condition::any([first, second]),
                })
            }
            ExprKind::If(phi, a, b) => {
                let phi = self.condition(phi, frame)?;
                // A branch that is never taken need not have a meaning.
                match phi {
                    Condition::Truth(true) => self.condition(a, frame),
                    Condition::Truth(false) => self.condition(b, frame),
                    phi => {
                        let (a, b) = (self.condition(a, frame)?, self.condition(b, frame)?);
                        Ok(Condition::any([
                            Condition::all([phi.clone(), a]),
                            Condition::all([phi.negated(), b]),
                        ]))
                    }
                }
            }
            ExprKind::Quantifier(q, binders, phi, body) => {
                let wanted = *q != Quantifier::All;
                let found = self.some(binders, frame, &mut |run, frame| {
                    let phi = match phi {
                        Some(phi) => run.condition(phi, frame)?,
                        None => Condition::Truth(true),
                    };
                    if phi == Condition::Truth(false) {
                        return Ok(phi);
                    }
                    let body = run.condition(body, frame)?;
                    let body = if wanted { body } else { body.negated() };
                    Ok(Condition::all([phi, body]))
                })?;
                Ok(match q {
                    Quantifier::Some => found,
                    _ => found.negated(),
                })
            }
            ExprKind::Binary(Op::In, v, set) if is_sites(&set.sort) => {
                let v = self.known(v, frame)?;
                let Some(site) = self.world.setting.board.find(&v) else {
                    return Err(cannot("what is off the board"));
                };
                let sites = self.sites_of(set, frame)?;
                let one = Sites::Where(vec![(site, Condition::Truth(true))]);
                Ok(Condition::meet(one, sites))
            }
            ExprKind::Binary(Op::In, v, set) => self.element(v, set, frame),
            ExprKind::Binary(op, a, b) if a.sort == Sort::Int && b.sort == Sort::Int => {
                let (a, b) = (self.number_of(a, frame)?, self.number_of(b, frame)?);
                compare(*op, a, b).ok_or_else(|| cannot("a number that is too large"))
            }
            ExprKind::Binary(op @ (Op::Is | Op::IsNot), a, b) => {
                let same = self.equal(a, b, frame)?;
                Ok(match op {
                    Op::Is => same,
                    _ => same.negated(),
                })
            }
            ExprKind::Call(f, args) => {
                let (body, mut inner) = self.called(*f, args, frame)?;
                self.condition(&body, &mut inner)
            }
            _ => Err(cannot("a form that is not followed")),
        }
    }

    /// The condition that two values are the same.
    fn equal(&self, a: &Expr, b: &Expr, frame: &mut Frame) -> Try<Condition> {
        if a.sort == Sort::Int && b.sort == Sort::Int {
            let (a, b) = (self.number_of(a, frame)?, self.number_of(b, frame)?);
            return compare(Op::Is, a, b).ok_or_else(|| cannot("a number that is too large"));
        }
        if a.sort == Sort::Bool && b.sort == Sort::Bool {
            let (a, b) = (self.condition(a, frame)?, self.condition(b, frame)?);
            return Ok(same_truth(&a, &b));
        }
        match (self.plainly(a, frame), self.plainly(b, frame)) {
            (Some(a), Some(b)) => self.same_values(&a, &b),
            _ if is_sites(&a.sort) || is_sites(&b.sort) => {
                let first = self.sites_compared(a, frame)?;
                Ok(same_sites(first, self.sites_compared(b, frame)?))
            }
            _ => Err(cannot("a form that is not followed")),
        }
    }

    /// The condition that a value is in a range or in a list of elements.
    fn element(&self, v: &Expr, set: &Expr, frame: &mut Frame) -> Try<Condition> {
        match &*set.kind {
            ExprKind::Binary(Op::Range, from, to) => {
                let v = self.number_of(v, frame)?;
                let (from, to) = (self.number_of(from, frame)?, self.number_of(to, frame)?);
                let within = [
                    compare(Op::LessEqual, from, v.clone()),
                    compare(Op::LessEqual, v, to),
                ];
                let within: Option<Vec<Condition>> = within.into_iter().collect();
                let large = || cannot("a number that is too large");
                within.map(Condition::all).ok_or_else(large)
            }
            ExprKind::Elements(items) => {
                let each = items.iter().map(|item| self.equal(v, item, frame));
                Ok(Condition::any(each.collect::<Try<Vec<Condition>>>()?))
            }
            _ => Err(cannot("a form that is not followed")),
        }
    }

    /// The condition that two functions of one variable each have the same value.
    fn same_values(&self, a: &Sym, b: &Sym) -> Try<Condition> {
        let (Some(x), Some(y)) = (a.var(), b.var()) else {
            return Err(cannot("a form that is not followed"));
        };
        let path = Path::default();
        let holding = |var: u32, s: &Sym, value: &Val| {
            let left = bits(self.world.left(&path, var)).filter(|i| *s.at(*i) == *value);
            Condition::Holds(var, left.fold(0u64, |set, i| set | 1 << i))
        };
        let mut seen = Vec::new();
        let mut ways = Vec::new();
        for i in bits(self.world.left(&path, x)) {
            let value = a.at(i);
            if !seen.contains(&value) {
                let other = holding(y, b, &value);
                if other != Condition::Holds(y, 0) {
                    ways.push(Condition::all([holding(x, a, &value), other]));
                }
                seen.push(value);
            }
        }
        Ok(Condition::any(ways))
    }

    /// The body of a function, and a frame with its arguments.
    fn called(&self, f: FunctionId, args: &[Expr], frame: &mut Frame) -> Try<(Expr, Frame)> {
        let function = self.world.model.functions.get(f.0 as usize);
        let body = function.map(|f| &f.body);
        let (Some(function), Some(FunctionBody::Expr(body))) = (function, body) else {
            return Err(cannot("a table"));
        };
        let mut values = Vec::new();
        for (a, p) in args.iter().zip(&function.parameters) {
            let value = self.eval(a, frame, &mut Path::default())?;
            if p.natural && !matches!(&value, Sym::Is(Val::Int(n)) if !n.is_negative()) {
                return Err(cannot("an argument that is not known"));
            }
            values.push(value);
        }
        let own = self.world.setting.instance.rules_arguments.iter();
        let inner = match function.in_ruleset {
            Some(_) => Frame::new(own.cloned().map(Sym::Is).chain(values)),
            None => Frame::new(values),
        };
        Ok((body.clone(), inner))
    }

    /// The condition that some choice satisfies `then`.
    fn some(&self, binders: &[Binder], frame: &mut Frame, then: Then<'_>) -> Try<Condition> {
        self.world.charge(1)?;
        let Some((first, rest)) = binders.split_first() else {
            return then(self, frame);
        };
        let board = &self.world.setting.board;
        if let BinderKind::In(to, set) = &first.kind
            && let [Place::New(slot)] = &to[..]
            && is_sites(&set.sort)
            && self.asks(set)
        {
            let sites = self.sites_of(set, frame)?;
            let mut with = Vec::new();
            for site in (0u32..).take(board.sites()) {
                frame.set(*slot, Some(Sym::Is(board.label(site))));
                let found = self.some(rest, frame, then);
                frame.set(*slot, None);
                with.push((site, found?));
            }
            return Ok(Condition::meet(sites, Sites::those(with)));
        }
        if binds_groups(self.world.model, first) {
            return Err(cannot("a name for what is asked"));
        }
        let mut ways = Vec::new();
        let found = self.candidates(first, frame, &mut Path::default())?;
        for (own, filled) in self.filled(first, found, frame)? {
            if own == Condition::Truth(false) {
                continue;
            }
            for (slot, value) in &filled {
                frame.set(*slot, Some(value.clone()));
            }
            let below = self.some(rest, frame, then);
            for (slot, _) in filled {
                frame.set(slot, None);
            }
            ways.push(Condition::all([own, below?]));
        }
        Ok(Condition::any(ways))
    }

    /// A side of a comparison of sets of sites; `{}` has no sort.
    fn sites_compared(&self, e: &Expr, frame: &mut Frame) -> Try<Sites> {
        match &*e.kind {
            ExprKind::Elements(items) if items.is_empty() => Ok(Sites::Where(Vec::new())),
            _ => self.sites_of(e, frame),
        }
    }

    /// The site of a value. Refuses values that are not its label, since sets distinguish them.
    fn site_named(&self, v: &Val) -> Try<u32> {
        let board = &self.world.setting.board;
        let site = board.find(v).filter(|s| board.label(*s) == *v);
        site.ok_or_else(|| cannot("what is off the board"))
    }

    fn sites_of(&self, e: &Expr, frame: &mut Frame) -> Try<Sites> {
        self.world.charge(1)?;
        self.deeper(|| self.sites_inner(e, frame))
    }

    fn sites_inner(&self, e: &Expr, frame: &mut Frame) -> Try<Sites> {
        let board = &self.world.setting.board;
        if !is_sites(&e.sort) {
            return Err(cannot("a set of something else than sites"));
        }
        if !self.asks(e)
            && let Ok(members) = self.members(e, frame, &mut Path::default())
        {
            let mut list = Vec::new();
            for m in members {
                let Sym::Is(v) = &m.value else {
                    return Err(cannot("a site that is not known"));
                };
                let site = self.site_named(v)?;
                let needs: Try<Vec<Condition>> = m.needs.iter().map(|n| self.of_sym(n)).collect();
                list.push((site, Condition::all(needs?)));
            }
            return Ok(Sites::those(list));
        }
        let two = |a: &Expr, b: &Expr, frame: &mut Frame| -> Try<(Box<Sites>, Box<Sites>)> {
            let first = Box::new(self.sites_of(a, frame)?);
            Ok((first, Box::new(self.sites_of(b, frame)?)))
        };
        match &*e.kind {
            ExprKind::Builtin(Builtin::SitesFrom(SitesFrom::Group), args) => match &args[..] {
                [of] => Ok(Sites::Group(self.joined_site(of, frame)?)),
                _ => Err(cannot("another board")),
            },
            ExprKind::Builtin(Builtin::SitesFrom(SitesFrom::ReachWithin), args) => {
                match &args[..] {
                    [of, within] => {
                        let site = self.joined_site(of, frame)?;
                        let within = self.sites_of(within, frame)?;
                        Ok(Sites::Reach(site, Box::new(within)))
                    }
                    _ => Err(cannot("another board")),
                }
            }
            ExprKind::Binary(Op::Add, a, b) => {
                let (a, b) = two(a, b, frame)?;
                Ok(Sites::Either(a, b))
            }
            ExprKind::Binary(Op::Subtract, a, b) => {
                let (a, b) = two(a, b, frame)?;
                Ok(Sites::Without(a, b))
            }
            ExprKind::For(body, binders, phi) => {
                let phi_of = |run: &Run<'_>, frame: &mut Frame| match phi {
                    Some(phi) => run.condition(phi, frame),
                    None => Ok(Condition::Truth(true)),
                };
                // `{x in S: phi}`
                if let [binder] = &binders[..]
                    && let BinderKind::In(to, set) = &binder.kind
                    && let [Place::New(slot)] = &to[..]
                    && matches!(&*body.kind, ExprKind::Slot(s) if s == slot)
                    && is_sites(&set.sort)
                {
                    let sites = self.sites_of(set, frame)?;
                    let mut with = Vec::new();
                    for site in (0u32..).take(board.sites()) {
                        if let Sites::Where(list) = &sites
                            && !list.iter().any(|(s, _)| *s == site)
                        {
                            continue;
                        }
                        frame.set(*slot, Some(Sym::Is(board.label(site))));
                        let phi = phi_of(self, frame);
                        frame.set(*slot, None);
                        with.push((site, phi?));
                    }
                    return Ok(Sites::Both(Box::new(sites), Box::new(Sites::those(with))));
                }
                let mut found = Vec::new();
                for site in (0u32..).take(board.sites()) {
                    let one = self.some(binders, frame, &mut |run, frame| {
                        let value = run.known(body, frame)?;
                        match run.site_named(&value)? == site {
                            true => phi_of(run, frame),
                            false => Ok(Condition::Truth(false)),
                        }
                    })?;
                    found.push((site, one));
                }
                Ok(Sites::those(found))
            }
            ExprKind::Call(f, args) => {
                let (body, mut inner) = self.called(*f, args, frame)?;
                self.sites_of(&body, &mut inner)
            }
            ExprKind::Elements(items) => {
                let mut list = Vec::new();
                for item in items {
                    let v = self.known(item, frame)?;
                    list.push((self.site_named(&v)?, Condition::Truth(true)));
                }
                Ok(Sites::those(list))
            }
            _ => Err(cannot("a form that is not followed")),
        }
    }

    /// The site whose group or reach is asked for. Refuses unless connectivity depends on pieces alone.
    fn joined_site(&self, e: &Expr, frame: &mut Frame) -> Try<u32> {
        let (setting, vars) = (self.world.setting, self.world.vars);
        let board = &setting.board;
        if !board.has_cells() && !vars.fixed_edges {
            return Err(Stop::Cannot("groups on a board that loses edges".into()));
        }
        for (i, var) in vars.list.iter().enumerate() {
            let alone = self.world.values[i].len() < 2;
            if matches!(var, GroundVar::Present(_)) && !alone {
                return Err(Stop::Cannot("groups on a board that loses sites".into()));
            }
            // In play, all values of a site are distinguished.
            if let GroundVar::Site(_) = var {
                self.world.looked.borrow_mut().insert(i as u32);
            }
        }
        let v = self.known(e, frame)?;
        board
            .find(&v)
            .ok_or_else(|| cannot("what is off the board"))
    }

    fn number_of(&self, e: &Expr, frame: &mut Frame) -> Try<Number> {
        self.world.charge(1)?;
        let number = |v: &Val| match v {
            Val::Int(n) => n.to_i64().filter(|n| (1 - MOST..MOST).contains(n)),
            _ => None,
        };
        let large = || cannot("a number that is too large");
        if let Some(s) = self.plainly(e, frame) {
            return Ok(match self.world.simple(s, &Path::default()) {
                Sym::Is(v) => Number::Is(number(&v).ok_or_else(large)?),
                Sym::Of(var, table) => {
                    let all: Option<Vec<i64>> = table.iter().map(number).collect();
                    Number::Of(var, all.ok_or_else(large)?)
                }
                Sym::If(..) => return Err(cannot("what is not a number")),
            });
        }
        self.deeper(|| self.number_inner(e, frame))
    }

    fn number_inner(&self, e: &Expr, frame: &mut Frame) -> Try<Number> {
        let unknown = || cannot("a form that is not followed");
        Ok(match &*e.kind {
            ExprKind::Fold(Fold::Size, a) if matches!(a.sort, Sort::Set(_)) => {
                Number::Size(self.sites_of(a, frame)?)
            }
            ExprKind::Fold(fold, list) => self.folded(*fold, list, frame)?,
            ExprKind::If(phi, a, b) => match self.condition(phi, frame)? {
                Condition::Truth(true) => self.number_of(a, frame)?,
                Condition::Truth(false) => self.number_of(b, frame)?,
                phi => {
                    let (a, b) = (self.number_of(a, frame)?, self.number_of(b, frame)?);
                    Number::If(Box::new(phi), Box::new(a), Box::new(b))
                }
            },
            ExprKind::Binary(op, a, b) => {
                let (a, b) = (self.number_of(a, frame)?, self.number_of(b, frame)?);
                match (op, b) {
                    (Op::Add, b) => Number::sum([a, b]),
                    (Op::Subtract, b) => Number::sum([a, b.negated()]),
                    (Op::Multiply, b) => Number::product(a, b),
                    (Op::Div, Number::Is(by)) if by != 0 => Number::Quotient(Box::new(a), by),
                    (Op::Mod, Number::Is(by)) if by != 0 => Number::Remainder(Box::new(a), by),
                    _ => return Err(unknown()),
                }
            }
            ExprKind::Negative(a) => self.number_of(a, frame)?.negated(),
            ExprKind::Builtin(Builtin::Abs, args) => {
                let [a] = &args[..] else {
                    return Err(internal(e.span, "not one number"));
                };
                let a = self.number_of(a, frame)?;
                Number::greatest([a.clone(), a.negated()]).ok_or_else(unknown)?
            }
            ExprKind::Call(f, args) => {
                let (body, mut inner) = self.called(*f, args, frame)?;
                self.number_of(&body, &mut inner)?
            }
            _ => return Err(unknown()),
        })
    }

    /// The size, the sum, the least or the greatest number of a list. The last two are followed only if the list is never empty.
    fn folded(&self, fold: Fold, list: &Expr, frame: &mut Frame) -> Try<Number> {
        let unknown = || cannot("a form that is not followed");
        let counts = fold == Fold::Size;
        // Equal elements of a list count each by itself.
        let is_list = matches!(list.sort, Sort::List(_));
        let mut found: Vec<(Condition, Number)> = Vec::new();
        match &*list.kind {
            ExprKind::Elements(items) if is_list => {
                for item in items {
                    found.push((Condition::Truth(true), self.number_of(item, frame)?));
                }
            }
            ExprKind::For(body, binders, phi) if is_list => {
                self.each_asked(
                    binders,
                    true,
                    frame,
                    Condition::Truth(true),
                    &mut |run, frame, own| {
                        let phi = match phi {
                            Some(phi) => run.condition(phi, frame)?,
                            None => Condition::Truth(true),
                        };
                        let all = Condition::all([own, phi]);
                        if all != Condition::Truth(false) {
                            let number = match counts {
                                true => Number::Is(1),
                                false => run.number_of(body, frame)?,
                            };
                            found.push((all, number));
                        }
                        Ok(())
                    },
                )?;
            }
            _ => return Err(unknown()),
        }
        let or_zero = |(phi, n): (Condition, Number)| match phi {
            Condition::Truth(true) => n,
            phi => Number::If(Box::new(phi), Box::new(n), Box::new(Number::Is(0))),
        };
        let always = found.iter().all(|(phi, _)| *phi == Condition::Truth(true));
        let numbers = found.into_iter();
        match fold {
            Fold::Size | Fold::Sum => Ok(Number::sum(numbers.map(or_zero))),
            Fold::Max if always => Number::greatest(numbers.map(|(_, n)| n)).ok_or_else(unknown),
            Fold::Min if always => {
                let least = Number::greatest(numbers.map(|(_, n)| n.negated()));
                least.map(Number::negated).ok_or_else(unknown)
            }
            _ => Err(unknown()),
        }
    }
}

/// The condition that two conditions hold both or neither.
fn same_truth(a: &Condition, b: &Condition) -> Condition {
    let within = |a: &Condition, b: &Condition| Condition::any([a.clone().negated(), b.clone()]);
    Condition::all([within(a, b), within(b, a)])
}

/// The condition that two sets of sites are equal.
fn same_sites(a: Sites, b: Sites) -> Condition {
    if let (Sites::Where(a), Sites::Where(b)) = (&a, &b) {
        let of = |list: &[(u32, Condition)], site: u32| {
            let known = list.iter().find(|(s, _)| *s == site);
            known.map_or(Condition::Truth(false), |(_, c)| c.clone())
        };
        let sites = a.iter().chain(b).map(|(s, _)| *s);
        return Condition::all(sites.map(|s| same_truth(&of(a, s), &of(b, s))));
    }
    let none = |a: &Sites, b: &Sites| {
        let left = Sites::Without(Box::new(a.clone()), Box::new(b.clone()));
        compare(Op::Is, Number::Size(left), Number::Is(0))
    };
    match (none(&a, &b), none(&b, &a)) {
        (Some(first), Some(second)) => Condition::all([first, second]),
        _ => Condition::Truth(false),
    }
}

/// Whether a sort is a set of sites (not of edges or heaps).
pub(super) fn is_sites(sort: &Sort) -> bool {
    use crate::model::typed::SiteKind;
    match sort {
        Sort::Set(inner) => match &**inner {
            Sort::Site(kind) => !matches!(kind, SiteKind::Edge | SiteKind::Heap),
            Sort::Label => true,
            _ => false,
        },
        _ => false,
    }
}

/// Whether a value means that a site is removed; for a cell, that it is a wall.
#[must_use]
pub fn is_gone(v: &Val, cells: bool) -> bool {
    match v {
        Val::Piece(Piece::Wall) => cells,
        Val::Piece(Piece::Off) => true,
        _ => false,
    }
}
