//! Dyadic rationals of any precision in (an arena of forms bounds them: [`Number::MAX_BITS`]), exact sums, products, orders and simplest numbers out.
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

/// A dyadic rational `numerator / 2^exponent` in lowest terms, a machine word as long as it fits and a big integer
/// beyond.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Number(Repr);

// Lowest terms: the exponent is 0 or the numerator is odd. `Small` exactly when the numerator fits in an i64,
// so that derived equality is equality of numbers.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Repr {
    Small(i64, u32),
    Big(Box<(BigInt, u32)>),
}

// With exponents up to here a numerator brought to the other's exponent still fits in an i128.
const SMALL_EXPONENT: u32 = 62;

// With exponents, and bits of numerators, up to here so does a numerator that was brought to the next exponent before.
const SIMPLE: u32 = 40;

impl Number {
    /// Zero.
    pub const ZERO: Number = Number(Repr::Small(0, 0));
    /// One.
    pub const ONE: Number = Number(Repr::Small(1, 0));
    /// Minus one, the temperature of an integer.
    pub const MINUS_ONE: Number = Number(Repr::Small(-1, 0));

    /// The most bits of the numerator of a number that an arena holds, and the greatest exponent of its denominator. Some
    /// 79,000 digits are printed in a few milliseconds; a sum or a product of two such numbers is built before it is refused.
    pub const MAX_BITS: u32 = 1 << 18;

    /// Whether numerator and exponent are within [`Number::MAX_BITS`].
    pub fn is_bounded(&self) -> bool {
        match &self.0 {
            Repr::Small(_, e) => *e <= Number::MAX_BITS,
            Repr::Big(b) => b.1 <= Number::MAX_BITS && b.0.bits() <= u64::from(Number::MAX_BITS),
        }
    }

    /// The number `numerator / 2^exponent`, brought to lowest terms.
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

    /// The numerator in lowest terms and the exponent, when the numerator fits in a machine word.
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

    /// The greatest integer at most this number.
    pub fn floor(&self) -> BigInt {
        self.floor_at(0).0
    }

    /// The least integer at least this number.
    pub fn ceil(&self) -> BigInt {
        -(-self).floor()
    }

    // floor(self * 2^exponent), and whether nothing was cut off.
    fn floor_at(&self, exponent: u32) -> (BigInt, bool) {
        let own = self.exponent();
        let numerator = self.numerator();
        if exponent >= own {
            (numerator << (exponent - own), true)
        } else {
            // In lowest terms a numerator over 2^own is odd, so something is cut off.
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

    /// The simplest number above `lower` and below `upper`; a bound is `(number, closed)`, with `closed` the bound
    /// itself is allowed. `None` if no number lies between.
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
            // Everything that fits is positive.
            let (l, closed) = lower?;
            return Number::simplest_positive(l, closed, upper);
        }
        let (u, closed) = upper?;
        let negated = lower.map(|(l, c)| (-l, c));
        Number::simplest_positive(&-u, closed, negated.as_ref().map(|(l, c)| (l, *c))).map(|x| -x)
    }

    // Above a number that is not negative. The simplest is the first that fits among those with ever larger denominators.
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

    // The same of two small numbers, by numerator, exponent, and whether the number itself is allowed.
    fn simplest_small(
        (l, le, closed): (i64, u32, bool),
        (u, ue, c): (i64, u32, bool),
    ) -> Option<Number> {
        for exponent in 0..=le.max(ue) + 1 {
            let scaled = i128::from(l) << exponent;
            let floor = scaled >> le;
            let numerator = floor + i128::from(!closed || floor << le != scaled);
            // Of two numbers: numerator / 2^exponent and u / 2^ue.
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
        // Whether a multiple of 1/2^exponent fits; if so, one of 1/2^(exponent + 1) does too.
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
        // Nothing fits at `low`; what was found fits at `high`.
        while found.is_some() && high - low > 1 {
            let middle = low + (high - low) / 2;
            match fits(middle) {
                Some(candidate) => (found, high) = (Some(candidate), middle),
                None => low = middle,
            }
        }
        found
    }

    /// The nearest double, for drawing only; no value is ever computed with it.
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
    /// As its printed text, so that no precision is lost.
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl Number {
    /// Reads `n`, `-n`, `n/d` with `d` a power of two. The text must hold nothing else. `None` for anything else, and
    /// for a denominator that is not a power of two.
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

    // The definition: the first that fits among those with ever larger denominators.
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

    // Machine words and big integers find the same one, whatever the bounds.
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
