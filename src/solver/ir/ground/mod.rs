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

mod ask;
pub mod condition;
mod counts;
mod effects;
mod ends;
mod expr;
mod listed;
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

pub use ask::is_gone;
pub use print::{ParseError, read, show};
pub use vars::{GroundVar, MAX_VALUES, Vars};

use crate::game::{Cancel, End, MOST_POINTS};
use crate::ir::banked::Banked;
use crate::ir::fault::Fault;
use crate::ir::instance::Setting;
use crate::ir::int::Int;
use crate::ir::position::State;
use crate::ir::val::{Piece, Val};
use crate::model::typed::{EffectKind, Model, Ruleset};
use condition::{Condition, Phase};
use counts::{Bounded, clips, does_not_raise, groups, over};
use listed::instances;
use moves::Raw;
use run::World;
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::sync::Arc;
use symbol::{Asked, Held, Path, Stop, Sym, VarSet, bits};

/// In a table of numbers of values: this never happens.
pub const NEVER: u8 = u8::MAX;

/// The most rounds of the closure.
const MAX_ROUNDS: usize = 80;
/// After so many rounds, variables of one kind share their values.
const SHARE_AFTER: usize = 6;
/// Steps for all rounds together.
const FUEL: u64 = 6_000_000;

/// Why rules are not grounded for which they do not suffice.
const TOO_LONG: &str = "it takes too many steps";

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
    /// The points that it banks: see [`Ground::counting`].
    pub gain: i64,
    /// What is done once the guard is met, where that asks for more than single variables; then `update` says what may be written
    /// at the end by writes that depend on nothing of the kind.
    pub phases: Vec<Phase>,
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
}

/// One way in which a clause ends play.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GroundEnd {
    /// Variables, sorted, each with the set of the numbers of the values with which it holds.
    pub guard: Vec<(u32, u64)>,
    /// Pairs of sites that must be joined through sites that hold the same piece as both.
    pub joined: Vec<(u32, u32)>,
    /// What else is asked of the position.
    pub asked: Option<Condition>,
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
        Ground::until(model, setting, state, Fallbacks::default(), &Cancel::new())
    }

    /// Grounds a ruleset whose banked points are left out of its positions: an instance says what it banks in their place. `state` is
    /// one from which they were taken.
    ///
    /// # Errors
    /// As [`Ground::new`]; that somebody has cancelled.
    pub fn counting(
        model: &Model,
        setting: &Arc<Setting>,
        state: &State,
        banked: &Banked,
        cancel: &Cancel,
    ) -> Result<Ground, String> {
        let how = How {
            fallbacks: Fallbacks::default(),
            banked: &banked.vars,
            ..How::default()
        };
        Ground::with(model, setting, state, how, cancel)
    }

    /// As [`Ground::new`], until somebody cancels.
    ///
    /// # Errors
    /// As there; that somebody has cancelled.
    pub fn until(
        model: &Model,
        setting: &Arc<Setting>,
        state: &State,
        fallbacks: Fallbacks,
        cancel: &Cancel,
    ) -> Result<Ground, String> {
        let how = How {
            fallbacks,
            ..How::default()
        };
        Ground::with(model, setting, state, how, cancel)
    }

    /// The same, slowly: every way in which a condition can fail is followed, and every round does everything again.
    ///
    /// # Errors
    /// As [`Ground::new`]; it takes more steps.
    pub fn plainly(model: &Model, setting: &Arc<Setting>, state: &State) -> Result<Ground, String> {
        let how = How {
            plain: true,
            fallbacks: Fallbacks {
                merging: Resort::Never,
                asking: Resort::Never,
            },
            ..How::default()
        };
        Ground::with(model, setting, state, how, &Cancel::new())
    }

    fn with(
        model: &Model,
        setting: &Arc<Setting>,
        state: &State,
        how: How<'_>,
        cancel: &Cancel,
    ) -> Result<Ground, String> {
        if setting.board.kind.has_heaps() {
            return Err("heaps have no largest size".into());
        }
        let naturals = setting.instance.rules.state.iter().any(|f| f.natural);
        let levels: &[Bounded] = match naturals {
            true => &[Bounded::Own, Bounded::Function, Bounded::All, Bounded::None],
            false => &[Bounded::Own],
        };
        let mut why = String::new();
        let mut first = true;
        for fallbacks in how.fallbacks.tries(model, &setting.instance.rules) {
            let how = How { fallbacks, ..how };
            for level in levels {
                match ground_with(model, setting, state, *level, how, cancel) {
                    Ok(ground) => return Ok(ground),
                    Err(reason) => {
                        // A weaker bound lets variables have more values, which takes more steps.
                        let long = reason == TOO_LONG;
                        if std::mem::take(&mut first) {
                            why = reason;
                        }
                        if long || cancel.is_cancelled() {
                            break;
                        }
                    }
                }
            }
            if cancel.is_cancelled() {
                break;
            }
        }
        Err(why)
    }

    /// Whether instances ask in play for more than their guards say.
    #[must_use]
    pub fn asks(&self) -> bool {
        self.instances.iter().any(|m| !m.phases.is_empty())
    }

    /// Calls `with` for each variable that is asked for in play beside guards, with the set of values.
    pub fn each_asked(&self, with: &mut dyn FnMut(u32, u64)) {
        for phase in self.instances.iter().flat_map(|m| &m.phases) {
            match phase {
                Phase::Test(c) => c.each_variable(with),
                Phase::Write(_) => {}
                Phase::When(list) => list.iter().for_each(|(c, ..)| c.each_variable(with)),
            }
        }
        for c in self.ends.iter().flatten().filter_map(|e| e.asked.as_ref()) {
            c.each_variable(with);
        }
    }

    /// Whether groups or the like are asked for in play beside the pairs of ends.
    #[must_use]
    pub fn asks_groups(&self) -> bool {
        let phases = self.instances.iter().flat_map(|m| &m.phases);
        let mut conditions = phases.flat_map(|phase| match phase {
            Phase::Test(c) => vec![c],
            Phase::Write(_) => Vec::new(),
            Phase::When(list) => list.iter().map(|(c, ..)| c).collect(),
        });
        let mut ends = self.ends.iter().flatten().filter_map(|e| e.asked.as_ref());
        conditions.any(Condition::asks_groups) || ends.any(Condition::asks_groups)
    }

    /// The number of a value of a variable.
    #[must_use]
    pub fn number(&self, var: u32, value: &Val) -> Option<u8> {
        let at = self.values.get(var as usize)?.binary_search(value).ok()?;
        u8::try_from(at).ok()
    }

    /// The numbers of the values at a state; `None` if the instances do not speak for it: a variable has a value that it
    /// can never have after the start, something fixed is another, or a sum that bounds the counts is larger than it was there.
    #[must_use]
    pub fn numbers(&self, state: &State) -> Option<Vec<u8>> {
        let fixed = &self.vars.fixed;
        if !fixed
            .iter()
            .all(|(v, held)| state.vars.get(*v) == Some(held))
        {
            return None;
        }
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

/// How far one way to ground rules is resorted to.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Resort {
    /// It is not.
    Never,
    /// Where there are too many paths without it.
    #[default]
    WhereNeeded,
    /// First of all (for tests).
    Always,
    /// The same with a mistake made on purpose.
    #[doc(hidden)]
    Wrongly,
}

/// Ways to ground rules that have too many paths.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Fallbacks {
    /// What becomes of an effect under a condition that looks at nothing but the variable which the effect writes: two paths, so that each
    /// instance writes as little as can be and positions fall apart best, or one write that is a function of the variable and changes
    /// nothing where the condition fails. The mistake: the write is done whether the condition holds or not.
    pub merging: Resort,
    /// What becomes of a condition that runs through sites, pieces or numbers (`some`, `all`, `no`, `size`): a path for each way in which it
    /// can hold, or one instance that asks for it in play, as it does for groups. The mistake: it is taken to hold.
    pub asking: Resort,
}

impl Fallbacks {
    /// What to try, in order.
    fn tries(self, model: &Model, rules: &Ruleset) -> Vec<Fallbacks> {
        let plain = Fallbacks {
            merging: Resort::Never,
            asking: Resort::Never,
        };
        let merged = Fallbacks {
            merging: self.merging,
            ..plain
        };
        let mut tries = match self.merging {
            Resort::Never => vec![plain],
            Resort::WhereNeeded if !has_conditional_effects(rules) => vec![plain],
            Resort::WhereNeeded => vec![plain, merged],
            Resort::Always | Resort::Wrongly => vec![merged, plain],
        };
        match self.asking {
            Resort::Never => {}
            _ if !ask::has_wide_conditions(model, rules) => {}
            Resort::WhereNeeded => tries.push(self),
            Resort::Always | Resort::Wrongly => tries.insert(0, self),
        }
        tries
    }
}

/// How rules are run over all positions at once.
#[derive(Clone, Copy, Default)]
struct How<'h> {
    /// Every way in which a condition can fail is followed, and every round does everything again.
    plain: bool,
    fallbacks: Fallbacks,
    /// Variables that are left out, by number, with what one of each counts for.
    banked: &'h [(usize, i64)],
}

/// Whether an effect is done under a condition.
fn has_conditional_effects(rules: &Ruleset) -> bool {
    let effects = rules.moves.iter().flat_map(|m| &m.stages);
    let mut effects = effects.flat_map(|stage| &stage.effects);
    effects.any(|effect| matches!(effect.kind, EffectKind::Each(_, Some(_), _)))
}

fn ground_with(
    model: &Model,
    setting: &Arc<Setting>,
    state: &State,
    level: Bounded,
    how: How<'_>,
    cancel: &Cancel,
) -> Result<Ground, String> {
    let vars = Vars::new(setting, state);
    let How {
        plain, fallbacks, ..
    } = how;
    let factors = how.banked.iter();
    let banked: FxHashMap<u32, i64> = factors
        .filter_map(|(var, factor)| Some((vars.state(*var)?, *factor)))
        .collect();
    let count = vars.list.len();
    let number = |i: usize| u32::try_from(i).unwrap_or(u32::MAX);
    let start: Vec<Val> = (0..count)
        .map(|i| vars.value(setting, state, number(i)))
        .collect();
    let mut values: Vec<Rc<[Val]>> = start.iter().map(|v| Rc::from([v.clone()])).collect();
    let mut groups = groups(setting, &vars, level);
    for group in &mut groups {
        group.retain(|v| !banked.contains_key(v));
    }
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
                lost: Cell::new(false),
                seen: RefCell::default(),
                plain,
                fallbacks,
                banked: &banked,
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
        lost: Cell::new(false),
        seen: RefCell::default(),
        plain,
        fallbacks,
        banked: &banked,
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
            Bounded::Own => "no move raises the sum of counts of one kind".to_owned(),
            Bounded::Function => "no move raises the sum of one state function".to_owned(),
            _ => "no move raises the sum of all counts".to_owned(),
        });
    }
    let added = |(var, held): &(u32, Held)| {
        !banked.contains_key(var) || matches!(held, Held::Plus(k) if k.abs() <= MOST_POINTS)
    };
    if !raws.iter().all(|raw| raw.path.held.iter().all(added)) {
        return Err("its points are not added one by one".into());
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
fn results(world: &World<'_>, path: &Path, var: u32, held: &Held) -> Vec<(Option<Val>, Val)> {
    let table = |source: u32, table: &[Val], own: bool| -> Vec<(Option<Val>, Val)> {
        bits(world.left(path, source))
            .map(|i| {
                let before = own.then(|| world.values[source as usize][i].clone());
                (before, table[i].clone())
            })
            .collect()
    };
    match held {
        Held::Set(Sym::Is(v)) => vec![(None, v.clone())],
        Held::Set(Sym::Of(y, t)) => table(*y, t, *y == var),
        Held::Plus(k) => bits(world.left(path, var))
            .filter_map(|i| {
                let v = &world.values[var as usize][i];
                let more = v.as_int()?.add(&Int::Small(*k)).ok()?;
                Some((Some(v.clone()), Val::Int(more)))
            })
            .collect(),
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
            if world.banked.contains_key(var) {
                continue;
            }
            for (_, v) in results(world, &raw.path, *var, held) {
                put(*var, v);
            }
        }
        for asked in &raw.path.asked {
            match asked {
                Asked::Test(_) => {}
                Asked::Write(list) => {
                    for (var, held) in list.iter().filter(|w| !world.banked.contains_key(&w.0)) {
                        for (_, v) in results(world, &raw.path, *var, held) {
                            put(*var, v);
                        }
                    }
                }
                Asked::When(list) => list.iter().for_each(|(_, var, v)| put(*var, v.clone())),
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
    for (var, v) in world.seen.take() {
        if over(cap[var as usize], &v) {
            return Err("counts beside groups".into());
        }
        if world.values[var as usize].binary_search(&v).is_err() {
            more[var as usize].insert(v);
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
