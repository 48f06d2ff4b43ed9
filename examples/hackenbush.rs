//! Coloured Hackenbush and Hackenbush for many players, written by hand against `game::Game`.
//!
//! A picture is a graph with a ground; each edge has a set of players who may cut it. A move cuts such an edge, and
//! everything no longer connected to the ground is removed. Blue edges are Left's, red ones Right's, green ones everyone's
//! (*Winning Ways*, chapters 1, 2 and 7). With n players the rules are Cincotti's (Integers 9, 2009): a player who cannot
//! move in turn is out, and the last remaining player wins. The picture splits at the ground.

use std::convert::Infallible;

use cgdsl::engine::{Coalition, Engine};
use cgdsl::game::{Analysis, Convention, Game, Limits, MovesLeft, Player, Rules, Sign};
use cgdsl::value::notation::{Style, print};

/// An edge between two vertices, where 0 is the ground, and the players who may cut it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Edge {
    /// The two ends.
    pub ends: [u8; 2],
    /// Bit p: player p may cut the edge.
    pub owners: u64,
}

/// A picture of at most 64 edges and 64 vertices.
pub struct Hackenbush {
    players: u8,
    convention: Convention,
    edges: Vec<Edge>,
    // The edges at each vertex, as bits.
    at: Vec<u64>,
}

impl Hackenbush {
    /// The picture with these edges: normal play for two players, elimination for more.
    pub fn new(players: u8, edges: &[Edge]) -> Hackenbush {
        assert!(edges.len() <= 64);
        let vertices = edges.iter().flat_map(|e| e.ends).max().unwrap_or(0);
        let mut at = vec![0u64; usize::from(vertices) + 1];
        for (i, edge) in edges.iter().enumerate() {
            for end in edge.ends {
                at[usize::from(end)] |= 1 << i;
            }
        }
        Hackenbush {
            players,
            convention: if players == 2 {
                Convention::Normal
            } else {
                Convention::Elimination
            },
            edges: edges.to_vec(),
            at,
        }
    }

    /// The same picture under another convention.
    pub fn under(mut self, convention: Convention) -> Hackenbush {
        self.convention = convention;
        self
    }

    /// Strings, each given from the ground up by the owners of its edges: the number p + 1 stands for player p.
    pub fn strings(players: u8, strings: &[&[u8]]) -> Hackenbush {
        let mut edges = Vec::new();
        let mut vertex = 0;
        for string in strings {
            let mut below = 0;
            for label in *string {
                vertex += 1;
                edges.push(Edge {
                    ends: [below, vertex],
                    owners: 1 << (label - 1),
                });
                below = vertex;
            }
        }
        Hackenbush::new(players, &edges)
    }

    /// A red-blue-green string from the ground up, given by the letters `r`, `b` and `g`.
    pub fn stalk(colours: &str) -> Hackenbush {
        let edge = |(i, c): (usize, char)| Edge {
            ends: [i as u8, i as u8 + 1],
            owners: match c {
                'b' => 1,
                'r' => 2,
                _ => 3,
            },
        };
        Hackenbush::new(
            2,
            &colours.chars().enumerate().map(edge).collect::<Vec<_>>(),
        )
    }

    /// The position with all edges.
    pub fn whole(&self) -> u64 {
        if self.edges.is_empty() {
            0
        } else {
            self.standing(u64::MAX >> (64 - self.edges.len()), 0)
        }
    }

    // The edges of a set that are connected to a vertex within the set.
    fn standing(&self, edges: u64, from: usize) -> u64 {
        let mut reached = 0;
        let mut todo = self.at[from] & edges;
        while todo != 0 {
            reached |= todo;
            let mut next = 0;
            while todo != 0 {
                let edge = self.edges[todo.trailing_zeros() as usize];
                todo &= todo - 1;
                next |= self.at[usize::from(edge.ends[0])] | self.at[usize::from(edge.ends[1])];
            }
            // The ground does not connect components.
            todo = next & edges & !reached;
        }
        reached
    }
}

impl Rules for Hackenbush {
    /// The remaining edges.
    type Position = u64;
    type Fault = Infallible;

    fn players(&self) -> u8 {
        self.players
    }

    fn convention(&self) -> Convention {
        self.convention
    }

    fn options(
        &self,
        edges: &u64,
        player: Player,
        options: &mut Vec<u64>,
    ) -> Result<(), Infallible> {
        let mut rest = *edges;
        while rest != 0 {
            let i = rest.trailing_zeros() as usize;
            rest &= rest - 1;
            if self.edges[i].owners >> player.index() & 1 == 1 {
                options.push(self.standing(edges & !(1 << i), 0));
            }
        }
        Ok(())
    }
}

impl Game for Hackenbush {
    /// The edges with their vertices, numbered in the order of first use, and their owners.
    type Key = Vec<(u8, u8, u64)>;

    fn key(&self, part: &u64) -> (Self::Key, Sign) {
        let mut names = [u8::MAX; 256];
        names[0] = 0;
        let mut next = 1;
        let mut key = Vec::with_capacity(part.count_ones() as usize);
        let mut rest = *part;
        while rest != 0 {
            let edge = self.edges[rest.trailing_zeros() as usize];
            rest &= rest - 1;
            let [a, b] = edge.ends.map(|v| {
                let name = &mut names[usize::from(v)];
                if *name == u8::MAX {
                    *name = next;
                    next += 1;
                }
                *name
            });
            key.push((a.min(b), a.max(b), edge.owners));
        }
        if self.players != 2 {
            return (key, Sign::Plus);
        }
        let exchange = |owners: u64| owners >> 1 | (owners & 1) << 1;
        let negative: Self::Key = key.iter().map(|(a, b, o)| (*a, *b, exchange(*o))).collect();
        if negative < key {
            (negative, Sign::Minus)
        } else {
            (key, Sign::Plus)
        }
    }

    fn key_bytes(&self, key: &Self::Key) -> usize {
        key.capacity() * size_of::<(u8, u8, u64)>()
    }

    fn analysis(&self) -> &impl Analysis<Self> {
        self
    }
}

impl Analysis<Hackenbush> for Hackenbush {
    fn split(&self, edges: &u64, parts: &mut Vec<u64>) {
        let mut rest = *edges;
        while rest != 0 {
            // Grow from the lowest edge, but not through the ground.
            let mut part = rest & rest.wrapping_neg();
            let mut todo = part;
            while todo != 0 {
                let edge = self.edges[todo.trailing_zeros() as usize];
                todo &= todo - 1;
                for end in edge.ends {
                    if end != 0 {
                        let more = self.at[usize::from(end)] & rest & !part;
                        part |= more;
                        todo |= more;
                    }
                }
            }
            parts.push(part);
            rest &= !part;
        }
    }

    fn is_impartial(&self, part: &u64) -> bool {
        let everybody = u64::MAX >> (64 - self.players);
        (0..self.edges.len())
            .filter(|i| part >> i & 1 == 1)
            .all(|i| self.edges[i].owners & everybody == everybody)
    }

    fn moves_left(&self, part: &u64, within: u64, left: &mut [MovesLeft]) -> bool {
        for (p, left) in left.iter_mut().enumerate() {
            let (mut own, mut kept) = (0, 0);
            let mut rest = *part;
            while rest != 0 {
                let bit = rest & rest.wrapping_neg();
                rest ^= bit;
                let owners = self.edges[bit.trailing_zeros() as usize].owners & within;
                if owners >> p & 1 == 1 {
                    own |= bit;
                }
                if owners & !(1 << p) == 0 {
                    kept |= bit;
                }
            }
            left.most = own.count_ones();
            left.sure = (self.standing(kept, 0) & own).count_ones();
        }
        true
    }

    fn ends(&self) -> bool {
        true
    }

    fn is_faultless(&self) -> bool {
        true
    }
}

/// Prints the values of some stalks, and the winning coalitions of a game of three players.
#[allow(dead_code)]
pub fn main() -> Result<(), Box<dyn std::error::Error>> {
    let engine = Engine::new(Limits::default());
    for colours in ["b", "br", "brr", "bbr", "g", "bg", "gb"] {
        let stalk = Hackenbush::stalk(colours);
        let value = engine.value(&stalk, &stalk.whole())?;
        println!(
            "stalk {colours}: {}",
            print(engine.forms(), value, Style::Ascii)
        );
    }
    // Figure 1 of Cincotti's paper: nobody wins alone.
    let queer = Hackenbush::strings(3, &[&[1, 2], &[1, 3], &[2], &[3]]);
    let mut search = engine.search(&queer);
    let position = queer.whole();
    let winner = search.winner(&position, Player(0))?.answer;
    println!("strings 12, 13, 2, 3; player 1 begins: winner {winner:?}");
    for pair in [[0, 1], [0, 2], [1, 2]] {
        let coalition: Coalition = pair.into_iter().map(Player).collect();
        let wins = search.wins(&position, &coalition, Player(0))?.answer;
        println!("  coalition {coalition:?} wins: {wins}");
    }
    Ok(())
}
