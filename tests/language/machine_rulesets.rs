//! The machine against the naive evaluator on the shipped rulesets: option by option on the positions that follow, and
//! by value under every combination of shortcuts.

use crate::machine_support::{position, same_options, try_position, value};
use crate::random::Random;
use cgdsl::base::Span;
use cgdsl::engine::{Archive, Engine, Shelf, Stopped};
use cgdsl::game::{
    Analysis, Cancel, Convention, Game, Limit, Limits, Player, Rules, Shortcut, Shortcuts, Task,
};
use cgdsl::ir::banked::Banked;
use cgdsl::ir::ground::{self, Ground};
use cgdsl::machine::{Machine, Settings};
use cgdsl::value::Outcome;
use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};

/// File, position, whether it must be grounded.
const CASES: &[(&str, &str, bool)] = &[
    ("grids/domineering.rules", "Domineering[grid(3, 4)]", true),
    ("cram", "Cram[grid(3, 3)]", true),
    ("grids/clobber.rules", "Clobber[\"xox|oxo|xo.\"]", true),
    ("amazons", "Amazons[\"x..|..o\"]", true),
    ("konane", "Konane[\"xoxo|ox.x|xoxo\"]", true),
    ("fission", "Fission[\"...|.x.|...\"]", true),
    ("maze", "Maze[\"t..|.#.|...\"]", true),
    ("northcott", "NorthcottForward[\"x..o|.x.o\"]", true),
    ("toads-and-frogs", "ToadsAndFrogs[\"tt.f.f\"]", true),
    ("toppling-dominoes", "TopplingDominoes[\"brggb\"]", true),
    ("push", "Push[\"l.rl.r\"]", true),
    ("shove", "Shove[\"l.rlr\"]", true),
    ("cherries", "Cherries[\"brr.bb\"]", true),
    ("silver-dollar", "SilverDollar[\"..c.c\"]", true),
    ("turning-games", "MockTurtles[\"hh.h.\"]", true),
    ("turning-games", "Ruler[\"hh.h.\"]", true),
    ("turning-games", "TurningCorners[\"hh.|.h.|h.h\"]", true),
    ("end-nim", "EndNim[strip(3), stack: [2, 1, 3]]", true),
    ("col", "Col[path(5)]", true),
    ("col", "Col[a:x -- b -- c, b -- d]", true),
    ("snort", "Snort[cycle(5)]", true),
    ("snort", "Snort[grid(2, 3)]", true),
    ("gen-col", "TintedGenCol[a:x -- b:x -- c:o, b -- d:x]", true),
    ("fjords", "Fjords[a:b -- c -- d -- e:r, c -- e]", true),
    ("node-kayles", "NodeKayles[a -- b -- c -- d, b -- e]", true),
    ("arc-kayles", "ArcKayles[grid(2, 3)]", true),
    (
        "weighted-arc-kayles",
        "WeightedArcKayles[path(3), weight: [1, 1, 1]]",
        true,
    ),
    (
        "weighted-arc-kayles",
        "WeightedArcKayles[path(4), weight: [2, 1, 3, 1]]",
        true,
    ),
    ("pebbles", "Pebbles[path(6)]", true),
    (
        "digraph-placement",
        "DigraphPlacement[a:b -> c:r -> d:b, c -> a]",
        true,
    ),
    ("geography", "Geography[cycle(5), token: c[1]]", true),
    (
        "geography",
        "UndirectedGeography[complete(4), token: c[1]]",
        true,
    ),
    ("graph-nim", "GraphNim[a -- b -- c -- a, a -- b]", true),
    (
        "graphs/hackenbush.rules",
        "Hackenbush[ground -b- u -r- v -g- w, u -b- w, ground -r- x -b- y]",
        true,
    ),
    (
        "graphs/hackenbush.rules",
        "Hackenbush[stalk(\"brbrr\")]",
        true,
    ),
    (
        "childish-hackenbush",
        "ChildishHackenbush[ground -b- u -r- v, u -b- w]",
        true,
    ),
    (
        "blocking-pebbles",
        "BlockingPebbles[A:2b+1g -> B:1r -> C:r, A -> C]",
        true,
    ),
    (
        "blocking-pebbles",
        "BlockingPebbles[A:1b+1r+1g -> B:1b+1r -> C, A -> C]",
        true,
    ),
    ("poset-game", "PosetGame[a < c, b < c, b < d]", true),
    ("poset-game", "PosetGame[chomp(2, 3)]", true),
    (
        "posets/black-white.rules",
        "BlackWhite[antichain(1):w / antichain(3):b]",
        true,
    ),
    (
        "green-posets",
        "ColouredPoset[a:b < c:w < d:g, b:g < c]",
        true,
    ),
    ("wythoff", "Wythoff[m: 3, n: 5]", true),
    ("euclid", "Euclid[m: 7, n: 4]", true),
    ("heaps/nim.rules", "Nim[1, 2, 3]", false),
    ("kayles", "Kayles[5, 2]", false),
    ("moore-nim", "MooreNim[1, 2, 3]", false),
    ("fibonacci-nim", "FibonacciNim[2, 3, limit: 1]", false),
    ("cutcake", "Cutcake[(3, 2)]", false),
];

#[test]
fn options_are_those_of_the_naive_evaluator() {
    let mut wrong = Vec::new();
    let mut compared = 0;
    for (file, text, grounded) in CASES {
        let (model, start) = match try_position(file, text) {
            Ok(found) => found,
            Err(why) => {
                wrong.push(why);
                continue;
            }
        };
        match same_options(&model, &start, 150) {
            Ok(n) => compared += n,
            Err(why) => wrong.push(format!("{text}: {why}")),
        }
        let machine = cgdsl::machine::Machine::new(&model, &start).unwrap();
        if machine.is_grounded() != *grounded {
            let reasons: Vec<_> = machine
                .explain()
                .terms
                .into_iter()
                .map(|t| t.level1)
                .collect();
            wrong.push(format!("{text}: grounded is {}: {reasons:?}", !grounded));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(compared > 1500, "{compared}");
}

#[test]
fn values_do_not_depend_on_the_shortcuts() {
    let mut wrong = Vec::new();
    for (file, text, _) in CASES {
        let Ok((model, start)) = try_position(file, text) else {
            continue;
        };
        let plain = Shortcuts::ALL.with(&[(Shortcut::Split, false), (Shortcut::Keys, false)]);
        let expected = value(&model, &start, Settings::from(Shortcuts::NONE), plain);
        let mut treatments = vec![("all", Settings::default(), Shortcuts::ALL)];
        let one = |shortcut| Settings::from(Shortcuts::ALL.without(&[shortcut]));
        treatments.push(("no split", one(Shortcut::Split), Shortcuts::ALL));
        treatments.push(("no index", one(Shortcut::Index), Shortcuts::ALL));
        treatments.push(("no values", one(Shortcut::Mixed), Shortcuts::ALL));
        treatments.push(("no bits", one(Shortcut::Bits), Shortcuts::ALL));
        treatments.push(("no rooted", one(Shortcut::Rooted), Shortcuts::ALL));
        let no_images = Shortcuts::ALL.with(&[(Shortcut::Images, false)]);
        treatments.push(("no images", Settings::default(), no_images));
        treatments.push(("no copies", one(Shortcut::Copies), Shortcuts::ALL));
        let no_regions = Shortcuts::ALL.with(&[(Shortcut::Regions, false)]);
        treatments.push(("no regions", Settings::default(), no_regions));
        treatments.push(("no shapes", one(Shortcut::Shapes), Shortcuts::ALL));
        treatments.push(("no symmetry", one(Shortcut::Symmetry), Shortcuts::ALL));
        treatments.push(("no impartial", one(Shortcut::Impartial), Shortcuts::ALL));
        let reread = Settings {
            reread: true,
            apart: true,
            listed: true,
            ..Settings::default()
        };
        treatments.push((
            "read back, bits apart, links listed",
            reread,
            Shortcuts::ALL,
        ));
        treatments.push(("level 1", one(Shortcut::Ground), Shortcuts::ALL));
        for (name, settings, engine_shortcuts) in treatments {
            let found = value(&model, &start, settings, engine_shortcuts);
            let same = match (&expected, &found) {
                (Ok(a), Ok(b)) => a == b,
                (Err(_), Err(_)) => true,
                _ => false,
            };
            if !same {
                wrong.push(format!("{text}, {name}: {expected:?} but {found:?}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

const ONE_BIT: &[(&str, &str)] = &[
    ("cram", "Cram[grid(5, 7)]"),
    ("cram", "Cram[grid(8, 8)]"),
    ("cram", "Cram[grid(1, 8)]"),
    ("cram", "Cram[grid(8, 1)]"),
    ("cram", "Cram[\"..#....|.......|#......|...##..|.......\"]"),
    ("domineering", "Domineering[grid(8, 8)]"),
    ("domineering", "Domineering[grid(3, 7)]"),
    (
        "domineering",
        "Domineering[\"...#..|.#....|......|#.....|......|....#.\"]",
    ),
];

/// Several values for each cell, alike in all cells or not.
const SEVERAL_VALUES: &[(&str, &str)] = &[
    ("clobber", "Clobber[\"xoxoxo|oxoxox|xoxoxo\"]"),
    ("clobber", "Clobber[\"xoxoxoxoxo\"]"),
    ("clobber", "Clobber[\"xo|ox|.o|xx|oo|xo|ox|oo\"]"),
    ("konane", "Konane[\"xoxox|oxoxo|xo..x|oxoxo|xoxox\"]"),
    ("konane", "Konane[\"xoxo.oxox\"]"),
    ("amazons", "Amazons[\"x...|....|...o\"]"),
    ("fission", "Fission[\"....|.x..|....|...x\"]"),
    ("toads-and-frogs", "ToadsAndFrogs[\"ttt...fff\"]"),
    ("toads-and-frogs", "ToadsAndFrogs[\"ttttt.....fffff\"]"),
    ("toads-and-frogs", "ToadsAndFrogs[\"tt.ff.t.f..ttff\"]"),
    (
        "toads-and-frogs",
        "ToadsAndFrogs[\"tttt....ff..tt......ffff..tt.ff\"]",
    ),
];

/// The text of the instances has the points that a move banks.
#[test]
fn printed_gains_are_read_back() {
    let (model, start) = try_position("dots-and-boxes", "Boxes(1, 2)").unwrap();
    let term = &start.terms()[0];
    let banked = Banked::of(&model, &term.setting);
    let mut state = term.state.clone();
    banked.take(&mut state, Span::default()).unwrap();
    let cancel = Cancel::new();
    let ground = Ground::counting(&model, &term.setting, &state, &banked, &cancel).unwrap();
    let read = ground::read(&ground::show(&ground), &ground).unwrap();
    let gains = |g: &Ground| g.instances.iter().map(|m| m.gain).collect::<Vec<_>>();
    // The last edge of a box scores for Left or for Right.
    let all = gains(&ground);
    assert!(all.contains(&0) && all.iter().any(|g| *g > 0) && all.iter().any(|g| *g < 0));
    assert_eq!(all, gains(&read));
}

/// Grounding finds the same instances if it follows every way in which a condition can fail, and if each round does
/// everything again.
#[test]
fn grounding_is_the_same_the_slow_way() {
    let mut compared = 0;
    let cases = CASES.iter().map(|(file, text, _)| (*file, *text));
    for (file, text) in cases
        .chain(ONE_BIT.iter().chain(SEVERAL_VALUES).copied())
        .chain(STRIPS.iter().copied())
    {
        let (model, start) = try_position(file, text).unwrap();
        for term in start.terms() {
            let fast = Ground::with_decided_sets(&model, &term.setting, &term.state);
            let slow = Ground::plainly(&model, &term.setting, &term.state);
            match (fast, slow) {
                (Ok(fast), Ok(slow)) => {
                    assert_eq!(ground::show(&fast), ground::show(&slow), "{text}");
                    compared += 1;
                }
                (Err(fast), Err(slow)) => assert_eq!(fast, slow, "{text}"),
                (fast, slow) => panic!("{text}: {:?}, {:?}", fast.err(), slow.err()),
            }
        }
    }
    assert!(compared > 40, "{compared}");
}

const STRIPS: &[(&str, &str)] = &[
    ("push", "Push[\"..l.r.lr.l.r\"]"),
    ("push", "Push[\"rl....lr\"]"),
    ("shove", "Shove[\"..l.r.lr.l.r.rl.\"]"),
];

/// Keys computed by word operations equal those computed cell by cell.
#[test]
fn keys_by_bits_are_those_made_cell_by_cell() {
    let mut random = Random(1);
    let mut compared = 0;
    for (file, text) in ONE_BIT.iter().chain(SEVERAL_VALUES) {
        let (model, start) = try_position(file, text).unwrap();
        let counters = std::sync::Arc::new(cgdsl::machine::Counters::default());
        let fast = Machine::with_settings(&model, &start, Settings::default())
            .unwrap()
            .counting_in(&counters);
        let slow = Settings::default().with(&[(Shortcut::Bits, false)]);
        let slow = Machine::with_settings(&model, &start, slow).unwrap();
        let by_bits = counters
            .all()
            .iter()
            .any(|(n, c)| *n == "boards_by_bits" && *c > 0);
        assert!(by_bits, "{text}");
        for _ in 0..60 {
            let mut position = fast.initial();
            loop {
                let mut parts = Vec::new();
                fast.split(&position, &mut parts);
                for part in &parts {
                    assert_eq!(fast.key(part), slow.key(part), "{text}: {part:?}");
                    compared += 1;
                }
                let mut options = Vec::new();
                for player in [Player::LEFT, Player::RIGHT] {
                    fast.options(&position, player, &mut options).unwrap();
                }
                if options.is_empty() {
                    break;
                }
                position = options.swap_remove(random.below(options.len()));
            }
        }
    }
    assert!(compared > 10_000, "{compared}");
}

/// Random play, compared position by position: what regions come to is what the position comes to, and those found from a
/// part are those found everywhere.
struct ByRegions;

impl Task<Machine> for ByRegions {
    type Output = (usize, usize);

    fn run<H: Game<Key = <Machine as Game>::Key, Fault = <Machine as Rules>::Fault>>(
        self,
        game: &H,
        position: &H::Position,
        _widen: impl Fn(H::Position) -> <Machine as Rules>::Position,
    ) -> (usize, usize) {
        by_regions(game, position)
    }
}

fn by_regions<G: Game>(game: &G, position: &G::Position) -> (usize, usize) {
    let known = game.analysis();
    let mut random = Random(3);
    let (mut compared, mut apart) = (0, 0);
    let sorted = |list: &[G::Position]| {
        let mut shown: Vec<String> = list.iter().map(|p| format!("{p:?}")).collect();
        shown.sort();
        shown
    };
    for turn in 0..40 {
        let mut parts = Vec::new();
        if !known.regions(None, position, &mut parts) {
            return (0, 0);
        }
        while !parts.is_empty() {
            let part = parts.swap_remove(random.below(parts.len()));
            let mut options = Vec::new();
            for player in [Player::LEFT, Player::RIGHT] {
                game.options(&part, player, &mut options).unwrap();
            }
            assert!(!options.is_empty(), "{part:?}: nobody can move");
            for option in &options {
                let (mut near, mut all) = (Vec::new(), Vec::new());
                assert!(known.regions(Some(&part), option, &mut near));
                assert!(known.regions(None, option, &mut all));
                assert_eq!(sorted(&near), sorted(&all), "{part:?} to {option:?}");
                let (mut fine, mut whole) = (Vec::new(), Vec::new());
                all.iter().for_each(|p| known.split(p, &mut fine));
                known.split(option, &mut whole);
                assert_eq!(sorted(&fine), sorted(&whole), "{part:?} to {option:?}");
                compared += 1;
                apart += usize::from(all.len() > 1);
            }
            // What follows is a region, or a part for good.
            let option = options.swap_remove(random.below(options.len()));
            if turn % 2 == 0 {
                known.regions(Some(&part), &option, &mut parts);
            } else {
                known.split(&option, &mut parts);
            }
        }
    }
    (compared, apart)
}

/// Regions of a position are independent, and come to the same parts as the position.
#[test]
fn regions_come_to_the_same_parts() {
    for (file, text, falls_apart) in [
        ("clobber", "Clobber[\"xoxo|oxox|xoxo\"]", true),
        ("amazons", "Amazons[\"x...|....|...o\"]", true),
        ("konane", "Konane[\"xoxox|oxoxo|xo..x|oxoxo\"]", false),
        ("fission", "Fission[\"....|.x..|....\"]", false),
        ("push", "Push[\"..l.r.lr.l\"]", false),
        ("shove", "Shove[\"..l.r.lr.l\"]", false),
        ("toads-and-frogs", "ToadsAndFrogs[\"tt.tf.ff\"]", false),
        (
            "graphs/blocking-pebbles.rules",
            "BlockingPebbles[A:2b+2r+2g -> B:1b+1r -> C:1b, A -> C]",
            false,
        ),
    ] {
        let (model, start) = try_position(file, text).unwrap();
        let machine = Machine::with_settings(&model, &start, Settings::default()).unwrap();
        let Ok((compared, apart)) = machine.narrowed(&machine.initial(), ByRegions) else {
            panic!("{text} has no narrower game");
        };
        assert!(compared > 200, "{text}: {compared}");
        assert!(!falls_apart || apart > 20, "{text}: {apart} of {compared}");
        // As whole positions, too.
        assert_eq!(by_regions(&machine, &machine.initial()), (compared, apart));
    }
}

/// A guessed value is the one that the options give, and that shortcut is taken where play is known to end.
#[test]
fn guessed_values_are_those_of_the_plain_search() {
    let larger = [
        ("domineering", "Domineering[grid(4, 5)]", true),
        ("clobber", "Clobber[\"xoxox|oxoxo\"]", true),
        ("konane", "Konane[\"xoxo|oxox|x..o|oxox\"]", true),
        ("toads-and-frogs", "ToadsAndFrogs[\"ttt....fff\"]", true),
        ("toads-and-frogs", "ToadsAndFrogs[\"ttt..fff\"]", true),
        ("graphs/snort.rules", "Snort[grid(3, 3)]", true),
        ("graphs/col.rules", "Col[grid(3, 4)]", true),
        (
            "graphs/blocking-pebbles.rules",
            "BlockingPebbles[A:2b+2r+2g -> B:1b+1r -> C:1b, A -> C]",
            true,
        ),
        ("amazons", "Amazons[\"x..|..o\"]", true),
    ];
    let (mut wrong, mut guessed) = (Vec::new(), Vec::new());
    for (file, text, _) in CASES.iter().chain(&larger) {
        let Ok((model, start)) = try_position(file, text) else {
            continue;
        };
        let plain = Shortcuts::ALL.with(&[(Shortcut::Guess, false)]);
        let expected = value(&model, &start, Settings::default(), plain);
        let (found, values) =
            crate::machine_support::value_guessed(&model, &start, Settings::default());
        match (&expected, &found) {
            (Ok(a), Ok(b)) if a == b => {}
            (Err(_), Err(_)) => {}
            _ => wrong.push(format!("{text}: {expected:?} but {found:?}")),
        }
        if values > 0 {
            guessed.push(*text);
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let named = |name: &str| guessed.iter().any(|text: &&str| text.starts_with(name));
    let all = [
        "Domineering",
        "Konane",
        "ToadsAndFrogs",
        "Col",
        "Hackenbush",
        "BlockingPebbles",
    ];
    assert!(all.iter().all(|name| named(name)), "{guessed:?}");
}

/// A proved nimber is that of the plain definition, and that shortcut is taken where play is known to end.
#[test]
fn proved_nimbers_are_those_of_the_plain_search() {
    let (mut compared, mut small, mut turns) = (0, 0, 0);
    let larger = [
        // It does not seem to pay on these two, so that the searches take turns.
        ("grim", "Grim[grid(4, 4)]", true),
        ("poset-game", "PosetGame[chomp(8, 8)]", true),
        ("cram", "Cram[grid(4, 4)]", true),
        ("cram", "Cram[grid(3, 5)]", true),
        ("cram", "Cram[\"..#..|.....|#....|...#.\"]", true),
        ("cram", "Cram[\"#....|...#.|.....|.#...\"]", true),
        ("poset-game", "PosetGame[chomp(4, 5)]", true),
        ("node-kayles", "NodeKayles[grid(3, 4)]", true),
        ("node-kayles", "NodeKayles[path(11) + cycle(5)]", true),
        ("arc-kayles", "ArcKayles[grid(2, 4)]", true),
    ];
    for (file, text, _) in CASES.iter().chain(&larger) {
        let Ok((model, start)) = try_position(file, text) else {
            continue;
        };
        let machine = Machine::new(&model, &start).unwrap();
        if machine.players() != 2 || machine.convention() != Convention::Normal {
            continue;
        }
        let ask = |proof, small| {
            let shortcuts =
                Shortcuts::ALL.with(&[(Shortcut::Proof, proof), (Shortcut::Small, small)]);
            let engine = Engine::new(Default::default()).with_shortcuts(shortcuts);
            let mut search = engine.search(&machine);
            let impartial = search.is_impartial(&machine.initial());
            let nimber = search.nimber(&machine.initial()).ok();
            drop(search);
            let counted = engine.statistics();
            (impartial, nimber, counted)
        };
        let (impartial, plain, without) = ask(false, true);
        let (_, proved, whole) = ask(true, false);
        assert_eq!(plain, proved, "{text}");
        let (none, no_small) = (without.proved, without.small);
        let (some, no_more) = (whole.proved, whole.small);
        turns += usize::from(whole.expanded > 1 << 12 && without.expanded > 1 << 12);
        let (_, proved, counted) = ask(true, true);
        let some_small = counted.small;
        assert_eq!(plain, proved, "{text}");
        assert_eq!((none, no_small, no_more), (0, 0, 0));
        small += usize::from(some_small > 0);
        if impartial && plain.flatten().is_some_and(|n| n > 0) {
            let open = machine.ends() && machine.is_faultless();
            assert_eq!(some > 0, open, "{text}");
            compared += usize::from(open);
        }
    }
    assert!(
        compared >= 8 && small >= 6 && turns >= 2,
        "{compared} {small} {turns}"
    );
}

/// The value and the winner of an impartial position come from its nimber, by proof where play is known to end; they are those of
/// the canonical form, and so are those of its options.
#[test]
fn impartial_positions_take_nimbers() {
    let larger = [
        ("cram", "Cram[grid(4, 4)]", true),
        ("poset-game", "PosetGame[chomp(4, 5)]", true),
        ("node-kayles", "NodeKayles[path(11) + cycle(5)]", true),
        ("arc-kayles", "ArcKayles[grid(3, 4)]", true),
    ];
    let (mut impartial, mut proved) = (0, 0);
    for (file, text, _) in CASES.iter().chain(&larger) {
        let Ok((model, start)) = try_position(file, text) else {
            continue;
        };
        let machine = Machine::new(&model, &start).unwrap();
        if machine.players() != 2 {
            continue;
        }
        let initial = machine.initial();
        let ask = |by_nimbers| {
            let shortcuts = Shortcuts::ALL.with(&[(Shortcut::Impartial, by_nimbers)]);
            let engine = Engine::new(Limits::default()).with_shortcuts(shortcuts);
            let show = |v| crate::machine_support::show(&engine, v);
            let outcome = engine.search(&machine).outcome(&initial).ok();
            let value = engine.value(&machine, &initial).ok().map(show);
            let proved = engine.statistics().proved;
            let mut search = engine.search(&machine);
            let known = search.value_options(&initial, Player::RIGHT).is_ok();
            let moves = search.valued_moves(&initial, Player::RIGHT).ok();
            assert_eq!(known, moves.is_some(), "{text}");
            let moves: Option<Vec<_>> =
                moves.map(|all| all.into_iter().map(|m| (show(m.value), m.best)).collect());
            (
                (outcome, value, moves),
                search.is_impartial(&initial),
                proved,
            )
        };
        let (found, is_impartial, some) = ask(true);
        let (plain, _, none) = ask(false);
        assert_eq!(found, plain, "{text}");
        assert_eq!(none, 0, "{text}");
        impartial += usize::from(is_impartial);
        proved += usize::from(some > 0);
        assert!(some == 0 || is_impartial, "{text}");
    }
    assert!(impartial >= 12 && proved >= 8, "{impartial} {proved}");
}

/// Who wins is what the canonical form says, with proof numbers in the lead or depth, with and without what else an outcome
/// search may use.
#[test]
fn winners_do_not_depend_on_the_lead() {
    let larger = [
        ("domineering", "Domineering[grid(4, 4)]", true),
        ("clobber", "Clobber[\"xoxo|oxox|xoxo\"]", true),
        ("amazons", "Amazons[\"x..|...|..o\"]", true),
        ("konane", "Konane[\"xoxo|o.ox|xoxo\"]", true),
        ("snort", "Snort[grid(3, 3)]", true),
    ];
    let (mut led, mut by_value) = (0, 0);
    for (file, text, _) in CASES.iter().chain(&larger) {
        let Ok((model, start)) = try_position(file, text) else {
            continue;
        };
        let machine = Machine::new(&model, &start).unwrap();
        if machine.players() != 2 || machine.convention() != Convention::Normal {
            continue;
        }
        let engine = Engine::new(Default::default());
        let Ok(value) = engine.value(&machine, &machine.initial()) else {
            continue;
        };
        let expected = engine.forms().outcome(value).unwrap();
        let engine = Engine::new(Default::default()).valuing_after(1);
        let found = engine.outcome(&machine, &machine.initial());
        assert_eq!(found.ok(), Some(expected), "{text}, by its value");
        by_value += engine.statistics().by_value;
        let mut misere = Vec::new();
        for (lead, sums, bounds, narrow) in [
            (true, true, true, true),
            (true, true, true, false),
            (true, false, false, true),
            (true, true, false, false),
            (false, true, true, true),
            (false, false, false, false),
        ] {
            let shortcuts = Shortcuts::ALL.with(&[
                (Shortcut::ProofNumbers, lead),
                (Shortcut::Sums, sums),
                (Shortcut::Bounds, bounds),
                (Shortcut::Narrow, narrow),
            ]);
            let engine = Engine::new(Default::default()).with_shortcuts(shortcuts);
            let found = engine.outcome(&machine, &machine.initial());
            let named = format!("{text} {lead} {sums} {bounds} {narrow}");
            assert_eq!(found.ok(), Some(expected), "{named}");
            if misere.len() < 2 && larger.iter().all(|(_, other, _)| other != text) {
                let engine = Engine::new(Default::default()).with_shortcuts(shortcuts);
                let outcome = engine.search(&machine).misere_outcome(&machine.initial());
                misere.push(outcome.ok());
                assert_eq!(misere.first(), misere.last(), "{named}");
            }
            let open = lead && machine.ends() && machine.is_faultless();
            assert!(open || engine.statistics().led == 0, "{text}");
            led += usize::from(engine.statistics().led > 0);
        }
    }
    assert!(led > 60 && by_value > 20, "{led} {by_value}");
}

/// Where nearly all values are numbers a winner is found by the value, elsewhere the look at values is given up; both come to
/// the winner that the search alone finds.
#[test]
fn values_are_given_up_where_they_are_no_numbers() {
    let strip = "l.rrl.lr.rl.rl";
    for (file, text, pays) in [
        ("push", format!("Push[\"{strip}\"]"), true),
        (
            "clobber",
            "Clobber[\"xoxoxo|oxoxox|xoxoxo\"]".to_owned(),
            false,
        ),
    ] {
        let (model, start) = try_position(file, &text).unwrap();
        let machine = Machine::new(&model, &start).unwrap();
        let initial = machine.initial();
        let found = [true, false].map(|by_value| {
            let shortcuts = Shortcuts::ALL.with(&[(Shortcut::ByValue, by_value)]);
            let engine = Engine::new(Limits::default())
                .with_shortcuts(shortcuts)
                .valuing_after(64);
            let wins = [Player::LEFT, Player::RIGHT].map(|mover| {
                let mut search = engine.search(&machine);
                search.wins_first(&initial, mover).unwrap()
            });
            let by_values = engine.statistics().by_value;
            assert_eq!(by_values > 0, by_value && pays, "{text} {by_values}");
            wins
        });
        assert_eq!(found[0], found[1], "{text}");
    }
}

/// A search for a winner that was given up goes on where it stopped when it is asked again: what was open then is no line of play
/// that repeats.
#[test]
fn a_search_for_a_winner_goes_on_where_it_stopped() {
    for (file, text) in [
        ("clobber", "Clobber[\"xoxo|oxox|xoxo\"]"),
        ("domineering", "Domineering[grid(5, 5)]"),
    ] {
        let (model, start) = try_position(file, text).unwrap();
        let machine = Machine::new(&model, &start).unwrap();
        let initial = machine.initial();
        let plain = Engine::new(Default::default());
        let value = plain.value(&machine, &initial).unwrap();
        let outcome = plain.forms().outcome(value).unwrap();
        let expected = matches!(outcome, Outcome::Left | Outcome::Next);
        for lead in [true, false] {
            let limits = Limits {
                nodes: Some(60),
                ..Limits::default()
            };
            let shortcuts = Shortcuts::ALL.with(&[
                (Shortcut::ProofNumbers, lead),
                (Shortcut::Bounds, false),
                (Shortcut::Counts, false),
            ]);
            let engine = Engine::new(limits).with_shortcuts(shortcuts);
            let mut search = engine.search(&machine);
            let mut asked = 0;
            let found = loop {
                asked += 1;
                match search.wins_first(&initial, Player::LEFT) {
                    Ok(wins) => break wins,
                    Err(Stopped::Limit(Limit::Nodes)) if asked < 20_000 => {}
                    Err(other) => panic!("{text} {lead} {asked}: {other:?}"),
                }
            };
            assert_eq!(found, expected, "{text} {lead}");
            assert!(asked > 1, "{text} {lead}: {asked}");
        }
    }
}

/// Keys by graph are made while they find parts: in a digraph without symmetries hardly any two parts are alike, on a grid many
/// are. Values do not depend on it.
#[test]
fn keys_by_graph_are_made_where_they_find_parts() {
    let n = 24;
    let arcs = (0..n).flat_map(|v| {
        let steps = [1 + v * v % (n - 1), 1 + (5 * v + 2) % (n - 1)];
        steps.map(|step| format!("v{v} -> v{}", (v + step) % n))
    });
    let vertices = (0..n).map(|v| format!("v{v}:{}", if v % 3 == 2 { 'r' } else { 'b' }));
    let all: Vec<String> = vertices.chain(arcs).collect();
    for (file, text, pays) in [
        (
            "digraph-placement",
            format!("DigraphPlacement[{}]", all.join(", ")),
            false,
        ),
        ("snort", "Snort[grid(4, 4)]".to_owned(), true),
    ] {
        let (model, start) = try_position(file, &text).unwrap();
        let values = [true, false].map(|isomorphism| {
            let settings = Settings::default().with(&[(Shortcut::Isomorphism, isomorphism)]);
            let counters = std::sync::Arc::new(cgdsl::machine::Counters::default());
            let machine = Machine::with_settings(&model, &start, settings)
                .unwrap()
                .counting_in(&counters);
            // A guess would leave most of the options' values to be found, and a pairing all of them.
            let closed = [(Shortcut::Guess, false), (Shortcut::Pairing, false)];
            let shortcuts = Shortcuts::ALL.with(&closed);
            let engine = Engine::new(Limits::default()).with_shortcuts(shortcuts);
            let initial = machine.initial();
            let value = engine.value(&machine, &initial).unwrap();
            let count = |name| {
                counters
                    .all()
                    .iter()
                    .find(|(n, _)| *n == name)
                    .map(|(_, n)| *n)
            };
            if isomorphism {
                assert!(count("keys_by_graph") > Some(1000), "{text}");
                assert_eq!(count("keys_by_state") == Some(0), pays, "{text}");
                // Later searches find what it has kept, under keys of whichever kind.
                let all = engine.statistics().expanded;
                let options = engine.search(&machine).options(&initial, Player::LEFT);
                for option in options.unwrap().iter().take(4) {
                    engine.value(&machine, option).unwrap();
                }
                let more = engine.statistics().expanded - all;
                assert!(10 * more < all, "{text} {all} {more}");
            }
            crate::machine_support::show(&engine, value)
        });
        assert_eq!(values[0], values[1], "{text}");
    }
}

/// Where memory is short an outcome is right or not known; where parts take too much of it, whole positions are searched.
#[test]
fn winners_are_right_where_memory_is_short() {
    let (mut found, mut unknown, mut without, mut forgotten) = (0, 0, 0, 0);
    for (file, text, expected) in [
        ("domineering", "Domineering[grid(5, 5)]", Outcome::Previous),
        ("domineering", "Domineering[grid(5, 7)]", Outcome::Right),
        ("clobber", "Clobber[\"xoxo|oxox|xoxo|oxox\"]", Outcome::Next),
    ] {
        let (model, start) = try_position(file, text).unwrap();
        let machine = Machine::new(&model, &start).unwrap();
        for memory in [1 << 17, 1 << 18, 1 << 19, 3 << 18, 1 << 20, 3 << 19] {
            for whole in [true, false] {
                let limits = Limits {
                    memory,
                    ..Limits::default()
                };
                let some = [(Shortcut::Whole, whole), (Shortcut::Strips, false)];
                let shortcuts = Shortcuts::ALL.with(&some);
                let engine = Engine::new(limits).with_shortcuts(shortcuts);
                let outcome = engine.outcome(&machine, &machine.initial());
                let searched = engine.statistics().whole;
                assert!(whole || searched == 0, "{text} {memory}");
                match outcome {
                    Ok(outcome) => {
                        assert_eq!(outcome, expected, "{text} {memory} {whole}");
                        found += usize::from(searched > 0);
                        without += usize::from(!whole);
                        let evicted = engine.statistics().evictions > 0;
                        forgotten += usize::from(searched == 0 && evicted);
                    }
                    Err(Stopped::Limit(Limit::Memory)) => unknown += 1,
                    Err(stopped) => panic!("{stopped:?}"),
                }
            }
        }
    }
    assert!(
        found > 0 && unknown > 0 && without > 0 && forgotten > 0,
        "{found} {unknown} {without} {forgotten}"
    );
}

/// Six boards of 4x4 side by side, which strips do not decide in minutes, are decided by their values: a board of 4x4 is its own
/// negative, as a quarter of a turn exchanges the players, so six of them are zero.
#[test]
fn a_sum_of_boards_is_decided_by_the_values_of_its_components() {
    let row = "....#....#....";
    let rows = [row, row, row, row, "##############", row, row, row, row].join("|");
    let text = format!("Domineering[\"{rows}\"]");
    let (model, start) = try_position("domineering", &text).unwrap();
    let machine = Machine::new(&model, &start).unwrap();
    let limits = Limits {
        nodes: Some(20_000),
        ..Limits::default()
    };
    let engine = Engine::new(limits);
    let outcome = engine.outcome(&machine, &machine.initial()).unwrap();
    assert_eq!(outcome, Outcome::Previous);
    assert!(engine.statistics().strips > 0);
}

/// Where memory is short a nimber is right or not known; the proof begins again with the nimbers that it has found.
#[test]
fn nimbers_are_right_where_memory_is_short() {
    // `igs` finds 2, too.
    let (model, start) = try_position("cram", "Cram[grid(5, 6)]").unwrap();
    let machine = Machine::new(&model, &start).unwrap();
    let mut expanded = Vec::new();
    for memory in [1 << 19, 1 << 20, 1 << 21, 1 << 22, 1 << 23, 1 << 26] {
        let limits = Limits {
            memory,
            nodes: Some(200_000),
            ..Limits::default()
        };
        let engine = Engine::new(limits);
        match engine.nimber(&machine, &machine.initial()) {
            Ok(nimber) => {
                assert_eq!(nimber, Some(2), "{memory}");
                expanded.push(engine.statistics().expanded);
            }
            Err(Stopped::Limit(_)) => {}
            Err(stopped) => panic!("{stopped:?}"),
        }
    }
    // With less memory, what was forgotten was searched again.
    assert!(
        expanded.len() > 2 && expanded[0] > expanded[expanded.len() - 1],
        "{expanded:?}"
    );
}

/// Random graphs with a root: where each move cuts an edge loose, positions are sets of edges, with the same values and winners.
#[test]
fn cutting_edges_loose_does_not_depend_on_the_shortcut() {
    let mut random = Random(0x5eed_0043);
    let shared = [true, false].map(|rooted| (rooted, Engine::new(Limits::default())));
    let mut rooted_boards = 0;
    for n in 0..60 {
        let (edges, mut vertices) = (1 + random.below(9), 1);
        let mut text = Vec::new();
        for _ in 0..edges {
            let name = |v: usize| match v {
                0 => "ground".to_owned(),
                v => format!("v{v}"),
            };
            let u = random.below(vertices);
            // Now and then two vertices that are there already, or one of them twice the same.
            let v = if random.below(3) == 0 && vertices > 2 {
                (u + 1 + random.below(vertices - 1)) % vertices
            } else {
                vertices += 1;
                vertices - 1
            };
            let colour = ["b", "r", "g"][random.below(if n % 3 == 0 { 2 } else { 3 })];
            let (u, v) = if random.below(2) == 0 { (u, v) } else { (v, u) };
            text.push(format!("{} -{colour}- {}", name(u), name(v)));
        }
        let text = format!("Hackenbush[{}]", text.join(", "));
        let Ok((model, start)) = try_position("graphs/hackenbush.rules", &text) else {
            // A vertex may not be joined to another twice.
            continue;
        };
        let mut found = Vec::new();
        for (rooted, together) in &shared {
            let settings = Settings::default().with(&[(Shortcut::Rooted, *rooted)]);
            let counters = Arc::new(cgdsl::machine::Counters::default());
            let machine = Machine::with_settings(&model, &start, settings)
                .unwrap()
                .counting_in(&counters);
            let boards = counters.all();
            let boards = boards.iter().find(|c| c.0 == "boards_of_rooted_graphs");
            let boards = boards.expect("a counter").1;
            assert_eq!(boards, u64::from(*rooted), "{text}");
            rooted_boards += boards;
            let alone = crate::machine_support::value(&model, &start, settings, Shortcuts::ALL);
            let value = crate::machine_support::value_in(together, &model, &start, settings)
                .map(|v| crate::machine_support::show(together, v));
            assert_eq!(alone, value, "{text}");
            let engine = Engine::new(Limits::default());
            let outcome = engine.outcome(&machine, &machine.initial()).ok();
            let misere = engine
                .search(&machine)
                .misere_outcome(&machine.initial())
                .ok();
            assert!(outcome.is_some() && misere.is_some(), "{text}");
            found.push((value, outcome, misere));
            same_options(&model, &start, 60).unwrap();
        }
        assert_eq!(found[0], found[1], "{text}");
    }
    assert!(rooted_boards > 25, "{rooted_boards}");
}

/// On boards with symmetries, and on random graphs that have few or none, images change nothing but how parts are found.
#[test]
fn images_change_no_value() {
    let mut random = Random(0x5eed_1a6e);
    let mut boards: Vec<String> = [
        "grid(3, 4)",
        "grid(2, 5)",
        "cycle(7)",
        "path(8)",
        "complete(5)",
    ]
    .map(str::to_owned)
    .into();
    for _ in 0..6 {
        let edges: Vec<String> = (1..9usize)
            .flat_map(|v| {
                let mut ends = BTreeSet::from([random.below(v), random.below(v)]);
                ends.insert((v - 1) / 2);
                ends.into_iter().map(move |u| format!("v{u} -- v{v}"))
            })
            .collect();
        boards.push(edges.join(", "));
    }
    let mut met = 0;
    for board in &boards {
        for (file, rules) in [
            ("graphs/col.rules", "Col"),
            ("graphs/snort.rules", "Snort"),
            ("node-kayles", "NodeKayles"),
            ("graphs/arc-kayles.rules", "ArcKayles"),
        ] {
            let (model, start) = try_position(file, &format!("{rules}[{board}]")).unwrap();
            let found = [true, false].map(|images| {
                let shortcuts = Shortcuts::ALL.with(&[(Shortcut::Images, images)]);
                let machine = Machine::new(&model, &start).unwrap();
                let engine = Engine::new(Limits::default()).with_shortcuts(shortcuts);
                let value = engine.value(&machine, &machine.initial()).unwrap();
                let outcome = engine.outcome(&machine, &machine.initial()).ok();
                let misere = engine
                    .search(&machine)
                    .misere_outcome(&machine.initial())
                    .ok();
                let found = engine.statistics().images;
                assert!(images || found == 0, "{rules}[{board}]");
                met += u64::from(found > 0);
                (
                    crate::machine_support::show(&engine, value),
                    outcome,
                    misere,
                )
            });
            assert_eq!(found[0], found[1], "{rules}[{board}]");
        }
    }
    assert!(met > 10, "{met}");
}

/// Parts of games of removal are known by the graph of their moves: one tree, written down in two ways.
#[test]
fn parts_of_graphs_are_known_on_any_board() {
    for (file, rules) in [("snort", "Snort"), ("col", "Col")] {
        for (isomorphism, again) in [(true, false), (false, true)] {
            let engine = Engine::new(Limits::default());
            let mut found = Vec::new();
            for tree in [
                "a -- b, b -- c, b -- d, d -- e",
                "e -- w, w -- x, x -- y, x -- z",
            ] {
                let (model, start) = try_position(file, &format!("{rules}[{tree}]")).unwrap();
                let settings = Settings::default().with(&[(Shortcut::Isomorphism, isomorphism)]);
                let value =
                    crate::machine_support::value_in(&engine, &model, &start, settings).unwrap();
                found.push((value, engine.statistics().expanded));
            }
            assert_eq!(found[0].0, found[1].0, "{rules}");
            assert_eq!(found[1].1 > found[0].1, again, "{rules}: {found:?}");
        }
    }
}

/// Takes down the keys under which values would be kept, with the rules that they speak of.
#[derive(Debug, Default)]
struct TakenDown {
    rules: Mutex<Vec<Vec<u8>>>,
    keys: Mutex<BTreeSet<(Vec<u8>, Vec<u8>)>>,
}

impl Archive for TakenDown {
    fn rules(&self, text: &[u8]) -> Option<u32> {
        let mut rules = self.rules.lock().unwrap();
        let known = rules.iter().position(|t| t == text);
        let at = known.unwrap_or_else(|| {
            rules.push(text.to_vec());
            rules.len() - 1
        });
        u32::try_from(at).ok()
    }
    fn get(&self, _: Shelf, _: &[u8]) -> Option<Vec<u8>> {
        None
    }
    fn put(&self, _: Shelf, key: &[u8], _: &[u8]) {
        let rules = self.rules.lock().unwrap();
        let (number, rest) = key.split_first_chunk().expect("a number of rules");
        let text = rules[u32::from_be_bytes(*number) as usize].clone();
        self.keys.lock().unwrap().insert((text, rest.to_vec()));
    }
    fn form(&self, _: u64) -> Option<Vec<u8>> {
        None
    }
    fn number(&self, _: &[u8]) -> Option<u64> {
        None
    }
    fn distrust(&self) {}
}

/// Values are kept between runs by key: where keys say something else, their version must have another number
/// (`VERSION` in `src/solver/machine/key`). This test holds a digest of the keys of some positions beside the version.
#[test]
fn keys_change_with_their_version_only() {
    let recorded = include_str!("../corpus/keys.txt");
    let archive = Arc::new(TakenDown::default());
    for (file, text) in [
        ("domineering", "Domineering[grid(3, 3)]"),
        ("clobber", "Clobber[\"xox|oxo\"]"),
        ("konane", "Konane[\"xoxo|ox.x|xoxo\"]"),
        ("toads-and-frogs", "ToadsAndFrogs[\"tt.f.f\"]"),
        ("push", "Push[\"l.rl.r\"]"),
        ("snort", "Snort[a:x -- b -- c, b -- d -- e]"),
        ("col", "Col[grid(2, 3)]"),
        (
            "graphs/hackenbush.rules",
            "Hackenbush[ground -b- a -r- b -g- ground, b -r- c -b- a]",
        ),
        (
            "blocking-pebbles",
            "BlockingPebbles[A:1b+1r+1g -> B:1b -> C:1r, A -> C]",
        ),
        ("amazons", "Amazons[\"x..|..o\"]"),
        (
            "digraph-placement",
            "DigraphPlacement[a:b -> c:r -> d:b, c -> a]",
        ),
        ("fjords", "Fjords[a:b -- c -- d -- e:r, c -- e]"),
    ] {
        let (model, start) = try_position(file, text).unwrap();
        let machine = Machine::new(&model, &start).unwrap();
        let searched = Shortcuts::ALL.with(&[(Shortcut::Pairing, false)]);
        let engine = Engine::new(Limits::default())
            .with_shortcuts(searched)
            .with_archive(archive.clone());
        engine.value(&machine, &machine.initial()).unwrap();
        // The keys of a search that is not narrowed.
        let wide = searched.with(&[(Shortcut::Narrow, false)]);
        let engine = Engine::new(Limits::default())
            .with_shortcuts(wide)
            .with_archive(archive.clone());
        engine.value(&machine, &machine.initial()).unwrap();
    }
    let keys = archive.keys.lock().unwrap();
    assert!(keys.len() > 200, "{}", keys.len());
    let version = keys
        .iter()
        .find_map(|(text, _)| {
            let line = text.split(|b| *b == b'\n').next()?;
            String::from_utf8(line.to_vec()).ok()
        })
        .expect("a version");
    // Fowler, Noll and Vo, 64 bits.
    let mut digest = 0xcbf2_9ce4_8422_2325u64;
    let all: BTreeSet<&Vec<u8>> = keys.iter().map(|(_, key)| key).collect();
    for key in all {
        let length = (key.len() as u64).to_le_bytes();
        for byte in length.iter().chain(key) {
            digest = (digest ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3);
        }
    }
    let found = format!("{version}: {digest:016x}");
    assert_eq!(
        recorded.lines().last(),
        Some(&found[..]),
        "the keys of parts have changed: give them another VERSION (src/solver/machine/key/mod.rs) if they have the old one \
         still, then write this line to tests/corpus/keys.txt"
    );
}

/// Both players push the stones one cell to the east, so play ends. If one of them pulls back instead, it can go on for ever.
#[test]
fn play_ends_by_weights_unless_a_move_is_taken_back() {
    for (back, ends) in [("east", true), ("west", false)] {
        let by = |player: &str, step: &str| {
            format!(
                "  move by {player}: choose a, b = a + {step} where at(a) = s, at(b) = empty then at(a) := empty, at(b) := s\n"
            )
        };
        let (left, right) = (by("Left", "east"), by("Right", back));
        let rules = format!("ruleset Pushing\n  board strip\n  pieces s = anyone\n{left}{right}");
        let (model, start) = position(&rules, "Pushing[\"ss..\"]");
        let machine = cgdsl::machine::Machine::new(&model, &start).unwrap();
        let term = &machine.explain().terms[0];
        let expected = ends.then_some("every move lowers a weighted sum of what lies where");
        assert_eq!(term.ends.as_deref(), expected, "{rules}");
    }
}

/// Rules that ask for more sets of values of a variable than a word has bits, or for so many that states would take too many words,
/// are compiled all the same.
#[test]
fn many_sets_of_values_are_told_apart() {
    let heaps = "ruleset Heaps\n  board strip\n  state pile(cell): nat, fuel: nat\n  \
         move by anyone: choose a, v in 0..29 where fuel > 0 and (no b in cells: b != a and pile(b) = v) then pile(a) := v, fuel -= 1\n  \
         move by anyone: choose a, b where a != b and fuel > 0 and pile(a) = pile(b) + 1 then pile(a) := 0, fuel -= 1\n";
    let many: Vec<String> = (1..=19).map(|n| n.to_string()).collect();
    let welter = "ruleset Welter\n  board strip\n  state pile(cell): nat\n  \
         move by anyone: choose a, k in 1..pile(a) where no b in cells: b != a and pile(b) = pile(a) - k then pile(a) -= k\n";
    for (rules, text) in [
        (
            heaps,
            format!("Heaps[strip(20), fuel: 2, pile: [{}, 29]]", many.join(", ")),
        ),
        (welter, "Welter[strip(2), pile: [63, 40]]".to_owned()),
    ] {
        let (model, start) = position(rules, &text);
        let machine = cgdsl::machine::Machine::new(&model, &start).unwrap();
        assert!(machine.is_grounded(), "{text}");
        let compared = same_options(&model, &start, 5).unwrap();
        assert!(compared > 0, "{text}");
    }
}

// Node Kayles on a path or a cycle, by the nimbers of shorter paths: a move at a path of n leaves two with n - 3 vertices together,
// or one with n - 2.
#[test]
fn long_paths_and_cycles_of_node_kayles() {
    let mut paths: Vec<usize> = vec![0, 1];
    let least = |options: &[usize]| (0..).find(|n| !options.contains(n)).unwrap();
    for n in 2..=257 {
        let inner = (0..n - 2).map(|k| paths[k] ^ paths[n - 3 - k]);
        let options: Vec<usize> = inner.chain([paths[n - 2]]).collect();
        paths.push(least(&options));
    }
    let rules =
        "ruleset Kayles\n  board graph\n  move by anyone: choose v then remove v, nbrs(v)\n";
    for (board, nimber) in [
        ("path(129)", paths[129]),
        ("path(257)", paths[257]),
        ("cycle(140)", least(&[paths[137]])),
    ] {
        let (model, start) = crate::machine_support::position(rules, &format!("Kayles[{board}]"));
        let (settings, all) = (Settings::default(), Shortcuts::ALL);
        let found = crate::machine_support::value_bounded(&model, &start, settings, all, 10_000);
        let expected = match nimber {
            0 => "0".to_owned(),
            1 => "*".to_owned(),
            n => format!("*{n}"),
        };
        assert_eq!(found, Ok(expected), "{board}");
    }
}
