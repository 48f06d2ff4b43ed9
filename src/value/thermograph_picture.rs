//! Thermographs drawn: SVG for a page, characters for a terminal.
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
    // A quarter above the mast's foot, so that the mast shows.
    Frame {
        high,
        low,
        base,
        top: &top + &room.scale(-2),
    }
}

// Up to so many round marks between two numbers.
fn marks(from: &Number, to: &Number, most: usize) -> Vec<Number> {
    let mut step = Number::ONE;
    let span = to - from;
    while &step * &Number::from(most as i64) < span {
        step = step.scale(1);
    }
    while (&step * &Number::from(most as i64)).half() >= span
        && step.exponent() < 4
        && span.signum() > 0
    {
        step = step.half();
    }
    let mut marks = Vec::new();
    // The first multiple of the step at or above `from`.
    let first = from.scale(step.exponent() as i32 - whole_log(&step)).ceil();
    let mut mark = &Number::from(first) * &step;
    while mark <= *to && marks.len() <= 2 * most {
        marks.push(mark.clone());
        mark = &mark + &step;
    }
    marks
}

// k for a step of 2^k with k >= 0, else 0.
fn whole_log(step: &Number) -> i32 {
    i32::try_from(step.numerator().bits())
        .unwrap_or(1)
        .saturating_sub(1)
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}

impl Thermograph {
    /// The thermograph as an SVG picture of its own, with labelled axes: values decrease to the right, temperatures
    /// rise. `title` is written above it and may be empty.
    pub fn to_svg(&self, title: &str) -> String {
        let f = frame(self);
        let (width, height, margin) = (480.0, 400.0, 56.0);
        let span = (&f.high - &f.low).to_f64().max(0.5);
        let rise = (&f.top - &f.base).to_f64().max(0.5);
        // A single scale, so that slanted walls are at 45 degrees, unless the game is very wide.
        let scale = ((width - 2.0 * margin) / span).min((height - 2.0 * margin) / rise);
        let centre = (f.high.to_f64() + f.low.to_f64()) / 2.0;
        let x = |v: f64| width / 2.0 + (centre - v) * scale;
        let y = |t: f64| height - margin - (t - f.base.to_f64()) * scale;
        let top = y(f.top.to_f64());
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" font-family=\"sans-serif\" font-size=\"12\">\n"
        );
        let name = if title.is_empty() {
            "Thermograph"
        } else {
            title
        };
        let _ = writeln!(svg, "  <title>{}</title>", escape(name));
        let _ = writeln!(
            svg,
            "  <rect width=\"{width}\" height=\"{height}\" fill=\"white\"/>"
        );
        if !title.is_empty() {
            let _ = writeln!(
                svg,
                "  <text x=\"{:.1}\" y=\"20\" text-anchor=\"middle\">{}</text>",
                width / 2.0,
                escape(title)
            );
        }
        // The axis of values, at temperature 0 or at the base, and of temperatures at the right.
        let (left, right) = (margin / 2.0, width - margin / 2.0);
        let zero = y(0.0);
        let _ = writeln!(
            svg,
            "  <path d=\"M {left:.1} {zero:.1} H {right:.1} M {right:.1} {:.1} V {top:.1}\" stroke=\"gray\" fill=\"none\"/>",
            y(f.base.to_f64())
        );
        for mark in marks(&f.low, &f.high, 8) {
            let at = x(mark.to_f64());
            let _ = writeln!(
                svg,
                "  <path d=\"M {at:.1} {:.1} v 6\" stroke=\"gray\"/><text x=\"{at:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{mark}</text>",
                zero - 3.0,
                zero + 18.0
            );
        }
        for mark in marks(&f.base, &f.top, 6) {
            let at = y(mark.to_f64());
            let _ = writeln!(
                svg,
                "  <path d=\"M {:.1} {at:.1} h 6\" stroke=\"gray\"/><text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{mark}</text>",
                right - 3.0,
                right - 6.0,
                at - 3.0
            );
        }
        let _ = writeln!(
            svg,
            "  <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">value</text>",
            width / 2.0,
            height - 12.0
        );
        let _ = writeln!(
            svg,
            "  <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">temperature</text>",
            right,
            top - 8.0
        );
        let mut line = |wall: &Wall, colour: &str, class: &str| {
            let points: Vec<String> = wall
                .corners()
                .iter()
                .map(|c| {
                    format!(
                        "{:.2},{:.2}",
                        x(c.value.to_f64()),
                        y(c.temperature.to_f64())
                    )
                })
                .chain([format!("{:.2},{top:.2}", x(self.mean.to_f64()))])
                .collect();
            let _ = writeln!(
                svg,
                "  <polyline class=\"{class}\" points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"/>",
                points.join(" ")
            );
        };
        line(&self.left_wall, "#1f4fa3", "left-wall");
        line(&self.right_wall, "#b3261e", "right-wall");
        svg.push_str("</svg>\n");
        svg
    }

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
