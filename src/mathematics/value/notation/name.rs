//! The names of canonical forms, recognized from their shapes.

use super::super::forms::{CanonicalForm, Forms};

/// How a general form is written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Shape {
    /// `{0||0|-x}`, with x given.
    Tiny(CanonicalForm),
    /// `{x|0||0}`, with x given.
    Miny(CanonicalForm),
    /// Up to the n-th, or its negative for a negative n.
    PowerTo(i64),
    /// Up to the n-th plus star, or its negative.
    PowerToStar(i64),
    /// Up-n-th, or its negative.
    Power(i64),
    /// Plus or minus these games: Right's options are the negatives of Left's.
    Switch(Vec<CanonicalForm>),
    /// Braces with a bar of this many strokes.
    Slashes(u32),
}

/// The longest bar that is written; beyond it, braces are nested.
pub(super) const MAX_STROKES: u32 = 4;

/// The shape of a general form, given the shapes of its general followers.
pub(super) fn shape(
    forms: &Forms,
    g: CanonicalForm,
    known: &dyn Fn(CanonicalForm) -> Option<Shape>,
) -> Shape {
    // Cannot fail: they were expanded when the followers were listed.
    let (left, right) = forms.options_of(g).unwrap_or_default();
    if let Some(named) = named(forms, &left, &right, known) {
        return named;
    }
    let strokes = |side: &[CanonicalForm]| match side {
        [only] if only.is_general() => match known(*only) {
            Some(Shape::Slashes(n)) if n < MAX_STROKES => n,
            _ => 0,
        },
        _ => 0,
    };
    Shape::Slashes(1 + strokes(&left).max(strokes(&right)))
}

fn named(
    forms: &Forms,
    left: &[CanonicalForm],
    right: &[CanonicalForm],
    known: &dyn Fn(CanonicalForm) -> Option<Shape>,
) -> Option<Shape> {
    const ZERO: [CanonicalForm; 1] = [CanonicalForm::ZERO];
    const STAR: [CanonicalForm; 1] = [CanonicalForm::STAR];
    if let ([l], [r]) = (left, right) {
        if left == ZERO
            && r.is_general()
            && let Ok((a, b)) = forms.options_of(*r)
            && let [y] = b[..]
            && a == ZERO
            && y.is_number_up_star()
            && let Ok(x) = forms.negate(y)
        {
            return Some(Shape::Tiny(x));
        }
        if right == ZERO
            && l.is_general()
            && let Ok((a, b)) = forms.options_of(*l)
            && let [x] = a[..]
            && b == ZERO
            && x.is_number_up_star()
        {
            return Some(Shape::Miny(x));
        }
        if right == STAR {
            match known(*l) {
                _ if *l == CanonicalForm::UP => return Some(Shape::PowerTo(2)),
                Some(Shape::PowerTo(n)) if n > 0 => return Some(Shape::PowerTo(n + 1)),
                _ => {}
            }
        }
        if left == STAR {
            match known(*r) {
                _ if *r == CanonicalForm::DOWN => return Some(Shape::PowerTo(-2)),
                Some(Shape::PowerTo(n)) if n < 0 => return Some(Shape::PowerTo(n - 1)),
                _ => {}
            }
        }
        // Up-n-th is {0 | down to the (n-1)-th, plus star}.
        if left == ZERO
            && let Some(n) = power_to_plus_star(forms, *r, -1)
        {
            return Some(Shape::Power(n + 1));
        }
        if right == ZERO
            && let Some(n) = power_to_plus_star(forms, *l, 1)
        {
            return Some(Shape::Power(-n - 1));
        }
    }
    // Up to the n-th plus star is {0, up to the (n-1)-th plus star | 0}.
    let other = |side: &[CanonicalForm], sign: i64| match side {
        [a, b] if *a == CanonicalForm::ZERO => star_and_power(forms, *b, sign, known),
        [a, b] if *b == CanonicalForm::ZERO => star_and_power(forms, *a, sign, known),
        _ => None,
    };
    if right == ZERO
        && let Some(n) = other(left, 1)
    {
        return Some(Shape::PowerToStar(n + 1));
    }
    if left == ZERO
        && let Some(n) = other(right, -1)
    {
        return Some(Shape::PowerToStar(-n - 1));
    }
    switch(forms, left, right)
}

// The n >= 1 for which g is up to the n-th plus star; for sign -1, its negative.
fn star_and_power(
    forms: &Forms,
    g: CanonicalForm,
    sign: i64,
    known: &dyn Fn(CanonicalForm) -> Option<Shape>,
) -> Option<i64> {
    if let Some(v) = forms.as_number_up_star(g) {
        return (v.number.is_zero() && v.nimber == 1 && v.ups == sign).then_some(1);
    }
    match known(g) {
        Some(Shape::PowerToStar(n)) if n * sign > 0 => Some(n.abs()),
        _ => None,
    }
}

// The n for which g is up to the n-th plus star, found by adding star; for sign -1, its negative.
fn power_to_plus_star(forms: &Forms, g: CanonicalForm, sign: i64) -> Option<i64> {
    let zero = CanonicalForm::ZERO;
    if forms.left_stop_handle(g) != zero || forms.right_stop_handle(g) != zero {
        return None;
    }
    let mut rest = forms.add(g, CanonicalForm::STAR).ok()?;
    let mut n = 1;
    while rest.is_general() {
        let (left, right) = forms.options_of(rest).ok()?;
        let (going, star) = if sign > 0 {
            (left, right)
        } else {
            (right, left)
        };
        match (&going[..], &star[..]) {
            ([next], [s]) if *s == CanonicalForm::STAR => rest = *next,
            _ => return None,
        }
        n += 1;
    }
    let end = if sign > 0 {
        CanonicalForm::UP
    } else {
        CanonicalForm::DOWN
    };
    (rest == end).then_some(n)
}

fn switch(forms: &Forms, left: &[CanonicalForm], right: &[CanonicalForm]) -> Option<Shape> {
    if left.len() != right.len() {
        return None;
    }
    // A switch of a switch is clearer in braces. The stops rule out most forms that are not switches.
    for g in left {
        let stop = forms.negate(forms.right_stop_handle(*g)).ok()?;
        if !right.iter().any(|h| forms.left_stop_handle(*h) == stop) {
            return None;
        }
    }
    for g in left {
        let negative = forms.negate(*g).ok()?;
        if negative == *g || !right.contains(&negative) {
            return None;
        }
    }
    Some(Shape::Switch(left.to_vec()))
}
