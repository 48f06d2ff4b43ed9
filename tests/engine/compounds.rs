//! Compounds of random games against the definitions on pairs: by the theorems on components where they hold, by the arena
//! on tuples otherwise. Also, the length of play against all lines of play.

use crate::random::Random;
use cgdsl::engine::Stopped;
use cgdsl::engine::arena::{Arena, Fate};
use cgdsl::engine::compounds::{Part, Together, by_parts};
use cgdsl::engine::lengths::length;
use cgdsl::game::{Budget, Cancel, Compound, Convention, Limits, Player, Rules};
use std::collections::HashMap;
use std::convert::Infallible;

const ALL: [Compound; 5] = [
    Compound::Conjunctive,
    Compound::Continued,
    Compound::Selective,
    Compound::Shortened,
    Compound::Sequential,
];

/// Positions are numbers; for each player, the targets of his moves.
#[derive(Clone, Debug)]
struct Graph {
    moves: Vec<[Vec<u32>; 2]>,
}

impl Rules for Graph {
    type Position = u32;
    type Fault = Infallible;

    fn options(&self, at: &u32, player: Player, options: &mut Vec<u32>) -> Result<(), Infallible> {
        options.extend(&self.moves[*at as usize][player.index()]);
        Ok(())
    }
}

/// A random graph of `n` positions, from 0; if play ends, moves lead to greater numbers.
fn graph(random: &mut Random, n: usize, impartial: bool, ends: bool) -> Graph {
    let mut moves = Vec::new();
    for at in 0..n {
        let mut own = || {
            let mut all = Vec::new();
            for _ in 0..random.below(4) {
                match ends {
                    true if at + 1 == n => continue,
                    true => all.push((at + 1 + random.below(n - at - 1)) as u32),
                    false => all.push(random.below(n) as u32),
                }
            }
            all
        };
        let left = own();
        let right = if impartial { left.clone() } else { own() };
        moves.push([left, right]);
    }
    Graph { moves }
}

/// The options of a pair, from the definition of the compound.
fn pairs(
    how: Compound,
    g: &Graph,
    h: &Graph,
    (a, b): (u32, u32),
    player: usize,
) -> Vec<(u32, u32)> {
    let x = &g.moves[a as usize][player];
    let y = &h.moves[b as usize][player];
    let both = || x.iter().flat_map(|x| y.iter().map(|y| (*x, *y)));
    let first = || x.iter().map(|x| (*x, b));
    let second = || y.iter().map(|y| (a, *y));
    match how {
        Compound::Conjunctive => both().collect(),
        Compound::Continued if x.is_empty() => second().collect(),
        Compound::Continued if y.is_empty() => first().collect(),
        Compound::Continued => both().collect(),
        Compound::Selective => both().chain(first()).chain(second()).collect(),
        Compound::Shortened if x.is_empty() || y.is_empty() => Vec::new(),
        Compound::Shortened => first().chain(second()).collect(),
        Compound::Sequential => {
            let over = g.moves[a as usize].iter().all(Vec::is_empty);
            if over {
                second().collect()
            } else {
                first().collect()
            }
        }
    }
}

/// The result that is forced at each pair with a player to move: 1 if he wins, -1 if he loses; absent if neither. Applies
/// the definition until nothing changes.
fn decided(how: Compound, g: &Graph, h: &Graph, misere: bool) -> HashMap<(u32, u32, usize), i8> {
    let mut known: HashMap<(u32, u32, usize), i8> = HashMap::new();
    loop {
        let mut changed = false;
        for a in 0..g.moves.len() as u32 {
            for b in 0..h.moves.len() as u32 {
                for player in 0..2 {
                    if known.contains_key(&(a, b, player)) {
                        continue;
                    }
                    let options = pairs(how, g, h, (a, b), player);
                    let after = |(x, y): &(u32, u32)| known.get(&(*x, *y, 1 - player)).copied();
                    let fate = if options.is_empty() {
                        Some(if misere { 1 } else { -1 })
                    } else if options.iter().any(|o| after(o) == Some(-1)) {
                        Some(1)
                    } else if options.iter().all(|o| after(o) == Some(1)) {
                        Some(-1)
                    } else {
                        None
                    };
                    if let Some(fate) = fate {
                        known.insert((a, b, player), fate);
                        changed = true;
                    }
                }
            }
        }
        if !changed {
            return known;
        }
    }
}

fn budget() -> Budget {
    Budget::new(&Limits::default(), Cancel::new())
}

fn convention(misere: bool) -> Convention {
    match misere {
        true => Convention::Misere,
        false => Convention::Normal,
    }
}

/// The arena's result for the pair of starts, in the notation of [`decided`].
fn by_arena(how: Compound, g: &Graph, h: &Graph, misere: bool, player: usize) -> i8 {
    let rules = Together {
        compound: how,
        parts: vec![g, h],
        convention: convention(misere),
        endless: None,
    };
    let first = Player(player as u8);
    let start: Box<[u32]> = Box::new([0, 0]);
    let fate = Arena::new(1 << 30).fate(&rules, &start, first, &budget());
    match fate.expect("no limit") {
        Fate::Won(who) if who == first => 1,
        Fate::Won(_) => -1,
        Fate::Drawn => 0,
    }
}

fn part(g: &Graph, misere: bool) -> Part {
    let of = |c| length(g, &0, Player::LEFT, c, true, 1 << 30, &budget()).expect("play ends");
    Part {
        normal: of(Convention::Normal),
        asked: of(convention(misere)),
    }
}

#[test]
fn compounds_of_impartial_games_are_decided_by_their_parts() {
    let mut random = Random(14);
    let mut by_theorem = [0; 5];
    for _ in 0..3000 {
        let sizes = [1 + random.below(9), 1 + random.below(9)];
        let [g, h] = sizes.map(|n| graph(&mut random, n, true, true));
        for (i, how) in ALL.into_iter().enumerate() {
            for misere in [false, true] {
                let truth = decided(how, &g, &h, misere)[&(0, 0, 0)];
                let parts = [part(&g, misere), part(&h, misere)];
                if let Some(wins) = by_parts(how, &parts, misere) {
                    by_theorem[i] += 1;
                    assert_eq!(wins, truth == 1, "{how:?}, misère: {misere}\n{g:?}\n{h:?}");
                }
                let found = by_arena(how, &g, &h, misere, 0);
                assert_eq!(found, truth, "{how:?}, misère: {misere}\n{g:?}\n{h:?}");
            }
        }
    }
    assert_eq!(by_theorem, [6000, 6000, 6000, 0, 0]);
}

#[test]
fn compounds_of_other_games_are_decided_by_the_arena() {
    let mut random = Random(15);
    let mut drawn = 0;
    for round in 0..600 {
        let (impartial, ends) = (round % 3 == 0, round % 3 == 1);
        let sizes = [1 + random.below(6), 1 + random.below(6)];
        let [g, h] = sizes.map(|n| graph(&mut random, n, impartial, ends));
        for how in ALL {
            for misere in [false, true] {
                let truth = decided(how, &g, &h, misere);
                for player in 0..2 {
                    let truth = truth.get(&(0, 0, player)).copied().unwrap_or(0);
                    drawn += usize::from(truth == 0);
                    let found = by_arena(how, &g, &h, misere, player);
                    assert_eq!(found, truth, "{how:?}, misère: {misere}\n{g:?}\n{h:?}");
                }
            }
        }
    }
    assert!(drawn > 100, "{drawn}");
}

/// Three components, since a theorem on two might fail on three.
#[test]
fn three_parts_are_two_of_which_one_is_a_compound() {
    let mut random = Random(16);
    for _ in 0..200 {
        let [g, h, k] = [0; 3].map(|_| graph(&mut random, 5, true, true));
        for how in [
            Compound::Conjunctive,
            Compound::Continued,
            Compound::Selective,
        ] {
            for misere in [false, true] {
                let parts = [&g, &h, &k].map(|g| part(g, misere));
                let rules = Together {
                    compound: how,
                    parts: vec![&g, &h, &k],
                    convention: convention(misere),
                    endless: None,
                };
                let start: Box<[u32]> = Box::new([0; 3]);
                let fate = Arena::new(1 << 30).fate(&rules, &start, Player::LEFT, &budget());
                let wins = by_parts(how, &parts, misere);
                assert_eq!(wins.map(|w| Fate::Won(Player(u8::from(!w)))), fate.ok());
            }
        }
    }
}

/// Whether the player to move wins, and in how many moves if the winner hurries or, if `slow`, delays.
fn slowly(g: &Graph, at: u32, player: usize, misere: bool, slow: bool) -> (bool, u32) {
    let options = &g.moves[at as usize][player];
    let after: Vec<(bool, u32)> = options
        .iter()
        .map(|o| slowly(g, *o, 1 - player, misere, slow))
        .collect();
    if after.is_empty() {
        return (misere, 0);
    }
    let wins = after.iter().any(|a| !a.0);
    let moves = after.iter().filter(|a| a.0 != wins).map(|a| a.1);
    let moves = if slow == wins {
        moves.max()
    } else {
        moves.min()
    };
    (wins, 1 + moves.expect("some"))
}

#[test]
fn lengths_agree_with_all_lines_of_play() {
    let mut random = Random(17);
    for _ in 0..1000 {
        let g = graph(&mut random, 9, false, true);
        for player in 0..2 {
            for misere in [false, true] {
                let first = Player(player as u8);
                let found = length(&g, &0, first, convention(misere), false, 1 << 30, &budget());
                let found = found.expect("play ends");
                let fast = (found.wins == Some(true), found.remoteness);
                let slow = (found.wins == Some(true), found.suspense);
                assert_eq!(fast, slowly(&g, 0, player, misere, false), "{g:?}");
                assert_eq!(slow, slowly(&g, 0, player, misere, true), "{g:?}");
            }
        }
    }
}

#[test]
fn play_that_comes_again_has_no_length() {
    let around = |to: u32| [vec![to], vec![to]];
    let g = Graph {
        moves: vec![around(1), around(2), around(1)],
    };
    let found = length(
        &g,
        &0,
        Player::LEFT,
        Convention::Normal,
        true,
        1 << 20,
        &budget(),
    );
    assert_eq!(
        found,
        Err(Stopped::Cycle {
            line: vec![1, 2, 1]
        })
    );
}
