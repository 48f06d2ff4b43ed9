//! Misère outcomes of heaps without a search. Input: a sum of heaps of one ruleset in which both players have the same moves.
//! Output: who wins, or nothing if no theory below applies.
//!
//! * *The misère quotient of the rule* ([`crate::engine::misere::quotient`]), for taking-and-breaking rules: a sum is a
//!   P-position if and only if the product of the elements of its heaps is one. The quotient is of as many heaps as the sum
//!   needs, or of all heaps where their period is proven. A quotient of many elements takes longer than most searches, so
//!   there is a bound.
//! * *Tame heaps* (Winning Ways, ch. 13), for other rules. A tame position is played like a Nim heap of its genus, also
//!   beside other tame positions. So a sum of tame heaps is a P-position where the sum of these Nim heaps is one: if all have
//!   the genus of a heap of 0 or 1 that is 0^1 or 1^0, an odd number of 1^0; otherwise where the nim-sum is 0 (Bouton 1902).

use super::fault;
use super::heaps::{sizes, taking_in_misere_play};
use super::solve::Solver;
use crate::base::Span;
use crate::engine::misere::quotient::{Limits, Periodic, Unknown, all_heaps};
use crate::engine::sequence::TakingRule;
use crate::game::Shortcut;
use crate::ir::{Instance, Position, Res};
use crate::value::Outcome;
use std::cell::RefCell;
use std::sync::Arc;

/// The most elements of a quotient that is sought in order to say who wins.
const MOST_ELEMENTS: usize = 64;
/// The first heaps to be added to a quotient.
const FIRST_HEAPS: u64 = 16;
/// The largest heap of other rules: their options are listed one by one.
const MOST_COUNTERS: u64 = 1000;
/// The most sums that are examined to find the genus of one heap.
const MOST_SUMS: u64 = 50_000;

/// A ruleset with its rule, if it has one, and the quotient of its heaps, if one was sought.
type Entry = (Arc<Instance>, Option<(TakingRule, Option<Periodic>)>);

/// The quotients that were sought in order to say who wins.
#[derive(Default)]
pub(super) struct HeapQuotients(RefCell<Vec<Entry>>);

impl Solver {
    /// Who wins a sum of heaps in misère play; `None` if it takes a search.
    ///
    /// # Errors
    /// A limit of the run; a rule that fails.
    pub(super) fn heaps_in_misere_play(
        &self,
        position: &Position,
        span: Span,
    ) -> Res<Option<Outcome>> {
        let Some(heaps) = self
            .shortcuts
            .has(Shortcut::Quotients)
            .then(|| heaps_of_one_rule(position))
            .flatten()
        else {
            return Ok(None);
        };
        let p = match self.in_the_quotient(&heaps, span)? {
            None => self.by_tame_heaps(position, &heaps, span)?,
            known => known,
        };
        let wrong = self.fast.plants(Shortcut::Quotients);
        Ok(p.map(|p| {
            if p != wrong {
                Outcome::Previous
            } else {
                Outcome::Next
            }
        }))
    }

    /// Whether heaps are a P-position, by the quotient of their rule; `None` if there is no such rule, or its quotient is too
    /// large.
    fn in_the_quotient(&self, heaps: &Heaps, span: Span) -> Res<Option<bool>> {
        let mut all = self.misere.of_heaps.0.borrow_mut();
        let known = all.iter().position(|(i, _)| *i == heaps.instance);
        let at = known.unwrap_or_else(|| {
            let rule = taking_in_misere_play(&self.model, &heaps.instance).ok();
            all.push((heaps.instance.clone(), rule.map(|r| (r, None))));
            all.len() - 1
        });
        let Some((rule, known)) = &mut all[at].1 else {
            return Ok(None);
        };
        let largest = heaps.sizes.iter().map(|h| h.0).max().unwrap_or(0);
        let reaches = |q: &Periodic| {
            q.period.is_some() || q.stopped.is_some() || q.quotient().parts() as u64 > largest
        };
        if !known.as_ref().is_some_and(reaches) {
            // Somewhat more than is needed, so that heaps that grow one by one do not start anew each time.
            let most = largest.max(FIRST_HEAPS).saturating_add(largest / 4);
            let most = u32::try_from(most).unwrap_or(u32::MAX);
            let limits = Limits {
                order: MOST_ELEMENTS,
                memory: self.limits.memory / 8,
            };
            let found = all_heaps(rule, 0, most, limits, &self.budget(), &mut |_| ());
            if let Some(Unknown::Limit(limit)) = found.stopped
                && self.cancel.is_cancelled()
            {
                return Err(fault::of_limit(limit, span));
            }
            *known = Some(found);
        }
        let Some(found) = known else {
            return Ok(None);
        };
        let quotient = found.quotient();
        let mut product = 0;
        for (size, count) in &heaps.sizes {
            let Some(element) = found.phi(*size) else {
                return Ok(None);
            };
            product = quotient.times(product, quotient.power(element, *count));
        }
        Ok(Some(quotient.is_p(product)))
    }

    /// Whether heaps are a P-position, if each of them is tame; `None` otherwise.
    fn by_tame_heaps(&self, position: &Position, heaps: &Heaps, span: Span) -> Res<Option<bool>> {
        if heaps.sizes.iter().any(|h| h.0 > MOST_COUNTERS) {
            return Ok(None);
        }
        // A rule without an end, or with different moves for the players, has no genus; the search says what is to be said.
        let Ok(word) = self.misere_word(position, span) else {
            return Ok(None);
        };
        let listed = self.misere.listed();
        let mut genera = self.misere.genera();
        let (mut sum, mut all_fickle) = (0, true);
        for part in &word {
            let (found, _) = self
                .budget()
                .lend(MOST_SUMS, |budget| genera.genus(&*listed, &[*part], budget));
            let (genus, tame) = match found {
                Ok(found) => found,
                Err(limit) if self.cancel.is_cancelled() => {
                    return Err(fault::of_limit(limit, span));
                }
                Err(_) => return Ok(None),
            };
            if !tame {
                return Ok(None);
            }
            all_fickle &= genus.misere_nimber(0) != genus.nimber();
            sum ^= genus.nimber();
        }
        Ok(Some((sum == 0) != all_fickle))
    }
}

/// Heaps under one ruleset.
struct Heaps {
    instance: Arc<Instance>,
    /// Sizes, each with the number of heaps of this size.
    sizes: Vec<(u64, u64)>,
}

/// The heaps of a position; `None` if they are under different rulesets, or too many to be counted.
fn heaps_of_one_rule(position: &Position) -> Option<Heaps> {
    let terms = position.terms();
    let instance = terms.first()?.setting.instance.clone();
    let mut all = Vec::new();
    for term in terms {
        if term.setting.instance != instance || term.state.heaps.is_empty() {
            return None;
        }
        let copies = u64::try_from(term.count.to_i64()?).ok()?;
        all.extend(sizes(&term.state)?.into_iter().map(|size| (size, copies)));
    }
    all.sort_unstable();
    let mut counted: Vec<(u64, u64)> = Vec::new();
    for (size, copies) in all {
        match counted.last_mut() {
            Some((last, count)) if *last == size => *count = count.checked_add(copies)?,
            _ => counted.push((size, copies)),
        }
    }
    Some(Heaps {
        instance,
        sizes: counted,
    })
}
