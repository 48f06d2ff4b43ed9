//! Loopy games by their definitions (A. N. Siegel, *Combinatorial Game Theory*, 2013, chapter VI). A game is a graph of
//! moves with a start vertex. Every question is answered on the whole product of two graphs, by fixed points that are
//! iterated until nothing changes. There are no values, no strongly connected components and no canonical forms here.

/// Left's and Right's targets of each vertex.
pub type Graph = Vec<[Vec<usize>; 2]>;

/// The player who wins infinite play: Left (`On`) or Right (`Off`).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    On,
    Off,
}

/// Whether Left wins at each vertex, if Left begins and if Right begins; `None` if nobody wins. The vertices from which a
/// player can force that the other cannot move are the least set that contains those at which the other cannot move.
pub fn fates(graph: &Graph) -> Vec<[Option<bool>; 2]> {
    let n = graph.len();
    let wins = |player: usize| {
        let mut won = vec![[false; 2]; n];
        loop {
            let next: Vec<[bool; 2]> = (0..n)
                .map(|v| {
                    [0, 1].map(|mover| {
                        let mut after = graph[v][mover].iter().map(|w| won[*w][1 - mover]);
                        match mover == player {
                            true => after.any(|w| w),
                            false => after.all(|w| w),
                        }
                    })
                })
                .collect();
            if next == won {
                return won;
            }
            won = next;
        }
    };
    let (left, right) = (wins(0), wins(1));
    (0..n)
        .map(|v| {
            [0, 1].map(|mover| match (left[v][mover], right[v][mover]) {
                (true, _) => Some(true),
                (_, true) => Some(false),
                _ => None,
            })
        })
        .collect()
}

pub fn negative(g: &Graph) -> Graph {
    g.iter().map(|[l, r]| [r.clone(), l.clone()]).collect()
}

/// The vertex of a sum with the vertices a and b of the summands.
pub fn beside(a: usize, b: usize, h: &Graph) -> usize {
    a * h.len() + b
}

pub fn sum(g: &Graph, h: &Graph) -> Graph {
    let mut all = Vec::new();
    for (a, of_a) in g.iter().enumerate() {
        for (b, of_b) in h.iter().enumerate() {
            all.push([0, 1].map(|p| {
                let first = of_a[p].iter().map(|c| beside(*c, b, h));
                first
                    .chain(of_b[p].iter().map(|d| beside(a, *d, h)))
                    .collect()
            }));
        }
    }
    all
}

/// For all u of g and v of h whether u ≤ v in a mode: Left, moving second, survives in v − u. The result is the greatest set
/// of states from each of which Left can force, within the set, that Right cannot move or that one more counting move is
/// made. Left needs infinitely many of these.
pub fn at_most(g: &Graph, h: &Graph, mode: Mode) -> Vec<Vec<bool>> {
    // From the state (u, v, player to move): the next states, and whether the move counts.
    let moves = |u: usize, v: usize, mover: usize| -> Vec<((usize, usize, usize), bool)> {
        let in_v = h[v][mover]
            .iter()
            .map(|w| ((u, *w, 1 - mover), mode == Mode::On));
        let in_u = g[u][1 - mover]
            .iter()
            .map(|w| ((*w, v, 1 - mover), mode == Mode::Off));
        in_v.chain(in_u).collect()
    };
    let states: Vec<(usize, usize, usize)> = (0..g.len())
        .flat_map(|u| (0..h.len()).flat_map(move |v| [(u, v, 0), (u, v, 1)]))
        .collect();
    let at = |(u, v, mover): (usize, usize, usize)| (u * h.len() + v) * 2 + mover;
    let lists: Vec<Vec<((usize, usize, usize), bool)>> =
        states.iter().map(|s| moves(s.0, s.1, s.2)).collect();
    let mut outer = vec![true; states.len()];
    loop {
        let mut inner = vec![false; states.len()];
        loop {
            let mut changed = false;
            for (i, list) in lists.iter().enumerate() {
                let good = |(to, counts): &((usize, usize, usize), bool)| match counts {
                    true => outer[at(*to)],
                    false => inner[at(*to)],
                };
                let now = match states[i].2 {
                    0 => list.iter().any(good),
                    _ => list.iter().all(good),
                };
                if now && !inner[i] {
                    inner[i] = true;
                    changed = true;
                }
            }
            if !changed {
                break;
            }
        }
        if inner == outer {
            let at = |u, v| outer[at((u, v, 1))];
            return (0..g.len())
                .map(|u| (0..h.len()).map(|v| at(u, v)).collect())
                .collect();
        }
        outer = inner;
    }
}

/// Whether no infinite play from a vertex alternates. The states from which alternating play can go on forever are the
/// greatest set of states with a move back into the set.
pub fn is_stopper(graph: &Graph, from: usize) -> bool {
    let n = graph.len();
    let mut forever = vec![[true; 2]; n];
    loop {
        let next: Vec<[bool; 2]> = (0..n)
            .map(|v| [0, 1].map(|p| graph[v][p].iter().any(|w| forever[*w][1 - p])))
            .collect();
        if next == forever {
            break;
        }
        forever = next;
    }
    followers(graph, from)
        .iter()
        .all(|v| forever[*v] == [false; 2])
}

pub fn followers(graph: &Graph, from: usize) -> Vec<usize> {
    let mut all = vec![from];
    let mut at = 0;
    while let Some(&v) = all.get(at) {
        at += 1;
        for w in graph[v].iter().flatten() {
            if !all.contains(w) {
                all.push(*w);
            }
        }
    }
    all
}

/// Whether a stopper is in canonical form: no two followers are equal, and no option is dominated or reversible.
pub fn is_canonical(graph: &Graph, from: usize) -> bool {
    let le = at_most(graph, graph, Mode::On);
    let all = followers(graph, from);
    is_stopper(graph, from)
        && all.iter().all(|&v| {
            let [left, right] = &graph[v];
            let dominated = left
                .iter()
                .any(|x| left.iter().any(|y| x != y && le[*x][*y]))
                || right
                    .iter()
                    .any(|x| right.iter().any(|y| x != y && le[*y][*x]));
            let reversible = left.iter().any(|x| graph[*x][1].iter().any(|y| le[*y][v]))
                || right.iter().any(|x| graph[*x][0].iter().any(|y| le[v][*y]));
            let equal = all.iter().any(|&w| w != v && le[v][w] && le[w][v]);
            !dominated && !reversible && !equal
        })
}

/// A stopper that arises from the followers of `from` by deleting moves and is equal to it in a mode, if there is one. Gives
/// up if there are more than `most` moves.
pub fn some_stopper_within(graph: &Graph, from: usize, mode: Mode, most: usize) -> Option<Graph> {
    let all = followers(graph, from);
    let mut edges = Vec::new();
    for v in &all {
        for (p, moves) in graph[*v].iter().enumerate() {
            let mut targets = moves.clone();
            targets.sort_unstable();
            targets.dedup();
            edges.extend(targets.into_iter().map(|w| (*v, p, w)));
        }
    }
    if edges.len() > most {
        return None;
    }
    for set in 0u64..1 << edges.len() {
        let mut part: Graph = vec![Default::default(); graph.len()];
        for (i, (v, p, w)) in edges.iter().enumerate() {
            if set >> i & 1 == 1 {
                part[*v][*p].push(*w);
            }
        }
        if is_stopper(&part, from)
            && at_most(graph, &part, mode)[from][from]
            && at_most(&part, graph, mode)[from][from]
        {
            return Some(part);
        }
    }
    None
}

/// A game in the notation of the files: names, numbers, `*`, braces with `pass`, sums, `1over`, `S & T`, `sides(S, T)`.
/// Returns the onside and the offside, each with vertex 0 as the start.
pub fn read(text: &str) -> Option<[Graph; 2]> {
    let text = text.trim();
    if let Some(inner) = text
        .strip_prefix("sides(")
        .and_then(|t| t.strip_suffix(')'))
    {
        let at = split_at(inner, |c| c == ',')?;
        return Some([game(&inner[..at])?, game(&inner[at + 1..])?]);
    }
    if let Some(at) = split_at(text, |c| c == '&') {
        return Some([game(&text[..at])?, game(&text[at + 1..])?]);
    }
    let one = game(text)?;
    Some([one.clone(), one])
}

/// The last index, outside of brackets and not 0, at which a character satisfies `is`.
fn split_at(text: &str, is: impl Fn(char) -> bool) -> Option<usize> {
    let (mut depth, mut found) = (0, None);
    for (i, c) in text.char_indices() {
        depth += i32::from("{(".contains(c)) - i32::from("})".contains(c));
        if depth == 0 && i > 0 && is(c) {
            found = Some(i);
        }
    }
    found
}

/// Appends a copy of a graph. Returns its first vertex.
fn append(graph: &mut Graph, other: &Graph) -> usize {
    let first = graph.len();
    let moved = |list: &Vec<usize>| list.iter().map(|v| v + first).collect();
    graph.extend(other.iter().map(|[l, r]| [moved(l), moved(r)]));
    first
}

fn braces(left: &[Option<Graph>], right: &[Option<Graph>]) -> Graph {
    let mut graph: Graph = vec![Default::default()];
    for (side, list) in [left, right].into_iter().enumerate() {
        for option in list {
            let to = option.as_ref().map_or(0, |g| append(&mut graph, g));
            graph[0][side].push(to);
        }
    }
    graph
}

fn dyadic(n: i64, bits: u32) -> Graph {
    match (n, bits) {
        (0, _) => braces(&[], &[]),
        (n, bits) if bits > 0 && n % 2 == 0 => dyadic(n / 2, bits - 1),
        (n, 0) if n > 0 => braces(&[Some(dyadic(n - 1, 0))], &[]),
        (n, 0) => braces(&[], &[Some(dyadic(n + 1, 0))]),
        (n, bits) => braces(&[Some(dyadic(n - 1, bits))], &[Some(dyadic(n + 1, bits))]),
    }
}

fn game(text: &str) -> Option<Graph> {
    let text = text.trim();
    if let Some(at) = split_at(text, |c| c == '+' || c == '-') {
        let (g, h) = (game(&text[..at])?, game(&text[at + 1..])?);
        let h = if text[at..].starts_with('-') {
            negative(&h)
        } else {
            h
        };
        return Some(sum(&g, &h));
    }
    if let Some(rest) = text.strip_prefix('-') {
        return Some(negative(&game(rest)?));
    }
    if let Some(inner) = text.strip_prefix('(').and_then(|t| t.strip_suffix(')')) {
        return game(inner);
    }
    if let Some(inner) = text.strip_prefix('{').and_then(|t| t.strip_suffix('}')) {
        let at = split_at(&format!(" {inner}"), |c| c == '|')? - 1;
        let list = |text: &str| -> Option<Vec<Option<Graph>>> {
            let (mut all, mut rest) = (Vec::new(), text.trim());
            while !rest.is_empty() {
                let at = split_at(rest, |c| c == ',');
                let item = at.map_or(rest, |at| &rest[at + 1..]).trim();
                all.push(if item == "pass" {
                    None
                } else {
                    Some(game(item)?)
                });
                rest = at.map_or("", |at| &rest[..at]);
            }
            Some(all)
        };
        return Some(braces(&list(&inner[..at])?, &list(&inner[at + 1..])?));
    }
    // `1over` is 1 + over, and `1*` is 1 + *.
    let glued = text
        .find(|c: char| !c.is_ascii_digit() && c != '/')
        .filter(|at| *at > 0);
    if let Some(at) = glued {
        return Some(sum(&game(&text[..at])?, &game(&text[at..])?));
    }
    let zero = || Some(dyadic(0, 0));
    let star = || Some(braces(&[zero()], &[zero()]));
    Some(match text {
        "on" => braces(&[None], &[]),
        "off" => braces(&[], &[None]),
        "over" => braces(&[zero()], &[None]),
        "under" => braces(&[None], &[zero()]),
        "upon" => braces(&[None], &[star()]),
        "dud" => braces(&[None], &[None]),
        "*" => star()?,
        "^" => braces(&[zero()], &[star()]),
        _ => {
            let (n, d) = text.split_once('/').unwrap_or((text, "1"));
            let d: u32 = d.parse().ok()?;
            dyadic(
                n.parse().ok()?,
                d.is_power_of_two().then(|| d.trailing_zeros())?,
            )
        }
    })
}

/// Whether a vertex has a value, given as its two sides. If infinite play is won by a player, only the corresponding mode is
/// checked.
pub fn is_worth(graph: &Graph, from: usize, value: &[Graph; 2], endless: Option<usize>) -> bool {
    [(Mode::On, 0), (Mode::Off, 1)]
        .into_iter()
        .filter(|(_, i)| endless.is_none_or(|p| p == *i))
        .all(|(mode, i)| {
            at_most(graph, &value[i], mode)[from][0] && at_most(&value[i], graph, mode)[0][from]
        })
}
