//! Builds the certificate of a quotient that `verify` checks.

use super::super::{Closed, Word, listed::Listed};
use super::{Learner, Period, Quotient};
use crate::engine::sequence::TakingRule;
use crate::verify::{Parts, QUOTIENT_THEOREM, QuotientPeriod, QuotientWitness, VERSION, Way};

/// The certificate of the heaps that were added, and of all heaps if a period is given. `None` for rules with both different
/// and arbitrary heaps.
#[must_use]
pub fn of_heaps(
    name: &str,
    rule: &TakingRule,
    learner: &Learner,
    period: Option<Period>,
) -> Option<QuotientWitness> {
    let different = rule.takes().iter().any(|t| t.distinct && t.heaps > 1);
    // The format has no rules that mix the two kinds.
    if different && rule.takes().iter().any(|t| !t.distinct && t.heaps > 1) {
        return None;
    }
    let ways = rule.takes().iter().map(|t| Way {
        taken: t.taken,
        heaps: t.heaps,
    });
    let ways = ways.collect();
    let parts = match different {
        true => Parts::DifferentHeaps(ways),
        false => Parts::Heaps(ways),
    };
    Some(witness(name, parts, learner, period))
}

/// The certificate of listed parts.
#[must_use]
pub fn of_listed(name: &str, listed: &Listed, learner: &Learner) -> QuotientWitness {
    let known = learner.quotient().parts().min(listed.len()) as u32;
    let of = |part: u32| listed.of(part).iter().map(|w: &Word| w.to_vec()).collect();
    witness(
        name,
        Parts::Listed((0..known).map(of).collect()),
        learner,
        None,
    )
}

fn witness(name: &str, parts: Parts, learner: &Learner, period: Option<Period>) -> QuotientWitness {
    let q: &Quotient = learner.quotient();
    let all = || 0..q.order() as u16;
    let action = |g: &u32| {
        let x = q.phi(*g).unwrap_or(0);
        all().map(|y| q.times(y, x)).collect()
    };
    let mut witness = QuotientWitness {
        cgdsl_quotient_witness: VERSION,
        name: name.to_owned(),
        parts,
        theorem: QUOTIENT_THEOREM.to_owned(),
        order: q.order() as u64,
        generators: q.generators().to_vec(),
        actions: q.generators().iter().map(action).collect(),
        p: all().filter(|x| q.is_p(*x)).collect(),
        phi: q.all_phi().to_vec(),
        sets: learner.greatest(),
        period: period.map(|p| QuotientPeriod {
            period: p.period,
            preperiod: p.preperiod,
            checked: p.checked,
        }),
        hash: String::new(),
    };
    witness.hash = witness.right_hash();
    witness
}
