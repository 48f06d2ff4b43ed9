//! Comparison data of forms (a "lay"): stops, flags and landmarks as small integers, so that comparisons need no table.
//!
//! The search is that of `order.rs`, for forms whose numbers all fit in handles, so that stops are compared as integers (in
//! 32nds). Each base stores the comparison data of its options in one block of memory; most comparisons read two such
//! blocks and end. The first steps use no cache, since for so few that would cost more than it saves.

use std::cmp::Ordering;
use std::sync::atomic::Ordering as Atomic;

use smallvec::SmallVec;

use super::cache::OrderKey;
use super::handle::{POINT, PROVISIONAL};
use super::marks::Marks;
use super::order::Provisional;
use super::{CanonicalForm, Forms, MISTAKEN, Number, OutOfMemory, Shift, infinitesimal_sign};

/// The number of comparisons searched without a cache. It also bounds the depth of that recursion.
const STEPS: u32 = 16;
/// The depth of recursion of a search with a cache, before it continues with an explicit stack.
const RECURSION: u32 = 32;

/// A form as a base plus a number, with its order relative to all numbers, as two integers in 64ths, and relative to the
/// landmarks at its stops (`marks.rs`).
///
/// For a number x in 32nds, `G <= x` exactly if `upper <= 2x`, and `G >= x` exactly if `lower >= 2x`. So `upper` is twice
/// the left stop, plus 1 unless the form is at most its left stop, and `lower` is twice the right stop, minus 1 unless the
/// form is at least its right stop (see `sides.rs`). The number is the right stop, since that of the base is 0.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lay {
    pub(super) base: CanonicalForm,
    pub(super) upper: i32,
    pub(super) lower: i32,
    pub(super) marks: Marks,
}

/// The comparison data of the options of a form.
pub(super) type LayList = SmallVec<[Lay; 12]>;

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Settled {
    Yes,
    No,
    Open,
}

// Whether some option refutes that one game is at most another.
enum Refuted {
    Yes,
    No,
    Open,
}

impl Lay {
    /// The comparison data of a form with these stops, in 32nds.
    #[inline]
    pub(super) fn new(base: CanonicalForm, left: i32, right: i32, marks: Marks) -> Lay {
        Lay {
            base,
            upper: 2 * left + i32::from(!marks.below_stop()),
            lower: 2 * right - i32::from(!marks.above_stop()),
            marks,
        }
    }

    /// The comparison data of a number, in 32nds.
    #[inline]
    pub(super) fn of_number(number: i32) -> Lay {
        Lay::new(CanonicalForm::ZERO, number, number, Marks::NUMBER)
    }

    /// Whether the form is a number.
    #[inline]
    pub(super) fn is_number(&self) -> bool {
        self.base == CanonicalForm::ZERO
    }

    /// The left stop, in 32nds.
    #[inline]
    pub(super) fn left(&self) -> i32 {
        self.upper >> 1
    }

    /// The right stop, which is also the number added to the base, in 32nds.
    #[inline]
    pub(super) fn right(&self) -> i32 {
        (self.lower + 1) >> 1
    }

    /// The comparison data of the form plus a number, in 32nds.
    #[inline]
    pub(super) fn plus(self, number: i32) -> Lay {
        Lay {
            base: self.base,
            upper: self.upper + 2 * number,
            lower: self.lower + 2 * number,
            marks: self.marks,
        }
    }

    /// Settles `self <= other` by stops, landmarks and closed forms, if possible. It holds if some number or landmark lies
    /// between the two. It holds only if `other` is at least each of them that `self` is at least, and `self` is at most
    /// each of them that `other` is at most.
    #[inline]
    pub(super) fn at_most(&self, other: &Lay) -> Settled {
        if (self.lower > other.lower) | (self.upper > other.upper) {
            return Settled::No;
        }
        if self.upper <= other.lower {
            return Settled::Yes;
        }
        let (mine, theirs) = (self.marks, other.marks);
        let lost = |equal: bool, marks: u32| equal & (marks != 0);
        if lost(self.right() == other.right(), mine.above & !theirs.above)
            | lost(self.left() == other.left(), theirs.below & !mine.below)
        {
            return Settled::No;
        }
        if lost(self.left() == other.right(), mine.below & theirs.above) {
            return Settled::Yes;
        }
        if self.base == other.base {
            // The stops did not refute, so the number of `other` is not less.
            return Settled::Yes;
        }
        if !self.base.is_base() && !other.base.is_base() {
            // Equal numbers, and ups and nimbers on both sides.
            let ups = i64::from(self.base.ups() - other.base.ups());
            return match infinitesimal_sign(ups, self.base.nimber() ^ other.base.nimber()) {
                Some(Ordering::Less | Ordering::Equal) => Settled::Yes,
                _ => Settled::No,
            };
        }
        Settled::Open
    }

    // The key of the question whether `self <= other`, unless some part is too wide for it.
    #[inline]
    fn key(&self, other: &Lay) -> Option<OrderKey> {
        let code = |g: CanonicalForm| {
            if g.is_base() {
                g.index() | (1 << 30)
            } else {
                g.0
            }
        };
        let number = i16::try_from(other.right() - self.right()).ok()?;
        let number = u32::from(number as u16);
        Some(OrderKey::new(code(self.base), code(other.base), number))
    }
}

impl Forms {
    /// The comparison data of a form, if all its numbers fit in handles.
    #[inline]
    pub(super) fn lay(&self, g: CanonicalForm) -> Option<Lay> {
        self.lay_at_once(g)
    }

    // The same, always inlined, for the place where most comparisons begin.
    #[inline(always)]
    pub(super) fn lay_at_once(&self, g: CanonicalForm) -> Option<Lay> {
        if !self.is_laid() {
            return None;
        }
        if g.is_general() {
            let (base, number) = if g.is_base() {
                (g, 0)
            } else {
                let Shift { base, number } = self.shift(g);
                if !number.is_inline() {
                    return None;
                }
                (base, number.thirtyseconds())
            };
            return self.node(base).lay(base).map(|lay| lay.plus(number));
        }
        if g.is_wide() {
            return None;
        }
        let (number, base) = (g.thirtyseconds(), g.infinitesimal_part());
        let mistaken = self.laid.load(Atomic::Relaxed) == MISTAKEN;
        let marks = if base == CanonicalForm::ZERO || mistaken {
            Marks::NUMBER
        } else {
            Marks::of_closed(base.ups(), base.nimber())
        };
        Some(Lay::new(base, number, number, marks))
    }

    /// Appends the comparison data of several forms. False if some number does not fit in a handle.
    #[inline]
    pub(super) fn lay_all<const N: usize>(
        &self,
        forms: &[CanonicalForm],
        lays: &mut SmallVec<[Lay; N]>,
    ) -> bool {
        forms.iter().all(|g| match self.lay(*g) {
            Some(lay) => {
                lays.push(lay);
                true
            }
            None => false,
        })
    }

    /// The landmarks at the stops, in 32nds, of the game with these options, which must not be a number.
    pub(super) fn marks_of(left: &[Lay], right: &[Lay], (high, low): (i32, i32)) -> Marks {
        let (mut reached, mut undercut) = (0, 0);
        for option in left {
            reached |= if option.right() == high {
                option.marks.above
            } else {
                0
            };
        }
        for option in right {
            undercut |= if option.left() == low {
                option.marks.below
            } else {
                0
            };
        }
        Marks::of_options(reached, undercut, high == low)
    }

    /// Whether `g <= h`.
    #[inline]
    pub(super) fn laid_at_most(&self, g: &Lay, h: &Lay) -> Result<bool, OutOfMemory> {
        match g.at_most(h) {
            Settled::Yes => Ok(true),
            Settled::No => Ok(false),
            Settled::Open => self.search_from(g, h),
        }
    }

    /// Whether `g <= h`, where stops and landmarks leave it open.
    pub(super) fn search_from(&self, g: &Lay, h: &Lay) -> Result<bool, OutOfMemory> {
        match self.search_briefly(g, h, None, &mut { STEPS }) {
            Some(answer) => Ok(answer),
            None => self.search_laid(g, h, RECURSION),
        }
    }

    // Calls `each` with the comparison data of the options on one side, until it returns true. `None` if some number is too
    // wide. A number has no options that matter.
    #[inline]
    fn for_each_laid(
        &self,
        g: &Lay,
        left: bool,
        game: Option<&Provisional<'_>>,
        mut each: impl FnMut(Lay) -> bool,
    ) -> Option<bool> {
        let number = g.right();
        if g.base == PROVISIONAL {
            let game = game?;
            let (lefts, rights) = game.lays.split_at(game.left.len());
            for option in if left { lefts } else { rights } {
                if each(*option) {
                    return Some(true);
                }
            }
        } else if g.base.is_base() {
            let node = self.node(g.base);
            if node.lays.is_empty() {
                return None;
            }
            let (lefts, rights) = node.lays.split_at(node.lefts());
            for option in if left { lefts } else { rights } {
                if each(option.plus(number)) {
                    return Some(true);
                }
            }
        } else if g.base != CanonicalForm::ZERO {
            let options = if left {
                self.left_of(g.base)
            } else {
                self.right_of(g.base)
            };
            let options = options.ok()?;
            for i in 0..options.len() {
                let option = self.lay(options.at(self, i).ok()?)?;
                if each(option.plus(number)) {
                    return Some(true);
                }
            }
        }
        // A number, in which no player needs to move.
        Some(false)
    }

    // Whether the stops and landmarks of the options refute `g <= h`. The order of g and h themselves must be open: then
    // the stops of options add nothing (the upper bound of g is that of its best option).
    #[inline]
    fn refuted_at_once(&self, g: &Lay, h: &Lay, game: Option<&Provisional<'_>>) -> Option<Refuted> {
        let mut open = false;
        let mut ask = |settled: Settled| {
            open |= settled == Settled::Open;
            settled == Settled::Yes
        };
        // Either h <= g^L or h^R <= g would refute.
        let refuted = self.for_each_laid(g, true, game, |option| ask(h.at_most(&option)))?
            || self.for_each_laid(h, false, game, |option| ask(option.at_most(g)))?;
        Some(match (refuted, open) {
            (true, _) => Refuted::Yes,
            (false, false) => Refuted::No,
            (false, true) => Refuted::Open,
        })
    }

    // Whether an option that stops leave open refutes `g <= h`; `ask` searches whether one game is at most another.
    #[inline]
    fn refuted_by_options<E>(
        &self,
        g: &Lay,
        h: &Lay,
        game: Option<&Provisional<'_>>,
        mut ask: impl FnMut(&Lay, &Lay) -> Result<bool, E>,
    ) -> Result<bool, E> {
        let mut failed = None;
        let mut each = |x: &Lay, y: &Lay| {
            x.at_most(y) == Settled::Open
                && ask(x, y).unwrap_or_else(|e| {
                    failed = Some(e);
                    true
                })
        };
        let refuted = self.for_each_laid(g, true, game, |option| each(h, &option)) == Some(true)
            || self.for_each_laid(h, false, game, |option| each(&option, g)) == Some(true);
        match failed {
            Some(e) => Err(e),
            None => Ok(refuted),
        }
    }

    /// Whether a reply is at most (`below`) or at least the game that is being built. `None` if that takes a longer search.
    #[inline]
    pub(super) fn reply_by_lay(
        &self,
        reply: CanonicalForm,
        below: bool,
        game: &Provisional<'_>,
    ) -> Option<bool> {
        let (reply, own) = (self.lay(reply)?, game.lay.as_ref()?);
        let (g, h) = if below { (&reply, own) } else { (own, &reply) };
        match g.at_most(h) {
            Settled::Yes => Some(true),
            Settled::No => Some(false),
            Settled::Open => self.search_briefly(g, h, Some(game), &mut { STEPS }),
        }
    }

    fn search_briefly(
        &self,
        g: &Lay,
        h: &Lay,
        game: Option<&Provisional<'_>>,
        steps: &mut u32,
    ) -> Option<bool> {
        *steps = steps.checked_sub(1)?;
        match self.refuted_at_once(g, h, game)? {
            Refuted::Yes => Some(false),
            Refuted::No => Some(true),
            Refuted::Open => self
                .refuted_by_options(g, h, game, |x, y| {
                    self.search_briefly(x, y, game, steps).ok_or(())
                })
                .ok()
                .map(|refuted| !refuted),
        }
    }

    // The same with the cache. Below `depth` steps the general search takes over, which uses an explicit stack.
    fn search_laid(&self, g: &Lay, h: &Lay, depth: u32) -> Result<bool, OutOfMemory> {
        let refuted = if depth == 0 {
            None
        } else {
            self.refuted_at_once(g, h, None)
        };
        match refuted {
            None => {
                let number = |x| self.number(&Number::dyadic(i64::from(x), POINT));
                return self.search_generally(g.base, h.base, number(h.right() - g.right())?);
            }
            Some(Refuted::Yes) => return Ok(false),
            Some(Refuted::No) => return Ok(true),
            Some(Refuted::Open) => {}
        }
        let key = g.key(h);
        if let Some(answer) = key.and_then(|key| self.order.get(key)) {
            return Ok(answer);
        }
        self.go_on()?;
        let answer =
            !self.refuted_by_options(g, h, None, |x, y| self.search_laid(x, y, depth - 1))?;
        if let Some(key) = key {
            self.order.put(key, answer);
        }
        Ok(answer)
    }
}
