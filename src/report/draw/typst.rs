//! Writes a scene as a Typst picture: a box in which everything is placed. It needs only the standard library (Typst 0.13 or
//! later, for `curve`).

use super::scene::{Anchor, Dash, Form, Ink, Item, Scene, corners, text_width};
use crate::report::paper::{Format, inline, plain};
use std::fmt::Write;

/// A picture as a separate document, cropped to its size.
#[must_use]
pub fn standalone(body: &str) -> String {
    format!("#set page(width: auto, height: auto, margin: 3pt)\n{body}")
}

/// Converts pixels to points.
fn pt(x: f64) -> String {
    let rounded = (x * 7.5).round() / 10.0;
    format!("{}pt", if rounded == 0.0 { 0.0 } else { rounded })
}

fn point(at: (f64, f64)) -> String {
    format!("({}, {})", pt(at.0), pt(at.1))
}

fn color(ink: Ink) -> String {
    ink.hex()
        .map_or_else(|| "none".to_owned(), |h| format!("rgb(\"#{h}\")"))
}

/// The scene as an expression of Typst's markup.
#[must_use]
pub fn typst(scene: &Scene) -> String {
    let (w, h) = scene.block.size;
    let mut out = String::new();
    for line in [&scene.title, &scene.description] {
        let _ = writeln!(out, "// {}", plain(line).replace(['\n', '\r'], " "));
    }
    let _ = writeln!(out, "#box(width: {}, height: {})[", pt(w), pt(h));
    for item in &scene.block.items {
        write_item(&mut out, item, (w, h));
    }
    out.push_str("]\n");
    out
}

fn stroke(ink: Ink, width: f64, dash: Dash) -> String {
    let pattern = match dash {
        Dash::Gaps(list) => {
            let all: Vec<String> = list.iter().map(|k| pt(f64::from(*k))).collect();
            format!(", dash: ({},)", all.join(", "))
        }
        Dash::Solid | Dash::Double => String::new(),
    };
    format!("(paint: {}, thickness: {}{pattern})", color(ink), pt(width))
}

fn polygon(out: &mut String, points: &[(f64, f64)], paint: &str) {
    let all: Vec<String> = points.iter().copied().map(point).collect();
    let _ = writeln!(
        out,
        "  #place(top + left, polygon({paint}, {}))",
        all.join(", ")
    );
}

fn write_item(out: &mut String, item: &Item, (w, h): (f64, f64)) {
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
            let mut draw = |ink: Ink, width: f64| {
                let stroke = stroke(ink, width, *dash);
                let shape = match control {
                    None => format!(
                        "line(start: {}, end: {}, stroke: {stroke})",
                        point(*from),
                        point(*to)
                    ),
                    Some(c) => format!(
                        "curve(stroke: {stroke}, curve.move({}), curve.quad({}, {}))",
                        point(*from),
                        point(*c),
                        point(*to)
                    ),
                };
                let _ = writeln!(out, "  #place(top + left, {shape})");
            };
            if *dash == Dash::Double {
                draw(*ink, width * 2.2);
                draw(Ink::Paper, width * 0.7);
            } else {
                draw(*ink, *width);
            }
            if *arrow {
                let head = super::arrow_head(control.unwrap_or(*from), *to);
                polygon(out, &head, &format!("fill: {}", color(*ink)));
            }
        }
        Item::Piece {
            form,
            at,
            radius,
            fill,
            border,
        } => {
            let paint = format!("fill: {}, stroke: 1.1pt + {}", color(*fill), color(*border));
            if *form == Form::Disc {
                let _ = writeln!(
                    out,
                    "  #place(top + left, dx: {}, dy: {}, circle(radius: {}, {paint}))",
                    pt(at.0 - radius),
                    pt(at.1 - radius),
                    pt(*radius)
                );
            } else {
                polygon(out, &corners(*form, *at, *radius), &paint);
            }
        }
        Item::Rectangle {
            at,
            size,
            fill,
            border,
        } => {
            let line = match border {
                Ink::None => "none".to_owned(),
                ink => format!("0.75pt + {}", color(*ink)),
            };
            let _ = writeln!(
                out,
                "  #place(top + left, dx: {}, dy: {}, rect(width: {}, height: {}, fill: {}, stroke: {line}))",
                pt(at.0),
                pt(at.1),
                pt(size.0),
                pt(size.1),
                color(*fill)
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
            // Typst measures a position from the side of the picture at which the text is anchored.
            let (side, dx) = match anchor {
                Anchor::Start => ("left", at.0),
                Anchor::Middle => ("center", at.0 - w / 2.0),
                Anchor::End => ("right", at.0 - w),
            };
            let mut shown = inline(text, Format::Typst);
            if *bold {
                shown = format!("#strong[{shown}]");
            }
            if *struck {
                shown = format!("#strike[{shown}]");
            }
            // Extra room for fonts wider than estimated, so that no line is broken.
            let room = text_width(text, *size) * 1.5 + 8.0;
            let _ = writeln!(
                out,
                "  #place({side} + horizon, dx: {}, dy: {}, box(width: {}, align({side}, text(size: {}, fill: {})[{shown}])))",
                pt(dx),
                pt(at.1 - h / 2.0),
                pt(room),
                pt(*size),
                color(*ink)
            );
        }
    }
}
