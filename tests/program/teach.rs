//! The commands for teaching as a user runs them: pictures, explanations, trees, play; JSON against its schemas, broken input.
#![cfg(feature = "cli")]

#[path = "../teach/course.rs"]
mod course;
#[path = "../teach/levels.rs"]
mod levels;
#[path = "../teach/newcomer.rs"]
mod newcomer;
#[path = "../teach/quiz.rs"]
mod quiz;
#[path = "../teach/repl.rs"]
mod repl;
#[path = "../teach/strings.rs"]
mod strings;

use crate::program::{Folder, cgdsl, code, err, json, out};

#[test]
fn a_picture_goes_to_the_output_or_into_a_file_of_the_format_that_its_name_says() {
    let dir = Folder::new("draw");
    let o = cgdsl(&["draw", "domineering", "..|.#"]);
    assert_eq!((code(&o), out(&o).as_str()), (0, ". .\n. #\n"));
    for (name, holds) in [
        ("a.svg", "<svg "),
        ("a.tex", "\\begin{tikzpicture}"),
        ("a.dot", "graph {"),
        ("a.txt", "==="),
    ] {
        let path = dir.0.join(name).display().to_string();
        let o = cgdsl(&["draw", "hackenbush", "stalk(\"brb\")", "-o", &path]);
        assert_eq!((code(&o), out(&o).as_str()), (0, ""), "{}", err(&o));
        let text = std::fs::read_to_string(&path).expect("a picture");
        assert!(text.contains(holds), "{text}");
    }
    let v = json(&cgdsl(&["draw", "hackenbush", "stalk(\"brb\")", "--json"]));
    assert_eq!(v["terms"][0]["lines"][1]["marks"][0]["owner"]["player"], 1);
    for (file, position) in [
        ("nim", "3, (4, 5)"),
        ("wythoff", "Wythoff[m: 2, n: 3]"),
        ("domineering", "grid(2, 3)"),
        ("poset-game", "PosetGame[a < b]"),
    ] {
        let o = cgdsl(&["draw", file, position, "--json"]);
        if file == "nim" {
            assert_eq!(code(&o), 2);
        } else {
            json(&o);
        }
    }
}

#[test]
fn what_cannot_be_drawn_is_told() {
    let o = cgdsl(&["draw", "snort", "grid(80, 80)"]);
    assert_eq!(code(&o), 3);
    assert!(err(&o).contains("at most 600 vertices"), "{}", err(&o));
    let o = cgdsl(&["draw", "snort", "path(3)", "-o", "picture.xyz"]);
    assert_eq!(code(&o), 2);
    assert!(err(&o).contains(".svg"), "{}", err(&o));
    let o = cgdsl(&["draw", "snort", "path(3)", "-o", "no/such/folder.svg"]);
    assert_eq!(code(&o), 2);
    for position in ["Snort[a:q -- b]", "Snort[", "["] {
        let o = cgdsl(&["draw", "snort", position]);
        assert_eq!(code(&o), 2, "{position}: {}{}", out(&o), err(&o));
        assert!(!err(&o).is_empty());
    }
    assert_eq!(out(&cgdsl(&["draw", "snort", ""])), "nothing\n");
    let o = cgdsl(&["draw", "nothing-of-that-name", "3"]);
    assert_eq!(code(&o), 2);
}

#[test]
fn an_explanation_is_told_in_full_in_a_line_and_as_json() {
    let o = cgdsl(&["why", "hackenbush", "stalk(\"brbrr\")"]);
    assert_eq!(code(&o), 0, "{}", err(&o));
    // Berlekamp's rule (Winning Ways, ch. 3) gives 9/16; the options are worked out by hand.
    for line in [
        "Right's option 3/4 is dominated by 5/8",
        "9/16 is the simplest number that fits: {1/2 | 5/8} = 9/16",
    ] {
        assert!(out(&o).contains(line), "{}", out(&o));
    }
    let o = cgdsl(&["why", "nim", "3, 5", "--short"]);
    assert_eq!(out(&o), "*6: the nim-sum 3 xor 5 = 6\n");
    for (file, position) in [
        ("nim", "3, 5"),
        ("domineering", "....|...."),
        ("hackenbush", "stalk(\"brb\")"),
        ("n-player/hackenbush", "Queer"),
        ("clobber", "\"xox|ox.\""),
        ("nimstring", "ground -- a -- b"),
        (
            "nimstring",
            "Nimstring[ground -- a -- b] + Nimstring[ground -- a]",
        ),
        ("treblecross", "\"....\""),
        (
            "pong-hau-ki",
            "PongHauKi[nw:x -- sw:o -- se:o -- ne:x, c -- nw, c -- sw, c -- se, c -- ne]",
        ),
        ("dots-and-boxes", "x"),
    ] {
        let v = json(&cgdsl(&["why", file, position, "--json"]));
        assert!(v["sentences"].as_array().is_some_and(|s| !s.is_empty()));
    }
    // Two coins in a row: the one cut leaves them to the other player, the other takes one and moves again (Winning Ways,
    // ch. 16).
    let o = cgdsl(&["why", "nimstring", "ground -- a -- b"]);
    for line in [
        "Both players can move to\n      Nimstring[a -- b]  = 0\n",
        "Both players can move, and then move again, to\n      Nimstring[ground -- a, b]  = 0\n",
        "A move to the nimber 0 after which the same player moves again wins the sum with every nimber but 0, and the move to 0 that passes the turn wins that one, too: it is loony.",
    ] {
        assert!(out(&o).contains(line), "{line}\n{}", out(&o));
    }
    assert!(!out(&o).contains("no value"), "{}", out(&o));
    // An option is asked about as what it is: a position that a move has reached.
    let o = cgdsl(&["why", "tests/semantics/ends.rules", "Warned[n: 6]"]);
    assert_eq!(code(&o), 0, "{}", err(&o));
    assert!(out(&o).contains("Warned[n: 4]"), "{}", out(&o));
    // A number lies between its options, and a player without one is said to have none.
    let o = cgdsl(&["why", "konane", "\"xo.o\""]);
    let line = "Right has no option, no option of Left (-1) is at least 0, and 0 is the simplest number that fits: {-1 |} = 0.";
    assert!(out(&o).contains(line), "{}", out(&o));
    let o = cgdsl(&["why", "domineering", "grid(4, 4)", "--nodes", "10"]);
    assert_eq!(code(&o), 3, "{}", err(&o));
    let o = cgdsl(&["why", "domineering", "Domineering[", "--json"]);
    assert_eq!(code(&o), 2);
    json(&o);
}

#[test]
fn a_tree_tells_what_becomes_of_each_option() {
    let o = cgdsl(&["tree", "domineering", "....|....", "--depth", "1"]);
    assert_eq!(code(&o), 0, "{}", err(&o));
    for line in [
        "    - Left: Domineering[\"#...|#...\"]  = {2|-1/2}  (dominated by {2|0})",
        "    * Left: Domineering[\".#..|.#..\"]  = {2|0}",
        "    ~ Right: Domineering[\"##..|....\"]  = {0|-2}  (reversible through 0)",
    ] {
        assert!(out(&o).contains(line), "{}", out(&o));
    }
    for format in ["svg", "tikz", "typ", "dot"] {
        let o = cgdsl(&["tree", "domineering", "...|...", "--format", format]);
        assert_eq!(code(&o), 0, "{}", err(&o));
        assert!(!out(&o).is_empty());
    }
    json(&cgdsl(&["tree", "domineering", "....|....", "--json"]));
    json(&cgdsl(&["tree", "n-player/nim", "Nim3[1, 1]", "--json"]));
    let o = cgdsl(&["tree", "nim", "9, 9, 9, 9", "--depth", "9"]);
    assert_eq!(code(&o), 3, "{}", err(&o));
    assert!(err(&o).contains("more than 400 positions"), "{}", err(&o));
}

/// Values in a picture have the signs of the field and those in a text file are ASCII, whatever the terminal can show.
#[test]
fn what_a_file_contains_is_not_for_the_terminal() {
    let dir = Folder::new("signs");
    let written = |name: &str, more: &[&str]| {
        let path = dir.0.join(name).display().to_string();
        let mut args = vec!["tree", "domineering", "..|..", "-o", &path];
        args.extend(more);
        let o = cgdsl(&args);
        assert_eq!((code(&o), out(&o).as_str()), (0, ""), "{}", err(&o));
        std::fs::read_to_string(path).expect("a file")
    };
    for name in ["tree.svg", "tree.dot"] {
        let picture = written(name, &[]);
        assert!(
            picture.contains("±1") && !picture.contains("+-1"),
            "{picture}"
        );
        assert!(written(name, &["--ascii"]).contains("+-1"));
        assert_eq!(picture, written(name, &["--color", "always"]));
    }
    let text = written("tree.txt", &["--color", "always"]);
    assert!(text.contains("+-1") && !text.contains('\x1b'), "{text}");
    let typst = written("tree.typ", &[]);
    assert!(
        typst.contains("$±1$") && typst.contains("#set page"),
        "{typst}"
    );
}

#[test]
fn trees_are_true() {
    // The status of each option is worked out again from the values that the tree prints.
    use cgdsl::value::notation::read;
    let forms = cgdsl::value::Forms::new();
    let mut seen = std::collections::BTreeMap::new();
    for (file, position) in [
        ("domineering", "....|...."),
        ("clobber", "\"xox|ox.\""),
        ("hackenbush", "ground -g- u -b- w, u -r- x"),
        ("toads-and-frogs", "ToadsAndFrogs[\"t.tf.f\"]"),
        ("snort", "a:x -- b -- c, b -- d"),
    ] {
        let v = json(&cgdsl(&["tree", file, position, "--json"]));
        let value = |n: &serde_json::Value| {
            let at = n.as_u64().expect("a number") as usize;
            read(&forms, v["nodes"][at]["value"].as_str().expect("a value")).expect("a value")
        };
        let text =
            |t: &serde_json::Value| read(&forms, t.as_str().expect("a value")).expect("a value");
        for edge in v["edges"].as_array().expect("edges") {
            let (whole, option) = (value(&edge["from"]), value(&edge["to"]));
            let left = edge["player"] == 0;
            let le = |a, b| forms.less_or_equal(a, b).expect("small");
            let status = edge["status"].as_str().expect("a status").to_owned();
            match status.as_str() {
                "dominated" => {
                    let by = text(&edge["by"]);
                    assert!(by != option && if left { le(option, by) } else { le(by, option) });
                }
                "reversible" => {
                    let reply = text(&edge["reply"]);
                    assert!(if left {
                        le(reply, whole)
                    } else {
                        le(whole, reply)
                    });
                }
                _ => {
                    let options = if left {
                        forms.left_options(whole)
                    } else {
                        forms.right_options(whole)
                    };
                    // A number's form is found by simplicity; its options may be others.
                    let number = forms.as_number(whole).is_some();
                    assert!(
                        number || options.expect("small").contains(&option),
                        "{edge}"
                    );
                }
            }
            *seen.entry(status).or_insert(0) += 1;
        }
    }
    assert!(seen.len() >= 3, "{seen:?}");
}
