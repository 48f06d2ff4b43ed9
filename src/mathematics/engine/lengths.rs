//! How long play lasts: rules of two players whose play ends and a position come in; who wins, the *remoteness* and the
//! *suspense* go out.
//!
//! Remoteness is the number of moves where the winner hurries and the loser holds out (H. Steinhaus 1925; C. A. B. Smith, *Graphs and
//! composite games*, 1966), suspense the number where the winner takes his time and the loser wants an end (*Winning Ways*, chapter
//! 9). Where a player can force a win, remoteness is 1 and the least one among his winning moves, suspense 1 and the greatest;
//! where all moves lose it is 1 and the greatest one, suspense 1 and the least; both are 0 where play is over. A position that
//! nobody wins has neither.
//!
//! Each node is looked at once, depth first. Play that comes again is refused: suspense has no bound there.

use rustc_hash::FxHashMap;

use super::stopped::{Stopped, StoppedIn};
use crate::game::{Budget, Convention, End, Limit, Player, Rules, Step};

/// What play comes to for the player to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Length {
    /// Whether he wins; nothing where nobody can force a win.
    pub wins: Option<bool>,
    /// Moves until the end where the winner hurries; 0 in a draw.
    pub remoteness: u32,
    /// Moves until the end where the winner takes his time; 0 in a draw.
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

    /// From the side of the other player.
    fn turned(self) -> Length {
        Length {
            wins: self.wins.map(|w| !w),
            ..self
        }
    }

    /// From what all moves lead to.
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

/// What play comes to where `first` moves at a position, under a convention that may be another one than that of the rules. Where both
/// players are said to have the same moves for ever, `impartial`, only one of them is looked at.
///
/// # Errors
/// A limit; a rule that goes wrong; a line of play that comes again.
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
        // Points are counted by `engine::scores`.
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
    // Nothing where the node is above the one at hand.
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

/// Whether a player has won by an end.
fn won(end: End, player: Player) -> Option<bool> {
    match end {
        End::Won(who) => Some(who >> (player.0 & 63) & 1 == 1),
        End::Drawn => None,
    }
}
