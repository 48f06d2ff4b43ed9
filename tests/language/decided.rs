//! Who wins in random rulesets with clauses that end play, further turns and play without end: the compiled rules and the rules as
//! written, each asked by the solver, against the definitions worked out over the moves of the plain evaluator.

use crate::load::{load, positions, try_load};
use crate::random_rules::{Random, unclaused};
use cgdsl::base::Span;
use cgdsl::claim::{Solver, Winner};
use cgdsl::engine::arena as engine;
use cgdsl::game::{Budget, Cancel, End, Limits, Player, Rules, Shortcut, Shortcuts};
use cgdsl::ir::{Evaluator, Fault, Int, NoHost, Outcome, Position, Res, naive};
use cgdsl::machine::{Bared, Machine, Planted, Settings};
use cgdsl::model::typed::{Endless, Model, Play};
use std::collections::HashMap;
use std::sync::Arc;

/// The most positions that may follow one that is compared.
const MOST: usize = 250;

/// The test wants more compiled positions than this, and counts no further.
const ENOUGH: usize = 150;

/// Where a player is to move, and what he can do: ends, and other places.
struct Place {
    ends: Vec<Option<u8>>,
    next: Vec<usize>,
    mover: u8,
    stuck: bool,
    /// A rule goes wrong.
    wrong: bool,
}

/// An end as the player who has won.
fn winner(end: End) -> Option<u8> {
    match end {
        End::Won(1) => Some(0),
        End::Won(_) => Some(1),
        End::Drawn => None,
    }
}

fn convention(position: &Position) -> Play {
    position
        .terms()
        .first()
        .map_or(Play::Normal, |t| t.setting.instance.rules.convention)
}

/// All places that can follow; nothing where there are too many. The first two are the start, with Left and with Right to move.
fn places(ev: &Evaluator<'_>, start: &Arc<Position>) -> Option<Vec<Place>> {
    let mut numbers: HashMap<(Arc<Position>, u8), usize> = HashMap::new();
    let mut open: Vec<(Arc<Position>, u8)> = vec![(start.clone(), 0), (start.clone(), 1)];
    numbers.insert((start.clone(), 0), 0);
    numbers.insert((start.clone(), 1), 1);
    let mut all = Vec::new();
    let play = convention(start);
    while let Some((p, mover)) = open.get(all.len()).cloned() {
        let mut place = Place {
            ends: Vec::new(),
            next: Vec::new(),
            mover,
            stuck: false,
            wrong: false,
        };
        match naive::moves(ev, &p, Player(mover)) {
            Err(fault) if fault.code.is_limit() => return None,
            Err(_) => place.wrong = true,
            Ok(moves) => {
                if moves.is_empty() {
                    place.stuck = true;
                    place.ends.push(match play {
                        Play::Misere => Some(mover),
                        Play::StuckDraws => None,
                        _ => Some(1 - mover),
                    });
                }
                for m in moves {
                    if let Some(end) = m.end {
                        place.ends.push(winner(end));
                        continue;
                    }
                    let next = (
                        Arc::new(m.position),
                        if m.again { mover } else { 1 - mover },
                    );
                    let number = *numbers.entry(next.clone()).or_insert(open.len());
                    if number == open.len() {
                        open.push(next);
                    }
                    place.next.push(number);
                }
            }
        }
        if open.len() > 2 * MOST {
            return None;
        }
        all.push(place);
    }
    Some(all)
}

/// In how many moves a player forces an end that `good` accepts, from each place: the definition, one move after the other.
/// Where that is `wrong`, a rule that goes wrong is as good.
fn forced(
    all: &[Place],
    player: u8,
    wrong: bool,
    good: impl Fn(Option<u8>) -> bool,
) -> Vec<Option<u32>> {
    let mut known: Vec<Option<u32>> = vec![None; all.len()];
    for round in 0u32.. {
        let before = known.clone();
        for (place, found) in all.iter().zip(&mut known) {
            if place.wrong {
                *found = wrong.then_some(0);
            }
            if found.is_some() || place.wrong || (round == 0 && !place.stuck) {
                continue;
            }
            let reached = |n: &usize| before[*n].is_some_and(|k| k < round);
            let mut ends = place.ends.iter().map(|e| good(*e));
            let holds = match place.mover == player {
                true => ends.any(|g| g) || place.next.iter().any(reached),
                false => ends.all(|g| g) && place.next.iter().all(reached),
            };
            if holds {
                *found = Some(round);
            }
        }
        if round > 1 && before == known {
            break;
        }
    }
    known
}

/// What is so at a place: the winner with the number of moves, a draw, or that a rule goes wrong where it matters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Fate {
    Won(u8, Option<u32>),
    Drawn,
    Wrong,
}

fn fates(all: &[Place], endless: Option<u8>) -> Vec<Fate> {
    let won = [0, 1].map(|p| forced(all, p, false, |end| end == Some(p)));
    // He wins by play without end unless the other forces an end that he does not win.
    let spoiled = endless.map(|holder| forced(all, 1 - holder, true, |end| end != Some(holder)));
    let endlessly =
        |p: u8, n: usize| endless == Some(p) && spoiled.as_ref().is_some_and(|s| s[n].is_none());
    // Who holds keeps out of the other's wins, and of all that goes wrong.
    let lost = [0, 1].map(|p| forced(all, 1 - p, true, |end| end == Some(1 - p)));
    let holds = |p: u8, n: usize| lost[usize::from(p)][n].is_none() && !endlessly(1 - p, n);
    (0..all.len())
        .map(|n| {
            for p in 0..2u8 {
                if let Some(moves) = won[usize::from(p)][n] {
                    return Fate::Won(p, Some(moves));
                }
                if endlessly(p, n) {
                    return Fate::Won(p, None);
                }
            }
            match holds(0, n) && holds(1, n) {
                true => Fate::Drawn,
                false => Fate::Wrong,
            }
        })
        .collect()
}

/// Clauses that may stand in a ruleset on that board, with `cells` or `vertices`, and pieces x and o.
fn clauses(r: &mut Random, rules: &str) -> Vec<String> {
    let board = rules.lines().find_map(|l| l.trim().strip_prefix("board "));
    let board = board.unwrap_or("").trim();
    let pieces = rules
        .lines()
        .any(|l| l.trim().starts_with("pieces") && !l.contains("on edges"));
    let mut found = Vec::new();
    let word = |r: &mut Random| r.one(&["win p", "lose p", "win Left", "lose Right", "draw"]);
    for _ in 0..r.within(0, 2) {
        let sites = match board {
            b if b.starts_with("strip") || b.starts_with("grid") => "cells",
            b if b.starts_with("graph") || b.starts_with("digraph") => "vertices",
            _ => "",
        };
        let k = r.within(1, 3);
        let condition = match (sites, r.below(7)) {
            ("cells", 0) => "some a in cells: at(a) = empty and at(a + east) = empty".to_owned(),
            ("cells", 1) => "no a in cells: at(a) = empty".to_owned(),
            ("cells", 2) => {
                "some a in cells: at(a) = wall or (some b in nbrs(a): at(b) != empty)".to_owned()
            }
            ("cells", 3) => format!(
                "some a in cells, b in group(a): a != b and at(a) != empty, size(cells) > {k}"
            ),
            ("cells" | "vertices", 4) => format!("size({sites}) <= {k}"),
            ("vertices", 0) if pieces => {
                "some a in vertices, b in group(a): a != b and at(a) != empty".to_owned()
            }
            ("vertices", 1) if pieces => {
                "all a in vertices: at(a) != empty or (some b in nbrs(a): at(b) != empty)"
                    .to_owned()
            }
            ("vertices", 2) => "some a in vertices: size(nbrs(a)) = 1".to_owned(),
            ("vertices", _) => format!("size(edges) <= {k}"),
            ("cells", _) => format!("size({{a in cells: at(a) = empty}}) <= {k}"),
            _ if board.starts_with("heaps") && !board.contains('(') => {
                format!("no n in heaps: n > {k}")
            }
            _ => continue,
        };
        let word = word(r);
        // Of a clause that names each player, half speak of the one who has moved.
        let condition = match word.ends_with(" p") && r.once_in(2) {
            true => format!("mover = p, {condition}"),
            false => condition,
        };
        found.push(format!("  {word} when {condition}"));
    }
    match r.below(6) {
        0 => found.push("  play misere".to_owned()),
        1 => found.push("  play stuck-draws".to_owned()),
        _ => {}
    }
    match r.below(4) {
        0 => found.push("  endless win Left".to_owned()),
        1 => found.push("  endless win Right".to_owned()),
        _ => {}
    }
    found
}

/// A random ruleset with clauses; `again` at the end of some moves.
fn text(seed: u64) -> Option<String> {
    let s = unclaused(seed);
    if s.rules.contains("players") || s.rules.contains("play ") {
        return None;
    }
    let mut r = Random::new(seed ^ 0x5EED);
    let own = clauses(&mut r, &s.rules);
    let again = r.one(&[
        "",
        "",
        ", again",
        ", again when 1 = 1",
        ", again when size(players) = 3",
    ]);
    let mut text = String::new();
    for line in s.rules.lines() {
        let is_move = line.trim_start().starts_with("move ") && line.contains(" then ");
        let effects = line.rsplit(" then ").next().unwrap_or("");
        let ends = is_move && !effects.contains("where") && !effects.contains("choose");
        if ends && !effects.contains("keep") && r.once_in(2) {
            text.push_str(&format!("{line}{again}\n"));
        } else {
            text.push_str(&format!("{line}\n"));
        }
    }
    for clause in &own {
        text.push_str(clause);
        text.push('\n');
    }
    for p in &s.positions {
        text.push_str(&format!("eval {p}\n"));
    }
    Some(text)
}

/// Shortcuts that are closed: none, one of those that the arena takes, or all that is compiled.
const WAYS: [&[Shortcut]; 5] = [
    &[],
    &[Shortcut::Narrow],
    &[Shortcut::Symmetry],
    &[Shortcut::Threats],
    &[Shortcut::Compile],
];

fn solver(model: &Arc<Model>, closed: &[Shortcut]) -> Solver {
    let shortcuts = Shortcuts::ALL.without(closed);
    Solver::new(
        model.clone(),
        &Limits::default(),
        &Cancel::new(),
        shortcuts,
        None,
        &Arc::default(),
    )
}

fn outcome([left, right]: [Fate; 2]) -> Option<Outcome> {
    let who = |f: Fate| match f {
        Fate::Won(p, _) => Some(Some(p)),
        Fate::Drawn => Some(None),
        Fate::Wrong => None,
    };
    Some(match (who(left)?, who(right)?) {
        (Some(0), Some(0)) => Outcome::L,
        (Some(0), Some(_)) => Outcome::N,
        (Some(_), Some(0)) => Outcome::P,
        (Some(_), Some(_)) => Outcome::R,
        (Some(0), None) => Outcome::LD,
        (Some(_), None) => Outcome::RD,
        (None, Some(0)) => Outcome::DL,
        (None, Some(_)) => Outcome::DR,
        (None, None) => Outcome::D,
    })
}

/// Asks everything of a position; what differs.
fn compare(
    model: &Arc<Model>,
    p: &Arc<Position>,
    all: &[Fate; 2],
    ways: &[&[Shortcut]],
) -> Result<(), String> {
    let span = Span::default();
    let limit = |f: &Fault| f.code.is_limit();
    for closed in ways {
        let solver = solver(model, closed);
        let found: Res<Outcome> = solver.outcome(p, span);
        match (outcome(*all), &found) {
            (Some(want), Ok(found)) if want == *found => {}
            (None, Err(fault)) if !limit(fault) => {}
            (want, found) => {
                return Err(format!(
                    "outcome, without {closed:?}: want {want:?}, found {found:?}"
                ));
            }
        }
        for (first, fate) in [Player::LEFT, Player::RIGHT].into_iter().zip(all) {
            let found = solver.winner(p, first, span);
            let fits = match (fate, &found) {
                (Fate::Won(w, _), Ok(Winner::Alone(f))) => *w == f.0,
                (Fate::Drawn, Ok(Winner::Drawn)) => true,
                (Fate::Wrong, Err(fault)) => !limit(fault),
                _ => false,
            };
            if !fits {
                return Err(format!(
                    "winner, {first:?} first, without {closed:?}: want {fate:?}, found {found:?}"
                ));
            }
            let found = solver.played(p, first, span).map(|p| p.moves);
            let fits = match (fate, &found) {
                (Fate::Won(_, moves), Ok(found)) => moves == found,
                (Fate::Drawn, Ok(found)) => found.is_none() || *found == Some(0),
                (Fate::Wrong, Err(fault)) => !limit(fault),
                _ => false,
            };
            if !fits {
                return Err(format!(
                    "moves, {first:?} first, without {closed:?}: want {fate:?}, found {found:?}"
                ));
            }
        }
    }
    Ok(())
}

#[test]
fn who_wins_is_what_the_definitions_say() {
    let rounds: u64 = std::env::var("CGDSL_ROUNDS")
        .ok()
        .and_then(|n| n.parse().ok())
        .unwrap_or(350);
    let (mut compared, mut compiled, mut ended, mut drawn, mut turns, mut wrong) =
        (0, 0, 0, 0, 0, 0);
    for seed in 0..rounds {
        let Some(text) = text(seed) else { continue };
        let Ok(model) = try_load(&text) else { continue };
        let ev = Evaluator::new(&model, &NoHost);
        for p in positions(&model).into_iter().take(3) {
            match naive::ended(&ev, &p, None) {
                Ok(None) => {}
                // Play has ended before the first move, or a clause cannot say for whom.
                _ => continue,
            }
            let Some(all) = places(&ev, &p) else { continue };
            let rules = p.terms().first().map(|t| t.setting.instance.rules.clone());
            let endless = rules.as_ref().and_then(|r| match r.endless {
                Endless::Draw => None,
                Endless::Win(p) => Some(p),
            });
            let fates = fates(&all, endless);
            // All is open, all is closed, and one between them.
            let ways = [WAYS[0], WAYS[1 + seed as usize % 3], WAYS[4]];
            if let Err(why) = compare(&model, &p, &[fates[0], fates[1]], &ways) {
                panic!(
                    "seed {seed}, {}: {why}\n{text}",
                    cgdsl::ir::draw::literal(&p)
                );
            }
            compared += 1;
            ended += usize::from(rules.as_ref().is_some_and(|r| !r.ends.is_empty()));
            turns += usize::from(text.contains(", again"));
            drawn += usize::from(fates[..2].contains(&Fate::Drawn));
            wrong += usize::from(fates[..2].contains(&Fate::Wrong));
            if compiled <= ENOUGH {
                compiled += usize::from(Machine::new(&model, &p).is_ok_and(|m| m.is_grounded()));
            }
        }
    }
    println!(
        "{compared} positions, {compiled} compiled or more, {ended} with ends, {turns} with further turns, {drawn} drawn, {wrong} wrong"
    );
    if rounds == 350 {
        assert!(
            compared > 400 && compiled > ENOUGH,
            "{compared} compared, {compiled} compiled"
        );
        assert!(
            ended > 100 && turns > 60 && drawn > 60,
            "{ended} ends, {turns} turns, {drawn} draws"
        );
    }
}

/// A symmetry of the moves is not listed if a clause can break it.
#[test]
fn clauses_break_symmetries() {
    let symmetric = |clause: &str| {
        let text = format!(
            "ruleset Stones\n  board grid\n  pieces x = Left, o = Right\n{clause}  move by p: choose a where at(a) = empty then at(a) := p\neval Stones[grid(1, 2)]\n"
        );
        let model = load(&text);
        let p = positions(&model).remove(0);
        let facts = solver(&model, &[]).derived(&p, true).expect("facts");
        facts.iter().any(|f| f.about == "symmetry")
    };
    for clause in [
        "",
        "  win Left when no a in cells: at(a) = empty\n",
        "  endless win Left\n",
    ] {
        assert!(symmetric(clause), "{clause}: the board can be turned");
    }
    for clause in [
        "  win Left when at((1, 1)) = x\n",
        "  score size({a in cells: at(a) = x})\n",
    ] {
        assert!(!symmetric(clause), "{clause}");
    }
}

/// What is said of a position does not depend on the positions that were asked about before.
#[test]
fn facts_are_those_of_the_position() {
    let text = "ruleset Clobber\n  board strip\n  pieces x = Left, o = Right\n  \
        move by p: choose a, b in nbrs(a) where at(a) = p, at(b) = opponent(p) then at(a) := empty, at(b) := p\n\
        eval Clobber[\"xoxoxo\"]\n";
    let model = load(text);
    let p = positions(&model).remove(0);
    let machine = Machine::new(&model, &p).expect("it compiles");
    let mut options = Vec::new();
    let all = machine.options(&machine.initial(), Player::LEFT, &mut options);
    all.expect("no rule fails");
    let (mut parts, one) = (Vec::new(), solver(&model, &[]));
    let start = p.clone();
    for position in [p]
        .into_iter()
        .chain(options.iter().map(|q| Arc::new(machine.show(q))))
    {
        one.value(&position, Span::default()).expect("a value");
        let facts = one.derived(&position, true).expect("facts");
        let fresh = solver(&model, &[]).derived(&position, true);
        assert_eq!(facts, fresh.expect("facts"));
        parts.extend(facts.into_iter().filter(|f| f.about == "parts"));
    }
    assert!(parts.iter().any(|f| *f != parts[0]));
    // Nor does what is said of copies and negatives, and of sums where one term follows from the other.
    let option = machine.show(&options[0]);
    let span = Span::default();
    let minus = start.negate(span).expect("a negative");
    let twice = start.times(&Int::from(2u32), span).expect("copies");
    let plus = |a: &Position, b: &Position| a.plus(b, span).expect("a sum");
    for position in [
        plus(&option, &start),
        plus(&start, &option),
        plus(&start, &minus),
        plus(&twice, &option),
        minus.clone(),
        twice.clone(),
    ] {
        let facts = one.derived(&position, true).expect("facts");
        let fresh = solver(&model, &[]).derived(&position, true);
        assert_eq!(facts, fresh.expect("facts"));
    }
    let two = "2: the position is the sum of 2 independent parts";
    for position in [&twice, &plus(&start, &minus)] {
        let facts = one.derived(position, false).expect("facts");
        assert_eq!(facts[0].text, two);
    }
}

/// Settings with a mistake.
/// Contracting a graph with weights compiles into very many instances, but a cycle of six has few followers.
#[test]
fn boards_that_take_long_are_not_compiled_for_few_followers() {
    let rules = "ruleset Contract
  board graph
  state f(vertex): nat
  move by p: choose u -- v
    where f(u) >= f(v), (f(u) + f(v)) mod 3 != 0, (f(u) mod 2 = 1) = (p = Left)
    then f(u) += f(v), merge u, v
eval Contract[cycle(6), f: [1, 2, 3, 1, 2, 1]]
eval Contract[cycle(6), f: [2, 1, 1, 3, 2, 2]]
eval Contract[path(5), f: [1, 2, 3, 1, 2]]
";
    let model = load(rules);
    let (fast, slow) = (solver(&model, &[]), solver(&model, &[Shortcut::Compile]));
    for p in positions(&model) {
        let outcome = |by: &Solver| by.outcome(&p, Span::default()).expect("an outcome");
        assert_eq!(outcome(&fast), outcome(&slow));
    }
    let counters = fast.counters().all();
    assert!(counters.contains(&("boards_compiled", 0)), "{counters:?}");
}

fn mistaken(planted: Planted) -> Settings {
    Settings {
        planted: Some(planted),
        ..Settings::default()
    }
}

/// Who wins where Left begins, for all positions that can follow one, by an arena in bare words.
fn by_bare(model: &Arc<Model>, start: &Position, settings: Settings) -> Vec<engine::Fate> {
    let machine = Machine::with_settings(model, start, settings).expect("it compiles");
    let machine = Arc::new(machine);
    let Some(Bared::One(bare)) = machine.bare(&machine.initial()) else {
        panic!("more than a word")
    };
    let mut arena = engine::Arena::new(1 << 20);
    let budget = Budget::new(&Limits::default(), Cancel::new());
    let (mut fates, mut steps) = (Vec::new(), Vec::new());
    let mut open = vec![(bare.position(&machine.initial()), Player::LEFT)];
    while let Some((at, player)) = open.pop() {
        fates.push(arena.fate(&bare, &at, player, &budget).expect("no limit"));
        bare.steps(&at, player, &mut steps).expect("no fault");
        let going = steps.drain(..).filter(|s| s.end.is_none());
        open.extend(going.map(|s| (s.to, player.opponent())));
    }
    fates
}

/// Two neighbours on five cells: the moves alone have all permutations of the cells as symmetries, the clause has one.
#[test]
fn a_symmetry_maps_the_clauses() {
    let text = "ruleset Two\n  board strip\n  pieces x = Left, o = Right\n  \
        win p when some a in cells: at(a) = p and at(a + east) = p\n  \
        draw when no a in cells: at(a) = empty\n  \
        move by p: choose a where at(a) = empty then at(a) := p\neval Two[\".....\"]\n";
    let model = try_load(text).expect("it reads");
    let start = positions(&model).remove(0);
    let plain = by_bare(&model, &start, Settings::default());
    let solver = solver(&model, &[Shortcut::Symmetry]);
    assert_eq!(solver.outcome(&start, Span::default()), Ok(Outcome::N));
    assert_eq!(plain[0], engine::Fate::Won(Player::LEFT));
    let mistaken = by_bare(&model, &start, mistaken(Planted::EndsUnmapped));
    assert_eq!(plain.len(), mistaken.len());
    assert_ne!(plain, mistaken, "the mistake does not show");
}

/// A stone needs an empty neighbour when it is put. This is decided neighbour by neighbour, in an order that turning the board
/// does not keep; the moves are symmetric all the same.
#[test]
fn a_symmetry_maps_moves_that_are_decided_field_by_field() {
    let text = |directions: &str| {
        format!(
            "ruleset Air\n  board grid\n  pieces x = Left, o = Right\n  \
            win p when some a in cells: at(a) = p and at(a + east) = p and at(a + 2 * east) = p\n  \
            move by p: choose a where at(a) = empty, some d in {directions}: at(a + d) = empty then at(a) := p\n\
            eval Air[grid(2, 3)]\n"
        )
    };
    let facts = |text: &str| {
        let model = try_load(text).expect("it reads");
        let p = positions(&model).remove(0);
        let facts = solver(&model, &[]).derived(&p, true).expect("facts");
        let found = facts.into_iter().filter(|f| f.about == "symmetry");
        found.map(|f| f.text).collect::<Vec<_>>().concat()
    };
    let all = "all 4 turns and reflections of the board";
    assert!(facts(&text("orthogonal")).contains(all));
    assert!(!facts(&text("{east, south}")).contains(all));
    let mut shown = false;
    for directions in ["orthogonal", "{east, south}"] {
        let model = try_load(&text(directions)).expect("it reads");
        let start = positions(&model).remove(0);
        let fates = by_bare(&model, &start, Settings::default());
        let plain = Settings::from(Shortcuts::ALL.with(&[(Shortcut::Symmetry, false)]));
        assert_eq!(fates, by_bare(&model, &start, plain), "{directions}");
        let outcome = solver(&model, &[Shortcut::Symmetry]).outcome(&start, Span::default());
        let first = outcome.is_ok_and(|o| matches!(o, Outcome::N | Outcome::L));
        assert_eq!(
            first,
            fates[0] == engine::Fate::Won(Player::LEFT),
            "{directions}"
        );
        let mistaken = by_bare(&model, &start, mistaken(Planted::GuardsUnmapped));
        shown |= fates != mistaken;
    }
    assert!(shown, "the mistake does not show");
}

/// Conditions that are evaluated in play tell cells apart that the moves alone do not: lines of three in rows and columns of a
/// square have all its symmetries, those in rows only half of them, and diagonals in one direction no reflection in a line
/// between rows.
#[test]
fn a_symmetry_maps_conditions_that_are_evaluated_in_play() {
    let load = |directions: &str, steps: u32, board: &str| {
        let text = format!(
            "ruleset Lines\n  board grid\n  pieces x = Left, o = Right\n  \
            let line() = some a in cells, d in {directions}: all i in 0..{steps}: at(a + i * d) in {{x, o}}\n  \
            win p when some a in cells: at(a) = p and at(a + east) = p and at(a + south) = p and at(a + east + south) = p\n  \
            move by p: choose a where at(a) = empty, not line() then at(a) := p\n\
            eval Lines[{board}]\n"
        );
        let model = try_load(&text).expect("it reads");
        let start = positions(&model).remove(0);
        (model, start)
    };
    let told = |directions: &str| -> String {
        let (model, start) = load(directions, 2, "grid(4, 4)");
        let facts = solver(&model, &[]).derived(&start, true).expect("facts");
        let found = facts.into_iter().filter(|f| f.about == "symmetry");
        found.map(|f| f.text).collect()
    };
    let both = told("{east, south}");
    assert!(
        both.contains("all 8 turns and reflections of the board"),
        "{both}"
    );
    let rows = told("{east}");
    assert!(
        rows.contains("left and right exchanged; top and bottom exchanged"),
        "{rows}"
    );
    assert!(!rows.contains("rows and columns"), "{rows}");
    let (model, start) = load("{east + south}", 1, "grid(2, 4)");
    let asking = |settings: Settings| Settings {
        asking: true,
        ..settings
    };
    let without = Shortcuts::ALL.with(&[(Shortcut::Symmetry, false)]);
    let plain = by_bare(&model, &start, asking(without.into()));
    assert_eq!(plain, by_bare(&model, &start, asking(Settings::default())));
    let mistaken = mistaken(Planted::ConditionsUnmapped);
    let mistaken = by_bare(&model, &start, asking(mistaken));
    assert!(plain != mistaken, "the mistake does not show");
}

/// About how many moves a player needs: counted by hand.
#[test]
fn what_a_player_needs_is_counted() {
    let needs = |text: &str, positions_of: &[&str]| -> Vec<[Option<u32>; 2]> {
        let evals: Vec<String> = positions_of.iter().map(|p| format!("\neval {p}")).collect();
        let model = try_load(&format!("{text}{}\n", evals.concat())).expect("it reads");
        let of = |p: &Position| {
            let machine = Arc::new(Machine::new(&model, p).expect("it compiles"));
            let Some(Bared::One(bare)) = machine.bare(&machine.initial()) else {
                panic!("more than a word")
            };
            let at = bare.position(&machine.initial());
            [Player::LEFT, Player::RIGHT].map(|player| bare.need(&at, player))
        };
        positions(&model).iter().map(|p| of(p)).collect()
    };
    let lines = "ruleset T\n  board grid\n  pieces x = Left, o = Right\n  \
        win p when some a in cells, d in {east, south}: at(a) = p and at(a + d) = p and at(a + 2 * d) = p\n  \
        move by p: choose a where at(a) = empty then at(a) := p\n";
    let boards = ["T[\"...|...|...\"]", "T[\"xx.|o..|...\"]"];
    let found = needs(lines, &boards);
    let expected = [[3, 3], [1, 2]];
    assert_eq!(found, expected.map(|all| all.map(Some)));
}
