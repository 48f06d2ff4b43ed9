//! Games as explicit trees, computed from the textbook definitions alone: canonical forms, winners and nimbers from options.
//! Nothing of the engine is used here, so that the engine can be checked against it.
//!
//! Siegel, *Combinatorial Game Theory*, II.1 (order and sum), II.2 (canonical form: no dominated and no reversible options);
//! Propp 2000 and Cincotti 2009 for more players.

use cgdsl::game::{Cancel, End};
use std::collections::HashMap;

/// The number of a game; for canonical games, equal numbers mean equal games.
pub type Id = u32;

/// All games constructed so far.
#[derive(Default)]
pub struct Arena {
    games: Vec<[Vec<Id>; 2]>,
    numbers: HashMap<[Vec<Id>; 2], Id>,
    less_or_equal: HashMap<(Id, Id), bool>,
    canonical: HashMap<Id, Id>,
    sums: HashMap<(Id, Id), Id>,
    negatives: HashMap<Id, Id>,
    over: Cancel,
}

/// The most games for one ruleset.
const MOST: usize = 60_000;

impl Arena {
    /// An arena whose answers are meaningless once `over` is cancelled; they then come at once.
    pub fn until(over: &Cancel) -> Arena {
        Arena {
            over: over.clone(),
            ..Arena::default()
        }
    }

    /// Whether the arena is too large to go on, or the time is over.
    pub fn is_full(&self) -> bool {
        self.over.is_cancelled() || self.games.len() > MOST || self.less_or_equal.len() > 40 * MOST
    }

    fn form(&mut self, mut options: [Vec<Id>; 2]) -> Id {
        for side in &mut options {
            side.sort_unstable();
            side.dedup();
        }
        if let Some(id) = self.numbers.get(&options) {
            return *id;
        }
        let id = u32::try_from(self.games.len()).expect("a bounded arena");
        self.games.push(options.clone());
        self.numbers.insert(options, id);
        id
    }

    /// `g <= h`: Left has no move in g to something at least h, and Right none in h to something at most g.
    pub fn le(&mut self, g: Id, h: Id) -> bool {
        if let Some(known) = self.less_or_equal.get(&(g, h)) {
            return *known;
        }
        if self.over.is_cancelled() {
            return true;
        }
        let left = self.games[g as usize][0].clone();
        let right = self.games[h as usize][1].clone();
        let holds =
            !left.into_iter().any(|l| self.le(h, l)) && !right.into_iter().any(|r| self.le(r, g));
        self.less_or_equal.insert((g, h), holds);
        holds
    }

    /// The canonical form of the game with these canonical options.
    pub fn game(&mut self, left: Vec<Id>, right: Vec<Id>) -> Id {
        let raw = self.form([left, right]);
        if let Some(known) = self.canonical.get(&raw) {
            return *known;
        }
        let mut options = self.games[raw as usize].clone();
        while !self.over.is_cancelled() {
            let bypassed = [
                self.bypass(raw, &options[0], 0),
                self.bypass(raw, &options[1], 1),
            ];
            let kept = [
                self.undominated(&bypassed[0], 0),
                self.undominated(&bypassed[1], 1),
            ];
            if kept == options {
                break;
            }
            options = kept;
        }
        let found = self.form(options);
        self.canonical.insert(raw, found);
        self.canonical.insert(found, found);
        found
    }

    /// The options of one player (side 0: Left) in the game `raw`, with reversible ones bypassed.
    fn bypass(&mut self, raw: Id, options: &[Id], side: usize) -> Vec<Id> {
        let mut all = Vec::new();
        for option in options {
            let answers = self.games[*option as usize][1 - side].clone();
            let through = answers.into_iter().find(|a| match side {
                0 => self.le(*a, raw),
                _ => self.le(raw, *a),
            });
            match through {
                Some(a) => all.extend(self.games[a as usize][side].clone()),
                None => all.push(*option),
            }
        }
        all.sort_unstable();
        all.dedup();
        all
    }

    fn undominated(&mut self, options: &[Id], side: usize) -> Vec<Id> {
        let all = options.to_vec();
        let mut kept = all.clone();
        kept.retain(|o| {
            !all.iter().any(|other| {
                other != o
                    && match side {
                        0 => self.le(*o, *other),
                        _ => self.le(*other, *o),
                    }
            })
        });
        kept
    }

    /// `g + h`
    pub fn add(&mut self, g: Id, h: Id) -> Id {
        let key = (g.min(h), g.max(h));
        if let Some(known) = self.sums.get(&key) {
            return *known;
        }
        if self.over.is_cancelled() {
            return g;
        }
        let mut sides = [Vec::new(), Vec::new()];
        for (side, all) in sides.iter_mut().enumerate() {
            for (moved, other) in [(g, h), (h, g)] {
                for option in self.games[moved as usize][side].clone() {
                    all.push(self.add(option, other));
                }
            }
        }
        let [left, right] = sides;
        let sum = self.game(left, right);
        self.sums.insert(key, sum);
        sum
    }

    /// `-g`
    pub fn negative(&mut self, g: Id) -> Id {
        if let Some(known) = self.negatives.get(&g) {
            return *known;
        }
        let [left, right] = self.games[g as usize].clone();
        let left = left.into_iter().map(|o| self.negative(o)).collect();
        let right = right.into_iter().map(|o| self.negative(o)).collect();
        let negative = self.game(right, left);
        self.negatives.insert(g, negative);
        negative
    }

    /// `*n`
    pub fn heap(&mut self, n: u32) -> Id {
        let mut below = Vec::new();
        for _ in 0..n {
            let next = self.game(below.clone(), below.clone());
            below.push(next);
        }
        self.game(below.clone(), below)
    }

    /// The n of `*n`: both players have the options `*0 .. *(n - 1)`.
    pub fn nimber(&self, g: Id) -> Option<u32> {
        let [left, right] = &self.games[g as usize];
        if left != right {
            return None;
        }
        let mut below: Vec<Option<u32>> = left.iter().map(|o| self.nimber(*o)).collect();
        below.sort_unstable();
        let n = u32::try_from(below.len()).ok()?;
        (0..n).map(Some).eq(below).then_some(n)
    }

    /// The game as text: braces, integers and nimbers by their names.
    pub fn show(&self, g: Id) -> String {
        if let Some(n) = self.nimber(g) {
            return match n {
                0 => "0".to_owned(),
                1 => "*".to_owned(),
                n => format!("*{n}"),
            };
        }
        let [left, right] = &self.games[g as usize];
        if let Some(n) = self.integer(g) {
            return n.to_string();
        }
        let side = |options: &[Id]| {
            let all: Vec<String> = options.iter().map(|o| self.show(*o)).collect();
            all.join(",")
        };
        format!("{{{}|{}}}", side(left), side(right))
    }

    fn integer(&self, g: Id) -> Option<i32> {
        match &self.games[g as usize] {
            [left, right] if left.is_empty() && right.is_empty() => Some(0),
            [left, right] if left.len() == 1 && right.is_empty() => {
                self.integer(left[0]).filter(|n| *n >= 0).map(|n| n + 1)
            }
            [left, right] if right.len() == 1 && left.is_empty() => {
                self.integer(right[0]).filter(|n| *n <= 0).map(|n| n - 1)
            }
            _ => None,
        }
    }
}

/// The result of a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Step {
    pub to: usize,
    /// Whether the same player moves next.
    pub again: bool,
    /// The end of play, if a clause ends it there.
    pub end: Option<End>,
}

/// The options of each player at each examined position; `None` if they are unknown, because a rule fails there for that
/// player, play is over there, or the position is too far from the start.
pub struct Graph {
    pub players: usize,
    pub options: Vec<Vec<Option<Vec<usize>>>>,
    pub steps: Vec<Vec<Option<Vec<Step>>>>,
}

impl Graph {
    /// The options of a player at a position, if known.
    pub fn of(&self, position: usize, player: usize) -> Option<&[usize]> {
        self.options[position][player].as_deref()
    }

    /// The positions from which every line of play is known and ends, in order of the length of play: an option comes before
    /// the positions that have it.
    pub fn ending(&self) -> Vec<usize> {
        let n = self.options.len();
        let mut waits = vec![0usize; n];
        let mut above: Vec<Vec<usize>> = vec![Vec::new(); n];
        let mut ready = Vec::new();
        for (p, options) in self.options.iter().enumerate() {
            if options.iter().any(Option::is_none) {
                continue;
            }
            let mut all: Vec<usize> = options.iter().flatten().flatten().copied().collect();
            all.sort_unstable();
            all.dedup();
            waits[p] = all.len();
            all.iter().for_each(|o| above[*o].push(p));
            if all.is_empty() {
                ready.push(p);
            }
        }
        let mut next = 0;
        while let Some(p) = ready.get(next).copied() {
            next += 1;
            for q in &above[p] {
                waits[*q] -= 1;
                if waits[*q] == 0 {
                    ready.push(*q);
                }
            }
        }
        ready
    }

    /// Whether the player to move wins a sum of two positions from which all play ends.
    pub fn wins_sum(
        &self,
        pair: (usize, usize),
        mover: usize,
        misere: bool,
        known: &mut HashMap<(usize, usize, usize), bool>,
    ) -> bool {
        let (p, q) = (pair.0.min(pair.1), pair.0.max(pair.1));
        if let Some(wins) = known.get(&(p, q, mover)) {
            return *wins;
        }
        let side = |p: usize| self.of(p, mover).unwrap_or_default();
        let (first, second) = (side(p), side(q));
        let none = first.is_empty() && second.is_empty();
        let wins = (none && misere)
            || first
                .iter()
                .any(|o| !self.wins_sum((*o, q), 1 - mover, misere, known))
            || second
                .iter()
                .any(|o| !self.wins_sum((p, *o), 1 - mover, misere, known));
        known.insert((p, q, mover), wins);
        wins
    }
}
