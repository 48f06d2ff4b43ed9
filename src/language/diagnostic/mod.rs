//! Diagnostics and their output. A [`Diagnostic`] consists of spans and sentences; it is rendered as a picture with the
//! source text, as a single line, or as plain data for JSON. Only this module draws messages, and only it uses ariadne.
//!
//! A message names the place, the reason and the nearest correct form, as an edit where the text to write is known
//! ([`Suggestion`]); its [`Code`] leads to a page that explains it (`cgdsl explain E0203`).

mod codes;
mod near;
mod render;
mod suggestion;

pub use codes::{Code, CodeInfo};
pub use near::{did_you_mean, is_slip, meant, near};
pub use render::{
    Plain, PlainEdit, PlainLabel, PlainPlace, PlainSuggestion, Style, one_line, plain, plain_edits,
    render,
};
pub use suggestion::{Edit, Suggestion, apply};

use crate::base::Span;
use std::sync::Arc;

/// How severe a message is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// The item is broken.
    Error,
    /// A lint: the item is still evaluated, and the exit code does not change.
    Warning,
    /// For information only.
    Note,
}

/// A place and what the message says about it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Label {
    /// The place.
    pub span: Span,
    /// What stands beside it; empty to underline only.
    pub text: Arc<str>,
}

/// One message to the user.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnostic {
    /// The kind of message; leads to its page.
    pub code: Code,
    /// How severe.
    pub severity: Severity,
    /// What is wrong, in one sentence without full stop.
    pub message: String,
    /// The places: first where the fault is, then related places.
    pub labels: Vec<Label>,
    /// Reasons, perhaps of several lines (a drawn position).
    pub notes: Vec<String>,
    /// What to know or to do instead, in prose.
    pub help: Vec<String>,
    /// What to write instead, the likeliest first.
    pub suggestions: Vec<Suggestion>,
}

/// Text in backquotes, or a word of a message, with more characters than this is shortened.
const LONGEST: usize = 160;
/// How many characters of a shortened text are shown.
const SHOWN: usize = 40;

/// The text with the long parts in backquotes shortened: a name may be as long as a file.
fn shortened(text: String) -> String {
    match text.len() <= LONGEST {
        true => text,
        false => pieces(&text, '`', |i| i % 2 == 1),
    }
}

/// Joins the pieces between a sign again, the long ones among those that `may` be shortened.
fn pieces(text: &str, sign: char, may: impl Fn(usize) -> bool) -> String {
    let mut out = String::new();
    for (i, piece) in text.split_inclusive(sign).enumerate() {
        let long = may(i) && piece.chars().nth(LONGEST).is_some();
        match piece.char_indices().nth(SHOWN).filter(|_| long) {
            Some((end, _)) => {
                out.extend([&piece[..end], "…"]);
                out.extend(piece.ends_with(sign).then_some(sign));
            }
            None => out.push_str(piece),
        }
    }
    out
}

impl Diagnostic {
    fn new(severity: Severity, code: Code, message: impl Into<String>) -> Diagnostic {
        let message = shortened(message.into());
        Diagnostic {
            code,
            severity,
            message: pieces(&message, ' ', |_| true),
            labels: Vec::new(),
            notes: Vec::new(),
            help: Vec::new(),
            suggestions: Vec::new(),
        }
    }

    /// An error. Add the place with [`Diagnostic::at`].
    #[must_use]
    pub fn error(code: Code, message: impl Into<String>) -> Diagnostic {
        Diagnostic::new(Severity::Error, code, message)
    }

    /// A lint.
    #[must_use]
    pub fn warning(code: Code, message: impl Into<String>) -> Diagnostic {
        Diagnostic::new(Severity::Warning, code, message)
    }

    /// A remark.
    #[must_use]
    pub fn remark(code: Code, message: impl Into<String>) -> Diagnostic {
        Diagnostic::new(Severity::Note, code, message)
    }

    /// Adds a place with a text beside it (may be empty). The first place added is where the fault is.
    #[must_use]
    pub fn at(mut self, span: Span, text: impl AsRef<str>) -> Diagnostic {
        self.labels.push(Label {
            span,
            text: shortened(text.as_ref().into()).into(),
        });
        self
    }

    /// Adds a reason. Line breaks are kept (a drawn position).
    #[must_use]
    pub fn note(mut self, text: impl Into<String>) -> Diagnostic {
        self.notes.push(shortened(text.into()));
        self
    }

    /// Adds what to do instead.
    #[must_use]
    pub fn help(mut self, text: impl Into<String>) -> Diagnostic {
        self.help.push(shortened(text.into()));
        self
    }

    /// Adds what to do instead, if there is something to say.
    #[must_use]
    pub fn help_if(mut self, text: Option<String>) -> Diagnostic {
        self.help.extend(text.map(shortened));
        self
    }

    /// Adds what to write instead.
    #[must_use]
    pub fn suggest(self, suggestion: Suggestion) -> Diagnostic {
        self.suggest_if(Some(suggestion))
    }

    /// Adds what to write instead, if it is known.
    #[must_use]
    pub fn suggest_if(mut self, suggestion: Option<Suggestion>) -> Diagnostic {
        let short = |s: Suggestion| Suggestion {
            message: shortened(s.message),
            ..s
        };
        self.suggestions.extend(suggestion.map(short));
        self
    }

    /// All advice to the reader: the help texts, then the message of each suggestion.
    pub fn advice(&self) -> impl Iterator<Item = &str> {
        let said = self.suggestions.iter().map(|s| s.message.as_str());
        self.help.iter().map(String::as_str).chain(said)
    }

    /// Where the fault is.
    #[must_use]
    pub fn span(&self) -> Option<Span> {
        self.labels.first().map(|l| l.span)
    }

    /// Whether the message makes its item broken.
    #[must_use]
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }
}

/// Whether any of them is an error.
#[must_use]
pub fn has_errors(all: &[Diagnostic]) -> bool {
    all.iter().any(Diagnostic::is_error)
}

/// Sorts by file and place, and drops adjacent duplicates.
pub fn tidy(all: &mut Vec<Diagnostic>) {
    all.sort_by(|a, b| {
        let key = |d: &Diagnostic| d.span().map(|s| (s.file, s.start, s.end));
        (key(a), a.severity, a.code)
            .cmp(&(key(b), b.severity, b.code))
            .then_with(|| a.message.cmp(&b.message))
    });
    all.dedup();
}

#[cfg(test)]
mod tests {
    use super::{Code, Diagnostic};

    #[test]
    fn long_names_are_shortened() {
        let name = "x".repeat(1000);
        let d = Diagnostic::error(Code::E0201, format!("`{name}` is not {name} here"))
            .help(format!("write `a` or `{name}`"));
        let short = format!("{}…", "x".repeat(40));
        assert_eq!(d.message, format!("`{short}` is not {short} here"));
        assert_eq!(d.help, [format!("write `a` or `{short}`")]);
    }
}
