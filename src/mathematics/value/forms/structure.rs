//! A hash and a total order of forms that depend on the games alone, not on the arena or the order in which it was filled.
//!
//! They make printed texts and listings the same in every run, with any number of threads.

use std::cmp::Ordering;
use std::sync::atomic::Ordering as Atomic;

use super::numbers::scramble;
use super::{CanonicalForm, Forms, Shift};

impl Forms {
    /// A hash of the form that does not depend on the arena or on the order in which it was filled.
    pub fn structural_hash(&self, g: CanonicalForm) -> u64 {
        if g.is_base() {
            self.hash_of_base(g)
        } else if g.is_general() {
            let Shift { base, number } = self.shift(g);
            scramble(self.hash_of_base(base).rotate_left(32) ^ self.structural_hash(number))
        } else if g.is_inline() {
            scramble(u64::from(g.0) ^ 0x51_7cc1_b727_220a)
        } else {
            let v = &self.wide(g).value;
            let mut hash = scramble(v.ups as u64 ^ 0x2545_f491_4f6c_dd1d);
            hash = scramble(hash ^ u64::from(v.nimber) ^ (u64::from(v.number.exponent()) << 32));
            let (sign, digits) = v.number.numerator().to_u64_digits();
            for digit in digits {
                hash = scramble(hash ^ digit);
            }
            scramble(hash ^ (sign == num_bigint::Sign::Minus) as u64)
        }
    }

    // Computed on first use, after the hashes of the followers.
    fn hash_of_base(&self, g: CanonicalForm) -> u64 {
        let known = self.node(g).hash.load(Atomic::Relaxed);
        if known != 0 {
            return known;
        }
        let mut stack = vec![g];
        let mut hash = 0;
        while let Some(&top) = stack.last() {
            let node = self.node(top);
            let before = stack.len();
            for option in node.list.iter().filter(|option| option.is_general()) {
                let base = self.base(*option);
                if self.node(base).hash.load(Atomic::Relaxed) == 0 {
                    stack.push(base);
                }
            }
            if stack.len() == before {
                let (left, right) = node.options();
                hash = self.structural_hash_of(left, right).max(1);
                node.hash.store(hash, Atomic::Relaxed);
                stack.pop();
            }
        }
        hash
    }

    // Sums over the options, so that the order of handles does not matter.
    fn structural_hash_of(&self, left: &[CanonicalForm], right: &[CanonicalForm]) -> u64 {
        let side = |options: &[CanonicalForm], seed: u64| {
            options.iter().fold(seed, |sum, g| {
                sum.wrapping_add(scramble(self.structural_hash(*g) ^ seed))
            })
        };
        scramble(
            side(left, 0x8cb9_2ba7_2f3d_8dd7)
                .wrapping_add(side(right, 0x3c79_ac49_2ba7_b653).rotate_left(21)),
        )
    }

    /// Sorts forms by [`Forms::structural_cmp`].
    pub fn sort_structurally(&self, list: &mut [CanonicalForm]) {
        list.sort_by(|a, b| self.structural_cmp(*a, *b));
    }

    /// A total order of forms for printing, the same in every arena. It is unrelated to the order of games: sums of a
    /// number, ups and a nimber come first, by their parts, then the others by their stops.
    pub fn structural_cmp(&self, g: CanonicalForm, h: CanonicalForm) -> Ordering {
        let mut pair = (g, h);
        // Each step descends to the first pair of options that differ. The bound limits the work; it is reached only by two
        // unequal forms with equal hashes.
        for _ in 0..10_000 {
            let (g, h) = pair;
            if g == h {
                return Ordering::Equal;
            }
            match (g.is_number_up_star(), h.is_number_up_star()) {
                (true, false) => return Ordering::Less,
                (false, true) => return Ordering::Greater,
                (true, true) => {
                    let key = self.infinitesimal_part(g).cmp(&self.infinitesimal_part(h));
                    return self
                        .compare_numbers(self.number_part(g), self.number_part(h))
                        .then(key);
                }
                (false, false) => {}
            }
            let ((gl, gr), (hl, hr)) = (self.stops(g), self.stops(h));
            let order = self
                .compare_numbers(gl, hl)
                .then_with(|| self.compare_numbers(gr, hr));
            if order != Ordering::Equal {
                return order;
            }
            // The right stops are equal, so both are the same translation of their bases, and the bases decide.
            let (a, b) = (self.node(self.base(g)), self.node(self.base(h)));
            let ((al, ar), (bl, br)) = (a.options(), b.options());
            let order = (al.len() + ar.len())
                .cmp(&(bl.len() + br.len()))
                .then_with(|| al.len().cmp(&bl.len()))
                .then_with(|| {
                    self.structural_hash(self.base(g))
                        .cmp(&self.structural_hash(self.base(h)))
                });
            if order != Ordering::Equal {
                return order;
            }
            let sorted = |side: &[CanonicalForm]| {
                let mut hashes: Vec<_> = side
                    .iter()
                    .map(|x| (self.structural_hash(*x), *x))
                    .collect();
                hashes.sort_by_key(|x| x.0);
                hashes
            };
            let first = sorted(al)
                .into_iter()
                .zip(sorted(bl))
                .chain(sorted(ar).into_iter().zip(sorted(br)))
                .find(|(x, y)| x.1 != y.1);
            match first {
                Some((x, y)) if x.0 == y.0 => pair = (x.1, y.1),
                Some((x, y)) => return x.0.cmp(&y.0),
                None => return Ordering::Equal,
            }
        }
        Ordering::Equal
    }
}
