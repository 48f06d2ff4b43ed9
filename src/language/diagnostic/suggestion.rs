//! The edits that a message proposes ([`Suggestion`]), and how to apply them to a text. Editors, `cgdsl check --fix` and
//! the page apply the same edits.
//!
//! An edit names its place by a span. The checker sees a tree and no text, so it may give a wider span and the word or
//! sign to replace inside it ([`Edit::old`]); [`Suggestion::resolved`] finds the exact place.

use crate::base::{FileId, Sources, Span};
use std::collections::BTreeMap;
use std::ops::Range;

/// Replaces `span` by `text`; an empty span inserts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Edit {
    /// What is replaced, or the range in which [`Edit::old`] is searched.
    pub span: Span,
    /// If given, only its first occurrence in the span outside of comments and strings is replaced.
    pub old: Option<String>,
    /// What is written instead.
    pub text: String,
}

/// Edits that fix what a message reports. They belong together: either all are applied, or none.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Suggestion {
    /// What is done, in a sentence that contains the text to write: "did you mean `remove`?".
    pub message: String,
    /// The edits; they do not overlap.
    pub edits: Vec<Edit>,
    /// Whether only one reading is possible, so that the result is surely what was meant. Otherwise a reader decides.
    pub safe: bool,
}

impl Suggestion {
    /// One edit that replaces the text of `span`.
    #[must_use]
    pub fn replace(span: Span, text: impl Into<String>, message: impl Into<String>) -> Suggestion {
        Suggestion {
            message: message.into(),
            edits: Vec::new(),
            safe: false,
        }
        .and(span, text)
    }

    /// One edit that inserts before `span`.
    #[must_use]
    pub fn before(span: Span, text: impl Into<String>, message: impl Into<String>) -> Suggestion {
        Suggestion::replace(start_of(span), text, message)
    }

    /// One edit that inserts after `span`.
    #[must_use]
    pub fn after(span: Span, text: impl Into<String>, message: impl Into<String>) -> Suggestion {
        Suggestion::replace(end_of(span), text, message)
    }

    /// One edit that replaces the first `old` between two places.
    #[must_use]
    pub fn between(
        left: Span,
        right: Span,
        old: &str,
        text: impl Into<String>,
        message: impl Into<String>,
    ) -> Suggestion {
        let empty = Suggestion {
            message: message.into(),
            edits: Vec::new(),
            safe: false,
        };
        empty.and_between(left, right, old, text)
    }

    /// Adds an edit that replaces the first `old` between two places.
    #[must_use]
    pub fn and_between(
        mut self,
        left: Span,
        right: Span,
        old: &str,
        text: impl Into<String>,
    ) -> Suggestion {
        self.edits.push(Edit {
            span: gap(left, right),
            old: Some(old.to_owned()),
            text: text.into(),
        });
        self
    }

    /// Adds an edit.
    #[must_use]
    pub fn and(mut self, span: Span, text: impl Into<String>) -> Suggestion {
        self.edits.push(Edit {
            span,
            old: None,
            text: text.into(),
        });
        self
    }

    /// Adds an edit that inserts before a place.
    #[must_use]
    pub fn and_before(self, span: Span, text: impl Into<String>) -> Suggestion {
        self.and(start_of(span), text)
    }

    /// Adds an edit that inserts after a place.
    #[must_use]
    pub fn and_after(self, span: Span, text: impl Into<String>) -> Suggestion {
        self.and(end_of(span), text)
    }

    /// Marks it as the only reading: `check --fix` applies it without asking.
    #[must_use]
    pub fn safe(mut self) -> Suggestion {
        self.safe = true;
        self
    }

    /// Sets whether it is the only reading.
    #[must_use]
    pub fn safe_if(mut self, safe: bool) -> Suggestion {
        self.safe = safe;
        self
    }

    /// The edits at exact places, on character boundaries, in the order of the text. `None` if the text to replace is not
    /// there, if edits overlap, or if there are none.
    #[must_use]
    pub fn resolved(&self, sources: &Sources) -> Option<Vec<Edit>> {
        let mut out = Vec::new();
        for edit in &self.edits {
            let text = &sources.get(edit.span.file)?.text;
            let range = edit.span.range();
            let inside = text.get(range.clone())?;
            let (span, new) = match &edit.old {
                None => (edit.span, edit.text.clone()),
                Some(old) => {
                    let at = find_outside_comments(inside, old)? + range.start;
                    let span = Span::new(edit.span.file, at, at + old.len());
                    (span, between_blanks(text, span.range(), &edit.text))
                }
            };
            out.push(Edit {
                span,
                old: None,
                text: new,
            });
        }
        out.sort_by_key(|e| (e.span.file, e.span.start, e.span.end));
        let apart = out
            .windows(2)
            .all(|w| w[0].span.file != w[1].span.file || w[0].span.end <= w[1].span.start);
        (apart && !out.is_empty()).then_some(out)
    }
}

fn start_of(span: Span) -> Span {
    Span {
        end: span.start,
        ..span
    }
}

fn end_of(span: Span) -> Span {
    Span {
        start: span.end,
        ..span
    }
}

/// The range between two places of one file.
fn gap(left: Span, right: Span) -> Span {
    Span {
        file: left.file,
        start: left.end,
        end: right.start.max(left.end),
    }
}

/// A word with its outer blanks, minus those already present in the text.
fn between_blanks(text: &str, place: Range<usize>, new: &str) -> String {
    let before = text[..place.start].ends_with(char::is_whitespace);
    let after = text[place.end..].starts_with(char::is_whitespace);
    let new = if before { new.trim_start() } else { new };
    if after { new.trim_end() } else { new }.to_owned()
}

/// Comments and strings of a text, in order: byte ranges, and whether each is a comment.
fn skipped(text: &str) -> Vec<(Range<usize>, bool)> {
    let bytes = text.as_bytes();
    let mut out = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let rest = &text.as_bytes()[at..];
        let (length, comment) = if rest.starts_with(b"//") {
            (rest.iter().position(|b| *b == b'\n'), true)
        } else if rest.starts_with(b"\"\"\"") {
            let inner = &rest[3..];
            let end = inner.windows(3).position(|w| w == b"\"\"\"");
            (end.map(|i| i + 6), false)
        } else if rest[0] == b'"' {
            (string_length(rest), false)
        } else {
            at += 1;
            continue;
        };
        let end = at + length.unwrap_or(rest.len());
        out.push((at..end, comment));
        at = end;
    }
    out
}

/// The length of the string that begins here: up to its closing quote, or to the end of its line.
fn string_length(rest: &[u8]) -> Option<usize> {
    let mut at = 1;
    while at < rest.len() {
        match rest[at] {
            b'"' => return Some(at + 1),
            b'\n' => return Some(at),
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
    None
}

fn find_outside_comments(text: &str, old: &str) -> Option<usize> {
    let skipped = skipped(text);
    text.match_indices(old)
        .map(|(at, _)| at)
        .find(|at| !skipped.iter().any(|(range, _)| range.contains(at)))
}

/// Applies the edits of suggestions to one file's text, in the given order. A suggestion that overlaps an earlier one,
/// touches another file, or would remove a comment is skipped. Returns the new text, and for each suggestion whether it
/// was applied. Lines left blank by a deletion are removed.
#[must_use]
pub fn apply(text: &str, file: FileId, suggestions: &[Vec<Edit>]) -> (String, Vec<bool>) {
    let comments: Vec<Range<usize>> = skipped(text)
        .into_iter()
        .filter_map(|(range, comment)| comment.then_some(range))
        .collect();
    let loses_comment = |range: &Range<usize>| {
        let first = comments.partition_point(|c| c.start < range.start);
        comments.get(first).is_some_and(|c| c.end <= range.end)
    };
    // By place. No two overlap, so their ends are in order, too.
    let mut taken: BTreeMap<(usize, usize), &str> = BTreeMap::new();
    let mut applied = Vec::with_capacity(suggestions.len());
    for edits in suggestions {
        let fits = !edits.is_empty()
            && edits.iter().all(|e| {
                let range = e.span.range();
                e.span.file == file
                    && text.get(range.clone()).is_some()
                    && !loses_comment(&range)
                    && !taken
                        .range(..=(range.end, usize::MAX))
                        .rev()
                        .take_while(|((_, end), _)| *end >= range.start)
                        .any(|((start, end), _)| overlap(&(*start..*end), &range))
            });
        applied.push(fits);
        if fits {
            let places = edits.iter().map(|e| (e.span.range(), &*e.text));
            taken.extend(places.map(|(range, new)| ((range.start, range.end), new)));
        }
    }
    let mut out = String::with_capacity(text.len());
    let mut from = 0;
    for ((start, end), new) in taken {
        let range = start..end;
        out.push_str(&text[from..range.start]);
        out.push_str(new);
        from = range.end;
        let line_start = out.rfind('\n').map_or(0, |i| i + 1);
        let rest = &text[from..];
        let line_end = rest.find('\n').map_or(rest.len(), |i| i + 1);
        let blank = out[line_start..].trim().is_empty() && rest[..line_end].trim().is_empty();
        if new.is_empty() && !range.is_empty() && blank {
            out.truncate(line_start);
            from += line_end;
        }
    }
    out.push_str(text.get(from..).unwrap_or(""));
    (out, applied)
}

/// Whether two edits cannot both be made: they share a byte, or write at the same place.
fn overlap(a: &Range<usize>, b: &Range<usize>) -> bool {
    if a.is_empty() && b.is_empty() {
        return a.start == b.start;
    }
    a.start < b.end && b.start < a.end
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sources(text: &str) -> (Sources, FileId) {
        let mut sources = Sources::default();
        let id = sources.add("game.rules", text);
        (sources, id)
    }

    #[test]
    fn an_edit_finds_its_sign_outside_of_comments_and_strings() {
        let text = "a // ==\n \"==\" == b";
        let (sources, id) = sources(text);
        let suggestion = Suggestion::between(
            Span::new(id, 0, 1),
            Span::new(id, text.len() - 1, text.len()),
            "==",
            "=",
            "write `=`",
        );
        let edits = suggestion.resolved(&sources).expect("it is there");
        let (new, applied) = apply(text, id, &[edits]);
        assert_eq!(
            (new.as_str(), applied),
            ("a // ==\n \"==\" = b", vec![true])
        );
        let gone = Suggestion::between(
            Span::new(id, 0, 1),
            Span::new(id, 8, 9),
            "==",
            "=",
            "write `=`",
        );
        assert_eq!(gone.resolved(&sources), None);
    }

    #[test]
    fn edits_do_not_overlap_and_comments_stay() {
        let text = "one two // three\nfour\n  five\nsix";
        let (_, id) = sources(text);
        let edit = |from: usize, to: usize, text: &str| {
            vec![Edit {
                span: Span::new(id, from, to),
                old: None,
                text: text.into(),
            }]
        };
        let all = [
            edit(0, 3, "1"),
            edit(2, 5, "no"),
            edit(3, 3, "!"),
            edit(3, 3, "?"),
            edit(4, 21, "no comment"),
            edit(24, 28, ""),
            edit(90, 91, "outside"),
        ];
        let (new, applied) = apply(text, id, &all);
        assert_eq!(new, "1! two // three\nfour\nsix");
        assert_eq!(applied, [true, false, true, false, false, true, false]);
    }
}
