//! Prints items as text. Colour is never the only sign of anything.

use super::rows::{Pen, card_rows, loopy_rows, one_line, value_rows};
use crate::base::visible::ink;
use crate::claim::{
    Answer, Asked, Born, Card, Fact, Instance, Item, LoopyValued, Move, Picture, Search, Source,
    Status, Table, Valued, Verdict,
};
use crate::report::Summary;
use crate::report::draw::pictured;
use std::collections::HashMap;
use std::fmt::Write;

/// How to print.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Look {
    /// Whether to use terminal colours.
    pub color: bool,
    /// The width of the terminal in columns; 0 means unlimited.
    pub width: usize,
}

/// The most lines of a drawing on a card,
const HIGHEST: usize = 40;
/// and the most columns.
const WIDEST: usize = 100;
/// The widest cell of a table that others are aligned with. A wider one is written whole and juts out of its column.
const WIDEST_CELL: usize = 120;

/// Terminal colours, by purpose.
#[derive(Clone, Copy)]
pub(super) enum Paint {
    Good,
    Bad,
    Doubt,
    Head,
    Faint,
}

impl Look {
    /// A title.
    pub(super) fn head(self, text: &str) -> String {
        self.paint(Paint::Head, text)
    }

    /// A drawing of a position; its text where the drawing would be too large or tangled.
    #[must_use]
    pub fn drawing(self, picture: &Picture) -> Vec<String> {
        let figure = picture.figure.as_deref();
        figure
            .and_then(|f| pictured(f, HIGHEST, self.widest(), self.color))
            .unwrap_or_else(|| picture.drawing.clone())
    }

    /// The greatest width of a drawing, including its margin.
    fn widest(self) -> usize {
        match self.width {
            0 => WIDEST,
            width => WIDEST.min(width.saturating_sub(10)),
        }
    }

    /// A text in a colour.
    pub(super) fn paint(self, paint: Paint, text: &str) -> String {
        if !self.color {
            return text.to_owned();
        }
        // Of the 256 colours only 29, 63, 98, 131, 163 and 243 have a contrast of 4.5 to 1 with black and with white (WCAG 2).
        let code = match paint {
            Paint::Good => "38;5;29",
            Paint::Bad => "1;38;5;131",
            Paint::Doubt => "38;5;98",
            Paint::Head => "1",
            Paint::Faint => "38;5;243",
        };
        ink(code, text)
    }
}

/// The width of a text in characters. Values and names can be wider than the 65,535 spaces that a format takes.
fn width(text: &str) -> usize {
    text.chars().count()
}

/// One item with its answer. Ends with a newline; a card ends with an empty line.
#[must_use]
pub fn item(item: &Item, look: Look) -> String {
    let mut out = String::new();
    match &item.answer {
        Answer::Card(c) => card(&mut out, c, look),
        Answer::Value(v) => {
            if v.value.contains('\n') {
                let _ = writeln!(out, "{}", look.paint(Paint::Head, &v.expression));
                for line in v.value.lines() {
                    let _ = writeln!(out, "  {line}");
                }
            } else {
                let _ = writeln!(
                    out,
                    "{} = {}",
                    v.expression,
                    look.paint(Paint::Head, &v.value)
                );
            }
            for picture in &v.pictures {
                draw(&mut out, picture, 2, look);
            }
        }
        Answer::Verdict(v) => verdict(&mut out, item, v, look),
        Answer::Table(t) => table(&mut out, t, look),
        Answer::Search(s) => search(&mut out, s, look),
        Answer::None { text } => {
            let word = match item.status {
                Status::Unknown => look.paint(Paint::Doubt, "unknown"),
                Status::Skipped => look.paint(Paint::Faint, "skipped"),
                _ => look.paint(Paint::Bad, "broken "),
            };
            let _ = writeln!(out, "{word}  {}", one_line(text));
        }
    }
    // A limit is not a mistake in the text, so its place is not shown.
    if item.status == Status::Unknown && !matches!(&item.answer, Answer::Verdict(_)) {
        for d in &item.diagnostics {
            let _ = writeln!(out, "    {}", d.message);
        }
    }
    out
}

fn draw(out: &mut String, picture: &Picture, indent: usize, look: Look) {
    let _ = writeln!(
        out,
        "{:indent$}{}",
        "",
        look.paint(Paint::Head, &picture.text)
    );
    for line in look.drawing(picture) {
        let _ = writeln!(out, "{:indent$}  {line}", "");
    }
}

/// Pairs of a word and a text, with the texts aligned.
fn facts(out: &mut String, facts: &[(String, String)], look: Look) {
    let widest = facts.iter().map(|(k, _)| width(k)).max().unwrap_or(0);
    for (key, text) in facts {
        let pad = " ".repeat(widest - width(key));
        let mut lines = text.lines();
        let _ = writeln!(
            out,
            "  {}{pad}  {}",
            look.paint(Paint::Faint, key),
            lines.next().unwrap_or("")
        );
        for line in lines {
            let _ = writeln!(out, "  {}  {line}", " ".repeat(widest));
        }
    }
}

fn card(out: &mut String, card: &Card, look: Look) {
    let title = one_line(&card.expression);
    let _ = writeln!(out, "{}", look.paint(Paint::Head, &title));
    // The literal, unless the title or the drawing says the same.
    let drawing = look.drawing(&card.picture);
    let drawn = match &drawing[..] {
        [line] => card.picture.text.ends_with(&format!("[{line}]")),
        _ => false,
    };
    if card.picture.text != title && !drawn {
        let _ = writeln!(out, "= {}", card.picture.text);
    }
    out.push('\n');
    for line in &drawing {
        let _ = writeln!(out, "    {line}");
    }
    out.push('\n');
    facts(out, &card_rows(card, Pen::Plain), look);
    out.push('\n');
}

fn instance(out: &mut String, instance: &Instance, look: Look) {
    let bindings: Vec<String> = instance
        .bindings
        .iter()
        .map(|b| format!("{} = {}", b.name, b.value))
        .collect();
    if !bindings.is_empty() {
        let _ = writeln!(out, "    at {}", bindings.join(", "));
    }
    if let Some(failed) = &instance.failed {
        let _ = writeln!(out, "    {} does not hold", one_line(failed));
    }
    for found in &instance.found {
        let _ = writeln!(out, "    {} is {}", one_line(&found.name), found.value);
    }
    for picture in &instance.pictures {
        draw(out, picture, 4, look);
    }
}

fn verdict(out: &mut String, item: &Item, v: &Verdict, look: Look) {
    let word = match item.status {
        Status::Held => look.paint(Paint::Good, "held   "),
        Status::Failed => look.paint(Paint::Bad, "FAILED "),
        Status::Unknown => look.paint(Paint::Doubt, "unknown"),
        Status::Broken => look.paint(Paint::Bad, "broken "),
        Status::Skipped => look.paint(Paint::Faint, "skipped"),
    };
    let asked = match v.asked {
        Asked::Assert => "assert",
        Asked::Claim => "claim",
        Asked::Refute => "refute",
    };
    let _ = write!(out, "{word}  {asked} ");
    match &v.name {
        Some(name) => {
            let _ = write!(out, "\"{name}\"");
        }
        None => out.push_str(&one_line(&v.text)),
    }
    if !v.range.is_empty() {
        let _ = write!(out, " for {}", one_line(&v.range));
    }
    if item.status == Status::Skipped {
        let slow = item.messages.is_empty();
        out.push_str(if slow { "  (slow)" } else { "" });
    } else if !v.range.is_empty() {
        let plural = if v.instances == 1 { "" } else { "s" };
        let _ = write!(out, "  ({} instance{plural}", v.instances);
        if v.unknown > 0 {
            let _ = write!(out, ", {} unknown", v.unknown);
        }
        out.push(')');
    }
    if let Some(of) = &v.of {
        let gone = item.status == Status::Failed && v.inherited_from.is_some();
        let _ = write!(out, ", {}of {of}", if gone { "no longer " } else { "" });
    }
    out.push_str(&cited(v.source.as_ref()));
    out.push('\n');
    if v.name.is_some() && item.status != Status::Held && item.status != Status::Skipped {
        let _ = writeln!(out, "    {}", one_line(&v.text));
    }
    if let Some(limit) = &v.limit {
        let _ = writeln!(out, "    {limit}");
    }
    match (&v.counterexample, v.asked) {
        (Some(found), asked) => {
            out.push_str(match asked {
                Asked::Refute => "    refuted:\n",
                // Of constants there is nothing to show.
                _ if *found == Instance::default() => "",
                _ if v.range.is_empty() => "    found:\n",
                _ => "    counterexample:\n",
            });
            instance(out, found, look);
        }
        (None, Asked::Refute) if item.status == Status::Failed => {
            out.push_str("    every instance holds: there is nothing that refutes it\n");
        }
        _ => {}
    }
}

/// `  [Bouton 1901]`, or an empty string.
fn cited(source: Option<&Source>) -> String {
    source.map_or_else(String::new, |source| {
        let program = if source.program { "program " } else { "" };
        format!("  [{program}{}]", source.text)
    })
}

fn table(out: &mut String, t: &Table, look: Look) {
    if let Some(name) = &t.name {
        let _ = writeln!(out, "{}", look.paint(Paint::Head, name));
    }
    let expression = look.paint(Paint::Head, &one_line(&t.expression));
    let _ = writeln!(out, "{expression}{}", cited(t.source.as_ref()));
    let cell = |v: &Option<String>| v.clone().unwrap_or_else(|| "?".to_owned());
    if t.names.len() == 2 {
        // Two binders: the first goes down, the second across.
        let (mut rows, mut columns) = (Vec::new(), Vec::new());
        let (mut down, mut across) = (HashMap::new(), HashMap::new());
        let mut found = HashMap::new();
        for row in &t.rows {
            if let [a, b] = &row.keys[..] {
                let i = *down.entry(a).or_insert_with(|| {
                    rows.push(a);
                    rows.len() - 1
                });
                let j = *across.entry(b).or_insert_with(|| {
                    columns.push(b);
                    columns.len() - 1
                });
                found.entry((i, j)).or_insert(&row.value);
            }
        }
        if rows.len().saturating_mul(columns.len()) <= t.rows.len().saturating_mul(4) {
            let mut grid = vec![vec![format!("{} \\ {}", t.names[0], t.names[1])]];
            grid[0].extend(columns.iter().map(|c| (*c).clone()));
            for (i, a) in rows.iter().enumerate() {
                let mut line = vec![(*a).clone()];
                line.extend((0..columns.len()).map(|j| {
                    let value = found.get(&(i, j));
                    value.map_or_else(String::new, |v| cell(v))
                }));
                grid.push(line);
            }
            columns_of(out, &grid, look);
            return;
        }
    }
    let mut grid = vec![t.names.clone()];
    grid[0].push("value".to_owned());
    for row in &t.rows {
        let mut line = row.keys.clone();
        line.push(cell(&row.value));
        grid.push(line);
    }
    columns_of(out, &grid, look);
}

/// Prints rows of right-aligned cells, with a rule below the head. Where the terminal is too narrow, the last columns are
/// omitted, with a note on how to see them.
fn columns_of(out: &mut String, grid: &[Vec<String>], look: Look) {
    let columns = grid.iter().map(Vec::len).max().unwrap_or(0);
    // The widest cell of a column, of those that are no wider than `most`.
    let widest = |column: usize, most: usize| {
        let cells = grid.iter().filter_map(|row| row.get(column));
        let widths = cells.map(|text| width(text)).filter(|w| *w <= most);
        widths.max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..columns).map(|c| widest(c, usize::MAX)).collect();
    let shown = fitting(&widths, look.width);
    let widths: Vec<usize> = (0..shown).map(|c| widest(c, WIDEST_CELL)).collect();
    for (i, row) in grid.iter().enumerate() {
        let mut line = String::from(" ");
        for (text, w) in row.iter().zip(&widths) {
            let pad = " ".repeat(w.saturating_sub(width(text)));
            let _ = write!(line, " {pad}{text} ");
        }
        let _ = writeln!(out, "{}", line.trim_end());
        if i == 0 {
            let rule: usize = widths.iter().map(|w| w + 2).sum();
            let _ = writeln!(out, "  {}", "-".repeat(rule.saturating_sub(2)));
        }
    }
    if shown < columns {
        let _ = writeln!(
            out,
            "  {} more columns do not fit: `cgdsl table FILE -o table.csv` writes them all",
            columns - shown
        );
    }
    out.push('\n');
}

/// The number of columns that fit, at least the first two.
fn fitting(widths: &[usize], width: usize) -> usize {
    let mut room = width.saturating_sub(1);
    let fits = widths.iter().take_while(|w| {
        let there = room > **w;
        room = room.saturating_sub(**w + 2);
        there
    });
    match width {
        0 => widths.len(),
        _ => fits.count().max(2).min(widths.len()),
    }
}

fn search(out: &mut String, s: &Search, look: Look) {
    let _ = writeln!(out, "{}", look.paint(Paint::Head, &one_line(&s.text)));
    for found in &s.found {
        instance(out, found, look);
    }
    let all = if s.complete {
        "all of them looked at"
    } else {
        "not all were looked at"
    };
    let _ = write!(
        out,
        "  {} found among {} instances, {all}",
        s.found.len(),
        s.instances
    );
    if s.unknown > 0 {
        let _ = write!(out, ", {} unknown", s.unknown);
    }
    out.push_str("\n\n");
}

/// At most `most` options of a position for one player, each drawn with its value; the best first.
#[must_use]
pub fn moves(player: &str, moves: &[Move], most: usize, look: Look) -> String {
    let mut out = String::new();
    let _ = writeln!(
        out,
        "{}",
        look.paint(
            Paint::Head,
            &match moves.len() {
                0 => format!("{player} has no move"),
                1 => format!("{player}: 1 option"),
                n => format!("{player}: {n} options"),
            }
        )
    );
    let mut ordered: Vec<&Move> = moves.iter().collect();
    ordered.sort_by_key(|m| !m.best);
    let hidden = ordered.len().saturating_sub(most);
    ordered.truncate(most);
    for m in ordered {
        out.push('\n');
        let mark = if m.best {
            look.paint(Paint::Good, "best ")
        } else {
            "     ".to_owned()
        };
        let worth = match (&m.value, &m.fate) {
            (Some(value), Some(fate)) => format!("  = {value}, {fate}"),
            (Some(value), None) => format!("  = {value}"),
            (None, Some(fate)) => format!("  {fate}"),
            (None, None) => String::new(),
        };
        let _ = writeln!(
            out,
            "  {mark} {}{worth}",
            m.change.as_ref().unwrap_or(&m.picture.text)
        );
        for line in look.drawing(&m.picture) {
            let _ = writeln!(out, "          {line}");
        }
    }
    if hidden > 0 {
        let _ = writeln!(out, "\n        and {hidden} more; --all shows them");
    }
    out.push('\n');
    out
}

/// All facts about a value.
#[must_use]
pub fn value(v: &Valued, look: Look) -> String {
    let mut out = String::new();
    let _ = writeln!(out, "{}", look.paint(Paint::Head, &v.value));
    facts(&mut out, &value_rows(v, Pen::Plain), look);
    out
}

/// All facts about a loopy value.
#[must_use]
pub fn loopy_value(v: &LoopyValued, look: Look) -> String {
    let mut out = String::new();
    let _ = writeln!(out, "{}", look.paint(Paint::Head, &v.value));
    facts(&mut out, &loopy_rows(v, Pen::Plain), look);
    out
}

/// The games born by a day, one a line.
#[must_use]
pub fn born(born: &Born, look: Look) -> String {
    let head = format!("{} games are born by day {}", born.games.len(), born.day);
    let mut out = format!("{}\n", look.paint(Paint::Head, &head));
    for game in &born.games {
        let _ = writeln!(out, "  {game}");
    }
    out
}

/// The facts derived about a position.
#[must_use]
pub fn derived(all: &[Fact], look: Look) -> String {
    let rows: Vec<(String, String)> = all
        .iter()
        .map(|f| (f.about.clone(), f.text.clone()))
        .collect();
    let mut out = String::new();
    facts(&mut out, &rows, look);
    out
}

/// The last line of a run.
#[must_use]
pub fn summary(summary: &Summary, look: Look) -> String {
    let mut parts = Vec::new();
    let mut part = |n: usize, word: &str, paint: Paint| {
        if n > 0 {
            parts.push(look.paint(paint, &format!("{n} {word}")));
        }
    };
    part(summary.held, "held", Paint::Good);
    part(summary.failed, "failed", Paint::Bad);
    part(summary.unknown, "unknown", Paint::Doubt);
    part(summary.broken, "broken", Paint::Bad);
    part(summary.skipped, "skipped", Paint::Faint);
    format!("{}\n", parts.join(", "))
}
