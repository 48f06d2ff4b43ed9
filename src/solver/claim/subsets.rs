//! Scores of positions from which each move only removes members: if all followers are subsets of a position whose rules
//! count points, its score is found in one table of all subsets ([`crate::engine::dense`]).
//!
//! The ground instances decide whether that is so. Hypotheses: each variable that changes has two values, and is written the
//! second only if it has the first; it is a *member*, which is removed. Both players have the same instances, and an instance
//! counts for Right what it counts, with the opposite sign, for Left. All points are banked ([`crate::ir::banked`]), so that
//! nothing is left to count at the end.

use super::fault;
use super::solve::Solver;
use crate::base::Span;
use crate::engine::dense::{self, Counts, MOST_ASKED, MOST_MEMBERS, Table, Taking};
use crate::game::{Budget, Player, Shortcut};
use crate::ir::banked::Banked;
use crate::ir::ground::{Ground, GroundInstance, Write};
use crate::ir::{Position, Res, Setting, State};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The table of all subsets of the members of a board.
#[derive(Debug)]
struct Board {
    setting: Arc<Setting>,
    banked: Banked,
    ground: Ground,
    members: Vec<Member>,
    table: Table,
}

/// A variable that is a member, and the number of its value while it is there.
#[derive(Clone, Copy, Debug)]
struct Member {
    var: u32,
    there: u8,
}

/// The board that was played last.
#[derive(Debug, Default)]
pub(super) struct Played {
    board: Option<Board>,
    /// A setting whose positions do not satisfy the hypotheses.
    other: Option<Arc<Setting>>,
}

/// A move of one player: the members it takes, those that must be there, those that must not be, its points for him, and
/// whether he moves again.
type Own = (u32, u32, u32, i64, bool);

impl Board {
    /// The subset of a state without banked points; `None` if the ground instances do not cover it.
    fn subset(&self, state: &State) -> Option<u32> {
        let numbers = self.ground.numbers(state)?;
        let mut set = 0;
        for (i, m) in self.members.iter().enumerate() {
            set |= u32::from(numbers.get(m.var as usize) == Some(&m.there)) << i;
        }
        Some(set)
    }
}

/// The members of a game; `None` if a variable that changes is not a member.
fn members(ground: &Ground) -> Option<Vec<Member>> {
    let mut gone: BTreeMap<u32, u8> = BTreeMap::new();
    for instance in &ground.instances {
        if instance.fault.is_some() || instance.keep.is_some() {
            return None;
        }
        for (var, write) in &instance.update {
            let Write::Value(n) = write else {
                return None;
            };
            if *gone.entry(*var).or_insert(*n) != *n {
                return None;
            }
        }
    }
    let mut found = Vec::new();
    for (var, values) in (0u32..).zip(&ground.values) {
        match (values.len(), gone.get(&var)) {
            (0 | 1, _) => {}
            (2, Some(gone)) => found.push(Member {
                var,
                there: 1 - gone.min(&1),
            }),
            _ => return None,
        }
    }
    (found.len() <= MOST_MEMBERS as usize).then_some(found)
}

/// An instance as a move of a player; `None` if it is not of the required kind.
fn own(instance: &GroundInstance, members: &[Member], left: bool) -> Option<Own> {
    let (mut takes, mut needs, mut bars) = (0u32, 0u32, 0u32);
    for (i, m) in members.iter().enumerate() {
        let bit = 1u32 << i;
        if let Some((_, set)) = instance.guard.iter().find(|(v, _)| *v == m.var) {
            match set & 3 {
                3 => {}
                one if one == 1 << m.there => needs |= bit,
                0 => return None,
                _ => bars |= bit,
            }
        }
        if instance.update.iter().any(|(v, _)| *v == m.var) {
            takes |= bit;
        }
    }
    if takes == 0 || takes & !needs != 0 {
        return None;
    }
    let gain = if left { instance.gain } else { -instance.gain };
    Some((takes, needs & !takes, bars, gain, instance.again))
}

/// The moves of one player, sorted.
fn moves_of(ground: &Ground, members: &[Member], player: u8) -> Option<Vec<Own>> {
    let all = ground.instances.iter();
    let his = all.filter(|i| i.players >> player & 1 == 1);
    let mut found: Vec<Own> = his
        .map(|i| own(i, members, player == 0))
        .collect::<Option<_>>()?;
    found.sort_unstable();
    found.dedup();
    Some(found)
}

/// The kinds of moves; `None` if the players have different ones, or one asks for too many members.
fn kinds(ground: &Ground, members: &[Member]) -> Option<Vec<Taking>> {
    let left = moves_of(ground, members, 0)?;
    if left != moves_of(ground, members, 1)? {
        return None;
    }
    let mut kinds = Vec::new();
    for group in left.chunk_by(|a, b| a.0 == b.0) {
        let takes = group[0].0;
        let asks = group.iter().fold(0, |all, m| all | m.1 | m.2);
        if asks.count_ones() > MOST_ASKED {
            return None;
        }
        let mut counts = Vec::new();
        for index in 0..1u32 << asks.count_ones() {
            let there = scatter(index, asks);
            let fits = |m: &&Own| there & m.1 == m.1 && there & m.2 == 0;
            let mut found = None;
            for (.., gain, again) in group.iter().filter(fits) {
                let one = Counts {
                    gain: i8::try_from(*gain).ok()?,
                    again: *again,
                };
                // Two instances of the same move that count differently are two moves, which the table cannot represent.
                if *found.get_or_insert(one) != one {
                    return None;
                }
            }
            counts.push(found);
        }
        kinds.push(Taking {
            takes,
            asks,
            counts,
        });
    }
    Some(kinds)
}

/// The subset of `asks` with an index.
fn scatter(index: u32, asks: u32) -> u32 {
    let (mut set, mut rest, mut index) = (0, asks, index);
    while rest != 0 {
        let lowest = rest & rest.wrapping_neg();
        if index & 1 == 1 {
            set |= lowest;
        }
        index >>= 1;
        rest &= rest - 1;
    }
    set
}

impl Solver {
    /// Whether the scores that were queried last are in a table of all subsets.
    #[must_use]
    pub fn plays_subsets(&self) -> bool {
        self.counted.subsets.borrow().board.is_some()
    }

    /// The score of a position all of whose followers are subsets of it; `None` for other positions.
    ///
    /// # Errors
    /// A limit.
    pub(super) fn points_of_subset(
        &self,
        position: &Position,
        first: Player,
        budget: &Budget,
        span: Span,
    ) -> Res<Option<i64>> {
        if !self.shortcuts.has(Shortcut::Compile) {
            return Ok(None);
        }
        let Some(term) = position.as_single() else {
            return Ok(None);
        };
        let same = |setting: &Arc<Setting>| Arc::ptr_eq(setting, &term.setting);
        let mut played = self.counted.subsets.borrow_mut();
        let mut state = term.state.clone();
        let mut known = None;
        if let Some(board) = played.board.as_ref().filter(|b| same(&b.setting)) {
            let banked = board.banked.take(&mut state, span)?;
            known = board.subset(&state).map(|set| (set, banked));
        }
        if known.is_none() {
            if played.other.as_ref().is_some_and(same) {
                return Ok(None);
            }
            state = term.state.clone();
            let banked = Banked::of(&self.model, &term.setting);
            let points = banked.take(&mut state, span)?;
            match self.play_subsets(&term.setting, &state, banked, budget, span)? {
                Some(board) => {
                    known = board.subset(&state).map(|set| (set, points));
                    played.board = Some(board);
                }
                None => {
                    played.other = Some(term.setting.clone());
                    return Ok(None);
                }
            }
        }
        let found = played.board.as_ref().zip(known);
        Ok(found.and_then(|(board, (set, banked))| {
            let gained = board.table.of(set)?;
            Some(
                banked
                    + if first == Player::LEFT {
                        gained
                    } else {
                        -gained
                    },
            )
        }))
    }

    fn play_subsets(
        &self,
        setting: &Arc<Setting>,
        state: &State,
        banked: Banked,
        budget: &Budget,
        span: Span,
    ) -> Res<Option<Board>> {
        if !banked.is_all {
            return Ok(None);
        }
        let ground = Ground::counting(&self.model, setting, state, &banked, &self.cancel);
        let Ok(ground) = ground else {
            return Ok(None);
        };
        let Some(members) = members(&ground) else {
            return Ok(None);
        };
        let Some(kinds) = kinds(&ground, &members) else {
            return Ok(None);
        };
        let count = u32::try_from(members.len()).unwrap_or(u32::MAX);
        if Table::bytes(count).is_none_or(|bytes| bytes > self.limits.memory) {
            return Ok(None);
        }
        let table = dense::play(count, &kinds, self.limits.memory, budget)
            .map_err(|limit| fault::of_limit(limit, span))?;
        Ok(table.map(|table| Board {
            setting: setting.clone(),
            banked,
            ground,
            members,
            table,
        }))
    }
}
