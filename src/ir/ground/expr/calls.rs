//! Calls of functions and built-in functions on values that may depend on the position.

use crate::base::Span;
use crate::eval::builtins::{digit, drawn, end_of, opponent};
use crate::eval::ops;
use crate::fault::{Code, Fault};
use crate::ground::run::{Frame, Run, internal};
use crate::ground::symbol::{Path, Stop, Sym, Try};
use crate::int::Int;
use crate::model::typed::{Builtin, Expr, FunctionBody, FunctionId};
use crate::val::{Piece, Val};

impl Run<'_> {
    pub(super) fn call(
        &self,
        f: FunctionId,
        args: Vec<Sym>,
        span: Span,
        path: &mut Path,
    ) -> Try<Sym> {
        let Some(function) = self.world.model.functions.get(f.0 as usize) else {
            return Err(internal(span, "an unknown function"));
        };
        let mut args = args;
        for (a, p) in args.iter_mut().zip(&function.parameters) {
            if p.natural {
                let v = self.know(a.clone(), path)?;
                if matches!(&v, Val::Int(n) if n.is_negative()) {
                    return Err(Fault::new(
                        Code::Argument,
                        span,
                        format!("{} of {} is a natural number", p.name, function.name),
                    )
                    .into());
                }
                *a = Sym::Is(v);
            }
        }
        let rules = self.world.setting.instance.rules_arguments.iter();
        let mut frame = if function.in_ruleset.is_some() {
            Frame::new(rules.cloned().map(Sym::Is).chain(args.iter().cloned()))
        } else {
            Frame::new(args.iter().cloned())
        };
        match &function.body {
            FunctionBody::Expr(e) => self.eval(e, &mut frame, path),
            FunctionBody::Table(rows) => {
                let mut table = Vec::new();
                for (constants, value) in rows {
                    let key = self.know_all(constants, &mut frame, path)?;
                    table.push((key, value));
                }
                let look = |key: &[Val], frame: &mut Frame, path: &mut Path| -> Try<Sym> {
                    match table.iter().find(|(k, _)| k == key) {
                        Some((_, value)) => self.eval(value, frame, path),
                        None => Err(Fault::new(
                            Code::Argument,
                            span,
                            format!("the table {} has no entry here", function.name),
                        )
                        .into()),
                    }
                };
                if let [one] = &args[..]
                    && self.world.simple(one.clone(), path).var().is_some()
                {
                    let again = path.clone();
                    return self.lift(one.clone(), path, |v| {
                        let mut path = again.clone();
                        match look(std::slice::from_ref(v), &mut frame.clone(), &mut path)? {
                            Sym::Is(v) => Ok(v),
                            _ => Err(Stop::Cannot("a table that reads the state".into())),
                        }
                    });
                }
                let known: Try<Vec<Val>> = args.into_iter().map(|a| self.know(a, path)).collect();
                look(&known?, &mut frame, path)
            }
        }
    }

    pub(super) fn builtin(
        &self,
        b: Builtin,
        args: &[Expr],
        e: &Expr,
        frame: &mut Frame,
        path: &mut Path,
    ) -> Try<Sym> {
        let instance = &self.world.setting.instance;
        let span = e.span;
        let number = |r: Result<Int, crate::int::IntFault>| -> Try<Val> {
            Ok(Val::Int(r.map_err(|f| ops::arithmetic(f, span))?))
        };
        match (b, args) {
            (Builtin::Abs | Builtin::Isqrt, [a]) => {
                let a = self.eval(a, frame, path)?;
                self.lift(a, path, |v| match v {
                    Val::Int(n) if b == Builtin::Abs => Ok(Val::Int(n.abs())),
                    Val::Int(n) => number(n.isqrt()),
                    _ => Err(internal(span, "not an integer")),
                })
            }
            (Builtin::Bit, [n, k]) => {
                let n = self.eval(n, frame, path)?;
                let k = self.eval(k, frame, path)?;
                self.lift2(n, k, path, |n, k| match (n, k) {
                    (Val::Int(n), Val::Int(k)) => number(n.bit(k)),
                    _ => Err(internal(span, "not integers")),
                })
            }
            (Builtin::Gcd, [m, n]) => {
                let m = self.eval(m, frame, path)?;
                let n = self.eval(n, frame, path)?;
                self.lift2(m, n, path, |m, n| match (m, n) {
                    (Val::Int(m), Val::Int(n)) => number(m.gcd(n)),
                    _ => Err(internal(span, "not integers")),
                })
            }
            (Builtin::Digit, [code, k]) => {
                let code = self.know_expr(code, frame, path)?;
                let k = self.eval(k, frame, path)?;
                self.lift(k, path, |k| match (&code, k) {
                    (Val::Text(code), Val::Int(k)) => Ok(Val::Int(digit(code, k))),
                    _ => Err(internal(span, "not a code")),
                })
            }
            (Builtin::Opponent, [p]) => {
                let p = self.eval(p, frame, path)?;
                let players = instance.players.len();
                self.lift(p, path, |p| Ok(opponent(p, players, span)?))
            }
            (Builtin::Players, []) => {
                let all = (0u8..=u8::MAX).take(instance.players.len());
                Ok(Sym::Is(Val::set(all.map(Val::Player).collect())))
            }
            (Builtin::Pieces, []) => {
                let all = (0u16..).take(instance.pieces.len());
                Ok(Sym::Is(Val::set(
                    all.map(Piece::Declared).map(Val::Piece).collect(),
                )))
            }
            (Builtin::Drawn(which), args) => {
                let args = self.know_all(args, frame, path)?;
                let fact = |board, rest| Ok(Sym::Is(drawn(board, which, rest, span)?));
                match args.first() {
                    Some(Val::Board(board)) => fact(board, &args[1..]),
                    Some(Val::Position(_)) => {
                        Err(Stop::Cannot("a rule asks about another position".into()))
                    }
                    _ => fact(&self.world.setting.board, &args),
                }
            }
            (Builtin::Ends, [.., edge]) => {
                let edge = self.eval(edge, frame, path)?;
                self.lift(edge, path, |v| match v {
                    Val::Edge(e) => Ok(Val::set(vec![e.from.clone(), e.to.clone()])),
                    _ => Err(internal(span, "not an edge")),
                })
            }
            (Builtin::Tail | Builtin::Head, [.., arc]) => {
                let arc = self.eval(arc, frame, path)?;
                self.lift(arc, path, |v| match v {
                    Val::Edge(e) => Ok(end_of(b, e)),
                    _ => Err(internal(span, "not an arc")),
                })
            }
            // `members` lists sets, and refuses other functions with a reason.
            _ => self.known_members(e, frame, path).map(Sym::Is),
        }
    }
}
