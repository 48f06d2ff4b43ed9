//! `cgdsl census merge`: checks that the parts in a folder are complete and belong together, and adds them up.
//!
//! The parts of a census are disjoint by arithmetic: the part of a position is determined by its number and by how the
//! numbers of its size are dealt ([`Deal`]), on which all parts agree. So every row is checked against its part, rows must
//! ascend, and each part must have looked at as many positions as were dealt to it.

use super::columns::{
    Cell, GROUP, KNOWN, NUMBER, OUTCOME, POSITION, RULES, RULESET, STATUS, UNDEFINED, UNKNOWN,
    VALUE, VALUE_ID, VERSION, id_of,
};
use super::part::{Asked, Head, files, read};
use crate::cli::run::Run;
use crate::report::Document;
use crate::session::search::{Counted, Deal};
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::Path;

/// The most values in a document.
const MOST: usize = 10_000;

/// The content of `census merge --json`.
#[derive(Serialize, Default)]
struct Told {
    folder: String,
    /// Whether all parts are there and agree.
    whole: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    ruleset: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rules: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    program: Option<String>,
    parts: u64,
    /// The missing parts; if there are many, only the first ones.
    missing: Vec<u64>,
    /// The faults, by file.
    refused: Vec<Refused>,
    sizes: Vec<Counted>,
    rows: u64,
    unknown: u64,
    undefined: u64,
    outcomes: BTreeMap<String, u64>,
    /// The number of values or groups.
    different: u64,
    groups: Vec<Group>,
}

#[derive(Serialize)]
struct Refused {
    file: String,
    reason: String,
}

/// A value, or a group.
#[derive(Clone, Serialize)]
struct Group {
    group: String,
    count: u64,
    /// The number of its first position, and that position.
    number: i64,
    position: String,
}

/// The totals over rows.
#[derive(Default)]
struct Sum {
    groups: BTreeMap<String, (u64, i64, String)>,
    outcomes: BTreeMap<String, u64>,
    ids: BTreeMap<i64, String>,
}

fn text<'c>(cell: &'c Cell<'_>) -> Option<&'c str> {
    match cell {
        Cell::Text(text) => Some(text),
        _ => None,
    }
}

/// Checks a row of a part against the number of the previous row, and updates that.
fn check(head: &Head, row: &[Cell<'_>], before: &mut Option<u64>) -> Result<(), String> {
    let Cell::Integer(n) = row[NUMBER] else {
        return Err("a row without a number".to_owned());
    };
    let number = u64::try_from(n).map_err(|_| "a row with a negative number".to_owned())?;
    let wrong = |why: &str| Err(format!("position {number} {why}"));
    let dealt = |(deal, end): (Deal, u64)| {
        (deal.first..end).contains(&number) && deal.has(head.shard(), number)
    };
    if !head.deals().any(dealt) {
        return wrong("does not belong to this part");
    }
    if before.replace(number).is_some_and(|b| b >= number) {
        return wrong("is not after the one before");
    }
    let asked = &head.asked;
    let own = [
        (RULES, &asked.rules),
        (VERSION, &asked.version),
        (RULESET, &asked.ruleset),
    ];
    if own.iter().any(|(at, own)| text(&row[*at]) != Some(own)) {
        return wrong("is of other rules or of another version");
    }
    if !matches!(text(&row[STATUS]), Some(KNOWN | UNKNOWN | UNDEFINED)) {
        return wrong("has no status that there is");
    }
    let id = text(&row[VALUE]).map_or(Cell::Null, |value| Cell::Integer(id_of(value)));
    if row[VALUE_ID] != id {
        return wrong("has a value whose id is not its hash");
    }
    Ok(())
}

impl Sum {
    /// Adds a row that was checked.
    fn row(&mut self, row: &[Cell<'_>]) -> Result<(), String> {
        if let Some(outcome) = text(&row[OUTCOME]) {
            *self.outcomes.entry(outcome.to_owned()).or_default() += 1;
        }
        let value = text(&row[VALUE]);
        if let (Some(value), Cell::Integer(id)) = (value, &row[VALUE_ID]) {
            let known = self.ids.entry(*id).or_insert_with(|| value.to_owned());
            if known != value {
                return Err(format!(
                    "two values have the id {id}: tell them apart by their texts"
                ));
            }
        }
        let Cell::Integer(number) = row[NUMBER] else {
            return Ok(());
        };
        if let Some(group) = value.or(text(&row[GROUP])) {
            let position = || text(&row[POSITION]).unwrap_or_default().to_owned();
            match self.groups.get_mut(group) {
                Some((count, first, at)) => {
                    *count += 1;
                    if number < *first {
                        (*first, *at) = (number, position());
                    }
                }
                None => {
                    self.groups
                        .insert(group.to_owned(), (1, number, position()));
                }
            }
        }
        Ok(())
    }
}

/// Checks the counts of a part.
fn counts(head: &Head) -> Result<(), String> {
    let ordered = head.deals().all(|(deal, end)| deal.first <= end);
    if !ordered || head.deals.first().is_some_and(|d| d.0 != 0) {
        return Err("how its positions are dealt cannot be".to_owned());
    }
    let own: u64 = head
        .deals()
        .map(|(d, end)| d.count(head.shard(), d.first, end))
        .sum();
    let looked = head
        .sizes
        .iter()
        .fold(0u64, |sum, s| sum.saturating_add(s.positions));
    if own != looked {
        return Err(format!(
            "it looked at {looked} positions, and {own} belong to it"
        ));
    }
    if head.rows > own || (head.asked.all && head.rows != own) {
        return Err(format!("it has {} rows of {own} positions", head.rows));
    }
    Ok(())
}

/// What all parts must agree on.
type Common = (Asked, Vec<(u64, u64)>, u64, Vec<(String, u64)>);

fn common(head: &Head) -> Common {
    let sizes = head.sizes.iter().map(|s| (s.size.clone(), s.boards));
    (
        head.asked.clone(),
        head.deals.clone(),
        head.total,
        sizes.collect(),
    )
}

impl Run<'_> {
    /// `cgdsl census merge`
    pub fn merge(&mut self, folder: &str, limit: u64) -> u8 {
        let files = match files(Path::new(folder)) {
            Ok(files) if !files.is_empty() => files,
            Ok(_) => {
                self.output
                    .error(&format!("{folder}: there is no part of a census in it"));
                return 2;
            }
            Err(e) => {
                self.output.error(&format!("{folder}: {e}"));
                return 2;
            }
        };
        let mut told = Told {
            folder: folder.to_owned(),
            ..Told::default()
        };
        let mut sum = Sum::default();
        let mut agreed: Option<Common> = None;
        let mut seen: Vec<u64> = Vec::new();
        for (path, shard) in &files {
            if self.cancel.is_cancelled() {
                self.output.error("ended before all parts were read");
                return 3;
            }
            match self.add(path, shard.part, &mut agreed, &mut sum, &seen) {
                Ok(head) => {
                    seen.push(head.part);
                    told.rows += head.rows;
                    told.unknown += head.unknown;
                    told.undefined += head.undefined;
                    for (i, size) in head.sizes.into_iter().enumerate() {
                        match told.sizes.get_mut(i) {
                            Some(all) => all.positions += size.positions,
                            None => told.sizes.push(size),
                        }
                    }
                }
                Err(reason) => told.refused.push(Refused {
                    file: path.display().to_string(),
                    reason,
                }),
            }
        }
        if let Some((asked, ..)) = &agreed {
            told.ruleset = Some(asked.ruleset.clone());
            told.rules = Some(asked.rules.clone());
            told.program = Some(asked.version.clone());
            told.parts = asked.of;
            let absent = (1..=asked.of).filter(|p| seen.binary_search(p).is_err());
            told.missing = absent.take(MOST).collect();
        }
        told.whole = agreed.is_some() && told.refused.is_empty() && told.missing.is_empty();
        told.different = sum.groups.len() as u64;
        told.outcomes = sum.outcomes;
        let mut groups: Vec<Group> = sum
            .groups
            .into_iter()
            .map(|(group, (count, number, position))| Group {
                group,
                count,
                number,
                position,
            })
            .collect();
        // In the order in which a search finds them.
        groups.sort_by_key(|g| g.number);
        groups.truncate(MOST);
        told.groups = groups;
        let code = match (told.whole, told.unknown) {
            (false, _) => 1,
            (true, 0) => 0,
            (true, _) => 3,
        };
        if self.output.json {
            let document = Document::new("cgdsl/census/1", told, Vec::new());
            self.output.document(&document);
        } else {
            let text = shown(&told, usize::try_from(limit).unwrap_or(usize::MAX));
            self.output.text(&text);
        }
        code
    }

    /// Adds a part to the previous ones.
    fn add(
        &self,
        path: &Path,
        part: u64,
        agreed: &mut Option<Common>,
        sum: &mut Sum,
        seen: &[u64],
    ) -> Result<Head, String> {
        let head = read(path, None)?;
        if head.part != part
            || path.file_name().and_then(|n| n.to_str()) != Some(&*super::part::name(head.shard()))
        {
            return Err(format!(
                "it is part {} of {} under another name",
                head.part, head.asked.of
            ));
        }
        let own = common(&head);
        if agreed.as_ref().is_some_and(|all| *all != own) {
            return Err(
                "it is of another census than the parts before: other rules, another search, another number of parts or another version"
                    .to_owned(),
            );
        }
        if seen.contains(&head.part) {
            return Err("this part is there twice".to_owned());
        }
        counts(&head)?;
        // The whole part is checked first, so that nothing of a refused part is counted.
        let mut statuses = [0u64; 2];
        let mut before = None;
        read(
            path,
            Some(&mut |row: &[Cell<'_>]| {
                match text(&row[STATUS]) {
                    Some(UNKNOWN) => statuses[0] += 1,
                    Some(UNDEFINED) => statuses[1] += 1,
                    _ => {}
                }
                match self.cancel.is_cancelled() {
                    true => Err("the run was ended".to_owned()),
                    false => check(&head, row, &mut before),
                }
            }),
        )?;
        if statuses != [head.unknown, head.undefined] {
            return Err("its rows are not as many as it says".to_owned());
        }
        read(path, Some(&mut |row: &[Cell<'_>]| sum.row(row)))?;
        agreed.get_or_insert(own);
        Ok(head)
    }
}

/// The answer as text.
fn shown(told: &Told, limit: usize) -> String {
    let mut text = String::new();
    let n = |n: u64, one: &str| format!("{n} {one}{}", if n == 1 { "" } else { "s" });
    if let (Some(ruleset), Some(rules), Some(program)) = (&told.ruleset, &told.rules, &told.program)
    {
        let positions = told.sizes.iter().map(|c| c.positions).sum();
        let boards = told.sizes.iter().map(|c| c.boards).sum();
        text.push_str(&format!(
            "{ruleset}: {} on {} in {} of {}\nrules {rules}, version {program}\n",
            n(positions, "position"),
            n(boards, "board"),
            told.parts - told.missing.len() as u64,
            n(told.parts, "part"),
        ));
        for c in &told.sizes {
            text.push_str(&format!(
                "  {}  {}  {}\n",
                c.size,
                n(c.boards, "board"),
                n(c.positions, "position")
            ));
        }
    }
    for Refused { file, reason } in &told.refused {
        text.push_str(&format!("refused: {file}: {reason}\n"));
    }
    if !told.missing.is_empty() {
        let first: Vec<String> = told.missing.iter().take(20).map(u64::to_string).collect();
        let more = if told.missing.len() > 20 { ", .." } else { "" };
        text.push_str(&format!(
            "not there: {} {}{more}\n",
            if first.len() == 1 { "part" } else { "parts" },
            first.join(", ")
        ));
    }
    text.push_str(&format!(
        "{} with {}\n",
        n(told.rows, "row"),
        n(told.different, "different value")
    ));
    if told.unknown > 0 {
        text.push_str(&format!(
            "{} unknown within the limits\n",
            n(told.unknown, "position")
        ));
    }
    if told.undefined > 0 {
        text.push_str(&format!(
            "{} without an answer\n",
            n(told.undefined, "position")
        ));
    }
    for (outcome, count) in &told.outcomes {
        text.push_str(&format!("  {outcome}  {count}\n"));
    }
    let mut most: Vec<&Group> = told.groups.iter().collect();
    most.sort_by_key(|g| (std::cmp::Reverse(g.count), g.number));
    let width = most
        .iter()
        .take(limit)
        .map(|g| g.group.chars().count())
        .max()
        .unwrap_or(0)
        .min(40);
    for g in most.iter().take(limit) {
        text.push_str(&format!(
            "  {:width$}  {}  {}\n",
            g.group, g.count, g.position
        ));
    }
    if told.different > limit as u64 {
        text.push_str("  .. (more with --limit)\n");
    }
    text.push_str(match told.whole {
        true => "the census is whole\n",
        false => "the census is not whole\n",
    });
    text
}
