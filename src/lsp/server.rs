//! Messages come in, in order; each is answered before the next is looked at, but for cards, which may take their time. Between
//! messages the messages on changed texts are published, and texts that are due are evaluated.

use super::answers;
use super::convert::{self, SHIPPED, path_of};
use super::document::{Analysis, Document, Running, Texts};
use super::edits;
use super::jobs::{Card, Evaluation};
use super::names;
use super::options::{Client, Options};
use super::tokens;
use super::wire::{self, Frame, Out};
use crate::game::Cancel;
use crate::session::shipped::{self, Found};
use crate::session::{Item, LONGEST, Settings, Status, assist};
use lsp_server::{ErrorCode, Message, Notification, Request, RequestId, Response};
use lsp_types::{self as lsp, Hover, HoverContents, Position, Range, Uri};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::{BufRead, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TryRecvError, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How many messages wait before their writer does.
const QUEUE: usize = 256;
/// How long messages on a text wait while more edits come.
const PATIENCE: Duration = Duration::from_millis(200);
/// How long a text is left alone before it is evaluated.
const PAUSE: Duration = Duration::from_millis(250);
/// How long a text is read, if it is long.
const READING: Duration = Duration::from_secs(5);
/// The most names that a search for them finds.
const MOST_SYMBOLS: usize = 500;
/// How long nothing is done at most.
const IDLE: Duration = Duration::from_secs(3600);

/// What the thread of the documents hears.
#[derive(Debug)]
pub enum Heard {
    /// The client said something.
    Frame(Frame),
    /// An answer of an evaluation.
    Answered(u64, String, Vec<Item>),
    /// An evaluation has ended.
    Done(u64),
    /// A card, beside what is said in any case.
    Card(u64, Option<Hover>, Vec<Item>),
    /// Nobody reads the answers.
    Closed,
}

/// An evaluation that runs.
struct Evaluating {
    number: u64,
    uri: String,
    running: Running,
    /// The whole text is evaluated.
    whole: bool,
    /// The text has changed since.
    edited: bool,
}

/// The documents and what is done for them.
struct Server {
    out: SyncSender<Out>,
    tell: SyncSender<Heard>,
    options: Options,
    client: Client,
    documents: BTreeMap<String, Document>,
    texts: Texts,
    evaluating: Option<Evaluating>,
    /// Queries that somebody wants to be answered now.
    wanted: Vec<(String, Option<u32>)>,
    cards: BTreeMap<u64, (RequestId, Running)>,
    number: u64,
    initialized: bool,
    shut: bool,
    watchdog: Watchdog,
}

/// Why a request is not answered.
struct Refused(ErrorCode, String);

type Answer = Result<Value, Refused>;

/// Speaks the protocol until the stream ends or the client says so; the exit code. `memory` and `time` bound evaluations where
/// the client does not say more.
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
    // What was answered goes out, if somebody reads it.
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
    /// Works until the end; the exit code.
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
        // Without a writer the end is told by it.
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

    /// When something is to be done though nothing is heard.
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

    /// Ends what has run for too long; its end is heard later.
    fn end_late(&mut self) {
        let now = Instant::now();
        let running = self.evaluating.iter_mut().map(|e| &mut e.running);
        for running in running.chain(self.cards.values_mut().map(|(_, r)| r)) {
            if running.until <= now {
                running.cancel.cancel();
                running.until = now + IDLE;
            }
        }
    }

    fn message(&mut self, message: Message) -> Option<u8> {
        match message {
            Message::Request(request) => {
                let id = request.id.clone();
                // A defect ends one answer, and not the server.
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
            // To what was asked of the client there is nothing to do.
            Message::Response(_) => None,
        }
    }

    /// Answers a request; nothing if it is answered later.
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

    fn initialize(&mut self, parameters: &Value) -> Value {
        self.client = Client::of(parameters);
        if let Some(said) = parameters.get("initializationOptions") {
            self.options.take(said);
        }
        self.initialized = true;
        json!({
            "serverInfo": { "name": "cgdsl", "version": env!("CARGO_PKG_VERSION") },
            "capabilities": {
                "positionEncoding": "utf-16",
                "textDocumentSync": { "openClose": true, "change": 2, "save": true },
                "completionProvider": { "triggerCharacters": ["\"", "/", "=", ":", "("] },
                "hoverProvider": true,
                "signatureHelpProvider": { "triggerCharacters": ["(", ","] },
                "definitionProvider": true,
                "referencesProvider": true,
                "documentHighlightProvider": true,
                "documentSymbolProvider": true,
                "workspaceSymbolProvider": true,
                "codeActionProvider": { "codeActionKinds": ["quickfix", "source.fixAll"] },
                "codeLensProvider": { "resolveProvider": false },
                "documentFormattingProvider": true,
                "documentRangeFormattingProvider": true,
                "documentOnTypeFormattingProvider": { "firstTriggerCharacter": "\n" },
                "renameProvider": { "prepareProvider": true },
                "foldingRangeProvider": true,
                "executeCommandProvider": { "commands": [answers::EVALUATE, answers::STOP, answers::CARD, answers::PICTURE] },
                "semanticTokensProvider": { "legend": tokens::legend(), "full": true },
                "inlayHintProvider": true,
            },
        })
    }

    fn question(&mut self, method: &str, parameters: Value) -> Answer {
        let shipped = self.options.shipped;
        match method {
            "shutdown" => {
                self.shut = true;
                self.evaluating = None;
                self.cards.clear();
                Ok(Value::Null)
            }
            "textDocument/completion" => {
                let p: lsp::CompletionParams = parsed(parameters)?;
                let (known, place, _) = self.at(p.text_document_position)?;
                said(names::complete(&known, place))
            }
            "textDocument/signatureHelp" => {
                let p: lsp::SignatureHelpParams = parsed(parameters)?;
                let (known, place, _) = self.at(p.text_document_position_params)?;
                said(names::signature(&known, place))
            }
            "textDocument/definition" => {
                let p: lsp::GotoDefinitionParams = parsed(parameters)?;
                let (known, place, uri) = self.at(p.text_document_position_params)?;
                said(names::definition(&known, place, &uri, shipped))
            }
            "textDocument/references" => {
                let p: lsp::ReferenceParams = parsed(parameters)?;
                let (known, place, uri) = self.at(p.text_document_position)?;
                let declared = p.context.include_declaration;
                said(names::references(&known, place, &uri, declared, shipped))
            }
            "textDocument/documentHighlight" => {
                let p: lsp::DocumentHighlightParams = parsed(parameters)?;
                let (known, place, uri) = self.at(p.text_document_position_params)?;
                said(names::highlights(&known, place, &uri))
            }
            "textDocument/prepareRename" => {
                let p: lsp::TextDocumentPositionParams = parsed(parameters)?;
                let (known, place, _) = self.at(p)?;
                // There is nothing to rename: that is no error.
                said(names::renamed(&known, place).ok().map(|(range, _)| range))
            }
            "textDocument/rename" => self.rename(parsed(parameters)?),
            "textDocument/documentSymbol" => {
                let p: lsp::DocumentSymbolParams = parsed(parameters)?;
                let known = self.known(&p.text_document.uri)?;
                said(tokens::symbols(&known))
            }
            "textDocument/foldingRange" => {
                let p: lsp::FoldingRangeParams = parsed(parameters)?;
                let known = self.known(&p.text_document.uri)?;
                said(tokens::folds(&known))
            }
            "textDocument/semanticTokens/full" => {
                let p: lsp::SemanticTokensParams = parsed(parameters)?;
                let known = self.known(&p.text_document.uri)?;
                said(tokens::semantic(&known))
            }
            "textDocument/formatting" => {
                let p: lsp::DocumentFormattingParams = parsed(parameters)?;
                said(edits::layout(
                    &self.document(&p.text_document.uri)?.text,
                    None,
                ))
            }
            "textDocument/rangeFormatting" => {
                let p: lsp::DocumentRangeFormattingParams = parsed(parameters)?;
                said(edits::layout(
                    &self.document(&p.text_document.uri)?.text,
                    Some(p.range),
                ))
            }
            "textDocument/onTypeFormatting" => {
                let p: lsp::DocumentOnTypeFormattingParams = parsed(parameters)?;
                let at = p.text_document_position;
                let text = &self.document(&at.text_document.uri)?.text;
                said(edits::finished(text, at.position.line as usize))
            }
            "textDocument/codeAction" => self.actions(parsed(parameters)?),
            "textDocument/inlayHint" => {
                let p: lsp::InlayHintParams = parsed(parameters)?;
                let known = self.known(&p.text_document.uri)?;
                said(answers::hints(
                    &known,
                    self.document(&p.text_document.uri)?,
                    p.range,
                ))
            }
            "textDocument/codeLens" => {
                let p: lsp::CodeLensParams = parsed(parameters)?;
                let known = self.known(&p.text_document.uri)?;
                let document = self.document(&p.text_document.uri)?;
                said(answers::lenses(&known, document, &self.options.commands))
            }
            "workspace/symbol" => self.symbols(&parsed(parameters)?),
            "workspace/executeCommand" => self.command(parsed(parameters)?),
            "cgdsl/shippedText" => Self::shipped_text(&parameters),
            other => {
                let why = format!("`{other}` is not offered");
                Err(Refused(ErrorCode::MethodNotFound, why))
            }
        }
    }

    /// The text of a shipped file, by its address.
    fn shipped_text(parameters: &Value) -> Answer {
        let uri = parameters.get("uri").and_then(Value::as_str).unwrap_or("");
        let path = uri.strip_prefix(SHIPPED).map(|p| p.trim_start_matches('/'));
        match path.map(shipped::find) {
            Some(Found::One(file)) => said(file.text),
            _ => Err(Refused(
                ErrorCode::InvalidParams,
                format!("`{uri}` is no shipped file"),
            )),
        }
    }

    fn document(&self, uri: &Uri) -> Result<&Document, Refused> {
        self.documents.get(uri.as_str()).ok_or_else(|| {
            Refused(
                ErrorCode::InvalidParams,
                format!("{} is not open", uri.as_str()),
            )
        })
    }

    /// What is known of an open text.
    fn known(&mut self, uri: &Uri) -> Result<Arc<Analysis>, Refused> {
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

    /// Settings with which a text is read: long ones not for ever.
    fn reading(&self) -> Settings {
        let settings = self.options.settings();
        self.watchdog.watch(&settings.cancel, READING);
        settings
    }

    fn at(
        &mut self,
        at: lsp::TextDocumentPositionParams,
    ) -> Result<(Arc<Analysis>, Position, Uri), Refused> {
        let known = self.known(&at.text_document.uri)?;
        Ok((known, at.position, at.text_document.uri))
    }

    fn actions(&mut self, p: lsp::CodeActionParams) -> Answer {
        let known = self.known(&p.text_document.uri)?;
        let document = self.document(&p.text_document.uri)?;
        let settings = self.reading();
        let only = p.context.only.as_deref();
        said(edits::actions(
            &known,
            document,
            &self.texts,
            &settings,
            p.range,
            only,
        ))
    }

    /// Names of all open texts and the files that these use, those that hold the letters asked for.
    fn symbols(&mut self, p: &lsp::WorkspaceSymbolParams) -> Answer {
        let uris: Vec<Uri> = self.documents.values().map(|d| d.uri.clone()).collect();
        let shipped = self.options.shipped;
        let mut found: Vec<lsp::WorkspaceSymbol> = Vec::new();
        for uri in uris {
            let known = self.known(&uri)?;
            for symbol in tokens::named(&known, &uri, &p.query, &self.texts, shipped) {
                // A file that several texts use is read for each of them.
                if found.len() < MOST_SYMBOLS && !found.contains(&symbol) {
                    found.push(symbol);
                }
            }
        }
        said(found)
    }

    fn rename(&mut self, p: lsp::RenameParams) -> Answer {
        let (known, place, uri) = self.at(p.text_document_position)?;
        let refuse = |why: String| Refused(ErrorCode::RequestFailed, why);
        let (_, d) = names::renamed(&known, place).map_err(refuse)?;
        let file = known.sources.get(d.span.file).map(|s| s.name.clone());
        names::can_be_called(&p.new_name, d, &known.index).map_err(refuse)?;
        let mut places = names::places_of(&known, d, &uri, false);
        // Other open texts may use the file that defines it.
        let others: Vec<Uri> = self.documents.values().map(|d| d.uri.clone()).collect();
        for other in others
            .into_iter()
            .filter(|o| *o != uri && d.scope.is_none())
        {
            let theirs = self.known(&other)?;
            let same = theirs.index.definitions().find(|(_, t)| {
                let name = theirs.sources.get(t.span.file).map(|s| s.name.clone());
                name == file && (t.span.start, t.span.end) == (d.span.start, d.span.end)
            });
            if let Some((_, t)) = same {
                names::can_be_called(&p.new_name, t, &theirs.index).map_err(refuse)?;
                places.extend(names::places_of(&theirs, t, &other, false));
            }
        }
        let mut changes: BTreeMap<String, Vec<lsp::TextEdit>> = BTreeMap::new();
        for (_, location) in places {
            let edit = lsp::TextEdit::new(location.range, p.new_name.clone());
            let all = changes.entry(location.uri.as_str().to_owned()).or_default();
            if !all.contains(&edit) {
                all.push(edit);
            }
        }
        Ok(json!({ "changes": changes }))
    }

    fn hover(&mut self, id: RequestId, parameters: Value) -> Result<Option<Answer>, Refused> {
        let p: lsp::HoverParams = parsed(parameters)?;
        let (known, place, uri) = self.at(p.text_document_position_params)?;
        let hover = names::hover(&known, place);
        let document = self.document(&uri)?;
        let at = known.at(place);
        let position = at.and_then(assist::position);
        let items = answers::at(&known, document, place);
        let trusted = self.options.trusted && self.options.evaluate;
        // The card of the position itself tells more than an answer of which it is a part.
        let asks = trusted && position.is_some() && !items.is_some_and(answers::is_card);
        if let Some(items) = items.filter(|_| !asks && (hover.is_none() || position.is_some())) {
            let pictures = self.options.pictures;
            return Ok(Some(said(with_card(hover, items, pictures))));
        }
        if let Some(range) = position.filter(|_| asks) {
            self.number += 1;
            let card = Card {
                number: self.number,
                position: known.text().get(range).unwrap_or("").to_owned(),
                known: known.clone(),
                hover: hover.clone(),
            };
            // The pointer has left where it was before.
            for (id, _) in std::mem::take(&mut self.cards).into_values() {
                self.respond(id, Ok(Value::Null));
            }
            let settings = self.options.settings();
            if let Some(running) = card.start(settings, self.options.hover, &self.tell) {
                self.cards.insert(self.number, (id, running));
                return Ok(None);
            }
        }
        Ok(Some(said(hover)))
    }

    fn card(&mut self, number: u64, hover: Option<Hover>, items: &[Item]) {
        if let Some((id, _)) = self.cards.remove(&number) {
            let known: Vec<Item> = items
                .iter()
                .filter(|i| i.status != Status::Broken)
                .cloned()
                .collect();
            let hover = match known.is_empty() {
                true => hover,
                false => with_card(hover, &known, self.options.pictures),
            };
            self.respond(id, said(hover));
        }
    }

    fn command(&mut self, p: lsp::ExecuteCommandParams) -> Answer {
        let refuse = |why: &str| Refused(ErrorCode::InvalidParams, why.to_owned());
        let uri = p.arguments.first().and_then(Value::as_str);
        let uri = uri.ok_or_else(|| refuse("the address of a file is wanted"))?;
        let uri: Uri = uri.parse().map_err(|_| refuse("this is no address"))?;
        let known = self.known(&uri)?;
        let line = p.arguments.get(1).and_then(Value::as_u64);
        let line = line.map(|n| u32::try_from(n).unwrap_or(u32::MAX));
        let document = self.document(&uri)?;
        let here = line.and_then(|line| answers::at_line(&known, document, line));
        match p.command.as_str() {
            answers::EVALUATE => {
                let only = match (line, here) {
                    (Some(_), None) => return Err(refuse("there is no query on this line")),
                    (_, here) => here.map(|(q, _)| q.span.start),
                };
                self.wanted.push((uri.as_str().to_owned(), only));
                Ok(Value::Null)
            }
            answers::STOP => {
                if let Some(e) = &self.evaluating
                    && e.uri == uri.as_str()
                {
                    e.running.cancel.cancel();
                }
                Ok(Value::Null)
            }
            answers::CARD => said(here.and_then(|(_, items)| items).map(answers::card)),
            answers::PICTURE => said(here.and_then(|(_, items)| items).and_then(answers::svg)),
            other => Err(refuse(&format!("there is no command `{other}`"))),
        }
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

    /// Settings have changed: answers may be others.
    fn configured(&mut self) {
        self.evaluating = None;
        for document in self.documents.values_mut() {
            document.answers.clear();
            document.unpublished.get_or_insert_with(Instant::now);
        }
    }

    fn open(&mut self, item: lsp::TextDocumentItem) {
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

    fn change(&mut self, p: lsp::DidChangeTextDocumentParams) {
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
            // No file is that long: the text is given up until the client sends it whole.
            if text.len() as u64 > LONGEST.saturating_mul(2) {
                text.clear();
            }
        }
        let text: Arc<str> = text.into();
        document.change(p.text_document.version, text.clone(), Instant::now());
        document.due = None;
        let path = document.path.clone();
        if let Some(e) = self.evaluating.as_mut().filter(|e| e.uri == uri) {
            // It ends by itself soon, and tells of it.
            e.running.cancel.cancel();
            e.edited = true;
        }
        Arc::make_mut(&mut self.texts).insert(path.clone(), text);
        self.touched(&path, Some(&uri));
    }

    fn close(&mut self, uri: &Uri) {
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

    /// A file has changed: the texts that use it, or may do so now, are read again.
    fn touched(&mut self, path: &str, but: Option<&str>) {
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

    /// Publishes the messages on a text for which the client waits, for so long at least; whether there was one.
    fn publish(&mut self, after: Option<Duration>) -> bool {
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
                // A defect: the text is left alone until it changes.
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

    /// Starts the next evaluation, if none runs.
    fn start_due(&mut self) {
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
        // What a limit kept back is asked for again.
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
        // One query that is asked for is answered though it is slow.
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

    fn status(&self, state: &str) {
        if let Some(e) = &self.evaluating {
            self.notify("cgdsl/status", json!({ "uri": e.uri, "state": state }));
        }
    }

    fn answered(&mut self, number: u64, key: String, items: Vec<Item>) {
        let Some(e) = self.evaluating.as_ref().filter(|e| e.number == number) else {
            return;
        };
        // Perhaps unknown for the only reason that an edit came.
        let unknown = items.iter().any(|i| i.status == Status::Unknown);
        if let Some(document) = self.documents.get_mut(&e.uri)
            && !(unknown && e.edited)
        {
            document.answers.insert(key, items);
        }
    }

    fn done(&mut self, number: u64) {
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
            // Answers to queries that are there no more.
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

/// Cancels what takes too long in the thread of the documents.
struct Watchdog {
    slot: Arc<Mutex<Option<(Instant, Cancel)>>>,
    thread: Option<std::thread::Thread>,
}

impl Watchdog {
    fn new() -> Watchdog {
        let slot = Arc::<Mutex<Option<(Instant, Cancel)>>>::default();
        let there = slot.clone();
        let thread = std::thread::Builder::new().name("watchdog".to_owned());
        let thread = thread.spawn(move || {
            loop {
                let mut held = there.lock().unwrap_or_else(PoisonError::into_inner);
                let wait = held.as_ref().map(|(until, cancel)| {
                    let wait = until.saturating_duration_since(Instant::now());
                    if wait.is_zero() {
                        cancel.cancel();
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

    /// Watches from now on; what was watched before is left alone.
    fn watch(&self, cancel: &Cancel, time: Duration) {
        let next = Some((Instant::now() + time, cancel.clone()));
        *self.slot.lock().unwrap_or_else(PoisonError::into_inner) = next;
        if let Some(thread) = &self.thread {
            thread.unpark();
        }
    }
}

/// What a hover says with the card of a position.
fn with_card(hover: Option<Hover>, items: &[Item], pictures: bool) -> Option<Hover> {
    let mut text = answers::card(items);
    if let Some(image) = answers::image(items).filter(|_| pictures) {
        text = format!("{image}\n\n{text}");
    }
    let (said, range) = match hover {
        Some(Hover {
            contents: HoverContents::Markup(m),
            range,
        }) => (Some(m.value), range),
        _ => (None, None::<Range>),
    };
    let value = match said {
        Some(said) => format!("{said}\n\n---\n\n{text}"),
        None => text,
    };
    Some(Hover {
        contents: HoverContents::Markup(convert::markdown(value)),
        range,
    })
}
