//! `cgdsl watch`: whenever a file, or one that it uses, is saved, prints what changed in its answers. Answers whose texts did
//! not change are kept; a save cancels a long evaluation. If another file is given for comparison, the differences between
//! the two are printed as well.

use super::STACK;
use super::diff::{Told, read_size};
use super::guard::Guard;
use super::run::Run;
use crate::diagnostic::{Style, plain, render};
use crate::game::{Cancel, Reason};
use crate::report::changed::Said;
use crate::report::{Look, item as item_text, name};
use crate::session::changes::answers;
use crate::session::compare::Side;
use crate::session::{
    Disk, Item, LONGEST, Loaded, Session, Settings, Status, Unsaved, World, read_regular,
};
use notify::{RecursiveMode, Watcher};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How long a save may take: an editor writes, renames and touches.
const QUIET: Duration = Duration::from_millis(12);

/// The events of the main thread.
enum Heard {
    /// Something happened in a watched folder.
    Touched(Vec<PathBuf>),
    /// The messages about the file.
    Checked(u64, Checked),
    /// An answer, with the text on which it depends.
    Answered(u64, String, Vec<Item>),
    /// The differences from the other file, and the answers of that file.
    Compared(u64, String, Answers),
    /// The round has ended.
    Done(u64, bool),
}

/// Answers, by the text on which they depend.
type Answers = BTreeMap<String, Vec<Item>>;

/// The file for comparison.
#[derive(Clone)]
struct Against {
    file: String,
    /// Its text when the command started, if it is the watched file itself.
    text: Option<Vec<u8>>,
    written: String,
    up_to: Vec<u32>,
    look: Look,
}

/// The result of reading a file.
struct Checked {
    /// The messages as printed.
    drawn: String,
    /// The messages, one by one.
    messages: Vec<String>,
    /// The files that were read.
    files: Vec<PathBuf>,
    /// Whether part of it could not be read, so that missing queries may only be hidden.
    broken: bool,
}

/// What is known from earlier rounds.
#[derive(Default)]
struct Known {
    /// The answers.
    answers: Answers,
    /// The answers of the other file.
    old_answers: Answers,
    /// The differences that were last printed.
    compared: String,
    /// The last good answer to each name, for comparison.
    said: BTreeMap<String, Said>,
    /// What has replaced it since: a message, or a limit.
    instead: BTreeMap<String, Said>,
    /// The messages.
    messages: Vec<String>,
    /// Whether the file has errors, see [`Checked::broken`].
    broken: bool,
}

/// What a round has printed so far.
#[derive(Default)]
struct Round {
    changed: usize,
    same: usize,
    /// The names of the queries.
    names: BTreeSet<String>,
    answers: Answers,
}

fn contents(paths: &[PathBuf]) -> Vec<Option<Vec<u8>>> {
    paths
        .iter()
        .map(|p| read_regular(p, LONGEST).ok())
        .collect()
}

/// Answers the queries of a file. Known answers are reported without being recomputed. Returns all answers in order.
fn answered(
    session: &mut Session<'_>,
    loaded: &mut Loaded,
    known: &Answers,
    mut tell: impl FnMut(String, Vec<Item>),
) -> Vec<Item> {
    let mut all = Vec::new();
    answers(session, loaded, known, |key, items| {
        all.extend(items.iter().cloned());
        tell(key, items);
    });
    all
}

/// The differences from the other file, and the answers of that file.
fn compared(
    against: &Against,
    (file, after, new): (&str, &[Item], Side<'_, '_>),
    (settings, style): (Settings, Style),
    known: &Answers,
) -> (String, Answers) {
    let disk = Disk;
    let kept = against.text.iter().map(|t| (&*against.file, &t[..]));
    let overlay = Unsaved::all(&disk, kept);
    let world: &dyn World = &overlay;
    let mut session = Session::new(world, settings);
    let mut old = session.load(&against.file);
    if old.main.is_none() || old.broken > 0 {
        let drawn = old.diagnostics.iter();
        let drawn: String = drawn.map(|d| render(d, session.sources(), style)).collect();
        let why = format!("{drawn}nothing is compared: {} has errors\n", against.file);
        return (why, Answers::new());
    }
    let mut answers = Answers::new();
    let before = answered(&mut session, &mut old, known, |key, items| {
        if items.iter().all(|i| i.status != Status::Unknown) {
            answers.insert(key, items);
        }
    });
    let old = Side {
        session: &mut session,
        loaded: &mut old,
        ruleset: None,
    };
    let told = Told::of_files(
        (&against.file, &before, old),
        (file, after, new),
        (&against.written, &against.up_to),
    );
    (told.text(against.look), answers)
}

/// Reads and evaluates the file once, in its own thread.
fn round(
    number: u64,
    file: &str,
    (settings, style): (Settings, Style),
    (known, old_known): (&Answers, &Answers),
    against: Option<&Against>,
    tell: &Sender<Heard>,
) {
    let cancel = settings.cancel.clone();
    let world = Disk;
    let mut session = Session::new(&world, settings.clone());
    let mut loaded = session.load(file);
    let mut drawn = String::new();
    let mut messages = Vec::new();
    for d in &loaded.diagnostics {
        drawn.push_str(&render(d, session.sources(), style));
        let about = plain(d, session.sources());
        let line = about.labels.first().map_or(0, |l| l.place.line);
        messages.push(format!("line {line}: {}", d.message));
    }
    let files = session.sources().iter();
    let checked = Checked {
        drawn,
        messages,
        files: files.map(|(_, s)| PathBuf::from(&*s.name)).collect(),
        broken: loaded.broken > 0,
    };
    let _ = tell.send(Heard::Checked(number, checked));
    let after = answered(&mut session, &mut loaded, known, |key, items| {
        let _ = tell.send(Heard::Answered(number, key, items));
    });
    // A file that cannot be read completely is not compared: what seems missing may only be hidden.
    if let Some(against) = against.filter(|_| loaded.broken == 0) {
        let new = Side {
            session: &mut session,
            loaded: &mut loaded,
            ruleset: None,
        };
        let (text, answers) = compared(against, (file, &after, new), (settings, style), old_known);
        let _ = tell.send(Heard::Compared(number, text, answers));
    }
    let _ = tell.send(Heard::Done(number, cancel.is_cancelled()));
}

impl Run<'_> {
    /// `cgdsl watch`
    pub fn watch(&mut self, file: &str, against: Option<(&str, &str)>) -> u8 {
        if self.output.json {
            self.output
                .error("watching has no JSON: run `cgdsl eval --json` when the file has changed");
            return 2;
        }
        if !Path::new(file).is_file() {
            self.output.error(&format!(
                "`{file}` is not a file here; `cgdsl new -o {file}` makes one to start from"
            ));
            return 2;
        }
        let against = match against.map(|(old, written)| (old, written, read_size(written))) {
            None => None,
            Some((_, _, Err(why))) => return self.refused(&why),
            Some((old, written, Ok(up_to))) => Some(Against {
                file: old.to_owned(),
                text: match Path::new(old) == Path::new(file) {
                    true => read_regular(Path::new(file), LONGEST).ok(),
                    false => None,
                },
                written: written.to_owned(),
                up_to,
                look: self.output.look(),
            }),
        };
        let (tell, hear) = channel();
        let touched = tell.clone();
        let watcher = notify::recommended_watcher(move |event: notify::Result<notify::Event>| {
            if let Ok(event) = event
                && !event.kind.is_access()
            {
                let _ = touched.send(Heard::Touched(event.paths));
            }
        });
        let mut watcher = match watcher {
            Ok(watcher) => watcher,
            Err(e) => {
                self.output
                    .error(&format!("files cannot be watched here: {e}"));
                return 2;
            }
        };
        // Ctrl-C is the way to end this command.
        let _ = ctrlc::set_handler(|| std::process::exit(0));
        let at_work = Arc::new(Mutex::new(Cancel::new()));
        let watched = at_work.clone();
        let guard = Guard::of_conversation(self.common.memory, move || {
            let round = watched.lock().unwrap_or_else(PoisonError::into_inner);
            round.cancel_for(Reason::Memory);
        });
        self.guard = Some(guard);
        let mut folders = BTreeSet::new();
        let mut paths = vec![PathBuf::from(file)];
        let other = against.iter().map(|a| PathBuf::from(&a.file));
        paths.extend(
            other
                .filter(|p| p.is_file() && *p != paths[0])
                .collect::<Vec<_>>(),
        );
        let mut known = Known::default();
        let mut number = 0;
        loop {
            number += 1;
            for path in &paths {
                // The folder is watched, not the file: many editors save by replacing the file.
                let folder = match path.parent() {
                    Some(p) if !p.as_os_str().is_empty() => p.to_path_buf(),
                    _ => PathBuf::from("."),
                };
                if folders.insert(folder.clone())
                    && let Err(e) = watcher.watch(&folder, RecursiveMode::NonRecursive)
                    && number == 1
                {
                    self.output
                        .error(&format!("{} cannot be watched: {e}", folder.display()));
                    return 2;
                }
            }
            let before = contents(&paths);
            let cancel = Cancel::with_memory(self.common.memory);
            super::limited(&cancel, self.common.time);
            *at_work.lock().unwrap_or_else(PoisonError::into_inner) = cancel.clone();
            let settings = Settings {
                cancel: cancel.clone(),
                ..self.settings(false)
            };
            let style = self.output.style();
            let (tell, name, against) = (tell.clone(), file.to_owned(), against.clone());
            let answers = (known.answers.clone(), known.old_answers.clone());
            let started = Instant::now();
            let worker = std::thread::Builder::new()
                .name("round".to_owned())
                .stack_size(STACK)
                .spawn(move || {
                    let known = (&answers.0, &answers.1);
                    let how = (settings, style);
                    round(number, &name, how, known, against.as_ref(), &tell);
                });
            let Ok(worker) = worker else {
                self.output.error("no thread to work on");
                return 2;
            };
            let saved = self.listen(number, &hear, &mut known, &mut paths, started, before);
            cancel.cancel();
            let _ = worker.join();
            if !saved {
                return 0;
            }
        }
    }

    /// Prints the results of a round until a file is saved. Returns false if the output is closed.
    fn listen(
        &mut self,
        number: u64,
        hear: &Receiver<Heard>,
        known: &mut Known,
        paths: &mut Vec<PathBuf>,
        started: Instant,
        before: Vec<Option<Vec<u8>>>,
    ) -> bool {
        let mut before = before;
        let mut round = Round::default();
        let mut waiting: VecDeque<Heard> = VecDeque::new();
        loop {
            let heard = match waiting.pop_front().map_or_else(|| hear.recv(), Ok) {
                Ok(heard) => heard,
                Err(_) => return false,
            };
            if self.output.is_closed() {
                return false;
            }
            match heard {
                Heard::Touched(touched) => {
                    let ours = |p: &PathBuf| {
                        paths
                            .iter()
                            .any(|q| q.file_name().is_some() && q.file_name() == p.file_name())
                    };
                    if !touched.iter().any(ours) {
                        continue;
                    }
                    // Waits until the folder is quiet; unchanged files do not count as saved.
                    let end = Instant::now() + 4 * QUIET;
                    while let Ok(more) = hear.recv_timeout(QUIET) {
                        if !matches!(more, Heard::Touched(_)) {
                            waiting.push_back(more);
                        }
                        if Instant::now() > end {
                            break;
                        }
                    }
                    if contents(paths) != before {
                        return true;
                    }
                }
                Heard::Checked(n, checked) if n == number => {
                    let files = checked.files.clone();
                    self.checked(number, known, checked);
                    for path in files {
                        if path.is_file() && !paths.contains(&path) {
                            paths.push(path);
                        }
                    }
                    if before.len() != paths.len() {
                        before = contents(paths);
                    }
                }
                Heard::Answered(n, key, items) if n == number => {
                    for item in &items {
                        self.answered(item, known, &mut round);
                    }
                    // Whether a limit is met depends on circumstances, so such an answer is recomputed in the next round.
                    if items.iter().all(|i| i.status != Status::Unknown) {
                        round.answers.insert(key, items);
                    }
                }
                Heard::Compared(n, text, answers) if n == number => {
                    known.old_answers = answers;
                    if text != known.compared || std::io::stdout().is_terminal() {
                        self.output.text(&text);
                        known.compared = text;
                    }
                }
                Heard::Done(n, cancelled) if n == number => {
                    if cancelled {
                        continue;
                    }
                    let time = started.elapsed().as_millis();
                    self.done(known, std::mem::take(&mut round), time);
                }
                Heard::Checked(..)
                | Heard::Answered(..)
                | Heard::Compared(..)
                | Heard::Done(..) => {}
            }
        }
    }

    /// Prints an answer that differs from the previous one. A message in its place does not replace the last good answer,
    /// with which later answers are compared.
    fn answered(&mut self, item: &Item, known: &mut Known, round: &mut Round) {
        let called = name(item);
        let said = Said::of(item);
        round.names.insert(called.clone());
        let instead = known.instead.remove(&called);
        let last = instead.as_ref().or_else(|| known.said.get(&called));
        match last {
            Some(old) if old.same(&said) => round.same += 1,
            _ => {
                round.changed += 1;
                let lines = match known.said.get(&called) {
                    Some(good) if good.same(&said) => {
                        vec![format!("{called}: {} again", said.brief)]
                    }
                    Some(good) => good.changes(&called, &said),
                    None => Vec::new(),
                };
                if lines.is_empty() {
                    if known.said.contains_key(&called) {
                        self.output.line(&format!("{called}: changed"));
                    }
                    let text = item_text(item, self.output.look());
                    self.output.text(&text);
                }
                for line in lines {
                    self.output.line(&line);
                }
            }
        }
        if said.good {
            known.said.insert(called, said);
        } else {
            known.instead.insert(called, said);
        }
    }

    /// Ends a round: reports queries that are gone, and prints a summary.
    fn done(&mut self, known: &mut Known, round: Round, time: u128) {
        let unasked = |known: &BTreeMap<String, Said>| -> Vec<String> {
            let all = known.keys().filter(|k| !round.names.contains(*k));
            all.cloned().collect()
        };
        let missing = unasked(&known.said);
        let mut hidden = String::new();
        if known.broken {
            // They come back when the error is fixed; until then, the answers of the last good file are kept.
            known.answers.extend(round.answers);
            if !missing.is_empty() {
                hidden = format!(", {} not asked until the file is mended", missing.len());
            }
        } else {
            for name in missing {
                known.said.remove(&name);
                self.output.line(&format!("{name}: gone"));
            }
            for name in unasked(&known.instead) {
                known.instead.remove(&name);
            }
            known.answers = round.answers;
        }
        self.output.line(&format!(
            "-- {} changed, {} the same, {} wrong{hidden}; {time} ms",
            round.changed,
            round.same,
            known.messages.len()
        ));
    }

    /// Reports errors that appear and vanish.
    fn checked(&mut self, number: u64, known: &mut Known, checked: Checked) {
        let Checked {
            drawn,
            messages,
            files: _,
            broken,
        } = checked;
        known.broken = broken;
        if number > 1 && std::io::stdout().is_terminal() {
            // Clears the screen, so that only the current state is visible.
            self.output.drawn("\x1b[2J\x1b[H");
        }
        for old in &known.messages {
            let text = |m: &str| m.split_once(": ").map_or(m.to_owned(), |x| x.1.to_owned());
            if !messages.iter().any(|m| text(m) == text(old)) {
                self.output.line(&format!("mended: {old}"));
            }
        }
        if messages != known.messages || std::io::stdout().is_terminal() {
            self.output.drawn(&drawn);
        }
        known.messages = messages;
    }
}
