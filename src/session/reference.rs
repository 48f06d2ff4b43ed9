//! The reference as plain data. Input: a name; output: its entries. Names of the language come from the one table of
//! built-ins, with their examples evaluated; terms of the theory come from `docs/glossary.md`.

use super::{Disk, Item, Session, Settings};
use crate::model::builtins::{Row, SECTIONS, What, table};
use std::ops::Range;

/// An entry of the reference.
#[derive(Clone, PartialEq, Debug)]
pub struct Entry {
    /// Its name.
    pub name: &'static str,
    /// Its kind: `function`, `constant`, `keyword`, `term`, ..
    pub what: &'static str,
    /// Its signature.
    pub signature: &'static str,
    /// One line of documentation.
    pub doc: &'static str,
    /// The definition or theorem with its source; may be empty.
    pub theory: &'static str,
    /// Where it is undefined; empty if it is total.
    pub fails: &'static str,
    /// A line of the language that uses it; empty for a term.
    pub example: &'static str,
    /// The evaluated example.
    pub run: Option<Run>,
}

/// An expression evaluated with a shipped file.
#[derive(Clone, PartialEq, Debug)]
pub struct Run {
    /// The file.
    pub file: &'static str,
    /// The expression.
    pub expression: &'static str,
    /// The result; `None` if the expression could not be read or has not been evaluated.
    pub item: Option<Item>,
}

/// The kind of a row of the table, as a word.
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

/// The entry of a row of the table, without its example evaluated.
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

/// The entries of a name; several if the name has several meanings.
#[must_use]
pub fn entries(name: &str, settings: &Settings) -> Vec<Entry> {
    let rows = table().filter(|r| r.name == name);
    rows.map(|r| of_row(r, settings))
        .chain(term(name, settings))
        .collect()
}

/// All names that have an entry: words of the language and terms of the theory.
pub fn names() -> impl Iterator<Item = &'static str> {
    let terms = terms().map(|(name, _, _)| name);
    table().map(|r| r.name).chain(terms)
}

/// The glossary: each term is a level-two heading, followed by its definition and a last paragraph
/// `Lesson 3. Source. With FILE: `EXPRESSION` is `VALUE`.`
const GLOSSARY: &str = include_str!("../../docs/glossary.md");

/// A term of the glossary: its name, its definition, and the line with its lesson, source and example.
type Term = (&'static str, &'static str, &'static str);

/// The terms of the glossary.
fn terms() -> impl Iterator<Item = Term> {
    let entries = GLOSSARY.split("\n## ").skip(1);
    entries.filter_map(|entry| {
        let (name, rest) = entry.split_once('\n')?;
        let (definition, last) = rest.trim().rsplit_once("\n\n")?;
        Some((name, definition.trim(), last.trim()))
    })
}

/// The entry of a term, without its example evaluated.
fn of_term((name, definition, last): Term) -> Entry {
    let (theory, example) = last.split_once(" With ").unwrap_or((last, ""));
    let run = example.split_once(": `").and_then(|(file, rest)| {
        let (expression, _) = rest.split_once("` is `")?;
        Some(Run {
            file,
            expression,
            item: None,
        })
    });
    Entry {
        name,
        what: "term",
        signature: name,
        doc: definition.trim_end_matches('.'),
        theory,
        fails: "",
        example: "",
        run,
    }
}

/// All terms of the glossary, without their examples evaluated.
pub fn glossary() -> impl Iterator<Item = Entry> {
    terms().map(of_term)
}

/// The term of this name, ignoring case; `_` may stand for a blank.
fn term(name: &str, settings: &Settings) -> Option<Entry> {
    let plain = |name: &str| name.replace('_', " ").to_lowercase();
    let mut entry = glossary().find(|e| plain(e.name) == plain(name))?;
    if let Some(run) = &mut entry.run {
        run.item = evaluated(run.file, run.expression, settings);
    }
    Some(entry)
}

/// The longest term, singular or plural, at a byte of a text, and its range.
#[must_use]
pub fn term_at(text: &str, byte: usize) -> Option<(Range<usize>, Entry)> {
    let start = text.get(..byte)?.rfind('\n').map_or(0, |i| i + 1);
    let line = text.get(start..)?.lines().next()?.to_ascii_lowercase();
    let outside = |c: Option<char>| c.is_none_or(|c| !c.is_alphanumeric() && c != '-');
    let mut best: Option<(Range<usize>, Term)> = None;
    for term in terms() {
        let name = term.0.to_ascii_lowercase();
        for (at, _) in line.match_indices(&name) {
            let rest = line.get(at + name.len()..).unwrap_or("");
            let plural = ["es", "s"].into_iter().find(|p| {
                let after = rest.strip_prefix(p);
                after.is_some_and(|after| outside(after.chars().next()))
            });
            let end = at + name.len() + plural.map_or(0, str::len);
            let whole = outside(line.get(..at).and_then(|b| b.chars().next_back()))
                && outside(line.get(end..).and_then(|a| a.chars().next()));
            let place = start + at..start + end;
            let longer = best.as_ref().is_none_or(|(b, _)| b.len() < place.len());
            if whole && longer && place.start <= byte && byte <= place.end {
                best = Some((place, term));
            }
        }
    }
    best.map(|(place, term)| (place, of_term(term)))
}

/// A section of the reference: its title and its entries.
pub type Section = (&'static str, Vec<Entry>);

/// The whole reference.
#[must_use]
pub fn all(settings: &Settings) -> Vec<Section> {
    let entries = |rows: &'static [Row]| rows.iter().map(|r| of_row(r, settings)).collect();
    let sections = SECTIONS.iter();
    sections.map(|s| (s.title, entries(s.rows))).collect()
}
