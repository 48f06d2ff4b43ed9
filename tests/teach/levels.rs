//! The levels of the course: each is solved by its solution (`docs/course/solutions/levels.txt`), and each answer that does not
//! solve it is told why. The program keeps what was solved, draws the map, and judges certificates again.

use crate::program::{Folder, cgdsl, code, err, json, out, with_input};
use cgdsl::session::Settings;
use cgdsl::session::levels::{Kind, Verdict, lessons, level, levels};
use std::path::Path;

/// Each level with an answer that solves it, and answers that do not.
fn solutions() -> Vec<(String, String, Vec<String>)> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/course/solutions/levels.txt");
    let text = std::fs::read_to_string(path).expect("the solutions");
    let lines = text.lines().filter(|l| !l.starts_with('#'));
    lines
        .map(|line| {
            let (id, answers) = line.split_once(' ').expect("a level");
            let mut answers = answers.split(" ~ ").map(str::to_owned);
            let right = answers.next().expect("an answer");
            (id.to_owned(), right, answers.collect())
        })
        .collect()
}

#[test]
fn there_are_levels_of_every_kind_in_every_lesson() {
    assert_eq!(lessons().len(), 20);
    assert!(levels().count() >= 120);
    for lesson in lessons() {
        assert!(lesson.levels.len() >= 6, "{}", lesson.title);
        assert!(lesson.needs.iter().all(|n| *n < lesson.number));
        for level in &lesson.levels {
            let shown = level.show(&Settings::default());
            assert!(!shown.hints.is_empty(), "{} has no hint", level.id());
            assert!(
                !(shown.question.is_empty() && shown.items.is_empty()),
                "{} asks nothing",
                level.id()
            );
        }
    }
    for kind in [
        Kind::Predict,
        Kind::Move,
        Kind::Change,
        Kind::Build,
        Kind::Refute,
    ] {
        assert!(
            levels().filter(|l| l.kind == kind).count() >= 10,
            "{kind:?}"
        );
    }
}

#[test]
fn each_level_is_solved_by_its_solution_and_each_other_answer_is_told_why() {
    let all = solutions();
    let ids: Vec<String> = levels().map(cgdsl::session::levels::Level::id).collect();
    let solved: Vec<String> = all.iter().map(|s| s.0.clone()).collect();
    assert_eq!(ids, solved);
    let mut complaints = Vec::new();
    for (id, right, wrong) in &all {
        let level = level(id).expect("a level");
        let verdict = level.judge(right, &Settings::default());
        if !matches!(verdict, Verdict::Right(_)) {
            complaints.push(format!("{id}: {right}: {verdict:?}"));
        }
        assert!(!wrong.is_empty(), "{id}");
        for answer in wrong {
            match level.judge(answer, &Settings::default()) {
                Verdict::Wrong(why) if why.len() > 12 && why != "It is something else." => {}
                verdict => complaints.push(format!("{id}: {answer}: {verdict:?}")),
            }
        }
        // Nonsense is told apart from a wrong answer.
        for nonsense in [")(", "a\nb"] {
            let verdict = level.judge(nonsense, &Settings::default());
            if !matches!(verdict, Verdict::Unread(_) | Verdict::Wrong(_)) {
                complaints.push(format!("{id}: {nonsense:?}: {verdict:?}"));
            }
        }
    }
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

/// What is not an answer at all is met with the form of one, in every level, and is not counted.
#[test]
fn what_is_no_answer_is_told_how_to_be_one() {
    for level in levels() {
        for typed in ["no idea", "(", "?!"] {
            let Verdict::Unread(said) = level.judge(typed, &Settings::default()) else {
                panic!("{}: `{typed}` is taken for an answer", level.id());
            };
            let told = match level.kind {
                Kind::Predict => said.contains("; type "),
                Kind::Move => {
                    said.contains("Type what is chosen") || said.starts_with("Which of these?")
                }
                Kind::Change => said.contains(" -> "),
                Kind::Build => said.contains("written like this"),
                Kind::Refute => said.contains("Say which"),
            };
            assert!(told, "{}, `{typed}`: {said}", level.id());
            let grammar = ["expected ", "end of the item"];
            assert!(
                !grammar.iter().any(|g| said.contains(g)),
                "{}: {said}",
                level.id()
            );
        }
    }
}

/// A mean, a temperature or a stop is judged as a number that is read off from a game, not as a game of its own; a win that may
/// be put off for ever is shown by the move that ends play. {7 | -1} and {5 | -3} are switches; 2 + {1 | 0} and {2 | -2} + {1 | 0}
/// are played out by hand.
#[test]
fn a_wrong_measure_is_refuted_by_the_stops_and_the_walls() {
    for (id, answer, why) in [
        (
            "12.1",
            "12",
            "The mean is less than 12: it lies between the stops, 7 and -1.",
        ),
        ("12.1", "4", "The mean is less than 4."),
        (
            "12.2",
            "2",
            "at 2 the walls of the thermograph are still apart, at 3 and -1.",
        ),
        ("12.2", "8", "the walls of the thermograph meet below 8."),
        (
            "12.3",
            "1",
            "The left stop is greater than 1: Left can do better by moving to",
        ),
        (
            "12.3",
            "3",
            "The left stop is less than 3: whatever Left does, Right can prevent it.",
        ),
        ("11.5", "1", "The atomic weight is greater than 1."),
        ("17.3", "D", "the move x = c leaves"),
        ("16.1", "12", "type A, B or C."),
        (
            "4.3",
            "1",
            "1 is too large: a position of nimber 1 has a move to one of nimber 0",
        ),
    ] {
        let level = level(id).expect("a level");
        let (Verdict::Wrong(said) | Verdict::Unread(said)) =
            level.judge(answer, &Settings::default())
        else {
            panic!("{id}: {answer}");
        };
        assert!(said.contains(why), "{id}: {answer}: {said}");
    }
    let shown = |id: &str| {
        level(id)
            .expect("a level")
            .show(&Settings::default())
            .wanted
    };
    assert_eq!(shown("16.1"), "a player, such as A");
    assert!(
        shown("12.8").ends_with("`a = .., b = ..`"),
        "{}",
        shown("12.8")
    );
    assert!(shown("1.7").ends_with("`Take[1]`"), "{}", shown("1.7"));
}

#[test]
fn levels_are_played_in_the_terminal_and_kept() {
    let dir = Folder::new("learn");
    let progress = dir.0.join("deep/progress.json").display().to_string();
    let o = with_input(
        &["learn", "1.1", "--progress", &progress],
        b"Right\nhint\nhint\nhelp\nrules\nnonsense(\nleft\n",
    );
    assert_eq!(code(&o), 0, "{}{}", out(&o), err(&o));
    for part in [
        "1.1  Three counters",
        "> Right\nNo. If Left begins, Left wins:",
        "Hint: How many counters",
        "There are no more hints.",
        "ruleset Take",
        "Right.",
        "1 of 1 solved.",
    ] {
        assert!(out(&o).contains(part), "{part}: {}", out(&o));
    }
    let o = cgdsl(&["learn", "--progress", &progress]);
    assert_eq!(code(&o), 0);
    assert!(out(&o).contains("1 What a game is"), "{}", out(&o));
    assert!(out(&o).contains("#......."), "{}", out(&o));
    assert!(out(&o).contains("goes on with 1.2"), "{}", out(&o));
    // The end of the input ends the game.
    let o = with_input(
        &["learn", "2", "--progress", &progress],
        b"P\nskip\nback\nquit\n",
    );
    assert_eq!(code(&o), 1, "{}", out(&o));
    let o = with_input(&["learn", "next", "--progress", &progress], b"");
    assert_eq!(code(&o), 1);
    assert!(out(&o).contains("1.2  Four counters"), "{}", out(&o));
    let o = with_input(
        &["learn", "1.2", "--json", "--progress", &progress],
        b"Left\nRight\n",
    );
    assert_eq!(code(&o), 0, "{}", out(&o));
    let v = json(&o);
    assert_eq!(v["levels"][0]["answers"][0]["verdict"], "wrong");
    assert_eq!(v["levels"][0]["answers"][1]["verdict"], "right");
    let v = json(&cgdsl(&["learn", "--json", "--progress", &progress]));
    assert_eq!(v["solved"], 2);
    let map = dir.0.join("map.svg").display().to_string();
    let o = cgdsl(&["learn", "--map", "-o", &map, "--progress", &progress]);
    assert_eq!(code(&o), 0, "{}", err(&o));
    let picture = std::fs::read_to_string(&map).expect("a picture");
    assert!(
        picture.contains("2 of ") && picture.contains("<svg "),
        "{picture}"
    );
}

#[test]
fn a_certificate_is_judged_again() {
    let dir = Folder::new("certificate");
    let progress = dir.0.join("p.json").display().to_string();
    let o = cgdsl(&["learn", "--certificate", "Ada", "--progress", &progress]);
    assert_eq!(code(&o), 2, "{}", out(&o));
    let o = with_input(
        &["learn", "3", "--progress", &progress],
        b"6\nP\nNim[1, 4, 5]\nskip\nskip\n1, 1\n1, 4, 5\n< -> <=\n",
    );
    assert_eq!(code(&o), 1, "{}{}", out(&o), err(&o));
    let file = dir.0.join("ada.json").display().to_string();
    let o = cgdsl(&[
        "learn",
        "--certificate",
        "Ada",
        "--progress",
        &progress,
        "-o",
        &file,
    ]);
    assert_eq!(code(&o), 0, "{}", err(&o));
    let o = cgdsl(&["learn", "--verify", &file]);
    assert_eq!(code(&o), 0, "{}{}", out(&o), err(&o));
    assert!(out(&o).contains("Ada, 6 of "), "{}", out(&o));
    // Somebody adds what he did not solve.
    let text = std::fs::read_to_string(&file).expect("a certificate");
    let forged = dir.file("forged.json", text.replace("\"6\"", "\"7\""));
    let o = cgdsl(&["learn", "--verify", &forged]);
    assert_eq!(code(&o), 1, "{}", out(&o));
    assert!(out(&o).contains("3.1: wrong: `7`"), "{}", out(&o));
    let twice = text.replace("\"3.2\"", "\"3.1\"");
    let twice = dir.file("twice.json", twice.replace("\"3.3\"", "\"99.1\""));
    let v = json(&cgdsl(&["learn", "--verify", &twice, &file, "--json"]));
    assert_eq!(v["certificates"][0]["solved"], 4);
    assert_eq!(v["certificates"][1]["solved"], 6);
    for hostile in [
        &b"\xff\xfe"[..],
        b"",
        b"{}",
        b"[1, 2",
        b"{\"format\": \"x\", \"solved\": []}",
    ] {
        let file = dir.file("hostile.json", hostile);
        let o = cgdsl(&["learn", "--verify", &file]);
        assert_eq!(code(&o), 2, "{}", out(&o));
        let o = cgdsl(&["learn", "--progress", &file]);
        assert_eq!(code(&o), 2, "{}", out(&o));
        // It is not written over.
        let o = with_input(&["learn", "1.1", "--progress", &file], b"Left\n");
        assert_eq!(code(&o), 2);
        assert_eq!(std::fs::read(&file).expect("it"), hostile);
    }
    let o = cgdsl(&["learn", "--verify", "no-such-file"]);
    assert_eq!(code(&o), 2);
    let o = cgdsl(&["learn", "77", "--progress", &progress]);
    assert_eq!(code(&o), 2);
    assert!(
        err(&o).contains("`cgdsl learn` shows the map"),
        "{}",
        err(&o)
    );
}
