//! Nim, written by hand against `game::Game`: the smallest game with components.
//!
//! A position is a row of heaps; a move takes at least one stone from one heap. Bouton (1901): the nimber of a position is
//! the sum of its heap sizes in binary without carry.

use std::convert::Infallible;

use cgdsl::engine::Engine;
use cgdsl::game::{Analysis, Game, Limits, Player, Rules, Sign};

/// The game of Nim; both players have the same moves.
pub struct Nim;

impl Rules for Nim {
    /// The heap sizes, in any order.
    type Position = Vec<u32>;
    type Fault = Infallible;

    fn options(
        &self,
        heaps: &Vec<u32>,
        _player: Player,
        options: &mut Vec<Vec<u32>>,
    ) -> Result<(), Infallible> {
        for (i, heap) in heaps.iter().enumerate() {
            for left in 0..*heap {
                let mut option = heaps.clone();
                option[i] = left;
                options.push(option);
            }
        }
        Ok(())
    }

    fn position_bytes(&self, heaps: &Vec<u32>) -> usize {
        heaps.capacity() * 4
    }
}

impl Game for Nim {
    type Key = Vec<u32>;

    fn key(&self, part: &Vec<u32>) -> (Vec<u32>, Sign) {
        let mut key: Vec<u32> = part.iter().copied().filter(|heap| *heap > 0).collect();
        key.sort_unstable();
        (key, Sign::Plus)
    }

    fn key_bytes(&self, key: &Vec<u32>) -> usize {
        key.capacity() * 4
    }

    fn analysis(&self) -> &impl Analysis<Self> {
        self
    }
}

impl Analysis<Nim> for Nim {
    fn split(&self, heaps: &Vec<u32>, parts: &mut Vec<Vec<u32>>) {
        parts.extend(
            heaps
                .iter()
                .filter(|heap| **heap > 0)
                .map(|heap| vec![*heap]),
        );
    }

    fn is_impartial(&self, _part: &Vec<u32>) -> bool {
        true
    }

    fn ends(&self) -> bool {
        true
    }
}

/// Prints the nimbers of some positions.
#[allow(dead_code)]
pub fn main() -> Result<(), Box<dyn std::error::Error>> {
    let engine = Engine::new(Limits::default());
    let mut search = engine.search(&Nim);
    for heaps in [
        vec![1, 2, 3],
        vec![3, 5, 6],
        vec![3, 5, 7],
        vec![20, 30, 40],
    ] {
        let nimber = search.nimber(&heaps)?.unwrap_or_default();
        println!("Nim{heaps:?} = *{nimber}");
    }
    Ok(())
}
