//! Scores of random rulesets that count points: what the solver says of positions and of sums against plain minimax over the moves of
//! the plain evaluator, where nothing is banked.

use crate::load::{positions, try_load};
use crate::random_rules::scoring;
use cgdsl::base::Span;
use cgdsl::claim::{Answerer, Solver};
use cgdsl::game::{Cancel, Limits, Player, Shortcut, Shortcuts};
use cgdsl::ir::banked::Banked;
use cgdsl::ir::{Code, Evaluator, Host, NoHost, Position, Res, Val, naive};
use cgdsl::model::typed::{GameOp, Model};
use cgdsl::value::notation::Style;
use std::collections::HashMap;
use std::sync::Arc;

/// The most positions that may follow one that is compared.
const MOST: usize = 100;
/// The same of a board of strings and coins.
const MOST_STRINGS: usize = 20_000;

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
    most: usize,
) -> Result<i64, Without> {
    let node = (position.clone(), mover);
    if let Some(found) = known.get(&node) {
        return found.ok_or(Without::Repeats);
    }
    if known.len() > most {
        return Err(Without::TooMuch);
    }
    known.insert(node.clone(), None);
    let all = naive::moves(ev, position, mover).map_err(|_| Without::Wrong)?;
    let mut results = Vec::new();
    for m in all {
        let next = if m.again { mover } else { mover.opponent() };
        results.push(plain(ev, &m.position, next, known, most)?);
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
        singles.retain(|p| plain(&ev, p, Player::LEFT, &mut Known::new(), MOST).is_ok());
        let pair = |a: &Arc<Position>, b: &Position| a.plus(b, Span::default()).ok();
        let mut all: Vec<Arc<Position>> = singles.clone();
        for b in &singles {
            all.extend(pair(b, &singles[0]).map(Arc::new));
            let negative = singles[0].negate(Span::default());
            all.extend(negative.ok().and_then(|n| pair(b, &n)).map(Arc::new));
        }
        for p in &all {
            for first in [Player::LEFT, Player::RIGHT] {
                let Ok(want) = plain(&ev, p, first, &mut Known::new(), MOST) else {
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

/// What is compared by `G <= H`, against plain minimax beside each guaranteed position of the same rules.
#[test]
fn comparisons_hold_beside_other_positions() {
    let span = Span::default();
    let (mut held, mut refused, mut failed, mut shown) = (0, 0, 0, 0);
    for seed in 0..200 {
        let Some(sample) = scoring(seed) else {
            continue;
        };
        let text = sample.file();
        let Ok(model) = try_load(&text) else { continue };
        let ev = Evaluator::new(&model, &NoHost);
        let solver = solver(&model, Shortcuts::default());
        let host = Answerer::new(&solver, Style::Ascii);
        let mut all: Vec<Arc<Position>> = positions(&model).into_iter().take(3).collect();
        all.retain(|p| plain(&ev, p, Player::LEFT, &mut Known::new(), MOST).is_ok());
        for p in all.clone() {
            for player in [Player::LEFT, Player::RIGHT] {
                let moves = naive::moves(&ev, &p, player).unwrap_or_default();
                all.extend(moves.into_iter().take(2).map(|m| Arc::new(m.position)));
            }
        }
        all.truncate(6);
        let le = |a: &Arc<Position>, b: &Arc<Position>| {
            let both = [Val::Position(a.clone()), Val::Position(b.clone())];
            host.game(&GameOp::LessEqual, &both, span)
        };
        let mut guaranteed = Vec::new();
        for p in &all {
            match le(p, p) {
                Ok(same) => {
                    assert_eq!(same, Val::Bool(true));
                    guaranteed.push(p.clone());
                }
                Err(fault) => {
                    refused += usize::from(fault.code == Code::NoTheory);
                }
            }
        }
        // Row a: the scores of a beside each position, with either player to move. The sum of a and x is met in both their
        // rows, so all rows share what is known.
        let mut known = Known::new();
        let mut beside = |a: &Arc<Position>| -> Vec<Option<i64>> {
            let scores = |x: &Arc<Position>| {
                let sum = a.plus(x, span).ok();
                [Player::LEFT, Player::RIGHT].map(|first| {
                    let most = known.len() + 20 * MOST;
                    let score = plain(&ev, sum.as_ref()?, first, &mut known, most);
                    // A search that fails leaves positions without an answer.
                    score.inspect_err(|_| known.clear()).ok()
                })
            };
            guaranteed.iter().flat_map(scores).collect()
        };
        let scores: Vec<Vec<Option<i64>>> = guaranteed.iter().map(&mut beside).collect();
        for (a, of_a) in guaranteed.iter().zip(&scores) {
            for (b, of_b) in guaranteed.iter().zip(&scores) {
                let Ok(found) = le(a, b) else { continue };
                let mut pairs = of_a.iter().zip(of_b);
                let separated = pairs.any(|(s, t)| s.is_some() && t.is_some() && s > t);
                match found == Val::Bool(true) {
                    true => {
                        held += usize::from(a != b);
                        assert!(!separated, "seed {seed}\n{text}");
                    }
                    false => {
                        failed += 1;
                        shown += usize::from(separated);
                    }
                }
            }
        }
    }
    println!("{held} held, {failed} did not, {shown} of them shown here; {refused} refused");
    assert!(held > 20 && shown > 20, "{held} held, {shown} shown");
}

/// Strings and Coins on any graph: a coin is i, the ground 0.
const STRINGS: &str = "
ruleset R
  board graph rooted at ground
  state boxes(player): nat
  score boxes(Left) - boxes(Right)
  move by p:
    choose edge e, k = size({v in ends(e): v != ground and size({f in edges: v in ends(f)}) = 1})
    then   remove e, boxes(p) += k, again when k > 0
";

#[test]
fn strings_and_coins_are_played_from_one_table() {
    let mut r = crate::random_rules::Random::new(7);
    let mut decided = 0;
    for round in 0..24 {
        let coins = r.within(1, 4);
        let mut lines: Vec<String> = vec!["ground".into()];
        for _ in 0..r.within(1, 7) {
            let (a, b) = (r.within(1, coins), r.within(0, coins));
            lines.push(match b {
                0 => format!("ground -- c[{a}]"),
                b if b == a => format!("ground -- c[{a}]"),
                b => format!("c[{a}] -- c[{b}]"),
            });
        }
        let banked = r.one(&["", ", boxes(Left): 3, boxes(Right): 1"]);
        let text = format!("{STRINGS}\neval R[{}{banked}]\n", lines.join(", "));
        let model = try_load(&text).expect("it reads");
        let ev = Evaluator::new(&model, &NoHost);
        let solver = solver(&model, Shortcuts::default());
        let start = positions(&model).remove(0);
        let mut known = Known::new();
        let mut all = vec![(*start).clone()];
        for p in [Player::LEFT, Player::RIGHT] {
            let moves = naive::moves(&ev, &start, p).expect("moves");
            all.extend(moves.into_iter().map(|m| m.position));
        }
        for p in &all {
            for first in [Player::LEFT, Player::RIGHT] {
                let want = plain(&ev, p, first, &mut known, MOST_STRINGS).expect("few positions");
                let found = solver.score(p, first, Span::default());
                assert_eq!(found.ok(), Some(want), "round {round}, {first:?}\n{text}");
                decided += usize::from(want != 0);
            }
        }
        assert!(
            solver.plays_subsets(),
            "round {round}: no table was made\n{text}"
        );
    }
    assert!(decided > 100, "{decided}");
}
