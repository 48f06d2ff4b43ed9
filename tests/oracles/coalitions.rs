//! Games of many players on small vectors, each from its definition. For one coalition and one player to move, the winner is
//! found by plain recursion with a memo table. Positions are not split, and each coalition is solved separately.

use super::brute::State;
use super::literal::{Graph, Literal, call, numbers};
use super::posets::Poset;
use std::collections::HashMap;

/// A game with its starting position. Players count from 0.
pub struct Many {
    pub names: Vec<String>,
    /// Whether a player who cannot move is eliminated and the last one left wins. Otherwise play ends, and the player who
    /// moved last wins.
    pub elimination: bool,
    start: State,
    moves: Box<dyn Fn(&State, usize) -> Vec<State>>,
}

type Memo = HashMap<(State, u32, usize), bool>;

impl Many {
    fn after(&self, alive: u32, mover: usize) -> usize {
        let n = self.names.len();
        (1..=n)
            .map(|k| (mover + k) % n)
            .find(|p| alive >> p & 1 == 1)
            .unwrap_or(mover)
    }

    fn forces(
        &self,
        state: &State,
        alive: u32,
        mover: usize,
        coalition: u32,
        memo: &mut Memo,
    ) -> bool {
        if self.elimination && alive.count_ones() == 1 {
            return alive & coalition != 0;
        }
        let key = (state.clone(), alive, mover);
        if let Some(&known) = memo.get(&key) {
            return known;
        }
        let n = self.names.len();
        let next = self.after(alive, mover);
        let options = (self.moves)(state, mover);
        let answer = if options.is_empty() {
            if self.elimination {
                self.forces(state, alive & !(1 << mover), next, coalition, memo)
            } else {
                coalition >> ((mover + n - 1) % n) & 1 == 1
            }
        } else {
            let mut each = options
                .iter()
                .map(|o| self.forces(o, alive, next, coalition, memo));
            if coalition >> mover & 1 == 1 {
                each.any(|w| w)
            } else {
                each.all(|w| w)
            }
        };
        memo.insert(key, answer);
        answer
    }

    pub fn wins(&self, coalition: u32, first: usize) -> bool {
        let all = (1 << self.names.len()) - 1;
        self.forces(&self.start, all, first, coalition, &mut Memo::new())
    }

    /// The winner's name, or `queer`.
    pub fn winner(&self, first: usize) -> String {
        (0..self.names.len())
            .find(|p| self.wins(1 << p, first))
            .map_or("queer".into(), |p| self.names[p].clone())
    }

    /// The minimal winning coalitions, as bits, in increasing order.
    pub fn minimal(&self, first: usize) -> Vec<u32> {
        let all: Vec<u32> = (0..1u32 << self.names.len())
            .filter(|c| self.wins(*c, first))
            .collect();
        let proper = |c: u32| all.iter().any(|d| *d != c && d & c == *d);
        all.iter().copied().filter(|c| !proper(*c)).collect()
    }

    pub fn player(&self, name: &str) -> Option<usize> {
        self.names.iter().position(|n| n == name.trim())
    }

    pub fn coalition(&self, text: &str) -> Option<u32> {
        let inner = text.trim().strip_prefix('{')?.strip_suffix('}')?;
        inner
            .split(',')
            .filter(|t| !t.trim().is_empty())
            .try_fold(0, |all, p| Some(all | 1 << self.player(p)?))
    }
}

fn letters(n: usize) -> Vec<String> {
    ["A", "B", "C", "D", "E"][..n]
        .iter()
        .map(|s| s.to_string())
        .collect()
}

fn neighbours(g: &Graph) -> Vec<Vec<usize>> {
    let mut near = vec![Vec::new(); g.names.len()];
    for &(u, v, _) in &g.edges {
        near[u].push(v);
        near[v].push(u);
    }
    near
}

/// A free vertex may be coloured if `fits` holds for the player and the colours around it.
fn colouring(
    g: &Graph,
    fits: fn(i32, &[i32]) -> bool,
) -> (State, impl Fn(&State, usize) -> Vec<State> + 'static) {
    let near = neighbours(g);
    let colour = |v| g.piece(v).to_digit(10).map_or(0, |d| d as i32);
    let start: State = (0..g.names.len()).map(colour).collect();
    (start, move |s: &State, p: usize| {
        let me = p as i32 + 1;
        let around = |v: usize| near[v].iter().map(|&w| s[w]).collect::<Vec<_>>();
        (0..s.len())
            .filter(|&v| s[v] == 0 && fits(me, &around(v)))
            .map(|v| {
                let mut after = s.clone();
                after[v] = me;
                after
            })
            .collect()
    })
}

/// A remaining edge is 1. A player may remove an edge if he owns its label; then everything disconnected from the ground is
/// removed.
fn hackenbush(
    g: &Graph,
    owns: fn(usize, char) -> bool,
) -> (State, impl Fn(&State, usize) -> Vec<State> + 'static) {
    let edges = g.edges.clone();
    let ground = g.names.iter().position(|n| n == "ground");
    (vec![1; edges.len()], move |s: &State, p: usize| {
        let mut options = Vec::new();
        for e in (0..edges.len()).filter(|&e| s[e] == 1 && owns(p, edges[e].2)) {
            let mut after = s.clone();
            after[e] = 0;
            let mut hangs: Vec<usize> = ground.into_iter().collect();
            let mut i = 0;
            while i < hangs.len() {
                for f in (0..edges.len()).filter(|&f| after[f] == 1) {
                    for (u, v) in [(edges[f].0, edges[f].1), (edges[f].1, edges[f].0)] {
                        if u == hangs[i] && !hangs.contains(&v) {
                            hangs.push(v);
                        }
                    }
                }
                i += 1;
            }
            for f in 0..edges.len() {
                if !hangs.contains(&edges[f].0) {
                    after[f] = 0;
                }
            }
            options.push(after);
        }
        options
    })
}

fn clobber(rows: &[Vec<char>]) -> (State, impl Fn(&State, usize) -> Vec<State> + 'static) {
    let width = rows[0].len();
    let stone = |c: &char| {
        ['x', 'o', 'z']
            .iter()
            .position(|p| p == c)
            .map_or(0, |p| p as i32 + 1)
    };
    (
        rows.iter().flatten().map(stone).collect(),
        move |s: &State, p: usize| {
            let mut options = Vec::new();
            for a in 0..s.len() {
                for b in 0..s.len() {
                    let (rows, columns) = (
                        (a / width).abs_diff(b / width),
                        (a % width).abs_diff(b % width),
                    );
                    if s[a] == p as i32 + 1 && s[b] > 0 && s[b] != s[a] && rows + columns == 1 {
                        let mut after = s.clone();
                        after[b] = after[a];
                        after[a] = 0;
                        options.push(after);
                    }
                }
            }
            options
        },
    )
}

fn nim(heaps: Vec<i32>) -> (State, impl Fn(&State, usize) -> Vec<State> + 'static) {
    (heaps, |s: &State, _| {
        let mut options = Vec::new();
        for i in 0..s.len() {
            for left in 0..s[i] {
                let mut after = s.clone();
                after[i] = left;
                after.sort_unstable();
                options.push(after);
            }
        }
        options
    })
}

/// An occupied cell is 1. The player's number is the direction of his dominoes.
fn dominoes(size: [usize; 3]) -> (State, impl Fn(&State, usize) -> Vec<State> + 'static) {
    let place = move |c: [usize; 3]| (c[0] * size[1] + c[1]) * size[2] + c[2];
    (
        vec![0; size.iter().product()],
        move |s: &State, p: usize| {
            let mut options = Vec::new();
            for i in 0..size[0] {
                for j in 0..size[1] {
                    for k in 0..size[2] {
                        let mut other = [i, j, k];
                        other[p] += 1;
                        if other[p] < size[p] && s[place([i, j, k])] + s[place(other)] == 0 {
                            let mut after = s.clone();
                            after[place([i, j, k])] = 1;
                            after[place(other)] = 1;
                            options.push(after);
                        }
                    }
                }
            }
            options
        },
    )
}

/// The game of a literal, if it is a game of many players known here.
pub fn case(l: &Literal) -> Option<Many> {
    let numbered = |i: usize| -> Option<Vec<String>> {
        let n: usize = l.parameters.get(i)?.parse().ok()?;
        Some((1..=n).map(|p| p.to_string()).collect())
    };
    let game =
        |names: Vec<String>,
         elimination,
         (start, moves): (State, Box<dyn Fn(&State, usize) -> Vec<State>>)| Many {
            names,
            elimination,
            start,
            moves,
        };
    fn boxed(
        (start, moves): (State, impl Fn(&State, usize) -> Vec<State> + 'static),
    ) -> (State, Box<dyn Fn(&State, usize) -> Vec<State>>) {
        (start, Box::new(moves))
    }
    let own = |p: usize, label: char| label.to_digit(10) == Some(p as u32 + 1);
    Some(match l.name.as_str() {
        "NHackenbush" => game(numbered(0)?, true, boxed(hackenbush(&l.graph(), own))),
        "LastHackenbush" => game(numbered(0)?, false, boxed(hackenbush(&l.graph(), own))),
        "SharedHackenbush" => {
            let owns = |p: usize, label: char| match label {
                'r' => p == 0,
                'g' => p == 1,
                'b' => p == 2,
                'y' => p == 0 || p == 1,
                'w' => true,
                _ => false,
            };
            game(letters(3), true, boxed(hackenbush(&l.graph(), owns)))
        }
        "NCol" => game(
            numbered(0)?,
            true,
            boxed(colouring(&l.graph(), |me, near| !near.contains(&me))),
        ),
        "NSnort" => game(
            numbered(0)?,
            true,
            boxed(colouring(&l.graph(), |me, near| {
                near.iter().all(|c| *c == 0 || *c == me)
            })),
        ),
        "Nim3" => game(letters(3), false, boxed(nim(l.heaps()))),
        "NNim" => game(numbered(0)?, false, boxed(nim(l.heaps()))),
        "Clobber3" => game(letters(3), false, boxed(clobber(&l.rows()))),
        "BoxDomineering" => {
            let (_, sizes) = call(l.entries.first()?)?;
            let sizes: Vec<usize> = sizes
                .iter()
                .flat_map(|s| numbers(s))
                .map(|n| n as usize)
                .collect();
            game(letters(3), true, boxed(dominoes(sizes.try_into().ok()?)))
        }
        "NPosetGame" => {
            let poset = Poset::of(l)?;
            let start = poset.all();
            game(
                numbered(0)?,
                false,
                boxed((start, move |s: &State, _| poset.without(s))),
            )
        }
        _ => return None,
    })
}
