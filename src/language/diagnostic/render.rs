//! Renders a [`Diagnostic`], given the [`Sources`], as a picture of the place (drawn by ariadne), a single line, or plain
//! data for JSON. Spans may lie anywhere, even outside the text: they are first clamped to character boundaries.

use super::{Code, Diagnostic, Edit, Severity};
use crate::base::visible::{is_hidden, visible};
use crate::base::{FileId, Source, Sources, Span};
use ariadne::{CharSet, Color, Config, IndexType, Report, ReportKind};
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::ops::Range;

/// How to draw.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Style {
    /// With terminal colours.
    pub color: bool,
    /// With box-drawing characters; else in ASCII.
    pub unicode: bool,
    /// Columns of the terminal; 0 if lines may have any length.
    pub width: usize,
}

/// Longer lines are clipped around the label, with a quarter of this width before it.
const WIDEST_LINE: usize = 240;
/// What ariadne prints before a line, including the line number.
const MARGIN: usize = 12;

/// Colours that ariadne fixes, and their replacements: only six of the 256 have a contrast of 4.5 to 1 with both black
/// and white. The text of the file gets the default colour.
const READABLE: [(&str, &str); 4] = [
    ("\x1b[38;5;249m", "\x1b[39m"),
    ("\x1b[38;5;246m", "\x1b[38;5;243m"),
    ("\x1b[38;5;240m", "\x1b[38;5;243m"),
    ("\x1b[38;5;115m", "\x1b[38;5;29m"),
];

/// Draws the message with the source lines it refers to. Ends with a newline.
#[must_use]
pub fn render(diagnostic: &Diagnostic, sources: &Sources, style: Style) -> String {
    let mut views: BTreeMap<FileId, View> = BTreeMap::new();
    for label in &diagnostic.labels {
        let Some(source) = sources.get(label.span.file) else {
            continue;
        };
        let view = views.entry(label.span.file).or_insert_with(|| View {
            name: visible(&source.name).into_owned(),
            text: String::new(),
            cuts: Vec::new(),
            lines: Range {
                start: usize::MAX,
                end: 0,
            },
            escapes: Vec::new(),
        });
        let widest = match style.width {
            0 => WIDEST_LINE,
            width => width.saturating_sub(MARGIN).clamp(20, WIDEST_LINE),
        };
        view.note(&source.text, label.span, widest);
    }
    for (id, view) in &mut views {
        if let Some(source) = sources.get(*id) {
            view.finish(source);
        }
    }
    let primary = diagnostic
        .labels
        .iter()
        .find(|l| views.contains_key(&l.span.file));
    let Some(primary) = primary else {
        return without_place(diagnostic);
    };
    // Custom kinds are coloured even where no colours are wanted.
    let (kind, color) = match diagnostic.severity {
        Severity::Error if !style.color => (ReportKind::Error, Color::Primary),
        Severity::Warning if !style.color => (ReportKind::Warning, Color::Primary),
        Severity::Note if !style.color => (ReportKind::Advice, Color::Primary),
        Severity::Error => (
            ReportKind::Custom("Error", Color::Fixed(131)),
            Color::Fixed(131),
        ),
        Severity::Warning => (
            ReportKind::Custom("Warning", Color::Fixed(98)),
            Color::Fixed(98),
        ),
        Severity::Note => (
            ReportKind::Custom("Advice", Color::Fixed(29)),
            Color::Fixed(29),
        ),
    };
    let config = Config::new()
        .with_color(style.color)
        .with_index_type(IndexType::Byte)
        .with_char_set(if style.unicode {
            CharSet::Unicode
        } else {
            CharSet::Ascii
        });
    let place = |span: Span| -> (FileId, Range<usize>) {
        let range = views.get(&span.file).map_or(0..0, |v| v.place(span));
        (span.file, range)
    };
    let mut report = Report::build(kind, place(primary.span))
        .with_config(config)
        .with_code(diagnostic.code)
        .with_message(visible(&diagnostic.message));
    for note in &diagnostic.notes {
        report = report.with_note(visible(note));
    }
    for help in diagnostic.advice() {
        report = report.with_help(visible(help));
    }
    for (i, label) in diagnostic.labels.iter().enumerate() {
        if !views.contains_key(&label.span.file) {
            continue;
        }
        let drawn = ariadne::Label::new(place(label.span))
            .with_order(i32::try_from(i).unwrap_or(i32::MAX))
            .with_color(if i == 0 { color } else { Color::Fixed(63) });
        // Ariadne draws nothing for a label without a text.
        let text = if label.text.is_empty() {
            "here".into()
        } else {
            visible(&label.text)
        };
        report = report.with_label(drawn.with_message(text));
    }
    let mut cache = Cache {
        sources: views
            .iter()
            .map(|(id, v)| (*id, (v.name.clone(), ariadne::Source::from(v.text.clone()))))
            .collect(),
    };
    let mut out = Vec::new();
    if report.finish().write(&mut cache, &mut out).is_err() {
        return without_place(diagnostic);
    }
    // The heads of the files, in which columns count from where a long line is cut: what is written there, and what is true.
    let mut heads: Vec<(String, String)> = Vec::new();
    for (id, view) in &views {
        let of_file = |l: &&super::Label| l.span.file == *id;
        let head = [primary]
            .into_iter()
            .chain(&diagnostic.labels)
            .find(of_file);
        if let Some(place) = head.and_then(|l| plain_place(l.span, sources)) {
            let at = format!(" {}:{}:", view.name, place.line);
            let whole = format!("{at}{} ", place.column);
            heads.push((at, whole));
        }
    }
    // Trailing blanks are removed, for snapshots and editors.
    let mut text = String::new();
    for line in String::from_utf8_lossy(&out).lines() {
        let bare = without_colors(line);
        let is_head = |(at, _): &(String, String)| {
            bare.contains(&format!("-[{at}")) || bare.contains(&format!("─[{at}"))
        };
        let head = heads.iter().position(is_head);
        match head.map(|i| heads.remove(i)) {
            Some((at, whole)) => {
                let (before, after) = line.split_once(&at).unwrap_or((line, ""));
                let after = after.trim_start_matches(|c: char| c.is_ascii_digit());
                text.push_str(before);
                text.push_str(&whole);
                text.push_str(after.trim());
            }
            None => text.push_str(line.trim_end()),
        }
        text.push('\n');
    }
    for (found, readable) in READABLE {
        text = text.replace(found, readable);
    }
    text
}

/// A line without the escape sequences of colours.
fn without_colors(line: &str) -> String {
    let mut parts = line.split('\x1b');
    let first = parts.next().unwrap_or("").to_owned();
    parts.fold(first, |all, part| {
        all + part.split_once('m').map_or("", |(_, text)| text)
    })
}

/// `file:3:7: error[E0203]: message`.
#[must_use]
pub fn one_line(diagnostic: &Diagnostic, sources: &Sources) -> String {
    let mut out = String::new();
    if let Some(place) = diagnostic.span().and_then(|s| plain_place(s, sources)) {
        let _ = write!(out, "{}:{}:{}: ", place.file, place.line, place.column);
    }
    let _ = write!(
        out,
        "{}[{}]: {}",
        severity_word(diagnostic.severity),
        diagnostic.code,
        diagnostic.message
    );
    for help in diagnostic.advice() {
        let _ = write!(out, " ({help})");
    }
    visible(&out).into_owned()
}

fn severity_word(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "note",
    }
}

fn without_place(diagnostic: &Diagnostic) -> String {
    let mut out = format!(
        "{}[{}]: {}\n",
        severity_word(diagnostic.severity),
        diagnostic.code,
        diagnostic.message
    );
    let notes = diagnostic.notes.iter().map(|n| ("note", n.as_str()));
    for (word, text) in notes.chain(diagnostic.advice().map(|h| ("help", h))) {
        let _ = writeln!(out, "  {word}: {}", text.replace('\n', "\n        "));
    }
    visible(&out).into_owned()
}

/// A diagnostic as plain data, for JSON.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Plain {
    /// `E0203`
    pub code: Code,
    /// `error`, `warning`, `note`
    pub severity: Severity,
    /// One sentence.
    pub message: String,
    /// The places; the first is where the fault is.
    pub labels: Vec<PlainLabel>,
    /// Reasons.
    pub notes: Vec<String>,
    /// What to do instead, in words; includes the messages of the suggestions.
    pub help: Vec<String>,
    /// What to write instead, as edits.
    pub suggestions: Vec<PlainSuggestion>,
}

/// A suggestion as plain data.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct PlainSuggestion {
    /// What is done.
    pub message: String,
    /// Whether there is only one reading, so that it can be applied without asking.
    pub safe: bool,
    /// The edits, in the order of the text; they do not overlap.
    pub edits: Vec<PlainEdit>,
}

/// An edit as plain data.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct PlainEdit {
    /// What is replaced; empty where something is inserted.
    #[serde(flatten)]
    pub place: PlainPlace,
    /// What is written there.
    pub text: String,
}

/// A label as plain data.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct PlainLabel {
    /// Where.
    #[serde(flatten)]
    pub place: PlainPlace,
    /// What the message says about it.
    pub text: String,
}

/// A place as plain data. Lines and columns count from 1; the end is exclusive. Columns are counted in characters, in
/// UTF-8 bytes and in UTF-16 units (for editors).
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct PlainPlace {
    /// The name of the file.
    pub file: String,
    /// First byte.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
    /// Line of the first byte.
    pub line: usize,
    /// Column of the first byte, in characters.
    pub column: usize,
    /// The same in bytes.
    pub byte_column: usize,
    /// The same in units of UTF-16.
    pub utf16_column: usize,
    /// Line of the end.
    pub end_line: usize,
    /// Column of the end, in characters.
    pub end_column: usize,
    /// The same in bytes.
    pub end_byte_column: usize,
    /// The same in units of UTF-16.
    pub end_utf16_column: usize,
}

/// The diagnostic as plain data.
#[must_use]
pub fn plain(diagnostic: &Diagnostic, sources: &Sources) -> Plain {
    Plain {
        code: diagnostic.code,
        severity: diagnostic.severity,
        message: diagnostic.message.clone(),
        labels: diagnostic
            .labels
            .iter()
            .filter_map(|l| {
                Some(PlainLabel {
                    place: plain_place(l.span, sources)?,
                    text: l.text.to_string(),
                })
            })
            .collect(),
        notes: diagnostic.notes.clone(),
        help: diagnostic.advice().map(str::to_owned).collect(),
        suggestions: diagnostic
            .suggestions
            .iter()
            .filter_map(|s| {
                Some(PlainSuggestion {
                    message: s.message.clone(),
                    safe: s.safe,
                    edits: plain_edits(&s.resolved(sources)?, sources),
                })
            })
            .collect(),
    }
}

/// Edits at exact places as plain data.
#[must_use]
pub fn plain_edits(edits: &[Edit], sources: &Sources) -> Vec<PlainEdit> {
    edits
        .iter()
        .filter_map(|e| {
            Some(PlainEdit {
                place: plain_place(e.span, sources)?,
                text: e.text.clone(),
            })
        })
        .collect()
}

fn plain_place(span: Span, sources: &Sources) -> Option<PlainPlace> {
    let source = sources.get(span.file)?;
    let range = clamp(&source.text, span);
    let first = Column::of(source, range.start);
    let end = Column::of(source, range.end);
    Some(PlainPlace {
        file: source.name.to_string(),
        start: range.start,
        end: range.end,
        line: first.line,
        column: first.characters,
        byte_column: first.bytes,
        utf16_column: first.utf16,
        end_line: end.line,
        end_column: end.characters,
        end_byte_column: end.bytes,
        end_utf16_column: end.utf16,
    })
}

/// A place by line and column, each from 1.
struct Column {
    line: usize,
    characters: usize,
    bytes: usize,
    utf16: usize,
}

impl Column {
    fn of(source: &Source, at: usize) -> Column {
        let (line, start) = source.line(at);
        let before = &source.text[start..at];
        Column {
            line: line + 1,
            characters: before.chars().count() + 1,
            bytes: before.len() + 1,
            utf16: before.encode_utf16().count() + 1,
        }
    }
}

/// The range of a span, clamped to the text and to character boundaries.
fn clamp(text: &str, span: Span) -> Range<usize> {
    let down = |at: u32| {
        let mut at = (at as usize).min(text.len());
        while !text.is_char_boundary(at) {
            at -= 1;
        }
        at
    };
    let start = down(span.start);
    start..down(span.end).max(start)
}

/// A file as shown: hidden characters written out, long lines clipped.
struct View {
    name: String,
    text: String,
    /// The parts left out, in bytes of the original: `start..end`, ascending once finished.
    cuts: Vec<Range<usize>>,
    /// From the first labelled line to the end of the last one. Of the text before it only the line breaks are kept, for
    /// the line numbers; the text after it is dropped.
    lines: Range<usize>,
    /// Where hidden characters were in the remaining text, and by how many bytes their written form is longer.
    escapes: Vec<(usize, usize)>,
}

impl View {
    /// Clips the line on which the span starts, if it is long.
    fn note(&mut self, text: &str, span: Span, widest: usize) {
        let range = clamp(text, span);
        let line_start = text[..range.start].rfind('\n').map_or(0, |i| i + 1);
        let line_end = text[range.start..]
            .find('\n')
            .map_or(text.len(), |i| range.start + i);
        let last = text[range.end..]
            .find('\n')
            .map_or(text.len(), |i| range.end + i);
        self.lines = self.lines.start.min(line_start)..self.lines.end.max(last);
        if line_end - line_start <= widest {
            return;
        }
        let floor = |mut at: usize| {
            while !text.is_char_boundary(at) {
                at -= 1;
            }
            at
        };
        let first = floor(range.start.saturating_sub(widest / 4).max(line_start));
        let last = floor((first + widest / 2).min(line_end));
        // If several labels are on one long line, the first decides which part is shown.
        if !self
            .cuts
            .iter()
            .any(|c| (line_start..=line_end).contains(&c.start))
        {
            self.cuts.push(line_start..first);
            self.cuts.push(last..line_end);
        }
    }

    fn finish(&mut self, source: &Source) {
        let text = &*source.text;
        self.lines.start = self.lines.start.min(text.len());
        let before = source.line(self.lines.start).0;
        let mut out = "\n".repeat(before);
        let mut from = self.lines.start;
        self.cuts.push(self.lines.end.max(from)..text.len());
        self.cuts.retain(|c| !c.is_empty());
        self.cuts.sort_by_key(|c| c.start);
        for cut in &self.cuts {
            out.push_str(&text[from..cut.start]);
            from = cut.end;
        }
        out.push_str(&text[from..]);
        if before < self.lines.start {
            self.cuts.insert(0, before..self.lines.start);
        }
        self.text = String::with_capacity(out.len());
        let mut chars = out.char_indices().peekable();
        while let Some((at, c)) = chars.next() {
            let ends_line = c == '\r' && chars.peek().is_none_or(|(_, next)| *next == '\n');
            if ends_line || !is_hidden(c) {
                self.text.push(c);
                continue;
            }
            let escape = c.escape_unicode();
            self.escapes.push((at, escape.len() - c.len_utf8()));
            self.text.extend(escape);
        }
    }

    fn place(&self, span: Span) -> Range<usize> {
        let shift = |mut at: usize| {
            let mut lost = 0;
            for cut in &self.cuts {
                if at >= cut.end {
                    lost += cut.len();
                } else if at > cut.start {
                    at = cut.start;
                    break;
                } else {
                    break;
                }
            }
            let at = at - lost;
            let before = self.escapes.iter().take_while(|e| e.0 < at);
            at + before.map(|e| e.1).sum::<usize>()
        };
        let start = shift(span.start as usize);
        let end = shift(span.end.max(span.start) as usize);
        clamp(&self.text, Span::new(span.file, start, end.max(start)))
    }
}

struct Cache {
    sources: BTreeMap<FileId, (String, ariadne::Source<String>)>,
}

impl ariadne::Cache<FileId> for Cache {
    type Storage = String;

    fn fetch(&mut self, id: &FileId) -> Result<&ariadne::Source<String>, impl std::fmt::Debug> {
        self.sources.get(id).map(|s| &s.1).ok_or("no such file")
    }

    fn display<'a>(&self, id: &'a FileId) -> Option<impl std::fmt::Display + 'a> {
        self.sources.get(id).map(|s| s.0.clone())
    }
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
    fn columns_count_from_the_start_of_long_lines() {
        let text = format!("ruleset Nim\n{}bord heaps\n", "é ".repeat(300));
        let (sources, id) = sources(&text);
        let start = text.find("bord").expect("the word");
        let span = Span::new(id, start, start + 4);
        let d = Diagnostic::error(Code::E0109, "unknown clause").at(span, "here");
        for (width, color) in [(0, false), (40, false), (80, true)] {
            let style = Style {
                width,
                color,
                ..Style::default()
            };
            let picture = render(&d, &sources, style);
            assert!(picture.contains(" game.rules:2:601 "), "{picture}");
        }
    }

    #[test]
    fn a_picture_a_line_and_data() {
        let (sources, id) = sources("ruleset Nim\n  bord heaps\n");
        let d = Diagnostic::error(Code::E0109, "unknown clause `bord`")
            .at(Span::new(id, 14, 18), "not a clause")
            .at(Span::new(id, 8, 11), "in this ruleset")
            .help("did you mean `board`?");
        let picture = render(&d, &sources, Style::default());
        assert!(picture.contains("game.rules:2:3"), "{picture}");
        assert!(picture.contains("not a clause"), "{picture}");
        assert!(picture.is_ascii(), "{picture}");
        assert_eq!(
            one_line(&d, &sources),
            "game.rules:2:3: error[E0109]: unknown clause `bord` (did you mean `board`?)"
        );
        let data = serde_json::to_value(plain(&d, &sources)).expect("plain data");
        assert_eq!(data["labels"][0]["line"], 2);
        assert_eq!(data["labels"][0]["column"], 3);
        assert_eq!(data["severity"], "error");
    }

    #[test]
    fn hidden_characters_are_written_out_and_places_stay_right() {
        let text = "assert \"a\u{1b}[2J\u{202e}\" = bad\u{9b}x";
        let (sources, id) = sources(text);
        let at = text.find("bad").expect("it is there");
        let d = Diagnostic::error(Code::E0201, "unknown \u{1b}[31m`bad`")
            .at(Span::new(id, at, at + 3), "this \u{7}")
            .note("note \u{202e}");
        let picture = render(&d, &sources, Style::default());
        assert!(!picture.contains(is_hidden), "{picture:?}");
        let lines: Vec<&str> = picture.lines().collect();
        let shown = lines.iter().position(|l| l.contains("\\u{1b}[2J\\u{202e}"));
        let shown = shown.expect("the line is shown");
        let (column, below) = (lines[shown].find("bad"), lines[shown + 1].find('^'));
        assert!(column.is_some(), "{picture}");
        assert_eq!(column, below, "{picture}");
    }

    #[test]
    fn columns_in_characters_bytes_and_utf16() {
        // é has two bytes, ★ three, 𝄞 four and two units of UTF-16.
        let (sources, id) = sources("é★𝄞 x");
        let d = Diagnostic::error(Code::E0101, "x").at(Span::new(id, 10, 11), "");
        let place = &plain(&d, &sources).labels[0].place;
        assert_eq!(
            (place.column, place.byte_column, place.utf16_column),
            (5, 11, 6)
        );
        assert_eq!(
            (
                place.end_column,
                place.end_byte_column,
                place.end_utf16_column
            ),
            (6, 12, 7)
        );
    }

    #[test]
    fn any_span_can_be_drawn() {
        for text in ["", "\n", "é★é", "a\u{1b}[31mb\tc\r\nd", &"x★".repeat(5000)] {
            let (sources, id) = sources(text);
            for start in [0, 1, 2, 3, 4, 7, 5000, u32::MAX] {
                for end in [0, 1, 2, 5, 6000, u32::MAX] {
                    for style in [
                        Style {
                            color: true,
                            unicode: true,
                            width: 40,
                        },
                        Style::default(),
                    ] {
                        let d = Diagnostic::error(Code::E0101, "here")
                            .at(
                                Span {
                                    file: id,
                                    start,
                                    end,
                                },
                                "x",
                            )
                            .at(
                                Span {
                                    file: id,
                                    start: end,
                                    end: start,
                                },
                                "",
                            )
                            .at(
                                Span {
                                    file: FileId(7),
                                    start,
                                    end,
                                },
                                "elsewhere",
                            );
                        let picture = render(&d, &sources, style);
                        assert!(picture.len() < 4000, "{picture}");
                        assert!(style.color || !picture.contains('\u{1b}'));
                        let _ = one_line(&d, &sources);
                        let _ = plain(&d, &sources);
                    }
                }
            }
        }
    }
}
