//! Runs evaluations in threads: starts those that are due, cancels those that are late or outdated by an edit, and handles
//! their answers.

use super::{IDLE, Server};
use crate::game::Cancel;
use crate::lsp::answers;
use crate::lsp::convert;
use crate::lsp::document::Running;
use crate::lsp::jobs::Evaluation;
use crate::session::{Item, Status};
use serde_json::json;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// A running evaluation.
pub(super) struct Evaluating {
    pub(super) number: u64,
    pub(super) uri: String,
    pub(super) running: Running,
    /// Whether the whole text is evaluated.
    pub(super) whole: bool,
    /// Whether the text has changed since.
    pub(super) edited: bool,
}

/// Cancels work in the documents' thread that takes too long.
pub(super) struct Watchdog {
    slot: Arc<Mutex<Option<(Instant, Cancel)>>>,
    thread: Option<std::thread::Thread>,
}

impl Watchdog {
    pub(super) fn new() -> Watchdog {
        let slot = Arc::<Mutex<Option<(Instant, Cancel)>>>::default();
        let there = slot.clone();
        let thread = std::thread::Builder::new().name("watchdog".to_owned());
        let thread = thread.spawn(move || {
            loop {
                let mut held = there.lock().unwrap_or_else(PoisonError::into_inner);
                let wait = held.as_ref().map(|(until, cancel)| {
                    let wait = until.saturating_duration_since(Instant::now());
                    if wait.is_zero() {
                        cancel.cancel_for(crate::game::Reason::Time);
                    }
                    wait
                });
                match wait {
                    Some(wait) if !wait.is_zero() => {
                        drop(held);
                        std::thread::park_timeout(wait);
                    }
                    _ => {
                        *held = None;
                        drop(held);
                        std::thread::park();
                    }
                }
            }
        });
        let thread = thread.ok().map(|handle| handle.thread().clone());
        Watchdog { slot, thread }
    }

    /// Watches this token from now on, in place of the previous one.
    pub(super) fn watch(&self, cancel: &Cancel, time: Duration) {
        let next = Some((Instant::now() + time, cancel.clone()));
        *self.slot.lock().unwrap_or_else(PoisonError::into_inner) = next;
        if let Some(thread) = &self.thread {
            thread.unpark();
        }
    }
}

impl Server {
    /// Cancels work that has run for too long; it reports its end later.
    pub(super) fn end_late(&mut self) {
        let now = Instant::now();
        let running = self.evaluating.iter_mut().map(|e| &mut e.running);
        for running in running.chain(self.cards.values_mut().map(|(_, r)| r)) {
            if running.until <= now {
                running.cancel.cancel_for(crate::game::Reason::Time);
                running.until = now + IDLE;
            }
        }
    }

    /// Starts the next evaluation, if none is running.
    pub(super) fn start_due(&mut self) {
        if self.evaluating.is_some() {
            return;
        }
        let now = Instant::now();
        let (uri, only) = match self.wanted.is_empty() {
            false => self.wanted.remove(0),
            true => {
                let due = self
                    .documents
                    .iter()
                    .find(|(_, d)| d.due.is_some_and(|t| t <= now));
                let Some(uri) = due.map(|(uri, _)| uri.clone()) else {
                    return;
                };
                (uri, None)
            }
        };
        let settings = self.reading();
        let Some(document) = self.documents.get_mut(&uri) else {
            return;
        };
        if only.is_none() {
            document.due = None;
        }
        let known = document.analysis(&self.texts, settings);
        let mut all = document.answers.clone();
        // Answers that met a limit are computed again.
        all.retain(|_, items| items.iter().all(|i| i.status != Status::Unknown));
        self.number += 1;
        let evaluation = Evaluation {
            number: self.number,
            texts: self.texts.clone(),
            known,
            answers: all,
            only,
        };
        let mut settings = self.options.settings();
        // A single query that is requested is answered even if it is slow.
        settings.slow |= only.is_some();
        if let Some(running) = evaluation.start(settings, self.options.time, &self.tell) {
            self.evaluating = Some(Evaluating {
                number: self.number,
                uri,
                running,
                whole: only.is_none(),
                edited: false,
            });
            self.status("evaluating");
        }
    }

    pub(super) fn status(&self, state: &str) {
        if let Some(e) = &self.evaluating {
            self.notify("cgdsl/status", json!({ "uri": e.uri, "state": state }));
        }
    }

    pub(super) fn answered(&mut self, number: u64, key: String, items: Vec<Item>) {
        let Some(e) = self.evaluating.as_ref().filter(|e| e.number == number) else {
            return;
        };
        // It may be unknown only because an edit cancelled it.
        let unknown = items.iter().any(|i| i.status == Status::Unknown);
        if let Some(document) = self.documents.get_mut(&e.uri)
            && !(unknown && e.edited)
        {
            document.answers.insert(key, items);
        }
    }

    pub(super) fn done(&mut self, number: u64) {
        let Some(e) = self.evaluating.take_if(|e| e.number == number) else {
            return;
        };
        self.notify("cgdsl/status", json!({ "uri": e.uri, "state": "idle" }));
        let settings = self.reading();
        let Some(document) = self.documents.get_mut(&e.uri) else {
            return;
        };
        let known = document.analysis(&self.texts, settings);
        if e.whole && document.due.is_none() && document.unpublished.is_none() {
            // Drops answers to queries that no longer exist.
            let keys: std::collections::BTreeSet<&str> =
                known.queries().map(|(_, key)| key).collect();
            document.answers.retain(|key, _| keys.contains(&**key));
        }
        let mut all = convert::diagnostics(&known, &document.uri);
        let more = answers::diagnostics(&known, document);
        all.extend(more);
        let (uri, version) = (document.uri.clone(), document.version);
        self.notify(
            "textDocument/publishDiagnostics",
            json!({ "uri": uri, "version": version, "diagnostics": all }),
        );
        if self.client.refresh_hints {
            self.ask("workspace/inlayHint/refresh");
        }
        if self.client.refresh_lenses {
            self.ask("workspace/codeLens/refresh");
        }
    }
}
