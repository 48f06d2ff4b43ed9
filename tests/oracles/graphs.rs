//! Games on graphs and digraphs, each from its definition. A state has one number per vertex, or one per edge.

use super::brute::{Case, State};
use super::literal::{Graph, Literal, numbers};

/// The neighbours of each vertex; for a digraph only along arcs.
fn neighbours(g: &Graph, directed: bool) -> Vec<Vec<usize>> {
    let mut lists = vec![Vec::new(); g.names.len()];
    for &(u, v, _) in &g.edges {
        lists[u].push(v);
        if !directed {
            lists[v].push(u);
        }
    }
    lists
}

fn with(state: &State, writes: impl IntoIterator<Item = (usize, i32)>) -> State {
    let mut after = state.clone();
    writes.into_iter().for_each(|(i, n)| after[i] = n);
    after
}

/// 1 for Left (x, b), 2 for Right (o, r, w), 3 for both (g), 0 for none. 9 marks a removed vertex.
fn tint(c: char) -> i32 {
    match c {
        'x' | 'b' => 1,
        'o' | 'r' | 'w' => 2,
        'g' => 3,
        _ => 0,
    }
}

/// Whether Left (`true`) or Right may move this piece.
pub fn owns(left: bool, piece: i32) -> bool {
    piece == 3 || piece == if left { 1 } else { 2 }
}

/// Colouring games: a free vertex may be taken if `allowed` holds for the tints around it.
fn colouring(g: &Graph, allowed: fn(i32, &[i32]) -> bool) -> Case {
    let near = neighbours(g, false);
    let start = (0..g.names.len()).map(|v| tint(g.piece(v))).collect();
    Case::new(start, move |s, left| {
        let me = if left { 1 } else { 2 };
        (0..s.len())
            .filter(|&v| s[v] == 0)
            .filter(|&v| allowed(me, &near[v].iter().map(|&w| s[w]).collect::<Vec<_>>()))
            .map(|v| with(s, [(v, me)]))
            .collect()
    })
}

/// A remaining edge is 1. With `childish`, a move is illegal if other edges would fall.
fn hackenbush(g: &Graph, childish: bool) -> Case {
    let edges = g.edges.clone();
    let ground = g.names.iter().position(|n| n == "ground").unwrap_or(0);
    Case::new(vec![1; edges.len()], move |s, left| {
        let mut next = Vec::new();
        for e in (0..edges.len()).filter(|&e| s[e] == 1 && owns(left, tint(edges[e].2))) {
            let after = with(s, [(e, 0)]);
            let mut reached = vec![ground];
            loop {
                let more = (0..edges.len()).filter(|&f| after[f] == 1).find_map(|f| {
                    let (u, v, _) = edges[f];
                    match (reached.contains(&u), reached.contains(&v)) {
                        (true, false) => Some(v),
                        (false, true) => Some(u),
                        _ => None,
                    }
                });
                let Some(v) = more else { break };
                reached.push(v);
            }
            let fallen: Vec<usize> = (0..edges.len())
                .filter(|&f| after[f] == 1 && !reached.contains(&edges[f].0))
                .collect();
            if !childish || fallen.is_empty() {
                next.push(with(&after, fallen.into_iter().map(|f| (f, 0))));
            }
        }
        next
    })
}

/// The last number is the token's vertex; visited vertices are 9.
fn geography(l: &Literal, g: &Graph, directed: bool, coloured: bool) -> Option<Case> {
    let near = neighbours(g, directed);
    let token = l.field("token")?;
    let token = g.names.iter().position(|n| *n == token)?;
    let mut start: State = (0..g.names.len()).map(|v| tint(g.piece(v))).collect();
    start.push(token as i32);
    Some(Case::new(start, move |s, left| {
        let n = s.len() - 1;
        let token = s[n] as usize;
        near[token]
            .iter()
            .filter(|&&v| s[v] != 9 && v != token && (!coloured || owns(left, s[v])))
            .map(|&v| with(s, [(token, 9), (n, v as i32)]))
            .collect()
    }))
}

/// Games of removing vertices; removed ones are 9.
fn removing(start: State, choose: impl Fn(&State, bool) -> Vec<Vec<usize>> + 'static) -> Case {
    Case::new(start, move |s, left| {
        choose(s, left)
            .into_iter()
            .map(|gone| with(s, gone.into_iter().map(|v| (v, 9))))
            .collect()
    })
}

pub fn case(l: &Literal) -> Option<Case> {
    const NAMES: [&str; 17] = [
        "Pebbles",
        "NodeKayles",
        "ArcKayles",
        "WeightedArcKayles",
        "GraphNim",
        "Col",
        "Snort",
        "GenCol",
        "TintedGenCol",
        "Fjords",
        "Geography",
        "UndirectedGeography",
        "BlackWhiteGeography",
        "DigraphPlacement",
        "Hackenbush",
        "ChildishHackenbush",
        "",
    ];
    NAMES.iter().find(|n| **n == l.name)?;
    let g = l.graph();
    let n = g.names.len();
    let near = neighbours(&g, false);
    let edges = g.edges.clone();
    Some(match l.name.as_str() {
        "Pebbles" => colouring_impartial(near, n),
        "NodeKayles" => removing(vec![0; n], move |s, _| {
            (0..n)
                .filter(|&v| s[v] == 0)
                .map(|v| [vec![v], near[v].clone()].concat())
                .collect()
        }),
        "ArcKayles" => removing(vec![0; n], move |s, _| {
            edges
                .iter()
                .filter(|(u, v, _)| s[*u] == 0 && s[*v] == 0)
                .map(|&(u, v, _)| vec![u, v])
                .collect()
        }),
        "WeightedArcKayles" => Case::new(numbers(&l.field("weight")?), move |s, _| {
            edges
                .iter()
                .filter(|(u, v, _)| s[*u] > 0 && s[*v] > 0)
                .map(|&(u, v, _)| with(s, [(u, s[u] - 1), (v, s[v] - 1)]))
                .collect()
        }),
        "GraphNim" => Case::new(vec![1; edges.len()], move |s, _| {
            let mut next = Vec::new();
            for v in 0..n {
                let mine: Vec<usize> = (0..edges.len())
                    .filter(|&e| s[e] == 1 && (edges[e].0 == v || edges[e].1 == v))
                    .collect();
                for subset in 1..1u32 << mine.len() {
                    let chosen = mine
                        .iter()
                        .enumerate()
                        .filter(|(i, _)| subset >> i & 1 == 1);
                    next.push(with(s, chosen.map(|(_, &e)| (e, 0))));
                }
            }
            next
        }),
        "Col" | "GenCol" => colouring(&g, |me, around| !around.contains(&me)),
        "Snort" => colouring(&g, |me, around| !around.contains(&(3 - me))),
        "Fjords" => colouring(&g, |me, around| around.contains(&me)),
        "TintedGenCol" => {
            let start = (0..n).map(|v| tint(g.piece(v))).collect();
            removing(start, move |s, left| {
                let me = if left { 1 } else { 2 };
                let same = |v: usize| {
                    near[v]
                        .iter()
                        .copied()
                        .filter(|&w| s[w] == me)
                        .collect::<Vec<_>>()
                };
                (0..n)
                    .filter(|&v| s[v] == me)
                    .map(|v| [vec![v], same(v)].concat())
                    .collect()
            })
        }
        "DigraphPlacement" => {
            let out = neighbours(&g, true);
            let start = (0..n).map(|v| tint(g.piece(v))).collect();
            removing(start, move |s, left| {
                (0..n)
                    .filter(|&v| owns(left, s[v]))
                    .map(|v| [vec![v], out[v].clone()].concat())
                    .collect()
            })
        }
        "Geography" => geography(l, &g, true, false)?,
        "UndirectedGeography" => geography(l, &g, false, false)?,
        "BlackWhiteGeography" => geography(l, &g, true, true)?,
        "Hackenbush" => hackenbush(&g, false),
        _ => hackenbush(&g, true),
    })
}

/// Places a pebble on a free vertex if none of its neighbours has one.
fn colouring_impartial(near: Vec<Vec<usize>>, n: usize) -> Case {
    Case::new(vec![0; n], move |s, _| {
        (0..n)
            .filter(|&v| s[v] == 0 && near[v].iter().all(|&w| s[w] == 0))
            .map(|v| with(s, [(v, 1)]))
            .collect()
    })
}
