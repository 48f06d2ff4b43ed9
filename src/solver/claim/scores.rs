//! Scores under best play, for rules that count points, by [`crate::engine::scores`]; and moves with their scores.

use super::card::picture;
use super::decided::DecidedMove;
use super::fault;
use super::guaranteed::Listings;
use super::host::Answerer;
use super::solve::Solver;
use super::subsets::Played;
use super::theory::{Question, Theory};
use super::why::{Sentence, Why};
use crate::base::Span;
use crate::engine::Stopped;
use crate::engine::arena::{self, Fate};
use crate::engine::scores::{Scores, Window};
use crate::game::Player;
use crate::ir::naive::{self, NaiveGame};
use crate::ir::{Code as FaultCode, Evaluator, Fault, NoHost, Position, Res, draw};
use std::cell::RefCell;
use std::sync::Arc;

/// A hint: the questions that rules with points answer.
pub(super) const WHAT_TO_ASK: &str = "ask what play comes to: `score(G, first: Left)`, `outcome(G)`, `winner(G, first: Left)`, `best(G, Left)`; in sums, where their conditions hold, `G <= H`, `mean(G)`, `cool(G, 1)`";

/// The results for positions of the rules that were queried last.
#[derive(Default)]
pub(super) struct Counted {
    naive: RefCell<Option<Scores<NaiveGame>>>,
    pub(super) listings: RefCell<Option<Listings>>,
    pub(super) subsets: RefCell<Played>,
}

impl std::fmt::Debug for Counted {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Counted")
    }
}

/// The refusal to give a score if the rules count no points.
pub(super) fn no_points(position: &Position, span: Span) -> Box<Fault> {
    let name = position.instances().map(|i| &i.name).next();
    let name = name.map_or_else(|| "the empty sum".to_owned(), ToString::to_string);
    Fault::new(
        FaultCode::NoTheory,
        span,
        format!("{name} has no score: it has no clause `score`"),
    )
    .help("a clause such as `score taken(Left) - taken(Right)` says what is counted; for other rules ask `value(G)` or `outcome(G)`")
}

/// The player with more points.
fn fate_of(points: i64) -> Fate {
    match points {
        0 => Fate::Drawn,
        1.. => Fate::Won(Player::LEFT),
        _ => Fate::Won(Player::RIGHT),
    }
}

impl Solver {
    /// The score under best play, Left's points minus Right's, if `first` begins.
    ///
    /// # Errors
    /// Rules that count no points; a limit; a rule that fails; a position that is repeated.
    pub fn score(&self, position: &Position, first: Player, span: Span) -> Res<i64> {
        Theory::answering(Question::Score, position, span)?;
        self.points(position, first, Window::ALL, span)
    }

    fn points(&self, position: &Position, first: Player, window: Window, span: Span) -> Res<i64> {
        let budget = &self.budget();
        if let Some(points) = self.points_of_subset(position, first, budget, span)? {
            return Ok(points);
        }
        let (game, start) = self.text(position);
        let kept = self.counted.naive.borrow_mut().take();
        let mut known = kept.unwrap_or_else(|| Scores::new(self.limits.memory));
        let found = known.score(&game, &start, first, window, budget);
        *self.counted.naive.borrow_mut() = Some(known);
        found.map_err(|s| {
            let grows = matches!(&s, Stopped::Cycle { line } if line.first() != line.last());
            let mut fault = fault::of_stop(s, span, &self.model, |p| Position::clone(p));
            if grows {
                fault.message =
                    "play need not end: a position comes again, but for the points".to_owned();
            }
            fault
        })
    }

    fn text(&self, position: &Position) -> (NaiveGame, Arc<Position>) {
        let game = NaiveGame::new(self.model.clone(), position).with_cancel(self.cancel.clone());
        (game, Arc::new(position.clone()))
    }

    /// The player with more points in the end, if `first` begins.
    pub(super) fn who_has_more(&self, position: &Position, first: Player, span: Span) -> Res<Fate> {
        self.points(position, first, Window::SIGN, span)
            .map(fate_of)
    }

    /// Whether a coalition forces that one of its members has more points. Both players together do so if either wins under
    /// best play.
    pub(super) fn coalition_scores(
        &self,
        position: &Position,
        coalition: &[Player],
        first: Player,
        span: Span,
    ) -> Res<bool> {
        let fate = self.who_has_more(position, first, span)?;
        match coalition {
            [] => Ok(false),
            [one] => Ok(fate == Fate::Won(*one)),
            _ if fate != Fate::Drawn => Ok(true),
            _ => Err(Fault::new(
                FaultCode::NoTheory,
                span,
                "whether both players together can keep a draw away is not asked where points are counted",
            )
            .help(WHAT_TO_ASK)),
        }
    }

    /// The moves of a player with their scores; the best moves are those with the best score.
    pub(super) fn scored_moves(
        &self,
        position: &Position,
        player: Player,
        span: Span,
    ) -> Res<Vec<DecidedMove>> {
        let mut found = Vec::new();
        for moved in self.moves(position, player)? {
            let next = match moved.again {
                true => player,
                false => player.opponent(),
            };
            let points = self.score(&moved.position, next, span)?;
            found.push(DecidedMove {
                moved,
                played: arena::Played {
                    fate: fate_of(points),
                    moves: None,
                },
                score: Some(points),
                best: false,
            });
        }
        let own = |m: &DecidedMove| match player {
            Player::LEFT => m.score,
            _ => m.score.map(|n| -n),
        };
        let top = found.iter().map(own).max();
        for m in &mut found {
            m.best = Some(own(m)) == top;
        }
        Ok(found)
    }

    /// The score of a position at which a player cannot move.
    ///
    /// # Errors
    /// A clause that fails.
    pub fn score_at_the_end(&self, position: &Position, stuck: Player) -> Res<i64> {
        let ev = Evaluator::new(&self.model, &NoHost).with_cancel(self.cancel.clone());
        naive::score(&ev, position, stuck)
    }
}

/// Explains the score: for each player who may begin, the score and a best move.
pub(super) fn why(answerer: &Answerer<'_>, position: &Arc<Position>) -> Res<Why> {
    let solver = answerer.solver();
    let mut why = Why {
        picture: picture(position),
        value: None,
        sentences: Vec::new(),
        parts: Vec::new(),
    };
    for first in [Player::LEFT, Player::RIGHT] {
        let moves = solver.scored_moves(position, first, Span::default())?;
        let best = moves.iter().find(|m| m.best);
        why.sentences.push(Sentence::Scored {
            first: position.player_name(first).to_string(),
            points: match best.and_then(|m| m.score) {
                Some(points) => points,
                None => solver.score(position, first, Span::default())?,
            },
            by: best.map(|m| draw::short(&m.moved.position)),
            worse: moves.iter().filter(|m| !m.best).count(),
        });
    }
    why.sentences.extend(solver.sentences_in_sums(position));
    Ok(why)
}
