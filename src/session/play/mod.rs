//! A game in progress. Input: a position, the players' words and requests for hints; output: the position, the move that was
//! meant, who has won, and the best move, as plain data.
//!
//! A move is named by its choices, in the order of the rule: `a = (1, 1), b = (1, 2)`, or only `1 1 1 2`, or as many of the
//! first words as are needed. An illegal move is answered with the condition it violates.

mod advice;

use crate::base::Span;
use crate::claim::figure::{Figure, figure};
use crate::claim::why::{Why, why};
use crate::claim::{Answerer, Solver, diagnose};
use crate::diagnostic::{Code, Diagnostic};
use crate::game::{Cancel, Convention, End, Player};
use crate::ir::naive;
use crate::ir::naive::tries::{Forbidden, tries};

pub use crate::ir::naive::tries::ForbiddenBy;

use crate::ir::view::View;
use crate::ir::{Evaluator, Instance, NoHost, Position, Res, draw};
use crate::model::typed::Model;
use crate::value::notation::Style;
pub use advice::{Advice, Prospect, Reason};
use std::ops::ControlFlow;
use std::sync::Arc;

/// The most choices that are tried when a move is read.
const MOST_TRIES: usize = 50_000;
/// The most options for which a losing player searches for the hardest reply.
const MOST_REPLIES: usize = 40;

/// A move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Choice {
    /// The choices: `a = (1, 1), b = (1, 2)`.
    pub text: String,
    /// The words that name the move.
    words: Vec<String>,
    /// The position after the move.
    pub position: Arc<Position>,
    /// Whether the same player moves next.
    again: bool,
    /// The end of play there, by a clause of the rules.
    end: Option<End>,
}

/// The meaning of typed words.
#[derive(Clone, PartialEq, Debug)]
pub enum Reading {
    /// One move.
    Move(Choice),
    /// Several moves that begin with these words.
    Several(Vec<Choice>),
    /// A choice that the rules forbid.
    Forbidden {
        /// What was chosen.
        text: String,
        /// What forbids it.
        span: Span,
        /// Whether that is a condition, an effect, or a place.
        kind: ForbiddenBy,
    },
    /// A site or an edge that is no longer on the board.
    Gone(String),
    /// No choice has this name. The places of the rules.
    Unknown(Vec<Span>),
}

/// The state of a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Standing {
    /// This player is to move.
    ToMove(Player),
    /// The game is over: this player has won.
    Won(Player),
    /// The game is over: all players except this one have won.
    Lost(Player),
    /// The game is over: a draw.
    Drawn,
}

impl Standing {
    /// The standing after play has ended.
    fn ended(end: End, players: usize) -> Standing {
        let player = |bits: u64| Player(u8::try_from(bits.trailing_zeros()).unwrap_or(0));
        match end {
            End::Drawn => Standing::Drawn,
            End::Won(who) if who.count_ones() == 1 => Standing::Won(player(who)),
            End::Won(who) => {
                let all = u64::MAX >> (64 - players.clamp(1, 64));
                Standing::Lost(player(all & !who))
            }
        }
    }

    /// Whether play goes on.
    #[must_use]
    pub fn is_over(&self) -> bool {
        !matches!(self, Standing::ToMove(_))
    }
}

/// A position during a game.
#[derive(Clone, Debug)]
struct Stage {
    position: Arc<Position>,
    to_move: Player,
    /// The player who made the last move.
    last: Option<Player>,
    /// The players who are out (play by elimination).
    out: Vec<bool>,
    standing: Standing,
    /// The final score, where points are counted and play is over.
    points: Option<i64>,
    /// The move that led here.
    by: Option<String>,
}

/// A game being played.
#[derive(Debug)]
pub struct Play {
    solver: Solver,
    model: Arc<Model>,
    style: Style,
    cancel: Cancel,
    /// Whether the last mover loses.
    misere: bool,
    stages: Vec<Stage>,
}

/// The words of a text: letters, digits and the signs that belong to names; names before `=` are omitted.
fn words(text: &str) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    let mut word = String::new();
    for c in text.chars().chain([' ']) {
        if c.is_alphanumeric() || c == '_' {
            word.push(c);
            continue;
        }
        if !word.is_empty() {
            out.push(std::mem::take(&mut word));
        }
        if c == '=' {
            out.pop();
        }
    }
    out
}

/// Whether the results are outcomes of two players, as opposed to sets of winners.
fn by_outcome(position: &Position) -> bool {
    position.players() == 2
        && matches!(
            position.convention(),
            Convention::Normal | Convention::Misere | Convention::StuckDraws | Convention::Scoring
        )
}

impl Play {
    /// Starts a game at a position.
    ///
    /// # Errors
    /// A rule that fails; misère play of a position that is not for two players under normal play.
    pub(super) fn new(
        solver: Solver,
        model: Arc<Model>,
        style: Style,
        cancel: Cancel,
        position: &Arc<Position>,
        (first, misere): (Player, bool),
    ) -> Result<Play, Diagnostic> {
        if misere && (!by_outcome(position) || solver.is_decided(position)) {
            return Err(Diagnostic::error(
                Code::E0315,
                "misère play is for two players, of whom the last to move loses, and nothing else ends play",
            ));
        }
        let mut play = Play {
            solver,
            model,
            style,
            cancel,
            misere,
            stages: Vec::new(),
        };
        let stage = Stage {
            position: position.clone(),
            to_move: first,
            last: None,
            out: vec![false; usize::from(position.players())],
            standing: Standing::ToMove(first),
            points: None,
            by: None,
        };
        let ev = Evaluator::new(&play.model, &NoHost).with_cancel(play.cancel.clone());
        if let Some(end) = naive::ended(&ev, position, None).map_err(|f| diagnose(&f))? {
            let players = stage.out.len();
            play.stages.push(Stage {
                standing: Standing::ended(end, players),
                ..stage
            });
            return Ok(play);
        }
        let stage = play.settle(stage).map_err(|f| diagnose(&f))?;
        play.stages.push(stage);
        Ok(play)
    }

    fn now(&self) -> &Stage {
        // The first stage always exists.
        &self.stages[self.stages.len() - 1]
    }

    /// The position.
    #[must_use]
    pub fn position(&self) -> &Arc<Position> {
        &self.now().position
    }

    /// The figure of the position, with what the moves of this game add to it: who took which cells.
    ///
    /// # Errors
    /// The position is too large to draw; says what is too large.
    pub fn figure(&self) -> Result<Figure, String> {
        let mut shown: Option<Figure> = None;
        for stage in &self.stages {
            let mut next = figure(&stage.position)?;
            if let (Some(before), Some(mover)) = (&shown, stage.last) {
                next.follow(before, mover);
            }
            shown = Some(next);
        }
        shown.map_or_else(|| figure(self.position()), Ok)
    }

    /// The token with which a search can be ended, so that the next one can begin ([`Cancel::skip`]).
    #[must_use]
    pub fn token(&self) -> Cancel {
        self.solver.token().clone()
    }

    /// Whether the last mover loses.
    #[must_use]
    pub fn is_misere(&self) -> bool {
        self.misere
    }

    /// Who is to move, or who has won.
    #[must_use]
    pub fn standing(&self) -> &Standing {
        &self.now().standing
    }

    /// The name of a player.
    #[must_use]
    pub fn name(&self, player: Player) -> String {
        self.position().player_name(player).to_string()
    }

    /// The players.
    #[must_use]
    pub fn players(&self) -> Vec<Player> {
        (0..self.position().players()).map(Player).collect()
    }

    /// Determines who moves: skips players who are out, and detects the end of the game.
    fn settle(&self, mut stage: Stage) -> Res<Stage> {
        let n = stage.out.len().max(1);
        let next = |p: Player| Player(u8::try_from((p.index() + 1) % n).unwrap_or(0));
        let before = |p: Player| Player(u8::try_from((p.index() + n - 1) % n).unwrap_or(0));
        for _ in 0..=n {
            let remain: Vec<usize> = (0..n).filter(|i| !stage.out[*i]).collect();
            if let [one] = remain[..]
                && stage.position.convention() == Convention::Elimination
            {
                stage.standing = Standing::Won(Player(u8::try_from(one).unwrap_or(0)));
                return Ok(stage);
            }
            let mover = stage.to_move;
            if stage.out.get(mover.index()) == Some(&true) {
                stage.to_move = next(mover);
                continue;
            }
            if self.legal(&stage.position, mover, 1)?.is_empty() {
                match stage.position.convention() {
                    Convention::Normal => {
                        let winner = match self.misere {
                            true => mover,
                            false => mover.opponent(),
                        };
                        stage.standing = Standing::Won(winner);
                        return Ok(stage);
                    }
                    Convention::Misere => {
                        stage.standing = Standing::Won(mover);
                        return Ok(stage);
                    }
                    Convention::StuckDraws => {
                        stage.standing = Standing::Drawn;
                        return Ok(stage);
                    }
                    Convention::Scoring => {
                        let points = self.solver.score_at_the_end(&stage.position, mover)?;
                        stage.standing = match points {
                            0 => Standing::Drawn,
                            1.. => Standing::Won(Player::LEFT),
                            _ => Standing::Won(Player::RIGHT),
                        };
                        stage.points = Some(points);
                        return Ok(stage);
                    }
                    Convention::LastWins => {
                        let winner = stage.last.unwrap_or_else(|| before(mover));
                        stage.standing = Standing::Won(winner);
                        return Ok(stage);
                    }
                    Convention::Elimination => {
                        if let Some(out) = stage.out.get_mut(mover.index()) {
                            *out = true;
                        }
                        stage.to_move = next(mover);
                    }
                }
                continue;
            }
            stage.standing = Standing::ToMove(mover);
            return Ok(stage);
        }
        stage.standing = Standing::Won(before(stage.to_move));
        Ok(stage)
    }

    /// Tries all choices of a player, term by term.
    fn try_all(
        &self,
        position: &Arc<Position>,
        player: Player,
        each: &mut dyn FnMut(Choice, Result<(), Forbidden>) -> ControlFlow<()>,
    ) -> Res<()> {
        let ev = Evaluator::new(&self.model, &NoHost).with_cancel(self.cancel.clone());
        let answered = position.entailed();
        for (i, term) in position.terms().iter().enumerate() {
            if answered.is_some_and(|only| only != i) {
                continue;
            }
            let mover = if term.negated {
                player.opponent()
            } else {
                player
            };
            let instance: &Instance = &term.setting.instance;
            let mut ended = false;
            tries(&ev, &term.setting, &term.state, mover, &mut |tried| {
                let label = instance.rules.moves.get(tried.rule);
                let label = label.and_then(|m| m.label.clone());
                let mut text: Vec<String> = label.iter().map(ToString::to_string).collect();
                let mut named: Vec<String> = Vec::new();
                for (name, v) in &tried.bindings {
                    let shown = draw::value(v, Some(instance));
                    text.push(format!("{name} = {shown}"));
                    named.extend(words(&shown));
                }
                // A move in which nothing is chosen has no other name.
                if text.is_empty() {
                    text.push(match instance.rules.moves.len() {
                        1 => "move".to_owned(),
                        _ => format!("move {}", tried.rule + 1),
                    });
                }
                let again = tried.again;
                let (position, result) = match tried.result {
                    Ok(state) => (position.after(i, state, Span::default())?, Ok(())),
                    Err(forbidden) => (Position::default(), Err(forbidden)),
                };
                let choice = Choice {
                    text: text.join(", "),
                    words: named,
                    end: match (&result, position.has_values()) {
                        (Ok(()), false) => naive::ended(&ev, &position, Some(player))?,
                        _ => None,
                    },
                    again,
                    position: Arc::new(position),
                };
                ended = each(choice, result).is_break();
                Ok(if ended {
                    ControlFlow::Break(())
                } else {
                    ControlFlow::Continue(())
                })
            })?;
            if ended {
                break;
            }
        }
        Ok(())
    }

    /// At most `most` options of a player, each under its first name.
    fn legal(&self, position: &Arc<Position>, player: Player, most: usize) -> Res<Vec<Choice>> {
        let mut all: Vec<Choice> = Vec::new();
        let mut seen = std::collections::BTreeSet::new();
        self.try_all(position, player, &mut |choice, result| {
            if result.is_ok() && seen.insert((choice.position.clone(), choice.again)) {
                all.push(choice);
            }
            if all.len() >= most {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        })?;
        Ok(all)
    }

    /// The moves of the player to move.
    ///
    /// # Errors
    /// A rule that fails; the search was ended.
    pub fn moves(&self) -> Result<Vec<Choice>, Diagnostic> {
        self.first_moves(usize::MAX)
    }

    /// At most so many of them.
    ///
    /// # Errors
    /// As for [`Play::moves`].
    pub fn first_moves(&self, most: usize) -> Result<Vec<Choice>, Diagnostic> {
        match self.now().standing {
            Standing::ToMove(p) => self
                .legal(&self.now().position, p, most)
                .map_err(|f| diagnose(&f)),
            _ => Ok(Vec::new()),
        }
    }

    /// What typed words mean for the player to move.
    ///
    /// # Errors
    /// A rule that fails.
    pub fn read(&self, text: &str) -> Result<Reading, Diagnostic> {
        let Standing::ToMove(player) = self.now().standing else {
            return Ok(Reading::Unknown(Vec::new()));
        };
        let wanted = words(text);
        let mut exact: Vec<Choice> = Vec::new();
        let mut begun: Vec<Choice> = Vec::new();
        let mut forbidden: Option<(bool, Forbidden, String)> = None;
        let mut looked = 0;
        let add = |list: &mut Vec<Choice>, choice: Choice| {
            if !list
                .iter()
                .any(|c| c.position == choice.position && c.again == choice.again)
            {
                list.push(choice);
            }
        };
        self.try_all(&self.now().position, player, &mut |choice, result| {
            looked += 1;
            let rank = |f: &(bool, Forbidden, String)| (f.0, f.1.stage, f.1.held);
            // The remaining words may be omitted.
            let own = &choice.words;
            let whole = *own == wanted;
            let starts = !wanted.is_empty() && own.len() > wanted.len() && own.starts_with(&wanted);
            // A label may precede the choices.
            let labelled = words(&choice.text) == wanted;
            match result {
                Ok(()) if whole || labelled => add(&mut exact, choice),
                Ok(()) if starts => add(&mut begun, choice),
                Err(f) if whole || starts => {
                    let found = (whole, f, choice.text);
                    if forbidden.as_ref().is_none_or(|o| rank(o) < rank(&found)) {
                        forbidden = Some(found);
                    }
                }
                _ => {}
            }
            if looked >= MOST_TRIES {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        })
        .map_err(|f| diagnose(&f))?;
        let mut found = if exact.is_empty() { begun } else { exact };
        Ok(match (found.len(), forbidden) {
            (1, _) => Reading::Move(found.swap_remove(0)),
            (0, Some((_, f, text))) => Reading::Forbidden {
                text,
                span: f.span,
                kind: f.kind,
            },
            (0, None) => {
                if let Some(gone) = self.gone(&wanted) {
                    return Ok(Reading::Gone(gone));
                }
                let rules = self.now().position.terms().iter();
                let mut spans: Vec<Span> = rules
                    .flat_map(|t| t.setting.instance.rules.moves.iter().map(|m| m.span))
                    .collect();
                spans.dedup();
                Reading::Unknown(spans)
            }
            _ => Reading::Several(found),
        })
    }

    /// The first site or edge named by the words that is no longer on the board.
    fn gone(&self, wanted: &[String]) -> Option<String> {
        for term in self.now().position.terms() {
            let view = View::at_state(&term.setting, &term.state);
            let board = view.board;
            let sites = (0..u32::try_from(board.sites()).unwrap_or(u32::MAX))
                .filter(|s| !view.has_site(*s))
                .map(|s| board.label(s));
            let edges = (0..u32::try_from(board.lines.len()).unwrap_or(u32::MAX))
                .filter(|e| !view.has_edge(*e))
                .filter_map(|e| board.edge(e));
            for thing in sites.chain(edges) {
                let name = draw::value(&thing, Some(&term.setting.instance));
                let own = words(&name);
                if !own.is_empty() && wanted.windows(own.len()).any(|w| w == own) {
                    return Some(name);
                }
            }
        }
        None
    }

    /// Makes a move.
    ///
    /// # Errors
    /// A rule that fails.
    pub fn make(&mut self, choice: &Choice) -> Result<(), Diagnostic> {
        let now = self.now();
        let Standing::ToMove(mover) = now.standing else {
            return Ok(());
        };
        let n = now.out.len().max(1);
        let stage = Stage {
            position: choice.position.clone(),
            to_move: match choice.again {
                true => mover,
                false => Player(u8::try_from((mover.index() + 1) % n).unwrap_or(0)),
            },
            last: Some(mover),
            out: now.out.clone(),
            standing: now.standing.clone(),
            points: None,
            by: Some(format!("{}: {}", self.name(mover), choice.text)),
        };
        if let Some(end) = choice.end {
            self.stages.push(Stage {
                standing: Standing::ended(end, n),
                ..stage
            });
            return Ok(());
        }
        let stage = self.settle(stage).map_err(|f| diagnose(&f))?;
        self.stages.push(stage);
        Ok(())
    }

    /// Takes back moves until one of these players is to move. Returns whether any move was taken back.
    pub fn undo(&mut self, people: &[Player]) -> bool {
        let before = self.stages.len();
        let mut at = before;
        while at > 1 {
            at -= 1;
            let standing = &self.stages[at - 1].standing;
            if matches!(standing, Standing::ToMove(p) if people.contains(p)) {
                break;
            }
        }
        let there =
            matches!(&self.stages[at - 1].standing, Standing::ToMove(p) if people.contains(p));
        if at == before || !there {
            return false;
        }
        self.stages.truncate(at);
        true
    }

    /// The final score, Left's points minus Right's, where points are counted and play is over.
    #[must_use]
    pub fn points(&self) -> Option<i64> {
        self.now().points
    }

    /// The moves made so far, as words: `Left: a = (1, 1)`.
    #[must_use]
    pub fn made(&self) -> Vec<String> {
        self.stages.iter().filter_map(|s| s.by.clone()).collect()
    }

    /// How many times the position has already occurred with the same player to move.
    #[must_use]
    pub fn repetitions(&self) -> usize {
        let now = self.now();
        let before = &self.stages[..self.stages.len() - 1];
        let same = |s: &&Stage| s.position == now.position && s.standing == now.standing;
        before.iter().filter(same).count()
    }

    /// Explains the value of the position.
    ///
    /// # Errors
    /// A rule that fails, or a limit.
    pub fn why(&self) -> Result<Why, Diagnostic> {
        let answerer = Answerer::new(&self.solver, self.style);
        why(&answerer, self.position()).map_err(|f| diagnose(&f))
    }
}

#[cfg(test)]
mod tests {
    use super::words;

    #[test]
    fn words_are_what_is_chosen() {
        assert_eq!(words("a = (1, 1), b = (1, 2)"), ["1", "1", "1", "2"]);
        assert_eq!(words("1,1"), ["1", "1"]);
        assert_eq!(words("e = ground -- u"), ["ground", "u"]);
        assert!(words(" ,= ").is_empty());
    }
}
