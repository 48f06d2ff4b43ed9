//! Writes a figure as a graph in the DOT language, for Graphviz and other programs that read it. Only graphs, digraphs and
//! posets have lines; the cells of a grid become a table, heaps become records.

use super::board::mark_text;
use super::scene::{Dash, Form, Ink, dash, form};
use super::svg::escape as escape_html;
use crate::session::figure::{BoardFigure, Figure, GraphKind, Owner, Spot};
use std::fmt::Write;

/// A text as a DOT string.
#[must_use]
pub fn quote(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => {
                out.push('\\');
                out.push(c);
            }
            '\n' => out.push_str("\\n"),
            c if c.is_control() => {}
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

fn color(owner: Owner) -> String {
    format!("#{}", Ink::Owner(owner).hex().unwrap_or_default())
}

fn words(spot: &Spot) -> String {
    let mut all: Vec<String> = spot.marks.iter().map(mark_text).collect();
    all.extend(spot.notes.iter().cloned());
    all.extend(spot.tokens.iter().map(|t| format!("({t})")));
    all.join(" ")
}

/// The figure in the DOT language.
#[must_use]
pub fn dot(figure: &Figure) -> String {
    let mut out = String::new();
    let directed = figure.terms.iter().any(|t| {
        matches!(
            &t.board,
            BoardFigure::Graph {
                graph: GraphKind::Digraph,
                ..
            }
        )
    });
    let (what, link) = if directed {
        ("digraph", "->")
    } else {
        ("graph", "--")
    };
    let _ = writeln!(out, "{what} {{");
    let _ = writeln!(out, "  label = {};", quote(&figure.text));
    out.push_str(
        "  node [shape=circle, style=filled, fillcolor=white, fontname=\"sans-serif\"];\n",
    );
    for (t, term) in figure.terms.iter().enumerate() {
        let _ = writeln!(out, "  subgraph {} {{", quote(&format!("cluster_{t}")));
        let mut sign = String::new();
        if term.copies != "1" {
            let _ = write!(sign, "{} * ", term.copies);
        }
        if term.negated {
            sign.push('-');
        }
        let caption = format!("{sign}{} {}", term.ruleset, term.captions.join(", "));
        let _ = writeln!(out, "    label = {};", quote(caption.trim_end()));
        match &term.board {
            BoardFigure::Graph {
                graph,
                root,
                nodes,
                lines,
            } => {
                if *graph == GraphKind::Poset || root.is_some() {
                    out.push_str("    rankdir = BT;\n");
                }
                for (v, node) in nodes.iter().enumerate() {
                    let inside = words(&node.spot);
                    let label = if inside.is_empty() {
                        node.label.clone()
                    } else {
                        format!("{}\n{inside}", node.label)
                    };
                    let mut style = vec![format!("label={}", quote(&label))];
                    if *root == Some(v) {
                        style.push("shape=underline".to_owned());
                    } else if let Some(mark) = node.spot.marks.first() {
                        style.push(format!("fillcolor=\"{}\"", color(mark.owner)));
                        style.push(format!("shape={}", shape(form(mark.owner))));
                        if let Some(text) = Ink::On(mark.owner).hex() {
                            style.push(format!("fontcolor=\"#{text}\""));
                        }
                    }
                    let _ = writeln!(out, "    n{t}_{v} [{}];", style.join(", "));
                }
                for line in lines {
                    // DOT places the first vertex of an edge at the bottom of a Hasse diagram.
                    let mut style = Vec::new();
                    let inside = words(&line.spot);
                    if !inside.is_empty() {
                        style.push(format!("label={}", quote(&inside)));
                    }
                    if let Some(mark) = line.spot.marks.first() {
                        style.push(match dash(mark.owner) {
                            Dash::Double => {
                                // Two parallel strokes of the same colour.
                                let c = color(mark.owner);
                                format!("color=\"{c}:invis:{c}\"")
                            }
                            Dash::Solid => format!("color=\"{}\"", color(mark.owner)),
                            Dash::Gaps([2, ..]) => {
                                format!("color=\"{}\", style=dotted", color(mark.owner))
                            }
                            Dash::Gaps(_) => {
                                format!("color=\"{}\", style=dashed", color(mark.owner))
                            }
                        });
                        style.push("penwidth=3".to_owned());
                    }
                    let style = if style.is_empty() {
                        String::new()
                    } else {
                        format!(" [{}]", style.join(", "))
                    };
                    let _ = writeln!(
                        out,
                        "    n{t}_{} {link} n{t}_{}{style};",
                        line.from, line.to
                    );
                }
            }
            BoardFigure::Cells { columns, cells, .. } => {
                let mut table =
                    String::from("<table border=\"0\" cellborder=\"1\" cellspacing=\"0\">");
                for row in cells.chunks((*columns as usize).max(1)) {
                    table.push_str("<tr>");
                    for cell in row {
                        let mut text = escape_html(&words(&cell.spot));
                        let fill = match (cell.wall, cell.spot.marks.first()) {
                            (true, _) => Ink::Wall.hex(),
                            (false, Some(mark)) => {
                                let ink = Ink::On(mark.owner).hex().unwrap_or_default();
                                text = format!("<font color=\"#{ink}\">{text}</font>");
                                Ink::Owner(mark.owner).hex()
                            }
                            (false, None) => None,
                        };
                        let paint = fill.map_or_else(String::new, |h| format!(" bgcolor=\"#{h}\""));
                        let _ = write!(table, "<td width=\"30\" height=\"30\"{paint}>{text}</td>");
                    }
                    table.push_str("</tr>");
                }
                table.push_str("</table>");
                if cells.is_empty() {
                    table = "nothing".to_owned();
                }
                let _ = writeln!(out, "    n{t}_0 [shape=plain, label=<{table}>];");
            }
            BoardFigure::Heaps { heaps, entailed } => {
                for (v, heap) in heaps.iter().enumerate() {
                    let mark = if entailed.contains(&v) { "!" } else { "" };
                    let _ = writeln!(
                        out,
                        "    n{t}_{v} [shape=box, label={}];",
                        quote(&format!("{}{mark}", heap.join(", ")))
                    );
                }
            }
            BoardFigure::Nothing => {
                let _ = writeln!(out, "    n{t}_0 [shape=plain, label=\"\"];");
            }
        }
        out.push_str("  }\n");
    }
    out.push_str("}\n");
    out
}

fn shape(form: Form) -> &'static str {
    match form {
        Form::Disc => "circle",
        Form::Square => "square",
        Form::Diamond => "diamond",
        Form::Polygon(3) => "triangle",
        Form::Polygon(5) => "pentagon",
        Form::Polygon(6) => "hexagon",
        Form::Polygon(_) => "octagon",
    }
}
