//! Finds the known name nearest to an unknown one, if it is near enough.
//!
//! Distance: optimal string alignment (Damerau-Levenshtein restricted to adjacent transpositions), ignoring case.

use super::Suggestion;
use crate::base::Ident;

/// The distance of two words, or `None` beyond `limit`.
fn distance(a: &[char], b: &[char], limit: usize) -> Option<usize> {
    if a.len().abs_diff(b.len()) > limit {
        return None;
    }
    let width = b.len() + 1;
    let mut before: Vec<usize> = vec![0; width];
    let mut last: Vec<usize> = (0..width).collect();
    for (i, x) in a.iter().enumerate() {
        let mut row = vec![i + 1; width];
        for (j, y) in b.iter().enumerate() {
            let mut best = (last[j] + usize::from(x != y))
                .min(last[j + 1] + 1)
                .min(row[j] + 1);
            if i > 0 && j > 0 && *x == b[j - 1] && a[i - 1] == *y {
                best = best.min(before[j - 1] + 1);
            }
            row[j + 1] = best;
        }
        before = last;
        last = row;
    }
    last.last().copied().filter(|d| *d <= limit)
}

/// The candidate nearest to `name`, if near enough: one letter may differ, or up to a third of them, but one less if the first
/// letters differ. A candidate that differs by capitals only comes first. One that continues the name (of three letters or more)
/// is always near
/// enough. Ties go to a candidate with the same first letter, then to the first in order.
#[must_use]
pub fn near<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let lower =
        |s: &str| -> Vec<char> { s.chars().take(64).flat_map(char::to_lowercase).collect() };
    let wanted = lower(name);
    if wanted.is_empty() {
        return None;
    }
    let mut best: Option<((usize, bool), &str)> = None;
    for candidate in candidates {
        if candidate == name {
            continue;
        }
        let letters = lower(candidate);
        let longest = wanted.len().max(letters.len());
        // One differing letter in words of three to five letters, two in words of six to eight, ..
        let limit = longest / 3;
        let limit = match letters.first() == wanted.first() {
            true => limit,
            false => limit - usize::from(limit > 1),
        };
        let prefix = wanted.len() >= 3 && letters.starts_with(&wanted);
        let found = match distance(&wanted, &letters, limit) {
            Some(d) => Some(d),
            None if prefix => Some(limit),
            None => None,
        };
        if let Some(d) = found
            && d < longest
            && let rank = (d, letters.first() != wanted.first())
            && best.is_none_or(|(b, _)| rank < b)
        {
            best = Some((rank, candidate));
        }
    }
    best.map(|(_, c)| c)
}

/// Whether one slip makes the one word of the other: a letter too many, missing or wrong, or two letters exchanged. A slip
/// in a short word often gives another word, so words of fewer than four letters do not count.
#[must_use]
pub fn is_slip(name: &str, meant: &str) -> bool {
    let letters =
        |s: &str| -> Vec<char> { s.chars().take(64).flat_map(char::to_lowercase).collect() };
    let (a, b) = (letters(name), letters(meant));
    a.len().min(b.len()) >= 4 && distance(&a, &b, 1).is_some()
}

/// The sentence: "did you mean `Left`?", if a candidate is near enough.
#[must_use]
pub fn did_you_mean<'a>(
    name: &str,
    candidates: impl IntoIterator<Item = &'a str>,
) -> Option<String> {
    near(name, candidates).map(|c| format!("did you mean `{c}`?"))
}

/// The same as an edit: the name is replaced by the nearest of the candidates.
#[must_use]
pub fn meant<'a>(
    name: &Ident,
    candidates: impl IntoIterator<Item = &'a str>,
) -> Option<Suggestion> {
    near(&name.text, candidates)
        .map(|c| Suggestion::replace(name.span, c, format!("did you mean `{c}`?")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nearest_names() {
        let words = ["choose", "where", "then", "ruleset", "position", "Left"];
        for (typo, meant) in [
            ("chose", Some("choose")),
            ("wehre", Some("where")),
            ("thn", Some("then")),
            ("rulset", Some("ruleset")),
            ("postion", Some("position")),
            ("left", Some("Left")),
            ("posit", Some("position")),
            ("kayles", None),
            ("x", None),
            ("", None),
        ] {
            assert_eq!(near(typo, words), meant, "{typo}");
        }
    }

    #[test]
    fn slips_of_one_letter() {
        for (name, meant, slip) in [
            ("wehre", "where", true),
            ("boards", "board", true),
            ("even", "then", false),
            ("piles", "pieces", false),
            ("on", "owns", false),
            ("adn", "and", false),
        ] {
            assert_eq!(is_slip(name, meant), slip, "{name}");
        }
    }
}
