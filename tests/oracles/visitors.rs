//! Games that visitors wrote from papers and from *Winning Ways*, again from their definitions.

use super::brute::{Case, State};
use super::literal::{Literal, numbers};

/// The cells of a board row by row, and the number of columns.
fn pawns(l: &Literal) -> (State, usize) {
    let rows = l.rows();
    let width = rows[0].len();
    let code = |c: &char| match c {
        'x' => 1,
        'o' => 2,
        _ => 0,
    };
    (rows.iter().flatten().map(code).collect(), width)
}

/// Left's pawns move up, Right's down. In Hexapawn an arrival ends the game; in Dawson's Chess captures are mandatory.
fn pawn_moves(s: &State, width: usize, left: bool, hexapawn: bool) -> Vec<State> {
    let (width, cells) = (width as i32, s.len() as i32);
    let rows = cells / width;
    let arrived = |c: i32, piece: i32, row: i32| s[c as usize] == piece && c / width == row;
    if hexapawn && (0..cells).any(|c| arrived(c, 1, 0) || arrived(c, 2, rows - 1)) {
        return vec![];
    }
    let (me, ahead) = if left { (1, -1) } else { (2, 1) };
    let (mut steps, mut captures) = (Vec::new(), Vec::new());
    for c in (0..cells).filter(|c| s[*c as usize] == me) {
        for side in [-1, 0, 1] {
            let (row, column) = (c / width + ahead, c % width + side);
            if !(0..rows).contains(&row) || !(0..width).contains(&column) {
                continue;
            }
            let to = (row * width + column) as usize;
            if s[to] == if side == 0 { 0 } else { 3 - me } {
                let mut after = s.clone();
                after[c as usize] = 0;
                after[to] = me;
                if side == 0 {
                    steps.push(after);
                } else {
                    captures.push(after);
                }
            }
        }
    }
    if hexapawn {
        steps.extend(captures);
        steps
    } else if captures.is_empty() {
        steps
    } else {
        captures
    }
}

/// Pairs (rows, columns) one after the other, sorted.
fn eatcake(s: &State, left: bool) -> Vec<State> {
    let cakes: Vec<[i32; 2]> = s.chunks(2).map(|c| [c[0], c[1]]).collect();
    let mut next = Vec::new();
    for i in 0..cakes.len() {
        let [m, n] = cakes[i];
        for k in 0..if left { n } else { m } {
            let parts = if left {
                [[m, k], [m, n - 1 - k]]
            } else {
                [[k, n], [m - 1 - k, n]]
            };
            let mut after = [&cakes[..i], &cakes[i + 1..]].concat();
            after.extend(parts.iter().filter(|c| c[0] > 0 && c[1] > 0));
            after.sort_unstable();
            next.push(after.concat());
        }
    }
    next
}

fn sowing(s: &State, left: bool) -> Vec<State> {
    let way = if left { 1 } else { -1 };
    let mut next = Vec::new();
    for i in 0..s.len() as i32 {
        let k = s[i as usize];
        let last = i + way * k;
        if k == 0 || last < 0 || s.get(last as usize).is_none_or(|&n| n == 0) {
            continue;
        }
        let mut after = s.clone();
        after[i as usize] = 0;
        (1..=k).for_each(|j| after[(i + way * j) as usize] += 1);
        next.push(after);
    }
    next
}

/// The heights of the lawn, then the number of cells before the roller.
fn lawn(s: &State, left: bool) -> Vec<State> {
    let n = s.len() - 1;
    let at = s[n] as usize;
    let ends: Vec<usize> = if left {
        (0..at).collect()
    } else {
        (at + 1..=n).collect()
    };
    let mut next = Vec::new();
    for to in ends {
        let rolled = at.min(to)..at.max(to);
        if s[rolled.clone()].iter().any(|&h| h > 0) {
            let mut after = s.clone();
            rolled.for_each(|i| after[i] = (after[i] - 1).max(0));
            after[n] = to as i32;
            next.push(after);
        }
    }
    next
}

/// The heaps in order, then whether the pass is still available.
fn with_pass(s: &State) -> Vec<State> {
    let (pass, heaps) = s.split_last().map_or((0, s.as_slice()), |(p, h)| (*p, h));
    let mut next = Vec::new();
    for i in 0..heaps.len() {
        for k in 0..heaps[i] {
            let mut after = [&heaps[..i], &heaps[i + 1..]].concat();
            if k > 0 {
                after.push(k);
            }
            after.sort_unstable();
            after.push(pass);
            next.push(after);
        }
    }
    if pass > 0 && !heaps.is_empty() {
        let mut after = heaps.to_vec();
        after.push(pass - 1);
        next.push(after);
    }
    next
}

/// A state has 1 for each remaining edge. Everything attached to the head of the removed arc falls with it.
fn timber(edges: &[(usize, usize)], s: &State) -> Vec<State> {
    let mut next = Vec::new();
    for a in (0..edges.len()).filter(|&a| s[a] == 1) {
        let mut fallen = vec![edges[a].1];
        let mut after = s.clone();
        after[a] = 0;
        loop {
            let hangs = |e: usize| {
                after[e] == 1 && (fallen.contains(&edges[e].0) || fallen.contains(&edges[e].1))
            };
            let Some(e) = (0..edges.len()).find(|&e| hangs(e)) else {
                break;
            };
            after[e] = 0;
            fallen.extend([edges[e].0, edges[e].1]);
        }
        next.push(after);
    }
    next
}

/// 1 for each remaining edge, then the token's vertex.
fn edge_geography(edges: &[(usize, usize)], s: &State) -> Vec<State> {
    let n = edges.len();
    let token = s[n] as usize;
    (0..n)
        .filter(|&e| s[e] == 1 && (edges[e].0 == token || edges[e].1 == token))
        .map(|e| {
            let mut after = s.clone();
            after[e] = 0;
            after[n] = (edges[e].0 + edges[e].1 - token) as i32;
            after
        })
        .collect()
}

/// 1 for each remaining vertex, then for each edge.
fn graph_chomp(vertices: usize, edges: &[(usize, usize)], s: &State) -> Vec<State> {
    let mut next = Vec::new();
    for i in (0..s.len()).filter(|&i| s[i] == 1) {
        let mut after = s.clone();
        after[i] = 0;
        for (e, (u, v)) in edges.iter().enumerate() {
            if *u == i || *v == i {
                after[vertices + e] = 0;
            }
        }
        next.push(after);
    }
    next
}

pub fn case(l: &Literal) -> Option<Case> {
    Some(match l.name.as_str() {
        "DawsonsChess" | "Hexapawn" => {
            let (start, width) = pawns(l);
            let hexapawn = l.name == "Hexapawn";
            Case::new(start, move |s, left| pawn_moves(s, width, left, hexapawn))
        }
        "Eatcake" => Case::new(l.entries.iter().flat_map(|e| numbers(e)).collect(), eatcake),
        "Sowing" => Case::new(numbers(&l.field("seeds")?), sowing),
        "RollTheLawn" => {
            let mut start = numbers(&l.field("bump")?);
            start.push(l.field("roller")?.parse().ok()?);
            Case::new(start, lawn)
        }
        "NimWithPass" => {
            let mut start = l.heaps();
            start.sort_unstable();
            start.push(l.field("pass")?.parse().ok()?);
            Case::new(start, |s, _| with_pass(s))
        }
        "Timber" | "EdgeGeography" | "GraphChomp" => {
            let g = l.graph();
            let edges: Vec<(usize, usize)> = g.edges.iter().map(|e| (e.0, e.1)).collect();
            let (vertices, all) = (g.names.len(), edges.len());
            match l.name.as_str() {
                "Timber" => Case::new(vec![1; all], move |s, _| timber(&edges, s)),
                "GraphChomp" => Case::new(vec![1; vertices + all], move |s, _| {
                    graph_chomp(vertices, &edges, s)
                }),
                _ => {
                    let token = l.field("token")?;
                    let mut start = vec![1; all];
                    start.push(g.names.iter().position(|n| *n == token)? as i32);
                    Case::new(start, move |s, _| edge_geography(&edges, s))
                }
            }
        }
        _ => return None,
    })
}
