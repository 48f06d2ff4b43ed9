//! Rules whose state is a few integers, compiled: in come a ruleset without a board and the settings of a position; out come
//! the options of packed states. It is for rules that are not ground because a variable has too many values
//! ([`crate::ir::ground`]).
//!
//! The code of a move is its typed tree with names resolved to registers and variables, and what does not depend on the
//! position evaluated once. It follows the plain evaluator ([`crate::ir::naive`]) step by step: the same loops, then the
//! conditions, then the effects, which all read the state before them. It is partial: where the plain evaluator would report
//! a fault, where a number does not fit a machine word or a state does not fit its fields, and after too many steps, it gives
//! up, and the plain evaluator is asked for this position. So it need not know any fault, and an answer that it does give is
//! the plain evaluator's.

use super::Packed;
use super::settings::{Planted, Settings};
use crate::game::Player;
use crate::ir::eval::{Evaluator, Frame, NoHost, Scope};
use crate::ir::instance::VarKind;
use crate::ir::{Int, Setting, State, Val};
use crate::model::typed::{
    Again, Binder, BinderKind, Builtin, By, Effect, EffectKind, Expr, ExprKind, Fold, FunctionBody,
    FunctionId, Model, Move, Op, Place, Quantifier, Slot, Sort, Target,
};
use smallvec::SmallVec;

/// The most variables of a state.
const MOST_VARS: usize = 8;
/// The most nodes of compiled code.
const MOST_NODES: usize = 10_000;
/// The most functions within each other, and the most levels of an expression.
const MOST_LEVELS: usize = 64;
/// The most elements of a set that is written into the code.
const MOST_ELEMENTS: usize = 1 << 16;
/// The most steps at one position; the plain evaluator then says what there is to say.
const MOST_STEPS: u64 = 1 << 24;

/// The values of the variables.
type Vars = [i64; MOST_VARS];

/// What an integer of the code stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Int,
    Nat,
    Bool,
    Player,
}

/// An expression; truth values are 0 and 1, players their numbers.
#[derive(Debug)]
enum Code {
    Constant(i64),
    Register(usize),
    Variable(usize),
    Negative(Box<Code>),
    Not(Box<Code>),
    And(Box<Code>, Box<Code>),
    Or(Box<Code>, Box<Code>),
    Binary(Op, Box<Code>, Box<Code>),
    If(Box<Code>, Box<Code>, Box<Code>),
    /// x in from..to
    Between(Box<Code>, Box<Code>, Box<Code>),
    /// x in a set or list, sorted.
    Member(Box<Code>, Box<[i64]>),
    /// Whether some choice meets all conditions; the flag says what the answer then is.
    Some(Box<[Loop]>, Box<[Code]>, bool),
    Builtin(Builtin, Box<[Code]>),
    /// A fold over the choices that meet all conditions.
    Fold(Fold, Box<[Loop]>, Box<[Code]>, Box<Code>),
    /// A fold over elements written out.
    FoldOf(Fold, Box<[Code]>),
    /// A function: its arguments with their registers, and whether each must be natural; then its body.
    Call(Box<[(usize, bool, Code)]>, Box<Code>),
}

/// What a variable of a choice runs through.
#[derive(Debug)]
enum Through {
    Range(Code, Code),
    /// The elements, one after the other; of tuples, their parts.
    List(Box<[i64]>),
    One(Code),
}

/// One binder.
#[derive(Debug)]
struct Loop {
    /// The registers of its names, and whether a name is bound already, so that its value must be met.
    names: Box<[(usize, bool)]>,
    through: Through,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Write {
    Set,
    Add,
    Subtract,
}

/// A write to one variable for each choice that meets the conditions.
#[derive(Debug)]
struct Effects {
    loops: Box<[Loop]>,
    conditions: Box<[Code]>,
    inner: Inner,
}

#[derive(Debug)]
enum Inner {
    Write(usize, Write, Code),
    Effects(Box<Effects>),
}

#[derive(Debug)]
struct Stage {
    loops: Box<[Loop]>,
    conditions: Box<[Code]>,
    effects: Box<[Effects]>,
}

/// A move as one player makes it.
#[derive(Debug)]
struct Made {
    stages: Box<[Stage]>,
    /// Whether its player moves again.
    again: Code,
}

/// Compiled rules.
#[derive(Debug)]
pub(super) struct Integers {
    kinds: Vec<Kind>,
    /// The bits of a variable in a packed state.
    bits: u32,
    /// The words of a packed state, 1 or 2.
    words: usize,
    registers: usize,
    /// For each player, the moves that he may make.
    moves: Vec<Vec<Made>>,
    /// A planted mistake: all stages read the state at the start of the move.
    stale: bool,
}

/// There is no answer here; the plain evaluator has one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct GivesUp;

type Found<T> = Result<T, GivesUp>;

impl Integers {
    /// Compiles the rules of a setting; `None` where they are not of this kind.
    pub fn new(model: &Model, setting: &Setting, settings: &Settings) -> Option<Integers> {
        let instance = &setting.instance;
        let rules = &instance.rules;
        let vars = setting.layout.len();
        let plain = setting.board.sites() == 0
            && !setting.board.kind.has_heaps()
            && !instance.dicotic
            && !rules.entails();
        if !plain || !(1..=MOST_VARS).contains(&vars) {
            return None;
        }
        let kinds: Option<Vec<Kind>> = (0..vars).map(|var| kind(setting, var)).collect();
        let players = u8::try_from(instance.players.len()).ok()?;
        let mut compiler = Compiler {
            ev: Evaluator::new(model, &NoHost),
            setting,
            constants: Vec::new(),
            base: 0,
            bound: 0,
            most: 0,
            nodes: 0,
            levels: 0,
        };
        let mut moves: Vec<Vec<Made>> = Vec::new();
        for player in 0..players {
            let mut own = Vec::new();
            for rule in &rules.moves {
                for maker in 0..players {
                    let makes = match &rule.by {
                        By::Each(_) => maker == player || instance.everyone,
                        By::Anyone => maker == player,
                        By::One(p) => maker == *p && (maker == player || instance.everyone),
                    };
                    if makes {
                        own.push(compiler.made(rule, maker)?);
                    }
                }
            }
            moves.push(own);
        }
        let registers = compiler.most;
        let words = if vars <= 2 { 1 } else { 2 };
        Some(Integers {
            kinds: kinds?,
            bits: match vars {
                1 => 64,
                2..=4 => 32,
                _ => 16,
            },
            words,
            registers,
            moves,
            stale: settings.planted == Some(Planted::StagesStale),
        })
    }

    /// Packs a state; `None` where a value does not fit its field.
    pub fn pack(&self, state: &State) -> Option<[u64; 2]> {
        let mut vars = [0; MOST_VARS];
        for ((var, v), kind) in vars.iter_mut().zip(&state.vars).zip(&self.kinds) {
            *var = number(v, *kind)?;
        }
        self.packed(&vars)
    }

    /// A packed state as a position.
    pub fn wrapped(&self, number: u32, words: [u64; 2]) -> Packed {
        match self.words {
            1 => Packed::One(number, words[0]),
            _ => Packed::Two(number, words),
        }
    }

    fn packed(&self, vars: &Vars) -> Option<[u64; 2]> {
        let mut words = [0; 2];
        let each = 64 / self.bits as usize;
        for (i, v) in vars.iter().take(self.kinds.len()).enumerate() {
            // Two's complement in so many bits.
            let spare = 64 - self.bits;
            if v << spare >> spare != *v {
                return None;
            }
            words[i / each] |= (*v as u64) << spare >> spare << (self.bits * (i % each) as u32);
        }
        Some(words)
    }

    fn unpacked(&self, words: &[u64; 2]) -> Vars {
        let each = 64 / self.bits as usize;
        let mut vars = [0; MOST_VARS];
        for (i, v) in vars.iter_mut().take(self.kinds.len()).enumerate() {
            let spare = 64 - self.bits;
            let field = words[i / each] >> (self.bits * (i % each) as u32);
            *v = (field << spare) as i64 >> spare;
        }
        vars
    }

    /// The state that was packed.
    pub fn state(&self, words: &[u64; 2]) -> State {
        let vars = self.unpacked(words);
        let value = |(v, kind): (&i64, &Kind)| match kind {
            Kind::Int | Kind::Nat => Val::Int(Int::Small(*v)),
            Kind::Bool => Val::Bool(*v != 0),
            Kind::Player => Val::Player(u8::try_from(*v).unwrap_or(0)),
        };
        State {
            heaps: Vec::new(),
            vars: vars.iter().zip(&self.kinds).map(value).collect(),
            entailed: None,
        }
    }

    /// Calls `found` with each option of a player, and whether he moves again. Options may be repeated.
    pub fn options(
        &self,
        words: &[u64; 2],
        player: Player,
        mut found: impl FnMut([u64; 2], bool),
    ) -> Found<()> {
        let vars = self.unpacked(words);
        let mut run = Run {
            kinds: &self.kinds,
            registers: smallvec::smallvec![0; self.registers],
            steps: 0,
        };
        for made in self.moves.get(player.index()).into_iter().flatten() {
            run.stages(&made.stages, &vars, self.stale, &mut |run, next| {
                let again = run.value(&made.again, next)? != 0;
                found(self.packed(next).ok_or(GivesUp)?, again);
                Ok(())
            })?;
        }
        Ok(())
    }
}

/// What a variable of a position holds; `None` for sites, pieces and state functions of them.
fn kind(setting: &Setting, var: usize) -> Option<Kind> {
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
fn number(v: &Val, kind: Kind) -> Option<i64> {
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

struct Compiler<'c> {
    ev: Evaluator<'c>,
    setting: &'c Setting,
    /// The values of names that do not depend on the position, by register.
    constants: Vec<Option<Val>>,
    /// The register of the first slot of the current frame.
    base: usize,
    /// The registers in use, and the most that any move uses.
    bound: usize,
    most: usize,
    nodes: usize,
    levels: usize,
}

impl Compiler<'_> {
    /// A move made by a player.
    fn made(&mut self, rule: &Move, maker: u8) -> Option<Made> {
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

    fn stage(&mut self, stage: &crate::model::typed::Stage) -> Option<Stage> {
        Some(Stage {
            loops: self.loops(&stage.binders)?,
            conditions: self.all(&stage.conditions)?,
            effects: stage
                .effects
                .iter()
                .map(|e| self.effect(e))
                .collect::<Option<_>>()?,
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
            BinderKind::In(places, set) => match &places[..] {
                [_] => (&places[..], self.through(set)?),
                _ => (&places[..], self.tuples(set, places.len())?),
            },
            BinderKind::Is {
                place,
                value,
                cell: false,
            } => {
                kind_of(&value.sort)?;
                (std::slice::from_ref(place), Through::One(self.code(value)?))
            }
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

    /// A set or list of tuples of integers, which does not depend on the position.
    fn tuples(&mut self, set: &Expr, width: usize) -> Option<Through> {
        let known = self.constant(set)?;
        let elements = known.elements()?;
        self.nodes += elements.len();
        if elements.len() > MOST_ELEMENTS {
            return None;
        }
        let mut all = Vec::new();
        for element in elements {
            let parts = element.parts().filter(|parts| parts.len() == width)?;
            for part in &parts {
                all.push(number(part, Kind::Int)?);
            }
        }
        Some(Through::List(all.into()))
    }

    fn through(&mut self, set: &Expr) -> Option<Through> {
        let (Sort::Set(element) | Sort::List(element)) = &set.sort else {
            return None;
        };
        let kind = kind_of(element)?;
        if let ExprKind::Binary(Op::Range, from, to) = &*set.kind {
            return Some(Through::Range(self.code(from)?, self.code(to)?));
        }
        let known = self.constant(set)?;
        self.numbers(&known, kind).map(Through::List)
    }

    fn numbers(&mut self, v: &Val, kind: Kind) -> Option<Box<[i64]>> {
        let elements = v.elements()?;
        self.nodes += elements.len();
        if elements.len() > MOST_ELEMENTS {
            return None;
        }
        elements.iter().map(|v| number(v, kind)).collect()
    }

    fn effect(&mut self, effect: &Effect) -> Option<Effects> {
        let (loops, conditions, inner) = match &effect.kind {
            EffectKind::Set(target, e) => (None, None, self.write(target, Write::Set, e)?),
            EffectKind::Add(target, e) => (None, None, self.write(target, Write::Add, e)?),
            EffectKind::Subtract(target, e) => {
                (None, None, self.write(target, Write::Subtract, e)?)
            }
            EffectKind::Each(binders, phi, inner) => (
                Some(self.loops(binders)?),
                Some(self.all(phi.as_slice())?),
                Inner::Effects(Box::new(self.effect(inner)?)),
            ),
            _ => return None,
        };
        Some(Effects {
            loops: loops.unwrap_or_default(),
            conditions: conditions.unwrap_or_default(),
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
    fn variable(&mut self, f: crate::model::typed::StateId, arguments: &[Expr]) -> Option<usize> {
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
                match self.through(b)? {
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
            | Op::Mod => {
                kind_of(&a.sort)?;
                kind_of(&b.sort)?;
                Some(Code::Binary(op, self.boxed(a)?, self.boxed(b)?))
            }
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

/// Code being run at one position.
struct Run<'r> {
    kinds: &'r [Kind],
    registers: SmallVec<[i64; 16]>,
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
type Reached<'e, 'r> = &'e mut dyn FnMut(&mut Run<'r>, &Vars) -> Found<()>;

impl<'r> Run<'r> {
    /// Runs the stages from a state.
    fn stages(
        &mut self,
        stages: &[Stage],
        vars: &Vars,
        stale: bool,
        reached: Reached<'_, 'r>,
    ) -> Found<()> {
        let Some((stage, rest)) = stages.split_first() else {
            return reached(self, vars);
        };
        self.choices(&stage.loops, &stage.conditions, vars, &mut |run| {
            if let Some(next) = run.after(&stage.effects, vars)? {
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
        self.steps += 1;
        if self.steps > MOST_STEPS {
            return Err(GivesUp);
        }
        let Some((first, rest)) = loops.split_first() else {
            for phi in conditions {
                if self.value(phi, vars)? == 0 {
                    return Ok(true);
                }
            }
            return each(self);
        };
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
        self.choices(rest, conditions, vars, each)
    }

    /// The state after the effects; `None` if too much is taken, so that this is no move.
    fn after(&mut self, effects: &[Effects], vars: &Vars) -> Found<Option<Vars>> {
        let mut writes = [Writes::default(); MOST_VARS];
        // A fault that counts only if this is a move.
        let mut later = false;
        for e in effects {
            self.collect(e, vars, &mut writes, &mut later)?;
        }
        let all = || writes.iter().zip(self.kinds).zip(vars);
        for ((w, kind), held) in all() {
            if *kind == Kind::Nat && w.taken.is_some_and(|taken| taken > *held) {
                return Ok(None);
            }
        }
        if later {
            return Err(GivesUp);
        }
        let mut next = *vars;
        for ((w, kind), to) in writes.iter().zip(self.kinds).zip(&mut next) {
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
        Ok(Some(next))
    }

    fn collect(
        &mut self,
        e: &Effects,
        vars: &Vars,
        writes: &mut [Writes; MOST_VARS],
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

    fn value(&mut self, code: &Code, vars: &Vars) -> Found<i64> {
        Ok(match code {
            Code::Constant(n) => *n,
            Code::Register(r) => self.registers[*r],
            Code::Variable(v) => vars[*v],
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
