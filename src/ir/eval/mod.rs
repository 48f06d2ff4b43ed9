//! The evaluator of typed expressions: maps an expression, the values of its variables and perhaps a position to a value or
//! a fault. It interprets the expression directly and charges each step to a limit, so that evaluation always ends.
//!
//! Expressions that need an engine ([`ExprKind::Game`](crate::model::typed::ExprKind::Game)) are passed to a [`Host`].

pub mod binders;
mod boards;
pub(crate) mod builtins;
mod calls;
mod expr;
mod initial;
mod instances;
pub mod ops;

pub(crate) use boards::heap as boards_heap;
pub use calls::Calls;
pub(crate) use initial::{Counter, counter, fit_state};

use super::board::{Board, Builder, Place};
use super::fault::{Code, Fault, Res};
use super::instance::{Instance, Setting};
use super::int::Int;
use super::position::State;
use super::val::{Piece, Val};
use super::view::View;
use crate::base::Span;
use crate::game::Cancel;
use crate::model::typed::{BoardKind, FunctionId, GameOp, Model, SiteKind, Slot, Sort, StateId};
use std::cell::{Cell, RefCell};
use std::collections::HashMap;

/// The answer of `winner` if no player wins alone; differs from all players.
pub const QUEER: Val = Val::Player(u8::MAX);

/// The answer of `winner` if each player can prevent all others from winning.
pub const DRAW: Val = Val::Player(u8::MAX - 1);
/// The maximal depth of nested expressions, functions and binders. It fits a stack of two megabytes.
const MAX_DEPTH: u32 = 384;
/// The maximal number of elements of one set or list.
pub const MAX_ELEMENTS: usize = 1 << 22;

/// Answers questions that need an engine.
pub trait Host {
    /// Answers a query function or makes a game. Arguments of sort Position are [`Val::Position`]; games are [`Val::Game`]
    /// with handles of this host.
    ///
    /// # Errors
    /// Any fault, at the given place.
    fn game(&self, op: &GameOp, arguments: &[Val], span: Span) -> Res<Val>;

    /// The games born by day `day`, as a set or list of [`Val::Game`].
    ///
    /// # Errors
    /// Too many.
    fn born(&self, day: &Int, span: Span) -> Res<Val>;
}

/// A host without an engine, for rules: query functions cannot occur in them.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoHost;

impl Host for NoHost {
    fn game(&self, _: &GameOp, _: &[Val], span: Span) -> Res<Val> {
        Err(Fault::new(
            Code::Host,
            span,
            "a rule cannot ask for the value of a game",
        ))
    }

    fn born(&self, _: &Int, span: Span) -> Res<Val> {
        self.game(&GameOp::Value, &[], span)
    }
}

/// The values of the variables of one move, function or query.
#[derive(Clone, Debug, Default)]
pub struct Frame {
    slots: Vec<Option<Val>>,
    /// The heaps chosen in this stage: the number of the binder and the index in the state's list.
    pub(super) heaps: Vec<(u32, usize)>,
}

impl Frame {
    /// A frame whose first slots hold these values.
    #[must_use]
    pub fn new(values: impl IntoIterator<Item = Val>) -> Frame {
        Frame {
            slots: values.into_iter().map(Some).collect(),
            heaps: Vec::new(),
        }
    }

    /// The value of a variable, if bound.
    #[must_use]
    pub fn get(&self, slot: Slot) -> Option<&Val> {
        self.slots.get(slot.0 as usize).and_then(Option::as_ref)
    }

    /// Binds a variable.
    pub fn set(&mut self, slot: Slot, value: Val) {
        let i = slot.0 as usize;
        if self.slots.len() <= i {
            self.slots.resize(i + 1, None);
        }
        self.slots[i] = Some(value);
    }

    /// Unbinds a variable.
    pub fn clear(&mut self, slot: Slot) {
        if let Some(s) = self.slots.get_mut(slot.0 as usize) {
            *s = None;
        }
    }
}

/// What an expression may refer to besides its variables.
#[derive(Clone, Copy, Default)]
pub struct Scope<'s> {
    /// The current position (inside rules).
    pub here: Option<(&'s Setting, &'s State)>,
    /// The current ruleset: inside rules, and inside the board and the fields of a position literal.
    pub instance: Option<&'s Instance>,
    /// The board under construction; the binders of its entries range over its elements.
    pub building: Option<&'s Builder>,
    /// The expected kind of board.
    pub kind: Option<BoardKind>,
}

impl<'s> Scope<'s> {
    // Whether expressions can refer to nothing besides their variables.
    fn is_empty(&self) -> bool {
        let none = self.here.is_none() && self.instance.is_none();
        none && self.building.is_none() && self.kind.is_none()
    }

    /// The scope inside the rules, at a position.
    #[must_use]
    pub fn at(setting: &'s Setting, state: &'s State) -> Scope<'s> {
        Scope {
            here: Some((setting, state)),
            instance: Some(&setting.instance),
            building: None,
            kind: None,
        }
    }
}

/// The evaluator, with a budget of steps.
pub struct Evaluator<'a> {
    /// The checked files.
    pub model: &'a Model,
    host: &'a dyn Host,
    fuel: Cell<u64>,
    depth: Cell<u32>,
    cancel: Option<Cancel>,
    /// The values of functions without parameters, where they are constant.
    constants: Option<RefCell<HashMap<FunctionId, Val>>>,
    /// Results of functions of the query.
    calls: Option<&'a Calls>,
}

/// Measured bytes for a cell of a grid, a labelled site and a line of a board, including the position's variables for them.
const CELL: usize = 110;
const SITE: usize = 500;
const LINE: usize = 230;

/// The default budget of steps: seconds, not minutes.
pub const STEPS: u64 = 100_000_000;

impl<'a> Evaluator<'a> {
    /// An evaluator with a budget of [`STEPS`] steps.
    #[must_use]
    pub fn new(model: &'a Model, host: &'a dyn Host) -> Evaluator<'a> {
        Evaluator {
            model,
            host,
            fuel: Cell::new(STEPS),
            depth: Cell::new(0),
            cancel: None,
            constants: None,
            calls: None,
        }
    }

    /// Looks results of functions up among those of earlier evaluations, and keeps new ones there.
    #[must_use]
    pub fn remembering(mut self, calls: &'a Calls) -> Evaluator<'a> {
        self.calls = Some(calls);
        self
    }

    /// Caches functions without parameters. Use it for evaluations of one ruleset with fixed arguments and without a
    /// position.
    #[must_use]
    pub fn with_constants(mut self) -> Evaluator<'a> {
        self.constants = Some(RefCell::default());
        self
    }

    /// Sets the budget of steps.
    #[must_use]
    pub fn with_steps(self, steps: u64) -> Evaluator<'a> {
        self.fuel.set(steps);
        self
    }

    /// Sets the token that cancels the evaluation.
    #[must_use]
    pub fn with_cancel(mut self, cancel: Cancel) -> Evaluator<'a> {
        self.cancel = Some(cancel);
        self
    }

    /// The steps left in the budget.
    #[must_use]
    pub fn steps_left(&self) -> u64 {
        self.fuel.get()
    }

    /// Charges steps to the budget.
    ///
    /// # Errors
    /// The budget is used up, or the evaluation was cancelled.
    pub fn charge(&self, steps: u64, span: Span) -> Res<()> {
        let left = self.fuel.get();
        if left < steps {
            return Err(
                Fault::new(Code::TooMuch, span, "too many steps: the answer is unknown")
                    .help("a smaller range, or a condition nearer to the binder that it limits"),
            );
        }
        let now = left - steps;
        self.fuel.set(now);
        if (left ^ now) >> 14 != 0
            && let Some(reason) = self.cancel.as_ref().and_then(Cancel::reason)
        {
            return Err(Fault::ended(reason, span));
        }
        Ok(())
    }

    /// Checks that a board with this number of cells, labelled sites and lines fits into memory, together with the
    /// positions on it that a question needs.
    ///
    ///
    /// # Errors
    /// It would exceed the memory limit of the run.
    pub(super) fn room(&self, cells: usize, sites: usize, lines: usize, span: Span) -> Res<()> {
        let bytes = cells
            .saturating_mul(CELL)
            .saturating_add(sites.saturating_mul(SITE))
            .saturating_add(lines.saturating_mul(LINE));
        if self.cancel.as_ref().is_none_or(|c| c.allows(bytes)) {
            return Ok(());
        }
        let most = cells.max(sites).max(lines);
        Err(Fault::new(
            Code::TooMuch,
            span,
            format!(
                "a board with {most} sites or edges takes more than --memory: the answer is unknown"
            ),
        ))
    }

    /// Whether a list of this many bytes fits into memory. A run without a limit gets the one below.
    pub(crate) fn holds(&self, bytes: usize) -> bool {
        const WITHOUT: usize = 1 << 29;
        match &self.cancel {
            Some(cancel) if !cancel.allows(usize::MAX) => cancel.allows(bytes),
            _ => bytes <= WITHOUT,
        }
    }

    /// Whether an existing board fits into memory, as [`Evaluator::room`] says.
    pub(super) fn room_for(&self, board: &Board, span: Span) -> Res<()> {
        let sites = board.sites();
        let (cells, sites) = if board.has_cells() {
            (sites, 0)
        } else {
            (0, sites)
        };
        self.room(cells, sites, board.lines.len(), span)
    }

    /// Runs `run` one level deeper.
    pub(super) fn deeper<T>(&self, span: Span, run: impl FnOnce() -> Res<T>) -> Res<T> {
        let depth = self.depth.get();
        if depth >= MAX_DEPTH {
            return Err(Fault::new(
                Code::TooMuch,
                span,
                "too deep a nest of formulas and functions",
            ));
        }
        self.depth.set(depth + 1);
        let result = run();
        self.depth.set(depth);
        result
    }
}

/// The piece at a site or edge given by value: `off` outside the board.
#[must_use]
pub fn at(setting: &Setting, state: &State, v: &Val) -> Piece {
    let place = match v {
        Val::Edge(_) => setting.board.find_edge(v).map(Place::Edge),
        _ => setting.board.find(v).map(Place::Site),
    };
    place.map_or(Piece::Off, |p| state.at(setting, p))
}

/// Rules read a number on a cell outside the board as 0: `Some(0)` in that case.
pub(crate) fn beyond(setting: &Setting, f: StateId, args: &[Val]) -> Option<Val> {
    let declared = setting.instance.rules.state.get(f.0 as usize)?;
    let off = declared.arguments.iter().zip(args).any(|(sort, v)| {
        matches!(sort, Sort::Site(SiteKind::StripCell | SiteKind::GridCell))
            && setting.board.find(v).is_none()
    });
    (off && declared.sort == Sort::Int).then_some(Val::Int(Int::ZERO))
}

/// The value of a state function at arguments.
///
/// # Errors
/// An argument outside its domain.
pub fn read_state(
    setting: &Setting,
    state: &State,
    f: StateId,
    args: &[Val],
    span: Span,
) -> Res<Val> {
    match (setting.state_var(f, args)).and_then(|v| state.read(setting, v)) {
        Some(v) => Ok(v),
        None => Err(outside(setting, f, args, span)),
    }
}

/// The fault of a state function at arguments outside its domain.
pub(super) fn outside(setting: &Setting, f: StateId, args: &[Val], span: Span) -> Box<Fault> {
    let rules = &setting.instance.rules;
    let name = rules.state.get(f.0 as usize).map_or("?", |s| &*s.name);
    let shown: Vec<String> = args
        .iter()
        .map(|v| super::draw::value(v, Some(&setting.instance)))
        .collect();
    Fault::new(
        Code::OffBoard,
        span,
        format!("{name}({}) is off the board", shown.join(", ")),
    )
    .help(
        "off the board `at( )` is `off` and a number is 0; a binder `b = a + d` keeps to the board",
    )
}

fn too_many_elements(n: usize, span: Span) -> Res<()> {
    if n <= MAX_ELEMENTS {
        return Ok(());
    }
    Err(Fault::new(
        Code::TooMuch,
        span,
        format!("more than {MAX_ELEMENTS} elements"),
    ))
}

fn need_here<'s>(scope: Scope<'s>, span: Span) -> Res<(&'s Setting, &'s State)> {
    scope
        .here
        .ok_or_else(|| Fault::new(Code::NoBoard, span, "there is no position here"))
}

fn need_instance<'s>(scope: Scope<'s>, span: Span) -> Res<&'s Instance> {
    scope
        .instance
        .ok_or_else(|| Fault::new(Code::NoBoard, span, "there is no ruleset here"))
}

fn need_view<'s>(scope: Scope<'s>, span: Span) -> Res<View<'s>> {
    let (setting, state) = need_here(scope, span)?;
    Ok(View::at_state(setting, state))
}

/// The fault for a value where an integer is needed. `nimber(G)` is an integer by its sort, but infinite for some loopy
/// games; the host then answers with a game.
pub(crate) fn no_integer(v: &Val, span: Span) -> Box<Fault> {
    match v {
        Val::Game(_) => Fault::new(
            Code::Host,
            span,
            "this nimber is infinite: it is no integer to compute with",
        )
        .help("`nimber(G)` shows it, and `nimber(G) = nimber(H)` compares it; of a sum, ask `nimber(G + H)` or `outcome(G + H)`"),
        _ => internal(span, "not an integer"),
    }
}

/// The fault for a state that the checks before evaluation exclude.
pub(super) fn internal(span: Span, what: &str) -> Box<Fault> {
    Fault::new(
        Code::Internal,
        span,
        format!("{what}: the sorts were not checked"),
    )
}
