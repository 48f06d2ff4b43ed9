//! The laws of the algebra on random games, hot, tepid and cold, and fast methods against slow ones.

use crate::value_support::*;
use cgdsl::value::notation::{Style, print, read};
use cgdsl::value::{CanonicalForm, Forms, Number, Outcome};
use std::cmp::Ordering;

fn intern(forms: &Forms, g: &Game) -> CanonicalForm {
    let left: Vec<_> = g.left.iter().map(|x| intern(forms, x)).collect();
    let right: Vec<_> = g.right.iter().map(|x| intern(forms, x)).collect();
    forms.from_options(&left, &right).unwrap()
}

fn r(forms: &Forms, text: &str) -> CanonicalForm {
    read(forms, text).unwrap_or_else(|e| panic!("{text}: {e}"))
}

#[test]
fn an_ordered_group() {
    let f = Forms::new();
    let mut rng = Rng(51);
    let zero = CanonicalForm::ZERO;
    for i in 0..1200 {
        let mut next = |d| intern(&f, &rng.game(d));
        let (g, h, k) = (next(3), next(2 + i % 2), next(2));
        let add = |a, b| f.add(a, b).unwrap();
        assert_eq!(add(add(g, h), k), add(g, add(h, k)));
        assert_eq!(add(g, h), add(h, g));
        assert_eq!(add(g, zero), g);
        assert_eq!(add(g, f.negate(g).unwrap()), zero);
        assert_eq!(f.negate(f.negate(g).unwrap()).unwrap(), g);
        let order = f.compare(g, h).unwrap();
        assert_eq!(order, f.compare(add(g, k), add(h, k)).unwrap());
        assert_eq!(
            order,
            f.compare(f.negate(h).unwrap(), f.negate(g).unwrap())
                .unwrap()
        );
        assert_eq!(order, f.compare(f.subtract(g, h).unwrap(), zero).unwrap());
        assert_eq!(order == Some(Ordering::Equal), g == h);
        assert_eq!(f.multiple(3, g).unwrap(), add(g, add(g, g)));
        assert_eq!(f.multiple(-2, g).unwrap(), f.negate(add(g, g)).unwrap());
    }
}

// Siegel II: unless G is a number, the options of G + x are those of G, plus x.
#[test]
fn translation_by_numbers() {
    let f = Forms::new();
    let mut rng = Rng(52);
    let mut hot = 0;
    for _ in 0..1500 {
        let g = intern(&f, &rng.game(3));
        let x = f
            .number(&Number::dyadic(
                rng.below(257) as i64 - 128,
                rng.below(7) as u32,
            ))
            .unwrap();
        if f.is_number(g) {
            continue;
        }
        let moved = f.add(g, x).unwrap();
        let side = |options: Vec<CanonicalForm>| -> Vec<CanonicalForm> {
            let mut all: Vec<_> = options.iter().map(|o| f.add(*o, x).unwrap()).collect();
            all.sort_by(|a, b| f.structural_cmp(*a, *b));
            all
        };
        assert_eq!(
            f.left_options(moved).unwrap(),
            side(f.left_options(g).unwrap())
        );
        assert_eq!(
            f.right_options(moved).unwrap(),
            side(f.right_options(g).unwrap())
        );
        let t = f.temperature(g).unwrap();
        assert_eq!(f.temperature(moved).unwrap(), t);
        assert_eq!(f.incentives(moved).unwrap(), f.incentives(g).unwrap());
        hot += usize::from(t > Number::ZERO);
    }
    assert!(hot > 300, "{hot}");
}

// Sums of several games, with incentives and without.
#[test]
fn incentives_change_nothing_but_time() {
    let (pruned, plain) = (Forms::new(), Forms::new().without_incentives());
    let mut rng = Rng(53);
    for i in 0..700 {
        let games: Vec<Game> = (0..2 + i % 3).map(|_| rng.game(2 + i % 2)).collect();
        let sum = |f: &Forms| {
            let sum = games.iter().fold(CanonicalForm::ZERO, |sum, g| {
                f.add(sum, intern(f, g)).unwrap()
            });
            print(f, sum, Style::Ascii)
        };
        assert_eq!(sum(&pruned), sum(&plain), "{games:?}");
    }
    assert!(pruned.incentives_kept() > 300);
    assert_eq!(plain.incentives_kept(), 0);
}

// Sums of hot games, by their own method and by the general one: switches, threats and deeper games, with numbers that do
// not fit in a handle, numbers at the edge of that, nimbers, and negatives of earlier terms.
#[test]
fn sums_of_hot_games_go_two_roads_to_one_value() {
    let (brief, plain) = (
        Forms::new(),
        Forms::new().without_incentives().without_lays(),
    );
    let mut rng = Rng(61);
    let edge = Number::from(1_000);
    let wide = Number::dyadic(3, 40);
    for i in 0..400 {
        let games: Vec<(Game, u64)> = (0..2 + i % 3)
            .map(|k| {
                let about = rng.below(9) as i64 - 4;
                let depth = 1 + (rng.below(12) as u32 % if k < 2 { 3 } else { 2 });
                (rng.hot(depth, about), rng.below(10))
            })
            .collect();
        let sum = |f: &Forms| {
            let (mut sum, mut last) = (CanonicalForm::ZERO, CanonicalForm::ZERO);
            for (g, kind) in &games {
                let g = intern(f, g);
                let beside = match kind {
                    0 => f.number(&wide).unwrap(),
                    1 => f.number(&edge).unwrap(),
                    2 => CanonicalForm::STAR,
                    3 => f.negate(last).unwrap(),
                    4 => last,
                    _ => CanonicalForm::ZERO,
                };
                sum = f.add(f.add(sum, g).unwrap(), beside).unwrap();
                last = g;
            }
            print(f, sum, Style::Ascii)
        };
        assert_eq!(sum(&brief), sum(&plain), "{games:?}");
    }
    assert!(brief.incentives_kept() > 1_000);
}

// Sums of `{a||b|c}` and `{a|b||c}`, whose incentives have closed forms, including ties, against their trees.
#[test]
fn sums_of_threats_are_those_of_their_trees() {
    let f = Forms::new();
    for (x, y, z) in (0..1000)
        .map(|i| (i / 100, i / 10 % 10, i % 10))
        .filter(|(x, y, z)| x >= y && y > z)
    {
        let [a, b, c] = [x, y, z].map(|n| integer(n - 3));
        for g in [
            game(
                vec![a.clone()],
                vec![game(vec![b.clone()], vec![c.clone()])],
            ),
            game(
                vec![game(vec![a.clone()], vec![b.clone()])],
                vec![c.clone()],
            ),
        ] {
            let form = intern(&f, &g);
            for h in [
                game(vec![integer(x - y + 1)], vec![integer(1)]),
                g.clone(),
                neg(&g),
            ] {
                let sum = f.add(form, intern(&f, &h)).unwrap();
                assert_eq!(sum, intern(&f, &add(&g, &h)), "{g:?} {h:?}");
            }
        }
    }
}

// Comparisons by small integers and by the general method: canonical forms, sums and orders agree. A translation by a
// number that is not small takes games out of the fast method; the results must be the same, translated.
#[test]
fn small_integers_change_nothing_but_time() {
    let (fast, plain) = (Forms::new(), Forms::new().without_lays());
    let mut rng = Rng(57);
    let wide = Number::dyadic(1, 40);
    let x = fast.number(&wide).unwrap();
    for i in 0..1000 {
        let depth = 2 + i % 3;
        // Hot, tepid and cold games; in every other pair both games are all small.
        let raw: Vec<Game> = (0..2)
            .map(|_| match i % 2 {
                0 => rng.game(depth),
                _ => rng.all_small(depth),
            })
            .collect();
        let games =
            |f: &Forms| -> Vec<CanonicalForm> { raw.iter().map(|g| intern(f, g)).collect() };
        let text = |f: &Forms, g| print(f, g, Style::Ascii);
        let (a, b) = (games(&fast), games(&plain));
        let (sum, other) = (
            fast.add(a[0], a[1]).unwrap(),
            plain.add(b[0], b[1]).unwrap(),
        );
        assert_eq!(text(&fast, sum), text(&plain, other), "{raw:?}");
        let order = fast.compare(a[0], a[1]).unwrap();
        assert_eq!(order, plain.compare(b[0], b[1]).unwrap(), "{raw:?}");
        let moved = |g: CanonicalForm| fast.add(g, x).unwrap();
        assert_eq!(fast.compare(moved(a[0]), moved(a[1])).unwrap(), order);
        if !fast.is_number(sum) {
            let options = |raw: &[Game]| -> Vec<CanonicalForm> {
                raw.iter().map(|g| moved(intern(&fast, g))).collect()
            };
            let (left, right) = (options(&raw[0].left), options(&raw[0].right));
            if !fast.is_number(a[0]) {
                assert_eq!(fast.from_options(&left, &right).unwrap(), moved(a[0]));
            }
        }
    }
}

// Stops do not decide comparisons of games next to numbers: ups and nimbers, and games confused with them, plus a number,
// against the plain order of raw trees.
#[test]
fn games_beside_numbers_compare_as_their_trees_do() {
    let (f, plain) = (Forms::new(), Forms::new().without_lays());
    let mut rng = Rng(58);
    let star = |g: &Game, m: u32| add(g, &nimber(m));
    let up = game(vec![zero()], vec![nimber(1)]);
    let mut games: Vec<Game> = vec![zero(), nimber(1), nimber(2), nimber(3), nimber(4)];
    for k in [up.clone(), add(&up, &up)] {
        for m in 0..4 {
            games.push(canonical(&star(&k, m)));
        }
    }
    games.extend(games.clone().iter().map(neg));
    games.extend((0..60).map(|_| canonical(&rng.all_small(3))));
    games.extend((0..60).map(|_| canonical(&rng.game(2))));
    // The same beside 1, and options of hot games.
    let more: Vec<Game> = (0..60)
        .map(|i| {
            let (a, b) = (
                &games[rng.below(60) as usize],
                &games[rng.below(60) as usize],
            );
            match i % 3 {
                0 => canonical(&add(a, &integer(1))),
                1 => game(vec![add(a, &integer(1))], vec![b.clone()]),
                _ => game(vec![a.clone()], vec![b.clone()]),
            }
        })
        .collect();
    games.extend(more);
    let (fast, slow): (Vec<_>, Vec<_>) = games
        .iter()
        .map(|g| (intern(&f, g), intern(&plain, g)))
        .unzip();
    let mut open = 0;
    for _ in 0..4000 {
        let (i, j) = (
            rng.below(games.len() as u64) as usize,
            rng.below(games.len() as u64) as usize,
        );
        let expected = le(&games[i], &games[j]);
        assert_eq!(
            f.less_or_equal(fast[i], fast[j]).unwrap(),
            expected,
            "{:?} {:?}",
            games[i],
            games[j]
        );
        assert_eq!(plain.less_or_equal(slow[i], slow[j]).unwrap(), expected);
        open += usize::from(f.left_stop(fast[i]) == f.right_stop(fast[j]));
    }
    assert!(open > 1000, "{open}");
    assert!(f.lays_kept() > 50 && plain.lays_kept() == 0);
}

// Siegel II, word for word on the tree as written: play until the position is a number.
fn played(f: &Forms, g: &Game, left: bool) -> Number {
    if let Some(x) = f.as_number(intern(f, g)) {
        return x;
    }
    let options = if left { &g.left } else { &g.right };
    let ends = options.iter().map(|h| played(f, h, !left));
    let end = if left { ends.max() } else { ends.min() };
    end.expect("a game without a move is a number")
}

#[test]
fn stops_by_playing() {
    let f = Forms::new();
    let mut rng = Rng(54);
    for _ in 0..1500 {
        let raw = rng.game(3);
        let g = intern(&f, &raw);
        assert_eq!(f.left_stop(g), played(&f, &raw, true), "{raw:?}");
        assert_eq!(f.right_stop(g), played(&f, &raw, false), "{raw:?}");
    }
}

// Winning Ways, chapter 8: an atomic weight of at least 2 wins; one of at least 1 wins when Left starts.
#[test]
fn the_two_ahead_rule() {
    let f = Forms::new();
    let mut rng = Rng(55);
    let (mut ahead, mut one) = (0, 0);
    for _ in 0..4000 {
        let g = intern(&f, &rng.all_small(3));
        let g = f.add(g, intern(&f, &rng.all_small(2))).unwrap();
        let weight = f.atomic_weight(g).unwrap().unwrap();
        let two = f.integer(2).unwrap();
        let outcome = f.outcome(g).unwrap();
        if f.less_or_equal(two, weight).unwrap() {
            assert_eq!(outcome, Outcome::Left);
            ahead += 1;
        }
        if f.less_or_equal(CanonicalForm::ONE, weight).unwrap() {
            assert!(matches!(outcome, Outcome::Left | Outcome::Next));
            one += 1;
        }
    }
    assert!(ahead > 20 && one > ahead, "{ahead} {one}");
}

// Siegel III: the automorphism of the lattices of games born by day n.
#[test]
fn companions() {
    let f = Forms::new();
    let c = |g| f.companion(g).unwrap();
    for (g, h) in [
        ("0", "*"),
        ("^", "^*"),
        ("v*", "v"),
        ("5", "5"),
        ("-1/2", "-1/2"),
        ("9/8*", "9/8*"),
        ("6^*", "6^*"),
        ("*8", "*8"),
        ("^*6", "^*6"),
        ("^[4]", "^[4]*"),
        // As CGSuite documents them.
        ("{0||0|v*}", "{0|^<2>*}"),
    ] {
        assert_eq!(c(r(&f, g)), r(&f, h), "{g}");
    }
    let day2 = f.born_by(2).unwrap();
    let mut rng = Rng(56);
    let random: Vec<_> = (0..120).map(|_| intern(&f, &rng.game(3))).collect();
    for g in day2.iter().chain(&random) {
        assert_eq!(c(c(*g)), *g);
        for h in day2.iter().chain(&random) {
            assert_eq!(
                f.less_or_equal(*g, *h).unwrap(),
                f.less_or_equal(c(*g), c(*h)).unwrap()
            );
        }
    }
    for g in &day2 {
        assert!(day2.contains(&c(*g)));
    }
}

// Calistrate, Paulhus and Wolfe: the games born by day n form a distributive lattice, so all chains to a game have the same
// length, and each pair has a join.
#[test]
fn the_lattice_of_day_two() {
    let f = Forms::new();
    let games = f.born_by(2).unwrap();
    let edges = f.hasse_edges(&games).unwrap();
    let n = games.len();
    let mut height = vec![None; n];
    let bottom = (0..n).find(|g| edges.iter().all(|e| e.1 != *g)).unwrap();
    height[bottom] = Some(0);
    for _ in 0..n {
        for &(low, high) in &edges {
            if let Some(h) = height[low] {
                assert!(height[high].is_none_or(|k| k == h + 1));
                height[high] = Some(h + 1);
            }
        }
    }
    assert_eq!(height.iter().flatten().max(), Some(&8));
    let below = |a: usize, b: usize| f.less_or_equal(games[a], games[b]).unwrap();
    for a in 0..n {
        for b in 0..n {
            let upper: Vec<usize> = (0..n).filter(|c| below(a, *c) && below(b, *c)).collect();
            assert!(upper.iter().any(|c| upper.iter().all(|d| below(*c, *d))));
        }
    }
}

// From the definition alone: all pairs of sets of games born by day 1, distinguished by the plain order of raw trees.
// Calistrate, Paulhus and Wolfe: they form a distributive lattice.
#[test]
fn day_two_from_the_definition() {
    let day1 = [zero(), integer(1), integer(-1), nimber(1)];
    let subset = |bits: usize| -> Vec<Game> {
        (0..4)
            .filter(|i| bits >> i & 1 == 1)
            .map(|i| day1[i].clone())
            .collect()
    };
    let mut games: Vec<Game> = Vec::new();
    for left in 0..16 {
        for right in 0..16 {
            let g = game(subset(left), subset(right));
            if !games.iter().any(|h| eq(&g, h)) {
                games.push(g);
            }
        }
    }
    let n = games.len();
    assert_eq!(n, 22);
    let below: Vec<Vec<bool>> = games
        .iter()
        .map(|g| games.iter().map(|h| le(g, h)).collect())
        .collect();
    // Least upper and greatest lower bounds.
    let bound = |a: usize, b: usize, up: bool| -> usize {
        let at_most = |x: usize, y: usize| if up { below[x][y] } else { below[y][x] };
        let all: Vec<usize> = (0..n)
            .filter(|c| at_most(a, *c) && at_most(b, *c))
            .collect();
        let best = all.iter().find(|c| all.iter().all(|d| at_most(**c, *d)));
        *best.expect("a lattice")
    };
    for a in 0..n {
        for b in 0..n {
            for c in 0..n {
                let left = bound(a, bound(b, c, true), false);
                let right = bound(bound(a, b, false), bound(a, c, false), true);
                assert_eq!(left, right);
            }
        }
    }
    // The library finds the same games and the same lines of the Hasse diagram.
    let f = Forms::new();
    let handles: Vec<CanonicalForm> = games.iter().map(|g| intern(&f, g)).collect();
    let born = f.born_by(2).unwrap();
    assert_eq!(born.len(), n);
    assert!(born.iter().all(|g| handles.contains(g)));
    let mut covers = Vec::new();
    for a in 0..n {
        for b in (0..n).filter(|b| *b != a && below[a][*b]) {
            let between = |c: usize| c != a && c != b && below[a][c] && below[c][b];
            if !(0..n).any(between) {
                covers.push((a, b));
            }
        }
    }
    let mut found = f.hasse_edges(&handles).unwrap();
    found.sort_unstable();
    assert_eq!(found, covers);
}

#[test]
fn followers_are_counted_up_to_a_bound() {
    let f = Forms::new();
    let many = r(&f, "1000000000000000000000*");
    assert!(f.number_of_followers_up_to(many, 2000).is_err());
    assert_eq!(f.number_of_followers_up_to(r(&f, "^"), 3), Ok(3));
    assert!(f.number_of_followers_up_to(r(&f, "^"), 2).is_err());
}

// Grossman and Siegel, *Reductions of partizan games*: the parity of all lines of play to a number.
#[test]
fn tempered_games() {
    let f = Forms::new();
    for (game, even, odd) in [
        ("0", true, false),
        ("-3/4", true, false),
        ("*", false, true),
        ("*2", false, false),
        ("^", false, false),
        ("+-1", false, true),
        ("{3||1|-2}", false, false),
        ("+-{3|1}", true, false),
        ("{2|*}", false, false),
    ] {
        let g = r(&f, game);
        assert_eq!(f.is_even_tempered(g), Ok(even), "{game}");
        assert_eq!(f.is_odd_tempered(g), Ok(odd), "{game}");
    }
    // Against all lines of play of the canonical tree.
    fn parities(f: &Forms, g: CanonicalForm) -> u8 {
        if f.is_number(g) {
            return 1;
        }
        let all = [f.left_options(g).unwrap(), f.right_options(g).unwrap()].concat();
        let below = all.iter().fold(0, |all, h| all | parities(f, *h));
        (below & 1) << 1 | below >> 1
    }
    let mut rng = Rng(58);
    let mut tempered = 0;
    for i in 0..600 {
        let g = intern(&f, &rng.game(1 + i % 3));
        let found = parities(&f, g);
        assert_eq!(f.is_even_tempered(g), Ok(found == 1));
        assert_eq!(f.is_odd_tempered(g), Ok(found == 2));
        tempered += usize::from(found != 3);
    }
    assert!((100..600).contains(&tempered), "{tempered}");
}
