//! Moves become raw instances: every way through the stages of a move, with the values that the variables must have had
//! and what is written.

use super::members::{is_site_set, places};
use super::run::{Frame, Run, World, all_paths, internal};
use super::symbol::{Held, Path, Stop, Sym, Try, VarSet};
use super::vars::GroundVar;
use crate::base::Span;
use crate::ir::board::Place as On;
use crate::ir::eval::ops;
use crate::ir::fault::{Code, Fault};
use crate::ir::int::Int;
use crate::ir::val::{Piece, Val};
use crate::model::typed::{
    Again, Binder, Builtin, By, Effect, EffectKind, Expr, ExprKind, Lines, Move, Place, Repeat,
    SiteKind, SitesFrom, Sort, Stage, StateId, Target,
};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::sync::Arc;

/// One way through a move.
pub(super) struct Raw {
    pub(super) players: u64,
    pub(super) path: Path,
    pub(super) fault: Option<Arc<Fault>>,
    /// The same player moves next.
    pub(super) again: bool,
    pub(super) rule: u32,
    pub(super) choice: Vec<(Arc<str>, Val)>,
}

/// The most raw instances of one board.
const MAX_RAW: usize = 100_000;

/// What one choice led to in an earlier round, and the variables that this depends on.
struct Led {
    path: Path,
    chosen: Vec<Vec<Sym>>,
    looked: VarSet,
    raws: Vec<Rc<Raw>>,
}

/// What the first choices of each move led to, by the move, its maker, and the numbers of the choices: it leads to the same
/// again until a variable that was looked at gets a new value.
#[derive(Default)]
pub(super) struct Memo(FxHashMap<(u32, usize, [u32; REMEMBERED]), Led>);

/// How many choices of a move are remembered by number.
const REMEMBERED: usize = 2;

impl Memo {
    /// Forgets what depends on variables that have new values.
    pub(super) fn forget(&mut self, changed: &VarSet) {
        self.0.retain(|_, led| !led.looked.meets(changed));
    }
}

/// All ways through the moves of a setting.
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
            };
            match rule.stages.split_first() {
                Some((stage, rest)) => {
                    walk.open_round(rest, &frame, &Path::default());
                    walk.choices(stage, &stage.binders, rest, &mut frame, Path::default(), 0)?;
                }
                None => walk.stages(&rule.stages, &mut frame, Path::default())?,
            }
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
    // The numbers of the first choices, from 1 on; 0 where there is none yet. And what was chosen.
    numbers: [u32; REMEMBERED],
    chosen: Vec<Vec<Sym>>,
    // Where each round of the stage that is repeated began: what had been written, and the names that `next` gives.
    rounds: Vec<(Vec<(u32, Held)>, Vec<Option<Sym>>)>,
}

/// The most rounds of a stage that is repeated.
const MAX_ROUNDS: usize = 100;

impl Walk<'_, '_> {
    fn stages(&mut self, stages: &[Stage], frame: &mut Frame, path: Path) -> Try<()> {
        let Some((stage, rest)) = stages.split_first() else {
            return self.done(frame, path);
        };
        self.open_round(rest, frame, &path);
        self.choices(stage, &stage.binders, rest, frame, path, REMEMBERED)
    }

    /// The stage that is repeated, if it is the one before these.
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

    /// Notes where the first round begins, if the stage before `rest` is repeated.
    fn open_round(&mut self, rest: &[Stage], frame: &Frame, path: &Path) {
        if let Some(repeat) = self.repeated(rest) {
            self.rounds = vec![self.round(repeat, frame, path)];
        }
    }

    /// All rounds that follow one, unless it comes back to where a round of the same chain began: what can be reached from there is
    /// reached already. Paths that write the same come to the same position.
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
        let found = {
            let frame = &mut *frame;
            all_paths(self.world, path, |run, p| {
                let values = repeat.next.iter().map(|(_, e)| run.eval(e, frame, p));
                values.collect::<Try<Vec<Sym>>>()
            })?
        };
        for (path, values) in self.sound(frame, found)? {
            // The next round binds the names of the stage anew; this one goes on to its other choices with its own.
            let mut frame = frame.clone();
            for ((slot, _), value) in repeat.next.iter().zip(values) {
                frame.set(*slot, Some(value));
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

    /// A choice that goes through: whether its player moves again is decided after it.
    fn done(&mut self, frame: &mut Frame, path: Path) -> Try<()> {
        match &self.rule.again {
            Again::Never => self.emit(frame, path, None, false),
            Again::Always => self.emit(frame, path, None, true),
            Again::When(phi) => {
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
        if self.found.len() >= MAX_RAW {
            return Err(Stop::Cannot(format!("more than {MAX_RAW} instances")));
        }
        let parameters = self.world.setting.instance.rules.parameters.len();
        let names = self.rule.slot_names.iter().enumerate().skip(parameters);
        let choice = names
            .filter_map(|(i, name)| {
                let slot = crate::model::typed::Slot(u32::try_from(i).ok()?);
                match frame.get(slot)? {
                    Sym::Is(v) => Some((name.clone(), v.clone())),
                    Sym::Of(..) => None,
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

    /// Does what a choice leads to, or takes it from an earlier round.
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
            return match self.found.len() {
                0..=MAX_RAW => Ok(()),
                _ => Err(Stop::Cannot(format!("more than {MAX_RAW} instances"))),
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

    /// Takes a list of paths apart: those that go wrong become instances that say so.
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
        let found = {
            let frame = &mut *frame;
            all_paths(self.world, &path, |run, p| {
                let mut plan = Plan::default();
                for effect in &stage.effects {
                    run.plan(effect, then, frame, p, &mut plan)?;
                }
                run.apply(plan, p)
            })?
        };
        for (path, done) in self.sound(frame, found)? {
            if done {
                // What follows sees the names of this round, and the next round sees those that `next` gives.
                if self.repeated(rest).is_some() {
                    let rounds = std::mem::take(&mut self.rounds);
                    self.stages(rest, frame, path.clone())?;
                    self.rounds = rounds;
                    self.next_round(stage, rest, frame, &path)?;
                } else {
                    self.stages(rest, frame, path)?;
                }
            }
        }
        Ok(())
    }
}

/// The path on which all of these hold, if there is one. Each is a function of one variable, so nothing is decided.
pub(super) fn require(world: &World<'_>, path: &Path, needs: &[Sym]) -> Option<Path> {
    let mut path = path.clone();
    for need in needs {
        match world.simple(need.clone(), &path) {
            Sym::Is(v) => {
                if v != Val::Bool(true) {
                    return None;
                }
            }
            Sym::Of(var, table) => {
                let left = super::symbol::bits(world.left(&path, var));
                let yes = left.filter(|i| table[*i] == Val::Bool(true));
                let yes = yes.fold(0u64, |set, i| set | 1 << i);
                if yes == 0 {
                    return None;
                }
                path.restrict(var, yes);
            }
        }
    }
    Some(path)
}

/// What the effects of one `then` are together.
#[derive(Clone, Copy)]
struct Then {
    /// They are one `keep`, and the move ends with them. Only then may it be left open what is cut off: all that follows
    /// would have to be read on the board that is left, so a later stage would lose choices, or make some, without a word.
    cuts_last: bool,
    /// One of them may put a piece somewhere: a wall can be written, so it must be known of each cell whether it is removed.
    puts: bool,
}

impl Then {
    fn new(stage: &Stage, rest: &[Stage]) -> Then {
        let is_keep = |e: &Effect| matches!(e.kind, EffectKind::Keep(_));
        Then {
            cuts_last: rest.is_empty() && matches!(&stage.effects[..], [e] if is_keep(e)),
            puts: stage.effects.iter().any(puts),
        }
    }
}

fn puts(effect: &Effect) -> bool {
    match &effect.kind {
        EffectKind::Set(target, _)
        | EffectKind::Add(target, _)
        | EffectKind::Subtract(target, _) => matches!(target, Target::At(_)),
        EffectKind::Each(_, _, inner) => puts(inner),
        _ => false,
    }
}

#[derive(Default)]
struct Writes {
    set: Vec<Sym>,
    add: Vec<Int>,
    subtract: Vec<Int>,
    span: Span,
}

/// Everything that one `then` does, before it is done.
#[derive(Default)]
struct Plan {
    writes: BTreeMap<u32, Writes>,
    removed: BTreeSet<On>,
    keep: Option<u32>,
    /// A fault that counts only if the choice is a move at all.
    fault: Option<Box<Fault>>,
}

impl Plan {
    fn later(&mut self, code: Code, span: Span, message: impl Into<String>) {
        if self.fault.is_none() {
            self.fault = Some(Fault::new(code, span, message));
        }
    }
}

impl Run<'_> {
    fn plan(
        &self,
        effect: &Effect,
        then: Then,
        frame: &mut Frame,
        path: &mut Path,
        plan: &mut Plan,
    ) -> Try<()> {
        let span = effect.span;
        match &effect.kind {
            EffectKind::Set(target, e) => {
                let value = self.eval(e, frame, path)?;
                if let Some(var) = self.target(target, span, frame, path, plan)?
                    && let Some(value) = self.fit(var, value, e.span, path, plan)?
                {
                    let writes = plan.writes.entry(var).or_default();
                    writes.set.push(value);
                    writes.span = span;
                }
            }
            EffectKind::Add(target, e) => {
                let n = self.know_int(e, frame, path)?;
                if let Some(var) = self.target(target, span, frame, path, plan)? {
                    let writes = plan.writes.entry(var).or_default();
                    writes.add.push(n);
                    writes.span = span;
                }
            }
            EffectKind::Subtract(target, e) => {
                let n = self.know_int(e, frame, path)?;
                if let Some(var) = self.target(target, span, frame, path, plan)? {
                    let writes = plan.writes.entry(var).or_default();
                    writes.subtract.push(n);
                    writes.span = span;
                }
            }
            EffectKind::Remove(list) => {
                for e in list {
                    self.remove(e, then, frame, path, plan)?;
                }
            }
            EffectKind::Keep(e) => self.keep(e, then, frame, path, plan)?,
            EffectKind::Replace { .. } => {
                return Err(Stop::Cannot("heaps are not variables".into()));
            }
            EffectKind::Each(binders, phi, inner) => {
                self.each_choice(
                    binders,
                    frame,
                    path,
                    &mut Vec::new(),
                    &mut |run, frame, path, needs| {
                        for need in needs {
                            if !run.decide(need, path)? {
                                return Ok(false);
                            }
                        }
                        if let Some(phi) = phi
                            && !run.decide_expr(phi, frame, path)?
                        {
                            return Ok(false);
                        }
                        run.plan(inner, then, frame, path, plan)?;
                        Ok(false)
                    },
                )?;
            }
        }
        Ok(())
    }

    /// The variable that is written; none (and a fault for later) off the board.
    fn target(
        &self,
        target: &Target,
        span: Span,
        frame: &mut Frame,
        path: &mut Path,
        plan: &mut Plan,
    ) -> Try<Option<u32>> {
        let setting = self.world.setting;
        let vars = self.world.vars;
        let var = match target {
            Target::At(site) => {
                let v = self.know_expr(site, frame, path)?;
                let var = match &v {
                    Val::Edge(_) => setting.board.find_edge(&v).and_then(|e| vars.edge(e)),
                    _ => setting.board.find(&v).and_then(|s| vars.site(s)),
                };
                let pieces = var.filter(|var| {
                    matches!(
                        vars.list.get(*var as usize),
                        Some(GroundVar::Site(_) | GroundVar::Edge(_))
                    )
                });
                if pieces.is_none() {
                    plan.later(
                        Code::OffBoard,
                        span,
                        format!(
                            "a write off the board: there is no {}",
                            crate::ir::draw::label(&v)
                        ),
                    );
                }
                pieces
            }
            Target::State(f, args) => {
                let args = self.know_all(args, frame, path)?;
                let var = setting.state_var(*f, &args).and_then(|v| vars.state(v));
                if var.is_none() {
                    plan.later(Code::OffBoard, span, "a write off the board");
                }
                var
            }
        };
        let Some(var) = var else { return Ok(None) };
        for place in self.places_of(var) {
            // A wall can be written: it is a state of its cell. What was removed before cannot.
            let there = match place {
                On::Site(_) if setting.board.has_cells() => continue,
                On::Site(s) => vec![self.has_site(s, path)?],
                On::Edge(e) => self.has_edge(e, path)?,
            };
            for need in there {
                if !self.decide(&need, path)? {
                    plan.later(
                        Code::OffBoard,
                        span,
                        "a write to a site that was removed before",
                    );
                    return Ok(None);
                }
            }
        }
        Ok(Some(var))
    }

    fn places_of(&self, var: u32) -> Vec<On> {
        match self.world.vars.list.get(var as usize) {
            Some(GroundVar::Site(s) | GroundVar::Present(s)) => vec![On::Site(*s)],
            Some(GroundVar::Edge(e) | GroundVar::EdgePresent(e)) => vec![On::Edge(*e)],
            Some(GroundVar::State(v)) => self.world.setting.places(*v),
            None => Vec::new(),
        }
    }

    fn decl(&self, var: u32) -> Option<&crate::model::typed::StateVar> {
        let setting = self.world.setting;
        match self.world.vars.list.get(var as usize) {
            Some(GroundVar::State(v)) => match setting.var(*v) {
                Some(crate::ir::Var::State(StateId(f), _)) => {
                    setting.instance.rules.state.get(f as usize)
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// The value as the variable holds it.
    fn fit(
        &self,
        var: u32,
        value: Sym,
        span: Span,
        path: &mut Path,
        plan: &mut Plan,
    ) -> Try<Option<Sym>> {
        let board = &self.world.setting.board;
        let bad = |v: &Val| -> bool {
            match self.decl(var) {
                None => *v == Val::Piece(Piece::Off),
                Some(decl) => match (&decl.sort, v) {
                    (Sort::Int, Val::Int(n)) => decl.natural && n.is_negative(),
                    (Sort::Site(SiteKind::Edge), v) => board.find_edge(v).is_none(),
                    (Sort::Site(SiteKind::Heap), _) => false,
                    (Sort::Site(_) | Sort::Label, v) => board.find(v).is_none(),
                    _ => false,
                },
            }
        };
        let is_bad = self.lift(value.clone(), path, |v| Ok(Val::Bool(bad(v))))?;
        if self.decide(&is_bad, path)? {
            plan.later(Code::OffBoard, span, "this value cannot be stored there");
            return Ok(None);
        }
        let sites = matches!(
            self.decl(var).map(|d| &d.sort),
            Some(
                Sort::Site(
                    SiteKind::StripCell | SiteKind::GridCell | SiteKind::Vertex | SiteKind::Element
                ) | Sort::Label
            )
        );
        if sites {
            // Sites are stored by their label.
            return self
                .lift(value, path, |v| {
                    Ok(match board.find(v) {
                        Some(s) => board.label(s),
                        None => v.clone(),
                    })
                })
                .map(Some);
        }
        Ok(Some(value))
    }

    fn place(&self, v: &Val) -> Option<On> {
        let board = &self.world.setting.board;
        match v {
            Val::Edge(_) => board.find_edge(v).map(On::Edge),
            _ => board.find(v).map(On::Site),
        }
    }

    fn remove(
        &self,
        e: &Expr,
        then: Then,
        frame: &mut Frame,
        path: &mut Path,
        plan: &mut Plan,
    ) -> Try<()> {
        let cells = self.world.setting.board.has_cells();
        // What is gone already can be removed once more: of a set, all that can ever be in it is taken where absence is
        // the only thing that keeps a site out of it.
        if !(cells && then.puts)
            && let ExprKind::Builtin(b, args) = &*e.kind
            && is_site_set(*b)
            && !matches!(
                b,
                Builtin::SitesFrom(
                    SitesFrom::Ray | SitesFrom::Slide | SitesFrom::Reach | SitesFrom::Component
                )
            )
            && !args
                .first()
                .is_some_and(|a| matches!(a.sort, Sort::Board | Sort::Position))
            && !self.world.vars.state_on_places
            && (self.world.vars.fixed_edges || !self.world.setting.board.kind.has_edges())
        {
            let members = self.members(e, frame, path)?;
            // The set is empty if the site that it is about is gone itself, unless it is a cell, which keeps its place.
            if let Some(first) = args.first().filter(|_| !cells) {
                let v = self.know_expr(first, frame, path)?;
                if let Some(s) = self.world.setting.board.find(&v) {
                    let own = self.has_site(s, path)?;
                    if !self.decide(&own, path)? {
                        return Ok(());
                    }
                }
            }
            for m in members {
                let v = self.know(m.value, path)?;
                plan.removed.extend(self.place(&v));
            }
            return Ok(());
        }
        let set = matches!(e.sort, Sort::Set(_) | Sort::List(_));
        let v = if set {
            self.known_members(e, frame, path)?
        } else {
            self.know_expr(e, frame, path)?
        };
        let items = v.elements().unwrap_or(std::slice::from_ref(&v));
        for item in items {
            match self.place(item) {
                Some(p) => {
                    plan.removed.insert(p);
                }
                None => plan.later(
                    Code::OffBoard,
                    e.span,
                    format!(
                        "a write off the board: there is no {}",
                        crate::ir::draw::label(item)
                    ),
                ),
            }
        }
        Ok(())
    }

    fn keep(
        &self,
        e: &Expr,
        then: Then,
        frame: &mut Frame,
        path: &mut Path,
        plan: &mut Plan,
    ) -> Try<()> {
        let setting = self.world.setting;
        let board = &setting.board;
        // What is reached is found while playing: the instance says from where.
        if let ExprKind::Builtin(Builtin::SitesFrom(SitesFrom::Reach | SitesFrom::Component), args) =
            &*e.kind
            && let [site] = &args[..]
            && !matches!(site.sort, Sort::Board | Sort::Position)
            && board.kind.lines() == Lines::Edges
            && then.cuts_last
            && !self.world.vars.state_on_places
            && !self.world.vars.fixed_edges
        {
            let v = self.know_expr(site, frame, path)?;
            if let Some(s) = board.find(&v) {
                plan.keep = Some(s);
                return Ok(());
            }
        }
        let kept = self.known_members(e, frame, path)?;
        let kept = kept.elements().unwrap_or(&[]);
        let edges = match &e.sort {
            Sort::Set(s) | Sort::List(s) => **s == Sort::Site(SiteKind::Edge),
            _ => false,
        };
        if self.world.vars.state_on_places {
            return Err(Stop::Cannot("`keep` beside counts on sites".into()));
        }
        let stay: BTreeSet<On> = kept.iter().filter_map(|v| self.place(v)).collect();
        if edges || kept.iter().any(|v| matches!(v, Val::Edge(_))) {
            let all = (0u32..).take(board.lines.len()).map(On::Edge);
            plan.removed.extend(all.filter(|p| !stay.contains(p)));
        } else {
            for s in (0u32..).take(board.sites()) {
                if stay.contains(&On::Site(s)) {
                    continue;
                }
                if board.has_cells() && then.puts {
                    let there = self.has_site(s, path)?;
                    if !self.decide(&there, path)? {
                        continue;
                    }
                }
                plan.removed.insert(On::Site(s));
            }
        }
        Ok(())
    }

    /// Does what was planned; false if the choice is not a move.
    fn apply(&self, plan: Plan, path: &mut Path) -> Try<bool> {
        let World { setting, vars, .. } = self.world;
        let arithmetic = |span: Span| move |f| Stop::from(ops::arithmetic(f, span));
        let total = |list: &[Int], span: Span| -> Try<Int> {
            let mut sum = Int::ZERO;
            for n in list {
                sum = sum.add(n).map_err(arithmetic(span))?;
            }
            Ok(sum)
        };
        let natural = |var: u32| self.decl(var).is_some_and(|d| d.natural);
        // As in a Petri net: what is not there cannot be taken.
        for (var, w) in &plan.writes {
            if natural(*var) && !w.subtract.is_empty() {
                let taken = total(&w.subtract, w.span)?;
                let held = self.world.read(*var, path);
                let enough = self.lift(held, path, |v| match v {
                    Val::Int(n) => Ok(Val::Bool(*n >= taken)),
                    _ => Err(internal(w.span, "not an integer")),
                })?;
                if !self.decide(&enough, path)? {
                    return Ok(false);
                }
            }
        }
        if let Some(fault) = plan.fault {
            return Err(fault.into());
        }
        let mut removed = plan.removed.clone();
        if setting.board.kind.has_edges() && !vars.fixed_edges {
            for place in &plan.removed {
                if let On::Site(s) = place {
                    removed.extend(setting.board.incident(*s).map(|(e, _)| On::Edge(e)));
                }
            }
        }
        let mut after: Vec<(u32, Held)> = Vec::new();
        for (var, w) in &plan.writes {
            if self.places_of(*var).iter().any(|p| removed.contains(p)) {
                return Err(Fault::new(
                    Code::RemovedAndWritten,
                    w.span,
                    "a site is removed and written in one `then`",
                )
                .into());
            }
            after.push((*var, self.written(*var, w, natural(*var), path, &total)?));
        }
        for (var, held) in after {
            path.write(var, held);
        }
        for place in &removed {
            let var = match place {
                On::Site(s) => vars.site(*s),
                On::Edge(e) => vars.edge(*e),
            };
            let Some(var) = var else { continue };
            let gone = match vars.list.get(var as usize) {
                Some(GroundVar::Site(_)) if setting.board.has_cells() => Val::Piece(Piece::Wall),
                Some(GroundVar::Site(_) | GroundVar::Edge(_)) => Val::Piece(Piece::Off),
                _ => Val::Bool(false),
            };
            path.write(var, Held::Set(Sym::Is(gone)));
        }
        if vars.state_on_places && !removed.is_empty() {
            for (i, var) in vars.list.iter().enumerate() {
                if let GroundVar::State(v) = var
                    && setting.places(*v).iter().any(|p| removed.contains(p))
                    && let Some(value) = setting.default(*v)
                {
                    let var = u32::try_from(i).unwrap_or(u32::MAX);
                    path.write(var, Held::Set(Sym::Is(value)));
                }
            }
        }
        path.keep = plan.keep;
        Ok(true)
    }

    fn written(
        &self,
        var: u32,
        w: &Writes,
        natural: bool,
        path: &mut Path,
        total: &dyn Fn(&[Int], Span) -> Try<Int>,
    ) -> Try<Held> {
        if let Some((first, rest)) = w.set.split_first() {
            let two = |message: &str| Stop::from(Fault::new(Code::TwoWrites, w.span, message));
            if !w.add.is_empty() || !w.subtract.is_empty() {
                return Err(two("a variable is both set and changed in one `then`"));
            }
            for other in rest {
                let same = self.same(first.clone(), other.clone(), w.span, path)?;
                if !self.decide(&same, path)? {
                    return Err(two("two values for one variable"));
                }
            }
            return Ok(Held::Set(self.world.simple(first.clone(), path)));
        }
        let gained = total(&w.add, w.span)?;
        let lost = total(&w.subtract, w.span)?;
        if w.subtract.is_empty() && !gained.is_negative() {
            let before = match path.holds(var) {
                None => Some(0),
                Some(Held::Plus(k)) => Some(*k),
                Some(Held::Set(_)) => None,
            };
            if let (Some(before), Some(gained)) = (before, gained.to_i64()) {
                return Ok(Held::Plus(before.saturating_add(gained)));
            }
        }
        let held = self.world.read(var, path);
        let sum = self.lift(held, path, |v| match v {
            Val::Int(n) => Ok(Val::Int(
                n.add(&gained)
                    .and_then(|n| n.sub(&lost))
                    .map_err(|f| Stop::from(ops::arithmetic(f, w.span)))?,
            )),
            _ => Err(internal(w.span, "not an integer")),
        })?;
        if natural {
            let below = self.lift(sum.clone(), path, |v| {
                Ok(Val::Bool(matches!(v, Val::Int(n) if n.is_negative())))
            })?;
            if self.decide(&below, path)? {
                return Err(Fault::new(
                    Code::NegativeNat,
                    w.span,
                    "a natural cannot become negative",
                )
                .into());
            }
        }
        Ok(Held::Set(self.world.simple(sum, path)))
    }
}
