//! Refuses positions from which play grows without an end in sight, so that no search starts on them. The fault shows the
//! line of play.
//!
//! [`growth::of_rules`] finds, by their text, rules with a move that only makes positions larger. Here such rules are tried:
//! from the position on, the largest option is taken again and again, as long as it is larger than the position.

use crate::base::Span;
use crate::game::{Cancel, Player};
use crate::ir::{
    Code as FaultCode, Evaluator, Fault, Int, NoHost, Position, Res, Setting, State, Term, Val,
    draw, naive,
};
use crate::model::growth;
use crate::model::typed::Model;
use lru::LruCache;
use num_bigint::BigInt;
use std::cell::RefCell;
use std::num::NonZeroUsize;
use std::sync::Arc;

/// The number of moves, each to a larger position, after which play counts as growing.
const MOVES: usize = 200;
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

/// A line of play that grows: the first positions, as text.
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
    fn line(&self, model: &Model, term: &Term, cancel: &Cancel) -> Option<Line> {
        let key = (term.setting.clone(), term.state.clone());
        if let Some(known) = self.0.borrow_mut().get(&key) {
            return known.clone();
        }
        let found = grows(model, term, cancel);
        // A cancelled trial says nothing.
        if !cancel.is_cancelled() {
            self.0.borrow_mut().put(key, found.clone());
        }
        found
    }
}

fn grows(model: &Model, term: &Term, cancel: &Cancel) -> Option<Line> {
    let ev = Evaluator::new(model, &NoHost).with_cancel(cancel.clone());
    let mut here = Position::single(term.setting.clone(), term.state.clone());
    let mut line = vec![draw::short(&here)];
    for _ in 1..=MOVES {
        // A rule that fails is reported by the search.
        here = larger(&ev, &here).ok()??;
        if line.len() < SHOWN {
            line.push(draw::short(&here));
        }
    }
    Some(line.join(", ").into())
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
        let Some(place) = growth::of_rules(&term.setting.instance.rules) else {
            continue;
        };
        if let Some(line) = tried.line(model, term, cancel) {
            let mut fault = Fault::new(
                FaultCode::Grows,
                span,
                format!(
                    "play grows: {MOVES} moves, each to a larger position, did not end it: {line}, .."
                ),
            )
            .help("a value exists only if every line of play ends; let each move decrease something, such as the size of a heap or a count");
            fault
                .labels
                .push((place, "this makes the position larger".to_owned()));
            return Err(fault);
        }
    }
    Ok(())
}
