//! Random positions of every ruleset: what the library finds is what the independent programs in `tests/oracles/` found.
//! The lines of `tests/corpus/positions.tsv` become asserts of a file that uses the ruleset's file.

use cgdsl::session::{Memory, Session, Settings, Status};
use std::collections::BTreeMap;

#[test]
fn the_library_agrees_with_the_corpus() {
    let mut files: BTreeMap<&str, String> = BTreeMap::new();
    for line in include_str!("../corpus/positions.tsv")
        .lines()
        .filter(|l| !l.starts_with('#'))
    {
        let fields: Vec<&str> = line.split('\t').collect();
        let [file, query, answer] = fields[..] else {
            panic!("three fields: {line}")
        };
        let sign = if query.starts_with("value") {
            "=="
        } else {
            "="
        };
        let text = files
            .entry(file)
            .or_insert_with(|| format!("use \"{file}.rules\"\n"));
        text.push_str(&format!("assert {query} {sign} {answer}\n"));
    }
    let mut wrong = Vec::new();
    let mut held = 0;
    for (file, text) in &files {
        let path = format!("{}/rulesets/{file}.rules", env!("CARGO_MANIFEST_DIR"));
        let ruleset = std::fs::read_to_string(&path).expect("a ruleset file");
        let world = Memory::default()
            .with(&format!("{file}.rules"), ruleset)
            .with("corpus.rules", text.as_str());
        let mut session = Session::new(&world, Settings::default());
        let loaded = session.load("corpus.rules");
        wrong.extend(
            loaded
                .diagnostics
                .iter()
                .filter(|d| d.is_error())
                .map(|d| format!("{file}: {d:?}")),
        );
        let items = session.evaluate(&loaded, |_, _| {});
        // Of the file it uses only the definitions are taken, not the queries.
        for item in &items {
            if item.status == Status::Held {
                held += 1;
                continue;
            }
            let line = text.lines().nth(item.line - 1).unwrap_or("");
            wrong.push(format!(
                "{file}: {line}: {:?} {:?}",
                item.status, item.diagnostics
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let asserts: usize = files.values().map(|text| text.lines().count() - 1).sum();
    assert_eq!(held, asserts);
}
