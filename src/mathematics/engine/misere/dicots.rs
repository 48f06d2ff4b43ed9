//! The order of partizan games in misère play, among dicots and among dead-ending games. Input: positions of a finite game.
//! Output: whether one is at least as good for Left as another beside every game of that kind.
//!
//! A *dicot* is a game in which, at every follower, both players can move or neither can. A game is *dead-ending* if a
//! player who has no move at a follower has none at any of its followers either. Both conditions are checked at every
//! follower.
//!
//! **Theorem** (P. Dorbec, G. Renault, A. N. Siegel, É. Sopena, *Dicots, and a taxonomic ranking for misère games*, J.
//! Combin. Theory A 130, 2015; for dead-ending games U. Larsson, R. Milley, R. J. Nowakowski, G. Renault, C. P. dos Santos,
//! *Progress on misère dead ends: game comparison, canonical form, and conjugate inverses*, 2018). G ≥ H among dicots if and
//! only if
//!
//! * the outcome of G is at least that of H;
//! * for each G^R there is an H^R ≤ G^R or a G^RL ≥ H;
//! * for each H^L there is a G^L ≥ H^L or an H^LR ≤ G.
//!
//! Among dead-ending games the same holds with *strong* outcomes: the player who begins gets the worst result that he gets
//! beside any of the other player's waiting games. Against Left these are M(n) = {|M(0), .., M(n-1)}, against Right their
//! negatives. It is enough to take n up to the game's birthday plus one.

use crate::engine::stopped::Stopped;
use crate::game::{Budget, Limit, Player, Rules};
use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

/// Positions as numbers, with the options of Left and of Right. Options have smaller numbers than their position.
#[derive(Clone, Debug, Default)]
pub struct Partizan {
    left: Vec<Vec<u32>>,
    right: Vec<Vec<u32>>,
    rank: Vec<u32>,
    ids: HashMap<(Vec<u32>, Vec<u32>), u32, FxBuildHasher>,
}

/// A position on the current line of play, with its options.
struct Frame<P> {
    position: P,
    sides: [Vec<P>; 2],
}

/// The numbers of positions; `None` while a position is on the current line of play.
type Numbers<P> = HashMap<P, Option<u32>, FxBuildHasher>;

/// The class of games beside which two games are compared.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Among {
    /// All dicots.
    Dicots,
    /// All dead-ending games.
    DeadEnding,
}

impl Partizan {
    /// The number of the position with these options; the same number for the same options. Options that are not in the
    /// table yet are ignored.
    pub fn push(&mut self, mut left: Vec<u32>, mut right: Vec<u32>) -> u32 {
        let next = self.left.len() as u32;
        for side in [&mut left, &mut right] {
            side.retain(|o| *o < next);
            side.sort_unstable();
            side.dedup();
        }
        if let Some(id) = self.ids.get(&(left.clone(), right.clone())) {
            return *id;
        }
        let last = left.iter().chain(&right).map(|o| self.rank[*o as usize]);
        self.rank.push(last.max().map_or(0, |r| r + 1));
        self.left.push(left.clone());
        self.right.push(right.clone());
        self.ids.insert((left, right), next);
        next
    }

    /// The number of a position of a game of two players. All its followers are added. `memory` is the limit in bytes.
    ///
    /// # Errors
    /// A limit, a rule that fails, or a repeated position.
    pub fn add<R: Rules>(
        &mut self,
        rules: &R,
        start: &R::Position,
        memory: usize,
        budget: &Budget,
    ) -> Result<u32, Stopped<R::Position, R::Fault>> {
        let mut numbers: Numbers<R::Position> = HashMap::default();
        let mut held = 0;
        let mut line = vec![open(rules, start.clone(), &mut numbers, budget)?];
        while let Some(frame) = line.last_mut() {
            let mut all = frame.sides.iter().flatten();
            let next = all
                .find(|o| !matches!(numbers.get(*o), Some(Some(_))))
                .cloned();
            if let Some(next) = next {
                if numbers.contains_key(&next) {
                    return Err(Stopped::Cycle {
                        line: vec![frame.position.clone(), next],
                    });
                }
                let opened = open(rules, next, &mut numbers, budget)?;
                line.push(opened);
                continue;
            }
            let Some(frame) = line.pop() else { break };
            let [left, right] = frame.sides.map(|side| {
                let known = side
                    .iter()
                    .filter_map(|o| numbers.get(o).copied().flatten());
                known.collect::<Vec<u32>>()
            });
            // The lists occur twice: in the list of positions and in the table of forms.
            held += rules.position_bytes(&frame.position)
                + size_of::<R::Position>()
                + (left.len() + right.len()) * 8
                + 128;
            if held > memory {
                return Err(Stopped::Limit(Limit::Memory));
            }
            let number = self.push(left, right);
            numbers.insert(frame.position, Some(number));
        }
        let found = numbers.get(start).copied().flatten();
        found.ok_or(Stopped::Limit(Limit::Nodes))
    }

    /// The number of positions.
    #[must_use]
    pub fn len(&self) -> usize {
        self.left.len()
    }

    /// Whether there are no positions.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.left.is_empty()
    }

    /// The options of Left, or of Right.
    #[must_use]
    pub fn options(&self, position: u32, left: bool) -> &[u32] {
        match left {
            true => &self.left[position as usize],
            false => &self.right[position as usize],
        }
    }

    /// All followers of a position, including itself.
    fn followers(&self, position: u32) -> Vec<u32> {
        let mut met = vec![false; position as usize + 1];
        met[position as usize] = true;
        for p in (0..=position).rev() {
            if met[p as usize] {
                for o in self.left[p as usize].iter().chain(&self.right[p as usize]) {
                    met[*o as usize] = true;
                }
            }
        }
        (0..=position).filter(|p| met[*p as usize]).collect()
    }

    /// The class of a position whose order is known: dicots are dead-ending too, and come first. `None` if it is in neither.
    #[must_use]
    pub fn class(&self, position: u32) -> Option<Among> {
        let all = [Among::Dicots, Among::DeadEnding];
        all.into_iter().find(|a| self.is_among(position, *a))
    }

    /// Whether a position belongs to this class.
    #[must_use]
    pub fn is_among(&self, position: u32, among: Among) -> bool {
        let empty = |p: u32, left: bool| self.options(p, left).is_empty();
        // Whether a player has no move here nor at any follower.
        let mut dead = [Vec::new(), Vec::new()];
        if among == Among::DeadEnding {
            for (i, left) in [true, false].into_iter().enumerate() {
                for p in 0..=position {
                    let all = self.left[p as usize].iter().chain(&self.right[p as usize]);
                    let below = all.clone().all(|o| dead[i][*o as usize]);
                    dead[i].push(below && empty(p, left));
                }
            }
        }
        self.followers(position).into_iter().all(|p| match among {
            Among::Dicots => empty(p, true) == empty(p, false),
            Among::DeadEnding => [true, false]
                .into_iter()
                .enumerate()
                .all(|(i, left)| !empty(p, left) || dead[i][p as usize]),
        })
    }

    /// The number of the negative of a position, in which Left and Right are exchanged.
    pub fn negative(&mut self, position: u32) -> u32 {
        let mut negatives: Vec<u32> = Vec::new();
        for p in 0..=position {
            let of = |side: &[u32]| side.iter().map(|o| negatives[*o as usize]).collect();
            let (left, right) = (of(&self.right[p as usize]), of(&self.left[p as usize]));
            let negative = self.push(left, right);
            negatives.push(negative);
        }
        negatives[position as usize]
    }
}

/// A position with its options, which is on the line of play from now on.
fn open<R: Rules>(
    rules: &R,
    position: R::Position,
    numbers: &mut Numbers<R::Position>,
    budget: &Budget,
) -> Result<Frame<R::Position>, Stopped<R::Position, R::Fault>> {
    budget.charge()?;
    let mut sides = [Vec::new(), Vec::new()];
    for (side, player) in sides.iter_mut().zip([Player::LEFT, Player::RIGHT]) {
        rules
            .options(&position, player, side)
            .map_err(|fault| Stopped::Fault {
                position: position.clone(),
                fault,
            })?;
    }
    numbers.insert(position.clone(), None);
    Ok(Frame { position, sides })
}

/// A memo table of comparisons.
#[derive(Debug, Default)]
pub struct Comparison {
    /// For (p, n, left): whether Left wins p + M(n), or p - M(-n) where n is negative, when Left (`left`) or Right is to
    /// move.
    wins: HashMap<(u32, i64, bool), bool, FxBuildHasher>,
    known: HashMap<(u32, u32), bool, FxBuildHasher>,
    among: Option<Among>,
}

impl Comparison {
    /// A table without entries.
    #[must_use]
    pub fn new(among: Among) -> Comparison {
        Comparison {
            among: Some(among),
            ..Comparison::default()
        }
    }

    /// Whether Left wins the sum of a position and M(n), or -M(-n) where n is negative, when Left (`left`) or Right begins.
    /// `start` is (position, n, left).
    fn left_wins(
        &mut self,
        games: &Partizan,
        start: (u32, i64, bool),
        budget: &Budget,
    ) -> Result<bool, Limit> {
        let mut line = vec![start];
        while let Some(&(p, n, left)) = line.last() {
            if self.wins.contains_key(&(p, n, left)) {
                line.pop();
                continue;
            }
            budget.charge()?;
            let own = games.options(p, left).iter().map(|o| (*o, n, !left));
            // M(n) has moves of Right only, its negative has moves of Left only.
            let waits: Vec<_> = match left {
                true => (n..0)
                    .skip(1)
                    .map(|m| (p, m, false))
                    .chain((n < 0).then_some((p, 0, false)))
                    .collect(),
                false => (0..n).map(|m| (p, m, true)).collect(),
            };
            let all: Vec<_> = own.chain(waits).collect();
            let unknown: Vec<_> = all
                .iter()
                .filter(|s| !self.wins.contains_key(*s))
                .copied()
                .collect();
            if unknown.is_empty() {
                // The player who cannot move wins.
                let wins = match left {
                    true => all.is_empty() || all.iter().any(|s| self.wins[s]),
                    false => !all.is_empty() && all.iter().all(|s| self.wins[s]),
                };
                self.wins.insert((p, n, left), wins);
                line.pop();
            } else {
                line.extend(unknown);
            }
        }
        Ok(self.wins.get(&start) == Some(&true))
    }

    /// The outcome, or the strong outcome among dead-ending games: whether Left wins if Left begins, and if Right begins.
    fn outcome(
        &mut self,
        games: &Partizan,
        position: u32,
        budget: &Budget,
    ) -> Result<(bool, bool), Limit> {
        let most = match self.among {
            Some(Among::DeadEnding) => i64::from(games.rank[position as usize]) + 1,
            _ => 0,
        };
        let (mut first, mut second) = (true, false);
        for n in 0..=most {
            first &= self.left_wins(games, (position, n, true), budget)?;
            second |= self.left_wins(games, (position, -n, false), budget)?;
        }
        Ok((first, second))
    }

    /// Whether `g` is at least as good for Left as `h` beside every game of the class. Both must belong to it.
    ///
    /// # Errors
    /// A limit.
    pub fn ge(&mut self, games: &Partizan, g: u32, h: u32, budget: &Budget) -> Result<bool, Limit> {
        let mut line = vec![(g, h)];
        while let Some(&(g, h)) = line.last() {
            if self.known.contains_key(&(g, h)) {
                line.pop();
                continue;
            }
            budget.charge()?;
            let (of_g, of_h) = (
                self.outcome(games, g, budget)?,
                self.outcome(games, h, budget)?,
            );
            if (of_h.0 && !of_g.0) || (of_h.1 && !of_g.1) {
                self.known.insert((g, h), false);
                line.pop();
                continue;
            }
            // In each list at least one pair must hold.
            let mut lists: Vec<Vec<(u32, u32)>> = Vec::new();
            for gr in games.options(g, false) {
                let answers = games.options(h, false).iter().map(|hr| (*gr, *hr));
                let back = games.options(*gr, true).iter().map(|grl| (*grl, h));
                lists.push(answers.chain(back).collect());
            }
            for hl in games.options(h, true) {
                let answers = games.options(g, true).iter().map(|gl| (*gl, *hl));
                let back = games.options(*hl, false).iter().map(|hlr| (g, *hlr));
                lists.push(answers.chain(back).collect());
            }
            let unknown: Vec<_> = lists
                .iter()
                .filter(|l| l.iter().all(|p| self.known.get(p) != Some(&true)))
                .flat_map(|l| l.iter().filter(|p| !self.known.contains_key(*p)).copied())
                .collect();
            if unknown.is_empty() {
                let holds = lists
                    .iter()
                    .all(|l| l.iter().any(|p| self.known.get(p) == Some(&true)));
                self.known.insert((g, h), holds);
                line.pop();
            } else {
                line.extend(unknown);
            }
        }
        Ok(self.known.get(&(g, h)) == Some(&true))
    }
}
