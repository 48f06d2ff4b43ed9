//! Games of n players: Cincotti's n-player Hackenbush and random games, by each of the methods.

use crate::hackenbush::{Edge, Hackenbush};
use crate::moves_left;
use crate::random::Random;
use cgdsl::engine::{Coalition, CoalitionFunction, Engine, Stopped};
use cgdsl::game::{Analysis, Convention, Game, Limits, Player, Rules, Shortcut, Shortcuts, Sign};

fn coalition(players: &[u8]) -> Coalition {
    players.iter().map(|p| Player(p - 1)).collect()
}

fn subsets(n: u8) -> impl Iterator<Item = Coalition> {
    (0..1u32 << n).map(move |c| (0..n).filter(|p| c >> p & 1 == 1).map(Player).collect())
}

// The function is monotone and self-dual, and the winner is the player who is alone in a minimal coalition.
fn is_sound(f: &CoalitionFunction) {
    let n = f.players();
    for c in subsets(n) {
        assert_ne!(f.wins(&c), f.wins(&c.complement(n)));
        for p in (0..n).map(Player) {
            let mut more = c;
            more.insert(p);
            assert!(f.wins(&more) || !f.wins(&c));
        }
    }
    let minimal = f.minimal().unwrap();
    let alone = minimal.iter().find(|c| c.len() == 1);
    assert_eq!(alone.and_then(|c| c.iter().next()), f.winner());
    for c in subsets(n) {
        let above = minimal.iter().any(|m| m.intersection(&c) == *m);
        assert_eq!(above, f.wins(&c));
    }
}

/// NH-empty: without edges, the player just before the first one remains.
#[test]
fn nobody_can_move() {
    for n in 2..=5u8 {
        for convention in [Convention::Elimination, Convention::LastWins] {
            let game = Hackenbush::strings(n, &[]).under(convention);
            let engine = Engine::new(Limits::default());
            let mut search = engine.search(&game);
            for first in 0..n {
                let before = (first + n - 1) % n;
                assert_eq!(
                    search.winner(&0, Player(first)).unwrap().answer,
                    Some(Player(before))
                );
                let alone = Coalition::from_iter([Player(before)]);
                assert_eq!(
                    search.wins_without_memory(&0, &alone, Player(first)),
                    Ok(true)
                );
                // An empty coalition never wins, the coalition of all players always wins.
                for wins in [
                    search
                        .wins(&0, &Coalition::EMPTY, Player(first))
                        .unwrap()
                        .answer,
                    search
                        .wins_without_memory(&0, &Coalition::EMPTY, Player(first))
                        .unwrap(),
                ] {
                    assert!(!wins);
                }
                assert!(
                    search
                        .wins(&0, &Coalition::all(n), Player(first))
                        .unwrap()
                        .answer
                );
                assert!(
                    search
                        .wins_without_memory(&0, &Coalition::all(n), Player(first))
                        .unwrap()
                );
            }
            assert!(search.winner(&0, Player(n)).is_err());
        }
    }
}

/// NH-Fig1: the strings 12, 13, 2, 3 are queer; removing the first string lets player 3 win, removing the second lets
/// player 2 win.
#[test]
fn a_queer_position() {
    let game = Hackenbush::strings(3, &[&[1, 2], &[1, 3], &[2], &[3]]);
    let engine = Engine::new(Limits::default());
    let mut search = engine.search(&game);
    let whole = game.whole();
    assert_eq!(search.winner(&whole, Player(0)).unwrap().answer, None);
    let without_first = whole & !0b11;
    let without_second = whole & !0b1100;
    assert_eq!(
        search.winner(&without_first, Player(1)).unwrap().answer,
        Some(Player(2))
    );
    assert_eq!(
        search.winner(&without_second, Player(1)).unwrap().answer,
        Some(Player(1))
    );
    let f = search.coalitions(&whole, Player(0)).unwrap().answer;
    is_sound(&f);
    assert_eq!(
        f.minimal().unwrap(),
        [coalition(&[1, 2]), coalition(&[1, 3]), coalition(&[2, 3])]
    );
    // Players 1 and 3 together remove the first string, players 1 and 2 the second.
    let moves = search
        .coalition_moves(&whole, &coalition(&[1, 3]), Player(0))
        .unwrap()
        .answer;
    assert_eq!(moves, [without_first]);
    let moves = search
        .coalition_moves(&whole, &coalition(&[1, 2]), Player(0))
        .unwrap()
        .answer;
    assert_eq!(moves, [without_second]);
}

/// NH-queer-min: if player 1 of three moves first, the smallest queer string positions have 5 edges. There are seven of
/// them, according to an independent program.
#[test]
fn the_smallest_queer_positions() {
    let engine = Engine::new(Limits::default());
    let mut queer = Vec::new();
    for edges in 0..=5 {
        for strings in string_positions(edges) {
            let slices: Vec<&[u8]> = strings.iter().map(Vec::as_slice).collect();
            let game = Hackenbush::strings(3, &slices);
            if engine
                .search(&game)
                .winner(&game.whole(), Player(0))
                .unwrap()
                .answer
                .is_none()
            {
                queer.push(strings);
            }
        }
        assert!(edges == 5 || queer.is_empty(), "{queer:?}");
    }
    let mut expected: Vec<Vec<Vec<u8>>> = vec![
        vec![vec![3, 1], vec![2, 1, 2]],
        vec![vec![2, 1], vec![3, 1, 2]],
        vec![vec![3], vec![2, 1, 2, 1]],
        vec![vec![3], vec![1, 2], vec![2, 1]],
        vec![vec![2], vec![3, 1, 2, 1]],
        vec![vec![2], vec![1, 2], vec![3, 1]],
        vec![vec![2], vec![3], vec![1, 2, 1]],
    ];
    for strings in queer.iter_mut().chain(&mut expected) {
        strings.sort();
    }
    queer.sort();
    expected.sort();
    assert_eq!(queer, expected);
}

// All multisets of strings with labels 1 to 3 and `edges` edges.
fn string_positions(edges: usize) -> Vec<Vec<Vec<u8>>> {
    fn strings(len: usize) -> Vec<Vec<u8>> {
        if len == 0 {
            return vec![vec![]];
        }
        let longer = |s: Vec<u8>| {
            (1..=3).map(move |l| {
                let mut s = s.clone();
                s.push(l);
                s
            })
        };
        strings(len - 1).into_iter().flat_map(longer).collect()
    }
    fn extend(
        left: usize,
        least: &(usize, Vec<u8>),
        all: &[(usize, Vec<u8>)],
        done: &[Vec<u8>],
        found: &mut Vec<Vec<Vec<u8>>>,
    ) {
        if left == 0 {
            found.push(done.to_vec());
        }
        for string in all.iter().filter(|s| s.0 <= left && *s >= least) {
            let mut more = done.to_vec();
            more.push(string.1.clone());
            extend(left - string.0, string, all, &more, found);
        }
    }
    let all: Vec<(usize, Vec<u8>)> = (1..=edges)
        .flat_map(|len| strings(len).into_iter().map(move |s| (len, s)))
        .collect();
    let mut found = Vec::new();
    extend(edges, &(0, vec![]), &all, &[], &mut found);
    found
}

// The reduction of section 3. Clauses consist of nonzero integers, negative ones for negated variables.
fn reduction(n: u8, clauses: &[Vec<i8>]) -> (Vec<Vec<u8>>, u8, Coalition) {
    let k = clauses.len() as u8;
    let mut strings = Vec::new();
    for x in 1..=n {
        for literal in [x as i8, -(x as i8)] {
            // In increasing order from top to bottom; here the bottom edge comes first.
            let mut string = vec![x];
            string.extend(
                (1..=k)
                    .rev()
                    .filter(|j| clauses[usize::from(j - 1)].contains(&literal))
                    .map(|j| n + j),
            );
            strings.push(string);
        }
    }
    strings.push(vec![n + k + 1, n + k + 1]);
    let mut last = vec![n + k + 2];
    last.extend((n + 1..=n + k).rev());
    last.push(n + k + 2);
    strings.push(last);
    let mut first: Coalition = (2..=n).step_by(2).map(|p| Player(p - 1)).collect();
    first.insert(Player(n + k));
    (strings, n + k + 2, first.complement(n + k + 2))
}

fn formula_is_true(n: u8, clauses: &[Vec<i8>], values: &mut Vec<bool>) -> bool {
    let x = values.len() as u8;
    if x == n {
        return clauses.iter().all(|c| {
            c.iter()
                .any(|l| values[l.unsigned_abs() as usize - 1] == (*l > 0))
        });
    }
    let mut both = [false, true].map(|value| {
        values.push(value);
        let wins = formula_is_true(n, clauses, values);
        values.pop();
        wins
    });
    if x.is_multiple_of(2) {
        both.iter().any(|b| *b)
    } else {
        both.iter_mut().all(|b| *b)
    }
}

/// NH-T3: the second coalition wins if and only if the quantified formula is true. All formulas with up to 3 variables and 2
/// clauses of distinct variables.
#[test]
fn theorem_3() {
    let engine = Engine::new(Limits::default());
    let mut seen = [0, 0];
    for n in 1..=3u8 {
        // Each variable is absent, positive or negative in a clause.
        let clauses: Vec<Vec<i8>> = (1..3u32.pow(u32::from(n)))
            .map(|c| {
                (0..n)
                    .filter_map(|x| match c / 3u32.pow(u32::from(x)) % 3 {
                        0 => None,
                        1 => Some(x as i8 + 1),
                        _ => Some(-(x as i8) - 1),
                    })
                    .collect()
            })
            .collect();
        for (i, a) in clauses.iter().enumerate() {
            for b in std::iter::once(None).chain(clauses[i..].iter().map(Some)) {
                let formula: Vec<Vec<i8>> = std::iter::once(a).chain(b).cloned().collect();
                let (strings, players, second) = reduction(n, &formula);
                let slices: Vec<&[u8]> = strings.iter().map(Vec::as_slice).collect();
                let game = Hackenbush::strings(players, &slices);
                let truth = formula_is_true(n, &formula, &mut Vec::new());
                seen[usize::from(truth)] += 1;
                let mut search = engine.search(&game);
                let wins = search.wins(&game.whole(), &second, Player(0)).unwrap();
                assert_eq!(wins.answer, truth, "{formula:?}");
                assert!(!wins.degraded);
            }
        }
    }
    assert!(seen[0] > 50 && seen[1] > 50, "{seen:?}");
}

/// NH-Fig2: 9 players, 10 strings; the formula is true (x1 = 0, and then x2 = 0 or x3 = 1 satisfies the first clause).
#[test]
fn figure_2() {
    let formula = vec![vec![1, -2, 3], vec![-1, 2, 4], vec![-1, 3, -4]];
    let (strings, players, second) = reduction(4, &formula);
    assert_eq!((players, strings.len()), (9, 10));
    assert!(formula_is_true(4, &formula, &mut Vec::new()));
    let slices: Vec<&[u8]> = strings.iter().map(Vec::as_slice).collect();
    let game = Hackenbush::strings(players, &slices);
    let engine = Engine::new(Limits::default());
    let mut search = engine.search(&game);
    assert!(
        search
            .wins(&game.whole(), &second, Player(0))
            .unwrap()
            .answer
    );
    assert!(
        search
            .wins_without_memory(&game.whole(), &second, Player(0))
            .unwrap()
    );
    is_sound(&search.coalitions(&game.whole(), Player(0)).unwrap().answer);
}

/// A game by nodes with options for each player; a position is a sorted multiset of nodes.
struct Table {
    players: u8,
    convention: Convention,
    // By node and player. In a symmetric game all players have the same options.
    nodes: Vec<Vec<Vec<Vec<u8>>>>,
    symmetric: bool,
}

impl Table {
    fn random(random: &mut Random, players: u8, convention: Convention) -> Table {
        let symmetric = random.below(3) == 0;
        let mut nodes: Vec<Vec<Vec<Vec<u8>>>> = vec![vec![vec![]; usize::from(players)]];
        while nodes.len() < 7 {
            let below = nodes.len();
            let mut side = || -> Vec<Vec<u8>> {
                (0..random.below(3))
                    .map(|_| {
                        let mut option: Vec<u8> = (0..[1, 1, 2, 0][random.below(4)])
                            .map(|_| random.below(below) as u8)
                            .collect();
                        option.sort_unstable();
                        option
                    })
                    .collect()
            };
            let node = if symmetric {
                vec![side(); usize::from(players)]
            } else {
                (0..players).map(|_| side()).collect()
            };
            nodes.push(node);
        }
        Table {
            players,
            convention,
            nodes,
            symmetric,
        }
    }
}

impl Rules for Table {
    type Position = Vec<u8>;
    type Fault = String;

    fn players(&self) -> u8 {
        self.players
    }

    fn convention(&self) -> Convention {
        self.convention
    }

    fn options(
        &self,
        position: &Vec<u8>,
        player: Player,
        options: &mut Vec<Vec<u8>>,
    ) -> Result<(), String> {
        for (i, node) in position.iter().enumerate() {
            for option in &self.nodes[usize::from(*node)][player.index()] {
                let mut next = position.clone();
                next.remove(i);
                next.extend(option);
                next.sort_unstable();
                options.push(next);
            }
        }
        Ok(())
    }
}

impl Game for Table {
    type Key = Vec<u8>;

    fn key(&self, part: &Vec<u8>) -> (Vec<u8>, Sign) {
        (part.clone(), Sign::Plus)
    }

    fn analysis(&self) -> &impl Analysis<Self> {
        self
    }
}

impl Analysis<Table> for Table {
    fn split(&self, position: &Vec<u8>, parts: &mut Vec<Vec<u8>>) {
        parts.extend(position.iter().map(|n| vec![*n]));
    }

    fn is_impartial(&self, _part: &Vec<u8>) -> bool {
        self.symmetric
    }

    fn ends(&self) -> bool {
        true
    }

    fn is_faultless(&self) -> bool {
        true
    }
}

// Whether a coalition wins, by the definition alone.
fn naive(
    game: &Table,
    position: &Vec<u8>,
    coalition: &Coalition,
    within: Coalition,
    mover: Player,
) -> bool {
    let n = game.players;
    if game.convention == Convention::Elimination && within.len() == 1 {
        return coalition.contains(within.iter().next().unwrap());
    }
    let mut options = Vec::new();
    game.options(position, mover, &mut options).unwrap();
    let mut next = Player((mover.0 + 1) % n);
    while !within.contains(next) {
        next = Player((next.0 + 1) % n);
    }
    if options.is_empty() {
        return match game.convention {
            Convention::Elimination => {
                let mut less = within;
                less.remove(mover);
                naive(game, position, coalition, less, next)
            }
            _ => coalition.contains(Player((mover.0 + n - 1) % n)),
        };
    }
    let mut wins = options
        .iter()
        .map(|o| naive(game, o, coalition, within, next));
    if coalition.contains(mover) {
        wins.any(|w| w)
    } else {
        wins.all(|w| w)
    }
}

#[test]
fn all_ways_agree_with_the_definition_on_random_games() {
    let mut random = Random(11);
    let (mut queer, mut symmetric, mut differ, mut duels) = (0, 0, 0, 0);
    for round in 0..400 {
        let players = 2 + random.below(3) as u8;
        let game = Table::random(&mut random, players, Convention::Elimination);
        let mut position: Vec<u8> = (0..1 + random.below(2))
            .map(|_| random.below(7) as u8)
            .collect();
        position.sort_unstable();
        let first = Player(random.below(usize::from(players)) as u8);
        let mut winners = Vec::new();
        for convention in [
            Convention::Elimination,
            Convention::LastWins,
            Convention::Normal,
        ] {
            if convention == Convention::Normal && players > 2 {
                continue;
            }
            let game = Table {
                convention,
                nodes: game.nodes.clone(),
                ..game
            };
            let mut functions = Vec::new();
            for (keys, split, duel, rotations) in [
                (true, true, true, true),
                (false, false, true, false),
                (true, true, false, true),
                (true, true, false, false),
                (false, false, false, false),
            ] {
                let shortcuts = Shortcuts::ALL.with(&[
                    (Shortcut::Keys, keys),
                    (Shortcut::Split, split),
                    (Shortcut::Duel, duel),
                    (Shortcut::Rotations, rotations),
                ]);
                let engine = Engine::new(Limits::default()).with_shortcuts(shortcuts);
                let mut search = engine.search(&game);
                let f = search.coalitions(&position, first).unwrap();
                assert!(!f.degraded);
                functions.push(f.answer);
                if rotations {
                    for c in subsets(players) {
                        let expected = naive(&game, &position, &c, Coalition::all(players), first);
                        assert_eq!(functions[0].wins(&c), expected, "round {round}");
                        assert_eq!(search.wins(&position, &c, first).unwrap().answer, expected);
                        assert_eq!(
                            search.wins_without_memory(&position, &c, first),
                            Ok(expected)
                        );
                    }
                    let statistics = engine.statistics();
                    symmetric += usize::from(statistics.rotations > 0);
                    duels += usize::from(statistics.duels > 0);
                }
            }
            is_sound(&functions[0]);
            assert!(functions.iter().all(|f| *f == functions[0]));
            queer += usize::from(functions[0].winner().is_none());
            winners.push(functions[0].winner());
            // The interpretation as a two-player game.
            if convention == Convention::Normal {
                let engine = Engine::new(Limits::default());
                let outcome = engine.outcome(&game, &position).unwrap();
                let mut search = engine.search(&game);
                let mut wins = |p| search.winner(&position, p).unwrap().answer == Some(p);
                assert_eq!(wins(Player::LEFT), outcome.left_wins_first());
                assert_eq!(wins(Player::RIGHT), outcome.right_wins_first());
            }
        }
        differ += usize::from(winners[0] != winners[1]);
        // With two players all conventions agree.
        assert!(players > 2 || winners.iter().all(|w| *w == winners[0]));
    }
    assert!(
        queer > 20 && symmetric > 100 && differ > 20 && duels > 100,
        "{queer} {symmetric} {differ} {duels}"
    );
}

/// An engine with so many bytes of memory and without some shortcuts.
fn engine(memory: usize, closed: &[Shortcut]) -> Engine<<Hackenbush as Game>::Key> {
    let limits = Limits {
        memory,
        ..Limits::default()
    };
    Engine::new(limits).with_shortcuts(Shortcuts::ALL.without(closed))
}

/// A picture with random edges, of which some have two owners; those that are not joined to the ground are left out.
fn picture(random: &mut Random, players: u8, edges: usize) -> Hackenbush {
    let vertices = 2 + random.below(edges);
    let edges: Vec<Edge> = (0..edges)
        .map(|_| {
            let owner = |random: &mut Random| 1u64 << random.below(usize::from(players));
            let more = random.below(8) == 0;
            Edge {
                ends: [random.below(vertices) as u8, random.below(vertices) as u8],
                owners: owner(random) | if more { owner(random) } else { 0 },
            }
        })
        .collect();
    Hackenbush::new(players, &edges)
}

/// A search for one coalition at a time, with and without the moves that are left, and in a memory that makes it forget,
/// against the pass over all coalitions: who wins alone and which coalitions win, from the start and where some are out.
#[test]
fn one_coalition_at_a_time() {
    let mut random = Random(5);
    let (mut outlasted, mut forgot, mut gave_up) = (0, 0, 0);
    for _ in 0..250 {
        let players = 3 + random.below(3) as u8;
        let edges = 4 + random.below(9);
        let convention = [Convention::Elimination, Convention::LastWins][random.below(4) / 3];
        let game = picture(&mut random, players, edges).under(convention);
        let first = Player(random.below(usize::from(players)) as u8);
        let mut within = Coalition::from_iter([first]);
        for p in (0..players).map(Player).filter(|_| random.below(2) == 0) {
            within.insert(p);
        }
        if convention == Convention::LastWins {
            within = Coalition::all(players);
        }
        let answers = |memory, closed: &[Shortcut]| {
            let engine = engine(memory, closed);
            let mut search = engine.search(&game);
            let whole = game.whole();
            let found = (
                search.winner(&whole, first).unwrap().answer,
                search.coalitions(&whole, first).unwrap().answer,
                search
                    .winner_among(&whole, first, &within)
                    .ok()
                    .map(|a| a.answer),
            );
            (found, engine.statistics())
        };
        let plenty = Limits::default().memory;
        let (expected, _) = answers(plenty, &[Shortcut::Duel]);
        let (found, statistics) = answers(plenty, &[]);
        assert!(found == expected);
        outlasted += usize::from(statistics.outlasted > 0);
        assert!(answers(plenty, &[Shortcut::Outlast]).0 == expected);
        for memory in [20_000, 40_000] {
            let (found, statistics) = answers(memory, &[Shortcut::Outlast]);
            assert!((found.0, &found.1) == (expected.0, &expected.1));
            assert!(found.2.is_none() || found.2 == expected.2);
            forgot += usize::from(statistics.evictions > 0);
            gave_up += usize::from(found.2.is_none());
        }
    }
    println!("{outlasted} outlasted, {forgot} forgot, {gave_up} gave up");
    assert!(
        outlasted > 150 && forgot > 20,
        "{outlasted} {forgot} {gave_up}"
    );
}

/// More coalitions are asked about than a state has room for: who wins alone, against the pass.
#[test]
fn twenty_players() {
    let mut random = Random(29);
    let (mut alone, mut queer) = (0, 0);
    for _ in 0..60 {
        let game = picture(&mut random, 20, 14);
        let winner = |closed: &[Shortcut]| {
            let engine = engine(Limits::default().memory, closed);
            let winner = engine.search(&game).winner(&game.whole(), Player(3));
            winner.unwrap().answer
        };
        let expected = winner(&[Shortcut::Duel]);
        for closed in [&[][..], &[Shortcut::Outlast]] {
            assert_eq!(winner(closed), expected);
        }
        *if expected.is_some() {
            &mut alone
        } else {
            &mut queer
        } += 1;
    }
    assert!(alone > 10 && queer > 0, "{alone} {queer}");
}

/// The moves left to each player in a picture are those of all its lines of play.
#[test]
fn moves_left_in_pictures() {
    let mut random = Random(17);
    let mut all = [0; 2];
    for _ in 0..60 {
        let players = 2 + random.below(3) as u8;
        let edges = 3 + random.below(5);
        let game = picture(&mut random, players, edges);
        let [compared, exact] = moves_left::obeys_the_law(&game, &game.whole(), 60);
        all = [all[0] + compared, all[1] + exact];
    }
    assert!(all[0] > 10_000 && all[1] > 2_000, "{all:?}");
}

/// The recursion itself: if no player is eliminated, a coalition with the mover wins if it wins at some option, and one
/// without the mover wins if it wins at every option.
#[test]
fn mover_in_some_option_mover_out_every_option() {
    let mut random = Random(23);
    let mut checked = 0;
    for _ in 0..300 {
        let players = 2 + random.below(5) as u8;
        let convention = [Convention::Elimination, Convention::LastWins][random.below(2)];
        let game = Table::random(&mut random, players, convention);
        let mut position: Vec<u8> = (0..1 + random.below(2))
            .map(|_| random.below(7) as u8)
            .collect();
        position.sort_unstable();
        let mover = Player(random.below(usize::from(players)) as u8);
        let next = Player((mover.0 + 1) % players);
        let engine = Engine::new(Limits::default());
        let mut search = engine.search(&game);
        let options = search.options(&position, mover).unwrap();
        let f = search.coalitions(&position, mover).unwrap().answer;
        is_sound(&f);
        let below: Vec<CoalitionFunction> = options
            .iter()
            .map(|o| search.coalitions(o, next).unwrap().answer)
            .collect();
        if below.is_empty() {
            continue;
        }
        checked += 1;
        for c in subsets(players) {
            let expected = if c.contains(mover) {
                below.iter().any(|g| g.wins(&c))
            } else {
                below.iter().all(|g| g.wins(&c))
            };
            assert_eq!(f.wins(&c), expected);
        }
    }
    assert!(checked > 100, "{checked}");
}

/// A resumed search answers without new work, on the same engine only, and its memory is freed.
#[test]
fn what_is_kept_answers_again() {
    let game = Hackenbush::strings(3, &[&[1, 2], &[1, 3], &[2], &[3]]);
    let engine = Engine::new(Limits::default());
    let mut search = engine.search(&game);
    let f = search.coalitions(&game.whole(), Player(0)).unwrap();
    let states = engine.statistics().states;
    let kept = search.keep();
    assert!(engine.statistics().bytes > engine.forms().memory());
    let mut search = engine.resume(&game, kept);
    assert_eq!(search.coalitions(&game.whole(), Player(0)).unwrap(), f);
    assert_eq!(engine.statistics().states, states);
    drop(search.keep());
    assert_eq!(engine.statistics().bytes, engine.forms().memory());
    // Another engine has another account.
    let other = Engine::new(Limits::default());
    let mut search = engine.search(&game);
    search.coalitions(&game.whole(), Player(0)).unwrap();
    let mut search = other.resume(&game, search.keep());
    assert_eq!(search.coalitions(&game.whole(), Player(0)).unwrap(), f);
    assert!(other.statistics().states > 0);
}

/// A position on which the conventions differ, by the definition: player 1 has one move, player 3 two, player 2 none. Player
/// 1 moves, player 2 cannot: under last-wins player 1 has won, under elimination player 3 outlasts player 1.
#[test]
fn the_conventions_differ() {
    let strings: [&[u8]; 3] = [&[1], &[3], &[3]];
    let winner = |convention| {
        let game = Hackenbush::strings(3, &strings).under(convention);
        let engine = Engine::new(Limits::default());
        engine
            .search(&game)
            .winner(&game.whole(), Player(0))
            .unwrap()
            .answer
    };
    assert_eq!(winner(Convention::LastWins), Some(Player(0)));
    assert_eq!(winner(Convention::Elimination), Some(Player(2)));
}

/// If memory is short, Algorithm 1 gives the answer, which is the same.
#[test]
fn short_memory_degrades_to_algorithm_1() {
    let game = Hackenbush::strings(4, &[&[1, 2, 3], &[4, 1, 2], &[3, 4, 1], &[2, 1, 4]]);
    let plenty = Engine::new(Limits::default());
    let whole = game.whole();
    let mut degraded = [0, 0];
    for first in (0..4).map(Player) {
        let expected = plenty.search(&game).coalitions(&whole, first).unwrap();
        assert!(!expected.degraded);
        for (closed, degraded) in [&[Shortcut::Duel], &[Shortcut::Outlast]]
            .into_iter()
            .zip(&mut degraded)
        {
            match engine(6_000, closed)
                .search(&game)
                .coalitions(&whole, first)
            {
                Ok(found) => {
                    *degraded += usize::from(found.degraded);
                    for c in subsets(4) {
                        assert_eq!(found.answer.wins(&c), expected.answer.wins(&c));
                    }
                }
                Err(Stopped::Limit(_)) => panic!("Algorithm 1 needs next to no memory"),
                Err(other) => panic!("{other}"),
            }
        }
    }
    println!("{degraded:?}");
    assert_eq!(degraded[0], 4);
}

/// Games of three players have no values.
#[test]
fn three_players_have_no_value() {
    let game = Hackenbush::strings(3, &[&[1, 2]]);
    let engine = Engine::new(Limits::default());
    assert!(matches!(
        engine.value(&game, &game.whole()),
        Err(Stopped::Refused(_))
    ));
    assert!(matches!(
        engine.outcome(&game, &game.whole()),
        Err(Stopped::Refused(_))
    ));
}

/// For more than a dozen players, coalition functions are decision diagrams. Algorithm 1 agrees with them.
#[test]
fn fourteen_players() {
    let mut random = Random(5);
    for _ in 0..20 {
        let strings: Vec<Vec<u8>> = (0..5)
            .map(|_| {
                (0..1 + random.below(3))
                    .map(|_| 1 + random.below(14) as u8)
                    .collect()
            })
            .collect();
        let slices: Vec<&[u8]> = strings.iter().map(Vec::as_slice).collect();
        let game = Hackenbush::strings(14, &slices);
        let engine = Engine::new(Limits::default());
        let mut search = engine.search(&game);
        let first = Player(random.below(14) as u8);
        let f = search.coalitions(&game.whole(), first).unwrap();
        assert!(!f.degraded);
        let minimal = f.answer.minimal().unwrap();
        for _ in 0..30 {
            let members = random.below(1 << 14);
            let c: Coalition = (0..14)
                .filter(|p| members >> p & 1 == 1)
                .map(Player)
                .collect();
            let wins = search
                .wins_without_memory(&game.whole(), &c, first)
                .unwrap();
            assert_eq!(f.answer.wins(&c), wins, "{strings:?}");
            assert_ne!(f.answer.wins(&c.complement(14)), wins);
            assert_eq!(minimal.iter().any(|m| m.intersection(&c) == *m), wins);
        }
    }
}
