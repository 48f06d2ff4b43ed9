//! The compiled boards of a solver. Input: a position. Output: a machine of its board, and the position packed for it. The
//! machine of a board that does not cover a position is widened, so that few are compiled for all positions of one board. The
//! solvers of several threads share machines.

use super::solve::Solver;
use crate::game::{Rules, Shortcut, Shortcuts};
use crate::ir::{Position, Res, Setting};
use crate::machine::{Machine, Packed};
use lru::LruCache;
use std::cell::RefCell;
use std::num::NonZeroUsize;
use std::sync::{Arc, Mutex, MutexGuard};

/// The number of compiled boards that are kept.
const BOARDS: NonZeroUsize = NonZeroUsize::MIN.saturating_add(63);

/// The machines of boards, most recently used first.
pub(super) type Machines = RefCell<LruCache<Arc<Setting>, Arc<Machine>>>;

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
type Place = Arc<Mutex<Option<Arc<Machine>>>>;

/// The machines that the solvers of several threads share, most recently used first.
#[derive(Debug)]
pub(super) struct Shelf(Mutex<LruCache<Arc<Setting>, Place>>);

impl Default for Shelf {
    fn default() -> Shelf {
        Shelf(Mutex::new(LruCache::new(BOARDS)))
    }
}

impl Shelf {
    fn place_of(&self, setting: &Arc<Setting>) -> Place {
        let mut all = lock(&self.0);
        all.get_or_insert(setting.clone(), Place::default).clone()
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

    /// The machine for nothing but a position and its followers: what is told about it does not depend on what was compiled
    /// before.
    pub(super) fn compiled_alone(&self, position: &Position) -> Res<Arc<Machine>> {
        let (machine, _) = self.compiled(position)?;
        if machine.is_of(position) {
            return Ok(machine);
        }
        let machine = Machine::until(&self.model, position, self.shortcuts.into(), &self.cancel)?;
        Ok(Arc::new(machine))
    }

    /// As [`Solver::compiled`], with other shortcuts; `machines` are those compiled with these.
    pub(super) fn compiled_with(
        &self,
        position: &Position,
        shortcuts: Shortcuts,
        machines: &Machines,
    ) -> Res<(Arc<Machine>, Packed)> {
        let setting = match position.terms() {
            [term] => Some(&term.setting),
            _ => None,
        };
        let own = setting.and_then(|setting| machines.borrow_mut().get(setting).cloned());
        if let Some(machine) = &own
            && let Some(start) = serves(machine, position)
        {
            return Ok((machine.clone(), start));
        }
        // For this position, and for those that the machine before covers.
        let compile = |before: Option<&Machine>| -> Res<_> {
            let wide = match before {
                Some(before) => before.widened(position, &self.cancel)?,
                None => None,
            };
            let machine = match wide {
                Some(machine) => machine,
                None => Machine::until(&self.model, position, shortcuts.into(), &self.cancel)?,
            };
            let machine = Arc::new(machine.counting_in(&self.counters));
            let start = machine.initial();
            Ok((machine, start))
        };
        let Some(setting) = setting else {
            return compile(None);
        };
        let shelf = self.shelf.as_ref();
        let (machine, start) = match shelf.filter(|_| shortcuts == self.shortcuts) {
            None => compile(own.as_deref())?,
            Some(shelf) => {
                // The others wait for the machine of the board.
                let place = shelf.place_of(setting);
                let mut kept = lock(&place);
                let served = kept.as_ref().and_then(|machine| {
                    let start = serves(machine, position)?;
                    Some((machine.clone(), start))
                });
                match served {
                    Some(found) => found,
                    None => {
                        let made = compile(kept.as_deref())?;
                        *kept = Some(made.0.clone());
                        made
                    }
                }
            }
        };
        machines.borrow_mut().put(setting.clone(), machine.clone());
        Ok((machine, start))
    }
}
