//! The plain method: computes the next values of a rule by the definition. It takes quadratic time (cubic if three heaps may
//! be left) and is the reference for the other methods.

use super::{Stop, Take, TakingRule};
use crate::game::Cancel;

/// Marks every nim-value that a heap of `n` can reach by one way. Three heaps take quadratic time, so there the token is
/// checked.
pub(super) fn mark(
    take: Take,
    n: usize,
    values: &[u16],
    seen: &mut Seen,
    cancel: &Cancel,
) -> Result<(), Stop> {
    if take.heaps < 3 {
        mark_few(take, n, values, seen);
        return Ok(());
    }
    let rest = n.saturating_sub(take.taken as usize);
    for a in 1..=rest / 3 {
        if let Some(reason) = cancel.reason() {
            return Err(Stop::Cancelled(reason));
        }
        for b in a..=(rest - a) / 2 {
            let c = rest - a - b;
            if !take.distinct || (a != b && b != c) {
                seen.mark(values[a] ^ values[b] ^ values[c]);
            }
        }
    }
    Ok(())
}

/// The same for a way that leaves at most two heaps.
pub(super) fn mark_few(take: Take, n: usize, values: &[u16], seen: &mut Seen) {
    let Some(rest) = n.checked_sub(take.taken as usize) else {
        return;
    };
    match take.heaps {
        0 => {
            if rest == 0 {
                seen.mark(0);
            }
        }
        1 => {
            if rest > 0 {
                seen.mark(values[rest]);
            }
        }
        _ => {
            for a in 1..=rest / 2 {
                let b = rest - a;
                if !take.distinct || a != b {
                    seen.mark(values[a] ^ values[b]);
                }
            }
        }
    }
}

/// A set of nim-values that is cleared in constant time, except every 255th time.
#[derive(Clone, Debug)]
pub(super) struct Seen {
    stamp: u8,
    stamps: Box<[u8; 1 << 16]>,
}

impl Default for Seen {
    fn default() -> Seen {
        Seen {
            stamp: 0,
            stamps: Box::new([0; 1 << 16]),
        }
    }
}

impl Seen {
    pub(super) fn clear(&mut self) {
        if self.stamp == u8::MAX {
            self.stamps.fill(0);
            self.stamp = 0;
        }
        self.stamp += 1;
    }

    #[inline]
    pub(super) fn mark(&mut self, value: u16) {
        self.stamps[usize::from(value)] = self.stamp;
    }

    #[inline]
    pub(super) fn has(&self, value: u16) -> bool {
        self.stamps[usize::from(value)] == self.stamp
    }

    /// The least value that is not in the set. Nim-values of 2^15 and more are not stored, so that nim-sums fit.
    pub(super) fn mex(&self) -> Result<u16, Stop> {
        (0..1 << 15).find(|v| !self.has(*v)).ok_or(Stop::Value)
    }
}

/// Appends values until there are `length`.
pub(super) fn extend(
    rule: &TakingRule,
    seen: &mut Seen,
    values: &mut Vec<u16>,
    length: usize,
    cancel: &Cancel,
) -> Result<(), Stop> {
    while values.len() < length {
        let n = values.len();
        seen.clear();
        for take in rule.takes() {
            mark(*take, n, values, seen, cancel)?;
        }
        values.push(seen.mex()?);
    }
    Ok(())
}
