//! Games on a grid of cells, each from its definition. A state lists the cells row by row.

use super::brute::{Case, State};
use super::literal::Literal;

const WALL: i32 = 9;
const ORTHOGONAL: [(i32, i32); 4] = [(0, 1), (1, 0), (0, -1), (-1, 0)];
const COMPASS: [(i32, i32); 8] = [
    (0, 1),
    (1, 0),
    (0, -1),
    (-1, 0),
    (1, 1),
    (1, -1),
    (-1, 1),
    (-1, -1),
];

/// The shape of the board. Cells outside it count as walls.
#[derive(Clone, Copy)]
struct Shape {
    rows: i32,
    columns: i32,
}

impl Shape {
    fn index(self, (r, c): (i32, i32)) -> Option<usize> {
        let inside = r >= 0 && c >= 0 && r < self.rows && c < self.columns;
        inside.then(|| (r * self.columns + c) as usize)
    }

    fn at(self, state: &State, cell: (i32, i32)) -> i32 {
        self.index(cell).map_or(WALL, |i| state[i])
    }

    fn cells(self) -> impl Iterator<Item = (i32, i32)> {
        (0..self.rows).flat_map(move |r| (0..self.columns).map(move |c| (r, c)))
    }

    fn with(self, state: &State, writes: &[((i32, i32), i32)]) -> State {
        let mut after = state.clone();
        for &(cell, piece) in writes {
            after[self.index(cell).expect("a cell")] = piece;
        }
        after
    }

    /// The empty cells that a slide from a cell can reach in one direction.
    fn slide(self, state: &State, cell: (i32, i32), d: (i32, i32)) -> Vec<(i32, i32)> {
        (1..)
            .map(|k| step(cell, d, k))
            .take_while(|&c| self.at(state, c) == 0)
            .collect()
    }
}

fn step((r, c): (i32, i32), (dr, dc): (i32, i32), k: i32) -> (i32, i32) {
    (r + k * dr, c + k * dc)
}

fn along(left: bool) -> (i32, i32) {
    if left { (1, 0) } else { (0, 1) }
}

/// Pieces: 1 is Left's (x), 2 is Right's (o). In games with one kind of piece, 1 is the token, stone or coin.
fn read(l: &Literal) -> (Shape, State) {
    let rows = l.rows();
    let code = |c: &char| match c {
        '.' => 0,
        '#' => WALL,
        'o' => 2,
        _ => 1,
    };
    let shape = Shape {
        rows: rows.len() as i32,
        columns: rows[0].len() as i32,
    };
    (shape, rows.iter().flatten().map(code).collect())
}

fn options(name: &str, g: Shape, s: &State, left: bool) -> Vec<State> {
    let (me, you) = if left { (1, 2) } else { (2, 1) };
    let mut next = Vec::new();
    for a in g.cells() {
        let here = g.at(s, a);
        match name {
            "Domineering" | "Cram" => {
                let ways = if name == "Cram" {
                    vec![(1, 0), (0, 1)]
                } else {
                    vec![along(left)]
                };
                for d in ways {
                    let b = step(a, d, 1);
                    if here == 0 && g.at(s, b) == 0 {
                        next.push(g.with(s, &[(a, WALL), (b, WALL)]));
                    }
                }
            }
            "Clobber" | "AntiClobber" if here == me => {
                for d in ORTHOGONAL {
                    let b = step(a, d, 1);
                    if name == "Clobber" && g.at(s, b) == you {
                        next.push(g.with(s, &[(a, 0), (b, me)]));
                    }
                    if name == "AntiClobber" && g.at(s, b) == 0 {
                        next.push(g.with(s, &[(a, you), (b, me)]));
                    }
                }
            }
            "Konane" if here == me => {
                for d in ORTHOGONAL {
                    let mut after = g.with(s, &[(a, 0)]);
                    let mut from = a;
                    while g.at(&after, step(from, d, 1)) == you
                        && g.at(&after, step(from, d, 2)) == 0
                    {
                        after = g.with(&after, &[(step(from, d, 1), 0)]);
                        from = step(from, d, 2);
                        next.push(g.with(&after, &[(from, me)]));
                    }
                }
            }
            "Amazons" if here == me => {
                for b in COMPASS.iter().flat_map(|&d| g.slide(s, a, d)) {
                    let moved = g.with(s, &[(a, 0), (b, me)]);
                    for c in COMPASS.iter().flat_map(|&d| g.slide(&moved, b, d)) {
                        next.push(g.with(&moved, &[(c, WALL)]));
                    }
                }
            }
            "Fission" if here == 1 => {
                let (b, c) = (step(a, along(left), 1), step(a, along(left), -1));
                if g.at(s, b) == 0 && g.at(s, c) == 0 {
                    next.push(g.with(s, &[(a, 0), (b, 1), (c, 1)]));
                }
            }
            "Maze" | "Maize" if here == 1 => {
                let far = if name == "Maze" { usize::MAX } else { 1 };
                next.extend(
                    g.slide(s, a, along(left))
                        .into_iter()
                        .take(far)
                        .map(|b| g.with(s, &[(a, 0), (b, 1)])),
                );
            }
            "NorthcottForward" if here == me => {
                let d = if left { (0, 1) } else { (0, -1) };
                next.extend(
                    g.slide(s, a, d)
                        .into_iter()
                        .map(|b| g.with(s, &[(a, 0), (b, me)])),
                );
            }
            "TurningCorners" if here == 1 => {
                for k in 0..a.0 {
                    for m in 0..a.1 {
                        let corners = [(k, a.1), (a.0, m), (k, m)].map(|c| (c, 1 - g.at(s, c)));
                        next.push(g.with(&g.with(s, &[(a, 0)]), &corners));
                    }
                }
            }
            _ => {}
        }
    }
    next
}

pub fn case(l: &Literal) -> Option<Case> {
    const NAMES: [&str; 12] = [
        "Domineering",
        "Cram",
        "Clobber",
        "AntiClobber",
        "Konane",
        "Amazons",
        "Fission",
        "Maze",
        "Maize",
        "NorthcottForward",
        "TurningCorners",
        "",
    ];
    let name = *NAMES.iter().find(|n| **n == l.name)?;
    let (shape, start) = read(l);
    Some(Case::new(start, move |s, left| {
        options(name, shape, s, left)
    }))
}
