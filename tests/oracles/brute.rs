//! A game as a start and a move function on small vectors; its value, nimber or outcome by plain recursion with a memo
//! table. Positions are neither split nor normalised.

use super::algebra::{Games, Id};
use std::collections::HashMap;

/// A position, encoded as each family prefers.
pub type State = Vec<i32>;

/// All options of a position, for Left (`true`) or Right.
pub type Moves = Box<dyn Fn(&State, bool) -> Vec<State>>;

/// The name of a claim in the files, and the computation that confirms it.
pub type Claim = (&'static str, fn() -> bool);

/// A game with its starting position.
pub struct Case {
    pub start: State,
    pub moves: Moves,
}

impl Case {
    pub fn new(start: State, moves: impl Fn(&State, bool) -> Vec<State> + 'static) -> Case {
        Case {
            start,
            moves: Box::new(moves),
        }
    }

    pub fn value(&self, games: &mut Games) -> Id {
        let mut memo = HashMap::new();
        self.value_of(&self.start, games, &mut memo)
    }

    fn value_of(&self, state: &State, games: &mut Games, memo: &mut HashMap<State, Id>) -> Id {
        if let Some(&known) = memo.get(state) {
            return known;
        }
        let [left, right] = [true, false].map(|side| {
            (self.moves)(state, side)
                .iter()
                .map(|s| self.value_of(s, games, memo))
                .collect::<Vec<Id>>()
        });
        let answer = games.game(&left, &right);
        memo.insert(state.clone(), answer);
        answer
    }

    /// The nimber by mex; `None` if Left's and Right's options differ at some follower.
    pub fn nimber(&self) -> Option<u64> {
        let mut memo = HashMap::new();
        self.nimber_of(&self.start, &mut memo)
    }

    fn nimber_of(&self, state: &State, memo: &mut HashMap<State, u64>) -> Option<u64> {
        if let Some(&known) = memo.get(state) {
            return Some(known);
        }
        let [mut left, mut right] = [true, false].map(|side| (self.moves)(state, side));
        left.sort();
        left.dedup();
        right.sort();
        right.dedup();
        if left != right {
            return None;
        }
        let reached: Option<Vec<u64>> = left.iter().map(|s| self.nimber_of(s, memo)).collect();
        let reached = reached?;
        let answer = (0..).find(|n| !reached.contains(n))?;
        memo.insert(state.clone(), answer);
        Some(answer)
    }

    /// Whether Left (`true`) or Right wins moving first.
    pub fn first_wins(&self, left: bool) -> bool {
        let mut memo = HashMap::new();
        self.wins(&self.start, left, &mut memo)
    }

    fn wins(&self, state: &State, left: bool, memo: &mut HashMap<(State, bool), bool>) -> bool {
        if let Some(&known) = memo.get(&(state.clone(), left)) {
            return known;
        }
        let answer = (self.moves)(state, left)
            .iter()
            .any(|s| !self.wins(s, !left, memo));
        memo.insert((state.clone(), left), answer);
        answer
    }

    /// The outcome as text: "N-position" and so on.
    pub fn outcome(&self) -> &'static str {
        match (self.first_wins(true), self.first_wins(false)) {
            (true, true) => "N-position",
            (true, false) => "L-position",
            (false, true) => "R-position",
            (false, false) => "P-position",
        }
    }
}
