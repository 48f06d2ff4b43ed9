//! Opens, changes and closes the documents of a client, and publishes their messages.

use super::{PAUSE, READING, Refused, Server};
use crate::lsp::answers;
use crate::lsp::convert::{self, path_of};
use crate::lsp::document::{Analysis, Document};
use crate::session::{LONGEST, Settings};
use lsp_server::ErrorCode;
use lsp_types::{self as lsp, Position, Uri};
use serde_json::json;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::{Duration, Instant};

impl Server {
    pub(super) fn document(&self, uri: &Uri) -> Result<&Document, Refused> {
        self.documents.get(uri.as_str()).ok_or_else(|| {
            Refused(
                ErrorCode::InvalidParams,
                format!("{} is not open", uri.as_str()),
            )
        })
    }

    /// The analysis of an open text.
    pub(super) fn known(&mut self, uri: &Uri) -> Result<Arc<Analysis>, Refused> {
        let none = || {
            Refused(
                ErrorCode::InvalidParams,
                format!("{} is not open", uri.as_str()),
            )
        };
        let settings = self.reading();
        let document = self.documents.get_mut(uri.as_str()).ok_or_else(none)?;
        Ok(document.analysis(&self.texts, settings))
    }

    /// Settings for reading a text, with a time limit for long ones.
    pub(super) fn reading(&self) -> Settings {
        let settings = self.options.settings();
        self.watchdog.watch(&settings.cancel, READING);
        settings
    }

    pub(super) fn open(&mut self, item: lsp::TextDocumentItem) {
        let path = path_of(item.uri.as_str());
        let text: Arc<str> = item.text.into();
        Arc::make_mut(&mut self.texts).insert(path.clone(), text.clone());
        let document = Document {
            path: path.clone(),
            version: item.version,
            text,
            known: None,
            answers: BTreeMap::new(),
            unpublished: Some(Instant::now()),
            due: None,
            uri: item.uri,
        };
        let uri = document.uri.as_str().to_owned();
        self.documents.insert(uri.clone(), document);
        self.touched(&path, Some(&uri));
    }

    pub(super) fn change(&mut self, p: lsp::DidChangeTextDocumentParams) {
        let uri = p.text_document.uri.as_str().to_owned();
        let Some(document) = self.documents.get_mut(&uri) else {
            return;
        };
        let mut text = document.text.to_string();
        for change in p.content_changes {
            match change.range {
                None => text = change.text,
                Some(range) => {
                    let byte = |p: Position| {
                        let (line, column) = (p.line as usize, p.character as usize);
                        crate::base::utf16::byte_of_place(&text, line, column)
                    };
                    let (start, end) = (byte(range.start), byte(range.end));
                    text.replace_range(start..end.max(start), &change.text);
                }
            }
            // No file is that long: the text is dropped until the client sends it again as a whole.
            if text.len() as u64 > LONGEST.saturating_mul(2) {
                text.clear();
            }
        }
        let text: Arc<str> = text.into();
        document.change(p.text_document.version, text.clone(), Instant::now());
        document.due = None;
        let path = document.path.clone();
        if let Some(e) = self.evaluating.as_mut().filter(|e| e.uri == uri) {
            // It will end soon, and report this.
            e.running.cancel.cancel();
            e.edited = true;
        }
        Arc::make_mut(&mut self.texts).insert(path.clone(), text);
        self.touched(&path, Some(&uri));
    }

    pub(super) fn close(&mut self, uri: &Uri) {
        if let Some(document) = self.documents.remove(uri.as_str()) {
            Arc::make_mut(&mut self.texts).remove(&document.path);
            if self
                .evaluating
                .as_ref()
                .is_some_and(|e| e.uri == uri.as_str())
            {
                self.evaluating = None;
            }
            self.notify(
                "textDocument/publishDiagnostics",
                json!({ "uri": uri, "diagnostics": [] }),
            );
            self.touched(&document.path, None);
        }
    }

    /// A file has changed: texts that use it, or may use it now, are analysed again.
    pub(super) fn touched(&mut self, path: &str, but: Option<&str>) {
        use crate::diagnostic::Code;
        for (uri, document) in &mut self.documents {
            let Some(known) = document.known.as_ref().filter(|_| but != Some(uri)) else {
                continue;
            };
            let missing = known
                .loaded
                .diagnostics
                .iter()
                .any(|d| d.code == Code::E0701);
            if known.reads(path) || missing {
                document.known = None;
                document.unpublished.get_or_insert_with(Instant::now);
            }
        }
    }

    /// Publishes the messages of one text for which the client has waited at least `after`. Returns whether there was one.
    pub(super) fn publish(&mut self, after: Option<Duration>) -> bool {
        let late = |since: Instant| after.is_none_or(|a| since.elapsed() >= a);
        let waiting = self
            .documents
            .values()
            .find(|d| d.unpublished.is_some_and(late));
        let Some(uri) = waiting.map(|d| d.uri.clone()) else {
            return false;
        };
        let known = match catch_unwind(AssertUnwindSafe(|| self.known(&uri))) {
            Ok(Ok(known)) => known,
            _ => {
                // A defect of the program: the text is ignored until it changes.
                if let Some(document) = self.documents.get_mut(uri.as_str()) {
                    document.unpublished = None;
                }
                return true;
            }
        };
        let Some(document) = self.documents.get_mut(uri.as_str()) else {
            return false;
        };
        document.unpublished = None;
        if self.options.trusted && self.options.evaluate {
            document.due = Some(Instant::now() + PAUSE);
        }
        let mut all = convert::diagnostics(&known, &uri);
        all.extend(answers::diagnostics(&known, document));
        let version = document.version;
        self.notify(
            "textDocument/publishDiagnostics",
            json!({ "uri": uri, "version": version, "diagnostics": all }),
        );
        true
    }
}
