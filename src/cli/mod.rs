//! The command line: from arguments to output, progress and an exit code. Everything that touches the terminal, the clock,
//! signals and the stack of the main thread is here.

pub mod args;
mod bar;
mod census;
mod check;
mod compared;
mod diff;
mod draw;
mod guard;
mod heap_by_heap;
mod input;
mod kept;
mod learn;
mod lines;
mod live;
mod marks;
mod output;
mod page;
mod play;
mod plotted;
mod progress;
mod quiz;
mod repl;
mod run;
mod search;
mod seq;
mod seq_misere;
mod simple;
mod store;
mod table;
mod verify;
mod watch;
mod why;

use crate::base::Sources;
use crate::diagnostic::{Code, Diagnostic, plain};
use crate::game::{Cancel, REGISTRY, Reason};
use crate::report::Document;
use crate::report::wrap::wrapped;
use crate::session::Store;
use args::{Census, Cli, Command, Common, GREETING, Stores};
use clap::error::ErrorKind;
use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches, CommandFactory, FromArgMatches};
use guard::Guard;
#[doc(hidden)]
pub use kept::reads as kept_reads;
use output::Output;
use run::{Nothing, Run};
use std::ffi::OsString;
use std::io::{IsTerminal, Write};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

/// The stack size of the working thread. Recursion does not depend on the size of the input, but formulas may be nested.
const STACK: usize = 256 << 20;

/// Runs the command line of this process.
#[must_use]
pub fn main() -> ExitCode {
    ExitCode::from(main_of(std::env::args_os().collect()))
}

/// Runs a command line, whose first argument is the program. The exit code is 0: all holds, 1: a claim fails, 2: bad input,
/// 3: unknown within limits.
#[must_use]
pub fn main_of(arguments: Vec<OsString>) -> u8 {
    let code = answered(arguments);
    // In a process that is not ours (Python's), nobody else flushes.
    let _ = std::io::stdout().flush();
    code
}

fn answered(arguments: Vec<OsString>) -> u8 {
    let wants_json = wants_json(&arguments);
    let (arguments, all) = match asked(arguments) {
        Asked::Run(arguments, all) => (arguments, all),
        Asked::Text(text) => {
            let _ = std::io::stdout().write_all(text.as_bytes());
            return 0;
        }
    };
    let mut command = Cli::command();
    if all {
        command = command.mut_args(|a| a.hide(false));
    }
    if arguments.iter().any(|a| a == "--help" || a == "-h") {
        command = without_json(command);
    }
    let read = command.try_get_matches_from_mut(arguments);
    let read = read.and_then(|m| match contradiction(&m) {
        Some(why) => Err(command.error(ErrorKind::ArgumentConflict, why)),
        None => Ok(m),
    });
    let cli = match read.and_then(|m| Cli::from_arg_matches(&m)) {
        Ok(cli) => cli,
        Err(e) => {
            // Help and version also come here, with code 0; a pipe that is closed early is not an error.
            if e.use_stderr() && wants_json {
                let document = misunderstood(&e).to_text();
                let _ = std::io::stdout().write_all(document.as_bytes());
            } else {
                let _ = e.print();
            }
            return u8::try_from(e.exit_code()).unwrap_or(2);
        }
    };
    let worker = std::thread::Builder::new()
        .name("work".to_owned())
        .stack_size(STACK)
        .spawn(move || run(&cli));
    match worker.map(std::thread::JoinHandle::join) {
        Ok(Ok(code)) => code,
        // A panic is a defect of the program, and has already printed its message.
        Ok(Err(_)) => 101,
        Err(e) => {
            eprintln!("cgdsl: no thread to work on: {e}");
            2
        }
    }
}

/// Hides `--json` in the help of the commands that have no JSON.
fn without_json(command: clap::Command) -> clap::Command {
    let hidden = Arg::new("json").long("json").hide(true);
    let hidden = hidden.action(ArgAction::SetTrue).global(true);
    let hide = |all: clap::Command, name: &str| all.mut_subcommand(name, |c| c.arg(&hidden));
    ["play", "repl", "page"].into_iter().fold(command, hide)
}

/// `--json` beside another format.
fn contradiction(matches: &ArgMatches) -> Option<String> {
    let (_, matches) = matches.subcommand()?;
    let mut said = matches.try_get_raw("format").ok()??;
    let given = matches.value_source("format") == Some(ValueSource::CommandLine);
    let format = said.next()?.to_str()?;
    // A file of Parquet is written beside the answer.
    let other = given && !matches!(format, "json" | "parquet") && matches.get_flag("json");
    other.then(|| format!("`--json` and `--format {format}` are two formats: leave out one"))
}

/// What the arguments ask for.
enum Asked {
    /// To run these arguments; the flag says whether help shows all options.
    Run(Vec<OsString>, bool),
    /// To print a text.
    Text(String),
}

/// Interprets `help COMMAND` and `--help=all`, which clap does not support.
fn asked(mut arguments: Vec<OsString>) -> Asked {
    if arguments.len() <= 1 {
        return Asked::Text(GREETING.to_owned());
    }
    if arguments[1] == "help" {
        if arguments
            .get(2)
            .is_some_and(|word| word == "shortcuts" || word == "roads")
        {
            return Asked::Text(shortcuts());
        }
        arguments.remove(1);
        arguments.push("--help".into());
    }
    let end = arguments.iter().position(|a| a == "--");
    let asks = |a: &&mut OsString| **a == *"--help=all";
    let all = arguments
        .iter_mut()
        .take(end.unwrap_or(usize::MAX))
        .find(asks);
    let is_all = all.is_some();
    if let Some(all) = all {
        *all = "--help".into();
    }
    Asked::Run(arguments, is_all)
}

/// The shortcuts that `--without` can disable, one a line.
fn shortcuts() -> String {
    let mut text = String::from(
        "Shortcuts that --without leaves out, to check the program against itself. Answers do not depend on them.\n\n",
    );
    for entry in &REGISTRY {
        text.push_str(&format!("  {:12} {}\n", entry.name, entry.summary));
    }
    let width = terminal_size::terminal_size().map_or(0, |(width, _)| usize::from(width.0));
    match std::io::stdout().is_terminal() {
        true => wrapped(&text, width),
        false => text,
    }
}

// Whether `--json` is among the arguments, even if these could not be parsed.
fn wants_json(arguments: &[OsString]) -> bool {
    let mut options = arguments.iter().skip(1).take_while(|a| *a != "--");
    options.any(|a| a == "--json")
}

// The message of the command line parser, as a document.
fn misunderstood(e: &clap::Error) -> Document<Nothing> {
    let text = e.render().to_string();
    let mut told = text.split("\n\n").map(str::trim);
    let message = told.next().unwrap_or_default();
    let message = message.strip_prefix("error: ").unwrap_or(message);
    let mut said = Diagnostic::error(Code::E0705, message);
    for more in told.filter(|more| !more.is_empty()) {
        said = match more.strip_prefix("tip: ") {
            Some(tip) => said.help(tip),
            None => said.note(more),
        };
    }
    let said = plain(&said, &Sources::default());
    Document::new("cgdsl/error/1", Nothing {}, vec![said])
}

/// Cancels the run when its time is over.
fn limited(cancel: &Cancel, time: Option<Duration>) {
    if let Some(time) = time {
        if time.is_zero() {
            // Cancelled before it begins, whatever the scheduler does.
            cancel.cancel_for(Reason::Time);
            return;
        }
        let cancel = cancel.clone();
        std::thread::spawn(move || {
            std::thread::sleep(time);
            cancel.cancel_for(Reason::Time);
        });
    }
}

/// The store that the options name, if they do.
fn opened(common: &Common) -> Result<Option<Arc<Store>>, Diagnostic> {
    let store = match (common.store.as_deref(), common.read_only) {
        (Some(folder), false) => Store::open(folder)?,
        (Some(folder), true) => Store::open_read_only(folder)?,
        (None, false) => return Ok(None),
        (None, true) => {
            let message = "`--read-only` needs the store that is read";
            return Err(Diagnostic::error(Code::E0705, message).help("add `--store DIR`"));
        }
    };
    Ok(Some(Arc::new(store)))
}

/// Runs one command and returns the exit code.
fn run(cli: &Cli) -> u8 {
    let mut output = Output::new(&cli.common);
    let store = match opened(&cli.common) {
        Ok(store) => store,
        Err(refused) => {
            let mut run = Run {
                output: &mut output,
                common: &cli.common,
                cancel: Cancel::new(),
                store: None,
                guard: None,
            };
            return run.refused(&refused);
        }
    };
    let mut guard = None;
    let code = command(cli, &mut output, store.clone(), &mut guard);
    if let Some(guard) = guard {
        guard.stand_down();
    }
    // The answers remain valid even if they cannot be stored.
    if let Some(Err(why)) = store.map(|s| s.finish()) {
        output.error(&why.message);
    }
    output.finish();
    match code {
        _ if output.is_cut() => 2,
        // A file that was not completely read counts as unknown, not as wrong.
        2 if output.ended => 3,
        code => code,
    }
}

fn command<'r>(
    cli: &'r Cli,
    output: &'r mut Output,
    store: Option<Arc<Store>>,
    guarded: &mut Option<Guard>,
) -> u8 {
    let cancel = Cancel::with_memory(cli.common.memory);
    let mut run = |output: &'r mut Output| {
        guard::catch_signals(&cancel);
        // A calculator answers within a minute, or says that it cannot.
        let calculator = matches!(cli.command, Command::Value(_));
        let time = calculator.then_some(Duration::from_secs(60));
        let (time, memory) = (cli.common.time.or(time), cli.common.memory);
        let guard = Guard::set(&cancel, time, memory, cli.common.json);
        *guarded = Some(guard.clone());
        output.guard = Some(guard.clone());
        Run {
            guard: Some(guard),
            output,
            common: &cli.common,
            cancel: cancel.clone(),
            store: store.clone(),
        }
    };
    match &cli.command {
        Command::Eval(args) => run(output).eval(args),
        Command::Check(args) => run(output).check(args),
        Command::Diff(args) => run(output).diff(args),
        Command::Fmt { files, check } => run(output).fmt(files, *check),
        Command::Moves {
            file,
            position,
            player,
            written,
            all,
        } => run(output).moves(file, position, player.as_deref(), *all, *written),
        Command::Tree { draw, depth } => run(output).tree(draw, *depth),
        Command::Watch {
            file,
            against,
            up_to,
        } => Run {
            output,
            common: &cli.common,
            cancel: cancel.clone(),
            store: store.clone(),
            guard: None,
        }
        .watch(file, against.as_deref().map(|old| (old, up_to.as_str()))),
        // Ctrl-C saves the game and ends it.
        Command::Play(args) => Run {
            output,
            common: &cli.common,
            cancel: cancel.clone(),
            store: store.clone(),
            guard: None,
        }
        .play(args),
        Command::Repl { file } => Run {
            output,
            common: &cli.common,
            cancel: cancel.clone(),
            store: store.clone(),
            guard: None,
        }
        .repl(file.as_deref()),
        Command::Quiz {
            file,
            mark: Some(folder),
            written,
            ..
        } => run(output).mark_class(file, folder, written.format),
        Command::Quiz {
            file,
            sheet: Some(to),
            ..
        } => run(output).sheet(file, to),
        Command::Quiz { file, once, .. } => run(output).quiz(file, *once),
        Command::Learn(args) => run(output).learn(args),
        Command::Seal { file, output: to } => run(output).seal(file, to.as_deref()),
        Command::Why {
            file,
            position,
            short,
            written,
        } => run(output).why(file, position, *short, *written),
        Command::Draw {
            draw,
            lattice,
            value,
        } => {
            let what = match (lattice, value) {
                (true, _) => draw::Drawing::Lattice,
                (_, true) => draw::Drawing::Value,
                _ => draw::Drawing::Board,
            };
            run(output).draw(draw, what)
        }
        Command::Explain {
            code: Some(code), ..
        } => simple::page(output, code),
        Command::Explain {
            file, position, ir, ..
        } => match (file, position) {
            (Some(file), Some(position)) => run(output).explain(file, position, *ir),
            (Some(name), None) if Code::parse(name).is_some() => simple::page(output, name),
            (Some(name), None) => run(output).name(name),
            // clap requires one of them.
            _ => 2,
        },
        Command::New { like, output: file } => {
            simple::new(output, like.as_deref(), file.as_deref())
        }
        Command::List {
            word,
            family,
            search,
            show,
        } => {
            let wanted = simple::Wanted {
                word: word.as_deref(),
                family: family.as_deref(),
                search: search.as_deref(),
            };
            simple::list(output, &wanted, show.as_deref())
        }
        Command::Value(args) => run(output).value(args),
        Command::Seq(args) => run(output).seq(args),
        Command::Search(args) => run(output).search(args),
        Command::Census {
            work: Census::Merge { folder, limit },
        } => run(output).merge(folder, *limit),
        Command::Store {
            work: Stores::Merge { stores, output: to },
        } => run(output).merge_stores(stores, to),
        Command::Table(args) => run(output).table(args),
        Command::Verify { file } => run(output).verify(file),
        Command::Lsp { .. } => crate::lsp::serve(
            std::io::BufReader::new(std::io::stdin()),
            std::io::stdout(),
            cli.common.memory,
            cli.common.time,
        ),
        Command::Completions { shell } => simple::completions(output, *shell),
        Command::Page { port, out } => page::page(output, *port, out.as_deref()),
        Command::Man { dir } => simple::man(output, dir),
    }
}
