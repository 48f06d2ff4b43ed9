//! The program as a user runs it: exit codes, what is printed, JSON against its schemas, broken inputs.

#[path = "../commands/ended.rs"]
mod ended;
#[path = "../commands/files.rs"]
mod files;
#[path = "../commands/screen.rs"]
mod screen;
#[path = "../commands/shared_store.rs"]
mod shared_store;
#[path = "../commands/store.rs"]
mod store;

use crate::program::{Folder, cgdsl, code, err, json, out, with_input};
use cgdsl::game::{REGISTRY, Shortcut};
use serde_json::Value;
use std::process::{Command, Stdio};

const NIM: &str =
    "ruleset Nim\n  board heaps\n  move by anyone: choose n, k in 0..n-1 then n -> [k]\n\n";

#[test]
fn a_file_whose_claims_hold_ends_with_0() {
    let dir = Folder::new("holds");
    let file = dir.file(
        "nim.rules",
        format!("{NIM}eval Nim[3, 5]\nassert nimber(Nim[3, 5]) = 6\nclaim \"one heap\" for k in 0..6: nimber(Nim[k]) = k\nrefute \"too small\" for k in 0..6: nimber(Nim[k]) < 4\ntable for k in 0..3: nimber(Nim[k])\n"),
    );
    let o = cgdsl(&["eval", &file]);
    assert_eq!(code(&o), 0, "{}{}", out(&o), err(&o));
    let text = out(&o);
    assert!(text.contains("value"), "{text}");
    assert!(
        text.contains("held     claim \"one heap\" for k = 0..6  (7 instances)"),
        "{text}"
    );
    assert!(
        text.contains("k = 4"),
        "the smallest counterexample of a refutation is shown: {text}"
    );
    let v = json(&cgdsl(&["eval", "--json", &file]));
    let items = v["items"].as_array().expect("items");
    assert_eq!(items.len(), 5);
    assert_eq!(items[0]["kind"], "card");
    assert_eq!(items[0]["value"], "*6");
    assert_eq!(items[0]["outcome"], "N-position");
    assert_eq!(items[2]["instances"], 7);
    assert_eq!(items[3]["counterexample"]["bindings"][0]["value"], "4");
    assert_eq!(v["summary"]["held"], 5);
}

#[test]
fn a_false_claim_ends_with_1_and_shows_its_first_counterexample() {
    let dir = Folder::new("fails");
    let file = dir.file(
        "nim.rules",
        format!("{NIM}claim \"odd\" for a in 1..3, b in 1..3: nimber(Nim[a, b]) = a + b\n"),
    );
    let o = cgdsl(&["eval", &file]);
    assert_eq!(code(&o), 1, "{}{}", out(&o), err(&o));
    let text = out(&o);
    assert!(
        text.contains("FAILED") && text.contains("a = 1, b = 1"),
        "{text}"
    );
    assert!(
        text.contains("nimber(Nim[a, b]) is 0") && text.contains("a + b is 2"),
        "{text}"
    );
    assert!(text.contains("Nim[1, 1]"), "the position is drawn: {text}");
    assert!(!text.contains("proved"));
}

#[test]
fn a_broken_item_ends_with_2_and_the_others_are_evaluated() {
    let dir = Folder::new("broken");
    let file = dir.file(
        "nim.rules",
        format!(
            "{NIM}assert nimber(Nmi[3]) = 3\nassert nimber(Nim[3]) = 4\nassert nimber(Nim[3]) = 3\n"
        ),
    );
    let o = cgdsl(&["eval", &file]);
    assert_eq!(code(&o), 2);
    assert!(err(&o).contains("did you mean `Nim`"), "{}", err(&o));
    let text = out(&o);
    assert!(text.contains("held") && text.contains("FAILED"), "{text}");
    let v = json(&cgdsl(&["eval", "--json", &file]));
    assert_eq!(v["summary"]["broken"], 1);
    assert!(!v["diagnostics"].as_array().expect("diagnostics").is_empty());
}

#[test]
fn a_limit_ends_with_3_and_never_with_a_wrong_answer() {
    let dir = Folder::new("limit");
    let file = dir.file(
        "d.rules",
        "use \"domineering.rules\"\nassert value(Domineering[grid(4, 4)]) == 0\n",
    );
    let o = cgdsl(&["eval", "--nodes", "20", &file]);
    assert_eq!(code(&o), 3, "{}{}", out(&o), err(&o));
    assert!(out(&o).contains("unknown"), "{}", out(&o));
    json(&cgdsl(&["eval", "--json", "--nodes", "20", &file]));
    let o = cgdsl(&["eval", "--time", "0s", &file]);
    assert_eq!(code(&o), 3, "{}{}", out(&o), err(&o));
}

#[test]
fn an_unknown_misere_quotient_says_what_is_known_of_it() {
    let quotient = "size(misere_quotient(Kayles[12]))";
    let o = cgdsl(&["eval", "kayles", "-e", quotient, "--nodes", "40"]);
    assert_eq!(code(&o), 3, "{}{}", out(&o), err(&o));
    let told = [
        "the misère quotient is known for only",
        "the limit of positions was met",
    ];
    assert!(told.iter().all(|t| out(&o).contains(t)), "{}", out(&o));
}

#[test]
fn a_claim_without_instances_is_broken() {
    let dir = Folder::new("none");
    let file = dir.file(
        "nim.rules",
        format!("{NIM}claim \"nothing\" for k in 1..0: nimber(Nim[k]) = 7\n"),
    );
    let o = cgdsl(&["eval", &file]);
    assert_eq!(code(&o), 2, "{}{}", out(&o), err(&o));
    assert!(err(&o).contains("E0551"), "{}", err(&o));
}

#[test]
fn shipped_rulesets_evaluate_from_anywhere() {
    let dir = Folder::new("anywhere");
    let o = Command::new(env!("CARGO_BIN_EXE_cgdsl"))
        .args(["eval", "domineering", "grid(2, 2)", "..|.#", "--json"])
        .current_dir(&dir.0)
        .output()
        .expect("the program runs");
    assert_eq!(code(&o), 0, "{}{}", out(&o), err(&o));
    let v = json(&o);
    assert_eq!(v["items"][0]["value"], "+-1");
    assert_eq!(v["items"][1]["value"], "*");
}

#[test]
fn expressions_and_the_standard_input() {
    let o = cgdsl(&[
        "eval",
        "nim",
        "-e",
        "nimber(Nim[3, 5, 6])",
        "-e",
        "{1|-1} + 1",
    ]);
    assert_eq!(code(&o), 0, "{}{}", out(&o), err(&o));
    assert!(out(&o).contains("nimber(Nim[3, 5, 6]) = 0"), "{}", out(&o));
    assert!(out(&o).contains("{2|0}"), "{}", out(&o));
    let o = with_input(
        &["eval", "-"],
        format!(
            "\u{feff}{}assert nimber(Nim[2]) = 2\r\n",
            NIM.replace('\n', "\r\n")
        )
        .as_bytes(),
    );
    assert_eq!(code(&o), 0, "{}{}", out(&o), err(&o));
}

#[test]
fn files_that_are_none() {
    let dir = Folder::new("nofile");
    let o = cgdsl(&["eval", "dominering"]);
    assert_eq!(code(&o), 2);
    assert!(
        err(&o).contains("did you mean `domineering`"),
        "{}",
        err(&o)
    );
    let file = dir.file("latin1.rules", b"// caf\xe9\nassert true\n");
    let o = cgdsl(&["eval", &file]);
    assert_eq!(code(&o), 2);
    assert!(err(&o).contains("E0702"), "{}", err(&o));
    json(&cgdsl(&["eval", "--json", &file]));
    let file = dir.file("long.rules", vec![b' '; (16 << 20) + 1]);
    let o = cgdsl(&["eval", &file]);
    assert_eq!(code(&o), 2);
    assert!(err(&o).contains("16 MiB"), "{}", err(&o));
    let o = cgdsl(&["eval", &dir.0.display().to_string()]);
    assert_eq!(code(&o), 2);
    for bytes in [
        &b"\0\0\0"[..],
        b"",
        b"\xff\xfe",
        b"ruleset",
        &[b'('; 5000][..],
    ] {
        let o = with_input(&["eval", "-"], bytes);
        assert!(
            [0, 2].contains(&code(&o)),
            "{bytes:?}: {}{}",
            out(&o),
            err(&o)
        );
    }
}

#[test]
fn files_that_use_each_other_in_a_circle() {
    let dir = Folder::new("circle");
    dir.file("b.rules", "use \"a.rules\"\n");
    let a = dir.file("a.rules", "use \"b.rules\"\nassert true\n");
    let o = cgdsl(&["check", &a]);
    assert_eq!(code(&o), 2);
    let text = err(&o);
    assert!(text.contains("E0703") && text.contains("uses"), "{text}");
    // A file that two others use is read once.
    dir.file("c.rules", NIM);
    dir.file("d.rules", "use \"c.rules\"\n");
    let e = dir.file(
        "e.rules",
        "use \"c.rules\"\nuse \"d.rules\"\nassert nimber(Nim[2]) = 2\n",
    );
    let o = cgdsl(&["eval", &e]);
    assert_eq!(code(&o), 0, "{}{}", out(&o), err(&o));
}

#[test]
fn moves_are_drawn_with_their_values() {
    let o = cgdsl(&["moves", "domineering", "grid(2, 2)"]);
    assert_eq!(code(&o), 0, "{}{}", out(&o), err(&o));
    assert!(
        out(&o).contains("best") && out(&o).contains("= 1"),
        "{}",
        out(&o)
    );
    let v = json(&cgdsl(&["moves", "--json", "domineering", "grid(2, 2)"]));
    assert_eq!(v["players"].as_array().expect("players").len(), 2);
    // Where rules have no values, what each move leads to, and how soon.
    let o = cgdsl(&["moves", "tic-tac-toe", r#"TicTacToe["xx.|oo.|..."]"#]);
    for line in [
        r#"best  TicTacToe["xxx|oo.|..."]  Left wins at once"#,
        r#"TicTacToe["xx.|oox|..."]  a draw"#,
        r#"TicTacToe["xx.|oo.|x.."]  Right wins in 2 moves"#,
    ] {
        assert!(out(&o).contains(line), "{}", out(&o));
    }
    let o = cgdsl(&["moves", "domineering", "grid(2, 2)", "--player", "Nobody"]);
    assert_eq!(code(&o), 2);
    let o = cgdsl(&["moves", "domineering", "nonsense("]);
    assert_eq!(code(&o), 2);
    json(&cgdsl(&["moves", "--json", "domineering", "nonsense("]));
}

/// Everything that is built in is explained by its name.
#[test]
fn names_are_explained() {
    let o = cgdsl(&["explain", "atomic_weight"]);
    let text = out(&o);
    assert_eq!(code(&o), 0, "{}", err(&o));
    for part in [
        "two-ahead rule",
        "G must be all small",
        "atomic_weight({^^*|v*}) = 1/2",
    ] {
        assert!(text.contains(part), "{text}");
    }
    // A name with two meanings has two entries.
    let v = json(&cgdsl(&["explain", "heaps", "--json"]));
    assert_eq!(v["entries"].as_array().map(Vec::len), Some(2), "{v}");
    let o = cgdsl(&["explain", "nimbr"]);
    assert_eq!(code(&o), 2);
    assert!(err(&o).contains("nimber"), "{}", err(&o));
    let o = cgdsl(&["explain", "fission"]);
    assert_eq!(code(&o), 2);
    assert!(err(&o).contains("POSITION"), "{}", err(&o));
}

#[test]
fn values_of_expressions() {
    let o = cgdsl(&["value", "{1|-1} + ^*", "--compare", "0"]);
    assert_eq!(code(&o), 0, "{}{}", out(&o), err(&o));
    assert!(out(&o).contains("confused with 0"), "{}", out(&o));
    let v = json(&cgdsl(&["value", "--json", "-1/2", "--compare", "0"]));
    assert_eq!(v["value"], "-1/2");
    assert_eq!(v["comparison"]["relation"], "<");
    let dir = Folder::new("svg");
    let svg = dir.0.join("t.svg");
    let o = cgdsl(&[
        "value",
        "{3|-1}",
        "--thermograph",
        &svg.display().to_string(),
    ]);
    assert_eq!(code(&o), 0, "{}", err(&o));
    let text = std::fs::read_to_string(svg).expect("the picture is there");
    assert!(
        text.starts_with("<svg") && text.contains("<title"),
        "{text}"
    );
    for bad in [
        "{1|",
        "1/3",
        "",
        "((((",
        "{0|0}}",
        "^^^^^^^^^^^^^^*9999999999999999999",
    ] {
        let o = cgdsl(&["value", bad]);
        assert_eq!(code(&o), 2, "{bad}: {}{}", out(&o), err(&o));
        assert!(!err(&o).is_empty());
    }
}

/// Values of *Winning Ways*, chapter 11; and a graph with a cycle that is 0, since Left's only move is reversible through 0.
#[test]
fn values_of_loopy_games() {
    for (text, value) in [
        ("over + over", "over"),
        ("over - over", "over & under"),
        ("a{0|a}", "over"),
        ("1 + over", "1over"),
        ("a{{a|0}|}", "0"),
    ] {
        let o = cgdsl(&["value", text]);
        assert_eq!(code(&o), 0, "{text}: {}", err(&o));
        assert_eq!(out(&o).lines().next(), Some(value), "{text}");
    }
}

#[test]
fn heaps_that_must_be_answered_are_marked_in_pictures() {
    let o = cgdsl(&["draw", "top-entails", "TopEntails[5, 2!]"]);
    assert!(out(&o).lines().any(|l| l.trim() == "2!  5"), "{}", out(&o));
    let v = json(&cgdsl(&[
        "draw",
        "top-entails",
        "TopEntails[5, 2!]",
        "--json",
    ]));
    assert_eq!(v["terms"][0]["entailed"][0], 0, "{v}");
    let dir = Folder::new("entailed");
    for (file, part) in [("g.svg", ">2!<"), ("g.dot", "\"2!\"")] {
        let name = dir.0.join(file).display().to_string();
        assert_eq!(
            code(&cgdsl(&[
                "draw",
                "top-entails",
                "TopEntails[5, 2!]",
                "-o",
                &name
            ])),
            0
        );
        let text = std::fs::read_to_string(&name).expect("it was written");
        assert!(text.contains(part), "{text}");
    }
}

#[test]
fn loopy_values_are_drawn_as_graphs() {
    // over - over: the onside is over, the offside is under, each a vertex with a loop and an arc to 0.
    let o = cgdsl(&["value", "over - over", "--graph", "-"]);
    assert_eq!(code(&o), 0, "{}", err(&o));
    let told = out(&o);
    let rows = told.lines().map(str::trim);
    let signs: Vec<&str> = rows.filter(|l| ["&", "+"].contains(l)).collect();
    assert_eq!(signs, ["&"], "{told}");
    for part in [
        "over:(start)",
        "under:(start)",
        "onside",
        "offside",
        "loop R",
        "loop L",
    ] {
        assert!(out(&o).contains(part), "{part}: {}", out(&o));
    }
    let dir = Folder::new("graphs");
    for (file, part) in [
        ("g.svg", "<svg"),
        ("g.tex", "tikzpicture"),
        ("g.typ", "#set page"),
        ("g.dot", "digraph"),
    ] {
        let path = dir.0.join(file);
        let name = path.display().to_string();
        let o = cgdsl(&["value", "a{0||||0|||a|*||*}", "--graph", &name]);
        assert_eq!(code(&o), 0, "{}", err(&o));
        let text = std::fs::read_to_string(&path).expect("the picture is there");
        assert!(text.contains(part), "{text}");
        let o = cgdsl(&["draw", "loopy-graph", "FourMoves", "--value", "-o", &name]);
        assert_eq!(code(&o), 0, "{}", err(&o));
    }
    // Words are no variables of Typst, and `&` is no place to align at.
    let o = cgdsl(&["value", "over - over", "--format", "typst"]);
    assert!(
        out(&o).contains(r#"bold("over")  \&  bold("under")"#),
        "{}",
        out(&o)
    );
    let o = cgdsl(&["value", "1/2", "--graph", "-"]);
    assert_eq!(code(&o), 2, "{}", out(&o));
    assert_eq!(code(&cgdsl(&["draw", "nim", "Nim[3]", "--value"])), 2);
}

#[test]
fn the_simple_commands() {
    let v = json(&cgdsl(&["list", "--json"]));
    assert!(v["rulesets"].as_array().expect("a list").len() > 20);
    assert_eq!(code(&cgdsl(&["list", "domineering"])), 0);
    let o = cgdsl(&["list", "--family", "tokens"]);
    assert!(out(&o).contains("geography") && !out(&o).contains("domineering"));
    let o = cgdsl(&[
        "list",
        "--search",
        "token graph",
        "--family",
        "tokens",
        "--json",
    ]);
    let found = json(&o)["rulesets"].as_array().expect("a list").clone();
    assert!(found.iter().any(|f| f["name"] == "annihilation"));
    assert!(found.iter().all(|f| f["family"] == "tokens"));
    let o = cgdsl(&["list", "--family", "token"]);
    assert_eq!(code(&o), 2);
    assert!(err(&o).contains("tokens"), "{}", err(&o));
    assert_eq!(code(&cgdsl(&["list", "--search", "qwertzuiop"])), 2);
    let o = cgdsl(&["new", "--like", "domineering"]);
    assert!(out(&o).contains("ruleset Domineering"));
    let o = cgdsl(&["new"]);
    let o = with_input(&["eval", "-"], &o.stdout);
    assert_eq!(
        code(&o),
        0,
        "what `new` prints evaluates: {}{}",
        out(&o),
        err(&o)
    );
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        assert!(!out(&cgdsl(&["completions", shell])).is_empty());
    }
    let dir = Folder::new("man");
    assert_eq!(code(&cgdsl(&["man", &dir.0.display().to_string()])), 0);
    assert!(dir.0.join("cgdsl.1").exists());
    for asked in [&["explain", "--code", "e0551"][..], &["explain", "E0551"]] {
        assert!(out(&cgdsl(asked)).starts_with("# E0551"));
    }
    json(&cgdsl(&["explain", "--json", "--code", "E0551"]));
    assert_eq!(code(&cgdsl(&["explain", "--code", "E9999"])), 2);
    let v = json(&cgdsl(&["check", "--json", "domineering", "nim"]));
    assert_eq!(v["files"].as_array().expect("files").len(), 2);
    json(&cgdsl(&["explain", "--json", "domineering", "grid(2, 2)"]));
}

#[test]
fn flags_that_make_no_sense() {
    for args in [
        &["eval"][..],
        &["eval", "nim", "--memory", "lots"],
        &["eval", "nim", "--time", "soon"],
        &["eval", "nim", "--threads", "0"],
        &["eval", "nim", "--nodes", "-1"],
        &["frobnicate"],
    ] {
        assert_eq!(code(&cgdsl(args)), 2, "{args:?}");
    }
    assert_eq!(code(&cgdsl(&["--help"])), 0);
    assert_eq!(code(&cgdsl(&["--version"])), 0);
}

#[test]
fn colour_only_where_it_is_wanted() {
    let o = cgdsl(&["eval", "domineering", "grid(2, 2)"]);
    assert!(!out(&o).contains('\x1b'));
    let o = cgdsl(&["eval", "domineering", "grid(2, 2)", "--color", "always"]);
    assert!(out(&o).contains('\x1b'));
}

#[test]
fn a_closed_pipe_is_quiet() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_cgdsl"))
        .args(["eval", "nim", "-e", "nimber(Nim[1])"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program runs");
    drop(child.stdout.take());
    let o = child.wait_with_output().expect("it ends");
    assert_ne!(code(&o), 101);
    assert!(!err(&o).contains("panic"), "{}", err(&o));
}

/// A full disk, where the system has one to try.
#[cfg(target_os = "linux")]
#[test]
fn what_cannot_be_written_is_told() {
    let Ok(full) = std::fs::OpenOptions::new().write(true).open("/dev/full") else {
        return;
    };
    let o = Command::new(env!("CARGO_BIN_EXE_cgdsl"))
        .args(["eval", "nim", "-e", "nimber(Nim[1])"])
        .stdout(full)
        .output()
        .expect("the program runs");
    assert_eq!(code(&o), 2);
    assert!(err(&o).contains("the output is cut short"), "{}", err(&o));
}

/// The options of one position can be more than the time allows.
#[test]
fn the_options_of_a_huge_heap_can_be_cancelled() {
    let o = cgdsl(&["eval", "nim", "-e", "nimber(Nim[10^30])", "--time", "20ms"]);
    assert_eq!(code(&o), 3, "{}", err(&o));
    assert!(
        out(&o).contains("the time was over; --time sets it"),
        "{}",
        out(&o)
    );
}

#[test]
fn a_quiz_of_nothing_is_json_too() {
    let o = cgdsl(&["quiz", "nim", "--json"]);
    assert_eq!(code(&o), 2);
    let said = json(&o)["diagnostics"][0]["message"].to_string();
    assert!(said.contains("asks nothing"), "{said}");
}

/// The shape of a rule does not depend on its names, its wording or the order of its parts.
#[test]
fn sequences_know_a_rule_however_it_is_worded() {
    let dir = Folder::new("wordings");
    let wordings = [
        (
            "0.77",
            "R",
            "ruleset R\n  board heaps\n  move by anyone: choose n, k in {1, 2}, a in 0..n-k then n -> [a, n - k - a]\n",
        ),
        (
            "0.77",
            "Pins",
            "ruleset Pins\n  board heaps\n  move single by anyone: choose row, left in 0..row-1 then row -> [row - 1 - left, left]\n  move pair by anyone: choose row, left in 0..row, right in 0..row where left + right + 2 = row then row -> [right, left]\n",
        ),
        (
            "0.77",
            "Sym",
            "ruleset Sym\n  board heaps\n  move by anyone: choose n, a in 0..n, k in 1..2 where not a > n - k then n -> [n - (a + k)] + [a]\n",
        ),
        (
            "0.77",
            "Code(\"0.77\")",
            "ruleset Code(d: digits)\n  board heaps\n  move whole by anyone: choose n, k in 1..n where k = n, bit(d(k), 0) = 1 then n -> [0]\n  move one by anyone: choose n, k in 1..n-1 where bit(d(k), 1) = 1 then n -> [n - k]\n  move two by anyone: choose n, k in 1..n-2, a in 1..n-k-1 where bit(d(k), 2) = 1 then n -> [a, n - k - a]\n",
        ),
        (
            "0.137",
            "Dawson",
            "ruleset Dawson\n  board heaps\n  move by anyone: choose n where n = 1 or n = 2 or n = 3 then n -> []\n  move end by anyone: choose n, k in {2, 3} where n > k then n -> [n - k]\n  move inside by anyone: choose n, a in 1..n where n - 3 - a >= 1 then n -> [n - 3 - a, a]\n",
        ),
        (
            "0.333",
            "Take({3, 1, 2})",
            "ruleset Take(S: set of nat)\n  board heaps\n  move by anyone: choose n, s in S, m = n - s where m >= 0 then n -> [m]\n",
        ),
        (
            "0.303",
            "OneOrThree",
            "ruleset OneOrThree\n  board heaps\n  move by anyone: choose pile, rest in {pile - 3, pile - 1} where rest >= 0 then pile -> [rest]\n",
        ),
        (
            "8.0",
            "Three",
            "ruleset Three\n  board heaps\n  move by anyone: choose h, a in 1..h, b in 1..h, c in 1..h where a + b + c = h then h -> [a, b, c]\n",
        ),
        (
            "0.3F",
            "Hex(\"0.3F\")",
            "ruleset Hex(d: digits)\n  board heaps\n  move by anyone: choose n, k in 1..n where k = n, bit(d(k), 0) = 1 then n -> []\n  move one by anyone: choose n, k in 1..n-1 where bit(d(k), 1) = 1 then n -> [n - k]\n  move two by anyone: choose n, k in 1..n-2, a in 1..n-k-1 where bit(d(k), 2) = 1 then n -> [a, n - k - a]\n  move three by anyone: choose n, k in 1..n-3, a in 1..n-k-2, b in 1..n-k-a-1 where bit(d(k), 3) = 1 then n -> [a, b, n - k - a - b]\n",
        ),
    ];
    for (code, ruleset, text) in wordings {
        let file = dir.file("w.rules", text);
        let o = cgdsl(&["seq", &file, ruleset, "--to", "200", "--json"]);
        assert_eq!(self::code(&o), 0, "{ruleset}: {}", err(&o));
        let told = json(&o);
        assert_eq!(told["code"], code, "{ruleset}: {}", told["no_shape"]);
    }
    let none = [
        (
            "Half",
            "ruleset Half\n  board heaps\n  move by anyone: choose n then n -> [n div 2]\n",
        ),
        (
            "Few",
            "ruleset Few\n  board heaps\n  move by anyone: choose n, a in 0..n-1 where a <= 5 then n -> [a, n - 1 - a]\n",
        ),
    ];
    for (ruleset, text) in none {
        let file = dir.file("n.rules", text);
        let o = cgdsl(&["seq", &file, ruleset, "--to", "12", "--json"]);
        assert_eq!(self::code(&o), 0, "{ruleset}: {}", err(&o));
        let told = json(&o);
        assert!(
            told["code"].is_null() && told["no_shape"].is_string(),
            "{ruleset}"
        );
        assert_eq!(
            told["values"].as_array().map(Vec::len),
            Some(13),
            "{ruleset}"
        );
    }
}

/// Dawson's Kayles with a condition that says nothing, so that its shape is not seen: nim-values all the same, and its code is
/// found from them (0.07 is 0.137 one further on; period 34 from 53: *Winning Ways*, ch. 4), as a look and no more.
#[test]
fn impartial_rules_of_no_known_shape_have_nim_values() {
    let dir = Folder::new("no-shape");
    let text = "ruleset Pairs\n  board heaps\n  move by anyone: choose n, a in 0..n-2 where a * a >= 0 then n -> [a, n - 2 - a]\n";
    let file = dir.file("pairs.rules", text);
    let args = ["seq", &file, "--to", "200"];
    let more = ["--identify", "--compare", "0.07"];
    let told = json(&cgdsl(&[&args[..], &more, &["--json"]].concat()));
    assert!(told["no_shape"].is_string() && told["period"].is_null());
    let dawson = json(&cgdsl(&[
        "seq",
        "octal",
        "Octal(\"0.07\")",
        "--to",
        "200",
        "--json",
    ]));
    assert_eq!(told["values"], dawson["values"]);
    let same = told["same_as"].as_array().cloned().unwrap_or_default();
    for (code, shift) in [("0.07", 0), ("0.137", 1)] {
        let found = same.iter().find(|m| m["code"] == code);
        assert_eq!(found.map(|m| &m["shift"]), Some(&shift.into()), "{code}");
    }
    assert!(told["differs_at"].is_null());
    assert_eq!(told["looks"]["period"], 34);
    assert_eq!(told["looks"]["saltus"], 0);
    assert_eq!(told["looks"]["from"], 53);
    let shown = out(&cgdsl(&args));
    assert!(
        shown.contains("nim-values of heaps 0 to 200") && shown.contains("no theorem is applied")
    );
    // A partizan rule has none.
    let text = "ruleset Two\n  board heaps\n  move by Left: choose n, a in 0..n-1 where a * a <= n then n -> [a, n - 1 - a]\n";
    let file = dir.file("two.rules", text);
    let o = cgdsl(&["seq", &file, "--identify"]);
    assert_eq!(code(&o), 2, "{}", out(&o));
    assert!(err(&o).contains("need nim-values"), "{}", err(&o));
}

/// What goes up for as far as was computed is told as such, and not as proven (Kenyon's game, *Winning Ways*, ch. 4).
#[test]
fn arithmetic_periods_are_seen_and_not_claimed() {
    let args = ["seq", "hexadecimal", "Hexadecimal(\"0.3F\")", "--to", "200"];
    let o = cgdsl(&args);
    assert_eq!(code(&o), 0, "{}", err(&o));
    for part in [
        "(code 0.3F)",
        "period  none found up to n = 200",
        "look arithmetic periodic, G(n + 6) = G(n) + 3",
        "no theorem is applied",
    ] {
        assert!(out(&o).contains(part), "{part}: {}", out(&o));
    }
    let told = json(&cgdsl(&[&args[..], &["--json"]].concat()));
    assert_eq!(
        (&told["looks"]["period"], &told["looks"]["saltus"]),
        (&6.into(), &3.into())
    );
    assert!(told["period"].is_null());
}

/// A nimber that is asked for, what `explain` says and `seq` computes come from one sequence: rules whose amounts are found number by
/// number, too, however the condition is worded. The values are those of a mex over the moves told in Rust.
#[test]
fn nimbers_come_from_the_sequence() {
    let dir = Folder::new("same-sequence");
    let square = |k: u32| (1..=k).any(|a| a * a == k);
    let power = |k: u32| k.is_power_of_two();
    let of = |may: &dyn Fn(u32) -> bool, last: u32| {
        let mut g: Vec<u32> = Vec::new();
        for n in 0..=last {
            let reached: Vec<u32> = (1..=n)
                .filter(|k| may(*k))
                .map(|k| g[(n - k) as usize])
                .collect();
            g.extend((0..).find(|v| !reached.contains(v)));
        }
        g[last as usize]
    };
    let squares = of(&square, 300);
    let rules = [
        (
            "choose h, t in 1..h where some a in 1..h: a * a = t then h -> [h - t]",
            squares,
        ),
        (
            "choose h, t in 1..h where some a in 1..t: t = a * a then h -> [h - t]",
            squares,
        ),
        ("choose h, t in sq where t <= h then h -> [h - t]", squares),
        (
            "choose h, t in {i * i for i in 1..h} where t <= h then h -> [h - t]",
            squares,
        ),
        (
            "choose h, r in 0..h-1 where h - r in {i * i for i in 1..h} then h -> [r]",
            squares,
        ),
        (
            "choose h, t in 1..h where no a in 1..h: a * a = t then h -> [h - t]",
            of(&|k| !square(k), 300),
        ),
        (
            "choose h, t in 1..h where some a in 0..h: 2^a = t then h -> [h - t]",
            of(&power, 300),
        ),
        (
            "choose h, t in {i in 1..h: i mod 4 = 1} then h -> [h - t]",
            of(&|k| k % 4 == 1, 300),
        ),
    ];
    for (rule, value) in rules {
        let text = format!(
            "ruleset R\n  board heaps\n  let sq = {{i * i for i in 1..30}}\n  let square(q) = isqrt(q)^2 = q\n  move by anyone: {rule}\nassert nimber(R[300]) = {value}\nassert nimber(R[300, 300, 4]) = nimber(R[4])\n"
        );
        let file = dir.file("r.rules", &text);
        let o = cgdsl(&["check", &file]);
        assert_eq!(code(&o), 0, "{rule}: {}{}", out(&o), err(&o));
        let told = json(&cgdsl(&["seq", &file, "R", "--to", "300", "--json"]));
        let last = told["values"].as_array().and_then(|v| v.last());
        assert_eq!(last, Some(&value.to_string().into()), "{rule}");
        assert!(told["shape"].is_string(), "{rule}: {}", told["no_shape"]);
        let o = cgdsl(&["explain", &file, "R[9]"]);
        assert!(
            out(&o).contains("nimbers by their sequence"),
            "{rule}: {}",
            out(&o)
        );
    }
}

/// Which heap may be left, by two sizes: from, to.
type May = fn(u32, u32) -> bool;

fn is_prime(k: u32) -> bool {
    k > 1 && (2..k).all(|d| !k.is_multiple_of(d))
}

/// Rules that leave at most one heap, under any condition on the number taken, and many on the heap: against the mex over the
/// moves told in Rust; by lists of amounts, one by one (`--plain`), and heap by heap where there is no such list.
#[test]
fn amounts_under_any_condition_are_tried() {
    let dir = Folder::new("amounts");
    let wordings: [(&str, bool, May); 11] = [
        (
            "choose n, k in 1..n where k mod 3 != 0 then n -> [n - k]",
            true,
            |n, m| (n - m) % 3 != 0,
        ),
        (
            "choose n, k in 2..n where (all d in 2..k-1: k mod d != 0) then n -> [n - k]",
            true,
            |n, m| is_prime(n - m),
        ),
        (
            "choose n, r in 1..n where (r * r) <= n then n -> [n - (r * r)]",
            true,
            |n, m| (1..=n - m).any(|r| r * r == n - m),
        ),
        (
            "choose n, k in 1..n where (n mod 2 = 0 and k <= 2) or k = 1 then n -> [n - k]",
            true,
            |n, m| n - m == 1 || n % 2 == 0 && n - m == 2,
        ),
        ("choose n where n >= 9 then n -> [n - 1]", true, |n, m| {
            n >= 9 && n - m == 1
        }),
        (
            "choose n, k in 1..n where n > 10 and k in {1, 3} or k = 2 then n -> [n - k]",
            true,
            |n, m| n - m == 2 || n > 10 && [1, 3].contains(&(n - m)),
        ),
        (
            "choose n, k in 1..n where (2 * k) <= n then n -> [n - k]",
            true,
            |n, m| 2 * (n - m) <= n,
        ),
        (
            "choose n, m in 0..n-1 where m mod 2 = 1 then n -> [m]",
            true,
            |_, m| m % 2 == 1,
        ),
        (
            "choose n, k in 1..n where k mod 4 in {1, 2}, n != 12, not (n mod 5 = 0) then n -> [n - k]",
            true,
            |n, m| [1, 2].contains(&((n - m) % 4)) && n != 12 && n % 5 != 0,
        ),
        (
            "choose n, k in 1..n-1 where n mod k = 0 then n -> [n - k]",
            true,
            |n, m| m > 0 && n % (n - m) == 0,
        ),
        ("choose n where n > 0 then n -> [n div 2]", false, |n, m| {
            m == n / 2
        }),
    ];
    for (words, listed, may) in wordings {
        let text = format!("ruleset R\n  board heaps\n  move by anyone: {words}\n");
        let file = dir.file("r.rules", &text);
        let mut want: Vec<u32> = Vec::new();
        for n in 0..=80u32 {
            let reached = |v: &u32| (0..n).any(|m| may(n, m) && want[m as usize] == *v);
            want.push((0..).find(|v| !reached(v)).expect("a mex"));
        }
        let lines: String = (0..)
            .zip(&want)
            .map(|(n, v): (u32, _)| format!("{n} {v}\n"))
            .collect();
        let o = cgdsl(&["seq", &file, "--to", "80", "--format", "bfile"]);
        assert_eq!(
            (code(&o), out(&o)),
            (0, lines.clone()),
            "{words}: {}",
            err(&o)
        );
        let o = cgdsl(&["seq", &file, "--to", "80", "--format", "bfile", "--plain"]);
        assert_eq!((code(&o), out(&o)), (0, lines), "{words}: {}", err(&o));
        let o = cgdsl(&["seq", &file, "--to", "30", "--json"]);
        assert_eq!(json(&o)["shape"].is_string(), listed, "{words}");
        assert!(json(&o)["period"].is_null(), "{words}");
    }
    let partizan = dir.file("p.rules", "ruleset P\n  board heaps\n  move by Left: choose n, k in 1..n where k mod 2 = 1 then n -> [n - k]\n  move by Right: choose n where n > 0 then n -> [n - 1]\n");
    let o = cgdsl(&["seq", &partizan, "--to", "9"]);
    assert_eq!(code(&o), 0, "{}", err(&o));
    assert!(
        out(&o).contains("the players take differently") || out(&o).contains("no known shape"),
        "{}",
        out(&o)
    );
    let o = cgdsl(&[
        "seq",
        "partizan-subtraction",
        "PartizanSubtraction({1, 2}, {1, 3})",
        "--to",
        "6",
        "--format",
        "bfile",
    ]);
    assert_eq!(code(&o), 2);
    assert!(err(&o).contains("a b-file holds integers"), "{}", err(&o));
}

/// Rules without a bound to what is taken, in several wordings, against the definition; their periods and saltus, verified.
#[test]
fn rules_without_a_bound_have_a_saltus() {
    let dir = Folder::new("amounts");
    let wordings = [
        (
            "move by anyone: choose n, m in 0..n-1 then n -> [m]",
            "take any number",
            vec![],
        ),
        (
            "move by anyone: choose heap, k in 1..heap then heap -> [heap - k]",
            "take any number",
            vec![],
        ),
        (
            "move by anyone: choose n, k in 1..n where not k in {1, 4} then n -> [n - k]",
            "take any number but 1 or 4",
            vec![1, 4],
        ),
        (
            "move by anyone: choose n, m in 0..n where m + 1 < n, n - m != 4 then n -> [m]",
            "take any number but 1 or 4",
            vec![1, 4],
        ),
        (
            "move by anyone: choose n, k in 3..n where k != 7, k != 5 then n -> [n - k]",
            "take any number but 1, 2, 5 or 7",
            vec![1, 2, 5, 7],
        ),
    ];
    for (rule, words, but) in wordings {
        let file = dir.file("a.rules", format!("ruleset Any\n  board heaps\n  {rule}\n"));
        let witness = dir.file("a.json", "");
        let o = cgdsl(&["seq", &file, "--to", "300", "--json", "--certify", &witness]);
        assert_eq!(code(&o), 0, "{rule}: {}", err(&o));
        let told = json(&o);
        assert_eq!(told["shape"], words, "{rule}");
        // The definition.
        let mut g: Vec<usize> = Vec::new();
        for n in 0..=300usize {
            let reached: Vec<usize> = (1..=n)
                .filter(|k| !but.contains(k))
                .map(|k| g[n - k])
                .collect();
            g.push((0..).find(|v| !reached.contains(v)).expect("a mex"));
        }
        let values = told["values"].as_array().expect("values");
        for (n, v) in values.iter().enumerate() {
            assert_eq!(*v, g[n].to_string(), "{rule}: {n}");
        }
        let number = |key: &str| told["period"][key].as_u64().expect("a period") as usize;
        let (p, s, n0) = (number("period"), number("saltus"), number("preperiod"));
        assert!(s > 0, "{rule}");
        for n in n0..=300 - p {
            assert_eq!(g[n + p], g[n] + s, "{rule}: {n}");
        }
        assert_eq!(code(&cgdsl(&["verify", &witness])), 0, "{rule}");
        let text = std::fs::read_to_string(&witness).expect("a witness");
        let changed = dir.file("b.json", text.replacen("\"saltus\":", "\"saltus\":1", 1));
        let o = cgdsl(&["verify", &changed]);
        assert_eq!(code(&o), 1, "{rule}: {}", out(&o));
        let plain = cgdsl(&["seq", &file, "--to", "300", "--plain", "--format", "csv"]);
        assert_eq!(
            out(&plain),
            out(&cgdsl(&["seq", &file, "--to", "300", "--format", "csv"]))
        );
    }
    // A heap far out.
    let file = dir.file(
        "n.rules",
        "ruleset Any\n  board heaps\n  move by anyone: choose n, m in 0..n-1 then n -> [m]\n",
    );
    let o = cgdsl(&["eval", &file, "-e", "nimber(Any[1000000, 999999, 64])"]);
    assert!(out(&o).ends_with("= 63\n"), "{}", out(&o));
}

/// Partizan subtraction: a period of canonical values ends the work, and its witness compares the heaps by the definition of
/// the order of games.
#[test]
fn partizan_subtraction_has_proven_periods() {
    let dir = Folder::new("partizan");
    let witness = dir.file("w.json", "");
    for ruleset in [
        "PartizanSubtraction({1}, {2})",
        "PartizanSubtraction({2}, {1, 4})",
    ] {
        let all = cgdsl(&[
            "seq",
            "partizan-subtraction",
            ruleset,
            "--to",
            "1e9",
            "--quiet",
            "--certify",
            &witness,
        ]);
        assert_eq!(code(&all), 0, "{ruleset}: {}{}", out(&all), err(&all));
        assert!(out(&all).contains("proven"), "{ruleset}: {}", out(&all));
        let o = cgdsl(&["verify", &witness]);
        assert_eq!(code(&o), 0, "{ruleset}: {}", out(&o));
    }
    // The values of this one never came back; there is nothing to certify.
    let open = [
        "seq",
        "partizan-subtraction",
        "PartizanSubtraction({1, 2}, {1, 3})",
        "--to",
        "40",
    ];
    let o = cgdsl(&open);
    assert_eq!(code(&o), 0);
    assert!(out(&o).contains("none found"), "{}", out(&o));
    let o = cgdsl(&[&open[..], &["--certify", &witness]].concat());
    assert_eq!(code(&o), 3);
}

/// In the negative of a position, the other player wins infinite play; a witness of its value is about that side.
/// Both players can pass for ever, so this is `on` if Left wins that, and its negative is `off`.
#[test]
fn witnesses_of_negatives_hold() {
    let dir = Folder::new("negatives");
    let rules = "ruleset Round\n  state n: nat\n  endless win Left\n  \
                 move by anyone: where n = 0 then n := 1\n  \
                 move by anyone: where n = 1 then n := 0\n";
    let file = dir.file("round.rules", rules);
    let witness = dir.file("w.json", "");
    for (position, side) in [("Round[n: 0]", "onside"), ("-Round[n: 0]", "offside")] {
        let o = cgdsl(&[
            "value",
            "--in",
            &file,
            "--certify",
            &witness,
            "--",
            position,
        ]);
        assert_eq!(code(&o), 0, "{position}: {}", err(&o));
        let o = cgdsl(&["verify", &witness]);
        assert_eq!(code(&o), 0, "{position}: {}", out(&o));
        assert!(out(&o).contains(side), "{position}: {}", out(&o));
    }
}

/// Where the file has one ruleset that fits, it needs no name; where it has several, they are listed.
#[test]
fn the_only_ruleset_needs_no_name() {
    let o = cgdsl(&["seq", "kayles", "--to", "9", "--format", "bfile"]);
    assert!(out(&o).ends_with("9 4\n"), "{}{}", out(&o), err(&o));
    let o = cgdsl(&["seq", "octal", "--to", "9"]);
    assert_eq!(code(&o), 2);
    assert!(err(&o).contains("needs arguments"), "{}", err(&o));
    let o = cgdsl(&["search", "snort", "--up-to", "2"]);
    assert_eq!(code(&o), 0, "{}", err(&o));
    let dir = Folder::new("several");
    let rules = |name: &str| {
        format!(
            "ruleset {name}\n  board heaps\n  move by anyone: choose n, m in 0..n-1 then n -> [m]\n"
        )
    };
    let file = dir.file("s.rules", &(rules("A") + &rules("B")));
    let o = cgdsl(&["seq", &file]);
    assert_eq!(code(&o), 2);
    assert!(err(&o).contains("A; B"), "{}", err(&o));
    let o = cgdsl(&["search", &file]);
    assert_eq!(code(&o), 2);
    assert!(err(&o).contains("A; B"), "{}", err(&o));
}

#[test]
fn sequences_are_kept_certified_and_verified() {
    let dir = Folder::new("seq");
    let path = |name: &str| dir.0.join(name).display().to_string();
    let (kept, witness) = (path("kept"), path("witness.json"));
    let short = cgdsl(&["seq", "kayles", "Kayles", "--to", "50", "--keep", &kept]);
    assert_eq!(code(&short), 0, "{}", err(&short));
    let again = cgdsl(&[
        "seq", "kayles", "Kayles", "--to", "500", "--keep", &kept, "--format", "bfile",
    ]);
    let plain = cgdsl(&[
        "seq", "kayles", "Kayles", "--to", "500", "--plain", "--format", "bfile",
    ]);
    assert_eq!(out(&again), out(&plain));
    let other = cgdsl(&["seq", "octal", "Octal(\"0.137\")", "--keep", &kept]);
    assert_eq!(code(&other), 2);
    assert!(err(&other).contains("another rule"), "{}", err(&other));
    let certified = cgdsl(&[
        "seq",
        "kayles",
        "Kayles",
        "--to",
        "300",
        "--certify",
        &witness,
    ]);
    assert_eq!(code(&certified), 0, "{}", err(&certified));
    assert!(
        out(&certified).contains("period  12 from n = 71: proven"),
        "{}",
        out(&certified)
    );
    let holds = cgdsl(&["verify", &witness, "--json"]);
    assert_eq!(
        (code(&holds), &json(&holds)["holds"]),
        (0, &Value::Bool(true))
    );
    let text = std::fs::read_to_string(&witness).expect("a witness");
    let changed = dir.file(
        "changed.json",
        text.replace("\"period\":12", "\"period\":24"),
    );
    assert_eq!(code(&cgdsl(&["verify", &changed])), 1);
    let broken = dir.file("broken.json", "{");
    assert_eq!(code(&cgdsl(&["verify", &broken])), 1);
    let known = cgdsl(&[
        "seq",
        "octal",
        "Octal(\"0.07\")",
        "--to",
        "200",
        "--identify",
        "--compare",
        "0.137",
    ]);
    assert!(
        out(&known).contains("same as 0.137 read 1 further on here"),
        "{}",
        out(&known)
    );
    assert!(
        out(&known).contains("differs from 0.137 first at n = 1"),
        "{}",
        out(&known)
    );
}

/// What is not a sequence of heaps is refused; numbers beyond all bounds are told, values far out are known by the period.
#[test]
fn sequences_of_odd_things() {
    let graph = cgdsl(&["seq", "snort", "Snort"]);
    assert_eq!((code(&graph), out(&graph).as_str()), (2, ""));
    assert!(
        err(&graph).contains("not played on heaps"),
        "{}",
        err(&graph)
    );
    // Sizes alone are no positions: what else they would need is not made up.
    for ruleset in ["FibonacciNim", "misere(FibonacciNim)"] {
        let state = cgdsl(&["seq", "fibonacci-nim", ruleset]);
        assert_eq!((code(&state), out(&state).as_str()), (2, ""), "{ruleset}");
        assert!(
            err(&state).contains("keeps a state beside the heaps: `limit`"),
            "{}",
            err(&state)
        );
    }
    for (ruleset, to) in [
        ("Nothing", "5"),
        ("Kayles(1)", "5"),
        ("Kayles", "10^30"),
        ("Kayles", "x"),
    ] {
        assert_eq!(
            code(&cgdsl(&["seq", "kayles", ruleset, "--to", to])),
            2,
            "{ruleset} {to}"
        );
    }
    let far = cgdsl(&["seq", "kayles", "Kayles", "--to", "1e18", "--quiet"]);
    // 10^18 = 76 (mod 12), and G(76) = 1 (Winning Ways, ch. 4).
    assert!(
        out(&far).contains("G(1000000000000000000) = 1"),
        "{}",
        out(&far)
    );
    let much = cgdsl(&["seq", "kayles", "Kayles", "--to", "1e9", "--json"]);
    assert_eq!(code(&much), 2);
    let little = cgdsl(&[
        "seq",
        "octal",
        "Octal(\"0.6\")",
        "--to",
        "1e9",
        "--quiet",
        "--time",
        "1s",
    ]);
    assert_eq!(code(&little), 3);
    assert!(err(&little).contains("are known"), "{}", err(&little));
    assert!(
        out(&little).contains("period  none found up to"),
        "{}",
        out(&little)
    );
}

/// A card does not contradict itself: the same moves are not the same options under a clause about one player. The search
/// for a loopy value need not look at all positions: the ring has five (by hand).
#[test]
fn cards_say_what_was_found() {
    let dir = Folder::new("cards");
    let text = "ruleset Race\n  state n: nat\n  win Left when n = 0\n  move by anyone: choose k in 1..2 then n -= k\n\nruleset Walk\n  board digraph\n  state token: vertex\n  move by anyone: choose v in out(token) then token := v\n\neval Race[n: 3]\neval Walk[cycle(5), token: c[1]]\n";
    let o = cgdsl(&["eval", &dir.file("cards.rules", text)]);
    for part in [
        "both players have the same moves for ever",
        "at Race[n: 1], by its clause `win Left when ..`",
        "both players have the same options for ever",
        "positions looked at",
    ] {
        assert!(out(&o).contains(part), "{part}: {}", out(&o));
    }
}

/// The options are a set: either edge of a double edge leaves the same position. A sum ends if all its parts do, and has a
/// value of one theory.
#[test]
fn cards_of_double_edges_and_of_sums() {
    let dir = Folder::new("options");
    let text = "use \"hackenbush\"\nuse \"nimstring\"\nuse \"loopy-graph\"\n\
                eval Hackenbush[ground -b- u, ground -b- u]\n";
    let file = dir.file("options.rules", text);
    let o = cgdsl(&["eval", &file]);
    assert!(out(&o).contains("1 option"), "{}", out(&o));
    assert_eq!(out(&o).matches("= 1").count(), 1, "{}", out(&o));
    let o = cgdsl(&[
        "moves",
        &file,
        "Nimstring[ground -- a, ground -- a, ground -- a]",
    ]);
    assert!(out(&o).contains("Left: 1 option"), "{}", out(&o));
    assert_eq!(out(&o).matches("best").count(), 2, "{}", out(&o));
    let o = cgdsl(&["eval", &file, "Over + Open(3)"]);
    assert!(!out(&o).contains("play ends"), "{}", out(&o));
    let o = cgdsl(&["eval", &file, "-e", "value(Over + Open(3))"]);
    for part in [
        "this sum has no value",
        "in LoopyGraph the players have moves of their own",
    ] {
        assert!(err(&o).contains(part), "{}", err(&o));
    }
}

/// The message is about the heap without a nim-value, and not about another one. From 3 one may leave 2 and move again.
#[test]
fn a_sequence_names_the_heap_at_which_it_ends() {
    let dir = Folder::new("heaps");
    let text = "ruleset Ag\n  board heaps\n  \
                move by anyone: choose n, k in 1..n-1 then n -> [k, n - k], again when k = 2\n  \
                move by anyone: choose n then n -> [n - 1]\n";
    let o = cgdsl(&["seq", &dir.file("ag.rules", text)]);
    assert_eq!(code(&o), 2, "{}{}", out(&o), err(&o));
    assert!(out(&o).contains("heaps 0 to 2"), "{}", out(&o));
    assert!(
        err(&o).contains("Ag[3]") && err(&o).contains("loony"),
        "{}",
        err(&o)
    );
    assert!(err(&o).contains("cgdsl table FILE"), "{}", err(&o));
    // From 2 on only Left can move, and goes round: the values are loopy.
    let text = "ruleset Round\n  board heaps\n  \
                move by Left: choose n where n >= 2 then n -> [n]\n  \
                move by anyone: choose n where n = 1 then n -> [0]\n";
    let o = cgdsl(&["seq", &dir.file("round.rules", text), "--to", "3"]);
    assert_eq!(code(&o), 0, "{}{}", out(&o), err(&o));
    assert!(out(&o).contains("2  on\n"), "{}", out(&o));
}

/// Tables in every format, with what repeats in them; a picture is of one table.
#[test]
fn tables_in_every_format() {
    let dir = Folder::new("tables");
    let wanted = "for m in 0..2, n in 0..11: nimber(Wythoff[m: m, n: n])";
    let o = cgdsl(&["table", "wythoff", wanted]);
    assert_eq!(code(&o), 0);
    let text = out(&o);
    // Row 1 goes 1 2 0 4 5 3 7 8 6 .., row 2 goes 2 0 1 5 3 4 8 6 7 ..: three more each three columns.
    for line in [
        "row m = 0: period 1 and saltus 1 from n = 0",
        "rows m = 1, 2: period 3 and saltus 3 from n = 0",
        "no theorem",
    ] {
        assert!(text.contains(line), "{text}");
    }
    let o = json(&cgdsl(&["table", "wythoff", wanted, "--json"]));
    assert_eq!(o["tables"][0]["rows"].as_array().map(Vec::len), Some(36));
    assert_eq!(o["tables"][0]["observed"][1]["saltus"], 3);
    let csv = out(&cgdsl(&["table", "wythoff", wanted, "--format", "csv"]));
    assert!(csv.starts_with("m,n,value\n0,0,0\n0,1,1\n"), "{csv}");
    assert_eq!(csv.lines().count(), 37);
    // Tables for several rulesets say which is which.
    let rules =
        "use \"nim\"\nuse \"kayles\"\ntable for R in {Nim, Kayles}, n in 1..2: nimber(R[n])\n";
    let several = dir.file("several.rules", rules);
    for (format, titles) in [
        ("csv", ["Nim: nimber(R[n])", "Kayles: nimber(R[n])"]),
        ("markdown", ["### Nim", "### Kayles"]),
        ("latex", ["\\noindent Nim\\par", "\\noindent Kayles\\par"]),
        ("typst", ["\nNim\n", "\nKayles\n"]),
    ] {
        for command in ["table", "eval"] {
            let o = cgdsl(&[command, &several, "--format", format]);
            let told = format!("\n{}", out(&o));
            let seen = |t: &&str| !told.contains(t.trim_end_matches(": nimber(R[n])"));
            assert!(!titles.iter().any(seen), "{command} {format}\n{told}");
        }
    }
    let latex = out(&cgdsl(&["table", "cutcake", "--format", "latex"]));
    for part in [
        "\\toprule",
        "\\midrule",
        "\\bottomrule",
        "2 & $-1$ & 0 & 0 & 1 & 1 & 2 \\\\",
    ] {
        assert!(latex.contains(part), "{latex}");
    }
    let markdown = out(&cgdsl(&["table", "cutcake", "--format", "markdown"]));
    assert!(
        markdown.contains("| 2 | -1 | 0 | 0 | 1 | 1 | 2 |"),
        "{markdown}"
    );
    let picture = dir.0.join("wythoff.svg").display().to_string();
    let o = cgdsl(&[
        "table", "wythoff", wanted, "--format", "svg", "-o", &picture,
    ]);
    assert_eq!((code(&o), out(&o).as_str()), (0, ""));
    let svg = std::fs::read_to_string(&picture).expect("the picture");
    // The paper, 36 fields, and the steps of the scale.
    assert!(svg.starts_with("<svg ") && svg.matches("<rect").count() == 1 + 36 + 40);
    // What is asked for counts, whatever the name of the file.
    let plain = cgdsl(&["table", "wythoff", wanted, "--format", "text"]);
    let o = cgdsl(&[
        "table", "wythoff", wanted, "--format", "text", "-o", &picture,
    ]);
    assert_eq!((code(&o), out(&o).as_str()), (0, ""));
    let written = std::fs::read_to_string(&picture).expect("the table");
    assert_eq!(written, out(&plain));
    let broken = cgdsl(&["table", "wythoff", "for m in 0..2"]);
    assert_eq!(code(&broken), 2);
    let none = cgdsl(&["table", "wythoff", "--only", "nothing of the kind"]);
    assert_eq!(code(&none), 2);
}

/// For each shortcut a file and a question in which it is taken.
const TAKEN: &[(&str, &str, &str)] = &[
    ("compile", "domineering", "value(Domineering[grid(2, 3)])"),
    ("ground", "domineering", "value(Domineering[grid(2, 3)])"),
    ("index", "domineering", "value(Domineering[grid(2, 3)])"),
    ("removal", "graphs/snort.rules", "value(Snort[grid(2, 3)])"),
    (
        "rooted",
        "graphs/hackenbush.rules",
        "value(Hackenbush[ground -b- a -r- c])",
    ),
    ("copies", "shove", "value(Shove[\"..l.r.l\"])"),
    ("memo", "cram", "nimber(Cram[grid(2, 3)])"),
    ("boards", "domineering", "value(Domineering[grid(3, 4)])"),
    ("keys", "cram", "nimber(Cram[grid(3, 4)])"),
    ("shapes", "cram", "nimber(Cram[grid(2, 3)])"),
    ("isomorphism", "graphs/col.rules", "value(Col[grid(3, 3)])"),
    ("mixed", "konane", "value(Konane[\"xoxo|oxox|x.xo\"])"),
    ("bits", "cram", "nimber(Cram[grid(2, 3)])"),
    ("symmetry", "graphs/snort.rules", "value(Snort[path(5)])"),
    ("symmetry", "cram", "nimber(Cram[grid(2, 3)])"),
    ("pairing", "cram", "nimber(Cram[grid(4, 4)])"),
    ("pairing", "cram", "outcome(Cram[grid(3, 4)])"),
    ("pairing", "graphs/col.rules", "value(Col[cycle(6)])"),
    ("images", "graphs/snort.rules", "value(Snort[grid(2, 3)])"),
    ("narrow", "domineering", "value(Domineering[grid(2, 3)])"),
    ("narrow", "cram", "nimber(Cram[grid(2, 3)])"),
    ("narrow", "clobber", "outcome(Clobber[\"xoxo|oxox\"])"),
    (
        "narrow",
        "tic-tac-toe",
        "outcome(TicTacToe[\"...|...|...\"])",
    ),
    (
        "threats",
        "tic-tac-toe",
        "outcome(TicTacToe[\"...|...|...\"])",
    ),
    ("integers", "ryuo-nim", "nimber(RyuoNim[m: 70, n: 3])"),
    ("split", "domineering", "value(Domineering[grid(3, 3)])"),
    ("regions", "clobber", "value(Clobber[\"xoxo|oxox\"])"),
    ("regions", "push", "outcome(Push[\"l.rl.r\"])"),
    ("impartial", "cram", "value(Cram[grid(2, 3)])"),
    ("proof", "cram", "nimber(Cram[grid(3, 4)])"),
    ("small", "cram", "nimber(Cram[grid(3, 4)])"),
    ("guess", "domineering", "value(Domineering[grid(5, 5)])"),
    ("sums", "clobber", "outcome(Clobber[\"xoxo|oxox|.xo.\"])"),
    ("bounds", "domineering", "outcome(Domineering[grid(5, 5)])"),
    (
        "bounds",
        "domineering",
        "winner(Domineering[grid(5, 5)], first: Left)",
    ),
    ("strips", "domineering", "outcome(Domineering[grid(6, 6)])"),
    (
        "strips",
        "domineering",
        "winner(Domineering[grid(6, 6)], first: Left)",
    ),
    ("counts", "domineering", "outcome(Domineering[grid(4, 5)])"),
    (
        "proof-numbers",
        "clobber",
        "outcome(Clobber[\"xoxo|oxox\"])",
    ),
    ("digests", "domineering", "value(Domineering[grid(3, 3)])"),
    (
        "incentives",
        "domineering",
        "5 * {3 || 2 | 0} + 3 * {1 | {-1 | -4}} + {2 | {-1 | -7}}",
    ),
    ("duel", "n-player/hackenbush", "winner(Queer, first: 1)"),
    ("outlast", "n-player/hackenbush", "winner(Queer, first: 1)"),
    (
        "rotations",
        "n-player/nim",
        "coalitions(Nim3[2, 2], first: A)",
    ),
    (
        "product",
        "poset-game",
        "nimber(PosetGame[{1} < {2}, {1} < {3}, {4} < {5}])",
    ),
    ("antichains", "poset-game", "nimber(PosetGame[chomp(4, 5)])"),
];

/// Shortcuts that take over only in long searches or where memory is short; `machine_rulesets` and `engine_examples` ask for
/// them with smaller thresholds.
const TAKEN_LATE: [&str; 2] = ["whole", "by-value"];

/// The counters of a shortcut are positive where it may be taken and zero where it may not; the answer is the same.
#[test]
fn shortcuts_are_counted_and_can_be_closed() {
    for entry in &REGISTRY {
        let told = TAKEN.iter().any(|(name, ..)| *name == entry.name);
        assert!(
            told || entry.counters.is_empty() || TAKEN_LATE.contains(&entry.name),
            "no question takes {}",
            entry.name
        );
    }
    for (name, file, query) in TAKEN {
        let counters = Shortcut::named(name).unwrap().entry().counters;
        let run = |closed: bool| {
            let mut words = vec!["eval", file, "-e", query, "--stats"];
            if closed {
                words.extend(["--without", name]);
            }
            let o = cgdsl(&words);
            assert_eq!(code(&o), 0, "{}{}", out(&o), err(&o));
            let text = err(&o);
            let count = |line: &str| -> Option<u64> {
                let (counter, n) = line.split_once(' ')?;
                counters.contains(&counter).then(|| n.trim().parse().ok())?
            };
            let counts: Vec<u64> = text.lines().filter_map(count).collect();
            assert_eq!(counts.len(), counters.len(), "{name}: {text}");
            (out(&o), counts.iter().sum::<u64>())
        };
        let ((open, some), (closed, none)) = (run(false), run(true));
        assert_eq!(open, closed, "{name}");
        assert!(some > 0 && none == 0, "{name}: {some} and {none}");
    }
}

/// The table of gains in `docs/performance.md` has a row for each shortcut, in the order of the registry.
#[test]
fn the_table_of_gains_has_a_row_for_each_shortcut() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/performance.md");
    let text = std::fs::read_to_string(path).unwrap();
    let (_, after) = text.split_once("| shortcut | rows | all |").unwrap();
    let rows = after.lines().skip(2).take_while(|l| l.starts_with('|'));
    let names: Vec<&str> = rows.map(|l| l.split('`').nth(1).unwrap()).collect();
    let known: Vec<&str> = REGISTRY.iter().map(|e| e.name).collect();
    assert_eq!(names, known);
}

#[test]
fn a_command_line_that_is_not_understood() {
    for (args, message, help) in [
        (&["evil", "nim"][..], "subcommand 'evil'", "'eval'"),
        (
            &["eval", "nim", "--treads", "2"],
            "'--treads'",
            "'--threads'",
        ),
        (&["eval", "nim", "--memory", "1K"], "at least 1M", ""),
        (&["table"], "<FILE>", ""),
    ] {
        let o = cgdsl(args);
        assert_eq!((code(&o), out(&o).as_str()), (2, ""), "{args:?}");
        assert!(err(&o).contains(message), "{}", err(&o));
        let mut args = args.to_vec();
        args.push("--json");
        let o = cgdsl(&args);
        assert_eq!((code(&o), err(&o).as_str()), (2, ""), "{args:?}");
        let said = &json(&o)["diagnostics"][0];
        assert_eq!(said["code"], "E0705");
        assert!(said["message"].to_string().contains(message), "{said}");
        assert!(said["help"].to_string().contains(help), "{said}");
    }
}

/// Values, winners, scores, loony values, coalitions: each theory fills other fields.
#[test]
fn documents_of_each_theory_satisfy_their_schemas() {
    for (file, position) in [
        ("nim", "3, 5"),
        ("misere-nim", "3"),
        ("loopy-graph", "Hot"),
        ("dots-and-boxes", "x"),
        ("nimstring", "ground -- a -- b"),
        ("tic-tac-toe", "TicTacToe[\"xo.|xo.|...\"]"),
        ("n-player/hackenbush", "Queer"),
    ] {
        for command in ["eval", "moves"] {
            let o = cgdsl(&[command, file, position, "--json"]);
            assert_eq!(code(&o), 0, "{command} {file}: {}", err(&o));
            json(&o);
        }
    }
}

/// What is said of a rule: moves that exist, symmetries of the rules, names of the board.
#[test]
fn what_is_said_of_a_rule_is_so() {
    let dir = Folder::new("said");
    for (choice, said) in [
        (
            "n, k in 1..n-1 then n -> [n - k]",
            "take any number and leave a heap",
        ),
        (
            "n where n > 0 then n -> []",
            "take any number and leave none",
        ),
        ("n, k in 1..n then n -> [n - k]", "take any number"),
        (
            "n where n > 3 then n -> []",
            "take any number but 1, 2 or 3 and leave none",
        ),
    ] {
        let rules = format!("ruleset A\n  board heaps\n  move by anyone: choose {choice}\n");
        let o = cgdsl(&["seq", &dir.file("a.rules", rules), "--to", "8"]);
        let line = format!("rule    {said}\n");
        assert!(out(&o).contains(&line), "{choice}: {}{}", out(&o), err(&o));
    }
    let o = cgdsl(&["eval", "konane", "\"xo.o\""]);
    let of_rules = "of the rules: left and right exchanged;";
    assert!(out(&o).contains(of_rules), "{}", out(&o));
    // The symmetries that the search for the winner uses keep the clauses that end play: eight of the square, which stones of
    // Connect Four fall through but for one; six hounds' cells have a reflection, but hounds are no hares.
    for (file, position, line) in [
        (
            "tic-tac-toe",
            "TicTacToe[grid(3, 3)]",
            "of the rules: all 8 turns and reflections of the board; all 8 turns and reflections of the board, pieces exchanged, players exchanged\n",
        ),
        (
            "connect-four",
            "Connect(3)[grid(2, 3)]",
            "of the rules: left and right exchanged; as it lies, pieces exchanged, players exchanged; left and right exchanged, pieces exchanged, players exchanged\n",
        ),
        (
            "hare-and-hounds",
            "#d..#|d...h|#d..#",
            "of the rules: top and bottom exchanged\n",
        ),
    ] {
        let o = cgdsl(&["explain", file, position]);
        assert!(out(&o).contains(line), "{file}: {}{}", out(&o), err(&o));
    }
    let o = cgdsl(&["explain", "poset-game", "a < c, b < c"]);
    assert!(!out(&o).contains("there("), "{}", out(&o));
    assert!(out(&o).contains("a and b exchanged"), "{}", out(&o));
}

/// The list of instances names the ruleset of each board, in a sum whose equal terms share one.
#[test]
fn the_instances_of_a_sum_are_those_of_its_boards() {
    let dir = Folder::new("instances");
    let text = "ruleset Dom\n  board grid\n  move by anyone: choose a in cells, b in nbrs(a) then remove a, remove b\n\nruleset Heap\n  board heaps\n  move by anyone: choose n, k in 1..n then n -> [n - k]\n";
    let file = dir.file("sum.rules", text);
    let sum = "Dom[grid(1, 2)] - Dom[grid(1, 2)] + Heap[3]";
    let o = cgdsl(&["explain", "--ir", &file, sum]);
    let told = out(&o);
    assert_eq!(
        told.matches("\nground Dom\n").count(),
        1,
        "{told}{}",
        err(&o)
    );
    assert!(told.contains("// Heap is not compiled"), "{told}");
    assert!(!told.contains("Dom is not compiled"), "{told}");
}

/// What a ruleset says without a clause that is in error would be about another game.
#[test]
fn a_ruleset_whose_inheritance_is_in_error_is_not_played() {
    let dir = Folder::new("heir");
    let text = "ruleset A\n  state n: nat\n  move by anyone: where n >= 1 then n -= 1\n  move by anyone: where n >= 2 then n -= 2\nruleset B = A with\n  without move 2\n  move by anyone: where n >= 3 then n -= 3\nassert nimber(B[n: 3]) = 1\n";
    let file = dir.file("heir.rules", text);
    let o = cgdsl(&["eval", &file]);
    assert_eq!(code(&o), 2, "{}", out(&o));
    assert!(!out(&o).contains("held"), "{}", out(&o));
    for command in ["moves", "why", "tree", "explain"] {
        let o = cgdsl(&[command, &file, "B[n: 3]"]);
        assert_eq!(code(&o), 2, "{command}: {}", out(&o));
        assert!(err(&o).contains("`B` has errors"), "{}", err(&o));
    }
}

/// The list of the options of a position takes as much memory as there is.
#[test]
fn options_are_listed_within_the_memory_of_the_run() {
    let asked = "size(options(Domineering[grid(24, 24)], Left))";
    let o = cgdsl(&["eval", "domineering", "-e", asked]);
    assert_eq!(out(&o), format!("{asked} = 552\n"), "{}", err(&o));
    let o = cgdsl(&["eval", "domineering", "-e", asked, "--memory", "10M"]);
    assert_eq!(code(&o), 3, "{}{}", out(&o), err(&o));
    assert!(out(&o).contains("--memory"), "{}", out(&o));
}

/// Cells and names that are wider than a format may pad.
#[test]
fn very_wide_cells_and_names_are_printed() {
    let dir = Folder::new("wide-cell");
    let name = format!("L{}", "l".repeat(70_000));
    let text = format!(
        "ruleset Long\n  players {name}, Right\n  board heaps\n  move by anyone: choose n, m in 0..n-1 then n -> [m]\n\neval Long[3]\n"
    );
    let o = cgdsl(&["eval", &dir.file("long.rules", text)]);
    assert_eq!(code(&o), 0, "{}", err(&o));
    assert!(out(&o).contains(&name));
    let file = dir.file("wide.rules", "table for n in 1..1: [k for k in 1..20000]\n");
    let o = cgdsl(&["eval", &file]);
    assert_eq!(code(&o), 0, "{}", err(&o));
    assert!(out(&o).contains("19999, 20000]"));
    // The other cells are not padded to the width of a very wide one.
    let text = "table for n in 1..60: 10^(20000 * max({0, n - 59}))\n";
    let o = cgdsl(&["eval", &dir.file("one.rules", text)]);
    assert_eq!(code(&o), 0, "{}", err(&o));
    let length = out(&o).len();
    assert!((20_000..25_000).contains(&length), "{length}");
}
