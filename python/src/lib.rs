//! The native half of the Python module: objects of Python come in, questions go to `session` and `value` of cgdsl, and
//! objects of Python go out. What only rearranges Python objects (boards, tables, notebooks) is written in Python, in
//! `cgdsl/`.

mod convert;
mod game;
mod limits;
mod play;
mod position;
mod rules;
mod thermograph;
mod value;
mod waiting;

use pyo3::prelude::*;

/// The native half of `cgdsl`.
#[pymodule]
mod _native {
    #[pymodule_export]
    use super::game::GameEngine;
    #[pymodule_export]
    use super::limits::{Limits, Unknown, limits_now};
    #[pymodule_export]
    use super::play::Play;
    #[pymodule_export]
    use super::position::{Move, Position};
    #[pymodule_export]
    use super::rules::{Rules, is_name, shipped};
    #[pymodule_export]
    use super::thermograph::Thermograph;
    #[pymodule_export]
    use super::value::Value;

    use super::*;
    use std::ffi::OsString;

    /// The program: runs a command line, of which the first argument is the program; its exit code.
    #[pyfunction]
    fn program(py: Python<'_>, arguments: Vec<OsString>) -> u8 {
        py.detach(|| cgdsl::cli::main_of(arguments))
    }

    #[pymodule_init]
    fn init(m: &Bound<'_, PyModule>) -> PyResult<()> {
        m.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
