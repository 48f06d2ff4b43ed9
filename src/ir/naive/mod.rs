//! The naive evaluator of moves, level 1: maps a position and a player to the player's options. It follows section 3 of the
//! language description exactly, one choice after the other; nothing is ground, shared or reordered. It is the reference
//! for every faster method, and is never optimised.
//!
//! `options_P(s)` is the union over the moves of P of the positions reached by their stages;
//! `act ::= for x in S. a | assume p. a | do u ; a | done`.

mod effects;
pub(crate) use effects::{joined_already, one_vertex};
mod ends;
mod game;
mod scores;
pub mod tries;

pub use ends::{ended, ended_in};
pub use game::{NaiveGame, Uncompiled};
pub use scores::score;

use super::draw;
use super::eval::{Evaluator, Frame, Scope};
use super::fault::{Code, Fault, Res};
use super::instance::Setting;
use super::position::{Position, State};
use super::val::Val;
use crate::base::Span;
use crate::game::{End, Player};
use crate::model::typed::{Again, By, Move, Repeat, Slot, Stage};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::hash_map::Entry;
use std::ops::ControlFlow;
use std::sync::Arc;

/// Names with values, in the order of the text.
type Bindings = Vec<(Arc<str>, Val)>;

/// Bytes for a variable or a heap of an option, including its copies in the answer.
const HELD: usize = 64;

/// One option, with the first choice that leads to it.
#[derive(Clone, Debug)]
pub struct Moved {
    /// The index of the move in the ruleset.
    pub index: usize,
    /// The label of the move.
    pub label: Option<Arc<str>>,
    /// The choice: names with values, in the order of the text.
    pub bindings: Vec<(Arc<str>, Val)>,
    /// The term of the sum in which the move was made.
    pub term: usize,
    /// The position reached.
    pub position: Position,
    /// Whether the same player moves next.
    pub again: bool,
    /// The result, if a clause of the rules ends play there.
    pub end: Option<End>,
}

impl Moved {
    /// The move in words: the player, the choice, and the position reached.
    #[must_use]
    pub fn in_words(&self, from: &Position, player: Player) -> String {
        let instance = from.terms().get(self.term).map(|t| &*t.setting.instance);
        let bindings = self.bindings.iter();
        let chosen = bindings.map(|(name, v)| format!("{name} = {}", draw::value(v, instance)));
        let label = self.label.iter().map(|label| label.to_string());
        let all: Vec<String> = label.chain(chosen).collect();
        let comma = if all.is_empty() { "" } else { ": " };
        format!(
            "{}{comma}{} to {}",
            from.player_name(player),
            all.join(", "),
            draw::short(&self.position)
        )
    }
}

/// One option of a single term.
#[derive(Clone, Debug)]
pub struct Reached {
    /// The index of the move in the ruleset.
    pub index: usize,
    /// The choice.
    pub bindings: Vec<(Arc<str>, Val)>,
    /// The state reached.
    pub state: State,
    /// Whether the same player moves next.
    pub again: bool,
}

/// The options of a player at a position, as a set: each with the first choice that leads to it, in the order of the text.
///
/// # Errors
/// A fault of a rule, with the choice and the position at which it happened; a limit.
pub fn moves(ev: &Evaluator<'_>, position: &Position, player: Player) -> Res<Vec<Moved>> {
    let mut found = Vec::new();
    let mut seen = FxHashSet::default();
    let answered = position.entailed();
    for (i, term) in position.terms().iter().enumerate() {
        if answered.is_some_and(|only| only != i) {
            continue;
        }
        let mover = if term.negated {
            player.opponent()
        } else {
            player
        };
        for reached in moves_of(ev, &term.setting, &term.state, mover)? {
            let after = position.after(i, reached.state, Span::default())?;
            if seen.insert((after.clone(), reached.again)) {
                let end = ended(ev, &after, Some(player))?;
                let rules = &term.setting.instance.rules;
                found.push(Moved {
                    index: reached.index,
                    label: rules.moves.get(reached.index).and_then(|m| m.label.clone()),
                    bindings: reached.bindings,
                    term: i,
                    position: after,
                    again: reached.again,
                    end,
                });
            }
        }
    }
    Ok(found)
}

/// The options of a player at a state of one ruleset, as a set: each with the first choice that leads to it, in the order
/// of the text.
///
/// # Errors
/// A fault of a rule, with the choice and the position at which it happened; a limit.
pub fn moves_of(
    ev: &Evaluator<'_>,
    setting: &Arc<Setting>,
    state: &State,
    player: Player,
) -> Res<Vec<Reached>> {
    let found = reached(ev, setting, state, player, setting.instance.everyone)?;
    if !found.is_empty() && someone_is_stuck(ev, setting, state, Some((player, true)))? {
        return Ok(Vec::new());
    }
    Ok(found)
}

/// Whether the rules end play at a state because one of the players has no move of his own there (`dicotic(S)`). What is known
/// already: whether one of them has any move, his own or, where everyone may make everyone's moves, another's.
fn someone_is_stuck(
    ev: &Evaluator<'_>,
    setting: &Arc<Setting>,
    state: &State,
    known: Option<(Player, bool)>,
) -> Res<bool> {
    let instance = &setting.instance;
    if !instance.dicotic {
        return Ok(false);
    }
    let players = u8::try_from(instance.players.len()).unwrap_or(u8::MAX);
    for p in (0..players).map(Player) {
        let known = known.filter(|(q, _)| *q == p && !instance.everyone);
        let has = match known {
            Some((_, has)) => has,
            None => !reached(ev, setting, state, p, false)?.is_empty(),
        };
        if !has {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The states that the moves of a player reach, or, with `everyone`, those of all players.
fn reached(
    ev: &Evaluator<'_>,
    setting: &Arc<Setting>,
    state: &State,
    player: Player,
    everyone: bool,
) -> Res<Vec<Reached>> {
    let mut found: FxHashMap<(State, bool), (usize, usize, Bindings)> = FxHashMap::default();
    let mut held = 0usize;
    let instance = &setting.instance;
    let players = u8::try_from(instance.players.len()).unwrap_or(u8::MAX);
    for (index, rule) in instance.rules.moves.iter().enumerate() {
        // The players whose moves may be made: under `impartial(S)`, all players.
        let makers: Vec<u8> = match (&rule.by, everyone) {
            (By::Each(_), true) => (0..players).collect(),
            (By::Each(_), false) => vec![player.0],
            (By::Anyone, _) => vec![player.0],
            (By::One(p), everyone) => {
                if everyone || *p == player.0 {
                    vec![*p]
                } else {
                    Vec::new()
                }
            }
        };
        for maker in makers {
            let mut frame = Frame::new(instance.rules_arguments.iter().cloned());
            if let By::Each(slot) = &rule.by {
                frame.set(*slot, Val::Player(maker));
            }
            let run = Run { ev, setting, rule };
            run.stages(&rule.stages, state, &mut frame, &mut |state, frame| {
                let size = 1 + state.vars.len() + state.heaps.len();
                ev.charge(1 + size as u64 / 16, rule.span)?;
                let again = match &rule.again {
                    Again::Never | Again::Entail => false,
                    Again::Always => true,
                    Again::When(phi) => ev.truth(phi, frame, Scope::at(setting, &state))?,
                };
                let order = found.len();
                if let Entry::Vacant(new) = found.entry((state, again)) {
                    held += size;
                    if !ev.holds(held.saturating_mul(HELD)) {
                        return Err(Fault::new(
                            Code::TooMuch,
                            rule.span,
                            "the options of this position take more than --memory: the answer is unknown",
                        ));
                    }
                    new.insert((order, index, run.bindings(frame)));
                }
                Ok(())
            })?;
        }
    }
    let mut found: Vec<(usize, Reached)> = found
        .into_iter()
        .map(|((state, again), (order, index, bindings))| {
            (
                order,
                Reached {
                    index,
                    bindings,
                    state,
                    again,
                },
            )
        })
        .collect();
    found.sort_by_key(|(order, _)| *order);
    Ok(found.into_iter().map(|(_, reached)| reached).collect())
}

/// One move being made by one player.
struct Run<'r> {
    ev: &'r Evaluator<'r>,
    setting: &'r Arc<Setting>,
    rule: &'r Move,
}

type Done<'d> = &'d mut dyn FnMut(State, &mut Frame) -> Res<()>;

impl Run<'_> {
    /// Runs the stages in order from a state. Calls `done` for each legal sequence of choices.
    fn stages(
        &self,
        stages: &[Stage],
        state: &State,
        frame: &mut Frame,
        done: Done<'_>,
    ) -> Res<()> {
        let Some((stage, rest)) = stages.split_first() else {
            return done(state.clone(), frame);
        };
        match &self.rule.repeat {
            Some(repeat) if repeat.stage + stages.len() == self.rule.stages.len() => {
                self.rounds(repeat, stage, rest, state, frame, done)
            }
            _ => self.stage(stage, state, frame, &mut |next, frame| {
                self.stages(rest, &next, frame, done)
            }),
        }
    }

    /// Runs the rounds of a repeated stage, once from each pair of a position and values of the names that `next` sets. The
    /// stages after it are run after each round, with these values.
    fn rounds(
        &self,
        repeat: &Repeat,
        stage: &Stage,
        rest: &[Stage],
        state: &State,
        frame: &mut Frame,
        done: Done<'_>,
    ) -> Res<()> {
        let renewed = |frame: &Frame| -> Vec<Option<Val>> {
            let slots = repeat.next.iter().map(|(slot, _)| *slot);
            slots.map(|slot| frame.get(slot).cloned()).collect()
        };
        let mut seen = FxHashSet::from_iter([(state.clone(), renewed(frame))]);
        let mut open = vec![(state.clone(), frame.clone())];
        while let Some((state, mut frame)) = open.pop() {
            self.stage(stage, &state, &mut frame, &mut |next, frame| {
                let then = self.renewed(repeat, &next, frame)?;
                // The conditions after the last round read the new values; the choice keeps those of the round.
                self.stages(rest, &next, &mut then.clone(), &mut |state, _| {
                    done(state, frame)
                })?;
                self.ev
                    .charge(1 + next.vars.len() as u64 / 16, stage.span)?;
                if seen.insert((next.clone(), renewed(&then))) {
                    open.push((next, then));
                }
                Ok(())
            })?;
        }
        Ok(())
    }

    /// The names after a round that led to `state`: `next` gives some of them new values.
    fn renewed(&self, repeat: &Repeat, state: &State, frame: &mut Frame) -> Res<Frame> {
        let mut then = frame.clone();
        for (slot, value) in &repeat.next {
            let value = self
                .ev
                .eval(value, frame, Scope::at(self.setting, state))
                .map_err(|f| self.explain(f, state, frame))?;
            then.set(*slot, value);
        }
        Ok(then)
    }

    /// Runs one stage from a state. Calls `reached` for each legal choice, with the state after its effects.
    fn stage(
        &self,
        stage: &Stage,
        state: &State,
        frame: &mut Frame,
        reached: &mut dyn FnMut(State, &mut Frame) -> Res<()>,
    ) -> Res<()> {
        let scope = Scope::at(self.setting, state);
        // Heap binders are numbered within their stage.
        let heaps = std::mem::take(&mut frame.heaps);
        let result = self.ev.deeper(stage.span, || {
            self.ev.choices(
                &stage.binders,
                &stage.conditions,
                frame,
                scope,
                &mut |frame| {
                    let next = self
                        .effects(stage, state, frame)
                        .map_err(|f| self.explain(f, state, frame))?;
                    if let Some(next) = next {
                        let inner = std::mem::take(&mut frame.heaps);
                        let went_on = reached(next, frame);
                        frame.heaps = inner;
                        went_on?;
                    }
                    Ok(ControlFlow::Continue(()))
                },
            )
        });
        let result = result.map_err(|f| self.explain(f, state, frame));
        frame.heaps = heaps;
        result.map(|_| ())
    }

    /// Adds the choice and the position to a fault, unless it has them already.
    fn explain(&self, mut fault: Box<Fault>, state: &State, frame: &Frame) -> Box<Fault> {
        if fault.code.is_limit() || fault.position.is_some() {
            return fault;
        }
        let instance = Some(&*self.setting.instance);
        fault.bindings = self
            .bindings(frame)
            .into_iter()
            .map(|(name, v)| (name, draw::value(&v, instance)))
            .collect();
        fault.position = Some(draw::cut(draw::literal_of(self.setting, state)));
        fault
    }

    /// The bound variables by name, without the ruleset's parameters.
    fn bindings(&self, frame: &Frame) -> Vec<(Arc<str>, Val)> {
        let parameters = self.setting.instance.rules.parameters.len();
        self.rule
            .slot_names
            .iter()
            .enumerate()
            .skip(parameters)
            .filter_map(|(i, name)| {
                let slot = Slot(u32::try_from(i).ok()?);
                Some((name.clone(), frame.get(slot)?.clone()))
            })
            .collect()
    }
}
