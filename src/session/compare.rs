//! Compares two rulesets, of two files or of one. Output: the clauses that differ, the positions on boards up to a size whose
//! values differ, and for the smallest such position the options that are new or gone.

use super::search::{BoardSource, Event, Part, Wanted};
use super::{Answer, Item, Loaded, Session, Status};
use crate::diagnostic::Diagnostic;
use crate::ir::draw;
use crate::model::typed::Query;
use serde::Serialize;
use std::collections::BTreeSet;

/// The most positions that are compared.
const MOST: usize = 20_000;

/// A comparison of two rulesets.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Ruleset {
    /// The name of the old one; `None` if the ruleset is new.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub old: Option<String>,
    /// The name of the new one; `None` if the ruleset is gone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub new: Option<String>,
    /// The clauses that only the old one has.
    pub gone: Vec<String>,
    /// The clauses that only the new one has.
    pub added: Vec<String>,
    /// The clauses of both whose order counts, if it differs: in the new order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub order: Vec<String>,
    /// The question by which positions were compared: `value` or `outcome`; `None` if none were.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub asked: Option<&'static str>,
    /// The number of positions compared.
    pub compared: usize,
    /// Positions whose answers differ, the smallest first.
    pub positions: Vec<Changed>,
    /// The options by which the smallest of these differs.
    pub why: Vec<Why>,
    /// Why positions were not compared, or not all of them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// Whether there are more boards than are looked at.
    #[serde(skip)]
    pub cut: bool,
}

/// A position whose answer differs.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Changed {
    /// The board, in its brackets.
    pub board: String,
    /// The old answer.
    pub was: String,
    /// The new answer.
    pub now: String,
}

/// An option that only one of the two positions has or, if there is none, one whose value differs.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Why {
    /// The player whose option it is.
    pub player: String,
    /// Whether the new position has it; otherwise it is gone.
    pub new: bool,
    /// The board after the move.
    pub option: String,
    /// Its value, if it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<String>,
    /// Its old value, if both positions have the option.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub was: Option<String>,
}

impl Ruleset {
    /// Whether the rules are the same.
    #[must_use]
    pub fn same_rules(&self) -> bool {
        self.gone.is_empty() && self.added.is_empty() && self.order.is_empty()
    }
}

/// One side of a comparison.
pub struct Side<'s, 'w> {
    /// The session that read the files.
    pub session: &'s mut Session<'w>,
    /// The files.
    pub loaded: &'s mut Loaded,
    /// The ruleset to compare; `None` for all.
    pub ruleset: Option<&'s str>,
}

/// The last bracket of a position, including the bracket: `["xo."]`.
fn board_of(position: &str) -> &str {
    let mut depth = 0usize;
    for (i, c) in position.char_indices().rev() {
        match c {
            ']' => depth += 1,
            '[' => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return &position[i..];
                }
            }
            _ => {}
        }
    }
    position
}

/// Pairs the rulesets of both sides.
fn pairs(old: &Side<'_, '_>, new: &Side<'_, '_>) -> Vec<(Option<String>, Option<String>)> {
    let names = |side: &Side<'_, '_>| -> Vec<String> {
        let all = side.loaded.model.rulesets.iter();
        all.filter(|r| !r.broken && !r.hidden && Some(r.span.file) == side.loaded.main)
            .map(|r| r.name.to_string())
            .filter(|n| !n.ends_with('\''))
            .collect()
    };
    if let (Some(a), Some(b)) = (old.ruleset, new.ruleset) {
        return vec![(Some(a.to_owned()), Some(b.to_owned()))];
    }
    let (a, b) = (names(old), names(new));
    if let ([a], [b]) = (&a[..], &b[..]) {
        return vec![(Some(a.clone()), Some(b.clone()))];
    }
    let mut out: Vec<(Option<String>, Option<String>)> = a
        .iter()
        .map(|n| (Some(n.clone()), b.contains(n).then(|| n.clone())))
        .collect();
    out.extend(
        b.into_iter()
            .filter(|n| !a.contains(n))
            .map(|n| (None, Some(n))),
    );
    out
}

/// Compares two rulesets, or all of two files, on boards up to a size.
#[must_use]
pub fn compare(mut old: Side<'_, '_>, mut new: Side<'_, '_>, up_to: &[u32]) -> Vec<Ruleset> {
    pairs(&old, &new)
        .into_iter()
        .map(|pair| compare_pair(&mut old, &mut new, pair, up_to, |_| true))
        .collect()
}

/// Compares two rulesets. The positions are compared if `wanted` returns true for the comparison of the clauses.
pub(super) fn compare_pair(
    old: &mut Side<'_, '_>,
    new: &mut Side<'_, '_>,
    (a, b): (Option<String>, Option<String>),
    up_to: &[u32],
    wanted: impl FnOnce(&Ruleset) -> bool,
) -> Ruleset {
    let clauses = |side: &mut Side<'_, '_>, name: &Option<String>| {
        name.as_deref().map_or_else(Vec::new, |n| side.clauses(n))
    };
    let (was, now) = (clauses(old, &a), clauses(new, &b));
    let mut found = Ruleset {
        gone: without(&was, &now),
        added: without(&now, &was),
        order: reordered(&was, &now),
        old: a,
        new: b,
        ..Ruleset::default()
    };
    if let (Some(a), Some(b)) = (found.old.clone(), found.new.clone())
        && wanted(&found)
    {
        compare_positions(old, new, (&a, &b), up_to, &mut found);
    }
    found
}

/// The clauses of both lists whose order counts, if it differs, as in the second: the first clause that holds ends play, and
/// a position gives its numbers in the order of the state.
fn reordered(was: &[String], now: &[String]) -> Vec<String> {
    let mut out = Vec::new();
    for words in [&["win", "lose", "draw"][..], &["state", "fixed"]] {
        let all = |clauses: &[String]| -> Vec<String> {
            let word = |c: &&String| words.iter().any(|w| c.split(' ').next() == Some(w));
            clauses.iter().filter(word).cloned().collect()
        };
        let (was, now) = (all(was), all(now));
        let both = |all: &[String], other: &[String]| without(all, &without(all, other));
        let new_order = both(&now, &was);
        if both(&was, &now) != new_order {
            out.extend(new_order);
        }
    }
    out
}

/// The elements of one list that are not in the other, with multiplicity.
fn without(all: &[String], other: &[String]) -> Vec<String> {
    let mut other = other.to_vec();
    let mut left = Vec::new();
    for one in all {
        match other.iter().position(|o| o == one) {
            Some(i) => {
                other.remove(i);
            }
            None => left.push(one.clone()),
        }
    }
    left
}

impl Side<'_, '_> {
    /// The clauses of a ruleset, or of one made of another: `misere(Nim)`.
    fn clauses(&mut self, ruleset: &str) -> Vec<String> {
        if self.loaded.scope.ruleset(ruleset).is_none()
            && let Ok(made) = self.session.to_search(self.loaded, ruleset, None, None)
        {
            return self.loaded.scope.clauses(&made.ruleset.name);
        }
        self.loaded.scope.clauses(ruleset)
    }

    fn ended(&self) -> bool {
        self.session.settings.cancel.is_cancelled()
    }

    /// The boards of all positions of a ruleset up to a size, small ones first.
    fn boards(&mut self, ruleset: &str, up_to: &[u32]) -> Result<Vec<String>, String> {
        let said = |d: &Diagnostic| d.message.clone();
        let searched = self
            .session
            .to_search(self.loaded, ruleset, None, Some("true"))
            .map_err(|all| all.first().map_or_else(String::new, said))?;
        let wanted = Wanted {
            from: BoardSource::Size(up_to.to_vec()),
            counts: 3,
            walls: None,
            condition: None,
            group_by: None,
        };
        let mut boards = Vec::new();
        let mut take = |event: Event<'_>| {
            if let Event::Found(one) = event {
                boards.push(board_of(&draw::short(one.position)).to_owned());
            }
            boards.len() < MOST
        };
        self.session
            .search(self.loaded, &searched, &wanted, Part::WHOLE, &mut take)
            .map_err(|d| said(&d))?;
        Ok(boards)
    }

    /// The answer for each board, if there is one.
    fn answers(&mut self, asked: &str, ruleset: &str, boards: &[String]) -> Vec<Option<String>> {
        let read: Vec<Option<Query>> = boards
            .iter()
            .map(|board| {
                let text = format!("{asked}({ruleset}{board})");
                self.session.expression(self.loaded, &text).ok()
            })
            .collect();
        let known: Vec<bool> = read.iter().map(Option::is_some).collect();
        let read = read.into_iter().flatten().collect();
        let queries = std::mem::replace(&mut self.loaded.queries, read);
        let mut items = self.session.evaluate(self.loaded, |_, _| {}).into_iter();
        self.loaded.queries = queries;
        known
            .into_iter()
            .map(|known| match known.then(|| items.next()).flatten()? {
                Item {
                    status: Status::Held,
                    answer: Answer::Value(v),
                    ..
                } => Some(v.value),
                _ => None,
            })
            .collect()
    }

    /// The options of each player on a board.
    fn options(&mut self, ruleset: &str, board: &str) -> Option<Vec<Vec<Why>>> {
        let text = format!("{ruleset}{board}");
        let query = self.session.position(self.loaded, &text).ok()?;
        let position = self.session.value_of(self.loaded, &query).ok()?;
        let moves = self.session.moves(self.loaded, &position).ok()?;
        let whole = draw::short(&position);
        let prefix = whole.strip_suffix(board_of(&whole)).unwrap_or("");
        let option = |text: String| match prefix.is_empty() {
            true => text,
            false => text.replace(&format!("{prefix}["), "["),
        };
        if moves.stopped.is_some() {
            return None;
        }
        let all = moves.players.into_iter().map(|(player, all)| {
            let why = |m: super::Move| Why {
                player: player.clone(),
                new: true,
                option: option(m.picture.text),
                value: m.value.or(m.fate),
                was: None,
            };
            all.into_iter().map(why).collect()
        });
        Some(all.collect())
    }
}

fn compare_positions(
    old: &mut Side<'_, '_>,
    new: &mut Side<'_, '_>,
    (a, b): (&str, &str),
    up_to: &[u32],
    out: &mut Ruleset,
) {
    let mut boards = match old.boards(a, up_to) {
        Ok(boards) => boards,
        Err(why) => {
            out.note = Some(why);
            return;
        }
    };
    // A symmetry under one ruleset need not be one under the other.
    match new.boards(b, up_to) {
        Ok(more) => {
            let known: BTreeSet<String> = boards.iter().cloned().collect();
            boards.extend(more.into_iter().filter(|m| !known.contains(m)));
        }
        Err(why) => {
            out.note = Some(why);
            return;
        }
    }
    out.cut = boards.len() >= MOST;
    let one = &boards[..boards.len().min(1)];
    let asked = ["value", "outcome"].into_iter().find(|asked| {
        let was = old.answers(asked, a, one);
        let now = new.answers(asked, b, one);
        was.iter().chain(&now).all(Option::is_some)
    });
    let Some(asked) = asked else {
        let why = match old.ended() || new.ended() {
            true => "the run was ended before",
            false => "values and outcomes are not defined for both",
        };
        out.note = Some(why.to_owned());
        return;
    };
    out.asked = Some(asked);
    let was = old.answers(asked, a, &boards);
    let now = new.answers(asked, b, &boards);
    let all = boards.len();
    for ((board, was), now) in boards.into_iter().zip(was).zip(now) {
        let (Some(was), Some(now)) = (was, now) else {
            continue;
        };
        out.compared += 1;
        if was != now {
            out.positions.push(Changed { board, was, now });
        }
    }
    let mut notes = Vec::new();
    match all - out.compared {
        0 => {}
        1 => notes.push("1 position has no answer in both".to_owned()),
        n => notes.push(format!("{n} positions have no answer in both")),
    }
    if out.cut {
        notes.push(format!("only the first {MOST} boards are looked at"));
    }
    if old.ended() || new.ended() {
        notes.push("ended before all were compared".to_owned());
    }
    out.note = (!notes.is_empty()).then(|| notes.join("; "));
    if let Some(first) = out.positions.first() {
        let (was, now) = (old.options(a, &first.board), new.options(b, &first.board));
        out.why = why(was.unwrap_or_default(), now.unwrap_or_default());
    }
}

/// The options that only one of two positions has; if there are none, those whose value differs.
fn why(was: Vec<Vec<Why>>, now: Vec<Vec<Why>>) -> Vec<Why> {
    let of = |all: &[Why], one: &Why| all.iter().find(|o| o.option == one.option).cloned();
    let (mut out, mut changed) = (Vec::new(), Vec::new());
    for (was, now) in was.into_iter().zip(now) {
        let gone = was.iter().filter(|w| of(&now, w).is_none()).cloned();
        out.extend(gone.map(|w| Why { new: false, ..w }));
        for now in now {
            match of(&was, &now) {
                None => out.push(now),
                Some(old) if old.value != now.value => changed.push(Why {
                    was: old.value,
                    ..now
                }),
                Some(_) => {}
            }
        }
    }
    if out.is_empty() { changed } else { out }
}
