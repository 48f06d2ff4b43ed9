//! The name of something built in comes in; what is to be said of it comes out as plain data, its example evaluated. All of it is
//! from the one table of built-ins and the notes beside it.

use super::{Disk, Item, Session, Settings};
use crate::model::builtins::{Row, TABLE, What};
use crate::model::notes::{SECTIONS, note};

/// What is to be said of something built in.
#[derive(Clone, PartialEq, Debug)]
pub struct Entry {
    /// Its name.
    pub name: &'static str,
    /// What it is: `function`, `constant`, `keyword`, ..
    pub what: &'static str,
    /// How it is called.
    pub signature: &'static str,
    /// What it says, in a line.
    pub doc: &'static str,
    /// The definition or theorem with its source; may be empty.
    pub theory: &'static str,
    /// Where it does not exist; empty where it is total.
    pub fails: &'static str,
    /// A line of the language in which it stands.
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
    /// What came out; nothing if it could not be read.
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
    let function = matches!(row.what, What::Function(_) | What::Fold(_) | What::Game(_));
    // Some names are functions and words, too: the note is on the function.
    let note = note(row.name).filter(|_| function);
    Entry {
        name: row.name,
        what: what(row),
        signature: row.signature,
        doc: row.doc,
        theory: note.map_or("", |n| n.theory),
        fails: note.map_or("", |n| n.fails),
        example: row.example,
        run: note.map(|n| Run {
            file: n.file,
            expression: n.run,
            item: evaluated(n.file, n.run, settings),
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
    let rows = TABLE.iter().filter(|r| r.name == name);
    rows.map(|r| of_row(r, settings)).collect()
}

/// All names that have an entry.
pub fn names() -> impl Iterator<Item = &'static str> {
    TABLE.iter().map(|r| r.name)
}

/// A part of the reference: its title, and the entries.
pub type Section = (&'static str, Vec<Entry>);

/// The whole reference.
#[must_use]
pub fn all(settings: &Settings) -> Vec<Section> {
    let mut sections: Vec<Section> = Vec::new();
    for row in TABLE {
        let title = match row.what {
            What::BoardKind => "Kinds of boards",
            What::Sort => "Sorts",
            What::Keyword => "Keywords",
            What::Word => "Words of one place",
            _ => {
                let known = SECTIONS.iter().find(|(_, first)| *first == row.name);
                match (known, sections.last()) {
                    (Some((title, _)), _) => title,
                    (None, Some((title, _))) => title,
                    (None, None) => "Functions",
                }
            }
        };
        if sections.last().is_none_or(|(t, _)| *t != title) {
            sections.push((title, Vec::new()));
        }
        if let Some((_, entries)) = sections.last_mut() {
            entries.push(of_row(row, settings));
        }
    }
    sections
}
