//! Writes a scene as a `tikzpicture` for a paper. It defines its colours; `\usepackage{tikz}` is all it needs.

use super::scene::{Anchor, Dash, Form, Ink, Item, Scene, corners};
use crate::report::paper::{Format, inline, plain};
use std::collections::BTreeSet;
use std::fmt::Write;

/// Escapes a text for LaTeX.
#[must_use]
pub fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\\' => out.push_str("\\textbackslash{}"),
            '&' | '%' | '$' | '#' | '_' | '{' | '}' => {
                out.push('\\');
                out.push(c);
            }
            '~' => out.push_str("\\textasciitilde{}"),
            '^' => out.push_str("\\textasciicircum{}"),
            '<' | '>' | '|' => {
                let _ = write!(out, "${c}$");
            }
            // Two hyphens would become a dash.
            '-' if out.ends_with('-') => out.push_str("{}-"),
            '×' => out.push_str("$\\times$"),
            '−' => out.push_str("$-$"),
            '·' => out.push_str("$\\cdot$"),
            '±' => out.push_str("$\\pm$"),
            '∗' => out.push_str("$\\ast$"),
            '…' => out.push_str("\\ldots{}"),
            c if c.is_control() => {}
            c => out.push(c),
        }
    }
    out
}

/// A picture as a separate document, cropped to its size.
#[must_use]
pub fn standalone(body: &str) -> String {
    format!(
        "\\documentclass[tikz, border=3pt]{{standalone}}\n\\begin{{document}}\n{body}\\end{{document}}\n"
    )
}

/// Converts pixels with y downwards to points with y upwards.
fn p(at: (f64, f64)) -> String {
    let n = |x: f64| {
        let rounded = (x * 7.5).round() / 10.0;
        if rounded == 0.0 { 0.0 } else { rounded }
    };
    format!("({}, {})", n(at.0), n(-at.1))
}

fn color(ink: Ink) -> Option<String> {
    ink.hex().map(|h| format!("cg{h}"))
}

fn inks(item: &Item) -> Vec<Ink> {
    match item {
        Item::Path { ink, .. } | Item::Text { ink, .. } => vec![*ink],
        Item::Piece { fill, border, .. } | Item::Rectangle { fill, border, .. } => {
            vec![*fill, *border]
        }
    }
}

/// The scene as a `tikzpicture`.
#[must_use]
pub fn tikz(scene: &Scene) -> String {
    let mut out = String::new();
    for line in [&scene.title, &scene.description] {
        let _ = writeln!(out, "% {}", plain(line).replace(['\n', '\r'], " "));
    }
    let used: BTreeSet<String> = scene
        .block
        .items
        .iter()
        .flat_map(inks)
        .filter_map(Ink::hex)
        .collect();
    for hex in used {
        let _ = writeln!(out, "\\definecolor{{cg{hex}}}{{HTML}}{{{hex}}}");
    }
    out.push_str("\\begin{tikzpicture}[x=1pt, y=1pt, font=\\sffamily]\n");
    for item in &scene.block.items {
        write_item(&mut out, item);
    }
    out.push_str("\\end{tikzpicture}\n");
    out
}

fn paint(fill: Ink, border: Ink) -> String {
    let mut all = Vec::new();
    if let Some(c) = color(fill) {
        all.push(format!("fill={c}"));
    }
    if let Some(c) = color(border) {
        all.push(format!("draw={c}"));
    }
    all.join(", ")
}

fn write_item(out: &mut String, item: &Item) {
    match item {
        Item::Path {
            from,
            control,
            to,
            ink,
            width,
            dash,
            arrow,
        } => {
            let mut style = vec![
                color(*ink).unwrap_or_default(),
                format!("line width={}pt", (width * 7.5).round() / 10.0),
            ];
            match dash {
                Dash::Solid => {}
                Dash::Double => style.push("double".to_owned()),
                Dash::Gaps(list) => {
                    let parts: Vec<String> = list
                        .iter()
                        .enumerate()
                        .map(|(i, k)| {
                            format!(
                                "{} {}pt",
                                if i % 2 == 0 { "on" } else { "off" },
                                f64::from(*k) * 0.75
                            )
                        })
                        .collect();
                    style.push(format!("dash pattern={}", parts.join(" ")));
                }
            }
            if *arrow {
                style.push("->".to_owned());
            }
            let middle = control.map_or_else(
                || "--".to_owned(),
                |c| {
                    // A quadratic curve as a cubic curve.
                    let toward = |q: (f64, f64)| {
                        (q.0 + 2.0 / 3.0 * (c.0 - q.0), q.1 + 2.0 / 3.0 * (c.1 - q.1))
                    };
                    format!(".. controls {} and {} ..", p(toward(*from)), p(toward(*to)))
                },
            );
            let _ = writeln!(
                out,
                "  \\draw[{}] {} {middle} {};",
                style.join(", "),
                p(*from),
                p(*to)
            );
        }
        Item::Piece {
            form,
            at,
            radius,
            fill,
            border,
        } => {
            let shape = if *form == Form::Disc {
                format!(
                    "{} circle[radius={}pt]",
                    p(*at),
                    (radius * 7.5).round() / 10.0
                )
            } else {
                let all: Vec<String> = corners(*form, *at, *radius).into_iter().map(p).collect();
                format!("{} -- cycle", all.join(" -- "))
            };
            let _ = writeln!(out, "  \\path[{}] {shape};", paint(*fill, *border));
        }
        Item::Rectangle {
            at,
            size,
            fill,
            border,
        } => {
            let _ = writeln!(
                out,
                "  \\path[{}] {} rectangle {};",
                paint(*fill, *border),
                p(*at),
                p((at.0 + size.0, at.1 + size.1))
            );
        }
        Item::Text {
            at,
            text,
            size,
            ink,
            anchor,
            bold,
            struck,
        } => {
            let place = match anchor {
                Anchor::Start => ", anchor=west",
                Anchor::Middle => "",
                Anchor::End => ", anchor=east",
            };
            let size = size * 0.75;
            let mut shown = inline(text, Format::Latex);
            if *bold {
                shown = format!("\\textbf{{{}}}", shown.replacen('$', "\\boldmath$", 1));
            }
            let _ = writeln!(
                out,
                "  \\node[inner sep=0pt, text={}{place}, font=\\sffamily\\fontsize{{{}}}{{{}}}\\selectfont] (text) at {} {{{shown}}};",
                color(*ink).unwrap_or_default(),
                (size * 10.0).round() / 10.0,
                (size * 12.0).round() / 10.0,
                p(*at)
            );
            if *struck {
                out.push_str("  \\draw (text.west) -- (text.east);\n");
            }
        }
    }
}
