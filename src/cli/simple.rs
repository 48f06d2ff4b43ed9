//! The commands that evaluate nothing: `list`, `new`, `completions`, `man`, `explain --code`.

use super::args::Cli;
use super::output::Output;
use super::run::Run;
use crate::diagnostic::{Code, did_you_mean};
use crate::report::Document;
use crate::report::reference::entry;
use crate::session::reference;
use crate::session::shipped::{self, Found, Shipped};
use clap::CommandFactory;
use serde::Serialize;
use std::fmt::Write;

/// An entry of `list --json`.
#[derive(Serialize)]
struct Listed {
    name: &'static str,
    path: &'static str,
    title: &'static str,
    family: &'static str,
    boards: Vec<&'static str>,
}

#[derive(Serialize)]
struct Listing {
    rulesets: Vec<Listed>,
}

/// The content of `explain NAME --json`.
#[derive(Serialize)]
struct Names {
    entries: Vec<Explained>,
}

#[derive(Serialize)]
struct Explained {
    name: &'static str,
    what: &'static str,
    signature: &'static str,
    doc: &'static str,
    theory: &'static str,
    fails: &'static str,
    example: &'static str,
}

/// The shipped file of that name, or a message about it.
pub fn shipped_file(output: &mut Output, name: &str) -> Option<Shipped> {
    match shipped::find(name) {
        Found::One(file) => Some(file),
        Found::Several(paths) => {
            output.error(&format!(
                "`{name}` is the name of several shipped files: {}",
                paths.join(", ")
            ));
            None
        }
        Found::None => {
            let near = did_you_mean(name, shipped::names())
                .map_or_else(String::new, |d| format!(" ({d})"));
            output.error(&format!(
                "no shipped file is called `{name}`{near}; `cgdsl list` shows them"
            ));
            None
        }
    }
}

impl Run<'_> {
    /// `cgdsl explain NAME`
    pub fn name(&mut self, name: &str) -> u8 {
        let entries = reference::entries(name, &self.settings(false));
        if entries.is_empty() {
            let near = did_you_mean(name, reference::names())
                .map_or_else(String::new, |d| format!(" ({d})"));
            self.output.error(&format!(
                "nothing that is built in is called `{name}`{near}; of a file, say the position to explain: cgdsl explain FILE POSITION"
            ));
            return 2;
        }
        if self.output.json {
            let entries = entries.iter().map(|e| Explained {
                name: e.name,
                what: e.what,
                signature: e.signature,
                doc: e.doc,
                theory: e.theory,
                fails: e.fails,
                example: e.example,
            });
            let entries = entries.collect();
            self.output.document(&Document::new(
                "cgdsl/name/1",
                Names { entries },
                Vec::new(),
            ));
            return 0;
        }
        let look = self.output.look();
        let texts: Vec<String> = entries.iter().map(|e| entry(e, look)).collect();
        self.output.text(&texts.join("\n"));
        0
    }
}

/// Which shipped files to list.
pub struct Wanted<'a> {
    /// A word in the path or the title.
    pub word: Option<&'a str>,
    pub family: Option<&'a str>,
    /// Words, all of which must occur in the documentation.
    pub search: Option<&'a str>,
}

/// `cgdsl list`
pub fn list(output: &mut Output, of: &Wanted<'_>, show: Option<&str>) -> u8 {
    if let Some(name) = show {
        let Some(file) = shipped_file(output, name) else {
            return 2;
        };
        output.file(None, file.text);
        return 0;
    }
    if let Some(family) = of.family
        && shipped::family_title(family).is_none()
    {
        let names = || shipped::FAMILIES.iter().map(|(name, _)| *name);
        let near = did_you_mean(family, names()).map_or_else(String::new, |d| format!(" ({d})"));
        let all: Vec<&str> = names().collect();
        output.error(&format!(
            "there is no family `{family}`{near}; the families are {}",
            all.join(", ")
        ));
        return 2;
    }
    let wanted = |f: &Shipped| {
        of.word.is_none_or(|w| {
            let w = w.to_lowercase();
            f.path.to_lowercase().contains(&w) || f.title().to_lowercase().contains(&w)
        }) && of.family.is_none_or(|family| f.family() == family)
            && of.search.is_none_or(|words| f.mentions(words))
    };
    let files: Vec<Shipped> = shipped::all().filter(wanted).collect();
    if output.json {
        let rulesets = files
            .iter()
            .map(|f| Listed {
                name: f.name(),
                path: f.path,
                title: f.title(),
                family: f.family(),
                boards: f.boards(),
            })
            .collect();
        output.document(&Document::new(
            "cgdsl/list/1",
            Listing { rulesets },
            Vec::new(),
        ));
        return 0;
    }
    let widest = files
        .iter()
        .map(|f| f.name().chars().count())
        .max()
        .unwrap_or(0);
    let mut text = String::new();
    let mut folder = None;
    for file in &files {
        if folder != Some(file.folder()) {
            if folder.is_some() {
                text.push('\n');
            }
            folder = Some(file.folder());
            let _ = writeln!(
                text,
                "{}",
                if file.folder().is_empty() {
                    "rulesets"
                } else {
                    file.folder()
                }
            );
        }
        let pad = widest - file.name().chars().count();
        let line = format!("  {}{:pad$}  {}", file.name(), "", file.title());
        let _ = writeln!(text, "{}", line.trim_end());
    }
    output.text(&text);
    if files.is_empty() {
        let near = of.word.and_then(|w| did_you_mean(w, shipped::names()));
        let near = near.map_or_else(String::new, |d| format!(" ({d})"));
        output.error(&format!(
            "no shipped file fits{near}; `cgdsl list` shows all of them"
        ));
        return 2;
    }
    0
}

/// The file that `cgdsl new` prints by default.
const START: &str = "\
/// Your game. Say here where it comes from.
/// A move is: choose something finite, where conditions hold, then change the board.
ruleset MyGame
  board  strip                              // strip, grid, graph, digraph, poset, heaps
  pieces x = Left, o = Right                // a piece is its owner
  move by p:                                // for each of the two players
    choose a, b = a + east                  // a cell and the one to its right
    where  at(a) = p, at(b) = empty
    then   at(a) := empty, at(b) := p       // both at once

eval MyGame[\"x.o.\"]

// What you know of your game: run `cgdsl eval` on this file to see whether it holds.
assert value(MyGame[\"x..\"]) == 2
claim \"a lone x runs to the end of the strip\" for n in 1..4:
  value(MyGame[strip(n), at(1): x]) == (n - 1)
";

/// `cgdsl new`
pub fn new(output: &mut Output, like: Option<&str>, file: Option<&str>) -> u8 {
    let text = match like {
        None => START.to_owned(),
        Some(name) => {
            let Some(shipped) = shipped_file(output, name) else {
                return 2;
            };
            let mut text = String::from(
                "// A copy of a shipped ruleset: change what you like. A move is\n\
                 //   choose <what>  where <conditions>  then <changes, all at once>\n\
                 // and `cgdsl eval` on this file answers the queries below it.\n\n",
            );
            text.push_str(shipped.text);
            text
        }
    };
    let Some(path) = file else {
        output.file(None, &text);
        return 0;
    };
    let made = std::fs::OpenOptions::new()
        .write(true)
        .create_new(true)
        .open(path)
        .and_then(|mut f| std::io::Write::write_all(&mut f, text.as_bytes()));
    match made {
        Ok(()) if output.json => output.file(Some(path), &text),
        Ok(()) => {}
        Err(e) => {
            output.error(&format!("{path}: {e}"));
            return 2;
        }
    }
    0
}

/// `cgdsl completions`
pub fn completions(output: &mut Output, shell: clap_complete::Shell) -> u8 {
    let mut text = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "cgdsl", &mut text);
    output.file(None, &String::from_utf8_lossy(&text));
    0
}

/// `cgdsl man`
pub fn man(output: &mut Output, dir: &str) -> u8 {
    if output.json {
        output.error("manual pages are files in a folder: they have no JSON");
        return 2;
    }
    let made =
        std::fs::create_dir_all(dir).and_then(|()| clap_mangen::generate_to(Cli::command(), dir));
    match made {
        Ok(()) => 0,
        Err(e) => {
            output.error(&format!("{dir}: {e}"));
            2
        }
    }
}

#[derive(Serialize)]
struct Page {
    code: String,
    title: &'static str,
    page: &'static str,
}

/// `cgdsl explain --code`
pub fn page(output: &mut Output, code: &str) -> u8 {
    let Some(code) = Code::parse(code) else {
        let near = did_you_mean(code, Code::all().map(|i| i.code.as_str()))
            .map_or_else(String::new, |d| format!(" ({d})"));
        output.error(&format!("there is no code `{code}`{near}"));
        return 2;
    };
    if output.json {
        let page = Page {
            code: code.to_string(),
            title: code.title(),
            page: code.page(),
        };
        output.document(&Document::new("cgdsl/page/1", page, Vec::new()));
    } else {
        output.page(code.page());
    }
    0
}
