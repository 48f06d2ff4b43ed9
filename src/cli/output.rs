//! Writes text to standard output, standard error and files, as the options say. A pipe that is closed early is not an error:
//! the rest of the output is dropped. A terminal receives no control characters except this program's own colours; files that
//! the run reads are never overwritten; and a run with `--json` prints one document however it ends.

use super::args::{AnswerFormat, Common, When};
use super::guard::Guard;
use super::run::Nothing;
use crate::base::Sources;
use crate::base::visible::{INK, ink, painted, visible};
use crate::diagnostic::{Code, Diagnostic, Plain, Style, plain, render};
use crate::report::wrap::{page, wrapped};
use crate::report::{Document, Look, paper};
use crate::session::Style as Signs;
use std::fs::File;
use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};

/// The colour of the word "error", the same as for a claim that fails.
const ERROR: &str = "1;38;5;131";

/// The most messages that are printed with their source.
const MOST_DRAWN: usize = 500;
/// The number of bytes that printing all messages may scan.
const MOST_BYTES: usize = 100 << 20;

/// The output of a run.
#[derive(Debug)]
pub struct Output {
    /// Whether JSON is printed.
    pub json: bool,
    /// Whether messages are in ASCII.
    pub ascii: bool,
    /// The notation of values.
    pub values: Signs,
    color_out: bool,
    color_err: bool,
    /// The widths of the terminals in columns; 0 where there is none.
    width_out: usize,
    width_err: usize,
    closed: bool,
    cut: bool,
    /// Whether a limit ended the reading of a file: then the answer is unknown.
    pub ended: bool,
    file: Option<File>,
    /// The files that the run reads.
    read: Vec<PathBuf>,
    /// Errors to be included in the document.
    wrong: Vec<Plain>,
    /// Whether a document has been printed.
    told: bool,
    /// Prints the document if it has to end the run.
    pub guard: Option<Guard>,
}

/// A file created by this program.
#[derive(serde::Serialize)]
struct Made<'m> {
    file: Option<&'m str>,
    text: &'m str,
}

/// The width of a terminal in columns; 0 for anything else.
#[cfg(unix)]
fn columns(stream: impl std::os::fd::AsFd + IsTerminal) -> usize {
    let size = stream
        .is_terminal()
        .then(|| terminal_size::terminal_size_of(stream));
    size.flatten().map_or(0, |(width, _)| usize::from(width.0))
}

/// The width of a terminal in columns; 0 for anything else.
#[cfg(not(unix))]
fn columns(stream: impl IsTerminal) -> usize {
    let size = stream.is_terminal().then(terminal_size::terminal_size);
    size.flatten().map_or(0, |(width, _)| usize::from(width.0))
}

/// Whether two paths lead to the same file, also through links.
fn same(a: &Path, b: &Path) -> bool {
    // A pipe is not opened, since that may wait for its other end.
    a == b || a.is_file() && b.is_file() && same_file::is_same_file(a, b).unwrap_or(false)
}

impl Output {
    /// The output that the options and the terminal imply.
    #[must_use]
    pub fn new(common: &Common) -> Output {
        let no_color = std::env::var_os("NO_COLOR").is_some_and(|v| !v.is_empty());
        let dumb = std::env::var_os("TERM").is_some_and(|v| v == "dumb");
        let color = |terminal: bool| match common.color {
            When::Always => true,
            When::Never => false,
            When::Auto => terminal && !no_color && !dumb,
        };
        let (out, err) = (
            std::io::stdout().is_terminal(),
            std::io::stderr().is_terminal(),
        );
        let ascii = common.json || common.ascii || !(common.unicode || out);
        Output {
            json: common.json,
            ascii,
            values: if ascii { Signs::Ascii } else { Signs::Unicode },
            color_out: color(out) && !common.json,
            color_err: color(err),
            width_out: columns(std::io::stdout()),
            width_err: columns(std::io::stderr()),
            closed: false,
            cut: false,
            ended: false,
            file: None,
            read: Vec::new(),
            wrong: Vec::new(),
            told: false,
            guard: None,
        }
    }

    /// How to print items.
    #[must_use]
    pub fn look(&self) -> Look {
        Look {
            color: self.color_out,
            width: self.width(),
        }
    }

    /// The width for text in columns; 0 if lines may have any length.
    #[must_use]
    pub fn width(&self) -> usize {
        match self.file {
            None => self.width_out,
            Some(_) => 0,
        }
    }

    /// Selects the notation of values for a file or a picture, independently of the terminal. Without an option, a picture
    /// uses the signs of the field, and a text file uses ASCII.
    pub fn values_for(&mut self, common: &Common, path: Option<&str>, picture: bool) {
        if self.json || common.ascii || common.unicode {
            return;
        }
        if picture {
            self.values = Signs::Unicode;
        } else if path.is_some_and(|p| p != "-") {
            self.values = Signs::Ascii;
        }
    }

    /// Selects the output format; returns it if it is a format for papers.
    pub fn speak(&mut self, format: AnswerFormat) -> Option<paper::Format> {
        if format == AnswerFormat::Json {
            self.json = true;
            self.ascii = true;
            self.values = Signs::Ascii;
            self.color_out = false;
        }
        // `--json` takes precedence.
        match format {
            _ if self.json => None,
            AnswerFormat::Latex => Some(paper::Format::Latex),
            AnswerFormat::Typst => Some(paper::Format::Typst),
            AnswerFormat::Markdown => Some(paper::Format::Markdown),
            AnswerFormat::Csv => Some(paper::Format::Csv),
            AnswerFormat::Text | AnswerFormat::Json | AnswerFormat::Svg => None,
        }
    }

    /// Prints text for people, with hidden characters made visible.
    pub fn text(&mut self, text: &str) {
        let text = painted(text, self.color_out);
        self.put(wrapped(&text, self.width()).as_bytes());
    }

    /// Prints a Markdown page.
    pub fn page(&mut self, text: &str) {
        match self.width() {
            0 => self.text(text),
            width => self.text(&page(text, width)),
        }
    }

    /// Prints the content of a file (rules, a picture): byte for byte, except on a terminal.
    pub fn content(&mut self, text: &str) {
        match self.file.is_none() && std::io::stdout().is_terminal() {
            true => self.put(visible(text).as_bytes()),
            false => self.put(text.as_bytes()),
        }
    }

    /// Prints a drawing, whose lines are not wrapped. If they are too long for the terminal, adds a note on how to see it
    /// whole.
    pub fn drawing(&mut self, text: &str) {
        if self.width() == 0 && !text.contains(INK) {
            self.content(text);
            return;
        }
        let shown = painted(text, self.color_out);
        self.put(shown.as_bytes());
        let widest = shown.lines().map(textwrap::core::display_width).max();
        if widest > Some(self.width()) && self.width() > 0 {
            self.aside("(wider than this terminal: -o FILE.svg draws it)\n");
        }
    }

    /// Prints text that only this program has written, including escape sequences.
    pub fn drawn(&mut self, text: &str) {
        self.put(wrapped(text, self.width()).as_bytes());
    }

    fn put(&mut self, bytes: &[u8]) {
        if self.closed {
            return;
        }
        let written = match &mut self.file {
            Some(file) => file.write_all(bytes),
            None => {
                let mut out = std::io::stdout().lock();
                out.write_all(bytes).and_then(|()| out.flush())
            }
        };
        if let Err(e) = written {
            // The first failure is reported, and the rest of the output is dropped. A closed pipe is not a failure.
            self.closed = true;
            if e.kind() != std::io::ErrorKind::BrokenPipe {
                self.cut = true;
                self.error(&format!("the output is cut short: {e}"));
            }
        }
    }

    /// Whether something could not be written, for example because the disk is full.
    #[must_use]
    pub fn is_cut(&self) -> bool {
        self.cut
    }

    /// Records a file that the run reads, so that it is not overwritten.
    pub fn reads(&mut self, path: impl Into<PathBuf>) {
        self.read.push(path.into());
    }

    /// Whether a file may be written: not if the run reads it, which is then reported.
    pub fn may_write(&mut self, path: &str) -> bool {
        let read = self.read.iter().any(|r| same(r, Path::new(path)));
        if read {
            self.error(&format!(
                "{path} is read by this run and would be lost: name another file"
            ));
        }
        !read
    }

    /// Writes a file, unless the run reads it. Returns whether this succeeded; a failure is reported.
    pub fn write(&mut self, path: &str, text: impl AsRef<[u8]>) -> bool {
        if !self.may_write(path) {
            return false;
        }
        let written = std::fs::write(path, text);
        if let Err(e) = &written {
            self.error(&format!("{path}: {e}"));
        }
        written.is_ok()
    }

    /// Redirects all later output into a file.
    ///
    /// # Errors
    /// The file cannot be created, or the run reads it; this is reported.
    pub fn redirect(&mut self, path: Option<&String>) -> Result<(), u8> {
        let Some(path) = path else {
            return Ok(());
        };
        if !self.may_write(path) {
            return Err(2);
        }
        match File::create(path) {
            Ok(file) => {
                self.file = Some(file);
                self.color_out = false;
                Ok(())
            }
            Err(e) => {
                self.error(&format!("{path}: {e}"));
                Err(2)
            }
        }
    }

    /// Prints a line.
    pub fn line(&mut self, text: &str) {
        self.text(&format!("{text}\n"));
    }

    /// Prints a JSON document that includes earlier errors.
    pub fn document<T: serde::Serialize>(&mut self, document: &Document<T>) {
        if let Some(guard) = &self.guard {
            guard.stand_down();
        }
        self.told = true;
        let mut diagnostics = std::mem::take(&mut self.wrong);
        diagnostics.extend(document.diagnostics.iter().cloned());
        let whole = Document {
            schema: document.schema,
            version: document.version,
            content: &document.content,
            diagnostics,
            stats: document.stats.clone(),
        };
        self.put(whole.to_text().as_bytes());
    }

    /// Prints the content of a file that this program created; with JSON, a document with the content and the path to which
    /// it was written, if any.
    pub fn file(&mut self, path: Option<&str>, text: &str) {
        if !self.json {
            self.content(text);
            return;
        }
        let made = Made { file: path, text };
        self.document(&Document::new("cgdsl/file/1", made, Vec::new()));
    }

    /// Ends the output: with JSON, there is always a document.
    pub fn finish(&mut self) {
        if self.json && !self.told {
            self.file = None;
            self.document(&Document::new("cgdsl/error/1", Nothing {}, Vec::new()));
        }
    }

    /// Whether the reader of the output has gone.
    #[must_use]
    pub fn is_closed(&self) -> bool {
        self.closed
    }

    /// Prints on standard error, with hidden characters made visible.
    pub fn aside(&mut self, text: &str) {
        let text = wrapped(&painted(text, self.color_err), self.width_err);
        let _ = std::io::stderr().lock().write_all(text.as_bytes());
    }

    /// Reports a message without a place. With JSON it goes into the document, unless that has already been printed.
    pub fn error(&mut self, message: &str) {
        if self.json && !self.told {
            let said = Diagnostic::error(Code::E0706, message);
            self.wrong.push(plain(&said, &Sources::default()));
            return;
        }
        let word = ink(ERROR, "error");
        self.aside(&format!("{word}: {}\n", visible(message)));
    }

    /// The style of messages on standard output.
    #[must_use]
    pub fn style(&self) -> Style {
        Style {
            color: self.color_out,
            unicode: !self.ascii,
            width: self.width_out,
        }
    }

    /// Prints messages on standard error; with JSON they go into the document instead.
    pub fn diagnostics(&mut self, all: &[Diagnostic], sources: &Sources) {
        if self.json {
            return;
        }
        let style = Style {
            color: self.color_err,
            unicode: !self.ascii,
            width: self.width_err,
        };
        // Printing a message numbers the lines of its file, so for long files fewer are printed.
        let bytes = sources.iter().map(|(_, s)| s.text.len()).max().unwrap_or(0);
        let most = (MOST_BYTES / bytes.max(1)).clamp(20, MOST_DRAWN);
        for diagnostic in all.iter().take(most) {
            let drawn = render(diagnostic, sources, style);
            let drawn = wrapped(&drawn, self.width_err);
            let _ = std::io::stderr().lock().write_all(drawn.as_bytes());
        }
        if let Some(more) = all.len().checked_sub(most).filter(|more| *more > 0) {
            self.aside(&format!(
                "and {more} more messages like these: `cgdsl check --json` lists them all\n"
            ));
        }
    }
}
