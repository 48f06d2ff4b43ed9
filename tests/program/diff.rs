//! `cgdsl diff` and `cgdsl eval --set` as a user runs them.

use crate::program::{Folder, cgdsl, code, err, json, out};

const RULES: &str = "ruleset Domineering
  board grid
  let   along(Left) = south, along(Right) = east
  move by p: choose a, b = a + along(p) where at(a) = empty, at(b) = empty then remove a, b

ruleset Columns = Domineering with
  let along(Right) = south

assert value(Domineering[grid(2, 2)]) == +-1
table for m in 1..3: value(Domineering[grid(m, 1)])
";

#[test]
fn two_rulesets_of_a_file_are_compared() {
    let dir = Folder::new("diff");
    let file = dir.file("game.rules", RULES);
    let o = cgdsl(&["diff", &file, "Domineering", "Columns", "--up-to", "2x2"]);
    assert_eq!(code(&o), 0, "{}{}", out(&o), err(&o));
    let told = out(&o);
    for line in [
        "  - let along(Right) = east",
        "  + let along(Right) = south",
        // One column of two cells: Right has his first option.
        "Right to",
    ] {
        assert!(told.contains(line), "{line}\n{told}");
    }
    let v = json(&cgdsl(&[
        "diff",
        &file,
        "Domineering",
        "Columns",
        "--up-to",
        "2x2",
        "--json",
    ]));
    let rules = &v["rulesets"][0];
    assert_eq!(rules["asked"], "value");
    // A row of two cells is worth -1 to Right, and nobody can move there along columns; a column is worth 1, and then *.
    let first = &rules["positions"][0];
    let pair = (first["was"].as_str(), first["now"].as_str());
    assert!(
        matches!(pair, (Some("-1"), Some("0")) | (Some("1"), Some("*"))),
        "{first}"
    );
    assert_eq!(v["queries_compared"], 2);
    let table = v["queries"].as_array().expect("queries").iter();
    assert!(
        table
            .clone()
            .any(|q| q["cells"][0] == "m = 2: was 1, now *"),
        "{v}"
    );
}

#[test]
fn a_file_is_compared_with_itself_and_with_none() {
    let dir = Folder::new("diff-same");
    let file = dir.file("game.rules", RULES);
    let o = cgdsl(&["diff", &file, &file, "--up-to", "2"]);
    assert_eq!(code(&o), 0, "{}", err(&o));
    assert!(out(&o).contains("the same rules"), "{}", out(&o));
    assert_eq!(code(&cgdsl(&["diff", &file, "nowhere.rules"])), 2);
    assert_eq!(code(&cgdsl(&["diff", &file, "Domineering", "Nothing"])), 2);
    assert_eq!(code(&cgdsl(&["diff", &file, &file, "--up-to", "many"])), 2);
}

#[test]
fn a_clause_is_set_for_one_run() {
    let plain = cgdsl(&[
        "eval",
        "domineering",
        "-e",
        "value(Domineering[grid(2, 1)])",
    ]);
    let set = |clause: &str| {
        cgdsl(&[
            "eval",
            "domineering",
            "-e",
            "value(Domineering[grid(2, 1)])",
            "--set",
            clause,
        ])
    };
    assert!(out(&plain).trim_end().ends_with("= 1"), "{}", out(&plain));
    let o = set("along(Right) = south");
    assert!(
        out(&o).trim_end().ends_with("= *"),
        "{}{}",
        out(&o),
        err(&o)
    );
    let misere = |clause| out(&cgdsl(&["eval", "nim", "1, 1", "--set", clause]));
    assert_eq!(misere("misere"), misere("play misere"));
    let o = cgdsl(&["eval", "nim", "1, 1", "--set", "play misere"]);
    assert!(out(&o).contains("N-position"), "{}{}", out(&o), err(&o));
    assert_eq!(code(&set("without move 7")), 2);
}

/// Where a clause is changed for one run, the former ruleset is not meant; a ruleset of the file with a primed name is.
#[test]
fn rulesets_with_primed_names_are_rulesets() {
    let dir = Folder::new("primed");
    let file = dir.file(
        "primed.rules",
        "ruleset A''\n  board heaps\n  move by anyone: choose n then n -> []\nruleset A' = A'' with\nruleset A = A'' with\n",
    );
    let o = cgdsl(&["seq", &file]);
    assert_eq!(code(&o), 2, "{}", out(&o));
    assert!(err(&o).contains("one of A''; A'; A"), "{}", err(&o));
    let one = dir.file(
        "one.rules",
        "ruleset A\n  board heaps\n  move by anyone: choose n then n -> []\n",
    );
    let o = cgdsl(&["eval", &one, "1, 1", "--set", "play misere"]);
    assert_eq!(code(&o), 0, "{}{}", out(&o), err(&o));
}

/// Normal play of two players generalizes to elimination; what only two have is not asked of three.
#[test]
fn a_game_for_more_players_is_one_clause() {
    let dir = Folder::new("more-players");
    let rules = "use \"col\"\nruleset Col3 = Col with claims\n  players A, B, C\n\nclaim for R in {Col, Col3}: outcome(R[path(1)]) = N-position\nassert winner(Col3[a:x -- b:o -- d:c -- e], first: A) = A\n";
    let file = dir.file("col3.rules", rules);
    let o = cgdsl(&["eval", &file]);
    assert_eq!(code(&o), 0, "{}{}", out(&o), err(&o));
    assert!(out(&o).contains("2 held"), "{}{}", out(&o), err(&o));
    // The claims that are inherited and the one of the file, in one line.
    let line = "not asked of Col3: a position of 3 players has no `value`";
    let said: Vec<String> = err(&o).lines().map(str::to_owned).collect();
    assert_eq!(
        said.iter().filter(|l| !l.trim().is_empty()).count(),
        1,
        "{said:#?}"
    );
    assert!(said.iter().any(|l| l.contains(line)), "{said:#?}");
    // A table needs its entry, rules for two stay for two, and a query of its own is an error.
    for (more, has) in [
        (
            "use \"domineering\"\nruleset D = Domineering with\n  players A, B, C\neval D[grid(2, 2)]\n",
            "C",
        ),
        (
            "use \"snort\"\nruleset S = Snort with\n  players A, B, C\n",
            "two players only",
        ),
        (
            "use \"col\"\nruleset C = Col with\n  players A, B, C\neval value(C[path(1)])\n",
            "has no `value`",
        ),
    ] {
        let file = dir.file("more.rules", more);
        let o = cgdsl(&["eval", &file]);
        assert_eq!(code(&o), 2, "{}", out(&o));
        assert!(err(&o).contains(has), "{has}\n{}", err(&o));
    }
}
