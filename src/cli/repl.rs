//! `cgdsl repl`: answers what is typed at once. On a terminal, a line editor (rustyline) keeps the history, completes names,
//! colours the input by the language's tokens and waits until a piece is complete; otherwise lines of standard input are read
//! and answered plainly.

use super::guard::Guard;
use super::input::read_line;
use super::run::Run;
use super::watch::Watch;
use crate::diagnostic::Diagnostic;
use crate::game::{Cancel, Reason};
use crate::model::builtins::{What, names, names_of};
use crate::report::{derived, differences, draw, item, moves as moves_text, why as why_text};
use crate::session::figure::figure;
use crate::session::repl::{Entered, Repl, is_complete, is_open, word_before};
use crate::session::{Disk, LONGEST, Status, read_regular, shipped};
use crate::syntax::lexer::{ITEM_WORDS, TokenKind, lex};
use rustyline::completion::{Completer, FilenameCompleter, Pair};
use rustyline::error::ReadlineError;
use rustyline::highlight::{CmdKind, Highlighter};
use rustyline::hint::Hinter;
use rustyline::history::FileHistory;
use rustyline::validate::{ValidationContext, ValidationResult, Validator};
use rustyline::{CompletionType, Config, Context, Editor, Helper};
use std::borrow::Cow;
use std::io::IsTerminal;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Mutex, PoisonError};

/// The number of history lines that are kept.
const HISTORY: usize = 2000;

const HELP: &str = "\
Type a position (Nim[3, 5]), a value ({1|-1} + ^*), a query (claim \"..\" for ..: ..) or a definition
(ruleset, let, position); a new definition replaces the old one of the same name. A ruleset ends with an empty line.

  :load FILE         read a file, or a shipped ruleset by name; `:load` alone reads it again
  :names             what is defined
  :draw [POSITION]   draw it; without a position, the last one
  :moves [POSITION]  its options with their values
  :why [POSITION]    why it is worth what it is
  :tree [POSITION]   what follows it, two moves deep
  :diff [SIZE]       what the last definition that took the place of another has changed, on boards up to 3 or SIZE (2x3)
  :diff OLD NEW [SIZE]
                     how two rulesets differ
  :explain [POSITION], :explain CODE
                     show what was derived from the rules; the page of a message such as E0201
  :help              this
  :quit              end (Ctrl-D too); Ctrl-C stops the evaluation

";

const COMMANDS: [&str; 11] = [
    ":diff", ":draw", ":explain", ":help", ":load", ":moves", ":names", ":quit", ":tree", ":why",
    ":reload",
];

/// What Ctrl-C cancels; `None` while nothing is being evaluated.
static AT_WORK: Mutex<Option<Cancel>> = Mutex::new(None);
/// The exit code so far.
static CODE: AtomicU8 = AtomicU8::new(0);

fn at_work(cancel: Option<Cancel>) {
    *AT_WORK.lock().unwrap_or_else(PoisonError::into_inner) = cancel;
}

/// The helper of the line editor: completes, colours, and waits for the rest of a piece.
struct Live {
    names: Vec<String>,
    files: FilenameCompleter,
    color: bool,
}

impl Completer for Live {
    type Candidate = Pair;

    fn complete(
        &self,
        line: &str,
        at: usize,
        context: &Context<'_>,
    ) -> rustyline::Result<(usize, Vec<Pair>)> {
        let pair = |name: &str| Pair {
            display: name.to_owned(),
            replacement: name.to_owned(),
        };
        let before = line.get(..at).unwrap_or(line);
        if let Some(path) = before.strip_prefix(":load ") {
            let (start, mut found) = self.files.complete(line, at, context)?;
            if !path.contains(['/', '\\', '.']) {
                found.extend(shipped::names().filter(|n| n.starts_with(path)).map(pair));
            }
            return Ok((start, found));
        }
        if before.starts_with(':') && !before.contains(' ') {
            let found = COMMANDS.iter().filter(|c| c.starts_with(before));
            return Ok((0, found.map(|c| pair(c)).collect()));
        }
        let start = word_before(line, at);
        let word = &before[start..];
        if word.is_empty() {
            return Ok((start, Vec::new()));
        }
        let found = self.names.iter().filter(|n| n.starts_with(word));
        Ok((start, found.map(|n| pair(n)).collect()))
    }
}

impl Hinter for Live {
    type Hint = String;
}

impl Highlighter for Live {
    fn highlight<'l>(&self, line: &'l str, _at: usize) -> Cow<'l, str> {
        if !self.color || line.starts_with(':') {
            return Cow::Borrowed(line);
        }
        let mut out = String::with_capacity(line.len() + 64);
        for token in lex(line) {
            let text = &line[token.range()];
            let paint = match token.kind {
                TokenKind::Keyword => "\x1b[1m",
                TokenKind::Comment | TokenKind::Doc => "\x1b[38;5;243m",
                TokenKind::Text | TokenKind::Art | TokenKind::Open => "\x1b[38;5;29m",
                TokenKind::Integer => "\x1b[38;5;98m",
                TokenKind::Unknown => "\x1b[38;5;131m",
                TokenKind::Name if self.names.iter().any(|n| n == text) => "\x1b[38;5;63m",
                _ => "",
            };
            if paint.is_empty() {
                out.push_str(text);
            } else {
                out.push_str(paint);
                out.push_str(text);
                out.push_str("\x1b[0m");
            }
        }
        Cow::Owned(out)
    }

    fn highlight_char(&self, _line: &str, _at: usize, _kind: CmdKind) -> bool {
        self.color
    }
}

impl Validator for Live {
    fn validate(&self, context: &mut ValidationContext<'_>) -> rustyline::Result<ValidationResult> {
        let text = context.input();
        Ok(if text.trim_start().starts_with(':') || is_complete(text) {
            ValidationResult::Valid(None)
        } else {
            ValidationResult::Incomplete
        })
    }
}

impl Helper for Live {}

/// The source of pieces.
enum Input {
    Terminal(Box<Editor<Live, FileHistory>>, Option<PathBuf>),
    /// A line that was read in advance and belongs to the next piece.
    Plain(Option<String>),
}

/// What was read.
enum Heard {
    Piece(String),
    /// Ctrl-C at the prompt.
    Nothing,
    End,
}

/// The history file, if the system has a place for such data.
fn history() -> Option<PathBuf> {
    let folder = super::progress::own_folder("XDG_STATE_HOME", "state")?;
    std::fs::create_dir_all(&folder).ok()?;
    Some(folder.join("history"))
}

impl Input {
    fn new(color: bool) -> Input {
        if !std::io::stdin().is_terminal() || !std::io::stdout().is_terminal() {
            return Input::Plain(None);
        }
        let config = Config::builder()
            .completion_type(CompletionType::List)
            .auto_add_history(true)
            .max_history_size(HISTORY)
            .map(|c| c.build())
            .unwrap_or_default();
        let Ok(mut editor) = Editor::with_config(config) else {
            return Input::Plain(None);
        };
        editor.set_helper(Some(Live {
            names: Vec::new(),
            files: FilenameCompleter::new(),
            color,
        }));
        let path = history();
        // At first it does not exist.
        if let Some(path) = &path
            && read_regular(path, LONGEST).is_ok()
        {
            let _ = editor.load_history(path);
        }
        Input::Terminal(Box::new(editor), path)
    }

    fn is_terminal(&self) -> bool {
        matches!(self, Input::Terminal(..))
    }

    /// Updates the names that can be completed.
    fn know(&mut self, repl: &Repl<'_>) {
        if let Input::Terminal(editor, _) = self
            && let Some(live) = editor.helper_mut()
        {
            let mut all = repl.names();
            all.extend(names().map(str::to_owned));
            all.extend(names_of(What::BoardKind).map(str::to_owned));
            all.extend(names_of(What::Keyword).map(str::to_owned));
            all.extend(names_of(What::Word).map(str::to_owned));
            all.sort();
            all.dedup();
            live.names = all;
        }
    }

    fn hear(&mut self) -> Heard {
        match self {
            Input::Terminal(editor, _) => match editor.readline("> ") {
                Ok(text) => Heard::Piece(text),
                Err(ReadlineError::Interrupted) => Heard::Nothing,
                Err(_) => Heard::End,
            },
            Input::Plain(held) => {
                // At a prompt, Ctrl-C ends the program.
                let cancel = Cancel::new();
                let Some(mut text) = held.take().or_else(|| read_line(&cancel)) else {
                    return Heard::End;
                };
                // Indented lines below an item belong to it.
                let item = |text: &str| {
                    let word: &str = text
                        .split(|c: char| !c.is_ascii_lowercase())
                        .next()
                        .unwrap_or("");
                    ITEM_WORDS.contains(&word)
                };
                let starts = item(&text);
                loop {
                    let whole = is_complete(&text);
                    if whole && (!starts || text.ends_with('\n')) {
                        return Heard::Piece(text);
                    }
                    let Some(line) = read_line(&cancel) else {
                        return Heard::Piece(text);
                    };
                    let indented = line.trim().is_empty() || line.starts_with([' ', '\t']);
                    if starts && !indented && !is_open(&text) {
                        *held = Some(line);
                        return Heard::Piece(text);
                    }
                    text.push('\n');
                    text.push_str(&line);
                    if text.len() > crate::session::repl::LONGEST {
                        return Heard::Piece(text);
                    }
                }
            }
        }
    }
}

impl Drop for Input {
    fn drop(&mut self) {
        if let Input::Terminal(editor, Some(path)) = self {
            // A failure to save the history is not reported.
            let _ = editor.save_history(path);
        }
    }
}

/// The exit code is that of the worst outcome so far, in the order: broken, failed, unknown.
fn note(code: u8) {
    let rank = |code: u8| match code {
        2 => 3,
        1 => 2,
        3 => 1,
        _ => 0,
    };
    if rank(code) > rank(CODE.load(Ordering::Relaxed)) {
        CODE.store(code, Ordering::Relaxed);
    }
}

impl Run<'_> {
    /// `cgdsl repl`
    pub fn repl(&mut self, file: Option<&str>) -> u8 {
        if self.output.json {
            self.output
                .error("a conversation has no JSON; `eval`, `moves`, `why` and `value` have");
            return 2;
        }
        if file == Some("-") {
            self.output
                .error("the standard input is needed for what you type: name a file");
            return 2;
        }
        // Ctrl-C cancels the current evaluation, or ends the program if there is none (at a prompt, the line editor handles
        // it). A second one ends it, and so does the first where nobody types.
        let typed = std::io::stdin().is_terminal();
        let _ = ctrlc::set_handler(move || {
            match &*AT_WORK.lock().unwrap_or_else(PoisonError::into_inner) {
                Some(cancel) if typed && !cancel.is_cancelled() => cancel.cancel(),
                Some(_) => std::process::exit(3),
                None => std::process::exit(i32::from(CODE.load(Ordering::Relaxed))),
            }
        });
        let guard = Guard::of_conversation(self.common.memory, || {
            if let Some(cancel) = &*AT_WORK.lock().unwrap_or_else(PoisonError::into_inner) {
                cancel.cancel_for(Reason::Memory);
            }
        });
        self.guard = Some(guard);
        let world = Disk;
        let mut repl = Repl::new(&world, self.settings(true));
        let mut input = Input::new(self.output.look().color);
        let mut named = file.map(str::to_owned);
        if let Some(file) = file {
            self.read_file(&mut repl, file);
        }
        if input.is_terminal() {
            self.output
                .line("cgdsl: type a position, a value, a query or a definition; `:help` says more, Ctrl-D ends.");
        }
        loop {
            input.know(&repl);
            let text = match input.hear() {
                Heard::Piece(text) => text,
                Heard::Nothing => continue,
                Heard::End => break,
            };
            if self.output.is_closed() {
                break;
            }
            if let Some(command) = text.trim().strip_prefix(':') {
                if !self.command(&mut repl, command, &mut named) {
                    break;
                }
                continue;
            }
            self.enter(&mut repl, &text);
        }
        if input.is_terminal() {
            return 0;
        }
        CODE.load(Ordering::Relaxed)
    }

    /// Does work that Ctrl-C or `--time` can cancel.
    fn work<T>(
        &mut self,
        repl: &mut Repl<'_>,
        what: impl FnOnce(&mut Self, &mut Repl<'_>) -> T,
    ) -> T {
        let cancel = repl.cancel();
        at_work(Some(cancel.clone()));
        super::limited(&cancel, self.common.time);
        let done = what(self, repl);
        at_work(None);
        if cancel.is_cancelled() {
            repl.renew();
        }
        done
    }

    fn read_file(&mut self, repl: &mut Repl<'_>, file: &str) {
        let (_, all) = repl.load(file);
        self.tell(repl, &all);
    }

    fn tell(&mut self, repl: &Repl<'_>, all: &[Diagnostic]) {
        if all.iter().any(Diagnostic::is_error) {
            note(2);
        }
        self.output.diagnostics(all, repl.session().sources());
    }

    fn enter(&mut self, repl: &mut Repl<'_>, text: &str) {
        let entered: Entered = self.work(repl, |run, repl| {
            let watch = Watch::start(&repl.session().progress(), false);
            let look = run.output.look();
            let output = &mut *run.output;
            let entered = repl.enter(text, |i, sources| {
                watch.pause(|| {
                    output.text(&item(i, look));
                    if i.status != Status::Unknown {
                        output.diagnostics(&i.messages, sources);
                    }
                });
            });
            watch.stop();
            entered
        });
        for (name, again) in &entered.defined {
            let line = match again {
                true => format!("{name} is defined anew"),
                false => format!("{name} is defined"),
            };
            self.output.line(&line);
        }
        for i in &entered.items {
            match i.status {
                Status::Broken => note(2),
                Status::Failed => note(1),
                Status::Unknown => note(3),
                _ => {}
            }
        }
        self.tell(repl, &entered.diagnostics);
        if entered.asked {
            self.output
                .line("questions are asked by `cgdsl quiz FILE`, from a file");
        }
    }

    /// Runs a command. Returns whether the conversation goes on.
    fn command(&mut self, repl: &mut Repl<'_>, text: &str, named: &mut Option<String>) -> bool {
        let (word, rest) = text
            .split_once(char::is_whitespace)
            .map_or((text, ""), |(w, r)| (w, r.trim()));
        match word {
            "quit" | "q" | "exit" => return false,
            "help" | "h" | "?" | "" => self.output.text(HELP),
            "load" | "reload" => {
                if !rest.is_empty() {
                    *named = Some(rest.to_owned());
                }
                match named.clone() {
                    Some(file) => {
                        self.read_file(repl, &file);
                        let names = repl.names();
                        if !names.is_empty() {
                            self.output.line(&format!("{file}: {}", names.join(", ")));
                        }
                    }
                    None => {
                        self.wrong("which file? `:load FILE`, or the name of a shipped ruleset")
                    }
                }
            }
            "names" => {
                let names = repl.names();
                let line = match names.is_empty() {
                    true => "nothing is defined; `:load nim` reads a shipped ruleset".to_owned(),
                    false => names.join(", "),
                };
                self.output.line(&line);
            }
            "explain" if crate::diagnostic::Code::parse(rest).is_some() => {
                super::simple::page(self.output, rest);
            }
            "draw" | "moves" | "why" | "tree" | "explain" => self.about(repl, word, rest),
            "diff" => self.differences(repl, rest),
            other => {
                let near = crate::diagnostic::near(other, COMMANDS.iter().map(|c| &c[1..]))
                    .map_or_else(String::new, |c| format!(" (did you mean `:{c}`?)"));
                self.wrong(&format!(
                    "there is no command `:{other}`{near}; `:help` lists them"
                ));
            }
        }
        true
    }

    fn wrong(&mut self, message: &str) {
        note(2);
        self.output.error(message);
    }

    /// `:diff`: the effect of a redefinition, or the differences between two rulesets.
    fn differences(&mut self, repl: &mut Repl<'_>, text: &str) {
        let mut words: Vec<&str> = text.split_whitespace().collect();
        let sized = words
            .last()
            .filter(|w| w.starts_with(|c: char| c.is_ascii_digit()));
        let up_to = sized.copied().unwrap_or("3");
        if sized.is_some() {
            words.pop();
        }
        let (Ok(size), Ok(two)) = (
            super::search::size(up_to),
            match words[..] {
                [] => Ok(None),
                [a, b] => Ok(Some((a, b))),
                _ => Err(()),
            },
        ) else {
            self.wrong("`:diff`, `:diff 2x3`, `:diff OLD NEW` or `:diff OLD NEW 2x3`: two rulesets, and the largest boards");
            return;
        };
        let done = self.work(repl, |_, repl| repl.differences(two, &size));
        match done {
            Ok(rulesets) if rulesets.is_empty() => self.output.line("no ruleset differs"),
            Ok(rulesets) => {
                let (old, new) = two.unwrap_or_default();
                let told = differences::Differences {
                    old,
                    new,
                    up_to,
                    rulesets: &rulesets,
                    queries: &[],
                    queries_compared: 0,
                    queries_unknown: 0,
                };
                let text = differences::text(&told, self.output.look());
                self.output.text(&text);
            }
            Err(d) => {
                note(2);
                self.output.diagnostics(&[d], repl.session().sources());
            }
        }
    }

    /// A command about a position.
    fn about(&mut self, repl: &mut Repl<'_>, word: &str, text: &str) {
        type Done = Result<String, (Vec<Diagnostic>, bool)>;
        let done: Done = self.work(repl, |run, repl| {
            let position = repl.position(text).map_err(|all| (all, false))?;
            let look = run.output.look();
            let told = |(d, limit): (Diagnostic, bool)| (vec![d], limit);
            let (session, loaded) = repl.parts();
            Ok(match word {
                "why" => {
                    let why = session.why(loaded, &position).map_err(told)?;
                    why_text(&why, look)
                }
                "tree" => {
                    let (tree, limit) = session.tree(loaded, &position, 2).map_err(told)?;
                    let text = draw::tree_text(&tree, look.color);
                    if let Some(limit) = limit {
                        run.output.text(&text);
                        return Err((vec![limit], true));
                    }
                    text
                }
                "moves" => {
                    let all = session.moves(loaded, &position).map_err(told)?;
                    let players = all.players.iter();
                    let text: String = players
                        .map(|(name, moves)| moves_text(name, moves, usize::MAX, look))
                        .collect();
                    if let Some(why) = all.stopped {
                        run.output.text(&text);
                        return Err(told(why));
                    }
                    text
                }
                "explain" => match session.derived(loaded, &position) {
                    (facts, None) => derived(&facts, look),
                    (_, Some(limit)) => return Err((vec![limit], true)),
                },
                _ => match figure(&position) {
                    Ok(figure) => draw::text(&figure).join("\n") + "\n",
                    Err(_) => Repl::picture(&position).text + "\n",
                },
            })
        });
        match done {
            Ok(text) => self.output.text(&text),
            Err((all, limit)) => {
                note(if limit { 3 } else { 2 });
                self.output.diagnostics(&all, repl.session().sources());
            }
        }
    }
}
