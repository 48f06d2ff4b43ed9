//! Random scoring games: the table, the order, contexts and short games against plain minimax over trees, by the definitions.

use super::contexts::Contexts;
use super::listed::{ScoringGame, ScoringGames, Side};
use super::order::Order;
use super::positional::short_game;
use crate::engine::random::Random;
use crate::game::{Budget, Cancel, Limits, Player};
use crate::value::Forms;

/// A game as a tree: options, or the score where the player is stuck.
#[derive(Clone, Debug)]
struct Tree([Result<Vec<Tree>, i64>; 2]);

impl Random {
    fn between(&mut self, least: i64, most: i64) -> i64 {
        least + self.below((most - least + 1) as u64) as i64
    }

    /// A guaranteed game of at most this rank.
    fn guaranteed(&mut self, rank: u32) -> Tree {
        let mut side = |chance: u64| -> Option<Vec<Tree>> {
            let stuck = rank == 0 || self.below(4) < chance;
            let count = 1 + self.below(2);
            (!stuck).then(|| (0..count).map(|_| self.guaranteed(rank - 1)).collect())
        };
        let (left, right) = (side(1), side(1));
        let all: Vec<i64> = left
            .iter()
            .chain(&right)
            .flatten()
            .flat_map(Tree::ends)
            .collect();
        let middle = self.between(-2, 2);
        let least = all.iter().copied().min().unwrap_or(middle);
        let least = least - self.below(2) as i64;
        let most = all.iter().copied().max().unwrap_or(middle).max(least);
        let most = most + self.below(2) as i64;
        Tree([left.ok_or(least), right.ok_or(most)])
    }

    /// A game in which both can move or neither can, and the score at the end does not depend on who is stuck.
    fn even(&mut self, rank: u32) -> Tree {
        if rank == 0 || self.below(4) == 0 {
            let s = self.between(-3, 3);
            return Tree([Err(s), Err(s)]);
        }
        let mut side = || {
            let count = 1 + self.below(2);
            Ok((0..count).map(|_| self.even(rank - 1)).collect())
        };
        Tree([side(), side()])
    }

    /// A game close to this one: a score, or an option more or less.
    fn near(&mut self, tree: &Tree) -> Tree {
        let mut all = tree.clone();
        let i = self.below(2) as usize;
        match &mut all.0[i] {
            Ok(options) => match self.below(3) {
                0 => options.push(self.guaranteed(1)),
                1 if options.len() > 1 => {
                    options.pop();
                }
                _ => {
                    let at = self.below(options.len() as u64) as usize;
                    options[at] = self.near(&options[at].clone());
                }
            },
            Err(s) => *s += if i == 0 { -1 } else { 1 },
        }
        all
    }
}

impl Tree {
    fn options(&self, i: usize) -> &[Tree] {
        match &self.0[i] {
            Ok(all) => all,
            Err(_) => &[],
        }
    }

    fn ends(&self) -> Vec<i64> {
        let own = self.0.iter().filter_map(|s| s.as_ref().err().copied());
        let all = [0, 1].map(|i| self.options(i).iter().flat_map(Tree::ends));
        own.chain(all.into_iter().flatten()).collect()
    }

    fn followers(&self) -> Vec<&Tree> {
        let mut all = vec![self];
        for i in [0, 1] {
            all.extend(self.options(i).iter().flat_map(Tree::followers));
        }
        all
    }

    /// The definition, word by word.
    fn is_guaranteed(&self) -> bool {
        self.followers().into_iter().all(|t| {
            let ends = t.ends();
            let left = t.0[0].as_ref().err();
            let right = t.0[1].as_ref().err();
            left.is_none_or(|l| ends.iter().all(|s| l <= s))
                && right.is_none_or(|r| ends.iter().all(|s| r >= s))
        })
    }

    fn waiting(n: u32, i: usize) -> Tree {
        let mut sides = [Err(0), Err(0)];
        if n > 0 {
            sides[i] = Ok(vec![Tree::waiting(n - 1, i)]);
        }
        Tree(sides)
    }

    /// The score of a sum if the player `i` begins, by minimax over the moves in all summands.
    fn score(all: &[&Tree], i: usize) -> i64 {
        let mut scores = Vec::new();
        for (at, tree) in all.iter().enumerate() {
            for o in tree.options(i) {
                let mut next = all.to_vec();
                next[at] = o;
                scores.push(Tree::score(&next, 1 - i));
            }
        }
        let best = match i {
            0 => scores.into_iter().max(),
            _ => scores.into_iter().min(),
        };
        best.unwrap_or_else(|| all.iter().filter_map(|t| t.0[i].as_ref().err()).sum())
    }

    fn of(games: &ScoringGames, game: ScoringGame) -> Tree {
        Tree(
            [Player::LEFT, Player::RIGHT].map(|p| match games.stuck(game, p) {
                Some(s) => Err(s),
                None => Ok(games.options(game, p).map(|o| Tree::of(games, o)).collect()),
            }),
        )
    }

    fn push(&self, games: &mut ScoringGames) -> ScoringGame {
        let sides = [0, 1].map(|i| match &self.0[i] {
            Err(s) => Side::Stuck(*s),
            Ok(all) => Side::Moves(all.iter().map(|o| o.push(games)).collect()),
        });
        games.push(sides).unwrap()
    }
}

fn budget() -> Budget {
    Budget::new(&Limits::default(), Cancel::new())
}

fn rounds() -> usize {
    let set = std::env::var("CGDSL_ROUNDS").ok();
    set.and_then(|n| n.parse().ok()).unwrap_or(12_000)
}

/// A false answer shows its context; a true one survives random guaranteed contexts.
#[test]
fn the_order_of_guaranteed_games_is_that_of_their_sums() {
    let mut random = Random(0x5EED_0001);
    let budget = budget();
    let (mut held, mut failed) = (0, 0);
    for round in 0..rounds() {
        let mut games = ScoringGames::new(1 << 30);
        let mut order = Order::default();
        let mut contexts = Contexts::default();
        let rank = 1 + random.below(3) as u32;
        let a = random.guaranteed(rank);
        let b = match random.below(2) {
            0 => random.near(&a),
            _ => random.guaranteed(rank),
        };
        if !b.is_guaranteed() {
            continue;
        }
        let (g, h) = (a.push(&mut games), b.push(&mut games));
        assert!(games.is_guaranteed(g) && games.is_guaranteed(h), "{round}");
        for (g, h, a, b) in [(g, h, &a, &b), (h, g, &b, &a)] {
            if order.ge(&mut games, g, h, &budget).unwrap() {
                held += 1;
                for n in 0..12 {
                    let x = match n {
                        0 => Tree::waiting(0, 0),
                        1..3 => Tree::waiting(n, 0),
                        3..5 => Tree::waiting(n - 2, 1),
                        _ => random.guaranteed(2),
                    };
                    for i in [0, 1] {
                        let (of_a, of_b) = (Tree::score(&[a, &x], i), Tree::score(&[b, &x], i));
                        assert!(of_a >= of_b, "{round}: {a:?} >= {b:?}, beside {x:?}");
                    }
                }
                continue;
            }
            failed += 1;
            let small = contexts.separate(&mut games, &mut order, g, h, &budget);
            let small = small.unwrap().unwrap();
            let (x, first) = contexts
                .build(&mut games, &mut order, g, h, &budget)
                .unwrap();
            for (context, first) in [(small.context, small.first), (x, first)] {
                assert!(games.is_guaranteed(context));
                let x = Tree::of(&games, context);
                let i = first.index();
                // The definition takes long where a constructed context is large.
                if x.followers().len() * a.followers().len() < 2000 {
                    let (of_a, of_b) = (Tree::score(&[a, &x], i), Tree::score(&[b, &x], i));
                    assert!(of_a < of_b, "{round}: {a:?} >= {b:?}, beside {x:?}");
                }
                let of_a = contexts
                    .score(&mut games, g, context, first, &budget)
                    .unwrap();
                let of_b = contexts
                    .score(&mut games, h, context, first, &budget)
                    .unwrap();
                assert!(of_a < of_b);
            }
        }
    }
    assert!(
        held > rounds() / 5 && failed > rounds() / 2,
        "{held} {failed}"
    );
}

/// Every guaranteed game of rank 1 with scores from -1 to 1 and at most one option a side.
fn small_contexts() -> Vec<Tree> {
    let range = [-1, 0, 1];
    let mut ends = Vec::new();
    for l in range {
        ends.extend(range.map(|r| Tree([Err(l), Err(r)])));
    }
    ends.retain(Tree::is_guaranteed);
    let mut sides: Vec<Result<Vec<Tree>, i64>> = range.map(Err).into();
    sides.extend(ends.iter().map(|t| Ok(vec![t.clone()])));
    let mut all = Vec::new();
    for l in &sides {
        all.extend(sides.iter().map(|r| Tree([l.clone(), r.clone()])));
    }
    all.retain(Tree::is_guaranteed);
    all
}

/// Small games, each compared with each other beside each.
#[test]
fn small_guaranteed_games_are_ordered_by_all_small_contexts() {
    let all = small_contexts();
    let mut games = ScoringGames::new(1 << 30);
    let (mut order, mut contexts) = (Order::default(), Contexts::default());
    let budget = budget();
    let pushed: Vec<_> = all.iter().map(|t| t.push(&mut games)).collect();
    let mut scores = Vec::new();
    for a in &all {
        let of = |x: &Tree| [0, 1].map(|i| Tree::score(&[a, x], i));
        scores.push(all.iter().flat_map(of).collect::<Vec<_>>());
    }
    let mut undecided = 0;
    for (i, g) in pushed.iter().enumerate() {
        for (j, h) in pushed.iter().enumerate() {
            let survives = scores[i].iter().zip(&scores[j]).all(|(s, t)| s >= t);
            if order.ge(&mut games, *g, *h, &budget).unwrap() {
                assert!(survives, "{:?} >= {:?}", all[i], all[j]);
            } else if survives {
                // A greater context separates them.
                undecided += 1;
                let found = contexts.separate(&mut games, &mut order, *g, *h, &budget);
                let found = found.unwrap().unwrap();
                let x = Tree::of(&games, found.context);
                let first = found.first.index();
                assert!(Tree::score(&[&all[i], &x], first) < Tree::score(&[&all[j], &x], first));
            }
        }
    }
    assert!(undecided < all.len() * all.len() / 4, "{undecided}");
}

#[test]
fn tables_follow_the_definitions() {
    let mut random = Random(0x5EED_0002);
    let budget = budget();
    for _ in 0..1500 {
        let mut games = ScoringGames::new(1 << 30);
        let (a, b) = (random.guaranteed(3), random.guaranteed(2));
        let b = random.near(&b);
        let (g, h) = (a.push(&mut games), b.push(&mut games));
        assert_eq!(games.is_guaranteed(h), b.is_guaranteed());
        let sum = games.sum(g, h, &budget).unwrap();
        let minus = games.negative(sum, &budget).unwrap();
        for (i, p) in [Player::LEFT, Player::RIGHT].into_iter().enumerate() {
            let score = Tree::score(&[&a, &b], i);
            assert_eq!(games.score(sum, p), score);
            assert_eq!(games.score(minus, p.opponent()), -score);
            // The pessimistic score, beside any number of waiting moves.
            let beside = |n| Tree::score(&[&a, &Tree::waiting(n, 1 - i)], i);
            let all = (0..=games.rank(g) + 2).map(beside);
            let worst = match i {
                0 => all.min(),
                _ => all.max(),
            };
            let node = games.node(g.node);
            assert_eq!(Some(node.pessimistic[i] + g.points), worst);
        }
        let mut ends = Tree::of(&games, sum).ends();
        ends.sort_unstable();
        assert_eq!(games.range(sum), [ends[0], ends[ends.len() - 1]]);
        if games.is_guaranteed(h) {
            assert!(games.is_guaranteed(sum));
        }
    }
}

/// The conditions by their definitions, and the short game against scores of multiples.
#[test]
fn positional_games_are_short_games_with_the_same_scores() {
    let mut random = Random(0x5EED_0003);
    let (budget, forms) = (budget(), Forms::new());
    let mut met = 0;
    for _ in 0..6000 {
        let mut games = ScoringGames::new(1 << 30);
        let (a, b) = (random.even(3), random.even(2));
        let (g, h) = (a.push(&mut games), b.push(&mut games));
        let all = a.followers();
        let zugzwang = all
            .iter()
            .any(|t| Tree::score(&[t], 0) < Tree::score(&[t], 1));
        assert_eq!(games.is_positional(g), !zugzwang);
        if !(games.is_positional(g) && games.is_positional(h)) {
            continue;
        }
        met += 1;
        let value = short_game(&games, &forms, g, &budget).unwrap();
        assert_eq!(forms.left_stop(value), Tree::score(&[&a], 0).into());
        assert_eq!(forms.right_stop(value), Tree::score(&[&a], 1).into());
        // Milnor: the sum is such a game, and its short game is the sum.
        let sum = games.sum(g, h, &budget).unwrap();
        assert!(games.is_positional(sum));
        let other = short_game(&games, &forms, h, &budget).unwrap();
        let both = forms.add(value, other).unwrap();
        assert_eq!(short_game(&games, &forms, sum, &budget), Ok(both));
        // n G comes to n times the mean, but for a bounded amount: less than the range of the scores.
        let mut many = g;
        for _ in 0..2 {
            many = games.sum(many, many, &budget).unwrap();
        }
        let mean = forms.mean(value).unwrap();
        let four = forms.number(&mean).unwrap();
        let four = forms.as_number(forms.multiple(4, four).unwrap()).unwrap();
        assert!(four <= games.score(many, Player::LEFT).into());
        assert!(four >= games.score(many, Player::RIGHT).into());
    }
    assert!(met > 300, "{met}");
}

/// Long games: n moves that only wait, and a long play of both players beside waiting moves.
#[test]
fn deep_games_do_not_exhaust_the_stack() {
    let mut games = ScoringGames::new(1 << 31);
    let (mut order, mut contexts) = (Order::default(), Contexts::default());
    let budget = budget();
    let mut long = |n| games.waiting(n, Player::LEFT).unwrap();
    let (g, h) = (long(100_000), long(100_001));
    let minus = games.negative(g, &budget).unwrap();
    assert_eq!(games.range(minus), [0, 0]);
    assert!(order.ge(&mut games, h, g, &budget).unwrap());
    assert!(!order.ge(&mut games, g, h, &budget).unwrap());
    let mut g = games.number(0).unwrap();
    for n in 0..200 {
        let end = games.number(n % 7 - 40).unwrap();
        g = games
            .push([Side::Moves(vec![g]), Side::Moves(vec![end])])
            .unwrap();
    }
    let h = games.waiting(100, Player::LEFT).unwrap();
    let sum = games.sum(g, h, &budget).unwrap();
    assert!(games.is_guaranteed(sum));
    assert!(order.ge(&mut games, sum, g, &budget).unwrap());
    assert!(
        contexts
            .separate(&mut games, &mut order, g, sum, &budget)
            .unwrap()
            .is_some()
    );
    assert!(
        contexts
            .build(&mut games, &mut order, g, sum, &budget)
            .is_ok()
    );
    let limits = Limits {
        nodes: Some(1000),
        ..Limits::default()
    };
    let few = Budget::new(&limits, Cancel::new());
    assert!(Order::default().ge(&mut games, sum, g, &few).is_err());
}
