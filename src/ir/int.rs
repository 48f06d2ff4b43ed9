//! Integers of the language: small ones as machine words, larger ones without bounds. No operation wraps. A result of more
//! than [`MAX_BITS`] bits is refused, to bound the memory.

use num_bigint::{BigInt, Sign};
use num_integer::Integer as _;
use num_traits::{Signed, ToPrimitive, Zero};
use std::cmp::Ordering;
use std::fmt;
use std::sync::Arc;

/// The maximal number of bits of an integer.
pub const MAX_BITS: u64 = 1 << 20;

/// An integer. The representation is unique: an integer that fits 64 bits is always `Small`.
#[derive(Clone, PartialEq, Eq, Hash)]
pub enum Int {
    /// Fits a machine word.
    Small(i64),
    /// Does not.
    Big(Arc<BigInt>),
}

/// The faults of integer operations.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum IntFault {
    /// Division by zero.
    DivisionByZero,
    /// A negative exponent.
    NegativeExponent,
    /// More than [`MAX_BITS`] bits.
    TooLarge,
    /// A negative argument of a function of naturals.
    Negative,
}

impl Int {
    /// Zero.
    pub const ZERO: Int = Int::Small(0);
    /// One.
    pub const ONE: Int = Int::Small(1);

    /// As an `i64`, if it fits.
    #[must_use]
    pub fn to_i64(&self) -> Option<i64> {
        match self {
            Int::Small(n) => Some(*n),
            Int::Big(_) => None,
        }
    }

    /// As a `usize`, if it fits.
    #[must_use]
    pub fn to_usize(&self) -> Option<usize> {
        self.to_i64().and_then(|n| usize::try_from(n).ok())
    }

    /// As a `BigInt`.
    #[must_use]
    pub fn to_big(&self) -> BigInt {
        match self {
            Int::Small(n) => BigInt::from(*n),
            Int::Big(n) => (**n).clone(),
        }
    }

    /// Whether it is negative.
    #[must_use]
    pub fn is_negative(&self) -> bool {
        match self {
            Int::Small(n) => *n < 0,
            Int::Big(n) => n.is_negative(),
        }
    }

    /// Whether it is zero.
    #[must_use]
    pub fn is_zero(&self) -> bool {
        matches!(self, Int::Small(0))
    }

    fn checked(n: BigInt) -> Result<Int, IntFault> {
        if n.bits() > MAX_BITS {
            return Err(IntFault::TooLarge);
        }
        Ok(Int::from(n))
    }

    fn with(
        &self,
        other: &Int,
        small: fn(i64, i64) -> Option<i64>,
        big: fn(BigInt, BigInt) -> BigInt,
    ) -> Result<Int, IntFault> {
        if let (Int::Small(a), Int::Small(b)) = (self, other)
            && let Some(n) = small(*a, *b)
        {
            return Ok(Int::Small(n));
        }
        Int::checked(big(self.to_big(), other.to_big()))
    }

    /// Sum.
    ///
    /// # Errors
    /// [`IntFault::TooLarge`]
    pub fn add(&self, other: &Int) -> Result<Int, IntFault> {
        self.with(other, i64::checked_add, |a, b| a + b)
    }

    /// Difference.
    ///
    /// # Errors
    /// [`IntFault::TooLarge`]
    pub fn sub(&self, other: &Int) -> Result<Int, IntFault> {
        self.with(other, i64::checked_sub, |a, b| a - b)
    }

    /// Product.
    ///
    /// # Errors
    /// [`IntFault::TooLarge`]
    pub fn mul(&self, other: &Int) -> Result<Int, IntFault> {
        self.with(other, i64::checked_mul, |a, b| a * b)
    }

    /// Quotient towards minus infinity.
    ///
    /// # Errors
    /// [`IntFault::DivisionByZero`]
    pub fn div_floor(&self, other: &Int) -> Result<Int, IntFault> {
        if other.is_zero() {
            return Err(IntFault::DivisionByZero);
        }
        if let (Int::Small(a), Int::Small(b)) = (self, other)
            && *b != -1
        {
            return Ok(Int::Small(a.div_floor(b)));
        }
        Int::checked(self.to_big().div_floor(&other.to_big()))
    }

    /// Remainder, with the sign of the divisor.
    ///
    /// # Errors
    /// [`IntFault::DivisionByZero`]
    pub fn mod_floor(&self, other: &Int) -> Result<Int, IntFault> {
        if other.is_zero() {
            return Err(IntFault::DivisionByZero);
        }
        if let (Int::Small(a), Int::Small(b)) = (self, other)
            && *b != -1
        {
            return Ok(Int::Small(a.mod_floor(b)));
        }
        Int::checked(self.to_big().mod_floor(&other.to_big()))
    }

    /// Power.
    ///
    /// # Errors
    /// [`IntFault::NegativeExponent`], [`IntFault::TooLarge`]
    pub fn pow(&self, exponent: &Int) -> Result<Int, IntFault> {
        if exponent.is_negative() {
            return Err(IntFault::NegativeExponent);
        }
        match self {
            Int::Small(1) => return Ok(Int::ONE),
            Int::Small(0) => {
                return Ok(if exponent.is_zero() {
                    Int::ONE
                } else {
                    Int::ZERO
                });
            }
            Int::Small(-1) => {
                let even = exponent.to_big().is_even();
                return Ok(Int::Small(if even { 1 } else { -1 }));
            }
            _ => {}
        }
        let base = self.to_big();
        let e = exponent.to_i64().ok_or(IntFault::TooLarge)?;
        let bits = base
            .bits()
            .saturating_sub(1)
            .max(1)
            .saturating_mul(e.unsigned_abs());
        if bits > MAX_BITS {
            return Err(IntFault::TooLarge);
        }
        let e = u32::try_from(e).map_err(|_| IntFault::TooLarge)?;
        Int::checked(base.pow(e))
    }

    /// The negation.
    #[must_use]
    pub fn neg(&self) -> Int {
        match self {
            Int::Small(n) => match n.checked_neg() {
                Some(m) => Int::Small(m),
                None => Int::from(-BigInt::from(*n)),
            },
            Int::Big(n) => Int::from(-(**n).clone()),
        }
    }

    /// The absolute value.
    #[must_use]
    pub fn abs(&self) -> Int {
        if self.is_negative() {
            self.neg()
        } else {
            self.clone()
        }
    }

    /// Floor of the square root.
    ///
    /// # Errors
    /// [`IntFault::Negative`]
    pub fn isqrt(&self) -> Result<Int, IntFault> {
        if self.is_negative() {
            return Err(IntFault::Negative);
        }
        Ok(Int::from(self.to_big().sqrt()))
    }

    /// Bit `k` of a natural: 0 or 1.
    ///
    /// # Errors
    /// [`IntFault::Negative`]
    pub fn bit(&self, k: &Int) -> Result<Int, IntFault> {
        if self.is_negative() || k.is_negative() {
            return Err(IntFault::Negative);
        }
        let Some(k) = k.to_i64().and_then(|k| u64::try_from(k).ok()) else {
            return Ok(Int::ZERO);
        };
        Ok(Int::Small(i64::from(self.to_big().bit(k))))
    }

    /// The greatest common divisor; gcd(0, n) = |n|.
    ///
    /// # Errors
    /// None: it is never larger than the larger argument.
    pub fn gcd(&self, other: &Int) -> Result<Int, IntFault> {
        let small = |a: i64, b: i64| i64::try_from(a.unsigned_abs().gcd(&b.unsigned_abs())).ok();
        self.with(other, small, |a, b| a.gcd(&b))
    }

    /// Bitwise exclusive or of naturals.
    ///
    /// # Errors
    /// [`IntFault::Negative`]
    pub fn xor(&self, other: &Int) -> Result<Int, IntFault> {
        if self.is_negative() || other.is_negative() {
            return Err(IntFault::Negative);
        }
        self.with(other, |a, b| Some(a ^ b), |a, b| a ^ b)
    }
}

impl From<i64> for Int {
    fn from(n: i64) -> Int {
        Int::Small(n)
    }
}

impl From<usize> for Int {
    fn from(n: usize) -> Int {
        i64::try_from(n).map_or_else(|_| Int::from(BigInt::from(n)), Int::Small)
    }
}

impl From<u32> for Int {
    fn from(n: u32) -> Int {
        Int::Small(i64::from(n))
    }
}

impl From<i32> for Int {
    fn from(n: i32) -> Int {
        Int::Small(i64::from(n))
    }
}

impl From<BigInt> for Int {
    fn from(n: BigInt) -> Int {
        match n.to_i64() {
            Some(n) => Int::Small(n),
            None => Int::Big(Arc::new(n)),
        }
    }
}

impl From<&BigInt> for Int {
    fn from(n: &BigInt) -> Int {
        n.to_i64().map_or_else(|| Int::from(n.clone()), Int::Small)
    }
}

impl Default for Int {
    fn default() -> Int {
        Int::ZERO
    }
}

impl Ord for Int {
    fn cmp(&self, other: &Int) -> Ordering {
        match (self, other) {
            (Int::Small(a), Int::Small(b)) => a.cmp(b),
            (Int::Big(a), Int::Big(b)) => a.cmp(b),
            (Int::Small(_), Int::Big(b)) => sign(b).reverse(),
            (Int::Big(a), Int::Small(_)) => sign(a),
        }
    }
}

/// Compares a large number with any small one, by its sign.
fn sign(n: &BigInt) -> Ordering {
    if n.is_zero() {
        return Ordering::Equal;
    }
    if n.sign() == Sign::Minus {
        Ordering::Less
    } else {
        Ordering::Greater
    }
}

impl PartialOrd for Int {
    fn partial_cmp(&self, other: &Int) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for Int {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Int::Small(n) => write!(f, "{n}"),
            Int::Big(n) => write!(f, "{n}"),
        }
    }
}

impl fmt::Debug for Int {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::{Int, IntFault};

    #[test]
    fn nothing_wraps() {
        let max = Int::from(i64::MAX);
        let more = max.add(&Int::ONE).unwrap();
        assert_eq!(more.to_string(), "9223372036854775808");
        assert_eq!(more.sub(&Int::ONE).unwrap(), max);
        assert_eq!(Int::from(i64::MIN).neg(), more);
        assert_eq!(
            Int::from(i64::MIN).div_floor(&Int::from(-1i64)).unwrap(),
            more
        );
        assert!(more > max && more.neg() <= Int::from(i64::MIN));
        assert_eq!(
            Int::from(2i64)
                .pow(&Int::from(100i64))
                .unwrap()
                .mod_floor(&Int::from(7i64)),
            Ok(Int::from(2i64))
        );
    }

    #[test]
    fn division_goes_towards_minus_infinity() {
        let n = |k: i64| Int::from(k);
        assert_eq!(n(-7).div_floor(&n(2)), Ok(n(-4)));
        assert_eq!(n(-7).mod_floor(&n(2)), Ok(n(1)));
        assert_eq!(n(7).mod_floor(&n(-2)), Ok(n(-1)));
        assert_eq!(n(7).div_floor(&n(0)), Err(IntFault::DivisionByZero));
        assert_eq!(n(3).pow(&n(-1)), Err(IntFault::NegativeExponent));
        assert_eq!(n(3).pow(&n(1 << 40)), Err(IntFault::TooLarge));
        assert_eq!(n(1).pow(&n(1 << 40)), Ok(n(1)));
    }
}
