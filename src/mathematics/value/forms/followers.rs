//! The followers of a canonical form, and bottom-up computations over them, without recursion.
//!
//! The options of a translated form are translated on demand. Where the number does not matter, only bases are visited.

use rustc_hash::{FxHashMap, FxHashSet};

use super::{CanonicalForm, Forms, OutOfMemory};

/// How many options a single computation may expand before it fails. Only enormous integers, nimbers and multiples of up
/// reach this limit.
pub(crate) const MAX_EXPANDED: usize = 1 << 23;

/// The approximate bytes of a form in a set or a map and in a list, including room for growth.
const ENTRY: usize = 32;

impl Forms {
    /// The general forms among g and its followers; options come before the forms they belong to.
    pub(crate) fn general_followers(
        &self,
        g: CanonicalForm,
    ) -> Result<Vec<CanonicalForm>, OutOfMemory> {
        let mut ledger = self.ledger();
        let mut seen = FxHashSet::default();
        let mut found = Vec::new();
        let mut stack = vec![(g, false)];
        while let Some((f, entered)) = stack.pop() {
            if entered {
                found.push(f);
            } else if f.is_general() && seen.insert(f) {
                stack.push((f, true));
                for options in [self.left_of(f)?, self.right_of(f)?] {
                    ledger.take(ENTRY + 8 * options.len())?;
                    for i in 0..options.len() {
                        stack.push((options.at(self, i)?, false));
                    }
                }
            }
        }
        Ok(found)
    }

    /// The bases of the general forms among the base g and its followers, options first. Bases that `wanted` refuses are
    /// left out, and so are followers reachable only through them.
    pub(crate) fn base_followers(
        &self,
        g: CanonicalForm,
        mut wanted: impl FnMut(CanonicalForm) -> bool,
    ) -> Result<Vec<CanonicalForm>, OutOfMemory> {
        let mut ledger = self.ledger();
        let mut seen = FxHashSet::default();
        let mut found = Vec::new();
        let mut stack = vec![g];
        while let Some(f) = stack.pop() {
            if f.is_general() && seen.insert(f) && wanted(f) {
                found.push(f);
                let (left, right) = self.base_options(f);
                ledger.take(ENTRY + 4 * (left.len() + right.len()))?;
                stack.extend(
                    left.iter()
                        .chain(right)
                        .filter(|o| o.is_general())
                        .map(|o| self.base(*o)),
                );
            }
        }
        // A base is interned after its options, so this order is bottom-up.
        found.sort_unstable_by_key(|f| f.index());
        Ok(found)
    }

    /// Computes a result from the bottom up, once for each follower. `leaf` gives the result where the descent is to stop;
    /// `combine` gets a form and the results of its left and of its right options.
    pub(crate) fn fold<T: Clone>(
        &self,
        g: CanonicalForm,
        mut leaf: impl FnMut(CanonicalForm) -> Result<Option<T>, OutOfMemory>,
        mut combine: impl FnMut(CanonicalForm, &[T], &[T]) -> Result<T, OutOfMemory>,
    ) -> Result<T, OutOfMemory> {
        let mut ledger = self.ledger();
        let mut known: FxHashMap<CanonicalForm, T> = FxHashMap::default();
        let mut expanded = 0;
        let mut stack = vec![(g, false)];
        let mut results: [Vec<T>; 2] = [Vec::new(), Vec::new()];
        loop {
            self.go_on()?;
            let Some((f, entered)) = stack.pop() else {
                // Not reached: the first form pushed is combined last, and returned below.
                return Err(OutOfMemory);
            };
            if known.contains_key(&f) {
                continue;
            }
            let result = if entered {
                for (side, options) in results
                    .iter_mut()
                    .zip([self.left_of(f)?, self.right_of(f)?])
                {
                    side.clear();
                    for i in 0..options.len() {
                        self.go_on_at(i)?;
                        side.extend(known.get(&options.at(self, i)?).cloned());
                    }
                }
                combine(f, &results[0], &results[1])?
            } else if let Some(result) = leaf(f)? {
                result
            } else {
                stack.push((f, true));
                for options in [self.left_of(f)?, self.right_of(f)?] {
                    expanded += options.len();
                    if expanded > MAX_EXPANDED {
                        return Err(OutOfMemory);
                    }
                    ledger.take(8 * options.len())?;
                    for i in 0..options.len() {
                        self.go_on_at(i)?;
                        stack.push((options.at(self, i)?, false));
                    }
                }
                continue;
            };
            if f == g {
                return Ok(result);
            }
            ledger.take(ENTRY + size_of::<T>())?;
            known.insert(f, result);
        }
    }

    /// All followers of g, itself included, in no particular order. An error if there are more than `most`.
    pub(crate) fn all_followers(
        &self,
        g: CanonicalForm,
        most: usize,
    ) -> Result<FxHashSet<CanonicalForm>, OutOfMemory> {
        let mut ledger = self.ledger();
        let mut seen = FxHashSet::default();
        let mut expanded = 0;
        let mut stack = vec![g];
        while let Some(f) = stack.pop() {
            self.go_on()?;
            if !seen.insert(f) {
                continue;
            }
            if seen.len() > most {
                return Err(OutOfMemory);
            }
            for options in [self.left_of(f)?, self.right_of(f)?] {
                expanded += options.len();
                if expanded > MAX_EXPANDED {
                    return Err(OutOfMemory);
                }
                ledger.take(ENTRY + 4 * options.len())?;
                for i in 0..options.len() {
                    self.go_on_at(i)?;
                    let option = options.at(self, i)?;
                    if !seen.contains(&option) {
                        stack.push(option);
                    }
                }
            }
        }
        Ok(seen)
    }

    /// The stored options of a base.
    pub(crate) fn base_options(&self, g: CanonicalForm) -> (&[CanonicalForm], &[CanonicalForm]) {
        self.node(g).options()
    }

    /// How many thermographs the arena may keep.
    pub(crate) fn thermograph_room(&self) -> usize {
        // About 512 bytes each, in two tables, within a sixteenth of the memory limit.
        (self.limit / 16 / 1024).max(16)
    }
}
