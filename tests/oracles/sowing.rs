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

/// The score of a position if Left or Right begins.
pub fn score(l: &Literal, first: &str) -> Option<i32> {
    if l.name != "Kalah" {
        return None;
    }
    let seeds = numbers(&l.field("seeds")?);
    let (left, right) = seeds.split_at(seeds.len() / 2);
    let pits = [left, &[0], right, &[0]].concat();
    let player = usize::from(first != "Left");
    Some(best(&pits, player, &mut HashMap::new()))
}
