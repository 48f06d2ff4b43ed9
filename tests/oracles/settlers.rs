//! Games that a newcomer took from papers on many subjects, each from its definition again.

use super::brute::{Case, Claim, State};
use super::literal::{Literal, numbers};
use super::turns::{CLOSED, COMPASS, End, Ended, Game, Moves, Shape, board, loses};
use std::collections::BTreeSet;

/// The numbers of a field `name: [..]`.
fn list(l: &Literal, name: &str) -> Option<State> {
    Some(numbers(&l.field(name)?))
}

/// The vertices joined to each, itself the first of them.
fn closed(l: &Literal) -> Vec<Vec<usize>> {
    let graph = l.graph();
    let mut near: Vec<Vec<usize>> = (0..graph.names.len()).map(|v| vec![v]).collect();
    for (u, v, _) in &graph.edges {
        near[*u].push(*v);
        near[*v].push(*u);
    }
    near
}

/// A cutter of i rows and j columns, anywhere over the tray.
fn cookies(s: &State, columns: i32, (i, j): (i32, i32)) -> Vec<State> {
    let rows = s.len() as i32 / columns;
    let mut next = BTreeSet::new();
    for r in 1 - i..rows {
        for c in 1 - j..columns {
            let mut after = s.clone();
            for y in r.max(0)..(r + i).min(rows) {
                for x in c.max(0)..(c + j).min(columns) {
                    after[(y * columns + x) as usize] = 0;
                }
            }
            if after != *s {
                next.insert(after);
            }
        }
    }
    next.into_iter().collect()
}

/// Any maximal elements; `above` has the pairs of an element and one above it.
fn ungar(s: &State, above: &[(usize, usize)]) -> Vec<State> {
    let there = |v: usize| s[v] == 1;
    let top = |v: usize| there(v) && !above.iter().any(|&(a, b)| a == v && there(b));
    let tops: Vec<usize> = (0..s.len()).filter(|&v| top(v)).collect();
    (1..1usize << tops.len())
        .map(|chosen| {
            let mut after = s.clone();
            for (k, &v) in tops.iter().enumerate() {
                if chosen >> k & 1 == 1 {
                    after[v] = 0;
                }
            }
            after
        })
        .collect()
}

/// Of each edge whether it is chosen.
fn slither(s: &State, edges: &[(usize, usize)]) -> Vec<State> {
    let begun = s.contains(&1);
    let degree = |v: usize| {
        let on = |e: &usize| s[*e] == 1 && (edges[*e].0 == v || edges[*e].1 == v);
        (0..edges.len()).filter(on).count()
    };
    let mut next = Vec::new();
    for (e, &(u, v)) in edges.iter().enumerate() {
        let goes_on = matches!((degree(u), degree(v)), (1, 0) | (0, 1));
        if s[e] == 0 && (!begun || goes_on) {
            let mut after = s.clone();
            after[e] = 1;
            next.push(after);
        }
    }
    next
}

/// How often each of 1, 2, 3, 5, .. occurs.
fn zeckendorf(s: &State) -> Vec<State> {
    let change = |changes: &[(usize, i32)]| -> Option<State> {
        let mut after = s.clone();
        for &(i, by) in changes {
            *after.get_mut(i)? += by;
        }
        after.iter().all(|n| *n >= 0).then_some(after)
    };
    let mut next = Vec::new();
    for i in 0..s.len() {
        next.extend(change(&[(i, -1), (i + 1, -1), (i + 2, 1)]));
        next.extend(match i {
            0 => change(&[(0, -2), (1, 1)]),
            1 => change(&[(1, -2), (0, 1), (2, 1)]),
            _ => change(&[(i, -2), (i - 2, 1), (i + 1, 1)]),
        });
    }
    next
}

/// Of each vertex whether it is dominated.
fn dominate(s: &State, closed: &[Vec<usize>]) -> Vec<State> {
    let mut next = Vec::new();
    for near in closed {
        if near.iter().any(|&w| s[w] == 0) {
            let mut after = s.clone();
            near.iter().for_each(|&w| after[w] = 1);
            next.push(after);
        }
    }
    next
}

/// The colours of the buttons, 0 where there is none.
fn cuts(s: &State, columns: i32) -> Vec<State> {
    let rows = s.len() as i32 / columns;
    let mut next = BTreeSet::new();
    for place in 0..s.len() as i32 {
        let (r, c) = (place / columns, place % columns);
        let colour = s[place as usize];
        for (dr, dc) in [(0, 1), (1, 0), (1, 1), (1, -1)] {
            let mut after = s.clone();
            let (mut y, mut x) = (r, c);
            while colour > 0 && (0..rows).contains(&y) && (0..columns).contains(&x) {
                let cell = (y * columns + x) as usize;
                if s[cell] != 0 && s[cell] != colour {
                    break;
                }
                after[cell] = 0;
                if s[cell] == colour && (y, x) != (r, c) {
                    next.insert(after.clone());
                }
                (y, x) = (y + dr, x + dc);
            }
        }
    }
    next.into_iter().collect()
}

/// The arcs `r -b-> s -w-> t`: tail, head and colour.
fn arcs(l: &Literal) -> Option<Vec<(usize, usize, char)>> {
    let mut names: Vec<String> = Vec::new();
    let mut found = Vec::new();
    for entry in &l.entries {
        let words: Vec<&str> = entry.split_whitespace().collect();
        for i in (1..words.len()).step_by(2) {
            let inner = words[i].strip_prefix('-')?.strip_suffix("->")?;
            let colour = inner.chars().next()?;
            let ends = [words[i - 1], *words.get(i + 1)?].map(|name| {
                let known = names.iter().position(|n| n == name);
                known.unwrap_or_else(|| {
                    names.push(name.to_string());
                    names.len() - 1
                })
            });
            found.push((ends[0], ends[1], colour));
        }
    }
    Some(found)
}

/// Of each arc whether it stands.
fn timbush(s: &State, arcs: &[(usize, usize, char)], left: bool) -> Vec<State> {
    let own = if left { ['b', 'g'] } else { ['w', 'g'] };
    let mut next = Vec::new();
    for k in 0..arcs.len() {
        if s[k] == 0 || !own.contains(&arcs[k].2) {
            continue;
        }
        let stands = |e: usize| s[e] == 1 && e != k;
        // What hangs together with the tail.
        let (mut kept, mut i) = (vec![arcs[k].0], 0);
        while i < kept.len() {
            let v = kept[i];
            i += 1;
            for (e, &(a, b, _)) in arcs.iter().enumerate() {
                let other = if a == v { b } else { a };
                if stands(e) && (a == v || b == v) && !kept.contains(&other) {
                    kept.push(other);
                }
            }
        }
        let stays = |e: usize| stands(e) && kept.contains(&arcs[e].0);
        next.push((0..arcs.len()).map(|e| i32::from(stays(e))).collect());
    }
    next
}

fn end_wythoff(s: &State) -> Vec<State> {
    let Some(west) = s.iter().position(|n| *n > 0) else {
        return vec![];
    };
    let east = s.iter().rposition(|n| *n > 0).unwrap_or(west);
    let mut next = Vec::new();
    let mut take = |piles: &[usize]| {
        let most = piles.iter().map(|&i| s[i]).min().unwrap_or(0);
        for k in 1..=most {
            let mut after = s.clone();
            piles.iter().for_each(|&i| after[i] -= k);
            next.push(after);
        }
    };
    take(&[west]);
    if east != west {
        take(&[east]);
        take(&[west, east]);
    }
    next
}

/// The heaps, and the limit behind them.
fn global_fibonacci(s: &State) -> Vec<State> {
    let last = s.len() - 1;
    let mut next = Vec::new();
    for i in 0..last {
        for k in 1..=s[i].min(s[last]) {
            let mut after = s.clone();
            after[i] -= k;
            after[last] = 2 * k;
            next.push(after);
        }
    }
    next
}

/// The ways of writing n as a sum of so many positive numbers, none above `most`.
fn parts(n: i32, count: i32, most: i32) -> Vec<State> {
    if count == 0 {
        return if n == 0 { vec![vec![]] } else { vec![] };
    }
    let mut found = Vec::new();
    for a in 1..=most.min(n) {
        for mut rest in parts(n - a, count - 1, a) {
            rest.push(a);
            found.push(rest);
        }
    }
    found
}

fn partition(s: &State, cuts: &[i32]) -> Vec<State> {
    let mut next = Vec::new();
    for (i, &n) in s.iter().enumerate() {
        for c in cuts {
            for part in parts(n, c + 1, n) {
                let mut after = [&s[..i], &s[i + 1..], &part[..]].concat();
                after.sort_unstable();
                next.push(after);
            }
        }
    }
    next
}

pub fn case(l: &Literal) -> Option<Case> {
    let parameter = |i: usize| l.parameters.get(i)?.parse::<i32>().ok();
    Some(match l.name.as_str() {
        "CookieCutter" => {
            let rows = l.rows();
            let columns = rows[0].len() as i32;
            let cutter = (parameter(0)?, parameter(1)?);
            let start = vec![1; rows.len() * rows[0].len()];
            Case::new(start, move |s, _| cookies(s, columns, cutter))
        }
        "Ungar" => {
            let mut names: Vec<&str> = Vec::new();
            let mut above = Vec::new();
            for entry in &l.entries {
                let (a, b) = entry.split_once(" < ")?;
                let [a, b] = [a, b].map(|name| {
                    let known = names.iter().position(|n| *n == name);
                    known.unwrap_or_else(|| {
                        names.push(name);
                        names.len() - 1
                    })
                });
                above.push((a, b));
            }
            let start = vec![1; names.len()];
            Case::new(start, move |s, _| ungar(s, &above))
        }
        "Slither" => {
            let edges: Vec<(usize, usize)> = l.graph().edges.iter().map(|e| (e.0, e.1)).collect();
            Case::new(vec![0; edges.len()], move |s, _| slither(s, &edges))
        }
        "Zeckendorf" => Case::new(list(l, "terms")?, |s, _| zeckendorf(s)),
        "NormalDomination" => {
            let near = closed(l);
            Case::new(vec![0; near.len()], move |s, _| dominate(s, &near))
        }
        "ButtonsAndScissors" => {
            let rows = l.rows();
            let columns = rows[0].len() as i32;
            let code = |c: &char| "rgb".find(*c).map_or(0, |i| i as i32 + 1);
            let start = rows.iter().flatten().map(code).collect();
            Case::new(start, move |s, _| cuts(s, columns))
        }
        "Timbush" => {
            let arcs = arcs(l)?;
            Case::new(vec![1; arcs.len()], move |s, left| timbush(s, &arcs, left))
        }
        "EndWythoff" => Case::new(list(l, "pile")?, |s, _| end_wythoff(s)),
        "GlobalFibonacciNim" => {
            let mut start = l.heaps();
            start.push(l.field("limit")?.parse().ok()?);
            Case::new(start, |s, _| global_fibonacci(s))
        }
        "Partition" => {
            let cuts = l.set(0);
            Case::new(l.heaps(), move |s, _| partition(s, &cuts))
        }
        "BernoulliGame" => {
            // How many letters are left.
            let (u, v) = (list(l, "u")?, list(l, "v")?);
            Case::new(vec![u.len() as i32], move |s, _| {
                let n = s[0] as usize;
                let may = |m: &usize| v[*m..n].iter().all(|x| u[*m] <= *x);
                (1..n).filter(may).map(|m| vec![m as i32]).collect()
            })
        }
        _ => return None,
    })
}

fn finite(start: State, moves: Moves, ended: Ended) -> Game {
    Game {
        start,
        moves,
        ended,
        stuck: loses,
        endless: None,
    }
}

/// 1 Dominator's, 2 Staller's.
fn maker_breaker_domination(near: Vec<Vec<usize>>) -> Game {
    let start = vec![0; near.len()];
    let moves = |s: &State, p: usize| {
        let free = (0..s.len()).filter(|v| s[*v] == 0);
        free.map(|v| {
            let mut after = s.clone();
            after[v] = p as i32 + 1;
            after
        })
        .collect()
    };
    let ended = move |s: &State, _: usize| {
        if near.iter().all(|n| n.iter().any(|&w| s[w] == 1)) {
            Some(Some(0))
        } else if near.iter().any(|n| n.iter().all(|&w| s[w] == 2)) {
            Some(Some(1))
        } else {
            None
        }
    };
    finite(start, Box::new(moves), Box::new(ended))
}

/// The colours, 0 where there is none yet.
fn colouring(near: Vec<Vec<usize>>, k: i32) -> Game {
    let start = vec![0; near.len()];
    let free = |near: &[usize], s: &State, c: i32| near.iter().all(|&w| s[w] != c);
    let beside = near.clone();
    let moves = move |s: &State, _: usize| {
        let mut all = Vec::new();
        for v in (0..s.len()).filter(|v| s[*v] == 0) {
            for c in (1..=k).filter(|c| free(&beside[v], s, *c)) {
                let mut after = s.clone();
                after[v] = c;
                all.push(after);
            }
        }
        all
    };
    let ended = move |s: &State, _: usize| {
        let stuck = |v: usize| s[v] == 0 && !(1..=k).any(|c| free(&near[v], s, c));
        if !s.contains(&0) {
            Some(Some(0))
        } else if (0..s.len()).any(stuck) {
            Some(Some(1))
        } else {
            None
        }
    };
    finite(start, Box::new(moves), Box::new(ended))
}

/// 1 for Left's ones, 2 for Right's noughts.
fn determinant(l: &Literal) -> Game {
    let (start, shape) = board(l, "x");
    let moves = move |s: &State, p: usize| shape.placing(s, p);
    let ended = move |s: &State, _: usize| {
        let e = |i: usize| i32::from(s[i] == 1);
        let det = e(0) * (e(4) * e(8) - e(5) * e(7)) - e(1) * (e(3) * e(8) - e(5) * e(6))
            + e(2) * (e(3) * e(7) - e(4) * e(6));
        shape.full(s).then_some(Some(usize::from(det == 0)))
    };
    finite(start, Box::new(moves), Box::new(ended))
}

const KING: i32 = 1;
const ROOK: i32 = 2;
const FLEEING: i32 = 3;

fn find(shape: Shape, s: &State, piece: i32) -> Option<(i32, i32)> {
    shape.cells().find(|c| shape.at(s, *c) == piece)
}

/// Whether Left's king or rook attacks a cell; Right's king hides nothing.
fn attacked(shape: Shape, s: &State, cell: (i32, i32)) -> bool {
    let beside = |d: &(i32, i32)| shape.at(s, (cell.0 + d.0, cell.1 + d.1)) == KING;
    // Outward from the cell, along rows and columns.
    let seen = |d: &(i32, i32)| {
        let (mut r, mut c) = (cell.0 + d.0, cell.1 + d.1);
        while [0, FLEEING].contains(&shape.at(s, (r, c))) {
            (r, c) = (r + d.0, c + d.1);
        }
        shape.at(s, (r, c)) == ROOK
    };
    COMPASS.iter().any(beside) || COMPASS[..4].iter().any(seen)
}

fn rook_moves(shape: Shape, s: &State, p: usize) -> Vec<State> {
    let mut all = Vec::new();
    if p == 1 {
        if let Some((r, c)) = find(shape, s, FLEEING) {
            for (dr, dc) in COMPASS {
                let to = (r + dr, c + dc);
                if [0, ROOK].contains(&shape.at(s, to)) {
                    let after = shape.put(s, &[((r, c), 0), (to, FLEEING)]);
                    if !attacked(shape, &after, to) {
                        all.push(after);
                    }
                }
            }
        }
        return all;
    }
    if let Some((r, c)) = find(shape, s, KING) {
        for (dr, dc) in COMPASS {
            let to = (r + dr, c + dc);
            let kings = |d: &(i32, i32)| shape.at(s, (to.0 + d.0, to.1 + d.1)) == FLEEING;
            if shape.at(s, to) == 0 && !COMPASS.iter().any(kings) {
                all.push(shape.put(s, &[((r, c), 0), (to, KING)]));
            }
        }
    }
    if let Some((r, c)) = find(shape, s, ROOK) {
        for (dr, dc) in &COMPASS[..4] {
            let mut to = (r + dr, c + dc);
            while shape.at(s, to) == 0 {
                all.push(shape.put(s, &[((r, c), 0), (to, ROOK)]));
                to = (to.0 + dr, to.1 + dc);
            }
        }
    }
    all
}

fn rook_ended(shape: Shape, s: &State) -> Option<End> {
    if find(shape, s, ROOK).is_none() {
        return Some(None);
    }
    let check = attacked(shape, s, find(shape, s, FLEEING)?);
    (check && rook_moves(shape, s, 1).is_empty()).then_some(Some(0))
}

fn rook_ending(l: &Literal) -> Option<Game> {
    let (_, shape) = board(l, "");
    let code = |c: &char| "KRk".find(*c).map_or(0, |i| i as i32 + 1);
    let start: State = l.rows().iter().flatten().map(code).collect();
    // The programs do not ask whether play has ended before the first move.
    if rook_ended(shape, &start).is_some() {
        return None;
    }
    let moves = move |s: &State, p: usize| rook_moves(shape, s, p);
    let ended = move |s: &State, _: usize| rook_ended(shape, s);
    let mut game = finite(start, Box::new(moves), Box::new(ended));
    game.stuck = |_| None;
    Some(game)
}

pub fn game(l: &Literal) -> Option<Game> {
    Some(match l.name.as_str() {
        "MakerBreakerDomination" => maker_breaker_domination(closed(l)),
        "ColouringGame" => {
            let near = closed(l).into_iter().map(|n| n[1..].to_vec()).collect();
            colouring(near, l.parameters.first()?.parse().ok()?)
        }
        "DeterminantTicTacToe" => determinant(l),
        "RookEnding" => return rook_ending(l),
        _ => return None,
    })
}

/// Slime Trail where the token goes as a king: where it has been is closed, and last is where it stands. Left's goal is the southwestern corner,
/// Right's the northeastern one.
fn slime(rows: i32, columns: i32, (r, c): (i32, i32)) -> Game {
    let shape = Shape { rows, columns };
    let goals = [(rows - 1) * columns, columns - 1];
    let mut start = vec![0; (rows * columns) as usize];
    start.push(r * columns + c);
    let near = move |s: &State, place: i32| -> Vec<i32> {
        let (r, c) = (place / columns, place % columns);
        let around = COMPASS.iter().map(|(dr, dc)| (r + dr, c + dc));
        let open = around.filter(|to| shape.at(s, *to) == 0);
        open.map(|(r, c)| r * columns + c).collect()
    };
    let moves = move |s: &State, _: usize| {
        let last = s.len() - 1;
        let from = s[last];
        let mut left = s.clone();
        left[from as usize] = CLOSED;
        let mut all = Vec::new();
        for to in near(&left, from) {
            let (mut reached, mut i) = (vec![to], 0);
            while i < reached.len() {
                for more in near(&left, reached[i]) {
                    if !reached.contains(&more) {
                        reached.push(more);
                    }
                }
                i += 1;
            }
            if goals.iter().any(|goal| reached.contains(goal)) {
                let mut after = left.clone();
                after[last] = to;
                all.push(after);
            }
        }
        all
    };
    let ended = move |s: &State, _: usize| {
        let token = s[s.len() - 1];
        goals.iter().position(|goal| *goal == token).map(Some)
    };
    finite(start, Box::new(moves), Box::new(ended))
}

/// Atropos with n vertices on each side: the colours 1, 2, 3 row by row, 0 where there is none, and last which vertex was coloured before.
fn atropos(n: i32) -> Game {
    let sites: Vec<(i32, i32)> = (1..=n).flat_map(|i| (1..=i).map(move |j| (i, j))).collect();
    let rim = |(i, j): &(i32, i32)| match (*i, *j) {
        (i, 1) if i < n => 1,
        (i, j) if i == n && j < n => 2,
        (i, j) if i == j => 3,
        _ => 0,
    };
    let mut start: State = sites.iter().map(rim).collect();
    start.push(0);
    let beside = |a: (i32, i32), b: (i32, i32)| {
        let steps = [(0, 1), (1, 0), (1, 1), (0, -1), (-1, 0), (-1, -1)];
        steps.contains(&(b.0 - a.0, b.1 - a.1))
    };
    let near: Vec<Vec<usize>> = sites
        .iter()
        .map(|a| (0..sites.len()).filter(|b| beside(*a, sites[*b])).collect())
        .collect();
    let around = near.clone();
    let moves = move |s: &State, _: usize| {
        let last = s.len() - 1;
        let free = |v: &usize| s[*v] == 0;
        let mut choice: Vec<usize> = near[s[last] as usize]
            .iter()
            .copied()
            .filter(free)
            .collect();
        if choice.is_empty() {
            choice = (0..last).filter(free).collect();
        }
        let mut all = Vec::new();
        for v in choice {
            for colour in 1..=3 {
                let mut after = s.clone();
                after[v] = colour;
                after[last] = v as i32;
                all.push(after);
            }
        }
        all
    };
    let ended = move |s: &State, mover: usize| {
        let v = s[s.len() - 1] as usize;
        let three = |x: usize, y: usize| {
            let colours = BTreeSet::from([s[v], s[x], s[y]]);
            around[x].contains(&y) && colours == BTreeSet::from([1, 2, 3])
        };
        let lost = around[v]
            .iter()
            .any(|&x| around[v].iter().any(|&y| three(x, y)));
        lost.then_some(Some(1 - mover))
    };
    finite(start, Box::new(moves), Box::new(ended))
}

/// The peg of each disk, the smallest first, and last which disk was moved before, counted from 1.
fn hanoi(disks: usize, pegs: i32) -> Game {
    let mut start = vec![1; disks];
    start.push(0);
    let moves = move |s: &State, _: usize| {
        let tower = |s: &State, q: i32| s[..disks].iter().all(|p| *p == q);
        let mut all = Vec::new();
        if tower(s, pegs) {
            return all;
        }
        for d in (0..disks).filter(|d| s[disks] != *d as i32 + 1) {
            for q in (1..=pegs).filter(|q| *q != s[d]) {
                if s[..d].iter().any(|p| *p == s[d] || *p == q) {
                    continue;
                }
                let mut after = s.clone();
                after[d] = q;
                after[disks] = d as i32 + 1;
                if !(1..pegs).any(|r| tower(&after, r)) {
                    all.push(after);
                }
            }
        }
        all
    };
    finite(start, Box::new(moves), Box::new(|_, _| None))
}

/// Claims by their names in the files.
pub const CLAIMS: &[Claim] = &[
    (
        "Nibble: the second player wins unless both sides are odd",
        || {
            (0..9).all(|k| {
                let (m, n) = (k / 3 + 1, k % 3 + 1);
                let mut above = Vec::new();
                for i in 0..m {
                    for j in 0..n {
                        if i + 1 < m {
                            above.push((i * n + j, (i + 1) * n + j));
                        }
                        if j + 1 < n {
                            above.push((i * n + j, i * n + j + 1));
                        }
                    }
                }
                let bar = Case::new(vec![1; m * n], move |s, _| ungar(s, &above));
                bar.nimber() == Some((m % 2 * (n % 2)) as u64)
            })
        },
    ),
    ("four pegs: nobody wins", || {
        (2..=3).all(|disks| hanoi(disks, 4).outcome() == "D-position")
    }),
    (
        "three by three, from a corner that is nobody's the second player wins",
        || {
            [0, 2]
                .iter()
                .all(|k| slime(3, 3, (*k, *k)).outcome() == "P-position")
        },
    ),
    ("beside a goal one goes there", || {
        (3..=4).all(|n| slime(2, n, (0, 1)).outcome() == "N-position")
    }),
    ("small boards", || {
        [(4, "P-position"), (5, "P-position"), (6, "N-position")]
            .iter()
            .all(|(n, outcome)| atropos(*n).outcome() == *outcome)
    }),
];
