//! Results of functions that were called before. Input: a function and its arguments; output: the result, and the steps that
//! it took.
//!
//! A function that is called in a query depends on nothing but its arguments, and there is no recursion, so a result holds for
//! every later call. The steps are charged again: whether a question is answered within its budget does not depend on what was
//! called before. A result is kept if it took many steps, and if it and the arguments are numbers, pieces, players and the
//! like, or sets of these. Boards and positions are large, and games of equal value may have different forms.

use crate::int::Int;
use crate::model::typed::FunctionId;
use crate::val::Val;
use rustc_hash::FxHashMap;
use std::cell::RefCell;

/// The least number of steps for which a result is kept.
const STEPS: u64 = 64;
/// The most values in the arguments and the result of one call.
const LARGE: usize = 1 << 10;
/// The most values in all of them, a few megabytes; beyond, all are forgotten.
const MOST: usize = 1 << 16;
/// The deepest nest of sets, lists and tuples that is kept.
const DEEPEST: usize = 8;

/// A result.
#[derive(Clone, Debug)]
pub(super) struct Known {
    pub value: Val,
    /// The steps that it took.
    pub steps: u64,
    /// At which depth of the evaluation: one level deeper, it could fail.
    pub depth: u32,
}

#[derive(Default, Debug)]
struct Table {
    known: FxHashMap<FunctionId, FxHashMap<Vec<Val>, Known>>,
    size: usize,
}

/// The results of earlier calls.
#[derive(Default, Debug)]
pub struct Calls(RefCell<Table>);

impl Calls {
    /// The result of an earlier call at this depth or deeper.
    pub(super) fn find(&self, f: FunctionId, args: &[Val], depth: u32) -> Option<Known> {
        let table = self.0.borrow();
        let known = table.known.get(&f)?.get(args)?;
        (depth <= known.depth).then(|| known.clone())
    }

    /// Keeps a result if it is worth it.
    pub(super) fn keep(&self, f: FunctionId, args: Vec<Val>, known: Known) {
        if known.steps < STEPS {
            return;
        }
        let all = args.iter().chain([&known.value]);
        let size = all
            .map(|v| size(v, DEEPEST))
            .try_fold(0, |sum, n| Some(sum + n?));
        let Some(size) = size.filter(|size| *size <= LARGE) else {
            return;
        };
        let mut table = self.0.borrow_mut();
        if table.size + size > MOST {
            *table = Table::default();
        }
        table.size += size;
        table.known.entry(f).or_default().insert(args, known);
    }
}

/// How many values a value contains; `None` if it is too deep, or contains what is not kept.
fn size(v: &Val, deepest: usize) -> Option<usize> {
    match v {
        Val::Tuple(items) | Val::Set(items) | Val::List(items) => {
            let below = deepest.checked_sub(1)?;
            let all = items.iter().map(|v| size(v, below));
            all.take(LARGE + 1).try_fold(1, |sum, n| Some(sum + n?))
        }
        Val::Int(Int::Small(_)) | Val::Cell(..) | Val::Direction(..) => Some(1),
        Val::Bool(_) | Val::Piece(_) | Val::Player(_) | Val::Outcome(_) => Some(1),
        Val::Int(_)
        | Val::Text(_)
        | Val::Label(_)
        | Val::Edge(_)
        | Val::Board(_)
        | Val::Position(_)
        | Val::Compound(_)
        | Val::Game(_)
        | Val::Report(_) => None,
    }
}
