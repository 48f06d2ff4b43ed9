//! Builds the certificate (witness) of a proven period, which anyone can check (see [`crate::verify`]).

use super::{Period, Sequence, TakingRule};
use crate::verify::{PARTIZAN_THEOREM, PartizanWitness, THEOREM, VERSION, Way, Witness};

/// The witness of a sequence's period; `None` if none was proven.
#[must_use]
pub fn witness(sequence: &Sequence, name: &str) -> Option<Witness> {
    let p = sequence.period()?;
    let needed = usize::try_from(p.needed).ok()?;
    let mut witness = Witness {
        cgdsl_period_witness: VERSION,
        name: name.to_owned(),
        rule: ways(sequence.rule()),
        theorem: THEOREM.to_owned(),
        period: p.period,
        preperiod: p.preperiod,
        heaps: p.heaps,
        taken: p.taken,
        checked: p.checked,
        values: sequence.values().get(..needed)?.to_vec(),
        hash: String::new(),
    };
    witness.hash = witness.right_hash();
    Some(witness)
}

fn ways(rule: &TakingRule) -> Vec<Way> {
    let takes = rule.takes().iter();
    takes
        .map(|t| Way {
            taken: t.taken,
            heaps: t.heaps,
        })
        .collect()
}

/// The witness of a partizan rule's period; `None` if there are fewer values than it needs. `values` are numbers that are
/// equal exactly if the values are.
#[must_use]
pub fn partizan_witness(
    name: &str,
    left: &TakingRule,
    right: &TakingRule,
    period: &Period,
    values: &[u16],
) -> Option<PartizanWitness> {
    let needed = values.get(..usize::try_from(period.needed).ok()?)?;
    let least = |v: &u16| needed.iter().position(|w| w == v);
    let same_as = needed.iter().map(|v| u32::try_from(least(v)?).ok());
    let mut witness = PartizanWitness {
        cgdsl_partizan_witness: VERSION,
        name: name.to_owned(),
        left: ways(left),
        right: ways(right),
        theorem: PARTIZAN_THEOREM.to_owned(),
        period: period.period,
        preperiod: period.preperiod,
        taken: period.taken,
        checked: period.checked,
        same_as: same_as.collect::<Option<_>>()?,
        hash: String::new(),
    };
    witness.hash = witness.right_hash();
    Some(witness)
}
