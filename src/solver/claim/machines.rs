//! The compiled boards of a solver. Input: a position. Output: the machine of its board, compiled once, and the position packed
//! for it. The solvers of several threads share machines.

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

/// The machine of a board that several threads need; locked while one of them compiles the first one.
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

    /// The same with other shortcuts; `machines` are those compiled with these.
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
        if let Some(setting) = setting
            && let Some(machine) = machines.borrow_mut().get(setting)
            && let Some(start) = serves(machine, position)
        {
            return Ok((machine.clone(), start));
        }
        let compile = || -> Res<_> {
            let machine = Machine::until(&self.model, position, shortcuts.into(), &self.cancel)?;
            let machine = Arc::new(machine.counting_in(&self.counters));
            let start = machine.initial();
            Ok((machine, start))
        };
        let Some(setting) = setting else {
            return compile();
        };
        let shelf = self.shelf.as_ref();
        let (machine, start) = match shelf.filter(|_| shortcuts == self.shortcuts) {
            None => compile()?,
            Some(shelf) => {
                let place = shelf.place_of(setting);
                let mut kept = lock(&place);
                let served = kept.as_ref().map(|machine| {
                    let start = serves(machine, position)?;
                    Some((machine.clone(), start))
                });
                match served {
                    Some(Some(found)) => found,
                    Some(None) => {
                        drop(kept);
                        let made = compile()?;
                        *lock(&place) = Some(made.0.clone());
                        made
                    }
                    // The others wait for it.
                    None => {
                        let made = compile()?;
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
