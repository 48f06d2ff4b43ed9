//! The search. Input: the conflicts of a position, both players' bounds, and who begins. Output: whether he wins.
//!
//! Depth first, in whole positions, with a table that forgets. The options of a position are bounded for the player who makes
//! the move, and searched in the order of this bound at temperature 1, where it is near the mean. Nearly all positions that
//! the player to move wins are won by the first option. If it fails, the others are bounded for the opponent, too, who
//! is likely to win at all of them.
//!
//! Several threads can search one position, each with tables of its own, and all tell each other what they have decided
//! ([`Verdicts`]). All try the most promising option first, and the others in different orders: where none wins, each thread
//! refutes some of them.

use super::bounds::Side;
use super::set::{Images, Set};
use super::verdicts::Verdicts;
use super::{Search, sides};
use crate::engine::account::Account;
use crate::engine::boards::Boards;
use crate::engine::context::Context;
use crate::engine::parallel::begins_at;
use crate::engine::statistics::Statistics;
use crate::engine::table::hash_of;
use crate::game::{Conflicts, Limit, Player, Shortcut};
use std::sync::Arc;

/// The temperature, by its place in the list, at which options are compared: 1.
const HOT: usize = 6;

/// The most symmetries that are used.
const SYMMETRIES: usize = 7;

/// After so many positions opened, a search looks whether others have decided a position that it is at. In tests, where boards
/// are small, after each.
const LOOK: u64 = if cfg!(test) { 1 } else { 1 << 4 };

/// Walls are forgotten where memory is full, but not before so many positions were opened since the last time.
const LASTS: u64 = 1 << 12;

/// A set of moves in both layouts.
type Position<const W: usize> = [Set<W>; 2];

struct Frame<const W: usize> {
    key: Set<W>,
    position: Position<W>,
    mover: usize,
    /// Where its options begin in the list `options`.
    start: usize,
    /// Whether its options were bounded for the opponent.
    sifted: bool,
}

/// An undecided option.
struct Choice<const W: usize> {
    /// How good it is for the player who makes the move.
    score: i16,
    position: Position<W>,
    /// The bits of the move, in both layouts.
    bits: [usize; 2],
    /// The least image of its set in the first layout.
    key: Set<W>,
}

/// The search: its tables, and the positions that it is at.
pub(super) struct Strips<const W: usize> {
    sides: [Side<W>; 2],
    /// For each player, his moves by their bits in both layouts.
    own: [Vec<[usize; 2]>; 2],
    all: Position<W>,
    exchanges: bool,
    /// The symmetries of sets in the first layout.
    images: Images<W>,
    /// The images of the position that was opened last.
    around: Vec<Set<W>>,
    /// For each player to move and the least image of a position: whether he wins.
    known: [Boards<Set<W>, bool>; 2],
    /// The same, as other threads found it.
    verdicts: Option<Arc<Verdicts<W>>>,
    frames: Vec<Frame<W>>,
    /// The options of the positions on the stack, the best last.
    options: Vec<Choice<W>>,
    /// The hashes of the undecided options of the position that was opened last.
    hashes: Vec<u64>,
    opened: u64,
    /// At how many opened positions to look next for what other threads have decided.
    look: u64,
    /// How many positions were opened when walls were last forgotten.
    forgot: u64,
}

impl<const W: usize> Strips<W> {
    pub(super) fn new(conflicts: &Conflicts, sides: [Side<W>; 2]) -> Strips<W> {
        let bits = |i: usize| [0, 1].map(|p| sides[p].layout.bits[i]);
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
            images: Images::new(&sides[0].layout.board.removes, &symmetries),
            around: Vec::new(),
            hashes: Vec::new(),
            exchanges: conflicts.exchanges,
            all: [moves().collect(); 2],
            sides,
            own,
            known: [Boards::large(), Boards::large()],
            verdicts: None,
            frames: Vec::new(),
            options: Vec::new(),
            opened: 0,
            look: 0,
            forgot: 0,
        }
    }

    // Whether the mover wins, if the bounds of a position decide it.
    fn bounds(
        &mut self,
        position: &Position<W>,
        mover: usize,
        context: &Context<'_>,
    ) -> Result<Option<bool>, Limit> {
        for player in [mover, 1 - mover] {
            let walls = self.sides[player].in_parts(&position[player], context)?;
            let wins = match player == mover {
                true => walls.if_first() > 0,
                false => walls.if_second() > 0,
            };
            if wins {
                return Ok(Some((player == mover) != context.plants(Shortcut::Strips)));
            }
        }
        Ok(None)
    }

    // Whether the mover wins, if a bound or an option decides; otherwise a frame is pushed.
    fn open(
        &mut self,
        choice: Choice<W>,
        mover: usize,
        context: &Context<'_>,
        statistics: &mut Statistics,
    ) -> Result<Option<bool>, Limit> {
        let Choice { position, key, .. } = choice;
        context.budget.charge()?;
        statistics.states += 1;
        statistics.strips += 1;
        self.opened += 1;
        let full = self.sides.iter().any(|side| side.layout.full);
        if full && self.opened - self.forgot > LASTS {
            self.forget_walls(context.account);
        }
        let start = self.options.len();
        let known = match self.bounds(&position, mover, context)? {
            None => match self.list(&position, mover, context)? {
                true => Some(true),
                false if self.options.len() == start => Some(false),
                false => None,
            },
            known => known,
        };
        match known {
            Some(wins) => {
                self.options.truncate(start);
                self.note(key, mover, wins, context);
            }
            None => self.frames.push(Frame {
                key,
                position,
                mover,
                start,
                sifted: false,
            }),
        }
        Ok(known)
    }

    // Lists the undecided options of a position, the best last. Whether the mover is known to win by another one.
    fn list(
        &mut self,
        position: &Position<W>,
        mover: usize,
        context: &Context<'_>,
    ) -> Result<bool, Limit> {
        self.sides[mover].open(&position[mover], context)?;
        self.images.list(&position[0], &mut self.around);
        self.hashes.clear();
        let start = self.options.len();
        for i in 0..self.own[mover].len() {
            let bits = self.own[mover][i];
            if !position[0].has(bits[0]) {
                continue;
            }
            let after =
                |p: usize| position[p].without(&self.sides[p].layout.board.removes[bits[p]]);
            let option = [after(0), after(1)];
            let walls = self.sides[mover].option(&option[mover], bits[mover], context)?;
            if walls.if_second() > 0 {
                return Ok(true);
            }
            let key = self.images.least(&option[0], bits[0], &self.around);
            self.hashes.push(hash_of(&key));
            self.options.push(Choice {
                score: walls.second[HOT],
                position: option,
                bits,
                key,
            });
        }
        let known = &self.known[1 - mover];
        known.touch(&self.hashes);
        let mut undecided = start;
        for k in start..self.options.len() {
            match known.get(self.hashes[k - start], &self.options[k].key) {
                Some(true) => {}
                Some(false) => return Ok(true),
                None => {
                    self.options.swap(undecided, k);
                    undecided += 1;
                }
            }
        }
        self.options.truncate(undecided);
        let options = &mut self.options[start..];
        options.sort_by_key(|choice| choice.score);
        if let Some((_, others)) = options.split_last_mut() {
            others.rotate_left(begins_at(context.order, others.len()));
        }
        Ok(false)
    }

    // Drops those options that are left in the last frame at which the opponent wins by a bound.
    fn sift(&mut self, context: &Context<'_>) -> Result<(), Limit> {
        let Some(frame) = self.frames.last_mut() else {
            return Ok(());
        };
        frame.sifted = true;
        let other = 1 - frame.mover;
        let side = &mut self.sides[other];
        side.open(&frame.position[other], context)?;
        let mut left = frame.start;
        for k in frame.start..self.options.len() {
            let option = &self.options[k];
            let walls = side.option(&option.position[other], option.bits[other], context)?;
            if walls.if_first() <= 0 {
                self.options.swap(left, k);
                left += 1;
            }
        }
        self.options.truncate(left);
        Ok(())
    }

    fn seen(&self, key: &Set<W>, mover: usize) -> Option<bool> {
        let own = self.known[mover].get(hash_of(key), key);
        own.or_else(|| self.verdicts.as_ref()?.get(key, mover))
    }

    // Now and then: the place in `frames` of the first position that another thread has decided, and whether its mover wins.
    fn decided_elsewhere(&mut self) -> Option<(usize, bool)> {
        let verdicts = self.verdicts.as_ref()?;
        if self.opened < self.look {
            return None;
        }
        self.look = self.opened + LOOK;
        let mut frames = self.frames.iter().enumerate();
        frames.find_map(|(at, frame)| Some((at, verdicts.get(&frame.key, frame.mover)?)))
    }

    fn note(&mut self, key: Set<W>, mover: usize, wins: bool, context: &Context<'_>) {
        let room = (context.account, context.forms);
        self.known[mover].put(hash_of(&key), key, wins, |_| 0, hash_of, room);
        if let Some(verdicts) = &self.verdicts {
            verdicts.put(key, mover, wins, context);
        }
    }

    fn forget_walls(&mut self, account: &Account) {
        self.sides
            .iter_mut()
            .for_each(|side| side.layout.clear(account));
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
        let all = self.all;
        let exchanged = self.exchanges.then(|| self.seen(&all[0], 1 - mover));
        let mut found = match self.seen(&all[0], mover).or(exchanged.flatten()) {
            Some(wins) => Some(wins),
            None => {
                let choice = Choice {
                    score: 0,
                    position: all,
                    bits: [0; 2],
                    key: all[0],
                };
                self.open(choice, mover, context, statistics)?
            }
        };
        loop {
            if let Some((at, wins)) = self.decided_elsewhere() {
                self.options.truncate(self.frames[at].start);
                self.frames.truncate(at);
                found = Some(wins);
            }
            let Some(frame) = self.frames.last() else {
                return Ok(found.unwrap_or(false));
            };
            let mover = frame.mover;
            // The mover wins if the opponent loses at an option.
            let wins = match found {
                Some(false) => true,
                _ if self.options.len() == frame.start => false,
                Some(true) if !frame.sifted => {
                    self.sift(context)?;
                    continue;
                }
                _ => {
                    let Some(choice) = self.options.pop() else {
                        return Ok(false);
                    };
                    // It may have been solved below another option.
                    found = match self.seen(&choice.key, 1 - mover) {
                        Some(wins) => Some(wins),
                        None => self.open(choice, 1 - mover, context, statistics)?,
                    };
                    continue;
                }
            };
            if let Some(frame) = self.frames.pop() {
                self.options.truncate(frame.start);
                self.note(frame.key, mover, wins, context);
            }
            found = Some(wins);
        }
    }

    fn beside(&mut self, conflicts: &Conflicts, always: bool) -> Option<Box<dyn Search>> {
        let verdicts = self
            .verdicts
            .get_or_insert_with(|| Arc::new(Verdicts::new()));
        let sides = sides(conflicts, always)?;
        let mut other = Strips::new(conflicts, sides);
        other.verdicts = Some(verdicts.clone());
        Some(Box::new(other))
    }

    fn clear(&mut self, account: &Account) {
        self.known.iter_mut().for_each(|known| known.clear(account));
        if let Some(verdicts) = self.verdicts.take() {
            verdicts.clear(account);
        }
        self.sides.iter_mut().for_each(|side| side.clear(account));
    }
}
