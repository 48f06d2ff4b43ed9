//! Who wins under any [`Rules`]. Input: a position and who moves first. Output: who can force a win, or that nobody can.
//!
//! A *node* is a position with the player to move (and, under elimination, the players still in). Rules have no history, so
//! what can be forced from a node depends on the node alone. There are two methods:
//!
//! * `proof`: proof-number search (L. V. Allis, *Searching for Solutions in Games and Artificial Intelligence*, 1994; depth
//!   first: A. Nagai 2002). Its proofs are finite trees, so they hold whatever infinite play means. It gives up where it
//!   meets a node again below itself.
//! * `listed`: lists all nodes that can follow and decides them by retrograde analysis from the ends. This is exact with
//!   cycles, too, and gives the number of moves that the winner needs (Zermelo 1913; Smith 1966).
//!
//! A coalition plays as one player: it forces a win if one of its members wins, whatever the others do together. Play that
//! never ends is won by nobody, except that rules for two players may name its winner.
//!
//! **Theorem.** Let only finitely many nodes follow a start, and let nobody win infinite play. Let C be a coalition, W the ends
//! that a member of C wins, and F the nodes at which a rule fails. Write A(X) for the nodes from which C, against all others
//! together, forces play into X in finitely many moves.
//!
//! 1. If the start is in A(W), then C wins.
//! 2. If the start is not in A(W ∪ F), then the others can keep play out of W and F, so C does not win.
//! 3. Otherwise C cannot force a win, and the others cannot prevent one without the risk that a rule fails. The question is
//!    refused.
//!
//! Proof. A(X) is the least set described in `listed`. At a node outside of it all moves of C stay outside, and so does some
//! move of the others. Which case holds depends on the nodes alone, not on their order or on other questions. ∎
//!
//! Other lines of play may repeat, and rules may fail on them. A proof or disproof that `proof` finds is a finite tree
//! without nodes of F, which shows case 1 or case 2. Two players draw if case 2 holds for each of them. If the rules name a
//! winner of infinite play, see `listed`.

mod listed;
mod nodes;
mod proof;

use crate::game::{Budget, Convention, End, Limit, Player, Rules, Shortcut, Shortcuts, Step};
use listed::Listed;
use proof::Proofs;

use super::stopped::{Refused, Stopped, StoppedIn};

/// The result of best play from a position, for a player to move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Fate {
    /// This player wins.
    Won(Player),
    /// Nobody can force a win.
    Drawn,
}

/// A fate with the number of moves until the end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Played {
    /// Who wins.
    pub fate: Fate,
    /// Moves until the end if the winner hurries and the loser holds out; 0 if he has won before the first move. `None` in a
    /// draw, and where the winner wins by infinite play.
    pub moves: Option<u32>,
}

/// Who is to move, and whether a move has led to the position. The clauses of an end that speak of the last mover are asked
/// after each move, where he is known. So a position that play has reached, and in which it goes on, is not asked again as
/// the first one of a game, in which nobody has moved.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ToMove {
    /// Who is to move.
    pub player: Player,
    /// Whether a move has led here, which has not ended play.
    pub reached: bool,
}

impl ToMove {
    /// The player moves at a position that a move has reached without ending play.
    #[must_use]
    pub fn after_a_move(player: Player) -> ToMove {
        ToMove {
            player,
            reached: true,
        }
    }
}

impl From<Player> for ToMove {
    /// The player makes the first move of a game.
    fn from(player: Player) -> ToMove {
        ToMove {
            player,
            reached: false,
        }
    }
}

/// The most players: the players who are in are one word, as in [`End::Won`].
const MOST_PLAYERS: u8 = 64;

/// A position, who is to move, and who is still in.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Node<P> {
    position: P,
    mover: u8,
    alive: u64,
}

/// The target of a move: an end, or a node.
enum Next<P> {
    Ended(End),
    Node(Node<P>),
}

/// The targets of all moves from a node, or what follows if there are none.
enum Moves<P> {
    Some(Vec<Next<P>>),
    Stuck(Next<P>),
}

/// The bit of a player; none beyond the most players.
fn bit(player: u8) -> u64 {
    1u64.checked_shl(u32::from(player)).unwrap_or(0)
}

/// The next player in turn among those who are in.
fn after(player: u8, alive: u64) -> u8 {
    let up_to = u64::MAX >> u32::from(63 - player.min(63));
    let above = alive & !up_to;
    let next = if above == 0 { alive } else { above };
    next.trailing_zeros() as u8
}

/// The representative of all images of a node.
fn least<R: Rules>(rules: &R, node: Node<R::Position>) -> Node<R::Position> {
    match rules.image(&node.position, false) {
        Some(position) => Node { position, ..node },
        None => node,
    }
}

/// The bits of the first `players` players.
fn everyone(players: u8) -> u64 {
    u64::MAX >> (64 - u32::from(players.clamp(1, MOST_PLAYERS)))
}

/// The targets of the moves from a node.
fn moves<R: Rules>(
    rules: &R,
    node: &Node<R::Position>,
    steps: &mut Vec<Step<R::Position>>,
) -> Result<Moves<R::Position>, StoppedIn<R>> {
    steps.clear();
    rules
        .steps(&node.position, Player(node.mover), steps)
        .map_err(|fault| Stopped::Fault {
            position: node.position.clone(),
            fault,
        })?;
    if steps.is_empty() {
        return Ok(Moves::Stuck(stuck(rules, node)));
    }
    let next = steps.drain(..).map(|step| match step.end {
        Some(end) => Next::Ended(end),
        None => Next::Node(Node {
            position: step.to,
            mover: if step.again {
                node.mover
            } else {
                after(node.mover, node.alive)
            },
            alive: node.alive,
        }),
    });
    Ok(Moves::Some(next.collect()))
}

/// What follows when the player to move has no move.
fn stuck<R: Rules>(rules: &R, node: &Node<R::Position>) -> Next<R::Position> {
    let players = rules.players();
    let won = |player: u8| Next::Ended(End::Won(bit(player)));
    match rules.convention() {
        Convention::Misere => won(node.mover),
        // Points are counted by `engine::scores`.
        Convention::StuckDraws | Convention::Scoring => Next::Ended(End::Drawn),
        Convention::Normal => won(after(node.mover, everyone(players))),
        // Turns pass in order, so the previous player has moved last.
        Convention::LastWins => won(Player(node.mover).before(players).0),
        Convention::Elimination => {
            let alive = node.alive & !bit(node.mover);
            if alive.count_ones() == 1 {
                return Next::Ended(End::Won(alive));
            }
            Next::Node(Node {
                position: node.position.clone(),
                mover: after(node.mover, node.alive),
                alive,
            })
        }
    }
}

/// The tables for the positions of some rules; they are kept between queries.
pub struct Arena<R: Rules> {
    proofs: Proofs<R::Position>,
    listed: Option<Listed<R::Position>>,
    memory: usize,
}

impl<R: Rules> Arena<R> {
    /// Empty tables that may take `memory` bytes.
    #[must_use]
    pub fn new(memory: usize) -> Arena<R> {
        Arena {
            proofs: Proofs::new(memory),
            listed: None,
            memory,
        }
    }

    /// The arena with other shortcuts.
    #[must_use]
    pub fn with_shortcuts(mut self, shortcuts: Shortcuts) -> Arena<R> {
        self.proofs.threats = shortcuts.has(Shortcut::Threats);
        self
    }

    /// The arena with a deliberate mistake in a shortcut, for the tests that must catch it: a player who must reply to a
    /// threat has lost.
    #[doc(hidden)]
    #[must_use]
    pub fn planting(mut self, mistake: Option<Shortcut>) -> Arena<R> {
        self.proofs.unanswered = mistake == Some(Shortcut::Threats);
        self
    }

    /// How many nodes were expanded for proofs, and at how many of them the replies to a threat were forced.
    #[must_use]
    pub fn counts(&self) -> (u64, u64) {
        (self.proofs.looked, self.proofs.forced)
    }

    /// The first node. A player who does not take part is refused, and so are more players than [`End`] can name.
    fn start(
        rules: &R,
        position: &R::Position,
        first: Player,
    ) -> Result<Node<R::Position>, StoppedIn<R>> {
        let players = rules.players();
        if players > MOST_PLAYERS {
            return Err(Stopped::Refused(Refused::TooManyPlayers));
        }
        if first.0 >= players {
            return Err(Stopped::Refused(Refused::NoSuchPlayer));
        }
        Ok(Node {
            position: position.clone(),
            mover: first.0,
            alive: everyone(players),
        })
    }

    /// How play has ended at a position before the first move, if it has.
    fn ended(
        rules: &R,
        position: &R::Position,
        first: ToMove,
    ) -> Result<Option<End>, StoppedIn<R>> {
        if first.reached {
            return Ok(None);
        }
        rules.ended(position).map_err(|fault| Stopped::Fault {
            position: position.clone(),
            fault,
        })
    }

    /// Whether a coalition (bit i for player i) can force that one of its members wins.
    ///
    /// # Errors
    /// A limit, a rule that fails where that matters, or a player who does not take part.
    pub fn forces(
        &mut self,
        rules: &R,
        position: &R::Position,
        first: impl Into<ToMove>,
        coalition: u64,
        budget: &Budget,
    ) -> Result<bool, StoppedIn<R>> {
        self.forces_among(rules, position, first.into(), u64::MAX, coalition, budget)
    }

    /// The same in the middle of a game, in which the players `within` are still in.
    ///
    /// # Errors
    /// As for [`Arena::forces`].
    pub fn forces_among(
        &mut self,
        rules: &R,
        position: &R::Position,
        first: ToMove,
        within: u64,
        coalition: u64,
        budget: &Budget,
    ) -> Result<bool, StoppedIn<R>> {
        let mut start = Self::start(rules, position, first.player)?;
        start.alive &= within;
        if let Some(end) = Self::ended(rules, position, first)? {
            return Ok(matches!(end, End::Won(who) if who & coalition != 0));
        }
        if rules.convention() == Convention::Elimination && start.alive.count_ones() == 1 {
            return Ok(start.alive & coalition != 0);
        }
        if let Some(listed) = &self.listed
            && let Some(known) = listed.forces(rules, &start, coalition)
        {
            return known;
        }
        match self.proofs.prove(rules, &start, coalition, budget) {
            Err(Stopped::Cycle { .. } | Stopped::Fault { .. }) => {
                let listed = self.list(rules, &start, budget)?;
                listed
                    .forces(rules, &start, coalition)
                    .unwrap_or(Err(Stopped::Limit(Limit::Nodes)))
            }
            result => result,
        }
    }

    /// The result of best play of two players.
    ///
    /// # Errors
    /// A limit; a rule that fails on a line of play that matters.
    pub fn fate(
        &mut self,
        rules: &R,
        position: &R::Position,
        first: impl Into<ToMove>,
        budget: &Budget,
    ) -> Result<Fate, StoppedIn<R>> {
        self.fate_of(rules, position, first.into(), budget)
    }

    fn fate_of(
        &mut self,
        rules: &R,
        position: &R::Position,
        first: ToMove,
        budget: &Budget,
    ) -> Result<Fate, StoppedIn<R>> {
        for player in [first.player, first.player.opponent()] {
            if self.forces(rules, position, first, bit(player.0), budget)? {
                return Ok(Fate::Won(player));
            }
        }
        Ok(Fate::Drawn)
    }

    /// The same with the number of moves.
    ///
    /// # Errors
    /// As for [`Arena::fate`].
    pub fn played(
        &mut self,
        rules: &R,
        position: &R::Position,
        first: impl Into<ToMove>,
        budget: &Budget,
    ) -> Result<Played, StoppedIn<R>> {
        self.played_from(rules, position, first.into(), budget)
    }

    fn played_from(
        &mut self,
        rules: &R,
        position: &R::Position,
        first: ToMove,
        budget: &Budget,
    ) -> Result<Played, StoppedIn<R>> {
        let start = Self::start(rules, position, first.player)?;
        if let Some(end) = Self::ended(rules, position, first)? {
            return Ok(match end {
                End::Won(who) => Played {
                    fate: Fate::Won(Player(who.trailing_zeros() as u8)),
                    moves: Some(0),
                },
                End::Drawn => Played {
                    fate: Fate::Drawn,
                    moves: None,
                },
            });
        }
        if let Some(known) = self.listed.as_ref().and_then(|l| l.played(rules, &start)) {
            return known;
        }
        let listed = self.list(rules, &start, budget)?;
        listed
            .played(rules, &start)
            .unwrap_or(Err(Stopped::Limit(Limit::Nodes)))
    }

    /// How many nodes the last listing has; 0 if there is none.
    #[must_use]
    pub fn nodes_listed(&self) -> usize {
        self.listed.as_ref().map_or(0, Listed::len)
    }

    fn list(
        &mut self,
        rules: &R,
        start: &Node<R::Position>,
        budget: &Budget,
    ) -> Result<&Listed<R::Position>, StoppedIn<R>> {
        let listed = Listed::from(rules, start, self.memory, budget)?;
        self.proofs.clear();
        Ok(self.listed.insert(listed))
    }
}
