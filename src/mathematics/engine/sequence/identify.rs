//! Finds the octal games that agree with a sequence as far as it is compared. Agreement up to a bound is no proof of
//! equality, and is never presented as a proof.

use super::{Road, Sequence, Stop, TakingRule};
use crate::game::Cancel;

/// The greatest shift that is tried. This many more values than the number compared must be known.
pub const MOST_SHIFT: u64 = 3;

/// Agreement with another game.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Match {
    /// The shift s: G(n + s) of the sequence is G(n) of the other game; if s is negative, G(n) is G(n - s).
    pub shift: i64,
    /// The other game's code.
    pub code: String,
    /// The number of n for which the values were compared.
    pub compared: u64,
}

/// All octal codes of up to three digits after the point, in order and without duplicates (trailing zeros are dropped).
pub fn octal_codes() -> impl Iterator<Item = String> {
    (1..512u32).filter_map(|k| {
        let code = format!("0.{}{}{}", k >> 6, k >> 3 & 7, k & 7);
        Some(code.trim_end_matches('0').to_owned()).filter(|c| c.len() > 2)
    })
}

/// The first n at which values differ from those of a code, and the number of values compared: at most `length`, or fewer if
/// one of the sequences is known less far.
pub fn first_difference(
    value: &dyn Fn(u64) -> Option<u64>,
    length: u64,
    code: &TakingRule,
    cancel: &Cancel,
) -> (Option<u64>, u64) {
    let mut other = Sequence::new(code.clone());
    // An error leaves fewer values to compare.
    let _ = other.extend(length, Road::Sparse, cancel, &mut |_| {});
    let pair = |n: u64| Some((value(n)?, u64::from(other.value(n)?)));
    let equal = (0..length).map_while(pair).take_while(|(a, b)| a == b);
    let equal = equal.count() as u64;
    match pair(equal).filter(|_| equal < length) {
        Some(_) => (Some(equal), equal + 1),
        None => (None, equal),
    }
}

/// The octal games of up to three digits that agree with values, possibly shifted, for `length` values. `value` must be
/// known for [`MOST_SHIFT`] values more. `own` is the rule of the values, if it is a taking-and-breaking rule; it is not
/// reported.
///
/// # Errors
/// Cancelled, or out of memory.
pub fn identify(
    value: &dyn Fn(u64) -> Option<u64>,
    length: u64,
    own: Option<&TakingRule>,
    cancel: &Cancel,
) -> Result<Vec<Match>, Stop> {
    let mut found = Vec::new();
    for code in octal_codes() {
        let Some(rule) = TakingRule::of_code(&code) else {
            continue;
        };
        let mut other = Sequence::new(rule.clone());
        // Most codes differ early, so a few values are compared first.
        for last in [length.min(24), length] {
            other.extend(last + MOST_SHIFT, Road::Sparse, cancel, &mut |_| {})?;
            let shifted = (1..=MOST_SHIFT).flat_map(|s| [(s, 0), (0, s)]);
            let shifts = std::iter::once((0, 0)).chain(shifted);
            // Only the least shift is reported: a periodic sequence agrees under many shifts.
            let mut agreeing = shifts.filter(|(here, there)| {
                (0..last).all(|n| value(n + here) == other.value(n + there).map(u64::from))
            });
            let Some((here, there)) = agreeing.next() else {
                break;
            };
            if last == length && Some(&rule) != own {
                found.push(Match {
                    shift: i64::try_from(here).unwrap_or(0) - i64::try_from(there).unwrap_or(0),
                    code: code.clone(),
                    compared: length,
                });
                break;
            }
        }
    }
    found.sort_by(|a, b| (a.shift.abs(), &a.code, a.shift).cmp(&(b.shift.abs(), &b.code, b.shift)));
    Ok(found)
}
