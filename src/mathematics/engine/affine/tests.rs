//! Entailing moves in random rules and in Top Entails, against plain search of the whole sum.

use super::heaps::{EntailingRule, EntailingSequence};
use super::{Affine, Affines, NotAffine, Worth};
use crate::engine::random::Random;
use crate::engine::sequence::{Take, TakingRule};
use crate::game::{Budget, Cancel, End, Limits, Player, Rules, Step, options_by_steps};
use std::collections::HashMap;

#[derive(Clone, Copy, PartialEq, Debug)]
enum Move {
    Pass(u32),
    Again(u32),
    Entail(u32),
    Win,
    Lose,
}

/// A position, and whether the last move must be answered in it. Answers are the moves at even places of the list.
type At = (u32, bool);

struct Table(Vec<Vec<Move>>);

impl Table {
    fn moves(&self, (at, forced): At) -> impl Iterator<Item = Move> + '_ {
        let all = self.0[at as usize].iter().copied().enumerate();
        all.filter(move |(i, _)| !forced || i % 2 == 0)
            .map(|(_, m)| m)
    }
}

impl Rules for Table {
    type Position = At;
    type Fault = std::convert::Infallible;

    fn options(&self, at: &At, player: Player, options: &mut Vec<At>) -> Result<(), Self::Fault> {
        options_by_steps(self, at, player, options)
    }

    fn steps(&self, at: &At, player: Player, steps: &mut Vec<Step<At>>) -> Result<(), Self::Fault> {
        steps.extend(self.moves(*at).map(|m| {
            let (to, again, end) = match m {
                Move::Pass(to) => ((to, false), false, None),
                Move::Again(to) => ((to, false), true, None),
                Move::Entail(to) => ((to, true), false, None),
                Move::Win => ((0, false), false, Some(End::Won(1 << player.0))),
                Move::Lose => ((0, false), false, Some(End::Won(1 << player.opponent().0))),
            };
            Step { to, again, end }
        }));
        Ok(())
    }

    fn is_forced(&self, at: &At) -> bool {
        at.1
    }
}

/// Whether the player to move wins a sum, of which at most one part is forced, by the rules alone.
fn wins(table: &Table, sum: &[At], known: &mut HashMap<Vec<At>, bool>) -> bool {
    let mut sum = sum.to_vec();
    sum.sort_unstable();
    if let Some(found) = known.get(&sum) {
        return *found;
    }
    let forced = sum.iter().position(|p| p.1);
    let mut found = false;
    for part in (0..sum.len()).filter(|i| forced.is_none_or(|only| only == *i)) {
        for m in table.moves(sum[part]) {
            let mut to = |at: At| {
                let mut next = sum.clone();
                next[part] = at;
                wins(table, &next, known)
            };
            found |= match m {
                Move::Pass(p) => !to((p, false)),
                Move::Again(p) => to((p, false)),
                Move::Entail(p) => !to((p, true)),
                Move::Win => true,
                Move::Lose => false,
            };
        }
    }
    known.insert(sum, found);
    found
}

fn budget() -> Budget {
    Budget::new(&Limits::default(), Cancel::new())
}

fn ask(affines: &mut Affines<Table>, table: &Table, at: At) -> Worth {
    let found = affines.ask(table, &at, &budget());
    found.expect("play ends").expect("impartial")
}

#[test]
fn sums_with_entailing_moves_are_won_as_their_values_say() {
    let mut random = Random(0x9E37_79B9_7F4A_7C15);
    let (mut loony, mut forced, mut lost, mut sums) = (0, 0, 0, 0);
    for round in 0..400 {
        let mut moves = vec![Vec::new()];
        for at in 1..9 {
            let own = (0..random.below(5)).map(|_| {
                let to = u32::try_from(random.below(at)).expect("small");
                match random.below(if round % 2 == 0 { 14 } else { 12 }) {
                    0..5 => Move::Pass(to),
                    5..8 => Move::Again(to),
                    8..12 => Move::Entail(to),
                    12 => Move::Win,
                    _ => Move::Lose,
                }
            });
            moves.push(own.collect());
        }
        let table = Table(moves);
        let mut affines = Affines::new(1 << 30);
        let mut known = HashMap::new();
        for _ in 0..60 {
            let many = 1 + random.below(4);
            let mut sum: Vec<At> = (0..many)
                .map(|_| (u32::try_from(random.below(9)).expect("small"), false))
                .collect();
            sum[0].1 = random.below(2) == 0;
            let mut rest = Affine::Nimber(0);
            for part in &sum[1..] {
                match ask(&mut affines, &table, *part) {
                    Worth::Free(worth) => rest = rest.plus(worth),
                    Worth::Forced(_) => panic!("{part:?} is free"),
                }
            }
            let found = match ask(&mut affines, &table, sum[0]) {
                Worth::Free(worth) => worth.plus(rest).next_player_wins(),
                Worth::Forced(set) => {
                    forced += 1;
                    set.wins_beside(rest)
                }
            };
            loony += usize::from(rest == Affine::Loony);
            lost += usize::from(!found);
            sums += 1;
            let plain = wins(&table, &sum, &mut known);
            assert_eq!(found, plain, "{:?} {sum:?}", table.0);
        }
    }
    // No kind is rare.
    assert!(loony * 20 > sums, "{loony} of {sums}");
    assert!(forced * 4 > sums && lost * 5 > sums, "{forced}, {lost}");
}

/// Top Entails with stacks as parts; the flag says that the last move must be answered.
struct Stacks;

impl Rules for Stacks {
    type Position = (Vec<u32>, bool);
    type Fault = std::convert::Infallible;

    fn options(
        &self,
        at: &Self::Position,
        player: Player,
        options: &mut Vec<Self::Position>,
    ) -> Result<(), Self::Fault> {
        options_by_steps(self, at, player, options)
    }

    fn steps(
        &self,
        (stacks, _): &Self::Position,
        _: Player,
        steps: &mut Vec<Step<Self::Position>>,
    ) -> Result<(), Self::Fault> {
        // Only positions of one stack, or of none, are asked for moves.
        let Some(n) = stacks.first().copied() else {
            return Ok(());
        };
        let splits = (1..=n / 2).map(|k| (vec![k, n - k], false));
        let left = if n > 1 { vec![n - 1] } else { Vec::new() };
        let all = splits.chain([(left, true)]);
        steps.extend(all.map(|to| Step {
            to,
            again: false,
            end: None,
        }));
        Ok(())
    }

    fn is_forced(&self, at: &Self::Position) -> bool {
        at.1
    }

    fn apart(&self, at: &Self::Position, parts: &mut Vec<Self::Position>) {
        match at.1 {
            true => parts.push(at.clone()),
            false => parts.extend(at.0.iter().map(|n| (vec![*n], false))),
        }
    }
}

#[test]
fn top_entails() {
    // Winning Ways, chapter 12; J. West in Games of No Chance (1996): the loony stacks up to 2,600 are 1, 3, 2,403 and 2,505.
    let mut affines = Affines::new(1 << 30);
    let mut worth = |n: u32| {
        let found = affines.worth(&Stacks, &(vec![n], false), &budget());
        found.expect("play ends").expect("impartial")
    };
    let known = [
        Some(0),
        None,
        Some(0),
        None,
        Some(1),
        Some(0),
        Some(2),
        Some(1),
        Some(3),
        Some(0),
        Some(1),
        Some(3),
        Some(4),
        Some(0),
        Some(3),
    ];
    for (n, expected) in (1u32..).zip(&known[1..]) {
        let expected = expected.map_or(Affine::Loony, Affine::Nimber);
        assert_eq!(worth(n), expected, "{n}");
    }
    let loony: Vec<u32> = (1..2600).filter(|n| worth(*n) == Affine::Loony).collect();
    assert_eq!(loony, [1, 3, 2403, 2505]);
    let forced = affines.worth(&Stacks, &(vec![2], true), &budget());
    assert_eq!(forced, Ok(Err(NotAffine::Forced)));
}

/// The player to move wins heaps under a rule, of which one may have to be answered, by the rule alone.
fn heaps_won(
    rule: &EntailingRule,
    heaps: &[usize],
    answered: Option<usize>,
    known: &mut HashMap<(Vec<usize>, Option<usize>), bool>,
) -> bool {
    let mut heaps = heaps.to_vec();
    heaps.sort_unstable();
    let at = (heaps, answered);
    if let Some(found) = known.get(&at) {
        return *found;
    }
    let (heaps, answered) = &at;
    let mut all: Vec<usize> = heaps.clone();
    all.extend(answered);
    let mut found = false;
    for (i, n) in all.iter().enumerate() {
        // The heap that must be answered comes last; it may be empty.
        if answered.is_some() && i + 1 < all.len() {
            continue;
        }
        let mut rest = all.clone();
        rest.remove(i);
        for (entails, ways) in [false, true].into_iter().zip(rule.ways()) {
            for take in ways.takes() {
                let Some(left) = n.checked_sub(take.taken as usize).filter(|_| *n > 0) else {
                    continue;
                };
                let parts: Vec<Vec<usize>> = match take.heaps {
                    0 if left == 0 => vec![vec![]],
                    1 if left > 0 => vec![vec![left]],
                    2 => (1..=left / 2).map(|a| vec![a, left - a]).collect(),
                    3 => (1..left)
                        .flat_map(|a| (1..left - a).map(move |b| vec![a, b, left - a - b]))
                        .collect(),
                    _ => vec![],
                };
                for part in parts {
                    let same = part.iter().enumerate().any(|(i, a)| part[..i].contains(a));
                    if take.distinct && same {
                        continue;
                    }
                    found |= match entails {
                        true => {
                            let to = part.first().copied().unwrap_or(0);
                            !heaps_won(rule, &rest, Some(to), known)
                        }
                        false => !heaps_won(rule, &[&rest[..], &part].concat(), None, known),
                    };
                }
            }
        }
    }
    known.insert(at, found);
    found
}

#[test]
fn heaps_one_after_the_other_are_won_as_their_values_say() {
    let mut random = Random(0x0DDB_1A5E_5BAD_5EED);
    let (mut loony, mut sums) = (0, 0);
    for _ in 0..150 {
        let mut ways = |most: u64| {
            let takes = (0..random.below(4)).map(|_| {
                let heaps = u8::try_from(random.below(most)).expect("few");
                let least = u64::from(heaps < 2);
                Take {
                    taken: u32::try_from(least + random.below(3)).expect("few"),
                    heaps,
                    distinct: random.below(3) == 0,
                }
            });
            TakingRule::new(takes.collect()).expect("it ends")
        };
        let (free, answered) = (ways(4), ways(2));
        let rule = EntailingRule::new(free, answered).expect("one heap is left");
        let mut sequence = EntailingSequence::new(rule.clone(), 1 << 20);
        sequence.extend(8, &budget()).expect("no limit");
        let value = |n: usize| sequence.value(n).expect("computed");
        let mut known = HashMap::new();
        for a in 0..=8 {
            for b in 0..=4 {
                for c in 0..=b {
                    let rest = value(b).plus(value(c));
                    let won = heaps_won(&rule, &[a, b, c], None, &mut known);
                    assert_eq!(won, value(a).plus(rest).next_player_wins(), "{rule:?}");
                    let answers = sequence.set(a).expect("computed");
                    let won = heaps_won(&rule, &[b, c], Some(a), &mut known);
                    assert_eq!(
                        won,
                        answers.wins_beside(rest),
                        "{rule:?} {a} beside {b}, {c}"
                    );
                    let shifted = answers.beside(rest);
                    assert_eq!(won, shifted.wins_beside(Affine::Nimber(0)), "{rule:?}");
                    sums += 2;
                }
            }
            loony += usize::from(value(a) == Affine::Loony);
        }
    }
    assert!(loony > 100 && sums > 30_000, "{loony} loony, {sums} sums");
}

/// For each size of a heap, what its moves leave of it, and whether the answer must be made there.
struct Breaks(Vec<Vec<(Vec<u32>, bool)>>);

/// The heaps in which the last move must be answered, if it must be answered, and the others.
type Broken = (Option<Vec<u32>>, Vec<u32>);

impl Breaks {
    fn random(random: &mut Random, sizes: u64) -> Breaks {
        let heap = |n: u64| {
            let moves = (0..random.below(4)).map(|_| {
                let mut left = Vec::new();
                let mut room = n;
                while room > 1 && left.len() < 3 && random.below(3) > 0 {
                    let part = 1 + random.below(room - 1);
                    left.push(u32::try_from(part).expect("few"));
                    room -= part;
                }
                (left, random.below(2) == 0)
            });
            match n {
                0 => Vec::new(),
                _ => moves.collect(),
            }
        };
        Breaks((0..sizes).map(heap).collect())
    }

    fn after(&self, (answered, rest): &Broken) -> Vec<Broken> {
        let open = answered.as_ref().unwrap_or(rest);
        let mut found = Vec::new();
        for (i, n) in open.iter().enumerate() {
            let mut others = open.clone();
            others.remove(i);
            others.extend(answered.iter().flat_map(|_| rest));
            for (left, entails) in &self.0[*n as usize] {
                let mut others = others.clone();
                let mut left = left.clone();
                left.sort_unstable();
                let answered = match entails {
                    true => Some(left),
                    false => {
                        others.extend(left);
                        None
                    }
                };
                others.sort_unstable();
                found.push((answered, others));
            }
        }
        found
    }

    /// Whether the player to move wins, by the rules alone.
    fn wins(&self, at: &Broken, known: &mut HashMap<Broken, bool>) -> bool {
        if let Some(wins) = known.get(at) {
            return *wins;
        }
        let wins = self.after(at).iter().any(|to| !self.wins(to, known));
        known.insert(at.clone(), wins);
        wins
    }
}

impl Rules for Breaks {
    type Position = Broken;
    type Fault = std::convert::Infallible;

    fn options(
        &self,
        at: &Broken,
        _: Player,
        options: &mut Vec<Broken>,
    ) -> Result<(), Self::Fault> {
        options.extend(self.after(at));
        Ok(())
    }

    fn is_forced(&self, at: &Broken) -> bool {
        at.0.is_some()
    }

    fn apart(&self, at: &Broken, parts: &mut Vec<Broken>) {
        match at.0 {
            Some(_) => parts.push(at.clone()),
            None => parts.extend(at.1.iter().map(|n| (None, vec![*n]))),
        }
    }

    fn answers_apart(
        &self,
        (answered, others): &Broken,
        both: &mut Vec<[Broken; 2]>,
        rest: &mut Vec<Broken>,
    ) {
        let answered = answered.as_deref().unwrap_or_default();
        let one = |n: &u32| [(Some(vec![*n]), Vec::new()), (None, vec![*n])];
        match answered {
            [] => rest.push((Some(Vec::new()), Vec::new())),
            [n] if others.is_empty() => rest.push((Some(vec![*n]), Vec::new())),
            all => {
                both.extend(all.iter().map(one));
                rest.extend(others.iter().map(|n| (None, vec![*n])));
            }
        }
    }
}

#[test]
fn answers_in_several_heaps_are_won_as_their_values_say() {
    let mut random = Random(0x0A25_B0B5_5EED_0001);
    let (mut loony, mut several) = (0, 0);
    for _ in 0..400 {
        let rules = Breaks::random(&mut random, 8);
        let mut affines = Affines::new(1 << 24);
        let mut known = HashMap::new();
        let mut values = Vec::new();
        for n in 0..8 {
            let found = affines.worth(&rules, &(None, vec![n]), &budget());
            values.push(found.expect("play ends").expect("impartial"));
        }
        loony += values.iter().filter(|v| **v == Affine::Loony).count();
        for _ in 0..60 {
            let mut heaps = |most: u64| -> Vec<u32> {
                let mut heaps: Vec<u32> = (0..random.below(most))
                    .map(|_| u32::try_from(random.below(8)).expect("few"))
                    .collect();
                heaps.sort_unstable();
                heaps
            };
            let (answered, rest) = (heaps(4), heaps(3));
            let sum = rest.iter().map(|n| values[*n as usize]);
            let sum = sum.fold(Affine::Nimber(0), Affine::plus);
            let free = (None, rest.clone());
            assert_eq!(rules.wins(&free, &mut known), sum.next_player_wins());
            several += usize::from(answered.len() > 1);
            let at = (Some(answered.clone()), Vec::new());
            let found = affines.ask(&rules, &at, &budget());
            let Ok(Ok(Worth::Forced(set))) = found else {
                panic!("{at:?}: {found:?}");
            };
            let at = (Some(answered), rest);
            assert_eq!(
                rules.wins(&at, &mut known),
                set.wins_beside(sum),
                "{at:?} of {:?}",
                rules.0
            );
        }
    }
    assert!(loony > 100 && several > 5_000, "{loony} loony, {several}");
}
