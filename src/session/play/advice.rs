//! Advice during a game. Input: a stage of a game; output: the best moves, what they lead to and why they are best, and
//! whether the last move was a mistake.

use super::{Choice, MOST_REPLIES, Play, Stage, Standing, by_outcome};
use crate::base::Span;
use crate::claim::{Answerer, Winner, diagnose, fate_of};
use crate::diagnostic::Diagnostic;
use crate::engine::arena::{Fate, ToMove};
use crate::game::{End, Player};
use crate::ir::{Code as FaultCode, Fault, Position, Res, draw};
use std::sync::Arc;

/// The prospect of the player to move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Prospect {
    /// This player wins with perfect play.
    Wins,
    /// Another player wins.
    Loses(Player),
    /// Nobody can force a win.
    Drawn,
    /// Nobody wins alone.
    Queer,
}

/// Why a move is good.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reason {
    /// The nim-sum of the remaining position is 0.
    NimSum(Vec<u32>),
    /// The rest consists of two positions with opposite values: a move in one is answered in the other.
    Mirror(String, String),
    /// The rest is a number, in which nobody wants to move.
    Number(String),
    /// The opponent's last move is reversed: the new position (the second value) is at least as good for the mover as the
    /// position before that move (the first value).
    Reversal(String, String),
    /// The rest has this value, at which the next player loses.
    Value(String),
    /// For several players, and in misère play, no further reason is given.
    Wins,
    /// The game is won in this many moves, including this one.
    WinsIn(u32),
    /// Nothing wins; the opponent needs this many moves to win, including this one.
    LosesIn(u32),
    /// No move wins, but this one does not lose.
    Draws,
    /// No move wins; this one leaves the opponents the fewest winning replies, whose number is given.
    Hardest(usize),
    /// A limit was met.
    Unknown(String),
}

/// Advice at a position, from which hints are given step by step.
#[derive(Clone, PartialEq, Debug)]
pub struct Advice {
    /// Who wins.
    pub prospect: Option<Prospect>,
    /// The independent component in which the move is made, if there are several.
    pub part: Option<String>,
    /// The number of components.
    pub parts: usize,
    /// The recommended move.
    pub choice: Choice,
    /// Why it is recommended.
    pub reason: Reason,
}

impl Play {
    /// The result of best play by two players if `first` begins.
    fn fate(&self, position: &Position, to_move: ToMove) -> Res<Fate> {
        let first = to_move.player;
        if self.misere {
            let outcome = self.solver.misere_outcome(position, Span::default())?;
            return Ok(fate_of(outcome, first));
        }
        if self.solver.is_decided(position) {
            return self.solver.fate(position, to_move, Span::default());
        }
        let outcome = self.solver.outcome(position, Span::default())?;
        Ok(fate_of(outcome, first))
    }

    /// The result of best play by two players after a move.
    fn fate_after(&self, mover: Player, choice: &Choice) -> Res<Fate> {
        match choice.end {
            Some(End::Drawn) => Ok(Fate::Drawn),
            Some(End::Won(who)) => Ok(Fate::Won(match who & 1 {
                1 => Player::LEFT,
                _ => Player::RIGHT,
            })),
            None => {
                let next = match choice.again {
                    true => mover,
                    false => mover.opponent(),
                };
                self.fate(&choice.position, ToMove::after_a_move(next))
            }
        }
    }

    /// Whether the mover wins after a move.
    fn wins_after(&self, mover: Player, choice: &Choice) -> Res<bool> {
        let position = &choice.position;
        if by_outcome(position) {
            return Ok(self.fate_after(mover, choice)? == Fate::Won(mover));
        }
        if let Some(end) = choice.end {
            return Ok(matches!(end, End::Won(who) if who >> (mover.0 & 63) & 1 == 1));
        }
        let out = &self.now().out;
        let n = out.len().max(1);
        let mut turns = (1..=n).map(|i| (mover.index() + i) % n);
        let next = turns.find(|p| out.get(*p) != Some(&true));
        let next = match (choice.again, next) {
            (false, Some(next)) => Player(u8::try_from(next).unwrap_or(0)),
            _ => mover,
        };
        let winner =
            self.solver
                .winner_among(position, ToMove::after_a_move(next), out, Span::default())?;
        Ok(winner.includes(mover))
    }

    /// The player to move now; only the first stage has no move before it.
    fn to_move(&self, player: Player) -> ToMove {
        ToMove {
            player,
            reached: self.stages.len() > 1,
        }
    }

    fn prospect(&self, mover: Player) -> Res<Prospect> {
        let position = &self.now().position;
        if by_outcome(position) {
            return Ok(match self.fate(position, self.to_move(mover))? {
                Fate::Won(p) if p == mover => Prospect::Wins,
                Fate::Won(p) => Prospect::Loses(p),
                Fate::Drawn => Prospect::Drawn,
            });
        }
        let out = &self.now().out;
        let winner =
            self.solver
                .winner_among(position, self.to_move(mover), out, Span::default())?;
        Ok(match (winner, winner.player()) {
            _ if winner.includes(mover) => Prospect::Wins,
            (_, Some(other)) => Prospect::Loses(other),
            (Winner::Drawn, _) => Prospect::Drawn,
            _ => Prospect::Queer,
        })
    }

    /// The best move. `None` if the game is over.
    ///
    /// # Errors
    /// A rule that fails.
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
        // Where a clause ends play, it ends the whole game, so components are irrelevant.
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
                // Values describe normal play that ends.
                let reason = match two && !self.misere {
                    true => match self.reason(mover, &choice.position) {
                        Err(fault) if fault.code == FaultCode::Cycle => {
                            let soonest = self.best_of_loops(mover, moves, prospect)?;
                            return Ok(Advice {
                                part: self.changed(&parts, &soonest.choice.position)?,
                                parts: parts.len(),
                                ..soonest
                            });
                        }
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
        // No move wins: choose the move after which the fewest replies win for the opponents.
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

    /// The winning move where positions can repeat. A win could be postponed for ever, so the move is one that wins soonest, or
    /// ends play if too many positions follow to say how soon the others win.
    fn best_of_loops(&self, mover: Player, moves: &[Choice], prospect: Prospect) -> Res<Advice> {
        let advice = self.best_decided(mover, moves, prospect)?;
        match (&advice.reason, self.last_move(mover, moves)?) {
            (Reason::Wins, Some(last)) => Ok(Advice {
                choice: last.clone(),
                ..advice
            }),
            _ => Ok(advice),
        }
    }

    /// A winning move that leaves the opponent no moves.
    fn last_move<'a>(&self, mover: Player, moves: &'a [Choice]) -> Res<Option<&'a Choice>> {
        for choice in moves.iter().filter(|c| !c.again) {
            let replies = self.legal(&choice.position, mover.opponent(), 1)?;
            if replies.is_empty() && self.wins_after(mover, choice)? {
                return Ok(Some(choice));
            }
        }
        Ok(None)
    }

    /// The move that wins soonest, or draws, or loses latest.
    fn best_decided(&self, mover: Player, moves: &[Choice], prospect: Prospect) -> Res<Advice> {
        let position = &self.now().position;
        let all = self
            .solver
            .decided_moves(position, self.to_move(mover), Span::default())?;
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

    /// The component that a move changes.
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

    /// The value of the position before the opponent's last move, if there was one.
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

    /// Why the player who moved to this position wins.
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
            // The components cannot be shown faithfully, so only the total is reported.
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

    /// The last move that gave away a win: the move, and the best move in its place. `None` if the winner was winning from
    /// the start, or nobody was.
    ///
    /// # Errors
    /// A rule that fails.
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
}
