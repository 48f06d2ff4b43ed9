//! Numbers, players, messages and values of the language come in; objects of Python come out, and back.

use cgdsl::base::Sources;
use cgdsl::diagnostic::{Diagnostic, Style, plain, render};
use cgdsl::game::Player;
use cgdsl::value::Number;
use num_bigint::BigInt;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyInt;

/// An integer of any size. In base 16, since Python limits the length of decimal texts.
pub fn integer<'py>(py: Python<'py>, n: &BigInt) -> PyResult<Bound<'py, PyAny>> {
    match i64::try_from(n) {
        Ok(small) => Ok(small.into_pyobject(py)?.into_any()),
        Err(_) => py.get_type::<PyInt>().call1((format!("{n:x}"), 16)),
    }
}

/// The integer of an object of Python.
pub fn to_integer(n: &Bound<'_, PyAny>) -> PyResult<BigInt> {
    if let Ok(small) = n.extract::<i64>() {
        return Ok(small.into());
    }
    let text: String = n.call_method1("__format__", ("x",))?.extract()?;
    let wrong = || PyValueError::new_err(format!("{text} is not an integer"));
    BigInt::parse_bytes(text.as_bytes(), 16).ok_or_else(wrong)
}

/// A number as a `fractions.Fraction`.
pub fn fraction<'py>(py: Python<'py>, x: &Number) -> PyResult<Bound<'py, PyAny>> {
    static FRACTION: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let class = FRACTION.get_or_try_init(py, || {
        PyResult::Ok(py.import("fractions")?.getattr("Fraction")?.unbind())
    })?;
    let denominator = BigInt::from(1) << x.exponent();
    let parts = (integer(py, &x.numerator())?, integer(py, &denominator)?);
    class.bind(py).call1(parts)
}

/// The number of an `int`, a `Fraction`, a `float`, or whatever else is a ratio of integers; nothing if it is none.
pub fn to_number(x: &Bound<'_, PyAny>) -> PyResult<Option<Number>> {
    if let Ok(small) = x.extract::<i64>() {
        return Ok(Some(Number::dyadic(small, 0)));
    }
    if !x.hasattr("as_integer_ratio")? {
        return Ok(None);
    }
    let ratio = x.call_method0("as_integer_ratio")?;
    let (n, d): (Bound<'_, PyAny>, Bound<'_, PyAny>) = ratio.extract()?;
    let (n, d) = (to_integer(&n)?, to_integer(&d)?);
    let exponent = d.trailing_zeros().unwrap_or(0);
    let number = u32::try_from(exponent)
        .ok()
        .filter(|e| d == BigInt::from(1) << *e)
        .map(|e| Number::from_big(n, e));
    match number {
        Some(x) if x.is_bounded() => Ok(Some(x)),
        Some(_) => Err(PyValueError::new_err("the number has too many digits")),
        None => Err(PyValueError::new_err(format!(
            "{} is the value of no short game: its denominator is not a power of 2",
            x.str()?
        ))),
    }
}

/// The player of a number (`cgdsl.Left`, `0`), or of a name.
pub fn to_player(who: &Bound<'_, PyAny>, names: &[String]) -> PyResult<Player> {
    let said = || {
        let all: Vec<String> = names.iter().map(|n| format!("{n:?}")).collect();
        all.join(", ")
    };
    if let Ok(name) = who.extract::<String>() {
        let found = names.iter().position(|n| *n == name);
        return found
            .and_then(|i| u8::try_from(i).ok())
            .map(Player)
            .ok_or_else(|| {
                PyValueError::new_err(format!(
                    "there is no player {name:?}: the players are {}",
                    said()
                ))
            });
    }
    let number: i64 = who.extract().map_err(|_| {
        PyTypeError::new_err("a player is cgdsl.Left, cgdsl.Right, a number from 0, or a name")
    })?;
    match u8::try_from(number) {
        Ok(i) if usize::from(i) < names.len() => Ok(Player(i)),
        _ => Err(PyValueError::new_err(format!(
            "there is no player {number}: the players are {}, from 0",
            said()
        ))),
    }
}

/// Messages that may leave the thread of their session.
#[derive(Clone, Debug, Default)]
pub struct Said {
    text: String,
    json: String,
}

impl Said {
    /// The messages as text and as data.
    pub fn new(all: &[Diagnostic], sources: &Sources) -> Said {
        let text: Vec<String> = all
            .iter()
            .map(|d| render(d, sources, Style::default()).trim_end().to_owned())
            .collect();
        let data: Vec<_> = all.iter().map(|d| plain(d, sources)).collect();
        Said {
            text: text.join("\n"),
            json: serde_json::to_string(&data).unwrap_or_else(|_| "[]".to_owned()),
        }
    }

    /// The messages as text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The messages as JSON.
    pub fn json(&self) -> &str {
        &self.json
    }

    /// The exception that shows them, of a class in `cgdsl._errors`.
    pub fn raise(&self, py: Python<'_>, class: &str) -> PyErr {
        let made = py
            .import("cgdsl._errors")
            .and_then(|module| module.getattr(class))
            .and_then(|class| class.call_method1("from_json", (&self.text, &self.json)));
        match made {
            Ok(error) => PyErr::from_value(error),
            Err(e) => e,
        }
    }
}
