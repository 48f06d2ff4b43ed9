//! Lints that need no grounding: valid text that is probably not what was meant.

use super::builtins::What;
use super::checker::Checker;
use super::typed::{
    Binder, BinderKind, Builtin, By, Effect, EffectKind, EndClause, Expr, ExprKind, Move, Op,
    Place, Ruleset, Slot, Sort, Stage, Target,
};
use crate::base::{Ident, Span};
use crate::diagnostic::{Code, Diagnostic, Suggestion};
use crate::syntax::ast;
use crate::syntax::names::{Names, of_expr};
use crate::syntax::printer::print_expr;
use num_traits::Zero;

/// Whether an expression depends neither on the position nor on a variable.
pub(super) fn is_constant(e: &Expr) -> bool {
    match &*e.kind {
        ExprKind::Integer(_) | ExprKind::Player(_) | ExprKind::Piece(_) => true,
        ExprKind::Bool(_) => e.sort != Sort::Unknown,
        ExprKind::Empty | ExprKind::Wall | ExprKind::Off | ExprKind::Direction(..) => true,
        ExprKind::Binary(_, a, b) => is_constant(a) && is_constant(b),
        ExprKind::Not(a) | ExprKind::Negative(a) | ExprKind::PieceOf(a) => is_constant(a),
        ExprKind::IsPieceOf(a, b) => is_constant(a) && is_constant(b),
        ExprKind::Elements(all) => all.iter().all(is_constant),
        ExprKind::If(phi, a, b) => is_constant(phi) && is_constant(a) && is_constant(b),
        _ => false,
    }
}

/// Whether a heap of a replacement is a difference with the slot as subtrahend.
fn takes(e: &Expr, slot: Slot) -> bool {
    match &*e.kind {
        ExprKind::Elements(all) => all.iter().any(|e| takes(e, slot)),
        ExprKind::Binary(Op::Subtract, _, b) => {
            matches!(&*b.kind, ExprKind::Slot(s) if *s == slot)
        }
        _ => false,
    }
}

/// Whether the replacement is a single heap, so that subtracting 0 changes nothing.
fn one_heap(e: &Expr) -> bool {
    matches!(&*e.kind, ExprKind::Elements(all) if all.len() == 1)
}

fn zero_in(e: &Expr) -> bool {
    match &*e.kind {
        ExprKind::Elements(all) => all
            .iter()
            .any(|e| matches!(&*e.kind, ExprKind::Integer(n) if n.is_zero())),
        ExprKind::Binary(Op::Range, a, _) => {
            matches!(&*a.kind, ExprKind::Integer(n) if n.is_zero())
        }
        _ => false,
    }
}

/// The slots of a stage whose value is subtracted from a heap.
fn taken<'e>(binders: &'e [Binder], effects: &[Effect]) -> Vec<(&'e Expr, Slot)> {
    binders
        .iter()
        .filter_map(|b| match &b.kind {
            BinderKind::In(places, over) => match &places[..] {
                [Place::New(slot)] => Some((over, *slot)),
                _ => None,
            },
            _ => None,
        })
        .filter(|(_, slot)| {
            effects.iter().any(|e| match &e.kind {
                EffectKind::Replace { heaps, .. } => one_heap(heaps) && takes(heaps, *slot),
                _ => false,
            })
        })
        .collect()
}

fn warn(checker: &mut Checker<'_>, at: &Expr) {
    checker.report(
        Diagnostic::warning(Code::W0803, "taking 0 is a move to the same position")
            .at(at.span, "0 is among the numbers that may be taken")
            .suggest_if(match &*at.kind {
                ExprKind::Binary(Op::Range, low, _) => Some(Suggestion::replace(
                    low.span,
                    "1",
                    "leave 0 out: begin with 1",
                )),
                _ => None,
            })
            .note("a game that need not change does not end"),
    );
}

/// Warns of 0 in a set of a rule whose elements are subtracted.
pub(super) fn zero_taken(checker: &mut Checker<'_>, binders: &[Binder], effects: &[Effect]) {
    let zero: Vec<Expr> = taken(binders, effects)
        .into_iter()
        .filter(|(over, _)| matches!(&*over.kind, ExprKind::Elements(_)) && zero_in(over))
        .map(|(over, _)| over.clone())
        .collect();
    for over in &zero {
        warn(checker, over);
    }
}

/// Warns of 0 in a set passed to a ruleset that subtracts its elements.
pub(super) fn zero_given(checker: &mut Checker<'_>, rules: &Ruleset, arguments: &[Expr]) {
    for (i, argument) in arguments.iter().enumerate() {
        if !zero_in(argument) {
            continue;
        }
        let parameter = u32::try_from(i).map(Slot).ok();
        let is_taken = rules.moves.iter().flat_map(|m| &m.stages).any(|s| {
            taken(&s.binders, &s.effects)
                .iter()
                .any(|(over, _)| matches!(&*over.kind, ExprKind::Slot(s) if Some(*s) == parameter))
        });
        if is_taken {
            warn(checker, argument);
        }
    }
}

/// Warns of a definition with the name of a board.
pub(super) fn hides(checker: &mut Checker<'_>, name: &Ident) {
    let row = super::builtins::find(&name.text);
    if matches!(
        row.map(|r| r.what),
        Some(What::Function(Builtin::Construct(_)))
    ) {
        checker.report(
            Diagnostic::warning(
                Code::W0808,
                format!("`{}` is the name of a board of the language", name.text),
            )
            .at(
                name.span,
                "in this file it means this definition from now on",
            )
            .help("take another name"),
        );
    }
}

/// Warns of a move that can be made again and again, each time to a larger position.
pub(super) fn grows(checker: &mut Checker<'_>, m: &Move) {
    if let Some(span) = super::growth::of_move(m) {
        checker.report(
            Diagnostic::warning(
                Code::W0805,
                "play cannot be shown to end: this move only makes the position larger",
            )
            .at(span, "larger than before, each time")
            .help("let it decrease something, or bound what grows: `where n < 10`"),
        );
    }
}

/// Warns of a clause that ends play and never decides: the conditions of an earlier one hold whenever its own do.
pub(super) fn never_decides(checker: &mut Checker<'_>, rules: &ast::Ruleset, ends: &[EndClause]) {
    let mut earlier: Vec<(Span, &str, Vec<String>)> = Vec::new();
    for end in ends {
        let written = rules.clauses.iter().find_map(|c| match &c.kind {
            ast::ClauseKind::End(e) if c.span == end.span => Some(e.clone()),
            _ => None,
        });
        let Some(mut written) = written else { continue };
        // The players that a clause goes through have one name in all of them.
        if let (By::Each(_), Some(player)) = (&end.player, &written.player) {
            let player = player.clone();
            let mut rename = Names(|name: &mut Ident| {
                if *name == player {
                    name.text = "player".into();
                }
            });
            for c in &mut written.conditions {
                of_expr(c, &mut rename);
            }
        }
        let conditions: Vec<String> = written.conditions.iter().map(print_expr).collect();
        let first = earlier
            .iter()
            .find(|(_, _, all)| all.iter().all(|c| conditions.contains(c)));
        match first {
            Some((span, word, _)) => checker.report(
                Diagnostic::warning(Code::W0809, "this clause never decides")
                    .at(end.span, "whenever it holds, the earlier clause holds, too")
                    .at(
                        *span,
                        "the earlier clause: the first one that holds decides",
                    )
                    .help(format!(
                        "leave out one of the two, an inherited one by `without {word}`"
                    )),
            ),
            None => earlier.push((end.span, end.kind.word(), conditions)),
        }
    }
}

/// Whether an expression has the same value before and after every move.
fn lasting(e: &Expr) -> bool {
    match &*e.kind {
        ExprKind::Slot(_) => true,
        ExprKind::PieceOf(a) => lasting(a),
        ExprKind::Cell(parts) => parts.iter().all(lasting),
        _ => is_constant(e),
    }
}

/// Warns of a move that may be made forever: it has no condition, chooses among sites that no effect removes, and only
/// sets values that do not depend on the position. Made a second time with the same choice it changes nothing.
pub(super) fn repeated(checker: &mut Checker<'_>, written: &ast::Stage, stage: &Stage) {
    let chosen = stage.binders.iter().all(|b| {
        matches!(
            b.kind,
            BinderKind::Sites(..)
                | BinderKind::Edges(_)
                | BinderKind::Pieces(_)
                | BinderKind::Arcs(..)
                | BinderKind::Lines(..)
        )
    });
    let sets = stage.effects.iter().all(|e| match &e.kind {
        EffectKind::Set(Target::At(site), value) => lasting(site) && lasting(value),
        EffectKind::Set(Target::State(_, arguments), value) => {
            arguments.iter().all(lasting) && lasting(value)
        }
        _ => false,
    });
    if !chosen || !sets || !stage.conditions.is_empty() || stage.effects.is_empty() {
        return;
    }
    let (Some(binder), Some(effect)) = (written.binders.last(), written.effects.first()) else {
        return;
    };
    let ast::EffectKind::Assign(target, _, value) = &effect.kind else {
        return;
    };
    let target = print_expr(target);
    let condition = match &stage.effects[0].kind {
        EffectKind::Set(Target::At(_), _) if !matches!(&*value.kind, ast::ExprKind::Name(n) if &*n.text == "empty") =>
        {
            format!("{target} = empty")
        }
        _ => format!("{target} != {}", print_expr(value)),
    };
    checker.report(
        Diagnostic::warning(
            Code::W0807,
            "repeating this move changes nothing, so play need not end",
        )
        .at(stage.span, "nothing keeps it from being made for ever")
        .suggest(Suggestion::between(
            binder.span,
            effect.span,
            "then",
            format!("where {condition} then"),
            format!("say when it may be made: `where {condition}`"),
        )),
    );
}
