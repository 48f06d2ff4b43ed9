//! What is known of a loopy value, as plain data: for `cgdsl value`, cards and explanations.

use super::decided::outcome_of;
use super::host::Answerer;
use super::loopy::halted;
use crate::base::Span;
use crate::engine::arena::Fate;
use crate::game::Player;
use crate::ir::{Outcome, Res, Val, draw};
use crate::value::loopy::{Loopy, Side};
use serde::Serialize;

/// What is known of a loopy value.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct LoopyValued {
    /// As written.
    pub expression: String,
    /// The value: a stopper, or two sides.
    pub value: String,
    /// `L-position` and so on, one of nine.
    pub outcome: String,
    /// Whether it is a stopper's.
    pub stopper: bool,
    /// The side in which Left wins infinite play; not there where no stopper is equal to it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub onside: Option<String>,
    /// The side in which Right wins infinite play.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub offside: Option<String>,
    /// The degree of loopiness.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub degree: Option<String>,
    /// Left's options in canonical form, of a stopper.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub left_options: Option<Vec<String>>,
    /// Right's options in canonical form, of a stopper.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub right_options: Option<Vec<String>>,
    /// How many positions of the canonical form are no short games, of both sides.
    pub positions: [usize; 2],
    /// How it compares with another value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub comparison: Option<LoopyComparison>,
}

/// How two values compare.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct LoopyComparison {
    /// The other one, as written.
    pub with: String,
    /// The other one.
    pub value: String,
    /// `=`, `<`, `>` or `||`.
    pub relation: &'static str,
    /// The first less the second.
    pub difference: String,
}

/// The outcome of a loopy value.
///
/// # Errors
/// A limit.
pub(super) fn outcome(answerer: &Answerer<'_>, g: Loopy, span: Span) -> Res<Outcome> {
    let solver = answerer.solver();
    let mut loops = solver.knots.loops.borrow_mut();
    let who = loops.outcome(solver.forms(), g);
    let fate = |left: Option<bool>| match left {
        Some(true) => Fate::Won(Player::LEFT),
        Some(false) => Fate::Won(Player::RIGHT),
        None => Fate::Drawn,
    };
    Ok(outcome_of(who.map_err(halted(solver, span))?.map(fate)))
}

/// What is known of a loopy value, and how it compares with another.
///
/// # Errors
/// A limit.
pub fn loopy_valued(
    answerer: &Answerer<'_>,
    expression: &str,
    g: Loopy,
    other: Option<(&str, Loopy)>,
) -> Res<LoopyValued> {
    let (solver, span) = (answerer.solver(), Span::default());
    let forms = solver.forms();
    let halt = halted(solver, span);
    let outcome = outcome(answerer, g, span)?;
    let one = |side: Side| -> Option<String> {
        let found = solver.knots.loops.borrow().is_found(side);
        found.then(|| answerer.print_loopy(Loopy::of(side)))
    };
    let (onside, offside) = (one(g.onside), one(g.offside));
    // A limit here leaves the rest as it is.
    let degree = solver.knots.loops.borrow_mut().degree(forms, g).ok();
    let degree = degree.and_then(one);
    let stopper = solver.knots.loops.borrow().is_stopper(g);
    let options = match stopper {
        true => {
            let options = solver.knots.loops.borrow_mut().options(forms, g.onside);
            let show = |list: Vec<Side>| -> Vec<String> {
                let mut all: Vec<String> = list
                    .into_iter()
                    .map(|s| match s == g.onside {
                        true => "pass".to_owned(),
                        false => answerer.print_loopy(Loopy::of(s)),
                    })
                    .collect();
                all.sort();
                all
            };
            Some(options.map_err(&halt)?.map(show))
        }
        false => None,
    };
    let comparison = match other {
        None => None,
        Some((with, h)) => {
            let mut loops = solver.knots.loops.borrow_mut();
            let below = loops.less_or_equal(forms, g, h).map_err(&halt)?;
            let above = loops.less_or_equal(forms, h, g).map_err(&halt)?;
            let difference = loops.subtract(forms, g, h).map_err(&halt)?;
            drop(loops);
            Some(LoopyComparison {
                with: with.to_owned(),
                value: answerer.print_loopy(h),
                relation: match (below, above) {
                    (true, true) => "=",
                    (true, false) => "<",
                    (false, true) => ">",
                    (false, false) => "||",
                },
                difference: answerer.print_loopy(difference),
            })
        }
    };
    let loops = solver.knots.loops.borrow();
    let positions = [loops.size(g.onside), loops.size(g.offside)];
    drop(loops);
    let [left_options, right_options] = match options {
        Some([left, right]) => [Some(left), Some(right)],
        None => [None, None],
    };
    Ok(LoopyValued {
        expression: expression.to_owned(),
        value: answerer.print_loopy(g),
        outcome: draw::value(&Val::Outcome(outcome), None),
        stopper,
        onside,
        offside,
        degree,
        left_options,
        right_options,
        positions,
        comparison,
    })
}
