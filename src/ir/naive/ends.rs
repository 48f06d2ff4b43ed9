//! The end of play by a clause of the rules: maps a position and the last mover to the result, if play has ended.
//!
//! The clauses of each term are checked in the order of the text. In `win p`, p is first the last mover, then each other
//! player in the order of turns. The first clause that holds ends the whole sum. Before the first move, players are tried
//! in their order, and these are faults: a clause that can only mean the last mover, and terms that have ended differently.

use crate::base::Span;
use crate::eval::{Evaluator, Frame, Scope};
use crate::fault::{Code, Fault, Res};
use crate::game::{End, Player};
use crate::instance::Setting;
use crate::model::typed::{By, EndClause, EndKind};
use crate::position::{Position, State};
use crate::val::Val;
use std::sync::Arc;

/// The result of play, if a clause ends it at a position.
///
/// # Errors
/// A fault of a clause; a limit.
pub fn ended(ev: &Evaluator<'_>, position: &Position, last: Option<Player>) -> Res<Option<End>> {
    let mut found: Option<(End, Span)> = None;
    for term in position.terms() {
        let by = match term.negated {
            true => last.map(Player::opponent),
            false => last,
        };
        let Some((end, span)) = first_end(ev, &term.setting, &term.state, by)? else {
            continue;
        };
        let end = match (end, term.negated) {
            (End::Won(who), true) => End::Won(exchanged(who)),
            (end, _) => end,
        };
        match found {
            None if last.is_some() => return Ok(Some(end)),
            None => found = Some((end, span)),
            Some((other, at)) if other != end => {
                return Err(two_ends(position, (other, at), (end, span)));
            }
            Some(_) => {}
        }
    }
    Ok(found.map(|(end, _)| end))
}

/// The fault of a sum of which two terms have ended before the first move, with different results.
fn two_ends(position: &Position, one: (End, Span), other: (End, Span)) -> Box<Fault> {
    let said = |end| match end {
        End::Drawn => "it is a draw".to_owned(),
        End::Won(who) => {
            let players = (0..position.players().min(64)).filter(|p| who >> p & 1 == 1);
            let names: Vec<String> = players
                .map(|p| position.player_name(Player(p)).to_string())
                .collect();
            let have = if names.len() == 1 { "has" } else { "have" };
            format!("{} {have} won", names.join(" and "))
        }
    };
    let fault = Fault::new(
        Code::NobodyMoved,
        other.1,
        format!(
            "two parts of this sum have ended before the first move: in one {}, in the other {}",
            said(one.0),
            said(other.0)
        ),
    )
    .help("a clause that ends play ends the whole sum, so begin where at most one part has ended");
    match one.1 == other.1 {
        true => fault,
        false => fault.label(one.1, "this clause has ended the other part"),
    }
}

/// A set of two players after they exchange roles.
fn exchanged(who: u64) -> u64 {
    (who & 1) << 1 | (who >> 1 & 1)
}

/// The result of play, if a clause of one ruleset ends it.
///
/// # Errors
/// A fault of a clause; a limit.
pub fn ended_in(
    ev: &Evaluator<'_>,
    setting: &Arc<Setting>,
    state: &State,
    last: Option<Player>,
) -> Res<Option<End>> {
    let found = first_end(ev, setting, state, last)?;
    Ok(found.map(|(end, _)| end))
}

/// The result by the first clause that holds, and its place.
fn first_end(
    ev: &Evaluator<'_>,
    setting: &Arc<Setting>,
    state: &State,
    last: Option<Player>,
) -> Res<Option<(End, Span)>> {
    let instance = &setting.instance;
    let players = u8::try_from(instance.players.len()).unwrap_or(u8::MAX);
    let first = last.map_or(0, |p| p.0);
    for clause in &instance.rules.ends {
        let of: Vec<u8> = match &clause.player {
            By::Each(_) if clause.uses_player => {
                (0..players).map(|i| (first + i) % players).collect()
            }
            By::Each(_) => vec![first],
            By::One(p) => vec![*p],
            By::Anyone => vec![0],
        };
        for player in of {
            if holds(ev, setting, state, clause, player, last)? {
                let all = u64::MAX >> (64 - u32::from(players.clamp(1, 64)));
                let own = 1u64 << (player & 63);
                let end = match clause.kind {
                    EndKind::Win => End::Won(own),
                    EndKind::Lose => End::Won(all & !own),
                    EndKind::Draw => End::Drawn,
                };
                return Ok(Some((end, clause.span)));
            }
        }
    }
    Ok(None)
}

fn holds(
    ev: &Evaluator<'_>,
    setting: &Arc<Setting>,
    state: &State,
    clause: &EndClause,
    player: u8,
    last: Option<Player>,
) -> Res<bool> {
    let mut frame = Frame::new(setting.instance.rules_arguments.iter().cloned());
    if let By::Each(slot) = &clause.player {
        frame.set(*slot, Val::Player(player));
    }
    if let Some(slot) = clause.mover {
        frame.set(slot, Val::Player(last.map_or(player, |p| p.0)));
    }
    let scope = Scope::at(setting, state);
    for condition in &clause.conditions {
        if !ev.truth(condition, &mut frame, scope)? {
            return Ok(false);
        }
    }
    let of_mover =
        clause.mover.is_some() || matches!(clause.player, By::Each(_)) && !clause.uses_player;
    if of_mover && last.is_none() {
        return Err(Fault::new(
            Code::NobodyMoved,
            clause.span,
            "play would have ended before the first move, and the clause says only for whoever has moved",
        )
        .help("begin at a position that does not meet the clause, or name the player in its condition"));
    }
    Ok(true)
}
