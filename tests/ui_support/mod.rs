//! How far a text is followed: the one place to extend when a further stage can be run on a file.

use cgdsl::base::Sources;
use cgdsl::diagnostic::{Code, Diagnostic, tidy};

/// Every message that a file gives. Those of `syntax/` and the pages of E01xx are read only; the others are checked too.
pub fn diagnose(sources: &mut Sources, name: &str, text: &str) -> Vec<Diagnostic> {
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

/// Whether [`diagnose`] goes far enough to give such a code.
pub fn reaches(code: Code) -> bool {
    ["E01", "E02", "E030", "E050", "W08"]
        .iter()
        .any(|start| code.as_str().starts_with(start))
}
