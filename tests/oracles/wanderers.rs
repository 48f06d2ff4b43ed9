//! Games in which play need not end, as graphs of all followers; each move follows the definition of its game. Their values
//! are checked by `super::loopy`, which compares graphs by the definition of the order.

use super::brute::State;
use super::literal::Literal;
use super::loopy::{Graph, fates, is_worth, read};
use super::turns;
use std::collections::HashMap;

/// A game in which finite play ends only if a player cannot move, who then loses.
struct Wandering {
    start: State,
    moves: turns::Moves,
    /// The winner of infinite play.
    endless: Option<usize>,
}

fn game(l: &Literal) -> Option<Wandering> {
    let wandering = |start, moves: turns::Moves| Wandering {
        start,
        moves,
        endless: None,
    };
    Some(match l.name.as_str() {
        "FoxAndGeese" => {
            let game = turns::game(l)?;
            Wandering {
                start: game.start,
                moves: game.moves,
                endless: game.endless,
            }
        }
        "HareAndHounds" => {
            // From every other point diagonal moves are allowed as well. Hounds never move left.
            let (start, shape) = turns::board(l, "d");
            let moves = move |s: &State, p: usize| {
                let mut all = Vec::new();
                for (r, c) in shape.cells().filter(|at| shape.at(s, *at) == p as i32 + 1) {
                    for (dr, dc) in turns::COMPASS {
                        let straight = dr == 0 || dc == 0;
                        let to = (r + dr, c + dc);
                        let back = p == 0 && dc < 0;
                        if (straight || (r + c) % 2 == 1) && !back && shape.at(s, to) == 0 {
                            all.push(shape.put(s, &[((r, c), 0), (to, p as i32 + 1)]));
                        }
                    }
                }
                all
            };
            Wandering {
                endless: Some(1),
                ..wandering(start, Box::new(moves))
            }
        }
        "LoopyGraph" => {
            // `a -l-> b`
            let mut names: Vec<String> = Vec::new();
            let mut number = |name: &str| {
                names.iter().position(|n| n == name).unwrap_or_else(|| {
                    names.push(name.to_owned());
                    names.len() - 1
                }) as i32
            };
            let start = number(&l.field("token")?);
            let mut edges = Vec::new();
            for entry in l.entries.iter().filter(|e| e.contains("->")) {
                let words: Vec<&str> = entry.split_whitespace().collect();
                let [from, arrow, to] = words[..] else {
                    return None;
                };
                let owner = arrow
                    .strip_prefix('-')?
                    .strip_suffix("->")?
                    .chars()
                    .next()?;
                edges.push((number(from), number(to), owner));
            }
            let moves = move |s: &State, p: usize| {
                let own = ['l', 'r'][p];
                let out = edges
                    .iter()
                    .filter(|e| e.0 == s[0] && [own, 'b'].contains(&e.2));
                out.map(|(_, v, _)| vec![*v]).collect()
            };
            wandering(vec![start], Box::new(moves))
        }
        "ToadsAndFrogsWithAPass" => {
            // The last number is the player who holds the card.
            let (mut start, _) = turns::board(l, "t");
            start.push(match l.field("card")?.as_str() {
                "Left" => 1,
                _ => 2,
            });
            let moves = |s: &State, p: usize| {
                let (cells, own, ahead) = (s.len() - 1, p as i32 + 1, [1i32, -1][p]);
                let at = |i: i32| (0..cells as i32).contains(&i).then(|| s[i as usize]);
                let mut all = Vec::new();
                for i in (0..cells as i32).filter(|i| s[*i as usize] == own) {
                    let far = match at(i + ahead) {
                        Some(0) => 1,
                        Some(piece) if piece == 3 - own => 2,
                        _ => continue,
                    };
                    if at(i + far * ahead) == Some(0) {
                        let mut after = s.clone();
                        after[i as usize] = 0;
                        after[(i + far * ahead) as usize] = own;
                        all.push(after);
                    }
                }
                if s[cells] == own {
                    let mut after = s.clone();
                    after[cells] = 3 - own;
                    all.push(after);
                }
                all
            };
            wandering(start, Box::new(moves))
        }
        "LoopyHackenbush" => {
            // For each edge: 0 removed, 1 Left's, 2 Right's, 3 a spring of Left's, 4 a spring of Right's.
            let graph = l.graph();
            let ground = graph.names.iter().position(|n| n == "ground")?;
            let places: Vec<(usize, usize)> = graph.edges.iter().map(|e| (e.0, e.1)).collect();
            let code = |c: char| "-brls".find(c).map(|i| i as i32);
            let start: Option<State> = graph.edges.iter().map(|e| code(e.2)).collect();
            let vertices = graph.names.len();
            // Removes everything disconnected from the ground.
            let standing = move |mut s: State| {
                let mut reached = vec![false; vertices];
                reached[ground] = true;
                for _ in 0..vertices {
                    for (k, (u, v)) in places.iter().enumerate() {
                        if s[k] != 0 && (reached[*u] || reached[*v]) {
                            (reached[*u], reached[*v]) = (true, true);
                        }
                    }
                }
                for (k, (u, _)) in places.iter().enumerate() {
                    s[k] *= i32::from(reached[*u]);
                }
                s
            };
            let moves = move |s: &State, p: usize| {
                let (own, spring) = (p as i32 + 1, p as i32 + 3);
                let mut all = Vec::new();
                for k in 0..s.len() {
                    let mut after = s.clone();
                    if s[k] == own {
                        after[k] = 0;
                    } else if s[k] == spring {
                        after[k] = 7 - spring;
                    } else {
                        continue;
                    }
                    all.push(standing(after));
                }
                all
            };
            wandering(start?, Box::new(moves))
        }
        "CashingKings" => {
            // The last number is how many moves Left has in reserve.
            let (mut start, shape) = turns::board(l, "K");
            start.push(0);
            let moves = move |s: &State, p: usize| {
                let cells = s.len() - 1;
                let own = p as i32 + 1;
                let mut all = Vec::new();
                for at in shape.cells().filter(|at| shape.at(s, *at) == own) {
                    for step in turns::COMPASS {
                        let to = (at.0 + step.0, at.1 + step.1);
                        let attacked = turns::COMPASS
                            .iter()
                            .any(|d| shape.at(s, (to.0 + d.0, to.1 + d.1)) == 3 - own);
                        if shape.at(s, to) == 0 && !attacked {
                            all.push(shape.put(s, &[(at, 0), (to, own)]));
                        }
                    }
                    if p == 0 && s[..cells].contains(&2) {
                        let mut after: State = s
                            .iter()
                            .map(|c| if [1, 2].contains(c) { 0 } else { *c })
                            .collect();
                        after[cells] = shape.rows - 1 - at.0 + at.1;
                        all.push(after);
                    }
                }
                if p == 0 && s[cells] > 0 {
                    let mut after = s.clone();
                    after[cells] -= 1;
                    all.push(after);
                }
                all
            };
            wandering(start, Box::new(moves))
        }
        "BackslidingToadsAndFrogs" => {
            let (start, _) = turns::board(l, "t");
            let moves = |s: &State, p: usize| {
                let (own, ahead) = (p as i32 + 1, [1i32, -1][p]);
                let at = |i: i32| usize::try_from(i).ok().and_then(|i| s.get(i)).copied();
                let mut all = Vec::new();
                for i in (0..s.len() as i32).filter(|i| s[*i as usize] == own) {
                    let jump = (at(i + ahead) == Some(3 - own)).then_some(i + 2 * ahead);
                    for to in [Some(i - 1), Some(i + 1), jump].into_iter().flatten() {
                        if at(to) == Some(0) {
                            let mut after = s.clone();
                            after[i as usize] = 0;
                            after[to as usize] = own;
                            all.push(after);
                        }
                    }
                }
                all
            };
            wandering(start, Box::new(moves))
        }
        _ => return None,
    })
}

fn graph(game: &Wandering) -> Graph {
    let mut numbers: HashMap<State, usize> = HashMap::from([(game.start.clone(), 0)]);
    let mut all = vec![game.start.clone()];
    let mut graph = Graph::new();
    while let Some(s) = all.get(graph.len()).cloned() {
        graph.push([0, 1].map(|p| {
            let mut number = |to: State| {
                *numbers.entry(to.clone()).or_insert_with(|| {
                    all.push(to);
                    all.len() - 1
                })
            };
            (game.moves)(&s, p).into_iter().map(&mut number).collect()
        }));
    }
    graph
}

/// Whether `value(G) == text` holds; `None` if the game or the text cannot be read.
pub fn has_value(position: &str, text: &str) -> Option<bool> {
    let game = game(&Literal::read(position)?)?;
    Some(is_worth(&graph(&game), 0, &read(text)?, game.endless))
}

/// The outcome; `None` for games in which a player wins infinite play.
pub fn outcome(l: &Literal) -> Option<&'static str> {
    let game = game(l)?;
    if game.endless.is_some() {
        return None;
    }
    Some(match fates(&graph(&game))[0] {
        [Some(true), Some(true)] => "L-position",
        [Some(false), Some(false)] => "R-position",
        [Some(true), Some(false)] => "N-position",
        [Some(false), Some(true)] => "P-position",
        [Some(true), None] => "LD-position",
        [Some(false), None] => "RD-position",
        [None, Some(true)] => "DL-position",
        [None, Some(false)] => "DR-position",
        [None, None] => "D-position",
    })
}
