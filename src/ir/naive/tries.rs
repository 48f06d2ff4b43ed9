//! Lists everything that a player could try at a state, legal or not: the choice, and where it leads or the condition that
//! it violates. For interactive play; the evaluator of moves (the parent module) lists only legal choices.

use super::Run;
use crate::base::Span;
use crate::eval::binders::places;
use crate::eval::{Evaluator, Frame, Scope};
use crate::fault::Res;
use crate::game::Player;
use crate::instance::Setting;
use crate::model::typed::{Again, BinderKind, By, Place, Repeat, Stage};
use crate::position::State;
use crate::val::Val;
use rustc_hash::FxHashSet;
use std::cell::RefCell;
use std::ops::ControlFlow;
use std::sync::Arc;

/// Why a choice is not a legal move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Forbidden {
    /// The condition that fails, the effect that is impossible, or the binder that has no value: a cell that is not
    /// present.
    pub span: Span,
    /// The stage, from 0.
    pub stage: usize,
    /// How far the choice got in the stage: 0 if a binder has no value, k + 1 if condition k (from 0) fails, the number of
    /// conditions + 1 if an effect is impossible.
    pub held: usize,
    /// The kind of obstacle.
    pub kind: ForbiddenBy,
}

/// The kinds of obstacles.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ForbiddenBy {
    /// A condition fails.
    Condition,
    /// An effect is impossible: a natural would become negative.
    Effect,
    /// The choice determines a cell that is off the board or removed.
    Place,
    /// Play has ended, since one of the players has no move (`dicotic(S)`).
    Stuck,
    /// The last move must be answered in a heap that it has left (`entail`).
    Answer,
}

/// A choice.
#[derive(Clone, Debug)]
pub struct Tried {
    /// The index of the move in the ruleset.
    pub rule: usize,
    /// The choice: names with values, in the order of the text, without the player.
    pub bindings: Vec<(Arc<str>, Val)>,
    /// The state reached, or why it is not a legal move.
    pub result: Result<State, Forbidden>,
    /// Whether the same player moves next.
    pub again: bool,
}

/// The callback for each try; `Break` ends the enumeration.
pub type EachTry<'e> = &'e mut dyn FnMut(Tried) -> Res<ControlFlow<()>>;

/// Enumerates all choices of a player at one state, including illegal ones.
///
/// # Errors
/// A fault of a rule; a limit.
pub fn tries(
    ev: &Evaluator<'_>,
    setting: &Arc<Setting>,
    state: &State,
    player: Player,
    each: EachTry<'_>,
) -> Res<()> {
    let instance = &setting.instance;
    let players = u8::try_from(instance.players.len()).unwrap_or(u8::MAX);
    let stuck = super::someone_is_stuck(ev, setting, state, None)?;
    let mut forbidding = |mut tried: Tried| {
        if stuck && tried.result.is_ok() {
            let rule = instance.rules.moves.get(tried.rule);
            tried.result = Err(Forbidden {
                span: rule.map_or_else(Span::default, |m| m.span),
                stage: rule.map_or(0, |m| m.stages.len().saturating_sub(1)),
                held: usize::MAX,
                kind: ForbiddenBy::Stuck,
            });
        }
        each(tried)
    };
    let each: EachTry<'_> = &mut forbidding;
    for (index, rule) in instance.rules.moves.iter().enumerate() {
        let makers: Vec<u8> = match (&rule.by, instance.everyone) {
            (By::Each(_), true) => (0..players).collect(),
            (By::Each(_) | By::Anyone, _) => vec![player.0],
            (By::One(p), everyone) if everyone || *p == player.0 => vec![*p],
            (By::One(_), _) => Vec::new(),
        };
        for maker in makers {
            let mut frame = Frame::new(instance.rules_arguments.iter().cloned());
            if let By::Each(slot) = &rule.by {
                frame.set(*slot, Val::Player(maker));
            }
            let run = Run { ev, setting, rule };
            let walk = Walk {
                run: &run,
                index,
                stages: &rule.stages,
                rounds: RefCell::default(),
            };
            if walk.enter(0, state, &mut frame, each)?.is_break() {
                return Ok(());
            }
        }
    }
    Ok(())
}

struct Walk<'w> {
    run: &'w Run<'w>,
    index: usize,
    stages: &'w [Stage],
    /// The starts of rounds of the repeated stage so far, after the current choices of the stages before it.
    rounds: RefCell<FxHashSet<Start>>,
}

/// The start of a round: the state, and the values of the names that `next` sets.
type Start = (State, Vec<Option<Val>>);

fn start(repeat: &Repeat, state: &State, frame: &Frame) -> Start {
    let names = repeat
        .next
        .iter()
        .map(|(slot, _)| frame.get(*slot).cloned());
    (state.clone(), names.collect())
}

impl Walk<'_> {
    fn tried(&self, upto: usize, frame: &Frame, result: Result<State, Forbidden>) -> Tried {
        let mut all = Vec::new();
        for stage in self.stages.iter().take(upto + 1) {
            let places = stage.binders.iter().flat_map(places);
            all.extend(places.filter_map(|place| match place {
                Place::New(slot) => Some(*slot),
                Place::Same(_) => None,
            }));
        }
        let names = &self.run.rule.slot_names;
        Tried {
            rule: self.index,
            bindings: all
                .into_iter()
                .filter_map(|s| Some((names.get(s.0 as usize)?.clone(), frame.get(s)?.clone())))
                .collect(),
            result,
            again: false,
        }
    }

    /// A legal choice.
    fn done(&self, state: &State, frame: &mut Frame) -> Res<Tried> {
        let again = match &self.run.rule.again {
            Again::Never | Again::Entail => false,
            Again::Always => true,
            Again::When(phi) => {
                let scope = Scope::at(self.run.setting, state);
                self.run.ev.truth(phi, frame, scope)?
            }
        };
        let upto = self.stages.len();
        Ok(Tried {
            again,
            ..self.tried(upto, frame, Ok(state.clone()))
        })
    }

    /// Starts a stage after a choice in the stage before it. Of the repeated stage, this is the first round: rounds after
    /// other choices do not count, since the names chosen there may be read here.
    fn enter(
        &self,
        at: usize,
        state: &State,
        frame: &mut Frame,
        each: EachTry<'_>,
    ) -> Res<ControlFlow<()>> {
        let Some(repeat) = self.run.rule.repeat.as_ref().filter(|r| r.stage == at) else {
            return self.stage(at, state, frame, each);
        };
        let first = FxHashSet::from_iter([start(repeat, state, frame)]);
        let before = self.rounds.replace(first);
        let went_on = self.stage(at, state, frame, each);
        self.rounds.replace(before);
        went_on
    }

    /// Goes on after a stage. After a round of the repeated stage, these are the conditions that close the move, and then
    /// another round, unless one started with the same state and names before. Both read the values that `next` gives; a
    /// choice that ends here keeps those of its last round.
    fn after(
        &self,
        at: usize,
        state: &State,
        frame: &mut Frame,
        each: EachTry<'_>,
    ) -> Res<ControlFlow<()>> {
        let Some(repeat) = self.run.rule.repeat.as_ref().filter(|r| r.stage == at) else {
            return self.enter(at + 1, state, frame, each);
        };
        let mut then = self.run.renewed(repeat, state, frame)?;
        let ended = match self.stages.get(at + 1) {
            // `again when` stands before `next`.
            None => self.enter(at + 1, state, frame, each)?,
            Some(_) => {
                let bindings = self.tried(at, frame, Ok(state.clone())).bindings;
                let mut closing = then.clone();
                self.enter(at + 1, state, &mut closing, &mut |tried| {
                    each(Tried {
                        bindings: bindings.clone(),
                        ..tried
                    })
                })?
            }
        };
        if ended.is_break() {
            return Ok(ended);
        }
        let new = self.rounds.borrow_mut().insert(start(repeat, state, &then));
        match new {
            true => self.stage(at, state, &mut then, each),
            false => Ok(ControlFlow::Continue(())),
        }
    }

    fn stage(
        &self,
        at: usize,
        state: &State,
        frame: &mut Frame,
        each: EachTry<'_>,
    ) -> Res<ControlFlow<()>> {
        let Some(stage) = self.stages.get(at) else {
            return each(self.done(state, frame)?);
        };
        let ev = self.run.ev;
        let heaps = std::mem::take(&mut frame.heaps);
        let result = ev.deeper(stage.span, || self.binders(at, 0, state, frame, each));
        frame.heaps = heaps;
        result
    }

    /// Enumerates binder by binder, to detect a binder without any choice.
    fn binders(
        &self,
        at: usize,
        k: usize,
        state: &State,
        frame: &mut Frame,
        each: EachTry<'_>,
    ) -> Res<ControlFlow<()>> {
        let stage = &self.stages[at];
        let ev = self.run.ev;
        let scope = Scope::at(self.run.setting, state);
        if let Some(binder) = stage.binders.get(k) {
            let mut any = false;
            let one = std::slice::from_ref(binder);
            let went = ev.choices(one, &[], frame, scope, &mut |frame| {
                any = true;
                self.binders(at, k + 1, state, frame, each)
            })?;
            if !any && matches!(binder.kind, BinderKind::Is { cell: true, .. }) {
                let forbidden = Forbidden {
                    span: binder.span,
                    stage: at,
                    held: 0,
                    kind: ForbiddenBy::Place,
                };
                return each(self.tried(at, frame, Err(forbidden)));
            }
            return Ok(went);
        }
        for (held, condition) in stage.conditions.iter().enumerate() {
            if !ev.truth(condition, frame, scope)? {
                let forbidden = Forbidden {
                    span: condition.span,
                    stage: at,
                    held: held + 1,
                    kind: ForbiddenBy::Condition,
                };
                return each(self.tried(at, frame, Err(forbidden)));
            }
        }
        let Some(next) = self.run.effects(stage, state, frame)? else {
            let free = State {
                entailed: None,
                ..state.clone()
            };
            let kind = match state.entailed.is_some()
                && self.run.effects(stage, &free, frame)?.is_some()
            {
                true => ForbiddenBy::Answer,
                false => ForbiddenBy::Effect,
            };
            let forbidden = Forbidden {
                span: stage.effects.first().map_or(stage.span, |e| e.span),
                stage: at,
                held: stage.conditions.len() + 1,
                kind,
            };
            return each(self.tried(at, frame, Err(forbidden)));
        };
        let inner = std::mem::take(&mut frame.heaps);
        let went_on = self.after(at, &next, frame, each);
        frame.heaps = inner;
        went_on
    }
}
