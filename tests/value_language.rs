//! What is printed of values reads back in the rules language, where `v` and `*` have other meanings too.
#![cfg(feature = "language")]

mod value_support;

use cgdsl::session::{Disk, Loaded, Session, Settings};
use cgdsl::value::notation::{Style, print, read};
use cgdsl::value::{CanonicalForm, Forms};
use value_support::*;

fn intern(forms: &Forms, g: &Game) -> CanonicalForm {
    let left: Vec<_> = g.left.iter().map(|x| intern(forms, x)).collect();
    let right: Vec<_> = g.right.iter().map(|x| intern(forms, x)).collect();
    forms.from_options(&left, &right).unwrap()
}

// The value of an expression, printed in ASCII.
fn value(text: &str) -> String {
    let world = Disk;
    let mut session = Session::new(&world, Settings::default());
    match session.value(&mut Loaded::default(), text, None) {
        Ok(valued) => valued.value,
        Err((all, _)) => panic!("{text}: {}", all[0].message),
    }
}

#[test]
fn every_printed_value_is_an_expression() {
    let forms = Forms::new();
    let mut rng = Rng(61);
    for i in 0..150 {
        let g = intern(&forms, &rng.game(2 + i % 2));
        for style in Style::ALL {
            let text = print(&forms, g, style);
            assert_eq!(value(&text), print(&forms, g, Style::Ascii), "{text}");
        }
    }
}

#[test]
fn powers_of_up_and_down() {
    for (text, shown) in [
        ("v[2]", "v[2]"),
        ("v[2]*", "v[2]*"),
        ("v<2>", "v<2>"),
        ("v<3>*2", "v<3>*2"),
        ("-^<2>", "v<2>"),
        ("{0|v[2]*}", "^<3>"),
        ("↓²", "v<2>"),
        ("↓^[2]∗", "v[2]*"),
        ("pow(^, 3)", "^<3>"),
        ("Pow(v, 3)", "v<3>"),
        ("PowTo(^, 2)", "^[2]"),
        ("^.Pow(2)", "^<2>"),
        ("1v[2] - 1", "v[2]"),
        (r"\uparrow^{[2]}", "^[2]"),
        ("companion(^)", "^*"),
    ] {
        let forms = Forms::new();
        let expected = read(&forms, shown).unwrap_or_else(|e| panic!("{shown}: {e}"));
        assert_eq!(value(text), print(&forms, expected, Style::Ascii), "{text}");
    }
}

// Ordinal sums take the forms that are written: both bases are 0.
#[test]
fn ordinal_sums_take_forms_as_written() {
    for (text, shown) in [
        ("{-1|1} : 1", "1/2"),
        ("{|} : 1", "1"),
        ("0 : 1", "1"),
        ("* : *", "*2"),
        ("* : 1", "^*"),
        ("1 : -1", "1/2"),
        ("value({-1|1} : 1)", "1/2"),
        ("ordinal_sum({-1|1}, 1)", "1/2"),
        ("({-1|1} : 1) : 1", "3/4"),
    ] {
        assert_eq!(value(text), shown, "{text}");
    }
}
