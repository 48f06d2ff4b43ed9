//! Games on a row of cells, each from its definition. A state has one number per cell.

use super::brute::{Case, State};
use super::literal::{Literal, numbers};

/// Cells as numbers: 0 empty, 1 Left's, 2 Right's, 3 both players', 9 removed.
fn cells(l: &Literal, glyphs: &str) -> State {
    let code = |c: char| {
        glyphs
            .find(c)
            .map_or(if c == '#' { 9 } else { 0 }, |i| i as i32 + 1)
    };
    l.rows()[0].iter().map(|&c| code(c)).collect()
}

fn owns(left: bool, piece: i32) -> bool {
    piece == 3 || piece == if left { 1 } else { 2 }
}

fn toads(state: &State, left: bool) -> Vec<State> {
    let (me, step) = if left { (1, 1) } else { (2, -1) };
    let mut next = Vec::new();
    for i in 0..state.len() as i32 {
        let at = |j: i32| state.get(usize::try_from(j).ok()?).copied();
        if at(i) != Some(me) {
            continue;
        }
        let target = if at(i + step) == Some(0) {
            i + step
        } else if at(i + step) == Some(3 - me) && at(i + 2 * step) == Some(0) {
            i + 2 * step
        } else {
            continue;
        };
        let mut after = state.clone();
        after[i as usize] = 0;
        after[target as usize] = me;
        next.push(after);
    }
    next
}

fn toppling(state: &State, left: bool) -> Vec<State> {
    (0..state.len())
        .filter(|&i| owns(left, state[i]))
        .flat_map(|i| [state[..i].to_vec(), state[i + 1..].to_vec()])
        .collect()
}

/// Heads is 1. `sets` gives the sets of cells that may be turned if the given cell is their easternmost.
fn turning(l: &Literal, sets: impl Fn(usize) -> Vec<Vec<usize>> + 'static) -> Case {
    Case::new(cells(l, "h"), move |state, _| {
        let mut next = Vec::new();
        for i in (0..state.len()).filter(|&i| state[i] == 1) {
            for set in sets(i) {
                let mut after = state.clone();
                set.iter().for_each(|&j| after[j] = 1 - after[j]);
                next.push(after);
            }
        }
        next
    })
}

/// Moves a piece and the pieces west of it one cell west. Push stops at the nearest gap; otherwise the cell at the west end
/// is lost.
fn shoving(state: &State, left: bool, push: bool) -> Vec<State> {
    let mut next = Vec::new();
    for i in (0..state.len()).filter(|&i| owns(left, state[i])) {
        let gap = if push {
            (0..i).rev().find(|&j| state[j] == 0)
        } else {
            None
        };
        let mut after = state.clone();
        after.remove(gap.unwrap_or(0));
        after.insert(i, 0);
        next.push(after);
    }
    next
}

fn cherries(state: &State, left: bool) -> Vec<State> {
    let free = |j: Option<usize>| j.and_then(|j| state.get(j)).is_none_or(|&c| c == 0);
    (0..state.len())
        .filter(|&i| owns(left, state[i]) && (free(i.checked_sub(1)) || free(Some(i + 1))))
        .map(|i| {
            let mut after = state.clone();
            after[i] = 0;
            after
        })
        .collect()
}

fn end_nim(state: &State, left: bool) -> Vec<State> {
    let end = if left {
        state.iter().position(|&n| n > 0)
    } else {
        state.iter().rposition(|&n| n > 0)
    };
    let Some(end) = end else { return vec![] };
    (0..state[end])
        .map(|n| {
            let mut after = state.clone();
            after[end] = n;
            after
        })
        .collect()
}

fn silver_dollar(state: &State) -> Vec<State> {
    let mut next = Vec::new();
    for i in (0..state.len()).filter(|&i| state[i] == 1) {
        for j in (0..i).rev().take_while(|&j| state[j] == 0) {
            let mut after = state.clone();
            after.swap(i, j);
            next.push(after);
        }
    }
    next
}

pub fn case(l: &Literal) -> Option<Case> {
    Some(match l.name.as_str() {
        "ToadsAndFrogs" => Case::new(cells(l, "tf"), toads),
        "TopplingDominoes" => Case::new(cells(l, "brg"), toppling),
        "TurningTurtles" => turning(l, |i| {
            [vec![i]]
                .into_iter()
                .chain((0..i).map(|j| vec![i, j]))
                .collect()
        }),
        "MockTurtles" => turning(l, |i| {
            let mut sets = vec![vec![i]];
            for j in 0..i {
                sets.push(vec![i, j]);
                sets.extend((0..j).map(|k| vec![i, j, k]));
            }
            sets
        }),
        "Ruler" => turning(l, |i| (0..=i).map(|j| (j..=i).collect()).collect()),
        "Push" | "Shove" => {
            let push = l.name == "Push";
            Case::new(cells(l, "lr"), move |s, left| shoving(s, left, push))
        }
        "Cherries" => Case::new(cells(l, "br"), cherries),
        "EndNim" => Case::new(numbers(&l.field("stack")?), end_nim),
        "SilverDollar" => Case::new(cells(l, "c"), |s, _| silver_dollar(s)),
        _ => return None,
    })
}
