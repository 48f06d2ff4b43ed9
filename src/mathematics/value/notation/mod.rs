//! Values as text: printing as ASCII, Unicode or LaTeX, and reading of any of these spellings.
//!
//! What [`print()`] writes reads back as the same game in every style, up to the limits of [`read`]. The names are those of
//! *Winning Ways* and Siegel's *Combinatorial Game Theory*; the ASCII spellings are those of CGSuite and similar software:
//!
//! | game | ASCII | Unicode | LaTeX |
//! |---|---|---|---|
//! | 1/2 + 3·↑ + ∗2 | `1/2^3*2` | `1/2+3·↑+∗2` | `\frac12+3\cdot\uparrow+\ast 2` |
//! | ↓∗ | `v*` | `↓∗` | `\downarrow\ast` |
//! | up-second, `{0\|v*}` | `^<2>` | `↑²` | `\uparrow^{2}` |
//! | up to the second, `{^\|*}` | `^[2]` | `↑^[2]` | `\uparrow^{[2]}` |
//! | tiny-two | `Tiny(2)` | `⧾_2` | `+_{2}` |
//! | switches | `+-1`, `+-{2\|1}`, `+-{a,b}` | `±1` | `\pm 1` |
//! | `{1 \| {0\|-2}}` | `{1\|\|0\|-2}` | `{1‖0\|-2}` | `\{1\,\|\,0\mid -2\}` |

mod atoms;
mod lex;
mod methods;
mod name;
mod print;
mod read;

use std::fmt;
use std::ops::Range;

pub use print::{MAX_PRINTED, print};
pub use read::{MAX_DEPTH, MAX_TEXT, read, read_form};

/// The spelling that [`print()`] writes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Style {
    /// Plain ASCII, as CGSuite and similar software read it.
    #[default]
    Ascii,
    /// Arrows, stars and bars as in print.
    Unicode,
    /// Plain LaTeX, for math mode, without any package.
    Latex,
}

impl Style {
    /// All styles, for tests and help texts.
    pub const ALL: [Style; 3] = [Style::Ascii, Style::Unicode, Style::Latex];

    /// The style with this name: `ascii`, `unicode` or `latex`.
    pub fn from_name(name: &str) -> Option<Style> {
        Style::ALL.into_iter().find(|s| s.name() == name)
    }

    /// The name of the style.
    pub fn name(self) -> &'static str {
        match self {
            Style::Ascii => "ascii",
            Style::Unicode => "unicode",
            Style::Latex => "latex",
        }
    }
}

/// Why a text is not a value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReadError {
    /// The bytes of the text that are at fault.
    pub span: Range<usize>,
    /// What is wrong, without a full stop.
    pub message: String,
    /// What to write instead.
    pub help: Option<String>,
    /// Whether the text may be a value, but the arena had no room or no time for it.
    pub limit: bool,
}

impl ReadError {
    fn new(span: Range<usize>, message: impl Into<String>) -> ReadError {
        ReadError {
            span,
            message: message.into(),
            help: None,
            limit: false,
        }
    }

    fn help(mut self, help: impl Into<String>) -> ReadError {
        self.help = Some(help.into());
        self
    }
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.message)?;
        if let Some(help) = &self.help {
            write!(f, "; {help}")?;
        }
        Ok(())
    }
}

impl std::error::Error for ReadError {}
