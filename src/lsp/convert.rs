//! Converts plain data of the session to types of the protocol: URIs, positions, messages, texts.

use super::document::{Analysis, Places};
use crate::base::visible::visible;
use crate::base::{Sources, Span};
use crate::diagnostic::{Diagnostic, Severity, Suggestion};
use crate::session::shipped::{self, Found};
use lsp_types as lsp;
use lsp_types::{
    DiagnosticSeverity, Location, MarkupContent, MarkupKind, Position, Range, TextEdit, Uri,
};
use std::fmt::Write;
use std::str::FromStr;

/// The most messages sent for a file.
const MOST: usize = 1000;
/// The scheme of URIs of shipped files.
pub const SHIPPED: &str = "cgdsl:/";

/// A position, by line and column.
pub fn position(line: usize, column: usize) -> Position {
    let clamp = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
    Position::new(clamp(line), clamp(column))
}

/// The name of the file at a URI: its path, or the URI itself if it does not denote a file.
pub fn path_of(uri: &str) -> String {
    let Some(path) = uri.strip_prefix("file://") else {
        return uri.to_owned();
    };
    let path = path.strip_prefix("localhost").unwrap_or(path);
    let mut bytes = Vec::with_capacity(path.len());
    let mut rest = path.bytes();
    while let Some(b) = rest.next() {
        let mut ahead = rest.clone();
        let hex = |b: Option<u8>| b.and_then(|b| char::from(b).to_digit(16));
        match (b, hex(ahead.next()), hex(ahead.next())) {
            (b'%', Some(high), Some(low)) => {
                bytes.push(u8::try_from(high * 16 + low).unwrap_or(b'?'));
                rest = ahead;
            }
            _ => bytes.push(b),
        }
    }
    let path = String::from_utf8_lossy(&bytes).into_owned();
    // `/c:/folder` on Windows.
    let drive = path.as_bytes().get(2) == Some(&b':') && path.as_bytes()[1].is_ascii_alphabetic();
    match path.strip_prefix('/') {
        Some(rest) if drive => rest.to_owned(),
        _ => path,
    }
}

/// The URI of a file.
pub fn uri_of(path: &str) -> Option<Uri> {
    let absolute = std::path::absolute(path).ok()?;
    let path = absolute.to_string_lossy().replace('\\', "/");
    let mut text = String::from("file://");
    if !path.starts_with('/') {
        text.push('/');
    }
    encode(&path, &mut text);
    Uri::from_str(&text).ok()
}

fn encode(path: &str, to: &mut String) {
    for b in path.bytes() {
        match b {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'/' | b'-' | b'_' | b'.' | b'~' => {
                to.push(char::from(b));
            }
            b => {
                let _ = write!(to, "%{b:02X}");
            }
        }
    }
}

/// The shipped file that a source is, if any.
pub fn shipped_of(name: &str, text: &str) -> Option<shipped::Shipped> {
    match shipped::find(name.strip_prefix("rulesets/")?) {
        Found::One(file) if file.text.trim_start_matches('\u{feff}') == text => Some(file),
        _ => None,
    }
}

/// The location of a span in any file; shipped files have URIs only if `shipped` is set.
pub fn location(span: Span, sources: &Sources, shipped: bool) -> Option<Location> {
    let source = sources.get(span.file)?;
    let mut utf16 = crate::base::utf16::Utf16::new(&source.text);
    let mut place = |byte: usize| {
        let (line, column) = utf16.place(byte);
        position(line, column)
    };
    let range = span.range();
    let range = Range::new(place(range.start), place(range.end));
    let uri = match shipped_of(&source.name, &source.text) {
        Some(file) if shipped => {
            let mut text = SHIPPED.to_owned();
            encode(file.path, &mut text);
            Uri::from_str(&text).ok()?
        }
        Some(_) => return None,
        None => uri_of(&source.name)?,
    };
    Some(Location { uri, range })
}

/// A text as Markdown content.
pub fn markdown(value: String) -> MarkupContent {
    MarkupContent {
        kind: MarkupKind::Markdown,
        value,
    }
}

/// A text, escaped so that Markdown shows it literally.
pub fn plain(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in visible(text).chars() {
        if c.is_ascii_punctuation()
            && !matches!(
                c,
                '.' | ',' | ':' | ';' | '\'' | '"' | '/' | '(' | ')' | '='
            )
        {
            out.push('\\');
        }
        out.push(c);
    }
    out
}

/// A block of code, with a fence that no text can close.
pub fn code(text: &str, language: &str) -> String {
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest.max(2) + 1);
    format!("{fence}{language}\n{}\n{fence}", visible(text.trim_end()))
}

fn severity(of: Severity) -> DiagnosticSeverity {
    match of {
        Severity::Error => DiagnosticSeverity::ERROR,
        Severity::Warning => DiagnosticSeverity::WARNING,
        Severity::Note => DiagnosticSeverity::INFORMATION,
    }
}

/// One message. An error in another file is reported at the first `use`.
pub fn diagnostic(
    d: &Diagnostic,
    known: &Analysis,
    places: &mut Places<'_>,
    uri: &Uri,
) -> lsp::Diagnostic {
    let main = d.labels.iter().find(|l| Some(l.span.file) == known.main);
    let mut message = String::new();
    let elsewhere = d.span().filter(|s| Some(s.file) != known.main);
    if let Some(source) = elsewhere.and_then(|s| known.sources.get(s.file)) {
        let line = elsewhere.map_or(0, |s| source.line(s.start as usize).0 + 1);
        let _ = write!(message, "{} line {line}: ", source.name);
    }
    message.push_str(&d.message);
    if let Some(label) = main.filter(|l| !l.text.is_empty() && !d.message.contains(&*l.text)) {
        let _ = write!(message, "\n{}", label.text);
    }
    for note in d.notes.iter().map(String::as_str).chain(d.advice()) {
        let _ = write!(message, "\n{note}");
    }
    let related: Vec<lsp::DiagnosticRelatedInformation> = d
        .labels
        .iter()
        .filter(|l| !main.is_some_and(|m| std::ptr::eq(m, *l)) && !l.text.is_empty())
        .filter_map(|l| {
            let location = match Some(l.span.file) == known.main {
                true => Location::new(uri.clone(), known.places().range(l.span)),
                false => location(l.span, &known.sources, false)?,
            };
            Some(lsp::DiagnosticRelatedInformation {
                location,
                message: l.text.to_string(),
            })
        })
        .collect();
    let range = match main {
        Some(label) => places.range(label.span),
        None => first_use(known.text()).map_or(Range::default(), |r| places.bytes(r)),
    };
    lsp::Diagnostic {
        range,
        severity: Some(severity(d.severity)),
        code: Some(lsp::NumberOrString::String(d.code.to_string())),
        source: Some("cgdsl".to_owned()),
        message: visible(&message).into_owned(),
        related_information: (!related.is_empty()).then_some(related),
        ..lsp::Diagnostic::default()
    }
}

/// The string of the first `use` of a text.
fn first_use(text: &str) -> Option<std::ops::Range<usize>> {
    use crate::syntax::lexer::{TokenKind, lex};
    let tokens = lex(text);
    let mut solid = tokens.iter().filter(|t| !t.is_trivia());
    solid.find(|t| text.get(t.range()) == Some("use"))?;
    let next = solid.next()?;
    (next.kind == TokenKind::Text).then(|| next.range())
}

/// All messages about a text.
pub fn diagnostics(known: &Analysis, uri: &Uri) -> Vec<lsp::Diagnostic> {
    let mut places = known.places();
    let all = &known.loaded.diagnostics;
    let mut out: Vec<lsp::Diagnostic> = all
        .iter()
        .take(MOST)
        .map(|d| diagnostic(d, known, &mut places, uri))
        .collect();
    if all.len() > MOST {
        out.push(lsp::Diagnostic {
            severity: Some(DiagnosticSeverity::INFORMATION),
            source: Some("cgdsl".to_owned()),
            message: format!("{} more messages", all.len() - MOST),
            ..lsp::Diagnostic::default()
        });
    }
    out
}

/// The edits of a suggestion, if they are all in the text itself.
pub fn edits(suggestion: &Suggestion, known: &Analysis) -> Option<Vec<TextEdit>> {
    let edits = suggestion.resolved(&known.sources)?;
    if edits.iter().any(|e| Some(e.span.file) != known.main) {
        return None;
    }
    let mut places = known.places();
    let all = edits.into_iter();
    Some(
        all.map(|e| TextEdit::new(places.range(e.span), e.text))
            .collect(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_there_and_back() {
        assert_eq!(path_of("file:///a%20b/%C3%A9.rules"), "/a b/é.rules");
        assert_eq!(path_of("file:///c%3A/x.rules"), "c:/x.rules");
        assert_eq!(path_of("untitled:Untitled-1"), "untitled:Untitled-1");
        assert_eq!(path_of("file:///50%/x%2"), "/50%/x%2");
        let uri = uri_of("/a b/é%.rules").expect("an address");
        assert_eq!(uri.as_str(), "file:///a%20b/%C3%A9%25.rules");
        assert_eq!(path_of(uri.as_str()), "/a b/é%.rules");
    }

    #[test]
    fn text_does_not_become_markdown() {
        assert_eq!(plain("*2 + ^[3] <b>"), "\\*2 \\+ \\^\\[3\\] \\<b\\>");
        assert_eq!(code("a\n```\n# b", "x"), "````x\na\n```\n# b\n````");
    }
}
