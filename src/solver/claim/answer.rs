//! What a query is answered with: plain data, ready to be printed or turned into JSON. All texts in it read back as what
//! they show.

use super::figure::Figure;
use crate::diagnostic::{Diagnostic, Plain};
use serde::Serialize;
use std::sync::Arc;

/// How an item ended.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// Answered; of a claim: it holds for every instance.
    Held,
    /// A claim is false for some instance; a refutation found no false instance.
    Failed,
    /// A limit was met before there was an answer.
    Unknown,
    /// It could not be read, or a rule went wrong.
    Broken,
    /// Marked `slow` and not asked for.
    Skipped,
}

/// An item of a file (or of the command line) and its answer.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Item {
    /// The file it stands in.
    pub file: String,
    /// The line on which it starts, from 1.
    pub line: usize,
    /// How it ended.
    pub status: Status,
    /// The answer.
    #[serde(flatten)]
    pub answer: Answer,
    /// What there is to say of it: why it is broken, notes.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub diagnostics: Vec<Plain>,
    /// The same, to be drawn.
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
        /// What was asked, as written.
        text: String,
    },
}

/// A drawn position.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Picture {
    /// The position in the language: reads back as itself.
    pub text: String,
    /// Written out, line by line.
    pub drawing: Vec<String>,
    /// What a drawing of it shows; nothing where there is too much to draw.
    #[serde(skip)]
    pub figure: Option<Arc<Figure>>,
}

/// What is known of a position.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct Card {
    /// What was asked, as written.
    pub expression: String,
    /// The position.
    #[serde(flatten)]
    pub picture: Picture,
    /// The players in the order of turns, and how one knows them on the board.
    pub players: Vec<PlayerNote>,
    /// How many options each player has.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub options: Vec<OptionCount>,
    /// The canonical form.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<String>,
    /// `L-position`, `R-position`, `N-position`, `P-position`, or one of the five with draws.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub outcome: Option<String>,
    /// What best play comes to where Left begins and where Right does, if points are counted: `5 | -1`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub score: Option<String>,
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
    /// Three or more players: who wins, by who starts.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub coalitions: Vec<Coalitions>,
    /// What was derived from the rules: components, symmetry, why it ends.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub derived: Vec<Fact>,
    /// Which limit kept the rest from being known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<String>,
}

/// A player as seen on the board.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct PlayerNote {
    /// The name.
    pub name: String,
    /// Pieces that are exactly this player's.
    pub pieces: Vec<String>,
    /// Pieces shared with others.
    pub shared: Vec<String>,
    /// What the ruleset's tables say of the player: `along = south`.
    pub marks: Vec<String>,
}

/// How many options a player has.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct OptionCount {
    /// The player.
    pub player: String,
    /// How many different positions the player can move to.
    pub count: usize,
}

/// The best moves of a player.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct BestMoves {
    /// The player.
    pub player: String,
    /// Some of the moves that no other move dominates, in the order of the rules.
    pub moves: Vec<Move>,
    /// How many of them there are.
    pub count: usize,
}

/// An option of a position.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Move {
    /// The position moved to.
    #[serde(flatten)]
    pub picture: Picture,
    /// What the move changes, where that is shorter to say than the position moved to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub change: Option<String>,
    /// Its value, for two players and normal play.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<String>,
    /// Who wins after it and in how many moves, where there are no values.
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
    /// Who wins alone against all others; nobody if the position is queer or drawn.
    pub winner: Option<String>,
    /// Each player can force that no other wins.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub drawn: bool,
    /// The minimal coalitions that can force that one of them wins.
    pub minimal: Vec<Vec<String>>,
}

/// Something that was derived.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Fact {
    /// About what: `components`, `symmetry`, `impartial`, `ends`, ..
    pub about: String,
    /// What.
    pub text: String,
}

impl Fact {
    /// A fact.
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
    /// As written.
    pub expression: String,
    /// Its value; several lines for a report.
    pub value: String,
    /// The positions that it shows, drawn.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub pictures: Vec<Picture>,
}

/// Which query a verdict is on.
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

/// Whether something holds.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Verdict {
    /// Which query.
    pub asked: Asked,
    /// Its name, if it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The formula as written.
    pub text: String,
    /// Of which ruleset it is asked, where the text is asked of several.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub of: Option<String>,
    /// The ruleset that claims it, where another inherits it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub inherited_from: Option<String>,
    /// What it ranges over, as written: `k = 2..6`.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub range: String,
    /// How many instances there were (up to the first counterexample).
    pub instances: u64,
    /// How many of them stayed unknown.
    pub unknown: u64,
    /// The first instance that is false.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub counterexample: Option<Instance>,
    /// Which limit was met.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<String>,
    /// Where the expected value comes from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<Source>,
}

/// Where an expected value comes from.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Source {
    /// An independent program; else the literature.
    pub program: bool,
    /// Its name, or the citation.
    pub text: String,
}

/// An instance of a claim.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Instance {
    /// What the names stand for.
    pub bindings: Vec<Binding>,
    /// Of several conditions the first that does not hold, as written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failed: Option<String>,
    /// What was found for parts of the formula.
    pub found: Vec<Binding>,
    /// The positions in the formula.
    pub pictures: Vec<Picture>,
}

/// A name or a formula, and what it stands for.
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
    /// Where its values come from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<Source>,
    /// What it shows, as written.
    pub expression: String,
    /// Names of the binders.
    pub names: Vec<String>,
    /// A row for each instance: what the names stand for, and the value (nothing where a limit was met).
    pub rows: Vec<Row>,
}

/// A row of a table.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Row {
    /// What the names stand for.
    pub keys: Vec<String>,
    /// The value.
    pub value: Option<String>,
}

/// What a search found.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Search {
    /// What was looked for, as written.
    pub text: String,
    /// How many instances were looked at.
    pub instances: u64,
    /// How many of them stayed unknown.
    pub unknown: u64,
    /// Whether all were looked at.
    pub complete: bool,
    /// What was found.
    pub found: Vec<Instance>,
}
