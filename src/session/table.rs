//! Reads a table from the command line, `for m in 0..9, n in 0..9: E`, into its query.

use super::{Loaded, Session};
use crate::base::Span;
use crate::diagnostic::{Code, Diagnostic};
use crate::model::typed::Query;
use crate::syntax::ast::{ItemKind, QueryKind};
use crate::syntax::parse_file;

impl Session<'_> {
    /// Reads a table; the word `table` is optional.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn table(&mut self, loaded: &mut Loaded, text: &str) -> Result<Query, Vec<Diagnostic>> {
        let text = text.trim();
        let whole = match text
            .strip_prefix("table")
            .is_some_and(|t| t.starts_with(char::is_whitespace))
        {
            true => text.to_owned(),
            false => format!("table {text}"),
        };
        let id = self.sources.add("<command line>", &whole);
        let (file, diagnostics) = parse_file(id, &whole);
        match &file.items[..] {
            [item] if diagnostics.is_empty() => match &item.kind {
                ItemKind::Query(query) if query.kind == QueryKind::Table => {
                    let span = Span::new(id, 0, whole.len());
                    loaded.read(|scope| scope.check_query_item(query, span))
                }
                _ => Err(vec![no_table(text)]),
            },
            _ if diagnostics.is_empty() => Err(vec![no_table(text)]),
            _ => Err(diagnostics),
        }
    }
}

fn no_table(text: &str) -> Diagnostic {
    Diagnostic::error(Code::E0552, format!("`{text}` is not a table"))
        .help("write `for m in 0..9, n in 0..9: nimber(R[m, n])`")
}
