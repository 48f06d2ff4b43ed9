//! Forms as written: a finite tree of options, with nothing removed and nothing simplified.
//!
//! Some operations look at the form and not at the value: the ordinal sum, the birthday and the number of followers
//! (Siegel, *Combinatorial Game Theory*, II.1 and II.2). [`Form::canonical`] goes to the value.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::{CanonicalForm, Forms, OutOfMemory};

/// A short game as a finite tree of options; equal subtrees may be shared. Cloning is cheap.
///
/// ```
/// use cgdsl::value::{CanonicalForm, Form, Forms};
/// let forms = Forms::new();
/// let zero = Form::zero();
/// let star = Form::new(vec![zero.clone()], vec![zero]);
/// assert_eq!(star.canonical(&forms)?, CanonicalForm::STAR);
/// # Ok::<(), cgdsl::value::OutOfMemory>(())
/// ```
#[derive(Clone)]
pub struct Form(Arc<Tree>);

struct Tree {
    left: Vec<Form>,
    right: Vec<Form>,
}

impl Drop for Tree {
    // Without recursion, so that a deep tree does not overflow the stack.
    fn drop(&mut self) {
        let mut rest = std::mem::take(&mut self.left);
        rest.append(&mut self.right);
        while let Some(form) = rest.pop() {
            if let Some(mut tree) = Arc::into_inner(form.0) {
                rest.append(&mut tree.left);
                rest.append(&mut tree.right);
            }
        }
    }
}

impl Form {
    /// The form with these options.
    pub fn new(left: Vec<Form>, right: Vec<Form>) -> Form {
        Form(Arc::new(Tree { left, right }))
    }

    /// The form without options.
    pub fn zero() -> Form {
        Form::new(Vec::new(), Vec::new())
    }

    /// The left options as written.
    pub fn left(&self) -> &[Form] {
        &self.0.left
    }

    /// The right options as written.
    pub fn right(&self) -> &[Form] {
        &self.0.right
    }

    fn address(&self) -> usize {
        Arc::as_ptr(&self.0) as usize
    }

    /// Computes something from the bottom up, once for each shared subtree: `combine` gets a form and the results of its
    /// left and of its right options.
    pub fn fold<T: Clone, E>(
        &self,
        mut combine: impl FnMut(&Form, &[T], &[T]) -> Result<T, E>,
    ) -> Result<T, E> {
        let mut known: FxHashMap<usize, T> = FxHashMap::default();
        let mut stack = vec![(self, false)];
        while let Some((form, entered)) = stack.pop() {
            if known.contains_key(&form.address()) {
                continue;
            }
            if !entered {
                stack.push((form, true));
                stack.extend(form.left().iter().chain(form.right()).map(|f| (f, false)));
                continue;
            }
            let results = |side: &[Form]| -> Vec<T> {
                side.iter()
                    .filter_map(|f| known.get(&f.address()).cloned())
                    .collect()
            };
            let result = combine(form, &results(form.left()), &results(form.right()))?;
            known.insert(form.address(), result);
        }
        // The root was the last to be combined.
        match known.remove(&self.address()) {
            Some(result) => Ok(result),
            None => combine(self, &[], &[]),
        }
    }

    /// The value of the form.
    pub fn canonical(&self, forms: &Forms) -> Result<CanonicalForm, OutOfMemory> {
        self.fold(|_, left, right| forms.from_options(left, right))
    }
}
