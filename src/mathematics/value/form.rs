//! Forms as written: finite trees of options, neither reduced nor simplified.
//!
//! Some operations depend on the form and not only on the value: the ordinal sum, the birthday and the number of followers
//! (Siegel, *Combinatorial Game Theory*, chapter II). [`Form::canonical`] is the value.

use std::convert::Infallible;
use std::fmt;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::{CanonicalForm, Forms, OutOfMemory};

/// A short game as a finite tree of options; equal subtrees may be shared. Cloning is cheap.
///
/// ```
/// # use cgdsl_mathematics as cgdsl;
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

impl fmt::Debug for Form {
    // The tree may be huge, so only the numbers of options are shown.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Form")
            .field("left options", &self.0.left.len())
            .field("right options", &self.0.right.len())
            .finish_non_exhaustive()
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

    /// Computes a result from the bottom up, once for each shared subtree. `combine` gets a form and the results of its
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
        // The root is combined last.
        match known.remove(&self.address()) {
            Some(result) => Ok(result),
            None => combine(self, &[], &[]),
        }
    }

    /// The value of the form.
    pub fn canonical(&self, forms: &Forms) -> Result<CanonicalForm, OutOfMemory> {
        self.fold(|_, left, right| forms.from_options(left, right))
    }

    /// The canonical form written out as a tree. An error if it would be enormous.
    pub fn from_canonical(forms: &Forms, g: CanonicalForm) -> Result<Form, OutOfMemory> {
        forms.fold(
            g,
            |_| Ok(None),
            |_, left, right| Ok(Form::new(left.to_vec(), right.to_vec())),
        )
    }

    /// The form with the players exchanged.
    pub fn negate(&self) -> Form {
        certain(self.fold(|_, left, right| Ok(Form::new(right.to_vec(), left.to_vec()))))
    }

    /// The disjunctive sum of two forms, as written: `{G^L + H, G + H^L | G^R + H, G + H^R}`.
    ///
    /// An error if there are more than 2^22 pairs of followers.
    pub fn add(&self, other: &Form) -> Result<Form, OutOfMemory> {
        let (mine, theirs) = (self.bottom_up(), other.bottom_up());
        if mine.len().saturating_mul(theirs.len()) > MAX_PAIRS {
            return Err(OutOfMemory);
        }
        let mut known: FxHashMap<(usize, usize), Form> = FxHashMap::default();
        let mut sum = Form::zero();
        for g in &mine {
            for h in &theirs {
                let side = |a: &[Form], b: &[Form]| {
                    let moved = a.iter().map(|x| (x.address(), h.address()));
                    let other = b.iter().map(|y| (g.address(), y.address()));
                    moved
                        .chain(other)
                        .filter_map(|key| known.get(&key).cloned())
                        .collect()
                };
                sum = Form::new(side(g.left(), h.left()), side(g.right(), h.right()));
                known.insert((g.address(), h.address()), sum.clone());
            }
        }
        Ok(sum)
    }

    /// The ordinal sum `G : H = {G^L, G : H^L | G^R, G : H^R}`: a move in G ends H (*Winning Ways*, chapter 7;
    /// Siegel II).
    ///
    /// Its value depends on the form of G, but only on the value of H (the colon principle).
    pub fn ordinal_sum(&self, other: &Form) -> Form {
        certain(other.fold(|_, left, right| {
            Ok(Form::new(
                self.left().iter().chain(left).cloned().collect(),
                self.right().iter().chain(right).cloned().collect(),
            ))
        }))
    }

    /// The birthday of the form: the depth of the tree.
    pub fn birthday(&self) -> usize {
        certain(self.fold(|_, left: &[usize], right| {
            Ok(left
                .iter()
                .chain(right)
                .max()
                .map_or(0, |deepest| deepest + 1))
        }))
    }

    /// The number of different trees among the followers of the form, itself included. Trees that differ only in the order
    /// or the repetition of options are the same.
    pub fn number_of_followers(&self) -> usize {
        let mut ids: FxHashMap<(Vec<usize>, Vec<usize>), usize> = FxHashMap::default();
        let count = self.fold(|_, left: &[usize], right| -> Result<usize, Infallible> {
            let set = |side: &[usize]| {
                let mut side = side.to_vec();
                side.sort_unstable();
                side.dedup();
                side
            };
            let next = ids.len();
            Ok(*ids.entry((set(left), set(right))).or_insert(next))
        });
        certain(count);
        ids.len()
    }

    // The distinct subtrees: options before the forms they belong to, the form itself last.
    fn bottom_up(&self) -> Vec<Form> {
        let mut order = Vec::new();
        certain(self.fold(|form, _: &[()], _| {
            order.push(form.clone());
            Ok(())
        }));
        order
    }
}

/// The greatest number of pairs of followers in a sum of forms.
const MAX_PAIRS: usize = 1 << 22;

fn certain<T>(result: Result<T, Infallible>) -> T {
    match result {
        Ok(value) => value,
    }
}
