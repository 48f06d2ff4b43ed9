//! A ruleset and the size of a search come in; the positions on all boards up to that size go out, one of each class of
//! positions that differ by a symmetry of the board, each looked at by a condition and put into a group.
//!
//! Boards come small ones first (by sites, then by the sum of their counts), so the first position of a group is one of its
//! smallest. Positions are numbered in that order, whatever is asked of them: a search that was ended is taken up again
//! by that number.

mod boards;
mod fillings;
mod symmetry;

pub use boards::{From, read_lines};
pub use symmetry::Looks;

use super::{Loaded, Picture, Session};
use crate::base::{FileId, Ident, Span};
use crate::claim::{Answerer, card, diagnose};
use crate::diagnostic::{Code, Diagnostic, has_errors};
use crate::game::{Convention, Reason};
use crate::ir::{self, Board, Evaluator, Fault, Frame, Setting, Val};
use crate::model::typed::{
    BinderKind, BoardKind, Expr, ExprKind, Form, Place, PositionLiteral, Query, QueryKind, Slot,
};
use crate::syntax::{ast, parse_conditions};
use fillings::Fillings;
use serde::Serialize;
use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use symmetry::Permutation;

/// What the position at hand is called in the formulas.
const NAME: &str = "G";

/// How many steps are spent on counting the positions of a search: a fraction of a second.
const MOST_STEPS: u64 = 4_000_000;

/// What is searched for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Wanted {
    /// On which boards.
    pub from: From,
    /// The greatest sum of the counts on a board.
    pub counts: u32,
    /// Whether cells may be walls; by default where the ruleset has no pieces.
    pub walls: Option<bool>,
    /// What must hold: a formula of `G`; a function of one position may stand alone.
    pub condition: Option<String>,
    /// What positions are grouped by.
    pub group_by: Option<String>,
}

/// One of so many parts of a search. Positions are dealt to the parts in turn, by their numbers: so the parts are disjoint, are together
/// the whole, cost about the same, and need no word from each other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shard {
    /// Which part, from 1.
    pub part: u64,
    /// How many parts there are.
    pub of: u64,
}

impl Shard {
    /// The only part.
    pub const WHOLE: Shard = Shard { part: 1, of: 1 };

    /// Reads `I/N`, for I from 1 to N.
    #[must_use]
    pub fn read(text: &str) -> Option<Shard> {
        let (part, of) = text.split_once('/')?;
        let (part, of): (u64, u64) = (part.trim().parse().ok()?, of.trim().parse().ok()?);
        (1..=of).contains(&part).then_some(Shard { part, of })
    }

    /// Whether a position belongs to it, by its number.
    #[must_use]
    pub fn has(self, number: u64) -> bool {
        number % self.of == self.part - 1
    }
}

/// A ruleset ready to be searched.
pub struct Searched {
    ruleset: Arc<ir::Instance>,
    condition: Option<Query>,
    group: Option<Query>,
    slot: Slot,
    /// What the rules may look at.
    pub looks: Looks,
}

/// A position that was found.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, serde::Deserialize)]
pub struct Found {
    /// Its number among all positions of the search, from 0.
    pub number: u64,
    /// The position in the language.
    pub position: String,
    /// Drawn.
    pub drawing: Vec<String>,
    /// The group, if any is asked for; else its value, for two players and normal play; else its outcome, for two players.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub group: Option<String>,
}

/// What happens in a search.
#[derive(Debug)]
pub enum Event<'e> {
    /// A position was found.
    Found(Found),
    /// A position met a limit, which is named.
    Unknown(&'e str),
    /// A position cannot be asked this, and why not.
    Undefined(&'e str),
    /// So many positions have been looked at, or passed over.
    Looked(u64),
}

/// How much there was to search on boards of one size.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Counted {
    /// Which boards.
    pub size: String,
    /// How many, up to isomorphism.
    pub boards: u64,
    /// How many positions on them, up to symmetry.
    pub positions: u64,
}

/// How much there is to search.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Extent {
    /// Boards, up to isomorphism.
    pub boards: u64,
    /// Positions on them, up to symmetry: `u128::MAX` for any greater number.
    pub positions: u128,
    /// Whether that is all: counting stops where it would take long.
    pub complete: bool,
}

/// How a search ended.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Ended {
    /// Boards and positions, by size.
    pub sizes: Vec<Counted>,
    /// Positions that met a limit.
    pub unknown: u64,
    /// Positions of which the question has no answer, and why not the first of them.
    pub undefined: u64,
    /// See `undefined`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Whether all positions were looked at.
    pub complete: bool,
}

impl Session<'_> {
    /// Reads `Ruleset` or `Ruleset(arguments)` and the formulas of a search.
    ///
    /// # Errors
    /// What is wrong with them.
    pub fn to_search(
        &mut self,
        loaded: &mut Loaded,
        ruleset: &str,
        condition: Option<&str>,
        group_by: Option<&str>,
    ) -> Result<Searched, Vec<Diagnostic>> {
        // A board of the kind in question: it is only read, not evaluated.
        let mut first = None;
        let mut complaints = Vec::new();
        for text in [
            format!("options({ruleset}[])"),
            format!("options({ruleset}[\".\"])"),
        ] {
            match self.formula(loaded, &text, "true", QueryKind::Search { first: false }) {
                Ok(query) => {
                    first = Some((text, query));
                    break;
                }
                Err(all) if complaints.is_empty() => complaints = all,
                Err(_) => {}
            }
        }
        let Some((domain, query)) = first else {
            return Err(complaints);
        };
        let (literal, slot) = literal(&query).ok_or_else(|| {
            let message = format!("`{ruleset}` is not a ruleset with its arguments");
            vec![Diagnostic::error(Code::E0552, message)]
        })?;
        let literal = literal.clone();
        let condition = condition
            .map(|text| self.formula(loaded, &domain, text, QueryKind::Search { first: false }))
            .transpose()?;
        let group = group_by
            .map(|text| self.formula(loaded, &domain, text, QueryKind::Table))
            .transpose()?;
        let model = loaded.model.clone();
        let ev = Evaluator::new(&model, &ir::NoHost);
        let mut arguments = Vec::new();
        for e in &literal.arguments {
            let v = ev.eval(e, &mut Frame::default(), ir::Scope::default());
            arguments.push(v.map_err(|f| vec![diagnose(&f)])?);
        }
        let instance = ev
            .instance(literal.ruleset, arguments, Span::default())
            .map_err(|f| vec![diagnose(&f)])?;
        Ok(Searched {
            looks: symmetry::looks(&model, &instance.rules),
            ruleset: instance,
            condition,
            group,
            slot,
        })
    }

    /// Formulas of the position at hand, with commas between them.
    fn formula(
        &mut self,
        loaded: &mut Loaded,
        domain: &str,
        text: &str,
        kind: QueryKind,
    ) -> Result<Query, Vec<Diagnostic>> {
        let (file, set) = self.parse(domain)?;
        let text = applied(text);
        let id = self.sources.add("<command line>", &text);
        let (body, diagnostics) = parse_conditions(id, &text);
        let Some(body) = body.filter(|_| !has_errors(&diagnostics)) else {
            return Err(diagnostics);
        };
        let query = ast::Query {
            kind,
            slow: false,
            name: None,
            binders: vec![binder(file, domain, set)],
            condition: None,
            body,
            source: None,
        };
        let span = Span::new(id, 0, text.len());
        loaded.read(|scope| scope.check_query_item(&query, span))
    }

    /// How many boards and positions a search will look at. Boards are made for it, as the search makes them again.
    ///
    /// # Errors
    /// What goes wrong with the boards.
    pub fn extent(&self, searched: &Searched, wanted: &Wanted) -> Result<Extent, Diagnostic> {
        let instance = &searched.ruleset;
        let kind = instance.rules.board;
        let bound = bound(wanted, kind);
        let spent = Cell::new(0u64);
        let charge = |steps: u64| -> ir::Res<()> {
            spent.set(spent.get().saturating_add(steps));
            let cancelled = self.settings.cancel.reason();
            // An estimate is no more than that: what takes long is left out.
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

    /// Searches: each position that is found, and how far the search has come, goes to `each`, which ends it by
    /// answering false. The first `skip` positions are passed over, and those of other parts of the search.
    ///
    /// # Errors
    /// What goes wrong with the boards.
    pub fn search(
        &mut self,
        loaded: &Loaded,
        searched: &Searched,
        wanted: &Wanted,
        (skip, shard): (u64, Shard),
        each: &mut dyn FnMut(Event<'_>) -> bool,
    ) -> Result<Ended, Diagnostic> {
        let solver = self.solver(loaded);
        let answerer = Answerer::new(&solver, self.settings.style).marked(self.settings.marked);
        let cancel = self.settings.cancel.clone();
        let progress = self.progress.clone();
        progress.items.store(1, Relaxed);
        let instance = &searched.ruleset;
        let kind = instance.rules.board;
        let two = instance.players.len() == 2 && instance.convention == Convention::Normal;
        let cut = |f: &Fault| f.code.is_limit();
        let charge = |_| -> ir::Res<()> {
            if let Some(reason) = cancel.reason() {
                return Err(Fault::ended(reason, Span::default()));
            }
            Ok(())
        };
        let mut ended = Ended {
            complete: true,
            ..Ended::default()
        };
        let mut number = 0u64;
        let bound = bound(wanted, kind);
        'sizes: for size in boards::sizes(&wanted.from, kind).map_err(|f| diagnose(&f))? {
            let free = !searched.looks.at_directions;
            let size = match boards::of_size(&wanted.from, instance, &size, free, &charge) {
                Ok(size) => size,
                Err(fault) if cut(&fault) && cancel.is_cancelled() => {
                    ended.complete = false;
                    break;
                }
                Err(fault) => return Err(diagnose(&fault)),
            };
            if size.boards.is_empty() {
                continue;
            }
            let mut counted = Counted {
                size: size.name,
                boards: size.boards.len() as u64,
                positions: 0,
            };
            for sum in 0..=bound {
                let mut any = false;
                for (board, symmetries) in &size.boards {
                    let fillings = fillings(searched, wanted, board, symmetries)?;
                    any |= fillings.has_counts();
                    let went_on = fillings.each(sum, &mut |position| {
                        let at = number;
                        number += 1;
                        if !shard.has(at) {
                            return !cancel.is_cancelled();
                        }
                        counted.positions += 1;
                        progress.instances.store(number, Relaxed);
                        if at < skip {
                            return !cancel.is_cancelled();
                        }
                        let position = Arc::new(position);
                        let judged = judge(&answerer, loaded, searched, &position, &cancel, two);
                        answerer.forget();
                        let goes_on = match judged {
                            Ok(None) => true,
                            Ok(Some(group)) => {
                                let Picture { text, drawing, .. } = card::picture(&position);
                                each(Event::Found(Found {
                                    number: at,
                                    position: text,
                                    drawing,
                                    group,
                                }))
                            }
                            Err(fault) if cut(&fault) => {
                                if cancel.is_cancelled() {
                                    // This position was not looked at to the end.
                                    return false;
                                }
                                ended.unknown += 1;
                                each(Event::Unknown(&fault.message))
                            }
                            Err(fault) => {
                                ended.undefined += 1;
                                ended.reason.get_or_insert_with(|| fault.message.clone());
                                each(Event::Undefined(&fault.message))
                            }
                        };
                        goes_on && each(Event::Looked(number)) && !cancel.is_cancelled()
                    });
                    if !went_on {
                        ended.complete = false;
                        ended.sizes.push(counted);
                        break 'sizes;
                    }
                }
                if !any {
                    break;
                }
            }
            ended.sizes.push(counted);
        }
        progress.done.store(1, Relaxed);
        self.statistics = solver.statistics();
        Ok(ended)
    }

    /// A board written in the language, for a search on it alone.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn board_to_search(
        &mut self,
        loaded: &mut Loaded,
        searched: &Searched,
        text: &str,
    ) -> Result<Arc<Board>, Vec<Diagnostic>> {
        let kind = searched.ruleset.rules.board;
        let fail = |message: String| vec![Diagnostic::error(Code::E0552, message)];
        let braced = match kind.form() {
            Form::Chains => format!("{} {{ {text} }}", kind.descriptor().name),
            Form::Cells => {
                let read = |t: &str| ir::board::art::parse(t, kind, Span::default());
                if !text.contains('(') {
                    let board = read(text.trim_matches('"')).map_err(|f| vec![diagnose(&f)])?;
                    if board.marks.iter().any(|m| &*m.glyph != "#") {
                        return Err(fail(
                            "the board is written without pieces: walls `#` stay".into(),
                        ));
                    }
                    return Ok(Arc::new(board));
                }
                text.to_owned()
            }
            _ => {
                return Err(fail(
                    "a board of heaps or numbers is not a board to search on".into(),
                ));
            }
        };
        let query = self.expression(loaded, &braced)?;
        let ev = Evaluator::new(&loaded.model, &ir::NoHost);
        let [e] = &query.body[..] else {
            return Err(fail("one board is expected".into()));
        };
        match ev.eval(e, &mut Frame::default(), ir::Scope::default()) {
            Ok(Val::Board(b)) if b.kind != kind => Err(fail(format!(
                "a {} where a {} is expected",
                Board::kind_name(b.kind),
                Board::kind_name(kind)
            ))),
            Ok(Val::Board(b)) if b.marks.is_empty() => Ok(b),
            Ok(Val::Board(_)) => Err(fail("the board is written without pieces".into())),
            Ok(_) => Err(fail(format!("`{text}` is not a board"))),
            Err(fault) => Err(vec![diagnose(&fault)]),
        }
    }

    /// The kind of board that is searched.
    #[must_use]
    pub fn kind_searched(searched: &Searched) -> BoardKind {
        searched.ruleset.rules.board
    }
}

/// The greatest sum of the counts on a board.
fn bound(wanted: &Wanted, kind: BoardKind) -> u32 {
    match &wanted.from {
        From::Size(n) if kind.form() == Form::Scalars => n.first().copied().unwrap_or(0),
        _ => wanted.counts,
    }
}

/// The ways to fill a board.
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

/// Whether a position is one of those looked for, and its group.
fn judge(
    answerer: &Answerer<'_>,
    loaded: &Loaded,
    searched: &Searched,
    position: &Arc<ir::Position>,
    cancel: &crate::game::Cancel,
    two: bool,
) -> ir::Res<Option<Option<String>>> {
    let ev = Evaluator::new(&loaded.model, answerer).with_cancel(cancel.clone());
    let mut frame = Frame::default();
    frame.set(searched.slot, Val::Position(position.clone()));
    if let Some(query) = &searched.condition {
        // One condition that is false decides, even where a limit keeps another from being known.
        let mut limit = None;
        for phi in &query.body {
            match ev.truth(phi, &mut frame, ir::Scope::default()) {
                Ok(true) => {}
                Ok(false) => return Ok(None),
                Err(fault) if limit.is_none() && !fault.code.is_limit() => return Err(fault),
                Err(fault) => limit = limit.or(Some(fault)),
            }
        }
        if let Some(fault) = limit {
            return Err(fault);
        }
    }
    let group = match &searched.group {
        Some(query) => {
            let mut shown = Vec::new();
            for e in &query.body {
                let v = ev.eval(e, &mut frame, ir::Scope::default())?;
                shown.push(answerer.show(&v).trim_end().replace('\n', "; "));
            }
            Some(shown.join(", "))
        }
        // Where rules have no values, who wins is told.
        None if two && answerer.solver().is_decided(position) => {
            let outcome = answerer.solver().outcome(position, Span::default())?;
            Some(answerer.show(&Val::Outcome(outcome)))
        }
        None if two => {
            let position = Val::Position(position.clone());
            let value = answerer.loopy(&position, Span::default())?;
            Some(answerer.print_loopy(value))
        }
        None => None,
    };
    Ok(Some(group))
}

/// `G in domain`
fn binder(file: FileId, domain: &str, set: ast::Expr) -> ast::Binder {
    let span = Span::new(file, 0, domain.len());
    ast::Binder {
        span,
        kind: ast::BinderKind::In(
            ast::Pattern::Name(Ident {
                text: NAME.into(),
                span,
            }),
            set,
        ),
    }
}

/// The position literal in `G in options(R[..])`, and the slot of G.
fn literal(query: &Query) -> Option<(&PositionLiteral, Slot)> {
    let [binder] = &query.binders[..] else {
        return None;
    };
    let BinderKind::In(places, set) = &binder.kind else {
        return None;
    };
    let [Place::New(slot)] = places[..] else {
        return None;
    };
    fn inside(e: &Expr) -> Option<&PositionLiteral> {
        match &*e.kind {
            ExprKind::Position(literal) => Some(literal),
            ExprKind::Game(_, all) => all.iter().find_map(inside),
            _ => None,
        }
    }
    Some((inside(set)?, slot))
}

/// Functions of one position that stand alone are applied to the position at hand: `temperature > 1` is
/// `temperature(G) > 1`.
fn applied(text: &str) -> String {
    const FUNCTIONS: [&str; 18] = [
        "value",
        "outcome",
        "misere_outcome",
        "nimber",
        "gset",
        "birthday",
        "mean",
        "temperature",
        "left_stop",
        "right_stop",
        "options",
        "is_number",
        "is_integer",
        "is_nimber",
        "is_infinitesimal",
        "is_all_small",
        "atomic_weight",
        "reduced",
    ];
    let mut out = String::with_capacity(text.len() + 8);
    let mut rest = text;
    let mut quoted = false;
    while let Some(c) = rest.chars().next() {
        if c == '"' {
            quoted = !quoted;
        }
        let is_word = |c: char| c.is_alphanumeric() || c == '_' || c == '\'';
        if quoted || !(c.is_alphabetic() || c == '_') {
            out.push(c);
            rest = &rest[c.len_utf8()..];
            // A number keeps what is glued to it.
            if c.is_numeric() {
                let end = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
                out.push_str(&rest[..end]);
                rest = &rest[end..];
            }
            continue;
        }
        let end = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
        let (word, after) = rest.split_at(end);
        out.push_str(word);
        if FUNCTIONS.contains(&word) && !after.trim_start().starts_with('(') {
            out.push_str(&format!("({NAME})"));
        }
        rest = after;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::applied;

    #[test]
    fn functions_alone_are_applied() {
        assert_eq!(applied("temperature > 3/2"), "temperature(G) > 3/2");
        assert_eq!(
            applied("value(G) == 1/4 and is_number"),
            "value(G) == 1/4 and is_number(G)"
        );
        assert_eq!(applied("size(options) > 2"), "size(options(G)) > 2");
        assert_eq!(applied("mean (G) = \"value\""), "mean (G) = \"value\"");
    }
}
