//! Pseudo-random numbers for tests (G. Marsaglia, *Xorshift RNGs*, 2003).

/// A generator with its state, which is not 0.
pub(super) struct Random(pub u64);

impl Random {
    /// A number below `n`, which is not 0.
    pub(super) fn below(&mut self, n: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 16) % n
    }
}
