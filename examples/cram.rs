//! Cram on bitboards, written by hand against `game::Game`.
//!
//! Both players place dominoes in either direction (M. Gardner, *Scientific American* 230, 1974). A position is the set of
//! empty cells. Cells that are not connected belong to different components, and a component may be rotated and reflected.

use std::convert::Infallible;

use cgdsl::engine::Engine;
use cgdsl::game::{Analysis, Game, Limits, Player, Rules, Sign};

#[path = "common/plane.rs"]
mod plane;
use plane::Plane;

/// A rectangle of at most 64 cells.
pub struct Cram {
    plane: Plane,
}

impl Cram {
    /// The rectangle of `rows` by `columns` cells.
    pub fn new(rows: u32, columns: u32) -> Cram {
        Cram {
            plane: Plane::new(rows, columns),
        }
    }

    /// All cells empty.
    pub fn empty(&self) -> u64 {
        self.plane.all
    }

    // The places for vertical and horizontal dominoes among some cells, by their first cells.
    fn places(&self, cells: u64) -> [u64; 2] {
        let [north, _, _, west] = self.plane.shifted(cells);
        [cells & north, cells & west]
    }
}

impl Rules for Cram {
    /// The empty cells.
    type Position = u64;
    type Fault = Infallible;

    fn options(&self, cells: &u64, _: Player, options: &mut Vec<u64>) -> Result<(), Infallible> {
        let places = self.places(*cells);
        for (mut places, step) in places.into_iter().zip([self.plane.columns, 1]) {
            while places != 0 {
                let place = places & places.wrapping_neg();
                options.push(cells & !(place | place << step));
                places &= places - 1;
            }
        }
        Ok(())
    }
}

impl Game for Cram {
    type Key = plane::Key<2>;

    fn key(&self, part: &u64) -> (Self::Key, Sign) {
        let (key, _) = self.plane.least(*part, [*part, 0]);
        (key, Sign::Plus)
    }

    fn analysis(&self) -> &impl Analysis<Self> {
        self
    }
}

impl Analysis<Cram> for Cram {
    fn split(&self, cells: &u64, parts: &mut Vec<u64>) {
        let mut rest = cells & self.plane.beside(*cells);
        while rest != 0 {
            let mut part = rest & rest.wrapping_neg();
            loop {
                let more = part | (self.plane.beside(part) & rest);
                if more == part {
                    break;
                }
                part = more;
            }
            parts.push(part);
            rest &= !part;
        }
    }

    fn is_impartial(&self, _: &u64) -> bool {
        true
    }

    fn ends(&self) -> bool {
        true
    }

    fn is_faultless(&self) -> bool {
        true
    }

    fn dwindles(&self) -> bool {
        true
    }

    fn weight(&self, part: &u64) -> u32 {
        part.count_ones()
    }

    fn mobility(&self, part: &u64) -> Option<[u32; 2]> {
        let moves = self.places(*part).map(u64::count_ones).iter().sum();
        Some([moves; 2])
    }
}

/// Prints the nimbers of small boards, or of the board whose rows and columns are given.
#[allow(dead_code)]
pub fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut sizes = vec![(2, 2), (2, 3), (3, 3), (3, 4), (3, 5), (4, 5)];
    let arguments: Vec<u32> = std::env::args().skip(1).flat_map(|a| a.parse()).collect();
    if let [rows, columns] = arguments[..] {
        sizes = vec![(rows, columns)];
    }
    let engine = Engine::new(Limits::default());
    for (rows, columns) in sizes {
        let board = Cram::new(rows, columns);
        if let Some(nimber) = engine.nimber(&board, &board.empty())? {
            println!("{rows} x {columns}: *{nimber}");
        }
    }
    if std::env::var_os("STATS").is_some() {
        eprintln!("{:#?}", engine.statistics());
    }
    Ok(())
}
