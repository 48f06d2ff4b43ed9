//! Scores: a position of rules that count points comes in, with who moves first; what best play comes to, Left's points minus Right's,
//! goes out.
//!
//! Play ends where the player to move is stuck, and the result is the score there; Left wants it large, Right small. By backward
//! induction each position has one result for each player who begins, its Left and Right scores (J. Milnor, *Sums of positional games*,
//! 1953; U. Larsson, R. J. Nowakowski, J. P. Neto, C. P. dos Santos, *Guaranteed scoring games*, 2016). The search is alpha-beta within a
//! window, fail-soft (D. E. Knuth, R. W. Moore, *An analysis of alpha-beta pruning*, 1975; J. P. Fishburn 1983), with a table of bounds.
//!
//! **Banked points.** [`Scored::bank`] takes points out of a position that nothing but the score will ask for. If from s the
//! position s' is left and c points are taken, then what best play comes to from s is c more than from s'. So the table knows positions
//! without their banked points, and a move carries what it banks.
//!
//! Where a line of play comes to a position again there is no answer: play without end has no score.

use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

use super::stopped::{Stopped, StoppedIn};
use crate::game::{Budget, Limit, Player, Scored};

/// More than any line of play can come to: it has fewer moves than 2^20, by the memory that it takes.
const INFINITE: i64 = i64::MAX / 4;

/// A window: whether the result is at most the first, at least the second, or which one between.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Window(pub i64, pub i64);

impl Window {
    /// Everything.
    pub const ALL: Window = Window(-INFINITE, INFINITE);
    /// Who has more points.
    pub const SIGN: Window = Window(-1, 1);
}

/// What is known of a position where one player moves.
#[derive(Clone, Copy)]
struct Bounds {
    least: i64,
    most: i64,
    /// It lies on the line of play that is looked at.
    open: bool,
}

const UNKNOWN: Bounds = Bounds {
    least: -INFINITE,
    most: INFINITE,
    open: false,
};

/// A move: where it leads, who moves then, and what it banks.
struct Next<P> {
    to: P,
    mover: Player,
    gain: i64,
}

/// A position on the line of play that is looked at.
struct Frame<P> {
    position: P,
    mover: Player,
    /// As it came in, and as it is now.
    asked: Window,
    window: Window,
    best: i64,
    /// Moves that have not been looked at; the best guess is last. While one is looked at it stays.
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

/// What is known of the positions of some rules; it outlives a question.
pub struct Scores<R: Scored> {
    known: HashMap<R::Position, [Bounds; 2], FxBuildHasher>,
    /// Bytes that known positions hold on the heap.
    heap: usize,
    memory: usize,
}

/// A new position: its result where its player is stuck, or its moves.
enum Opened<P> {
    Ended(i64),
    Moves(Frame<P>),
}

impl<R: Scored> Scores<R> {
    /// Nothing is known yet; the table may take so many bytes.
    #[must_use]
    pub fn new(memory: usize) -> Scores<R> {
        Scores {
            known: HashMap::with_hasher(FxBuildHasher),
            heap: 0,
            memory,
        }
    }

    /// What best play comes to where a player begins: exact where it lies within the window, else a bound on its side.
    ///
    /// # Errors
    /// A limit, a rule that goes wrong, a line of play that comes again.
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
        let found = self.search(rules, start, first, window, budget, &mut line);
        // What is left open after a limit is not known.
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
                // The move that led here is still the last of those before.
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

    /// What is known of a position, if it is enough for a window.
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
        self.account(rules, &position, budget)?;
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

    /// Notes what was found of a position.
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

    /// Notes that a position is held, within the limit of memory.
    fn account(
        &mut self,
        rules: &R,
        position: &R::Position,
        budget: &Budget,
    ) -> Result<(), StoppedIn<R>> {
        self.heap += rules.position_bytes(position);
        let entry = size_of::<(R::Position, [Bounds; 2])>() + 1;
        // A table that grows holds the old one beside the new one for a while.
        let growing = self.known.len() == self.known.capacity();
        let table = self.known.capacity() * entry * if growing { 3 } else { 1 };
        let bytes = table + self.heap;
        if growing || self.known.len().is_multiple_of(1 << 10) {
            budget.pulse().note(0, bytes);
        }
        match bytes > self.memory {
            true => Err(Stopped::Limit(Limit::Memory)),
            false => Ok(()),
        }
    }
}

/// A window for what is left when so many points are banked.
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
