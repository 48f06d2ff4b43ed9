//! The order of partizan positions in misère play, by [`crate::engine::misere::dicots`]. Input: two positions. Output:
//! whether one is at least as good for Left as the other beside all games of their class. The class is derived from the
//! positions: dicots if both are dicots, else dead-ending games. Other positions are refused.

use super::fault;
use super::solve::{Road, Solver};
use super::theory::{Question, Theory};
use crate::base::Span;
use crate::engine::misere::dicots::{Among, Comparison, Partizan};
use crate::game::Budget;
use crate::ir::{Code as FaultCode, Fault, Position, Res, draw};

impl Solver {
    /// The number of a position in a table of partizan games.
    fn partizan(
        &self,
        games: &mut Partizan,
        position: &Position,
        budget: &Budget,
        span: Span,
    ) -> Res<u32> {
        Theory::answering(Question::MisereValue, position, span)?;
        let memory = self.limits.memory;
        match self.road(position, span)? {
            Road::Fast(machine, start) => games
                .add(&*machine, &start, memory, budget)
                .map_err(|s| fault::of_stop(s, span, &self.model, |p| machine.show(p))),
            Road::Naive(game, start, _) => games
                .add(&game, &start, memory, budget)
                .map_err(|s| fault::of_stop(s, span, &self.model, |p| Position::clone(p))),
        }
    }

    /// Whether G <= H in misère play, among dicots or among dead-ending games.
    ///
    /// # Errors
    /// A position is not dead-ending; a limit; a rule that fails; a position that is repeated.
    pub(super) fn misere_le(&self, g: &Position, h: &Position, span: Span) -> Res<bool> {
        let mut games = Partizan::default();
        let mut numbers = [0; 2];
        let mut among = Among::Dicots;
        for (number, position) in numbers.iter_mut().zip([g, h]) {
            *number = self.partizan(&mut games, position, &self.budget(), span)?;
            match games.class(*number) {
                Some(Among::Dicots) => {}
                Some(Among::DeadEnding) => among = Among::DeadEnding,
                None => return Err(in_no_class(position, span)),
            }
        }
        let mut comparison = Comparison::new(among);
        comparison
            .ge(&games, numbers[1], numbers[0], &self.budget())
            .map_err(|limit| fault::of_limit(limit, span))
    }

    /// The class of a position for a card: `None` if it has many followers, or values of its own.
    pub(super) fn class_in_misere_play(&self, position: &Position) -> Option<&'static str> {
        let mut games = Partizan::default();
        let span = Span::default();
        let found = self.partizan(&mut games, position, &self.budget_for_a_card(), span);
        Some(match games.class(found.ok()?) {
            Some(Among::Dicots) => {
                "dicot: at each follower both players can move or neither can; `misere_le(G, H)` compares dicots"
            }
            Some(Among::DeadEnding) => {
                "dead-ending: a player who cannot move never can again; `misere_le(G, H)` compares dead-ending games"
            }
            None => "neither dicot nor dead-ending: no order is known beside other games",
        })
    }
}

fn in_no_class(position: &Position, span: Span) -> Box<Fault> {
    Fault::new(
        FaultCode::NoTheory,
        span,
        format!(
            "misère play has an order of dicots and of dead-ending games, and {} is neither: after some moves a player cannot move, but the other player's moves let him move again",
            draw::literal(position)
        ),
    )
    .help("ask who wins: `misere_outcome(G)`")
}
