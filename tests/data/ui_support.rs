//! How far a text is followed: read, checked, and evaluated where the messages are those of play.

use cgdsl::base::Sources;
use cgdsl::diagnostic::{Code, Diagnostic, tidy};
use cgdsl::session::{Memory, Session, Settings};

/// Every message that a file gives. Those of `syntax/` and the pages of E01xx are read only, those of `run/` and the pages
/// of faults are evaluated, the others are checked; those of `beginners/` beside the shipped rulesets.
pub fn diagnose(sources: &mut Sources, name: &str, text: &str) -> Vec<Diagnostic> {
    let played = ["run/", "pages/E04", "pages/E031", "pages/E055"];
    if played.iter().any(|start| name.starts_with(start)) {
        return play(sources, name, text);
    }
    if name.starts_with("beginners/") {
        let world = Memory::default().with(name, text);
        let mut session = Session::new(&world, Settings::default());
        let loaded = session.load(name);
        *sources = session.sources().clone();
        return loaded.diagnostics;
    }
    let id = sources.add(name, text);
    let text = sources.get(id).map(|s| s.text.clone()).unwrap_or_default();
    let (file, mut diagnostics) = cgdsl::syntax::parse_file(id, &text);
    if !name.starts_with("syntax/") && !name.starts_with("pages/E01") {
        let (_, more) = cgdsl::model::check(&[file]);
        diagnostics.extend(more);
    }
    tidy(&mut diagnostics);
    diagnostics
}

fn play(sources: &mut Sources, name: &str, text: &str) -> Vec<Diagnostic> {
    let world = Memory::default().with(name, text);
    let mut session = Session::new(&world, Settings::default());
    let loaded = session.load(name);
    let mut diagnostics = loaded.diagnostics.clone();
    for item in session.evaluate(&loaded, |_, _| {}) {
        diagnostics.extend(item.messages);
    }
    tidy(&mut diagnostics);
    *sources = session.sources().clone();
    diagnostics
}

/// Whether [`diagnose`] goes far enough to give such a code.
pub fn reaches(code: Code) -> bool {
    ["E01", "E02", "E030", "E031", "E040", "E050", "E055", "W08"]
        .iter()
        .any(|start| code.as_str().starts_with(start))
}
