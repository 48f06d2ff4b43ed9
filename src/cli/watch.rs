//! Progress: on a terminal, after a second without output, a line shows the progress of the run and the estimated remaining
//! time. Without a terminal, a search prints such a line now and then.

use crate::session::Progress;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::collections::VecDeque;
use std::io::{IsTerminal, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// Watches a run; prints nothing if nobody can see it.
pub struct Watch {
    bar: Option<ProgressBar>,
    over: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Watch {
    /// Starts to watch a run.
    #[must_use]
    pub fn start(progress: &Arc<Progress>, quiet: bool) -> Watch {
        Watch::of(progress, quiet, None)
    }

    /// Starts to watch a search, of `total` positions if that is known.
    #[must_use]
    pub fn search(progress: &Arc<Progress>, quiet: bool, total: Option<u128>) -> Watch {
        if !quiet && !std::io::stderr().is_terminal() {
            return Watch::in_lines(progress.clone(), total);
        }
        Watch::of(progress, quiet, total)
    }

    /// Prints a line on standard error after ten seconds, then at intervals that double, but at least every ten minutes.
    fn in_lines(progress: Arc<Progress>, total: Option<u128>) -> Watch {
        let over = Arc::new(AtomicBool::new(false));
        let over_there = over.clone();
        let thread = std::thread::spawn(move || {
            let start = Instant::now();
            let mut pause = Duration::from_secs(10);
            let mut next = pause;
            let mut rate = Rate::default();
            while !over_there.load(Ordering::Relaxed) {
                std::thread::park_timeout(Duration::from_millis(200));
                let done = progress.instances.load(Ordering::Relaxed);
                rate.note(done);
                if start.elapsed() < next {
                    continue;
                }
                pause = (2 * pause).min(Duration::from_secs(600));
                next += pause;
                let of = total.map_or(String::new(), |n| format!(" of {}", count(n)));
                let left = rate.left(done, total);
                let _ = writeln!(
                    std::io::stderr(),
                    "{}{of} positions looked at{left}",
                    count(u128::from(done))
                );
            }
        });
        Watch {
            bar: None,
            over,
            thread: Some(thread),
        }
    }

    fn of(progress: &Arc<Progress>, quiet: bool, total: Option<u128>) -> Watch {
        let over = Arc::new(AtomicBool::new(false));
        if quiet || !std::io::stderr().is_terminal() {
            return Watch {
                bar: None,
                over,
                thread: None,
            };
        }
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden());
        if let Ok(style) = ProgressStyle::with_template("{spinner} {wide_msg} {elapsed}") {
            bar.set_style(style);
        }
        let (progress, over_there, bar_there) = (progress.clone(), over.clone(), bar.clone());
        let thread = std::thread::spawn(move || {
            let start = Instant::now();
            let mut shown = false;
            let mut rates: VecDeque<(Instant, u64)> = VecDeque::new();
            let mut looked = Rate::default();
            while !over_there.load(Ordering::Relaxed) {
                std::thread::park_timeout(Duration::from_millis(100));
                if start.elapsed() < Duration::from_secs(1) {
                    continue;
                }
                if !shown {
                    bar_there.set_draw_target(ProgressDrawTarget::stderr());
                    shown = true;
                }
                let items = progress.items.load(Ordering::Relaxed);
                let done = progress.done.load(Ordering::Relaxed);
                let instances = progress.instances.load(Ordering::Relaxed);
                let mut text = match total {
                    Some(total) => {
                        looked.note(instances);
                        let all = count(total);
                        let left = looked.left(instances, Some(total));
                        format!("{} of {all}{left}", count(u128::from(instances)))
                    }
                    None => format!("query {} of {items}", (done + 1).min(items.max(1))),
                };
                if instances > 1 && total.is_none() {
                    text.push_str(&format!(", instance {instances}"));
                }
                let pulse = &progress.pulse;
                let (positions, found) = (pulse.positions(), pulse.found());
                if positions > 0 {
                    rates.push_back((Instant::now(), positions));
                    if rates.len() > 50 {
                        rates.pop_front();
                    }
                    text.push_str(&format!(", {} positions", count(u128::from(positions))));
                    if let Some((then, before)) = rates.front()
                        && then.elapsed() > Duration::from_millis(500)
                    {
                        let rate = (positions - before) as f64 / then.elapsed().as_secs_f64();
                        text.push_str(&format!(" ({}/s)", count(rate as u128)));
                    }
                    if found > 0 {
                        let share = found as f64 / (found + positions) as f64;
                        text.push_str(&format!(", {:.0} % met again", 100.0 * share));
                    }
                    if pulse.bytes() > 1 << 20 {
                        text.push_str(&format!(", {} MiB", pulse.bytes() >> 20));
                    }
                }
                if done > 0 && done < items {
                    let left = start.elapsed().as_secs_f64() * (items - done) as f64 / done as f64;
                    text.push_str(&format!(", about {} to go", human(left)));
                }
                bar_there.set_message(text);
                bar_there.tick();
            }
            bar_there.finish_and_clear();
        });
        Watch {
            bar: Some(bar),
            over,
            thread: Some(thread),
        }
    }

    /// Prints something without disturbing the progress line.
    pub fn pause(&self, print: impl FnOnce()) {
        match &self.bar {
            Some(bar) => bar.suspend(print),
            None => print(),
        }
    }

    /// Ends the watch and removes the line.
    pub fn stop(mut self) {
        self.end();
    }

    fn end(&mut self) {
        self.over.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            thread.thread().unpark();
            let _ = thread.join();
        }
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.end();
    }
}

/// The current rate of work, from what was done in the last seconds.
#[derive(Default)]
struct Rate {
    seen: VecDeque<(Instant, u64)>,
}

impl Rate {
    /// Records that `done` units of work are complete.
    fn note(&mut self, done: u64) {
        self.seen.push_back((Instant::now(), done));
        if self.seen.len() > 100 {
            self.seen.pop_front();
        }
    }

    /// The estimated remaining time, in words; empty while it is unknown.
    fn left(&self, done: u64, total: Option<u128>) -> String {
        let Some(((then, before), total)) = self.seen.front().zip(total) else {
            return String::new();
        };
        let seconds = then.elapsed().as_secs_f64();
        if seconds < 0.5 || done <= *before {
            return String::new();
        }
        let rate = (done - before) as f64 / seconds;
        let left = total.saturating_sub(u128::from(done)) as f64 / rate;
        format!(", about {} to go", human(left))
    }
}

/// A number with separators between thousands.
pub(super) fn count(n: u128) -> String {
    let digits = n.to_string();
    let mut out = String::new();
    for (i, c) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(c);
    }
    out
}

/// A duration in seconds, in words.
fn human(seconds: f64) -> String {
    const DAY: f64 = 86_400.0;
    match seconds {
        s if s < 90.0 => format!("{s:.0} s"),
        s if s < 5400.0 => format!("{:.0} min", s / 60.0),
        s if s < 2.0 * DAY => format!("{:.0} h", s / 3600.0),
        s if s < 1000.0 * DAY => format!("{:.0} days", s / DAY),
        s if s < 1e6 * DAY => format!("{:.0} years", s / (365.0 * DAY)),
        _ => "thousands of years".to_owned(),
    }
}
