//! Evaluates typed expressions over all positions at once. The result is a known value, or a function of one variable.

mod calls;

use super::Resort;
use super::ask::is_sites;
use super::run::{Frame, Member, Run, internal};
use super::symbol::{Path, Stop, Sym, Try};
use crate::base::Span;
use crate::board::Place as On;
use crate::eval::ops;
use crate::fault::{Code, Fault};
use crate::int::Int;
use crate::model::typed::{Expr, ExprKind, Fold, Op, Quantifier, Sort};
use crate::val::{Piece, Val};

impl Run<'_> {
    pub(super) fn know_expr(&self, e: &Expr, frame: &mut Frame, path: &mut Path) -> Try<Val> {
        let s = self.eval(e, frame, path)?;
        self.know(s, path)
    }

    pub(super) fn decide_expr(&self, e: &Expr, frame: &mut Frame, path: &mut Path) -> Try<bool> {
        // Conjunctions and disjunctions are decided from left to right.
        match &*e.kind {
            ExprKind::Binary(Op::And, a, b) if self.soft.get() == 0 => {
                if let Some(s) = self.eval_softly(e, frame, path) {
                    return self.decide(&s, path);
                }
                return Ok(self.decide_expr(a, frame, path)? && self.decide_expr(b, frame, path)?);
            }
            ExprKind::Binary(Op::Or, a, b) if self.soft.get() == 0 => {
                if let Some(s) = self.eval_softly(e, frame, path) {
                    return self.decide(&s, path);
                }
                return Ok(self.decide_expr(a, frame, path)? || self.decide_expr(b, frame, path)?);
            }
            _ => {}
        }
        let s = self.eval(e, frame, path)?;
        self.decide(&s, path)
    }

    /// Restricts the path to the positions where a condition has the wanted value; false if there are none. The other
    /// positions are not needed, so this takes no decision.
    pub(super) fn demand(&self, s: &Sym, wanted: bool, path: &mut Path) -> Try<bool> {
        match self.world.simple(s.clone(), path) {
            Sym::Is(Val::Bool(b)) => Ok(b == wanted),
            Sym::If(var, yes) => {
                let meets = self.world.left(path, var) & if wanted { yes } else { !yes };
                if meets != 0 {
                    path.restrict(var, meets);
                }
                Ok(meets != 0)
            }
            _ => Err(internal(Span::default(), "not a condition")),
        }
    }

    /// The same for an expression. A conjunction restricts by its parts in turn, so the number of paths does not grow with
    /// the ways in which it can fail.
    pub(super) fn demand_expr(
        &self,
        e: &Expr,
        wanted: bool,
        frame: &mut Frame,
        path: &mut Path,
    ) -> Try<bool> {
        if self.world.plain {
            return Ok(self.decide_expr(e, frame, path)? == wanted);
        }
        match &*e.kind {
            ExprKind::Not(a) => return self.demand_expr(a, !wanted, frame, path),
            ExprKind::Binary(op @ (Op::And | Op::Or), a, b) => {
                if wanted == (*op == Op::And) {
                    return Ok(self.demand_expr(a, wanted, frame, path)?
                        && self.demand_expr(b, wanted, frame, path)?);
                }
                if let Some(s) = self.eval_softly(e, frame, path) {
                    return self.demand(&s, wanted, path);
                }
                return Ok(self.decide_expr(a, frame, path)? == wanted
                    || self.demand_expr(b, wanted, frame, path)?);
            }
            ExprKind::If(phi, a, b) => {
                if let Some(s) = self.eval_softly(e, frame, path) {
                    return self.demand(&s, wanted, path);
                }
                return match self.decide_expr(phi, frame, path)? {
                    true => self.demand_expr(a, wanted, frame, path),
                    false => self.demand_expr(b, wanted, frame, path),
                };
            }
            ExprKind::Quantifier(q, binders, phi, body) if wanted != (*q == Quantifier::Some) => {
                // Exclude every witness.
                let met = self.each_hit(
                    *q,
                    binders,
                    phi.as_ref(),
                    body,
                    frame,
                    path,
                    &mut |run, hit, path| Ok(!run.demand(hit, false, path)?),
                )?;
                return Ok(!met);
            }
            ExprKind::Binary(op @ (Op::Is | Op::IsNot), a, b)
                if wanted == (*op == Op::Is) && (is_sites(&a.sort) || is_sites(&b.sort)) =>
            {
                if let Some(met) = self.demand_equal(a, b, frame, path)? {
                    return Ok(met);
                }
            }
            _ => {}
        }
        let s = self.eval(e, frame, path)?;
        self.demand(&s, wanted, path)
    }

    /// Restricts the path to the positions where two sets of sites are equal: each possible member of one is a member of
    /// the other. `None`, with the path as before, if this takes more than a condition on one variable for each member.
    fn demand_equal(
        &self,
        a: &Expr,
        b: &Expr,
        frame: &mut Frame,
        path: &mut Path,
    ) -> Try<Option<bool>> {
        let Some((a, b)) = self.softly(|| {
            let a = self.each_member(a, frame, path)?;
            Ok((a, self.each_member(b, frame, path)?))
        }) else {
            return Ok(None);
        };
        let mut wanted: Vec<(&Sym, bool)> = Vec::new();
        for (v, here) in &a {
            match b.iter().find(|(w, _)| w == v).map(|(_, there)| there) {
                None => wanted.push((here, false)),
                Some(there) if here.is(true) => wanted.push((there, true)),
                Some(there) if there.is(true) => wanted.push((here, true)),
                Some(there) if here == there => {}
                Some(_) => return Ok(None),
            }
        }
        let alone = b.iter().filter(|(w, _)| a.iter().all(|(v, _)| v != w));
        wanted.extend(alone.map(|(_, there)| (there, false)));
        for (s, wanted) in wanted {
            if !self.demand(s, wanted, path)? {
                return Ok(Some(false));
            }
        }
        Ok(Some(true))
    }

    /// The possible members of a set, each once with the condition under which it is one.
    pub(super) fn each_member(
        &self,
        set: &Expr,
        frame: &mut Frame,
        path: &mut Path,
    ) -> Try<Vec<(Val, Sym)>> {
        let mut found: Vec<(Val, Sym)> = Vec::new();
        for m in self.members(set, frame, path)? {
            let Sym::Is(value) = m.value else {
                return Err(Stop::Forked);
            };
            let mut here = Sym::truth(true);
            for need in m.needs {
                here = self.both(here, need, path).ok_or(Stop::Forked)?;
            }
            if found.iter().any(|(v, _)| *v == value) {
                return Err(Stop::Forked);
            }
            found.push((value, here));
        }
        Ok(found)
    }

    /// The value, if it needs no decision. The path stays unchanged, since nothing is learned of the variables.
    pub(super) fn eval_softly(&self, e: &Expr, frame: &mut Frame, path: &mut Path) -> Option<Sym> {
        self.softly(|| self.eval(e, frame, path))
    }

    pub(super) fn know_int(&self, e: &Expr, frame: &mut Frame, path: &mut Path) -> Try<Int> {
        match self.know_expr(e, frame, path)? {
            Val::Int(n) => Ok(n),
            _ => Err(internal(e.span, "not an integer")),
        }
    }

    pub(super) fn eval(&self, e: &Expr, frame: &mut Frame, path: &mut Path) -> Try<Sym> {
        self.world.charge(1)?;
        self.deeper(|| self.eval_inner(e, frame, path))
    }

    fn eval_inner(&self, e: &Expr, frame: &mut Frame, path: &mut Path) -> Try<Sym> {
        let instance = &self.world.setting.instance;
        let is = |v| Ok(Sym::Is(v));
        match &*e.kind {
            ExprKind::Integer(n) => is(Val::Int(Int::from(n))),
            ExprKind::Bool(b) => is(Val::Bool(*b)),
            ExprKind::Text(t) => is(Val::Text(t.clone())),
            ExprKind::Player(p) => is(Val::Player(*p)),
            ExprKind::Piece(p) => is(Val::Piece(Piece::Declared(p.0))),
            ExprKind::Empty => is(Val::Piece(Piece::Empty)),
            ExprKind::Wall => is(Val::Piece(Piece::Wall)),
            ExprKind::Off => is(Val::Piece(Piece::Off)),
            ExprKind::Direction(r, c) => is(Val::Direction(i32::from(*r), i32::from(*c))),
            ExprKind::Slot(s) => match frame.get(*s) {
                Some(v) => Ok(self.world.simple(v.clone(), path)),
                None if frame.open(*s).is_some() => self.known_members(e, frame, path).map(Sym::Is),
                None => Err(internal(e.span, "a variable without a value")),
            },
            ExprKind::Root => match self.world.setting.board.root {
                Some(r) => is(self.world.setting.board.label(r)),
                None => Err(Fault::new(Code::NoBoard, e.span, "this board has no root").into()),
            },
            ExprKind::Label(name, args) => {
                let args = self.know_all(args, frame, path)?;
                is(Val::term(name.clone(), args))
            }
            ExprKind::PlayerNumber(n) => {
                let n = self.know_int(n, frame, path)?;
                let players = instance.players.len();
                let place = n.to_usize().and_then(|n| n.checked_sub(1));
                match place.filter(|k| *k < players).map(u8::try_from) {
                    Some(Ok(k)) => is(Val::Player(k)),
                    _ => Err(Fault::new(
                        Code::Players,
                        e.span,
                        format!("there is no player {n}: the players are 1 to {players}"),
                    )
                    .into()),
                }
            }
            ExprKind::PieceNumber(n) => {
                let n = self.know_int(n, frame, path)?;
                match instance.piece(&n.to_string()) {
                    Some(k) => is(Val::Piece(Piece::Declared(k))),
                    None => Err(Fault::new(
                        Code::NoSuchPiece,
                        e.span,
                        format!("{} has no piece {n}", instance.name),
                    )
                    .into()),
                }
            }
            ExprKind::PieceOf(p) => {
                let p = self.eval(p, frame, path)?;
                self.lift(p, path, |p| match p {
                    Val::Player(p) => Ok(Val::Piece(instance.piece_of(*p, e.span)?)),
                    _ => Err(internal(e.span, "not a player")),
                })
            }
            ExprKind::IsPieceOf(piece, player) => {
                let piece = self.eval(piece, frame, path)?;
                let player = self.eval(player, frame, path)?;
                self.lift2(piece, player, path, |piece, player| match (piece, player) {
                    (Val::Piece(c), Val::Player(p)) => Ok(Val::Bool(instance.is_exactly(*p, *c))),
                    _ => Err(internal(e.span, "not a piece and a player")),
                })
            }
            ExprKind::Cell(parts) => match &parts[..] {
                [one] => self.eval(one, frame, path),
                _ => is(Val::tuple(self.know_all(parts, frame, path)?)),
            },
            ExprKind::Coordinates(a) => self.eval(a, frame, path),
            ExprKind::Tuple(items) => is(Val::tuple(self.know_all(items, frame, path)?)),
            ExprKind::Call(f, args) => {
                let args: Try<Vec<Sym>> = args.iter().map(|a| self.eval(a, frame, path)).collect();
                self.call(*f, args?, e.span, path)
            }
            ExprKind::At(site) => {
                let site = self.know_expr(site, frame, path)?;
                self.at(&site, path)
            }
            ExprKind::State(f, args) => {
                let args = self.know_all(args, frame, path)?;
                let setting = self.world.setting;
                if let Some(nought) = crate::eval::beyond(setting, *f, &args) {
                    return Ok(Sym::Is(nought));
                }
                let var = setting.state_var(*f, &args);
                if let Some(var) = var
                    && let Some(held) = self.world.vars.fixed.get(&var)
                {
                    return self.fixed(var, held, path);
                }
                match var.and_then(|v| self.world.vars.state(v)) {
                    Some(v) => Ok(self.world.read(v, path)),
                    None => Err(Fault::new(
                        Code::OffBoard,
                        e.span,
                        "a state function is asked off the board",
                    )
                    .into()),
                }
            }
            ExprKind::Negative(a) => {
                let a = self.eval(a, frame, path)?;
                self.lift(a, path, |v| match v {
                    Val::Int(n) => Ok(Val::Int(n.neg())),
                    Val::Direction(r, c) => {
                        Ok(Val::Direction(r.saturating_neg(), c.saturating_neg()))
                    }
                    _ => Err(internal(e.span, "not an integer")),
                })
            }
            ExprKind::Not(a) => {
                let a = self.eval(a, frame, path)?;
                Ok(self.world.negated(a, path))
            }
            ExprKind::If(phi, a, b) => self.conditional(phi, a, b, frame, path),
            ExprKind::Binary(op, a, b) => self.binary(e, *op, a, b, frame, path),
            ExprKind::Quantifier(q, binders, phi, body) => {
                self.quantifier(*q, binders, phi.as_ref(), body, frame, path)
            }
            ExprKind::For(..) => self.known_members(e, frame, path).map(Sym::Is),
            ExprKind::Fold(fold, a) => {
                let v = self.known_members(a, frame, path)?;
                let Some(items) = v.elements() else {
                    return Err(internal(a.span, "not a set or list"));
                };
                let fold: Fold = *fold;
                is(ops::fold(fold, items, a.span)?)
            }
            ExprKind::Elements(items) => {
                let items = self.know_all(items, frame, path)?;
                is(collect(&e.sort, items))
            }
            ExprKind::Index(list, i) => {
                let list = self.eval(list, frame, path)?;
                let i = self.eval(i, frame, path)?;
                self.lift2(list, i, path, |l, i| Ok(ops::index(l, i, e.span)?))
            }
            ExprKind::Builtin(b, args) => self.builtin(*b, args, e, frame, path),
            _ => Err(Stop::Cannot(
                "a rule uses a form that is not grounded".into(),
            )),
        }
    }

    /// A value fixed with the board, as long as the sites and edges that it belongs to are present; otherwise the default.
    fn fixed(&self, var: usize, held: &Val, path: &mut Path) -> Try<Sym> {
        let setting = self.world.setting;
        let Some(without) = setting.default(var).filter(|v| v != held) else {
            return Ok(Sym::Is(held.clone()));
        };
        if setting.board.has_cells() {
            return Ok(Sym::Is(held.clone()));
        }
        let mut needs = Vec::new();
        for place in setting.places(var) {
            match place {
                On::Site(s) => needs.push(self.has_site(s, path)),
                On::Edge(e) => needs.extend(self.has_edge(e, path)),
            }
        }
        needs.retain(|s| *s != Sym::truth(true));
        let Some(last) = needs.pop() else {
            return Ok(Sym::Is(held.clone()));
        };
        for there in &needs {
            if !self.decide(there, path)? {
                return Ok(Sym::Is(without));
            }
        }
        let last = self.world.simple(last, path);
        self.lift(last, path, |there| match there {
            Val::Bool(true) => Ok(held.clone()),
            _ => Ok(without.clone()),
        })
    }

    /// `if phi then a else b`. If the condition depends on one variable and both branches are known, the result is a
    /// function of that variable. Otherwise the condition is decided, and only the branch taken is evaluated.
    fn conditional(
        &self,
        phi: &Expr,
        a: &Expr,
        b: &Expr,
        frame: &mut Frame,
        path: &mut Path,
    ) -> Try<Sym> {
        if let Some(Sym::If(var, holds)) = self.eval_softly(phi, frame, path)
            && let Some(Sym::Is(a)) = self.eval_softly(a, frame, path)
            && let Some(Sym::Is(b)) = self.eval_softly(b, frame, path)
        {
            let side = |i: usize| match holds >> i & 1 == 1 {
                true => a.clone(),
                false => b.clone(),
            };
            return Ok(self.world.function(var, path, side));
        }
        match self.decide_expr(phi, frame, path)? {
            true => self.eval(a, frame, path),
            false => self.eval(b, frame, path),
        }
    }

    pub(super) fn know_all(
        &self,
        list: &[Expr],
        frame: &mut Frame,
        path: &mut Path,
    ) -> Try<Vec<Val>> {
        list.iter()
            .map(|e| self.know_expr(e, frame, path))
            .collect()
    }

    fn binary(
        &self,
        e: &Expr,
        op: Op,
        a: &Expr,
        b: &Expr,
        frame: &mut Frame,
        path: &mut Path,
    ) -> Try<Sym> {
        let instance = &self.world.setting.instance;
        match op {
            Op::And | Op::Or => {
                let until = op == Op::Or;
                let x = self.eval(a, frame, path)?;
                let x = self.world.simple(x, path);
                if let Sym::Is(v) = &x {
                    if *v == Val::Bool(until) {
                        return Ok(x);
                    }
                    return self.eval(b, frame, path);
                }
                // Take no decision if both depend on the same variable.
                let y = self.eval_softly(b, frame, path);
                if let Some(y) = y {
                    let together = if until {
                        let not = |s| self.world.negated(s, path);
                        self.both(not(x.clone()), not(y), path).map(not)
                    } else {
                        self.both(x.clone(), y, path)
                    };
                    if let Some(s) = together {
                        return Ok(s);
                    }
                }
                if self.decide(&x, path)? == until {
                    return Ok(Sym::truth(until));
                }
                self.eval(b, frame, path)
            }
            Op::In => self.contains(a, b, frame, path),
            Op::Owns => {
                let p = self.eval(a, frame, path)?;
                let c = self.eval(b, frame, path)?;
                self.lift2(p, c, path, |p, c| match (p, c) {
                    (Val::Player(p), Val::Piece(c)) => Ok(Val::Bool(instance.owns(*p, *c))),
                    _ => Err(internal(e.span, "not a player and a piece")),
                })
            }
            Op::Range => {
                let from = self.know_int(a, frame, path)?;
                let to = self.know_int(b, frame, path)?;
                let mut found = Vec::new();
                let mut n = from;
                while n <= to {
                    self.world.charge(1)?;
                    found.push(Val::Int(n.clone()));
                    n = n.add(&Int::ONE).map_err(|f| ops::arithmetic(f, e.span))?;
                }
                Ok(Sym::Is(Val::Set(found.into())))
            }
            _ => {
                if let Some(found) = self.size_compared(op, a, b, frame, path)? {
                    return Ok(found);
                }
                let x = self.eval(a, frame, path)?;
                let y = self.eval(b, frame, path)?;
                let board = &self.world.setting.board;
                self.lift2(x, y, path, |x, y| {
                    let found = ops::binary(op, x, y, e.span)?;
                    let steps = matches!(x, Val::Direction(..)) || matches!(y, Val::Direction(..));
                    // Wrap a step around rings of the board.
                    Ok(if steps { board.home(found) } else { found })
                })
            }
        }
    }

    /// Compares the size of a set with a number. Decides its members one by one, only until the answer is the same whatever
    /// the others are. `None` if neither side is a size, or if the possible members must be decided.
    fn size_compared(
        &self,
        op: Op,
        a: &Expr,
        b: &Expr,
        frame: &mut Frame,
        path: &mut Path,
    ) -> Try<Option<Sym>> {
        let sized = |e: &Expr| match &*e.kind {
            ExprKind::Fold(Fold::Size, set) if matches!(set.sort, Sort::Set(_)) => {
                Some(set.clone())
            }
            _ => None,
        };
        let (op, set, number) = match (sized(a), sized(b)) {
            _ if self.world.fallbacks.sets == Resort::Never => return Ok(None),
            (Some(set), None) => (Some(op), set, b),
            (None, Some(set)) => (reversed(op), set, a),
            _ => return Ok(None),
        };
        let Some(op) = op.filter(|op| reversed(*op).is_some()) else {
            return Ok(None);
        };
        let known = self.softly(|| {
            let Sym::Is(Val::Int(number)) = self.eval(number, frame, path)? else {
                return Err(Stop::Forked);
            };
            Ok((number, self.each_member(&set, frame, path)?))
        });
        let Some((number, members)) = known else {
            return Ok(None);
        };
        let with = |size: usize| {
            ops::binary(
                op,
                &Val::Int(size.into()),
                &Val::Int(number.clone()),
                set.span,
            )
        };
        let mut least = members.iter().filter(|(_, here)| here.is(true)).count();
        let mut open = members
            .into_iter()
            .map(|(_, here)| here)
            .filter(|s| !s.is(true));
        let mut left = open.clone().count();
        loop {
            let first = with(least)?;
            let mut others = (least + 1..=least + left).map(&with);
            if others.all(|v| v.is_ok_and(|v| v == first)) {
                return Ok(Some(Sym::Is(first)));
            }
            let Some(next) = open.next() else {
                return Ok(Some(Sym::Is(first)));
            };
            left -= 1;
            if left == 0 {
                let one_more = with(least + 1)?;
                let result = |here: &Val| match here {
                    Val::Bool(true) => Ok(one_more.clone()),
                    _ => Ok(first.clone()),
                };
                return self.lift(next, path, result).map(Some);
            }
            least += usize::from(self.decide(&next, path)?);
        }
    }

    fn contains(&self, a: &Expr, b: &Expr, frame: &mut Frame, path: &mut Path) -> Try<Sym> {
        let x = self.eval(a, frame, path)?;
        if let ExprKind::Binary(Op::Range, from, to) = &*b.kind {
            let from = self.eval(from, frame, path)?;
            let to = self.eval(to, frame, path)?;
            let span = b.span;
            let low = self.lift2(from, x.clone(), path, |f, x| {
                Ok(ops::binary(Op::LessEqual, f, x, span)?)
            })?;
            let high = self.lift2(x, to, path, |x, t| {
                Ok(ops::binary(Op::LessEqual, x, t, span)?)
            })?;
            if let Some(s) = self.both(low.clone(), high.clone(), path) {
                return Ok(s);
            }
            let b = self.decide(&low, path)? && self.decide(&high, path)?;
            return Ok(Sym::truth(b));
        }
        let members = self.members(b, frame, path)?;
        if members.iter().all(|m| m.needs.is_empty())
            && let Some(known) = members
                .iter()
                .map(|m| match &m.value {
                    Sym::Is(v) => Some(v),
                    _ => None,
                })
                .collect::<Option<Vec<&Val>>>()
        {
            return self.lift(x, path, |x| Ok(Val::Bool(known.contains(&x))));
        }
        let x = self.know(x, path)?;
        for (i, m) in members.iter().enumerate() {
            if self.know(m.value.clone(), path)? != x {
                continue;
            }
            // Two edges between the same vertices yield one site twice.
            let differs = |m: &Member| matches!(&m.value, Sym::Is(v) if *v != x);
            if let [one] = &m.needs[..]
                && members[i + 1..].iter().all(differs)
            {
                return Ok(one.clone());
            }
            let mut in_it = true;
            for need in &m.needs {
                in_it = in_it && self.decide(need, path)?;
            }
            if in_it {
                return Ok(Sym::truth(true));
            }
        }
        Ok(Sym::truth(false))
    }

    fn quantifier(
        &self,
        q: Quantifier,
        binders: &[crate::model::typed::Binder],
        phi: Option<&Expr>,
        body: &Expr,
        frame: &mut Frame,
        path: &mut Path,
    ) -> Try<Sym> {
        let met = self.each_hit(q, binders, phi, body, frame, path, &mut |run, hit, path| {
            run.decide(hit, path)
        })?;
        Ok(Sym::truth(met == (q == Quantifier::Some)))
    }

    /// Enumerates the choices that may decide a quantifier: those where phi holds and the body is true (for `all`, false).
    /// Calls `met` with the condition of each, and stops when `met` returns true.
    #[allow(clippy::too_many_arguments)]
    fn each_hit(
        &self,
        q: Quantifier,
        binders: &[crate::model::typed::Binder],
        phi: Option<&Expr>,
        body: &Expr,
        frame: &mut Frame,
        path: &mut Path,
        met: &mut dyn FnMut(&Run<'_>, &Sym, &mut Path) -> Try<bool>,
    ) -> Try<bool> {
        let until = q != Quantifier::All;
        self.each_choice(
            binders,
            frame,
            path,
            &mut Vec::new(),
            &mut |run, frame, path, needs| {
                let mut hit = Sym::truth(true);
                for need in needs {
                    if !run.join(&mut hit, need.clone(), path)? {
                        return Ok(false);
                    }
                }
                for (e, wanted) in phi.map(|e| (e, true)).into_iter().chain([(body, until)]) {
                    let value = match run.eval_softly(e, frame, path) {
                        Some(v) => v,
                        None => {
                            if !run.decide(&hit, path)? {
                                return Ok(false);
                            }
                            hit = Sym::truth(true);
                            run.eval(e, frame, path)?
                        }
                    };
                    let value = if wanted {
                        value
                    } else {
                        run.world.negated(value, path)
                    };
                    if !run.join(&mut hit, value, path)? {
                        return Ok(false);
                    }
                }
                met(run, &hit, path)
            },
        )
    }

    /// Adds a condition to a conjunction; decides the conjunction if the condition is on another variable. False if the
    /// conjunction is false.
    fn join(&self, hit: &mut Sym, more: Sym, path: &mut Path) -> Try<bool> {
        *hit = match self.both(hit.clone(), more.clone(), path) {
            Some(s) => s,
            None => {
                if !self.decide(hit, path)? {
                    return Ok(false);
                }
                more
            }
        };
        Ok(!hit.is(false))
    }

    /// The set or list after deciding the membership of each candidate.
    pub(super) fn known_members(&self, e: &Expr, frame: &mut Frame, path: &mut Path) -> Try<Val> {
        let mut found = Vec::new();
        'members: for m in self.members(e, frame, path)? {
            for need in &m.needs {
                if !self.decide(need, path)? {
                    continue 'members;
                }
            }
            found.push(self.know(m.value, path)?);
        }
        Ok(collect(&e.sort, found))
    }
}

/// The comparison with its sides exchanged; `None` for what is no comparison.
fn reversed(op: Op) -> Option<Op> {
    Some(match op {
        Op::Is | Op::IsNot => op,
        Op::Less => Op::Greater,
        Op::LessEqual => Op::GreaterEqual,
        Op::Greater => Op::Less,
        Op::GreaterEqual => Op::LessEqual,
        _ => return None,
    })
}

/// A set or a list, depending on the sort.
fn collect(sort: &Sort, items: Vec<Val>) -> Val {
    match sort {
        Sort::Set(_) => Val::set(items),
        _ => Val::list(items),
    }
}
