//! The naive evaluator behind the seam [`Game`]: whole positions as keys, no splitting, nothing shared between boards.

use super::moves;
use crate::game::{Cancel, Convention, End, Game, Player, Rules, Sign, Step, options_by_steps};
use crate::ir::eval::{Evaluator, NoHost, STEPS};
use crate::ir::fault::Fault;
use crate::ir::position::Position;
use crate::model::typed::Model;
use std::sync::Arc;

/// Positions of the language as a game, without any cleverness.
#[derive(Clone, Debug)]
pub struct NaiveGame {
    model: Arc<Model>,
    players: u8,
    convention: Convention,
    endless: Option<Player>,
    steps: u64,
    cancel: Cancel,
}

impl NaiveGame {
    /// The game that is played from a position.
    #[must_use]
    pub fn new(model: Arc<Model>, position: &Position) -> NaiveGame {
        NaiveGame {
            model,
            players: position.players(),
            convention: position.convention(),
            endless: position.endless(),
            steps: STEPS,
            cancel: Cancel::new(),
        }
    }

    /// With another limit of steps for the options of one position.
    #[must_use]
    pub fn with_steps(self, steps: u64) -> NaiveGame {
        NaiveGame { steps, ..self }
    }

    /// The game; making the options of a position ends when this is cancelled.
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

impl Game for NaiveGame {
    type Key = Arc<Position>;

    fn key(&self, part: &Arc<Position>) -> (Arc<Position>, Sign) {
        (part.clone(), Sign::Plus)
    }
}
