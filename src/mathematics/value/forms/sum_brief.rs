//! A fast path for sums of hot games, in small machine integers: the sum of two bases, unless something about it is
//! unusual.
//!
//! It computes the same sums as `sum.rs` and `sum_build.rs`, for two bases with few options, whose numbers all fit in
//! handles and whose incentives are kept. The incentives alone then tell which options of the sum are dominated or
//! reversible, and the options' bounds give the stops. So a hot sum without reversible options is interned from integers,
//! with its own incentives. All other sums are left to the general method, against which this one is tested.

use std::sync::atomic::Ordering as Atomic;

use smallvec::SmallVec;

use super::incentives::{Incentive, Incentives};
use super::lay::Lay;
use super::sum_build::{Move, Summands};
use super::{CanonicalForm, Forms, OutOfMemory};

/// The depth of recursion before the general method takes over, which uses an explicit stack.
pub(super) const RECURSION: u32 = 32;

/// A base with more options than this on one side is left to the general method.
const FEW: usize = 12;

// A base with the comparison data and the incentives of its options, Left's first.
struct Summand<'a> {
    base: CanonicalForm,
    lay: Lay,
    options: &'a [Lay],
    incentives: &'a [Incentive],
    lefts: usize,
}

impl<'a> Summand<'a> {
    #[inline]
    fn side(&self, side: usize) -> (&'a [Lay], &'a [Incentive]) {
        if side == 0 {
            (&self.options[..self.lefts], &self.incentives[..self.lefts])
        } else {
            (&self.options[self.lefts..], &self.incentives[self.lefts..])
        }
    }
}

// A move in the sum: the comparison data of its result, its incentive, and the index of its option among those of g and
// then h.
#[derive(Clone, Copy)]
struct Moved {
    result: Lay,
    gain: Incentive,
    place: u32,
}

type Side = SmallVec<[Moved; 2 * FEW]>;

// The kinds of the moves of one side.
enum Moves {
    // None is reversible.
    Plain,
    // Some are.
    Reversible,
    // A number is too wide.
    Unknown,
}

impl Forms {
    fn summand(&self, base: CanonicalForm) -> Result<Option<Summand<'_>>, OutOfMemory> {
        let node = self.node(base);
        let lefts = node.lefts();
        if node.lays.is_empty() || lefts.max(node.lays.len() - lefts) > FEW {
            return Ok(None);
        }
        let (Some(lay), Some(incentives)) = (node.lay(base), self.kept_incentives(base, true)?)
        else {
            return Ok(None);
        };
        Ok(Some(Summand {
            base,
            lay,
            options: &node.lays,
            incentives,
            lefts,
        }))
    }

    /// Whether the fast path is tried for these summands, and so counts or computes their incentives.
    pub(super) fn is_tried_briefly(&self, g: CanonicalForm, h: CanonicalForm, depth: u32) -> bool {
        depth > 0 && g.is_general() && h.is_general() && self.is_laid()
    }

    /// The sum of two bases; `None` if it is left to the general method.
    pub(super) fn add_briefly(
        &self,
        g: CanonicalForm,
        h: CanonicalForm,
        depth: u32,
    ) -> Result<Option<CanonicalForm>, OutOfMemory> {
        if !self.is_tried_briefly(g, h, depth) {
            return Ok(None);
        }
        self.go_on()?;
        let (Some(a), Some(b)) = (self.summand(g)?, self.summand(h)?) else {
            return Ok(None);
        };
        let mut sides: [Side; 2] = Default::default();
        let mut plain = true;
        for (side, moves) in sides.iter_mut().enumerate() {
            match self.moves_briefly(&a, &b, side, moves, depth)? {
                Moves::Plain => {}
                Moves::Reversible => plain = false,
                Moves::Unknown => return Ok(None),
            }
        }
        let [left, right] = &sides;
        // A number that fits between the options would lie between these bounds, in 64ths.
        let (Some(lower), Some(upper)) = (
            left.iter().map(|m| m.result.lower).max(),
            right.iter().map(|m| m.result.upper).min(),
        ) else {
            return Ok(None);
        };
        let (high, low) = ((lower + 1) >> 1, upper >> 1);
        let sum = if plain && high > low {
            self.intern_hot(left, right, high, low)?
        } else {
            self.build_unusual([left, right], &a, &b)?
        };
        if let Some(sum) = sum {
            self.sums.put(g.0, h.0, sum.0);
        }
        Ok(sum)
    }

    // The undominated moves of one side in a sum.
    fn moves_briefly(
        &self,
        a: &Summand<'_>,
        b: &Summand<'_>,
        side: usize,
        moves: &mut Side,
        depth: u32,
    ) -> Result<Moves, OutOfMemory> {
        let middle = a.side(side).1.len();
        let dominated = self.dominated_gains(a.side(side).1, b.side(side).1)?;
        let mut kind = Moves::Plain;
        for (mine, other, first) in [(a, b, 0), (b, a, middle)] {
            let (options, gains) = mine.side(side);
            let replies = other.side(1 - side).1;
            for (i, (option, gain)) in options.iter().zip(gains).enumerate() {
                if dominated >> (first + i) & 1 == 1 {
                    continue;
                }
                for reply in replies {
                    if matches!(kind, Moves::Plain) && self.gains_at_most(gain, reply)? {
                        kind = Moves::Reversible;
                    }
                }
                let Some(result) = self.option_briefly(option, other, depth)? else {
                    return Ok(Moves::Unknown);
                };
                moves.push(Moved {
                    result,
                    gain: *gain,
                    place: (first + i) as u32,
                });
            }
        }
        Ok(kind)
    }

    // The comparison data of an option of one summand plus the other summand.
    fn option_briefly(
        &self,
        option: &Lay,
        other: &Summand<'_>,
        depth: u32,
    ) -> Result<Option<Lay>, OutOfMemory> {
        let (g, h) = (option.base, other.base);
        let number = option.right();
        if g == CanonicalForm::ZERO {
            return Ok(Some(other.lay.plus(number)));
        }
        if g.is_general() {
            let node = self.node(g);
            let negative = node.negative.load(Atomic::Relaxed);
            if negative != 0 && self.base(CanonicalForm(negative)) == h {
                // The negative of g has right stop -L(g), so its base is -g + L(g).
                let stop = node.left_stop.thirtyseconds();
                return Ok(Some(Lay::of_number(number + stop)));
            }
        }
        let (g, h) = if g.0 <= h.0 { (g, h) } else { (h, g) };
        let sum = match self.sums.get(g.0, h.0) {
            Some(sum) => CanonicalForm(sum),
            None => match self.add_briefly(g, h, depth - 1)? {
                Some(sum) => sum,
                None => self.compute_sum(g, h, CanonicalForm::ZERO, true, depth - 1)?,
            },
        };
        Ok(self.lay(sum).map(|lay| lay.plus(number)))
    }

    // A sum that is not hot or has reversible options, built from its moves.
    fn build_unusual(
        &self,
        sides: [&Side; 2],
        a: &Summand<'_>,
        b: &Summand<'_>,
    ) -> Result<Option<CanonicalForm>, OutOfMemory> {
        let mut moves: [SmallVec<[Move; 8]>; 2] = Default::default();
        for (list, side) in moves.iter_mut().zip(sides) {
            for m in side {
                match self.form_of(&m.result)? {
                    Some(option) => list.push(Move {
                        option,
                        place: m.place,
                    }),
                    None => return Ok(None),
                }
            }
        }
        let summands = Summands {
            g: [self.left_of(a.base)?, self.right_of(a.base)?],
            h: [self.left_of(b.base)?, self.right_of(b.base)?],
            incentives: Some([a, b].map(|s| Incentives::Kept(s.incentives, s.lefts))),
        };
        self.build_sum([&moves[0], &moves[1]], &summands).map(Some)
    }

    // Interns a hot form that is canonical, with its incentives. `None` if some number is too wide for a handle.
    fn intern_hot(
        &self,
        left: &Side,
        right: &Side,
        high: i32,
        low: i32,
    ) -> Result<Option<CanonicalForm>, OutOfMemory> {
        let (Some(left_stop), Some(right_stop)) = (
            CanonicalForm::pack(high - low, 0, 0),
            CanonicalForm::pack(low, 0, 0),
        ) else {
            return Ok(None);
        };
        let mut list: SmallVec<[(CanonicalForm, Lay, Incentive); 16]> = SmallVec::new();
        for m in left.iter().chain(right) {
            let lay = m.result.plus(-low);
            match self.form_of(&lay)? {
                Some(form) => list.push((form, lay, m.gain)),
                None => return Ok(None),
            }
        }
        let (lefts, rights) = list.split_at_mut(left.len());
        lefts.sort_unstable_by_key(|(g, _, _)| g.0);
        rights.sort_unstable_by_key(|(g, _, _)| g.0);
        let forms: SmallVec<[CanonicalForm; 16]> = list.iter().map(|(g, _, _)| *g).collect();
        let lays = || list.iter().map(|(_, lay, _)| *lay).collect();
        let (lefts, rights) = forms.split_at(left.len());
        let base = self.intern_base_laid(lefts, rights, left_stop, lays)?;
        self.keep_incentive_list(base, || list.iter().map(|(_, _, gain)| *gain).collect())?;
        self.translate(base, right_stop).map(Some)
    }

    // The handle of a form, given by its comparison data. `None` if the number is too wide for a handle.
    fn form_of(&self, lay: &Lay) -> Result<Option<CanonicalForm>, OutOfMemory> {
        let Some(number) = CanonicalForm::pack(lay.right(), 0, 0) else {
            return Ok(None);
        };
        if !lay.base.is_general() {
            return Ok(Some(CanonicalForm(lay.base.0 | number.0)));
        }
        if number == CanonicalForm::ZERO {
            return Ok(Some(lay.base));
        }
        self.shifted(lay.base, number).map(Some)
    }
}
