//! Writes the names of vertices, each where it hides the least of what is drawn around them.

use super::graph::reach;
use super::layout::Point;
use super::scene::{Anchor, Block, Ink, Item, text_width};
use super::{HEAD, arrow_head};
use crate::session::figure::Node;

/// The height of letters.
const TEXT: f64 = 11.0;
/// Half the height of a name, including the space around it.
const HALF: f64 = 7.0;
/// With more points to examine than this, each name takes its first place.
const MANY: usize = 4_000_000;

/// The text at a vertex.
fn caption(node: &Node) -> String {
    let mut text = node.label.clone();
    for token in &node.spot.tokens {
        text = format!("{text} ({token})");
    }
    if !node.spot.notes.is_empty() {
        text = format!("{text}: {}", node.spot.notes.join(" "));
    }
    text
}

/// A rectangle: its centre, half its width and half its height.
#[derive(Clone, Copy)]
struct Field(Point, f64, f64);

impl Field {
    fn holds(&self, p: Point) -> bool {
        (p.0 - self.0.0).abs() < self.1 && (p.1 - self.0.1).abs() < self.2
    }

    fn meets(&self, other: &Field) -> bool {
        Field(self.0, self.1 + other.1, self.2 + other.2).holds(other.0)
    }
}

/// What else must not be hidden: arrow heads, texts on lines, and the contents of vertices.
fn obstacles(block: &Block, at: &[Point], nodes: &[Node], root: Option<usize>) -> Vec<Field> {
    let mut all: Vec<Field> = (0..nodes.len())
        .filter(|v| Some(*v) != root)
        .map(|v| {
            let (wide, high) = reach(&nodes[v]);
            Field(at[v], wide, high)
        })
        .collect();
    for item in &block.items {
        match item {
            Item::Path {
                from,
                control,
                to,
                arrow: true,
                ..
            } => {
                let head = arrow_head(control.unwrap_or(*from), *to);
                let middle = head
                    .iter()
                    .fold((0.0, 0.0), |s, p| (s.0 + p.0 / 3.0, s.1 + p.1 / 3.0));
                all.push(Field(middle, HEAD / 2.0, HEAD / 2.0));
            }
            Item::Text { at, text, size, .. } => {
                all.push(Field(*at, text_width(text, *size) / 2.0, size / 2.0));
            }
            _ => {}
        }
    }
    all
}

/// Places for a name of half-width `w` beside a vertex of the given reach, best first: above to the right, the other corners,
/// the sides, then all of them again further away.
fn places((wide, high): Point, w: f64) -> Vec<Point> {
    let mut all = Vec::new();
    for far in [0.0, 7.0, 16.0] {
        let (side, up) = (wide + 3.0 + w + far, high + HALF + 1.0 + far);
        let near = high * 0.5 + 5.0;
        for (x, y) in [
            (side, -near),
            (side, near),
            (-side, -near),
            (-side, near),
            (side + 2.0, 0.0),
            (0.0, -up),
            (0.0, up),
            (-side - 2.0, 0.0),
            (side - w * 0.6, -up),
            (-side + w * 0.6, -up),
            (side - w * 0.6, up),
            (-side + w * 0.6, up),
        ] {
            all.push((x, y));
        }
    }
    all
}

/// Writes the names beside the vertices, each where it hides the least. `curves` are points along the lines. A name that
/// still overlaps lines gets a background.
pub fn write(
    block: &mut Block,
    at: &[Point],
    nodes: &[Node],
    curves: &[Vec<Point>],
    root: Option<usize>,
) {
    let drawn: Vec<Point> = curves.iter().flatten().copied().collect();
    let mut obstacles = obstacles(block, at, nodes, root);
    let much = drawn.len().saturating_mul(nodes.len()) > MANY;
    for (v, node) in nodes.iter().enumerate() {
        if Some(v) == root {
            continue;
        }
        let text = caption(node);
        let w = text_width(&text, TEXT) / 2.0 + 1.0;
        let field = |(x, y): Point| Field((at[v].0 + x, at[v].1 + y), w, HALF);
        let lines = |f: &Field| drawn.iter().filter(|p| f.holds(**p)).count();
        // A field does not overlap its own vertex.
        let cost = |f: &Field| lines(f) + 30 * obstacles.iter().filter(|o| f.meets(o)).count();
        let fields: Vec<Field> = places(reach(node), w).into_iter().map(field).collect();
        let best = match much {
            true => fields.first(),
            false => {
                let rated = fields.iter().enumerate();
                rated
                    .min_by_key(|(i, f)| (3 * cost(f) + i / 12, *i))
                    .map(|(_, f)| f)
            }
        };
        let best = best.copied();
        let Some(best) = best else { continue };
        if !much && lines(&best) > 0 {
            block.items.push(Item::Rectangle {
                at: (best.0.0 - w + 1.0, best.0.1 - HALF + 1.0),
                size: (2.0 * w - 2.0, 2.0 * HALF - 2.0),
                fill: Ink::Paper,
                border: Ink::None,
            });
        }
        block.text(best.0, text, TEXT, Ink::Faint, Anchor::Middle);
        obstacles.push(best);
    }
}
