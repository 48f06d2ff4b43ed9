//! Conditions evaluated in play: of variables, of groups, and of reachable sites.
//!
//! A condition on connectivity depends on most of the board; deciding it in advance would take an instance for each shape
//! of a group. A condition that ranges over sites, pieces or numbers may take as many ([`super::Fallbacks`]). Such a
//! condition is kept, with its names replaced by sites, and evaluated in the current position (by `machine::asked` on
//! packed states). `ask` makes it from the text.

use super::Write;
use crate::board::MAX_SITES;
use crate::model::typed::Op;

/// A condition on a position.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Condition {
    /// Constant.
    Truth(bool),
    /// The value of a variable is in a set (of numbers of values).
    Holds(u32, u64),
    /// The condition does not hold.
    Not(Box<Condition>),
    /// All of these hold.
    All(Vec<Condition>),
    /// At least one of these holds.
    Any(Vec<Condition>),
    /// Two sets have a site in common.
    Meet(Box<Sites>, Box<Sites>),
    /// Two numbers compare in this order.
    Compare(Order, Box<Number>, Box<Number>),
}

/// A comparison of two numbers.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Order {
    /// They are equal.
    Same,
    /// The first is less.
    Less,
    /// The first is at most the second.
    AtMost,
}

/// A set of sites that depends on the position.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Sites {
    /// The sites of a list whose conditions hold.
    Where(Vec<(u32, Condition)>),
    /// The group of a site: the sites connected to it through equal pieces.
    Group(u32),
    /// The sites reachable from a site through sites of a set.
    Reach(u32, Box<Sites>),
    /// Union.
    Either(Box<Sites>, Box<Sites>),
    /// Intersection.
    Both(Box<Sites>, Box<Sites>),
    /// Difference: the sites of the first that are not in the second.
    Without(Box<Sites>, Box<Sites>),
}

/// An integer that depends on the position.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Number {
    /// Constant.
    Is(i64),
    /// A function of a variable: a table over the numbers of its values.
    Of(u32, Vec<i64>),
    /// The size of a set.
    Size(Sites),
    /// The first number if the condition holds, the second otherwise.
    If(Box<Condition>, Box<Number>, Box<Number>),
    /// Negation.
    Negative(Box<Number>),
    /// Sum, sorted.
    Sum(Vec<Number>),
    /// Product of two numbers, sorted.
    Product(Box<[Number; 2]>),
    /// The greatest of some numbers, at least one, sorted.
    Greatest(Vec<Number>),
    /// The quotient by a number that is not 0, towards minus infinity.
    Quotient(Box<Number>, i64),
    /// The remainder of that; its sign is the divisor's.
    Remainder(Box<Number>, i64),
}

/// A step of an instance whose guard holds. The phases run in order.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Phase {
    /// If the condition fails now, the move is illegal.
    Test(Condition),
    /// These writes are made. They read the position before the move.
    Write(Vec<(u32, Write)>),
    /// Each variable gets a value (by number) if its condition holds. All conditions are evaluated before the writes.
    When(Vec<(Condition, u32, u8)>),
}

impl Condition {
    /// The negation.
    #[must_use]
    pub fn negated(self) -> Condition {
        match self {
            Condition::Truth(b) => Condition::Truth(!b),
            Condition::Not(inner) => *inner,
            other => Condition::Not(Box::new(other)),
        }
    }

    /// The conjunction.
    #[must_use]
    pub fn all(list: impl IntoIterator<Item = Condition>) -> Condition {
        let mut kept = Vec::new();
        for c in list {
            match c {
                Condition::Truth(true) => {}
                Condition::Truth(false) => return Condition::Truth(false),
                Condition::All(more) => kept.extend(more),
                other => kept.push(other),
            }
        }
        kept.sort();
        kept.dedup();
        match kept.len() {
            0 => Condition::Truth(true),
            1 => kept.remove(0),
            _ => Condition::All(kept),
        }
    }

    /// The disjunction.
    #[must_use]
    pub fn any(list: impl IntoIterator<Item = Condition>) -> Condition {
        let mut kept = Vec::new();
        for c in list {
            match c {
                Condition::Truth(false) => {}
                Condition::Truth(true) => return Condition::Truth(true),
                Condition::Any(more) => kept.extend(more),
                other => kept.push(other),
            }
        }
        kept.sort();
        kept.dedup();
        match kept.len() {
            0 => Condition::Truth(false),
            1 => kept.remove(0),
            _ => Condition::Any(kept),
        }
    }

    /// Whether two sets have a site in common.
    #[must_use]
    pub fn meet(a: Sites, b: Sites) -> Condition {
        if a.is_empty() || b.is_empty() {
            return Condition::Truth(false);
        }
        if let (Sites::Where(a), Sites::Where(b)) = (&a, &b) {
            let both = a.iter().filter_map(|(s, c)| {
                let (_, d) = b.iter().find(|(t, _)| t == s)?;
                Some(Condition::all([c.clone(), d.clone()]))
            });
            return Condition::any(both);
        }
        let (a, b) = if a <= b { (a, b) } else { (b, a) };
        Condition::Meet(Box::new(a), Box::new(b))
    }

    /// Calls `with` for each variable on which the condition depends, with the set of values.
    pub fn each_variable(&self, with: &mut dyn FnMut(u32, u64)) {
        match self {
            Condition::Truth(_) => {}
            Condition::Holds(var, set) => with(*var, *set),
            Condition::Not(c) => c.each_variable(with),
            Condition::All(list) | Condition::Any(list) => {
                list.iter().for_each(|c| c.each_variable(with));
            }
            Condition::Meet(a, b) => {
                a.each_variable(with);
                b.each_variable(with);
            }
            Condition::Compare(_, a, b) => {
                a.each_variable(with);
                b.each_variable(with);
            }
        }
    }

    /// The image of the condition under a map of variables, values and sites, in normal form; `None` if a part has no
    /// image.
    #[must_use]
    pub fn mapped(&self, map: &Map<'_>) -> Option<Condition> {
        let list = |list: &[Condition]| -> Option<Vec<Condition>> {
            list.iter().map(|c| c.mapped(map)).collect()
        };
        Some(match self {
            Condition::Truth(b) => Condition::Truth(*b),
            Condition::Holds(var, set) => {
                let (var, set) = (map.value)(*var, *set)?;
                Condition::Holds(var, set)
            }
            Condition::Not(c) => c.mapped(map)?.negated(),
            Condition::All(all) => Condition::all(list(all)?),
            Condition::Any(all) => Condition::any(list(all)?),
            Condition::Meet(a, b) => Condition::meet(a.mapped(map)?, b.mapped(map)?),
            Condition::Compare(order, a, b) => {
                let (a, b) = (a.mapped(map)?, b.mapped(map)?);
                Condition::Compare(*order, Box::new(a), Box::new(b))
            }
        })
    }

    /// Whether it depends on groups or reachability.
    #[must_use]
    pub fn asks_groups(&self) -> bool {
        match self {
            Condition::Truth(_) | Condition::Holds(..) => false,
            Condition::Not(c) => c.asks_groups(),
            Condition::All(list) | Condition::Any(list) => list.iter().any(Condition::asks_groups),
            Condition::Meet(a, b) => a.asks_groups() || b.asks_groups(),
            Condition::Compare(_, a, b) => a.asks_groups() || b.asks_groups(),
        }
    }
}

/// A map of variables, sets of their values, tables over these, and sites.
pub struct Map<'m> {
    /// The image of a variable and of a set of its values.
    pub value: &'m dyn Fn(u32, u64) -> Option<(u32, u64)>,
    /// The image of a variable and of a table over its values.
    pub table: &'m dyn Fn(u32, &[i64]) -> Option<(u32, Vec<i64>)>,
    /// The image of a site.
    pub site: &'m dyn Fn(u32) -> Option<u32>,
}

impl Sites {
    /// The sites whose condition holds.
    #[must_use]
    pub fn those(list: impl IntoIterator<Item = (u32, Condition)>) -> Sites {
        let mut kept: Vec<(u32, Condition)> = Vec::new();
        for (site, c) in list {
            match kept.iter_mut().find(|(s, _)| *s == site) {
                Some((_, known)) => {
                    let before = std::mem::replace(known, Condition::Truth(false));
                    *known = Condition::any([before, c]);
                }
                None => kept.push((site, c)),
            }
        }
        kept.retain(|(_, c)| *c != Condition::Truth(false));
        kept.sort();
        Sites::Where(kept)
    }

    /// Whether it is empty at all positions.
    fn is_empty(&self) -> bool {
        matches!(self, Sites::Where(list) if list.is_empty())
    }

    /// See [`Condition::each_variable`].
    pub fn each_variable(&self, with: &mut dyn FnMut(u32, u64)) {
        match self {
            Sites::Where(list) => list.iter().for_each(|(_, c)| c.each_variable(with)),
            Sites::Group(_) => {}
            Sites::Reach(_, within) => within.each_variable(with),
            Sites::Either(a, b) | Sites::Both(a, b) | Sites::Without(a, b) => {
                a.each_variable(with);
                b.each_variable(with);
            }
        }
    }

    fn mapped(&self, map: &Map<'_>) -> Option<Sites> {
        let two = |a: &Sites, b: &Sites| Some((Box::new(a.mapped(map)?), Box::new(b.mapped(map)?)));
        Some(match self {
            Sites::Where(list) => {
                let all = list
                    .iter()
                    .map(|(s, c)| Some(((map.site)(*s)?, c.mapped(map)?)));
                Sites::those(all.collect::<Option<Vec<_>>>()?)
            }
            Sites::Group(s) => Sites::Group((map.site)(*s)?),
            Sites::Reach(s, within) => Sites::Reach((map.site)(*s)?, Box::new(within.mapped(map)?)),
            Sites::Either(a, b) => two(a, b).map(|(a, b)| Sites::Either(a, b))?,
            Sites::Both(a, b) => two(a, b).map(|(a, b)| Sites::Both(a, b))?,
            Sites::Without(a, b) => two(a, b).map(|(a, b)| Sites::Without(a, b))?,
        })
    }

    fn asks_groups(&self) -> bool {
        match self {
            Sites::Where(list) => list.iter().any(|(_, c)| c.asks_groups()),
            Sites::Group(_) | Sites::Reach(..) => true,
            Sites::Either(a, b) | Sites::Both(a, b) | Sites::Without(a, b) => {
                a.asks_groups() || b.asks_groups()
            }
        }
    }
}

impl Number {
    /// The sum.
    #[must_use]
    pub fn sum(list: impl IntoIterator<Item = Number>) -> Number {
        let mut kept = Vec::new();
        for n in list {
            match n {
                Number::Is(0) => {}
                Number::Sum(more) => kept.extend(more),
                other => kept.push(other),
            }
        }
        kept.sort();
        match kept.len() {
            0 => Number::Is(0),
            1 => kept.remove(0),
            _ => Number::Sum(kept),
        }
    }

    /// The negative.
    #[must_use]
    pub fn negated(self) -> Number {
        match self {
            Number::Is(n) => Number::Is(-n),
            Number::Negative(inner) => *inner,
            Number::Sum(list) => Number::sum(list.into_iter().map(Number::negated)),
            other => Number::Negative(Box::new(other)),
        }
    }

    /// The product.
    #[must_use]
    pub fn product(a: Number, b: Number) -> Number {
        let (a, b) = if a <= b { (a, b) } else { (b, a) };
        Number::Product(Box::new([a, b]))
    }

    /// The greatest of some numbers; `None` if there is none.
    #[must_use]
    pub fn greatest(list: impl IntoIterator<Item = Number>) -> Option<Number> {
        let mut list: Vec<Number> = list.into_iter().collect();
        list.sort();
        list.dedup();
        match list.len() {
            0 | 1 => list.pop(),
            _ => Some(Number::Greatest(list)),
        }
    }

    /// The numbers that it is made from.
    fn parts(&self) -> &[Number] {
        match self {
            Number::Is(_) | Number::Of(..) | Number::Size(_) | Number::If(..) => &[],
            Number::Negative(n) | Number::Quotient(n, _) | Number::Remainder(n, _) => {
                std::slice::from_ref(n)
            }
            Number::Sum(list) | Number::Greatest(list) => list,
            Number::Product(both) => &both[..],
        }
    }

    /// A bound for its absolute value; `None` if it does not fit.
    #[must_use]
    pub fn bound(&self) -> Option<i64> {
        let mut parts = self.parts().iter().map(Number::bound);
        match self {
            Number::Is(n) => n.checked_abs(),
            Number::Of(_, table) => table
                .iter()
                .try_fold(0, |m, n| Some(n.checked_abs()?.max(m))),
            Number::Size(Sites::Where(list)) => i64::try_from(list.len()).ok(),
            Number::Size(_) => i64::try_from(MAX_SITES).ok(),
            Number::If(_, a, b) => Some(a.bound()?.max(b.bound()?)),
            Number::Negative(_) | Number::Quotient(..) | Number::Greatest(_) => {
                parts.try_fold(0, |m, n| Some(n?.max(m)))
            }
            Number::Sum(_) => parts.try_fold(0i64, |sum, n| sum.checked_add(n?)),
            Number::Product(_) => parts.try_fold(1i64, |product, n| product.checked_mul(n?)),
            Number::Remainder(n, by) => n.bound().and(by.checked_abs()),
        }
    }

    /// See [`Condition::each_variable`].
    pub fn each_variable(&self, with: &mut dyn FnMut(u32, u64)) {
        match self {
            Number::Of(var, _) => with(*var, 0),
            Number::Size(sites) => sites.each_variable(with),
            Number::If(phi, a, b) => {
                phi.each_variable(with);
                a.each_variable(with);
                b.each_variable(with);
            }
            other => other.parts().iter().for_each(|n| n.each_variable(with)),
        }
    }

    fn mapped(&self, map: &Map<'_>) -> Option<Number> {
        let list = |list: &[Number]| -> Option<Vec<Number>> {
            list.iter().map(|n| n.mapped(map)).collect()
        };
        Some(match self {
            Number::Is(n) => Number::Is(*n),
            Number::Of(var, table) => {
                let (var, table) = (map.table)(*var, table)?;
                Number::Of(var, table)
            }
            Number::Size(s) => Number::Size(s.mapped(map)?),
            Number::If(phi, a, b) => {
                let (a, b) = (a.mapped(map)?, b.mapped(map)?);
                Number::If(Box::new(phi.mapped(map)?), Box::new(a), Box::new(b))
            }
            Number::Negative(n) => n.mapped(map)?.negated(),
            Number::Sum(all) => Number::sum(list(all)?),
            Number::Product(both) => Number::product(both[0].mapped(map)?, both[1].mapped(map)?),
            Number::Greatest(all) => Number::greatest(list(all)?)?,
            Number::Quotient(n, by) => Number::Quotient(Box::new(n.mapped(map)?), *by),
            Number::Remainder(n, by) => Number::Remainder(Box::new(n.mapped(map)?), *by),
        })
    }

    fn asks_groups(&self) -> bool {
        match self {
            Number::Size(sites) => sites.asks_groups(),
            Number::If(phi, a, b) => phi.asks_groups() || a.asks_groups() || b.asks_groups(),
            other => other.parts().iter().any(Number::asks_groups),
        }
    }
}

/// A comparison of two numbers by an operator of the language; `None` for other operators, and for numbers that may not fit.
#[must_use]
pub fn compare(op: Op, a: Number, b: Number) -> Option<Condition> {
    let of = |order, a, b| Condition::Compare(order, Box::new(a), Box::new(b));
    a.bound().and(b.bound())?;
    Some(match op {
        Op::Is => of(Order::Same, a, b),
        Op::IsNot => of(Order::Same, a, b).negated(),
        Op::Less => of(Order::Less, a, b),
        Op::LessEqual => of(Order::AtMost, a, b),
        Op::Greater => of(Order::Less, b, a),
        Op::GreaterEqual => of(Order::AtMost, b, a),
        _ => return None,
    })
}
