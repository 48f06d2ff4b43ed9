//! One board comes in; its block of the picture comes out, with the lines of text that go below it.

use super::captions;
use super::layout::{self, Point};
use super::plain;
use super::scene::{Anchor, Block, Dash, Form, Ink, Item, dash, form, text_width};
use crate::session::figure::{
    BoardFigure, Cell, GraphKind, Line, Mark, Node, Owner, Spot, TermFigure,
};

/// The side of a cell.
const CELL: f64 = 40.0;
/// The distance of neighbouring vertices.
const STEP: f64 = 72.0;
/// The height of a layer.
const LAYER: f64 = 64.0;
/// A heap that is drawn counter by counter has at most so many.
const PILE: u64 = 16;

/// The block of a term, and the captions below it.
pub fn block(term: &TermFigure) -> (Block, Vec<String>) {
    let mut block = Block::default();
    match &term.board {
        BoardFigure::Cells {
            rows,
            columns,
            strip,
            cells,
        } => grid(&mut block, *rows, *columns, *strip, cells),
        BoardFigure::Heaps { heaps } => piles(&mut block, heaps),
        BoardFigure::Graph {
            graph,
            root,
            nodes,
            lines,
        } => graph_block(&mut block, *graph, *root, nodes, lines),
        BoardFigure::Nothing => {
            block.size = (8.0, 8.0);
        }
    }
    if block.items.is_empty() && !matches!(term.board, BoardFigure::Nothing) {
        block.text((20.0, 16.0), "nothing", 12.0, Ink::Faint, Anchor::Middle);
        block.size = (60.0, 30.0);
    }
    (block, term.captions.clone())
}

/// The text of a mark: its name, with the count before it.
pub fn mark_text(mark: &Mark) -> String {
    match &mark.count {
        Some(n) => format!("{n}{}", mark.glyph),
        None => mark.glyph.clone(),
    }
}

/// Pieces, notes and tokens about a point, within a radius.
fn spot(block: &mut Block, at: Point, radius: f64, spot: &Spot) {
    for _ in &spot.tokens {
        block.items.push(Item::Piece {
            form: Form::Disc,
            at,
            radius: radius + 4.0,
            fill: Ink::None,
            border: Ink::Line,
        });
    }
    let count = spot.marks.len();
    for (i, mark) in spot.marks.iter().enumerate() {
        // Several stand in a row.
        let (r, x) = if count == 1 {
            (radius, at.0)
        } else {
            let r = (radius * 1.6 / count as f64).clamp(5.0, radius);
            (r, at.0 + (i as f64 - (count as f64 - 1.0) / 2.0) * 2.1 * r)
        };
        block.items.push(Item::Piece {
            form: form(mark.owner),
            at: (x, at.1),
            radius: r,
            fill: Ink::Owner(mark.owner),
            border: Ink::Line,
        });
        let text = mark_text(mark);
        let size = (1.9 * r / (text.chars().count().max(1) as f64 * 0.62)).min(r * 1.15);
        // In a triangle the middle lies lower.
        let y = if form(mark.owner) == Form::Polygon(3) {
            at.1 + r * 0.15
        } else {
            at.1
        };
        block.text((x, y), text, size, Ink::On(mark.owner), Anchor::Middle);
    }
}

fn grid(block: &mut Block, rows: u32, columns: u32, strip: bool, cells: &[Cell]) {
    let margin = 18.0;
    let corner = |r: u32, c: u32| (margin + f64::from(c) * CELL, margin + f64::from(r) * CELL);
    for r in 0..rows {
        for c in 0..columns {
            let Some(cell) = cells.get((r * columns + c) as usize) else {
                continue;
            };
            let (x, y) = corner(r, c);
            block.items.push(Item::Rectangle {
                at: (x, y),
                size: (CELL, CELL),
                fill: if cell.wall { Ink::Wall } else { Ink::Paper },
                border: Ink::Line,
            });
            let middle = (x + CELL / 2.0, y + CELL / 2.0);
            if cell.wall {
                // Hatched, so that it is told from a dark piece.
                for (a, b) in [
                    ((0.0, 0.5), (0.5, 0.0)),
                    ((0.0, 1.0), (1.0, 0.0)),
                    ((0.5, 1.0), (1.0, 0.5)),
                ] {
                    let to = |p: Point| (x + p.0 * CELL, y + p.1 * CELL);
                    block.items.push(plain(to(a), to(b), Ink::Faint, 1.0));
                }
            }
            spot(block, middle, CELL * 0.34, &cell.spot);
            if !cell.spot.notes.is_empty() {
                let at = if cell.spot.marks.is_empty() {
                    middle
                } else {
                    (middle.0, y + CELL - 6.0)
                };
                let text = cell.spot.notes.join(" ");
                let size: f64 = if cell.spot.marks.is_empty() {
                    15.0
                } else {
                    10.0
                };
                let size = size.min(CELL / (text.chars().count().max(1) as f64 * 0.62));
                block.text(at, text, size, Ink::Line, Anchor::Middle);
            }
        }
    }
    // The names of the cells along the sides.
    let size = 10.0;
    for c in 0..columns {
        let at = (corner(0, c).0 + CELL / 2.0, margin - 9.0);
        block.text(at, (c + 1).to_string(), size, Ink::Faint, Anchor::Middle);
    }
    if !strip {
        for r in 0..rows {
            let at = (margin - 5.0, corner(r, 0).1 + CELL / 2.0);
            block.text(at, (r + 1).to_string(), size, Ink::Faint, Anchor::End);
        }
    }
    let end = corner(rows, columns);
    block.size = (end.0 + 4.0, end.1 + 4.0);
}

/// Heaps as piles of counters on a line, the number below; of several components one pile beside the other.
fn piles(block: &mut Block, heaps: &[Vec<String>]) {
    let (r, step) = (9.0, 19.0);
    let small = |n: &String| n.parse::<u64>().ok().filter(|n| *n <= PILE);
    let highest = heaps
        .iter()
        .flatten()
        .map(|n| small(n).unwrap_or(4))
        .max()
        .unwrap_or(1);
    let ground = 12.0 + highest as f64 * step;
    let mut x = 14.0;
    for heap in heaps {
        let start = x;
        for n in heap {
            match small(n) {
                Some(k) => {
                    for i in 0..k {
                        block.items.push(Item::Piece {
                            form: Form::Disc,
                            at: (x + r, ground - r - 1.0 - i as f64 * step),
                            radius: r,
                            fill: Ink::Owner(Owner::Nobody),
                            border: Ink::Line,
                        });
                    }
                }
                None => {
                    // Too many to be drawn one by one.
                    block.items.push(Item::Rectangle {
                        at: (x, ground - 4.0 * step),
                        size: (2.0 * r, 4.0 * step - 1.0),
                        fill: Ink::Owner(Owner::Nobody),
                        border: Ink::Line,
                    });
                }
            }
            x += 2.0 * r + 4.0;
        }
        let label = match &heap[..] {
            [n] => n.clone(),
            all => format!("({})", all.join(", ")),
        };
        let width = text_width(&label, 12.0).max(x - start);
        let middle = f64::midpoint(start, x - 4.0);
        block.text(
            (middle, ground + 12.0),
            label,
            12.0,
            Ink::Line,
            Anchor::Middle,
        );
        x = start + width + 18.0;
    }
    if !heaps.is_empty() {
        block.line((4.0, ground), (x - 8.0, ground), Ink::Line, 1.5);
    }
    block.size = (x, ground + 24.0);
}

/// Where the vertices of a graph are put: in steps, y downwards. Of a rooted one the root is not placed.
pub struct Placed {
    /// A place for each vertex.
    pub at: Vec<Point>,
    /// They stand in layers.
    pub layers: bool,
}

/// Finds places for the vertices of a figure.
pub fn place(kind: GraphKind, root: Option<usize>, nodes: &[Node], lines: &[Line]) -> Placed {
    let graph = layout::Graph {
        nodes: nodes.len(),
        lines: lines.iter().map(|l| (l.from, l.to)).collect(),
    };
    // A graph made from a grid keeps its shape.
    let cells: Option<Vec<Point>> = nodes
        .iter()
        .map(|n| n.cell.map(|(r, c)| (f64::from(c), f64::from(r))))
        .collect();
    if let (Some(at), None) = (cells, root) {
        return Placed { at, layers: false };
    }
    let upward = |rank: &[usize]| {
        let highest = rank.iter().max().copied().unwrap_or(0);
        let mut at = layout::layered(&graph, rank);
        for p in &mut at {
            p.1 = highest as f64 - p.1;
        }
        at
    };
    match (kind, root) {
        (GraphKind::Poset, _) => match graph.ranks() {
            Some(rank) => Placed {
                at: upward(&rank),
                layers: true,
            },
            None => Placed {
                at: layout::by_distances(&graph),
                layers: false,
            },
        },
        (_, Some(root)) => {
            // The ground is no point: what hangs on it stands apart, so the root's lines are left out.
            let without = layout::Graph {
                nodes: graph.nodes,
                lines: graph
                    .lines
                    .iter()
                    .copied()
                    .filter(|(u, v)| *u != root && *v != root)
                    .collect(),
            };
            let rank = graph.distances(root);
            let highest = rank.iter().max().copied().unwrap_or(0);
            // Each tuft by itself, side by side.
            let mut at = vec![(0.0, 0.0); graph.nodes];
            let mut right = 0.0;
            for part in without.components() {
                if part == [root] {
                    continue;
                }
                let index = |v: usize| part.iter().position(|p| *p == v);
                let own = layout::Graph {
                    nodes: part.len(),
                    lines: without
                        .lines
                        .iter()
                        .filter_map(|(u, v)| Some((index(*u)?, index(*v)?)))
                        .collect(),
                };
                let ranks: Vec<usize> = part.iter().map(|v| rank[*v]).collect();
                let placed = layout::layered(&own, &ranks);
                let left = placed.iter().map(|p| p.0).fold(f64::INFINITY, f64::min);
                let most = placed.iter().map(|p| p.0).fold(f64::NEG_INFINITY, f64::max);
                for (v, p) in part.iter().zip(&placed) {
                    at[*v] = (p.0 - left + right, highest as f64 - p.1);
                }
                right += most - left + 1.0;
            }
            at[root] = ((right - 1.0).max(0.0) / 2.0, highest as f64);
            Placed { at, layers: true }
        }
        (GraphKind::Digraph, None) => match graph.ranks() {
            // Arcs go down, as in pictures of play; a path lies flat instead.
            Some(rank) if !is_path(&graph) => Placed {
                at: layout::layered(&graph, &rank),
                layers: true,
            },
            _ => Placed {
                at: layout::by_distances(&graph),
                layers: false,
            },
        },
        (GraphKind::Graph, None) => Placed {
            at: layout::by_distances(&graph),
            layers: false,
        },
    }
}

fn is_path(graph: &layout::Graph) -> bool {
    let mut degree = vec![0; graph.nodes];
    for (u, v) in &graph.lines {
        degree[*u] += 1;
        degree[*v] += 1;
    }
    degree.iter().all(|d| *d <= 2) && graph.lines.len() < graph.nodes
}

/// For each line how far it bends aside, in steps: parallel ones and those that would run over a vertex.
fn bends(at: &[Point], lines: &[Line], root: Option<usize>) -> Vec<f64> {
    let pair = |l: &Line| (l.from.min(l.to), l.from.max(l.to));
    let mut count = std::collections::BTreeMap::new();
    for l in lines {
        *count.entry(pair(l)).or_insert(0usize) += 1;
    }
    let mut seen = std::collections::BTreeMap::new();
    lines
        .iter()
        .map(|l| {
            let k = seen.entry(pair(l)).or_insert(0usize);
            let all = count[&pair(l)];
            let mut bend = (*k as f64 - (all as f64 - 1.0) / 2.0) * 0.45;
            *k += 1;
            if l.from > l.to {
                bend = -bend;
            }
            if all == 1 && lines.len() < 400 && Some(l.from) != root && Some(l.to) != root {
                let (a, b) = (at[l.from], at[l.to]);
                let over = at.iter().enumerate().any(|(v, p)| {
                    v != l.from && v != l.to && Some(v) != root && near_segment(*p, a, b) < 0.15
                });
                if over {
                    bend = 0.4;
                }
            }
            bend
        })
        .collect()
}

/// The distance of a point from the inside of a segment.
fn near_segment(p: Point, a: Point, b: Point) -> f64 {
    let (dx, dy) = (b.0 - a.0, b.1 - a.1);
    let square = dx * dx + dy * dy;
    if square < 1e-12 {
        return f64::INFINITY;
    }
    let t = ((p.0 - a.0) * dx + (p.1 - a.1) * dy) / square;
    if !(0.02..=0.98).contains(&t) {
        return f64::INFINITY;
    }
    let (x, y) = (a.0 + t * dx - p.0, a.1 + t * dy - p.1);
    (x * x + y * y).sqrt()
}

fn graph_block(
    block: &mut Block,
    kind: GraphKind,
    root: Option<usize>,
    nodes: &[Node],
    lines: &[Line],
) {
    let placed = place(kind, root, nodes, lines);
    let (sx, sy) = if placed.layers {
        (STEP, LAYER)
    } else {
        (STEP, STEP)
    };
    let at: Vec<Point> = placed.at.iter().map(|p| (p.0 * sx, p.1 * sy)).collect();
    let bend = bends(&placed.at, lines, root);
    let radius = |v: usize| -> f64 {
        if nodes[v].spot.marks.is_empty() {
            5.0
        } else {
            14.0
        }
    };
    let ground_y = root.map(|r| at[r].1);
    let mut middles = Vec::new();
    for (line, bend) in lines.iter().zip(&bend) {
        let mark = line.spot.marks.first();
        let owner = mark.map(|m| m.owner);
        let width = if owner.is_some() { 3.5 } else { 1.6 };
        let ink = owner.map_or(Ink::Line, Ink::Owner);
        let style = owner.map_or(Dash::Solid, dash);
        let push = |block: &mut Block, from: Point, control: Option<Point>, to: Point, arrow| {
            block.items.push(Item::Path {
                from,
                control,
                to,
                ink,
                width,
                dash: style,
                arrow,
            });
        };
        if line.from == line.to {
            // A loop, as a leaf above its vertex (on the ground, beside the figure).
            let p = at[line.from];
            let top = (p.0 + 44.0 * bend, p.1 - 40.0);
            push(block, p, Some((top.0 - 34.0, top.1)), top, false);
            push(block, top, Some((top.0 + 34.0, top.1)), p, false);
            middles.push((top, line));
            continue;
        }
        let (from, to) = match (root, ground_y) {
            // The ground is as wide as the figure: lines go straight down to it.
            (Some(r), Some(y)) if line.from == r => ((at[line.to].0 + bend * sx, y), at[line.to]),
            (Some(r), Some(y)) if line.to == r => (at[line.from], (at[line.from].0 - bend * sx, y)),
            _ => (at[line.from], at[line.to]),
        };
        let grounded = root.is_some_and(|r| line.from == r || line.to == r);
        let (dx, dy) = (to.0 - from.0, to.1 - from.1);
        let length = (dx * dx + dy * dy).sqrt().max(1e-9);
        let control = (*bend != 0.0 && !grounded).then(|| {
            (
                f64::midpoint(from.0, to.0) - dy / length * bend * sx * 1.2,
                f64::midpoint(from.1, to.1) + dx / length * bend * sx * 1.2,
            )
        });
        let arrow = kind == GraphKind::Digraph;
        let end = if arrow {
            // Arrows end at the border of the vertex.
            let start = control.unwrap_or(from);
            let (ax, ay) = (to.0 - start.0, to.1 - start.1);
            let l = (ax * ax + ay * ay).sqrt().max(1e-9);
            let back = radius(line.to) + 2.0;
            (to.0 - ax / l * back, to.1 - ay / l * back)
        } else {
            to
        };
        push(block, from, control, end, arrow);
        let straight = (f64::midpoint(from.0, to.0), f64::midpoint(from.1, to.1));
        let middle = control.map_or(straight, |c| {
            (
                f64::midpoint(straight.0, c.0),
                f64::midpoint(straight.1, c.1),
            )
        });
        middles.push((middle, line));
    }
    for (middle, line) in middles {
        let mut words: Vec<String> = line.spot.marks.iter().map(mark_text).collect();
        words.extend(line.spot.notes.iter().cloned());
        if words.is_empty() {
            continue;
        }
        block.text_on_line(middle, words.join(" "), 11.0);
    }
    for (v, node) in nodes.iter().enumerate() {
        if Some(v) == root {
            continue;
        }
        vertex(block, at[v], node, radius(v));
    }
    captions::write(block, &at, nodes, &radius, root);
    if let (Some(r), Some(y)) = (root, ground_y) {
        let xs: Vec<f64> = (0..nodes.len())
            .filter(|v| *v != r || nodes.len() == 1)
            .map(|v| at[v].0)
            .collect();
        let left = xs.iter().copied().fold(f64::INFINITY, f64::min) - 30.0;
        let right = xs.iter().copied().fold(f64::NEG_INFINITY, f64::max) + 30.0;
        block.line((left, y), (right, y), Ink::Line, 3.0);
        let mut x = left + 4.0;
        while x < right {
            block.line((x, y + 2.0), (x - 6.0, y + 10.0), Ink::Faint, 1.0);
            x += 8.0;
        }
        spot(block, (right + 14.0, y), 9.0, &nodes[r].spot);
    }
    block.fit(6.0);
}

fn vertex(block: &mut Block, at: Point, node: &Node, radius: f64) {
    if node.spot.marks.is_empty() {
        for _ in &node.spot.tokens {
            block.items.push(Item::Piece {
                form: Form::Disc,
                at,
                radius: 10.0,
                fill: Ink::Paper,
                border: Ink::Line,
            });
        }
        block.items.push(Item::Piece {
            form: Form::Disc,
            at,
            radius,
            fill: if node.spot.tokens.is_empty() {
                Ink::Paper
            } else {
                Ink::Line
            },
            border: Ink::Line,
        });
    } else {
        spot(block, at, radius, &node.spot);
    }
}
