//! Negatives and sums of canonical forms, with an explicit stack and a cache of sums by ordered pairs of handles.
//!
//! `G + H = {G^L + H, G + H^L | G^R + H, G + H^R}`. Numbers are split off first: the options of a number plus a game that
//! is not a number are just the translated options of that game (number translation theorem, Siegel II). So the sums of two
//! classes of translations are computed once, on their bases.

use std::sync::atomic::Ordering as Atomic;

use smallvec::SmallVec;

use super::build::List;
use super::sum_brief::RECURSION;
use super::sum_build::{Move, Summands};
use super::{CanonicalForm, Forms, Node, OutOfMemory};

// Deeper descents are an error. They occur only for astronomical multiples of up and nimbers in sums with other games.
const MAX_PENDING: usize = 1 << 20;

// The state of a sum: its value, or two bases whose sum is still to be computed and then translated by the number.
pub(super) enum Sum {
    Known(CanonicalForm),
    Open {
        g: CanonicalForm,
        h: CanonicalForm,
        number: CanonicalForm,
    },
}

// A sum of bases that is being computed.
struct Frame<'a> {
    g: CanonicalForm,
    h: CanonicalForm,
    // The number to add to the sum of the bases.
    number: CanonicalForm,
    summands: Summands<'a>,
    // The moves that others dominate, as bits for each side.
    dominated: [u64; 2],
    // The side and the index of the next move.
    side: usize,
    next: u32,
    // Where the results of this frame begin, and where those of Right's moves begin.
    starts: [usize; 2],
}

impl Forms {
    // Whether a base is a switch of two numbers.
    #[inline]
    pub(super) fn is_switch(&self, node: &Node) -> bool {
        matches!(node.options(), ([a], [b]) if self.is_number(*a) && self.is_number(*b))
    }

    /// The negative: the game with the players exchanged.
    pub fn negate(&self, g: CanonicalForm) -> Result<CanonicalForm, OutOfMemory> {
        if let Some(known) = self.known_negative(g)? {
            return Ok(known);
        }
        let mut stack = vec![self.base(g)];
        while let Some(&top) = stack.last() {
            self.go_on()?;
            let node = self.node(top);
            if node.negative.load(Atomic::Relaxed) != 0 {
                stack.pop();
                continue;
            }
            if self.is_switch(node) {
                let negative = self.translate(top, self.negate_number(node.left_stop)?)?;
                node.negative.store(negative.0, Atomic::Relaxed);
                stack.pop();
                continue;
            }
            let before = stack.len();
            let mut negated = List::new();
            let (lefts, rights) = node.options();
            for option in lefts.iter().chain(rights) {
                match self.known_negative(*option)? {
                    Some(h) => negated.push(h),
                    None => stack.push(self.base(*option)),
                }
            }
            if stack.len() > before {
                continue;
            }
            let (right, left) = negated.split_at_mut(lefts.len());
            left.sort_unstable_by_key(|g| g.0);
            right.sort_unstable_by_key(|g| g.0);
            let negative = self.intern_general(
                left,
                right,
                CanonicalForm::ZERO,
                self.negate_number(node.left_stop)?,
            )?;
            node.negative.store(negative.0, Atomic::Relaxed);
            stack.pop();
        }
        Ok(self.known_negative(g)?.unwrap_or_default())
    }

    // The negative of a closed form, or one computed earlier.
    fn known_negative(&self, g: CanonicalForm) -> Result<Option<CanonicalForm>, OutOfMemory> {
        if g.is_general() {
            let (base, number) = self.split(g)?;
            let negative = self.node(base).negative.load(Atomic::Relaxed);
            if negative == 0 {
                return Ok(None);
            }
            return self
                .translate(CanonicalForm(negative), self.negate_number(number)?)
                .map(Some);
        }
        if g.is_inline() {
            return Ok(CanonicalForm::pack(
                -g.thirtyseconds(),
                -g.ups(),
                g.nimber(),
            ));
        }
        let negative = self.wide(g).value.negate().ok_or(OutOfMemory)?;
        self.number_up_star(&negative).map(Some)
    }

    pub(super) fn negate_number(&self, x: CanonicalForm) -> Result<CanonicalForm, OutOfMemory> {
        self.known_negative(x).map(Option::unwrap_or_default)
    }

    /// The difference `g - h`.
    pub fn subtract(
        &self,
        g: CanonicalForm,
        h: CanonicalForm,
    ) -> Result<CanonicalForm, OutOfMemory> {
        if g == h {
            return Ok(CanonicalForm::ZERO);
        }
        self.add(g, self.negate(h)?)
    }

    /// The disjunctive sum `g + h`.
    pub fn add(&self, g: CanonicalForm, h: CanonicalForm) -> Result<CanonicalForm, OutOfMemory> {
        match self.sum(g, h)? {
            Sum::Known(sum) => Ok(sum),
            Sum::Open { g, h, number } => match self.add_briefly(g, h, RECURSION)? {
                Some(sum) => self.translate(sum, number),
                None => self.compute_sum(g, h, number, true, RECURSION),
            },
        }
    }

    /// The same, without computing incentives.
    pub(super) fn add_plainly(
        &self,
        g: CanonicalForm,
        h: CanonicalForm,
    ) -> Result<CanonicalForm, OutOfMemory> {
        match self.sum(g, h)? {
            Sum::Known(sum) => Ok(sum),
            Sum::Open { g, h, number } => self.compute_sum(g, h, number, false, 0),
        }
    }

    // The sum of two games that are each a number plus ups plus a nimber.
    #[inline]
    pub(super) fn add_closed(
        &self,
        g: CanonicalForm,
        h: CanonicalForm,
    ) -> Result<CanonicalForm, OutOfMemory> {
        if g.is_inline()
            && h.is_inline()
            && let Some(sum) = CanonicalForm::pack(
                g.thirtyseconds() + h.thirtyseconds(),
                g.ups() + h.ups(),
                g.nimber() ^ h.nimber(),
            )
        {
            return Ok(sum);
        }
        let sum = match (self.as_number_up_star(g), self.as_number_up_star(h)) {
            (Some(a), Some(b)) => a.add(&b),
            _ => None,
        };
        self.number_up_star(&sum.ok_or(OutOfMemory)?)
    }

    #[inline]
    pub(super) fn add_numbers(
        &self,
        x: CanonicalForm,
        y: CanonicalForm,
    ) -> Result<CanonicalForm, OutOfMemory> {
        match CanonicalForm::add_inline_numbers(x, y) {
            Some(sum) => Ok(sum),
            None => self.add_closed(x, y),
        }
    }

    // Settles closed forms, translations, a game plus its negative, and sums in the cache.
    pub(super) fn sum(&self, g: CanonicalForm, h: CanonicalForm) -> Result<Sum, OutOfMemory> {
        if g.is_number_up_star() && h.is_number_up_star() {
            return self.add_closed(g, h).map(Sum::Known);
        }
        let ((a, x), (b, y)) = (self.split(g)?, self.split(h)?);
        let number = self.add_numbers(x, y)?;
        if a == CanonicalForm::ZERO {
            return self.translate(b, number).map(Sum::Known);
        }
        if b == CanonicalForm::ZERO {
            return self.translate(a, number).map(Sum::Known);
        }
        if a.is_general() {
            // The negative of a has right stop -L(a), so its base is -a + L(a).
            let node = self.node(a);
            let negative = node.negative.load(Atomic::Relaxed);
            if negative != 0 && self.base(CanonicalForm(negative)) == b {
                return self.add_numbers(number, node.left_stop).map(Sum::Known);
            }
        }
        // Closed forms have smaller handles, so they come first.
        let (a, b) = if a.0 <= b.0 { (a, b) } else { (b, a) };
        match self.sums.get(a.0, b.0) {
            Some(sum) => self.translate(CanonicalForm(sum), number).map(Sum::Known),
            None => Ok(Sum::Open { g: a, h: b, number }),
        }
    }

    fn sum_frame(
        &self,
        g: CanonicalForm,
        h: CanonicalForm,
        number: CanonicalForm,
        base: usize,
        grow: bool,
    ) -> Result<Frame<'_>, OutOfMemory> {
        let incentives = match (
            self.known_incentives(g, grow)?,
            self.known_incentives(h, grow)?,
        ) {
            (Some(a), Some(b)) => Some([a, b]),
            _ => None,
        };
        let dominated = match &incentives {
            Some(known) => [
                self.dominated_moves(0, known)?,
                self.dominated_moves(1, known)?,
            ],
            None => [0; 2],
        };
        Ok(Frame {
            g,
            h,
            number,
            summands: Summands {
                g: [self.left_of(g)?, self.right_of(g)?],
                h: [self.left_of(h)?, self.right_of(h)?],
                incentives,
            },
            dominated,
            side: 0,
            next: 0,
            starts: [base; 2],
        })
    }

    /// The sum of two bases, translated. With `grow`, useful incentives are computed on the way, and sums of followers try
    /// `add_briefly`, whose recursion is limited to `depth`.
    pub(super) fn compute_sum(
        &self,
        g: CanonicalForm,
        h: CanonicalForm,
        number: CanonicalForm,
        grow: bool,
        depth: u32,
    ) -> Result<CanonicalForm, OutOfMemory> {
        let mut results: SmallVec<[Move; 32]> = SmallVec::new();
        let mut stack: SmallVec<[Frame<'_>; 2]> = SmallVec::new();
        let grows = |g, h| grow && !self.is_tried_briefly(g, h, depth);
        stack.push(self.sum_frame(g, h, number, 0, grows(g, h))?);
        'frames: while let Some(frame) = stack.last_mut() {
            self.go_on()?;
            while frame.side < 2 {
                let (side, place) = (frame.side, frame.next);
                let (mine, theirs) = (&frame.summands.g[side], &frame.summands.h[side]);
                if place as usize >= mine.len() + theirs.len() {
                    frame.side += 1;
                    frame.next = 0;
                    if frame.side == 1 {
                        frame.starts[1] = results.len();
                    }
                    continue;
                }
                if frame.dominated[side].checked_shr(place).unwrap_or(0) & 1 == 1 {
                    frame.next += 1;
                    continue;
                }
                let (option, other) = if (place as usize) < mine.len() {
                    (mine.at(self, place as usize)?, frame.h)
                } else {
                    (theirs.at(self, place as usize - mine.len())?, frame.g)
                };
                frame.next += 1;
                if results.len() > MAX_PENDING {
                    return Err(OutOfMemory);
                }
                self.go_on_at(place as usize)?;
                match self.sum(option, other)? {
                    Sum::Known(option) => results.push(Move { option, place }),
                    Sum::Open { g, h, number } => {
                        if grow && let Some(sum) = self.add_briefly(g, h, depth)? {
                            let option = self.translate(sum, number)?;
                            results.push(Move { option, place });
                            continue;
                        }
                        let base = results.len();
                        if stack.len() > MAX_PENDING {
                            return Err(OutOfMemory);
                        }
                        let deeper = self.sum_frame(g, h, number, base, grows(g, h))?;
                        stack.push(deeper);
                        continue 'frames;
                    }
                }
            }
            let [start, middle] = frame.starts;
            let moves = [&results[start..middle], &results[middle..]];
            let sum = self.build_sum(moves, &frame.summands)?;
            self.sums.put(frame.g.0, frame.h.0, sum.0);
            let sum = self.translate(sum, frame.number)?;
            results.truncate(start);
            stack.pop();
            match stack.last() {
                None => return Ok(sum),
                Some(parent) => results.push(Move {
                    option: sum,
                    place: parent.next - 1,
                }),
            }
        }
        // Not reached: the loop ends through the return above.
        Ok(CanonicalForm::ZERO)
    }
}

impl Default for CanonicalForm {
    /// Zero.
    fn default() -> CanonicalForm {
        CanonicalForm::ZERO
    }
}
