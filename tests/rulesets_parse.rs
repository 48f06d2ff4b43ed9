//! Every file under `rulesets/` is read without a message.

use cgdsl::base::Sources;
use cgdsl::diagnostic::{Style, render};
use cgdsl::syntax::parse_file;
use std::path::{Path, PathBuf};

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            files(&path, found);
        } else if path.extension().is_some_and(|e| e == "rules") {
            found.push(path);
        }
    }
}

#[test]
fn every_file_is_read() {
    let mut paths = Vec::new();
    files(
        &Path::new(env!("CARGO_MANIFEST_DIR")).join("rulesets"),
        &mut paths,
    );
    paths.sort();
    let mut messages = Vec::new();
    for path in &paths {
        let text = std::fs::read_to_string(path).expect("a file");
        let mut sources = Sources::default();
        let id = sources.add(&path.display().to_string(), &text);
        let (_, diagnostics) = parse_file(id, &text);
        messages.extend(
            diagnostics
                .iter()
                .map(|d| render(d, &sources, Style::default())),
        );
    }
    assert!(messages.is_empty(), "{}", messages.join("\n"));
}
