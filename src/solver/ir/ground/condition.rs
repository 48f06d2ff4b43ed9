//! Conditions that are looked at in play: of variables, of groups, and of what can be reached.
//!
//! A condition that asks which sites are joined depends on most of the board; to decide it beforehand would take an instance for each
//! shape of a group. A condition that runs through sites, pieces or numbers may take as many ([`super::Fallbacks`]). So it is kept as it is said, with the names of sites in their place, and looked at in the position of the moment
//! (`machine::asked` does that on packed states). `ask` makes it from the text.

use super::Write;
use crate::model::typed::Op;

/// What may be asked of a position.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Condition {
    /// The same at all positions.
    Truth(bool),
    /// A variable holds a value of a set (by number).
    Holds(u32, u64),
    /// It does not hold.
    Not(Box<Condition>),
    /// All of these hold.
    All(Vec<Condition>),
    /// One of these holds.
    Any(Vec<Condition>),
    /// Two sets have a site in common.
    Meet(Box<Sites>, Box<Sites>),
    /// Two numbers compare so.
    Compare(Order, Box<Number>, Box<Number>),
}

/// How two numbers compare.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Order {
    /// They are the same.
    Same,
    /// The first is less.
    Less,
    /// The first is at most the second.
    AtMost,
}

/// A set of sites of a position.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Sites {
    /// Those sites of a list whose condition holds.
    Where(Vec<(u32, Condition)>),
    /// What is joined to a site through equal pieces.
    Group(u32),
    /// What can be reached from a site through sites of a set.
    Reach(u32, Box<Sites>),
    /// The sites of either.
    Either(Box<Sites>, Box<Sites>),
    /// The sites of both.
    Both(Box<Sites>, Box<Sites>),
    /// The sites of the first that are none of the second.
    Without(Box<Sites>, Box<Sites>),
}

/// An integer of a position.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Number {
    /// The same at all positions.
    Is(i64),
    /// By the number of the value of a variable.
    Of(u32, Vec<i64>),
    /// How many sites a set has.
    Size(Sites),
    /// The sum of two.
    Sum(Box<Number>, Box<Number>),
    /// Its negative.
    Negative(Box<Number>),
}

/// What an instance does once its guard is met, one phase after the other.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Phase {
    /// Unless this holds now, there is no such move.
    Test(Condition),
    /// These writes are made; what they read is read of the position before the move.
    Write(Vec<(u32, Write)>),
    /// Each variable gets a value (by number) where its condition holds; all conditions are read before.
    When(Vec<(Condition, u32, u8)>),
}

impl Condition {
    /// It does not hold.
    #[must_use]
    pub fn negated(self) -> Condition {
        match self {
            Condition::Truth(b) => Condition::Truth(!b),
            Condition::Not(inner) => *inner,
            other => Condition::Not(Box::new(other)),
        }
    }

    /// All hold.
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

    /// One holds.
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

    /// Two sets have a site in common.
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

    /// Calls `with` for each variable that is asked for, with the set of values.
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

    /// The same of other variables, values and sites, written in its one form; nothing where one of them has no image.
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

    /// Whether it asks for groups.
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

/// Where variables with sets of values, and sites, go.
pub struct Map<'m> {
    /// The image of a variable and of a set of its values.
    pub value: &'m dyn Fn(u32, u64) -> Option<(u32, u64)>,
    /// The image of a site.
    pub site: &'m dyn Fn(u32) -> Option<u32>,
}

impl Sites {
    /// Those sites whose condition holds.
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

    /// It has no site at any position.
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
    /// See [`Condition::each_variable`].
    pub fn each_variable(&self, with: &mut dyn FnMut(u32, u64)) {
        match self {
            Number::Is(_) => {}
            Number::Of(var, _) => with(*var, 0),
            Number::Size(sites) => sites.each_variable(with),
            Number::Sum(a, b) => {
                a.each_variable(with);
                b.each_variable(with);
            }
            Number::Negative(a) => a.each_variable(with),
        }
    }

    fn mapped(&self, map: &Map<'_>) -> Option<Number> {
        Some(match self {
            Number::Is(n) => Number::Is(*n),
            // Which number goes with which value is not followed.
            Number::Of(..) => return None,
            Number::Size(s) => Number::Size(s.mapped(map)?),
            Number::Sum(a, b) => {
                let (a, b) = (a.mapped(map)?, b.mapped(map)?);
                Number::Sum(Box::new(a), Box::new(b))
            }
            Number::Negative(a) => Number::Negative(Box::new(a.mapped(map)?)),
        })
    }

    fn asks_groups(&self) -> bool {
        match self {
            Number::Is(_) | Number::Of(..) => false,
            Number::Size(sites) => sites.asks_groups(),
            Number::Sum(a, b) => a.asks_groups() || b.asks_groups(),
            Number::Negative(a) => a.asks_groups(),
        }
    }
}

/// A comparison of two numbers by an operator of the language, if it is one.
#[must_use]
pub fn compare(op: Op, a: Number, b: Number) -> Option<Condition> {
    let of = |order, a, b| Condition::Compare(order, Box::new(a), Box::new(b));
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
