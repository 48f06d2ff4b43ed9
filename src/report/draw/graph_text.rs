//! Draws a graph in characters, if there is a picture in which no label hides another, no line crosses a label, and each line
//! can be followed. Several layouts are tried, each at several widths; if none works, the graph is listed.

use super::canvas::{Canvas, Glyph, Row, Spot, row, steps};
use super::graph::place;
use super::layout::{self, Point};
use super::text::words;
use crate::session::figure::{GraphKind, Line, Node};
use std::collections::BTreeMap;

/// The greatest width of a picture,
const WIDEST: i64 = 100;
/// and its greatest height.
const HIGHEST: i64 = 60;
/// The most vertices that are placed on a circle.
const ROUND: usize = 24;

/// All lines between two vertices.
struct Bundle {
    from: usize,
    to: usize,
    /// Whether an arc leads to `to`, and to `from`.
    heads: [bool; 2],
    text: Row,
}

/// The picture, line by line; `None` if the graph is too tangled for characters.
pub fn drawn(
    kind: GraphKind,
    root: Option<usize>,
    nodes: &[Node],
    lines: &[Line],
) -> Option<Vec<Row>> {
    if nodes.is_empty() {
        return Some(Vec::new());
    }
    if nodes.len() > 200 || lines.len() > 3 * nodes.len() + 8 {
        return None;
    }
    let bundles = bundles(kind, lines);
    let labels: Vec<Row> = (0..nodes.len())
        .map(|v| label(v, root, nodes, lines))
        .collect();
    let natural = place(kind, root, nodes, lines);
    let mut layouts = vec![natural.at];
    let free = root.is_none() && !natural.layers && nodes.iter().any(|n| n.cell.is_none());
    if free && natural.named {
        // Characters cannot show bent lines.
        layouts.push(layout::by_distances(&layout::Graph {
            nodes: nodes.len(),
            lines: lines.iter().map(|l| (l.from, l.to)).collect(),
        }));
    }
    if free && (4..=ROUND).contains(&nodes.len()) {
        layouts.push(round(nodes.len(), lines));
    }
    // Prefers the fewest crossings of lines, then the first layout.
    let mut best: Option<(usize, Vec<Row>)> = None;
    for layout in &layouts {
        for stretch in [2, 3, 4, 6] {
            let Some((crossed, rows)) = attempt(kind, root, layout, stretch, &labels, &bundles)
            else {
                continue;
            };
            if best.as_ref().is_none_or(|b| crossed < b.0) {
                best = Some((crossed, rows));
            }
        }
    }
    // With more crossings than lines nobody can follow them.
    best.filter(|b| b.0 <= bundles.len()).map(|b| b.1)
}

/// The label of a vertex: its name and contents. The name of the ground is omitted.
fn label(v: usize, root: Option<usize>, nodes: &[Node], lines: &[Line]) -> Row {
    let node = &nodes[v];
    let mut text = if Some(v) == root {
        Row::new()
    } else {
        row(&node.label)
    };
    let own = words(&node.spot);
    if !own.is_empty() {
        text.extend(row(":"));
        text.extend(own);
    }
    for line in lines.iter().filter(|l| l.from == v && l.to == v) {
        text.extend(row(if text.is_empty() { "(loop" } else { " (loop" }));
        let own = words(&line.spot);
        if !own.is_empty() {
            text.extend(row(" "));
            text.extend(own);
        }
        text.extend(row(")"));
    }
    text
}

/// Combines the lines between the same two vertices, with all their texts.
fn bundles(kind: GraphKind, lines: &[Line]) -> Vec<Bundle> {
    let mut known: BTreeMap<(usize, usize), usize> = BTreeMap::new();
    let mut all: Vec<Bundle> = Vec::new();
    // The number of lines without a text, in each direction.
    let mut bare: Vec<[usize; 2]> = Vec::new();
    for line in lines {
        if line.from == line.to {
            continue;
        }
        let key = (line.from.min(line.to), line.from.max(line.to));
        let at = *known.entry(key).or_insert_with(|| {
            all.push(Bundle {
                from: line.from,
                to: line.to,
                heads: [false; 2],
                text: Row::new(),
            });
            bare.push([0; 2]);
            all.len() - 1
        });
        let bundle = &mut all[at];
        let back = usize::from(line.to != bundle.to);
        bundle.heads[back] = true;
        let own = words(&line.spot);
        if own.is_empty() {
            let back = if kind == GraphKind::Digraph { back } else { 0 };
            bare[at][back] += 1;
            continue;
        }
        if !bundle.text.is_empty() {
            bundle.text.extend(row(","));
        }
        bundle.text.extend(own);
    }
    for (bundle, bare) in all.iter_mut().zip(bare) {
        let most = bare[0].max(bare[1]);
        // A single line without a text is mentioned only beside others.
        if most > 1 || (most == 1 && !bundle.text.is_empty()) {
            let comma = if bundle.text.is_empty() { "" } else { "," };
            bundle.text.extend(row(&format!("{comma}{most}x")));
        }
    }
    all
}

/// Vertices on a circle, in an order that puts neighbours next to each other where that is easy.
fn round(n: usize, lines: &[Line]) -> Vec<Point> {
    let mut near = vec![Vec::new(); n];
    for l in lines {
        near[l.from].push(l.to);
        near[l.to].push(l.from);
    }
    let mut order = Vec::new();
    let mut seen = vec![false; n];
    // The next vertex is an unseen neighbour of the last, with the fewest unseen neighbours of its own.
    while order.len() < n {
        let unseen = |v: usize, seen: &[bool]| near[v].iter().filter(|w| !seen[**w]).count();
        let next = order
            .last()
            .into_iter()
            .flat_map(|last: &usize| near[*last].iter().copied())
            .filter(|v| !seen[*v])
            .min_by_key(|v| (unseen(*v, &seen), *v))
            .or_else(|| (0..n).find(|v| !seen[*v]));
        let Some(next) = next else { break };
        seen[next] = true;
        order.push(next);
    }
    let radius = (n as f64 / 5.0).max(1.2);
    let mut at = vec![(0.0, 0.0); n];
    for (i, v) in order.into_iter().enumerate() {
        at[v] = on_circle(i, n, radius);
    }
    at
}

/// The i-th of n places on a circle, the first on the left. Uses no sine, which machines round differently.
fn on_circle(i: usize, n: usize, radius: f64) -> Point {
    // Walks along the sides of a square that stands on its corner, and projects each point onto the circle.
    let t = 4.0 * i as f64 / n as f64;
    let (side, along) = (t.floor(), t - t.floor());
    let (x, y) = match side as u8 {
        0 => (-1.0 + along, -along),
        1 => (along, -1.0 + along),
        2 => (1.0 - along, along),
        _ => (-along, 1.0 - along),
    };
    let length: f64 = (x * x + y * y).max(1e-9);
    let length = length.sqrt();
    (radius * x / length, radius * y / length)
}

/// A picture at a width, and its number of line crossings; `None` if something hides something else.
fn attempt(
    kind: GraphKind,
    root: Option<usize>,
    layout: &[Point],
    stretch: i64,
    labels: &[Row],
    bundles: &[Bundle],
) -> Option<(usize, Vec<Row>)> {
    let widest = labels.iter().map(Vec::len).max().unwrap_or(1) as i64;
    let text = bundles.iter().map(|b| b.text.len()).max().unwrap_or(0) as i64;
    // Even, so that two vertices below one are at equal distances from its middle.
    let across = (widest + 3 + text).max(6) * stretch / 2;
    let across = across + across % 2;
    let extent = layout.iter().map(|p| p.1).fold(f64::NEG_INFINITY, f64::max)
        - layout.iter().map(|p| p.1).fold(f64::INFINITY, f64::min);
    let down = if extent > 6.0 {
        // A high figure is drawn with narrow rows.
        2
    } else if text > 0 {
        4
    } else if (across / 2) % 4 == 0 && (across / 2) % 3 != 0 {
        // Half a step sideways must be the same number of columns in each row.
        4
    } else {
        3
    } + (stretch - 2) / 2;
    // The ground extends beyond what stands on it.
    let beside = if root.is_some() { 2 } else { 0 };
    let least = |f: fn(&Point) -> f64| layout.iter().map(f).fold(f64::INFINITY, f64::min);
    let (left, top) = (least(|p| p.0), least(|p| p.1));
    // An even number of columns and rows in a step keeps lines straight.
    let spot = |p: &Point| -> Spot {
        (
            ((p.0 - left) * across as f64).round() as i64 + widest / 2 + beside,
            ((p.1 - top) * down as f64).round() as i64,
        )
    };
    let at: Vec<Spot> = layout.iter().map(spot).collect();
    let right = at.iter().map(|p| p.0).max()? + widest.max(2) / 2 + beside;
    let bottom = at.iter().map(|p| p.1).max()?;
    if right > WIDEST || bottom > HIGHEST {
        return None;
    }
    let (w, h) = (
        usize::try_from(right + 2).ok()?,
        usize::try_from(bottom + 1).ok()?,
    );
    let mut canvas = Canvas::new(w, h);
    if let Some(r) = root {
        // The contents of the ground are written at its end.
        let end = right + 1 - labels[r].len() as i64;
        for x in 0..end {
            canvas.put(
                (x, at[r].1),
                Glyph {
                    c: '=',
                    owner: None,
                },
            );
        }
    }
    let ends = |b: &Bundle| match root {
        Some(r) if b.from == r => ((at[b.to].0, at[r].1), at[b.to]),
        Some(r) if b.to == r => (at[b.from], (at[b.from].0, at[r].1)),
        _ => (at[b.from], at[b.to]),
    };
    let mut free = true;
    for (v, label) in labels.iter().enumerate() {
        let x = if Some(v) == root {
            right + 1 - label.len() as i64
        } else {
            at[v].0 - label.len() as i64 / 2
        };
        free &= canvas.write((x, at[v].1), label, v);
    }
    if !free {
        return None;
    }
    for (i, b) in bundles.iter().enumerate() {
        let (from, to) = ends(b);
        if !canvas.line(from, to, i, [b.from, b.to]) {
            return None;
        }
    }
    for (i, b) in bundles.iter().enumerate() {
        let (from, to) = ends(b);
        if !b.text.is_empty() {
            let middle = ((from.0 + to.0) / 2, (from.1 + to.1) / 2);
            let x = middle.0 - b.text.len() as i64 / 2;
            if !canvas.write((x, middle.1), &b.text, labels.len() + i) {
                return None;
            }
        }
        if kind == GraphKind::Digraph {
            let label = |v: usize| labels[v].len() as i64;
            if b.heads[0] {
                head(&mut canvas, from, to, label(b.to));
            }
            if b.heads[1] {
                head(&mut canvas, to, from, label(b.from));
            }
        }
    }
    Some((canvas.crossed, canvas.rows()))
}

/// The head of an arrow, next to the label at its end.
fn head(canvas: &mut Canvas, a: Spot, b: Spot, label: i64) {
    let (dx, dy) = (b.0 - a.0, b.1 - a.1);
    let start = b.0 - label / 2;
    let outside = |(x, y): Spot| y != b.1 || x < start || x >= start + label;
    let Some((at, _)) = steps(a, b).into_iter().rev().find(|(p, _)| outside(*p)) else {
        return;
    };
    let c = if dy.abs() * 2 >= dx.abs() {
        if dy > 0 { 'v' } else { '^' }
    } else if dx > 0 {
        '>'
    } else {
        '<'
    };
    canvas.put(at, Glyph { c, owner: None });
}

/// Each vertex, with the lines that leave it.
pub fn listed(kind: GraphKind, nodes: &[Node], lines: &[Line]) -> Vec<Row> {
    let link = match kind {
        GraphKind::Graph => " -- ",
        GraphKind::Digraph => " -> ",
        GraphKind::Poset => " < ",
    };
    let mut out = Vec::new();
    for (v, node) in nodes.iter().enumerate() {
        let mut line = row(&node.label);
        let own = words(&node.spot);
        let empty = own.is_empty();
        if !empty {
            line.extend(row(":"));
            line.extend(own);
        }
        let mut any = false;
        for l in lines.iter().filter(|l| l.from == v) {
            line.extend(row(if any { ", " } else { link }));
            line.extend(row(&nodes[l.to].label));
            let text = words(&l.spot);
            if !text.is_empty() {
                line.extend(row(" ("));
                line.extend(text);
                line.extend(row(")"));
            }
            any = true;
        }
        let alone = !lines.iter().any(|l| l.from == v || l.to == v);
        if any || alone || !empty {
            out.push(line);
        }
    }
    out
}
