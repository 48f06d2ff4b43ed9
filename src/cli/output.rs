//! Texts come in; they go to the standard output and the standard error as the options say. A pipe that is closed early
//! is not an error: the rest is dropped quietly.

use super::args::{AnswerFormat, Common, When};
use crate::base::Sources;
use crate::diagnostic::{Diagnostic, Style, render};
use crate::report::{Document, Look, paper};
use crate::session::Style as Signs;
use std::io::{IsTerminal, Write};

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
    closed: bool,
    cut: bool,
    /// A limit ended the reading of a file: whatever else is said, the answer is unknown.
    pub ended: bool,
    file: Option<std::fs::File>,
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
            closed: false,
            cut: false,
            ended: false,
            file: None,
        }
    }

    /// How to print items.
    #[must_use]
    pub fn look(&self) -> Look {
        Look {
            color: self.color_out,
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

    /// Prints as it is.
    pub fn text(&mut self, text: &str) {
        if self.closed {
            return;
        }
        let written = match &mut self.file {
            Some(file) => file.write_all(text.as_bytes()),
            None => {
                let mut out = std::io::stdout().lock();
                out.write_all(text.as_bytes()).and_then(|()| out.flush())
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

    /// What is printed goes into this file from now on.
    ///
    /// # Errors
    /// The file cannot be made; told to the user.
    pub fn redirect(&mut self, path: Option<&String>) -> Result<(), u8> {
        let Some(path) = path else {
            return Ok(());
        };
        match std::fs::File::create(path) {
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

    /// Prints a JSON document.
    pub fn document<T: serde::Serialize>(&mut self, document: &Document<T>) {
        self.text(&document.to_text());
    }

    /// Whether nobody reads any more.
    #[must_use]
    pub fn is_closed(&self) -> bool {
        self.closed
    }

    /// Prints on the standard error.
    pub fn aside(&mut self, text: &str) {
        let _ = std::io::stderr().lock().write_all(text.as_bytes());
    }

    /// A message without a place.
    pub fn error(&mut self, message: &str) {
        let word = if self.color_err {
            "\x1b[1;31merror\x1b[0m"
        } else {
            "error"
        };
        self.aside(&format!("{word}: {message}\n"));
    }

    /// How messages are drawn on the standard output.
    #[must_use]
    pub fn style(&self) -> Style {
        Style {
            color: self.color_out,
            unicode: !self.ascii,
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
        };
        // Each picture numbers the lines of its file: of a long file fewer are drawn.
        let bytes = sources.iter().map(|(_, s)| s.text.len()).max().unwrap_or(0);
        let most = (MOST_BYTES / bytes.max(1)).clamp(20, MOST_DRAWN);
        for diagnostic in all.iter().take(most) {
            self.aside(&render(diagnostic, sources, style));
        }
        if let Some(more) = all.len().checked_sub(most).filter(|more| *more > 0) {
            self.aside(&format!(
                "and {more} more messages like these: `cgdsl check --json` lists them all\n"
            ));
        }
    }
}
