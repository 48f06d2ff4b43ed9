//! The compiled boards of a solver. Input: a position. Output: a machine of its board, and the position packed for it. The
//! first two machines of a board are made for one position each. Each later one also covers all that the one before covers, so
//! few are compiled for many positions. The machine of a sum is put together from those of its terms. The solvers of several
//! threads share machines.

use super::solve::Solver;
use crate::game::{Rules, Shortcut, Shortcuts};
use crate::ir::{Position, Res, Setting, Term};
use crate::machine::{Machine, Packed};
use lru::LruCache;
use std::cell::RefCell;
use std::hash::{Hash, Hasher};
use std::num::NonZeroUsize;
use std::sync::{Arc, Mutex, MutexGuard};

/// The number of compiled boards that are kept.
const BOARDS: NonZeroUsize = NonZeroUsize::MIN.saturating_add(63);

/// A setting, whatever lies on its board at the start.
#[derive(Clone, Debug)]
pub(super) struct AnyStart(Arc<Setting>);

impl PartialEq for AnyStart {
    fn eq(&self, other: &AnyStart) -> bool {
        self.0.is_like(&other.0)
    }
}

impl Eq for AnyStart {}

impl Hash for AnyStart {
    fn hash<H: Hasher>(&self, state: &mut H) {
        // The hash of a board does not depend on what lies on it.
        self.0.hash(state);
    }
}

/// The last machine of a board.
#[derive(Clone, Debug)]
pub(super) struct Kept {
    machine: Arc<Machine>,
    /// What to do where it does not cover a position.
    next: Next,
}

/// How the next machine of a board is made.
#[derive(Clone, Copy, Debug)]
enum Next {
    /// For the position alone: this was the first.
    Alone,
    /// For the position and all that the last machine covers.
    Wider,
    /// For the position alone, always: the last one could not be widened.
    Never,
}

/// The machines of boards, most recently used first.
pub(super) type Machines = RefCell<LruCache<AnyStart, Kept>>;

/// No machines.
pub(super) fn none() -> Machines {
    RefCell::new(LruCache::new(BOARDS))
}

/// The start of a position in a machine of its board, if the machine covers it.
fn serves(machine: &Machine, position: &Position) -> Option<Packed> {
    // In a negative, the other player wins infinite play.
    let same = Rules::endless(machine) == position.endless();
    same.then(|| machine.pack(position)).flatten()
}

fn lock<T>(of: &Mutex<T>) -> MutexGuard<'_, T> {
    of.lock().unwrap_or_else(|e| e.into_inner())
}

/// The machine of a board that several threads need; locked while one of them compiles it.
type Common = Arc<Mutex<Option<Kept>>>;

/// The machines that the solvers of several threads share, most recently used first.
#[derive(Debug)]
pub(super) struct Shelf(Mutex<LruCache<AnyStart, Common>>);

impl Default for Shelf {
    fn default() -> Shelf {
        Shelf(Mutex::new(LruCache::new(BOARDS)))
    }
}

impl Shelf {
    fn of(&self, board: &AnyStart) -> Common {
        let mut all = lock(&self.0);
        all.get_or_insert(board.clone(), Common::default).clone()
    }
}

impl Solver {
    /// Compiles a position, if positions are compiled at all, for others on its board that come later.
    pub fn prepare(&self, position: &Position) {
        if self.shortcuts.has(Shortcut::Compile) {
            // Those that come later report what is wrong.
            let _ = self.compiled(position);
        }
    }

    /// Compiles a position, or packs it for a machine of the same board that covers it.
    pub(super) fn compiled(&self, position: &Position) -> Res<(Arc<Machine>, Packed)> {
        self.compiled_with(position, self.shortcuts, &self.machines)
    }

    /// The same with all shortcuts, whichever are on: equality in misère play is a statement about sums of parts, so every
    /// shortcut that finds parts is needed.
    pub(super) fn compiled_in_full(&self, position: &Position) -> Res<(Arc<Machine>, Packed)> {
        let machines = match self.shortcuts == Shortcuts::ALL {
            true => &self.machines,
            false => &self.machines_in_full,
        };
        self.compiled_with(position, Shortcuts::ALL, machines)
    }

    /// The machine for nothing but a position and its followers: what is told about it does not depend on what was compiled
    /// before.
    pub(super) fn compiled_alone(&self, position: &Position) -> Res<Machine> {
        let settings = self.shortcuts.into();
        let mut parts: Vec<Arc<Machine>> = Vec::new();
        for term in position.terms() {
            if let Some(same) = parts.iter().find(|m| m.is_of(term)).cloned() {
                parts.push(same);
                continue;
            }
            let one = term.single();
            let (kept, _) = self.compiled(&one)?;
            parts.push(match kept.is_of(term) {
                true => kept,
                false => Machine::until(&self.model, &one, settings, &self.cancel)?.into(),
            });
        }
        Machine::of_sum(&self.model, position, &parts, settings, &self.cancel)
    }

    /// As [`Solver::compiled`], with other shortcuts; `machines` are those compiled with these.
    pub(super) fn compiled_with(
        &self,
        position: &Position,
        shortcuts: Shortcuts,
        machines: &Machines,
    ) -> Res<(Arc<Machine>, Packed)> {
        let [term] = position.terms() else {
            return self.compiled_sum(position, shortcuts, machines);
        };
        let board = AnyStart(term.setting.clone());
        let found = |kept: &Kept| Some((kept.clone(), serves(&kept.machine, position)?));
        let own = machines.borrow_mut().get(&board).cloned();
        if let Some((kept, start)) = own.as_ref().and_then(found) {
            return Ok((kept.machine, start));
        }
        let compile = |before: Option<&Kept>| -> Res<_> {
            let before = before.map(|kept| (kept.next, &kept.machine));
            let wide = match before {
                Some((Next::Wider, machine)) => machine.widened(position, &self.cancel)?,
                _ => None,
            };
            let next = match before {
                None => Next::Alone,
                Some((Next::Wider, _)) if wide.is_none() => Next::Never,
                Some((Next::Never, _)) => Next::Never,
                Some(_) => Next::Wider,
            };
            let machine = match wide {
                Some(machine) => machine,
                None => Machine::until(&self.model, position, shortcuts.into(), &self.cancel)?,
            };
            let machine = Arc::new(machine.counting_in(&self.counters));
            let start = machine.initial();
            Ok((Kept { machine, next }, start))
        };
        let shelf = self.shelf.as_ref();
        let (kept, start) = match shelf.filter(|_| shortcuts == self.shortcuts) {
            None => compile(own.as_ref())?,
            Some(shelf) => {
                // The others wait for the machine of the board.
                let common = shelf.of(&board);
                let mut last = lock(&common);
                match last.as_ref().and_then(found) {
                    Some(found) => found,
                    None => {
                        let made = compile(last.as_ref())?;
                        *last = Some(made.0.clone());
                        made
                    }
                }
            }
        };
        machines.borrow_mut().put(board, kept.clone());
        Ok((kept.machine, start))
    }

    /// The machine of a sum, from those of the boards of its terms.
    fn compiled_sum(
        &self,
        position: &Position,
        shortcuts: Shortcuts,
        machines: &Machines,
    ) -> Res<(Arc<Machine>, Packed)> {
        let of = |term: &Term| {
            let alone = term.single();
            Ok(self.compiled_with(&alone, shortcuts, machines)?.0)
        };
        let parts: Vec<Arc<Machine>> = position.terms().iter().map(of).collect::<Res<_>>()?;
        let settings = shortcuts.into();
        let machine = Machine::of_sum(&self.model, position, &parts, settings, &self.cancel)?;
        let machine = machine.counted_in(&self.counters);
        let start = machine.initial();
        Ok((Arc::new(machine), start))
    }
}
