//! Hasse diagrams: names and covering pairs come in, an SVG picture or a DOT graph comes out.
//!
//! A game stands above those that it covers, at the height of the longest chain below it. In a lattice of games born by
//! day n, which is distributive (Siegel, *Combinatorial Game Theory*, III.1), all chains to a game are equally long.

use crate::claim::Born;
use std::fmt::Write;

fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

/// The levels of the diagram from the bottom up, each in the order from left to right.
fn levels(count: usize, edges: &[(usize, usize)]) -> Vec<Vec<usize>> {
    let (mut above, mut below) = (vec![Vec::new(); count], vec![Vec::new(); count]);
    for &(low, high) in edges {
        above[low].push(high);
        below[high].push(low);
    }
    // Heights by removing minimal elements; the order has no cycles.
    let mut height = vec![0usize; count];
    let mut waiting: Vec<usize> = below.iter().map(Vec::len).collect();
    let mut ready: Vec<usize> = (0..count).filter(|g| waiting[*g] == 0).collect();
    while let Some(g) = ready.pop() {
        for &h in &above[g] {
            height[h] = height[h].max(height[g] + 1);
            waiting[h] -= 1;
            if waiting[h] == 0 {
                ready.push(h);
            }
        }
    }
    let top = height.iter().max().map_or(0, |h| h + 1);
    let mut levels = vec![Vec::new(); top];
    for g in 0..count {
        levels[height[g]].push(g);
    }
    // Each game over the middle of its neighbours: a few sweeps up and down.
    let mut place = vec![0.0f64; count];
    let centre = |levels: &[Vec<usize>], place: &mut [f64]| {
        for level in levels {
            for (i, g) in level.iter().enumerate() {
                place[*g] = i as f64 - (level.len() - 1) as f64 / 2.0;
            }
        }
    };
    centre(&levels, &mut place);
    for sweep in 0..12 {
        let neighbours = if sweep % 2 == 0 { &below } else { &above };
        for i in 0..top {
            let level = if sweep % 2 == 0 { i } else { top - 1 - i };
            let mean = |g: &usize| {
                let near = &neighbours[*g];
                if near.is_empty() {
                    place[*g]
                } else {
                    near.iter().map(|h| place[*h]).sum::<f64>() / near.len() as f64
                }
            };
            let mut sorted: Vec<(f64, usize)> =
                levels[level].iter().map(|g| (mean(g), *g)).collect();
            sorted.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
            levels[level] = sorted.into_iter().map(|s| s.1).collect();
            let n = levels[level].len();
            for (i, g) in levels[level].iter().enumerate() {
                place[*g] = i as f64 - (n - 1) as f64 / 2.0;
            }
        }
    }
    levels
}

/// The diagram as an SVG picture of its own.
#[must_use]
pub fn hasse_svg(born: &Born) -> String {
    let levels = levels(born.games.len(), &born.covers);
    let widest = levels.iter().map(Vec::len).max().unwrap_or(1);
    let longest = born.games.iter().map(|g| g.chars().count()).max();
    let column = (longest.unwrap_or(1) as f64).mul_add(8.0, 24.0).min(160.0);
    let (row, margin) = (64.0, 40.0);
    let width = margin * 2.0 + column * widest as f64;
    let height = margin * 2.0 + row * levels.len().saturating_sub(1) as f64;
    let mut place = vec![(0.0, 0.0); born.games.len()];
    for (i, level) in levels.iter().enumerate() {
        for (j, g) in level.iter().enumerate() {
            place[*g] = (
                width / 2.0 + column * (j as f64 - (level.len() - 1) as f64 / 2.0),
                height - margin - row * i as f64,
            );
        }
    }
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {height:.0}\" width=\"{width:.0}\" height=\"{height:.0}\" font-family=\"sans-serif\" font-size=\"13\" text-anchor=\"middle\">\n  <title>Games born by day {}</title>\n  <rect width=\"{width:.0}\" height=\"{height:.0}\" fill=\"white\"/>\n",
        born.day
    );
    for &(low, high) in &born.covers {
        let ((x, y), (u, v)) = (place[low], place[high]);
        let _ = writeln!(
            svg,
            "  <path d=\"M {x:.1} {y:.1} L {u:.1} {v:.1}\" stroke=\"gray\"/>"
        );
    }
    for (name, (x, y)) in born.games.iter().zip(&place) {
        let half = name.chars().count() as f64 * 4.0 + 5.0;
        let _ = writeln!(
            svg,
            "  <rect x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"20\" rx=\"4\" fill=\"white\"/><text x=\"{x:.1}\" y=\"{:.1}\">{}</text>",
            x - half,
            y - 10.0,
            half * 2.0,
            y + 4.5,
            escape(name)
        );
    }
    svg.push_str("</svg>\n");
    svg
}

/// The diagram as a DOT graph (Graphviz).
#[must_use]
pub fn hasse_dot(born: &Born) -> String {
    let mut dot = String::from(
        "digraph hasse {\n  rankdir=BT;\n  edge [dir=none];\n  node [shape=plaintext];\n",
    );
    for (i, name) in born.games.iter().enumerate() {
        let name = name.replace('\\', "\\\\").replace('"', "\\\"");
        let _ = writeln!(dot, "  g{i} [label=\"{name}\"];");
    }
    for (low, high) in &born.covers {
        let _ = writeln!(dot, "  g{low} -> g{high};");
    }
    dot.push_str("}\n");
    dot
}
