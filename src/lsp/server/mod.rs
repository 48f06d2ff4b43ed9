//! The server. Messages are answered in order, each before the next is read, except for cards, which may take longer. Between
//! messages, it publishes diagnostics of changed texts and starts evaluations that are due.

mod documents;
mod evaluating;
mod requests;

use super::convert::path_of;
use super::document::{Document, Running, Texts};
use super::options::{Client, Options};
use super::wire::{self, Frame, Out};
use crate::session::Item;
use evaluating::{Evaluating, Watchdog};
use lsp_server::{ErrorCode, Message, Notification, Request, RequestId, Response};
use lsp_types::{self as lsp, Hover};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::collections::BTreeMap;
use std::io::{BufRead, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TryRecvError, sync_channel};
use std::time::{Duration, Instant};

/// The number of outgoing messages that may be queued before the sender waits.
const QUEUE: usize = 256;
/// How long diagnostics wait for further edits.
const PATIENCE: Duration = Duration::from_millis(200);
/// How long a text must be unchanged before it is evaluated.
const PAUSE: Duration = Duration::from_millis(250);
/// The time limit for reading a long text.
const READING: Duration = Duration::from_secs(5);
/// The most symbols that a search returns.
const MOST_SYMBOLS: usize = 500;
/// The longest time without any activity.
const IDLE: Duration = Duration::from_secs(3600);

/// The events of the documents' thread.
#[derive(Debug)]
pub enum Heard {
    /// A message of the client.
    Frame(Frame),
    /// An answer of an evaluation.
    Answered(u64, String, Vec<Item>),
    /// An evaluation has ended.
    Done(u64),
    /// A card, with the hover text that is shown in any case.
    Card(u64, Option<Hover>, Vec<Item>),
    /// The output is closed.
    Closed,
}

/// The documents, and the state of the work on them.
struct Server {
    out: SyncSender<Out>,
    tell: SyncSender<Heard>,
    options: Options,
    client: Client,
    documents: BTreeMap<String, Document>,
    texts: Texts,
    evaluating: Option<Evaluating>,
    /// Queries that the user wants answered now: URI and byte.
    wanted: Vec<(String, Option<u32>)>,
    cards: BTreeMap<u64, (RequestId, Running)>,
    number: u64,
    initialized: bool,
    shut: bool,
    watchdog: Watchdog,
}

/// Why a request is refused.
struct Refused(ErrorCode, String);

type Answer = Result<Value, Refused>;

/// Speaks the protocol until the stream ends or the client exits; returns the exit code. `memory` and `time` limit
/// evaluations unless the client sets limits.
pub fn serve(
    input: impl BufRead + Send + 'static,
    output: impl Write + Send + 'static,
    memory: usize,
    time: Option<Duration>,
) -> u8 {
    let (tell, hear) = sync_channel(QUEUE);
    let (out, written) = sync_channel(QUEUE);
    let closing = tell.clone();
    let writer = std::thread::Builder::new()
        .name("write".to_owned())
        .spawn(move || send(output, &written, &closing));
    let said = tell.clone();
    let reader = std::thread::Builder::new()
        .name("read".to_owned())
        .spawn(move || receive(input, &said));
    let (Ok(writer), Ok(_)) = (writer, reader) else {
        return 2;
    };
    let mut server = Server {
        out,
        tell,
        options: Options::new(memory, time),
        client: Client::default(),
        documents: BTreeMap::new(),
        texts: Texts::default(),
        evaluating: None,
        wanted: Vec::new(),
        cards: BTreeMap::new(),
        number: 0,
        initialized: false,
        shut: false,
        watchdog: Watchdog::new(),
    };
    let code = server.run(&hear);
    // Gives the writer time to send the remaining answers.
    drop(server);
    let until = Instant::now() + Duration::from_secs(2);
    while !writer.is_finished() && Instant::now() < until {
        std::thread::sleep(Duration::from_millis(1));
    }
    code
}

fn send(mut output: impl Write, messages: &Receiver<Out>, tell: &SyncSender<Heard>) {
    for message in messages {
        if wire::write(&mut output, &message).is_err() {
            let _ = tell.send(Heard::Closed);
            return;
        }
    }
}

fn receive(mut input: impl BufRead, tell: &SyncSender<Heard>) {
    loop {
        let frame = wire::read(&mut input);
        let last = matches!(frame, Frame::End(_));
        if tell.send(Heard::Frame(frame)).is_err() || last {
            return;
        }
    }
}

fn parsed<T: DeserializeOwned>(value: Value) -> Result<T, Refused> {
    serde_json::from_value(value).map_err(|e| Refused(ErrorCode::InvalidParams, e.to_string()))
}

fn said(value: impl Serialize) -> Answer {
    serde_json::to_value(value).map_err(|e| Refused(ErrorCode::InternalError, e.to_string()))
}

impl Server {
    /// Handles events until the end; returns the exit code.
    fn run(&mut self, hear: &Receiver<Heard>) -> u8 {
        loop {
            let heard = match hear.try_recv() {
                Ok(heard) => {
                    self.publish(Some(PATIENCE));
                    heard
                }
                Err(TryRecvError::Disconnected) => return 1,
                Err(TryRecvError::Empty) => {
                    if self.publish(None) {
                        continue;
                    }
                    self.start_due();
                    let wait = self.next().saturating_duration_since(Instant::now());
                    match hear.recv_timeout(wait) {
                        Ok(heard) => heard,
                        Err(RecvTimeoutError::Timeout) => {
                            self.end_late();
                            continue;
                        }
                        Err(RecvTimeoutError::Disconnected) => return 1,
                    }
                }
            };
            match heard {
                Heard::Frame(Frame::Message(message)) => {
                    if let Some(code) = self.message(message) {
                        return code;
                    }
                }
                Heard::Frame(Frame::Malformed(error)) => self.send(Out::Plain(error)),
                Heard::Frame(Frame::End(why)) => {
                    if let Some(why) = why {
                        let _ = writeln!(std::io::stderr(), "cgdsl lsp: {why}");
                    }
                    return u8::from(!self.shut);
                }
                Heard::Answered(number, key, items) => self.answered(number, key, items),
                Heard::Done(number) => self.done(number),
                Heard::Card(number, hover, items) => self.card(number, hover, &items),
                Heard::Closed => return 1,
            }
        }
    }

    fn send(&self, out: Out) {
        // If the writer has ended, it has reported that.
        let _ = self.out.send(out);
    }

    fn notify(&self, method: &str, parameters: Value) {
        let notification = Notification {
            method: method.to_owned(),
            params: parameters,
        };
        self.send(Out::Message(notification.into()));
    }

    fn ask(&mut self, method: &str) {
        self.number += 1;
        let request = Request {
            id: RequestId::from(format!("cgdsl-{}", self.number)),
            method: method.to_owned(),
            params: Value::Null,
        };
        self.send(Out::Message(request.into()));
    }

    fn respond(&self, id: RequestId, answer: Answer) {
        let response = match answer {
            Ok(value) => Response::new_ok(id, value),
            Err(Refused(code, why)) => Response::new_err(id, code as i32, why),
        };
        self.send(Out::Message(response.into()));
    }

    /// When the next work is due if no event arrives.
    fn next(&self) -> Instant {
        let running = self.evaluating.iter().map(|e| e.running.until);
        let cards = self.cards.values().map(|(_, r)| r.until);
        let due = self.documents.values().filter_map(|d| d.due);
        let due = due.filter(|_| self.evaluating.is_none());
        let idle = Instant::now() + IDLE;
        running
            .chain(cards)
            .chain(due)
            .min()
            .unwrap_or(idle)
            .min(idle)
    }

    fn message(&mut self, message: Message) -> Option<u8> {
        match message {
            Message::Request(request) => {
                let id = request.id.clone();
                // A panic ends one answer, not the server.
                let done = catch_unwind(AssertUnwindSafe(|| self.request(request)));
                match done {
                    Ok(Some(answer)) => self.respond(id, answer),
                    Ok(None) => {}
                    Err(_) => {
                        let why = "this is a defect of cgdsl".to_owned();
                        self.respond(id, Err(Refused(ErrorCode::InternalError, why)));
                    }
                }
                None
            }
            Message::Notification(n) if n.method == "exit" => Some(u8::from(!self.shut)),
            Message::Notification(n) => {
                if self.initialized && !self.shut {
                    let _ = catch_unwind(AssertUnwindSafe(|| self.notification(n)));
                }
                None
            }
            // Responses of the client need no action.
            Message::Response(_) => None,
        }
    }

    /// Answers a request; `None` if it is answered later.
    fn request(&mut self, request: Request) -> Option<Answer> {
        let Request { id, method, params } = request;
        if method == "initialize" {
            return Some(match self.initialized {
                true => Err(Refused(
                    ErrorCode::InvalidRequest,
                    "this is said once".to_owned(),
                )),
                false => Ok(self.initialize(&params)),
            });
        }
        if !self.initialized {
            let why = "`initialize` comes first".to_owned();
            return Some(Err(Refused(ErrorCode::ServerNotInitialized, why)));
        }
        if self.shut {
            let why = "the server was shut down".to_owned();
            return Some(Err(Refused(ErrorCode::InvalidRequest, why)));
        }
        if method == "textDocument/hover" {
            return self
                .hover(id, params)
                .unwrap_or_else(|refused| Some(Err(refused)));
        }
        Some(self.question(&method, params))
    }

    fn notification(&mut self, n: Notification) {
        match n.method.as_str() {
            "textDocument/didOpen" => {
                if let Ok(p) = parsed::<lsp::DidOpenTextDocumentParams>(n.params) {
                    self.open(p.text_document);
                }
            }
            "textDocument/didChange" => {
                if let Ok(p) = parsed::<lsp::DidChangeTextDocumentParams>(n.params) {
                    self.change(p);
                }
            }
            "textDocument/didClose" => {
                if let Ok(p) = parsed::<lsp::DidCloseTextDocumentParams>(n.params) {
                    self.close(&p.text_document.uri);
                }
            }
            "textDocument/didSave" => {
                if let Ok(p) = parsed::<lsp::DidSaveTextDocumentParams>(n.params) {
                    self.touched(&path_of(p.text_document.uri.as_str()), None);
                }
            }
            "workspace/didChangeWatchedFiles" => {
                if let Ok(p) = parsed::<lsp::DidChangeWatchedFilesParams>(n.params) {
                    for change in p.changes {
                        self.touched(&path_of(change.uri.as_str()), None);
                    }
                }
            }
            "workspace/didChangeConfiguration" => {
                let before = self.options.clone();
                self.options
                    .take(n.params.get("settings").unwrap_or(&Value::Null));
                if self.options != before {
                    self.configured();
                }
            }
            "$/cancelRequest" => {
                let id = n.params.get("id").cloned().unwrap_or(Value::Null);
                if let Ok(id) = serde_json::from_value::<RequestId>(id) {
                    let found = self.cards.iter().find(|(_, (i, _))| *i == id);
                    if let Some((id, _)) =
                        found.map(|(n, _)| *n).and_then(|n| self.cards.remove(&n))
                    {
                        let why = "the question was taken back".to_owned();
                        self.respond(id, Err(Refused(ErrorCode::RequestCanceled, why)));
                    }
                }
            }
            _ => {}
        }
    }

    /// Settings have changed, so answers may change.
    fn configured(&mut self) {
        self.evaluating = None;
        for document in self.documents.values_mut() {
            document.answers.clear();
            document.unpublished.get_or_insert_with(Instant::now);
        }
    }
}
