//! Grounding, level 2 of the intermediate representation. The input is a ruleset on a board with the starting position, or
//! several, the output the finite list of its ground instances: for each the values that variables must have, and the writes.
//!
//! The rules are run over all positions at once (`run`): a value that depends on the position is a function of one
//! variable, and a condition on it splits the path. The values that a variable can have are the least sets that contain
//! those of the start and are closed under the instances whose guards can be met on them (language.md, section 7.1); every
//! instance that is ever enabled in play is returned. Counts are bounded by groups whose sum no instance increases. This is
//! checked on the instances found under the bound, and is an induction over play: as long as the bound has held, only these
//! instances were enabled, and none of them breaks it.
//!
//! Rules that cannot be ground are refused with the reason; then the naive evaluator plays.

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

/// Whether a built-in function yields a set of sites of the current board.
#[must_use]
pub fn is_set_of_sites(b: crate::model::typed::Builtin) -> bool {
    members::is_site_set(b)
}

pub use ask::is_gone;
pub use print::{ParseError, read, show};
pub use symbol::bits;
pub use vars::{GroundVar, MAX_VALUES, Vars};

use crate::banked::Banked;
use crate::fault::Fault;
use crate::game::{Cancel, End, MOST_POINTS};
use crate::instance::Setting;
use crate::int::Int;
use crate::model::typed::{EffectKind, Model, Ruleset};
use crate::position::State;
use crate::val::{Piece, Val};
use condition::{Condition, Phase};
use counts::{Bounded, clips, does_not_raise, groups, over};
use listed::instances;
use moves::Raw;
use run::World;
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::sync::Arc;
use symbol::{Asked, Held, Path, Stop, Sym, VarSet};

/// An entry of a table of numbers of values that is never used.
pub const NEVER: u8 = u8::MAX;

/// The maximal number of rounds of the closure.
const MAX_ROUNDS: usize = 80;
/// After this many rounds, variables of one kind share their values.
const SHARE_AFTER: usize = 6;
/// The budget of steps for all rounds together.
const FUEL: u64 = 6_000_000;

/// The reason for refusing rules that need more steps than the budget allows.
const TOO_LONG: &str = "it takes too many steps";
/// The reason for trying another fallback first: more than [`MANY_PATHS`] paths or [`MANY_STEPS`] steps.
const TOO_WIDE: &str = "it takes too many steps to list the ways in which one condition holds";

/// The reasons for refusing counts that grow: no bound, no end of new values, or too many of them.
const NO_BOUND: &str = "no bound was found for its counts";
const UNSETTLED: &str = "the values of its variables do not settle";
const MANY_VALUES: &str = "a variable has more than";

/// With more paths through one condition than this, evaluating it in play is tried first. Where that is not needed, the boards
/// of shipped cards take at most 520 (Welter).
const MANY_PATHS: usize = 1 << 10;
/// The same with more steps than this on its paths. The boards of shipped cards take at most 106,000 (Draughts).
const MANY_STEPS: u64 = 1 << 17;

/// What an instance writes to a variable.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Write {
    /// The value of this number.
    Value(u8),
    /// A function of a variable (possibly the same one): a table from numbers of its values to numbers of values; [`NEVER`]
    /// where the guard excludes the value.
    Table(u32, Box<[u8]>),
    /// A constant is added to the variable, whatever it holds: the path does not observe the variable.
    Plus(Box<[u8]>),
}

/// A ground instance of a move.
#[derive(Clone, Debug)]
pub struct GroundInstance {
    /// The players who may make the move: bit i for player i.
    pub players: u64,
    /// Variables, sorted, each with the set of values (by number) for which the instance is enabled.
    pub guard: Vec<(u32, u64)>,
    /// Variables, sorted, with their writes. All writes read the state before the move.
    pub update: Vec<(u32, Write)>,
    /// After the writes, everything that is not connected to this site is removed.
    pub keep: Option<u32>,
    /// The rule raises this fault here.
    pub fault: Option<Arc<Fault>>,
    /// Whether the same player moves next.
    pub again: bool,
    /// The points that the move banks: see [`Ground::counting`].
    pub gain: i64,
    /// What the move does once the guard holds, if that takes conditions on more than single variables. In that case
    /// `update` lists the possible final writes that depend on no such condition.
    pub phases: Vec<Phase>,
    /// The index of the move in the ruleset.
    pub rule: u32,
    /// The choices, as far as they are the same in all positions.
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
    /// Variables, sorted, each with the set of values (by number) for which the clause may hold.
    pub guard: Vec<(u32, u64)>,
    /// Pairs of sites that must be connected through sites with the same piece as both.
    pub joined: Vec<(u32, u32)>,
    /// A further condition on the position.
    pub asked: Option<Condition>,
    /// The result of play.
    pub end: End,
}

/// A ground ruleset: its instances on a board.
#[derive(Clone, Debug)]
pub struct Ground {
    /// The ruleset and the board.
    pub setting: Arc<Setting>,
    /// The variables.
    pub vars: Vars,
    /// The values that each variable can ever have, sorted. The instances refer to them by number.
    pub values: Vec<Vec<Val>>,
    /// The values at the start, by number.
    pub start: Vec<u8>,
    /// The instances. Each may be enabled as far as the value sets of single variables tell.
    pub instances: Vec<GroundInstance>,
    /// The ends of play, by the player who has just moved, in the order in which they are checked.
    pub ends: Vec<Vec<GroundEnd>>,
    /// How counts were bounded, as a sentence; `None` if no bound was needed.
    pub bound: Option<String>,
    /// The groups of counts whose sums bound them, each with its greatest sum at a start. The instances are valid only at
    /// positions where no sum is larger.
    pub sums: Vec<(Vec<u32>, i64)>,
}

impl Ground {
    /// Grounds a ruleset on a board, for all positions that can follow `state`.
    ///
    /// # Errors
    /// The reason why it is impossible, as half a sentence: the ruleset has heaps, there are too many instances, no bound
    /// is found.
    pub fn new(model: &Model, setting: &Arc<Setting>, state: &State) -> Result<Ground, String> {
        Ground::with(model, setting, &[state], How::default(), &Cancel::new())
    }

    /// Grounds a ruleset without its banked points: they are left out of the positions, and each instance has a gain
    /// instead. `state` is a state from which they were taken.
    ///
    /// # Errors
    /// As [`Ground::new`]; the run was cancelled.
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
        Ground::with(model, setting, &[state], how, cancel)
    }

    /// As [`Ground::new`], for the positions that can follow one of `others` as well, with fallbacks and a token that cancels.
    /// It is given up after `most` steps, if that is less than is worth it on large boards.
    ///
    /// # Errors
    /// As [`Ground::new`]; the run was cancelled; the states differ in values that never change.
    pub fn until(
        model: &Model,
        setting: &Arc<Setting>,
        state: &State,
        others: &[State],
        (fallbacks, most): (Fallbacks, Option<u64>),
        cancel: &Cancel,
    ) -> Result<Ground, Refused> {
        let states: Vec<&State> = std::iter::once(state).chain(others).collect();
        let how = How {
            fallbacks,
            most,
            ..How::default()
        };
        Ground::tried(model, setting, &states, how, cancel)
    }

    /// As [`Ground::new`], with sets that depend on the position decided member by member (for tests).
    ///
    /// # Errors
    /// As [`Ground::new`]; this takes more steps.
    pub fn with_decided_sets(
        model: &Model,
        setting: &Arc<Setting>,
        state: &State,
    ) -> Result<Ground, String> {
        let how = How {
            fallbacks: Fallbacks {
                sets: Resort::Never,
                ..Fallbacks::default()
            },
            ..How::default()
        };
        Ground::with(model, setting, &[state], how, &Cancel::new())
    }

    /// The slow reference: follows every way in which a condition can fail, and repeats everything in each round.
    ///
    /// # Errors
    /// As [`Ground::new`]; this takes more steps.
    pub fn plainly(model: &Model, setting: &Arc<Setting>, state: &State) -> Result<Ground, String> {
        let how = How {
            plain: true,
            fallbacks: Fallbacks {
                merging: Resort::Never,
                asking: Resort::Never,
                sets: Resort::Never,
            },
            ..How::default()
        };
        Ground::with(model, setting, &[state], how, &Cancel::new())
    }

    fn with(
        model: &Model,
        setting: &Arc<Setting>,
        states: &[&State],
        how: How<'_>,
        cancel: &Cancel,
    ) -> Result<Ground, String> {
        Ground::tried(model, setting, states, how, cancel).map_err(|refused| refused.why)
    }

    // For all positions that can follow one of `states`; the first one is the start.
    fn tried(
        model: &Model,
        setting: &Arc<Setting>,
        states: &[&State],
        how: How<'_>,
        cancel: &Cancel,
    ) -> Result<Ground, Refused> {
        if setting.board.kind.has_heaps() {
            return Err(Refused {
                why: "heaps have no largest size".into(),
                early: false,
            });
        }
        let naturals = setting.instance.rules.state.iter().any(|f| f.natural);
        let mut levels = match naturals {
            true => vec![Bounded::Own, Bounded::Function, Bounded::All, Bounded::None],
            false => vec![Bounded::Own],
        };
        // Levels with the same groups give the same instances.
        let vars = Vars::new(setting, states[0]);
        levels.dedup_by_key(|level| groups(setting, &vars, *level));
        let mut why = String::new();
        let mut first = true;
        let tries = how.fallbacks.tries(model, &setting.instance.rules);
        let hurry = tries.iter().any(|f| f.asking == Resort::WhereNeeded);
        let plain = tries.iter().filter(|f| f.asking == Resort::Never);
        let mut all: Vec<(Fallbacks, bool)> = tries
            .iter()
            .map(|f| (*f, hurry && f.asking == Resort::Never))
            .collect();
        // Those that were hurried come again at the end.
        if hurry && how.most.is_none() {
            all.extend(plain.map(|f| (*f, false)));
        }
        let mut wide_before = false;
        let mut early = false;
        for (i, (fallbacks, hurried)) in all.into_iter().enumerate() {
            if i >= tries.len() && !wide_before {
                break;
            }
            let how = How {
                fallbacks,
                hurried,
                ..how
            };
            for level in &levels {
                match ground_with(model, setting, states, *level, how, cancel) {
                    Ok(ground) => return Ok(ground),
                    Err(reason) => {
                        // A weaker bound allows more values, which takes more steps and makes more instances.
                        let long = reason.starts_with(TOO_LONG) || reason == moves::TOO_MANY;
                        wide_before |= reason.starts_with(TOO_WIDE);
                        early |= how.most.is_some() && long;
                        // If values settle without a bound, a bound is not what is missing.
                        let settled = *level == Bounded::None
                            && why == NO_BOUND
                            && reason != UNSETTLED
                            && !reason.starts_with(MANY_VALUES);
                        if std::mem::take(&mut first) || settled {
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
        Err(Refused { why, early })
    }

    /// Whether some instance has conditions in play besides its guard.
    #[must_use]
    pub fn asks(&self) -> bool {
        self.instances.iter().any(|m| !m.phases.is_empty())
    }

    /// Calls `with` for each variable on which a condition in play depends, with the set of values.
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

    /// Whether conditions in play depend on groups or reachability, besides the pairs of ends.
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

    /// The values at a state, by number. `None` if the instances are not valid there: a variable has a value that it can
    /// never have after a start, a fixed value differs, or a sum that bounds counts is larger than at all starts.
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

/// When a fallback is used.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Resort {
    /// Never.
    Never,
    /// When there are too many paths without it.
    #[default]
    WhereNeeded,
    /// First (for tests).
    Always,
    /// First, and with a deliberate mistake (for tests).
    #[doc(hidden)]
    Wrongly,
}

/// Ways to ground rules that have too many paths.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Fallbacks {
    /// How to ground an effect under a condition that depends only on the variable written. By default it takes two paths,
    /// so that each instance writes little and positions decompose well. The fallback is one write that is a function of
    /// the variable and leaves it unchanged if the condition fails. The deliberate mistake: the write is done even if the
    /// condition fails.
    pub merging: Resort,
    /// How to ground a condition that ranges over sites, pieces or numbers (`some`, `all`, `no`, `size`). By default it
    /// takes a path for each way in which it can hold. The fallback is one instance that evaluates the condition in play,
    /// as with groups. The deliberate mistake: it is assumed to hold.
    pub asking: Resort,
    /// Sets that depend on the position: names stand for their possible members, sizes are compared without deciding all of
    /// these, sets are removed without a decision where that is the same, and several reasons for one move are not told apart
    /// by which of them comes first. `Never`: each member is decided. The deliberate mistake: reasons are not told apart even
    /// where that changes the moves.
    pub sets: Resort,
}

impl Fallbacks {
    /// The settings to try, in order.
    fn tries(self, model: &Model, rules: &Ruleset) -> Vec<Fallbacks> {
        let plain = Fallbacks {
            merging: Resort::Never,
            asking: Resort::Never,
            ..self
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

/// Why a ruleset is not grounded on a board.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refused {
    /// The reason, as half a sentence.
    pub why: String,
    /// Whether it was given up early, so that more steps may do.
    pub early: bool,
}

/// How to run the rules over all positions at once.
#[derive(Clone, Copy, Default)]
struct How<'h> {
    /// Follow every way in which a condition can fail, and repeat everything in each round.
    plain: bool,
    fallbacks: Fallbacks,
    /// Give up early where a condition takes many paths or steps: a fallback follows that may take fewer.
    hurried: bool,
    /// The most steps, if less than [`FUEL`].
    most: Option<u64>,
    /// Variables that are left out, by number, with their factors in the score.
    banked: &'h [(usize, i64)],
}

impl How<'_> {
    /// The most paths through one choice or condition, and the most steps on all of them.
    fn widest(&self) -> (usize, u64) {
        if self.hurried {
            (MANY_PATHS, MANY_STEPS)
        } else {
            (usize::MAX, u64::MAX)
        }
    }
}

/// Whether some effect is conditional.
fn has_conditional_effects(rules: &Ruleset) -> bool {
    let effects = rules.moves.iter().flat_map(|m| &m.stages);
    let mut effects = effects.flat_map(|stage| &stage.effects);
    effects.any(|effect| matches!(effect.kind, EffectKind::Each(_, Some(_), _)))
}

fn ground_with(
    model: &Model,
    setting: &Arc<Setting>,
    states: &[&State],
    level: Bounded,
    how: How<'_>,
    cancel: &Cancel,
) -> Result<Ground, String> {
    let vars = Vars::new(setting, states[0]);
    let differs = |(v, held): (&usize, &Val)| states.iter().any(|s| s.vars.get(*v) != Some(held));
    if vars.fixed.iter().any(differs) {
        return Err("the positions differ in what never changes".into());
    }
    let How {
        plain, fallbacks, ..
    } = how;
    let factors = how.banked.iter();
    let banked: FxHashMap<u32, i64> = factors
        .filter_map(|(var, factor)| Some((vars.state(*var)?, *factor)))
        .collect();
    let count = vars.list.len();
    let number = |i: usize| u32::try_from(i).unwrap_or(u32::MAX);
    // The values of each variable at the states.
    let starts: Vec<Vec<Val>> = (0..count)
        .map(|i| {
            let of = |s: &&State| vars.value(setting, s, number(i));
            states.iter().map(of).collect()
        })
        .collect();
    let sorted = |all: &Vec<Val>| {
        let mut all = all.clone();
        all.sort();
        all.dedup();
        Rc::from(all)
    };
    let mut values: Vec<Rc<[Val]>> = starts.iter().map(sorted).collect();
    if values.iter().any(|v| v.len() > MAX_VALUES) {
        return Err(format!("{MANY_VALUES} {MAX_VALUES} values"));
    }
    let mut groups = groups(setting, &vars, level);
    for group in &mut groups {
        group.retain(|v| !banked.contains_key(v));
    }
    let mut cap: Vec<Option<i64>> = vec![None; count];
    let mut sums = Vec::new();
    for group in &groups {
        let sum = |s: usize| {
            let mut counts = group.iter().map(|v| &starts[*v as usize][s]);
            counts.try_fold(0i64, |sum, v| match v {
                Val::Int(Int::Small(n)) => Some(sum.saturating_add(*n)),
                _ => None,
            })
        };
        let all: Option<Vec<i64>> = (0..states.len()).map(sum).collect();
        let most = all.ok_or("a count is too large")?.into_iter().max();
        let most = most.unwrap_or(0);
        for v in group {
            cap[*v as usize] = Some(most);
        }
        sums.push((group.clone(), most));
    }
    let mut fuel = how.most.unwrap_or(FUEL);
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
                most: how.widest(),
                most_raw: moves::most_raw(how.most),
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
        return Err(UNSETTLED.into());
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
        most: how.widest(),
        most_raw: moves::most_raw(how.most),
        banked: &banked,
        cancel,
    };
    let raised = (0..count).any(|i| {
        let top = values[i].iter().filter_map(Val::as_int).max();
        cap[i].is_some() && top > starts[i].iter().filter_map(Val::as_int).max()
    });
    let mut bound = None;
    let clipped = clips(&world, &raws, &cap);
    if raised || clipped {
        for group in &groups {
            if !raws.iter().all(|raw| does_not_raise(&world, raw, group)) {
                return Err(NO_BOUND.into());
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
    ground.start = ground.numbers(states[0]).ok_or("the start was lost")?;
    Ok(ground)
}

/// The possible values of a variable after a write, each with its value before if that is known.
fn results(world: &World<'_>, path: &Path, var: u32, held: &Held) -> Vec<(Option<Val>, Val)> {
    match held {
        Held::Set(Sym::Is(v)) => vec![(None, v.clone())],
        Held::Set(s @ (Sym::If(source, _) | Sym::Of(source, _))) => {
            let result = |i: usize| {
                let before = (*source == var).then(|| world.values[var as usize][i].clone());
                (before, s.at(i).into_owned())
            };
            bits(world.left(path, *source)).map(result).collect()
        }
        Held::Plus(k) => bits(world.left(path, var))
            .filter_map(|i| {
                let v = &world.values[var as usize][i];
                let more = v.as_int()?.add(&Int::Small(*k)).ok()?;
                Some((Some(v.clone()), Val::Int(more)))
            })
            .collect(),
    }
}

/// The value sets extended by the writes of the instances; `None` if nothing is new.
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
        // Fill the sets of counts to intervals.
        if cap[i].is_some()
            && let (Some(Val::Int(Int::Small(low))), Some(Val::Int(Int::Small(high)))) =
                (all.first().cloned(), all.last().cloned())
            && high - low <= MAX_VALUES as i64
        {
            all = (low..=high).map(Val::int).collect();
        }
        if all.len() > MAX_VALUES {
            return Err(format!("{MANY_VALUES} {MAX_VALUES} values"));
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
