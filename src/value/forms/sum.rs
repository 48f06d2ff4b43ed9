//! Negatives and sums of canonical forms, with an explicit stack and a cache of sums on ordered pairs of handles.
//!
//! `G + H = {G^L + H, G + H^L | G^R + H, G + H^R}`. A number plus a game that is none has only the translated options of
//! the latter, and they are canonical as they stand (number translation theorem, Siegel II.3.22).

use std::cmp::Ordering;
use std::sync::atomic::Ordering as Atomic;

use super::build::List;
use super::{CanonicalForm, Forms, Options, OutOfMemory};

// Deeper descents are refused: only astronomical multiples of up and nimbers in sums with other games get there.
const MAX_PENDING: usize = 1 << 20;

// A sum that is being computed: its options are pairs, visited in the order of `next`.
struct Frame<'a> {
    g: CanonicalForm,
    h: CanonicalForm,
    // Left options of g and of h, then right options of g and of h. For a number g its own are empty.
    lists: [Options<'a>; 4],
    list: u8,
    next: u32,
    // Where this frame's results begin, and where its right ones do.
    base: usize,
    middle: usize,
}

impl Forms {
    /// The negative: the game with the players exchanged.
    pub fn negate(&self, g: CanonicalForm) -> Result<CanonicalForm, OutOfMemory> {
        if let Some(known) = self.known_negative(g)? {
            return Ok(known);
        }
        let mut stack = vec![g];
        while let Some(&top) = stack.last() {
            let node = self.node(top);
            if node.negative.load(Atomic::Relaxed) != 0 {
                stack.pop();
                continue;
            }
            let before = stack.len();
            let mut negated = List::new();
            for option in node.options.iter() {
                match self.known_negative(*option)? {
                    Some(h) => negated.push(h),
                    None => stack.push(*option),
                }
            }
            if stack.len() > before {
                continue;
            }
            let (right, left) = negated.split_at_mut(node.left_len as usize);
            left.sort_unstable_by_key(|g| g.0);
            right.sort_unstable_by_key(|g| g.0);
            let negate_number = |x| self.known_negative(x).map(|x| x.unwrap_or_default());
            let negative = self.intern_general(
                left,
                right,
                negate_number(node.right_stop)?,
                negate_number(node.left_stop)?,
            )?;
            node.negative.store(negative.0, Atomic::Relaxed);
            self.node(negative).negative.store(top.0, Atomic::Relaxed);
            stack.pop();
        }
        Ok(self.known_negative(g)?.unwrap_or_default())
    }

    // The negative of a closed form, or one computed before.
    fn known_negative(&self, g: CanonicalForm) -> Result<Option<CanonicalForm>, OutOfMemory> {
        if g.is_general() {
            let negative = self.node(g).negative.load(Atomic::Relaxed);
            return Ok((negative != 0).then_some(CanonicalForm(negative)));
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
        match self.known_sum(g, h)? {
            Some(sum) => Ok(sum),
            None => self.compute_sum(g, h),
        }
    }

    // Closed forms, zero, a game and its negative, and what the cache holds.
    #[inline]
    fn known_sum(
        &self,
        g: CanonicalForm,
        h: CanonicalForm,
    ) -> Result<Option<CanonicalForm>, OutOfMemory> {
        if g.is_inline()
            && h.is_inline()
            && let Some(sum) = CanonicalForm::pack(
                g.thirtyseconds() + h.thirtyseconds(),
                g.ups() + h.ups(),
                g.nimber() ^ h.nimber(),
            )
        {
            return Ok(Some(sum));
        }
        if g == CanonicalForm::ZERO {
            return Ok(Some(h));
        }
        if h == CanonicalForm::ZERO {
            return Ok(Some(g));
        }
        if g.is_number_up_star() && h.is_number_up_star() {
            let (Some(a), Some(b)) = (self.as_number_up_star(g), self.as_number_up_star(h)) else {
                return Ok(None);
            };
            let sum = a.add(&b).ok_or(OutOfMemory)?;
            return self.number_up_star(&sum).map(Some);
        }
        if g.is_general() && self.node(g).negative.load(Atomic::Relaxed) == h.0 {
            return Ok(Some(CanonicalForm::ZERO));
        }
        let (a, b) = if g.0 <= h.0 { (g, h) } else { (h, g) };
        Ok(self.sums.get(a.0, b.0).map(CanonicalForm))
    }

    fn sum_frame(
        &self,
        g: CanonicalForm,
        h: CanonicalForm,
        base: usize,
    ) -> Result<Frame<'_>, OutOfMemory> {
        const NONE: Options<'static> = Options::Stored(&[]);
        // Closed forms have lesser handles, so a number comes first.
        let (g, h) = if g.0 <= h.0 { (g, h) } else { (h, g) };
        let (left, right) = if self.is_number(g) {
            (NONE, NONE)
        } else {
            (self.left_of(g)?, self.right_of(g)?)
        };
        Ok(Frame {
            g,
            h,
            lists: [left, self.left_of(h)?, right, self.right_of(h)?],
            list: 0,
            next: 0,
            base,
            middle: base,
        })
    }

    fn compute_sum(
        &self,
        g: CanonicalForm,
        h: CanonicalForm,
    ) -> Result<CanonicalForm, OutOfMemory> {
        let mut results: Vec<CanonicalForm> = Vec::new();
        let mut stack = vec![self.sum_frame(g, h, 0)?];
        'frames: while let Some(frame) = stack.last_mut() {
            while frame.list < 4 {
                let list = frame.list as usize;
                let options = &frame.lists[list];
                if frame.next as usize >= options.len() {
                    frame.list += 1;
                    frame.next = 0;
                    if frame.list == 2 {
                        frame.middle = results.len();
                    }
                    continue;
                }
                let option = options.at(self, frame.next as usize)?;
                let other = if list & 1 == 0 { frame.h } else { frame.g };
                frame.next += 1;
                match self.known_sum(option, other)? {
                    Some(sum) => results.push(sum),
                    None => {
                        let base = results.len();
                        if base > MAX_PENDING || stack.len() > MAX_PENDING {
                            return Err(OutOfMemory);
                        }
                        let deeper = self.sum_frame(option, other, base)?;
                        stack.push(deeper);
                        continue 'frames;
                    }
                }
            }
            let (left, right) = results[frame.base..].split_at_mut(frame.middle - frame.base);
            let sum = if self.is_number(frame.g) {
                left.sort_unstable_by_key(|g| g.0);
                right.sort_unstable_by_key(|g| g.0);
                self.intern_translated(frame.g, frame.h, left, right)?
            } else {
                self.from_options(left, right)?
            };
            self.sums.put(frame.g.0, frame.h.0, sum.0);
            results.truncate(frame.base);
            stack.pop();
            if stack.is_empty() {
                return Ok(sum);
            }
            results.push(sum);
        }
        // The loop ends only through the return above.
        Ok(CanonicalForm::ZERO)
    }

    fn intern_translated(
        &self,
        number: CanonicalForm,
        h: CanonicalForm,
        left: &[CanonicalForm],
        right: &[CanonicalForm],
    ) -> Result<CanonicalForm, OutOfMemory> {
        let stop = |x| self.known_sum(number, x).map(|s| s.unwrap_or_default());
        let (left_stop, right_stop) = (
            stop(self.left_stop_handle(h))?,
            stop(self.right_stop_handle(h))?,
        );
        debug_assert_ne!(self.compare_numbers(left_stop, right_stop), Ordering::Less);
        self.intern_general(left, right, left_stop, right_stop)
    }
}

impl Default for CanonicalForm {
    /// Zero.
    fn default() -> CanonicalForm {
        CanonicalForm::ZERO
    }
}
