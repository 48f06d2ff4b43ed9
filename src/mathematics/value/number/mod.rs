//! Dyadic rationals of any precision, with exact sums, products, order and simplest numbers. An arena of forms limits their
//! size to [`Number::MAX_BITS`].
//!
//! A short game that is a number is a dyadic rational, an integer over a power of two (Siegel, *Combinatorial
//! Game Theory*, chapter II; *Winning Ways*, chapter 2). The simplest number of an interval is the one of least birthday
//! (the simplicity theorem).

mod arithmetic;

use std::cmp::Ordering;
use std::fmt;

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{Signed, ToPrimitive};

/// A dyadic rational `numerator / 2^exponent` in lowest terms: a machine word where the numerator fits, else a big integer.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Number(Repr);

// Lowest terms: the exponent is 0 or the numerator is odd. `Small` exactly when the numerator fits in an i64, so that
// derived equality is equality of numbers.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Repr {
    Small(i64, u32),
    Big(Box<(BigInt, u32)>),
}

// With exponents up to this, a numerator brought to the other number's exponent still fits in an i128.
const SMALL_EXPONENT: u32 = 62;

// With exponents and numerator bits up to this, `simplest_small` can do so with a numerator that it has already scaled.
const SIMPLE: u32 = 40;

impl Number {
    /// Zero.
    pub const ZERO: Number = Number(Repr::Small(0, 0));
    /// One.
    pub const ONE: Number = Number(Repr::Small(1, 0));
    /// Minus one, the temperature of an integer.
    pub const MINUS_ONE: Number = Number(Repr::Small(-1, 0));

    /// The most bits of a numerator, and the greatest exponent of a denominator, that an arena holds. That is some 79,000
    /// digits, which print in a few milliseconds. A sum or a product of two such numbers is built before it is refused.
    pub const MAX_BITS: u32 = 1 << 18;

    /// Whether numerator and exponent are both within [`Number::MAX_BITS`].
    pub fn is_bounded(&self) -> bool {
        match &self.0 {
            Repr::Small(_, e) => *e <= Number::MAX_BITS,
            Repr::Big(b) => b.1 <= Number::MAX_BITS && b.0.bits() <= u64::from(Number::MAX_BITS),
        }
    }

    /// The number `numerator / 2^exponent`, reduced to lowest terms.
    pub fn dyadic(numerator: i64, exponent: u32) -> Number {
        if numerator == 0 {
            return Number::ZERO;
        }
        let shift = numerator.trailing_zeros().min(exponent);
        Number(Repr::Small(numerator >> shift, exponent - shift))
    }

    /// The number `numerator / 2^exponent` for a numerator of any size.
    pub fn from_big(numerator: BigInt, exponent: u32) -> Number {
        let zeros = match numerator.trailing_zeros() {
            None => return Number::ZERO,
            Some(z) => z.min(u64::from(exponent)) as u32,
        };
        let numerator = if zeros == 0 {
            numerator
        } else {
            numerator >> zeros
        };
        match numerator.to_i64() {
            Some(small) => Number(Repr::Small(small, exponent - zeros)),
            None => Number(Repr::Big(Box::new((numerator, exponent - zeros)))),
        }
    }

    fn from_i128(numerator: i128, exponent: u32) -> Number {
        if numerator == 0 {
            return Number::ZERO;
        }
        let shift = numerator.trailing_zeros().min(exponent);
        let reduced = numerator >> shift;
        match i64::try_from(reduced) {
            Ok(small) => Number(Repr::Small(small, exponent - shift)),
            Err(_) => Number(Repr::Big(Box::new((
                BigInt::from(reduced),
                exponent - shift,
            )))),
        }
    }

    /// The numerator in lowest terms.
    pub fn numerator(&self) -> BigInt {
        match &self.0 {
            Repr::Small(n, _) => BigInt::from(*n),
            Repr::Big(b) => b.0.clone(),
        }
    }

    /// The exponent k of the denominator 2^k in lowest terms.
    pub fn exponent(&self) -> u32 {
        match &self.0 {
            Repr::Small(_, e) => *e,
            Repr::Big(b) => b.1,
        }
    }

    /// The numerator and the exponent in lowest terms, if the numerator fits in a machine word.
    pub fn to_small(&self) -> Option<(i64, u32)> {
        match &self.0 {
            Repr::Small(n, e) => Some((*n, *e)),
            Repr::Big(_) => None,
        }
    }

    /// The integer, if the number is one and fits in a machine word.
    pub fn to_i64(&self) -> Option<i64> {
        match &self.0 {
            Repr::Small(n, 0) => Some(*n),
            _ => None,
        }
    }

    /// Whether the number is an integer.
    pub fn is_integer(&self) -> bool {
        self.exponent() == 0
    }

    /// Whether the number is zero.
    pub fn is_zero(&self) -> bool {
        matches!(self.0, Repr::Small(0, _))
    }

    /// The sign: -1, 0 or 1.
    pub fn signum(&self) -> i32 {
        match &self.0 {
            Repr::Small(n, _) => n.signum() as i32,
            Repr::Big(b) => {
                if b.0.is_negative() {
                    -1
                } else {
                    1
                }
            }
        }
    }

    /// The absolute value.
    pub fn abs(&self) -> Number {
        if self.signum() < 0 {
            -self
        } else {
            self.clone()
        }
    }

    /// The number times `2^shift`, for a shift of either sign.
    pub fn scale(&self, shift: i32) -> Number {
        if self.is_zero() {
            return Number::ZERO;
        }
        if shift < 0 {
            let exponent = self.exponent().saturating_add(shift.unsigned_abs());
            return match &self.0 {
                Repr::Small(n, _) => Number::dyadic(*n, exponent),
                Repr::Big(b) => Number::from_big(b.0.clone(), exponent),
            };
        }
        let shift = shift.unsigned_abs();
        let cancelled = shift.min(self.exponent());
        let rest = shift - cancelled;
        let exponent = self.exponent() - cancelled;
        match &self.0 {
            Repr::Small(n, _) if rest <= SMALL_EXPONENT => {
                Number::from_i128(i128::from(*n) << rest, exponent)
            }
            _ => Number::from_big(self.numerator() << rest, exponent),
        }
    }

    /// Half of the number.
    pub fn half(&self) -> Number {
        self.scale(-1)
    }

    /// The greatest integer that is at most this number.
    pub fn floor(&self) -> BigInt {
        self.floor_at(0).0
    }

    /// The least integer that is at least this number.
    pub fn ceil(&self) -> BigInt {
        -(-self).floor()
    }

    // floor(self * 2^exponent), and whether it is exact.
    fn floor_at(&self, exponent: u32) -> (BigInt, bool) {
        let own = self.exponent();
        let numerator = self.numerator();
        if exponent >= own {
            (numerator << (exponent - own), true)
        } else {
            // In lowest terms the numerator over 2^own is odd, so the floor is not exact.
            (
                numerator.div_floor(&(BigInt::from(1) << (own - exponent))),
                false,
            )
        }
    }

    /// The left option of the canonical form, if there is one (Siegel II).
    pub fn left_option(&self) -> Option<Number> {
        if self.is_integer() {
            (self.signum() > 0).then(|| self - &Number::ONE)
        } else {
            Some(Number::from_big(self.numerator() - 1, self.exponent()))
        }
    }

    /// The right option of the canonical form, if there is one.
    pub fn right_option(&self) -> Option<Number> {
        if self.is_integer() {
            (self.signum() < 0).then(|| self + &Number::ONE)
        } else {
            Some(Number::from_big(self.numerator() + 1, self.exponent()))
        }
    }

    /// The birthday of the number: |n| for an integer, else floor(|x|) + 1 + k for an odd numerator over `2^k`.
    pub fn birthday(&self) -> BigInt {
        let whole = self.abs().floor();
        if self.is_integer() {
            whole
        } else {
            whole + 1 + self.exponent()
        }
    }

    /// The temperature of the number as a game: minus one over its denominator (Siegel II).
    pub fn temperature(&self) -> Number {
        Number::dyadic(-1, self.exponent())
    }

    /// The simplest number between `lower` and `upper`. A bound is `(number, closed)`; a closed bound may itself be the
    /// answer. `None` if no number lies between.
    pub fn simplest_between(
        lower: Option<(&Number, bool)>,
        upper: Option<(&Number, bool)>,
    ) -> Option<Number> {
        let above = |x: &Number| match lower {
            None => true,
            Some((l, closed)) => x > l || (closed && x == l),
        };
        let below = |x: &Number| match upper {
            None => true,
            Some((u, closed)) => x < u || (closed && x == u),
        };
        if above(&Number::ZERO) && below(&Number::ZERO) {
            return Some(Number::ZERO);
        }
        if !above(&Number::ZERO) {
            // All numbers in the interval are positive.
            let (l, closed) = lower?;
            return Number::simplest_positive(l, closed, upper);
        }
        let (u, closed) = upper?;
        let negated = lower.map(|(l, c)| (-l, c));
        Number::simplest_positive(&-u, closed, negated.as_ref().map(|(l, c)| (l, *c))).map(|x| -x)
    }

    // The same for a lower bound that is not negative. The answer is the first multiple of 1, 1/2, 1/4, .. in the interval.
    fn simplest_positive(
        lower: &Number,
        closed: bool,
        upper: Option<(&Number, bool)>,
    ) -> Option<Number> {
        let small = |x: &Number| {
            x.to_small()
                .filter(|(n, e)| *n >> SIMPLE == 0 && *e <= SIMPLE)
        };
        if let Some((l, le)) = small(lower) {
            let bound = upper.map(|(u, c)| small(u).map(|(u, ue)| (u, ue, c)));
            match bound {
                None => {
                    let floor = l >> le;
                    let whole = closed && floor << le == l;
                    return Some(Number::from(floor + i64::from(!whole)));
                }
                Some(Some(upper)) => return Number::simplest_small((l, le, closed), upper),
                Some(None) => {}
            }
        }
        Number::simplest_large(lower, closed, upper)
    }

    // The same for two small bounds, each as numerator, exponent, and whether the bound itself is allowed.
    fn simplest_small(
        (l, le, closed): (i64, u32, bool),
        (u, ue, c): (i64, u32, bool),
    ) -> Option<Number> {
        for exponent in 0..=le.max(ue) + 1 {
            let scaled = i128::from(l) << exponent;
            let floor = scaled >> le;
            let numerator = floor + i128::from(!closed || floor << le != scaled);
            // Compare numerator / 2^exponent with u / 2^ue.
            let (own, bound) = (numerator << ue, i128::from(u) << exponent);
            if own < bound || own == bound && c {
                return Some(Number::from_i128(numerator, exponent));
            }
        }
        None
    }

    fn simplest_large(
        lower: &Number,
        closed: bool,
        upper: Option<(&Number, bool)>,
    ) -> Option<Number> {
        // The least multiple of 1/2^exponent that `lower` allows, if `upper` allows it. If there is one, there is one for
        // exponent + 1.
        let fits = |exponent: u32| {
            let (floor, exact) = lower.floor_at(exponent);
            let numerator = if exact && closed { floor } else { floor + 1 };
            let candidate = Number::from_big(numerator, exponent);
            let below = upper.is_none_or(|(u, c)| match candidate.cmp(u) {
                Ordering::Less => true,
                Ordering::Equal => c,
                Ordering::Greater => false,
            });
            below.then_some(candidate)
        };
        let mut found = fits(0);
        let (mut low, mut high) = (
            0,
            lower
                .exponent()
                .max(upper.map_or(0, |(u, _)| u.exponent()))
                .saturating_add(1),
        );
        if found.is_some() {
            return found;
        }
        found = fits(high);
        // Nothing fits at `low`; `found`, if any, fits at `high`.
        while found.is_some() && high - low > 1 {
            let middle = low + (high - low) / 2;
            match fits(middle) {
                Some(candidate) => (found, high) = (Some(candidate), middle),
                None => low = middle,
            }
        }
        found
    }

    /// The nearest double, for drawing only; no value is computed from it.
    pub fn to_f64(&self) -> f64 {
        match &self.0 {
            Repr::Small(n, e) => *n as f64 / 2f64.powi((*e).min(2000) as i32),
            Repr::Big(b) => {
                let bits = b.0.bits();
                if bits <= 1000 && b.1 <= 1000 {
                    b.0.to_f64().unwrap_or(f64::NAN) / 2f64.powi(b.1 as i32)
                } else {
                    let drop = bits.saturating_sub(64);
                    let head = (&b.0 >> drop).to_f64().unwrap_or(f64::NAN);
                    let power = drop as i64 - i64::from(b.1);
                    head * 2f64.powi(power.clamp(-3000, 3000) as i32)
                }
            }
        }
    }
}

impl From<i64> for Number {
    fn from(n: i64) -> Number {
        Number(Repr::Small(n, 0))
    }
}

impl From<BigInt> for Number {
    fn from(n: BigInt) -> Number {
        Number::from_big(n, 0)
    }
}

impl Default for Number {
    fn default() -> Number {
        Number::ZERO
    }
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Repr::Small(n, 0) => write!(f, "{n}"),
            Repr::Small(n, e) if *e < 64 => write!(f, "{n}/{}", 1u64 << e),
            _ => {
                let e = self.exponent();
                if e == 0 {
                    write!(f, "{}", self.numerator())
                } else {
                    write!(f, "{}/{}", self.numerator(), BigInt::from(1) << e)
                }
            }
        }
    }
}

impl fmt::Debug for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl serde::Serialize for Number {
    /// Serializes as the printed text, so that no precision is lost.
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl Number {
    /// Reads `n`, `-n` or `n/d` with `d` a power of two. `None` for any other text, and for a denominator that is not a
    /// power of two.
    pub fn parse(text: &str) -> Option<Number> {
        let digits = |s: &str| !s.is_empty() && s.bytes().all(|b| b.is_ascii_digit());
        let (negative, body) = match text.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, text),
        };
        let (numerator, denominator) = match body.split_once('/') {
            Some((n, d)) => (n, Some(d)),
            None => (body, None),
        };
        if !digits(numerator) || !denominator.is_none_or(digits) {
            return None;
        }
        let n: BigInt = numerator.parse().ok()?;
        let exponent = match denominator {
            None => 0,
            Some(d) => {
                let d: BigInt = d.parse().ok()?;
                let k = d.trailing_zeros()?;
                if d != (BigInt::from(1) << k) {
                    return None;
                }
                u32::try_from(k).ok()?
            }
        };
        let n = if negative { -n } else { n };
        Some(Number::from_big(n, exponent))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn n(text: &str) -> Number {
        Number::parse(text).unwrap()
    }

    #[test]
    fn lowest_terms_and_words() {
        assert_eq!(Number::dyadic(4, 3), n("1/2"));
        assert_eq!(Number::dyadic(0, 7), Number::ZERO);
        assert_eq!(n("-6/8").to_string(), "-3/4");
        assert_eq!(
            &n("9223372036854775807") + &Number::ONE,
            n("9223372036854775808")
        );
        assert_eq!(
            &n("9223372036854775808") - &Number::ONE,
            Number::from(i64::MAX)
        );
        assert_eq!(-&Number::from(i64::MIN), n("9223372036854775808"));
    }

    #[test]
    fn order_and_product() {
        assert!(n("1/2") < n("3/4"));
        assert!(n("-1/2") > n("-3/4"));
        assert_eq!(&n("3/4") * &n("-1/2"), n("-3/8"));
        assert_eq!(n("7/4").floor(), 1.into());
        assert_eq!(n("-7/4").floor(), (-2).into());
        assert_eq!(n("-7/4").ceil(), (-1).into());
    }

    // Winning Ways, chapter 2: the simplest number strictly between.
    #[test]
    fn simplest() {
        let s = |a: &str, b: &str| {
            Number::simplest_between(Some((&n(a), false)), Some((&n(b), false))).unwrap()
        };
        assert_eq!(s("0", "1"), n("1/2"));
        assert_eq!(s("5/4", "2"), n("3/2"));
        assert_eq!(s("5/2", "17/4"), n("3"));
        assert_eq!(s("-1", "1"), n("0"));
        assert_eq!(s("-4", "-5/2"), n("-3"));
        assert_eq!(s("1/4", "5/16"), n("9/32"));
        let closed = Number::simplest_between(Some((&n("3/8"), true)), Some((&n("3/8"), true)));
        assert_eq!(closed, Some(n("3/8")));
        assert_eq!(
            Number::simplest_between(Some((&n("3/8"), true)), Some((&n("3/8"), false))),
            None
        );
        assert_eq!(
            Number::simplest_between(Some((&n("5/2"), false)), None),
            Some(n("3"))
        );
        assert_eq!(
            Number::simplest_between(None, Some((&n("-5/2"), false))),
            Some(n("-3"))
        );
    }

    // The definition: the first in the interval among numbers with ever larger denominators.
    fn simplest_one_by_one(
        lower: &Number,
        closed: bool,
        upper: Option<(&Number, bool)>,
    ) -> Option<Number> {
        let last = lower.exponent().max(upper.map_or(0, |(u, _)| u.exponent())) + 1;
        (0..=last).find_map(|exponent| {
            let (floor, exact) = lower.floor_at(exponent);
            let numerator = if exact && closed { floor } else { floor + 1 };
            let candidate = Number::from_big(numerator, exponent);
            let below = upper.is_none_or(|(u, c)| candidate < *u || c && candidate == *u);
            below.then_some(candidate)
        })
    }

    // Machine words and big integers find the same number, whatever the bounds.
    #[test]
    fn simplest_in_words() {
        let parts = |k: i64| Number::dyadic(k, 3);
        let huge = |k: i64| Number::dyadic((k << 36) + 1, 39);
        let mut none = 0;
        for i in 0..40 {
            for j in 0..40 {
                for (closed, c) in [(false, false), (false, true), (true, false), (true, true)] {
                    for (lower, upper) in [
                        (parts(i), parts(j)),
                        (huge(i), huge(j)),
                        (parts(i), huge(j)),
                        (huge(i), parts(j)),
                    ] {
                        for upper in [Some((&upper, c)), None] {
                            let plain = Number::simplest_large(&lower, closed, upper);
                            none += usize::from(plain.is_none());
                            assert_eq!(simplest_one_by_one(&lower, closed, upper), plain);
                            assert_eq!(Number::simplest_positive(&lower, closed, upper), plain);
                        }
                    }
                }
            }
        }
        assert!(none > 1000, "{none}");
    }

    #[test]
    fn birthdays() {
        assert_eq!(n("3/4").birthday(), 3.into());
        assert_eq!(n("-5").birthday(), 5.into());
        assert_eq!(n("5/2").birthday(), 4.into());
    }
}
