//! Finds the winner of a game of conflicts by cutting it into strips. Input: the moves of a position and their conflicts
//! ([`Conflicts`]), and who begins. Output: whether he wins.
//!
//! Each player has a lower bound: the board is cut into intervals of rows ([`layout`]), he gives up his moves between them,
//! which does not help him, and the walls of the strips are added up ([`walls`]). Of all ways to cut, the best one at each
//! temperature is used ([`cut`], [`bounds`]). What the bounds do not decide is searched ([`search`]), by several threads if
//! there are any ([`verdicts`]).

mod bounds;
mod cut;
mod layout;
mod search;
mod set;
mod verdicts;
mod walls;

use super::account::Account;
use super::context::Context;
use super::statistics::Statistics;
use crate::game::{Conflicts, Limit, Player};
use bounds::Side;
use search::Strips;

/// The least number of moves for which this search is used: smaller positions are solved by parts in no time, which finds
/// values that other positions share.
const LEAST: u32 = 48;

/// A search with its tables; `W` words hold the moves.
pub(super) trait Search: Send {
    /// Whether a player wins who begins.
    fn wins(
        &mut self,
        mover: Player,
        context: &Context<'_>,
        statistics: &mut Statistics,
    ) -> Result<bool, Limit>;

    /// The same search for another thread: from now on, each learns what the other decides. `None` if strips say little.
    fn beside(&mut self, conflicts: &Conflicts, always: bool) -> Option<Box<dyn Search>>;

    /// Frees all memory, also that of what was learned from others.
    fn clear(&mut self, account: &Account);
}

/// The least number of moves of a position for this search. `always`: for tests, as few as there are.
pub(super) fn least(always: bool) -> u32 {
    if always { 0 } else { LEAST }
}

/// The search for a position with these conflicts; `None` if strips would say little about it. `always`: for tests, whatever the
/// position is.
pub(super) fn search(conflicts: &Conflicts, always: bool) -> Option<Box<dyn Search>> {
    match conflicts.owners.len() {
        0..=128 => in_words::<2>(conflicts, always),
        129..=256 => in_words::<4>(conflicts, always),
        _ => None,
    }
}

fn in_words<const W: usize>(conflicts: &Conflicts, always: bool) -> Option<Box<dyn Search>> {
    let sides = sides::<W>(conflicts, always)?;
    Some(Box::new(Strips::new(conflicts, sides)))
}

// Both players' bounds.
fn sides<const W: usize>(conflicts: &Conflicts, always: bool) -> Option<[Side<W>; 2]> {
    let [left, right] = [Player::LEFT, Player::RIGHT].map(|p| Side::new(conflicts, p, always));
    Some([left?, right?])
}

#[cfg(test)]
mod tests {
    use super::set::Set;
    use super::*;
    use crate::engine::Engine;
    use crate::engine::random::Random;
    use crate::game::{Budget, Cancel, Limits};
    use std::collections::HashMap;

    // A plain search: whether the player to move wins.
    fn plain(
        c: &Conflicts,
        set: u32,
        mover: Player,
        known: &mut HashMap<(u32, Player), bool>,
    ) -> bool {
        if let Some(wins) = known.get(&(set, mover)) {
            return *wins;
        }
        let wins = (0..c.owners.len()).any(|i| {
            let gone = c.with[i].iter().fold(1 << i, |gone, j| gone | 1 << j);
            let is_move = set >> i & 1 == 1 && c.owners[i] == mover;
            is_move && !plain(c, set & !gone, mover.opponent(), known)
        });
        known.insert((set, mover), wins);
        wins
    }

    // Moves in rows of some length, with conflicts inside rows, between neighbouring ones, and sometimes elsewhere.
    fn drawn(random: &mut Random) -> Conflicts {
        let mut below = |n: usize| random.below(n as u64) as usize;
        let moves = 1 + below(14);
        let rows = 1 + below(4);
        let row: Vec<usize> = (0..moves).map(|_| below(rows)).collect();
        let owners = (0..moves).map(|_| Player(below(2) as u8));
        let owners: Vec<Player> = owners.collect();
        let mut with = vec![Vec::new(); moves];
        for i in 0..moves {
            for j in 0..i {
                let chance = match row[i].abs_diff(row[j]) {
                    0 => 2,
                    1 if owners[i] != owners[j] => 3,
                    1 => 6,
                    _ => 24,
                };
                if below(chance) == 0 {
                    with[i].push(j as u32);
                    with[j].push(i as u32);
                }
            }
        }
        with.iter_mut().for_each(|w| w.sort_unstable());
        Conflicts {
            owners,
            with,
            ..Conflicts::default()
        }
    }

    // Two copies, with some conflicts between them, that a symmetry maps to each other; sometimes it exchanges the players.
    fn doubled(one: &Conflicts, random: &mut Random) -> Conflicts {
        let moves = one.owners.len();
        let exchanges = random.below(3) == 0;
        let image_of = |owner: &Player| match exchanges {
            true => owner.opponent(),
            false => *owner,
        };
        let images = one.owners.iter().map(image_of);
        let shifted = |w: &Vec<u32>| w.iter().map(|j| j + moves as u32).collect();
        let mut with = one.with.clone();
        with.extend(one.with.iter().map(shifted));
        for i in 0..moves {
            if random.below(4) == 0 {
                with[i].push((i + moves) as u32);
                with[i + moves].push(i as u32);
            }
        }
        with.iter_mut().for_each(|w| w.sort_unstable());
        let image = |i: usize| ((i + moves) % (2 * moves)) as u32;
        let mut symmetries = vec![(0..2 * moves).map(image).collect()];
        symmetries.truncate(usize::from(!exchanges));
        Conflicts {
            owners: one.owners.iter().copied().chain(images).collect(),
            with,
            symmetries,
            exchanges,
        }
    }

    // For each player who begins, what two threads find that search at the same time and learn what the other decides.
    fn by_two(conflicts: &Conflicts, context: &Context<'_>) -> Option<[[bool; 2]; 2]> {
        let mut first = in_words::<1>(conflicts, true)?;
        let mut second = first.beside(conflicts, true)?;
        let wins = |search: &mut Box<dyn Search>, mover, order| {
            let budget = &Budget::new(&Limits::default(), Cancel::new());
            let context = Context {
                budget,
                order,
                ..*context
            };
            let wins = search.wins(mover, &context, &mut Statistics::default());
            wins.unwrap()
        };
        let found = [Player::LEFT, Player::RIGHT].map(|mover| {
            std::thread::scope(|scope| {
                let other = scope.spawn(|| wins(&mut second, mover, 1));
                [wins(&mut first, mover, 0), other.join().unwrap()]
            })
        });
        first.clear(context.account);
        second.clear(context.account);
        Some(found)
    }

    #[test]
    fn two_threads_find_the_winners_of_a_plain_search() {
        let engine: Engine<u32> = Engine::new(Limits::default());
        let budget = Budget::new(&Limits::default(), Cancel::new());
        let context = Context::new(&engine, &budget);
        let mut random = Random(8);
        let mut games = 0;
        while games < 2_000 {
            let one = drawn(&mut random);
            if !(8..=10).contains(&one.owners.len()) {
                continue;
            }
            let conflicts = doubled(&one, &mut random);
            let Some(found) = by_two(&conflicts, &context) else {
                continue;
            };
            let all = (1 << conflicts.owners.len()) - 1;
            let mut known = HashMap::new();
            let expected = [Player::LEFT, Player::RIGHT]
                .map(|mover| [plain(&conflicts, all, mover, &mut known); 2]);
            assert_eq!(found, expected, "{conflicts:?}");
            games += 1;
        }
        assert_eq!(engine.account.tables(), 0);
    }

    #[test]
    fn winners_are_those_of_a_plain_search_and_bounds_decide_many() {
        let engine: Engine<u32> = Engine::new(Limits::default());
        let budget = Budget::new(&Limits::default(), Cancel::new());
        let context = Context::new(&engine, &budget);
        let mut random = Random(7);
        let (mut games, mut at_once) = (0, 0);
        for _ in 0..4_000 {
            let mut conflicts = drawn(&mut random);
            if conflicts.owners.len() <= 7 {
                conflicts = doubled(&conflicts, &mut random);
            }
            let mut known = HashMap::new();
            let all = (1 << conflicts.owners.len()) - 1;
            let search = match random.below(2) {
                0 => in_words::<1>(&conflicts, true),
                _ => in_words::<4>(&conflicts, true),
            };
            let Some(mut search) = search else {
                continue;
            };
            for mover in [Player::LEFT, Player::RIGHT] {
                let mut statistics = Statistics::default();
                let wins = search.wins(mover, &context, &mut statistics).unwrap();
                let expected = plain(&conflicts, all, mover, &mut known);
                assert_eq!(wins, expected, "{mover:?} {conflicts:?}");
                games += 1;
                at_once += usize::from(statistics.strips <= 1);
            }
            search.clear(&engine.account);
            assert_eq!(engine.account.tables(), 0);
        }
        assert!(games > 5_000 && 4 * at_once > games, "{at_once} of {games}");
    }

    // The walls of single switches and numbers, from Siegel, II.5: {2 | -1} has mean 1/2 and temperature 3/2; two moves of one
    // player that exclude each other are 1; a move of each player that exclude each other are *.
    #[test]
    fn walls_are_those_of_the_textbook() {
        let engine: Engine<u32> = Engine::new(Limits::default());
        let budget = Budget::new(&Limits::default(), Cancel::new());
        let context = Context::new(&engine, &budget);
        let walls = |own: u64, edges: &[(usize, usize)], set: u64| {
            let mut removes: Vec<Set<1>> = (0..8).map(|i| [i].into_iter().collect()).collect();
            for (i, j) in edges {
                removes[*i].0[0] |= 1 << j;
                removes[*j].0[0] |= 1 << i;
            }
            walls::Shape::new(Set([own]), removes)
                .walls(&Set([set]), &context)
                .unwrap()
        };
        let one = walls(0b11, &[(0, 1)], 0b11);
        assert_eq!((one.first, one.second), ([4; 8], [4; 8]));
        let star = walls(0b01, &[(0, 1)], 0b11);
        assert_eq!(star.first, [4, 2, 0, 0, 0, 0, 0, 0]);
        assert_eq!(star.second, [-4, -2, 0, 0, 0, 0, 0, 0]);
        // Left's 0, 1, 2 all exclude Right's 3; 0 leaves 1 and 2, and each of those leaves two. So {2 | 0} = 1 + {1 | -1}.
        let switch = walls(0b0111, &[(0, 3), (1, 3), (2, 3)], 0b1111);
        assert_eq!(switch.first, [12, 10, 8, 7, 6, 5, 4, 4]);
        assert_eq!(switch.second, [-4, -2, 0, 1, 2, 3, 4, 4]);
        // The sum of * and 1.
        let sum = walls(0b101, &[(0, 1)], 0b111);
        assert_eq!((sum.first[2], sum.second[2]), (4, 4));
    }

    // So many moves that the walls do not fit into the bytes in which they are kept: once from the table, they are less, not more.
    #[test]
    fn walls_beyond_a_byte_are_lowered() {
        let engine: Engine<u32> = Engine::new(Limits::default());
        let budget = Budget::new(&Limits::default(), Cancel::new());
        let context = Context::new(&engine, &budget);
        // One move against sixty that do not exclude each other: {59 | 0}, or {0 | -59}.
        let all = Set([(1 << 61) - 1]);
        let many = (0..60).map(|i| [i, 60].into_iter().collect());
        let removes: Vec<Set<1>> = many.chain([all]).collect();
        for (own, first, second) in [((1 << 60) - 1, 236, 0), (1 << 60, 0, -236)] {
            let mut shape = walls::Shape::new(Set([own]), removes.clone());
            let found = [(); 2].map(|()| shape.walls(&all, &context).unwrap());
            for walls in found {
                for (k, t) in walls::TEMPERATURES.into_iter().enumerate() {
                    assert!(walls.first[k] <= first - t && walls.second[k] <= second + t);
                }
            }
            let [exact, kept] = found.map(|walls| (walls.first, walls.second));
            assert_eq!((exact.0[2], exact.1[2]), (first, second));
            assert_ne!(exact, kept);
        }
    }
}
