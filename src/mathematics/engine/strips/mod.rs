//! Finds the winner of a game of conflicts by cutting it into strips. Input: the moves of a position and their conflicts
//! ([`Conflicts`]), and who begins. Output: whether he wins.
//!
//! The search is depth first, in whole positions, with a table that forgets. Each player has a lower bound: the board is cut
//! into intervals of rows ([`layout`]), he gives up his moves between them, which does not help him, and the walls of the
//! strips are added up ([`walls`]). Of all ways to cut, the best one at each temperature is found from the first row to the
//! last. Options that neither bound decides are searched in the order of the middle between the bounds at temperature
//! 1, where they are near the means. A position is bounded once more when it is opened: there each of
//! its parts is cut by itself, and strips may have more rows.

mod layout;
mod set;
mod walls;

use super::account::Account;
use super::boards::Boards;
use super::context::Context;
use super::statistics::Statistics;
use super::table::hash_of;
use crate::game::{Conflicts, Limit, Player, Shortcut};
use layout::{LONGEST, Layout};
use set::{Images, Set};
use walls::Walls;

/// The least number of moves for which this search is used: smaller positions are solved by parts in no time, which finds
/// values that other positions share.
const LEAST: u32 = 48;

/// The temperature, by its place in the list, at which options are compared: 1.
const HOT: usize = 6;

/// The most symmetries that are used.
const SYMMETRIES: usize = 7;

/// The most moves of a strip of several rows. The walls of all its followers are computed.
const HEAVIEST: u32 = 32;

/// Walls are forgotten where memory is full, but not before so many positions were opened since the last time.
const LASTS: u64 = 1 << 12;

/// A search with its tables; `W` words hold the moves.
pub(super) trait Search: Send {
    /// Whether a player wins who begins.
    fn wins(
        &mut self,
        mover: Player,
        context: &Context<'_>,
        statistics: &mut Statistics,
    ) -> Result<bool, Limit>;

    /// Frees all memory.
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
    let [left, right] =
        [Player::LEFT, Player::RIGHT].map(|player| Layout::<W>::new(conflicts, player, always));
    Some(Box::new(Strips::new(conflicts, [left?, right?])))
}

/// A set of moves in both layouts.
type Position<const W: usize> = [Set<W>; 2];

struct Frame<const W: usize> {
    position: Position<W>,
    mover: usize,
    /// Where its options begin in the list `options`.
    start: usize,
}

struct Strips<const W: usize> {
    layouts: [Layout<W>; 2],
    /// For each player, his moves by their bits in both layouts.
    own: [Vec<[usize; 2]>; 2],
    all: Position<W>,
    /// The symmetries of sets in the first layout.
    images: Images<W>,
    /// For each player to move: whether he wins.
    known: [Boards<Set<W>, bool>; 2],
    frames: Vec<Frame<W>>,
    /// The options of the positions on the stack, the best last.
    options: Vec<(i16, Position<W>)>,
    opened: u64,
    /// Whether walls could not be kept, and how many positions were opened when they were last forgotten.
    full: bool,
    forgot: u64,
}

/// What the bounds of both players say.
enum Said {
    Wins(bool),
    /// Undecided: how good the position is for the player to move.
    Open(i16),
}

impl<const W: usize> Strips<W> {
    fn new(conflicts: &Conflicts, layouts: [Layout<W>; 2]) -> Strips<W> {
        let bits = |i: usize| [layouts[0].bits[i], layouts[1].bits[i]];
        let moves = || 0..conflicts.owners.len();
        let own = [Player::LEFT, Player::RIGHT].map(|p| {
            moves()
                .filter(|i| conflicts.owners[*i] == p)
                .map(bits)
                .collect()
        });
        let symmetries = conflicts.symmetries.iter().take(SYMMETRIES).map(|map| {
            let mut images = vec![0; map.len()];
            moves().for_each(|i| images[bits(i)[0]] = bits(map[i] as usize)[0]);
            images
        });
        let symmetries: Vec<Vec<usize>> = symmetries.collect();
        Strips {
            images: Images::new(conflicts.owners.len(), &symmetries),
            all: [moves().collect(); 2],
            layouts,
            own,
            known: [Boards::large(), Boards::large()],
            frames: Vec::new(),
            options: Vec::new(),
            opened: 0,
            full: false,
            forgot: 0,
        }
    }

    // The walls of the best way to cut a set into strips of at most so many rows.
    fn cut(
        &mut self,
        player: usize,
        set: &Set<W>,
        rows: usize,
        context: &Context<'_>,
    ) -> Result<Walls, Limit> {
        let layout = &mut self.layouts[player];
        // The best so far up to the row that begins next, and up to the rows after it.
        let mut best = [Walls::UNKNOWN; LONGEST + 1];
        best[0] = Walls::ZERO;
        for strips in &layout.strips {
            for (more, strip) in strips.iter().take(rows).enumerate() {
                let moves = strip.cut(set);
                if more > 0 && moves.count_ones() > HEAVIEST {
                    break;
                }
                match layout.shapes[strip.shape].walls(moves, context) {
                    Ok(walls) => best[more + 1] = best[more + 1].or(&best[0].plus(&walls)),
                    Err(Limit::Memory) => self.full = true,
                    Err(limit) => return Err(limit),
                }
            }
            best.rotate_left(1);
            best[LONGEST] = Walls::UNKNOWN;
        }
        Ok(best[0])
    }

    // The same for the sum of the parts, each cut by itself.
    fn cut_parts(
        &mut self,
        player: usize,
        set: &Set<W>,
        context: &Context<'_>,
    ) -> Result<Walls, Limit> {
        let mut rest = *set;
        let mut walls = Walls::ZERO;
        while let Some(bit) = rest.pop() {
            let mut part: Set<W> = [bit].into_iter().collect();
            let mut todo = part;
            while let Some(bit) = todo.pop() {
                let near = self.layouts[player].removes[bit].and(&rest);
                rest = rest.without(&near);
                part = part.or(&near);
                todo = todo.or(&near);
            }
            walls = walls.plus(&self.cut(player, &part, LONGEST, context)?);
        }
        Ok(walls)
    }

    fn bounds(
        &mut self,
        position: &Position<W>,
        mover: usize,
        opened: bool,
        context: &Context<'_>,
    ) -> Result<Said, Limit> {
        let mut walls = [Walls::UNKNOWN; 2];
        for player in [mover, 1 - mover] {
            let set = &position[player];
            walls[player] = match opened {
                true => self.cut_parts(player, set, context)?,
                false => self.cut(player, set, self.layouts[player].usual, context)?,
            };
            let wins = match player == mover {
                true => walls[player].if_first() > 0,
                false => walls[player].if_second() > 0,
            };
            if wins {
                return Ok(Said::Wins(
                    (player == mover) != context.plants(Shortcut::Strips),
                ));
            }
        }
        let middle = walls[mover].second[HOT].saturating_sub(walls[1 - mover].second[HOT]);
        Ok(Said::Open(middle))
    }

    // Whether the mover wins, if a bound or an option decides; otherwise a frame is pushed.
    fn open(
        &mut self,
        position: Position<W>,
        mover: usize,
        context: &Context<'_>,
        statistics: &mut Statistics,
    ) -> Result<Option<bool>, Limit> {
        context.budget.charge()?;
        statistics.states += 1;
        statistics.strips += 1;
        self.opened += 1;
        if self.full && self.opened - self.forgot > LASTS {
            self.forget_walls(context.account);
        }
        let start = self.options.len();
        let known = match self.bounds(&position, mover, true, context)? {
            Said::Wins(wins) => Some(wins),
            Said::Open(_) => match self.list(&position, mover, context)? {
                true => Some(true),
                false if self.options.len() == start => Some(false),
                false => None,
            },
        };
        match known {
            Some(wins) => {
                self.options.truncate(start);
                self.note(position[0], mover, wins, context);
            }
            None => {
                self.options[start..].sort_by_key(|(score, _)| std::cmp::Reverse(*score));
                self.frames.push(Frame {
                    position,
                    mover,
                    start,
                });
            }
        }
        Ok(known)
    }

    // Whether an option is known to lose for the other player. Undecided options are put into the list.
    fn list(
        &mut self,
        position: &Position<W>,
        mover: usize,
        context: &Context<'_>,
    ) -> Result<bool, Limit> {
        for i in 0..self.own[mover].len() {
            let [a, b] = self.own[mover][i];
            if !position[0].has(a) {
                continue;
            }
            let option = [
                position[0].without(&self.layouts[0].removes[a]),
                position[1].without(&self.layouts[1].removes[b]),
            ];
            let score = match self.bounds(&option, 1 - mover, false, context)? {
                Said::Wins(true) => continue,
                Said::Wins(false) => return Ok(true),
                Said::Open(score) => score,
            };
            match self.seen(&option[0], 1 - mover) {
                Some(true) => continue,
                Some(false) => return Ok(true),
                None => self.options.push((score, option)),
            }
        }
        Ok(false)
    }

    fn seen(&self, set: &Set<W>, mover: usize) -> Option<bool> {
        let set = self.images.least(set);
        self.known[mover].get(hash_of(&set), &set)
    }

    fn note(&mut self, set: Set<W>, mover: usize, wins: bool, context: &Context<'_>) {
        let set = self.images.least(&set);
        self.known[mover].put(
            hash_of(&set),
            set,
            wins,
            |_| 0,
            hash_of,
            (context.account, context.forms),
        );
    }

    fn forget_walls(&mut self, account: &Account) {
        let shapes = self.layouts.iter_mut().flat_map(|l| &mut l.shapes);
        shapes.for_each(|shape| shape.clear(account));
        self.full = false;
        self.forgot = self.opened;
    }
}

impl<const W: usize> Search for Strips<W> {
    fn wins(
        &mut self,
        mover: Player,
        context: &Context<'_>,
        statistics: &mut Statistics,
    ) -> Result<bool, Limit> {
        self.frames.clear();
        self.options.clear();
        let mover = mover.index() & 1;
        let mut found = match self.seen(&self.all[0], mover) {
            Some(wins) => Some(wins),
            None => self.open(self.all, mover, context, statistics)?,
        };
        loop {
            let Some(frame) = self.frames.last() else {
                return Ok(found.unwrap_or(false));
            };
            let mover = frame.mover;
            // The mover wins if the opponent loses at an option.
            let wins = match found {
                Some(false) => true,
                _ if self.options.len() == frame.start => false,
                _ => {
                    let Some((_, option)) = self.options.pop() else {
                        return Ok(false);
                    };
                    // It may have been solved below another option.
                    found = match self.seen(&option[0], 1 - mover) {
                        Some(wins) => Some(wins),
                        None => self.open(option, 1 - mover, context, statistics)?,
                    };
                    continue;
                }
            };
            if let Some(frame) = self.frames.pop() {
                self.options.truncate(frame.start);
                self.note(frame.position[0], mover, wins, context);
            }
            found = Some(wins);
        }
    }

    fn clear(&mut self, account: &Account) {
        self.forget_walls(account);
        self.known.iter_mut().for_each(|known| known.clear(account));
    }
}

#[cfg(test)]
mod tests {
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
            symmetries: Vec::new(),
        }
    }

    // Two copies, with some conflicts between them, that a symmetry exchanges.
    fn doubled(one: &Conflicts, random: &mut Random) -> Conflicts {
        let moves = one.owners.len();
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
        Conflicts {
            owners: one.owners.repeat(2),
            with,
            symmetries: vec![(0..2 * moves).map(image).collect()],
        }
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
            let mut removes: Vec<u64> = (0..8).map(|i| 1 << i).collect();
            for (i, j) in edges {
                removes[*i] |= 1 << j;
                removes[*j] |= 1 << i;
            }
            walls::Shape::new(own, removes)
                .walls(set, &context)
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
}
