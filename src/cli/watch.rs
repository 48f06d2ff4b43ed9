//! Progress on a terminal: after a second of silence a line says how far the run has come and about how long it will take.

use crate::session::Progress;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::collections::VecDeque;
use std::io::IsTerminal;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// Watches a run; quiet where nobody looks.
pub struct Watch {
    bar: Option<ProgressBar>,
    over: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Watch {
    /// Starts to watch.
    #[must_use]
    pub fn start(progress: &Arc<Progress>, quiet: bool) -> Watch {
        let over = Arc::new(AtomicBool::new(false));
        if quiet || !std::io::stderr().is_terminal() {
            return Watch {
                bar: None,
                over,
                thread: None,
            };
        }
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden());
        if let Ok(style) = ProgressStyle::with_template("{spinner} {msg}  {elapsed_precise}") {
            bar.set_style(style);
        }
        let (progress, over_there, bar_there) = (progress.clone(), over.clone(), bar.clone());
        let thread = std::thread::spawn(move || {
            let start = Instant::now();
            let mut shown = false;
            let mut rates: VecDeque<(Instant, u64)> = VecDeque::new();
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
                let mut text = format!("query {} of {items}", (done + 1).min(items.max(1)));
                if instances > 1 {
                    text.push_str(&format!(", instance {instances}"));
                }
                let pulse = &progress.pulse;
                let (positions, found) = (pulse.positions(), pulse.found());
                if positions > 0 {
                    rates.push_back((Instant::now(), positions));
                    if rates.len() > 50 {
                        rates.pop_front();
                    }
                    text.push_str(&format!(", {} positions", count(positions)));
                    if let Some((then, before)) = rates.front()
                        && then.elapsed() > Duration::from_millis(500)
                    {
                        let rate = (positions - before) as f64 / then.elapsed().as_secs_f64();
                        text.push_str(&format!(" ({}/s)", count(rate as u64)));
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
                    let left = start.elapsed().mul_f64((items - done) as f64 / done as f64);
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

    /// Prints something without a mess.
    pub fn pause(&self, print: impl FnOnce()) {
        match &self.bar {
            Some(bar) => bar.suspend(print),
            None => print(),
        }
    }

    /// Ends it and takes the line away.
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

/// A number with its thousands apart.
fn count(n: u64) -> String {
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

fn human(time: Duration) -> String {
    match time.as_secs() {
        s if s < 90 => format!("{s} s"),
        s if s < 5400 => format!("{} min", s.div_ceil(60)),
        s => format!("{} h", s.div_ceil(3600)),
    }
}
