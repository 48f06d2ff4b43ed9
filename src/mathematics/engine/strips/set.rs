//! Sets of at most 64 W moves, as bits, and their images under symmetries.

/// A set of moves.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Set<const W: usize>(pub(super) [u64; W]);

impl<const W: usize> Set<W> {
    pub(super) const EMPTY: Set<W> = Set([0; W]);

    #[inline]
    pub(super) fn has(&self, bit: usize) -> bool {
        self.0[bit / 64] >> (bit % 64) & 1 == 1
    }

    #[inline]
    pub(super) fn without(&self, other: &Set<W>) -> Set<W> {
        Set(std::array::from_fn(|w| self.0[w] & !other.0[w]))
    }

    #[inline]
    pub(super) fn and(&self, other: &Set<W>) -> Set<W> {
        Set(std::array::from_fn(|w| self.0[w] & other.0[w]))
    }

    #[inline]
    pub(super) fn or(&self, other: &Set<W>) -> Set<W> {
        Set(std::array::from_fn(|w| self.0[w] | other.0[w]))
    }

    /// Removes the lowest bit and returns it.
    #[inline]
    pub(super) fn pop(&mut self) -> Option<usize> {
        let w = self.0.iter().position(|word| *word != 0)?;
        let bit = self.0[w].trailing_zeros() as usize;
        self.0[w] &= self.0[w] - 1;
        Some(64 * w + bit)
    }
}

impl<const W: usize> FromIterator<usize> for Set<W> {
    fn from_iter<I: IntoIterator<Item = usize>>(bits: I) -> Set<W> {
        let mut set = Set::EMPTY;
        bits.into_iter()
            .for_each(|b| set.0[b / 64] |= 1 << (b % 64));
        set
    }
}

/// Symmetries of sets: for each four bits of a set, each value of them and each symmetry, the image.
#[derive(Debug)]
pub(super) struct Images<const W: usize> {
    table: Vec<Set<W>>,
    count: usize,
}

impl<const W: usize> Images<W> {
    /// Each symmetry gives the image of every bit of `bits`.
    pub(super) fn new(bits: usize, symmetries: &[Vec<usize>]) -> Images<W> {
        let count = symmetries.len();
        let mut table = Vec::new();
        for nibble in 0..bits.div_ceil(4) {
            for value in 0..16 {
                for map in symmetries {
                    let own = (0..4).filter(|k| value >> k & 1 == 1);
                    table.push(
                        own.filter_map(|k| map.get(4 * nibble + k))
                            .copied()
                            .collect(),
                    );
                }
            }
        }
        Images { table, count }
    }

    /// The least of a set and its images.
    #[inline]
    pub(super) fn least(&self, set: &Set<W>) -> Set<W> {
        let mut best = *set;
        for symmetry in 0..self.count {
            let mut image = Set::EMPTY;
            for (w, word) in set.0.iter().enumerate() {
                let (mut rest, mut nibble) = (*word, 16 * w);
                while rest != 0 {
                    let row = 16 * nibble + (rest & 15) as usize;
                    image = image.or(&self.table[row * self.count + symmetry]);
                    rest >>= 4;
                    nibble += 1;
                }
            }
            if image.0 < best.0 {
                best = image;
            }
        }
        best
    }
}
