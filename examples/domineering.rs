//! Domineering on bitboards, written by hand against `game::Game`.
//!
//! Left places vertical dominoes, Right horizontal ones (Göran Andersson; *Winning Ways*, chapter 5). A position is the set
//! of empty cells. Cells that are not connected belong to different components. A rotation or reflection of a component
//! preserves its value if vertical dominoes stay vertical, and negates it if they become horizontal.

use std::convert::Infallible;

use cgdsl::engine::Engine;
use cgdsl::game::{Analysis, Game, Limits, Player, Rules, Sign};
use cgdsl::value::notation::{Style, print};

/// A board of at most 64 cells.
pub struct Domineering {
    rows: u32,
    columns: u32,
    // The first and the last column, which have no neighbour to the west or east, respectively.
    first: u64,
    last: u64,
}

impl Domineering {
    /// The board of `rows` by `columns` cells, 64 at most.
    pub fn new(rows: u32, columns: u32) -> Domineering {
        assert!(rows > 0 && columns > 0 && rows * columns <= 64);
        let first = (0..rows).fold(0, |set, row| set | 1 << (row * columns));
        Domineering {
            rows,
            columns,
            first,
            last: first << (columns - 1),
        }
    }

    /// The position with all cells empty.
    pub fn empty(&self) -> u64 {
        u64::MAX >> (64 - self.rows * self.columns)
    }

    fn south(&self, cells: u64) -> u64 {
        if self.columns < 64 {
            cells << self.columns
        } else {
            0
        }
    }

    fn north(&self, cells: u64) -> u64 {
        if self.columns < 64 {
            cells >> self.columns
        } else {
            0
        }
    }

    fn neighbours(&self, cells: u64) -> u64 {
        self.south(cells)
            | self.north(cells)
            | (cells & !self.last) << 1
            | (cells & !self.first) >> 1
    }
}

/// The least of the images of a shape, and its sign: minus if rows and columns are exchanged.
///
/// `cells` are the bits `row * columns + column` of the board.
fn least_image(cells: u64, columns: u32) -> ((u8, u8, u64), Sign) {
    if cells == 0 {
        return ((0, 0, 0), Sign::Plus);
    }
    let mut places = [(0u32, 0u32); 64];
    let mut count = 0;
    let (mut top, mut west, mut bottom, mut east) = (u32::MAX, u32::MAX, 0, 0);
    let mut rest = cells;
    while rest != 0 {
        let bit = rest.trailing_zeros();
        rest &= rest - 1;
        let (row, column) = (bit / columns, bit % columns);
        places[count] = (row, column);
        count += 1;
        (top, bottom) = (top.min(row), bottom.max(row));
        (west, east) = (west.min(column), east.max(column));
    }
    let (h, w) = (bottom - top + 1, east - west + 1);
    let mut plus = [0u64; 4];
    let mut minus = [0u64; 4];
    for (row, column) in &places[..count] {
        let (r, c) = (row - top, column - west);
        let (s, d) = (h - 1 - r, w - 1 - c);
        for (image, (r, c)) in [(r, c), (r, d), (s, c), (s, d)].into_iter().enumerate() {
            plus[image] |= 1 << (r * w + c);
            minus[image] |= 1 << (c * h + r);
        }
    }
    let least = |images: [u64; 4]| images.into_iter().min().unwrap_or(0);
    let plus = (h as u8, w as u8, least(plus));
    let minus = (w as u8, h as u8, least(minus));
    if minus < plus {
        (minus, Sign::Minus)
    } else {
        (plus, Sign::Plus)
    }
}

impl Rules for Domineering {
    /// The empty cells: bit `row * columns + column`.
    type Position = u64;
    type Fault = Infallible;

    fn options(
        &self,
        empty: &u64,
        player: Player,
        options: &mut Vec<u64>,
    ) -> Result<(), Infallible> {
        let (mut places, step) = if player == Player::LEFT {
            (empty & self.north(*empty), self.columns)
        } else {
            (empty & (empty >> 1) & !self.last, 1)
        };
        while places != 0 {
            let place = places & places.wrapping_neg();
            options.push(empty & !(place | place << step));
            places &= places - 1;
        }
        Ok(())
    }
}

impl Game for Domineering {
    /// Height, width and cells of the least image.
    type Key = (u8, u8, u64);

    fn key(&self, part: &u64) -> ((u8, u8, u64), Sign) {
        least_image(*part, self.columns)
    }

    fn analysis(&self) -> &impl Analysis<Self> {
        self
    }
}

impl Analysis<Domineering> for Domineering {
    fn split(&self, empty: &u64, parts: &mut Vec<u64>) {
        // An isolated cell allows no move.
        let mut rest = empty & self.neighbours(*empty);
        while rest != 0 {
            let mut part = rest & rest.wrapping_neg();
            loop {
                let more = part | (self.neighbours(part) & rest);
                if more == part {
                    break;
                }
                part = more;
            }
            parts.push(part);
            rest &= !part;
        }
    }

    fn ends(&self) -> bool {
        true
    }

    fn is_faultless(&self) -> bool {
        true
    }

    fn mobility(&self, empty: &u64) -> Option<[u32; 2]> {
        let upright = empty & self.north(*empty);
        let lying = empty & (empty >> 1) & !self.last;
        Some([upright.count_ones(), lying.count_ones()])
    }
}

/// Prints the values of small boards, or of the board whose rows and columns are given.
#[allow(dead_code)]
pub fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut sizes = vec![(2, 2), (2, 3), (3, 3), (4, 4), (4, 5), (5, 5)];
    let arguments: Vec<u32> = std::env::args().skip(1).flat_map(|a| a.parse()).collect();
    if let [rows, columns] = arguments[..] {
        sizes = vec![(rows, columns)];
    }
    let mut limits = Limits::default();
    if let Some(bytes) = std::env::var("MEMORY")
        .ok()
        .and_then(|bytes| bytes.parse().ok())
    {
        limits.memory = bytes;
    }
    let engine = Engine::new(limits);
    for (rows, columns) in sizes {
        let board = Domineering::new(rows, columns);
        let value = engine.value(&board, &board.empty())?;
        let forms = engine.forms();
        println!("{rows} x {columns}: {}", print(forms, value, Style::Ascii));
    }
    if std::env::var_os("STATS").is_some() {
        eprintln!("{:#?}", engine.statistics());
    }
    Ok(())
}
