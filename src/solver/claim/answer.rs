//! Answers to queries: plain data, ready to be printed or converted to JSON. All texts in it parse back to what they show.

use super::figure::Figure;
use crate::diagnostic::{Diagnostic, Plain};
use serde::Serialize;
use std::sync::Arc;

/// How an item ended.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// Answered; for a claim, every instance holds.
    Held,
    /// A claim is false for some instance; a refutation found no false instance.
    Failed,
    /// A limit was reached before there was an answer.
    Unknown,
    /// It could not be read, or a rule failed.
    Broken,
    /// Marked `slow`, and slow items were not requested; or a claim that a ruleset inherits and its theory does not answer.
    Skipped,
}

/// An item of a file (or of the command line) and its answer.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Item {
    /// The file that contains it.
    pub file: String,
    /// The line on which it starts, from 1.
    pub line: usize,
    /// How it ended.
    pub status: Status,
    /// The answer.
    #[serde(flatten)]
    pub answer: Answer,
    /// Notes, and the reason if it is broken.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub diagnostics: Vec<Plain>,
    /// The same, for drawing in a terminal.
    #[serde(skip)]
    pub messages: Vec<Diagnostic>,
}

/// The forms of answers.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Answer {
    /// `eval` of a position.
    Card(Box<Card>),
    /// `eval` of anything else.
    Value(Evaluated),
    /// `assert`, `claim`, `refute`.
    Verdict(Verdict),
    /// `table`
    Table(Table),
    /// `search`
    Search(Search),
    /// No answer: see the diagnostics.
    None {
        /// The item, as written.
        text: String,
    },
}

/// A drawn position.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Picture {
    /// The position in the language; parses back to it.
    pub text: String,
    /// The position as a text drawing, line by line.
    pub drawing: Vec<String>,
    /// The data of a drawing; `None` if there is too much to draw.
    #[serde(skip)]
    pub figure: Option<Arc<Figure>>,
}

/// The facts about a position.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct Card {
    /// The expression, as written.
    pub expression: String,
    /// The position.
    #[serde(flatten)]
    pub picture: Picture,
    /// The players in the order of turns, with their marks on the board.
    pub players: Vec<PlayerNote>,
    /// The number of options of each player.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub options: Vec<OptionCount>,
    /// The canonical form.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<String>,
    /// `L-position`, `R-position`, `N-position`, `P-position`, or one of the five with draws.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub outcome: Option<String>,
    /// The scores under best play if Left begins and if Right begins, where points are counted: `5 | -1`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub score: Option<String>,
    /// Whether it is guaranteed, so that it can be compared with others like it; absent where that is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub guaranteed: Option<bool>,
    /// The nimber, if the value is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nimber: Option<String>,
    /// Left stop.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub left_stop: Option<String>,
    /// Right stop.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub right_stop: Option<String>,
    /// Mean value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mean: Option<String>,
    /// Temperature.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub temperature: Option<String>,
    /// Best moves for each player who has a move.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub best: Vec<BestMoves>,
    /// For three or more players: who wins, by who starts.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub coalitions: Vec<Coalitions>,
    /// The facts derived from the rules: components, symmetry, why play ends.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub derived: Vec<Fact>,
    /// The limit that left the rest unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<String>,
}

/// A player, with marks on the board.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct PlayerNote {
    /// The name.
    pub name: String,
    /// Pieces that belong to this player only.
    pub pieces: Vec<String>,
    /// Pieces shared with others.
    pub shared: Vec<String>,
    /// The entries of the ruleset's tables for the player: `along = south`.
    pub marks: Vec<String>,
}

/// The number of options of a player.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct OptionCount {
    /// The player.
    pub player: String,
    /// The number of different positions that the player can move to.
    pub count: usize,
}

/// The best moves of a player.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct BestMoves {
    /// The player.
    pub player: String,
    /// Some of the moves that no other move dominates, in the order of the rules.
    pub moves: Vec<Move>,
    /// The number of all such moves.
    pub count: usize,
}

/// An option of a position.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Move {
    /// The position moved to.
    #[serde(flatten)]
    pub picture: Picture,
    /// What the move changes, where that is shorter than the position moved to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub change: Option<String>,
    /// Its value, for two players and normal play.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<String>,
    /// Who wins after it and in how many moves, if there are no values; `unknown` if the search was stopped before.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fate: Option<String>,
    /// Whether no other option dominates it; without values, whether none is better for its player.
    pub best: bool,
}

/// Who wins when one player starts.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Coalitions {
    /// Who starts.
    pub first: String,
    /// The player who wins alone against all others; `None` if nobody does, or several do: then each is a minimal coalition.
    pub winner: Option<String>,
    /// Whether each player can force that no other wins.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub drawn: bool,
    /// The minimal coalitions that can force a win of one of their members.
    pub minimal: Vec<Vec<String>>,
}

/// A derived fact.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Fact {
    /// The subject: `components`, `symmetry`, `impartial`, `ends`, ..
    pub about: String,
    /// The fact, as a sentence.
    pub text: String,
}

impl Fact {
    /// Creates a fact.
    #[must_use]
    pub fn new(about: &str, text: impl Into<String>) -> Fact {
        Fact {
            about: about.to_owned(),
            text: text.into(),
        }
    }
}

/// An expression and its value.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Evaluated {
    /// The expression, as written.
    pub expression: String,
    /// Its value; several lines for a report.
    pub value: String,
    /// The positions in the value, drawn.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub pictures: Vec<Picture>,
}

/// The kind of query of a verdict.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Asked {
    /// `assert`
    Assert,
    /// `claim`
    Claim,
    /// `refute`
    Refute,
}

/// The result of an `assert`, `claim` or `refute`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Verdict {
    /// The kind of query.
    pub asked: Asked,
    /// Its name, if it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The formula as written.
    pub text: String,
    /// The ruleset of the query, if the text asks about several.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub of: Option<String>,
    /// The ruleset that states the claim, if another inherits it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub inherited_from: Option<String>,
    /// The range of its instances, as written: `k = 2..6`.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub range: String,
    /// The number of instances (up to the first counterexample).
    pub instances: u64,
    /// The number of instances that stayed unknown.
    pub unknown: u64,
    /// The first false instance.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub counterexample: Option<Instance>,
    /// The limit that was reached.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<String>,
    /// The source of the expected value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<Source>,
}

/// The source of an expected value.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Source {
    /// Whether it is an independent program; otherwise the literature.
    pub program: bool,
    /// Its name, or the citation.
    pub text: String,
}

/// An instance of a claim.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Instance {
    /// The values of the names.
    pub bindings: Vec<Binding>,
    /// The first of several conditions that fails, as written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failed: Option<String>,
    /// The values found for parts of the formula.
    pub found: Vec<Binding>,
    /// The positions in the formula.
    pub pictures: Vec<Picture>,
}

/// A name or a formula, and its value.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Binding {
    /// The name, or the formula as written.
    pub name: String,
    /// Its value.
    pub value: String,
}

/// A table.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Table {
    /// Its name, if it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The source of its values.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<Source>,
    /// The expression, as written.
    pub expression: String,
    /// The names of the binders.
    pub names: Vec<String>,
    /// A row for each instance.
    pub rows: Vec<Row>,
    /// Whether all instances have a row: otherwise a limit ended the table.
    pub complete: bool,
}

/// A row of a table.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Row {
    /// The values of the names.
    pub keys: Vec<String>,
    /// The value; `None` if a rule fails there or a limit was reached.
    pub value: Option<String>,
}

/// The result of a search.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Search {
    /// The condition searched for, as written.
    pub text: String,
    /// The number of instances examined.
    pub instances: u64,
    /// The number of instances that stayed unknown.
    pub unknown: u64,
    /// Whether all instances were examined.
    pub complete: bool,
    /// The instances found.
    pub found: Vec<Instance>,
}
