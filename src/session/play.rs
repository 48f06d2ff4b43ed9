//! A game being played: positions, words of the players and questions for hints come in; the position, what was meant, who
//! has won and what perfect play would do come out as plain data.
//!
//! A move is named by what is chosen, in the order of the rule: `a = (1, 1), b = (1, 2)`, or only `1 1 1 2`, or the first of
//! these words as far as they are needed. What is no move is answered with the condition of the rule that forbids it.

use crate::base::Span;
use crate::claim::figure::{Figure, figure};
use crate::claim::why::{Why, why};
use crate::claim::{Answerer, Solver, Winner, diagnose, fate_of};
use crate::diagnostic::{Code, Diagnostic};
use crate::engine::arena::Fate;
use crate::game::{Cancel, Convention, End, Player};
use crate::ir::naive;
use crate::ir::naive::tries::{Forbidden, tries};

pub use crate::ir::naive::tries::ForbiddenBy;

use crate::ir::view::View;
use crate::ir::{Code as FaultCode, Evaluator, Fault, Instance, NoHost, Position, Res, draw};
use crate::model::typed::Model;
use crate::value::notation::Style;
use std::ops::ControlFlow;
use std::sync::Arc;

/// The most choices that are looked at to understand a word.
const MOST_TRIES: usize = 50_000;
/// The most options for which a lost player looks for the hardest reply.
const MOST_REPLIES: usize = 40;

/// A move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Choice {
    /// What is chosen: `a = (1, 1), b = (1, 2)`.
    pub text: String,
    /// The words that name it.
    words: Vec<String>,
    /// Where it leads.
    pub position: Arc<Position>,
    /// The same player moves next.
    again: bool,
    /// How play has ended there by a clause of the rules.
    end: Option<End>,
}

/// What words mean.
#[derive(Clone, PartialEq, Debug)]
pub enum Reading {
    /// This move.
    Move(Choice),
    /// Several moves begin so.
    Several(Vec<Choice>),
    /// It is forbidden.
    Forbidden {
        /// What was chosen.
        text: String,
        /// What forbids it.
        span: Span,
        /// Whether that is a condition, an effect, or a place.
        kind: ForbiddenBy,
    },
    /// It names a site or an edge that is no longer there.
    Gone(String),
    /// Nothing can be chosen that is called so. The places of the rules.
    Unknown(Vec<Span>),
}

/// Where a game stands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Standing {
    /// This player moves.
    ToMove(Player),
    /// It is over: this player has won.
    Won(Player),
    /// It is over: all but this player have won.
    Lost(Player),
    /// It is over, and nobody has won.
    Drawn,
}

impl Standing {
    /// How it stands where play has ended.
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

/// What is known of the player who moves.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Prospect {
    /// He wins with perfect play.
    Wins,
    /// Another player wins.
    Loses(Player),
    /// Nobody can force a win.
    Drawn,
    /// Nobody wins alone.
    Queer,
}

/// Why a move wins.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reason {
    /// The nim-sum of what is left is 0.
    NimSum(Vec<u32>),
    /// What is left is two positions of opposite values: whatever the other does in one, the answer is in the other.
    Mirror(String, String),
    /// A number is left: nobody wants to move in a number.
    Number(String),
    /// What is left (the second value) is at least as good for the one who moves as what was there before the other's last
    /// move (the first): his move is reversed.
    Reversal(String, String),
    /// What is left has this value, which is no loss for the one who does not move.
    Value(String),
    /// Of several players, and of misère play, that is all there is to say.
    Wins,
    /// The game is won in so many moves, this one included.
    WinsIn(u32),
    /// Nothing wins; the other needs so many moves, this one included.
    LosesIn(u32),
    /// Nothing wins, and this loses nothing.
    Draws,
    /// Nothing wins; this leaves the others the fewest winning replies.
    Hardest(usize),
    /// A limit was met.
    Unknown(String),
}

/// What perfect play knows at a position, for hints step by step.
#[derive(Clone, PartialEq, Debug)]
pub struct Advice {
    /// Who is winning.
    pub prospect: Option<Prospect>,
    /// The independent part in which the move is made, where there are several.
    pub part: Option<String>,
    /// How many parts there are.
    pub parts: usize,
    /// The move.
    pub choice: Choice,
    /// Why.
    pub reason: Reason,
}

/// A position in the course of a game.
#[derive(Clone, Debug)]
struct Stage {
    position: Arc<Position>,
    to_move: Player,
    /// Who made the last move.
    last: Option<Player>,
    /// Who is out (play by elimination).
    out: Vec<bool>,
    standing: Standing,
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
    /// Whoever moves last loses.
    misere: bool,
    stages: Vec<Stage>,
}

/// The words of a text: letters, digits and signs that belong to names; names before `=` are left out.
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

/// Whether the outcomes of two players say who wins, not the lists of the winners of several.
fn by_outcome(position: &Position) -> bool {
    position.players() == 2
        && matches!(
            position.convention(),
            Convention::Normal | Convention::Misere | Convention::StuckDraws
        )
}

impl Play {
    /// A game that begins at a position.
    ///
    /// # Errors
    /// A rule that goes wrong; misère play of a position that is not of two players under normal play.
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
        // There is always the first.
        &self.stages[self.stages.len() - 1]
    }

    /// The position.
    #[must_use]
    pub fn position(&self) -> &Arc<Position> {
        &self.now().position
    }

    /// The position with what the moves of this game tell of it: who took which cells.
    ///
    /// # Errors
    /// There is too much to draw: what, in words.
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

    /// Whether whoever moves last loses.
    #[must_use]
    pub fn is_misere(&self) -> bool {
        self.misere
    }

    /// Who moves, or who has won.
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

    /// Finds out who moves: passes over those who are out, and ends the game.
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

    /// Everything that a player could try, term by term.
    fn try_all(
        &self,
        position: &Arc<Position>,
        player: Player,
        each: &mut dyn FnMut(Choice, Result<(), Forbidden>) -> ControlFlow<()>,
    ) -> Res<()> {
        let ev = Evaluator::new(&self.model, &NoHost).with_cancel(self.cancel.clone());
        for (i, term) in position.terms().iter().enumerate() {
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

    /// The options of a player, each with its first name; at most so many.
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

    /// The moves of the player who moves.
    ///
    /// # Errors
    /// A rule that goes wrong.
    pub fn moves(&self) -> Result<Vec<Choice>, Diagnostic> {
        match self.now().standing {
            Standing::ToMove(p) => self
                .legal(&self.now().position, p, usize::MAX)
                .map_err(|f| diagnose(&f)),
            _ => Ok(Vec::new()),
        }
    }

    /// What words mean for the player who moves.
    ///
    /// # Errors
    /// A rule that goes wrong.
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
            // What follows from the first words need not be said.
            let own = &choice.words;
            let whole = *own == wanted;
            let starts = !wanted.is_empty() && own.len() > wanted.len() && own.starts_with(&wanted);
            // A label may stand before it.
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

    /// The first site or edge of the board that words name and that is no longer there.
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
    /// A rule that goes wrong.
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

    /// Takes back moves until one of these players moves; whether any was taken back.
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

    /// The moves made so far, as words: `Left: a = (1, 1)`.
    #[must_use]
    pub fn made(&self) -> Vec<String> {
        self.stages.iter().filter_map(|s| s.by.clone()).collect()
    }

    /// How often the position was there before, with the same player to move.
    #[must_use]
    pub fn repetitions(&self) -> usize {
        let now = self.now();
        let before = &self.stages[..self.stages.len() - 1];
        let same = |s: &&Stage| s.position == now.position && s.standing == now.standing;
        before.iter().filter(same).count()
    }

    /// What best play of two comes to where a player moves first.
    fn fate(&self, position: &Position, first: Player) -> Res<Fate> {
        if self.misere {
            let outcome = self.solver.misere_outcome(position, Span::default())?;
            return Ok(fate_of(outcome, first));
        }
        if self.solver.is_decided(position) {
            return self.solver.fate(position, first, Span::default());
        }
        let outcome = self.solver.outcome(position, Span::default())?;
        Ok(fate_of(outcome, first))
    }

    /// What best play of two comes to after a move.
    fn fate_after(&self, mover: Player, choice: &Choice) -> Res<Fate> {
        match choice.end {
            Some(End::Drawn) => Ok(Fate::Drawn),
            Some(End::Won(who)) => Ok(Fate::Won(match who & 1 {
                1 => Player::LEFT,
                _ => Player::RIGHT,
            })),
            None => {
                let next = if choice.again {
                    mover
                } else {
                    mover.opponent()
                };
                self.fate(&choice.position, next)
            }
        }
    }

    /// Whether the one who makes a move wins.
    fn wins_after(&self, mover: Player, choice: &Choice) -> Res<bool> {
        let position = &choice.position;
        if by_outcome(position) {
            return Ok(self.fate_after(mover, choice)? == Fate::Won(mover));
        }
        let n = usize::from(position.players()).max(1);
        if let Some(end) = choice.end {
            return Ok(matches!(end, End::Won(who) if who >> (mover.0 & 63) & 1 == 1));
        }
        if self.solver.is_decided(position) {
            let next = match choice.again {
                true => mover,
                false => Player(u8::try_from((mover.index() + 1) % n).unwrap_or(0)),
            };
            let winner = self.solver.winner(position, next, Span::default())?;
            return Ok(winner.player() == Some(mover));
        }
        let mut next = Player(u8::try_from((mover.index() + 1) % n).unwrap_or(0));
        for _ in 0..n {
            if self.now().out.get(next.index()) == Some(&true) {
                next = Player(u8::try_from((next.index() + 1) % n).unwrap_or(0));
            }
        }
        let out = &self.now().out;
        let winner = self
            .solver
            .winner_among(position, next, out, Span::default())?;
        Ok(winner == Some(mover))
    }

    fn prospect(&self, mover: Player) -> Res<Prospect> {
        let position = &self.now().position;
        if by_outcome(position) {
            return Ok(match self.fate(position, mover)? {
                Fate::Won(p) if p == mover => Prospect::Wins,
                Fate::Won(p) => Prospect::Loses(p),
                Fate::Drawn => Prospect::Drawn,
            });
        }
        if self.solver.is_decided(position) {
            return Ok(
                match self.solver.winner(position, mover, Span::default())? {
                    Winner::Alone(p) if p == mover => Prospect::Wins,
                    Winner::Alone(p) => Prospect::Loses(p),
                    Winner::Drawn => Prospect::Drawn,
                    Winner::Queer => Prospect::Queer,
                },
            );
        }
        Ok(
            match self
                .solver
                .winner_among(position, mover, &self.now().out, Span::default())?
            {
                Some(p) if p == mover => Prospect::Wins,
                Some(p) => Prospect::Loses(p),
                None => Prospect::Queer,
            },
        )
    }

    /// What perfect play would do. Nothing if the game is over.
    ///
    /// # Errors
    /// A rule that goes wrong.
    pub fn advise(&self) -> Result<Option<Advice>, Diagnostic> {
        let Standing::ToMove(mover) = self.now().standing else {
            return Ok(None);
        };
        let moves = self.moves()?;
        let Some(first) = moves.first().cloned() else {
            return Ok(None);
        };
        let told = |fault: Box<Fault>| -> Result<Option<Advice>, Diagnostic> {
            if fault.code.is_limit() {
                return Ok(Some(Advice {
                    prospect: None,
                    part: None,
                    parts: 0,
                    choice: first.clone(),
                    reason: Reason::Unknown(fault.message.clone()),
                }));
            }
            Err(diagnose(&fault))
        };
        match self.best(mover, &moves) {
            Ok(advice) => Ok(Some(advice)),
            Err(fault) => told(fault),
        }
    }

    fn best(&self, mover: Player, moves: &[Choice]) -> Res<Advice> {
        let position = &self.now().position;
        let two = by_outcome(position);
        // Where a clause ends play, it ends the whole of it: parts say nothing.
        let decided = self.solver.is_decided(position);
        let parts = match decided {
            true => vec![position.clone()],
            false => self.solver.parts(position)?,
        };
        let prospect = self.prospect(mover)?;
        if two && decided {
            return self.best_decided(mover, moves, prospect);
        }
        for choice in moves {
            if self.wins_after(mover, choice)? {
                // Values speak of normal play that ends.
                let reason = match two && !self.misere {
                    true => match self.reason(mover, &choice.position) {
                        Err(fault) if fault.code == FaultCode::Cycle => Reason::Wins,
                        reason => reason?,
                    },
                    false => Reason::Wins,
                };
                return Ok(Advice {
                    part: self.changed(&parts, &choice.position)?,
                    parts: parts.len(),
                    prospect: Some(prospect),
                    choice: choice.clone(),
                    reason,
                });
            }
        }
        if two && prospect == Prospect::Drawn {
            for choice in moves {
                if self.fate_after(mover, choice)? == Fate::Drawn {
                    return Ok(Advice {
                        part: None,
                        parts: parts.len(),
                        prospect: Some(prospect),
                        choice: choice.clone(),
                        reason: Reason::Draws,
                    });
                }
            }
        }
        // Nothing wins: the move after which the fewest replies win for the others.
        let mut best: Option<(usize, usize)> = None;
        if two && moves.len() <= MOST_REPLIES {
            for (i, choice) in moves.iter().enumerate() {
                let replies = self.legal(&choice.position, mover.opponent(), MOST_REPLIES)?;
                let mut winning = 0;
                for reply in &replies {
                    winning += usize::from(self.wins_after(mover.opponent(), reply)?);
                }
                if best.is_none_or(|(_, w)| winning < w) {
                    best = Some((i, winning));
                }
            }
        }
        let (i, winning) = best.unwrap_or((0, 0));
        let choice = moves[i.min(moves.len() - 1)].clone();
        Ok(Advice {
            part: self.changed(&parts, &choice.position)?,
            parts: parts.len(),
            prospect: Some(prospect),
            choice,
            reason: Reason::Hardest(winning),
        })
    }

    /// The move that wins soonest, or draws, or loses latest.
    fn best_decided(&self, mover: Player, moves: &[Choice], prospect: Prospect) -> Res<Advice> {
        let position = &self.now().position;
        let all = self
            .solver
            .decided_moves(position, mover, Span::default())?;
        let best = all.iter().find(|m| m.best);
        let choice = best.and_then(|m| {
            let same = |c: &&Choice| *c.position == m.moved.position && c.again == m.moved.again;
            moves.iter().find(same)
        });
        let reason = match best.map(|m| m.played) {
            Some(played) if played.fate == Fate::Won(mover) => match played.moves {
                Some(n) => Reason::WinsIn(n),
                None => Reason::Wins,
            },
            Some(played) if played.fate == Fate::Drawn => Reason::Draws,
            Some(played) => match played.moves {
                Some(n) => Reason::LosesIn(n),
                None => Reason::Hardest(0),
            },
            None => Reason::Hardest(0),
        };
        Ok(Advice {
            part: None,
            parts: 1,
            prospect: Some(prospect),
            choice: choice.unwrap_or(&moves[0]).clone(),
            reason,
        })
    }

    /// Which of the parts is no longer there after a move.
    fn changed(&self, parts: &[Arc<Position>], after: &Arc<Position>) -> Res<Option<String>> {
        if parts.len() < 2 {
            return Ok(None);
        }
        let mut left = self.solver.parts(after)?;
        let mut gone = Vec::new();
        for part in parts {
            match left.iter().position(|p| p == part) {
                Some(i) => {
                    left.swap_remove(i);
                }
                None => gone.push(part),
            }
        }
        Ok(match gone[..] {
            [one] => Some(draw::short(one)),
            _ => None,
        })
    }

    /// The value of the position before the other's last move, if he has made one.
    fn before_the_reply(&self, mover: Player) -> Res<Option<crate::value::CanonicalForm>> {
        let [.., before, now] = &self.stages[..] else {
            return Ok(None);
        };
        if now.last != Some(mover.opponent()) {
            return Ok(None);
        }
        self.solver
            .value(&before.position, Span::default())
            .map(Some)
    }

    /// Why the one who moved to this position wins.
    fn reason(&self, mover: Player, after: &Arc<Position>) -> Res<Reason> {
        let forms = self.solver.forms();
        let parts = self.solver.parts(after)?;
        let mut values = Vec::new();
        for part in &parts {
            values.push(self.solver.value(part, Span::default())?);
        }
        let value = self.solver.value(after, Span::default())?;
        let mut sum = crate::value::CanonicalForm::ZERO;
        for v in &values {
            let limit =
                |_| Fault::new(crate::ir::Code::TooMuch, Span::default(), "too much memory");
            sum = forms.add(sum, *v).map_err(limit)?;
        }
        if sum != value {
            // Parts that cannot be shown faithfully: only the whole is spoken of.
            values.clear();
        }
        let nimbers: Option<Vec<u32>> = values.iter().map(|v| forms.as_nimber(*v)).collect();
        let answerer = Answerer::new(&self.solver, self.style);
        if let Some(nimbers) = nimbers
            && nimbers.len() > 1
            && nimbers.iter().fold(0, |a, b| a ^ b) == 0
        {
            return Ok(Reason::NimSum(nimbers));
        }
        if let [a, b] = parts[..].as_ref()
            && forms.as_integer(value) == Some(0.into())
            && values
                .first()
                .is_some_and(|v| forms.as_integer(*v) != Some(0.into()))
        {
            return Ok(Reason::Mirror(draw::short(a), draw::short(b)));
        }
        let text = answerer.print(value);
        let zero = forms.as_integer(value) == Some(0.into());
        if (zero || !forms.is_number(value))
            && let Some(before) = self.before_the_reply(mover)?
        {
            let limit =
                |_| Fault::new(crate::ir::Code::TooMuch, Span::default(), "too much memory");
            let (less, more) = match mover == Player::LEFT {
                true => (before, value),
                false => (value, before),
            };
            if forms.less_or_equal(less, more).map_err(limit)? {
                return Ok(Reason::Reversal(answerer.print(before), text));
            }
        }
        Ok(if forms.is_number(value) {
            Reason::Number(text)
        } else {
            Reason::Value(text)
        })
    }

    /// The last move that gave a win away: the move, and what perfect play would have done there. Nothing if the winner
    /// was winning from the start, or nobody was.
    ///
    /// # Errors
    /// A rule that goes wrong.
    pub fn mistake(&mut self) -> Result<Option<(String, Advice)>, Diagnostic> {
        let Standing::Won(winner) = self.now().standing else {
            return Ok(None);
        };
        let mut after = Vec::new();
        let mut found = Ok(None);
        while self.stages.len() > 1 {
            after.extend(self.stages.pop());
            let Standing::ToMove(mover) = self.now().standing else {
                continue;
            };
            if mover == winner {
                continue;
            }
            let made = after.last().and_then(|stage: &Stage| stage.by.clone());
            match (self.advise(), made) {
                (Ok(Some(advice)), Some(made)) if advice.prospect == Some(Prospect::Wins) => {
                    found = Ok(Some((made, advice)));
                    break;
                }
                (Ok(_), _) => {}
                (Err(d), _) => {
                    found = Err(d);
                    break;
                }
            }
        }
        self.stages.extend(after.into_iter().rev());
        found
    }

    /// Why the position is worth what it is.
    ///
    /// # Errors
    /// A rule that goes wrong; a limit.
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
