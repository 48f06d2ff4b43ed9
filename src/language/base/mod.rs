//! What every layer of the language leg uses: places in source texts ([`Span`], [`FileId`], [`Sources`]) and names as
//! written ([`Ident`]).

mod sources;
mod stack;
pub mod utf16;
pub mod visible;

pub use sources::{Source, Sources};
pub use stack::with_room;

use std::sync::Arc;

/// A source file, by its number in [`Sources`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct FileId(pub u32);

/// A range of a source text, in bytes: `start` included, `end` excluded. Always on character boundaries.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Span {
    /// The file.
    pub file: FileId,
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// The range `start..end` of `file`.
    #[must_use]
    pub fn new(file: FileId, start: usize, end: usize) -> Span {
        let clamp = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        Span {
            file,
            start: clamp(start),
            end: clamp(end),
        }
    }

    /// The smallest range that contains both. Both must be of one file.
    #[must_use]
    pub fn to(self, other: Span) -> Span {
        Span {
            file: self.file,
            start: self.start.min(other.start),
            end: self.end.max(other.end),
        }
    }

    /// As a range of byte indices.
    #[must_use]
    pub fn range(self) -> std::ops::Range<usize> {
        self.start as usize..self.end as usize
    }
}

impl std::fmt::Debug for Span {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}..{}", self.file.0, self.start, self.end)
    }
}

/// A name as written, with its place. Equality looks at the text only.
#[derive(Clone, Debug)]
pub struct Ident {
    /// The text.
    pub text: Arc<str>,
    /// Where it stands.
    pub span: Span,
}

impl Ident {
    /// A name at a place.
    #[must_use]
    pub fn new(text: &str, span: Span) -> Ident {
        Ident {
            text: text.into(),
            span,
        }
    }
}

impl PartialEq for Ident {
    fn eq(&self, other: &Ident) -> bool {
        self.text == other.text
    }
}

impl Eq for Ident {}
