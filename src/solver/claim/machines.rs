//! The compiled boards of a solver. Input: a position. Output: a machine of its board, and the position packed for it. The
//! first two machines of a board are made for one position each. Each later one also covers all that the one before covers, so
//! few are compiled for many positions. A board that takes long to compile is not compiled for a position with few followers.
//! The machine of a sum is put together from those of its terms. The solvers of several threads share machines.

use super::solve::Solver;
use crate::game::{Player, Rules, Shortcut, Shortcuts};
use crate::ir::{Evaluator, Instance, NoHost, Position, Res, Setting, Term, naive};
use crate::machine::{FEW_STEPS, Machine, Packed, Settings};
use lru::LruCache;
use rustc_hash::FxHashSet;
use std::cell::RefCell;
use std::hash::{Hash, Hasher};
use std::num::NonZeroUsize;
use std::sync::{Arc, Mutex, MutexGuard};

/// The number of compiled boards that are kept.
const BOARDS: NonZeroUsize = NonZeroUsize::MIN.saturating_add(63);

/// How long to compile a board before the followers of a position are counted; a position with few of them is then searched by
/// the rules, without compiling. One attempt follows the other: a position with few followers should not wait for a compiler,
/// nor one on a board that is soon compiled for a search by the rules.
struct Attempt {
    /// The steps of compiling.
    compiling: u64,
    /// The most followers that are few.
    few: usize,
    /// The steps of the evaluator to count them.
    counting: u64,
}

/// The attempts. Compiling takes 5 to 40 milliseconds in the first one, counting 20; up to eight times as long in the second.
const ATTEMPTS: [Attempt; 2] = [
    Attempt {
        compiling: FEW_STEPS,
        few: 1 << 9,
        counting: 1 << 22,
    },
    Attempt {
        compiling: FEW_STEPS << 3,
        few: 1 << 11,
        counting: 1 << 24,
    },
];

/// The most positions that are known to have few followers.
const MOST_FEW: usize = 1 << 14;

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
    /// Only for a position with many followers: compiling takes long. Until then the machine at hand, which reads the rules
    /// anew for each move, serves.
    Many,
}

/// The machines of boards, most recently used first.
#[derive(Debug)]
pub(super) struct Machines {
    kept: RefCell<LruCache<AnyStart, Kept>>,
    /// Rulesets of which a board took long to compile.
    slow: RefCell<LruCache<Arc<Instance>, ()>>,
    /// Positions that are known to have few followers: those that were counted last, and their followers.
    few: RefCell<FxHashSet<Arc<Position>>>,
}

impl Default for Machines {
    fn default() -> Machines {
        Machines {
            kept: RefCell::new(LruCache::new(BOARDS)),
            slow: RefCell::new(LruCache::new(BOARDS)),
            few: RefCell::default(),
        }
    }
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
        self.compiled_with(position, self.shortcuts, &self.machines, true)
    }

    /// The same with all shortcuts, whichever are on: equality in misère play is a statement about sums of parts, so every
    /// shortcut that finds parts is needed.
    pub(super) fn compiled_in_full(&self, position: &Position) -> Res<(Arc<Machine>, Packed)> {
        let machines = match self.shortcuts == Shortcuts::ALL {
            true => &self.machines,
            false => &self.machines_in_full,
        };
        self.compiled_with(position, Shortcuts::ALL, machines, false)
    }

    /// Compiles a term, alone, by the [`ATTEMPTS`]. Where a board of the same ruleset took long before, followers are counted
    /// first.
    fn compile(
        &self,
        (term, position): (&Term, &Position),
        shortcuts: Shortcuts,
        machines: &Machines,
    ) -> Res<Machine> {
        let instance = &term.setting.instance;
        let compile = |steps| {
            let settings = Settings {
                steps,
                ..shortcuts.into()
            };
            Machine::until(&self.model, position, settings, &self.cancel)
        };
        let mut slow = machines.slow.borrow_mut().get(instance).is_some();
        for attempt in &ATTEMPTS {
            let steps = if slow { 0 } else { attempt.compiling };
            let machine = compile(Some(steps))?;
            if !machine.is_hasty() {
                return Ok(machine);
            }
            machines.slow.borrow_mut().put(instance.clone(), ());
            slow = false;
            match self.has_few_followers(position, attempt, machines) {
                Some(true) => return Ok(machine),
                Some(false) => {}
                // Applying the rules takes long, too.
                None => break,
            }
        }
        compile(None)
    }

    /// Whether a position has few followers, counted by the rules; `None` if that takes many steps.
    fn has_few_followers(
        &self,
        position: &Position,
        attempt: &Attempt,
        machines: &Machines,
    ) -> Option<bool> {
        if machines.few.borrow().contains(position) {
            return Some(true);
        }
        let ev = Evaluator::new(&self.model, &NoHost).with_cancel(self.cancel.clone());
        let ev = ev.with_steps(attempt.counting);
        let mut open = vec![Arc::new(position.clone())];
        let mut seen: FxHashSet<Arc<Position>> = open.iter().cloned().collect();
        while let Some(next) = open.pop() {
            for player in (0..next.players()).map(Player) {
                let all = match naive::moves(&ev, &next, player) {
                    Ok(all) => all,
                    Err(fault) if fault.code.is_limit() => return None,
                    // What fails has no followers that matter.
                    Err(_) => continue,
                };
                for moved in all {
                    let follower = Arc::new(moved.position);
                    if seen.insert(follower.clone()) {
                        open.push(follower);
                    }
                }
                if seen.len() > attempt.few {
                    return Some(false);
                }
            }
        }
        let mut few = machines.few.borrow_mut();
        if few.len() + seen.len() > MOST_FEW {
            few.clear();
        }
        few.extend(seen);
        Some(true)
    }

    /// The machine for nothing but a position and its followers, compiled however long it takes: what is told about it does not
    /// depend on what was compiled before.
    pub(super) fn compiled_alone(&self, position: &Position) -> Res<Machine> {
        let settings = self.shortcuts.into();
        let mut parts: Vec<Arc<Machine>> = Vec::new();
        for term in position.terms() {
            if let Some(same) = parts.iter().find(|m| m.is_of(term)).cloned() {
                parts.push(same);
                continue;
            }
            let one = term.single();
            let board = AnyStart(term.setting.clone());
            let kept = self.machines.kept.borrow_mut().get(&board).cloned();
            if let Some(kept) = &kept
                && kept.machine.is_of(term)
                && kept.machine.is_unlimited()
            {
                parts.push(kept.machine.clone());
                continue;
            }
            let machine = Machine::until(&self.model, &one, settings, &self.cancel)?;
            let machine = Arc::new(machine.counting_in(&self.counters));
            // A compiled machine at hand may cover more.
            if kept.is_none_or(|kept| matches!(kept.next, Next::Many)) {
                let kept = Kept {
                    machine: machine.clone(),
                    next: Next::Alone,
                };
                self.machines.kept.borrow_mut().put(board, kept);
            }
            parts.push(machine);
        }
        Machine::of_sum(&self.model, position, &parts, settings, &self.cancel)
    }

    /// As [`Solver::compiled`], with other shortcuts; `machines` are those compiled with these. Unless `brief`, a board is compiled
    /// however long it takes.
    pub(super) fn compiled_with(
        &self,
        position: &Position,
        shortcuts: Shortcuts,
        machines: &Machines,
        brief: bool,
    ) -> Res<(Arc<Machine>, Packed)> {
        let [term] = position.terms() else {
            return self.compiled_sum(position, shortcuts, machines, brief);
        };
        let board = AnyStart(term.setting.clone());
        let found = |kept: &Kept| {
            let start = serves(&kept.machine, position)?;
            let may = !matches!(kept.next, Next::Many)
                || brief && self.has_few_followers(position, &ATTEMPTS[0], machines) == Some(true);
            may.then(|| (kept.clone(), start))
        };
        let own = machines.kept.borrow_mut().get(&board).cloned();
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
                Some((Next::Many, _)) => Next::Alone,
                Some(_) => Next::Wider,
            };
            let machine = match wide {
                Some(machine) => machine,
                None if brief => self.compile((term, position), shortcuts, machines)?,
                None => Machine::until(&self.model, position, shortcuts.into(), &self.cancel)?,
            };
            let next = match machine.is_hasty() {
                true => Next::Many,
                false => next,
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
        machines.kept.borrow_mut().put(board, kept.clone());
        Ok((kept.machine, start))
    }

    /// The machine of a sum, from those of the boards of its terms.
    fn compiled_sum(
        &self,
        position: &Position,
        shortcuts: Shortcuts,
        machines: &Machines,
        brief: bool,
    ) -> Res<(Arc<Machine>, Packed)> {
        let of = |term: &Term| {
            let alone = term.single();
            Ok(self.compiled_with(&alone, shortcuts, machines, brief)?.0)
        };
        let parts: Vec<Arc<Machine>> = position.terms().iter().map(of).collect::<Res<_>>()?;
        let settings = shortcuts.into();
        let machine = Machine::of_sum(&self.model, position, &parts, settings, &self.cancel)?;
        let machine = machine.counted_in(&self.counters);
        let start = machine.initial();
        Ok((Arc::new(machine), start))
    }
}
