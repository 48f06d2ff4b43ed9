//! Every example of the language's contract checks without a message; errors are in `tests/ui/`.

use super::check;
use super::typed::Model;
use crate::base::Sources;
use crate::diagnostic::{Diagnostic, one_line};
use crate::syntax::parse_file;

fn run(text: &str) -> (Model, Vec<String>) {
    let mut sources = Sources::default();
    let id = sources.add("test.rules", text);
    let (file, mut messages) = parse_file(id, text);
    let (scope, more) = check(&[file]);
    messages.extend(more);
    let lines = messages
        .iter()
        .map(|d: &Diagnostic| format!("{} {}", one_line(d, &sources), d.help.join(" | ")))
        .collect();
    (scope.model().clone(), lines)
}

fn fine(text: &str) -> Model {
    let (model, messages) = run(text);
    assert!(messages.is_empty(), "{}", messages.join("\n"));
    assert!(model.rulesets.iter().all(|r| !r.broken));
    model
}

const EXAMPLES: &str = include_str!("examples.rules");

#[test]
fn the_examples_of_the_contract() {
    let model = fine(EXAMPLES);
    assert!(model.rulesets.len() >= 12);
}
