//! Random rulesets: their positions read back, the naive evaluator keeps its own laws on them, and they are alive.

use crate::load::{positions, try_load};
use crate::random_rules::{KINDS, Random, shape, shape_of};
use cgdsl::game::Player;
use cgdsl::ir::{Evaluator, NoHost, Position, draw, naive};
use std::collections::BTreeMap;
use std::sync::Arc;

const SEEDS: u64 = 400;

#[test]
fn every_kind_checks() {
    let mut broken = Vec::new();
    for kind in KINDS {
        for seed in 0..60 {
            let s = shape_of(kind, &mut Random::new(seed));
            if let Err(e) = try_load(&s.file()) {
                broken.push(format!("{kind} {seed}: {e}\n{}", s.file()));
            }
        }
    }
    assert!(
        broken.is_empty(),
        "{} broken: {}",
        broken.len(),
        broken.join("\n")
    );
}

/// Half of the positions have three options or more; faults are rare; every option is a position that reads back.
#[test]
fn alive_and_read_back() {
    let (mut all, mut three, mut faults) = (0, 0, 0);
    let mut by_kind: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    for seed in 0..SEEDS {
        let s = shape(seed);
        let Ok(model) = try_load(&s.file()) else {
            continue;
        };
        let mut literals = Vec::new();
        let mut counts: Vec<[usize; 2]> = Vec::new();
        for p in positions(&model) {
            let ev = Evaluator::new(&model, &NoHost);
            let mut sizes = [0, 0];
            let mut reached: Vec<Position> = vec![(*p).clone()];
            for (k, size) in sizes.iter_mut().enumerate() {
                match naive::moves(&ev, &p, Player(u8::try_from(k).unwrap())) {
                    Ok(moved) => {
                        *size = moved.len();
                        reached.extend(moved.into_iter().map(|m| m.position));
                    }
                    Err(_) => faults += 1,
                }
            }
            all += 1;
            let alive = sizes[0] + sizes[1] >= 3;
            three += usize::from(alive);
            let entry = by_kind.entry(s.kind).or_default();
            entry.0 += 1;
            entry.1 += usize::from(alive);
            for q in reached.into_iter().take(4) {
                literals.push(draw::literal(&q));
                counts
                    .push([L, R].map(|k| naive::moves(&ev, &q, k).map_or(usize::MAX, |m| m.len())));
            }
        }
        let mut text = s.rules.clone();
        for l in &literals {
            text.push_str(&format!("\neval {l}"));
        }
        let again = try_load(&text).unwrap_or_else(|e| panic!("{e}\n{text}"));
        let back: Vec<Arc<Position>> = positions(&again);
        assert_eq!(back.len(), literals.len(), "{text}");
        let ev = Evaluator::new(&again, &NoHost);
        for ((l, want), q) in literals.iter().zip(&counts).zip(&back) {
            let found = [L, R].map(|k| naive::moves(&ev, q, k).map_or(usize::MAX, |m| m.len()));
            assert_eq!(found, *want, "{l}\n{}", s.rules);
        }
    }
    println!("{all} positions, {three} with three options or more, {faults} faults, {by_kind:?}");
    assert!(three * 2 >= all, "{three} of {all}: {by_kind:?}");
    assert!(faults * 20 <= all, "{faults} faults of {all}");
}

const L: Player = Player::LEFT;
const R: Player = Player::RIGHT;

/// A negated position has the other player's options, negated.
#[test]
fn negatives_exchange_the_players() {
    for seed in 0..SEEDS / 4 {
        let s = shape(seed);
        let Ok(model) = try_load(&s.file()) else {
            continue;
        };
        let ev = Evaluator::new(&model, &NoHost);
        for p in positions(&model) {
            let negative = p.negate(cgdsl::base::Span::default()).unwrap();
            for (mine, yours) in [(L, R), (R, L)] {
                let Ok(a) = naive::moves(&ev, &p, mine) else {
                    continue;
                };
                let b = naive::moves(&ev, &negative, yours).unwrap();
                let a: Vec<Position> = a
                    .iter()
                    .map(|m| m.position.negate(cgdsl::base::Span::default()).unwrap())
                    .collect();
                let b: Vec<Position> = b.into_iter().map(|m| m.position).collect();
                assert_eq!(a, b, "{}\n{}", draw::literal(&p), s.rules);
            }
        }
    }
}
