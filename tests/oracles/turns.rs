//! Games that end with a win or a draw, or may go on forever; each move follows the definition of its game. The winner is
//! found backwards from the terminal positions, over all followers. A state lists the board row by row: 0 free, 1 Left's, 2
//! Right's, 9 closed; counters follow the board.

use super::brute::{Case, Claim, State};
use super::literal::Literal;
use std::collections::HashMap;

/// The winner, Left (0) or Right (1), or `None` for nobody.
pub type End = Option<usize>;

/// The moves of a player.
pub type Moves = Box<dyn Fn(&State, usize) -> Vec<State>>;

/// The result, if the last move, by the given player, has ended play.
pub type Ended = Box<dyn Fn(&State, usize) -> Option<End>>;

pub struct Game {
    pub start: State,
    pub moves: Moves,
    pub ended: Ended,
    /// The winner if a player cannot move.
    pub stuck: fn(usize) -> End,
    /// The winner of infinite play.
    pub endless: End,
}

pub fn loses(player: usize) -> End {
    Some(1 - player)
}

pub fn nobody(_: usize) -> Option<End> {
    None
}

impl Game {
    /// The winner for each player who may begin.
    fn fates(&self) -> [End; 2] {
        let mut numbers: HashMap<(State, usize), usize> = HashMap::new();
        let mut nodes: Vec<(State, usize)> = Vec::new();
        let mut number = |node: (State, usize), nodes: &mut Vec<(State, usize)>| {
            *numbers.entry(node.clone()).or_insert_with(|| {
                nodes.push(node);
                nodes.len() - 1
            })
        };
        for player in 0..2 {
            number((self.start.clone(), player), &mut nodes);
        }
        let (mut ends, mut next): (Vec<Vec<End>>, Vec<Vec<usize>>) = (vec![], vec![]);
        while let Some((state, player)) = nodes.get(ends.len()).cloned() {
            let (mut over, mut on) = (vec![], vec![]);
            let all = (self.moves)(&state, player);
            if all.is_empty() {
                over.push((self.stuck)(player));
            }
            for to in all {
                match (self.ended)(&to, player) {
                    Some(end) => over.push(end),
                    None => on.push(number((to, 1 - player), &mut nodes)),
                }
            }
            ends.push(over);
            next.push(on);
        }
        let forced = |team: usize, good: &dyn Fn(End) -> bool| {
            let mut before: Vec<Vec<usize>> = vec![vec![]; nodes.len()];
            let mut open: Vec<usize> = vec![0; nodes.len()];
            let (mut met, mut queue) = (vec![false; nodes.len()], vec![]);
            for n in 0..nodes.len() {
                next[n].iter().for_each(|to| before[*to].push(n));
                let bad = ends[n].iter().filter(|e| !good(**e)).count();
                open[n] = next[n].len() + bad;
                let own = nodes[n].1 == team;
                if own && bad < ends[n].len() || open[n] == 0 {
                    met[n] = true;
                    queue.push(n);
                }
            }
            while let Some(n) = queue.pop() {
                for &b in &before[n] {
                    open[b] -= 1;
                    if !met[b] && (nodes[b].1 == team || open[b] == 0) {
                        met[b] = true;
                        queue.push(b);
                    }
                }
            }
            met
        };
        let won = [0, 1].map(|p| forced(p, &|end| end == Some(p)));
        let spoiled = self.endless.map(|p| forced(1 - p, &|end| end != Some(p)));
        [0, 1].map(|n| {
            let endless = spoiled.as_ref().is_some_and(|s| !s[n]);
            let alone = (0..2).find(|p| won[*p][n]);
            alone.or(self.endless.filter(|_| endless))
        })
    }

    pub fn outcome(&self) -> &'static str {
        match self.fates() {
            [Some(0), Some(0)] => "L-position",
            [Some(1), Some(1)] => "R-position",
            [Some(0), Some(_)] => "N-position",
            [Some(_), Some(_)] => "P-position",
            [Some(0), None] => "LD-position",
            [Some(_), None] => "RD-position",
            [None, Some(0)] => "DL-position",
            [None, Some(_)] => "DR-position",
            [None, None] => "D-position",
        }
    }
}

#[derive(Clone, Copy)]
pub struct Shape {
    pub rows: i32,
    pub columns: i32,
}

pub const CLOSED: i32 = 9;

/// The sides of the two squares of Six Men's Morris, each by its three points, and the lines between their middles.
const SIDES: [[(i32, i32); 3]; 8] = [
    [(0, 0), (0, 2), (0, 4)],
    [(4, 0), (4, 2), (4, 4)],
    [(0, 0), (2, 0), (4, 0)],
    [(0, 4), (2, 4), (4, 4)],
    [(1, 1), (1, 2), (1, 3)],
    [(3, 1), (3, 2), (3, 3)],
    [(1, 1), (2, 1), (3, 1)],
    [(1, 3), (2, 3), (3, 3)],
];
const ACROSS: [((i32, i32), (i32, i32)); 4] = [
    ((0, 2), (1, 2)),
    ((2, 0), (2, 1)),
    ((4, 2), (3, 2)),
    ((2, 4), (2, 3)),
];
pub const COMPASS: [(i32, i32); 8] = [
    (0, 1),
    (1, 0),
    (0, -1),
    (-1, 0),
    (1, 1),
    (1, -1),
    (-1, 1),
    (-1, -1),
];

impl Shape {
    pub fn cells(self) -> impl Iterator<Item = (i32, i32)> {
        (0..self.rows).flat_map(move |r| (0..self.columns).map(move |c| (r, c)))
    }

    fn place(self, (r, c): (i32, i32)) -> Option<usize> {
        ((0..self.rows).contains(&r) && (0..self.columns).contains(&c))
            .then(|| (r * self.columns + c) as usize)
    }

    pub fn at(self, s: &State, cell: (i32, i32)) -> i32 {
        self.place(cell).map_or(CLOSED, |i| s[i])
    }

    pub fn put(self, s: &State, changes: &[((i32, i32), i32)]) -> State {
        let mut after = s.clone();
        for (cell, what) in changes {
            after[self.place(*cell).expect("on the board")] = *what;
        }
        after
    }

    /// Whether a player has k in a row.
    pub fn row(self, s: &State, player: usize, k: i32) -> bool {
        let own = player as i32 + 1;
        self.cells().any(|(r, c)| {
            [(0, 1), (1, 0), (1, 1), (1, -1)]
                .iter()
                .any(|(dr, dc)| (0..k).all(|i| self.at(s, (r + i * dr, c + i * dc)) == own))
        })
    }

    pub fn full(self, s: &State) -> bool {
        self.cells().all(|c| self.at(s, c) != 0)
    }

    /// Places a stone on a free cell.
    pub fn placing(self, s: &State, player: usize) -> Vec<State> {
        let free = self.cells().filter(|c| self.at(s, *c) == 0);
        free.map(|c| self.put(s, &[(c, player as i32 + 1)]))
            .collect()
    }

    /// Moves a piece of the player to a free cell by one of the given steps.
    pub fn walking(self, s: &State, player: usize, steps: &[(i32, i32)]) -> Vec<State> {
        let own = player as i32 + 1;
        let mut next = vec![];
        for (r, c) in self.cells().filter(|c| self.at(s, *c) == own) {
            for (dr, dc) in steps {
                let to = (r + dr, c + dc);
                if self.at(s, to) == 0 {
                    next.push(self.put(s, &[((r, c), 0), (to, own)]));
                }
            }
        }
        next
    }

    /// The group of a cell, and whether the group has a free neighbouring cell.
    pub fn group(self, s: &State, cell: (i32, i32)) -> (Vec<(i32, i32)>, bool) {
        let (mut group, mut free, mut i) = (vec![cell], false, 0);
        while i < group.len() {
            let (r, c) = group[i];
            i += 1;
            for (dr, dc) in &COMPASS[..4] {
                let to = (r + dr, c + dc);
                free |= self.at(s, to) == 0;
                if self.at(s, to) == self.at(s, cell) && !group.contains(&to) {
                    group.push(to);
                }
            }
        }
        (group, free)
    }

    /// Whether a player has a group without a free neighbouring cell.
    fn taken(self, s: &State, player: usize) -> bool {
        let own = player as i32 + 1;
        let mut stones = self.cells().filter(|c| self.at(s, *c) == own);
        stones.any(|c| !self.group(s, c).1)
    }
}

/// The board of a literal. `lefts` are the letters of Left's pieces.
pub fn board(l: &Literal, lefts: &str) -> (State, Shape) {
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

fn row_or_draw(shape: Shape, k: i32) -> Ended {
    Box::new(move |s, last| match shape.row(s, last, k) {
        true => Some(Some(last)),
        false => shape.full(s).then_some(None),
    })
}

pub fn game(l: &Literal) -> Option<Game> {
    let k = || l.parameters.first()?.parse::<i32>().ok();
    let plain = |start, moves: Moves, ended: Ended| Game {
        start,
        moves,
        ended,
        stuck: loses,
        endless: None,
    };
    Some(match l.name.as_str() {
        "InARow" => {
            let (start, shape) = board(l, "x");
            plain(
                start,
                Box::new(move |s, p| shape.placing(s, p)),
                row_or_draw(shape, k()?),
            )
        }
        "Connect" => {
            let (start, shape) = board(l, "x");
            let moves = move |s: &State, p: usize| {
                let lowest = |c: i32| (0..shape.rows).rev().find(|r| shape.at(s, (*r, c)) == 0);
                let all = (0..shape.columns).filter_map(|c| Some((lowest(c)?, c)));
                all.map(|cell| shape.put(s, &[(cell, p as i32 + 1)]))
                    .collect()
            };
            plain(start, Box::new(moves), row_or_draw(shape, k()?))
        }
        "MakerBreaker" => {
            let (start, shape) = board(l, "x");
            let k = k()?;
            let ended = move |s: &State, _: usize| match shape.row(s, 0, k) {
                true => Some(Some(0)),
                false => shape.full(s).then_some(Some(1)),
            };
            plain(
                start,
                Box::new(move |s, p| shape.placing(s, p)),
                Box::new(ended),
            )
        }
        "Dodgem" => {
            let (start, shape) = board(l, "x");
            let moves = move |s: &State, p: usize| {
                // Left drives east, Right drives north; both may move sideways.
                let steps = [[(0, 1), (1, 0), (-1, 0)], [(-1, 0), (0, 1), (0, -1)]][p];
                let mut next = shape.walking(s, p, &steps);
                let gone = |(r, c): (i32, i32)| match p {
                    0 => c == shape.columns - 1,
                    _ => r == 0,
                };
                let own = p as i32 + 1;
                let off = shape.cells().filter(|c| shape.at(s, *c) == own && gone(*c));
                next.extend(off.map(|c| shape.put(s, &[(c, 0)])));
                next
            };
            let mut game = plain(start, Box::new(moves), Box::new(|_, last| nobody(last)));
            game.stuck = Some;
            game
        }
        "FoxAndGeese" => {
            let (start, shape) = board(l, "g");
            let moves = move |s: &State, p: usize| match p {
                0 => shape.walking(s, 0, &[(1, -1), (1, 1)]),
                _ => shape.walking(s, 1, &COMPASS[4..]),
            };
            let mut game = plain(start, Box::new(moves), Box::new(|_, last| nobody(last)));
            game.endless = Some(1);
            game
        }
        "Breakthrough" => {
            let (start, shape) = board(l, "x");
            let moves = move |s: &State, p: usize| {
                let (own, ahead) = (p as i32 + 1, [-1, 1][p]);
                let mut next = shape.walking(s, p, &[(ahead, -1), (ahead, 0), (ahead, 1)]);
                for (r, c) in shape.cells().filter(|c| shape.at(s, *c) == own) {
                    for to in [(r + ahead, c - 1), (r + ahead, c + 1)] {
                        if shape.at(s, to) == 3 - own {
                            next.push(shape.put(s, &[((r, c), 0), (to, own)]));
                        }
                    }
                }
                next
            };
            let ended = move |s: &State, last: usize| {
                let goal = [0, shape.rows - 1][last];
                let there = (0..shape.columns).any(|c| shape.at(s, (goal, c)) == last as i32 + 1);
                there.then_some(Some(last))
            };
            plain(start, Box::new(moves), Box::new(ended))
        }
        "Tapatan" | "Achi" | "NineHoles" => {
            let (mut start, shape) = board(l, "x");
            let anywhere = l.name == "NineHoles";
            start.extend([if l.name == "Achi" { 4 } else { 3 }; 2]);
            let moves = move |s: &State, p: usize| {
                let hand = 9 + p;
                if s[hand] > 0 {
                    let mut next = shape.placing(s, p);
                    next.iter_mut().for_each(|to| to[hand] -= 1);
                    return next;
                }
                let own = p as i32 + 1;
                let mut next = vec![];
                for (r, c) in shape.cells().filter(|c| shape.at(s, *c) == own) {
                    for (i, j) in shape.cells().filter(|c| shape.at(s, *c) == 0) {
                        let (dr, dc) = ((r - i).abs(), (c - j).abs());
                        // Moves follow the lines: orthogonal ones, and diagonals through the centre.
                        let beside = dr + dc == 1
                            || (dr, dc) == (1, 1) && ((r, c) == (1, 1) || (i, j) == (1, 1));
                        if anywhere || beside {
                            next.push(shape.put(s, &[((r, c), 0), ((i, j), own)]));
                        }
                    }
                }
                next
            };
            let ended = move |s: &State, last: usize| shape.row(s, last, 3).then_some(Some(last));
            plain(start, Box::new(moves), Box::new(ended))
        }
        "SixMensMorris" => {
            let (mut start, shape) = board(l, "x");
            let hands = l.entries.get(1)?.trim_start_matches("hand: ");
            let hands = hands
                .trim_matches(['[', ']'])
                .split(',')
                .map(|n| n.trim().parse());
            start.extend(hands.collect::<Result<Vec<i32>, _>>().ok()?);
            let moves = move |s: &State, p: usize| {
                let own = p as i32 + 1;
                let hand = 25 + p;
                let mut put: Vec<(State, (i32, i32))> = vec![];
                if s[hand] > 0 {
                    for to in shape.cells().filter(|c| shape.at(s, *c) == 0) {
                        let mut after = shape.put(s, &[(to, own)]);
                        after[hand] -= 1;
                        put.push((after, to));
                    }
                } else {
                    for (a, b) in SIDES
                        .iter()
                        .flat_map(|side| [(side[0], side[1]), (side[1], side[2])])
                        .chain(ACROSS)
                    {
                        for (from, to) in [(a, b), (b, a)] {
                            if shape.at(s, from) == own && shape.at(s, to) == 0 {
                                put.push((shape.put(s, &[(from, 0), (to, own)]), to));
                            }
                        }
                    }
                }
                let mill = |s: &State, cell: (i32, i32)| {
                    let full = |side: &&[(i32, i32); 3]| {
                        side.iter().all(|c| shape.at(s, *c) == shape.at(s, cell))
                    };
                    SIDES
                        .iter()
                        .filter(|side| side.contains(&cell))
                        .any(|side| full(&side))
                };
                let mut next = vec![];
                for (after, to) in put {
                    if !mill(&after, to) {
                        next.push(after);
                        continue;
                    }
                    let theirs: Vec<_> = shape
                        .cells()
                        .filter(|c| shape.at(&after, *c) == 2 - p as i32)
                        .collect();
                    let free: Vec<_> = theirs
                        .iter()
                        .copied()
                        .filter(|c| !mill(&after, *c))
                        .collect();
                    let taken = if free.is_empty() { theirs } else { free };
                    next.extend(taken.into_iter().map(|c| shape.put(&after, &[(c, 0)])));
                }
                next
            };
            let ended = move |s: &State, last: usize| {
                let men = |p: usize| {
                    s[..25].iter().filter(|c| **c == p as i32 + 1).count() as i32 + s[25 + p]
                };
                [last, 1 - last]
                    .into_iter()
                    .find(|p| men(*p) < 3)
                    .map(|p| Some(1 - p))
            };
            plain(start, Box::new(moves), Box::new(ended))
        }
        "AtariGo" => {
            let (start, shape) = board(l, "x");
            // Capturing wins, even if the player's own stones had no free cell either. Otherwise placing a stone without a
            // free cell loses.
            let ended = move |s: &State, last: usize| {
                let (theirs, own) = (shape.taken(s, 1 - last), shape.taken(s, last));
                (theirs || own).then_some(Some(if theirs { last } else { 1 - last }))
            };
            plain(
                start,
                Box::new(move |s, p| shape.placing(s, p)),
                Box::new(ended),
            )
        }
        _ => {
            return super::parlour::game(l)
                .or_else(|| super::travellers::game(l))
                .or_else(|| super::settlers::game(l));
        }
    })
}

/// The outcome of a literal, if its game is known here.
pub fn outcome(l: &Literal) -> Option<&'static str> {
    Some(game(l)?.outcome())
}

/// NoGo, a game in normal play: after each move every group must have a free neighbouring cell.
pub fn case(l: &Literal) -> Option<Case> {
    (l.name == "NoGo").then(|| {
        let (start, shape) = board(l, "x");
        Case::new(start, move |s, left| {
            let mut next = shape.placing(s, usize::from(!left));
            next.retain(|to| !shape.taken(to, 0) && !shape.taken(to, 1));
            next
        })
    })
}

/// Cops and robbers on a graph with n vertices: one cop, who chooses the first position; then the robber chooses his.
fn cop_wins(n: usize, joined: impl Fn(usize, usize) -> bool) -> bool {
    // Positions with the cop to move from which the cop catches the robber, round by round.
    let mut caught = vec![vec![false; n]; n];
    let near = |a: usize, b: usize| a == b || joined(a, b);
    loop {
        let mut more = caught.clone();
        for (c, row) in more.iter_mut().enumerate() {
            for (r, won) in row.iter_mut().enumerate() {
                let to = (0..n).filter(|d| near(c, *d));
                *won = *won
                    || to
                        .into_iter()
                        .any(|d| d == r || (0..n).filter(|q| near(r, *q)).all(|q| caught[d][q]));
            }
        }
        if more == caught {
            return caught.iter().any(|row| row.iter().all(|won| *won));
        }
        caught = more;
    }
}

/// Claims by their names in the files.
pub const CLAIMS: &[Claim] = &[
    ("a cop wins on paths and loses on longer cycles", || {
        (2..=6).all(|n| cop_wins(n, |a, b| a.abs_diff(b) == 1))
            && (3..=6).all(|n| {
                let cycle = |a: usize, b: usize| (a + 1) % n == b || (b + 1) % n == a;
                cop_wins(n, cycle) == (n == 3)
            })
    }),
    ("the one who begins loses Sim on six points", || {
        let pairs: Vec<(usize, usize)> = (0..6).flat_map(|a| (0..a).map(move |b| (a, b))).collect();
        let has = |s: u32, a: usize, b: usize| {
            let at = pairs.iter().position(|p| *p == (a.max(b), a.min(b)));
            at.is_some_and(|i| s >> i & 1 == 1)
        };
        let triangle = |s: u32| {
            (0..6).any(|a| {
                (0..a).any(|b| (0..b).any(|c| has(s, a, b) && has(s, b, c) && has(s, a, c)))
            })
        };
        let lost: Vec<bool> = (0..1u32 << 15).map(triangle).collect();
        // Whether the player to move wins, given his lines and the opponent's.
        fn wins(own: u32, other: u32, lost: &[bool], memo: &mut HashMap<(u32, u32), bool>) -> bool {
            if let Some(known) = memo.get(&(own, other)) {
                return *known;
            }
            let free = (0..15).filter(|i| (own | other) >> i & 1 == 0);
            let found = free
                .map(|i| own | 1 << i)
                .any(|to| !lost[to as usize] && !wins(other, to, lost, memo));
            memo.insert((own, other), found);
            found
        }
        // By symmetry the first line does not matter.
        wins(0, 1, &lost, &mut HashMap::new())
    }),
];
