//! Explains why a wrong answer is wrong. Input: a question and a wrong answer; output: a refutation (the option that
//! refutes a value, the move that refutes an outcome, the element that is not in the set). The right answer is not
//! revealed where that can be avoided.
//!
//! For values: G <= H if and only if no G^L >= H and no H^R <= G (Conway, *On Numbers and Games*, ch. 0). Hence if the
//! value is not <= the answer, the value has a Left option >= the answer, or the answer has a Right option <= the value.

use super::play::{Advice, Play, Prospect, Standing};
use super::quiz::{Kind, Question};
use super::{Loaded, Session, spoken};
use crate::claim::Answerer;
use crate::game::Player;
use crate::ir::{Evaluator, Frame, Outcome, Position, Res, Scope, Val, draw};
use crate::model::typed::{Expr, ExprKind, GameFunction, GameOp, Op, Query};
use crate::value::{CanonicalForm, Number};
use std::cmp::Ordering;
use std::sync::Arc;

/// The opponent of a player, where there are two.
fn other(player: Player) -> Player {
    match player {
        Player::LEFT => Player::RIGHT,
        _ => Player::LEFT,
    }
}

/// The winner if `first` begins; `None` where a draw is possible.
fn winner(outcome: Outcome, first: Player) -> Option<Player> {
    Some(match outcome {
        Outcome::L => Player::LEFT,
        Outcome::R => Player::RIGHT,
        Outcome::N => first,
        Outcome::P => other(first),
        _ => return None,
    })
}

/// The mover and the result that it can force; `None` if play is over.
pub(super) fn reply(play: &Play) -> Result<Option<(Player, Advice)>, String> {
    let Standing::ToMove(mover) = *play.standing() else {
        return Ok(None);
    };
    let advice = play.advise().map_err(|d| d.message)?;
    Ok(advice.map(|a| (mover, a)))
}

impl Session<'_> {
    /// Explains an answer that was marked wrong. `None` if there is no explanation: the answer is sealed, or a limit was
    /// met.
    pub fn objection(
        &mut self,
        loaded: &mut Loaded,
        question: &Question,
        typed: &str,
    ) -> Option<String> {
        let query = question.expected.clone()?;
        let [expected] = &query.body[..] else {
            return None;
        };
        if question.kind == Kind::Outcome
            && let Some(position) = &question.about
        {
            let claimed = spoken::outcome(typed).or_else(|| {
                let query = self.expression(loaded, typed).ok()?;
                match self.evaluated(loaded, &query)? {
                    Val::Outcome(o) => Some(o),
                    _ => None,
                }
            })?;
            let asked = self.sources.slice(expected.span);
            let misere = asked.starts_with("misere_outcome");
            return [Player::LEFT, Player::RIGHT].into_iter().find_map(|first| {
                let wanted = winner(claimed, first);
                self.of_winner(loaded, position, first, wanted, misere)
            });
        }
        if matches!(question.kind, Kind::Player | Kind::Name)
            && let Some(position) = &question.about
            && let Some((_, first)) = self.sources.slice(expected.span).split_once("first:")
        {
            let players = (0..position.players()).map(Player);
            let named = |text: &str| {
                let text = text.trim_matches(|c: char| !c.is_alphanumeric());
                players
                    .clone()
                    .find(|p| position.player_name(*p).eq_ignore_ascii_case(text))
            };
            let (first, wanted) = (named(first)?, named(&spoken::player(typed)));
            return self.of_winner(loaded, position, first, wanted, false);
        }
        if question.kind == Kind::Truth {
            return Some(self.of_truth(loaded, expected));
        }
        let meant = match question.kind {
            Kind::Game | Kind::Nimber | Kind::Int => spoken::value(typed),
            Kind::Set | Kind::Positions if !typed.contains(['{', '(']) => format!("{{{typed}}}"),
            Kind::List if !typed.contains('[') => format!("[{typed}]"),
            _ => typed.to_owned(),
        };
        let given = match question.kind {
            Kind::Game => self.game(loaded, &meant),
            _ => self.expression(loaded, &meant),
        };
        let given = given.ok()?;
        let [given] = &given.body[..] else {
            return None;
        };
        let (kind, about) = (question.kind, question.about.clone());
        let model = loaded.model.clone();
        let cancel = self.settings.cancel.clone();
        let found = self.ask(loaded, |answerer| {
            let ev = Evaluator::new(&model, answerer).with_cancel(cancel);
            let eval = |e: &Expr| ev.eval(e, &mut Frame::default(), Scope::default());
            let (right, wrong) = (eval(expected)?, eval(given)?);
            if let ExprKind::Game(GameOp::Function(f), args) = &*expected.kind
                && let (Some(noun), [game]) = (noun(*f), &args[..])
            {
                let game = eval(game)?;
                return of_measure(answerer, (*f, noun), &game, (&right, &wrong), expected);
            }
            match kind {
                Kind::Game => of_value(answerer, &right, &wrong, about.as_ref(), expected),
                Kind::Nimber => of_nimber(answerer, &right, &wrong, about.as_ref(), expected),
                _ => Ok(of_data(answerer, &right, &wrong)),
            }
        });
        found.ok().flatten()
    }

    fn evaluated(&self, loaded: &Loaded, query: &Query) -> Option<Val> {
        let solver = self.solver(loaded);
        let answerer = Answerer::new(&solver, self.settings.style);
        let ev = Evaluator::new(&loaded.model, &answerer).with_cancel(self.settings.cancel.clone());
        let [e] = &query.body[..] else {
            return None;
        };
        ev.eval(e, &mut Frame::default(), Scope::default()).ok()
    }

    /// Compares the two sides of a comparison.
    fn of_truth(&self, loaded: &Loaded, expected: &Expr) -> String {
        let ExprKind::Binary(op, left, right) = &*expected.kind else {
            return "It is the other way round.".to_owned();
        };
        if matches!(op, Op::And | Op::Or) {
            return "It is the other way round.".to_owned();
        }
        let solver = self.solver(loaded);
        let answerer = Answerer::new(&solver, self.settings.style);
        let ev = Evaluator::new(&loaded.model, &answerer).with_cancel(self.settings.cancel.clone());
        let sides: Vec<String> = [left, right]
            .into_iter()
            .filter_map(|e| {
                let v = ev.eval(e, &mut Frame::default(), Scope::default()).ok()?;
                let (text, shown) = (self.sources.slice(e.span), answerer.show(&v));
                (text != shown).then(|| format!("{text} is {shown}"))
            })
            .collect();
        match sides.is_empty() {
            true => "It is the other way round.".to_owned(),
            false => format!("It is the other way round: {}.", sides.join(", and ")),
        }
    }

    /// Why `wanted` does not win when `first` begins (`None`: a draw or a queer position). Returns `None` if `wanted` is
    /// right.
    fn of_winner(
        &self,
        loaded: &Loaded,
        position: &Arc<Position>,
        first: Player,
        wanted: Option<Player>,
        misere: bool,
    ) -> Option<String> {
        let mut play = self.play(loaded, position, first, misere).ok()?;
        let name = position.player_name(first);
        let Some((mover, advice)) = reply(&play).ok()? else {
            // Play is over before the first move.
            let Standing::Won(winner) = *play.standing() else {
                return None;
            };
            let by = position.player_name(winner);
            return (wanted != Some(winner))
                .then(|| format!("If {name} begins, {by} wins at once: {name} has no move."));
        };
        let choice = advice.choice.clone();
        Some(match advice.prospect? {
            Prospect::Wins if wanted != Some(mover) => format!(
                "If {name} begins, {name} wins: the move {} leaves {}.",
                choice.text,
                draw::short(&choice.position)
            ),
            Prospect::Loses(winner) if wanted != Some(winner) => {
                let head = format!(
                    "If {name} begins, {} wins: after {}",
                    position.player_name(winner),
                    choice.text
                );
                play.make(&choice).ok()?;
                match reply(&play).ok()? {
                    Some((next, answer)) => format!(
                        "{head} {} answers {}, and no other move is better.",
                        position.player_name(next),
                        answer.choice.text
                    ),
                    None => format!("{head} play is over, and no other move is better."),
                }
            }
            Prospect::Drawn if wanted.is_some() => {
                format!("If {name} begins, nobody can force a win.")
            }
            Prospect::Queer if wanted.is_some() => {
                format!("If {name} begins, nobody can force a win alone.")
            }
            _ => return None,
        })
    }
}

/// The options of a player with their values: the moves of the position if the question is about its value, otherwise the
/// options of the canonical form.
fn options(
    answerer: &Answerer<'_>,
    value: CanonicalForm,
    about: Option<&Arc<Position>>,
    player: Player,
    expected: &Expr,
) -> Res<Vec<(String, CanonicalForm)>> {
    let (solver, span) = (answerer.solver(), expected.span);
    if let Some(position) = about
        && solver.value(position, span)? == value
    {
        let moves = solver.valued_moves(position, player, span)?;
        return Ok(moves
            .into_iter()
            .map(|(moved, v, _)| {
                let text = draw::short(&moved.position);
                let shown = answerer.print(v);
                let text = match text == shown {
                    true => text,
                    false => format!("{text}, worth {shown}"),
                };
                (text, v)
            })
            .collect());
    }
    let forms = solver.forms();
    let all = match player {
        Player::LEFT => forms.left_options(value),
        _ => forms.right_options(value),
    };
    let all = all.map_err(|_| crate::claim::of_limit(crate::game::Limit::Memory, span))?;
    Ok(all.into_iter().map(|v| (answerer.print(v), v)).collect())
}

/// Why a value differs from the given one.
fn of_value(
    answerer: &Answerer<'_>,
    right: &Val,
    given: &Val,
    about: Option<&Arc<Position>>,
    expected: &Expr,
) -> Res<Option<String>> {
    let span = expected.span;
    let forms = answerer.solver().forms();
    let (g, x) = (
        answerer.canonical(right, span)?,
        answerer.canonical(given, span)?,
    );
    let memory = |_| crate::claim::of_limit(crate::game::Limit::Memory, span);
    let at_most = |a, b| forms.less_or_equal(a, b).map_err(memory);
    let shown = answerer.print(x);
    let relation = match forms.compare(g, x).map_err(memory)? {
        Some(Ordering::Greater) => "greater than",
        Some(Ordering::Less) => "less than",
        Some(Ordering::Equal) => return Ok(None),
        None => "confused with",
    };
    let head = format!("The value is {relation} {shown}");
    let upwards = !at_most(g, x)?;
    let (mover, opponent) = match upwards {
        true => (Player::LEFT, Player::RIGHT),
        false => (Player::RIGHT, Player::LEFT),
    };
    let name = if upwards { "Left" } else { "Right" };
    let side = if upwards { "at least" } else { "at most" };
    for (text, v) in options(answerer, g, about, mover, expected)? {
        let refutes = if upwards {
            at_most(x, v)?
        } else {
            at_most(v, x)?
        };
        if refutes {
            return Ok(Some(format!(
                "{head}: {name} can move to {text}, which is {side} {shown}."
            )));
        }
    }
    for (text, v) in options(answerer, x, None, opponent, expected)? {
        let refutes = if upwards {
            at_most(v, g)?
        } else {
            at_most(g, v)?
        };
        if refutes {
            let whose = if upwards { "Right" } else { "Left" };
            return Ok(Some(format!(
                "{head}: of {shown} {whose} has the option {text}, and the value is {side} that."
            )));
        }
    }
    Ok(Some(format!("{head}.")))
}

/// Functions that return a measure of a game, not a game with the same options.
fn noun(f: GameFunction) -> Option<&'static str> {
    Some(match f {
        GameFunction::Mean => "mean",
        GameFunction::Temperature => "temperature",
        GameFunction::LeftStop => "left stop",
        GameFunction::RightStop => "right stop",
        GameFunction::AtomicWeight => "atomic weight",
        _ => return None,
    })
}

/// Why a measure differs from the given one: what the thermograph shows, or a move that reaches another stop.
fn of_measure(
    answerer: &Answerer<'_>,
    (f, noun): (GameFunction, &str),
    game: &Val,
    (right, given): (&Val, &Val),
    expected: &Expr,
) -> Res<Option<String>> {
    let span = expected.span;
    let forms = answerer.solver().forms();
    let memory = |_| crate::claim::of_limit(crate::game::Limit::Memory, span);
    let (m, x) = (
        answerer.canonical(right, span)?,
        answerer.canonical(given, span)?,
    );
    let (relation, greater) = match forms.compare(m, x).map_err(memory)? {
        Some(Ordering::Greater) => ("greater than", true),
        Some(Ordering::Less) => ("less than", false),
        Some(Ordering::Equal) => return Ok(None),
        None => ("confused with", false),
    };
    let shown = answerer.print(x);
    let head = format!("The {noun} is {relation} {shown}");
    let plain = Ok(Some(format!("{head}.")));
    let Some(x) = forms.as_number(x) else {
        return plain;
    };
    if f == GameFunction::AtomicWeight {
        return plain;
    }
    let g = answerer.canonical(game, span)?;
    let (left, right) = (forms.left_stop(g), forms.right_stop(g));
    Ok(Some(match f {
        GameFunction::Mean if x < right || x > left => {
            format!("{head}: it lies between the stops, {left} and {right}.")
        }
        GameFunction::Temperature if left > right && greater && x >= Number::from(0) => {
            let graph = forms.thermograph(g).map_err(memory)?;
            let (l, r) = (graph.left_wall.at(&x), graph.right_wall.at(&x));
            format!(
                "{head}: at {shown} the walls of the thermograph are still apart, at {l} and {r}."
            )
        }
        GameFunction::Temperature if left > right && !greater => {
            format!("{head}: the walls of the thermograph meet below {shown}.")
        }
        GameFunction::LeftStop | GameFunction::RightStop if forms.as_number(g).is_none() => {
            let (mover, other) = match f {
                GameFunction::LeftStop => ("Left", "Right"),
                _ => ("Right", "Left"),
            };
            let better = greater == (f == GameFunction::LeftStop);
            let all = match f {
                GameFunction::LeftStop => forms.left_options(g),
                _ => forms.right_options(g),
            };
            let reaches = all.map_err(memory)?.into_iter().find(|v| match f {
                GameFunction::LeftStop => forms.right_stop(*v) > x,
                _ => forms.left_stop(*v) < x,
            });
            match reaches {
                Some(v) if better => {
                    format!(
                        "{head}: {mover} can do better by moving to {}.",
                        answerer.print(v)
                    )
                }
                _ => format!("{head}: whatever {mover} does, {other} can prevent it."),
            }
        }
        _ => return plain,
    }))
}

/// Why a nimber differs from the given one.
fn of_nimber(
    answerer: &Answerer<'_>,
    right: &Val,
    given: &Val,
    about: Option<&Arc<Position>>,
    expected: &Expr,
) -> Res<Option<String>> {
    let number = |v: &Val| -> Res<Option<u64>> {
        Ok(match v {
            Val::Int(n) => n.to_string().parse().ok(),
            v => {
                let g = answerer.canonical(v, expected.span)?;
                answerer.solver().forms().as_nimber(g).map(u64::from)
            }
        })
    };
    let (Some(g), Some(x)) = (number(right)?, number(given)?) else {
        return Ok(Some("That is not a nimber.".to_owned()));
    };
    if x > g {
        return Ok(Some(match x {
            1 => "1 is too large: a position of nimber 1 has a move to one of nimber 0, and here there is none."
                .to_owned(),
            _ => format!(
                "{x} is too large: a position of nimber {x} has moves to the nimbers from 0 to {}, and here one of them is missing.",
                x - 1
            ),
        }));
    }
    if let Some(position) = about {
        let solver = answerer.solver();
        for (moved, v, _) in solver.valued_moves(position, Player::LEFT, expected.span)? {
            if solver.forms().as_nimber(v).map(u64::from) == Some(x) {
                return Ok(Some(format!(
                    "There is a move to {}, whose nimber is {x}; no position has the nimber of one of its options.",
                    draw::short(&moved.position)
                )));
            }
        }
    }
    Ok(Some(format!("{x} is too small.")))
}

/// Why numbers, sets and lists differ.
fn of_data(answerer: &Answerer<'_>, right: &Val, given: &Val) -> Option<String> {
    Some(match (right, given) {
        (Val::Int(r), Val::Int(g)) if g < r => format!("{g} is too small."),
        (Val::Int(_), Val::Int(g)) => format!("{g} is too large."),
        (Val::Set(r), Val::Set(g)) => match g.iter().find(|x| !r.contains(x)) {
            Some(x) => format!("{} does not belong to it.", answerer.show(x)),
            None => format!("{} of {} are missing.", r.len() - g.len(), r.len()),
        },
        (Val::List(r), Val::List(g)) => {
            let at = r.iter().zip(g.iter()).position(|(a, b)| a != b);
            match at {
                Some(i) => format!("Entry {} is not {}.", i + 1, answerer.show(&g[i])),
                None => format!("It has {} entries, not {}.", r.len(), g.len()),
            }
        }
        _ => return None,
    })
}
