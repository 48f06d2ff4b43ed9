//! A thermograph as an object of Python.

use crate::convert::{fraction, to_number};
use cgdsl::report::draw;
use cgdsl::value::{Thermograph as Graph, Wall};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use std::sync::Arc;

/// The walls of a value over all temperatures.
#[pyclass(frozen, module = "cgdsl")]
pub struct Thermograph {
    /// The walls.
    pub graph: Arc<Graph>,
    /// What it is of, as text.
    pub value: String,
}

type Corners<'py> = Vec<(Bound<'py, PyAny>, Bound<'py, PyAny>)>;

fn corners<'py>(py: Python<'py>, wall: &Wall) -> PyResult<Corners<'py>> {
    let all = wall.corners().iter();
    all.map(|c| Ok((fraction(py, &c.value)?, fraction(py, &c.temperature)?)))
        .collect()
}

fn at<'py>(wall: &Wall, temperature: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    match to_number(temperature)? {
        Some(t) => fraction(temperature.py(), &wall.at(&t)),
        None => Err(PyTypeError::new_err("a temperature is a number")),
    }
}

#[pymethods]
impl Thermograph {
    /// The value of the mast.
    #[getter]
    fn mean<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        fraction(py, &self.graph.mean)
    }

    /// Where the mast begins.
    #[getter]
    fn temperature<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        fraction(py, &self.graph.temperature)
    }

    /// The corners of the left wall by rising temperature: pairs of a value and a temperature.
    #[getter]
    fn left_wall<'py>(&self, py: Python<'py>) -> PyResult<Corners<'py>> {
        corners(py, &self.graph.left_wall)
    }

    /// The corners of the right wall.
    #[getter]
    fn right_wall<'py>(&self, py: Python<'py>) -> PyResult<Corners<'py>> {
        corners(py, &self.graph.right_wall)
    }

    /// The left wall at a temperature.
    fn left<'py>(&self, temperature: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        at(&self.graph.left_wall, temperature)
    }

    /// The right wall at a temperature.
    fn right<'py>(&self, temperature: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        at(&self.graph.right_wall, temperature)
    }

    /// A picture.
    #[getter]
    fn svg(&self) -> String {
        let apex = [
            self.graph.mean.to_string(),
            self.graph.temperature.to_string(),
        ];
        let scene = draw::walls(&self.value, [&apex[0], &apex[1]], &self.graph.to_json());
        draw::svg(&scene)
    }

    fn _repr_svg_(&self) -> String {
        self.svg()
    }

    fn __str__(&self) -> String {
        format!("{}{}", self.graph.to_art(60, 16), self.graph.to_text())
    }

    fn __repr__(&self) -> String {
        format!("<Thermograph of {}>", self.value)
    }
}
