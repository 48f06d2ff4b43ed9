//! Games of many players through the language: the outcome of two players and their reading as players of a game of n agree on
//! the corpus and on random rulesets; short memory gives the same answers by Algorithm 1, with a note; players keep their names.

use crate::machine_support::position;
use crate::moves_left;
use crate::random_rules::shape;
use cgdsl::game::{Limits, Shortcut, Shortcuts};
use cgdsl::machine::Machine;
use cgdsl::session::{Answer, Item, Memory, Session, Settings, Status};
use std::collections::BTreeMap;

fn with(files: &[(&str, &str)], main: &str, settings: Settings) -> Vec<Item> {
    let mut world = Memory::default();
    for (name, text) in files {
        world = world.with(name, *text);
    }
    let mut session = Session::new(&world, settings);
    let loaded = session.load(main);
    session.evaluate(&loaded, |_, _| {})
}

fn limited(nodes: u64) -> Settings {
    Settings {
        limits: Limits {
            nodes: Some(nodes),
            ..Limits::default()
        },
        ..Settings::default()
    }
}

fn hackenbush() -> String {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/rulesets/n-player/hackenbush.rules"
    );
    let text = std::fs::read_to_string(path).expect("the ruleset");
    // The first ruleset alone.
    text.split("\n\n").next().unwrap_or_default().to_owned() + "\n"
}

/// Left wins alone, moving first, just where the outcome says so; and so does Right.
fn agreement(position: &str) -> String {
    format!(
        "assert (outcome({position}) in {{L-position, N-position}}) = (winner({position}, first: Left) = Left)\n\
         assert (outcome({position}) in {{R-position, N-position}}) = wins({position}, coalition: {{Right}}, first: Right)\n"
    )
}

/// The moves left to each player, as the machine counts them, against all lines of play: where edges fall, where moves of
/// several players exclude each other, and where a move excludes others that do not exclude it.
#[test]
fn moves_left_of_shipped_rules() {
    let above = "ruleset Above\n  board poset\n  players A, B, C\n  pieces a = A, b = B, c = C\n  play elimination\n  \
                 move by p: choose x where p owns at(x) then remove up(x)\n";
    for (file, text) in [
        (
            "n-player/hackenbush.rules",
            "NHackenbush(3)[ground -1- a -2- b -3- c -1- ground, a -3- d, ground -2- e]",
        ),
        (
            "n-player/hackenbush.rules",
            "SharedHackenbush[ground -y- a -w- b, ground -r- c -y- d -g- ground, c -b- e]",
        ),
        ("n-player/col.rules", "NCol(3)[path(4)]"),
        (
            "n-player/col.rules",
            "NCol(3)[a:1 -- b -- c:2, b -- d, d -- e]",
        ),
        ("n-player/domineering.rules", "BoxDomineering[Box(3, 2, 2)]"),
        ("n-player/domineering.rules", "BoxDomineering[Box(2, 2, 2)]"),
        (above, "Above[x:a < y:b, x < z:c, y < w:a, z < w, u:b < w]"),
    ] {
        let (model, start) = position(file, text);
        let machine = Machine::new(&model, &start).expect("a machine");
        let [compared, exact] = moves_left::obeys_the_law(&machine, &machine.initial(), 150);
        println!("{text}: {compared} numbers, {exact} of them exact");
        assert!(compared > 100 && exact > 20, "{text}: {compared} {exact}");
    }
}

/// How many positions held; anything but held and unknown is a failure.
fn held(items: &[Item], text: &str) -> usize {
    let mut held = 0;
    for item in items {
        match item.status {
            Status::Held => held += 1,
            Status::Unknown => {}
            _ => panic!(
                "{:?} {}\n{:?}",
                item.status,
                text.lines().nth(item.line - 1).unwrap_or(""),
                item.diagnostics
            ),
        }
    }
    held
}

#[test]
fn two_players_of_the_corpus() {
    let mut files: BTreeMap<&str, String> = BTreeMap::new();
    for line in include_str!("../corpus/positions.tsv")
        .lines()
        .filter(|l| !l.starts_with('#'))
    {
        let mut fields = line.split('\t');
        let (Some(file), Some(query)) = (fields.next(), fields.next()) else {
            panic!("{line}")
        };
        let position = query
            .split_once('(')
            .and_then(|(_, rest)| rest.strip_suffix(')'))
            .expect(line);
        let text = files
            .entry(file)
            .or_insert_with(|| format!("use \"{file}.rules\"\n"));
        text.push_str(&agreement(position));
    }
    let mut all = 0;
    for (file, text) in &files {
        let path = format!("{}/rulesets/{file}.rules", env!("CARGO_MANIFEST_DIR"));
        let ruleset = std::fs::read_to_string(&path).expect("a ruleset file");
        let name = format!("{file}.rules");
        let items = with(
            &[(&name, &ruleset), ("corpus.rules", text)],
            "corpus.rules",
            limited(20_000),
        );
        let held = held(&items, text);
        assert!(held > 0, "{file}: nothing could be compared");
        all += held;
    }
    assert!(all > 600, "only {all} were compared");
}

#[test]
fn two_players_of_random_rulesets() {
    let seeds = std::env::var("SEEDS").ok().and_then(|s| s.parse().ok());
    let (mut all, mut rulesets) = (0, 0);
    for seed in 0..seeds.unwrap_or(60) {
        let sample = shape(seed);
        for naive in [false, true] {
            let mut text = sample.rules.clone() + "\n";
            for position in &sample.positions {
                text.push_str(&agreement(position));
            }
            let settings = Settings {
                shortcuts: Shortcuts::ALL.with(&[(Shortcut::Compile, !naive)]),
                ..limited(3_000)
            };
            let items = with(&[("random.rules", &text)], "random.rules", settings);
            // Where play need not end nothing can be said.
            let ends: Vec<Item> = items
                .into_iter()
                .filter(|i| i.status != Status::Broken)
                .collect();
            let held = held(&ends, &text);
            all += held;
            rulesets += usize::from(held > 0);
        }
    }
    assert!(all > 200 && rulesets > 50, "{all} of {rulesets}");
}

fn value(item: &Item) -> &str {
    match &item.answer {
        Answer::Value(v) => &v.value,
        other => panic!("{other:?}"),
    }
}

/// With little memory Algorithm 1 answers, and a note says so; the answer is always the same, or unknown.
///
/// Of a position in which player 1 has most edges the pass over all coalitions sees every order in which they can be cut, and
/// Algorithm 1 the first cut that wins. Compiled rules need more memory to be compiled than for this pass, so they are asked
/// from the text: there limits are met that are too small for the pass alone.
#[test]
fn short_memory_is_told_and_changes_no_answer() {
    let strings = (1..=5).map(|length| vec![1; length]);
    let strings = strings.chain([vec![2, 2], vec![3, 3]]);
    let strings: Vec<String> = strings.map(|s| format!("stalk({s:?})")).collect();
    let text = hackenbush()
        + &format!(
            "position G = NHackenbush(3)[graph {{ {} }}]\n\
             eval wins(G, coalition: {{1}}, first: 2)\n\
             eval winner(G, first: 3)\n\
             eval coalitions(G, first: 1)\n",
            strings.join("; ")
        );
    let expected: Vec<String> = with(&[("g.rules", &text)], "g.rules", Settings::default())
        .iter()
        .map(|i| {
            assert!(
                i.status == Status::Held && i.diagnostics.is_empty(),
                "{i:?}"
            );
            value(i).to_owned()
        })
        .collect();
    let (mut told, mut silent) = ([0; 3], [0; 3]);
    // From 16 kilobytes to a megabyte, each time a quarter more.
    let limits = std::iter::successors(Some(16_usize << 10), |m| Some(m + m / 4));
    for memory in limits.take_while(|m| *m < 1 << 20) {
        let settings = Settings {
            limits: Limits {
                memory,
                ..Limits::default()
            },
            shortcuts: Shortcuts::ALL.with(&[(Shortcut::Compile, false)]),
            ..Settings::default()
        };
        let items = with(&[("g.rules", &text)], "g.rules", settings);
        for (i, (item, expected)) in items.iter().zip(&expected).enumerate() {
            match item.status {
                Status::Held => assert_eq!(value(item), expected),
                Status::Unknown => continue,
                other => panic!("{other:?}"),
            }
            match &item.diagnostics[..] {
                [] => silent[i] += 1,
                [note] => {
                    assert_eq!(note.code.as_str(), "E0712");
                    told[i] += 1;
                }
                more => panic!("{more:?}"),
            }
        }
    }
    println!("told of Algorithm 1: {told:?}, nothing told: {silent:?}");
    assert!(told[1] > 0 && told[2] > 1, "seldom told: {told:?}");
    assert!(silent.iter().all(|n| *n > 4), "always told: {silent:?}");
}

/// A rule that fails ends a search, which then has not seen all instances; a table goes on, without that cell.
#[test]
fn a_rule_that_fails_among_instances() {
    let text = "ruleset Falls\n  state n: nat, x: int\n  players A, B, C\n  play last-wins\n  move by anyone: where n > 0 then n -= 1, x := 0 div (n - 2)\n\
                search for n in 0..3 where winner(Falls[n: n], first: A) = C\n\
                table for n in 0..3: winner(Falls[n: n], first: A)\n";
    let items = with(&[("falls.rules", text)], "falls.rules", Settings::default());
    let [searched, table] = &items[..] else {
        panic!("{items:?}")
    };
    assert_eq!(
        [searched.status, table.status],
        [Status::Broken, Status::Broken]
    );
    let Answer::Search(found) = &searched.answer else {
        panic!("{searched:?}")
    };
    assert!(!found.complete && found.found.len() == 1, "{found:?}");
    let Answer::Table(table) = &table.answer else {
        panic!("{table:?}")
    };
    let values: Vec<Option<&str>> = table.rows.iter().map(|r| r.value.as_deref()).collect();
    assert_eq!(values, [Some("C"), Some("A"), None, None]);
}
