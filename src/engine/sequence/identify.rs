//! A sequence comes in; the octal games that it agrees with, as far as was compared, come out. Agreement up to a bound is
//! no proof of equality, and is never called one.

use super::{Road, Sequence, Stop, TakingRule};
use crate::game::Cancel;

/// The greatest shift that is tried.
const MOST_SHIFT: u64 = 3;

/// Agreement with another game.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Match {
    /// By how much the sequence is shifted against the other: G(n + shift) here is G(n) there; negative the other way.
    pub shift: i64,
    /// The other game's code.
    pub code: String,
    /// The values were compared for so many n.
    pub compared: u64,
}

/// All octal codes of up to three digits, in order, each once (trailing zeros are left out).
pub fn octal_codes() -> impl Iterator<Item = String> {
    (1..512u32).filter_map(|k| {
        let code = format!("0.{}{}{}", k >> 6, k >> 3 & 7, k & 7);
        Some(code.trim_end_matches('0').to_owned()).filter(|c| c.len() > 2)
    })
}

/// The first n at which two sequences differ, each read from its own start; `None` if they agree as far as both are known.
#[must_use]
pub fn first_difference(a: &Sequence, from_a: u64, b: &Sequence, from_b: u64) -> Option<u64> {
    let known = |s: &Sequence, from: u64| (s.values().len() as u64).saturating_sub(from);
    let both = known(a, from_a).min(known(b, from_b));
    (0..both).find(|n| a.value(from_a + n) != b.value(from_b + n))
}

/// The octal games of up to three digits that the sequence agrees with, perhaps shifted, for `length` values.
///
/// # Errors
/// Cancelled.
pub fn identify(sequence: &Sequence, length: u64, cancel: &Cancel) -> Result<Vec<Match>, Stop> {
    let mut found = Vec::new();
    for code in octal_codes() {
        let Some(rule) = TakingRule::of_code(&code) else {
            continue;
        };
        let mut other = Sequence::new(rule.clone());
        // Most codes differ at once: look at a few values first.
        for last in [24, length] {
            other.extend(last + MOST_SHIFT, Road::Sparse, cancel, &mut |_| {})?;
            let shifts = (0..=MOST_SHIFT)
                .map(|s| (s, 0))
                .chain((1..=MOST_SHIFT).map(|s| (0, s)));
            let agreeing: Vec<(u64, u64)> = shifts
                .filter(|(here, there)| {
                    (0..last).all(|n| sequence.value(n + here) == other.value(n + there))
                })
                .collect();
            if agreeing.is_empty() {
                break;
            }
            if last == length && rule != *sequence.rule() {
                found.extend(agreeing.into_iter().map(|(here, there)| Match {
                    shift: i64::try_from(here).unwrap_or(0) - i64::try_from(there).unwrap_or(0),
                    code: code.clone(),
                    compared: length,
                }));
            }
        }
    }
    found.sort_by(|a, b| (a.shift.abs(), &a.code, a.shift).cmp(&(b.shift.abs(), &b.code, b.shift)));
    Ok(found)
}
