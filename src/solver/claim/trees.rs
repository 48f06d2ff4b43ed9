//! Forms as trees: the game tree of a position, and whether two trees are identical. Also the games born by a day (Siegel,
//! *Combinatorial Game Theory*, III.1).

use super::algebra::memory;
use super::solve::Solver;
use crate::base::Span;
use crate::game::Player;
use crate::ir::{Code as FaultCode, Fault, Int, Position, Res};
use crate::value::{CanonicalForm, Form, Forms};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// The most positions or games that one tree may have.
const MOST: usize = 1 << 18;

fn too_large(span: Span) -> Box<Fault> {
    Fault::new(
        FaultCode::TooMuch,
        span,
        format!("this form has more than {MOST} followers"),
    )
}

/// Builds the form of `start` from the bottom up, without recursion. A node that is its own follower is a fault.
fn build<K: Clone + Eq + std::hash::Hash>(
    start: K,
    span: Span,
    options: impl Fn(&K) -> Res<(Vec<K>, Vec<K>)>,
) -> Res<Form> {
    enum Step<K> {
        Enter(K),
        Leave(K, Vec<K>, Vec<K>),
    }
    let mut known: FxHashMap<K, Option<Form>> = FxHashMap::default();
    let mut stack = vec![Step::Enter(start.clone())];
    while let Some(step) = stack.pop() {
        match step {
            Step::Enter(k) => match known.get(&k) {
                Some(Some(_)) => {}
                Some(None) => {
                    return Err(Fault::new(
                        FaultCode::Cycle,
                        span,
                        "play need not end: a position comes again",
                    ));
                }
                None => {
                    if known.len() >= MOST {
                        return Err(too_large(span));
                    }
                    known.insert(k.clone(), None);
                    let (left, right) = options(&k)?;
                    let below: Vec<K> = left.iter().chain(&right).cloned().collect();
                    stack.push(Step::Leave(k, left, right));
                    stack.extend(below.into_iter().map(Step::Enter));
                }
            },
            Step::Leave(k, left, right) => {
                let forms = |side: &[K]| -> Vec<Form> {
                    side.iter()
                        .filter_map(|o| known.get(o).cloned().flatten())
                        .collect()
                };
                let form = Form::new(forms(&left), forms(&right));
                known.insert(k, Some(form));
            }
        }
    }
    known
        .remove(&start)
        .flatten()
        .ok_or_else(|| too_large(span))
}

/// The game tree of a position; options are sets.
///
/// # Errors
/// Too many followers; a rule that fails; play that need not end.
pub fn of_position(solver: &Solver, position: &Arc<Position>, span: Span) -> Res<Form> {
    build(position.clone(), span, |p| {
        let side = |player| -> Res<Vec<Arc<Position>>> {
            let moved = solver.moves(p, player)?;
            Ok(moved.into_iter().map(|m| Arc::new(m.position)).collect())
        };
        Ok((side(Player::LEFT)?, side(Player::RIGHT)?))
    })
}

/// Whether two forms are identical, with options as sets.
#[must_use]
pub fn identical(a: &Form, b: &Form) -> bool {
    // Equal trees get equal numbers: a tree is determined by the sets of its options' numbers.
    let mut numbers: FxHashMap<(Vec<u32>, Vec<u32>), u32> = FxHashMap::default();
    let mut number = |form: &Form| {
        let result: Result<u32, std::convert::Infallible> = form.fold(|_, left: &[u32], right| {
            let set = |side: &[u32]| {
                let mut side = side.to_vec();
                side.sort_unstable();
                side.dedup();
                side
            };
            let next = u32::try_from(numbers.len()).unwrap_or(u32::MAX);
            Ok(*numbers.entry((set(left), set(right))).or_insert(next))
        });
        match result {
            Ok(n) => n,
            Err(never) => match never {},
        }
    };
    number(a) == number(b)
}

/// All games born by day `day`, in structural order: 1, 4, 22, 1474 for days 0 to 3.
///
/// # Errors
/// A day beyond 3 (day 4 has more than 10^28); a limit.
pub fn born(forms: &Forms, day: &Int, span: Span) -> Res<Vec<CanonicalForm>> {
    let days = match day.to_i64() {
        Some(d) if (0..=3).contains(&d) => d,
        Some(d) if d < 0 => {
            return Err(Fault::new(FaultCode::Argument, span, format!("born({d})")));
        }
        _ => {
            return Err(Fault::new(
                FaultCode::TooMuch,
                span,
                format!("the games born by day {day} are too many: day 4 has more than 10^28"),
            )
            .help("take a sample of day 3: sample(100, 1, born(3))"));
        }
    };
    let days = u32::try_from(days).unwrap_or(0);
    forms.born_by(days).map_err(memory(span))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn how_many_games_are_born() {
        // Siegel, Combinatorial Game Theory, III.1: 1, 4, 22, 1474.
        let forms = Forms::new();
        for (day, count) in [(0i64, 1), (1, 4), (2, 22), (3, 1474)] {
            let games = born(&forms, &Int::from(day), Span::default()).unwrap();
            assert_eq!(games.len(), count);
        }
        assert!(born(&forms, &Int::from(4i64), Span::default()).is_err());
    }

    #[test]
    fn forms_are_compared_option_by_option() {
        let zero = Form::zero();
        let star = Form::new(vec![zero.clone()], vec![zero.clone()]);
        let twice = Form::new(vec![zero.clone(), Form::zero()], vec![zero.clone()]);
        assert!(identical(&star, &twice));
        let reversed = Form::new(vec![star.clone()], vec![star.clone()]);
        assert!(!identical(&reversed, &zero));
    }
}
