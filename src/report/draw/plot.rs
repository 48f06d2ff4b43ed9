//! Plots points with numeric coordinates, with axes, as a scene for SVG, TikZ and Typst or as lines of characters for a
//! terminal.

use super::scene::{Anchor, Block, Ink, Item, Scene, form, in_words, text_width};
use crate::session::figure::Owner;
use std::collections::BTreeSet;

/// The width and height of the plotting area.
pub(super) const SIZE: (f64, f64) = (640.0, 320.0);
/// The height of letters.
pub(super) const TEXT: f64 = 12.0;
/// From here on a coordinate is written with a power of ten, since not all of its digits are known.
const LARGE: f64 = 1e15;
/// The colour of shading.
const SHADE: [u8; 3] = [0xE8, 0xEE, 0xF4];
/// The characters of the series in a text plot.
const SIGNS: [char; 6] = ['o', '#', '+', 'x', '%', '@'];

/// A series of points.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Series {
    /// The name in the legend.
    pub name: String,
    /// The coordinates, all finite.
    pub points: Vec<(f64, f64)>,
}

/// What is plotted.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Plot {
    /// The title.
    pub title: String,
    /// The names of the horizontal and vertical axes.
    pub axes: [String; 2],
    /// The points.
    pub series: Vec<Series>,
    /// A shaded range of the first coordinate, and its name.
    pub shaded: Option<(f64, f64, String)>,
    /// Whether the points of a series are joined by lines, in order.
    pub joined: bool,
}

/// An axis: its smallest and largest coordinate, and the distance between marks.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Axis {
    pub(super) low: f64,
    pub(super) high: f64,
    step: f64,
}

impl Axis {
    /// An axis over the given coordinates with about `marks` marks, at multiples of 1, 2 or 5 times a power of ten; between
    /// integers only integers are marked.
    pub(super) fn over(mut all: impl Iterator<Item = f64> + Clone, marks: f64) -> Axis {
        let low = all.clone().fold(f64::INFINITY, f64::min);
        let high = all.clone().fold(f64::NEG_INFINITY, f64::max);
        if low > high {
            return Axis {
                low: 0.0,
                high: 1.0,
                step: 1.0,
            };
        }
        if low >= high {
            let step = match low.abs() {
                x if x < LARGE => 1.0,
                x => power_of_ten(x),
            };
            return Axis {
                low: ((low / step).ceil() - 1.0) * step,
                high: ((high / step).floor() + 1.0) * step,
                step,
            };
        }
        let least = match all.all(|x| x.fract() == 0.0) {
            true => 1.0,
            false => 1e-9,
        };
        let rough = ((high - low) / marks).max(least);
        // Divisions are not exact.
        const NEAR: f64 = 1e-9;
        let power = power_of_ten(rough);
        let steps = [1.0, 2.0, 5.0].map(|n| n * power);
        let fits = |step: &f64| *step >= rough * (1.0 - NEAR);
        let step = steps.into_iter().find(fits).unwrap_or(10.0 * power);
        Axis {
            low: (low / step + NEAR).floor() * step,
            high: (high / step - NEAR).ceil() * step,
            step,
        }
    }

    /// The relative position of a coordinate, from 0 to 1.
    pub(super) fn part(self, x: f64) -> f64 {
        (x - self.low) / (self.high - self.low)
    }

    /// The coordinates of the marks.
    fn marks(self) -> impl Iterator<Item = f64> {
        let count = ((self.high - self.low) / self.step).round().max(1.0);
        let count = if count > 40.0 { 40 } else { count as u32 };
        (0..=count).map(move |i| self.low + self.step * f64::from(i))
    }
}

/// The greatest power of ten up to a positive number. It is read as text, since a product of tens is not exact.
fn power_of_ten(x: f64) -> f64 {
    let exponent = x.log10().floor().clamp(-300.0, 300.0);
    format!("1e{exponent}").parse().unwrap_or(1.0)
}

/// A coordinate with as few digits as its axis needs.
fn label(x: f64, step: f64) -> String {
    if x.abs() >= LARGE {
        let digits = (x.abs() / step).log10().round().max(0.0) as usize;
        let text = format!("{x:.digits$e}");
        // Zeros at the end say nothing.
        return match text.split_once('e') {
            Some((n, e)) if n.contains('.') => {
                let n = n.trim_end_matches('0').trim_end_matches('.');
                format!("{n}e{e}")
            }
            _ => text,
        };
    }
    let mut digits = 0;
    let mut unit = step;
    while digits < 9 && (unit - unit.round()).abs() > 1e-6 * unit {
        unit *= 10.0;
        digits += 1;
    }
    // Avoids -0.
    let x = if x.abs() < step / 2.0 { 0.0 } else { x };
    format!("{x:.digits$}")
}

impl Plot {
    fn all(&self) -> impl Iterator<Item = (f64, f64)> + Clone {
        self.series.iter().flat_map(|s| s.points.iter().copied())
    }

    fn of_axes(&self) -> (Axis, Axis) {
        let ends = self.shaded.iter().flat_map(|(from, to, _)| [*from, *to]);
        let across = self.all().map(|p| p.0);
        // Shading beyond the points is clipped.
        let most = across.clone().fold(f64::NEG_INFINITY, f64::max);
        let across = across.chain(ends.filter(move |e| *e <= most));
        let across: Vec<f64> = across.collect();
        let up: Vec<f64> = self.all().map(|p| p.1).collect();
        (
            Axis::over(across.iter().copied(), 10.0),
            Axis::over(up.iter().copied(), 8.0),
        )
    }

    /// A description in words.
    #[must_use]
    pub fn description(&self) -> String {
        let mut text = format!(
            "{} (upwards) against {} (across).",
            self.axes[1], self.axes[0]
        );
        for (i, s) in self.series.iter().enumerate() {
            let (color, forms, _) = in_words(owner(i));
            text.push_str(&format!(
                " {}: {} points, {color} {forms}.",
                s.name,
                s.points.len()
            ));
        }
        if let Some((from, to, what)) = &self.shaded {
            text.push_str(&format!(" Shaded from {from} to {to}: {what}."));
        }
        text
    }

    /// The plot as a scene.
    #[must_use]
    pub fn scene(&self) -> Scene {
        let (across, up) = self.of_axes();
        let x = |v: f64| across.part(v) * SIZE.0;
        let y = |v: f64| (1.0 - up.part(v)) * SIZE.1;
        let mut block = Block::default();
        self.shade(&mut block, x);
        axes(&mut block, (across, up), &self.axes);
        let count: usize = self.series.iter().map(|s| s.points.len()).sum();
        let radius = match count {
            0..=80 => 3.5,
            81..=400 => 2.5,
            _ => 1.5,
        };
        for (i, s) in self.series.iter().enumerate() {
            let owner = owner(i);
            if self.joined {
                for pair in s.points.windows(2) {
                    block.items.push(Item::Path {
                        from: (x(pair[0].0), y(pair[0].1)),
                        control: None,
                        to: (x(pair[1].0), y(pair[1].1)),
                        ink: Ink::Owner(owner),
                        width: 1.5,
                        dash: super::scene::dash(owner),
                        arrow: false,
                    });
                }
            }
            // Points that coincide on the plot are drawn once.
            let mut drawn = BTreeSet::new();
            for (a, b) in &s.points {
                let at = (x(*a), y(*b));
                if drawn.insert(((at.0 * 2.0) as i64, (at.1 * 2.0) as i64)) {
                    block.items.push(Item::Piece {
                        form: form(owner),
                        at,
                        radius,
                        fill: Ink::Owner(owner),
                        border: Ink::Owner(owner),
                    });
                }
            }
        }
        self.legend(&mut block);
        let middle = (SIZE.0 / 2.0, -26.0);
        block.text(middle, self.title.clone(), 14.0, Ink::Line, Anchor::Middle);
        block.fit(10.0);
        Scene {
            block,
            title: self.title.clone(),
            description: self.description(),
        }
    }

    /// The shaded range, below all other elements, with its name above.
    fn shade(&self, block: &mut Block, x: impl Fn(f64) -> f64) {
        let Some((from, to, what)) = &self.shaded else {
            return;
        };
        let (from, to) = (x(*from).clamp(0.0, SIZE.0), x(*to).clamp(0.0, SIZE.0));
        if from >= to {
            return;
        }
        block.items.push(Item::Rectangle {
            at: (from, 0.0),
            size: (to - from, SIZE.1),
            fill: Ink::Rgb(SHADE),
            border: Ink::None,
        });
        let half = text_width(what, TEXT) / 2.0;
        let middle = f64::midpoint(from, to)
            .clamp(half.min(SIZE.0 / 2.0), (SIZE.0 - half).max(SIZE.0 / 2.0));
        block.text((middle, -9.0), what, TEXT, Ink::Faint, Anchor::Middle);
    }

    /// The names of the series with their symbols, if there are several.
    fn legend(&self, block: &mut Block) {
        if self.series.len() < 2 {
            return;
        }
        let mut at = (0.0, SIZE.1 + 56.0);
        for (i, s) in self.series.iter().enumerate() {
            let width = 22.0 + text_width(&s.name, TEXT);
            if at.0 > 0.0 && at.0 + width > SIZE.0 {
                at = (0.0, at.1 + 20.0);
            }
            let owner = owner(i);
            block.items.push(Item::Piece {
                form: form(owner),
                at: (at.0 + 6.0, at.1),
                radius: 4.0,
                fill: Ink::Owner(owner),
                border: Ink::Owner(owner),
            });
            block.text(
                (at.0 + 16.0, at.1),
                s.name.clone(),
                TEXT,
                Ink::Line,
                Anchor::Start,
            );
            at.0 += width + 14.0;
        }
    }

    /// The plot in characters, at most `columns` columns wide.
    #[must_use]
    pub fn text(&self, columns: usize) -> String {
        const ROWS: usize = 16;
        let (across, up) = self.of_axes();
        let labels: Vec<(f64, String)> = up.marks().map(|v| (v, label(v, up.step))).collect();
        let margin = labels.iter().map(|l| l.1.len()).max().unwrap_or(1);
        let width = columns.clamp(24, 200) - margin.min(20) - 3;
        let mut cells = vec![vec![' '; width]; ROWS];
        let place =
            |part: f64, cells: usize| ((part * (cells - 1) as f64).round() as usize).min(cells - 1);
        for (i, s) in self.series.iter().enumerate() {
            for (a, b) in &s.points {
                let row = ROWS - 1 - place(up.part(*b), ROWS);
                cells[row][place(across.part(*a), width)] = SIGNS[i % SIGNS.len()];
            }
        }
        let mut named = vec![String::new(); ROWS];
        for (v, text) in labels {
            named[ROWS - 1 - place(up.part(v), ROWS)] = text;
        }
        let mut out = format!("{} against {}\n", self.axes[1], self.axes[0]);
        for (name, row) in named.iter().zip(&cells) {
            let row: String = row.iter().collect();
            out.push_str(format!("{name:>margin$} |{row}").trim_end());
            out.push('\n');
        }
        out.push_str(&format!("{:margin$} +{}\n", "", "-".repeat(width)));
        let (low, high) = (
            label(across.low, across.step),
            label(across.high, across.step),
        );
        let gap = width.saturating_sub(low.len() + high.len());
        out.push_str(&format!("{:margin$}  {low}{:gap$}{high}\n", "", ""));
        if self.series.len() > 1 {
            let names = self.series.iter().enumerate();
            let names: Vec<String> = names
                .map(|(i, s)| format!("{} {}", SIGNS[i % SIGNS.len()], s.name))
                .collect();
            out.push_str(&names.join("    "));
            out.push('\n');
        }
        if let Some((from, to, what)) = &self.shaded {
            out.push_str(&format!("{from} to {to}: {what}\n"));
        }
        out
    }
}

/// Series are distinguished in the same way as players.
fn owner(series: usize) -> Owner {
    Owner::Player(u8::try_from(series % 6).unwrap_or(0))
}

/// The frame, with marks, labels and names.
pub(super) fn axes(block: &mut Block, (across, up): (Axis, Axis), names: &[String; 2]) {
    let (w, h) = SIZE;
    let corners = [(0.0, 0.0), (w, 0.0), (w, h), (0.0, h), (0.0, 0.0)];
    for side in corners.windows(2) {
        block.line(side[0], side[1], Ink::Faint, 1.0);
    }
    for v in across.marks() {
        let at = across.part(v) * w;
        block.line((at, h), (at, h + 4.0), Ink::Faint, 1.0);
        let text = label(v, across.step);
        block.text((at, h + 14.0), text, TEXT, Ink::Line, Anchor::Middle);
    }
    let mut widest = 0.0f64;
    for v in up.marks() {
        let at = (1.0 - up.part(v)) * h;
        block.line((-4.0, at), (0.0, at), Ink::Faint, 1.0);
        let text = label(v, up.step);
        widest = widest.max(text_width(&text, TEXT));
        block.text((-8.0, at), text, TEXT, Ink::Line, Anchor::End);
    }
    block.text(
        (w / 2.0, h + 34.0),
        names[0].clone(),
        TEXT,
        Ink::Faint,
        Anchor::Middle,
    );
    let above = (-8.0 - widest, -26.0);
    block.text(above, names[1].clone(), TEXT, Ink::Faint, Anchor::Start);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_round_numbers_and_cover_the_points() {
        for (low, high) in [
            (0.0, 7.0),
            (0.0, 100.0),
            (-3.0, 12.5),
            (0.0, 0.25),
            (5.0, 5.0),
            (0.0, 1e9),
        ] {
            let axis = Axis::over([low, high].into_iter(), 10.0);
            assert!(axis.low <= low && axis.high >= high, "{axis:?}");
            let marks: Vec<f64> = axis.marks().collect();
            assert!((2..=14).contains(&marks.len()), "{low} {high} {marks:?}");
            let mut unit = axis.step;
            while unit >= 9.999 {
                unit /= 10.0;
            }
            while unit < 0.9999 {
                unit *= 10.0;
            }
            assert!(
                [1.0, 2.0, 5.0].iter().any(|u| (unit - u).abs() < 1e-6),
                "{axis:?}"
            );
        }
    }

    #[test]
    fn axes_of_integers_constants_and_large_numbers() {
        let shown = |all: &[f64]| -> Vec<String> {
            let axis = Axis::over(all.iter().copied(), 10.0);
            axis.marks().map(|v| label(v, axis.step)).collect()
        };
        assert_eq!(shown(&[1.0, 2.0, 3.0, 4.0, 5.0]), ["1", "2", "3", "4", "5"]);
        assert_eq!(shown(&[0.0, 0.5, 1.0]).len(), 11);
        assert_eq!(shown(&[3.0, 3.0]), ["2", "3", "4"]);
        assert_eq!(shown(&[0.0]), ["-1", "0", "1"]);
        assert_eq!(shown(&[0.5, 0.5]), ["0", "1"]);
        let large = shown(&[0.0, 1e30]);
        assert_eq!((&*large[0], &*large[2]), ("0", "2e29"), "{large:?}");
        assert_eq!(shown(&[2e20]), ["1e20", "2e20", "3e20"]);
    }

    #[test]
    fn characters_lie_where_their_points_do() {
        let plot = Plot {
            title: "Diagonal".to_owned(),
            axes: ["n".to_owned(), "value".to_owned()],
            series: vec![Series {
                name: "all".to_owned(),
                points: (0..=10).map(|n| (f64::from(n), f64::from(n))).collect(),
            }],
            ..Plot::default()
        };
        let text = plot.text(40);
        let rows: Vec<&str> = text.lines().filter(|l| l.contains('|')).collect();
        let column = |row: &str| row.find('o');
        // The first row is at the top: the largest value, at the right.
        assert!(column(rows[0]) > column(rows[15]), "{text}");
        assert_eq!(text.matches('o').count(), 11, "{text}");
        assert!(text.lines().all(|l| l.chars().count() <= 40), "{text}");
    }
}
