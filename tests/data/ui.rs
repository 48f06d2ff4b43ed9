//! Files of the language with the messages they must give, marked where they must stand.
//!
//! In `tests/ui/**/*.rules` a comment `//~ E0101 part of the message` marks its own line, `//~^` the line above, `//~^^`
//! the second above. Every message must be marked and every mark must be met. Beside each file stands a snapshot of the
//! pictures, `*.stderr`; `CGDSL_BLESS=1 cargo test --test data ui:` writes them anew.
//!
//! The pages of the diagnostics are tested here too: the block marked `rules` must give the page's code, the block marked
//! `rules-good` must read without error.

use crate::ui_support::{diagnose, reaches};
use cgdsl::base::Sources;
use cgdsl::diagnostic::{Code, Diagnostic, Style, render};
use cgdsl::session::fix::{Which, mend};
use cgdsl::session::{Memory, Session, Settings, Status};
use libtest_mimic::{Failed, Trial};
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// A test for each marked file, each page of a diagnostic and each kind of block in the reference.
pub fn trials() -> Vec<Trial> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests")
        .join("ui");
    let mut files = Vec::new();
    collect(&root, &mut files);
    files.sort();
    let mut trials: Vec<Trial> = files
        .into_iter()
        .map(|path| {
            let name = path
                .strip_prefix(&root)
                .unwrap_or(&path)
                .display()
                .to_string()
                .replace('\\', "/");
            Trial::test(format!("ui: {name}"), move || marked(&path, &name))
        })
        .collect();
    for info in Code::all() {
        trials.push(Trial::test(format!("ui: page {}", info.code), move || {
            page(info.code)
        }));
    }
    for mark in ["rules", "expr", "board", "broken"] {
        trials.push(Trial::test(format!("ui: GRAMMAR.md {mark}"), move || {
            reference(mark)
        }));
    }
    trials.push(Trial::test("ui: beginners mended", move || {
        beginners(&root)
    }));
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/ui");
    trials.push(Trial::test("ui: newcomers mended", move || {
        newcomers(&root)
    }));
    trials
}

fn collect(folder: &Path, out: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            collect(&path, out);
        } else if path.extension().is_some_and(|e| e == "rules") {
            out.push(path);
        }
    }
}

/// A mark: the line it speaks of (from 1), the code, a part of the message.
type Mark = (usize, String, String);

fn marks(text: &str) -> Vec<Mark> {
    let mut out = Vec::new();
    for (i, line) in text.lines().enumerate() {
        let Some((_, mark)) = line.split_once("//~") else {
            continue;
        };
        let up = mark.len() - mark.trim_start_matches('^').len();
        let mark = mark.trim_start_matches('^').trim();
        let (code, part) = mark.split_once(' ').unwrap_or((mark, ""));
        out.push((
            (i + 1).saturating_sub(up),
            code.to_string(),
            part.trim().to_string(),
        ));
    }
    out
}

fn line_of(diagnostic: &Diagnostic, text: &str) -> usize {
    let at = diagnostic
        .span()
        .map_or(0, |s| s.start as usize)
        .min(text.len());
    text.as_bytes()[..at]
        .iter()
        .filter(|b| **b == b'\n')
        .count()
        + 1
}

fn marked(path: &Path, name: &str) -> Result<(), Failed> {
    let text = std::fs::read_to_string(path)?.replace("\r\n", "\n");
    let mut sources = Sources::default();
    let diagnostics = diagnose(&mut sources, name, &text);
    let mut unmet = marks(&text);
    let mut faults = String::new();
    let mut pictures = String::new();
    for diagnostic in &diagnostics {
        let line = line_of(diagnostic, &text);
        let met = unmet.iter().position(|(l, code, part)| {
            *l == line
                && code == diagnostic.code.as_str()
                && diagnostic.message.contains(part.as_str())
        });
        match met {
            Some(i) => {
                unmet.remove(i);
            }
            None => {
                let _ = writeln!(
                    faults,
                    "not marked, line {line}: {} {}",
                    diagnostic.code, diagnostic.message
                );
            }
        }
        pictures.push_str(&render(
            diagnostic,
            &sources,
            Style {
                color: false,
                unicode: true,
                width: 0,
            },
        ));
        pictures.push('\n');
    }
    for (line, code, part) in unmet {
        let _ = writeln!(faults, "marked but not given, line {line}: {code} {part}");
    }
    if !faults.is_empty() {
        return Err(format!("{faults}\n{pictures}").into());
    }
    let snapshot = path.with_extension("stderr");
    if std::env::var_os("CGDSL_BLESS").is_some() {
        if pictures.is_empty() {
            let _ = std::fs::remove_file(&snapshot);
        } else {
            std::fs::write(&snapshot, &pictures)?;
        }
        return Ok(());
    }
    let before = std::fs::read_to_string(&snapshot)
        .unwrap_or_default()
        .replace("\r\n", "\n");
    if before == pictures {
        Ok(())
    } else {
        Err(format!("the picture has changed (CGDSL_BLESS=1 accepts it); it was\n{before}\nand is\n{pictures}").into())
    }
}

/// The files of `tests/ui/beginners` against the table of its `README.md`: each stands in it with its mark, and whether
/// `check --fix=all` mends it: the mended file checks without error and everything that it asserts is held. The safe
/// suggestions alone (`check --fix`) mend 40 of the 60.
fn beginners(root: &Path) -> Result<(), Failed> {
    let folder = root.join("beginners");
    let readme = std::fs::read_to_string(folder.join("README.md"))?;
    let mut files = Vec::new();
    collect(&folder, &mut files);
    files.sort();
    let (mut marks, mut mended, mut safely, mut faults) = (0.0, 0, 0, String::new());
    for path in &files {
        let name = path
            .file_stem()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        let row = readme
            .lines()
            .find(|l| l.starts_with(&format!("| {name} |")));
        let cells: Vec<&str> = row.unwrap_or("").split('|').map(str::trim).collect();
        let [_, _, _, mark, fixed, ..] = cells[..] else {
            let _ = writeln!(faults, "{name}: no row in README.md");
            continue;
        };
        marks += mark.parse::<f64>().unwrap_or(0.0);
        let why = mends(path, Which::All)?;
        safely += usize::from(mends(path, Which::Safe)?.is_none());
        let found = if why.is_none() { "yes" } else { "no" };
        mended += usize::from(why.is_none());
        if fixed != found {
            let _ = writeln!(
                faults,
                "{name}: mended is {found}, README.md says {fixed}: {why:?}"
            );
        }
    }
    let found = format!(
        "{} files, {marks} points, {mended} mended, {safely} by safe suggestions",
        files.len()
    );
    println!("{found}");
    if files.len() < 60 || marks < 57.0 || mended < 57 || safely < 40 {
        let _ = writeln!(faults, "{found}");
    }
    if faults.is_empty() {
        Ok(())
    } else {
        Err(faults.into())
    }
}

/// The files of `tests/ui/newcomers` against the table of its `README.md`, which says by which suggestions each is mended.
fn newcomers(root: &Path) -> Result<(), Failed> {
    let folder = root.join("newcomers");
    let readme = std::fs::read_to_string(folder.join("README.md"))?;
    let mut files = Vec::new();
    collect(&folder, &mut files);
    files.sort();
    let (mut mended, mut safely, mut faults) = (0, 0, String::new());
    for path in &files {
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        let row = format!("| {name} | ");
        let said = readme.lines().find_map(|l| l.strip_prefix(&row));
        let said = said.unwrap_or("no row").trim_end_matches(" |");
        let found = if mends(path, Which::Safe)?.is_none() {
            safely += 1;
            "yes"
        } else if mends(path, Which::All)?.is_none() {
            mended += 1;
            "by --fix=all"
        } else {
            "no"
        };
        if said != found && !(found == "no" && said.starts_with("not judged: ")) {
            let _ = writeln!(faults, "{name}: found {found}, README.md says {said}");
        }
    }
    let found = format!(
        "{} files, {safely} mended by safe suggestions, {mended} by all",
        files.len()
    );
    println!("{found}");
    if files.len() < 51 || safely < 30 || safely + mended < 36 {
        let _ = writeln!(faults, "{found}");
    }
    if faults.is_empty() {
        Ok(())
    } else {
        Err(faults.into())
    }
}

/// What is wrong with a file after these of its suggestions have been applied; nothing if it is mended.
fn mends(path: &Path, which: Which) -> Result<Option<String>, Failed> {
    // The marks are comments, but one of them may stand in a string that is not closed.
    let text: String = std::fs::read_to_string(path)?
        .split_inclusive('\n')
        .filter(|l| !l.trim_start().starts_with("//~"))
        .collect();
    let world = Memory::default().with("b.rules", text);
    let mended = mend(&world, &Settings::default(), "b.rules", which)
        .map_err(|e| Failed::from(e.to_string()))?;
    let world = Memory::default().with("b.rules", mended.text.as_str());
    let mut session = Session::new(&world, Settings::default());
    let loaded = session.load("b.rules");
    let said: Vec<&str> = loaded
        .diagnostics
        .iter()
        .map(|d| d.message.as_str())
        .collect();
    if loaded.broken > 0 || !said.is_empty() {
        return Ok(Some(format!("{said:?}\n{}", mended.text)));
    }
    let items = session.evaluate(&loaded, |_, _| {});
    let held = !items.is_empty() && items.iter().all(|i| i.status == Status::Held);
    Ok((!held).then(|| format!("not all is held\n{}", mended.text)))
}

/// The fenced blocks of a page that are marked so.
fn blocks(page: &str, mark: &str) -> Vec<String> {
    let page = page.replace("\r\n", "\n");
    let mut out = Vec::new();
    let mut rest = page.as_str();
    let fence = format!("```{mark}\n");
    while let Some(at) = rest.find(&fence) {
        let inner = &rest[at + fence.len()..];
        let end = inner.find("\n```").map_or(inner.len(), |i| i + 1);
        out.push(inner[..end].to_string());
        rest = &inner[end..];
    }
    out
}

fn page(code: Code) -> Result<(), Failed> {
    let page = code.page();
    if page.len() < 80 {
        return Err(format!("the page of {code} says too little").into());
    }
    let wrong = blocks(page, "rules");
    for text in &wrong {
        let mut sources = Sources::default();
        let diagnostics = diagnose(&mut sources, &format!("pages/{code}.md"), text);
        if !reaches(code) {
            continue;
        }
        if !diagnostics.iter().any(|d| d.code == code) {
            let found: Vec<String> = diagnostics
                .iter()
                .map(|d| format!("{} {}", d.code, d.message))
                .collect();
            return Err(format!("the example of {code} gives {found:?}\n{text}").into());
        }
    }
    for text in blocks(page, "rules-good") {
        let mut sources = Sources::default();
        let diagnostics = diagnose(&mut sources, &format!("pages/{code}.md"), &text);
        if let Some(d) = diagnostics.iter().find(|d| d.is_error()) {
            return Err(format!(
                "the right example of {code} gives {} {}\n{text}",
                d.code, d.message
            )
            .into());
        }
    }
    // Codes of syntax must have both.
    if code.as_str().starts_with("E01") && wrong.is_empty() {
        return Err(format!("the page of {code} has no example").into());
    }
    Ok(())
}

/// The reference of the language: each block reads, and each line of a block marked `broken` does not.
fn reference(mark: &str) -> Result<(), Failed> {
    let page =
        std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("grammar/GRAMMAR.md"))?;
    let blocks = blocks(&page, mark);
    if blocks.is_empty() {
        return Err(format!("no block is marked {mark}").into());
    }
    let id = cgdsl::base::FileId(0);
    for block in blocks {
        let messages = |d: &[Diagnostic]| {
            d.iter()
                .map(|d| format!("{} {}", d.code, d.message))
                .collect::<Vec<_>>()
        };
        if mark == "rules" {
            let (_, found) = cgdsl::syntax::parse_file(id, &block);
            if !found.is_empty() {
                return Err(format!("{:?} in\n{block}", messages(&found)).into());
            }
            let laid_out = cgdsl::syntax::format::format_file(&block);
            if laid_out != block {
                return Err(format!("not as fmt lays it out:\n{block}\nbut\n{laid_out}").into());
            }
            continue;
        }
        for line in block.lines().filter(|l| !l.trim().is_empty()) {
            let found = match mark {
                "expr" => cgdsl::syntax::parse_expression(id, line).1,
                "board" => cgdsl::syntax::parse_entries(id, line).1,
                _ => cgdsl::syntax::parse_file(id, line).1,
            };
            if found.is_empty() == (mark == "broken") {
                return Err(format!("{:?} for {line}", messages(&found)).into());
            }
        }
    }
    Ok(())
}
