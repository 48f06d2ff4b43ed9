//! A tree of positions comes in; text, a picture, or DOT comes out. Canonical options are bold, dominated ones struck, and
//! reversible ones bear the value of the reply.

use super::assembled;
use super::dot::quote;
use super::layout::{Graph, layered};
use super::scene::{Anchor, Block, Dash, Ink, Item, Scene, dash, seen, text_width};
use crate::claim::MARKS;
use crate::session::figure::Owner;
use crate::session::tree::{Edge, Node, Status, Tree};
use std::fmt::Write;

/// The most lines of a board in a node.
const LINES: usize = 8;
/// The most characters of a line in a node.
const WIDE: usize = 28;
/// A drawn node is at most so wide and high,
const ROOM: (f64, f64) = (150.0, 110.0);
/// and not drawn at a smaller scale.
const SMALLEST: f64 = 0.35;

/// A long text is cut; of a marked one, which is in LaTeX, nothing is left that would end in the middle of a command.
fn short(text: &str, most: usize) -> String {
    if seen(text) <= most {
        return text.to_owned();
    }
    if text.contains(MARKS[0]) {
        return "..".to_owned();
    }
    let cut: String = text.chars().take(most.saturating_sub(2)).collect();
    format!("{cut}..")
}

fn note(status: &Status) -> String {
    match status {
        Status::Canonical | Status::Plain => String::new(),
        Status::Dominated { by } => format!("  (dominated by {by})"),
        Status::Reversible { reply } => format!("  (reversible through {reply})"),
    }
}

/// The tree as text: each option below its position, further in; a position that has been shown is not shown again.
#[must_use]
pub fn tree_text(tree: &Tree, color: bool) -> String {
    let mut out = String::new();
    let mut shown = vec![false; tree.nodes.len()];
    let mut children: Vec<Vec<&Edge>> = vec![Vec::new(); tree.nodes.len()];
    for edge in &tree.edges {
        children[edge.from].push(edge);
    }
    // Node, depth, the option that leads to it.
    let mut stack: Vec<(usize, usize, Option<&Edge>)> = vec![(0, 0, None)];
    while let Some((v, depth, edge)) = stack.pop() {
        let Some(node) = tree.nodes.get(v) else {
            continue;
        };
        let value = node
            .value
            .as_ref()
            .map_or_else(String::new, |v| format!("  = {v}"));
        let mut text = format!("{}{value}", node.picture.text);
        let again = std::mem::replace(&mut shown[v], true) && !children[v].is_empty();
        if let Some(edge) = edge {
            let sign = match edge.status {
                Status::Canonical => '*',
                Status::Dominated { .. } => '-',
                Status::Reversible { .. } => '~',
                Status::Plain => ' ',
            };
            if color {
                text = match edge.status {
                    Status::Canonical => format!("\x1b[1m{text}\x1b[0m"),
                    Status::Dominated { .. } => format!("\x1b[9;2m{text}\x1b[0m"),
                    _ => text,
                };
            }
            let name = tree
                .players
                .get(usize::from(edge.player))
                .map_or("", String::as_str);
            text = format!("{sign} {name}: {text}{}", note(&edge.status));
        }
        if again {
            text.push_str("  (above)");
        }
        let _ = writeln!(out, "{:1$}{text}", "", 4 * depth);
        if !again {
            for edge in children[v].iter().rev() {
                stack.push((edge.to, depth + 1, Some(edge)));
            }
        }
    }
    out
}

/// The tree in the DOT language.
#[must_use]
pub fn tree_dot(tree: &Tree) -> String {
    let mut out = String::from("digraph {\n  node [shape=box, fontname=\"monospace\"];\n");
    for (v, node) in tree.nodes.iter().enumerate() {
        let mut label = node.picture.drawing.join("\n");
        if let Some(value) = &node.value {
            label = format!("{label}\n{value}");
        }
        let _ = writeln!(out, "  n{v} [label={}];", quote(&label));
    }
    for edge in &tree.edges {
        let color = Ink::Owner(Owner::Player(edge.player))
            .hex()
            .unwrap_or("222222");
        let mut style = vec![format!("color=\"#{color}\"")];
        match &edge.status {
            Status::Canonical => style.push("penwidth=3".to_owned()),
            Status::Dominated { by } => {
                style.push(format!("style=dotted, label={}", quote(&format!("< {by}"))));
            }
            Status::Reversible { reply } => {
                style.push(format!(
                    "style=dashed, label={}",
                    quote(&format!("~ {reply}"))
                ));
            }
            Status::Plain => {}
        }
        let _ = writeln!(
            out,
            "  n{} -> n{} [{}];",
            edge.from,
            edge.to,
            style.join(", ")
        );
    }
    out.push_str("}\n");
    out
}

/// The position of a node: drawn small, or in characters where it would be too small to be seen.
enum Board {
    Drawn(Block),
    Written(Vec<String>),
}

impl Board {
    fn of(node: &Node) -> Board {
        let drawn = node.picture.figure.as_deref().map(|figure| {
            let mut block = assembled(figure);
            block.fit(1.0);
            block
        });
        if let Some(block) = drawn {
            let scale = (ROOM.0 / block.size.0).min(ROOM.1 / block.size.1).min(0.7);
            if scale >= SMALLEST {
                return Board::Drawn(block.scaled(scale));
            }
        }
        let lines = node.picture.drawing.iter().take(LINES);
        Board::Written(lines.map(|l| short(l, WIDE)).collect())
    }

    fn size(&self) -> (f64, f64) {
        match self {
            Board::Drawn(block) => block.size,
            Board::Written(lines) => (
                lines.iter().map(|l| text_width(l, 9.0)).fold(0.0, f64::max),
                11.0 * lines.len() as f64,
            ),
        }
    }
}

/// The tree as a picture: the start above, Left's options in blue solid lines, Right's in vermilion dashed ones; canonical
/// options thick and bold, dominated ones thin and struck, reversible ones with the reply.
#[must_use]
pub fn tree_scene(tree: &Tree) -> Scene {
    let boards: Vec<Board> = tree.nodes.iter().map(Board::of).collect();
    let widest = boards
        .iter()
        .map(|b| b.size().0)
        .chain(
            tree.nodes
                .iter()
                .filter_map(|n| n.value.as_ref())
                .map(|v| seen(&short(v, WIDE)) as f64 * 12.0 * 0.62),
        )
        .fold(40.0, f64::max);
    let tallest = boards.iter().map(|b| b.size().1).fold(12.0, f64::max) + 26.0;
    let (across, down) = (widest + 26.0, tallest + 56.0);
    let graph = Graph {
        nodes: tree.nodes.len(),
        lines: tree.edges.iter().map(|e| (e.from, e.to)).collect(),
    };
    let rank = graph
        .ranks()
        .unwrap_or_else(|| tree.nodes.iter().map(|n| n.level).collect());
    let at = layered(&graph, &rank);
    let mut block = Block::default();
    for edge in &tree.edges {
        let owner = Owner::Player(edge.player);
        let (a, b) = (at[edge.from], at[edge.to]);
        // Left's options leave to the left of the middle, Right's to the right.
        let side = if edge.player == 0 { -8.0 } else { 8.0 };
        let from = (a.0 * across + side, a.1 * down + tallest / 2.0);
        let to = (b.0 * across + side, b.1 * down - tallest / 2.0);
        let (width, ink) = match edge.status {
            Status::Canonical => (3.0, Ink::Owner(owner)),
            Status::Plain => (2.0, Ink::Owner(owner)),
            Status::Reversible { .. } => (1.5, Ink::Owner(owner)),
            Status::Dominated { .. } => (1.0, Ink::Owner(Owner::Nobody)),
        };
        block.items.push(Item::Path {
            from,
            control: None,
            to,
            ink,
            width,
            dash: match dash(owner) {
                Dash::Double => Dash::Solid,
                d => d,
            },
            arrow: false,
        });
        if let Status::Reversible { reply } = &edge.status {
            let middle = (from.0 * 0.4 + to.0 * 0.6, from.1 * 0.4 + to.1 * 0.6);
            block.text_on_line(middle, format!("~ {}", short(reply, 12)), 10.0);
        }
    }
    for (v, board) in boards.into_iter().enumerate() {
        let middle = (at[v].0 * across, at[v].1 * down);
        block.items.push(Item::Rectangle {
            at: (middle.0 - widest / 2.0 - 6.0, middle.1 - tallest / 2.0),
            size: (widest + 12.0, tallest),
            fill: Ink::Paper,
            border: Ink::Faint,
        });
        let (w, h) = board.size();
        // Above the value, in the middle of what is left.
        let top = middle.1 - tallest / 2.0 + (tallest - 22.0 - h) / 2.0 + 2.0;
        match board {
            Board::Drawn(drawn) => block.place(drawn, (middle.0 - w / 2.0, top)),
            Board::Written(lines) => {
                for (k, line) in lines.into_iter().enumerate() {
                    let at = (middle.0, top + 5.0 + 11.0 * k as f64);
                    block.text(at, line, 9.0, Ink::Faint, Anchor::Middle);
                }
            }
        }
        let into: Vec<&Edge> = tree.edges.iter().filter(|e| e.to == v).collect();
        let dominated = |e: &&Edge| matches!(e.status, Status::Dominated { .. });
        if let Some(value) = &tree.nodes[v].value {
            block.items.push(Item::Text {
                at: (middle.0, middle.1 + tallest / 2.0 - 10.0),
                text: short(value, WIDE),
                size: 12.0,
                ink: Ink::Line,
                anchor: Anchor::Middle,
                bold: into.is_empty() || into.iter().any(|e| e.status == Status::Canonical),
                struck: !into.is_empty() && into.iter().all(dominated),
            });
        }
    }
    block.fit(10.0);
    let start = tree.nodes.first().map_or("", |n| n.picture.text.as_str());
    Scene {
        block,
        title: format!("{start}, {} moves deep", tree.depth),
        description: format!(
            "{} positions and {} options. Left's options are blue solid lines, Right's vermilion dashed ones; canonical options thick, with the value in bold; dominated ones thin and grey, the value struck; reversible ones with the value of the reply.",
            tree.nodes.len(),
            tree.edges.len()
        ),
    }
}
