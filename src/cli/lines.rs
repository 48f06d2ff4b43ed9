//! Prompts for lines. On a terminal, a line can be edited, and earlier ones are recalled with the arrow keys (rustyline);
//! otherwise lines of standard input are read, and echoed, so that a transcript is readable.

use super::input::read_line;
use super::output::Output;
use crate::game::Cancel;
use rustyline::DefaultEditor;
use rustyline::error::ReadlineError;
use std::io::IsTerminal;

/// What was typed.
pub(super) enum Typed {
    /// A line, without its end.
    Line(String),
    /// The end of the input (Ctrl-D).
    End,
    /// Ctrl-C.
    Stop,
}

/// A reader of lines.
pub(super) struct Lines {
    editor: Option<DefaultEditor>,
    /// Not a terminal: lines are echoed.
    echo: bool,
    /// Neither prompts nor lines are shown.
    quiet: bool,
    /// Cancels a wait for a line.
    cancel: Cancel,
}

impl Lines {
    /// Lines of the standard input.
    pub(super) fn new(quiet: bool, cancel: Cancel) -> Lines {
        let terminal = std::io::stdin().is_terminal() && std::io::stdout().is_terminal();
        Lines {
            editor: (terminal && !quiet)
                .then(|| DefaultEditor::new().ok())
                .flatten(),
            echo: !std::io::stdin().is_terminal(),
            quiet,
            cancel,
        }
    }

    /// The next line.
    pub(super) fn read(&mut self, output: &mut Output, prompt: &str) -> Typed {
        if let Some(editor) = &mut self.editor {
            return match editor.readline(prompt) {
                Ok(line) => {
                    let _ = editor.add_history_entry(&line);
                    Typed::Line(line)
                }
                Err(ReadlineError::Interrupted) => Typed::Stop,
                Err(_) => Typed::End,
            };
        }
        if !self.quiet {
            output.text(prompt);
        }
        let line = read_line(&self.cancel);
        if !self.quiet && (self.echo || line.is_none()) {
            output.line(line.as_deref().unwrap_or_default());
        }
        line.map_or(Typed::End, Typed::Line)
    }
}
