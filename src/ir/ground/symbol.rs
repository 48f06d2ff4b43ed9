//! The data of the grounder: values that may depend on one variable, and what a path through the rules knows of the
//! variables.

use super::condition::Condition;
use super::vars::MAX_VALUES;
use super::{TOO_LONG, TOO_WIDE};
use crate::fault::Fault;
use crate::val::Val;
use std::borrow::Cow;
use std::rc::Rc;

/// Why grounding a piece of text stopped.
#[derive(Debug)]
pub(super) enum Stop {
    /// The rule raises a fault.
    Fault(Box<Fault>),
    /// A decision was needed where none may be made.
    Forked,
    /// The text cannot be ground, for this reason.
    Cannot(String),
}

impl From<Box<Fault>> for Stop {
    fn from(fault: Box<Fault>) -> Stop {
        if fault.code.is_limit() {
            return Stop::Cannot(fault.message);
        }
        Stop::Fault(fault)
    }
}

impl Stop {
    /// Says where too many steps were taken.
    pub(super) fn within(self, place: impl FnOnce() -> String) -> Stop {
        match self {
            Stop::Cannot(why) if why == TOO_LONG || why == TOO_WIDE => {
                Stop::Cannot(format!("{why} {}", place()))
            }
            stop => stop,
        }
    }
}

pub(super) type Try<T> = Result<T, Stop>;

/// A value, or a function of one variable.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(super) enum Sym {
    /// A value that does not depend on the position.
    Is(Val),
    /// A truth value: true where this variable has one of these values, by their numbers.
    If(u32, u64),
    /// A function of this variable with other values, as a table over the numbers of its values.
    Of(u32, Rc<[Val]>),
}

impl Sym {
    pub(super) fn truth(b: bool) -> Sym {
        Sym::Is(Val::Bool(b))
    }

    pub(super) fn is(&self, b: bool) -> bool {
        matches!(self, Sym::Is(Val::Bool(own)) if *own == b)
    }

    /// The variable on which it depends.
    pub(super) fn var(&self) -> Option<u32> {
        match self {
            Sym::Is(_) => None,
            Sym::If(var, _) | Sym::Of(var, _) => Some(*var),
        }
    }

    /// The result where its variable has the value with this number.
    pub(super) fn at(&self, i: usize) -> Cow<'_, Val> {
        match self {
            Sym::Is(v) => Cow::Borrowed(v),
            Sym::If(_, set) => Cow::Owned(Val::Bool(set >> i & 1 == 1)),
            Sym::Of(_, table) => Cow::Borrowed(&table[i]),
        }
    }
}

/// What a variable holds after the stages so far.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(super) enum Held {
    /// This value.
    Set(Sym),
    /// Its initial value plus a constant.
    Plus(i64),
}

/// An action in play that a guard and a list of writes cannot express.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum Asked {
    /// The condition must hold at the current position.
    Test(Condition),
    /// These variables are written.
    Write(Vec<(u32, Held)>),
    /// Each variable gets the value if the condition holds.
    When(Vec<(Condition, u32, Val)>),
}

/// A path: the possible values of the variables at the start of the move, and the writes of the stages so far.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub(super) struct Path {
    /// Variables with their possible values, sorted by variable.
    pub(super) known: Vec<(u32, u64)>,
    /// Written variables, sorted.
    pub(super) held: Vec<(u32, Held)>,
    /// Removes what cannot be reached from this site, at the end of the move.
    pub(super) keep: Option<u32>,
    /// The actions in play, in order. They include all writes before the last of them.
    pub(super) asked: Vec<Asked>,
    /// Variables whose values are known only in play.
    pub(super) lost: Vec<u32>,
}

impl Path {
    pub(super) fn values(&self, var: u32) -> Option<u64> {
        let at = self.known.binary_search_by_key(&var, |k| k.0).ok()?;
        Some(self.known[at].1)
    }

    pub(super) fn restrict(&mut self, var: u32, values: u64) {
        match self.known.binary_search_by_key(&var, |k| k.0) {
            Ok(at) => self.known[at].1 &= values,
            Err(at) => self.known.insert(at, (var, values)),
        }
    }

    pub(super) fn holds(&self, var: u32) -> Option<&Held> {
        let at = self.held.binary_search_by_key(&var, |k| k.0).ok()?;
        Some(&self.held[at].1)
    }

    pub(super) fn write(&mut self, var: u32, held: Held) {
        match self.held.binary_search_by_key(&var, |k| k.0) {
            Ok(at) => self.held[at].1 = held,
            Err(at) => self.held.insert(at, (var, held)),
        }
        self.lost.retain(|v| *v != var);
    }

    /// The writes that `asked` does not contain yet.
    pub(super) fn unasked(&self) -> Vec<(u32, Held)> {
        let mut before: Vec<(u32, Option<&Held>)> = Vec::new();
        for asked in &self.asked {
            match asked {
                Asked::Test(_) => {}
                Asked::Write(list) => {
                    for (var, held) in list {
                        before.retain(|(v, _)| v != var);
                        before.push((*var, Some(held)));
                    }
                }
                Asked::When(list) => {
                    for (_, var, _) in list {
                        before.retain(|(v, _)| v != var);
                        before.push((*var, None));
                    }
                }
            }
        }
        let same = |var: u32, held: &Held| {
            self.lost.contains(&var)
                || before
                    .iter()
                    .any(|(v, known)| *v == var && *known == Some(held))
        };
        let new = self.held.iter().filter(|(var, held)| !same(*var, held));
        new.cloned().collect()
    }

    /// Appends an action at the position after all writes so far.
    pub(super) fn ask(&mut self, asked: Asked) {
        let new = self.unasked();
        if !new.is_empty() {
            self.asked.push(Asked::Write(new));
        }
        self.asked.push(asked);
    }
}

/// The set of the first `count` values.
pub(super) fn all(count: usize) -> u64 {
    if count >= MAX_VALUES {
        u64::MAX
    } else {
        (1 << count) - 1
    }
}

/// The numbers of the set bits, in order.
pub fn bits(mut set: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        if set == 0 {
            return None;
        }
        let bit = set.trailing_zeros() as usize;
        set &= set - 1;
        Some(bit)
    })
}

/// A set of variables.
#[derive(Clone, Debug, Default)]
pub(super) struct VarSet(Vec<u64>);

impl VarSet {
    pub(super) fn insert(&mut self, var: u32) {
        let word = var as usize / 64;
        if self.0.len() <= word {
            self.0.resize(word + 1, 0);
        }
        self.0[word] |= 1 << (var % 64);
    }

    /// Adds all variables of another set.
    pub(super) fn extend(&mut self, other: &VarSet) {
        if self.0.len() < other.0.len() {
            self.0.resize(other.0.len(), 0);
        }
        for (own, more) in self.0.iter_mut().zip(&other.0) {
            *own |= more;
        }
    }

    pub(super) fn meets(&self, other: &VarSet) -> bool {
        self.0.iter().zip(&other.0).any(|(a, b)| a & b != 0)
    }
}
