//! `cgdsl check`: reports what is wrong with files, and with `--fix` mends them.

use super::args::{Check, Fix};
use super::run::Run;
use crate::diagnostic::Plain;
use crate::report::{Document, paper};
use crate::session::fix::{Applied, Mended, Which, mend};
use crate::session::{Disk, NoFile, Session, Unsaved, World};
use imara_diff::{
    Algorithm, Diff, InternedInput, Interner, Token, UnifiedDiffConfig, UnifiedDiffPrinter,
};
use serde::Serialize;
use std::fmt;
use std::io::Write;
use std::path::Path;

/// The content of `check --json`.
#[derive(Serialize)]
struct Checked {
    files: Vec<CheckedFile>,
}

#[derive(Serialize)]
struct CheckedFile {
    file: String,
    rulesets: Vec<String>,
    queries: usize,
    questions: usize,
    broken: usize,
    /// Whether a limit ended the reading.
    #[serde(skip)]
    ended: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    fixed: Option<Fixed>,
}

/// What `--fix` and `--diff` did, or would do.
#[derive(Serialize)]
struct Fixed {
    changed: bool,
    /// Whether the file was written; not with `--diff`, nor for standard input.
    written: bool,
    applied: Vec<Applied>,
    #[serde(skip_serializing_if = "Option::is_none")]
    diff: Option<String>,
    /// The mended text of standard input.
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<String>,
}

impl Run<'_> {
    /// Checks files; the exit code is 2 if the files, as they are afterwards, have errors.
    pub fn check(&mut self, args: &Check) -> u8 {
        let format = self.output.speak(args.written.format);
        if args.name.is_some() && args.files != ["-"] {
            self.output
                .error("--name names the standard input: cgdsl check - --name game.rules");
            return 2;
        }
        let mut rows = Vec::new();
        let mut all = Vec::new();
        let mut checked = Vec::new();
        let mut refused = false;
        for file in &args.files {
            let input;
            let unsaved;
            let name = args.name.as_deref().unwrap_or(file);
            let world: &dyn World = if file == "-" {
                // Standard input can be read only once, but mending reads a file repeatedly.
                input = match Disk.read("-", &self.cancel) {
                    Ok(bytes) => bytes,
                    Err(why) => {
                        self.output.error(&format!("{name}: {why}"));
                        self.output.ended |= why == NoFile::Cancelled;
                        refused |= why != NoFile::Cancelled;
                        continue;
                    }
                };
                unsaved = Unsaved::new(&Disk, name, &input);
                &unsaved
            } else {
                &Disk
            };
            let fixed = match self.fixed(args, file, name, world) {
                Ok(fixed) => fixed,
                Err(()) => {
                    refused = true;
                    None
                }
            };
            // The remaining messages are about the file as it is now.
            let now;
            let world: &dyn World = match &fixed {
                Some((mended, _)) if !args.diff => {
                    now = Unsaved::new(world, name, mended.text.as_bytes());
                    &now
                }
                _ => world,
            };
            let (row, mut found, plain) = self.check_one(name, world);
            all.extend(plain);
            if let Some((_, fixed)) = fixed {
                self.show_fixed(&fixed, file, name);
                found.fixed = Some(fixed);
            }
            match format {
                Some(_) => rows.push(row),
                // The mended text of standard input is the only output.
                None if file == "-" && found.fixed.is_some() && !self.output.json => {}
                None if !self.output.json => self.output.line(&said(&found)),
                None => {}
            }
            checked.push(found);
        }
        if let Some(format) = format {
            self.output.text(&paper::checked(rows, format));
        }
        let broken = refused || checked.iter().any(|f| f.broken > 0);
        if self.output.json {
            let document = Document::new("cgdsl/check/1", Checked { files: checked }, all);
            self.output.document(&document);
        }
        match std::mem::take(&mut self.output.ended) {
            _ if broken => 2,
            true => 3,
            false => 0,
        }
    }

    /// Checks one file: returns its row of a table, its counts and its messages.
    fn check_one(
        &mut self,
        name: &str,
        world: &dyn World,
    ) -> (Vec<String>, CheckedFile, Vec<Plain>) {
        let mut session = Session::new(world, self.settings(false));
        let (loaded, plain) = self.load(&mut session, name);
        let rulesets: Vec<String> = loaded
            .model
            .rulesets
            .iter()
            .filter(|r| !r.broken && !r.hidden && Some(r.span.file) == loaded.main)
            .map(|r| r.name.to_string())
            .collect();
        let found = CheckedFile {
            file: name.to_owned(),
            queries: loaded.queries.len(),
            questions: loaded.model.asks.len(),
            broken: loaded.broken - usize::from(loaded.met.is_some()),
            ended: loaded.met.is_some(),
            rulesets,
            fixed: None,
        };
        let row = vec![
            found.file.clone(),
            fine(&found),
            found.rulesets.len().to_string(),
            found.queries.to_string(),
        ];
        (row, found, plain)
    }

    /// The file with its suggestions applied, and written unless only a diff is wanted; `None` if neither is requested.
    fn fixed(
        &mut self,
        args: &Check,
        file: &str,
        name: &str,
        world: &dyn World,
    ) -> Result<Option<(Mended, Fixed)>, ()> {
        let which = match args.fix {
            None if !args.diff => return Ok(None),
            None | Some(Fix::Safe) => Which::Safe,
            Some(Fix::All) => Which::All,
        };
        let mended = match mend(world, &self.settings(false), name, which) {
            Ok(mended) => mended,
            Err(why) => {
                // A shipped file is checked, but not changed; a missing file is reported by the check.
                let shipped = crate::session::shipped::find(name);
                if matches!(shipped, crate::session::shipped::Found::One(_)) {
                    self.output.error(&format!(
                        "{name}: a shipped file is not changed; copy it first: cgdsl list shows where from"
                    ));
                } else {
                    self.output.error(&format!("{name}: {why}"));
                }
                return Err(());
            }
        };
        let changed = mended.text != mended.before;
        let write = changed && !args.diff && file != "-";
        if write && let Err(why) = replace(Path::new(file), &mended.text) {
            self.output.error(&format!("{file}: {why}"));
            return Err(());
        }
        let fixed = Fixed {
            changed,
            written: write,
            applied: mended.applied.clone(),
            diff: args.diff.then(|| diff(name, &mended)),
            text: (file == "-").then(|| mended.text.clone()),
        };
        Ok(Some((mended, fixed)))
    }

    fn show_fixed(&mut self, fixed: &Fixed, file: &str, name: &str) {
        if self.output.json {
            return;
        }
        if let Some(diff) = &fixed.diff {
            self.output.text(diff);
        } else if file == "-" {
            self.output.text(fixed.text.as_deref().unwrap_or(""));
        } else {
            for a in &fixed.applied {
                let place = a.edits.first().map(|e| &e.place);
                let at = place.map_or(String::new(), |p| format!("{}:{}", p.line, p.column));
                self.output.aside(&format!(
                    "{name}:{at}: fixed {}: {} ({})\n",
                    a.code, a.message, a.suggestion
                ));
            }
        }
    }
}

fn fine(file: &CheckedFile) -> String {
    match file.broken {
        0 if file.ended => "unknown".to_owned(),
        0 => "fine".to_owned(),
        n => format!("{} broken", count(n, "item")),
    }
}

fn count(n: usize, one: &str) -> String {
    format!("{n} {one}{}", if n == 1 { "" } else { "s" })
}

/// The line printed for one file.
fn said(file: &CheckedFile) -> String {
    let queries = match file.queries {
        1 => "1 query".to_owned(),
        n => format!("{n} queries"),
    };
    let mut parts = vec![count(file.rulesets.len(), "ruleset"), queries];
    if file.questions > 0 {
        parts.push(count(file.questions, "question"));
    }
    let mut out = format!("{}: {} ({})", file.file, fine(file), parts.join(", "));
    if let Some(fixed) = file.fixed.as_ref().filter(|f| !f.applied.is_empty()) {
        let n = count(fixed.applied.len(), "fix").replace("fixs", "fixes");
        out += &match fixed.written {
            true => format!(", {n} applied"),
            false => format!(", {n} could be applied"),
        };
    }
    out
}

/// The changed lines in the unified format; empty if there are none.
fn diff(name: &str, mended: &Mended) -> String {
    if mended.before == mended.text {
        return String::new();
    }
    let input = InternedInput::new(mended.before.as_str(), mended.text.as_str());
    let mut diff = Diff::compute(Algorithm::Myers, &input);
    diff.postprocess_lines(&input);
    let lines = Marked(&input.interner);
    let changes = diff.unified_diff(&lines, UnifiedDiffConfig::default(), &input);
    format!("--- {name}\n+++ {name}\n{changes}")
}

/// The lines of a diff, with the marker that `patch` expects if the last line has no newline.
struct Marked<'a>(&'a Interner<&'a str>);

impl Marked<'_> {
    fn line(&self, mut f: impl fmt::Write, sign: char, token: Token) -> fmt::Result {
        let text = self.0[token];
        let rest = match text.ends_with('\n') {
            true => "",
            false => "\n\\ No newline at end of file\n",
        };
        write!(f, "{sign}{text}{rest}")
    }
}

impl UnifiedDiffPrinter for Marked<'_> {
    fn display_header(
        &self,
        mut f: impl fmt::Write,
        before: u32,
        after: u32,
        lines_before: u32,
        lines_after: u32,
    ) -> fmt::Result {
        // An empty range is given by the line above it.
        let place = |start: u32, lines: u32| start + u32::from(lines > 0);
        let (b, a) = (place(before, lines_before), place(after, lines_after));
        writeln!(f, "@@ -{b},{lines_before} +{a},{lines_after} @@")
    }

    fn display_context_token(&self, f: impl fmt::Write, token: Token) -> fmt::Result {
        self.line(f, ' ', token)
    }

    fn display_hunk(
        &self,
        mut f: impl fmt::Write,
        before: &[Token],
        after: &[Token],
    ) -> fmt::Result {
        for token in before {
            self.line(&mut f, '-', *token)?;
        }
        for token in after {
            self.line(&mut f, '+', *token)?;
        }
        Ok(())
    }
}

/// Writes a new file beside the old one and moves it into place, so that a killed run leaves one of them complete. A symbolic
/// link remains a link, and permissions are kept.
fn replace(path: &Path, text: &str) -> std::io::Result<()> {
    let path = std::fs::canonicalize(path)?;
    let mut beside = path.clone().into_os_string();
    beside.push(format!(".{}.new", std::process::id()));
    let write = || {
        let mut file = std::fs::File::create_new(&beside)?;
        file.write_all(text.as_bytes())?;
        file.set_permissions(std::fs::metadata(&path)?.permissions())?;
        file.sync_all()?;
        std::fs::rename(&beside, &path)
    };
    write().inspect_err(|_| {
        let _ = std::fs::remove_file(&beside);
    })
}
