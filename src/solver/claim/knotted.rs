//! The facts about a loopy value, as plain data for `cgdsl value`, cards and explanations; and witnesses of sides.

use super::decided::outcome_of;
use super::host::Answerer;
use super::loopy::halted;
use super::solve::Solver;
use crate::base::Span;
use crate::engine::arena::Fate;
use crate::game::Player;
use crate::ir::{Code as FaultCode, Fault, Outcome, Position, Res, Val, draw};
use crate::value::loopy::{Loopy, Side};
use crate::verify::{SIDES_THEOREM, SidesWitness, VERSION, Vertices};
use rustc_hash::FxHashMap;
use serde::Serialize;
use std::sync::Arc;

/// The most positions of a witness.
const MOST_POSITIONS: usize = 200_000;

/// The facts about a loopy value.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct LoopyValued {
    /// The expression, as written.
    pub expression: String,
    /// The value: a stopper, or two sides.
    pub value: String,
    /// `L-position` and so on, one of nine.
    pub outcome: String,
    /// Whether it is the value of a stopper.
    pub stopper: bool,
    /// The side in which Left wins infinite play; `None` if it equals no stopper.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub onside: Option<String>,
    /// The side in which Right wins infinite play; `None` if it equals no stopper.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub offside: Option<String>,
    /// The degree of loopiness.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub degree: Option<String>,
    /// Left's options in canonical form, if the value is a stopper.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub left_options: Option<Vec<String>>,
    /// Right's options in canonical form, if the value is a stopper.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub right_options: Option<Vec<String>>,
    /// For the onside and the offside, the number of positions in canonical form that are not short games.
    pub positions: [usize; 2],
    /// The comparison with another value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub comparison: Option<LoopyComparison>,
}

/// The comparison of two values.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct LoopyComparison {
    /// The other expression, as written.
    pub with: String,
    /// The other value.
    pub value: String,
    /// `=`, `<`, `>` or `||`.
    pub relation: &'static str,
    /// The first minus the second.
    pub difference: String,
}

/// The outcome of a loopy value.
///
/// # Errors
/// A limit.
pub(super) fn outcome(answerer: &Answerer<'_>, g: Loopy, span: Span) -> Res<Outcome> {
    fates(answerer.solver(), g, span).map(outcome_of)
}

/// Who wins a loopy value, by who begins.
///
/// # Errors
/// A limit.
pub(super) fn fates(solver: &Solver, g: Loopy, span: Span) -> Res<[Fate; 2]> {
    let mut loops = solver.knots.loops.borrow_mut();
    let who = loops.outcome(solver.forms(), g);
    let fate = |left: Option<bool>| match left {
        Some(true) => Fate::Won(Player::LEFT),
        Some(false) => Fate::Won(Player::RIGHT),
        None => Fate::Drawn,
    };
    Ok(who.map_err(halted(solver, span))?.map(fate))
}

/// The facts about a loopy value, and its comparison with another.
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
    // A limit here only omits the degree.
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

/// A witness of the value of a position: all its followers, and the sides as graphs.
///
/// # Errors
/// As for the value; more positions than a witness can have; no side equals a stopper.
pub fn sides_witness(
    answerer: &Answerer<'_>,
    name: &str,
    start: &Arc<Position>,
) -> Res<SidesWitness> {
    let (solver, span) = (answerer.solver(), Span::default());
    let value = solver.loopy(start, span)?;
    let too_much = |what: String| Fault::new(FaultCode::TooMuch, span, what);
    let mut numbers = FxHashMap::from_iter([(start.clone(), 0u32)]);
    let mut all = vec![start.clone()];
    let mut game: Vertices = Vec::new();
    while let Some(position) = all.get(game.len()).cloned() {
        let mut lists = [Vec::new(), Vec::new()];
        for (list, player) in lists.iter_mut().zip([Player::LEFT, Player::RIGHT]) {
            for moved in solver.moves(&position, player)? {
                let next = Arc::new(moved.position);
                let to = *numbers.entry(next.clone()).or_insert_with(|| {
                    all.push(next);
                    all.len() as u32 - 1
                });
                list.push(to);
            }
            list.sort_unstable();
            list.dedup();
        }
        game.push(lists);
        if all.len() > MOST_POSITIONS {
            let what =
                format!("more than {MOST_POSITIONS} positions follow: no witness is written");
            return Err(too_much(what));
        }
    }
    // If the rules say who wins infinite play, the value is that side alone.
    let endless = |player: Player| start.terms().iter().any(|t| t.endless() == Some(player));
    let (left, right) = (endless(Player::LEFT), endless(Player::RIGHT));
    let side = |side: Side, wanted: bool| -> Res<Option<Vertices>> {
        let found = solver.knots.loops.borrow().is_found(side);
        match wanted && found {
            true => as_graph(answerer, side).map(Some),
            false => Ok(None),
        }
    };
    let (onside, offside) = (side(value.onside, !right)?, side(value.offside, !left)?);
    if onside.is_none() && offside.is_none() {
        let what = "no stopper is equal to a side: there is nothing to witness";
        return Err(Fault::new(FaultCode::NoTheory, span, what));
    }
    let mut witness = SidesWitness {
        cgdsl_sides_witness: VERSION,
        name: name.to_owned(),
        theorem: SIDES_THEOREM.to_owned(),
        game,
        onside,
        offside,
        hash: String::new(),
    };
    witness.hash = witness.right_hash();
    Ok(witness)
}

/// A stopper with all its followers, including short games.
fn as_graph(answerer: &Answerer<'_>, side: Side) -> Res<Vertices> {
    let (solver, span) = (answerer.solver(), Span::default());
    let mut numbers = FxHashMap::from_iter([(side, 0u32)]);
    let mut all = vec![side];
    let mut graph: Vertices = Vec::new();
    while let Some(&at) = all.get(graph.len()) {
        if all.len() > MOST_POSITIONS {
            let what =
                format!("a side has more than {MOST_POSITIONS} followers: no witness is written");
            return Err(Fault::new(FaultCode::TooMuch, span, what));
        }
        let options = solver.knots.loops.borrow_mut().options(solver.forms(), at);
        graph.push(options.map_err(halted(solver, span))?.map(|list| {
            let mut list: Vec<u32> = list
                .into_iter()
                .map(|to| {
                    *numbers.entry(to).or_insert_with(|| {
                        all.push(to);
                        all.len() as u32 - 1
                    })
                })
                .collect();
            list.sort_unstable();
            list
        }));
    }
    Ok(graph)
}
