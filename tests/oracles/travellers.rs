//! Games from books and papers, again from their definitions: Jenga in Zwick's model, Vertexnim on the graph as it changes,
//! Blocking Nim by lists of options, Ski Jumps and similar games cell by cell, and the poison game.

use super::brute::{Case, Claim, State};
use super::literal::{Graph, Literal, numbers};
use super::turns;

/// The numbers of full levels, of levels with two adjacent blocks, and of blocks on top.
fn jenga(s: &State) -> Vec<State> {
    let (x, y, z) = (s[0], s[1], s[2]);
    let mut next = Vec::new();
    if x > 1 {
        next.extend([vec![x - 1, y, z + 1], vec![x - 1, y + 1, z + 1]]);
    }
    if y > 0 {
        next.push(vec![x, y - 1, z + 1]);
    }
    for to in &mut next {
        if to[2] == 3 {
            to[0] += 1;
            to[2] = 0;
        }
    }
    next
}

/// 1 and 2 are Left's jumpers and slippers, 3 and 4 Right's.
fn ski_jumps(s: &State, width: usize, left: bool) -> Vec<State> {
    let (own, step): ([i32; 2], i32) = if left { ([1, 2], 1) } else { ([3, 4], -1) };
    let mut next = Vec::new();
    for c in (0..s.len()).filter(|c| own.contains(&s[*c])) {
        let (row, mut column) = (c / width, (c % width) as i32);
        loop {
            column += step;
            let mut after = s.clone();
            after[c] = 0;
            if column < 0 || column >= width as i32 {
                next.push(after);
                break;
            }
            let to = row * width + column as usize;
            if s[to] != 0 {
                break;
            }
            after[to] = s[c];
            next.push(after);
        }
        let (below, landing) = (c + width, c + 2 * width);
        if s[c] == own[0] && landing < s.len() && s[landing] == 0 {
            let other = s[below];
            if other != 0 && !own.contains(&other) {
                let mut after = s.clone();
                after[c] = 0;
                after[below] = if left { 4 } else { 2 };
                after[landing] = own[0];
                next.push(after);
            }
        }
    }
    next
}

/// A region takes the colour of a neighbouring region.
fn flags(s: &State, edges: &[(usize, usize)]) -> Vec<State> {
    let mut next = Vec::new();
    for start in 0..s.len() {
        let mut inside = vec![false; s.len()];
        inside[start] = true;
        let mut grown = true;
        while grown {
            grown = false;
            for &(a, b) in edges {
                if s[a] == s[b] && inside[a] != inside[b] {
                    (inside[a], inside[b], grown) = (true, true, true);
                }
            }
        }
        for &(a, b) in edges {
            if inside[a] != inside[b] {
                let colour = if inside[a] { s[b] } else { s[a] };
                let paint = |v: usize| if inside[v] { colour } else { s[v] };
                next.push((0..s.len()).map(paint).collect());
            }
        }
    }
    next.sort();
    next.dedup();
    next
}

/// The weights, the token's vertex, and the adjacency matrix, n times n.
fn vertexnim(s: &State, n: usize) -> Vec<State> {
    let token = s[n] as usize;
    let joined = |s: &State, a: usize, b: usize| s[n + 1 + a * n + b] != 0;
    let mut next = Vec::new();
    for left in 0..s[token] {
        let mut after = s.clone();
        after[token] = left;
        let near: Vec<usize> = (0..n).filter(|&v| joined(s, token, v)).collect();
        if left > 0 {
            next.push(after.clone());
        } else {
            for &a in &near {
                for &b in &near {
                    after[n + 1 + a * n + b] = i32::from(a != b);
                }
                after[n + 1 + a * n + token] = 0;
                after[n + 1 + token * n + a] = 0;
            }
            if near.is_empty() {
                next.push(after.clone());
            }
        }
        for &v in &near {
            after[n] = v as i32;
            next.push(after.clone());
        }
    }
    next
}

/// The weights of the edges, then the token's vertex.
fn on_edges(s: &State, edges: &[(usize, usize)]) -> Vec<State> {
    let token = s[edges.len()] as usize;
    let mut next = Vec::new();
    for (e, &(a, b)) in edges.iter().enumerate() {
        let other = match token {
            t if t == a => b,
            t if t == b => a,
            _ => continue,
        };
        for left in 0..s[e] {
            let mut after = s.clone();
            after[e] = left;
            after[edges.len()] = other as i32;
            next.push(after);
        }
    }
    next
}

/// The options of two heaps in Nim.
fn nim(heaps: [i32; 2]) -> Vec<[i32; 2]> {
    let first = (0..heaps[0]).map(|k| [k, heaps[1]]);
    first.chain((0..heaps[1]).map(|k| [heaps[0], k])).collect()
}

/// Two heaps, and the option that is forbidden.
fn blocking(s: &State) -> Vec<State> {
    let (heaps, forbidden) = ([s[0], s[1]], [s[2], s[3]]);
    let mut next = Vec::new();
    for to in nim(heaps).into_iter().filter(|to| *to != forbidden) {
        for block in nim(to).into_iter().chain([to]) {
            next.push([to, block].concat());
        }
    }
    next
}

/// Pairs at which the player to move loses: those with at most one move to such a pair, since that move is forbidden.
fn lost_if_one_is_forbidden(most: i32) -> Vec<[i32; 2]> {
    let mut lost: Vec<[i32; 2]> = Vec::new();
    for total in 0..=2 * most {
        for m in 0..=total {
            let heaps = [m, total - m];
            if nim(heaps).iter().filter(|to| lost.contains(to)).count() <= 1 {
                lost.push(heaps);
            }
        }
    }
    lost
}

fn pairs(g: &Graph) -> Vec<(usize, usize)> {
    g.edges.iter().map(|e| (e.0, e.1)).collect()
}

pub fn case(l: &Literal) -> Option<Case> {
    let field = |name: &str| -> Option<i32> { l.field(name)?.parse().ok() };
    let fields = |names: &[&str]| -> Option<State> { names.iter().map(|n| field(n)).collect() };
    let token = |g: &Graph| -> Option<i32> {
        let name = l.field("token")?;
        Some(g.names.iter().position(|n| *n == name)? as i32)
    };
    Some(match l.name.as_str() {
        "Jenga" => Case::new(fields(&["full", "pairs", "top"])?, |s, _| jenga(s)),
        "BlockingNim" => Case::new(fields(&["m", "n", "a", "b"])?, |s, _| blocking(s)),
        "SkiJumps" => {
            let rows = l.rows();
            let width = rows[0].len();
            let code = |c: &char| "LlRr".find(*c).map_or(0, |i| i as i32 + 1);
            let start = rows.iter().flatten().map(code).collect();
            Case::new(start, move |s, left| ski_jumps(s, width, left))
        }
        "ElephantsAndRhinos" => {
            let code = |c: &char| "er".find(*c).map_or(0, |i| i as i32 + 1);
            let start = l.rows()[0].iter().map(code).collect();
            Case::new(start, |s: &State, left| {
                let own = if left { 1 } else { 2 };
                let mut next = Vec::new();
                for i in 1..s.len() {
                    let (from, to) = if left { (i - 1, i) } else { (i, i - 1) };
                    if s[from] == own && s[to] == 0 {
                        let mut after = s.clone();
                        after.swap(from, to);
                        next.push(after);
                    }
                }
                next
            })
        }
        "FlagColouring" => {
            let g = l.graph();
            let edges = pairs(&g);
            let start = (0..g.names.len()).map(|v| g.piece(v) as i32).collect();
            Case::new(start, move |s, _| flags(s, &edges))
        }
        "Vertexnim" => {
            let g = l.graph();
            let n = g.names.len();
            let mut start = numbers(&l.field("weight")?);
            start.push(token(&g)?);
            let edges = pairs(&g);
            for a in 0..n {
                let to = |b| edges.contains(&(a, b)) || edges.contains(&(b, a));
                start.extend((0..n).map(|b| i32::from(to(b))));
            }
            Case::new(start, move |s, _| vertexnim(s, n))
        }
        "NimOnGraphs" => {
            let g = l.graph();
            let mut start = numbers(&l.field("w")?);
            start.push(token(&g)?);
            let edges = pairs(&g);
            Case::new(start, move |s, _| on_edges(s, &edges))
        }
        _ => return None,
    })
}

/// The poison game: 1 for each vertex that Right has visited, then the token.
pub fn game(l: &Literal) -> Option<turns::Game> {
    if l.name != "PoisonGame" {
        return None;
    }
    let g = l.graph();
    let (n, arcs) = (g.names.len(), pairs(&g));
    let mut start = vec![0; n];
    let name = l.field("token")?;
    start.push(g.names.iter().position(|v| *v == name)? as i32);
    let moves = move |s: &State, p: usize| {
        let out = arcs.iter().filter(|a| a.0 as i32 == s[n]);
        let free = out.filter(|a| p == 1 || s[a.1] == 0);
        free.map(|&(_, to)| {
            let mut after = s.clone();
            after[n] = to as i32;
            after[to] |= p as i32;
            after
        })
        .collect()
    };
    Some(turns::Game {
        start,
        moves: Box::new(moves),
        ended: Box::new(|_, _| None),
        stuck: turns::loses,
        endless: Some(0),
    })
}

/// Claims in the files of the library, by their names there.
pub const CLAIMS: &[Claim] = &[("lost where both heaps are empty, or differ by one", || {
    let lost = lost_if_one_is_forbidden(6);
    (0..=6i32).all(|m| {
        (0..=6).all(|n| lost.contains(&[m, n]) == ((m, n) == (0, 0) || (m - n).abs() == 1))
    })
})];
