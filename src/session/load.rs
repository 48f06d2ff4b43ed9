//! Reads and parses a file and everything it `use`s. Input: a file name; output: the parsed files, each once, every file
//! after those it uses.

use super::Settings;
use super::shipped::{self, Found};
use super::world::{NoFile, World, normal};
use crate::base::{FileId, Sources, Span};
use crate::diagnostic::{Code, Diagnostic, Suggestion, did_you_mean, near};
use crate::game::{Cancel, Limit};
use crate::syntax::ast::{self, ItemKind};
use crate::syntax::parse_file_while;
use std::sync::Arc;

/// The longest chain of files each of which uses the next.
const DEEPEST: usize = 100;

/// The most files that are read. A file that is used under several names counts once for each.
const MOST: usize = 1000;

/// The origin of a file; equal origins are the same file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Origin {
    /// A path of the world.
    Path(String),
    /// A path among the shipped files.
    Shipped(&'static str),
    /// Standard input.
    Input,
}

impl Origin {
    fn name(&self) -> String {
        match self {
            Origin::Path(path) => path.clone(),
            Origin::Shipped(path) => format!("rulesets/{path}"),
            Origin::Input => "<stdin>".to_owned(),
        }
    }
}

/// Files that have been read and parsed.
#[derive(Debug, Default)]
pub struct Files {
    /// Used files first, the main file last.
    pub parsed: Vec<ast::File>,
    /// What went wrong.
    pub diagnostics: Vec<Diagnostic>,
    /// The number of files that could not be read.
    pub broken: usize,
}

/// The path that `target` denotes in the file `from`.
fn beside(from: &str, target: &str) -> String {
    if std::path::Path::new(target).is_absolute() {
        return target.to_owned();
    }
    match from.rfind(['/', '\\']) {
        Some(i) => normal(&format!("{}/{target}", &from[..i])),
        None => normal(target),
    }
}

/// Reads files.
pub struct Loader<'l> {
    /// The source of the files.
    pub world: &'l dyn World,
    /// Receives the texts.
    pub sources: &'l mut Sources,
    /// What has been read.
    pub files: Files,
    cancel: Cancel,
    /// Whether files outside `folders` may be used.
    anywhere: bool,
    /// The folders in which used files must be: the working directory, and that of the main file.
    folders: Vec<String>,
    /// The files already read, with the prefix of their names.
    known: Vec<(Origin, Arc<str>, FileId)>,
    /// The files that are being read, outermost first.
    open: Vec<Origin>,
    allowance: Allowance,
}

/// The budget for reading.
#[derive(Clone, Debug)]
pub struct Allowance {
    cancel: Cancel,
    bytes: usize,
    tokens: usize,
    /// The limit that was met, if any.
    pub met: Option<Limit>,
}

impl Allowance {
    /// A budget of `bytes` bytes for syntax trees, which `cancel` ends at any time.
    #[must_use]
    pub fn new(cancel: &Cancel, bytes: usize) -> Allowance {
        Allowance {
            cancel: cancel.clone(),
            bytes,
            tokens: 0,
            met: None,
        }
    }

    /// Whether the files are long. Short files are read and checked even after the time limit, so that there is something to
    /// answer from.
    #[must_use]
    pub fn is_long(&self) -> bool {
        self.tokens > FEW
    }

    /// Charges for an item of `tokens` tokens. Returns false if the budget is exhausted or the run was cancelled.
    fn pay(&mut self, tokens: usize) -> bool {
        self.tokens = self.tokens.saturating_add(tokens);
        if self.met.is_none() {
            let ended = self.cancel.limit().filter(|_| self.is_long());
            match self.bytes.checked_sub(tokens.saturating_mul(BYTES)) {
                _ if ended.is_some() => self.met = ended,
                Some(left) => self.bytes = left,
                None => self.met = Some(Limit::Memory),
            }
        }
        self.met.is_none()
    }
}

/// Files with at most this many tokens are read in negligible time.
const FEW: usize = 20_000;

/// The size of the trees made from a token, in bytes, as measured on long lists, sums and chains of operators.
const BYTES: usize = 250;

impl<'l> Loader<'l> {
    /// A loader that has read no files.
    pub fn new(
        world: &'l dyn World,
        sources: &'l mut Sources,
        settings: &Settings,
        allowance: Allowance,
    ) -> Loader<'l> {
        Loader {
            world,
            sources,
            files: Files::default(),
            cancel: settings.cancel.clone(),
            anywhere: settings.allow_outside,
            folders: vec![".".to_owned()],
            known: Vec::new(),
            open: Vec::new(),
            allowance,
        }
    }

    /// The budget, with the expenses so far.
    pub fn allowance(&self) -> &Allowance {
        &self.allowance
    }

    /// Reads the main file: a path, `-`, or the name of a shipped file. `None` if it cannot be read.
    pub fn main(&mut self, name: &str) -> Option<FileId> {
        let (origin, bytes) = match self.find(name) {
            Ok(found) => found,
            Err(d) => {
                self.files.diagnostics.push(d);
                self.files.broken += 1;
                return None;
            }
        };
        if let Origin::Path(path) = &origin {
            self.folders.push(folder_of(path));
        }
        self.file(origin, &bytes, "".into(), None)
    }

    /// Reads the file used by text that was typed.
    pub fn typed(&mut self, used: &ast::Use) {
        self.uses(&Origin::Input, "", used);
    }

    fn find(&mut self, name: &str) -> Result<(Origin, Vec<u8>), Diagnostic> {
        let origin = if name == "-" {
            Origin::Input
        } else {
            Origin::Path(name.to_owned())
        };
        let folder = match self.world.read(name, &self.cancel) {
            Ok(bytes) => return Ok((origin, bytes)),
            // A folder may have the name of a shipped file.
            Err(why @ (NoFile::Missing | NoFile::Folder)) if name != "-" => why == NoFile::Folder,
            Err(why) => {
                if why == NoFile::Cancelled {
                    self.allowance.met = self.cancel.limit();
                }
                return Err(unreadable(name, &why));
            }
        };
        match shipped::find(name) {
            Found::One(file) => Ok((Origin::Shipped(file.path), file.text.as_bytes().to_vec())),
            Found::Several(paths) => Err(Diagnostic::error(
                Code::E0701,
                format!("`{name}` is the name of several shipped files"),
            )
            .help(format!("write one of: {}", paths.join(", ")))),
            Found::None => {
                let near = did_you_mean(name, shipped::names());
                Err(Diagnostic::error(
                    Code::E0701,
                    if folder {
                        format!("`{name}` is a folder, and no shipped ruleset has that name")
                    } else {
                        format!("there is no file `{name}`, and no shipped ruleset has that name")
                    },
                )
                .help_if(near)
                .help("`cgdsl list` shows the shipped rulesets"))
            }
        }
    }

    /// Reads the files that a file uses, then parses the file.
    fn file(
        &mut self,
        origin: Origin,
        bytes: &[u8],
        prefix: Arc<str>,
        used_at: Option<Span>,
    ) -> Option<FileId> {
        let name = origin.name();
        let text = match std::str::from_utf8(bytes) {
            Ok(text) => text,
            Err(e) => {
                let read = String::from_utf8_lossy(&bytes[..e.valid_up_to()]);
                let line = read.matches('\n').count() + 1;
                let column = read.chars().rev().take_while(|c| *c != '\n').count() + 1;
                let byte = bytes.get(e.valid_up_to()).copied().unwrap_or_default();
                let mut d = Diagnostic::error(
                    Code::E0702,
                    format!(
                        "`{name}` is not UTF-8 text: line {line}, column {column} is the byte {byte:02X}"
                    ),
                )
                .help("save it as UTF-8");
                if let Some(span) = used_at {
                    d = d.at(span, "used here");
                }
                self.files.diagnostics.push(d);
                self.files.broken += 1;
                return None;
            }
        };
        let again = self.known.iter().any(|(o, ..)| *o == origin);
        let id = self.sources.add(&name, text);
        self.known.push((origin.clone(), prefix.clone(), id));
        let text = self.sources.get(id).map(|s| s.text.clone())?;
        let allowance = &mut self.allowance;
        let (mut file, mut diagnostics) = parse_file_while(id, &text, &mut |n| allowance.pay(n));
        if !again {
            self.files.diagnostics.append(&mut diagnostics);
        }
        file.again = again;
        file.prefix.clone_from(&prefix);
        if let Some(limit) = self.allowance.met {
            let fault = crate::claim::of_limit(limit, Span::new(id, 0, 0));
            self.files.diagnostics.push(crate::claim::diagnose(&fault));
        }
        self.open.push(origin.clone());
        let before = self.files.broken;
        for item in &file.items {
            if let ItemKind::Use(used) = &item.kind {
                self.uses(&origin, &prefix, used);
            }
        }
        file.unread_uses |= self.files.broken > before;
        self.open.pop();
        self.files.parsed.push(file);
        Some(id)
    }

    /// Reads the file used by a file whose names have the given prefix.
    fn uses(&mut self, from: &Origin, prefix: &str, used: &ast::Use) {
        let (target, span) = (&*used.target.value, used.target.span);
        let prefix: Arc<str> = match &used.name {
            Some(name) => format!("{prefix}{}.", name.text).into(),
            None => prefix.into(),
        };
        let found = self.used(from, target);
        let (origin, bytes) = match found {
            Ok(found) => found,
            Err(mut d) => {
                let near = near(target, shipped::names()).map(|name| {
                    // The edit says the same.
                    d.help.clear();
                    let text = format!("\"{name}.rules\"");
                    let message = format!("did you mean {text}?");
                    Suggestion::replace(span, text, message)
                });
                self.files
                    .diagnostics
                    .push(d.at(span, "used here").suggest_if(near));
                self.files.broken += 1;
                return;
            }
        };
        if let Some(start) = self.open.iter().position(|o| *o == origin) {
            let mut names: Vec<String> = self.open[start..].iter().map(Origin::name).collect();
            names.push(origin.name());
            self.files.diagnostics.push(
                Diagnostic::error(Code::E0703, "these files use each other in a circle")
                    .at(span, "this closes the circle")
                    .note(names.join("\n  uses ")),
            );
            self.files.broken += 1;
            return;
        }
        // Reading the same text from two places (the disk and the shipped files) would define everything twice.
        let same = |id: FileId| {
            let source = self.sources.get(id);
            source.is_some_and(|s| s.text.as_bytes() == bytes)
        };
        let known =
            |(o, p, id): &(Origin, Arc<str>, FileId)| *p == prefix && (*o == origin || same(*id));
        if self.known.iter().any(known) {
            return;
        }
        if self.known.len() >= MOST {
            self.files.diagnostics.push(
                Diagnostic::error(
                    Code::E0701,
                    format!("more than {MOST} files are used, each counted for every name under which it is"),
                )
                .at(span, "here"),
            );
            self.files.broken += 1;
            return;
        }
        if self.open.len() >= DEEPEST {
            self.files.diagnostics.push(
                Diagnostic::error(
                    Code::E0701,
                    format!("a chain of more than {DEEPEST} files that use each other"),
                )
                .at(span, "here"),
            );
            self.files.broken += 1;
            return;
        }
        self.file(origin, &bytes, prefix, Some(span));
    }

    fn used(&self, from: &Origin, target: &str) -> Result<(Origin, Vec<u8>), Diagnostic> {
        let shipped = |path: &str| match shipped::find(path) {
            Found::One(file) => Some((Origin::Shipped(file.path), file.text.as_bytes().to_vec())),
            _ => None,
        };
        let none = |what: String| {
            Diagnostic::error(Code::E0701, what).help_if(did_you_mean(target, shipped::names()))
        };
        let path = match from {
            Origin::Shipped(_) => {
                return shipped(target)
                    .ok_or_else(|| none(format!("there is no shipped file `{target}`")));
            }
            Origin::Path(path) => beside(path, target),
            Origin::Input => normal(target),
        };
        // Messages may quote a file's text, so only rules files are opened.
        if !path.ends_with(".rules") {
            return shipped(target).ok_or_else(|| {
                none(format!(
                    "`{target}` is not a shipped ruleset, and other files that are used end in .rules"
                ))
            });
        }
        let within = |folder: &String| self.world.lies_in(&path, folder);
        if !self.anywhere && !self.folders.iter().any(within) {
            return shipped(target).ok_or_else(|| {
                Diagnostic::error(
                    Code::E0701,
                    format!("`{path}` lies outside the working directory and the folder of the main file"),
                )
                .help("copy it there, or run the command with --allow-outside")
            });
        }
        match self.world.read(&path, &self.cancel) {
            Ok(bytes) => Ok((Origin::Path(path), bytes)),
            Err(NoFile::Missing) => {
                shipped(target).ok_or_else(|| none(format!("there is no file `{path}`")))
            }
            Err(why) => Err(unreadable(&path, &why)),
        }
    }
}

/// The folder part of a path.
fn folder_of(path: &str) -> String {
    match path.rfind(['/', '\\']) {
        Some(0) => "/".to_owned(),
        Some(i) => path[..i].to_owned(),
        None => ".".to_owned(),
    }
}

/// The message about a file that cannot be read.
pub(super) fn unreadable(name: &str, why: &NoFile) -> Diagnostic {
    let code = match why {
        NoFile::Cancelled => Code::E0711,
        _ => Code::E0701,
    };
    let said = Diagnostic::error(code, format!("`{name}` cannot be read: {why}"));
    match why {
        NoFile::Special => said.help(format!(
            "`-` reads the standard input: `cgdsl .. - < {name}`"
        )),
        _ => said,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_taken_from_the_folder_of_the_file() {
        assert_eq!(
            beside("papers/a.rules", "../grids/b.rules"),
            "grids/b.rules"
        );
        assert_eq!(beside("a.rules", "b.rules"), "b.rules");
        assert_eq!(beside("/x/y/a.rules", "./b.rules"), "/x/y/b.rules");
        assert_eq!(beside("x\\a.rules", "..\\b.rules"), "b.rules");
        assert_eq!(beside("a.rules", "../../b.rules"), "../../b.rules");
    }
}
