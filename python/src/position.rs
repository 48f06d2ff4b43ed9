//! Positions as objects of Python: what may be asked of one goes to the thread of its file.

use crate::convert::to_player;
use crate::limits::Unknown;
use crate::play::Play;
use crate::rules::{Asked, Inner, Room};
use crate::value::Value;
use cgdsl::base::Span;
use cgdsl::claim::{Winner, card, tree, why};
use cgdsl::engine::arena::Fate;
use cgdsl::game::{End, Player};
use cgdsl::ir::naive::Moved;
use cgdsl::ir::{self, Int, Outcome, draw};
use cgdsl::report::{self, Look};
use cgdsl::session::figure::{BoardFigure, GraphKind, Spot, figure};
use pyo3::BoundObject;
use pyo3::basic::CompareOp;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use std::sync::Arc;

/// A position, or a sum of positions.
#[pyclass(frozen, module = "cgdsl")]
#[derive(Clone)]
pub struct Position {
    inner: Arc<Inner>,
    position: Arc<ir::Position>,
}

/// An outcome in letters.
pub fn letters(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::L => "L",
        Outcome::R => "R",
        Outcome::N => "N",
        Outcome::P => "P",
        Outcome::LD => "LD",
        Outcome::RD => "RD",
        Outcome::DL => "DL",
        Outcome::DR => "DR",
        Outcome::D => "D",
    }
}

/// An option with what is known of it.
#[pyclass(frozen, module = "cgdsl")]
pub struct Move {
    /// Who moves.
    #[pyo3(get)]
    player: String,
    /// What is chosen, in the words of the rules.
    #[pyo3(get)]
    text: String,
    /// The position moved to.
    #[pyo3(get)]
    position: Position,
    value: Option<Value>,
    fate: Option<String>,
    /// Whether no other option is better for the player.
    #[pyo3(get)]
    best: bool,
}

#[pymethods]
impl Move {
    /// The value of the position moved to, for two players and rules with values.
    #[getter]
    fn value(&self) -> PyResult<Value> {
        self.value.ok_or_else(|| {
            PyValueError::new_err(
                "the rules have no values; ask .fate, or the outcome of .position",
            )
        })
    }

    /// Who wins after it, where there are no values.
    #[getter]
    fn fate(&self) -> PyResult<&str> {
        self.fate
            .as_deref()
            .ok_or_else(|| PyValueError::new_err("the move has a value: ask .value"))
    }

    fn __repr__(&self) -> String {
        let worth = match (&self.value, &self.fate) {
            (Some(v), _) => format!(", value {}", v.__str__()),
            (None, Some(fate)) => format!(", {fate}"),
            (None, None) => String::new(),
        };
        let best = if self.best { ", best" } else { "" };
        format!("<Move of {}: {}{worth}{best}>", self.player, self.text)
    }
}

/// An answer, or that it is unknown.
pub fn answer<'py, T: IntoPyObject<'py>>(
    py: Python<'py>,
    found: Result<T, Unknown>,
) -> PyResult<Bound<'py, PyAny>> {
    match found {
        Ok(found) => {
            let object = found.into_pyobject(py).map_err(Into::into)?;
            Ok(object.into_any().into_bound())
        }
        Err(unknown) => Ok(Bound::new(py, unknown)?.into_any()),
    }
}

/// What is chosen in a move, in the words of the rules.
fn chosen(position: &ir::Position, moved: &Moved) -> String {
    let instance = position.terms().get(moved.term);
    let instance = instance.map(|t| &*t.setting.instance);
    let label = moved.label.iter().map(ToString::to_string);
    let bound = moved
        .bindings
        .iter()
        .map(|(name, v)| format!("{name} = {}", draw::value(v, instance)));
    label.chain(bound).collect::<Vec<_>>().join(", ")
}

impl Position {
    /// A position of a file.
    pub fn new(inner: Arc<Inner>, position: Arc<ir::Position>) -> Position {
        Position { inner, position }
    }

    /// The position itself.
    pub fn position(&self) -> &Arc<ir::Position> {
        &self.position
    }

    /// The file.
    pub fn inner(&self) -> &Arc<Inner> {
        &self.inner
    }

    /// The names of the players.
    pub fn names(&self) -> Vec<String> {
        let all = (0..self.position.players()).map(Player);
        all.map(|p| self.position.player_name(p).to_string())
            .collect()
    }

    /// The player of an object of Python.
    pub fn player(&self, who: &Bound<'_, PyAny>) -> PyResult<Player> {
        to_player(who, &self.names())
    }

    /// Refuses a position of another load: its rules are numbered otherwise.
    fn together(&self, other: &Position) -> PyResult<()> {
        if Arc::ptr_eq(&self.inner, &other.inner) {
            return Ok(());
        }
        Err(PyValueError::new_err(
            "these positions are of files that were loaded one by one, so they cannot be one sum; load them together, cgdsl.ruleset(\"a\", \"b\"), or add their values",
        ))
    }

    fn asked<T>(
        &self,
        py: Python<'_>,
        question: impl for<'w> FnOnce(&mut Room<'w>, &Arc<ir::Position>) -> Asked<T> + Send + 'static,
    ) -> PyResult<Result<T, Unknown>>
    where
        T: Send + 'static,
    {
        let position = self.position.clone();
        self.inner.ask(py, move |room| question(room, &position))
    }

    fn made(&self, made: ir::Res<ir::Position>) -> PyResult<Position> {
        match made {
            Ok(position) => Ok(Position::new(self.inner.clone(), Arc::new(position))),
            Err(fault) => Err(PyValueError::new_err(fault.message.clone())),
        }
    }

    fn sum(&self, other: &Bound<'_, PyAny>, minus: bool) -> PyResult<Py<PyAny>> {
        let py = other.py();
        if let Ok(h) = other.cast::<Position>() {
            let h = h.get();
            self.together(h)?;
            let other = match minus {
                true => h.position.negate(Span::default()),
                false => Ok(ir::Position::clone(&h.position)),
            };
            let sum = other.and_then(|h| self.position.plus(&h, Span::default()));
            return Ok(Py::new(py, self.made(sum)?)?.into_any());
        }
        Ok(py.NotImplemented())
    }

    /// How it compares with another: `L` if it is greater, and so on; by who wins the difference.
    fn against(&self, py: Python<'_>, other: &Bound<'_, PyAny>) -> PyResult<Option<String>> {
        if let Ok(h) = other.cast::<Position>() {
            let h = h.get();
            if Arc::ptr_eq(&self.inner, &h.inner) && self.position.is_same(&h.position) {
                return Ok(Some("P".to_owned()));
            }
            let values = self.position.has_values() && self.position.players() == 2;
            if !values || !h.position.has_values() {
                return Ok(None);
            }
            if Arc::ptr_eq(&self.inner, &h.inner) {
                let minus = h.position.negate(Span::default());
                let difference = minus.and_then(|h| self.position.plus(&h, Span::default()));
                let outcome = self.made(difference)?.outcome(py)?;
                return known(outcome)?.extract().map(Some);
            }
        }
        let value = match other.cast::<Position>() {
            Ok(h) => known(h.get().value(py)?)?,
            Err(_) => match Value::of(other) {
                Ok(Some(value)) => Bound::new(py, value)?.into_any(),
                _ => return Ok(None),
            },
        };
        let own = known(self.value(py)?)?;
        let difference = own.sub(value)?;
        difference.getattr("outcome")?.extract().map(Some)
    }
}

/// An answer that has to be known.
fn known(found: Bound<'_, PyAny>) -> PyResult<Bound<'_, PyAny>> {
    let py = found.py();
    match found.cast::<Unknown>() {
        Ok(unknown) => {
            let message: String = unknown.getattr("message")?.extract()?;
            let class = py.import("cgdsl._errors")?.getattr("LimitError")?;
            Err(PyErr::from_value(class.call1((message,))?))
        }
        Err(_) => Ok(found),
    }
}

/// The pieces at a place.
fn pieces(spot: &Spot) -> Vec<String> {
    let marks = spot.marks.iter().map(|m| m.glyph.clone());
    marks.chain(spot.tokens.iter().cloned()).collect()
}

type Labelled = Vec<(String, Vec<String>)>;
type Lines = Vec<(usize, usize, Vec<String>)>;

#[pymethods]
impl Position {
    /// The position in the language; it reads back.
    fn __str__(&self) -> String {
        draw::literal(&self.position)
    }

    pub fn __repr__(&self) -> String {
        draw::short(&self.position)
    }

    /// A drawing in characters.
    #[getter]
    fn drawing(&self) -> String {
        match figure(&self.position) {
            Ok(figure) => report::draw::text(&figure).join("\n"),
            Err(_) => draw::picture(&self.position),
        }
    }

    /// A picture.
    #[getter]
    pub fn svg(&self) -> PyResult<String> {
        let figure = figure(&self.position).map_err(PyValueError::new_err)?;
        Ok(report::draw::svg(&report::draw::scene(&figure)))
    }

    /// The picture as TikZ, for LaTeX.
    #[getter]
    fn tikz(&self) -> PyResult<String> {
        let figure = figure(&self.position).map_err(PyValueError::new_err)?;
        Ok(report::draw::tikz(&report::draw::scene(&figure)))
    }

    fn _repr_svg_(&self) -> Option<String> {
        self.svg().ok()
    }

    /// The vertices and lines of the board: the kind, labels with pieces, ends with pieces.
    fn _graph(&self) -> PyResult<(&'static str, Labelled, Lines)> {
        let wrong = || PyTypeError::new_err("the position is not one position on a graph or poset");
        let figure = figure(&self.position).map_err(PyValueError::new_err)?;
        match &figure.terms[..] {
            [term] => match &term.board {
                BoardFigure::Graph {
                    graph,
                    nodes,
                    lines,
                    ..
                } => {
                    let kind = match graph {
                        GraphKind::Graph => "graph",
                        GraphKind::Digraph => "digraph",
                        GraphKind::Poset => "poset",
                    };
                    let nodes = nodes.iter().map(|n| (n.label.clone(), pieces(&n.spot)));
                    let lines = lines.iter().map(|l| (l.from, l.to, pieces(&l.spot)));
                    Ok((kind, nodes.collect(), lines.collect()))
                }
                _ => Err(wrong()),
            },
            _ => Err(wrong()),
        }
    }

    fn __reduce__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyAny>, (String, Option<String>, String))> {
        let read = py.import("cgdsl._rules")?.getattr("_position")?;
        let (name, text) = self.inner.source.clone();
        Ok((read, (name, text, self.__str__())))
    }

    /// The names of the players, in the order of turns.
    #[getter]
    fn players(&self) -> Vec<String> {
        self.names()
    }

    /// The canonical form, under normal play of two players.
    #[getter]
    fn value<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let found = self.asked(py, |room, p| {
            room.ask_values(|a, keep| keep(a.solver().value(p, Span::default())?))
        })?;
        answer(py, found)
    }

    /// Who wins: `L`, `R`, `N`, `P`, or with draws `D`, `LD`, `RD`, `DL`, `DR`.
    #[getter]
    fn outcome<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let found = self.asked(py, |room, p| {
            room.ask(|a, _| a.solver().outcome(p, Span::default()))
        })?;
        answer(py, found.map(letters))
    }

    /// Who wins if whoever moves last loses.
    #[getter]
    fn misere_outcome<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let found = self.asked(py, |room, p| {
            room.ask(|a, _| a.solver().misere_outcome(p, Span::default()))
        })?;
        answer(py, found.map(letters))
    }

    /// The n of `*n`, of positions whose value is a nimber.
    #[getter]
    fn nimber<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let found = self.asked(py, |room, p| {
            room.ask(|a, _| a.solver().nimber(p, Span::default()))
        })?;
        match found {
            Ok(None) => Err(PyValueError::new_err(format!(
                "the value of {} is not a nimber",
                self.__repr__()
            ))),
            Ok(Some(n)) => answer(py, Ok(n)),
            Err(unknown) => answer::<u32>(py, Err(unknown)),
        }
    }

    /// Whether both players are known to have the same options for ever.
    #[getter]
    fn is_impartial(&self, py: Python<'_>) -> PyResult<bool> {
        let found = self.asked(py, |room, p| {
            room.ask(|a, _| Ok(a.solver().is_impartial(p)))
        })?;
        Ok(found.unwrap_or(false))
    }

    /// Independent parts, whose sum the position is.
    #[getter]
    fn parts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let found = self.asked(py, |room, p| room.ask(|a, _| a.solver().parts(p)))?;
        let inner = &self.inner;
        let all = |all: Vec<Arc<ir::Position>>| -> Vec<Position> {
            let all = all.into_iter();
            all.map(|p| Position::new(inner.clone(), p)).collect()
        };
        answer(py, found.map(all))
    }

    /// The different positions that a player can move to, in the order of the rules.
    #[pyo3(signature = (player = None))]
    fn options<'py>(
        &self,
        py: Python<'py>,
        player: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let player = match player {
            Some(who) => self.player(who)?,
            None if self.is_impartial(py)? => Player::LEFT,
            None => {
                return Err(PyTypeError::new_err(
                    "the players have different options: say whose, as in g.options(cgdsl.Left)",
                ));
            }
        };
        let found = self.asked(py, move |room, p| {
            room.ask(|a, _| a.solver().moves(p, player))
        })?;
        let inner = &self.inner;
        let all = |moves: Vec<Moved>| {
            let mut seen = std::collections::HashSet::new();
            let mut all = Vec::new();
            for moved in moves {
                let position = Arc::new(moved.position);
                if seen.insert(position.clone()) {
                    all.push(Position::new(inner.clone(), position));
                }
            }
            all
        };
        answer(py, found.map(all))
    }

    /// The moves of a player, or of all, each with its value or, where there are none, with who wins after it.
    #[pyo3(signature = (player = None))]
    fn moves<'py>(
        &self,
        py: Python<'py>,
        player: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let players: Vec<Player> = match player {
            Some(who) => vec![self.player(who)?],
            None => (0..self.position.players()).map(Player).collect(),
        };
        let inner = self.inner.clone();
        let found = self.asked(py, move |room, p| {
            let mut all = Vec::new();
            for player in players {
                match moves_of(room, &inner, p, player) {
                    Asked::Known(mut some) => all.append(&mut some),
                    other => return other,
                }
            }
            Asked::Known(all)
        })?;
        answer(py, found)
    }

    /// The moves of a player that no other one is better than.
    fn best<'py>(&self, player: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let py = player.py();
        if self.position.players() != 2 {
            return Err(PyValueError::new_err(
                "best moves are for two players; g.winner(first) says who wins",
            ));
        }
        let player = self.player(player)?;
        let inner = self.inner.clone();
        let found = self.asked(py, move |room, p| moves_of(room, &inner, p, player))?;
        let best = |all: Vec<Move>| -> Vec<Move> { all.into_iter().filter(|m| m.best).collect() };
        answer(py, found.map(best))
    }

    /// Who wins where a player begins: his name, `drawn`, `queer` if nobody wins alone, or `several` if more than one does
    /// (then `coalitions` names them).
    fn winner<'py>(&self, first: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let (py, first) = (first.py(), self.player(first)?);
        let found = self.asked(py, move |room, p| {
            room.ask(|a, _| a.solver().winner(p, first, Span::default()))
        })?;
        let told = |winner: Winner| match winner {
            Winner::Alone(player) => self.position.player_name(player).to_string(),
            Winner::Several(_) => "several".to_owned(),
            Winner::Drawn => "drawn".to_owned(),
            Winner::Queer => "queer".to_owned(),
        };
        answer(py, found.map(told))
    }

    /// The minimal coalitions that can force that one of them wins, where a player begins.
    fn coalitions<'py>(&self, first: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let (py, first) = (first.py(), self.player(first)?);
        let found = self.asked(py, move |room, p| {
            room.ask(|a, _| a.solver().coalitions(p, first, Span::default()))
        })?;
        let name = |p: &Player| self.position.player_name(*p).to_string();
        let told = |all: Vec<Vec<Player>>| -> Vec<Vec<String>> {
            all.iter().map(|c| c.iter().map(name).collect()).collect()
        };
        answer(py, found.map(told))
    }

    /// In how many moves the winner wins, where a player begins; `math.inf` if it is drawn.
    fn remoteness<'py>(&self, first: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let (py, first) = (first.py(), self.player(first)?);
        let found = self.asked(py, move |room, p| {
            room.ask(|a, _| a.solver().played(p, first, Span::default()))
        })?;
        match found {
            Err(unknown) => answer::<u32>(py, Err(unknown)),
            Ok(played) => match played.moves {
                Some(n) => answer(py, Ok(n)),
                None => answer(py, Ok(f64::INFINITY)),
            },
        }
    }

    /// Why the position is worth what it is, in words.
    fn why<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let found = self.asked(py, |room, p| room.ask(|a, _| why::why(a, p)))?;
        answer(py, found.map(|w| report::why(&w, Look::default())))
    }

    /// What is known of the position, as JSON.
    fn _card<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let found = self.asked(py, |room, p| {
            let text = draw::short(p);
            room.ask(|a, loaded| card::card(a, &loaded.model, &text, p, Span::default()))
        })?;
        let json = |card| serde_json::to_string(&card).unwrap_or_default();
        answer(py, found.map(json))
    }

    /// The positions within so many moves, as a picture.
    fn _tree<'py>(&self, py: Python<'py>, depth: usize) -> PyResult<Bound<'py, PyAny>> {
        let whole = |mut tree: tree::Tree| match tree.limit.take() {
            Some(limit) => Err(limit),
            None => Ok(tree),
        };
        let found = self.asked(py, move |room, p| {
            room.ask(|a, _| tree::tree(a, p, depth).and_then(whole))
        })?;
        let told = |tree: tree::Tree| {
            let svg = report::draw::svg(&report::draw::tree_scene(&tree));
            (svg, report::draw::tree_text(&tree, false))
        };
        answer(py, found.map(told))
    }

    /// A game that begins here.
    #[pyo3(signature = (first = None, misere = false))]
    fn play(
        &self,
        py: Python<'_>,
        first: Option<&Bound<'_, PyAny>>,
        misere: bool,
    ) -> PyResult<Play> {
        let first = match first {
            Some(who) => self.player(who)?,
            None => Player::LEFT,
        };
        Play::begin(py, self.clone(), first, misere)
    }

    fn __add__(&self, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        self.sum(other, false)
    }

    fn __sub__(&self, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        self.sum(other, true)
    }

    /// `sum` of Python begins with 0.
    fn __radd__(&self, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        let py = other.py();
        match other.extract::<i64>() {
            Ok(0) => Ok(Py::new(py, self.clone())?.into_any()),
            _ => Ok(py.NotImplemented()),
        }
    }

    fn __neg__(&self) -> PyResult<Position> {
        self.made(self.position.negate(Span::default()))
    }

    fn __mul__(&self, times: i64) -> PyResult<Position> {
        self.made(self.position.times(&Int::from(times), Span::default()))
    }

    fn __rmul__(&self, times: i64) -> PyResult<Position> {
        self.__mul__(times)
    }

    /// Whether there is the same to see of another position.
    fn is_same(&self, other: &Position) -> bool {
        Arc::ptr_eq(&self.inner, &other.inner) && self.position.is_same(&other.position)
    }

    /// Positions are compared as games: by who wins the difference.
    fn __richcmp__(&self, other: &Bound<'_, PyAny>, op: CompareOp) -> PyResult<Py<PyAny>> {
        let py = other.py();
        let Some(outcome) = self.against(py, other)? else {
            return Ok(py.NotImplemented());
        };
        let holds = match op {
            CompareOp::Eq => outcome == "P",
            CompareOp::Ne => outcome != "P",
            CompareOp::Lt => outcome == "R",
            CompareOp::Le => outcome == "R" || outcome == "P",
            CompareOp::Gt => outcome == "L",
            CompareOp::Ge => outcome == "L" || outcome == "P",
        };
        Ok(holds.into_pyobject(py)?.to_owned().into_any().unbind())
    }

    /// That of the value, since equal games have equal values; of a game without one that of its text.
    fn __hash__(&self, py: Python<'_>) -> PyResult<isize> {
        if self.position.has_values() && self.position.players() == 2 {
            return known(self.value(py)?)?.hash();
        }
        self.__str__().into_pyobject(py)?.hash()
    }
}

fn moves_of(
    room: &mut Room<'_>,
    inner: &Arc<Inner>,
    position: &Arc<ir::Position>,
    player: Player,
) -> Asked<Vec<Move>> {
    let name = position.player_name(player).to_string();
    let span = Span::default();
    let of = |moved: Moved, value, fate, best| Move {
        player: name.clone(),
        text: chosen(position, &moved),
        position: Position::new(inner.clone(), Arc::new(moved.position)),
        value,
        fate,
        best,
    };
    room.ask_values(|a, keep| {
        let solver = a.solver();
        if position.players() != 2 {
            let all = solver.moves(position, player)?;
            return Ok(all.into_iter().map(|m| of(m, None, None, false)).collect());
        }
        let valued = match solver.is_decided(position) {
            true => None,
            false => match solver.valued_moves(position, player, span) {
                Err(fault) if fault.code == ir::Code::Cycle => None,
                found => Some(found?),
            },
        };
        let Some(valued) = valued else {
            let all = solver.decided_moves(position, player, span)?;
            return Ok(all
                .into_iter()
                .map(|m| {
                    let fate = match (m.played.fate, m.moved.end) {
                        (Fate::Drawn, _) | (_, Some(End::Drawn)) => "drawn".to_owned(),
                        (Fate::Won(who), _) => format!("won by {}", position.player_name(who)),
                    };
                    of(m.moved, None, Some(fate), m.best)
                })
                .collect());
        };
        let mut all = Vec::new();
        for (moved, value, best) in valued {
            all.push(of(moved, Some(keep(value)?), None, best));
        }
        Ok(all)
    })
}
