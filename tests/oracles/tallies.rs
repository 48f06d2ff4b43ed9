//! Games in which points are counted at the end, by plain minimax; each move and each count follows the definition of its
//! game.

use super::literal::{Literal, call, numbers};
use std::collections::{HashMap, HashSet};
use std::hash::Hash;

/// The moves of Left (0) and Right (1), and the points if one of them is stuck.
struct Game<S> {
    moves: Box<dyn Fn(&S, usize) -> Vec<S>>,
    points: Box<dyn Fn(&S, usize) -> i32>,
}

impl<S: Clone + Eq + Hash> Game<S> {
    fn best(&self, s: &S, player: usize, known: &mut HashMap<(S, usize), i32>) -> i32 {
        if let Some(found) = known.get(&(s.clone(), player)) {
            return *found;
        }
        let next = (self.moves)(s, player);
        let results = next.iter().map(|t| self.best(t, 1 - player, known));
        let found = match player {
            0 => results.max(),
            _ => results.min(),
        };
        let found = found.unwrap_or_else(|| (self.points)(s, player));
        known.insert((s.clone(), player), found);
        found
    }

    fn score(&self, start: S, player: usize) -> i32 {
        self.best(&start, player, &mut HashMap::new())
    }
}

/// What lies on each vertex: its colour, 0 or 1, or who has taken it, 2 or 3.
fn influence(start: Vec<usize>, arcs: Vec<(usize, usize)>, player: usize) -> i32 {
    let moves = move |s: &Vec<usize>, p: usize| {
        let takes = |v: usize| {
            let mut after = s.clone();
            after[v] = 2 + p;
            for &(from, to) in &arcs {
                let (near, far) = if p == 0 { (from, to) } else { (to, from) };
                if near == v && after[far] < 2 {
                    after[far] = 2 + p;
                }
            }
            after
        };
        (0..s.len()).filter(|v| s[*v] == p).map(takes).collect()
    };
    let game = Game {
        moves: Box::new(moves),
        // What nobody has taken is not of the colour of the one who is stuck; the other takes it all.
        points: Box::new(|s, _| s.iter().map(|c| 1 - 2 * (*c as i32 % 2)).sum()),
    };
    game.score(start, player)
}

/// An alternating path, black first, with its arcs from black to white.
fn alternating(n: usize, player: usize) -> i32 {
    let arcs = (0..n).flat_map(|i| [(i, i + 1), (i + 1, i)]);
    let arcs = arcs.filter(|(i, j)| i % 2 == 0 && *i < n && *j < n);
    influence((0..n).map(|i| i % 2).collect(), arcs.collect(), player)
}

/// The order of the largest connected set of vertices with a colour.
fn largest(s: &[usize], edges: &[(usize, usize)], colour: usize) -> i32 {
    let mut root: Vec<usize> = (0..s.len()).collect();
    for _ in 0..s.len() {
        for &(u, v) in edges.iter().filter(|(u, v)| s[*u] == s[*v]) {
            let least = root[u].min(root[v]);
            (root[u], root[v]) = (least, least);
        }
    }
    let order = |r: usize| {
        (0..s.len())
            .filter(|v| s[*v] == colour && root[*v] == r)
            .count()
    };
    (0..s.len()).map(order).max().unwrap_or(0) as i32
}

fn connected(n: usize, edges: Vec<(usize, usize)>, breaker: bool, player: usize) -> i32 {
    let game = Game {
        moves: Box::new(|s: &Vec<usize>, p| {
            let free = (0..s.len()).filter(|v| s[*v] == 2);
            let put = |v: usize| {
                (0..s.len())
                    .map(|w| if v == w { p } else { s[w] })
                    .collect()
            };
            free.map(put).collect()
        }),
        points: Box::new(move |s, _| {
            let theirs = if breaker { 0 } else { largest(s, &edges, 1) };
            largest(s, &edges, 0) - theirs
        }),
    };
    game.score(vec![2; n], player)
}

type Rows = Vec<Vec<char>>;
type Cell = (usize, usize);
const STONES: [char; 2] = ['x', 'o'];

fn cells(b: &Rows) -> Vec<Cell> {
    let row = |r: usize| (0..b[r].len()).map(move |c| (r, c));
    (0..b.len()).flat_map(row).collect()
}

fn beside(b: &Rows, (r, c): Cell) -> Vec<Cell> {
    let all = [
        (r + 1, c),
        (r, c + 1),
        (r.wrapping_sub(1), c),
        (r, c.wrapping_sub(1)),
    ];
    let on = |(r, c): &Cell| b.get(*r).is_some_and(|row| *c < row.len());
    all.into_iter().filter(on).collect()
}

/// The cells that hold the same as a cell and are joined to it, and the cells around them.
fn area(b: &Rows, at: Cell) -> (HashSet<Cell>, HashSet<Cell>) {
    let (mut inside, mut around, mut open) = (HashSet::from([at]), HashSet::new(), vec![at]);
    while let Some(cell) = open.pop() {
        for next in beside(b, cell) {
            if b[next.0][next.1] != b[at.0][at.1] {
                around.insert(next);
            } else if inside.insert(next) {
                open.push(next);
            }
        }
    }
    (inside, around)
}

fn touches(b: &Rows, around: &HashSet<Cell>, sign: char) -> bool {
    around.iter().any(|(r, c)| b[*r][*c] == sign)
}

/// The empty cells that are walled off by one player, Left's less Right's.
fn territory(b: &Rows) -> i32 {
    let empty = cells(b).into_iter().filter(|(r, c)| b[*r][*c] == '.');
    let worth = |cell: Cell| {
        let around = area(b, cell).1;
        i32::from(touches(b, &around, 'x')) - i32::from(touches(b, &around, 'o'))
    };
    empty.map(worth).sum()
}

fn put(b: &Rows, cells: &[(Cell, char)]) -> Rows {
    let mut after = b.clone();
    for ((r, c), sign) in cells {
        after[*r][*c] = *sign;
    }
    after
}

/// Stones go beside stones of the same player, into rooms that both players border on.
fn rooms(start: Rows, player: usize) -> i32 {
    let moves = |b: &Rows, p: usize| {
        let open = |cell: &Cell| {
            let around = area(b, *cell).1;
            let near = beside(b, *cell);
            b[cell.0][cell.1] == '.'
                && near.iter().any(|(r, c)| b[*r][*c] == STONES[p])
                && touches(b, &around, STONES[1 - p])
        };
        let found = cells(b).into_iter().filter(open);
        found.map(|cell| put(b, &[(cell, STONES[p])])).collect()
    };
    let game = Game {
        moves: Box::new(moves),
        points: Box::new(|b, _| territory(b)),
    };
    game.score(start, player)
}

/// A board, the stones in the bowls, and how many passes came last.
type Goban = (Rows, [i32; 2], i32);

fn go(start: Goban, player: usize) -> i32 {
    let breathes = |b: &Rows, cell: Cell| touches(b, &area(b, cell).1, '.');
    let moves = move |(b, bowl, passes): &Goban, p: usize| {
        if *passes == 2 {
            return vec![];
        }
        let mut next = vec![(b.clone(), *bowl, passes + 1)];
        let free = cells(b).into_iter().filter(|(r, c)| b[*r][*c] == '.');
        for cell in free.filter(|_| bowl[p] > 0) {
            let mut after = put(b, &[(cell, STONES[p])]);
            let taken: Vec<_> = beside(b, cell)
                .into_iter()
                .filter(|c| after[c.0][c.1] == STONES[1 - p] && !breathes(&after, *c))
                .flat_map(|c| area(&after, c).0)
                .map(|c| (c, '.'))
                .collect();
            after = put(&after, &taken);
            if breathes(&after, cell) {
                let mut bowl = *bowl;
                bowl[p] -= 1;
                next.push((after, bowl, 0));
            }
        }
        next
    };
    let stones =
        |b: &Rows, sign: char| cells(b).iter().filter(|c| b[c.0][c.1] == sign).count() as i32;
    let game = Game {
        moves: Box::new(moves),
        points: Box::new(move |(b, ..): &Goban, _| stones(b, 'x') - stones(b, 'o') + territory(b)),
    };
    game.score(start, player)
}

/// A board, and how many stones Left has taken less what Right has.
type Jumped = (Rows, i32);

/// The boards after jumps of one stone in one direction.
fn jumps(b: &Rows, p: usize) -> Vec<(Rows, i32)> {
    let mut found = vec![];
    for (r, c) in cells(b).into_iter().filter(|(r, c)| b[*r][*c] == STONES[p]) {
        for (dr, dc) in [(0, 1), (1, 0), (0, -1), (-1, 0)] {
            let cell = |k: isize| {
                let (r, c) = (r as isize + k * dr, c as isize + k * dc);
                (r as usize, c as usize)
            };
            let at = |b: &Rows, k: isize| {
                let (r, c) = cell(k);
                b.get(r).and_then(|row| row.get(c)).copied()
            };
            let (mut now, mut k) = (b.clone(), 0);
            while at(&now, k + 1) == Some(STONES[1 - p]) && at(&now, k + 2) == Some('.') {
                now = put(
                    &now,
                    &[(cell(k), '.'), (cell(k + 1), '.'), (cell(k + 2), STONES[p])],
                );
                k += 2;
                found.push((now.clone(), k as i32 / 2));
            }
        }
    }
    found
}

/// The stones of the player who is stuck that some jumps of the other would take.
fn dead(b: &Rows, stuck: usize) -> i32 {
    let (mut seen, mut open) = (HashSet::from([b.clone()]), vec![b.clone()]);
    while let Some(now) = open.pop() {
        for (next, _) in jumps(&now, 1 - stuck) {
            if seen.insert(next.clone()) {
                open.push(next);
            }
        }
    }
    let own = |c: &&Cell| b[c.0][c.1] == STONES[stuck];
    let gone = |c: &&Cell| seen.iter().any(|s| s[c.0][c.1] != STONES[stuck]);
    cells(b).iter().filter(own).filter(gone).count() as i32
}

fn diskonnect(start: Rows, player: usize) -> i32 {
    let sign = |p: usize| 1 - 2 * p as i32;
    let game = Game {
        moves: Box::new(move |(b, points): &Jumped, p| {
            let next = jumps(b, p).into_iter();
            next.map(|(b, k)| (b, points + k * sign(p))).collect()
        }),
        points: Box::new(move |(b, points): &Jumped, stuck| points - sign(stuck) * dead(b, stuck)),
    };
    game.score((start, 0), player)
}

/// The score of a position if Left or Right begins.
pub fn score(text: &str, first: &str) -> Option<i32> {
    let player = usize::from(first != "Left");
    let Some(l) = Literal::read(text) else {
        let (name, sizes) = call(text)?;
        let n = sizes.first()?.parse().ok()?;
        return (name == "Alternating").then(|| alternating(n, player));
    };
    let graph = || {
        let g = l.graph();
        let edges: Vec<_> = g.edges.iter().map(|e| (e.0, e.1)).collect();
        (g, edges)
    };
    match l.name.as_str() {
        "Influence" => {
            let (g, arcs) = graph();
            let colours = (0..g.names.len()).map(|v| usize::from(g.piece(v) == 'w'));
            Some(influence(colours.collect(), arcs, player))
        }
        "LargestConnectedSubgraph" | "MakerBreakerSubgraph" => {
            let (g, edges) = graph();
            let breaker = l.name == "MakerBreakerSubgraph";
            Some(connected(g.names.len(), edges, breaker, player))
        }
        "Rooms" => Some(rooms(l.rows(), player)),
        "AreaGo" => {
            let bowl = numbers(&l.field("bowl")?);
            Some(go((l.rows(), [bowl[0], bowl[1]], 0), player))
        }
        "Diskonnect" => Some(diskonnect(l.rows(), player)),
        _ => None,
    }
}
