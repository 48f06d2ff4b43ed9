//! The games of `examples/`, evaluated by the engine, against values from the literature and from independent programs.

#[allow(dead_code)]
#[path = "../examples/domineering.rs"]
mod domineering;
#[allow(dead_code)]
#[path = "../examples/nim.rs"]
mod nim;

use cgdsl::engine::Engine;
use cgdsl::game::Limits;
use cgdsl::value::Number;
use domineering::Domineering;
use nim::Nim;

/// Bouton 1901: nim-sum of the heaps.
#[test]
fn nim_is_a_sum_without_carry() {
    let engine = Engine::new(Limits::default());
    let mut search = engine.search(&Nim);
    for a in 0..6 {
        for b in 0..8 {
            for c in [0, 3, 9] {
                assert_eq!(search.nimber(&vec![a, b, c]), Ok(Some(a ^ b ^ c)));
            }
        }
    }
}

/// Values by the crate `cgt` and CGSuite: 4x5 = 1, 5x5 = 0; 2x2 = ±1, 2x3 hot with stops 1 and -1/2... (Winning Ways, ch. 5).
#[test]
fn domineering_rectangles() {
    let engine = Engine::new(Limits::default());
    let forms = engine.forms();
    let value = |rows, columns| {
        let board = Domineering::new(rows, columns);
        engine.value(&board, &board.empty()).unwrap()
    };
    assert_eq!(forms.as_number(value(4, 5)), Some(Number::from(1)));
    assert_eq!(forms.as_number(value(5, 4)), Some(Number::from(-1)));
    assert_eq!(forms.as_number(value(5, 5)), Some(Number::from(0)));
    let one = forms.integer(1).unwrap();
    let minus_one = forms.integer(-1).unwrap();
    assert_eq!(
        value(2, 2),
        forms.from_options(&[one], &[minus_one]).unwrap()
    );
}
