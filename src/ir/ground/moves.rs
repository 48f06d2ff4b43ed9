//! Turns moves into raw instances: all paths through the stages of a move, with the values that the variables must have and
//! the writes.

use super::Resort;
use super::ask::{asks_groups, binds_groups, binds_widely, effect_asks, is_each, is_wide};
use super::condition::Condition;
use super::effects::{Plan, Then};
use super::run::{Frame, OpenSet, Run, World, all_paths, internal};
use super::symbol::{Asked, Held, Path, Stop, Sym, Try, VarSet};
use crate::eval::binders::places;
use crate::fault::Fault;
use crate::model::typed::{
    Again, Binder, BinderKind, By, Effect, Expr, Move, Place, Repeat, Sort, Stage,
};
use crate::val::Val;
use rustc_hash::FxHashMap;
use std::rc::Rc;
use std::sync::Arc;

/// One path through a move.
pub(super) struct Raw {
    pub(super) players: u64,
    pub(super) path: Path,
    pub(super) fault: Option<Arc<Fault>>,
    /// Whether the same player moves next.
    pub(super) again: bool,
    pub(super) rule: u32,
    pub(super) choice: Vec<(Arc<str>, Val)>,
}

/// The maximal number of raw instances of one board.
const MAX_RAW: usize = 100_000;
/// The steps of a brief attempt for each raw instance that it may take.
const STEPS_OF_A_RAW: u64 = 1 << 8;
/// The maximal number of raw instances of an attempt that may take so many steps.
pub(super) fn most_raw(steps: Option<u64>) -> usize {
    let few = steps.map(|n| usize::try_from(n / STEPS_OF_A_RAW).unwrap_or(MAX_RAW));
    few.map_or(MAX_RAW, |n| n.min(MAX_RAW))
}

/// The reason for refusing rules with more than [`MAX_RAW`] instances.
pub(super) const TOO_MANY: &str = "more than 100000 instances";

/// The results of one choice in an earlier round, and the variables on which they depend.
struct Led {
    path: Path,
    chosen: Vec<Vec<Sym>>,
    looked: VarSet,
    raws: Vec<Rc<Raw>>,
}

/// The results of the first choices of each move, by move, player and numbers of the choices. They stay valid until a
/// variable that was looked at gets a new value.
#[derive(Default)]
pub(super) struct Memo(FxHashMap<(u32, usize, [u32; REMEMBERED]), Led>);

/// How many choices of a move the key of the memo contains.
const REMEMBERED: usize = 2;

impl Memo {
    /// Forgets results that depend on changed variables.
    pub(super) fn forget(&mut self, changed: &VarSet) {
        self.0.retain(|_, led| !led.looked.meets(changed));
    }
}

/// All paths through the moves of a setting.
pub(super) fn all_moves(world: &World<'_>, memo: &mut Memo) -> Try<Vec<Rc<Raw>>> {
    let instance = &world.setting.instance;
    let players = u8::try_from(instance.players.len()).unwrap_or(u8::MAX);
    let everyone = super::symbol::all(usize::from(players));
    let mut found = Vec::new();
    for (i, rule) in instance.rules.moves.iter().enumerate() {
        let makers: Vec<(Option<u8>, u64)> = match &rule.by {
            By::Each(_) => (0..players)
                .map(|p| (Some(p), if instance.everyone { everyone } else { 1 << p }))
                .collect(),
            By::One(p) => vec![(Some(*p), if instance.everyone { everyone } else { 1 << p })],
            By::Anyone => vec![(None, everyone)],
        };
        for (number, (maker, players)) in makers.into_iter().enumerate() {
            let mut frame = Frame::new(instance.rules_arguments.iter().cloned().map(Sym::Is));
            if let (By::Each(slot), Some(p)) = (&rule.by, maker) {
                frame.set(*slot, Some(Sym::Is(Val::Player(p))));
            }
            let mut walk = Walk {
                world,
                rule,
                index: u32::try_from(i).unwrap_or(u32::MAX),
                players,
                found: &mut found,
                memo,
                maker: number,
                numbers: [0; REMEMBERED],
                chosen: Vec::new(),
                rounds: Vec::new(),
                closed: None,
            };
            let walked = match rule.stages.split_first() {
                Some((stage, rest)) => {
                    walk.open_round(rest, &frame, &Path::default());
                    walk.choices(stage, &stage.binders, rest, &mut frame, Path::default(), 0)
                }
                None => walk.stages(&rule.stages, &mut frame, Path::default()),
            };
            walked.map_err(|stop| {
                stop.within(|| match &rule.label {
                    Some(label) => format!("in the move `{label}`"),
                    None => format!("in move {} of the text", i + 1),
                })
            })?;
        }
    }
    Ok(found)
}

struct Walk<'a, 'w> {
    world: &'a World<'w>,
    rule: &'a Move,
    index: u32,
    players: u64,
    found: &'a mut Vec<Rc<Raw>>,
    memo: &'a mut Memo,
    maker: usize,
    // The numbers of the first choices, from 1 on (0 if not made yet), and the values chosen.
    numbers: [u32; REMEMBERED],
    chosen: Vec<Vec<Sym>>,
    // The start of each round of the repeated stage: the writes so far, and the values of the names that `next` sets.
    rounds: Vec<(Vec<(u32, Held)>, Vec<Option<Sym>>)>,
    // Within the conditions that close a move: the names of its last round, which an instance shows as its choice.
    closed: Option<Frame>,
}

/// The maximal number of rounds of a repeated stage.
const MAX_ROUNDS: usize = 100;

impl Walk<'_, '_> {
    fn stages(&mut self, stages: &[Stage], frame: &mut Frame, path: Path) -> Try<()> {
        let Some((stage, rest)) = stages.split_first() else {
            return self.done(frame, path);
        };
        self.open_round(rest, frame, &path);
        self.choices(stage, &stage.binders, rest, frame, path, REMEMBERED)
    }

    /// The repetition, if the stage before `rest` is the repeated one.
    fn repeated(&self, rest: &[Stage]) -> Option<&Repeat> {
        let repeat = self.rule.repeat.as_ref()?;
        (repeat.stage + 1 + rest.len() == self.rule.stages.len()).then_some(repeat)
    }

    fn round(
        &self,
        repeat: &Repeat,
        frame: &Frame,
        path: &Path,
    ) -> (Vec<(u32, Held)>, Vec<Option<Sym>>) {
        let names = repeat
            .next
            .iter()
            .map(|(slot, _)| frame.get(*slot).cloned());
        (path.held.clone(), names.collect())
    }

    /// Records the start of the first round, if the stage before `rest` is repeated.
    fn open_round(&mut self, rest: &[Stage], frame: &Frame, path: &Path) {
        if let Some(repeat) = self.repeated(rest) {
            self.rounds = vec![self.round(repeat, frame, path)];
        }
    }

    /// Follows the conditions that close the move, if there are any, and all rounds after this one, with the names that
    /// `next` sets, except those that start where an earlier round of the same chain did: everything
    /// reachable from there is found already. Paths with the same writes lead to the same position.
    fn next_round(
        &mut self,
        stage: &Stage,
        rest: &[Stage],
        frame: &mut Frame,
        path: &Path,
    ) -> Try<()> {
        let Some(repeat) = self.repeated(rest).cloned() else {
            return Ok(());
        };
        if !path.asked.is_empty() {
            return Err(Stop::Cannot("a chain that asks for groups".into()));
        }
        let found = {
            let frame = &mut *frame;
            all_paths(self.world, path, |run, p| {
                let values = repeat.next.iter().map(|(_, e)| run.eval(e, frame, p));
                values.collect::<Try<Vec<Sym>>>()
            })?
        };
        for (path, values) in self.sound(frame, found)? {
            // The next round binds the names of the stage anew; this round continues with its own.
            let round = frame.clone();
            let mut frame = round.clone();
            for ((slot, _), value) in repeat.next.iter().zip(values) {
                frame.set(*slot, Some(value));
            }
            if !rest.is_empty() {
                self.closed = Some(round);
                let followed = self.stages(rest, &mut frame.clone(), path.clone());
                self.closed = None;
                followed?;
            }
            let begin = self.round(&repeat, &frame, &path);
            if !self.rounds.contains(&begin) {
                if self.rounds.len() >= MAX_ROUNDS {
                    return Err(Stop::Cannot(format!(
                        "a chain of more than {MAX_ROUNDS} rounds"
                    )));
                }
                self.rounds.push(begin);
                self.choices(stage, &stage.binders, rest, &mut frame, path, REMEMBERED)?;
                self.rounds.pop();
            }
        }
        Ok(())
    }

    /// Finishes a legal choice: decides whether its player moves again.
    fn done(&mut self, frame: &mut Frame, path: Path) -> Try<()> {
        match &self.rule.again {
            Again::Never | Again::Entail => self.emit(frame, path, None, false),
            Again::Always => self.emit(frame, path, None, true),
            Again::When(phi) => {
                if let Some(asked) = self.asked(phi, frame, &path)? {
                    for (asked, again) in [(asked.clone(), true), (asked.negated(), false)] {
                        let mut path = path.clone();
                        if test(&mut path, asked) {
                            self.emit(frame, path, None, again)?;
                        }
                    }
                    return Ok(());
                }
                let found = {
                    let frame = &mut *frame;
                    all_paths(self.world, &path, |run, p| run.decide_expr(phi, frame, p))?
                };
                for (path, again) in self.sound(frame, found)? {
                    self.emit(frame, path, None, again)?;
                }
                Ok(())
            }
        }
    }

    fn emit(
        &mut self,
        frame: &Frame,
        path: Path,
        fault: Option<Box<Fault>>,
        again: bool,
    ) -> Try<()> {
        if self.found.len() >= self.world.most_raw {
            return Err(Stop::Cannot(TOO_MANY.into()));
        }
        if path.keep.is_some() && !path.asked.is_empty() {
            return Err(Stop::Cannot("`keep reach(..)` beside groups".into()));
        }
        let frame = self.closed.as_ref().unwrap_or(frame);
        let parameters = self.world.setting.instance.rules.parameters.len();
        let names = self.rule.slot_names.iter().enumerate().skip(parameters);
        let choice = names
            .filter_map(|(i, name)| {
                let slot = crate::model::typed::Slot(u32::try_from(i).ok()?);
                match frame.get(slot)? {
                    Sym::Is(v) => Some((name.clone(), v.clone())),
                    _ => None,
                }
            })
            .collect();
        self.found.push(Rc::new(Raw {
            players: self.players,
            path,
            fault: fault.map(Arc::from),
            again,
            rule: self.index,
            choice,
        }));
        Ok(())
    }

    /// Follows a choice, or reuses its results from an earlier round.
    #[allow(clippy::too_many_arguments)]
    fn follow(
        &mut self,
        stage: &Stage,
        binders: &[Binder],
        rest: &[Stage],
        frame: &mut Frame,
        path: Path,
        depth: usize,
        chosen: Vec<Sym>,
    ) -> Try<()> {
        if depth >= REMEMBERED {
            return self.choices(stage, binders, rest, frame, path, depth);
        }
        self.numbers[depth] += 1;
        self.numbers[depth + 1..].fill(0);
        self.chosen.truncate(depth);
        self.chosen.push(chosen);
        let key = (self.index, self.maker, self.numbers);
        if let Some(led) = self.memo.0.get(&key)
            && led.path == path
            && led.chosen == self.chosen
        {
            self.world.looked.borrow_mut().extend(&led.looked);
            self.found.extend(led.raws.iter().cloned());
            return match self.found.len() <= self.world.most_raw {
                true => Ok(()),
                false => Err(Stop::Cannot(TOO_MANY.into())),
            };
        }
        let chosen = self.chosen.clone();
        let before = self.world.looked.take();
        let from = self.found.len();
        self.choices(stage, binders, rest, frame, path.clone(), depth + 1)?;
        let looked = self.world.looked.replace(before);
        self.world.looked.borrow_mut().extend(&looked);
        let raws = self.found[from..].to_vec();
        let led = Led {
            path,
            chosen,
            looked,
            raws,
        };
        self.memo.0.insert(key, led);
        Ok(())
    }

    /// Returns the paths without faults; paths with faults become instances with that fault.
    fn sound<T>(
        &mut self,
        frame: &Frame,
        paths: Vec<(Path, Result<T, Box<Fault>>)>,
    ) -> Try<Vec<(Path, T)>> {
        let mut fine = Vec::new();
        for (path, result) in paths {
            match result {
                Ok(v) => fine.push((path, v)),
                Err(fault) => self.emit(frame, path, Some(fault), false)?,
            }
        }
        Ok(fine)
    }

    fn choices(
        &mut self,
        stage: &Stage,
        binders: &[Binder],
        rest: &[Stage],
        frame: &mut Frame,
        path: Path,
        depth: usize,
    ) -> Try<()> {
        self.world.charge(1)?;
        let Some((first, more)) = binders.split_first() else {
            return self.conditions(stage, &stage.conditions, rest, frame, path);
        };
        let world = self.world;
        if let BinderKind::In(to, set) = &first.kind
            && let [Place::New(slot)] = &to[..]
            && (binds_groups(world.model, first)
                || world.fallbacks.asking != Resort::Never && binds_widely(world.model, first))
            && !frame.is_stale(&path)
            && {
                self.see(&path);
                true
            }
            && let Some(members) = optional(run_once(world, |run| run.ask_members(set, frame)))?
        {
            for (value, asked) in members {
                let mut path = path.clone();
                if test(&mut path, asked) {
                    frame.set(*slot, Some(Sym::Is(value.clone())));
                    let chosen = match depth < REMEMBERED {
                        true => vec![Sym::Is(value)],
                        false => Vec::new(),
                    };
                    self.follow(stage, more, rest, frame, path, depth, chosen)?;
                    frame.set(*slot, None);
                }
            }
            return Ok(());
        }
        if let BinderKind::Is {
            value, cell: false, ..
        } = &first.kind
            && let [Place::New(slot)] = &places(first)[..]
            && let Some(set) = self.open_set(value, frame, &path)?
        {
            let chosen = match depth < REMEMBERED {
                true => {
                    let parts = set
                        .iter()
                        .flat_map(|(v, here)| [Sym::Is(v.clone()), here.clone()]);
                    parts.collect()
                }
                false => Vec::new(),
            };
            frame.set_open(*slot, set);
            self.follow(stage, more, rest, frame, path, depth, chosen)?;
            frame.set(*slot, None);
            return Ok(());
        }
        let found = {
            let frame = &mut *frame;
            all_paths(world, &path, |run, p| run.candidates(first, frame, p))?
        };
        for (path, candidates) in self.sound(frame, found)? {
            for (values, needs) in candidates {
                let chosen = match depth < REMEMBERED {
                    true => values.clone(),
                    false => Vec::new(),
                };
                let mut filled = Vec::new();
                let mut needs = needs;
                for (place, value) in places(first).into_iter().zip(values) {
                    match place {
                        Place::New(slot) => {
                            frame.set(*slot, Some(value));
                            filled.push(*slot);
                        }
                        Place::Same(slot) => {
                            let bound = frame.get(*slot).cloned();
                            let bound = bound.ok_or_else(|| internal(first.span, "unbound"))?;
                            if let (Sym::Is(a), Sym::Is(b)) = (&bound, &value) {
                                needs.push(Sym::truth(a == b));
                            } else {
                                let same = all_paths(world, &path, |run, p| {
                                    run.same(bound.clone(), value.clone(), first.span, p)
                                })?;
                                match &same[..] {
                                    [(_, Ok(s))] => needs.push(s.clone()),
                                    _ => {
                                        return Err(Stop::Cannot(
                                            "a variable that is matched twice".into(),
                                        ));
                                    }
                                }
                            }
                        }
                    }
                }
                if let Some(path) = require(world, &path, &needs) {
                    self.follow(stage, more, rest, frame, path, depth, chosen)?;
                }
                for slot in filled {
                    frame.set(slot, None);
                }
            }
        }
        Ok(())
    }

    /// A set that depends on the position, if it takes no decision to list its possible members.
    fn open_set(&self, e: &Expr, frame: &mut Frame, path: &Path) -> Try<Option<OpenSet>> {
        if self.world.fallbacks.sets == Resort::Never || !matches!(e.sort, Sort::Set(_)) {
            return Ok(None);
        }
        let listed =
            |run: &Run<'_>, path: &mut Path| Ok(run.softly(|| run.each_member(e, frame, path)));
        let mut found = all_paths(self.world, path, listed)?;
        let Some((_, Ok(Some(members)))) = found.pop() else {
            return Ok(None);
        };
        let depends = members.iter().any(|(_, here)| here.var().is_some());
        Ok(depends.then(|| members.into()))
    }

    fn conditions(
        &mut self,
        stage: &Stage,
        conditions: &[Expr],
        rest: &[Stage],
        frame: &mut Frame,
        path: Path,
    ) -> Try<()> {
        let Some((first, more)) = conditions.split_first() else {
            return self.effects(stage, rest, frame, path);
        };
        if let Some(asked) = self.asked(first, frame, &path)? {
            let mut path = path;
            return match test(&mut path, asked) {
                true => self.conditions(stage, more, rest, frame, path),
                false => Ok(()),
            };
        }
        let found = {
            let frame = &mut *frame;
            all_paths(self.world, &path, |run, p| {
                run.demand_expr(first, true, frame, p)
            })?
        };
        for (path, holds) in self.sound(frame, found)? {
            if holds {
                self.conditions(stage, more, rest, frame, path)?;
            }
        }
        Ok(())
    }

    fn effects(&mut self, stage: &Stage, rest: &[Stage], frame: &mut Frame, path: Path) -> Try<()> {
        let then = Then::new(stage, rest);
        let world = self.world;
        let mut path = path;
        let asking = world.fallbacks.asking != Resort::Never;
        let asks = |e: &&Effect| {
            effect_asks(world.model, e, asking) || (!path.lost.is_empty() && is_each(e))
        };
        let (asking, plain): (Vec<&Effect>, Vec<&Effect>) = stage.effects.iter().partition(asks);
        if !asking.is_empty() {
            self.see(&path);
        }
        // If conditions on groups cannot be evaluated in play, they are decided.
        let written = match asking.is_empty() || frame.is_stale(&path) {
            true => None,
            false => optional(run_once(world, |run| run.ask_effects(&asking, frame)))?,
        };
        let effects = match &written {
            Some(_) => plain,
            None => stage.effects.iter().collect(),
        };
        let mut lost = Vec::new();
        if let Some(written) = written.filter(|w| !w.is_empty()) {
            let values = written.iter().map(|(_, var, v)| (*var, v.clone()));
            world.seen.borrow_mut().extend(values);
            lost.extend(written.iter().map(|(_, var, _)| *var));
            path.ask(Asked::When(written));
            path.lost.extend(lost.iter().copied());
            path.lost.sort_unstable();
            path.lost.dedup();
        }
        let found = {
            let frame = &mut *frame;
            all_paths(world, &path, |run, p| {
                let mut plan = Plan::default();
                for effect in &effects {
                    run.plan(effect, then, frame, p, &mut plan)?;
                }
                run.apply(plan, p)
            })?
        };
        for (path, done) in self.sound(frame, found)? {
            if lost.iter().any(|var| !path.lost.contains(var)) {
                return Err(Stop::Cannot(
                    "two writes to one site, one for a group".into(),
                ));
            }
            if done {
                if self.repeated(rest).is_some() {
                    // A move may end after each round. `again when` stands before `next`, and reads the names of the round.
                    if rest.is_empty() {
                        self.done(frame, path.clone())?;
                    }
                    self.next_round(stage, rest, frame, &path)?;
                } else {
                    self.stages(rest, frame, path)?;
                }
            }
        }
        Ok(())
    }
}

impl Walk<'_, '_> {
    /// Records the values of variables after the writes of a path.
    fn see(&self, path: &Path) {
        let mut seen = self.world.seen.borrow_mut();
        let banked = &self.world.banked;
        for (var, held) in path.held.iter().filter(|w| !banked.contains_key(&w.0)) {
            let results = super::results(self.world, path, *var, held);
            seen.extend(results.into_iter().map(|(_, v)| (*var, v)));
        }
    }

    /// The condition evaluated in play; `None` if it is decided here.
    fn asked(&self, e: &Expr, frame: &mut Frame, path: &Path) -> Try<Option<Condition>> {
        let must = !path.lost.is_empty();
        let wide = self.world.fallbacks.asking != Resort::Never && is_wide(self.world.model, e);
        let groups = asks_groups(self.world.model, e);
        if !must && !groups && !wide {
            return Ok(None);
        }
        self.see(path);
        let asked = match frame.is_stale(path) {
            true => Err(Stop::Cannot("a name for what was written since".into())),
            false => run_once(self.world, |run| run.ask(e, frame)),
        };
        let asked = match must {
            true => asked.map(Some),
            false => optional(asked),
        };
        match self.world.fallbacks.asking {
            // The deliberate mistake for tests.
            Resort::Wrongly if wide && !groups => Ok(asked?.map(|_| Condition::Truth(true))),
            _ => asked,
        }
    }
}

/// Runs something that takes no decision.
fn run_once<T>(world: &World<'_>, mut run: impl FnMut(&Run<'_>) -> Try<T>) -> Try<T> {
    let mut found = all_paths(world, &Path::default(), |r, _| run(r))?;
    match found.pop() {
        Some((_, Ok(v))) => Ok(v),
        Some((_, Err(fault))) => Err(Stop::Cannot(fault.message)),
        None => Err(Stop::Cannot("a decision out of place".into())),
    }
}

/// Turns "cannot" into `None`.
fn optional<T>(result: Try<T>) -> Try<Option<T>> {
    match result {
        Ok(v) => Ok(Some(v)),
        Err(Stop::Cannot(_)) => Ok(None),
        Err(stop) => Err(stop),
    }
}

/// Adds a condition in play to the path; false if it never holds.
fn test(path: &mut Path, asked: Condition) -> bool {
    match asked {
        Condition::Truth(b) => b,
        asked => {
            path.ask(Asked::Test(asked));
            true
        }
    }
}

/// The path restricted to where all of these hold, or `None` if they cannot. Each is a function of one variable, so this
/// takes no decision.
pub(super) fn require(world: &World<'_>, path: &Path, needs: &[Sym]) -> Option<Path> {
    let mut path = path.clone();
    for need in needs {
        match world.simple(need.clone(), &path) {
            Sym::Is(v) => {
                if v != Val::Bool(true) {
                    return None;
                }
            }
            Sym::If(var, yes) => {
                let yes = yes & world.left(&path, var);
                if yes == 0 {
                    return None;
                }
                path.restrict(var, yes);
            }
            Sym::Of(..) => return None,
        }
    }
    Some(path)
}
