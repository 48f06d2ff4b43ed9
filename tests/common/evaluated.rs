//! The positions that a file evaluates.

use cgdsl::ir::Position;
use cgdsl::model::typed::{QueryKind, Sort};
use cgdsl::session::{Loaded, Session};
use std::sync::Arc;

/// The position of each `eval` of a single position, except those that cannot be determined within the limits.
pub fn evaluated(session: &Session<'_>, loaded: &Loaded) -> Vec<Arc<Position>> {
    let asks = loaded
        .queries
        .iter()
        .filter(|q| q.kind == QueryKind::Eval && q.body.iter().all(|e| e.sort == Sort::Position));
    asks.filter_map(|q| session.value_of(loaded, q).ok())
        .collect()
}
