//! The followers of a canonical form in an order that needs no recursion.
//!
//! A form is interned after its options, so the order of indices is an order from the bottom up.

use rustc_hash::FxHashSet;

use super::{CanonicalForm, Forms};

impl Forms {
    /// The general forms among g and its followers that `wanted` accepts, options first; what it refuses is not
    /// entered.
    pub(crate) fn general_followers(
        &self,
        g: CanonicalForm,
        mut wanted: impl FnMut(CanonicalForm) -> bool,
    ) -> Vec<CanonicalForm> {
        let mut seen = FxHashSet::default();
        let mut found = Vec::new();
        let mut stack = vec![g];
        while let Some(f) = stack.pop() {
            if f.is_general() && seen.insert(f) && wanted(f) {
                found.push(f);
                stack.extend(self.node(f).options.iter().copied());
            }
        }
        found.sort_unstable_by_key(|f| f.index());
        found
    }

    /// The stored options of a general form.
    pub(crate) fn stored_options(&self, g: CanonicalForm) -> (&[CanonicalForm], &[CanonicalForm]) {
        let node = self.node(g);
        (node.left(), node.right())
    }

    /// How many thermographs the arena remembers.
    pub(crate) fn thermograph_room(&self) -> usize {
        // About 512 bytes each, in two tables, within a sixteenth of the limit.
        (self.limit / 16 / 1024).max(16)
    }
}
