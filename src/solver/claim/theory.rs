//! The theory that applies to a position, derived from its rules, with the questions that it answers and the refusals of
//! others.
//!
//! A value exists within one theory only. Each theory is a row of [`THEORIES`]; the first row whose condition a position
//! meets applies. To add a theory, write its row, and answer its questions in [`super::solve::Solver`].

use super::answer::Fact;
use crate::base::Span;
use crate::game::Convention;
use crate::ir::{Code as FaultCode, Fault, Instance, Position, Res};
use crate::model::typed::{Again, Endless, RulesetId};

/// A theory of positions under some rules.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Theory {
    /// Two players, and a player who cannot move loses: canonical forms (Siegel, *Combinatorial Game Theory*, II). If a
    /// position is repeated, the value is loopy: a stopper, or two sides, by `engine::loopy`.
    Short,
    /// Two players, and a player who cannot move wins; otherwise as short games: outcomes; of impartial games genera, misère
    /// forms and misère quotients, by `engine::misere`.
    Misere,
    /// Two players with the same moves, with extra turns or clauses that end play: nimbers and `loony`, by `engine::affine`,
    /// which checks the hypotheses at each position.
    Affine,
    /// Two players who count points: scores under best play, by `engine::scores`; the order of guaranteed positions, and means
    /// and temperatures of those without zugzwang, whose hypotheses are checked at each follower.
    Scores,
    /// More than two players, under `last-wins` or `elimination`: who wins against whom.
    Coalitions,
    /// Rules with clauses that end play, extra turns, stalemate: who wins, by `engine::arena`.
    Winners,
}

/// A question about a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Question {
    Value,
    Nimber,
    Outcome,
    MisereOutcome,
    Remoteness,
    BestMoves,
    Compounds,
    Score,
    Order,
    Mean,
    MisereValue,
}

/// A theory: its condition, and the questions that it answers. Every theory says who wins.
struct Row {
    theory: Theory,
    holds: fn(&Position) -> bool,
    answers: &'static [Question],
}

use Question as Q;

/// All theories; the first that applies to a position is used, and the last applies to every position.
const THEORIES: [Row; 6] = [
    Row {
        theory: Theory::Short,
        holds: |p| p.players() == 2 && p.has_values(),
        answers: &[
            Q::Value,
            Q::Nimber,
            Q::Outcome,
            Q::MisereOutcome,
            Q::Remoteness,
            Q::BestMoves,
            Q::Compounds,
            Q::MisereValue,
        ],
    },
    Row {
        theory: Theory::Misere,
        holds: |p| p.players() == 2 && is_plainly_misere(p),
        answers: &[
            Q::Outcome,
            Q::MisereOutcome,
            Q::Remoteness,
            Q::BestMoves,
            Q::Compounds,
            Q::MisereValue,
        ],
    },
    Row {
        theory: Theory::Affine,
        holds: |p| p.players() == 2 && may_be_affine(p),
        answers: &[Q::Value, Q::Nimber, Q::Outcome, Q::Remoteness, Q::BestMoves],
    },
    Row {
        theory: Theory::Scores,
        holds: |p| p.players() == 2 && p.convention() == Convention::Scoring,
        answers: &[Q::Outcome, Q::BestMoves, Q::Score, Q::Order, Q::Mean],
    },
    Row {
        theory: Theory::Coalitions,
        holds: Position::has_values,
        answers: &[],
    },
    Row {
        theory: Theory::Winners,
        holds: |_| true,
        answers: &[Q::Outcome, Q::Remoteness, Q::BestMoves],
    },
];

impl Question {
    /// Its name in messages.
    const fn name(self) -> &'static str {
        match self {
            Q::Value => "value",
            Q::Nimber => "nimber",
            Q::Outcome => "outcome",
            Q::MisereOutcome => "misère outcome",
            Q::Remoteness => "remoteness",
            Q::BestMoves => "best moves",
            Q::Compounds => "compounds",
            Q::Score => "score",
            Q::Order => "order of scores",
            Q::Mean => "mean of scores",
            Q::MisereValue => "theory of misère play",
        }
    }
}

impl Theory {
    /// The theory that applies to a position.
    pub(super) fn of(position: &Position) -> Theory {
        let row = THEORIES.iter().find(|row| (row.holds)(position));
        row.map_or(Theory::Winners, |row| row.theory)
    }

    /// The theory that applies to a position of two players, if it answers a question.
    ///
    /// # Errors
    /// It does not answer it: the refusal gives the reason.
    pub(super) fn answering(question: Question, position: &Position, span: Span) -> Res<Theory> {
        if position.players() != 2 {
            return Err(of_many_players(question, position, span));
        }
        let theory = Theory::of(position);
        let row = THEORIES.iter().find(|row| row.theory == theory);
        match row.is_some_and(|row| row.answers.contains(&question)) {
            true => Ok(theory),
            false => Err(not_answered(question, position, span)),
        }
    }
}

/// Whether the rules differ from those of short games by `play misere` alone.
fn is_plainly_misere(position: &Position) -> bool {
    position.convention() == Convention::Misere
        && position.instances().all(|instance| {
            let rules = &instance.rules;
            rules.ends.is_empty() && rules.moves.iter().all(|m| matches!(m.again, Again::Never))
        })
}

/// Whether all moves belong to every player, by the text of the rules, and a player who cannot move loses.
fn may_be_affine(position: &Position) -> bool {
    position.convention() == Convention::Normal && position.instances().all(|i| i.is_impartial())
}

fn of_many_players(question: Question, position: &Position, span: Span) -> Box<Fault> {
    Fault::new(
        FaultCode::Players,
        span,
        format!(
            "a position of {} players has no {}",
            position.players(),
            question.name()
        ),
    )
    .help("ask for winner(G, first: p), wins(G, coalition: C, first: p) or coalitions(G, first: p)")
}

fn not_answered(question: Question, position: &Position, span: Span) -> Box<Fault> {
    if question == Q::Score {
        return super::scores::no_points(position, span);
    }
    let all = || position.instances();
    let rules = all().find(|instance| !instance.has_values());
    let name = rules.map_or_else(String::new, |instance| instance.name.to_string());
    let because = rules.map_or_else(String::new, |instance| reason(instance));
    let asked = question.name();
    // In a sum, the rules may have values, and another part be the reason.
    let alone = rules.is_some_and(|r| r.is_impartial() && r.convention == Convention::Normal);
    let other = all().find(|instance| alone && !instance.is_impartial());
    let message = match other.filter(|_| matches!(question, Q::Value | Q::Nimber)) {
        Some(other) => format!(
            "this sum has no {asked}: the values of {name} are nimbers or loony ({because}), which add to those of impartial rules only, and in {} the players have moves of their own",
            other.name
        ),
        None => format!("{name} has no {asked}: {because}"),
    };
    Fault::new(FaultCode::NoTheory, span, message)
    .help(match position.convention() {
        Convention::Scoring => super::scores::WHAT_TO_ASK,
        Convention::Misere if question != Q::MisereValue => super::misere::WHAT_TO_ASK,
        _ => "ask who wins: `outcome(G)`, `winner(G, first: Left)`, `best(G, Left)`, `remoteness(G, first: Left)`",
    })
}

/// Why the theory of short games does not apply to some rules.
fn reason(instance: &Instance) -> String {
    match instance.convention {
        Convention::Misere => return "under `play misere` who cannot move wins".to_owned(),
        Convention::StuckDraws => {
            return "under `play stuck-draws` who cannot move draws".to_owned();
        }
        Convention::Scoring => return "where a player is stuck, points are counted".to_owned(),
        _ => {}
    }
    match instance.rules.ends.first() {
        Some(end) => format!(
            "its clause `{} .. when` ends the whole game",
            end.kind.word()
        ),
        None if !keeps_the_turn(instance) => {
            "a move with `entail` says where it must be answered".to_owned()
        }
        None => "a move with `again` leaves the turn with its player".to_owned(),
    }
}

fn keeps_the_turn(instance: &Instance) -> bool {
    let mut moves = instance.rules.moves.iter();
    moves.any(|m| matches!(m.again, Again::Always | Again::When(_)))
}

const NIMBERS: &str = "values are nimbers or loony";
const WHO_WINS: &str = "who wins is all there is to know";

/// Corrects the facts about a position at which a hypothesis of the theory fails.
pub(super) fn without_values(facts: &mut [Fact]) {
    for fact in facts.iter_mut().filter(|f| f.about == "theory") {
        if let Some(reason) = fact.text.strip_prefix(NIMBERS) {
            fact.text = format!("{WHO_WINS}{reason}");
        }
    }
}

/// The facts about the theory for a card: the rules without values, and the winner of infinite play.
pub(super) fn facts(position: &Position) -> Vec<Fact> {
    let theory = Theory::of(position);
    let mut facts = Vec::new();
    let mut said: Vec<RulesetId> = Vec::new();
    for instance in position.instances() {
        if said.contains(&instance.id) {
            continue;
        }
        said.push(instance.id);
        if !instance.has_values() {
            let known = match theory {
                Theory::Affine => NIMBERS,
                Theory::Scores => "scores, by who begins",
                Theory::Misere => {
                    "outcomes; of impartial games genus, misère form and misère quotient"
                }
                _ => WHO_WINS,
            };
            facts.push(Fact::new(
                "theory",
                format!("{known}: {}", reason(instance)),
            ));
        }
        if let Endless::Win(p) = instance.rules.endless
            && let Some(name) = instance.players.get(usize::from(p))
        {
            facts.push(Fact::new(
                "endless",
                format!("play without end is won by {name}"),
            ));
        }
    }
    facts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_theory_has_one_row_and_the_last_holds_for_all() {
        for (i, row) in THEORIES.iter().enumerate() {
            assert!(THEORIES[..i].iter().all(|r| r.theory != row.theory));
        }
        let last = THEORIES.last().map(|row| (row.holds)(&Position::default()));
        assert_eq!(last, Some(true));
    }
}
