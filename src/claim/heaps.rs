//! Rulesets on heaps come in; the nim-values of their heaps come out, from the sequence of the rule's shape where it has
//! one. The shape is derived from the rule itself ([`crate::ir::heap_rule`]), so the wording of a rule does not matter.

use crate::engine::sequence::{Road, Sequence, Take, TakingRule};
use crate::game::{Cancel, Limit};
use crate::ir::heap_rule::{Reason, Way, ways};
use crate::ir::{Evaluator, Instance, NoHost, State};
use crate::model::typed::Model;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

/// The largest heap that a question about a position may lead to; `seq` goes further.
const MOST_COUNTERS: u64 = 1 << 22;

/// The shape of an impartial rule of taking and breaking.
///
/// # Errors
/// Why the rule has no such shape.
pub fn shape(model: &Model, instance: &Instance) -> Result<TakingRule, Reason> {
    let host = NoHost;
    let ev = Evaluator::new(model, &host).with_steps(5_000_000);
    let all = ways(&ev, instance)?;
    let [first, rest @ ..] = &all[..] else {
        return Err("there are no players".into());
    };
    if rest.len() != 1 {
        return Err("there are not two players".into());
    }
    if rest.iter().any(|w| w != first) {
        return Err("the players take differently".into());
    }
    let take = |w: &Way| Take {
        taken: w.taken,
        heaps: w.heaps,
        distinct: w.distinct,
    };
    TakingRule::new(first.iter().map(take).collect())
        .ok_or_else(|| "more counters may be taken than the tables hold".into())
}

/// How a rule's shape reads: `take 1 and leave 0, 1 or 2 heaps; ..`.
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

/// What is known of each ruleset on heaps, by ruleset and arguments.
#[derive(Debug, Default)]
pub struct Heaps {
    known: Mutex<Vec<(Arc<Instance>, Option<Sequence>)>>,
}

impl Heaps {
    /// The nim-sum of a state's heaps, if the ruleset's rule has a shape and the heaps are not too large.
    ///
    /// # Errors
    /// Cancelled, or a limit.
    pub fn nimber(
        &self,
        model: &Model,
        instance: &Arc<Instance>,
        state: &State,
        cancel: &Cancel,
    ) -> Result<Option<u32>, Limit> {
        let mut known = self.known.lock().unwrap_or_else(|e| e.into_inner());
        let at = match known.iter().position(|(i, _)| i == instance) {
            Some(at) => at,
            None => {
                let sequence = shape(model, instance).ok().map(Sequence::new);
                known.push((instance.clone(), sequence));
                known.len() - 1
            }
        };
        let Some(sequence) = &mut known[at].1 else {
            return Ok(None);
        };
        let mut sum = 0;
        for heap in &state.heaps {
            let size = heap.first().and_then(crate::ir::Int::to_i64);
            let Some(size) = size.and_then(|n| u64::try_from(n).ok()) else {
                return Ok(None);
            };
            if sequence.value(size).is_none() {
                if size > MOST_COUNTERS && sequence.period().is_none() {
                    // Perhaps a period is found before the heap is reached.
                    sequence.extend(MOST_COUNTERS, Road::Sparse, cancel, &mut |_| {})?;
                } else {
                    sequence.extend(size, Road::Sparse, cancel, &mut |_| {})?;
                }
            }
            match sequence.value(size) {
                Some(v) => sum ^= u32::from(v),
                None => return Err(Limit::Nodes),
            }
        }
        Ok(Some(sum))
    }
}
