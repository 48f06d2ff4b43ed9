//! The checker, the evaluator and the reader of values on mutated files: no panic, no hang, and the laws of
//! `properties/meaning.rs`. Seeded, so a failure comes again; `CGDSL_ROUNDS` sets how many mutations are tried.
#![cfg(feature = "language")]

#[path = "../properties/meaning.rs"]
pub mod properties;

use crate::mutations::{Random, real_files, rounds};
use cgdsl::game::Cancel;
use cgdsl::syntax::lexer;
use std::time::Duration;

/// A file with a few of its words and signs exchanged, doubled or dropped: most of it still has a meaning.
fn mutated(text: &str, random: &mut Random) -> String {
    let tokens: Vec<&str> = lexer::lex(text)
        .iter()
        .map(|t| &text[t.start as usize..t.end as usize])
        .collect();
    let mut words: Vec<&str> = Vec::new();
    // What stands between tokens is kept.
    let mut at = 0;
    for t in &lexer::lex(text) {
        words.push(&text[at..t.start as usize]);
        words.push(&text[t.start as usize..t.end as usize]);
        at = t.end as usize;
    }
    words.push(&text[at..]);
    for _ in 0..1 + random.below(3) {
        let place = 1 + 2 * random.below(tokens.len().max(1));
        if place >= words.len() {
            continue;
        }
        match random.below(8) {
            0 => words[place] = "",
            1 => words[place] = ["0", "1", "7", "-1", "1000000", "{}", "[]"][random.below(7)],
            2 => {
                let other = 1 + 2 * random.below(tokens.len());
                let last = words.len() - 2;
                words.swap(place, other.min(last));
            }
            _ => words[place] = tokens[random.below(tokens.len())],
        }
    }
    words.concat()
}

#[test]
fn mutated_files_are_checked() {
    let files = real_files();
    let mut random = Random(0xC0DE);
    for _ in 0..rounds(400) {
        let (_, text) = &files[random.below(files.len())];
        properties::checks(&mutated(text, &mut random));
    }
}

#[test]
fn mutated_files_are_played() {
    let files: Vec<(String, String)> = real_files()
        .into_iter()
        // Those that take seconds as they are teach nothing more here.
        .filter(|(path, _)| !path.contains("papers"))
        .collect();
    let mut random = Random(0xBEEF);
    for _ in 0..rounds(150) {
        let (path, text) = &files[random.below(files.len())];
        let text = mutated(text, &mut random);
        let cancel = Cancel::new();
        let timer = cancel.clone();
        let (done, waits) = std::sync::mpsc::channel::<()>();
        let watch = std::thread::spawn(move || {
            if waits.recv_timeout(Duration::from_secs(2)).is_err() {
                timer.cancel();
                // Whoever is cancelled ends soon.
                if waits.recv_timeout(Duration::from_secs(60)).is_err() {
                    return false;
                }
            }
            true
        });
        let played = std::panic::catch_unwind(|| properties::plays(&text, &cancel));
        let _ = done.send(());
        assert!(played.is_ok(), "{path} mutated:\n{text}");
        assert!(watch.join().expect("a watch"), "{path} hangs:\n{text}");
    }
}

#[test]
fn any_text_is_a_value_or_none() {
    const PARTS: [&str; 34] = [
        "1",
        "2",
        "-3",
        "1/2",
        "3/4",
        "{",
        "}",
        "|",
        "||",
        "|||",
        ",",
        "*",
        "*2",
        "^",
        "^^",
        "v",
        "vv",
        "^3",
        "+-",
        "+-1",
        "(",
        ")",
        "Tiny(2)",
        "Miny(1/2)",
        "^[2]",
        "^<2>",
        " ",
        "0",
        "↑",
        "∗",
        "±",
        "⧾_2",
        "5/8",
        "\u{0}",
    ];
    let mut random = Random(0xFEED);
    for _ in 0..rounds(4000) {
        let text: String = (0..1 + random.below(12))
            .map(|_| PARTS[random.below(PARTS.len())])
            .collect();
        if properties::is_small(&text) {
            properties::value_reads(&text);
        }
    }
}
