//! The threads of a search. Input: positions in their order. Output: what is said of each, in the same order.
//!
//! One thread leads: it enumerates positions and tells what is said of them. It hands them over in batches, which all threads
//! examine, each with a solver of its own over the same engines. Where too many batches are under way, the leader examines
//! one itself. At first, or without helpers, it examines each one at once.

use super::Said;
use super::examine::{Examined, Examiner};
use crate::base::with_room;
use crate::claim::Solver;
use crate::game::Pulse;
use crate::ir::{Position, Res};
use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::thread::Scope;

/// The number of positions in a batch.
const BATCH: usize = 16;
/// The most batches under way for each thread.
const AHEAD: usize = 8;
/// The number of positions examined, or expanded by searches for them, before helpers start.
const ALONE: u64 = 256;
const EXPANDED: u64 = 2_000;

/// The number of a position, the position, and what is said of it.
pub(super) type Examination = (u64, Arc<Position>, Res<Option<Said>>);

/// A position, its number, and the first position on its board, whose machine is likely to serve all others.
struct Filled {
    number: u64,
    position: Arc<Position>,
    first: Arc<Position>,
}

/// Is told what is said of a position, and returns whether the search goes on.
type Tell<'t> = &'t mut dyn FnMut(Examination) -> bool;

type Batch = Vec<Filled>;

/// What the threads share.
#[derive(Default)]
struct Desk {
    /// Batches by number that nobody examines yet, the oldest first.
    waiting: VecDeque<(u64, Batch)>,
    /// Batches that are examined.
    done: BTreeMap<u64, Vec<Examination>>,
    /// Whether the search has ended.
    closed: bool,
}

/// The threads of a search, and their desk.
pub(super) struct Crew {
    helpers: usize,
    desk: Mutex<Desk>,
    /// Notified when something on the desk changes.
    changed: Condvar,
}

/// Ends the search of all threads when dropped, whatever happens.
pub(super) struct Closes<'c>(&'c Crew);

impl Drop for Closes<'_> {
    fn drop(&mut self) {
        let mut desk = self.0.desk();
        desk.closed = true;
        desk.waiting.clear();
        self.0.changed.notify_all();
    }
}

impl Crew {
    pub fn new(helpers: usize) -> Crew {
        Crew {
            helpers,
            desk: Mutex::default(),
            changed: Condvar::new(),
        }
    }

    /// Ends the search of all threads when it is dropped.
    pub fn closes(&self) -> Closes<'_> {
        Closes(self)
    }

    /// The leader, who starts the helpers in `scope` as soon as there is work for them.
    pub fn lead<'s, 'e>(
        &'e self,
        scope: &'s Scope<'s, 'e>,
        solver: &'e Solver,
        pulse: &'e Pulse,
        examined: Examined<'e>,
    ) -> Lead<'s, 'e> {
        Lead {
            crew: self,
            scope,
            solver,
            pulse,
            alone: Some(0),
            before: pulse.positions(),
            examiner: Examiner::new(solver, examined),
            examined,
            first: None,
            batch: Vec::new(),
            begun: 0,
            told: 0,
        }
    }

    fn desk(&self) -> MutexGuard<'_, Desk> {
        self.desk.lock().unwrap_or_else(|e| e.into_inner())
    }

    fn wait<'d>(&self, desk: MutexGuard<'d, Desk>) -> MutexGuard<'d, Desk> {
        self.changed.wait(desk).unwrap_or_else(|e| e.into_inner())
    }

    fn put_down(&self, number: u64, done: Vec<Examination>) {
        self.desk().done.insert(number, done);
        self.changed.notify_all();
    }

    // Examines batches until the search ends.
    fn help(&self, examiner: &Examiner<'_>) {
        let _closes = self.closes();
        let mut desk = self.desk();
        while !desk.closed {
            match desk.waiting.pop_front() {
                Some((number, batch)) => {
                    drop(desk);
                    self.put_down(number, examine(examiner, batch));
                    desk = self.desk();
                }
                None => desk = self.wait(desk),
            }
        }
    }
}

fn examine(examiner: &Examiner<'_>, batch: Batch) -> Vec<Examination> {
    let mut last = None;
    let all = batch.into_iter().map(|filled| {
        let Filled {
            number,
            position,
            first,
        } = filled;
        if last.as_ref().is_none_or(|last| !Arc::ptr_eq(last, &first)) {
            examiner.prepare(&first);
            last = Some(first);
        }
        let said = examiner.examine(&position);
        (number, position, said)
    });
    all.collect()
}

/// The leader of a crew.
pub(super) struct Lead<'s, 'e> {
    crew: &'e Crew,
    scope: &'s Scope<'s, 'e>,
    solver: &'e Solver,
    pulse: &'e Pulse,
    /// The number of positions examined alone, as long as there are no helpers.
    alone: Option<u64>,
    /// The number of positions that had been expanded before.
    before: u64,
    examiner: Examiner<'e>,
    examined: Examined<'e>,
    /// The first position on the board at hand.
    first: Option<Arc<Position>>,
    /// The positions that are not handed over yet.
    batch: Batch,
    /// The numbers of batches that were handed over, and that were told.
    begun: u64,
    told: u64,
}

impl Lead<'_, '_> {
    /// Goes on to another board.
    pub fn next_board(&mut self) {
        self.first = None;
    }

    /// Adds a position, and tells what is said of earlier ones. Returns whether the search goes on.
    pub fn add(&mut self, number: u64, position: Position, tell: Tell<'_>) -> bool {
        let position = Arc::new(position);
        let first = self.first.get_or_insert_with(|| position.clone()).clone();
        if let Some(alone) = self.alone {
            let said = self.examiner.examine(&position);
            self.alone = Some(alone + 1);
            let expanded = self.pulse.positions() - self.before;
            if self.crew.helpers > 0 && (expanded >= EXPANDED || alone >= ALONE) {
                self.start();
            }
            return tell((number, position, said));
        }
        self.batch.push(Filled {
            number,
            position,
            first,
        });
        if self.batch.len() < BATCH {
            return true;
        }
        self.hand_over();
        let most = (AHEAD * (self.crew.helpers + 1)) as u64;
        self.begun - self.told < most || self.tell_oldest(tell)
    }

    /// Tells what is said of all positions. Returns whether the search goes on.
    pub fn finish(&mut self, tell: Tell<'_>) -> bool {
        if !self.batch.is_empty() {
            self.hand_over();
        }
        while self.told < self.begun {
            if !self.tell_oldest(tell) {
                return false;
            }
        }
        true
    }

    fn hand_over(&mut self) {
        let batch = (self.begun, std::mem::take(&mut self.batch));
        self.begun += 1;
        self.crew.desk().waiting.push_back(batch);
        self.crew.changed.notify_all();
    }

    fn start(&mut self) {
        self.alone = None;
        for _ in 0..self.crew.helpers {
            let (crew, solver, examined) = (self.crew, self.solver.beside(), self.examined);
            self.scope
                .spawn(move || with_room(|| crew.help(&Examiner::new(&solver(), examined))));
        }
    }

    // Tells what is said of the oldest batch; examines batches until it is done.
    fn tell_oldest(&mut self, tell: Tell<'_>) -> bool {
        let mut desk = self.crew.desk();
        let done = loop {
            if let Some(done) = desk.done.remove(&self.told) {
                break done;
            }
            if desk.closed {
                return false;
            }
            match desk.waiting.pop_front() {
                Some((number, batch)) => {
                    drop(desk);
                    let done = examine(&self.examiner, batch);
                    self.crew.put_down(number, done);
                    desk = self.crew.desk();
                }
                None => desk = self.crew.wait(desk),
            }
        };
        drop(desk);
        self.told += 1;
        done.into_iter().all(tell)
    }
}
