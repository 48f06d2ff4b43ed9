//! The tutorial's questions: each file asks, and the answers that are written down here, worked out by hand or taken from the
//! books, are right; so are those to the file after the change that it proposes. What hints say of the rule holds before and
//! after it. A file of mistakes is mended by what the messages say.

use crate::program::{Folder, cgdsl, code, err, out, with_input};
use std::path::Path;

/// The files with right answers, in the order of the questions.
const ANSWERS: [(&str, &[&str]); 12] = [
    // 3, 5, 6 balance (Bouton 1901); 3 xor 5 = 6, so 6 must be left of the 7.
    ("01-nim.rules", &["P", "6", "6"]),
    // {1, 3, 4}: 0 1 0 1 2 3 2, period 7 (Winning Ways, ch. 4). From 4: to 3, 1, 0, worth 1, 1, 0.
    ("02-nimbers.rules", &["{0, 1}", "*2", "2", "7"]),
    // 3 by 3 without the poisoned square.
    ("03-draw.rules", &["8", "9"]),
    // Two dominoes, one, two of Right's; a switch of 1 and -1.
    ("04-domineering.rules", &["2", "1", "-2", "N"]),
    // When it is mended (below).
    ("05-mistakes.rules", &[]),
    // Berlekamp's rule: brb = 3/4, brr = 1/4, rb = -1/2.
    ("06-numbers.rules", &["3/4", "1/4", "-1/2", "1/2"]),
    // +-1 + +-1 = 0; {1|-1} + 1; every nimber is its own negative.
    ("07-sums.rules", &["0", "{2|0}", "yes"]),
    ("08-canonical.rules", &["1/2", "yes", "{{2|0}|0}"]),
    // Winning Ways, ch. 2 and 3.
    ("09-infinitesimals.rules", &["0", "^", "no", "yes", "yes"]),
    // (2 + 1/2)/2, (2 - 1/2)/2; Left takes 2, Right answers by 0.
    ("10-hot.rules", &["5/4", "3/4", "2"]),
    // 1, 1; from 3, 4, 5 (nim-sum 2) only the heap of 3 can be cut: to 1.
    ("11-play.rules", &["1, 1", "1, 4, 5"]),
    // A gap of three: *; three cells before a stone alone; x.o..: both take from the one gap.
    ("12-own.rules", &["*", "3", "*"]),
];

/// A change that an exercise proposes, and what is right then.
struct Changed {
    file: &'static str,
    from: &'static str,
    to: &'static str,
    answers: &'static [&'static str],
}

const CHANGED: [Changed; 4] = [
    Changed {
        file: "01-nim.rules",
        from: "k in 0..n-1 then",
        to: "k in n-2..n-1 where k >= 0 then",
        // Of a heap only the remainder by 3 matters (Lessons in Play, ch. 7): 0, 2, 0; 0 xor 2; 5 has the remainder 2.
        answers: &["N", "2", "5"],
    },
    Changed {
        file: "02-nimbers.rules",
        from: "{1, 3, 4}",
        to: "{2, 5, 6}",
        // By hand: 0 0 1 1 0 2 1 3 0 2 1, and again. From 4 only to 2.
        answers: &["{1}", "0", "1", "11"],
    },
    Changed {
        file: "04-domineering.rules",
        from: "along(Left) = south, along(Right) = east",
        to: "along(Left) = east, along(Right) = south",
        // The players exchanged: all values are negated.
        answers: &["-2", "-1", "2", "N"],
    },
    Changed {
        file: "12-own.rules",
        from: "then   at(a) := empty, at(b) := p\n",
        to: "then   at(a) := empty, at(b) := p\n  move by p:\n    choose a, b = a + to(p), c = b + to(p)\n    where  at(a) = p, at(b) = opponent(p), at(c) = empty\n    then   at(a) := empty, at(c) := p\n",
        // By hand. Side by side with a cells behind x and b behind o they are worth {b - a - 2|b - a + 2}, a side that cannot
        // jump left out. So .xo.. is 0 and xo... is {1|} = 2; x.o.. is {0|2} = 1. And .x..o is {-1|*} = 0, so x...o is *.
        answers: &["*", "3", "1"],
    },
];

/// What each hint says of the rule, as conditions that hold with the file as it is and as it is changed. A hint that says
/// nothing of the rule has none; every hint is listed.
const HINTS: [(&str, &str, &[&str]); 25] = [
    (
        "01-nim.rules",
        "Find the nimber of each heap alone; write them in binary, one below the other, and add without carrying.",
        &["nimber(Nim[3, 5, 6]) = xor([nimber(Nim[3]), nimber(Nim[5]), nimber(Nim[6])])"],
    ),
    (
        "01-nim.rules",
        "Add the nimbers of 3 alone and of 5 alone, in binary and without carrying.",
        &["nimber(Nim[3, 5]) = xor([nimber(Nim[3]), nimber(Nim[5])])"],
    ),
    (
        "01-nim.rules",
        "What is left of it must be worth what the others are worth together, and one move must lead there.",
        // One answer only.
        &[
            "size({k in 0..6: Nim[3, 5, k] in best(Nim[3, 5, 7], Left)}) = 1",
            "all k in 0..6 where Nim[3, 5, k] in best(Nim[3, 5, 7], Left): nimber(Nim[k]) = nimber(Nim[3, 5])",
        ],
    ),
    (
        "02-nimbers.rules",
        "Which heaps does a heap of 4 lead to? Begin with the nimbers of these.",
        &["gset(Take[4]) = {nimber(Take[4 - k]) for k in taken where k <= 4}"],
    ),
    (
        "02-nimbers.rules",
        "The mex: the least number that is not in the set.",
        &["nimber(Take[4]) = mex(gset(Take[4]))"],
    ),
    ("02-nimbers.rules", "cgdsl seq 02-nimbers.rules Take", &[]),
    ("03-draw.rules", "cgdsl draw chomp 'chomp(3, 3)'", &[]),
    (
        "04-domineering.rules",
        "How many dominoes has Left room for, and how many Right?",
        &[],
    ),
    (
        "04-domineering.rules",
        "Whoever starts has room for one more domino afterwards, and the other for none.",
        &["value(Dominoes[grid(2, 2)]) == {1|-1}"],
    ),
    (
        "05-mistakes.rules",
        "cgdsl why 05-mistakes.rules '...|...'",
        &[],
    ),
    (
        "06-numbers.rules",
        "Left can leave 0 or a stalk \"br\", Right a stalk \"b\".",
        &[
            "value(Hackenbush[stalk(\"brb\")]) == {0, value(Hackenbush[stalk(\"br\")])|value(Hackenbush[stalk(\"b\")])}",
        ],
    ),
    (
        "06-numbers.rules",
        "It lies between 0 and the stalk \"br\".",
        &[
            "value(Hackenbush[stalk(\"brr\")]) > 0 and value(Hackenbush[stalk(\"brr\")]) < value(Hackenbush[stalk(\"br\")])",
        ],
    ),
    (
        "07-sums.rules",
        "Whatever one does in the first, the other answers in the second.",
        &["outcome(Dominoes[grid(2, 2)] + Dominoes[grid(2, 2)]) = P-position"],
    ),
    (
        "07-sums.rules",
        "A number is added to both options of a switch.",
        &["{1|-1} + 1 == {1 + 1|-1 + 1}"],
    ),
    (
        "08-canonical.rules",
        "-1 is less than 0, and it is Left who chooses.",
        &["{0, -1|1} == {0|1}"],
    ),
    (
        "08-canonical.rules",
        "Left can answer it by 0. Is 0 at least as good for Left as the whole board?",
        &["0 >= value(Dominoes[grid(2, 4)])"],
    ),
    (
        "09-infinitesimals.rules",
        "Who starts takes one star, and then?",
        &["* + * == 0"],
    ),
    (
        "09-infinitesimals.rules",
        "Play ^ + *, with Right to start: he moves to ^ or to * + *.",
        &["^ + * == {*, ^|0, ^}"],
    ),
    (
        "10-hot.rules",
        "(a - b)/2 for a switch {a|b}.",
        &["temperature({2|-1/2}) == 5/4"],
    ),
    ("10-hot.rules", "(a + b)/2.", &["mean({2|-1/2}) == 3/4"]),
    (
        "10-hot.rules",
        "Left moves in the hotter one, Right in the other.",
        &["temperature({2|-1/2}) > temperature({1|0})"],
    ),
    (
        "11-play.rules",
        "Two equal heaps are each other's mirror.",
        &["outcome(Nim[1, 1]) = P-position"],
    ),
    (
        "11-play.rules",
        "The nim-sum of what is left must be 0: 4 xor 5 is 1.",
        &["xor([4, 5]) = 1 and Nim[1, 4, 5] in best(Nim[3, 4, 5], Left)"],
    ),
    (
        "12-own.rules",
        "Begin with smaller gaps: what are x.o and x..o worth?",
        &[],
    ),
    ("12-own.rules", "Which way does Right go?", &[]),
];

fn folder() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/tutorial/src/exercises")
}

#[test]
fn the_tutorial_asks_and_its_answers_are_right() {
    let there = std::fs::read_dir(folder()).expect("exercises").count();
    assert_eq!(there, ANSWERS.len());
    for (name, answers) in ANSWERS.iter().filter(|a| !a.1.is_empty()) {
        let file = folder().join(name).display().to_string();
        let o = with_input(&["quiz", &file], (answers.join("\n") + "\n").as_bytes());
        let of = answers.len();
        assert_eq!(code(&o), 0, "{name}: {}{}", out(&o), err(&o));
        assert!(
            out(&o).contains(&format!("{of} of {of} right, at the first attempt.")),
            "{name}: {}",
            out(&o)
        );
        let o = cgdsl(&["fmt", "--check", &file]);
        assert_eq!(code(&o), 0, "{}", out(&o));
    }
}

/// The file as the exercise proposes to change it.
fn changed(of: &Changed) -> String {
    let text = std::fs::read_to_string(folder().join(of.file)).expect("an exercise");
    let text = text.replace("\r\n", "\n");
    assert_eq!(text.matches(of.from).count(), 1, "{}: {}", of.file, of.from);
    text.replace(of.from, of.to)
}

#[test]
fn answers_are_right_after_the_change_that_an_exercise_proposes() {
    let dir = Folder::new("exercises-changed");
    for of in &CHANGED {
        let file = dir.file(of.file, changed(of));
        let o = with_input(&["quiz", &file], (of.answers.join("\n") + "\n").as_bytes());
        let n = of.answers.len();
        assert!(
            out(&o).contains(&format!("{n} of {n} right, at the first attempt.")),
            "{}: {}{}",
            of.file,
            out(&o),
            err(&o)
        );
    }
    // Every change of a rule that a file proposes is tried; the others ask for another question, or none.
    for (name, _) in ANSWERS {
        let text = std::fs::read_to_string(folder().join(name)).expect("an exercise");
        let head: String = text.lines().take_while(|l| l.starts_with("//")).collect();
        let proposes = head.contains("answer again");
        assert_eq!(proposes, CHANGED.iter().any(|c| c.file == name), "{name}");
    }
}

#[test]
fn hints_are_true_before_and_after_the_change() {
    let dir = Folder::new("exercises-hints");
    for (name, _) in ANSWERS {
        let text = std::fs::read_to_string(folder().join(name)).expect("an exercise");
        let written: Vec<&str> = text
            .lines()
            .filter_map(|l| l.trim().strip_prefix("hint"))
            .map(|l| l.trim().trim_matches('"'))
            .collect();
        let listed: Vec<&str> = HINTS.iter().filter(|h| h.0 == name).map(|h| h.1).collect();
        let listed: Vec<String> = listed.iter().map(|h| h.replace('"', "\\\"")).collect();
        assert_eq!(written, listed, "{name}");
        if name == "05-mistakes.rules" {
            continue;
        }
        let mut texts = vec![text.replace("\r\n", "\n")];
        texts.extend(CHANGED.iter().filter(|c| c.file == name).map(changed));
        for (i, mut text) in texts.into_iter().enumerate() {
            for condition in HINTS.iter().filter(|h| h.0 == name).flat_map(|h| h.2) {
                text.push_str(&format!("assert {condition}\n"));
            }
            let o = cgdsl(&["eval", &dir.file(&format!("{i}-{name}"), text)]);
            assert_eq!(code(&o), 0, "{name}: {}{}", out(&o), err(&o));
        }
    }
}

#[test]
fn the_file_of_mistakes_is_mended_by_its_messages() {
    let dir = Folder::new("exercises");
    let text = std::fs::read_to_string(folder().join("05-mistakes.rules")).expect("a file");
    let mut text = text.replace("\r\n", "\n");
    let file = dir.file("05-mistakes.rules", &text);
    let mut rounds = 0;
    loop {
        let o = cgdsl(&["check", &file]);
        if code(&o) == 0 {
            break;
        }
        // Each message shows the word at fault in its line, and the one that is meant.
        let said = err(&o);
        let mut mended = false;
        for message in said.split("[E").skip(1) {
            let Some(meant) = message
                .split("did you mean `")
                .nth(1)
                .and_then(|m| m.split('`').next())
            else {
                continue;
            };
            let place = message.split("-[ ").nth(1).expect("a place");
            let mut numbers = place
                .split(" ]")
                .next()
                .expect("a place")
                .rsplit(':')
                .map(|n| n.parse::<usize>().expect("a number"));
            let (column, line) = (
                numbers.next().expect("a column"),
                numbers.next().expect("a line"),
            );
            let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
            let (before, after) = lines[line - 1].split_at(column - 1);
            let rest = after.trim_start_matches(char::is_alphanumeric);
            lines[line - 1] = format!("{before}{meant}{rest}");
            text = lines.join("\n") + "\n";
            mended = true;
            break;
        }
        assert!(mended, "{said}");
        rounds += 1;
        assert!(rounds <= 3, "{said}");
        std::fs::write(&file, &text).expect("written");
    }
    assert_eq!(rounds, 3);
    // Winning Ways, ch. 5: {2|-1/2}.
    let o = with_input(&["quiz", &file], b"{2|-1/2}\n");
    assert_eq!(code(&o), 0, "{}", out(&o));
}
