//! Detects moves that enlarge the position whenever they are made, and returns the place in the text.
//!
//! Such a move can be made again and again: it replaces a heap by a larger one, or only increases a count. Only the text
//! is examined, so the result is a suspicion, for a warning. A move with any other effect, or with a condition that could
//! bound the growth, is not reported.

use super::typed::{
    Binder, BinderKind, Effect, EffectKind, Expr, ExprKind, Move, Op, Place, Ruleset, Slot, Stage,
    StateId, Target,
};
use crate::base::Span;
use num_bigint::BigInt;

/// The growing quantity: the size of the one chosen heap, or a count.
#[derive(Clone, Copy)]
enum Measure {
    Heap(Slot),
    Count(StateId),
}

/// Where the rules have a move that only enlarges the position; `None` if there is none.
#[must_use]
pub fn of_rules(rules: &Ruleset) -> Option<Span> {
    rules.moves.iter().find_map(of_move)
}

/// Where a move shows that it only enlarges the position; `None` if it does not.
#[must_use]
pub fn of_move(m: &Move) -> Option<Span> {
    let effects: Vec<(&Stage, &Effect)> = m
        .stages
        .iter()
        .flat_map(|s| s.effects.iter().map(move |e| (s, e)))
        .collect();
    let binders: Vec<&Binder> = m.stages.iter().flat_map(|s| &s.binders).collect();
    let mut measures = Vec::new();
    for (stage, effect) in &effects {
        measures.push(grown(stage, effect, &binders)?);
    }
    // Of several heaps, one may grow at the expense of another.
    let heaps = measures.iter().filter(|m| matches!(m, Measure::Heap(_)));
    if measures.is_empty() || heaps.count() > 1 {
        return None;
    }
    let mut conditions = m.stages.iter().flat_map(|s| &s.conditions);
    conditions.all(is_lower_bound).then(|| effects[0].1.span)
}

/// The quantity that an effect increases, whatever is chosen.
fn grown(stage: &Stage, effect: &Effect, binders: &[&Binder]) -> Option<Measure> {
    match &effect.kind {
        EffectKind::Replace { heap, heaps } => {
            let slot = stage.binders.iter().find_map(|b| match &b.kind {
                BinderKind::Heap { heap: h, places } if h == heap => match places[..] {
                    [Place::New(slot)] => Some(slot),
                    _ => None,
                },
                _ => None,
            })?;
            let ExprKind::Elements(all) = &*heaps.kind else {
                return None;
            };
            let measure = Measure::Heap(slot);
            let more = all.iter().any(|e| is_more(e, measure, binders));
            // The heap itself, and another one beside it.
            let kept = all
                .iter()
                .filter(|e| is_no_less(e, measure, binders))
                .count();
            let beside = all
                .iter()
                .filter(|e| is_positive(e, measure, binders))
                .count();
            (more || kept >= 1 && beside >= 2).then_some(measure)
        }
        EffectKind::Add(Target::State(state, _), by) => {
            let measure = Measure::Count(*state);
            is_positive(by, measure, binders).then_some(measure)
        }
        EffectKind::Set(Target::State(state, arguments), to) if arguments.is_empty() => {
            let measure = Measure::Count(*state);
            is_more(to, measure, binders).then_some(measure)
        }
        _ => None,
    }
}

fn integer(e: &Expr) -> Option<&BigInt> {
    match &*e.kind {
        ExprKind::Integer(n) => Some(n),
        _ => None,
    }
}

fn is_itself(e: &Expr, measure: Measure) -> bool {
    match (&*e.kind, measure) {
        (ExprKind::Slot(s), Measure::Heap(slot)) => *s == slot,
        (ExprKind::State(s, arguments), Measure::Count(state)) => {
            *s == state && arguments.is_empty()
        }
        _ => false,
    }
}

/// Whether the value is at least the old one. Heaps and counts are naturals.
fn is_no_less(e: &Expr, measure: Measure, binders: &[&Binder]) -> bool {
    let no_less = |e: &Expr| is_no_less(e, measure, binders);
    match &*e.kind {
        ExprKind::Binary(Op::Add, a, b) => {
            no_less(a) && is_natural(b, measure, binders)
                || no_less(b) && is_natural(a, measure, binders)
        }
        ExprKind::Binary(Op::Multiply, a, b) => {
            let factor = |e: &Expr| is_positive(e, measure, binders) || no_less(e);
            no_less(a) && factor(b) || no_less(b) && factor(a)
        }
        _ => is_itself(e, measure),
    }
}

/// Whether the value is greater than the old one.
fn is_more(e: &Expr, measure: Measure, binders: &[&Binder]) -> bool {
    let positive = |e: &Expr| is_positive(e, measure, binders);
    match &*e.kind {
        ExprKind::Binary(Op::Add, a, b) => {
            is_no_less(a, measure, binders) && positive(b)
                || is_no_less(b, measure, binders) && positive(a)
        }
        ExprKind::Binary(Op::Multiply, a, b) => {
            // A count may be 0.
            let several = |e: &Expr| integer(e).is_some_and(|n| *n > BigInt::from(1));
            matches!(measure, Measure::Heap(_))
                && (is_no_less(a, measure, binders) && several(b)
                    || is_no_less(b, measure, binders) && several(a))
        }
        _ => false,
    }
}

/// Whether the value is positive.
fn is_positive(e: &Expr, measure: Measure, binders: &[&Binder]) -> bool {
    match &*e.kind {
        ExprKind::Integer(n) => *n > BigInt::from(0),
        // A heap is never 0.
        ExprKind::Slot(slot) => {
            matches!(measure, Measure::Heap(_)) && is_itself(e, measure)
                || binders.iter().any(|b| counts_from_one(b, *slot))
        }
        ExprKind::Binary(Op::Add, a, b) => {
            is_positive(a, measure, binders) && is_natural(b, measure, binders)
                || is_positive(b, measure, binders) && is_natural(a, measure, binders)
        }
        ExprKind::Binary(Op::Multiply, a, b) => {
            is_positive(a, measure, binders) && is_positive(b, measure, binders)
        }
        _ => false,
    }
}

/// Whether the value is nonnegative.
fn is_natural(e: &Expr, measure: Measure, binders: &[&Binder]) -> bool {
    match &*e.kind {
        ExprKind::Integer(n) => *n >= BigInt::from(0),
        ExprKind::Binary(Op::Add | Op::Multiply, a, b) => {
            is_natural(a, measure, binders) && is_natural(b, measure, binders)
        }
        _ => is_itself(e, measure) || is_positive(e, measure, binders),
    }
}

/// Whether the binder is `slot in k..E` with k > 0.
fn counts_from_one(binder: &Binder, slot: Slot) -> bool {
    match &binder.kind {
        BinderKind::In(places, over) => {
            matches!(places[..], [Place::New(s)] if s == slot)
                && matches!(&*over.kind, ExprKind::Binary(Op::Range, from, _)
                    if integer(from).is_some_and(|n| *n > BigInt::from(0)))
        }
        _ => false,
    }
}

/// `.. > 3`, `.. >= 1`: remains true as the quantity grows.
fn is_lower_bound(condition: &Expr) -> bool {
    match &*condition.kind {
        ExprKind::Binary(Op::Greater | Op::GreaterEqual, a, b) => {
            matches!(&*a.kind, ExprKind::Slot(_) | ExprKind::State(..)) && integer(b).is_some()
        }
        _ => false,
    }
}
