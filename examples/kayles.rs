//! Node Kayles and Arc Kayles on graphs, written by hand against `game::Game`.
//!
//! Node Kayles removes a vertex with all its neighbours, Arc Kayles an edge with both its ends (T. J. Schaefer, Journal of
//! Computer and System Sciences 16, 1978). A position is the set of remaining vertices; its components are those of the
//! graph.

use std::convert::Infallible;

use cgdsl::engine::Engine;
use cgdsl::game::{Analysis, Game, Limits, Player, Rules, Sign};

/// A graph of at most 64 vertices.
pub struct Kayles {
    /// The neighbours of each vertex.
    beside: Vec<u64>,
    /// Whether vertices are chosen (Node Kayles); otherwise edges.
    nodes: bool,
}

impl Kayles {
    /// The game on a rectangle of cells, with adjacent cells joined.
    pub fn grid(rows: usize, columns: usize, nodes: bool) -> Kayles {
        let mut edges = Vec::new();
        for v in 0..rows * columns {
            if (v + 1) % columns != 0 {
                edges.push((v, v + 1));
            }
            if v + columns < rows * columns {
                edges.push((v, v + columns));
            }
        }
        Kayles::new(rows * columns, &edges, nodes)
    }

    /// The game on any graph.
    pub fn new(vertices: usize, edges: &[(usize, usize)], nodes: bool) -> Kayles {
        assert!(vertices <= 64);
        let mut beside = vec![0; vertices];
        for (u, v) in edges {
            beside[*u] |= 1 << v;
            beside[*v] |= 1 << u;
        }
        Kayles { beside, nodes }
    }

    /// All vertices.
    pub fn whole(&self) -> u64 {
        (0..self.beside.len()).fold(0, |set, v| set | 1 << v)
    }
}

impl Rules for Kayles {
    type Position = u64;
    type Fault = Infallible;

    fn options(&self, left: &u64, _: Player, options: &mut Vec<u64>) -> Result<(), Infallible> {
        let mut rest = *left;
        while rest != 0 {
            let v = rest.trailing_zeros() as usize;
            rest &= rest - 1;
            if self.nodes {
                options.push(left & !(self.beside[v] | 1 << v));
                continue;
            }
            // Each edge once, from its lower end.
            let mut others = self.beside[v] & rest;
            while others != 0 {
                let u = others & others.wrapping_neg();
                others &= others - 1;
                options.push(left & !(u | 1 << v));
            }
        }
        Ok(())
    }
}

impl Game for Kayles {
    type Key = u64;

    fn key(&self, part: &u64) -> (u64, Sign) {
        (*part, Sign::Plus)
    }

    fn analysis(&self) -> &impl Analysis<Self> {
        self
    }
}

impl Analysis<Kayles> for Kayles {
    fn split(&self, left: &u64, parts: &mut Vec<u64>) {
        let mut rest = *left;
        while rest != 0 {
            let mut part = rest & rest.wrapping_neg();
            let mut new = part;
            while new != 0 {
                let v = new.trailing_zeros() as usize;
                let more = self.beside[v] & rest & !part;
                part |= more;
                new = (new & (new - 1)) | more;
            }
            rest &= !part;
            if self.nodes || part & (part - 1) != 0 {
                parts.push(part);
            }
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

    fn weight(&self, part: &u64) -> u32 {
        part.count_ones()
    }
}

/// Prints the nimbers of small rectangles.
#[allow(dead_code)]
pub fn main() -> Result<(), Box<dyn std::error::Error>> {
    for (name, nodes) in [("Node Kayles", true), ("Arc Kayles", false)] {
        for (rows, columns) in [(1, 10), (3, 3), (3, 5), (4, 4)] {
            let game = Kayles::grid(rows, columns, nodes);
            let nimber = Engine::new(Limits::default()).nimber(&game, &game.whole())?;
            println!("{name} {rows} x {columns}: {}", nimber.unwrap_or(0));
        }
    }
    Ok(())
}
