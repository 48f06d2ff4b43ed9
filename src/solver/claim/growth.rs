//! Refuses positions from which play grows without an end in sight, so that no search starts on them. The fault shows the
//! line of play.
//!
//! [`growth::of_rules`] finds, by their text, rules with a move that only makes positions larger. Here such rules are tried:
//! from the position on, the largest option is taken again and again, as long as it is larger than the position.
//!
//! Counts that nothing reads ([`states`]) do not change which moves there are. If all else comes again and they have grown,
//! then play can go round for ever, by the theorem of [`crate::ir::banked`].

use crate::base::Span;
use crate::game::{Cancel, Player};
use crate::ir::banked::states;
use crate::ir::{
    Code as FaultCode, Evaluator, Fault, Int, NoHost, Position, Res, Setting, State, Term, Val,
    draw, naive,
};
use crate::model::growth;
use crate::model::typed::{Effect, EffectKind, Model, Ruleset, Sort, StateId, Target};
use lru::LruCache;
use num_bigint::BigInt;
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::num::NonZeroUsize;
use std::sync::Arc;

/// The number of moves, each to a larger position, after which play counts as growing.
const MOVES: usize = 200;
/// The most positions that are tried for a line that goes round.
const MOST: usize = 1000;
/// The number of positions of the line that are shown.
const SHOWN: usize = 4;
/// The number of terms whose trial is kept: one query asks several questions about a position.
const KEPT: NonZeroUsize = NonZeroUsize::MIN.saturating_add(255);

/// The sum of all heaps and counts.
fn size(position: &Position) -> BigInt {
    let int = |n: &Int| n.to_big();
    let mut sum = BigInt::default();
    for term in position.terms() {
        sum += term.state.heaps.iter().flatten().map(int).sum::<BigInt>();
        for v in &term.state.vars {
            if let Val::Int(n) = v {
                sum += n.to_big();
            }
        }
    }
    sum
}

/// The largest option of any player, if it is larger than the position.
fn larger(ev: &Evaluator<'_>, position: &Position) -> Res<Option<Position>> {
    let mut best: Option<(BigInt, Position)> = None;
    let before = size(position);
    for player in (0..position.players()).map(Player) {
        for moved in naive::moves(ev, position, player)? {
            let now = size(&moved.position);
            if now > before && best.as_ref().is_none_or(|(most, _)| now > *most) {
                best = Some((now, moved.position));
            }
        }
    }
    Ok(best.map(|(_, position)| position))
}

/// The message about a line of play that grows.
type Line = Arc<str>;

/// The terms tried, each with its line if play grows from there.
#[derive(Debug)]
pub(super) struct Tried(RefCell<LruCache<(Arc<Setting>, State), Option<Line>>>);

impl Default for Tried {
    fn default() -> Tried {
        Tried(RefCell::new(LruCache::new(KEPT)))
    }
}

impl Tried {
    /// The line of play from a term by which play grows; `None` if it does not, or a rule fails.
    fn line(
        &self,
        term: &Term,
        cancel: &Cancel,
        find: impl FnOnce() -> Option<Line>,
    ) -> Option<Line> {
        let key = (term.setting.clone(), term.state.clone());
        if let Some(known) = self.0.borrow_mut().get(&key) {
            return known.clone();
        }
        let found = find();
        // A cancelled trial says nothing.
        if !cancel.is_cancelled() {
            self.0.borrow_mut().put(key, found.clone());
        }
        found
    }
}

fn grows(model: &Model, term: &Term, cancel: &Cancel) -> Option<Line> {
    let ev = Evaluator::new(model, &NoHost).with_cancel(cancel.clone());
    let mut here = term.single();
    let mut line = vec![draw::short(&here)];
    for _ in 1..=MOVES {
        // A rule that fails is reported by the search.
        here = larger(&ev, &here).ok()??;
        if line.len() < SHOWN {
            line.push(draw::short(&here));
        }
    }
    let line = line.join(", ");
    Some(
        format!("play grows: {MOVES} moves, each to a larger position, did not end it: {line}, ..")
            .into(),
    )
}

/// A line of play on which everything but the counts comes again, found among the first [`MOST`] positions.
fn goes_round(
    model: &Model,
    term: &Term,
    counts: &BTreeSet<StateId>,
    cancel: &Cancel,
) -> Option<Line> {
    let ev = Evaluator::new(model, &NoHost).with_cancel(cancel.clone());
    let rest = |term: &Term| -> (Arc<Setting>, State) {
        let mut state = term.state.clone();
        for var in counts
            .iter()
            .flat_map(|f| term.setting.layout.state_range(*f))
        {
            state.vars[var] = Val::int(0);
        }
        (term.setting.clone(), state)
    };
    // The positions on the way, each with the options that are still to be followed; where it stands on the way, if it does.
    let mut way: Vec<(Position, Vec<Position>)> = Vec::new();
    let mut known: FxHashMap<(Arc<Setting>, State), Option<usize>> = FxHashMap::default();
    let mut next = Some(term.single());
    loop {
        if let Some(here) = next.take() {
            let [one] = here.terms() else { return None };
            let key = rest(one);
            match known.get(&key) {
                Some(Some(depth)) if size(&way[*depth].0) < size(&here) => {
                    let round = way[*depth..].iter().map(|w| draw::short(&w.0));
                    let mut line: Vec<String> = round.take(SHOWN - 1).collect();
                    if way.len() - depth >= SHOWN {
                        line.push("..".to_owned());
                    }
                    line.push(draw::short(&here));
                    let line = line.join(", ");
                    let said = "play grows: all but what only increases comes again";
                    return Some(format!("{said}: {line}, ..").into());
                }
                Some(_) => {}
                None if known.len() >= MOST => return None,
                None => {
                    known.insert(key, Some(way.len()));
                    let mut options = Vec::new();
                    for player in (0..here.players()).map(Player) {
                        // A rule that fails is reported by the search.
                        let moves = naive::moves(&ev, &here, player).ok()?;
                        options.extend(moves.into_iter().map(|m| m.position));
                    }
                    options.reverse();
                    way.push((here, options));
                }
            }
        }
        next = way.last_mut()?.1.pop();
        if next.is_none()
            && let Some((gone, _)) = way.pop()
        {
            known.insert(rest(&gone.terms()[0]), None);
        }
    }
}

/// Where a move increases one of the counts.
fn increased(rules: &Ruleset, counts: &BTreeSet<StateId>) -> Option<Span> {
    fn adds(effect: &Effect, counts: &BTreeSet<StateId>) -> bool {
        match &effect.kind {
            EffectKind::Add(Target::State(f, _), _) => counts.contains(f),
            EffectKind::Each(_, _, inner) => adds(inner, counts),
            _ => false,
        }
    }
    let stages = rules.moves.iter().flat_map(|m| &m.stages);
    let mut effects = stages.flat_map(|s| &s.effects);
    effects.find(|e| adds(e, counts)).map(|e| e.span)
}

/// Refuses a position from which play grows.
///
/// # Errors
/// `Grows`, with the line of play.
pub(super) fn refuse(
    tried: &Tried,
    model: &Model,
    position: &Position,
    cancel: &Cancel,
    span: Span,
) -> Res<()> {
    for term in position.terms() {
        let rules = &term.setting.instance.rules;
        let (place, line) = if let Some(place) = growth::of_rules(rules) {
            (
                place,
                tried.line(term, cancel, || grows(model, term, cancel)),
            )
        } else {
            let counted = rules.state.iter().any(|s| s.sort == Sort::Int);
            // Where points are counted, play has to end.
            if !counted || !rules.ends.is_empty() || rules.score.is_some() {
                continue;
            }
            let counts = states(model, rules);
            let Some(place) = increased(rules, &counts) else {
                continue;
            };
            let find = || goes_round(model, term, &counts, cancel);
            (place, tried.line(term, cancel, find))
        };
        if let Some(line) = line {
            let mut fault = Fault::new(FaultCode::Grows, span, line.to_string())
            .help("a value exists only if every line of play ends; let each move decrease something, such as the size of a heap or a count");
            fault
                .labels
                .push((place, "this makes the position larger".to_owned()));
            return Err(fault);
        }
    }
    Ok(())
}
