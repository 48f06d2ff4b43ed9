//! Properties of any text that is read: the checker, the evaluator and the reader of values end with an answer or a
//! message. Called by `tests/language/meaning_properties.rs` with seeded mutations of real files and by the fuzz targets in
//! `fuzz/`.

use cgdsl::base::Sources;
use cgdsl::diagnostic::{Diagnostic, Style, render};
use cgdsl::game::Limits;
use cgdsl::session::{Memory, Session, Settings, Status};
use cgdsl::value::Forms;
use cgdsl::value::notation;

/// Every message can be drawn, and is not empty.
fn shown(diagnostics: &[Diagnostic], sources: &Sources) {
    for d in diagnostics {
        assert!(!d.message.is_empty());
        let style = Style {
            color: false,
            unicode: false,
            width: 0,
        };
        assert!(!render(d, sources, style).is_empty());
    }
}

/// The checker answers, the same twice.
pub fn checks(text: &str) {
    let mut sources = Sources::default();
    let id = sources.add("text.rules", text);
    let (file, read) = cgdsl::syntax::parse_file(id, text);
    let (_, found) = cgdsl::model::check(std::slice::from_ref(&file));
    let (_, again) = cgdsl::model::check(&[file]);
    let told = |list: &[Diagnostic]| -> Vec<String> {
        list.iter()
            .map(|d| format!("{} {}", d.code, d.message))
            .collect()
    };
    assert_eq!(told(&found), told(&again));
    shown(&read, &sources);
    shown(&found, &sources);
}

/// Every query ends within small limits: with an answer, with a message, or unknown.
pub fn plays(text: &str, cancel: &cgdsl::game::Cancel) {
    let world = Memory::default().with("text.rules", text);
    let settings = Settings {
        limits: Limits {
            nodes: Some(200),
            memory: 64 << 20,
            threads: 1,
        },
        cancel: cancel.clone(),
        ..Settings::default()
    };
    let mut session = Session::new(&world, settings);
    let loaded = session.load("text.rules");
    for item in session.evaluate(&loaded, |_, _| {}) {
        shown(&item.messages, session.sources());
        if item.status == Status::Broken {
            assert!(!item.messages.is_empty(), "{item:?}");
        }
    }
}

/// Whether a value can be read quickly: a sum with `*2221`, a product of products of ups, and a product with `*20` have
/// millions of options to compare.
pub fn is_small(text: &str) -> bool {
    let digits = match text.matches(['.', '·', '⋅', '×']).count() {
        0 => 2,
        1 => 1,
        _ => return false,
    };
    let numbers = text.split(|c: char| !c.is_ascii_digit());
    numbers.map(str::len).all(|length| length <= digits)
}

/// A value that can be read prints, in each style, as text that reads back as the same value.
pub fn value_reads(text: &str) {
    let forms = Forms::new();
    let Ok(g) = notation::read(&forms, text) else {
        return;
    };
    for style in [notation::Style::Ascii, notation::Style::Unicode] {
        let printed = notation::print(&forms, g, style);
        let back = notation::read(&forms, &printed);
        assert_eq!(back.ok(), Some(g), "{text} prints as {printed}");
    }
}
