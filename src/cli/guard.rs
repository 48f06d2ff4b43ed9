//! The last resort of `--time`, `--memory` and signals: a token, a time and a number of bytes come in; a thread ends the run where
//! the run does not end itself.
//!
//! Every search, reader and table asks its token and charges its memory. What asks too seldom, or holds what nobody charged, is
//! caught here. Once the time is over or a signal has come the token is set, and [`GRACE`] later the program says what is
//! known and exits with 3, *unknown*. Where the system tells what the process holds (Linux), the token is set at an eighth more
//! than the limit and a little, and the program ends before it holds a quarter more and a hundred megabytes.

use crate::diagnostic::{Code, Diagnostic, plain};
use crate::game::{Cancel, Reason};
use crate::report::Document;
use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::run::Nothing;

/// From the end of the time, or a signal, to the end of the program, if it does not end itself.
const GRACE: Duration = Duration::from_millis(800);
/// How often the clock and the memory are looked at.
const TICK: Duration = Duration::from_millis(8);
/// How long the last words may take: somebody may not read them.
const WORDS: Duration = Duration::from_millis(150);
/// Bytes beyond the limit that are no matter: the program itself, its stacks, what is printed.
const ASIDE: usize = 56 << 20;

/// Whether a signal has come.
static ASKED: AtomicBool = AtomicBool::new(false);

/// What is printed on the standard output where a run is ended from outside; it is given the message.
type Words = Box<dyn Fn(Diagnostic) -> String + Send>;

/// Watches a run until it is told to stand down.
#[derive(Clone)]
pub struct Guard {
    over: Arc<AtomicBool>,
    held: Arc<AtomicBool>,
    words: Arc<Mutex<Option<Words>>>,
}

/// Bytes at which a run is asked to end under a limit, and at which it is ended.
fn bounds(memory: usize) -> (usize, usize) {
    (
        memory.saturating_add(memory / 8).saturating_add(ASIDE),
        memory
            .saturating_add(memory / 4)
            .saturating_add(ASIDE + ASIDE / 2),
    )
}

/// What is said of a run that ends for a reason.
fn message(reason: Reason) -> Diagnostic {
    let code = match reason {
        Reason::Interrupted | Reason::Time => Code::E0711,
        Reason::Memory => Code::E0710,
    };
    Diagnostic::remark(code, reason.text())
}

/// Ctrl-C and the signal to terminate ask for the end; a second one ends the program at once.
pub fn catch_signals(cancel: &Cancel) {
    let cancel = cancel.clone();
    // Without a handler a signal ends the program, which is right too.
    let _ = ctrlc::set_handler(move || {
        if ASKED.swap(true, Ordering::Relaxed) {
            std::process::exit(3);
        }
        cancel.cancel();
    });
}

impl Guard {
    /// Watches from now on. With `json` the last words are a document.
    #[must_use]
    pub fn set(cancel: &Cancel, time: Option<Duration>, memory: usize, json: bool) -> Guard {
        let guard = Guard {
            over: Arc::default(),
            held: Arc::default(),
            words: Arc::default(),
        };
        if time.is_some_and(|t| t.is_zero()) {
            // Over before it begins, whatever the scheduler does.
            cancel.cancel_for(Reason::Time);
        }
        let (there, cancel) = (guard.clone(), cancel.clone());
        // Without a thread the run has its token all the same.
        let _ = std::thread::Builder::new()
            .name("guard".to_owned())
            .spawn(move || there.watch(&cancel, time, memory, json));
        guard
    }

    /// Watches a conversation: its memory alone, since it has no end of its own. What is worked out is stopped once when the
    /// process comes to hold an eighth more than the limit and a little; the program ends where that does not help.
    #[must_use]
    pub fn of_conversation(memory: usize, stop: impl Fn() + Send + 'static) -> Guard {
        let guard = Guard {
            over: Arc::default(),
            held: Arc::default(),
            words: Arc::default(),
        };
        let there = guard.clone();
        // Without a thread the engines have their limits all the same.
        let _ = std::thread::Builder::new()
            .name("guard".to_owned())
            .spawn(move || {
                let held = Held::new();
                let (soft, hard) = bounds(memory);
                let mut above = false;
                while !there.over.load(Ordering::Relaxed) {
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

    /// What is to be said on the standard output if the run is ended from here on.
    pub fn say(&self, words: impl Fn(Diagnostic) -> String + Send + 'static) {
        *self.words.lock().unwrap_or_else(PoisonError::into_inner) = Some(Box::new(words));
    }

    /// Does something that must not be cut short: what was found is written to a file.
    pub fn hold<T>(&self, work: impl FnOnce() -> T) -> T {
        self.held.store(true, Ordering::Relaxed);
        let done = work();
        self.held.store(false, Ordering::Relaxed);
        done
    }

    /// The run has ended by itself.
    pub fn stand_down(&self) {
        self.over.store(true, Ordering::Relaxed);
    }

    fn watch(&self, cancel: &Cancel, time: Option<Duration>, memory: usize, json: bool) {
        let start = Instant::now();
        let held = Held::new();
        let (soft, hard) = bounds(memory);
        let mut since: Option<(Instant, Reason)> = None;
        loop {
            std::thread::sleep(TICK);
            if self.over.load(Ordering::Relaxed) {
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

    /// Says what is known and ends the program.
    fn end(&self, end: Reason, json: bool) -> ! {
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

/// What the process holds, where the system tells.
struct Held {
    /// Bytes of a page; nothing where nobody tells.
    page: Option<usize>,
}

impl Held {
    fn new() -> Held {
        // The same figure twice, once in pages and once in kilobytes.
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

    /// Bytes of memory in use; 0 where nobody tells.
    fn bytes(&self) -> usize {
        match self.page {
            Some(page) => Held::pages().unwrap_or(0).saturating_mul(page),
            None => 0,
        }
    }
}

/// A token for one answer of many: it is set when the run's own token is, or when the time is over.
pub struct Bounded {
    /// The token.
    pub cancel: Cancel,
    done: Arc<AtomicBool>,
}

impl Bounded {
    /// A token below another one.
    #[must_use]
    pub fn new(outer: &Cancel, time: Duration, memory: usize) -> Bounded {
        let bounded = Bounded {
            cancel: Cancel::with_memory(memory),
            done: Arc::default(),
        };
        let (outer, inner, done) = (outer.clone(), bounded.cancel.clone(), bounded.done.clone());
        let end = Instant::now() + time;
        // Without a thread the engines have their limits of memory all the same.
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
