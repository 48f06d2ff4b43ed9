//! Images of sets of bits, where the image of a set is the union of the images of its bits: finds the least image with a few
//! word operations for each four bits.
//!
//! In removal games the bits are instances. Each symmetry is checked: it maps instances to instances, those of one player to
//! those of one player, and what an instance disables to what its image disables. So a set and its images have isomorphic game
//! trees, negatives of each other if the players are exchanged. On a board with symmetries, most parts that a search meets are
//! images of parts it has met. Computing an image takes a fraction of the time of computing a key ([`super::key`]); keys still
//! find parts that are isomorphic without a symmetry of the board.
//!
//! In other games the bits are those of a state, and the symmetries come from [`super::key::symmetries`].

use crate::game::Sign;
use std::num::NonZero;

/// The most words that all images of one set may take together.
const MOST: usize = 32;

/// The symmetries as tables, without the identity.
#[derive(Clone, Debug)]
pub(super) struct Images {
    /// For each four bits, each value of them, and each symmetry: the image of the bits that are set.
    table: Vec<u64>,
    /// For each symmetry, whether it exchanges the players.
    pub exchanged: Vec<bool>,
}

impl Images {
    /// How many symmetries of sets of `words` words fit in one table.
    pub(super) fn fit(words: usize) -> usize {
        MOST / words.max(1)
    }

    /// Tables for sets of `words` words, as few as can be. A symmetry gives the image of each bit, in `words` words, and
    /// whether the players are exchanged.
    pub(super) fn new<B: AsRef<[u64]>>(words: usize, symmetries: &[(B, bool)]) -> Vec<Images> {
        let Some(fit) = NonZero::new(Images::fit(words)) else {
            return Vec::new();
        };
        let tables = symmetries.chunks(fit.get());
        tables.map(|some| Images::of(words, some)).collect()
    }

    fn of<B: AsRef<[u64]>>(words: usize, symmetries: &[(B, bool)]) -> Images {
        let width = symmetries.len() * words;
        let mut table = vec![0u64; 16 * words * 16 * width];
        for (row, images) in table.chunks_exact_mut(width).enumerate() {
            let (nibble, value) = (row / 16, row % 16);
            for (image, (bits, _)) in images.chunks_exact_mut(words).zip(symmetries) {
                for k in (0..4).filter(|k| value >> k & 1 == 1) {
                    let of_bit = bits.as_ref().chunks_exact(words).nth(4 * nibble + k);
                    let of_bit = of_bit.into_iter().flatten();
                    image.iter_mut().zip(of_bit).for_each(|(w, bit)| *w |= bit);
                }
            }
        }
        Images {
            table,
            exchanged: symmetries.iter().map(|(_, exchanged)| *exchanged).collect(),
        }
    }

    /// The least of a set and its images.
    #[inline]
    pub(super) fn least<const W: usize>(&self, set: &[u64; W]) -> ([u64; W], Sign) {
        self.least_from(set, (*set, Sign::Plus))
    }

    /// The least of some set, with its sign, and the images of another.
    #[inline]
    pub(super) fn least_from<const W: usize>(
        &self,
        set: &[u64; W],
        mut best: ([u64; W], Sign),
    ) -> ([u64; W], Sign) {
        let width = self.exchanged.len() * W;
        let mut all = [0u64; MOST];
        let all = &mut all[..width.min(MOST)];
        for (w, word) in set.iter().enumerate() {
            let (mut rest, mut row) = (*word, 256 * w);
            while rest != 0 {
                let images = &self.table[(row + (rest & 15) as usize) * width..][..width];
                for (a, i) in all.iter_mut().zip(images) {
                    *a |= i;
                }
                rest >>= 4;
                row += 16;
            }
        }
        for (image, exchanged) in all.chunks_exact(W).zip(&self.exchanged) {
            if let Some(image) = image.first_chunk::<W>()
                && *image < best.0
            {
                best = (*image, Sign::of_exchanged(*exchanged));
            }
        }
        best
    }
}

/// The image of each bit under a permutation, in `words` words.
pub(super) fn rows(permutation: impl IntoIterator<Item = usize>, words: usize) -> Vec<u64> {
    let row = |to: usize| (0..words).map(move |w| u64::from(to / 64 == w) << (to % 64));
    permutation.into_iter().flat_map(row).collect()
}
