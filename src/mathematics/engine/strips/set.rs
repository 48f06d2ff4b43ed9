//! Sets of at most 64 W moves, as bits, and their images under symmetries.

/// A set of moves.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Set<const W: usize>(pub(super) [u64; W]);

impl<const W: usize> Set<W> {
    pub(super) const EMPTY: Set<W> = Set([0; W]);

    #[inline]
    pub(super) fn is_empty(&self) -> bool {
        self.0.iter().all(|word| *word == 0)
    }

    #[inline]
    pub(super) fn count(&self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

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

    /// The lowest bit.
    #[inline]
    pub(super) fn first(&self) -> Option<usize> {
        let w = self.0.iter().position(|word| *word != 0)?;
        Some(64 * w + self.0[w].trailing_zeros() as usize)
    }

    /// Its bits, the lowest first.
    pub(super) fn bits(mut self) -> impl Iterator<Item = usize> {
        std::iter::from_fn(move || self.pop())
    }

    /// Removes the lowest bit and returns it.
    #[inline]
    pub(super) fn pop(&mut self) -> Option<usize> {
        let bit = self.first()?;
        self.0[bit / 64] &= self.0[bit / 64] - 1;
        Some(bit)
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

/// Symmetries of sets.
#[derive(Debug)]
pub(super) struct Images<const W: usize> {
    count: usize,
    /// For each four bits of a set, each value of them and each symmetry, the image.
    of_four: Vec<Set<W>>,
    /// For each bit and each symmetry, what the image of the bit removes.
    removed: Vec<Set<W>>,
}

impl<const W: usize> Images<W> {
    /// Each symmetry gives the image of every bit; each bit removes a set, its image the image of that set.
    pub(super) fn new(removes: &[Set<W>], symmetries: &[Vec<usize>]) -> Images<W> {
        let mut of_four = Vec::new();
        for first in (0..removes.len()).step_by(4) {
            for value in 0..16 {
                for map in symmetries {
                    let bits = (0..4).filter(|k| value >> k & 1 == 1);
                    let images = bits.filter_map(|k| map.get(first + k));
                    of_four.push(images.copied().collect());
                }
            }
        }
        let bits = 0..removes.len();
        let removed = bits.flat_map(|bit| symmetries.iter().map(move |map| removes[map[bit]]));
        Images {
            count: symmetries.len(),
            of_four,
            removed: removed.collect(),
        }
    }

    /// Lists the images of a set.
    pub(super) fn list(&self, set: &Set<W>, images: &mut Vec<Set<W>>) {
        images.clear();
        images.resize(self.count, Set::EMPTY);
        for (w, word) in set.0.iter().enumerate() {
            let (mut rest, mut row) = (*word, 16 * 16 * w);
            while rest != 0 {
                let all = &self.of_four[(row + (rest & 15) as usize) * self.count..];
                for (image, more) in images.iter_mut().zip(all) {
                    *image = image.or(more);
                }
                rest >>= 4;
                row += 16;
            }
        }
    }

    /// The least of a set and its images after a bit has removed its own, given the images of the set before.
    #[inline]
    pub(super) fn least(&self, option: &Set<W>, bit: usize, images: &[Set<W>]) -> Set<W> {
        let removed = &self.removed[bit * self.count..];
        let all = images.iter().zip(removed).map(|(i, r)| i.without(r));
        all.fold(*option, |a, b| if b.0 < a.0 { b } else { a })
    }
}
