//! Draws heaps as a block: a heap with one component is a pile of counters, one with two is a cake with that many rows and
//! columns, one with more is a pile for each component. A pile or side too long to be counted by eye is broken in the middle;
//! the number below gives its size, with `!` where the last move must be answered in this heap.

use super::layout::Point;
use super::scene::{Anchor, Block, Form, Ink, Item, Of, text_width};

/// Larger piles are broken.
const PILE: u64 = 16;
/// Longer sides of a cake are broken.
const SIDE: u64 = 24;
/// The number of elements drawn at a break, at least.
const BROKEN: u64 = 10;
/// The width and height of a counter, including the space around it.
const STEP: f64 = 19.0;
/// The longest side of a cake.
const CAKE: f64 = 180.0;
/// The colour of counters and cakes, which have no owner.
const FILL: Ink = Ink::Rgb([0xD0; 3]);

/// Several things in a row: all drawn, or only the first and last with a break between.
struct Run {
    shown: u64,
    /// The number of things before the break.
    broken: Option<u64>,
}

impl Run {
    /// Takes the size as text, since it may exceed any machine number. A broken run is longer than the longest whole one.
    fn of(size: &str, most: u64, longest: u64) -> Run {
        match whole(size, most) {
            Some(shown) => Run {
                shown,
                broken: None,
            },
            None => {
                let shown = longest.max(BROKEN);
                Run {
                    shown,
                    broken: Some(shown / 2),
                }
            }
        }
    }

    /// The length in steps: a break takes one.
    fn length(&self) -> f64 {
        self.shown as f64 + f64::from(u8::from(self.broken.is_some()))
    }

    /// The middle of the break, in steps.
    fn middle(&self) -> Option<f64> {
        Some(self.broken? as f64 + 0.5)
    }

    /// The positions of the things, in steps.
    fn places(&self) -> impl Iterator<Item = f64> {
        let gap = |i: u64| f64::from(u8::from(self.broken.is_some_and(|n| i >= n)));
        (0..self.shown).map(move |i| i as f64 + gap(i))
    }
}

/// The size, if it is drawn whole.
fn whole(size: &str, most: u64) -> Option<u64> {
    size.parse().ok().filter(|n| *n <= most)
}

/// Two strokes across a row at a break; `across` is half of one stroke.
fn break_mark(block: &mut Block, at: Point, across: Point) {
    let along = (across.1.abs().min(3.0), across.0.abs().min(3.0));
    for side in [-1.0, 1.0] {
        let middle = (at.0 + side * along.0, at.1 + side * along.1);
        // Slanted slightly.
        let end = (across.0 - along.0, across.1 - along.1);
        block.line(
            (middle.0 - end.0, middle.1 - end.1),
            (middle.0 + end.0, middle.1 + end.1),
            Ink::Line,
            1.5,
        );
    }
}

/// Draws a pile on the ground.
fn pile(block: &mut Block, (x, ground): Point, run: &Run) {
    let r = STEP / 2.0 - 0.5;
    for i in run.places() {
        block.items.push(Item::Piece {
            form: Form::Disc,
            at: (x + r, ground - r - 1.0 - i * STEP),
            radius: r,
            fill: FILL,
            border: Ink::Line,
        });
    }
    if let Some(middle) = run.middle() {
        break_mark(block, (x + r, ground - middle * STEP), (r, 0.0));
    }
}

/// The size of the squares of a cake.
fn square(rows: &Run, columns: &Run) -> f64 {
    (CAKE / rows.length().max(columns.length()).max(1.0)).clamp(7.0, 18.0)
}

/// Draws a cake on the ground, cut into squares.
fn cake(block: &mut Block, (x, ground): Point, rows: &Run, columns: &Run) {
    let side = square(rows, columns);
    let (wide, high) = (side * columns.length(), side * rows.length());
    for i in rows.places() {
        for j in columns.places() {
            block.items.push(Item::Rectangle {
                at: (x + side * j, ground - high - 1.0 + side * i),
                size: (side, side),
                fill: FILL,
                border: Ink::Line,
            });
        }
    }
    if let Some(middle) = rows.middle() {
        break_mark(
            block,
            (x + wide / 2.0, ground - high - 1.0 + middle * side),
            (wide / 2.0, 0.0),
        );
    }
    if let Some(middle) = columns.middle() {
        break_mark(
            block,
            (x + middle * side, ground - 1.0 - high / 2.0),
            (0.0, high / 2.0),
        );
    }
}

/// A long number, shortened to its first and last digits.
fn short(size: &str) -> String {
    const ENDS: usize = 8;
    match size.len() {
        digits if digits > 4 * ENDS && size.is_ascii() => format!(
            "{}..{} ({digits} digits)",
            &size[..ENDS],
            &size[digits - ENDS..]
        ),
        _ => size.to_owned(),
    }
}

/// The text below a heap: its size, as it stands in a literal.
pub fn label(sizes: &[String], entailed: bool) -> String {
    let mark = if entailed { "!" } else { "" };
    match sizes {
        [n] => format!("{n}{mark}"),
        all => format!("({}){mark}", all.join(", ")),
    }
}

/// Draws all heaps side by side on a line, with the numbers below.
pub fn heaps(block: &mut Block, heaps: &[Vec<String>], entailed: &[usize]) {
    let sizes = heaps.iter().filter(|h| h.len() != 2).flatten();
    let tallest = sizes.filter_map(|n| whole(n, PILE)).max().unwrap_or(0);
    let piles =
        |heap: &[String]| -> Vec<Run> { heap.iter().map(|n| Run::of(n, PILE, tallest)).collect() };
    // The squares of a cake get smaller as its sides get longer.
    let sides = |heap: &[String]| match heap {
        [rows, columns] => Some((Run::of(rows, SIDE, 0), Run::of(columns, SIDE, 0))),
        _ => None,
    };
    let height = |heap: &Vec<String>| match sides(heap) {
        Some((rows, columns)) => square(&rows, &columns) * rows.length(),
        None => piles(heap).iter().map(Run::length).fold(0.0, f64::max) * STEP,
    };
    let ground = 12.0 + heaps.iter().map(height).fold(STEP, f64::max);
    let mut x = 14.0;
    for (number, heap) in heaps.iter().enumerate() {
        let sizes: Vec<String> = heap.iter().map(|n| short(n)).collect();
        let label = label(&sizes, entailed.contains(&number));
        let wide = match sides(heap) {
            Some((rows, columns)) => square(&rows, &columns) * columns.length(),
            None => (STEP + 3.0) * heap.len() as f64 - 3.0,
        };
        let room = text_width(&label, 12.0).max(wide);
        let start = x + (room - wide) / 2.0;
        match sides(heap) {
            Some((rows, columns)) => cake(block, (start, ground), &rows, &columns),
            None => {
                for (k, run) in piles(heap).iter().enumerate() {
                    pile(block, (start + (STEP + 3.0) * k as f64, ground), run);
                }
            }
        }
        let at = (x + room / 2.0, ground + 12.0);
        block.text(at, label, 12.0, Ink::Line, Anchor::Middle);
        let whole = ground + 20.0;
        let middle = (x + room / 2.0, whole / 2.0);
        block.target(Of::Heap(number), middle, (room + 14.0, whole));
        x += room + 18.0;
    }
    if !heaps.is_empty() {
        block.line((4.0, ground), (x - 8.0, ground), Ink::Line, 1.5);
    }
    block.size = (x, ground + 24.0);
}
