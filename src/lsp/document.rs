//! An open text and its analysis: messages, names, and queries with the text on which their answers depend. It is analysed
//! once for each version.

use super::convert;
use crate::base::utf16::{Utf16, byte_of_place};
use crate::base::{FileId, Sources, Span};
use crate::game::Cancel;
use crate::index::Index;
use crate::model::typed::Query;
use crate::session::assist::At;
use crate::session::changes::dependencies;
use crate::session::{Disk, Item, Loaded, Session, Settings, Unsaved};
use lsp_types::{Position, Range, Uri};
use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};
use std::time::Instant;

/// The open texts, by file name.
pub type Texts = Arc<BTreeMap<String, Arc<str>>>;

/// An open text.
#[derive(Debug)]
pub struct Document {
    /// Its URI, as the client writes it.
    pub uri: Uri,
    /// The name of its file.
    pub path: String,
    /// The client's version number of this text.
    pub version: i32,
    /// The text.
    pub text: Arc<str>,
    /// The analysis, once it has been needed.
    pub known: Option<Arc<Analysis>>,
    /// The answers, by the text on which they depend.
    pub answers: BTreeMap<String, Vec<Item>>,
    /// Since when the client has been waiting for its messages.
    pub unpublished: Option<Instant>,
    /// When it is to be evaluated.
    pub due: Option<Instant>,
}

/// The analysis of a text.
#[derive(Debug)]
pub struct Analysis {
    /// The text and all files it uses.
    pub sources: Sources,
    /// The checked files.
    pub loaded: Loaded,
    /// The index of names.
    pub index: Index,
    /// The number of the file, unless it could not be read.
    pub main: Option<FileId>,
    /// Whether the text has a byte order mark, which the client counts and the language does not.
    mark: bool,
    keys: OnceLock<Vec<String>>,
}

impl Analysis {
    /// Analyses a file, with open texts in place of their files.
    pub fn of(path: &str, texts: &Texts, settings: Settings) -> Analysis {
        let open = texts.iter().map(|(name, text)| (&**name, text.as_bytes()));
        let world = Unsaved::all(&Disk, open);
        let mut session = Session::new(&world, settings);
        let (loaded, index) = session.load_indexed(path);
        let text = texts.get(path);
        Analysis {
            sources: session.sources().clone(),
            main: loaded.main,
            loaded,
            index,
            mark: text.is_some_and(|t| t.starts_with('\u{feff}')),
            keys: OnceLock::new(),
        }
    }

    /// The text as the language reads it.
    pub fn text(&self) -> &str {
        let source = self.main.and_then(|id| self.sources.get(id));
        source.map_or("", |s| &s.text)
    }

    /// Converts a position of the client to a place.
    pub fn at(&self, place: Position) -> Option<At<'_>> {
        let mark = u32::from(self.mark && place.line == 0);
        let column = place.character.saturating_sub(mark);
        Some(At {
            index: &self.index,
            sources: &self.sources,
            file: self.main?,
            byte: byte_of_place(self.text(), place.line as usize, column as usize),
        })
    }

    /// Converts places in the text to positions; the places must come in order.
    pub fn places(&self) -> Places<'_> {
        Places {
            utf16: Utf16::new(self.text()),
            mark: self.mark,
        }
    }

    /// Whether the analysis has read the file `path`.
    pub fn reads(&self, path: &str) -> bool {
        self.sources.iter().any(|(_, s)| &*s.name == path)
    }

    /// For each query, the text on which its answer depends.
    fn keys(&self) -> &[String] {
        self.keys
            .get_or_init(|| dependencies(&self.sources, &self.loaded))
    }

    /// The queries of the text itself, each with the text on which its answer depends.
    pub fn queries(&self) -> impl Iterator<Item = (&Query, &str)> {
        let all = self.loaded.queries.iter();
        all.zip(self.keys().iter().map(String::as_str))
            .filter(|(q, _)| Some(q.span.file) == self.main)
    }
}

/// Converts byte offsets in a text to positions of the client.
pub struct Places<'t> {
    utf16: Utf16<'t>,
    mark: bool,
}

impl Places<'_> {
    /// The position of a byte.
    pub fn position(&mut self, byte: usize) -> Position {
        let (line, column) = self.utf16.place(byte);
        let mark = usize::from(self.mark && line == 0);
        convert::position(line, column + mark)
    }

    /// The range of a span.
    pub fn range(&mut self, span: Span) -> Range {
        self.bytes(span.range())
    }

    /// The range of a byte range.
    pub fn bytes(&mut self, range: std::ops::Range<usize>) -> Range {
        let start = self.position(range.start);
        let end = self.position(range.end.max(range.start));
        Range { start, end }
    }
}

impl Document {
    /// The analysis, computed if necessary.
    pub fn analysis(&mut self, texts: &Texts, settings: Settings) -> Arc<Analysis> {
        let path = &self.path;
        self.known
            .get_or_insert_with(|| Arc::new(Analysis::of(path, texts, settings)))
            .clone()
    }

    /// Replaces the text.
    pub fn change(&mut self, version: i32, text: Arc<str>, now: Instant) {
        self.version = version;
        self.text = text;
        self.known = None;
        self.unpublished.get_or_insert(now);
    }
}

/// A token that is cancelled when it is dropped.
#[derive(Debug)]
pub struct Running {
    /// The token.
    pub cancel: Cancel,
    /// When it is to be cancelled.
    pub until: Instant,
}

impl Drop for Running {
    fn drop(&mut self) {
        self.cancel.cancel();
    }
}
