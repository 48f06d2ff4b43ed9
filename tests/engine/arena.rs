//! Who wins in random rules given as graphs: the arena, by proof and by listing, against the definitions, computed step by
//! step.

use crate::random::Random;
use cgdsl::engine::arena::{Arena, Fate, Played};
use cgdsl::engine::{Refused, Stopped};
use cgdsl::game::{
    Budget, Cancel, Convention, End, Limit, Limits, Player, Rules, Shortcut, Shortcuts, Step,
    options_by_steps,
};
use std::collections::HashSet;

/// Positions are numbers; for each player, the moves.
#[derive(Clone, Debug)]
struct Table {
    players: u8,
    convention: Convention,
    endless: Option<Player>,
    moves: Vec<Vec<Vec<Step<u32>>>>,
    /// A rule fails at these positions, for this player.
    wrong: Vec<(u32, u8)>,
}

impl Rules for Table {
    type Position = u32;
    type Fault = &'static str;

    fn players(&self) -> u8 {
        self.players
    }

    fn convention(&self) -> Convention {
        self.convention
    }

    fn endless(&self) -> Option<Player> {
        self.endless
    }

    fn options(
        &self,
        at: &u32,
        player: Player,
        options: &mut Vec<u32>,
    ) -> Result<(), &'static str> {
        options_by_steps(self, at, player, options)
    }

    fn steps(
        &self,
        at: &u32,
        player: Player,
        steps: &mut Vec<Step<u32>>,
    ) -> Result<(), &'static str> {
        if self.wrong.contains(&(*at, player.0)) {
            return Err("wrong");
        }
        steps.extend(self.moves[*at as usize][player.index()].iter().cloned());
        Ok(())
    }

    /// No answer depends on it, so any number will do.
    fn need(&self, at: &u32, player: Player) -> Option<u32> {
        let any = (at.wrapping_mul(0x9e37_79b9) >> (8 + 7 * player.0)) % 12;
        (!self.moves.len().is_multiple_of(3)).then_some(any)
    }
}

/// Random rules; if they end, moves lead only to larger numbers.
fn table(random: &mut Random, players: u8, ends: bool) -> Table {
    let n = 2 + random.below(9);
    let conventions: &[Convention] = match players {
        2 => &[
            Convention::Normal,
            Convention::Misere,
            Convention::StuckDraws,
            Convention::LastWins,
        ],
        _ => &[Convention::LastWins, Convention::Elimination],
    };
    let convention = conventions[random.below(conventions.len())];
    let mut moves = Vec::new();
    for at in 0..n {
        let mut by_player = Vec::new();
        for _ in 0..players {
            let mut own = Vec::new();
            for _ in 0..random.below(4) {
                let to = match ends {
                    true if at + 1 == n => continue,
                    true => at + 1 + random.below(n - at - 1),
                    false => random.below(n),
                };
                let end = match random.below(8) {
                    0 => Some(End::Won(1 << random.below(usize::from(players)))),
                    1 => Some(End::Drawn),
                    _ => None,
                };
                own.push(Step {
                    to: to as u32,
                    again: convention != Convention::LastWins && random.below(5) == 0,
                    end,
                });
            }
            by_player.push(own);
        }
        moves.push(by_player);
    }
    Table {
        players,
        convention,
        endless: match (players, random.below(3)) {
            (2, 1) => Some(Player::LEFT),
            (2, 2) => Some(Player::RIGHT),
            _ => None,
        },
        moves,
        wrong: Vec::new(),
    }
}

/// The target of a move of two players: an end, or a position and a player.
enum Next {
    End(End),
    Node(u32, u8),
}

fn next(rules: &Table, at: u32, mover: u8) -> Vec<Next> {
    let own = &rules.moves[at as usize][usize::from(mover)];
    if own.is_empty() {
        return vec![Next::End(match rules.convention {
            Convention::Misere => End::Won(1 << mover),
            Convention::StuckDraws => End::Drawn,
            _ => End::Won(1 << (1 - mover)),
        })];
    }
    own.iter()
        .map(|s| match s.end {
            Some(end) => Next::End(end),
            None => Next::Node(s.to, if s.again { mover } else { 1 - mover }),
        })
        .collect()
}

/// For each position and mover, in how many moves a player forces an end that `good` accepts: by the definition, one move
/// after the other. If `wrong`, a rule that fails counts as such an end.
fn forced(
    rules: &Table,
    player: u8,
    wrong: bool,
    good: impl Fn(End) -> bool,
) -> Vec<[Option<u32>; 2]> {
    let n = rules.moves.len();
    let mut known: Vec<[Option<u32>; 2]> = vec![[None; 2]; n];
    for round in 0.. {
        let mut found = known.clone();
        for at in 0..n as u32 {
            for mover in 0..2u8 {
                let place = &mut found[at as usize][usize::from(mover)];
                if place.is_some() {
                    continue;
                }
                if rules.wrong.contains(&(at, mover)) {
                    *place = wrong.then_some(round);
                    continue;
                }
                let stuck = rules.moves[at as usize][usize::from(mover)].is_empty();
                let all = next(rules, at, mover);
                let met = |n: &Next| match n {
                    Next::End(end) => good(*end) && (stuck || round >= 1),
                    Next::Node(to, by) => {
                        known[*to as usize][usize::from(*by)].is_some_and(|k| k < round)
                    }
                };
                let holds = match mover == player {
                    true => all.iter().any(met),
                    false => all.iter().all(met),
                };
                if holds {
                    *place = Some(round);
                }
            }
        }
        if found == known && round > 1 {
            return known;
        }
        known = found;
    }
    known
}

fn wins(player: u8) -> impl Fn(End) -> bool {
    move |end| matches!(end, End::Won(who) if who >> player & 1 == 1)
}

/// The result of best play, by the definition.
fn expected(rules: &Table, at: u32, mover: u8) -> Played {
    let place = (at as usize, usize::from(mover));
    for player in 0..2u8 {
        if let Some(n) = forced(rules, player, false, wins(player))[place.0][place.1] {
            return Played {
                fate: Fate::Won(Player(player)),
                moves: Some(n),
            };
        }
    }
    if let Some(holder) = rules.endless {
        // He wins unless the other forces an end that he does not win.
        let other = 1 - holder.0;
        let spoiled = forced(rules, other, true, |end| !wins(holder.0)(end));
        if spoiled[place.0][place.1].is_none() {
            return Played {
                fate: Fate::Won(holder),
                moves: None,
            };
        }
    }
    Played {
        fate: Fate::Drawn,
        moves: None,
    }
}

fn budget() -> Budget {
    Budget::new(&Limits::default(), Cancel::new())
}

const MEMORY: usize = 1 << 24;

#[test]
fn two_players_by_proof_and_by_listing() {
    let (mut draws, mut endless, mut forced) = (0, 0, 0);
    for seed in 0..4000 {
        let mut random = Random(seed);
        let ends = random.below(2) == 0;
        let rules = table(&mut random, 2, ends);
        let mut kept = Arena::new(MEMORY);
        for at in 0..rules.moves.len() as u32 {
            for first in [Player::LEFT, Player::RIGHT] {
                let want = expected(&rules, at, first.0);
                let mut fresh = Arena::new(MEMORY);
                let fate = fresh.fate(&rules, &at, first, &budget());
                assert_eq!(
                    fate,
                    Ok(want.fate),
                    "seed {seed}, {at}, {first:?}: {rules:?}"
                );
                forced += fresh.counts().1;
                let closed = Shortcuts::ALL.without(&[Shortcut::Threats]);
                let mut plain = Arena::new(MEMORY).with_shortcuts(closed);
                let fate = plain.fate(&rules, &at, first, &budget());
                assert_eq!(fate, Ok(want.fate), "without threats, seed {seed}, {at}");
                assert_eq!(plain.counts().1, 0);
                let played = kept.played(&rules, &at, first, &budget());
                assert_eq!(played, Ok(want), "seed {seed}, {at}, {first:?}: {rules:?}");
                draws += usize::from(want.fate == Fate::Drawn);
                endless += usize::from(want.moves.is_none() && want.fate != Fate::Drawn);
            }
        }
    }
    assert!(
        draws > 1000 && endless > 1000 && forced > 1000,
        "{draws} draws, {endless} endless wins, {forced} forced replies"
    );
}

/// The definition detects the deliberate mistake of `planting`.
#[test]
fn a_threat_is_no_win_yet() {
    let differs = |seed: &u64| {
        let mut random = Random(*seed);
        let ends = random.below(2) == 0;
        let rules = table(&mut random, 2, ends);
        let mut mistaken = Arena::new(MEMORY).planting(Some(Shortcut::Threats));
        let fate = mistaken.fate(&rules, &0, Player::LEFT, &budget());
        fate != Ok(expected(&rules, 0, 0).fate)
    };
    let found = (0..200).find(differs);
    assert!(found.is_some(), "the mistake does not show");
}

/// Tic-tac-toe by hand, with the symmetries of the square and the exchange of the players.
#[derive(Debug)]
struct Board {
    /// Whether images are used.
    images: bool,
}

impl Board {
    const LINES: [u16; 8] = [0o007, 0o070, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124];
}

impl Rules for Board {
    type Position = [u16; 2];
    type Fault = std::convert::Infallible;

    fn options(
        &self,
        at: &[u16; 2],
        player: Player,
        options: &mut Vec<[u16; 2]>,
    ) -> Result<(), Self::Fault> {
        options_by_steps(self, at, player, options)
    }

    fn ended(&self, at: &[u16; 2]) -> Result<Option<End>, Self::Fault> {
        let row = |b: u16| Board::LINES.iter().any(|l| b & l == *l);
        let won = (0..2).find(|p| row(at[*p]));
        let full = (at[0] | at[1] == 0o777).then_some(End::Drawn);
        Ok(won.map(|p| End::Won(1 << p)).or(full))
    }

    fn steps(
        &self,
        at: &[u16; 2],
        player: Player,
        steps: &mut Vec<Step<[u16; 2]>>,
    ) -> Result<(), Self::Fault> {
        for cell in (0..9).filter(|c| (at[0] | at[1]) >> c & 1 == 0) {
            let mut to = *at;
            to[player.index()] |= 1 << cell;
            let end = self.ended(&to)?;
            steps.push(Step {
                to,
                again: false,
                end,
            });
        }
        Ok(())
    }

    fn image(&self, at: &[u16; 2], exchanged: bool) -> Option<[u16; 2]> {
        let turn = |b: u16, t: u16| {
            (0..9u16).filter(|c| b >> c & 1 == 1).fold(0, |all, c| {
                let (mut i, mut j) = (c / 3, c % 3);
                if t & 1 == 1 {
                    (i, j) = (j, i);
                }
                if t & 2 == 2 {
                    i = 2 - i;
                }
                if t & 4 == 4 {
                    j = 2 - j;
                }
                all | 1 << (3 * i + j)
            })
        };
        let [a, b] = if exchanged { [at[1], at[0]] } else { *at };
        let images = (0..8).map(|t| [turn(a, t), turn(b, t)]);
        self.images.then(|| images.min()).flatten()
    }
}

/// Every position of tic-tac-toe has the same fate with images and without. There are 5,478 reachable positions, 4,520 of
/// them not ended.
#[test]
fn images_share_their_fate() {
    let (with, without) = (Board { images: true }, Board { images: false });
    let (mut shared, mut plain) = (Arena::new(MEMORY), Arena::new(MEMORY));
    let mut met = std::collections::BTreeSet::from([[0u16; 2]]);
    let mut open = vec![([0u16; 2], Player::LEFT)];
    let mut steps = Vec::new();
    let mut asked = 0;
    while let Some((at, player)) = open.pop() {
        asked += 1;
        let a = shared.fate(&with, &at, player, &budget());
        assert_eq!(a, plain.fate(&without, &at, player, &budget()), "{at:?}");
        without.steps(&at, player, &mut steps).expect("no faults");
        for step in steps.drain(..) {
            if met.insert(step.to) && step.end.is_none() {
                open.push((step.to, player.opponent()));
            }
        }
    }
    assert_eq!((met.len(), asked), (5478, 4520));
    let (few, many) = (shared.counts().0, plain.counts().0);
    assert!(4 * few < many, "{few} against {many}");
}

/// Rules for which the reflection of the last bit of a position is a symmetry.
struct Mirrored(Table);

impl Rules for Mirrored {
    type Position = u32;
    type Fault = &'static str;

    fn convention(&self) -> Convention {
        self.0.convention
    }

    fn endless(&self) -> Option<Player> {
        self.0.endless
    }

    fn options(
        &self,
        at: &u32,
        player: Player,
        options: &mut Vec<u32>,
    ) -> Result<(), &'static str> {
        self.0.options(at, player, options)
    }

    fn steps(
        &self,
        at: &u32,
        player: Player,
        steps: &mut Vec<Step<u32>>,
    ) -> Result<(), &'static str> {
        self.0.steps(at, player, steps)
    }

    fn image(&self, at: &u32, exchanged: bool) -> Option<u32> {
        (!exchanged).then_some(at & !1)
    }
}

/// Images are one node of a listing: fates and numbers of moves agree with the definition, with cycles, and where a rule
/// fails.
#[test]
fn images_are_listed_once() {
    let (mut halved, mut drawn, mut wrong) = (0, 0, 0);
    for seed in 0..2000 {
        let mut random = Random(seed);
        let mut rules = table(&mut random, 2, false);
        // Each position and its image: a move from one to either is a move from the other to the other's image.
        let single = std::mem::take(&mut rules.moves);
        for by_player in single {
            let mut own = by_player;
            for step in own.iter_mut().flatten() {
                step.to = 2 * step.to + random.below(2) as u32;
            }
            rules.moves.push(own.clone());
            own.iter_mut().flatten().for_each(|step| step.to ^= 1);
            rules.moves.push(own);
        }
        if seed % 4 == 0 {
            let (at, player) = (
                random.below(rules.moves.len()) as u32,
                random.below(2) as u8,
            );
            rules.wrong = vec![(at, player), (at ^ 1, player)];
        }
        let mirrored = Mirrored(rules.clone());
        let (mut shared, mut plain) = (Arena::new(MEMORY), Arena::new(MEMORY));
        for at in 0..rules.moves.len() as u32 {
            for first in [Player::LEFT, Player::RIGHT] {
                let found = shared.played(&mirrored, &at, first, &budget());
                let listed = plain.played(&rules, &at, first, &budget());
                assert_eq!(
                    found.is_err(),
                    listed.is_err(),
                    "seed {seed}, {at}: {rules:?}"
                );
                if let (Ok(found), Ok(listed)) = (found, listed) {
                    assert_eq!(found, listed, "seed {seed}, {at}: {rules:?}");
                    if rules.wrong.is_empty() {
                        assert_eq!(found, expected(&rules, at, first.0), "seed {seed}, {at}");
                    }
                    drawn += usize::from(found.fate == Fate::Drawn);
                } else {
                    wrong += 1;
                }
                halved += usize::from(shared.nodes_listed() < plain.nodes_listed());
            }
        }
    }
    assert!(
        halved > 5000 && drawn > 1000 && wrong > 100,
        "{halved} smaller, {drawn} drawn, {wrong} wrong"
    );
}

/// A table that is far too small evicts, and the answer is the same.
#[test]
fn a_small_table_forgets() {
    let rules = Board { images: false };
    let mut large = Arena::new(MEMORY);
    let fate = large.fate(&rules, &[0, 0], Player::LEFT, &budget());
    assert_eq!(fate, Ok(Fate::Drawn));
    let mut forgot = false;
    for memory in [12_000, 16_000, 24_000, 32_000] {
        let mut small = Arena::new(memory);
        match small.fate(&rules, &[0, 0], Player::LEFT, &budget()) {
            Ok(fate) => {
                assert_eq!(fate, Fate::Drawn);
                forgot |= small.counts().0 > large.counts().0;
            }
            Err(stopped) => assert_eq!(stopped, Stopped::Limit(Limit::Memory)),
        }
    }
    assert!(forgot, "nothing was forgotten");
}

#[test]
fn a_rule_that_goes_wrong_is_won_by_nobody() {
    let (mut known, mut refused) = (0, 0);
    for seed in 0..2000 {
        let mut random = Random(seed);
        let mut rules = table(&mut random, 2, false);
        rules.endless = None;
        rules.wrong = vec![(
            random.below(rules.moves.len()) as u32,
            random.below(2) as u8,
        )];
        let by = [0, 1].map(|p| forced(&rules, p, false, wins(p)));
        for at in 0..rules.moves.len() as u32 {
            for first in [Player::LEFT, Player::RIGHT] {
                let won =
                    (0..2u8).find(|p| by[usize::from(*p)][at as usize][first.index()].is_some());
                let fate = Arena::new(MEMORY).fate(&rules, &at, first, &budget());
                // A player holds if he can keep out of the other's wins and of all failing rules.
                let held = [0, 1].map(|p| {
                    forced(&rules, 1 - p, true, wins(1 - p))[at as usize][first.index()].is_none()
                });
                match (won, fate) {
                    (Some(p), fate) => {
                        assert_eq!(
                            fate,
                            Ok(Fate::Won(Player(p))),
                            "seed {seed}, {at}: {rules:?}"
                        );
                        known += 1;
                    }
                    (None, Ok(fate)) => {
                        assert_eq!(fate, Fate::Drawn, "seed {seed}, {at}: {rules:?}");
                        assert_eq!(held, [true, true], "seed {seed}, {at}: {rules:?}");
                    }
                    (None, Err(Stopped::Fault { .. })) => {
                        assert_ne!(held, [true, true], "seed {seed}, {at}: {rules:?}");
                        refused += 1;
                    }
                    (None, Err(other)) => panic!("seed {seed}: {other:?}"),
                }
            }
        }
    }
    assert!(
        known > 500 && refused > 500,
        "{known} known, {refused} refused"
    );
}

/// A position of several players, who is to move, and who is still in.
type Place = (u32, u8, u64);

/// Whether a coalition forces, from one place, an end that a member wins, or a known place. If `wrong`, a rule that fails
/// counts as such an end.
fn forces_next(
    rules: &Table,
    (at, mover, alive): Place,
    coalition: u64,
    wrong: bool,
    known: &HashSet<Place>,
) -> bool {
    let n = rules.players;
    let after = |alive: u64| {
        let mut turns = (1..=n).map(|i| (mover + i) % n);
        turns.find(|q| alive >> q & 1 == 1).unwrap_or(mover)
    };
    if rules.wrong.contains(&(at, mover)) {
        return wrong;
    }
    let own = &rules.moves[at as usize][usize::from(mover)];
    if own.is_empty() {
        if rules.convention != Convention::Elimination {
            return coalition >> ((mover + n - 1) % n) & 1 == 1;
        }
        let left = alive & !(1 << mover);
        return match left.count_ones() {
            1 => left & coalition != 0,
            _ => known.contains(&(at, after(left), left)),
        };
    }
    let good = |s: &Step<u32>| match s.end {
        Some(End::Won(who)) => who & coalition != 0,
        Some(End::Drawn) => false,
        None => {
            let next = if s.again { mover } else { after(alive) };
            known.contains(&(s.to, next, alive))
        }
    };
    match coalition >> mover & 1 == 1 {
        true => own.iter().any(good),
        false => own.iter().all(good),
    }
}

/// The places from which a coalition forces a win: by the definition, one move after the other.
fn forced_by(rules: &Table, coalition: u64, wrong: bool) -> HashSet<Place> {
    let all = (1u64 << rules.players) - 1;
    let mut places = Vec::new();
    for at in 0..rules.moves.len() as u32 {
        for alive in (1..=all).filter(|a| a.count_ones() > 1) {
            let movers = (0..rules.players).filter(|p| alive >> p & 1 == 1);
            places.extend(movers.map(|p| (at, p, alive)));
        }
    }
    let mut known = HashSet::new();
    loop {
        let found =
            |p: &&Place| !known.contains(*p) && forces_next(rules, **p, coalition, wrong, &known);
        let more: Vec<Place> = places.iter().filter(found).copied().collect();
        if more.is_empty() {
            return known;
        }
        known.extend(more);
    }
}

/// The same rules with the positions numbered from the other end, and the moves in the opposite order.
fn renamed(rules: &Table) -> Table {
    let last = rules.moves.len() as u32 - 1;
    let mut other = rules.clone();
    other.moves.reverse();
    for own in other.moves.iter_mut().flatten() {
        own.reverse();
        own.iter_mut().for_each(|s| s.to = last - s.to);
    }
    for (at, _) in &mut other.wrong {
        *at = last - *at;
    }
    other
}

/// Coalitions of several players, where play may repeat and a rule may fail: whatever was asked before, and in whatever order
/// positions and moves are written.
#[test]
fn coalitions_of_several_players() {
    let (mut won, mut lost, mut refused, mut endless) = (0, 0, 0, 0);
    for seed in 0..200 {
        let mut random = Random(seed);
        let players = 3 + random.below(2) as u8;
        let ends = random.below(3) == 0;
        let mut rules = table(&mut random, players, ends);
        let all = (1u64 << players) - 1;
        let n = rules.moves.len();
        if random.below(2) == 0 {
            let at = random.below(n) as u32;
            rules.wrong = vec![(at, random.below(usize::from(players)) as u8)];
        }
        if random.below(3) == 0 {
            // As under `lose`: all but one have won.
            for step in rules.moves.iter_mut().flatten().flatten() {
                if let Some(End::Won(who)) = &mut step.end {
                    *who ^= all;
                }
            }
        }
        let other = renamed(&rules);
        let forced: Vec<[HashSet<Place>; 2]> = (0..=all)
            .map(|c| [false, true].map(|wrong| forced_by(&rules, c, wrong)))
            .collect();
        let mut asked: Vec<(Place, u64)> = Vec::new();
        for at in 0..n as u32 {
            for mover in 0..players {
                asked.extend((1..=all).map(|c| ((at, mover, all), c)));
            }
        }
        for i in (1..asked.len()).rev() {
            asked.swap(i, random.below(i + 1));
        }
        let (mut kept, mut turned) = (Arena::new(MEMORY), Arena::new(MEMORY));
        for (place, coalition) in asked {
            let [sure, perhaps] = &forced[coalition as usize];
            let want = match (sure.contains(&place), perhaps.contains(&place)) {
                (true, _) => Some(true),
                (_, false) => Some(false),
                (false, true) => None,
            };
            let (at, first) = (place.0, Player(place.1));
            let image = n as u32 - 1 - at;
            for found in [
                kept.forces(&rules, &at, first, coalition, &budget()),
                turned.forces(&other, &image, first, coalition, &budget()),
            ] {
                let found = match found {
                    Ok(wins) => Some(wins),
                    Err(Stopped::Fault { .. }) => None,
                    Err(other) => panic!("seed {seed}, {other:?}"),
                };
                assert_eq!(
                    found, want,
                    "seed {seed}, {coalition:b}, {place:?}: {rules:?}"
                );
            }
            won += usize::from(want == Some(true));
            lost += usize::from(want == Some(false));
            refused += usize::from(want.is_none());
            let rest = all & !coalition;
            let held = |c: u64| forced[c as usize][0].contains(&place);
            endless += usize::from(want == Some(false) && rest != 0 && !held(rest));
        }
    }
    assert!(
        won > 5000 && lost > 5000 && refused > 100 && endless > 1000,
        "{won} won, {lost} not, {refused} refused, {endless} where neither side wins"
    );
}

/// Whether some line of play ends with a winner.
fn somebody_wins(rules: &Table, at: u32, mover: u8) -> bool {
    next(rules, at, mover).into_iter().any(|n| match n {
        Next::End(end) => matches!(end, End::Won(_)),
        Next::Node(to, mover) => somebody_wins(rules, to, mover),
    })
}

/// Two players of one team do not threaten each other.
#[test]
fn two_players_together() {
    let (mut won, mut none) = (0, 0);
    for seed in 0..2000 {
        let rules = table(&mut Random(seed), 2, true);
        for at in 0..rules.moves.len() as u32 {
            for first in [Player::LEFT, Player::RIGHT] {
                let want = somebody_wins(&rules, at, first.0);
                let mut arena = Arena::new(MEMORY);
                let found = arena.forces(&rules, &at, first, 0b11, &budget());
                assert_eq!(found, Ok(want), "seed {seed}, {at}, {first:?}: {rules:?}");
                won += usize::from(want);
                none += usize::from(!want);
            }
        }
    }
    assert!(won > 1000 && none > 1000, "{won} won, {none} not");
}

/// Nim with one heap of many, as a game whose tables exceed the memory limit.
#[test]
fn too_little_memory_is_a_limit() {
    struct Line;
    impl Rules for Line {
        type Position = (u32, u32, u32);
        type Fault = std::convert::Infallible;

        fn options(
            &self,
            (a, b, c): &Self::Position,
            _: Player,
            options: &mut Vec<Self::Position>,
        ) -> Result<(), Self::Fault> {
            options.extend((0..*a).map(|left| (left, *b, *c)));
            options.extend((0..*b).map(|left| (*a, left, *c)));
            options.extend((0..*c).map(|left| (*a, *b, left)));
            Ok(())
        }
    }
    let mut arena: Arena<Line> = Arena::new(1 << 16);
    let played = arena.played(&Line, &(30, 40, 50), Player::LEFT, &budget());
    assert!(matches!(played, Err(Stopped::Limit(_))), "{played:?}");
    // A small one still fits: 1 xor 2 xor 3 = 0.
    let fate = arena.fate(&Line, &(1, 2, 3), Player::LEFT, &budget());
    assert_eq!(fate, Ok(Fate::Won(Player::RIGHT)));
}

/// A move for each of many ways to end play; only the last one wins for Left.
#[test]
fn ends_of_many_kinds_stay_apart() {
    let step = |who: u64| Step {
        to: 0,
        again: false,
        end: Some(End::Won(who)),
    };
    // Sets of players who do not take part.
    let mut own: Vec<Step<u32>> = (1..1000).map(|set| step(set << 2)).collect();
    own.push(step(0b01));
    let rules = Table {
        players: 2,
        convention: Convention::Normal,
        endless: None,
        moves: vec![vec![own, Vec::new()]],
        wrong: Vec::new(),
    };
    let mut arena = Arena::new(MEMORY);
    let found = arena.played(&rules, &0, Player::LEFT, &budget());
    let won = Played {
        fate: Fate::Won(Player::LEFT),
        moves: Some(1),
    };
    assert_eq!(found, Ok(won));
}

/// Nobody can move. By the convention, the player before the first has won; 64 players are the most.
#[test]
fn as_many_players_as_an_end_can_name() {
    let rules = |players: u8| Table {
        players,
        convention: Convention::LastWins,
        endless: None,
        moves: vec![vec![Vec::new(); usize::from(players)]],
        wrong: Vec::new(),
    };
    let all = rules(64);
    for (first, last) in [(0, 63), (1, 0), (63, 62)] {
        for winner in 0..64 {
            let mut arena = Arena::new(MEMORY);
            let found = arena.forces(&all, &0, Player(first), 1 << winner, &budget());
            assert_eq!(found, Ok(winner == last), "{first} {winner}");
        }
    }
    let mut arena = Arena::new(MEMORY);
    let refused = |r| Err(Stopped::Refused(r));
    let found = arena.forces(&all, &0, Player(64), 1, &budget());
    assert_eq!(found, refused(Refused::NoSuchPlayer));
    for players in [65, 128, 129, 255] {
        let found = arena.forces(&rules(players), &0, Player(0), 1, &budget());
        assert_eq!(found, refused(Refused::TooManyPlayers));
        let found = arena.played(&rules(players), &0, Player(0), &budget());
        assert_eq!(
            found.unwrap_err(),
            Stopped::Refused(Refused::TooManyPlayers)
        );
    }
}
