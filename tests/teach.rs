//! The commands for teaching as a user runs them: pictures, explanations, trees, play; JSON against its schemas, broken input.
#![cfg(feature = "cli")]

#[path = "common/program.rs"]
#[allow(dead_code)]
mod program;

use program::{Folder, cgdsl, code, err, json, out};

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
    ] {
        let v = json(&cgdsl(&["why", file, position, "--json"]));
        assert!(v["sentences"].as_array().is_some_and(|s| !s.is_empty()));
    }
    let o = cgdsl(&["why", "domineering", "grid(4, 4)", "--nodes", "10"]);
    assert_eq!(code(&o), 3, "{}", err(&o));
    let o = cgdsl(&["why", "domineering", "Domineering[", "--json"]);
    assert_eq!(code(&o), 2);
    json(&o);
}
