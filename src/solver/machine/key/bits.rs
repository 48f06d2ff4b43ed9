//! Patterns of small boards with one bit for each cell, as one word of eight rows of eight bits: finds the least image of a
//! part with a few word operations, where the plain way ([`super::pattern`]) looks at every cell. Both give the same key.

use super::PATTERN;
use super::pattern::Image;
use smallvec::SmallVec;

/// The most rows, and the most columns, of a board.
const SIDE: u8 = 8;

/// Cells that are adjacent both in the state and on the board.
#[derive(Clone, Copy, Debug)]
struct Run {
    word: usize,
    from: u32,
    mask: u64,
    to: u32,
}

/// The places of the cells of a board in a word of eight rows of eight bits.
#[derive(Clone, Debug)]
pub(super) struct Bits {
    runs: Vec<Run>,
}

impl Bits {
    /// Takes the row and column of each cell, with its word and bit in the state; `None` if the board is too large.
    pub(super) fn new(cells: impl Iterator<Item = ((u8, u8), (usize, u32))>) -> Option<Bits> {
        let mut runs: Vec<Run> = Vec::new();
        for ((row, column), (word, bit)) in cells {
            if row >= SIDE || column >= SIDE {
                return None;
            }
            let to = u32::from(row * SIDE + column);
            match runs.last_mut() {
                Some(run)
                    if run.word == word
                        && bit == run.from + run.mask.trailing_ones()
                        && to == run.to + run.mask.trailing_ones() =>
                {
                    run.mask = run.mask << 1 | 1;
                }
                _ => runs.push(Run {
                    word,
                    from: bit,
                    mask: 1,
                    to,
                }),
            }
        }
        Some(Bits { runs })
    }

    /// The words of the key of a part, for the rules with this name number, and the index of the image that they show. The
    /// part covers at least one cell.
    pub(super) fn key<const N: usize>(
        &self,
        part: &[u64; N],
        name: u64,
        images: &[Image],
    ) -> ([u64; 2], usize) {
        let mut board = 0u64;
        for run in &self.runs {
            board |= (part[run.word] >> run.from & run.mask) << run.to;
        }
        // Move the cells to the top row and the left column.
        board >>= board.trailing_zeros() & !7;
        let columns = {
            let halves = board | board >> 32;
            let quarters = halves | halves >> 16;
            (quarters | quarters >> 8) & 0xff
        };
        board >>= columns.trailing_zeros();
        let h = u64::from(8 - board.leading_zeros() / 8);
        let w = u64::from(64 - columns.leading_zeros() - columns.trailing_zeros());
        let all = u64::from(board.count_ones());
        let count = |mask: u64| u64::from((board & mask).count_ones());
        let rows = count(0xff00_ff00_ff00_ff00)
            + 2 * count(0xffff_0000_ffff_0000)
            + 4 * count(0xffff_ffff_0000_0000);
        let columns = count(0xaaaa_aaaa_aaaa_aaaa)
            + 2 * count(0xcccc_cccc_cccc_cccc)
            + 4 * count(0xf0f0_f0f0_f0f0_f0f0);
        // As in the plain way: the least shape, then the least sums of rows and columns, then the least word.
        let rank = |image: &Image| {
            let (h, w, rows, columns) = image.rank(all, (h, w, rows, columns));
            // Shapes are below 16, sums below 512.
            h << 48 | w << 32 | rows << 16 | columns
        };
        let ranks: SmallVec<[u64; 16]> = images.iter().map(rank).collect();
        let low = ranks.iter().min().copied();
        let mut best = None::<([u64; 2], usize)>;
        for (i, image) in images.iter().enumerate() {
            if ranks.get(i).copied() != low {
                continue;
            }
            let (turned, h, w) = if image.turn.0 {
                (transposed(board), w, h)
            } else {
                (board, h, w)
            };
            let turned = if image.turn.1 {
                turned.swap_bytes() >> (64 - 8 * h)
            } else {
                turned
            };
            let turned = if image.turn.2 {
                turned.reverse_bits().swap_bytes() >> (8 - w)
            } else {
                turned
            };
            // The rows, packed without gaps.
            let mut word = 0;
            for row in 0..h {
                word |= (turned >> (8 * row) & 0xff) << (w * row);
            }
            let key = [PATTERN | name << 16 | h << 8 | w, word];
            if best.is_none_or(|(least, _)| key < least) {
                best = Some((key, i));
            }
        }
        best.unwrap_or_default()
    }
}

/// Exchanges rows and columns.
pub(super) fn transposed(x: u64) -> u64 {
    let swap = |x: u64, mask: u64, by: u32| {
        let t = (x ^ x >> by) & mask;
        x ^ t ^ t << by
    };
    let x = swap(x, 0x00aa_00aa_00aa_00aa, 7);
    let x = swap(x, 0x0000_cccc_0000_cccc, 14);
    swap(x, 0x0000_0000_f0f0_f0f0, 28)
}
