//! What people see: lines that fit the terminal and break between words, help that fits a screen, colours that can be read on
//! light and on dark backgrounds.

use crate::program::{Folder, cgdsl, code, err, out};
use std::collections::BTreeSet;

/// What a command prints on a terminal of so many columns (`script` of util-linux makes one).
#[cfg(target_os = "linux")]
fn on_terminal(columns: usize, command: &str) -> String {
    let line = format!(
        "stty cols {columns} rows 50; '{}' {command}",
        env!("CARGO_BIN_EXE_cgdsl")
    );
    let o = std::process::Command::new("script")
        .args(["-qec", &line, "/dev/null"])
        .env_remove("NO_COLOR")
        .env("TERM", "xterm-256color")
        .stdin(std::process::Stdio::null())
        .output()
        .expect("script of util-linux");
    plain(&out(&o).replace('\r', ""))
}

/// Without colours.
fn plain(text: &str) -> String {
    let mut pieces = text.split('\u{1b}');
    let mut plain = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        plain.push_str(piece.split_once('m').map_or(piece, |p| p.1));
    }
    plain
}

#[cfg(target_os = "linux")]
#[test]
fn lines_fit_the_terminal_and_break_between_words() {
    let commands = [
        "list",
        "explain atomic_weight",
        "explain --code E0201",
        "explain domineering 'grid(3, 3)'",
        "eval snort 'a:x -- b -- c, b -- d'",
        "eval nim '3, 5, 6'",
        "value '{3|1||-2|-4}'",
        "why domineering '..|.#'",
        "moves nim '3, 2'",
        "tree hackenbush 'stalk(\"br\")'",
        "seq kayles --to 200",
        "help shortcuts",
        "eval nosuchgame",
        "diff domineering cram --up-to 2",
    ];
    for command in commands {
        // What is not broken, and in the signs of a terminal.
        let whole = on_terminal(1000, command);
        assert!(!whole.contains("\\u{"), "{command}: {whole}");
        let words: Vec<&str> = whole.split_whitespace().collect();
        for columns in [60, 80, 200] {
            let text = on_terminal(columns, command);
            for line in text.lines() {
                let width = line.chars().count();
                let one = line.split_whitespace().count() <= 1;
                assert!(
                    width <= columns || one,
                    "{command} at {columns}: {width} in {line:?}"
                );
            }
            // Rows of a sequence hold fewer values where there is less room, with numbers before them.
            if !command.starts_with("seq") {
                let found: Vec<&str> = text.split_whitespace().collect();
                assert_eq!(found, words, "{command} at {columns}");
            }
        }
    }
}

#[cfg(target_os = "linux")]
#[test]
fn tables_that_are_too_wide_say_how_to_see_the_rest() {
    let table = "eval nim -e 1 ; '{}' table wythoff 'for m in 0..3, n in 0..60: m * n'"
        .replace("{}", env!("CARGO_BIN_EXE_cgdsl"));
    let text = on_terminal(60, &table);
    let words: Vec<&str> = text.split_whitespace().collect();
    assert!(
        words
            .join(" ")
            .contains("more columns do not fit: `cgdsl table FILE -o table.csv`"),
        "{text}"
    );
    assert!(text.lines().all(|l| l.chars().count() <= 60), "{text}");
    // Columns with very wide cells are omitted, too.
    let text = on_terminal(
        80,
        "table wythoff 'for m in 0..2, n in 0..3: 10^(100 * m * n)'",
    );
    assert!(text.contains("3 more columns do not fit"), "{text}");
    assert!(text.lines().all(|l| l.chars().count() <= 80), "{text}");
    let tree = on_terminal(80, "tree nim '3, 4' --depth 1");
    assert!(tree.contains("--depth 2 goes deeper"), "{tree}");
    let large = cgdsl(&["tree", "nim", "30, 30, 30", "--depth", "9"]);
    assert_eq!(code(&large), 3, "{}", err(&large));
    assert!(err(&large).contains("--depth 1"), "{}", err(&large));
}

#[test]
fn help_fits_a_screen() {
    let o = cgdsl(&[]);
    assert_eq!(code(&o), 0);
    assert_eq!(out(&o).lines().count(), 10, "{}", out(&o));
    let all = out(&cgdsl(&["--help"]));
    let commands: Vec<&str> = all
        .lines()
        .skip_while(|l| *l != "Commands:")
        .skip(1)
        .take_while(|l| !l.is_empty())
        .filter(|l| l.starts_with("  ") && !l.starts_with("   "))
        .filter_map(|l| l.split_whitespace().next())
        .collect();
    assert!(commands.len() > 15, "{all}");
    let mut texts = vec![("--help", all.clone())];
    for command in &commands {
        let by_flag = out(&cgdsl(&[command, "--help"]));
        assert_eq!(out(&cgdsl(&["help", command])), by_flag);
        texts.push((command, by_flag));
    }
    for (command, text) in &texts {
        let lines = text.lines().count();
        assert!(lines <= 40, "{command}: {lines} lines\n{text}");
        assert!(
            text.lines().all(|l| l.chars().count() <= 80),
            "{command}:\n{text}"
        );
        assert!(!text.contains("--without"), "{command}:\n{text}");
    }
    // What the workshop uses is there for those who ask.
    for args in [
        &["eval", "--help=all"][..],
        &["help", "eval", "--help=all"],
        &["--help=all"],
    ] {
        let text = out(&cgdsl(args));
        assert!(
            text.contains("--without") && text.contains("--nodes"),
            "{args:?}:\n{text}"
        );
    }
    let roads = out(&cgdsl(&["help", "roads"]));
    assert!(
        roads.contains("  split ") && roads.contains("  by-value "),
        "{roads}"
    );
    assert!(roads.lines().all(|l| l.chars().count() <= 140), "{roads}");
}

/// The contrast of two colours by WCAG 2, of the lighter to the darker.
fn contrast(a: f64, b: f64) -> f64 {
    (a.max(b) + 0.05) / (a.min(b) + 0.05)
}

/// The luminance of a colour of xterm's 256, but for the first 16, which every terminal sets as it likes.
fn luminance(code: u8) -> f64 {
    const LEVELS: [f64; 6] = [0.0, 95.0, 135.0, 175.0, 215.0, 255.0];
    let [r, g, b] = match code {
        0..16 => panic!("colour {code} is what the terminal makes of it"),
        16..232 => {
            let n = usize::from(code - 16);
            [LEVELS[n / 36], LEVELS[n / 6 % 6], LEVELS[n % 6]]
        }
        _ => [f64::from(8 + 10 * u32::from(code - 232)); 3],
    };
    let linear = |c: f64| {
        let c = c / 255.0;
        if c <= 0.040_45 {
            c / 12.92
        } else {
            ((c + 0.055) / 1.055).powf(2.4)
        }
    };
    0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b)
}

#[test]
fn colours_can_be_read_on_light_and_dark() {
    let dir = Folder::new("colours");
    let file = dir.file(
        "all.rules",
        "use \"nim\"\nlet unused(k) = 3\nassert value(Nim[1]) == 2\nassert nimber(Nim[2]) = 2\nclaim \"x\" for n in 1..3: nimber(Nim[n]) = 1\nassert bad(1)\nslow assert 1 = 1\n",
    );
    let commands: [&[&str]; 8] = [
        &["eval", &file],
        &["check", &file],
        &["eval", &file, "--nodes", "1"],
        &["draw", "snort", "a:x -- b -- c:o"],
        &["draw", "n-player/snort", "a:x -- b"],
        &["tree", "domineering", "...|..."],
        &["moves", "hackenbush", "stalk(\"br\")"],
        &["why", "domineering", "..|.#"],
    ];
    let mut seen = BTreeSet::new();
    for command in commands {
        let o = cgdsl(&[command, &["--color", "always"]].concat());
        let text = out(&o) + &err(&o);
        for sequence in text.split("\u{1b}[").skip(1) {
            let codes = sequence.split_once('m').expect("a colour").0;
            let parts: Vec<&str> = codes.split(';').collect();
            match parts.iter().position(|p| *p == "38") {
                Some(at) => {
                    assert_eq!(parts[at + 1], "5", "{codes}");
                    seen.insert(parts[at + 2].parse::<u8>().expect("a colour"));
                }
                // Bold, struck out, as all text, or nothing: never faint, never one of the sixteen.
                None => assert!(
                    parts.iter().all(|p| ["0", "1", "9", "39", ""].contains(p)),
                    "{codes} of {command:?}"
                ),
            }
        }
    }
    assert!(seen.len() >= 5, "{seen:?}");
    for code in seen {
        let l = luminance(code);
        let (white, black) = (contrast(l, 1.0), contrast(l, 0.0));
        assert!(
            white >= 4.5 && black >= 4.5,
            "colour {code}: {white:.2} on white, {black:.2} on black"
        );
    }
}
