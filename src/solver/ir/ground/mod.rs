//! Grounding, level 2 of the intermediate representation: a ruleset on a board, with the position that play starts from,
//! comes in; the finite list of its instances goes out, each with the values that variables must have and what it writes.
//!
//! The rules are run over all positions at once (`run`): a value that depends on the position is a function of one
//! variable, and a condition on it splits the path. The values that a variable can ever have are the least sets that
//! contain those of the start and are closed under the instances whose guards can be met on them (language.md, section
//! 7.1); every instance that is ever enabled in play is among those returned. Counts are bounded by groups whose sum no
//! instance raises; that is checked on the instances found under the bound, which is an induction over play: as long as
//! the bound has held, only these instances were enabled, and none of them breaks it.
//!
//! What cannot be grounded is refused with the reason; the naive evaluator then plays.

mod effects;
mod ends;
mod expr;
mod members;
mod moves;
mod print;
mod run;
mod symbol;
mod vars;

/// Whether a built-in function gives a set of sites of the board at hand.
#[must_use]
pub fn is_set_of_sites(b: crate::model::typed::Builtin) -> bool {
    members::is_site_set(b)
}

pub use print::{ParseError, read, show};
pub use vars::{GroundVar, MAX_VALUES, Vars};

use crate::game::{Cancel, End};
use crate::ir::fault::Fault;
use crate::ir::instance::{Setting, Var};
use crate::ir::int::Int;
use crate::ir::position::State;
use crate::ir::val::{Piece, Val};
use crate::model::typed::{Model, Sort};
use moves::Raw;
use run::World;
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;
use symbol::{Held, Stop, Sym, VarSet, all, bits};

/// In a table of numbers of values: this never happens.
pub const NEVER: u8 = u8::MAX;

/// The most rounds of the closure.
const MAX_ROUNDS: usize = 80;
/// After so many rounds, variables of one kind share their values.
const SHARE_AFTER: usize = 6;
/// Steps for all rounds together.
const FUEL: u64 = 6_000_000;

/// What an instance writes to a variable.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Write {
    /// The value of this number.
    Value(u8),
    /// A function of a variable (perhaps of itself): which number for each number of its values; [`NEVER`] where the
    /// guard excludes it.
    Table(u32, Box<[u8]>),
    /// The variable grows by a constant, whatever it holds: it is not observed.
    Plus(Box<[u8]>),
}

/// A ground instance of a move.
#[derive(Clone, Debug)]
pub struct GroundInstance {
    /// Whose it is: bit i for player i.
    pub players: u64,
    /// Variables, sorted, each with the set of the numbers of the values with which the instance is enabled.
    pub guard: Vec<(u32, u64)>,
    /// Variables, sorted, with what is written to them. All writes read the state before.
    pub update: Vec<(u32, Write)>,
    /// After the writes, what is not joined to this site any more is removed.
    pub keep: Option<u32>,
    /// The rule goes wrong here.
    pub fault: Option<Arc<Fault>>,
    /// The same player moves next.
    pub again: bool,
    /// Which move of the ruleset.
    pub rule: u32,
    /// What was chosen, as far as it is the same in all positions.
    pub choice: Vec<(Arc<str>, Val)>,
}

impl GroundInstance {
    /// Whether the update reads a variable.
    #[must_use]
    pub fn reads(&self, var: u32) -> bool {
        self.update.iter().any(|(_, w)| match w {
            Write::Table(from, _) => *from == var,
            _ => false,
        })
    }

    fn same_effect(&self) -> (&[(u32, Write)], Option<u32>, bool, bool) {
        (&self.update, self.keep, self.fault.is_some(), self.again)
    }
}

/// One way in which a clause ends play.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GroundEnd {
    /// Variables, sorted, each with the set of the numbers of the values with which it holds.
    pub guard: Vec<(u32, u64)>,
    /// Pairs of sites that must be joined through sites that hold the same piece as both.
    pub joined: Vec<(u32, u32)>,
    /// How play has ended then.
    pub end: End,
}

/// A ruleset on a board as instances.
#[derive(Clone, Debug)]
pub struct Ground {
    /// The ruleset and the board.
    pub setting: Arc<Setting>,
    /// The variables.
    pub vars: Vars,
    /// The values that each variable can ever have, sorted; the instances speak of their numbers.
    pub values: Vec<Vec<Val>>,
    /// The numbers of the values at the start.
    pub start: Vec<u8>,
    /// The instances: each can be enabled as far as the values of single variables tell.
    pub instances: Vec<GroundInstance>,
    /// The ends of play by who has just moved, in the order in which they are looked at.
    pub ends: Vec<Vec<GroundEnd>>,
    /// How counts were bounded, as a sentence; none if nothing had to be bounded.
    pub bound: Option<String>,
    /// The groups of counts whose sum bounded them, each with its sum at the start. The instances speak for a position
    /// only if none of its sums is larger.
    pub sums: Vec<(Vec<u32>, i64)>,
}

impl Ground {
    /// Grounds a ruleset on a board, for all positions that can follow `state`.
    ///
    /// # Errors
    /// The reason, as half a sentence, why it cannot be done: it needs heaps, too many instances, no bound is found.
    pub fn new(model: &Model, setting: &Arc<Setting>, state: &State) -> Result<Ground, String> {
        Ground::with(model, setting, state, false, &Cancel::new())
    }

    /// As [`Ground::new`], until somebody cancels.
    ///
    /// # Errors
    /// As there; that somebody has cancelled.
    pub fn until(
        model: &Model,
        setting: &Arc<Setting>,
        state: &State,
        cancel: &Cancel,
    ) -> Result<Ground, String> {
        Ground::with(model, setting, state, false, cancel)
    }

    /// The same, slowly: every way in which a condition can fail is followed, and every round does everything again.
    ///
    /// # Errors
    /// As [`Ground::new`]; it takes more steps.
    pub fn plainly(model: &Model, setting: &Arc<Setting>, state: &State) -> Result<Ground, String> {
        Ground::with(model, setting, state, true, &Cancel::new())
    }

    fn with(
        model: &Model,
        setting: &Arc<Setting>,
        state: &State,
        plain: bool,
        cancel: &Cancel,
    ) -> Result<Ground, String> {
        if setting.board.kind.has_heaps() {
            return Err("heaps have no largest size".into());
        }
        let mut why = String::new();
        for level in [Group::Own, Group::Function, Group::All, Group::None] {
            match ground_with(model, setting, state, level, plain, cancel) {
                Ok(ground) => return Ok(ground),
                Err(reason) => why = reason,
            }
            if cancel.is_cancelled() {
                break;
            }
            if !setting.instance.rules.state.iter().any(|f| f.natural) {
                break;
            }
        }
        Err(why)
    }

    /// The number of a value of a variable.
    #[must_use]
    pub fn number(&self, var: u32, value: &Val) -> Option<u8> {
        let at = self.values.get(var as usize)?.binary_search(value).ok()?;
        u8::try_from(at).ok()
    }

    /// The numbers of the values at a state; `None` if the instances do not speak for it: a variable has a value that it
    /// can never have after the start, or a sum that bounds the counts is larger than it was there.
    #[must_use]
    pub fn numbers(&self, state: &State) -> Option<Vec<u8>> {
        let numbers: Vec<u8> = (0u32..)
            .take(self.vars.list.len())
            .map(|v| self.number(v, &self.vars.value(&self.setting, state, v)))
            .collect::<Option<_>>()?;
        let count = |v: &u32| {
            let at = usize::from(*numbers.get(*v as usize)?);
            self.values.get(*v as usize)?.get(at)?.as_int()?.to_i64()
        };
        let within = self.sums.iter().all(|(group, most)| {
            let sum = group
                .iter()
                .try_fold(0i64, |sum, v| sum.checked_add(count(v)?));
            sum.is_some_and(|sum| sum <= *most)
        });
        within.then_some(numbers)
    }

    /// The state with these numbers of values.
    #[must_use]
    pub fn state(&self, like: &State, numbers: &[u8]) -> State {
        let mut state = like.clone();
        for (v, n) in (0u32..).zip(numbers) {
            if let Some(value) = self.values[v as usize].get(usize::from(*n)) {
                self.vars.put(&self.setting, &mut state, v, value);
            }
        }
        self.vars.finish(&self.setting, &mut state);
        state
    }
}

/// By which groups counts are bounded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Group {
    /// Counts of one function with the same pieces and players.
    Own,
    /// Counts of one function.
    Function,
    /// All counts.
    All,
    /// Not at all.
    None,
}

fn groups(setting: &Setting, vars: &Vars, level: Group) -> Vec<Vec<u32>> {
    let mut found: BTreeMap<(u32, Vec<Val>), Vec<u32>> = BTreeMap::new();
    for (i, var) in vars.list.iter().enumerate() {
        let GroundVar::State(v) = var else { continue };
        let Some(Var::State(f, args)) = setting.var(*v) else {
            continue;
        };
        let decl = &setting.instance.rules.state[f.0 as usize];
        if decl.sort != Sort::Int || !decl.natural {
            continue;
        }
        let own = args
            .into_iter()
            .filter(|v| matches!(v, Val::Piece(_) | Val::Player(_) | Val::Bool(_)));
        let key = match level {
            Group::Own => (f.0, own.collect()),
            Group::Function => (f.0, Vec::new()),
            Group::All => (0, Vec::new()),
            Group::None => continue,
        };
        found
            .entry(key)
            .or_default()
            .push(u32::try_from(i).unwrap_or(u32::MAX));
    }
    found.into_values().collect()
}

fn ground_with(
    model: &Model,
    setting: &Arc<Setting>,
    state: &State,
    level: Group,
    plain: bool,
    cancel: &Cancel,
) -> Result<Ground, String> {
    let vars = Vars::new(setting);
    let count = vars.list.len();
    let number = |i: usize| u32::try_from(i).unwrap_or(u32::MAX);
    let start: Vec<Val> = (0..count)
        .map(|i| vars.value(setting, state, number(i)))
        .collect();
    let mut values: Vec<Rc<[Val]>> = start.iter().map(|v| Rc::from([v.clone()])).collect();
    let groups = groups(setting, &vars, level);
    let mut cap: Vec<Option<i64>> = vec![None; count];
    let mut sums = Vec::new();
    for group in &groups {
        let mut sum = 0i64;
        for v in group {
            let Val::Int(Int::Small(n)) = &start[*v as usize] else {
                return Err("a count is too large".into());
            };
            sum = sum.saturating_add(*n);
        }
        for v in group {
            cap[*v as usize] = Some(sum);
        }
        sums.push((group.clone(), sum));
    }
    let mut fuel = FUEL;
    let mut memo = moves::Memo::default();
    let raws = 'rounds: {
        for round in 0..MAX_ROUNDS {
            let world = World {
                model,
                setting,
                vars: &vars,
                values: &values,
                fuel: Cell::new(fuel),
                looked: RefCell::default(),
                plain,
                cancel,
            };
            let raws = moves::all_moves(&world, &mut memo).map_err(|stop| match stop {
                Stop::Cannot(why) => why,
                Stop::Forked => "a decision out of place".to_owned(),
                Stop::Fault(fault) => fault.message,
            })?;
            fuel = world.fuel.get();
            let more = absorb(&world, &raws, &cap, round)?;
            match more {
                None => break 'rounds raws,
                Some(more) => {
                    let mut changed = VarSet::default();
                    for (i, (old, new)) in values.iter().zip(&more).enumerate() {
                        if old != new {
                            changed.insert(number(i));
                        }
                    }
                    if plain {
                        memo = moves::Memo::default();
                    }
                    memo.forget(&changed);
                    values = more;
                }
            }
        }
        return Err("the values of its variables do not settle".into());
    };
    let world = World {
        model,
        setting,
        vars: &vars,
        values: &values,
        fuel: Cell::new(fuel),
        looked: RefCell::default(),
        plain,
        cancel,
    };
    let raised = (0..count).any(|i| {
        let top = values[i].iter().filter_map(Val::as_int).max();
        cap[i].is_some() && top > start[i].as_int()
    });
    let mut bound = None;
    let clipped = clips(&world, &raws, &cap);
    if raised || clipped {
        for group in &groups {
            if !raws.iter().all(|raw| does_not_raise(&world, raw, group)) {
                return Err("no bound was found for its counts".into());
            }
        }
        bound = Some(match level {
            Group::Own => "no move raises the sum of counts of one kind".to_owned(),
            Group::Function => "no move raises the sum of one state function".to_owned(),
            _ => "no move raises the sum of all counts".to_owned(),
        });
    }
    let instances = instances(&world, raws);
    let ends = ends::all_ends(&world).map_err(|stop| match stop {
        Stop::Cannot(why) => why,
        Stop::Forked => "a decision out of place".to_owned(),
        Stop::Fault(fault) => fault.message,
    })?;
    let values: Vec<Vec<Val>> = values.iter().map(|v| v.to_vec()).collect();
    let mut ground = Ground {
        setting: setting.clone(),
        vars,
        values,
        start: Vec::new(),
        instances,
        ends,
        sums: if bound.is_some() { sums } else { Vec::new() },
        bound,
    };
    ground.start = ground.numbers(state).ok_or("the start was lost")?;
    Ok(ground)
}

/// What a write may leave in its variable.
fn results(world: &World<'_>, raw: &Raw, var: u32, held: &Held) -> Vec<(Option<Val>, Val)> {
    let table = |source: u32, table: &[Val], own: bool| -> Vec<(Option<Val>, Val)> {
        bits(world.left(&raw.path, source))
            .map(|i| {
                let before = own.then(|| world.values[source as usize][i].clone());
                (before, table[i].clone())
            })
            .collect()
    };
    match held {
        Held::Set(Sym::Is(v)) => vec![(None, v.clone())],
        Held::Set(Sym::Of(y, t)) => table(*y, t, *y == var),
        Held::Plus(k) => bits(world.left(&raw.path, var))
            .filter_map(|i| {
                let v = &world.values[var as usize][i];
                let more = v.as_int()?.add(&Int::Small(*k)).ok()?;
                Some((Some(v.clone()), Val::Int(more)))
            })
            .collect(),
    }
}

fn over(cap: Option<i64>, v: &Val) -> bool {
    match (cap, v) {
        (Some(cap), Val::Int(n)) => *n > Int::Small(cap),
        _ => false,
    }
}

/// The value sets with what the instances write; none if nothing is new.
fn absorb(
    world: &World<'_>,
    raws: &[Rc<Raw>],
    cap: &[Option<i64>],
    round: usize,
) -> Result<Option<Vec<Rc<[Val]>>>, String> {
    let mut more: Vec<FxHashSet<Val>> = vec![FxHashSet::default(); cap.len()];
    let mut put = |var: u32, v: Val| {
        let old = &world.values[var as usize];
        if !over(cap[var as usize], &v) && old.binary_search(&v).is_err() {
            more[var as usize].insert(v);
        }
    };
    for raw in raws.iter().filter(|r| r.fault.is_none()) {
        for (var, held) in &raw.path.held {
            for (_, v) in results(world, raw, *var, held) {
                put(*var, v);
            }
        }
        if let Some(root) = raw.path.keep {
            for (i, var) in world.vars.list.iter().enumerate() {
                let var_number = u32::try_from(i).unwrap_or(u32::MAX);
                match var {
                    GroundVar::Site(s) if *s != root => put(var_number, Val::Piece(Piece::Off)),
                    GroundVar::Present(s) if *s != root => put(var_number, Val::Bool(false)),
                    GroundVar::Edge(_) => put(var_number, Val::Piece(Piece::Off)),
                    GroundVar::EdgePresent(_) => put(var_number, Val::Bool(false)),
                    _ => {}
                }
            }
        }
    }
    if more.iter().all(FxHashSet::is_empty) {
        return Ok(None);
    }
    let setting = world.setting;
    let mut next: Vec<Rc<[Val]>> = Vec::with_capacity(more.len());
    for (i, new) in more.into_iter().enumerate() {
        let old = &world.values[i];
        if new.is_empty() {
            next.push(old.clone());
            continue;
        }
        let mut all: Vec<Val> = old.iter().cloned().chain(new).collect();
        all.sort();
        // Counts are intervals.
        if cap[i].is_some()
            && let (Some(Val::Int(Int::Small(low))), Some(Val::Int(Int::Small(high)))) =
                (all.first().cloned(), all.last().cloned())
            && high - low <= MAX_VALUES as i64
        {
            all = (low..=high).map(Val::int).collect();
        }
        if all.len() > MAX_VALUES {
            return Err(format!("a variable has more than {MAX_VALUES} values"));
        }
        next.push(all.into());
    }
    if round >= SHARE_AFTER {
        let mut shared: FxHashMap<u32, Vec<Val>> = FxHashMap::default();
        let block = |i: usize| {
            world
                .vars
                .block(setting, u32::try_from(i).unwrap_or(u32::MAX))
        };
        let grows: Vec<bool> = (0..next.len())
            .map(|i| cap[i].is_none() && next[i].len() > 1)
            .collect();
        for (i, v) in next.iter().enumerate().filter(|(i, _)| grows[*i]) {
            shared
                .entry(block(i))
                .or_default()
                .extend(v.iter().cloned());
        }
        for list in shared.values_mut() {
            list.sort();
            list.dedup();
        }
        for (i, v) in next.iter_mut().enumerate().filter(|(i, _)| grows[*i]) {
            if let Some(list) = shared.get(&block(i))
                && list.len() <= MAX_VALUES
            {
                *v = list.clone().into();
            }
        }
    }
    Ok(Some(next))
}

/// Whether some write goes beyond the bound of its variable.
fn clips(world: &World<'_>, raws: &[Rc<Raw>], cap: &[Option<i64>]) -> bool {
    raws.iter().filter(|r| r.fault.is_none()).any(|raw| {
        raw.path.held.iter().any(|(var, held)| {
            results(world, raw, *var, held)
                .iter()
                .any(|(_, v)| over(cap[*var as usize], v))
        })
    })
}

/// Whether an instance leaves the sum of a group at most as it was, whatever the position.
fn does_not_raise(world: &World<'_>, raw: &Raw, group: &[u32]) -> bool {
    if raw.fault.is_some() {
        return true;
    }
    let mut change = 0i64;
    for (var, held) in &raw.path.held {
        if !group.contains(var) {
            continue;
        }
        let least = bits(world.left(&raw.path, *var))
            .filter_map(|i| world.values[*var as usize][i].as_int())
            .min()
            .cloned()
            .unwrap_or_default();
        let mut most = None;
        for (before, after) in results(world, raw, *var, held) {
            let before = before.as_ref().and_then(Val::as_int).unwrap_or(&least);
            let more = after.as_int().and_then(|a| a.sub(before).ok());
            let Some(more) = more.and_then(|m| m.to_i64()) else {
                return false;
            };
            most = Some(most.map_or(more, |m: i64| m.max(more)));
        }
        change = change.saturating_add(most.unwrap_or(0));
    }
    change <= 0
}

/// Raw instances with numbers for values: what is constant is folded, what is unchanged is not written, and instances
/// that differ in one atom only become one.
fn instances(world: &World<'_>, raws: Vec<Rc<Raw>>) -> Vec<GroundInstance> {
    let number = |var: u32, v: &Val| -> u8 {
        let at = world.values[var as usize].binary_search(v);
        at.ok().and_then(|n| u8::try_from(n).ok()).unwrap_or(NEVER)
    };
    let mut found: Vec<GroundInstance> = Vec::new();
    type Same = (Vec<(u32, u64)>, Vec<(u32, Write)>, Option<u32>, bool);
    let mut seen: FxHashMap<Same, usize> = FxHashMap::default();
    for raw in raws {
        let whole = |var: u32| all(world.values[var as usize].len());
        let guard: Vec<(u32, u64)> = raw
            .path
            .known
            .iter()
            .copied()
            .filter(|(var, set)| *set != whole(*var))
            .collect();
        let mut update = Vec::new();
        for (var, held) in raw.path.held.iter().filter(|_| raw.fault.is_none()) {
            let left = world.left(&raw.path, *var);
            let own = &world.values[*var as usize];
            let write = match held {
                Held::Set(Sym::Is(v)) => {
                    let n = number(*var, v);
                    if left.count_ones() == 1 && bits(left).next() == Some(usize::from(n)) {
                        continue;
                    }
                    Write::Value(n)
                }
                Held::Set(Sym::Of(y, table)) => {
                    let possible = world.left(&raw.path, *y);
                    if y == var && bits(possible).all(|i| own[i] == table[i]) {
                        continue;
                    }
                    let table = table.iter().enumerate().map(|(i, v)| {
                        if possible >> i & 1 == 1 {
                            number(*var, v)
                        } else {
                            NEVER
                        }
                    });
                    Write::Table(*y, table.collect())
                }
                Held::Plus(0) => continue,
                Held::Plus(k) => Write::Plus(
                    own.iter()
                        .map(|v| {
                            let more = v.as_int().and_then(|n| n.add(&Int::Small(*k)).ok());
                            more.map_or(NEVER, |n| number(*var, &Val::Int(n)))
                        })
                        .collect(),
                ),
            };
            update.push((*var, write));
        }
        let instance = GroundInstance {
            players: raw.players,
            guard,
            update,
            keep: raw.path.keep.filter(|_| raw.fault.is_none()),
            fault: raw.fault.clone(),
            again: raw.again,
            rule: raw.rule,
            choice: raw.choice.clone(),
        };
        if instance.fault.is_some() {
            found.push(instance);
            continue;
        }
        let key = (
            instance.guard.clone(),
            instance.update.clone(),
            instance.keep,
            instance.again,
        );
        match seen.get(&key) {
            Some(at) => found[*at].players |= instance.players,
            None => {
                seen.insert(key, found.len());
                found.push(instance);
            }
        }
    }
    merge(world, &mut found);
    found
}

/// Instances that differ in the values of one variable only become one, until no two do.
fn merge(world: &World<'_>, list: &mut Vec<GroundInstance>) {
    if list.len() > 40_000 {
        return;
    }
    loop {
        let mut first: FxHashMap<u64, Vec<(usize, usize)>> = FxHashMap::default();
        let mut dead = vec![false; list.len()];
        let mut any = false;
        for i in 0..list.len() {
            if list[i].fault.is_some() {
                continue;
            }
            for a in 0..list[i].guard.len() {
                let key = without(&list[i], a);
                let same = first.entry(key).or_default();
                let twin = same
                    .iter()
                    .copied()
                    .find(|(j, b)| *j != i && !dead[*j] && differ_at(&list[i], a, &list[*j], *b));
                if let Some((j, b)) = twin {
                    let (var, set) = list[i].guard[a];
                    let joined = list[j].guard[b].1 | set;
                    if joined == all(world.values[var as usize].len()) {
                        list[j].guard.remove(b);
                    } else {
                        list[j].guard[b].1 = joined;
                    }
                    list[j].choice.clear();
                    dead[i] = true;
                    any = true;
                    break;
                }
                same.push((i, a));
            }
        }
        if !any {
            return;
        }
        let mut it = dead.iter();
        list.retain(|_| !it.next().copied().unwrap_or(false));
    }
}

fn without(m: &GroundInstance, at: usize) -> u64 {
    use std::hash::{Hash, Hasher};
    let mut h = rustc_hash::FxHasher::default();
    for (i, atom) in m.guard.iter().enumerate() {
        if i == at {
            atom.0.hash(&mut h);
        } else {
            atom.hash(&mut h);
        }
    }
    (m.players, &m.update, m.keep, m.again).hash(&mut h);
    h.finish()
}

fn differ_at(m: &GroundInstance, a: usize, n: &GroundInstance, b: usize) -> bool {
    a == b
        && m.players == n.players
        && m.guard.len() == n.guard.len()
        && m.same_effect() == n.same_effect()
        && m.guard
            .iter()
            .zip(&n.guard)
            .enumerate()
            .all(|(i, (x, y))| if i == a { x.0 == y.0 } else { x == y })
}
