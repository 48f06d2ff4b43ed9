//! Draws a graph, digraph or poset as a block. Vertices are placed by the coordinates in their names, or in layers, or by
//! their distances; lines that would cross a vertex are bent aside; names go where they hide the least.

use super::board::{mark_text, spot};
use super::captions;
use super::coordinates::{self, near_segment};
use super::layout::{self, Point};
use super::scene::{Anchor, Block, Dash, Form, Ink, Item, Of, dash, text_width};
use crate::session::figure::{GraphKind, Line, Node};

/// The distance of adjacent vertices,
const STEP: f64 = 72.0;
/// and the greatest, where names are long.
const LONGEST: f64 = 120.0;
/// The height of a layer.
const LAYER: f64 = 64.0;
/// With more lines than this, bends are not computed line by line.
const MANY: usize = 400;

/// The places of the vertices of a graph: in steps, y downwards. The root of a rooted graph is not placed.
pub struct Placed {
    /// A place for each vertex.
    pub at: Vec<Point>,
    /// Whether they are in layers.
    pub layers: bool,
    /// Whether their names determine the places.
    pub named: bool,
}

/// Finds places for the vertices of a figure.
pub fn place(kind: GraphKind, root: Option<usize>, nodes: &[Node], lines: &[Line]) -> Placed {
    let graph = layout::Graph {
        nodes: nodes.len(),
        lines: lines.iter().map(|l| (l.from, l.to)).collect(),
    };
    // A graph made from a grid keeps the grid's shape.
    let cells: Option<Vec<Point>> = nodes
        .iter()
        .map(|n| n.cell.map(|(r, c)| (f64::from(c), f64::from(r))))
        .collect();
    let named = || match kind {
        GraphKind::Poset => None,
        GraphKind::Graph | GraphKind::Digraph => {
            coordinates::places(nodes, &graph.lines).or_else(|| layout::snake(&graph))
        }
    };
    if root.is_none()
        && let Some(at) = cells.or_else(named)
    {
        return Placed {
            at,
            layers: false,
            named: true,
        };
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
                named: false,
            },
            None => Placed {
                at: layout::by_distances(&graph),
                layers: false,
                named: false,
            },
        },
        (_, Some(root)) => {
            // The ground is not a point: its components are drawn separately, so the root's lines are left out.
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
            // Each component is laid out separately; they are placed side by side.
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
            Placed {
                at,
                layers: true,
                named: false,
            }
        }
        (GraphKind::Digraph, None) => match graph.ranks() {
            // Arcs go down, as in pictures of play; but a path is horizontal.
            Some(rank) if !is_path(&graph) => Placed {
                at: layout::layered(&graph, &rank),
                layers: true,
                named: false,
            },
            _ => Placed {
                at: layout::by_distances(&graph),
                layers: false,
                named: false,
            },
        },
        (GraphKind::Graph, None) => Placed {
            at: layout::complete_bipartite(&graph).unwrap_or_else(|| layout::by_distances(&graph)),
            layers: false,
            named: false,
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

/// For each line, the offset of its control point in steps, for parallel lines and for lines that would cross a vertex.
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
            let bend = (*k as f64 - (all as f64 - 1.0) / 2.0) * 0.54;
            *k += 1;
            let grounded = Some(l.from) == root || Some(l.to) == root;
            match all {
                1 if lines.len() < MANY && !grounded => aside(at, l, root),
                _ if l.from > l.to => -bend,
                _ => bend,
            }
        })
        .collect()
}

/// The offset a line needs in order to cross no other vertex, on the side with more room.
fn aside(at: &[Point], line: &Line, root: Option<usize>) -> f64 {
    let (a, b) = (at[line.from], at[line.to]);
    let others = || {
        let all = at.iter().enumerate();
        let free = all.filter(|(v, _)| *v != line.from && *v != line.to && Some(*v) != root);
        free.map(|(_, p)| *p)
    };
    if line.from == line.to || !others().any(|p| near_segment(p, a, b) < 0.15) {
        return 0.0;
    }
    let (dx, dy) = (b.0 - a.0, b.1 - a.1);
    let length = (dx * dx + dy * dy).sqrt().max(1e-9);
    // At parameter t, a quadratic curve is 2t(1 - t) times as far from its chord as its control point is. One step from its
    // end, it has to clear the vertex there.
    let t = (1.0 / length).min(0.5);
    let bend = (0.22 / (2.0 * t * (1.0 - t))).clamp(0.45, 1.2);
    let normal = (-dy / length, dx / length);
    let middle = (f64::midpoint(a.0, b.0), f64::midpoint(a.1, b.1));
    let n = at.len() as f64;
    let centre = at
        .iter()
        .fold((0.0, 0.0), |s, p| (s.0 + p.0 / n, s.1 + p.1 / n));
    let score = |bend: f64| -> f64 {
        let control = (middle.0 + normal.0 * bend, middle.1 + normal.1 * bend);
        let room = (1..10)
            .map(|k| on_curve(a, control, b, f64::from(k) / 10.0))
            .flat_map(|q| others().map(move |p| distance(p, q)))
            .fold(0.3, f64::min);
        // With equal room, it bends outwards.
        room + 0.01 * distance(control, centre).min(5.0)
    };
    if score(bend) >= score(-bend) {
        bend
    } else {
        -bend
    }
}

fn distance(a: Point, b: Point) -> f64 {
    let (dx, dy) = (a.0 - b.0, a.1 - b.1);
    (dx * dx + dy * dy).sqrt()
}

/// A point of a quadratic curve.
pub fn on_curve(from: Point, control: Point, to: Point, t: f64) -> Point {
    let part =
        |a: f64, b: f64, c: f64| (1.0 - t) * (1.0 - t) * a + 2.0 * t * (1.0 - t) * b + t * t * c;
    (part(from.0, control.0, to.0), part(from.1, control.1, to.1))
}

/// The horizontal and vertical reach of the contents of a vertex.
pub fn reach(node: &Node) -> Point {
    match (node.spot.marks.len(), node.spot.tokens.is_empty()) {
        (0, true) => (5.0, 5.0),
        (0, false) => (10.0, 10.0),
        (1, _) => (RADIUS, RADIUS),
        // Several pieces stand in a row.
        (n, _) => {
            let r = (RADIUS * 1.6 / n as f64).clamp(5.0, RADIUS);
            (r * 1.05 * n as f64, r)
        }
    }
}

/// The radius of a piece on a vertex.
const RADIUS: f64 = 14.0;

/// A graph with the places of its vertices.
struct Drawing<'f> {
    kind: GraphKind,
    root: Option<usize>,
    nodes: &'f [Node],
    at: Vec<Point>,
    ends: Vec<(usize, usize)>,
    /// The distance of adjacent vertices.
    step: f64,
}

/// The block of a graph.
pub fn graph(
    block: &mut Block,
    kind: GraphKind,
    root: Option<usize>,
    nodes: &[Node],
    lines: &[Line],
) {
    let placed = place(kind, root, nodes, lines);
    // Long names need room.
    let longest = nodes.iter().map(|n| text_width(&n.label, 11.0));
    let step = (longest.fold(0.0, f64::max) + 32.0).clamp(STEP, LONGEST);
    let down = if placed.layers { LAYER } else { step };
    let drawing = Drawing {
        kind,
        root,
        nodes,
        at: placed.at.iter().map(|p| (p.0 * step, p.1 * down)).collect(),
        ends: lines.iter().map(|l| (l.from, l.to)).collect(),
        step,
    };
    let bends = bends(&placed.at, lines, root);
    let mut loops = vec![0; nodes.len()];
    let curves: Vec<Vec<Point>> = lines
        .iter()
        .zip(&bends)
        .map(|(line, bend)| {
            let nth = loops[line.from];
            loops[line.from] += usize::from(line.from == line.to);
            drawing.line(block, line, *bend, nth)
        })
        .collect();
    write_on_lines(block, lines, &curves);
    for (l, curve) in curves.iter().enumerate() {
        if let Some(middle) = curve.get(curve.len() / 2) {
            block.target(Of::Line(l), *middle, (20.0, 20.0));
        }
    }
    for (v, node) in nodes.iter().enumerate() {
        if Some(v) != root {
            vertex(block, drawing.at[v], node);
            let (wide, high) = reach(node);
            let size = (wide.max(RADIUS) * 2.0, high.max(RADIUS) * 2.0);
            block.target(Of::Vertex(v), drawing.at[v], size);
        }
    }
    if let Some(r) = root {
        let (left, right) = drawing.ground_ends();
        let middle = f64::midpoint(left, right);
        let at = (middle, drawing.at[r].1 + 8.0);
        block.target(Of::Vertex(r), at, (right - left, 22.0));
    }
    captions::write(block, &drawing.at, nodes, &curves, root);
    drawing.ground(block);
    block.fit(6.0);
}

impl Drawing<'_> {
    /// The direction of the n-th loop at a vertex, away from its other lines.
    fn leaf(&self, v: usize, n: usize) -> Point {
        // Upwards first; lines within 45 degrees are in the way.
        const HALF: f64 = std::f64::consts::FRAC_1_SQRT_2;
        let all = [
            (0.0, -1.0),
            (HALF, -HALF),
            (-HALF, -HALF),
            (1.0, 0.0),
            (-1.0, 0.0),
            (HALF, HALF),
            (-HALF, HALF),
            (0.0, 1.0),
        ];
        let near = |d: Point| {
            let ends = self.ends.iter().filter(|e| e.0 != e.1);
            let others = ends.filter_map(|(a, b)| match (*a == v, *b == v) {
                (true, _) => Some(*b),
                (_, true) => Some(*a),
                _ => None,
            });
            others
                .filter(|w| {
                    let p = match Some(*w) == self.root {
                        true => (self.at[v].0, self.at[*w].1),
                        false => self.at[*w],
                    };
                    let (x, y) = (p.0 - self.at[v].0, p.1 - self.at[v].1);
                    x * d.0 + y * d.1 > 0.7 * distance(p, self.at[v])
                })
                .count()
        };
        let mut sorted: Vec<(usize, usize)> = all
            .iter()
            .map(|d| near(*d))
            .enumerate()
            .map(|(i, c)| (c, i))
            .collect();
        sorted.sort_unstable();
        sorted.get(n % all.len()).map_or(all[0], |s| all[s.1])
    }

    /// Draws a line (a loop as the n-th one at its vertex). Returns points along it.
    fn line(&self, block: &mut Block, line: &Line, bend: f64, nth: usize) -> Vec<Point> {
        let mark = line.spot.marks.first();
        let owner = mark.map(|m| m.owner);
        let mut push = |from: Point, control: Option<Point>, to: Point, arrow: bool| {
            block.items.push(Item::Path {
                from,
                control,
                to,
                ink: owner.map_or(Ink::Line, Ink::Owner),
                width: if owner.is_some() { 3.5 } else { 1.6 },
                dash: owner.map_or(Dash::Solid, dash),
                arrow,
            });
        };
        let points = |from: Point, control: Point, to: Point| -> Vec<Point> {
            let count = (distance(from, to) / 4.0).clamp(8.0, 60.0) as usize;
            let t = |k: usize| (k as f64 + 0.5) / count as f64;
            (0..count)
                .map(|k| on_curve(from, control, to, t(k)))
                .collect()
        };
        if line.from == line.to {
            // A loop is a leaf beside its vertex, where there is room; on the ground, it is beside the figure.
            let (p, (x, y)) = match Some(line.from) == self.root {
                true => (self.beside(nth), (0.0, -1.0)),
                false => (self.at[line.from], self.leaf(line.from, nth)),
            };
            let top = (p.0 + 42.0 * x, p.1 + 42.0 * y);
            let (left, right) = (
                (top.0 + 32.0 * y, top.1 - 32.0 * x),
                (top.0 - 32.0 * y, top.1 + 32.0 * x),
            );
            let arrow = self.kind == GraphKind::Digraph;
            push(p, Some(left), top, false);
            let end = match arrow {
                true => self.before(line.from, right),
                false => p,
            };
            push(top, Some(right), end, arrow);
            let mut all = points(top, right, p);
            all.extend(points(p, left, top));
            return all;
        }
        let aside = bend * self.step;
        let (from, to) = match self.root {
            // The ground is as wide as the figure, so its lines go straight down to it.
            Some(r) if line.from == r => {
                let to = self.at[line.to];
                ((to.0 + aside, self.at[r].1), to)
            }
            Some(r) if line.to == r => {
                let from = self.at[line.from];
                (from, (from.0 - aside, self.at[r].1))
            }
            _ => (self.at[line.from], self.at[line.to]),
        };
        let grounded = self.root.is_some_and(|r| line.from == r || line.to == r);
        let middle = (f64::midpoint(from.0, to.0), f64::midpoint(from.1, to.1));
        let length = distance(from, to).max(1e-9);
        let control = (bend != 0.0 && !grounded).then(|| {
            let (dx, dy) = ((to.0 - from.0) / length, (to.1 - from.1) / length);
            (middle.0 - dy * aside, middle.1 + dx * aside)
        });
        let arrow = self.kind == GraphKind::Digraph;
        let end = match arrow {
            true => self.before(line.to, control.unwrap_or(from)),
            false => to,
        };
        push(from, control, end, arrow);
        points(from, control.unwrap_or(middle), to)
    }

    /// The point where an arrow from `from` meets the contents of a vertex.
    fn before(&self, v: usize, from: Point) -> Point {
        let (to, (wide, high)) = (self.at[v], reach(&self.nodes[v]));
        let length = distance(from, to).max(1e-9);
        let (ux, uy) = ((to.0 - from.0) / length, (to.1 - from.1) / length);
        // An ellipse for a row of pieces, otherwise a circle.
        let (x, y) = (ux / (wide + 2.0), uy / (high + 2.0));
        let back = 1.0 / (x * x + y * y).sqrt().max(1e-9);
        (to.0 - ux * back, to.1 - uy * back)
    }

    /// The leftmost and rightmost place of a vertex, ignoring the ground if there are others.
    fn sides(&self) -> (f64, f64) {
        let alone = self.nodes.len() == 1;
        let all = self.at.iter().enumerate();
        let xs = all.filter(|(v, _)| Some(*v) != self.root || alone);
        xs.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), (_, p)| {
            (low.min(p.0), high.max(p.0))
        })
    }

    /// The place of the n-th loop on the ground: beside everything else.
    fn beside(&self, n: usize) -> Point {
        let y = self.root.map_or(0.0, |r| self.at[r].1);
        (self.sides().1 + 56.0 * (n as f64 + 1.0), y)
    }

    /// The left and right end of the ground.
    fn ground_ends(&self) -> (f64, f64) {
        let on_it = |e: &&(usize, usize)| e.0 == e.1 && Some(e.0) == self.root;
        let right = match self.ends.iter().filter(on_it).count() {
            0 => self.sides().1,
            n => self.beside(n - 1).0,
        };
        (self.sides().0 - 30.0, right + 30.0)
    }

    fn ground(&self, block: &mut Block) {
        let Some(r) = self.root else { return };
        let y = self.at[r].1;
        let (left, right) = self.ground_ends();
        block.line((left, y), (right, y), Ink::Line, 3.0);
        let mut x = left + 4.0;
        while x < right {
            block.line((x, y + 2.0), (x - 6.0, y + 10.0), Ink::Faint, 1.0);
            x += 8.0;
        }
        let own = &self.nodes[r].spot;
        spot(block, (right + 14.0, y), 9.0, own);
        let tokens = own.tokens.iter().map(|t| format!("({t})"));
        let text: Vec<String> = own.notes.iter().cloned().chain(tokens).collect();
        if !text.is_empty() {
            let at = (right + 32.0, y);
            block.text(at, text.join(" "), 11.0, Ink::Faint, Anchor::Start);
        }
    }
}

/// Writes the marks of each line on it, away from other lines and texts.
fn write_on_lines(block: &mut Block, lines: &[Line], curves: &[Vec<Point>]) {
    let mut written: Vec<Point> = Vec::new();
    for (i, line) in lines.iter().enumerate() {
        let mut words: Vec<String> = line.spot.marks.iter().map(mark_text).collect();
        words.extend(line.spot.notes.iter().cloned());
        words.extend(line.spot.tokens.iter().map(|t| format!("({t})")));
        if words.is_empty() {
            continue;
        }
        let text = words.join(" ");
        let half = text_width(&text, 11.0) / 2.0 + 6.0;
        let hides = |p: Point, q: &Point| (p.0 - q.0).abs() < half && (p.1 - q.1).abs() < 10.0;
        let cost = |p: Point| -> usize {
            let others = curves.iter().enumerate().filter(|(j, _)| *j != i);
            let crossed = match lines.len() < MANY {
                true => others.flat_map(|c| c.1).filter(|q| hides(p, q)).count(),
                false => 0,
            };
            let near = |q: &&Point| (p.0 - q.0).abs() < 2.0 * half && (p.1 - q.1).abs() < 16.0;
            crossed + 20 * written.iter().filter(near).count()
        };
        let curve = &curves[i];
        let at = |part: f64| curve.get((part * curve.len() as f64) as usize).copied();
        // For a loop, the first point is the end of the lower half, at the top of the loop.
        let places = match line.from == line.to {
            true => vec![0.0],
            false => vec![0.5, 0.42, 0.58, 0.35, 0.65, 0.3, 0.7],
        };
        let best = places.into_iter().filter_map(at).min_by_key(|p| cost(*p));
        let Some(best) = best else { continue };
        block.text_on_line(best, text, 11.0);
        written.push(best);
    }
}

fn vertex(block: &mut Block, at: Point, node: &Node) {
    if !node.spot.marks.is_empty() {
        return spot(block, at, RADIUS, &node.spot);
    }
    let mut disc = |radius: f64, fill: Ink| {
        block.items.push(Item::Piece {
            form: Form::Disc,
            at,
            radius,
            fill,
            border: Ink::Line,
        });
    };
    if node.spot.tokens.is_empty() {
        disc(5.0, Ink::Paper);
    } else {
        disc(10.0, Ink::Paper);
        disc(5.0, Ink::Line);
    }
}
