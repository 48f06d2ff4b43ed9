//! Vertices with what is drawn about them come in; their names are written, each where it hides the least.

use super::layout::Point;
use super::scene::{Anchor, Block, Ink, Item, text_width};
use crate::session::figure::Node;

/// What is written at a vertex, and how far from its middle what lies there reaches to the side.
fn caption(node: &Node, radius: f64) -> (String, f64) {
    let mut text = node.label.clone();
    for token in &node.spot.tokens {
        text = format!("{text} ({token})");
    }
    if !node.spot.notes.is_empty() {
        text = format!("{text}: {}", node.spot.notes.join(" "));
    }
    let wide = if node.spot.marks.len() > 1 {
        // As wide as the pieces in a row are.
        let count = node.spot.marks.len() as f64;
        count * (radius * 1.6 / count).clamp(5.0, radius) * 1.05
    } else if node.spot.tokens.is_empty() {
        radius
    } else {
        radius.max(10.0)
    };
    (text, wide)
}

/// A rectangle: its middle, and half its width and height.
type Field = (Point, f64, f64);

fn inside(p: Point, (at, w, h): Field) -> bool {
    (p.0 - at.0).abs() < w && (p.1 - at.1).abs() < h
}

/// Writes the names beside the vertices, each where it hides the least: above to the right if nothing is there.
pub fn write(
    block: &mut Block,
    at: &[Point],
    nodes: &[Node],
    radius: &dyn Fn(usize) -> f64,
    root: Option<usize>,
) {
    // Points on the lines stand for them.
    let mut drawn: Vec<Point> = Vec::new();
    for item in &block.items {
        if let Item::Path {
            from, control, to, ..
        } = item
        {
            let c = control.unwrap_or((f64::midpoint(from.0, to.0), f64::midpoint(from.1, to.1)));
            for k in 1..24 {
                let t = f64::from(k) / 24.0;
                let part = |a: f64, b: f64, c: f64| {
                    (1.0 - t) * (1.0 - t) * a + 2.0 * t * (1.0 - t) * b + t * t * c
                };
                drawn.push((part(from.0, c.0, to.0), part(from.1, c.1, to.1)));
            }
        }
    }
    let much = drawn.len().saturating_mul(nodes.len()) > 4_000_000;
    let mut written: Vec<Field> = Vec::new();
    for (v, node) in nodes.iter().enumerate() {
        if Some(v) == root {
            continue;
        }
        let r = radius(v);
        let (text, wide) = caption(node, r);
        let (w, h) = (text_width(&text, 11.0) / 2.0 + 1.0, 7.0);
        let side = wide + 3.0 + w;
        let up = r + 8.0;
        let places = [
            (side, -r * 0.5 - 5.0),
            (side, r * 0.5 + 5.0),
            (-side, -r * 0.5 - 5.0),
            (-side, r * 0.5 + 5.0),
            (side + 2.0, 0.0),
            (0.0, -up),
            (0.0, up),
            (-side - 2.0, 0.0),
        ];
        let cost = |field: Field| -> usize {
            let lines = drawn.iter().filter(|p| inside(**p, field)).count();
            let others = at.iter().enumerate().filter(|(u, p)| {
                let room = radius(*u);
                *u != v
                    && Some(*u) != root
                    && inside(**p, (field.0, field.1 + room, field.2 + room))
            });
            let names = written
                .iter()
                .filter(|f| inside(f.0, (field.0, field.1 + f.1, field.2 + f.2)));
            lines + 8 * others.count() + 8 * names.count()
        };
        let field = |(x, y): Point| -> Field { ((at[v].0 + x, at[v].1 + y), w, h) };
        let best = places
            .into_iter()
            .map(field)
            .enumerate()
            .min_by_key(|(i, f)| if much { (0, *i) } else { (cost(*f), *i) });
        let Some((_, best)) = best else { continue };
        block.text(best.0, text, 11.0, Ink::Faint, Anchor::Middle);
        written.push(best);
    }
}
