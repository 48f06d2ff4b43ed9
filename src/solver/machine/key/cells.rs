//! Patterns of small boards whose cells have several values: finds the least image of a part. A part is a set of cells for
//! each value, as in a program written by hand, where the plain way ([`super::pattern`]) looks at every cell of every image.
//! Both give the same key.
//!
//! The sets are combined from tables over a few fields at a time. The tables also hold the number of the cells and the sums
//! of their rows and columns, which are compared first. A board is one word: eight rows of eight cells, or one row of 64.

use super::PATTERN;
use super::bits::transposed;
use super::pattern::Image;
use crate::machine::pack::Field;
use smallvec::SmallVec;

/// The most rows, and the most columns, of a board; and the most columns of a board of one row.
const SIDE: u8 = 8;
const LONGEST: u8 = 64;
/// The most values of cells other than the value with all bits clear.
const MOST_VALUES: usize = 6;
/// The most bits of several fields that share a table. (A wider field has a table of its own.)
const TOGETHER: u32 = 6;
/// The most entries of all tables.
const MOST_ENTRIES: usize = 1 << 12;
/// The first bits of the sums of the rows and of the columns; the number of cells is below them.
const ROWS: u32 = 16;
const COLUMNS: u32 = 32;
/// Marks an entry with bits that encode no value.
const NO_VALUE: u64 = 1 << 63;

/// The cells of a table that have some value: their set, their number, and the sums of their rows and columns.
#[derive(Clone, Copy, Debug, Default)]
struct Held {
    set: u64,
    sums: u64,
}

/// Adjacent fields.
#[derive(Clone, Copy, Debug)]
struct Chunk {
    word: usize,
    shift: u32,
    mask: u64,
    // Index of its first entry.
    table: usize,
}

/// The tables that keys of a board are computed with.
#[derive(Clone, Debug)]
pub(super) struct Cells {
    /// Whether the board is one row.
    strip: bool,
    /// Bits of a cell in a key.
    width: u32,
    values: usize,
    chunks: Vec<Chunk>,
    /// By entry, then by value.
    held: Vec<Held>,
    /// By kind of image, then by value: the code of the value in a key.
    codes: Vec<u64>,
    /// For each byte, its bits at the distance of the cells in a key.
    spread: Box<[u64]>,
}

impl Cells {
    /// Takes the fields, the row and column of each, and the code of each of its patterns in a key; `None` if they do not
    /// fit.
    pub(super) fn new(
        fields: &[Field],
        cells: &[(u8, u8)],
        width: u32,
        code: impl Fn(usize, u64) -> u64,
        images: &[Image],
    ) -> Option<Cells> {
        let (rows, columns) = cells.iter().fold((0, 0), |(r, c), cell| {
            (r.max(cell.0 + 1), c.max(cell.1 + 1))
        });
        let strip = rows == 1;
        if width == 0 || rows > SIDE || columns > if strip { LONGEST } else { SIDE } {
            return None;
        }
        let at = |(r, c): (u8, u8)| u32::from(if strip { c } else { r * SIDE + c });
        let mut values: Vec<u64> = Vec::new();
        for (i, f) in fields.iter().enumerate() {
            for pattern in f.patterns.iter().filter(|p| **p != 0) {
                let code = code(i, *pattern);
                if code == 0 || code >> width != 0 {
                    return None;
                }
                if !values.contains(&code) {
                    values.push(code);
                }
            }
        }
        if values.len() > MOST_VALUES {
            return None;
        }
        let mut found = Cells {
            strip,
            width,
            values: values.len(),
            chunks: Vec::new(),
            held: Vec::new(),
            codes: Vec::new(),
            spread: (0..256u64)
                .map(|byte| {
                    let bits = (0..8).filter(|k| byte >> k & 1 == 1 && k * width < 64);
                    bits.fold(0, |out, k| out | 1 << (k * width))
                })
                .collect(),
        };
        let mut next = 0;
        let mut entries = 0usize;
        while let Some(first) = fields.get(next) {
            let mut bits = 0;
            let mut end = next;
            while let Some(f) = fields.get(end)
                && f.word == first.word
                && f.shift == first.shift + bits
                && (bits == 0 || bits + f.mask.count_ones() <= TOGETHER)
            {
                bits += f.mask.count_ones();
                end += 1;
            }
            let table = entries;
            entries += 1 << bits;
            if entries > MOST_ENTRIES {
                return None;
            }
            found.chunks.push(Chunk {
                word: first.word,
                shift: first.shift,
                mask: (1 << bits) - 1,
                table,
            });
            for entry in 0..1u64 << bits {
                let from = found.held.len();
                found.held.resize(from + values.len(), Held::default());
                let own = &mut found.held[from..];
                for i in next..end {
                    let f = &fields[i];
                    let bits = entry >> (f.shift - first.shift) & f.mask >> f.shift;
                    if bits == 0 {
                        continue;
                    }
                    let known = f.patterns.contains(&bits);
                    let value = values.iter().position(|v| known && *v == code(i, bits));
                    match value {
                        Some(v) => {
                            let (r, c) = cells[i];
                            own[v].set |= 1 << at((r, c));
                            own[v].sums += 1 + (u64::from(r) << ROWS) + (u64::from(c) << COLUMNS);
                        }
                        None => {
                            if let Some(first) = own.first_mut() {
                                first.sums |= NO_VALUE;
                            }
                        }
                    }
                }
            }
            next = end;
        }
        let kinds = images.iter().map(Image::kind).max()?;
        for kind in 0..=kinds {
            let image = images.iter().find(|image| image.kind() == kind)?;
            found.codes.extend(values.iter().map(|v| image.code(*v)));
        }
        Some(found)
    }

    /// The words of the key of a part, for the rules with this name number, and the index of the image that they show; `None`
    /// if one word is too small for the part, or if some bits encode no value.
    pub(super) fn key<const N: usize>(
        &self,
        part: &[u64; N],
        name: u64,
        images: &[Image],
    ) -> Option<([u64; 2], usize)> {
        let mut sets = [0u64; MOST_VALUES];
        let mut sums = [0u64; MOST_VALUES];
        let n = self.values.min(MOST_VALUES);
        for chunk in &self.chunks {
            let bits = (part[chunk.word] >> chunk.shift & chunk.mask) as usize;
            let held = &self.held[(chunk.table + bits) * self.values..][..n];
            for (v, held) in held.iter().enumerate() {
                sets[v] |= held.set;
                sums[v] |= held.sums & NO_VALUE;
                sums[v] += held.sums & !NO_VALUE;
            }
        }
        let board = sets.iter().fold(0, |all, set| all | set);
        if board == 0 || sums[0] & NO_VALUE != 0 {
            return None;
        }
        let (top, west, h, w) = if self.strip {
            let west = board.trailing_zeros();
            (0, west, 1, 64 - board.leading_zeros() - west)
        } else {
            let top = board.trailing_zeros() / 8;
            let columns = {
                let halves = board | board >> 32;
                let quarters = halves | halves >> 16;
                (quarters | quarters >> 8) & 0xff
            };
            let west = columns.trailing_zeros();
            let east = 64 - columns.leading_zeros();
            (top, west, 8 - board.leading_zeros() / 8 - top, east - west)
        };
        if h * w * self.width > 64 {
            return None;
        }
        for set in &mut sets[..n] {
            *set >>= u32::from(SIDE) * top + west;
        }
        // As in the plain way: the least shape, then the least sums of rows and columns, then the least word.
        let mut ranks: SmallVec<[(u64, u64, u64, u64); 16]> = SmallVec::new();
        let mut low = None;
        if images.len() > 1 {
            let mut last = (usize::MAX, (0, 0, 0));
            for image in images {
                if last.0 != image.kind() {
                    let (mut all, mut rows, mut columns) = (0, 0, 0);
                    let codes = &self.codes[image.kind() * self.values..][..n];
                    for (code, sums) in codes.iter().zip(&sums) {
                        let count = sums & 0xffff;
                        all += code * count;
                        rows += code * ((sums >> ROWS & 0xffff) - u64::from(top) * count);
                        columns += code * ((sums >> COLUMNS) - u64::from(west) * count);
                    }
                    last = (image.kind(), (all, rows, columns));
                }
                let (all, rows, columns) = last.1;
                let rank = image.rank(all, (u64::from(h), u64::from(w), rows, columns));
                if low.is_none_or(|low| rank < low) {
                    low = Some(rank);
                }
                ranks.push(rank);
            }
        }
        let mut best = None::<([u64; 2], usize)>;
        for (i, image) in images.iter().enumerate() {
            if ranks.get(i).copied() != low {
                continue;
            }
            let (h2, w2) = if image.turn.0 { (w, h) } else { (h, w) };
            let mut word = 0;
            let codes = &self.codes[image.kind() * self.values..][..n];
            for (set, code) in sets.iter().zip(codes) {
                word |= self.spread(self.turned(*set, image.turn, h2, w2)) * code;
            }
            let head = PATTERN | name << 16 | u64::from(h2) << 8 | u64::from(w2);
            let key = [head, word];
            if best.is_none_or(|(least, _)| key < least) {
                best = Some((key, i));
            }
        }
        best
    }

    /// The image of a set of cells in the top left corner of the board, its rows packed without gaps.
    #[inline]
    fn turned(&self, set: u64, turn: (bool, bool, bool), h: u32, w: u32) -> u64 {
        if self.strip {
            return if turn.2 {
                set.reverse_bits() >> (64 - w)
            } else {
                set
            };
        }
        let set = if turn.0 { transposed(set) } else { set };
        let set = if turn.1 {
            set.swap_bytes() >> (64 - 8 * h)
        } else {
            set
        };
        let set = if turn.2 {
            set.reverse_bits().swap_bytes() >> (8 - w)
        } else {
            set
        };
        (0..h).fold(0, |out, row| out | (set >> (8 * row) & 0xff) << (w * row))
    }

    /// Moves the bits of a set to the distance of the cells in a key.
    #[inline]
    fn spread(&self, set: u64) -> u64 {
        let (mut out, mut rest, mut at) = (0, set, 0);
        while rest != 0 {
            out |= self.spread[(rest & 0xff) as usize] << at;
            rest >>= 8;
            at += 8 * self.width;
        }
        out
    }
}
