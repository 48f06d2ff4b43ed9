//! Finds the banked points: the state variables of a ruleset with a `score` that only the score reads, each with its factor
//! in the score.
//!
//! **Theorem.** Let B be a set of integer variables, each an entry of a state function all of whose arguments (if any) are
//! players, such that
//!
//! 1. no binder, condition, amount, target or function of the moves reads a variable of B;
//! 2. moves change B by `+=` only, or by `-=` where the variable is an `int`; an amount added to a `nat` is not negative;
//! 3. the score is c · B + r, where c are integers of the text and r does not read B.
//!
//! Let s and t be states that differ in B alone. Then the moves from s and from t correspond to each other, with the same
//! choices, the same turns and the same changes of B, and lead to states that differ in B alone, by the same amounts.
//! *Proof.* By 1, a choice is legal at s if and only if it is legal at t, and `again` has the same value at both. By 2, no
//! change is refused, since a change is refused only if it takes a `nat` below 0, and the `nat`s of B start at 0 or more
//! and never decrease. So, by induction, each line of play from s is one from t, and by 3 its score from s exceeds its
//! score from t by c · (B(s) - B(t)). ∎

use super::instance::Setting;
use super::position::State;
use super::val::Val;
use super::{Int, Res};
use crate::base::Span;
use crate::eval::binders::places;
use crate::fault::{Code, Fault};
use crate::model::parts::below;
use crate::model::typed::{
    Again, Binder, BinderKind, Builtin, Effect, EffectKind, Expr, ExprKind, Fold, FunctionBody,
    Model, Move, Op, Place, Ruleset, Slot, Sort, StateId, Target,
};
use std::collections::BTreeSet;

/// The largest absolute value of a score.
const MOST: i64 = crate::game::MOST_POINTS;

/// The banked variables of a setting, each with its factor in the score.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Banked {
    /// Variable and factor.
    pub vars: Vec<(usize, i64)>,
    /// Whether the score counts nothing else, so that it is 0 once the banked points are taken out.
    pub is_all: bool,
}

impl Banked {
    /// The banked variables under the rules of a setting.
    #[must_use]
    pub fn of(model: &Model, setting: &Setting) -> Banked {
        let rules = &setting.instance.rules;
        let states = states(model, rules);
        let Some(score) = &rules.score else {
            return Banked::default();
        };
        let mut terms = Vec::new();
        linear(&score.points, 1, &mut terms);
        let mut vars: Vec<(usize, i64)> = Vec::new();
        for f in &states {
            // An entry that the score does not name has factor 0.
            vars.extend(setting.layout.state_range(*f).map(|var| (var, 0)));
        }
        let mut is_all = true;
        for (e, factor) in terms {
            is_all &= matches!(&*e.kind, ExprKind::State(f, _) if states.contains(f));
            let ExprKind::State(f, args) = &*e.kind else {
                continue;
            };
            if !states.contains(f) {
                continue;
            }
            let args: Vec<Val> = args.iter().filter_map(player).map(Val::Player).collect();
            let var = setting.state_var(*f, &args);
            if let Some(one) = vars.iter_mut().find(|(v, _)| Some(*v) == var) {
                // At most 2^40 each, and fewer of them than bytes of text.
                one.1 = one.1.saturating_add(factor);
            }
        }
        Banked { vars, is_all }
    }

    /// Sets the banked variables of a state to 0 and returns the points that they counted for.
    ///
    /// # Errors
    /// More than [`crate::game::MOST_POINTS`] points in absolute value.
    pub fn take(&self, state: &mut State, span: Span) -> Res<i64> {
        let mut sum = Some(0i64);
        for (var, factor) in &self.vars {
            if let Some(Val::Int(n)) = state.vars.get(*var) {
                let points = n.to_i64().and_then(|n| n.checked_mul(*factor));
                sum = sum.zip(points).and_then(|(a, b)| a.checked_add(b));
                state.vars[*var] = Val::Int(Int::ZERO);
            }
        }
        within(sum, span)
    }
}

/// The points, if their absolute value is at most [`crate::game::MOST_POINTS`].
///
/// # Errors
/// `None` (an overflow), or too many points.
pub fn within(points: Option<i64>, span: Span) -> Res<i64> {
    points
        .filter(|n| (-MOST..=MOST).contains(n))
        .ok_or_else(|| {
            Fault::new(
                Code::TooMuch,
                span,
                format!("a score of more than {MOST} points is not counted"),
            )
        })
}

fn player(e: &Expr) -> Option<u8> {
    match &*e.kind {
        ExprKind::Player(p) => Some(*p),
        _ => None,
    }
}

/// Writes an expression as a linear combination: adds its terms, each with its factor, to `terms`. Factors are at most
/// [`MOST`] in absolute value.
fn linear<'e>(e: &'e Expr, factor: i64, terms: &mut Vec<(&'e Expr, i64)>) {
    // A factor times a number of the text, if it is small enough: then the sums of factors are exact.
    let times = |e: &Expr| match &*e.kind {
        ExprKind::Integer(n) => {
            let product = Int::from(n.clone()).to_i64()?.checked_mul(factor);
            product.filter(|n| (-MOST..=MOST).contains(n))
        }
        _ => None,
    };
    match &*e.kind {
        ExprKind::Binary(Op::Add, a, b) => {
            linear(a, factor, terms);
            linear(b, factor, terms);
        }
        ExprKind::Binary(Op::Subtract, a, b) => {
            linear(a, factor, terms);
            linear(b, -factor, terms);
        }
        ExprKind::Negative(a) => linear(a, -factor, terms),
        ExprKind::Binary(Op::Multiply, a, b) => match (times(a), times(b)) {
            (Some(n), _) => linear(b, n, terms),
            (_, Some(n)) => linear(a, n, terms),
            _ => terms.push((e, factor)),
        },
        _ => terms.push((e, factor)),
    }
}

/// The state functions that satisfy the hypotheses of the theorem, for rules without clauses that end play.
#[must_use]
pub fn states(model: &Model, rules: &Ruleset) -> BTreeSet<StateId> {
    let mut reads = Reads {
        model,
        functions: BTreeSet::new(),
        states: BTreeSet::new(),
        everything: false,
    };
    let mut banked: BTreeSet<StateId> = (0u32..)
        .zip(&rules.state)
        .filter(|(_, s)| !s.fixed && s.sort == Sort::Int)
        .filter(|(_, s)| s.arguments.iter().all(|a| *a == Sort::Player))
        .map(|(i, _)| StateId(i))
        .collect();
    for m in &rules.moves {
        reads.binders(m.stages.iter().flat_map(|s| &s.binders));
        for stage in &m.stages {
            stage.conditions.iter().for_each(|e| reads.expr(e));
            for effect in &stage.effects {
                reads.effect(effect);
                refuse(rules, m, effect, &mut banked);
            }
        }
        if let Again::When(phi) = &m.again {
            reads.expr(phi);
        }
        let next = m.repeat.iter().flat_map(|r| &r.next);
        next.for_each(|(_, e)| reads.expr(e));
    }
    if let Some(score) = &rules.score {
        let mut terms = Vec::new();
        linear(&score.points, 1, &mut terms);
        for (e, _) in terms {
            match &*e.kind {
                ExprKind::State(_, args) if args.iter().all(|a| player(a).is_some()) => {}
                _ => reads.expr(e),
            }
        }
    }
    banked.retain(|f| !reads.everything && !reads.states.contains(f));
    banked
}

/// Removes from `banked` the state function that an effect changes in a way that hypothesis 2 excludes.
fn refuse(rules: &Ruleset, m: &Move, effect: &Effect, banked: &mut BTreeSet<StateId>) {
    let mut effect = effect;
    while let EffectKind::Each(_, _, inner) = &effect.kind {
        effect = inner;
    }
    let is_natural = |f: &StateId| {
        let decl = rules.state.get(f.0 as usize);
        decl.is_none_or(|s| s.natural)
    };
    match &effect.kind {
        EffectKind::Set(Target::State(f, _), _) => {
            banked.remove(f);
        }
        EffectKind::Add(Target::State(f, _), e) if is_natural(f) && !natural(rules, m, e, 8) => {
            banked.remove(f);
        }
        EffectKind::Subtract(Target::State(f, _), _) if is_natural(f) => {
            banked.remove(f);
        }
        _ => {}
    }
}

/// Whether the text shows that an amount is never negative. Follows names up to `deep` times.
fn natural(rules: &Ruleset, m: &Move, e: &Expr, deep: u32) -> bool {
    match &*e.kind {
        ExprKind::Integer(n) => *n >= 0.into(),
        ExprKind::Fold(Fold::Size, _) | ExprKind::Builtin(Builtin::Abs, _) => true,
        ExprKind::Binary(Op::Add | Op::Multiply, a, b) => {
            natural(rules, m, a, deep) && natural(rules, m, b, deep)
        }
        ExprKind::If(_, a, b) => natural(rules, m, a, deep) && natural(rules, m, b, deep),
        ExprKind::State(f, _) => rules.state.get(f.0 as usize).is_some_and(|s| s.natural),
        ExprKind::Slot(slot) if deep > 0 => {
            let renewed = m.repeat.iter().flat_map(|r| &r.next);
            let mut binders = m.stages.iter().flat_map(|s| &s.binders).peekable();
            let binds = |b: &&Binder| places(b).into_iter().any(|p| is_new(p, *slot));
            renewed.clone().all(|(s, _)| s != slot)
                && binders.any(|b| binds(&b))
                && m.stages
                    .iter()
                    .flat_map(|s| &s.binders)
                    .filter(binds)
                    .all(|b| match &b.kind {
                        BinderKind::Heap { .. } => true,
                        BinderKind::Is { value, .. } => natural(rules, m, value, deep - 1),
                        BinderKind::In(places, set) => {
                            places.len() == 1
                                && match &*set.kind {
                                    ExprKind::Binary(Op::Range, from, _) => {
                                        natural(rules, m, from, deep - 1)
                                    }
                                    ExprKind::Elements(all) => {
                                        all.iter().all(|e| natural(rules, m, e, deep - 1))
                                    }
                                    _ => false,
                                }
                        }
                        _ => false,
                    })
        }
        _ => false,
    }
}

fn is_new(place: &Place, slot: Slot) -> bool {
    matches!(place, Place::New(s) if *s == slot)
}

/// The state functions that expressions read.
struct Reads<'m> {
    model: &'m Model,
    functions: BTreeSet<u32>,
    states: BTreeSet<StateId>,
    everything: bool,
}

impl Reads<'_> {
    fn binders<'e>(&mut self, binders: impl IntoIterator<Item = &'e Binder>) {
        for b in binders {
            if let BinderKind::In(_, e) | BinderKind::Is { value: e, .. } = &b.kind {
                self.expr(e);
            }
        }
    }

    fn effect(&mut self, effect: &Effect) {
        match &effect.kind {
            EffectKind::Set(t, e) | EffectKind::Add(t, e) | EffectKind::Subtract(t, e) => {
                match t {
                    Target::At(site) => self.expr(site),
                    Target::State(_, args) => self.all(args),
                }
                self.expr(e);
            }
            EffectKind::Remove(all) => self.all(all),
            EffectKind::Join(u, v) | EffectKind::Merge(u, v) => {
                self.expr(u);
                self.expr(v);
            }
            EffectKind::Keep(e) | EffectKind::Replace { heaps: e, .. } => self.expr(e),
            EffectKind::Each(binders, phi, inner) => {
                self.binders(binders);
                self.all(phi.as_slice());
                self.effect(inner);
            }
        }
    }

    fn all(&mut self, all: &[Expr]) {
        all.iter().for_each(|e| self.expr(e));
    }

    fn function(&mut self, f: u32) {
        if !self.functions.insert(f) {
            return;
        }
        let model = self.model;
        match model.functions.get(f as usize).map(|f| &f.body) {
            Some(FunctionBody::Expr(e)) => self.expr(e),
            Some(FunctionBody::Table(rows)) => rows.iter().for_each(|(_, e)| self.expr(e)),
            None => self.everything = true,
        }
    }

    fn expr(&mut self, e: &Expr) {
        match &*e.kind {
            ExprKind::State(f, _) => {
                self.states.insert(*f);
            }
            ExprKind::Builtin(b, _) => self.everything |= *b == Builtin::StateOf,
            ExprKind::Call(f, _) => self.function(f.0),
            // Rules do not contain positions.
            ExprKind::Board(_)
            | ExprKind::Position(_)
            | ExprKind::Sum(..)
            | ExprKind::Mirror(_)
            | ExprKind::Multiple(..)
            | ExprKind::Game(..) => self.everything = true,
            _ => {}
        }
        let mut parts = Vec::new();
        below(e, &mut parts);
        parts.into_iter().for_each(|e| self.expr(e));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_are_within_their_bound_on_both_sides() {
        let ok = |n| within(Some(n), Span::default()).is_ok();
        assert!(ok(MOST) && ok(-MOST) && ok(0));
        assert!(!ok(MOST + 1) && !ok(-MOST - 1) && !ok(i64::MIN) && !ok(i64::MAX));
        assert!(within(None, Span::default()).is_err());
    }
}
