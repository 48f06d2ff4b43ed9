//! A position comes in; the theory that holds for it goes out, derived from its rules and never guessed, with the questions that
//! it answers and what to say of the others.
//!
//! A value exists within one theory only. Each theory is a row of [`THEORIES`]: the first whose condition a position meets
//! holds for it. To add one, write its row, and answer its questions in [`super::solve::Solver`].

use super::answer::Fact;
use crate::base::Span;
use crate::game::Convention;
use crate::ir::{Code as FaultCode, Fault, Instance, Position, Res};
use crate::model::typed::{Again, Endless, RulesetId};

/// What is known of positions under some rules.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Theory {
    /// Two players, and who cannot move loses: canonical forms (Siegel, *Combinatorial Game Theory*, II). Where a line of play
    /// comes again the value is loopy: a stopper, or two sides, by `engine::loopy`.
    Short,
    /// Two players, and who cannot move wins; nothing else differs from short games: outcomes, and of impartial games genera, misère
    /// forms and misère quotients, by `engine::misere`.
    Misere,
    /// Two players who have the same moves, with further turns or clauses that end play: nimbers and `loony`, by
    /// `engine::affine`, which checks the hypotheses at each position.
    Affine,
    /// Two players who count points: what best play comes to, by `engine::scores`.
    Scores,
    /// More players, under `last-wins` or `elimination`: who wins against whom.
    Coalitions,
    /// Rules with clauses that end play, further turns, stalemate: who wins, by `engine::arena`.
    Winners,
}

/// What may be asked of a position.
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
    MisereValue,
}

/// One theory: when it holds, and what it answers. Who wins is answered by all.
struct Row {
    theory: Theory,
    holds: fn(&Position) -> bool,
    answers: &'static [Question],
}

use Question as Q;

/// Every theory; the first that holds for a position is taken, and the last holds for all.
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
        answers: &[Q::Outcome, Q::BestMoves, Q::Score],
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
    /// As a message names it.
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
            Q::MisereValue => "theory of misère play",
        }
    }
}

impl Theory {
    /// The theory that holds for a position.
    pub(super) fn of(position: &Position) -> Theory {
        let row = THEORIES.iter().find(|row| (row.holds)(position));
        row.map_or(Theory::Winners, |row| row.theory)
    }

    /// The theory that holds for a position, if it answers a question of two players.
    ///
    /// # Errors
    /// It does not, and why.
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
        && position.terms().iter().all(|t| {
            let rules = &t.setting.instance.rules;
            rules.ends.is_empty() && rules.moves.iter().all(|m| matches!(m.again, Again::Never))
        })
}

/// Whether all moves are everyone's, by the text of the rules, and who cannot move loses.
fn may_be_affine(position: &Position) -> bool {
    let mut terms = position.terms().iter();
    position.convention() == Convention::Normal && terms.all(|t| t.setting.instance.is_impartial())
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
    let mut all = position.terms().iter().map(|t| &t.setting.instance);
    let rules = all.find(|instance| !instance.has_values());
    let name = rules.map_or_else(String::new, |instance| instance.name.to_string());
    let because = rules.map_or_else(String::new, |instance| reason(instance));
    Fault::new(
        FaultCode::NoTheory,
        span,
        format!("{name} has no {}: {because}", question.name()),
    )
    .help(match position.convention() {
        Convention::Scoring => super::scores::WHAT_TO_ASK,
        Convention::Misere if question != Q::MisereValue => super::misere::WHAT_TO_ASK,
        _ => "ask who wins: `outcome(G)`, `winner(G, first: Left)`, `best(G, Left)`, `remoteness(G, first: Left)`",
    })
}

/// Why the theory of short games does not speak of some rules.
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
        None => "a move with `again` leaves the turn with its player".to_owned(),
    }
}

/// What a card says of the theory: which rules have no values, and who wins a play without end.
pub(super) fn facts(position: &Position) -> Vec<Fact> {
    let theory = Theory::of(position);
    let mut facts = Vec::new();
    let mut said: Vec<RulesetId> = Vec::new();
    for term in position.terms() {
        let instance = &term.setting.instance;
        if said.contains(&instance.id) {
            continue;
        }
        said.push(instance.id);
        if !instance.has_values() {
            let known = match theory {
                Theory::Affine => "values are nimbers or loony",
                Theory::Scores => "scores, by who begins",
                Theory::Misere => {
                    "outcomes; of impartial games genus, misère form and misère quotient"
                }
                _ => "who wins is all there is to know",
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
