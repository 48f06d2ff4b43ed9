//! Arithmetic of nimbers in one machine word: nim-sum, nim-product, nim-quotient, nim-power and square root.
//!
//! The nimbers below `2^(2^k)` form a field under nim-addition and nim-multiplication (*On Numbers and Games*, chapter 6):
//! a Fermat power `F = 2^(2^k)` times a smaller nimber is their ordinary product, and `F ⊗ F = F ⊕ F/2`.

use std::fmt;

/// A nimber, the value `*n` of a Nim heap of size n.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Nimber(pub u64);

impl Nimber {
    /// The nim-sum: addition in binary without carry.
    #[allow(clippy::should_implement_trait)]
    pub fn add(self, other: Nimber) -> Nimber {
        Nimber(self.0 ^ other.0)
    }

    /// The nim-product.
    pub fn multiply(self, other: Nimber) -> Nimber {
        Nimber(product(self.0, other.0, 32))
    }

    /// The nim-product with itself.
    pub fn square(self) -> Nimber {
        self.multiply(self)
    }

    /// The nim-power with an ordinary exponent; the zeroth power is 1.
    pub fn power(self, mut exponent: u64) -> Nimber {
        let mut result = Nimber(1);
        let mut base = self;
        while exponent > 0 {
            if exponent & 1 == 1 {
                result = result.multiply(base);
            }
            base = base.square();
            exponent >>= 1;
        }
        result
    }

    /// The nim-reciprocal; `None` for 0.
    ///
    /// In the field of `2^64` elements every nonzero x has `x^(2^64 - 1) = 1`.
    pub fn reciprocal(self) -> Option<Nimber> {
        (self.0 != 0).then(|| self.power(u64::MAX - 1))
    }

    /// The nim-quotient; `None` if the divisor is 0.
    pub fn divide(self, divisor: Nimber) -> Option<Nimber> {
        Some(self.multiply(divisor.reciprocal()?))
    }

    /// The nim-square root: the unique x with `x ⊗ x` equal to this nimber.
    pub fn square_root(self) -> Nimber {
        let mut x = self;
        for _ in 0..63 {
            x = x.square();
        }
        x
    }

    /// The least nimber that is not among the options: the value of an impartial position with these options (Sprague and
    /// Grundy).
    pub fn mex(options: impl IntoIterator<Item = Nimber>) -> Nimber {
        let mut seen: Vec<u64> = options.into_iter().map(|n| n.0).collect();
        seen.sort_unstable();
        let mut least = 0;
        for n in seen {
            if n == least {
                least += 1;
            }
        }
        Nimber(least)
    }
}

// The product of two nimbers of at most 2*half bits. The recursion is at most six deep.
fn product(a: u64, b: u64, half: u32) -> u64 {
    if a <= 1 || b <= 1 {
        return a * b;
    }
    if half == 0 {
        return a & b;
    }
    let mask = (1u64 << half) - 1;
    if a <= mask && b <= mask {
        return product(a, b, half / 2);
    }
    let (a1, a0, b1, b0) = (a >> half, a & mask, b >> half, b & mask);
    let low = product(a0, b0, half / 2);
    let high = product(a1, b1, half / 2);
    let cross = product(a1 ^ a0, b1 ^ b0, half / 2) ^ low;
    // F⊗F = F ⊕ F/2 with F = 2^half.
    let folded = product(high, 1u64 << (half - 1), half / 2);
    (cross << half) ^ low ^ folded
}

impl fmt::Display for Nimber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            0 => write!(f, "0"),
            1 => write!(f, "*"),
            n => write!(f, "*{n}"),
        }
    }
}

impl fmt::Debug for Nimber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // The definition (On Numbers and Games, chapter 6): a⊗b = mex { a'⊗b ⊕ a⊗b' ⊕ a'⊗b' } over a' < a, b' < b.
    #[test]
    fn product_by_definition() {
        let n = 40;
        let mut table = vec![vec![0u64; n]; n];
        for a in 0..n {
            for b in 0..n {
                let mut seen = Vec::new();
                for c in 0..a {
                    for d in 0..b {
                        seen.push(Nimber(table[c][b] ^ table[a][d] ^ table[c][d]));
                    }
                }
                table[a][b] = Nimber::mex(seen).0;
                assert_eq!(
                    Nimber(a as u64).multiply(Nimber(b as u64)).0,
                    table[a][b],
                    "{a} {b}"
                );
            }
        }
    }

    #[test]
    fn field_laws() {
        let mut x = 0x9e37_79b9_7f4a_7c15u64;
        let mut next = || {
            x ^= x << 13;
            x ^= x >> 7;
            x ^= x << 17;
            Nimber(x)
        };
        for _ in 0..200 {
            let (a, b, c) = (next(), next(), next());
            assert_eq!(a.multiply(b), b.multiply(a));
            assert_eq!(a.multiply(b.multiply(c)), a.multiply(b).multiply(c));
            assert_eq!(a.multiply(b.add(c)), a.multiply(b).add(a.multiply(c)));
            assert_eq!(a.divide(b).unwrap().multiply(b), a);
            assert_eq!(a.square_root().square(), a);
        }
        assert_eq!(Nimber(5).divide(Nimber(0)), None);
    }
}
