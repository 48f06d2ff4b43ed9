//! Positions of the language come in; what an engine says of them comes out. A position is a sum of terms, each a ruleset on
//! a board; each term is compiled once for its board and searched by the engine, and the values are added (Siegel,
//! *Combinatorial Game Theory*, II.1). What cannot be compiled is played by the naive evaluator.

use super::algebra::memory;
use super::fault;
use crate::base::Span;
use crate::engine::{Engine, Roads, Statistics};
use crate::game::{Cancel, Limits, Player};
use crate::ir::naive::{self, Moved, NaiveGame};
use crate::ir::{Code as FaultCode, Evaluator, Fault, NoHost, Position, Res, Term, draw};
use crate::model::typed::Model;
use crate::value::{CanonicalForm, Forms, Outcome};
use std::sync::Arc;

/// Which roads an evaluation takes. No answer depends on it; the tests compare them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Treatment {
    /// The short cuts of the engine.
    pub roads: Roads,
    /// Play from the typed tree: nothing is ground.
    pub naive: bool,
}

impl Default for Treatment {
    fn default() -> Treatment {
        Treatment {
            roads: Roads::all(),
            naive: false,
        }
    }
}

/// The minimal winning coalitions, as sets of players in their order.
pub type Minimal = Vec<Vec<Player>>;

/// Asks engines about positions.
#[derive(Debug)]
pub struct Solver {
    model: Arc<Model>,
    naive: Engine<Arc<Position>>,
    cancel: Cancel,
}

impl Solver {
    /// A solver for positions of these files.
    #[must_use]
    pub fn new(
        model: Arc<Model>,
        limits: &Limits,
        cancel: &Cancel,
        treatment: Treatment,
    ) -> Solver {
        Solver {
            model,
            naive: Engine::new(limits.clone())
                .with_roads(treatment.roads)
                .with_cancel(cancel.clone()),
            cancel: cancel.clone(),
        }
    }

    /// The arena in which all values lie.
    #[must_use]
    pub fn forms(&self) -> &Forms {
        self.naive.forms()
    }

    /// What the engines have done.
    #[must_use]
    pub fn statistics(&self) -> Statistics {
        self.naive.statistics()
    }

    fn two_players(&self, position: &Position, what: &str, span: Span) -> Res<()> {
        if position.players() == 2 {
            return Ok(());
        }
        Err(Fault::new(
            FaultCode::Players,
            span,
            format!("a position of {} players has no {what}", position.players()),
        )
        .help("ask for winner(G, first: p), wins(G, coalition: C, first: p) or coalitions(G, first: p)"))
    }

    /// The canonical form.
    ///
    /// # Errors
    /// A limit, a rule that goes wrong, play that need not end, more than two players.
    pub fn value(&self, position: &Position, span: Span) -> Res<CanonicalForm> {
        self.two_players(position, "value", span)?;
        let forms = self.forms();
        let mut sum = CanonicalForm::ZERO;
        for term in position.terms() {
            let mut value = self.term_value(term, span)?;
            if term.negated {
                value = forms.negate(value).map_err(memory(span))?;
            }
            let value = forms
                .multiple_big(&term.count.to_big(), value)
                .map_err(memory(span))?;
            sum = forms.add(sum, value).map_err(memory(span))?;
        }
        Ok(sum)
    }

    fn term_value(&self, term: &Term, span: Span) -> Res<CanonicalForm> {
        let single = Arc::new(Position::single(term.setting.clone(), term.state.clone()));
        let game = NaiveGame::new(self.model.clone(), &single);
        self.naive
            .value(&game, &single)
            .map_err(|s| fault::of_stop(s, span, draw_arc))
    }

    /// The n of `*n`, if the value is a nimber.
    ///
    /// # Errors
    /// As for [`Solver::value`].
    pub fn nimber(&self, position: &Position, span: Span) -> Res<Option<u32>> {
        self.two_players(position, "nimber", span)?;
        if let Some(term) = position.as_single() {
            let single = Arc::new(Position::single(term.setting.clone(), term.state.clone()));
            let game = NaiveGame::new(self.model.clone(), &single);
            return self
                .naive
                .nimber(&game, &single)
                .map_err(|s| fault::of_stop(s, span, draw_arc));
        }
        let value = self.value(position, span)?;
        Ok(self.forms().as_nimber(value))
    }

    /// Who wins.
    ///
    /// # Errors
    /// As for [`Solver::value`].
    pub fn outcome(&self, position: &Position, span: Span) -> Res<Outcome> {
        self.two_players(position, "outcome", span)?;
        let value = self.value(position, span)?;
        self.forms().outcome(value).map_err(memory(span))
    }

    /// Who wins if whoever moves last loses.
    ///
    /// # Errors
    /// As for [`Solver::value`].
    pub fn misere_outcome(&self, position: &Position, span: Span) -> Res<Outcome> {
        self.two_players(position, "misère outcome", span)?;
        let whole = Arc::new(position.clone());
        let game = NaiveGame::new(self.model.clone(), &whole);
        self.naive
            .search(&game)
            .misere_outcome(&whole)
            .map_err(|s| fault::of_stop(s, span, draw_arc))
    }

    /// The minimal coalitions that can force that one of them wins.
    ///
    /// # Errors
    /// A limit, a rule that goes wrong, play that need not end.
    pub fn coalitions(&self, position: &Position, first: Player, span: Span) -> Res<Minimal> {
        let _ = (position, first);
        Err(Fault::new(
            FaultCode::Host,
            span,
            "coalitions are not there yet",
        ))
    }

    /// Whether a coalition can force that one of them wins.
    ///
    /// # Errors
    /// As for [`Solver::coalitions`].
    pub fn wins(
        &self,
        position: &Position,
        coalition: &[Player],
        first: Player,
        span: Span,
    ) -> Res<bool> {
        Ok(self
            .coalitions(position, first, span)?
            .iter()
            .any(|c| c.iter().all(|p| coalition.contains(p))))
    }

    /// The player who wins alone against all others, if there is one.
    ///
    /// # Errors
    /// As for [`Solver::coalitions`].
    pub fn winner(&self, position: &Position, first: Player, span: Span) -> Res<Option<Player>> {
        Ok(self
            .coalitions(position, first, span)?
            .iter()
            .find_map(|c| match c[..] {
                [alone] => Some(alone),
                _ => None,
            }))
    }

    /// What was derived from the rules, for a card.
    #[must_use]
    pub fn derived(&self, position: &Position) -> Vec<super::answer::Fact> {
        let _ = position;
        Vec::new()
    }

    /// The options of a player.
    ///
    /// # Errors
    /// A rule that goes wrong; a limit.
    pub fn moves(&self, position: &Position, player: Player) -> Res<Vec<Moved>> {
        let ev = Evaluator::new(&self.model, &NoHost).with_cancel(self.cancel.clone());
        naive::moves(&ev, position, player)
    }

    /// The options of a player with their values; best are those that no other dominates.
    ///
    /// # Errors
    /// As for [`Solver::value`].
    pub fn valued_moves(
        &self,
        position: &Position,
        player: Player,
        span: Span,
    ) -> Res<Vec<(Moved, CanonicalForm, bool)>> {
        let mut found = Vec::new();
        for moved in self.moves(position, player)? {
            let value = self.value(&moved.position, span)?;
            found.push((moved, value, true));
        }
        let forms = self.forms();
        let better = if player == Player::LEFT {
            std::cmp::Ordering::Greater
        } else {
            std::cmp::Ordering::Less
        };
        let mut values: Vec<CanonicalForm> = found.iter().map(|f| f.1).collect();
        values.sort_by(|a, b| forms.structural_cmp(*a, *b));
        values.dedup();
        let mut dominated = Vec::new();
        for v in &values {
            for w in &values {
                if forms.compare(*w, *v).map_err(memory(span))? == Some(better) {
                    dominated.push(*v);
                    break;
                }
            }
        }
        for f in &mut found {
            f.2 = !dominated.contains(&f.1);
        }
        Ok(found)
    }
}

fn draw_arc(p: &Arc<Position>) -> String {
    draw::picture(p)
}
