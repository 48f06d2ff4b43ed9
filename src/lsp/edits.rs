//! Edits of a text: the standard layout, and the suggestions of messages.

use super::convert::{diagnostic, edits, position};
use super::document::{Analysis, Document, Texts};
use crate::base::utf16::byte_of_place;
use crate::session::fix::{Which, mend};
use crate::session::{Disk, Settings, Unsaved};
use crate::syntax::format::format_file;
use imara_diff::{Algorithm, Diff, InternedInput};
use lsp_types::{
    CodeAction, CodeActionKind, CodeActionOrCommand, Range, TextEdit, Uri, WorkspaceEdit,
};
use std::collections::HashMap;

/// Lines as editors count them, each with its line end: a carriage return alone also ends a line.
fn counted_lines(text: &str) -> Vec<&str> {
    let whole = text.split_inclusive('\n');
    whole
        .flat_map(|line| match line.strip_suffix("\r\n") {
            Some(head) => {
                let last = head.rfind('\r').map_or(0, |at| at + 1);
                let mut parts: Vec<&str> = head[..last].split_inclusive('\r').collect();
                parts.push(&line[last..]);
                parts
            }
            None => line.split_inclusive('\r').collect(),
        })
        .collect()
}

/// The ranges of lines that differ between two texts, in pairs.
fn changes(old: &[&str], new: &[&str]) -> Vec<(std::ops::Range<usize>, std::ops::Range<usize>)> {
    let mut input = InternedInput::default();
    input.update_before(old.iter().copied());
    input.update_after(new.iter().copied());
    let wide = |r: std::ops::Range<u32>| r.start as usize..r.end as usize;
    Diff::compute(Algorithm::Myers, &input)
        .hunks()
        .map(|hunk| (wide(hunk.before), wide(hunk.after)))
        .collect()
}

/// The edits of whole lines that turn one text into another.
fn between(before: &str, after: &str) -> Vec<TextEdit> {
    let (old, new) = (counted_lines(before), counted_lines(after));
    // The end of the last line, if it has no line end.
    let last = old.last().filter(|l| !l.ends_with(['\n', '\r']));
    let place = |line: usize| match last {
        Some(text) if line == old.len() => position(line - 1, text.encode_utf16().count()),
        _ => position(line, 0),
    };
    changes(&old, &new)
        .into_iter()
        .map(|(from, to)| {
            let range = Range::new(place(from.start), place(from.end));
            TextEdit::new(range, new[to].concat())
        })
        .collect()
}

/// The standard layout, with the line ends of the text.
fn laid_out(text: &str) -> String {
    let laid = format_file(text);
    match text.contains("\r\n") {
        true => laid.replace('\n', "\r\n"),
        false => laid,
    }
}

/// The edits that format a text, or only those within a range.
pub fn layout(text: &str, within: Option<Range>) -> Vec<TextEdit> {
    let mut all = between(text, &laid_out(text));
    if let Some(within) = within {
        all.retain(|e| {
            e.range.end.line >= within.start.line && e.range.start.line <= within.end.line
        });
    }
    all
}

/// The edits that format the item above an empty line that was just begun. Only lines that keep their number change, so that
/// the caret stays in place.
pub fn finished(text: &str, line: usize) -> Vec<TextEdit> {
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let split = lines.get(line).is_some_and(|l| !l.trim().is_empty());
    let Some(last) = line.checked_sub(1).filter(|l| !split && *l < lines.len()) else {
        return Vec::new();
    };
    // Clients count a carriage return alone as a line end.
    if lines
        .iter()
        .any(|l| l.trim_end_matches(['\r', '\n']).contains('\r'))
    {
        return Vec::new();
    }
    let others = lines.iter().enumerate().filter(|(i, _)| *i != line);
    let rest: String = others.map(|(_, text)| *text).collect();
    let laid = laid_out(&rest);
    let (old, new) = (counted_lines(&rest), counted_lines(&laid));
    for (from, to) in changes(&old, &new) {
        if from.contains(&last) && from.len() == to.len() {
            let changed = from.start..=last;
            let text = new[to].iter().take(last + 1 - from.start);
            return changed
                .zip(text)
                .filter(|(i, text)| lines[*i] != **text)
                .map(|(i, text)| {
                    TextEdit::new(
                        Range::new(position(i, 0), position(i + 1, 0)),
                        (*text).to_owned(),
                    )
                })
                .collect();
        }
    }
    Vec::new()
}

/// A text after some edits that do not overlap.
pub fn applied(text: &str, edits: &[TextEdit]) -> String {
    let byte =
        |at: lsp_types::Position| byte_of_place(text, at.line as usize, at.character as usize);
    let place = |e: &TextEdit| (byte(e.range.start), byte(e.range.end));
    let mut all: Vec<((usize, usize), &str)> =
        edits.iter().map(|e| (place(e), &*e.new_text)).collect();
    all.sort_unstable();
    let mut out = String::new();
    let mut from = 0;
    for ((start, end), new) in all {
        out.push_str(text.get(from..start).unwrap_or(""));
        out.push_str(new);
        from = end;
    }
    out.push_str(text.get(from..).unwrap_or(""));
    out
}

fn of_one(uri: &Uri, edits: Vec<TextEdit>) -> WorkspaceEdit {
    // The key is hashed by its text, which does not change.
    #[allow(clippy::mutable_key_type)]
    let changes = HashMap::from([(uri.clone(), edits)]);
    WorkspaceEdit {
        changes: Some(changes),
        ..WorkspaceEdit::default()
    }
}

fn touch(a: Range, b: Range) -> bool {
    a.start <= b.end && b.start <= a.end
}

/// Whether a kind of action is among the requested ones.
fn wanted(kind: &CodeActionKind, only: Option<&[CodeActionKind]>) -> bool {
    let is_in = |of: &CodeActionKind| {
        let rest = kind.as_str().strip_prefix(of.as_str());
        rest.is_some_and(|r| r.is_empty() || r.starts_with('.'))
    };
    only.is_none_or(|all| all.iter().any(is_in))
}

/// The suggestions of the messages in a range, and all safe suggestions of the file at once.
pub fn actions(
    known: &Analysis,
    document: &Document,
    texts: &Texts,
    settings: &Settings,
    within: Range,
    only: Option<&[CodeActionKind]>,
) -> Vec<CodeActionOrCommand> {
    let mut out = Vec::new();
    let mut safe = false;
    let mut places = known.places();
    for d in &known.loaded.diagnostics {
        safe |= d.suggestions.iter().any(|s| s.safe);
        let here = d.labels.iter().find(|l| Some(l.span.file) == known.main);
        let here = here.map(|l| places.range(l.span));
        if !here.is_some_and(|h| touch(h, within)) || !wanted(&CodeActionKind::QUICKFIX, only) {
            continue;
        }
        for suggestion in &d.suggestions {
            let Some(edits) = edits(suggestion, known) else {
                continue;
            };
            out.push(CodeActionOrCommand::CodeAction(CodeAction {
                title: suggestion.message.clone(),
                kind: Some(CodeActionKind::QUICKFIX),
                diagnostics: Some(vec![diagnostic(d, known, &mut places, &document.uri)]),
                edit: Some(of_one(&document.uri, edits)),
                is_preferred: suggestion.safe.then_some(true),
                ..CodeAction::default()
            }));
        }
    }
    if safe && wanted(&CodeActionKind::SOURCE_FIX_ALL, only) {
        let open = texts.iter().map(|(name, text)| (&**name, text.as_bytes()));
        let world = Unsaved::all(&Disk, open);
        if let Ok(mended) = mend(&world, settings, &document.path, Which::Safe)
            && mended.text != *document.text
        {
            out.push(CodeActionOrCommand::CodeAction(CodeAction {
                title: "Apply all safe suggestions".to_owned(),
                kind: Some(CodeActionKind::SOURCE_FIX_ALL),
                edit: Some(of_one(&document.uri, between(&document.text, &mended.text))),
                ..CodeAction::default()
            }));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::utf16::byte_of_place;

    /// Applies edits as a client does.
    fn applied(text: &str, mut edits: Vec<TextEdit>) -> String {
        edits.sort_by_key(|e| e.range.start);
        let mut out = text.to_owned();
        for e in edits.into_iter().rev() {
            let byte =
                |p: lsp_types::Position| byte_of_place(text, p.line as usize, p.character as usize);
            out.replace_range(byte(e.range.start)..byte(e.range.end), &e.new_text);
        }
        out
    }

    #[test]
    fn what_is_finished_is_laid_out_and_the_line_of_the_caret_stays() {
        let text = "ruleset R\n board heaps\n move by anyone: choose n,k in 1..n then n -> [n - k]\n  \n\neval R[3,2]\n";
        let after = applied(text, finished(text, 3));
        let good = "  board heaps\n  move by anyone: choose n, k in 1..n then n -> [n - k]\n  \n";
        assert!(after.contains(good), "{after}");
        assert!(after.ends_with("\neval R[3,2]\n"), "{after}");
        assert_eq!(after.lines().count(), text.lines().count());
        // Nothing above the caret; a line that was split; an incomplete item.
        assert_eq!(finished(text, 0), []);
        assert_eq!(finished(text, 2), []);
        assert_eq!(finished("eval f(1,2\n", 1), []);
        assert_eq!(finished(text, 99), []);
        let windows = text.replace('\n', "\r\n");
        let after = applied(&windows, finished(&windows, 3));
        assert!(after.contains(&good.replace('\n', "\r\n")), "{after}");
    }

    #[test]
    fn edits_lead_from_one_text_to_the_other() {
        for (a, b) in [
            ("", "x\n"),
            ("x", ""),
            ("a\nb\nc", "a\nc\n"),
            ("a\r\nb\r\n", "a\r\n  b\r\n"),
            ("😀\n", "😀"),
            ("a\nb", "a\nb\nc"),
        ] {
            assert_eq!(applied(a, between(a, b)), b, "{a:?}");
        }
        let text = "ruleset  R\r\n board heaps\r\n move by anyone: choose n then n -> []\r\n";
        let laid = applied(text, layout(text, None));
        assert_eq!(laid, format_file(text).replace('\n', "\r\n"));
    }
}
