//! The arena against the plain implementation in `value_support`, on random raw trees.

use crate::value_support::*;
use cgdsl::value::{CanonicalForm, Forms, Number, NumberUpStar, OutOfMemory, Outcome};
use std::cmp::Ordering;

fn intern(forms: &Forms, g: &Game) -> CanonicalForm {
    let left: Vec<_> = g.left.iter().map(|x| intern(forms, x)).collect();
    let right: Vec<_> = g.right.iter().map(|x| intern(forms, x)).collect();
    forms.from_options(&left, &right).unwrap()
}

fn raw(forms: &Forms, g: CanonicalForm) -> Game {
    let side = |list: Vec<CanonicalForm>| list.into_iter().map(|x| raw(forms, x)).collect();
    game(
        side(forms.left_options(g).unwrap()),
        side(forms.right_options(g).unwrap()),
    )
}

#[test]
fn canonical_forms_agree() {
    let forms = Forms::new();
    let mut rng = Rng(1);
    for i in 0..4000 {
        let g = rng.game(if i % 4 == 0 { 4 } else { 3 });
        let handle = intern(&forms, &g);
        let plain = canonical(&g);
        assert!(same(&raw(&forms, handle), &plain), "game {i}: {g:?}");
    }
}

#[test]
fn order_agrees() {
    let forms = Forms::new();
    let mut rng = Rng(2);
    for _ in 0..3000 {
        let (g, h) = (rng.game(3), rng.game(3));
        let (a, b) = (intern(&forms, &g), intern(&forms, &h));
        assert_eq!(forms.less_or_equal(a, b).unwrap(), le(&g, &h));
        assert_eq!(forms.less_or_equal(b, a).unwrap(), le(&h, &g));
        assert_eq!(a == b, eq(&g, &h));
    }
}

#[test]
fn sums_agree() {
    let forms = Forms::new();
    let mut rng = Rng(3);
    for _ in 0..600 {
        let (g, h) = (rng.game(2), rng.game(2));
        let (a, b) = (intern(&forms, &g), intern(&forms, &h));
        let sum = forms.add(a, b).unwrap();
        assert_eq!(sum, intern(&forms, &add(&g, &h)));
        assert_eq!(forms.negate(a).unwrap(), intern(&forms, &neg(&g)));
        assert_eq!(forms.add(sum, forms.negate(b).unwrap()).unwrap(), a);
    }
}

// Checks the options of sums from `options.rs` against the definition of the sum.
#[test]
fn closed_forms_have_their_canonical_options() {
    let forms = Forms::new();
    let up = game(vec![zero()], vec![nimber(1)]);
    for number in ["0", "1", "-2", "1/2", "-3/4"] {
        for ups in -3i64..=3 {
            for star in 0..4u32 {
                let x = Number::parse(number).unwrap();
                let value = NumberUpStar {
                    number: x.clone(),
                    ups,
                    nimber: star,
                };
                let handle = forms.number_up_star(&value).unwrap();
                let g = raw(&forms, handle);
                assert!(same(&g, &canonical(&g)), "{value:?} is canonical");
                let mut sum = nimber(star);
                for _ in 0..ups.abs() {
                    let one = if ups > 0 { up.clone() } else { neg(&up) };
                    sum = canonical(&add(&sum, &one));
                }
                let number = raw(&forms, forms.number(&x).unwrap());
                assert!(same(&g, &canonical(&add(&sum, &number))), "{value:?}");
                assert_eq!(intern(&forms, &g), handle);
            }
        }
    }
}

#[test]
fn wide_values_are_values() {
    let forms = Forms::new();
    let big = forms.integer(5_000_000_000).unwrap();
    assert_eq!(forms.subtract(big, big).unwrap(), CanonicalForm::ZERO);
    assert_eq!(
        forms.left_options(big).unwrap(),
        [forms.integer(4_999_999_999).unwrap()]
    );
    let heap = forms.nimber(1_000_000).unwrap();
    assert_eq!(forms.add(heap, heap).unwrap(), CanonicalForm::ZERO);
    assert_eq!(
        forms.compare(heap, CanonicalForm::UP).unwrap(),
        Some(Ordering::Less)
    );
    let sum = forms.add(heap, big).unwrap();
    assert_eq!(forms.outcome(sum).unwrap(), Outcome::Left);
    assert_eq!(
        forms.as_nimber(forms.subtract(sum, big).unwrap()),
        Some(1_000_000)
    );
    let ups = forms.multiple(1 << 40, CanonicalForm::UP).unwrap();
    assert_eq!(forms.multiple(1 << 40, ups), Err(OutOfMemory));
    let tiny_number = forms.number(&Number::dyadic(1, 40)).unwrap();
    assert_eq!(
        forms.compare(ups, tiny_number).unwrap(),
        Some(Ordering::Less)
    );
    // A general game, built from wide numbers.
    let switch = forms
        .from_options(&[big], &[forms.negate(big).unwrap()])
        .unwrap();
    assert_eq!(forms.add(switch, switch).unwrap(), CanonicalForm::ZERO);
    let moved = forms.add(switch, tiny_number).unwrap();
    assert_eq!(forms.subtract(moved, tiny_number).unwrap(), switch);
}

#[test]
fn deep_forms_do_not_overflow() {
    let forms = Forms::new();
    // Each is the switch between the last one and a decreasing number: 1|0||-1|||-2 and so on.
    let mut g = CanonicalForm::ONE;
    for n in 0..5_000 {
        let low = forms.integer(-n).unwrap();
        g = forms.from_options(&[g], &[low]).unwrap();
    }
    let negative = forms.negate(g).unwrap();
    assert_eq!(forms.negate(negative).unwrap(), g);
    assert_eq!(forms.add(g, negative).unwrap(), CanonicalForm::ZERO);
    let moved = forms.add(g, CanonicalForm::ONE).unwrap();
    assert_eq!(forms.compare(g, moved).unwrap(), Some(Ordering::Less));
    // ↑^[n] = {↑^[n-1] | *}.
    let mut g = CanonicalForm::UP;
    for _ in 0..5_000 {
        g = forms.from_options(&[g], &[CanonicalForm::STAR]).unwrap();
    }
    let starred = forms.add(g, CanonicalForm::STAR).unwrap();
    assert_eq!(forms.outcome(starred).unwrap(), Outcome::Next);
}

#[test]
fn a_full_arena_says_so() {
    let forms = Forms::with_limit(200_000);
    let mut g = CanonicalForm::ONE;
    let mut n = 0;
    let error = loop {
        n += 1;
        match forms
            .integer(-n)
            .and_then(|low| forms.from_options(&[g], &[low]))
        {
            Ok(h) => g = h,
            Err(e) => break e,
        }
    };
    assert_eq!(error, OutOfMemory);
    assert!(
        n > 100 && forms.memory() <= 200_000,
        "{n} {}",
        forms.memory()
    );
}

#[test]
fn threads_share_handles() {
    let forms = Forms::new();
    let run = |seed| {
        let mut rng = Rng(seed);
        let mut games = vec![];
        for _ in 0..300 {
            let (g, h) = (rng.game(3), rng.game(3));
            games.push(forms.add(intern(&forms, &g), intern(&forms, &h)).unwrap());
        }
        games
    };
    let (a, b) = std::thread::scope(|s| {
        let (a, b) = (s.spawn(|| run(7)), s.spawn(|| run(7)));
        (a.join().unwrap(), b.join().unwrap())
    });
    assert_eq!(a, b);
    assert_eq!(a, run(7));
}

#[test]
fn long_computations_end_when_asked() {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
    let forms = Forms::new();
    let flag = Arc::new(AtomicBool::new(false));
    forms.end_when(flag.clone());
    let n = |k| forms.integer(k).unwrap();
    let right = forms.from_options(&[n(1)], &[n(-2)]).unwrap();
    let g = forms.from_options(&[n(3)], &[right]).unwrap();
    let four = forms.multiple(4, g).unwrap();
    flag.store(true, Relaxed);
    assert_eq!(forms.multiple(1_000_000, g), Err(OutOfMemory));
    // Existing values stay usable.
    assert_eq!(forms.less_or_equal(four, four), Ok(true));
    assert!(!forms.left_options(four).unwrap().is_empty());
}
