//! Sets of nimbers as bit sets, with the two operations on g-sets: for the sum of two games, and the Grundy product for one
//! order above another (Fenner and Rogers 2015, Fact 3.1 and Lemma 3.2).

use crate::engine::nim_words::turned_word;

/// A finite set of natural numbers with its mex.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct NimberSet {
    /// The members as bits, without zero words at the end.
    words: Vec<u64>,
    mex: u32,
}

impl NimberSet {
    fn new(mut words: Vec<u64>) -> NimberSet {
        while words.last() == Some(&0) {
            words.pop();
        }
        let full = words.iter().take_while(|w| **w == u64::MAX).count();
        let rest = words.get(full).map_or(0, |w| w.trailing_ones() as usize);
        NimberSet {
            mex: u32::try_from(full * 64 + rest).unwrap_or(u32::MAX),
            words,
        }
    }

    /// The g-set of a single point: {0}.
    #[must_use]
    pub fn one() -> NimberSet {
        NimberSet::new(vec![1])
    }

    /// The least natural number that is not a member.
    #[must_use]
    pub fn mex(&self) -> u32 {
        self.mex
    }

    pub(super) fn bytes(&self) -> usize {
        8 * self.words.capacity()
    }

    /// The natural number, not a member, that exactly `count` other nonmembers precede. It is the nimber of an order of
    /// nimber `count` above an order with this g-set (Fenner and Rogers 2015, Lemma 3.2).
    #[must_use]
    pub fn missing(&self, count: u32) -> u32 {
        let mut left = count;
        for (i, w) in (0u32..).zip(&self.words) {
            if left < w.count_zeros() {
                let gaps = (0..64u32).filter(|b| w >> b & 1 == 0);
                let found = gaps.skip(left as usize).map(|b| i * 64 + b).next();
                return found.unwrap_or(u32::MAX);
            }
            left -= w.count_zeros();
        }
        u32::try_from(self.words.len() * 64)
            .unwrap_or(u32::MAX)
            .saturating_add(left)
    }

    /// The members, increasing.
    pub fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        (0u32..).zip(&self.words).flat_map(|(i, w)| {
            (0..64u32)
                .filter(move |b| w >> b & 1 == 1)
                .map(move |b| i * 64 + b)
        })
    }

    /// Joins `{x xor g}`, for the members x, to `into`.
    fn turned(&self, g: u32, into: &mut Vec<u64>) {
        let (high, low) = ((g >> 6) as usize, g as usize & 63);
        for (i, w) in self.words.iter().enumerate() {
            if *w == 0 {
                continue;
            }
            let to = i ^ high;
            if to >= into.len() {
                into.resize(to + 1, 0);
            }
            into[to] |= turned_word(*w, low);
        }
    }

    /// The g-set of the sum of two games.
    #[must_use]
    pub fn beside(self, other: NimberSet) -> NimberSet {
        if self.words.is_empty() {
            return other;
        }
        if other.words.is_empty() {
            return self;
        }
        let mut words = Vec::new();
        self.turned(other.mex, &mut words);
        other.turned(self.mex, &mut words);
        NimberSet::new(words)
    }

    /// The g-set of this order above `low`: the members of `low` and, for each member a of this set, the a-th nonmember of
    /// `low` (from 0 on).
    #[must_use]
    pub fn over(self, low: NimberSet) -> NimberSet {
        let mut words = low.words;
        // How many bits of this set have been distributed.
        let mut dealt = 0usize;
        let end = self.words.len() * 64;
        let take = |from: usize| -> u64 {
            let (i, s) = (from / 64, from % 64);
            let first = self.words.get(i).map_or(0, |w| w >> s);
            if s == 0 {
                return first;
            }
            first | self.words.get(i + 1).map_or(0, |w| w << (64 - s))
        };
        let mut i = (low.mex / 64) as usize;
        while dealt < end {
            if i == words.len() {
                words.push(0);
            }
            let gaps = !words[i];
            let count = gaps.count_ones();
            if count > 0 {
                let chunk = take(dealt);
                words[i] |= deposit(chunk, gaps);
                dealt += count as usize;
            }
            i += 1;
        }
        NimberSet::new(words)
    }
}

impl FromIterator<u32> for NimberSet {
    fn from_iter<I: IntoIterator<Item = u32>>(members: I) -> NimberSet {
        let mut words = Vec::new();
        for x in members {
            let i = (x / 64) as usize;
            if i >= words.len() {
                words.resize(i + 1, 0);
            }
            words[i] |= 1 << (x % 64);
        }
        NimberSet::new(words)
    }
}

/// Distributes the low bits of `bits`, in order, over the bits set in `places`.
fn deposit(mut bits: u64, mut places: u64) -> u64 {
    if places == u64::MAX {
        return bits;
    }
    let mut out = 0;
    while places != 0 && bits != 0 {
        let place = places & places.wrapping_neg();
        if bits & 1 == 1 {
            out |= place;
        }
        bits >>= 1;
        places ^= place;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    fn set(of: &BTreeSet<u32>) -> NimberSet {
        of.iter().copied().collect()
    }

    /// The definition of the mex.
    fn mex(of: &BTreeSet<u32>) -> u32 {
        (0..).find(|x| !of.contains(x)).unwrap()
    }

    #[test]
    fn operations_are_as_defined() {
        let mut seed = 1u64;
        let mut random = || {
            seed = seed
                .wrapping_mul(6364136223846793005)
                .wrapping_add(1442695040888963407);
            (seed >> 33) as u32
        };
        for round in 0..400 {
            let bound = [3, 10, 70, 200][round % 4];
            let mut draw = || -> BTreeSet<u32> {
                let n = random() % (bound + 1);
                (0..n).map(|_| random() % bound).collect()
            };
            let (a, b) = (draw(), draw());
            assert_eq!(set(&a).iter().collect::<BTreeSet<_>>(), a);
            assert_eq!(set(&a).mex(), mex(&a));
            let gaps = (0..).filter(|x| !a.contains(x)).take(300);
            for (i, gap) in (0u32..).zip(gaps) {
                assert_eq!(set(&a).missing(i), gap);
            }
            let sum: BTreeSet<u32> = a
                .iter()
                .map(|x| x ^ mex(&b))
                .chain(b.iter().map(|x| x ^ mex(&a)))
                .collect();
            assert_eq!(set(&a).beside(set(&b)), set(&sum));
            let gaps: Vec<u32> = (0..1000).filter(|x| !b.contains(x)).collect();
            let mut product = b.clone();
            product.extend(a.iter().map(|i| gaps[*i as usize]));
            assert_eq!(set(&a).over(set(&b)), set(&product));
        }
    }
}
