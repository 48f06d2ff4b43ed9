//! Files of rules as objects of Python: a name or a text comes in; positions, answers and values go out. Each file that is
//! loaded has a thread with its session, so that engines keep what they found, and the interpreter's lock is free meanwhile.

use crate::convert::{Said, integer};
use crate::limits::{self, Unknown};
use crate::position::Position;
use crate::value::{Adopted, Value, adopt};
use crate::waiting::wait;
use cgdsl::base::Span;
use cgdsl::claim::Answerer;
use cgdsl::diagnostic::{Diagnostic, has_errors};
use cgdsl::game::{Cancel, Limit, Limits};
use cgdsl::ir::{self, Evaluator, Frame, Res, Scope, Val};
use cgdsl::model::typed::Query;
use cgdsl::report::{draw, table};
use cgdsl::session::{self, Answer, Disk, Item, Loaded, Session, Settings, Unsaved, World};
use cgdsl::syntax::lexer::{TokenKind, lex};
use cgdsl::value::CanonicalForm;
use cgdsl::value::notation::Style;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::{PyFrozenSet, PyList, PySet, PyTuple};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

/// What the thread of a file works with.
pub struct Room<'w> {
    world: &'w dyn World,
    /// The session.
    pub session: Session<'w>,
    /// The file.
    pub loaded: Loaded,
    /// Values that were copied from the engine's arena.
    pub adopted: Adopted,
    /// The game that is played at the moment.
    pub play: Option<crate::play::Kept>,
    under: (usize, usize),
}

type Job = Box<dyn for<'w> FnOnce(&mut Room<'w>) + Send>;

/// Which question is being answered, and how it is ended.
#[derive(Default)]
struct Control {
    cancel: Cancel,
    next: u64,
    running: Option<(u64, Instant)>,
    dropped: Vec<u64>,
}

/// A file with its thread.
pub struct Inner {
    jobs: Sender<(u64, Job)>,
    control: Arc<Mutex<Control>>,
    /// The process that has the thread: one that was forked from it has none.
    process: u32,
    /// What it is loaded from: a name, and a text if it is not a file.
    pub source: (String, Option<String>),
}

/// What becomes of a question to an engine.
pub enum Asked<T> {
    /// The answer.
    Known(T),
    /// A limit was met.
    Limit(String),
    /// What went wrong.
    Wrong(Said),
}

fn lock(control: &Mutex<Control>) -> MutexGuard<'_, Control> {
    control.lock().unwrap_or_else(PoisonError::into_inner)
}

fn settings(cancel: Cancel) -> Settings {
    let now = limits::now();
    Settings {
        limits: Limits {
            memory: now.memory,
            threads: now.threads,
            ..Limits::default()
        },
        cancel,
        style: Style::Ascii,
        ..Settings::default()
    }
}

impl<'w> Room<'w> {
    fn new(world: &'w dyn World, name: &str, cancel: Cancel) -> Room<'w> {
        let now = limits::now();
        let mut session = Session::new(world, settings(cancel)).keeping();
        let loaded = session.load(name);
        Room {
            world,
            session,
            loaded,
            adopted: Adopted::default(),
            play: None,
            under: (now.memory, now.threads),
        }
    }

    /// Begins anew with engines: the last ones were ended, or had other limits.
    fn renew(&mut self, cancel: Cancel) {
        let now = limits::now();
        let sources = self.session.sources().clone();
        self.session = Session::over(self.world, sources, settings(cancel)).keeping();
        self.adopted = Adopted::default();
        self.play = None;
        self.under = (now.memory, now.threads);
    }

    /// Messages with the texts they speak of.
    pub fn said(&self, all: &[Diagnostic]) -> Said {
        Said::new(all, self.session.sources())
    }

    /// A question to the engines.
    pub fn ask<T>(&mut self, question: impl FnOnce(&Answerer<'_>, &Loaded) -> Res<T>) -> Asked<T> {
        let loaded = &self.loaded;
        match self
            .session
            .ask(loaded, |answerer| question(answerer, loaded))
        {
            Ok(found) => Asked::Known(found),
            Err((d, true)) => Asked::Limit(d.message),
            Err((d, false)) => Asked::Wrong(self.said(&[d])),
        }
    }

    /// The same, with values of the engine's arena in the answer, which are copied out of it.
    pub fn ask_values<T>(
        &mut self,
        question: impl FnOnce(&Answerer<'_>, &mut dyn FnMut(CanonicalForm) -> Res<Value>) -> Res<T>,
    ) -> Asked<T> {
        let mut adopted = std::mem::take(&mut self.adopted);
        let found = self.ask(|answerer, _| {
            let forms = answerer.solver().forms();
            let mut keep = |g: CanonicalForm| -> Res<Value> {
                let full = |_| cgdsl::claim::of_limit(Limit::Memory, Span::default());
                adopt(forms, g, &mut adopted).map(Value).map_err(full)
            };
            question(answerer, &mut keep)
        });
        self.adopted = adopted;
        found
    }

    /// The value of an expression.
    pub fn evaluate(&mut self, query: &Query, inner: &Arc<Inner>) -> Asked<Vec<Thing>> {
        let mut adopted = std::mem::take(&mut self.adopted);
        let found = self.ask(|answerer, loaded| {
            let ev = Evaluator::new(&loaded.model, answerer);
            let mut all = Vec::new();
            for e in &query.body {
                let v = ev.eval(e, &mut Frame::default(), Scope::default())?;
                let mut reader = Reader {
                    answerer,
                    adopted: &mut adopted,
                    inner,
                };
                all.push(reader.thing(&v)?);
            }
            Ok(all)
        });
        self.adopted = adopted;
        found
    }
}

/// A value of the language on its way to Python.
pub enum Thing {
    Bool(bool),
    Int(ir::Int),
    Text(String),
    Value(Value),
    Position(Position),
    Set(Vec<Thing>),
    List(Vec<Thing>),
    Tuple(Vec<Thing>),
}

struct Reader<'r, 's> {
    answerer: &'r Answerer<'s>,
    adopted: &'r mut Adopted,
    inner: &'r Arc<Inner>,
}

impl Reader<'_, '_> {
    fn all(&mut self, items: &[Val]) -> Res<Vec<Thing>> {
        items.iter().map(|v| self.thing(v)).collect()
    }

    fn thing(&mut self, v: &Val) -> Res<Thing> {
        Ok(match v {
            Val::Bool(b) => Thing::Bool(*b),
            Val::Int(n) => Thing::Int(n.clone()),
            Val::Game(_) => {
                let g = self.answerer.canonical(v, Span::default())?;
                let full = |_| cgdsl::claim::of_limit(Limit::Memory, Span::default());
                let forms = self.answerer.solver().forms();
                Thing::Value(Value(adopt(forms, g, self.adopted).map_err(full)?))
            }
            Val::Position(p) => Thing::Position(Position::new(self.inner.clone(), p.clone())),
            Val::Set(items) if items.iter().any(compares_otherwise) => {
                Thing::List(self.all(items)?)
            }
            Val::Set(items) => Thing::Set(self.all(items)?),
            Val::List(items) => Thing::List(self.all(items)?),
            Val::Cell(..) | Val::Tuple(_) => {
                Thing::Tuple(self.all(&v.parts().unwrap_or_default())?)
            }
            Val::Text(t) => Thing::Text(t.to_string()),
            Val::Outcome(o) => Thing::Text(crate::position::letters(*o).to_owned()),
            other => Thing::Text(self.answerer.show(other)),
        })
    }
}

/// Whether Python takes some different values of this kind for equal: positions are compared as games, and edges by their
/// ends.
fn compares_otherwise(v: &Val) -> bool {
    match v {
        Val::Position(_) | Val::Edge(_) => true,
        Val::Set(items) | Val::List(items) | Val::Tuple(items) => {
            items.iter().any(compares_otherwise)
        }
        _ => false,
    }
}

impl Thing {
    fn into_python(self, py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
        self.made(py, false)
    }

    /// The object; an element of a set is one that can be hashed.
    fn made(self, py: Python<'_>, element: bool) -> PyResult<Bound<'_, PyAny>> {
        let all = |items: Vec<Thing>, elements: bool| -> PyResult<Vec<Bound<'_, PyAny>>> {
            items.into_iter().map(|t| t.made(py, elements)).collect()
        };
        Ok(match self {
            Thing::Bool(b) => b.into_pyobject(py)?.to_owned().into_any(),
            Thing::Int(n) => integer(py, &n.to_big())?,
            Thing::Text(t) => t.into_pyobject(py)?.into_any(),
            Thing::Value(v) => Bound::new(py, v)?.into_any(),
            Thing::Position(p) => Bound::new(py, p)?.into_any(),
            Thing::Set(items) if element => PyFrozenSet::new(py, all(items, true)?)?.into_any(),
            Thing::Set(items) => PySet::new(py, all(items, true)?)?.into_any(),
            Thing::List(items) if !element => PyList::new(py, all(items, false)?)?.into_any(),
            Thing::List(items) | Thing::Tuple(items) => {
                PyTuple::new(py, all(items, element)?)?.into_any()
            }
        })
    }
}

impl Inner {
    /// Does something in the thread of the file.
    ///
    /// # Errors
    /// An interrupt; a thread that is gone.
    pub fn within<T: Send + 'static>(
        &self,
        py: Python<'_>,
        work: impl for<'w> FnOnce(&mut Room<'w>) -> T + Send + 'static,
    ) -> PyResult<(T, bool)> {
        if std::process::id() != self.process {
            return Err(PyRuntimeError::new_err(
                "the rules were loaded before this process was forked, and their thread stayed behind: load them again",
            ));
        }
        let (tell, reply) = channel();
        let id = {
            let mut control = lock(&self.control);
            control.next += 1;
            control.next
        };
        let job: Job = Box::new(move |room| {
            // Whoever waits may be gone.
            let _ = tell.send(work(room));
        });
        let gone = |_| {
            PyRuntimeError::new_err(
                "cgdsl: the thread of this file has ended, which is a fault of the program",
            )
        };
        self.jobs.send((id, job)).map_err(gone)?;
        let mine = |control: &Control| match control.running {
            Some((running, since)) if running == id => Some(since),
            _ => None,
        };
        let started = || mine(&lock(&self.control));
        let end = || {
            let mut control = lock(&self.control);
            match mine(&control) {
                Some(_) => control.cancel.cancel(),
                None if !control.dropped.contains(&id) => control.dropped.push(id),
                None => {}
            }
        };
        let done = wait(py, reply, started, end)?;
        Ok((done.result, done.late))
    }

    /// A question to the engines: its answer, or what is known instead.
    ///
    /// # Errors
    /// What goes wrong; an interrupt.
    pub fn ask<T: Send + 'static>(
        &self,
        py: Python<'_>,
        question: impl for<'w> FnOnce(&mut Room<'w>) -> Asked<T> + Send + 'static,
    ) -> PyResult<Result<T, Unknown>> {
        let (asked, late) = self.within(py, question)?;
        match asked {
            Asked::Known(found) => Ok(Ok(found)),
            Asked::Limit(message) => Ok(Err(Unknown::new(late, &message))),
            Asked::Wrong(said) => Err(said.raise(py, "EvaluationError")),
        }
    }
}

/// The thread of a file: answers questions until nobody is left to ask.
fn serve(
    source: &(String, Option<String>),
    control: &Arc<Mutex<Control>>,
    jobs: &std::sync::mpsc::Receiver<(u64, Job)>,
) {
    let cancel = lock(control).cancel.clone();
    let over = |text: &str, room: &mut dyn FnMut(&dyn World)| {
        room(&Unsaved::new(&Disk, &source.0, text.as_bytes()));
    };
    let mut run = |world: &dyn World| {
        let mut room = Room::new(world, &source.0, cancel.clone());
        while let Ok((id, job)) = jobs.recv() {
            let now = limits::now();
            {
                let mut control = lock(control);
                if let Some(at) = control.dropped.iter().position(|d| *d == id) {
                    control.dropped.swap_remove(at);
                    continue;
                }
                if control.cancel.is_cancelled() || room.under != (now.memory, now.threads) {
                    control.cancel = Cancel::with_memory(now.memory);
                    room.renew(control.cancel.clone());
                }
                control.running = Some((id, Instant::now()));
            }
            job(&mut room);
            lock(control).running = None;
        }
    };
    match &source.1 {
        Some(text) => over(text, &mut run),
        None => run(&Disk),
    }
}

/// What is known of a ruleset.
type About = (String, Vec<String>, String);

/// A file of rules that has been read and checked.
#[pyclass(frozen, module = "cgdsl._native")]
pub struct Rules {
    inner: Arc<Inner>,
    names: Vec<About>,
    said: Said,
    broken: bool,
}

/// How an item is told: as JSON, with the picture of its position or table.
type Told = (String, Vec<String>);

fn told(item: &Item) -> Told {
    let json = serde_json::to_string(item).unwrap_or_default();
    let mut pictures = Vec::new();
    match &item.answer {
        Answer::Table(t) => pictures.extend(table::heat_map(t).map(|scene| draw::svg(&scene))),
        Answer::Card(card) => {
            let figure = card.picture.figure.as_deref();
            pictures.extend(figure.map(|f| draw::svg(&draw::scene(f))));
        }
        _ => {}
    }
    (json, pictures)
}

#[pymethods]
impl Rules {
    #[new]
    #[pyo3(signature = (name, text = None))]
    fn new(py: Python<'_>, name: String, text: Option<String>) -> PyResult<Rules> {
        let (jobs, receiver) = channel();
        let control = Arc::new(Mutex::new(Control {
            cancel: Cancel::with_memory(limits::now().memory),
            ..Control::default()
        }));
        let inner = Arc::new(Inner {
            jobs,
            control: control.clone(),
            process: std::process::id(),
            source: (name, text),
        });
        let source = inner.source.clone();
        std::thread::Builder::new()
            .name("rules".to_owned())
            .stack_size(64 << 20)
            .spawn(move || serve(&source, &control, &receiver))
            .map_err(|e| PyRuntimeError::new_err(format!("no thread to work on: {e}")))?;
        let ((names, said, broken), _) = inner.within(py, |room| {
            let whole = room.loaded.model.rulesets.iter().filter(|r| !r.broken);
            let names: Vec<About> = whole
                .map(|r| {
                    let parameters = r.parameters.iter().map(|p| p.name.to_string());
                    let doc: Vec<String> = r.doc.iter().map(ToString::to_string).collect();
                    (r.name.to_string(), parameters.collect(), doc.join("\n"))
                })
                .collect();
            let all = &room.loaded.diagnostics;
            let broken = room.loaded.broken > 0 || has_errors(all);
            (names, room.said(all), broken)
        })?;
        Ok(Rules {
            inner,
            names,
            said,
            broken,
        })
    }

    /// What it is loaded from: a name, and a text if it is not a file.
    #[getter]
    fn source(&self) -> (String, Option<String>) {
        self.inner.source.clone()
    }

    /// The rulesets: name, parameters, documentation.
    #[getter]
    fn rulesets(&self) -> Vec<About> {
        self.names.clone()
    }

    /// Messages as text and as JSON, and whether something is broken.
    #[getter]
    fn messages(&self) -> (String, String, bool) {
        (
            self.said.text().to_owned(),
            self.said.json().to_owned(),
            self.broken,
        )
    }

    /// The position that the first of these texts that can be read stands for.
    fn position(&self, py: Python<'_>, texts: Vec<String>) -> PyResult<Position> {
        let (found, _) = self.inner.within(py, move |room| {
            let mut wrong = Vec::new();
            for text in &texts {
                let found = room
                    .session
                    .position(&mut room.loaded, text)
                    .and_then(|query| {
                        let found = room.session.value_of(&room.loaded, &query);
                        found.map_err(|d| vec![d])
                    });
                match found {
                    Ok(position) => return Ok(position),
                    // The last text is the likeliest.
                    Err(all) => wrong = all,
                }
            }
            Err(room.said(&wrong))
        })?;
        match found {
            Ok(position) => Ok(Position::new(self.inner.clone(), position)),
            Err(said) => Err(said.raise(py, "RulesError")),
        }
    }

    /// The value of an expression of the language.
    fn eval<'py>(&self, py: Python<'py>, text: String) -> PyResult<Bound<'py, PyAny>> {
        let inner = self.inner.clone();
        let (found, late) = self.inner.within(py, move |room| {
            match room.session.expression(&mut room.loaded, &text) {
                Ok(query) => Ok(room.evaluate(&query, &inner)),
                Err(all) => Err(room.said(&all)),
            }
        })?;
        match found {
            Err(said) => Err(said.raise(py, "RulesError")),
            Ok(Asked::Wrong(said)) => Err(said.raise(py, "EvaluationError")),
            Ok(Asked::Limit(message)) => {
                Ok(Bound::new(py, Unknown::new(late, &message))?.into_any())
            }
            Ok(Asked::Known(mut all)) => match (all.pop(), all.is_empty()) {
                (Some(one), true) => one.into_python(py),
                _ => Err(PyRuntimeError::new_err("one expression is expected")),
            },
        }
    }

    /// All answers of the file: each as JSON, with pictures.
    fn answers(&self, py: Python<'_>) -> PyResult<Vec<Told>> {
        let (found, _) = self.inner.within(py, |room| {
            let items = room.session.evaluate(&room.loaded, |_, _| {});
            items.iter().map(told).collect::<Vec<_>>()
        })?;
        Ok(found)
    }

    /// A table, `for m in 0..9: E`: as JSON, with its picture.
    fn table(&self, py: Python<'_>, text: String) -> PyResult<Told> {
        let (found, _) = self.inner.within(py, move |room| {
            let query = room
                .session
                .table(&mut room.loaded, &text)
                .map_err(|all| room.said(&all))?;
            let alone = Loaded {
                queries: vec![query],
                ..room.loaded.clone()
            };
            let items = room.session.evaluate(&alone, |_, _| {});
            items.first().map(told).ok_or_else(Said::default)
        })?;
        found.map_err(|said| said.raise(py, "RulesError"))
    }
}

/// Whether a text is a name of the language.
#[pyfunction]
pub fn is_name(text: &str) -> bool {
    matches!(&lex(text)[..], [t] if t.kind == TokenKind::Name)
}

/// The shipped files of rules: name, folder, title, text.
#[pyfunction]
pub fn shipped() -> Vec<(&'static str, &'static str, &'static str, &'static str)> {
    session::shipped::all()
        .map(|f| (f.name(), f.folder(), f.title(), f.text))
        .collect()
}
