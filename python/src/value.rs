//! Values as objects of Python: canonical forms of one arena, which all of them share, so that values of any position can be
//! compared and added. What an engine has found in an arena of its own is copied here ([`adopt`]).

use crate::convert::{fraction, integer, to_integer, to_number};
use crate::limits;
use crate::thermograph::Thermograph;
use crate::waiting::wait;
use cgdsl::value::notation::{Style, print, read};
use cgdsl::value::{CanonicalForm, Forms, Maybe, OutOfMemory};
use pyo3::basic::CompareOp;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use rustc_hash::FxHashMap;
use std::cmp::Ordering;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::SeqCst};
use std::sync::{Arc, LazyLock, mpsc};
use std::time::Instant;

/// The arena of all values, and the flag that ends what is computed in it.
struct Arena {
    forms: Forms,
    stop: Arc<AtomicBool>,
    /// How often something was ended.
    ended: AtomicU64,
}

static ARENA: LazyLock<Arena> = LazyLock::new(|| {
    let forms = Forms::with_limit(limits::now().memory);
    let stop = Arc::new(AtomicBool::new(false));
    forms.end_when(stop.clone());
    Arena {
        forms,
        stop,
        ended: AtomicU64::new(0),
    }
});

/// The arena of all values.
pub fn forms() -> &'static Forms {
    &ARENA.forms
}

/// What an engine knows by handles of its own arena, by the handles of the one here.
pub type Adopted = FxHashMap<CanonicalForm, CanonicalForm>;

/// Copies a value from the arena of an engine; `known` keeps what was copied before.
///
/// # Errors
/// One of the arenas is full, or the work was ended.
pub fn adopt(
    from: &Forms,
    value: CanonicalForm,
    known: &mut Adopted,
) -> Result<CanonicalForm, OutOfMemory> {
    let to = forms();
    let mut stack = vec![(value, false)];
    while let Some((g, entered)) = stack.pop() {
        if known.contains_key(&g) {
            continue;
        }
        if let Some(v) = from.as_number_up_star(g) {
            known.insert(g, to.number_up_star(&v)?);
            continue;
        }
        let (left, right) = (from.left_options(g)?, from.right_options(g)?);
        if !entered {
            stack.push((g, true));
            stack.extend(left.iter().chain(&right).map(|o| (*o, false)));
            continue;
        }
        let here = |all: &[CanonicalForm]| -> Vec<CanonicalForm> {
            all.iter().filter_map(|o| known.get(o).copied()).collect()
        };
        let copy = to.from_options(&here(&left), &here(&right))?;
        known.insert(g, copy);
    }
    known.get(&value).copied().ok_or(OutOfMemory)
}

/// Computes in the arena, in another thread, so that an interrupt or the limit of time can end it.
fn compute<T: Send + 'static>(
    py: Python<'_>,
    work: impl Fn(&'static Forms) -> Result<T, OutOfMemory> + Clone + Send + 'static,
) -> PyResult<T> {
    loop {
        let before = ARENA.ended.load(SeqCst);
        let (tell, reply) = mpsc::channel();
        let since = Instant::now();
        let task = work.clone();
        let started = std::thread::Builder::new()
            .name("value".to_owned())
            .stack_size(64 << 20)
            .spawn(move || {
                // Whoever waits may be gone.
                let _ = tell.send(task(forms()));
            });
        started.map_err(|e| PyValueError::new_err(format!("no thread to work on: {e}")))?;
        let own = std::cell::Cell::new(false);
        let done = wait(
            py,
            reply,
            || Some(since),
            || {
                if !own.replace(true) {
                    ARENA.ended.fetch_add(1, SeqCst);
                }
                ARENA.stop.store(true, SeqCst);
            },
        );
        if own.get() {
            ARENA.stop.store(false, SeqCst);
        }
        let done = done?;
        match done.result {
            Ok(found) => return Ok(found),
            // Another thread's work was ended, and this one with it.
            Err(_) if !own.get() && ARENA.ended.load(SeqCst) != before => {}
            Err(_) => return Err(no_room(py, done.late)),
        }
    }
}

/// The exception for arithmetic that met a limit.
pub fn no_room(py: Python<'_>, late: bool) -> PyErr {
    let what = if late {
        "the limit of time was met; cgdsl.limits(time=..) sets it"
    } else {
        "the limit of memory for values was met; cgdsl.limits(memory=..) sets it before the first value is made"
    };
    let class = py
        .import("cgdsl._errors")
        .and_then(|m| m.getattr("LimitError"))
        .and_then(|class| class.call1((what,)));
    match class {
        Ok(error) => PyErr::from_value(error),
        Err(e) => e,
    }
}

/// The value of a short game under normal play.
#[pyclass(frozen, module = "cgdsl")]
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Value(pub CanonicalForm);

impl Value {
    /// Whether nothing about it takes time: it is the sum of a number, ups and a nimber.
    fn is_plain(self) -> bool {
        forms().as_number_up_star(self.0).is_some()
    }

    fn text(self, style: Style) -> String {
        print(forms(), self.0, style)
    }

    /// The value that an object of Python stands for; nothing if it stands for none.
    pub fn of(x: &Bound<'_, PyAny>) -> PyResult<Option<Value>> {
        if let Ok(value) = x.cast::<Value>() {
            return Ok(Some(*value.get()));
        }
        let py = x.py();
        match to_number(x)? {
            Some(number) => forms()
                .number(&number)
                .map(|g| Some(Value(g)))
                .map_err(|_| no_room(py, false)),
            None => Ok(None),
        }
    }

    /// The same of a text, too.
    fn read(x: &Bound<'_, PyAny>) -> PyResult<Value> {
        if let Ok(text) = x.extract::<String>() {
            return match read(forms(), &text) {
                Ok(g) => Ok(Value(g)),
                Err(e) if e.limit => Err(no_room(x.py(), false)),
                Err(e) => Err(PyValueError::new_err(format!(
                    "{text:?} is not a value: {e}"
                ))),
            };
        }
        Value::of(x)?.ok_or_else(|| {
            let kind = x.get_type();
            PyTypeError::new_err(format!(
                "a value is made of a text, a number or a value, not of {kind}"
            ))
        })
    }

    fn one(
        self,
        py: Python<'_>,
        f: impl Fn(&'static Forms, CanonicalForm) -> Result<CanonicalForm, OutOfMemory>
        + Clone
        + Send
        + 'static,
    ) -> PyResult<Value> {
        compute(py, move |forms| f(forms, self.0)).map(Value)
    }

    fn many(
        self,
        py: Python<'_>,
        f: impl Fn(&'static Forms, CanonicalForm) -> Result<Vec<CanonicalForm>, OutOfMemory>
        + Clone
        + Send
        + 'static,
    ) -> PyResult<Vec<Value>> {
        compute(py, move |forms| {
            let mut all = f(forms, self.0)?;
            all.sort_by(|a, b| forms.structural_cmp(*a, *b));
            Ok(all.into_iter().map(Value).collect())
        })
    }

    /// What may not exist.
    fn maybe(
        py: Python<'_>,
        f: impl Fn(&'static Forms) -> Maybe<CanonicalForm> + Clone + Send + 'static,
    ) -> PyResult<Value> {
        compute(py, f)?
            .map(Value)
            .map_err(|reason| PyValueError::new_err(reason.to_string()))
    }

    fn order(self, py: Python<'_>, other: Value) -> PyResult<Option<Ordering>> {
        let (g, h) = (self.0, other.0);
        if g == h {
            return Ok(Some(Ordering::Equal));
        }
        if self.is_plain() && other.is_plain() {
            return forms().compare(g, h).map_err(|_| no_room(py, false));
        }
        compute(py, move |forms| forms.compare(g, h))
    }

    fn sum(self, py: Python<'_>, other: Value, minus: bool) -> PyResult<Value> {
        let (g, h) = (self.0, other.0);
        let work = move |forms: &'static Forms| match minus {
            true => forms.subtract(g, h),
            false => forms.add(g, h),
        };
        if self.is_plain() && other.is_plain() {
            return work(forms()).map(Value).map_err(|_| no_room(py, false));
        }
        compute(py, work).map(Value)
    }
}

/// What arithmetic gives for objects that are no values, so that Python asks the other operand.
fn not_here(py: Python<'_>) -> Py<PyAny> {
    py.NotImplemented()
}

#[pymethods]
impl Value {
    #[new]
    fn new(of: &Bound<'_, PyAny>) -> PyResult<Value> {
        Value::read(of)
    }

    /// The value of the game with these options.
    #[staticmethod]
    fn from_options(
        py: Python<'_>,
        left: Vec<Bound<'_, PyAny>>,
        right: Vec<Bound<'_, PyAny>>,
    ) -> PyResult<Value> {
        let side = |all: Vec<Bound<'_, PyAny>>| -> PyResult<Vec<CanonicalForm>> {
            all.iter().map(|x| Value::read(x).map(|v| v.0)).collect()
        };
        let (left, right) = (side(left)?, side(right)?);
        compute(py, move |forms| forms.from_options(&left, &right)).map(Value)
    }

    /// All values born by a day, from 0 to 3.
    #[staticmethod]
    fn born_by(py: Python<'_>, day: u32) -> PyResult<Vec<Value>> {
        if day > 3 {
            return Err(PyValueError::new_err(
                "days are from 0 to 3: by day 4 more games are born than can be listed",
            ));
        }
        compute(py, move |forms| {
            Ok(forms.born_by(day)?.into_iter().map(Value).collect())
        })
    }

    /// The value in ASCII; it reads back.
    pub fn __str__(&self) -> String {
        self.text(Style::Ascii)
    }

    fn __repr__(&self) -> String {
        format!("Value('{}')", self.text(Style::Ascii))
    }

    /// The value with arrows and stars as in print.
    #[getter]
    fn unicode(&self) -> String {
        self.text(Style::Unicode)
    }

    /// The value in LaTeX, for math mode.
    #[getter]
    fn latex(&self) -> String {
        self.text(Style::Latex)
    }

    fn _repr_latex_(&self) -> String {
        format!("${}$", self.text(Style::Latex))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (String,))> {
        let text = self.text(Style::Ascii);
        if read(forms(), &text).ok() != Some(self.0) {
            return Err(PyValueError::new_err(
                "the value is too large to be written out",
            ));
        }
        Ok((py.get_type::<Value>().into_any(), (text,)))
    }

    fn __hash__(&self, py: Python<'_>) -> PyResult<isize> {
        match forms().as_number(self.0) {
            Some(number) => fraction(py, &number)?.hash(),
            None => Ok(forms().structural_hash(self.0).cast_signed() as isize),
        }
    }

    fn __richcmp__(&self, other: &Bound<'_, PyAny>, op: CompareOp) -> PyResult<Py<PyAny>> {
        let py = other.py();
        let other = match Value::of(other) {
            Ok(Some(other)) => other,
            // A number that is not a value equals none.
            Err(_) | Ok(None) => return Ok(not_here(py)),
        };
        let holds = match op {
            CompareOp::Eq => self.0 == other.0,
            CompareOp::Ne => self.0 != other.0,
            _ => {
                let order = self.order(py, other)?;
                match op {
                    CompareOp::Lt => order == Some(Ordering::Less),
                    CompareOp::Le => matches!(order, Some(Ordering::Less | Ordering::Equal)),
                    CompareOp::Gt => order == Some(Ordering::Greater),
                    _ => matches!(order, Some(Ordering::Greater | Ordering::Equal)),
                }
            }
        };
        Ok(holds.into_pyobject(py)?.to_owned().into_any().unbind())
    }

    /// How two values compare: `=`, `<`, `>`, or `||` where they are confused.
    fn compare(&self, other: &Bound<'_, PyAny>) -> PyResult<&'static str> {
        Ok(match self.order(other.py(), Value::read(other)?)? {
            Some(Ordering::Equal) => "=",
            Some(Ordering::Less) => "<",
            Some(Ordering::Greater) => ">",
            None => "||",
        })
    }

    /// Whether neither is at least the other.
    fn is_confused_with(&self, other: &Bound<'_, PyAny>) -> PyResult<bool> {
        Ok(self.order(other.py(), Value::read(other)?)?.is_none())
    }

    /// Whether it is not 0.
    fn __bool__(&self) -> bool {
        self.0 != CanonicalForm::ZERO
    }

    fn __add__(&self, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        let py = other.py();
        match Value::of(other)? {
            Some(other) => Ok(Py::new(py, self.sum(py, other, false)?)?.into_any()),
            None => Ok(not_here(py)),
        }
    }

    fn __radd__(&self, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        self.__add__(other)
    }

    fn __sub__(&self, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        let py = other.py();
        match Value::of(other)? {
            Some(other) => Ok(Py::new(py, self.sum(py, other, true)?)?.into_any()),
            None => Ok(not_here(py)),
        }
    }

    fn __rsub__(&self, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        let py = other.py();
        match Value::of(other)? {
            Some(other) => Ok(Py::new(py, other.sum(py, *self, true)?)?.into_any()),
            None => Ok(not_here(py)),
        }
    }

    fn __neg__(&self, py: Python<'_>) -> PyResult<Value> {
        self.one(py, Forms::negate)
    }

    fn __pos__(&self) -> Value {
        *self
    }

    /// A multiple, or the product of two numbers.
    fn __mul__(&self, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        let (py, g) = (other.py(), self.0);
        let made = if other.is_instance_of::<pyo3::types::PyInt>() {
            let n = to_integer(other)?;
            compute(py, move |forms| forms.multiple_big(&n, g)).map(Value)?
        } else {
            let Some(Value(h)) = Value::of(other)? else {
                return Ok(not_here(py));
            };
            Value::maybe(py, move |forms| forms.multiply(g, h))?
        };
        Ok(Py::new(py, made)?.into_any())
    }

    fn __rmul__(&self, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        self.__mul__(other)
    }

    /// The number that it is.
    #[getter]
    fn number<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        match forms().as_number(self.0) {
            Some(x) => fraction(py, &x),
            None => Err(PyValueError::new_err(format!(
                "{} is not a number",
                self.__str__()
            ))),
        }
    }

    /// The n of `*n`.
    #[getter]
    fn nimber(&self) -> PyResult<u32> {
        forms()
            .as_nimber(self.0)
            .ok_or_else(|| PyValueError::new_err(format!("{} is not a nimber", self.__str__())))
    }

    fn __int__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        match forms().as_integer(self.0) {
            Some(n) => integer(py, &n),
            None => Err(PyValueError::new_err(format!(
                "{} is not an integer",
                self.__str__()
            ))),
        }
    }

    fn __float__(&self) -> PyResult<f64> {
        forms()
            .as_number(self.0)
            .map(|x| x.to_f64())
            .ok_or_else(|| PyValueError::new_err(format!("{} is not a number", self.__str__())))
    }

    /// `L`, `R`, `N` or `P`.
    #[getter]
    fn outcome(&self, py: Python<'_>) -> PyResult<String> {
        let g = self.0;
        let found = compute(py, move |forms| forms.outcome(g))?;
        Ok(found.letter().to_string())
    }

    /// The mean value.
    #[getter]
    fn mean<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let g = self.0;
        fraction(py, &compute(py, move |forms| forms.mean(g))?)
    }

    /// The temperature; below 0 for numbers.
    #[getter]
    fn temperature<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let g = self.0;
        fraction(py, &compute(py, move |forms| forms.temperature(g))?)
    }

    /// The thermograph.
    #[getter]
    fn thermograph(&self, py: Python<'_>) -> PyResult<Thermograph> {
        let g = self.0;
        let graph = compute(py, move |forms| forms.thermograph(g))?;
        Ok(Thermograph {
            graph,
            value: self.text(Style::Unicode),
        })
    }

    /// The left stop and the right stop.
    #[getter]
    fn stops<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
        Ok((self.left_stop(py)?, self.right_stop(py)?))
    }

    /// The number reached when Left begins and both stop at numbers.
    #[getter]
    fn left_stop<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        fraction(py, &forms().left_stop(self.0))
    }

    /// The number reached when Right begins and both stop at numbers.
    #[getter]
    fn right_stop<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        fraction(py, &forms().right_stop(self.0))
    }

    /// The atomic weight, of all-small values.
    #[getter]
    fn atomic_weight(&self, py: Python<'_>) -> PyResult<Value> {
        let g = self.0;
        Value::maybe(py, move |forms| forms.atomic_weight(g))
    }

    /// Left's options in the canonical form.
    #[getter]
    fn left_options(&self, py: Python<'_>) -> PyResult<Vec<Value>> {
        self.many(py, Forms::left_options)
    }

    /// Right's options in the canonical form.
    #[getter]
    fn right_options(&self, py: Python<'_>) -> PyResult<Vec<Value>> {
        self.many(py, Forms::right_options)
    }

    /// What Left's best moves gain.
    #[getter]
    fn left_incentives(&self, py: Python<'_>) -> PyResult<Vec<Value>> {
        self.many(py, Forms::left_incentives)
    }

    /// What Right's best moves gain.
    #[getter]
    fn right_incentives(&self, py: Python<'_>) -> PyResult<Vec<Value>> {
        self.many(py, Forms::right_incentives)
    }

    /// The depth of the canonical form.
    #[getter]
    fn birthday<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let g = self.0;
        integer(py, &compute(py, move |forms| forms.birthday(g))?)
    }

    /// How many different values are reached in the canonical form, itself included.
    #[getter]
    fn followers(&self, py: Python<'_>) -> PyResult<usize> {
        let g = self.0;
        compute(py, move |forms| forms.number_of_followers(g))
    }

    /// The reduced canonical form: the simplest value that differs by an infinitesimal.
    #[getter]
    fn reduced(&self, py: Python<'_>) -> PyResult<Value> {
        self.one(py, Forms::reduced_canonical_form)
    }

    /// The companion.
    #[getter]
    fn companion(&self, py: Python<'_>) -> PyResult<Value> {
        self.one(py, Forms::companion)
    }

    /// The n of the least nimber `*n`, n at least 1, that is not a follower.
    #[getter]
    fn remote_star(&self, py: Python<'_>) -> PyResult<u32> {
        let g = self.0;
        compute(py, move |forms| forms.remote_star(g))
    }

    /// The value cooled by a number.
    fn cool(&self, t: &Bound<'_, PyAny>) -> PyResult<Value> {
        let (py, g) = (t.py(), self.0);
        let Some(t) = to_number(t)? else {
            return Err(PyTypeError::new_err("a value is cooled by a number"));
        };
        compute(py, move |forms| forms.cool(g, &t)).map(Value)
    }

    /// The value heated by another one.
    fn heat(&self, t: &Bound<'_, PyAny>) -> PyResult<Value> {
        let (py, g, Value(t)) = (t.py(), self.0, Value::read(t)?);
        compute(py, move |forms| forms.heat(g, t)).map(Value)
    }

    /// Whether it is a number.
    #[getter]
    fn is_number(&self) -> bool {
        forms().is_number(self.0)
    }

    /// Whether it is an integer.
    #[getter]
    fn is_integer(&self) -> bool {
        forms().is_integer(self.0)
    }

    /// Whether it is a nimber.
    #[getter]
    fn is_nimber(&self) -> bool {
        forms().is_nimber(self.0)
    }

    /// Whether it lies between all negative and all positive numbers.
    #[getter]
    fn is_infinitesimal(&self) -> bool {
        forms().is_infinitesimal(self.0)
    }

    /// Whether it is a number plus an infinitesimal.
    #[getter]
    fn is_numberish(&self) -> bool {
        forms().is_numberish(self.0)
    }

    /// Whether the left stop is greater than the right one.
    #[getter]
    fn is_hot(&self) -> bool {
        forms().is_hot(self.0)
    }

    /// Whether in every follower both players can move or neither can.
    #[getter]
    fn is_all_small(&self, py: Python<'_>) -> PyResult<bool> {
        let g = self.0;
        compute(py, move |forms| Ok(forms.is_all_small(g)))
    }
}
