//! From the typed tree of a move to its code: names become registers and variables, and what depends neither on the position
//! nor on a choice is evaluated by the plain evaluator.

use super::{
    Code, Effects, Inner, Kind, Loop, MOST_ELEMENTS, MOST_STEPS, Made, Stage, Through, Write,
};
use crate::ir::eval::{Evaluator, Frame, NoHost, Scope};
use crate::ir::instance::VarKind;
use crate::ir::{Setting, Val};
use crate::model::typed::{
    self, Again, Binder, BinderKind, Builtin, By, Effect, EffectKind, Expr, ExprKind, Fold,
    FunctionBody, FunctionId, Model, Move, Op, Place, Quantifier, Slot, Sort, StateId, Target,
};

/// The most nodes of the code of a ruleset, elements of sets included.
const MOST_NODES: usize = 100_000;
/// The most functions within each other, and the most levels of an expression.
const MOST_LEVELS: usize = 64;

/// What a variable of a position holds; `None` for sites, pieces and state functions of them.
pub(super) fn kind(setting: &Setting, var: usize) -> Option<Kind> {
    let (VarKind::State(f), _) = setting.layout.describe(var)? else {
        return None;
    };
    let declared = setting.instance.rules.state.get(f.0 as usize)?;
    match declared.sort {
        Sort::Int if declared.natural => Some(Kind::Nat),
        Sort::Int => Some(Kind::Int),
        Sort::Bool => Some(Kind::Bool),
        Sort::Player => Some(Kind::Player),
        _ => None,
    }
}

/// A value as an integer of the code.
pub(super) fn number(v: &Val, kind: Kind) -> Option<i64> {
    match (v, kind) {
        (Val::Int(n), Kind::Int | Kind::Nat) => n.to_i64(),
        (Val::Bool(b), Kind::Bool) => Some(i64::from(*b)),
        (Val::Player(p), Kind::Player) => Some(i64::from(*p)),
        _ => None,
    }
}

/// The kind of a value of a sort.
fn kind_of(sort: &Sort) -> Option<Kind> {
    match sort {
        Sort::Int => Some(Kind::Int),
        Sort::Bool => Some(Kind::Bool),
        Sort::Player => Some(Kind::Player),
        _ => None,
    }
}

pub(super) struct Compiler<'c> {
    ev: Evaluator<'c>,
    setting: &'c Setting,
    /// The values of names that do not depend on the position, by register.
    constants: Vec<Option<Val>>,
    /// The register of the first slot of the current frame.
    base: usize,
    /// The registers in use, and the most that any move uses.
    bound: usize,
    pub most: usize,
    nodes: usize,
    levels: usize,
}

impl<'c> Compiler<'c> {
    pub fn new(model: &'c Model, setting: &'c Setting) -> Compiler<'c> {
        Compiler {
            ev: Evaluator::new(model, &NoHost).with_steps(MOST_STEPS),
            setting,
            constants: Vec::new(),
            base: 0,
            bound: 0,
            most: 0,
            nodes: 0,
            levels: 0,
        }
    }

    /// The code of a move as a player makes it; `None` where there is none.
    pub fn made(&mut self, rule: &Move, maker: u8) -> Option<Made> {
        if rule.repeat.is_some() {
            return None;
        }
        let arguments = &self.setting.instance.rules_arguments;
        self.constants = arguments.iter().cloned().map(Some).collect();
        (self.base, self.bound) = (0, 0);
        self.claim(rule.slots);
        if let By::Each(slot) = &rule.by {
            let register = self.register(*slot);
            *self.constants.get_mut(register)? = Some(Val::Player(maker));
        }
        let stages: Option<Box<[Stage]>> = rule.stages.iter().map(|s| self.stage(s)).collect();
        let again = match &rule.again {
            Again::Never => Code::Constant(0),
            Again::Always => Code::Constant(1),
            Again::When(phi) => self.code(phi)?,
            Again::Entail => return None,
        };
        Some(Made {
            stages: stages?,
            again,
        })
    }

    /// Makes room for the slots of a frame.
    fn claim(&mut self, slots: u32) {
        let end = self.base + slots as usize;
        self.bound = self.bound.max(end);
        self.most = self.most.max(self.bound);
        if self.constants.len() < end {
            self.constants.resize(end, None);
        }
    }

    fn register(&self, slot: Slot) -> usize {
        self.base + slot.0 as usize
    }

    fn stage(&mut self, stage: &typed::Stage) -> Option<Stage> {
        let loops = self.loops(&stage.binders)?;
        let conditions = self.all(&stage.conditions)?;
        let effects: Option<Box<[Effects]>> =
            stage.effects.iter().map(|e| self.effect(e)).collect();
        let effects = effects?;
        let mut written = Vec::new();
        let straight = effects.iter().all(|e| match &e.inner {
            Inner::Write(var, ..) if e.loops.is_empty() && e.conditions.is_empty() => {
                let first = !written.contains(var);
                written.push(*var);
                first
            }
            _ => false,
        });
        Some(Stage {
            loops,
            conditions,
            effects,
            straight,
        })
    }

    fn all(&mut self, list: &[Expr]) -> Option<Box<[Code]>> {
        list.iter().map(|e| self.code(e)).collect()
    }

    fn loops(&mut self, binders: &[Binder]) -> Option<Box<[Loop]>> {
        binders.iter().map(|b| self.looped(b)).collect()
    }

    fn looped(&mut self, binder: &Binder) -> Option<Loop> {
        let (places, through) = match &binder.kind {
            BinderKind::In(places, set) => (&places[..], self.through(set, places.len())?),
            BinderKind::Is {
                place,
                value,
                cell: false,
            } => (std::slice::from_ref(place), Through::One(self.code(value)?)),
            _ => return None,
        };
        let name = |place: &Place| {
            let (slot, bound) = match place {
                Place::New(slot) => (*slot, false),
                Place::Same(slot) => (*slot, true),
            };
            let register = self.register(slot);
            // A name that has its value from elsewhere is not a register.
            let known = self.constants.get(register)?.is_some();
            (!known).then_some((register, bound))
        };
        Some(Loop {
            names: places.iter().map(name).collect::<Option<_>>()?,
            through,
        })
    }

    /// A range, or a set or list that does not depend on the position, of integers and the like or of tuples of `width` integers.
    fn through(&mut self, set: &Expr, width: usize) -> Option<Through> {
        let (Sort::Set(element) | Sort::List(element)) = &set.sort else {
            return None;
        };
        if let ExprKind::Binary(Op::Range, from, to) = &*set.kind {
            return Some(Through::Range(self.code(from)?, self.code(to)?));
        }
        let known = self.constant(set)?;
        let elements = known.elements()?;
        self.nodes += elements.len();
        if elements.len() > MOST_ELEMENTS {
            return None;
        }
        let mut all = Vec::new();
        for v in elements {
            match width {
                1 => all.push(number(v, kind_of(element)?)?),
                _ => {
                    let parts = v.parts().filter(|p| p.len() == width)?;
                    for part in &parts {
                        all.push(number(part, Kind::Int)?);
                    }
                }
            }
        }
        Some(Through::List(all.into()))
    }

    fn effect(&mut self, effect: &Effect) -> Option<Effects> {
        let inner = match &effect.kind {
            EffectKind::Set(target, e) => self.write(target, Write::Set, e)?,
            EffectKind::Add(target, e) => self.write(target, Write::Add, e)?,
            EffectKind::Subtract(target, e) => self.write(target, Write::Subtract, e)?,
            EffectKind::Each(binders, phi, inner) => {
                return Some(Effects {
                    loops: self.loops(binders)?,
                    conditions: self.all(phi.as_slice())?,
                    inner: Inner::Effects(Box::new(self.effect(inner)?)),
                });
            }
            _ => return None,
        };
        Some(Effects {
            loops: Box::default(),
            conditions: Box::default(),
            inner,
        })
    }

    fn write(&mut self, target: &Target, write: Write, e: &Expr) -> Option<Inner> {
        let Target::State(f, arguments) = target else {
            return None;
        };
        let var = self.variable(*f, arguments)?;
        Some(Inner::Write(var, write, self.code(e)?))
    }

    /// The variable of a state function whose arguments do not depend on the position.
    fn variable(&mut self, f: StateId, arguments: &[Expr]) -> Option<usize> {
        let arguments: Option<Vec<Val>> = arguments.iter().map(|e| self.constant(e)).collect();
        self.setting.state_var(f, &arguments?)
    }

    /// The value of an expression that depends neither on the position nor on a choice.
    fn constant(&self, e: &Expr) -> Option<Val> {
        let mut frame = Frame::new([]);
        for (slot, v) in (0u32..).zip(self.constants.get(self.base..)?) {
            if let Some(v) = v {
                frame.set(Slot(slot), v.clone());
            }
        }
        let scope = Scope {
            instance: Some(&self.setting.instance),
            ..Scope::default()
        };
        self.ev.eval(e, &mut frame, scope).ok()
    }

    fn boxed(&mut self, e: &Expr) -> Option<Box<Code>> {
        self.code(e).map(Box::new)
    }

    fn code(&mut self, e: &Expr) -> Option<Code> {
        self.nodes += 1;
        if self.nodes > MOST_NODES || self.levels >= MOST_LEVELS {
            return None;
        }
        let kind = kind_of(&e.sort)?;
        self.levels += 1;
        let found = self.code_of(e, kind);
        self.levels -= 1;
        found
    }

    fn code_of(&mut self, e: &Expr, kind: Kind) -> Option<Code> {
        match &*e.kind {
            ExprKind::Slot(slot) => match self.constants.get(self.register(*slot))? {
                Some(v) => number(v, kind).map(Code::Constant),
                None => Some(Code::Register(self.register(*slot))),
            },
            ExprKind::State(f, arguments) => self.variable(*f, arguments).map(Code::Variable),
            ExprKind::Negative(a) => Some(Code::Negative(self.boxed(a)?)),
            ExprKind::Not(a) => Some(Code::Not(self.boxed(a)?)),
            ExprKind::Binary(op, a, b) => self.binary(*op, a, b),
            ExprKind::If(phi, a, b) => {
                Some(Code::If(self.boxed(phi)?, self.boxed(a)?, self.boxed(b)?))
            }
            ExprKind::Quantifier(q, binders, phi, body) => {
                let loops = self.loops(binders)?;
                let mut conditions = self.all(phi.as_slice())?.into_vec();
                let body = self.code(body)?;
                // All hold if it is not so that some does not.
                conditions.push(match q {
                    Quantifier::All => Code::Not(Box::new(body)),
                    Quantifier::Some | Quantifier::No => body,
                });
                Some(Code::Some(loops, conditions.into(), *q == Quantifier::Some))
            }
            ExprKind::Fold(fold, list) => {
                // In a set, equal elements count once.
                let once = !matches!(list.sort, Sort::List(_));
                let repeats = matches!(fold, Fold::Min | Fold::Max | Fold::Mex);
                match &*list.kind {
                    _ if once && !repeats => self.known(e, kind),
                    ExprKind::For(body, binders, phi) => {
                        let loops = self.loops(binders)?;
                        let conditions = self.all(phi.as_slice())?;
                        Some(Code::Fold(*fold, loops, conditions, self.boxed(body)?))
                    }
                    ExprKind::Elements(items) => Some(Code::FoldOf(*fold, self.all(items)?)),
                    _ => self.known(e, kind),
                }
            }
            ExprKind::Builtin(b, arguments) => match self.known(e, kind) {
                Some(known) => Some(known),
                None => self.builtin(*b, arguments),
            },
            ExprKind::Call(f, arguments) => match self.known(e, kind) {
                Some(known) => Some(known),
                None => self.call(*f, arguments),
            },
            _ => self.known(e, kind),
        }
    }

    /// An expression that depends on nothing, as a constant.
    fn known(&self, e: &Expr, kind: Kind) -> Option<Code> {
        let v = self.constant(e)?;
        number(&v, kind).map(Code::Constant)
    }

    fn binary(&mut self, op: Op, a: &Expr, b: &Expr) -> Option<Code> {
        match op {
            Op::And => Some(Code::And(self.boxed(a)?, self.boxed(b)?)),
            Op::Or => Some(Code::Or(self.boxed(a)?, self.boxed(b)?)),
            Op::Is | Op::IsNot if kind_of(&a.sort)? != kind_of(&b.sort)? => None,
            Op::In => {
                let x = self.boxed(a)?;
                match self.through(b, 1)? {
                    Through::Range(from, to) => {
                        Some(Code::Between(x, Box::new(from), Box::new(to)))
                    }
                    Through::List(list) => {
                        let mut list = list.into_vec();
                        list.sort_unstable();
                        Some(Code::Member(x, list.into()))
                    }
                    Through::One(_) => None,
                }
            }
            Op::Is
            | Op::IsNot
            | Op::Less
            | Op::LessEqual
            | Op::Greater
            | Op::GreaterEqual
            | Op::Add
            | Op::Subtract
            | Op::Multiply
            | Op::Div
            | Op::Mod => Some(Code::Binary(op, self.boxed(a)?, self.boxed(b)?)),
            _ => None,
        }
    }

    fn builtin(&mut self, b: Builtin, arguments: &[Expr]) -> Option<Code> {
        let fits = match (b, arguments) {
            (Builtin::Abs | Builtin::Isqrt, [a]) => a.sort == Sort::Int,
            (Builtin::Gcd | Builtin::Bit, [a, b]) => a.sort == Sort::Int && b.sort == Sort::Int,
            (Builtin::Opponent, [p]) => {
                p.sort == Sort::Player && self.setting.instance.players.len() == 2
            }
            _ => false,
        };
        if !fits {
            return None;
        }
        Some(Code::Builtin(b, self.all(arguments)?))
    }

    /// A function, with its body in place. Its frame is new: the ruleset's parameters, where it belongs to one, and its own.
    fn call(&mut self, f: FunctionId, arguments: &[Expr]) -> Option<Code> {
        let function = self.ev.model.functions.get(f.0 as usize)?;
        let FunctionBody::Expr(body) = &function.body else {
            return None;
        };
        let mut constants: Vec<Option<Val>> = match function.in_ruleset {
            Some(_) => {
                let all = &self.setting.instance.rules_arguments;
                all.iter().cloned().map(Some).collect()
            }
            None => Vec::new(),
        };
        let mut computed = Vec::new();
        for (e, parameter) in arguments.iter().zip(&function.parameters) {
            let known = self.constant(e);
            if known.is_none() {
                computed.push((constants.len(), parameter.natural, self.code(e)?));
            }
            let negative = |v: &Val| matches!(v, Val::Int(n) if n.is_negative());
            if parameter.natural && known.as_ref().is_some_and(negative) {
                return None;
            }
            constants.push(known);
        }
        // No two calls share registers.
        let base = self.bound;
        computed.iter_mut().for_each(|(slot, ..)| *slot += base);
        self.constants.resize(base, None);
        self.constants.extend(constants);
        let outer = std::mem::replace(&mut self.base, base);
        self.claim(function.slots);
        let body = self.code(body);
        self.base = outer;
        Some(Code::Call(computed.into(), Box::new(body?)))
    }
}
