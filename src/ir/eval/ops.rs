//! The operators on values: integers, cells and directions, sets, lists, boards. They need neither a position nor
//! variables; the grounder uses them, too.

use super::internal;
use crate::base::Span;
use crate::board::{Board, combine};
use crate::fault::{Code, Fault, Res};
use crate::int::{Int, IntFault};
use crate::model::typed::{Fold, Op};
use crate::val::Val;
use std::sync::Arc;

/// The fault for an error of integer arithmetic.
#[must_use]
pub fn arithmetic(f: IntFault, span: Span) -> Box<Fault> {
    Fault::new(
        if f == IntFault::TooLarge {
            Code::TooMuch
        } else {
            Code::Arithmetic
        },
        span,
        match f {
            IntFault::DivisionByZero => "division by zero",
            IntFault::NegativeExponent => "a negative exponent: the integer side has no fractions",
            IntFault::TooLarge => "an integer of more than a million bits",
            IntFault::Negative => "a function of naturals got a negative number",
        },
    )
}

fn int(r: Result<Int, IntFault>, span: Span) -> Res<Val> {
    r.map(Val::Int).map_err(|f| arithmetic(f, span))
}

/// The cell `dr` rows below and `dc` columns to the right of a cell.
fn step(cell: &Val, dr: i64, dc: i64) -> Option<Val> {
    let shift = |n: &Int, d: i64| n.add(&Int::Small(d)).ok().map(Val::Int);
    match cell {
        Val::Int(n) if dr == 0 => shift(n, dc),
        // Above or below a strip: off the board.
        Val::Int(n) => Some(Val::tuple(vec![Val::int(1 + dr), shift(n, dc)?])),
        Val::Cell(i, j) => Some(Val::tuple(vec![
            Val::int(i64::from(*i) + dr),
            Val::int(i64::from(*j) + dc),
        ])),
        Val::Tuple(parts) => match &parts[..] {
            [Val::Int(i), Val::Int(j)] => Some(Val::tuple(vec![shift(i, dr)?, shift(j, dc)?])),
            _ => None,
        },
        _ => None,
    }
}

/// Applies an operator to two values, except `And`, `Or`, `Owns`, `Range` and `Place`, which need more than values.
///
/// # Errors
/// Arithmetic faults; boards that do not fit; unchecked sorts.
pub fn binary(op: Op, a: &Val, b: &Val, span: Span) -> Res<Val> {
    let wrong = || internal(span, "an operator on values that it is not for");
    match (op, a, b) {
        (Op::Is, a, b) => Ok(Val::Bool(a == b)),
        (Op::IsNot, a, b) => Ok(Val::Bool(a != b)),
        (Op::Less, Val::Int(a), Val::Int(b)) => Ok(Val::Bool(a < b)),
        (Op::LessEqual, Val::Int(a), Val::Int(b)) => Ok(Val::Bool(a <= b)),
        (Op::Greater, Val::Int(a), Val::Int(b)) => Ok(Val::Bool(a > b)),
        (Op::GreaterEqual, Val::Int(a), Val::Int(b)) => Ok(Val::Bool(a >= b)),
        (Op::In, a, Val::Set(b)) => Ok(Val::Bool(b.binary_search(a).is_ok())),
        (Op::In, a, Val::List(b)) => Ok(Val::Bool(b.contains(a))),
        (Op::Add, Val::Int(a), Val::Int(b)) => int(a.add(b), span),
        (Op::Subtract, Val::Int(a), Val::Int(b)) => int(a.sub(b), span),
        (Op::Multiply, Val::Int(a), Val::Int(b)) => int(a.mul(b), span),
        (Op::Div, Val::Int(a), Val::Int(b)) => int(a.div_floor(b), span),
        (Op::Mod, Val::Int(a), Val::Int(b)) => int(a.mod_floor(b), span),
        (Op::Power, Val::Int(a), Val::Int(b)) => int(a.pow(b), span),
        (Op::Add, Val::Direction(r, c), Val::Direction(s, d)) => {
            Ok(Val::Direction(r.saturating_add(*s), c.saturating_add(*d)))
        }
        (Op::Subtract, Val::Direction(r, c), Val::Direction(s, d)) => {
            Ok(Val::Direction(r.saturating_sub(*s), c.saturating_sub(*d)))
        }
        (Op::Add, cell, Val::Direction(r, c)) | (Op::Add, Val::Direction(r, c), cell) => {
            step(cell, i64::from(*r), i64::from(*c)).ok_or_else(wrong)
        }
        (Op::Subtract, cell, Val::Direction(r, c)) => {
            step(cell, -i64::from(*r), -i64::from(*c)).ok_or_else(wrong)
        }
        (Op::Multiply, Val::Int(k), Val::Direction(r, c))
        | (Op::Multiply, Val::Direction(r, c), Val::Int(k)) => {
            // Saturate: a step this large leaves the board in any case.
            let k = k
                .to_i64()
                .unwrap_or(if k.is_negative() { i64::MIN } else { i64::MAX });
            let by = |d: &i32| {
                let far = k.saturating_mul(i64::from(*d));
                i32::try_from(far.clamp(i64::from(i32::MIN), i64::from(i32::MAX))).unwrap_or(0)
            };
            Ok(Val::Direction(by(r), by(c)))
        }
        (Op::Add, Val::List(a), Val::List(b)) => {
            super::too_many_elements(a.len() + b.len(), span)?;
            Ok(Val::List(a.iter().chain(b.iter()).cloned().collect()))
        }
        (Op::Add, Val::Set(a), Val::Set(b)) => {
            super::too_many_elements(a.len() + b.len(), span)?;
            Ok(Val::set(a.iter().chain(b.iter()).cloned().collect()))
        }
        (Op::Subtract, Val::Set(a), Val::Set(b)) => {
            let rest = a.iter().filter(|x| b.binary_search(x).is_err());
            Ok(Val::Set(rest.cloned().collect()))
        }
        (Op::Add, Val::Board(a), Val::Board(b)) => {
            Ok(Val::Board(Arc::new(combine::beside(a, b, span)?)))
        }
        (Op::Multiply, Val::Int(n), Val::Board(b)) => copies(n, b, span),
        (Op::Over, Val::Board(a), Val::Board(b)) => {
            Ok(Val::Board(Arc::new(combine::over(a, b, span)?)))
        }
        (_, game @ Val::Game(_), _) | (_, _, game @ Val::Game(_)) => {
            Err(super::no_integer(game, span))
        }
        _ => Err(wrong()),
    }
}

/// `n * B`: n copies of a board side by side.
fn copies(n: &Int, board: &Board, span: Span) -> Res<Val> {
    let n = n.to_usize().ok_or_else(|| {
        Fault::new(
            Code::Argument,
            span,
            format!("{n} copies of a board: a small natural is expected"),
        )
    })?;
    Ok(Val::Board(Arc::new(combine::copies(n, board, span)?)))
}

/// `l[i]`, counted from 1; for a set of pairs, the value of the function at `i`.
///
/// # Errors
/// An index outside the list; a function without a unique value at `i`.
pub fn index(list: &Val, i: &Val, span: Span) -> Res<Val> {
    if let Val::Set(pairs) = list {
        return applied(pairs, i, span);
    }
    let Some(items) = list.elements() else {
        return Err(internal(span, "not a list"));
    };
    let Val::Int(n) = i else {
        return Err(super::no_integer(i, span));
    };
    let item = n.to_usize().and_then(|n| n.checked_sub(1));
    item.and_then(|n| items.get(n)).cloned().ok_or_else(|| {
        Fault::new(
            Code::NoElement,
            span,
            format!("there is no element {n}: the list has {}", items.len()),
        )
        .help("lists are indexed from 1")
    })
}

/// The value at `x` of a function given as a set of pairs.
fn applied(pairs: &[Val], x: &Val, span: Span) -> Res<Val> {
    let mut found = pairs
        .iter()
        .filter_map(Val::parts)
        .filter(|pair| pair.first() == Some(x))
        .filter_map(|mut pair| pair.pop());
    match (found.next(), found.next()) {
        (Some(value), None) => Ok(value),
        (None, _) => Err(Fault::new(
            Code::NoElement,
            span,
            match x {
                Val::Int(n) => format!("the function has no value at {n}"),
                _ => "the function has no value there".into(),
            },
        )),
        (Some(_), Some(_)) => Err(Fault::new(
            Code::NoElement,
            span,
            "these pairs are no function: there are several values there",
        )),
    }
}

/// A fold over the elements of a set or list.
///
/// # Errors
/// `min` or `max` of an empty collection; `xor` of negative numbers; a sum that is too large.
pub fn fold(fold: Fold, items: &[Val], span: Span) -> Res<Val> {
    if fold == Fold::Size {
        return Ok(Val::Int(Int::from(items.len())));
    }
    let int_of = |v| Val::as_int(v).ok_or_else(|| super::no_integer(v, span));
    let ints = items.iter().map(int_of).collect::<Res<Vec<&Int>>>()?;
    let nothing = |what| {
        Fault::new(
            Code::NoElement,
            span,
            format!("there is no {what} of nothing"),
        )
    };
    let over = |f: fn(&Int, &Int) -> Result<Int, IntFault>| {
        let sum = ints.iter().try_fold(Int::ZERO, |a, b| f(&a, b));
        int(sum, span)
    };
    match fold {
        Fold::Size => Ok(Val::Int(Int::from(items.len()))),
        Fold::Min => ints
            .iter()
            .min()
            .map(|n| Val::Int((*n).clone()))
            .ok_or_else(|| nothing("min")),
        Fold::Max => ints
            .iter()
            .max()
            .map(|n| Val::Int((*n).clone()))
            .ok_or_else(|| nothing("max")),
        Fold::Sum => over(Int::add),
        Fold::Xor => over(Int::xor),
        Fold::Mex => {
            let mut small = vec![false; ints.len() + 1];
            for n in ints.iter().filter_map(|n| n.to_usize()) {
                if let Some(s) = small.get_mut(n) {
                    *s = true;
                }
            }
            let mex = small.iter().position(|s| !s).unwrap_or(0);
            Ok(Val::Int(Int::from(mex)))
        }
    }
}
