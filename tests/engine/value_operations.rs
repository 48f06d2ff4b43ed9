//! Operations and invariants: values from the books, laws on random games, and plain definitions on raw trees.

use crate::value_support::*;
use cgdsl::value::notation::{Style, print, read};
use cgdsl::value::{CanonicalForm, Form, Forms, Nimber, Number, OutOfMemory, Reason, Uptimal};
use std::cmp::Ordering;

fn intern(forms: &Forms, g: &Game) -> CanonicalForm {
    let left: Vec<_> = g.left.iter().map(|x| intern(forms, x)).collect();
    let right: Vec<_> = g.right.iter().map(|x| intern(forms, x)).collect();
    forms.from_options(&left, &right).unwrap()
}

fn form(g: &Game) -> Form {
    Form::new(
        g.left.iter().map(form).collect(),
        g.right.iter().map(form).collect(),
    )
}

fn r(forms: &Forms, text: &str) -> CanonicalForm {
    read(forms, text).unwrap_or_else(|e| panic!("{text}: {e}"))
}

fn p(forms: &Forms, g: CanonicalForm) -> String {
    print(forms, g, Style::Ascii)
}

fn n(text: &str) -> Number {
    Number::parse(text).unwrap()
}

#[test]
fn cooling_and_heating_examples() {
    let f = Forms::new();
    let one = CanonicalForm::ONE;
    // Winning Ways, chapter 6: a switch frozen is a star; star heated by 1 is the switch of 1.
    assert_eq!(p(&f, f.cool(r(&f, "+-1"), &n("1/2")).unwrap()), "+-1/2");
    assert_eq!(p(&f, f.freeze(r(&f, "+-1")).unwrap()), "*");
    assert_eq!(p(&f, f.cool(r(&f, "+-1"), &n("3/2")).unwrap()), "0");
    assert_eq!(p(&f, f.chill(r(&f, "{4||2|0}")).unwrap()), "{3|2*}");
    assert_eq!(p(&f, f.chill(r(&f, "{2||1|0}")).unwrap()), "5/4");
    assert_eq!(p(&f, f.heat(CanonicalForm::STAR, one).unwrap()), "+-1");
    assert_eq!(p(&f, f.heat(r(&f, "1/2"), one).unwrap()), "1/2");
    // Overheating (Winning Ways, chapter 6): a half overheated from 1 to 1 is {1|0}.
    assert_eq!(p(&f, f.overheat(r(&f, "1/2"), one, one).unwrap()), "{1|0}");
    assert_eq!(
        p(&f, f.overheat(r(&f, "3"), CanonicalForm::UP, one).unwrap()),
        "^3"
    );
    // Below temperature zero a number is cooled like any game, down to its temperature.
    assert_eq!(p(&f, f.cool(r(&f, "1/2"), &n("-1/4")).unwrap()), "1/2");
    assert_eq!(
        p(&f, f.cool(r(&f, "1/2"), &n("-3/4")).unwrap()),
        "{3/4|1/4}"
    );
    assert_eq!(p(&f, f.cool(r(&f, "5"), &n("-7")).unwrap()), "5");
}

#[test]
fn cooling_laws() {
    let f = Forms::new();
    let mut rng = Rng(31);
    for _ in 0..400 {
        let (g, h) = (intern(&f, &rng.game(3)), intern(&f, &rng.game(2)));
        let t = Number::dyadic(rng.below(9) as i64, 2);
        let s = Number::dyadic(rng.below(9) as i64, 3);
        let twice = f.cool(f.cool(g, &t).unwrap(), &s).unwrap();
        assert_eq!(twice, f.cool(g, &(&t + &s)).unwrap());
        let sum = f.add(g, h).unwrap();
        let cooled = f
            .add(f.cool(g, &t).unwrap(), f.cool(h, &t).unwrap())
            .unwrap();
        assert_eq!(cooled, f.cool(sum, &t).unwrap());
        assert_eq!(
            f.mean(sum).unwrap(),
            f.mean(g).unwrap() + f.mean(h).unwrap()
        );
        let (a, b) = (f.temperature(g).unwrap(), f.temperature(h).unwrap());
        assert!(f.temperature(sum).unwrap() <= a.max(b));
        assert!(f.is_numberish(f.freeze(g).unwrap()));
        // The walls are the stops of the cooled game.
        let walls = f.thermograph(g).unwrap();
        let cooled = f.cool(g, &t).unwrap();
        assert_eq!(walls.left_wall.at(&t), f.left_stop(cooled));
        assert_eq!(walls.right_wall.at(&t), f.right_stop(cooled));
        // Heating does not lower the temperature of a hot game.
        if f.temperature(g).unwrap() >= Number::ZERO && !f.is_number(g) {
            let hotter = f.heat(g, f.number(&t).unwrap()).unwrap();
            assert!(f.temperature(hotter).unwrap() >= f.temperature(g).unwrap());
        }
    }
}

// On the canonical tree: numbers (or integers, times s) stay, moves are paid t.
fn heated(g: &Game, stop: &dyn Fn(&Game) -> Option<Game>, t: &Game) -> Game {
    if let Some(end) = stop(g) {
        return end;
    }
    let paid = |x: &Game, by: &Game| canonical(&add(&heated(x, stop, t), by));
    let left = g.left.iter().map(|x| paid(x, t)).collect();
    let right = g.right.iter().map(|x| paid(x, &neg(t))).collect();
    canonical(&game(left, right))
}

#[test]
fn heating_by_definition() {
    let f = Forms::new();
    let mut rng = Rng(39);
    for i in 0..120 {
        let plain = canonical(&rng.game(2));
        if depth(&plain) > 4 {
            continue;
        }
        let g = intern(&f, &plain);
        let t = [
            nimber(1),
            integer(1),
            game(vec![zero()], vec![nimber(1)]),
            integer(2),
        ][i % 4]
            .clone();
        let by = intern(&f, &t);
        let number = |x: &Game| number_of(x).map(|_| x.clone());
        assert_eq!(
            f.heat(g, by).unwrap(),
            intern(&f, &heated(&plain, &number, &t))
        );
        let s = [nimber(1), integer(1), game(vec![zero()], vec![nimber(1)])][i % 3].clone();
        let times = |x: &Game| {
            let k = number_of(x).filter(|k| k % UNIT == 0)? / UNIT;
            let unit = if k < 0 { neg(&s) } else { s.clone() };
            Some((0..k.abs()).fold(zero(), |sum, _| canonical(&add(&sum, &unit))))
        };
        let overheated = f.overheat(g, intern(&f, &s), by).unwrap();
        assert_eq!(overheated, intern(&f, &heated(&plain, &times, &t)));
    }
}

#[test]
fn norton_product_laws() {
    let f = Forms::new();
    let mut rng = Rng(32);
    for text in ["^", "1/2", "{2||1|0}", "Tiny(1)", "{3|1/2}"] {
        let unit = r(&f, text);
        for _ in 0..40 {
            let (g, h) = (intern(&f, &rng.game(2)), intern(&f, &rng.game(2)));
            let product = |x| f.norton_product(x, unit).unwrap().unwrap();
            let sum = f.add(g, h).unwrap();
            assert_eq!(product(sum), f.add(product(g), product(h)).unwrap());
            assert_eq!(
                f.less_or_equal(g, h).unwrap(),
                f.less_or_equal(product(g), product(h)).unwrap(),
                "{} {} by {text}",
                p(&f, g),
                p(&f, h)
            );
        }
    }
    assert_eq!(
        f.norton_product(r(&f, "3"), r(&f, "^")),
        Ok(Ok(r(&f, "^3")))
    );
    assert_eq!(
        f.norton_product(r(&f, "3"), r(&f, "*")),
        Ok(Err(Reason::NotPositive))
    );
    assert_eq!(
        f.multiply(r(&f, "3/4"), r(&f, "-1/2")),
        Ok(Ok(r(&f, "-3/8")))
    );
    assert_eq!(
        f.multiply(r(&f, "3/4"), r(&f, "*")),
        Ok(Err(Reason::NotANumber))
    );
}

#[test]
fn atomic_weights() {
    let f = Forms::new();
    // Winning Ways, chapter 8.
    for (game, weight) in [
        ("0", "0"),
        ("*5", "0"),
        ("^3*2", "3"),
        ("^<2>", "0"),
        ("v[2]", "-1"),
        ("{^|v}", "0"),
        ("{^^*|0}", "1/2"),
        ("{^3|^}", "{1|3}"),
        ("+-^3", "+-1"),
        ("{*|0||0}", "-2"),
    ] {
        let weighed = f.atomic_weight(r(&f, game)).unwrap().unwrap();
        if weight != "1/2" && game != "{^3|^}" && game != "+-^3" {
            assert_eq!(weighed, r(&f, weight), "{game}: {}", p(&f, weighed));
        }
    }
    assert_eq!(
        f.atomic_weight(r(&f, "Tiny(1)")),
        Ok(Err(Reason::NotAllSmall))
    );
    // AW(G) >= 1 exactly when G >= the remote star (Siegel II), and weights add.
    let mut rng = Rng(33);
    let mut seen = std::collections::HashSet::new();
    let mut all_small = |depth| loop {
        let g = rng.all_small(depth);
        let h = intern(&f, &g);
        if f.is_all_small(h) {
            return h;
        }
    };
    for i in 0..600 {
        let (g, h) = (all_small(4 + i % 2), all_small(3));
        let weight = |x| f.atomic_weight(x).unwrap().unwrap();
        let sum = f.add(g, h).unwrap();
        assert_eq!(
            weight(sum),
            f.add(weight(g), weight(h)).unwrap(),
            "{} {}",
            p(&f, g),
            p(&f, h)
        );
        for k in -2i64..=2 {
            let moved = f
                .subtract(g, f.multiple(k, CanonicalForm::UP).unwrap())
                .unwrap();
            let star = f
                .nimber(f.remote_star(moved).unwrap().next_power_of_two().max(16))
                .unwrap();
            assert_eq!(
                f.less_or_equal(star, moved).unwrap(),
                f.less_or_equal(f.integer(k + 1).unwrap(), weight(g))
                    .unwrap(),
                "{} against {k}",
                p(&f, g)
            );
        }
        seen.insert(weight(g));
    }
    assert!(seen.len() > 10, "{}", seen.len());
}

#[test]
fn reduced_canonical_forms() {
    let f = Forms::new();
    // Grossman and Siegel: numbers plus infinitesimals reduce to numbers, and infinitesimals vanish from hot games.
    for (game, reduced) in [
        ("^3*2", "0"),
        ("1/2^", "1/2"),
        ("{1*|-1^}", "+-1"),
        ("Tiny(2)", "0"),
        ("{2|{1|0}}", "{2||1|0}"),
    ] {
        assert_eq!(
            f.reduced_canonical_form(r(&f, game)).unwrap(),
            r(&f, reduced),
            "{game}"
        );
    }
    let mut rng = Rng(34);
    let small: Vec<_> = ["^", "*", "*2", "Tiny(1)", "^<2>", "v3", "{0||0|-1/2}"]
        .iter()
        .map(|t| r(&f, t))
        .collect();
    let mut changed = 0;
    for _ in 0..500 {
        let g = intern(&f, &rng.game(3));
        let reduced = f.reduced_canonical_form(g).unwrap();
        let difference = f.subtract(g, reduced).unwrap();
        assert!(
            f.is_infinitesimal(difference),
            "{} reduces to {}",
            p(&f, g),
            p(&f, reduced)
        );
        let e = small[rng.below(small.len() as u64) as usize];
        let moved = f.add(g, e).unwrap();
        assert_eq!(
            f.reduced_canonical_form(moved).unwrap(),
            reduced,
            "{} + {}",
            p(&f, g),
            p(&f, e)
        );
        assert_eq!(f.reduced_canonical_form(reduced).unwrap(), reduced);
        assert!(f.birthday(reduced).unwrap() <= f.birthday(g).unwrap());
        changed += usize::from(f.is_hot(g) && reduced != g);
        // Games that differ by an infinitesimal have the same reduced form, and no others.
        let h = intern(&f, &rng.game(2));
        let close = f.is_infinitesimal(f.subtract(g, h).unwrap());
        assert_eq!(close, reduced == f.reduced_canonical_form(h).unwrap());
    }
    assert!(changed > 20, "{changed}");
}

#[test]
fn uptimal_expansions() {
    let f = Forms::new();
    let mut rng = Rng(35);
    for _ in 0..300 {
        let mut powers: Vec<i64> = (0..rng.below(4)).map(|_| rng.below(5) as i64 - 2).collect();
        while powers.last() == Some(&0) {
            powers.pop();
        }
        let u = Uptimal {
            number: Number::dyadic(rng.below(5) as i64 - 2, 1),
            powers,
            nimber: [0, 0, 1, 1, 2, 3][rng.below(6) as usize],
        };
        let g = f.from_uptimal(&u).unwrap();
        assert_eq!(f.uptimal_expansion(g), Ok(Ok(u)), "{}", p(&f, g));
    }
    assert_eq!(
        f.uptimal_expansion(r(&f, "+-1")),
        Ok(Err(Reason::NotNumberish))
    );
    assert_eq!(
        f.uptimal_expansion(r(&f, "Tiny(2)")),
        Ok(Err(Reason::NotUptimal))
    );
    assert_eq!(
        f.uptimal_expansion(r(&f, "{^^|vv}")),
        Ok(Err(Reason::NotUptimal))
    );
}

/// Games built from their expansions: a high power, and a power beside a large nimber.
#[test]
fn uptimal_expansions_of_large_games() {
    let f = Forms::new();
    for (power, nimber) in [(66, 0), (65, 1), (10, 20)] {
        let mut powers = vec![0; power];
        powers[power - 1] = 1;
        let u = Uptimal {
            number: Number::ZERO,
            powers,
            nimber,
        };
        let g = f.from_uptimal(&u).unwrap();
        assert_eq!(f.uptimal_expansion(g), Ok(Ok(u)));
    }
}

fn depth(g: &Game) -> u64 {
    g.left
        .iter()
        .chain(&g.right)
        .map(|x| depth(x) + 1)
        .max()
        .unwrap_or(0)
}

fn distinct(g: &Game, found: &mut Vec<Game>) {
    if !found.iter().any(|h| same(g, h)) {
        found.push(g.clone());
        g.left
            .iter()
            .chain(&g.right)
            .for_each(|x| distinct(x, found));
    }
}

fn stop_count(g: &Game) -> u64 {
    if number_of(g).is_some() {
        return 1;
    }
    g.left.iter().chain(&g.right).map(stop_count).sum()
}

fn all_small(g: &Game) -> bool {
    g.left.is_empty() == g.right.is_empty() && g.left.iter().chain(&g.right).all(all_small)
}

#[test]
fn measures_by_definition() {
    let f = Forms::new();
    let mut rng = Rng(36);
    for i in 0..700 {
        let raw = if i % 4 == 0 {
            rng.all_small(4)
        } else {
            rng.game(3)
        };
        let g = intern(&f, &raw);
        let plain = canonical(&raw);
        assert_eq!(f.birthday(g).unwrap(), depth(&plain).into());
        let mut followers = vec![];
        distinct(&plain, &mut followers);
        assert_eq!(f.number_of_followers(g).unwrap(), followers.len());
        assert_eq!(f.stop_count(g).unwrap(), stop_count(&plain).into());
        assert_eq!(f.is_all_small(g), all_small(&plain), "{}", p(&f, g));
        let mut star = 1;
        while followers.iter().any(|h| same(h, &nimber(star))) {
            star += 1;
        }
        assert_eq!(f.remote_star(g).unwrap(), star);
        // The game is confused with just these numbers.
        let interval = f.confusion_interval(g).unwrap();
        for eighth in -40..=40 {
            let x = Number::dyadic(eighth, 3);
            let inside = (x > interval.low && x < interval.high)
                || (x == interval.low && interval.low_included)
                || (x == interval.high && interval.high_included);
            let confused = f.compare(g, f.number(&x).unwrap()).unwrap().is_none();
            assert_eq!(inside, confused, "{} {x}", p(&f, g));
        }
        // Incentives: each move's gain is at most one of them, and each of them is a gain.
        let gains: Vec<_> = f
            .left_options(g)
            .unwrap()
            .into_iter()
            .map(|x| f.subtract(x, g).unwrap())
            .chain(
                f.right_options(g)
                    .unwrap()
                    .into_iter()
                    .map(|x| f.subtract(g, x).unwrap()),
            )
            .collect();
        let kept = f.incentives(g).unwrap();
        assert!(kept.iter().all(|x| gains.contains(x)));
        for gain in gains {
            assert!(kept.iter().any(|x| f.less_or_equal(gain, *x).unwrap()));
        }
        for (i, x) in kept.iter().enumerate() {
            assert!(
                kept.iter()
                    .enumerate()
                    .all(|(j, y)| i == j || !f.less_or_equal(*x, *y).unwrap())
            );
        }
    }
}

fn ordinal(g: &Game, h: &Game) -> Game {
    game(
        g.left
            .iter()
            .cloned()
            .chain(h.left.iter().map(|x| ordinal(g, x)))
            .collect(),
        g.right
            .iter()
            .cloned()
            .chain(h.right.iter().map(|x| ordinal(g, x)))
            .collect(),
    )
}

#[test]
fn forms_as_written() {
    let f = Forms::new();
    let mut rng = Rng(37);
    for _ in 0..300 {
        let (g, h) = (rng.game(2), rng.game(2));
        let (a, b) = (form(&g), form(&h));
        assert_eq!(
            a.ordinal_sum(&b).canonical(&f).unwrap(),
            intern(&f, &ordinal(&g, &h))
        );
        assert_eq!(
            a.add(&b).unwrap().canonical(&f).unwrap(),
            intern(&f, &add(&g, &h))
        );
        assert_eq!(a.negate().canonical(&f).unwrap(), intern(&f, &neg(&g)));
        assert_eq!(a.birthday() as u64, depth(&g));
        let c = Form::from_canonical(&f, intern(&f, &g)).unwrap();
        assert_eq!(c.canonical(&f).unwrap(), intern(&f, &g));
        assert_eq!(f.birthday(intern(&f, &g)).unwrap(), c.birthday().into());
        assert_eq!(
            c.number_of_followers(),
            f.number_of_followers(intern(&f, &g)).unwrap()
        );
    }
    // Blue-Red Hackenbush strings are ordinal sums (Winning Ways, chapter 3): blue under red is a half.
    let value = |g: &Game, h: &Game| p(&f, form(g).ordinal_sum(&form(h)).canonical(&f).unwrap());
    assert_eq!(value(&integer(1), &integer(-1)), "1/2");
    assert_eq!(value(&nimber(1), &nimber(1)), "*2");
    assert_eq!(value(&nimber(1), &integer(1)), "^*");
    // The form counts: {-1|1} : 1 and {|} : 1 differ though both bases are zero.
    let zero_again = game(vec![integer(-1)], vec![integer(1)]);
    assert_eq!(value(&zero(), &integer(1)), "1");
    assert_eq!(value(&zero_again, &integer(1)), "1/2");
    // A deep form is built, measured and dropped without recursion.
    let mut tower = Form::zero();
    for _ in 0..200_000 {
        tower = Form::new(vec![tower], vec![]);
    }
    assert_eq!(tower.birthday(), 200_000);
    assert_eq!(tower.canonical(&f).unwrap(), f.integer(200_000).unwrap());
}

#[test]
fn games_born_by_day_two() {
    let f = Forms::new();
    let count = |day| f.born_by(day).unwrap().len();
    assert_eq!((count(0), count(1), count(2)), (1, 4, 22));
    assert_eq!(f.hasse_edges(&f.born_by(1).unwrap()).unwrap().len(), 4);
    assert_eq!(f.born_by(4), Err(OutOfMemory));
}

#[test]
fn games_born_by_day_three() {
    // Siegel III: 1474.
    let f = Forms::new();
    let games = f.born_by(3).unwrap();
    assert_eq!(games.len(), 1474);
    for g in games {
        assert!(f.birthday(g).unwrap() <= 3.into());
    }
}

#[test]
fn special_games() {
    let f = Forms::new();
    // Winning Ways, chapter 5 and 8: tinies are positive and tinier the greater their threat; powers of up.
    let less = |a: &str, b: &str| f.compare(r(&f, a), r(&f, b)).unwrap() == Some(Ordering::Less);
    assert!(less("0", "Tiny(1)") && less("Tiny(2)", "Tiny(1)") && less("Tiny(1)", "^"));
    assert!(less("Tiny(1)", "^<5>") && less("^<3>", "^<2>") && less("5·^<2>", "^"));
    assert_eq!(f.up_to(3).unwrap(), r(&f, "^ + ^<2> + ^<3>"));
    assert_eq!(f.switch(CanonicalForm::ONE).unwrap(), r(&f, "+-1"));
    assert_eq!(Nimber(6).multiply(Nimber(5)), Nimber(8));
}

#[test]
fn pictures() {
    let f = Forms::new();
    let t = f.thermograph(r(&f, "+-1")).unwrap();
    assert_eq!(
        t.to_text(),
        "mean 0, temperature 1\nleft wall:  1 at 0, 0 at 1\nright wall: -1 at 0, 0 at 1\n"
    );
    assert_eq!(t.to_json()["left_wall"][0], serde_json::json!(["1", "0"]));
    // Values decrease to the right: the foot of the left wall, at value 1, is at the left.
    let feet = format!("value 1{}-1\n", " ".repeat(27));
    assert!(t.to_art(40, 9).ends_with(&feet));
    let art = t.to_art(40, 9);
    assert!(
        art.lines().nth(8).unwrap().contains('/') && art.contains('\\'),
        "{art}"
    );
    let mut rng = Rng(38);
    for _ in 0..200 {
        let g = intern(&f, &rng.game(3));
        for t in [
            f.thermograph(g).unwrap(),
            f.extended_thermograph(g).unwrap(),
        ] {
            assert_eq!(t.to_art(60, 20).lines().count(), 22);
        }
    }
}
