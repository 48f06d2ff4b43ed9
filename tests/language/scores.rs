//! Scores of random rulesets that count points: what the solver says of positions and of sums against plain minimax over the moves of
//! the plain evaluator, where nothing is banked.

use crate::load::{positions, try_load};
use crate::random_rules::scoring;
use cgdsl::base::Span;
use cgdsl::claim::Solver;
use cgdsl::game::{Cancel, Limits, Player, Shortcut, Shortcuts};
use cgdsl::ir::banked::Banked;
use cgdsl::ir::{Evaluator, NoHost, Position, Res, naive};
use cgdsl::model::typed::Model;
use std::collections::HashMap;
use std::sync::Arc;

/// The most positions that may follow one that is compared.
const MOST: usize = 100;

/// What was found of a position where a player moves; nothing while its followers are asked.
type Known = HashMap<(Position, Player), Option<i64>>;

/// Why there is no score.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Without {
    Repeats,
    Wrong,
    TooMuch,
}

/// The definition, move by move.
fn plain(
    ev: &Evaluator<'_>,
    position: &Position,
    mover: Player,
    known: &mut Known,
) -> Result<i64, Without> {
    let node = (position.clone(), mover);
    if let Some(found) = known.get(&node) {
        return found.ok_or(Without::Repeats);
    }
    if known.len() > MOST {
        return Err(Without::TooMuch);
    }
    known.insert(node.clone(), None);
    let all = naive::moves(ev, position, mover).map_err(|_| Without::Wrong)?;
    let mut results = Vec::new();
    for m in all {
        let next = if m.again { mover } else { mover.opponent() };
        results.push(plain(ev, &m.position, next, known)?);
    }
    let result = match mover {
        Player::LEFT => results.into_iter().max(),
        _ => results.into_iter().min(),
    };
    let result = match result {
        Some(result) => result,
        None => naive::score(ev, position, mover).map_err(|_| Without::Wrong)?,
    };
    known.insert(node, Some(result));
    Ok(result)
}

fn solver(model: &Arc<Model>, shortcuts: Shortcuts) -> Solver {
    let cancel = Cancel::new();
    Solver::new(
        model.clone(),
        &Limits::default(),
        &cancel,
        shortcuts,
        None,
        &Arc::default(),
    )
}

#[test]
fn scores_are_those_of_plain_minimax() {
    let rounds: u64 = std::env::var("CGDSL_ROUNDS")
        .ok()
        .and_then(|n| n.parse().ok())
        .unwrap_or(100);
    let (mut compared, mut sums, mut banked, mut decided) = (0, 0, 0, 0);
    for seed in 0..rounds {
        let Some(sample) = scoring(seed) else {
            continue;
        };
        let text = sample.file();
        let Ok(model) = try_load(&text) else { continue };
        let ev = Evaluator::new(&model, &NoHost);
        let fast = solver(&model, Shortcuts::default());
        let slow = solver(&model, Shortcuts::default().without(&[Shortcut::Compile]));
        let mut singles: Vec<Arc<Position>> = positions(&model).into_iter().take(3).collect();
        singles.retain(|p| plain(&ev, p, Player::LEFT, &mut Known::new()).is_ok());
        let pair = |a: &Arc<Position>, b: &Position| a.plus(b, Span::default()).ok();
        let mut all: Vec<Arc<Position>> = singles.clone();
        for b in &singles {
            all.extend(pair(b, &singles[0]).map(Arc::new));
            let negative = singles[0].negate(Span::default());
            all.extend(negative.ok().and_then(|n| pair(b, &n)).map(Arc::new));
        }
        for p in &all {
            for first in [Player::LEFT, Player::RIGHT] {
                let Ok(want) = plain(&ev, p, first, &mut Known::new()) else {
                    continue;
                };
                for solver in [&fast, &slow] {
                    let found: Res<i64> = solver.score(p, first, Span::default());
                    let found = found.map_err(|f| f.message.clone());
                    assert_eq!(
                        found,
                        Ok(want),
                        "seed {seed}, {first:?} first, {}\n{text}",
                        cgdsl::ir::draw::literal(p)
                    );
                    let fate = solver.fate(p, first, Span::default());
                    let sign = |p: cgdsl::engine::arena::Fate| match p {
                        cgdsl::engine::arena::Fate::Won(Player::LEFT) => 1,
                        cgdsl::engine::arena::Fate::Won(_) => -1,
                        cgdsl::engine::arena::Fate::Drawn => 0,
                    };
                    assert_eq!(fate.map(sign).ok(), Some(want.signum()), "seed {seed}");
                }
                compared += 1;
                decided += usize::from(want != 0);
                sums += usize::from(p.terms().len() > 1);
                let kept = |t: &cgdsl::ir::Term| Banked::of(&model, &t.setting).vars.is_empty();
                banked += usize::from(!p.terms().iter().all(kept));
            }
        }
    }
    println!("{compared} positions, {sums} sums, {banked} with banked points, {decided} decided");
    if rounds == 100 {
        assert!(
            compared > 400 && sums > 100 && banked > 100 && decided > 200,
            "{compared} compared, {sums} sums, {banked} banked, {decided} decided"
        );
    }
}
