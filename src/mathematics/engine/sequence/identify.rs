//! A sequence comes in; the octal games that it agrees with, as far as was compared, come out. Agreement up to a bound is
//! no proof of equality, and is never called one.

use super::{Road, Sequence, Stop, TakingRule};
use crate::game::Cancel;

/// The greatest shift that is tried: so many values more than are compared must be known.
pub const MOST_SHIFT: u64 = 3;

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

/// The first n at which values differ from those of a code, and how many were compared: at most `length`, fewer where less
/// is known of one of them.
pub fn first_difference(
    value: &dyn Fn(u64) -> Option<u64>,
    length: u64,
    code: &TakingRule,
    cancel: &Cancel,
) -> (Option<u64>, u64) {
    let mut other = Sequence::new(code.clone());
    // What ends it early leaves fewer values to compare.
    let _ = other.extend(length, Road::Sparse, cancel, &mut |_| {});
    let pair = |n: u64| Some((value(n)?, u64::from(other.value(n)?)));
    let equal = (0..length).map_while(pair).take_while(|(a, b)| a == b);
    let equal = equal.count() as u64;
    match pair(equal).filter(|_| equal < length) {
        Some(_) => (Some(equal), equal + 1),
        None => (None, equal),
    }
}

/// The octal games of up to three digits that values agree with, perhaps shifted, for `length` values; a few more are
/// known. `own` is the rule of the values, if it is one of taking and breaking: it is not told.
///
/// # Errors
/// Cancelled, or out of room.
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
        // Most codes differ at once: look at a few values first.
        for last in [length.min(24), length] {
            other.extend(last + MOST_SHIFT, Road::Sparse, cancel, &mut |_| {})?;
            let shifted = (1..=MOST_SHIFT).flat_map(|s| [(s, 0), (0, s)]);
            let shifts = std::iter::once((0, 0)).chain(shifted);
            // The least shift will do: what repeats agrees with many.
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
