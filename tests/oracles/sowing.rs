//! Games in which seeds are sown, seed by seed, by their scores.

use super::literal::{Literal, numbers};
use std::collections::HashMap;

/// The pits of Kalah counterclockwise: Left's houses, Left's store, Right's houses, Right's store.
type Pits = Vec<i32>;

/// The board after a house is sown by Left (0) or Right (1), and who moves next.
fn sown(pits: &Pits, house: usize, player: usize) -> (Pits, usize) {
    let half = pits.len() / 2;
    let store = [half - 1, 2 * half - 1];
    let mut after = pits.clone();
    let mut hand = std::mem::take(&mut after[house]);
    let mut at = house;
    while hand > 0 {
        at = (at + 1) % after.len();
        if at != store[1 - player] {
            after[at] += 1;
            hand -= 1;
        }
    }
    if at == store[player] {
        return (after, player);
    }
    // The houses of the two players add up to this.
    let opposite = 2 * half - 2 - at;
    if at / half == player && after[at] == 1 && after[opposite] > 0 {
        after[store[player]] += 1 + std::mem::take(&mut after[opposite]);
        after[at] = 0;
    }
    (after, 1 - player)
}

/// Left's seeds minus Right's, stores and what is left at the end, by best play.
fn best(pits: &Pits, player: usize, known: &mut HashMap<(Pits, usize), i32>) -> i32 {
    if let Some(found) = known.get(&(pits.clone(), player)) {
        return *found;
    }
    let half = pits.len() / 2;
    let houses = player * half..player * half + half - 1;
    let results: Vec<i32> = houses
        .filter(|h| pits[*h] > 0)
        .map(|h| {
            let (after, next) = sown(pits, h, player);
            best(&after, next, known)
        })
        .collect();
    let found = match player {
        0 => results.into_iter().max(),
        _ => results.into_iter().min(),
    };
    let kept = |from: usize| pits[from..from + half].iter().sum::<i32>();
    let found = found.unwrap_or_else(|| kept(0) - kept(half));
    known.insert((pits.clone(), player), found);
    found
}

/// Oware: the houses counterclockwise, Left's first; what each has taken, and how many moves in a row have taken nothing.
type Oware = (Pits, [i32; 2], i32);

/// The board after a house is sown, if the move is allowed. A move that would take all of the other's seeds takes none.
fn oware_sown((pits, stores, idle): &Oware, house: usize, player: usize) -> Option<Oware> {
    let half = pits.len() / 2;
    let theirs = (1 - player) * half..(2 - player) * half;
    let mut after = pits.clone();
    let mut hand = std::mem::take(&mut after[house]);
    let mut at = house;
    while hand > 0 {
        at = (at + 1) % after.len();
        if at != house {
            after[at] += 1;
            hand -= 1;
        }
    }
    let left: i32 = after[theirs.clone()].iter().sum();
    if left == 0 {
        return None;
    }
    let (mut cleared, mut taken) = (after.clone(), 0);
    while theirs.contains(&at) && [2, 3].contains(&cleared[at]) {
        taken += std::mem::take(&mut cleared[at]);
        at = (at + after.len() - 1) % after.len();
    }
    if taken == 0 || taken == left {
        return Some((after, *stores, idle + 1));
    }
    let mut stores = *stores;
    stores[player] += taken;
    Some((cleared, stores, 0))
}

/// Left's seeds minus Right's, each with those on the player's own side at the end, by best play.
fn oware(s: &Oware, player: usize, limit: i32, known: &mut HashMap<(Oware, usize), i32>) -> i32 {
    if let Some(found) = known.get(&(s.clone(), player)) {
        return *found;
    }
    let half = s.0.len() / 2;
    let results: Vec<i32> = (player * half..(player + 1) * half)
        .filter(|h| s.0[*h] > 0 && s.2 < limit)
        .filter_map(|h| oware_sown(s, h, player))
        .map(|after| oware(&after, 1 - player, limit, known))
        .collect();
    let found = match player {
        0 => results.into_iter().max(),
        _ => results.into_iter().min(),
    };
    let side = |p: usize| s.1[p] + s.0[p * half..(p + 1) * half].iter().sum::<i32>();
    let found = found.unwrap_or_else(|| side(0) - side(1));
    known.insert((s.clone(), player), found);
    found
}

/// The score of a position if Left or Right begins.
pub fn score(l: &Literal, first: &str) -> Option<i32> {
    let player = usize::from(first != "Left");
    if l.name == "Oware" {
        let limit = l.parameters[0].parse().ok()?;
        let start = (numbers(&l.field("seeds")?), [0, 0], 0);
        return Some(oware(&start, player, limit, &mut HashMap::new()));
    }
    if l.name != "Kalah" {
        return None;
    }
    let seeds = numbers(&l.field("seeds")?);
    let (left, right) = seeds.split_at(seeds.len() / 2);
    let pits = [left, &[0], right, &[0]].concat();
    Some(best(&pits, player, &mut HashMap::new()))
}
