//! The last resort for `--time`, `--memory` and signals: a thread that ends a run that does not end itself.
//!
//! Every search, reader and table checks its cancellation token and charges the memory it uses. Code that checks too rarely,
//! or holds uncharged memory, is caught here. When the time is over or a signal arrives, the token is set, and [`GRACE`]
//! later the program prints what is known and exits with 3, *unknown*. Where the system reports the memory of the process
//! (Linux), the token is set at 9/8 of the limit plus `ASIDE`, and the program ends at 5/4 of the limit plus 3/2 of
//! `ASIDE`.

use crate::diagnostic::{Code, Diagnostic, plain};
use crate::game::{Cancel, Reason};
use crate::report::Document;
use std::io::Write;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::run::Nothing;

/// The time from the end of the limit, or a signal, to the end of the program, if it does not end itself.
const GRACE: Duration = Duration::from_millis(800);
/// How often the clock and the memory are checked.
const TICK: Duration = Duration::from_millis(8);
/// How long the last output may take, since it may not be read.
const WORDS: Duration = Duration::from_millis(150);
/// Bytes beyond the limit that are allowed for the program itself, its stacks and its output.
const ASIDE: usize = 56 << 20;

/// Whether a signal has been received.
static ASKED: AtomicBool = AtomicBool::new(false);

/// Produces the last output on standard output, given the message.
type Words = Box<dyn Fn(Diagnostic) -> String + Send>;

// Who has the last word: nobody yet, the run, or the guard.
const RUNNING: u8 = 0;
const OVER: u8 = 1;
const ENDING: u8 = 2;

/// Watches a run until [`Guard::stand_down`] is called.
#[derive(Clone, Default)]
pub struct Guard {
    last: Arc<AtomicU8>,
    held: Arc<AtomicBool>,
    words: Arc<Mutex<Option<Words>>>,
}

impl std::fmt::Debug for Guard {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Guard").finish_non_exhaustive()
    }
}

/// The number of bytes at which a run is cancelled, and at which it is ended.
fn bounds(memory: usize) -> (usize, usize) {
    (
        memory.saturating_add(memory / 8).saturating_add(ASIDE),
        memory
            .saturating_add(memory / 4)
            .saturating_add(ASIDE + ASIDE / 2),
    )
}

/// The message for a run that was ended.
fn message(reason: Reason) -> Diagnostic {
    let code = match reason {
        Reason::Interrupted | Reason::Time => Code::E0711,
        Reason::Memory => Code::E0710,
    };
    Diagnostic::remark(code, reason.text())
}

/// Ctrl-C and the termination signal cancel the run; a second one ends the program at once.
pub fn catch_signals(cancel: &Cancel) {
    let cancel = cancel.clone();
    // If no handler can be set, a signal ends the program, which is acceptable.
    let _ = ctrlc::set_handler(move || {
        if ASKED.swap(true, Ordering::Relaxed) {
            std::process::exit(3);
        }
        cancel.cancel();
    });
}

impl Guard {
    /// Starts to watch. With `json`, the last output is a document.
    #[must_use]
    pub fn set(cancel: &Cancel, time: Option<Duration>, memory: usize, json: bool) -> Guard {
        let guard = Guard::default();
        if time.is_some_and(|t| t.is_zero()) {
            // Cancelled before it begins, whatever the scheduler does.
            cancel.cancel_for(Reason::Time);
        }
        let (there, cancel) = (guard.clone(), cancel.clone());
        // If no thread can be started, the token still works.
        let _ = std::thread::Builder::new()
            .name("guard".to_owned())
            .spawn(move || there.watch(&cancel, time, memory, json));
        guard
    }

    /// Watches the memory of a conversation, which has no time limit. Calls `stop` once when the process holds 9/8 of the
    /// limit plus `ASIDE`; ends the program if that does not help.
    #[must_use]
    pub fn of_conversation(memory: usize, stop: impl Fn() + Send + 'static) -> Guard {
        let guard = Guard::default();
        let there = guard.clone();
        // If no thread can be started, the engines still have their limits.
        let _ = std::thread::Builder::new()
            .name("guard".to_owned())
            .spawn(move || {
                let held = Held::new();
                let (soft, hard) = bounds(memory);
                let mut above = false;
                while !there.is_over() {
                    std::thread::sleep(TICK);
                    let bytes = held.bytes();
                    if bytes > soft && !above {
                        stop();
                    }
                    above = bytes > soft;
                    if bytes > hard && !there.held.load(Ordering::Relaxed) {
                        there.end(Reason::Memory, false);
                    }
                }
            });
        guard
    }

    /// Sets the last output on standard output, in case the run is ended from now on.
    pub fn say(&self, words: impl Fn(Diagnostic) -> String + Send + 'static) {
        *self.words.lock().unwrap_or_else(PoisonError::into_inner) = Some(Box::new(words));
    }

    /// Does work that must not be interrupted: writing results to a file.
    pub fn hold<T>(&self, work: impl FnOnce() -> T) -> T {
        self.held.store(true, Ordering::Relaxed);
        let done = work();
        self.held.store(false, Ordering::Relaxed);
        done
    }

    /// To be called when the run has ended by itself, before its last output. Does not return if the guard is ending it.
    pub fn stand_down(&self) {
        if !self.speaks_last(OVER) {
            loop {
                std::thread::sleep(GRACE);
            }
        }
    }

    // Gives the last word to one side; whether it has it then.
    fn speaks_last(&self, side: u8) -> bool {
        let (first, then) = (Ordering::AcqRel, Ordering::Acquire);
        let before = self.last.compare_exchange(RUNNING, side, first, then);
        before.is_ok() || before == Err(side)
    }

    fn is_over(&self) -> bool {
        self.last.load(Ordering::Acquire) == OVER
    }

    fn watch(&self, cancel: &Cancel, time: Option<Duration>, memory: usize, json: bool) {
        let start = Instant::now();
        let held = Held::new();
        let (soft, hard) = bounds(memory);
        let mut since: Option<(Instant, Reason)> = None;
        loop {
            std::thread::sleep(TICK);
            if self.is_over() {
                return;
            }
            let bytes = held.bytes();
            if since.is_none() {
                let end = if ASKED.load(Ordering::Relaxed) {
                    Some(Reason::Interrupted)
                } else if time.is_some_and(|t| start.elapsed() >= t) {
                    Some(Reason::Time)
                } else if bytes > soft {
                    Some(Reason::Memory)
                } else {
                    None
                };
                if let Some(end) = end {
                    cancel.cancel_for(end);
                    since = Some((Instant::now(), end));
                }
            }
            match since {
                _ if self.held.load(Ordering::Relaxed) => {}
                Some((at, end)) if at.elapsed() >= GRACE => self.end(end, json),
                _ if bytes > hard => self.end(Reason::Memory, json),
                _ => {}
            }
        }
    }

    /// Prints what is known and ends the program, unless it has ended by itself.
    fn end(&self, end: Reason, json: bool) {
        if !self.speaks_last(ENDING) {
            return;
        }
        let words = self.words.clone();
        let speaker = std::thread::spawn(move || {
            let message = message(end);
            let words = words.lock().unwrap_or_else(PoisonError::into_inner);
            let text = match &*words {
                Some(words) => words(message.clone()),
                None if json => {
                    let said = plain(&message, &crate::base::Sources::default());
                    Document::new("cgdsl/error/1", Nothing {}, vec![said]).to_text()
                }
                None => String::new(),
            };
            let mut out = std::io::stdout().lock();
            let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
            if !json {
                let line = format!("unknown: {}\n", message.message);
                let _ = std::io::stderr().write_all(line.as_bytes());
            }
        });
        let until = Instant::now() + WORDS;
        while !speaker.is_finished() && Instant::now() < until {
            std::thread::sleep(Duration::from_millis(2));
        }
        std::process::exit(3);
    }
}

/// The memory of the process, where the system reports it.
struct Held {
    /// The size of a page in bytes; `None` where the system does not report memory.
    page: Option<usize>,
}

impl Held {
    fn new() -> Held {
        // Compares the same figure, once in pages and once in kilobytes.
        let kilobytes = std::fs::read_to_string("/proc/self/status")
            .ok()
            .and_then(|s| {
                let line = s.lines().find(|l| l.starts_with("VmRSS:"))?;
                line.split_whitespace().nth(1)?.parse::<usize>().ok()
            });
        let page = kilobytes
            .zip(Held::pages())
            .map(|(kilobytes, pages)| (kilobytes << 10).div_ceil(pages.max(1)).next_power_of_two());
        Held {
            page: page.filter(|p| (1 << 12..=1 << 16).contains(p)),
        }
    }

    fn pages() -> Option<usize> {
        let text = std::fs::read_to_string("/proc/self/statm").ok()?;
        text.split_whitespace().nth(1)?.parse().ok()
    }

    /// The memory in use, in bytes; 0 where it is not reported.
    fn bytes(&self) -> usize {
        match self.page {
            Some(page) => Held::pages().unwrap_or(0).saturating_mul(page),
            None => 0,
        }
    }
}

/// A token for one of many answers: it is cancelled with the token of the run, or when its time is over.
pub struct Bounded {
    /// The token.
    pub cancel: Cancel,
    done: Arc<AtomicBool>,
}

impl Bounded {
    /// A token below `outer`.
    #[must_use]
    pub fn new(outer: &Cancel, time: Duration, memory: usize) -> Bounded {
        let bounded = Bounded {
            cancel: Cancel::with_memory(memory),
            done: Arc::default(),
        };
        let (outer, inner, done) = (outer.clone(), bounded.cancel.clone(), bounded.done.clone());
        let end = Instant::now() + time;
        // If no thread can be started, the engines still have their memory limits.
        let _ = std::thread::Builder::new()
            .name("bound".to_owned())
            .spawn(move || {
                while !done.load(Ordering::Relaxed) {
                    let late = (Instant::now() >= end).then_some(Reason::Time);
                    if let Some(reason) = outer.reason().or(late) {
                        inner.cancel_for(reason);
                        return;
                    }
                    std::thread::sleep(TICK);
                }
            });
        bounded
    }
}

impl Drop for Bounded {
    fn drop(&mut self) {
        self.done.store(true, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(target_os = "linux")]
    fn what_is_held_is_seen() {
        let held = Held::new();
        let before = held.bytes();
        assert!(before > 1 << 20, "{before}");
        let much = vec![1u8; 64 << 20];
        let after = held.bytes();
        assert!(after > before + (50 << 20), "{before} {after}");
        drop(std::hint::black_box(much));
    }
}
