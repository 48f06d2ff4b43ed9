//! Games of many players through the language: the outcome of two players and their reading as players of a game of n agree on
//! the corpus and on random rulesets; short memory gives the same answers by Algorithm 1, with a note; players keep their names.

use crate::random_rules::shape;
use cgdsl::game::{Limits, Shortcut, Shortcuts};
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
#[test]
fn short_memory_is_told_and_changes_no_answer() {
    let mut text = hackenbush();
    text.push_str(
        "position G = NHackenbush(4)[graph { stalk([1, 2, 3]); stalk([4, 1, 2]); stalk([3, 4, 1]); stalk([2, 1, 4]) }]\n\
         eval [coalitions(G, first: f) for f in 1..4]\n\
         eval [winner(G, first: f) for f in 1..4]\n\
         eval [wins(G, coalition: {1, 3}, first: f) for f in 1..4]\n",
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
    let (mut told, mut silent) = (0, 0);
    for shift in 10..24 {
        let settings = Settings {
            limits: Limits {
                memory: 1 << shift,
                ..Limits::default()
            },
            ..Settings::default()
        };
        for (item, expected) in with(&[("g.rules", &text)], "g.rules", settings)
            .iter()
            .zip(&expected)
        {
            match item.status {
                Status::Held => assert_eq!(value(item), expected),
                Status::Unknown => continue,
                other => panic!("{other:?}"),
            }
            match &item.diagnostics[..] {
                [] => silent += 1,
                [note] => {
                    assert_eq!(note.code.as_str(), "E0712");
                    told += 1;
                }
                more => panic!("{more:?}"),
            }
        }
    }
    // The limit covers the reading of the file as well, and what is left after it is enough for all coalitions of so small a
    // position; `games::coalitions` sees the answers for which memory is too short.
    assert!(told + silent >= 6, "{told} {silent}");
}

/// The counters say which short cuts were taken: parts that shorten keys, turns of the players, Algorithm 1.
#[test]
fn short_cuts_are_counted_and_can_be_closed() {
    let text = "ruleset Nim5\n  board heaps\n  players 1..5\n  play last-wins\n  move by anyone: choose n, m in 0..n-1 then n -> [m]\n\
                eval [coalitions(Nim5[1, 2, 2], first: f) for f in 1..5]\n";
    let run = |shortcuts: Shortcuts| {
        let world = Memory::default().with("n.rules", text);
        let settings = Settings {
            shortcuts,
            ..Settings::default()
        };
        let mut session = Session::new(&world, settings);
        let loaded = session.load("n.rules");
        let items = session.evaluate(&loaded, |_, _| {});
        (value(&items[0]).to_owned(), session.statistics())
    };
    let (expected, open) = run(Shortcuts::ALL);
    assert!(open.rotations > 0 && open.splits > 0, "{open:?}");
    let turned = Shortcuts::ALL.with(&[(Shortcut::Rotations, false)]);
    let (same, closed) = run(turned);
    assert_eq!(same, expected);
    assert_eq!(closed.rotations, 0);
    assert!(closed.states > 4 * open.states, "{closed:?} {open:?}");
    let (same, whole) = run(Shortcuts::ALL.with(&[(Shortcut::Split, false)]));
    assert_eq!(same, expected);
    assert_eq!(whole.splits, 0);
}

/// Answers name players as their ruleset does.
#[test]
fn players_keep_their_names() {
    let text = "ruleset N\n  board heaps\n  players Ann, Bob, Cid\n  play last-wins\n  move by anyone: choose n, m in 0..n-1 then n -> [m]\n\
                eval winner(N[2], first: Bob)\neval coalitions(N[1, 2], first: Ann)\neval winner(N[1, 2], first: Cid)\n";
    let items = with(&[("n.rules", text)], "n.rules", Settings::default());
    let shown: Vec<&str> = items.iter().map(value).collect();
    assert_eq!(
        shown,
        ["Bob", "{{Ann, Bob}, {Ann, Cid}, {Bob, Cid}}", "queer"]
    );
}

/// Whoever does not take part is refused, and not counted as one who never wins.
#[test]
fn strangers_are_refused() {
    let mut text = hackenbush();
    for question in [
        "winner(NHackenbush(3)[ground -1- a], first: 4) = 1",
        "wins(NHackenbush(3)[ground -1- a], coalition: {1, 7}, first: 1)",
        "wins(NHackenbush(3)[ground -1- a], coalition: {1}, first: 9)",
        "coalitions(NHackenbush(3)[ground -1- a], first: 5) = {}",
    ] {
        text.push_str(&format!("assert {question}\n"));
    }
    for item in with(&[("h.rules", &text)], "h.rules", Settings::default()) {
        assert_eq!(item.status, Status::Broken);
        let [d] = &item.diagnostics[..] else {
            panic!("{:?}", item.diagnostics)
        };
        assert!(
            d.message.contains("the players are 1, 2, 3"),
            "{}",
            d.message
        );
    }
}

/// The picture in the chapter is the one that its command draws.
#[test]
fn the_picture_of_the_chapter() {
    let docs = concat!(env!("CARGO_MANIFEST_DIR"), "/docs");
    let chapter = std::fs::read_to_string(format!("{docs}/players.md")).expect("the chapter");
    let rules = chapter
        .split_once("```rules\n")
        .and_then(|(_, rest)| rest.split_once("```"))
        .map(|(rules, _)| rules)
        .expect("a listing");
    let dir = std::env::temp_dir().join(format!("cgdsl-lattice-{}", std::process::id()));
    std::fs::create_dir_all(&dir).expect("a folder");
    std::fs::write(dir.join("three.rules"), rules).expect("a file");
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_cgdsl"))
        .args(["eval", "three.rules", "Four", "--lattice", "four.svg"])
        .current_dir(&dir)
        .output()
        .expect("it runs");
    assert!(output.status.success(), "{output:?}");
    let drawn = std::fs::read_to_string(dir.join("four.svg")).expect("a picture");
    let _ = std::fs::remove_dir_all(&dir);
    let shown = std::fs::read_to_string(format!("{docs}/pictures/lattice.svg"));
    assert_eq!(drawn, shown.unwrap_or_default().replace("\r\n", "\n"));
}

/// What cannot be drawn is said, with exit code 2.
#[test]
fn no_lattice() {
    for (args, message) in [
        (
            vec!["eval", "nim", "Nim[1]", "--lattice", "-"],
            "three or more players",
        ),
        (
            vec!["eval", "n-player/nim", "--lattice", "-", "--only", "claim"],
            "draws one position, and here are 0",
        ),
        (
            vec![
                "eval",
                "n-player/nim",
                "Nim3[1]",
                "--lattice",
                "/nowhere/at/all.svg",
            ],
            "/nowhere/at/all.svg: ",
        ),
        (
            vec![
                "eval",
                "n-player/nim",
                "Nim3[1]",
                "--lattice",
                "-",
                "--json",
            ],
            "goes into a file",
        ),
    ] {
        let output = std::process::Command::new(env!("CARGO_BIN_EXE_cgdsl"))
            .args(&args)
            .output()
            .expect("it runs");
        // With --json the message stands in the document.
        let said = [&output.stderr[..], &output.stdout[..]].concat();
        let said = String::from_utf8_lossy(&said);
        assert!(said.contains(message), "{args:?}: {said}");
        assert_eq!(output.status.code(), Some(2), "{args:?}");
    }
}
