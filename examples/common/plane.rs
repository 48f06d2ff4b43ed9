//! Sets of cells of a rectangle: read from pictures, grown into regions, and normalized under rotations and reflections of
//! the plane. Shared by several games written by hand.
#![allow(dead_code)]

use cgdsl::game::Sign;

/// A rectangle of at most 64 cells; cell (row, column) is the bit `row * columns + column`.
#[derive(Clone, Copy, Debug)]
pub struct Plane {
    /// Cells from top to bottom.
    pub rows: u32,
    /// Cells from left to right.
    pub columns: u32,
    /// All cells.
    pub all: u64,
    // The first and the last column, which have no neighbour to the west or east, respectively.
    first: u64,
    last: u64,
}

/// Pieces of two players and empty cells; all other cells are out of play.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Board {
    /// Left's pieces.
    pub left: u64,
    /// Right's pieces.
    pub right: u64,
    /// Empty cells.
    pub empty: u64,
}

impl Board {
    /// The part of the board within some cells.
    pub fn within(&self, cells: u64) -> Board {
        Board {
            left: self.left & cells,
            right: self.right & cells,
            empty: self.empty & cells,
        }
    }
}

/// The cells of each letter in a picture, whose rows are separated by `|`.
pub fn sets<const K: usize>(picture: &str, letters: [char; K]) -> [u64; K] {
    let cells = || picture.chars().filter(|c| *c != '|').enumerate();
    letters.map(|letter| {
        let at = cells().filter(|(_, c)| *c == letter);
        at.fold(0, |set, (i, _)| set | 1 << i)
    })
}

/// The closure of the lowest cell of a nonempty set under `more`.
pub fn region(cells: u64, more: impl Fn(u64) -> u64) -> u64 {
    let mut region = cells & cells.wrapping_neg();
    loop {
        let grown = region | more(region);
        if grown == region {
            return region;
        }
        region = grown;
    }
}

/// Height and width of the bounding box, and sets of cells in it.
pub type Key<const K: usize> = (u8, u8, [u64; K]);

impl Plane {
    /// The rectangle of `rows` by `columns` cells, 64 at most.
    pub fn new(rows: u32, columns: u32) -> Plane {
        assert!(rows > 0 && columns > 0 && columns < 64 && rows * columns <= 64);
        let first = (0..rows).fold(0, |set, row| set | 1 << (row * columns));
        Plane {
            rows,
            columns,
            all: u64::MAX >> (64 - rows * columns),
            first,
            last: first << (columns - 1),
        }
    }

    /// Sets of cells, shifted north, east, south and west.
    pub fn shifted(&self, cells: u64) -> [u64; 4] {
        [
            cells >> self.columns,
            (cells & !self.last) << 1,
            cells << self.columns & self.all,
            (cells & !self.first) >> 1,
        ]
    }

    /// The cells adjacent to a set.
    pub fn beside(&self, cells: u64) -> u64 {
        let [n, e, s, w] = self.shifted(cells);
        n | e | s | w
    }

    /// The cells that a king reaches from a set.
    pub fn around(&self, cells: u64) -> u64 {
        let [_, e, _, w] = self.shifted(cells);
        let row = cells | e | w;
        (row | row << self.columns | row >> self.columns) & self.all & !cells
    }

    /// Reads a picture of `x` (Left), `o` (Right) and `.`.
    pub fn board(&self, picture: &str) -> Board {
        let [left, right, empty] = sets(picture, ['x', 'o', '.']);
        Board { left, right, empty }
    }

    /// The key of a position of two colours, which are exchanged in its negative.
    pub fn board_key(&self, board: &Board) -> (Key<3>, Sign) {
        let all = board.left | board.right | board.empty;
        self.least(all, [board.left, board.right, board.empty])
    }

    // The height and width of the bounding box of the nonempty set `within`, and the eight images of some sets of cells in
    // it: the first four keep rows and columns, the others exchange them.
    fn images<const K: usize>(&self, within: u64, sets: [u64; K]) -> (u32, u32, [[u64; K]; 8]) {
        let (mut top, mut west, mut bottom, mut east) = (u32::MAX, u32::MAX, 0, 0);
        let mut rest = within;
        while rest != 0 {
            let bit = rest.trailing_zeros();
            rest &= rest - 1;
            let (row, column) = (bit / self.columns, bit % self.columns);
            (top, bottom) = (top.min(row), bottom.max(row));
            (west, east) = (west.min(column), east.max(column));
        }
        let (h, w) = (bottom - top + 1, east - west + 1);
        let mut images = [[0u64; K]; 8];
        for (k, set) in sets.iter().enumerate() {
            let mut rest = *set;
            while rest != 0 {
                let bit = rest.trailing_zeros();
                rest &= rest - 1;
                let (r, c) = (bit / self.columns - top, bit % self.columns - west);
                let (s, d) = (h - 1 - r, w - 1 - c);
                for (i, (r, c)) in [(r, c), (r, d), (s, c), (s, d)].into_iter().enumerate() {
                    images[i][k] |= 1 << (r * w + c);
                    images[i + 4][k] |= 1 << (c * h + r);
                }
            }
        }
        (h, w, images)
    }

    /// The least image of some sets of cells in the bounding box of `within`. Also considers the images with the first two
    /// sets exchanged, which represent the negative.
    pub fn least<const K: usize>(&self, within: u64, sets: [u64; K]) -> (Key<K>, Sign) {
        if within == 0 {
            return ((0, 0, sets), Sign::Plus);
        }
        let (h, w, images) = self.images(within, sets);
        let mut least = ((u8::MAX, u8::MAX, [0; K]), Sign::Plus);
        for (i, image) in images.into_iter().enumerate() {
            let (h, w) = if i < 4 { (h, w) } else { (w, h) };
            let mut negative = image;
            negative.swap(0, 1);
            for (sets, sign) in [(image, Sign::Plus), (negative, Sign::Minus)] {
                let key = (h as u8, w as u8, sets);
                if key < least.0 {
                    least = (key, sign);
                }
            }
        }
        least
    }

    /// The least image of some sets of cells, where a quarter turn of the plane represents the negative.
    pub fn least_turned<const K: usize>(&self, within: u64, sets: [u64; K]) -> (Key<K>, Sign) {
        if within == 0 {
            return ((0, 0, sets), Sign::Plus);
        }
        let (h, w, images) = self.images(within, sets);
        let least = |some: &[[u64; K]]| some.iter().copied().min().unwrap_or(sets);
        let plus = (h as u8, w as u8, least(&images[..4]));
        let minus = (w as u8, h as u8, least(&images[4..]));
        if minus < plus {
            (minus, Sign::Minus)
        } else {
            (plus, Sign::Plus)
        }
    }
}
