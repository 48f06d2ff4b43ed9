//! Searches for positions. Input: a ruleset and the size of a search; output: the positions on all boards up to that size,
//! one of each class under the symmetries of the board, filtered by a condition and sorted into groups.
//!
//! Boards come in order of size (sites, then the sum of their counts), so the first position of a group is one of its
//! smallest. Positions are numbered in that order, independently of the condition, so an interrupted search can resume at a
//! number.

mod asked;
mod boards;
mod crew;
mod deal;
mod examine;
mod facts;
mod fillings;
mod symmetry;

pub use boards::{BoardSource, read_lines};
pub use deal::{Deal, Shard};
pub use facts::{Facts, Short};
pub use symmetry::Looks;

use super::{Loaded, Session};
use crate::base::Span;
use crate::claim::{Progress, card, diagnose};
use crate::diagnostic::{Code, Diagnostic};
use crate::engine::Helpers;
use crate::game::{Cancel, Reason};
use crate::ir::{self, Board, Fault, Setting};
use crate::model::typed::{BoardKind, Form, Query, Slot};
use crate::value::notation::Style;
use crew::{Crew, Examination, Lead};
use examine::Examined;
use fillings::Fillings;
use serde::Serialize;
use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use symmetry::Permutation;

/// The name of the position at hand in formulas.
const NAME: &str = "G";

/// The most steps spent on counting the positions of a search: a fraction of a second.
const MOST_STEPS: u64 = 4_000_000;

/// The description of a search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Wanted {
    /// The boards to search.
    pub from: BoardSource,
    /// The greatest sum of the counts on a board.
    pub counts: u32,
    /// Whether cells may be walls; by default only where the ruleset has no pieces.
    pub walls: Option<bool>,
    /// The condition: a formula of `G`, in which a function of one position may stand alone.
    pub condition: Option<String>,
    /// The formula by which positions are grouped.
    pub group_by: Option<String>,
}

/// A ruleset ready to be searched.
pub struct Searched {
    pub(super) ruleset: Arc<ir::Instance>,
    condition: Option<Query>,
    group: Option<Query>,
    slot: Slot,
    /// What the rules and the formulas may distinguish.
    pub looks: Looks,
}

/// A position that was found, written out.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, serde::Deserialize)]
pub struct Found {
    /// Its number among all positions of the search, from 0.
    pub number: u64,
    /// The position in the language.
    pub position: String,
    /// A drawing of the position.
    pub drawing: Vec<String>,
    /// Its group, if positions are grouped; otherwise its value, for two players and normal play; otherwise its outcome, for
    /// two players.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub group: Option<String>,
}

/// A position that satisfies the condition. It is written out on demand, since most are only counted.
#[derive(Debug)]
pub struct Match<'e> {
    /// Its number among all positions of the search, from 0.
    pub number: u64,
    /// The position.
    pub position: &'e ir::Position,
    /// See [`Found::group`].
    pub group: Option<String>,
}

impl Match<'_> {
    /// The position written out.
    #[must_use]
    pub fn written(&self) -> Found {
        Found {
            number: self.number,
            position: ir::draw::short(self.position),
            drawing: card::drawing(self.position),
            group: self.group.clone(),
        }
    }
}

/// Which positions a search examines, and what it reports.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Part {
    /// The number of positions to skip, because they were examined before.
    pub skip: u64,
    /// The part of a divided search.
    pub shard: Shard,
    /// Whether to report a row ([`Event::Row`]) for each position, in place of the positions that match.
    pub rows: bool,
}

impl Part {
    /// All positions, reporting those that match.
    pub const WHOLE: Part = Part {
        skip: 0,
        shard: Shard::WHOLE,
        rows: false,
    };
}

/// A table row for a position that satisfies the condition, or for which this is unknown.
#[derive(Debug)]
pub struct Row<'e> {
    /// Its number among all positions of the search, from 0.
    pub number: u64,
    /// Its board.
    pub board: &'e Board,
    /// The position.
    pub position: &'e ir::Position,
    /// What is said of it; if that could not be determined, whether a limit was met, and why.
    pub said: Result<Said, (bool, &'e str)>,
}

/// What a row says of a position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Said {
    /// Its group, if positions are grouped.
    Group(String),
    /// Its value.
    Value(Facts),
    /// Nothing: these rules have no values.
    Nothing,
}

/// An event of a search.
#[derive(Debug)]
pub enum Event<'e> {
    /// A position was found.
    Found(Match<'e>),
    /// A row of a table.
    Row(Row<'e>),
    /// How the positions of a size are dealt to the parts.
    Dealt(Deal),
    /// A position met a limit, whose message this is.
    Unknown(&'e str),
    /// The question is undefined for a position, for this reason.
    Undefined(&'e str),
    /// This many positions have been examined or skipped.
    Looked(u64),
}

/// The size of a search on boards of one size.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, serde::Deserialize)]
pub struct Counted {
    /// The name of the size.
    pub size: String,
    /// The number of boards, up to isomorphism.
    pub boards: u64,
    /// The number of positions on them, up to symmetry.
    pub positions: u64,
}

/// The size of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Extent {
    /// The number of boards, up to isomorphism.
    pub boards: u64,
    /// The number of positions on them, up to symmetry; `u128::MAX` if it overflows.
    pub positions: u128,
    /// Whether everything was counted: counting stops when it takes long.
    pub complete: bool,
}

/// How a search ended.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Ended {
    /// Boards and positions, by size.
    pub sizes: Vec<Counted>,
    /// The number of positions that met a limit.
    pub unknown: u64,
    /// The number of positions for which the question is undefined.
    pub undefined: u64,
    /// Why it is undefined for the first of them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Whether all positions were examined.
    pub complete: bool,
    /// How many positions were numbered, including those of other parts.
    #[serde(skip)]
    pub numbered: u64,
}

impl Session<'_> {
    /// How many boards and positions a search will examine. Generates the boards, as the search does again.
    ///
    /// # Errors
    /// What is wrong with the boards.
    pub fn extent(&self, searched: &Searched, wanted: &Wanted) -> Result<Extent, Diagnostic> {
        let instance = &searched.ruleset;
        let kind = instance.rules.board;
        let bound = bound(wanted, kind);
        let spent = Cell::new(0u64);
        let charge = |steps: u64| -> ir::Res<()> {
            spent.set(spent.get().saturating_add(steps));
            let cancelled = self.settings.cancel.reason();
            // This is only an estimate, so counting stops when it takes long.
            let late = (spent.get() > MOST_STEPS).then_some(Reason::Time);
            if let Some(reason) = cancelled.or(late) {
                return Err(Fault::ended(reason, Span::default()));
            }
            Ok(())
        };
        let mut extent = Extent {
            complete: true,
            ..Extent::default()
        };
        for size in boards::sizes(&wanted.from, kind).map_err(|f| diagnose(&f))? {
            let free = !searched.looks.at_directions;
            let size = match boards::of_size(&wanted.from, instance, &size, free, &charge) {
                Ok(size) => size,
                Err(fault) if fault.code.is_limit() => {
                    extent.complete = false;
                    break;
                }
                Err(fault) => return Err(diagnose(&fault)),
            };
            for (board, symmetries) in &size.boards {
                let fillings = fillings(searched, wanted, board, symmetries)?;
                let number = fillings.number(bound);
                let all = number.and_then(|n| extent.positions.checked_add(n));
                extent.positions = all.unwrap_or(u128::MAX);
                extent.boards += 1;
                let steps = (symmetries.len() as u64).saturating_mul(board.sites() as u64);
                if charge(steps).is_err() {
                    extent.complete = false;
                    return Ok(extent);
                }
            }
        }
        Ok(extent)
    }

    /// Runs a search. Reports matching positions and progress to `each`, which ends the search by returning false. Skips the
    /// first `skip` positions, and those of other parts.
    ///
    /// # Errors
    /// What is wrong with the boards.
    pub fn search(
        &mut self,
        loaded: &Loaded,
        searched: &Searched,
        wanted: &Wanted,
        Part { skip, shard, rows }: Part,
        each: &mut dyn FnMut(Event<'_>) -> bool,
    ) -> Result<Ended, Diagnostic> {
        let solver = self.solver(loaded);
        let examined = Examined {
            model: &loaded.model,
            searched,
            cancel: &self.settings.cancel,
            // A table must not depend on the terminal of its reader.
            style: match rows {
                true => Style::Ascii,
                false => self.settings.style,
            },
            marked: self.settings.marked && !rows,
            rows,
        };
        let helpers = solver.helpers();
        let crew = Crew::new(helpers.as_ref().map_or(0, Helpers::count));
        let ended = std::thread::scope(|scope| {
            let _closes = crew.closes();
            let mut told = Told {
                rows,
                skip,
                cancel: &self.settings.cancel,
                progress: &self.progress,
                ended: Ended {
                    complete: true,
                    ..Ended::default()
                },
                each,
            };
            let pulse = &self.progress.pulse;
            let lead = crew.lead(scope, &solver, pulse, examined);
            self.enumerate(searched, wanted, shard, lead, &mut told)?;
            Ok(told.ended)
        });
        drop(helpers);
        self.progress.done.store(1, Relaxed);
        self.keep_statistics(&solver);
        ended
    }

    /// Enumerates the positions of a part, and tells what is said of them.
    fn enumerate(
        &self,
        searched: &Searched,
        wanted: &Wanted,
        shard: Shard,
        mut lead: Lead<'_, '_>,
        told: &mut Told<'_>,
    ) -> Result<(), Diagnostic> {
        let cancel = &self.settings.cancel;
        self.progress.items.store(1, Relaxed);
        let instance = &searched.ruleset;
        let kind = instance.rules.board;
        let charge = |_| -> ir::Res<()> {
            if let Some(reason) = cancel.reason() {
                return Err(Fault::ended(reason, Span::default()));
            }
            Ok(())
        };
        let mut number = 0u64;
        let bound = bound(wanted, kind);
        'sizes: for size in boards::sizes(&wanted.from, kind).map_err(|f| diagnose(&f))? {
            let free = !searched.looks.at_directions;
            let size = match boards::of_size(&wanted.from, instance, &size, free, &charge) {
                Ok(size) => size,
                Err(fault) if fault.code.is_limit() && cancel.is_cancelled() => {
                    told.ended.complete = false;
                    break;
                }
                Err(fault) => return Err(diagnose(&fault)),
            };
            if size.boards.is_empty() {
                continue;
            }
            // In a divided or resumed search, whole boards are skipped by the numbers of their positions.
            let numbers = match shard == Shard::WHOLE && told.skip == 0 {
                true => None,
                false => numbers(searched, wanted, &size.boards, bound)?,
            };
            let all = numbers.iter().flatten().flatten();
            let all = all.fold(0u64, |sum, n| sum.saturating_add(*n));
            let deal = Deal::new(number, all, shard.of);
            if !(told.each)(Event::Dealt(deal)) {
                told.ended.complete = false;
                break;
            }
            told.ended.sizes.push(Counted {
                size: size.name,
                boards: size.boards.len() as u64,
                positions: 0,
            });
            for sum in 0..=bound {
                let mut any = false;
                for (i, (board, symmetries)) in size.boards.iter().enumerate() {
                    let known = numbers.as_ref().map(|all| all[i][sum as usize]);
                    let end = known.map(|n| number + n);
                    if let Some(end) = end
                        && (end <= told.skip || deal.count(shard, number, end) == 0)
                    {
                        any |= end > number;
                        if cancel.is_cancelled() {
                            told.ended.complete = false;
                            break 'sizes;
                        }
                        told.count(deal.count(shard, number, end));
                        number = end;
                        continue;
                    }
                    let fillings = fillings(searched, wanted, board, symmetries)?;
                    any |= fillings.has_counts();
                    lead.next_board();
                    let went_on = fillings.each(sum, &mut |position| {
                        let at = number;
                        number += 1;
                        if !deal.has(shard, at) {
                            return !cancel.is_cancelled();
                        }
                        if at < told.skip {
                            told.count(1);
                            self.progress.instances.store(number, Relaxed);
                            return !cancel.is_cancelled();
                        }
                        lead.add(at, position, &mut |found| told.tell(found))
                    });
                    debug_assert!(!went_on || end.is_none_or(|end| end == number));
                    if !went_on {
                        told.ended.complete = false;
                        break 'sizes;
                    }
                }
                if !any {
                    break;
                }
            }
            if !lead.finish(&mut |found| told.tell(found)) {
                told.ended.complete = false;
                break;
            }
        }
        told.ended.numbered = number;
        Ok(())
    }
}

/// What a search has told so far, and to whom.
struct Told<'e> {
    rows: bool,
    skip: u64,
    cancel: &'e Cancel,
    progress: &'e Progress,
    ended: Ended,
    each: &'e mut dyn FnMut(Event<'_>) -> bool,
}

impl Told<'_> {
    /// Counts positions of the size at hand.
    fn count(&mut self, positions: u64) {
        if let Some(size) = self.ended.sizes.last_mut() {
            size.positions += positions;
        }
    }

    /// Tells what is said of a position. Returns whether the search goes on.
    fn tell(&mut self, (number, position, said): Examination) -> bool {
        self.count(1);
        self.progress.instances.store(number + 1, Relaxed);
        let board = |p: &ir::Position| p.terms().first().map(|term| term.setting.board.clone());
        let mut row = |said: Result<Said, (bool, &str)>| match board(&position) {
            Some(board) => (self.each)(Event::Row(Row {
                number,
                board: &board,
                position: &position,
                said,
            })),
            None => true,
        };
        let goes_on = match said {
            Ok(None) => true,
            Ok(Some(said)) if self.rows => row(Ok(said)),
            Ok(Some(said)) => {
                let group = match said {
                    Said::Group(text) => Some(text),
                    Said::Value(facts) => Some(facts.value),
                    Said::Nothing => None,
                };
                (self.each)(Event::Found(Match {
                    number,
                    position: &position,
                    group,
                }))
            }
            Err(fault) if fault.code.is_limit() => {
                if self.cancel.is_cancelled() {
                    // This position was not fully examined.
                    return false;
                }
                self.ended.unknown += 1;
                (!self.rows || row(Err((true, &*fault.message))))
                    && (self.each)(Event::Unknown(&fault.message))
            }
            Err(fault) => {
                self.ended.undefined += 1;
                let reason = || fault.message.clone();
                self.ended.reason.get_or_insert_with(reason);
                (!self.rows || row(Err((false, &*fault.message))))
                    && (self.each)(Event::Undefined(&fault.message))
            }
        };
        goes_on && (self.each)(Event::Looked(number + 1)) && !self.cancel.is_cancelled()
    }
}

/// The greatest sum of the counts on a board.
fn bound(wanted: &Wanted, kind: BoardKind) -> u32 {
    match &wanted.from {
        BoardSource::Size(n) if kind.form() == Form::Scalars => n.first().copied().unwrap_or(0),
        _ => wanted.counts,
    }
}

/// The fillings of a board.
fn fillings(
    searched: &Searched,
    wanted: &Wanted,
    board: &Arc<Board>,
    symmetries: &[Permutation],
) -> Result<Fillings, Diagnostic> {
    let instance = &searched.ruleset;
    let walls = wanted.walls.unwrap_or(instance.pieces.is_empty());
    let setting = Setting::new(instance.clone(), board.clone()).map_err(|f| diagnose(&f))?;
    Fillings::new(
        Arc::new(setting),
        symmetries,
        walls,
        searched.looks.at_sites,
    )
    .map_err(|why| Diagnostic::error(Code::E0552, why))
}

/// The number of positions on each board for each sum of counts; `None` if there are too many to number.
fn numbers(
    searched: &Searched,
    wanted: &Wanted,
    boards: &[(Arc<Board>, Vec<Permutation>)],
    bound: u32,
) -> Result<Option<Vec<Vec<u64>>>, Diagnostic> {
    let mut all = Vec::with_capacity(boards.len());
    for (board, symmetries) in boards {
        let by_sum = fillings(searched, wanted, board, symmetries)?.by_sum(bound);
        // No search examines as many as 2^40.
        let few = |n: u128| u64::try_from(n).ok().filter(|n| *n < 1 << 40);
        let row: Option<Vec<u64>> = by_sum.and_then(|row| row.into_iter().map(few).collect());
        match row {
            Some(row) => all.push(row),
            None => return Ok(None),
        }
    }
    Ok(Some(all))
}
