//! The naive evaluator behind the seam [`Game`]: whole positions as keys, no splitting, nothing shared between boards.

use super::moves;
use crate::game::{Cancel, Convention, Game, Player, Sign};
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

impl Game for NaiveGame {
    type Position = Arc<Position>;
    type Key = Arc<Position>;
    type Fault = Box<Fault>;

    fn players(&self) -> u8 {
        self.players
    }

    fn convention(&self) -> Convention {
        self.convention
    }

    fn options(
        &self,
        position: &Arc<Position>,
        player: Player,
        options: &mut Vec<Arc<Position>>,
    ) -> Result<(), Box<Fault>> {
        let host = NoHost;
        let ev = Evaluator::new(&self.model, &host)
            .with_steps(self.steps)
            .with_cancel(self.cancel.clone());
        let reached = moves(&ev, position, player)?;
        options.extend(reached.into_iter().map(|m| Arc::new(m.position)));
        Ok(())
    }

    fn key(&self, part: &Arc<Position>) -> (Arc<Position>, Sign) {
        (part.clone(), Sign::Plus)
    }
}
