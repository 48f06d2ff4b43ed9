//! The functions of games by name: canonical forms come in, what the function says of them comes out. The names are those of
//! the table of built-in functions; what they mean is in `value`.

use crate::base::Span;
use crate::ir::{Code as FaultCode, Fault, Int, Res, Val};
use crate::value::{
    CanonicalForm, ConfusionInterval, Form, Forms, Maybe, Nimber, Number, NumberUpStar,
    OutOfMemory, Uptimal,
};
use num_bigint::BigInt;
use num_traits::ToPrimitive;

/// An answer of the algebra.
#[derive(Clone, PartialEq, Debug)]
pub enum Reply {
    /// A game.
    Game(CanonicalForm),
    /// Anything that is no game.
    Plain(Val),
    /// A set of games.
    Games(Vec<CanonicalForm>),
    /// A text to be shown.
    Report(String),
}

/// An argument: a game, or an integer.
#[derive(Clone, PartialEq, Debug)]
pub enum Argument {
    /// A game.
    Game(CanonicalForm),
    /// An integer.
    Int(Int),
}

/// The arena is full.
pub fn memory(span: Span) -> impl Fn(OutOfMemory) -> Box<Fault> {
    move |_| super::fault::of_limit(crate::game::Limit::Memory, span)
}

fn refuse(span: Span, message: impl Into<String>) -> Box<Fault> {
    Fault::new(FaultCode::Host, span, message)
}

/// A number that no arena holds.
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

/// So many ups.
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
    // A power of two is in lowest terms with what `Number` leaves of the numerator.
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

/// `^<n>`, `^[n]` (negative: their negatives).
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

/// The function of that name; nothing if it is none of the algebra's.
pub fn apply(forms: &Forms, name: &str, arguments: &[Argument], span: Span) -> Option<Res<Reply>> {
    use Argument::{Game as G, Int as I};
    let m = memory(span);
    let full = |r: Result<CanonicalForm, OutOfMemory>| r.map(Reply::Game).map_err(&m);
    let num = |n: Number| number(forms, &n, span).map(Reply::Game);
    let yes = |b: bool| Ok(Reply::Plain(Val::Bool(b)));
    Some(match (name, arguments) {
        ("value" | "canonical", [G(g)]) => Ok(Reply::Game(*g)),
        ("outcome", [G(g)]) => forms
            .outcome(*g)
            .map(|o| Reply::Plain(Val::Outcome(outcome(o))))
            .map_err(&m),
        ("nimber", [G(g)]) => match forms.as_nimber(*g) {
            Some(n) => Ok(Reply::Plain(Val::Int(Int::from(n)))),
            None => Err(refuse(span, "the value is no nimber")
                .help("`value(G)` shows it; nimbers are *n, and 0 is *0")),
        },
        ("gset", [G(g)]) => gset(forms, *g, span),
        ("birthday", [G(g)]) => forms.birthday(*g).map(count).map_err(&m),
        ("followers", [G(g)]) => Form::from_canonical(forms, *g)
            .map(|f| count(f.number_of_followers().into()))
            .map_err(&m),
        ("stop_count", [G(g)]) => forms.stop_count(*g).map(count).map_err(&m),
        ("remote_star", [G(g)]) => forms.remote_star(*g).map(|n| count(n.into())).map_err(&m),
        ("atomic_weight", [G(g)]) => {
            maybe(forms.atomic_weight(*g), "atomic weight", span).map(Reply::Game)
        }
        ("companion", [G(g)]) => full(forms.companion(*g)),
        ("reduced", [G(g)]) => full(forms.reduced_canonical_form(*g)),
        ("uptimal", [G(g)]) => maybe(forms.uptimal_expansion(*g), "uptimal expansion", span)
            .map(|u| Reply::Report(uptimal(&u))),
        ("is_uptimal", [G(g)]) => forms.is_uptimal(*g).map_err(&m).and_then(yes),
        ("confusion_interval", [G(g)]) => forms
            .confusion_interval(*g)
            .map(|i| Reply::Report(interval(&i)))
            .map_err(&m),
        ("conway_product", [G(g), G(h)]) => {
            maybe(forms.multiply(*g, *h), "Conway product", span).map(Reply::Game)
        }
        ("norton", [G(g), G(u)]) => {
            maybe(forms.norton_product(*g, *u), "Norton product", span).map(Reply::Game)
        }
        ("heat", [G(g), G(t)]) => full(forms.heat(*g, *t)),
        ("cool", [G(g), G(t)]) => match forms.as_number(*t) {
            Some(t) => full(forms.cool(*g, &t)),
            None => Err(refuse(span, "a game is cooled by a number")),
        },
        ("chill", [G(g)]) => full(forms.chill(*g)),
        ("freeze", [G(g)]) => full(forms.freeze(*g)),
        ("overheat", [G(g), G(s), G(t)]) => full(forms.overheat(*g, *s, *t)),
        ("pow" | "Pow", [G(g), I(n)]) => power(forms, *g, n, false, span),
        ("pow_to" | "PowTo", [G(g), I(n)]) => power(forms, *g, n, true, span),
        ("is_infinitesimal", [G(g)]) => yes(forms.is_infinitesimal(*g)),
        ("is_all_small", [G(g)]) => yes(forms.is_all_small(*g)),
        ("is_even_tempered", [G(g)]) => forms.is_even_tempered(*g).map_err(&m).and_then(yes),
        ("is_odd_tempered", [G(g)]) => forms.is_odd_tempered(*g).map_err(&m).and_then(yes),
        ("is_numberish", [G(g)]) => yes(forms.left_stop(*g) == forms.right_stop(*g)),
        ("mean", [G(g)]) => forms.mean(*g).map_err(&m).and_then(num),
        ("temperature", [G(g)]) => forms.temperature(*g).map_err(&m).and_then(num),
        ("thermograph", [G(g)]) => forms
            .thermograph(*g)
            .map(|t| Reply::Report(t.to_text()))
            .map_err(&m),
        ("left_stop", [G(g)]) => num(forms.left_stop(*g)),
        ("right_stop", [G(g)]) => num(forms.right_stop(*g)),
        ("confused", [G(g), G(h)]) => forms
            .compare(*g, *h)
            .map_err(&m)
            .and_then(|o| yes(o.is_none())),
        ("Tiny", [G(g)]) => full(forms.tiny(*g)),
        ("Miny", [G(g)]) => full(forms.miny(*g)),
        ("left_options", [G(g)]) => forms.left_options(*g).map(Reply::Games).map_err(&m),
        ("right_options", [G(g)]) => forms.right_options(*g).map(Reply::Games).map_err(&m),
        ("left_incentives", [G(g)]) => forms.left_incentives(*g).map(Reply::Games).map_err(&m),
        ("right_incentives", [G(g)]) => forms.right_incentives(*g).map(Reply::Games).map_err(&m),
        ("incentives", [G(g)]) => forms.incentives(*g).map(Reply::Games).map_err(&m),
        ("nim_sum", [I(a), I(b)]) => nimbers(a, b, span).and_then(|(a, b)| natural(a.add(b))),
        ("nim_product", [I(a), I(b)]) => {
            nimbers(a, b, span).and_then(|(a, b)| natural(a.multiply(b)))
        }
        ("nim_quotient", [I(a), I(b)]) => {
            nimbers(a, b, span).and_then(|(a, b)| match a.divide(b) {
                Some(n) => natural(n),
                None => Err(refuse(span, "no nimber is divided by 0")),
            })
        }
        ("nim_power", [I(a), I(b)]) => nimbers(a, b, span).and_then(|(a, b)| natural(a.power(b.0))),
        ("is_number", [G(g)]) => yes(forms.is_number(*g)),
        ("is_integer", [G(g)]) => yes(forms.as_integer(*g).is_some()),
        ("is_nimber", [G(g)]) => yes(forms.as_nimber(*g).is_some()),
        _ => return None,
    })
}

/// An outcome of the algebra as one of the language.
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

fn natural(n: Nimber) -> Res<Reply> {
    Ok(Reply::Plain(Val::Int(Int::from(BigInt::from(n.0)))))
}

fn nimbers(a: &Int, b: &Int, span: Span) -> Res<(Nimber, Nimber)> {
    let read = |n: &Int| {
        u64::try_from(n.to_big()).map(Nimber).map_err(|_| {
            refuse(
                span,
                format!("nimbers here are naturals below 2^64, not {n}"),
            )
        })
    };
    Ok((read(a)?, read(b)?))
}

/// A g-set with more members is not written down.
const MOST_NAMED: u32 = 1 << 20;

fn gset(forms: &Forms, g: CanonicalForm, span: Span) -> Res<Reply> {
    let n = forms
        .as_nimber(g)
        .ok_or_else(|| refuse(span, "the value is no nimber"))?;
    if n > MOST_NAMED {
        return Err(refuse(
            span,
            format!("a set of {n} integers is too large to be written down"),
        )
        .help("`nimber(G)` is its size"));
    }
    Ok(Reply::Plain(Val::set(
        (0..n).map(|k| Val::Int(Int::from(k))).collect(),
    )))
}

fn count(n: BigInt) -> Reply {
    Reply::Plain(Val::Int(Int::from(n)))
}

/// What may not exist, for a stated reason.
fn maybe<T>(found: Maybe<T>, what: &str, span: Span) -> Res<T> {
    match found.map_err(memory(span))? {
        Ok(t) => Ok(t),
        Err(reason) => Err(refuse(span, format!("there is no {what} here: {reason}"))),
    }
}

/// The powers of up, and of down their negatives.
fn power(forms: &Forms, g: CanonicalForm, n: &Int, to: bool, span: Span) -> Res<Reply> {
    let down = g == CanonicalForm::DOWN;
    if !down && g != CanonicalForm::UP {
        return Err(refuse(span, "powers are defined of ^ and v alone")
            .help("up-second is pow(^, 2), and ^<2> for short"));
    }
    let n = small(n, "the order of an up", 4096, span)?;
    let order = BigInt::from(if down { -i64::from(n) } else { i64::from(n) });
    up_power(forms, &order, to, span).map(Reply::Game)
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

/// `(-1, 3)`, square brackets where the end belongs to it.
pub(super) fn interval(i: &ConfusionInterval) -> String {
    if i.is_empty() {
        return "no number".to_owned();
    }
    let open = if i.low_included { '[' } else { '(' };
    let close = if i.high_included { ']' } else { ')' };
    format!("{open}{}, {}{close}", i.low, i.high)
}
