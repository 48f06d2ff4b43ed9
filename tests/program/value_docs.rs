//! `docs/values.md` cannot drift: its boxes are evaluated, and every function of values is in it.
#![cfg(feature = "cli")]

use cgdsl::model::builtins::{What, table};
use std::process::Command;

const DOCS: &str = include_str!("../../docs/values.md");

#[test]
fn boxes_hold() {
    let mut rules = String::new();
    let mut inside = false;
    for line in DOCS.lines() {
        match line {
            "```rules" => inside = true,
            "```" => inside = false,
            _ if inside => {
                rules.push_str(line);
                rules.push('\n');
            }
            _ => {}
        }
    }
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("values.rules");
    std::fs::write(&path, &rules).unwrap();
    let run = Command::new(env!("CARGO_BIN_EXE_cgdsl"))
        .arg("eval")
        .arg(&path)
        .output()
        .unwrap();
    let (out, err) = (
        String::from_utf8_lossy(&run.stdout),
        String::from_utf8_lossy(&run.stderr),
    );
    assert!(run.status.success(), "{out}{err}");
    assert!(out.matches("held ").count() > 60, "{out}");
}

#[test]
fn every_function_is_described() {
    for row in table() {
        let two_players = row.as_function().is_some_and(|f| f.two_players);
        if matches!(row.what, What::Game(_)) && two_players {
            let called = format!("`{}(", row.name);
            let named = format!("`{}`", row.name);
            assert!(
                DOCS.contains(&called) || DOCS.contains(&named),
                "{} is not in docs/values.md",
                row.name
            );
        }
    }
}
