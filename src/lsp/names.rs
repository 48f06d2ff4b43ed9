//! Names at a place of a text: definitions, references, meanings, completions, signatures and renaming.

use super::convert::{code, location, markdown, plain};
use super::document::Analysis;
use crate::index::{Definition, Index, Kind};
use crate::session::assist::{Completion, calls, completions, meaning};
use crate::syntax::lexer::{RESERVED_2, TokenKind, lex};
use lsp_types::{
    CompletionItem, CompletionItemKind, CompletionList, CompletionTextEdit, DocumentHighlight,
    Documentation, Hover, HoverContents, Location, ParameterInformation, ParameterLabel, Position,
    Range, SignatureHelp, SignatureInformation, TextEdit, Uri,
};
use std::fmt::Write;

/// The definition of the name at a place.
pub fn definition_at(known: &Analysis, place: Position) -> Option<&Definition> {
    let at = known.at(place)?;
    let byte = u32::try_from(at.byte).ok()?;
    let id = known.index.definition_at(at.file, byte)?;
    known.index.definition(id)
}

/// Where the name is defined; for the string after `use`, the file.
pub fn definition(known: &Analysis, place: Position, uri: &Uri, shipped: bool) -> Option<Location> {
    if let Some(d) = definition_at(known, place) {
        return match Some(d.span.file) == known.main {
            true => Some(Location::new(uri.clone(), known.places().range(d.span))),
            false => location(d.span, &known.sources, shipped),
        };
    }
    used_file(known, place, shipped)
}

/// The file that the string at a place uses.
fn used_file(known: &Analysis, place: Position, shipped: bool) -> Option<Location> {
    let at = known.at(place)?;
    let text = known.text();
    let tokens: Vec<_> = lex(text).into_iter().filter(|t| !t.is_trivia()).collect();
    let here = tokens
        .iter()
        .position(|t| t.kind == TokenKind::Text && t.range().contains(&at.byte))?;
    let before = tokens.get(here.checked_sub(1)?)?;
    if text.get(before.range()) != Some("use") {
        return None;
    }
    let target = text.get(tokens[here].range())?.trim_matches('"');
    let name = |s: &str| {
        let last = s.rsplit(['/', '\\']).next().unwrap_or(s);
        last.strip_suffix(".rules").unwrap_or(last).to_lowercase()
    };
    let mut all = known.sources.iter();
    let (id, _) = all.find(|(id, s)| Some(*id) != known.main && name(&s.name) == name(target))?;
    location(crate::base::Span::new(id, 0, 0), &known.sources, shipped)
}

/// Every occurrence of a definition, and whether it is the defining one.
pub fn places_of(
    known: &Analysis,
    d: &Definition,
    uri: &Uri,
    shipped: bool,
) -> Vec<(bool, Location)> {
    let Some(id) = known.index.definition_at(d.span.file, d.span.start) else {
        return Vec::new();
    };
    let mut places = known.places();
    let spans = known.index.references(id).into_iter();
    let found = spans.filter_map(|span| {
        let location = match Some(span.file) == known.main {
            true => Location::new(uri.clone(), places.range(span)),
            false => location(span, &known.sources, shipped)?,
        };
        Some((span == d.span, location))
    });
    found.collect()
}

/// The occurrences of the name in this file.
pub fn highlights(known: &Analysis, place: Position, uri: &Uri) -> Vec<DocumentHighlight> {
    let all = definition_at(known, place).map(|d| places_of(known, d, uri, false));
    let here = all.into_iter().flatten().filter(|(_, l)| l.uri == *uri);
    here.map(|(_, l)| DocumentHighlight {
        range: l.range,
        kind: None,
    })
    .collect()
}

/// The name at a place that can be renamed: its range and definition.
pub fn renamed(known: &Analysis, place: Position) -> Result<(Range, &Definition), String> {
    let none = || "there is no name here that the file defines".to_owned();
    let d = definition_at(known, place).ok_or_else(none)?;
    let source = known.sources.get(d.span.file).ok_or_else(none)?;
    if super::convert::shipped_of(&source.name, &source.text).is_some() {
        return Err(format!(
            "`{}` is defined in a file that comes with cgdsl",
            d.name
        ));
    }
    if d.kind == Kind::Claim {
        return Err("the name of a claim is a text: write another".to_owned());
    }
    let at = known.at(place).ok_or_else(none)?;
    let token = lex(known.text()).into_iter().find(|t| {
        t.kind == TokenKind::Name && t.start as usize <= at.byte && at.byte <= t.end as usize
    });
    let token = token.ok_or_else(none)?;
    Ok((known.places().bytes(token.range()), d))
}

/// Checks that a word can be the new name of a definition: it must be a name, and not clash with another one where it would
/// occur.
pub fn can_be_called(name: &str, d: &Definition, index: &Index) -> Result<(), String> {
    let tokens = lex(name);
    if !matches!(&tokens[..], [t] if t.kind == TokenKind::Name) {
        return Err(format!("`{name}` cannot be a name"));
    }
    if crate::model::builtins::find(name).is_some() || RESERVED_2.contains(&name) {
        return Err(format!("`{name}` is a word of the language"));
    }
    let meets = |other: &&Definition| match (d.scope, other.scope) {
        (Some(a), Some(b)) => a.file == b.file && a.start <= b.end && b.start <= a.end,
        _ => true,
    };
    let mut all = index.definitions().map(|(_, other)| other);
    match all.find(|o| *o.name == *name && o.span != d.span && meets(o)) {
        Some(_) => Err(format!("`{name}` is the name of something else here")),
        None => Ok(()),
    }
}

fn item_kind(what: &str) -> CompletionItemKind {
    match what {
        "ruleset" => CompletionItemKind::CLASS,
        "definition" | "function" | "derivation" => CompletionItemKind::FUNCTION,
        "position" | "variable" | "root" | "site" | "parameter" => CompletionItemKind::VARIABLE,
        "piece" | "player" => CompletionItemKind::ENUM_MEMBER,
        "state" => CompletionItemKind::FIELD,
        "file" => CompletionItemKind::FILE,
        "constant" => CompletionItemKind::CONSTANT,
        "kind of board" | "sort" => CompletionItemKind::TYPE_PARAMETER,
        _ => CompletionItemKind::KEYWORD,
    }
}

/// The completions at a place.
pub fn complete(known: &Analysis, place: Position) -> Option<CompletionList> {
    let found = completions(known.at(place)?);
    let range = known.places().bytes(found.replaces);
    let item = |(n, c): (usize, Completion)| CompletionItem {
        kind: Some(item_kind(c.what)),
        detail: (!c.detail.is_empty()).then_some(c.detail),
        documentation: (!c.doc.is_empty())
            .then(|| Documentation::MarkupContent(markdown(plain(&c.doc)))),
        sort_text: Some(format!("{}{n:05}", c.rank)),
        filter_text: Some(c.text.clone()),
        text_edit: Some(CompletionTextEdit::Edit(TextEdit::new(
            range,
            c.text.clone(),
        ))),
        label: c.text,
        ..CompletionItem::default()
    };
    Some(CompletionList {
        is_incomplete: false,
        items: found.all.into_iter().enumerate().map(item).collect(),
    })
}

/// The meaning of the name at a place, as Markdown.
pub fn hover(known: &Analysis, place: Position) -> Option<Hover> {
    let found = meaning(known.at(place)?)?;
    let mut text = code(&found.signature, "cgdsl");
    if found.entries.is_empty() {
        let _ = write!(text, "\n\n{}", plain(&found.doc));
    }
    for (n, e) in found.entries.iter().enumerate() {
        if n > 0 {
            let _ = write!(text, "\n\n---\n\n{}", code(e.signature, "cgdsl"));
        }
        let _ = write!(text, "\n\n*{}*: {}.", e.what, plain(e.doc));
        if !e.theory.is_empty() {
            let _ = write!(text, "\n\n{}", plain(e.theory));
        }
        if !e.fails.is_empty() {
            let _ = write!(text, "\n\nWhere: {}.", plain(e.fails));
        }
        if !e.example.is_empty() {
            let _ = write!(text, "\n\n{}", code(e.example, "cgdsl"));
        }
    }
    Some(Hover {
        contents: HoverContents::Markup(markdown(text)),
        range: Some(known.places().bytes(found.place)),
    })
}

/// The signatures of the function around a place.
pub fn signature(known: &Analysis, place: Position) -> Option<SignatureHelp> {
    let (all, argument) = calls(known.at(place)?)?;
    let active = all.iter().position(|c| c.arguments.len() > argument);
    let signatures = all
        .into_iter()
        .map(|c| {
            let mut utf16 = crate::base::utf16::Utf16::new(&c.signature);
            let mut at = |byte: usize| u32::try_from(utf16.offset(byte)).unwrap_or(u32::MAX);
            let parameters = c
                .arguments
                .iter()
                .map(|r| ParameterInformation {
                    label: ParameterLabel::LabelOffsets([at(r.start), at(r.end)]),
                    documentation: None,
                })
                .collect();
            SignatureInformation {
                parameters: Some(parameters),
                documentation: (!c.doc.is_empty())
                    .then(|| Documentation::MarkupContent(markdown(plain(&c.doc)))),
                active_parameter: None,
                label: c.signature,
            }
        })
        .collect();
    Some(SignatureHelp {
        signatures,
        active_signature: Some(u32::try_from(active.unwrap_or(0)).unwrap_or(0)),
        active_parameter: u32::try_from(argument).ok(),
    })
}
