//! Writes that need the value of a field, made ready: the looks of an instance come in, word operations and tables over bits
//! go out.
//!
//! Where each value that may be read is written with the same bits in both fields, a look is a copy of bits; copies between
//! the same two words over the same distance are one shift. So a push of a whole run of cells is an operation or two. Other
//! looks at small fields are a table from bits to bits, where the plain way seeks the value among the patterns first. All
//! looks of an instance read the state before the move, so their order does not matter.

use super::pack::{Field, Look};
use crate::ir::ground::NEVER;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// The widest field that has a table from bits to bits.
const WIDEST: u32 = 8;

/// Stands for bits that are no value's: nothing is written then.
const NONE: u64 = u64::MAX;

/// Bits that go from one word to another, all over the same distance.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Copied {
    from: usize,
    to: usize,
    mask: u64,
    left: u32,
    right: u32,
}

/// A table from the bits of one field to those of another, both not in place.
#[derive(Clone, Debug)]
pub(super) struct Mapped {
    from: (usize, u64, u32),
    to: (usize, u64, u32),
    bits: Arc<[u64]>,
}

/// The looks of an instance, sorted out.
#[derive(Clone, Debug, Default)]
pub(super) struct Ready {
    pub copied: Vec<Copied>,
    pub mapped: Vec<Mapped>,
    /// What is neither.
    pub looks: Vec<Look>,
    /// The fields that copies go to: word and bits.
    pub cleared: Vec<(usize, u64)>,
}

/// Tables that several looks have in common.
#[derive(Default)]
pub(super) struct Tables(FxHashMap<(Vec<u64>, Vec<u64>, Box<[u8]>), Arc<[u64]>>);

impl Tables {
    /// Sorts out the looks of an instance.
    pub(super) fn ready(&mut self, looks: &[Look], fields: &[Field]) -> Ready {
        let mut ready = Ready::default();
        for look in looks {
            let (from, to) = (&fields[look.from], &fields[look.to]);
            if is_copy(look, from, to) {
                let one = Copied {
                    from: from.word,
                    to: to.word,
                    mask: from.mask,
                    left: to.shift.saturating_sub(from.shift),
                    right: from.shift.saturating_sub(to.shift),
                };
                let along = |c: &&mut Copied| {
                    Copied {
                        mask: one.mask,
                        ..(**c).clone()
                    } == one
                };
                match ready.copied.iter_mut().find(along) {
                    Some(copied) => copied.mask |= one.mask,
                    None => ready.copied.push(one),
                }
                ready.cleared.push((to.word, to.mask));
            } else if from.mask.count_ones() <= WIDEST && to.mask.count_ones() < 64 {
                ready.mapped.push(Mapped {
                    from: (from.word, from.mask, from.shift),
                    to: (to.word, to.mask, to.shift),
                    bits: self.table(look, from, to),
                });
            } else {
                ready.looks.push(look.clone());
            }
        }
        ready
    }

    fn table(&mut self, look: &Look, from: &Field, to: &Field) -> Arc<[u64]> {
        let key = (
            from.patterns.clone(),
            to.patterns.clone(),
            look.table.clone(),
        );
        let table = self.0.entry(key).or_insert_with(|| {
            let all = 0..1u64 << from.mask.count_ones();
            all.map(|bits| {
                let value = from.patterns.iter().position(|p| *p == bits);
                let written = value.and_then(|v| to.patterns.get(usize::from(*look.table.get(v)?)));
                written.copied().unwrap_or(NONE)
            })
            .collect()
        });
        table.clone()
    }
}

/// Whether a look copies bits.
fn is_copy(look: &Look, from: &Field, to: &Field) -> bool {
    let mut read = from.patterns.iter().zip(&look.table);
    look.from != look.to
        && read.all(|(bits, n)| *n == NEVER || to.patterns.get(usize::from(*n)) == Some(bits))
}

impl Copied {
    /// Does it; the fields it goes to are empty.
    #[inline]
    pub(super) fn apply(&self, state: &[u64], next: &mut [u64]) {
        next[self.to] |= (state[self.from] & self.mask) << self.left >> self.right;
    }
}

impl Mapped {
    /// Does it.
    #[inline]
    pub(super) fn apply(&self, state: &[u64], next: &mut [u64]) {
        let (word, mask, shift) = self.from;
        let bits = self.bits[((state[word] & mask) >> shift) as usize];
        if bits != NONE {
            let (word, mask, shift) = self.to;
            next[word] = (next[word] & !mask) | bits << shift;
        }
    }
}
