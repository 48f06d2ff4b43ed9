//! Lays out a graph. Input: vertices and lines; output: a place in the plane for each vertex, with neighbours about one unit
//! apart (y grows downwards). Deterministic: no randomness, and no function that machines round differently.
//!
//! Layers: crossings are reduced by barycentres (Sugiyama, Tagawa and Toda 1981), and within a layer the places are the
//! least-squares fit to the neighbours with minimum distances (isotonic regression, pool adjacent violators). Other graphs:
//! the stress of the graph distances is reduced vertex by vertex (Gansner, Koren and North 2004), starting from classical
//! scaling, so that paths come out straight, cycles round, and grids square.

use std::collections::VecDeque;

/// A place: x to the right, y downwards.
pub type Point = (f64, f64);

/// A graph to be laid out.
#[derive(Clone, Debug, Default)]
pub struct Graph {
    /// The number of vertices.
    pub nodes: usize,
    /// The lines between them; loops and parallel lines are allowed.
    pub lines: Vec<(usize, usize)>,
}

impl Graph {
    fn neighbours(&self) -> Vec<Vec<usize>> {
        let mut all = vec![Vec::new(); self.nodes];
        for (u, v) in &self.lines {
            if u != v {
                all[*u].push(*v);
                all[*v].push(*u);
            }
        }
        for list in &mut all {
            list.sort_unstable();
            list.dedup();
        }
        all
    }

    /// The length of the longest chain of lines that ends at each vertex; `None` if there is a directed cycle.
    #[must_use]
    pub fn ranks(&self) -> Option<Vec<usize>> {
        let mut out = vec![Vec::new(); self.nodes];
        let mut open = vec![0usize; self.nodes];
        for (u, v) in &self.lines {
            out[*u].push(*v);
            open[*v] += 1;
        }
        let mut rank = vec![0; self.nodes];
        let mut ready: VecDeque<usize> = (0..self.nodes).filter(|v| open[*v] == 0).collect();
        let mut done = 0;
        while let Some(u) = ready.pop_front() {
            done += 1;
            for v in &out[u] {
                rank[*v] = rank[*v].max(rank[u] + 1);
                open[*v] -= 1;
                if open[*v] == 0 {
                    ready.push_back(*v);
                }
            }
        }
        (done == self.nodes).then_some(rank)
    }

    /// The distances from a vertex; for vertices that cannot be reached, the greatest distance plus one.
    #[must_use]
    pub fn distances(&self, from: usize) -> Vec<usize> {
        let found = breadth(&self.neighbours(), from);
        let far = found.iter().flatten().max().map_or(0, |d| d + 1);
        found.into_iter().map(|d| d.unwrap_or(far)).collect()
    }

    /// The connected components, in the order of their first vertices.
    #[must_use]
    pub fn components(&self) -> Vec<Vec<usize>> {
        let near = self.neighbours();
        let mut seen = vec![false; self.nodes];
        let mut all = Vec::new();
        for start in 0..self.nodes {
            if seen[start] {
                continue;
            }
            seen[start] = true;
            let mut part = vec![start];
            let mut next = 0;
            while let Some(u) = part.get(next).copied() {
                next += 1;
                for v in &near[u] {
                    if !std::mem::replace(&mut seen[*v], true) {
                        part.push(*v);
                    }
                }
            }
            part.sort_unstable();
            all.push(part);
        }
        all
    }
}

fn breadth(near: &[Vec<usize>], from: usize) -> Vec<Option<usize>> {
    let mut found = vec![None; near.len()];
    let mut queue = VecDeque::from([from]);
    if let Some(first) = found.get_mut(from) {
        *first = Some(0);
    }
    while let Some(u) = queue.pop_front() {
        let d = found[u].unwrap_or(0) + 1;
        for v in &near[u] {
            if found[*v].is_none() {
                found[*v] = Some(d);
                queue.push_back(*v);
            }
        }
    }
    found
}

/// Vertices in layers: `rank` is the y of each. A line across several layers gets room in those between.
#[must_use]
pub fn layered(graph: &Graph, rank: &[usize]) -> Vec<Point> {
    // Dummy vertices represent a long line in the layers that it crosses. Their number is bounded, for dense orders.
    let mut rank: Vec<usize> = rank.to_vec();
    let mut near: Vec<(Vec<usize>, Vec<usize>)> = vec![Default::default(); graph.nodes];
    let join = |near: &mut Vec<(Vec<usize>, Vec<usize>)>, low: usize, high: usize| {
        near[low].1.push(high);
        near[high].0.push(low);
    };
    for (u, v) in &graph.lines {
        let (low, high) = if rank[*u] <= rank[*v] {
            (*u, *v)
        } else {
            (*v, *u)
        };
        if rank[low] == rank[high] {
            continue;
        }
        let mut last = low;
        if rank.len() < 4 * graph.nodes + 200 {
            for r in rank[low] + 1..rank[high] {
                rank.push(r);
                near.push(Default::default());
                let new = rank.len() - 1;
                join(&mut near, last, new);
                last = new;
            }
        }
        join(&mut near, last, high);
    }
    let layers_count = rank.iter().max().map_or(0, |r| r + 1);
    let mut layers: Vec<Vec<usize>> = vec![Vec::new(); layers_count];
    for (v, r) in rank.iter().enumerate() {
        layers[*r].push(v);
    }
    let mut place = vec![0.0; rank.len()];
    let number = |layers: &[Vec<usize>], place: &mut Vec<f64>| {
        for layer in layers {
            for (i, v) in layer.iter().enumerate() {
                place[*v] = i as f64 - (layer.len() as f64 - 1.0) / 2.0;
            }
        }
    };
    number(&layers, &mut place);
    let mut best = (crossings(&layers, &near), layers.clone());
    for sweep in 0..12 {
        let up = sweep % 2 == 0;
        let order: Vec<usize> = if up {
            (1..layers_count).collect()
        } else {
            (0..layers_count.saturating_sub(1)).rev().collect()
        };
        for r in order {
            let mut keyed: Vec<(f64, usize, usize)> = layers[r]
                .iter()
                .enumerate()
                .map(|(i, v)| {
                    let side = if up { &near[*v].0 } else { &near[*v].1 };
                    (mean(side, &place).unwrap_or(place[*v]), i, *v)
                })
                .collect();
            keyed.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
            layers[r] = keyed.into_iter().map(|k| k.2).collect();
            number(&layers[r..=r], &mut place);
        }
        let now = crossings(&layers, &near);
        if now < best.0 {
            best = (now, layers.clone());
        }
    }
    let layers = best.1;
    number(&layers, &mut place);
    // In their order within a layer, vertices take the places nearest to their neighbours.
    let gap = |u: usize, v: usize| {
        if u >= graph.nodes && v >= graph.nodes {
            0.6
        } else {
            1.0
        }
    };
    for sweep in 0..24 {
        for r in 0..layers_count {
            let r = if sweep % 2 == 0 {
                r
            } else {
                layers_count - 1 - r
            };
            let wanted: Vec<f64> = layers[r]
                .iter()
                .map(|v| {
                    let all: Vec<usize> = near[*v].0.iter().chain(&near[*v].1).copied().collect();
                    mean(&all, &place).unwrap_or(place[*v])
                })
                .collect();
            let mut offsets = vec![0.0; layers[r].len()];
            for i in 1..offsets.len() {
                offsets[i] = offsets[i - 1] + gap(layers[r][i - 1], layers[r][i]);
            }
            let free: Vec<f64> = wanted.iter().zip(&offsets).map(|(w, o)| w - o).collect();
            for ((v, x), o) in layers[r].iter().zip(isotonic(&free)).zip(&offsets) {
                place[*v] = x + o;
            }
        }
    }
    (0..graph.nodes)
        .map(|v| (place[v], rank[v] as f64))
        .collect()
}

fn mean(items: &[usize], place: &[f64]) -> Option<f64> {
    if items.is_empty() {
        return None;
    }
    Some(items.iter().map(|v| place[*v]).sum::<f64>() / items.len() as f64)
}

/// The number of crossings of lines between adjacent layers.
fn crossings(layers: &[Vec<usize>], near: &[(Vec<usize>, Vec<usize>)]) -> usize {
    let mut index = vec![0; near.len()];
    for layer in layers {
        for (i, v) in layer.iter().enumerate() {
            index[*v] = i;
        }
    }
    let mut count = 0;
    for layer in layers {
        let mut ends: Vec<usize> = Vec::new();
        for v in layer {
            let mut own: Vec<usize> = near[*v].1.iter().map(|w| index[*w]).collect();
            own.sort_unstable();
            for end in &own {
                count += ends.iter().filter(|e| *e > end).count();
            }
            ends.extend(own);
            if ends.len() > 2000 {
                // Far too many to see; any order will do.
                return usize::MAX;
            }
        }
    }
    count
}

/// The least-squares fit to the values by a non-decreasing sequence.
fn isotonic(values: &[f64]) -> Vec<f64> {
    let mut blocks: Vec<(f64, usize)> = Vec::new();
    for v in values {
        blocks.push((*v, 1));
        while let [.., (a, m), (b, n)] = blocks[..]
            && a > b
        {
            blocks.pop();
            blocks.pop();
            let (fm, fn_) = (m as f64, n as f64);
            blocks.push(((a * fm + b * fn_) / (fm + fn_), m + n));
        }
    }
    blocks
        .into_iter()
        .flat_map(|(v, n)| std::iter::repeat_n(v, n))
        .collect()
}

/// Lays out a path that is too long for the width of a page in rows of alternating direction.
#[must_use]
pub fn snake(graph: &Graph) -> Option<Vec<Point>> {
    const LONG: usize = 24;
    let near = graph.neighbours();
    let n = graph.nodes;
    if n <= LONG || graph.lines.len() + 1 != n || near.iter().any(|list| list.len() > 2) {
        return None;
    }
    let start = near.iter().position(|list| list.len() == 1)?;
    // A cycle and a separate path also have n - 1 lines, but then some vertices cannot be reached.
    let along: Vec<usize> = breadth(&near, start).into_iter().collect::<Option<_>>()?;
    let row = (2.0 * n as f64).sqrt().ceil() as usize;
    let place = |k: usize| {
        let (r, c) = (k / row, k % row);
        let x = if r % 2 == 0 { c } else { row - 1 - c };
        (x as f64, r as f64)
    };
    Some(along.into_iter().map(place).collect())
}

/// Two rows, if the graph is complete bipartite; except for a star and a square, which have better pictures.
#[must_use]
pub fn complete_bipartite(graph: &Graph) -> Option<Vec<Point>> {
    let near = graph.neighbours();
    let side: Vec<usize> = breadth(&near, 0)
        .into_iter()
        .map(|d| d.map(|d| d % 2))
        .collect::<Option<_>>()?;
    let size = |s: usize| side.iter().filter(|t| **t == s).count();
    let sizes = [size(0), size(1)];
    let full = near
        .iter()
        .zip(&side)
        .all(|(list, s)| list.len() == sizes[1 - s] && list.iter().all(|v| side[*v] != *s));
    if !full || sizes[0].min(sizes[1]) < 2 || sizes == [2, 2] {
        return None;
    }
    let down = (sizes[0].max(sizes[1]) as f64 / 3.0).clamp(1.0, 3.0);
    let mut placed = [0.0; 2];
    let places = side.iter().map(|s| {
        let x = placed[*s] - (sizes[*s] as f64 - 1.0) / 2.0;
        placed[*s] += 1.0;
        (x, down * *s as f64)
    });
    Some(places.collect())
}

/// Places by graph distances; components are side by side.
#[must_use]
pub fn by_distances(graph: &Graph) -> Vec<Point> {
    let near = graph.neighbours();
    let mut places = vec![(0.0, 0.0); graph.nodes];
    let mut right = 0.0;
    for part in graph.components() {
        let own = component(&part, &near);
        let least = |f: fn(&Point) -> f64| own.iter().map(f).fold(f64::INFINITY, f64::min);
        let most = |f: fn(&Point) -> f64| own.iter().map(f).fold(f64::NEG_INFINITY, f64::max);
        let (left, middle) = (least(|p| p.0), f64::midpoint(least(|p| p.1), most(|p| p.1)));
        for (v, p) in part.iter().zip(&own) {
            places[*v] = (p.0 - left + right, p.1 - middle);
        }
        right += most(|p| p.0) - left + 1.0;
    }
    places
}

fn component(part: &[usize], near: &[Vec<usize>]) -> Vec<Point> {
    let n = part.len();
    if n == 1 {
        return vec![(0.0, 0.0)];
    }
    let d: Vec<Vec<f64>> = part
        .iter()
        .map(|v| {
            let all = breadth(near, *v);
            part.iter()
                .map(|w| all[*w].unwrap_or(1).max(1) as f64)
                .collect()
        })
        .collect();
    let mut at = scaling(&d);
    let rounds = (20_000_000 / (n * n)).clamp(10, 200);
    for _ in 0..rounds {
        let mut moved: f64 = 0.0;
        for i in 0..n {
            let (mut x, mut y, mut weights) = (0.0, 0.0, 0.0);
            for j in 0..n {
                if i == j {
                    continue;
                }
                let (dx, dy) = (at[i].0 - at[j].0, at[i].1 - at[j].1);
                let length = (dx * dx + dy * dy).sqrt().max(1e-9);
                let w = 1.0 / (d[i][j] * d[i][j]);
                x += w * (at[j].0 + d[i][j] * dx / length);
                y += w * (at[j].1 + d[i][j] * dy / length);
                weights += w;
            }
            let new = (x / weights, y / weights);
            moved = moved.max((new.0 - at[i].0).abs() + (new.1 - at[i].1).abs());
            at[i] = new;
        }
        if moved < 1e-4 {
            break;
        }
    }
    level(&mut at);
    snap(&mut at);
    at
}

/// Aligns vertices that are almost in one row or column.
fn snap(at: &mut [Point]) {
    const NEAR: f64 = 0.08;
    fn axis(at: &mut [Point], of: impl Fn(&mut Point) -> &mut f64) {
        let mut order: Vec<usize> = (0..at.len()).collect();
        order.sort_by(|a, b| {
            let (x, y) = (*of(&mut at[*a]), *of(&mut at[*b]));
            x.total_cmp(&y).then(a.cmp(b))
        });
        let mut start = 0;
        while start < order.len() {
            let first = *of(&mut at[order[start]]);
            let mut end = start;
            let mut sum = 0.0;
            while end < order.len() && *of(&mut at[order[end]]) - first < NEAR {
                sum += *of(&mut at[order[end]]);
                end += 1;
            }
            let mean = sum / (end - start) as f64;
            for v in &order[start..end] {
                *of(&mut at[*v]) = mean;
            }
            start = end;
        }
    }
    axis(at, |p| &mut p.0);
    axis(at, |p| &mut p.1);
}

/// Rotates so that the longest direction is horizontal, and the first vertex is at the left and above.
fn level(at: &mut [Point]) {
    let n = at.len() as f64;
    let (mx, my) = at
        .iter()
        .fold((0.0, 0.0), |s, p| (s.0 + p.0 / n, s.1 + p.1 / n));
    let (mut a, mut b, mut c) = (0.0, 0.0, 0.0);
    for p in at.iter() {
        let (x, y) = (p.0 - mx, p.1 - my);
        a += x * x;
        b += x * y;
        c += y * y;
    }
    // The eigenvector of the greater eigenvalue of the moments; in a round figure the first vertex is put at the top.
    let gap = ((a - c) * (a - c) + 4.0 * b * b).sqrt();
    let (mut ux, mut uy) = (1.0, 0.0);
    let round = gap <= 0.02 * (a + c);
    if round {
        let (x, y) = (at[0].0 - mx, at[0].1 - my);
        let length = (x * x + y * y).sqrt();
        if length > 1e-6 {
            (ux, uy) = (-y / length, x / length);
        }
    } else {
        let v = if a >= c {
            ((a - c + gap) / 2.0, b)
        } else {
            (b, (c - a + gap) / 2.0)
        };
        let length = (v.0 * v.0 + v.1 * v.1).sqrt();
        if length > 1e-12 {
            (ux, uy) = (v.0 / length, v.1 / length);
        }
    }
    for p in at.iter_mut() {
        let (x, y) = (p.0 - mx, p.1 - my);
        *p = (x * ux + y * uy, -x * uy + y * ux);
    }
    if (!round && at[0].0 > 1e-6) || (round && at.get(1).is_some_and(|p| p.0 < -1e-6)) {
        at.iter_mut().for_each(|p| p.0 = -p.0);
    }
    if at[0].1 > 1e-6 {
        at.iter_mut().for_each(|p| p.1 = -p.1);
    }
}

/// Classical scaling: the eigenvectors of the two greatest eigenvalues of the doubly centred squared distances, by power
/// iteration, with a small fixed disturbance that keeps symmetric figures from collapsing.
fn scaling(d: &[Vec<f64>]) -> Vec<Point> {
    let n = d.len();
    let rows: Vec<f64> = d
        .iter()
        .map(|r| r.iter().map(|x| x * x).sum::<f64>() / n as f64)
        .collect();
    let all = rows.iter().sum::<f64>() / n as f64;
    let b = |i: usize, j: usize| {
        let square = if i == j { 0.0 } else { d[i][j] * d[i][j] };
        -0.5 * (square - rows[i] - rows[j] + all)
    };
    // A fixed pseudorandom sequence with a long period.
    let noise = |k: usize| {
        let x = (k as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        (x >> 40) as f64 / f64::from(1 << 24) - 0.5
    };
    let mut axes: Vec<Vec<f64>> = Vec::new();
    let rounds = (20_000_000 / (n * n)).clamp(5, 60);
    for axis in 0..2 {
        let mut v: Vec<f64> = (0..n).map(|i| noise(i * 2 + axis)).collect();
        let mut size = 0.0;
        for _ in 0..rounds {
            for a in &axes {
                let (dot, own) = (product(&v, a), product(a, a).max(1e-12));
                v.iter_mut().zip(a).for_each(|(x, y)| *x -= dot / own * y);
            }
            let w: Vec<f64> = (0..n)
                .map(|i| (0..n).map(|j| b(i, j) * v[j]).sum())
                .collect();
            size = product(&w, &w).sqrt();
            if size < 1e-9 {
                break;
            }
            v = w.into_iter().map(|x| x / size).collect();
        }
        let scale = size.max(0.0).sqrt();
        axes.push(v.into_iter().map(|x| x * scale).collect());
    }
    (0..n)
        .map(|i| {
            (
                axes[0][i] + 0.01 * noise(3 * i),
                axes[1][i] + 0.01 * noise(3 * i + 1),
            )
        })
        .collect()
}

fn product(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn graph(nodes: usize, lines: &[(usize, usize)]) -> Graph {
        Graph {
            nodes,
            lines: lines.to_vec(),
        }
    }

    fn distance(a: Point, b: Point) -> f64 {
        ((a.0 - b.0).powi(2) + (a.1 - b.1).powi(2)).sqrt()
    }

    #[test]
    fn a_path_is_straight_and_a_cycle_round() {
        let lines: Vec<(usize, usize)> = (0..5).map(|i| (i, i + 1)).collect();
        let path = by_distances(&graph(6, &lines));
        for i in 0..6 {
            assert!((path[i].0 - i as f64).abs() < 0.05, "{path:?}");
            assert!(path[i].1.abs() < 0.1, "{path:?}");
        }
        let lines: Vec<(usize, usize)> = (0..6).map(|i| (i, (i + 1) % 6)).collect();
        let cycle = by_distances(&graph(6, &lines));
        let side = distance(cycle[0], cycle[1]);
        for i in 0..6 {
            let s = distance(cycle[i], cycle[(i + 1) % 6]);
            assert!((s - side).abs() < 0.05, "{cycle:?}");
        }
    }

    #[test]
    fn neighbours_are_not_on_top_of_each_other() {
        // K5 and a star.
        let all: Vec<(usize, usize)> = (0..5)
            .flat_map(|i| (i + 1..5).map(move |j| (i, j)))
            .collect();
        let star: Vec<(usize, usize)> = (1..8).map(|i| (0, i)).collect();
        for g in [graph(5, &all), graph(8, &star)] {
            let at = by_distances(&g);
            for i in 0..g.nodes {
                for j in 0..i {
                    assert!(distance(at[i], at[j]) > 0.4, "{at:?}");
                }
            }
        }
    }

    #[test]
    fn layers_keep_their_distance_and_do_not_cross_in_trees() {
        // A binary tree, given in a confusing order.
        let g = graph(7, &[(0, 1), (0, 2), (2, 3), (1, 4), (2, 5), (1, 6)]);
        let rank = g.ranks().expect("no circle");
        assert_eq!(rank, [0, 1, 1, 2, 2, 2, 2]);
        let at = layered(&g, &rank);
        let side = |v: usize| at[v].0;
        assert!((side(4) - side(6)).abs() >= 0.999 && (side(3) - side(5)).abs() >= 0.999);
        assert_eq!(
            side(1) < side(2),
            side(4).max(side(6)) < side(3).min(side(5))
        );
        assert!(graph(2, &[(0, 1), (1, 0)]).ranks().is_none());
    }

    #[test]
    fn complete_bipartite_graphs_have_two_rows_and_long_paths_several() {
        let all: Vec<(usize, usize)> = (0..3).flat_map(|i| (3..5).map(move |j| (i, j))).collect();
        let at = complete_bipartite(&graph(5, &all)).expect("two rows");
        assert!(at[..3].iter().all(|p| p.1 == at[0].1) && at[3].1 == at[4].1 && at[0].1 < at[3].1);
        assert_eq!(complete_bipartite(&graph(5, &all[1..])), None);
        let star: Vec<(usize, usize)> = (1..8).map(|i| (0, i)).collect();
        assert_eq!(complete_bipartite(&graph(8, &star)), None);
        let path: Vec<(usize, usize)> = (0..199).map(|i| (i, i + 1)).collect();
        let at = snake(&graph(200, &path)).expect("rows");
        for (u, v) in &path {
            assert!((distance(at[*u], at[*v]) - 1.0).abs() < 1e-9);
        }
        assert!(at.iter().all(|p| p.0 < 25.0));
        assert_eq!(snake(&graph(20, &path[..19])), None);
        assert_eq!(snake(&graph(200, &path[1..])), None);
    }

    #[test]
    fn isotonic_regression() {
        assert_eq!(isotonic(&[1.0, 3.0, 2.0, 4.0]), [1.0, 2.5, 2.5, 4.0]);
        assert_eq!(isotonic(&[3.0, 2.0, 1.0]), [2.0, 2.0, 2.0]);
    }
}
