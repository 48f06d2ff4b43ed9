//! Nimbers and loony values of impartial rules in which a move may keep the turn (`again`) or end all play. Input: a
//! position. Output: a nimber or `loony`.
//!
//! **Theorem** (U. Larsson, R. J. Nowakowski, C. P. dos Santos, *Impartial games with entailing moves*, 2021; for
//! Nimstring E. R. Berlekamp, J. H. Conway, R. K. Guy, *Winning Ways*, chapters 12 and 16). Let play end, let both
//! players have the same moves at every position, and let a player who cannot move lose. For a position v let S(v) be the
//! set of those x for which the player to move wins v + *x with a first move in v. Then S(v) is the union, over the moves
//! in v, of
//!
//! * {val t} for a move to t that passes the turn, but the empty set if t is loony;
//! * all x except val t for a move to t that keeps the turn, and all x if t is loony;
//! * all x for a move that wins, and the empty set for a move that loses.
//!
//! If S(v) contains every x, v is *loony*: the first player wins every sum that contains v. Otherwise val v = mex S(v),
//! and in sums v can be replaced by *val v.
//!
//! *Hypotheses*, checked at every follower: equal moves for both players, no draw, no repeated position. The convention
//! is normal play.

use hashbrown::{HashMap, HashSet};
use rustc_hash::FxBuildHasher;
use std::hash::Hash;

use super::stopped::{Stopped, StoppedIn};
use crate::game::{Budget, Convention, End, Limit, Player, Rules, Step};

/// The value of a position in sums.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Affine {
    /// Equal to a nim-heap of this size.
    Nimber(u32),
    /// The first player wins every sum that contains it.
    Loony,
}

impl Affine {
    /// The value of the sum of two.
    #[must_use]
    pub fn plus(self, other: Affine) -> Affine {
        match (self, other) {
            (Affine::Nimber(m), Affine::Nimber(n)) => Affine::Nimber(m ^ n),
            _ => Affine::Loony,
        }
    }

    /// Whether the player to move wins.
    #[must_use]
    pub fn next_player_wins(self) -> bool {
        self != Affine::Nimber(0)
    }
}

/// Why the theorem does not apply, with the position that violates a hypothesis, if there is one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NotAffine<P> {
    /// A player who cannot move does not lose, or there are not two players.
    Convention,
    /// Play has ended before the first move.
    Ended,
    /// Play can end here without a winner.
    Draw(P),
    /// The players have different moves here.
    Partizan(P),
}

impl<P> NotAffine<P> {
    /// Maps the position.
    pub fn map<Q>(self, f: impl FnOnce(P) -> Q) -> NotAffine<Q> {
        match self {
            NotAffine::Convention => NotAffine::Convention,
            NotAffine::Ended => NotAffine::Ended,
            NotAffine::Draw(p) => NotAffine::Draw(f(p)),
            NotAffine::Partizan(p) => NotAffine::Partizan(f(p)),
        }
    }
}

/// A move as its player sees it.
#[derive(PartialEq, Eq, Hash)]
enum Seen<'p, P> {
    Pass(&'p P),
    Again(&'p P),
    Win,
    Lose,
}

/// The state of a position in the search.
enum Mark {
    /// It lies on the current line of play.
    Open,
    Known(Affine),
}

/// A position on the current line of play, with the values of the moves evaluated so far.
struct Frame<P> {
    position: P,
    /// Moves not evaluated yet.
    steps: Vec<Step<P>>,
    /// The nimbers of moves that pass the turn.
    passed: Vec<u32>,
    /// The nimber of a move that keeps the turn.
    kept: Option<u32>,
    loony: bool,
}

impl<P> Frame<P> {
    /// Adds a move to a position with this value.
    fn take(&mut self, again: bool, worth: Affine) {
        match (again, worth) {
            (false, Affine::Nimber(n)) => self.passed.push(n),
            (false, Affine::Loony) => {}
            (true, Affine::Loony) => self.loony = true,
            // The complements of two different points cover everything.
            (true, Affine::Nimber(n)) => match self.kept {
                Some(m) if m != n => self.loony = true,
                _ => self.kept = Some(n),
            },
        }
    }

    fn worth(mut self) -> Affine {
        if self.loony {
            return Affine::Loony;
        }
        if let Some(n) = self.kept {
            return match self.passed.contains(&n) {
                true => Affine::Loony,
                false => Affine::Nimber(n),
            };
        }
        self.passed.sort_unstable();
        let mut mex = 0;
        for n in self.passed {
            mex += u32::from(n == mex);
        }
        Affine::Nimber(mex)
    }
}

/// A memo table of the positions of some rules; it is kept between queries.
pub struct Affines<R: Rules> {
    known: HashMap<R::Position, Mark, FxBuildHasher>,
    /// Bytes that the stored positions hold on the heap.
    heap: usize,
    memory: usize,
}

/// The result of a query: a value, or why there is none.
type Found<R> = Result<Affine, NotAffine<<R as Rules>::Position>>;

impl<R: Rules> Affines<R> {
    /// An empty table that may take `memory` bytes.
    #[must_use]
    pub fn new(memory: usize) -> Affines<R> {
        Affines {
            known: HashMap::with_hasher(FxBuildHasher),
            heap: 0,
            memory,
        }
    }

    /// The value of a position in sums, or which hypothesis fails.
    ///
    /// # Errors
    /// A limit, a rule that fails, a line of play that repeats a position.
    pub fn worth(
        &mut self,
        rules: &R,
        position: &R::Position,
        budget: &Budget,
    ) -> Result<Found<R>, StoppedIn<R>> {
        if rules.convention() != Convention::Normal || rules.players() != 2 {
            return Ok(Err(NotAffine::Convention));
        }
        let ended = rules.ended(position).map_err(|fault| Stopped::Fault {
            position: position.clone(),
            fault,
        })?;
        if ended.is_some() {
            return Ok(Err(NotAffine::Ended));
        }
        let mut line = Vec::new();
        let found = self.search(rules, position, budget, &mut line);
        // After a refusal or a limit, positions may still be marked as open.
        for frame in line {
            if self.known.remove(&frame.position).is_some() {
                let heap = rules.position_bytes(&frame.position);
                self.heap = self.heap.saturating_sub(heap);
            }
        }
        found
    }

    fn search(
        &mut self,
        rules: &R,
        position: &R::Position,
        budget: &Budget,
        line: &mut Vec<Frame<R::Position>>,
    ) -> Result<Found<R>, StoppedIn<R>> {
        if let Some(Mark::Known(worth)) = self.known.get(position) {
            return Ok(Ok(*worth));
        }
        match self.open(rules, position, budget)? {
            Ok(frame) => line.push(frame),
            Err(reason) => return Ok(Err(reason)),
        }
        while let Some(frame) = line.last_mut() {
            let Some(step) = frame.steps.pop() else {
                let Some(frame) = line.pop() else { break };
                let position = frame.position.clone();
                let worth = frame.worth();
                self.known.insert(position, Mark::Known(worth));
                match line.last_mut() {
                    None => return Ok(Ok(worth)),
                    // The move that led here is still the last of its parent's list.
                    Some(before) => {
                        let again = before.steps.pop().is_some_and(|s| s.again);
                        before.take(again, worth);
                    }
                }
                continue;
            };
            match self.known.get(&step.to) {
                Some(Mark::Known(worth)) => frame.take(step.again, *worth),
                Some(Mark::Open) => {
                    let from = line.iter().position(|f| f.position == step.to);
                    let cycle = line[from.unwrap_or(0)..].iter();
                    let mut cycle: Vec<_> = cycle.map(|f| f.position.clone()).collect();
                    cycle.push(step.to);
                    return Err(Stopped::Cycle { line: cycle });
                }
                None => {
                    let below = self.open(rules, &step.to, budget)?;
                    frame.steps.push(step);
                    match below {
                        Ok(below) => line.push(below),
                        Err(reason) => return Ok(Err(reason)),
                    }
                }
            }
        }
        Err(Stopped::Limit(Limit::Nodes))
    }

    /// Lists the moves of a new position and checks the hypotheses there.
    fn open(
        &mut self,
        rules: &R,
        position: &R::Position,
        budget: &Budget,
    ) -> Result<Result<Frame<R::Position>, NotAffine<R::Position>>, StoppedIn<R>> {
        budget.charge()?;
        let heap = rules.position_bytes(position);
        self.allow(heap, budget)?;
        let of = |player: Player| {
            let mut steps = Vec::new();
            match rules.steps(position, player, &mut steps) {
                Ok(()) => Ok(steps),
                Err(fault) => Err(Stopped::Fault {
                    position: position.clone(),
                    fault,
                }),
            }
        };
        let (left, right) = (of(Player::LEFT)?, of(Player::RIGHT)?);
        let seen = (see(&left, Player::LEFT), see(&right, Player::RIGHT));
        let (Some(by_left), Some(by_right)) = seen else {
            return Ok(Err(NotAffine::Draw(position.clone())));
        };
        if !same(&by_left, &by_right) {
            return Ok(Err(NotAffine::Partizan(position.clone())));
        }
        let loony = by_left.contains(&Seen::Win);
        self.known.insert(position.clone(), Mark::Open);
        self.heap += heap;
        let mut steps = left;
        steps.retain(|s| s.end.is_none());
        Ok(Ok(Frame {
            position: position.clone(),
            steps,
            passed: Vec::new(),
            kept: None,
            loony,
        }))
    }

    /// Whether the memory limit allows one more position that holds `heap` bytes.
    fn allow(&self, heap: usize, budget: &Budget) -> Result<(), Limit> {
        let entry = size_of::<(R::Position, Mark)>() + 1;
        // While it grows, a table holds the old array beside the new one.
        let growing = self.known.len() == self.known.capacity();
        let table = self.known.capacity() * entry * if growing { 3 } else { 1 };
        let bytes = table + self.heap + heap;
        if growing || self.known.len().is_multiple_of(1 << 10) {
            budget.pulse().note(0, bytes);
        }
        match bytes > self.memory {
            true => Err(Limit::Memory),
            false => Ok(()),
        }
    }
}

/// The moves of a player from his point of view; `None` if one is a draw or is won by both.
fn see<P>(steps: &[Step<P>], player: Player) -> Option<Vec<Seen<'_, P>>> {
    let own = 1 << player.0;
    let other = 1 << player.opponent().0;
    let one = |step| match step {
        &Step {
            ref to,
            again,
            end: None,
        } => Some(if again {
            Seen::Again(to)
        } else {
            Seen::Pass(to)
        }),
        Step {
            end: Some(End::Won(who)),
            ..
        } if *who == own => Some(Seen::Win),
        Step {
            end: Some(End::Won(who)),
            ..
        } if *who == other => Some(Seen::Lose),
        _ => None,
    };
    steps.iter().map(one).collect()
}

/// Whether two lists are equal as sets of moves.
fn same<P: Eq + Hash>(a: &[Seen<'_, P>], b: &[Seen<'_, P>]) -> bool {
    if a == b {
        return true;
    }
    let within = |a: &[Seen<'_, P>], b: &[Seen<'_, P>]| {
        let set: HashSet<_, FxBuildHasher> = b.iter().collect();
        a.iter().all(|m| set.contains(m))
    };
    within(a, b) && within(b, a)
}
