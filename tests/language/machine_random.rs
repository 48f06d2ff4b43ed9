//! The machine against the naive evaluator on random rulesets: option by option, and by value under every combination of
//! shortcuts; each analysis must fire, and each planted mistake must be caught.

use crate::load::{positions, try_load};
use crate::machine_support::{same_options, same_options_of, value};
use crate::random_rules::shape;
use cgdsl::engine::{self, Engine};
use cgdsl::game::{Analysis, Cancel, Limits, Player, Rules, Shortcut, Shortcuts};
use cgdsl::ir::Position;
use cgdsl::ir::ground::{self, Ground};
use cgdsl::machine::{Machine, Planted, Settings};
use cgdsl::model::typed::Model;
use cgdsl::value::CanonicalForm;
use std::sync::Arc;

/// Random rulesets that are compared.
fn seeds() -> u64 {
    std::env::var("SEEDS")
        .ok()
        .and_then(|s| s.parse().ok())
        .unwrap_or(300)
}

fn each(mut with: impl FnMut(u64, &str, &Arc<Model>, &Arc<Position>)) {
    let from = std::env::var("FROM")
        .ok()
        .and_then(|s| s.parse().ok())
        .unwrap_or(0);
    for seed in from..from + seeds() {
        let s = shape(seed);
        let Ok(model) = try_load(&s.file()) else {
            continue;
        };
        for p in positions(&model) {
            with(seed, &s.rules, &model, &p);
        }
    }
}

#[test]
fn options_are_those_of_the_naive_evaluator() {
    let (mut compared, mut grounded, mut asked, mut all) = (0, 0, 0, 0);
    let mut wrong = Vec::new();
    each(|seed, rules, model, start| {
        all += 1;
        // Conditions that run through much are looked at in play wherever they can be.
        let asking = Settings {
            asking: true,
            apart: seed % 2 == 0,
            ..Settings::default()
        };
        let in_play = Machine::with_settings(model, start, asking).unwrap();
        asked += usize::from(in_play.grounds().filter_map(|(_, g)| g).any(|g| g.asks()));
        match same_options_of(model, start, 25, asking) {
            Ok(n) => compared += n,
            Err(why) => wrong.push(format!("seed {seed}, asked in play: {why}\n{rules}")),
        }
        let machine = Machine::new(model, start).unwrap();
        grounded += usize::from(machine.is_grounded());
        match same_options(model, start, 25) {
            Ok(n) => compared += n,
            Err(why) => wrong.push(format!("seed {seed}: {why}\n{rules}")),
        }
    });
    let shown: Vec<&String> = wrong.iter().take(5).collect();
    assert!(wrong.is_empty(), "{} wrong: {shown:#?}", wrong.len());
    println!("{compared} positions of {all}, {grounded} grounded, {asked} asked in play");
    assert!(compared > 10 * all);
    assert!(20 * asked > all, "{asked} of {all} are asked in play");
    assert!(2 * grounded > all, "{grounded} of {all} are grounded");
}

/// Grounding finds the same instances if it follows every way in which a condition can fail, and if each round does
/// everything again.
#[test]
fn grounding_is_the_same_the_slow_way() {
    let mut compared = 0;
    each(|seed, rules, model, start| {
        for term in start.terms() {
            let fast = Ground::with_decided_sets(model, &term.setting, &term.state);
            let slow = Ground::plainly(model, &term.setting, &term.state);
            if let (Ok(fast), Ok(slow)) = (&fast, &slow) {
                let (fast, slow) = (ground::show(fast), ground::show(slow));
                assert_eq!(fast, slow, "seed {seed}\n{rules}");
                compared += 1;
            } else if !fast.as_ref().is_ok_and(Ground::asks) {
                // What is looked at in play need not be decided the slow way.
                assert_eq!(fast.err(), slow.err(), "seed {seed}\n{rules}");
            }
        }
    });
    println!("{compared} boards");
    assert!(seeds() < 300 || compared > 100, "{compared}");
}

/// Symmetries of boards without cells are found, and keys use them.
#[test]
fn boards_without_cells_have_symmetries() {
    for (rules, start, expected) in [
        // The path turned round, the players exchanged: four symmetries.
        (
            "ruleset S\n  board graph\n  pieces x = Left, o = Right\n  move by p: choose a where at(a) = empty, no b in nbrs(a): at(b) = opponent(p) then at(a) := p\n",
            "S[path(4)]",
            (4, true),
        ),
        // A square of vertices, with one coloured: one reflection is left.
        (
            "ruleset S\n  board graph\n  pieces x = Left, o = Right\n  move by p: choose a where at(a) = empty, no b in nbrs(a): at(b) = opponent(p) then at(a) := p\n",
            "S[a -- b -- c -- d -- a, a -- c]",
            (8, true),
        ),
        // Two blue pebbles go where the red ones would: only the players are exchanged.
        (
            "ruleset P\n  board digraph acyclic\n  pieces b = Left, r = Right\n  state pebbles(piece, vertex): nat\n  let own(Left) = b, own(Right) = r\n  move by p: choose u -> v where pebbles(own(p), v) = 0 then pebbles(own(p), u) -= 1, pebbles(own(p), v) += 1\n",
            "P[u:1b+1r -> v -> w]",
            (2, true),
        ),
        // Only Left moves on a star of four vertices; its leaves are alike.
        (
            "ruleset L\n  board graph\n  move by Left: choose a then remove a, nbrs(a)\n",
            "L[a -- b, a -- c, a -- d]",
            (6, false),
        ),
    ] {
        let (model, start) = crate::machine_support::position(rules, start);
        let machine = Machine::new(&model, &start).unwrap();
        let (count, exchanged) = machine.symmetries();
        assert_eq!((count, exchanged), expected, "{rules}");
    }
}

fn expected(model: &Arc<Model>, start: &Position) -> Option<String> {
    let plain = Shortcuts::ALL.with(&[
        (Shortcut::Split, false),
        (Shortcut::Keys, false),
        (Shortcut::Impartial, false),
    ]);
    bounded(model, start, Settings::from(Shortcuts::NONE), plain).ok()
}

fn bounded(
    model: &Arc<Model>,
    start: &Position,
    settings: Settings,
    engine: Shortcuts,
) -> Result<String, String> {
    crate::machine_support::value_bounded(model, start, settings, engine, 4_000)
}

#[test]
fn values_do_not_depend_on_the_shortcuts() {
    let (mut known, mut wrong) = (0, Vec::new());
    let (mut splits, mut symmetric, mut impartial, mut mirrored, mut proved) = (0, 0, 0, 0, 0);
    let (mut removals, mut guessed, mut by_regions) = (0, 0, 0);
    each(|seed, rules, model, start| {
        let Some(expected) = expected(model, start) else {
            return;
        };
        known += 1;
        let machine = Machine::new(model, start).unwrap();
        let e = machine.explain();
        splits += usize::from(e.components > 1);
        symmetric += usize::from(e.terms.iter().any(|t| !t.symmetries.is_empty()));
        mirrored += usize::from(
            e.terms
                .iter()
                .any(|t| t.symmetries.iter().any(|s| s.contains("negative"))),
        );
        impartial += usize::from(e.impartial);
        removals += usize::from(e.terms.iter().any(|t| t.removal));
        if e.impartial && e.ends {
            let engine = Engine::new(Limits {
                nodes: Some(200_000),
                ..Limits::default()
            });
            let machine = Machine::new(model, start).unwrap();
            let nimber = engine.nimber(&machine, &machine.initial());
            let shown = match nimber {
                Ok(Some(0)) => "0".to_owned(),
                Ok(Some(1)) => "*".to_owned(),
                Ok(Some(n)) => format!("*{n}"),
                other => format!("{other:?}"),
            };
            proved += usize::from(engine.statistics().proved > 0);
            if shown != expected {
                wrong.push(format!(
                    "seed {seed}, nimber: {shown} for {expected}\n{rules}"
                ));
            }
        }
        let mut treatments = vec![("all", Settings::default())];
        let off: [(&str, &[Shortcut]); 11] = [
            ("no copies", &[Shortcut::Copies]),
            ("no isomorphism", &[Shortcut::Isomorphism]),
            ("no removal", &[Shortcut::Removal]),
            (
                "no removal, no symmetry",
                &[Shortcut::Removal, Shortcut::Symmetry],
            ),
            ("no mixed values", &[Shortcut::Mixed]),
            ("no index", &[Shortcut::Index]),
            ("no split", &[Shortcut::Split]),
            ("no shapes", &[Shortcut::Shapes]),
            ("no symmetry", &[Shortcut::Symmetry]),
            ("no rooted", &[Shortcut::Rooted]),
            ("no impartial", &[Shortcut::Impartial]),
        ];
        // Where no term has ground instances, only these make a difference.
        let of_states = [Shortcut::Split, Shortcut::Shapes, Shortcut::Impartial];
        let grounded = machine.grounds().any(|(_, g)| g.is_some());
        for (name, off) in off {
            if grounded || off.iter().any(|s| of_states.contains(s)) {
                treatments.push((name, Settings::from(Shortcuts::ALL.without(off))));
            }
        }
        let not_written_out = Settings {
            written_out: 0,
            ..Settings::default()
        };
        treatments.push(("nothing written out", not_written_out));
        let reread = Settings {
            reread: true,
            apart: true,
            listed: true,
            ..Settings::default()
        };
        treatments.push(("read back, bits apart, links listed", reread));
        let asking = Settings {
            asking: true,
            ..Settings::default()
        };
        treatments.push(("asked in play", asking));
        let plain = |r: &Settings| r.with(&[(Shortcut::Removal, false)]);
        let shapeless = |r: &Settings| r.with(&[(Shortcut::Shapes, false)]);
        let all = Settings::default();
        for (name, settings) in [
            ("guessed", all),
            ("guessed, no removal", plain(&all)),
            ("guessed, no shapes", shapeless(&all)),
        ] {
            let (found, values) = crate::machine_support::value_guessed(model, start, settings);
            guessed += usize::from(values > 0);
            if found.as_ref() != Ok(&expected) {
                wrong.push(format!(
                    "seed {seed}, {name}: {} is {expected}, found {found:?}\n{rules}",
                    cgdsl::ir::draw::literal(start)
                ));
            }
        }
        let all = Shortcuts::ALL;
        let none = all.with(&[(Shortcut::Regions, false)]);
        let whole = all.with(&[(Shortcut::Narrow, false)]);
        let counted = Engine::new(Limits {
            nodes: Some(4_000),
            ..Limits::default()
        })
        .with_shortcuts(all);
        let found =
            crate::machine_support::value_in(&counted, model, start, plain(&Settings::default()));
        let found = found.map(|v| crate::machine_support::show(&counted, v));
        if found.as_ref() != Ok(&expected) {
            wrong.push(format!("seed {seed}, regions: {found:?}\n{rules}"));
        }
        by_regions += usize::from(counted.statistics().regions > 0);
        let treatments = treatments.into_iter().map(|(name, s)| (name, s, all));
        let regions = [
            ("regions, whole positions", Settings::default(), whole),
            ("no regions", Settings::default(), none),
            (
                "no images",
                Settings::default(),
                all.with(&[(Shortcut::Images, false)]),
            ),
        ];
        for (name, settings, engine) in treatments.chain(regions) {
            let found = bounded(model, start, settings, engine);
            if found.as_ref() != Ok(&expected) {
                wrong.push(format!(
                    "seed {seed}, {name}: {} is {expected}, found {found:?}\n{rules}",
                    cgdsl::ir::draw::literal(start)
                ));
            }
        }
    });
    let shown: Vec<&String> = wrong.iter().take(5).collect();
    assert!(wrong.is_empty(), "{} wrong: {shown:#?}", wrong.len());
    println!(
        "{known} values, {splits} split, {symmetric} symmetric, {mirrored} mirrored, {impartial} impartial, {removals} of removal, {proved} proved, {guessed} guessed, {by_regions} by regions"
    );
    let floor = known / 40;
    assert!(
        splits > floor
            && impartial > floor
            && removals > floor
            && symmetric > 0
            && proved > 0
            && guessed > floor
            && by_regions > floor,
        "{known}"
    );
}

/// One engine for all: keys of different boards and rulesets meet in one table.
#[test]
fn one_table_serves_all_rulesets() {
    let engine = engine::Engine::new(cgdsl::game::Limits {
        nodes: Some(4_000),
        ..Default::default()
    });
    let mut wrong = Vec::new();
    each(|seed, rules, model, start| {
        let Some(expected) = expected(model, start) else {
            return;
        };
        let found = crate::machine_support::value_in(&engine, model, start, Settings::default());
        let found = found.map(|v| crate::machine_support::show(&engine, v));
        if found.as_ref() != Ok(&expected) {
            wrong.push(format!("seed {seed}: {expected}, found {found:?}\n{rules}"));
        }
    });
    let shown: Vec<&String> = wrong.iter().take(5).collect();
    assert!(wrong.is_empty(), "{} wrong: {shown:#?}", wrong.len());
}

/// What is wrong with the values that a machine finds for other positions; `None` if it does not cover the position.
fn served(
    machine: &Machine,
    q: &Position,
    expected: &str,
    engine: &Engine<cgdsl::machine::Key>,
) -> Option<Result<(), String>> {
    let packed = machine.pack(q)?;
    let found = engine.search(machine).value(&packed);
    let found = found.map(|v| crate::machine_support::show(engine, v));
    let literal = cgdsl::ir::draw::literal;
    Some(match found.as_deref() {
        Ok(found) if found == expected => Ok(()),
        _ => Err(format!(
            "{} by the machine of {} is {expected}, found {found:?}",
            literal(q),
            literal(&machine.show(&machine.initial())),
        )),
    })
}

/// A machine that was made for one position is used for others on its board where it says that it speaks for them, and so is
/// one that was widened for more and more of them.
#[test]
fn a_machine_speaks_only_for_what_it_knows() {
    let (mut by_one, mut by_wide, mut refused, mut widened) = (0, 0, 0, 0);
    let mut wrong = Vec::new();
    let limits = cgdsl::game::Limits {
        nodes: Some(4_000),
        ..Default::default()
    };
    for seed in 0..seeds() {
        // All positions of these share their board.
        let kind = ["stacks", "scalars", "strip"][seed as usize % 3];
        let s = crate::random_rules::shape_of(kind, &mut crate::random_rules::Random::new(seed));
        let Ok(model) = try_load(&s.file()) else {
            continue;
        };
        let all = positions(&model);
        let expected: Vec<Option<String>> = all.iter().map(|p| expected(&model, p)).collect();
        let mut note = |found: Result<(), String>, count: &mut u64| {
            *count += 1;
            let told = found
                .err()
                .map(|e| format!("seed {seed}: {e}\n{}", s.rules));
            wrong.extend(told);
        };
        let mut wide: Option<Machine> = None;
        for p in &all {
            let Ok(machine) = Machine::new(&model, p) else {
                continue;
            };
            let engine = engine::Engine::new(limits.clone());
            for (q, expected) in all.iter().zip(&expected) {
                let Some(expected) = expected else { continue };
                match served(&machine, q, expected, &engine) {
                    Some(found) => note(found, &mut by_one),
                    None => refused += 1,
                }
            }
            wide = match wide {
                Some(wide) if wide.pack(p).is_none() => {
                    let more = wide.widened(p, &Cancel::new()).expect("few terms");
                    widened += u64::from(more.is_some());
                    Some(more.unwrap_or(machine))
                }
                before => before.or(Some(machine)),
            };
            let engine = engine::Engine::new(limits.clone());
            for (q, expected) in all.iter().zip(&expected) {
                let (Some(wide), Some(expected)) = (&wide, expected) else {
                    continue;
                };
                if let Some(found) = served(wide, q, expected, &engine) {
                    note(found, &mut by_wide);
                }
            }
        }
    }
    let shown: Vec<&String> = wrong.iter().take(5).collect();
    assert!(wrong.is_empty(), "{} wrong: {shown:#?}", wrong.len());
    assert!(
        by_one.min(by_wide) > seeds() && refused.min(widened) > 20,
        "{by_one} and {by_wide} served, {refused} refused, {widened} widened"
    );
}

#[test]
fn planted_mistakes_are_caught() {
    for planted in [
        Planted::SubtractDoesNotObserve,
        Planted::HeapsAlwaysSplit,
        Planted::KeysWithoutValues,
        Planted::SymmetryUnchecked,
    ] {
        let mut caught = 0;
        each(|_, _, model, start| {
            if caught > 0 {
                return;
            }
            let Some(expected) = expected(model, start) else {
                return;
            };
            let settings = Settings {
                planted: Some(planted),
                ..Settings::default()
            };
            let found = bounded(model, start, settings, Shortcuts::ALL);
            caught += usize::from(found.as_ref() != Ok(&expected));
        });
        // Random rules seldom have the symmetries that this one takes for granted, or keys that meet: these two are caught
        // on rules that do.
        let (rules, positions): (&str, &[&str]) = match planted {
            Planted::SymmetryUnchecked => (
                // Right's piece has a hand: where it fits a position is worth *, and its mirror image is 1.
                "ruleset D\n  board strip\n  move by Left: choose a, b in {a + east, a + 2 * east, a + 3 * east} where at(a) = empty, at(b) = empty then remove a, b\n  move by Right: choose a, b = a + east, c = a + 3 * east where at(a) = empty, at(b) = empty, at(c) = empty then remove a, b, c\n",
                &["D[\"..#.###.#..\"]"],
            ),
            _ => (
                "ruleset K\n  board strip\n  pieces x = Left, o = Right\n  move by p: choose a, b in nbrs(a) where at(a) = p, at(b) = opponent(p) then at(a) := empty, at(b) := p\n",
                &["K[\"xxo.xox.oox\"]"],
            ),
        };
        for text in positions.iter().take(usize::from(caught == 0)) {
            let (model, start) = crate::machine_support::position(rules, text);
            let expected = expected(&model, &start).unwrap();
            let settings = Settings {
                planted: Some(planted),
                ..Settings::default()
            };
            let found = bounded(&model, &start, settings, Shortcuts::ALL);
            caught += usize::from(found.as_ref() != Ok(&expected));
        }
        assert!(caught > 0, "{planted:?} was not caught");
    }
}

#[test]
fn the_named_traps() {
    let weighted = "ruleset W\n  board graph\n  state weight(vertex): nat\n  move by anyone: choose edge e then each x in ends(e): weight(x) -= 1\n";
    let fibonacci = "ruleset F\n  board heaps\n  state limit: nat\n  move by anyone: choose n, k in 1..n where k <= limit then n -> [n - k], limit := 2 * k\n";
    let moore = "ruleset M\n  board heaps\n  move one by anyone: choose n, a in 0..n-1 then n -> [a]\n  move two by anyone: choose n, m, a in 0..n-1, b in 0..m-1 then n -> [a], m -> [b]\n";
    for (rules, start, expected, planted) in [
        (
            weighted,
            "W[path(3), weight: [1, 1, 1]]",
            "*",
            Planted::SubtractDoesNotObserve,
        ),
        (
            fibonacci,
            "F[2, 3, limit: 1]",
            "*2",
            Planted::HeapsAlwaysSplit,
        ),
        // Moore's Nim_2: a P-position exactly where in each binary place the ones are a multiple of 3.
        (moore, "M[1, 1, 1]", "0", Planted::HeapsAlwaysSplit),
    ] {
        let (model, p) = crate::machine_support::position(rules, start);
        let found = value(&model, &p, Settings::default(), Shortcuts::ALL);
        assert_eq!(found.as_deref(), Ok(expected), "{start}");
        let settings = Settings {
            planted: Some(planted),
            ..Settings::default()
        };
        let found = value(&model, &p, settings, Shortcuts::ALL);
        assert_ne!(found.as_deref(), Ok(expected), "{planted:?} on {start}");
    }
}

/// What is found of the positions that follow one, with a hand tied: how often that said something, and how often it
/// decided who wins.
fn with_a_hand_tied(model: &Arc<Model>, start: &Position) -> Result<(u64, u64), String> {
    let machine = Machine::new(model, start).map_err(|f| f.to_string())?;
    let limits = Limits {
        nodes: Some(4_000),
        ..Limits::default()
    };
    let engine = Engine::new(limits.clone());
    let forms = engine.forms();
    let mut search = engine.search(&machine);
    let mut queue = vec![machine.initial()];
    let (mut tied, mut decided, mut next) = (0, 0, 0);
    while let Some(p) = queue.get(next).cloned() {
        next += 1;
        let Ok(value) = search.value(&p) else {
            return Ok((tied, decided));
        };
        let mut parts = Vec::new();
        machine.split(&p, &mut parts);
        for part in parts {
            let Ok(whole) = search.value(&part) else {
                return Ok((tied, decided));
            };
            for (player, weight) in [(Player::LEFT, 1), (Player::RIGHT, 3), (Player::LEFT, 6)] {
                let mut pieces = Vec::new();
                if !machine.tied(&part, player, weight, &mut pieces) {
                    continue;
                }
                let mut sum = CanonicalForm::ZERO;
                for piece in &pieces {
                    let Ok(value) = search.value(piece) else {
                        return Ok((tied, decided));
                    };
                    sum = forms.add(sum, value).expect("memory");
                }
                tied += 1;
                let (less, more) = if player == Player::LEFT {
                    (sum, whole)
                } else {
                    (whole, sum)
                };
                if !forms.less_or_equal(less, more).expect("memory") {
                    return Err(format!("{player:?} is better off at {part:?}: {pieces:?}"));
                }
            }
        }
        // Nothing is known of it beforehand.
        for narrow in [true, false] {
            let shortcuts = Shortcuts::ALL.with(&[(Shortcut::Narrow, narrow)]);
            let fresh = Engine::new(limits.clone()).with_shortcuts(shortcuts);
            let outcome = fresh.outcome(&machine, &p);
            decided += fresh.statistics().bounds;
            if outcome.as_ref().ok() != forms.outcome(value).ok().as_ref() {
                return Err(format!("the outcome of {p:?} is {outcome:?}, {narrow}"));
            }
        }
        for player in [Player::LEFT, Player::RIGHT] {
            let mut options = Vec::new();
            if machine.options(&p, player, &mut options).is_err() {
                return Ok((tied, decided));
            }
            let room = 10usize.saturating_sub(queue.len());
            queue.extend(options.into_iter().take(room));
        }
    }
    Ok((tied, decided))
}

#[test]
fn a_tied_hand_is_no_better() {
    let (mut tied, mut decided, mut wrong) = (0, 0, Vec::new());
    let mut look =
        |name: String, model: &Arc<Model>, start: &Position| match with_a_hand_tied(model, start) {
            Ok((t, d)) => {
                tied += t;
                decided += d;
                t
            }
            Err(why) => {
                wrong.push(format!("{name}: {why}"));
                0
            }
        };
    let mut random = 0;
    each(|seed, rules, model, start| {
        random += look(format!("seed {seed}\n{rules}"), model, start);
    });
    for (file, text) in [
        ("domineering", "grid(3, 4)"),
        ("domineering", "\"..#.|....|#...\""),
        ("hackenbush", "stalk(\"brbrb\")"),
        ("col", "path(5)"),
        ("snort", "path(5)"),
        ("konane", "\"xoxo|o.ox|xoxo\""),
        ("toppling-dominoes", "\"brgrb\""),
    ] {
        let (model, start) = crate::machine_support::position(file, text);
        look(format!("{file} {text}"), &model, &start);
    }
    let shown: Vec<&String> = wrong.iter().take(5).collect();
    assert!(wrong.is_empty(), "{} wrong: {shown:#?}", wrong.len());
    println!("{tied} tied, {random} of these in random rules, {decided} decided");
    assert!(
        random > 20 && tied > random && decided > 20,
        "{random} {tied} {decided}"
    );
}
