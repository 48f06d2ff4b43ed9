//! Helpers of the functions of games: numbers, ups, nimbers and sets of them as values of the language, and the texts of
//! expansions and intervals. Their mathematics is in `value`.

use crate::base::Span;
use crate::ir::{Code as FaultCode, Fault, Int, Res, Val};
use crate::model::typed::GameFunction;
use crate::value::{
    CanonicalForm, ConfusionInterval, Forms, Maybe, Nimber, Number, NumberUpStar, OutOfMemory,
    Uptimal,
};
use num_bigint::BigInt;
use num_traits::ToPrimitive;

/// Converts the error of a full arena.
pub fn memory(span: Span) -> impl Fn(OutOfMemory) -> Box<Fault> {
    move |_| super::fault::of_limit(crate::game::Limit::Memory, span)
}

fn refuse(span: Span, message: impl Into<String>) -> Box<Fault> {
    Fault::new(FaultCode::Host, span, message)
}

/// The refusal of a number beyond the bounds of every arena.
fn too_long(span: Span) -> Box<Fault> {
    let most = Number::MAX_BITS;
    Fault::new(
        FaultCode::TooMuch,
        span,
        format!("a number of more than {most} bits above or below its bar: the answer is unknown"),
    )
}

/// A number as a game.
pub fn number(forms: &Forms, n: &Number, span: Span) -> Res<CanonicalForm> {
    if !n.is_bounded() {
        return Err(too_long(span));
    }
    forms.number(n).map_err(memory(span))
}

/// The multiple `n` of up.
pub fn ups(forms: &Forms, n: &BigInt, span: Span) -> Res<CanonicalForm> {
    let Some(ups) = n.to_i64() else {
        let message = format!(
            "a multiple of up beyond {}: the answer is unknown",
            i64::MAX
        );
        return Err(Fault::new(FaultCode::TooMuch, span, message));
    };
    let value = NumberUpStar {
        number: Number::ZERO,
        ups,
        nimber: 0,
    };
    forms.number_up_star(&value).map_err(memory(span))
}

/// An integer as a game.
pub fn integer(forms: &Forms, n: &Int, span: Span) -> Res<CanonicalForm> {
    number(forms, &Number::from_big(n.to_big(), 0), span)
}

/// a/b as a game, if b is a power of two.
pub fn fraction(forms: &Forms, a: &Int, b: &Int, span: Span) -> Res<CanonicalForm> {
    let (mut a, mut b) = (a.to_big(), b.to_big());
    if a.bits().max(b.bits()) > 2 * u64::from(Number::MAX_BITS) {
        return Err(too_long(span));
    }
    let zero = BigInt::from(0);
    if b == zero {
        return Err(refuse(span, "a fraction over 0"));
    }
    if b < zero {
        (a, b) = (-a, -b);
    }
    // If b is a power of two, `Number` reduces the fraction.
    if b.trailing_zeros().unwrap_or(0) + 1 != b.bits() {
        let common = num_integer::Integer::gcd(&a, &b);
        (a, b) = (a / &common, b / &common);
    }
    let exponent = b.trailing_zeros().unwrap_or(0);
    if exponent + 1 != b.bits() {
        return Err(refuse(
            span,
            format!("{a}/{b} is not dyadic: no short game has this value"),
        )
        .help("numbers are m/2^k"));
    }
    let exponent = u32::try_from(exponent).map_err(|_| refuse(span, "this number is too long"))?;
    number(forms, &Number::from_big(a, exponent), span)
}

fn small(n: &Int, what: &str, most: i64, span: Span) -> Res<u32> {
    n.to_i64()
        .filter(|k| (0..=most).contains(k))
        .and_then(|k| u32::try_from(k).ok())
        .ok_or_else(|| refuse(span, format!("{what} goes from 0 to {most}, not to {n}")))
}

/// `*n`
pub fn star(forms: &Forms, n: &Int, span: Span) -> Res<CanonicalForm> {
    let n = small(n, "the n of *n", i64::from(u32::MAX), span)?;
    forms.nimber(n).map_err(memory(span))
}

/// `^<n>`, or `^[n]` if `to`; for negative n, the negative of that of -n.
pub fn up_power(forms: &Forms, n: &BigInt, to: bool, span: Span) -> Res<CanonicalForm> {
    let negative = *n < BigInt::from(0);
    let magnitude = Int::from(if negative { -n.clone() } else { n.clone() });
    let k = small(&magnitude, "the order of an up", 4096, span)?;
    let g = if to {
        forms.up_to(k)
    } else {
        forms.up_power_of(k)
    }
    .map_err(memory(span))?;
    if negative {
        forms.negate(g).map_err(memory(span))
    } else {
        Ok(g)
    }
}

/// Converts an outcome of the algebra to one of the language.
#[must_use]
pub fn outcome(o: crate::value::Outcome) -> crate::ir::Outcome {
    use crate::ir::Outcome as O;
    match o {
        crate::value::Outcome::Left => O::L,
        crate::value::Outcome::Right => O::R,
        crate::value::Outcome::Next => O::N,
        crate::value::Outcome::Previous => O::P,
    }
}

/// Operations of the field of nimbers.
pub(super) fn nimbers(f: GameFunction, a: &Int, b: &Int, span: Span) -> Res<Val> {
    let read = |n: &Int| {
        u64::try_from(n.to_big()).map(Nimber).map_err(|_| {
            refuse(
                span,
                format!("nimbers here are naturals below 2^64, not {n}"),
            )
        })
    };
    let (a, b) = (read(a)?, read(b)?);
    let found = match f {
        GameFunction::NimProduct => a.multiply(b),
        GameFunction::NimQuotient => match a.divide(b) {
            Some(n) => n,
            None => return Err(refuse(span, "no nimber is divided by 0")),
        },
        GameFunction::NimPower => a.power(b.0),
        _ => a.add(b),
    };
    Ok(Val::Int(Int::from(BigInt::from(found.0))))
}

/// The most members of a g-set that is written out.
const MOST_NAMED: u32 = 1 << 20;

/// The g-set of a nimber: all smaller nimbers.
pub(super) fn gset(forms: &Forms, g: CanonicalForm, span: Span) -> Res<Val> {
    let n = forms
        .as_nimber(g)
        .ok_or_else(|| refuse(span, "the value is not a nimber"))?;
    if n > MOST_NAMED {
        return Err(refuse(
            span,
            format!("a set of {n} integers is too large to be written down"),
        )
        .help("`nimber(G)` is its size"));
    }
    Ok(Val::set((0..n).map(|k| Val::Int(Int::from(k))).collect()))
}

/// A result that may not exist, for a stated reason.
pub(super) fn maybe<T>(found: Maybe<T>, what: &str, span: Span) -> Res<T> {
    match found.map_err(memory(span))? {
        Ok(t) => Ok(t),
        Err(reason) => Err(refuse(span, format!("there is no {what} here: {reason}"))),
    }
}

/// Powers of up; those of down are their negatives.
pub(super) fn power(
    forms: &Forms,
    g: CanonicalForm,
    n: &Int,
    to: bool,
    span: Span,
) -> Res<CanonicalForm> {
    let down = g == CanonicalForm::DOWN;
    if !down && g != CanonicalForm::UP {
        return Err(refuse(span, "powers are defined of ^ and v alone")
            .help("up-second is pow(^, 2), and ^<2> for short"));
    }
    let n = small(n, "the order of an up", 4096, span)?;
    let order = BigInt::from(if down { -i64::from(n) } else { i64::from(n) });
    up_power(forms, &order, to, span)
}

/// `1 + 2.^<1> - ^<2> + *3`
pub(super) fn uptimal(u: &Uptimal) -> String {
    let mut text = if u.number.is_zero() {
        String::new()
    } else {
        u.number.to_string()
    };
    let mut term = |negative: bool, term: String| {
        text.push_str(match (text.is_empty(), negative) {
            (true, false) => "",
            (true, true) => "-",
            (false, false) => " + ",
            (false, true) => " - ",
        });
        text.push_str(&term);
    };
    for (n, k) in (1..).zip(&u.powers) {
        match k.unsigned_abs() {
            0 => {}
            1 => term(*k < 0, format!("^<{n}>")),
            m => term(*k < 0, format!("{m}.^<{n}>")),
        }
    }
    match u.nimber {
        0 => {}
        1 => term(false, "*".to_owned()),
        m => term(false, format!("*{m}")),
    }
    if text.is_empty() {
        "0".to_owned()
    } else {
        text
    }
}

/// `(-1, 3)`, with square brackets where the endpoint belongs to the interval.
pub(super) fn interval(i: &ConfusionInterval) -> String {
    if i.is_empty() {
        return "no number".to_owned();
    }
    let open = if i.low_included { '[' } else { '(' };
    let close = if i.high_included { ']' } else { ')' };
    format!("{open}{}, {}{close}", i.low, i.high)
}
