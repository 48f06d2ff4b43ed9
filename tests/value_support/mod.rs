//! A second, plain implementation of short games for the tests: raw trees, definitions as the books state them,
//! no sharing with the library, and a source of random games.
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

/// On Numbers and Games, chapter 0, word for word.
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

/// Canonical form by Siegel II.2.4 and II.2.5, reversible options first, options canonical beforehand.
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

/// xorshift64*; seeded, so that a failure can be found again.
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

    /// A raw game of at most this depth, with up to two options a side; the leaves are small numbers and nimbers.
    pub fn game(&mut self, depth: u32) -> Game {
        if depth == 0 || self.below(6) == 0 {
            return match self.below(8) {
                0 => integer(1),
                1 => integer(-1),
                2 => nimber(1),
                3 => integer(self.below(5) as i64 - 2),
                _ => zero(),
            };
        }
        let left = (0..self.below(3)).map(|_| self.game(depth - 1)).collect();
        let right = (0..self.below(3)).map(|_| self.game(depth - 1)).collect();
        game(left, right)
    }
}
