//! Shows known answers: as hints at the ends of lines, as lenses above them, as cards and as pictures.

use super::convert::code;
use super::document::{Analysis, Document};
use crate::model::typed::{Query, QueryKind, Sort};
use crate::report::{Look, brief, draw, item as item_text};
use crate::session::{Answer, Item, Picture, Status, Verdict};
use lsp_types::{
    CodeLens, Command, Diagnostic, DiagnosticSeverity, InlayHint, InlayHintLabel, InlayHintTooltip,
    Position, Range,
};
use serde_json::json;
use std::fmt::Write;

/// The command that evaluates a text, or the query at a line of it.
pub const EVALUATE: &str = "cgdsl.evaluate";
/// The command that cancels the evaluation of a text.
pub const STOP: &str = "cgdsl.stop";
/// The command that returns the card of the query at a line.
pub const CARD: &str = "cgdsl.card";
/// The command that returns a picture of the query at a line, as SVG.
pub const PICTURE: &str = "cgdsl.picture";
/// A command that the client implements: plays a position in a terminal.
pub const PLAY: &str = "cgdsl.play";
/// A command that the client implements: shows the result of [`PICTURE`].
pub const SHOW: &str = "cgdsl.showPicture";

/// The longest hint, in characters.
const LONGEST: usize = 80;

/// The queries of the text that have answers, with these.
fn answered<'a>(
    known: &'a Analysis,
    document: &'a Document,
) -> impl Iterator<Item = (&'a Query, &'a [Item])> {
    let all = known.queries();
    all.filter_map(|(q, key)| Some((q, document.answers.get(key)?.as_slice())))
}

fn verdict(v: &Verdict, item: &Item) -> String {
    let mut text = brief(item);
    if item.status == Status::Held && v.instances > 1 {
        let _ = write!(text, " ({} instances)", v.instances);
    }
    text
}

/// A message about a limit, with the program's options replaced by the names of the settings.
fn by_settings(text: &str) -> String {
    ["time", "memory"]
        .iter()
        .fold(text.to_owned(), |text, name| {
            text.replace(
                &format!("; --{name} sets it"),
                &format!("; the setting cgdsl.{name} sets it"),
            )
        })
}

/// An answer in brief.
fn short(item: &Item) -> String {
    let text = match &item.answer {
        Answer::Verdict(v) => verdict(v, item),
        Answer::Card(_) | Answer::Value(_) if item.status == Status::Held => {
            format!("= {}", brief(item))
        }
        _ => by_settings(&brief(item)),
    };
    match text.char_indices().nth(LONGEST) {
        Some((at, _)) => format!("{} ..", &text[..at]),
        None => text,
    }
}

/// Whether an answer is the card of a position.
pub fn is_card(items: &[Item]) -> bool {
    matches!(
        items,
        [Item {
            answer: Answer::Card(_),
            ..
        }]
    )
}

/// An answer in full, as a block of code.
pub fn card(items: &[Item]) -> String {
    let all: Vec<String> = items
        .iter()
        .map(|i| item_text(i, Look::default()))
        .collect();
    code(&by_settings(&all.concat()), "text")
}

/// A hint after each query that has an answer.
pub fn hints(known: &Analysis, document: &Document, within: Range) -> Vec<InlayHint> {
    let mut places = known.places();
    let mut out = Vec::new();
    for (query, items) in answered(known, document) {
        let position = places.position(query.span.range().end);
        if position < within.start || position > within.end || items.is_empty() {
            continue;
        }
        let label: Vec<String> = items.iter().map(short).collect();
        out.push(InlayHint {
            position,
            label: InlayHintLabel::String(label.join(", ")),
            kind: None,
            text_edits: None,
            tooltip: Some(InlayHintTooltip::MarkupContent(super::convert::markdown(
                card(items),
            ))),
            padding_left: Some(true),
            padding_right: None,
            data: None,
        });
    }
    out
}

/// The messages of queries that were evaluated.
pub fn diagnostics(known: &Analysis, document: &Document) -> Vec<Diagnostic> {
    let mut places = known.places();
    let mut out = Vec::new();
    for (query, items) in answered(known, document) {
        for item in items {
            let severity = match item.status {
                Status::Failed | Status::Broken => DiagnosticSeverity::ERROR,
                _ => continue,
            };
            let Some(line) = known.text()[query.span.range()].lines().next() else {
                continue;
            };
            let start = query.span.range().start;
            out.push(Diagnostic {
                range: places.bytes(start..start + line.len()),
                severity: Some(severity),
                source: Some("cgdsl".to_owned()),
                message: crate::base::visible::visible(&brief(item)).into_owned(),
                ..Diagnostic::default()
            });
        }
    }
    out
}

/// The query at a line, with its answer if there is one.
pub fn at_line<'a>(
    known: &'a Analysis,
    document: &'a Document,
    line: u32,
) -> Option<(&'a Query, Option<&'a [Item]>)> {
    let mut places = known.places();
    let mut all = known.queries();
    let (query, key) = all.find(|(q, _)| {
        let range = places.range(q.span);
        (range.start.line..=range.end.line).contains(&line)
    })?;
    Some((query, document.answers.get(key).map(Vec::as_slice)))
}

/// The answer of the query that contains a place.
pub fn at<'a>(known: &'a Analysis, document: &'a Document, place: Position) -> Option<&'a [Item]> {
    let mut places = known.places();
    let mut all = answered(known, document);
    let (_, items) = all.find(|(q, _)| {
        let range = places.range(q.span);
        range.start <= place && place <= range.end
    })?;
    Some(items)
}

/// The positions that a query shows.
fn positions(query: &Query) -> impl Iterator<Item = crate::base::Span> {
    let eval = query.kind == QueryKind::Eval && query.binders.is_empty();
    let all = query.body.iter().filter(move |_| eval);
    all.filter(|e| e.sort == Sort::Position).map(|e| e.span)
}

/// The lenses: what can be done with each query. Those for commands of the client appear only if the client supports them.
pub fn lenses(known: &Analysis, document: &Document, commands: &[String]) -> Vec<CodeLens> {
    let mut places = known.places();
    let mut out = Vec::new();
    let has = |name: &str| commands.iter().any(|c| c == name);
    for (query, _) in known.queries() {
        let start = places.range(query.span).start;
        let range = Range::new(start, start);
        let mut lens = |title: &str, command: &str, arguments: Vec<serde_json::Value>| {
            let command = Command::new(title.to_owned(), command.to_owned(), Some(arguments));
            out.push(CodeLens {
                range,
                command: Some(command),
                data: None,
            });
        };
        let here = || vec![json!(document.uri), json!(start.line)];
        lens("evaluate", EVALUATE, here());
        if let Some(position) = positions(query).next() {
            if has(SHOW) {
                lens("picture", SHOW, here());
            }
            if has(PLAY) {
                let text = known.sources.slice(position);
                lens("play", PLAY, vec![json!(document.path), json!(text)]);
            }
        }
    }
    out
}

/// The first picture of an answer.
fn picture(items: &[Item]) -> Option<&Picture> {
    items.iter().find_map(|i| match &i.answer {
        Answer::Card(card) => Some(&card.picture),
        Answer::Value(v) => v.pictures.first(),
        Answer::Verdict(v) => v.counterexample.as_ref()?.pictures.first(),
        Answer::Search(s) => s.found.iter().flat_map(|i| &i.pictures).next(),
        Answer::Table(_) | Answer::None { .. } => None,
    })
}

/// The first picture of an answer, as SVG.
pub fn svg(items: &[Item]) -> Option<String> {
    let figure = picture(items)?.figure.as_ref()?;
    Some(draw::svg(&draw::scene(figure)))
}

/// The same picture as an image in Markdown.
pub fn image(items: &[Item]) -> Option<String> {
    let svg = svg(items)?;
    let mut text = String::from("![picture](data:image/svg+xml,");
    for b in svg.bytes() {
        match b {
            b if b.is_ascii_alphanumeric() => text.push(char::from(b)),
            b => {
                let _ = write!(text, "%{b:02X}");
            }
        }
    }
    text.push(')');
    Some(text)
}
