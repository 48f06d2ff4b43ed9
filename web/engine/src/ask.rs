//! Shared by all questions about one position: loads the file, finds the position, and lets the host watch the search.

use super::{Host, Request, watch};
use cgdsl::diagnostic::Diagnostic;
use cgdsl::ir::Position;
use cgdsl::session::{Loaded, Session};
use serde_json::{Value, json};
use std::sync::Arc;

/// Answers a question in a session over the files of the request; an error becomes `{ error }`.
pub fn with(
    r: &Request,
    host: &impl Host,
    question: impl FnOnce(&mut Session<'_>, &mut Loaded) -> Result<Value, String>,
) -> Value {
    let world = r.world();
    let settings = r.settings();
    let cancel = settings.cancel.clone();
    let mut session = Session::new(&world, settings);
    watch(&session, &cancel, host);
    let mut loaded = session.load(&r.name);
    question(&mut session, &mut loaded).unwrap_or_else(|why| json!({ "error": why }))
}

/// Messages on one line.
pub fn said(all: &[Diagnostic]) -> String {
    let all: Vec<&str> = all.iter().map(|d| d.message.as_str()).collect();
    all.join("; ")
}

/// Reads a position.
pub fn position(
    session: &mut Session<'_>,
    loaded: &mut Loaded,
    text: &str,
) -> Result<Arc<Position>, String> {
    let query = session.position(loaded, text).map_err(|all| said(&all))?;
    session
        .value_of(loaded, &query)
        .map_err(|d| said(std::slice::from_ref(&d)))
}
