//! Who wins, by the definitions alone. Input: the result of each move of each player; output: what each coalition can force.
//!
//! A coalition wins if it can force, in some number of moves and whatever the others do, an end that one of its members wins;
//! or, if one of its members wins endless play, if the others cannot force another end. If a rule fails on a line of play
//! that matters, neither a win nor a loss is claimed.

use super::brute::Graph;
use cgdsl::game::{Convention, End};
use std::collections::HashMap;

/// Whether a coalition wins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// In this many moves, if that number is bounded.
    Yes(Option<u32>),
    No,
    /// A rule fails where it matters, or the position is too far from the start.
    Wrong,
}

/// The result of best play by two players.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fate {
    Won(usize, Option<u32>),
    Drawn,
    Wrong,
}

impl Fate {
    /// The fate with Left and Right exchanged.
    pub fn negated(self) -> Fate {
        match self {
            Fate::Won(p, moves) => Fate::Won(1 - p, moves),
            other => other,
        }
    }
}

/// A position with a player to move and the set of remaining players.
enum Place {
    Wrong,
    /// Play is over, since the player to move cannot move.
    Stuck(Option<u32>),
    Open {
        mover: usize,
        ends: Vec<Option<u32>>,
        next: Vec<usize>,
    },
}

/// All positions that can follow.
pub struct Places {
    players: usize,
    endless: Option<usize>,
    /// Whether all that can follow is there. If not, some positions are too far from the start, and count as failing rules.
    complete: bool,
    all: Vec<Place>,
    numbers: HashMap<(usize, usize, u32), usize>,
}

impl Places {
    /// The followers of the first positions of a graph, whoever begins.
    pub fn new(
        graph: &Graph,
        convention: Convention,
        endless: Option<usize>,
        first: usize,
    ) -> Places {
        let n = graph.players;
        let everyone = (1u32 << n) - 1;
        let mut keys = Vec::new();
        let mut numbers = HashMap::new();
        let mut number = |key: (usize, usize, u32), keys: &mut Vec<_>| {
            *numbers.entry(key).or_insert_with(|| {
                keys.push(key);
                keys.len() - 1
            })
        };
        for position in 0..first.min(graph.steps.len()) {
            for mover in 0..n {
                number((position, mover, everyone), &mut keys);
            }
        }
        let mut all = Vec::new();
        while let Some((position, mover, within)) = keys.get(all.len()).copied() {
            let after = |p: usize, within: u32| {
                let mut order = (1..=n).map(|i| (p + i) % n);
                order.find(|q| within >> q & 1 == 1).unwrap_or(p)
            };
            let open = |ends, next| Place::Open { mover, ends, next };
            let place = match &graph.steps[position][mover] {
                _ if convention == Convention::Elimination && within.count_ones() == 1 => {
                    Place::Stuck(Some(within))
                }
                None => Place::Wrong,
                Some(steps) if steps.is_empty() => match convention {
                    Convention::Normal => Place::Stuck(Some(1 << (1 - mover))),
                    Convention::Misere => Place::Stuck(Some(1 << mover)),
                    // Points are judged by `language scores`.
                    Convention::StuckDraws | Convention::Scoring => Place::Stuck(None),
                    Convention::LastWins => Place::Stuck(Some(1 << ((mover + n - 1) % n))),
                    Convention::Elimination => {
                        let left = within & !(1 << mover);
                        let next = number((position, after(mover, left), left), &mut keys);
                        open(Vec::new(), vec![next])
                    }
                },
                Some(steps) => {
                    let (mut ends, mut next) = (Vec::new(), Vec::new());
                    for step in steps {
                        let mover = match step.again {
                            true => mover,
                            false => after(mover, within),
                        };
                        match step.end {
                            Some(End::Won(who)) => ends.push(Some(who as u32)),
                            Some(End::Drawn) => ends.push(None),
                            None => next.push(number((step.to, mover, within), &mut keys)),
                        }
                    }
                    open(ends, next)
                }
            };
            all.push(place);
        }
        Places {
            players: n,
            endless,
            complete: true,
            all,
            numbers,
        }
    }

    /// The same, where some positions may be too far from the start.
    pub fn complete(self, complete: bool) -> Places {
        Places { complete, ..self }
    }

    /// For each place, the number of moves in which a coalition forces an end that `good` accepts: the definition, one move
    /// after another. With `wrong`, a rule that fails counts as such an end.
    fn forced(
        &self,
        coalition: u32,
        wrong: bool,
        good: impl Fn(Option<u32>) -> bool,
    ) -> Vec<Option<u32>> {
        let mut known: Vec<Option<u32>> = vec![None; self.all.len()];
        for round in 0u32.. {
            let before = known.clone();
            for (place, found) in self.all.iter().zip(&mut known) {
                let reached = |n: &usize| before[*n].is_some();
                let holds = match place {
                    _ if found.is_some() => continue,
                    Place::Wrong => wrong,
                    Place::Stuck(end) => good(*end),
                    Place::Open { .. } if round == 0 => false,
                    Place::Open { mover, ends, next } => {
                        let mut ends = ends.iter().map(|end| good(*end));
                        match coalition >> mover & 1 == 1 {
                            true => ends.any(|g| g) || next.iter().any(reached),
                            false => ends.all(|g| g) && next.iter().all(reached),
                        }
                    }
                };
                if holds {
                    *found = Some(round);
                }
            }
            if round > 0 && before == known {
                break;
            }
        }
        known
    }

    /// Whether a coalition wins, at each place.
    pub fn wins(&self, coalition: u32) -> Vec<Verdict> {
        let good = |end: Option<u32>| end.is_some_and(|who| who & coalition != 0);
        let everyone = (1u32 << self.players) - 1;
        let won = self.forced(coalition, false, good);
        let perhaps = self.forced(coalition, true, good);
        let holds = self.endless.is_some_and(|p| coalition >> p & 1 == 1);
        let spoiled = |wrong| match holds {
            true => self.forced(everyone & !coalition, wrong, |end| !good(end)),
            false => vec![Some(0); self.all.len()],
        };
        let may_be_spoiled = spoiled(true);
        // The others may reach a position of which nothing is known.
        let is_spoiled = spoiled(self.complete);
        let each = won
            .iter()
            .zip(&perhaps)
            .zip(may_be_spoiled.iter().zip(&is_spoiled));
        each.map(|((won, perhaps), spoiled)| match (won, perhaps, spoiled) {
            (Some(moves), _, _) => Verdict::Yes(Some(*moves)),
            (_, _, (None, _)) => Verdict::Yes(None),
            (_, None, (_, Some(_))) => Verdict::No,
            _ => Verdict::Wrong,
        })
        .collect()
    }

    /// The place of one of the first positions, with all players still in.
    pub fn at(&self, position: usize, mover: usize) -> Option<usize> {
        let everyone = (1u32 << self.players) - 1;
        self.numbers.get(&(position, mover, everyone)).copied()
    }

    /// The result of best play by two at the first positions, by who begins.
    pub fn fates(&self, first: usize) -> Vec<[Fate; 2]> {
        let wins = [self.wins(1), self.wins(2)];
        let fate = |position: usize, mover: usize| {
            let Some(n) = self.at(position, mover) else {
                return Fate::Wrong;
            };
            match (wins[0][n], wins[1][n]) {
                (Verdict::Yes(moves), _) => Fate::Won(0, moves),
                (_, Verdict::Yes(moves)) => Fate::Won(1, moves),
                (Verdict::No, Verdict::No) => Fate::Drawn,
                _ => Fate::Wrong,
            }
        };
        (0..first).map(|p| [fate(p, 0), fate(p, 1)]).collect()
    }
}
