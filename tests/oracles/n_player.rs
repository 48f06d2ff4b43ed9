//! Games of three and more players: n-player Hackenbush on strings by Algorithm 1 of Cincotti's paper, and Nim in which the
//! last mover wins. Coalitions are bit sets of players.

use std::collections::{BTreeSet, HashMap};

/// Strings of labels from the ground up. Players are numbered from 1.
type Strings = Vec<Vec<u8>>;

/// Algorithm 1: whether the coalition given by the set bits wins against all others. `alive` are the players still in the
/// game.
fn check(
    strings: &Strings,
    alive: u32,
    coalition: u32,
    player: u8,
    n: u8,
    memo: &mut Memo,
) -> bool {
    let key = (strings.clone(), alive, player);
    if let Some(&known) = memo.get(&key) {
        return known;
    }
    let after = |alive: u32| {
        (1..=n)
            .map(|k| (player - 1 + k) % n + 1)
            .find(|&p| alive >> p & 1 == 1)
    };
    let ours = coalition >> player & 1 == 1;
    let answer = if !strings.iter().any(|s| s.contains(&player)) {
        let alive = alive & !(1 << player);
        if alive & coalition == 0 {
            false
        } else if alive & !coalition == 0 {
            true
        } else {
            check(
                strings,
                alive,
                coalition,
                after(alive).expect("a player"),
                n,
                memo,
            )
        }
    } else {
        let mut win = !ours;
        'moves: for (i, s) in strings.iter().enumerate() {
            for k in (0..s.len()).filter(|&k| s[k] == player) {
                let mut next = strings.clone();
                next[i].truncate(k);
                next.sort();
                if check(
                    &next,
                    alive,
                    coalition,
                    after(alive).expect("a player"),
                    n,
                    memo,
                ) == ours
                {
                    win = ours;
                    break 'moves;
                }
            }
        }
        win
    };
    memo.insert(key, answer);
    answer
}

type Memo = HashMap<(Strings, u32, u8), bool>;

/// Whether the coalition can force that one of its members remains.
pub fn wins(strings: &[&[u8]], n: u8, coalition: &[u8], first: u8) -> bool {
    let bits = coalition.iter().map(|p| 1u32 << p).sum();
    let mut strings: Strings = strings.iter().map(|s| s.to_vec()).collect();
    strings.sort();
    check(
        &strings,
        (1..=n).map(|p| 1u32 << p).sum(),
        bits,
        first,
        n,
        &mut Memo::new(),
    )
}

/// The strings of a position quoted in the files.
fn strings(text: &str) -> Vec<Vec<u8>> {
    let mut strings: Vec<Vec<u8>> = Vec::new();
    for entry in text.split(',') {
        strings.push(
            entry
                .chars()
                .filter_map(|c| c.to_digit(10))
                .map(|d| d as u8)
                .collect(),
        );
    }
    strings
}

/// For example `ground -3- a, ground -1- c -2- d`: whether none of three players can force a win when player 1 begins.
pub fn queer(text: &str) -> bool {
    let strings = strings(text);
    let slices: Vec<&[u8]> = strings.iter().map(Vec::as_slice).collect();
    (1..=3).all(|p| !wins(&slices, 3, &[p], 1))
}

/// The number of multisets of strings with `edges` edges, labelled 1 to 3, that are queer when player 1 begins.
pub fn queer_strings(edges: usize) -> usize {
    // A string is given by its length and its labels as a number to the base 3.
    fn extend(left: usize, least: (usize, u32), done: &mut Strings, found: &mut usize) {
        if left == 0 {
            let slices: Vec<&[u8]> = done.iter().map(Vec::as_slice).collect();
            *found += usize::from((1..=3).all(|p| !wins(&slices, 3, &[p], 1)));
            return;
        }
        for length in 1..=left {
            for code in 0..3u32.pow(length as u32) {
                if (length, code) >= least {
                    let label = |i: usize| (code / 3u32.pow(i as u32) % 3) as u8 + 1;
                    done.push((0..length).map(label).collect());
                    extend(left - length, (length, code), done, found);
                    done.pop();
                }
            }
        }
    }
    let mut found = 0;
    extend(edges, (0, 0), &mut Vec::new(), &mut found);
    found
}

/// Nim with n players in turn in which the last mover wins: the player who wins against all others when `first` begins;
/// `None` if nobody can force a win.
pub fn nim_winner(heaps: &[u8], n: u8, first: u8) -> Option<u8> {
    fn forces(heaps: &[u8], turn: u8, n: u8, who: u8) -> bool {
        let last = (turn + n - 1) % n;
        let mut next: BTreeSet<Vec<u8>> = BTreeSet::new();
        for i in 0..heaps.len() {
            for m in 0..heaps[i] {
                let mut after = heaps.to_vec();
                after[i] = m;
                next.insert(after);
            }
        }
        if next.is_empty() {
            return last == who;
        }
        let mut results = next.iter().map(|h| forces(h, (turn + 1) % n, n, who));
        if turn == who {
            results.any(|w| w)
        } else {
            results.all(|w| w)
        }
    }
    (0..n).find(|&who| forces(heaps, first, n, who))
}

/// The reduction of Theorem 3 for a formula of one or two variables. Bit 2i of a clause says that it contains x_(i+1), bit
/// 2i + 1 that it contains the negation. Panics unless the second coalition wins if and only if the formula is true.
pub fn check_reduction(n: u8, clauses: &[u8]) {
    let k = clauses.len() as u8;
    let mut strings: Strings = Vec::new();
    for bit in 0..2 * n {
        let carried = (0..k)
            .rev()
            .filter(|&j| clauses[j as usize] >> bit & 1 == 1)
            .map(|j| n + 1 + j);
        strings.push([bit / 2 + 1].into_iter().chain(carried).collect());
    }
    strings.push(vec![n + k + 1; 2]);
    let inner = (1..=k).rev().map(|j| n + j);
    strings.push(
        [n + k + 2]
            .into_iter()
            .chain(inner)
            .chain([n + k + 2])
            .collect(),
    );
    let slices: Vec<&[u8]> = strings.iter().map(Vec::as_slice).collect();
    let second: Vec<u8> = (1..=n + k + 2)
        .filter(|&p| p != n + k + 1 && (p > n || p % 2 == 1))
        .collect();
    let holds = |x: u8, y: u8| {
        clauses
            .iter()
            .all(|c| c >> x & 1 == 1 || (n == 2 && c >> (2 + y) & 1 == 1))
    };
    let truth = (0..2).any(|x| (0..2).all(|y| holds(x, y)));
    assert_eq!(wins(&slices, n + k + 2, &second, 1), truth, "{clauses:?}");
}
