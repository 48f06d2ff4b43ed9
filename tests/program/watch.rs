//! `cgdsl watch` as a lecturer uses it: a file is saved in several ways, and what changed is told; a long evaluation is
//! cancelled by the next save.
#![cfg(feature = "cli")]

use crate::program::{Folder, cgdsl, code, err};
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

struct Watched {
    child: Child,
    lines: Receiver<String>,
}

impl Watched {
    fn new(file: &str) -> Watched {
        Watched::with(&[file])
    }

    fn with(args: &[&str]) -> Watched {
        let mut child = Command::new(env!("CARGO_BIN_EXE_cgdsl"))
            .arg("watch")
            .args(args)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the program runs");
        let out = child.stdout.take().expect("a pipe");
        let (tell, lines) = channel();
        std::thread::spawn(move || {
            for line in BufReader::new(out).lines().map_while(Result::ok) {
                if tell.send(line).is_err() {
                    return;
                }
            }
        });
        Watched { child, lines }
    }

    /// The lines of a round, up to its summary.
    fn round(&self) -> Vec<String> {
        let end = Instant::now() + Duration::from_secs(60);
        let mut all = Vec::new();
        while let Ok(line) = self
            .lines
            .recv_timeout(end.saturating_duration_since(Instant::now()))
        {
            if line.starts_with("-- ") {
                all.push(line);
                return all;
            }
            all.push(line);
        }
        panic!("no summary: {all:#?}");
    }
}

impl Drop for Watched {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn race(step: &str, more: &str) -> String {
    format!(
        "ruleset Race\n  board strip\n  pieces x = Left, o = Right\n  let to(Left) = east, to(Right) = west\n  move by p:\n    choose a, b = a + {step} * to(p)\n    where at(a) = p, at(b) = empty\n    then at(a) := empty, at(b) := p\n\n\
         ruleset One\n  board heaps\n  move by anyone: choose n then n -> [n - 1]\n\n\
         eval value(Race[\"x.o\"])\neval value(One[3])\n{more}"
    )
}

/// As editors do that never write a file in place.
fn save_by_rename(file: &str, text: &str) {
    let beside = format!("{file}.new");
    std::fs::write(&beside, text).expect("written");
    std::fs::rename(&beside, Path::new(file)).expect("renamed");
}

#[test]
fn what_changed_is_told_however_the_file_is_saved() {
    let dir = Folder::new("watch");
    let file = dir.file("race.rules", race("1", ""));
    let watched = Watched::new(&file);
    let first = watched.round();
    assert!(
        first.contains(&"value(Race[\"x.o\"]) = *".to_owned()),
        "{first:#?}"
    );
    assert!(
        first.contains(&"value(One[3]) = *".to_owned()),
        "{first:#?}"
    );
    // Two steps at a time: nobody can move.
    std::fs::write(&file, race("2", "")).expect("saved");
    let second = watched.round();
    assert_eq!(
        second[0], "value(Race[\"x.o\"]): was *, now 0",
        "{second:#?}"
    );
    assert!(
        second[1].starts_with("-- 1 changed, 1 the same, 0 wrong;"),
        "{second:#?}"
    );
    save_by_rename(&file, &race("1", "eval value(One[4])\n"));
    let third = watched.round();
    assert_eq!(third[0], "value(Race[\"x.o\"]): was 0, now *", "{third:#?}");
    assert!(
        third.contains(&"value(One[4]) = 0".to_owned()),
        "{third:#?}"
    );
    // An error appears, and vanishes.
    save_by_rename(&file, &race("1", "eval value(Oen[4])\n"));
    let fourth = watched.round();
    assert!(
        fourth
            .iter()
            .any(|l| l.contains("there is no ruleset `Oen`")),
        "{fourth:#?}"
    );
    // What cannot be asked now is not gone.
    let last = fourth.last().expect("a summary");
    assert!(
        last.contains("0 changed, 2 the same, 1 wrong, 1 not asked until the file is mended"),
        "{fourth:#?}"
    );
    save_by_rename(&file, &race("1", "eval value(One[4])\n"));
    let fifth = watched.round();
    assert!(fifth[0].starts_with("mended: line"), "{fifth:#?}");
    assert!(
        fifth[1].contains("0 changed, 3 the same, 0 wrong"),
        "{fifth:#?}"
    );
    save_by_rename(&file, &race("1", ""));
    let sixth = watched.round();
    assert_eq!(sixth[0], "value(One[4]): gone", "{sixth:#?}");
}

#[test]
fn what_was_found_and_the_cells_of_a_table_are_compared() {
    let dir = Folder::new("watch-found");
    let text = |k: &str, list: &str| {
        format!(
            "let k = {k}\nlet rows = {list}\n\nassert k = 1\ntable for m in rows, n in 1..2: m * n + (k - 2) * (m - 1)\neval k + 1\n"
        )
    };
    let file = dir.file("found.rules", text("2", "1..3"));
    let watched = Watched::new(&file);
    watched.round();
    // The assert fails as before, and finds another value; the first row of the table is the same.
    std::fs::write(&file, text("3", "1..3")).expect("saved");
    let round = watched.round();
    let said = round.join("\n");
    for line in [
        "assert k = 1: was FAILED: k is 2, now FAILED: k is 3",
        "table m * n + (k - 2) * (m - 1): 4 cells changed",
        "  m = 2, n = 1: was 2, now 3",
        "  m = 3, n = 2: was 6, now 8",
        "k + 1: was 3, now 4",
    ] {
        assert!(round.contains(&line.to_owned()), "{line}\n{said}");
    }
    assert!(!said.contains("m = 1"), "{said}");
    assert!(said.contains("-- 3 changed, 0 the same, 0 wrong"), "{said}");
    // A row goes, another comes.
    std::fs::write(&file, text("3", "{1, 2, 4}")).expect("saved");
    let said = watched.round().join("\n");
    for line in ["  m = 4, n = 1: new, 7", "  m = 3, n = 1: gone"] {
        assert!(said.contains(line), "{line}\n{said}");
    }
    // A fault in the place of an answer: what comes after it is compared with the last good answer.
    std::fs::write(&file, text("1 div 0", "{1, 2, 4}")).expect("saved");
    let said = watched.round().join("\n");
    assert!(said.contains("k + 1: was 4, now broken: "), "{said}");
    std::fs::write(&file, text("3", "{1, 2, 4}")).expect("saved");
    let said = watched.round().join("\n");
    assert!(said.contains("k + 1: 4 again"), "{said}");
    std::fs::write(&file, text("1 div 0", "{1, 2, 4}")).expect("saved");
    watched.round();
    std::fs::write(&file, text("5", "{1, 2, 4}")).expect("saved");
    let said = watched.round().join("\n");
    assert!(said.contains("k + 1: was 4, now 6"), "{said}");
}

#[test]
fn a_long_evaluation_is_cancelled_by_the_next_save() {
    let dir = Folder::new("watch-long");
    // Far more than can be worked out.
    let long = race(
        "1",
        "use \"rulesets/grids/domineering.rules\"\neval value(Domineering[grid(9, 9)])\n",
    );
    let file = dir.file("race.rules", long.replace("use \"rulesets/grids/domineering.rules\"\n", "").replace(
        "eval value(Domineering[grid(9, 9)])",
        "ruleset D\n  board grid\n  let along(Left) = south, along(Right) = east\n  move by p: choose a, b = a + along(p) where at(a) = empty, at(b) = empty then remove a, b\n\neval value(D[grid(9, 9)])",
    ));
    let watched = Watched::new(&file);
    // The quick answers come at once.
    let mut seen = Vec::new();
    while seen.len() < 2 {
        seen.push(
            watched
                .lines
                .recv_timeout(Duration::from_secs(60))
                .expect("an answer"),
        );
    }
    std::fs::write(&file, race("2", "")).expect("saved");
    let round = watched.round();
    assert!(
        round
            .iter()
            .any(|l| l == "value(Race[\"x.o\"]): was *, now 0"),
        "{seen:#?} {round:#?}"
    );
}

#[test]
fn what_cannot_be_watched_is_told() {
    for file in ["no-such-file.rules", "domineering", "-"] {
        let o = cgdsl(&["watch", file]);
        assert_eq!(code(&o), 2);
        assert!(err(&o).contains("is not a file here"), "{}", err(&o));
    }
}

#[test]
fn a_file_is_compared_with_another_one_after_each_save() {
    let dir = Folder::new("watch-against");
    let old = dir.file("old.rules", race("1", ""));
    let file = dir.file("race.rules", race("1", ""));
    let watched = Watched::with(&[&file, "--against", &old, "--up-to", "3"]);
    let first = watched.round();
    assert!(first.contains(&"  the same rules".to_owned()), "{first:#?}");
    let none = "2 queries of the files: no answer changes".to_owned();
    assert!(first.contains(&none), "{first:#?}");
    // Steps of two: the clause, the smallest positions and the queries are told. On `x..` a single step no longer is one.
    std::fs::write(&file, race("2", "")).expect("saved");
    let second = watched.round();
    let has = |line: &str| second.iter().any(|l| l.contains(line));
    for line in [
        "  - move by p",
        "  + move by p",
        "a + 2 * to(p)",
        "~ [\"x.\"]",
        "was 1, now 0",
    ] {
        assert!(has(line), "{line}\n{second:#?}");
    }
    assert!(has("~ value(Race[\"x.o\"]): was *, now 0"), "{second:#?}");
    // With an error nothing is compared; what is compared with may be saved, too.
    std::fs::write(&file, race("2", "eval value(Oen[4])\n")).expect("saved");
    let third = watched.round();
    assert!(
        !third.iter().any(|l| l.contains("boards up to")),
        "{third:#?}"
    );
    std::fs::write(&file, race("2", "")).expect("saved");
    watched.round();
    std::fs::write(&old, race("2", "")).expect("saved");
    let last = watched.round();
    assert!(last.contains(&"  the same rules".to_owned()), "{last:#?}");
    assert!(last.contains(&none), "{last:#?}");
}

#[test]
fn a_file_is_compared_with_itself_as_it_was() {
    let dir = Folder::new("watch-itself");
    let file = dir.file("race.rules", race("1", ""));
    let watched = Watched::with(&[&file, "--against", &file]);
    watched.round();
    save_by_rename(&file, &race("2", ""));
    let second = watched.round();
    let line = "  ~ value(Race[\"x.o\"]): was *, now 0".to_owned();
    assert!(second.contains(&line), "{second:#?}");
    let o = cgdsl(&["watch", &file, "--against", &file, "--up-to", "much"]);
    assert_eq!(code(&o), 2);
    assert!(err(&o).contains("`much` is not a size"), "{}", err(&o));
    assert_eq!(code(&cgdsl(&["watch", &file, "--up-to", "3"])), 2);
}
