//! The canonical form of any list of options: numbers first, then domination, then reversibility, then interning.
//!
//! Simplicity theorem (*Winning Ways*, chapter 2): if some number fits between the options, the game is the simplest such
//! number. Otherwise dominated options are removed, and an option that the opponent reverses is replaced by the options it
//! is reversed to; the result is the canonical form (Siegel, chapter II). Both steps keep the value, so comparisons made in
//! one step remain valid in the other.

use std::cmp::Ordering;

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::handle::{POINT, PROVISIONAL};
use super::lay::{Lay, LayList};
use super::order::Provisional;
use super::sides::Sides;
use super::{CanonicalForm, Forms, Number, Options, OutOfMemory};
use crate::value::nimber::Nimber;

pub(super) type List = SmallVec<[CanonicalForm; 12]>;

// Nimbers with more options than this are not expanded as an option of another game.
pub(super) const MAX_REPLIES: usize = 1 << 14;

// How many of the options in `front` still come first in `kept`: some may be dominated now, the others keep their order.
fn still_first(front: &[CanonicalForm], kept: &[CanonicalForm]) -> usize {
    let mut still = 0;
    for g in front {
        still += usize::from(kept.get(still) == Some(g));
    }
    still
}

impl Forms {
    /// The value of `{left | right}`.
    pub fn from_options(
        &self,
        left: &[CanonicalForm],
        right: &[CanonicalForm],
    ) -> Result<CanonicalForm, OutOfMemory> {
        // An integer, built from the previous one.
        if self.is_laid()
            && let ([x], []) | ([], [x]) = (left, right)
            && x.is_inline()
            && *x == x.number_part()
        {
            let (n, sign) = (x.thirtyseconds(), if right.is_empty() { 1 } else { -1 });
            // The simplest number beyond x: zero, or the next integer after x.
            let next = (sign * n).div_euclid(32) + 1;
            if let Some(g) = CanonicalForm::pack(32 * sign * next.max(0), 0, 0) {
                return Ok(g);
            }
        }
        // A switch of numbers.
        let number = |x: &CanonicalForm| x.is_inline() && *x == x.number_part();
        if self.is_laid()
            && let ([x], [y]) = (left, right)
            && number(x)
            && number(y)
            && x.thirtyseconds() > y.thirtyseconds()
        {
            return self.intern_general(left, right, *x, *y);
        }
        let (mut l, mut r) = (SmallVec::<[_; 24]>::new(), SmallVec::<[_; 24]>::new());
        if self.lay_all(left, &mut l) && self.lay_all(right, &mut r) {
            self.build_laid([left, right], [&l, &r])
        } else {
            self.build_generally(left, right)
        }
    }

    /// The same without comparison data.
    pub(super) fn build_generally(
        &self,
        left: &[CanonicalForm],
        right: &[CanonicalForm],
    ) -> Result<CanonicalForm, OutOfMemory> {
        let (high, low) = match self.number_or_stops(left, right)? {
            Ok(number) => return Ok(number),
            Err(stops) => stops,
        };
        if let Some(g) = self.impartial(left, right, high)? {
            return Ok(g);
        }
        self.go_on()?;
        let mut left = self.undominated(left, true)?;
        let mut right = self.undominated(right, false)?;
        self.bypass_reversible(&mut left, &mut right, high, low)?;
        left.sort_unstable_by_key(|g| g.0);
        right.sort_unstable_by_key(|g| g.0);
        self.intern(&left, &right, high, low)
    }

    // The value of `{left | right}` if it is a number, else its stops.
    pub(super) fn number_or_stops(
        &self,
        left: &[CanonicalForm],
        right: &[CanonicalForm],
    ) -> Result<Result<CanonicalForm, (CanonicalForm, CanonicalForm)>, OutOfMemory> {
        // The stops, if the game is not a number.
        let high = self.extreme(
            left.iter().map(|g| self.right_stop_handle(*g)),
            Ordering::Greater,
        );
        let low = self.extreme(
            right.iter().map(|g| self.left_stop_handle(*g)),
            Ordering::Less,
        );
        let (Some(high), Some(low)) = (high, low) else {
            return self.simplest(left, right, high, low).map(Ok);
        };
        match self.compare_numbers(high, low) {
            Ordering::Less => return self.simplest(left, right, Some(high), Some(low)).map(Ok),
            Ordering::Equal => {
                if self.closed_below(left, high) && self.closed_above(right, low) {
                    return Ok(Ok(high));
                }
            }
            Ordering::Greater => {}
        }
        Ok(Err((high, low)))
    }

    // If both sides are the same nimbers, all plus one number: their mex (Sprague and Grundy), plus the number.
    pub(super) fn impartial(
        &self,
        left: &[CanonicalForm],
        right: &[CanonicalForm],
        number: CanonicalForm,
    ) -> Result<Option<CanonicalForm>, OutOfMemory> {
        let nimber = |g: &CanonicalForm| {
            (g.is_number_up_star() && self.number_part(*g) == number)
                .then(|| self.infinitesimal_part(*g))
                .filter(|(ups, _)| *ups == 0)
                .map(|(_, m)| Nimber(u64::from(m)))
        };
        if left != right {
            return Ok(None);
        }
        let Some(nimbers) = left.iter().map(nimber).collect::<Option<Vec<_>>>() else {
            return Ok(None);
        };
        // Distinct 32-bit nimbers leave one out below 2^32, unless memory ran out before.
        match u32::try_from(Nimber::mex(nimbers).0) {
            Ok(m) => self.translated(number, 0, m).map(Some),
            Err(_) => Err(OutOfMemory),
        }
    }

    fn extreme(
        &self,
        numbers: impl Iterator<Item = CanonicalForm>,
        wanted: Ordering,
    ) -> Option<CanonicalForm> {
        numbers.reduce(|a, b| {
            if self.compare_numbers(b, a) == wanted {
                b
            } else {
                a
            }
        })
    }

    // Whether the number x, the greatest right stop of the left options, is not at most any of them: then x itself may be
    // the value.
    fn closed_below(&self, left: &[CanonicalForm], x: CanonicalForm) -> bool {
        !left
            .iter()
            .any(|g| self.right_stop_handle(*g) == x && self.sides(*g).above())
    }

    // Whether the number x, the least left stop of the right options, is not at least any of them: then x itself may be the
    // value.
    fn closed_above(&self, right: &[CanonicalForm], x: CanonicalForm) -> bool {
        !right
            .iter()
            .any(|g| self.left_stop_handle(*g) == x && self.sides(*g).below())
    }

    // The simplest number between the options, given the greatest right stop of the left ones and the least left stop of
    // the right ones.
    fn simplest(
        &self,
        left: &[CanonicalForm],
        right: &[CanonicalForm],
        high: Option<CanonicalForm>,
        low: Option<CanonicalForm>,
    ) -> Result<CanonicalForm, OutOfMemory> {
        if let Some(x) = self.simplest_inline(left, right, high, low)? {
            return Ok(x);
        }
        let number = |x| self.as_number(x).unwrap_or_default();
        let lower = high.map(|x| (number(x), self.closed_below(left, x)));
        let upper = low.map(|x| (number(x), self.closed_above(right, x)));
        let x = Number::simplest_between(
            lower.as_ref().map(|(x, closed)| (x, *closed)),
            upper.as_ref().map(|(x, closed)| (x, *closed)),
        );
        // The interval is not empty: one bound is missing, or the lower bound is less than the upper one.
        self.number(&x.unwrap_or_default())
    }

    // As `simplest`, in 32nds, if the bounds and the result fit in handles.
    fn simplest_inline(
        &self,
        left: &[CanonicalForm],
        right: &[CanonicalForm],
        high: Option<CanonicalForm>,
        low: Option<CanonicalForm>,
    ) -> Result<Option<CanonicalForm>, OutOfMemory> {
        // The least and the greatest multiple of 1/32 that fits.
        let mut least = i32::MIN;
        let mut greatest = i32::MAX;
        if let Some(x) = high {
            if !x.is_inline() {
                return Ok(None);
            }
            least = x.thirtyseconds() + i32::from(!self.closed_below(left, x));
        }
        if let Some(x) = low {
            if !x.is_inline() {
                return Ok(None);
            }
            greatest = x.thirtyseconds() - i32::from(!self.closed_above(right, x));
        }
        let x = if least <= 0 && greatest >= 0 {
            0
        } else {
            // The multiple of the coarsest step that fits, the one closest to zero.
            let mut found = None;
            for exponent in 0..=POINT {
                let step = 32 >> exponent;
                let x = if least > 0 {
                    (least + step - 1).div_euclid(step) * step
                } else {
                    greatest.div_euclid(step) * step
                };
                if least <= x && x <= greatest {
                    found = Some(x);
                    break;
                }
            }
            match found {
                Some(x) => x,
                None => return Ok(None),
            }
        };
        Ok(CanonicalForm::pack(x, 0, 0))
    }

    fn undominated(&self, options: &[CanonicalForm], left: bool) -> Result<List, OutOfMemory> {
        let mut kept = List::new();
        for g in options {
            self.go_on()?;
            self.insert_undominated(&mut kept, *g, left)?;
        }
        Ok(kept)
    }

    // Adds an option unless another one dominates it, and removes those that it dominates. Returns whether it was added.
    pub(super) fn insert_undominated(
        &self,
        kept: &mut List,
        g: CanonicalForm,
        left: bool,
    ) -> Result<bool, OutOfMemory> {
        let at_most = |a, b| {
            if left {
                self.less_or_equal(a, b)
            } else {
                self.less_or_equal(b, a)
            }
        };
        for h in kept.iter() {
            if at_most(g, *h)? {
                return Ok(false);
            }
        }
        let mut i = 0;
        while i < kept.len() {
            if at_most(kept[i], g)? {
                kept.remove(i);
            } else {
                i += 1;
            }
        }
        kept.push(g);
        Ok(true)
    }

    /// The game with these options, which is not a number, before it is interned.
    pub(super) fn provisional<'a>(
        &self,
        left: &'a [CanonicalForm],
        right: &'a [CanonicalForm],
        left_stop: CanonicalForm,
        right_stop: CanonicalForm,
    ) -> Provisional<'a> {
        let mut lays = LayList::new();
        if self.is_laid()
            && left_stop.is_inline()
            && right_stop.is_inline()
            && self.lay_all(left, &mut lays)
            && self.lay_all(right, &mut lays)
        {
            return self.provisional_laid(left, right, left_stop, right_stop, lays);
        }
        Provisional {
            left,
            right,
            left_stop,
            right_stop,
            sides: self.sides_of(left, right, left_stop, right_stop),
            lay: None,
            lays,
            known: FxHashMap::default(),
        }
    }

    /// The same, given the comparison data of the options, Left's first. The stops must be inline.
    pub(super) fn provisional_laid<'a>(
        &self,
        left: &'a [CanonicalForm],
        right: &'a [CanonicalForm],
        left_stop: CanonicalForm,
        right_stop: CanonicalForm,
        lays: LayList,
    ) -> Provisional<'a> {
        let stops = (left_stop.thirtyseconds(), right_stop.thirtyseconds());
        let (lefts, rights) = lays.split_at(left.len());
        let marks = Forms::marks_of(lefts, rights, stops);
        Provisional {
            left,
            right,
            left_stop,
            right_stop,
            sides: Sides::new(marks.above_stop(), marks.below_stop()),
            lay: Some(Lay::new(PROVISIONAL, stops.0, stops.1, marks)),
            lays,
            known: FxHashMap::default(),
        }
    }

    // Replaces each reversible option by the options that it is reversed to, until no option is reversible.
    pub(super) fn bypass_reversible(
        &self,
        left: &mut List,
        right: &mut List,
        left_stop: CanonicalForm,
        right_stop: CanonicalForm,
    ) -> Result<(), OutOfMemory> {
        // The options as they are now define the game throughout.
        let (first_left, first_right) = (left.clone(), right.clone());
        let mut game = self.provisional(&first_left, &first_right, left_stop, right_stop);
        self.bypass(left, &[], true, &mut game)?;
        self.bypass(right, &[], false, &mut game)
    }

    /// Whether a reply to an option of Left is at most the game, or a reply to an option of Right at least the game.
    #[inline]
    pub(super) fn reverses<'a>(
        &'a self,
        reply: CanonicalForm,
        left: bool,
        game: &mut Provisional<'a>,
    ) -> Result<bool, OutOfMemory> {
        match self.reply_by_lay(reply, left, game) {
            Some(reverses) => Ok(reverses),
            None if left => self.search(reply, PROVISIONAL, game),
            None => self.search(PROVISIONAL, reply, game),
        }
    }

    // Here `done` are options known not to be reversible. They come first in `kept`, as far as they are still there.
    pub(super) fn bypass<'a>(
        &'a self,
        kept: &mut List,
        done: &[CanonicalForm],
        left: bool,
        game: &mut Provisional<'a>,
    ) -> Result<(), OutOfMemory> {
        // The options before this index are known not to be reversible; new ones are added at the end.
        let mut checked = still_first(done, kept);
        'next: while let Some(option) = kept.get(checked).copied() {
            self.go_on_at(checked)?;
            if self.is_number(option) {
                // An undominated number is the stop; a reply in it would be beyond the stop.
                checked += 1;
                continue;
            }
            let replies = if left {
                self.right_of(option)?
            } else {
                self.left_of(option)?
            };
            if let Options::Nimbers(number, _) = replies {
                // The replies are the number plus nimbers. Beyond the stop none of them reverses, however large the nimber is.
                let (stop, beyond) = if left {
                    (game.right_stop, Ordering::Greater)
                } else {
                    (game.left_stop, Ordering::Less)
                };
                if self.compare_numbers(number, stop) == beyond {
                    checked += 1;
                    continue;
                }
            }
            if replies.len() > MAX_REPLIES {
                return Err(OutOfMemory);
            }
            for i in 0..replies.len() {
                let reply = replies.at(self, i)?;
                if !self.reverses(reply, left, game)? {
                    continue;
                }
                let front = List::from_slice(&kept[..checked]);
                kept.remove(checked);
                let through = if left {
                    self.left_of(reply)?
                } else {
                    self.right_of(reply)?
                };
                if through.len() > MAX_REPLIES {
                    return Err(OutOfMemory);
                }
                for j in 0..through.len() {
                    self.go_on_at(j)?;
                    self.insert_undominated(kept, through.at(self, j)?, left)?;
                }
                checked = still_first(&front, kept);
                continue 'next;
            }
            checked += 1;
        }
        Ok(())
    }
}
