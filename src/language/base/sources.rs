//! Stores the source texts of a session, each under the name to show for it; hands out a number for each text, and
//! slices.

use super::visible::INK;
use super::{FileId, Span};
use std::sync::{Arc, OnceLock};

/// One source text.
#[derive(Clone, Debug)]
pub struct Source {
    /// What messages call it: a path as the user gave it, `<command line>`, ...
    pub name: Arc<str>,
    /// The text, valid UTF-8, without byte order mark.
    pub text: Arc<str>,
    /// Where its lines begin; computed on first use.
    lines: OnceLock<Arc<[u32]>>,
}

impl Source {
    /// The line of a byte, counted from 0, and the byte at which the line begins.
    #[must_use]
    pub fn line(&self, at: usize) -> (usize, usize) {
        let starts = self.lines.get_or_init(|| {
            let breaks = self.text.bytes().enumerate().filter(|(_, b)| *b == b'\n');
            std::iter::once(0)
                .chain(breaks.filter_map(|(i, _)| u32::try_from(i + 1).ok()))
                .collect()
        });
        let line = starts.partition_point(|start| *start as usize <= at).max(1) - 1;
        (line, starts.get(line).map_or(0, |start| *start as usize))
    }
}

/// All source texts of a session.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    files: Vec<Source>,
}

impl Sources {
    /// Adds a text; equal names are different files. A byte order mark is dropped. [`INK`], which opens colours inside
    /// this program, is replaced by U+FFFD, which has the same length.
    pub fn add(&mut self, name: &str, text: &str) -> FileId {
        let id = FileId(u32::try_from(self.files.len()).unwrap_or(u32::MAX));
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let clean = |text: &str| match text.contains(INK) {
            true => text.replace(INK, "\u{fffd}").into(),
            false => text.into(),
        };
        self.files.push(Source {
            name: clean(name),
            text: clean(text),
            lines: OnceLock::new(),
        });
        id
    }

    /// The file of that number.
    #[must_use]
    pub fn get(&self, id: FileId) -> Option<&Source> {
        self.files.get(id.0 as usize)
    }

    /// The text at a place; empty if the place does not exist.
    #[must_use]
    pub fn slice(&self, span: Span) -> &str {
        self.get(span.file)
            .and_then(|f| f.text.get(span.range()))
            .unwrap_or("")
    }

    /// All files in the order in which they were added.
    pub fn iter(&self) -> impl Iterator<Item = (FileId, &Source)> {
        (0u32..).map(FileId).zip(&self.files)
    }
}
