//! Writes a scene as an SVG file: with a title and a description for readers who cannot see it, on white paper, with numbers
//! rounded to a tenth of a pixel.

use super::scene::{Anchor, Dash, Form, Ink, Item, Scene, corners};
use std::fmt::Write;

/// Escapes a text for XML. Characters that XML forbids are left out.
#[must_use]
pub fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\n' | '\t' => out.push(c),
            c if c.is_control() || matches!(c, '\u{FFFE}' | '\u{FFFF}') => {}
            c => out.push(c),
        }
    }
    out
}

fn n(x: f64) -> String {
    let rounded = (x * 10.0).round() / 10.0;
    // Avoids -0.
    format!("{}", if rounded == 0.0 { 0.0 } else { rounded })
}

fn color(ink: Ink) -> String {
    ink.hex()
        .map_or_else(|| "none".to_owned(), |h| format!("#{h}"))
}

/// The scene as an SVG file.
#[must_use]
pub fn svg(scene: &Scene) -> String {
    let (w, h) = (scene.block.size.0.ceil(), scene.block.size.1.ceil());
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {w} {h}\" width=\"{w}\" height=\"{h}\" role=\"img\" aria-labelledby=\"title desc\" font-family=\"sans-serif\">\n"
    );
    let _ = writeln!(
        out,
        "  <title id=\"title\">{}</title>",
        escape(&scene.title)
    );
    let _ = writeln!(
        out,
        "  <desc id=\"desc\">{}</desc>",
        escape(&scene.description)
    );
    let _ = writeln!(
        out,
        "  <rect width=\"{w}\" height=\"{h}\" fill=\"#FFFFFF\"/>"
    );
    for item in &scene.block.items {
        write_item(&mut out, item);
    }
    out.push_str("</svg>\n");
    out
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
            let bend =
                control.map_or_else(|| "L".to_owned(), |c| format!("Q {} {},", n(c.0), n(c.1)));
            let d = format!(
                "M {} {} {bend} {} {}",
                n(from.0),
                n(from.1),
                n(to.0),
                n(to.1)
            );
            let style = match dash {
                Dash::Gaps(list) => {
                    let list: Vec<String> = list.iter().map(ToString::to_string).collect();
                    format!(" stroke-dasharray=\"{}\"", list.join(" "))
                }
                _ => String::new(),
            };
            let full = if *dash == Dash::Double {
                width * 2.2
            } else {
                *width
            };
            let _ = writeln!(
                out,
                "  <path d=\"{d}\" fill=\"none\" stroke=\"{}\" stroke-width=\"{}\"{style}/>",
                color(*ink),
                n(full)
            );
            if *dash == Dash::Double {
                let _ = writeln!(
                    out,
                    "  <path d=\"{d}\" fill=\"none\" stroke=\"#FFFFFF\" stroke-width=\"{}\"/>",
                    n(width * 0.7)
                );
            }
            if *arrow {
                let points: Vec<String> = super::arrow_head(control.unwrap_or(*from), *to)
                    .iter()
                    .map(|p| format!("{},{}", n(p.0), n(p.1)))
                    .collect();
                let _ = writeln!(
                    out,
                    "  <polygon points=\"{}\" fill=\"{}\"/>",
                    points.join(" "),
                    color(*ink)
                );
            }
        }
        Item::Piece {
            form,
            at,
            radius,
            fill,
            border,
        } => {
            let paint = format!(
                "fill=\"{}\" stroke=\"{}\" stroke-width=\"1.5\"",
                color(*fill),
                color(*border)
            );
            if *form == Form::Disc {
                let _ = writeln!(
                    out,
                    "  <circle cx=\"{}\" cy=\"{}\" r=\"{}\" {paint}/>",
                    n(at.0),
                    n(at.1),
                    n(*radius)
                );
            } else {
                let points: Vec<String> = corners(*form, *at, *radius)
                    .iter()
                    .map(|p| format!("{},{}", n(p.0), n(p.1)))
                    .collect();
                let _ = writeln!(out, "  <polygon points=\"{}\" {paint}/>", points.join(" "));
            }
        }
        Item::Rectangle {
            at,
            size,
            fill,
            border,
        } => {
            let _ = writeln!(
                out,
                "  <rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"{}\" stroke=\"{}\"/>",
                n(at.0),
                n(at.1),
                n(size.0),
                n(size.1),
                color(*fill),
                color(*border)
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
            let anchor = match anchor {
                Anchor::Start => "start",
                Anchor::Middle => "middle",
                Anchor::End => "end",
            };
            let bold = if *bold { " font-weight=\"bold\"" } else { "" };
            let struck = if *struck {
                " text-decoration=\"line-through\""
            } else {
                ""
            };
            // The middle of capital letters is about a third of the size above the base line.
            let _ = writeln!(
                out,
                "  <text x=\"{}\" y=\"{}\" font-size=\"{}\" text-anchor=\"{anchor}\" fill=\"{}\"{bold}{struck}>{}</text>",
                n(at.0),
                n(at.1 + size * 0.35),
                n(*size),
                color(*ink),
                escape(text)
            );
        }
    }
}
