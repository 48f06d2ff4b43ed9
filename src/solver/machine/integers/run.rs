//! Runs the code of moves at one state.

use super::{
    Code, Effects, Found, GivesUp, Inner, Kind, Loop, MOST_ELEMENTS, MOST_STEPS, Stage, Through,
    Vars, Write,
};
use crate::ir::Int;
use crate::model::typed::{Builtin, Fold, Op};
use smallvec::SmallVec;

/// Code being run at one position.
pub(super) struct Run<'r> {
    kinds: &'r [Kind],
    registers: SmallVec<[i64; 16]>,
    /// The writes to each variable in the choice at hand. They are kept here, since clearing a few is cheaper than making
    /// room for the most there can be.
    writes: Vec<Writes>,
    steps: u64,
}

/// All writes to one variable.
#[derive(Clone, Copy, Default)]
struct Writes {
    set: Option<i64>,
    change: i64,
    /// What `-=` takes; nothing if there is none.
    taken: Option<i64>,
    changed: bool,
}

/// What is done for each choice; whether to go on.
type Each<'e, 'r> = &'e mut dyn FnMut(&mut Run<'r>) -> Found<bool>;
/// What is done with each state that a move leads to.
pub(super) type Reached<'e, 'r> = &'e mut dyn FnMut(&mut Run<'r>, &Vars) -> Found<()>;

impl<'r> Run<'r> {
    pub fn new(kinds: &'r [Kind], registers: usize) -> Run<'r> {
        Run {
            kinds,
            registers: smallvec::smallvec![0; registers],
            writes: vec![Writes::default(); kinds.len()],
            steps: 0,
        }
    }

    /// Calls `reached` with each state that the stages lead to.
    pub fn stages(
        &mut self,
        stages: &[Stage],
        vars: &Vars,
        stale: bool,
        reached: Reached<'_, 'r>,
    ) -> Found<()> {
        let Some((stage, rest)) = stages.split_first() else {
            return reached(self, vars);
        };
        // The usual last stage, without the detour through a closure.
        if let ([only], []) = (&stage.loops[..], rest)
            && let (Through::Range(from, to), [(register, false)]) =
                (&only.through, &only.names[..])
        {
            let from = self.value(from, vars)?;
            for n in from..=self.value(to, vars)? {
                self.registers[*register] = n;
                let mut next = *vars;
                if self.meets(&stage.conditions, vars)? && self.after(stage, vars, &mut next)? {
                    reached(self, &next)?;
                }
            }
            return Ok(());
        }
        self.choices(&stage.loops, &stage.conditions, vars, &mut |run| {
            let mut next = *vars;
            if run.after(stage, vars, &mut next)? {
                match stale && !rest.is_empty() {
                    true => run.stages(rest, vars, stale, reached)?,
                    false => run.stages(rest, &next, stale, reached)?,
                }
            }
            Ok(true)
        })?;
        Ok(())
    }

    /// Calls `each` for each choice that meets the conditions, until it returns false; then the result is false.
    fn choices(
        &mut self,
        loops: &[Loop],
        conditions: &[Code],
        vars: &Vars,
        each: Each<'_, 'r>,
    ) -> Found<bool> {
        let Some((first, rest)) = loops.split_first() else {
            return self.chosen(conditions, vars, each);
        };
        self.step()?;
        match &first.through {
            Through::Range(from, to) => {
                let from = self.value(from, vars)?;
                let to = self.value(to, vars)?;
                for n in from..=to {
                    if !self.with(first, &[n], rest, conditions, vars, each)? {
                        return Ok(false);
                    }
                }
            }
            Through::List(list) => {
                for values in list.chunks_exact(first.names.len()) {
                    if !self.with(first, values, rest, conditions, vars, each)? {
                        return Ok(false);
                    }
                }
            }
            Through::One(code) => {
                let n = self.value(code, vars)?;
                return self.with(first, &[n], rest, conditions, vars, each);
            }
        }
        Ok(true)
    }

    #[inline]
    fn with(
        &mut self,
        first: &Loop,
        values: &[i64],
        rest: &[Loop],
        conditions: &[Code],
        vars: &Vars,
        each: Each<'_, 'r>,
    ) -> Found<bool> {
        for ((register, bound), n) in first.names.iter().zip(values) {
            if !*bound {
                self.registers[*register] = *n;
            } else if self.registers[*register] != *n {
                return Ok(true);
            }
        }
        match rest {
            [] => self.chosen(conditions, vars, each),
            _ => self.choices(rest, conditions, vars, each),
        }
    }

    /// Calls `each` for the choice at hand if it meets the conditions.
    #[inline]
    fn chosen(&mut self, conditions: &[Code], vars: &Vars, each: Each<'_, 'r>) -> Found<bool> {
        match self.meets(conditions, vars)? {
            true => each(self),
            false => Ok(true),
        }
    }

    /// Whether the choice at hand meets the conditions.
    #[inline]
    fn meets(&mut self, conditions: &[Code], vars: &Vars) -> Found<bool> {
        self.step()?;
        for phi in conditions {
            if self.value(phi, vars)? == 0 {
                return Ok(false);
            }
        }
        Ok(true)
    }

    #[inline]
    fn step(&mut self) -> Found<()> {
        self.steps += 1;
        match self.steps <= MOST_STEPS {
            true => Ok(()),
            false => Err(GivesUp),
        }
    }

    /// Makes `next`, a copy of the state, the state after the effects of a stage; false if too much is taken, so that this is no
    /// move.
    #[inline]
    fn after(&mut self, stage: &Stage, vars: &Vars, next: &mut Vars) -> Found<bool> {
        match stage.straight {
            true => self.straight(&stage.effects, vars, next),
            false => self.collected(&stage.effects, vars, next),
        }
    }

    /// `after` for effects that write each variable at most once and without choices, so that nothing need be collected.
    #[inline]
    fn straight(&mut self, effects: &[Effects], vars: &Vars, next: &mut Vars) -> Found<bool> {
        let (mut too_much, mut negative) = (false, false);
        for e in effects {
            let Inner::Write(var, write, code) = &e.inner else {
                return Err(GivesUp);
            };
            let n = self.value(code, vars)?;
            let natural = self.kinds[*var] == Kind::Nat;
            let held = vars[*var];
            let to = match write {
                Write::Set => n,
                Write::Add => held.checked_add(n).ok_or(GivesUp)?,
                Write::Subtract => {
                    too_much |= natural && n > held;
                    held.checked_sub(n).ok_or(GivesUp)?
                }
            };
            negative |= natural && to < 0;
            next[*var] = to;
        }
        match negative && !too_much {
            true => Err(GivesUp),
            false => Ok(!too_much),
        }
    }

    fn collected(&mut self, effects: &[Effects], vars: &Vars, next: &mut Vars) -> Found<bool> {
        let mut writes = std::mem::take(&mut self.writes);
        writes.fill(Writes::default());
        // A fault that counts only if this is a move.
        let mut later = false;
        for e in effects {
            self.collect(e, vars, &mut writes, &mut later)?;
        }
        let is_move = self.written(&writes, vars, later, next);
        self.writes = writes;
        is_move
    }

    /// All writes are made; `later` says that something was wrong with them, if this is a move at all.
    fn written(&self, writes: &[Writes], vars: &Vars, later: bool, next: &mut Vars) -> Found<bool> {
        let all = || writes.iter().zip(self.kinds).zip(vars);
        for ((w, kind), held) in all() {
            if *kind == Kind::Nat && w.taken.is_some_and(|taken| taken > *held) {
                return Ok(false);
            }
        }
        if later {
            return Err(GivesUp);
        }
        for ((w, kind), to) in writes.iter().zip(self.kinds).zip(next) {
            let taken = w.taken.unwrap_or(0);
            match w.set {
                Some(_) if w.changed => return Err(GivesUp),
                Some(n) => *to = n,
                None => {
                    let sum = to.checked_add(w.change).and_then(|n| n.checked_sub(taken));
                    *to = sum.ok_or(GivesUp)?;
                }
            }
            if *kind == Kind::Nat && *to < 0 {
                return Err(GivesUp);
            }
        }
        Ok(true)
    }

    fn collect(
        &mut self,
        e: &Effects,
        vars: &Vars,
        writes: &mut [Writes],
        later: &mut bool,
    ) -> Found<()> {
        self.choices(&e.loops, &e.conditions, vars, &mut |run| {
            match &e.inner {
                Inner::Effects(inner) => run.collect(inner, vars, writes, later)?,
                Inner::Write(var, write, code) => {
                    let n = run.value(code, vars)?;
                    let w = &mut writes[*var];
                    match write {
                        Write::Set => {
                            *later |= run.kinds[*var] == Kind::Nat && n < 0;
                            // Two values for one variable.
                            *later |= w.set.is_some_and(|other| other != n);
                            w.set = Some(n);
                        }
                        Write::Add => {
                            w.changed = true;
                            w.change = w.change.checked_add(n).ok_or(GivesUp)?;
                        }
                        Write::Subtract => {
                            w.changed = true;
                            let taken = w.taken.unwrap_or(0).checked_add(n);
                            w.taken = Some(taken.ok_or(GivesUp)?);
                        }
                    }
                }
            }
            Ok(true)
        })?;
        Ok(())
    }

    #[inline]
    pub fn value(&mut self, code: &Code, vars: &Vars) -> Found<i64> {
        match code {
            Code::Constant(n) => Ok(*n),
            Code::Register(r) => Ok(self.registers[*r]),
            Code::Variable(v) => Ok(vars[*v]),
            _ => self.computed(code, vars),
        }
    }

    fn computed(&mut self, code: &Code, vars: &Vars) -> Found<i64> {
        Ok(match code {
            Code::Constant(_) | Code::Register(_) | Code::Variable(_) => self.value(code, vars)?,
            Code::Negative(a) => self.value(a, vars)?.checked_neg().ok_or(GivesUp)?,
            Code::Not(a) => i64::from(self.value(a, vars)? == 0),
            Code::And(a, b) => match self.value(a, vars)? {
                0 => 0,
                _ => self.value(b, vars)?,
            },
            Code::Or(a, b) => match self.value(a, vars)? {
                0 => self.value(b, vars)?,
                _ => 1,
            },
            Code::Binary(op, a, b) => {
                let a = self.value(a, vars)?;
                let b = self.value(b, vars)?;
                binary(*op, a, b).ok_or(GivesUp)?
            }
            Code::If(phi, a, b) => match self.value(phi, vars)? {
                0 => self.value(b, vars)?,
                _ => self.value(a, vars)?,
            },
            Code::Between(x, from, to) => {
                let x = self.value(x, vars)?;
                let from = self.value(from, vars)?;
                let to = self.value(to, vars)?;
                i64::from(from <= x && x <= to)
            }
            Code::Member(x, list) => {
                let x = self.value(x, vars)?;
                i64::from(list.binary_search(&x).is_ok())
            }
            Code::Some(loops, conditions, positive) => {
                let none = self.choices(loops, conditions, vars, &mut |_| Ok(false))?;
                i64::from(none != *positive)
            }
            Code::Fold(fold, loops, conditions, body) => {
                let mut elements: SmallVec<[i64; 16]> = SmallVec::new();
                self.choices(loops, conditions, vars, &mut |run| {
                    elements.push(run.value(body, vars)?);
                    match elements.len() <= MOST_ELEMENTS {
                        true => Ok(true),
                        false => Err(GivesUp),
                    }
                })?;
                folded(*fold, &mut elements)?
            }
            Code::FoldOf(fold, items) => {
                let mut elements: SmallVec<[i64; 16]> = SmallVec::new();
                for item in items {
                    elements.push(self.value(item, vars)?);
                }
                folded(*fold, &mut elements)?
            }
            Code::Builtin(b, arguments) => {
                let mut values = [0; 2];
                for (v, argument) in values.iter_mut().zip(arguments) {
                    *v = self.value(argument, vars)?;
                }
                builtin(*b, values).ok_or(GivesUp)?
            }
            Code::Call(arguments, body) => {
                for (register, natural, argument) in arguments {
                    let n = self.value(argument, vars)?;
                    if *natural && n < 0 {
                        return Err(GivesUp);
                    }
                    self.registers[*register] = n;
                }
                self.value(body, vars)?
            }
        })
    }
}

fn binary(op: Op, a: i64, b: i64) -> Option<i64> {
    let truth = |b| Some(i64::from(b));
    match op {
        Op::Is => truth(a == b),
        Op::IsNot => truth(a != b),
        Op::Less => truth(a < b),
        Op::LessEqual => truth(a <= b),
        Op::Greater => truth(a > b),
        Op::GreaterEqual => truth(a >= b),
        Op::Add => a.checked_add(b),
        Op::Subtract => a.checked_sub(b),
        Op::Multiply => a.checked_mul(b),
        // Towards minus infinity.
        Op::Div => {
            let q = a.checked_div(b)?;
            Some(if a % b != 0 && (a < 0) != (b < 0) {
                q - 1
            } else {
                q
            })
        }
        Op::Mod => {
            let r = a.checked_rem(b)?;
            Some(if r != 0 && (r < 0) != (b < 0) {
                r + b
            } else {
                r
            })
        }
        _ => None,
    }
}

fn builtin(b: Builtin, [x, y]: [i64; 2]) -> Option<i64> {
    let found = match b {
        Builtin::Opponent => return Some(1 - x),
        Builtin::Abs => return x.checked_abs(),
        Builtin::Isqrt => Int::Small(x).isqrt(),
        Builtin::Gcd => Int::Small(x).gcd(&Int::Small(y)),
        Builtin::Bit => Int::Small(x).bit(&Int::Small(y)),
        _ => return None,
    };
    found.ok()?.to_i64()
}

fn folded(fold: Fold, elements: &mut [i64]) -> Found<i64> {
    let found = match fold {
        Fold::Size => i64::try_from(elements.len()).ok(),
        Fold::Min => elements.iter().min().copied(),
        Fold::Max => elements.iter().max().copied(),
        Fold::Sum => elements.iter().try_fold(0i64, |a, b| a.checked_add(*b)),
        Fold::Xor if elements.iter().all(|n| *n >= 0) => {
            Some(elements.iter().fold(0, |a, b| a ^ b))
        }
        Fold::Mex => {
            elements.sort_unstable();
            let next = |mex: i64, n: &i64| if *n == mex { mex + 1 } else { mex };
            Some(elements.iter().fold(0, next))
        }
        Fold::Xor => None,
    };
    found.ok_or(GivesUp)
}
