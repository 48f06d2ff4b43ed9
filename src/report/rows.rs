//! The rows of a card or of the facts about a value: pairs of a word and a text, the same for a terminal and for a paper.

use super::why::listed as listed_in_words;
use crate::claim::{Card, Coalitions, Found, LoopyValued, MARKS, Move, Valued};
use std::fmt::Write;

/// The characters before and after a position, or other text of the language, in marked text.
pub const CODE: [char; 2] = ['\u{E002}', '\u{E003}'];

/// How values and positions are embedded in text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Pen {
    /// Unmarked.
    Plain,
    /// Between [`MARKS`], or between [`CODE`], for a writer that formats them.
    Marked,
}

impl Pen {
    /// A value.
    #[must_use]
    pub fn value(self, text: &str) -> String {
        match self {
            Pen::Marked if !text.contains(MARKS[0]) => format!("{}{text}{}", MARKS[0], MARKS[1]),
            _ => text.to_owned(),
        }
    }

    /// A position.
    #[must_use]
    pub fn code(self, text: &str) -> String {
        match self {
            Pen::Marked if !text.contains(CODE[0]) => format!("{}{text}{}", CODE[0], CODE[1]),
            _ => text.to_owned(),
        }
    }
}

/// A formula on one line, without comments, and with runs of blanks reduced to one.
#[must_use]
pub fn one_line(text: &str) -> String {
    let code = text.lines().map(without_comment);
    let words: Vec<&str> = code.flat_map(str::split_whitespace).collect();
    words.join(" ")
}

/// A line up to its comment.
fn without_comment(line: &str) -> &str {
    let is_code = |at: usize| line[..at].matches('"').count().is_multiple_of(2);
    let comment = line.match_indices("//").find(|(at, _)| is_code(*at));
    comment.map_or(line, |(at, _)| &line[..at])
}

/// The rows of a card.
#[must_use]
pub fn card_rows(card: &Card, pen: Pen) -> Vec<(String, String)> {
    let mut rows: Vec<(String, String)> = Vec::new();
    for player in &card.players {
        let mut what = Vec::new();
        if !player.pieces.is_empty() {
            what.push(format!("plays {}", player.pieces.join(", ")));
        }
        if !player.shared.is_empty() {
            what.push(format!("shares {}", player.shared.join(", ")));
        }
        what.extend(player.marks.iter().cloned());
        if let Some(options) = card.options.iter().find(|o| o.player == player.name) {
            what.push(match options.count {
                1 => "1 option".to_owned(),
                n => format!("{n} options"),
            });
        }
        rows.push((player.name.clone(), what.join(", ")));
    }
    let value = |text: &Option<String>| text.as_ref().map(|t| pen.value(t));
    let mut row = |key: &str, text: &Option<String>| {
        if let Some(text) = text {
            rows.push((key.to_owned(), text.clone()));
        }
    };
    row("value", &value(&card.value));
    row("outcome", &card.outcome.as_deref().map(outcome));
    let guaranteed = match card.guaranteed {
        Some(true) => ", guaranteed",
        _ => "",
    };
    row(
        "score",
        &card.score.as_ref().map(|s| format!("{s}{guaranteed}")),
    );
    row("nimber", &value(&card.nimber));
    let stops = match (&card.left_stop, &card.right_stop) {
        (Some(l), Some(r)) => Some(format!("{} and {}", pen.value(l), pen.value(r))),
        _ => None,
    };
    row("stops", &stops);
    row("mean", &value(&card.mean));
    row("temperature", &value(&card.temperature));
    for best in &card.best {
        let mut text = String::new();
        for m in &best.moves {
            let _ = writeln!(text, "{}", move_line(m, pen));
        }
        if best.count > best.moves.len() {
            let _ = writeln!(text, "and {} more", best.count - best.moves.len());
        }
        rows.push((format!("best for {}", best.player), text));
    }
    for c in &card.coalitions {
        let minimal: Vec<String> = c
            .minimal
            .iter()
            .map(|m| format!("{{{}}}", m.join(", ")))
            .collect();
        let winner = who(c, ':');
        let coalitions = match minimal.is_empty() {
            true => "no coalition can force a win".to_owned(),
            false => format!("minimal winning coalitions {}", minimal.join(" ")),
        };
        rows.push((
            format!("{} starts", c.first),
            format!("{winner}; {coalitions}"),
        ));
    }
    for fact in &card.derived {
        rows.push((fact.about.clone(), fact.text.clone()));
    }
    if let Some(limit) = &card.limit {
        rows.push(("unknown".to_owned(), format!("the rest: {limit}")));
    }
    rows
}

/// An outcome in words.
fn outcome(name: &str) -> String {
    let words = match name {
        "L-position" => "Left wins, whoever starts",
        "R-position" => "Right wins, whoever starts",
        "N-position" => "the next player wins",
        "P-position" => "the previous player wins",
        "D-position" => "nobody can force a win, whoever starts",
        "LD-position" => "Left wins if she starts; if Right starts, nobody can force a win",
        "DR-position" => "Right wins if he starts; if Left starts, nobody can force a win",
        "DL-position" => "Left wins if Right starts; if Left starts, nobody can force a win",
        "RD-position" => "Right wins if Left starts; if Right starts, nobody can force a win",
        _ => return name.to_owned(),
    };
    format!("{name}: {words}")
}

fn move_line(m: &Move, pen: Pen) -> String {
    let to = match &m.change {
        Some(change) => pen.code(change),
        None => format!("to {}", pen.code(&m.picture.text)),
    };
    match (&m.value, &m.fate) {
        (Some(value), None) => format!("{to}  = {}", pen.value(value)),
        (Some(value), Some(fate)) => format!("{to}  = {}, {fate}", pen.value(value)),
        (None, Some(fate)) => format!("{to}  {fate}"),
        (None, None) => to,
    }
}

/// The rows of the facts about a value.
#[must_use]
pub fn value_rows(v: &Valued, pen: Pen) -> Vec<(String, String)> {
    let mut rows = Vec::new();
    let mut row = |key: &str, text: String| rows.push((key.to_owned(), text));
    let (temper, kinds) = match &v.kinds[..] {
        [temper, kinds @ ..] => (*temper, kinds.join(", ")),
        [] => ("", String::new()),
    };
    row(
        "kind",
        if kinds.is_empty() {
            temper.to_owned()
        } else {
            format!("{temper}: {kinds}")
        },
    );
    row("outcome", outcome(&v.outcome));
    row(
        "stops",
        format!(
            "{} and {}",
            pen.value(&v.left_stop),
            pen.value(&v.right_stop)
        ),
    );
    row("confused with", v.confused_with.clone());
    row("mean", pen.value(&v.mean));
    row("temperature", pen.value(&v.temperature));
    if let Some(inside) = &v.inside {
        if temper == "hot" && inside.reduced != v.value {
            row("reduced", inside.reduced.clone());
        }
        if temper == "tepid" {
            let text = match &inside.atomic_weight {
                Found::Value(w) => w.clone(),
                Found::Reason(why) => format!("none: {why}"),
            };
            row("atomic weight", text);
        }
        if let Found::Value(u) = &inside.uptimal
            && temper == "tepid"
            && u.contains('<')
        {
            row("uptimal", u.clone());
        }
    }
    for (who, options, count) in [
        ("Left", &v.left_options, v.option_counts[0]),
        ("Right", &v.right_options, v.option_counts[1]),
    ] {
        row(&format!("options of {who}"), listed(options, count));
    }
    if let Some(inside) = &v.inside {
        for (who, incentives) in [
            ("Left", &inside.left_incentives),
            ("Right", &inside.right_incentives),
        ] {
            row(
                &format!("incentives of {who}"),
                listed(incentives, incentives.len()),
            );
        }
        let followers = inside.followers;
        row(
            "canonical form",
            format!(
                "born on day {}, {followers} {}, stop count {}",
                inside.birthday,
                if followers == 1 {
                    "follower"
                } else {
                    "followers"
                },
                inside.stop_count
            ),
        );
    }
    if pen == Pen::Plain && !v.thermograph_art.is_empty() {
        row("thermograph", v.thermograph_art.trim_end().to_owned());
    }
    if let Some(c) = &v.comparison {
        let relation = match c.relation {
            "=" => "equal to",
            "<" => "less than",
            ">" => "greater than",
            _ => "confused with",
        };
        rows.push(("comparison".to_owned(), format!("{relation} {}", c.value)));
        rows.push(("difference".to_owned(), c.difference.clone()));
    }
    rows
}

/// The rows of the facts about a loopy value.
#[must_use]
pub fn loopy_rows(v: &LoopyValued, pen: Pen) -> Vec<(String, String)> {
    let mut rows = Vec::new();
    let mut row = |key: &str, text: String| rows.push((key.to_owned(), text));
    let kind = match v.stopper {
        true => "loopy: a stopper",
        false => "loopy: two sides",
    };
    row("kind", kind.to_owned());
    row("outcome", outcome(&v.outcome));
    let side = |side: &Option<String>| match side {
        Some(text) => pen.value(text),
        None => "no stopper is equal to it".to_owned(),
    };
    if !v.stopper {
        row("onside", side(&v.onside));
        row("offside", side(&v.offside));
    }
    if let Some(degree) = &v.degree {
        row("degree", pen.value(degree));
    }
    let sides = [("Left", &v.left_options), ("Right", &v.right_options)];
    for (who, options) in sides {
        if let Some(options) = options {
            row(&format!("options of {who}"), listed(options, options.len()));
        }
    }
    if v.stopper {
        let n = v.positions[0];
        let word = if n == 1 { "position" } else { "positions" };
        row("canonical form", format!("{n} loopy {word}"));
    }
    if let Some(c) = &v.comparison {
        let relation = match c.relation {
            "=" => "equal to",
            "<" => "less than",
            ">" => "greater than",
            _ => "confused with",
        };
        rows.push(("comparison".to_owned(), format!("{relation} {}", c.value)));
        rows.push(("difference".to_owned(), c.difference.clone()));
    }
    rows
}

/// Who wins when a player starts. The mark stands between a word for a position without winner and its meaning.
pub(super) fn who(c: &Coalitions, mark: char) -> String {
    match &alone(&c.minimal)[..] {
        [] if c.drawn => format!("a draw{mark} each player can force that no other wins"),
        [] => format!("queer{mark} nobody wins alone"),
        [one] => format!("{one} wins alone"),
        all => format!("{} each win alone", listed_in_words(all, "and")),
    }
}

/// The players who win alone: they are coalitions of one. There are several only if `lose` ends play.
pub(super) fn alone(minimal: &[Vec<String>]) -> Vec<String> {
    let ones = minimal.iter().filter(|c| c.len() == 1);
    ones.flatten().cloned().collect()
}

// The most elements of a list that are shown.
const SHOWN: usize = 24;

// The first elements of a list with `count` elements.
fn listed(all: &[String], count: usize) -> String {
    match count {
        0 => "none".to_owned(),
        n if n > SHOWN => {
            let shown = &all[..SHOWN.min(all.len())];
            format!("{}, .. ({n} in all)", shown.join(", "))
        }
        _ => all.join(", "),
    }
}
