//! Printing of values: names where they exist, slashes instead of nested braces.
//!
//! The shapes of all followers are found from the bottom up; then the text is written from the top down with an explicit
//! stack. Options are written in structural order, so the text does not depend on the history of the arena.

use rustc_hash::FxHashMap;

use super::super::forms::{CanonicalForm, Forms};
use super::super::number_up_star::NumberUpStar;
use super::Style;
use super::name::{Shape, shape};

/// A longer text is cut off and ends with an ellipsis, which [`read`](super::read) refuses.
pub const MAX_PRINTED: usize = 1 << 20;

// What is still to be written; the next piece is at the end.
enum Piece {
    Text(&'static str),
    Form(CanonicalForm),
    // The options and bar of a form in slashes, without braces.
    Inner(CanonicalForm),
    List(Vec<CanonicalForm>),
}

/// The text of a value. It is an ellipsis if the arena has no room to write out the options.
pub fn print(forms: &Forms, g: CanonicalForm, style: Style) -> String {
    let mut shapes: FxHashMap<CanonicalForm, Shape> = FxHashMap::default();
    let Ok(followers) = forms.general_followers(g) else {
        return "…".to_owned();
    };
    for f in followers {
        let found = shape(forms, f, &|h| shapes.get(&h).cloned());
        shapes.insert(f, found);
    }
    let mut text = String::new();
    let mut stack = vec![Piece::Form(g)];
    while let Some(piece) = stack.pop() {
        if text.len() > MAX_PRINTED {
            text.push('…');
            break;
        }
        match piece {
            Piece::Text(t) => text.push_str(t),
            Piece::Form(f) => form(forms, f, style, &shapes, &mut text, &mut stack),
            Piece::Inner(f) => inner(forms, f, style, &shapes, &mut stack),
            Piece::List(list) => {
                let mut sorted = list;
                forms.sort_structurally(&mut sorted);
                for (i, f) in sorted.into_iter().rev().enumerate() {
                    if i > 0 {
                        stack.push(Piece::Text(","));
                    }
                    stack.push(Piece::Form(f));
                }
            }
        }
    }
    text
}

fn braces(style: Style) -> (&'static str, &'static str) {
    match style {
        Style::Latex => (r"\{", r"\}"),
        _ => ("{", "}"),
    }
}

fn form(
    forms: &Forms,
    g: CanonicalForm,
    style: Style,
    shapes: &FxHashMap<CanonicalForm, Shape>,
    text: &mut String,
    stack: &mut Vec<Piece>,
) {
    if let Some(value) = forms.as_number_up_star(g) {
        closed(&value, style, text);
        return;
    }
    let Some(shape) = shapes.get(&g) else {
        return;
    };
    let (open, close) = braces(style);
    match shape {
        Shape::Tiny(x) => subscript(forms, *x, true, style, text),
        Shape::Miny(x) => subscript(forms, *x, false, style, text),
        Shape::PowerTo(n) => power(*n, true, style, text),
        Shape::PowerToStar(n) => {
            power(*n, true, style, text);
            text.push_str(match style {
                Style::Ascii => "*",
                Style::Unicode => "∗",
                Style::Latex => r"\ast",
            });
        }
        Shape::Power(n) => power(*n, false, style, text),
        Shape::Slashes(_) => {
            text.push_str(open);
            stack.push(Piece::Text(close));
            stack.push(Piece::Inner(g));
        }
        Shape::Switch(options) => {
            text.push_str(match style {
                Style::Ascii => "+-",
                Style::Unicode => "±",
                Style::Latex => r"\pm ",
            });
            match options[..] {
                [only] => {
                    let sum = style != Style::Ascii
                        && forms.as_number_up_star(only).is_some_and(|v| parts(&v) > 1);
                    if sum {
                        text.push('(');
                        stack.push(Piece::Text(")"));
                    }
                    let negative = forms
                        .as_number_up_star(only)
                        .is_some_and(|v| v.number.signum() < 0);
                    if negative && !sum {
                        // `+--1` would be hard to read.
                        text.push('(');
                        stack.push(Piece::Text(")"));
                    }
                    stack.push(Piece::Form(only));
                }
                _ => {
                    text.push_str(open);
                    stack.push(Piece::Text(close));
                    stack.push(Piece::List(options.clone()));
                }
            }
        }
    }
}

fn inner(
    forms: &Forms,
    g: CanonicalForm,
    style: Style,
    shapes: &FxHashMap<CanonicalForm, Shape>,
    stack: &mut Vec<Piece>,
) {
    let strokes = match shapes.get(&g) {
        Some(Shape::Slashes(n)) => *n,
        _ => 1,
    };
    // Cannot fail: they were expanded when the followers were listed.
    let (left, right) = forms.options_of(g).unwrap_or_default();
    let side = |options: &[CanonicalForm]| match options {
        [only] => match shapes.get(only) {
            Some(Shape::Slashes(n)) if *n < strokes => Piece::Inner(*only),
            _ => Piece::Form(*only),
        },
        _ => Piece::List(options.to_vec()),
    };
    stack.push(side(&right));
    stack.push(Piece::Text(match (style, strokes) {
        (Style::Latex, 1) => r"\mid ",
        (Style::Latex, 2) => r"\,\|\,",
        (Style::Latex, 3) => r"\mid\mid\mid ",
        (Style::Latex, 4) => r"\mid\mid\mid\mid ",
        (Style::Unicode, 2) => "‖",
        (_, 1) => "|",
        (_, 2) => "||",
        (_, 3) => "|||",
        (_, 4) => "||||",
        _ => "|||||",
    }));
    stack.push(side(&left));
}

// How many of the three parts (number, ups, nimber) are nonzero.
fn parts(value: &NumberUpStar) -> usize {
    usize::from(!value.number.is_zero())
        + usize::from(value.ups != 0)
        + usize::from(value.nimber != 0)
}

fn number(value: &NumberUpStar, style: Style, text: &mut String) {
    let x = &value.number;
    if style != Style::Latex || x.is_integer() {
        text.push_str(&x.to_string());
        return;
    }
    let plain = x.abs().to_string();
    let Some((numerator, denominator)) = plain.split_once('/') else {
        return;
    };
    if x.signum() < 0 {
        text.push('-');
    }
    if numerator.len() == 1 && denominator.len() == 1 {
        text.push_str(&format!(r"\frac{numerator}{denominator}"));
    } else {
        text.push_str(&format!(r"\frac{{{numerator}}}{{{denominator}}}"));
    }
}

/// Writes a number plus ups plus a nimber.
pub(super) fn closed(value: &NumberUpStar, style: Style, text: &mut String) {
    if !value.number.is_zero() || value.is_number() {
        number(value, style, text);
    }
    let (k, m) = (value.ups, value.nimber);
    if style == Style::Ascii {
        match k {
            0 => {}
            1 => text.push('^'),
            2 => text.push_str("^^"),
            -1 => text.push('v'),
            -2 => text.push_str("vv"),
            _ => text.push_str(&format!(
                "{}{}",
                if k > 0 { '^' } else { 'v' },
                k.unsigned_abs()
            )),
        }
        match m {
            0 => {}
            1 => text.push('*'),
            _ => text.push_str(&format!("*{m}")),
        }
        return;
    }
    let plus = |text: &mut String| {
        if !text.is_empty() && !value.number.is_zero() {
            text.push('+');
        }
    };
    if k != 0 {
        plus(text);
    }
    let unicode = style == Style::Unicode;
    match (k, unicode) {
        (0, _) => {}
        (1, true) => text.push('↑'),
        (2, true) => text.push('⇑'),
        (-1, true) => text.push('↓'),
        (-2, true) => text.push('⇓'),
        (1, false) => text.push_str(r"\uparrow"),
        (2, false) => text.push_str(r"\Uparrow"),
        (-1, false) => text.push_str(r"\downarrow"),
        (-2, false) => text.push_str(r"\Downarrow"),
        (k, true) => {
            let arrow = if k > 0 { '↑' } else { '↓' };
            text.push_str(&format!("{}·{arrow}", k.unsigned_abs()));
        }
        (k, false) => {
            let arrow = if k > 0 { r"\uparrow" } else { r"\downarrow" };
            text.push_str(&format!(r"{}\cdot{arrow}", k.unsigned_abs()));
        }
    }
    if m != 0 {
        match k.unsigned_abs() {
            0 => plus(text),
            1 | 2 => {}
            _ => text.push('+'),
        }
        text.push_str(if unicode { "∗" } else { r"\ast" });
        if m > 1 {
            if !unicode {
                text.push(' ');
            }
            text.push_str(&m.to_string());
        }
    }
}

fn subscript(forms: &Forms, x: CanonicalForm, tiny: bool, style: Style, text: &mut String) {
    let Some(value) = forms.as_number_up_star(x) else {
        return;
    };
    let mut inner = String::new();
    closed(&value, style, &mut inner);
    let simple = value.is_number() && value.number.signum() >= 0;
    match (style, simple) {
        (Style::Ascii, _) => {
            let name = if tiny { "Tiny" } else { "Miny" };
            text.push_str(&format!("{name}({inner})"));
        }
        (Style::Unicode, true) => {
            text.push_str(&format!("{}_{inner}", if tiny { '⧾' } else { '⧿' }))
        }
        (Style::Unicode, false) => {
            text.push_str(&format!("{}_({inner})", if tiny { '⧾' } else { '⧿' }));
        }
        (Style::Latex, _) => {
            text.push_str(&format!("{}_{{{inner}}}", if tiny { '+' } else { '-' }))
        }
    }
}

fn power(n: i64, to: bool, style: Style, text: &mut String) {
    let magnitude = n.unsigned_abs();
    match style {
        Style::Ascii => {
            let arrow = if n > 0 { '^' } else { 'v' };
            text.push_str(&if to {
                format!("{arrow}[{magnitude}]")
            } else {
                format!("{arrow}<{magnitude}>")
            });
        }
        Style::Unicode => {
            text.push(if n > 0 { '↑' } else { '↓' });
            if to {
                text.push_str(&format!("^[{magnitude}]"));
            } else {
                let digits: Vec<char> = "⁰¹²³⁴⁵⁶⁷⁸⁹".chars().collect();
                text.extend(
                    magnitude
                        .to_string()
                        .bytes()
                        .map(|b| digits[usize::from(b - b'0').min(9)]),
                );
            }
        }
        Style::Latex => {
            text.push_str(if n > 0 { r"\uparrow" } else { r"\downarrow" });
            text.push_str(&if to {
                format!("^{{[{magnitude}]}}")
            } else {
                format!("^{{{magnitude}}}")
            });
        }
    }
}
