//! The naive evaluator as a [`Game`]: keys are whole positions; nothing is split or shared between boards.

use super::moves;
use crate::banked::{Banked, within};
use crate::base::Span;
use crate::eval::{Evaluator, NoHost, STEPS};
use crate::fault::Fault;
use crate::game::{
    Cancel, Convention, End, Game, Player, Rules, Scored, Sign, Step, options_by_steps,
};
use crate::instance::Setting;
use crate::model::typed::Model;
use crate::position::Position;
use std::sync::Arc;

/// Positions of the language as a game, without shortcuts.
#[derive(Clone, Debug)]
pub struct NaiveGame {
    model: Arc<Model>,
    players: u8,
    convention: Convention,
    endless: Option<Player>,
    /// The banked variables, by setting.
    banked: Vec<(Arc<Setting>, Banked)>,
    steps: u64,
    cancel: Cancel,
}

/// Permission to search with the naive evaluator alone. On WebAssembly there is none: the page compiles all rules, and such
/// searches would be one more copy of the engine in it.
#[derive(Debug)]
pub struct Uncompiled(#[cfg(target_family = "wasm")] std::convert::Infallible);

impl Uncompiled {
    /// The permission, where there is one.
    #[must_use]
    pub fn permitted() -> Option<Uncompiled> {
        #[cfg(target_family = "wasm")]
        return None;
        #[cfg(not(target_family = "wasm"))]
        Some(Uncompiled())
    }
}

impl NaiveGame {
    /// The game of play from a position.
    #[must_use]
    pub fn new(model: Arc<Model>, position: &Position) -> NaiveGame {
        let mut banked: Vec<(Arc<Setting>, Banked)> = Vec::new();
        for term in position.terms() {
            let known = |(s, _): &(Arc<Setting>, _)| Arc::ptr_eq(s, &term.setting);
            if term.setting.instance.rules.score.is_some() && !banked.iter().any(known) {
                banked.push((term.setting.clone(), Banked::of(&model, &term.setting)));
            }
        }
        banked.retain(|(_, banked)| !banked.vars.is_empty());
        NaiveGame {
            model,
            banked,
            players: position.players(),
            convention: position.convention(),
            endless: position.endless(),
            steps: STEPS,
            cancel: Cancel::new(),
        }
    }

    /// Sets the limit of steps for the options of one position.
    #[must_use]
    pub fn with_steps(self, steps: u64) -> NaiveGame {
        NaiveGame { steps, ..self }
    }

    /// Sets a token that cancels the enumeration of options.
    #[must_use]
    pub fn with_cancel(self, cancel: Cancel) -> NaiveGame {
        NaiveGame { cancel, ..self }
    }
}

impl NaiveGame {
    fn evaluator(&self) -> Evaluator<'_> {
        Evaluator::new(&self.model, &NoHost)
            .with_steps(self.steps)
            .with_cancel(self.cancel.clone())
    }
}

impl Rules for NaiveGame {
    type Position = Arc<Position>;
    type Fault = Box<Fault>;

    fn players(&self) -> u8 {
        self.players
    }

    fn convention(&self) -> Convention {
        self.convention
    }

    fn endless(&self) -> Option<Player> {
        self.endless
    }

    fn options(
        &self,
        position: &Arc<Position>,
        player: Player,
        options: &mut Vec<Arc<Position>>,
    ) -> Result<(), Box<Fault>> {
        options_by_steps(self, position, player, options)
    }

    fn ended(&self, position: &Arc<Position>) -> Result<Option<End>, Box<Fault>> {
        super::ended(&self.evaluator(), position, None)
    }

    fn is_forced(&self, position: &Arc<Position>) -> bool {
        position.entailed().is_some()
    }

    fn steps(
        &self,
        position: &Arc<Position>,
        player: Player,
        steps: &mut Vec<Step<Arc<Position>>>,
    ) -> Result<(), Box<Fault>> {
        let reached = moves(&self.evaluator(), position, player)?;
        steps.extend(reached.into_iter().map(|m| Step {
            to: Arc::new(m.position),
            again: m.again,
            end: m.end,
        }));
        Ok(())
    }
}

impl Scored for NaiveGame {
    fn score(&self, position: &Arc<Position>, stuck: Player) -> Result<i64, Box<Fault>> {
        super::score(&self.evaluator(), position, stuck)
    }

    fn bank(&self, position: Arc<Position>) -> Result<(Arc<Position>, i64), Box<Fault>> {
        if self.banked.is_empty() {
            return Ok((position, 0));
        }
        let mut terms = position.terms().to_vec();
        let mut sum = Some(0i64);
        for term in &mut terms {
            let known = |(s, _): &&(Arc<Setting>, Banked)| Arc::ptr_eq(s, &term.setting);
            let Some((_, banked)) = self.banked.iter().find(known) else {
                continue;
            };
            let own = banked.take(&mut term.state, Span::default())?;
            let own = if term.negated { -own } else { own };
            let own = own.checked_mul(term.count.to_i64().unwrap_or(i64::MAX));
            sum = sum.zip(own).and_then(|(a, b)| a.checked_add(b));
        }
        let points = within(sum, Span::default())?;
        Ok((Arc::new(Position::sum(terms, Span::default())?), points))
    }
}

impl Game for NaiveGame {
    type Key = Arc<Position>;

    fn key(&self, part: &Arc<Position>) -> (Arc<Position>, Sign) {
        (part.clone(), Sign::Plus)
    }
}
