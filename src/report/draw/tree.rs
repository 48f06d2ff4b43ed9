//! Draws a tree of positions as text, as a picture, or in DOT. Canonical options are bold, dominated ones are struck through,
//! and reversible ones show the value of the reply.

use super::assembled;
use super::dot::quote;
use super::layout::{Graph, Point, layered};
use super::scene::{Anchor, Block, Dash, Ink, Item, Scene, dash, in_words, seen, text_width};
use crate::base::visible::ink;
use crate::claim::MARKS;
use crate::session::figure::Owner;
use crate::session::tree::{Edge, Node, Status, Tree};
use std::fmt::Write;

/// The most lines of a board in a node.
const LINES: usize = 8;
/// The most characters of a line in a node.
const WIDE: usize = 28;
/// The height of letters.
const TEXT: f64 = 12.0;
/// The largest width and height of a drawn node,
const ROOM: (f64, f64) = (180.0, 140.0);
/// and its smallest scale: below it, letters on pieces are too small to read.
const SMALLEST: f64 = 0.55;
/// A tree that would be wider than this grows to the right instead.
const WIDEST: f64 = 1400.0;

/// Shortens a long text. A marked text, which is in LaTeX, is dropped rather than cut in the middle of a command.
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

/// The tree as text: each option is indented below its position. A position that was shown before is not shown again, and a
/// return to an earlier position of the same line of play is noted.
#[must_use]
pub fn tree_text(tree: &Tree, color: bool) -> String {
    let mut out = String::new();
    let mut shown = vec![false; tree.nodes.len()];
    let mut children: Vec<Vec<&Edge>> = vec![Vec::new(); tree.nodes.len()];
    for edge in &tree.edges {
        children[edge.from].push(edge);
    }
    // Node, depth, and the option that leads to it.
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
                    Status::Canonical => ink("1", &text),
                    Status::Dominated { .. } => ink("9;38;5;243", &text),
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
            let round = edge.is_some_and(|e| e.cycle);
            text.push_str(if round {
                "  (above: play goes round)"
            } else {
                "  (above)"
            });
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
            .unwrap_or_default();
        let mut style = vec![format!("color=\"#{color}\"")];
        let name = tree.players.get(usize::from(edge.player));
        let mut label = name.cloned().unwrap_or_default();
        match &edge.status {
            Status::Canonical => style.push("penwidth=3".to_owned()),
            Status::Dominated { by } => {
                style.push("style=dotted".to_owned());
                label.push_str(&format!(" < {by}"));
            }
            Status::Reversible { reply } => {
                style.push("style=dashed".to_owned());
                label.push_str(&format!(" ~ {reply}"));
            }
            Status::Plain => {}
        }
        if edge.cycle {
            label.push_str(" (cycle)");
        }
        style.push(format!("label={}", quote(&label)));
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

/// The board of a node: a small drawing, or characters where the drawing would be illegible.
enum Board {
    Drawn(Block),
    Written(Vec<String>),
}

impl Board {
    fn of(node: &Node) -> Board {
        let drawn = node.picture.figure.as_deref().map(|figure| {
            let mut block = assembled(figure, false);
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
                lines
                    .iter()
                    .map(|l| text_width(l, TEXT))
                    .fold(0.0, f64::max),
                (TEXT + 2.0) * lines.len() as f64,
            ),
        }
    }
}

/// The places of the nodes, all in fields of the same size.
struct Places {
    at: Vec<Point>,
    /// The width and height of a field.
    field: Point,
    /// Whether the tree grows to the right.
    sideways: bool,
    /// The number of players.
    players: usize,
}

impl Places {
    fn of(tree: &Tree, boards: &[Board]) -> Places {
        let values = tree.nodes.iter().filter_map(|n| n.value.as_ref());
        let values = values.map(|v| text_width(&short(v, WIDE), TEXT));
        let widest = boards.iter().map(|b| b.size().0).chain(values);
        let tallest = boards.iter().map(|b| b.size().1).fold(TEXT, f64::max);
        let field = (widest.fold(40.0, f64::max) + 12.0, tallest + 28.0);
        let graph = Graph {
            nodes: tree.nodes.len(),
            lines: tree.edges.iter().map(|e| (e.from, e.to)).collect(),
        };
        let rank = graph
            .ranks()
            .unwrap_or_else(|| tree.nodes.iter().map(|n| n.level).collect());
        let layers = layered(&graph, &rank);
        let across = |f: fn(f64, f64) -> f64, start: f64| layers.iter().map(|p| p.0).fold(start, f);
        let extent = across(f64::max, 0.0) - across(f64::min, 0.0);
        let sideways = extent * (field.0 + 16.0) > WIDEST;
        // Lines with a large rise need room to be distinguished.
        let room = (extent * field.1 * 0.12).clamp(110.0, 500.0);
        let place = |p: &Point| match sideways {
            true => (p.1 * (field.0 + room), p.0 * (field.1 + 14.0)),
            false => (p.0 * (field.0 + 16.0), p.1 * (field.1 + 60.0)),
        };
        Places {
            at: layers.iter().map(place).collect(),
            field,
            sideways,
            players: tree.players.len(),
        }
    }

    /// The ends of the line of an option. The players' options leave side by side, in the order of turns; an option back to
    /// an earlier layer leaves on the other side.
    fn ends(&self, edge: &Edge) -> (Point, Point) {
        let (a, b) = (self.at[edge.from], self.at[edge.to]);
        let gaps = self.players.max(2) - 1;
        let side = 16.0 * f64::from(edge.player) / gaps as f64 - 8.0;
        let (mut w, mut h) = (self.field.0 / 2.0, self.field.1 / 2.0);
        let back = match self.sideways {
            true => b.0 < a.0,
            false => b.1 < a.1,
        };
        if back {
            (w, h) = (-w, -h);
        }
        match self.sideways {
            true => ((a.0 + w, a.1 + side), (b.0 - w, b.1 + side)),
            false => ((a.0 + side, a.1 + h), (b.0 + side, b.1 - h)),
        }
    }
}

/// The width and colour of an option.
fn pen(edge: &Edge) -> (f64, Ink) {
    let owner = Owner::Player(edge.player);
    match edge.status {
        Status::Canonical => (3.0, Ink::Owner(owner)),
        Status::Plain => (2.0, Ink::Owner(owner)),
        Status::Reversible { .. } => (1.5, Ink::Owner(owner)),
        Status::Dominated { .. } => (1.0, Ink::Owner(Owner::Nobody)),
    }
}

fn line(
    block: &mut Block,
    (from, to): (Point, Point),
    (width, ink): (f64, Ink),
    player: u8,
    arrow: bool,
) {
    block.items.push(Item::Path {
        from,
        control: None,
        to,
        ink,
        width,
        dash: match dash(Owner::Player(player)) {
            Dash::Double => Dash::Solid,
            d => d,
        },
        arrow,
    });
}

/// The tree as a picture, with a legend below: Left's options in blue solid lines, Right's in vermilion dashed ones;
/// canonical options are thick and bold, dominated ones thin and struck through, reversible ones show the reply.
#[must_use]
pub fn tree_scene(tree: &Tree) -> Scene {
    let boards: Vec<Board> = tree.nodes.iter().map(Board::of).collect();
    let places = Places::of(tree, &boards);
    let mut block = Block::default();
    for (i, edge) in tree.edges.iter().enumerate() {
        let (from, to) = places.ends(edge);
        line(&mut block, (from, to), pen(edge), edge.player, edge.cycle);
        if let Status::Reversible { reply } = &edge.status {
            // Beside the line of another player to the same position its sign stands a little higher.
            let labelled = |e: &&Edge| {
                (e.from, e.to) == (edge.from, edge.to)
                    && matches!(e.status, Status::Reversible { .. })
            };
            let before = tree.edges[..i].iter().filter(labelled).count();
            let far = 0.6 - 0.18 * before as f64;
            let between = |a: f64, b: f64| a * (1.0 - far) + b * far;
            let middle = (between(from.0, to.0), between(from.1, to.1));
            block.text_on_line(middle, format!("~ {}", short(reply, 12)), 11.0);
        }
    }
    for (v, board) in boards.into_iter().enumerate() {
        node(&mut block, tree, v, board, &places);
    }
    block.fit(10.0);
    legend(&mut block, tree);
    let start = tree.nodes.first().map_or("", |n| n.picture.text.as_str());
    Scene {
        block,
        title: format!("{start}, {} moves deep", tree.depth),
        description: format!(
            "{} positions and {} options. {}",
            tree.nodes.len(),
            tree.edges.len(),
            signs(tree)
        ),
    }
}

fn node(block: &mut Block, tree: &Tree, v: usize, board: Board, places: &Places) {
    let (middle, (wide, high)) = (places.at[v], places.field);
    let top = middle.1 - high / 2.0;
    block.items.push(Item::Rectangle {
        at: (middle.0 - wide / 2.0, top),
        size: places.field,
        fill: Ink::Paper,
        border: Ink::Faint,
    });
    let (w, h) = board.size();
    // Above the value, centred in the remaining room.
    let top = top + (high - 22.0 - h) / 2.0 + 2.0;
    match board {
        Board::Drawn(drawn) => block.place(drawn, (middle.0 - w / 2.0, top)),
        Board::Written(lines) => {
            for (k, line) in lines.into_iter().enumerate() {
                let at = (middle.0, top + (TEXT + 2.0) * (k as f64 + 0.5));
                block.text(at, line, TEXT, Ink::Faint, Anchor::Middle);
            }
        }
    }
    let into: Vec<&Edge> = tree.edges.iter().filter(|e| e.to == v).collect();
    let dominated = |e: &&Edge| matches!(e.status, Status::Dominated { .. });
    if let Some(value) = &tree.nodes[v].value {
        block.items.push(Item::Text {
            at: (middle.0, middle.1 + high / 2.0 - 10.0),
            text: short(value, WIDE),
            size: TEXT,
            ink: Ink::Line,
            anchor: Anchor::Middle,
            bold: into.is_empty() || into.iter().any(|e| e.status == Status::Canonical),
            struck: !into.is_empty() && into.iter().all(dominated),
        });
    }
}

/// The players that have options in this tree, with their names.
fn movers(tree: &Tree) -> Vec<(u8, &str)> {
    let all = (0u8..).zip(&tree.players);
    all.filter(|(p, _)| tree.edges.iter().any(|e| e.player == *p))
        .map(|(p, name)| (p, name.as_str()))
        .collect()
}

/// The meaning of the signs of a tree, in words.
fn signs(tree: &Tree) -> String {
    let players: Vec<String> = movers(tree)
        .into_iter()
        .map(|(p, name)| {
            let (color, _, strokes) = in_words(Owner::Player(p));
            format!("{name}'s options are {color} {strokes}.")
        })
        .collect();
    let values = match tree.nodes.iter().any(|n| n.value.is_some()) {
        true => {
            " Canonical options are thick, with the value in bold; dominated ones thin and grey, the value struck; reversible ones bear the value of the reply."
        }
        false => "",
    };
    let cycles = match tree.edges.iter().any(|e| e.cycle) {
        true => " Options with an arrow lie on a cycle: play can come back.",
        false => "",
    };
    format!("{}{values}{cycles}", players.join(" "))
}

/// Adds a legend below the tree for the signs that occur.
fn legend(block: &mut Block, tree: &Tree) {
    let mut entries: Vec<(u8, (f64, Ink), String, bool)> = movers(tree)
        .into_iter()
        .map(|(p, name)| {
            let pen = (2.0, Ink::Owner(Owner::Player(p)));
            (p, pen, format!("{name}'s option"), false)
        })
        .collect();
    type Kind = (fn(&Status) -> bool, &'static str);
    let kinds: [Kind; 3] = [
        (|s| *s == Status::Canonical, "canonical, the value in bold"),
        (
            |s| matches!(s, Status::Dominated { .. }),
            "dominated, the value struck",
        ),
        (
            |s| matches!(s, Status::Reversible { .. }),
            "reversible, ~ with the value of the reply",
        ),
    ];
    for (is, text) in kinds {
        if let Some(edge) = tree.edges.iter().find(|e| is(&e.status)) {
            entries.push((edge.player, pen(edge), text.to_owned(), false));
        }
    }
    if let Some(edge) = tree.edges.iter().find(|e| e.cycle) {
        let text = "on a cycle: play can come back".to_owned();
        entries.push((edge.player, pen(edge), text, true));
    }
    let width = block.size.0.max(520.0);
    let (mut x, mut y) = (14.0, block.size.1 + 8.0);
    let mut right: f64 = 0.0;
    for (player, pen, text, arrow) in entries {
        let wide = 44.0 + text_width(&text, TEXT) + 18.0;
        if x > 14.0 && x + wide > width {
            (x, y) = (14.0, y + 20.0);
        }
        line(block, ((x, y), (x + 36.0, y)), pen, player, arrow);
        block.text((x + 44.0, y), text, TEXT, Ink::Line, Anchor::Start);
        x += wide;
        right = right.max(x);
    }
    block.size = (block.size.0.max(right), y + 14.0);
}
