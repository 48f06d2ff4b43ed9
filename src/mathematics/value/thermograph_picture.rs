//! Thermographs drawn in characters for a terminal; `report::draw` has those for pages.
//!
//! In the field's orientation temperatures rise upwards and values decrease to the right, so that the left wall stands
//! at the left (*Winning Ways*, chapter 6).

use std::fmt::Write;

use super::number::Number;
use super::thermograph::{Thermograph, Wall};

// The part of the plane that is drawn, in exact numbers.
struct Frame {
    // The greatest and least value, and the lowest and highest temperature.
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
    // A quarter above the mast's foot, so that the mast shows; of a number there is nothing else.
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
    /// The thermograph in characters, at most `columns` wide and `rows` high (at least 21 and 5 are used): `\\`, `/` and
    /// `|` for the walls, the temperature at the left of each row, the values of its ends below.
    pub fn to_art(&self, columns: usize, rows: usize) -> String {
        let (columns, rows) = (columns.clamp(21, 400), rows.clamp(5, 200));
        let f = frame(self);
        let label_width = 8;
        let plot = columns - label_width - 2;
        let (span, rise) = ((&f.high - &f.low).to_f64(), (&f.top - &f.base).to_f64());
        // The column of a value: the greatest at the left.
        let column = |v: f64| {
            if span <= 0.0 {
                plot / 2
            } else {
                (((f.high.to_f64() - v) / span) * (plot - 1) as f64).round() as usize
            }
        };
        let mut art = String::new();
        for row in 0..rows {
            // Exact temperatures: rows divide the rise evenly only in drawing.
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

// A wall's value for drawing, and whether it is slanted there.
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
