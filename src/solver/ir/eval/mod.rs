//! The evaluator of typed expressions: an expression, the values of its variables and perhaps a position come in, a value
//! or a fault comes out. It follows the text plainly and works step by step under a limit, so nothing hangs.
//!
//! What needs an engine ([`ExprKind::Game`](crate::model::typed::ExprKind::Game)) is asked of a [`Host`].

pub mod binders;
mod boards;
pub(in crate::ir) mod builtins;
mod expr;
mod initial;
mod instances;
pub mod ops;

pub(in crate::ir) use boards::heap as boards_heap;
pub(in crate::ir) use initial::{Counter, counter, fit_state};

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

/// What `winner` answers when no player wins alone: equal to no player.
pub const QUEER: Val = Val::Player(u8::MAX);

/// What `winner` answers where each player can force that nobody else wins.
pub const DRAW: Val = Val::Player(u8::MAX - 1);
/// The most nested evaluations: expressions, functions, binders. A stack of two megabytes holds them.
const MAX_DEPTH: u32 = 384;
/// The most elements that one set or list may have.
pub const MAX_ELEMENTS: usize = 1 << 22;

/// What only something with an engine can answer.
pub trait Host {
    /// Answers a query function or makes a game. Arguments of sort Position are [`Val::Position`], games are
    /// [`Val::Game`] with handles that this host has given.
    ///
    /// # Errors
    /// Whatever goes wrong, at the place given.
    fn game(&self, op: &GameOp, arguments: &[Val], span: Span) -> Res<Val>;

    /// The games born by day `day`, as a set or list of [`Val::Game`].
    ///
    /// # Errors
    /// Too many.
    fn born(&self, day: &Int, span: Span) -> Res<Val>;
}

/// A host without an engine: for rules, where no query function can occur.
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
    /// Heaps chosen in this stage: number of the binder, place in the state's list.
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

    /// The value of a variable, if it is bound.
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
    /// The position at hand (inside rules).
    pub here: Option<(&'s Setting, &'s State)>,
    /// The ruleset at hand: inside rules, and inside the board and the fields of a position literal.
    pub instance: Option<&'s Instance>,
    /// The board under construction, whose elements the binders of its entries range over.
    pub building: Option<&'s Builder>,
    /// The kind of board that is asked for.
    pub kind: Option<BoardKind>,
}

impl<'s> Scope<'s> {
    /// Inside the rules, at a position.
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

/// The evaluator, with an account of the steps it may still take.
pub struct Evaluator<'a> {
    /// The checked files.
    pub model: &'a Model,
    host: &'a dyn Host,
    fuel: Cell<u64>,
    depth: Cell<u32>,
    cancel: Option<Cancel>,
    /// What functions without parameters said, where that cannot change.
    constants: Option<RefCell<HashMap<FunctionId, Val>>>,
}

/// Bytes of a cell of a grid, of a labelled site and of a line of a board, with what a position holds there, as measured.
const CELL: usize = 110;
const SITE: usize = 500;
const LINE: usize = 230;

/// Steps that an evaluation may take if nothing else is said: seconds, not minutes.
pub const STEPS: u64 = 100_000_000;

impl<'a> Evaluator<'a> {
    /// An evaluator with [`STEPS`] steps to go.
    #[must_use]
    pub fn new(model: &'a Model, host: &'a dyn Host) -> Evaluator<'a> {
        Evaluator {
            model,
            host,
            fuel: Cell::new(STEPS),
            depth: Cell::new(0),
            cancel: None,
            constants: None,
        }
    }

    /// Evaluates functions without parameters once: for evaluations of one ruleset with its arguments, without a position.
    #[must_use]
    pub fn with_constants(mut self) -> Evaluator<'a> {
        self.constants = Some(RefCell::default());
        self
    }

    /// With another number of steps.
    #[must_use]
    pub fn with_steps(self, steps: u64) -> Evaluator<'a> {
        self.fuel.set(steps);
        self
    }

    /// With a token that ends it.
    #[must_use]
    pub fn with_cancel(mut self, cancel: Cancel) -> Evaluator<'a> {
        self.cancel = Some(cancel);
        self
    }

    /// Steps still to go.
    #[must_use]
    pub fn steps_left(&self) -> u64 {
        self.fuel.get()
    }

    /// Charges steps.
    ///
    /// # Errors
    /// There are no more, or somebody has cancelled.
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

    /// Whether there is room for a board of so many cells, labelled sites and lines, with the positions on it that are made to ask
    /// a question.
    ///
    /// # Errors
    /// It would take more memory than the run may.
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

    /// The same for a board that is there.
    pub(super) fn room_for(&self, board: &Board, span: Span) -> Res<()> {
        let sites = board.sites();
        let (cells, sites) = if board.has_cells() {
            (sites, 0)
        } else {
            (0, sites)
        };
        self.room(cells, sites, board.lines.len(), span)
    }

    /// Runs something one level deeper.
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

/// What lies at a site or edge given by value: `off` outside the board.
#[must_use]
pub fn at(setting: &Setting, state: &State, v: &Val) -> Piece {
    let place = match v {
        Val::Edge(_) => setting.board.find_edge(v).map(Place::Edge),
        _ => setting.board.find(v).map(Place::Site),
    };
    place.map_or(Piece::Off, |p| state.at(setting, p))
}

/// What a rule reads of a number on a cell that was never on the board: 0.
pub(in crate::ir) fn beyond(setting: &Setting, f: StateId, args: &[Val]) -> Option<Val> {
    let declared = setting.instance.rules.state.get(f.0 as usize)?;
    let off = declared.arguments.iter().zip(args).any(|(sort, v)| {
        matches!(sort, Sort::Site(SiteKind::StripCell | SiteKind::GridCell))
            && setting.board.find(v).is_none()
    });
    (off && declared.sort == Sort::Int).then_some(Val::Int(Int::ZERO))
}

/// A state function at arguments.
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

/// The fault of a state function asked outside its domain.
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

/// What the checks before evaluation exclude.
pub(super) fn internal(span: Span, what: &str) -> Box<Fault> {
    Fault::new(
        Code::Internal,
        span,
        format!("{what}: the sorts were not checked"),
    )
}
