//! A progress bar for work of known length. Input: how much is done; output: a line on the terminal.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use std::fmt::Write;
use std::time::{Duration, Instant};

/// A progress bar with an estimate, shown only on a terminal and after a second.
pub(super) struct Bar {
    bar: ProgressBar,
    start: Instant,
    shown: bool,
}

impl Bar {
    /// For values, of which `length` are computed.
    pub(super) fn new(length: u64, quiet: bool) -> Bar {
        Bar::with(length, quiet, "{wide_bar} {pos}/{len}  {rate}  {eta} to go")
    }

    /// For bytes.
    pub(super) fn bytes(quiet: bool) -> Bar {
        let look = "{wide_bar} {binary_bytes}/{binary_total_bytes}  {eta} to go";
        Bar::with(0, quiet, look)
    }

    fn with(length: u64, quiet: bool, look: &str) -> Bar {
        let bar = ProgressBar::with_draw_target(Some(length), ProgressDrawTarget::hidden());
        if let Ok(style) = ProgressStyle::with_template(look) {
            let rate = |state: &ProgressState, out: &mut dyn Write| {
                let _ = write!(out, "{:.0} a second", state.per_sec());
            };
            bar.set_style(style.with_key("rate", rate));
        }
        Bar {
            bar,
            start: Instant::now(),
            shown: quiet,
        }
    }

    /// This many values were computed in an earlier run, and do not count for the rate of this one.
    pub(super) fn begin_at(&self, done: u64) {
        self.bar.set_position(done);
        self.bar.reset_eta();
    }

    /// The length, where it is found out later.
    pub(super) fn of(&self, length: u64) {
        self.bar.set_length(length);
    }

    /// So much is done.
    pub(super) fn tell(&mut self, done: u64) {
        if !self.shown && self.start.elapsed() > Duration::from_secs(1) {
            // It remains hidden if standard error is not a terminal.
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
            self.shown = true;
        }
        self.bar.set_position(done);
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
