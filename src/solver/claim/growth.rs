//! Refuses positions from which play grows without an end in sight, so that no search starts on them. The fault shows the
//! line of play.
//!
//! [`growth::of_rules`] finds, by their text, rules with a move that only makes positions larger. Here such rules are tried:
//! from the position on, the largest option is taken again and again, as long as it is larger than the position.

use crate::base::Span;
use crate::game::{Cancel, Player};
use crate::ir::{
    Code as FaultCode, Evaluator, Fault, Int, NoHost, Position, Res, Val, draw, naive,
};
use crate::model::growth;
use crate::model::typed::Model;
use num_bigint::BigInt;

/// The number of moves, each to a larger position, after which play counts as growing.
const MOVES: usize = 200;
/// The number of positions of the line that are shown.
const SHOWN: usize = 4;

/// The sum of all heaps and counts.
fn size(position: &Position) -> BigInt {
    let int = |n: &Int| n.to_big();
    let mut sum = BigInt::default();
    for term in position.terms() {
        sum += term.state.heaps.iter().flatten().map(int).sum::<BigInt>();
        for v in &term.state.vars {
            if let Val::Int(n) = v {
                sum += n.to_big();
            }
        }
    }
    sum
}

/// The largest option of any player, if it is larger than the position.
fn larger(ev: &Evaluator<'_>, position: &Position) -> Res<Option<Position>> {
    let mut best: Option<(BigInt, Position)> = None;
    let before = size(position);
    for player in (0..position.players()).map(Player) {
        for moved in naive::moves(ev, position, player)? {
            let now = size(&moved.position);
            if now > before && best.as_ref().is_none_or(|(most, _)| now > *most) {
                best = Some((now, moved.position));
            }
        }
    }
    Ok(best.map(|(_, position)| position))
}

/// Refuses a position from which play grows.
///
/// # Errors
/// `Grows`, with the line of play.
pub fn refuse(model: &Model, position: &Position, cancel: &Cancel, span: Span) -> Res<()> {
    for term in position.terms() {
        let Some(place) = growth::of_rules(&term.setting.instance.rules) else {
            continue;
        };
        let ev = Evaluator::new(model, &NoHost).with_cancel(cancel.clone());
        let start = Position::single(term.setting.clone(), term.state.clone());
        let mut line = vec![draw::short(&start)];
        let mut here = start;
        for moves in 1..=MOVES {
            // A rule that fails is reported by the search.
            let Ok(next) = larger(&ev, &here) else {
                break;
            };
            let Some(next) = next else {
                break;
            };
            if line.len() < SHOWN {
                line.push(draw::short(&next));
            }
            here = next;
            if moves == MOVES {
                let mut fault = Fault::new(
                    FaultCode::Grows,
                    span,
                    format!(
                        "play grows: {MOVES} moves, each to a larger position, did not end it: {}, ..",
                        line.join(", ")
                    ),
                )
                .help("a value exists only if every line of play ends; let each move decrease something, such as the size of a heap or a count");
                fault
                    .labels
                    .push((place, "this makes the position larger".to_owned()));
                return Err(fault);
            }
        }
    }
    Ok(())
}
