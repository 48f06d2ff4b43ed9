//! Turns answers into the blocks of a paper, written in a format.

use super::{Block, Format, inline, write};
use crate::claim::{
    Answer, Asked, Born, Instance, Item, LoopyValued, Move, Picture, Status, Table, Valued, Verdict,
};
use crate::report::rows::{Pen, card_rows, loopy_rows, one_line, value_rows};
use crate::report::table;
use crate::report::why::{argument, short};
use crate::session::Why;

const PEN: Pen = Pen::Marked;

/// All answers of a run: cards one by one, expressions and claims in tables.
#[must_use]
pub fn items(all: &[Item], format: Format) -> String {
    let mut blocks = Vec::new();
    let mut at = 0;
    while let Some(item) = all.get(at) {
        let like = |i: &&Item| kind(i) == kind(item) && kind(item) != Kind::Alone;
        let count = all[at..].iter().take_while(like).count().max(1);
        let group = &all[at..at + count];
        match kind(item) {
            Kind::Value => blocks.push(values(group)),
            Kind::Verdict => verdicts(&mut blocks, group),
            Kind::Alone => alone(&mut blocks, item),
        }
        at += count;
    }
    write(&blocks, format)
}

#[derive(PartialEq, Eq)]
enum Kind {
    Value,
    Verdict,
    Alone,
}

fn kind(item: &Item) -> Kind {
    match &item.answer {
        Answer::Value(v) if !v.value.contains('\n') => Kind::Value,
        Answer::Verdict(_) => Kind::Verdict,
        _ => Kind::Alone,
    }
}

fn strings(all: &[&str]) -> Vec<String> {
    all.iter().map(|t| (*t).to_owned()).collect()
}

fn values(group: &[Item]) -> Block {
    let rows = group.iter().filter_map(|i| match &i.answer {
        Answer::Value(v) => Some(vec![PEN.code(&one_line(&v.expression)), v.value.clone()]),
        _ => None,
    });
    Block::Table {
        head: strings(&["expression", "value"]),
        rows: rows.collect(),
        right: false,
        about: String::new(),
    }
}

fn word(status: Status) -> &'static str {
    match status {
        Status::Held => "held",
        Status::Failed => "FAILED",
        Status::Unknown => "unknown",
        Status::Broken => "broken",
        Status::Skipped => "skipped",
    }
}

fn verdicts(blocks: &mut Vec<Block>, group: &[Item]) {
    let mut rows = Vec::new();
    let mut found: Vec<(String, &Instance, bool)> = Vec::new();
    for item in group {
        let Answer::Verdict(v) = &item.answer else {
            continue;
        };
        let asked = match v.asked {
            Asked::Assert => "assert",
            Asked::Claim => "claim",
            Asked::Refute => "refute",
        };
        let name = name(v);
        let instances = match (v.range.is_empty(), v.unknown) {
            (true, _) => String::new(),
            (false, 0) => v.instances.to_string(),
            (false, n) => format!("{}, {n} unknown", v.instances),
        };
        let source = v.source.as_ref().map_or_else(String::new, |s| {
            let program = if s.program { "program " } else { "" };
            format!("{program}{}", s.text)
        });
        if let Some(instance) = &v.counterexample {
            found.push((name.clone(), instance, v.asked == Asked::Refute));
        }
        rows.push(vec![
            word(item.status).to_owned(),
            asked.to_owned(),
            name,
            instances,
            source,
        ]);
    }
    blocks.push(Block::Table {
        head: strings(&["", "asked", "what", "instances", "source"]),
        rows,
        right: false,
        about: String::new(),
    });
    for (name, instance, refuted) in found {
        let what = if refuted {
            "refutes"
        } else {
            "is a counterexample to"
        };
        let mut text = String::from("This");
        let all: Vec<String> = instance
            .bindings
            .iter()
            .map(|b| format!("{} = {}", b.name, b.value))
            .collect();
        if !all.is_empty() {
            text = all.join(", ");
        }
        blocks.push(Block::Text(format!("{text} {what} {name}:")));
        let told = instance
            .found
            .iter()
            .map(|b| format!("{} is {}", PEN.code(&one_line(&b.name)), b.value));
        blocks.push(Block::List(told.collect()));
        for picture in &instance.pictures {
            drawn(blocks, picture);
        }
    }
}

fn name(v: &Verdict) -> String {
    let name = match &v.name {
        Some(name) => name.clone(),
        None => PEN.code(&one_line(&v.text)),
    };
    match &v.of {
        Some(of) => format!("{name}, of {of}"),
        None => name,
    }
}

fn drawn(blocks: &mut Vec<Block>, picture: &Picture) {
    blocks.push(Block::Head(PEN.code(&picture.text)));
    blocks.push(Block::Picture(picture.clone()));
}

fn alone(blocks: &mut Vec<Block>, item: &Item) {
    match &item.answer {
        Answer::Card(card) => {
            blocks.push(Block::Head(PEN.code(&one_line(&card.expression))));
            blocks.push(Block::Picture(card.picture.clone()));
            blocks.push(Block::Facts(card_rows(card, PEN)));
        }
        Answer::Value(v) => {
            blocks.push(Block::Head(PEN.code(&one_line(&v.expression))));
            blocks.push(Block::List(v.value.lines().map(str::to_owned).collect()));
            v.pictures.iter().for_each(|p| drawn(blocks, p));
        }
        Answer::Table(table) => blocks.extend(table_blocks(table, true)),
        Answer::Search(search) => {
            blocks.push(Block::Head(PEN.code(&one_line(&search.text))));
            blocks.push(Block::Text(format!(
                "{} found among {} instances.",
                search.found.len(),
                search.instances
            )));
            for found in &search.found {
                found.pictures.iter().for_each(|p| drawn(blocks, p));
            }
        }
        Answer::None { text } => blocks.push(Block::Text(format!(
            "{}: {}",
            word(item.status),
            PEN.code(&one_line(text))
        ))),
        // Verdicts are in tables.
        Answer::Verdict(_) => {}
    }
}

/// A table, with its name above it and, where it is one of several, with its expression if the head does not show it.
fn table_blocks(table: &Table, several: bool) -> Vec<Block> {
    let (mut head, rows) = table::lines(table);
    let hidden = several && head.first().is_some_and(|h| h.contains(" \\ "));
    let shows = hidden.then(|| PEN.code(&one_line(&table.expression)));
    let title = table::title(table, shows);
    for text in &mut head {
        // Names and formulas are marked; numbers are not.
        let number = text
            .trim_start_matches('-')
            .bytes()
            .all(|b| b.is_ascii_digit());
        if !number && !text.contains(" \\ ") && !text.contains(crate::claim::MARKS[0]) {
            *text = PEN.code(text);
        }
    }
    let mut blocks: Vec<Block> = title.map(Block::Title).into_iter().collect();
    blocks.push(Block::Table {
        head,
        rows,
        right: true,
        about: table.expression.clone(),
    });
    if !table.complete {
        blocks.push(Block::Text("The rows that follow are unknown.".to_owned()));
    }
    blocks
}

/// Tables.
#[must_use]
pub fn tables(all: &[&Table], format: Format) -> String {
    let blocks: Vec<Block> = all
        .iter()
        .flat_map(|t| table_blocks(t, all.len() > 1))
        .collect();
    write(&blocks, format)
}

/// The options of a position, player by player.
#[must_use]
pub fn moves(start: &Picture, players: &[(String, Vec<Move>)], format: Format) -> String {
    let mut blocks = Vec::new();
    drawn(&mut blocks, start);
    let mut rows = Vec::new();
    for (player, moves) in players {
        let mut ordered: Vec<&Move> = moves.iter().collect();
        ordered.sort_by_key(|m| !m.best);
        for m in ordered {
            let value = match (&m.value, &m.fate) {
                (Some(value), Some(fate)) => format!("{}, {fate}", PEN.value(value)),
                (Some(value), None) => PEN.value(value),
                (None, fate) => fate.clone().unwrap_or_default(),
            };
            let best = if m.best { "best" } else { "" };
            rows.push(vec![
                player.clone(),
                PEN.code(&m.picture.text),
                value,
                best.to_owned(),
            ]);
        }
    }
    blocks.push(Block::Table {
        head: strings(&["player", "option", "value", ""]),
        rows,
        right: false,
        about: String::new(),
    });
    write(&blocks, format)
}

/// The facts about a value.
#[must_use]
pub fn value(v: &Valued, format: Format) -> String {
    let blocks = [
        Block::Head(PEN.value(&v.value)),
        Block::Facts(value_rows(v, PEN)),
    ];
    write(&blocks, format)
}

/// The facts about a loopy value.
#[must_use]
pub fn loopy_value(v: &LoopyValued, format: Format) -> String {
    let blocks = [
        Block::Head(PEN.value(&v.value)),
        Block::Facts(loopy_rows(v, PEN)),
    ];
    write(&blocks, format)
}

/// The games born by a day.
#[must_use]
pub fn born(born: &Born, format: Format) -> String {
    let text = format!("{} games are born by day {}:", born.games.len(), born.day);
    write(
        &[Block::Text(text), Block::List(born.games.clone())],
        format,
    )
}

/// Checked files: name, messages, rulesets, queries.
#[must_use]
pub fn checked(rows: Vec<Vec<String>>, format: Format) -> String {
    let rows = rows.into_iter().map(|mut row| {
        if let Some(file) = row.first_mut() {
            *file = PEN.code(file);
        }
        row
    });
    let block = Block::Table {
        head: strings(&["file", "state", "rulesets", "queries"]),
        rows: rows.collect(),
        right: false,
        about: String::new(),
    };
    write(&[block], format)
}

/// An argument, sentence by sentence.
#[must_use]
pub fn why(why: &Why, format: Format) -> String {
    let mut blocks = Vec::new();
    part(&mut blocks, why, true);
    write(&blocks, format)
}

fn part(blocks: &mut Vec<Block>, why: &Why, whole: bool) {
    drawn(blocks, &why.picture);
    for text in argument(why, whole, PEN) {
        // Indented lines form a list.
        let mut list = Vec::new();
        for line in text.lines() {
            match line.strip_prefix("    ") {
                Some(item) => list.push(item.to_owned()),
                None => {
                    if !list.is_empty() {
                        blocks.push(Block::List(std::mem::take(&mut list)));
                    }
                    blocks.push(Block::Text(line.to_owned()));
                }
            }
        }
        if !list.is_empty() {
            blocks.push(Block::List(list));
        }
    }
    for inner in &why.parts {
        part(blocks, inner, false);
    }
}

/// The argument in a line.
#[must_use]
pub fn why_short(why: &Why, format: Format) -> String {
    format!("{}\n", inline(&short(why, PEN), format))
}
