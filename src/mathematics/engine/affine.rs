//! Nimbers and loony values of impartial rules in which a move may keep the turn (`again`), restrict its answer (`entail`) or
//! end all play. Input: a position. Output: a nimber or `loony`; of a position in which the last move must be answered, the
//! set of nimbers beside which the player to move wins.
//!
//! **Theorem** (U. Larsson, R. J. Nowakowski, C. P. dos Santos, *Impartial games with entailing moves*, 2021; for
//! Nimstring E. R. Berlekamp, J. H. Conway, R. K. Guy, *Winning Ways*, chapters 12 and 16). Let play end, let both
//! players have the same moves at every position, and let a player who cannot move lose. For a position v let S(v) be the
//! set of those x for which the player to move wins v + *x with a first move in v. Then S(v) is the union, over the moves
//! in v, of
//!
//! * {val t} for a move to t that passes the turn, but the empty set if t is loony;
//! * all x except val t for a move to t that keeps the turn, and all x if t is loony;
//! * all x except S(t) for a move to t that must be answered in t (Winning Ways, chapter 12), where the moves in t are the
//!   answers that are allowed;
//! * all x for a move that wins, and the empty set for a move that loses.
//!
//! If S(v) contains every x, v is *loony*: the first player wins every sum that contains v. Otherwise val v = mex S(v),
//! and in sums v can be replaced by *val v. Beside a loony part, the player who must answer in t wins if and only if S(t) has a
//! finite complement. All these sets are finite or have a finite complement.
//!
//! If t is a sum of parts a, b, .. of which one must be answered and of others that are free, an answer in a leaves b, .. free,
//! so S(t) is the union of S(a) shifted by the value of all but a, of S(b) shifted by that of all but b, and so on
//! ([`Nimbers::beside`]).
//!
//! *Hypotheses*, checked at every follower: equal moves for both players, no draw, no repeated position. The convention
//! is normal play.

pub mod heaps;

use hashbrown::{HashMap, HashSet};
use rustc_hash::FxBuildHasher;
use std::hash::Hash;
use std::sync::Arc;

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

/// A set of nimbers that is finite or has a finite complement.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Nimbers {
    /// The members or, if `all_but`, the others; in order.
    listed: Box<[u32]>,
    all_but: bool,
}

impl Nimbers {
    /// Whether a nimber is a member.
    #[must_use]
    pub fn contains(&self, n: u32) -> bool {
        self.listed.binary_search(&n).is_ok() != self.all_but
    }

    /// Whether the player to move wins, where he must answer in a position with this set, beside others of this value.
    #[must_use]
    pub fn wins_beside(&self, rest: Affine) -> bool {
        match rest {
            Affine::Nimber(n) => self.contains(n),
            Affine::Loony => self.all_but,
        }
    }

    /// The nimbers beside which the player to move wins, if others of this value are there as well.
    #[must_use]
    pub fn beside(&self, rest: Affine) -> Nimbers {
        let (mut listed, all_but) = match rest {
            Affine::Nimber(n) => (self.listed.iter().map(|m| m ^ n).collect(), self.all_but),
            Affine::Loony => (Vec::new(), self.all_but),
        };
        listed.sort_unstable();
        Nimbers {
            listed: listed.into(),
            all_but,
        }
    }

    /// The members or, if the flag is set, all others; in order.
    #[must_use]
    pub fn listed(&self) -> (&[u32], bool) {
        (&self.listed, self.all_but)
    }

    /// The nimbers that are no members.
    #[must_use]
    pub fn others(&self) -> Nimbers {
        Nimbers {
            listed: self.listed.clone(),
            all_but: !self.all_but,
        }
    }

    /// No nimber.
    #[must_use]
    pub fn none() -> Nimbers {
        Nimbers {
            listed: Box::default(),
            all_but: false,
        }
    }

    /// The least nimber that is no member; loony if there is none.
    fn mex(&self) -> Affine {
        if self.all_but {
            return self
                .listed
                .first()
                .map_or(Affine::Loony, |n| Affine::Nimber(*n));
        }
        let mut mex = 0;
        for n in &self.listed {
            mex += u32::from(*n == mex);
        }
        Affine::Nimber(mex)
    }
}

/// What is known of a position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Worth {
    /// Of one in which the player may move elsewhere.
    Free(Affine),
    /// Of one in which the last move must be answered.
    Forced(Arc<Nimbers>),
}

/// Why the theorem does not apply, with the position that violates a hypothesis, if there is one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NotAffine<P> {
    /// A player who cannot move does not lose, or there are not two players.
    Convention,
    /// Play has ended before the first move.
    Ended,
    /// The player to move is not free to move elsewhere.
    Forced,
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
            NotAffine::Forced => NotAffine::Forced,
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
    Known(Worth),
}

/// The union S(v), while moves are added.
#[derive(Default)]
struct Union {
    /// Members.
    some: Vec<u32>,
    /// All others, except these in order, are members, too.
    but: Option<Vec<u32>>,
}

impl Union {
    /// Adds all nimbers but some.
    fn all_but(&mut self, others: &[u32]) {
        match &mut self.but {
            Some(but) => but.retain(|n| others.binary_search(n).is_ok()),
            None => self.but = Some(others.to_vec()),
        }
    }

    /// Adds a set.
    fn add(&mut self, set: &Nimbers) {
        match set.all_but {
            false => self.some.extend_from_slice(&set.listed),
            true => self.all_but(&set.listed),
        }
    }

    /// Adds a move that must be answered in a position with this set.
    fn answered(&mut self, set: &Nimbers) {
        self.add(&set.others());
    }

    /// Adds a move to a position with this value.
    fn take(&mut self, again: bool, worth: &Worth) {
        match (again, worth) {
            (false, Worth::Free(Affine::Nimber(n))) => self.some.push(*n),
            (false, Worth::Free(Affine::Loony)) => {}
            (true, Worth::Free(Affine::Nimber(n))) => self.all_but(&[*n]),
            (true, Worth::Free(Affine::Loony)) => self.all_but(&[]),
            (_, Worth::Forced(set)) => self.answered(set),
        }
    }

    /// The nimbers beside which the player to move wins with one of these moves.
    fn wins(mut self) -> Nimbers {
        self.some.sort_unstable();
        self.some.dedup();
        match self.but {
            None => Nimbers {
                listed: self.some.into(),
                all_but: false,
            },
            Some(mut but) => {
                but.retain(|n| self.some.binary_search(n).is_err());
                Nimbers {
                    listed: but.into(),
                    all_but: true,
                }
            }
        }
    }
}

/// A position on the current line of play, with the moves evaluated so far.
struct Frame<P> {
    position: P,
    /// Moves not evaluated yet.
    steps: Vec<Step<P>>,
    evaluated: Union,
}

/// A memo table of the positions of some rules; it is kept between queries.
pub struct Affines<R: Rules> {
    known: HashMap<R::Position, Mark, FxBuildHasher>,
    /// Bytes that the stored positions hold on the heap.
    heap: usize,
    memory: usize,
}

/// The result of a query, or why there is none.
type Found<R, T> = Result<T, NotAffine<<R as Rules>::Position>>;

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
    ) -> Result<Found<R, Affine>, StoppedIn<R>> {
        Ok(match self.ask(rules, position, budget)? {
            Ok(Worth::Free(worth)) => Ok(worth),
            Ok(Worth::Forced(_)) => Err(NotAffine::Forced),
            Err(reason) => Err(reason),
        })
    }

    /// The value of a position in sums or, if the last move must be answered there, the nimbers beside which the player to
    /// move wins; or which hypothesis fails.
    ///
    /// # Errors
    /// A limit, a rule that fails, a line of play that repeats a position.
    pub fn ask(
        &mut self,
        rules: &R,
        position: &R::Position,
        budget: &Budget,
    ) -> Result<Found<R, Worth>, StoppedIn<R>> {
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
        let mut parts = Vec::new();
        rules.apart(position, &mut parts);
        let mut sum = Affine::Nimber(0);
        for part in &parts {
            let mut line = Vec::new();
            let found = self.search(rules, part, budget, &mut line);
            // After a refusal or a limit, positions may still be marked as open.
            for frame in line {
                if self.known.remove(&frame.position).is_some() {
                    let heap = rules.position_bytes(&frame.position);
                    self.heap = self.heap.saturating_sub(heap);
                }
            }
            match found? {
                Ok(Worth::Free(worth)) => sum = sum.plus(worth),
                other => return Ok(other),
            }
        }
        Ok(Ok(Worth::Free(sum)))
    }

    fn search(
        &mut self,
        rules: &R,
        position: &R::Position,
        budget: &Budget,
        line: &mut Vec<Frame<R::Position>>,
    ) -> Result<Found<R, Worth>, StoppedIn<R>> {
        if let Some(Mark::Known(worth)) = self.known.get(position) {
            return Ok(Ok(worth.clone()));
        }
        match self.open(rules, position, budget)? {
            Ok(frame) => line.push(frame),
            Err(reason) => return Ok(Err(reason)),
        }
        let (mut parts, mut answered) = (Vec::new(), Vec::new());
        while let Some(frame) = line.last_mut() {
            let Some(step) = frame.steps.pop() else {
                let Some(frame) = line.pop() else { break };
                let position = frame.position.clone();
                let forced = rules.is_forced(&position);
                let wins = frame.evaluated.wins();
                let worth = match forced {
                    false => Worth::Free(wins.mex()),
                    true => {
                        self.heap += size_of::<Nimbers>() + size_of_val(&*wins.listed);
                        Worth::Forced(Arc::new(wins))
                    }
                };
                self.known.insert(position, Mark::Known(worth.clone()));
                // The move that led here is still the last of its parent's list.
                if line.is_empty() {
                    return Ok(Ok(worth));
                }
                continue;
            };
            parts.clear();
            answered.clear();
            match rules.is_forced(&step.to) {
                true => rules.answers_apart(&step.to, &mut answered, &mut parts),
                false => rules.apart(&step.to, &mut parts),
            }
            let part = match self.of_parts(&parts, &answered) {
                Ok(worth) => {
                    frame.evaluated.take(step.again, &worth);
                    continue;
                }
                Err(part) => part,
            };
            if self.known.contains_key(part) {
                let from = line.iter().position(|f| f.position == *part);
                let cycle = line[from.unwrap_or(0)..].iter();
                let mut cycle: Vec<_> = cycle.map(|f| f.position.clone()).collect();
                cycle.push(part.clone());
                return Err(Stopped::Cycle { line: cycle });
            }
            frame.steps.push(step);
            match self.open(rules, part, budget)? {
                Ok(below) => line.push(below),
                Err(reason) => return Ok(Err(reason)),
            }
        }
        Err(Stopped::Limit(Limit::Nodes))
    }

    /// What is known of a sum of parts, see [`Rules::answers_apart`], or the first part of which nothing is known.
    fn of_parts<'p>(
        &self,
        rest: &'p [R::Position],
        answered: &'p [[R::Position; 2]],
    ) -> Result<Worth, &'p R::Position> {
        let known = |part: &'p R::Position| match self.known.get(part) {
            Some(Mark::Known(worth)) => Ok(worth),
            _ => Err(part),
        };
        let mut sum = Affine::Nimber(0);
        for part in rest {
            match known(part)? {
                Worth::Free(worth) => sum = sum.plus(*worth),
                forced @ Worth::Forced(_) => return Ok(forced.clone()),
            }
        }
        if answered.is_empty() {
            return Ok(Worth::Free(sum));
        }
        let mut each = Vec::new();
        for [forced, free] in answered {
            if let (Worth::Forced(set), Worth::Free(value)) = (known(forced)?, known(free)?) {
                each.push((set, *value));
            }
        }
        let mut union = Union::default();
        for (i, (set, _)) in each.iter().enumerate() {
            let others = each.iter().enumerate().filter(|(j, _)| *j != i);
            let beside = others.fold(sum, |sum, (_, (_, value))| sum.plus(*value));
            union.add(&set.beside(beside));
        }
        Ok(Worth::Forced(Arc::new(union.wins())))
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
        let won = by_left.contains(&Seen::Win);
        self.known.insert(position.clone(), Mark::Open);
        self.heap += heap;
        let mut steps = left;
        steps.retain(|s| s.end.is_none());
        Ok(Ok(Frame {
            position: position.clone(),
            steps,
            evaluated: Union {
                some: Vec::new(),
                but: won.then(Vec::new),
            },
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

#[cfg(test)]
mod tests;
