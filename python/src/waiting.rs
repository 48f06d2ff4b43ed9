//! Work for another thread comes in; its result comes out, while this thread waits without the lock of the interpreter,
//! looks for signals, and ends the work when its time is over.

use crate::limits;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

/// How often a waiting thread looks for signals.
const OFTEN: Duration = Duration::from_millis(50);

/// A result, and whether it came after its time was over.
pub struct Done<T> {
    /// What the work came to.
    pub result: T,
    /// The work was ended since its time was over.
    pub late: bool,
}

/// Waits for a result. `started` says since when the work has been running; `end` asks it to end soon.
///
/// # Errors
/// A signal (an interrupt from the keyboard), once the work has ended; a worker that is gone.
pub fn wait<T: Send>(
    py: Python<'_>,
    mut reply: Receiver<T>,
    started: impl Fn() -> Option<Instant>,
    end: impl Fn(),
) -> PyResult<Done<T>> {
    let time = limits::now().time;
    let gone =
        || PyRuntimeError::new_err("cgdsl: the worker has ended, which is a fault of the program");
    let (mut late, mut signal) = (false, None);
    loop {
        let left = match (time, started()) {
            (Some(time), Some(since)) if !late => time.saturating_sub(since.elapsed()),
            _ => OFTEN,
        };
        let slice = left.clamp(Duration::from_micros(100), OFTEN);
        let receiver = &mut reply;
        match py.detach(move || receiver.recv_timeout(slice)) {
            Ok(result) => {
                return match signal {
                    Some(e) => Err(e),
                    None => Ok(Done { result, late }),
                };
            }
            Err(RecvTimeoutError::Disconnected) => return Err(signal.unwrap_or_else(gone)),
            Err(RecvTimeoutError::Timeout) => {}
        }
        if signal.is_none()
            && let Err(e) = py.check_signals()
        {
            signal = Some(e);
        }
        let over = |since: Instant| time.is_some_and(|time| since.elapsed() >= time);
        late |= started().is_some_and(over);
        if late || signal.is_some() {
            end();
        }
        // What has not begun will not begin, so nothing is waited for.
        if started().is_none()
            && let Some(e) = signal.take()
        {
            return Err(e);
        }
    }
}
