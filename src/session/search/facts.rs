//! The value of a position comes in; what a table of a census says of it goes out: its text, and invariants of short games.

use crate::base::Span;
use crate::claim::Answerer;
use crate::game::Reason;
use crate::ir::{Fault, Res};
use crate::value::loopy::Loopy;
use crate::value::{Number, OutOfMemory, Outcome};

/// What is said of a value. What only short games have is absent of a loopy one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Facts {
    /// The canonical form, as it reads back.
    pub value: String,
    /// Of short games.
    pub short: Option<Short>,
}

/// Invariants of a short game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Short {
    /// Who wins.
    pub outcome: Outcome,
    /// The mean.
    pub mean: Number,
    /// The temperature, of a number too.
    pub temperature: Number,
    /// Where alternating play ends that Left begins.
    pub left_stop: Number,
    /// Where alternating play ends that Right begins.
    pub right_stop: Number,
    /// The day on which it is born; nothing if it is later than 2^63.
    pub birthday: Option<i64>,
    /// The number that it is.
    pub number: Option<Number>,
    /// The nimber that it is.
    pub nimber: Option<u32>,
    /// Whether both stops are 0.
    pub is_infinitesimal: bool,
    /// Whether in all its followers both players can move or none can.
    pub is_all_small: bool,
}

/// What is said of a value.
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
