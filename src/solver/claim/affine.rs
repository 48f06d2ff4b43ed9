//! Nimbers, or `loony`, of positions of impartial rules with clauses that end play or keep the turn, by
//! [`crate::engine::affine`].

use super::solve::{Road, Solver};
use super::theory::Theory;
use super::{fault, heaps};
use crate::base::Span;
use crate::engine::Stopped;
use crate::engine::affine::heaps::EntailingSequence;
use crate::engine::affine::{Affine, Affines, Nimbers, NotAffine, Worth};
use crate::engine::arena::Fate;
use crate::game::{Player, Shortcut};
use crate::ir::naive::NaiveGame;
use crate::ir::{Code as FaultCode, Fault, Instance, Position, Res, Term, draw};
use crate::machine::Machine;
use crate::model::typed::By;
use std::cell::RefCell;
use std::sync::Arc;

/// The results for positions of the board that was queried last.
#[derive(Default)]
pub(super) struct Worths {
    fast: RefCell<Option<(Arc<Machine>, Affines<Machine>)>>,
    naive: RefCell<Option<Affines<NaiveGame>>>,
    /// The ruleset on heaps with entailing moves that was queried last, with the values of its heaps if its rule takes and
    /// breaks.
    heaps: RefCell<Option<(Arc<Instance>, Option<EntailingSequence>)>>,
}

impl std::fmt::Debug for Worths {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Worths")
    }
}

/// The largest heap under a rule with `entail` whose value is computed.
const LARGEST: usize = 1 << 17;

/// The most characters of a position in a refusal.
const SHOWN: usize = 100;

/// A position as a literal, cut to fit a row of a card.
fn named(position: &Position) -> String {
    let literal = draw::literal(position);
    match literal.char_indices().nth(SHOWN) {
        Some((at, _)) => format!("{}..", &literal[..at]),
        None => literal,
    }
}

/// The start of the first clause that ends play differently for the two players. All moves are everyone's here, so only
/// such a clause can tell the players apart.
pub(super) fn unequal(position: &Position) -> Option<String> {
    let mut rules = position.terms().iter().map(|t| &t.setting.instance.rules);
    rules.find_map(|rules| {
        let end = rules.ends.iter().find(|end| {
            matches!(end.player, By::One(_)) || end.uses_player || end.mover.is_some()
        })?;
        let who = match &end.player {
            By::One(p) => format!(" {}", position.player_name(Player(*p))),
            By::Each(slot) => match end.slot_names.get(slot.0 as usize) {
                Some(name) => format!(" {name}"),
                None => String::new(),
            },
            By::Anyone => String::new(),
        };
        Some(format!("{}{who} when", end.kind.word()))
    })
}

/// The refusal: why a position has no value, with the position that breaks a hypothesis.
fn refused(reason: NotAffine<Position>, position: &Position, span: Span) -> Box<Fault> {
    let because = match reason {
        NotAffine::Convention => {
            "it is not played by two players of whom the one who cannot move loses".to_owned()
        }
        NotAffine::Ended => "play has ended there".to_owned(),
        NotAffine::Forced => {
            "the last move must be answered there, so the player to move is not free to move elsewhere in a sum".to_owned()
        }
        NotAffine::Draw(at) => format!("play can be drawn from {}", named(&at)),
        NotAffine::Partizan(at) => {
            let clause = match unequal(&at) {
                Some(clause) => format!(", by its clause `{clause} ..`"),
                None => String::new(),
            };
            format!(
                "a move does not mean the same for both players at {}{clause}",
                named(&at)
            )
        }
    };
    Fault::new(
        FaultCode::NoTheory,
        span,
        format!("{} has no value: {because}", named(position)),
    )
    .help("ask who wins: `outcome(G)`, `winner(G, first: Left)`, `best(G, Left)`, `remoteness(G, first: Left)`")
}

/// The refusal to give a canonical form of a loony value.
pub(super) fn no_form(span: Span) -> Box<Fault> {
    let why = "its value is loony: whoever moves first wins any sum of nimbers with it, and no canonical form does that";
    Fault::new(FaultCode::NoTheory, span, why)
        .help("compare it: `value(G) == loony`; or ask `outcome(G)`")
}

impl Solver {
    /// The value of a sum of impartial positions whose rules have clauses that end play or keep the turn; `None` if the rules
    /// are of another kind.
    ///
    /// # Errors
    /// A hypothesis of the theory that fails; a limit; a rule that fails; a position that is repeated.
    pub fn affine(&self, position: &Position, span: Span) -> Res<Option<Affine>> {
        if Theory::of(position) != Theory::Affine {
            return Ok(None);
        }
        if position.entailed().is_some() {
            return Err(refused(NotAffine::Forced, position, span));
        }
        self.affine_but(position, None, span).map(Some)
    }

    /// The nimbers beside which the player to move wins, where the last move must be answered in this position; `None` if he
    /// may move elsewhere.
    ///
    /// # Errors
    /// As for [`Solver::affine`].
    pub(super) fn answers(&self, position: &Position, span: Span) -> Res<Option<Nimbers>> {
        if position.entailed().is_none() {
            return Ok(None);
        }
        Ok(match self.worth(position, span)? {
            Worth::Forced(set) => Some(Arc::unwrap_or_clone(set)),
            Worth::Free(_) => None,
        })
    }

    /// The value of the sum or, if the last move must be answered in it, the nimbers beside which the player to move wins.
    fn worth(&self, position: &Position, span: Span) -> Res<Worth> {
        let forced = position.entailed();
        let rest = self.affine_but(position, forced, span)?;
        let Some(forced) = forced else {
            return Ok(Worth::Free(rest));
        };
        Ok(match self.affine_term(&position.terms()[forced], span)? {
            Worth::Forced(set) => Worth::Forced(Arc::new(set.beside(rest))),
            Worth::Free(worth) => Worth::Free(worth.plus(rest)),
        })
    }

    /// The value of the sum of all terms but one.
    fn affine_but(&self, position: &Position, but: Option<usize>, span: Span) -> Res<Affine> {
        let mut sum = Affine::Nimber(0);
        for (i, term) in position.terms().iter().enumerate() {
            let copies = term.count.to_big();
            if copies == 0.into() || but == Some(i) {
                continue;
            }
            // Impartial positions are their own negatives, so of n copies only the parity of n matters. Loony positions do
            // not cancel.
            let worth = match self.affine_term(term, span)? {
                Worth::Free(worth) => worth,
                Worth::Forced(_) => return Err(refused(NotAffine::Forced, position, span)),
            };
            let even = !copies.bit(0);
            sum = match worth {
                Affine::Nimber(_) if even => sum,
                worth => sum.plus(worth),
            };
        }
        Ok(sum)
    }

    /// Who wins if a player begins, by the values of the parts, under rules on heaps with `entail`. `None` if these are other
    /// rules, or a hypothesis of the theory fails.
    ///
    /// # Errors
    /// A limit.
    pub(super) fn fate_by_answers(
        &self,
        position: &Position,
        first: Player,
        span: Span,
    ) -> Res<Option<Fate>> {
        let suits = self.shortcuts.has(Shortcut::Compile)
            && Theory::of(position) == Theory::Affine
            && position.instances().all(|i| i.rules.ends.is_empty())
            && position.instances().any(|i| i.rules.entails());
        if !suits {
            return Ok(None);
        }
        let wins = |worth| match worth {
            Worth::Forced(set) => set.contains(0),
            Worth::Free(worth) => worth.next_player_wins(),
        };
        match self.worth(position, span).map(wins) {
            Ok(true) => Ok(Some(Fate::Won(first))),
            Ok(false) => Ok(Some(Fate::Won(first.opponent()))),
            Err(fault) if fault.code.is_limit() => Err(fault),
            Err(_) => Ok(None),
        }
    }

    /// The nimber of a position for which the theory holds.
    ///
    /// # Errors
    /// As for [`Solver::affine`]; also if the value is loony.
    pub(super) fn affine_nimber(&self, position: &Position, span: Span) -> Res<u32> {
        match self.affine(position, span)? {
            Some(Affine::Nimber(n)) => Ok(n),
            Some(Affine::Loony) | None => Err(no_form(span)),
        }
    }

    fn affine_term(&self, term: &Term, span: Span) -> Res<Worth> {
        let single = term.single();
        if single.has_values() {
            let nimber = self.nimber(&single, span)?;
            return match nimber {
                Some(n) => Ok(Worth::Free(Affine::Nimber(n))),
                None => Err(refused(NotAffine::Partizan(single.clone()), &single, span)),
            };
        }
        if let Some(worth) = self.worth_of_heaps(term, span)? {
            return Ok(worth);
        }
        let budget = &self.budget();
        let memory = self.limits.memory;
        match self.road_to_decide(&single, span)? {
            Road::Fast(machine, start) => {
                let kept = self.worths.fast.borrow_mut().take();
                let mut known = match kept {
                    Some((of, known)) if Arc::ptr_eq(&of, &machine) => known,
                    _ => Affines::new(memory),
                };
                let found = known
                    .ask(&*machine, &start, budget)
                    .map_err(|s: Stopped<_, _>| {
                        fault::of_stop(s, span, &self.model, |p| machine.show(p))
                    });
                let shown = found.map(|w| w.map_err(|r| r.map(|p| machine.show(&p))));
                *self.worths.fast.borrow_mut() = Some((machine, known));
                shown
            }
            Road::Naive(game, start, _) => {
                let kept = self.worths.naive.borrow_mut().take();
                let mut known = kept.unwrap_or_else(|| Affines::new(memory));
                let found = known
                    .ask(&game, &start, budget)
                    .map_err(|s: Stopped<_, _>| {
                        fault::of_stop(s, span, &self.model, |p| Position::clone(p))
                    });
                *self.worths.naive.borrow_mut() = Some(known);
                found.map(|w| w.map_err(|r| r.map(|p| Position::clone(&p))))
            }
        }?
        .map_err(|reason| refused(reason, &single, span))
    }

    /// The worth of heaps under a rule with `entail` that takes and breaks; `None` for other rules, and where the last move
    /// must be answered in several heaps.
    fn worth_of_heaps(&self, term: &Term, span: Span) -> Res<Option<Worth>> {
        let instance = &term.setting.instance;
        let state = &term.state;
        if !self.shortcuts.has(Shortcut::Sequences) || !instance.rules.entails() {
            return Ok(None);
        }
        let sizes: Option<Vec<usize>> = heaps::sizes(state).and_then(|all| {
            let small = all.into_iter().map(|n| usize::try_from(n).ok());
            small.map(|n| n.filter(|n| *n <= LARGEST)).collect()
        });
        let Some(sizes) = sizes else {
            return Ok(None);
        };
        let answered = match state.entailed.as_deref() {
            None => None,
            Some([]) => return Ok(Some(Worth::Forced(Arc::new(Nimbers::none())))),
            Some([one]) => Some(*one),
            Some(_) => return Ok(None),
        };
        let mut known = self.worths.heaps.borrow_mut();
        if known.as_ref().is_none_or(|(of, _)| of != instance) {
            let rule = heaps::entailing(&self.model, instance).ok();
            let memory = self.limits.memory;
            let sequence = rule.map(|rule| EntailingSequence::new(rule, memory));
            *known = Some((instance.clone(), sequence));
        }
        let Some((_, Some(sequence))) = known.as_mut() else {
            return Ok(None);
        };
        let largest = sizes.iter().copied().max().unwrap_or(0);
        sequence
            .extend(largest, &self.budget())
            .map_err(|limit| fault::of_limit(limit, span))?;
        let mut sum = Affine::Nimber(u32::from(self.fast.plants(Shortcut::Sequences)));
        for (i, size) in sizes.iter().enumerate() {
            if answered != Some(i) {
                let Some(value) = sequence.value(*size) else {
                    return Ok(None);
                };
                sum = sum.plus(value);
            }
        }
        Ok(match answered {
            None => Some(Worth::Free(sum)),
            Some(one) => {
                let set = sequence.set(sizes[one]);
                set.map(|set| Worth::Forced(Arc::new(set.beside(sum))))
            }
        })
    }
}
