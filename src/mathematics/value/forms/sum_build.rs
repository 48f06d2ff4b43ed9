//! The canonical form of a sum, given its options.
//!
//! Options that move in the same summand are incomparable in the sum, as they are in the summand. A move in one summand is
//! reversed only by a move in the other: a reply `G^LR + H <= G + H` would reverse `G^L` in G. So only pairs of options
//! from different summands are compared: by incentives where they are known (see `incentives.rs`), else directly.

use smallvec::SmallVec;

use super::build::{List, MAX_REPLIES};
use super::incentives::{Incentive, Incentives};
use super::order::Provisional;
use super::sum::Sum;
use super::{CanonicalForm, Forms, Options, OutOfMemory};

/// A move in a sum: its result, and the index of its option among those of g and then those of h.
#[derive(Clone, Copy)]
pub(super) struct Move {
    pub(super) option: CanonicalForm,
    pub(super) place: u32,
}

/// A sum of g and h that is being built: the options `[left, right]` of both.
pub(super) struct Summands<'a> {
    pub(super) g: [Options<'a>; 2],
    pub(super) h: [Options<'a>; 2],
    /// The incentives of both, if they are known; in that case the dominated moves are left out already.
    pub(super) incentives: Option<[Incentives<'a>; 2]>,
}

type Moves = SmallVec<[Move; 12]>;

impl Summands<'_> {
    // Whether the move is in g, and the index of its option in g or h.
    fn place(&self, side: usize, place: u32) -> (bool, usize) {
        let middle = self.g[side].len();
        let place = place as usize;
        if place < middle {
            (true, place)
        } else {
            (false, place - middle)
        }
    }

    fn incentive(&self, side: usize, place: u32) -> Option<CanonicalForm> {
        let (in_g, i) = self.place(side, place);
        let known = self.incentives.as_ref()?;
        Some(known[usize::from(!in_g)].side(side)[i].form)
    }
}

// The sum as defined by its moves, before it is interned. Built on first use, since most sums of hot games do not need it.
struct InMaking<'a> {
    options: [&'a [CanonicalForm]; 2],
    stops: (CanonicalForm, CanonicalForm),
    made: Option<Provisional<'a>>,
}

impl<'a> InMaking<'a> {
    fn get(&mut self, forms: &Forms) -> &mut Provisional<'a> {
        let ([left, right], (high, low)) = (self.options, self.stops);
        self.made
            .get_or_insert_with(|| forms.provisional(left, right, high, low))
    }
}

// Whether and how an option is reversed.
enum Reversed<'a> {
    No,
    Through(Options<'a>),
    // By a reply whose sum is not known.
    Unknown,
}

impl Forms {
    /// The dominated moves of one side, as bits by index; there must be at most 64 moves.
    pub(super) fn dominated_moves(
        &self,
        side: usize,
        incentives: &[Incentives<'_>; 2],
    ) -> Result<u64, OutOfMemory> {
        self.dominated_gains(incentives[0].side(side), incentives[1].side(side))
    }

    /// The same, given the incentives of one side in g and in h.
    pub(super) fn dominated_gains(
        &self,
        mine: &[Incentive],
        theirs: &[Incentive],
    ) -> Result<u64, OutOfMemory> {
        let mut dominated = 0u64;
        for (i, a) in mine.iter().enumerate() {
            for (j, b) in theirs.iter().enumerate() {
                let j = mine.len() + j;
                if dominated & (1 << i | 1 << j) != 0 {
                    continue;
                }
                if self.gains_at_most(a, b)? {
                    dominated |= 1 << i;
                } else if self.gains_at_most(b, a)? {
                    dominated |= 1 << j;
                }
            }
        }
        Ok(dominated)
    }

    /// The value of the sum of two canonical forms from its moves `[left, right]`: all of them or, where incentives are
    /// known, the undominated ones.
    pub(super) fn build_sum(
        &self,
        moves: [&[Move]; 2],
        summands: &Summands<'_>,
    ) -> Result<CanonicalForm, OutOfMemory> {
        let lists: [List; 2] = moves.map(|side| side.iter().map(|m| m.option).collect());
        let (high, low) = match self.number_or_stops(&lists[0], &lists[1])? {
            Ok(number) => return Ok(number),
            Err(stops) => stops,
        };
        if let Some(g) = self.impartial(&lists[0], &lists[1], high)? {
            return Ok(g);
        }
        let kept: [Moves; 2] = if summands.incentives.is_some() {
            moves.map(Moves::from_slice)
        } else {
            [
                self.undominated_moves(moves[0], 0, summands)?,
                self.undominated_moves(moves[1], 1, summands)?,
            ]
        };
        let lists: [List; 2] = [0, 1].map(|side| kept[side].iter().map(|m| m.option).collect());
        let mut game = InMaking {
            options: [&lists[0], &lists[1]],
            stops: (high, low),
            made: None,
        };
        let mut done: [List; 2] = Default::default();
        let mut plain = true;
        for side in 0..2 {
            // The replacements of reversible options; they are checked like any other options.
            let mut replaced = List::new();
            for m in &kept[side] {
                match self.reversed(*m, side, summands, &mut game)? {
                    Reversed::No => done[side].push(m.option),
                    Reversed::Through(options) => {
                        plain = false;
                        for j in 0..options.len() {
                            replaced.push(options.at(self, j)?);
                        }
                    }
                    // The general method needs neither that sum nor recursion.
                    Reversed::Unknown => return self.from_options(&lists[0], &lists[1]),
                }
            }
            if !replaced.is_empty() {
                let mut all = done[side].clone();
                for option in replaced {
                    self.insert_undominated(&mut all, option, side == 0)?;
                }
                self.bypass(&mut all, &done[side], side == 0, game.get(self))?;
                done[side] = all;
            }
            done[side].sort_unstable_by_key(|g| g.0);
        }
        let sum = self.intern(&done[0], &done[1], high, low)?;
        if plain && summands.incentives.is_some() {
            let known = [0, 1].map(|side| -> SmallVec<[_; 12]> {
                let gains = kept[side]
                    .iter()
                    .filter_map(|m| Some((m.option, summands.incentive(side, m.place)?)));
                gains.collect()
            });
            self.keep_incentives_of_sum(sum, [&known[0], &known[1]])?;
        }
        Ok(sum)
    }

    // The undominated moves, found by comparing their results.
    fn undominated_moves(
        &self,
        moves: &[Move],
        side: usize,
        summands: &Summands<'_>,
    ) -> Result<Moves, OutOfMemory> {
        let at_most = |a, b| {
            if side == 0 {
                self.less_or_equal(a, b)
            } else {
                self.less_or_equal(b, a)
            }
        };
        let middle = moves.partition_point(|m| summands.place(side, m.place).0);
        let (mine, theirs) = moves.split_at(middle);
        let mut dominated: SmallVec<[bool; 24]> = SmallVec::from_elem(false, moves.len());
        for (i, a) in mine.iter().enumerate() {
            self.go_on()?;
            for (j, b) in theirs.iter().enumerate() {
                if dominated[i] || dominated[middle + j] {
                    continue;
                }
                if at_most(a.option, b.option)? {
                    dominated[i] = true;
                } else if at_most(b.option, a.option)? {
                    dominated[middle + j] = true;
                }
            }
        }
        let alive = moves.iter().zip(dominated).filter(|(_, d)| !d);
        Ok(alive.map(|(m, _)| *m).collect())
    }

    // Whether a reply in the other summand reverses a move.
    fn reversed<'a>(
        &'a self,
        m: Move,
        side: usize,
        summands: &Summands<'a>,
        game: &mut InMaking<'a>,
    ) -> Result<Reversed<'a>, OutOfMemory> {
        let (in_g, i) = summands.place(side, m.place);
        let (moved, replies) = if in_g {
            (&summands.g[side], &summands.h[1 - side])
        } else {
            (&summands.h[side], &summands.g[1 - side])
        };
        if replies.len() > MAX_REPLIES {
            return Err(OutOfMemory);
        }
        let through = |reply| -> Result<Reversed<'a>, OutOfMemory> {
            Ok(Reversed::Through(if side == 0 {
                self.left_of(reply)?
            } else {
                self.right_of(reply)?
            }))
        };
        if let Some(known) = &summands.incentives {
            let gain = &known[usize::from(!in_g)].side(side)[i];
            let theirs = known[usize::from(in_g)].side(1 - side);
            let mut any = false;
            for (j, reply_gain) in theirs.iter().enumerate() {
                if !self.gains_at_most(gain, reply_gain)? {
                    continue;
                }
                any = true;
                // The reply may be dominated in the option, so that its sum was not computed; then another reply reverses,
                // too.
                if let Sum::Known(reply) = self.sum(moved.at(self, i)?, replies.at(self, j)?)? {
                    return through(reply);
                }
            }
            return Ok(if any { Reversed::Unknown } else { Reversed::No });
        }
        let moved = moved.at(self, i)?;
        for j in 0..replies.len() {
            // It is an option of this option's own sum, so it is known unless it was dominated there or the cache has lost
            // it.
            let Sum::Known(reply) = self.sum(moved, replies.at(self, j)?)? else {
                return Ok(Reversed::Unknown);
            };
            if self.reverses(reply, side == 0, game.get(self))? {
                return through(reply);
            }
        }
        Ok(Reversed::No)
    }
}
