//! The boards of `rulesets/boards.rules`, each constructed independently from its definition by coordinates and bits.

use super::brute::{Case, Claim};
use super::posets::Poset;
use std::collections::HashMap;

/// The nimber of Node Kayles on n vertices with this adjacency, by sets of remaining vertices.
fn node_kayles(n: u32, joined: impl Fn(u32, u32) -> bool) -> u64 {
    let near: Vec<u64> = (0..n)
        .map(|u| {
            (0..n)
                .filter(|&v| u == v || joined(u, v) || joined(v, u))
                .map(|v| 1 << v)
                .sum()
        })
        .collect();
    fn nimber(left: u64, near: &[u64], memo: &mut HashMap<u64, u64>) -> u64 {
        if let Some(known) = memo.get(&left) {
            return *known;
        }
        let options: Vec<u64> = (0..near.len())
            .filter(|v| left >> v & 1 == 1)
            .map(|v| nimber(left & !near[v], near, memo))
            .collect();
        let found = (0..).find(|g| !options.contains(g)).unwrap_or(0);
        memo.insert(left, found);
        found
    }
    nimber((1 << n) - 1, &near, &mut HashMap::new())
}

fn apart(a: u32, b: u32) -> u32 {
    a.abs_diff(b)
}

fn poset(n: usize, le: impl Fn(usize, usize) -> bool) -> Option<u64> {
    let game: Case = Poset::from_order(n, le).game();
    game.nimber()
}

pub const CLAIMS: &[Claim] = &[
    ("Node Kayles on boards of all kinds", || {
        let torus = node_kayles(12, |a, b| {
            let ((i, j), (k, l)) = ((a / 4, a % 4), (b / 4, b % 4));
            i == k && (j + 1) % 4 == l || j == l && (i + 1) % 3 == k
        });
        let cylinder = node_kayles(10, |a, b| {
            let ((i, j), (k, l)) = ((a / 5, a % 5), (b / 5, b % 5));
            i == k && (j + 1) % 5 == l || j == l && i + 1 == k
        });
        let kings = node_kayles(12, |a, b| apart(a / 4, b / 4).max(apart(a % 4, b % 4)) == 1);
        // The points of a triangle by their distances from its three sides, which add up to 3.
        let points: Vec<[u32; 3]> = (0..=3)
            .flat_map(|x| (0..=3 - x).map(move |y| [x, y, 3 - x - y]))
            .collect();
        let triangle = node_kayles(10, |a, b| {
            let (p, q) = (points[a as usize], points[b as usize]);
            (0..3).map(|i| apart(p[i], q[i])).sum::<u32>() == 2
        });
        let hexagons = node_kayles(9, |a, b| {
            let (down, right) = (b / 3, b % 3);
            let (i, j) = (a / 3, a % 3);
            (down, right) == (i + 1, j)
                || (down, right) == (i, j + 1)
                || (down, right + 1) == (i + 1, j)
        });
        let cube = node_kayles(16, |a, b| (a ^ b).count_ones() == 1);
        let wheel = node_kayles(8, |a, b| b != 7 && (a == 7 || (a + 1) % 7 == b));
        let pairs: Vec<u32> = (0..32u32).filter(|s| s.count_ones() == 2).collect();
        let petersen = node_kayles(10, |a, b| pairs[a as usize] & pairs[b as usize] == 0);
        let found = [
            torus, cylinder, kings, triangle, hexagons, cube, wheel, petersen,
        ];
        found == NODE_KAYLES
    }),
    ("poset games on these orders", || {
        let subsets = poset(7, |a, b| (a + 1) & (b + 1) == a + 1);
        let box_ = poset(11, |a, b| {
            let at = |k: usize| [(k + 1) / 6, (k + 1) / 3 % 2, (k + 1) % 3];
            (0..3).all(|i| at(a)[i] <= at(b)[i])
        });
        let fence = poset(6, |a, b| a == b || a % 2 == 0 && a.abs_diff(b) == 1);
        let crown = poset(8, |a, b| a == b || a < 4 && b >= 4 && a + 4 != b);
        [subsets, box_, fence, crown] == POSETS.map(Some)
    }),
];

/// The nimbers given in the file.
const NODE_KAYLES: [u64; 8] = [0, 0, 0, 2, 1, 0, 1, 1];
const POSETS: [u64; 4] = [3, 5, 4, 0];
