//! Strips and grids with pieces or walls; each move follows the definition of its game. A state lists the board row by row:
//! 0 free, 1 Left's or heads, 2 Right's, 9 closed.

use super::brute::{Case, Claim, State};
use super::literal::Literal;

const CLOSED: i32 = 9;
const STRAIGHT: [(i32, i32); 4] = [(0, 1), (1, 0), (0, -1), (-1, 0)];
const SLANTED: [(i32, i32); 4] = [(1, 1), (1, -1), (-1, 1), (-1, -1)];
const LEAPS: [(i32, i32); 8] = [
    (1, 2),
    (2, 1),
    (-1, 2),
    (2, -1),
    (1, -2),
    (-2, 1),
    (-1, -2),
    (-2, -1),
];

/// The shape of a board.
#[derive(Clone, Copy)]
struct Shape {
    rows: i32,
    columns: i32,
}

impl Shape {
    fn cells(self) -> impl Iterator<Item = (i32, i32)> {
        (0..self.rows).flat_map(move |r| (0..self.columns).map(move |c| (r, c)))
    }

    fn place(self, (r, c): (i32, i32)) -> Option<usize> {
        ((0..self.rows).contains(&r) && (0..self.columns).contains(&c))
            .then(|| (r * self.columns + c) as usize)
    }

    /// The content of a cell; closed outside the board.
    fn at(self, s: &State, cell: (i32, i32)) -> i32 {
        self.place(cell).map_or(CLOSED, |i| s[i])
    }

    fn with(self, s: &State, changes: &[((i32, i32), i32)]) -> State {
        let mut after = s.clone();
        for (cell, what) in changes {
            after[self.place(*cell).expect("on the board")] = *what;
        }
        after
    }
}

fn step((r, c): (i32, i32), (dr, dc): (i32, i32), k: i32) -> (i32, i32) {
    (r + k * dr, c + k * dc)
}

/// The board of a literal. `lefts` are the letters of Left's pieces.
fn board(l: &Literal, lefts: &str) -> (State, Shape) {
    let rows = l.rows();
    let shape = Shape {
        rows: rows.len() as i32,
        columns: rows[0].len() as i32,
    };
    let code = |c: &char| match c {
        '.' => 0,
        '#' => CLOSED,
        c if lefts.contains(*c) => 1,
        _ => 2,
    };
    (rows.iter().flatten().map(code).collect(), shape)
}

/// Straight pieces of the given lengths, Left's vertical, Right's horizontal.
fn lines(s: &State, shape: Shape, left: bool, lengths: &[i32]) -> Vec<State> {
    let way = if left { (1, 0) } else { (0, 1) };
    let mut next = Vec::new();
    for cell in shape.cells() {
        for &n in lengths {
            let covered: Vec<(i32, i32)> = (0..n).map(|k| step(cell, way, k)).collect();
            if covered.iter().all(|c| shape.at(s, *c) == 0) {
                let changes: Vec<_> = covered.iter().map(|c| (*c, CLOSED)).collect();
                next.push(shape.with(s, &changes));
            }
        }
    }
    next
}

fn clobbers(s: &State, shape: Shape, may: impl Fn(i32, i32) -> bool) -> Vec<State> {
    let mut next = Vec::new();
    for cell in shape.cells() {
        for way in STRAIGHT {
            let to = step(cell, way, 1);
            let (a, b) = (shape.at(s, cell), shape.at(s, to));
            if [1, 2].contains(&a) && [1, 2].contains(&b) && may(a, b) {
                next.push(shape.with(s, &[(cell, 0), (to, a)]));
            }
        }
    }
    next
}

fn isolation(s: &State, shape: Shape, me: i32) -> Vec<State> {
    let mut next = Vec::new();
    for from in shape.cells().filter(|c| shape.at(s, *c) == me) {
        for way in STRAIGHT.iter().chain(&SLANTED) {
            let to = step(from, *way, 1);
            if shape.at(s, to) != 0 {
                continue;
            }
            let moved = shape.with(s, &[(from, 0), (to, me)]);
            for gone in shape.cells().filter(|c| shape.at(&moved, *c) == 0) {
                next.push(shape.with(&moved, &[(gone, CLOSED)]));
            }
        }
    }
    next
}

/// Places a piece on a free cell from which no other piece is seen.
fn placing(s: &State, shape: Shape, ways: &[(i32, i32)], far: bool) -> Vec<State> {
    let free = |cell: (i32, i32)| {
        ways.iter().all(|way| {
            let reach = if far { 20 } else { 1 };
            (1..=reach).all(|k| shape.at(s, step(cell, *way, k)) != 1)
        })
    };
    shape
        .cells()
        .filter(|c| shape.at(s, *c) == 0 && free(*c))
        .map(|c| shape.with(s, &[(c, 1)]))
        .collect()
}

/// Turns all coins of a set whose last coin is heads.
fn turning(s: &State, sets: &[Vec<usize>]) -> Vec<State> {
    let mut next = Vec::new();
    for set in sets {
        if set.iter().max().is_some_and(|&last| s[last] == 1) {
            let mut after = s.clone();
            set.iter().for_each(|&i| after[i] = 1 - after[i]);
            next.push(after);
        }
    }
    next
}

/// The nonempty subsets of 0..n that satisfy `wanted`.
fn chosen(n: usize, wanted: impl Fn(&[usize]) -> bool) -> Vec<Vec<usize>> {
    let all = (1u32..1 << n).map(|bits| (0..n).filter(|i| bits >> i & 1 == 1).collect());
    all.filter(|set: &Vec<usize>| wanted(set)).collect()
}

/// Products of the sets of two games on rows of coins.
fn product(rows: &[Vec<usize>], columns: &[Vec<usize>], width: usize) -> Vec<Vec<usize>> {
    let mut sets = Vec::new();
    for r in rows {
        for c in columns {
            sets.push(
                r.iter()
                    .flat_map(|i| c.iter().map(move |j| i * width + j))
                    .collect(),
            );
        }
    }
    sets
}

fn interval(set: &[usize]) -> bool {
    set.windows(2).all(|w| w[1] == w[0] + 1)
}

fn evenly(set: &[usize]) -> bool {
    set.len() == 3 && set[2] - set[1] == set[1] - set[0]
}

fn duotaire(s: &State) -> Vec<State> {
    let n = s.len() as i32;
    let mut next = Vec::new();
    for a in 0..n {
        for way in [-1, 1] {
            let (b, c) = (a + way, a + 2 * way);
            if (0..n).contains(&c) && s[a as usize] == 2 && s[b as usize] == 2 && s[c as usize] == 0
            {
                let mut after = s.clone();
                after[a as usize] = 0;
                after[b as usize] = 0;
                after[c as usize] = 2;
                next.push(after);
            }
        }
    }
    next
}

/// Left's pieces move one cell east, Right's one cell west.
fn walking(s: &State, left: bool) -> Vec<State> {
    let mut next = Vec::new();
    for i in 1..s.len() {
        let (from, to, me) = if left { (i - 1, i, 1) } else { (i, i - 1, 2) };
        if s[from] == me && s[to] == 0 {
            let mut after = s.clone();
            after.swap(from, to);
            next.push(after);
        }
    }
    next
}

/// 1 is a lady, 2 a gentleman.
fn seating(s: &State, left: bool) -> Vec<State> {
    let (west, east) = if left { (1, 2) } else { (2, 1) };
    let mut next = Vec::new();
    for i in 1..s.len() {
        let before = if i >= 2 { s[i - 2] } else { 0 };
        let behind = s.get(i + 1).copied().unwrap_or(0);
        let mixed = |a: i32, b: i32| a != 0 && a != CLOSED && a != b;
        if s[i - 1] == 0 && s[i] == 0 && !mixed(before, west) && !mixed(behind, east) {
            let mut after = s.clone();
            after[i - 1] = west;
            after[i] = east;
            next.push(after);
        }
    }
    next
}

/// Two stones exchange places if all stones between them belong to the other player.
fn bypass(s: &State, left: bool) -> Vec<State> {
    let mut next = Vec::new();
    for i in 0..s.len() {
        for j in i + 1..s.len() {
            let between = &s[i + 1..j];
            let other = if left { 2 } else { 1 };
            if s[i] == 1 && s[j] == 2 && between.iter().all(|&c| c == other) {
                let mut after = s.clone();
                after.swap(i, j);
                next.push(after);
            }
        }
    }
    next
}

/// Numbers that are not sums of the named ones. Sums are marked as closed.
fn sylver(s: &State) -> Vec<State> {
    let n = s.len();
    let mut next = Vec::new();
    for a in (2..=n).filter(|a| s[a - 1] == 0) {
        let mut sums: Vec<bool> = (0..=n).map(|i| i == 0 || s[i - 1] == CLOSED).collect();
        for i in a..=n {
            sums[i] = sums[i] || sums[i - a];
        }
        next.push((1..=n).map(|i| if sums[i] { CLOSED } else { 0 }).collect());
    }
    next
}

/// Elements of the cyclic group of order n. A set generates it if and only if its elements and n have no common factor.
fn generating(s: &State, avoiding: bool) -> Vec<State> {
    fn gcd(a: usize, b: usize) -> usize {
        if b == 0 { a } else { gcd(b, a % b) }
    }
    let spans = |t: &State| {
        let chosen = (1..=t.len()).filter(|a| t[a - 1] == 1);
        chosen.fold(t.len(), gcd) == 1
    };
    let mut next = Vec::new();
    for i in (0..s.len()).filter(|&i| s[i] == 0) {
        let mut after = s.clone();
        after[i] = 1;
        if avoiding && !spans(&after) || !avoiding && !spans(s) {
            next.push(after);
        }
    }
    next
}

fn trominoes(s: &State, shape: Shape) -> Vec<State> {
    let mut next = Vec::new();
    for (r, c) in shape.cells() {
        let square = [(r, c), (r, c + 1), (r + 1, c), (r + 1, c + 1)];
        for left_out in square {
            let covered: Vec<_> = square.into_iter().filter(|x| *x != left_out).collect();
            if covered.iter().all(|x| shape.at(s, *x) == 0) {
                let changes: Vec<_> = covered.iter().map(|x| (*x, CLOSED)).collect();
                next.push(shape.with(s, &changes));
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
    let me = |left: bool| if left { 1 } else { 2 };
    let straight = |lengths: &'static [i32]| {
        let (start, shape) = board(l, "");
        Case::new(start, move |s, left| lines(s, shape, left, lengths))
    };
    let placed = |ways: Vec<(i32, i32)>, far: bool| {
        let (start, shape) = board(l, "qrnb");
        Case::new(start, move |s, _| placing(s, shape, &ways, far))
    };
    let coins = |sets: Vec<Vec<usize>>| Case::new(board(l, "h").0, move |s, _| turning(s, &sets));
    let length = || l.rows()[0].len();
    Some(match l.name.as_str() {
        "Nimble" => Case::new(list("coins")?, |s, _| {
            let mut next = Vec::new();
            for i in (0..s.len()).filter(|&i| s[i] > 0) {
                for j in 0..i {
                    let mut after = s.clone();
                    after[i] -= 1;
                    after[j] += 1;
                    next.push(after);
                }
            }
            next
        }),
        "DigitalDeletions" => Case::new(list("digit")?, |s, _| {
            let mut next = Vec::new();
            for i in 0..s.len() {
                for d in 0..s[i] {
                    let mut after = s.clone();
                    after[i] = d;
                    next.push(after);
                }
                if s[i] == 0 {
                    next.push(s[..i].to_vec());
                }
            }
            next
        }),
        "SylverCoinage" => Case::new(board(l, "").0, |s, _| sylver(s)),
        "PegDuotaire" => Case::new(board(l, "").0, |s, _| duotaire(s)),
        "ElephantsAndRhinos" => Case::new(board(l, "e").0, walking),
        "SeatingCouples" => Case::new(board(l, "l").0, seating),
        "Bipass" => Case::new(board(l, "b").0, bypass),
        "Ternups" => coins(chosen(length(), evenly)),
        "Triplets" => coins(chosen(length(), |set| set.len() == 3)),
        "Moebius" => coins(chosen(length(), |set| set.len() <= 5)),
        "Twins" => coins(chosen(length(), |set| set.len() == 2)),
        "Rugs" | "MockTurtleCarpets" => {
            let rugs = l.name == "Rugs";
            let fits = |set: &[usize]| if rugs { interval(set) } else { set.len() <= 3 };
            let (m, n) = (l.rows().len(), length());
            coins(product(&chosen(m, fits), &chosen(n, fits), n))
        }
        "Isolation" => {
            let (start, shape) = board(l, "x");
            Case::new(start, move |s, left| isolation(s, shape, me(left)))
        }
        "Clobbineering" => {
            let (start, shape) = board(l, "x");
            Case::new(start, move |s, left| {
                let mut next = clobbers(s, shape, |a, b| a == me(left) && b != a);
                next.extend(lines(s, shape, left, &[2]));
                next
            })
        }
        "CannibalClobber" => {
            let (start, shape) = board(l, "x");
            Case::new(start, move |s, left| {
                clobbers(s, shape, |a, _| a == me(left))
            })
        }
        "ImpartialClobber" => {
            let (start, shape) = board(l, "x");
            Case::new(start, move |s, _| clobbers(s, shape, |a, b| a != b))
        }
        "Triomineering" => straight(&[3]),
        "Tridomineering" => straight(&[2, 3]),
        "Quadromineering" => straight(&[4]),
        "Queens" => placed([STRAIGHT, SLANTED].concat(), true),
        "Rooks" => placed(STRAIGHT.to_vec(), true),
        "Bishops" => placed(SLANTED.to_vec(), true),
        "Knights" => placed(LEAPS.to_vec(), false),
        "KnightsTour" | "Joust" => {
            let (start, shape) = board(l, "xn");
            let joust = l.name == "Joust";
            Case::new(start, move |s, left| {
                let who = if joust { me(left) } else { 1 };
                let mut next = Vec::new();
                for from in shape.cells().filter(|c| shape.at(s, *c) == who) {
                    for way in LEAPS {
                        let to = step(from, way, 1);
                        if shape.at(s, to) == 0 {
                            next.push(shape.with(s, &[(from, CLOSED), (to, who)]));
                        }
                    }
                }
                next
            })
        }
        "LCTR" => {
            // The lengths of the rows of the diagram.
            let (start, shape) = board(l, "");
            let rows = start.chunks(shape.columns as usize);
            let partition = rows.map(|r| r.iter().filter(|c| **c == 0).count() as i32);
            let tidy = |s: State| s.into_iter().filter(|n| *n > 0).collect::<State>();
            Case::new(tidy(partition.collect()), move |s, _| match s.len() {
                0 => vec![],
                _ => vec![s[1..].to_vec(), tidy(s.iter().map(|n| n - 1).collect())],
            })
        }
        "Kings" => {
            let (start, shape) = board(l, "k");
            let ways = [STRAIGHT, SLANTED].concat();
            Case::new(start, move |s, _| placing(s, shape, &ways, false))
        }
        "DoNotGenerate" | "Generate" => {
            let avoiding = l.name == "DoNotGenerate";
            Case::new(board(l, "x").0, move |s, _| generating(s, avoiding))
        }
        "TacTix" => {
            let (start, shape) = board(l, "");
            Case::new(start, move |s, _| {
                let lengths: Vec<i32> = (1..=shape.rows.max(shape.columns)).collect();
                let mut next = lines(s, shape, true, &lengths);
                next.extend(lines(s, shape, false, &lengths));
                next
            })
        }
        "TrominoCram" => {
            let (start, shape) = board(l, "");
            Case::new(start, move |s, _| trominoes(s, shape))
        }
        _ => return None,
    })
}

/// Claims by their names in the files.
pub const CLAIMS: &[Claim] = &[];
