//! The tutorial's questions: each file asks, and the answers that are written down here, worked out by hand or taken from the
//! books, are right. A file of mistakes is mended by what the messages say.

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
