//! A second, plain implementation of short games for tests: raw trees, definitions as in the books, nothing shared with the
//! library, and a generator of random games.
#![allow(dead_code)]

use std::rc::Rc;

/// A raw tree.
#[derive(Debug)]
pub struct Raw {
    pub left: Vec<Game>,
    pub right: Vec<Game>,
}
pub type Game = Rc<Raw>;

pub fn game(left: Vec<Game>, right: Vec<Game>) -> Game {
    Rc::new(Raw { left, right })
}

pub fn zero() -> Game {
    game(vec![], vec![])
}

/// *On Numbers and Games*, chapter 0, literally.
pub fn le(g: &Game, h: &Game) -> bool {
    !g.left.iter().any(|x| le(h, x)) && !h.right.iter().any(|x| le(x, g))
}

pub fn eq(g: &Game, h: &Game) -> bool {
    le(g, h) && le(h, g)
}

pub fn neg(g: &Game) -> Game {
    game(
        g.right.iter().map(neg).collect(),
        g.left.iter().map(neg).collect(),
    )
}

pub fn add(g: &Game, h: &Game) -> Game {
    let left = g
        .left
        .iter()
        .map(|x| add(x, h))
        .chain(h.left.iter().map(|x| add(g, x)));
    let right = g
        .right
        .iter()
        .map(|x| add(x, h))
        .chain(h.right.iter().map(|x| add(g, x)));
    game(left.collect(), right.collect())
}

/// The canonical form by Siegel II: the options are made canonical, then reversible options are bypassed before dominated
/// ones are removed.
pub fn canonical(g: &Game) -> Game {
    let mut left: Vec<Game> = g.left.iter().map(canonical).collect();
    let mut right: Vec<Game> = g.right.iter().map(canonical).collect();
    loop {
        let now = game(left.clone(), right.clone());
        if let Some((i, through)) = now.left.iter().enumerate().find_map(|(i, x)| {
            x.right
                .iter()
                .find(|y| le(y, &now))
                .map(|y| (i, y.left.clone()))
        }) {
            left.remove(i);
            left.extend(through);
            continue;
        }
        if let Some((i, through)) = now.right.iter().enumerate().find_map(|(i, x)| {
            x.left
                .iter()
                .find(|y| le(&now, y))
                .map(|y| (i, y.right.clone()))
        }) {
            right.remove(i);
            right.extend(through);
            continue;
        }
        let dominated = |list: &[Game], better: &dyn Fn(&Game, &Game) -> bool| {
            (0..list.len()).find(|&i| (0..list.len()).any(|j| j != i && better(&list[i], &list[j])))
        };
        if let Some(i) = dominated(&left, &|x, y| le(x, y)) {
            left.remove(i);
            continue;
        }
        if let Some(i) = dominated(&right, &|x, y| le(y, x)) {
            right.remove(i);
            continue;
        }
        return now;
    }
}

/// Whether two canonical trees are the same up to the order of options.
pub fn same(g: &Game, h: &Game) -> bool {
    let sides = |a: &[Game], b: &[Game]| {
        a.len() == b.len() && a.iter().all(|x| b.iter().any(|y| same(x, y)))
    };
    sides(&g.left, &h.left) && sides(&g.right, &h.right)
}

pub fn integer(n: i64) -> Game {
    match n {
        0 => zero(),
        n if n > 0 => game(vec![integer(n - 1)], vec![]),
        n => game(vec![], vec![integer(n + 1)]),
    }
}

pub fn nimber(n: u32) -> Game {
    let options: Vec<Game> = (0..n).map(nimber).collect();
    game(options.clone(), options)
}

/// xorshift64*; seeded, so that a failure is reproducible.
pub struct Rng(pub u64);

impl Rng {
    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    pub fn below(&mut self, n: u64) -> u64 {
        (self.next() >> 33) % n
    }

    /// A raw game in which moves tend to gain: Left's options are larger than Right's.
    pub fn hot(&mut self, depth: u32, about: i64) -> Game {
        if depth == 0 || self.below(5) == 0 {
            let leaf = integer(about + self.below(3) as i64 - 1);
            return if self.below(6) == 0 {
                game(vec![leaf.clone()], vec![leaf])
            } else {
                leaf
            };
        }
        let left = (0..1 + self.below(2))
            .map(|_| self.hot(depth - 1, about + 1))
            .collect();
        let right = (0..1 + self.below(2))
            .map(|_| self.hot(depth - 1, about - 1))
            .collect();
        game(left, right)
    }

    /// A raw game in which both players can move or neither can, throughout.
    pub fn all_small(&mut self, depth: u32) -> Game {
        if depth == 0 || self.below(8) == 0 {
            return nimber(self.below(3) as u32);
        }
        let left = (0..1 + self.below(2))
            .map(|_| self.all_small(depth - 1))
            .collect();
        let right = (0..1 + self.below(2))
            .map(|_| self.all_small(depth - 1))
            .collect();
        game(left, right)
    }

    /// A raw game of any kind, including hot ones.
    pub fn game(&mut self, depth: u32) -> Game {
        if self.below(2) == 0 {
            self.hot(depth.min(3), 0)
        } else {
            self.tepid(depth)
        }
    }

    /// A raw game of at most this depth, with up to two options for each player; the leaves are small numbers and nimbers.
    pub fn tepid(&mut self, depth: u32) -> Game {
        if depth == 0 || self.below(6) == 0 {
            return match self.below(8) {
                0 => integer(1),
                1 => integer(-1),
                2 => nimber(1),
                3 => integer(self.below(5) as i64 - 2),
                _ => zero(),
            };
        }
        let left = (0..self.below(3)).map(|_| self.tepid(depth - 1)).collect();
        let right = (0..self.below(3)).map(|_| self.tepid(depth - 1)).collect();
        game(left, right)
    }
}

/// The unit of the plain implementation's numbers: 2^-12.
pub const UNIT: i64 = 1 << 12;

/// The number in units, if the canonical tree is one: each player has at most one option, itself a number, and it is the
/// simplest number between them.
pub fn number_of(g: &Game) -> Option<i64> {
    match (&g.left[..], &g.right[..]) {
        ([], []) => Some(0),
        ([l], []) => number_of(l).map(|x| x + UNIT),
        ([], [r]) => number_of(r).map(|x| x - UNIT),
        ([l], [r]) => {
            let (a, b) = (number_of(l)?, number_of(r)?);
            (a < b).then_some((a + b) / 2)
        }
        _ => None,
    }
}

/// The left and right stop of a canonical tree, in units (Siegel II, by playing it out).
pub fn stops(g: &Game) -> (i64, i64) {
    if let Some(x) = number_of(g) {
        return (x, x);
    }
    (
        g.left.iter().map(|x| stops(x).1).max().unwrap(),
        g.right.iter().map(|x| stops(x).0).min().unwrap(),
    )
}

/// The walls of a canonical tree, in units, at the temperatures `base + i * 2^-7`; the last entry is on the mast.
pub fn walls(g: &Game, base: i64, height: usize) -> (Vec<i64>, Vec<i64>) {
    let step = UNIT / 128;
    if let Some(x) = number_of(g)
        && (base == 0 || x % UNIT == 0)
    {
        return (vec![x; height], vec![x; height]);
    }
    let lefts: Vec<_> = g.left.iter().map(|x| walls(x, base, height)).collect();
    let rights: Vec<_> = g.right.iter().map(|x| walls(x, base, height)).collect();
    let (mut a, mut b) = (vec![], vec![]);
    let mut mast = None;
    for i in 0..height {
        let t = base + i as i64 * step;
        let l = lefts.iter().map(|w| w.1[i]).max().unwrap() - t;
        let r = rights.iter().map(|w| w.0[i]).min().unwrap() + t;
        if mast.is_none() && l <= r {
            // They met at this step or half a step earlier.
            mast = Some((l + r) / 2);
        }
        a.push(mast.unwrap_or(l));
        b.push(mast.unwrap_or(r));
    }
    (a, b)
}
