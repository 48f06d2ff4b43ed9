//! Images of sets of instances: finds the least image of a set under the symmetries of a removal game, with a few word
//! operations for each four instances of the set.
//!
//! Each symmetry is checked: it maps instances to instances, those of one player to those of one player, and what an instance
//! disables to what its image disables. So a set and its images have isomorphic game trees, negatives of each other if the
//! players are exchanged. On a board with symmetries, most parts that a search meets are images of parts it has met.
//! Computing an image takes a fraction of the time of computing a key ([`super::key`]); keys still find parts that are
//! isomorphic without a symmetry of the board.

use super::removal::Removal;
use crate::game::Sign;

/// The most words that all images of one set may take together.
const MOST: usize = 32;

/// The symmetries as tables, without the identity.
#[derive(Clone, Debug)]
pub(super) struct Images {
    /// For each four instances, each subset of them, and each symmetry: the images of the instances in the subset.
    table: Vec<u64>,
    /// For each symmetry, whether it exchanges the players.
    exchanged: Vec<bool>,
}

impl Images {
    /// Builds the tables. A symmetry gives the image of each instance, and whether players are exchanged. `None` if no
    /// symmetry passes the check.
    pub(super) fn new<'a>(
        removal: &Removal,
        symmetries: impl Iterator<Item = (&'a [u32], bool)>,
    ) -> Option<Images> {
        let words = removal.words;
        let good: Vec<(&[u32], bool)> = symmetries
            .filter(|(map, exchanged)| removal.is_symmetry(map, *exchanged))
            .take(MOST / words)
            .collect();
        if good.is_empty() {
            return None;
        }
        let width = good.len() * words;
        let mut table = vec![0u64; 16 * words * 16 * width];
        for (row, images) in table.chunks_exact_mut(width).enumerate() {
            let (nibble, value) = (row / 16, row % 16);
            for (image, (map, _)) in images.chunks_exact_mut(words).zip(&good) {
                for k in (0..4).filter(|k| value >> k & 1 == 1) {
                    if let Some(to) = map.get(4 * nibble + k) {
                        image[*to as usize / 64] |= 1 << (to % 64);
                    }
                }
            }
        }
        Some(Images {
            table,
            exchanged: good.iter().map(|(_, exchanged)| *exchanged).collect(),
        })
    }

    /// The least of a set and its images.
    #[inline]
    pub(super) fn least<const W: usize>(&self, set: &[u64; W]) -> ([u64; W], Sign) {
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
        let mut best = (*set, Sign::Plus);
        for (image, exchanged) in all.chunks_exact(W).zip(&self.exchanged) {
            if let Some(image) = image.first_chunk::<W>()
                && *image < best.0
            {
                let sign = Sign::of_exchanged(*exchanged);
                best = (*image, sign);
            }
        }
        best
    }
}
