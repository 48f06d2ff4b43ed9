//! The finite commutative monoid with given generators and relations. Input: pairs of words, as exponents of the generators.
//! Output: what each generator makes of each element, or nothing if there are too many elements.
//!
//! Rules replace a word by one that is smaller in the order by length and then by exponents. They are completed: where two
//! rules apply to one word, both results get the same normal form (B. Buchberger, *A critical-pair/completion algorithm for
//! finitely generated ideals in rings*, 1984; for binomials this is the word problem of commutative monoids). Then elements
//! are normal forms.

use super::super::monoid::reached;
use crate::game::{Budget, Limit};
use std::cmp::Ordering;

/// Exponents of the generators.
pub(super) type Exponents = Vec<u32>;

/// The most rules of a completion.
const MOST_RULES: usize = 1 << 8;
/// The most relations that wait to become rules.
const MOST_WAITING: usize = 1 << 13;

/// Whether the first word is contained in the second.
pub(super) fn divides(a: &[u32], b: &[u32]) -> bool {
    a.iter().zip(b).all(|(a, b)| a <= b)
}

/// The normal form of a word.
fn reduce(rules: &[(Exponents, Exponents)], mut word: Exponents) -> Exponents {
    while let Some((left, right)) = rules.iter().find(|(l, _)| divides(l, &word)) {
        for (k, e) in word.iter_mut().enumerate() {
            *e = *e - left[k] + right[k];
        }
    }
    word
}

/// The order of words.
fn size(word: &Exponents) -> (u32, &Exponents) {
    (word.iter().sum(), word)
}

/// Completes rules; `None` if there are too many.
fn completed(
    relations: &[(Exponents, Exponents)],
    budget: &Budget,
) -> Result<Option<Vec<(Exponents, Exponents)>>, Limit> {
    let mut rules: Vec<(Exponents, Exponents)> = Vec::new();
    let mut waiting: Vec<(Exponents, Exponents)> = relations.to_vec();
    while !waiting.is_empty() {
        // Short relations first.
        let at = (0..waiting.len()).min_by_key(|i| {
            let (a, b) = &waiting[*i];
            let length = |w: &Exponents| w.iter().sum::<u32>();
            length(a).max(length(b))
        });
        let (a, b) = waiting.swap_remove(at.unwrap_or(0));
        budget.charge()?;
        let (a, b) = (reduce(&rules, a), reduce(&rules, b));
        let (left, right) = match size(&a).cmp(&size(&b)) {
            Ordering::Equal => continue,
            Ordering::Less => (b, a),
            Ordering::Greater => (a, b),
        };
        // Rules that the new one shortens become relations again.
        let (shortened, kept): (Vec<_>, Vec<_>) =
            rules.into_iter().partition(|(l, _)| divides(&left, l));
        rules = kept;
        waiting.extend(shortened);
        for (l, r) in &rules {
            if left.iter().zip(l).all(|(a, b)| *a.min(b) == 0) {
                continue;
            }
            let both: Exponents = left.iter().zip(l).map(|(a, b)| *a.max(b)).collect();
            let by = |from: &Exponents, to: &Exponents| -> Exponents {
                both.iter()
                    .enumerate()
                    .map(|(k, e)| e - from[k] + to[k])
                    .collect()
            };
            waiting.push((by(&left, &right), by(l, r)));
        }
        rules.push((left, right));
        if rules.len() > MOST_RULES || waiting.len() > MOST_WAITING {
            return Ok(None);
        }
    }
    Ok(Some(rules))
}

/// For each element, the identity first, the elements that the generators lead to; `None` if there are more than `most`.
///
/// # Errors
/// A limit.
pub(super) fn presented(
    generators: usize,
    relations: &[(Exponents, Exponents)],
    most: usize,
    budget: &Budget,
) -> Result<Option<Vec<Vec<usize>>>, Limit> {
    let Some(rules) = completed(relations, budget)? else {
        return Ok(None);
    };
    let by = |word: &Exponents, generator: usize| {
        let mut word = word.clone();
        word[generator] += 1;
        reduce(&rules, word)
    };
    let found = reached(vec![0; generators], generators, &by, most, budget)?;
    Ok(found.map(|(_, acts)| acts))
}
