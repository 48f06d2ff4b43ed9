//! Sums, products and the order of dyadic rationals: in machine words where both fit, else in big integers.

use super::{Number, Repr, SMALL_EXPONENT};
use num_bigint::BigInt;

use std::cmp::Ordering;
use std::ops::{Add, Mul, Neg, Sub};

fn aligned(a: &Number, b: &Number) -> Option<(i128, i128, u32)> {
    match (&a.0, &b.0) {
        (Repr::Small(x, d), Repr::Small(y, e)) if *d <= SMALL_EXPONENT && *e <= SMALL_EXPONENT => {
            let top = *d.max(e);
            Some((
                i128::from(*x) << (top - d),
                i128::from(*y) << (top - e),
                top,
            ))
        }
        _ => None,
    }
}

fn aligned_big(a: &Number, b: &Number) -> (BigInt, BigInt, u32) {
    let top = a.exponent().max(b.exponent());
    (
        a.numerator() << (top - a.exponent()),
        b.numerator() << (top - b.exponent()),
        top,
    )
}

impl Add for &Number {
    type Output = Number;
    fn add(self, other: &Number) -> Number {
        match aligned(self, other) {
            Some((x, y, e)) => Number::from_i128(x + y, e),
            None => {
                let (x, y, e) = aligned_big(self, other);
                Number::from_big(x + y, e)
            }
        }
    }
}

impl Sub for &Number {
    type Output = Number;
    fn sub(self, other: &Number) -> Number {
        match aligned(self, other) {
            Some((x, y, e)) => Number::from_i128(x - y, e),
            None => {
                let (x, y, e) = aligned_big(self, other);
                Number::from_big(x - y, e)
            }
        }
    }
}

impl Mul for &Number {
    type Output = Number;
    /// The Conway product of two numbers, which is the product of the dyadic rationals (*On Numbers and Games*, ch. 1).
    fn mul(self, other: &Number) -> Number {
        match (&self.0, &other.0) {
            (Repr::Small(x, d), Repr::Small(y, e)) if d.checked_add(*e).is_some() => {
                Number::from_i128(i128::from(*x) * i128::from(*y), d + e)
            }
            _ => Number::from_big(
                self.numerator() * other.numerator(),
                self.exponent().saturating_add(other.exponent()),
            ),
        }
    }
}

impl Neg for &Number {
    type Output = Number;
    fn neg(self) -> Number {
        match &self.0 {
            Repr::Small(n, e) => Number::from_i128(-i128::from(*n), *e),
            Repr::Big(b) => Number::from_big(-&b.0, b.1),
        }
    }
}

impl Add for Number {
    type Output = Number;
    fn add(self, other: Number) -> Number {
        &self + &other
    }
}

impl Sub for Number {
    type Output = Number;
    fn sub(self, other: Number) -> Number {
        &self - &other
    }
}

impl Mul for Number {
    type Output = Number;
    fn mul(self, other: Number) -> Number {
        &self * &other
    }
}

impl Neg for Number {
    type Output = Number;
    fn neg(self) -> Number {
        -&self
    }
}

impl Ord for Number {
    fn cmp(&self, other: &Number) -> Ordering {
        let (s, t) = (self.signum(), other.signum());
        if s != t {
            return s.cmp(&t);
        }
        match aligned(self, other) {
            Some((x, y, _)) => x.cmp(&y),
            None => {
                let (x, y, _) = aligned_big(self, other);
                x.cmp(&y)
            }
        }
    }
}

impl PartialOrd for Number {
    fn partial_cmp(&self, other: &Number) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
