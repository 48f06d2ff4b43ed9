//! Draws figures of positions ([`crate::session::figure`]): SVG for a page, TikZ and Typst for a paper, DOT for other
//! programs, characters for a terminal.
//!
//! Grids look like matrices, heaps are piles, posets are drawn in layers with greater elements above (Hasse), and Hackenbush
//! stands on its ground (*Winning Ways*, chapter 1).

mod board;
mod canvas;
mod captions;
mod coordinates;
mod dot;
mod graph;
mod graph_text;
mod heaps;
pub mod histogram;
pub mod layout;
pub mod plot;
pub mod scene;
mod svg;
mod text;
mod thermograph;
mod tikz;
mod tree;
mod typst;

pub use dot::dot;
pub use svg::{escape, svg};
pub use text::{numbered, painted, pictured, text};
pub use thermograph::{thermograph, walls};
pub use tikz::{escape as escape_latex, standalone, tikz};
pub use tree::{tree_dot, tree_scene, tree_text};
pub use typst::{standalone as standalone_typst, typst};

use crate::session::figure::{BoardFigure, Figure, GraphKind, Owner, Spot, TermFigure};
use scene::{Anchor, Block, Dash, Ink, Item, Scene, dash, form, in_words};

/// The length of the head of an arrow.
const HEAD: f64 = 9.0;
/// The greatest width of terms side by side.
const WIDEST: f64 = 900.0;

/// The picture of a figure.
#[must_use]
pub fn scene(figure: &Figure) -> Scene {
    let mut all = assembled(figure, true);
    all.fit(10.0);
    legend(figure, &mut all);
    Scene {
        block: all,
        title: figure.text.clone(),
        description: describe(figure),
    }
}

/// The terms of a figure side by side, without a legend; with `sides`, the cells of grids are labelled.
fn assembled(figure: &Figure, sides: bool) -> Block {
    let mut all = Block::default();
    let (mut x, mut y, mut row) = (0.0, 0.0, 0.0f64);
    for (i, term) in figure.terms.iter().enumerate() {
        let (mut body, lines) = board::block(term, sides);
        for target in &mut body.targets {
            target.term = i;
        }
        let mut block = Block::default();
        let mut sign = String::new();
        if i > 0 {
            sign.push(figure.sign());
        }
        if term.copies != "1" {
            sign.push_str(&format!(" {} ×", term.copies));
        }
        if term.negated {
            sign.push_str(" −");
        }
        let sign = sign.trim().to_owned();
        let lead = if sign.is_empty() {
            0.0
        } else {
            scene::text_width(&sign, 20.0) + 10.0
        };
        let height = body.size.1;
        if !sign.is_empty() {
            block.text(
                (lead / 2.0, height / 2.0),
                sign,
                20.0,
                Ink::Line,
                Anchor::Middle,
            );
        }
        let width = body.size.0;
        block.place(body, (lead, 0.0));
        for (k, line) in lines.iter().enumerate() {
            let at = (lead + width / 2.0, height + 10.0 + 16.0 * k as f64);
            block.text(at, line, 12.0, Ink::Faint, Anchor::Middle);
            let w = scene::text_width(line, 12.0);
            block.size.0 = block.size.0.max(at.0 + w / 2.0 + 4.0);
            block.size.1 = block.size.1.max(at.1 + 10.0);
        }
        if x > 0.0 && x + block.size.0 > WIDEST {
            (x, y, row) = (0.0, y + row + 12.0, 0.0);
        }
        let size = block.size;
        all.place(block, (x, y));
        x += size.0 + 12.0;
        row = row.max(size.1);
    }
    if figure.terms.is_empty() {
        all.text((20.0, 20.0), "0", 20.0, Ink::Line, Anchor::Middle);
    }
    all
}

fn spots(term: &TermFigure) -> Vec<(&Spot, bool)> {
    match &term.board {
        BoardFigure::Cells { cells, .. } => cells.iter().map(|c| (&c.spot, false)).collect(),
        BoardFigure::Graph { nodes, lines, .. } => nodes
            .iter()
            .map(|n| (&n.spot, false))
            .chain(lines.iter().map(|l| (&l.spot, true)))
            .collect(),
        BoardFigure::Heaps { .. } | BoardFigure::Nothing => Vec::new(),
    }
}

/// The legend for cells that a player took, listed with the names of pieces.
const TAKEN: &str = "took";

/// The players who took cells.
fn takers(term: &TermFigure) -> Vec<Owner> {
    match &term.board {
        BoardFigure::Cells { taken, .. } => taken.iter().map(|t| t.owner).collect(),
        _ => Vec::new(),
    }
}

/// The visible owners, with the names of their pieces, and whether these are on sites and on lines.
fn owners(figure: &Figure) -> Vec<(Owner, Vec<String>, bool, bool)> {
    let mut all: Vec<(Owner, Vec<String>, bool, bool)> = Vec::new();
    for (spot, on_line) in figure.terms.iter().flat_map(spots) {
        for mark in &spot.marks {
            let at = match all.iter().position(|o| o.0 == mark.owner) {
                Some(at) => at,
                None => {
                    all.push((mark.owner, Vec::new(), false, false));
                    all.len() - 1
                }
            };
            let (_, names, sites, lines) = &mut all[at];
            if !names.contains(&mark.glyph) {
                names.push(mark.glyph.clone());
            }
            *sites |= !on_line;
            *lines |= on_line;
        }
    }
    for owner in figure.terms.iter().flat_map(takers) {
        match all.iter_mut().find(|o| o.0 == owner) {
            Some(o) if o.1.iter().any(|n| n == TAKEN) => {}
            Some(o) => {
                o.1.push(TAKEN.to_owned());
                o.2 = true;
            }
            None => all.push((owner, vec![TAKEN.to_owned()], true, false)),
        }
    }
    let rank = |o: Owner| match o {
        Owner::Player(p) => u16::from(p),
        Owner::Shared => 300,
        Owner::Nobody => 301,
    };
    all.sort_by_key(|o| rank(o.0));
    for o in &mut all {
        o.1.sort();
    }
    all
}

/// The owner of something, in words.
fn whose(figure: &Figure, owner: Owner) -> String {
    match owner {
        Owner::Player(p) => figure
            .players
            .get(usize::from(p))
            .cloned()
            .unwrap_or_else(|| format!("player {}", p + 1)),
        Owner::Shared => "shared".to_owned(),
        Owner::Nobody => "nobody's".to_owned(),
    }
}

/// Adds a line below the picture that explains who owns what.
fn legend(figure: &Figure, all: &mut Block) {
    let owners = owners(figure);
    if owners.is_empty() {
        return;
    }
    let y = all.size.1 + 6.0;
    let mut x = 14.0;
    for (owner, names, sites, lines) in owners {
        if lines {
            all.items.push(Item::Path {
                from: (x, y),
                control: None,
                to: (x + 30.0, y),
                ink: Ink::Owner(owner),
                width: 3.0,
                dash: dash(owner),
                arrow: false,
            });
            x += 36.0;
        }
        if sites {
            all.items.push(Item::Piece {
                form: form(owner),
                at: (x + 6.0, y),
                radius: 6.0,
                fill: Ink::Owner(owner),
                border: Ink::Line,
            });
            x += 18.0;
        }
        // A player whose only piece has the player's name is named once.
        let mut text = whose(figure, owner);
        if names != [text.clone()] {
            text = format!("{text} {}", names.join(", "));
        }
        let w = scene::text_width(&text, 11.0);
        all.text((x, y), text, 11.0, Ink::Faint, Anchor::Start);
        x += w + 16.0;
    }
    all.size = (all.size.0.max(x), y + 12.0);
}

/// A description of a picture in words.
#[must_use]
pub fn describe(figure: &Figure) -> String {
    let count = |n: usize, one: &str, many: &str| match n {
        1 => format!("1 {one}"),
        n => format!("{n} {many}"),
    };
    let mut parts = Vec::new();
    for term in &figure.terms {
        let mut text = match &term.board {
            BoardFigure::Cells {
                rows,
                columns,
                strip,
                ..
            } => {
                if *strip {
                    format!("a strip of {}", count(*columns as usize, "cell", "cells"))
                } else {
                    format!(
                        "a grid of {} and {}",
                        count(*rows as usize, "row", "rows"),
                        count(*columns as usize, "column", "columns")
                    )
                }
            }
            BoardFigure::Heaps { heaps, .. } => count(heaps.len(), "heap", "heaps"),
            BoardFigure::Graph {
                graph,
                root,
                nodes,
                lines,
            } => {
                let (what, node, nodes_, line, lines_) = match graph {
                    GraphKind::Graph => ("a graph", "vertex", "vertices", "edge", "edges"),
                    GraphKind::Digraph => ("a digraph", "vertex", "vertices", "arc", "arcs"),
                    GraphKind::Poset => (
                        "a poset",
                        "element",
                        "elements",
                        "covering relation",
                        "covering relations",
                    ),
                };
                let mut text = format!(
                    "{what} with {} and {}",
                    count(nodes.len(), node, nodes_),
                    count(lines.len(), line, lines_)
                );
                if root.is_some() {
                    text.push_str(", on the ground");
                }
                text
            }
            BoardFigure::Nothing => "no board".to_owned(),
        };
        if !term.captions.is_empty() {
            text.push_str(&format!(" ({})", term.captions.join(", ")));
        }
        let mut sign = String::new();
        if term.negated {
            sign.push_str("the negative of ");
        }
        if term.copies != "1" {
            sign.push_str(&format!("{} copies of ", term.copies));
        }
        parts.push(format!("{sign}{}: {text}", term.ruleset));
    }
    if parts.is_empty() {
        return "The empty sum.".to_owned();
    }
    let mut text = format!("{}.", parts.join("; "));
    for (owner, names, sites, lines) in owners(figure) {
        let (color, forms, strokes) = in_words(owner);
        let mut shown = Vec::new();
        if sites {
            shown.push(forms);
        }
        if lines {
            shown.push(strokes);
        }
        text.push_str(&format!(
            " {}: {} ({color}, {}).",
            whose(figure, owner),
            names.join(", "),
            shown.join(" and ")
        ));
    }
    text
}

/// A line in a neutral style.
fn plain(from: layout::Point, to: layout::Point, ink: Ink, width: f64) -> Item {
    Item::Path {
        from,
        control: None,
        to,
        ink,
        width,
        dash: Dash::Solid,
        arrow: false,
    }
}

/// The corners of the head of an arrow that ends at `to` and comes from `from`.
fn arrow_head(from: layout::Point, to: layout::Point) -> [layout::Point; 3] {
    let (dx, dy) = (to.0 - from.0, to.1 - from.1);
    let length = (dx * dx + dy * dy).sqrt().max(1e-9);
    let (ux, uy) = (dx / length, dy / length);
    let back = (to.0 - HEAD * ux, to.1 - HEAD * uy);
    [
        to,
        (back.0 - 4.0 * uy, back.1 + 4.0 * ux),
        (back.0 + 4.0 * uy, back.1 - 4.0 * ux),
    ]
}
