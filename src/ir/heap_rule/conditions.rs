//! Splits a condition on a heap and the values chosen into cases, each given by linear constraints.

use super::linear::{Constraint, Linear, MAX_UNKNOWNS, Sign};
use super::{At, MOST_PAIRED, Reason, Walk, only_digits};
use crate::model::typed::{Expr, ExprKind, Op};
use crate::val::Val;

impl Walk<'_> {
    /// The cases in which a condition has the wanted truth value, each with its constraints. Cases may overlap.
    pub(super) fn truth(&mut self, e: &Expr, want: bool, at: &At) -> Result<Vec<At>, Reason> {
        if let Some(ways) = self.of_form(e, want, at) {
            return ways;
        }
        if let Some(Val::Bool(b)) = self.known(e, at) {
            return Ok(if b == want {
                vec![at.clone()]
            } else {
                Vec::new()
            });
        }
        if let ExprKind::Not(a) = &*e.kind {
            return self.truth(a, !want, at);
        }
        if let ExprKind::If(phi, a, b) = &*e.kind {
            let mut ways = Vec::new();
            for (side, holds) in [(a, true), (b, false)] {
                for at in self.truth(phi, holds, at)? {
                    ways.extend(self.truth(side, want, &at)?);
                }
            }
            return Ok(ways);
        }
        if let ExprKind::Binary(op, a, b) = &*e.kind {
            match (op, want) {
                (Op::And, true) | (Op::Or, false) => {
                    let mut ways = Vec::new();
                    for at in self.truth(a, want, at)? {
                        ways.extend(self.truth(b, want, &at)?);
                    }
                    return Ok(ways);
                }
                (Op::And, false) | (Op::Or, true) => {
                    let mut ways = self.truth(a, want, at)?;
                    ways.extend(self.truth(b, want, at)?);
                    return Ok(ways);
                }
                _ => {}
            }
        }
        match self.compared(e, want, at) {
            Err(why) => {
                let alone = self.of_heap_alone(e, want, at);
                let found = alone.or_else(|| self.of_heap_and_choice(e, want, at));
                found.unwrap_or(Err(why))
            }
            found => found,
        }
    }

    /// A condition on the heap alone, which a listing evaluates for each heap. `None` if it depends on more, or without a
    /// listing.
    fn of_heap_alone(&mut self, e: &Expr, want: bool, at: &At) -> Option<Result<Vec<At>, Reason>> {
        let slot = at.heap?;
        let arguments = self.instance.rules_arguments.len();
        let mut bare = at.clone();
        bare.frame.truncate(arguments);
        let bound = self.listing.as_ref()?.bound();
        let place = std::ptr::from_ref::<Expr>(e).addr();
        let known = self.listing.as_ref()?.test(place, want);
        let number = match known {
            Some(number) => number,
            None => {
                let mut holds = vec![false];
                for n in 1..=bound {
                    let Some(Val::Bool(b)) = self.evaluate(e, &bare, Some((slot, n))) else {
                        return None;
                    };
                    holds.push(b == want);
                }
                match self.listing.as_mut()?.add_test(place, want, &holds) {
                    Ok(number) => number,
                    Err(why) => return Some(Err(why)),
                }
            }
        };
        let mut at = at.clone();
        at.tests.push(number);
        Some(Ok(vec![at]))
    }

    /// A condition on the heap and chosen numbers, which a listing evaluates for each heap with these numbers. `None` if it
    /// depends on more, if there is no listing, or if that would be too much work.
    fn of_heap_and_choice(
        &mut self,
        e: &Expr,
        want: bool,
        at: &At,
    ) -> Option<Result<Vec<At>, Reason>> {
        let slot = at.heap?;
        let bound = self.listing.as_ref()?.bound();
        if bound > MOST_PAIRED {
            return None;
        }
        let mut ways: Vec<At> = Vec::new();
        let mut first = None;
        for n in 1..=bound + 1 {
            let asked = n <= bound
                && at
                    .constraints
                    .iter()
                    .all(|c| c.holds(n, &[0; MAX_UNKNOWNS]));
            let holds = match asked {
                true => match self.evaluate(e, at, Some((slot, n)))? {
                    Val::Bool(b) => b == want,
                    _ => return None,
                },
                false => false,
            };
            if holds {
                first = first.or(Some(n));
            } else if let Some(lo) = first.take() {
                let from = Constraint::atleast(Linear::n().minus(&Linear::of(lo)));
                let to = Constraint::atleast(Linear::of(n - 1).minus(&Linear::n()));
                ways.push(at.and(from).and(to));
            }
        }
        Some(Ok(ways))
    }

    /// A condition that compares linear forms, or reads a digit beyond the end of all codes.
    pub(super) fn compared(&self, e: &Expr, want: bool, at: &At) -> Result<Vec<At>, Reason> {
        let against = |a: &Expr, b: &Expr| -> Result<Linear, Reason> {
            Ok(self.form(a, at)?.minus(&self.form(b, at)?))
        };
        let one = |form: Linear, sign: Sign| Ok(vec![at.and(Constraint { form, sign })]);
        let less = |a: &Expr, b: &Expr| {
            let d = against(b, a)?;
            one(d.minus(&Linear::of(1)), Sign::AtLeast)
        };
        let not_more = |a: &Expr, b: &Expr| one(against(b, a)?, Sign::AtLeast);
        match &*e.kind {
            ExprKind::Binary(op, a, b) => match (op, want) {
                (Op::Is, true) | (Op::IsNot, false) if self.form(a, at).is_ok() => {
                    one(against(a, b)?, Sign::Zero)
                }
                (Op::Is, false) | (Op::IsNot, true) if self.form(a, at).is_ok() => {
                    one(against(a, b)?, Sign::NotZero)
                }
                (Op::In, _) if self.form(a, at).is_ok() => self.listed(a, b, want, at),
                (Op::Less, true) | (Op::GreaterEqual, false) => less(a, b),
                (Op::Greater, true) | (Op::LessEqual, false) => less(b, a),
                (Op::LessEqual, true) | (Op::Greater, false) => not_more(a, b),
                (Op::GreaterEqual, true) | (Op::Less, false) => not_more(b, a),
                _ => self.beyond_digits(e, want, at),
            },
            _ => self.beyond_digits(e, want, at),
        }
    }

    /// A condition that a number is (or is not) in a known set.
    pub(super) fn listed(
        &self,
        a: &Expr,
        set: &Expr,
        want: bool,
        at: &At,
    ) -> Result<Vec<At>, Reason> {
        let set = self.known(set, at);
        let Some(numbers) = set.as_ref().and_then(Val::elements) else {
            return Err("a condition asks for a set that depends on the heap".into());
        };
        let form = self.form(a, at)?;
        let mut ways = vec![at.clone()];
        if want {
            ways.clear();
        }
        for v in numbers {
            let Some(v) = v.as_int().and_then(crate::int::Int::to_i64) else {
                return Err("a number is too large".into());
            };
            let form = form.minus(&Linear::of(v));
            if want {
                let sign = Sign::Zero;
                ways.push(at.and(Constraint { form, sign }));
            } else {
                let sign = Sign::NotZero;
                ways[0].constraints.push(Constraint { form, sign });
            }
        }
        Ok(ways)
    }

    /// A condition on digits of codes at a place beyond the end of all codes. It is the same for all such places.
    fn beyond_digits(&self, e: &Expr, want: bool, at: &At) -> Result<Vec<At>, Reason> {
        if let Some((slot, k)) = at.far
            && only_digits(e, slot)
            && let Some(Val::Bool(b)) = self.evaluate(e, at, Some((slot, k)))
        {
            return Ok(if b == want {
                vec![at.clone()]
            } else {
                Vec::new()
            });
        }
        Err("a condition is not linear in the heap".into())
    }
}
