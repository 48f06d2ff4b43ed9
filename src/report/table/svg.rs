//! A table comes in, a picture of it comes out: a square for each value, the darker the smaller, with the value in it, or
//! with a legend below where a few long values fill a large table.

use super::grid;
use crate::claim::Table;
use std::fmt::Write;

/// In a table of more columns than this, few kinds of long values are told by a legend instead.
const MOST_LONG: usize = 8;
/// See [`MOST_LONG`].
const FEW_KINDS: usize = 12;

/// The side of a square.
const SIDE: usize = 28;

/// Colours from dark to light that keep their order in grey and for the colour-blind.
const COLOURS: [(f64, f64, f64); 5] = [
    (68.0, 1.0, 84.0),
    (59.0, 82.0, 139.0),
    (33.0, 145.0, 140.0),
    (94.0, 201.0, 98.0),
    (253.0, 231.0, 37.0),
];

fn colour(part: f64) -> (u8, u8, u8) {
    let x = part.clamp(0.0, 1.0) * (COLOURS.len() - 1) as f64;
    let i = (x as usize).min(COLOURS.len() - 2);
    let t = x - i as f64;
    let mix = |a: f64, b: f64| (a + (b - a) * t).round() as u8;
    let (a, b) = (COLOURS[i], COLOURS[i + 1]);
    (mix(a.0, b.0), mix(a.1, b.1), mix(a.2, b.2))
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

/// The picture; `None` for a table of three or more binders, or one that is mostly empty.
#[must_use]
pub fn heat_map(table: &Table) -> Option<String> {
    let grid = match &table.names[..] {
        [name] => super::Grid {
            corner: [String::new(), name.clone()],
            rows: vec![String::new()],
            columns: table.rows.iter().map(|r| r.keys.concat()).collect(),
            cells: vec![table.rows.iter().map(|r| r.value.clone()).collect()],
        },
        _ => grid(table)?,
    };
    // Numbers by size, other values by the order in which they turn up.
    let mut kinds: Vec<&String> = Vec::new();
    let mut numbers = true;
    for value in grid.cells.iter().flatten().flatten() {
        numbers &= value.parse::<i64>().is_ok();
        if !kinds.contains(&value) {
            kinds.push(value);
        }
        if kinds.len() > 4096 {
            break;
        }
    }
    let size = |value: &String| -> f64 {
        match numbers {
            true => value.parse::<i64>().unwrap_or(0) as f64,
            false => kinds.iter().position(|k| *k == value).unwrap_or(0) as f64,
        }
    };
    let sizes = || grid.cells.iter().flatten().flatten().map(size);
    let (least, most) = (
        sizes().fold(f64::MAX, f64::min),
        sizes().fold(f64::MIN, f64::max),
    );
    let span = if most > least { most - least } else { 1.0 };
    let longest = grid.cells.iter().flatten().flatten().chain(&grid.columns);
    let longest = longest.map(|t| t.chars().count()).max().unwrap_or(1);
    let long = 8 * longest + 8 > SIDE;
    let legend = !numbers && long && grid.columns.len() > MOST_LONG && kinds.len() <= FEW_KINDS;
    let wide = match legend {
        true => {
            let keys = grid.columns.iter().map(|t| t.chars().count());
            SIDE.max(8 * keys.max().unwrap_or(1) + 8)
        }
        false => SIDE.max(8 * longest + 8),
    };
    let label = grid
        .rows
        .iter()
        .map(|t| t.chars().count())
        .max()
        .unwrap_or(1);
    let corner = match grid.corner[0].is_empty() {
        true => grid.corner[1].clone(),
        false => format!("{} \\ {}", grid.corner[0], grid.corner[1]),
    };
    let label = label.max(corner.chars().count());
    let (left, top) = (24 + 8 * label.max(3), 2 * SIDE);
    let title = escaped(
        &table
            .expression
            .split_whitespace()
            .collect::<Vec<_>>()
            .join(" "),
    );
    let below = if legend {
        SIDE / 2 + SIDE * kinds.len()
    } else {
        0
    };
    let bottom = top + SIDE * grid.rows.len();
    // A character is seven and a bit wide.
    let written = |text: &str| 8 * text.chars().count();
    let entries = kinds.iter().map(|k| left + 2 * SIDE + written(k));
    let widest = (left + wide * grid.columns.len()).max(8 + written(&title));
    let width = 8 + match legend {
        true => entries.fold(widest, usize::max),
        false => widest,
    };
    let height = bottom + below + 8;
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" \
         font-family=\"monospace\" font-size=\"12\" role=\"img\">\n<title>{title}</title>\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n<text x=\"8\" y=\"18\">{title}</text>\n"
    );
    let corner = escaped(&corner);
    let line = top - 8;
    let _ = writeln!(
        out,
        "<text x=\"{}\" y=\"{line}\" text-anchor=\"end\">{corner}</text>",
        left - 8
    );
    for (j, key) in grid.columns.iter().enumerate() {
        let x = left + wide * j + wide / 2;
        let _ = writeln!(
            out,
            "<text x=\"{x}\" y=\"{line}\" text-anchor=\"middle\">{}</text>",
            escaped(key)
        );
    }
    for (i, (key, cells)) in grid.rows.iter().zip(&grid.cells).enumerate() {
        let (y, base) = (top + SIDE * i, top + SIDE * i + SIDE / 2 + 4);
        let _ = writeln!(
            out,
            "<text x=\"{}\" y=\"{base}\" text-anchor=\"end\">{}</text>",
            left - 8,
            escaped(key)
        );
        for (j, value) in cells.iter().enumerate() {
            let Some(value) = value else { continue };
            let part = (size(value) - least) / span;
            let (r, g, b) = colour(part);
            let ink = if part > 0.55 { "black" } else { "white" };
            let (x, middle) = (left + wide * j, left + wide * j + wide / 2);
            if legend {
                let _ = writeln!(
                    out,
                    "<rect x=\"{x}\" y=\"{y}\" width=\"{wide}\" height=\"{SIDE}\" fill=\"#{r:02x}{g:02x}{b:02x}\"><title>{}</title></rect>",
                    escaped(value)
                );
                continue;
            }
            let _ = writeln!(
                out,
                "<rect x=\"{x}\" y=\"{y}\" width=\"{wide}\" height=\"{SIDE}\" fill=\"#{r:02x}{g:02x}{b:02x}\"/>\
                 <text x=\"{middle}\" y=\"{base}\" text-anchor=\"middle\" fill=\"{ink}\">{}</text>",
                escaped(value)
            );
        }
    }
    for (i, kind) in kinds.iter().enumerate().filter(|_| legend) {
        let (r, g, b) = colour((size(kind) - least) / span);
        let y = bottom + SIDE / 2 + SIDE * i;
        let (inner, base) = (SIDE - 8, y + SIDE / 2 + 4);
        let _ = writeln!(
            out,
            "<rect x=\"{left}\" y=\"{}\" width=\"{inner}\" height=\"{inner}\" fill=\"#{r:02x}{g:02x}{b:02x}\"/>\
             <text x=\"{}\" y=\"{base}\">{}</text>",
            y + 4,
            left + SIDE,
            escaped(kind)
        );
    }
    out.push_str("</svg>\n");
    Some(out)
}
