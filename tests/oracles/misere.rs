//! Misère play by the definition: a player who cannot move wins. Comes in: claims of the files in `rulesets/misere/` and
//! `rulesets/papers/notakto.rules` by their names. Goes out: whether a plain search confirms them.

use super::brute::Claim;
use std::collections::{HashMap, HashSet};
use std::hash::Hash;

/// A position as a sorted list of components, and whose turn it is.
type Known<P> = HashMap<(Vec<P>, bool), bool>;

/// Whether the player to move wins a sum: `options(part, left)` lists what a component may become.
fn wins<P: Clone + Ord + Hash>(
    sum: &[P],
    left: bool,
    options: &dyn Fn(&P, bool) -> Vec<Vec<P>>,
    known: &mut Known<P>,
) -> bool {
    let key = (sum.to_vec(), left);
    if let Some(found) = known.get(&key) {
        return *found;
    }
    let mut stuck = true;
    let mut found = false;
    'all: for i in 0..sum.len() {
        for option in options(&sum[i], left) {
            stuck = false;
            let mut next = [&sum[..i], &sum[i + 1..], &option].concat();
            next.sort();
            if !wins(&next, !left, options, known) {
                found = true;
                break 'all;
            }
        }
    }
    known.insert(key, found || stuck);
    found || stuck
}

/// The previous player wins, whoever began.
fn lost<P: Clone + Ord + Hash>(
    sum: &[P],
    options: &dyn Fn(&P, bool) -> Vec<Vec<P>>,
    known: &mut Known<P>,
) -> bool {
    !wins(sum, true, options, known) && !wins(sum, false, options, known)
}

fn heaps(sizes: &[i32]) -> Vec<i32> {
    let mut all: Vec<i32> = sizes.iter().copied().filter(|n| *n > 0).collect();
    all.sort_unstable();
    all
}

/// All ways to leave n - k counters in two heaps, empty ones left out.
fn split(n: i32, k: i32) -> Vec<Vec<i32>> {
    (0..=n - k).map(|a| heaps(&[a, n - k - a])).collect()
}

/// The heaps of 0 to `most` counters that are lost.
fn single(most: i32, options: &dyn Fn(&i32, bool) -> Vec<Vec<i32>>) -> Vec<i32> {
    let mut known = HashMap::new();
    (0..=most)
        .filter(|n| lost(&heaps(&[*n]), options, &mut known))
        .collect()
}

/// Dominoes on the cells that are left, as a set of bits of a board with `columns` columns.
fn cram(cells: &u32, rows: u32, columns: u32) -> Vec<Vec<u32>> {
    let at = |row: u32, column: u32| 1u32 << (row * columns + column);
    let mut next = Vec::new();
    for row in 0..rows {
        for column in 0..columns {
            let east = (column + 1 < columns).then(|| at(row, column + 1));
            let south = (row + 1 < rows).then(|| at(row + 1, column));
            for other in east.into_iter().chain(south) {
                let both = at(row, column) | other;
                if cells & both == both {
                    next.push(vec![cells & !both]);
                }
            }
        }
    }
    next
}

#[expect(
    clippy::ptr_arg,
    reason = "a position is a reference to its type, as in the other games"
)]
fn clobber(row: &Vec<u8>, left: bool) -> Vec<Vec<Vec<u8>>> {
    let (own, other) = if left { (b'x', b'o') } else { (b'o', b'x') };
    let mut next = Vec::new();
    for i in 0..row.len().saturating_sub(1) {
        for (from, to) in [(i, i + 1), (i + 1, i)] {
            if row[from] == own && row[to] == other {
                let mut after = row.clone();
                after[from] = b'.';
                after[to] = own;
                next.push(vec![after]);
            }
        }
    }
    next
}

const ROWS: [u16; 8] = [0o007, 0o070, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124];

fn closed(board: u16) -> bool {
    ROWS.iter().any(|row| board & row == *row)
}

/// A board of crosses as nine bits; a board with a row is closed and no longer a component.
fn notakto(board: &u16, _: bool) -> Vec<Vec<u16>> {
    let free = (0..9).map(|i| 1 << i).filter(|cell| board & cell == 0);
    let after = free.map(|cell| board | cell);
    let mut next: Vec<Vec<u16>> = after
        .map(|b| if closed(b) { vec![] } else { vec![least(b)] })
        .collect();
    next.sort();
    next.dedup();
    next
}

/// The least of the eight images of a board.
fn least(board: u16) -> u16 {
    let image = |turn: usize, flip: bool| {
        let cells = (0..9usize).filter(|i| board >> i & 1 == 1);
        cells.fold(0, |to, i| {
            let (mut r, mut c) = (i / 3, i % 3);
            for _ in 0..turn {
                (r, c) = (c, 2 - r);
            }
            let c = if flip { 2 - c } else { c };
            to | 1 << (3 * r + c)
        })
    };
    let all = (0..4).flat_map(|t| [image(t, false), image(t, true)]);
    all.min().expect("eight images")
}

fn board(text: &str) -> u16 {
    let cells = text.bytes().filter(|b| *b != b'|').enumerate();
    cells.fold(0, |to, (i, b)| to | u16::from(b == b'x') << i)
}

/// Exponents of a, b, c, d, brought to a normal form by the relations of the paper.
fn product(words: &[&[u8; 4]]) -> [u8; 4] {
    const RELATIONS: [([u8; 4], [u8; 4]); 7] = [
        ([2, 0, 0, 0], [0, 0, 0, 0]),
        ([0, 3, 0, 0], [0, 1, 0, 0]),
        ([0, 2, 1, 0], [0, 0, 1, 0]),
        ([0, 0, 3, 0], [1, 0, 2, 0]),
        ([0, 2, 0, 1], [0, 0, 0, 1]),
        ([0, 0, 1, 1], [1, 0, 0, 1]),
        ([0, 0, 0, 2], [0, 0, 2, 0]),
    ];
    let mut word = [0, 0, 0, 0];
    for w in words {
        (0..4).for_each(|i| word[i] += w[i]);
    }
    while let Some((from, to)) = RELATIONS
        .iter()
        .find(|(from, _)| (0..4).all(|i| word[i] >= from[i]))
    {
        (0..4).for_each(|i| word[i] = word[i] - from[i] + to[i]);
    }
    word
}

/// Claims by their names in the files.
pub const CLAIMS: &[Claim] = &[
    ("rows that are lost", || {
        single(22, &|n, _| split(*n, 2)) == [2, 3, 7, 8, 12, 16, 17, 21, 22]
    }),
    ("single heaps that are lost", || {
        let divided = |n: &i32, _: bool| {
            (1..*n)
                .filter(|a| 2 * a < *n)
                .map(|a| heaps(&[a, n - a]))
                .collect()
        };
        single(24, &divided) == [3, 6, 9, 12, 15, 18, 21, 24]
    }),
    ("rectangles that are lost", || {
        let expected = [(1, 2), (1, 3), (2, 3), (2, 5), (3, 4), (3, 5)];
        (1..=3).all(|m| {
            (m..=5).all(|n| {
                let options = |cells: &u32, _: bool| cram(cells, m, n);
                let start = [(1 << (m * n)) - 1];
                lost(&start, &options, &mut HashMap::new()) == expected.contains(&(m, n))
            })
        })
    }),
    ("rows of alternating stones", || {
        (1..=9).all(|n| {
            let row: Vec<u8> = b"xo".iter().copied().cycle().take(n).collect();
            lost(&[row], &clobber, &mut HashMap::new()) == [2, 3, 8].contains(&n)
        })
    }),
    ("up and down may be left out beside rows", || {
        let mut known = HashMap::new();
        let pair = [b"xxo".to_vec(), b"oox".to_vec()];
        (0..32u8).all(|bits| {
            let row: Vec<u8> = (0..5).map(|i| b"xo"[usize::from(bits >> i & 1)]).collect();
            (1..=5).all(|n| {
                let row = row[..n].to_vec();
                let mut all = [&pair[..], std::slice::from_ref(&row)].concat();
                all.sort();
                [true, false].into_iter().all(|left| {
                    wins(&all, left, &clobber, &mut known)
                        == wins(std::slice::from_ref(&row), left, &clobber, &mut known)
                })
            })
        })
    }),
    ("only sizes modulo 3 count", || {
        let options = |n: &i32, left: bool| split(*n, if left { 1 } else { 2 });
        let mut known = HashMap::new();
        let mut of = |sizes: [i32; 3]| {
            let sum = heaps(&sizes);
            [true, false].map(|left| wins(&sum, left, &options, &mut known))
        };
        (0..10)
            .all(|a| (a..10).all(|b| (b..10).all(|c| of([a, b, c]) == of([a % 3, b % 3, c % 3]))))
    }),
    ("three boards and the table", || {
        let table: Vec<(u16, [u8; 4])> = TABLE
            .iter()
            .flat_map(|(word, boards)| boards.iter().map(|b| (least(board(b)), *word)))
            .collect();
        let open = (0..512).filter(|b| !closed(*b)).map(least);
        let open: HashSet<u16> = open.collect();
        let listed: HashSet<u16> = table.iter().map(|(b, _)| *b).collect();
        let p = [[1, 0, 0, 0], [0, 2, 0, 0], [0, 1, 1, 0], [0, 0, 2, 0]];
        let mut known = HashMap::new();
        open == listed
            && table.len() == 46
            && (0..46).all(|i| {
                (i..46).all(|j| {
                    (j..46).all(|k| {
                        let mut sum = [table[i].0, table[j].0, table[k].0];
                        sum.sort_unstable();
                        let value = product(&[&table[i].1, &table[j].1, &table[k].1]);
                        lost(&sum, &notakto, &mut known) == p.contains(&value)
                    })
                })
            })
    }),
];

/// The table of the paper: exponents of a, b, c, d, and the boards without a row that have this value, up to symmetry.
#[rustfmt::skip]
const TABLE: [([u8; 4], &[&str]); 8] = [
    ([0, 0, 1, 0], &["...|...|..."]),
    ([0, 0, 0, 0], &["...|...|..x", "...|...|.x.", "..x|x..|.x."]),
    ([0, 0, 2, 0], &["...|.x.|..."]),
    ([1, 0, 0, 1], &["...|...|.xx"]),
    ([0, 1, 0, 0], &["...|...|x.x", "...|..x|x..", "...|.x.|..x", "...|.x.|.x.", "...|..x|.xx", "...|x.x|.x.", "...|.xx|x.x", "...|.xx|xx.", "...|x.x|x.x", "..x|x..|.xx", "..x|x..|x.x", "..x|xx.|..x", "..x|xx.|.x.", "..x|x.x|xx.", ".x.|x.x|.xx"]),
    ([1, 0, 0, 0], &["...|..x|.x.", "...|x.x|...", "..x|...|x..", "...|..x|x.x", "...|.x.|x.x", "...|.xx|x..", "..x|x..|..x", "...|.xx|.xx", "...|x.x|.xx", "..x|x..|xx.", "..x|x.x|x..", ".x.|x.x|.x.", "x.x|...|x.x", "..x|xx.|.xx", ".x.|x.x|x.x", ".xx|x..|x.x", ".xx|x.x|xx."]),
    ([0, 0, 0, 1], &["...|..x|xx.", "...|x.x|..x", "..x|...|xx."]),
    ([1, 1, 0, 0], &["...|.x.|.xx", "...|.xx|.x.", "..x|...|x.x", "..x|..x|xx.", "..x|x.x|.x."]),
];
