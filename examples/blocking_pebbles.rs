//! Blocking Pebbles, written by hand against `game::Game`.
//!
//! Burke, Ferland, Fisher, Gledel, Tennenhouse, *The game of Blocking Pebbles*, Integers 21B (2021) #A2, Ruleset 1: blue, red
//! and green pebbles are on the vertices of an acyclic digraph. Against an arc, a player moves any positive number of their
//! own and of green pebbles at no cost; along an arc, two of them leave and one of the two arrives. A player's own pebbles
//! may not enter a vertex with pebbles of the opponent; green ones may.

use std::convert::Infallible;

use cgdsl::engine::Engine;
use cgdsl::game::{Analysis, Game, Limits, Player, Rules, Sign};
use cgdsl::value::notation::{Style, print};

/// The most vertices of a digraph here.
pub const MOST: usize = 8;

/// The numbers of blue, red and green pebbles on each vertex.
pub type Pebbles = [[u8; 3]; MOST];

const GREEN: usize = 2;

/// An acyclic digraph.
pub struct BlockingPebbles {
    vertices: usize,
    arcs: Vec<(usize, usize)>,
    // Bit 8 u + v: there is an arc from u to v.
    matrix: u64,
}

impl BlockingPebbles {
    /// The digraph with these arcs on vertices 0, 1, ..; it must be acyclic.
    pub fn new(vertices: usize, arcs: &[(usize, usize)]) -> BlockingPebbles {
        assert!(vertices <= MOST && arcs.iter().all(|(u, v)| *u < vertices && *v < vertices));
        BlockingPebbles {
            vertices,
            arcs: arcs.to_vec(),
            matrix: arcs.iter().fold(0, |m, (u, v)| m | 1 << (8 * u + v)),
        }
    }

    /// The out-star: an arc from the centre, vertex 0, to each leaf.
    pub fn out_star(leaves: usize) -> BlockingPebbles {
        let arcs: Vec<(usize, usize)> = (1..=leaves).map(|leaf| (0, leaf)).collect();
        BlockingPebbles::new(leaves + 1, &arcs)
    }

    /// The transitive triple: arcs 0 -> 1, 0 -> 2, 1 -> 2.
    pub fn transitive_triple() -> BlockingPebbles {
        BlockingPebbles::new(3, &[(0, 1), (0, 2), (1, 2)])
    }

    /// Blue, red and green pebbles on the first vertices, and none on the others.
    pub fn pebbles(&self, counts: &[[u8; 3]]) -> Pebbles {
        assert!(counts.len() <= self.vertices);
        let mut pebbles = [[0; 3]; MOST];
        pebbles[..counts.len()].copy_from_slice(counts);
        pebbles
    }
}

impl Rules for BlockingPebbles {
    type Position = Pebbles;
    type Fault = Infallible;

    fn options(
        &self,
        pebbles: &Pebbles,
        player: Player,
        options: &mut Vec<Pebbles>,
    ) -> Result<(), Infallible> {
        let own = player.index();
        let other = 1 - own;
        for (u, v) in &self.arcs {
            // Backwards, from v to u.
            let most = if pebbles[*u][other] == 0 {
                pebbles[*v][own]
            } else {
                0
            };
            for i in 0..=most {
                for j in u8::from(i == 0)..=pebbles[*v][GREEN] {
                    let mut next = *pebbles;
                    next[*v][own] -= i;
                    next[*u][own] += i;
                    next[*v][GREEN] -= j;
                    next[*u][GREEN] += j;
                    options.push(next);
                }
            }
            // Forwards, from u to v: one pebble is placed, one is discarded.
            for placed in [own, GREEN] {
                if placed == own && pebbles[*v][other] > 0 {
                    continue;
                }
                for thrown in [own, GREEN] {
                    let need = |c| u8::from(placed == c) + u8::from(thrown == c);
                    if pebbles[*u][own] < need(own) || pebbles[*u][GREEN] < need(GREEN) {
                        continue;
                    }
                    let mut next = *pebbles;
                    next[*u][placed] -= 1;
                    next[*u][thrown] -= 1;
                    next[*v][placed] += 1;
                    options.push(next);
                }
            }
        }
        Ok(())
    }
}

impl Game for BlockingPebbles {
    /// The digraph and the pebbles. Of the two colours, the one that gives the lesser array comes first.
    type Key = (u64, Pebbles);

    fn key(&self, part: &Pebbles) -> (Self::Key, Sign) {
        let exchanged = part.map(|[blue, red, green]| [red, blue, green]);
        if exchanged < *part {
            ((self.matrix, exchanged), Sign::Minus)
        } else {
            ((self.matrix, *part), Sign::Plus)
        }
    }

    fn analysis(&self) -> &impl Analysis<Self> {
        self
    }
}

impl Analysis<BlockingPebbles> for BlockingPebbles {
    fn is_impartial(&self, part: &Pebbles) -> bool {
        part.iter().all(|[blue, red, _]| blue + red == 0)
    }

    fn ends(&self) -> bool {
        // Backward moves go towards the sources; forward moves lose a pebble.
        true
    }

    fn is_faultless(&self) -> bool {
        true
    }
}

/// Prints the values of the positions of the paper's table on the transitive triple.
#[allow(dead_code)]
pub fn main() -> Result<(), Box<dyn std::error::Error>> {
    let engine = Engine::new(Limits::default());
    let triple = BlockingPebbles::transitive_triple();
    let forms = engine.forms();
    for counts in [
        [[1, 0, 0], [2, 4, 0], [0, 0, 0]],
        [[3, 1, 0], [0, 0, 0], [0, 1, 0]],
        [[2, 3, 0], [0, 0, 0], [1, 0, 0]],
        [[4, 4, 0], [0, 0, 0], [0, 0, 0]],
        [[3, 5, 0], [0, 0, 0], [1, 0, 0]],
        [[3, 5, 0], [2, 0, 0], [0, 0, 0]],
    ] {
        let value = engine.value(&triple, &triple.pebbles(&counts))?;
        println!("{counts:?}: {}", print(forms, value, Style::Unicode));
    }
    Ok(())
}
