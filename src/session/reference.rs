//! A name comes in; what there is to say about it comes out as plain data. Names of the language come from the one table of
//! built-ins, with their example evaluated; terms of the theory come from `docs/glossary.md`.

use super::{Disk, Item, Session, Settings};
use crate::model::builtins::{Row, SECTIONS, What, table};

/// What is to be said of something built in.
#[derive(Clone, PartialEq, Debug)]
pub struct Entry {
    /// Its name.
    pub name: &'static str,
    /// What it is: `function`, `constant`, `keyword`, `term`, ..
    pub what: &'static str,
    /// How it is called.
    pub signature: &'static str,
    /// What it says, in a line.
    pub doc: &'static str,
    /// The definition or theorem with its source; may be empty.
    pub theory: &'static str,
    /// Where it does not exist; empty where it is total.
    pub fails: &'static str,
    /// A line of the language in which it stands; empty for a term.
    pub example: &'static str,
    /// An example that was evaluated.
    pub run: Option<Run>,
}

/// An expression that was evaluated with a shipped file.
#[derive(Clone, PartialEq, Debug)]
pub struct Run {
    /// The file.
    pub file: &'static str,
    /// The expression.
    pub expression: &'static str,
    /// What came out; nothing if it could not be read, or was not evaluated.
    pub item: Option<Item>,
}

/// What a row of the table is, in a word.
fn what(row: &Row) -> &'static str {
    match row.what {
        What::Function(_) | What::Fold(_) | What::Game(_) => "function",
        What::Constant => "constant",
        What::Derivation => "derivation",
        What::BoardKind => "kind of board",
        What::Sort => "sort",
        What::Keyword => "keyword",
        What::Word => "word",
    }
}

fn of_row(row: &'static Row, settings: &Settings) -> Entry {
    let mut entry = described(row);
    if let Some(run) = &mut entry.run {
        run.item = evaluated(run.file, run.expression, settings);
    }
    entry
}

/// What is to be said of a row of the table; its example is not evaluated.
#[must_use]
pub fn described(row: &'static Row) -> Entry {
    let function = row.as_function();
    Entry {
        name: row.name,
        what: what(row),
        signature: row.signature,
        doc: row.doc,
        theory: function.map_or("", |f| f.theory),
        fails: function.map_or("", |f| f.fails),
        example: row.example,
        run: function.map(|f| Run {
            file: f.run.file,
            expression: f.run.expression,
            item: None,
        }),
    }
}

fn evaluated(file: &str, expression: &str, settings: &Settings) -> Option<Item> {
    let mut session = Session::new(&Disk, settings.clone());
    let mut loaded = session.load(file);
    let query = session.expression(&mut loaded, expression).ok()?;
    loaded.queries = vec![query];
    session.evaluate(&loaded, |_, _| {}).into_iter().next()
}

/// What is to be said of a name; several entries if it means several things.
#[must_use]
pub fn entries(name: &str, settings: &Settings) -> Vec<Entry> {
    let rows = table().filter(|r| r.name == name);
    rows.map(|r| of_row(r, settings))
        .chain(term(name))
        .collect()
}

/// All names that have an entry: words of the language, and terms of the theory.
pub fn names() -> impl Iterator<Item = &'static str> {
    let terms = terms().map(|(name, _)| name);
    table().map(|r| r.name).chain(terms)
}

/// The glossary of the book: a heading of level two for each term, and its definition below.
const GLOSSARY: &str = include_str!("../../docs/glossary.md");

/// The terms of the glossary with their definitions.
fn terms() -> impl Iterator<Item = (&'static str, &'static str)> {
    let entries = GLOSSARY.split("\n## ").skip(1);
    entries.filter_map(|entry| entry.split_once('\n'))
}

/// The term of this name, whatever the case of its letters; `_` stands for a blank, too.
fn term(name: &str) -> Option<Entry> {
    let plain = |name: &str| name.replace('_', " ").to_lowercase();
    let (name, definition) = terms().find(|(t, _)| plain(t) == plain(name))?;
    Some(Entry {
        name,
        what: "term",
        signature: name,
        doc: definition.trim().trim_end_matches('.'),
        theory: "",
        fails: "",
        example: "",
        run: None,
    })
}

/// A part of the reference: its title, and the entries.
pub type Section = (&'static str, Vec<Entry>);

/// The whole reference.
#[must_use]
pub fn all(settings: &Settings) -> Vec<Section> {
    let entries = |rows: &'static [Row]| rows.iter().map(|r| of_row(r, settings)).collect();
    let sections = SECTIONS.iter();
    sections.map(|s| (s.title, entries(s.rows))).collect()
}
