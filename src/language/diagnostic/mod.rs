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

impl Diagnostic {
    fn new(severity: Severity, code: Code, message: impl Into<String>) -> Diagnostic {
        Diagnostic {
            code,
            severity,
            message: message.into(),
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
            text: text.as_ref().into(),
        });
        self
    }

    /// Adds a reason. Line breaks are kept (a drawn position).
    #[must_use]
    pub fn note(mut self, text: impl Into<String>) -> Diagnostic {
        self.notes.push(text.into());
        self
    }

    /// Adds what to do instead.
    #[must_use]
    pub fn help(mut self, text: impl Into<String>) -> Diagnostic {
        self.help.push(text.into());
        self
    }

    /// Adds what to do instead, if there is something to say.
    #[must_use]
    pub fn help_if(mut self, text: Option<String>) -> Diagnostic {
        self.help.extend(text);
        self
    }

    /// Adds what to write instead.
    #[must_use]
    pub fn suggest(mut self, suggestion: Suggestion) -> Diagnostic {
        self.suggestions.push(suggestion);
        self
    }

    /// Adds what to write instead, if it is known.
    #[must_use]
    pub fn suggest_if(mut self, suggestion: Option<Suggestion>) -> Diagnostic {
        self.suggestions.extend(suggestion);
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
