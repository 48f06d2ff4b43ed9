//! Compiles writes that read fields (the looks of an instance) to word operations and tables over bits.
//!
//! A look is a copy of bits if each value that may be read is written with the same bits in both fields. Copies between the
//! same two words over the same distance are one shift, so that pushing a whole run of cells takes one or two operations.
//! Other looks at small fields become a table from bits to bits, which saves searching the value among the patterns. All
//! looks of an instance read the state before the move, so their order does not matter.

use super::pack::{Field, Look};
use crate::ir::ground::NEVER;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// The widest field that has a table from bits to bits.
const WIDEST: u32 = 8;

/// Entry for bits that encode no value, or from which nothing is written.
const NONE: u64 = u64::MAX;

/// Bits copied from one word to another, all over the same distance.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Copied {
    from: usize,
    to: usize,
    mask: u64,
    left: u32,
    right: u32,
}

/// A table from the bits of one field to the bits of another, both shifted to position 0.
#[derive(Clone, Debug)]
pub(super) struct Mapped {
    from: (usize, u64, u32),
    to: (usize, u64, u32),
    bits: Arc<[u64]>,
}

/// The looks of an instance, by kind.
#[derive(Clone, Debug, Default)]
pub(super) struct Ready {
    pub copied: Vec<Copied>,
    pub mapped: Vec<Mapped>,
    /// The looks that are neither copies nor tables.
    pub looks: Vec<Look>,
    /// The target fields of the copies: word and bits.
    pub cleared: Vec<(usize, u64)>,
}

/// Tables that several looks share.
#[derive(Default)]
pub(super) struct Tables(FxHashMap<(Vec<u64>, Vec<u64>, Box<[u8]>), Arc<[u64]>>);

impl Tables {
    /// Sorts the looks of an instance by kind.
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

/// Whether a look only copies bits.
fn is_copy(look: &Look, from: &Field, to: &Field) -> bool {
    let mut read = from.patterns.iter().zip(&look.table);
    look.from != look.to
        && read.all(|(bits, n)| *n == NEVER || to.patterns.get(usize::from(*n)) == Some(bits))
}

impl Copied {
    /// Copies the bits. The target fields must be cleared.
    #[inline]
    pub(super) fn apply(&self, state: &[u64], next: &mut [u64]) {
        next[self.to] |= (state[self.from] & self.mask) << self.left >> self.right;
    }
}

impl Mapped {
    /// Looks up the source bits and writes the target field, unless the entry is [`NONE`].
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
