//! Homework: a file asks, answers are compared by value and not by spelling, hints lead to the answer and do not say it, seals
//! hide it. The answers stand in the books (Bouton 1901; *Winning Ways*, ch. 3 and 5) or are worked out by hand here.

use crate::program::{Folder, cgdsl, code, err, json, out, with_input};

const HOMEWORK: &str = "\
ruleset Nim
  board heaps
  move by anyone: choose n, k in 0..n-1 then n -> [k]

ruleset Domineering
  board grid
  let   along(Left) = south, along(Right) = east
  move by p: choose a, b = a + along(p) where at(a) = empty, at(b) = empty then remove a, b

// Kept as it is.
ask \"What is the nimber of 3 + 5?\"
  expect nimber(Nim[3, 5])   // a comment
  hint   \"Write both in binary.\"
  from   \"Bouton 1901\"
ask \"What is the two by two square worth?\" expect value(Domineering[grid(2, 2)])
ask \"Who wins from 3, 5, 6?\" expect outcome(Nim[3, 5, 6])
ask \"Is the empty board worth nothing?\" expect value(Domineering[grid(1, 1)]) == 0
ask \"How many heaps has Nim[3, 5, 6]?\" expect 3
ask \"Which nimbers do the options of a heap of 3 have?\" expect gset(Nim[3])
ask \"Which moves are best from 3 + 5?\" expect best(Nim[3, 5], Left)
ask \"Who may move east?\" expect Right
";

/// Right answers to the questions, each in several spellings.
const ANSWERS: [&[&str]; 8] = [
    &[
        "6",
        "*6",
        "3 + 3",
        "{0, *, *2, *3, *4, *5 | 0, *, *2, *3, *4, *5}",
    ],
    &["+-1", "{1|-1}", "{1, 0 | -1}", "\\pm 1", "±1"],
    &["P", "p-position", "previous player", "second"],
    &["yes", "true", "Y", "1 = 1"],
    &["3", "1 + 2"],
    &["{0, 1, 2}", "{2,1,0}", "0..2"],
    &["Nim[3, 3]", "{Nim[3, 3]}", " Nim[3, 3]; Nim[3, 3]; "],
    &["Right", "right"],
];

/// Answers of the same kinds that are wrong.
const WRONG: [&str; 8] = ["*7", "{1|1}", "N", "no", "4", "{0, 1}", "Nim[3, 4]", "Left"];

fn quiz(file: &str, said: &str) -> (i32, String) {
    let o = with_input(&["quiz", file], said.as_bytes());
    (code(&o), out(&o))
}

#[test]
fn answers_are_compared_by_value_open_or_sealed() {
    let dir = Folder::new("quiz");
    let file = dir.file("homework.rules", HOMEWORK);
    let students = dir.0.join("students.rules").display().to_string();
    let o = cgdsl(&["seal", &file, "-o", &students]);
    assert_eq!(code(&o), 0, "{}", err(&o));
    assert!(out(&o).contains("8 answers sealed"), "{}", out(&o));
    let text = std::fs::read_to_string(&students).expect("sealed");
    assert!(!text.contains("expect") && text.matches("seal \"").count() == 8);
    assert!(text.contains("// Kept as it is.") && text.contains("// a comment"));
    // The same file, the same seals; and its layout survives.
    assert_eq!(out(&cgdsl(&["seal", &file])), text);
    assert_eq!(code(&cgdsl(&["fmt", "--check", &students])), 0);
    let most = ANSWERS.iter().map(|a| a.len()).max().unwrap_or(0);
    for i in 0..most {
        let said: Vec<&str> = ANSWERS.iter().map(|a| a[i.min(a.len() - 1)]).collect();
        let said = said.join("\n") + "\n";
        for file in [&file, &students] {
            let (end, text) = quiz(file, &said);
            assert_eq!(end, 0, "{said}\n{text}");
            assert!(
                text.contains("8 of 8 right, at the first attempt."),
                "{text}"
            );
        }
    }
    for file in [&file, &students] {
        let o = with_input(&["quiz", file, "--once"], WRONG.join("\n").as_bytes());
        assert_eq!(code(&o), 1);
        assert!(out(&o).contains("0 of 8 right."), "{}", out(&o));
    }
}

#[test]
fn hints_lead_to_the_answer_and_do_not_say_it() {
    let dir = Folder::new("quiz-hints");
    let file = dir.file("homework.rules", HOMEWORK);
    let (end, said) = quiz(
        &file,
        "7\nhint\nhint\nhint\nhint\nhelp\nnimber(\n{0|1}\n6\nquit\n",
    );
    assert_eq!(end, 1);
    for part in [
        "8 questions;",
        "1 of 8: What is the nimber of 3 + 5?",
        "> 7\nNo.\nHint: Write both in binary.",
        "Hint: Its parts are nimbers: add them in binary, without carrying.",
        "There are no more hints; `show` gives up.",
        "\n  type a nimber, such as 2 or *2\n",
        "; type a nimber, such as 2 or *2.",
        "Right.  [Bouton 1901]",
        "1 of 8 right.",
    ] {
        assert!(said.contains(part), "{part}\n{said}");
    }
    let before = said.split("> 6").next().unwrap_or("");
    assert!(!before.contains(" 6"), "{said}");
    let (end, said) = quiz(&file, "show\nskip\n");
    assert_eq!(end, 1);
    assert!(
        said.contains("It is 6.") && said.contains("3 of 8: "),
        "{said}"
    );
}

/// What people type who do not know how the language writes it.
#[test]
fn answers_are_taken_as_people_type_them() {
    let dir = Folder::new("quiz-spoken");
    let file = dir.file(
        "spoken.rules",
        "ask \"Up?\" expect ^\nask \"Star?\" expect *\nask \"Three quarters?\" expect 3/4 == 3/4\n\
         ask \"A number?\" expect {1/2|1}\nask \"Half?\" expect {0|1}\nask \"Which?\" expect {0, 1}\n\
         ask \"Who?\" expect outcome({1|-1})\nask \"A switch?\" expect {1|-1}\n",
    );
    for answers in [
        [
            "up",
            "star",
            "yes",
            "0.75",
            "1/2",
            "0, 1",
            "the next player",
            "plus minus 1",
        ],
        ["Up", "Star", "Y", "3/4", ".5", "{1, 0}", "N", "+-1"],
        [
            "^",
            "*",
            "true",
            "three quarters",
            "a half",
            "{0,1}",
            "first player",
            "±1",
        ],
    ] {
        let (end, said) = quiz(&file, &(answers.join("\n") + "\n"));
        assert_eq!(end, 0, "{said}");
        assert!(
            said.contains("8 of 8 right, at the first attempt."),
            "{said}"
        );
    }
}

/// Loopy and loony values and infinite nimbers are compared by value, open or sealed. A token that can stay where it is, or
/// leave for a vertex without arcs, is an infinite nimber: its only label is 0.
#[test]
fn answers_may_be_loopy_or_infinite() {
    let dir = Folder::new("quiz-loopy");
    let file = dir.file(
        "loopy.rules",
        "ruleset Walk\n  board digraph\n  state token: vertex\n  \
         move by anyone: choose v in out(token) then token := v\n\n\
         ask \"A walk?\" expect nimber(Walk[a -> a, a -> z, token: a])\n\
         ask \"Twice over?\" expect over + over\nask \"What is left?\" expect over - over\n\
         ask \"The least?\" expect off\nask \"Which?\" expect {over, loony}\n",
    );
    let sealed = dir.0.join("sealed.rules").display().to_string();
    let o = cgdsl(&["seal", &file, "-o", &sealed]);
    assert_eq!(code(&o), 0, "{}", err(&o));
    for answers in [
        ["oo{0}", "over", "over & under", "off", "{over, loony}"],
        [
            "nimber(Walk[b -> b, b -> c, token: b])",
            "{0|pass}",
            "over + under",
            "-on",
            "loony, 1 - 1 + over",
        ],
    ] {
        for file in [&file, &sealed] {
            let (end, said) = quiz(file, &(answers.join("\n") + "\n"));
            assert_eq!(end, 0, "{said}");
            assert!(
                said.contains("5 of 5 right, at the first attempt."),
                "{said}"
            );
        }
    }
    for file in [&file, &sealed] {
        let wrong = ["oo{}", "upon", "dud", "on", "over"].join("\n");
        let o = with_input(&["quiz", file, "--once"], wrong.as_bytes());
        assert!(out(&o).contains("0 of 5 right."), "{}", out(&o));
    }
}

#[test]
fn an_empty_line_asks_again_and_one_may_go_back() {
    let dir = Folder::new("quiz-back");
    let file = dir.file(
        "back.rules",
        "ask \"One?\" expect 1\nask \"Two?\" expect 2\nask \"Three?\" expect 3\n",
    );
    let (end, said) = quiz(&file, "\n\n5\n1\nback\nback\n1\n2\n3\n");
    assert_eq!(end, 0, "{said}");
    assert_eq!(said.matches("1 of 3: One?").count(), 3, "{said}");
    assert_eq!(said.matches("2 of 3: Two?").count(), 2, "{said}");
    assert!(said.contains("> \n> \n> 5\nNo."), "{said}");
    assert!(said.contains("This is the first question."), "{said}");
    assert!(
        said.contains("3 of 3 right, 2 of them at the first attempt"),
        "{said}"
    );
    // A question that is passed over is not lost.
    let (end, said) = quiz(&file, "skip\nback\n1\nskip\n3\n");
    assert_eq!(end, 1);
    assert!(said.contains("2 of 3 right"), "{said}");
}

/// Whatever is typed, it is said how an answer is written.
#[test]
fn what_is_no_answer_is_told_how_to_be_one() {
    let dir = Folder::new("quiz-unread");
    let kinds = [
        ("value({1|-1})", "a value, such as 3/4"),
        ("nimber(Nim[3, 5])", "a nimber, such as 2 or *2"),
        ("1 + 1", "an integer, such as 5"),
        ("1 = 1", "yes or no"),
        ("outcome({1|-1})", "an outcome: L, R, N or P"),
        ("{1, 2}", "a set, such as {1, 2}"),
        ("[1, 2]", "a list, such as [1, 2]"),
        ("best(Nim[3, 5], Left)", "positions or boards"),
    ];
    let rules =
        "ruleset Nim\n  board heaps\n  move by anyone: choose n, k in 0..n-1 then n -> [k]\n";
    for (expected, wanted) in kinds {
        let file = dir.file(
            "a.rules",
            format!("{rules}\nask \"What?\" expect {expected}\n"),
        );
        for typed in ["(", "what is this", "{{1", "1 +", "\"", "½ of it", "a -- b"] {
            let (_, said) = quiz(&file, &format!("{typed}\n"));
            assert!(
                said.contains("No.") || said.contains(&format!("type {wanted}")),
                "{expected} {typed}: {said}"
            );
        }
    }
}

#[test]
fn a_quiz_for_programs_and_what_is_no_quiz() {
    let dir = Folder::new("quiz-json");
    let file = dir.file("homework.rules", HOMEWORK);
    let o = with_input(&["quiz", &file, "--json"], b"5\n6\n+-1\n");
    assert_eq!(code(&o), 1);
    let v = json(&o);
    assert_eq!((&v["right"], &v["of"]), (&2.into(), &8.into()));
    assert_eq!(v["questions"][0]["answers"], serde_json::json!(["5", "6"]));
    assert_eq!(v["questions"][0]["hints"], 1);
    // What is asked is not a query: it is checked, kept and not answered.
    let o = cgdsl(&["eval", &file]);
    assert_eq!(code(&o), 0);
    assert_eq!(
        out(&o),
        format!("8 questions are asked by: cgdsl quiz {file}\n")
    );
    let o = cgdsl(&["check", &file]);
    assert!(
        out(&o).ends_with("fine (2 rulesets, 0 queries, 8 questions)\n"),
        "{}",
        out(&o)
    );
    json(&cgdsl(&["check", &file, "--json"]));
    // Broken input.
    for (args, input) in [
        (vec!["quiz", "-"], ""),
        (vec!["quiz", "nim"], ""),
        (vec!["quiz", "no-such-file.rules"], ""),
        (vec!["seal", "nim"], ""),
        (vec!["seal", &file, "-o", &file], ""),
        (vec!["seal", &file, "-o", "no/such/folder/x"], ""),
    ] {
        let o = with_input(&args, input.as_bytes());
        assert_eq!(code(&o), 2, "{args:?} {}", out(&o));
        assert!(!err(&o).is_empty());
    }
    assert_eq!(
        std::fs::read_to_string(&file).ok().as_deref(),
        Some(HOMEWORK)
    );
    let bad = dir.file(
        "bad.rules",
        "ask \"Divide.\" expect 1 div 0\nask \"Add.\" expect 1 + 1\n",
    );
    let o = with_input(&["quiz", &bad], b"2\n");
    assert_eq!(code(&o), 2);
    assert!(out(&o).contains("1 of 1 right"), "{}", out(&o));
    assert_eq!(code(&cgdsl(&["seal", &bad])), 2);
    let long = dir.file(
        "long.rules",
        HOMEWORK.split("// Kept").next().unwrap_or("").to_owned()
            + "ask \"What is it worth?\" expect value(Domineering[grid(5, 5)])\n",
    );
    let o = with_input(&["quiz", &long, "--nodes", "20"], b"0\n");
    assert_eq!(code(&o), 3, "{}{}", out(&o), err(&o));
    let o = with_input(&["quiz", &file], b"\xff\xfe\n((((\n{{{{\n\"\n");
    assert_eq!(code(&o), 1);
}

#[test]
fn a_class_is_marked_with_reasons_and_no_file_ends_the_marking() {
    let dir = Folder::new("class");
    let file = dir.file(
        "homework.rules",
        "use \"nim\"\nuse \"domineering\"\nask \"a\"\n  expect nimber(Nim[3, 5])\nask \"b\"\n  expect outcome(Nim[3, 5, 6])\nask \"c\"\n  expect value(Domineering[grid(2, 2)])\n",
    );
    let answers = dir.0.join("answers");
    std::fs::create_dir_all(answers.join("folder")).expect("a folder");
    let write =
        |name: &str, bytes: &[u8]| std::fs::write(answers.join(name), bytes).expect("a file");
    write("ada.txt", b"6\nP\n+-1\n");
    write("bob.txt", b"4\r\n\r\nN\r\n0\r\n");
    write("=cmd|x.txt", b"6\nskip\n");
    write("eve.txt", b"\xff\xfe\x00");
    write("huge.txt", &vec![b'7'; 2 << 20]);
    write("long.txt", "7".repeat(9000).as_bytes());
    write("loop.txt", b"6\nP\nDomineering[grid(9, 9)]\n");
    write("nonsense.txt", b")(\n\x1b[31m\n{|||\n7\n");
    write(".hidden", b"6\n");
    let folder = answers.display().to_string();
    let o = cgdsl(&["quiz", &file, "--mark", &folder]);
    assert_eq!(code(&o), 3, "{}{}", out(&o), err(&o));
    for part in [
        "ada       +++  3 of 3",
        "bob       ---  0 of 3",
        "bob: 1: `4`: There is a move to",
        "bob: 2: `N`: If Left begins, Right wins:",
        "bob: 3: `0`: The value is confused with 0: Left can move to",
        "eve: not marked: it is not UTF-8 text",
        "huge: not marked: it is longer than",
        "loop      ++~  2 of 3",
        "within five seconds",
    ] {
        assert!(out(&o).contains(part), "{part}\n{}", out(&o));
    }
    assert!(!out(&o).contains('\x1b') && !out(&o).contains("hidden"));
    std::fs::remove_file(answers.join("loop.txt")).expect("removed");
    let o = cgdsl(&["quiz", &file, "--mark", &folder, "--format", "csv"]);
    assert_eq!(code(&o), 1, "{}", err(&o));
    assert!(
        out(&o).starts_with("name,1,2,3,right,of,remarks\n"),
        "{}",
        out(&o)
    );
    assert!(out(&o).contains("\"'=cmd|x\",1,0,0,1,3,"), "{}", out(&o));
    let o = cgdsl(&["quiz", &file, "--mark", &folder, "--format", "markdown"]);
    assert!(out(&o).contains("| ada | + | + | + | 3 |"), "{}", out(&o));
    assert!(out(&o).contains("| =cmd\\|x |"), "{}", out(&o));
    let v = json(&cgdsl(&["quiz", &file, "--mark", &folder, "--json"]));
    assert_eq!(v["of"], 3);
    assert_eq!(v["students"][1]["name"], "ada");
    assert_eq!(v["students"][1]["right"], 3);
    let o = cgdsl(&["quiz", &file, "--mark", "no-such-folder"]);
    assert_eq!(code(&o), 2);
}
