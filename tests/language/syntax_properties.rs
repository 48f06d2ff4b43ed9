//! The syntax under random and mutilated texts: no panic, no hang, and the laws of `properties/syntax.rs`. Seeded, so a
//! failure comes again; `CGDSL_ROUNDS` sets how many mutations are tried (default 1500).
#![cfg(feature = "language")]

#[path = "../properties/syntax.rs"]
pub mod properties;

use crate::mutations::{Random, real_files};

fn rounds() -> u64 {
    crate::mutations::rounds(1500)
}

#[test]
fn real_files_keep_the_laws() {
    for (name, text) in real_files() {
        println!("{name}");
        properties::all(&text);
        properties::all(&text.replace('\n', "\r\n"));
    }
}

#[test]
fn shipped_rulesets_read_without_a_message() {
    for (name, text) in real_files() {
        if name.contains("rulesets") {
            let (_, diagnostics) = cgdsl::syntax::parse_file(cgdsl::base::FileId(0), &text);
            assert!(diagnostics.is_empty(), "{name}: {diagnostics:?}");
        }
    }
}

#[test]
fn mutilated_files_keep_the_laws() {
    let files = real_files();
    let alphabet: Vec<&str> = vec![
        "(",
        ")",
        "[",
        "]",
        "{",
        "}",
        "|",
        "||",
        "\"",
        "\"\"\"",
        "\\",
        ":",
        ":=",
        "=",
        "==",
        "*",
        "^",
        "v",
        "-",
        "--",
        "->",
        "+-",
        "<",
        ">",
        ",",
        ";",
        "..",
        ".",
        " ",
        "\n",
        "\r\n",
        "\t",
        "//",
        "///",
        "1",
        "0",
        "12",
        "x",
        "P-position",
        "choose",
        "where",
        "then",
        "move",
        "ruleset",
        "let",
        "for",
        "in",
        "all",
        "not",
        "each",
        "remove",
        "from",
        "é",
        "↑",
        "²",
        "·",
        "★",
        "‖",
        "−",
        "\u{feff}",
        "\u{0}",
        "\u{1}",
        "\u{2028}",
        "_",
        "'",
        "slow",
        "language",
        "position",
        "f(",
        "Foo[",
        "a:",
        "-b-",
        "(k)r",
        "{x in S:",
        "1/2",
        "*(",
        "⧾_",
        "+_",
        "^<2>",
        "^[2]",
    ];
    let mut random = Random(0x5EED_CAFE);
    for _ in 0..rounds() {
        let (_, text) = &files[random.below(files.len())];
        // A window of the file, so that a round is quick.
        let chars: Vec<char> = text.chars().collect();
        let from = random.below(chars.len());
        let length = 20 + random.below(500);
        let mut text: Vec<char> = chars[from..(from + length).min(chars.len())].to_vec();
        if random.below(2) == 0 {
            let start = text.iter().position(|c| *c == '\n').map_or(0, |i| i + 1);
            text.drain(..start);
        }
        for _ in 0..random.below(6) {
            let at = random.below(text.len() + 1);
            match random.below(4) {
                0 if at < text.len() => {
                    text.remove(at);
                }
                1 => {
                    let end = (at + random.below(12)).min(text.len());
                    text.drain(at..end);
                }
                2 => {
                    let end = (at + random.below(30)).min(text.len());
                    let copy = text[at..end].to_vec();
                    let to = random.below(text.len() + 1);
                    text.splice(to..to, copy);
                }
                _ => {
                    let insert: Vec<char> =
                        alphabet[random.below(alphabet.len())].chars().collect();
                    text.splice(at..at, insert);
                }
            }
        }
        let text: String = text.into_iter().collect();
        properties::all(&text);
    }
    // Words of the language in no order at all.
    for _ in 0..rounds() {
        let mut text = String::new();
        for _ in 0..random.below(40) {
            text.push_str(alphabet[random.below(alphabet.len())]);
            if random.below(3) == 0 {
                text.push(' ');
            }
        }
        properties::all(&text);
    }
    // Random bytes.
    for _ in 0..rounds() / 3 {
        let bytes: Vec<u8> = (0..random.below(60))
            .map(|_| random.next().to_le_bytes()[3])
            .collect();
        properties::all(&String::from_utf8_lossy(&bytes));
    }
}

/// Twice the text may take about twice the time: here at most eight times for four times the text, over a floor.
#[test]
fn no_construct_takes_quadratic_time() {
    let repeated: Vec<(&str, &str, &str)> = vec![
        ("let x = ", "a b", ""),
        ("let x = ", "(", ""),
        ("let x = ", "f(", ")"),
        ("let x = [", "1, ", "1]"),
        ("let x = {", "1*2, ", "1}"),
        ("eval A[", "a -b- c, ", "d]"),
        ("eval A[", "x:2b+1g -> ", "d]"),
        ("eval A[", "c[i + 1] -- ", "d]"),
        ("eval A[", "(i, j) < (x, y) where i = j; ", "d]"),
        ("ruleset A\n", "  board graph\n", ""),
        ("ruleset A\n", "  bord graph\n", ""),
        ("ruleset A\n", "  move by p: choose x then remove x\n", ""),
        ("ruleset A\n  move by p: then remove ", "x, ", "x"),
        ("", "ruleset A\n", ""),
        ("", "/// doc\n", "let x = 1"),
        ("", "\"", ""),
        ("", "let x = \"\"\"\n", ""),
        ("let x = ", "-", "1"),
        ("let x = ", "*", ""),
        ("let x = ", "^", ""),
        ("let x = ", "1*", ""),
        ("let x(a: ", "set of ", "nat) = 1"),
        ("claim \"x\" for ", "x in S, ", "y: 1"),
        ("assert ", "a = b, ", "1"),
        ("", "  \n", ""),
        ("let x = 1 ", "// c\n", ""),
    ];
    for (head, body, tail) in repeated {
        let time = |n: usize| {
            let text = format!("{head}{}{tail}\n", body.repeat(n));
            let start = std::time::Instant::now();
            let (_, diagnostics) = cgdsl::syntax::parse_file(cgdsl::base::FileId(0), &text);
            let _ = cgdsl::syntax::format::format_file(&text);
            drop(diagnostics);
            start.elapsed()
        };
        // A busy machine may stretch one run, but not each of five.
        let linear = (0..5).find_map(|_| {
            let (small, large) = (time(1_000), time(4_000));
            let allowed = small * 8 + std::time::Duration::from_millis(400);
            (large < allowed).then_some((small, large))
        });
        let Some((small, large)) = linear else {
            panic!("{head}{body}..: four times the text takes more than eight times as long");
        };
        if std::env::var_os("CGDSL_TIMES").is_some() {
            println!("{head:?} {body:?} {small:?} {large:?}");
        }
    }
}
