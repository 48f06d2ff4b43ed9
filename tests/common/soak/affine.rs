//! The worth of impartial positions under rules with clauses that end play or keep the turn. Input: the result of each move;
//! output: the nim-heap that balances a position, by plain play of the two together.

use super::brute::{Graph, Step};
use cgdsl::game::End;
use std::collections::{BTreeSet, HashMap};

/// The worth of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Worth {
    /// A heap of this size balances it.
    Heap(u32),
    /// No heap balances it.
    Loony,
    /// The players have different moves somewhere, play can be drawn or repeat, or a rule fails.
    Refused,
}

/// A move from the mover's view: `Ok` of where it leads and whether the same player moves again, or `Err` of whether the
/// mover wins at once.
type Seen = Result<(usize, bool), bool>;

/// The moves of a player; `None` if one is a draw.
fn seen(steps: &[Step], player: usize) -> Option<BTreeSet<Seen>> {
    let of = |s: &Step| match s.end {
        None => Some(Ok((s.to, s.again))),
        Some(End::Won(who)) if who.count_ones() == 1 => Some(Err(who == 1 << player)),
        Some(_) => None,
    };
    steps.iter().map(of).collect()
}

/// The worth of each position; `None` if the graph is cut off and does not determine it.
pub fn worths(graph: &Graph, complete: bool) -> Vec<Option<Worth>> {
    let moves: Vec<Option<BTreeSet<Seen>>> = graph
        .steps
        .iter()
        .map(|sides| match &sides[..] {
            [Some(left), Some(right)] => {
                let left = seen(left, 0)?;
                (Some(&left) == seen(right, 1).as_ref()).then_some(left)
            }
            _ => None,
        })
        .collect();
    let cut = |p: usize| !complete && graph.steps[p].iter().any(Option::is_none);
    let mut wins = HashMap::new();
    let worth = |p: usize| {
        let Some(followers) = followers(p, &moves) else {
            // Behind a refusal, something may be cut off, or vice versa: the position is refused in any case.
            return Some(Worth::Refused);
        };
        if followers.iter().any(|q| cut(*q)) {
            return None;
        }
        if followers.iter().any(|q| moves[*q].is_none()) {
            return Some(Worth::Refused);
        }
        let sizes = followers.iter().filter_map(|q| moves[*q].as_ref());
        let most = sizes.map(BTreeSet::len).max().unwrap_or(0) as u32;
        let heap = (0..=most + 1).find(|x| !wins_with(p, *x, &moves, &mut wins));
        Some(heap.map_or(Worth::Loony, Worth::Heap))
    };
    (0..graph.steps.len()).map(worth).collect()
}

/// All followers of a position, itself first, as far as moves are known; `None` if one of them can repeat.
fn followers(start: usize, moves: &[Option<BTreeSet<Seen>>]) -> Option<Vec<usize>> {
    let mut found = Vec::new();
    let mut done = vec![false; moves.len()];
    let mut open = vec![false; moves.len()];
    let mut line = vec![(start, false)];
    while let Some((p, left)) = line.pop() {
        if left {
            (open[p], done[p]) = (false, true);
            continue;
        }
        if open[p] {
            return None;
        }
        if done[p] {
            continue;
        }
        open[p] = true;
        found.push(p);
        line.push((p, true));
        let next = moves[p].iter().flatten().flatten();
        line.extend(next.map(|(q, _)| (*q, false)));
    }
    Some(found)
}

/// Whether the player to move wins a position together with a heap.
fn wins_with(
    p: usize,
    heap: u32,
    moves: &[Option<BTreeSet<Seen>>],
    known: &mut HashMap<(usize, u32), bool>,
) -> bool {
    if let Some(wins) = known.get(&(p, heap)) {
        return *wins;
    }
    let by_heap = (0..heap).any(|x| !wins_with(p, x, moves, known));
    let wins = by_heap
        || moves[p].iter().flatten().any(|m| match *m {
            Ok((q, again)) => wins_with(q, heap, moves, known) == again,
            Err(at_once) => at_once,
        });
    known.insert((p, heap), wins);
    wins
}
