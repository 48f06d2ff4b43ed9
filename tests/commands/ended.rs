//! A run that is ended says so: what is missing is unknown, it is named in the text and in the document, and the exit code
//! is 3.

use super::NIM;
use crate::program::{Folder, cgdsl, code, err, json, out};

/// The first instance is evaluated even if there is no time at all.
#[test]
fn a_table_that_is_cut_is_unknown() {
    let dir = Folder::new("cut");
    let file = dir.file(
        "nim.rules",
        format!("{NIM}table for n in 0..9: n * n\nclaim for n in 0..9: n < 9\n"),
    );
    let why = "the rows that follow are unknown: the time was over; --time sets it";
    let o = cgdsl(&["eval", &file, "--time", "0s"]);
    assert_eq!(code(&o), 3, "{}{}", out(&o), err(&o));
    assert!(out(&o).contains(why), "{}", out(&o));
    assert!(out(&o).contains("2 unknown"), "{}", out(&o));
    let v = json(&cgdsl(&["eval", &file, "--time", "0s", "--json"]));
    assert_eq!(v["summary"]["unknown"], 2);
    assert_eq!(v["items"][0]["complete"], false);
    assert_eq!(v["items"][0]["diagnostics"][0]["message"], why);
    for format in ["text", "csv", "latex", "markdown"] {
        let o = cgdsl(&["table", &file, "--time", "0s", "--format", format]);
        assert_eq!(code(&o), 3, "{format}: {}{}", out(&o), err(&o));
        let said = out(&o) + &err(&o);
        assert!(said.contains(why), "{format}: {said}");
        assert!(!said.contains("seen in this table"), "{said}");
    }
    let v = json(&cgdsl(&["table", &file, "--time", "0s", "--json"]));
    assert_eq!(v["tables"][0]["status"], "unknown");
    assert_eq!(v["tables"][0]["complete"], false);
    let v = json(&cgdsl(&["table", &file, "--json"]));
    assert_eq!(v["tables"][0]["complete"], true);
}

#[test]
fn values_that_are_not_written_are_missed() {
    let o = cgdsl(&[
        "seq",
        "subtraction",
        "Subtraction({1, 2, 3})",
        "--to",
        "1e8",
        "--format",
        "csv",
        "--time",
        "500ms",
    ]);
    assert_eq!(code(&o), 3, "{}", err(&o));
    assert!(err(&o).contains("the time was over"), "{}", err(&o));
    let last = out(&o).lines().count() - 2;
    assert!(
        err(&o).contains(&format!("the values after n = {last} are not written"))
            || err(&o).contains("are known"),
        "{last}: {}",
        err(&o)
    );
    let o = cgdsl(&[
        "seq", "kayles", "--misere", "--to", "1e11", "--format", "csv", "--time", "500ms",
    ]);
    assert_eq!(code(&o), 3, "{}", err(&o));
    assert!(err(&o).contains("the time was over"), "{}", err(&o));
    // A document names the last heap whose value is known, and the reason.
    let dir = Folder::new("heaps");
    let odd = dir.file(
        "odd.rules",
        "ruleset H\n  board heaps\n  move by Left: choose n, k in 1..n-1 where gcd(n, k) = 1 then n -> [n - k, k]\n  move by Right: choose n, k in 1..n-1 then n -> [n - k]\n",
    );
    for args in [
        ["seq", "grundy", "--to", "9000000"],
        ["seq", &odd, "--to", "9000000"],
    ] {
        let o = cgdsl(&[&args[..], &["--json", "--time", "300ms"]].concat());
        assert_eq!(code(&o), 3, "{args:?}: {}", err(&o));
        let v = json(&o);
        let values = v["values"].as_array().expect("values").len() as u64;
        assert_eq!(v["to"], values.saturating_sub(1), "{args:?}");
        let said = v["diagnostics"][0]["message"].to_string();
        assert!(said.contains("the time was over"), "{args:?}: {said}");
    }
}

#[test]
fn a_value_that_is_cut_is_not_printed_as_if_it_were_whole() {
    for time in ["0s", "2ms", "5ms", "20ms", "80ms"] {
        let o = cgdsl(&["value", "--born", "3", "--time", time]);
        match code(&o) {
            0 => assert!(!out(&o).contains('…'), "{time}: {}", out(&o)),
            code => assert_eq!(code, 3, "{time}: {}", err(&o)),
        }
        assert!(!err(&o).contains("--memory"), "{time}: {}", err(&o));
    }
}

#[test]
fn facts_that_are_missing_are_named() {
    let asked = ["explain", "domineering", "grid(3, 3)", "--time", "0s"];
    let o = cgdsl(&asked);
    assert_eq!(code(&o), 3, "{}", err(&o));
    assert!(err(&o).contains("the time was over"), "{}", err(&o));
    let o = cgdsl(&[&asked[..], &["--json"]].concat());
    assert_eq!(code(&o), 3, "{}", err(&o));
    assert_eq!(json(&o)["diagnostics"][0]["code"], "E0711");
    // A comparison that was not made is not refused for another reason.
    let o = cgdsl(&["diff", "domineering", "cram", "--time", "0s"]);
    assert_eq!(code(&o), 3, "{}", err(&o));
    assert!(!out(&o).contains("not defined for both"), "{}", out(&o));
}
