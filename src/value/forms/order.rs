//! Whether one canonical form is at most another, with an explicit stack.
//!
//! `g <= h` unless some left option of g is at least h or some right option of h is at most g (*On Numbers and Games*,
//! chapter 0). Stops settle most pairs first: `L(g) < R(h)` gives `g < h`, and `g <= h` gives `L(g) <= L(h)` and
//! `R(g) <= R(h)`. Against a number only the other game's options matter (number avoidance, Siegel II.3.21).

use std::cmp::Ordering;

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::handle::PROVISIONAL;
use super::{CanonicalForm, Forms, Options, OutOfMemory};

/// A game that is not interned yet, given by options; it stands in comparisons as [`PROVISIONAL`].
pub(super) struct Provisional<'a> {
    pub(super) left: &'a [CanonicalForm],
    pub(super) right: &'a [CanonicalForm],
    pub(super) left_stop: CanonicalForm,
    pub(super) right_stop: CanonicalForm,
    // What was found about it: the other game, and whether the provisional one is on the left.
    pub(super) known: FxHashMap<(CanonicalForm, bool), bool>,
}

// Deeper descents are refused: only astronomical multiples of up against other games get there.
const MAX_PENDING: usize = 1 << 20;

struct Frame<'a> {
    g: CanonicalForm,
    h: CanonicalForm,
    left: Options<'a>,
    right: Options<'a>,
    next: u32,
}

// What is known of g <= h: the answer, or a pair whose comparison has the same answer and is still to be searched.
enum Order {
    Known(bool),
    Open(CanonicalForm, CanonicalForm),
}

impl Forms {
    /// Whether `g <= h`: Left, moving first, cannot win `g - h`.
    pub fn less_or_equal(&self, g: CanonicalForm, h: CanonicalForm) -> Result<bool, OutOfMemory> {
        match self.settled(g, h)? {
            Order::Known(answer) => Ok(answer),
            Order::Open(g, h) => self.search_open(g, h, None),
        }
    }

    // What stops, closed forms and the cache say of g <= h. A pair that stays open has its number at h.
    #[inline]
    fn settled(&self, g: CanonicalForm, h: CanonicalForm) -> Result<Order, OutOfMemory> {
        if g == h {
            return Ok(Order::Known(true));
        }
        if g.is_number_up_star() && h.is_number_up_star() {
            let less = self.compare_number_up_stars(g, h) == Some(Ordering::Less);
            return Ok(Order::Known(less));
        }
        let ((gl, gr), (hl, hr)) = (self.stops(g), self.stops(h));
        if let Some(answer) = self.by_stops(gl, gr, hl, hr) {
            return Ok(Order::Known(answer));
        }
        let (g, number) = self.split(g)?;
        let h = if number == CanonicalForm::ZERO {
            h
        } else {
            self.translate(h, self.negate_number(number)?)?
        };
        Ok(match self.order.get(g.0, h.0) {
            Some(answer) => Order::Known(answer),
            None => Order::Open(g, h),
        })
    }

    #[inline]
    fn by_stops(
        &self,
        gl: CanonicalForm,
        gr: CanonicalForm,
        hl: CanonicalForm,
        hr: CanonicalForm,
    ) -> Option<bool> {
        if self.compare_numbers(gl, hr) == Ordering::Less {
            return Some(true);
        }
        if self.compare_numbers(gl, hl) == Ordering::Greater
            || self.compare_numbers(gr, hr) == Ordering::Greater
        {
            return Some(false);
        }
        None
    }

    // As `settled`, where one of the two may be the provisional game.
    #[inline]
    fn settled_with(
        &self,
        g: CanonicalForm,
        h: CanonicalForm,
        provisional: Option<&Provisional<'_>>,
    ) -> Result<Order, OutOfMemory> {
        let Some(p) = provisional.filter(|_| g == PROVISIONAL || h == PROVISIONAL) else {
            return self.settled(g, h);
        };
        let stops = |x| {
            if x == PROVISIONAL {
                (p.left_stop, p.right_stop)
            } else {
                self.stops(x)
            }
        };
        let ((gl, gr), (hl, hr)) = (stops(g), stops(h));
        let known = self.by_stops(gl, gr, hl, hr).or_else(|| {
            let key = if g == PROVISIONAL {
                (h, true)
            } else {
                (g, false)
            };
            p.known.get(&key).copied()
        });
        Ok(match known {
            Some(answer) => Order::Known(answer),
            None => Order::Open(g, h),
        })
    }

    fn frame<'a>(
        &'a self,
        g: CanonicalForm,
        h: CanonicalForm,
        provisional: Option<&Provisional<'a>>,
    ) -> Result<Frame<'a>, OutOfMemory> {
        const NONE: Options<'static> = Options::Stored(&[]);
        let left = match provisional {
            Some(p) if g == PROVISIONAL => Options::Stored(p.left),
            _ if self.is_number(g) => NONE,
            _ => self.left_of(g)?,
        };
        let right = match provisional {
            Some(p) if h == PROVISIONAL => Options::Stored(p.right),
            _ if self.is_number(h) => NONE,
            _ => self.right_of(h)?,
        };
        if left.len() + right.len() > MAX_PENDING {
            return Err(OutOfMemory);
        }
        Ok(Frame {
            g,
            h,
            left,
            right,
            next: 0,
        })
    }

    /// Searches g <= h; the provisional game must not be a number.
    pub(super) fn search<'a>(
        &'a self,
        g: CanonicalForm,
        h: CanonicalForm,
        provisional: Option<&mut Provisional<'a>>,
    ) -> Result<bool, OutOfMemory> {
        match self.settled_with(g, h, provisional.as_deref())? {
            Order::Known(answer) => Ok(answer),
            Order::Open(g, h) => self.search_open(g, h, provisional),
        }
    }

    fn search_open<'a>(
        &'a self,
        g: CanonicalForm,
        h: CanonicalForm,
        mut provisional: Option<&mut Provisional<'a>>,
    ) -> Result<bool, OutOfMemory> {
        let mut stack: SmallVec<[Frame<'a>; 4]> = SmallVec::new();
        stack.push(self.frame(g, h, provisional.as_deref())?);
        loop {
            let top = stack.len() - 1;
            let frame = &mut stack[top];
            let lefts = frame.left.len();
            // The answer of this frame, once it is known.
            let mut answer = None;
            loop {
                let i = frame.next as usize;
                let (x, y) = if i < lefts {
                    (frame.h, frame.left.at(self, i)?)
                } else if i < lefts + frame.right.len() {
                    (frame.right.at(self, i - lefts)?, frame.g)
                } else {
                    answer = Some(true);
                    break;
                };
                match self.settled_with(x, y, provisional.as_deref())? {
                    Order::Known(true) => {
                        answer = Some(false);
                        break;
                    }
                    Order::Known(false) => frame.next += 1,
                    Order::Open(x, y) => {
                        if stack.len() > MAX_PENDING {
                            return Err(OutOfMemory);
                        }
                        let deeper = self.frame(x, y, provisional.as_deref())?;
                        stack.push(deeper);
                        break;
                    }
                }
            }
            // Hand answers up; a child that holds refutes its parent.
            while let Some(result) = answer {
                let done = &stack[stack.len() - 1];
                match provisional.as_deref_mut() {
                    Some(p) if done.g == PROVISIONAL => {
                        p.known.insert((done.h, true), result);
                    }
                    Some(p) if done.h == PROVISIONAL => {
                        p.known.insert((done.g, false), result);
                    }
                    _ => self.order.put(done.g.0, done.h.0, result),
                }
                stack.pop();
                match stack.last_mut() {
                    None => return Ok(result),
                    Some(_) if result => answer = Some(false),
                    Some(parent) => {
                        parent.next += 1;
                        answer = None;
                    }
                }
            }
        }
    }
}
