//! Evaluates each form of expression.

use super::calls::{Calls, Known};
use super::{
    DRAW, Evaluator, Frame, MAX_ELEMENTS, QUEER, Scope, at, internal, need_here, need_instance,
    no_integer, ops, read_state, too_many_elements,
};
use crate::base::Span;
use crate::fault::{Code, Fault, Res};
use crate::game::Convention;
use crate::instance::MAX_PLAYERS;
use crate::int::Int;
use crate::model::typed::{
    Binder, Expr, ExprKind, Fold, Function, FunctionBody, FunctionId, GameFunction, GameOp, Op,
    Quantifier, Sort, StateId,
};
use crate::position::Position;
use crate::val::{Piece, Val};
use std::ops::ControlFlow;
use std::sync::Arc;

impl Evaluator<'_> {
    /// Evaluates an expression.
    ///
    /// # Errors
    /// A fault, with its place.
    pub fn eval(&self, e: &Expr, frame: &mut Frame, scope: Scope<'_>) -> Res<Val> {
        self.charge(1, e.span)?;
        match &*e.kind {
            ExprKind::Integer(n) => Ok(Val::Int(Int::from(n))),
            ExprKind::Bool(b) => Ok(Val::Bool(*b)),
            ExprKind::Text(t) => Ok(Val::Text(t.clone())),
            ExprKind::Player(p) => Ok(Val::Player(*p)),
            ExprKind::Piece(p) => Ok(Val::Piece(Piece::Declared(p.0))),
            ExprKind::Empty => Ok(Val::Piece(Piece::Empty)),
            ExprKind::Wall => Ok(Val::Piece(Piece::Wall)),
            ExprKind::Off => Ok(Val::Piece(Piece::Off)),
            ExprKind::Direction(r, c) => Ok(Val::Direction(i32::from(*r), i32::from(*c))),
            ExprKind::Slot(s) => frame
                .get(*s)
                .cloned()
                .ok_or_else(|| internal(e.span, "a variable without a value")),
            ExprKind::Root => root(e.span, scope),
            ExprKind::Outcome(o) => Ok(Val::Outcome(*o)),
            ExprKind::Queer => Ok(QUEER),
            ExprKind::Draw => Ok(DRAW),
            _ => self.deeper(e.span, || self.eval_compound(e, frame, scope)),
        }
    }

    #[inline(never)]
    fn eval_compound(&self, e: &Expr, frame: &mut Frame, scope: Scope<'_>) -> Res<Val> {
        match &*e.kind {
            ExprKind::Binary(op, a, b) => self.binary(e, *op, a, b, frame, scope),
            ExprKind::Call(f, args) => self.call(*f, args, e.span, frame, scope),
            ExprKind::At(site) => self.eval_at(site, frame, scope),
            ExprKind::State(f, args) => self.eval_state(*f, args, e.span, frame, scope),
            ExprKind::Builtin(b, args) => self.builtin(*b, args, e, frame, scope),
            ExprKind::Quantifier(q, binders, phi, body) => {
                self.quantifier(*q, binders, phi.as_ref(), body, frame, scope)
            }
            ExprKind::For(body, binders, phi) => {
                self.comprehension(e, body, binders, phi.as_ref(), frame, scope)
            }
            ExprKind::If(phi, a, b) => match self.truth(phi, frame, scope)? {
                true => self.eval(a, frame, scope),
                false => self.eval(b, frame, scope),
            },
            ExprKind::Not(a) => Ok(Val::Bool(!self.truth(a, frame, scope)?)),
            ExprKind::Fold(fold, a) => self.fold(*fold, a, frame, scope),
            ExprKind::Elements(items) => {
                let items = self.eval_all(items, frame, scope)?;
                Ok(collect(&e.sort, items))
            }
            ExprKind::Tuple(items) => Ok(Val::tuple(self.eval_all(items, frame, scope)?)),
            ExprKind::Label(name, args) => {
                let args = self.eval_all(args, frame, scope)?;
                Ok(Val::term(name.clone(), args))
            }
            _ => self.eval_rare(e, frame, scope),
        }
    }

    #[inline(never)]
    fn eval_rare(&self, e: &Expr, frame: &mut Frame, scope: Scope<'_>) -> Res<Val> {
        match &*e.kind {
            ExprKind::PieceOf(p) => {
                let player = self.player(p, frame, scope)?;
                let instance = need_instance(scope, e.span)?;
                Ok(Val::Piece(instance.piece_of(player, e.span)?))
            }
            ExprKind::IsPieceOf(piece, player) => {
                let Val::Piece(piece) = self.eval(piece, frame, scope)? else {
                    return Err(internal(piece.span, "not a piece"));
                };
                let player = self.player(player, frame, scope)?;
                let instance = need_instance(scope, e.span)?;
                Ok(Val::Bool(instance.is_exactly(player, piece)))
            }
            ExprKind::PlayerNumber(n) => {
                let n = self.integer(n, frame, scope)?;
                // In a query the position is not known yet; the query function checks the player.
                let players = scope.instance.map_or(MAX_PLAYERS, |i| i.players.len());
                let place = n.to_usize().and_then(|n| n.checked_sub(1));
                match place.filter(|k| *k < players).map(u8::try_from) {
                    Some(Ok(k)) => Ok(Val::Player(k)),
                    _ => Err(Fault::new(
                        Code::Players,
                        e.span,
                        format!("there is no player {n}: the players are 1 to {players}"),
                    )),
                }
            }
            ExprKind::PieceNumber(n) => {
                let n = self.integer(n, frame, scope)?;
                let instance = need_instance(scope, e.span)?;
                match instance.piece(&n.to_string()) {
                    Some(k) => Ok(Val::Piece(Piece::Declared(k))),
                    None => Err(Fault::new(
                        Code::NoSuchPiece,
                        e.span,
                        format!("{} has no piece {n}", instance.name),
                    )),
                }
            }
            // A strip cell is represented by its integer and a grid cell by its pair.
            ExprKind::Cell(parts) => match &parts[..] {
                [one] => self.eval(one, frame, scope),
                _ => Ok(Val::tuple(self.eval_all(parts, frame, scope)?)),
            },
            ExprKind::Coordinates(a) => self.eval(a, frame, scope),
            ExprKind::Negative(a) => match self.eval(a, frame, scope)? {
                Val::Int(n) => Ok(Val::Int(n.neg())),
                Val::Direction(r, c) => Ok(Val::Direction(r.saturating_neg(), c.saturating_neg())),
                other => Err(no_integer(&other, a.span)),
            },
            ExprKind::Index(list, i) => {
                let list = self.eval(list, frame, scope)?;
                let n = self.eval(i, frame, scope)?;
                ops::index(&list, &n, i.span)
            }
            ExprKind::Board(literal) => {
                let board = self.board(literal, frame, scope)?;
                Ok(Val::Board(Arc::new(board)))
            }
            ExprKind::Position(literal) => {
                let position = self.position(literal, e.span, frame, scope)?;
                Ok(Val::Position(Arc::new(position)))
            }
            ExprKind::Sum(a, b) => {
                let (a, b) = (
                    self.eval_position(a, frame, scope)?,
                    self.eval_position(b, frame, scope)?,
                );
                Ok(Val::Position(Arc::new(a.plus(&b, e.span)?)))
            }
            ExprKind::Mirror(a) => {
                let a = self.eval_position(a, frame, scope)?;
                Ok(Val::Position(Arc::new(a.negate(e.span)?)))
            }
            ExprKind::Multiple(n, a) => {
                let n = self.integer(n, frame, scope)?;
                let a = self.eval_position(a, frame, scope)?;
                Ok(Val::Position(Arc::new(a.times(&n, e.span)?)))
            }
            ExprKind::Game(op, args) => {
                let args = match asks_of_points(op) {
                    true => self.eval_points(args, frame, scope)?,
                    false => self.eval_all(args, frame, scope)?,
                };
                self.host.game(op, &args, e.span)
            }
            _ => Err(internal(e.span, "an expression of no known form")),
        }
    }

    /// The same for questions that are asked of positions that count points, too: these have no value, and are kept as they
    /// are.
    ///
    /// # Errors
    /// The error of the first one that fails.
    pub fn eval_points(&self, list: &[Expr], frame: &mut Frame, scope: Scope<'_>) -> Res<Vec<Val>> {
        let one = |e: &Expr| {
            let ExprKind::Game(GameOp::Value, inner) = &*e.kind else {
                return self.eval(e, frame, scope);
            };
            let inner = self.eval_all(inner, frame, scope)?;
            match &inner[..] {
                [Val::Position(p)] if p.convention() == Convention::Scoring => Ok(inner[0].clone()),
                _ => self.host.game(&GameOp::Value, &inner, e.span),
            }
        };
        list.iter().map(one).collect()
    }

    /// Evaluates several expressions in order.
    ///
    /// # Errors
    /// The error of the first one that fails.
    pub fn eval_all(&self, list: &[Expr], frame: &mut Frame, scope: Scope<'_>) -> Res<Vec<Val>> {
        list.iter().map(|e| self.eval(e, frame, scope)).collect()
    }

    /// Evaluates a condition.
    ///
    /// # Errors
    /// As [`Evaluator::eval`].
    pub fn truth(&self, e: &Expr, frame: &mut Frame, scope: Scope<'_>) -> Res<bool> {
        match self.eval(e, frame, scope)? {
            Val::Bool(b) => Ok(b),
            _ => Err(internal(e.span, "not a condition")),
        }
    }

    /// Evaluates an expression of integers.
    ///
    /// # Errors
    /// As [`Evaluator::eval`].
    pub fn integer(&self, e: &Expr, frame: &mut Frame, scope: Scope<'_>) -> Res<Int> {
        match self.eval(e, frame, scope)? {
            Val::Int(n) => Ok(n),
            other => Err(no_integer(&other, e.span)),
        }
    }

    fn player(&self, e: &Expr, frame: &mut Frame, scope: Scope<'_>) -> Res<u8> {
        match self.eval(e, frame, scope)? {
            Val::Player(p) => Ok(p),
            _ => Err(internal(e.span, "not a player")),
        }
    }

    /// Evaluates an expression of positions.
    ///
    /// # Errors
    /// As [`Evaluator::eval`].
    pub fn eval_position(
        &self,
        e: &Expr,
        frame: &mut Frame,
        scope: Scope<'_>,
    ) -> Res<Arc<Position>> {
        match self.eval(e, frame, scope)? {
            Val::Position(p) => Ok(p),
            _ => Err(internal(e.span, "not a position")),
        }
    }

    fn binary(
        &self,
        e: &Expr,
        op: Op,
        a: &Expr,
        b: &Expr,
        frame: &mut Frame,
        scope: Scope<'_>,
    ) -> Res<Val> {
        match op {
            Op::And => {
                return Ok(Val::Bool(
                    self.truth(a, frame, scope)? && self.truth(b, frame, scope)?,
                ));
            }
            Op::Or => {
                return Ok(Val::Bool(
                    self.truth(a, frame, scope)? || self.truth(b, frame, scope)?,
                ));
            }
            Op::In => {
                // Membership in a range does not need the set.
                if let ExprKind::Binary(Op::Range, from, to) = &*b.kind {
                    let x = self.integer(a, frame, scope)?;
                    let from = self.integer(from, frame, scope)?;
                    let to = self.integer(to, frame, scope)?;
                    return Ok(Val::Bool(from <= x && x <= to));
                }
            }
            Op::Owns => {
                let player = self.player(a, frame, scope)?;
                let Val::Piece(piece) = self.eval(b, frame, scope)? else {
                    return Err(internal(b.span, "not a piece"));
                };
                let instance = need_instance(scope, e.span)?;
                return Ok(Val::Bool(instance.owns(player, piece)));
            }
            _ => {}
        }
        let x = self.eval(a, frame, scope)?;
        let y = self.eval(b, frame, scope)?;
        if op == Op::Place
            && let (Val::Board(board), piece) = (&x, &y)
        {
            let glyph = self.glyph(piece, b.span, scope)?;
            return Ok(Val::Board(Arc::new(crate::board::combine::place(
                board, &glyph, e.span,
            ))));
        }
        if let (Op::Add | Op::Subtract, Some(n)) = (op, x.elements().map(<[Val]>::len)) {
            self.charge((n + y.elements().map_or(0, <[Val]>::len)) as u64, e.span)?;
        }
        if op == Op::Range {
            return self.range(&x, &y, e.span);
        }
        let found = ops::binary(op, &x, &y, e.span)?;
        // Wrap a step around rings of the board.
        let steps = matches!(x, Val::Direction(..)) || matches!(y, Val::Direction(..));
        Ok(match scope.here {
            Some((setting, _)) if steps => setting.board.home(found),
            _ => found,
        })
    }

    fn range(&self, from: &Val, to: &Val, span: Span) -> Res<Val> {
        let (Val::Int(from), Val::Int(to)) = (from, to) else {
            let other = if from.as_int().is_some() { to } else { from };
            return Err(no_integer(other, span));
        };
        if from > to {
            return Ok(Val::set(Vec::new()));
        }
        let size = to.sub(from).ok().and_then(|n| n.to_usize());
        let size = size.filter(|n| *n < MAX_ELEMENTS);
        let Some(size) = size else {
            return Err(Fault::new(
                Code::TooMuch,
                span,
                format!("{from}..{to} has too many elements"),
            ));
        };
        self.charge(size as u64, span)?;
        let mut n = from.clone();
        let mut all = Vec::with_capacity(size + 1);
        while n <= *to {
            all.push(Val::Int(n.clone()));
            n = n.add(&Int::ONE).map_err(|f| ops::arithmetic(f, span))?;
        }
        Ok(Val::Set(all.into()))
    }

    fn eval_at(&self, site: &Expr, frame: &mut Frame, scope: Scope<'_>) -> Res<Val> {
        let v = self.eval(site, frame, scope)?;
        let (setting, state) = need_here(scope, site.span)?;
        Ok(Val::Piece(at(setting, state, &v)))
    }

    fn eval_state(
        &self,
        f: StateId,
        args: &[Expr],
        span: Span,
        frame: &mut Frame,
        scope: Scope<'_>,
    ) -> Res<Val> {
        let args = self.eval_all(args, frame, scope)?;
        let (setting, state) = need_here(scope, span)?;
        match super::beyond(setting, f, &args) {
            Some(nought) => Ok(nought),
            None => read_state(setting, state, f, &args, span),
        }
    }

    fn call(
        &self,
        f: FunctionId,
        args: &[Expr],
        span: Span,
        frame: &mut Frame,
        scope: Scope<'_>,
    ) -> Res<Val> {
        let constants = self.constants.as_ref().filter(|_| args.is_empty());
        if let Some(known) = constants
            && let Some(v) = known.borrow().get(&f)
        {
            return Ok(v.clone());
        }
        let args = self.eval_all(args, frame, scope)?;
        if let Some(calls) = self.calls.filter(|_| !args.is_empty() && scope.is_empty()) {
            return self.remembered(calls, f, args, span);
        }
        let value = self.apply(f, &args, span, scope)?;
        if let Some(known) = constants {
            known.borrow_mut().insert(f, value.clone());
        }
        Ok(value)
    }

    // The result of a function, from an earlier call if there was one.
    fn remembered(&self, calls: &Calls, f: FunctionId, args: Vec<Val>, span: Span) -> Res<Val> {
        let depth = self.depth.get();
        if let Some(known) = calls.find(f, &args, depth) {
            self.charge(known.steps, span)?;
            return Ok(known.value);
        }
        let before = self.steps_left();
        let value = self.apply(f, &args, span, Scope::default())?;
        let known = Known {
            value: value.clone(),
            steps: before - self.steps_left(),
            depth,
        };
        calls.keep(f, args, known);
        Ok(value)
    }

    fn apply(&self, f: FunctionId, args: &[Val], span: Span, scope: Scope<'_>) -> Res<Val> {
        let Some(function) = self.model.functions.get(f.0 as usize) else {
            return Err(internal(span, "an unknown function"));
        };
        for (v, p) in args.iter().zip(&function.parameters) {
            if p.natural
                && let Val::Int(n) = v
                && n.is_negative()
            {
                return Err(Fault::new(
                    Code::Argument,
                    span,
                    format!(
                        "{} of {} is a natural number, not {n}",
                        p.name, function.name
                    ),
                ));
            }
        }
        let mut frame = if function.in_ruleset.is_some() {
            let instance = need_instance(scope, span)?;
            Frame::new(
                instance
                    .rules_arguments
                    .iter()
                    .cloned()
                    .chain(args.iter().cloned()),
            )
        } else {
            Frame::new(args.iter().cloned())
        };
        self.deeper(span, || self.body(function, args, &mut frame, span, scope))
    }

    fn body(
        &self,
        function: &Function,
        args: &[Val],
        frame: &mut Frame,
        span: Span,
        scope: Scope<'_>,
    ) -> Res<Val> {
        match &function.body {
            FunctionBody::Expr(e) => self.eval(e, frame, scope),
            FunctionBody::Table(rows) => {
                for (constants, value) in rows {
                    if self.eval_all(constants, frame, scope)? == args {
                        return self.eval(value, frame, scope);
                    }
                }
                let shown: Vec<String> = args
                    .iter()
                    .map(|v| crate::draw::value(v, scope.instance))
                    .collect();
                Err(Fault::new(
                    Code::Argument,
                    span,
                    format!(
                        "the table {} has no entry for {}",
                        function.name,
                        shown.join(", ")
                    ),
                ))
            }
        }
    }

    fn quantifier(
        &self,
        q: Quantifier,
        binders: &[Binder],
        phi: Option<&Expr>,
        body: &Expr,
        frame: &mut Frame,
        scope: Scope<'_>,
    ) -> Res<Val> {
        let until = q != Quantifier::All;
        let mut met = false;
        let _ = self.choices(binders, phi.as_slice_of(), frame, scope, &mut |frame| {
            if self.truth(body, frame, scope)? == until {
                met = true;
                return Ok(ControlFlow::Break(()));
            }
            Ok(ControlFlow::Continue(()))
        })?;
        Ok(Val::Bool(met == (q == Quantifier::Some)))
    }

    fn comprehension(
        &self,
        e: &Expr,
        body: &Expr,
        binders: &[Binder],
        phi: Option<&Expr>,
        frame: &mut Frame,
        scope: Scope<'_>,
    ) -> Res<Val> {
        let mut found = Vec::new();
        let _ = self.choices(binders, phi.as_slice_of(), frame, scope, &mut |frame| {
            found.push(self.eval(body, frame, scope)?);
            too_many_elements(found.len(), e.span)?;
            Ok(ControlFlow::Continue(()))
        })?;
        Ok(collect(&e.sort, found))
    }

    fn fold(&self, fold: Fold, a: &Expr, frame: &mut Frame, scope: Scope<'_>) -> Res<Val> {
        let v = self.eval(a, frame, scope)?;
        let Some(items) = v.elements() else {
            return Err(internal(a.span, "not a set or list"));
        };
        self.charge(items.len() as u64, a.span)?;
        ops::fold(fold, items, a.span)
    }
}

/// An optional condition as a slice of conditions.
trait AsSliceOf {
    fn as_slice_of(&self) -> &[Expr];
}

impl AsSliceOf for Option<&Expr> {
    fn as_slice_of(&self) -> &[Expr] {
        self.map_or(&[], std::slice::from_ref)
    }
}

fn root(span: Span, scope: Scope<'_>) -> Res<Val> {
    if let Some((setting, _)) = scope.here
        && let Some(root) = setting.board.root
    {
        return Ok(setting.board.label(root));
    }
    let name = scope.instance.and_then(|i| i.rules.root.as_ref());
    name.map(|n| Val::name(n))
        .ok_or_else(|| Fault::new(Code::NoBoard, span, "this board has no root"))
}

/// A set or a list, depending on the sort.
fn collect(sort: &Sort, items: Vec<Val>) -> Val {
    match sort {
        Sort::Set(_) => Val::set(items),
        _ => Val::list(items),
    }
}

/// Whether a question is asked of positions that count points, too.
fn asks_of_points(op: &GameOp) -> bool {
    use GameFunction as F;
    match op {
        GameOp::Equal
        | GameOp::Less
        | GameOp::LessEqual
        | GameOp::Greater
        | GameOp::GreaterEqual => true,
        GameOp::Function(f) => matches!(
            f,
            F::Confused | F::Mean | F::Temperature | F::Thermograph | F::Cool | F::Chill
        ),
        _ => false,
    }
}
