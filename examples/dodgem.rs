//! Dodgem, written by hand as `game::Rules`: Left drives cars east and off the board, Right north; a player who cannot move
//! wins. Boards are at most five by five; cell (row, column) is the bit `row * n + column`.
//!
//! The reflection in the diagonal through the corner without cars exchanges the players.

use cgdsl::engine::arena::{Arena, Fate};
use cgdsl::game::{Budget, Cancel, Convention, Limits, Player, Rules};
use std::convert::Infallible;
use std::time::Instant;

/// The cars of Left and of Right.
pub type Cars = [u32; 2];

/// An n by n board.
#[derive(Clone, Debug)]
pub struct Dodgem {
    n: u32,
    all: u32,
    first: u32,
    last: u32,
}

impl Dodgem {
    /// The board; n is from 2 to 5.
    pub fn new(n: u32) -> Dodgem {
        let first = (0..n).fold(0, |set, i| set | 1 << (i * n));
        Dodgem {
            n,
            all: (1 << (n * n)) - 1,
            first,
            last: first << (n - 1),
        }
    }

    /// Left's cars are in the first column, Right's in the last row; the corner between them is empty.
    pub fn start(&self) -> Cars {
        let corner = 1 << (self.n * (self.n - 1));
        let row = ((1 << self.n) - 1) << (self.n * (self.n - 1));
        [self.first & !corner, row & !corner]
    }

    fn reflected(&self, mut set: u32) -> u32 {
        let mut image = 0;
        while set != 0 {
            let at = set.trailing_zeros();
            set &= set - 1;
            let (row, column) = (at / self.n, at % self.n);
            image |= 1 << ((self.n - 1 - column) * self.n + self.n - 1 - row);
        }
        image
    }
}

impl Rules for Dodgem {
    type Position = Cars;
    type Fault = Infallible;

    fn convention(&self) -> Convention {
        Convention::Misere
    }

    fn options(
        &self,
        cars: &Cars,
        player: Player,
        options: &mut Vec<Cars>,
    ) -> Result<(), Infallible> {
        let free = self.all & !(cars[0] | cars[1]);
        let own = cars[player.index()];
        let mut rest = own;
        while rest != 0 {
            let car = rest & rest.wrapping_neg();
            rest ^= car;
            let (north, south) = (car >> self.n, car << self.n);
            let (west, east) = ((car & !self.first) >> 1, (car & !self.last) << 1);
            let (to, off) = match player {
                Player::LEFT => (north | south | east, car & self.last != 0),
                _ => (west | east | north, north == 0),
            };
            let mut to = to & free;
            while to != 0 {
                let cell = to & to.wrapping_neg();
                to ^= cell;
                let mut next = *cars;
                next[player.index()] = own & !car | cell;
                options.push(next);
            }
            if off {
                let mut next = *cars;
                next[player.index()] = own & !car;
                options.push(next);
            }
        }
        Ok(())
    }

    fn image(&self, cars: &Cars, exchanged: bool) -> Option<Cars> {
        exchanged.then(|| [self.reflected(cars[1]), self.reflected(cars[0])])
    }
}

/// Who wins if Left begins, and how many nodes follow.
pub fn solved(n: u32) -> (Option<Fate>, usize) {
    let (board, mut arena) = (Dodgem::new(n), Arena::new(2 << 30));
    let budget = Budget::new(&Limits::default(), Cancel::new());
    let played = arena.played(&board, &board.start(), Player::LEFT, &budget);
    (played.ok().map(|p| p.fate), arena.nodes_listed())
}

pub fn main() -> Result<(), Box<dyn std::error::Error>> {
    for n in 2..=3 {
        let begun = Instant::now();
        let (fate, nodes) = solved(n);
        println!(
            "{n} by {n}: {fate:?}, {nodes} nodes, {:.2?}",
            begun.elapsed()
        );
    }
    Ok(())
}
