//! Nimbers and loony values of random rules in sums, against plain search of the whole sum.

use crate::random::Random;
use cgdsl::engine::Stopped;
use cgdsl::engine::affine::{Affine, Affines, NotAffine};
use cgdsl::game::{Budget, Cancel, Convention, End, Limits, Player, Rules, Step, options_by_steps};
use std::collections::HashMap;

/// The effect of a move, from its player's point of view.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Move {
    Pass(u32),
    Again(u32),
    Win,
    Lose,
}

/// Positions are numbers; both players have the moves of `both`, and Left also those of `left`.
#[derive(Clone, Default)]
struct Table {
    both: Vec<Vec<Move>>,
    left: Vec<(u32, Move)>,
    drawn: Option<u32>,
    misere: bool,
}

impl Rules for Table {
    type Position = u32;
    type Fault = std::convert::Infallible;

    fn convention(&self) -> Convention {
        match self.misere {
            true => Convention::Misere,
            false => Convention::Normal,
        }
    }

    fn options(
        &self,
        at: &Self::Position,
        player: Player,
        options: &mut Vec<Self::Position>,
    ) -> Result<(), Self::Fault> {
        options_by_steps(self, at, player, options)
    }

    fn steps(
        &self,
        at: &u32,
        player: Player,
        steps: &mut Vec<Step<u32>>,
    ) -> Result<(), Self::Fault> {
        let own = self.left.iter().filter(|(from, _)| from == at);
        let own = own.map(|(_, m)| *m).filter(|_| player == Player::LEFT);
        for m in self.both[*at as usize].iter().copied().chain(own) {
            let (to, again, end) = match m {
                Move::Pass(to) => (to, false, None),
                Move::Again(to) => (to, true, None),
                Move::Win => (*at, false, Some(End::Won(1 << player.0))),
                Move::Lose => (*at, false, Some(End::Won(1 << player.opponent().0))),
            };
            steps.push(Step { to, again, end });
        }
        if self.drawn == Some(*at) {
            steps.push(Step {
                to: *at,
                again: false,
                end: Some(End::Drawn),
            });
        }
        Ok(())
    }
}

fn budget() -> Budget {
    Budget::new(&Limits::default(), Cancel::new())
}

/// Random rules whose moves lead to smaller numbers.
fn table(random: &mut Random, size: usize, wins: bool) -> Table {
    let mut both = vec![Vec::new()];
    for at in 1..size {
        let moves = (0..random.below(4)).map(|_| {
            let to = random.below(at) as u32;
            match random.below(if wins { 12 } else { 10 }) {
                0..6 => Move::Pass(to),
                6..10 => Move::Again(to),
                10 => Move::Win,
                _ => Move::Lose,
            }
        });
        both.push(moves.collect());
    }
    Table {
        both,
        ..Table::default()
    }
}

/// Whether the player to move wins a sum, by the rules alone.
fn wins(table: &Table, sum: &[u32], known: &mut HashMap<Vec<u32>, bool>) -> bool {
    let mut sum = sum.to_vec();
    sum.sort_unstable();
    if let Some(found) = known.get(&sum) {
        return *found;
    }
    let mut found = false;
    for part in 0..sum.len() {
        for m in &table.both[sum[part] as usize] {
            let mut to = |position: u32| {
                let mut next = sum.clone();
                next[part] = position;
                wins(table, &next, known)
            };
            found |= match *m {
                Move::Pass(p) => !to(p),
                Move::Again(p) => to(p),
                Move::Win => true,
                Move::Lose => false,
            };
        }
    }
    known.insert(sum, found);
    found
}

fn worth(table: &Table, at: u32) -> Affine {
    let found = Affines::new(1 << 30).worth(table, &at, &budget());
    found.expect("play ends").expect("impartial")
}

#[test]
fn sums_are_won_as_their_values_say() {
    let mut random = Random(71);
    let mut loony = 0;
    let mut sums = 0;
    for round in 0..600 {
        let table = table(&mut random, 9, round % 2 == 0);
        let mut known = HashMap::new();
        for _ in 0..50 {
            let sum: Vec<u32> = (0..1 + random.below(4))
                .map(|_| random.below(9) as u32)
                .collect();
            let parts = sum.iter().map(|p| worth(&table, *p));
            let total = parts.fold(Affine::Nimber(0), Affine::plus);
            loony += usize::from(total == Affine::Loony);
            sums += 1;
            assert_eq!(
                total.next_player_wins(),
                wins(&table, &sum, &mut known),
                "{:?} {sum:?} {total:?}",
                table.both
            );
        }
    }
    // Neither kind is rare.
    assert!(
        loony * 10 > sums && loony * 10 < 9 * sums,
        "{loony} of {sums}"
    );
}

#[test]
fn a_nimber_is_the_one_heap_that_balances() {
    // The first positions are Nim heaps: position n < 8 has moves to all positions below it.
    let mut random = Random(72);
    for _ in 0..200 {
        let mut table = table(&mut random, 7, true);
        let heaps = table.both.len() as u32;
        for n in 0..8 {
            table
                .both
                .push((heaps..heaps + n).map(Move::Pass).collect());
        }
        let mut known = HashMap::new();
        for at in 0..heaps {
            let balanced: Vec<u32> = (0..8)
                .filter(|n| !wins(&table, &[at, heaps + n], &mut known))
                .collect();
            match worth(&table, at) {
                Affine::Nimber(n) => assert_eq!(balanced, [n], "{:?} {at}", table.both),
                Affine::Loony => assert!(balanced.is_empty(), "{:?} {at}", table.both),
            }
        }
    }
}

/// Nimstring on a row of strings whose two ends are on the ground: coin i lies between strings i and i + 1. Cutting the
/// last string of a coin gives another turn.
struct Nimstring;

impl Rules for Nimstring {
    /// For each string, whether it is there; coin i lies between strings i and i + 1.
    type Position = Vec<bool>;
    type Fault = std::convert::Infallible;

    fn options(
        &self,
        at: &Self::Position,
        player: Player,
        options: &mut Vec<Self::Position>,
    ) -> Result<(), Self::Fault> {
        options_by_steps(self, at, player, options)
    }

    fn steps(
        &self,
        at: &Vec<bool>,
        _: Player,
        steps: &mut Vec<Step<Vec<bool>>>,
    ) -> Result<(), Self::Fault> {
        for i in (0..at.len()).filter(|i| at[*i]) {
            let mut to = at.clone();
            to[i] = false;
            let frees = i > 0 && !at[i - 1] || i + 1 < at.len() && !at[i + 1];
            steps.push(Step {
                to,
                again: frees,
                end: None,
            });
        }
        Ok(())
    }
}

#[test]
fn chains_of_nimstring() {
    // Winning Ways, chapter 16. A coin with one string is 0: the player who takes it must move again. A coin on two strings
    // is mex {0}. Two coins: a cut in the middle leaves two coins with a string each, 0; after a cut at an end, the next
    // player takes one coin or cuts the other end, and either leaves 0, so the cut is loony. So the chain is mex {0}, too.
    // In longer chains every cut is loony, which leaves mex {}.
    for (strings, expected) in [(2, 1), (3, 1), (4, 0), (5, 0), (6, 0), (9, 0)] {
        let position = vec![true; strings];
        let found = Affines::new(1 << 20).worth(&Nimstring, &position, &budget());
        assert_eq!(
            found,
            Ok(Ok(Affine::Nimber(expected))),
            "{} coins",
            strings - 1
        );
    }
}

#[test]
fn hypotheses_are_checked() {
    let ask = |table: &Table, at| Affines::new(1 << 20).worth(table, &at, &budget());
    let chain = vec![vec![], vec![Move::Pass(0)], vec![Move::Pass(1)]];
    let plain = Table {
        both: chain,
        ..Table::default()
    };
    assert_eq!(ask(&plain, 2), Ok(Ok(Affine::Nimber(0))));
    let misere = Table {
        misere: true,
        ..plain.clone()
    };
    assert_eq!(ask(&misere, 2), Ok(Err(NotAffine::Convention)));
    let drawn = Table {
        drawn: Some(0),
        ..plain.clone()
    };
    assert_eq!(ask(&drawn, 2), Ok(Err(NotAffine::Draw(0))));
    let mut partizan = plain.clone();
    partizan.left.push((1, Move::Again(0)));
    assert_eq!(ask(&partizan, 2), Ok(Err(NotAffine::Partizan(1))));
    let mut twice = plain.clone();
    twice.left.push((1, Move::Pass(0)));
    assert_eq!(ask(&twice, 2), Ok(Ok(Affine::Nimber(0))));
    let mut round = plain.clone();
    round.both[1].push(Move::Again(2));
    assert_eq!(
        ask(&round, 2),
        Err(Stopped::Cycle {
            line: vec![2, 1, 2]
        })
    );
}

#[test]
fn limits_leave_nothing_half_known() {
    let n = 200;
    let both = (0..n).map(|at| (0..at).map(Move::Pass).collect()).collect();
    let table = Table {
        both,
        ..Table::default()
    };
    let mut affines = Affines::new(1 << 20);
    let limits = Limits {
        nodes: Some(50),
        ..Limits::default()
    };
    let short = Budget::new(&limits, Cancel::new());
    assert!(matches!(
        affines.worth(&table, &(n - 1), &short),
        Err(Stopped::Limit(_))
    ));
    assert_eq!(
        affines.worth(&table, &(n - 1), &budget()),
        Ok(Ok(Affine::Nimber(n - 1)))
    );
    assert!(matches!(
        Affines::new(1 << 10).worth(&table, &(n - 1), &budget()),
        Err(Stopped::Limit(_))
    ));
}
