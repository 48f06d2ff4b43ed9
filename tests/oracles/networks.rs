//! Games on graphs and digraphs with tokens, weights and colours; each move follows the definition of its game. A state
//! lists the vertices in order: 0 removed, 1 present without colour, 2 Left's, 3 Right's, 4 both players'; or one counter
//! for each vertex.

use super::brute::{Case, Claim, State};
use super::literal::{Graph, Literal};
use std::collections::HashMap;

/// The neighbours of each vertex, in both directions.
fn joined(g: &Graph) -> Vec<Vec<usize>> {
    let mut near = vec![Vec::new(); g.names.len()];
    for &(a, b, _) in &g.edges {
        near[a].push(b);
        near[b].push(a);
    }
    for list in &mut near {
        list.sort_unstable();
        list.dedup();
    }
    near
}

/// The vertices connected with a vertex, among those present.
fn component(s: &State, near: &[Vec<usize>], from: usize) -> Vec<usize> {
    let mut found = vec![from];
    let mut i = 0;
    while i < found.len() {
        for &x in &near[found[i]] {
            if s[x] != 0 && !found.contains(&x) {
                found.push(x);
            }
        }
        i += 1;
    }
    found
}

fn without(s: &State, gone: &[usize]) -> State {
    let mut after = s.clone();
    gone.iter().for_each(|&v| after[v] = 0);
    after
}

fn there(s: &State) -> Vec<usize> {
    (0..s.len()).filter(|&v| s[v] != 0).collect()
}

fn owned(code: i32, left: bool) -> bool {
    code == 4 || code == if left { 2 } else { 3 }
}

/// The colours of the vertices, by letter.
fn colours(g: &Graph) -> State {
    (0..g.names.len())
        .map(|v| match g.piece(v) {
            'b' | 'x' => 2,
            'w' | 'r' | 'o' => 3,
            'g' => 4,
            _ => 1,
        })
        .collect()
}

/// The colours of the edges: the state has 0 or the colour for each edge.
fn edge_colours(g: &Graph) -> State {
    let code = |c: char| match c {
        'b' => 2,
        'w' | 'r' => 3,
        'g' => 4,
        _ => 1,
    };
    g.edges.iter().map(|e| code(e.2)).collect()
}

/// The vertices that can be reached from a vertex over the edges present.
fn reached(ends: &[(usize, usize)], s: &State, from: usize) -> Vec<usize> {
    let mut found = vec![from];
    let mut i = 0;
    while i < found.len() {
        for (e, &(a, b)) in ends.iter().enumerate() {
            for (x, y) in [(a, b), (b, a)] {
                if s[e] != 0 && x == found[i] && !found.contains(&y) {
                    found.push(y);
                }
            }
        }
        i += 1;
    }
    found
}

fn tumbleweeds(s: &State, ends: &[(usize, usize)], left: bool) -> Vec<State> {
    let mut next = Vec::new();
    for e in (0..s.len()).filter(|&e| owned(s[e], left)) {
        let mut cut = s.clone();
        cut[e] = 0;
        for (kept, other) in [ends[e], (ends[e].1, ends[e].0)] {
            let mut after = cut.clone();
            let away = reached(ends, &cut, other);
            if !away.contains(&kept) {
                for f in 0..s.len() {
                    if away.contains(&ends[f].0) {
                        after[f] = 0;
                    }
                }
            }
            next.push(after);
        }
    }
    next
}

/// Whether all of these vertices are in one component.
fn together(s: &State, near: &[Vec<usize>], some: &[usize]) -> bool {
    some.first().is_none_or(|&first| {
        let whole = component(s, near, first);
        some.iter().all(|v| whole.contains(v))
    })
}

fn octal33(s: &State, near: &[Vec<usize>]) -> Vec<State> {
    let mut next = Vec::new();
    for u in there(s) {
        let beside = |v: usize| near[v].iter().copied().filter(|&x| s[x] != 0);
        let mut sets = vec![vec![u]];
        sets.extend(beside(u).filter(|&v| v > u).map(|v| vec![u, v]));
        for set in sets {
            let after = without(s, &set);
            let around: Vec<usize> = set
                .iter()
                .flat_map(|&v| beside(v))
                .filter(|x| !set.contains(x))
                .collect();
            if together(&after, near, &around) {
                next.push(after);
            }
        }
    }
    next
}

/// An undirected cycle: each edge is 0, or directed forward (1) or back (2); no vertex may be a source or a sink.
fn cycles(s: &State) -> Vec<State> {
    let n = s.len();
    let mut next = Vec::new();
    for e in (0..n).filter(|&e| s[e] == 0) {
        for way in [1, 2] {
            let mut after = s.clone();
            after[e] = way;
            // Edge v precedes vertex v + 1, and edge v + 1 follows it.
            let fine = (0..n).all(|v| {
                let pair = (after[v], after[(v + 1) % n]);
                pair != (1, 2) && pair != (2, 1)
            });
            if fine {
                next.push(after);
            }
        }
    }
    next
}

/// Proper colourings with `count` colours: 0 is blank, other numbers are colours.
fn colouring(s: &State, near: &[Vec<usize>], count: i32) -> Vec<State> {
    let mut next = Vec::new();
    for v in (0..s.len()).filter(|&v| s[v] == 0) {
        for c in 1..=count {
            if near[v].iter().all(|&x| s[x] != c) {
                let mut after = s.clone();
                after[v] = c;
                next.push(after);
            }
        }
    }
    next
}

pub fn case(l: &Literal) -> Option<Case> {
    let list = |name: &str| -> Option<State> {
        let text = l.field(name)?;
        let inner = text.trim().strip_prefix('[')?.strip_suffix(']')?;
        inner.split(',').map(|n| n.trim().parse().ok()).collect()
    };
    let known = [
        "Cutthroat",
        "NimOnGraphs",
        "TriangleAvoidance",
        "ChipFiring",
        "SimplicialNim",
        "Annihilation",
        "PartizanGeography",
        "BigraphNodeKayles",
        "ColouredArcKayles",
        "TwoColouring",
        "ThreeColouring",
        "OddVertexRemoval",
        "OddEvenVertexRemoval",
        "Tumbleweeds",
        "GraphClobber",
        "DigraphYamaNim",
        "TriangleGame",
        "GraphOctal33",
    ];
    if l.name == "GameOfCycles" {
        let n: usize = l.entries[0]
            .strip_prefix("ring(")?
            .strip_suffix(')')?
            .parse()
            .ok()?;
        return Some(Case::new(vec![0; n], |s, _| cycles(s)));
    }
    if !known.contains(&l.name.as_str()) {
        return None;
    }
    let g = l.graph();
    let near = joined(&g);
    let ends: Vec<(usize, usize)> = g.edges.iter().map(|e| (e.0, e.1)).collect();
    let plain = vec![1; near.len()];
    Some(match l.name.as_str() {
        "Cutthroat" => Case::new(colours(&g), move |s, left| {
            let mixed = |v: usize| component(s, &near, v).iter().any(|&x| s[x] != s[v]);
            let free = there(s).into_iter();
            free.filter(|&v| owned(s[v], left) && mixed(v))
                .map(|v| without(s, &[v]))
                .collect()
        }),
        "SimplicialNim" => Case::new(list("heap")?, move |s, _| {
            let mut next = Vec::new();
            for v in 0..s.len() {
                for n in 0..s[v] {
                    let mut after = s.clone();
                    after[v] = n;
                    next.push(after);
                }
            }
            for &(a, b) in &ends {
                for m in 0..s[a] {
                    for n in 0..s[b] {
                        let mut after = s.clone();
                        after[a] = m;
                        after[b] = n;
                        next.push(after);
                    }
                }
            }
            next
        }),
        "Annihilation" => Case::new(
            colours(&g).iter().map(|c| i32::from(*c == 3)).collect(),
            move |s, _| {
                let mut next = Vec::new();
                for &(a, b) in ends.iter().filter(|e| s[e.0] == 1) {
                    let mut after = s.clone();
                    after[a] = 0;
                    after[b] = 1 - after[b];
                    next.push(after);
                }
                next
            },
        ),
        "BigraphNodeKayles" => Case::new(colours(&g), move |s, left| {
            let free = there(s).into_iter();
            free.filter(|&v| owned(s[v], left))
                .map(|v| without(&without(s, &near[v]), &[v]))
                .collect()
        }),
        "ColouredArcKayles" => Case::new(edge_colours(&g), move |s, left| {
            let mut next = Vec::new();
            for e in (0..s.len()).filter(|&e| owned(s[e], left)) {
                let (a, b) = ends[e];
                let touched =
                    |f: &usize| [ends[*f].0, ends[*f].1].iter().any(|v| [a, b].contains(v));
                let gone: Vec<usize> = (0..s.len()).filter(touched).collect();
                next.push(without(s, &gone));
            }
            next
        }),
        "TwoColouring" | "ThreeColouring" => {
            let count = if l.name == "TwoColouring" { 2 } else { 3 };
            let start = (0..near.len())
                .map(|v| "xoz".find(g.piece(v)).map_or(0, |i| i as i32 + 1))
                .collect();
            Case::new(start, move |s, _| colouring(s, &near, count))
        }
        "OddVertexRemoval" | "OddEvenVertexRemoval" => {
            let impartial = l.name == "OddVertexRemoval";
            Case::new(plain, move |s, left| {
                let degree = |v: usize| near[v].iter().filter(|&&x| s[x] != 0).count();
                let wanted = usize::from(left || impartial);
                let free = there(s).into_iter();
                free.filter(|&v| degree(v) % 2 == wanted)
                    .map(|v| without(s, &[v]))
                    .collect()
            })
        }
        "Tumbleweeds" => Case::new(edge_colours(&g), move |s, left| tumbleweeds(s, &ends, left)),
        "GraphClobber" => Case::new(colours(&g), move |s, left| {
            // Here 1 is an empty vertex.
            let (me, other) = if left { (2, 3) } else { (3, 2) };
            let mut next = Vec::new();
            for a in (0..s.len()).filter(|&a| s[a] == me) {
                for &b in near[a].iter().filter(|&&b| s[b] == other) {
                    let mut after = s.clone();
                    after[a] = 1;
                    after[b] = me;
                    next.push(after);
                }
            }
            next
        }),
        "DigraphYamaNim" | "TriangleGame" => {
            let triangle = l.name == "TriangleGame";
            Case::new(list("counters")?, move |s, _| {
                let mut next = Vec::new();
                for v in 0..s.len() {
                    let out: Vec<usize> = ends.iter().filter(|e| e.0 == v).map(|e| e.1).collect();
                    for k in 1..=s[v] {
                        for j in 0..k {
                            let yama = j == 1 && k > out.len() as i32;
                            if out.is_empty() && (triangle || j > 0) {
                                continue;
                            }
                            if !(triangle || yama || out.is_empty()) {
                                continue;
                            }
                            let mut after = s.clone();
                            after[v] -= k;
                            out.iter().for_each(|&w| after[w] += j);
                            next.push(after);
                        }
                    }
                }
                next
            })
        }
        "NimOnGraphs" => {
            let token = l.field("token")?;
            let token = g.names.iter().position(|n| *n == token)?;
            // The weights, then the token.
            let mut start = list("weight")?;
            start.push(token as i32);
            Case::new(start, move |s, _| {
                let mut next = Vec::new();
                for (e, &(a, b)) in ends.iter().enumerate() {
                    for (from, to) in [(a, b), (b, a)] {
                        for w in 0..s[e] {
                            if s[ends.len()] == from as i32 {
                                let mut after = s.clone();
                                after[e] = w;
                                after[ends.len()] = to as i32;
                                next.push(after);
                            }
                        }
                    }
                }
                next
            })
        }
        "TriangleAvoidance" => Case::new(vec![0; ends.len()], move |s, _| {
            let marked = |a: usize, b: usize| {
                let edge = ends.iter().position(|e| *e == (a, b) || *e == (b, a));
                edge.is_some_and(|e| s[e] == 1)
            };
            let mut next = Vec::new();
            for e in (0..s.len()).filter(|&e| s[e] == 0) {
                let (a, b) = ends[e];
                if !(0..near.len()).any(|w| marked(a, w) && marked(b, w)) {
                    let mut after = s.clone();
                    after[e] = 1;
                    next.push(after);
                }
            }
            next
        }),
        "ChipFiring" => {
            let ground = g.names.iter().position(|n| n == "ground")?;
            let mut start = vec![0; near.len()];
            for (v, name) in g.names.iter().enumerate() {
                let chips = l.field(&format!("chips({name})"));
                start[v] = chips.and_then(|n| n.parse().ok()).unwrap_or(0);
            }
            Case::new(start, move |s, _| {
                let mut next = Vec::new();
                for v in (0..s.len()).filter(|&v| v != ground) {
                    let k = near[v].len() as i32;
                    if k >= 1 && s[v] >= k {
                        let mut after = s.clone();
                        after[v] -= k;
                        near[v].iter().for_each(|&w| after[w] += 1);
                        after[ground] = 0;
                        next.push(after);
                    }
                }
                next
            })
        }
        "GraphOctal33" => Case::new(plain, move |s, _| octal33(s, &near)),
        "PartizanGeography" => {
            let place = |p: &str| -> Option<usize> {
                let name = l.field(&format!("token({p})"))?;
                g.names.iter().position(|n| *n == name)
            };
            // The two tokens, then which vertices have been visited.
            let (x, y) = (place("Left")?, place("Right")?);
            let mut start = vec![x as i32, y as i32];
            start.extend((0..near.len()).map(|v| i32::from(v == x || v == y)));
            Case::new(start, move |s, left| {
                let me = usize::from(!left);
                let free = near[s[me] as usize].iter().filter(|&&v| s[2 + v] == 0);
                free.map(|&v| {
                    let mut after = s.clone();
                    after[me] = v as i32;
                    after[2 + v] = 1;
                    after
                })
                .collect()
            })
        }
        _ => return None,
    })
}

/// Kotzig's Nim on n places with the given step lengths: the nimber after the first coin.
fn kotzig(n: usize, steps: &[usize]) -> u64 {
    fn nimber(n: usize, steps: &[usize], last: usize, taken: u64) -> u64 {
        let free = |x: &usize| taken >> x & 1 == 0;
        let next = steps.iter().map(|m| (last + m) % n).filter(free);
        let reached: Vec<u64> = next.map(|x| nimber(n, steps, x, taken | 1 << x)).collect();
        (0..).find(|k| !reached.contains(k)).expect("a mex")
    }
    nimber(n, steps, 0, 1)
}

/// Edges as bits, the pair (u, v) at u * n + v with u < v; whether one more may be drawn.
type May = fn(usize, u64, (usize, usize)) -> bool;

fn drawn(n: usize, edges: u64, u: usize, v: usize) -> bool {
    u != v && edges >> (u.min(v) * n + u.max(v)) & 1 == 1
}

fn degree(n: usize, edges: u64, v: usize) -> usize {
    (0..n).filter(|w| drawn(n, edges, v, *w)).count()
}

/// From n vertices without edges: edges are drawn one by one, as long as they may be.
fn drawing(n: usize, edges: u64, may: May, known: &mut HashMap<u64, u64>) -> u64 {
    if let Some(g) = known.get(&edges) {
        return *g;
    }
    let mut reached = Vec::new();
    for u in 0..n {
        for v in u + 1..n {
            if !drawn(n, edges, u, v) && may(n, edges, (u, v)) {
                reached.push(drawing(n, edges | 1 << (u * n + v), may, known));
            }
        }
    }
    let g = (0..).find(|k| !reached.contains(k)).expect("a mex");
    known.insert(edges, g);
    g
}

fn on_few_vertices(may: May) -> Vec<u64> {
    (1..=5)
        .map(|n| drawing(n, 0, may, &mut HashMap::new()))
        .collect()
}

/// Claims by their names in the files.
pub const CLAIMS: &[Claim] = &[
    ("joined without triangles, on 1 to 5 vertices", || {
        let may: May = |n, s, (u, v)| !(0..n).any(|w| drawn(n, s, u, w) && drawn(n, s, v, w));
        on_few_vertices(may) == [0, 1, 0, 0, 0]
    }),
    ("joined at most twice each, on 1 to 5 vertices", || {
        let may: May = |n, s, (u, v)| degree(n, s, u) < 2 && degree(n, s, v) < 2;
        on_few_vertices(may) == [0, 1, 1, 0, 0]
    }),
    (
        "joined at most three times each, on 1 to 5 vertices",
        || {
            let may: May = |n, s, (u, v)| degree(n, s, u) < 3 && degree(n, s, v) < 3;
            on_few_vertices(may) == [0, 1, 1, 0, 1]
        },
    ),
    ("steps of one and two, on 3 to 12 places", || {
        (3..=12)
            .map(|n| kotzig(n, &[1, 2]))
            .eq([0, 1, 2, 2, 0, 1, 2, 1, 2, 2])
    }),
    ("steps of one and three", || {
        (4..=12)
            .map(|n| kotzig(n, &[1, 3]))
            .eq([1, 2, 1, 0, 1, 0, 1, 2, 1])
    }),
    ("steps of two and three", || {
        (4..=12)
            .map(|n| kotzig(n, &[2, 3]))
            .eq([1, 0, 1, 0, 0, 2, 2, 0, 0])
    }),
];
