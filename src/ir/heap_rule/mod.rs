//! Recognises taking-and-breaking rules (*Winning Ways*, ch. 4). The input is a ruleset on heaps with known arguments; the
//! output says how many counters may be taken and how many heaps may be left.
//!
//! Nothing is recognised by name or wording. Each choice is followed with the size of the heap as an unknown n: finite
//! binders are enumerated, binders whose range grows with n become further unknowns, conditions become linear constraints.
//! The result is a finite list of families `n -> [a linear form, ..]` under linear constraints. They are compared, for all n
//! up to a bound, with the moves of the plain ways (take k, leave exactly j heaps, perhaps of different sizes). By the theorem
//! in `fit.rs`, agreement up to the bound implies agreement for all n. A rule that does not fit is evaluated by the general
//! methods.

mod conditions;
mod fit;
mod image;
mod linear;
mod listed;

use super::eval::{Evaluator, Frame, Scope};
use super::instance::Instance;
use super::val::Val;
use crate::model::typed::{
    Again, BinderKind, Builtin, By, EffectKind, Expr, ExprKind, Move, Op, Place, Slot, Stage,
};
use fit::{Family, fit, fit_amounts};
use linear::{Constraint, Linear, MAX_UNKNOWNS};
use listed::Listing;
pub use listed::{Group, Listed, TOO_MUCH_WORK, listed};

/// The maximal number of choices that are followed one by one.
const MAX_FAMILIES: usize = 20_000;

/// The largest bound for which conditions on both the heap and the chosen numbers are evaluated one by one.
const MOST_PAIRED: i64 = 4096;

/// A way to move: the number of counters taken, the number of non-empty heaps left, and whether these must differ in size.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Way {
    /// Counters taken.
    pub taken: u32,
    /// Heaps left, 0 to 3.
    pub heaps: u8,
    /// Whether the heaps left must differ in size.
    pub distinct: bool,
}

/// The ways of each player, sorted; players are in the order of turns.
pub type Ways = Vec<Vec<Way>>;

/// A set of numbers of counters: the listed ones, or all others.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Amounts {
    /// The listed numbers, increasing, from 1 on.
    pub listed: Vec<u32>,
    /// Whether the set is the complement of the list.
    pub all_but: bool,
}

/// What may be taken by moves that leave at most one heap.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Reductions {
    /// The amounts that may be taken if a heap is left.
    pub partly: Amounts,
    /// The heaps that may be taken as a whole.
    pub wholly: Amounts,
}

/// The reason why a rule has no such shape, in words.
pub type Reason = String;

/// The shape of an instance's rule, for each player.
///
/// # Errors
/// The reason why the rule does not fit.
pub fn ways(ev: &Evaluator<'_>, instance: &Instance) -> Result<Ways, Reason> {
    followed(ev, instance)?.iter().map(|f| fit(f)).collect()
}

/// The same for rules with `entail`: first the moves after which the next player is free, then those that must be answered in
/// what they leave.
///
/// # Errors
/// The reason why the rule does not fit.
pub fn entailing_ways(ev: &Evaluator<'_>, instance: &Instance) -> Result<[Ways; 2], Reason> {
    let ways = |among| -> Result<Ways, Reason> {
        let all = follow(ev, instance, None, among, &mut Vec::new())?;
        all.iter().map(|f| fit(f)).collect()
    };
    Ok([ways(Among::Free)?, ways(Among::Answered)?])
}

/// The same for rules that leave at most one heap and may take without bound, such as Nim.
///
/// # Errors
/// The reason why the rule does not fit.
pub fn reductions(ev: &Evaluator<'_>, instance: &Instance) -> Result<Vec<Reductions>, Reason> {
    let all = followed(ev, instance)?;
    all.iter().map(|f| fit_amounts(f)).collect()
}

/// The families of all choices, for each player.
fn followed(ev: &Evaluator<'_>, instance: &Instance) -> Result<Vec<Vec<Family>>, Reason> {
    let mut listings = Vec::new();
    follow(ev, instance, None, Among::All, &mut listings)
}

/// The moves that are looked at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Among {
    /// All, none of which keeps the turn or restricts its answer.
    All,
    /// Those after which the next player is free.
    Free,
    /// Those with `entail`.
    Answered,
}

/// The same. With a bound, numbers up to it are tried one by one, and the results go into one listing for each player.
fn follow(
    ev: &Evaluator<'_>,
    instance: &Instance,
    bound: Option<i64>,
    among: Among,
    listings: &mut Vec<Listing>,
) -> Result<Vec<Vec<Family>>, Reason> {
    let rules = &instance.rules;
    if rules.board.heap_of() != Some(1) {
        return Err("the board is not of plain heaps".into());
    }
    if !rules.state.is_empty() {
        return Err("the rule keeps a state beside the heaps".into());
    }
    if instance.dicotic {
        return Err("play ends as soon as one of the players cannot move".into());
    }
    let more = match among {
        Among::All => rules.decides_by_more(),
        Among::Free | Among::Answered => !rules.decides_by_answers(),
    };
    if more {
        return Err("who wins does not depend on the last move alone".into());
    }
    if rules.moves.iter().any(|m| m.repeat.is_some()) {
        return Err("a move has a stage that is repeated".into());
    }
    let players = u8::try_from(instance.players.len()).unwrap_or(u8::MAX);
    let mut all = Vec::new();
    for player in 0..players {
        let mut families = Vec::new();
        let mut listing = bound.map(Listing::new);
        let of_kind = |m: &&Move| match among {
            Among::All => true,
            Among::Free => !matches!(m.again, Again::Entail),
            Among::Answered => matches!(m.again, Again::Entail),
        };
        for rule in rules.moves.iter().filter(of_kind) {
            let makers: Vec<u8> = match (&rule.by, instance.everyone) {
                (By::Each(_), true) => (0..players).collect(),
                (By::One(p), everyone) if everyone || *p == player => vec![*p],
                (By::One(_), _) => Vec::new(),
                _ => vec![player],
            };
            let [stage] = &rule.stages[..] else {
                return Err("a move has several stages".into());
            };
            for maker in makers {
                let mut frame = Vec::new();
                for v in &instance.rules_arguments {
                    frame.push(Some(Sym::Known(v.clone())));
                }
                let mut walk = Walk {
                    ev,
                    instance,
                    stage,
                    families: &mut families,
                    listing: listing.as_mut(),
                };
                let mut at = At {
                    frame,
                    unknowns: 0,
                    constraints: vec![Constraint::atleast(Linear::n().minus(&Linear::of(1)))],
                    far: None,
                    heap: None,
                    tests: Vec::new(),
                };
                if let By::Each(slot) = &rule.by {
                    at.bind(*slot, Sym::Known(Val::Player(maker)));
                }
                walk.binders(0, at)?;
            }
        }
        all.push(families);
        listings.extend(listing);
    }
    Ok(all)
}

#[derive(Clone, Debug)]
enum Sym {
    Known(Val),
    Form(Linear),
}

/// The state of a walk: values of the variables, and the constraints so far.
#[derive(Clone)]
struct At {
    frame: Vec<Option<Sym>>,
    unknowns: usize,
    constraints: Vec<Constraint>,
    /// An unknown beyond the length of all codes, with a number that represents it in conditions on digits.
    far: Option<(Slot, i64)>,
    /// The heap's variable, once it is bound.
    heap: Option<Slot>,
    /// The conditions on the heap alone, by their numbers in the listing.
    tests: Vec<usize>,
}

impl At {
    fn bind(&mut self, slot: Slot, v: Sym) {
        let i = slot.0 as usize;
        if self.frame.len() <= i {
            self.frame.resize(i + 1, None);
        }
        self.frame[i] = Some(v);
    }

    fn and(&self, c: Constraint) -> At {
        let mut at = self.clone();
        at.constraints.push(c);
        at
    }
}

struct Walk<'w> {
    ev: &'w Evaluator<'w>,
    instance: &'w Instance,
    stage: &'w Stage,
    families: &'w mut Vec<Family>,
    listing: Option<&'w mut Listing>,
}

impl Walk<'_> {
    fn binders(&mut self, i: usize, at: At) -> Result<(), Reason> {
        let stage = self.stage;
        let Some(binder) = stage.binders.get(i) else {
            return self.conditions(0, at);
        };
        match &binder.kind {
            BinderKind::Heap { heap: 0, places } => match &places[..] {
                [Place::New(slot)] => {
                    let mut at = at;
                    at.bind(*slot, Sym::Form(Linear::n()));
                    at.heap = Some(*slot);
                    self.binders(i + 1, at)
                }
                _ => Err("a heap is matched with a number".into()),
            },
            BinderKind::Heap { .. } => Err("a move looks at two heaps".into()),
            BinderKind::In(places, e) => {
                let [Place::New(slot)] = places[..] else {
                    return Err("a binder takes tuples apart".into());
                };
                if let ExprKind::Binary(Op::Range, lo, hi) = &*e.kind
                    && self.known(e, &at).is_none()
                {
                    let (lo, hi) = (self.form(lo, &at)?, self.form(hi, &at)?);
                    return self.range(i, slot, &lo, &hi, at);
                }
                let Some(set) = self.known(e, &at) else {
                    if let ExprKind::Elements(items) = &*e.kind {
                        for item in items {
                            let mut at = at.clone();
                            let v = match self.known(item, &at) {
                                Some(v) => Sym::Known(v),
                                None => Sym::Form(self.form(item, &at)?),
                            };
                            at.bind(slot, v);
                            self.binders(i + 1, at)?;
                        }
                        return Ok(());
                    }
                    return self
                        .comprehension(i, slot, e, at)
                        .unwrap_or_else(|| Err("a binder's set depends on the heap".into()));
                };
                for v in set.elements().unwrap_or(&[]) {
                    let mut at = at.clone();
                    at.bind(slot, Sym::Known(v.clone()));
                    self.binders(i + 1, at)?;
                }
                Ok(())
            }
            BinderKind::Is {
                place: Place::New(slot),
                value,
                ..
            } => {
                let mut at = at;
                let v = match self.known(value, &at) {
                    Some(v) => Sym::Known(v),
                    None => Sym::Form(self.form(value, &at)?),
                };
                at.bind(*slot, v);
                self.binders(i + 1, at)
            }
            _ => Err("a binder ranges over something other than numbers".into()),
        }
    }

    /// `slot in lo..hi`. If digits of a code at this place are read, numbers up to the length of the code are enumerated;
    /// the rest becomes an unknown.
    fn range(
        &mut self,
        i: usize,
        slot: Slot,
        lo: &Linear,
        hi: &Linear,
        at: At,
    ) -> Result<(), Reason> {
        self.range_with(slot, lo, hi, at, &mut |walk, at| walk.binders(i + 1, at))
    }

    /// The same, with a callback for each case.
    fn range_with(
        &mut self,
        slot: Slot,
        lo: &Linear,
        hi: &Linear,
        at: At,
        then: &mut dyn FnMut(&mut Self, At) -> Result<(), Reason>,
    ) -> Result<(), Reason> {
        if let Some(bound) = self.listing.as_ref().map(|l| l.bound()) {
            let Some(first) = lo.constant() else {
                return Err("a range of numbers begins at one that depends on the heap".into());
            };
            let first = i64::try_from(first).map_err(|_| "a number is too large")?;
            for k in first..=bound {
                if let Some(listing) = &mut self.listing {
                    listing.count()?;
                }
                let mut at = at.and(Constraint::atleast(hi.minus(&Linear::of(k))));
                // The range excludes k for every heap, and so all later numbers.
                if at.constraints.last().is_some_and(|c| c.never(bound)) && hi.n >= 0 {
                    break;
                }
                at.bind(slot, Sym::Known(Val::int(k)));
                then(self, at)?;
            }
            return Ok(());
        }
        let mut from = lo.clone();
        let digits = self.digits();
        if digits > 0 && asks_digit(self.stage, slot) {
            let Some(first) = lo.constant() else {
                return Err("a digit is asked for at a number that depends on the heap".into());
            };
            let first = i64::try_from(first).map_err(|_| "a number is too large")?;
            for k in first..=digits {
                let mut at = at.and(Constraint::atleast(hi.minus(&Linear::of(k))));
                at.bind(slot, Sym::Known(Val::int(k)));
                then(self, at)?;
            }
            from = Linear::of(first.max(digits + 1));
        }
        if at.unknowns == MAX_UNKNOWNS {
            // Perhaps the condition always fails: beyond the end of the codes, no digit allows it.
            let conditions = &self.stage.conditions;
            let mut never = conditions.iter().map(|e| self.truth(e, true, &at));
            if never.any(|ways| ways.is_ok_and(|w| w.is_empty())) {
                return Ok(());
            }
            // Or an equation determines the number.
            if let Some(x) = self.solved(slot, &at) {
                let mut at = at
                    .and(Constraint::atleast(x.minus(&from)))
                    .and(Constraint::atleast(hi.minus(&x)));
                at.bind(slot, Sym::Form(x));
                return then(self, at);
            }
            return Err("a move has too many free numbers".into());
        }
        let mut x = Linear::of(0);
        x.x[at.unknowns] = 1;
        let mut at = at
            .and(Constraint::atleast(x.minus(&from)))
            .and(Constraint::atleast(hi.minus(&x)));
        at.unknowns += 1;
        at.bind(slot, Sym::Form(x));
        if from != *lo {
            at.far = Some((slot, digits + 1));
        }
        then(self, at)
    }

    /// A variable in terms of the bound ones, if a condition is an equation that determines it.
    fn solved(&self, slot: Slot, at: &At) -> Option<Linear> {
        self.stage.conditions.iter().find_map(|e| {
            let ExprKind::Binary(Op::Is, a, b) = &*e.kind else {
                return None;
            };
            let side = |x: i64| {
                let mut at = at.clone();
                at.bind(slot, Sym::Form(Linear::of(x)));
                Some(self.form(a, &at).ok()?.minus(&self.form(b, &at).ok()?))
            };
            let (zero, one) = (side(0)?, side(1)?);
            match one.minus(&zero).constant()? {
                1 => Some(zero.times(-1)),
                -1 => Some(zero),
                _ => None,
            }
        })
    }

    /// The length of the longest code among the arguments, in bytes.
    fn digits(&self) -> i64 {
        let args = &self.instance.rules_arguments;
        let texts = args.iter().filter_map(|v| match v {
            Val::Text(t) => Some(t.len()),
            _ => None,
        });
        texts.max().map_or(0, |n| i64::try_from(n).unwrap_or(0))
    }

    fn conditions(&mut self, i: usize, at: At) -> Result<(), Reason> {
        match self.stage.conditions.get(i) {
            None => self.effects(&at),
            Some(e) => {
                for at in self.truth(e, true, &at)? {
                    self.conditions(i + 1, at)?;
                }
                Ok(())
            }
        }
    }

    /// The value of an expression that does not depend on the heap.
    fn known(&self, e: &Expr, at: &At) -> Option<Val> {
        self.evaluate(e, at, None)
    }

    fn evaluate(&self, e: &Expr, at: &At, stand_in: Option<(Slot, i64)>) -> Option<Val> {
        let mut frame = Frame::default();
        for (i, v) in (0u32..).zip(&at.frame) {
            if let Some(Sym::Known(v)) = v {
                frame.set(Slot(i), v.clone());
            }
        }
        if let Some((slot, k)) = stand_in {
            frame.set(slot, Val::int(k));
        }
        let scope = Scope {
            instance: Some(self.instance),
            ..Scope::default()
        };
        self.ev.eval(e, &mut frame, scope).ok()
    }

    fn form(&self, e: &Expr, at: &At) -> Result<Linear, Reason> {
        let form = self.form_of_any_size(e, at)?;
        match form.is_small() {
            true => Ok(form),
            false => Err("a number is too large".into()),
        }
    }

    fn form_of_any_size(&self, e: &Expr, at: &At) -> Result<Linear, Reason> {
        if let Some(v) = self.known(e, at) {
            let n = v.as_int().and_then(crate::int::Int::to_i64);
            return n
                .map(Linear::of)
                .ok_or_else(|| "a number is too large".into());
        }
        match &*e.kind {
            ExprKind::Slot(s) => match at.frame.get(s.0 as usize) {
                Some(Some(Sym::Form(f))) => Ok(f.clone()),
                _ => Err("a variable is not a number".into()),
            },
            ExprKind::Negative(a) => Ok(self.form(a, at)?.times(-1)),
            ExprKind::Binary(Op::Add, a, b) => Ok(self.form(a, at)?.plus(&self.form(b, at)?)),
            ExprKind::Binary(Op::Subtract, a, b) => Ok(self.form(a, at)?.minus(&self.form(b, at)?)),
            ExprKind::Binary(Op::Multiply, a, b) => {
                let (a, b) = (self.form(a, at)?, self.form(b, at)?);
                match (a.constant(), b.constant()) {
                    (Some(k), _) => Ok(b.times(k)),
                    (_, Some(k)) => Ok(a.times(k)),
                    _ => Err("a number is not linear in the heap".into()),
                }
            }
            _ => Err("a number is not linear in the heap".into()),
        }
    }

    fn effects(&mut self, at: &At) -> Result<(), Reason> {
        let [effect] = &self.stage.effects[..] else {
            return Err("a move does more than replace its heap".into());
        };
        let EffectKind::Replace { heap: 0, heaps } = &effect.kind else {
            return Err("a move does something other than replace its heap".into());
        };
        self.left(heaps, at)
    }

    /// The heaps left. The condition of an `if` becomes a condition of the choice.
    fn left(&mut self, heaps: &Expr, at: &At) -> Result<(), Reason> {
        if let ExprKind::If(phi, a, b) = &*heaps.kind {
            for (side, holds) in [(a, true), (b, false)] {
                for at in self.truth(phi, holds, at)? {
                    self.left(side, &at)?;
                }
            }
            return Ok(());
        }
        let parts = self.list(heaps, at)?;
        if let Some(listing) = &mut self.listing {
            return listing.add(&parts, &at.constraints, &at.tests);
        }
        if self.families.len() >= MAX_FAMILIES {
            return Err("there are too many choices to follow".into());
        }
        self.families.push(Family {
            parts,
            unknowns: at.unknowns,
            constraints: at.constraints.clone(),
        });
        Ok(())
    }

    fn list(&self, e: &Expr, at: &At) -> Result<Vec<Linear>, Reason> {
        match &*e.kind {
            ExprKind::Elements(items) => items.iter().map(|e| self.form(e, at)).collect(),
            ExprKind::Binary(Op::Add, a, b) => {
                let mut parts = self.list(a, at)?;
                parts.extend(self.list(b, at)?);
                Ok(parts)
            }
            _ => {
                let known = self.known(e, at);
                let known = known.as_ref().and_then(Val::elements);
                let Some(known) = known else {
                    return Err("the heaps left are not written out".into());
                };
                let number = |v: &Val| v.as_int().and_then(crate::int::Int::to_i64).map(Linear::of);
                let parts: Option<Vec<Linear>> = known.iter().map(number).collect();
                let parts = parts.filter(|all| all.iter().all(Linear::is_small));
                parts.ok_or_else(|| "a number is too large".into())
            }
        }
    }
}

/// Whether the stage reads a digit at the place given by this variable.
fn asks_digit(stage: &Stage, slot: Slot) -> bool {
    stage.conditions.iter().any(|e| has_digit(e, slot))
}

fn children(e: &Expr) -> Option<Vec<&Expr>> {
    Some(match &*e.kind {
        ExprKind::Integer(_)
        | ExprKind::Bool(_)
        | ExprKind::Text(_)
        | ExprKind::Player(_)
        | ExprKind::Slot(_) => Vec::new(),
        ExprKind::Negative(a) | ExprKind::Not(a) | ExprKind::Fold(_, a) => vec![a],
        ExprKind::Binary(_, a, b) => vec![a, b],
        ExprKind::If(phi, a, b) => vec![phi, a, b],
        ExprKind::Builtin(_, args) | ExprKind::Elements(args) | ExprKind::Tuple(args) => {
            args.iter().collect()
        }
        _ => return None,
    })
}

fn has_digit(e: &Expr, slot: Slot) -> bool {
    if let ExprKind::Builtin(Builtin::Digit, args) = &*e.kind {
        return args
            .iter()
            .any(|a| matches!(&*a.kind, ExprKind::Slot(s) if *s == slot));
    }
    children(e).is_some_and(|c| c.into_iter().any(|e| has_digit(e, slot)))
}

/// Whether the variable occurs only as the place of a digit.
fn only_digits(e: &Expr, slot: Slot) -> bool {
    match &*e.kind {
        ExprKind::Slot(s) => *s != slot,
        ExprKind::Builtin(Builtin::Digit, args) => args
            .iter()
            .all(|a| matches!(&*a.kind, ExprKind::Slot(s) if *s == slot) || only_digits(a, slot)),
        _ => children(e).is_some_and(|c| c.into_iter().all(|e| only_digits(e, slot))),
    }
}
