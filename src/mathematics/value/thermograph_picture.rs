//! Thermographs drawn in characters for a terminal; `report::draw` draws them for pages.
//!
//! In the usual orientation (*Winning Ways*, chapter 6) temperatures rise upwards and values decrease to the right, so the
//! left wall is on the left.

use std::fmt::Write;

use super::number::Number;
use super::thermograph::{Thermograph, Wall};

// The part of the plane that is drawn, in exact numbers: the range of values and of temperatures.
struct Frame {
    high: Number,
    low: Number,
    base: Number,
    top: Number,
}

fn frame(t: &Thermograph) -> Frame {
    let values = || {
        t.left_wall
            .corners()
            .iter()
            .chain(t.right_wall.corners())
            .map(|c| &c.value)
    };
    let high = values().max().cloned().unwrap_or_default();
    let low = values().min().cloned().unwrap_or_default();
    let base = match t.left_wall.corners().first() {
        Some(c) if c.temperature < Number::ZERO => Number::MINUS_ONE,
        _ => Number::ZERO,
    };
    let top = t.temperature.clone().max(Number::ZERO);
    let room = (&top - &base).max((&high - &low).half()).max(Number::ONE);
    // Leave a quarter above the foot of the mast, so that the mast shows. A number has only a mast.
    let mast = if high == low && top == base {
        room
    } else {
        room.scale(-2)
    };
    Frame {
        high,
        low,
        base,
        top: &top + &mast,
    }
}

impl Thermograph {
    /// The thermograph in characters, at most `columns` wide (clamped to 21..=400) and with `rows` rows for temperatures (clamped
    /// to 5..=200), plus two lines below. Walls are drawn with `\`, `/` and `|`. Each row starts with its temperature; the
    /// last line has the extreme values.
    pub fn to_art(&self, columns: usize, rows: usize) -> String {
        let (columns, rows) = (columns.clamp(21, 400), rows.clamp(5, 200));
        let f = frame(self);
        let label_width = 8;
        let plot = columns - label_width - 2;
        let (span, rise) = ((&f.high - &f.low).to_f64(), (&f.top - &f.base).to_f64());
        // The column of a value, counted from the left, where the greatest value is.
        let column = |v: f64| {
            if span <= 0.0 {
                plot / 2
            } else {
                (((f.high.to_f64() - v) / span) * (plot - 1) as f64).round() as usize
            }
        };
        let mut art = String::new();
        for row in 0..rows {
            let fraction = 1.0 - row as f64 / (rows - 1) as f64;
            let t = f.base.to_f64() + rise * fraction;
            let mut line = vec![' '; plot];
            for (wall, slant) in [(&self.right_wall, '\\'), (&self.left_wall, '/')] {
                let (value, leaning) = drawn_at(wall, t);
                line[column(value).min(plot - 1)] = if leaning { slant } else { '|' };
            }
            let text: String = line.into_iter().collect();
            let _ = writeln!(
                art,
                "{:>label_width$} {}",
                format!("{t:.2}"),
                text.trim_end()
            );
        }
        let _ = writeln!(art, "{:>label_width$} {}", "", "-".repeat(plot));
        let (high, low) = (f.high.to_string(), f.low.to_string());
        if f.high == f.low {
            let _ = writeln!(art, "{:>label_width$} {:^plot$}", "value", high);
        } else {
            let gap = plot.saturating_sub(high.len() + low.len());
            let _ = writeln!(
                art,
                "{:>label_width$} {high}{}{low}",
                "value",
                " ".repeat(gap)
            );
        }
        let text: Vec<&str> = art.lines().map(str::trim_end).collect();
        text.join("\n") + "\n"
    }
}

// The value of a wall for drawing, and whether the wall is slanted there.
fn drawn_at(wall: &Wall, t: f64) -> (f64, bool) {
    let corners = wall.corners();
    for pair in corners.windows(2) {
        let (a, b) = (pair[0].temperature.to_f64(), pair[1].temperature.to_f64());
        if t < b {
            let (v, w) = (pair[0].value.to_f64(), pair[1].value.to_f64());
            let at = ((t - a) / (b - a)).max(0.0);
            return (v + (w - v) * at, v != w);
        }
    }
    (corners.last().map_or(0.0, |c| c.value.to_f64()), false)
}
