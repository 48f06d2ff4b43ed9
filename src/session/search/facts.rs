//! The columns of a census. Input: the value of a position; output: its text, and the invariants of a short game.

use crate::base::Span;
use crate::claim::Answerer;
use crate::game::Reason;
use crate::ir::{Fault, Res};
use crate::value::loopy::Loopy;
use crate::value::{Number, OutOfMemory, Outcome};

/// The recorded facts about a value. A loopy value lacks those that only short games have.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Facts {
    /// The canonical form, in a notation that can be read back.
    pub value: String,
    /// The invariants, if the value is a short game.
    pub short: Option<Short>,
}

/// Invariants of a short game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Short {
    /// The outcome.
    pub outcome: Outcome,
    /// The mean.
    pub mean: Number,
    /// The temperature; also of a number.
    pub temperature: Number,
    /// The number at which alternating play stops if Left begins.
    pub left_stop: Number,
    /// The number at which alternating play stops if Right begins.
    pub right_stop: Number,
    /// The birthday; `None` if it is 2^63 or more.
    pub birthday: Option<i64>,
    /// The value, if it is a number.
    pub number: Option<Number>,
    /// The n of *n, if the value is a nimber.
    pub nimber: Option<u32>,
    /// Whether both stops are 0.
    pub is_infinitesimal: bool,
    /// Whether the value is all-small: in each of its followers, both players can move or neither can.
    pub is_all_small: bool,
}

/// Computes the facts about a value.
pub(super) fn facts(answerer: &Answerer<'_>, value: Loopy) -> Res<Facts> {
    let text = answerer.print_loopy(value);
    let short = match answerer.as_short(value) {
        None => None,
        Some(g) => {
            let forms = answerer.solver().forms();
            let full = |_: OutOfMemory| Fault::ended(Reason::Memory, Span::default());
            Some(Short {
                outcome: forms.outcome(g).map_err(full)?,
                mean: forms.mean(g).map_err(full)?,
                temperature: forms.temperature(g).map_err(full)?,
                left_stop: forms.left_stop(g),
                right_stop: forms.right_stop(g),
                birthday: i64::try_from(forms.birthday(g).map_err(full)?).ok(),
                number: forms.as_number(g),
                nimber: forms.as_nimber(g),
                is_infinitesimal: forms.is_infinitesimal(g),
                is_all_small: forms.is_all_small(g),
            })
        }
    };
    Ok(Facts { value: text, short })
}
