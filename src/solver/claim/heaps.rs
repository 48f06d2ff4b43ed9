//! Nim-values of rulesets on heaps, from the sequence of the rule if it has a known shape. The shape is derived from the
//! compiled rule ([`crate::ir::heap_rule`]), so the wording of a rule does not matter.

use crate::engine::affine::heaps::EntailingRule;
use crate::engine::sequence::amounts::{AmountRule, AmountSequence, Amounts};
use crate::engine::sequence::listed::{Group, ListedRule, ListedSequence};
use crate::engine::sequence::{Road, Sequence, Take, TakingRule};
use crate::game::{Cancel, Limit};
use crate::ir::heap_rule::{
    Amounts as Set, Reason, TOO_MUCH_WORK, Way, entailing_ways, listed, reductions, ways,
};
use crate::ir::{Evaluator, Instance, Int, NoHost, State};
use crate::model::typed::Model;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex};

/// The largest heap whose value is computed for a position; `seq` goes further.
const MOST_COUNTERS: u64 = 1 << 22;

/// The shape of a rule on heaps.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Shape {
    /// Taking and breaking: a finite list of ways.
    Taking(TakingRule),
    /// At most one heap is left, and the amounts that may be taken are unbounded.
    Amounts(AmountRule),
    /// At most one heap is left, and the amounts that may be taken were tried one by one up to a bound.
    Listed(ListedRule),
    /// The players have different finite lists of ways, Left's and Right's, and leave at most one heap.
    Partizan(TakingRule, TakingRule),
}

/// Amounts are tried one by one at least up to this bound, so that the rule can be described.
const LEAST_TRIED: u64 = 32;
/// Amounts are tried one by one at most up to this bound.
const MOST_TRIED: u64 = 1 << 20;

/// The shape of a rule, for heaps up to a size. If it has no other shape, the amounts that may be taken are tried one by one
/// up to that size, or as far as possible.
///
/// # Errors
/// The reason why the rule has no shape.
pub fn shape_up_to(
    model: &Model,
    instance: &Instance,
    size: u64,
    cancel: &Cancel,
) -> Result<Shape, Reason> {
    shape(model, instance).or_else(|why| {
        let listed = amounts_up_to(model, instance, size, cancel);
        listed.map(Shape::Listed).map_err(|_| why)
    })
}

/// The taking-and-breaking rule of a ruleset in which both players have the same moves, for misère play. Rules of normal play
/// are treated as if they had the clause `play misere`.
///
/// # Errors
/// The reason why there is no such rule.
pub fn taking_in_misere_play(model: &Model, instance: &Instance) -> Result<TakingRule, Reason> {
    if instance.players.len() != 2 {
        return Err("there are not two players".into());
    }
    let host = NoHost;
    same_for_both(&ways(&evaluator(model, &host), instance)?)
}

/// The rule of two players who have the same ways to move.
fn same_for_both(all: &[Vec<Way>]) -> Result<TakingRule, Reason> {
    let rules: Option<Vec<TakingRule>> = all.iter().map(|ways| taking(ways)).collect();
    match rules.as_deref() {
        Some([left, right]) if left == right => Ok(left.clone()),
        Some(_) => Err("the players take differently".into()),
        None => Err(TOO_MANY_COUNTERS.into()),
    }
}

/// The rule of a ruleset with `entail` in which both players have the same moves.
///
/// # Errors
/// The reason why it does not only take and break, or the players differ.
pub fn entailing(model: &Model, instance: &Instance) -> Result<EntailingRule, Reason> {
    if instance.players.len() != 2 {
        return Err("there are not two players".into());
    }
    let host = NoHost;
    let [free, answered] = entailing_ways(&evaluator(model, &host), instance)?;
    EntailingRule::new(same_for_both(&free)?, same_for_both(&answered)?)
        .ok_or_else(|| "a move that must be answered leaves several heaps".into())
}

/// The evaluator that shapes are derived with.
fn evaluator<'m>(model: &'m Model, host: &'m NoHost) -> Evaluator<'m> {
    Evaluator::new(model, host)
        .with_steps(5_000_000)
        .with_constants()
}

const NOT_LAST: &str = "who wins is not who moves last";
const TOO_MANY_COUNTERS: &str = "more counters may be taken than the tables hold";

/// The shape of a rule that is valid for all heaps.
fn shape(model: &Model, instance: &Instance) -> Result<Shape, Reason> {
    let host = NoHost;
    let ev = evaluator(model, &host);
    if instance.players.len() != 2 {
        return Err("there are not two players".into());
    }
    if !instance.has_values() {
        return Err(NOT_LAST.into());
    }
    let why = match ways(&ev, instance) {
        Ok(all) => {
            let rules: Option<Vec<TakingRule>> = all.iter().map(|ways| taking(ways)).collect();
            let Some([left, right]) = rules.and_then(|r| <[TakingRule; 2]>::try_from(r).ok())
            else {
                return Err(TOO_MANY_COUNTERS.into());
            };
            if left == right {
                return Ok(Shape::Taking(left));
            }
            if left.most_heaps().max(right.most_heaps()) == 1 {
                return Ok(Shape::Partizan(left, right));
            }
            return Err("the players take differently".into());
        }
        Err(why) => why,
    };
    match reductions(&ev, instance).as_deref() {
        Ok([left, right]) if left == right => {
            let amounts = |a: &Set| Amounts {
                listed: a.listed.clone(),
                all_but: a.all_but,
            };
            Ok(Shape::Amounts(AmountRule {
                partly: amounts(&left.partly),
                wholly: amounts(&left.wholly),
            }))
        }
        Ok(_) => Err("the players take differently".into()),
        Err(_) => Err(why),
    }
}

/// The most steps of evaluation for a list of amounts (some seconds).
const LISTING_STEPS: u64 = 100_000_000;

/// The smallest bound worth a list.
const LEAST_BOUND: u32 = 1000;

/// The amounts that may be taken from heaps up to a size, for rules that leave at most one heap. They are tried one by one,
/// up to a smaller bound if that is too much work.
fn amounts_up_to(
    model: &Model,
    instance: &Instance,
    size: u64,
    cancel: &Cancel,
) -> Result<ListedRule, Reason> {
    let host = NoHost;
    let mut bound = u32::try_from(size.clamp(LEAST_TRIED, MOST_TRIED)).unwrap_or(u32::MAX);
    if instance.players.len() != 2 {
        return Err("there are not two players".into());
    }
    if !instance.has_values() {
        return Err(NOT_LAST.into());
    }
    let mut all = loop {
        let ev = Evaluator::new(model, &host)
            .with_steps(LISTING_STEPS)
            .with_constants()
            .with_cancel(cancel.clone());
        match listed(&ev, instance, bound) {
            Err(why) if why == TOO_MUCH_WORK && bound / 4 >= LEAST_BOUND => bound /= 4,
            other => break other?,
        }
    };
    let (Some(right), Some(left)) = (all.pop(), all.pop()) else {
        return Err("there are not two players".into());
    };
    if left != right {
        return Err("the players take differently".into());
    }
    let groups = left.groups.into_iter().map(|g| Group {
        taken: g.taken,
        left: g.left,
        heaps: g.heaps,
    });
    Ok(ListedRule {
        groups: groups.collect(),
        bound,
    })
}

/// The rule in words, with the method for its nimbers, if they come from a sequence.
#[must_use]
pub fn road_in_words(model: &Model, instance: &Instance, cancel: &Cancel) -> Option<String> {
    /// The largest heap for the description on a card.
    const TOLD: u64 = 64;
    if instance.rules.entails() {
        let rule = entailing(model, instance).ok()?;
        return Some(format!(
            "{}: values heap by heap",
            entailing_in_words(&rule)
        ));
    }
    let words = match shape_up_to(model, instance, TOLD, cancel).ok()? {
        Shape::Taking(rule) => with_code(&rule),
        Shape::Amounts(rule) => amounts_in_words(&rule),
        Shape::Partizan(..) => return None,
        Shape::Listed(rule) => {
            let words = listed_in_words(&rule);
            return Some(format!(
                "{words}: nimbers by their sequence, as far as the numbers can be tried"
            ));
        }
    };
    Some(format!("{words}: nimbers by their sequence"))
}

/// The same for misère play.
#[must_use]
pub fn misere_road_in_words(model: &Model, instance: &Instance) -> Option<String> {
    let rule = taking_in_misere_play(model, instance).ok()?;
    Some(format!(
        "{}: who wins by the misère quotient, as far as it is found",
        with_code(&rule)
    ))
}

/// A rule with `entail` in words: `take 0 and leave 2 heaps; take 1 and leave 1 heap, where the answer must be made`.
#[must_use]
pub fn entailing_in_words(rule: &EntailingRule) -> String {
    let [free, answered] = rule.ways().map(in_words);
    match rule.ways()[0].takes() {
        [] => format!("{answered}, where the answer must be made"),
        _ => format!("{free}; {answered}, where the answer must be made"),
    }
}

/// A rule in words, with its code if it has one.
#[must_use]
pub fn with_code(rule: &TakingRule) -> String {
    let code = rule.code();
    let code = code.map_or(String::new(), |c| format!(" (code {c})"));
    format!("{}{code}", in_words(rule))
}

/// The rule in words: `take 2, 3, 5, 7, .. (tried for each number up to 1000)`.
#[must_use]
pub fn listed_in_words(rule: &ListedRule) -> String {
    const SHOWN: usize = 8;
    let amounts = rule.amounts(SHOWN + 1);
    if amounts.is_empty() {
        return format!("no moves from the heaps up to {}", rule.bound);
    }
    let more = if amounts.len() > SHOWN { ", .." } else { "" };
    let shown: Vec<String> = amounts.iter().take(SHOWN).map(u32::to_string).collect();
    let each = match rule.same_for_all_heaps() {
        true => "",
        false => ", not each from every heap",
    };
    format!(
        "take {}{more}{each} (tried for each number up to {})",
        shown.join(", "),
        rule.bound
    )
}

fn taking(ways: &[Way]) -> Option<TakingRule> {
    let take = |w: &Way| Take {
        taken: w.taken,
        heaps: w.heaps,
        distinct: w.distinct,
    };
    TakingRule::new(ways.iter().map(take).collect())
}

/// The rule of a subtraction game in words: `take 1 or 3`; other rules as in [`in_words`].
#[must_use]
pub fn subtraction_in_words(rule: &TakingRule) -> String {
    if !rule.counts_empty_heaps() || rule.most_heaps() > 1 || rule.takes().is_empty() {
        return in_words(rule);
    }
    let heap = rule.takes().iter().filter(|t| t.heaps == 1);
    let listed: Vec<String> = heap.map(|t| t.taken.to_string()).collect();
    format!("take {}", or(&listed))
}

/// `1, 2 or 3`
fn or(listed: &[String]) -> String {
    match listed {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} or {last}", first.join(", ")),
    }
}

/// A rule with unbounded amounts in words: `take any number but 2`.
#[must_use]
pub fn amounts_in_words(rule: &AmountRule) -> String {
    // `None` if nothing may be taken.
    let words = |a: &Amounts| {
        let listed: Vec<String> = a.listed.iter().map(u32::to_string).collect();
        let list = or(&listed);
        match (a.all_but, a.listed.is_empty()) {
            (true, true) => Some("any number".to_owned()),
            (true, false) => Some(format!("any number but {list}")),
            (false, true) => None,
            (false, false) => Some(list),
        }
    };
    match (words(&rule.partly), words(&rule.wholly)) {
        (None, None) => "no moves at all".to_owned(),
        (Some(partly), None) => format!("take {partly} and leave a heap"),
        (None, Some(wholly)) => format!("take {wholly} and leave none"),
        (Some(partly), Some(wholly)) if partly == wholly => format!("take {partly}"),
        (Some(partly), Some(wholly)) => {
            format!("take {partly} and leave a heap; take {wholly} and leave none")
        }
    }
}

/// A taking and breaking rule in words: `take 1 and leave 0, 1 or 2 heaps; ..`.
#[must_use]
pub fn in_words(rule: &TakingRule) -> String {
    let mut by_taken: BTreeMap<u32, Vec<String>> = BTreeMap::new();
    for t in rule.takes() {
        let distinct = if t.distinct {
            " of different sizes"
        } else {
            ""
        };
        by_taken
            .entry(t.taken)
            .or_default()
            .push(format!("{}{distinct}", t.heaps));
    }
    let ways: Vec<String> = by_taken
        .into_iter()
        .map(|(taken, heaps)| match heaps.split_last() {
            Some((last, [])) => {
                let s = if last == "1" { "" } else { "s" };
                match last.strip_suffix(" of different sizes") {
                    Some(n) => format!("take {taken} and leave {n} heaps of different sizes"),
                    None => format!("take {taken} and leave {last} heap{s}"),
                }
            }
            Some((last, first)) => {
                format!(
                    "take {taken} and leave {} or {last} heaps",
                    first.join(", ")
                )
            }
            None => String::new(),
        })
        .collect();
    if ways.is_empty() {
        "no moves at all".to_owned()
    } else {
        ways.join("; ")
    }
}

/// The sequences of rulesets on heaps, by ruleset and arguments.
#[derive(Debug, Default)]
pub struct Heaps {
    known: Mutex<Vec<Entry>>,
}

/// What is known of a ruleset with its arguments.
#[derive(Debug)]
struct Entry {
    instance: Arc<Instance>,
    sequence: Option<Known>,
    /// The least bound wanted in vain. From it on, the general search is used; a smaller bound may still succeed.
    failed: Option<u64>,
}

/// The bound up to which amounts would be tried for a heap of this size, which is below 2^63.
fn wanted(size: u64) -> u64 {
    size.max(LEAST_TRIED).next_power_of_two()
}

#[derive(Debug)]
enum Known {
    Taking(Box<Sequence>),
    Amounts(Box<AmountSequence>),
    /// The amounts were tried one by one, up to a bound.
    Listed(Box<ListedSequence>),
}

/// The most bytes of the sets for a listed sequence.
const TRIED_MEMORY: usize = 1 << 28;

impl Known {
    /// The sequence of a rule that reaches a heap of this size; `None` if there is none.
    fn of(
        model: &Model,
        instance: &Instance,
        size: u64,
        cancel: &Cancel,
    ) -> Result<Option<Known>, Limit> {
        let bound = wanted(size).min(MOST_TRIED);
        let shape = shape_up_to(model, instance, bound, cancel);
        if let Some(limit) = cancel.limit() {
            return Err(limit);
        }
        let found = match shape {
            Ok(Shape::Taking(rule)) => Known::Taking(Box::new(Sequence::new(rule))),
            Ok(Shape::Amounts(rule)) => Known::Amounts(Box::new(AmountSequence::new(rule))),
            Ok(Shape::Listed(rule)) => {
                let mut sequence = ListedSequence::new(rule, false);
                sequence.limit_memory(TRIED_MEMORY);
                Known::Listed(Box::new(sequence))
            }
            Ok(Shape::Partizan(..)) | Err(_) => return Ok(None),
        };
        Ok(Some(found).filter(|known| known.reaches(size)))
    }

    /// Whether a heap of this size is in the table or can be added to it.
    fn reaches(&self, size: u64) -> bool {
        match self {
            Known::Listed(s) => size <= u64::from(s.rule().bound),
            Known::Taking(_) | Known::Amounts(_) => true,
        }
    }

    /// The nim-value of a heap; `None` if it is too large to compute.
    fn value(&mut self, size: u64, cancel: &Cancel) -> Result<Option<u32>, Limit> {
        // A period may be found before the heap is reached.
        let far = size.min(MOST_COUNTERS);
        match self {
            Known::Taking(s) => {
                if s.value(size).is_none() {
                    s.extend(far, Road::Sparse, cancel, &mut |_| {})?;
                }
                Ok(s.value(size).map(u32::from))
            }
            Known::Amounts(s) => {
                if s.value(size).is_none() {
                    s.extend(far, cancel, &mut |_| {})?;
                }
                Ok(s.value(size).and_then(|v| u32::try_from(v).ok()))
            }
            Known::Listed(s) => {
                if size > u64::from(s.rule().bound) {
                    return Ok(None);
                }
                s.extend(size, cancel, &mut |_| {})?;
                let at = usize::try_from(size).ok();
                Ok(at.and_then(|n| s.values().get(n).copied()))
            }
        }
    }
}

impl Entry {
    /// The sequence, if it reaches a heap of this size.
    fn reaching(
        &mut self,
        model: &Model,
        size: u64,
        cancel: &Cancel,
    ) -> Result<Option<&mut Known>, Limit> {
        if !self.sequence.as_ref().is_some_and(|s| s.reaches(size)) {
            let wanted = wanted(size);
            if self.failed.is_some_and(|failed| failed <= wanted) {
                return Ok(None);
            }
            // A sequence for smaller heaps is kept if there is none for this one.
            match Known::of(model, &self.instance, size, cancel)? {
                Some(found) => self.sequence = Some(found),
                None => {
                    self.failed = Some(wanted);
                    return Ok(None);
                }
            }
        }
        Ok(self.sequence.as_mut())
    }
}

/// The sizes of a state's heaps; `None` unless they are numbers below 2^63.
pub(super) fn sizes(state: &State) -> Option<Vec<u64>> {
    let size = |h: &Vec<Int>| u64::try_from(h.first()?.to_i64()?).ok();
    state.heaps.iter().map(size).collect()
}

/// The options of a sum of heaps, counted without listing them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Options {
    /// The number of options.
    pub count: u64,
    /// The number of options that win.
    pub winning: u64,
    /// The heaps of the first winning options.
    pub first: Vec<Vec<u64>>,
}

/// The most ways to leave heaps that are examined for the options of one heap.
const MOST_WAYS: u64 = 1 << 26;

impl Options {
    fn meet(&mut self, wins: bool, shown: usize, heaps: impl FnOnce() -> Vec<u64>) {
        self.count += 1;
        if wins {
            self.winning += 1;
            if self.first.len() < shown {
                self.first.push(heaps());
            }
        }
    }

    /// Adds the options that move in the heap `n`; the other heaps are `rest`, with nim-sum `others`.
    fn of_taking(&mut self, s: &Sequence, n: u64, others: u16, rest: &[u64], shown: usize) {
        let g = |n: u64| s.value(n).unwrap_or(u16::MAX);
        let with = |new: &[u64]| [rest, new].concat();
        for take in s.rule().takes() {
            let Some(left) = n.checked_sub(u64::from(take.taken)) else {
                continue;
            };
            match take.heaps {
                0 if left == 0 => self.meet(others == 0, shown, || with(&[])),
                1 if left > 0 => self.meet(g(left) == others, shown, || with(&[left])),
                2 => {
                    for a in 1..=left / 2 {
                        let b = left - a;
                        if !take.distinct || a != b {
                            self.meet(g(a) ^ g(b) == others, shown, || with(&[a, b]));
                        }
                    }
                }
                3 => {
                    for a in 1..=left / 3 {
                        for b in a..=(left - a) / 2 {
                            let c = left - a - b;
                            if !take.distinct || (a != b && b != c) {
                                let wins = g(a) ^ g(b) ^ g(c) == others;
                                self.meet(wins, shown, || with(&[a, b, c]));
                            }
                        }
                    }
                }
                _ => {}
            }
        }
    }

    fn of_listed(&mut self, s: &ListedSequence, n: u64, others: u32, rest: &[u64], shown: usize) {
        let heap = usize::try_from(n).unwrap_or(usize::MAX);
        let mut left = BTreeSet::new();
        for g in s.rule().groups.iter().filter(|g| g.moves_in(heap)) {
            let taken = g.taken.iter().map(|t| *t as usize);
            let all = taken.filter_map(|t| heap.checked_sub(t));
            left.extend(all.filter(|m| g.leaves(*m)));
        }
        for left in left {
            let wins = s.values().get(left) == Some(&others);
            self.meet(wins, shown, || [rest, &[left as u64]].concat());
        }
    }

    fn of_amounts(&mut self, s: &AmountSequence, n: u64, others: u64, rest: &[u64], shown: usize) {
        for left in 0..n {
            let rule = s.rule();
            let may = if left == 0 {
                &rule.wholly
            } else {
                &rule.partly
            };
            if usize::try_from(n - left).is_ok_and(|taken| may.has(taken)) {
                let wins = s.value(left) == Some(others);
                self.meet(wins, shown, || [rest, &[left]].concat());
            }
        }
    }
}

impl Heaps {
    /// The options of a sum of heaps: their number, the number that win, and the first `shown` of these. `None` if the rule
    /// has no shape, or there are too many to examine.
    ///
    /// # Errors
    /// As for [`Heaps::nimber`].
    pub fn options(
        &self,
        model: &Model,
        instance: &Arc<Instance>,
        state: &State,
        shown: usize,
        cancel: &Cancel,
    ) -> Result<Option<Options>, Limit> {
        let Some(whole) = self.nimber(model, instance, state, cancel)? else {
            return Ok(None);
        };
        let Some(sizes) = sizes(state) else {
            return Ok(None);
        };
        let mut known = self.known.lock().unwrap_or_else(|e| e.into_inner());
        let found = known.iter_mut().find(|e| e.instance == *instance);
        let Some(known) = found.and_then(|e| e.sequence.as_mut()) else {
            return Ok(None);
        };
        let ways = |n: u64| match &*known {
            Known::Amounts(_) => n,
            Known::Listed(s) => n.saturating_mul(s.rule().groups.len() as u64),
            Known::Taking(s) => {
                let each = match s.rule().most_heaps() {
                    3 => n.saturating_mul(n),
                    _ => n,
                };
                each.saturating_mul(s.rule().takes().len() as u64)
            }
        };
        if sizes.iter().any(|n| ways(*n) > MOST_WAYS) {
            return Ok(None);
        }
        let mut options = Options {
            count: 0,
            winning: 0,
            first: Vec::new(),
        };
        for (i, n) in sizes.iter().enumerate() {
            // Equal heaps have the same options.
            if sizes[..i].contains(n) {
                continue;
            }
            if let Some(limit) = cancel.limit() {
                return Err(limit);
            }
            let mut rest = sizes.clone();
            rest.remove(i);
            let own = known.value(*n, cancel)?.unwrap_or(0);
            let others = whole ^ own;
            match known {
                Known::Taking(s) => {
                    let others = u16::try_from(others).unwrap_or(u16::MAX);
                    options.of_taking(s, *n, others, &rest, shown);
                }
                Known::Amounts(s) => options.of_amounts(s, *n, u64::from(others), &rest, shown),
                Known::Listed(s) => options.of_listed(s, *n, others, &rest, shown),
            }
        }
        Ok(Some(options))
    }

    /// The nim-sum of a state's heaps; `None` if the ruleset has no shape.
    ///
    /// # Errors
    /// Cancellation, or a limit; also `Limit::Nodes` if a heap is too large.
    pub fn nimber(
        &self,
        model: &Model,
        instance: &Arc<Instance>,
        state: &State,
        cancel: &Cancel,
    ) -> Result<Option<u32>, Limit> {
        let mut known = self.known.lock().unwrap_or_else(|e| e.into_inner());
        let at = known.iter().position(|e| e.instance == *instance);
        let Some(sizes) = sizes(state) else {
            return Ok(None);
        };
        let largest = sizes.iter().copied().max().unwrap_or(0);
        let at = at.unwrap_or_else(|| {
            known.push(Entry {
                instance: instance.clone(),
                sequence: None,
                failed: None,
            });
            known.len() - 1
        });
        let Some(sequence) = known[at].reaching(model, largest, cancel)? else {
            return Ok(None);
        };
        let mut sum = 0;
        for size in sizes {
            match sequence.value(size, cancel)? {
                Some(v) => sum ^= v,
                None => return Err(Limit::Nodes),
            }
        }
        Ok(Some(sum))
    }
}
