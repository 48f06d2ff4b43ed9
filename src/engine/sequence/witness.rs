//! A sequence with a proven period comes in, the witness that anyone can check comes out (see [`crate::verify`]).

use super::Sequence;
use crate::verify::{THEOREM, VERSION, Way, Witness};

/// The witness of a sequence's period; `None` if none was proven.
#[must_use]
pub fn witness(sequence: &Sequence, name: &str) -> Option<Witness> {
    let p = sequence.period()?;
    let needed = usize::try_from(p.needed).ok()?;
    let takes = sequence.rule().takes().iter();
    let mut witness = Witness {
        cgdsl_period_witness: VERSION,
        name: name.to_owned(),
        rule: takes
            .map(|t| Way {
                taken: t.taken,
                heaps: t.heaps,
            })
            .collect(),
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
