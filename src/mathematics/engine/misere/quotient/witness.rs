//! Builds the certificates that `verify` checks: of a quotient, and of a proof that a quotient is infinite.

use super::super::{Closed, Word, listed::Listed};
use super::{Graded, Learner, Period, Quotient};
use crate::engine::sequence::TakingRule;
use crate::verify::{
    INFINITE_THEOREM, InfiniteWitness, Parts, QUOTIENT_THEOREM, QuotientPeriod, QuotientWitness,
    VERSION, Way,
};

/// The certificate of the heaps that were added, and of all heaps if a period is given. `None` for rules with both
/// different and arbitrary heaps.
#[must_use]
pub fn of_heaps(
    name: &str,
    rule: &TakingRule,
    learner: &Learner,
    period: Option<Period>,
) -> Option<QuotientWitness> {
    Some(witness(name, heaps(rule)?, learner, period))
}

/// The heaps of a rule as the format has them.
fn heaps(rule: &TakingRule) -> Option<Parts> {
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
    Some(match different {
        true => Parts::DifferentHeaps(ways),
        false => Parts::Heaps(ways),
    })
}

/// The first `known` of some listed parts as the format has them.
fn first_parts(listed: &Listed, known: usize) -> Parts {
    let of = |part: u32| listed.of(part).iter().map(|w: &Word| w.to_vec()).collect();
    Parts::Listed((0..known.min(listed.len()) as u32).map(of).collect())
}

/// The certificate of listed parts.
#[must_use]
pub fn of_listed(name: &str, listed: &Listed, learner: &Learner) -> QuotientWitness {
    let parts = first_parts(listed, learner.quotient().parts());
    witness(name, parts, learner, None)
}

/// The certificate that the quotient of the heaps of a rule is infinite. `None` as for [`of_heaps`].
#[must_use]
pub fn infinite_of_heaps(
    name: &str,
    rule: &TakingRule,
    graded: &Graded,
) -> Option<InfiniteWitness> {
    Some(infinite(name, heaps(rule)?, graded))
}

/// The certificate that the quotient of listed parts is infinite.
#[must_use]
pub fn infinite_of_listed(name: &str, listed: &Listed, graded: &Graded) -> InfiniteWitness {
    infinite(name, first_parts(listed, graded.phi().len()), graded)
}

fn infinite(name: &str, parts: Parts, graded: &Graded) -> InfiniteWitness {
    let all = || 0..graded.order() as u16;
    let mut generators: Vec<u16> = graded.phi().iter().map(|p| p.0).collect();
    generators.sort_unstable();
    generators.dedup();
    let action = |g: &u16| all().map(|y| graded.times(y, *g)).collect();
    let (bound, period) = graded.range();
    let listed = -bound - period..bound + period;
    let set = |x| listed.clone().filter(|d| graded.is_p(x, *d)).collect();
    let mut witness = InfiniteWitness {
        cgdsl_infinite_quotient_witness: VERSION,
        name: name.to_owned(),
        parts,
        theorem: INFINITE_THEOREM.to_owned(),
        order: graded.order() as u64,
        actions: generators.iter().filter(|g| **g != 0).map(action).collect(),
        phi: graded.phi().to_vec(),
        bound,
        period,
        sets: all().map(set).collect(),
        pair: graded.pair(),
        left_out: graded.left_out(),
        hash: String::new(),
    };
    witness.hash = witness.right_hash();
    witness
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
