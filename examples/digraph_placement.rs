//! Digraph Placement, written by hand against `game::Game`.
//!
//! Each player chooses a vertex of their own colour, which is removed together with the heads of its arcs (A. Clow and N. A.
//! McKay, Digraph Placement games, 2024). A position is the set of remaining vertices; its components are those of the graph.

use std::convert::Infallible;

use cgdsl::engine::Engine;
use cgdsl::game::{Analysis, Game, Limits, Player, Rules, Sign};
use cgdsl::value::notation::{Style, print};

/// A digraph of at most 64 vertices.
pub struct DigraphPlacement {
    /// The out-neighbours of each vertex.
    out: Vec<u64>,
    /// The neighbours of each vertex in either direction.
    joined: Vec<u64>,
    /// Left's vertices; the others are Right's.
    left: u64,
}

impl DigraphPlacement {
    /// A digraph, given by whether each vertex is Left's, and by its arcs.
    pub fn new(left: &[bool], arcs: &[(usize, usize)]) -> DigraphPlacement {
        assert!(left.len() <= 64);
        let mut out = vec![0; left.len()];
        let mut joined = out.clone();
        for (u, v) in arcs {
            out[*u] |= 1 << v;
            joined[*u] |= 1 << v;
            joined[*v] |= 1 << u;
        }
        let left = left.iter().enumerate();
        let left = left.fold(0, |set, (v, own)| set | u64::from(*own) << v);
        DigraphPlacement { out, joined, left }
    }

    /// All vertices.
    pub fn whole(&self) -> u64 {
        (0..self.out.len()).fold(0, |set, v| set | 1 << v)
    }
}

impl Rules for DigraphPlacement {
    type Position = u64;
    type Fault = Infallible;

    fn options(
        &self,
        vertices: &u64,
        player: Player,
        options: &mut Vec<u64>,
    ) -> Result<(), Infallible> {
        let mut own = vertices & self.left;
        if player != Player::LEFT {
            own ^= vertices;
        }
        while own != 0 {
            let v = own.trailing_zeros() as usize;
            own &= own - 1;
            options.push(vertices & !(self.out[v] | 1 << v));
        }
        Ok(())
    }
}

impl Game for DigraphPlacement {
    type Key = u64;

    fn key(&self, part: &u64) -> (u64, Sign) {
        (*part, Sign::Plus)
    }

    fn analysis(&self) -> &impl Analysis<Self> {
        self
    }
}

impl Analysis<DigraphPlacement> for DigraphPlacement {
    fn split(&self, vertices: &u64, parts: &mut Vec<u64>) {
        let mut rest = *vertices;
        while rest != 0 {
            let mut part = rest & rest.wrapping_neg();
            let mut new = part;
            while new != 0 {
                let v = new.trailing_zeros() as usize;
                let more = self.joined[v] & rest & !part;
                part |= more;
                new = (new & (new - 1)) | more;
            }
            rest &= !part;
            parts.push(part);
        }
    }

    fn ends(&self) -> bool {
        true
    }

    fn is_faultless(&self) -> bool {
        true
    }
}

/// Prints the values of directed cycles of alternating colours.
#[allow(dead_code)]
pub fn main() -> Result<(), Box<dyn std::error::Error>> {
    for n in 2..9 {
        let colours: Vec<bool> = (0..n).map(|v| v % 2 == 0).collect();
        let arcs: Vec<(usize, usize)> = (0..n).map(|v| (v, (v + 1) % n)).collect();
        let game = DigraphPlacement::new(&colours, &arcs);
        let engine = Engine::new(Limits::default());
        let value = engine.value(&game, &game.whole())?;
        println!("{n}: {}", print(engine.forms(), value, Style::Ascii));
    }
    Ok(())
}
