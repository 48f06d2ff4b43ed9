//! Invariants held against the definitions on raw trees, and the laws that relate them, on random games.

use crate::value_support::*;
use cgdsl::value::{CanonicalForm, Forms, Number};

fn intern(forms: &Forms, g: &Game) -> CanonicalForm {
    let left: Vec<_> = g.left.iter().map(|x| intern(forms, x)).collect();
    let right: Vec<_> = g.right.iter().map(|x| intern(forms, x)).collect();
    forms.from_options(&left, &right).unwrap()
}

fn units(x: &Number) -> i64 {
    let (n, e) = x.to_small().unwrap();
    n << (12 - e)
}

#[test]
fn stops_and_thermographs_agree() {
    let forms = Forms::new();
    let mut rng = Rng(21);
    let mut hot = 0;
    for i in 0..1500 {
        let g = rng.game(if i % 2 == 0 { 3 } else { 4 });
        let h = intern(&forms, &g);
        let plain = canonical(&g);
        assert_eq!(
            (units(&forms.left_stop(h)), units(&forms.right_stop(h))),
            stops(&plain)
        );
        for base in [0, -UNIT] {
            let height = 128 * 8;
            let (left, right) = walls(&plain, base, height);
            let t = if base == 0 {
                forms.thermograph(h).unwrap()
            } else {
                forms.extended_thermograph(h).unwrap()
            };
            for i in (0..height).step_by(7) {
                let at = Number::dyadic(base + i as i64 * (UNIT / 128), 12);
                assert_eq!(
                    units(&t.left_wall.at(&at)),
                    left[i],
                    "left at {at}: {plain:?}\n{}",
                    t.to_text()
                );
                assert_eq!(
                    units(&t.right_wall.at(&at)),
                    right[i],
                    "right at {at}: {plain:?}\n{}",
                    t.to_text()
                );
            }
            assert_eq!(units(&t.mean), left[height - 1]);
            assert_eq!(t.mean, forms.mean(h).unwrap());
            assert_eq!(t.temperature, forms.temperature(h).unwrap());
            // No redundant corner.
            for wall in [&t.left_wall, &t.right_wall] {
                let c = wall.corners();
                assert!(c.windows(2).all(|w| w[0].temperature < w[1].temperature));
            }
        }
        hot += usize::from(forms.temperature(h).unwrap() > Number::ZERO);
    }
    assert!(hot > 300, "{hot}");
}
