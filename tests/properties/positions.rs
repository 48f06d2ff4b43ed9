//! Properties of any text after the board of a shipped ruleset: it is a position, or there is a message; a position prints
//! as text that reads back as itself. Called by `tests/language/fuzz_corpus.rs` and by the fuzz target `positions`.

use cgdsl::diagnostic::{Style, render};
use cgdsl::ir::{Position, draw};
use cgdsl::session::{Loaded, Memory, Session, Settings, shipped};
use std::sync::Arc;

/// The first byte chooses a shipped file; the rest is a position or a bare board of it.
pub fn position_reads(bytes: &[u8]) {
    let Some((file, text)) = bytes.split_first() else {
        return;
    };
    let Ok(text) = std::str::from_utf8(text) else {
        return;
    };
    let all: Vec<_> = shipped::all().collect();
    let file = all[usize::from(*file) % all.len()];
    let world = Memory::default();
    let mut session = Session::new(&world, Settings::default());
    let mut loaded = session.load(file.path.trim_end_matches(".rules"));
    let Some(position) = read(&mut session, &mut loaded, text) else {
        return;
    };
    let printed = draw::literal(&position);
    let again = read(&mut session, &mut loaded, &printed);
    let again =
        again.unwrap_or_else(|| panic!("{text} prints as {printed}, which is not a position"));
    assert!(
        position.is_same(&again),
        "{}: {text} prints as {printed}, which is {}",
        file.path,
        draw::literal(&again)
    );
}

fn read(session: &mut Session<'_>, loaded: &mut Loaded, text: &str) -> Option<Arc<Position>> {
    let found = session.position(loaded, text);
    let found = found.and_then(|query| session.value_of(loaded, &query).map_err(|d| vec![d]));
    match found {
        Ok(position) => Some(position),
        Err(messages) => {
            assert!(!messages.is_empty(), "{text} is refused without a word");
            let style = Style {
                width: 0,
                color: false,
                unicode: false,
            };
            for d in &messages {
                assert!(!render(d, session.sources(), style).is_empty());
            }
            None
        }
    }
}
