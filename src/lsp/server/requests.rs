//! Answers the requests of a client, by method.

use super::{Answer, MOST_SYMBOLS, Refused, Server, parsed, said};
use crate::diagnostic::Severity;
use crate::index::{Definition, Index};
use crate::lsp::convert::{self, SHIPPED};
use crate::lsp::document::Analysis;
use crate::lsp::jobs::Card;
use crate::lsp::options::Client;
use crate::lsp::{answers, edits, names, tokens};
use crate::session::shipped::{self, Found};
use crate::session::{Item, Status, assist};
use lsp_server::{ErrorCode, RequestId};
use lsp_types::{self as lsp, Hover, HoverContents, Location, Position, Range, Uri};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The hover text together with the card of a position.
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

impl Server {
    pub(super) fn initialize(&mut self, parameters: &Value) -> Value {
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

    pub(super) fn question(&mut self, method: &str, parameters: Value) -> Answer {
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
            "textDocument/references" => self.references(parsed(parameters)?),
            "textDocument/documentHighlight" => {
                let p: lsp::DocumentHighlightParams = parsed(parameters)?;
                let (known, place, uri) = self.at(p.text_document_position_params)?;
                said(names::highlights(&known, place, &uri))
            }
            "textDocument/prepareRename" => {
                let p: lsp::TextDocumentPositionParams = parsed(parameters)?;
                let (known, place, _) = self.at(p)?;
                // Nothing to rename is not an error.
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

    /// The text of a shipped file, by its URI.
    fn shipped_text(parameters: &Value) -> Answer {
        let uri = parameters.get("uri").and_then(Value::as_str).unwrap_or("");
        let path = uri.strip_prefix(SHIPPED).map(|p| p.trim_start_matches('/'));
        match path.map(shipped::find) {
            Some(Found::One(file)) => said(file.text),
            _ => Err(Refused(
                ErrorCode::InvalidParams,
                format!("`{uri}` is not a shipped file"),
            )),
        }
    }

    pub(super) fn at(
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

    /// The symbols of all open texts and the files they use that contain the given letters.
    fn symbols(&mut self, p: &lsp::WorkspaceSymbolParams) -> Answer {
        let uris: Vec<Uri> = self.documents.values().map(|d| d.uri.clone()).collect();
        let shipped = self.options.shipped;
        let mut found: Vec<lsp::WorkspaceSymbol> = Vec::new();
        for uri in uris {
            let known = self.known(&uri)?;
            for symbol in tokens::named(&known, &uri, &p.query, &self.texts, shipped) {
                // A file that several texts use occurs for each of them.
                if found.len() < MOST_SYMBOLS && !found.contains(&symbol) {
                    found.push(symbol);
                }
            }
        }
        said(found)
    }

    /// Every occurrence of a definition in all open texts that read its file.
    fn everywhere(
        &mut self,
        known: &Analysis,
        d: &Definition,
        uri: &Uri,
        shipped: bool,
        ask: impl Fn(&Definition, &Index) -> Result<(), Refused>,
    ) -> Result<Vec<(bool, Location)>, Refused> {
        ask(d, &known.index)?;
        let file = known.sources.get(d.span.file).map(|s| s.name.clone());
        let mut places = names::places_of(known, d, uri, shipped);
        // A name with a scope is used nowhere else.
        let others: Vec<Uri> = self.documents.values().map(|d| d.uri.clone()).collect();
        let others = others.into_iter().filter(|o| o != uri);
        for other in others.filter(|_| d.scope.is_none()) {
            let theirs = self.known(&other)?;
            let same = theirs.index.definitions().find(|(_, t)| {
                let name = theirs.sources.get(t.span.file).map(|s| s.name.clone());
                name == file && (t.span.start, t.span.end) == (d.span.start, d.span.end)
            });
            if let Some((_, t)) = same {
                ask(t, &theirs.index)?;
                for place in names::places_of(&theirs, t, &other, shipped) {
                    if !places.contains(&place) {
                        places.push(place);
                    }
                }
            }
        }
        Ok(places)
    }

    fn references(&mut self, p: lsp::ReferenceParams) -> Answer {
        let (known, place, uri) = self.at(p.text_document_position)?;
        let Some(d) = names::definition_at(&known, place) else {
            return said(Vec::<Location>::new());
        };
        let shipped = self.options.shipped;
        let declared = p.context.include_declaration;
        let places = self.everywhere(&known, d, &uri, shipped, |_, _| Ok(()))?;
        let wanted = places
            .into_iter()
            .filter(|(is_definition, _)| declared || !is_definition);
        said(wanted.map(|(_, location)| location).collect::<Vec<_>>())
    }

    fn rename(&mut self, p: lsp::RenameParams) -> Answer {
        let (known, place, uri) = self.at(p.text_document_position)?;
        let refuse = |why: String| Refused(ErrorCode::RequestFailed, why);
        let (_, d) = names::renamed(&known, place).map_err(refuse)?;
        let free = |d: &Definition, index: &Index| {
            names::can_be_called(&p.new_name, d, index).map_err(refuse)
        };
        let places = self.everywhere(&known, d, &uri, false, free)?;
        let mut changes: BTreeMap<String, Vec<lsp::TextEdit>> = BTreeMap::new();
        for (_, location) in places {
            let edit = lsp::TextEdit::new(location.range, p.new_name.clone());
            let all = changes.entry(location.uri.as_str().to_owned()).or_default();
            if !all.contains(&edit) {
                all.push(edit);
            }
        }
        self.stays_right(&p.new_name, &changes)?;
        Ok(json!({ "changes": changes }))
    }

    /// Refuses a renaming with which an open text has an error that it did not have: a word of the language that no name can
    /// be at this place, a name that a ruleset inherits, the letter of a piece in drawings.
    fn stays_right(
        &mut self,
        name: &str,
        changes: &BTreeMap<String, Vec<lsp::TextEdit>>,
    ) -> Result<(), Refused> {
        let open: Vec<Uri> = self.documents.values().map(|d| d.uri.clone()).collect();
        let mut before = Vec::new();
        for uri in &open {
            before.push(self.known(uri)?);
        }
        let mut texts = self.texts.clone();
        for (uri, edits) in changes {
            let path = convert::path_of(uri);
            let read = || {
                let mut sources = before.iter().flat_map(|known| known.sources.iter());
                sources
                    .find(|(_, s)| *s.name == *path)
                    .map(|(_, s)| s.text.clone())
            };
            let Some(text) = self.texts.get(&path).cloned().or_else(read) else {
                continue;
            };
            Arc::make_mut(&mut texts).insert(path, edits::applied(&text, edits).into());
        }
        for (uri, known) in open.iter().zip(&before) {
            let path = convert::path_of(uri.as_str());
            let changed = |uri: &String| known.reads(&convert::path_of(uri));
            if !changes.keys().any(changed) {
                continue;
            }
            let after = Analysis::of(&path, &texts, self.reading());
            let errors = |known: &Analysis| -> Vec<String> {
                let all = known.loaded.diagnostics.iter();
                let errors = all.filter(|d| d.severity == Severity::Error);
                errors.map(|d| d.message.clone()).collect()
            };
            let (old, new) = (errors(known), errors(&after));
            if new.len() > old.len() {
                let why = new.iter().find(|m| !old.contains(m)).or(new.first());
                let why = why.map_or_else(String::new, |m| format!(": {m}"));
                let why = format!("it cannot be called `{name}` here{why}");
                return Err(Refused(ErrorCode::RequestFailed, why));
            }
        }
        Ok(())
    }

    pub(super) fn hover(
        &mut self,
        id: RequestId,
        parameters: Value,
    ) -> Result<Option<Answer>, Refused> {
        let p: lsp::HoverParams = parsed(parameters)?;
        let (known, place, uri) = self.at(p.text_document_position_params)?;
        let hover = names::hover(&known, place);
        let document = self.document(&uri)?;
        let at = known.at(place);
        let position = at.and_then(assist::position);
        let items = answers::at(&known, document, place);
        let trusted = self.options.trusted && self.options.evaluate;
        // The card of the position itself is more informative than an answer that includes it.
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
            // The pointer has left its earlier places.
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

    pub(super) fn card(&mut self, number: u64, hover: Option<Hover>, items: &[Item]) {
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
        let uri = uri.ok_or_else(|| refuse("the address of a file is expected"))?;
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
}
