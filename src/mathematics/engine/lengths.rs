//! How long play lasts. Input: rules of two players whose play ends, and a position. Output: who wins, the *remoteness* and
//! the *suspense*.
//!
//! Remoteness is the number of moves if the winner hurries and the loser holds out (H. Steinhaus 1925; C. A. B. Smith,
//! *Graphs and composite games*, 1966). Suspense is the number of moves if the winner delays and the loser hurries
//! (*Winning Ways*, chapter 9). If the player to move can force a win, his remoteness is 1 plus the least remoteness, and
//! his suspense 1 plus the greatest suspense, among his winning moves. If all moves lose, remoteness is 1 plus the
//! greatest, and suspense 1 plus the least. Both are 0 where play is over. A position that nobody wins has neither.
//!
//! Each node (a position and the player to move) is visited once, depth first. A repeated position is refused: there
//! suspense has no bound.

use rustc_hash::FxHashMap;

use super::stopped::{Stopped, StoppedIn};
use crate::game::{Budget, Convention, End, Limit, Player, Rules, Step};

/// The result of play for the player to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Length {
    /// Whether he wins; `None` if nobody can force a win.
    pub wins: Option<bool>,
    /// Moves until the end if the winner hurries; 0 in a draw.
    pub remoteness: u32,
    /// Moves until the end if the winner delays; 0 in a draw.
    pub suspense: u32,
}

impl Length {
    /// Play is over.
    const fn over(wins: Option<bool>) -> Length {
        Length {
            wins,
            remoteness: 0,
            suspense: 0,
        }
    }

    /// The same from the other player's point of view.
    fn turned(self) -> Length {
        Length {
            wins: self.wins.map(|w| !w),
            ..self
        }
    }

    /// From the results of all options, seen by the player who moves.
    fn of_options(options: impl Iterator<Item = Length> + Clone) -> Length {
        let of = |wins| options.clone().filter(move |o| o.wins == Some(wins));
        let drawn = options.clone().any(|o| o.wins.is_none());
        let more = |n: Option<u32>| n.unwrap_or(0).saturating_add(1);
        if of(true).next().is_some() {
            return Length {
                wins: Some(true),
                remoteness: more(of(true).map(|o| o.remoteness).min()),
                suspense: more(of(true).map(|o| o.suspense).max()),
            };
        }
        if drawn {
            return Length::over(None);
        }
        Length {
            wins: Some(false),
            remoteness: more(of(false).map(|o| o.remoteness).max()),
            suspense: more(of(false).map(|o| o.suspense).min()),
        }
    }
}

/// Where a move leads.
enum Next<P> {
    /// Play is over.
    Over(Length),
    /// A node, and whether the same player moves there.
    Node((P, Player), bool),
}

struct Frame<P> {
    node: (P, Player),
    next: Vec<Next<P>>,
    /// How many of them are known.
    known: usize,
}

/// The result of play from a position where `first` moves, under a convention that need not be that of the rules. If both
/// players are known to have the same moves at every follower (`impartial`), only one of them is searched. The table may
/// take `memory` bytes.
///
/// # Errors
/// A limit, a rule that fails, a repeated position.
pub fn length<R: Rules>(
    rules: &R,
    start: &R::Position,
    first: Player,
    convention: Convention,
    impartial: bool,
    memory: usize,
    budget: &Budget,
) -> Result<Length, StoppedIn<R>> {
    let fault = |position: &R::Position| {
        let position = position.clone();
        move |fault| Stopped::Fault { position, fault }
    };
    if let Some(end) = rules.ended(start).map_err(fault(start))? {
        return Ok(Length::over(won(end, first)));
    }
    let stuck = Length::over(match convention {
        Convention::Misere => Some(true),
        // `engine::scores` counts points.
        Convention::StuckDraws | Convention::Scoring => None,
        Convention::Normal | Convention::LastWins | Convention::Elimination => Some(false),
    });
    let mut steps: Vec<Step<R::Position>> = Vec::new();
    let mut open = |node: (R::Position, Player)| {
        steps.clear();
        rules
            .steps(&node.0, node.1, &mut steps)
            .map_err(fault(&node.0))?;
        let next = steps.drain(..).map(|step| match step.end {
            Some(end) => Next::Over(Length::over(won(end, node.1))),
            None => {
                let mover = match step.again || impartial {
                    true => node.1,
                    false => node.1.opponent(),
                };
                Next::Node((step.to, mover), step.again)
            }
        });
        let next = next.collect();
        let known = 0;
        Ok::<_, StoppedIn<R>>(Frame { node, next, known })
    };
    // `None` for nodes on the current line of play.
    let mut found: FxHashMap<(R::Position, Player), Option<Length>> = FxHashMap::default();
    let mut bytes = 0;
    let start = (start.clone(), first);
    found.insert(start.clone(), None);
    let mut stack = vec![open(start)?];
    loop {
        let Some(frame) = stack.last_mut() else {
            return Err(Stopped::Limit(Limit::Nodes));
        };
        let mut below = None;
        while let Some(next) = frame.next.get_mut(frame.known) {
            if let Next::Node(node, same) = next {
                match found.get(node) {
                    None => {
                        below = Some(node.clone());
                        break;
                    }
                    Some(None) => {
                        let again = node.clone();
                        let from = stack.iter().position(|f| f.node == again);
                        let line = stack[from.unwrap_or(0)..].iter();
                        let mut line: Vec<_> = line.map(|f| f.node.0.clone()).collect();
                        line.push(again.0);
                        return Err(Stopped::Cycle { line });
                    }
                    Some(Some(length)) => {
                        let length = if *same { *length } else { length.turned() };
                        *next = Next::Over(length);
                    }
                }
            }
            frame.known += 1;
        }
        if let Some(node) = below {
            budget.charge()?;
            bytes += rules.position_bytes(&node.0) + 2 * size_of::<(R::Position, Player, Length)>();
            if found.len().is_multiple_of(1 << 10) {
                budget.pulse().note(0, bytes);
            }
            if bytes > memory {
                return Err(Stopped::Limit(Limit::Memory));
            }
            found.insert(node.clone(), None);
            stack.push(open(node)?);
            continue;
        }
        let options = frame.next.iter().map(|next| match next {
            Next::Over(length) => *length,
            Next::Node(..) => Length::over(None),
        });
        let length = match frame.next.is_empty() {
            true => stuck,
            false => Length::of_options(options),
        };
        let Some(done) = stack.pop() else {
            return Err(Stopped::Limit(Limit::Nodes));
        };
        if stack.is_empty() {
            return Ok(length);
        }
        found.insert(done.node, Some(length));
    }
}

/// Whether a player has won by an end; `None` for a draw.
fn won(end: End, player: Player) -> Option<bool> {
    match end {
        End::Won(who) => Some(who >> (player.0 & 63) & 1 == 1),
        End::Drawn => None,
    }
}
