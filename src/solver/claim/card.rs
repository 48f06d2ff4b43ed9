//! The card of a position: its values and best moves from an engine, and the facts about its players from the rules.

use super::algebra::memory;
use super::answer::{BestMoves, Card, Coalitions, Fact, Move, OptionCount, Picture, PlayerNote};
use super::decided::DecidedMove;
use super::fault::{comes_again, with_reason};
use super::figure::figure;
use super::host::{Answerer, LOONY};
use super::many::Winner;
use super::solve::Solver;
use super::theory;
use crate::base::Span;
use crate::engine::affine::Affine;
use crate::engine::arena::{Fate, Played};
use crate::game::{Convention, Player};
use crate::ir::naive::Moved;
use crate::ir::{Code as FaultCode, Evaluator, Fault, Instance, Position, Res, Scope, Val, draw};
use crate::model::typed::{ExprKind, FunctionBody, Model, Owners};
use crate::value::CanonicalForm;
use std::sync::Arc;

/// The most best moves of a player that a card shows.
const SHOWN: usize = 4;

/// The most options that a card lists, if their number is known without listing them.
const LISTED: usize = 1000;

/// Draws a position.
#[must_use]
pub fn picture(position: &Position) -> Picture {
    Picture {
        text: draw::short(position),
        drawing: drawing(position),
        figure: figure(position).ok().map(Arc::new),
    }
}

/// The lines of a drawing in text.
#[must_use]
pub fn drawing(position: &Position) -> Vec<String> {
    let drawing = draw::picture(position);
    drawing.lines().map(|l| l.trim_end().to_owned()).collect()
}

fn players(model: &Model, answerer: &Answerer<'_>, position: &Position) -> Vec<PlayerNote> {
    (0..position.players())
        .map(|p| {
            let mut note = PlayerNote {
                name: position.player_name(Player(p)).to_string(),
                pieces: Vec::new(),
                shared: Vec::new(),
                marks: Vec::new(),
            };
            for term in position.terms() {
                // In a negative, the players exchange their roles.
                let p = if term.negated {
                    Player(p).opponent().0
                } else {
                    p
                };
                of_instance(&mut note, model, answerer, &term.setting.instance, p);
            }
            note.pieces.dedup();
            note.shared.dedup();
            note.marks.dedup();
            note
        })
        .collect()
}

fn of_instance(
    note: &mut PlayerNote,
    model: &Model,
    answerer: &Answerer<'_>,
    instance: &Instance,
    p: u8,
) {
    for piece in &instance.pieces {
        let name = piece.name.to_string();
        match &piece.owners {
            // Everyone may make everyone's moves.
            Owners::These(list) if instance.everyone && !list.is_empty() => note.shared.push(name),
            Owners::These(list) if list.iter().all(|q| *q == p) && !list.is_empty() => {
                note.pieces.push(name)
            }
            Owners::These(list) if list.contains(&p) => note.shared.push(name),
            Owners::Anyone => note.shared.push(name),
            Owners::These(_) => {}
        }
    }
    if instance.everyone {
        return;
    }
    // Tables over the players hold their other attributes: `along(Left) = south`.
    for function in &model.functions {
        if function.in_ruleset != Some(instance.rules_id) || function.parameters.len() != 1 {
            continue;
        }
        let FunctionBody::Table(rows) = &function.body else {
            continue;
        };
        for (constants, value) in rows {
            let [constant] = &constants[..] else { continue };
            if !matches!(&*constant.kind, ExprKind::Player(q) if *q == p) {
                continue;
            }
            let ev = Evaluator::new(model, answerer).with_steps(1000);
            let scope = Scope {
                instance: Some(instance),
                ..Scope::default()
            };
            let mut frame = crate::ir::Frame::new(instance.rules_arguments.iter().cloned());
            // Pieces are named above.
            if let Ok(v) = ev.eval(value, &mut frame, scope)
                && !matches!(v, Val::Piece(_))
            {
                note.marks.push(format!(
                    "{} = {}",
                    function.name,
                    draw::value(&v, Some(instance))
                ));
            }
        }
    }
    note.marks.sort();
}

/// The card of a position. It omits what a limit leaves unknown, and names the limit.
///
/// # Errors
/// A rule that fails.
pub fn card(
    answerer: &Answerer<'_>,
    model: &Model,
    expression: &str,
    position: &Arc<Position>,
    span: Span,
) -> Res<Card> {
    let mut card = Card {
        expression: expression.to_owned(),
        picture: picture(position),
        players: players(model, answerer, position),
        ..Card::default()
    };
    let filled = fill(answerer, &mut card, position, span);
    match filled {
        Err(fault) if fault.code.is_limit() => {
            let fault = with_reason(fault, &answerer.solver().cancel);
            card.limit = Some(fault.message);
        }
        other => other?,
    }
    Ok(card)
}

fn fill(answerer: &Answerer<'_>, card: &mut Card, position: &Arc<Position>, span: Span) -> Res<()> {
    let solver = answerer.solver();
    // Values, outcomes and best moves are for two players; other numbers of players have coalitions.
    let two = position.players() == 2;
    let heaps = match two {
        true => solver.heaps_options(position, SHOWN, span)?,
        false => None,
    };
    let unlisted = heaps.is_none() && solver.has_too_many_options(position);
    for p in (0..position.players()).filter(|_| !unlisted) {
        let player = Player(p);
        card.options.push(OptionCount {
            player: position.player_name(player).to_string(),
            count: match (&heaps, solver.option_count(position)) {
                (Some((count, ..)), _) => usize::try_from(*count).unwrap_or(usize::MAX),
                (None, Some(n)) if n > LISTED => n,
                _ => solver.moves(position, player)?.len(),
            },
        });
    }
    // The value may be found where the ground moves do not fit into memory.
    match solver.derived(position, false) {
        Err(fault) if solver.cancel.is_cancelled() => return Err(fault),
        derived => card.derived = derived.unwrap_or_default(),
    }
    if !two {
        for p in 0..position.players() {
            let first = Player(p);
            let name = |p: Player| position.player_name(p).to_string();
            let minimal = solver.coalitions(position, first, span)?;
            let winner = solver.winner(position, first, span)?;
            card.coalitions.push(Coalitions {
                first: name(first),
                winner: winner.only().map(name),
                drawn: winner == Winner::Drawn,
                minimal: minimal
                    .into_iter()
                    .map(|c| c.into_iter().map(name).collect())
                    .collect(),
            });
        }
        return Ok(());
    }
    // The outcome is cheaper than the value, so it may be known even if the value reaches a limit.
    card.outcome = Some(draw::value(
        &Val::Outcome(solver.outcome(position, span)?),
        None,
    ));
    if position.convention() == Convention::Scoring {
        let left = solver.score(position, Player::LEFT, span)?;
        let right = solver.score(position, Player::RIGHT, span)?;
        card.score = Some(format!("{left} | {right}"));
        solver.scores_in_sums(card, position);
    }
    if solver.is_decided(position) {
        decided(card, solver, position, span)?;
        return affine(card, answerer, position, span);
    }
    let value = match solver.value(position, span) {
        Err(fault) if comes_again(&fault) => return loopy(card, answerer, position, span),
        value => value?,
    };
    let forms = solver.forms();
    card.value = Some(answerer.print(value));
    card.nimber = forms.as_nimber(value).map(|n| format!("*{n}")).map(|n| {
        // In the usual notation: 0, *, *2, ..
        match n.as_str() {
            "*0" => "0".to_owned(),
            "*1" => "*".to_owned(),
            _ => n,
        }
    });
    card.left_stop = Some(forms.left_stop(value).to_string());
    card.right_stop = Some(forms.right_stop(value).to_string());
    card.mean = Some(forms.mean(value).map_err(memory(span))?.to_string());
    card.temperature = Some(forms.temperature(value).map_err(memory(span))?.to_string());
    if unlisted || solver.option_count(position).is_some_and(|n| n > LISTED) {
        return Ok(());
    }
    if let Some((_, winning, first)) = heaps {
        let zero = answerer.print(CanonicalForm::ZERO);
        for player in [Player::LEFT, Player::RIGHT] {
            if winning > 0 {
                card.best.push(BestMoves {
                    player: position.player_name(player).to_string(),
                    count: usize::try_from(winning).unwrap_or(usize::MAX),
                    moves: first
                        .iter()
                        .map(|p| Move {
                            picture: picture(p),
                            change: None,
                            value: Some(zero.clone()),
                            fate: None,
                            best: true,
                        })
                        .collect(),
                });
            }
        }
        return Ok(());
    }
    for player in [Player::LEFT, Player::RIGHT] {
        let best = solver.best_moves(position, player, span)?;
        if best.is_empty() {
            continue;
        }
        let mut shown = Vec::new();
        for moved in best.iter().take(SHOWN) {
            shown.push(Move {
                picture: picture(&moved.position),
                change: draw::change(position, &moved.position),
                value: Some(answerer.print(solver.value(&moved.position, span)?)),
                fate: None,
                best: true,
            });
        }
        card.best.push(BestMoves {
            player: position.player_name(player).to_string(),
            count: best.len(),
            moves: shown,
        });
    }
    Ok(())
}

/// Fills in the value of a position from which play can go on for ever, and who wins after each move.
fn loopy(
    card: &mut Card,
    answerer: &Answerer<'_>,
    position: &Arc<Position>,
    span: Span,
) -> Res<()> {
    let solver = answerer.solver();
    decided(card, solver, position, span)?;
    match solver.loopy_with_extent(position, span) {
        Ok((value, extent)) => {
            card.value = Some(answerer.print_loopy(value));
            card.derived
                .push(Fact::new("theory", loopy_theory(position)));
            card.derived.push(Fact::new("play", extent));
        }
        Err(fault) if fault.code.is_limit() && !solver.cancel.is_cancelled() => {
            let text = format!("unknown: {}", fault.message);
            card.derived.push(Fact::new("value", text));
        }
        Err(fault) => return Err(fault),
    }
    if let Ok(Some(smith)) = solver.smith(position, span) {
        card.nimber = Some(smith.text(answerer.style()));
    }
    Ok(())
}

/// The sides of the value. If the rules say who wins infinite play, that side is the value.
fn loopy_theory(position: &Position) -> &'static str {
    match position.endless().filter(|_| position.agrees_on_endless()) {
        Some(Player::LEFT) => "loopy: the onside, since Left wins play without end",
        Some(_) => "loopy: the offside, since Right wins play without end",
        None => "loopy: onside and offside",
    }
}

/// Fills in the value of an impartial position whose rules have clauses that end play or keep the turn.
fn affine(
    card: &mut Card,
    answerer: &Answerer<'_>,
    position: &Arc<Position>,
    span: Span,
) -> Res<()> {
    match answerer.solver().affine(position, span) {
        Ok(None) => {}
        Ok(Some(worth)) => {
            let value = affine_text(answerer, worth)?;
            card.nimber = (worth != Affine::Loony).then(|| value.clone());
            card.value = Some(value);
        }
        Err(fault) if is_refusal(&fault) => {
            theory::without_values(&mut card.derived);
            card.derived.push(Fact::new("value", fault.message));
        }
        Err(fault) => return Err(fault),
    }
    Ok(())
}

/// Whether a fault says that the position has no value.
pub(super) fn is_refusal(fault: &Fault) -> bool {
    fault.code == FaultCode::NoTheory || comes_again(fault)
}

/// A nimber or `loony` as text.
pub(super) fn affine_text(answerer: &Answerer<'_>, worth: Affine) -> Res<String> {
    let forms = answerer.solver().forms();
    Ok(match worth {
        Affine::Loony => LOONY.to_owned(),
        Affine::Nimber(n) => answerer.print(forms.nimber(n).map_err(memory(Span::default()))?),
    })
}

/// Fills in the best moves of a position without a value: those that win soonest, else those that draw, else those that lose
/// latest.
fn decided(card: &mut Card, solver: &Solver, position: &Arc<Position>, span: Span) -> Res<()> {
    for player in [Player::LEFT, Player::RIGHT] {
        let all = solver.decided_moves(position, player, span)?;
        let best: Vec<Move> = all
            .iter()
            .filter(|m| m.best)
            .map(|m| decided_move(position, m))
            .collect();
        if !best.is_empty() {
            card.best.push(BestMoves {
                player: position.player_name(player).to_string(),
                count: best.len(),
                moves: best.into_iter().take(SHOWN).collect(),
            });
        }
    }
    Ok(())
}

/// The value of a position from which play can go on for ever, if it is known.
pub(super) fn loopy_value(answerer: &Answerer<'_>, position: &Position) -> Option<String> {
    let solver = answerer.solver();
    if solver.is_decided(position) || position.players() != 2 {
        return None;
    }
    let value = solver.loopy(position, Span::default()).ok()?;
    Some(answerer.print_loopy(value))
}

fn decided_move(from: &Position, m: &DecidedMove) -> Move {
    Move {
        picture: picture(&m.moved.position),
        change: draw::change(from, &m.moved.position),
        value: None,
        fate: Some(match m.score {
            Some(points) => format!("score {points}"),
            None => fate_in_words(from, m.played),
        }),
        best: m.best,
    }
}

/// Who wins, and in how many moves, in words.
#[must_use]
pub fn fate_in_words(position: &Position, played: Played) -> String {
    match (played.fate, played.moves) {
        (Fate::Drawn, Some(1)) => "a draw at once".to_owned(),
        (Fate::Drawn, _) => "a draw".to_owned(),
        (Fate::Won(p), Some(1)) => format!("{} wins at once", position.player_name(p)),
        (Fate::Won(p), Some(n)) => format!("{} wins in {n} moves", position.player_name(p)),
        (Fate::Won(p), None) => format!("{} wins", position.player_name(p)),
    }
}

/// The options of each player, and why not all have values or fates: a limit, or a position that comes again.
pub struct Options {
    /// For each player, in order.
    pub players: Vec<Vec<Move>>,
    /// What it leaves open is called `unknown` in the place of a fate.
    pub stopped: Option<Box<Fault>>,
}

/// The options of each player, drawn, with their values if there are two players.
///
/// # Errors
/// A rule that fails; a limit before the options are listed.
pub fn options(answerer: &Answerer<'_>, position: &Arc<Position>) -> Res<Options> {
    let solver = answerer.solver();
    let players = (0..position.players()).map(Player);
    let listed: Vec<(Player, Vec<Moved>)> = players
        .map(|player| Ok((player, solver.moves(position, player)?)))
        .collect::<Res<_>>()?;
    let mut found = Options {
        players: Vec::new(),
        stopped: None,
    };
    for (player, moves) in listed {
        let all = match &found.stopped {
            None => worths(answerer, position, player, &moves),
            Some(_) => Ok((Vec::new(), None)),
        };
        let (mut all, stopped) = match all {
            Err(why) if why.code.is_limit() || comes_again(&why) => (Vec::new(), Some(why)),
            other => other?,
        };
        found.stopped = found.stopped.or(stopped);
        // Those of which nothing was found.
        let unknown = found.stopped.as_ref().map(|_| "unknown".to_owned());
        let open = unknown.is_some() || position.players() != 2;
        let rest = moves.iter().skip(all.len()).filter(|_| open);
        let rest = rest.map(|moved| Move {
            picture: picture(&moved.position),
            change: draw::change(position, &moved.position),
            value: None,
            fate: unknown.clone(),
            best: false,
        });
        all.extend(rest);
        found.players.push(all);
    }
    Ok(found)
}

/// What is known of the options of a player, in order: of all of them, or of those before a limit, and that limit. Of none if
/// there are more than two players.
fn worths(
    answerer: &Answerer<'_>,
    position: &Arc<Position>,
    player: Player,
    moves: &[Moved],
) -> Res<(Vec<Move>, Option<Box<Fault>>)> {
    let solver = answerer.solver();
    let span = Span::default();
    if position.players() != 2 {
        return Ok((Vec::new(), None));
    }
    let shown = |moved: &Moved, value: CanonicalForm, best: bool| Move {
        picture: picture(&moved.position),
        change: draw::change(position, &moved.position),
        value: Some(answerer.print(value)),
        fate: None,
        best,
    };
    if !solver.is_decided(position) {
        let (values, failed) = solver.values_of_moves(position, player, moves, span);
        let valued = moves.iter().cloned().zip(values);
        match failed {
            None => {
                let all = solver.ranked(position, player, valued, span)?;
                return Ok((all.iter().map(|(m, v, b)| shown(m, *v, *b)).collect(), None));
            }
            Some(limit) if limit.code.is_limit() => {
                let all = valued.map(|(m, v)| shown(&m, v, false));
                // A value is not printed to its end if the run has ended.
                let whole = all.take_while(|_| solver.take_truncated().is_none());
                return Ok((whole.collect(), Some(limit)));
            }
            Some(fault) if comes_again(&fault) => {}
            Some(fault) => return Err(fault),
        }
    }
    let all = solver.decided_moves(position, player, span)?;
    let with_fates = all.iter().map(|m| Move {
        value: loopy_value(answerer, &m.moved.position),
        ..decided_move(position, m)
    });
    Ok((with_fates.collect(), None))
}
