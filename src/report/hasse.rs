//! Draws Hasse diagrams, from names and covering pairs, as pictures or DOT graphs.
//!
//! A game is above those that it covers, at the height of the longest chain below it. In the lattice of games born by day n,
//! which is distributive (Siegel, *Combinatorial Game Theory*, III.1), all maximal chains below a game have the same length.

use super::draw::scene::{Anchor, Block, Ink, Item, Scene, seen};
use crate::claim::Born;
use std::fmt::Write;

/// The levels of the diagram from the bottom up, each from left to right.
fn levels(count: usize, edges: &[(usize, usize)]) -> Vec<Vec<usize>> {
    let (mut above, mut below) = (vec![Vec::new(); count], vec![Vec::new(); count]);
    for &(low, high) in edges {
        above[low].push(high);
        below[high].push(low);
    }
    // Computes heights by removing minimal elements; the order has no cycles.
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
    // Places each game over the mean of its neighbours, in a few sweeps up and down.
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

/// The diagram as a picture.
#[must_use]
pub fn hasse_scene(born: &Born) -> Scene {
    let levels = levels(born.games.len(), &born.covers);
    let longest = born.games.iter().map(|g| seen(g)).max();
    let column = (longest.unwrap_or(1) as f64).mul_add(8.0, 24.0).min(160.0);
    let row = 64.0;
    let mut place = vec![(0.0, 0.0); born.games.len()];
    for (i, level) in levels.iter().enumerate() {
        for (j, g) in level.iter().enumerate() {
            place[*g] = (
                column * (j as f64 - (level.len() - 1) as f64 / 2.0),
                row * (levels.len() - 1 - i) as f64,
            );
        }
    }
    let mut block = Block::default();
    for &(low, high) in &born.covers {
        block.line(place[low], place[high], Ink::Faint, 1.0);
    }
    for (name, at) in born.games.iter().zip(&place) {
        let half = seen(name) as f64 * 4.0 + 5.0;
        block.items.push(Item::Rectangle {
            at: (at.0 - half, at.1 - 10.0),
            size: (half * 2.0, 20.0),
            fill: Ink::Paper,
            border: Ink::None,
        });
        block.text(*at, name.clone(), 13.0, Ink::Line, Anchor::Middle);
    }
    block.fit(16.0);
    Scene {
        block,
        title: format!("Games born by day {}", born.day),
        description: format!(
            "The Hasse diagram of {} games and {} covering pairs: the greater above.",
            born.games.len(),
            born.covers.len()
        ),
    }
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
