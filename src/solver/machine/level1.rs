//! Rules that are not grounded: the naive evaluator makes the moves, one state at a time. Heaps are independent components if
//! every move binds exactly one heap and refers to nothing else that changes (language.md, section 7.2).

use super::integers::Integers;
use super::key::{Key, intern, state_key, sum_key};
use super::settings::{Planted, Settings};
use super::{Packed, words};
use crate::game::{Cancel, Player, Shortcut};
use crate::ir::eval::{Evaluator, NoHost};
use crate::ir::{Fault, Int, Setting, State, Val, naive};
use crate::model::typed::{
    Binder, BinderKind, Effect, EffectKind, Expr, ExprKind, Model, SiteKind, Target,
};
use smallvec::SmallVec;
use std::sync::{Arc, Mutex, Weak};

/// A ruleset on a board at level 1.
#[derive(Debug)]
pub(super) struct Level1 {
    pub setting: Arc<Setting>,
    /// Whether heaps are independent of each other.
    pub heaps_split: bool,
    /// Whether heaps are independent of each other where the answer to the last move may be made anywhere.
    heaps_apart: bool,
    /// Identifies the rules (and the board, where there is one) in keys.
    name: u64,
    /// Whether all moves belong to every player.
    pub everyone: bool,
    /// The rules as code, where the state is a few integers.
    pub integers: Option<Integers>,
}

/// Marks the names of rules of level 1 in keys.
const LEVEL1: u64 = 1 << 55;

static MODELS: Mutex<Vec<(Weak<Model>, u32)>> = Mutex::new(Vec::new());

/// A number for a model, unique in the process.
fn model_number(model: &Arc<Model>) -> u32 {
    static NEXT: std::sync::atomic::AtomicU32 = std::sync::atomic::AtomicU32::new(0);
    let mut models = MODELS.lock().unwrap_or_else(|e| e.into_inner());
    models.retain(|(m, _)| m.strong_count() > 0);
    let same = models
        .iter()
        .find(|(m, _)| std::ptr::eq(m.as_ptr(), Arc::as_ptr(model)));
    if let Some((_, n)) = same {
        return *n;
    }
    let n = NEXT.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
    models.push((Arc::downgrade(model), n));
    n
}

/// Gives `model` the number of `known`. It must have the same definitions, and perhaps more functions, so that values stored
/// for one hold for both.
pub fn same_definitions(known: &Arc<Model>, model: &Arc<Model>) {
    let n = model_number(known);
    let mut models = MODELS.lock().unwrap_or_else(|e| e.into_inner());
    models.retain(|(m, _)| !std::ptr::eq(m.as_ptr(), Arc::as_ptr(model)));
    models.push((Arc::downgrade(model), n));
}

impl Level1 {
    pub(super) fn new(model: &Arc<Model>, setting: &Arc<Setting>, settings: &Settings) -> Level1 {
        static BOARDS: std::sync::atomic::AtomicU64 = std::sync::atomic::AtomicU64::new(0);
        let instance = &setting.instance;
        let heaps = setting.board.kind.has_heaps();
        let name = if heaps && settings.has(Shortcut::Shapes) {
            let number = model_number(model);
            let text = format!(
                "heaps {number} {:?} {:?} {} {}",
                instance.rules_id, instance.rules_arguments, instance.everyone, instance.dicotic
            );
            u64::from(intern(text.into_bytes())) << 1
        } else {
            BOARDS.fetch_add(1, std::sync::atomic::Ordering::Relaxed) << 1 | 1
        };
        let heaps_apart = heaps
            && instance.rules.entails()
            && instance.rules.ends.is_empty()
            && one_heap_each(setting, model);
        let planted = settings.planted == Some(Planted::HeapsAlwaysSplit);
        Level1 {
            setting: setting.clone(),
            heaps_split: heaps
                && !instance.rules.entails()
                && (planted || one_heap_each(setting, model)),
            heaps_apart,
            name,
            everyone: instance.is_impartial(),
            integers: match settings.has(Shortcut::Integers) {
                true => Integers::new(model, setting, settings),
                false => None,
            },
        }
    }

    /// Calls `found` with each option of a player, and whether he moves again. Options may be repeated.
    ///
    /// # Errors
    /// A fault of a rule; a limit.
    pub(super) fn each_option(
        &self,
        model: &Model,
        cancel: &Cancel,
        position: &Packed,
        player: Player,
        mut found: impl FnMut(Packed, bool),
    ) -> Result<(), Box<Fault>> {
        let number = position.number();
        if let (Some(code), Packed::One(..) | Packed::Two(..)) = (&self.integers, position) {
            let mut all: SmallVec<[([u64; 2], bool); 32]> = SmallVec::new();
            let whole = code.options(&words(position), player, |to, again| all.push((to, again)));
            if whole.is_ok() {
                // Small numbers are usually taken away first. What is left is least where most is taken; these options come
                // first, so that a search that solves them first knows most of the others when it meets them.
                for (to, again) in all.into_iter().rev() {
                    found(code.wrapped(number, to), again);
                }
                return Ok(());
            }
        }
        let Some(state) = self.state(position) else {
            return Ok(());
        };
        let ev = Evaluator::new(model, &NoHost).with_cancel(cancel.clone());
        for r in naive::moves_of(&ev, &self.setting, &state, player)? {
            found(self.packed(number, r.state), r.again);
        }
        Ok(())
    }

    /// The one way in which a state is packed.
    pub(super) fn packed(&self, number: u32, state: State) -> Packed {
        let code = self.integers.as_ref();
        match code.and_then(|code| Some(code.wrapped(number, code.pack(&state)?))) {
            Some(packed) => packed,
            None => Packed::State(number, Arc::new(state)),
        }
    }

    /// The state of a position of these rules.
    pub(super) fn state(&self, position: &Packed) -> Option<Arc<State>> {
        match position {
            Packed::State(_, state) => Some(state.clone()),
            Packed::One(..) | Packed::Two(..) => self.unpacked(&words(position)).map(Arc::new),
            Packed::Many(..) | Packed::Sum(_) => None,
        }
    }

    /// The state that these words are.
    pub(super) fn unpacked(&self, words: &[u64; 2]) -> Option<State> {
        self.integers.as_ref().map(|code| code.state(words))
    }

    pub(super) fn split(&self, state: &Arc<State>, mut part: impl FnMut(Arc<State>)) {
        if !self.heaps_split || state.heaps.len() <= 1 {
            if !(self.heaps_split && state.heaps.is_empty()) {
                part(state.clone());
            }
            return;
        }
        each_heap(state).for_each(part);
    }

    /// The heaps one by one, if they are independent of each other and the answer to the last move may be made in any.
    pub(super) fn apart(&self, state: &Arc<State>, mut part: impl FnMut(Arc<State>)) {
        if !self.heaps_apart || state.heaps.len() <= 1 || state.entailed.is_some() {
            part(state.clone());
            return;
        }
        each_heap(state).for_each(part);
    }

    /// The heaps one by one, if they are independent of each other: those in which the last move must be answered, as such and
    /// as heaps in which it need not be, and the `rest`.
    pub(super) fn answers_apart(
        &self,
        state: &Arc<State>,
        mut answered: impl FnMut([Arc<State>; 2]),
        mut rest: impl FnMut(Arc<State>),
    ) {
        let marked = state.entailed.as_deref().unwrap_or_default();
        if !self.heaps_apart || state.heaps.len() <= 1 {
            return rest(state.clone());
        }
        if marked.is_empty() {
            // There is no answer, whatever else is there.
            return rest(Arc::new(State {
                heaps: Vec::new(),
                ..State::clone(state)
            }));
        }
        for (i, free) in each_heap(state).enumerate() {
            if !state.is_entailed(i) {
                rest(free);
                continue;
            }
            let entailed = Some(vec![0]);
            let one = State {
                entailed,
                ..State::clone(&free)
            };
            answered([Arc::new(one), free]);
        }
    }

    pub(super) fn key(&self, position: &Packed) -> Key {
        match position {
            // Of fewer words than any other state.
            Packed::One(_, w) => state_key(LEVEL1 | self.name, &[*w]),
            Packed::Two(_, w) => state_key(LEVEL1 | self.name, w),
            Packed::State(_, state) => self.key_of(state),
            Packed::Many(..) | Packed::Sum(_) => sum_key(&[]),
        }
    }

    fn key_of(&self, state: &State) -> Key {
        let mut bytes: Vec<u8> = Vec::new();
        let int = |bytes: &mut Vec<u8>, n: &Int| match n.to_i64() {
            Some(n) => bytes.extend(n.to_le_bytes()),
            None => {
                // Marked by `i64::MIN`; then the number of digits, and the digits.
                let text = n.to_string();
                bytes.extend(i64::MIN.to_le_bytes());
                bytes.extend((text.len() as u64).to_le_bytes());
                bytes.extend(text.bytes());
                bytes.resize(bytes.len().next_multiple_of(8), 0);
            }
        };
        bytes.extend((state.heaps.len() as u64).to_le_bytes());
        for n in state.heaps.iter().flatten() {
            int(&mut bytes, n);
        }
        for v in &state.vars {
            match v {
                Val::Int(n) => {
                    bytes.push(0);
                    int(&mut bytes, n);
                }
                other => {
                    let text = format!("{other:?}");
                    bytes.push(1);
                    bytes.extend((text.len() as u32).to_le_bytes());
                    bytes.extend(text.bytes());
                }
            }
        }
        if let Some(entailed) = &state.entailed {
            bytes.push(2);
            for heap in entailed {
                bytes.extend((*heap as u64).to_le_bytes());
            }
        }
        let words: Vec<u64> = bytes
            .chunks(8)
            .map(|chunk| {
                let mut word = [0u8; 8];
                word[..chunk.len()].copy_from_slice(chunk);
                u64::from_le_bytes(word)
            })
            .collect();
        // The length comes first, so that padding with zeros does not make different keys equal.
        let mut all = vec![bytes.len() as u64];
        all.extend(words);
        state_key(LEVEL1 | self.name, &all)
    }
}

/// The heaps of a state one by one.
fn each_heap(state: &State) -> impl Iterator<Item = Arc<State>> {
    state.heaps.iter().map(|heap| {
        Arc::new(State {
            heaps: vec![heap.clone()],
            vars: state.vars.clone(),
            entailed: None,
        })
    })
}

/// Whether every move binds exactly one heap, and no rule reads or writes anything else that changes. A move with a repeated
/// stage does not qualify, since each round may bind another heap.
fn one_heap_each(setting: &Setting, model: &Model) -> bool {
    let rules = &setting.instance.rules;
    // Whether both players have a move is asked of all heaps together.
    if setting.instance.dicotic {
        return false;
    }
    if !rules.state.is_empty() || !rules.pieces.is_empty() || rules.pieces_range.is_some() {
        return false;
    }
    rules.moves.iter().all(|m| {
        let mut heaps = 0;
        let mut other = false;
        for stage in &m.stages {
            for b in &stage.binders {
                heaps += usize::from(matches!(b.kind, BinderKind::Heap { .. }));
                other |= binder(b, model, false);
            }
            other |= stage.conditions.iter().any(|e| expr(e, model));
            other |= stage.effects.iter().any(|e| effect(e, model));
        }
        heaps == 1 && !other && m.repeat.is_none()
    })
}

/// Whether an expression may read the heaps.
fn expr(e: &Expr, model: &Model) -> bool {
    let any = |list: &[Expr]| list.iter().any(|e| expr(e, model));
    let within = |list: &[Binder]| list.iter().any(|b| binder(b, model, true));
    match &*e.kind {
        ExprKind::PlayerNumber(a)
        | ExprKind::PieceNumber(a)
        | ExprKind::Coordinates(a)
        | ExprKind::PieceOf(a)
        | ExprKind::Negative(a)
        | ExprKind::Not(a)
        | ExprKind::Fold(_, a) => expr(a, model),
        ExprKind::Cell(l) | ExprKind::Label(_, l) | ExprKind::Elements(l) | ExprKind::Tuple(l) => {
            any(l)
        }
        ExprKind::IsPieceOf(a, b) | ExprKind::Binary(_, a, b) | ExprKind::Index(a, b) => {
            expr(a, model) || expr(b, model)
        }
        ExprKind::Quantifier(_, binders, phi, body) | ExprKind::For(body, binders, phi) => {
            within(binders) || phi.as_ref().is_some_and(|e| expr(e, model)) || expr(body, model)
        }
        ExprKind::If(phi, a, b) => expr(phi, model) || expr(a, model) || expr(b, model),
        ExprKind::Builtin(b, args) => crate::ir::ground::is_set_of_sites(*b) || any(args),
        // Functions outside rulesets read no state, so they cannot read heaps. Functions of a ruleset may.
        ExprKind::Call(f, args) => {
            let function = model.functions.get(f.0 as usize);
            any(args) || function.is_none_or(|f| f.in_ruleset.is_some() && reads(f, model))
        }
        ExprKind::At(_) | ExprKind::State(..) => true,
        ExprKind::Board(_) | ExprKind::Position(_) | ExprKind::Game(..) => true,
        ExprKind::Sum(..) | ExprKind::Mirror(_) | ExprKind::Multiple(..) => true,
        _ => false,
    }
}

fn reads(f: &crate::model::typed::Function, model: &Model) -> bool {
    use crate::model::typed::FunctionBody;
    match &f.body {
        FunctionBody::Expr(e) => expr(e, model),
        FunctionBody::Table(rows) => rows.iter().any(|(_, e)| expr(e, model)),
    }
}

fn binder(b: &Binder, model: &Model, within: bool) -> bool {
    match &b.kind {
        BinderKind::In(_, e) => expr(e, model),
        BinderKind::Is { value, .. } => expr(value, model),
        BinderKind::Heap { .. } => within,
        BinderKind::Sites(_, SiteKind::Heap) => true,
        _ => false,
    }
}

fn effect(e: &Effect, model: &Model) -> bool {
    let target =
        |t: &Target| !matches!(t, Target::State(_, a) if a.iter().all(|e| !expr(e, model)));
    match &e.kind {
        EffectKind::Replace { heaps, .. } => expr(heaps, model),
        EffectKind::Set(t, e) | EffectKind::Add(t, e) | EffectKind::Subtract(t, e) => {
            target(t) || expr(e, model)
        }
        EffectKind::Remove(_)
        | EffectKind::Keep(_)
        | EffectKind::Join(..)
        | EffectKind::Merge(..) => true,
        EffectKind::Each(binders, phi, inner) => {
            binders.iter().any(|b| binder(b, model, true))
                || phi.as_ref().is_some_and(|e| expr(e, model))
                || effect(inner, model)
        }
    }
}
