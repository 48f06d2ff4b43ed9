//! Answers in every format: snapshots that were looked at and compiled (`docs/compile-tikz.sh`; BLESS=1 writes them anew), and what a
//! TeX system would trip over, looked for without one.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

fn run(args: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_cgdsl"))
        .args(args)
        .output()
        .expect("the program runs");
    assert!(
        output.status.success(),
        "{args:?}: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8_lossy(&output.stdout).replace("\r\n", "\n")
}

/// What LaTeX would refuse: braces and environments that are not closed, colours that are not defined, characters that mean
/// something where they should not.
pub fn lint(text: &str) -> Result<(), String> {
    let mut open: Vec<String> = Vec::new();
    let mut known: BTreeSet<String> = BTreeSet::new();
    let mut depth = 0i64;
    let mut verbatim = false;
    for line in text.lines().filter(|l| !l.starts_with('%')) {
        if verbatim && line != "\\end{verbatim}" {
            continue;
        }
        for (word, opens) in [("\\begin{", true), ("\\end{", false)] {
            for part in line.split(word).skip(1) {
                let name = part.split('}').next().unwrap_or_default().to_owned();
                verbatim = opens && name == "verbatim";
                if opens {
                    open.push(name);
                } else if open.pop().as_ref() != Some(&name) {
                    return Err(format!("\\end{{{name}}} closes nothing: {line}"));
                }
            }
        }
        if let Some(name) = line.strip_prefix("\\definecolor{") {
            known.insert(name.chars().take(8).collect());
        }
        for (at, _) in line.match_indices("cg") {
            let name: String = line[at..].chars().take(8).collect();
            let color = name.len() == 8 && name[2..].bytes().all(|b| b.is_ascii_hexdigit());
            if color && !known.contains(&name) {
                return Err(format!("{name} is not defined: {line}"));
            }
        }
        let table = open.iter().any(|e| e == "tabular");
        let (mut escaped, mut math) = (false, false);
        for c in line.chars() {
            if std::mem::take(&mut escaped) {
                continue;
            }
            match c {
                '\\' => escaped = true,
                '$' => math = !math,
                '{' => depth += 1,
                '}' => depth -= 1,
                '^' | '_' if !math => return Err(format!("a bare {c}: {line}")),
                '&' if !table => return Err(format!("a bare {c}: {line}")),
                '#' | '%' | '~' => return Err(format!("a bare {c}: {line}")),
                _ => {}
            }
            if depth < 0 {
                return Err(format!("a brace closes nothing: {line}"));
            }
        }
        if math {
            return Err(format!("mathematics is not closed: {line}"));
        }
    }
    match (depth, open.pop()) {
        (0, None) => Ok(()),
        (_, Some(name)) => Err(format!("{name} is not closed")),
        (n, None) => Err(format!("{n} braces are not closed")),
    }
}

/// A command that takes `--format`, and the name of its snapshots.
const SHOWN: &[(&[&str], &str)] = &[
    (&["eval", "snort", "a:x -- b -- c, b -- d"], "card"),
    (&["eval", "domineering", "--only", "claim"], "claims"),
    (&["eval", "textbook"], "textbook"),
    (&["eval", "n-player/nim", "Nim3[1, 2]"], "players"),
    (&["moves", "hackenbush", "stalk(\"br\")"], "moves"),
    (&["why", "domineering", "...|..."], "why"),
    (&["why", "nim", "3, 5", "--short"], "short"),
    (&["value", "{3||1|Tiny(2)} + ^<2>"], "value"),
    (
        &["table", "col", "for n in 1..6: value(Col[path(n)])"],
        "table",
    ),
    (&["check", "domineering", "nim"], "check"),
];

#[test]
fn answers_in_every_format_are_as_they_were_when_somebody_looked() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/snapshots/formats");
    let bless = std::env::var_os("BLESS").is_some();
    std::fs::create_dir_all(&folder).expect("a folder");
    let mut changed = Vec::new();
    for (args, name) in SHOWN {
        for (format, ending) in [
            ("latex", "tex"),
            ("typst", "typ"),
            ("markdown", "md"),
            ("csv", "csv"),
        ] {
            let found = run(&[args, &["--format", format][..]].concat());
            // The marks of values are for the writer.
            assert!(
                !found.contains(['\u{E000}', '\u{E001}', '\u{E002}', '\u{E003}']),
                "{found}"
            );
            if format == "latex" {
                lint(&found).unwrap_or_else(|e| panic!("{name}: {e}"));
            }
            let path = folder.join(format!("{name}.{ending}"));
            if bless {
                std::fs::write(&path, &found).expect("written");
            } else if std::fs::read_to_string(&path)
                .unwrap_or_default()
                .replace("\r\n", "\n")
                != found
            {
                changed.push(format!("{name}.{ending}:\n{found}"));
            }
        }
        // The two ways to ask for JSON.
        let asked = run(&[args, &["--format", "json"][..]].concat());
        assert_eq!(asked, run(&[args, &["--json"][..]].concat()), "{name}");
    }
    assert!(changed.is_empty(), "{}", changed.join("\n"));
}

#[test]
fn documents_and_bodies_of_tikz() {
    let folder = std::env::temp_dir().join(format!("cgdsl-tikz-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let path = |name: &str| folder.join(name).display().to_string();
    let (tree, thermograph, hasse, lattice) =
        (path("t.tex"), path("h.tex"), path("b.tex"), path("l.tex"));
    run(&[
        "tree",
        "domineering",
        "...|...",
        "--depth",
        "1",
        "-o",
        &tree,
    ]);
    run(&["value", "{3||1|-2}", "--thermograph", &thermograph]);
    run(&["value", "--born", "2", "--hasse", &hasse]);
    run(&["eval", "n-player/nim", "Nim3[1, 2]", "--lattice", &lattice]);
    for file in [tree, thermograph, hasse, lattice] {
        let text = std::fs::read_to_string(&file).expect("written");
        lint(&text).unwrap_or_else(|e| panic!("{file}: {e}\n{text}"));
        assert!(text.starts_with("\\documentclass") && text.ends_with("\\end{document}\n"));
        assert!(!text.contains(['\u{E000}', '\u{E001}']), "{text}");
    }
    let whole = run(&["draw", "domineering", "..|.#", "--format", "tikz"]);
    let body = run(&["draw", "domineering", "..|.#", "--format", "tikz", "--body"]);
    assert!(whole.contains(&body) && !body.contains("document"));
    let _ = std::fs::remove_dir_all(&folder);
}
