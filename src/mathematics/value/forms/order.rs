//! Comparison of canonical forms, with an explicit stack.
//!
//! `g <= h` unless some left option of g is at least h or some right option of h is at most g (*On Numbers and Games*,
//! chapter 0). Stops settle most pairs first: `L(g) < R(h)` gives `g < h`, and `g <= h` gives `L(g) <= L(h)` and `R(g) <=
//! R(h)`. Against a number only the other game's options matter (number avoidance, Siegel II).

use std::cmp::Ordering;

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::cache::OrderKey;
use super::handle::PROVISIONAL;
use super::lay::{Lay, Settled};
use super::{CanonicalForm, Forms, Options, OutOfMemory, Sides, infinitesimal_sign};

/// A game given by its options that is not interned yet; comparisons refer to it as [`PROVISIONAL`]. It must not be a
/// number.
pub(super) struct Provisional<'a> {
    pub(super) left: &'a [CanonicalForm],
    pub(super) right: &'a [CanonicalForm],
    pub(super) left_stop: CanonicalForm,
    pub(super) right_stop: CanonicalForm,
    pub(super) sides: Sides,
    // The comparison data of the game and of its options, if all numbers fit in handles.
    pub(super) lay: Option<Lay>,
    pub(super) lays: SmallVec<[Lay; 12]>,
    // Known comparisons with it: the other base, the number, and whether the provisional game is on the left.
    pub(super) known: FxHashMap<(CanonicalForm, CanonicalForm, bool), bool>,
}

// The depth of recursion of a search, before it continues with an explicit stack.
const RECURSION: u32 = 32;

// Deeper descents are an error. They occur only for astronomical multiples of up against other games.
const MAX_PENDING: usize = 1 << 20;

// The question whether `g <= h + x` for bases g and h and a number x.
#[derive(Clone, Copy)]
struct Question {
    g: CanonicalForm,
    h: CanonicalForm,
    x: CanonicalForm,
}

// The stops and sides of a base.
type Lie = (CanonicalForm, CanonicalForm, Sides);

struct Frame<'a> {
    question: Question,
    left: Options<'a>,
    right: Options<'a>,
    next: u32,
}

// The state of a comparison: the answer, or the question that is still to be searched.
enum Order {
    Known(bool),
    Open(Question),
}

impl Forms {
    /// Whether `g <= h`: Left, moving first, cannot win `g - h`.
    pub fn less_or_equal(&self, g: CanonicalForm, h: CanonicalForm) -> Result<bool, OutOfMemory> {
        if g == h {
            return Ok(true);
        }
        if let (Some(g), Some(h)) = (self.lay_at_once(g), self.lay_at_once(h)) {
            return match g.at_most(&h) {
                Settled::Yes => Ok(true),
                Settled::No => Ok(false),
                Settled::Open => self.search_from(&g, &h),
            };
        }
        match self.settled_by_stops(self.question(g, h)?, None)? {
            Order::Known(answer) => Ok(answer),
            Order::Open(question) => self.search_shallow(question, RECURSION),
        }
    }

    /// Whether `g <= h + x` for bases g and h and a number x, which neither stops nor closed forms settle.
    pub(super) fn search_generally(
        &self,
        g: CanonicalForm,
        h: CanonicalForm,
        x: CanonicalForm,
    ) -> Result<bool, OutOfMemory> {
        self.search_shallow(Question { g, h, x }, 0)
    }

    // Whether the stops of the options refute the question. Collects the questions that stops leave open.
    #[inline]
    fn refuted_by_stops(
        &self,
        question: Question,
        open: &mut SmallVec<[Question; 8]>,
    ) -> Result<bool, OutOfMemory> {
        let Question { g, h, x } = question;
        let frame = self.frame(question, None)?;
        for i in 0..frame.left.len() {
            // h + x <= g^L would refute.
            let deeper = self.question_shifted((h, x), self.parts(frame.left.at(self, i)?)?)?;
            match self.settled_by_stops(deeper, None)? {
                Order::Known(true) => return Ok(true),
                Order::Known(false) => {}
                Order::Open(question) => open.push(question),
            }
        }
        for i in 0..frame.right.len() {
            // h^R + x <= g would refute.
            let (base, own) = self.parts(frame.right.at(self, i)?)?;
            let number = self.add_numbers(own, x)?;
            let deeper = self.question_shifted((base, number), (g, CanonicalForm::ZERO))?;
            match self.settled_by_stops(deeper, None)? {
                Order::Known(true) => return Ok(true),
                Order::Known(false) => {}
                Order::Open(question) => open.push(question),
            }
        }
        Ok(false)
    }

    // Searches a question between interned games, by recursion up to `depth`; below, with an explicit stack.
    fn search_shallow(&self, question: Question, depth: u32) -> Result<bool, OutOfMemory> {
        if depth == 0 {
            return match self.remembered(question, None) {
                Some(answer) => Ok(answer),
                None => self.search_open(question, None),
            };
        }
        // First the stops of all options, since one refutation is enough. That costs less than a cache lookup.
        let mut open: SmallVec<[Question; 8]> = SmallVec::new();
        if self.refuted_by_stops(question, &mut open)? {
            return Ok(false);
        }
        if open.is_empty() {
            return Ok(true);
        }
        let key = Self::key(question);
        if let Some(answer) = key.and_then(|key| self.order.get(key)) {
            return Ok(answer);
        }
        let mut answer = true;
        for deeper in open {
            if self.search_shallow(deeper, depth - 1)? {
                answer = false;
                break;
            }
        }
        if let Some(key) = key {
            self.order.put(key, answer);
        }
        Ok(answer)
    }

    #[inline]
    fn question(&self, g: CanonicalForm, h: CanonicalForm) -> Result<Question, OutOfMemory> {
        self.question_shifted(self.parts(g)?, self.parts(h)?)
    }

    // The base and the number; for the provisional game, itself and zero.
    #[inline]
    fn parts(&self, g: CanonicalForm) -> Result<(CanonicalForm, CanonicalForm), OutOfMemory> {
        if g == PROVISIONAL {
            Ok((g, CanonicalForm::ZERO))
        } else {
            self.split(g)
        }
    }

    #[inline]
    fn question_shifted(
        &self,
        (g, x): (CanonicalForm, CanonicalForm),
        (h, y): (CanonicalForm, CanonicalForm),
    ) -> Result<Question, OutOfMemory> {
        Ok(Question {
            g,
            h,
            x: self.subtract_numbers(y, x)?,
        })
    }

    #[inline]
    fn subtract_numbers(
        &self,
        y: CanonicalForm,
        x: CanonicalForm,
    ) -> Result<CanonicalForm, OutOfMemory> {
        if x == CanonicalForm::ZERO {
            return Ok(y);
        }
        if x.is_inline()
            && y.is_inline()
            && let Some(number) = CanonicalForm::pack(y.thirtyseconds() - x.thirtyseconds(), 0, 0)
        {
            return Ok(number);
        }
        self.add_numbers(y, self.negate_number(x)?)
    }

    // The key in the cache, unless some part is too wide for it.
    #[inline]
    fn key(question: Question) -> Option<OrderKey> {
        let code = |g: CanonicalForm| {
            if g.is_base() {
                Some(g.index() | (1 << 30))
            } else {
                g.is_inline().then_some(g.0)
            }
        };
        let number = question
            .x
            .is_inline()
            .then(|| question.x.thirtyseconds() as u16)?;
        Some(OrderKey::new(
            code(question.g)?,
            code(question.h)?,
            u32::from(number),
        ))
    }

    // Both stops and the sides of a base. The right stop is 0 except for the provisional game.
    #[inline]
    fn lie(&self, b: CanonicalForm, provisional: Option<&Provisional<'_>>) -> Lie {
        const ZERO: CanonicalForm = CanonicalForm::ZERO;
        if b == PROVISIONAL {
            provisional.map_or((ZERO, ZERO, Sides::BOTH), |p| {
                (p.left_stop, p.right_stop, p.sides)
            })
        } else if b.is_base() {
            let node = self.node(b);
            (node.left_stop, ZERO, node.sides())
        } else {
            (ZERO, ZERO, self.sides(b))
        }
    }

    // Compares the left stop of g with the right stop of h + x, then the right stops, then the left stops.
    #[inline]
    fn stop_orders(
        &self,
        (gl, gr): (CanonicalForm, CanonicalForm),
        (hl, hr): (CanonicalForm, CanonicalForm),
        x: CanonicalForm,
    ) -> Result<[Ordering; 3], OutOfMemory> {
        if (gl.0 | gr.0 | hl.0 | hr.0 | x.0) >> 31 == 0 {
            let n = CanonicalForm::thirtyseconds;
            let (low, high) = (n(hr) + n(x), n(hl) + n(x));
            return Ok([n(gl).cmp(&low), n(gr).cmp(&low), n(gl).cmp(&high)]);
        }
        let (low, high) = (self.add_numbers(hr, x)?, self.add_numbers(hl, x)?);
        Ok([
            self.compare_numbers(gl, low),
            self.compare_numbers(gr, low),
            self.compare_numbers(gl, high),
        ])
    }

    // What stops, closed forms and the caches say.
    #[inline]
    fn settled(
        &self,
        question: Question,
        provisional: Option<&Provisional<'_>>,
    ) -> Result<Order, OutOfMemory> {
        Ok(match self.settled_by_stops(question, provisional)? {
            Order::Known(answer) => Order::Known(answer),
            Order::Open(question) => match self.remembered(question, provisional) {
                Some(answer) => Order::Known(answer),
                None => Order::Open(question),
            },
        })
    }

    #[inline]
    fn settled_by_stops(
        &self,
        question: Question,
        provisional: Option<&Provisional<'_>>,
    ) -> Result<Order, OutOfMemory> {
        let Question { g, h, x } = question;
        let (gl, gr, g_sides) = self.lie(g, provisional);
        let (hl, hr, h_sides) = self.lie(h, provisional);
        let [across, right, left] = self.stop_orders((gl, gr), (hl, hr), x)?;
        if across == Ordering::Less
            || (across == Ordering::Equal && g_sides.below() && h_sides.above())
        {
            return Ok(Order::Known(true));
        }
        if right == Ordering::Greater
            || left == Ordering::Greater
            || (right == Ordering::Equal && g_sides.above() && !h_sides.above())
            || (left == Ordering::Equal && h_sides.below() && !g_sides.below())
        {
            return Ok(Order::Known(false));
        }
        if !g.is_base() && !h.is_base() {
            // Ups and nimbers on both sides, and equal numbers.
            let ((k, m), (l, n)) = (self.infinitesimal_part(g), self.infinitesimal_part(h));
            let sign = infinitesimal_sign(k.saturating_sub(l), m ^ n);
            return Ok(Order::Known(matches!(
                sign,
                Some(Ordering::Less | Ordering::Equal)
            )));
        }
        if g == h {
            // The stops did not refute, so x >= 0.
            return Ok(Order::Known(true));
        }
        Ok(Order::Open(question))
    }

    #[inline]
    fn remembered(
        &self,
        question: Question,
        provisional: Option<&Provisional<'_>>,
    ) -> Option<bool> {
        if question.g == PROVISIONAL || question.h == PROVISIONAL {
            provisional.and_then(|p| p.known.get(&Self::provisional_key(question)).copied())
        } else {
            Self::key(question).and_then(|key| self.order.get(key))
        }
    }

    fn provisional_key(question: Question) -> (CanonicalForm, CanonicalForm, bool) {
        if question.g == PROVISIONAL {
            (question.h, question.x, true)
        } else {
            (question.g, question.x, false)
        }
    }

    fn frame<'a>(
        &'a self,
        question: Question,
        provisional: Option<&Provisional<'a>>,
    ) -> Result<Frame<'a>, OutOfMemory> {
        // Options of a number do not matter.
        const NONE: Options<'static> = Options::Stored(&[]);
        let left = match provisional {
            Some(p) if question.g == PROVISIONAL => Options::Stored(p.left),
            _ if question.g == CanonicalForm::ZERO => NONE,
            _ => self.left_of(question.g)?,
        };
        let right = match provisional {
            Some(p) if question.h == PROVISIONAL => Options::Stored(p.right),
            _ if question.h == CanonicalForm::ZERO => NONE,
            _ => self.right_of(question.h)?,
        };
        if left.len() + right.len() > MAX_PENDING {
            return Err(OutOfMemory);
        }
        Ok(Frame {
            question,
            left,
            right,
            next: 0,
        })
    }

    /// Searches g <= h, where one of them may be the provisional game.
    pub(super) fn search<'a>(
        &'a self,
        g: CanonicalForm,
        h: CanonicalForm,
        provisional: &mut Provisional<'a>,
    ) -> Result<bool, OutOfMemory> {
        match self.settled(self.question(g, h)?, Some(provisional))? {
            Order::Known(answer) => Ok(answer),
            Order::Open(question) => self.search_open(question, Some(provisional)),
        }
    }

    fn search_open<'a>(
        &'a self,
        question: Question,
        mut provisional: Option<&mut Provisional<'a>>,
    ) -> Result<bool, OutOfMemory> {
        let mut stack: SmallVec<[Frame<'a>; 4]> = SmallVec::new();
        stack.push(self.frame(question, provisional.as_deref())?);
        loop {
            self.go_on()?;
            let top = stack.len() - 1;
            let frame = &mut stack[top];
            let Question { g, h, x } = frame.question;
            let lefts = frame.left.len();
            // The answer for this frame, once it is known.
            let mut answer = None;
            loop {
                let i = frame.next as usize;
                let deeper = if i < lefts {
                    // h + x <= g^L would refute.
                    self.question_shifted((h, x), self.parts(frame.left.at(self, i)?)?)?
                } else if i < lefts + frame.right.len() {
                    // h^R + x <= g would refute.
                    let (base, own) = self.parts(frame.right.at(self, i - lefts)?)?;
                    let number = self.add_numbers(own, x)?;
                    self.question_shifted((base, number), (g, CanonicalForm::ZERO))?
                } else {
                    answer = Some(true);
                    break;
                };
                match self.settled(deeper, provisional.as_deref())? {
                    Order::Known(true) => {
                        answer = Some(false);
                        break;
                    }
                    Order::Known(false) => frame.next += 1,
                    Order::Open(question) => {
                        if stack.len() > MAX_PENDING {
                            return Err(OutOfMemory);
                        }
                        let deeper = self.frame(question, provisional.as_deref())?;
                        stack.push(deeper);
                        break;
                    }
                }
            }
            // Pass answers up: a child that holds refutes its parent.
            while let Some(result) = answer {
                let done = stack[stack.len() - 1].question;
                match provisional.as_deref_mut() {
                    Some(p) if done.g == PROVISIONAL || done.h == PROVISIONAL => {
                        p.known.insert(Self::provisional_key(done), result);
                    }
                    _ => {
                        if let Some(key) = Self::key(done) {
                            self.order.put(key, result);
                        }
                    }
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
