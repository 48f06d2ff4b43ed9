//! Lower bounds on the walls of thermographs. Input: a set of moves in conflict ([`crate::game::Conflicts`]), as bits.
//! Output: [`Walls`], at a few temperatures from -1 up.
//!
//! The walls of G at temperature t are L_t = max over options (R_t(G^L) - t) and R_t = min over options (L_t(G^R) + t) as
//! long as the first is greater; from the temperature at which they meet, both are the mast, which is the mean of G (Siegel,
//! *Combinatorial Game Theory*, II.5). There they begin at t = 0 and at numbers; here they begin at t = -1 and at integers.
//!
//! 1. *At -1*, walls are integers, and Left wins if and only if L > 0 (he begins) or R >= 0 (Right begins). By induction: if L is
//!    greater, this is the definition of winning. If not, G is the integer x nearest to 0 with L <= x <= R. For in G - x a move
//!    to G^L - x loses since R(G^L) < L <= x, and so does one to G^R - x; and after a move in -x the other player has the
//!    option of G that makes an end of the interval equal to x.
//! 2. *Sums.* R_t(G + H) >= R_t(G) + R_t(H) and L_t(G + H) >= L_t(G) + R_t(H). Where the walls of G + H have not met, or meet,
//!    by induction over the options; beyond, since means add up and R_t is at most the mean.
//! 3. *Order.* Forbidding moves of Left does not raise a wall, so that he need not try all of them: here he makes only moves
//!    that gain ([`Shape::gain`]) nearly as much as the best. Nor does the use of lower bounds in the place of the walls of
//!    options: both formulas are monotone. Where the bounds meet between two temperatures of the list, the greater one of L_t
//!    there and R_t at the temperature before is no more than the mast, since L_t falls and R_t rises with t.
//! 4. *Winners.* L_t falls with t, so Left wins, if he begins, where L_t > 0 for some t. R_t rises by at most 1 for each
//!    degree, so R_-1 >= R_t - (t + 1), and R_-1 is an integer: Left wins, if Right begins, where R_t - t > 0 for some t.
//!
//! All numbers and temperatures are multiples of a quarter of a move, so there is no rounding.

use super::set::Set;
use crate::engine::account::Account;
use crate::engine::context::Context;
use crate::engine::table::{Table, hash_of};
use crate::game::Limit;

/// The number of temperatures.
pub(super) const LANES: usize = 8;

/// A number for each temperature, in quarters of a move.
pub(super) type Lanes = [i16; LANES];

/// The temperatures.
pub(super) const TEMPERATURES: Lanes = [-4, -2, 0, 1, 2, 3, 4, 5];

/// Less than all walls, and so that sums of a few still are.
pub(super) const LEAST: i16 = -8000;

/// The byte for [`LEAST`].
const LOW: i8 = i8::MIN;

/// Left makes only moves that gain at most this much less than his best one. With 1, Tridomineering 7x7 takes a hundred times as many
/// positions; with 0, the bounds of Domineering 6x9 no longer show at once who wins.
const NEAR: i32 = 2;

/// After so many sets, the search may be cancelled.
const PAUSE: u32 = 1 << 12;

/// Lower bounds on the walls, for Left.
#[derive(Clone, Copy, Debug)]
pub(super) struct Walls {
    /// The left wall: Left moves first.
    pub(super) first: Lanes,
    /// The right wall: Left moves second.
    pub(super) second: Lanes,
}

impl Walls {
    /// The walls of zero.
    pub(super) const ZERO: Walls = Walls {
        first: [0; LANES],
        second: [0; LANES],
    };

    /// Nothing is known.
    pub(super) const UNKNOWN: Walls = Walls {
        first: [LEAST; LANES],
        second: [LEAST; LANES],
    };

    /// Bounds for the sum of two games.
    #[inline]
    pub(super) fn plus(&self, other: &Walls) -> Walls {
        Walls {
            first: most(
                &sum(&self.first, &other.second),
                &sum(&self.second, &other.first),
            ),
            second: sum(&self.second, &other.second),
        }
    }

    /// The better of two bounds, at each temperature.
    #[inline]
    pub(super) fn or(&self, other: &Walls) -> Walls {
        Walls {
            first: most(&self.first, &other.first),
            second: most(&self.second, &other.second),
        }
    }

    /// By how much Left surely wins if he begins; he wins if this is more than 0.
    #[inline]
    pub(super) fn if_first(&self) -> i16 {
        self.first.iter().copied().fold(i16::MIN, i16::max)
    }

    /// By how much Left surely wins if Right begins; he wins if this is more than 0.
    #[inline]
    pub(super) fn if_second(&self) -> i16 {
        let cooler = self.second.iter().zip(TEMPERATURES);
        cooler.fold(i16::MIN, |most, (r, t)| most.max(r.saturating_sub(t)))
    }

    // The walls of a game whose options have these: the best right wall of Left's options and the best left wall for Right
    // of his.
    fn of(left: Option<Lanes>, right: Option<Lanes>) -> Walls {
        let mut walls = Walls::ZERO;
        let mut mast = None;
        let mut before = LEAST;
        for k in 0..LANES {
            let t = TEMPERATURES[k];
            let l = left.map_or(LEAST, |l| l[k].saturating_sub(t));
            let r = right.map_or(-LEAST, |r| r[k].saturating_add(t));
            if mast.is_none() && l <= r {
                mast = Some(match k {
                    0 => 0.clamp(l, r),
                    _ => l.max(before),
                });
            }
            (walls.first[k], walls.second[k]) = mast.map_or((l, r), |mast| (mast, mast));
            before = r;
        }
        walls
    }
}

/// Walls as they are kept, in a byte each. The walls of a few moves fit; a wall that does not is lowered.
#[derive(Clone, Copy, Debug)]
struct Packed([[i8; LANES]; 2]);

impl From<&Walls> for Packed {
    fn from(walls: &Walls) -> Packed {
        let byte = |x: i16| match x {
            ..=-128 => LOW,
            x => x.min(127) as i8,
        };
        Packed([walls.first.map(byte), walls.second.map(byte)])
    }
}

impl From<Packed> for Walls {
    #[inline]
    fn from(Packed([first, second]): Packed) -> Walls {
        let wall = |byte: i8| match byte {
            LOW => LEAST,
            byte => i16::from(byte),
        };
        Walls {
            first: first.map(wall),
            second: second.map(wall),
        }
    }
}

#[inline]
fn sum(a: &Lanes, b: &Lanes) -> Lanes {
    std::array::from_fn(|k| a[k].saturating_add(b[k]))
}

#[inline]
fn most(a: &Lanes, b: &Lanes) -> Lanes {
    std::array::from_fn(|k| a[k].max(b[k]))
}

#[inline]
fn least(a: &Lanes, b: &Lanes) -> Lanes {
    std::array::from_fn(|k| a[k].min(b[k]))
}

/// Moves in conflict with each other, and the walls of connected sets of them that were asked for.
#[derive(Debug)]
pub(super) struct Shape<const W: usize> {
    /// Left's moves: those of the player for whom these are lower bounds.
    own: Set<W>,
    /// For each move: itself and those in conflict with it.
    pub(super) removes: Vec<Set<W>>,
    sets: Table<Set<W>, Packed>,
    made: u32,
}

impl<const W: usize> Shape<W> {
    pub(super) fn new(own: Set<W>, removes: Vec<Set<W>>) -> Shape<W> {
        Shape {
            own,
            removes,
            sets: Table::default(),
            made: 0,
        }
    }

    /// Whether another shape has the same moves and conflicts.
    pub(super) fn is(&self, own: &Set<W>, removes: &[Set<W>]) -> bool {
        self.own == *own && self.removes == removes
    }

    /// Forgets all sets.
    pub(super) fn clear(&mut self, account: &Account) {
        account.note(self.sets.bytes(), 0);
        self.sets.clear();
    }

    /// Lower bounds on the walls of a set of moves. The depth of the recursion is at most the size of the set.
    ///
    /// # Errors
    /// A limit; `Limit::Memory` if the table may not grow.
    #[inline]
    pub(super) fn walls(&mut self, set: &Set<W>, context: &Context<'_>) -> Result<Walls, Limit> {
        match self.sets.find(hash_of(set), set) {
            Some(entry) => Ok(self.sets.value(entry).into()),
            None => self.make(set, context),
        }
    }

    fn make(&mut self, set: &Set<W>, context: &Context<'_>) -> Result<Walls, Limit> {
        let part = self.part(set);
        let walls = if set.is_empty() {
            Walls::ZERO
        } else if part != *set {
            // Sums are not kept. They are three in four of the sets that are met, and soon added up again.
            let one = self.walls(&part, context)?;
            return Ok(one.plus(&self.walls(&set.without(&part), context)?));
        } else {
            let (mut left, mut right) = (None, None);
            let mut rest = self.tried(set);
            while let Some(i) = rest.pop() {
                let option = self.walls(&set.without(&self.removes[i]), context)?;
                if self.own.has(i) {
                    left = Some(left.map_or(option.second, |l| most(&l, &option.second)));
                } else {
                    right = Some(right.map_or(option.first, |r| least(&r, &option.first)));
                }
            }
            Walls::of(left, right)
        };
        self.made += 1;
        if self.made.is_multiple_of(PAUSE) {
            context.budget.check()?;
        }
        self.put(*set, walls, context)?;
        Ok(walls)
    }

    // The moves of a set whose options are looked at: all of Right's, and those of Left's that gain nearly as much as the best.
    fn tried(&self, set: &Set<W>) -> Set<W> {
        let lefts = set.and(&self.own);
        let best = lefts.bits().map(|i| self.gain(i, set)).max().unwrap_or(0);
        let tried = |i: &usize| self.gain(*i, set) + NEAR >= best;
        let tried: Set<W> = lefts.bits().filter(tried).collect();
        set.without(&self.own).or(&tried)
    }

    // How many moves Right loses by a move of Left, less those that Left loses.
    fn gain(&self, i: usize, set: &Set<W>) -> i32 {
        let gone = self.removes[i].and(set);
        let lefts = gone.and(&self.own);
        gone.count() as i32 - 2 * lefts.count() as i32
    }

    /// The moves of a set connected by conflicts with the lowest one.
    pub(super) fn part(&self, set: &Set<W>) -> Set<W> {
        let mut part: Set<W> = set.first().into_iter().collect();
        let mut todo = part;
        while let Some(i) = todo.pop() {
            let near = self.removes[i].and(set).without(&part);
            part = part.or(&near);
            todo = todo.or(&near);
        }
        part
    }

    fn put(&mut self, set: Set<W>, walls: Walls, context: &Context<'_>) -> Result<(), Limit> {
        let (before, more) = (self.sets.bytes(), self.sets.growth());
        let may_grow = more == 0 || context.account.allows(context.forms, before, more);
        if self.sets.is_full() || !may_grow {
            return Err(Limit::Memory);
        }
        self.sets.insert(hash_of(&set), set, (&walls).into(), 0);
        context.account.note(before, self.sets.bytes());
        Ok(())
    }
}
