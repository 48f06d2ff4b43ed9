//! How far a text is followed: the one place to extend when a further stage can be run on a file.

use cgdsl::base::Sources;
use cgdsl::diagnostic::{Code, Diagnostic, tidy};

/// Every message that a file gives.
pub fn diagnose(sources: &mut Sources, name: &str, text: &str) -> Vec<Diagnostic> {
    let id = sources.add(name, text);
    let text = sources.get(id).map(|s| s.text.clone()).unwrap_or_default();
    let (_, mut diagnostics) = cgdsl::syntax::parse_file(id, &text);
    tidy(&mut diagnostics);
    diagnostics
}

/// Whether [`diagnose`] goes far enough to give such a code.
pub fn reaches(code: Code) -> bool {
    code.as_str().starts_with("E01")
}
