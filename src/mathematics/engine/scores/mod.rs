//! Scores. Input: a position of rules that count points, and who moves first. Output: the result of best play, Left's
//! points minus Right's.
//!
//! Play ends when the player to move has no move, and the result is the score there; Left maximizes, Right minimizes. By
//! backward induction each position has one result for each player who begins, its Left and Right scores (J. Milnor, *Sums
//! of positional games*, 1953; U. Larsson, R. J. Nowakowski, J. P. Neto, C. P. dos Santos, *Guaranteed scoring games*,
//! 2016). The search is alpha-beta within a window, fail-soft (D. E. Knuth, R. W. Moore, *An analysis of alpha-beta
//! pruning*, 1975; J. P. Fishburn 1983), with a table of bounds.
//!
//! **Banked points.** [`Scored::bank`] removes from a position those points that matter only to the final score. If it
//! turns s into s' and c points, then the result of best play from s is that from s' plus c. So the table stores positions
//! without their banked points, and each move carries the points it banks.
//!
//! If the search meets a position again on a line of play, there is no answer: infinite play has no score.
//!
//! What a position is worth beside others needs all its followers: `listed` lists them, `order` compares guaranteed games,
//! `contexts` shows what separates two of them, and `positional` has means and temperatures.

pub mod contexts;
pub mod listed;
pub mod order;
pub mod positional;
#[cfg(test)]
mod tests;

use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

use super::stopped::{Stopped, StoppedIn};
use crate::game::{Budget, Limit, Player, Scored, Step};

/// Greater than every result of fewer than 2^20 moves, each of which counts at most [`crate::game::MOST_POINTS`].
const INFINITE: i64 = i64::MAX / 4;

/// A window (alpha, beta): is the result at most alpha, at least beta, or which number between them?
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Window(pub i64, pub i64);

impl Window {
    /// All results.
    pub const ALL: Window = Window(-INFINITE, INFINITE);
    /// Only the sign: who has more points.
    pub const SIGN: Window = Window(-1, 1);
}

/// Bounds of the result of a position with a player to move.
#[derive(Clone, Copy)]
struct Bounds {
    least: i64,
    most: i64,
    /// Whether it is on the current line of play.
    open: bool,
}

const UNKNOWN: Bounds = Bounds {
    least: -INFINITE,
    most: INFINITE,
    open: false,
};

/// A move: its target, who moves there, and the points it banks.
struct Next<P> {
    to: P,
    mover: Player,
    gain: i64,
}

/// A position on the current line of play.
struct Frame<P> {
    position: P,
    mover: Player,
    /// The window as given, and as narrowed since.
    asked: Window,
    window: Window,
    best: i64,
    /// Moves not searched yet, the most promising last. A move stays in the list during its search.
    next: Vec<Next<P>>,
}

impl<P> Frame<P> {
    fn take(&mut self, result: i64) {
        let Window(alpha, beta) = &mut self.window;
        if self.mover == Player::LEFT {
            self.best = self.best.max(result);
            *alpha = self.best.max(*alpha);
        } else {
            self.best = self.best.min(result);
            *beta = self.best.min(*beta);
        }
    }

    fn is_done(&self) -> bool {
        self.next.is_empty() || self.window.0 >= self.window.1
    }
}

/// A memo table of the positions of some rules; it is kept between queries.
pub struct Scores<R: Scored> {
    known: HashMap<R::Position, [Bounds; 2], FxBuildHasher>,
    /// Bytes that the stored positions hold on the heap.
    heap: usize,
    memory: usize,
}

/// A new position: its result if its player has no move, or its moves.
enum Opened<P> {
    Ended(i64),
    Moves(Frame<P>),
}

impl<R: Scored> Scores<R> {
    /// An empty table that may take `memory` bytes.
    #[must_use]
    pub fn new(memory: usize) -> Scores<R> {
        Scores {
            known: HashMap::with_hasher(FxBuildHasher),
            heap: 0,
            memory,
        }
    }

    /// The result of best play if `first` begins: exact if it lies within the window, otherwise a bound on the side where
    /// it lies.
    ///
    /// # Errors
    /// A limit, a rule that fails, a line of play that repeats a position.
    pub fn score(
        &mut self,
        rules: &R,
        position: &R::Position,
        first: Player,
        window: Window,
        budget: &Budget,
    ) -> Result<i64, StoppedIn<R>> {
        let (start, banked) = rules
            .bank(position.clone())
            .map_err(|f| fault(position, f))?;
        let mut line = Vec::new();
        let window = within(window, banked);
        let mut found = self.search(rules, start, first, window, budget, &mut line);
        if let Err(Stopped::Cycle { line: cycle }) = &mut found
            && let Some(last) = cycle.pop()
        {
            let from = line.len().saturating_sub(cycle.len());
            *cycle = as_played(rules, position, &line, last).split_off(from);
        }
        // After a limit, positions may still be marked as open.
        for frame in line {
            if let Some(bounds) = self.known.get_mut(&frame.position) {
                bounds[frame.mover.index() & 1].open = false;
            }
        }
        Ok(found?.saturating_add(banked))
    }

    fn search(
        &mut self,
        rules: &R,
        start: R::Position,
        first: Player,
        window: Window,
        budget: &Budget,
        line: &mut Vec<Frame<R::Position>>,
    ) -> Result<i64, StoppedIn<R>> {
        if let Some(result) = self.look(&start, first, window, line)? {
            return Ok(result);
        }
        match self.open(rules, start, first, window, budget)? {
            Opened::Ended(result) => return Ok(result),
            Opened::Moves(frame) => line.push(frame),
        }
        while let Some(frame) = line.last_mut() {
            if frame.is_done() {
                let Some(frame) = line.pop() else { break };
                let result = frame.best;
                self.close(frame);
                let Some(before) = line.last_mut() else {
                    return Ok(result);
                };
                // The move that led here is still the last of its parent's list.
                if let Some(next) = before.next.pop() {
                    before.take(result.saturating_add(next.gain));
                }
                continue;
            }
            let Some(next) = frame.next.last() else { break };
            let (to, mover, gain) = (next.to.clone(), next.mover, next.gain);
            let window = within(frame.window, gain);
            let result = match self.look(&to, mover, window, line)? {
                Some(result) => result,
                None => match self.open(rules, to, mover, window, budget)? {
                    Opened::Ended(result) => result,
                    Opened::Moves(below) => {
                        line.push(below);
                        continue;
                    }
                },
            };
            if let Some(frame) = line.last_mut() {
                frame.next.pop();
                frame.take(result.saturating_add(gain));
            }
        }
        Err(Stopped::Limit(Limit::Nodes))
    }

    /// A stored bound of a position, if it decides the question of the window.
    fn look(
        &self,
        position: &R::Position,
        mover: Player,
        Window(alpha, beta): Window,
        line: &[Frame<R::Position>],
    ) -> Result<Option<i64>, StoppedIn<R>> {
        let Some(bounds) = self.known.get(position) else {
            return Ok(None);
        };
        let Bounds { least, most, open } = bounds[mover.index() & 1];
        if open {
            let same = |f: &Frame<R::Position>| f.mover == mover && f.position == *position;
            let from = line.iter().position(same).unwrap_or(0);
            let mut cycle: Vec<_> = line[from..].iter().map(|f| f.position.clone()).collect();
            cycle.push(position.clone());
            return Err(Stopped::Cycle { line: cycle });
        }
        Ok(if least == most || least >= beta {
            Some(least)
        } else if most <= alpha {
            Some(most)
        } else {
            None
        })
    }

    /// Lists the moves of a position, the most promising last.
    fn open(
        &mut self,
        rules: &R,
        position: R::Position,
        mover: Player,
        window: Window,
        budget: &Budget,
    ) -> Result<Opened<R::Position>, StoppedIn<R>> {
        budget.charge()?;
        let mut steps = Vec::new();
        rules
            .steps(&position, mover, &mut steps)
            .map_err(|f| fault(&position, f))?;
        if !self.known.contains_key(&position) {
            self.account(rules, &position, budget)?;
        }
        let bounds = self.known.entry(position.clone()).or_insert([UNKNOWN; 2]);
        let bounds = &mut bounds[mover.index() & 1];
        if steps.is_empty() {
            let score = rules.score(&position, mover);
            let score = score.map_err(|f| fault(&position, f))?;
            (bounds.least, bounds.most) = (score, score);
            return Ok(Opened::Ended(score));
        }
        bounds.open = true;
        let mut next = Vec::with_capacity(steps.len());
        for step in steps {
            let (to, gain) = match rules.bank(step.to) {
                Ok(banked) => banked,
                Err(f) => {
                    bounds.open = false;
                    return Err(fault(&position, f));
                }
            };
            let mover = if step.again { mover } else { mover.opponent() };
            next.push(Next { to, mover, gain });
        }
        let own = |n: &Next<R::Position>| match mover {
            Player::LEFT => n.gain,
            _ => -n.gain,
        };
        next.sort_by_key(|n| (own(n), n.mover == mover));
        Ok(Opened::Moves(Frame {
            position,
            mover,
            asked: window,
            window,
            best: if mover == Player::LEFT {
                -INFINITE
            } else {
                INFINITE
            },
            next,
        }))
    }

    /// Stores the bound found for a position.
    fn close(&mut self, frame: Frame<R::Position>) {
        let Window(alpha, beta) = frame.asked;
        let Some(bounds) = self.known.get_mut(&frame.position) else {
            return;
        };
        let bounds = &mut bounds[frame.mover.index() & 1];
        bounds.open = false;
        if frame.best > alpha {
            bounds.least = bounds.least.max(frame.best);
        }
        if frame.best < beta {
            bounds.most = bounds.most.min(frame.best);
        }
    }

    /// Charges a new position to the memory limit.
    fn account(
        &mut self,
        rules: &R,
        position: &R::Position,
        budget: &Budget,
    ) -> Result<(), StoppedIn<R>> {
        let heap = rules.position_bytes(position);
        let entry = size_of::<(R::Position, [Bounds; 2])>() + 1;
        // While it grows, a table holds the old array beside the new one.
        let growing = self.known.len() == self.known.capacity();
        let table = self.known.capacity() * entry * if growing { 3 } else { 1 };
        let bytes = table + self.heap + heap;
        if growing || self.known.len().is_multiple_of(1 << 10) {
            budget.pulse().note(0, bytes);
        }
        match bytes > self.memory {
            true => Err(Stopped::Limit(Limit::Memory)),
            false => {
                self.heap += heap;
                Ok(())
            }
        }
    }
}

/// A line of play with the points that were banked on it: the positions of the frames, then `last`.
fn as_played<R: Scored>(
    rules: &R,
    start: &R::Position,
    frames: &[Frame<R::Position>],
    last: R::Position,
) -> Vec<R::Position> {
    let mut line = vec![start.clone()];
    for (i, frame) in frames.iter().enumerate() {
        let plain = frames.get(i + 1).map_or(&last, |next| &next.position);
        let mut steps = Vec::new();
        // A rule that fails here has failed in the search.
        let _ = rules.steps(&line[i], frame.mover, &mut steps);
        let same = |step: &Step<R::Position>| {
            let banked = rules.bank(step.to.clone());
            banked.is_ok_and(|(to, _)| to == *plain)
        };
        let found = steps.into_iter().find(same);
        line.push(found.map_or_else(|| plain.clone(), |step| step.to));
    }
    line
}

/// The window for the rest of the result, after `banked` points.
fn within(Window(alpha, beta): Window, banked: i64) -> Window {
    let less = |bound: i64| match bound.abs() >= INFINITE {
        true => bound,
        false => bound.saturating_sub(banked),
    };
    Window(less(alpha), less(beta))
}

fn fault<P: Clone, F>(position: &P, fault: F) -> Stopped<P, F> {
    Stopped::Fault {
        position: position.clone(),
        fault,
    }
}
