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

/// The first clause that holds ends play, and numbers are read in the order of the state.
#[test]
fn an_order_that_counts_is_a_difference() {
    let dir = Folder::new("diff-order");
    let clauses = [
        "  win p when some a in cells: at(a) = p and at(a + east) = p",
        "  draw when no a in cells: at(a) = empty",
    ];
    let ruleset = |name: &str, ends: [&str; 2], state: &str| {
        format!(
            "ruleset {name}\n  board strip\n  pieces x = Left, o = Right\n{}\n{}\n  move by p: choose a where at(a) = empty then at(a) := p\nruleset Of{name}\n  state {state}\n  move by anyone: choose k in 1..m then m -= k\n",
            ends[0], ends[1]
        )
    };
    let [win, draw] = clauses;
    let text =
        ruleset("A", [win, draw], "m: nat, n: nat") + &ruleset("B", [draw, win], "n: nat, m: nat");
    let file = dir.file("order.rules", &text);
    let o = cgdsl(&["diff", &file, "A", "B", "--up-to", "2"]);
    let told = out(&o);
    assert!(!told.contains("the same rules"), "{told}");
    let (first, second) = (told.find("~ in this order:  draw"), told.find("win p when"));
    assert!(first.is_some() && first < second, "{told}");
    // Both complete a pair on the last cell.
    assert!(told.contains("~ Left to [\"xx\"]"), "{told}");
    let o = cgdsl(&["diff", &file, "OfA", "OfB", "--up-to", "2"]);
    assert!(
        out(&o).contains("~ in this order:  state n: nat"),
        "{}",
        out(&o)
    );
    // A ruleset made of another one.
    let o = cgdsl(&["diff", &file, "OfA", "misere(OfA)", "--up-to", "2"]);
    assert_eq!(code(&o), 0, "{}", err(&o));
    assert!(out(&o).contains("  + play misere"), "{}", out(&o));
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
    // A message shows the clause as it was given, and nothing is answered without it.
    for (clause, said) in [
        ("foo", "<command line>:1:4"),
        ("foo = bar(", "<command line>:1:"),
        ("play miser", "<command line>:1:6"),
        ("", "there is no clause to change"),
        ("Foo: play misere", "the file has no ruleset `Foo`"),
        ("Domneering: play misere", "did you mean `Domineering`?"),
    ] {
        let o = set(clause);
        assert_eq!(code(&o), 2, "{clause}: {}", out(&o));
        assert!(err(&o).contains(said), "{clause}: {}", err(&o));
        assert!(!out(&o).contains('='), "{clause}: {}", out(&o));
    }
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

/// A value that the new rules do not have is not a broken claim of theirs.
#[test]
fn claims_that_the_new_rules_cannot_answer_are_skipped() {
    let dir = Folder::new("inherited-claims");
    let rules = "ruleset Nim\n  board heaps\n  move by anyone: choose n, k in 1..n then n -> [n - k]\nruleset Other = Nim with\nassert value(Nim[1]) == *\nassert outcome(Nim[1]) = N-position\nclaim for R in {Other, Nim}: outcome(R[1]) = outcome(Nim[1])\nruleset M = misere(Nim) with claims\n";
    let o = cgdsl(&["eval", &dir.file("misere.rules", rules)]);
    assert_eq!(code(&o), 1, "{}{}", out(&o), err(&o));
    assert!(
        err(&o).contains("not asked of M: M has no value"),
        "{}",
        err(&o)
    );
    let told = out(&o);
    assert!(
        told.contains("skipped  assert value(Nim[1]) == *, of M"),
        "{told}"
    );
    // The instance of Other speaks of M, too.
    let gone = told.matches("no longer of M").count();
    assert_eq!(gone, 2, "{told}");
}

/// Under `impartial(R)` everyone plays everything.
#[test]
fn a_card_of_an_impartial_game_gives_no_player_pieces() {
    let o = cgdsl(&[
        "eval",
        "toads-and-frogs",
        "impartial(ToadsAndFrogs)[\"tt.ff\"]",
    ]);
    let told = out(&o);
    for player in ["Left", "Right"] {
        let line = format!("{player:16}shares t, f, 2 options");
        assert!(told.contains(&line), "{told}");
    }
    assert!(!told.contains("ahead ="), "{told}");
}
