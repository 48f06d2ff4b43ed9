//! A game that is written in Python comes in; its values and winners go out, by the engine of all games. The engine is
//! instantiated here, for positions that are numbers: objects of Python are numbered as they are met.

use crate::limits::{self, Unknown};
use crate::position::{answer, letters};
use crate::value::{Adopted, Value, adopt};
use crate::waiting::wait;
use cgdsl::claim::outcome_of;
use cgdsl::engine::arena::Arena;
use cgdsl::engine::{Engine, Stopped, StoppedIn};
use cgdsl::game::{Analysis, Budget, Cancel, Game, Limits, Player, Rules, Sign};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use std::sync::mpsc::channel;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

/// Bytes that an object of Python takes with its place in the tables, about.
const OBJECT: usize = 400;
/// The most options of a position.
const MOST_OPTIONS: usize = 1 << 20;

/// What goes wrong in the methods of the game.
#[derive(Clone, Debug)]
pub enum Fault {
    /// They raise an exception.
    Raised(Arc<PyErr>),
    /// There are more positions than the limit of memory has room for.
    Full,
}

impl From<PyErr> for Fault {
    fn from(e: PyErr) -> Fault {
        Fault::Raised(Arc::new(e))
    }
}

/// A game of Python, with its positions by their numbers.
struct Table {
    /// A weak reference, since the game holds its engine.
    game: Py<PyAny>,
    numbers: Py<PyDict>,
    positions: Py<PyList>,
    keys: Py<PyDict>,
    impartial: bool,
    /// Whether the game says what equal game trees are, and what the parts are.
    has_key: bool,
    has_parts: bool,
    most: usize,
    /// An exception where the engine expects none.
    trouble: Mutex<Option<Fault>>,
}

impl Table {
    /// What keys and parts are where the game raised an exception instead of saying it, which ends the question.
    fn note(&self, fault: Fault) {
        *self.trouble.lock().unwrap_or_else(PoisonError::into_inner) = Some(fault);
    }

    fn in_trouble(&self) -> Option<Fault> {
        let trouble = self.trouble.lock();
        trouble.unwrap_or_else(PoisonError::into_inner).take()
    }

    /// The number of a position.
    fn number(&self, position: &Bound<'_, PyAny>) -> Result<u32, Fault> {
        let py = position.py();
        let numbers = self.numbers.bind(py);
        if let Some(known) = numbers.get_item(position)? {
            return Ok(known.extract()?);
        }
        let positions = self.positions.bind(py);
        let next = positions.len();
        if next >= self.most {
            return Err(Fault::Full);
        }
        let next = u32::try_from(next).map_err(|_| Fault::Full)?;
        positions.append(position)?;
        numbers.set_item(position, next)?;
        Ok(next)
    }

    /// The game, which whoever asks keeps alive.
    fn game<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.game.bind(py).call0()
    }

    fn position<'py>(&self, py: Python<'py>, number: u32) -> PyResult<Bound<'py, PyAny>> {
        self.positions.bind(py).get_item(number as usize)
    }

    /// The numbers of the positions that a method of the game gives.
    fn all(&self, given: &Bound<'_, PyAny>, into: &mut Vec<u32>) -> Result<(), Fault> {
        for (i, position) in given.try_iter()?.enumerate() {
            if i >= MOST_OPTIONS {
                return Err(Fault::Full);
            }
            into.push(self.number(&position?)?);
        }
        Ok(())
    }
}

impl Rules for Table {
    type Position = u32;
    type Fault = Fault;

    fn options(&self, position: &u32, player: Player, options: &mut Vec<u32>) -> Result<(), Fault> {
        if let Some(fault) = self.in_trouble() {
            return Err(fault);
        }
        Python::attach(|py| {
            let position = self.position(py, *position)?;
            let game = self.game(py)?;
            let given = game.call_method1(
                "options",
                (position, game.getattr("_player")?.call1((player.0,))?),
            )?;
            self.all(&given, options)
        })
    }
}

impl Game for Table {
    type Key = u32;

    /// A key of the game goes by the number of the first position that has it.
    fn key(&self, part: &u32) -> (u32, Sign) {
        if !self.has_key {
            return (*part, Sign::Plus);
        }
        let number = Python::attach(|py| -> PyResult<u32> {
            let position = self.position(py, *part)?;
            let key = self.game(py)?.call_method1("key", (position,))?;
            let keys = self.keys.bind(py);
            if let Some(known) = keys.get_item(&key)? {
                return known.extract();
            }
            keys.set_item(&key, *part)?;
            Ok(*part)
        });
        let number = number.unwrap_or_else(|e| {
            self.note(e.into());
            *part
        });
        (number, Sign::Plus)
    }

    fn analysis(&self) -> &impl Analysis<Table> {
        self
    }
}

impl Analysis<Table> for Table {
    fn split(&self, position: &u32, parts: &mut Vec<u32>) {
        let start = parts.len();
        let split = |parts: &mut Vec<u32>| {
            Python::attach(|py| -> Result<(), Fault> {
                let whole = self.position(py, *position)?;
                let given = self.game(py)?.call_method1("parts", (whole,))?;
                self.all(&given, parts)
            })
        };
        if self.has_parts {
            match split(parts) {
                Ok(()) => return,
                Err(fault) => self.note(fault),
            }
        }
        parts.truncate(start);
        parts.push(*position);
    }

    fn is_impartial(&self, _part: &u32) -> bool {
        self.impartial
    }
}

/// An engine with what it has found of a game.
#[derive(Clone)]
struct Held {
    engine: Arc<Engine<u32>>,
    cancel: Cancel,
    adopted: Arc<Mutex<Adopted>>,
    under: (usize, usize),
}

impl Held {
    fn new() -> Held {
        let now = limits::now();
        let cancel = Cancel::with_memory(now.memory);
        let limits = Limits {
            memory: now.memory,
            threads: now.threads,
            ..Limits::default()
        };
        Held {
            engine: Arc::new(Engine::new(limits).with_cancel(cancel.clone())),
            cancel,
            adopted: Arc::default(),
            under: (now.memory, now.threads),
        }
    }
}

/// What becomes of a question.
enum Told<T> {
    Known(T),
    Limit,
    Raised(Arc<PyErr>),
    Cycle(Vec<u32>),
}

fn told<T>(found: Result<T, StoppedIn<Table>>) -> Told<T> {
    match found {
        Ok(found) => Told::Known(found),
        Err(Stopped::Limit(_) | Stopped::Refused(_)) => Told::Limit,
        Err(Stopped::Fault { fault, .. }) => match fault {
            Fault::Raised(e) => Told::Raised(e),
            Fault::Full => Told::Limit,
        },
        Err(Stopped::Cycle { line }) => Told::Cycle(line),
    }
}

/// The engine of a game that is written in Python.
#[pyclass(frozen, module = "cgdsl._native")]
pub struct GameEngine {
    table: Arc<Table>,
    held: Mutex<Option<Held>>,
}

impl GameEngine {
    fn held(&self) -> Held {
        let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        let now = limits::now();
        let fits = |h: &Held| !h.cancel.is_cancelled() && h.under == (now.memory, now.threads);
        match &*held {
            Some(known) if fits(known) => known.clone(),
            _ => held.insert(Held::new()).clone(),
        }
    }

    fn ask<T: Send + 'static>(
        &self,
        position: &Bound<'_, PyAny>,
        question: impl FnOnce(&Held, &Table, u32) -> Told<T> + Send + 'static,
    ) -> PyResult<Result<T, Unknown>> {
        let py = position.py();
        let full = |late| {
            Ok(Err(Unknown::new(
                late,
                "the limit of memory was met; --memory sets it",
            )))
        };
        let start = match self.table.number(position) {
            Ok(start) => start,
            Err(Fault::Raised(e)) => return Err(e.clone_ref(py)),
            Err(Fault::Full) => return full(false),
        };
        let (held, table) = (self.held(), self.table.clone());
        let cancel = held.cancel.clone();
        let (tell, reply) = channel();
        let since = Instant::now();
        std::thread::Builder::new()
            .name("game".to_owned())
            .stack_size(64 << 20)
            .spawn(move || {
                // Whoever waits may be gone.
                let _ = tell.send(question(&held, &table, start));
            })
            .map_err(|e| PyRuntimeError::new_err(format!("no thread to work on: {e}")))?;
        let done = wait(py, reply, || Some(since), || cancel.cancel())?;
        match self.table.in_trouble() {
            Some(Fault::Raised(e)) => return Err(e.clone_ref(py)),
            Some(Fault::Full) => return full(done.late),
            None => {}
        }
        match done.result {
            Told::Known(found) => Ok(Ok(found)),
            Told::Limit => full(done.late),
            Told::Raised(e) => Err(e.clone_ref(py)),
            Told::Cycle(line) => {
                let line: Vec<String> = line
                    .iter()
                    .map(|n| Ok(self.table.position(py, *n)?.repr()?.to_string()))
                    .collect::<PyResult<_>>()?;
                let text = format!(
                    "play need not end: a position comes again in {}",
                    line.join(", ")
                );
                let class = py.import("cgdsl._errors")?.getattr("EvaluationError")?;
                Err(PyErr::from_value(class.call1((text,))?))
            }
        }
    }
}

#[pymethods]
impl GameEngine {
    #[new]
    fn new(
        py: Python<'_>,
        game: Py<PyAny>,
        impartial: bool,
        has_key: bool,
        has_parts: bool,
    ) -> GameEngine {
        GameEngine {
            table: Arc::new(Table {
                game,
                numbers: PyDict::new(py).unbind(),
                positions: PyList::empty(py).unbind(),
                keys: PyDict::new(py).unbind(),
                impartial,
                has_key,
                has_parts,
                most: limits::now().memory / OBJECT,
                trouble: Mutex::default(),
            }),
            held: Mutex::default(),
        }
    }

    /// The canonical form of a position.
    fn value<'py>(&self, position: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let found = self.ask(position, |held, table, start| {
            match held.engine.value(table, &start) {
                Ok(g) => {
                    let mut adopted = held.adopted.lock().unwrap_or_else(PoisonError::into_inner);
                    match adopt(held.engine.forms(), g, &mut adopted) {
                        Ok(g) => Told::Known(Value(g)),
                        Err(_) => Told::Limit,
                    }
                }
                Err(stopped) => told(Err(stopped)),
            }
        })?;
        answer(position.py(), found)
    }

    /// The nimber, or nothing if the value is none.
    fn nimber<'py>(&self, position: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let found = self.ask(position, |held, table, start| {
            told(held.engine.nimber(table, &start))
        })?;
        answer(position.py(), found)
    }

    /// Who wins. Where a position comes again, by the search that knows draws.
    fn outcome<'py>(&self, position: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let found = self.ask(position, |held, table, start| {
            match held.engine.outcome(table, &start) {
                Ok(outcome) => Told::Known(outcome.letter().to_string()),
                Err(Stopped::Cycle { .. }) => {
                    let mut arena = Arena::new(held.engine.limits().memory);
                    let budget = Budget::new(held.engine.limits(), held.cancel.clone());
                    let mut fate = |first| arena.fate(table, &start, first, &budget);
                    let both = fate(Player::LEFT).and_then(|left| Ok([left, fate(Player::RIGHT)?]));
                    told(both.map(|both| letters(outcome_of(both)).to_owned()))
                }
                Err(stopped) => told(Err(stopped)),
            }
        })?;
        answer(position.py(), found)
    }

    /// Who wins if whoever moves last loses.
    fn misere_outcome<'py>(&self, position: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let found = self.ask(position, |held, table, start| {
            let found = held.engine.search(table).misere_outcome(&start);
            told(found.map(|outcome| outcome.letter().to_string()))
        })?;
        answer(position.py(), found)
    }
}
