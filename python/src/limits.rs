//! What a question may spend: set from Python, read by whoever asks an engine. And what is answered where it was too little.

use cgdsl::game;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use std::sync::Mutex;
use std::time::Duration;

/// Limits of each question.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Now {
    /// Bytes of values and tables of one file of rules.
    pub memory: usize,
    /// Time of one question.
    pub time: Option<Duration>,
    /// Threads that may work on it.
    pub threads: usize,
}

static NOW: Mutex<Option<Now>> = Mutex::new(None);

/// The limits at this moment.
pub fn now() -> Now {
    let now = *NOW.lock().unwrap_or_else(|e| e.into_inner());
    now.unwrap_or(Now {
        memory: game::Limits::default().memory,
        time: None,
        threads: 1,
    })
}

fn set(to: Now) {
    *NOW.lock().unwrap_or_else(|e| e.into_inner()) = Some(to);
}

/// The limits at this moment: memory in bytes, time in seconds, threads.
#[pyfunction]
pub fn limits_now() -> (usize, Option<f64>, usize) {
    let now = now();
    (now.memory, now.time.map(|t| t.as_secs_f64()), now.threads)
}

/// What each question may spend from now on; as a context manager, within a block.
#[pyclass(frozen, module = "cgdsl", name = "limits")]
pub struct Limits {
    before: Now,
}

#[pymethods]
impl Limits {
    #[new]
    #[pyo3(signature = (*, memory = None, time = None, threads = None))]
    fn new(
        memory: Option<&Bound<'_, PyAny>>,
        time: Option<&Bound<'_, PyAny>>,
        threads: Option<usize>,
    ) -> PyResult<Limits> {
        let before = now();
        let mut next = before;
        if let Some(memory) = memory {
            next.memory = bytes(memory)?;
        }
        if let Some(time) = time {
            let seconds: f64 = time.extract()?;
            next.time = match seconds {
                t if t.is_nan() || t <= 0.0 => {
                    return Err(PyValueError::new_err(
                        "a limit of time is a number of seconds greater than 0; math.inf is no limit",
                    ));
                }
                t => Duration::try_from_secs_f64(t).ok(),
            };
        }
        if let Some(threads) = threads {
            if !(1..=1024).contains(&threads) {
                return Err(PyValueError::new_err("threads are from 1 to 1024"));
            }
            next.threads = threads;
        }
        set(next);
        Ok(Limits { before })
    }

    fn __enter__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __exit__(&self, _kind: Py<PyAny>, _error: Py<PyAny>, _trace: Py<PyAny>) {
        set(self.before);
    }

    fn __repr__(&self) -> String {
        let Now {
            memory,
            time,
            threads,
        } = now();
        let time = time.map_or_else(|| "math.inf".to_owned(), |t| t.as_secs_f64().to_string());
        format!("cgdsl.limits(memory={memory}, time={time}, threads={threads})")
    }
}

/// Bytes: a number, or a text such as `"500 MB"` or `"4 GiB"`.
fn bytes(memory: &Bound<'_, PyAny>) -> PyResult<usize> {
    let wrong = || {
        PyValueError::new_err(
            "a limit of memory is a number of bytes, or a text such as \"500 MB\" or \"4 GiB\"",
        )
    };
    let found: Option<f64> = match memory.extract::<String>() {
        Ok(text) => {
            let text = text.trim();
            let at = text
                .find(|c: char| !(c.is_ascii_digit() || c == '.'))
                .unwrap_or(text.len());
            let (number, unit) = text.split_at(at);
            let unit = match unit.trim() {
                "" | "B" => 1.0,
                "kB" | "KB" => 1e3,
                "MB" => 1e6,
                "GB" => 1e9,
                "KiB" => 1024.0,
                "MiB" => 1_048_576.0,
                "GiB" => 1_073_741_824.0,
                _ => return Err(wrong()),
            };
            number.parse::<f64>().ok().map(|n| n * unit)
        }
        Err(_) => memory.extract::<f64>().ok(),
    };
    match found {
        // A whole number of bytes, far below what a float keeps exactly.
        Some(n) if (1.0..=9e15).contains(&n) => usize::try_from(n as u64).map_err(|_| wrong()),
        _ => Err(wrong()),
    }
}

/// What is answered where a limit was met before there was an answer.
#[pyclass(frozen, eq, hash, module = "cgdsl")]
#[derive(PartialEq, Eq, Hash)]
pub struct Unknown {
    /// `time` or `memory`.
    #[pyo3(get)]
    limit: String,
    /// What is to be said of it.
    #[pyo3(get)]
    message: String,
}

impl Unknown {
    /// The answer to a question that ran late, or that needed more memory.
    pub fn new(late: bool, message: &str) -> Unknown {
        match late {
            true => {
                let seconds = now().time.map_or(0.0, |t| t.as_secs_f64());
                Unknown {
                    limit: "time".to_owned(),
                    message: format!(
                        "not known after {seconds} s; cgdsl.limits(time=..) sets the limit"
                    ),
                }
            }
            false => Unknown {
                limit: "memory".to_owned(),
                message: message.replace("--memory sets it", "cgdsl.limits(memory=..) sets it"),
            },
        }
    }
}

#[pymethods]
impl Unknown {
    fn __repr__(&self) -> String {
        format!("Unknown({})", self.message)
    }

    fn __bool__(&self) -> PyResult<bool> {
        Err(PyTypeError::new_err(format!(
            "the answer is unknown ({}): ask isinstance(answer, cgdsl.Unknown)",
            self.message
        )))
    }
}
