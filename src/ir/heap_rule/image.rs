//! Conditions that a number is in the image of a range, `some a in 1..n: a * a = k` or `k in {a * a for a in 1..n}`. With k
//! known, such a condition becomes a linear constraint on the heap: the range must contain the least a whose image is k.
//! The images are computed once for all k.

use super::linear::{Constraint, Linear, Sign};
use super::{At, Reason, Sym, Walk};
use crate::int::Int;
use crate::model::typed::{Binder, BinderKind, Expr, ExprKind, Op, Place, Quantifier, Slot};
use crate::val::Val;
use std::collections::BTreeMap;

/// After this many consecutive images that do not fit 64 bits, the condition is not treated as one of this kind.
const TOO_LARGE: usize = 1000;

/// Maps each image to the least number that has it.
pub(super) type Image = BTreeMap<i64, i64>;

/// The parts of such a condition.
struct Asked<'e> {
    slot: Slot,
    lo: &'e Expr,
    hi: &'e Expr,
    /// Further conditions on the number.
    filters: Vec<&'e Expr>,
    form: &'e Expr,
    of: &'e Expr,
}

/// `slot in lo..hi`
pub(super) fn over_range(binders: &[Binder]) -> Option<(Slot, &Expr, &Expr)> {
    let [binder] = binders else {
        return None;
    };
    let BinderKind::In(places, set) = &binder.kind else {
        return None;
    };
    match (&places[..], &*set.kind) {
        ([Place::New(slot)], ExprKind::Binary(Op::Range, lo, hi)) => Some((*slot, lo, hi)),
        _ => None,
    }
}

/// Collects the variables of an expression; false if it contains anything that this does not follow.
fn variables(e: &Expr, found: &mut Vec<Slot>) -> bool {
    match &*e.kind {
        ExprKind::Integer(_) | ExprKind::Bool(_) | ExprKind::Text(_) | ExprKind::Player(_) => true,
        ExprKind::Slot(s) => {
            found.push(*s);
            true
        }
        ExprKind::Negative(a) | ExprKind::Not(a) | ExprKind::Fold(_, a) => variables(a, found),
        ExprKind::Binary(_, a, b) => variables(a, found) && variables(b, found),
        ExprKind::Builtin(_, all)
        | ExprKind::Elements(all)
        | ExprKind::Tuple(all)
        | ExprKind::Call(_, all) => all.iter().all(|e| variables(e, found)),
        ExprKind::Quantifier(_, binders, filter, body) => {
            of_binders(binders, found)
                && filter.as_ref().is_none_or(|e| variables(e, found))
                && variables(body, found)
        }
        ExprKind::For(body, binders, filter) => {
            of_binders(binders, found)
                && filter.as_ref().is_none_or(|e| variables(e, found))
                && variables(body, found)
        }
        _ => false,
    }
}

fn of_binders(binders: &[Binder], found: &mut Vec<Slot>) -> bool {
    binders.iter().all(|b| match &b.kind {
        BinderKind::In(_, set) => variables(set, found),
        BinderKind::Is { value, .. } => variables(value, found),
        _ => false,
    })
}

fn conjuncts<'e>(e: &'e Expr, all: &mut Vec<&'e Expr>) {
    match &*e.kind {
        ExprKind::Binary(Op::And, a, b) => {
            conjuncts(a, all);
            conjuncts(b, all);
        }
        _ => all.push(e),
    }
}

impl Walk<'_> {
    /// Decomposes the condition: a number in a range, a form that depends on the number alone, and what the form must
    /// equal.
    fn asked<'e>(&self, e: &'e Expr, want: bool, at: &At) -> Option<(Asked<'e>, bool)> {
        let mut filters = Vec::new();
        let (binders, form, of, want) = match &*e.kind {
            ExprKind::Quantifier(q, binders, filter, body) => {
                let want = match q {
                    Quantifier::Some => want,
                    Quantifier::No => !want,
                    Quantifier::All => return None,
                };
                if let Some(filter) = filter {
                    conjuncts(filter, &mut filters);
                }
                conjuncts(body, &mut filters);
                (binders, None, None, want)
            }
            ExprKind::Binary(Op::In, of, set) => {
                let ExprKind::For(form, binders, filter) = &*set.kind else {
                    return None;
                };
                if let Some(filter) = filter {
                    conjuncts(filter, &mut filters);
                }
                (binders, Some(form), Some(of), want)
            }
            _ => return None,
        };
        let (slot, lo, hi) = over_range(binders)?;
        let arguments = self.instance.rules_arguments.len();
        let only = |e: &Expr| {
            let mut found = Vec::new();
            let own = |s: &Slot| {
                let i = s.0 as usize;
                *s == slot || i < arguments || !matches!(at.frame.get(i), Some(Some(_)))
            };
            variables(e, &mut found) && found.iter().all(own)
        };
        let without = |e: &Expr| {
            let mut found = Vec::new();
            variables(e, &mut found) && !found.contains(&slot)
        };
        let (form, of) = match (form, of) {
            (Some(form), Some(of)) => (form, of),
            _ => {
                // One of the conditions is the equation for the form.
                let place = filters.iter().position(|e| !only(e))?;
                let ExprKind::Binary(Op::Is, a, b) = &*filters.remove(place).kind else {
                    return None;
                };
                if without(b) { (a, b) } else { (b, a) }
            }
        };
        let right = only(form) && without(of) && filters.iter().all(|e| only(e));
        let asked = Asked {
            slot,
            lo,
            hi,
            filters,
            form,
            of,
        };
        right.then_some((asked, want))
    }

    /// The constraints that such a condition puts on the heap. `None` if it is not of this form, or without a listing.
    pub(super) fn of_form(
        &mut self,
        e: &Expr,
        want: bool,
        at: &At,
    ) -> Option<Result<Vec<At>, Reason>> {
        let bound = self.listing.as_ref()?.bound();
        let (asked, want) = self.asked(e, want, at)?;
        let lo = self.known(asked.lo, at)?.as_int().and_then(Int::to_i64)?;
        let hi = self.form(asked.hi, at).ok()?;
        let of = self.form(asked.of, at).ok()?;
        let ends = [1, bound].map(|n| hi.at(n, &[0; super::MAX_UNKNOWNS]));
        // For a range that ends with the number taken, once and for all.
        let far = i64::try_from(ends.into_iter().max()?).ok()?.max(bound);
        let key = (std::ptr::from_ref::<Expr>(asked.form).addr(), lo);
        let known = self.listing.as_ref()?.image(key, far).is_some();
        if !known {
            let image = self.image(&asked, lo, far, at)?;
            self.listing.as_mut()?.add_image(key, far, image);
        }
        let image = self.listing.as_ref()?.image(key, far)?;
        let reaches = |least: i64| Constraint {
            form: hi.minus(&Linear::of(least)),
            sign: Sign::AtLeast,
        };
        let Some(of) = of.constant() else {
            // One case for each image: `of` equals it.
            if !want {
                return None;
            }
            let ends = [1, bound].map(|n| of.at(n, &[0; super::MAX_UNKNOWNS]));
            let end = |n: i128| i64::try_from(n).ok();
            let range = end(ends[0].min(ends[1]))?..=end(ends[0].max(ends[1]))?;
            let equal = |v: i64| Constraint {
                form: of.minus(&Linear::of(v)),
                sign: Sign::Zero,
            };
            let ways = image.range(range);
            let ways = ways.map(|(v, least)| at.and(equal(*v)).and(reaches(*least)));
            return Some(Ok(ways.collect()));
        };
        let of = i64::try_from(of).ok()?;
        let ways = match (image.get(&of).copied(), want) {
            (Some(least), true) => vec![at.and(reaches(least))],
            (Some(least), false) => {
                let form = Linear::of(least - 1).minus(&hi);
                let sign = Sign::AtLeast;
                vec![at.and(Constraint { form, sign })]
            }
            (None, true) => Vec::new(),
            (None, false) => vec![at.clone()],
        };
        Some(Ok(ways))
    }

    /// The images of the numbers from `lo` to `far`.
    fn image(&self, asked: &Asked<'_>, lo: i64, far: i64, at: &At) -> Option<Image> {
        let mut bare = at.clone();
        bare.frame.truncate(self.instance.rules_arguments.len());
        let mut image = Image::new();
        let mut large = 0;
        // If the form is a power with fixed base, later images are larger.
        let increases = match &*asked.form.kind {
            ExprKind::Binary(Op::Power, base, exponent) => {
                let base = self.known(base, &bare).and_then(|v| v.as_int()?.to_i64());
                base.is_some_and(|b| b >= 1)
                    && matches!(&*exponent.kind, ExprKind::Slot(s) if *s == asked.slot)
            }
            _ => false,
        };
        'numbers: for a in lo..=far {
            let stand_in = Some((asked.slot, a));
            for filter in &asked.filters {
                match self.evaluate(filter, &bare, stand_in)? {
                    Val::Bool(true) => {}
                    Val::Bool(false) => continue 'numbers,
                    _ => return None,
                }
            }
            match self
                .evaluate(asked.form, &bare, stand_in)?
                .as_int()?
                .to_i64()
            {
                Some(v) => {
                    image.entry(v).or_insert(a);
                    large = 0;
                }
                None if increases => break,
                None => {
                    large += 1;
                    if large > TOO_LARGE {
                        return None;
                    }
                }
            }
        }
        Some(image)
    }

    /// A choice in `{E for x in lo..hi where ..}`: chooses the number x, then evaluates E.
    pub(super) fn comprehension(
        &mut self,
        i: usize,
        slot: Slot,
        set: &Expr,
        at: At,
    ) -> Option<Result<(), Reason>> {
        let ExprKind::For(form, binders, filter) = &*set.kind else {
            return None;
        };
        let (inner, lo, hi) = over_range(binders)?;
        let run = |walk: &mut Self| {
            let (lo, hi) = (walk.form(lo, &at)?, walk.form(hi, &at)?);
            walk.range_with(inner, &lo, &hi, at.clone(), &mut |walk, at| {
                let ways = match filter {
                    Some(filter) => walk.truth(filter, true, &at)?,
                    None => vec![at],
                };
                for mut at in ways {
                    let value = match walk.known(form, &at) {
                        Some(v) => Sym::Known(v),
                        None => Sym::Form(walk.form(form, &at)?),
                    };
                    at.bind(slot, value);
                    walk.binders(i + 1, at)?;
                }
                Ok(())
            })
        };
        Some(run(self))
    }
}
