//! Texts come in; they go to the standard output, the standard error and into files as the options say. A pipe that is closed
//! early is not an error: the rest is dropped quietly. A terminal gets no control characters but those of this program's own
//! colours, no file that the run reads is written over, and a run with `--json` prints one document however it ends.

use super::args::{AnswerFormat, Common, When};
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

/// The colour of the word "error": as of a claim that fails.
const ERROR: &str = "1;38;5;131";

/// Of more messages than this only the first are drawn.
const MOST_DRAWN: usize = 500;
/// All of them together go through so many bytes.
const MOST_BYTES: usize = 100 << 20;

/// Where a run prints.
#[derive(Debug)]
pub struct Output {
    /// JSON is wanted.
    pub json: bool,
    /// Messages in ASCII.
    pub ascii: bool,
    /// The signs of values.
    pub values: Signs,
    color_out: bool,
    color_err: bool,
    /// Columns of the terminals; nought where there is none.
    width_out: usize,
    width_err: usize,
    closed: bool,
    cut: bool,
    /// A limit ended the reading of a file: whatever else is said, the answer is unknown.
    pub ended: bool,
    file: Option<File>,
    /// Files that the run reads.
    read: Vec<PathBuf>,
    /// What went wrong and waits for the document.
    wrong: Vec<Plain>,
    /// A document has been printed.
    told: bool,
}

/// A file that this program made.
#[derive(serde::Serialize)]
struct Made<'m> {
    file: Option<&'m str>,
    text: &'m str,
}

/// The columns of a terminal; nought for anything else.
#[cfg(unix)]
fn columns(stream: impl std::os::fd::AsFd + IsTerminal) -> usize {
    let size = stream
        .is_terminal()
        .then(|| terminal_size::terminal_size_of(stream));
    size.flatten().map_or(0, |(width, _)| usize::from(width.0))
}

/// The columns of a terminal; nought for anything else.
#[cfg(not(unix))]
fn columns(stream: impl IsTerminal) -> usize {
    let size = stream.is_terminal().then(terminal_size::terminal_size);
    size.flatten().map_or(0, |(width, _)| usize::from(width.0))
}

/// Whether two paths lead to one file, by links too.
fn same(a: &Path, b: &Path) -> bool {
    // A pipe is not opened, since that may wait for its other end.
    a == b || a.is_file() && b.is_file() && same_file::is_same_file(a, b).unwrap_or(false)
}

impl Output {
    /// As the options and the terminal say.
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

    /// How many columns there are for text; nought where lines may be of any length.
    #[must_use]
    pub fn width(&self) -> usize {
        match self.file {
            None => self.width_out,
            Some(_) => 0,
        }
    }

    /// Values are for this file, or for a picture: their signs do not depend on the terminal then. Without an option a picture
    /// has the signs of the field, a text file ASCII.
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

    /// Speaks a format from now on; which one, if it is for papers.
    pub fn speak(&mut self, format: AnswerFormat) -> Option<paper::Format> {
        if format == AnswerFormat::Json {
            self.json = true;
            self.ascii = true;
            self.values = Signs::Ascii;
            self.color_out = false;
        }
        // What is asked for twice is JSON.
        match format {
            _ if self.json => None,
            AnswerFormat::Latex => Some(paper::Format::Latex),
            AnswerFormat::Typst => Some(paper::Format::Typst),
            AnswerFormat::Markdown => Some(paper::Format::Markdown),
            AnswerFormat::Csv => Some(paper::Format::Csv),
            AnswerFormat::Text | AnswerFormat::Json | AnswerFormat::Svg => None,
        }
    }

    /// Prints a text for people; hidden characters in it are written out.
    pub fn text(&mut self, text: &str) {
        let text = painted(text, self.color_out);
        self.put(wrapped(&text, self.width()).as_bytes());
    }

    /// Prints a page of Markdown.
    pub fn page(&mut self, text: &str) {
        match self.width() {
            0 => self.text(text),
            width => self.text(&page(text, width)),
        }
    }

    /// Prints the content of a file, such as rules or a picture: byte for byte, but not on a terminal.
    pub fn content(&mut self, text: &str) {
        match self.file.is_none() && std::io::stdout().is_terminal() {
            true => self.put(visible(text).as_bytes()),
            false => self.put(text.as_bytes()),
        }
    }

    /// Prints a drawing, or a picture as text: its lines are not broken. Where they are too long for the terminal, it is said
    /// how to see it whole.
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

    /// Prints what this program alone has written, escape sequences included.
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
            // The first failure is told; the rest is dropped. Nobody reads a pipe that is closed: that is no failure.
            self.closed = true;
            if e.kind() != std::io::ErrorKind::BrokenPipe {
                self.cut = true;
                self.error(&format!("the output is cut short: {e}"));
            }
        }
    }

    /// Whether something could not be written, on a full disk for example.
    #[must_use]
    pub fn is_cut(&self) -> bool {
        self.cut
    }

    /// The run reads this file: it is not written over.
    pub fn reads(&mut self, path: impl Into<PathBuf>) {
        self.read.push(path.into());
    }

    /// Whether a file may be written: it is none that the run reads. Told to the user if not.
    pub fn may_write(&mut self, path: &str) -> bool {
        let read = self.read.iter().any(|r| same(r, Path::new(path)));
        if read {
            self.error(&format!(
                "{path} is read by this run and would be lost: name another file"
            ));
        }
        !read
    }

    /// Writes a file that the run does not read; whether that went well. Told to the user if not.
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

    /// What is printed goes into this file from now on.
    ///
    /// # Errors
    /// The file cannot be made, or is read by this run; told to the user.
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

    /// Prints a JSON document, with what went wrong before it.
    pub fn document<T: serde::Serialize>(&mut self, document: &Document<T>) {
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

    /// Prints the content of a file that this program made; with JSON, a document with it and the path under which it was
    /// written, if it was.
    pub fn file(&mut self, path: Option<&str>, text: &str) {
        if !self.json {
            self.content(text);
            return;
        }
        let made = Made { file: path, text };
        self.document(&Document::new("cgdsl/file/1", made, Vec::new()));
    }

    /// The end of a run: with JSON, there is a document.
    pub fn finish(&mut self) {
        if self.json && !self.told {
            self.file = None;
            self.document(&Document::new("cgdsl/error/1", Nothing {}, Vec::new()));
        }
    }

    /// Whether nobody reads any more.
    #[must_use]
    pub fn is_closed(&self) -> bool {
        self.closed
    }

    /// Prints on the standard error; hidden characters are written out.
    pub fn aside(&mut self, text: &str) {
        let text = wrapped(&painted(text, self.color_err), self.width_err);
        let _ = std::io::stderr().lock().write_all(text.as_bytes());
    }

    /// A message without a place. With JSON it goes into the document, unless that has been printed.
    pub fn error(&mut self, message: &str) {
        if self.json && !self.told {
            let said = Diagnostic::error(Code::E0706, message);
            self.wrong.push(plain(&said, &Sources::default()));
            return;
        }
        let word = ink(ERROR, "error");
        self.aside(&format!("{word}: {}\n", visible(message)));
    }

    /// How messages are drawn on the standard output.
    #[must_use]
    pub fn style(&self) -> Style {
        Style {
            color: self.color_out,
            unicode: !self.ascii,
            width: self.width_out,
        }
    }

    /// Draws messages on the standard error; with JSON they go into the document instead.
    pub fn diagnostics(&mut self, all: &[Diagnostic], sources: &Sources) {
        if self.json {
            return;
        }
        let style = Style {
            color: self.color_err,
            unicode: !self.ascii,
            width: self.width_err,
        };
        // Each picture numbers the lines of its file: of a long file fewer are drawn.
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
