//! The operations on values that the search needs, and the two kinds of values: canonical forms in an arena, and nimbers
//! with nim-sum and mex (Sprague 1935, Grundy 1939).

use crate::engine::account::Account;
use crate::engine::archive::Library;
use crate::game::Limit;
use crate::value::{CanonicalForm, Forms};

/// A kind of values that add up over the parts of a position.
pub(crate) trait Algebra {
    /// A value: small, and valid within one arena.
    type Value: Copy + PartialEq;
    /// Whether both players have the same options, so that Left's suffice.
    const IMPARTIAL: bool;

    fn zero(&self) -> Self::Value;
    fn add(&mut self, a: Self::Value, b: Self::Value) -> Result<Self::Value, Limit>;
    fn negate(&mut self, a: Self::Value) -> Result<Self::Value, Limit>;
    /// Whether a value is a number.
    fn is_number(&self, value: Self::Value) -> bool;
    /// The value of the position with these options.
    fn node(&mut self, left: &[Self::Value], right: &[Self::Value]) -> Result<Self::Value, Limit>;
    /// The value stored under a key by an earlier run, if any.
    fn recall(
        &mut self,
        library: &Library,
        key: &[u8],
        account: &Account,
    ) -> Result<Option<Self::Value>, Limit>;
    /// Stores a value for later runs.
    fn keep(&mut self, library: &Library, key: &[u8], value: Self::Value, account: &Account);
}

/// Canonical forms in an arena.
pub(crate) struct Values<'a>(pub(crate) &'a Forms);

pub(super) fn memory(_: crate::value::OutOfMemory) -> Limit {
    Limit::Memory
}

impl Algebra for Values<'_> {
    type Value = CanonicalForm;
    const IMPARTIAL: bool = false;

    fn zero(&self) -> CanonicalForm {
        CanonicalForm::ZERO
    }

    fn add(&mut self, a: CanonicalForm, b: CanonicalForm) -> Result<CanonicalForm, Limit> {
        if a == CanonicalForm::ZERO {
            return Ok(b);
        }
        self.0.add(a, b).map_err(memory)
    }

    fn negate(&mut self, a: CanonicalForm) -> Result<CanonicalForm, Limit> {
        self.0.negate(a).map_err(memory)
    }

    fn is_number(&self, value: CanonicalForm) -> bool {
        self.0.is_number(value)
    }

    fn node(
        &mut self,
        left: &[CanonicalForm],
        right: &[CanonicalForm],
    ) -> Result<CanonicalForm, Limit> {
        self.0.from_options(left, right).map_err(memory)
    }

    fn recall(
        &mut self,
        library: &Library,
        key: &[u8],
        account: &Account,
    ) -> Result<Option<CanonicalForm>, Limit> {
        library.value(key, self.0, account)
    }

    fn keep(&mut self, library: &Library, key: &[u8], value: CanonicalForm, account: &Account) {
        library.keep_value(key, value, self.0, account);
    }
}

/// Nimbers with nim-sum and mex (Sprague 1935, Grundy 1939).
#[derive(Default)]
pub(crate) struct Nimbers {
    // Marks of the values in the current node: the number of the node, so that nothing needs to be cleared.
    seen: Vec<u64>,
    node: u64,
}

impl Algebra for Nimbers {
    type Value = u32;
    const IMPARTIAL: bool = true;

    fn zero(&self) -> u32 {
        0
    }

    fn add(&mut self, a: u32, b: u32) -> Result<u32, Limit> {
        Ok(a ^ b)
    }

    fn negate(&mut self, a: u32) -> Result<u32, Limit> {
        Ok(a)
    }

    fn is_number(&self, value: u32) -> bool {
        value == 0
    }

    fn node(&mut self, left: &[u32], _right: &[u32]) -> Result<u32, Limit> {
        self.node += 1;
        if self.seen.len() <= left.len() {
            self.seen.resize(left.len() + 1, 0);
        }
        for value in left {
            // The result is at most the number of options, so greater values cannot matter.
            if (*value as usize) < left.len() {
                self.seen[*value as usize] = self.node;
            }
        }
        let least = self.seen[..=left.len()]
            .iter()
            .position(|mark| *mark != self.node);
        Ok(least.unwrap_or(left.len()) as u32)
    }

    fn recall(
        &mut self,
        library: &Library,
        key: &[u8],
        _account: &Account,
    ) -> Result<Option<u32>, Limit> {
        Ok(library.nimber(key))
    }

    fn keep(&mut self, library: &Library, key: &[u8], value: u32, _account: &Account) {
        library.keep_nimber(key, value);
    }
}
