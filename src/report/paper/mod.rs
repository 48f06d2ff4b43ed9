//! Writes answers, whose values are in marks, as parts of a paper: LaTeX with booktabs and TikZ, Typst, Markdown, or CSV.
//! Only [`inline`] determines how a value is written in each format.
//!
//! Values in LaTeX are plain mathematics that needs no package: the notation of `value::notation`.

mod build;
mod csv;
mod latex;
mod markdown;
mod typst;

use super::rows::CODE;
use crate::claim::{MARKS, Picture};
use crate::value::notation::Style;

pub use build::{born, checked, items, loopy_value, moves, tables, value, why, why_short};
pub use csv::field;

/// A format for papers and other programs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    /// LaTeX: a body for `\input` that names the packages it needs.
    Latex,
    /// Typst.
    Typst,
    /// Markdown with tables.
    Markdown,
    /// Comma-separated values.
    Csv,
}

impl Format {
    /// The style in which values are printed for it.
    #[must_use]
    pub fn style(self) -> Style {
        match self {
            Format::Latex => Style::Latex,
            Format::Typst | Format::Markdown => Style::Unicode,
            Format::Csv => Style::Ascii,
        }
    }
}

/// A part of a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Part<'t> {
    /// Plain text.
    Words(&'t str),
    /// A value, in the style of the format.
    Value(&'t str),
    /// A position, or other text of the language.
    Code(&'t str),
}

/// The parts of a marked text. After a mark without its end, the rest of the text is plain.
#[must_use]
pub fn parts(text: &str) -> Vec<Part<'_>> {
    let mut all = Vec::new();
    let mut rest = text;
    while let Some(start) = rest.find([MARKS[0], CODE[0]]) {
        let value = rest[start..].starts_with(MARKS[0]);
        let (open, close) = if value {
            (MARKS[0], MARKS[1])
        } else {
            (CODE[0], CODE[1])
        };
        let after = &rest[start + open.len_utf8()..];
        let Some(end) = after.find(close) else { break };
        if start > 0 {
            all.push(Part::Words(&rest[..start]));
        }
        all.push(if value {
            Part::Value(&after[..end])
        } else {
            Part::Code(&after[..end])
        });
        rest = &after[end + close.len_utf8()..];
    }
    if !rest.is_empty() {
        all.push(Part::Words(rest));
    }
    all
}

/// A marked text without its marks.
#[must_use]
pub fn plain(text: &str) -> String {
    text.replace([MARKS[0], MARKS[1], CODE[0], CODE[1]], "")
}

/// A block of a paper.
#[derive(Clone, PartialEq, Debug)]
pub enum Block {
    /// A position or a query, above its answer.
    Head(String),
    /// What tells a table from others, above it.
    Title(String),
    /// A sentence.
    Text(String),
    /// Sentences, one below the other.
    List(Vec<String>),
    /// A position, drawn.
    Picture(Picture),
    /// Words, each with a text.
    Facts(Vec<(String, String)>),
    /// A table with a head.
    Table {
        /// The head of each column.
        head: Vec<String>,
        /// The rows.
        rows: Vec<Vec<String>>,
        /// Whether the columns hold values, to be right-aligned.
        right: bool,
        /// A description, for a comment.
        about: String,
    },
}

/// Writes blocks in a format.
#[must_use]
pub fn write(blocks: &[Block], format: Format) -> String {
    match format {
        Format::Latex => latex::write(blocks),
        Format::Typst => typst::write(blocks),
        Format::Markdown => markdown::write(blocks),
        Format::Csv => csv::write(blocks),
    }
}

/// Writes a marked text in a format, inline.
#[must_use]
pub fn inline(text: &str, format: Format) -> String {
    match format {
        Format::Latex => latex::inline(text),
        Format::Typst => typst::inline(text),
        Format::Markdown => markdown::inline(text, false),
        Format::Csv => plain(text),
    }
}

/// The non-empty lines of a text, for a cell.
fn lines(text: &str) -> Vec<&str> {
    text.lines()
        .map(str::trim)
        .filter(|l| !l.is_empty())
        .collect()
}

/// A number or a nimber as data files have it, in plain ASCII: sign, numerator, denominator (1 for an integer), or the n of
/// `*n`.
fn simple(text: &str) -> Option<Simple<'_>> {
    let digits = |t: &str| !t.is_empty() && t.bytes().all(|b| b.is_ascii_digit());
    if let Some(n) = text.strip_prefix('*') {
        return (n.is_empty() || digits(n)).then_some(Simple::Star(n));
    }
    let (minus, rest) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text),
    };
    let (above, below) = rest.split_once('/').unwrap_or((rest, "1"));
    (digits(above) && digits(below)).then_some(Simple::Number {
        minus,
        above,
        below,
    })
}

enum Simple<'t> {
    Star(&'t str),
    Number {
        minus: bool,
        above: &'t str,
        below: &'t str,
    },
}

#[cfg(test)]
mod tests {
    use super::*;

    fn marked(value: &str) -> String {
        format!("{}{value}{}", MARKS[0], MARKS[1])
    }

    #[test]
    fn texts_fall_into_parts() {
        let text = format!("a {} b {}x{}", marked("1/2"), CODE[0], CODE[1]);
        assert_eq!(
            parts(&text),
            [
                Part::Words("a "),
                Part::Value("1/2"),
                Part::Words(" b "),
                Part::Code("x")
            ]
        );
        assert_eq!(plain(&text), "a 1/2 b x");
        // A stray mark makes the text plain.
        assert_eq!(parts("a\u{E000}b"), [Part::Words("a\u{E000}b")]);
    }

    #[test]
    fn a_value_in_each_format() {
        let shown = |ascii: &str, latex: &str, unicode: &str| {
            [
                inline(&marked(latex), Format::Latex),
                inline(&marked(unicode), Format::Typst),
                inline(&marked(unicode), Format::Markdown),
                inline(&marked(ascii), Format::Csv),
            ]
        };
        assert_eq!(
            shown("{1||0|-2}", r"\{1\,\|\,0\mid -2\}", "{1‖0|-2}"),
            [
                r"$\{1\,\|\,0\mid -2\}$",
                "${1‖0|-2}$",
                r"{1‖0\|-2}",
                "{1||0|-2}"
            ]
        );
        assert_eq!(
            shown("Tiny(1/2)", r"+_{\frac12}", "⧾_1/2"),
            [r"$+_{\frac12}$", "$⧾_(1/2)$", r"⧾\_1/2", "Tiny(1/2)"]
        );
        assert_eq!(
            shown("1/2^3*2", r"\frac12+3\cdot\uparrow+\ast 2", "1/2+3·↑+∗2"),
            [
                r"$\frac12+3\cdot\uparrow+\ast 2$",
                "$1/2+3 dot ↑+∗2$",
                "1/2+3·↑+∗2",
                "1/2^3*2"
            ]
        );
        // Numbers and nimbers in ASCII, as in data files.
        assert_eq!(inline(&marked("-3/4"), Format::Latex), r"$-\frac{3}{4}$");
        assert_eq!(inline(&marked("*2"), Format::Latex), r"$\ast 2$");
        assert_eq!(inline(&marked("*"), Format::Markdown), "∗");
    }

    #[test]
    fn words_and_positions_are_escaped() {
        let text = format!("50% of {}a_1 -- b|c{} & <b>", CODE[0], CODE[1]);
        assert_eq!(
            inline(&text, Format::Latex),
            r"50\% of \texttt{a\_1 -{}- b$|$c} \& $<$b$>$"
        );
        assert_eq!(
            inline(&text, Format::Markdown),
            "50% of `a_1 -- b|c` & &lt;b&gt;"
        );
        assert_eq!(
            markdown::inline(&text, true),
            r"50% of `a_1 -- b\|c` & &lt;b&gt;"
        );
        assert_eq!(
            inline(&text, Format::Typst),
            r#"50% of #raw("a_1 -- b|c") & \<b\>"#
        );
    }
}
