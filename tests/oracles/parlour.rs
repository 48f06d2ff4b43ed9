//! More games that end with a win or may go on forever, for the search of `turns`; each move follows the definition of its
//! game. Also tic-tac-toe for three players, and peg jumping.

use super::brute::{Case, Claim, State};
use super::literal::Literal;
use super::turns::{CLOSED, COMPASS, End, Game, Moves, Shape, board, loses, nobody};
use std::collections::HashMap;

const SLANTS: [(i32, i32); 4] = [(1, 1), (1, -1), (-1, 1), (-1, -1)];

fn game_of(
    start: State,
    moves: Moves,
    ended: impl Fn(&State, usize) -> Option<End> + 'static,
) -> Game {
    Game {
        start,
        moves,
        ended: Box::new(ended),
        stuck: loses,
        endless: None,
    }
}

/// Whether a sign stands k times in a row.
fn has_row(shape: Shape, s: &State, sign: i32, k: i32) -> bool {
    shape.row(s, sign as usize - 1, k)
}

/// Whether a player's stones connect the player's two sides of the board.
fn joins(shape: Shape, s: &State, player: usize) -> bool {
    let own = player as i32 + 1;
    let along = |(r, c): (i32, i32)| if player == 0 { c } else { r };
    let far = if player == 0 {
        shape.columns
    } else {
        shape.rows
    } - 1;
    shape
        .cells()
        .filter(|c| along(*c) == 0 && shape.at(s, *c) == own)
        .any(|c| shape.group(s, c).0.into_iter().any(|to| along(to) == far))
}

/// Takes a cube from the rim and pushes it back in from an end of its row or column.
fn pushes(shape: Shape, s: &State, player: usize) -> Vec<State> {
    let (own, n) = (player as i32 + 1, shape.rows);
    let mut next = vec![];
    for (r, c) in shape.cells() {
        let rim = r == 0 || c == 0 || r == n - 1 || c == n - 1;
        if !rim || ![0, own].contains(&shape.at(s, (r, c))) {
            continue;
        }
        for (along, at) in [(true, c), (false, r)] {
            let cell = |i: i32| if along { (r, i) } else { (i, c) };
            for end in [0, n - 1] {
                if at == end {
                    continue;
                }
                let mut line: Vec<i32> = (0..n).map(|i| shape.at(s, cell(i))).collect();
                line.remove(at as usize);
                line.insert(end as usize, own);
                let changes: Vec<_> = (0..n).map(|i| (cell(i), line[i as usize])).collect();
                next.push(shape.put(s, &changes));
            }
        }
    }
    next
}

/// All sequences of jumps of the ball over runs of men, which are removed.
fn ball_jumps(shape: Shape, s: &State) -> Vec<State> {
    let (mut found, mut open): (Vec<State>, Vec<State>) = (vec![], vec![s.clone()]);
    while let Some(now) = open.pop() {
        let (r, c) = shape
            .cells()
            .find(|c| shape.at(&now, *c) == 2)
            .expect("a ball");
        for (dr, dc) in COMPASS {
            let cell = |i: i32| (r + i * dr, c + i * dc);
            let run = (1..).take_while(|i| shape.at(&now, cell(*i)) == 1).count() as i32;
            if run == 0 || shape.at(&now, cell(run + 1)) != 0 {
                continue;
            }
            let mut changes: Vec<_> = (0..=run).map(|i| (cell(i), 0)).collect();
            changes.push((cell(run + 1), 2));
            let to = shape.put(&now, &changes);
            if !found.contains(&to) {
                found.push(to.clone());
                open.push(to);
            }
        }
    }
    found
}

/// Men 1 and 2, kings 11 and 12.
fn draughts(shape: Shape, s: &State, player: usize) -> Vec<State> {
    let own = player as i32 + 1;
    let (ahead, goal) = if player == 0 {
        (-1, 0)
    } else {
        (1, shape.rows - 1)
    };
    let ways = |king: bool| SLANTS.into_iter().filter(move |d| king || d.0 == ahead);
    let theirs = |v: i32| v != CLOSED && v % 10 == 3 - own;
    // All results of the jumps of one piece. Whether it jumps as a king depends on the piece before the move.
    let jumps = |from: (i32, i32), king: bool| {
        let (mut ends, mut open) = (vec![], vec![(s.clone(), from, false)]);
        while let Some((now, (r, c), begun)) = open.pop() {
            let mut further = false;
            for (dr, dc) in ways(king) {
                let (over, to) = ((r + dr, c + dc), (r + 2 * dr, c + 2 * dc));
                if theirs(shape.at(&now, over)) && shape.at(&now, to) == 0 {
                    let piece = shape.at(&now, (r, c));
                    open.push((
                        shape.put(&now, &[((r, c), 0), (over, 0), (to, piece)]),
                        to,
                        true,
                    ));
                    further = true;
                }
            }
            if begun && !further {
                let crowned = if r == goal {
                    own + 10
                } else {
                    shape.at(&now, (r, c))
                };
                ends.push(shape.put(&now, &[((r, c), crowned)]));
            }
        }
        ends
    };
    let mut next = vec![];
    for cell in shape.cells() {
        match shape.at(s, cell) {
            v if v == own => next.extend(jumps(cell, false)),
            v if v == own + 10 => next.extend(jumps(cell, true)),
            _ => {}
        }
    }
    if !next.is_empty() {
        return next;
    }
    for (r, c) in shape.cells() {
        let piece = shape.at(s, (r, c));
        if piece != own && piece != own + 10 {
            continue;
        }
        for (dr, dc) in ways(piece > 10) {
            let to = (r + dr, c + dc);
            if shape.at(s, to) == 0 {
                let piece = if to.0 == goal { own + 10 } else { piece };
                next.push(shape.put(s, &[((r, c), 0), (to, piece)]));
            }
        }
    }
    next
}

/// The game of a literal, if it is known here.
pub fn game(l: &Literal) -> Option<Game> {
    let k = || l.parameters.first()?.parse::<i32>().ok();
    Some(match l.name.as_str() {
        "BridgIt" => {
            let (start, shape) = board(l, "x");
            let ended = move |s: &State, last: usize| joins(shape, s, last).then_some(Some(last));
            game_of(start, Box::new(move |s, p| shape.placing(s, p)), ended)
        }
        "OrderAndChaos" | "Wild" => {
            let (start, shape) = board(l, "x");
            let (k, wild) = (k()?, l.name == "Wild");
            let both = move |s: &State, _: usize| {
                let mut next = shape.placing(s, 0);
                next.extend(shape.placing(s, 1));
                next
            };
            let ended = move |s: &State, last: usize| {
                if has_row(shape, s, 1, k) || has_row(shape, s, 2, k) {
                    return Some(Some(if wild { last } else { 0 }));
                }
                shape.full(s).then_some(if wild { None } else { Some(1) })
            };
            game_of(start, Box::new(both), ended)
        }
        "Quixo" => {
            let (start, shape) = board(l, "x");
            let n = k()?;
            let ended = move |s: &State, last: usize| {
                let order = [1 - last, last];
                order.into_iter().find(|p| shape.row(s, *p, n)).map(Some)
            };
            game_of(start, Box::new(move |s, p| pushes(shape, s, p)), ended)
        }
        "Football" => {
            let (start, shape) = board(l, "m");
            let moves = move |s: &State, _: usize| {
                let mut next = shape.placing(s, 0);
                next.extend(ball_jumps(shape, s));
                next
            };
            let ended = move |s: &State, _: usize| {
                let ball = shape
                    .cells()
                    .find(|c| shape.at(s, *c) == 2)
                    .expect("a ball");
                match ball.1 {
                    0 => Some(Some(1)),
                    c => (c == shape.columns - 1).then_some(Some(0)),
                }
            };
            game_of(start, Box::new(moves), ended)
        }
        "Draughts" => {
            let (mut start, shape) = board(l, "mk");
            for (v, c) in start.iter_mut().zip(l.rows().iter().flatten()) {
                *v += if "kq".contains(*c) { 10 } else { 0 };
            }
            game_of(
                start,
                Box::new(move |s, p| draughts(shape, s, p)),
                |_, last| nobody(last),
            )
        }
        "LGame" => {
            let (mut start, shape) = board(l, "x");
            for (v, c) in start.iter_mut().zip(l.rows().iter().flatten()) {
                *v = if *c == 'n' { 3 } else { *v };
            }
            game_of(
                start,
                Box::new(move |s, p| new_places(shape, s, p)),
                |_, last| nobody(last),
            )
        }
        "Teeko" => {
            let (start, shape) = board(l, "x");
            let moves = move |s: &State, p: usize| {
                let own = p as i32 + 1;
                match shape.cells().filter(|c| shape.at(s, *c) == own).count() {
                    0..4 => shape.placing(s, p),
                    _ => shape.walking(s, p, &COMPASS),
                }
            };
            let ended = move |s: &State, last: usize| {
                let own = |r: i32, c: i32| shape.at(s, (r, c)) == last as i32 + 1;
                let square = |(r, c): (i32, i32)| {
                    own(r, c) && own(r + 1, c) && own(r, c + 1) && own(r + 1, c + 1)
                };
                (shape.row(s, last, 4) || shape.cells().any(square)).then_some(Some(last))
            };
            game_of(start, Box::new(moves), ended)
        }
        _ => return None,
    })
}

/// Moves a player's L to another place, then at most one neutral piece.
fn new_places(shape: Shape, s: &State, player: usize) -> Vec<State> {
    let own = player as i32 + 1;
    let mut lifted = s.clone();
    lifted
        .iter_mut()
        .filter(|v| **v == own)
        .for_each(|v| *v = 0);
    let mut next: Vec<State> = vec![];
    for (r, c) in shape.cells() {
        for (dr, dc) in &COMPASS[..4] {
            for side in [-1, 1] {
                let foot = (r + 2 * dr + side * dc, c + 2 * dc + side * dr);
                let cells = [(r, c), (r + dr, c + dc), (r + 2 * dr, c + 2 * dc), foot];
                if cells.iter().any(|cell| shape.at(&lifted, *cell) != 0) {
                    continue;
                }
                let put = shape.put(&lifted, &cells.map(|cell| (cell, own)));
                if put == *s {
                    continue;
                }
                for from in shape.cells().filter(|cell| shape.at(&put, *cell) == 3) {
                    for to in shape.cells().filter(|cell| shape.at(&put, *cell) == 0) {
                        next.push(shape.put(&put, &[(from, 0), (to, 3)]));
                    }
                }
                next.push(put);
            }
        }
    }
    next
}

/// Whether the first player wins Havannah on a hexagon with `side` cells on each side, by bits. Cells are given by their
/// distances x, y, z from three sides.
fn havannah(side: i32) -> bool {
    struct Board {
        near: Vec<u32>,
        // The single corners, the sides without corners, and the rim.
        corners: Vec<u32>,
        sides: Vec<u32>,
        rim: u32,
        known: HashMap<[u32; 2], i8>,
    }
    impl Board {
        fn grown(&self, from: u32, within: u32) -> u32 {
            let mut group = from;
            loop {
                let near = |i: &usize| group >> i & 1 == 1;
                let more = (0..self.near.len()).filter(near);
                let more = more.fold(group, |all, i| all | self.near[i]) & within;
                if more == group {
                    return group;
                }
                group = more;
            }
        }
        fn won(&self, own: u32) -> bool {
            let (all, mut rest) = ((1u32 << self.near.len()) - 1, own);
            while rest != 0 {
                let group = self.grown(rest & rest.wrapping_neg(), own);
                rest &= !group;
                let met = |sets: &[u32]| sets.iter().filter(|set| *set & group != 0).count();
                if met(&self.corners) >= 2 || met(&self.sides) >= 3 {
                    return true;
                }
            }
            // Rings: an enclosed cell that is not one's own, or a cell of one's own with six own neighbours.
            let free = all & !own;
            let shut = free & !self.grown(self.rim & free, free);
            let full = |i: usize| own & !self.rim & 1 << i != 0 && self.near[i] & !own == 0;
            shut != 0 || (0..self.near.len()).any(full)
        }
        /// The best result for the player to move: 1 for a win, 0 for a draw, -1 for a loss. (It takes one argument since
        /// rustc 1.95 at optimization level 1 passes a wrong one if there are two.)
        fn worth(&mut self, stones: [u32; 2]) -> i8 {
            let [own, other] = stones;
            if let Some(known) = self.known.get(&stones) {
                return *known;
            }
            let taken = own | other;
            let cells = (0..self.near.len()).filter(|i| taken >> i & 1 == 0);
            let free: Vec<u32> = cells.map(|i| 1u32 << i).collect();
            if free.iter().any(|cell| self.won(own | cell)) {
                return 1;
            }
            let threats = free.iter().filter(|cell| self.won(other | *cell));
            let threats: Vec<u32> = threats.copied().collect();
            let mut tried = if threats.is_empty() { free } else { threats };
            let beside = |cell: u32| self.near[cell.trailing_zeros() as usize] & own;
            tried.sort_by_key(|cell| std::cmp::Reverse(beside(*cell).count_ones()));
            // A full board without a winner is a draw.
            let mut best = if tried.is_empty() { 0 } else { -1 };
            for cell in tried {
                best = best.max(-self.worth([other, own | cell]));
                if best == 1 {
                    break;
                }
            }
            self.known.insert(stones, best);
            best
        }
    }
    let m = 2 * side - 2;
    let cells: Vec<[i32; 3]> = (0..=m)
        .flat_map(|x| (0..=m).map(move |y| [x, y, 3 * side - 3 - x - y]))
        .filter(|cell| (0..=m).contains(&cell[2]))
        .collect();
    let joined = |a: &[i32; 3], b: &[i32; 3]| {
        let far = a.iter().zip(b).map(|(i, j)| (i - j).abs());
        far.sum::<i32>() == 2
    };
    let set = |of: &dyn Fn(&[i32; 3]) -> bool| {
        let bits = cells.iter().enumerate().filter(|(_, cell)| of(cell));
        bits.fold(0u32, |all, (i, _)| all | 1 << i)
    };
    let near: Vec<u32> = cells.iter().map(|a| set(&|b| joined(a, b))).collect();
    let ends = |cell: &[i32; 3]| cell.iter().filter(|i| **i == 0 || **i == m).count();
    let corners = cells.iter().enumerate().filter(|(_, cell)| ends(cell) == 2);
    let corners = corners.map(|(i, _)| 1 << i).collect();
    let edges = (0..3).flat_map(|axis| [0, m].map(|end| (axis, end)));
    let sides = edges.map(|(axis, end)| set(&|cell| cell[axis] == end && ends(cell) == 1));
    let sides = sides.collect();
    let rim = set(&|cell| ends(cell) > 0);
    let mut board = Board {
        near,
        corners,
        sides,
        rim,
        known: HashMap::new(),
    };
    board.worth([0, 0]) == 1
}

/// Several jumps of one peg, as an impartial game in normal play.
pub fn case(l: &Literal) -> Option<Case> {
    (l.name == "MultiHop").then(|| {
        let (start, shape) = board(l, "o");
        Case::new(start, move |s, _| {
            let (mut found, mut open) = (vec![], vec![]);
            open.extend(
                shape
                    .cells()
                    .filter(|c| shape.at(s, *c) == 1)
                    .map(|c| (s.clone(), c)),
            );
            while let Some((now, (r, c))) = open.pop() {
                for d in [-1, 1] {
                    let (over, to) = ((r, c + d), (r, c + 2 * d));
                    if shape.at(&now, over) == 1 && shape.at(&now, to) == 0 {
                        let after = shape.put(&now, &[((r, c), 0), (over, 0), (to, 1)]);
                        found.push(after.clone());
                        open.push((after, to));
                    }
                }
            }
            found
        })
    })
}

/// Whether a coalition of three players can force a row of k by one of its members on a square of n by n cells.
fn three_in_lines(n: i32, k: i32, coalition: &[usize]) -> bool {
    let shape = Shape {
        rows: n,
        columns: n,
    };
    fn wins(
        shape: Shape,
        s: &State,
        player: usize,
        k: i32,
        coalition: &[usize],
        memo: &mut HashMap<(State, usize), bool>,
    ) -> bool {
        let key = (s.clone(), player);
        if let Some(known) = memo.get(&key) {
            return *known;
        }
        let own = coalition.contains(&player);
        let mut after = shape.placing(s, player).into_iter().map(|to| {
            if shape.row(&to, player, k) {
                own
            } else if shape.full(&to) {
                false
            } else {
                wins(shape, &to, (player + 1) % 3, k, coalition, memo)
            }
        });
        let found = if own {
            after.any(|w| w)
        } else {
            after.all(|w| w)
        };
        memo.insert(key, found);
        found
    }
    let start = vec![0; (n * n) as usize];
    wins(shape, &start, 0, k, coalition, &mut HashMap::new())
}

/// Shisima from its initial position: rim 0 to 7, centre 8.
fn shisima() -> Game {
    let mut start = vec![1, 1, 1, 0, 2, 2, 2, 0];
    start.push(0);
    let moves = |s: &State, player: usize| {
        let own = player as i32 + 1;
        let mut next = vec![];
        for a in 0..9usize {
            for b in 0..9usize {
                let rim = a < 8 && b < 8 && ((a + 1) % 8 == b || (b + 1) % 8 == a);
                if s[a] == own && s[b] == 0 && (rim || (a == 8) != (b == 8)) {
                    let mut to = s.clone();
                    (to[a], to[b]) = (0, own);
                    next.push(to);
                }
            }
        }
        next
    };
    let ended = |s: &State, last: usize| {
        let own = last as i32 + 1;
        let row = s[8] == own && (0..4).any(|i| s[i] == own && s[i + 4] == own);
        row.then_some(Some(last))
    };
    game_of(start, Box::new(moves), ended)
}

/// Claims by their names in the files.
pub const CLAIMS: &[Claim] = &[
    ("Shisima is drawn from the start", || {
        shisima().outcome() == "D-position"
    }),
    (
        "the one who begins wins Havannah on sides of 2 and 3",
        || havannah(2) && havannah(3),
    ),
    (
        "nobody of three players makes three in a row",
        // Each player alone can prevent the other two from making a row. So no single player can force one.
        || {
            [[0, 1], [0, 2], [1, 2]]
                .iter()
                .all(|two| !three_in_lines(3, 3, two))
        },
    ),
    (
        "on three by three not even two of three players together make a row",
        || {
            three_in_lines(3, 3, &[0, 1, 2])
                && [[0, 1], [0, 2], [1, 2]]
                    .iter()
                    .all(|two| !three_in_lines(3, 3, two))
        },
    ),
    (
        "on three by three the first of three players makes two in a row",
        || three_in_lines(3, 2, &[0]) && !three_in_lines(3, 2, &[1, 2]),
    ),
];
