//! The command line: arguments come in; output, progress and an exit code go out. Everything that touches the terminal,
//! the clock, signals and the stack of the main thread is here.

pub mod args;
mod output;
mod simple;

use args::{Cli, Command};
use clap::Parser;
use output::Output;
use std::process::ExitCode;

/// The stack of the thread that works. Nothing recurses by the size of its input, but formulas may nest.
const STACK: usize = 256 << 20;

/// Runs the command line; the exit code is 0 holds, 1 a claim fails, 2 bad input, 3 unknown within limits.
#[must_use]
pub fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(e) => {
            // Help and version go to the standard output with code 0; a pipe that is closed early is no error.
            let _ = e.print();
            return ExitCode::from(u8::try_from(e.exit_code()).unwrap_or(2));
        }
    };
    let worker = std::thread::Builder::new()
        .name("work".to_owned())
        .stack_size(STACK)
        .spawn(move || run(&cli));
    let code = match worker.map(std::thread::JoinHandle::join) {
        Ok(Ok(code)) => code,
        // A panic has printed its message: a defect of the program.
        Ok(Err(_)) => 101,
        Err(e) => {
            eprintln!("cgdsl: no thread to work on: {e}");
            2
        }
    };
    ExitCode::from(code)
}

/// Runs one command; the exit code.
fn run(cli: &Cli) -> u8 {
    let mut output = Output::new(&cli.common);
    match &cli.command {
        Command::List { word, show } => simple::list(&mut output, word.as_deref(), show.as_deref()),
        Command::New { like, output: file } => {
            simple::new(&mut output, like.as_deref(), file.as_deref())
        }
        Command::Completions { shell } => simple::completions(&mut output, *shell),
        Command::Man { dir } => simple::man(&mut output, dir),
        Command::Explain {
            code: Some(code), ..
        } => simple::page(&mut output, code),
        _ => {
            output.error("not yet");
            2
        }
    }
}
