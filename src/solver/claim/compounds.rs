//! Who wins a compound of positions: by the theorems of [`crate::engine::compounds`] if all parts are impartial and play in
//! them ends, otherwise by [`crate::engine::arena`] on tuples.

use super::decided::{fate_of, outcome_of};
use super::fault::{self, of_a_line};
use super::solve::{Road, Solver};
use super::theory::{Question, Theory};
use crate::base::Span;
use crate::engine::Stopped;
use crate::engine::arena::{Arena, Fate};
use crate::engine::compounds::{MOST_OPTIONS, Part, Together, Wrong, by_parts};
use crate::engine::lengths::{Length, length};
use crate::game::{Convention, Limit, Player, Rules};
use crate::ir::{Code as FaultCode, Compound, Fault, Outcome, Position, Res, Val};
use std::sync::Arc;

/// A question about a compound.
struct Asked<'c> {
    how: crate::game::Compound,
    parts: Vec<&'c Arc<Position>>,
    convention: Convention,
    endless: Option<Player>,
    span: Span,
}

impl Solver {
    /// Who wins a compound, by who begins.
    ///
    /// # Errors
    /// A limit; a rule that fails where that matters; parts whose rules have clauses that end play or keep the turn, or more
    /// than two players; parts that disagree on who wins when a player cannot move, or on infinite play.
    pub fn compound_outcome(&self, compound: &Compound, misere: bool, span: Span) -> Res<Outcome> {
        let asked = asked(compound, misere, span)?;
        if let Some(wins) = self.by_parts(&asked)? {
            return Ok(if wins { Outcome::N } else { Outcome::P });
        }
        Ok(outcome_of(self.on_tuples(&asked)?))
    }

    /// The result of best play of a compound if `first` begins.
    ///
    /// # Errors
    /// As for [`Solver::compound_outcome`].
    pub fn compound_fate(&self, compound: &Compound, first: Player, span: Span) -> Res<Fate> {
        let outcome = self.compound_outcome(compound, false, span)?;
        Ok(fate_of(outcome, first))
    }

    /// The length of play from a position if `first` begins.
    ///
    /// # Errors
    /// A limit; a rule that fails; a position that is repeated.
    pub fn length(&self, position: &Position, first: Player, span: Span) -> Res<Length> {
        Theory::answering(Question::Remoteness, position, span)?;
        self.length_under(position, first, position.convention(), false, span)
    }

    fn length_under(
        &self,
        position: &Position,
        first: Player,
        convention: Convention,
        impartial: bool,
        span: Span,
    ) -> Res<Length> {
        let budget = self.budget();
        let memory = self.limits.memory;
        match self.road_to_decide(position, span)? {
            Road::Fast(machine, start) => length(
                &*machine, &start, first, convention, impartial, memory, &budget,
            )
            .map_err(|s| fault::of_stop(s, span, &self.model, |p| machine.show(p))),
            Road::Naive(game, start, _) => {
                length(&game, &start, first, convention, impartial, memory, &budget)
                    .map_err(|s| fault::of_stop(s, span, &self.model, |p| Position::clone(p)))
            }
        }
    }

    /// Whether the player to move wins, by the theorems on the parts; `None` if none of them applies.
    fn by_parts(&self, asked: &Asked<'_>) -> Res<Option<bool>> {
        use crate::game::Compound as C;
        if matches!(asked.how, C::Shortened | C::Sequential)
            || !asked.parts.iter().all(|p| self.is_impartial(p))
        {
            return Ok(None);
        }
        let mut parts = Vec::with_capacity(asked.parts.len());
        for position in &asked.parts {
            let length = |convention| {
                self.length_under(position, Player::LEFT, convention, true, asked.span)
            };
            let found = length(Convention::Normal).and_then(|normal| {
                Ok(Part {
                    normal,
                    asked: match asked.convention {
                        Convention::Normal => normal,
                        other => length(other)?,
                    },
                })
            });
            match found {
                Ok(part) => parts.push(part),
                // A position is repeated or a rule fails in this part, but the compound may be decided before that.
                Err(fault) if of_a_line(&fault) => return Ok(None),
                Err(fault) => return Err(fault),
            }
        }
        let misere = asked.convention == Convention::Misere;
        Ok(by_parts(asked.how, &parts, misere))
    }

    /// The result of best play of the tuple, by who begins.
    fn on_tuples(&self, asked: &Asked<'_>) -> Res<[Fate; 2]> {
        let (mut machines, mut packed) = (Vec::new(), Vec::new());
        let (mut games, mut written) = (Vec::new(), Vec::new());
        for position in &asked.parts {
            match self.road(position, asked.span)? {
                Road::Fast(machine, start) => {
                    machines.push(machine);
                    packed.push(start);
                }
                Road::Naive(game, start, _) => {
                    games.push(game);
                    written.push(start);
                }
            }
        }
        // Whether positions are compiled depends on the shortcuts alone, so all parts take the same road.
        match games.is_empty() {
            true => self.fates(asked, machines.iter().map(|m| &**m).collect(), packed),
            false => self.fates(asked, games.iter().collect(), written),
        }
    }

    fn fates<R: Rules>(
        &self,
        asked: &Asked<'_>,
        parts: Vec<&R>,
        start: Vec<R::Position>,
    ) -> Res<[Fate; 2]>
    where
        R::Fault: Into<Box<Fault>>,
    {
        let rules = Together {
            compound: asked.how,
            parts,
            convention: asked.convention,
            endless: asked.endless,
        };
        let start = start.into_boxed_slice();
        let budget = self.budget();
        let mut arena = Arena::new(self.limits.memory);
        let mut fate = |first| {
            arena
                .fate(&rules, &start, first, &budget)
                .map_err(|stopped| of_stop(stopped, asked.span))
        };
        Ok([fate(Player::LEFT)?, fate(Player::RIGHT)?])
    }
}

/// Converts the reason why the arena stopped to a fault.
fn of_stop<P, F: Into<Box<Fault>>>(stopped: Stopped<P, Wrong<F>>, span: Span) -> Box<Fault> {
    match stopped {
        Stopped::Fault {
            fault: Wrong::Part(fault),
            ..
        } => fault.into(),
        Stopped::Fault {
            fault: Wrong::TooMany,
            ..
        } => Fault::new(
            FaultCode::TooMuch,
            span,
            format!("a position of this compound has more than {MOST_OPTIONS} moves"),
        ),
        Stopped::Limit(limit) => fault::of_limit(limit, span),
        Stopped::Cycle { .. } | Stopped::Refused(_) => fault::of_limit(Limit::Nodes, span),
    }
}

/// The parts of a compound, which must agree on the convention and on infinite play.
fn asked(compound: &Compound, misere: bool, span: Span) -> Res<Asked<'_>> {
    let mut parts = Vec::with_capacity(compound.parts.len());
    for part in &compound.parts {
        let Val::Position(position) = part else {
            return Err(Fault::new(
                FaultCode::Host,
                span,
                "only positions are played together",
            ));
        };
        let theory = Theory::answering(Question::Compounds, position, span);
        theory.map_err(|fault| {
            fault.help("a compound is made of games of two players, without clauses that end play or keep the turn")
        })?;
        parts.push(position);
    }
    let agreed = |of: fn(&Position) -> Option<Player>| {
        let mut all = parts.iter().map(|p| of(p));
        let first = all.next().flatten();
        all.all(|p| p == first).then_some(first)
    };
    let differ = |what: &str| {
        let message = format!("the parts of this compound say different things of {what}");
        Fault::new(FaultCode::Players, span, message)
    };
    let endless = agreed(Position::endless).ok_or_else(|| {
        differ("play without end").help("give all rulesets the same clause `endless`")
    })?;
    let mut conventions = parts.iter().map(|p| match p.convention() {
        Convention::Misere => Convention::Misere,
        _ => Convention::Normal,
    });
    let convention = conventions.next().unwrap_or_default();
    if conventions.any(|c| c != convention) {
        return Err(differ("who cannot move").help("give all rulesets the same clause `play`"));
    }
    Ok(Asked {
        how: compound.how,
        parts,
        convention: if misere {
            Convention::Misere
        } else {
            convention
        },
        endless,
        span,
    })
}
