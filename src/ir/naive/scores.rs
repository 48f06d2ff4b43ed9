//! The score of a position at which the player to move cannot move: Left's points minus Right's, by the clause `score` of
//! each term. In a negated term the players exchange their roles, and its points have the opposite sign.

use crate::banked::within;
use crate::base::Span;
use crate::eval::{Evaluator, Frame, Scope};
use crate::fault::Res;
use crate::game::Player;
use crate::position::{Position, Term};
use crate::val::Val;

/// The score of a position at which a player is stuck.
///
/// # Errors
/// A fault of a clause; a limit.
pub fn score(ev: &Evaluator<'_>, position: &Position, stuck: Player) -> Res<i64> {
    let mut sum = Some(0i64);
    for term in position.terms() {
        let own = score_of(ev, term, stuck)?;
        let own = own.checked_mul(term.count.to_i64().unwrap_or(i64::MAX));
        sum = sum.zip(own).and_then(|(a, b)| a.checked_add(b));
    }
    within(sum, Span::default())
}

fn score_of(ev: &Evaluator<'_>, term: &Term, stuck: Player) -> Res<i64> {
    let instance = &term.setting.instance;
    let Some(score) = &instance.rules.score else {
        return Ok(0);
    };
    let stuck = match term.negated {
        true => stuck.opponent(),
        false => stuck,
    };
    let mut frame = Frame::new(instance.rules_arguments.iter().cloned());
    if let Some(slot) = score.stuck {
        frame.set(slot, Val::Player(stuck.0));
    }
    let scope = Scope::at(&term.setting, &term.state);
    let points = ev.integer(&score.points, &mut frame, scope)?;
    let points = within(points.to_i64(), score.span)?;
    Ok(if term.negated { -points } else { points })
}
